//! The tokens that a place can ever hold, as far as they were found, with indices to find those that match a pattern.

use super::bags::Number;
use rustc_hash::FxHashMap;

/// Tokens of a place, numbered in the order in which they were found. Components are numbers: colours, or bags by their number.
pub(super) struct TokenSet {
    width: usize,
    /// All components, token after token.
    values: Vec<Number>,
    numbers: FxHashMap<Box<[Number]>, u32>,
    /// Of all tokens the first so many are in the indices. The others wait for their turn.
    processed: u32,
    indices: Vec<Index>,
}

/// The processed tokens by the values of some of their components.
struct Index {
    /// Which components, in ascending order.
    components: Vec<usize>,
    tokens: FxHashMap<Box<[Number]>, Vec<u32>>,
}

impl TokenSet {
    /// No tokens of so many components.
    pub fn new(width: usize) -> TokenSet {
        TokenSet { width, values: Vec::new(), numbers: FxHashMap::default(), processed: 0, indices: Vec::new() }
    }

    /// The number of a token, and whether it is new.
    pub fn insert(&mut self, token: &[Number]) -> (u32, bool) {
        if let Some(&number) = self.numbers.get(token) {
            return (number, false);
        }
        let number = self.len();
        self.values.extend_from_slice(token);
        self.numbers.insert(token.into(), number);
        (number, true)
    }

    /// The number of a token, if it was found.
    pub fn find(&self, token: &[Number]) -> Option<u32> {
        self.numbers.get(token).copied()
    }

    /// The number of a token, if it was processed.
    pub fn find_processed(&self, token: &[Number]) -> Option<u32> {
        self.find(token).filter(|&number| number < self.processed)
    }

    /// The components of a token.
    pub fn token(&self, number: u32) -> &[Number] {
        let start = number as usize * self.width;
        &self.values[start..start + self.width]
    }

    /// How many tokens there are.
    pub fn len(&self) -> u32 {
        self.numbers.len() as u32
    }

    /// An index by some components. There must be no processed tokens yet.
    pub fn index_by(&mut self, components: &[usize]) -> usize {
        let known = self.indices.iter().position(|index| index.components == components);
        known.unwrap_or_else(|| {
            self.indices.push(Index { components: components.to_vec(), tokens: FxHashMap::default() });
            self.indices.len() - 1
        })
    }

    /// Processes the next token, if one waits: its number.
    pub fn process(&mut self) -> Option<u32> {
        let number = self.processed;
        if number == self.len() {
            return None;
        }
        self.processed += 1;
        let start = number as usize * self.width;
        let token = &self.values[start..start + self.width];
        for index in &mut self.indices {
            let key: Box<[Number]> = index.components.iter().map(|&component| token[component]).collect();
            index.tokens.entry(key).or_default().push(number);
        }
        Some(number)
    }

    /// The processed tokens whose indexed components are these.
    pub fn matching(&self, index: usize, key: &[Number]) -> &[u32] {
        self.indices[index].tokens.get(key).map_or(&[], Vec::as_slice)
    }
}
