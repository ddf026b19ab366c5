//! `.sn`, Mandala's own language for symmetric nets with bags.
//!
//! ```text
//! $P = 3;
//!
//! net SaleStore {
//!     class People = p{1..$P};
//!     class Gift = g{1..4};
//!
//!     place waiting : People = <all>;
//!     place inside : People;
//!     place warehouse : Gift = <all>;
//!     place out : People * bag Gift;
//!
//!     transition airlock (unique bag People B) [card(B) > 0 && card(B) < 3] { take waiting<B>; put inside<B>; }
//!     transition shopping (People x, bag Gift G) [card(G) < 3] { take inside<x>; take warehouse<G>; put out<x, G>; }
//! }
//!
//! property emptyHanded [reachable] : out(p1, {}) == 1;
//! ```
//!
//! Words, names, numbers, comments and formulas are those of GAL ([`crate::gal`]). Tokens stand between `<` and `>`, as on the
//! arcs of a figure. `docs/reference/symmetric-nets.md` has all of it.

mod elaborate;
mod parse;
mod syntax;
mod write;

pub use write::{Shown, write, write_formulas};

use super::ColouredNet;
use super::property::ColouredNets;
use crate::gal;
use crate::property::Property;
use crate::text::{Problem, Unreadable};

/// A coloured net and what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The net.
    pub net: ColouredNet,
    /// The properties that the file asks for.
    pub properties: Vec<Property<ColouredNets>>,
}

/// What a file says, with the constants that formulas which are asked later may use.
#[derive(Debug)]
pub struct Reading {
    /// The net and its properties.
    pub model: Model,
    /// The constants of the file.
    pub scope: gal::Scope,
    /// What may be meant in another way than it is read.
    pub notes: Vec<Problem>,
}

/// Reads a file. `defines` gives constants other values than the file does.
pub fn read(file: &str, text: &str, defines: &[(String, i32)]) -> Result<Model, Unreadable> {
    read_with_constants(file, text, defines).map(|(model, _)| model)
}

/// The same, with the constants of the file, for formulas that are asked later.
pub fn read_with_constants(
    file: &str, text: &str, defines: &[(String, i32)],
) -> Result<(Model, gal::Scope), Unreadable> {
    read_with_notes(file, text, defines).map(|Reading { model, scope, .. }| (model, scope))
}

/// The same, with notes.
pub fn read_with_notes(file: &str, text: &str, defines: &[(String, i32)]) -> Result<Reading, Unreadable> {
    elaborate::elaborate(&parse::parse(file, text)?, file, text, defines)
}

/// Reads a formula about a coloured net, such as `AG(p(c1, *) < 3)` or `[bounds] : p + q`.
///
/// The kind may be left out, and is then found as [`gal::formula`] finds it.
pub fn formula(net: &ColouredNet, text: &str) -> Result<Property<ColouredNets>, Unreadable> {
    formula_in(net, &gal::Scope::default(), text)
}

/// The same, where the constants of a file are known.
pub fn formula_in(net: &ColouredNet, scope: &gal::Scope, text: &str) -> Result<Property<ColouredNets>, Unreadable> {
    let formula = gal::parse::parse_coloured_formula("formula", text)?;
    let question = elaborate::question_of(net, scope, text, formula)?;
    Ok(Property { name: text.trim().trim_end_matches(';').to_string(), question })
}

/// How a formula is read, with all its parentheses, where one might think of another way to read it.
pub fn reading(text: &str) -> Option<String> {
    let (_, formula) = gal::parse::parse_coloured_formula("formula", text).ok()?;
    gal::reading_of(&formula, text)
}
