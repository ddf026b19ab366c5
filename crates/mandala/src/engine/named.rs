//! Traces and witnesses as the engines find them, with names.

use crate::error_state::ErrorState;
use crate::proof::{Inequality, Proof, ProofCase};
use crate::state::Variables;
use crate::trace::{Change, Step, Trace};
use crate::witness::{Claim, Shown, Witness};
use mandala_check::early;
use mandala_check::error_state as check;
use mandala_check::run;
use mandala_check::witness::{self, Parts, Path};
use mandala_model::gal;
use mandala_model::property::Formula;
use mandala_model::semantics::{self, Semantics};
use mandala_model::system::{System, Type};

/// A step from a state with names.
pub fn step(semantics: &Semantics<'_>, variables: &Variables, state: &[i32], step: &semantics::Step) -> Step {
    let changes = variables.changes(state, &step.state);
    let instances = semantics.system().is_composite().then(|| instances(&changes));
    let mishap = semantics.is_error_state(&step.state).then(|| semantics.mishap(&step.event, state)).flatten();
    let mishap = mishap.map(|mishap| mishap.to_string());
    Step { transition: semantics.name(&step.event), changes, mishap, instances }
}

/// A trace of a system with names.
pub fn trace(semantics: &Semantics<'_>, trace: &run::Trace, shortest: bool, repeats: Option<usize>) -> Trace {
    let variables = Variables::of(semantics);
    let mut state = &trace.initial;
    let mut steps = Vec::with_capacity(trace.steps.len());
    for one in &trace.steps {
        steps.push(step(semantics, &variables, state, one));
        state = &one.state;
    }
    let initial = variables.names().iter().enumerate();
    let initial = initial.map(|(index, name)| (name.clone(), variables.value_in(index, &trace.initial)));
    Trace { initial: initial.collect(), steps, shortest, repeats }
}

/// A trace that was found, with names.
pub fn found(semantics: &Semantics<'_>, found: &run::Found) -> Trace {
    trace(semantics, &found.trace, found.shortest, found.repeats)
}

/// A trace that was found, with names; or why it was not.
pub fn shown(semantics: &Semantics<'_>, trace: Result<run::Found, run::NoTrace>) -> Result<Trace, String> {
    match trace {
        Ok(trace) => Ok(found(semantics, &trace)),
        Err(reason) => Err(reason.to_string()),
    }
}

/// What shows something without the states, with names.
pub fn proof(system: &System, proof: &early::Proof) -> Option<Proof> {
    let Type::Net(net) = system.main_type() else { return None };
    let cases = match proof {
        early::Proof::MarkedTraps => return Some(Proof::MarkedTraps),
        early::Proof::Cases(cases) => cases,
    };
    let sum = |terms: &[(u32, i64)]| -> Vec<(i64, String)> {
        terms.iter().map(|&(place, times)| (times, net.places[place as usize].name.clone())).collect()
    };
    let initial = &net.initial.get(system.begins.first().copied().unwrap_or_default())?.marking;
    let case = |case: &early::ProofCase| {
        let (initially, needed) = case.weights(initial)?;
        let used = |from: usize, to: usize| -> Vec<Inequality> {
            let all = case.assumed.iter().chain(&case.added).zip(&case.weighing.factors);
            let some = all.skip(from).take(to - from).filter(|(_, factor)| **factor != 0);
            some.map(|(one, _)| Inequality { sum: sum(&one.terms), least: one.least }).collect()
        };
        let (assumed, all) = (case.assumed.len(), case.assumed.len() + case.added.len());
        let sum = sum(&case.weighing.weights);
        Some(ProofCase { assumed: used(0, assumed), known: used(assumed, all), sum, initially, needed })
    };
    Some(Proof::Cases(cases.iter().map(case).collect::<Option<_>>()?))
}

/// What is known of the error state, with names.
pub fn error_state(semantics: Option<&Semantics<'_>>, found: check::ErrorState) -> ErrorState {
    let known = |reached| ErrorState { reached, transition: None, reason: None, trace: None };
    match found {
        check::ErrorState::NotReached => known(Some(false)),
        check::ErrorState::Unknown => known(None),
        check::ErrorState::Reached(way) => {
            let (transition, reason) = match way.by {
                check::By::Start { reason } => (None, Some(reason)),
                check::By::Transition { name, reason } => (Some(name), Some(reason)),
                check::By::Unknown => (None, None),
            };
            let trace = way.trace.and_then(|trace| Some(shown(semantics?, trace)));
            ErrorState { reached: Some(true), transition, reason, trace }
        }
    }
}

/// The instances to which some variables belong, each once.
fn instances(changes: &[Change]) -> Vec<String> {
    let mut instances: Vec<&str> = Vec::new();
    for change in changes {
        let end = change.variable.rfind(':').unwrap_or(0);
        if instances.last() != Some(&&change.variable[..end]) {
            instances.push(&change.variable[..end]);
        }
    }
    instances.into_iter().map(str::to_owned).collect()
}

/// A witness for or against a formula, with names.
pub fn witness(semantics: &Semantics<'_>, formula: &Formula, witness: &witness::Witness) -> Witness {
    let parts = Parts::of(formula);
    let names = Names { semantics, parts: &parts };
    let start = witness.nodes.first().map(|root| run::Trace { initial: root.state.clone(), steps: Vec::new() });
    Witness {
        claims: witness.nodes.iter().map(|node| names.claim(node)).collect(),
        start: start.map(|start| trace(semantics, &start, true, None)),
    }
}

struct Names<'n, 'a> {
    semantics: &'n Semantics<'a>,
    parts: &'n Parts<'n>,
}

impl Names<'_, '_> {
    fn formulas(&self, parts: &[usize]) -> Vec<String> {
        let formulas: Vec<&Formula> = parts.iter().map(|&part| self.parts.get(part)).collect();
        gal::write_formulas(self.semantics.system(), &formulas)
    }

    fn claim(&self, node: &witness::Node) -> Claim {
        let shown = match &node.shown {
            witness::Shown::State => Shown::State,
            witness::Shown::Parts => Shown::Parts,
            witness::Shown::ByNoRun => Shown::ByNoRun,
            witness::Shown::LeftOut(reason) => Shown::LeftOut(reason.clone()),
            witness::Shown::Run(run) => {
                let steps = run::Trace { initial: node.state.clone(), steps: run.steps.clone() };
                let named = trace(self.semantics, &steps, run.shortest, run.repeats);
                let path = Path::of(self.parts, node.claim);
                let (through, goals) = path.map_or((None, Vec::new()), |path| (path.through, path.goals));
                let through = through.and_then(|claim| self.formulas(&[claim.part]).pop());
                let goals = self.formulas(&goals.into_iter().map(|claim| claim.part).collect::<Vec<usize>>());
                Shown::Run { run: named, through, goals }
            }
        };
        Claim {
            formula: self.formulas(&[node.claim.part]).pop().unwrap_or_default(),
            holds: node.claim.holds,
            is_whole: node.claim.part == 0,
            at: node.at,
            shown,
            children: node.children.clone(),
        }
    }
}
