//! Which logic the formulas of a file are of.

use super::Read;
use super::build::Reading;
use crate::property::Property;
use crate::text::problems::Problems;
use crate::text::{Problem, Span};
use std::path::Path;

/// A logic of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// Quantifiers over the runs from each state. A state in which nothing can happen has no next state.
    Ctl,
    /// Formulas about whole runs. Where nothing can happen, the state repeats.
    Ltl,
}

impl Logic {
    /// The logic that the name of a file says: that of `CTLCardinality.xml`, and of every file whose name ends so,
    /// is CTL.
    pub fn of_file(file: &str) -> Option<Logic> {
        let name = Path::new(file).file_stem()?.to_str()?;
        let ends = |logic: &str| ["Cardinality", "Fireability"].iter().any(|kind| ends_with(name, logic, kind));
        match (ends("CTL"), ends("LTL")) {
            (true, _) => Some(Logic::Ctl),
            (_, true) => Some(Logic::Ltl),
            _ => None,
        }
    }
}

fn ends_with(name: &str, logic: &str, kind: &str) -> bool {
    name.strip_suffix(kind).is_some_and(|rest| rest.ends_with(logic))
}

/// The properties of a file whose logic may be given.
pub(super) fn decide(readings: Vec<Read>, given: Option<Logic>, problems: &mut Problems) -> Vec<Property> {
    let logic = given.or_else(|| shown(&readings));
    let mut properties = Vec::with_capacity(readings.len());
    for Read { name, reading, span } in readings {
        if logic.is_none() && reading.is_ambiguous() {
            problems.add(undecided(span));
            continue;
        }
        // Without a logic, a formula is of the one that has it, or means the same in both.
        let own = if let Reading::Only(only, _) = reading { only } else { Logic::Ltl };
        match reading.question(logic.unwrap_or(own)) {
            Ok(question) => properties.push(Property { name, question }),
            Err(only) => problems.add(of_another(span, only)),
        }
    }
    properties
}

/// The logic that the formulas of a file show: that of those that are of one only, if they agree.
fn shown(readings: &[Read]) -> Option<Logic> {
    let only = |read: &Read| if let Reading::Only(logic, _) = read.reading { Some(logic) } else { None };
    let mut logics = readings.iter().filter_map(only);
    let first = logics.next()?;
    logics.all(|logic| logic == first).then_some(first)
}

fn undecided(span: Span) -> Problem {
    let problem = Problem::new(span, "this formula means one thing in CTL and another in LTL");
    let problem = problem.label("where nothing can happen, CTL has no next state, and in LTL the state repeats");
    problem.help("say which logic the file is of: `--logic ctl` or `--logic ltl`")
}

fn of_another(span: Span, only: Logic) -> Problem {
    let (is, file) = match only {
        Logic::Ctl => ("CTL", "LTL"),
        Logic::Ltl => ("LTL", "CTL"),
    };
    let problem = Problem::new(span, format!("a formula of {is} in a file of {file}"));
    problem.help(format!("`--logic {}` reads the file as one of {is}", is.to_ascii_lowercase()))
}
