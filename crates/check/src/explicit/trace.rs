//! The way by which a state was found.

use super::states::States;
use crate::run::Trace;
use mandala_model::semantics::TransitionSystem;

/// The way by which a state was found. What happened is found again from the states; `None` is never seen, because the
/// same search has found it before.
pub(super) fn to_state<T: TransitionSystem>(semantics: &T, states: &States, id: u32) -> Option<Trace<T::Formalism>> {
    let mut ids = vec![id];
    let mut first = id;
    while let Some(parent) = states.parent(first) {
        ids.push(parent);
        first = parent;
    }
    ids.reverse();
    let mut steps = Vec::with_capacity(ids.len() - 1);
    for pair in ids.windows(2) {
        let (from, to) = (states.read::<T::Formalism>(pair[0]), states.get(pair[1]));
        steps.push(semantics.successors(&from).ok()?.into_iter().find(|step| step.state.as_ref() == to)?);
    }
    Some(Trace { initial: states.read::<T::Formalism>(first), steps })
}
