//! What is known of a state space: how many states, and other figures.

use crate::error::{Error, ErrorKind};
use crate::reason::Reason;
use mandala_analysis::reduce::Reduction;
use mandala_check::figures;
use mandala_diagram::Count;
use std::fmt;

/// How many states there are, as far as that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counted {
    /// So many.
    Exactly(Count),
    /// So many were found, and there may be more.
    AtLeast(Count),
    /// Infinitely many: the net is not bounded.
    Infinitely,
    /// Not known: a limit struck before any were counted, or representatives stand for states that were not counted.
    Unknown,
}

impl Counted {
    /// The states that were found, all of them or not.
    pub fn found(&self) -> Option<&Count> {
        match self {
            Counted::Exactly(count) | Counted::AtLeast(count) => Some(count),
            Counted::Infinitely | Counted::Unknown => None,
        }
    }

    /// The number, if it is known.
    pub fn exactly(&self) -> Option<&Count> {
        match self {
            Counted::Exactly(count) => Some(count),
            _ => None,
        }
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Counted::Exactly(count) => fmt::Display::fmt(count, f),
            Counted::AtLeast(count) => {
                f.write_str("at least ")?;
                fmt::Display::fmt(count, f)
            }
            Counted::Infinitely => f.write_str("infinitely many"),
            Counted::Unknown => f.write_str("an unknown number of"),
        }
    }
}

/// The figures of the Model Checking Contest, besides the number of states.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Pairs of a state and what can happen in it; `None` if there is too much that can happen to look at.
    pub transitions: Option<Count>,
    /// The most tokens in a place: the greatest value of a variable.
    pub most_in_place: i64,
    /// The most tokens in a marking: the greatest sum of all variables.
    pub most_in_marking: i64,
}

impl From<figures::Figures> for Figures {
    fn from(figures: figures::Figures) -> Figures {
        Figures {
            transitions: figures.transitions,
            most_in_place: figures.most_in_place,
            most_in_marking: figures.most_in_marking,
        }
    }
}

/// Why there are no figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoFigures {
    /// Not all states are known, or there are infinitely many.
    Part,
    /// Only representatives were kept, and the figures are those of all states.
    Representatives,
    /// A limit struck.
    Stopped(Reason),
    /// Diagrams cannot tell, and why.
    Beyond(String),
}

impl fmt::Display for NoFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFigures::Part => write!(f, "{}", figures::NoFigures::Part),
            NoFigures::Representatives => write!(f, "{}", figures::NoFigures::Representatives),
            NoFigures::Stopped(reason) => write!(f, "{reason}"),
            NoFigures::Beyond(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for NoFigures {}

impl From<NoFigures> for Error {
    fn from(reason: NoFigures) -> Error {
        Error::new(ErrorKind::Figures, format!("the states cannot be counted so: {reason}"))
    }
}

/// What is wrong keeps diagrams from telling.
impl From<Error> for NoFigures {
    fn from(error: Error) -> NoFigures {
        NoFigures::Beyond(error.to_string())
    }
}

/// How the diagram of a state space was laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The order of its variables, by the name of the heuristic.
    pub order: String,
    /// How many variables a state has in the diagram.
    pub variables: Count,
    /// How many levels it has.
    pub levels: usize,
}

/// How much smaller a net was made before its states were counted. Displayed, it is a sentence for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// Its places, before and after.
    pub places: (usize, usize),
    /// Its transitions, before and after.
    pub transitions: (usize, usize),
}

impl Reduced {
    pub(crate) fn of(reduction: &Reduction) -> Reduced {
        Reduced {
            places: (reduction.places, reduction.net.places.len()),
            transitions: (reduction.fates.len(), reduction.net.transitions.len()),
        }
    }
}

impl fmt::Display for Reduced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |number: usize, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
        let (places, transitions) = (count(self.places.0, "place"), count(self.transitions.0, "transition"));
        write!(f, "from {places} and {transitions} to {} and {}", self.places.1, self.transitions.1)
    }
}

/// The same net with fewer tokens, from whose figures those of a net follow: its markings are all solutions of its invariants, and how
/// many there are is a polynomial of how many tokens it begins with. Displayed, it is a sentence for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Siblings {
    /// How many times the tokens that grow are there, in the first and the last that was counted.
    pub counted: (i64, i64),
    /// The same of the net.
    pub number: i64,
}

impl fmt::Display for Siblings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = self.counted;
        write!(
            f,
            "its markings are all solutions of its invariants: counted for {first} to {last} of {} shares of the tokens",
            self.number
        )
    }
}

/// A run that can be repeated for ever and leaves more tokens each time, by names: it shows that a net is not bounded.
/// Displayed, it has one step on each line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Transitions that fire first.
    pub prefix: Vec<String>,
    /// Transitions that can then fire again and again.
    pub cycle: Vec<String>,
    /// Places that hold more each time.
    pub grows: Vec<String>,
}

/// Steps that people are shown of the beginning and of the cycle, and places.
const MOST: usize = 30;

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.prefix.is_empty() {
            write!(f, "After\n{}", steps(&self.prefix))?;
        }
        write!(f, "this can happen again and again:\n{}", steps(&self.cycle))?;
        let shown = self.grows.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = match self.grows.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        writeln!(f, "and each time there are more tokens in {shown}{more}")
    }
}

/// Steps, one on each line; the same step several times in a row is one line.
fn steps(names: &[String]) -> String {
    let mut text = String::new();
    let rows: Vec<&[String]> = names.chunk_by(|a, b| a == b).collect();
    for row in rows.iter().take(MOST) {
        let times = if row.len() > 1 { format!("  ({} times)", row.len()) } else { String::new() };
        text.push_str(&format!("  {}{times}\n", row[0]));
    }
    let shown: usize = rows.iter().take(MOST).map(|row| row.len()).sum();
    if shown < names.len() {
        text.push_str(&format!("  ... and {} more steps\n", names.len() - shown));
    }
    text
}
