//! A run of a net, one transition after the other.

use super::incidence::tokens;
use mandala_model::net::{Net, Transition};
use mandala_model::system::Ahead;
use std::borrow::Cow;

/// The unchanging part of runs: which transitions look at a place.
pub(crate) struct Runner<'a> {
    net: &'a Net,
    /// By place: transitions that need, are inhibited by or fill it.
    looking: Vec<Vec<u32>>,
    /// The transitions that hold others back.
    pub(crate) ahead: Ahead,
}

/// The marking a run has come to, and what may fire there.
pub(crate) struct Walk<'a> {
    runner: &'a Runner<'a>,
    /// Tokens, by place.
    pub(crate) marking: Vec<i32>,
    /// The transitions that may fire but for their priorities, in no particular order.
    enabled: Vec<u32>,
    /// By transition: where it is among those that may fire.
    position: Vec<Option<u32>>,
    /// Operations spent so far.
    pub(crate) spent: u64,
}

/// How many tokens a place had before and has now.
pub(crate) struct Step {
    pub(crate) place: u32,
    pub(crate) before: i32,
    pub(crate) after: i32,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(net: &'a Net) -> Runner<'a> {
        let mut looking = vec![Vec::new(); net.places.len()];
        for (index, transition) in (0..).zip(&net.transitions) {
            for effect in transition.effects.iter() {
                let Some(place) = net.places.get(effect.place as usize) else { continue };
                if effect.needs() > 0 || effect.below.is_some() || place.capacity.is_some() {
                    looking[effect.place as usize].push(index);
                }
            }
        }
        Runner { net, looking, ahead: Ahead::of(net) }
    }

    /// A run that begins at a marking.
    pub(crate) fn walk(&'a self, marking: &[i32]) -> Walk<'a> {
        let marking = (0..self.net.places.len()).map(|place| tokens(marking, place as u32) as i32).collect();
        let position = vec![None; self.net.transitions.len()];
        let mut walk = Walk { runner: self, marking, enabled: Vec::new(), position, spent: 0 };
        (0..self.net.transitions.len() as u32).for_each(|transition| walk.look(transition));
        walk
    }

    /// What firing a transition by itself changes; `None` if it may not fire, or the tokens would not fit.
    pub(crate) fn step(&self, marking: &[i32], transition: u32) -> Option<Vec<Step>> {
        let transition: &Transition = self.net.transitions.get(transition as usize)?;
        if transition.label.is_some() || self.ahead.hold_back(self.net, transition.priority, marking) {
            return None;
        }
        let step = |effect: &mandala_model::net::Effect| {
            let before = *marking.get(effect.place as usize)?;
            let capacity = self.net.places.get(effect.place as usize)?.capacity;
            let after = effect.apply(before, capacity).ok()??;
            Some(Step { place: effect.place, before, after })
        };
        transition.effects.iter().map(step).collect()
    }
}

impl Walk<'_> {
    /// The transitions that may fire, in no particular order. One that would make more tokens than a number can say is not
    /// among them; if it holds others back, they are, and cannot be fired.
    pub(crate) fn free(&mut self) -> Cow<'_, [u32]> {
        if self.runner.ahead.is_empty() {
            return Cow::Borrowed(&self.enabled);
        }
        self.spent += self.enabled.len() as u64;
        let priority = |index: &u32| self.runner.net.transitions[*index as usize].priority;
        let highest = self.enabled.iter().map(priority).max();
        Cow::Owned(self.enabled.iter().copied().filter(|index| Some(priority(index)) == highest).collect())
    }

    /// Fires a transition; `None`, and nothing happens, if it may not fire.
    pub(crate) fn fire(&mut self, transition: u32) -> Option<Vec<Step>> {
        let mut steps = self.runner.step(&self.marking, transition)?;
        steps.retain(|step| step.before != step.after);
        for step in &steps {
            self.marking[step.place as usize] = step.after;
        }
        for step in &steps {
            for index in 0..self.runner.looking[step.place as usize].len() {
                self.look(self.runner.looking[step.place as usize][index]);
            }
        }
        self.spent += 1;
        Some(steps)
    }

    /// Notes whether a transition may fire now.
    fn look(&mut self, transition: u32) {
        let may = self.may_fire(transition);
        match (self.position[transition as usize], may) {
            (None, true) => {
                self.position[transition as usize] = Some(self.enabled.len() as u32);
                self.enabled.push(transition);
            }
            (Some(position), false) => {
                self.position[transition as usize] = None;
                self.enabled.swap_remove(position as usize);
                if let Some(&moved) = self.enabled.get(position as usize) {
                    self.position[moved as usize] = Some(position);
                }
            }
            _ => {}
        }
    }

    fn may_fire(&mut self, index: u32) -> bool {
        let net = self.runner.net;
        let transition = &net.transitions[index as usize];
        self.spent += 1;
        transition.label.is_none()
            && transition.effects.iter().all(|effect| {
                self.spent += 1;
                let place = effect.place as usize;
                match (self.marking.get(place), net.places.get(place)) {
                    (Some(&tokens), Some(place)) => matches!(effect.apply(tokens, place.capacity), Ok(Some(_))),
                    _ => false,
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::net::{Effect, Initial, Place};

    #[test]
    fn what_may_fire_is_kept_up_to_date() {
        let transition = |effects| Transition { effects, ..Transition::default() };
        let net = Net {
            places: [None, Some(1), None].map(|capacity| Place { name: String::new(), capacity }).to_vec(),
            transitions: vec![
                transition(vec![Effect { take: 1, ..Effect::on(0) }, Effect { put: 1, ..Effect::on(1) }]),
                transition(vec![Effect { take: 1, ..Effect::on(1) }]),
                transition(vec![Effect { below: Some(1), ..Effect::on(1) }, Effect { put: 2, ..Effect::on(2) }]),
            ],
            initial: vec![Initial { name: String::new(), marking: vec![2, 0, 0] }],
            ..Net::default()
        };
        let runner = Runner::new(&net);
        let mut walk = runner.walk(&net.initial[0].marking);
        assert_eq!(walk.enabled, vec![0, 2]);
        assert!(walk.fire(1).is_none());
        assert_eq!(walk.fire(0).map(|steps| steps.len()), Some(2));
        assert_eq!((walk.enabled.clone(), walk.marking.clone()), (vec![1], vec![1, 1, 0]));
        walk.fire(1);
        walk.enabled.sort_unstable();
        assert_eq!((walk.enabled.clone(), walk.marking.clone()), (vec![0, 2], vec![1, 0, 0]));
        walk.fire(2);
        assert_eq!(walk.marking, vec![1, 0, 2]);
    }
}
