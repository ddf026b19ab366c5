//! The Guarded Action Language of ITS-Tools, with composites, and with nets as elementary types (ours).
//!
//! A text is read in two steps: [`parse`] makes a [`syntax::File`], a tree of what is written; [`elaborate`] makes a
//! [`Specification`] of it, in which parameters are filled in and names resolved. [`write`](fn@write) goes the other way.
//!
//! What is ours, beside `net` types: several designated initial states (`initial name { ... }`, `from name`), declared
//! symmetries, names in backquotes that may contain anything, and `model name;`. Words such as `place`, `take`, `from` or
//! `initial` mean something only where the grammar asks for them, and are names everywhere else.
//!
//! A type declares which of its variables, places or instances may take each other's place
//! ([`crate::symmetry::DeclaredSymmetry`]); what is declared is not checked here:
//!
//! ```text
//! symmetry clients interchangeable { (idle_0, wait_0) (idle_1, wait_1); }      blocks that may be put in any order
//! symmetry table ring { for ($i : seat) { (think[$i], fork[$i]); } }           blocks that may be turned
//! symmetry other generated { (a, b, c) (d, e); (a, d); }                       permutations, a row each, as cycles
//! ```
//!
//! The rows of a symmetry may be in `for` and `if`, and a member of a list may be `for ($i : range) t[$i]`.
//!
//! | written | becomes |
//! |---|---|
//! | `transition t (range $i)` | one transition per value, called `t(0)`, `t(1)` and so on |
//! | `label "a"($i)` | the labels `a(0)`, `a(1)` and so on |
//! | `array [3] t` | the variables `t[0]`, `t[1]`, `t[2]` |
//! | `hotbit (0..2) int y` | the bits `y[0]`, `y[1]`, `y[2]`, of which one is 1 |
//! | `Cell [3] c ($K = 2)` | the instances `c[0]`, `c[1]`, `c[2]` of a type called `Cell($K=2)` |

mod check;
mod circle;
mod declared;
pub(crate) mod elaborate;
pub(crate) mod ledger;
pub(crate) mod parse;
mod print;
pub mod syntax;
pub(crate) mod token;
pub(crate) mod write;

pub use elaborate::{Scope, Specification, elaborate};
pub use parse::parse;
pub use write::{write, write_formulas};

use crate::property::Property;
use crate::system::System;
use crate::text::Unreadable;

/// The name by which `from` knows the declared initial state of a type that does not name it.
const DECLARED: &str = "declared";

/// Reads a file and makes the system it describes, with the properties it asks for. `defines` gives constants other
/// values than the file does.
pub fn read(file: &str, text: &str, defines: &[(String, i32)]) -> Result<Specification, Unreadable> {
    elaborate(&parse(file, text)?, file, text, defines)
}

/// A name as files write it: in backquotes if it is no word, or a word of the language.
pub fn written_name(name: &str) -> String {
    syntax::Name::new(name).to_string()
}

/// Reads a formula about a system, such as `AG(x < 3)` or `[bounds] : x + y`.
///
/// The kind may be left out. Then `EF p` asks whether p is reachable and `AG p` whether it is invariant, if p speaks of
/// one state; other formulas with quantifiers are CTL, those with temporal operators alone LTL, and those without are
/// invariants.
pub fn formula(system: &System, text: &str) -> Result<Property, Unreadable> {
    formula_in(system, &Scope::default(), text)
}

/// The same, where the constants and ranges of a file are known.
pub fn formula_in(system: &System, scope: &Scope, text: &str) -> Result<Property, Unreadable> {
    let formula = parse::parse_formula("formula", text)?;
    let question = elaborate::question_of(system, scope, text, formula)?;
    Ok(Property { name: text.trim().trim_end_matches(';').to_string(), question })
}

/// How a formula is read, with all its parentheses, where one might think of another way to read it.
pub fn reading(text: &str) -> Option<String> {
    let (_, formula) = parse::parse_formula("formula", text).ok()?;
    reading_of(&formula, text)
}

/// How a formula that is written as this text is read, if one might think of another way.
pub(crate) fn reading_of(formula: &syntax::Expression, text: &str) -> Option<String> {
    print::is_doubtful(formula, text).then(|| print::Reading(formula).to_string())
}
