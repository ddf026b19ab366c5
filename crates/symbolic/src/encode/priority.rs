//! Priorities of transitions: what holds a transition back, as a homomorphism.
//!
//! A transition of a net with priorities happens in the states in which none of those with a higher priority is allowed, and
//! does there what it would do without: it is its step after a selector. All transitions of a priority share one selector,
//! so that what it leaves of a set is worked out once for all of them.
//!
//! The selector is an inductive homomorphism and not the complement of a sum, because that would be evaluated on whole sets:
//! a closure could not go on below. It knows which conditions of which transitions are still to be seen. Where the value of
//! a variable forbids a transition, that one is forgotten; where the last condition of one holds, the states are dropped;
//! and where none is left to be feared, all states are kept. Transitions whose conditions end alike share these ends, and
//! a selector is told by the ends that are left, each once: so those of different states are often the same.

use std::hash::{Hash, Hasher};
use std::sync::Arc as Shared;

use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Label, Store, ValueMap, Variable};
use mandala_model::net::Net;
use mandala_model::system::Ahead;
use rustc_hash::FxHashMap;

use super::{EncodeError, overflow};
use crate::layout::{Layout, Slot};
use crate::step::Step;

/// What keeps the states in which transitions of a priority are not held back.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeldBack {
    /// Priorities and their selectors; those without are never held back.
    selectors: Vec<(u32, Hom)>,
}

impl HeldBack {
    /// The selectors of a net that is the main type. There are none without priorities.
    pub fn new(store: &mut Store, net: &Net, layout: &Layout) -> Result<HeldBack, EncodeError> {
        let ahead = Ahead::of(net);
        if ahead.is_empty() {
            return Ok(HeldBack::default());
        }
        let mut table = Table::default();
        let mut conditions: FxHashMap<u32, End> = FxHashMap::default();
        for &index in ahead.of_priority(net, 0) {
            if let Some(step) = Step::of_bag(net, &[index]).map_err(|_| overflow(net))? {
                conditions.insert(index, table.conditions(store, layout, &step.guard())?);
            }
        }
        let table = Shared::new(table);
        let mut priorities: Vec<u32> = net.transitions.iter().map(|transition| transition.priority).collect();
        priorities.sort_unstable();
        priorities.dedup();
        let mut selectors = Vec::with_capacity(priorities.len());
        for priority in priorities {
            let higher = ahead.of_priority(net, priority);
            let open = higher.iter().filter_map(|index| conditions.get(index).copied()).collect();
            if !higher.is_empty() {
                selectors.push((priority, selector(store, &table, open)));
            }
        }
        Ok(HeldBack { selectors })
    }

    /// What does something where no transition of a higher priority is allowed.
    pub fn unless(&self, store: &mut Store, priority: u32, hom: Hom) -> Hom {
        match self.selectors.binary_search_by_key(&priority, |(of, _)| *of) {
            Ok(at) => store.sequence([&self.selectors[at].1, &hom]),
            Err(_) => hom,
        }
    }
}

/// The last conditions of some transition, from a variable on, by their number in a table.
type End = u32;

/// No condition is left.
const ALLOWED: End = End::MAX;

/// Conditions of transitions, of which those that end alike share their ends.
#[derive(Debug, Default)]
struct Table {
    conditions: Vec<Condition>,
    /// Where conditions on a variable with the same conditions after them are.
    known: FxHashMap<(Variable, End), Vec<End>>,
}

/// A condition on one variable, and those on variables below.
#[derive(Debug)]
struct Condition {
    variable: Variable,
    test: Test,
    below: End,
}

#[derive(Debug, PartialEq)]
enum Test {
    /// Values that pass are those that this maps to any.
    Value(ValueMap),
    /// Labels pass as far as this keeps them.
    Inside(Hom),
}

impl Table {
    /// The conditions of a step on a layout.
    fn conditions(&mut self, store: &mut Store, layout: &Layout, guard: &Step) -> Result<End, Error> {
        layout.by_slot(&guard.cells).into_iter().rev().try_fold(ALLOWED, |below, (slot, cells)| {
            let test = match &layout.slots()[slot as usize] {
                Slot::Data(content) => Test::Value(content.map(&cells)),
                Slot::Part(part) => Test::Inside(part.hom(store, &Step { cells, moves: Vec::new() })?),
                // Nets with queues have no priorities.
                Slot::Queue(_) => Test::Inside(store.null()),
            };
            Ok(self.add(Condition { variable: slot, test, below }))
        })
    }

    fn add(&mut self, condition: Condition) -> End {
        let alike = self.known.entry((condition.variable, condition.below)).or_default();
        if let Some(&known) = alike.iter().find(|&&known| self.conditions[known as usize].test == condition.test) {
            return known;
        }
        let new = self.conditions.len() as End;
        alike.push(new);
        self.conditions.push(condition);
        new
    }

    fn is_on(&self, mut end: End, variable: Variable) -> bool {
        while let Some(condition) = self.conditions.get(end as usize) {
            if condition.variable >= variable {
                return condition.variable == variable;
            }
            end = condition.below;
        }
        false
    }
}

/// Keeps the states in which none of some transitions is allowed.
#[derive(Debug)]
struct NoneAllowed {
    table: Shared<Table>,
    /// The conditions of each of them that are not known to hold, in ascending order, each once.
    open: Vec<End>,
}

impl PartialEq for NoneAllowed {
    fn eq(&self, other: &NoneAllowed) -> bool {
        Shared::ptr_eq(&self.table, &other.table) && self.open == other.open
    }
}

impl Eq for NoneAllowed {}

impl Hash for NoneAllowed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.open.hash(state);
    }
}

fn selector(store: &mut Store, table: &Shared<Table>, mut open: Vec<End>) -> Hom {
    open.sort_unstable();
    open.dedup();
    match open.last() {
        None => store.identity(),
        Some(&ALLOWED) => store.null(),
        Some(_) => store.inductive(NoneAllowed { table: table.clone(), open }),
    }
}

/// ⊤, where a condition does not fit the variable.
fn undefined(store: &mut Store) -> Answer {
    let top = store.top();
    Answer::Whole(store.constant(&top))
}

impl NoneAllowed {
    /// Those that have no condition on a variable, and the conditions on it.
    fn split(&self, variable: Variable) -> (Vec<End>, impl Iterator<Item = &Condition>) {
        let condition = |end: &End| &self.table.conditions[*end as usize];
        // The variables of a diagram ascend: no other condition on it is left.
        let others = self.open.iter().filter(|end| condition(end).variable != variable).copied().collect();
        (others, self.open.iter().map(condition).filter(move |condition| condition.variable == variable))
    }
}

impl Inductive for NoneAllowed {
    fn skips(&self, variable: Variable) -> bool {
        !self.open.iter().any(|&end| self.table.is_on(end, variable))
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let (mut open, here) = self.split(variable);
        for condition in here {
            match &condition.test {
                Test::Value(map) if map.apply(value).is_empty() => {}
                Test::Value(_) => open.push(condition.below),
                Test::Inside(_) => return Ok(undefined(store)),
            }
        }
        if open.contains(&ALLOWED) {
            return Ok(Answer::Drop);
        }
        Ok(Answer::Keep(selector(store, &self.table, open)))
    }

    /// Divides the label by which of the conditions hold, as far as it makes a difference below.
    fn at_label(&self, store: &mut Store, variable: Variable, label: &Diagram) -> Result<Answer, Error> {
        let (open, here) = self.split(variable);
        let mut parts: Vec<(Vec<End>, Diagram)> = vec![(open, label.clone())];
        for condition in here {
            let Test::Inside(keeps) = &condition.test else { return Ok(undefined(store)) };
            let mut divided: Vec<(Vec<End>, Diagram)> = Vec::with_capacity(parts.len() + 1);
            let mut add = |store: &mut Store, open: Vec<End>, part: Diagram| -> Result<(), Error> {
                match divided.iter_mut().find(|(known, _)| *known == open) {
                    Some((_, known)) => *known = store.union(known, &part)?,
                    None => divided.push((open, part)),
                }
                Ok(())
            };
            for (open, part) in parts {
                let holds = store.apply(keeps, &part)?;
                let fails = store.difference(&part, &holds)?;
                if !holds.is_empty() && condition.below != ALLOWED {
                    let mut more = open.clone();
                    if let Err(at) = more.binary_search(&condition.below) {
                        more.insert(at, condition.below);
                    }
                    add(store, more, holds)?;
                }
                if !fails.is_empty() {
                    add(store, open, fails)?;
                }
            }
            parts = divided;
        }
        let moves = parts.into_iter().map(|(open, part)| (Label::Set(part), selector(store, &self.table, open)));
        Ok(Answer::Move(moves.collect()))
    }

    /// A condition on a variable that is not there does not hold.
    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        Ok(store.one())
    }

    fn is_selector(&self) -> bool {
        true
    }
}
