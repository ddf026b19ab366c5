//! InvertAssign: an update backwards.
//!
//! InvertAssign (thesis, 4.3.3, algorithm 8) finds, among possible predecessors, those of some states by an assignment. As
//! there, the values that an assigned variable may have had are those that it has in the possible predecessors
//! (`computeDomain`), and what is found is intersected with them. Here all assignments of an [`Update`] are undone at once.

use std::sync::Arc;

use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Label, Store, Variable};

use super::condition::condition;
use super::update::{Outcome, Update};

/// The states among `possible` from which an update leads to given states.
pub(super) fn invert_assign(store: &mut Store, update: &Update, possible: &Diagram) -> Hom {
    let domain = |variable| (variable, store.values(possible, variable).into_iter().collect());
    let domains = update.written().into_iter().map(domain).collect();
    let back = backwards(store, Arc::new(domains), update.clone());
    let possible = store.intersect(possible);
    store.sequence([&back, &possible])
}

/// The values that variables may have had before they were assigned, by variable.
type Domains = Arc<Vec<(u32, Vec<i32>)>>;

/// An update backwards. The states after it are descended: where a variable cannot have been written, its value is that of
/// the state before, and what is left of the update is evaluated with it; where it may have been, every value is tried
/// that it may have had, and the condition remains that the value assigned is the one that is met.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Backwards {
    update: Update,
    domains: Domains,
}

fn backwards(store: &mut Store, domains: Domains, update: Update) -> Hom {
    match update.simplified() {
        None => store.null(),
        Some(update) if update.writes.is_empty() => condition(store, &update.guard),
        Some(update) => store.inductive(Backwards { update, domains }),
    }
}

impl Inductive for Backwards {
    fn skips(&self, variable: Variable) -> bool {
        self.update.skips(variable)
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let before = match self.domains.binary_search_by_key(&variable, |domain| domain.0) {
            Ok(at) if self.update.may_write(variable) => self.domains[at].1.clone(),
            _ => vec![value],
        };
        let mut moves = Vec::new();
        for old in before {
            for Outcome { new, rest } in self.update.outcomes(variable, old) {
                let rest = match new {
                    None if old == value => rest,
                    None => continue,
                    Some(new) => rest.where_equal(&new, value),
                };
                if !rest.guard.is_never() {
                    moves.push((Label::Value(old), backwards(store, Arc::clone(&self.domains), rest)));
                }
            }
        }
        Ok(Answer::Move(moves))
    }
}
