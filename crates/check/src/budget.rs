//! Budgets of work, each for a part of a task: what is left for the whole is in force again afterwards.

use mandala_diagram::{Limits, Store};

/// Does something with at most so much work, and no more than was left before.
pub(crate) fn within_budget<O: AsMut<Store>, T>(owner: &mut O, work: u64, run: impl FnOnce(&mut O) -> T) -> T {
    let outer = owner.as_mut().enter_budget(work);
    let result = run(owner);
    owner.as_mut().leave_budget(outer);
    result
}

/// Does something within at most so much work, whatever limit struck before: to say what is known when time or memory are
/// over.
pub(crate) fn after_a_limit<O: AsMut<Store>, T>(owner: &mut O, work: u64, run: impl FnOnce(&mut O) -> T) -> T {
    let limits = owner.as_mut().limits();
    owner.as_mut().set_limits(Limits { work: Some(work), ..Limits::default() });
    let result = run(owner);
    owner.as_mut().set_limits(limits);
    result
}
