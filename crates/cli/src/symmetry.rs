//! How a state space was folded, in words and for scripts.

use crate::arguments::{Engine, Strategy, Symmetry};
use crate::failure::Failure;
use crate::output;
use mandala_analysis::symmetry::instances;
use mandala_check::declared::{self, Source, Verified};
use mandala_check::explore::Stopped;
use mandala_check::fold::{self};
use mandala_check::options::Options;
use mandala_check::quotient::{Folded, Kept, Known, Way};
use mandala_check::space::Space;
use mandala_diagram::Count;
use mandala_group::UBig;
use mandala_model::flatten::{Flat, Renaming, flatten};
use mandala_model::property::Question;
use mandala_model::system::{System, Type};
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
    group: Known,
    /// The parts of the group in words.
    parts: Vec<String>,
}

impl Folding {
    /// How the space of a model was folded.
    pub fn new(model: &Model<'_>, space: &Space<'_>, folded: &Folded) -> Folding {
        Folding {
            parts: model.words(&folded.group),
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
fn parts(system: &System, group: &Known) -> Vec<String> {
    instances::describe(system, &group.shape, &group.points, &group.names)
}

/// A group in words, a line each part and one for its order.
pub fn words(system: &System, group: &Known) -> Vec<String> {
    with_order(parts(system, group), group)
}

fn with_order(mut words: Vec<String>, group: &Known) -> Vec<String> {
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
pub fn group_json(system: &System, group: &Known) -> Value {
    json_of(&parts(system, group), group)
}

fn json_of(parts: &[String], group: &Known) -> Value {
    json!({
        "parts": parts,
        "order": group.order.to_string(),
        "complete": group.is_complete,
        "keeps_initial": group.keeps_initial,
        "twins": group.twins,
    })
}

/// A model, what it is without parts if it is to be folded, and which symmetries are used.
pub struct Model<'m> {
    /// The model as it is written.
    written: &'m System,
    flat: Option<Flat>,
    source: Source,
}

impl<'m> Model<'m> {
    /// Looks at what is declared, and makes composites flat, if the model is to be folded.
    pub fn new(engine: &Engine, system: &'m System) -> Result<Model<'m>, Failure> {
        let source = engine.symmetries.into();
        let mut model = Model { written: system, flat: None, source };
        if engine.symmetry == Symmetry::Off {
            return match source {
                Source::Found => Ok(model),
                Source::Declared => Err(Failure::with_help(
                    "`--symmetries` says which symmetries are used, and none are",
                    "say how as well: `--symmetry auto`",
                )),
            };
        }
        is_for_diagrams(engine)?;
        verify(system, source)?;
        if !matches!(system.types.get(system.main), Some(Type::Composite(_))) {
            return Ok(model);
        }
        match flatten(system) {
            Ok(flat) => {
                model.flat = Some(flat);
                // What is flat may be larger by far, and is of no use if there is nothing to fold.
                if model.known(Kept { initial: false, questions: false }, &[], &[]).is_none() {
                    output::complain("note: not folded: no symmetry was found");
                    model.flat = None;
                } else {
                    output::complain("note: the composite is made flat, to be folded");
                }
            }
            Err(error) => {
                output::complain(&format!("note: not folded: a composite would have to be made flat, and {error}"));
            }
        }
        Ok(model)
    }

    /// What is explored.
    pub fn system(&self) -> &System {
        self.flat.as_ref().map_or(self.written, |flat| &flat.system)
    }

    /// Where everything has gone, if the model was made flat.
    pub fn renaming(&self) -> Option<&Renaming> {
        self.flat.as_ref().map(|flat| &flat.renaming)
    }

    /// The states, folded by the symmetries that leave some questions alone, given both as they were asked and about the
    /// model without parts.
    pub fn explore(
        &self, options: &Options, asked: &[&Question], renamed: &[&Question],
    ) -> Result<Space<'_>, Stopped<'_>> {
        fold::explore_by(self.system(), options, !asked.is_empty(), &|kept| self.known(kept, asked, renamed))
    }

    /// The symmetries that are seen on the model as it is written, or those that are seen when it is flat if these are more.
    fn known(&self, kept: Kept, asked: &[&Question], renamed: &[&Question]) -> Option<Known> {
        let flat = self.flat.as_ref().map(|flat| (&flat.system, renamed));
        declared::known_of_both((self.written, asked), flat, self.source, kept)
    }

    /// Whether a group leaves questions alone.
    pub fn leaves_alone(&self, group: &Known, asked: &[&Question], renamed: &[&Question]) -> bool {
        let all = |system: &System, questions: &[&Question]| {
            questions.iter().all(|question| group.leaves_alone(system, question))
        };
        all(self.written, asked) || self.flat.as_ref().is_some_and(|flat| all(&flat.system, renamed))
    }

    /// A group in words, a line each part.
    pub fn words(&self, group: &Known) -> Vec<String> {
        parts(self.written, group)
    }

    /// What is to be said of declared symmetries that some questions do not allow.
    pub fn unused(&self, asked: &[&Question]) -> Option<String> {
        if self.source == Source::Found {
            return None;
        }
        let known = |questions| declared::known(self.written, self.source, Kept { initial: false, questions }, asked);
        let all = known(false)?.order;
        let allowed = known(true).map_or(UBig::ONE, |allowed| allowed.order);
        (allowed < all).then(|| format!("{allowed} of the {all} declared symmetries leave the question alone"))
    }
}

/// Symmetries that a model declares are to be symmetries, if they are used.
fn verify(system: &System, source: Source) -> Result<(), Failure> {
    let declared = declared::verify(system);
    if declared.is_empty() && source == Source::Declared {
        return Err(Failure::with_help(
            "the model declares no symmetries",
            "leave out `--symmetries declared` to use those that are found",
        ));
    }
    match declared.into_iter().find_map(|(name, verified)| match verified {
        Verified::No(broken) => Some((name, broken)),
        Verified::Yes | Verified::Unknown => None,
    }) {
        Some((name, broken)) => Err(Failure::with_help(
            format!("`{name}` is declared as a symmetry and is none: {broken}"),
            "`mandala info` shows the symmetries that a model has",
        )),
        None => Ok(()),
    }
}

/// Folding is done on diagrams.
pub fn is_for_diagrams(engine: &Engine) -> Result<(), Failure> {
    if engine.symmetry == Symmetry::Off || engine.strategy != Strategy::Explicit {
        return Ok(());
    }
    let help = "leave out `--strategy explicit`, or `--symmetry`";
    Err(Failure::with_help("state spaces are folded on diagrams, not state by state", help))
}
