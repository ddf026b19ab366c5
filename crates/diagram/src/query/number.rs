//! Numbers of states, however large.
//!
//! A diagram may have a handful of states, a number of states with 100,000 digits, one like
//! 10^(0.627 * 2^20000), or infinitely many. A [`Count`] is therefore kept in one of three forms:
//!
//! - *exact*, while it has at most [`Exactness::max_bits`] bits;
//! - *huge* beyond that: only its binary logarithm is kept, to 128 significant bits. A huge number
//!   stays huge, whatever is added to it or multiplied with it (except zero);
//! - *infinite*.
//!
//! Each operation on huge numbers costs the logarithm fewer than 4 units in its last bit, and the
//! errors of operands do not add up but at worst carry over: what counts is the longest chain of
//! operations. [`Count`]'s `Display` takes 100 bits of the logarithm for known, which is right for
//! chains of up to 2^25 operations.
//!
//! The logarithm itself has an exponent of 64 bits. A number with a logarithm beyond 2^(2^63)
//! becomes infinite; that takes some 2^63 squarings, so nothing but a test will see it.

use super::wide::{Wide, scientific};
use dashu_int::{UBig, ops::BitTest};
use std::fmt;

/// Up to how many bits a number is kept exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exactness {
    /// A result with more bits than this is kept as a logarithm only. Results of up to 64 bits
    /// are exact in any case.
    pub max_bits: usize,
}

impl Default for Exactness {
    fn default() -> Exactness {
        Exactness { max_bits: 1 << 20 }
    }
}

impl Exactness {
    // At least 64, so that the logarithm of a huge number is large enough to ignore terms that
    // are small in absolute value (see `Wide::log2_of_sum`).
    fn limit(&self) -> usize {
        self.max_bits.max(64)
    }
}

/// A number of states: exact, or huge and known by its logarithm, or infinite.
///
/// Equality is that of what is known: two exact numbers are equal if they are the same number, two
/// huge ones if their approximate logarithms agree to the last bit, and an exact number never
/// equals a huge one.
///
/// # Display
///
/// Numbers below 10^9 are printed in full and larger ones as `4.969e62`, rounded to the nearest
/// (halves of exact numbers upwards), with three decimals or as many as the format's precision
/// says (`{:.5}`), but never more than an exact number has or than are known. If a huge number's
/// exponent is not known to the last digit, its logarithm is printed instead:
/// `10^(2.4954859932116190e6020)`. Infinity is `inf`. The alternate form `{:#}` prints all digits
/// of an exact number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count(Form);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Exact(UBig),
    /// The binary logarithm, at least 64 up to rounding.
    Huge(Wide),
    Infinite,
}

use Form::{Exact, Huge, Infinite};

impl Count {
    /// No states.
    pub fn zero() -> Count {
        Count(Exact(UBig::ZERO))
    }

    /// One state.
    pub fn one() -> Count {
        Count(Exact(UBig::ONE))
    }

    /// Infinitely many states.
    pub fn infinite() -> Count {
        Count(Infinite)
    }

    /// Whether there are no states at all.
    pub fn is_zero(&self) -> bool {
        matches!(&self.0, Exact(n) if n.is_zero())
    }

    /// Whether there are infinitely many states (or more than a huge number can express).
    pub fn is_infinite(&self) -> bool {
        self.0 == Infinite
    }

    /// The number itself, if it is known exactly.
    pub fn exact(&self) -> Option<&UBig> {
        match &self.0 {
            Exact(n) => Some(n),
            _ => None,
        }
    }

    /// The sum.
    pub fn add(&self, other: &Count, precision: &Exactness) -> Count {
        match (&self.0, &other.0) {
            (Exact(a), Exact(b)) => Count::from_exact(a + b, precision),
            (a, b) => Count(a.add_inexact(b)),
        }
    }

    /// Adds `other` to this number, reusing its memory.
    pub fn add_assign(&mut self, other: &Count, precision: &Exactness) {
        match (&mut self.0, &other.0) {
            (Exact(a), Exact(b)) => {
                *a += b;
                if a.bit_len() > precision.limit() {
                    self.0 = Form::huge(Some(log2(a)));
                }
            }
            (a, b) => *a = a.add_inexact(b),
        }
    }

    /// The product, where zero times infinity is zero.
    pub fn mul(&self, other: &Count, precision: &Exactness) -> Count {
        if self.is_zero() || other.is_zero() {
            return Count::zero();
        }
        match (&self.0, &other.0) {
            // A product has as many bits as its factors together, or one less: what is computed
            // here exceeds the limit by one bit at most.
            (Exact(a), Exact(b)) if a.bit_len().saturating_add(b.bit_len()) <= precision.limit().saturating_add(1) => {
                Count::from_exact(a * b, precision)
            }
            (Exact(one), _) if one.is_one() => other.clone(),
            (_, Exact(one)) if one.is_one() => self.clone(),
            (a, b) => {
                let log = a.log2().zip(b.log2()).and_then(|(a, b)| a.add(b));
                Count(Form::huge(log))
            }
        }
    }

    /// The number, if it is exact and not too large.
    pub fn to_u64(&self) -> Option<u64> {
        self.exact().and_then(|n| u64::try_from(n).ok())
    }

    /// The decimal logarithm; `None` for zero and infinity.
    pub fn log10(&self) -> Option<Log10> {
        self.0.log2().map(|log| Log10(log.mul(Wide::LOG10_2)))
    }

    fn from_exact(n: UBig, precision: &Exactness) -> Count {
        Count(if n.bit_len() > precision.limit() { Form::huge(Some(log2(&n))) } else { Exact(n) })
    }
}

impl PartialEq<u64> for Count {
    fn eq(&self, other: &u64) -> bool {
        self.to_u64() == Some(*other)
    }
}

impl From<UBig> for Count {
    fn from(n: UBig) -> Count {
        Count(Exact(n))
    }
}

impl From<u64> for Count {
    fn from(n: u64) -> Count {
        Count(Exact(UBig::from(n)))
    }
}

impl Form {
    /// The number with this binary logarithm, which is infinite if there is none.
    fn huge(log2: Option<Wide>) -> Form {
        log2.map_or(Infinite, Huge)
    }

    /// The binary logarithm; `None` for zero and infinity.
    fn log2(&self) -> Option<Wide> {
        match self {
            Exact(n) if n.is_zero() => None,
            Exact(n) => Some(log2(n)),
            Huge(log) => Some(*log),
            Infinite => None,
        }
    }

    /// The sum, of which at least one part is not exact.
    fn add_inexact(&self, other: &Form) -> Form {
        match (self, other) {
            (Infinite, _) | (_, Infinite) => Infinite,
            // Nothing changes, and a logarithm is spared.
            (Huge(log), Exact(n)) | (Exact(n), Huge(log)) if log.exceeds(n.bit_len() + 128) => Huge(*log),
            (a, b) => match (a.log2(), b.log2()) {
                (Some(a), Some(b)) => Form::huge(a.log2_of_sum(b)),
                (None, _) => b.clone(),
                (_, None) => a.clone(),
            },
        }
    }
}

/// The binary logarithm of a number; 0 for zero.
fn log2(n: &UBig) -> Wide {
    // What the shift cuts off is below 2^-127 of the number, as good as the logarithm gets.
    let cut = n.bit_len().saturating_sub(128);
    let top = u128::try_from(n >> cut).unwrap_or(u128::MAX);
    let (whole, frac) = Wide::from(top).log2().split().unwrap_or_default();
    Wide::from_parts(whole + cut as u128, frac)
}

/// How many bits of a huge number's logarithm are taken for right (see the module's description).
const KNOWN_BITS: u32 = 100;

/// Exact numbers with more bits than this are printed by their logarithms, too: an exact division
/// by a power of ten takes milliseconds here, but minutes when numbers are a thousand times longer.
const MAX_DIVIDED_BITS: usize = 1 << 22;

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(3);
        let text = match (&self.0, self.log10()) {
            (Infinite, _) => "inf".to_string(),
            (Exact(n), _) if f.alternate() || *n < UBig::from(1_000_000_000u32) => n.to_string(),
            (Exact(n), Some(log)) if n.bit_len() <= MAX_DIVIDED_BITS => divided(n, log, decimals),
            (_, Some(log)) => from_log(log, decimals).unwrap_or_else(|| format!("10^({log})")),
            (_, None) => "0".to_string(),
        };
        // Not `pad`, which would take the precision for a maximal width.
        f.pad_integral(true, "", &text)
    }
}

/// An exact number in scientific notation, with its logarithm as a hint.
fn divided(n: &UBig, log: Log10, decimals: usize) -> String {
    let ten = UBig::from(10u8);
    // Never too large because `Wide` rounds down, but too small by one for powers of ten, and when
    // the mantissa is rounded up to 10.
    let mut exponent = log.0.split().map_or(0, |(whole, _)| whole as usize);
    loop {
        let decimals = decimals.min(exponent);
        let unit = ten.pow(exponent - decimals);
        let digits = ((n + (&unit >> 1)) / unit).to_string();
        if digits.len() <= decimals + 1 {
            return scientific(&digits, exponent);
        }
        exponent += 1;
    }
}

/// The number with this logarithm in scientific notation; `None` if its exponent is not known.
fn from_log(log: Log10, decimals: usize) -> Option<String> {
    let (mut exponent, frac) = log.0.split()?;
    // An error of e in the logarithm is one of up to 10 * ln(10) * e in the mantissa, which is to
    // be below half a unit of the last decimal: that costs log10(46) = 1.67 decimals.
    let frac_bits = KNOWN_BITS.checked_sub(128 - exponent.leading_zeros())?;
    let known = (frac_bits * 30_103).checked_sub(167_000)? / 100_000;
    let decimals = (known as usize).min(decimals);

    let mantissa = Wide::from_parts(0, frac).mul(Wide::LOG2_10).exp2();
    let mut digits = mantissa.mul(Wide::from(10u128.pow(decimals as u32))).round()?.to_string();
    if digits.len() > decimals + 1 {
        digits.pop();
        exponent += 1;
    }
    Some(scientific(&digits, exponent))
}

/// The decimal logarithm of a number of states, of which more than 17 digits are right.
///
/// Its `Display` has 17 significant digits: `1346392620.2128079`, or `2.4954859932116190e6020` from
/// 10^17 on. A logarithm of 0 is just `0`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Log10(Wide);

impl Log10 {
    /// The nearest `f64`; `None` if it is too large for one.
    pub fn to_f64(self) -> Option<f64> {
        self.0.to_f64()
    }
}

impl fmt::Display for Log10 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Exactness = Exactness { max_bits: 64 };
    const LONG: Exactness = Exactness { max_bits: usize::MAX };

    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *state >> 33
    }

    fn log(n: &Count) -> String {
        n.log10().unwrap().to_string()
    }

    /// Compares logarithms to 30 digits, about `KNOWN_BITS`.
    fn assert_close(a: &[Count], b: &[Count]) {
        for (a, b) in a.iter().zip(b) {
            let (a, b) = (a.0.log2().unwrap(), b.0.log2().unwrap());
            assert!(a.distance(b) <= a.mul(Wide::TENTH.pow(30)), "{a:?} {b:?}");
        }
    }

    /// n^(2^k)
    fn squared(n: u64, k: u32, precision: &Exactness) -> Count {
        (0..k).fold(Count::from(n), |n, _| n.mul(&n, precision))
    }

    fn ten_to_the(k: usize) -> UBig {
        UBig::from(10u8).pow(k)
    }

    /// The number of states of 2^k dining philosophers: the Lucas number of 3 * 2^k.
    fn philosophers(k: u32, p: &Exactness) -> Count {
        let (mut f, mut g) = (Count::from(2), Count::one());
        for _ in 0..k {
            let both = f.add(&g, p).add(&g, p).mul(&f, p);
            g = f.mul(&f, p).add(&g.mul(&g, p), p);
            f = both;
        }
        f.add(&g, p).add(&g, p)
    }

    #[test]
    fn exact_arithmetic_is_that_of_ubig() {
        let mut state = 7;
        for _ in 0..1000 {
            let [a, b, c] = [(); 3].map(|()| random(&mut state) << (random(&mut state) % 33));
            let [x, y, z] = [a, b, c].map(Count::from);
            let sum = UBig::from(a) * UBig::from(b) + UBig::from(c);
            let mut count = x.mul(&y, &LONG);
            assert_eq!(count.add(&z, &LONG).exact(), Some(&sum));
            count.add_assign(&z, &LONG);
            assert_eq!(count.exact(), Some(&sum));
            let huge = x.mul(&y, &SHORT).add(&z, &SHORT);
            assert_eq!(huge.exact().is_some(), sum.bit_len() <= 64);
        }
        assert_eq!(Exactness::default().max_bits, 1 << 20);
    }

    #[test]
    fn zero_and_infinity() {
        let (zero, one, inf) = (Count::zero(), Count::one(), Count::infinite());
        let huge = squared(3, 9, &SHORT);
        assert!(huge.exact().is_none() && !huge.is_infinite() && !huge.is_zero());
        assert!(zero.is_zero() && !one.is_zero() && inf.is_infinite() && !inf.is_zero());
        for n in [&zero, &one, &huge, &inf] {
            assert_eq!(n.add(&zero, &SHORT), *n);
            assert_eq!(zero.add(n, &SHORT), *n);
            assert_eq!(n.mul(&one, &SHORT), *n);
            assert!(n.mul(&zero, &SHORT).is_zero() && zero.mul(n, &SHORT).is_zero());
            assert!(n.add(&inf, &SHORT).is_infinite() && inf.add(n, &SHORT).is_infinite());
            assert_eq!(n.mul(&inf, &SHORT).is_infinite(), !n.is_zero());
            let mut sum = n.clone();
            sum.add_assign(&huge, &SHORT);
            assert_eq!(sum, n.add(&huge, &SHORT));
        }
        assert!(zero.log10().is_none() && inf.log10().is_none());
    }

    #[test]
    fn beyond_the_largest_exponent() {
        let end = Count(Form::huge(Some(Wide::from(2).pow(i64::MAX as u64))));
        assert_eq!(end.mul(&Count::one(), &SHORT), end);
        assert_eq!(end.add(&end, &SHORT), end);
        assert!(end.mul(&end, &SHORT).is_infinite());
        // mpmath: 2.078510218365936616...e2776511644261678565
        assert_eq!(log(&end), "2.0785102183659366e2776511644261678565");
        assert_eq!(end.log10().unwrap().to_f64(), None);
    }

    #[test]
    fn products_are_not_computed_beyond_the_limit() {
        // Two exact numbers of 2^22 bits each: 2,000 of their products would take minutes.
        let n = Count(Exact((UBig::ONE << (1 << 22)) - UBig::ONE));
        let log = n.log10().unwrap().to_f64().unwrap();
        for _ in 0..2000 {
            let square = n.mul(&n, &Exactness::default());
            assert_eq!(square.log10().unwrap().to_f64().unwrap(), 2.0 * log);
        }
    }

    #[test]
    fn chains_keep_17_digits() {
        // From exact numbers in Python with mpmath; the chain is the same there.
        for (seed, steps, a, b) in [
            (1, 60, "39.963270947927266", "39.771406424926801"),
            (1, 100000, "72499.380421315128", "72499.255482583009"),
            (2, 1000, "735.28798461287013", "735.28798461287010"),
            (2, 100000, "72178.655694037892", "72178.654212148708"),
        ] {
            let run = |p: &Exactness| {
                let (mut state, mut a, mut b) = (seed, Count::one(), Count::one());
                for _ in 0..steps {
                    let op = random(&mut state) % 4;
                    let k = Count::from(random(&mut state) % 1000 + 1);
                    match op {
                        0 => a = a.mul(&k, p),
                        1 => a.add_assign(&b, p),
                        2 => {
                            b = b.add(&a, p);
                            std::mem::swap(&mut a, &mut b);
                        }
                        _ => b = b.mul(&Count::from(3), p).add(&k, p),
                    }
                }
                [a, b]
            };
            assert_eq!(run(&SHORT).each_ref().map(log), [a, b]);
            assert_close(&run(&SHORT), &run(&LONG));
        }
    }

    #[test]
    fn random_sums_of_products() {
        for seed in 0..40 {
            let run = |p: &Exactness| {
                let (mut state, mut v) = (seed, [1, 2, 3, 5].map(Count::from));
                for _ in 0..120 {
                    let [i, j, k] = [(); 3].map(|()| random(&mut state) as usize % 4);
                    match random(&mut state) % 8 {
                        0 => v[k] = v[i].mul(&v[j], p),
                        _ => v[k] = v[i].add(&v[j], p),
                    }
                }
                v
            };
            assert_close(&run(&SHORT), &run(&LONG));
        }
    }

    #[test]
    fn squaring_recurrences() {
        for p in [SHORT, Exactness::default()] {
            assert_eq!(log(&squared(3, 31, &p)), "1024610092.6237179");
            assert_eq!(log(&squared(7, 40, &p)), "929195121606.38271");
            assert_eq!(log(&squared(3, 20000, &p)), "1.8990746801936641e6020");
            assert_eq!(log(&philosophers(31, &p)), "1346392620.2128079");
            assert_eq!(format!("{:.5}", philosophers(31, &p)), "1.63233e1346392620");
            assert_eq!(philosophers(20000, &p).to_string(), "10^(2.4954859932116190e6020)");
            let (mut c, mut d) = (Count::from(3), Count::from(5));
            for _ in 0..20000 {
                let next = c.mul(&c, &p).add(&c.mul(&d, &p), &p);
                d = d.mul(&d, &p).add(&c, &p);
                c = next;
            }
            assert_eq!(log(&c), "3.2161468048083612e6020");
            assert_eq!(log(&d), "2.8934888267742702e6020");
        }
    }

    #[test]
    fn display_of_exact_numbers() {
        let show = |n| Count(Exact(n)).to_string();
        assert_eq!(Count::zero().to_string(), "0");
        assert_eq!(format!("{:.1}", Count::from(999_999_999)), "999999999");
        assert_eq!(show(ten_to_the(9)), "1.000e9");
        assert_eq!(show(ten_to_the(20) - 1u8), "1.000e20");
        assert_eq!(show(ten_to_the(20000) - 1u8), "1.000e20000");
        assert_eq!(show(ten_to_the(20000)), "1.000e20000");
        assert_eq!(show(9_999_499_999u64.into()), "9.999e9");
        assert_eq!(show(9_999_500_000u64.into()), "1.000e10");
        let big = Count::from(12_500_000_001);
        assert_eq!(format!("{big:.0} {big:.1} {big:.99}"), "1e10 1.3e10 1.2500000001e10");
        assert_eq!(format!("{big:#} {big:#.2} {big:9.0}|"), "12500000001 12500000001      1e10|");
        assert_eq!(format!("{:#.2}", Count::infinite()), "inf");
        let (mut a, mut b) = (Count::one(), Count::from(2));
        for _ in 1..300 {
            (a, b) = (a.add(&b, &LONG), a);
        }
        assert_eq!(a.to_string(), "4.969e62");
        let long = squared(3, 22, &LONG);
        assert!(long.exact().unwrap().bit_len() > MAX_DIVIDED_BITS);
        assert_eq!(format!("{long:.9}"), format!("{:.9}", squared(3, 22, &SHORT)));
    }

    #[test]
    fn display_of_huge_numbers() {
        let show = |k| format!("{:.9}", squared(3, k, &SHORT));
        // All digits asked for here, and all known ones below, from mpmath.
        let number = squared(3, 31, &SHORT);
        assert_eq!(format!("{number:.18}"), "4.204534381585485468e1024610092");
        let number = squared(7, 40, &SHORT);
        assert_eq!(format!("{number:#.15}"), "2.413849468533655e929195121606");
        assert_eq!(show(80), "1.1406e576804203917528170433549");
        assert_eq!(show(90), "3.2e590647504811548846523954234");
        assert_eq!(show(95), "2e18900720153969563088766535504");
        assert_eq!(show(97), "10^(7.5602880615878252e28)");
        let nines = |k| Count(Form::huge(Some(log2(&(ten_to_the(k) - 1u8)))));
        assert_eq!(nines(100).to_string(), "1.000e100");
        assert_eq!(format!("{:.20}", nines(22)), "1.00000000000000000000e22");
        assert_eq!(format!("{:.20}", nines(20)), "9.99999999999999999990e19");
    }

    #[test]
    fn logarithms() {
        for (n, expected) in [
            (1, "0"),
            (2, "0.30102999566398120"),
            (7, "0.84509804001425683"),
            (10, "1.0000000000000000"),
            (1_000_000_000, "9.0000000000000000"),
            (u64::MAX, "19.265919722494796"),
        ] {
            assert_eq!(log(&Count::from(n)), expected);
        }
        assert_eq!(Count::from(1000).log10().unwrap().to_f64(), Some(3.0));
        assert_eq!(squared(3, 31, &SHORT).log10().unwrap().to_f64(), Some(1024610092.6237179));
        assert_eq!(squared(3, 20000, &SHORT).log10().unwrap().to_f64(), None);
    }
}
