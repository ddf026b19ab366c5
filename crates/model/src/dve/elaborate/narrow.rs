//! Values cut to a type: the low 8 bits, or the low 16 with a sign.

use super::super::syntax::Width;
use super::fold::{self, Number};
use crate::expression::{BinaryOperator, Integer};

/// A value as it is stored.
pub(super) fn cut(width: Width, value: Number) -> Number {
    let low = |value, mask| fold::binary(BinaryOperator::BitAnd, value, Integer::Constant(mask));
    match width {
        Width::Byte => low(value, 0xff),
        Width::Int => {
            let turned = fold::binary(BinaryOperator::BitXor, low(value, 0xffff), Integer::Constant(0x8000));
            fold::sum(vec![turned, Integer::Constant(-0x8000)])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_bits_are_kept() {
        let stored = |width, value| cut(width, Integer::Constant(value));
        assert_eq!(stored(Width::Byte, 256), Integer::Constant(0));
        assert_eq!(stored(Width::Byte, -1), Integer::Constant(255));
        assert_eq!(stored(Width::Int, 32767), Integer::Constant(32767));
        assert_eq!(stored(Width::Int, 32768), Integer::Constant(-32768));
        assert_eq!(stored(Width::Int, -32769), Integer::Constant(32767));
        assert_eq!(stored(Width::Int, -5), Integer::Constant(-5));
    }
}
