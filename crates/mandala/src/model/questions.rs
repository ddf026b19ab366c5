//! Questions to a model: from formulas, from files of properties, from automata, and about the whole of it.

use super::Model;
use crate::engine::deep;
use crate::error::{Error, ErrorKind};
use crate::input::{self, Content};
use crate::question::{Asking, Kind, Question};
use mandala_check::claim::Forbidden;
use mandala_logic::{Atoms, hoa};
use mandala_model::gal;
use mandala_model::property::contest::{self, Logic};
use mandala_model::property::{self, Formula, Property};
use mandala_model::system::{Location, Type};
use std::sync::Arc;

impl Model {
    /// Reads a formula: `AG(x <= 3)`, `EF(deadlock)`, `G(x == 1 -> F x == 2)`, `[bounds] : x + y`.
    ///
    /// `EF p` asks whether p is reachable and `AG p` whether it is invariant, if p speaks of one state; other formulas
    /// with quantifiers are CTL, those with temporal operators alone LTL, and those without are invariants.
    pub fn question(&self, formula: &str) -> Result<Question, Error> {
        match self.coloured() {
            Some(coloured) => coloured.question(formula),
            None => self.property_of(formula).map(Question::from),
        }
    }

    fn property_of(&self, formula: &str) -> Result<Property, Error> {
        if let Some(coloured) = self.coloured() {
            return coloured.property_of(formula);
        }
        let system = self.system()?;
        Ok(deep(|| match &self.inner.names {
            Some(names) => names.formula(formula),
            None => gal::formula_in(system, &self.inner.scope, formula),
        })?)
    }

    /// A formula about one state.
    pub(crate) fn about_one_state(&self, formula: &str) -> Result<Option<Formula>, Error> {
        Ok(match self.property_of(formula)?.question {
            // What speaks of one state alone is taken as an invariant.
            property::Question::Invariant(formula) => Some(formula),
            _ => None,
        })
    }

    /// How a formula is read, with all its parentheses, where one might think of another way to read it.
    pub fn reading(&self, formula: &str) -> Option<String> {
        if self.inner.names.is_some() { None } else { deep(|| gal::reading(formula)) }
    }

    /// A property of the model by its name.
    pub fn property(&self, name: &str) -> Result<Question, Error> {
        if let Some((_, unreadable)) = self.inner.broken.iter().find(|(broken, _)| broken == name) {
            return Err(unreadable.clone().into());
        }
        Question::find(name, &self.sound_properties()?)
    }

    /// Whether there is no deadlock.
    pub fn deadlock(&self) -> Question {
        if self.coloured().is_some() {
            let asking = Asking::Coloured(Arc::new(property::Question::Never(Formula::Deadlock)));
            return Question::new("deadlock", Kind::Deadlock, asking);
        }
        Question::about("deadlock", Kind::Deadlock, property::Question::Never(Formula::Deadlock))
    }

    /// Whether all transitions of a net can always fire again.
    pub fn live(&self) -> Result<Question, Error> {
        if let Some(coloured) = self.coloured() {
            return Ok(Question::new("live", Kind::Live, Asking::Coloured(Arc::new(coloured.live()))));
        }
        let Type::Net(net) = self.system()?.main_type() else {
            let text = "liveness is asked of the transitions of a net, and this is none";
            let help = "for other models ask for each transition: `AG EF fireable(t)`";
            return Err(Error::with_help(ErrorKind::NotLive, text, help));
        };
        let all = (0..net.transitions.len() as u32).map(|index| vec![Location { path: Vec::new(), index }]);
        Ok(Question::about("live", Kind::Live, property::Question::Live(all.collect())))
    }

    /// The questions in a file of the Model Checking Contest. Without a logic, what the name of the file says
    /// (`CTLCardinality.xml`) or its formulas show.
    pub fn contest_file(&self, file: &str, logic: Option<Logic>) -> Result<Vec<Question>, Error> {
        let text = input::text(file, Content::Properties)?;
        let logic = logic.or_else(|| Logic::of_file(file));
        if let Some(coloured) = self.coloured() {
            return coloured.contest_file(file, &text, logic);
        }
        let system = self.system()?;
        let also = &self.inner.scope.also;
        let groups = (!also.places.is_empty() || !also.transitions.is_empty()).then_some(also);
        let properties = deep(|| match groups {
            Some(groups) => contest::read_groups(file, &text, system, groups, logic),
            None => contest::read(file, &text, system, logic),
        })?;
        Ok(properties.into_iter().map(Question::from).collect())
    }

    /// Whether the model has no run that the automaton in a file of the Hanoi format accepts. The names of its atoms are
    /// formulas about one state.
    pub fn automaton_file(&self, file: &str) -> Result<Question, Error> {
        let mut atoms = Atoms::new();
        let automaton = hoa::read(&input::text(file, Content::Automaton)?, &mut atoms)
            .map_err(|error| Error::new(ErrorKind::Question, format!("{file}: {error}")))?;
        let names: Vec<&str> = (0..atoms.len() as u32).filter_map(|atom| atoms.name(atom)).collect();
        let asking = match self.coloured() {
            Some(coloured) => {
                let propositions = propositions(file, &names, |name| coloured.about_one_marking(name))?;
                Asking::ColouredForbidden(Arc::new(Forbidden { automaton, propositions }))
            }
            None => {
                let propositions = propositions(file, &names, |name| self.about_one_state(name))?;
                Asking::Forbidden(Arc::new(Forbidden { automaton, propositions }))
            }
        };
        Ok(Question::new(file, Kind::Automaton, asking))
    }
}

/// What the atoms of an automaton say of a state.
fn propositions<A>(
    file: &str, names: &[&str], read: impl Fn(&str) -> Result<Option<Formula<A>>, Error>,
) -> Result<Vec<Formula<A>>, Error> {
    let proposition = |name: &&str| {
        read(name)?.ok_or_else(|| {
            let text = format!("{file}: the atom \"{name}\" is no formula about one state");
            let help = "atoms are conditions such as \"x == 1\" or \"fireable(t)\"";
            Error::with_help(ErrorKind::Question, text, help)
        })
    };
    names.iter().map(proposition).collect()
}
