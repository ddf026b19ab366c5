//! How a state space was folded, in words and for scripts.

use crate::arguments::{Engine, Strategy, Symmetry};
use crate::convert::{Renaming, flatten};
use crate::failure::Failure;
use crate::output;
use mandala_check::fold::{Folded, Known, Way};
use mandala_check::space::Space;
use mandala_diagram::Count;
use mandala_group::Permutation;
use mandala_model::system::{DeclaredSymmetry, System, Type};
use mandala_symbolic::symmetry::{Keep, check};
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
}

impl Folding {
    /// How a space was folded.
    pub fn new(space: &Space<'_>, folded: &Folded) -> Folding {
        Folding {
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
        let mut words = words(&self.group);
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
        let group = self.group.words().join("; ");
        match self.way {
            Way::Selected => format!("on all states, which are {} up to symmetry ({group})", self.representatives),
            Way::Whole => "on all states".to_owned(),
            Way::Explored | Way::Listed => format!("on {} states up to symmetry ({group})", self.representatives),
        }
    }

    /// For scripts.
    pub fn json(&self) -> Value {
        let mut object = group_json(&self.group);
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

/// A group in words, a line each part and one for its order.
pub fn words(group: &Known) -> Vec<String> {
    let mut words = group.words();
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
pub fn group_json(group: &Known) -> Value {
    json!({
        "parts": group.words(),
        "order": group.order.to_string(),
        "complete": group.is_complete,
        "keeps_initial": group.keeps_initial,
        "twins": group.twins,
    })
}

/// The system without parts, if it has some and is to be folded, and where everything has gone.
pub fn flat(engine: &Engine, system: &System) -> Option<(System, Renaming)> {
    let is_composite = matches!(system.types.get(system.main), Some(Type::Composite(_)));
    if engine.symmetry == Symmetry::Off || !is_composite {
        return None;
    }
    match flatten(system) {
        Ok(flat) => {
            output::complain("note: the composite is made flat, to be folded");
            Some(flat)
        }
        Err(Failure::Message { text, .. }) => {
            output::complain(&format!("note: not folded: a composite would have to be made flat, and {text}"));
            None
        }
        Err(Failure::Unreadable(_)) => None,
    }
}

/// Symmetries that a model declares are to be symmetries, if they are used.
pub fn verify(engine: &Engine, system: &System) -> Result<(), Failure> {
    if engine.symmetry == Symmetry::Off {
        return Ok(());
    }
    is_for_diagrams(engine)?;
    match declared(system).into_iter().find_map(|(name, broken)| Some((name, broken?))) {
        Some((name, broken)) => Err(Failure::with_help(
            format!("`{name}` is declared as a symmetry and is none: {broken}"),
            "`mandala info` shows the symmetries that a model has",
        )),
        None => Ok(()),
    }
}

/// The symmetries that the main type declares, and what one would change that is none.
pub fn declared(system: &System) -> Vec<(String, Option<String>)> {
    let symmetries = match &system.types[system.main] {
        Type::Net(net) => &net.symmetries,
        Type::Program(program) => &program.symmetries,
        // What a composite declares is about its instances, and what it is made of is looked at variable by variable.
        Type::Composite(_) => return Vec::new(),
    };
    let broken = |declared: &DeclaredSymmetry| {
        let cycles = declared.generators();
        let permutations: Vec<Permutation> =
            cycles.iter().filter_map(|cycles| Permutation::from_cycles(cycles)).collect();
        let checked = check(system, &Keep::default(), &permutations).ok()?;
        checked.into_iter().find_map(Result::err).map(|broken| broken.to_string())
    };
    symmetries.iter().map(|declared| (declared.name.clone(), broken(declared))).collect()
}

/// Folding is done on diagrams.
pub fn is_for_diagrams(engine: &Engine) -> Result<(), Failure> {
    if engine.symmetry == Symmetry::Off || engine.strategy != Strategy::Explicit {
        return Ok(());
    }
    let help = "leave out `--strategy explicit`, or `--symmetry`";
    Err(Failure::with_help("state spaces are folded on diagrams, not state by state", help))
}
