//! Where a system begins.

use super::error::Work;
use super::{Cause, Kind, RunError, Semantics, States};
use rustc_hash::FxHashSet;

/// Numbers in all initial states together.
const MOST_NUMBERS: usize = 100_000_000;

impl Semantics<'_> {
    /// The states in which the system begins, each once.
    pub fn initial_states(&self) -> Result<Vec<Vec<i32>>, RunError> {
        let states = self.initial(self.system.main, &self.system.begins).map_err(|cause| self.error(cause, &[]))?;
        let mut seen = FxHashSet::default();
        Ok(self.settled(states)?.into_iter().filter(|state| seen.insert(state.clone())).collect())
    }

    /// The states that designated initial states of a type stand for.
    fn initial(&self, type_index: usize, which: &[usize]) -> Result<States, Cause> {
        let mut all = Vec::new();
        for &index in which {
            match &self.types[type_index].kind {
                Kind::Unused => {}
                Kind::Net(net) => all.push(net.initial[index].marking.clone()),
                Kind::Queues(queues) => all.push(queues.net.initial[index].marking.clone()),
                Kind::Program(program) => all.push(program.program.initial[index].values.clone()),
                Kind::Composite(composite) => {
                    let initial = &composite.composite.initial[index];
                    let mut wholes: States = vec![Vec::with_capacity(self.types[type_index].size)];
                    for (instance, choices) in composite.composite.instances.iter().zip(&initial.choices) {
                        let parts = self.initial(instance.type_index, choices)?;
                        wholes = self.combinations(wholes, &parts, self.types[type_index].size)?;
                    }
                    all.append(&mut wholes);
                }
            }
            self.limit(all.len(), self.types[type_index].size)?;
        }
        Ok(all)
    }

    /// Every beginning with every part after it.
    fn combinations(&self, mut beginnings: States, parts: &States, size: usize) -> Result<States, Cause> {
        if let [part] = parts.as_slice() {
            beginnings.iter_mut().for_each(|beginning| beginning.extend_from_slice(part));
            return Ok(beginnings);
        }
        self.limit(beginnings.len().saturating_mul(parts.len()), size)?;
        let pairs = beginnings.iter().flat_map(|beginning| parts.iter().map(move |part| (beginning, part)));
        Ok(pairs.map(|(beginning, part)| [beginning.as_slice(), part].concat()).collect())
    }

    fn limit(&self, states: usize, size: usize) -> Result<(), Cause> {
        let most = Work::MOST_STATES.min(MOST_NUMBERS / size.max(1)).max(1);
        if states > most { Err(Cause::TooManyStates(most)) } else { Ok(()) }
    }
}
