//! Infinite words, and what holds of them.
//!
//! A [`Lasso`] is a word that repeats: a stem, and a loop for ever after. If formulas or automata differ, they differ
//! on a lasso, so lassos are all the words that are ever needed.

mod accept;
mod emptiness;
mod equivalence;
mod evaluate;

pub use equivalence::{distinguish, equivalent};

use crate::Atoms;

/// A letter: the set of the atoms that hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Letter {
    bits: Vec<u64>,
}

impl Letter {
    /// The letter in which no atom holds.
    pub fn new() -> Letter {
        Letter::default()
    }

    /// Whether an atom holds.
    pub fn holds(&self, atom: u32) -> bool {
        self.bits.get(atom as usize / 64).is_some_and(|word| word >> (atom % 64) & 1 == 1)
    }

    /// Makes an atom hold or not.
    pub fn set(&mut self, atom: u32, value: bool) {
        let index = atom as usize / 64;
        if index >= self.bits.len() {
            if !value {
                return;
            }
            self.bits.resize(index + 1, 0);
        }
        let bit = 1 << (atom % 64);
        if value {
            self.bits[index] |= bit;
        } else {
            self.bits[index] &= !bit;
        }
        // Equal letters are equal as values.
        while self.bits.last() == Some(&0) {
            self.bits.pop();
        }
    }

    /// The atoms that hold, in order.
    pub fn atoms(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.bits.len() as u32 * 64).filter(|&atom| self.holds(atom))
    }
}

impl FromIterator<u32> for Letter {
    fn from_iter<I: IntoIterator<Item = u32>>(atoms: I) -> Letter {
        let mut letter = Letter::new();
        atoms.into_iter().for_each(|atom| letter.set(atom, true));
        letter
    }
}

/// A word that repeats: the letters of the stem, then those of the loop again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    letters: Vec<Letter>,
    loop_start: usize,
}

impl Lasso {
    /// A word from its stem and its loop, which has a letter at least.
    pub fn new(mut stem: Vec<Letter>, loop_letters: Vec<Letter>) -> Lasso {
        assert!(!loop_letters.is_empty(), "the loop of an infinite word is not empty");
        let loop_start = stem.len();
        stem.extend(loop_letters);
        Lasso { letters: stem, loop_start }
    }

    /// The letters before the loop.
    pub fn stem(&self) -> &[Letter] {
        &self.letters[..self.loop_start]
    }

    /// The letters that repeat.
    pub fn loop_letters(&self) -> &[Letter] {
        &self.letters[self.loop_start..]
    }

    /// The letters of the stem and of one round of the loop.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// The position after this one.
    fn after(&self, position: usize) -> usize {
        if position + 1 == self.letters.len() { self.loop_start } else { position + 1 }
    }

    /// The word with the names of the atoms that hold, such as `{p} ({} {p, q})`: the loop is in brackets.
    pub fn display(&self, atoms: &Atoms) -> String {
        let letter = |letter: &Letter| {
            let names: Vec<String> = letter
                .atoms()
                .map(|atom| atoms.name(atom).map_or_else(|| format!("#{atom}"), str::to_string))
                .collect();
            format!("{{{}}}", names.join(", "))
        };
        let join = |letters: &[Letter]| letters.iter().map(letter).collect::<Vec<_>>().join(" ");
        let stem = join(self.stem());
        let separator = if stem.is_empty() { "" } else { " " };
        format!("{stem}{separator}({})", join(self.loop_letters()))
    }
}
