//! Random formulas about systems.

use super::random::Random;
use mandala_model::expression::{Comparison, Integer, UnaryOperator};
use mandala_model::property::{self, Atom, BinaryOperator, Formula, Quantifier};
use mandala_model::system::{Location, System, Type};

/// The variables of a system.
pub fn variables(system: &System) -> Vec<Location> {
    places(system, system.main, &[], Type::variable_count)
}

/// What a system does by itself.
pub fn events(system: &System) -> Vec<Location> {
    places(system, system.main, &[], Type::event_count)
}

fn places(system: &System, index: usize, path: &[u32], own: impl Fn(&Type) -> usize + Copy) -> Vec<Location> {
    let mut all: Vec<Location> =
        (0..own(&system.types[index]) as u32).map(|index| Location { path: path.to_vec(), index }).collect();
    if let Type::Composite(composite) = &system.types[index] {
        for (place, instance) in composite.instances.iter().enumerate() {
            let path = [path, &[place as u32]].concat();
            all.extend(places(system, instance.type_index, &path, own));
        }
    }
    all
}

/// A sum of variables.
pub fn sum(random: &mut Random, variables: &[Location]) -> Integer<Location> {
    let terms = (0..1 + random.below(3)).map(|_| {
        let variable = Integer::Variable(random.choose(variables).clone());
        if random.percent(25) { Integer::Unary(UnaryOperator::Minus, Box::new(variable)) } else { variable }
    });
    let mut terms: Vec<Integer<Location>> = terms.collect();
    terms.push(Integer::Constant(random.between(-1, 2)));
    Integer::Sum(terms)
}

/// Two sums put together to what is no sum, and always has a value.
pub fn no_sum(random: &mut Random, variables: &[Location]) -> Integer<Location> {
    use mandala_model::expression::BinaryOperator::{BitAnd, BitXor, Multiply};
    let operator = *random.choose(&[Multiply, BitAnd, BitXor]);
    Integer::Binary(operator, Box::new(sum(random, variables)), Box::new(sum(random, variables)))
}

/// A formula without temporal operators.
pub fn state_formula(random: &mut Random, variables: &[Location], events: &[Location], depth: usize) -> Formula {
    use Comparison::*;
    let comparisons = [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual];
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0 | 1 => {
            Formula::Atom(Atom::Compare(*random.choose(&comparisons), sum(random, variables), sum(random, variables)))
        }
        2 if !events.is_empty() => {
            Formula::Atom(Atom::Fireable((0..1 + random.below(2)).map(|_| random.choose(events).clone()).collect()))
        }
        2 | 3 => Formula::Atom(Atom::Compare(
            GreaterOrEqual,
            sum(random, variables),
            Integer::Constant(random.between(0, 3)),
        )),
        4 => Formula::Not(Box::new(state_formula(random, variables, events, depth - 1))),
        5 => Formula::And((0..2).map(|_| state_formula(random, variables, events, depth - 1)).collect()),
        6 => Formula::Or((0..2).map(|_| state_formula(random, variables, events, depth - 1)).collect()),
        _ => Formula::Deadlock,
    }
}

/// A formula of CTL, with temporal operators as deep as this.
pub fn ctl(random: &mut Random, variables: &[Location], events: &[Location], depth: usize) -> Formula {
    use property::UnaryOperator::*;
    if depth == 0 {
        return state_formula(random, variables, events, 1);
    }
    let part = |random: &mut Random| {
        let less = if random.percent(70) { depth - 1 } else { random.below(depth) };
        ctl(random, variables, events, less)
    };
    let quantifier = if random.percent(50) { Quantifier::All } else { Quantifier::Exists };
    let temporal = match random.below(10) {
        0..3 => Formula::Unary(quantifier, Next, Box::new(part(random))),
        3 => Formula::Unary(quantifier, Finally, Box::new(part(random))),
        4 | 5 => Formula::Unary(quantifier, Globally, Box::new(part(random))),
        _ => {
            use BinaryOperator::*;
            let operator = *random.choose(&[Until, WeakUntil, Release, StrongRelease]);
            Formula::Binary(quantifier, operator, Box::new(part(random)), Box::new(part(random)))
        }
    };
    match random.below(6) {
        0 => Formula::Not(Box::new(temporal)),
        1 => Formula::And(vec![temporal, part(random)]),
        2 => Formula::Or(vec![part(random), temporal]),
        _ => temporal,
    }
}

/// A formula with temporal operators over parts that `leaf` makes.
pub fn temporal(
    random: &mut Random, quantifiers: &[Quantifier], leaf: &dyn Fn(&mut Random) -> Formula, depth: usize,
) -> Formula {
    if depth == 0 || random.percent(15) {
        return leaf(random);
    }
    let quantifier = *random.choose(quantifiers);
    let mut part = || Box::new(temporal(random, quantifiers, leaf, depth - 1));
    let (first, second) = (part(), part());
    match random.below(5) {
        0 => Formula::Not(first),
        1 => Formula::Unary(quantifier, property::UnaryOperator::Next, first),
        2 => Formula::Unary(quantifier, property::UnaryOperator::Globally, first),
        3 => Formula::Unary(quantifier, property::UnaryOperator::Finally, first),
        _ => Formula::Binary(quantifier, BinaryOperator::Until, first, second),
    }
}
