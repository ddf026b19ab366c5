//! What is asked of a model.

use crate::error::{Error, ErrorKind};
use mandala_check::claim::Forbidden;
use mandala_model::coloured::property::ColouredNets;
use mandala_model::flatten::Renaming;
use mandala_model::formalism::Formalism;
use mandala_model::property::{self, Property};
use mandala_model::text::suggest::nearest;
use std::sync::Arc;

/// A question about a model, with a name. [`Model::question`](crate::Model::question) reads one from a formula, and
/// [`Model::properties`](crate::Model::properties) are those that its file asks.
#[derive(Clone, Debug)]
pub struct Question {
    name: String,
    kind: Kind,
    pub(crate) asking: Asking,
}

/// What is asked.
#[derive(Clone, Debug)]
pub(crate) enum Asking {
    /// A question about the model.
    Question(property::Question),
    /// Whether the model has no run that an automaton accepts.
    Forbidden(Arc<Forbidden>),
    /// A question about a coloured net, in its own words.
    Coloured(Arc<property::Question<ColouredNets>>),
    /// Whether a coloured net has no run that an automaton accepts.
    ColouredForbidden(Arc<Forbidden<ColouredNets>>),
}

/// Kinds of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Is there such a state?
    Reachable,
    /// Are all states so?
    Invariant,
    /// Is no state so?
    Never,
    /// Between which values?
    Bounds,
    /// CTL.
    Ctl,
    /// LTL.
    Ltl,
    /// CTL*.
    CtlStar,
    /// Can all transitions always fire again?
    Live,
    /// Does an automaton accept no run?
    Automaton,
    /// Is there no deadlock?
    Deadlock,
}

impl Kind {
    /// Its name, as scripts know it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Reachable => "reachable",
            Kind::Invariant => "invariant",
            Kind::Never => "never",
            Kind::Bounds => "bounds",
            Kind::Ctl => "ctl",
            Kind::Ltl => "ltl",
            Kind::CtlStar => "ctl*",
            Kind::Live => "live",
            Kind::Automaton => "automaton",
            Kind::Deadlock => "deadlock",
        }
    }

    fn of<F: Formalism>(question: &property::Question<F>) -> Kind {
        match question {
            property::Question::Reachable(_) => Kind::Reachable,
            property::Question::Invariant(_) => Kind::Invariant,
            property::Question::Never(_) => Kind::Never,
            property::Question::Bounds(_) => Kind::Bounds,
            property::Question::Ctl(_) => Kind::Ctl,
            property::Question::Ltl(_) => Kind::Ltl,
            property::Question::CtlStar(_) => Kind::CtlStar,
            property::Question::Live(_) => Kind::Live,
        }
    }
}

impl Question {
    pub(crate) fn new(name: impl Into<String>, kind: Kind, asking: Asking) -> Question {
        Question { name: name.into(), kind, asking }
    }

    /// A question about the model.
    pub(crate) fn about(name: impl Into<String>, kind: Kind, question: property::Question) -> Question {
        Question::new(name, kind, Asking::Question(question))
    }

    /// The question with a name among some.
    pub fn find(name: &str, questions: &[Question]) -> Result<Question, Error> {
        if let Some(question) = questions.iter().find(|question| question.name == name) {
            return Ok(question.clone());
        }
        /// A longer list is no help.
        const MOST: usize = 20;
        let names: Vec<&str> = questions.iter().map(Question::name).collect();
        let kind = if names.is_empty() { ErrorKind::NoProperties } else { ErrorKind::Question };
        let help = match nearest(name, names.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if names.is_empty() => "the model has no properties; a formula asks one of your own".to_owned(),
            None if names.len() <= MOST => format!("there are {}", names.join(", ")),
            None => format!("there are {} and {} more", names[..MOST].join(", "), names.len() - MOST),
        };
        Err(Error::with_help(kind, format!("there is no property `{name}`"), help))
    }

    /// Its name: that of a property, or the formula as it is written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same question with another name.
    pub fn named(self, name: impl Into<String>) -> Question {
        Question { name: name.into(), ..self }
    }

    /// The same question, about a system that was changed.
    pub(crate) fn asking_instead(self, asking: Asking) -> Question {
        Question { asking, ..self }
    }

    /// What kind of question it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

impl From<Property> for Question {
    fn from(property: Property) -> Question {
        Question::about(property.name, Kind::of(&property.question), property.question)
    }
}

impl From<Property<ColouredNets>> for Question {
    fn from(property: Property<ColouredNets>) -> Question {
        Question::new(property.name, Kind::of(&property.question), Asking::Coloured(Arc::new(property.question)))
    }
}

impl Asking {
    /// The question about the model, if it is one.
    pub fn question(&self) -> Option<&property::Question> {
        match self {
            Asking::Question(question) => Some(question),
            Asking::Forbidden(_) | Asking::Coloured(_) | Asking::ColouredForbidden(_) => None,
        }
    }

    /// What it asks of states, as questions: the question itself, or the propositions of the automaton one by one.
    pub fn about_states(&self) -> Vec<property::Question> {
        match self {
            Asking::Question(question) => vec![question.clone()],
            Asking::Forbidden(forbidden) => forbidden.about_states(),
            Asking::Coloured(_) | Asking::ColouredForbidden(_) => Vec::new(),
        }
    }

    /// Whether it takes a run, and not a state, to show that something does not hold.
    pub fn is_about_runs(&self) -> bool {
        let of_paths = |question: &property::Question<ColouredNets>| matches!(question, property::Question::CtlStar(_));
        match self {
            Asking::Question(property::Question::CtlStar(_)) => true,
            Asking::Coloured(question) if of_paths(question) => true,
            _ => self.is_about_all_runs(),
        }
    }

    /// Whether something is said of all runs from the initial states, and of nothing else.
    pub fn is_about_all_runs(&self) -> bool {
        match self {
            Asking::Forbidden(_) | Asking::ColouredForbidden(_) | Asking::Question(property::Question::Ltl(_)) => true,
            Asking::Coloured(question) => matches!(**question, property::Question::Ltl(_)),
            Asking::Question(_) => false,
        }
    }

    /// The same about a model that was made flat; `None` if it asks about something that does not happen by itself.
    pub fn renamed(&self, renaming: &Renaming) -> Option<Asking> {
        Some(match self {
            Asking::Question(question) => Asking::Question(renaming.question(question)?),
            Asking::Forbidden(forbidden) => {
                let propositions = forbidden.propositions.iter().map(|one| renaming.formula(one));
                let propositions = propositions.collect::<Option<_>>()?;
                Asking::Forbidden(Arc::new(Forbidden { automaton: forbidden.automaton.clone(), propositions }))
            }
            Asking::Coloured(_) | Asking::ColouredForbidden(_) => return None,
        })
    }
}
