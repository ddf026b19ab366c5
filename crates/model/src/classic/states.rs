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
    /// None.
    const ZERO: States = States { exact: Some(0), logarithm: f64::NEG_INFINITY };
    /// One.
    const ONE: States = States { exact: Some(1), logarithm: 0.0 };

    fn plus(self, other: States) -> States {
        let exact = self.exact.zip(other.exact).and_then(|(a, b)| a.checked_add(b));
        let (less, more) = (self.logarithm.min(other.logarithm), self.logarithm.max(other.logarithm));
        let logarithm = if less.is_finite() { more + (10f64.powf(less - more)).ln_1p() / 10f64.ln() } else { more };
        States { exact, logarithm }
    }

    fn times(self, factor: u64) -> States {
        let exact = self.exact.and_then(|number| number.checked_mul(u128::from(factor)));
        States { exact, logarithm: self.logarithm + (factor as f64).log10() }
    }

    /// Divided by something of which it is a multiple.
    fn over(self, divisor: u64) -> States {
        let exact = self.exact.and_then(|number| number.checked_div(u128::from(divisor)));
        States { exact, logarithm: self.logarithm - (divisor as f64).log10() }
    }

    fn times_power(self, base: u64, exponent: u64) -> States {
        (0..exponent).fold(self, |product, _| product.times(base))
    }

    /// Times the ways to choose `k` of `n`.
    fn times_choices(self, n: u64, k: u64) -> States {
        (0..k).fold(self, |product, i| product.times(n - i).over(i + 1))
    }

    /// Times the ways to choose `k` of `n`, one after the other.
    fn times_sequences(self, n: u64, k: u64) -> States {
        (0..k).fold(self, |product, i| product.times(n - i))
    }

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

/// Clients and servers: k clients are each with a server that is busy with them, the others idle, answered, or waiting
/// for one of the servers.
pub(super) fn client_server(clients: u64, servers: u64) -> States {
    let busy = 0..=clients.min(servers);
    let terms = busy.map(|k| {
        States::ONE.times_choices(clients, k).times_sequences(servers, k).times_power(servers + 2, clients - k)
    });
    terms.fold(States::ZERO, States::plus)
}

/// The sale store: some people have one gift, some two, in no order; the others wait, are inside, or are out with nothing.
pub(super) fn sale_store(people: u64, gifts: u64) -> States {
    let mut sum = States::ZERO;
    for two in 0..=people.min(gifts / 2) {
        for one in 0..=(people - two).min(gifts - 2 * two) {
            let persons = States::ONE.times_choices(people, two).times_choices(people - two, one);
            let taken = persons.times_sequences(gifts, one + 2 * two);
            let taken = (0..two).fold(taken, |product, _| product.over(2));
            sum = sum.plus(taken.times_power(3, people - two - one));
        }
    }
    sum
}

/// Peterson: at each level where there is somebody, one process is the last. Those who are not idle, m of them, fill the
/// levels from the first to some level; or all but one do, and that one is higher up or in the critical section. There are
/// m! / (m - j)! j^(m - j) ways to fill j levels, each with a last.
pub(super) fn peterson(n: u64) -> States {
    let fill = |m: u64, levels: u64| States::ONE.times_sequences(m, levels).times_power(levels, m - levels);
    let mut sum = States::ONE;
    for m in 1..=n {
        // One who is just above the others fills a level too, and is counted there.
        let together = (1..=m).map(|levels| fill(m, levels));
        let apart = (0..m.min(n - 1)).map(|levels| fill(m - 1, levels).times(m).times(n - 1 - levels));
        let ways = together.chain(apart).fold(States::ZERO, States::plus);
        let chosen = States::ONE.times_choices(n, m);
        let exact = ways.exact.zip(chosen.exact).and_then(|(ways, chosen)| ways.checked_mul(chosen));
        sum = sum.plus(States { exact, logarithm: ways.logarithm + chosen.logarithm });
    }
    sum
}

/// The token ring: no token, a token somewhere on the line, or one station that sends; the others are idle or not.
pub(super) fn token_ring(n: u64) -> States {
    States::ONE.times_power(2, n - 1).times(3 * n + 2)
}

/// The distributed database: nothing happens, or each site but one has its message sent, received or acknowledged.
pub(super) fn database(n: u64) -> States {
    States::ONE.times_power(3, n - 1).times(n).plus(States::ONE)
}

/// In how many ways tokens go into places (at most five of these).
fn spread(tokens: u64, places: u64) -> u128 {
    (1..u128::from(places)).fold(1, |ways, i| ways * (u128::from(tokens) + i) / i)
}
