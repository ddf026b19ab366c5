//! Which questions are asked.

use crate::arguments::Check;
use crate::failure::Failure;
use crate::input::{self, Content, Model};
use crate::output;
use mandala_check::claim::Forbidden;
use mandala_logic::{Atoms, hoa};
use mandala_model::flatten::Renaming;
use mandala_model::property::contest::{self, Logic};
use mandala_model::property::{Formula, Property, Question};
use mandala_model::system::{Location, Type};
use mandala_model::text::suggest::nearest;
use std::sync::Arc;

/// A question with a name.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its name.
    pub name: String,
    /// What kind of question it is.
    pub kind: Kind,
    /// The question.
    pub question: Asking,
}

/// What is asked.
#[derive(Clone, Debug)]
pub enum Asking {
    /// A question about the model.
    Question(Question),
    /// Whether the model has no run that an automaton accepts.
    Forbidden(Arc<Forbidden>),
}

impl Asking {
    /// The question about the model, if it is one.
    pub fn question(&self) -> Option<&Question> {
        match self {
            Asking::Question(question) => Some(question),
            Asking::Forbidden(_) => None,
        }
    }

    /// What it asks of states, as questions: the question itself, or the propositions of the automaton one by one.
    pub fn about_states(&self) -> Vec<Question> {
        match self {
            Asking::Question(question) => vec![question.clone()],
            Asking::Forbidden(forbidden) => forbidden.about_states(),
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
        })
    }
}

/// Kinds of questions, as scripts know them.
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
    /// Can all transitions always fire again?
    Live,
    /// Does an automaton accept no run?
    Automaton,
    /// Is there no deadlock?
    Deadlock,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Reachable => "reachable",
            Kind::Invariant => "invariant",
            Kind::Never => "never",
            Kind::Bounds => "bounds",
            Kind::Ctl => "ctl",
            Kind::Ltl => "ltl",
            Kind::Live => "live",
            Kind::Automaton => "automaton",
            Kind::Deadlock => "deadlock",
        }
    }

    fn of(question: &Question) -> Kind {
        match question {
            Question::Reachable(_) => Kind::Reachable,
            Question::Invariant(_) => Kind::Invariant,
            Question::Never(_) => Kind::Never,
            Question::Bounds(_) => Kind::Bounds,
            Question::Ctl(_) => Kind::Ctl,
            Question::Ltl(_) => Kind::Ltl,
            Question::Live(_) => Kind::Live,
        }
    }
}

impl Asked {
    /// A question about the model.
    pub fn about(name: impl Into<String>, kind: Kind, question: Question) -> Asked {
        Asked { name: name.into(), kind, question: Asking::Question(question) }
    }
}

impl From<Property> for Asked {
    fn from(property: Property) -> Asked {
        Asked::about(property.name, Kind::of(&property.question), property.question)
    }
}

/// Whether there is no deadlock.
pub fn deadlock() -> Asked {
    Asked::about("deadlock", Kind::Deadlock, Question::Never(Formula::Deadlock))
}

/// Whether all transitions of a net can always fire again.
pub fn live(model: &Model) -> Result<Asked, Failure> {
    let Some(Type::Net(net)) = model.system.types.get(model.system.main) else {
        let help = "for other models ask for each transition: `--formula 'AG EF fireable(t)'`";
        return Err(Failure::with_help("liveness is asked of the transitions of a net, and this is none", help));
    };
    let all = (0..net.transitions.len() as u32).map(|index| Location { path: Vec::new(), index });
    Ok(Asked::about("live", Kind::Live, Question::Live(all.collect())))
}

/// Whether the model has no run that the automaton in a file accepts. The names of its atoms are formulas about the model.
fn forbidden(file: &str, model: &Model) -> Result<Asked, Failure> {
    let mut atoms = Atoms::new();
    let automaton = hoa::read(&input::text(file, Content::Automaton)?, &mut atoms)
        .map_err(|error| Failure::new(format!("{file}: {error}")))?;
    let names = (0..atoms.len() as u32).filter_map(|atom| atoms.name(atom));
    let mut propositions = Vec::with_capacity(atoms.len());
    for name in names {
        match model.formula(name)?.question {
            // What speaks of one state alone is taken as an invariant.
            Question::Invariant(formula) => propositions.push(formula),
            _ => {
                let text = format!("{file}: the atom \"{name}\" is no formula about one state");
                return Err(Failure::with_help(text, "atoms are conditions such as \"x == 1\" or \"fireable(t)\""));
            }
        }
    }
    let question = Asking::Forbidden(Arc::new(Forbidden { automaton, propositions }));
    Ok(Asked { name: file.to_owned(), kind: Kind::Automaton, question })
}

/// The questions that the command line asks; all of the model if it asks none.
pub fn choose(arguments: &Check, model: &Model) -> Result<Vec<Asked>, Failure> {
    let mut asked = Vec::new();
    let mut filed = Vec::new();
    for file in &arguments.properties {
        let logic = arguments.logic.map(Logic::from).or_else(|| Logic::of_file(file));
        filed.extend(contest::read(file, &input::text(file, Content::Properties)?, &model.system, logic)?);
    }
    if arguments.property.is_empty() {
        asked.extend(filed.into_iter().map(Asked::from));
    } else {
        filed.extend(model.properties.iter().cloned());
        for name in &arguments.property {
            asked.push(named(name, &filed)?.into());
        }
    }
    for formula in &arguments.formula {
        asked.push(model.formula(formula)?.into());
        if let (false, Some(reading)) = (arguments.show.quiet, model.reading(formula)) {
            output::complain(&format!("note: `{}` is read as `{reading}`", formula.trim()));
        }
    }
    for file in &arguments.automaton {
        asked.push(forbidden(file, model)?);
    }
    if arguments.deadlock {
        asked.push(deadlock());
    }
    if arguments.live {
        asked.push(live(model)?);
    }
    let nothing_said = arguments.property.is_empty()
        && arguments.formula.is_empty()
        && arguments.properties.is_empty()
        && arguments.automaton.is_empty()
        && !arguments.deadlock
        && !arguments.live;
    if nothing_said {
        asked.extend(model.properties.iter().cloned().map(Asked::from));
    }
    if asked.is_empty() {
        return Err(nothing_asked(arguments, nothing_said));
    }
    Ok(asked)
}

fn nothing_asked(arguments: &Check, nothing_said: bool) -> Failure {
    if !nothing_said {
        return Failure::new("there is no property in the files that were given");
    }
    let text = format!("{} has no properties of its own", arguments.model.model);
    Failure::with_help(text, "ask something: `--deadlock`, `--formula 'x <= 3'` or `--properties FILE.xml`")
}

fn named(name: &str, properties: &[Property]) -> Result<Property, Failure> {
    if let Some(property) = properties.iter().find(|property| property.name == name) {
        return Ok(property.clone());
    }
    /// A longer list is no help.
    const MOST: usize = 20;
    let names: Vec<&str> = properties.iter().map(|property| property.name.as_str()).collect();
    let help = match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if names.is_empty() => "the model has no properties; `--formula` asks one of your own".to_owned(),
        None if names.len() <= MOST => format!("there are {}", names.join(", ")),
        None => format!("there are {} and {} more", names[..MOST].join(", "), names.len() - MOST),
    };
    Err(Failure::with_help(format!("there is no property `{name}`"), help))
}
