//! What transitions change, as a sparse matrix.

use mandala_model::net::{Effect, Net, Transition};
use rustc_hash::FxHashSet;

/// The changes that transitions of a net make.
///
/// A change is the number of tokens that a place gains. Where a reset arc makes that depend on the marking, it is the
/// most that the place can gain, and the place is listed as inexact.
pub(crate) struct Incidence {
    /// How many places there are.
    pub(crate) places: usize,
    /// The distinct changes, each in ascending order of places, none empty.
    pub(crate) changes: Vec<Vec<(u32, i64)>>,
    /// By place: whether some change of it is only known from above.
    pub(crate) inexact: Vec<bool>,
}

impl Incidence {
    /// The changes that transitions of `net` make, except those that [`live`] knows never to fire.
    pub(crate) fn new(net: &Net) -> Incidence {
        Incidence::of(net, &live(net, &vec![true; net.transitions.len()]).transitions)
    }

    /// The changes that the given transitions (by transition: whether it is given) make.
    pub(crate) fn of(net: &Net, given: &[bool]) -> Incidence {
        let places = net.places.len();
        let mut changes: Vec<Vec<(u32, i64)>> = Vec::new();
        let mut inexact = vec![false; places];
        let mut seen: FxHashSet<Vec<(u32, i64)>> = FxHashSet::default();
        for (transition, _) in net.transitions.iter().zip(given).filter(|(_, given)| **given) {
            let mut change = Vec::new();
            for effect in transition.effects.iter().filter(|effect| (effect.place as usize) < places) {
                let (gain, exact) = gain(transition, effect);
                if !exact {
                    inexact[effect.place as usize] = true;
                }
                if gain != 0 {
                    change.push((effect.place, gain));
                }
            }
            if !change.is_empty() && seen.insert(change.clone()) {
                changes.push(change);
            }
        }
        Incidence { places, changes, inexact }
    }

    /// By place, the changes of it: which, and how much.
    pub(crate) fn by_place(&self) -> Vec<Vec<(u32, i64)>> {
        let mut rows = vec![Vec::new(); self.places];
        for (index, change) in (0..).zip(&self.changes) {
            for &(place, gain) in change {
                rows[place as usize].push((index, gain));
            }
        }
        rows
    }
}

/// The most tokens that a place gains, and whether that is what it always gains.
///
/// A reset leaves what is put. A transition that fires alone found at least what it needs, and exactly that if an
/// inhibitor arc excludes more. One with a label may fire in one step with others, whose needs then add to its own, so
/// only what it takes itself is certain.
fn gain(transition: &Transition, effect: &Effect) -> (i64, bool) {
    let put = i64::from(effect.put);
    if !effect.reset {
        return (put - i64::from(effect.take), true);
    }
    if transition.label.is_some() {
        return (put - i64::from(effect.take), false);
    }
    let needs = i64::from(effect.needs());
    let exact = effect.below.is_some_and(|bound| i64::from(bound) <= needs + 1);
    (put - needs, exact)
}

/// What may happen at all, as far as that is plain.
pub(crate) struct Live {
    /// By place: whether it may hold a token.
    pub(crate) places: Vec<bool>,
    /// By transition: whether it may fire.
    pub(crate) transitions: Vec<bool>,
}

/// What may happen if only the transitions in `among` may fire: tokens are never taken away, and a transition fires if
/// each place that it needs may hold a token and nothing speaks against it always.
pub(crate) fn live(net: &Net, among: &[bool]) -> Live {
    let marked = |place| net.initial.iter().any(|initial| tokens(&initial.marking, place) > 0);
    let mut places: Vec<bool> = (0..net.places.len() as u32).map(marked).collect();
    let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); places.len()];
    let mut missing = vec![0u32; net.transitions.len()];
    let mut transitions = vec![false; net.transitions.len()];
    let mut ready = Vec::new();
    for (index, transition) in net.transitions.iter().enumerate() {
        if among.get(index) == Some(&false) || never_fires(net, transition) {
            continue;
        }
        for effect in transition.effects.iter().filter(|effect| effect.needs() > 0) {
            if places.get(effect.place as usize) == Some(&false) {
                waiting[effect.place as usize].push(index as u32);
                missing[index] += 1;
            }
        }
        if missing[index] == 0 {
            ready.push(index as u32);
        }
    }
    while let Some(index) = ready.pop() {
        transitions[index as usize] = true;
        for effect in net.transitions[index as usize].effects.iter().filter(|effect| effect.put > 0) {
            if places.get(effect.place as usize) == Some(&false) {
                places[effect.place as usize] = true;
                for &index in &waiting[effect.place as usize] {
                    missing[index as usize] -= 1;
                    if missing[index as usize] == 0 {
                        ready.push(index);
                    }
                }
            }
        }
    }
    Live { places, transitions }
}

/// Whether no marking lets the transition fire: it needs what an inhibitor arc or a capacity forbids. A capacity says
/// nothing about a transition with a label: in one step with others, they may take what is too much.
fn never_fires(net: &Net, transition: &Transition) -> bool {
    transition.effects.iter().any(|effect| {
        let needs = i64::from(effect.needs());
        let kept = if effect.reset { 0 } else { needs - i64::from(effect.take) };
        let capacity = net.places.get(effect.place as usize).and_then(|place| place.capacity);
        effect.below.is_some_and(|bound| i64::from(bound) <= needs)
            || transition.label.is_none() && capacity.is_some_and(|most| kept + i64::from(effect.put) > i64::from(most))
    })
}

/// The tokens of a place in a marking; none where the marking does not say.
pub(crate) fn tokens(marking: &[i32], place: u32) -> i64 {
    marking.get(place as usize).copied().map_or(0, i64::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::net::{Initial, Place};

    fn net(effects: Vec<Effect>, capacity: Option<i32>, label: Option<&str>) -> Net {
        let transition = Transition { name: "t".into(), label: label.map(Into::into), effects, priority: 0 };
        let place = Place { name: "p".into(), capacity };
        let initial = vec![Initial { name: String::new(), marking: vec![2] }];
        Net { places: vec![place], transitions: vec![transition], initial, ..Net::default() }
    }

    #[test]
    fn a_reset_of_a_place_whose_tokens_are_known_is_exact() {
        let effect = Effect { read: 2, below: Some(3), reset: true, put: 1, ..Effect::on(0) };
        let incidence = Incidence::new(&net(vec![effect], None, None));
        assert_eq!(incidence.changes, vec![vec![(0, -1)]]);
        assert_eq!(incidence.inexact, vec![false]);
    }

    #[test]
    fn another_reset_is_known_from_above() {
        let effect = Effect { read: 2, reset: true, put: 3, ..Effect::on(0) };
        let incidence = Incidence::new(&net(vec![effect], None, None));
        assert_eq!(incidence.changes, vec![vec![(0, 1)]]);
        assert_eq!(incidence.inexact, vec![true]);
        let called = Incidence::new(&net(vec![effect], None, Some("a")));
        assert_eq!(called.changes, vec![vec![(0, 3)]]);
    }

    #[test]
    fn what_needs_a_place_that_is_never_marked_is_not_live() {
        let mut net = net(vec![Effect { take: 1, ..Effect::on(0) }, Effect { put: 1, ..Effect::on(1) }], None, None);
        net.places.resize(3, net.places[0].clone());
        let next = vec![Effect { take: 1, ..Effect::on(1) }, Effect { read: 1, put: 1, ..Effect::on(2) }];
        net.transitions.push(Transition { effects: next, ..Transition::default() });
        let live = live(&net, &[true, true]);
        assert_eq!((live.places, live.transitions), (vec![true, true, false], vec![true, false]));
        assert_eq!(super::live(&net, &[false, true]).places, vec![true, false, false]);
    }

    #[test]
    fn transitions_that_never_fire_change_nothing() {
        let inhibited = Effect { take: 2, below: Some(2), ..Effect::on(0) };
        assert!(Incidence::new(&net(vec![inhibited], None, None)).changes.is_empty());
        let full = Effect { put: 3, ..Effect::on(0) };
        assert!(Incidence::new(&net(vec![full], Some(2), None)).changes.is_empty());
        assert_eq!(Incidence::new(&net(vec![full], Some(3), None)).changes.len(), 1);
    }
}
