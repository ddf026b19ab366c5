//! The table in which every expression is made, so that equal ones are one, and what is worked out once for each.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use mandala_model::expression::BinaryOperator;
use rustc_hash::{FxHashMap, FxHasher};

use super::{Expression, HOLE, Kind, Term, WithoutValue};

/// All expressions that are alive, so that equal ones are one.
static INTERNED: Mutex<Interned> = Mutex::new(Interned { terms: None, clean_at: 1 << 12 });

struct Interned {
    terms: Option<FxHashMap<u64, Vec<Weak<Term>>>>,
    /// At so many the dead are swept out.
    clean_at: usize,
}

/// The expression of a kind.
pub(super) fn make(kind: Kind) -> Expression {
    let mut hasher = FxHasher::default();
    kind.hash(&mut hasher);
    let hash = hasher.finish();
    let mut interned = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    let Interned { terms, clean_at } = &mut *interned;
    let terms = terms.get_or_insert_default();
    if terms.len() >= *clean_at {
        terms.retain(|_, alike| {
            alike.retain(|term| term.strong_count() > 0);
            !alike.is_empty()
        });
        *clean_at = (2 * terms.len()).max(1 << 12);
    }
    let alike = terms.entry(hash).or_default();
    if let Some(term) = alike.iter().filter_map(Weak::upgrade).find(|term| term.kind == kind) {
        return Expression(term);
    }
    let (support, can_fail, size) = (support_of(&kind), can_fail(&kind), size_of(&kind));
    let term = Arc::new(Term { kind, hash, can_fail, size, support });
    alike.retain(|term| term.strong_count() > 0);
    alike.push(Arc::downgrade(&term));
    Expression(term)
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
