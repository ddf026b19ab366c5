//! Why a step leads to the error state.

use super::evaluate::{WithoutValue, element, on_state};
use super::{Cause, Event, Semantics};
use crate::expression::Boolean;
use crate::system::{Attempt, Misfit, Store, Target};
use std::fmt;

/// Why a step leads to the error state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mishap {
    /// A value does not fit into its variable.
    Misfit(Misfit),
    /// An index does not exist, or something is divided by zero.
    NoValue(Cause),
    /// Processes that move together change what others use.
    Conflict,
}

impl fmt::Display for Mishap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mishap::Misfit(misfit) => misfit.fmt(f),
            Mishap::NoValue(cause) => cause.fmt(f),
            Mishap::Conflict => write!(f, "processes that move together change what others read or change"),
        }
    }
}

impl Semantics<'_> {
    /// Whether this is the error state of the system.
    pub fn is_error_state(&self, state: &[i32]) -> bool {
        self.system.error_state().is_some_and(|error| error.is(state))
    }

    /// Why the system begins in the error state, if it does.
    pub fn mishap_at_start(&self) -> Option<Mishap> {
        self.system.error_state()?.at_start.clone().map(Mishap::Misfit)
    }

    /// Why an event leads from a state to the error state, if it does.
    pub fn mishap(&self, event: &Event, state: &[i32]) -> Option<Mishap> {
        let attempt = self.system.error_state()?.attempt(event.location.index)?;
        if attempt.conflict {
            return Some(Mishap::Conflict);
        }
        self.attempted(attempt, state).err()
    }

    /// Does what a transition tries, one thing after the other.
    fn attempted(&self, attempt: &Attempt, state: &[i32]) -> Result<(), Mishap> {
        let mut state = state.to_vec();
        for guard in &attempt.guards {
            evaluated(guard, &state).map_err(Mishap::NoValue)?;
        }
        for store in &attempt.stores {
            let (variable, value) = stored(store, &state).map_err(Mishap::NoValue)?;
            if let Some(fits) = store.fits.filter(|fits| !fits.holds(value)) {
                let variable = self.variables().swap_remove(variable);
                return Err(Mishap::Misfit(Misfit { variable, value: Some(value), fits }));
            }
            state[variable] = value;
        }
        Ok(())
    }
}

/// Whether a condition holds; what has no value is not passed over.
fn evaluated(condition: &Boolean<u32>, state: &[i32]) -> Result<bool, Cause> {
    on_state(state, WithoutValue::IsError).boolean(condition)
}

/// Which variable gets which value.
fn stored(store: &Store, state: &[i32]) -> Result<(usize, i32), Cause> {
    let evaluator = on_state(state, WithoutValue::IsError);
    let value = evaluator.integer(&store.value)?;
    let variable = match &store.target {
        Target::Variable(variable) => *variable as usize,
        Target::Element { first, length, index } => {
            *first as usize + element(evaluator.integer(index)?, *length)? as usize
        }
    };
    Ok((variable, value))
}
