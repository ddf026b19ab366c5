//! Orders of least cuts.
//!
//! Between two neighbours of an order, the variables above and those below have in common what the invariants say that cross
//! the cut: partial sums. Other partial sums above leave other markings below, so there are at least as many nodes at the cut as
//! combinations of partial sums that occur. How many sums are independent is the connectivity of a matroid
//! (`order::matroid`); how many values each has is taken from the constants of P-semiflows. An order costs the sum of these
//! estimates over its cuts, each as often as there are events that cross it, because these are passed down through its nodes.
//! Local search moves short runs of variables; only the cuts in between are looked at again.
//!
//! The rank of what crosses a cut is the measure iRank of Amparore, Ciardo, Donatelli and Miner (2019), and their Gradient-P chains places
//! greedily along P-semiflows. A cut costs the same seen from below, so such an order is worth a try upside down as well.

use super::declared::declared;
use super::force::force;
use super::greedy::noack;
use super::incidence::{Incidence, Rows, positions};
use super::matroid::{Matroid, Work, reduce};
use super::moves::{Numbers, moved};
use super::sloan::sloan;
use super::{Connections, Order, Tokens};

/// Work for [`least_cuts`] that takes about a tenth of a second.
pub const PATIENCE: u64 = 60_000_000;

/// How many moves are tried at most.
const MOVES: usize = 3_000;

/// An order of least cuts, from the cheapest of a few; nothing if places are not known, have nothing in common, or take too much work.
pub fn least_cuts(connections: &Connections, work: u64) -> Option<Order> {
    let mut work = Work::new(work);
    let tokens = connections.tokens.as_ref()?;
    let cuts = Cuts::new(connections, tokens, &mut work)?;
    let starts = [declared(connections), force(connections), sloan(connections), noack(connections)];
    let mut best: Option<Search<'_>> = None;
    for start in starts {
        let scale = best.as_ref().map(|best| best.scale);
        let search = Search::new(&cuts, start, scale, &mut work)?;
        if best.as_ref().is_none_or(|best| search.cost < best.cost) {
            best = Some(search);
        }
    }
    let mut search = best?;
    let mut numbers = Numbers::default();
    for _ in 0..MOVES {
        if search.step(&mut numbers, &mut work).is_none() {
            break;
        }
    }
    Some(search.order)
}

/// What cuts cost.
struct Cuts {
    matroid: Matroid,
    /// The rank of all variables together.
    rank: u32,
    /// Independent constant sums, as variables; those with the fewest values first.
    sums: Rows,
    /// The logarithms of how many values they have.
    values: Vec<f64>,
    /// The same for what no constant sum tells.
    otherwise: f64,
    /// The variables of events.
    events: Rows,
}

impl Cuts {
    fn new(connections: &Connections, tokens: &Tokens, work: &mut Work) -> Option<Cuts> {
        let variables = connections.variables;
        let matroid = Matroid::new(variables, tokens, work)?;
        let mut by_values: Vec<&(Vec<(u32, i64)>, i64)> = tokens.constants.iter().collect();
        by_values.sort_by_key(|(weights, constant)| (*constant, weights.len()));
        let invariants: Vec<Vec<(u32, i64)>> = by_values.iter().map(|(weights, _)| weights.clone()).collect();
        let chosen = matroid.independent(&invariants, work)?;
        let values = chosen.iter().map(|&index| (1.0 + by_values[index].1.max(1) as f64).ln()).collect();
        let of_place = |(place, _): &(u32, i64)| tokens.variable_of[*place as usize];
        let sums: Vec<Vec<u32>> =
            chosen.iter().map(|&index| invariants[index].iter().map(of_place).collect()).collect();
        let events = Incidence::whole(connections).events;
        let all = (0u32..).take(variables);
        let rank = Side::empty(&matroid).probe(&matroid, 0, all, work)?.ranks.last().copied().unwrap_or(0);
        let otherwise = (1.0 + tokens.most.max(1) as f64).ln();
        Some(Cuts { matroid, rank, sums: Rows::new(sums.iter(), variables), values, otherwise, events })
    }

    /// What the cuts after the places `begin..end` cost, whose shared numbers are these, divided by the exponential of a scale.
    fn cost(&self, positions: &[u32], begin: usize, shared: &[u32], scale: f64, work: &mut Work) -> Option<f64> {
        let end = begin + shared.len();
        work.spend(self.events.entries() + self.sums.entries() + shared.len())?;
        let mut crossing = vec![0i64; shared.len() + 1];
        for event in self.events.iter() {
            let (top, bottom) = extent(positions, event);
            let (top, bottom) = (top.clamp(begin, end), bottom.clamp(begin, end));
            crossing[top - begin] += 1;
            crossing[bottom - begin] -= 1;
        }
        let extents: Vec<(usize, usize)> = self.sums.iter().map(|sum| extent(positions, sum)).collect();
        let mut events = 0;
        let mut cost = 0.0;
        for (index, &shared) in shared.iter().enumerate() {
            events += crossing[index];
            work.spend(extents.len())?;
            let cut = begin + index;
            let (mut rest, mut logarithm) = (shared, -scale);
            for (&(top, bottom), values) in extents.iter().zip(&self.values) {
                if rest > 0 && top <= cut && cut < bottom {
                    rest -= 1;
                    logarithm += values;
                }
            }
            logarithm += f64::from(rest) * self.otherwise;
            cost += logarithm.exp() * (1 + events) as f64;
        }
        Some(cost)
    }
}

/// The first and the last place of some variables.
fn extent(positions: &[u32], variables: &[u32]) -> (usize, usize) {
    let places = || variables.iter().map(|&variable| positions[variable as usize] as usize);
    (places().min().unwrap_or(0), places().max().unwrap_or(0))
}

/// What is known of an order read from one of its ends.
#[derive(Clone)]
struct Side {
    /// By column: the row that begins there, and at which place it came.
    rows: Vec<Option<(usize, Vec<u32>)>>,
    /// The rank of all up to each place, that place included.
    ranks: Vec<u32>,
}

/// What becomes of a side where variables are exchanged from some place on.
struct Probe {
    rows: Vec<(usize, usize, Vec<u32>)>,
    ranks: Vec<u32>,
}

impl Side {
    fn empty(matroid: &Matroid) -> Side {
        Side { rows: vec![None; matroid.length], ranks: vec![0; matroid.vectors.len()] }
    }

    /// What would become of the ranks if these variables stood here from a place on.
    ///
    /// Rows are in echelon form, and the columns where those of a set begin do not depend on how it was put together. So what
    /// comes after the variables stays as it is, if they are the same ones.
    fn probe(
        &self, matroid: &Matroid, begin: usize, variables: impl Iterator<Item = u32>, work: &mut Work,
    ) -> Option<Probe> {
        let mut probe = Probe { rows: Vec::new(), ranks: Vec::new() };
        let mut of_column: Vec<Option<usize>> = vec![None; matroid.length];
        let mut rank = if begin == 0 { 0 } else { self.ranks[begin - 1] };
        work.spend(matroid.length)?;
        for (place, variable) in (begin..).zip(variables) {
            for vector in &matroid.vectors[variable as usize] {
                let mut vector = vector.clone();
                let row = |column: usize| match (of_column[column], &self.rows[column]) {
                    (Some(index), _) => Some(&probe.rows[index].2[..]),
                    (None, Some((from, row))) if *from < begin => Some(&row[..]),
                    _ => None,
                };
                if let Some(column) = reduce(&mut vector, row, work)? {
                    of_column[column] = Some(probe.rows.len());
                    probe.rows.push((column, place, vector));
                    rank += 1;
                }
            }
            probe.ranks.push(rank);
        }
        Some(probe)
    }

    /// Makes it so.
    fn accept(&mut self, begin: usize, probe: Probe) {
        self.ranks[begin..begin + probe.ranks.len()].copy_from_slice(&probe.ranks);
        for (column, place, row) in probe.rows {
            self.rows[column] = Some((place, row));
        }
    }
}

/// Local search.
struct Search<'c> {
    cuts: &'c Cuts,
    order: Order,
    above: Side,
    below: Side,
    /// What it cost in the beginning.
    cost: f64,
    /// What costs are divided by, as an exponent.
    scale: f64,
}

impl<'c> Search<'c> {
    fn new(cuts: &'c Cuts, order: Order, scale: Option<f64>, work: &mut Work) -> Option<Search<'c>> {
        let (mut above, mut below) = (Side::empty(&cuts.matroid), Side::empty(&cuts.matroid));
        above.accept(0, above.probe(&cuts.matroid, 0, order.iter().copied(), work)?);
        below.accept(0, below.probe(&cuts.matroid, 0, order.iter().rev().copied(), work)?);
        let mut search = Search { cuts, order, above, below, cost: 0.0, scale: 0.0 };
        let shared = search.shared(0, &search.above.ranks, &search.below.ranks);
        search.scale = scale.unwrap_or_else(|| {
            let most = shared.iter().copied().max().unwrap_or(0);
            f64::from(most) * cuts.values.iter().copied().fold(cuts.otherwise, f64::max)
        });
        let positions = positions(search.order.len(), &search.order);
        search.cost = cuts.cost(&positions, 0, &shared, search.scale, work)?;
        Some(search)
    }

    /// How many numbers those above and those below each cut have in common, given the ranks of the variables from `begin` on
    /// seen from above, and of the same variables seen from below.
    fn shared(&self, begin: usize, above: &[u32], below: &[u32]) -> Vec<u32> {
        let end = begin + above.len();
        let cuts = begin..end.saturating_sub(1);
        cuts.map(|place| above[place - begin] + below[end - place - 2] - self.cuts.rank).collect()
    }

    /// Tries one move; nothing if there is no work left.
    fn step(&mut self, numbers: &mut Numbers, work: &mut Work) -> Option<()> {
        work.spend(self.order.len())?;
        let Some(next) = moved(&self.order, numbers) else { return Some(()) };
        let differs = |place: &usize| next[*place] != self.order[*place];
        let begin = (0..next.len()).find(differs)?;
        let end = (0..next.len()).rev().find(differs)? + 1;
        let from_below = next.len() - end;
        let above = self.above.probe(&self.cuts.matroid, begin, next[begin..end].iter().copied(), work)?;
        let below = self.below.probe(&self.cuts.matroid, from_below, next[begin..end].iter().rev().copied(), work)?;
        let window = |above: &[u32], below: &[u32]| self.shared(begin, above, below);
        let before = window(&self.above.ranks[begin..end], &self.below.ranks[from_below..from_below + end - begin]);
        let after = window(&above.ranks, &below.ranks);
        let (now, then) = (positions(next.len(), &self.order), positions(next.len(), &next));
        let old = self.cuts.cost(&now, begin, &before, self.scale, work)?;
        let new = self.cuts.cost(&then, begin, &after, self.scale, work)?;
        if new <= old {
            self.above.accept(begin, above);
            self.below.accept(from_below, below);
            self.order = next;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Event;
    use crate::order::samples::{Random, is_permutation, shuffled};

    /// Random changes over places that belong to random variables.
    fn random(seed: u64) -> Connections {
        let mut random = Random::new(seed);
        let places = 2 + random.below(9) as usize;
        let variables = 1 + random.below(places as u32) as usize;
        // Each variable has a place.
        let variable = |place: usize| if place < variables { place as u32 } else { (place % variables) as u32 };
        let variable_of: Vec<u32> = (0..places).map(variable).collect();
        let mut changes = Vec::new();
        let mut events = Vec::new();
        for _ in 0..random.below(8) {
            let kept = (0..places as u32).filter_map(|place| {
                let gain = i64::from(random.below(5)) - 2;
                (random.below(3) == 0 && gain != 0).then_some((place, gain))
            });
            let change: Vec<(u32, i64)> = kept.collect();
            let takes = change.iter().map(|(place, _)| variable_of[*place as usize]).collect();
            events.push(Event { takes, ..Event::default() });
            changes.push(change);
        }
        let is_inexact = (0..places).map(|_| random.below(10) == 0).collect();
        let tokens = Tokens { variable_of, changes, is_inexact, most: i64::from(random.below(4)), ..Tokens::default() };
        let constants = (0..random.below(4)).filter_map(|_| {
            let flow: Vec<(u32, i64)> =
                (0..places as u32).filter(|_| random.below(2) == 0).map(|place| (place, 1)).collect();
            let is_constant = tokens.changes.iter().all(|change| {
                change.iter().filter(|(place, _)| flow.iter().any(|one| one.0 == *place)).map(|one| one.1).sum::<i64>()
                    == 0
            });
            let is_exact = flow.iter().all(|(place, _)| !tokens.is_inexact[*place as usize]);
            (is_constant && is_exact && !flow.is_empty()).then_some((flow, 1 + i64::from(random.below(5))))
        });
        let constants = constants.collect();
        Connections { variables, events, tokens: Some(Tokens { constants, ..tokens }), ..Connections::default() }
    }

    /// The rank of the rows of some places, in integers (Bareiss).
    fn rank(tokens: &Tokens, places: &[u32]) -> u32 {
        let row = |place: &u32| -> Vec<i128> {
            let gain =
                |change: &Vec<(u32, i64)>| change.iter().find(|one| one.0 == *place).map_or(0, |one| i128::from(one.1));
            tokens.changes.iter().map(gain).collect()
        };
        let exact = places.iter().filter(|place| !tokens.is_inexact[**place as usize]);
        let mut rows: Vec<Vec<i128>> = exact.map(row).collect();
        let (mut rank, mut last) = (0, 1);
        for column in 0..tokens.changes.len() {
            let Some(pivot) = (rank..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
            rows.swap(rank, pivot);
            let head = rows[rank].clone();
            for row in &mut rows[rank + 1..] {
                let factor = row[column];
                for (value, above) in row.iter_mut().zip(&head) {
                    *value = (*value * head[column] - above * factor) / last;
                }
            }
            last = rows[rank][column];
            rank += 1;
        }
        rank as u32
    }

    /// How many numbers the variables above and below a cut have in common.
    fn connectivity(tokens: &Tokens, above: &[u32], below: &[u32]) -> u32 {
        let places = |variables: &[u32]| -> Vec<u32> {
            let belongs = |place: &u32| variables.contains(&tokens.variable_of[*place as usize]);
            (0..tokens.variable_of.len() as u32).filter(belongs).collect()
        };
        let all = places(&[above, below].concat());
        rank(tokens, &places(above)) + rank(tokens, &places(below)) - rank(tokens, &all)
    }

    fn search<'c>(cuts: &'c Cuts, order: &[u32]) -> Search<'c> {
        Search::new(cuts, order.to_vec(), Some(0.0), &mut Work::new(1 << 40)).expect("there is enough work")
    }

    #[test]
    fn what_a_cut_shares_is_the_connectivity_of_the_rows() {
        for seed in 0..1_000 {
            let connections = random(seed);
            let tokens = connections.tokens.as_ref().expect("it has tokens");
            let cuts = Cuts::new(&connections, tokens, &mut Work::new(1 << 40)).expect("there is enough work");
            let order = shuffled(connections.variables, seed + 7);
            let found = search(&cuts, &order);
            let shared = found.shared(0, &found.above.ranks, &found.below.ranks);
            let expected: Vec<u32> =
                (1..order.len()).map(|cut| connectivity(tokens, &order[..cut], &order[cut..])).collect();
            assert_eq!(shared, expected, "seed {seed}: {connections:?} in order {order:?}");
        }
    }

    #[test]
    fn costs_are_as_defined() {
        for seed in 0..300 {
            let connections = random(seed);
            let tokens = connections.tokens.as_ref().expect("it has tokens");
            let cuts = Cuts::new(&connections, tokens, &mut Work::new(1 << 40)).expect("there is enough work");
            let order = shuffled(connections.variables, seed + 7);
            let mut cost = 0.0;
            for cut in 1..order.len() {
                let (above, below) = order.split_at(cut);
                let crosses = |set: &[u32]| {
                    set.iter().any(|one| above.contains(one)) && set.iter().any(|one| below.contains(one))
                };
                let events = cuts.events.iter().filter(|event| crosses(event)).count();
                let mut values: Vec<f64> =
                    cuts.sums.iter().zip(&cuts.values).filter(|(sum, _)| crosses(sum)).map(|one| one.1.exp()).collect();
                values.resize(values.len() + 10, 1.0 + tokens.most.max(1) as f64);
                let shared = connectivity(tokens, above, below) as usize;
                cost += values[..shared].iter().product::<f64>() * (1 + events) as f64;
            }
            let found = search(&cuts, &order).cost;
            assert!((found - cost).abs() <= 1e-9 * cost, "seed {seed}: {found} for {cost}");
        }
    }

    #[test]
    fn what_is_kept_while_variables_move_is_what_would_be_found_anew() {
        for seed in 0..200 {
            let connections = random(seed);
            let tokens = connections.tokens.as_ref().expect("it has tokens");
            let cuts = Cuts::new(&connections, tokens, &mut Work::new(1 << 40)).expect("there is enough work");
            let mut found = search(&cuts, &shuffled(connections.variables, seed + 7));
            let mut numbers = Numbers::default();
            for _ in 0..30 {
                let before = search(&cuts, &found.order).cost;
                found.step(&mut numbers, &mut Work::new(1 << 40)).expect("there is enough work");
                let anew = search(&cuts, &found.order);
                assert!(anew.cost <= before * (1.0 + 1e-9), "seed {seed}");
                assert_eq!(
                    (&found.above.ranks, &found.below.ranks),
                    (&anew.above.ranks, &anew.below.ranks),
                    "seed {seed}"
                );
            }
        }
    }

    #[test]
    fn orders_are_permutations_and_always_the_same() {
        for seed in 0..100 {
            let connections = random(seed);
            let order = least_cuts(&connections, PATIENCE).expect("there is enough work");
            assert!(is_permutation(connections.variables, &order), "seed {seed}: {order:?}");
            assert_eq!(least_cuts(&connections, PATIENCE), Some(order), "seed {seed}");
        }
    }

    /// Lines of places, numbered across, in each of which tokens go round.
    fn lines(count: u32, length: u32) -> Connections {
        let place = |line: u32, step: u32| step % length * count + line;
        let mut connections = Connections { variables: (count * length) as usize, ..Connections::default() };
        let mut tokens = Tokens { variable_of: (0..count * length).collect(), most: 9, ..Tokens::default() };
        for line in 0..count {
            for step in 0..length {
                let (from, to) = (place(line, step), place(line, step + 1));
                tokens.changes.push(vec![(from, -1), (to, 1)]);
                connections.events.push(Event { takes: vec![from], puts: vec![to], reads: Vec::new() });
            }
            tokens.constants.push(((0..length).map(|step| (place(line, step), 1)).collect(), 9));
        }
        Connections { tokens: Some(tokens), ..connections }
    }

    #[test]
    fn lines_are_laid_one_after_the_other() {
        let connections = lines(3, 4);
        let order = least_cuts(&connections, PATIENCE).expect("there is enough work");
        let line: Vec<u32> = order.iter().map(|variable| variable % 3).collect();
        assert!(line.chunks(4).all(|chunk| chunk.iter().all(|one| *one == chunk[0])), "{order:?}");
    }

    #[test]
    fn too_much_work_is_not_done() {
        assert_eq!(least_cuts(&lines(3, 4), 100), None);
        let large = lines(300, 300);
        // There may be enough for the rows, but not for all of them against each other.
        assert_eq!(least_cuts(&large, PATIENCE), None);
        assert_eq!(least_cuts(&Connections::default(), PATIENCE), None);
    }
}
