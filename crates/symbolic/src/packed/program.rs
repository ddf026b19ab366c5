//! The transitions of a program on the values of its variables, as [updates](Update).

use mandala_model::system::Program;
use rustc_hash::FxHashMap;

use crate::encode::is_spontaneous;
use crate::evaluate::expression::Expression;
use crate::evaluate::path::Reader;
use crate::evaluate::update::{Place, Update};
use crate::layout::Layout;

/// How deep statements and calls may be nested.
const MOST_NESTED: usize = 64;

/// The transitions of a program. Variables are diagram variables, from top to bottom.
pub struct Updates {
    updates: Vec<Update>,
    /// Variables of which updates ask that they have a certain value, and those updates by the value.
    by_value: Vec<(u32, FxHashMap<i32, Vec<u32>>)>,
    /// Updates that ask for no value.
    others: Vec<u32>,
    /// The initial states.
    pub initial: Vec<Vec<i32>>,
}

impl Updates {
    /// A program that begins in some of its initial states. Nothing if its layout has levels, or if a transition is more
    /// than some updates.
    pub fn new(program: &Program, begins: &[usize], layout: &Layout) -> Option<Updates> {
        let slots: Vec<u32> = (0..program.variables.len() as u32)
            .map(|variable| layout.slot_of_single(variable))
            .collect::<Option<_>>()?;
        let initial = |&begin: &usize| {
            let mut state = vec![0; slots.len()];
            for (&slot, &value) in slots.iter().zip(&program.initial[begin].values) {
                state[slot as usize] = value;
            }
            state
        };
        let initial = begins.iter().map(initial).collect();
        let reader = Reader { program, slots };
        let mut updates = Vec::new();
        for transition in program.transitions.iter().filter(|transition| is_spontaneous(&transition.label, true)) {
            let paths = reader.fire(transition, MOST_NESTED).ok()?;
            updates.extend(paths.open.into_iter().map(|path| path.update));
        }
        let mut all = Updates { updates, by_value: Vec::new(), others: Vec::new(), initial };
        all.sort_by_value();
        Some(all)
    }

    /// Files updates under a value that they ask for: of the variable of which most updates ask for one.
    fn sort_by_value(&mut self) {
        let wanted: Vec<Vec<(u32, i32)>> = self
            .updates
            .iter()
            .map(|update| update.guard.conjuncts().filter_map(Expression::equation).collect())
            .collect();
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        wanted.iter().flatten().for_each(|(variable, _)| *counts.entry(*variable).or_default() += 1);
        for (update, wanted) in (0u32..).zip(wanted) {
            let Some(&(variable, value)) = wanted.iter().max_by_key(|(variable, _)| (counts[variable], *variable))
            else {
                self.others.push(update);
                continue;
            };
            let at = self.by_value.iter().position(|(known, _)| *known == variable).unwrap_or_else(|| {
                self.by_value.push((variable, FxHashMap::default()));
                self.by_value.len() - 1
            });
            self.by_value[at].1.entry(value).or_default().push(update);
        }
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.initial.first().map_or(0, Vec::len)
    }

    /// For each variable, the least and the greatest value that it has initially or is given as a constant, and whether
    /// it may be given another.
    pub fn constants(&self) -> Vec<(i32, i32, bool)> {
        let mut ranges: Vec<(i32, i32, bool)> = vec![(i32::MAX, i32::MIN, false); self.variables()];
        let mut add = |variable: usize, value: Option<i32>| {
            let (low, high, others) = &mut ranges[variable];
            match value {
                Some(value) => (*low, *high) = ((*low).min(value), (*high).max(value)),
                None => *others = true,
            }
        };
        for state in &self.initial {
            state.iter().enumerate().for_each(|(variable, &value)| add(variable, Some(value)));
        }
        for write in self.updates.iter().flat_map(|update| &update.writes) {
            match &write.place {
                Place::Variable(variable) => add(*variable as usize, write.value.value()),
                Place::Element(cells, _) => {
                    cells.iter().for_each(|&cell| add(cell as usize, write.value.value()));
                }
            }
        }
        ranges
    }

    /// Calls `each` with what changes from a state to each of its successors: variables and their new values, of which
    /// the last one counts.
    pub fn successors<E>(
        &self, state: &[i32], changes: &mut Vec<(u32, i32)>, mut each: impl FnMut(&[(u32, i32)]) -> Result<(), E>,
    ) -> Result<(), E> {
        for (variable, updates) in &self.by_value {
            for &update in updates.get(&state[*variable as usize]).into_iter().flatten() {
                if self.updates[update as usize].changes(state, changes) {
                    each(changes)?;
                }
            }
        }
        for &update in &self.others {
            if self.updates[update as usize].changes(state, changes) {
                each(changes)?;
            }
        }
        Ok(())
    }
}
