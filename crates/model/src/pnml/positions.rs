//! Where the author of a net has put its places and transitions.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;

/// The positions of places and transitions, by their ids: from the left and from the top. Nodes without one are left out, and
/// so is all that follows something that is no XML.
pub fn positions(text: &str) -> FxHashMap<String, (f64, f64)> {
    let mut found = FxHashMap::default();
    if !text.contains("position") {
        return found;
    }
    let mut reader = Reader::from_str(text);
    // The node that is open, and how deep one is inside of it.
    let mut node: Option<(String, usize)> = None;
    let mut in_graphics = false;
    loop {
        let (event, is_empty) = match reader.read_event() {
            Ok(Event::Start(event)) => (event, false),
            Ok(Event::Empty(event)) => (event, true),
            Ok(Event::End(_)) => {
                node = match node.take() {
                    Some((_, 0)) | None => None,
                    Some((id, depth)) => Some((id, depth - 1)),
                };
                // The graphics of the node itself are right below it.
                in_graphics = in_graphics && node.as_ref().is_some_and(|(_, depth)| *depth >= 1);
                continue;
            }
            Ok(Event::Eof) | Err(_) => return found,
            Ok(_) => continue,
        };
        let name = event.local_name();
        match &mut node {
            None if matches!(name.as_ref(), "place" | "transition") && !is_empty => {
                node = attribute(&event, "id").map(|id| (id, 0));
            }
            None => {}
            Some((id, depth)) => {
                if *depth == 0 && name.as_ref() == "graphics" && !is_empty {
                    in_graphics = true;
                }
                if in_graphics && *depth == 1 && name.as_ref() == "position" {
                    let number = |name: &str| attribute(&event, name).and_then(|text| text.trim().parse::<f64>().ok());
                    if let (Some(x), Some(y)) = (number("x"), number("y"))
                        && x.is_finite()
                        && y.is_finite()
                    {
                        found.insert(id.clone(), (x, y));
                    }
                }
                *depth += usize::from(!is_empty);
            }
        }
    }
}

fn attribute(event: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = event.attributes().flatten().find(|one| one.key.local_name().as_ref() == name)?;
    Some(found.value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_where_their_author_put_them() {
        let text = r#"<pnml><net><page>
            <place id="p"><name><graphics><position x="9" y="9"/></graphics></name>
              <graphics><position x="10" y="20.5"/></graphics></place>
            <transition id="t"><graphics><position x="-3" y="4"/></graphics></transition>
            <place id="q"/>
            <arc id="a"><graphics><position x="7" y="7"/></graphics></arc>
            <place id="r"><graphics><position x="inf" y="1"/></graphics></place>
        </page></net></pnml>"#;
        let found = positions(text);
        assert_eq!(found.len(), 2);
        assert_eq!((found["p"], found["t"]), ((10.0, 20.5), (-3.0, 4.0)));
        assert!(positions("<place id=\"p\"><graphics><position x='1' y='2'/").is_empty());
    }
}
