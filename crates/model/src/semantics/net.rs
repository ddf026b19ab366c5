//! Firing the transitions of a net, one or several together.

use super::error::{Failure, Work};
use super::{Cause, Prepared, States, distinct};
use crate::net::{Effect, Net};
use std::collections::BTreeMap;

/// What several transitions together ask of a place and do to it. Wider than the numbers of arcs, so that sums fit.
#[derive(Clone, Copy, Default)]
struct Joint {
    take: i64,
    need: i64,
    below: Option<i64>,
    reset: bool,
    put: i64,
}

impl Joint {
    fn add(&mut self, effect: &Effect) {
        self.take += i64::from(effect.take);
        self.need = self.need.max(i64::from(effect.needs()));
        let below = effect.below.map(i64::from);
        self.below = [self.below, below].into_iter().flatten().min();
        self.reset |= effect.reset;
        self.put += i64::from(effect.put);
    }

    fn allowed(&self, tokens: i64) -> bool {
        tokens >= self.take && tokens >= self.need && self.below.is_none_or(|bound| tokens < bound)
    }

    fn after(&self, tokens: i64) -> i64 {
        let kept = if self.reset { 0 } else { tokens - self.take };
        kept + self.put
    }
}

/// The marking after these transitions have fired together, if they may.
pub(super) fn fire(net: &Net, together: &[u32], marking: &[i32]) -> Result<Option<Vec<i32>>, Failure> {
    if let [single] = together {
        let effects = &net.transitions[*single as usize].effects;
        // Most transitions cannot fire in most markings, and most of those for lack of tokens.
        if effects.iter().any(|effect| marking[effect.place as usize] < effect.needs()) {
            return Ok(None);
        }
        let effects = effects.iter().map(|effect| {
            let mut joint = Joint::default();
            joint.add(effect);
            (effect.place, joint)
        });
        return apply(net, *single, effects, marking);
    }
    let mut joints: BTreeMap<u32, Joint> = BTreeMap::new();
    for &transition in together {
        for effect in &net.transitions[transition as usize].effects {
            joints.entry(effect.place).or_default().add(effect);
        }
    }
    match together.first() {
        Some(&first) => apply(net, first, joints.iter().map(|(&place, &joint)| (place, joint)), marking),
        None => Ok(Some(marking.to_vec())),
    }
}

/// An overflow in one place is one only if every other place allows the firing.
fn apply(
    net: &Net, transition: u32, effects: impl Iterator<Item = (u32, Joint)> + Clone, marking: &[i32],
) -> Result<Option<Vec<i32>>, Failure> {
    let allowed = effects.clone().all(|(place, effect)| {
        let tokens = i64::from(marking[place as usize]);
        let capacity = net.places[place as usize].capacity;
        effect.allowed(tokens) && capacity.is_none_or(|most| effect.after(tokens) <= i64::from(most))
    });
    if !allowed {
        return Ok(None);
    }
    let mut after = marking.to_vec();
    for (place, effect) in effects {
        let tokens = &mut after[place as usize];
        *tokens = i32::try_from(effect.after(i64::from(*tokens))).map_err(|_| {
            let place = net.places[place as usize].name.clone();
            Failure::of(transition, Cause::Overflow { place })
        })?;
    }
    Ok(Some(after))
}

/// What a sequence of labels does to a marking: each is the choice of a transition, and they fire together.
pub(super) fn call(
    prepared: &Prepared<'_>, labels: &[u32], work: &mut Work, fire: &Fire<'_>,
) -> Result<States, Failure> {
    let mut all = Vec::new();
    let mut chosen = Vec::with_capacity(labels.len());
    choose(prepared, labels, fire, &mut chosen, &mut all, work)?;
    Ok(distinct(all))
}

/// What transitions do together to a marking.
pub(super) type Fire<'f> = dyn Fn(&[u32]) -> Result<Option<Vec<i32>>, Failure> + 'f;

/// Tries every choice for the labels that are left. The recursion is as deep as there are calls of one instance in one
/// step, so what goes beyond a thousand is refused.
fn choose(
    prepared: &Prepared<'_>, labels: &[u32], fire: &Fire<'_>, chosen: &mut Vec<u32>, all: &mut States, work: &mut Work,
) -> Result<(), Failure> {
    work.step()?;
    let Some((label, rest)) = labels.split_first() else {
        all.extend(fire(chosen)?);
        return if all.len() > Work::MOST_STATES {
            Err(Cause::TooManyStates(Work::MOST_STATES).into())
        } else {
            Ok(())
        };
    };
    if chosen.len() >= 1000 {
        return Err(Cause::TooDeep.into());
    }
    for &transition in &prepared.labelled[*label as usize] {
        chosen.push(transition);
        choose(prepared, rest, fire, chosen, all, work)?;
        chosen.pop();
    }
    Ok(())
}
