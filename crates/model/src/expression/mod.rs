//! Integer and boolean expressions over variables of any kind `V`.
//!
//! Arithmetic is that of C on 32 bits: it wraps. A division by zero and an index out of range have no value; what that
//! means is for those who evaluate to say.

mod map;
mod parts;
pub(crate) mod simplify;

pub use parts::{Part, Parts};

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Integer<V> {
    /// A number.
    Constant(i32),
    /// The value of a variable.
    Variable(V),
    /// The element of an array whose first element is the variable `first`, with the index that an expression gives.
    Element {
        /// Element 0.
        first: V,
        /// How many elements there are.
        length: u32,
        /// Which one is meant.
        index: Box<Integer<V>>,
    },
    /// All of them added up (0 if there is none).
    Sum(Vec<Integer<V>>),
    /// An operator on one operand.
    Unary(UnaryOperator, Box<Integer<V>>),
    /// An operator on two operands.
    Binary(BinaryOperator, Box<Integer<V>>, Box<Integer<V>>),
    /// 1 if it holds, 0 if not.
    Truth(Box<Boolean<V>>),
}

/// Operators on one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `-a`
    Minus,
    /// `~a`
    BitNot,
}

/// Operators on two integers. Sums are [`Integer::Sum`], differences sums with [`UnaryOperator::Minus`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `a * b`
    Multiply,
    /// `a / b`, towards zero
    Divide,
    /// `a % b`, with the sign of `a`
    Remainder,
    /// `a ** b`
    Power,
    /// `a & b`
    BitAnd,
    /// `a | b`
    BitOr,
    /// `a ^ b`
    BitXor,
    /// `a << b`
    ShiftLeft,
    /// `a >> b`
    ShiftRight,
}

impl BinaryOperator {
    /// Its value, as in C on 32 bits: arithmetic wraps, and of the bits to shift by the lowest five count. A negative power
    /// is 1 divided by the positive one, rounded towards zero. Nothing where something is divided by zero.
    pub fn calculate(self, left: i32, right: i32) -> Option<i32> {
        Some(match self {
            BinaryOperator::Multiply => left.wrapping_mul(right),
            BinaryOperator::Divide | BinaryOperator::Remainder if right == 0 => return None,
            BinaryOperator::Divide => left.wrapping_div(right),
            BinaryOperator::Remainder => left.wrapping_rem(right),
            BinaryOperator::Power => match (u32::try_from(right), left) {
                (Ok(exponent), _) => left.wrapping_pow(exponent),
                (Err(_), 0) => return None,
                (Err(_), 1) => 1,
                (Err(_), -1) if right % 2 == 0 => 1,
                (Err(_), -1) => -1,
                (Err(_), _) => 0,
            },
            BinaryOperator::BitAnd => left & right,
            BinaryOperator::BitOr => left | right,
            BinaryOperator::BitXor => left ^ right,
            BinaryOperator::ShiftLeft => left.wrapping_shl(right as u32),
            BinaryOperator::ShiftRight => left.wrapping_shr(right as u32),
        })
    }
}

/// A boolean expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Boolean<V> {
    /// True or false.
    Constant(bool),
    /// A comparison of two integers.
    Compare(Comparison, Integer<V>, Integer<V>),
    /// Negation.
    Not(Box<Boolean<V>>),
    /// All of them hold (true if there is none).
    And(Vec<Boolean<V>>),
    /// One of them holds (false if there is none).
    Or(Vec<Boolean<V>>),
}

/// Comparisons of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
    /// `a < b`
    Less,
    /// `a <= b`
    LessOrEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterOrEqual,
}

impl Comparison {
    /// Whether it holds between two numbers.
    pub fn holds<T: Ord>(self, a: &T, b: &T) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::Less => a < b,
            Comparison::LessOrEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterOrEqual => a >= b,
        }
    }

    /// The comparison that holds exactly where this one does not.
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::GreaterOrEqual,
            Comparison::LessOrEqual => Comparison::Greater,
            Comparison::Greater => Comparison::LessOrEqual,
            Comparison::GreaterOrEqual => Comparison::Less,
        }
    }

    /// The comparison with its sides exchanged: `a < b` is `b > a`.
    pub fn mirrored(self) -> Comparison {
        match self {
            Comparison::Equal | Comparison::NotEqual => self,
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        }
    }

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }
}
