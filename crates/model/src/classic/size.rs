//! Sizes of any length: `100`, `2^20000`, or a decimal number of thousands of digits.
//!
//! Only the binary digits are kept: a recursively folded model needs nothing else.

use super::GenerateError;
use super::error::shortened;
use std::fmt;
use std::str::FromStr;

/// The greatest power of two that is a size; a recursively folded model has one type per binary digit.
const MOST_BITS: usize = 100_000;
/// A decimal number this long has fewer binary digits than [`MOST_BITS`].
const MOST_DECIMALS: usize = 30_000;

/// The size of a model: a number of any length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    written: String,
    /// The least significant first; the last one is always true.
    digits: Vec<bool>,
}

impl Size {
    /// Its binary digits, the least significant first and the most significant always true. 0 has none.
    pub fn digits(&self) -> &[bool] {
        &self.digits
    }

    /// As a number, if it is that small.
    pub fn to_u64(&self) -> Option<u64> {
        if self.digits.len() > 64 {
            return None;
        }
        Some(self.digits.iter().rev().fold(0, |number, &digit| number << 1 | u64::from(digit)))
    }
}

impl From<u64> for Size {
    fn from(number: u64) -> Size {
        let digits = (0..u64::BITS - number.leading_zeros()).map(|place| number >> place & 1 == 1).collect();
        Size { written: number.to_string(), digits }
    }
}

/// As it was given.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl FromStr for Size {
    type Err = GenerateError;

    fn from_str(text: &str) -> Result<Size, GenerateError> {
        let wrong = |reason: String| GenerateError::NotASize { text: shortened(text), reason };
        let digits = match text.split_once('^') {
            Some(("2", exponent)) => power_of_two(exponent).map_err(wrong)?,
            Some((_, _)) => return Err(wrong("only powers of 2 can be written as powers".to_owned())),
            None => decimal(text).map_err(wrong)?,
        };
        Ok(Size { written: text.to_owned(), digits })
    }
}

fn power_of_two(exponent: &str) -> Result<Vec<bool>, String> {
    if !is_number(exponent) {
        return Err("the exponent is not a number".to_owned());
    }
    // A number that does not fit is too large as well.
    let exponent = exponent.parse().unwrap_or(usize::MAX);
    if exponent > MOST_BITS {
        return Err(format!("the greatest power of two is 2^{MOST_BITS}"));
    }
    let mut digits = vec![false; exponent];
    digits.push(true);
    Ok(digits)
}

fn decimal(text: &str) -> Result<Vec<bool>, String> {
    if text.starts_with('-') {
        return Err("it is negative".to_owned());
    }
    if !is_number(text) {
        return Err("it is not a number".to_owned());
    }
    if text.len() > MOST_DECIMALS {
        return Err(format!("it has {} digits, and at most {MOST_DECIMALS} are read", text.len()));
    }
    let mut number = Vec::new();
    for piece in text.as_bytes().chunks(9) {
        let value = piece.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        multiply_and_add(&mut number, 10u32.pow(piece.len() as u32), value);
    }
    let words = number.iter();
    let mut digits: Vec<bool> =
        words.flat_map(|word| (0..u32::BITS).map(move |place| word >> place & 1 == 1)).collect();
    let length = digits.iter().rposition(|&digit| digit).map_or(0, |last| last + 1);
    digits.truncate(length);
    Ok(digits)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `number * factor + summand`, on words of 32 bits, the least significant first.
fn multiply_and_add(number: &mut Vec<u32>, factor: u32, summand: u32) {
    let mut carry = u64::from(summand);
    for word in number.iter_mut() {
        let sum = u64::from(*word) * u64::from(factor) + carry;
        *word = sum as u32;
        carry = sum >> u32::BITS;
    }
    if carry > 0 {
        number.push(carry as u32);
    }
}
