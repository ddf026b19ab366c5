//! Writing nets as PNML.

use super::ids::Ids;
use crate::net::{Effect, Net, Units};
use crate::pnml::OURS;
use crate::pnml::escape::escaped;
use std::fmt::Write;

/// A net as a PNML file, which [`read`](super::read) reads back as the same net.
///
/// Kinds of arcs that the standard does not have are written as `<type value="inhibitor"/>`, `"read"` and `"reset"`;
/// labels and further initial markings as `<toolspecific tool="mandala">`, which other tools pass over. Units are
/// written as a NUPN section, whose lists of names are separated by blanks: the names of places and units have none.
pub fn write(net: &Net) -> String {
    let ids = Ids {
        net: escaped(&net.name),
        places: net.places.iter().map(|place| escaped(&place.name)).collect(),
        transitions: net.transitions.iter().map(|transition| escaped(&transition.name)).collect(),
    };
    Writer { net, ids, names: Names::AreIds }.text()
}

/// A net as a PNML file whose nodes have ids that all tools understand, such as `Fork_3`, with their names beside them.
/// [`read`](super::read) reads it back as the same net but for the names, which are the ids then.
pub fn write_with_ids(net: &Net) -> String {
    Writer { net, ids: Ids::readable(net), names: Names::BesideIds }.text()
}

/// Where the names of nodes go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// They are the ids.
    AreIds,
    /// Into an element of their own.
    BesideIds,
}

struct Writer<'a> {
    net: &'a Net,
    ids: Ids,
    names: Names,
}

impl Writer<'_> {
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write_net(&mut text);
        text
    }

    fn write_net(&self, out: &mut String) -> std::fmt::Result {
        let net = self.net;
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">")?;
        let id = &self.ids.net;
        writeln!(out, "  <net id=\"{id}\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">")?;
        if self.names == Names::BesideIds {
            writeln!(out, "    <name><text>{}</text></name>", escaped(&net.name))?;
        }
        writeln!(out, "    <page id=\"page\">")?;
        self.write_places(out)?;
        self.write_transitions(out)?;
        if let Some(units) = &net.units {
            write_units(out, net, &self.ids.places, units)?;
        }
        write_markings(out, net, &self.ids.places)?;
        writeln!(out, "    </page>\n  </net>\n</pnml>")
    }

    /// The name of a node, where that is not its id.
    fn write_name(&self, out: &mut String, name: &str) -> std::fmt::Result {
        match self.names {
            Names::AreIds => Ok(()),
            Names::BesideIds => write!(out, "<name><text>{}</text></name>", escaped(name)),
        }
    }

    fn write_places(&self, out: &mut String) -> std::fmt::Result {
        let first = self.net.initial.first();
        for (index, (place, id)) in self.net.places.iter().zip(&self.ids.places).enumerate() {
            write!(out, "      <place id=\"{id}\">")?;
            self.write_name(out, &place.name)?;
            let tokens = first.and_then(|initial| initial.marking.get(index)).copied().unwrap_or(0);
            if tokens != 0 {
                write!(out, "<initialMarking><text>{tokens}</text></initialMarking>")?;
            }
            if let Some(most) = place.capacity {
                write!(out, "<capacity><text>{most}</text></capacity>")?;
            }
            writeln!(out, "</place>")?;
        }
        Ok(())
    }

    fn write_transitions(&self, out: &mut String) -> std::fmt::Result {
        let mut arcs = Arcs { count: 0 };
        let has_priorities = self.net.has_priorities();
        for (transition, id) in self.net.transitions.iter().zip(&self.ids.transitions) {
            write!(out, "      <transition id=\"{id}\">")?;
            self.write_name(out, &transition.name)?;
            if let Some(label) = &transition.label {
                let label = escaped(label);
                write!(out, "<toolspecific tool=\"{OURS}\" version=\"1\"><label>{label}</label></toolspecific>")?;
            }
            if has_priorities {
                // As PIPE understands it: all are immediate, and the greatest priority goes first.
                write!(
                    out,
                    "<timed><value>false</value></timed><priority><value>{}</value></priority>",
                    transition.priority
                )?;
            }
            writeln!(out, "</transition>")?;
            for effect in &transition.effects {
                let place = self.ids.places.get(effect.place as usize).map_or("", String::as_str);
                arcs.write(out, effect, place, id)?;
            }
        }
        Ok(())
    }
}

/// Arcs, which are numbered to have an id.
struct Arcs {
    count: usize,
}

impl Arcs {
    fn write(&mut self, out: &mut String, effect: &Effect, place: &str, transition: &str) -> std::fmt::Result {
        if effect.take != 0 {
            self.arc(out, place, transition, effect.take, "")?;
        }
        if effect.read != 0 {
            self.arc(out, place, transition, effect.read, "read")?;
        }
        if let Some(below) = effect.below {
            self.arc(out, place, transition, below, "inhibitor")?;
        }
        if effect.reset {
            self.arc(out, place, transition, 1, "reset")?;
        }
        if effect.put != 0 {
            self.arc(out, transition, place, effect.put, "")?;
        }
        Ok(())
    }

    fn arc(&mut self, out: &mut String, source: &str, target: &str, weight: i32, kind: &str) -> std::fmt::Result {
        self.count += 1;
        write!(out, "      <arc id=\"arc{}\" source=\"{source}\" target=\"{target}\">", self.count)?;
        if weight != 1 {
            write!(out, "<inscription><text>{weight}</text></inscription>")?;
        }
        if !kind.is_empty() {
            write!(out, "<type value=\"{kind}\"/>")?;
        }
        writeln!(out, "</arc>")
    }
}

fn write_units(out: &mut String, net: &Net, ids: &[String], units: &Units) -> std::fmt::Result {
    let arcs = net.transitions.iter().flat_map(|transition| &transition.effects);
    let arcs: usize = arcs.map(|effect| usize::from(effect.take != 0) + usize::from(effect.put != 0)).sum();
    let (places, transitions) = (net.places.len(), net.transitions.len());
    let unit = |index: usize| units.units.get(index).map(|unit| escaped(&unit.name)).unwrap_or_default();
    let place = |index: u32| ids.get(index as usize).map_or("", String::as_str);
    let (count, root, safe) = (units.units.len(), unit(units.root), units.safe);
    writeln!(out, "      <toolspecific tool=\"nupn\" version=\"1.1\">")?;
    writeln!(out, "        <size places=\"{places}\" transitions=\"{transitions}\" arcs=\"{arcs}\"/>")?;
    writeln!(out, "        <structure units=\"{count}\" root=\"{root}\" safe=\"{safe}\">")?;
    for unit_index in 0..count {
        let group = &units.units[unit_index];
        let places: Vec<&str> = group.places.iter().map(|&index| place(index)).collect();
        let children: Vec<String> = group.children.iter().map(|&index| unit(index)).collect();
        write!(out, "          <unit id=\"{}\"><places>{}</places>", unit(unit_index), places.join(" "))?;
        writeln!(out, "<subunits>{}</subunits></unit>", children.join(" "))?;
    }
    writeln!(out, "        </structure>\n      </toolspecific>")
}

/// Names of initial markings, and the markings after the first.
fn write_markings(out: &mut String, net: &Net, ids: &[String]) -> std::fmt::Result {
    let Some((first, others)) = net.initial.split_first() else { return Ok(()) };
    if first.name.is_empty() && others.is_empty() {
        return Ok(());
    }
    writeln!(out, "      <toolspecific tool=\"{OURS}\" version=\"1\">")?;
    writeln!(out, "        <markings first=\"{}\">", escaped(&first.name))?;
    for initial in others {
        write!(out, "          <marking name=\"{}\">", escaped(&initial.name))?;
        for (place, tokens) in ids.iter().zip(&initial.marking).filter(|&(_, &tokens)| tokens != 0) {
            write!(out, "<tokens place=\"{place}\">{tokens}</tokens>")?;
        }
        writeln!(out, "</marking>")?;
    }
    writeln!(out, "        </markings>\n      </toolspecific>")
}
