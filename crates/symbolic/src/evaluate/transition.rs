//! The transitions of a program as homomorphisms.

use std::cell::RefCell;

use mandala_diagram::{Hom, Store};
use mandala_model::expression::Boolean;
use mandala_model::system::{Program, ProgramTransition, Statement};
use rustc_hash::FxHashMap;

use super::condition::condition;
use super::expression::{fails, not};
use super::judge::{Question, judged};
use super::path::{MOST_NESTED, Paths, Reader};
use super::run::Compiler;
use super::update::update;
use crate::program::Reason;

/// What statements do.
#[derive(Clone)]
pub struct Meaning {
    /// The states after them. States in which something has no value have none.
    pub successor: Hom,
    /// Not empty if there is an error of the model: a division by zero, an index out of range, or a fixpoint that never
    /// ends.
    pub failing: Hom,
    /// The states that have a state after them, if some conditions say that.
    pub guard: Option<Hom>,
    /// Whether these are all states but those with an error.
    is_total: bool,
}

impl Meaning {
    /// The states after them, and ⊤ if there is an error.
    pub fn or_undefined(&self, store: &mut Store) -> Hom {
        let top = store.top();
        let undefined = store.constant(&top);
        let failing = store.sequence([&self.failing, &undefined]);
        store.sum([&self.successor, &failing])
    }

    /// Nothing happens.
    fn nothing(store: &mut Store) -> Meaning {
        let identity = store.identity();
        Meaning { successor: identity.clone(), failing: store.null(), guard: Some(identity), is_total: true }
    }

    /// The states in which a condition holds.
    fn only(store: &mut Store, holds: Hom) -> Meaning {
        Meaning { successor: holds.clone(), failing: store.null(), guard: Some(holds), is_total: false }
    }

    /// One, then the other.
    fn then(self, store: &mut Store, next: Meaning) -> Meaning {
        let later = store.sequence([&self.successor, &next.failing]);
        Meaning {
            failing: store.sum([&self.failing, &later]),
            successor: store.sequence([&self.successor, &next.successor]),
            guard: self.guard.filter(|_| next.is_total),
            is_total: self.is_total && next.is_total,
        }
    }

    /// Any one of them.
    pub fn any(store: &mut Store, all: Vec<Meaning>) -> Meaning {
        let successors: Vec<Hom> = all.iter().map(|one| one.successor.clone()).collect();
        let failing: Vec<Hom> = all.iter().map(|one| one.failing.clone()).collect();
        let is_total = all.iter().any(|one| one.is_total);
        let guards = all.into_iter().map(|one| one.guard).collect::<Option<Vec<Hom>>>();
        Meaning {
            successor: store.sum(&successors),
            failing: store.sum(&failing),
            guard: guards.map(|guards| store.sum(&guards)),
            is_total,
        }
    }

    /// Any one of some paths.
    fn of_paths(store: &mut Store, paths: Paths, is_total: bool) -> Meaning {
        let guards: Vec<Hom> = paths.open.iter().map(|path| condition(store, &path.update.guard)).collect();
        let successors: Vec<Hom> = paths.open.into_iter().map(|path| update(store, path.update)).collect();
        let failing: Vec<Hom> = paths.failing.iter().map(|failing| condition(store, failing)).collect();
        Meaning {
            successor: store.sum(&successors),
            failing: store.sum(&failing),
            guard: Some(store.sum(&guards)),
            is_total,
        }
    }
}

/// A program whose variables are diagram variables of one level.
pub struct Evaluated<'p> {
    reader: Reader<'p>,
    /// What the transitions do that were called, by their index in the program: calls of calls of calls are worked out
    /// once.
    called: RefCell<FxHashMap<usize, Meaning>>,
}

impl<'p> Evaluated<'p> {
    /// A program and the diagram variable of each of its variables.
    pub fn new(program: &'p Program, slots: Vec<u32>) -> Evaluated<'p> {
        Evaluated { reader: Reader::new(program, slots), called: RefCell::default() }
    }

    /// The diagram variable of a variable, if there is such a variable.
    pub fn slot(&self, variable: u32) -> Option<u32> {
        self.reader.slots.get(variable as usize).copied()
    }

    /// What a transition does.
    pub fn transition(&self, store: &mut Store, index: u32) -> Result<Meaning, Reason> {
        self.fire(store, &self.reader.program.transitions[index as usize], MOST_NESTED)
    }

    /// Keeps the states in which a transition that does this can fire.
    pub fn enabled(&self, store: &mut Store, index: u32, meaning: &Meaning) -> Hom {
        if let Some(guard) = &meaning.guard {
            return guard.clone();
        }
        let guard = self.condition(store, &self.reader.program.transitions[index as usize].guard);
        let fires = self.fires(store, &[vec![index]]);
        store.sequence([&guard, &fires])
    }

    /// Keeps the states in which transitions can fire one after the other: any one of each list.
    pub fn fires(&self, store: &mut Store, sequence: &[Vec<u32>]) -> Hom {
        let mut compiler = Compiler::new(&self.reader);
        let choices = |choices: &Vec<u32>| choices.iter().map(|&index| compiler.transition(index)).collect();
        let sequence = sequence.iter().map(choices).collect();
        judged(store, compiler.done(), Question::Fires(sequence))
    }

    /// Keeps the states in which a condition outside of actions holds.
    pub fn condition(&self, store: &mut Store, holds: &Boolean<u32>) -> Hom {
        condition(store, &self.reader.condition(holds))
    }

    fn fire(&self, store: &mut Store, transition: &ProgramTransition, depth: usize) -> Result<Meaning, Reason> {
        let is_total = transition.guard == Boolean::Constant(true) && self.is_total(&transition.body, depth);
        if let Ok(paths) = self.reader.fire(transition, depth) {
            return Ok(Meaning::of_paths(store, paths, is_total));
        }
        let guard = self.condition(store, &transition.guard);
        let guard = Meaning::only(store, guard);
        let body = self.block(store, &transition.body, depth)?;
        Ok(Meaning { is_total, ..guard.then(store, body) })
    }

    /// Whether there is a state after some statements whatever the state before is, as long as there is no error.
    fn is_total(&self, body: &[Statement], depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        body.iter().all(|statement| match statement {
            Statement::Assign(..) => true,
            // Calls are chosen by their guards.
            Statement::Abort | Statement::Call(_) => false,
            Statement::If(_, yes, no) => self.is_total(yes, depth) && self.is_total(no, depth),
            Statement::Fixpoint(body) => self.is_total(body, depth),
        })
    }

    /// Statements one after the other. As many of them as possible are done in one pass.
    fn block(&self, store: &mut Store, body: &[Statement], depth: usize) -> Result<Meaning, Reason> {
        let depth = depth.checked_sub(1).ok_or(Reason::Depth)?;
        let mut all = Meaning::nothing(store);
        let (mut paths, mut is_total) = (Paths::new(), true);
        for statement in body {
            let is_one_total = self.is_total(std::slice::from_ref(statement), depth);
            // A statement that does not go together with those before it may still go together with those after it.
            if let Ok(next) = self.reader.then(&paths, statement, depth) {
                (paths, is_total) = (next, is_total && is_one_total);
                continue;
            }
            let before = Meaning::of_paths(store, std::mem::take(&mut paths), std::mem::replace(&mut is_total, true));
            all = all.then(store, before);
            if let Ok(next) = self.reader.then(&paths, statement, depth) {
                (paths, is_total) = (next, is_one_total);
            } else {
                let statement = self.statement(store, statement, depth)?;
                all = all.then(store, statement);
            }
        }
        let last = Meaning::of_paths(store, paths, is_total);
        Ok(all.then(store, last))
    }

    /// A statement that is more than some paths.
    fn statement(&self, store: &mut Store, statement: &Statement, depth: usize) -> Result<Meaning, Reason> {
        match statement {
            Statement::Abort | Statement::Assign(..) => self.block(store, std::slice::from_ref(statement), depth),
            Statement::If(holds, yes, no) => {
                let holds = self.reader.decision(holds);
                let mut branches = Vec::new();
                let mut is_total = true;
                for (holds, body) in [(holds.clone(), yes), (not(holds.clone()), no)] {
                    let (holds, body) = (condition(store, &holds), self.block(store, body, depth)?);
                    is_total &= body.is_total;
                    branches.push(Meaning::only(store, holds).then(store, body));
                }
                let mut both = Meaning::any(store, branches);
                let fails = condition(store, &fails(holds));
                both.failing = store.sum([&both.failing, &fails]);
                Ok(Meaning { is_total, ..both })
            }
            Statement::Call(label) => {
                let transitions = &self.reader.program.transitions;
                let called = transitions.iter().enumerate().filter(|(_, callee)| callee.label.as_ref() == Some(label));
                let mut all = Vec::new();
                for (index, callee) in called {
                    let known = self.called.borrow().get(&index).cloned();
                    let meaning = known.map_or_else(|| self.fire(store, callee, depth), Ok)?;
                    self.called.borrow_mut().insert(index, meaning.clone());
                    all.push(meaning);
                }
                Ok(Meaning::any(store, all))
            }
            Statement::Fixpoint(body) => self.fixpoint(store, body, depth),
        }
    }

    /// Statements that are repeated, state by state, until nothing changes.
    ///
    /// What is reached on the way is a closure. If a state has one state after it at most, what is left in the end are the
    /// states of the closure that the statements keep, and what can be followed for ever among the others never ends: this
    /// set only shrinks as the statements are applied to it. With choices, a state stands for the set that it leads to.
    /// Applied to a closure again and again the statements leave what is left in the end of all of them, if there is an
    /// end; whether there is one depends on where a state begins.
    fn fixpoint(&self, store: &mut Store, body: &[Statement], depth: usize) -> Result<Meaning, Reason> {
        let once = self.block(store, body, depth)?;
        let on_the_way = store.closure([&once.successor]);
        let failing = store.sequence([&on_the_way, &once.failing]);
        let mut compiler = Compiler::new(&self.reader);
        let compiled = compiler.body(body);
        let (successor, endless) = if compiled.is_function() {
            let keeping = self.reader.block(body, depth).ok().and_then(|paths| paths.keeping());
            let kept = match keeping {
                Some(keeping) => {
                    let keeping: Vec<Hom> = keeping.iter().map(|keeping| condition(store, keeping)).collect();
                    store.sum(&keeping)
                }
                None => judged(store, compiler.done(), Question::Keeps(compiled)),
            };
            let others = store.not(&kept);
            let step = store.sequence([&once.successor, &others]);
            let for_ever = store.fixpoint(&step);
            (store.sequence([&on_the_way, &kept]), store.sequence([&on_the_way, &others, &for_ever]))
        } else {
            let last = store.fixpoint(&once.successor);
            let never_ends = judged(store, compiler.done(), Question::NeverEnds(compiled));
            (store.sequence([&on_the_way, &last]), never_ends)
        };
        let identity = once.is_total.then(|| store.identity());
        let failing = store.sum([&failing, &endless]);
        Ok(Meaning { successor, failing, guard: identity, is_total: once.is_total })
    }
}
