//! The transitions of a program as homomorphisms.

use mandala_diagram::{Hom, Store};
use mandala_model::expression::Boolean;
use mandala_model::system::{Program, ProgramTransition, Statement};

use super::condition::condition;
use super::expression::{fails, not};
use super::path::{MOST_NESTED, Paths, Reader};
use super::update::update;
use crate::program::Reason;

/// What statements do.
#[derive(Clone)]
pub struct Meaning {
    /// The states after them. States in which something has no value have none.
    pub successor: Hom,
    /// Not empty if something has no value: a division by zero or an index out of range.
    pub failing: Hom,
    /// The states that have a state after them, if that is known.
    pub guard: Option<Hom>,
}

impl Meaning {
    /// The states after them, and ⊤ if something has no value.
    pub fn or_undefined(&self, store: &mut Store) -> Hom {
        let top = store.top();
        let undefined = store.constant(&top);
        let failing = store.sequence([&self.failing, &undefined]);
        store.sum([&self.successor, &failing])
    }

    /// Nothing happens.
    fn nothing(store: &mut Store) -> Meaning {
        let identity = store.identity();
        Meaning { successor: identity.clone(), failing: store.null(), guard: Some(identity) }
    }

    /// One, then the other.
    fn then(self, store: &mut Store, next: Meaning) -> Meaning {
        let later = store.sequence([&self.successor, &next.failing]);
        let is_total = next.guard == Some(store.identity());
        Meaning {
            failing: store.sum([&self.failing, &later]),
            successor: store.sequence([&self.successor, &next.successor]),
            guard: self.guard.filter(|_| is_total),
        }
    }

    /// Any one of them.
    pub fn any(store: &mut Store, all: Vec<Meaning>) -> Meaning {
        let successors: Vec<Hom> = all.iter().map(|one| one.successor.clone()).collect();
        let failing: Vec<Hom> = all.iter().map(|one| one.failing.clone()).collect();
        let guards = all.into_iter().map(|one| one.guard).collect::<Option<Vec<Hom>>>();
        Meaning {
            successor: store.sum(&successors),
            failing: store.sum(&failing),
            guard: guards.map(|guards| store.sum(&guards)),
        }
    }

    /// Any one of some paths.
    fn of_paths(store: &mut Store, paths: Paths) -> Meaning {
        let guards: Vec<Hom> = paths.open.iter().map(|path| condition(store, &path.update.guard)).collect();
        let successors: Vec<Hom> = paths.open.into_iter().map(|path| update(store, path.update)).collect();
        let failing: Vec<Hom> = paths.failing.iter().map(|failing| condition(store, failing)).collect();
        Meaning { successor: store.sum(&successors), failing: store.sum(&failing), guard: Some(store.sum(&guards)) }
    }
}

/// A program whose variables are diagram variables of one level.
pub struct Evaluated<'p> {
    reader: Reader<'p>,
}

impl<'p> Evaluated<'p> {
    /// A program and the diagram variable of each of its variables.
    pub fn new(program: &'p Program, slots: Vec<u32>) -> Evaluated<'p> {
        Evaluated { reader: Reader { program, slots } }
    }

    /// The diagram variable of a variable, if there is such a variable.
    pub fn slot(&self, variable: u32) -> Option<u32> {
        self.reader.slots.get(variable as usize).copied()
    }

    /// What a transition does.
    pub fn transition(&self, store: &mut Store, transition: &ProgramTransition) -> Result<Meaning, Reason> {
        self.fire(store, transition, MOST_NESTED)
    }

    /// Keeps the states in which a condition outside of actions holds.
    pub fn condition(&self, store: &mut Store, holds: &Boolean<u32>) -> Hom {
        condition(store, &self.reader.condition(holds))
    }

    fn fire(&self, store: &mut Store, transition: &ProgramTransition, depth: usize) -> Result<Meaning, Reason> {
        if let Ok(paths) = self.reader.fire(transition, depth) {
            return Ok(Meaning::of_paths(store, paths));
        }
        let guard = self.condition(store, &transition.guard);
        let guard = Meaning { successor: guard.clone(), failing: store.null(), guard: Some(guard) };
        let body = self.block(store, &transition.body, depth)?;
        Ok(guard.then(store, body))
    }

    /// Statements one after the other. As many of them as possible are done in one pass.
    fn block(&self, store: &mut Store, body: &[Statement], depth: usize) -> Result<Meaning, Reason> {
        let depth = depth.checked_sub(1).ok_or(Reason::Depth)?;
        let mut all = Meaning::nothing(store);
        let mut paths = Paths::new();
        for statement in body {
            // A statement that does not go together with those before it may still go together with those after it.
            if let Ok(next) = self.reader.then(&paths, statement, depth) {
                paths = next;
                continue;
            }
            let before = Meaning::of_paths(store, std::mem::take(&mut paths));
            all = all.then(store, before);
            if let Ok(next) = self.reader.then(&paths, statement, depth) {
                paths = next;
            } else {
                let statement = self.statement(store, statement, depth)?;
                all = all.then(store, statement);
            }
        }
        let last = Meaning::of_paths(store, paths);
        Ok(all.then(store, last))
    }

    /// A statement that is more than some paths.
    fn statement(&self, store: &mut Store, statement: &Statement, depth: usize) -> Result<Meaning, Reason> {
        match statement {
            Statement::Abort | Statement::Assign(..) => self.block(store, std::slice::from_ref(statement), depth),
            Statement::If(holds, yes, no) => {
                let holds = self.reader.decision(holds);
                let mut branches = Vec::new();
                for (holds, body) in [(holds.clone(), yes), (not(holds.clone()), no)] {
                    let (holds, body) = (condition(store, &holds), self.block(store, body, depth)?);
                    let holds = Meaning { successor: holds.clone(), failing: store.null(), guard: Some(holds) };
                    branches.push(holds.then(store, body));
                }
                let mut both = Meaning::any(store, branches);
                let fails = condition(store, &fails(holds));
                both.failing = store.sum([&both.failing, &fails]);
                Ok(both)
            }
            Statement::Call(label) => {
                let transitions = &self.reader.program.transitions;
                let called = transitions.iter().filter(|callee| callee.label.as_ref() == Some(label));
                let mut all = Vec::new();
                for callee in called {
                    all.push(self.fire(store, callee, depth)?);
                }
                Ok(Meaning::any(store, all))
            }
            Statement::Fixpoint(body) => {
                let body = self.block(store, body, depth)?;
                let identity = store.identity();
                let on_the_way = store.closure([&body.successor]);
                Ok(Meaning {
                    successor: store.fixpoint(&body.successor),
                    failing: store.sequence([&on_the_way, &body.failing]),
                    guard: body.guard.filter(|guard| *guard == identity),
                })
            }
        }
    }
}
