//! Colours, bags and tokens as values.

use std::collections::BTreeMap;

/// A component of a token, or what a variable is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A colour.
    Colour(u32),
    /// A bag of colours.
    Bag(Bag<u32>),
}

/// A token: its components, in the order of the domain.
pub type Token = Vec<Value>;

/// What the variables of a transition are bound to, in their order.
pub type Binding = Vec<Value>;

/// A bag (multiset): how often it has each member. What it has not at all is not listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bag<T: Ord>(BTreeMap<T, u32>);

/// More of one kind than a 32-bit number says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

impl<T: Ord> Default for Bag<T> {
    fn default() -> Bag<T> {
        Bag(BTreeMap::new())
    }
}

impl<T: Ord + Clone> Bag<T> {
    /// The empty bag.
    pub fn new() -> Bag<T> {
        Bag::default()
    }

    /// How often something is in it.
    pub fn count(&self, member: &T) -> u32 {
        self.0.get(member).copied().unwrap_or(0)
    }

    /// Puts something in, so many times.
    pub fn add(&mut self, member: T, times: u32) -> Result<(), TooMany> {
        if times > 0 {
            let count = self.0.entry(member).or_insert(0);
            *count = count.checked_add(times).ok_or(TooMany)?;
        }
        Ok(())
    }

    /// Puts all of another bag in.
    pub fn add_all(&mut self, other: &Bag<T>) -> Result<(), TooMany> {
        other.0.iter().try_for_each(|(member, &times)| self.add(member.clone(), times))
    }

    /// Takes all of another bag out, as far as it is there: nothing is there less than not at all.
    pub fn remove_all(&mut self, other: &Bag<T>) {
        for (member, &times) in &other.0 {
            if let Some(count) = self.0.get_mut(member) {
                *count = count.saturating_sub(times);
                if *count == 0 {
                    self.0.remove(member);
                }
            }
        }
    }

    /// The same bag, so many times.
    pub fn times(mut self, factor: u32) -> Result<Bag<T>, TooMany> {
        if factor == 0 {
            return Ok(Bag::new());
        }
        for count in self.0.values_mut() {
            *count = count.checked_mul(factor).ok_or(TooMany)?;
        }
        Ok(self)
    }

    /// Whether another bag has at least as much of everything.
    pub fn is_included_in(&self, other: &Bag<T>) -> bool {
        self.0.iter().all(|(member, &times)| times <= other.count(member))
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether nothing is in it more than once.
    pub fn is_set(&self) -> bool {
        self.0.values().all(|&times| times == 1)
    }

    /// How much is in it, each member as often as it is there.
    pub fn cardinality(&self) -> u64 {
        self.0.values().map(|&times| u64::from(times)).sum()
    }

    /// Its members with how often they are there, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (T, u32)> + '_ {
        self.0.iter().map(|(member, &times)| (member.clone(), times))
    }
}

impl<T: Ord + Clone> FromIterator<T> for Bag<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Bag<T> {
        let mut bag = Bag::new();
        for member in members {
            let count = bag.0.entry(member).or_insert(0);
            *count = count.saturating_add(1);
        }
        bag
    }
}
