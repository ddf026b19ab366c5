//! The net that the rules work on: plain arcs, places that come and go, and the equations that were made so far.

use super::Patience;
use super::equation::Equation;
use mandala_model::net::Net;

/// After so many operations it is asked whether to go on.
const OPERATIONS_BETWEEN_LOOKS: u64 = 100_000;

/// A net in the making. Its places are *nodes*: those of the net first, then those that rules make.
pub(super) struct Work<'p> {
    pub(super) nodes: Vec<Node>,
    pub(super) events: Vec<Event>,
    pub(super) equations: Vec<Equation>,
    /// Transitions and equations: what the transition needs of the place of the equation does not follow from what else
    /// it needs, because the transition was gone before the place.
    pub(super) unimplied: Vec<(u32, u32)>,
    /// Operations that may still be spent.
    pub(super) budget: u64,
    /// Operations since it was last asked whether to go on.
    unseen: u64,
    goes_on: &'p dyn Fn() -> bool,
    /// Whether a place that stands for several may follow from several others.
    pub(super) couples: bool,
}

/// A place.
pub(super) struct Node {
    pub(super) is_alive: bool,
    pub(super) tokens: i64,
    /// Transitions with an arc to it, each once; also those that are gone.
    pub(super) events: Vec<u32>,
    /// Whether its tokens stand for several markings: those of a sum, and of what a sum follows from.
    pub(super) is_weighty: bool,
}

/// A transition. Where it is gone, its arcs say what it needed, in terms of the places that are left.
pub(super) struct Event {
    pub(super) fate: Fate,
    /// At most one per place, ascending.
    pub(super) arcs: Vec<Arc>,
}

/// What became of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is still there.
    Kept,
    /// It never fires.
    Dead,
    /// Whatever it does is done by others, too.
    Redundant,
}

/// What a transition needs of a place and leaves there. What it reads it takes and puts back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Arc {
    pub(super) node: u32,
    pub(super) take: i64,
    pub(super) put: i64,
}

impl Arc {
    pub(super) fn change(&self) -> i64 {
        self.put - self.take
    }
}

impl Event {
    pub(super) fn is_kept(&self) -> bool {
        self.fate == Fate::Kept
    }

    pub(super) fn arc(&self, node: u32) -> Option<&Arc> {
        let at = self.arcs.binary_search_by_key(&node, |arc| arc.node).ok()?;
        Some(&self.arcs[at])
    }

    pub(super) fn take(&self, node: u32) -> i64 {
        self.arc(node).map_or(0, |arc| arc.take)
    }

    /// The places from which and to which it moves one token, if that is all it does.
    pub(super) fn as_move(&self) -> Option<(u32, u32)> {
        match self.arcs[..] {
            [a, b] if (a.take, a.put, b.take, b.put) == (1, 0, 0, 1) => Some((a.node, b.node)),
            [a, b] if (a.take, a.put, b.take, b.put) == (0, 1, 1, 0) => Some((b.node, a.node)),
            _ => None,
        }
    }
}

impl<'p> Work<'p> {
    /// A net with an initial marking, if the rules know all that it has: arcs that take, put and read, and nothing else.
    pub(super) fn new(net: &Net, marking: &[i32], patience: Patience<'p>, couples: bool) -> Option<Work<'p>> {
        let places = net.places.len();
        if marking.len() != places || net.has_priorities() || net.places.iter().any(|place| place.capacity.is_some()) {
            return None;
        }
        let mut nodes: Vec<Node> = Vec::with_capacity(places);
        for &tokens in marking {
            nodes.push(Node { is_alive: true, tokens: tokens.into(), events: Vec::new(), is_weighty: false });
        }
        let mut events = Vec::with_capacity(net.transitions.len());
        for (index, transition) in (0..).zip(&net.transitions) {
            if transition.label.is_some() {
                return None;
            }
            let mut arcs = Vec::with_capacity(transition.effects.len());
            for effect in &transition.effects {
                if effect.below.is_some() || effect.reset || effect.place as usize >= places {
                    return None;
                }
                let take = i64::from(effect.needs());
                let put = i64::from(effect.put) + take - i64::from(effect.take);
                if (take, put) != (0, 0) {
                    arcs.push(Arc { node: effect.place, take, put });
                    nodes[effect.place as usize].events.push(index);
                }
            }
            events.push(Event { fate: Fate::Kept, arcs });
        }
        let Patience { operations: budget, goes_on } = patience;
        let (equations, unimplied) = (Vec::new(), Vec::new());
        Some(Work { nodes, events, equations, unimplied, budget, unseen: 0, goes_on, couples })
    }

    /// Spends so many operations; whether there were as many left.
    pub(super) fn spend(&mut self, operations: usize) -> bool {
        let left = self.budget.checked_sub(operations as u64);
        self.budget = left.unwrap_or(0);
        self.unseen += operations as u64;
        left.is_some() && (self.unseen < OPERATIONS_BETWEEN_LOOKS || self.may_go_on())
    }

    /// Asks whether to go on; if not, nothing is left to be spent. The net is a smaller net as it should be at any time.
    pub(super) fn may_go_on(&mut self) -> bool {
        self.unseen = 0;
        if self.budget > 0 && !(self.goes_on)() {
            self.budget = 0;
        }
        self.budget > 0
    }

    /// Applies rules one after the other, as long as work may go on; whether one of them changed anything.
    pub(super) fn apply(&mut self, rules: &[fn(&mut Work<'_>) -> bool]) -> bool {
        let mut changed = false;
        for rule in rules {
            if !self.may_go_on() {
                break;
            }
            changed |= rule(self);
        }
        changed
    }

    /// Places that are there.
    pub(super) fn alive(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.nodes).filter(|(_, node)| node.is_alive).map(|(index, _)| index)
    }

    /// Transitions that are there.
    pub(super) fn kept(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.events).filter(|(_, event)| event.is_kept()).map(|(index, _)| index)
    }

    /// The arcs of a place, of transitions that are there.
    pub(super) fn arcs_of(&self, node: u32) -> impl Iterator<Item = (u32, &Arc)> + '_ {
        let events = self.nodes[node as usize].events.iter();
        events.filter_map(move |&index| {
            let event = &self.events[index as usize];
            if event.is_kept() { event.arc(node).map(|arc| (index, arc)) } else { None }
        })
    }

    /// How the transitions that are there change a place, ascending by transition.
    pub(super) fn row(&self, node: u32) -> Vec<(u32, i64)> {
        let mut row: Vec<(u32, i64)> =
            self.arcs_of(node).map(|(event, arc)| (event, arc.change())).filter(|change| change.1 != 0).collect();
        row.sort_unstable();
        row
    }

    /// Takes a transition away that never fires: nothing needs to know what it needed.
    pub(super) fn remove_dead(&mut self, event: u32) {
        let event = &mut self.events[event as usize];
        event.fate = Fate::Dead;
        event.arcs = Vec::new();
    }

    /// Takes a transition away whose work is done by others.
    pub(super) fn remove_redundant(&mut self, event: u32) {
        self.events[event as usize].fate = Fate::Redundant;
    }

    /// Takes a place away that follows from others: `factor * place = sum of terms + constant` in every marking. What
    /// transitions that are there need of it must follow from what they need of the others.
    pub(super) fn remove_place(&mut self, place: u32, factor: i64, terms: Vec<(u32, i64)>, constant: i64) {
        let equation = self.equations.len() as u32;
        for index in std::mem::take(&mut self.nodes[place as usize].events) {
            let event = &mut self.events[index as usize];
            let Ok(at) = event.arcs.binary_search_by_key(&place, |arc| arc.node) else { continue };
            let needs = event.arcs.remove(at).take;
            if event.fate == Fate::Redundant && !implies(event, factor, &terms, constant, needs) {
                self.unimplied.push((index, equation));
            }
        }
        self.nodes[place as usize].is_alive = false;
        if self.nodes[place as usize].is_weighty {
            terms.iter().for_each(|term| self.nodes[term.0 as usize].is_weighty = true);
        }
        self.equations.push(Equation::Follows { place, factor, terms, constant });
    }

    /// Takes a resource away that is `most` less what is held. It forbids nothing to runs, but what a transition needs of it
    /// has to be looked at where it is counted in how many markings it can fire.
    pub(super) fn remove_lazy(&mut self, resource: u32, held: u32, most: i64) {
        let equation = self.equations.len() as u32;
        for index in std::mem::take(&mut self.nodes[resource as usize].events) {
            let event = &mut self.events[index as usize];
            let Ok(at) = event.arcs.binary_search_by_key(&resource, |arc| arc.node) else { continue };
            if event.arcs.remove(at).take > 0 {
                self.unimplied.push((index, equation));
            }
        }
        let node = &mut self.nodes[resource as usize];
        node.is_alive = false;
        if node.is_weighty {
            self.nodes[held as usize].is_weighty = true;
        }
        let terms = vec![(held, -1)];
        self.equations.push(Equation::Follows { place: resource, factor: 1, terms, constant: most });
    }

    /// Remembers the most that a place holds, which then becomes a part of a sum.
    pub(super) fn limit(&mut self, place: u32, most: i64) {
        self.equations.push(Equation::AtMost { place, most });
    }

    /// Makes one place of several. The initial marking of the sum is the sum of theirs.
    pub(super) fn merge(&mut self, parts: Vec<u32>) -> u32 {
        let whole = self.nodes.len() as u32;
        let (mut tokens, mut events) = (0, Vec::new());
        for &part in &parts {
            let node = &mut self.nodes[part as usize];
            node.is_alive = false;
            tokens += node.tokens;
            events.append(&mut node.events);
        }
        events.sort_unstable();
        events.dedup();
        events.retain(|&index| {
            let event = &mut self.events[index as usize];
            let mut sum = Arc { node: whole, take: 0, put: 0 };
            let before = event.arcs.len();
            event.arcs.retain(|arc| {
                // A place that is not alive and has arcs is one of the parts.
                let is_part = !self.nodes[arc.node as usize].is_alive;
                if is_part {
                    sum.take += arc.take;
                    sum.put += arc.put;
                }
                !is_part
            });
            if event.arcs.len() < before {
                event.arcs.push(sum);
            }
            event.arcs.len() < before || event.arcs.last().is_some_and(|arc| arc.node == whole)
        });
        self.nodes.push(Node { is_alive: true, tokens, events, is_weighty: true });
        self.equations.push(Equation::Sum { whole, parts });
        whole
    }

    /// A place that no transition knows and that is gone at once: what is missing to a sum.
    pub(super) fn slack(&mut self) -> u32 {
        self.nodes.push(Node { is_alive: false, tokens: 0, events: Vec::new(), is_weighty: false });
        self.nodes.len() as u32 - 1
    }
}

/// Whether what a transition needs of other places implies that `factor * place = terms + constant` is at least what it
/// needs of the place.
pub(super) fn implies(event: &Event, factor: i64, terms: &[(u32, i64)], constant: i64, needs: i64) -> bool {
    if needs == 0 {
        return true;
    }
    // A term with a negative factor may take away any amount.
    let mut least = constant;
    for &(node, times) in terms {
        let Some(part) = event.take(node).checked_mul(times).filter(|_| times >= 0) else { return false };
        let Some(sum) = least.checked_add(part) else { return false };
        least = sum;
    }
    // The sum is a multiple of the factor.
    (needs - 1).checked_mul(factor).is_some_and(|below| least > below)
}
