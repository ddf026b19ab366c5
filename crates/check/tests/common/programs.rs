//! Random programs with any expressions: an array in the middle, and variables around it.

use super::build;
use super::random::Random;
use mandala_model::expression::{BinaryOperator, Boolean, Comparison, Integer, UnaryOperator};
use mandala_model::system::{Array, Program, ProgramTransition};

/// How many variables a program has.
pub const VARIABLES: u32 = 6;
/// Where its array begins.
pub const FIRST: u32 = 2;
/// How many elements the array has.
pub const LENGTH: u32 = 3;

/// Any variable, elements included.
pub fn variable(random: &mut Random) -> u32 {
    random.below(VARIABLES as usize) as u32
}

/// Any value.
pub fn integer(random: &mut Random, depth: usize) -> Integer<u32> {
    let inner = |random: &mut Random| Box::new(integer(random, depth.saturating_sub(1)));
    match random.below(if depth == 0 { 4 } else { 12 }) {
        0 | 1 => Integer::Variable(variable(random)),
        2 | 3 => Integer::Constant(random.between(-1, 3)),
        4 | 5 => Integer::Element { first: FIRST, length: LENGTH, index: inner(random) },
        6 | 7 => Integer::Sum((0..2).map(|_| *inner(random)).collect()),
        8 => Integer::Unary(*random.choose(&[UnaryOperator::Minus, UnaryOperator::BitNot]), inner(random)),
        9 => Integer::Truth(Box::new(boolean(random, depth - 1))),
        _ => {
            use BinaryOperator::*;
            let all = [Multiply, Divide, Remainder, Power, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight];
            Integer::Binary(*random.choose(&all), inner(random), inner(random))
        }
    }
}

/// Any condition.
pub fn boolean(random: &mut Random, depth: usize) -> Boolean<u32> {
    use Comparison::*;
    let comparisons = [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual];
    match random.below(if depth == 0 { 4 } else { 7 }) {
        0..4 => Boolean::Compare(*random.choose(&comparisons), integer(random, depth), integer(random, depth)),
        4 => Boolean::Not(Box::new(boolean(random, depth - 1))),
        5 => Boolean::And((0..2).map(|_| boolean(random, depth - 1)).collect()),
        _ => Boolean::Or((0..2).map(|_| boolean(random, depth - 1)).collect()),
    }
}

/// A value from 0 to 3, mostly.
pub fn small(random: &mut Random) -> Integer<u32> {
    let value = integer(random, 2);
    if random.percent(5) {
        return value;
    }
    Integer::Binary(BinaryOperator::BitAnd, Box::new(value), Box::new(Integer::Constant(3)))
}

/// A program with the array and so many transitions.
pub fn with_array(name: &str, values: &[i32], transitions: Vec<ProgramTransition>) -> Program {
    let mut program = build::program(name, values, transitions);
    program.arrays = vec![Array { name: "t".to_owned(), first: FIRST, length: LENGTH }];
    for place in 0..LENGTH {
        program.variables[(FIRST + place) as usize].name = format!("t[{place}]");
    }
    program
}
