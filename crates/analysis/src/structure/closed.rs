//! Siphons and traps: sets of places that stay empty, or stay marked.
//!
//! A *siphon* is a set of places such that whatever puts a token into it also needs one there: once empty, it is empty for
//! ever. A *trap* is one such that whatever takes tokens out of it (or empties a place of it) leaves one there: once marked,
//! it is marked for ever. Those that hold no smaller one are listed: in a dead marking of an ordinary net some siphon is empty, and
//! one that holds a marked trap never is.
//!
//! The search takes a place, and for each transition that obliges the set and is not satisfied by it the places that would
//! satisfy it, one after the other. There may be more of these sets than anyone can list, so the search has a budget.

use mandala_model::net::{Effect, Net};

/// Which sets of places are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// Siphons: once empty, empty for ever.
    Siphon,
    /// Traps: once marked, marked for ever.
    Trap,
}

/// Sets of places that hold no smaller set of their kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClosedSets {
    /// Those that were found, each in ascending order.
    pub sets: Vec<Vec<u32>>,
    /// Whether these are all.
    pub complete: bool,
}

/// A budget for [`closed_sets`]: it takes about a second.
pub const PATIENCE: u64 = 20_000_000;

/// The siphons or traps of a net that hold no smaller one, at most so many, as far as they are found within a budget.
pub fn closed_sets(net: &Net, kind: Closed, most: usize, budget: u64) -> ClosedSets {
    let mut search = Search::new(net, kind, most, budget);
    let mut complete = true;
    for start in 0..net.places.len() as u32 {
        complete &= search.from(start);
        if !complete {
            break;
        }
    }
    search.found.sort();
    search.found.dedup();
    ClosedSets { sets: search.found, complete }
}

/// Whether a transition asks something of a set that holds the place of an effect.
fn obliges(kind: Closed, effect: &Effect) -> bool {
    match kind {
        Closed::Siphon => effect.put > 0,
        Closed::Trap => effect.take > 0 || effect.reset,
    }
}

/// Whether the place of an effect is what a transition asks for.
fn satisfies(kind: Closed, effect: &Effect) -> bool {
    match kind {
        Closed::Siphon => effect.needs() > 0,
        Closed::Trap => effect.put > 0 || !effect.reset && effect.needs() > effect.take,
    }
}

/// What the transitions of a net ask of sets of places of a kind.
pub struct Asking {
    /// By place, the transitions that ask something of a set with it.
    obliging: Vec<Vec<u32>>,
    /// By transition, the places that satisfy it.
    satisfying: Vec<Vec<u32>>,
}

impl Asking {
    /// What a net asks.
    pub fn new(net: &Net, kind: Closed) -> Asking {
        let mut obliging = vec![Vec::new(); net.places.len()];
        let mut satisfying = vec![Vec::new(); net.transitions.len()];
        for (index, transition) in (0..).zip(&net.transitions) {
            for effect in &transition.effects {
                if obliges(kind, effect) {
                    obliging[effect.place as usize].push(index);
                }
                if satisfies(kind, effect) {
                    satisfying[index as usize].push(effect.place);
                }
            }
        }
        Asking { obliging, satisfying }
    }

    /// The greatest set of the kind among some places: what asks for more than there is leaves, until nothing does. What that takes is
    /// taken from a budget, which it may exceed.
    pub fn greatest_within(&self, mut places: Vec<u32>, budget: &mut u64) -> Vec<u32> {
        let mut inside = vec![false; self.obliging.len()];
        places.iter().for_each(|&place| inside[place as usize] = true);
        loop {
            let before = places.len();
            let mut spent = 0;
            places.retain(|&place| {
                let stays = self.obliging[place as usize].iter().all(|&transition| {
                    let satisfying = &self.satisfying[transition as usize];
                    spent += 1 + satisfying.len() as u64;
                    satisfying.iter().any(|&place| inside[place as usize])
                });
                inside[place as usize] = stays;
                stays
            });
            *budget = budget.saturating_sub(spent);
            if places.len() == before {
                return places;
            }
        }
    }
}

struct Search {
    asking: Asking,
    /// The set that is tried.
    inside: Vec<bool>,
    set: Vec<u32>,
    found: Vec<Vec<u32>>,
    most: usize,
    budget: u64,
}

impl Search {
    fn new(net: &Net, kind: Closed, most: usize, budget: u64) -> Search {
        let inside = vec![false; net.places.len()];
        Search { asking: Asking::new(net, kind), inside, set: Vec::new(), found: Vec::new(), most, budget }
    }

    /// Finds the sets whose first place is this one. Whether the search came to its end.
    fn from(&mut self, start: u32) -> bool {
        self.add(start);
        // What is left to try at each step of the way: how large the set was then, and the places.
        let mut open: Vec<(usize, std::vec::IntoIter<u32>)> = Vec::new();
        let mut is_fresh = true;
        let ended = loop {
            if self.budget == 0 || self.found.len() >= self.most {
                break false;
            }
            if is_fresh {
                match self.unsatisfied() {
                    None => self.keep(),
                    Some(transition) => {
                        let places = self.asking.satisfying[transition as usize].clone();
                        self.budget = self.budget.saturating_sub(places.len() as u64);
                        // Sets with an earlier place were found from there.
                        let later: Vec<u32> = places.into_iter().filter(|&place| place > start).collect();
                        open.push((self.set.len(), later.into_iter()));
                    }
                }
            }
            let Some((size, places)) = open.last_mut() else { break true };
            let size = *size;
            let next = places.next();
            self.shrink_to(size);
            match next {
                Some(place) => self.add(place),
                None => {
                    open.pop();
                }
            }
            is_fresh = next.is_some();
        };
        self.shrink_to(0);
        ended
    }

    fn add(&mut self, place: u32) {
        self.inside[place as usize] = true;
        self.set.push(place);
    }

    fn shrink_to(&mut self, size: usize) {
        for place in self.set.drain(size..) {
            self.inside[place as usize] = false;
        }
    }

    /// A transition that asks something that the set does not have.
    fn unsatisfied(&mut self) -> Option<u32> {
        for &place in &self.set {
            for &transition in &self.asking.obliging[place as usize] {
                let places = &self.asking.satisfying[transition as usize];
                self.budget = self.budget.saturating_sub(1 + places.len() as u64);
                if !places.iter().any(|&place| self.inside[place as usize]) {
                    return Some(transition);
                }
            }
        }
        None
    }

    /// Keeps the set, or a smaller one that it holds.
    fn keep(&mut self) {
        let mut smallest = self.set.clone();
        let mut tried = 0;
        while let Some(&without) = smallest.get(tried) {
            let rest: Vec<u32> = smallest.iter().copied().filter(|&place| place != without).collect();
            let smaller = self.asking.greatest_within(rest, &mut self.budget);
            match smaller.is_empty() {
                true => tried += 1,
                false => (smallest, tried) = (smaller, 0),
            }
        }
        smallest.sort_unstable();
        if !self.found.contains(&smallest) {
            self.found.push(smallest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::net::{Initial, Place, Transition};

    fn is_closed(net: &Net, kind: Closed, set: &[u32]) -> bool {
        net.transitions.iter().all(|transition| {
            let inside = |effect: &&Effect| set.contains(&effect.place);
            let asked = transition.effects.iter().filter(inside).any(|effect| obliges(kind, effect));
            !asked || transition.effects.iter().filter(inside).any(|effect| satisfies(kind, effect))
        })
    }

    /// All sets of places, one by one.
    fn all_of(net: &Net, kind: Closed) -> Vec<Vec<u32>> {
        let count = net.places.len() as u32;
        let sets = (1u32..1 << count).map(|bits| (0..count).filter(|place| bits >> place & 1 == 1).collect());
        let closed: Vec<Vec<u32>> = sets.filter(|set: &Vec<u32>| is_closed(net, kind, set)).collect();
        let holds = |set: &Vec<u32>, other: &Vec<u32>| set != other && other.iter().all(|place| set.contains(place));
        let mut least: Vec<Vec<u32>> =
            closed.iter().filter(|set| !closed.iter().any(|other| holds(set, other))).cloned().collect();
        least.sort();
        least
    }

    #[test]
    fn the_same_as_all_sets_one_by_one() {
        let mut seed = 0x2545_F491_4F6C_DD1D_u64;
        let mut below = |bound: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 20) % bound
        };
        let mut found = 0;
        for _ in 0..2000 {
            let places = 1 + below(6) as u32;
            let transition = |below: &mut dyn FnMut(u64) -> u64| {
                let effects = (0..places).filter_map(|place| {
                    let kind = below(8);
                    let effect = Effect::on(place);
                    Some(match kind {
                        0 | 1 => Effect { take: 1, ..effect },
                        2 | 3 => Effect { put: 2, ..effect },
                        4 => Effect { read: 1, ..effect },
                        5 => Effect { reset: true, put: below(2) as i32, ..effect },
                        _ => return None,
                    })
                });
                Transition { effects: effects.collect(), ..Transition::default() }
            };
            let transitions = (0..1 + below(6)).map(|_| transition(&mut below)).collect();
            let net = Net {
                places: (0..places).map(|_| Place { name: String::new(), capacity: None }).collect(),
                transitions,
                initial: vec![Initial { name: String::new(), marking: vec![0; places as usize] }],
                ..Net::default()
            };
            for kind in [Closed::Siphon, Closed::Trap] {
                let sets = closed_sets(&net, kind, 1000, PATIENCE);
                assert!(sets.complete);
                assert_eq!(sets.sets, all_of(&net, kind), "{kind:?} of {net:?}");
                found += sets.sets.len();
                let some = closed_sets(&net, kind, 1000, 5);
                assert!(some.sets.iter().all(|set| sets.sets.contains(set)));
            }
        }
        assert!(found > 3000, "{found}");
    }
}
