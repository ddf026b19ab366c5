//! The elimination of Farkas, also called Fourier-Motzkin or double description: all semiflows of a net (Martínez and
//! Silva, 1982).
//!
//! A row stands for weights `y ≥ 0` of places and what `y·C` is in the columns that are left; at the beginning there is
//! one row per place. To eliminate a column, each pair of rows with opposite signs there is combined so that the column
//! vanishes, and the rows that were not zero there go. At every moment the rows are the extreme rays (those of minimal
//! support) of the cone of weights that are flows for the columns eliminated so far, so a row without columns is a
//! semiflow however early the search ends.

use super::incidence::Incidence;
use std::collections::BTreeSet;

/// What ends or narrows the elimination.
pub(crate) struct Limits {
    /// Operations that may be spent.
    pub(crate) budget: u64,
    /// Rows with a larger weight are dropped.
    pub(crate) most_weight: i64,
    /// Markings in which the places of a row hold at most [`Limits::most_total`], by weight; other rows are dropped.
    pub(crate) markings: Vec<Vec<i32>>,
    /// See [`Limits::markings`].
    pub(crate) most_total: i64,
}

/// What the elimination found.
pub(crate) struct Outcome {
    /// Weights by place, ascending by place.
    pub(crate) flows: Vec<Vec<(u32, i64)>>,
    /// Whether no row was dropped and every column was eliminated.
    pub(crate) complete: bool,
    /// Operations spent.
    pub(crate) spent: u64,
}

type Sparse = Vec<(u32, i64)>;
/// A set of places, each hashed to one bit.
type Signature = [u64; 4];

struct Row {
    columns: Sparse,
    weights: Sparse,
}

struct Elimination<'a> {
    limits: &'a Limits,
    spent: u64,
    dropped: bool,
    /// Rows; `None` for those that are gone.
    rows: Vec<Option<Row>>,
    /// By row; all ones for those that are gone, so that they are a subset of nothing.
    signatures: Vec<Signature>,
    free: Vec<u32>,
    /// By column: rows that are or were not zero there.
    users: Vec<Vec<u32>>,
    /// By column: how many rows are positive and negative there.
    signs: Vec<(u64, u64)>,
    /// The columns that are left, cheapest first.
    queue: BTreeSet<(i64, u32)>,
}

/// Eliminates all columns, or as many as the limits allow.
pub(crate) fn eliminate(incidence: &Incidence, limits: &Limits) -> Outcome {
    let columns = incidence.changes.len();
    let mut state = Elimination {
        limits,
        spent: 0,
        dropped: false,
        rows: Vec::new(),
        signatures: Vec::new(),
        free: Vec::new(),
        users: vec![Vec::new(); columns],
        signs: vec![(0, 0); columns],
        queue: (0..columns as u32).map(|column| (0, column)).collect(),
    };
    for (place, columns) in (0..).zip(incidence.by_place()) {
        let row = Row { columns, weights: vec![(place, 1)] };
        if !incidence.inexact[place as usize] && state.within(&row) {
            state.add(row);
        }
    }
    let finished = state.run();
    let mut flows: Vec<Sparse> =
        state.rows.into_iter().flatten().filter(|row| row.columns.is_empty()).map(|row| row.weights).collect();
    flows.sort_unstable();
    Outcome { flows, complete: finished && !state.dropped, spent: state.spent }
}

impl Elimination<'_> {
    /// Eliminates column after column; whether it came to the end.
    fn run(&mut self) -> bool {
        while let Some((_, column)) = self.queue.pop_first() {
            if !self.column(column) {
                return false;
            }
        }
        true
    }

    /// Eliminates a column. If the budget ends before that, the rows that are zero in all columns are still flows.
    fn column(&mut self, column: u32) -> bool {
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        let mut users = std::mem::take(&mut self.users[column as usize]);
        users.sort_unstable();
        users.dedup();
        for user in users {
            match self.rows[user as usize].as_ref().map_or(0, |row| entry(&row.columns, column)) {
                0 => {}
                1.. => positive.push(user),
                _ => negative.push(user),
            }
        }
        let mut made: Vec<Row> = Vec::new();
        let pairs = positive.iter().flat_map(|&up| negative.iter().map(move |&down| (up, down)));
        for (up, down) in pairs {
            if self.spent > self.limits.budget {
                break;
            }
            if let Some(row) = self.combine(up, down, column)
                && self.is_extreme(&row, up, down)
            {
                made.push(row);
            }
        }
        for gone in positive.into_iter().chain(negative) {
            self.remove(gone);
        }
        // Without the rows that limits dropped, two pairs may give the same row.
        made.sort_unstable_by(|a, b| a.weights.cmp(&b.weights));
        made.dedup_by(|a, b| a.weights == b.weights);
        for row in made {
            self.add(row);
        }
        self.spent <= self.limits.budget
    }

    /// The combination of two rows in which the column vanishes; `None` if a limit forbids it.
    fn combine(&mut self, up: u32, down: u32, column: u32) -> Option<Row> {
        let (up, down) = (self.rows[up as usize].as_ref()?, self.rows[down as usize].as_ref()?);
        self.spent += 1;
        let (a, b) = (entry(&up.columns, column), entry(&down.columns, column).checked_neg()?);
        let divisor = gcd(a, b);
        let (for_up, for_down) = (b / divisor, a / divisor);
        // A factor stays in the weights: a row whose places were all among those of the other would not be extreme.
        if for_up.max(for_down) > self.limits.most_weight {
            self.dropped = true;
            return None;
        }
        self.spent += (up.weights.len() + down.weights.len() + up.columns.len() + down.columns.len()) as u64;
        let row = add(&up.weights, for_up, &down.weights, for_down)
            .zip(add(&up.columns, for_up, &down.columns, for_down))
            .map(|(weights, columns)| normal(Row { columns, weights }))
            .filter(|row| self.within(row));
        self.dropped |= row.is_none();
        row
    }

    /// Whether a row keeps the limits.
    fn within(&self, row: &Row) -> bool {
        row.weights.iter().all(|&(_, weight)| weight <= self.limits.most_weight)
            && self.limits.markings.iter().all(|marking| {
                super::semiflow::weighted(&row.weights, marking).is_some_and(|total| total <= self.limits.most_total)
            })
    }

    /// Whether no row but the two that it was made of has its support within that of the combination.
    fn is_extreme(&mut self, row: &Row, up: u32, down: u32) -> bool {
        let signature = signature(&row.weights);
        self.spent += self.signatures.len() as u64 / 2 + 1;
        let mut exact = 0;
        let smaller = (0..).zip(&self.signatures).any(|(index, other)| {
            let outside = (0..4).fold(0, |found, word| found | (other[word] & !signature[word]));
            if outside != 0 || index == up || index == down {
                return false;
            }
            exact += row.weights.len() as u64;
            self.rows[index as usize].as_ref().is_some_and(|other| contains(&row.weights, &other.weights))
        });
        self.spent += exact;
        !smaller
    }

    fn add(&mut self, row: Row) {
        let index = self.free.pop().unwrap_or_else(|| {
            self.rows.push(None);
            self.signatures.push([u64::MAX; 4]);
            self.rows.len() as u32 - 1
        });
        for &(column, value) in &row.columns {
            self.users[column as usize].push(index);
            self.count(column, value, true);
        }
        self.signatures[index as usize] = signature(&row.weights);
        self.rows[index as usize] = Some(row);
    }

    fn remove(&mut self, index: u32) {
        if let Some(row) = self.rows[index as usize].take() {
            for &(column, value) in &row.columns {
                self.count(column, value, false);
            }
            self.signatures[index as usize] = [u64::MAX; 4];
            self.free.push(index);
        }
    }

    /// Notes that a row with this value in the column comes or goes. A column costs the rows it makes less those that
    /// it removes.
    fn count(&mut self, column: u32, value: i64, comes: bool) {
        let cost = |(up, down): (u64, u64)| (up * down) as i64 - (up + down) as i64;
        let signs = &mut self.signs[column as usize];
        let waits = self.queue.remove(&(cost(*signs), column));
        let side = if value > 0 { &mut signs.0 } else { &mut signs.1 };
        *side = if comes { *side + 1 } else { side.saturating_sub(1) };
        if waits {
            self.queue.insert((cost(*signs), column));
        }
        self.spent += 1;
    }
}

/// The value at an index of a sparse vector.
pub(crate) fn entry(vector: &[(u32, i64)], index: u32) -> i64 {
    vector.binary_search_by_key(&index, |&(at, _)| at).map_or(0, |found| vector[found].1)
}

/// `left·factor + right·factor`; `None` on overflow.
fn add(left: &[(u32, i64)], left_factor: i64, right: &[(u32, i64)], right_factor: i64) -> Option<Sparse> {
    let mut sum = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    loop {
        let index = match (left.peek(), right.peek()) {
            (Some(a), Some(b)) => a.0.min(b.0),
            (Some(a), None) => a.0,
            (None, Some(b)) => b.0,
            (None, None) => return Some(sum),
        };
        let mut value = 0i64;
        if let Some(term) = left.next_if(|term| term.0 == index) {
            value = term.1.checked_mul(left_factor)?;
        }
        if let Some(term) = right.next_if(|term| term.0 == index) {
            value = value.checked_add(term.1.checked_mul(right_factor)?)?;
        }
        if value != 0 {
            sum.push((index, value));
        }
    }
}

/// The same row with weights that have no common divisor. (What divides all weights divides all columns.)
fn normal(mut row: Row) -> Row {
    let divisor = row.weights.iter().fold(0, |divisor, &(_, weight)| gcd(divisor, weight));
    if divisor > 1 {
        row.weights.iter_mut().chain(&mut row.columns).for_each(|(_, value)| *value /= divisor);
    }
    row
}

/// The greatest common divisor of two numbers that are not negative.
pub(crate) fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn signature(weights: &[(u32, i64)]) -> Signature {
    let mut signature = [0; 4];
    for &(place, _) in weights {
        let bit = place.wrapping_mul(0x9E37_79B1) >> 24;
        signature[(bit >> 6) as usize] |= 1 << (bit & 63);
    }
    signature
}

/// Whether every index of `small` is one of `large`.
fn contains(large: &[(u32, i64)], small: &[(u32, i64)]) -> bool {
    let mut large = large.iter();
    small.len() <= large.len() && small.iter().all(|&(index, _)| large.any(|&(at, _)| at == index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_overflow_to_nothing() {
        let large = vec![(0, i64::MAX)];
        assert_eq!(add(&large, 1, &[(1, 2)], 3), Some(vec![(0, i64::MAX), (1, 6)]));
        assert_eq!(add(&large, 1, &[(0, 1)], 1), None);
        assert_eq!(add(&large, 2, &[], 1), None);
        assert_eq!(add(&[(0, 2)], 3, &[(0, -3)], 2), Some(vec![]));
    }

    #[test]
    fn rows_above_a_limit_are_dropped() {
        let changes = vec![vec![(0, -1), (1, 2)], vec![(2, -1), (3, 1)]];
        let incidence = Incidence { places: 4, changes, inexact: vec![false; 4] };
        let mut limits = Limits { budget: 1000, most_weight: 1, markings: vec![vec![0, 0, 1, 0]], most_total: 1 };
        let found = eliminate(&incidence, &limits);
        assert_eq!((found.flows, found.complete), (vec![vec![(2, 1), (3, 1)]], false));
        limits.most_weight = 2;
        let found = eliminate(&incidence, &limits);
        assert_eq!((found.flows.len(), found.complete), (2, true));
        limits.markings = vec![vec![0, 0, 1, 1]];
        assert_eq!(eliminate(&incidence, &limits).flows, vec![vec![(0, 2), (1, 1)]]);
    }

    #[test]
    fn supports_are_compared_in_order() {
        assert!(contains(&[(1, 1), (3, 1), (4, 1)], &[(1, 9), (4, 9)]));
        assert!(!contains(&[(1, 1), (3, 1)], &[(1, 9), (2, 9)]));
    }
}
