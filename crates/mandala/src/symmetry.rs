//! Symmetries in words, and quotients by them.

pub use mandala_check::space::Construction;
use mandala_diagram::Count;

/// What an answer is said to be found on where no symmetry was used.
pub(crate) const ON_ALL_STATES: &str = "on all states";

/// A group of symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What may take whose place, in words, part by part.
    pub parts: Vec<String>,
    /// How many symmetries there are; at least, if the search was not complete.
    pub order: Count,
    /// Whether all symmetries were found.
    pub is_complete: bool,
    /// Whether it leaves the initial states alone.
    pub keeps_initial: bool,
    /// How many places always hold the same as another: to exchange them would change no state.
    pub twins: usize,
}

impl Group {
    /// The group in words, a line for each part and one for its order.
    pub fn words(&self) -> Vec<String> {
        let mut words = self.parts.clone();
        let at_least = if self.is_complete { "" } else { "at least " };
        let initial = if self.keeps_initial { "" } else { ", not all of which leave the initial state alone" };
        words.push(format!("{at_least}{} symmetries in all{initial}", self.order));
        match self.twins {
            0 => {}
            1 => words
                .push("one place always holds the same as another: exchanging these would change no state".to_owned()),
            twins => words
                .push(format!("{twins} places always hold the same as others: exchanging these would change no state")),
        }
        words
    }
}

/// The states of a model up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotient {
    /// How it was made.
    pub construction: Construction,
    /// How many states are left.
    pub representatives: Count,
    /// How many were left before the leaders of orbits were looked for one by one, if they were.
    pub left_by_diagrams: Option<Count>,
    /// How many states these stand for, if that is known.
    pub concrete: Option<Count>,
    /// Whether one state is left of each orbit.
    pub is_canonical: bool,
    /// The symmetries.
    pub group: Group,
}

impl Quotient {
    /// Why it is not said how many states the representatives stand for.
    pub fn why_not_counted(&self) -> &'static str {
        if self.group.keeps_initial {
            "not counted: there are too many orbits to look at each"
        } else {
            "not counted: the initial state has images that may not be reachable"
        }
    }

    /// How many orbits there are, with numbers as somebody writes them.
    pub fn orbits_in_words(&self, number: impl Fn(&Count) -> String) -> String {
        let representatives = number(&self.representatives);
        if self.construction == Construction::Whole {
            return "unknown".to_owned();
        }
        match (&self.left_by_diagrams, self.is_canonical) {
            (_, false) => format!("at most {representatives} (several states may be left of an orbit)"),
            (Some(left), true) if *left != self.representatives => {
                format!("{representatives} ({} representatives from diagrams, refined one by one)", number(left))
            }
            _ => representatives,
        }
    }

    /// What the symmetries are, and how they were used, a line each.
    pub fn words(&self) -> Vec<String> {
        let mut words = self.group.words();
        words.push(match self.construction {
            Construction::Explored => "used while exploring: only one state of each orbit was kept".to_owned(),
            Construction::Selected => "used afterwards: one state of each orbit was selected from all".to_owned(),
            Construction::Listed => {
                "used one by one: the leader of each orbit was found from that of another".to_owned()
            }
            Construction::Whole => {
                "not used: all states were found, and to select from them would take too long".to_owned()
            }
        });
        words
    }

    /// On which states something is answered, in one line.
    pub fn summary(&self) -> String {
        let group = self.group.parts.join("; ");
        match self.construction {
            Construction::Selected => {
                format!("on all states, which are {} up to symmetry ({group})", self.representatives)
            }
            Construction::Whole => {
                format!("{ON_ALL_STATES}: to select one of each orbit ({group}) would take too long")
            }
            Construction::Explored | Construction::Listed => {
                format!("on {} states up to symmetry ({group})", self.representatives)
            }
        }
    }
}

/// A symmetry that a model declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// Whether it is one.
    pub standing: Standing,
}

/// Whether what is declared as a symmetry is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is.
    Verified,
    /// It is none: it would change this.
    Refuted(String),
    /// The model is too large to tell.
    Unknown,
}
