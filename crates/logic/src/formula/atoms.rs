//! Names of atoms.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// The names of atoms. Formulas and automata know atoms by number; this table, kept beside them, knows what the numbers
/// stand for.
#[derive(Clone, Debug, Default)]
pub struct Atoms {
    names: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, u32>,
}

impl Atoms {
    /// A table without names.
    pub fn new() -> Atoms {
        Atoms::default()
    }

    /// The number of a name, which is given one if it is new.
    pub fn intern(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = u32::try_from(self.names.len()).expect("fewer than 2^32 atoms");
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    /// The number of a name, if it has one.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The name of an atom; an atom that is not of this table has none.
    pub fn name(&self, atom: u32) -> Option<&str> {
        self.names.get(atom as usize).map(|name| &**name)
    }

    /// How many atoms there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no atom.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
