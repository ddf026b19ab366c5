//! Exact fractions of machine integers. What does not fit is nothing: a proof that needs larger numbers is no proof.

use std::cmp::Ordering;

/// A fraction in lowest terms, its denominator positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rational {
    over: i128,
    under: i128,
}

impl From<i64> for Rational {
    fn from(number: i64) -> Rational {
        Rational { over: number.into(), under: 1 }
    }
}

impl Rational {
    pub(super) const ZERO: Rational = Rational { over: 0, under: 1 };
    pub(super) const ONE: Rational = Rational { over: 1, under: 1 };

    fn new(over: i128, under: i128) -> Option<Rational> {
        let divisor = gcd(over.unsigned_abs(), under.unsigned_abs());
        let divisor = i128::try_from(divisor).ok().filter(|divisor| *divisor > 0)?;
        let sign = if under < 0 { -1 } else { 1 };
        Some(Rational { over: (over / divisor).checked_mul(sign)?, under: (under / divisor).checked_mul(sign)? })
    }

    pub(super) fn is_zero(self) -> bool {
        self.over == 0
    }

    pub(super) fn is_positive(self) -> bool {
        self.over > 0
    }

    pub(super) fn is_negative(self) -> bool {
        self.over < 0
    }

    /// The integer that it is.
    pub(super) fn integer(self) -> Option<i64> {
        (self.under == 1).then(|| i64::try_from(self.over).ok()).flatten()
    }

    pub(super) fn negated(self) -> Rational {
        Rational { over: -self.over, under: self.under }
    }

    pub(super) fn plus(self, other: Rational) -> Option<Rational> {
        if self.under == 1 && other.under == 1 {
            return Some(Rational { over: self.over.checked_add(other.over)?, under: 1 });
        }
        let over = self.over.checked_mul(other.under)?.checked_add(other.over.checked_mul(self.under)?)?;
        Rational::new(over, self.under.checked_mul(other.under)?)
    }

    pub(super) fn minus(self, other: Rational) -> Option<Rational> {
        self.plus(other.negated())
    }

    pub(super) fn times(self, other: Rational) -> Option<Rational> {
        if self.under == 1 && other.under == 1 {
            return Some(Rational { over: self.over.checked_mul(other.over)?, under: 1 });
        }
        Rational::new(self.over.checked_mul(other.over)?, self.under.checked_mul(other.under)?)
    }

    /// Nothing if the other is zero, too.
    pub(super) fn divided_by(self, other: Rational) -> Option<Rational> {
        Rational::new(self.over.checked_mul(other.under)?, self.under.checked_mul(other.over)?)
    }

    pub(super) fn compare(self, other: Rational) -> Option<Ordering> {
        Some(self.minus(other)?.over.cmp(&0))
    }
}

fn gcd(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
