//! Systems that remember their last step.
//!
//! Which step led to a state is no part of the state. An *observer* makes it one: a variable that each transition sets to a
//! number of its own (0 for those that nobody asks about, and in the beginning). States that differ in nothing else are then
//! several, so there are more of them, but never more than as many times as there are transitions that are observed, and
//! one. What can be asked of states can then be asked of steps: `fired(t)` is a comparison.
//!
//! A composite is made flat for this; [`Observed`] knows what became of everything.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expression::{Comparison, Integer};
use crate::flatten::{CannotFlatten, Flat, Renaming, flatten, queue};
use crate::net::Effect;
use crate::property::{Atom, Formula, Question};
use crate::system::{Location, Statement, System, Target, Type, Variable, happens_by_itself};

/// The name of the variable that remembers.
const NAME: &str = "last step";

/// A system with an observer.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The system: one type, whose last variable is the observer's.
    pub system: System,
    renaming: Renaming,
    /// The number of each transition that is observed.
    numbers: FxHashMap<u32, i32>,
}

/// Why a system cannot be observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotObserve {
    /// It has parts, and cannot be written without.
    Flatten(CannotFlatten),
    /// It passes through transient states: one step is several transitions.
    Transient,
    /// Something is to be observed that happens only when it is called.
    OnlyWhenCalled,
}

impl fmt::Display for CannotObserve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CannotObserve::Flatten(reason) => write!(f, "{reason}"),
            CannotObserve::Transient => {
                write!(
                    f,
                    "the model has transient states: a step is several transitions, and none of them led there alone"
                )
            }
            CannotObserve::OnlyWhenCalled => {
                write!(f, "a transition that happens only when it is called is no step of its own")
            }
        }
    }
}

impl std::error::Error for CannotObserve {}

/// A system that remembers which of some transitions or synchronisations was its last step.
pub fn observe(system: &System, actions: &[Location]) -> Result<Observed, CannotObserve> {
    if system.has_transient_states() {
        return Err(CannotObserve::Transient);
    }
    let Flat { mut system, renaming } = flatten(system).map_err(CannotObserve::Flatten)?;
    let main = system.main;
    if let Type::Queues(queues) = &system.types[main] {
        let program = queue::program(queues).map_err(CannotObserve::Flatten)?;
        system.types[main] = Type::Program(program);
    }
    let own: FxHashSet<u32> = system.types[main].own_events(true).into_iter().collect();
    let mut numbers = FxHashMap::default();
    for (number, action) in (1..).zip(actions) {
        let transitions = renaming.transitions(std::slice::from_ref(action)).ok_or(CannotObserve::OnlyWhenCalled)?;
        for transition in transitions {
            if !own.contains(&transition.index) {
                return Err(CannotObserve::OnlyWhenCalled);
            }
            // Who is named twice has the first of its numbers.
            numbers.entry(transition.index).or_insert(number);
        }
    }
    let number = |index: usize| numbers.get(&(index as u32)).copied().unwrap_or(0);
    match &mut system.types[main] {
        Type::Net(net) => {
            let place = net.places.len() as u32;
            net.places.push(crate::net::Place { name: NAME.to_owned(), capacity: None });
            net.initial.iter_mut().for_each(|initial| initial.marking.push(0));
            for (index, transition) in net.transitions.iter_mut().enumerate() {
                transition.effects.push(Effect { reset: true, put: number(index), ..Effect::on(place) });
            }
            // The new place belongs to no unit, and takes no other's place.
            net.units = None;
            net.symmetries.clear();
        }
        Type::Program(program) => {
            let variable = program.variables.len() as u32;
            program.variables.push(Variable::new(NAME.to_owned()));
            program.initial.iter_mut().for_each(|initial| initial.values.push(0));
            program.symmetries.clear();
            for (index, transition) in program.transitions.iter_mut().enumerate() {
                // What is called sets nothing: the caller does.
                if happens_by_itself(transition.label.as_deref(), true) {
                    let value = Integer::Constant(number(index));
                    transition.body.push(Statement::Assign(Target::Variable(variable), value));
                }
            }
        }
        Type::Queues(_) | Type::Composite(_) => {}
    }
    Ok(Observed { system, renaming, numbers })
}

impl Observed {
    /// How many variables a state has beside the observer's, which is the last.
    pub fn width(&self) -> usize {
        self.system.main_type().variable_count().saturating_sub(1)
    }

    /// What can fire where one of some actions can.
    pub fn fireable(&self, actions: &[Location]) -> Option<Formula> {
        Some(Formula::Atom(Atom::Fireable(self.renaming.transitions(actions)?)))
    }

    /// What holds where the last step was one of some actions, all of which are observed.
    pub fn fired(&self, actions: &[Location]) -> Option<Formula> {
        let transitions = self.renaming.transitions(actions)?;
        self.last(&transitions)
    }

    fn last(&self, transitions: &[Location]) -> Option<Formula> {
        let mut numbers = Vec::with_capacity(transitions.len());
        for transition in transitions {
            numbers.push(*self.numbers.get(&transition.index)?);
        }
        numbers.sort_unstable();
        numbers.dedup();
        let last = Integer::Variable(Location { path: Vec::new(), index: self.width() as u32 });
        let is = |number| Formula::Atom(Atom::Compare(Comparison::Equal, last.clone(), Integer::Constant(number)));
        let mut all: Vec<Formula> = numbers.into_iter().map(is).collect();
        Some(if all.len() == 1 { all.swap_remove(0) } else { Formula::Or(all) })
    }

    /// A formula of the observed system as it is written, with what it says of the last step as it was asked.
    pub fn shown(&self, formula: &str) -> String {
        let written = format!("`{NAME}` == ");
        let mut parts = formula.split(&written);
        let mut shown = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(part.len());
            let (number, rest) = part.split_at(end);
            let number: Option<i32> = number.parse().ok();
            let mut fired: Vec<u32> =
                self.numbers.iter().filter(|(_, value)| Some(**value) == number).map(|(&index, _)| index).collect();
            fired.sort_unstable();
            let names = fired.iter().filter_map(|&index| self.system.main_type().event_name(index as usize));
            shown.push_str(&format!("fired({}){rest}", names.collect::<Vec<_>>().join(", ")));
        }
        shown
    }

    /// A formula about the observed system; `None` if it asks about what does not happen by itself, or is not observed.
    pub fn formula(&self, formula: &Formula) -> Option<Formula> {
        self.with_steps(&self.renaming.formula(formula)?)
    }

    /// A question about the observed system; `None` if it asks about what does not happen by itself, or is not observed.
    pub fn question(&self, question: &Question) -> Option<Question> {
        Some(match self.renaming.question(question)? {
            Question::Reachable(formula) => Question::Reachable(self.with_steps(&formula)?),
            Question::Invariant(formula) => Question::Invariant(self.with_steps(&formula)?),
            Question::Never(formula) => Question::Never(self.with_steps(&formula)?),
            Question::Ctl(formula) => Question::Ctl(self.with_steps(&formula)?),
            Question::Ltl(formula) => Question::Ltl(self.with_steps(&formula)?),
            Question::CtlStar(formula) => Question::CtlStar(self.with_steps(&formula)?),
            other @ (Question::Bounds(_) | Question::Live(_)) => other,
        })
    }

    /// A formula about the flat system in which what it says of the last step is a comparison.
    fn with_steps(&self, formula: &Formula) -> Option<Formula> {
        formula.map(&mut |atom| match atom {
            Atom::Fired(transitions) => self.last(transitions),
            atom => Some(Formula::Atom(atom.clone())),
        })
    }
}

/// The transitions and synchronisations of which a formula asks whether they were the last step.
pub fn asked_for(formula: &Formula) -> Vec<Location> {
    let mut found = Vec::new();
    formula.map(&mut |atom| {
        if let Atom::Fired(list) = atom {
            found.extend(list.iter().cloned());
        }
        Some(Formula::<Atom>::Constant(true))
    });
    found
}
