//! A choice of disjoint units among many that overlap.

use super::unit::Unit;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Chooses units so that they are disjoint, those that cover most new places first. A unit that loses places to others
/// keeps the rest.
pub(crate) fn disjoint(candidates: &[Unit], places: usize) -> Vec<Unit> {
    let mut covered = vec![false; places];
    let mut chosen = Vec::new();
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
    chosen
}

/// How many variables a net of so many places has with these units: one a unit, one a place that is in none.
pub(crate) fn variables(units: &[Unit], places: usize) -> usize {
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
        let chosen = disjoint(&[unit(&[0, 1, 2]), unit(&[2, 3, 4, 5]), unit(&[1, 2])], 7);
        let rest = Unit { exactly_one: false, ..unit(&[0, 1]) };
        assert_eq!(chosen, vec![unit(&[2, 3, 4, 5]), rest]);
        assert_eq!(variables(&chosen, 7), 3);
    }

    #[test]
    fn places_named_twice_or_unknown_do_no_harm() {
        let chosen = disjoint(&[unit(&[1, 1, 9])], 2);
        assert_eq!(chosen, vec![Unit { exactly_one: false, ..unit(&[1]) }]);
    }
}
