//! From which number on the solutions are counted by one polynomial.
//!
//! How many solutions `m >= 0` the equations `Y m = b` have is a polynomial of `b` on each *chamber*, if every square part of `Y` that can
//! be inverted has the determinant 1 or -1: the cones that such parts span cut the space of all `b` into chambers (Sturmfels,
//! "On vector partition functions", 1995). In which cones `b` is, the signs of the basic solutions for `b` tell. For
//! `b = Y (v + k u)` these are linear functions of `k`, so that from some `k` on no sign changes any more.

use super::rational::Rational;
use super::reachable::weigh;

/// More square parts than this are not looked at.
const MOST_NODES: usize = 400_000;

/// The first number `k` from which on all `Y (v + k u - w)`, for each of some `w`, stay in their chamber. Nothing if some square part has
/// another determinant, or there are too many of them.
pub(super) fn first_number(flows: &[Vec<Rational>], begin: &[i64], growth: &[i64], shifts: &[Vec<i64>]) -> Option<i64> {
    let mut tableau = Vec::with_capacity(flows.len());
    for flow in flows {
        let mut row = Vec::new();
        for weight in flow {
            row.push(weight.integer()?);
        }
        row.push(weigh(flow, growth)?.integer()?);
        row.push(weigh(flow, begin)?.integer()?);
        for shift in shifts {
            row.push(weigh(flow, shift)?.integer()?);
        }
        tableau.push(row);
    }
    let mut search = Search { places: begin.len(), first: 0, nodes: 0 };
    search.run(&tableau, 0, 0)?;
    Some(search.first)
}

struct Search {
    places: usize,
    first: i64,
    nodes: usize,
}

impl Search {
    /// Goes through all bases that have the columns chosen for the rows before `row`, and others from `column` on. A row has an entry
    /// for each place, then those of `u`, of `v` and of each shift.
    fn run(&mut self, tableau: &[Vec<i64>], row: usize, column: usize) -> Option<()> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return None;
        }
        if row == tableau.len() {
            return tableau.iter().try_for_each(|solution| self.look_at(solution));
        }
        for column in column..self.places {
            let others = &tableau[row..];
            let Some(pivot) = others.iter().position(|other| other[column].abs() == 1) else {
                match others.iter().all(|other| other[column] == 0) {
                    true => continue,
                    false => return None,
                }
            };
            let mut next = tableau.to_vec();
            next.swap(row, row + pivot);
            eliminate(&mut next, row, column)?;
            self.run(&next, row + 1, column + 1)?;
        }
        Some(())
    }

    /// From which number on `a k + c` keeps its sign, for each `c`.
    fn look_at(&mut self, solution: &[i64]) -> Option<()> {
        let (slope, begin) = (solution[self.places], solution[self.places + 1]);
        if slope == 0 {
            return Some(());
        }
        for shift in [0].iter().chain(&solution[self.places + 2..]) {
            let zero = begin.checked_sub(*shift)?.checked_neg()?.div_euclid(slope);
            // That is where it is zero, or less than one from there: at the next number it is beyond.
            self.first = self.first.max(zero.checked_add(1)?);
        }
        Some(())
    }
}

/// Solves the rows for a column, in which a row has 1 or -1.
fn eliminate(tableau: &mut [Vec<i64>], row: usize, column: usize) -> Option<()> {
    let sign = tableau[row][column];
    tableau[row].iter_mut().for_each(|entry| *entry *= sign);
    let pivot = tableau[row].clone();
    for (index, other) in tableau.iter_mut().enumerate() {
        let factor = other[column];
        if index == row || factor == 0 {
            continue;
        }
        for (entry, of_pivot) in other.iter_mut().zip(&pivot) {
            *entry = entry.checked_sub(factor.checked_mul(*of_pivot)?)?;
        }
    }
    Some(())
}
