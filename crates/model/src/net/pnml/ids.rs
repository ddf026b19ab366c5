//! Ids for nodes whose names are none: letters, digits, `_`, `.` and `-`, from which one can still tell the name.

use crate::net::Net;
use rustc_hash::{FxHashMap, FxHashSet};

/// The ids of the nodes of a net, as they stand in the file.
pub(super) struct Ids {
    /// That of the net.
    pub net: String,
    /// By place.
    pub places: Vec<String>,
    /// By transition.
    pub transitions: Vec<String>,
}

impl Ids {
    /// Readable ids, each of one node only: `Fork_3` for `Fork(3)`.
    pub fn readable(net: &Net) -> Ids {
        let mut given = Given::default();
        given.id("page");
        Ids {
            net: given.id(&net.name),
            places: net.places.iter().map(|place| given.id(&place.name)).collect(),
            transitions: net.transitions.iter().map(|transition| given.id(&transition.name)).collect(),
        }
    }
}

/// The ids that are given away.
#[derive(Default)]
struct Given {
    ids: FxHashSet<String>,
    /// By what names look like without their odd characters: the number that was added last.
    last: FxHashMap<String, u64>,
}

impl Given {
    /// An id that is like a name and that no other node has.
    fn id(&mut self, name: &str) -> String {
        let plain = plain(name);
        if !is_of_arc(&plain) && self.ids.insert(plain.clone()) {
            return plain;
        }
        let last = self.last.entry(plain.clone()).or_insert(1);
        loop {
            *last += 1;
            let id = format!("{plain}_{last}");
            if self.ids.insert(id.clone()) {
                return id;
            }
        }
    }
}

/// A name with `_` for each stretch of characters that an id does not have, and with a letter or `_` at its beginning.
fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-' => plain.push(character),
            _ if plain.ends_with('_') && character != '_' => {}
            _ => plain.push('_'),
        }
    }
    if !name.ends_with('_') {
        plain.truncate(plain.trim_end_matches('_').len());
    }
    if !plain.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        plain.insert(0, '_');
    }
    plain
}

/// Whether arcs have ids like this.
fn is_of_arc(id: &str) -> bool {
    id.strip_prefix("arc").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_readable_and_different() {
        let mut given = Given::default();
        let mut id = |name: &str| given.id(name);
        assert_eq!(id("Fork(3)"), "Fork_3");
        assert_eq!(id("take(p=3, f=4)"), "take_p_3_f_4");
        assert_eq!(id("Fork_3"), "Fork_3_2");
        assert_eq!(id("Fork[3]"), "Fork_3_3");
        assert_eq!(id("Fork_3_2"), "Fork_3_2_2");
        assert_eq!(id("3 {a, 2'b}"), "_3_a_2_b");
        assert_eq!(id("a_b__c_"), "a_b__c_");
        assert_eq!(id("arc7"), "arc7_2");
        assert_eq!(id(""), "_");
        assert_eq!(id("é"), "__2");
    }
}
