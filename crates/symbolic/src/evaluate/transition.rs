//! The transitions of a program as homomorphisms.

use std::sync::Arc;

use mandala_diagram::{Hom, Store};
use mandala_model::expression::{Boolean, Integer};
use mandala_model::system::{Program, ProgramTransition, Statement, Target};

use super::action::{Place, assign, condition};
use super::expression::{Expression, WithoutValue, element, fails, not, or};
use crate::program::Reason;

/// A program whose variables are diagram variables of one level.
pub struct Evaluated<'p> {
    /// The program.
    pub program: &'p Program,
    /// The diagram variable of each variable.
    pub slots: Vec<u32>,
}

/// How deep statements and calls may be nested.
const MOST_NESTED: usize = 64;

impl Evaluated<'_> {
    /// What a transition does. The result is ⊤ if one of its actions has no value: a division by zero or an index out of
    /// range.
    pub fn successor(&self, store: &mut Store, transition: &ProgramTransition) -> Result<Hom, Reason> {
        self.fire(store, transition, MOST_NESTED)
    }

    /// When a transition can fire.
    pub fn guard(&self, store: &mut Store, transition: &ProgramTransition) -> Result<Hom, Reason> {
        if may_abort(&transition.body) {
            return Err(Reason::Abort);
        }
        Ok(self.condition(store, &transition.guard))
    }

    /// Keeps the states in which a condition outside of actions holds.
    pub fn condition(&self, store: &mut Store, holds: &Boolean<u32>) -> Hom {
        condition(store, &Expression::of_boolean(holds, &self.slots, WithoutValue::IsFalse))
    }

    fn fire(&self, store: &mut Store, transition: &ProgramTransition, depth: usize) -> Result<Hom, Reason> {
        let guard = self.condition(store, &transition.guard);
        let body = self.block(store, &transition.body, depth)?;
        Ok(store.sequence([&guard, &body]))
    }

    fn block(&self, store: &mut Store, body: &[Statement], depth: usize) -> Result<Hom, Reason> {
        let depth = depth.checked_sub(1).ok_or(Reason::Depth)?;
        let mut all = Vec::with_capacity(body.len());
        for statement in body {
            all.push(self.statement(store, statement, depth)?);
        }
        Ok(store.sequence(&all))
    }

    fn statement(&self, store: &mut Store, statement: &Statement, depth: usize) -> Result<Hom, Reason> {
        Ok(match statement {
            Statement::Abort => store.null(),
            Statement::Assign(target, value) => self.assign(store, target, value),
            Statement::If(holds, yes, no) => {
                let holds = Expression::of_boolean(holds, &self.slots, WithoutValue::IsNothing);
                let (yes, no) = (self.block(store, yes, depth)?, self.block(store, no, depth)?);
                let (if_so, if_not) = (condition(store, &holds), condition(store, &not(holds.clone())));
                let branches = [store.sequence([&if_so, &yes]), store.sequence([&if_not, &no])];
                let both = store.sum(&branches);
                or_undefined(store, both, fails(holds))
            }
            Statement::Call(label) => {
                let called = self.program.transitions.iter().filter(|callee| callee.label.as_ref() == Some(label));
                let mut all = Vec::new();
                for callee in called {
                    all.push(self.fire(store, callee, depth)?);
                }
                store.sum(&all)
            }
            Statement::Fixpoint(body) => {
                let body = self.block(store, body, depth)?;
                store.fixpoint(&body)
            }
        })
    }

    fn assign(&self, store: &mut Store, target: &Target, value: &Integer<u32>) -> Hom {
        let of = |integer| Expression::of_integer(integer, &self.slots, WithoutValue::IsNothing);
        let value = of(value);
        let (place, fails) = match target {
            Target::Variable(variable) => (Place::Variable(self.slots[*variable as usize]), fails(value.clone())),
            Target::Element { first, length, index } => {
                let cells: Arc<[u32]> = self.slots[*first as usize..(*first + *length) as usize].into();
                let index = of(index);
                let there = fails(element(Arc::clone(&cells), index.clone()));
                (Place::Element(cells, index), or([there, fails(value.clone())]))
            }
        };
        let done = assign(store, place, &value);
        or_undefined(store, done, fails)
    }
}

/// A homomorphism whose result is ⊤ if a condition holds in some state.
fn or_undefined(store: &mut Store, hom: Hom, holds: Expression) -> Hom {
    if holds.value() == Some(0) {
        return hom;
    }
    let top = store.top();
    let (holds, undefined) = (condition(store, &holds), store.constant(&top));
    let failing = store.sequence([&holds, &undefined]);
    store.sum(&[hom, failing])
}

/// Whether a body may yield no state although the guard holds.
fn may_abort(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Assign(..) => false,
        Statement::Abort | Statement::Call(_) | Statement::Fixpoint(_) => true,
        Statement::If(_, yes, no) => may_abort(yes) || may_abort(no),
    })
}
