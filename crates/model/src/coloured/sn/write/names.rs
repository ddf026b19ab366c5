//! Names for everything in a net, each different from the others of its kind.

use super::super::super::class::Names as ColourNames;
use super::super::super::{Class, ColouredNet};
use crate::gal::syntax::Name;
use crate::gal::write::Unique;

/// Words that mean something where names stand.
const RESERVED: [&str; 20] = [
    "all",
    "none",
    "card",
    "in",
    "bag",
    "unique",
    "linear",
    "circular",
    "subclasses",
    "sets",
    "priority",
    "capacity",
    "label",
    "net",
    "class",
    "place",
    "transition",
    "property",
    "and",
    "or",
];

/// The names of a net.
pub(super) struct Names {
    pub classes: Vec<String>,
    /// For each class, those of its sets.
    pub sets: Vec<Vec<String>>,
    /// For each class, those of its colours; none where these are numbered.
    listed: Vec<Option<Vec<String>>>,
    numbered: Vec<(String, i64)>,
    pub places: Vec<String>,
    pub transitions: Vec<String>,
}

impl Names {
    pub fn of(net: &ColouredNet) -> Names {
        let listed: Vec<Option<Vec<String>>> = net
            .classes
            .iter()
            .map(|class| match &class.names {
                ColourNames::Listed(names) => Some(unique(names.iter().map(String::as_str))),
                ColourNames::Numbered { .. } => None,
            })
            .collect();
        let numbered = net
            .classes
            .iter()
            .map(|class| match &class.names {
                ColourNames::Listed(_) => (String::new(), 0),
                ColourNames::Numbered { prefix, first, .. } => (prefix.clone(), *first),
            })
            .collect();
        Names {
            classes: unique(net.classes.iter().map(|class| class.name.as_str())),
            sets: net.classes.iter().map(set_names).collect(),
            listed,
            numbered,
            places: unique(net.places.iter().map(|place| place.name.as_str())),
            transitions: unique(net.transitions.iter().map(|transition| transition.name.as_str())),
        }
    }

    /// What a colour is called, without quotes.
    pub fn bare_colour(&self, class: usize, colour: u32) -> String {
        match &self.listed[class] {
            Some(names) => names[colour as usize].clone(),
            None => {
                let (prefix, first) = &self.numbered[class];
                format!("{prefix}{}", first + i64::from(colour))
            }
        }
    }

    /// A colour as it is written.
    pub fn colour(&self, class: usize, colour: u32) -> String {
        let name = self.bare_colour(class, colour);
        match is_number(&name) {
            true => name,
            false => quoted(&name),
        }
    }
}

/// Names for the sets of a class that are not those of its colours.
fn set_names(class: &Class) -> Vec<String> {
    let mut names = Unique::default();
    let mut made = Vec::new();
    for set in &class.subclasses {
        let mut name = names.add(&set.name);
        while class.find(&name).is_some() {
            name = names.add(&format!("{name}#"));
        }
        made.push(name);
    }
    made
}

/// Names that are all different.
pub(super) fn unique<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut all = Unique::default();
    names.map(|name| all.add(name)).collect()
}

/// A name as it is, if the language allows that; in backquotes otherwise.
pub(super) fn quoted(name: &str) -> String {
    match RESERVED.contains(&name) {
        true => format!("`{name}`"),
        false => Name::new(name).to_string(),
    }
}

/// Whether a name is a number, as it is read without quotes.
fn is_number(name: &str) -> bool {
    let digits = name.strip_prefix('-').unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
