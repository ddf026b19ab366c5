//! What `for` and `if` mean wherever they choose among steps: in actions, arcs, calls and declared symmetries.

use super::super::ledger::{Ledger, Outcome};
use super::super::syntax::{Expression, Parameter};
use super::environment::Environment;

/// A type in the making.
pub(super) trait Scoped<'a> {
    /// What parameters are worth, and where problems are reported.
    fn scope(&mut self) -> (&mut Environment<'a>, &mut Ledger);
}

/// Does something once for each value of the parameter of a loop.
pub(super) fn rounds<'a, M: Scoped<'a>>(
    maker: &mut M, parameter: &'a Parameter, mut round: impl FnMut(&mut M) -> Outcome<()>,
) -> Outcome<()> {
    let (environment, ledger) = maker.scope();
    for value in environment.rounds(parameter, ledger)? {
        let (environment, ledger) = maker.scope();
        ledger.things(1, parameter.name.span())?;
        environment.push(&parameter.name.text, value);
        let outcome = round(maker);
        maker.scope().0.pop();
        outcome?;
    }
    Ok(())
}

/// The branch of an `if` whose condition is about parameters alone.
pub(super) fn chosen<'a, 's, T>(
    maker: &mut impl Scoped<'a>, condition: &Expression, then: &'s [T], otherwise: &'s [T],
) -> Outcome<&'s [T]> {
    let (environment, ledger) = maker.scope();
    match environment.truth(condition) {
        Ok(true) => Ok(then),
        Ok(false) => Ok(otherwise),
        Err(reason) => Err(environment.explain(reason, ledger)),
    }
}
