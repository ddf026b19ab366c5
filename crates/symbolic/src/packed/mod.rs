//! States in machine words, to be enumerated one by one.
//!
//! Each diagram variable is a field of some bits, and a state is a few words: the first variable has the most significant
//! bits of the first word, so that states in ascending order are in that of a diagram.
//!
//! - [`net`]: markings of a bounded net, and its transitions on words.
//! - [`program`]: the transitions of a program on the values of its variables.

pub mod net;
pub mod program;

/// Some bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Which word.
    pub word: usize,
    /// How far from its least significant bit.
    pub shift: u32,
    /// The greatest value.
    pub most: u32,
    /// As many ones as it has bits.
    ones: u64,
}

impl Field {
    fn new(most: u32) -> Field {
        let bits = u32::BITS - most.leading_zeros();
        Field { word: 0, shift: 0, most, ones: (1u64 << bits) - 1 }
    }

    fn bits(self) -> u32 {
        self.ones.count_ones()
    }

    /// Its bits, in its word.
    pub fn mask(self) -> u64 {
        self.ones << self.shift
    }

    /// Its value in its word.
    #[inline(always)]
    pub fn of(self, word: u64) -> u32 {
        (word >> self.shift & self.ones) as u32
    }
}

/// Fields with these greatest values, one after the other, and how many words they are in. A field does not go beyond its
/// word.
pub fn placed(most: impl IntoIterator<Item = u32>) -> (Vec<Field>, usize) {
    let (mut word, mut free) = (0, u64::BITS);
    let place = |most| {
        let mut field = Field::new(most);
        if field.bits() > free {
            (word, free) = (word + 1, u64::BITS);
        }
        free -= field.bits();
        field.word = word;
        // A field without bits may begin where a word ends.
        field.shift = free.min(u64::BITS - 1);
        field
    };
    let fields = most.into_iter().map(place).collect();
    (fields, word + 1)
}
