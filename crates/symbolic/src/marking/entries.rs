//! The tokens of symbolic markings.
//!
//! A marking that does not change when colours of one atom are exchanged has equally many of all tokens that such exchanges
//! lead to: of an *orbit of tokens*. So a place holds one number for each orbit. An orbit says how the colours of each atom
//! occur in the token: in which components (as a set of bits), and in bags how often. It is written as a list of *items*
//!
//! - atom, components, if the place has no bags;
//! - atom, components, number of colours, how often in the first bag, in the second one, and so on, if it has.
//!
//! Items with components come first, in the order of their first component, and are one colour each. Then come those that
//! occur in bags only, in ascending order.

use super::palette::{Atom, PlaceShape};

/// A word of a key.
pub(super) type Word = u32;

/// One orbit of tokens of a place, and how many there are of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub place: u32,
    start: u32,
    length: u32,
    pub count: u32,
}

/// Among so many entries one is found sooner by looking at all of them.
const FEW: usize = 6;

/// Orbits of tokens, each with a number.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    words: Vec<Word>,
    pub list: Vec<Entry>,
}

impl Entries {
    /// Without anything, but with room for as much as others have.
    pub fn like(other: &Entries) -> Entries {
        Entries { words: Vec::with_capacity(other.words.len()), list: Vec::with_capacity(other.list.len()) }
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.list.clear();
    }

    pub fn push(&mut self, place: u32, key: &[Word], count: u32) {
        let start = self.words.len() as u32;
        self.words.extend_from_slice(key);
        self.list.push(Entry { place, start, length: key.len() as u32, count });
    }

    pub fn key(&self, entry: &Entry) -> &[Word] {
        &self.words[entry.start as usize..(entry.start + entry.length) as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Entry, &[Word])> {
        self.list.iter().map(|entry| (entry, self.key(entry)))
    }

    /// Sorts by place and key.
    pub fn sort(&mut self) {
        let Entries { words, list } = self;
        let key = |entry: &Entry| &words[entry.start as usize..(entry.start + entry.length) as usize];
        list.sort_unstable_by(|a, b| a.place.cmp(&b.place).then_with(|| key(a).cmp(key(b))));
    }

    /// Sorts, and adds up what is there more than once. Nothing if a number is too large.
    #[must_use]
    pub fn sum_up(&mut self) -> Option<()> {
        if self.list.len() > 1 {
            self.sort();
            let Entries { words, list } = self;
            let key = |entry: &Entry| &words[entry.start as usize..(entry.start + entry.length) as usize];
            let mut kept = 0;
            for at in 1..list.len() {
                let (before, this) = (list[kept], list[at]);
                if before.place == this.place && key(&before) == key(&this) {
                    list[kept].count = before.count.checked_add(this.count)?;
                } else {
                    kept += 1;
                    list[kept] = this;
                }
            }
            list.truncate(kept + 1);
        }
        self.list.retain(|entry| entry.count > 0);
        Some(())
    }

    /// Sorts, and keeps one of those that are alike.
    pub fn keep_one_of_each(&mut self) {
        self.sort();
        let Entries { words, list } = self;
        let key = |entry: &Entry| &words[entry.start as usize..(entry.start + entry.length) as usize];
        list.dedup_by(|b, a| a.place == b.place && key(a) == key(b));
    }

    /// The entries of a place, if they are sorted.
    pub fn of_place(&self, place: u32) -> &[Entry] {
        let first = self.list.partition_point(|entry| entry.place < place);
        let rest = &self.list[first..];
        &rest[..rest.partition_point(|entry| entry.place == place)]
    }

    /// How many there are of a key, if they are sorted.
    pub fn count(&self, place: u32, key: &[Word]) -> u32 {
        if self.list.len() <= FEW {
            let is_it = |entry: &&Entry| entry.place == place && self.key(entry) == key;
            return self.list.iter().find(is_it).map_or(0, |entry| entry.count);
        }
        let entries = self.of_place(place);
        entries.binary_search_by(|entry| self.key(entry).cmp(key)).map_or(0, |at| entries[at].count)
    }
}

/// An item of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'k> {
    words: &'k [Word],
}

impl<'k> Item<'k> {
    pub fn atom(self) -> Atom {
        self.words[0]
    }

    /// The components that hold the colour.
    pub fn components(self) -> Word {
        self.words[1]
    }

    /// How many colours it stands for.
    pub fn colours(self) -> u32 {
        if self.words.len() == 2 { 1 } else { self.words[2] }
    }

    /// How often each of them is in each bag.
    pub fn in_bags(self) -> &'k [Word] {
        if self.words.len() == 2 { &[] } else { &self.words[3..] }
    }

    /// All but the atom.
    pub fn role(self) -> &'k [Word] {
        &self.words[1..]
    }
}

/// The items of a key.
pub(super) fn items<'k>(shape: &PlaceShape, key: &'k [Word]) -> impl Iterator<Item = Item<'k>> + Clone + use<'k> {
    key.chunks_exact(shape.stride).map(|words| Item { words })
}

/// Brings the items of a key into their order, after its atoms have changed: those that are in bags only are sorted, and those
/// that have become alike are one.
pub(super) fn normalise(shape: &PlaceShape, key: &mut Vec<Word>, scratch: &mut Vec<Word>) {
    if shape.bags.is_empty() {
        return;
    }
    let stride = shape.stride;
    let Some(first) = key.chunks_exact(stride).position(|item| item[1] == 0) else { return };
    let tail = first * stride;
    if key.len() == tail + stride {
        return;
    }
    // Number of colours last, so that what is alike otherwise comes together.
    let mut order: Vec<&[Word]> = key[tail..].chunks_exact(stride).collect();
    order.sort_unstable_by(|a, b| (a[0], &a[3..]).cmp(&(b[0], &b[3..])));
    scratch.clear();
    for item in order {
        let last = scratch.len().saturating_sub(stride);
        if !scratch.is_empty() && scratch[last] == item[0] && scratch[last + 3..] == item[3..] {
            scratch[last + 2] += item[2];
        } else {
            scratch.extend_from_slice(item);
        }
    }
    key.truncate(tail);
    key.extend_from_slice(scratch);
}
