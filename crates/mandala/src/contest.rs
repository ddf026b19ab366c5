//! The Model Checking Contest: its examinations, and the values that it wants as answers.

use crate::answer::{Answer, Answers, Verdict};
use crate::error::{Error, ErrorKind};
use crate::figures::{Counted, Figures, NoFigures};
use crate::model::Model;
use crate::question::{Kind, Question};
use mandala_diagram::Count;
use mandala_model::expression::{Comparison, Integer};
use mandala_model::net::Net;
use mandala_model::property::{self, Atom, Formula};
use mandala_model::system::{Location, Type};
use std::fmt;

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
                let net = net(model, examination)?;
                let safe = |place: u32| compare(place, Comparison::LessOrEqual, 1);
                let all = Formula::And((0..net.places.len() as u32).map(safe).collect());
                Plan::Each(vec![Question::about("OneSafe", Kind::Invariant, property::Question::Invariant(all))])
            }
            Examination::QuasiLiveness => {
                let net = net(model, examination)?;
                let fires = |index: u32| Formula::Atom(Atom::Fireable(vec![Location { path: Vec::new(), index }]));
                together((0..net.transitions.len() as u32).map(fires).collect(), Whole::All)
            }
            Examination::StableMarking => {
                let net = net(model, examination)?;
                let marking = net.initial.first().map_or(&[][..], |initial| &initial.marking);
                let changes = (0..).zip(marking).map(|(place, &tokens)| compare(place, Comparison::NotEqual, tokens));
                together(changes.collect(), Whole::SomeNot)
            }
            Examination::Liveness => {
                net(model, examination)?;
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
        let names = ["STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"].map(str::to_owned);
        Examined { values: names.into_iter().zip(values).collect(), by_diagrams, holds: is_known.then_some(true) }
    }
}

fn compare(place: u32, comparison: Comparison, tokens: i32) -> Formula {
    let place = Integer::Variable(Location { path: Vec::new(), index: place });
    Formula::Atom(Atom::Compare(comparison, place, Integer::Constant(tokens)))
}

fn net(model: &Model, examination: Examination) -> Result<&Net, Error> {
    match model.system().main_type() {
        Type::Net(net) => Ok(net),
        _ => {
            let text = format!("the examination {} is about nets, and this is none", examination.name());
            Err(Error::new(ErrorKind::Question, text))
        }
    }
}

/// The questions in the file next to the model.
fn from_folder(model: &Model, examination: Examination) -> Result<Vec<Question>, Error> {
    let folder = model.folder().ok_or_else(|| {
        let text = format!("the examination {} is in a file next to the model", examination.name());
        Error::with_help(ErrorKind::QuestionsInFolder, text, "give the model as a file or a folder")
    })?;
    model.contest_file(&folder.join(format!("{}.xml", examination.name())).to_string_lossy(), None)
}
