//! A choice of disjoint units among many that overlap.

use super::unit::Unit;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Disjoint units, by the better of two ways: those that cover most first, or whole ones first.
pub(crate) fn choose(candidates: &[Unit], places: usize) -> Vec<Unit> {
    let ways = [largest_first(candidates, places), whole_first(candidates, places)];
    ways.into_iter().min_by_key(|units| score(units, places)).unwrap_or_default()
}

/// What makes a choice good, lowest first: few variables, then many whole components (the parts of a net that were meant
/// as one, where remnants are what is left between them), then many places that are known to be safe.
pub(crate) fn score(units: &[Unit], places: usize) -> impl Ord + use<> {
    let whole = units.iter().filter(|unit| unit.exactly_one && unit.places.len() > 1).count();
    (variables(units, places), Reverse(whole), Reverse(units.len()))
}

/// Chooses units so that they are disjoint, those that cover most new places first. A unit that loses places to others
/// keeps the rest.
pub(crate) fn largest_first(candidates: &[Unit], places: usize) -> Vec<Unit> {
    let (mut covered, mut chosen) = (vec![false; places], Vec::new());
    add_largest(candidates, &mut covered, &mut chosen);
    chosen
}

/// Chooses components with exactly one token as long as they are disjoint, small ones first, then as
/// [`largest_first`].
fn whole_first(candidates: &[Unit], places: usize) -> Vec<Unit> {
    let (mut covered, mut chosen) = (vec![false; places], Vec::new());
    let mut whole: Vec<&Unit> = candidates.iter().filter(|unit| unit.exactly_one && unit.places.len() > 1).collect();
    whole.sort_by_key(|unit| unit.places.len());
    for unit in whole {
        if unit.places.iter().all(|&place| covered.get(place as usize) == Some(&false)) {
            unit.places.iter().for_each(|&place| covered[place as usize] = true);
            chosen.push(unit.clone());
        }
    }
    add_largest(candidates, &mut covered, &mut chosen);
    chosen
}

fn add_largest(candidates: &[Unit], covered: &mut [bool], chosen: &mut Vec<Unit>) {
    // What a candidate covers only shrinks: the largest estimate that is confirmed is the largest.
    let mut queue: BinaryHeap<(usize, Reverse<usize>)> =
        candidates.iter().enumerate().map(|(index, unit)| (unit.places.len(), Reverse(index))).collect();
    while let Some((estimate, Reverse(index))) = queue.pop() {
        let candidate = &candidates[index];
        let free = |place: &u32| covered.get(*place as usize) == Some(&false);
        let mut rest: Vec<u32> = candidate.places.iter().copied().filter(free).collect();
        rest.sort_unstable();
        rest.dedup();
        if rest.len() < estimate {
            queue.push((rest.len(), Reverse(index)));
        } else if !rest.is_empty() {
            rest.iter().for_each(|&place| covered[place as usize] = true);
            let exactly_one = candidate.exactly_one && rest.len() == candidate.places.len();
            chosen.push(Unit { places: rest, proven: candidate.proven, exactly_one });
        }
    }
}

/// How many variables a net of so many places has with these units: one per unit, and one per place that is in none.
fn variables(units: &[Unit], places: usize) -> usize {
    let covered: usize = units.iter().map(|unit| unit.places.len()).sum();
    places.saturating_sub(covered) + units.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(places: &[u32]) -> Unit {
        Unit { places: places.to_vec(), proven: true, exactly_one: true }
    }

    #[test]
    fn the_largest_comes_first_and_others_keep_the_rest() {
        let chosen = largest_first(&[unit(&[0, 1, 2]), unit(&[2, 3, 4, 5]), unit(&[1, 2])], 7);
        let rest = Unit { exactly_one: false, ..unit(&[0, 1]) };
        assert_eq!(chosen, vec![unit(&[2, 3, 4, 5]), rest]);
        assert_eq!(variables(&chosen, 7), 3);
    }

    #[test]
    fn among_equals_the_one_with_whole_units_is_chosen() {
        // Three philosophers of two places with a fork each: {2i, 2i+1}, and forks {6+i, 2i+1, 2i+3}.
        let philosophers = [unit(&[0, 1]), unit(&[2, 3]), unit(&[4, 5])];
        let forks = [unit(&[1, 3, 6]), unit(&[3, 5, 7]), unit(&[1, 5, 8])];
        let chosen = choose(&[forks, philosophers.clone()].concat(), 9);
        assert_eq!(chosen[..3], philosophers);
        assert_eq!(variables(&chosen, 9), 6);
    }

    #[test]
    fn places_named_twice_or_unknown_do_no_harm() {
        let chosen = largest_first(&[unit(&[1, 1, 9])], 2);
        assert_eq!(chosen, vec![Unit { exactly_one: false, ..unit(&[1]) }]);
    }
}
