//! Symmetric nets in PNML, the interchange format of ISO/IEC 15909-2.
//!
//! **What is read** of pages, references, ids, kinds of arcs and what tools add is what [`net::pnml`](crate::net::pnml) reads of
//! place/transition nets. The *id* of a node is its name; classes, colours and variables are called by their `name`, if that
//! is theirs alone, and else by their `id`. Declarations may come after what uses them.
//!
//! | sort | becomes |
//! |---|---|
//! | `dot` | the empty domain: tokens without colour |
//! | `finiteenumeration` | a class; ordered where a successor, a predecessor or an order is asked for somewhere, unordered otherwise |
//! | `cyclicenumeration` | a circular class |
//! | `finiteintrange`, declared or inline | a linear class; ranges of the same bounds are one class, whatever they are called |
//! | `bool` | a class of two colours, `false` and `true` |
//! | `productsort` | a domain; products inside of products are flattened |
//! | `partition` | named sets of colours of a class; each colour is in exactly one of its elements |
//!
//! A successor past the end of a range or of a plain enumeration has no value, and the binding is not there; only cyclic
//! enumerations wrap. Differences never go below nothing. The name of a sort, or of an element of a partition, stands for all
//! its colours once. A `numberof` without a number is 1. The tokens of a read arc are taken and put back.
//!
//! **What is not** read, and refused by name: integers, strings, lists and what else makes a full high-level net of a symmetric
//! one; operators that a file defines itself; reset arcs; transitions that differ in priority. What stands in `<text>` is for
//! people, and the `<structure>` counts.

mod declarations;
mod document;
mod draft;
mod guards;
mod names;
mod partitions;
mod resolve;
mod sorts;
mod terms;
mod tokens;
mod tree;
mod writer;

pub use writer::{NotWritable, write};

use super::ColouredNet;
use crate::pnml::kinds;
use crate::text::problems::Problems;
use crate::text::xml::{Cursor, Fault};
use crate::text::{Problem, Span, Unreadable};

/// A symmetric net as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The net.
    pub net: ColouredNet,
    /// What in the file was passed over although it may matter to its author.
    pub notes: Vec<Problem>,
}

/// Whether this is a PNML file whose net says that it is a coloured one. Nothing after the first tag of the net is looked at.
pub fn is_coloured(text: &str) -> bool {
    fn of_net(text: &str) -> Result<bool, Fault> {
        let mut cursor = Cursor::new(text);
        if cursor.child()?.is_none_or(|root| root.name != "pnml") {
            return Ok(false);
        }
        while let Some(child) = cursor.child()? {
            if child.name == "net" {
                return Ok(child.attribute("type")?.is_some_and(|written| kinds::is_coloured(&written.text)));
            }
            cursor.skip()?;
        }
        Ok(false)
    }
    of_net(text).unwrap_or(false)
}

/// Reads the symmetric net of a PNML file. `file` is its name, for messages.
pub fn read(file: &str, text: &str) -> Result<ColouredNet, Unreadable> {
    read_with_notes(file, text).map(|reading| reading.net)
}

/// Reads the symmetric net of a PNML file, with what was passed over.
pub fn read_with_notes(file: &str, text: &str) -> Result<Reading, Unreadable> {
    let mut problems = Problems::default();
    if u32::try_from(text.len()).is_err() {
        problems.add(Problem::new(Span::default(), "the file is larger than 4 GiB"));
        return problems.or(file, "", None);
    }
    let draft = document::Document::new(text, &mut problems).read();
    let reading = draft.and_then(|draft| resolve::net(&draft, &mut problems));
    problems.or(file, text, reading)
}
