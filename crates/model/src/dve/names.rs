//! What the names of a file stand for in the program it became, so that states can be shown and asked for by name.

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
    /// The name of a value: that of a state, if the variable (an index) says in which state a process is. It is `error`
    /// for the state of a process after an error.
    pub fn value(&self, variable: usize, value: i32) -> Option<&str> {
        // Processes are declared in the order of their variables.
        let processes = &self.directory.processes;
        let process = processes.binary_search_by_key(&variable, |process| process.state as usize).ok()?;
        match usize::try_from(value) {
            Ok(number) => processes[process].states.get(number).map(String::as_str),
            Err(_) => Some("error"),
        }
    }

    /// Reads a formula about the system, with the names of the file: `G (P.waiting -> F P.done)`, `EF (P->x > 3)`.
    ///
    /// `P.s` holds where the process P is in its state s, and `P->x` is its variable x. `EF p` asks whether p is
    /// reachable and `AG p` whether it is invariant, if p speaks of one state; other formulas with quantifiers are CTL,
    /// those with temporal operators alone LTL, and those without are invariants.
    pub fn formula(&self, text: &str) -> Result<Property, Unreadable> {
        elaborate::formula(&self.directory, text)
    }
}
