//! Problems in the order in which they are found.

use super::{Problem, Span, Unreadable};

/// How many problems are kept. A file with more of them is not read better by listing all.
const MOST: usize = 1_000;

/// How long a message is at most, in bytes: a name in it may be as long as the file.
const LONGEST: usize = 400;

/// What was found to be wrong with a text so far.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    kept: Vec<Problem>,
    more: usize,
}

impl Problems {
    /// Adds one.
    pub fn add(&mut self, mut problem: Problem) {
        if self.kept.len() < MOST {
            shorten(&mut problem.message);
            shorten(&mut problem.label);
            problem.help.iter_mut().for_each(shorten);
            self.kept.push(problem);
        } else {
            self.more += 1;
        }
    }

    /// Keeps what was done, or adds why it could not be.
    pub fn keep<T>(&mut self, result: Result<T, Box<Problem>>) -> Option<T> {
        result.map_err(|problem| self.add(*problem)).ok()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.kept.len() + self.more
    }

    /// A result, if nothing is wrong.
    pub fn or<T>(mut self, file: &str, source: &str, result: Option<T>) -> Result<T, Unreadable> {
        match result {
            Some(result) if self.kept.is_empty() => Ok(result),
            _ => {
                self.kept.sort_by_key(|problem| problem.span.start);
                // Something may be met, and found wrong, more than once.
                self.kept.dedup();
                if self.more > 0 {
                    let last = self.kept.last().map_or(Span::default(), |problem| problem.span);
                    self.kept.push(Problem::new(last, format!("and {} more problems of this kind", self.more)));
                }
                Err(Unreadable { file: file.to_owned(), source: source.to_owned(), problems: self.kept })
            }
        }
    }
}

/// The last place up to `at` where a character begins.
pub(crate) fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Cuts a message that is far too long.
fn shorten(message: &mut String) {
    if message.len() > LONGEST {
        message.truncate(boundary(message, LONGEST));
        message.push('…');
    }
}
