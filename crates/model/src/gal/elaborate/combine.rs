//! Combinations of parameters: a transition with parameters stands for one transition each.
//!
//! The parts of a guard that speak of parameters alone are decided as soon as their parameters are known, so that what
//! they exclude is never enumerated.

use super::super::ledger::{Ledger, Outcome, Stop};
use super::super::syntax::{Expression, ExpressionKind, Parameter, Transition};
use super::environment::Environment;
use crate::text::{Problem, Span};

/// More parameters are not supported.
const MOST_PARAMETERS: usize = 64;

/// Calls `each` for every combination of the parameters of a transition that its guard does not exclude by constants
/// alone, with the parameters in the environment.
pub(super) fn combinations<'a, A>(
    transition: &'a Transition<A>,
    environment: &mut Environment<'a>,
    ledger: &mut Ledger,
    each: &mut dyn FnMut(&mut Environment<'a>, &mut Ledger) -> Outcome<()>,
) -> Outcome<()> {
    let parameters = &transition.parameters[..];
    if parameters.len() > MOST_PARAMETERS {
        let problem = Problem::new(transition.name.span(), "a transition has too many parameters")
            .label(format!("more than {MOST_PARAMETERS}"));
        return Err(ledger.report(problem));
    }
    let conditions = conditions(transition.guard.as_ref(), parameters);
    let mut search = Search { parameters, conditions, span: transition.name.span(), each };
    search.level(0, environment, ledger)
}

/// The name of a transition for the combination that is in the environment: `t(0,1)`.
pub(super) fn instance_name<A>(transition: &Transition<A>, environment: &Environment<'_>) -> String {
    with_arguments(&transition.name.text, &environment.innermost(transition.parameters.len()))
}

/// `name(0,1)`, or the name alone if there are no arguments.
pub(super) fn with_arguments(name: &str, arguments: &[i32]) -> String {
    if arguments.is_empty() {
        return name.to_string();
    }
    let arguments: Vec<String> = arguments.iter().map(i32::to_string).collect();
    format!("{name}({})", arguments.join(","))
}

struct Search<'s, 'a> {
    parameters: &'a [Parameter],
    /// What must hold once so many parameters are known.
    conditions: Vec<Vec<&'a Expression>>,
    span: Span,
    each: &'s mut dyn FnMut(&mut Environment<'a>, &mut Ledger) -> Outcome<()>,
}

impl<'a> Search<'_, 'a> {
    /// Goes through the values of the parameters from `known` on.
    fn level(&mut self, known: usize, environment: &mut Environment<'a>, ledger: &mut Ledger) -> Outcome<()> {
        if !self.holds(known, environment, ledger)? {
            return Ok(());
        }
        let Some(parameter) = self.parameters.get(known) else { return (self.each)(environment, ledger) };
        let (least, greatest) = environment.range(&parameter.range, ledger)?;
        let mut outcome = Ok(());
        for value in least..=greatest {
            if ledger.is_exhausted() {
                return Err(Stop);
            }
            ledger.things(1, self.span)?;
            environment.push(&parameter.name.text, value);
            outcome = outcome.and(self.level(known + 1, environment, ledger));
            environment.pop();
        }
        outcome
    }

    fn holds(&self, known: usize, environment: &Environment<'a>, ledger: &mut Ledger) -> Outcome<bool> {
        for condition in self.conditions.get(known).into_iter().flatten() {
            match environment.truth(condition) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(reason) => return Err(environment.explain(reason, ledger)),
            }
        }
        Ok(true)
    }
}

/// The conjuncts of a guard that speak of parameters alone, by how many of the parameters they need.
fn conditions<'a>(guard: Option<&'a Expression>, parameters: &'a [Parameter]) -> Vec<Vec<&'a Expression>> {
    let mut conditions = vec![Vec::new(); parameters.len() + 1];
    let mut open: Vec<&'a Expression> = guard.into_iter().collect();
    while let Some(condition) = open.pop() {
        match &condition.kind {
            ExpressionKind::All(list) => open.extend(list.iter().rev()),
            _ => {
                if let Some(needed) = parameters_needed(condition, parameters)
                    && let Some(list) = conditions.get_mut(needed)
                {
                    list.push(condition);
                }
            }
        }
    }
    conditions
}

/// How many of the parameters (the first ones) must be known to decide a condition; `None` if it reads variables.
fn parameters_needed(condition: &Expression, parameters: &[Parameter]) -> Option<usize> {
    match &condition.kind {
        ExpressionKind::Number(_) | ExpressionKind::Truth(_) => Some(0),
        ExpressionKind::Parameter(name) => {
            Some(parameters.iter().rposition(|parameter| parameter.name.text == *name).map_or(0, |index| index + 1))
        }
        ExpressionKind::Unary(_, operand) => parameters_needed(operand, parameters),
        ExpressionKind::Chain(first, rest) => {
            let first = parameters_needed(first, parameters)?;
            rest.iter().try_fold(first, |most, (_, operand)| Some(most.max(parameters_needed(operand, parameters)?)))
        }
        ExpressionKind::Compare(_, left, right)
        | ExpressionKind::Implies(left, right)
        | ExpressionKind::Equivalent(left, right) => {
            Some(parameters_needed(left, parameters)?.max(parameters_needed(right, parameters)?))
        }
        ExpressionKind::All(list) | ExpressionKind::Any(list) => {
            list.iter().try_fold(0, |most, operand| Some(most.max(parameters_needed(operand, parameters)?)))
        }
        ExpressionKind::Reference(_)
        | ExpressionKind::Deadlock
        | ExpressionKind::Fireable(_)
        | ExpressionKind::TemporalUnary(..)
        | ExpressionKind::TemporalBinary(..) => None,
    }
}
