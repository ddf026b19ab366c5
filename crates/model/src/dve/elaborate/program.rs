//! Steps as the transitions of a program.
//!
//! A step in which an index does not exist, something is divided by zero or a value does not fit into its variable leads
//! to the *error state*: every process is in the state -1, in which it does nothing, and every variable is 0. The
//! transition with the label `error` goes there. A step that may fail becomes two transitions: one takes it where nothing
//! fails, the other, with `.error` at the end of its name, calls `error` where something does. What cannot be foreseen
//! before the step is checked between its effects. Where the [`Bounds`] show that nothing can go wrong, none of this is
//! written.

use super::bounds::{Bounds, Knowledge};
use super::defined::Definer;
use super::directory::Directory;
use super::foresee::Foresight;
use super::simplify::{self, Condition};
use super::step::{Assignment, Step};
use crate::expression::{Boolean, Integer};
use crate::system::{Attempt, ErrorState, Program, ProgramInitial, ProgramTransition, Statement, Store, Target};
use crate::text::problems::Problems;
use crate::text::{Problem, Span};

/// The label of the transition to the error state.
const ERROR: &str = "error";

/// The state of a process after an error.
const NO_STATE: i32 = -1;

/// So many effects of one transition may need to be checked one after the other.
const MOST_CHECKS: usize = 100;

/// The program of a system with these steps, whose variables lie in these bounds.
pub(super) fn program(
    directory: &Directory, steps: &[Step], bounds: &Bounds, name: &str, problems: &mut Problems,
) -> Program {
    let definer = Definer::new();
    let mut transitions = Vec::with_capacity(steps.len());
    let mut attempts = Vec::new();
    for step in steps {
        let made = Made::of(directory, step, bounds, &definer, problems);
        let part_of = transitions.len() as u32;
        for made in [Some(made.transition), made.error].into_iter().flatten() {
            if calls_error(&made.body) {
                attempts.push(attempt(step, transitions.len() as u32, part_of));
            }
            transitions.push(made);
        }
        if definer.is_exhausted() {
            let problem =
                Problem::new(step.span, "there are too many values, indices and divisors that must be checked")
                    .label("the limit is exceeded here")
                    .help("use indices that are compared with the length of their array before");
            problems.add(problem);
            break;
        }
    }
    if !attempts.is_empty() {
        transitions.push(error_transition(directory));
    }
    let values = match directory.misfit {
        Some(_) => error_values(directory),
        None => directory.initial.clone(),
    };
    let initial = vec![ProgramInitial { name: String::new(), values }];
    let error_state = error_state(directory, attempts);
    Program { name: name.to_string(), transitions, initial, error_state, ..directory.program.clone() }
}

/// The error state, if something can lead there.
fn error_state(directory: &Directory, attempts: Vec<Attempt>) -> Option<ErrorState> {
    if attempts.is_empty() && directory.misfit.is_none() {
        return None;
    }
    let variable = directory.processes.first()?.state;
    Some(ErrorState { variable, value: NO_STATE, attempts, at_start: directory.misfit.clone() })
}

/// What a step tries.
fn attempt(step: &Step, transition: u32, part_of: u32) -> Attempt {
    let store = |effect: &Assignment| Store {
        target: effect.target.clone(),
        value: effect.value.clone(),
        fits: effect.width.map(|width| width.range()),
    };
    let stores = step.effects.iter().map(store).collect();
    Attempt { transition, part_of, guards: step.guards.clone(), stores, conflict: step.conflict }
}

fn calls_error(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Call(label) => label == ERROR,
        Statement::If(_, then, otherwise) => calls_error(then) || calls_error(otherwise),
        _ => false,
    })
}

fn error_values(directory: &Directory) -> Vec<i32> {
    let mut values = vec![0; directory.initial.len()];
    directory.processes.iter().for_each(|process| values[process.state as usize] = NO_STATE);
    values
}

/// Puts everything into the error state.
fn error_transition(directory: &Directory) -> ProgramTransition {
    let assign = |(variable, value)| Statement::Assign(Target::Variable(variable), Integer::Constant(value));
    ProgramTransition {
        name: ERROR.to_string(),
        label: Some(ERROR.to_string()),
        guard: Boolean::Constant(true),
        body: (0..).zip(error_values(directory)).map(assign).collect(),
        span: Span::default(),
    }
}

fn call_error() -> Vec<Statement> {
    vec![Statement::Call(ERROR.to_string())]
}

/// What is made of a step.
struct Made {
    transition: ProgramTransition,
    /// What happens where something fails that can be foreseen.
    error: Option<ProgramTransition>,
}

impl Made {
    fn of(directory: &Directory, step: &Step, bounds: &Bounds, definer: &Definer, problems: &mut Problems) -> Made {
        let mut places: Vec<Condition> = Vec::new();
        for way in &step.moves {
            places.push(simplify::equal(directory.processes[way.process].state, way.from as i32));
        }
        places.extend(step.conditions.iter().cloned());
        let mut known = bounds.before(step).and_then(|mut known| {
            let possible = step.conditions.iter().all(|condition| known.assume(condition));
            possible.then_some(known)
        });
        let checks: Vec<Condition> = match &known {
            Some(known) => step.guards.iter().map(|guard| definer.condition(guard, known)).collect(),
            None => vec![Boolean::Constant(true); step.guards.len()],
        };
        if let Some(known) = &mut known {
            checks.iter().for_each(|check| _ = known.assume(check));
        }
        let Body { foreseen, statements } = match step.conflict {
            true => Body { foreseen: Boolean::Constant(true), statements: call_error() },
            false => Body::of(step, known, definer, problems),
        };
        let enabled: Vec<Condition> = checks.iter().chain(&step.guards).cloned().collect();
        let mut failing = Vec::new();
        if checks.iter().any(|check| *check != Boolean::Constant(true)) {
            failing.push(fails(&checks, &step.guards));
        }
        if foreseen != Boolean::Constant(true) {
            failing.push(simplify::all(enabled.iter().cloned().chain([simplify::not(foreseen.clone())]).collect()));
        }
        let error = (!failing.is_empty()).then(|| {
            let guard = places.iter().cloned().chain([simplify::any(failing)]).collect();
            transition(format!("{}.{ERROR}", step.name), step.span, guard, call_error())
        });
        let guard = places.into_iter().chain(enabled).chain([foreseen]).collect();
        Made { transition: transition(step.name.clone(), step.span, guard, statements), error }
    }
}

fn transition(name: String, span: Span, guard: Vec<Condition>, body: Vec<Statement>) -> ProgramTransition {
    ProgramTransition { name, label: None, guard: simplify::all(guard), body, span }
}

/// One of the guards has no value, and each of the others has none either or holds.
fn fails(checks: &[Condition], guards: &[Condition]) -> Condition {
    let mut list = vec![simplify::any(checks.iter().cloned().map(simplify::not).collect())];
    let alone = checks.iter().filter(|check| **check != Boolean::Constant(true)).count() == 1;
    for (check, guard) in checks.iter().zip(guards) {
        // Of the only one that may have no value, nothing more needs to be said.
        if *check == Boolean::Constant(true) || !alone {
            list.push(simplify::any(vec![simplify::not(check.clone()), guard.clone()]));
        }
    }
    simplify::all(list)
}

/// The effects of a step, with the checks they need.
struct Body {
    /// What must hold before the step so that nothing fails that can be foreseen.
    foreseen: Condition,
    /// The effects, with checks of what cannot.
    statements: Vec<Statement>,
}

impl Body {
    fn of(step: &Step, known: Option<Knowledge<'_>>, definer: &Definer, problems: &mut Problems) -> Body {
        // Of a step that can never be taken nothing needs to be checked.
        let mut known = known.and_then(|mut known| {
            let possible = step.guards.iter().all(|guard| known.assume(guard));
            possible.then_some(known)
        });
        let mut foresight = Some(Foresight::default());
        let (mut foreseen, mut statements) = (Vec::new(), Vec::with_capacity(step.effects.len()));
        for effect in &step.effects {
            let mut late = Boolean::Constant(true);
            if let Some(now) = &mut known {
                let check = effect_check(effect, now, definer);
                now.assume(&check);
                if !now.assign(effect) {
                    // What comes after a value that never fits does not matter.
                    known = None;
                }
                match foresight.as_ref().and_then(|foresight| foresight.condition(&check)) {
                    Some(early) => foreseen.push(early),
                    // Checks keep their order: what follows one that cannot be foreseen waits for it.
                    None => {
                        foresight = None;
                        late = check;
                    }
                }
                if let Some(foresight) = &mut foresight {
                    foresight.assign(effect);
                }
            }
            statements.push((late, Statement::Assign(effect.target.clone(), effect.value.clone())));
        }
        let checks = statements.iter().filter(|(check, _)| *check != Boolean::Constant(true)).count();
        if checks > MOST_CHECKS {
            let problem =
                Problem::new(step.span, format!("more than {MOST_CHECKS} effects of one transition can fail"))
                    .label("indices that may not exist, or values that may not fit")
                    .help("make several transitions of it");
            problems.add(problem);
            statements.clear();
        }
        Body { foreseen: simplify::all(foreseen), statements: nested(statements) }
    }
}

/// What must hold so that an effect does not fail.
fn effect_check(effect: &Assignment, known: &Knowledge<'_>, definer: &Definer) -> Condition {
    let mut list = vec![definer.number(&effect.value, known)];
    if let Target::Element { length, index, .. } = &effect.target {
        list.push(definer.element(index, *length, known));
    }
    if let Some(width) = effect.width {
        list.push(definer.fits(&effect.value, width, known));
    }
    simplify::all(list)
}

/// What follows a check happens only where it holds.
fn nested(statements: Vec<(Condition, Statement)>) -> Vec<Statement> {
    let mut after: Vec<Statement> = Vec::new();
    for (check, statement) in statements.into_iter().rev() {
        // Built from the end: the last statement comes first until the block is turned around.
        after.push(statement);
        if check != Boolean::Constant(true) {
            after.reverse();
            after = vec![Statement::If(check, after, call_error())];
        }
    }
    after.reverse();
    after
}
