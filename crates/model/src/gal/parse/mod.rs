//! From text to [`syntax::File`], by recursive descent.
//!
//! A construct that cannot be read is reported, skipped to its end (a `;`, a `}`, or the beginning of the next
//! declaration), and reading goes on, so that all errors are reported at once. What nests is limited, so that no text
//! exhausts the stack.

mod cursor;
mod expression;
mod file;
mod formula;
mod habits;
mod members;
mod pattern;
mod steps;
mod symmetry;

pub(crate) use cursor::Parser;

use super::syntax::{Expression, File, PropertyKind, Reference};
use crate::text::Unreadable;
use crate::text::cursor::{Failed, Parsed};

/// Reads a file. `file` is its name in error messages.
pub fn parse(file: &str, text: &str) -> Result<File, Unreadable> {
    let mut parser = Parser::new(text);
    let tree = parser.file();
    parser.finish(file, tree)
}

/// Reads a formula as it is given on the command line: `[kind] : formula`, where the kind may be left out.
pub(super) fn parse_formula(file: &str, text: &str) -> Result<(Option<PropertyKind>, Expression), Unreadable> {
    formula_of(file, text, false)
}

/// Reads a formula about a coloured net.
pub(crate) fn parse_coloured_formula(file: &str, text: &str) -> Result<(Option<PropertyKind>, Expression), Unreadable> {
    formula_of(file, text, true)
}

fn formula_of(file: &str, text: &str, coloured: bool) -> Result<(Option<PropertyKind>, Expression), Unreadable> {
    let mut parser = Parser::new(text);
    parser.coloured = coloured;
    let formula = parser.formula_alone();
    match formula {
        Ok(formula) => parser.finish(file, formula),
        Err(Failed) => {
            let nothing = Expression::plain(super::syntax::ExpressionKind::Truth(true));
            parser.finish(file, (None, nothing))
        }
    }
}

/// Reads a condition on one state such as `x == 1 && t[0] > 2` and nothing else: no quantifiers, no operators of time, no
/// events.
fn parse_atom(text: &str, coloured: bool) -> Option<Expression> {
    let mut parser = Parser::new(text);
    parser.coloured = coloured;
    let atom = parser.expression().ok()?;
    (parser.at_end() && parser.is_clean()).then_some(atom)
}

/// Reads a reference such as `ring:peers[1]:state` and nothing else.
fn parse_reference(text: &str) -> Option<Reference> {
    let mut parser = Parser::new(text);
    let reference = parser.reference().ok()?;
    (parser.at_end() && parser.is_clean()).then_some(reference)
}
