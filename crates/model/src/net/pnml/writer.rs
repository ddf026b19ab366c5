//! Writing nets as PNML.

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
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_net(&mut text, net);
    text
}

fn write_net(out: &mut String, net: &Net) -> std::fmt::Result {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">")?;
    let name = escaped(&net.name);
    writeln!(out, "  <net id=\"{name}\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">")?;
    writeln!(out, "    <page id=\"page\">")?;
    write_places(out, net)?;
    write_transitions(out, net)?;
    if let Some(units) = &net.units {
        write_units(out, net, units)?;
    }
    write_markings(out, net)?;
    writeln!(out, "    </page>\n  </net>\n</pnml>")
}

fn write_places(out: &mut String, net: &Net) -> std::fmt::Result {
    let first = net.initial.first();
    for (index, place) in net.places.iter().enumerate() {
        write!(out, "      <place id=\"{}\">", escaped(&place.name))?;
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

fn write_transitions(out: &mut String, net: &Net) -> std::fmt::Result {
    let mut arcs = Arcs { count: 0 };
    let has_priorities = net.has_priorities();
    for transition in &net.transitions {
        let name = escaped(&transition.name);
        write!(out, "      <transition id=\"{name}\">")?;
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
            let place = net.places.get(effect.place as usize).map(|place| escaped(&place.name)).unwrap_or_default();
            arcs.write(out, effect, &place, &name)?;
        }
    }
    Ok(())
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

fn write_units(out: &mut String, net: &Net, units: &Units) -> std::fmt::Result {
    let arcs = net.transitions.iter().flat_map(|transition| &transition.effects);
    let arcs: usize = arcs.map(|effect| usize::from(effect.take != 0) + usize::from(effect.put != 0)).sum();
    let (places, transitions) = (net.places.len(), net.transitions.len());
    let unit = |index: usize| units.units.get(index).map(|unit| escaped(&unit.name)).unwrap_or_default();
    let place = |index: u32| net.places.get(index as usize).map(|place| escaped(&place.name)).unwrap_or_default();
    let (count, root, safe) = (units.units.len(), unit(units.root), units.safe);
    writeln!(out, "      <toolspecific tool=\"nupn\" version=\"1.1\">")?;
    writeln!(out, "        <size places=\"{places}\" transitions=\"{transitions}\" arcs=\"{arcs}\"/>")?;
    writeln!(out, "        <structure units=\"{count}\" root=\"{root}\" safe=\"{safe}\">")?;
    for unit_index in 0..count {
        let group = &units.units[unit_index];
        let places: Vec<String> = group.places.iter().map(|&index| place(index)).collect();
        let children: Vec<String> = group.children.iter().map(|&index| unit(index)).collect();
        write!(out, "          <unit id=\"{}\"><places>{}</places>", unit(unit_index), places.join(" "))?;
        writeln!(out, "<subunits>{}</subunits></unit>", children.join(" "))?;
    }
    writeln!(out, "        </structure>\n      </toolspecific>")
}

/// Names of initial markings, and the markings after the first.
fn write_markings(out: &mut String, net: &Net) -> std::fmt::Result {
    let Some((first, others)) = net.initial.split_first() else { return Ok(()) };
    if first.name.is_empty() && others.is_empty() {
        return Ok(());
    }
    writeln!(out, "      <toolspecific tool=\"{OURS}\" version=\"1\">")?;
    writeln!(out, "        <markings first=\"{}\">", escaped(&first.name))?;
    for initial in others {
        write!(out, "          <marking name=\"{}\">", escaped(&initial.name))?;
        for (place, tokens) in net.places.iter().zip(&initial.marking).filter(|&(_, &tokens)| tokens != 0) {
            write!(out, "<tokens place=\"{}\">{tokens}</tokens>", escaped(&place.name))?;
        }
        writeln!(out, "</marking>")?;
    }
    writeln!(out, "        </markings>\n      </toolspecific>")
}
