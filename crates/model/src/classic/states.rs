//! How many states the classic models have, by formula.
//!
//! Each formula counts the states that satisfy the invariants of a model, and all of these are reachable. A number is
//! exact while it fits into 128 bits, and known by its logarithm beyond that.

/// A number of states.
pub(super) struct States {
    /// The number, if it is small enough.
    pub exact: Option<u128>,
    /// Its decimal logarithm.
    pub logarithm: f64,
}

impl States {
    /// The number as a sentence for people: all digits, or four of them with an exponent.
    pub fn sentence(&self) -> String {
        if let Some(exact) = self.exact {
            return format!("States: {exact}.");
        }
        let mut exponent = self.logarithm.floor();
        let mut mantissa = format!("{:.3}", 10f64.powf(self.logarithm - exponent));
        if mantissa.starts_with("10") {
            mantissa = "1.000".to_owned();
            exponent += 1.0;
        }
        format!("States: about {mantissa}e{exponent}.")
    }
}

/// Philosophers: the Lucas number of 3n.
pub(super) fn philosophers(n: u64) -> States {
    let mut pair = (Some(2u128), Some(1u128));
    for _ in 0..3 * n.min(1 << 10) {
        pair = (pair.1, pair.0.zip(pair.1).and_then(|(a, b)| a.checked_add(b)));
    }
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    States { exact: pair.0, logarithm: 3.0 * n as f64 * golden.log10() }
}

/// The contest's philosophers: 3^n.
pub(super) fn contest_philosophers(n: u64) -> States {
    let exact = u32::try_from(n).ok().and_then(|n| 3u128.checked_pow(n));
    States { exact, logarithm: n as f64 * 3f64.log10() }
}

/// Kanban: cells 1 and 4 are free; cells 2 and 3 have as many tokens in work as each other, k in three places each. The
/// sum over k of `spread(k, 3)²` is `(n + 1) (n + 2) (n + 3) (3 n² + 12 n + 10) / 60`.
pub(super) fn kanban(n: u64) -> States {
    let outer = spread(n, 4);
    let n = u128::from(n);
    let middle = (n + 1) * (n + 2) * (n + 3) / 6;
    let exact = middle.checked_mul(3 * n * n + 12 * n + 10).map(|product| product / 10);
    let exact = exact.and_then(|middle| middle.checked_mul(outer)?.checked_mul(outer));
    let n = n as f64;
    let middle = (n + 1.0) * (n + 2.0) * (n + 3.0) * (3.0 * n * n + 12.0 * n + 10.0) / 60.0;
    States { exact, logarithm: middle.log10() + 2.0 * (outer as f64).log10() }
}

/// The slotted ring: as many nodes have given their slot away as have one of a neighbour, so 2^n times the n-th central
/// Delannoy number D, for which `n D(n) = 3 (2n - 1) D(n-1) - (n - 1) D(n-2)`.
pub(super) fn slotted_ring(n: u64) -> States {
    let mut pair = (Some(1u128), Some(1u128));
    let (mut ratio, mut logarithm) = (1.0, 0.0);
    for k in 1..=n {
        let wide = u128::from(k);
        let next = pair.0.zip(pair.1).and_then(|(before, last)| {
            let sum = last.checked_mul(3 * (2 * wide - 1))?;
            Some(sum.checked_sub(before.checked_mul(wide - 1)?)? / wide)
        });
        pair = (pair.1, next);
        let k = k as f64;
        ratio = (3.0 * (2.0 * k - 1.0) - (k - 1.0) / ratio) / k;
        logarithm += f64::log10(ratio);
    }
    let factor = u32::try_from(n).ok().and_then(|n| 2u128.checked_pow(n));
    let exact = pair.1.zip(factor).and_then(|(delannoy, factor)| delannoy.checked_mul(factor));
    States { exact, logarithm: logarithm + n as f64 * 2f64.log10() }
}

/// The FMS: with k pairs of parts joined, what they do in three places and at their machine, what the other parts P1
/// and P2 do in five places and at theirs, and what the parts P3 do. `None` if there are too many terms.
pub(super) fn fms(n: u64) -> Option<States> {
    if n > 100_000 {
        return None;
    }
    let at_machine = |parts: u64, servers: u64, places: u64| -> u128 {
        (0..=servers.min(parts)).map(|working| spread(parts - working, places)).sum()
    };
    let (mut exact, mut about) = (Some(0u128), 0.0);
    for k in 0..=n {
        let factors = [at_machine(k, 2, 3), at_machine(n - k, 3, 5), at_machine(n - k, 1, 5)];
        let term = factors.iter().try_fold(1u128, |product, &factor| product.checked_mul(factor));
        exact = exact.zip(term).and_then(|(sum, term)| sum.checked_add(term));
        about += factors.iter().map(|&factor| factor as f64).product::<f64>();
    }
    let third = spread(n, 3);
    let exact = exact.and_then(|sum| sum.checked_mul(third));
    Some(States { exact, logarithm: about.log10() + (third as f64).log10() })
}

/// In how many ways tokens go into places (at most five of these).
fn spread(tokens: u64, places: u64) -> u128 {
    (1..u128::from(places)).fold(1, |ways, i| ways * (u128::from(tokens) + i) / i)
}
