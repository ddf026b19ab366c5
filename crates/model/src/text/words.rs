//! The words of a text, as far as languages have them in common.

use logos::{FilterResult, Lexer, Logos};

use super::{Problem, Span};

/// A kind of word. These are known to every language.
pub(crate) trait Token: Copy + PartialEq {
    const IDENTIFIER: Self;
    const SEMICOLON: Self;
    const LEFT_BRACKET: Self;
    const RIGHT_PARENTHESIS: Self;
    const RIGHT_BRACE: Self;
    /// What follows the last word.
    const END: Self;
}

/// A word and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<T> {
    pub token: T,
    pub span: Span,
}

/// Words in the order of a text. They are kept in pieces: a list that is copied when it grows takes three times the memory.
#[derive(Debug)]
pub(crate) struct Row<T> {
    pieces: Vec<Vec<Word<T>>>,
}

/// How many words a piece of a row has.
const PIECE: usize = 1 << 14;

impl<T: Copy> Row<T> {
    fn new() -> Row<T> {
        Row { pieces: Vec::new() }
    }

    fn push(&mut self, word: Word<T>) {
        match self.pieces.last_mut() {
            Some(piece) if piece.len() < PIECE => piece.push(word),
            // Most texts are small.
            None => self.pieces.push(vec![word]),
            Some(_) => {
                let mut piece = Vec::with_capacity(PIECE);
                piece.push(word);
                self.pieces.push(piece);
            }
        }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * PIECE + last.len())
    }

    /// A word by its number.
    pub fn get(&self, index: usize) -> Option<Word<T>> {
        self.pieces.get(index / PIECE)?.get(index % PIECE).copied()
    }
}

/// After this many problems, more are not looked for.
pub(crate) const MOST_PROBLEMS: usize = 1000;

/// What a text is made of.
#[derive(Debug)]
pub(crate) struct Words<T> {
    /// The words, always with one [`Token::END`] at the end.
    pub words: Row<T>,
    /// What is no word: not more than [`MOST_PROBLEMS`]. What follows the last of so many is not looked at.
    pub problems: Vec<Problem>,
    /// Whether something that is never closed, such as a comment, hides the rest of the text.
    pub hides_the_rest: bool,
}

impl<T: Token> Words<T> {
    /// Takes a text apart. `strange` is called for what is no word: it reports that, and may skip more of the text.
    pub fn of<'a>(text: &'a str, mut strange: impl FnMut(&mut Words<T>, &mut Lexer<'a, T>, Span)) -> Words<T>
    where
        T: Logos<'a, Source = str, Extras = (), Error = ()>,
    {
        let mut found = Words { words: Row::new(), problems: Vec::new(), hides_the_rest: false };
        let mut lexer = T::lexer(text);
        while found.problems.len() < MOST_PROBLEMS
            && let Some(token) = lexer.next()
        {
            let range = lexer.span();
            let span = Span::new(range.start, range.end);
            match token {
                Ok(token) => found.words.push(Word { token, span }),
                Err(()) => strange(&mut found, &mut lexer, span),
            }
        }
        found.words.push(Word { token: T::END, span: Span::new(text.len(), text.len()) });
        found
    }

    /// Reports something that opens, is never closed, and so hides the rest of the text, which is skipped.
    pub fn never_closed<'a>(&mut self, lexer: &mut Lexer<'a, T>, problem: Problem)
    where
        T: Logos<'a, Source = str>,
    {
        lexer.bump(lexer.remainder().len());
        self.hides_the_rest = true;
        self.problems.push(problem.label("it begins here"));
    }

    /// Lets the last problem hold these characters too, if it is the same one right before them.
    pub fn joins(&mut self, span: Span, label: &str) -> bool {
        match self.problems.last_mut() {
            Some(last) if last.span.end == span.start && last.label == label => {
                last.span.end = span.end;
                true
            }
            _ => false,
        }
    }
}

/// Finds the end of a comment, which may be long; an error if there is none.
pub(crate) fn comment<'a, T>(lexer: &mut Lexer<'a, T>) -> FilterResult<(), ()>
where
    T: Logos<'a, Source = str>,
{
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            FilterResult::Skip
        }
        None => FilterResult::Error(()),
    }
}

/// What is said of a comment without an end; `span` begins where it does.
pub(crate) fn open_comment(span: Span) -> Problem {
    Problem::new(Span { end: span.start + 2, ..span }, "a comment is never closed").help("close it with `*/`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_words_in_order() {
        let mut row = Row::new();
        assert_eq!(row.len(), 0);
        for token in 0..3 * PIECE + 5 {
            row.push(Word { token, span: Span::default() });
        }
        assert_eq!(row.len(), 3 * PIECE + 5);
        assert!((0..row.len()).all(|index| row.get(index).is_some_and(|word| word.token == index)));
        assert!(row.get(row.len()).is_none());
    }
}
