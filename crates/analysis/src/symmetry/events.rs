//! What symmetries do to the transitions of a net or a program.
//!
//! A symmetry takes what happens in a state to what happens in the image of the state. If it leaves the state alone, a
//! transition and its image lead to states of one orbit: of the two, one is enough.

use mandala_group::Permutation;
use mandala_model::system::System;
use rustc_hash::FxHashMap;

use super::behaviour::Behaviour;
use super::check::Parents;
use super::points::Points;
use super::terms::Term;
use super::{Preserved, Unknown};

/// The transitions that happen by themselves, of several that do the same the first.
pub struct Events {
    events: Vec<Event>,
}

struct Event {
    /// Its index among the transitions.
    index: u32,
    /// The symmetries, by their number, that take it to one with a lower index.
    lowered_by: Vec<u32>,
}

impl Events {
    /// Under some symmetries, permutations of points. Those that are none are not used. Nothing for a composite.
    pub fn new(system: &System, points: &Points, symmetries: &[Permutation]) -> Result<Option<Events>, Unknown> {
        if system.is_composite() {
            return Ok(None);
        }
        let behaviour = Behaviour::new(system, &Preserved::default(), &points.domains)?;
        let tops: Vec<Term> = behaviour.tops.iter().map(|&(_, top)| top).collect();
        let parents = Parents::new(&behaviour.terms, &tops);
        let mut events = Vec::new();
        let mut number: FxHashMap<Term, usize> = FxHashMap::default();
        for (index, term) in behaviour.own_events() {
            number.entry(term).or_insert_with(|| {
                events.push(Event { index, lowered_by: Vec::new() });
                events.len() - 1
            });
        }
        // Symmetries of a composite may be used where it was made flat, which knows nothing of its domains.
        let symmetries = if points.domains.are_closed(system) { symmetries } else { &[] };
        for (symmetry, permutation) in (0..).zip(symmetries) {
            let Ok(permutation) = points.verified(&behaviour, &parents, permutation) else { continue };
            for (term, image) in behaviour.images(&parents, &permutation) {
                let (from, to) = (number.get(&term), image.and_then(|image| number.get(&image)));
                if let (Some(&from), Some(to)) = (from, to)
                    && *to < from
                {
                    events[from].lowered_by.push(symmetry);
                }
            }
        }
        Ok(Some(Events { events }))
    }

    /// By their indices, transitions of which each other one is an image, as long as it takes but symmetries that leave a
    /// state alone: `leaves_alone` says which do. There may be more than are needed.
    pub fn leading(&self, leaves_alone: &[bool]) -> impl Iterator<Item = u32> {
        let is_lowered = |event: &Event| event.lowered_by.iter().any(|&symmetry| leaves_alone[symmetry as usize]);
        self.events.iter().filter(move |event| !is_lowered(event)).map(|event| event.index)
    }
}
