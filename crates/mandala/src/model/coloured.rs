//! Coloured nets, and the place/transition nets that they are unfolded into when something is asked.

use crate::engine::{self, deep};
use crate::error::{Error, ErrorKind};
use crate::fairness::Fairness;
use crate::options::Options;
use crate::question::{Asking, Question};
use crate::reason::Reason;
use mandala_analysis::coloured::exclusive_places;
use mandala_check::claim::Forbidden;
use mandala_model::coloured::property::{Atom, ColouredNets, Firing};
use mandala_model::coloured::semantics::Semantics;
use mandala_model::coloured::unfold::{self, CannotUnfold, Origins, Unfolding};
use mandala_model::coloured::{ColouredNet, contest, pnml, sn};
use mandala_model::gal;
use mandala_model::property::contest::Logic;
use mandala_model::property::{self, Property};
use mandala_model::system::{System, Type};
use std::cell::Cell;
use std::sync::{Arc, OnceLock};

/// A coloured net.
pub(crate) struct Coloured {
    /// The net.
    pub net: ColouredNet,
    /// The questions of its file.
    pub properties: Vec<Property<ColouredNets>>,
    /// The constants of its file.
    scope: gal::Scope,
    unfolded: OnceLock<Unfolded>,
}

/// What a coloured net stands for.
pub(crate) struct Unfolded {
    /// The place/transition net.
    pub system: System,
    /// Where its places and transitions come from.
    pub origins: Origins,
    /// The questions of its file, about the place/transition net.
    pub properties: Vec<Property>,
}

impl Coloured {
    /// A net, with the questions of its file.
    pub fn new(net: ColouredNet, properties: Vec<Property<ColouredNets>>) -> Coloured {
        Coloured { net, properties, scope: gal::Scope::default(), unfolded: OnceLock::new() }
    }

    /// The same, with the constants of its file, which formulas may use.
    pub fn knowing(self, scope: gal::Scope) -> Coloured {
        Coloured { scope, ..self }
    }

    /// What it stands for, found with no limit but the memory of the machine if it was not found before.
    pub fn unfolded(&self) -> Result<&Unfolded, Error> {
        self.unfold_within(&Options::default())?;
        let nothing = || Error::new(ErrorKind::Other, "the unfolded net is not there");
        self.unfolded.get().ok_or_else(nothing)
    }

    /// Finds what it stands for within some limits, if it was not found before.
    pub fn unfold_within(&self, options: &Options) -> Result<(), Error> {
        if self.unfolded.get().is_none() {
            let unfolded = deep(|| self.unfold(options))?;
            // If somebody else was faster, it is the same.
            let _ = self.unfolded.set(unfolded);
        }
        Ok(())
    }

    fn unfold(&self, options: &Options) -> Result<Unfolded, Error> {
        let bytes = options.bytes_for_models()?;
        let reason = Cell::new(None);
        let go_on = |progress: &unfold::Progress| {
            options.progress.set_doing(Some(format!("unfolding the net ({progress} so far)")));
            reason.set(reason.get().or_else(|| options.reason_to_stop()));
            reason.get().is_none()
        };
        let limits = unfold::Limits { bytes, go_on: &go_on };
        let Unfolding { mut net, origins } = unfold::unfold(&self.net, &limits).map_err(|error| {
            let reason = match &error {
                CannotUnfold::Interrupted(_) => reason.get(),
                CannotUnfold::TooLarge(_) => Some(Reason::Memory),
                _ => None,
            };
            cannot_unfold(&error, reason)
        })?;
        options.progress.set_doing(None);
        net.exclusive = exclusive_places(&self.net, &net, &origins);
        let system = System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
        let properties = self.properties.iter().map(|property| self.translated(&origins, property));
        Ok(Unfolded { properties: properties.collect::<Result<_, _>>()?, system, origins })
    }

    fn translated(&self, origins: &Origins, property: &Property<ColouredNets>) -> Result<Property, Error> {
        let question = origins.question(&property.question).ok_or_else(|| cannot_ask(&property.name))?;
        Ok(Property { name: property.name.clone(), question })
    }

    /// A formula, as a question about the unfolded net.
    pub fn property_of(&self, formula: &str) -> Result<Property, Error> {
        let property = deep(|| sn::formula_in(&self.net, &self.scope, formula))?;
        self.translated(&self.unfolded()?.origins, &property)
    }

    /// A formula, as a question about the coloured net.
    pub fn question(&self, formula: &str) -> Result<Question, Error> {
        Ok(deep(|| sn::formula_in(&self.net, &self.scope, formula))?.into())
    }

    /// A formula about one marking; nothing if it is about more.
    pub fn about_one_marking(&self, formula: &str) -> Result<Option<property::Formula<Atom>>, Error> {
        let property = deep(|| sn::formula_in(&self.net, &self.scope, formula))?;
        Ok(match property.question {
            // What speaks of one marking alone is taken as an invariant.
            property::Question::Invariant(formula) => Some(formula),
            _ => None,
        })
    }

    /// The questions of a file of the Model Checking Contest.
    pub fn contest_file(&self, file: &str, text: &str, logic: Option<Logic>) -> Result<Vec<Question>, Error> {
        let properties = deep(|| contest::read(file, text, &self.net, logic))?;
        Ok(properties.into_iter().map(Question::from).collect())
    }

    /// How many tokens there are in each place at first.
    pub fn initial_counts(&self) -> Result<Vec<i32>, Error> {
        let wrong = |cause: String| Error::new(ErrorKind::Model, cause);
        let semantics = Semantics::new(&self.net).map_err(|unbounded| wrong(unbounded.to_string()))?;
        let marking = semantics.initial_marking().map_err(|cause| wrong(cause.to_string()))?;
        let tokens = marking
            .places
            .iter()
            .map(|tokens| tokens.iter().fold(0_i32, |sum, (_, count)| sum.wrapping_add(count as i32)));
        Ok(tokens.collect())
    }

    /// Questions as questions about the unfolded net.
    pub fn unfolded_questions(&self, asked: Vec<Question>) -> Result<Vec<Question>, Error> {
        let one = |question: Question| match &question.asking {
            Asking::Coloured(asking) => {
                let property = Property { name: question.name().to_owned(), question: (**asking).clone() };
                let translated = self.translated(&self.unfolded()?.origins, &property)?;
                Ok(question.asking_instead(Asking::Question(translated.question)))
            }
            Asking::ColouredForbidden(forbidden) => {
                let origins = &self.unfolded()?.origins;
                let propositions = forbidden.propositions.iter().map(|one| origins.formula(one));
                let propositions = propositions.collect::<Option<_>>().ok_or_else(|| cannot_ask(question.name()))?;
                let automaton = forbidden.automaton.clone();
                Ok(question.asking_instead(Asking::Forbidden(Arc::new(Forbidden { automaton, propositions }))))
            }
            Asking::Question(_) | Asking::Forbidden(_) => Ok(question),
        };
        asked.into_iter().map(one).collect()
    }

    /// Fairness to transitions of the unfolded net: to each binding that matches, by itself.
    pub fn unfolded_fairness(&self, fairness: &[Fairness]) -> Result<Vec<Fairness>, Error> {
        let mut unfolded = Vec::with_capacity(fairness.len());
        for one in fairness {
            let Some(named) = &one.transitions else {
                unfolded.push(one.clone());
                continue;
            };
            let wrong = |text: String| Error::new(ErrorKind::Question, format!("`--fair {one}`: {text}"));
            let property = deep(|| sn::formula_in(&self.net, &self.scope, &format!("fireable({named})")))
                .map_err(|unreadable| engine::said_of_fairness(one, unreadable))?;
            let property::Question::Invariant(property::Formula::Atom(Atom::Fireable(firings))) = property.question
            else {
                return Err(wrong(format!("`{named}` does not name transitions")));
            };
            let Unfolded { system, origins, .. } = self.unfolded()?;
            let transitions = firings.iter().flat_map(|firing| origins.locations(firing));
            let names = transitions.filter_map(|one| system.main_type().event_name(one.index as usize));
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            // What never fires waits for nothing.
            if !names.is_empty() {
                unfolded.push(Fairness { transitions: Some(names.join(", ")), ..one.clone() });
            }
        }
        Ok(unfolded)
    }

    /// Whether each transition can always fire again with some binding.
    pub fn live(&self) -> property::Question<ColouredNets> {
        let all =
            (0..self.net.transitions.len() as u32).map(|transition| vec![Firing { transition, pattern: Vec::new() }]);
        property::Question::Live(all.collect())
    }

    /// The net in PNML.
    pub fn to_pnml(&self) -> Result<String, Error> {
        pnml::write(&self.net).map_err(|refusal| {
            let help = "`.sn` has any coloured net; unfolded it is a place/transition net";
            Error::with_help(ErrorKind::Format, refusal.to_string(), help)
        })
    }
}

fn cannot_ask(name: &str) -> Error {
    Error::new(ErrorKind::Question, format!("`{name}` cannot be asked of this net"))
}

fn cannot_unfold(error: &CannotUnfold, reason: Option<Reason>) -> Error {
    let text = match (error, reason) {
        (CannotUnfold::Interrupted(progress), Some(reason)) => {
            format!("{reason} while the net was unfolded: {progress} so far")
        }
        _ => error.to_string(),
    };
    let help = match error {
        CannotUnfold::TooLarge(_) | CannotUnfold::Interrupted(_) => "smaller classes, or a guard that says more, help",
        CannotUnfold::UnboundedBag { .. } => "a guard such as `card(B) <= 2` says how large it may be",
        CannotUnfold::TooManyTokens { .. } => "smaller classes help",
    };
    Error::with_help(ErrorKind::Unfold, text, help).stopped_by(reason)
}
