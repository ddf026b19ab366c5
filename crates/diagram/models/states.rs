//! How many states the models have, by formula.
//!
//! The formulas count the states that satisfy the invariants of a model. That all of these are
//! reachable was seen for small sizes by enumeration, and for larger ones in the results of the Model
//! Checking Contest.

use mandala_diagram::{Count, Exactness};

/// As exact as the benchmarks count.
pub const EXACTNESS: Exactness = Exactness { max_bits: 1 << 13 };

fn sum(a: &Count, b: &Count) -> Count {
    a.add(b, &EXACTNESS)
}

fn product(a: &Count, b: &Count) -> Count {
    a.mul(b, &EXACTNESS)
}

fn total(numbers: impl IntoIterator<Item = Count>) -> Count {
    numbers.into_iter().fold(Count::zero(), |total, number| sum(&total, &number))
}

/// In how many ways `tokens` go into `places`.
fn spread(tokens: u32, places: u32) -> Count {
    let (tokens, places) = (u64::from(tokens), u64::from(places));
    Count::from((1..places).fold(1, |ways, i| ways * (tokens + i) / i))
}

/// Two Fibonacci numbers that follow each other.
struct Fibonacci(Count, Count);

impl Fibonacci {
    /// The second and the third.
    fn third() -> Fibonacci {
        Fibonacci(Count::one(), Count::from(2))
    }

    fn next(&self) -> Fibonacci {
        Fibonacci(self.1.clone(), sum(&self.0, &self.1))
    }

    /// From the n-th to the 2n-th.
    fn double(&self) -> Fibonacci {
        let Fibonacci(before, this) = self;
        Fibonacci(sum(&product(before, before), &product(this, this)), product(this, &self.lucas()))
    }

    /// The Lucas number of the same index as the second.
    fn lucas(&self) -> Count {
        sum(&sum(&self.0, &self.0), &self.1)
    }
}

/// Philosophers: the Lucas number of 3n.
pub fn philosophers(n: u32) -> Count {
    (3..3 * n).fold(Fibonacci::third(), |number, _| number.next()).lucas()
}

/// 2^n philosophers.
pub fn philosophers_folded(n: u32) -> Count {
    (0..n).fold(Fibonacci::third(), |number, _| number.double()).lucas()
}

/// Kanban: cells 1 and 4 are free, cells 2 and 3 have as many tokens in work as each other.
pub fn kanban(n: u32) -> Count {
    let middle = total((0..=n).map(|k| product(&spread(k, 3), &spread(k, 3))));
    product(&product(&spread(n, 4), &spread(n, 4)), &middle)
}

/// The slotted ring: as many nodes have given their slot away as have one of a neighbour, so with k of
/// them the sum over k of 4^k 2^(n-k) (n choose k)², which is 2^n times the n-th central Delannoy number.
pub fn slotted_ring(n: u32) -> Count {
    let mut row = vec![Count::one(); n as usize + 1];
    for _ in 0..n {
        let mut diagonal = row[0].clone();
        for i in 1..row.len() {
            let next = sum(&sum(&row[i - 1], &row[i]), &diagonal);
            diagonal = std::mem::replace(&mut row[i], next);
        }
    }
    (0..n).fold(row[n as usize].clone(), |number, _| sum(&number, &number))
}

/// The FMS: with k pairs of parts joined, what they do, what the other parts P1 and P2 do in five
/// places and at their machine, and what the parts P3 do.
pub fn fms(n: u32) -> Count {
    let at_machine = |parts: u32, servers: u32, places: u32| {
        total((0..=servers.min(parts)).map(|working| spread(parts - working, places)))
    };
    let others = |k: u32| product(&at_machine(n - k, 3, 5), &at_machine(n - k, 1, 5));
    let joined = total((0..=n).map(|k| product(&at_machine(k, 2, 3), &others(k))));
    product(&spread(n, 3), &joined)
}
