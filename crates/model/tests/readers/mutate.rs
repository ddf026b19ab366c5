//! Texts made from good ones by breaking them.

use super::random::Random;

/// How long a mutated text is at most, in bytes.
pub const LONGEST: usize = 100_000;

/// Numbers that readers may trip over.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1000",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967296",
    "18446744073709551616",
    "99999999999999999999999999999999",
    "1e9",
];

/// Breaks texts, using pieces of others.
pub struct Mutator {
    random: Random,
    corpus: Vec<String>,
}

impl Mutator {
    /// A mutator of the texts of a corpus.
    pub fn new(seed: u64, corpus: Vec<String>) -> Mutator {
        Mutator { random: Random::new(seed), corpus }
    }

    /// Another text.
    pub fn text(&mut self) -> String {
        let mut text = self.random.pick(&self.corpus).cloned().unwrap_or_default();
        for _ in 0..=self.random.below(4) {
            text = self.mutated(&text);
            text.truncate(boundary(&text, LONGEST));
        }
        text
    }

    fn mutated(&mut self, text: &str) -> String {
        match self.random.below(9) {
            0 => self.flip_bytes(text),
            1 => self.delete(text),
            2 => self.duplicate(text),
            3 => self.swap(text),
            4 => self.transplant(text),
            5 => self.change_number(text),
            6 => text[..boundary(text, self.random.below(text.len()))].to_owned(),
            7 => self.repeat(text),
            _ => self.nest(text),
        }
    }

    fn flip_bytes(&mut self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=self.random.below(8) {
            let place = self.random.below(bytes.len());
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << self.random.below(8);
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A range of a few tokens of a list.
    fn range(&mut self, tokens: &[&str]) -> std::ops::Range<usize> {
        let start = self.random.below(tokens.len());
        let length = if self.random.once_in(4) { self.random.below(40) } else { 1 };
        start..(start + length).min(tokens.len())
    }

    fn delete(&mut self, text: &str) -> String {
        let mut tokens = tokens(text);
        let range = self.range(&tokens);
        tokens.drain(range);
        tokens.concat()
    }

    fn duplicate(&mut self, text: &str) -> String {
        let mut tokens = tokens(text);
        let range = self.range(&tokens);
        let piece = tokens[range].to_vec();
        let place = self.random.below(tokens.len() + 1);
        tokens.splice(place..place, piece);
        tokens.concat()
    }

    fn swap(&mut self, text: &str) -> String {
        let mut tokens = tokens(text);
        if !tokens.is_empty() {
            let (a, b) = (self.random.below(tokens.len()), self.random.below(tokens.len()));
            tokens.swap(a, b);
        }
        tokens.concat()
    }

    /// Puts a piece of another text of the corpus into this one.
    fn transplant(&mut self, text: &str) -> String {
        let donor = self.random.pick(&self.corpus).cloned().unwrap_or_default();
        let donor = tokens(&donor);
        let piece = donor[self.range(&donor)].to_vec();
        let mut tokens = tokens(text);
        let range = self.range(&tokens);
        tokens.splice(range, piece);
        tokens.concat()
    }

    fn change_number(&mut self, text: &str) -> String {
        let mut tokens = tokens(text);
        let numbers: Vec<usize> =
            (0..tokens.len()).filter(|&at| tokens[at].bytes().all(|byte| byte.is_ascii_digit())).collect();
        if let (Some(&at), Some(number)) = (self.random.pick(&numbers), self.random.pick(&NUMBERS)) {
            tokens[at] = number;
        }
        tokens.concat()
    }

    /// Writes a piece many times in a row.
    fn repeat(&mut self, text: &str) -> String {
        let tokens = tokens(text);
        let range = self.range(&tokens);
        let piece = tokens[range.clone()].concat();
        let times = LONGEST / piece.len().max(1);
        let times = if self.random.once_in(3) { times } else { self.random.below(50) };
        [tokens[..range.start].concat(), piece.repeat(times), tokens[range.end..].concat()].concat()
    }

    /// Writes a piece many times before something, and another as often after it: brackets and tags that fit.
    fn nest(&mut self, text: &str) -> String {
        let tokens = tokens(text);
        let Some(&opening) = self.random.pick(&tokens) else { return String::new() };
        let closing = closing(opening);
        let range = self.range(&tokens);
        let times = if self.random.once_in(3) { 20_000 } else { self.random.below(300) };
        let times = times.min(LONGEST / 2 / (opening.len() + closing.len()).max(1));
        let (before, after) = (tokens[..range.start].concat(), tokens[range.end..].concat());
        let inside = tokens[range].concat();
        [before, opening.repeat(times), inside, closing.repeat(times), after].concat()
    }
}

/// The last place up to `at` where a character begins.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// What closes what a token opens.
fn closing(opening: &str) -> String {
    match opening {
        "(" => ")".to_owned(),
        "[" => "]".to_owned(),
        "{" => "}".to_owned(),
        tag if tag.starts_with('<') => {
            let name = tag.trim_start_matches('<').split(|letter: char| !letter.is_alphanumeric() && letter != '-');
            format!("</{}>", name.into_iter().next().unwrap_or_default())
        }
        other => other.to_owned(),
    }
}

/// The pieces of a text: tags, words, numbers, blanks, and everything else letter by letter.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = |same: fn(char) -> bool| rest.find(|letter| !same(letter)).unwrap_or(rest.len());
        let length = match first {
            // Not further than tags are long: a text may have many `<` and no `>`.
            '<' => rest.bytes().take(200).position(|byte| matches!(byte, b'>' | b'\n')).map_or(1, |end| end + 1),
            letter if letter.is_ascii_digit() => run(|letter| letter.is_ascii_digit()),
            letter if letter.is_alphabetic() => run(|letter| letter.is_alphanumeric() || letter == '_'),
            letter if letter.is_whitespace() => run(char::is_whitespace),
            letter => letter.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}
