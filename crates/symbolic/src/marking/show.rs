//! Symbolic markings as the papers write them: `waiting(Z1) + out(<Z0, {G1}>), |Z0| = 2`.

use super::entries::{Word, items};
use super::palette::{Atom, PlaceShape};
use super::{Marking, SymbolicNet};

/// Orbits of tokens that are shown at most.
const MOST_SHOWN: usize = 60;

impl SymbolicNet<'_> {
    /// A symbolic marking in words: its tokens, and how many colours there are in each dynamic subclass of several.
    pub fn show(&self, state: &[i32]) -> String {
        let Ok(marking) = self.unpack(state) else { return String::new() };
        let mut shown: Vec<String> = Vec::new();
        for (entry, key) in marking.entries.iter().take(MOST_SHOWN) {
            let shape = &self.palette.places[entry.place as usize];
            let times = if entry.count == 1 { String::new() } else { format!("{}'", entry.count) };
            let token = if shape.colours.is_empty() { String::new() } else { self.token(&marking, shape, key) };
            shown.push(format!("{times}{}{token}", self.net.places[entry.place as usize].name));
        }
        if marking.entries.list.len() > MOST_SHOWN {
            shown.push("...".to_owned());
        }
        let tokens = if shown.is_empty() { "without tokens".to_owned() } else { shown.join(" + ") };
        let first = self.palette.fixed_count();
        let sizes = (first..).zip(&marking.atoms).filter(|(_, atom)| atom.1 > 1);
        let sizes: Vec<String> =
            sizes.map(|(atom, &(_, size))| format!("|{}| = {size}", self.atom_name(&marking, atom))).collect();
        if sizes.is_empty() { tokens } else { format!("{tokens}, {}", sizes.join(", ")) }
    }

    /// An atom: a colour by its name, a dynamic subclass by the name of its class and a number.
    fn atom_name(&self, marking: &Marking, atom: Atom) -> String {
        let first = self.palette.fixed_count();
        let Some(at) = atom.checked_sub(first) else {
            let (class, colour) = self.palette.fixed[atom as usize];
            return self.net.classes[class as usize].name_of(colour).into_owned();
        };
        let class = self.palette.cells[marking.atoms[at as usize].0 as usize].class;
        let before = marking.atoms[..at as usize].iter();
        let number = before.filter(|one| self.palette.cells[one.0 as usize].class == class).count();
        format!("{}#{number}", self.net.classes[class as usize].name)
    }

    fn token(&self, marking: &Marking, shape: &PlaceShape, key: &[Word]) -> String {
        let parts: Vec<String> = (0..shape.colours.len())
            .map(|component| match shape.bags.iter().position(|one| one.0 == component) {
                None => {
                    let bit = 1 << component;
                    let holder = items(shape, key).find(|item| item.components() & bit != 0);
                    holder.map_or_else(String::new, |holder| {
                        // Several colours of one subclass are told apart by marks.
                        let others = items(shape, key).filter(|item| item.atom() == holder.atom());
                        let mark = others.take_while(|item| item.components() != holder.components()).count();
                        self.atom_name(marking, holder.atom()) + &"'".repeat(mark)
                    })
                }
                Some(bag) => {
                    let inside = items(shape, key).filter(|item| item.in_bags()[bag] > 0).map(|item| {
                        let times = item.in_bags()[bag];
                        let times = if times == 1 { String::new() } else { format!("{times}'") };
                        let first = self.palette.fixed_count();
                        let size = item.atom().checked_sub(first).map_or(1, |at| marking.atoms[at as usize].1);
                        let part =
                            if item.colours() < size { format!("{} of ", item.colours()) } else { String::new() };
                        format!("{times}{part}{}", self.atom_name(marking, item.atom()))
                    });
                    format!("{{{}}}", inside.collect::<Vec<String>>().join(", "))
                }
            })
            .collect();
        match parts.as_slice() {
            [one] => format!("({one})"),
            parts => format!("(<{}>)", parts.join(", ")),
        }
    }
}
