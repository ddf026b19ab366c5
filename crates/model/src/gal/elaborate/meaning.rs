//! What names of a type mean for those who hold an instance of it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::builder::Meaning;
use crate::expression::{Boolean, Integer};
use crate::system::Location;

/// What others need to know of a type that its description in the system does not say.
#[derive(Default)]
pub(super) struct Facts {
    /// The labels of its transitions.
    pub labels: FxHashSet<String>,
    /// Its aliases, predicates and `hotbit` variables. Locations begin at the type.
    pub meanings: FxHashMap<String, Meaning<Location>>,
}

impl Facts {
    /// Notes what a name of a type without instances means.
    pub fn define(&mut self, name: &str, meaning: Meaning<u32>) {
        let meaning = map(&meaning, &|&index| Location { path: Vec::new(), index });
        self.meanings.insert(name.to_string(), meaning);
    }
}

/// The same with other variables.
pub(super) fn map<V, W>(meaning: &Meaning<V>, change: &impl Fn(&V) -> W) -> Meaning<W> {
    match meaning {
        Meaning::Integer(integer) => Meaning::Integer(map_integer(integer, change)),
        Meaning::Boolean(condition) => Meaning::Boolean(map_boolean(condition, change)),
        Meaning::Array { first, length } => Meaning::Array { first: change(first), length: *length },
        Meaning::OneHot { first, least, length } => {
            Meaning::OneHot { first: change(first), least: *least, length: *length }
        }
        Meaning::Queue { length, first, capacity } => {
            Meaning::Queue { length: change(length), first: change(first), capacity: *capacity }
        }
    }
}

fn map_integer<V, W>(integer: &Integer<V>, change: &impl Fn(&V) -> W) -> Integer<W> {
    let inner = |part: &Integer<V>| Box::new(map_integer(part, change));
    match integer {
        Integer::Constant(number) => Integer::Constant(*number),
        Integer::Variable(variable) => Integer::Variable(change(variable)),
        Integer::Element { first, length, index } => {
            Integer::Element { first: change(first), length: *length, index: inner(index) }
        }
        Integer::Sum(terms) => Integer::Sum(terms.iter().map(|term| map_integer(term, change)).collect()),
        Integer::Unary(operator, operand) => Integer::Unary(*operator, inner(operand)),
        Integer::Binary(operator, left, right) => Integer::Binary(*operator, inner(left), inner(right)),
        Integer::Truth(condition) => Integer::Truth(Box::new(map_boolean(condition, change))),
    }
}

fn map_boolean<V, W>(condition: &Boolean<V>, change: &impl Fn(&V) -> W) -> Boolean<W> {
    let list = |list: &[Boolean<V>]| list.iter().map(|part| map_boolean(part, change)).collect();
    match condition {
        Boolean::Constant(truth) => Boolean::Constant(*truth),
        Boolean::Compare(comparison, left, right) => {
            Boolean::Compare(*comparison, map_integer(left, change), map_integer(right, change))
        }
        Boolean::Not(operand) => Boolean::Not(Box::new(map_boolean(operand, change))),
        Boolean::And(operands) => Boolean::And(list(operands)),
        Boolean::Or(operands) => Boolean::Or(list(operands)),
    }
}
