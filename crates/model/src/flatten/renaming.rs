//! Where variables and transitions have gone when a composite was flattened, and properties that follow them.

use crate::expression::Integer;
use crate::property::{Atom, Formula, Property, Question};
use crate::system::{Location, System};
use std::collections::HashMap;

/// Where everything has gone.
#[derive(Clone, Debug, Default)]
pub struct Renaming {
    /// For each instance, by its path, its first variable.
    pub offsets: HashMap<Vec<u32>, usize>,
    /// For what happens by itself, its transitions.
    pub fires: HashMap<Location, Vec<u32>>,
}

impl Renaming {
    /// Everything stays where it is.
    pub(super) fn identity(system: &System) -> Renaming {
        let fires = (0..system.main_type().event_count() as u32)
            .map(|index| (Location { path: Vec::new(), index }, vec![index]));
        Renaming { offsets: HashMap::from([(Vec::new(), 0)]), fires: fires.collect() }
    }

    /// A property about the flat model; `None` if it asks about something that does not happen by itself.
    pub fn property(&self, property: &Property) -> Option<Property> {
        Some(Property { name: property.name.clone(), question: self.question(&property.question)? })
    }

    /// A question about the flat model; `None` if it asks about something that does not happen by itself.
    pub fn question(&self, question: &Question) -> Option<Question> {
        Some(match question {
            Question::Reachable(formula) => Question::Reachable(self.formula(formula)?),
            Question::Invariant(formula) => Question::Invariant(self.formula(formula)?),
            Question::Never(formula) => Question::Never(self.formula(formula)?),
            Question::Bounds(expression) => Question::Bounds(self.integer(expression)?),
            Question::Ctl(formula) => Question::Ctl(self.formula(formula)?),
            Question::Live(groups) => {
                Question::Live(groups.iter().map(|group| self.transitions(group)).collect::<Option<_>>()?)
            }
            Question::Ltl(formula) => Question::Ltl(self.formula(formula)?),
            Question::CtlStar(formula) => Question::CtlStar(self.formula(formula)?),
        })
    }

    fn place(&self, location: &Location) -> Option<Location> {
        let offset = u32::try_from(*self.offsets.get(&location.path)?).ok()?;
        Some(Location { path: Vec::new(), index: offset.checked_add(location.index)? })
    }

    /// A formula about the flat model; `None` if it asks about something that does not happen by itself.
    pub fn formula(&self, formula: &Formula) -> Option<Formula> {
        formula.map(&mut |atom| {
            Some(Formula::Atom(match atom {
                Atom::Compare(comparison, a, b) => Atom::Compare(*comparison, self.integer(a)?, self.integer(b)?),
                Atom::Fireable(locations) => Atom::Fireable(self.transitions(locations)?),
                Atom::Fired(locations) => Atom::Fired(self.transitions(locations)?),
            }))
        })
    }

    /// The transitions that some have become; `None` if one of them does not happen by itself.
    pub fn transitions(&self, locations: &[Location]) -> Option<Vec<Location>> {
        let mut all = Vec::new();
        for location in locations {
            let indices = self.fires.get(location)?;
            all.extend(indices.iter().map(|&index| Location { path: Vec::new(), index }));
        }
        Some(all)
    }

    fn integer(&self, expression: &Integer<Location>) -> Option<Integer<Location>> {
        expression.map(&mut |location| self.place(location).map(Integer::Variable))
    }
}
