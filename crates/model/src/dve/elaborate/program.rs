//! Steps as the transitions of a program.
//!
//! A step in which an index does not exist, or something is divided by zero, leads to the *error state*: every process
//! is in the state -1, in which it does nothing, and every variable is 0. The transition with the label `error` goes
//! there. It is called by transitions of their own, for guards without a value, and from within effects. Where the
//! [`Bounds`] show that nothing can go wrong, none of this is written.

use super::bounds::{Bounds, Knowledge};
use super::defined::Definer;
use super::directory::Directory;
use super::fold::{self, Condition};
use super::narrow;
use super::step::{Assignment, Step};
use crate::expression::{Boolean, Integer};
use crate::system::{Program, ProgramInitial, ProgramTransition, Statement, Target};
use crate::text::problems::Problems;
use crate::text::{Problem, Span};

/// The label of the transition to the error state.
const ERROR: &str = "error";

/// The state of a process after an error.
const NO_STATE: i32 = -1;

/// So many effects of one transition may need to be checked.
const MOST_CHECKS: usize = 100;

/// The program of a system with these steps, whose variables lie in these bounds.
pub(super) fn program(
    directory: &Directory, steps: &[Step], bounds: &Bounds, name: &str, problems: &mut Problems,
) -> Program {
    let definer = Definer::new();
    let mut transitions = Vec::with_capacity(steps.len());
    for step in steps {
        let made = Made::of(directory, step, bounds, &definer, problems);
        transitions.push(made.transition);
        transitions.extend(made.error);
        if definer.is_exhausted() {
            let problem = Problem::new(step.span, "there are too many indices and divisors that must be checked")
                .label("the limit is exceeded here")
                .help("use indices that are compared with the length of their array before");
            problems.add(problem);
            break;
        }
    }
    if transitions.iter().any(|transition| calls_error(&transition.body)) {
        transitions.push(error_transition(directory));
    }
    let initial = vec![ProgramInitial { name: String::new(), values: directory.initial.clone() }];
    Program { name: name.to_string(), transitions, initial, ..directory.program.clone() }
}

fn calls_error(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Call(label) => label == ERROR,
        Statement::If(_, then, otherwise) => calls_error(then) || calls_error(otherwise),
        _ => false,
    })
}

/// Puts everything into the error state.
fn error_transition(directory: &Directory) -> ProgramTransition {
    let mut values = vec![0; directory.initial.len()];
    directory.processes.iter().for_each(|process| values[process.state as usize] = NO_STATE);
    let assign = |(variable, value)| Statement::Assign(Target::Variable(variable), Integer::Constant(value));
    ProgramTransition {
        name: ERROR.to_string(),
        label: Some(ERROR.to_string()),
        guard: Boolean::Constant(true),
        body: (0..).zip(values).map(assign).collect(),
        span: Span::default(),
    }
}

fn call_error() -> Vec<Statement> {
    vec![Statement::Call(ERROR.to_string())]
}

/// What is made of a step.
struct Made {
    transition: ProgramTransition,
    /// What happens where a guard has no value.
    error: Option<ProgramTransition>,
}

impl Made {
    fn of(directory: &Directory, step: &Step, bounds: &Bounds, definer: &Definer, problems: &mut Problems) -> Made {
        let mut places: Vec<Condition> = Vec::new();
        for way in &step.moves {
            places.push(fold::equal(directory.processes[way.process].state, way.from as i32));
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
        let mut error = None;
        if checks.iter().any(|check| *check != Boolean::Constant(true)) {
            let guard = places.iter().cloned().chain([fails(&checks, &step.guards)]).collect();
            error = Some(transition(format!("{}.{ERROR}", step.name), step.span, guard, call_error()));
        }
        let guard = places.into_iter().chain(checks).chain(step.guards.iter().cloned()).collect();
        let body = match step.conflict {
            true => call_error(),
            false => body(step, known, definer, problems),
        };
        Made { transition: transition(step.name.clone(), step.span, guard, body), error }
    }
}

fn transition(name: String, span: Span, guard: Vec<Condition>, body: Vec<Statement>) -> ProgramTransition {
    ProgramTransition { name, label: None, guard: fold::all(guard), body, span }
}

/// One of the guards has no value, and each of the others has none either or holds.
fn fails(checks: &[Condition], guards: &[Condition]) -> Condition {
    let mut list = vec![fold::any(checks.iter().cloned().map(fold::not).collect())];
    let alone = checks.iter().filter(|check| **check != Boolean::Constant(true)).count() == 1;
    for (check, guard) in checks.iter().zip(guards) {
        // Of the only one that may have no value, nothing more needs to be said.
        if *check == Boolean::Constant(true) || !alone {
            list.push(fold::any(vec![fold::not(check.clone()), guard.clone()]));
        }
    }
    fold::all(list)
}

/// The effects of a step, with the checks they need.
fn body(step: &Step, known: Option<Knowledge<'_>>, definer: &Definer, problems: &mut Problems) -> Vec<Statement> {
    // Of a step that can never be taken nothing needs to be checked.
    let mut known = known.and_then(|mut known| {
        let possible = step.guards.iter().all(|guard| known.assume(guard));
        possible.then_some(known)
    });
    let mut statements = Vec::with_capacity(step.effects.len());
    for effect in &step.effects {
        let mut check = Boolean::Constant(true);
        let mut value = effect.value.clone();
        if let Some(known) = &mut known {
            check = effect_check(effect, known, definer);
            if let Some(width) = effect.width.filter(|_| !known.fits(effect)) {
                value = narrow::cut(width, value);
            }
            known.assume(&check);
            known.assign(effect);
        }
        statements.push((check, Statement::Assign(effect.target.clone(), value)));
    }
    let checks = statements.iter().filter(|(check, _)| *check != Boolean::Constant(true)).count();
    if checks > MOST_CHECKS {
        let problem = Problem::new(step.span, format!("more than {MOST_CHECKS} effects of one transition can fail"))
            .label("indices that may not exist")
            .help("make several transitions of it");
        problems.add(problem);
        return Vec::new();
    }
    nested(statements)
}

fn effect_check(effect: &Assignment, known: &Knowledge<'_>, definer: &Definer) -> Condition {
    let value = definer.number(&effect.value, known);
    match &effect.target {
        Target::Variable(_) => value,
        Target::Element { length, index, .. } => fold::all(vec![value, definer.element(index, *length, known)]),
    }
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
