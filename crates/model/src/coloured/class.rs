//! Colour classes, and sets of their colours.

use std::borrow::Cow;

/// A finite set of colours. A colour is its index, from 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// What its colours are called.
    pub names: Names,
    /// What is known about their order.
    pub order: ClassOrder,
    /// Named sets of its colours. Where these share no colour and leave none out, they are the static subclasses of the class.
    pub subclasses: Vec<Subclass>,
}

/// What the colours of a class are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// One name each.
    Listed(Vec<String>),
    /// A prefix (which may be empty) and a number, which grows by one from colour to colour.
    Numbered {
        /// What all names begin with.
        prefix: String,
        /// The number of colour 0.
        first: i64,
        /// How many colours there are.
        count: u32,
    },
}

/// What order the colours of a class have, and what comes after the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClassOrder {
    /// None.
    #[default]
    Unordered,
    /// From the first to the last: the last has no successor and the first no predecessor.
    Linear,
    /// Round and round: the successor of the last is the first. Comparisons are by position all the same.
    Circular,
}

/// A named set of colours of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subclass {
    /// Its name.
    pub name: String,
    /// Its colours, in ascending order, as ranges `first..end` that neither touch nor overlap.
    pub ranges: Vec<(u32, u32)>,
}

/// A set of colours that an expression names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colours {
    /// The class.
    pub class: u32,
    /// One of its subclasses; all of the class if there is none.
    pub subclass: Option<u32>,
}

impl Class {
    /// How many colours it has.
    pub fn len(&self) -> u32 {
        match &self.names {
            Names::Listed(names) => names.len() as u32,
            Names::Numbered { count, .. } => *count,
        }
    }

    /// Whether it has no colours.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a colour is called.
    pub fn name_of(&self, colour: u32) -> Cow<'_, str> {
        match &self.names {
            Names::Listed(names) => Cow::Borrowed(&names[colour as usize]),
            Names::Numbered { prefix, first, .. } => Cow::Owned(format!("{prefix}{}", first + i64::from(colour))),
        }
    }

    /// The colour with a name. Takes time in proportion to the class where names are listed.
    pub fn find(&self, name: &str) -> Option<u32> {
        match &self.names {
            Names::Listed(names) => names.iter().position(|one| one == name).map(|at| at as u32),
            Names::Numbered { prefix, first, count } => {
                let number: i64 = name.strip_prefix(prefix.as_str())?.parse().ok()?;
                let colour = u32::try_from(number.checked_sub(*first)?).ok().filter(|colour| colour < count)?;
                (self.name_of(colour) == name).then_some(colour)
            }
        }
    }

    /// The colours of a set of this class, as ranges `first..end` in ascending order.
    pub fn ranges(&self, subclass: Option<u32>) -> Cow<'_, [(u32, u32)]> {
        match subclass {
            Some(index) => Cow::Borrowed(&self.subclasses[index as usize].ranges),
            None if self.is_empty() => Cow::Borrowed(&[]),
            None => Cow::Owned(vec![(0, self.len())]),
        }
    }

    /// The colour `steps` after (or before, if negative) another one, if there is one.
    pub fn shift(&self, colour: u32, steps: i64) -> Option<u32> {
        let length = i64::from(self.len());
        let target = i64::from(colour).checked_add(steps)?;
        match self.order {
            ClassOrder::Circular => Some(target.rem_euclid(length) as u32),
            _ => (0..length).contains(&target).then_some(target as u32),
        }
    }

    /// Whether its subclasses share no colour and leave none out.
    pub fn is_partitioned(&self) -> bool {
        let mut ranges: Vec<(u32, u32)> = self.subclasses.iter().flat_map(|one| one.ranges.iter().copied()).collect();
        ranges.sort_unstable();
        let mut end = 0;
        for (first, after) in ranges {
            if first != end {
                return false;
            }
            end = after;
        }
        !self.subclasses.is_empty() && end == self.len()
    }
}

impl Subclass {
    /// The set of some colours.
    pub fn new(name: impl Into<String>, mut colours: Vec<u32>) -> Subclass {
        colours.sort_unstable();
        colours.dedup();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for colour in colours {
            match ranges.last_mut() {
                Some((_, end)) if *end == colour => *end += 1,
                _ => ranges.push((colour, colour + 1)),
            }
        }
        Subclass { name: name.into(), ranges }
    }

    /// Whether a colour is in it.
    pub fn contains(&self, colour: u32) -> bool {
        let at = self.ranges.partition_point(|&(_, end)| end <= colour);
        self.ranges.get(at).is_some_and(|&(first, _)| first <= colour)
    }

    /// Its colours, in ascending order.
    pub fn colours(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges.iter().flat_map(|&(first, end)| first..end)
    }
}
