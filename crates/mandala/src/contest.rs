//! The Model Checking Contest: its examinations, and the values that it wants as answers.

use crate::answer::{Answer, Answers, Verdict};
use crate::error::{Error, ErrorKind};
use crate::figures::{Counted, Figures, NoFigures};
use crate::input;
use crate::model::Model;
use crate::question::{Kind, Question};
use mandala_diagram::Count;
use mandala_model::expression::{Comparison, Integer};
use mandala_model::net::Net;
use mandala_model::property::{self, Atom, Formula};
use mandala_model::system::{Location, Type};
use std::fmt;
use std::ops::Range;

pub use mandala_model::property::contest::Logic;

/// Examinations of the Model Checking Contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Examination {
    StateSpace,
    ReachabilityDeadlock,
    OneSafe,
    QuasiLiveness,
    StableMarking,
    Liveness,
    UpperBounds,
    ReachabilityCardinality,
    ReachabilityFireability,
    CtlCardinality,
    CtlFireability,
    LtlCardinality,
    LtlFireability,
}

impl Examination {
    /// All of them.
    pub fn all() -> &'static [Examination] {
        &[
            Examination::StateSpace,
            Examination::ReachabilityDeadlock,
            Examination::OneSafe,
            Examination::QuasiLiveness,
            Examination::StableMarking,
            Examination::Liveness,
            Examination::UpperBounds,
            Examination::ReachabilityCardinality,
            Examination::ReachabilityFireability,
            Examination::CtlCardinality,
            Examination::CtlFireability,
            Examination::LtlCardinality,
            Examination::LtlFireability,
        ]
    }

    /// The one with a name, in upper or lower case.
    pub fn named(name: &str) -> Option<Examination> {
        Examination::all().iter().copied().find(|one| one.name().eq_ignore_ascii_case(name))
    }

    /// Whether its questions are in a file beside the model. If not, it asks one thing of a model as a whole, or figures.
    pub fn has_file(self) -> bool {
        use Examination::{Liveness, OneSafe, QuasiLiveness, ReachabilityDeadlock, StableMarking, StateSpace};
        !matches!(self, StateSpace | ReachabilityDeadlock | OneSafe | QuasiLiveness | StableMarking | Liveness)
    }

    /// Its name, as the contest writes it.
    pub fn name(self) -> &'static str {
        match self {
            Examination::StateSpace => "StateSpace",
            Examination::ReachabilityDeadlock => "ReachabilityDeadlock",
            Examination::OneSafe => "OneSafe",
            Examination::QuasiLiveness => "QuasiLiveness",
            Examination::StableMarking => "StableMarking",
            Examination::Liveness => "Liveness",
            Examination::UpperBounds => "UpperBounds",
            Examination::ReachabilityCardinality => "ReachabilityCardinality",
            Examination::ReachabilityFireability => "ReachabilityFireability",
            Examination::CtlCardinality => "CTLCardinality",
            Examination::CtlFireability => "CTLFireability",
            Examination::LtlCardinality => "LTLCardinality",
            Examination::LtlFireability => "LTLFireability",
        }
    }
}

/// The figures of the examination `StateSpace`.
const FIGURES: [&str; 4] = ["STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"];

/// What an examination has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Examined {
    /// The values, by name. The figures of `StateSpace` are `STATES`, `TRANSITIONS`, `MAX_TOKEN_PER_MARKING` and
    /// `MAX_TOKEN_IN_PLACE`.
    pub values: Vec<(String, Value)>,
    /// Whether diagrams were used.
    pub by_diagrams: bool,
    /// Whether all that was asked holds, if that is known.
    pub holds: Option<bool>,
}

/// A value as the contest wants it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `TRUE` or `FALSE`.
    Truth(bool),
    /// A bound, or a number of tokens.
    Number(i64),
    /// A number of states or transitions.
    Count(Count),
    /// `+inf`
    Infinite,
    /// Not known, and why.
    Unknown(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Truth(true) => write!(f, "TRUE"),
            Value::Truth(false) => write!(f, "FALSE"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Count(count) => write!(f, "{count:#}"),
            Value::Infinite => write!(f, "+inf"),
            Value::Unknown(_) => write!(f, "CANNOT_COMPUTE"),
        }
    }
}

/// The name and the value of an answer, as the contest wants them.
pub fn value(answer: &Answer) -> (String, Value) {
    let is_deadlock = answer.question.kind() == Kind::Deadlock;
    let name = if is_deadlock { "ReachabilityDeadlock" } else { answer.question.name() };
    let value = match &answer.verdict {
        // The contest asks whether there is one.
        Verdict::Holds => Value::Truth(!is_deadlock),
        Verdict::Fails => Value::Truth(is_deadlock),
        Verdict::Bounds { greatest, .. } => Value::Number(*greatest),
        Verdict::Unbounded => Value::Infinite,
        Verdict::Unknown(reason) => Value::Unknown(reason.clone()),
    };
    (name.to_owned(), value)
}

/// What an examination asks of a model.
pub(crate) enum Plan {
    /// The figures of the state space.
    StateSpace,
    /// Questions, each with its value.
    Each(Vec<Question>),
    /// Questions that together have one value.
    Together(Vec<Question>, Whole),
}

/// What one value for the whole examination follows from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whole {
    /// True if all questions are answered with yes.
    All,
    /// True if one is answered with no.
    SomeNot,
}

impl Plan {
    /// What an examination asks of a model.
    pub fn new(model: &Model, examination: Examination) -> Result<Plan, Error> {
        let together = |formulas: Vec<Formula>, whole| {
            let ask =
                |formula| Question::about(examination.name(), Kind::Reachable, property::Question::Reachable(formula));
            Plan::Together(formulas.into_iter().map(ask).collect(), whole)
        };
        Ok(match examination {
            Examination::StateSpace => Plan::StateSpace,
            Examination::ReachabilityDeadlock => Plan::Each(vec![model.deadlock()]),
            Examination::OneSafe => {
                let parts = Parts::new(model, examination)?;
                let safe = |place: &Range<u32>| tokens(place, Comparison::LessOrEqual, 1);
                let all = Formula::And(parts.places.iter().map(safe).collect());
                Plan::Each(vec![Question::about("OneSafe", Kind::Invariant, property::Question::Invariant(all))])
            }
            Examination::QuasiLiveness => {
                let parts = Parts::new(model, examination)?;
                let fires = |all: &Range<u32>| {
                    let locations = all.clone().map(|index| Location { path: Vec::new(), index });
                    Formula::Atom(Atom::Fireable(locations.collect()))
                };
                together(parts.transitions.iter().map(fires).collect(), Whole::All)
            }
            Examination::StableMarking => {
                let parts = Parts::new(model, examination)?;
                let marking = parts.net.initial.first().map_or(&[][..], |initial| &initial.marking);
                let changes = |place: &Range<u32>| {
                    let there = &marking[place.start as usize..place.end as usize];
                    tokens(place, Comparison::NotEqual, there.iter().fold(0, |sum: i32, one| sum.wrapping_add(*one)))
                };
                together(parts.places.iter().map(changes).collect(), Whole::SomeNot)
            }
            Examination::Liveness => {
                Parts::new(model, examination)?;
                Plan::Each(vec![model.live()?.named(examination.name())])
            }
            _ => Plan::Each(from_folder(model, examination)?),
        })
    }

    /// The questions.
    pub fn questions(&self) -> Vec<Question> {
        match self {
            Plan::StateSpace => Vec::new(),
            Plan::Each(questions) | Plan::Together(questions, _) => questions.clone(),
        }
    }

    /// What follows from the answers to the questions.
    pub fn conclude(&self, examination: Examination, answers: &Answers) -> Examined {
        let by_diagrams = answers.by_diagrams;
        let Plan::Together(_, whole) = self else {
            let holds = if answers.is_any_false() { Some(false) } else { (!answers.is_any_unknown()).then_some(true) };
            return Examined { values: answers.answers.iter().map(value).collect(), by_diagrams, holds };
        };
        let holds = if answers.is_any_false() {
            Some(*whole == Whole::SomeNot)
        } else if answers.is_any_unknown() {
            None
        } else {
            Some(*whole == Whole::All)
        };
        let value = holds.map_or_else(|| Value::Unknown("not all of it is known".to_owned()), Value::Truth);
        Examined { values: vec![(examination.name().to_owned(), value)], by_diagrams, holds }
    }
}

impl Examined {
    /// An examination of a model that could not be prepared within its limits: all its values are unknown. Any other error is
    /// one.
    pub(crate) fn without_model(model: &Model, examination: Examination, error: Error) -> Result<Examined, Error> {
        if error.stopped().is_none() {
            return Err(error);
        }
        let names = match examination {
            Examination::StateSpace => FIGURES.map(str::to_owned).to_vec(),
            Examination::ReachabilityDeadlock
            | Examination::OneSafe
            | Examination::QuasiLiveness
            | Examination::StableMarking
            | Examination::Liveness => vec![examination.name().to_owned()],
            _ => {
                let file = file_in_folder(model, examination)?;
                let text = input::text(&file, input::Content::Properties)?;
                property::contest::names(&file, &text)?
            }
        };
        let unknown = || Value::Unknown(error.message().to_owned());
        let values = names.into_iter().map(|name| (name, unknown())).collect();
        Ok(Examined { values, by_diagrams: true, holds: None })
    }

    /// The examination `StateSpace`, from the number of states and the other figures.
    pub(crate) fn of_states(states: &Counted, figures: &Result<Figures, NoFigures>, by_diagrams: bool) -> Examined {
        let unknown = |reason: &str| Value::Unknown(reason.to_owned());
        let values = match (states, figures) {
            (Counted::Infinitely, _) => [(); 4].map(|()| Value::Infinite),
            (Counted::Exactly(states), Ok(figures)) => [
                Value::Count(states.clone()),
                figures.transitions.clone().map_or_else(|| unknown("too much can happen to look at"), Value::Count),
                Value::Number(figures.most_in_marking),
                Value::Number(figures.most_in_place),
            ],
            (Counted::Exactly(states), Err(reason)) => {
                let other = || unknown(&reason.to_string());
                [Value::Count(states.clone()), other(), other(), other()]
            }
            _ => [(); 4].map(|()| unknown("not all states are known")),
        };
        let is_known = !matches!(values[2], Value::Unknown(_));
        let names = FIGURES.map(str::to_owned);
        Examined { values: names.into_iter().zip(values).collect(), by_diagrams, holds: is_known.then_some(true) }
    }
}

/// The places and transitions that the contest speaks of: those of a net, or those of a coloured net, each with all that it was
/// unfolded into. The tokens of a place are those of all its colours, and a transition can fire if some binding can.
struct Parts<'m> {
    net: &'m Net,
    places: Vec<Range<u32>>,
    transitions: Vec<Range<u32>>,
}

impl<'m> Parts<'m> {
    fn new(model: &'m Model, examination: Examination) -> Result<Parts<'m>, Error> {
        let Type::Net(net) = model.system()?.main_type() else {
            let text = format!("the examination {} is about nets, and this is none", examination.name());
            return Err(Error::new(ErrorKind::Question, text));
        };
        let single = |count: usize| (0..count as u32).map(|index| index..index + 1).collect();
        let all = |groups: &[(String, Range<u32>)]| groups.iter().map(|(_, all)| all.clone()).collect();
        let (places, transitions) = match model.coloured() {
            None => (single(net.places.len()), single(net.transitions.len())),
            Some(coloured) => {
                let groups = &coloured.unfolded()?.groups;
                (all(&groups.places), all(&groups.transitions))
            }
        };
        Ok(Parts { net, places, transitions })
    }
}

/// A comparison of the tokens of some places with a number.
fn tokens(places: &Range<u32>, comparison: Comparison, number: i32) -> Formula {
    let mut all: Vec<Integer<Location>> =
        places.clone().map(|index| Integer::Variable(Location { path: Vec::new(), index })).collect();
    let sum = if all.len() == 1 { all.remove(0) } else { Integer::Sum(all) };
    Formula::Atom(Atom::Compare(comparison, sum, Integer::Constant(number)))
}

/// The questions in the file next to the model.
fn from_folder(model: &Model, examination: Examination) -> Result<Vec<Question>, Error> {
    model.contest_file(&file_in_folder(model, examination)?, None)
}

/// The file next to the model that has the questions of an examination.
fn file_in_folder(model: &Model, examination: Examination) -> Result<String, Error> {
    let folder = model.folder().ok_or_else(|| {
        let text = format!("the examination {} is in a file next to the model", examination.name());
        Error::with_help(ErrorKind::QuestionsInFolder, text, "give the model as a file or a folder")
    })?;
    Ok(folder.join(format!("{}.xml", examination.name())).to_string_lossy().into_owned())
}
