//! `hotbit` variables: one 0/1 variable per value of the range, of which that of the current value is 1.
//!
//! The bits form an array with the name of the variable; element 0 is the least value. A comparison with a constant
//! asks for one bit. An assignment clears all bits and sets one; a value outside of the range is an error of the model,
//! like an index out of range.

use super::super::ledger::{Ledger, Outcome};
use super::super::syntax::VariableDeclaration;
use super::member::STATEMENT;
use crate::expression::{Boolean, Comparison, Integer, simplify};
use crate::system::{Statement, Target};
use crate::text::{Problem, Span};

/// The bits of a variable in its initial state.
pub(super) fn bits(
    declaration: &VariableDeclaration, least: i32, greatest: i32, value: Option<(i32, Span)>, ledger: &mut Ledger,
) -> Outcome<Vec<i32>> {
    let name = &declaration.name;
    if declaration.length.is_some() {
        let problem = Problem::new(name.span(), "arrays of `hotbit` variables are not supported")
            .label("an array")
            .help("declare the elements one by one, or leave `hotbit` out");
        return Err(ledger.report(problem));
    }
    if greatest < least {
        let problem = Problem::new(name.span(), format!("`{}` has no values", name.text))
            .label(format!("its range {least}..{greatest} is empty"));
        return Err(ledger.report(problem));
    }
    let length = i64::from(greatest) - i64::from(least) + 1;
    ledger.elements(length.unsigned_abs(), name.span())?;
    let mut bits = vec![0; usize::try_from(length).unwrap_or(0)];
    let (value, span) = value.unwrap_or((0, name.span()));
    set(&mut bits, 0, least, length as u32, value, span, ledger)?;
    Ok(bits)
}

/// Sets the bits among some values.
pub(super) fn set(
    values: &mut [i32], first: u32, least: i32, length: u32, value: i32, span: Span, ledger: &mut Ledger,
) -> Outcome<()> {
    let bit = usize::try_from(i64::from(value) - i64::from(least)).ok().filter(|&bit| bit < length as usize);
    let bits = values.get_mut(first as usize..first as usize + length as usize);
    match (bit, bits) {
        (Some(bit), Some(bits)) => {
            bits.fill(0);
            bits[bit] = 1;
            Ok(())
        }
        _ => {
            let greatest = i64::from(least) + i64::from(length) - 1;
            let problem = Problem::new(span, format!("{value} is outside of the range of this variable"))
                .label(format!("expected a value from {least} to {greatest}"));
            Err(ledger.report(problem))
        }
    }
}

/// Assigns a value to the variable.
pub(super) fn assign(
    first: u32, least: i32, length: u32, value: Integer<u32>, span: Span, ledger: &mut Ledger,
    body: &mut Vec<Statement>,
) -> Outcome<()> {
    let bits = first..first.saturating_add(length);
    if let Integer::Constant(value) = value {
        let bit = i64::from(value) - i64::from(least);
        let Some(bit) = u32::try_from(bit).ok().filter(|&bit| bit < length) else {
            set(&mut [], 0, least, length, value, span, ledger)?;
            return Ok(());
        };
        ledger.parts(u64::from(length) * STATEMENT, span)?;
        become_value(bits, first + bit, body);
        return Ok(());
    }
    let index = simplify::sum(vec![value.clone(), Integer::Constant(least.wrapping_neg())]);
    if !reads(&value, &bits) {
        ledger.parts(u64::from(length) * STATEMENT, span)?;
        body.extend(bits.map(|bit| Statement::Assign(Target::Variable(bit), Integer::Constant(0))));
        body.push(Statement::Assign(Target::Element { first, length, index }, Integer::Constant(1)));
        return Ok(());
    }
    // The value depends on the bits, which change one after the other: every value has a branch of its own.
    ledger.parts(u64::from(length) * (u64::from(length) + 8) * STATEMENT, span)?;
    let least_value = Integer::Constant(least);
    let greatest = Integer::Constant(least.wrapping_add_unsigned(length.saturating_sub(1)));
    let inside = simplify::all(vec![
        simplify::compare(Comparison::GreaterOrEqual, value.clone(), least_value),
        simplify::compare(Comparison::LessOrEqual, value.clone(), greatest),
    ]);
    let mut branches = Vec::new();
    choose(first, least, &bits, &bits, &value, &mut branches);
    let outside = Statement::Assign(Target::Element { first, length, index }, Integer::Constant(1));
    body.push(Statement::If(inside, branches, vec![outside]));
    Ok(())
}

/// Splits the values in halves until one is left.
fn choose(
    first: u32, least: i32, all: &std::ops::Range<u32>, candidates: &std::ops::Range<u32>, value: &Integer<u32>,
    body: &mut Vec<Statement>,
) {
    if candidates.len() <= 1 {
        become_value(all.clone(), candidates.start, body);
        return;
    }
    let middle = candidates.start + (candidates.end - candidates.start) / 2;
    let (mut low, mut high) = (Vec::new(), Vec::new());
    choose(first, least, all, &(candidates.start..middle), value, &mut low);
    choose(first, least, all, &(middle..candidates.end), value, &mut high);
    let bound: Integer<u32> = Integer::Constant(least.wrapping_add_unsigned(middle - first));
    let below: Boolean<u32> = simplify::compare(Comparison::Less, value.clone(), bound);
    body.push(Statement::If(below, low, high));
}

/// Sets one bit and clears the others.
fn become_value(bits: std::ops::Range<u32>, set: u32, body: &mut Vec<Statement>) {
    body.extend(bits.map(|bit| Statement::Assign(Target::Variable(bit), Integer::Constant(i32::from(bit == set)))));
}

/// Whether an expression reads one of some variables.
fn reads(integer: &Integer<u32>, variables: &std::ops::Range<u32>) -> bool {
    let overlaps =
        |(first, length): (&u32, u32)| *first < variables.end && first.saturating_add(length) > variables.start;
    integer.parts().filter_map(|(part, _)| part.read()).any(overlaps)
}
