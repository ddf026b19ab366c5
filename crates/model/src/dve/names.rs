//! What the names of a file stand for in the program that it became, so that formulas can use them.

use super::elaborate;
use super::elaborate::Directory;
use crate::property::Property;
use crate::text::Unreadable;

/// The names of a file.
#[derive(Debug)]
pub struct Names {
    pub(super) directory: Directory,
}

impl Names {
    /// Reads a formula about the system, with the names of the file: `G (P.waiting -> F P.done)`, `EF (P->x > 3)`.
    ///
    /// `P.s` holds where the process P is in its state s, and `P->x` is its variable x. `EF p` asks whether p is
    /// reachable and `AG p` whether it is invariant, if p speaks of one state; other formulas with quantifiers are CTL,
    /// those with temporal operators alone LTL, and those without are invariants.
    pub fn formula(&self, text: &str) -> Result<Property, Unreadable> {
        elaborate::formula(&self.directory, text)
    }
}
