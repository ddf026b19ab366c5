//! Transitions from their arcs and guards.

use super::expression::Addend;
use super::resolve::Resolver;
use super::{Origin, Reports};
use crate::coloured::{Arc, Place, Tokens, Transition};

/// What an arc does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Take,
    Put,
    Inhibit,
}

/// An arc as it is written.
#[derive(Clone, Debug)]
pub(super) struct ArcDraft {
    pub kind: Kind,
    pub place: u32,
    pub weight: Weight,
    /// The file that the weight is in.
    pub origin: Origin,
}

/// Which tokens an arc is about.
#[derive(Clone, Debug)]
pub(super) enum Weight {
    /// So many without colour.
    Number(u32),
    /// These.
    Tokens(Vec<Addend>),
}

/// So many tokens without colour.
pub(super) fn neutral(count: u32) -> Tokens {
    match count {
        0 => Tokens::none(),
        1 => Tokens::neutral(),
        _ => Tokens::Times(count, Box::new(Tokens::neutral())),
    }
}

/// Adds arcs to a transition.
pub(super) fn arcs(
    transition: &mut Transition, drafts: &[ArcDraft], places: &[Place], resolver: &mut Resolver<'_>,
    reports: &mut Reports,
) {
    for draft in drafts {
        let domain = &places[draft.place as usize].domain;
        let tokens = match &draft.weight {
            Weight::Number(count) => neutral(*count),
            Weight::Tokens(addends) => match reports.of(draft.origin).keep(resolver.tokens(domain, addends)) {
                Some(tokens) => tokens,
                None => continue,
            },
        };
        let list = match draft.kind {
            Kind::Take => &mut transition.takes,
            Kind::Put => &mut transition.puts,
            Kind::Inhibit => &mut transition.inhibitors,
        };
        list.push(Arc { place: draft.place, tokens });
    }
    join(&mut transition.takes);
    join(&mut transition.puts);
}

/// Makes arcs of one place one arc, with all their tokens. Their order is that of the first of each place.
fn join(arcs: &mut Vec<Arc>) {
    let mut first: rustc_hash::FxHashMap<u32, usize> = rustc_hash::FxHashMap::default();
    let mut joined: Vec<Arc> = Vec::with_capacity(arcs.len());
    for arc in arcs.drain(..) {
        match first.get(&arc.place) {
            None => {
                first.insert(arc.place, joined.len());
                joined.push(arc);
            }
            Some(&index) => match &mut joined[index].tokens {
                Tokens::Sum(parts) => parts.push(arc.tokens),
                before => *before = Tokens::Sum(vec![std::mem::replace(before, Tokens::none()), arc.tokens]),
            },
        }
    }
    *arcs = joined;
}
