//! Static subclasses and symbolic markings of coloured nets, as people see them.

use mandala_analysis::coloured::partition::{self, Subclasses, Symmetry};
use mandala_diagram::Count;
use mandala_model::coloured::Class;
use std::fmt;

/// Subclasses that are listed at most.
const MOST_LISTED: usize = 8;

/// The symbolic markings of a coloured net: its markings up to exchanging colours that nothing tells apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicMarkings {
    /// Which engine found them.
    pub engine: &'static str,
    /// How many there are.
    pub markings: Count,
    /// Whether each was counted once. If not, there may be fewer.
    pub is_unique: bool,
    /// How many symbolic firings, if they were counted.
    pub firings: Option<Count>,
    /// In how many nothing can happen, if that was counted.
    pub deadlocks: Option<Count>,
    /// Bytes to keep them.
    pub bytes: u64,
    /// The classes with their static subclasses.
    pub classes: Vec<ClassOfColours>,
    /// How they were found, in words, a line each.
    pub how: Vec<String>,
}

/// A class of colours with its static subclasses. Displayed, it is a line for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassOfColours {
    /// Its name.
    pub name: String,
    /// How many colours it has.
    pub colours: u32,
    /// What can be done with them.
    pub symmetry: ColourSymmetry,
    /// The static subclasses, if colours can be exchanged: how many colours each has, and a name of the first.
    pub subclasses: Vec<(u32, String)>,
    /// Why colours are told apart, a line each.
    pub reasons: Vec<String>,
}

/// What can be done with the colours of a class without changing what the net does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourSymmetry {
    /// Those of one subclass can be exchanged.
    Exchanged,
    /// All can be turned.
    Turned,
    /// Nothing.
    None,
}

impl ColourSymmetry {
    /// Its name, as scripts know it.
    pub fn name(self) -> &'static str {
        match self {
            ColourSymmetry::Exchanged => "exchanged",
            ColourSymmetry::Turned => "turned",
            ColourSymmetry::None => "none",
        }
    }
}

impl ClassOfColours {
    pub(crate) fn new(class: &Class, found: &Subclasses) -> ClassOfColours {
        let subclasses = found.cells.iter().map(|cell| (partition::size(cell), class.name_of(cell[0].0).into_owned()));
        ClassOfColours {
            name: class.name.clone(),
            colours: class.len(),
            symmetry: match found.symmetry {
                Symmetry::Exchanged => ColourSymmetry::Exchanged,
                Symmetry::Turned => ColourSymmetry::Turned,
                Symmetry::None => ColourSymmetry::None,
            },
            subclasses: subclasses.collect(),
            reasons: found.reasons.iter().map(ToString::to_string).collect(),
        }
    }
}

impl fmt::Display for ClassOfColours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        match self.symmetry {
            ColourSymmetry::Exchanged if self.colours == 1 => f.write_str("1 colour")?,
            ColourSymmetry::Exchanged if self.subclasses.len() == 1 => {
                write!(f, "{} interchangeable colours", self.colours)?;
            }
            ColourSymmetry::Exchanged => {
                let one = |(size, name): &(u32, String)| match size {
                    1 => name.clone(),
                    size => format!("{size} from {name} on"),
                };
                let listed: Vec<String> = self.subclasses.iter().take(MOST_LISTED).map(one).collect();
                let more = self.subclasses.len().saturating_sub(MOST_LISTED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                write!(f, "{} subclasses: {}{more}", self.subclasses.len(), listed.join(" | "))?;
            }
            ColourSymmetry::Turned => write!(f, "a ring of {} colours", self.colours)?,
            ColourSymmetry::None => write!(f, "{} colours, none like another", self.colours)?,
        }
        match self.reasons.as_slice() {
            [] => Ok(()),
            [first] => write!(f, " ({first})"),
            [first, rest @ ..] => write!(f, " ({first}; and {} more)", rest.len()),
        }
    }
}
