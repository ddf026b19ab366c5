//! How a state space was folded, in words and for scripts.

use crate::arguments::{Engine, Strategy, Symmetry};
use crate::failure::Failure;
use crate::output;
use mandala_analysis::symmetry::{SymmetryGroup, instances};
use mandala_check::fold::declared::Source;
use mandala_check::fold::{NotDeclared, Subject};
use mandala_check::quotient::{Folded, Way};
use mandala_check::space::SystemSpace;
use mandala_diagram::Count;
use mandala_model::system::System;
use mandala_symbolic::encode::SystemEncoding;
use serde_json::{Value, json};

/// How a state space was folded.
pub struct Folding {
    way: Way,
    /// How many states are left.
    pub representatives: Count,
    left_by_diagrams: Option<Count>,
    /// How many states there are without folding, if that is known.
    pub concrete: Option<Count>,
    /// Whether one state is left of each orbit.
    pub is_canonical: bool,
    group: SymmetryGroup,
    /// The parts of the group in words.
    parts: Vec<String>,
}

impl Folding {
    /// How the space of a model was folded.
    pub fn new(subject: &Subject<'_>, space: &SystemSpace<'_>, folded: &Folded<SystemEncoding<'_>>) -> Folding {
        Folding {
            parts: subject.words(&folded.group),
            way: folded.way,
            representatives: space.encoded.store.count(&folded.representatives),
            left_by_diagrams: folded.left_by_diagrams.clone(),
            concrete: folded.concrete.clone(),
            is_canonical: folded.is_canonical,
            group: folded.group.clone(),
        }
    }

    /// Why it is not said how many states there are without folding.
    pub fn why_not_counted(&self) -> &'static str {
        if self.group.keeps_initial {
            "not counted: there are too many orbits to look at each"
        } else {
            "not counted: the initial state has images that may not be reachable"
        }
    }

    /// How many orbits there are.
    pub fn orbits_in_words(&self, number: impl Fn(&Count) -> String) -> String {
        let representatives = number(&self.representatives);
        if self.way == Way::Whole {
            return "unknown".to_owned();
        }
        match (&self.left_by_diagrams, self.is_canonical) {
            (_, false) => format!("at most {representatives} (several states may be left of an orbit)"),
            (Some(left), true) if *left != self.representatives => {
                format!("{representatives} (diagrams left {}, the rest was found one by one)", number(left))
            }
            _ => representatives,
        }
    }

    /// What the symmetries are, and how they were used.
    pub fn words(&self) -> Vec<String> {
        let mut words = with_order(self.parts.clone(), &self.group);
        words.push(match self.way {
            Way::Explored => "used while exploring: only one state of each orbit was kept".to_owned(),
            Way::Selected => "used afterwards: one state of each orbit was selected from all".to_owned(),
            Way::Listed => "used one by one: the leader of each orbit was found from that of another".to_owned(),
            Way::Whole => "not used: all states were found, and to select from them would take too long".to_owned(),
        });
        words
    }

    /// In one line.
    pub fn summary(&self) -> String {
        let group = self.parts.join("; ");
        match self.way {
            Way::Selected => format!("on all states, which are {} up to symmetry ({group})", self.representatives),
            Way::Whole => "on all states".to_owned(),
            Way::Explored | Way::Listed => format!("on {} states up to symmetry ({group})", self.representatives),
        }
    }

    /// For scripts.
    pub fn json(&self) -> Value {
        let mut object = json_of(&self.parts, &self.group);
        object["way"] = json!(match self.way {
            Way::Explored => "explore",
            Way::Selected => "select",
            Way::Listed => "list",
            Way::Whole => "whole",
        });
        if let Some(left) = &self.left_by_diagrams {
            object["left_by_diagrams"] = json!(format!("{left:#}"));
        }
        object
    }
}

/// The parts of a group in words, a line each: of a composite, with the names of its instances.
fn parts(system: &System, group: &SymmetryGroup) -> Vec<String> {
    instances::describe(system, &group.shape, &group.points, &group.names)
}

/// A group in words, a line each part and one for its order.
pub fn words(system: &System, group: &SymmetryGroup) -> Vec<String> {
    with_order(parts(system, group), group)
}

fn with_order(mut words: Vec<String>, group: &SymmetryGroup) -> Vec<String> {
    let order = Count::from(group.order.clone());
    let at_least = if group.is_complete { "" } else { "at least " };
    let initial = if group.keeps_initial { "" } else { ", not all of which leave the initial state alone" };
    words.push(format!("{at_least}{order} symmetries in all{initial}"));
    match group.twins {
        0 => {}
        1 => {
            words.push("one place always holds the same as another: exchanging these would change no state".to_owned())
        }
        twins => {
            words.push(format!("{twins} places always hold the same as others: exchanging these would change no state"))
        }
    }
    words
}

/// A group for scripts.
pub fn group_json(system: &System, group: &SymmetryGroup) -> Value {
    json_of(&parts(system, group), group)
}

fn json_of(parts: &[String], group: &SymmetryGroup) -> Value {
    json!({
        "parts": parts,
        "order": group.order.to_string(),
        "complete": group.is_complete,
        "keeps_initial": group.keeps_initial,
        "twins": group.twins,
    })
}

/// What is explored if the model is to be folded: nothing if it is not.
pub fn subject<'s>(engine: &Engine, system: &'s System) -> Result<Option<Subject<'s>>, Failure> {
    let source = engine.symmetries.into();
    if engine.symmetry == Symmetry::Off {
        return match source {
            Source::Found => Ok(None),
            Source::Declared => Err(Failure::with_help(
                "`--symmetries` says which symmetries are used, and none are",
                "say how as well: `--symmetry auto`",
            )),
        };
    }
    is_for_diagrams(engine)?;
    let subject = Subject::new(system, source).map_err(|reason| {
        let help = match reason {
            NotDeclared::Nothing => "leave out `--symmetries declared` to use those that are found",
            NotDeclared::Broken { .. } => "`mandala info` shows the symmetries that a model has",
        };
        Failure::with_help(reason.to_string(), help)
    })?;
    if let Some(note) = subject.note() {
        output::complain(&format!("note: {note}"));
    }
    Ok(Some(subject))
}

/// Folding is done on diagrams.
pub fn is_for_diagrams(engine: &Engine) -> Result<(), Failure> {
    if engine.symmetry == Symmetry::Off || engine.strategy != Strategy::Explicit {
        return Ok(());
    }
    let help = "leave out `--strategy explicit`, or `--symmetry`";
    Err(Failure::with_help("state spaces are folded on diagrams, not state by state", help))
}
