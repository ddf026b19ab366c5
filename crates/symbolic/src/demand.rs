//! What a composite asks of its parts.
//!
//! A synchronisation sends each instance a sequence of labels (see [`mandala_model::system`]). Which sequences a type is
//! sent is worked out from the main type down, and the homomorphisms are made from the elementary types up: nothing
//! recurs, so the depth of the nesting does not matter, and a type that occurs a thousand times is asked once.

use std::collections::BTreeSet;

pub use mandala_model::system::{Choices, Sent, Sequence, TooManyChoices};
use mandala_model::system::{System, Type};

/// For each type of a system, what it is sent from above.
pub fn demands(system: &System) -> Result<Vec<BTreeSet<Sequence>>, TooManyChoices> {
    let mut demands: Vec<BTreeSet<Sequence>> = vec![BTreeSet::new(); system.types.len()];
    for index in (0..system.types.len()).rev() {
        let Type::Composite(composite) = &system.types[index] else { continue };
        let choices = Choices::new(composite);
        let mut below: Vec<Sent> = Vec::new();
        for sequence in &demands[index] {
            below.extend(choices.of_sequence(sequence)?);
        }
        for place in 0..composite.synchronisations.len() {
            // One with a label matters only when it is called, and in the main type when time elapses; but whether it
            // can fire may be asked of any.
            below.extend(choices.of_synchronisation(place)?);
        }
        for (instance, sequence) in below.into_iter().flatten() {
            demands[composite.instances[instance as usize].type_index].insert(sequence);
        }
    }
    Ok(demands)
}
