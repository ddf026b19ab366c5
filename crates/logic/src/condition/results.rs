//! Results of operations on conditions.

use super::Condition;

/// Operations whose results are remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    None,
    Not,
    And,
    Implies,
    Intersects,
}

/// Results of operations. A new one takes the place of an old one: the table grows with the nodes only.
#[derive(Debug, Default)]
pub(super) struct Results {
    slots: Vec<(Operation, Condition, Condition, Condition)>,
}

impl Results {
    fn slot(&self, operation: Operation, c: Condition, d: Condition) -> usize {
        let key = (u64::from(c.0) << 32 | u64::from(d.0)) ^ (operation as u64) << 61;
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((hash ^ hash >> 29) >> 8) as usize & (self.slots.len() - 1)
    }

    /// What is remembered of an operation.
    pub fn find(&self, operation: Operation, c: Condition, d: Condition) -> Option<Condition> {
        if self.slots.is_empty() {
            return None;
        }
        let (found, left, right, result) = self.slots[self.slot(operation, c, d)];
        ((found, left, right) == (operation, c, d)).then_some(result)
    }

    /// Remembers a result, in a table for so many nodes.
    pub fn keep(&mut self, operation: Operation, c: Condition, d: Condition, result: Condition, nodes: usize) {
        if self.slots.len() < 4 * nodes {
            let size = (8 * nodes).next_power_of_two().max(256);
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![(Operation::None, Condition::FALSE, Condition::FALSE, Condition::FALSE); size];
            for (operation, c, d, result) in old {
                let slot = self.slot(operation, c, d);
                self.slots[slot] = (operation, c, d, result);
            }
        }
        let slot = self.slot(operation, c, d);
        self.slots[slot] = (operation, c, d, result);
    }
}
