//! Nets that are not bounded.
//!
//! A run from `m` to `m' ≥ m`, `m' ≠ m`, shows that a net is not bounded if it can be repeated for ever with the same
//! gain. Write `G` for the places with more tokens in `m'`. In the repetition every place holds what it held the first
//! time, and those of `G` perhaps more. So:
//!
//! - Takes and reads stay possible.
//! - An inhibitor arc from a place of `G` might forbid it: no transition of the run may have one.
//! - A capacity of a place of `G` might forbid it: none may have one.
//! - A place of `G` that the run empties by a reset holds afterwards what it held after the first time: it is not lower,
//!   but it does not grow. One place of `G` must not be reset.
//! - A transition of the run is held back if one of a higher priority is allowed. None is the first time; one might be later,
//!   with more tokens in `G`. So each of those must be forbidden by a place outside of `G`, which holds exactly what it held,
//!   or by an inhibitor arc, which more tokens do not open.
//!
//! The run is searched for by many walks, as Karp and Miller's tree would by exhaustion: each marking is compared with
//! markings before it on the walk. Walks choose by chance, but always the same chance. Nothing follows from finding
//! none.

use super::walk::{Runner, Step, Walk};
use mandala_model::net::{Effect, Net};

/// A run that shows that a net is not bounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The initial marking that it begins in, by its index.
    pub begin: usize,
    /// Transitions that fire first.
    pub prefix: Vec<u32>,
    /// Transitions that can then fire again and again.
    pub cycle: Vec<u32>,
    /// The places that hold more tokens after each repetition, ascending; never empty.
    pub grows: Vec<u32>,
}

/// A budget for [`unbounded`] that finds a run in most nets that have a short one; it takes less than a second.
pub const PATIENCE: u64 = 20_000_000;

/// A run that shows that the net is not bounded, from one of these initial markings (by their indices), if one is found.
/// Transitions with a label do not fire.
pub fn unbounded(net: &Net, begins: &[usize], budget: u64) -> Option<Witness> {
    let runner = Runner::new(net);
    let mut spent = 0;
    for round in 0u64.. {
        let begin = *begins.get((round % begins.len().max(1) as u64) as usize)?;
        let mut walk = runner.walk(&net.initial.get(begin)?.marking);
        let found = attempt(net, &runner, &mut walk, round, budget.saturating_sub(spent));
        spent += walk.spent;
        if found.is_some() || spent >= budget {
            return found.map(|found| Witness { begin, ..found });
        }
    }
    None
}

/// Whether a witness is true of a net: replays it and checks the rules.
pub fn verify(net: &Net, witness: &Witness) -> bool {
    let Some(initial) = net.initial.get(witness.begin) else { return false };
    let runner = Runner::new(net);
    let start = replay(&runner, initial.marking.clone(), &witness.prefix);
    start.and_then(|start| growth(net, &runner, &start, &witness.cycle)).is_some_and(|grows| grows == witness.grows)
}

/// How a walk chooses among a few transitions drawn from those that may fire.
#[derive(Clone, Copy)]
enum Choice {
    /// The first drawn.
    Any,
    /// The one that comes first in an order drawn for the walk: it tends to go in circles.
    Ordered,
    /// The one that makes most tokens.
    Gaining,
}

/// One walk. Later rounds walk longer.
fn attempt(net: &Net, runner: &Runner, walk: &mut Walk, round: u64, budget: u64) -> Option<Witness> {
    let mut chance = Chance(round.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66);
    let choice = [Choice::Ordered, Choice::Any, Choice::Gaining][(round % 3) as usize];
    let order_seed = chance.next();
    let length = 50usize << (round / 6).min(12);
    let initial = walk.marking.clone();
    let mut ancestors = Ancestors { kept: vec![Ancestor::new(0, initial.clone())], spent: 0 };
    let mut path = Vec::new();
    while path.len() < length && walk.spent < budget {
        let transition = choose(net, &walk.free(), choice, order_seed, &mut chance)?;
        let steps = walk.fire(transition)?;
        path.push(transition);
        ancestors.spent = 0;
        let covered = ancestors.advance(&steps);
        walk.spent += ancestors.spent;
        for (start, before) in covered {
            walk.spent += (path.len() - start + before.len()) as u64;
            if growth(net, runner, &before, &path[start..]).is_some_and(|grows| !grows.is_empty()) {
                return witness(net, runner, initial, &path, start);
            }
        }
        ancestors.keep(path.len(), &walk.marking);
    }
    None
}

/// The witness that a path gives, replayed from the beginning.
fn witness(net: &Net, runner: &Runner, initial: Vec<i32>, path: &[u32], start: usize) -> Option<Witness> {
    let (prefix, cycle) = path.split_at(start);
    let before = replay(runner, initial, prefix)?;
    let grows = growth(net, runner, &before, cycle)?;
    let witness = Witness { begin: 0, prefix: prefix.to_vec(), cycle: cycle.to_vec(), grows };
    verify(net, &witness).then_some(witness)
}

fn choose(net: &Net, enabled: &[u32], choice: Choice, order_seed: u64, chance: &mut Chance) -> Option<u32> {
    let mut draw = || enabled.get((chance.next() >> 16) as usize % enabled.len().max(1)).copied();
    let first = draw()?;
    let rank = |transition: u32| match choice {
        Choice::Any => 0,
        Choice::Ordered => (Chance(order_seed ^ u64::from(transition)).next() >> 2) as i64,
        Choice::Gaining => {
            let effects = net.transitions.get(transition as usize).map_or(&[][..], |transition| &transition.effects);
            effects.iter().map(|effect| i64::from(effect.put) - i64::from(effect.take)).sum()
        }
    };
    let others = match choice {
        Choice::Any => 0,
        Choice::Ordered => 6,
        Choice::Gaining => 2,
    };
    (0..others).try_fold(first, |best, _| Some(draw().filter(|&other| rank(other) > rank(best)).unwrap_or(best)))
}

/// The marking after a run; `None` if it is not possible.
fn replay(runner: &Runner, mut marking: Vec<i32>, run: &[u32]) -> Option<Vec<i32>> {
    for &transition in run {
        for step in runner.step(&marking, transition)? {
            marking[step.place as usize] = step.after;
        }
    }
    Some(marking)
}

/// The places that a run makes grow each time it is repeated; `None` if the rules do not show that it can be, or that
/// some do.
fn growth(net: &Net, runner: &Runner, before: &[i32], run: &[u32]) -> Option<Vec<u32>> {
    let after = replay(runner, before.to_vec(), run)?;
    if before.iter().zip(&after).any(|(before, after)| after < before) {
        return None;
    }
    let gains = |place: u32| after.get(place as usize) > before.get(place as usize);
    let mut reset = vec![false; before.len()];
    for &transition in run {
        for effect in &net.transitions.get(transition as usize)?.effects {
            if gains(effect.place) && effect.below.is_some() {
                return None;
            }
            *reset.get_mut(effect.place as usize)? |= effect.reset;
        }
    }
    let gaining = (0..).zip(&net.places).filter(|(place, _)| gains(*place));
    if gaining.clone().any(|(_, place)| place.capacity.is_some()) {
        return None;
    }
    if !runner.ahead.is_empty() && !stays_free(net, runner, before, run, gains)? {
        return None;
    }
    let grows: Vec<u32> = gaining.map(|(place, _)| place).filter(|&place| !reset[place as usize]).collect();
    (!grows.is_empty()).then_some(grows)
}

/// Whether nothing ever holds back a transition of a run that is repeated while some places gain tokens.
fn stays_free(net: &Net, runner: &Runner, before: &[i32], run: &[u32], gains: impl Fn(u32) -> bool) -> Option<bool> {
    let mut marking = before.to_vec();
    for &index in run {
        let forbids = |effect: &Effect| {
            let place = effect.place as usize;
            let (Some(&tokens), Some(limits)) = (marking.get(place), net.places.get(place)) else { return false };
            effect.below.is_some_and(|bound| tokens >= bound)
                || !gains(effect.place) && matches!(effect.apply(tokens, limits.capacity), Ok(None))
        };
        let mut higher = runner.ahead.of_priority(net, net.transitions.get(index as usize)?.priority).iter();
        if !higher.all(|&other| net.transitions[other as usize].effects.iter().any(forbids)) {
            return Some(false);
        }
        for step in runner.step(&marking, index)? {
            marking[step.place as usize] = step.after;
        }
    }
    Some(true)
}

/// Markings before the present one on a walk: all of the last few, and fewer and fewer of those long ago.
struct Ancestors {
    kept: Vec<Ancestor>,
    spent: u64,
}

struct Ancestor {
    /// How many transitions fired before it.
    position: usize,
    marking: Vec<i32>,
    /// In how many places the present marking has fewer, and more.
    fewer: usize,
    more: usize,
}

impl Ancestor {
    fn new(position: usize, marking: Vec<i32>) -> Ancestor {
        Ancestor { position, marking, fewer: 0, more: 0 }
    }
}

impl Ancestors {
    const MOST: usize = 96;

    /// Follows a change of the present marking; the ancestors (position and marking) that it now covers strictly.
    fn advance(&mut self, steps: &[Step]) -> Vec<(usize, Vec<i32>)> {
        let mut covered = Vec::new();
        self.spent += (self.kept.len() * (steps.len() + 1)) as u64;
        for ancestor in &mut self.kept {
            for step in steps {
                let then = ancestor.marking[step.place as usize];
                ancestor.fewer = ancestor.fewer + usize::from(step.after < then) - usize::from(step.before < then);
                ancestor.more = ancestor.more + usize::from(step.after > then) - usize::from(step.before > then);
            }
            if ancestor.fewer == 0 && ancestor.more > 0 {
                covered.push((ancestor.position, ancestor.marking.clone()));
            }
        }
        covered
    }

    /// Keeps the present marking. When there are too many, every second one of the older half goes.
    fn keep(&mut self, position: usize, marking: &[i32]) {
        if self.kept.len() >= Ancestors::MOST {
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index > Ancestors::MOST / 2 || index % 2 == 1
            });
        }
        self.spent += marking.len() as u64 / 8;
        self.kept.push(Ancestor::new(position, marking.to_vec()));
    }
}

/// Numbers that look random (SplitMix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ (value >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::net::{Initial, Place, Transition};

    /// Place 0 holds a token that goes to place 1 and back; on the way back something is done to place 2.
    fn net(effect: Effect) -> Net {
        let transition = |effects| Transition { effects, ..Transition::default() };
        Net {
            places: vec![Place { name: String::new(), capacity: None }; 3],
            transitions: vec![
                transition(vec![Effect { take: 1, ..Effect::on(0) }, Effect { put: 1, ..Effect::on(1) }]),
                transition(vec![Effect { put: 1, ..Effect::on(0) }, Effect { take: 1, ..Effect::on(1) }, effect]),
            ],
            initial: vec![Initial { name: String::new(), marking: vec![1, 0, 0] }],
            ..Net::default()
        }
    }

    #[test]
    fn a_place_that_fills_is_found() {
        let net = net(Effect { put: 1, ..Effect::on(2) });
        let witness = unbounded(&net, &[0], 10_000).expect("it grows");
        assert_eq!(witness.grows, vec![2]);
        assert_eq!(witness.cycle.len() % 2, 0);
        assert!(verify(&net, &witness));
        assert!(!verify(&net, &Witness { grows: vec![0], ..witness.clone() }));
        assert!(!verify(&net, &Witness { cycle: vec![1], ..witness }));
    }

    #[test]
    fn a_bounded_net_is_not_claimed() {
        assert_eq!(unbounded(&net(Effect::on(2)), &[0], 10_000), None);
    }

    #[test]
    fn inhibitors_resets_and_capacities_hold_growth_back() {
        assert_eq!(unbounded(&net(Effect { put: 1, below: Some(3), ..Effect::on(2) }), &[0], 10_000), None);
        assert_eq!(unbounded(&net(Effect { put: 1, reset: true, ..Effect::on(2) }), &[0], 10_000), None);
        let mut full = net(Effect { put: 1, ..Effect::on(2) });
        full.places[2].capacity = Some(5);
        assert_eq!(unbounded(&full, &[0], 10_000), None);
    }

    #[test]
    fn a_called_transition_does_not_fire_by_itself() {
        let mut net = net(Effect { put: 1, ..Effect::on(2) });
        net.transitions[1].label = Some("call".into());
        assert_eq!(unbounded(&net, &[0], 10_000), None);
    }

    /// The same, with a transition of a higher priority.
    fn with_higher(effects: Vec<Effect>) -> Net {
        let mut net = net(Effect { put: 1, ..Effect::on(2) });
        net.transitions.push(Transition { effects, priority: 1, ..Transition::default() });
        net
    }

    #[test]
    fn priorities_hold_growth_back() {
        // Two tokens in place 2 are too many for the others.
        let bounded = with_higher(vec![Effect { read: 2, ..Effect::on(2) }]);
        assert_eq!(unbounded(&bounded, &[0], 100_000), None);
        let by_hand = Witness { begin: 0, prefix: Vec::new(), cycle: vec![0, 1], grows: vec![2] };
        assert!(!verify(&bounded, &by_hand));
        assert_eq!(unbounded(&with_higher(vec![Effect { take: 1, ..Effect::on(2) }]), &[0], 100_000), None);
        assert_eq!(unbounded(&with_higher(Vec::new()), &[0], 100_000), None);
    }

    #[test]
    fn a_place_that_fills_in_spite_of_priorities_is_found() {
        for effects in [
            // It needs a place that is always empty, or one that does not grow.
            vec![Effect { take: 1, ..Effect::on(0) }, Effect { take: 1, ..Effect::on(1) }],
            vec![Effect { read: 2, ..Effect::on(1) }, Effect { take: 1, ..Effect::on(2) }],
            // It is forbidden by the place that grows, once there is a token.
            vec![Effect { below: Some(1), put: 1, ..Effect::on(2) }],
        ] {
            let net = with_higher(effects);
            let witness = unbounded(&net, &[0], 100_000).expect("it grows");
            assert!(verify(&net, &witness) && witness.grows == [2], "{witness:?}");
        }
    }

    #[test]
    fn what_has_a_higher_priority_may_grow() {
        let mut net = with_higher(vec![Effect { put: 1, ..Effect::on(1) }]);
        let witness = unbounded(&net, &[0], 100_000).expect("it grows");
        assert_eq!((witness.cycle, witness.grows), (vec![2], vec![1]));
        net.transitions[2].label = Some("call".into());
        assert_eq!(unbounded(&net, &[0], 100_000).expect("it grows").grows, [2]);
    }

    #[test]
    fn tokens_that_do_not_fit_end_a_walk() {
        let net = net(Effect { put: i32::MAX, ..Effect::on(2) });
        let witness = unbounded(&net, &[0], 10_000);
        assert!(witness.is_none_or(|witness| verify(&net, &witness)));
    }
}
