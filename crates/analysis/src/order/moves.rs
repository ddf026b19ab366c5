//! Changes of an order, for searches that try many.

use super::Order;

/// An order in which a run of variables is elsewhere, perhaps upside down, or all of it upside down; nothing if that changes
/// nothing.
pub fn moved(order: &[u32], numbers: &mut Numbers) -> Option<Order> {
    if order.len() < 2 {
        return None;
    }
    let longest = match numbers.below(4) {
        // Which end is closed first matters, too.
        0 if numbers.below(4) == 0 => return Some(order.iter().rev().copied().collect()),
        0 => order.len() / 2,
        _ => 3,
    };
    let length = (1 + numbers.below(longest)).min(order.len() - 1);
    let from = numbers.below(order.len() - length + 1);
    let mut rest = order.to_vec();
    let mut run: Order = rest.drain(from..from + length).collect();
    let to = numbers.below(rest.len() + 1);
    if numbers.below(4) == 0 {
        run.reverse();
    }
    rest.splice(to..to, run);
    (rest != order).then_some(rest)
}

/// Numbers that look random and are always the same (xorshift).
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers(0x2545_F491_4F6C_DD1D)
    }
}

impl Numbers {
    /// The next number, below an end.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::samples::is_permutation;

    #[test]
    fn what_is_moved_stays_a_permutation_and_is_always_the_same() {
        let mut order: Order = (0..9).collect();
        let (mut numbers, mut again) = (Numbers::default(), Numbers::default());
        for _ in 0..1_000 {
            let next = moved(&order, &mut numbers);
            assert_eq!(next, moved(&order, &mut again));
            let Some(next) = next else { continue };
            assert!(next != order && is_permutation(9, &next), "{next:?}");
            order = next;
        }
        assert_eq!(moved(&[], &mut numbers), None);
        assert_eq!(moved(&[0], &mut numbers), None);
    }
}
