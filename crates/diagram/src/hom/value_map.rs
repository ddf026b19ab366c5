//! Maps on the values of one variable.

use std::fmt;
use std::sync::Arc as Shared;

/// What happens to the value of a variable: values outside an interval are dropped, the others are
/// changed.
///
/// Value maps are what the transitions of a net are made of. They compose: "at least 2, then subtract
/// 1" followed by "at most 5" is again one map.
///
/// ```
/// use mandala_diagram::ValueMap;
///
/// let take = ValueMap::at_least(2).then(&ValueMap::add(-1)).unwrap();
/// assert_eq!(take.apply(5), [4]);
/// assert_eq!(take.apply(1), []);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ValueMap(pub(crate) Map);

/// What a value map is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Map {
    /// Values from `low` to `high`, each plus `delta`.
    Add { low: i32, high: i32, delta: i32 },
    /// Values from `low` to `high`, all of them replaced.
    Assign { low: i32, high: i32, value: i32 },
    /// Any finite relation: sorted pairs of a value and what it may become.
    Relation(Shared<[(i32, i32)]>),
}

/// The result of one value.
pub(crate) enum Image {
    Nothing,
    One(i32),
    /// The value cannot be represented.
    Overflow,
}

/// Values in a small range.
const SMALL_RANGE: i64 = 16;

impl ValueMap {
    /// Keeps every value.
    pub fn identity() -> ValueMap {
        ValueMap(Map::Add { low: i32::MIN, high: i32::MAX, delta: 0 })
    }

    /// Keeps the values of at least `low`.
    pub fn at_least(low: i32) -> ValueMap {
        ValueMap(Map::Add { low, high: i32::MAX, delta: 0 })
    }

    /// Keeps the values of at most `high`.
    pub fn at_most(high: i32) -> ValueMap {
        ValueMap(Map::Add { low: i32::MIN, high, delta: 0 })
    }

    /// Keeps the values from `low` to `high`.
    pub fn between(low: i32, high: i32) -> ValueMap {
        ValueMap(Map::Add { low, high, delta: 0 })
    }

    /// Keeps one value.
    pub fn equal(value: i32) -> ValueMap {
        ValueMap(Map::Add { low: value, high: value, delta: 0 })
    }

    /// Adds to every value.
    ///
    /// A sum that is not an `i32` is undefined: the result is ⊤ there. It is not if the same chain
    /// of value maps and local applications drops the sequence, at this variable or at another. What
    /// drops it later, after a composition that is more than a chain, may come too late: ⊤ then says
    /// that there may have been an overflow. A result without ⊤ is always right.
    pub fn add(delta: i32) -> ValueMap {
        ValueMap(Map::Add { low: i32::MIN, high: i32::MAX, delta })
    }

    /// Replaces every value.
    pub fn assign(value: i32) -> ValueMap {
        ValueMap(Map::Assign { low: i32::MIN, high: i32::MAX, value })
    }

    /// Relates values as the pairs say: a value may become any of several others, and one that no
    /// pair begins with is dropped.
    ///
    /// ```
    /// use mandala_diagram::ValueMap;
    ///
    /// let step = ValueMap::relation([(0, 1), (1, 2), (1, 0)]);
    /// assert_eq!(step.apply(1), [0, 2]);
    /// ```
    pub fn relation(pairs: impl IntoIterator<Item = (i32, i32)>) -> ValueMap {
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_unstable();
        pairs.dedup();
        ValueMap(as_sum(&pairs).unwrap_or_else(|| Map::Relation(pairs.into())))
    }

    /// This map, and then another, as one map; `None` if no single map does that.
    pub fn then(&self, next: &ValueMap) -> Option<ValueMap> {
        compose(&self.0, &next.0).map(ValueMap)
    }

    /// What a value becomes. Nothing where the sum is not an `i32`.
    pub fn apply(&self, value: i32) -> Vec<i32> {
        match &self.0 {
            Map::Relation(pairs) => related(pairs, value).iter().map(|pair| pair.1).collect(),
            map => match map.image(value) {
                Image::One(value) => vec![value],
                Image::Nothing | Image::Overflow => Vec::new(),
            },
        }
    }
}

impl fmt::Debug for ValueMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let guard = |f: &mut fmt::Formatter<'_>, low: i32, high: i32| match (low, high) {
            (i32::MIN, i32::MAX) => Ok(()),
            (i32::MIN, _) => write!(f, "[<= {high}]"),
            (_, i32::MAX) => write!(f, "[>= {low}]"),
            _ if low == high => write!(f, "[= {low}]"),
            _ => write!(f, "[{low}..{high}]"),
        };
        match &self.0 {
            Map::Add { low, high, delta } => {
                guard(f, *low, *high)?;
                if *delta == 0 { Ok(()) } else { write!(f, "{delta:+}") }
            }
            Map::Assign { low, high, value } => {
                guard(f, *low, *high)?;
                write!(f, ":= {value}")
            }
            Map::Relation(pairs) => f.debug_list().entries(pairs.iter()).finish(),
        }
    }
}

impl Map {
    /// Whether no value passes.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Map::Add { low, high, .. } | Map::Assign { low, high, .. } => low > high,
            Map::Relation(pairs) => pairs.is_empty(),
        }
    }

    /// Whether every value that passes stays what it is.
    pub(crate) fn is_selector(&self) -> bool {
        match self {
            Map::Add { delta, .. } => *delta == 0,
            Map::Assign { low, high, value } => low == high && low == value,
            Map::Relation(pairs) => pairs.iter().all(|(from, to)| from == to),
        }
    }

    /// Whether a value that changes was in a small range, so that values cannot go on to change without end.
    pub(crate) fn is_confined(&self) -> bool {
        match self {
            Map::Add { low, high, delta } => *delta == 0 || i64::from(*high) - i64::from(*low) < SMALL_RANGE,
            Map::Assign { .. } | Map::Relation(_) => true,
        }
    }

    /// What an interval map makes of a value; relations are asked with [`related`].
    pub(crate) fn image(&self, value: i32) -> Image {
        match *self {
            Map::Add { low, high, delta } if (low..=high).contains(&value) => match value.checked_add(delta) {
                Some(value) => Image::One(value),
                None => Image::Overflow,
            },
            Map::Assign { low, high, value: new } if (low..=high).contains(&value) => Image::One(new),
            _ => Image::Nothing,
        }
    }

    /// The map backwards: `y` is related to `x` if the map relates `x` to `y`. The values that an
    /// assignment may have overwritten are among `possible`.
    pub(crate) fn inverse(&self, possible: &[i32]) -> Map {
        let passing = |low: i32, high: i32| possible.iter().copied().filter(move |x| (low..=high).contains(x));
        match *self {
            Map::Add { low, high, delta } => {
                let shift = |bound: i32| i64::from(bound) + i64::from(delta);
                // A sum that is no `i32` is nobody's successor.
                let (least, most) = (shift(low).max(i32::MIN.into()), shift(high).min(i32::MAX.into()));
                match delta.checked_neg() {
                    Some(delta) if least <= most => Map::Add { low: least as i32, high: most as i32, delta },
                    _ => passing(low, high).filter_map(|x| Some((x.checked_add(delta)?, x))).into_relation(),
                }
            }
            Map::Assign { low, high, value } => passing(low, high).map(|x| (value, x)).into_relation(),
            Map::Relation(ref pairs) => pairs.iter().map(|&(x, y)| (y, x)).into_relation(),
        }
    }
}

/// Sorted pairs that add the same number to all integers from one to another, as such a map: it is faster.
fn as_sum(pairs: &[(i32, i32)]) -> Option<Map> {
    let (&(low, image), &(high, _)) = (pairs.first()?, pairs.last()?);
    let delta = image.checked_sub(low)?;
    let follows = |(place, pair): (usize, &(i32, i32))| {
        i64::from(pair.0) == i64::from(low) + place as i64 && pair.0.checked_add(delta) == Some(pair.1)
    };
    pairs.iter().enumerate().all(follows).then_some(Map::Add { low, high, delta })
}

trait IntoRelation: Iterator<Item = (i32, i32)> + Sized {
    fn into_relation(self) -> Map {
        ValueMap::relation(self).0
    }
}

impl<I: Iterator<Item = (i32, i32)>> IntoRelation for I {}

/// The pairs that begin with a value.
pub(crate) fn related(pairs: &[(i32, i32)], value: i32) -> &[(i32, i32)] {
    let start = pairs.partition_point(|pair| pair.0 < value);
    let end = pairs.partition_point(|pair| pair.0 <= value);
    &pairs[start..end]
}

/// `first`, then `second`, as one map: at least max(pre1, pre2 - delta1), then delta1 + delta2.
///
/// `None` where no single map does exactly the same: a value that overflows on the way is undefined,
/// also if the second map would have brought it back.
fn compose(first: &Map, second: &Map) -> Option<Map> {
    let nothing = Map::Add { low: 1, high: 0, delta: 0 };
    let some = |map: Map| Some(if map.is_empty() { nothing.clone() } else { map });
    match (first, second) {
        (&Map::Add { low, high, delta }, Map::Add { .. } | Map::Assign { .. }) => {
            let fits = low.checked_add(delta).is_some() && high.checked_add(delta).is_some();
            if !fits && low <= high && delta != 0 {
                return None;
            }
            // A bound on the sum as a bound on the value. What is no bound stays
            // none; a bound must not become an extreme, because sets of integers may go beyond it.
            let before = |bound: i32, none: i32| {
                if bound == none || delta == 0 {
                    return Some(bound);
                }
                bound.checked_sub(delta).filter(|&bound| bound != i32::MIN && bound != i32::MAX)
            };
            match *second {
                Map::Add { low: low2, high: high2, delta: delta2 } => {
                    let (low, high) = (low.max(before(low2, i32::MIN)?), high.min(before(high2, i32::MAX)?));
                    some(Map::Add { low, high, delta: delta.checked_add(delta2)? })
                }
                Map::Assign { low: low2, high: high2, value } => {
                    let (low, high) = (low.max(before(low2, i32::MIN)?), high.min(before(high2, i32::MAX)?));
                    some(Map::Assign { low, high, value })
                }
                Map::Relation(_) => unreachable!("matched with intervals"),
            }
        }
        (&Map::Assign { low, high, value }, Map::Add { .. } | Map::Assign { .. }) => match second.image(value) {
            Image::One(value) => some(Map::Assign { low, high, value }),
            Image::Nothing => Some(nothing),
            Image::Overflow => None,
        },
        (Map::Relation(pairs), Map::Add { .. } | Map::Assign { .. }) => {
            let mut result = Vec::with_capacity(pairs.len());
            for &(x, y) in pairs.iter() {
                match second.image(y) {
                    Image::One(z) => result.push((x, z)),
                    Image::Nothing => {}
                    Image::Overflow => return None,
                }
            }
            Some(result.into_iter().into_relation())
        }
        (Map::Relation(pairs), Map::Relation(more)) => {
            let images = |&(x, y): &(i32, i32)| related(more, y).iter().map(move |&(_, z)| (x, z));
            Some(pairs.iter().flat_map(images).into_relation())
        }
        (&Map::Add { low, high, delta }, Map::Relation(pairs)) => {
            if low.checked_add(delta).is_none() || high.checked_add(delta).is_none() {
                return None;
            }
            let before = |&(y, z): &(i32, i32)| Some((y.checked_sub(delta)?, z));
            let pairs = pairs.iter().filter_map(before).filter(|(x, _)| (low..=high).contains(x));
            Some(pairs.into_relation())
        }
        (&Map::Assign { low, high, value }, Map::Relation(pairs)) => match related(pairs, value) {
            [] => Some(nothing),
            [(_, z)] => some(Map::Assign { low, high, value: *z }),
            _ => None,
        },
    }
}
