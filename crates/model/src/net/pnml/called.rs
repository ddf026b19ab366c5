//! What people call the nodes of a net: their `<name>`, where no other node is called so.

use super::Net;
use rustc_hash::FxHashMap;

/// Longer texts are no names, but comments.
const LONGEST: usize = 200;

/// The `<name>` of each node, if it has one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Called {
    /// By place.
    pub places: Vec<Option<String>>,
    /// By transition.
    pub transitions: Vec<Option<String>>,
}

/// The ids of the nodes of a net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeIds {
    /// By place.
    pub places: Vec<String>,
    /// By transition.
    pub transitions: Vec<String>,
}

/// A name as it is written, with single blanks; nothing if it is none.
pub(super) fn name(written: &str) -> Option<String> {
    let name = written.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty() && name.len() <= LONGEST).then_some(name)
}

impl Called {
    /// Calls each node of a net that has its ids for names by its `<name>`, unless another node has that for a name or an
    /// id. The ids that were there before, if that has changed any.
    pub fn apply(&self, net: &mut Net) -> Option<NodeIds> {
        let mut uses: FxHashMap<String, u32> = FxHashMap::default();
        let mut ids: Vec<(&mut String, &Option<String>)> = Vec::new();
        let places = net.places.iter_mut().map(|place| &mut place.name).zip(&self.places);
        let transitions = net.transitions.iter_mut().map(|transition| &mut transition.name).zip(&self.transitions);
        ids.extend(places.chain(transitions));
        for (id, called) in &ids {
            *uses.entry((*id).clone()).or_default() += 1;
            if let Some(called) = called.as_ref().filter(|called| *called != *id) {
                *uses.entry(called.clone()).or_default() += 1;
            }
        }
        let is_free = |called: &String| uses.get(called) == Some(&1);
        if !ids.iter().any(|(id, called)| called.as_ref().is_some_and(|called| called != *id && is_free(called))) {
            return None;
        }
        let before: Vec<String> = ids.iter().map(|(id, _)| (*id).clone()).collect();
        for (id, called) in ids {
            if let Some(called) = called.as_ref().filter(|called| *called != id && is_free(called)) {
                id.clone_from(called);
            }
        }
        let mut places = before;
        let transitions = places.split_off(net.places.len());
        Some(NodeIds { places, transitions })
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_with_notes;

    #[test]
    fn nodes_are_called_by_names_that_no_other_has() {
        let node =
            |kind: &str, id: &str, name: &str| format!("<{kind} id=\"{id}\"><name><text>{name}</text></name></{kind}>");
        let nodes = [
            node("place", "p1", " the \n door "),
            node("place", "p2", "twice"),
            node("place", "p3", "twice"),
            node("place", "p4", "p1"),
            node("place", "p5", ""),
            node("transition", "t1", "t1"),
            node("transition", "t2", "twice"),
            node("transition", "t3", "open"),
        ];
        let text = format!("<pnml><net id=\"n\"><page id=\"p\">{}</page></net></pnml>", nodes.concat());
        let reading = read_with_notes("net.pnml", &text).unwrap();
        let mut net = reading.net;
        let ids = reading.called.apply(&mut net).unwrap();
        let names: Vec<&str> = net.places.iter().map(|place| place.name.as_str()).collect();
        assert_eq!(names, ["the door", "p2", "p3", "p4", "p5"]);
        let names: Vec<&str> = net.transitions.iter().map(|transition| transition.name.as_str()).collect();
        assert_eq!(names, ["t1", "t2", "open"]);
        assert_eq!(ids.places[3], "p4");
        assert_eq!(ids.transitions[2], "t3");
        let plain = "<pnml><net id=\"n\"><page id=\"p\"><place id=\"a\"/><place id=\"b\"><name><text>b</text></name></place></page></net></pnml>";
        let reading = read_with_notes("net.pnml", plain).unwrap();
        assert_eq!(reading.called.apply(&mut reading.net.clone()), None);
    }
}
