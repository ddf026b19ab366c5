//! Which questions are asked.

use crate::arguments::Check;
use crate::failure::Failure;
use crate::input::{self, Content, Model};
use mandala_model::property::{Formula, Property, Question, contest};
use mandala_model::text::suggest::nearest;

/// A question with a name.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its name.
    pub name: String,
    /// What kind of question it is.
    pub kind: Kind,
    /// The question.
    pub question: Question,
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

impl From<Property> for Asked {
    fn from(property: Property) -> Asked {
        Asked { kind: Kind::of(&property.question), name: property.name, question: property.question }
    }
}

/// Whether there is no deadlock.
pub fn deadlock() -> Asked {
    Asked { name: "deadlock".to_owned(), kind: Kind::Deadlock, question: Question::Never(Formula::Deadlock) }
}

/// The questions that the command line asks; all of the model if it asks none.
pub fn choose(arguments: &Check, model: &Model) -> Result<Vec<Asked>, Failure> {
    let mut asked = Vec::new();
    let mut filed = Vec::new();
    for file in &arguments.properties {
        filed.extend(contest::read(file, &input::text(file, Content::Properties)?, &model.system)?);
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
    }
    if arguments.deadlock {
        asked.push(deadlock());
    }
    let nothing_said = arguments.property.is_empty()
        && arguments.formula.is_empty()
        && arguments.properties.is_empty()
        && !arguments.deadlock;
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
