//! The table in which every expression is made, so that equal ones are one, and what is worked out once for each.
//!
//! Each thread has a table of its own: the layouts that compete in a portfolio make expressions all the time, and would wait
//! for each other at a common one. Expressions of different threads that are equal are still equal, only not the same.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};

use mandala_model::expression::BinaryOperator;
use rustc_hash::{FxHashMap, FxHasher};

use super::{Expression, HOLE, Kind, Term, WithoutValue};

thread_local! {
    static INTERNED: RefCell<Interned> = RefCell::default();
}

/// The expressions that were made, by their hash, as long as they are alive.
#[derive(Default)]
struct Interned {
    terms: FxHashMap<u64, Vec<Weak<Term>>>,
    /// So many were alive when the dead were last swept out.
    alive: usize,
}

/// The dead are not swept out of a smaller table.
const SMALL: usize = 1 << 12;

/// The expression of a kind.
pub(super) fn make(kind: Kind) -> Expression {
    let mut hasher = FxHasher::default();
    kind.hash(&mut hasher);
    let hash = hasher.finish();
    INTERNED.with_borrow_mut(|interned| interned.make(kind, hash))
}

impl Interned {
    fn make(&mut self, kind: Kind, hash: u64) -> Expression {
        if self.terms.len() >= (2 * self.alive).max(SMALL) {
            self.terms.retain(|_, alike| {
                alike.retain(|term| term.strong_count() > 0);
                !alike.is_empty()
            });
            self.alive = self.terms.len();
        }
        let alike = self.terms.entry(hash).or_default();
        if let Some(term) = alike.iter().filter_map(Weak::upgrade).find(|term| term.kind == kind) {
            return Expression(term);
        }
        let (support, can_fail, size) = (support_of(&kind), can_fail(&kind), size_of(&kind));
        let term = Arc::new(Term { kind, hash, can_fail, size, support });
        alike.retain(|term| term.strong_count() > 0);
        alike.push(Arc::downgrade(&term));
        Expression(term)
    }
}

fn can_fail(kind: &Kind) -> bool {
    match kind {
        Kind::Constant(_) | Kind::Variable(_) | Kind::Fails(_) => false,
        Kind::Compare(.., WithoutValue::IsFalse) => false,
        Kind::Nothing | Kind::Element(..) => true,
        Kind::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, left, right) => {
            left.can_fail() || right.value().is_none_or(|value| value == 0)
        }
        Kind::Binary(BinaryOperator::Power, ..) => true,
        Kind::Binary(_, left, right) | Kind::Compare(_, left, right, _) => left.can_fail() || right.can_fail(),
        Kind::Sum(_, parts) => parts.iter().any(|(_, part)| part.can_fail()),
        Kind::BitNot(inner) | Kind::Not(inner) => inner.can_fail(),
        Kind::And(parts) | Kind::Or(parts) => parts.iter().any(Expression::can_fail),
    }
}

fn size_of(kind: &Kind) -> u32 {
    let mut size = 1u32;
    kind.each_part(|part| size = size.saturating_add(part.0.size));
    size
}

fn support_of(kind: &Kind) -> Vec<u32> {
    let mut support: Vec<u32> = Vec::new();
    match kind {
        Kind::Variable(variable) => support.push(*variable),
        Kind::Element(cells, _) => support.extend(cells.iter().filter(|cell| **cell != HOLE)),
        _ => {}
    }
    kind.each_part(|part| support.extend(part.support()));
    support.sort_unstable();
    support.dedup();
    support
}
