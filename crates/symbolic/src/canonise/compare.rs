//! Whether a symmetry makes a state smaller: the selectors `red`, `stab` and `incr` of the thesis (3.3.2).
//!
//! A state is compared with its image slot by slot, in an order that does not depend on that of the diagram. On the way
//! down, values become known in another order than they are compared in; what is kept is the sequence of comparisons that
//! are still open, up to the first one that decides.

use std::cmp::Ordering;

use mandala_diagram::{Answer, Error, Hom, Inductive, Store, Variable};
use mandala_group::Orbits;

use super::action::{Action, Renaming};

/// One side of a comparison, or what a slot gets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    /// What a slot further down holds, renamed.
    Slot(Variable, Renaming),
    /// Known.
    Value(i32),
}

impl Side {
    pub(super) fn is_of(&self, slot: Variable) -> bool {
        matches!(self, Side::Slot(own, _) if *own == slot)
    }

    /// The side where a slot has a value.
    pub(super) fn know(&mut self, slot: Variable, value: i32) {
        if let Side::Slot(own, renaming) = self
            && *own == slot
        {
            *self = Side::Value(renaming.apply(value));
        }
    }
}

/// How the image of a state compares with the state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Comparison {
    /// What is compared, in this order: what the image has there, what the state has there.
    pub(super) open: Vec<(Side, Side)>,
    /// What is the case if all of these are equal.
    pub(super) then: Ordering,
}

impl Comparison {
    /// The comparison of a state with its image; `ranks` says of each slot when it is compared.
    pub(super) fn new(action: &Action, ranks: &[u32]) -> Comparison {
        let mut moves: Vec<_> = action.moves.iter().collect();
        moves.sort_by_key(|one| ranks.get(one.to as usize));
        let mut open = Vec::with_capacity(moves.len());
        // What is equal in any case is left out: for a transposition this is one of the two comparisons, and in general
        // one of each cycle (3.3.2: the transpositions of a permutation).
        let mut equal = Orbits::new(ranks.len());
        for one in moves {
            if one.renaming == Renaming::Same {
                if equal.same(one.to, one.from) {
                    continue;
                }
                equal.unite(one.to, one.from);
            }
            open.push((Side::Slot(one.from, one.renaming.clone()), Side::Slot(one.to, Renaming::Same)));
        }
        Comparison { open, then: Ordering::Equal }
    }

    /// What is left to compare where a slot has a value.
    pub(super) fn know(&mut self, slot: Variable, value: i32) {
        let mut at = 0;
        while at < self.open.len() {
            let (image, own) = &mut self.open[at];
            image.know(slot, value);
            own.know(slot, value);
            match (image, own) {
                (Side::Value(image), Side::Value(own)) if image == own => {
                    self.open.remove(at);
                }
                (Side::Value(image), Side::Value(own)) => {
                    self.then = (*image).cmp(own);
                    self.open.truncate(at);
                }
                _ => at += 1,
            }
        }
    }

    pub(super) fn depends_on(&self, slot: Variable) -> bool {
        self.open.iter().any(|(image, own)| image.is_of(slot) || own.is_of(slot))
    }

    /// Whether it is decided.
    pub(super) fn verdict(&self) -> Option<Ordering> {
        self.open.is_empty().then_some(self.then)
    }
}

/// Which states a selector selects, by how their image compares with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selected {
    /// Those that the symmetry makes smaller: `red`.
    Reduced,
    /// Those that it leaves as they are: `stab`.
    Stable,
    /// Those that it makes larger: `incr`.
    Increased,
    /// Those that it does not make smaller.
    Leading,
}

impl Selected {
    fn selects(self, image: Ordering) -> bool {
        match self {
            Selected::Reduced => image == Ordering::Less,
            Selected::Stable => image == Ordering::Equal,
            Selected::Increased => image == Ordering::Greater,
            Selected::Leading => image != Ordering::Less,
        }
    }
}

/// Keeps some states. `ranks` says of each slot when it is compared: states are compared slot by slot in this order.
pub fn select(store: &mut Store, action: &Action, ranks: &[u32], selected: Selected) -> Hom {
    selector(store, Comparison::new(action, ranks), selected)
}

fn selector(store: &mut Store, comparison: Comparison, selected: Selected) -> Hom {
    match comparison.verdict() {
        Some(image) if selected.selects(image) => store.identity(),
        Some(_) => store.null(),
        None => store.inductive(Selector { comparison, selected }),
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Selector {
    comparison: Comparison,
    selected: Selected,
}

impl Inductive for Selector {
    fn skips(&self, variable: Variable) -> bool {
        !self.comparison.depends_on(variable)
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let mut comparison = self.comparison.clone();
        comparison.know(variable, value);
        Ok(match comparison.verdict() {
            Some(image) if !self.selected.selects(image) => Answer::Drop,
            _ => Answer::Keep(selector(store, comparison, self.selected)),
        })
    }

    fn is_selector(&self) -> bool {
        true
    }
}
