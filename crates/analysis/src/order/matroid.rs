//! Vectors whose ranks say what sets of variables have in common, over the integers modulo a prime.
//!
//! A set of places has the rank of its rows in the matrix of what transitions change. What two parts of all places have in
//! common is how much their ranks add up to more than the rank of all: the *connectivity* of the matroid of rows. It is the same
//! for the dual matroid, that of the columns of all invariants (vectors `y` with `y·C = 0`, whatever their signs), so the one
//! with shorter vectors is taken.
//!
//! Modulo a prime a rank may be too small, if the prime divides all of some determinants that are not zero. Those that are met
//! here are small and the prime is large; and if it happens, an order is judged wrongly and nothing else.

use super::Tokens;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

const PRIME: u64 = (1 << 31) - 1;

/// What is left of the work that may be done, in numbers that are looked at.
#[derive(Clone, Debug)]
pub(super) struct Work(u64);

impl Work {
    pub fn new(work: u64) -> Work {
        Work(work)
    }

    /// Spends some; nothing if there is not so much left.
    pub fn spend(&mut self, work: usize) -> Option<()> {
        self.0 = self.0.checked_sub(work as u64)?;
        Some(())
    }
}

/// Vectors of variables.
#[derive(Clone, Debug)]
pub(super) struct Matroid {
    /// How long vectors are.
    pub length: usize,
    /// By variable: independent vectors.
    pub vectors: Vec<Vec<Vec<u32>>>,
    /// Places that tell all invariants apart, with their numbers: as many as there are independent invariants.
    free: FxHashMap<u32, usize>,
}

impl Matroid {
    /// The vectors for so many variables with these places; nothing if that takes too much work.
    pub fn new(variables: usize, tokens: &Tokens, work: &mut Work) -> Option<Matroid> {
        let places = tokens.variable_of.len();
        let rows = Rows::new(tokens, work)?.reduced(work)?;
        let free = (0u32..).take(places).filter(|place| !rows.of_pivot.contains_key(place));
        let free: FxHashMap<u32, usize> = free.zip(0..).collect();
        let (rank, others) = (rows.list.len(), free.len());
        let length = rank.min(others);
        work.spend(places * length)?;
        let mut of_place = vec![vec![0; length]; places];
        let is_dual = others < rank;
        for (index, row) in rows.list.iter().enumerate() {
            for &(place, value) in row {
                let column = free.get(&place);
                match (is_dual, column) {
                    (true, Some(&column)) => of_place[row[0].0 as usize][column] = value,
                    (false, _) => of_place[place as usize][index] = value,
                    (true, None) => {}
                }
            }
        }
        if is_dual {
            free.iter().for_each(|(&place, &column)| of_place[place as usize][column] = 1);
        }
        let mut vectors = vec![Vec::new(); variables];
        for (vector, &variable) in of_place.into_iter().zip(&tokens.variable_of) {
            vectors[variable as usize].push(vector);
        }
        for own in &mut vectors {
            let mut echelon = Echelon::new(length);
            let mut independent = Vec::new();
            for vector in own.drain(..) {
                if echelon.add(vector, work)? {
                    independent.push(echelon.last.clone());
                }
            }
            *own = independent;
        }
        Some(Matroid { length, vectors, free })
    }

    /// Independent invariants among these (places with weights), the first that are.
    pub fn independent(&self, invariants: &[Vec<(u32, i64)>], work: &mut Work) -> Option<Vec<usize>> {
        let mut echelon = Echelon::new(self.free.len());
        let mut found = Vec::new();
        for (index, invariant) in invariants.iter().enumerate() {
            if found.len() == self.free.len() {
                break;
            }
            work.spend(self.free.len())?;
            let mut vector = vec![0; self.free.len()];
            for (place, weight) in invariant {
                if let Some(&column) = self.free.get(place) {
                    vector[column] = residue(*weight);
                }
            }
            if echelon.add(vector, work)? {
                found.push(index);
            }
        }
        Some(found)
    }
}

/// Vectors in echelon form: each begins in another column, with 1.
struct Echelon {
    rows: Vec<Option<Vec<u32>>>,
    /// What was added last.
    last: Vec<u32>,
}

impl Echelon {
    fn new(length: usize) -> Echelon {
        Echelon { rows: vec![None; length], last: Vec::new() }
    }

    /// Adds a vector if it is independent of the others, and says whether it is.
    fn add(&mut self, mut vector: Vec<u32>, work: &mut Work) -> Option<bool> {
        let column = reduce(&mut vector, |column| self.rows[column].as_deref(), work)?;
        if let Some(column) = column {
            self.last.clone_from(&vector);
            self.rows[column] = Some(vector);
        }
        Some(column.is_some())
    }
}

/// Takes rows (each begins with 1 in its own column) off a vector until no row begins where it does, and says where that is; `Some(None)` if
/// nothing is left of it.
pub(super) fn reduce<'r>(
    vector: &mut [u32], row: impl Fn(usize) -> Option<&'r [u32]>, work: &mut Work,
) -> Option<Option<usize>> {
    work.spend(vector.len())?;
    for column in 0..vector.len() {
        let factor = vector[column];
        if factor == 0 {
            continue;
        }
        work.spend(vector.len() - column)?;
        match row(column) {
            Some(row) => take_off(&mut vector[column..], &row[column..], factor),
            None => {
                scale(&mut vector[column..], inverse(factor));
                return Some(Some(column));
            }
        }
    }
    Some(None)
}

fn take_off(vector: &mut [u32], row: &[u32], factor: u32) {
    let factor = PRIME - u64::from(factor);
    for (value, other) in vector.iter_mut().zip(row) {
        *value = ((u64::from(*value) + factor * u64::from(*other)) % PRIME) as u32;
    }
}

fn scale(vector: &mut [u32], factor: u32) {
    vector.iter_mut().for_each(|value| *value = times(*value, factor));
}

fn times(one: u32, other: u32) -> u32 {
    (u64::from(one) * u64::from(other) % PRIME) as u32
}

fn residue(value: i64) -> u32 {
    value.rem_euclid(PRIME as i64) as u32
}

/// By Fermat's little theorem.
fn inverse(value: u32) -> u32 {
    let (mut power, mut rest, mut result) = (value, PRIME - 2, 1);
    while rest > 0 {
        if rest % 2 == 1 {
            result = times(result, power);
        }
        power = times(power, power);
        rest /= 2;
    }
    result
}

type Sparse = Vec<(u32, u32)>;

/// The changes in echelon form: each begins with another place, its pivot, once.
struct Rows {
    list: Vec<Sparse>,
    of_pivot: FxHashMap<u32, usize>,
}

impl Rows {
    fn new(tokens: &Tokens, work: &mut Work) -> Option<Rows> {
        let mut changes: Vec<&Vec<(u32, i64)>> = tokens.changes.iter().collect();
        // Short ones first: less is filled in.
        changes.sort_by_key(|change| change.len());
        let mut rows = Rows { list: Vec::new(), of_pivot: FxHashMap::default() };
        for change in changes {
            work.spend(change.len())?;
            let is_exact = |place: u32| !tokens.is_inexact.get(place as usize).is_some_and(|inexact| *inexact);
            let kept = change.iter().filter(|(place, _)| is_exact(*place));
            let mut row: Sparse = kept.map(|&(place, gain)| (place, residue(gain))).collect();
            row.sort_unstable();
            while let Some(&(pivot, factor)) = row.first() {
                let Some(&other) = rows.of_pivot.get(&pivot) else {
                    let factor = inverse(factor);
                    row.iter_mut().for_each(|entry| entry.1 = times(entry.1, factor));
                    rows.of_pivot.insert(pivot, rows.list.len());
                    rows.list.push(row);
                    break;
                };
                row = sum(&row, &rows.list[other], factor, work)?;
            }
        }
        Some(rows)
    }

    /// The same without pivots in other rows than their own.
    fn reduced(mut self, work: &mut Work) -> Option<Rows> {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        // From the last pivot on, so that what is taken off is reduced itself.
        order.sort_by_key(|&row| std::cmp::Reverse(self.list[row][0].0));
        for index in order {
            let others =
                self.list[index][1..].iter().filter_map(|(place, value)| Some((*self.of_pivot.get(place)?, *value)));
            for (other, factor) in others.collect::<Vec<_>>() {
                self.list[index] = sum(&self.list[index], &self.list[other], factor, work)?;
            }
        }
        Some(self)
    }
}

/// A row without another, so many times.
fn sum(row: &Sparse, other: &Sparse, factor: u32, work: &mut Work) -> Option<Sparse> {
    work.spend(row.len() + other.len())?;
    let minus = (PRIME - u64::from(factor)) as u32;
    let mut result = Vec::with_capacity(row.len() + other.len());
    let (mut one, mut two) = (&row[..], &other[..]);
    while let (Some(a), Some(b)) = (one.first(), two.first()) {
        let entry = match a.0.cmp(&b.0) {
            Ordering::Less => {
                one = &one[1..];
                *a
            }
            Ordering::Greater => {
                two = &two[1..];
                (b.0, times(b.1, minus))
            }
            Ordering::Equal => {
                (one, two) = (&one[1..], &two[1..]);
                (a.0, ((u64::from(a.1) + u64::from(times(b.1, minus))) % PRIME) as u32)
            }
        };
        if entry.1 != 0 {
            result.push(entry);
        }
    }
    result.extend_from_slice(one);
    result.extend(two.iter().map(|&(place, value)| (place, times(value, minus))));
    Some(result)
}
