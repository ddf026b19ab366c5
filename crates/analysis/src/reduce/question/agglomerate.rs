//! Agglomerations: transitions that fill a place and those that empty it become one (Berthelot, "Transformations and
//! decompositions of nets", 1986; Haddad, Pradat-Peyre, "New efficient Petri nets reductions for parallel programs
//! verification", 2006; Thierry-Mieg, "Structural reductions revisited", 2020).
//!
//! Let `p` be an invisible place, `H` the transitions that put tokens there and `F` those that take them, none of them both.
//! The reduced net has no `p`; for each `h` of `H` and `f` of `F` it has `h` and then `f` at once. Its runs are runs of the net.
//!
//! *Afterwards*: each `f` needs nothing but a token of `p` and is invisible. So `f` can fire right after `h`: in a run of the
//! net bring each `f` forward to its `h` (what others need is there all the same), and let the `h` whose token stays in `p` be
//! followed by any `f`. What is seen does not change. If there are several `f`, the choice between them is made earlier, which
//! branching time sees.
//!
//! *Before*: each `h` fills nothing but `p`, reads nothing and is invisible. So `h` can wait until `f` needs its token, and
//! the `h` whose token stays in `p` can be left out. That keeps markings. If nothing else needs what `h` takes, then `h` also never
//! takes from others what they need: a run that ends in the net ends in the reduced one, and the markings before and after `h`
//! have the same choices; so runs and branches are kept, too. An `h` that needs nothing could fire for ever, which is seen.
//!
//! Back: a step of the reduced net is `h` and then `f`, as often as the tokens that `h` puts into `p` allow.

use super::Keeps;
use super::words::Words;
use crate::reduce::work::{Arc, Event, Fate, Work};

/// By how many transitions the net may grow at one place.
const MORE: usize = 0;
/// The most arcs of the transitions that are made at one place, beyond those that are taken away.
const MOST_ARCS: usize = 200;

/// How the transitions at a place become one.
enum Way {
    Before,
    Afterwards,
}

/// Agglomerates at all places where that makes the net no larger.
pub(super) fn agglomerate(work: &mut Work, words: &mut Words, keeps: Keeps) -> bool {
    let mut changed = false;
    for node in work.alive().collect::<Vec<_>>() {
        if work.budget == 0 {
            break;
        }
        changed |= at(work, words, keeps, node);
    }
    changed
}

/// What fills and empties a place.
struct Around {
    node: u32,
    tokens: i64,
    /// Transitions that fill it, with how many tokens.
    fills: Vec<(u32, i64)>,
    /// Transitions that empty it.
    empties: Vec<u32>,
    /// How many tokens each of these takes.
    weight: i64,
}

impl Around {
    fn new(work: &Work, node: u32) -> Option<Around> {
        let here = &work.nodes[node as usize];
        let mut around = Around { node, tokens: here.tokens, fills: Vec::new(), empties: Vec::new(), weight: 0 };
        if !here.is_alive || here.is_weighty {
            return None;
        }
        for (event, arc) in work.arcs_of(node) {
            match (arc.take, arc.put) {
                (0, put) => around.fills.push((event, put)),
                (take, 0) if around.weight == 0 || around.weight == take => {
                    around.weight = take;
                    around.empties.push(event);
                }
                _ => return None,
            }
        }
        let is_whole = |fill: &(u32, i64)| fill.1 % around.weight == 0;
        (!around.fills.is_empty() && around.weight > 0 && around.fills.iter().all(is_whole)).then_some(around)
    }

    fn way(&self, work: &Work, keeps: Keeps) -> Option<Way> {
        if self.may_be_afterwards(work, keeps) {
            return Some(Way::Afterwards);
        }
        self.may_be_before(work, keeps).then_some(Way::Before)
    }

    /// Each `f` needs nothing but `p`, and is invisible.
    fn may_be_afterwards(&self, work: &Work, keeps: Keeps) -> bool {
        let is_lone = |&f: &u32| {
            let mut others = work.events[f as usize].arcs.iter().filter(|arc| arc.node != self.node);
            others.all(|arc| arc.take == 0 && !work.nodes[arc.node as usize].is_weighty)
        };
        // With one `f`, several tokens go the same way.
        let is_simple = self.empties.len() == 1
            || (keeps < Keeps::Branches
                && self.tokens < self.weight
                && self.fills.iter().all(|fill| fill.1 == self.weight));
        is_simple && self.empties.iter().all(is_lone)
    }

    /// Each `h` fills nothing but `p`, reads nothing, and is invisible.
    fn may_be_before(&self, work: &Work, keeps: Keeps) -> bool {
        let is_lone = |&(h, put): &(u32, i64)| {
            let takes = |arc: &Arc| {
                let is_alone = || work.arcs_of(arc.node).all(|(other, arc)| other == h || arc.take == 0);
                arc.put == 0 && !work.nodes[arc.node as usize].is_weighty && (keeps == Keeps::Markings || is_alone())
            };
            let arcs = &work.events[h as usize].arcs;
            let is_bounded = keeps == Keeps::Markings || arcs.len() > 1;
            put == self.weight && is_bounded && arcs.iter().all(|arc| arc.node == self.node || takes(arc))
        };
        self.tokens == 0 && self.fills.iter().all(is_lone)
    }
}

fn at(work: &mut Work, words: &mut Words, keeps: Keeps, node: u32) -> bool {
    let Some(around) = Around::new(work, node) else { return false };
    let (h, f) = (around.fills.len(), around.empties.len());
    if h.saturating_mul(f) > h + f + MORE {
        return false;
    }
    let Some(way) = around.way(work, keeps) else { return false };
    let size = |event: u32| work.events[event as usize].arcs.len();
    let before = around.fills.iter().map(|fill| size(fill.0)).chain(around.empties.iter().map(|&f| size(f)));
    let sizes = around.fills.iter().map(|fill| size(fill.0)).sum::<usize>() * f
        + around.empties.iter().map(|&f| size(f)).sum::<usize>() * h;
    if sizes > before.sum::<usize>() + MOST_ARCS || !work.spend(sizes) {
        return false;
    }
    let mut made = Vec::with_capacity(h * f);
    for &(fills, put) in &around.fills {
        for &empties in &around.empties {
            let times = put / around.weight;
            let Some(event) = then(&work.events[fills as usize], &work.events[empties as usize], times, node) else {
                return false;
            };
            made.push((event, fills, empties, times as u64));
        }
    }
    // Tokens that are there from the beginning go on at once.
    if let (Way::Afterwards, &[f]) = (way, &around.empties[..])
        && around.tokens >= around.weight
    {
        let times = around.tokens / around.weight;
        let mut puts = Vec::new();
        for arc in work.events[f as usize].arcs.iter().filter(|arc| arc.node != node) {
            let more =
                arc.put.checked_mul(times).and_then(|more| more.checked_add(work.nodes[arc.node as usize].tokens));
            let Some(tokens) = more else { return false };
            puts.push((arc.node, tokens));
        }
        puts.into_iter().for_each(|(other, tokens)| work.nodes[other as usize].tokens = tokens);
        words.begin(f, times as u64);
    }
    for (event, fills, empties, times) in made {
        let index = work.events.len() as u32;
        event.arcs.iter().for_each(|arc| work.nodes[arc.node as usize].events.push(index));
        work.events.push(event);
        words.make(fills, empties, times);
    }
    around.fills.iter().for_each(|fill| work.remove_dead(fill.0));
    around.empties.iter().for_each(|&f| work.remove_dead(f));
    work.nodes[node as usize].events.clear();
    work.nodes[node as usize].is_alive = false;
    true
}

/// One transition and then another some times, without the place between them. Nothing if numbers become too large. The second
/// needs nothing but that place if it fires several times.
fn then(first: &Event, second: &Event, times: i64, between: u32) -> Option<Event> {
    let mut arcs = Vec::with_capacity(first.arcs.len() + second.arcs.len());
    let (mut i, mut j) = (0, 0);
    while i < first.arcs.len() || j < second.arcs.len() {
        let node = [first.arcs.get(i), second.arcs.get(j)].into_iter().flatten().map(|arc| arc.node).min()?;
        let none = Arc { node, take: 0, put: 0 };
        let at = |arcs: &[Arc], next: &mut usize| match arcs.get(*next).filter(|arc| arc.node == node) {
            Some(arc) => {
                *next += 1;
                *arc
            }
            None => none,
        };
        let (a, b) = (at(&first.arcs, &mut i), at(&second.arcs, &mut j));
        if node == between {
            continue;
        }
        let take = a.take.max(b.take.checked_sub(a.change())?);
        let change = a.change().checked_add(b.change().checked_mul(times)?)?;
        let put = take.checked_add(change)?;
        if (take, put) != (0, 0) {
            arcs.push(Arc { node, take, put });
        }
    }
    Some(Event { fate: Fate::Kept, arcs })
}
