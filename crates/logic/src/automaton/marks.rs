//! Sets of acceptance marks.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign};

/// How many marks an automaton can have.
pub const MAX_MARKS: u32 = 64;

/// A set of acceptance marks, which are numbers below [`MAX_MARKS`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Marks(u64);

impl Marks {
    /// No mark.
    pub const NONE: Marks = Marks(0);

    /// One mark.
    pub fn one(mark: u32) -> Marks {
        assert!(mark < MAX_MARKS, "a mark is a number below {MAX_MARKS}");
        Marks(1 << mark)
    }

    /// The first so many marks.
    pub fn first(count: u32) -> Marks {
        Marks(1u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1))
    }

    /// Whether there is no mark.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a mark is there.
    pub fn contains(self, mark: u32) -> bool {
        mark < MAX_MARKS && self.0 >> mark & 1 == 1
    }

    /// Whether all of these are in the other set.
    pub fn is_subset(self, other: Marks) -> bool {
        self.0 & !other.0 == 0
    }

    /// Those that are not in the other set.
    pub fn minus(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    /// How many there are.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The marks in order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..MAX_MARKS).filter(move |&mark| self.contains(mark))
    }

    /// The same marks under numbers that are greater by `by`.
    pub fn shifted(self, by: u32) -> Marks {
        Marks(self.0.checked_shl(by).unwrap_or(0))
    }
}

impl BitOr for Marks {
    type Output = Marks;
    fn bitor(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

impl BitOrAssign for Marks {
    fn bitor_assign(&mut self, other: Marks) {
        self.0 |= other.0;
    }
}

impl BitAnd for Marks {
    type Output = Marks;
    fn bitand(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }
}

impl FromIterator<u32> for Marks {
    fn from_iter<I: IntoIterator<Item = u32>>(marks: I) -> Marks {
        marks.into_iter().fold(Marks::NONE, |all, mark| all | Marks::one(mark))
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
