//! Runs that go on for ever, said with fewer steps.
//!
//! A search finds a stem and a loop, and the stem often is a part of the loop, or passes through one of its states before it
//! gets there. A run that enters the loop where it first meets it is another run: it is taken if it shows the same, which is
//! checked from the definition. Then the end of the stem that is also the end of the loop is left out, and a loop that goes
//! round several times goes round once: these are the same run. At last, steps are left out one by one: what comes after is done
//! all the same, and if that is possible, comes round and shows the same, it is kept.

use mandala_model::formalism::Formalism;
use mandala_model::semantics::{Step, TransitionSystem};
use rustc_hash::FxHashMap;

use crate::run::{Trace, without};

/// How many values of states may be looked at to find out which steps are not needed.
const EFFORT: usize = 100_000;

/// The same run, or another one that shows the same, with no more steps. `shows` says whether a run does, and where it repeats.
pub(crate) fn shortened<T: TransitionSystem>(
    semantics: &T, trace: Trace<T::Formalism>, repeats: usize, shows: impl Fn(&Trace<T::Formalism>, usize) -> bool,
) -> (Trace<T::Formalism>, usize) {
    let alike = |a: &Step<_>, b: &Step<_>| semantics.are_alike(&a.event, &b.event) && a.state == b.state;
    let (trace, repeats) = match entering_early(&trace, repeats) {
        Some(earlier) if shows(&earlier.0, earlier.1) => earlier,
        _ => (trace, repeats),
    };
    let (trace, repeats) = folded(trace, repeats, alike);
    let (trace, repeats) = without_needless(semantics, trace, repeats, &shows);
    let (trace, repeats) = folded(trace, repeats, alike);
    debug_assert!(shows(&trace, repeats), "{trace:?} {repeats}");
    (trace, repeats)
}

/// A run without steps that are not needed, the last of them first. How much is tried depends on how large states are.
fn without_needless<T: TransitionSystem>(
    semantics: &T, mut trace: Trace<T::Formalism>, mut repeats: usize,
    shows: &impl Fn(&Trace<T::Formalism>, usize) -> bool,
) -> (Trace<T::Formalism>, usize) {
    let mut left = EFFORT / trace.initial.as_ref().len().max(1);
    for place in (0..trace.steps.len()).rev() {
        if left == 0 {
            break;
        }
        // A loop has a step at least.
        if repeats + 1 == trace.steps.len() && place == repeats {
            continue;
        }
        let begins = if place < repeats { repeats - 1 } else { repeats };
        let Some(shorter) = without(semantics, &trace, place..place + 1, &mut left) else { continue };
        // To look at it goes through it once more.
        left = left.saturating_sub(shorter.steps.len());
        if shows(&shorter, begins) {
            (trace, repeats) = (shorter, begins);
        }
    }
    (trace, repeats)
}

/// The run that enters the loop in the first of its states that the stem meets, if that is sooner.
fn entering_early<F: Formalism>(trace: &Trace<F>, repeats: usize) -> Option<(Trace<F>, usize)> {
    let count = trace.steps.len();
    let state = |place: usize| if place == 0 { &trace.initial } else { &trace.steps[place - 1].state };
    let mut in_loop: FxHashMap<&[i32], usize> = FxHashMap::default();
    for place in (repeats..count).rev() {
        in_loop.insert(state(place).as_ref(), place);
    }
    let (entry, place) = (0..repeats).find_map(|entry| Some((entry, *in_loop.get(state(entry).as_ref())?)))?;
    let mut steps = trace.steps[..entry].to_vec();
    steps.extend_from_slice(&trace.steps[place..]);
    steps.extend_from_slice(&trace.steps[repeats..place]);
    Some((Trace { initial: trace.initial.clone(), steps }, entry))
}

/// The same run: with as much of the stem in the loop as possible, and with a loop that goes round once.
fn folded<F: Formalism>(
    mut trace: Trace<F>, mut repeats: usize, alike: impl Fn(&Step<F>, &Step<F>) -> bool,
) -> (Trace<F>, usize) {
    let steps = &mut trace.steps;
    let round = steps.len() - repeats;
    if round == 0 {
        return (trace, repeats);
    }
    let goes_round = |length: &usize| {
        round.is_multiple_of(*length)
            && (repeats + length..steps.len()).all(|place| alike(&steps[place], &steps[place - length]))
    };
    let round = (1..=round / 2).find(goes_round).unwrap_or(round);
    steps.truncate(repeats + round);
    // The last step of the stem and of the loop lead to the same state: do they come from the same one?
    let state = |steps: &[Step<F>], place: usize| match place.checked_sub(1) {
        Some(before) => steps[before].state.clone(),
        None => trace.initial.clone(),
    };
    while repeats > 0
        && state(steps, repeats - 1) == state(steps, repeats + round - 1)
        && alike(&steps[repeats - 1], &steps[repeats + round - 1])
    {
        repeats -= 1;
        steps.pop();
    }
    (trace, repeats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::property::Systems;
    use mandala_model::system::{Event, Location};

    /// A run through states of one number each.
    fn run(states: &[i32]) -> Trace {
        let event = Event { location: Location::default(), through: Vec::new() };
        let step = |&state: &i32| Step::<Systems> { event: event.clone(), state: vec![state] };
        Trace { initial: vec![states[0]], steps: states[1..].iter().map(step).collect() }
    }

    fn states(trace: &Trace) -> Vec<i32> {
        trace.initial.iter().copied().chain(trace.steps.iter().map(|step| step.state[0])).collect()
    }

    fn fold(all: &[i32], repeats: usize) -> (Vec<i32>, usize) {
        let (trace, repeats) = folded(run(all), repeats, |a, b| a.state == b.state);
        (states(&trace), repeats)
    }

    #[test]
    fn a_stem_that_repeats_the_loop_is_a_part_of_it() {
        // 0, then 1 2 3 for ever: the stem goes round once and a half.
        assert_eq!(fold(&[0, 1, 2, 3, 1, 2, 3, 1, 2], 5), (vec![0, 1, 2, 3, 1], 1));
        assert_eq!(fold(&[1, 2, 3, 1, 2, 3, 1], 0), (vec![1, 2, 3, 1], 0));
        assert_eq!(fold(&[0, 1, 2, 1], 1), (vec![0, 1, 2, 1], 1));
        assert_eq!(fold(&[0, 1], 1), (vec![0, 1], 1));
    }

    #[test]
    fn a_stem_that_meets_the_loop_enters_it() {
        // The stem meets 3, which is in the loop 4 5 3.
        let (trace, repeats) = entering_early(&run(&[0, 3, 7, 4, 5, 3, 4]), 3).expect("it is sooner");
        assert_eq!((states(&trace), repeats), (vec![0, 3, 4, 5, 3], 1));
        assert!(entering_early(&run(&[0, 1, 2, 1]), 1).is_none());
    }
}
