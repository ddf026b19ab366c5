//! Writing symmetric nets as PNML.

mod declare;
mod terms;

use crate::coloured::{Arc, ColouredNet, Guard, Tokens};
use crate::pnml::escape::escaped;
use declare::Declared;
use std::fmt::{self, Write};
use terms::Terms;

/// Why a net cannot be written as PNML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotWritable {
    /// Symmetric nets of the standard have no bags inside of tokens, nor variables for them.
    Bags {
        /// The place or transition that has them.
        at: String,
    },
    /// Nets of the standard have no priorities.
    Priority {
        /// A transition that has one.
        transition: String,
    },
    /// Tokens that are there under a condition only.
    Conditional {
        /// The place or transition that has them.
        at: String,
    },
    /// The subclasses of a class make no partitions.
    Subclasses {
        /// The class.
        class: String,
    },
    /// A class without colours, or with more of them than can be listed.
    Colours {
        /// The class.
        class: String,
    },
    /// An expression that nests deeper than what is read.
    TooDeep {
        /// The place or transition that has it.
        at: String,
    },
    /// An expression that names something that is not there.
    Malformed {
        /// The place or transition that has it.
        at: String,
    },
}

impl fmt::Display for NotWritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotWritable::Bags { at } => write!(f, "`{at}` has bags, which PNML cannot say"),
            NotWritable::Priority { transition } => {
                write!(f, "the transition `{transition}` has a priority, which PNML cannot say")
            }
            NotWritable::Conditional { at } => {
                write!(f, "`{at}` has tokens that are there under a condition, which PNML cannot say")
            }
            NotWritable::Subclasses { class } => write!(
                f,
                "the subclasses of `{class}` share colours or leave some out; in PNML they are partitions, with each colour in one"
            ),
            NotWritable::Colours { class } => {
                write!(f, "the class `{class}` has no colours, or too many for a list of them")
            }
            NotWritable::TooDeep { at } => write!(f, "an expression of `{at}` nests too deeply"),
            NotWritable::Malformed { at } => write!(f, "an expression of `{at}` names something that is not there"),
        }
    }
}

impl std::error::Error for NotWritable {}

/// A symmetric net as a PNML file, which [`read`](super::read) reads back as the same net, but for what can be said in several
/// ways: a sum of sums becomes one sum, names that several things share are replaced, and a class whose order nobody asks for has
/// none.
///
/// An inhibitor arc, which the standard does not have, is written with `<type value="inhibitor"/>`. Subclasses are written as
/// partitions.
pub fn write(net: &ColouredNet) -> Result<String, NotWritable> {
    if let Some(transition) = net.transitions.iter().find(|transition| transition.priority > 0) {
        return Err(NotWritable::Priority { transition: transition.name.clone() });
    }
    let declared = Declared::new(net)?;
    let mut out = String::new();
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str("<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n");
    let _ = writeln!(
        out,
        "  <net id=\"{}\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\">",
        escaped(&net.name)
    );
    declared.write(&mut out, net);
    out.push_str("    <page id=\"page\">\n");
    let mut writer = Writer { out, net, declared: &declared, arcs: 0 };
    writer.places()?;
    writer.transitions()?;
    let mut out = writer.out;
    out.push_str("    </page>\n  </net>\n</pnml>\n");
    Ok(out)
}

struct Writer<'n> {
    out: String,
    net: &'n ColouredNet,
    declared: &'n Declared,
    /// How many arcs there are so far: they are numbered to have an id.
    arcs: usize,
}

impl Writer<'_> {
    fn places(&mut self) -> Result<(), NotWritable> {
        for (index, place) in self.net.places.iter().enumerate() {
            let _ = write!(self.out, "      <place id=\"{}\"><type><structure>", escaped(&place.name));
            let _ = write!(self.out, "<usersort declaration=\"{}\"/>", escaped(self.declared.sort_of_place(index)));
            self.out.push_str("</structure></type>");
            if place.initial != Tokens::none() {
                self.out.push_str("<hlinitialMarking><structure>");
                self.terms(&place.name, &[]).tokens(&place.initial, index, 1)?;
                self.out.push_str("</structure></hlinitialMarking>");
            }
            self.out.push_str("</place>\n");
        }
        Ok(())
    }

    fn transitions(&mut self) -> Result<(), NotWritable> {
        let declared = self.declared;
        for (transition, variables) in self.net.transitions.iter().zip(&declared.variables) {
            let name = escaped(&transition.name);
            let _ = write!(self.out, "      <transition id=\"{name}\">");
            if transition.guard != Guard::default() {
                self.out.push_str("<condition><structure>");
                self.terms(&transition.name, variables).guard(&transition.guard, 1)?;
                self.out.push_str("</structure></condition>");
            }
            self.out.push_str("</transition>\n");
            for arc in &transition.takes {
                self.arc(arc, &transition.name, variables, false, "")?;
            }
            for arc in &transition.inhibitors {
                self.arc(arc, &transition.name, variables, false, "<type value=\"inhibitor\"/>")?;
            }
            for arc in &transition.puts {
                self.arc(arc, &transition.name, variables, true, "")?;
            }
        }
        Ok(())
    }

    fn arc(
        &mut self, arc: &Arc, transition: &str, variables: &[String], out: bool, kind: &str,
    ) -> Result<(), NotWritable> {
        let place = self.net.places.get(arc.place as usize);
        let place = place.ok_or_else(|| NotWritable::Malformed { at: transition.to_owned() })?;
        let (source, target) = if out { (transition, place.name.as_str()) } else { (place.name.as_str(), transition) };
        self.arcs += 1;
        let (source, target) = (escaped(source), escaped(target));
        let _ = write!(self.out, "      <arc id=\"arc{}\" source=\"{source}\" target=\"{target}\">", self.arcs);
        self.out.push_str("<hlinscription><structure>");
        self.terms(transition, variables).tokens(&arc.tokens, arc.place as usize, 1)?;
        let _ = writeln!(self.out, "</structure></hlinscription>{kind}</arc>");
        Ok(())
    }

    fn terms<'t>(&'t mut self, at: &'t str, variables: &'t [String]) -> Terms<'t> {
        Terms { out: &mut self.out, net: self.net, declared: self.declared, variables, at }
    }
}
