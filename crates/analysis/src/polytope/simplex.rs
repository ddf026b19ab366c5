//! Linear programs, solved exactly: the simplex method in two phases with the rule of Bland, which always comes to an end.
//!
//! It is meant for programs of a few dozen rows and columns that must not be wrong; the state equation of large nets has
//! a solver in floating point ([`crate::equation`]).

use super::rational::Rational;
use std::cmp::Ordering;

/// What came of a program.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Optimum {
    /// Nothing satisfies all rows.
    Infeasible,
    /// There is no least value.
    Unbounded,
    /// The least value, and where it is.
    At { point: Vec<Rational>, value: Rational },
}

/// The least value of a sum over all `x >= 0` with `rows x = right`. Nothing if numbers become too large, or it takes too many
/// steps.
pub(super) fn minimise(rows: &[Vec<Rational>], right: &[Rational], cost: &[Rational]) -> Option<Optimum> {
    let mut tableau = Tableau::new(rows, right, cost.len());
    let unknowns = cost.len();
    let artificial: Vec<Rational> =
        (0..unknowns + rows.len()).map(|at| if at < unknowns { Rational::ZERO } else { Rational::ONE }).collect();
    tableau.descend(&artificial, unknowns + rows.len())?;
    let mut missing = Rational::ZERO;
    for (row, &basic) in tableau.rows.iter().zip(&tableau.basis) {
        if basic >= unknowns {
            missing = missing.plus(row[tableau.right])?;
        }
    }
    if missing.is_positive() {
        return Some(Optimum::Infeasible);
    }
    tableau.drive_out(unknowns)?;
    let mut cost = cost.to_vec();
    cost.resize(unknowns + rows.len(), Rational::ZERO);
    if !tableau.descend(&cost, unknowns)? {
        return Some(Optimum::Unbounded);
    }
    let mut point = vec![Rational::ZERO; unknowns];
    let mut value = Rational::ZERO;
    for (row, &basic) in tableau.rows.iter().zip(&tableau.basis).filter(|(_, basic)| **basic < unknowns) {
        point[basic] = row[tableau.right];
        value = value.plus(cost[basic].times(point[basic])?)?;
    }
    Some(Optimum::At { point, value })
}

/// More steps than this are not taken.
const MOST_STEPS: usize = 2_000;

/// Rows solved for their basic unknowns. An artificial unknown for each row follows the others, and the right side is last.
struct Tableau {
    rows: Vec<Vec<Rational>>,
    basis: Vec<usize>,
    right: usize,
}

impl Tableau {
    fn new(rows: &[Vec<Rational>], right: &[Rational], unknowns: usize) -> Tableau {
        let count = rows.len();
        let extended = |(index, (row, right)): (usize, (&Vec<Rational>, &Rational))| {
            let sign = |number: &Rational| if right.is_negative() { number.negated() } else { *number };
            let artificial = (0..count).map(|at| if at == index { Rational::ONE } else { Rational::ZERO });
            row.iter().map(sign).chain(artificial).chain([sign(right)]).collect()
        };
        Tableau {
            rows: rows.iter().zip(right).enumerate().map(extended).collect(),
            basis: (unknowns..unknowns + count).collect(),
            right: unknowns + count,
        }
    }

    /// Makes a sum as small as it can be, with no unknown but the first ones entering the basis. Whether there is a least value.
    fn descend(&mut self, cost: &[Rational], entering: usize) -> Option<bool> {
        for _ in 0..MOST_STEPS {
            let Some(column) = self.improving(cost, entering)? else { return Some(true) };
            let Some(row) = self.leaving(column)? else { return Some(false) };
            self.pivot(row, column)?;
        }
        None
    }

    /// The first unknown with which the sum becomes smaller.
    fn improving(&self, cost: &[Rational], entering: usize) -> Option<Option<usize>> {
        for column in (0..entering).filter(|column| !self.basis.contains(column)) {
            let mut reduced = cost[column];
            for (row, &basic) in self.rows.iter().zip(&self.basis) {
                if !row[column].is_zero() && !cost[basic].is_zero() {
                    reduced = reduced.minus(cost[basic].times(row[column])?)?;
                }
            }
            if reduced.is_negative() {
                return Some(Some(column));
            }
        }
        Some(None)
    }

    /// The row whose basic unknown is the first to become zero; of several, that of the first unknown.
    fn leaving(&self, column: usize) -> Option<Option<usize>> {
        let mut best: Option<(Rational, usize)> = None;
        for (index, row) in self.rows.iter().enumerate().filter(|(_, row)| row[column].is_positive()) {
            let ratio = row[self.right].divided_by(row[column])?;
            let is_better = match best {
                None => true,
                Some((least, at)) => match ratio.compare(least)? {
                    Ordering::Less => true,
                    Ordering::Equal => self.basis[index] < self.basis[at],
                    Ordering::Greater => false,
                },
            };
            if is_better {
                best = Some((ratio, index));
            }
        }
        Some(best.map(|(_, index)| index))
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let divisor = self.rows[row][column];
        for entry in &mut self.rows[row] {
            *entry = entry.divided_by(divisor)?;
        }
        let pivot = self.rows[row].clone();
        for (index, other) in self.rows.iter_mut().enumerate() {
            let factor = other[column];
            if index == row || factor.is_zero() {
                continue;
            }
            for (entry, of_pivot) in other.iter_mut().zip(&pivot).filter(|(_, of_pivot)| !of_pivot.is_zero()) {
                *entry = entry.minus(factor.times(*of_pivot)?)?;
            }
        }
        self.basis[row] = column;
        Some(())
    }

    /// Takes artificial unknowns, which are zero by now, out of the basis where another can take their place.
    fn drive_out(&mut self, unknowns: usize) -> Option<()> {
        for row in 0..self.rows.len() {
            if self.basis[row] < unknowns {
                continue;
            }
            if let Some(column) = (0..unknowns).find(|&column| !self.rows[row][column].is_zero()) {
                self.pivot(row, column)?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(list: &[i64]) -> Vec<Rational> {
        list.iter().copied().map(Rational::from).collect()
    }

    #[test]
    fn known_programs() {
        // x + y + s = 4, x + 3 y + t = 6: most of x + 2 y.
        let rows = [numbers(&[1, 1, 1, 0]), numbers(&[1, 3, 0, 1])];
        let Some(Optimum::At { point, value }) = minimise(&rows, &numbers(&[4, 6]), &numbers(&[-1, -2, 0, 0])) else {
            panic!("there is an optimum")
        };
        assert_eq!((point, value), (numbers(&[3, 1, 0, 0]), Rational::from(-5)));
        let rows = [numbers(&[1, 1])];
        assert_eq!(minimise(&rows, &numbers(&[-1]), &numbers(&[0, 0])), Some(Optimum::Infeasible));
        let rows = [numbers(&[1, -1])];
        assert_eq!(minimise(&rows, &numbers(&[2]), &numbers(&[-1, 0])), Some(Optimum::Unbounded));
    }

    /// Least values over all integer points of a small box, which are never below the optimum; and the optimum satisfies the rows.
    #[test]
    fn never_above_an_integer_point() {
        let mut state = 12_345u64;
        let mut next = |end: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) as i64) % end
        };
        let mut optima = 0;
        for _ in 0..3_000 {
            let rows: Vec<Vec<i64>> = (0..2).map(|_| (0..4).map(|_| next(5) - 1).collect()).collect();
            let inside: Vec<i64> = (0..4).map(|_| next(3)).collect();
            let value = |row: &[i64], point: &[i64]| row.iter().zip(point).map(|(a, b)| a * b).sum::<i64>();
            let right: Vec<i64> = rows.iter().map(|row| value(row, &inside)).collect();
            let cost: Vec<i64> = (0..4).map(|_| next(7) - 3).collect();
            let exact: Vec<Vec<Rational>> = rows.iter().map(|row| numbers(row)).collect();
            let found = minimise(&exact, &numbers(&right), &numbers(&cost)).expect("small numbers");
            assert_ne!(found, Optimum::Infeasible);
            let Optimum::At { point, value: least } = found else { continue };
            optima += 1;
            for (row, right) in rows.iter().zip(&right) {
                let terms = row.iter().zip(&point).map(|(a, b)| Rational::from(*a).times(*b).unwrap());
                assert_eq!(terms.fold(Rational::ZERO, |sum, term| sum.plus(term).unwrap()), Rational::from(*right));
            }
            assert!(point.iter().all(|number| !number.is_negative()));
            for code in 0..256 {
                let point: Vec<i64> = (0..4).map(|digit| (code >> (2 * digit)) & 3).collect();
                if rows.iter().zip(&right).all(|(row, right)| value(row, &point) == *right) {
                    let at_point = Rational::from(value(&cost, &point));
                    assert_ne!(least.compare(at_point), Some(Ordering::Greater), "{rows:?} {right:?} {cost:?}");
                }
            }
        }
        assert!(optima > 500, "{optima}");
    }
}
