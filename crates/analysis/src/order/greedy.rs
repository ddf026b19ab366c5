//! Greedy orders for Petri nets: Noack's and Tovchigrechko's.
//!
//! Variables are chosen one by one, from the bottom of the diagram to its top: always the one of greatest weight with
//! respect to the set S of those chosen already. With •t and t• for what an event takes from and puts to, •p and p• for
//! the events that put to and take from a variable, and where a sum leaves out terms that would divide by zero, the
//! weight is a sum over the events of p divided by |•p ∪ p•| (Heiner, Rohr, Schwarick and Tovchigrechko, "MARCIE's
//! secrets of efficient model checking"):
//!
//! - Noack: for t ∈ •p with •t and t• not empty, max(0.1, |•t ∩ S|) / |•t| + 2 |t• ∩ S| / |t•|; for such t ∈ p•,
//!   (1 + |•t ∩ S|) / |•t| + max(0.2, 2 |t• ∩ S|) / |t•|.
//! - Tovchigrechko: for t ∈ •p, max(0.1, |•t ∩ S|) / |•t| + max(0.1, 2 |t• ∩ S|) / |t•|; for t ∈ p•,
//!   (1 + |•t ∩ S|) / |•t| + max(0.2, 2 |t• ∩ S|) / |t•|.
//!
//! An event gives the same to all variables it takes from and the same to all it puts to, so a choice changes weights
//! only around the events of the variable chosen. Those of large events are brought up to date a limited number of
//! times: each choice changes them little, and doing it always would be quadratic.

use super::heap::Heap;
use super::incidence::Incidence;
use super::{Connections, Order};

/// Noack's order.
pub fn noack(connections: &Connections) -> Order {
    Greedy::new(connections, Weight::Noack).run()
}

/// Tovchigrechko's order.
pub fn tovchigrechko(connections: &Connections) -> Order {
    Greedy::new(connections, Weight::Tovchigrechko).run()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Noack,
    Tovchigrechko,
}

/// Weights are multiples of this part of one: sums of them do not depend on the order of addition.
const ONE: u128 = 1 << 24;

/// The weights of an event are brought up to date at most this often.
const UPDATES: u32 = 64;

/// What an event gives to each variable that it takes from, and to each that it puts to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Share {
    input: u64,
    output: u64,
}

/// An event, as far as variables have been chosen.
#[derive(Clone, Copy, Default)]
struct Progress {
    inputs: u32,
    outputs: u32,
    /// How many were chosen when the share was last worked out.
    shared_at: u32,
    share: Share,
}

impl Weight {
    fn share(self, inputs: u32, all_inputs: u32, outputs: u32, all_outputs: u32) -> Share {
        if self == Weight::Noack && (all_inputs == 0 || all_outputs == 0) {
            return Share::default();
        }
        let (taken, put) = (u128::from(inputs) * 10, u128::from(outputs) * 20);
        let tenths = |count: u128, all: u32| match all {
            0 => 0,
            all => (ONE * count / (10 * u128::from(all))) as u64,
        };
        let least_put = if self == Weight::Noack { 0 } else { 1 };
        Share {
            input: tenths(taken + 10, all_inputs) + tenths(put.max(2), all_outputs),
            output: tenths(taken.max(1), all_inputs) + tenths(put.max(least_put), all_outputs),
        }
    }
}

struct Greedy {
    weight: Weight,
    inputs: Incidence,
    outputs: Incidence,
    events: Vec<Progress>,
    sums: Vec<u64>,
    /// |•p ∪ p•|, at least one.
    divisors: Vec<u64>,
    heap: Heap<u64>,
    chosen: Vec<bool>,
}

impl Greedy {
    fn new(connections: &Connections, weight: Weight) -> Greedy {
        let (inputs, outputs) = (Incidence::inputs(connections), Incidence::outputs(connections));
        let mut events = vec![Progress::default(); inputs.events.len()];
        let mut sums = vec![0u64; inputs.variables];
        for (index, event) in (0u32..).zip(&mut events) {
            let (takes, puts) = (inputs.events.row(index), outputs.events.row(index));
            event.share = weight.share(0, takes.len() as u32, 0, puts.len() as u32);
            takes.iter().for_each(|&variable| sums[variable as usize] += event.share.input);
            puts.iter().for_each(|&variable| sums[variable as usize] += event.share.output);
        }
        let either = |variable| union(inputs.of_variable.row(variable), outputs.of_variable.row(variable)).max(1);
        let divisors: Vec<u64> = inputs.all().map(either).collect();
        let heap = Heap::full(sums.iter().zip(&divisors).map(|(sum, divisor)| sum / divisor).collect());
        let chosen = vec![false; inputs.variables];
        Greedy { weight, inputs, outputs, events, sums, divisors, heap, chosen }
    }

    fn run(mut self) -> Order {
        let mut order = Vec::with_capacity(self.chosen.len());
        while let Some(variable) = self.heap.pop() {
            order.push(variable);
            self.choose(variable);
        }
        order.reverse();
        order
    }

    fn choose(&mut self, variable: u32) {
        self.chosen[variable as usize] = true;
        let takers = self.inputs.of_variable.row(variable).to_vec();
        let givers = self.outputs.of_variable.row(variable).to_vec();
        takers.iter().for_each(|&event| self.events[event as usize].inputs += 1);
        givers.iter().for_each(|&event| self.events[event as usize].outputs += 1);
        for event in takers.into_iter().chain(givers) {
            self.update(event);
        }
    }

    /// Works out the share of an event anew, if enough of its variables were chosen since the last time.
    fn update(&mut self, index: u32) {
        let (takes, puts) = (self.inputs.events.row(index), self.outputs.events.row(index));
        let (all_inputs, all_outputs) = (takes.len() as u32, puts.len() as u32);
        let event = &mut self.events[index as usize];
        let count = event.inputs + event.outputs;
        if count - event.shared_at < ((all_inputs + all_outputs) / UPDATES).max(1) {
            return;
        }
        let before = event.share;
        let after = self.weight.share(event.inputs, all_inputs, event.outputs, all_outputs);
        event.share = after;
        event.shared_at = count;
        // Shares only grow, for S does.
        for (variables, more) in [(takes, after.input - before.input), (puts, after.output - before.output)] {
            for &variable in variables.iter().filter(|_| more > 0) {
                let at = variable as usize;
                if !self.chosen[at] {
                    self.sums[at] += more;
                    self.heap.set(variable, self.sums[at] / self.divisors[at]);
                }
            }
        }
    }
}

/// How many numbers are in either of two ascending lists.
fn union(one: &[u32], other: &[u32]) -> u64 {
    let mut count = (one.len() + other.len()) as u64;
    let mut rest = other.iter().peekable();
    for number in one {
        while rest.next_if(|next| *next < number).is_some() {}
        count -= u64::from(rest.peek() == Some(&number));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::{Event, samples};

    /// The definition, worked out anew for each choice, in floating point.
    fn naive(connections: &Connections, noack: bool) -> Order {
        let (inputs, outputs) = (Incidence::inputs(connections), Incidence::outputs(connections));
        let mut chosen: Vec<u32> = Vec::new();
        let mut rest: Vec<u32> = inputs.all().collect();
        while !rest.is_empty() {
            let weight = |variable: u32| {
                let mut sum = 0.0;
                let mut events = std::collections::BTreeSet::new();
                for event in 0..connections.events.len() as u32 {
                    let (takes, puts) = (inputs.events.row(event), outputs.events.row(event));
                    let count = |list: &[u32]| list.iter().filter(|one| chosen.contains(one)).count() as f64;
                    let (taken, put) = (count(takes), count(puts));
                    let (all_taken, all_put) = (takes.len() as f64, puts.len() as f64);
                    let part = |value: f64, all: f64| if all == 0.0 { 0.0 } else { value / all };
                    let counts = !noack || (all_taken > 0.0 && all_put > 0.0);
                    if puts.contains(&variable) {
                        events.insert(event);
                        let least = if noack { 0.0 } else { 0.1 };
                        let term = part(taken.max(0.1), all_taken) + part((2.0 * put).max(least), all_put);
                        sum += if counts { term } else { 0.0 };
                    }
                    if takes.contains(&variable) {
                        events.insert(event);
                        let term = part(1.0 + taken, all_taken) + part((2.0 * put).max(0.2), all_put);
                        sum += if counts { term } else { 0.0 };
                    }
                }
                // Rounded so that equal weights are equal here too.
                (sum / events.len().max(1) as f64 * 1e5).round() as i64
            };
            let best = rest.iter().copied().max_by_key(|&one| (weight(one), std::cmp::Reverse(one))).unwrap_or(0);
            rest.retain(|&one| one != best);
            chosen.push(best);
        }
        chosen.reverse();
        chosen
    }

    /// Weights that differ by less than rounding may be taken either way, here and there, so that a few orders differ.
    #[test]
    fn as_defined() {
        let mut same = 0;
        for seed in 0..300 {
            let connections = samples::random(seed);
            same += usize::from(noack(&connections) == naive(&connections, true));
            same += usize::from(tovchigrechko(&connections) == naive(&connections, false));
        }
        assert!(same >= 590, "{same} of 600");
    }

    #[test]
    fn a_ring_stays_together() {
        // A token that goes around: each variable chosen is a neighbour of one chosen before.
        let event = |one: u32| Event { takes: vec![one], puts: vec![(one + 1) % 30], reads: vec![] };
        let connections = Connections { variables: 30, events: (0..30).map(event).collect(), ..Connections::default() };
        for order in [noack(&connections), tovchigrechko(&connections)] {
            let mut bottom_up = order.into_iter().rev();
            let mut chosen = vec![bottom_up.next().unwrap_or(0)];
            for variable in bottom_up {
                let near = [(variable + 1) % 30, (variable + 29) % 30];
                assert!(near.iter().any(|one| chosen.contains(one)), "{variable} after {chosen:?}");
                chosen.push(variable);
            }
        }
    }
}
