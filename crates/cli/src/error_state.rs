//! The error state of a model for scripts.

use crate::trace::trace;
use mandala::ErrorState;
use serde_json::{Value, json};

/// What is known of the error state.
pub fn error_state(state: &ErrorState) -> Value {
    let ErrorState { reached, transition, reason, trace: way } = state;
    let mut object = json!({"reached": reached, "transition": transition, "reason": reason});
    match way {
        Some(Ok(way)) => object["trace"] = trace(way),
        Some(Err(reason)) => object["no_trace"] = json!(reason),
        None => {}
    }
    object
}
