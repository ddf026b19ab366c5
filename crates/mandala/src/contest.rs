//! The Model Checking Contest: its examinations, and the values that it wants as answers.

use crate::answer::{Answer, Answers, Verdict};
use crate::error::{Error, ErrorKind};
use crate::figures::{Counted, Figures, NoFigures};
use crate::input;
use crate::model::{Coloured, Model};
use crate::question::{Asking, Kind, Question};
use mandala_diagram::Count;
use mandala_model::coloured::property as coloured;
use mandala_model::expression::{Comparison, Integer};
use mandala_model::formalism::Formalism;
use mandala_model::net::Net;
use mandala_model::property::{self, Atom, Formula};
use mandala_model::system::{Location, Type};
use std::fmt;
use std::sync::Arc;

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
        Ok(match examination {
            Examination::StateSpace => Plan::StateSpace,
            Examination::ReachabilityDeadlock => Plan::Each(vec![model.deadlock()]),
            Examination::OneSafe => {
                let parts = Parts::new(model, examination)?;
                let safe = (0..parts.places()).map(|place| Said::Tokens(place, Comparison::LessOrEqual, 1));
                Plan::Each(vec![parts.question(examination, safe.collect(), Kind::Invariant)])
            }
            Examination::QuasiLiveness => {
                let parts = Parts::new(model, examination)?;
                let fires = (0..parts.transitions()).map(Said::Fires);
                let ask = |said| parts.question(examination, vec![said], Kind::Reachable);
                Plan::Together(fires.map(ask).collect(), Whole::All)
            }
            Examination::StableMarking => {
                let parts = Parts::new(model, examination)?;
                let changes = parts.initial()?.into_iter().enumerate();
                let changes = changes.map(|(place, there)| Said::Tokens(place as u32, Comparison::NotEqual, there));
                let ask = |said| parts.question(examination, vec![said], Kind::Reachable);
                Plan::Together(changes.map(ask).collect(), Whole::SomeNot)
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

    /// Whether one answer with no is enough.
    pub fn is_decided_by_first_no(&self) -> bool {
        matches!(self, Plan::Together(..))
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

/// The places and transitions that the contest speaks of: those of a net, or those of a coloured net. The tokens of a place are
/// then those of all its colours, and a transition can fire if some binding can.
enum Parts<'m> {
    Net(&'m Net),
    Coloured(&'m Coloured),
}

/// What is said of one part.
enum Said {
    Tokens(u32, Comparison, i32),
    Fires(u32),
}

impl<'m> Parts<'m> {
    fn new(model: &'m Model, examination: Examination) -> Result<Parts<'m>, Error> {
        if let Some(coloured) = model.coloured() {
            return Ok(Parts::Coloured(coloured));
        }
        match model.system()?.main_type() {
            Type::Net(net) => Ok(Parts::Net(net)),
            _ => {
                let text = format!("the examination {} is about nets, and this is none", examination.name());
                Err(Error::new(ErrorKind::Question, text))
            }
        }
    }

    fn places(&self) -> u32 {
        match self {
            Parts::Net(net) => net.places.len() as u32,
            Parts::Coloured(coloured) => coloured.net.places.len() as u32,
        }
    }

    fn transitions(&self) -> u32 {
        match self {
            Parts::Net(net) => net.transitions.len() as u32,
            Parts::Coloured(coloured) => coloured.net.transitions.len() as u32,
        }
    }

    /// The tokens of each place at first.
    fn initial(&self) -> Result<Vec<i32>, Error> {
        match self {
            Parts::Net(net) => Ok(net.initial.first().map_or_else(Vec::new, |initial| initial.marking.clone())),
            Parts::Coloured(coloured) => coloured.initial_counts(),
        }
    }

    /// Whether all of this holds in one marking, or in all.
    fn question(&self, examination: Examination, said: Vec<Said>, kind: Kind) -> Question {
        let name = examination.name();
        let at = |index: u32| Location { path: Vec::new(), index };
        match self {
            Parts::Net(_) => {
                let formula = all(said, |one| match one {
                    Said::Tokens(place, comparison, number) => {
                        Atom::Compare(comparison, Integer::Variable(at(place)), Integer::Constant(number))
                    }
                    Said::Fires(transition) => Atom::Fireable(vec![at(transition)]),
                });
                Question::about(name, kind, asked(formula, kind))
            }
            Parts::Coloured(_) => {
                let formula = all(said, |one| match one {
                    Said::Tokens(place, comparison, number) => {
                        let tokens = coloured::Count { place, pattern: Vec::new() };
                        coloured::Atom::Compare(comparison, Integer::Variable(tokens), Integer::Constant(number))
                    }
                    Said::Fires(transition) => {
                        coloured::Atom::Fireable(vec![coloured::Firing { transition, pattern: Vec::new() }])
                    }
                });
                Question::new(name, kind, Asking::Coloured(Arc::new(asked(formula, kind))))
            }
        }
    }
}

fn all<A>(said: Vec<Said>, atom: impl Fn(Said) -> A) -> Formula<A> {
    let mut parts: Vec<Formula<A>> = said.into_iter().map(|one| Formula::Atom(atom(one))).collect();
    if parts.len() == 1 { parts.remove(0) } else { Formula::And(parts) }
}

fn asked<F: Formalism>(formula: Formula<F::Atom>, kind: Kind) -> property::Question<F> {
    match kind {
        Kind::Invariant => property::Question::Invariant(formula),
        _ => property::Question::Reachable(formula),
    }
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
