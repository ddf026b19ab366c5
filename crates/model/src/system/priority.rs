//! Who holds whom back: priorities of the transitions of a net that is a whole system.
//!
//! A transition is *held back* in a marking if the places there allow another one that fires by itself and has a higher
//! priority. It does not matter whether that one is held back itself: then the one that does so has a priority higher still.

use super::{System, Type, happens_by_itself};
use crate::net::Net;
use std::cmp::Reverse;
use std::fmt;

/// The transitions of a net that hold others back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ahead {
    /// By their indices, those of the highest priority first.
    transitions: Vec<u32>,
}

impl Ahead {
    /// All transitions that fire by themselves and have a higher priority than some other: none in a net without
    /// priorities.
    pub fn of(net: &Net) -> Ahead {
        let priority = |index: u32| net.transitions[index as usize].priority;
        let own = (0..).zip(&net.transitions).filter(|(_, one)| happens_by_itself(one.label.as_deref(), true));
        let mut transitions: Vec<u32> = own.map(|(index, _)| index).collect();
        transitions.sort_by_key(|&index| Reverse(priority(index)));
        let least = net.transitions.iter().map(|transition| transition.priority).min().unwrap_or(0);
        transitions.truncate(transitions.partition_point(|&index| priority(index) > least));
        Ahead { transitions }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.transitions.is_empty()
    }

    /// By their indices, the transitions that hold back those of a priority.
    pub fn of_priority(&self, net: &Net, priority: u32) -> &[u32] {
        let end = self.transitions.partition_point(|&index| net.transitions[index as usize].priority > priority);
        &self.transitions[..end]
    }

    /// Whether transitions of a priority are held back in a marking.
    pub fn hold_back(&self, net: &Net, priority: u32, marking: &[i32]) -> bool {
        self.of_priority(net, priority).iter().any(|&index| net.allows(&net.transitions[index as usize], marking))
    }

    /// The least priority that is not held back in a marking.
    pub fn least(&self, net: &Net, marking: &[i32]) -> u32 {
        let mut ahead = self.transitions.iter().map(|&index| &net.transitions[index as usize]);
        ahead.find(|one| net.allows(one, marking)).map_or(0, |one| one.priority)
    }
}

/// A net with priorities is an instance of a composite. Whether it would be compared with the other instances, and what
/// becomes of a synchronisation that calls a transition that is held back, is not defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrioritiesInside {
    /// The net.
    pub net: String,
}

impl fmt::Display for PrioritiesInside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the transitions of `{}` have priorities, and what these mean inside of a composite is not defined",
            self.net
        )
    }
}

impl std::error::Error for PrioritiesInside {}

impl System {
    /// Refuses a composite with a net that has priorities among its instances, or theirs.
    pub fn refuse_priorities_inside(&self) -> Result<(), PrioritiesInside> {
        let mut is_inside = vec![false; self.types.len()];
        // Composites come after the types of their instances.
        for index in (0..self.types.len()).rev() {
            match &self.types[index] {
                Type::Composite(composite) if index == self.main || is_inside[index] => {
                    composite.instances.iter().for_each(|instance| is_inside[instance.type_index] = true);
                }
                Type::Net(net) if is_inside[index] && net.has_priorities() => {
                    return Err(PrioritiesInside { net: net.name.clone() });
                }
                _ => {}
            }
        }
        Ok(())
    }
}
