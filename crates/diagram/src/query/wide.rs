//! Non-negative floating-point numbers of 128 significant bits with an exponent of 64 bits, and
//! binary logarithms and powers to the same precision.
//!
//! They hold logarithms of numbers of states. Such a logarithm is at least 64 where it is computed
//! with, so its last bit is worth at least 2^-121, and a fixed-point evaluation of
//! `log2(1 + 2^-d)` to about 2^-125 loses nothing.
//!
//! Sums, products, logarithms and powers are rounded down, and so are the constants: a result is a
//! lower bound, which spares the callers one of the two directions in which an estimated decimal
//! exponent can be wrong. (Distances are rounded up, which makes the logarithm of a sum a lower
//! bound.)

use std::fmt;

/// ln 2 as a fraction of 2^128.
const LN_2: u128 = 0xb172_17f7_d1cf_79ab_c9e3_b398_03f2_f6af;
const TOP: u128 = 1 << 127;

/// The number `mant / 2^127 * 2^exp`, with the highest bit of `mant` set; or zero, with `mant` 0
/// and the least exponent. The order of the fields makes the derived order the numeric one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wide {
    exp: i64,
    mant: u128,
}

impl Wide {
    pub(crate) const ZERO: Wide = Wide { exp: i64::MIN, mant: 0 };
    pub(crate) const ONE: Wide = Wide { exp: 0, mant: TOP };
    pub(crate) const TENTH: Wide = Wide { exp: -4, mant: 0xcccc_cccc_cccc_cccc_cccc_cccc_cccc_cccc };
    pub(crate) const LOG10_2: Wide = Wide { exp: -2, mant: 0x9a20_9a84_fbcf_f798_8f89_59ac_0b7c_9178 };
    pub(crate) const LOG2_10: Wide = Wide { exp: 1, mant: 0xd49a_784b_cd1b_8afe_492b_f6ff_4daf_db4c };

    /// The number `whole + frac / 2^128`.
    pub(crate) fn from_parts(whole: u128, frac: u128) -> Wide {
        match (whole, frac) {
            (0, 0) => Wide::ZERO,
            (0, _) => {
                let zeros = frac.leading_zeros();
                Wide { exp: -1 - i64::from(zeros), mant: frac << zeros }
            }
            _ => {
                let zeros = whole.leading_zeros();
                let low = frac.checked_shr(128 - zeros).unwrap_or(0);
                Wide { exp: 127 - i64::from(zeros), mant: whole << zeros | low }
            }
        }
    }

    /// The whole part, and the fractional part times 2^128; `None` from 2^128 on.
    pub(crate) fn split(self) -> Option<(u128, u128)> {
        match self.exp {
            128.. => None,
            0..128 => {
                let whole_bits = self.exp as u32 + 1;
                let frac = self.mant.checked_shl(whole_bits).unwrap_or(0);
                Some((self.mant >> (128 - whole_bits), frac))
            }
            exp => {
                let shift = u32::try_from(-1 - exp).unwrap_or(u32::MAX);
                Some((0, self.mant.checked_shr(shift).unwrap_or(0)))
            }
        }
    }

    /// The sum; `None` if its exponent does not fit.
    pub(crate) fn add(self, other: Wide) -> Option<Wide> {
        let (big, small) = if self < other { (other, self) } else { (self, other) };
        let (mant, carry) = big.mant.overflowing_add(small.mant_at(big.exp));
        if carry {
            Some(Wide { exp: big.exp.checked_add(1)?, mant: mant >> 1 | TOP })
        } else {
            Some(Wide { exp: big.exp, mant })
        }
    }

    /// The distance between two numbers.
    pub(crate) fn distance(self, other: Wide) -> Wide {
        let (big, small) = if self < other { (other, self) } else { (self, other) };
        let mant = big.mant - small.mant_at(big.exp);
        if mant == 0 {
            return Wide::ZERO;
        }
        let zeros = mant.leading_zeros();
        Wide { exp: big.exp.saturating_sub(i64::from(zeros)), mant: mant << zeros }
    }

    /// The mantissa as it is at a larger exponent.
    fn mant_at(self, exp: i64) -> u128 {
        u32::try_from(exp.abs_diff(self.exp)).map_or(0, |d| self.mant.checked_shr(d).unwrap_or(0))
    }

    /// The product; an exponent that does not fit is cut off, which only products with constants
    /// far beyond any use could notice.
    pub(crate) fn mul(self, other: Wide) -> Wide {
        if self.mant == 0 || other.mant == 0 {
            return Wide::ZERO;
        }
        let exp = self.exp.saturating_add(other.exp);
        match mul_mant(self.mant, other.mant) {
            (mant, true) => Wide { exp: exp.saturating_add(1), mant },
            (mant, false) => Wide { exp, mant },
        }
    }

    /// The `n`-th power; its relative error grows to about n * 2^-126.
    pub(crate) fn pow(self, n: u64) -> Wide {
        // From the highest bit down, so that no intermediate result is more extreme than the last.
        (0..u64::BITS - n.leading_zeros()).rev().fold(Wide::ONE, |power, bit| {
            let square = power.mul(power);
            if n >> bit & 1 == 1 { square.mul(self) } else { square }
        })
    }

    /// The binary logarithm of a number of at least 1; 0 for smaller ones.
    pub(crate) fn log2(self) -> Wide {
        match u128::try_from(self.exp) {
            Ok(exp) => Wide::from_parts(exp, log2_mant(self.mant, 128)),
            Err(_) => Wide::ZERO,
        }
    }

    /// 2 to the power of this number, which must be below 2^63 (more is cut off).
    pub(crate) fn exp2(self) -> Wide {
        let (whole, frac) = self.split().unwrap_or((u128::MAX, 0));
        Wide { exp: i64::try_from(whole).unwrap_or(i64::MAX), mant: exp2_frac(frac) }
    }

    /// `log2(2^self + 2^other)`; `None` if its exponent does not fit. Terms below 2^-126 are
    /// dropped, so the numbers should be large compared to that.
    pub(crate) fn log2_of_sum(self, other: Wide) -> Option<Wide> {
        let max = self.max(other);
        let ratio = match self.distance(other).split() {
            Some((0, 0)) => return max.add(Wide::ONE),
            Some((whole @ 0..127, 0)) => TOP >> whole,
            Some((whole @ 0..127, frac)) => exp2_frac(frac.wrapping_neg()) >> (whole + 1),
            _ => return Some(max),
        };
        // The last bit of the larger number is worth 2^(exp - 127): smaller parts do not count.
        let bits = u32::try_from(130 - max.exp.clamp(2, 130)).unwrap_or(0);
        if bits == 0 {
            return Some(max);
        }
        // The distance is positive here, so the ratio is below 1 and leaves the highest bit free.
        max.add(Wide::from_parts(0, log2_mant(TOP | ratio, bits)))
    }

    /// Whether this is larger than a whole number.
    pub(crate) fn exceeds(self, n: usize) -> bool {
        self > Wide::from(n as u128)
    }

    /// The nearest `f64`, or `None` if there is none.
    pub(crate) fn to_f64(self) -> Option<f64> {
        match self.exp {
            1024.. => None,
            // 127 less than the exponent is still that of a normal number.
            -895..1024 => {
                let scale = f64::from_bits(((self.exp - 127 + 1023) as u64) << 52);
                Some(self.mant as f64 * scale).filter(|value| value.is_finite())
            }
            _ => Some(0.0),
        }
    }

    /// The nearest whole number, halves upwards; `None` from 2^128 on.
    pub(crate) fn round(self) -> Option<u128> {
        let (whole, frac) = self.split()?;
        whole.checked_add(frac >> 127)
    }
}

impl From<u128> for Wide {
    fn from(n: u128) -> Wide {
        Wide::from_parts(n, 0)
    }
}

/// 17 significant digits, in scientific notation from 10^17 on; fewer below 0.1. Zero is `0`.
impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: usize = 17;
        if *self == Wide::ZERO {
            return f.pad_integral(true, "", "0");
        }
        // The power of ten of the first digit; too small by one for a power of ten itself and for
        // what is rounded up to one.
        let mut exponent = match *self < Wide::ONE {
            true => -1,
            false => self.log2().mul(Wide::LOG10_2).split().map_or(0, |(whole, _)| whole as i64),
        };
        let digits = loop {
            let shift = DIGITS as i64 - 1 - exponent;
            let power = match u32::try_from(shift) {
                Ok(shift) => Wide::from(10u128.pow(shift)),
                Err(_) => Wide::TENTH.pow(shift.unsigned_abs()),
            };
            let digits = format!("{:0DIGITS$}", self.mul(power).round().unwrap_or(0));
            if digits.len() <= DIGITS {
                break digits;
            }
            exponent += 1;
        };
        let text = match exponent {
            -1 => format!("0.{digits}"),
            0..16 => {
                let (whole, frac) = digits.split_at(exponent as usize + 1);
                format!("{whole}.{frac}")
            }
            16 => digits,
            _ => scientific(&digits, exponent),
        };
        f.pad_integral(true, "", &text)
    }
}

/// Decimal digits, of which all but the first are decimals, in scientific notation.
pub(crate) fn scientific(digits: &str, exponent: impl fmt::Display) -> String {
    match digits.split_at(1) {
        (first, "") => format!("{first}e{exponent}"),
        (first, rest) => format!("{first}.{rest}e{exponent}"),
    }
}

/// The 256-bit product, high half first.
fn mul_full(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a0 * b0;
    let mid = a1 * b0 + (low >> 64);
    let mid2 = a0 * b1 + (mid & LOW);
    (a1 * b1 + (mid >> 64) + (mid2 >> 64), mid2 << 64 | low & LOW)
}

/// The product of two mantissas in [1, 2) as a mantissa, and whether it was halved for that.
fn mul_mant(a: u128, b: u128) -> (u128, bool) {
    let (high, low) = mul_full(a, b);
    if high & TOP != 0 { (high, true) } else { (high << 1 | low >> 127, false) }
}

/// The binary logarithm, times 2^128, of a mantissa in [1, 2).
///
/// Only the first `bits` bits of it: the rest is 0.
///
/// Squaring doubles a logarithm and so brings up its next bit. What the k-th squaring loses is
/// worth 2^-k of itself, so all of them together lose no more than about two units of 2^-127.
fn log2_mant(mut mant: u128, bits: u32) -> u128 {
    let log = (0..bits).fold(0, |log, _| {
        let (square, halved) = mul_mant(mant, mant);
        mant = square;
        log << 1 | u128::from(halved)
    });
    log << (128 - bits)
}

/// The mantissa, in [1, 2), of 2 to the power of `frac / 2^128`.
fn exp2_frac(frac: u128) -> u128 {
    let x = mul_full(frac, LN_2).0;
    // Horner's rule for the exponential series; its 33rd term is below 2^-138.
    (1..=32).rev().fold(TOP, |sum, k| TOP + mul_full(x, sum).0 / k)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: u128, b: u128) {
        assert!(a <= b && b - a < 16, "{a:#x} {b:#x}");
    }

    #[test]
    fn logarithms_and_powers() {
        // From mpmath, rounded down.
        close(log2_mant(3 << 126, 128), 0x95c0_1a39_fbd6_879f_a00b_120a_068b_add1);
        close(log2_mant(u128::MAX, 128), u128::MAX - 1);
        assert_eq!(log2_mant(TOP, 128), 0);
        close(exp2_frac(1 << 127), 0xb504_f333_f9de_6484_597d_89b3_754a_be9f);
        close(exp2_frac(3 << 126), 0xd744_fcca_d69d_6af4_39a6_8bb9_902d_3fde);
        close(exp2_frac(u128::MAX), u128::MAX);
        assert_eq!(exp2_frac(0), TOP);
    }

    #[test]
    fn parts() {
        for whole in [0, 1, 5, u128::MAX] {
            for frac in [0, 1, 1 << 127, u128::MAX] {
                let (w, f) = Wide::from_parts(whole, frac).split().unwrap();
                let kept = 128 - u32::min(128, 128 - whole.leading_zeros());
                let mask = u128::MAX.checked_shl(128 - kept).unwrap_or(0);
                assert_eq!((w, f), (whole, frac & mask));
            }
        }
    }

    #[test]
    fn extremes_do_not_panic() {
        let mut values = vec![Wide::ZERO, Wide::ONE, Wide::TENTH, Wide::LOG2_10];
        for exp in [i64::MIN, i64::MIN + 1, -1000, -895, -128, -1, 0, 1, 126, 127, 128, 1023, 1024] {
            values.extend([exp, -(exp + 1)].map(|exp| Wide { exp, mant: TOP }));
            values.extend([exp, -(exp + 1)].map(|exp| Wide { exp, mant: u128::MAX }));
        }
        for &a in &values {
            let _ = (a.split(), a.round(), a.to_f64(), a.log2(), a.exp2(), a.pow(u64::MAX));
            for &b in &values {
                let _ = (a.mul(b), a.distance(b), a.log2_of_sum(b));
                assert_eq!(a.add(b), b.add(a));
                assert!(a.add(b).is_none_or(|sum| sum >= a && sum >= b));
            }
        }
    }

    #[test]
    fn arithmetic() {
        let wide = |n: u128| Wide::from(n);
        assert_eq!(wide(7).add(wide(9)), Some(wide(16)));
        assert_eq!(wide(7).distance(wide(9)), wide(2));
        assert_eq!(wide(1 << 100).mul(wide(10)), wide(10 << 100));
        assert_eq!(wide(5).pow(55), wide(5u128.pow(55)));
        assert_eq!(wide(1 << 100).log2(), wide(100));
        assert_eq!(wide(100).exp2(), wide(1 << 100));
        assert_eq!(wide(100).log2_of_sum(wide(100)), Some(wide(101)));
        assert_eq!(Wide::from_parts(2, 1 << 127).to_f64(), Some(2.5));
    }

    #[test]
    fn display() {
        let (most, half) = (10u128.pow(17) - 1, 1 << 127);
        assert_eq!(Wide::from(most).to_string(), "99999999999999999");
        assert_eq!(Wide::from_parts(most, half).to_string(), "1.0000000000000000e17");
        assert_eq!(Wide::from_parts(most / 10, half).to_string(), "9999999999999999.5");
        assert_eq!(Wide::from_parts(0, half).to_string(), "0.50000000000000000");
    }
}
