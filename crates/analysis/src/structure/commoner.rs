//! Commoner's property: every siphon holds a trap that is marked in the beginning.
//!
//! In a dead marking of a net whose arcs take one token at a time, the empty places are a siphon: what would put a token there
//! needs one of them. If every siphon holds a marked trap, none is ever empty, and nothing is ever dead. Where places that share a
//! transition are such that the transitions of one are among those of the other (asymmetric choice; free choice is a case of it), a
//! transition that never fires again leaves a siphon empty, too: then every transition can always fire again (Hack, "Analysis of
//! production schemata by Petri nets", 1972; Best and Shields, "Some equivalence results for free choice nets and simple nets and on
//! the periodicity of live free choice nets", 1983).

use mandala_model::net::Net;

use super::closed::{Asking, Closed, closed_sets};

/// What Commoner's property shows of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lively {
    /// Something can always fire.
    NeverDead,
    /// Every transition can always fire again.
    Live,
}

/// More siphons than this are not looked at.
const MOST_SIPHONS: usize = 10_000;

/// What Commoner's property shows of a net that begins with a marking, if it is found to have it within a budget.
pub fn commoner(net: &Net, initial: &[i32], budget: u64) -> Option<Lively> {
    let effects = || net.transitions.iter().flat_map(|transition| &transition.effects);
    let is_plain = effects().all(|effect| effect.needs() <= 1 && effect.below.is_none() && !effect.reset)
        && net.places.iter().all(|place| place.capacity.is_none())
        && net.transitions.iter().all(|transition| transition.label.is_none())
        && !net.has_priorities();
    if !is_plain || net.transitions.is_empty() {
        return None;
    }
    let siphons = closed_sets(net, Closed::Siphon, MOST_SIPHONS, budget);
    if !siphons.complete {
        return None;
    }
    let (traps, mut left) = (Asking::new(net, Closed::Trap), budget);
    for siphon in siphons.sets {
        let trap = traps.greatest_within(siphon, &mut left);
        if left == 0 || !trap.iter().any(|&place| initial[place as usize] > 0) {
            return None;
        }
    }
    Some(if effects().all(|effect| effect.put <= 1) && has_asymmetric_choice(net, left) {
        Lively::Live
    } else {
        Lively::NeverDead
    })
}

/// Whether of two places that a transition needs the transitions that need one are among those that need the other.
fn has_asymmetric_choice(net: &Net, mut budget: u64) -> bool {
    let needed = |transition: usize| net.transitions[transition].effects.iter().filter(|effect| effect.needs() > 0);
    // Transitions ascend in these lists.
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); net.places.len()];
    for transition in 0..net.transitions.len() {
        needed(transition).for_each(|effect| users[effect.place as usize].push(transition as u32));
    }
    let holds = |larger: &[u32], smaller: &[u32]| smaller.iter().all(|one| larger.binary_search(one).is_ok());
    (0..net.transitions.len()).all(|transition| {
        // Along these places, from the one that is needed least, each has the transitions of the one before.
        let mut places: Vec<u32> = needed(transition).map(|effect| effect.place).collect();
        places.sort_by_key(|&place| users[place as usize].len());
        places.windows(2).all(|pair| {
            let (smaller, larger) = (&users[pair[0] as usize], &users[pair[1] as usize]);
            budget = budget.saturating_sub(1 + smaller.len() as u64);
            budget > 0 && holds(larger, smaller)
        })
    })
}
