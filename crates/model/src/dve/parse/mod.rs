//! From words to a tree, by recursive descent. After an error the reader goes on behind the next `;` or `}`, so that
//! one run finds most of what is wrong.

mod cursor;
mod expression;
mod file;
mod formula;
mod process;

pub(super) use formula::NamesInScope;

use cursor::Parser;

use super::syntax::{Expression, File};
use crate::text::Unreadable;
use crate::text::cursor::{Failed, Parsed};

/// Reads a file.
pub(super) fn parse(file: &str, text: &str) -> Result<File, Unreadable> {
    let mut parser = Parser::new(text);
    let read = parser.file();
    parser.finish(file, read)
}

/// Reads a formula about a system in which some names are known.
pub(super) fn parse_formula(text: &str, names: NamesInScope) -> Result<Option<Expression>, Unreadable> {
    let mut parser = Parser::new(text);
    parser.names = Some(names);
    let read = parser.formula();
    parser.finish("formula", read)
}
