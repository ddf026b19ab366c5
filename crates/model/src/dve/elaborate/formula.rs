//! Formulas about a system: temporal operators over what the language can say of one state.

use super::super::syntax::{Binary, Expression, Kind, Unary};
use super::property;
use super::simplify::{self, Condition};
use super::value::{Fault, Maker, parts};
use crate::property::{Atom, Formula, Quantifier, Question, UnaryOperator};
use crate::text::Problem;

/// What a formula asks. `EF p` asks whether p is reachable and `AG p` whether it is invariant, if p speaks of one
/// state; a formula without temporal operators is an invariant.
pub(super) fn question(maker: &Maker<'_>, expression: &Expression) -> Result<Question, Fault> {
    if !is_temporal(expression) {
        return Ok(Question::Invariant(formula(maker, expression)?));
    }
    if let Kind::Temporal(quantifier, operator, inner) = &expression.kind
        && !is_temporal(inner)
    {
        match (quantifier, operator) {
            (Quantifier::Exists, UnaryOperator::Finally) => return Ok(Question::Reachable(formula(maker, inner)?)),
            (Quantifier::All, UnaryOperator::Globally) => return Ok(Question::Invariant(formula(maker, inner)?)),
            _ => {}
        }
    }
    let mut kinds = Kinds::default();
    kinds.look_at(expression);
    let formula = formula(maker, expression)?;
    match (kinds.with_quantifier, kinds.without) {
        (true, true) => Err(Box::new(
            Problem::new(expression.span, "some temporal operators have a quantifier and others have none")
                .label("neither CTL nor LTL")
                .help("write `AG`, `EF` and so on everywhere, or `G`, `F` and so on everywhere"),
        )),
        (true, false) => Ok(Question::Ctl(formula)),
        _ => Ok(Question::Ltl(formula)),
    }
}

/// Which temporal operators there are.
#[derive(Default)]
struct Kinds {
    with_quantifier: bool,
    without: bool,
}

impl Kinds {
    fn look_at(&mut self, expression: &Expression) {
        match &expression.kind {
            Kind::Temporal(Quantifier::None, ..) | Kind::Until(..) => self.without = true,
            Kind::Temporal(..) => self.with_quantifier = true,
            _ => {}
        }
        for part in parts(expression) {
            self.look_at(part);
        }
    }
}

fn is_temporal(expression: &Expression) -> bool {
    matches!(expression.kind, Kind::Temporal(..) | Kind::Until(..)) || parts(expression).into_iter().any(is_temporal)
}

/// A formula: boolean and temporal operators over atoms. An atom is what has none of them, such as a comparison.
pub(super) fn formula(maker: &Maker<'_>, expression: &Expression) -> Result<Formula, Fault> {
    if let Some(condition) = state_as_shown(maker, expression)? {
        return Ok(atom(condition));
    }
    match &expression.kind {
        Kind::Truth(truth) => Ok(Formula::Constant(*truth)),
        Kind::Unary(Unary::Not, operand) => Ok(Formula::Not(Box::new(formula(maker, operand)?))),
        Kind::Temporal(quantifier, operator, operand) => {
            Ok(Formula::Unary(*quantifier, *operator, Box::new(formula(maker, operand)?)))
        }
        Kind::Until(operator, left, right) => {
            let (left, right) = (formula(maker, left)?, formula(maker, right)?);
            Ok(Formula::Binary(Quantifier::None, *operator, Box::new(left), Box::new(right)))
        }
        Kind::Chain(first, rest) if rest.iter().all(|(operator, _)| is_logical(*operator)) => {
            let mut left = formula(maker, first)?;
            for (operator, right) in rest {
                left = joined(*operator, left, formula(maker, right)?);
            }
            Ok(left)
        }
        _ if is_temporal(expression) => Err(no_number(expression)),
        Kind::Variable(name) if maker.is_word(name, "error") => Ok(Formula::Error),
        Kind::Variable(name) if maker.is_word(name, "deadlock") => Ok(Formula::Deadlock),
        _ => Ok(atom(maker.condition(expression)?)),
    }
}

/// `P.state == cs`, as traces show it: the same as `P.cs`. `state` is a keyword, so that nothing else is called so.
fn state_as_shown(maker: &Maker<'_>, expression: &Expression) -> Result<Option<Condition>, Fault> {
    let Kind::Chain(first, rest) = &expression.kind else { return Ok(None) };
    let (Kind::State(process, word), [(operator, right)]) = (&first.kind, &rest[..]) else { return Ok(None) };
    let Kind::Variable(name) = &right.kind else { return Ok(None) };
    if word.text != "state" || !matches!(operator, Binary::Equal | Binary::NotEqual) {
        return Ok(None);
    }
    let Ok(facts) = maker.directory.process(process) else { return Ok(None) };
    let number = facts.state(name).map_err(Box::new)?;
    let is = simplify::equal(facts.state, number as i32);
    Ok(Some(if *operator == Binary::Equal { is } else { simplify::not(is) }))
}

fn is_logical(operator: Binary) -> bool {
    matches!(operator, Binary::And | Binary::Or | Binary::Imply)
}

fn joined(operator: Binary, left: Formula, right: Formula) -> Formula {
    match (operator, left) {
        // Long conjunctions are one, so that none nests deeply.
        (Binary::And, Formula::And(mut list)) => {
            list.push(right);
            Formula::And(list)
        }
        (Binary::Or, Formula::Or(mut list)) => {
            list.push(right);
            Formula::Or(list)
        }
        (Binary::And, left) => Formula::And(vec![left, right]),
        (Binary::Or, left) => Formula::Or(vec![left, right]),
        (_, left) => Formula::Or(vec![Formula::Not(Box::new(left)), right]),
    }
}

/// What an atom says. All atoms are false in the error state; one that was made of several comparisons says so.
fn atom(condition: Condition) -> Formula {
    match property::formula(condition) {
        simple @ (Formula::Constant(_) | Formula::Atom(Atom::Compare(..))) => simple,
        formula => Formula::And(vec![Formula::Not(Box::new(Formula::Error)), formula]),
    }
}

/// A temporal operator where a number is expected.
pub(super) fn no_number(expression: &Expression) -> Fault {
    Box::new(
        Problem::new(expression.span, "a temporal operator gives no number")
            .label("it cannot be calculated with")
            .help("join formulas with `&&`, `||`, `!` and `->` only"),
    )
}
