//! Facts that everyone who works with a system needs, each said once.

use super::{System, Type};

/// What has this label happens by itself in the main type.
pub const ELAPSE: &str = "elapse";

/// Whether what has a label, or none, happens by itself: what has none does, and in the main type what is labelled
/// [`ELAPSE`] does too.
pub fn happens_by_itself(label: Option<&str>, is_main: bool) -> bool {
    label.is_none() || is_main && label == Some(ELAPSE)
}

impl System {
    /// The type of the system.
    pub fn main_type(&self) -> &Type {
        &self.types[self.main]
    }

    /// Whether the system is made of instances.
    pub fn is_composite(&self) -> bool {
        matches!(self.main_type(), Type::Composite(_))
    }

    /// How many variables (or places) each type has, with those of its instances; at most as many as a number can say.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = Vec::with_capacity(self.types.len());
        for kind in &self.types {
            sizes.push(match kind {
                Type::Net(net) => net.places.len(),
                Type::Program(program) => program.variables.len(),
                Type::Composite(composite) => {
                    let parts = composite.instances.iter().map(|instance| sizes[instance.type_index]);
                    parts.fold(0, usize::saturating_add)
                }
            });
        }
        sizes
    }

    /// Whether there may be transient states (GAL's `TRANSIENT`).
    pub fn has_transient_states(&self) -> bool {
        self.types.iter().any(|kind| matches!(kind, Type::Program(program) if program.transient.is_some()))
    }
}

impl Type {
    /// The label of each transition or synchronisation.
    pub fn labels(&self) -> Vec<Option<&str>> {
        match self {
            Type::Net(net) => net.transitions.iter().map(|one| one.label.as_deref()).collect(),
            Type::Program(program) => program.transitions.iter().map(|one| one.label.as_deref()).collect(),
            Type::Composite(composite) => composite.synchronisations.iter().map(|one| one.label.as_deref()).collect(),
        }
    }
}
