//! A basis of the flows of a net: weights of places, of either sign, whose sum no transition changes.

use super::rational::Rational;

type Row = Vec<Rational>;

/// The flows for some changes of places, solved for as many places as there are flows, each of which is in one flow only. Nothing if
/// numbers become too large.
pub(super) fn flows(places: usize, changes: &[Vec<i64>]) -> Option<Vec<Row>> {
    let mut solved: Vec<(usize, Row, Row)> = Vec::new();
    let mut flows = Vec::new();
    for place in 0..places {
        let mut change: Row = changes.iter().map(|change| Rational::from(change[place])).collect();
        let mut weights = vec![Rational::ZERO; places];
        weights[place] = Rational::ONE;
        for (pivot, other, of_other) in &solved {
            let factor = change[*pivot].divided_by(other[*pivot])?;
            subtract(&mut change, factor, other)?;
            subtract(&mut weights, factor, of_other)?;
        }
        match change.iter().position(|number| !number.is_zero()) {
            Some(pivot) => solved.push((pivot, change, weights)),
            None => flows.push(weights),
        }
    }
    solve(&mut flows)?;
    Some(flows)
}

/// Solves rows, which must not follow from each other, each for an unknown of its own.
fn solve(rows: &mut [Row]) -> Option<()> {
    for index in 0..rows.len() {
        let pivot = rows[index].iter().position(|number| !number.is_zero())?;
        let divisor = rows[index][pivot];
        for number in &mut rows[index] {
            *number = number.divided_by(divisor)?;
        }
        let row = rows[index].clone();
        for other in (0..rows.len()).filter(|&other| other != index) {
            let factor = rows[other][pivot];
            subtract(&mut rows[other], factor, &row)?;
        }
    }
    Some(())
}

fn subtract(row: &mut Row, factor: Rational, other: &Row) -> Option<()> {
    if factor.is_zero() {
        return Some(());
    }
    for (number, of_other) in row.iter_mut().zip(other).filter(|(_, of_other)| !of_other.is_zero()) {
        *number = number.minus(factor.times(*of_other)?)?;
    }
    Some(())
}
