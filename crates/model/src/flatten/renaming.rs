//! Where variables and transitions have gone when a composite was flattened, and properties that follow them.

use crate::expression::{Boolean, Integer};
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
            Question::Live(transitions) => {
                let all = transitions.iter().map(<Question>::always_again).collect();
                Question::Ctl(self.formula(&Formula::And(all))?)
            }
            Question::Ltl(formula) => Question::Ltl(self.formula(formula)?),
        })
    }

    fn place(&self, location: &Location) -> Option<Location> {
        let offset = u32::try_from(*self.offsets.get(&location.path)?).ok()?;
        Some(Location { path: Vec::new(), index: offset.checked_add(location.index)? })
    }

    /// A formula about the flat model; `None` if it asks about something that does not happen by itself.
    pub fn formula(&self, formula: &Formula) -> Option<Formula> {
        Some(match formula {
            Formula::Constant(_) | Formula::Deadlock | Formula::Error => formula.clone(),
            Formula::Atom(Atom::Compare(comparison, a, b)) => {
                Formula::Atom(Atom::Compare(*comparison, self.integer(a)?, self.integer(b)?))
            }
            Formula::Atom(Atom::Fireable(locations)) => {
                let mut all = Vec::new();
                for location in locations {
                    let indices = self.fires.get(location)?;
                    all.extend(indices.iter().map(|&index| Location { path: Vec::new(), index }));
                }
                Formula::Atom(Atom::Fireable(all))
            }
            Formula::Not(inner) => Formula::Not(Box::new(self.formula(inner)?)),
            Formula::And(parts) => Formula::And(parts.iter().map(|part| self.formula(part)).collect::<Option<_>>()?),
            Formula::Or(parts) => Formula::Or(parts.iter().map(|part| self.formula(part)).collect::<Option<_>>()?),
            Formula::Unary(quantifier, operator, inner) => {
                Formula::Unary(*quantifier, *operator, Box::new(self.formula(inner)?))
            }
            Formula::Binary(quantifier, operator, a, b) => {
                Formula::Binary(*quantifier, *operator, Box::new(self.formula(a)?), Box::new(self.formula(b)?))
            }
        })
    }

    fn integer(&self, expression: &Integer<Location>) -> Option<Integer<Location>> {
        Some(match expression {
            Integer::Constant(number) => Integer::Constant(*number),
            Integer::Variable(location) => Integer::Variable(self.place(location)?),
            Integer::Element { first, length, index } => {
                Integer::Element { first: self.place(first)?, length: *length, index: Box::new(self.integer(index)?) }
            }
            Integer::Sum(parts) => Integer::Sum(parts.iter().map(|part| self.integer(part)).collect::<Option<_>>()?),
            Integer::Unary(operator, inner) => Integer::Unary(*operator, Box::new(self.integer(inner)?)),
            Integer::Binary(operator, a, b) => {
                Integer::Binary(*operator, Box::new(self.integer(a)?), Box::new(self.integer(b)?))
            }
            Integer::Truth(condition) => Integer::Truth(Box::new(self.boolean(condition)?)),
        })
    }

    fn boolean(&self, condition: &Boolean<Location>) -> Option<Boolean<Location>> {
        Some(match condition {
            Boolean::Constant(truth) => Boolean::Constant(*truth),
            Boolean::Compare(comparison, a, b) => Boolean::Compare(*comparison, self.integer(a)?, self.integer(b)?),
            Boolean::Not(inner) => Boolean::Not(Box::new(self.boolean(inner)?)),
            Boolean::And(parts) => Boolean::And(parts.iter().map(|part| self.boolean(part)).collect::<Option<_>>()?),
            Boolean::Or(parts) => Boolean::Or(parts.iter().map(|part| self.boolean(part)).collect::<Option<_>>()?),
        })
    }
}
