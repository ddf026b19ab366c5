//! Questions about a coloured net, as questions about the net that it was unfolded into.

use super::Origins;
use crate::coloured::property::{Atom, ColouredNets, Count, Firing};
use crate::expression::Integer;
use crate::property::{self, Formula, Question};
use crate::system::Location;

impl Origins {
    /// A question about the unfolded net.
    pub fn question(&self, question: &Question<ColouredNets>) -> Option<Question> {
        let formula = |formula: &Formula<Atom>| self.formula(formula);
        Some(match question {
            Question::Reachable(inner) => Question::Reachable(formula(inner)?),
            Question::Invariant(inner) => Question::Invariant(formula(inner)?),
            Question::Never(inner) => Question::Never(formula(inner)?),
            Question::Bounds(quantity) => Question::Bounds(self.integer(quantity)?),
            Question::Ctl(inner) => Question::Ctl(formula(inner)?),
            Question::Live(groups) => {
                let one = |group: &Vec<Firing>| group.iter().flat_map(|firing| self.locations(firing)).collect();
                Question::Live(groups.iter().map(one).collect())
            }
            Question::Ltl(inner) => Question::Ltl(formula(inner)?),
            Question::CtlStar(inner) => Question::CtlStar(formula(inner)?),
        })
    }

    /// A formula about the unfolded net.
    pub fn formula(&self, formula: &Formula<Atom>) -> Option<Formula> {
        formula.map(&mut |atom| {
            Some(Formula::Atom(match atom {
                Atom::Compare(comparison, a, b) => {
                    property::Atom::Compare(*comparison, self.integer(a)?, self.integer(b)?)
                }
                Atom::Fireable(firings) => {
                    property::Atom::Fireable(firings.iter().flat_map(|one| self.locations(one)).collect())
                }
                Atom::Fired(firings) => {
                    let locations: Vec<Location> = firings.iter().flat_map(|one| self.locations(one)).collect();
                    if locations.is_empty() {
                        // What can never happen has no transition, and nothing observes it.
                        return Some(Formula::Constant(false));
                    }
                    property::Atom::Fired(locations)
                }
            }))
        })
    }

    /// The unfolded transitions of a firing.
    pub fn locations(&self, firing: &Firing) -> Vec<Location> {
        let all = self.transitions_of(firing.transition, &firing.pattern);
        all.into_iter().map(|index| Location { path: Vec::new(), index }).collect()
    }

    fn integer(&self, quantity: &Integer<Count>) -> Option<Integer<Location>> {
        let unfolded = quantity.map(&mut |count| {
            let places = self.places_of(count.place, &count.pattern);
            let all = places.into_iter().map(|index| Integer::Variable(Location { path: Vec::new(), index }));
            let mut all: Vec<Integer<Location>> = all.collect();
            Some(if all.len() == 1 { all.remove(0) } else { Integer::Sum(all) })
        })?;
        Some(flat(unfolded))
    }
}

/// Sums in a sum are a part of it: engines know sums of places.
fn flat(quantity: Integer<Location>) -> Integer<Location> {
    let Integer::Sum(parts) = quantity else { return quantity };
    let mut all = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Integer::Sum(inner) => all.extend(inner),
            other => all.push(other),
        }
    }
    if all.len() == 1 { all.remove(0) } else { Integer::Sum(all) }
}
