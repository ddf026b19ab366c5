//! Combinations of parameters: a transition with parameters stands for one transition each.
//!
//! The parts of a guard that speak of parameters alone are decided as soon as their parameters are known, so that what
//! they exclude is never enumerated.

use super::super::ledger::{Ledger, Outcome};
use super::super::syntax::{Expression, ExpressionKind, Parameter, Range, Transition};
use super::environment::{self, Environment};
use super::member::TRANSITION;
use super::steps::Scoped;
use crate::text::Span;

/// The combinations of the parameters of a transition that its guard does not exclude by constants alone.
struct Combinations<'a> {
    parameters: &'a [Parameter],
    /// What must hold once so many parameters are known.
    conditions: Vec<Vec<&'a Expression>>,
    /// How many parts of expressions each combination has at least.
    parts: u64,
    span: Span,
    /// The value and the greatest value of each parameter that is known. They are in the environment.
    known: Vec<(i32, i32)>,
    started: bool,
}

impl<'a> Combinations<'a> {
    fn of<A>(transition: &'a Transition<A>) -> Combinations<'a> {
        let parameters = &transition.parameters[..];
        let conditions = conditions(transition.guard.as_deref(), parameters);
        // One that its guard excludes is not made, but the guard was.
        let parts = if transition.guard.is_some() { 1 } else { TRANSITION };
        Combinations { parameters, conditions, parts, span: transition.name.span(), known: Vec::new(), started: false }
    }

    /// Reports that there are too many, where that can be told before they are made.
    fn foresee(&self, environment: &Environment<'a>, ledger: &mut Ledger) -> Outcome<()> {
        if self.parameters.is_empty() || self.conditions.iter().skip(1).any(|list| !list.is_empty()) {
            return Ok(());
        }
        let mut count = 1u64;
        for Parameter { range, .. } in self.parameters {
            if let Range::Between(least, greatest) = range
                && [least, greatest].iter().any(|bound| parameters_needed(bound, self.parameters) != Some(0))
            {
                return Ok(());
            }
            let (least, greatest) = environment.range(range, ledger)?;
            count = count.saturating_mul(environment::length(least, greatest));
        }
        ledger.foresee(count, self.parts, self.span, "combinations of its parameters")
    }

    /// Puts the next combination into the environment; `false` if there is none.
    fn next(&mut self, environment: &mut Environment<'a>, ledger: &mut Ledger) -> Outcome<bool> {
        let began = std::mem::replace(&mut self.started, true);
        let possible = match began {
            false => {
                let possible = self.holds(environment, ledger)?;
                if possible {
                    self.foresee(environment, ledger)?;
                }
                possible
            }
            true => self.advance(environment, ledger)?,
        };
        if !possible {
            return Ok(false);
        }
        while let Some(parameter) = self.parameters.get(self.known.len()) {
            let (least, greatest) = environment.range(&parameter.range, ledger)?;
            let mut holds = false;
            if least <= greatest {
                self.known.push((least, greatest));
                environment.push(&parameter.name.text, least);
                ledger.things(1, self.span)?;
                holds = self.holds(environment, ledger)?;
            }
            if !holds && !self.advance(environment, ledger)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes to the next value of the last known parameter for which the guard may hold; of one before it, if there is
    /// none; `false` if there is none at all.
    fn advance(&mut self, environment: &mut Environment<'a>, ledger: &mut Ledger) -> Outcome<bool> {
        while let Some((value, greatest)) = self.known.pop() {
            environment.pop();
            if value >= greatest {
                continue;
            }
            let Some(parameter) = self.parameters.get(self.known.len()) else { return Ok(false) };
            self.known.push((value + 1, greatest));
            environment.push(&parameter.name.text, value + 1);
            ledger.things(1, self.span)?;
            if self.holds(environment, ledger)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the parameters out of the environment.
    fn close(self, environment: &mut Environment<'a>) {
        self.known.iter().for_each(|_| environment.pop());
    }

    /// Whether the guard may hold, by what is known.
    fn holds(&self, environment: &Environment<'a>, ledger: &mut Ledger) -> Outcome<bool> {
        for condition in self.conditions.get(self.known.len()).into_iter().flatten() {
            match environment.truth(condition) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(reason) => return Err(environment.explain(reason, ledger)),
            }
        }
        Ok(true)
    }
}

/// Something that makes transitions with actions of kind `A`.
pub(super) trait Maker<'a, A: 'a>: Scoped<'a> {
    /// Makes a transition for the parameters that are in the environment.
    fn combination(&mut self, transition: &'a Transition<A>) -> Outcome<()>;

    /// Makes a transition for every combination of its parameters.
    fn combinations(&mut self, transition: &'a Transition<A>) -> Outcome<()> {
        let mut combinations = Combinations::of(transition);
        let outcome = loop {
            let (environment, ledger) = self.scope();
            match combinations.next(environment, ledger) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(stop) => break Err(stop),
            }
            if let Err(stop) = self.combination(transition) {
                break Err(stop);
            }
        };
        combinations.close(self.scope().0);
        outcome
    }
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
        | ExpressionKind::Fired(_)
        | ExpressionKind::Over(..)
        | ExpressionKind::Matching(..)
        | ExpressionKind::FireableWith(_)
        | ExpressionKind::FiredWith(_)
        | ExpressionKind::TemporalUnary(..)
        | ExpressionKind::TemporalBinary(..) => None,
    }
}
