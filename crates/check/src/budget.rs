//! Budgets of work, each for a part of a task: what is left for the whole is in force again afterwards.

use mandala_diagram::{Limits, ProcessMemory, Store};
use mandala_symbolic::encode::Encoded;

/// What works on a store. It is no trait of the outside: whoever has the store of a space can make it answer wrongly.
pub(crate) trait Worker {
    /// The store.
    fn store(&mut self) -> &mut Store;
}

impl<E> Worker for Encoded<E> {
    fn store(&mut self) -> &mut Store {
        &mut self.store
    }
}

/// Does something with at most so much work, and no more than was left before.
pub(crate) fn within_budget<W: Worker, T>(worker: &mut W, work: u64, run: impl FnOnce(&mut W) -> T) -> T {
    let outer = worker.store().enter_budget(work);
    let result = run(worker);
    worker.store().leave_budget(outer);
    result
}

/// Does something within at most so much work, whatever limit struck before: to say what is known when time or memory are
/// over.
pub(crate) fn after_a_limit<W: Worker, T>(worker: &mut W, work: u64, run: impl FnOnce(&mut W) -> T) -> T {
    let store = worker.store();
    let (limits, process) = (store.limits(), store.process_memory().cloned());
    store.set_limits(Limits { work: Some(work), ..Limits::default() });
    store.set_process_memory(process.as_ref().and_then(ProcessMemory::extended).as_ref());
    let result = run(worker);
    worker.store().set_limits(limits);
    worker.store().set_process_memory(process.as_ref());
    result
}
