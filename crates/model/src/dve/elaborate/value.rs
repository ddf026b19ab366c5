//! What an expression stands for: an integer over the variables of the program.
//!
//! Comparisons and logical operators give 0 or 1, and anything but 0 is true.

use super::super::syntax::{Binary, Expression, Kind, Name, Unary, Width};
use super::complaint;
use super::directory::{Directory, Meaning, Storage};
use super::simplify::{self, Condition, Number};
use crate::expression::{BinaryOperator, Comparison, Integer};
use crate::system::Target;
use crate::text::Problem;
use crate::text::problems::Problems;

/// Something wrong. Boxed: it is rare, and results are passed around a lot.
pub(super) type Fault = Box<Problem>;

/// Makes expressions of one process, or of none.
#[derive(Clone, Copy)]
pub(super) struct Maker<'d> {
    pub directory: &'d Directory,
    pub process: Option<usize>,
}

impl Maker<'_> {
    /// A condition.
    pub fn condition(&self, expression: &Expression) -> Result<Condition, Fault> {
        Ok(simplify::condition(self.number(expression)?))
    }

    /// Keeps what was made of an expression, or adds everything that is wrong with it.
    pub fn keep<T>(&self, expression: &Expression, made: Result<T, Fault>, problems: &mut Problems) -> Option<T> {
        match made {
            Ok(made) => Some(made),
            Err(_) => {
                self.look_for_faults(expression, problems);
                None
            }
        }
    }

    /// Making stops at the first thing that is wrong; this finds the others.
    fn look_for_faults(&self, expression: &Expression, problems: &mut Problems) {
        let before = problems.count();
        parts(expression).into_iter().for_each(|part| self.look_for_faults(part, problems));
        if problems.count() == before {
            problems.keep(self.number(expression));
        }
    }

    /// A number that is known before the system runs.
    pub fn constant(&self, expression: &Expression) -> Result<i32, Fault> {
        self.constant_if_any(expression)?.ok_or_else(|| {
            Box::new(Problem::new(expression.span, "this constant has no value").label("something is divided by 0"))
        })
    }

    /// A number that is known before the system runs; `None` if something is divided by zero.
    pub fn constant_if_any(&self, expression: &Expression) -> Result<Option<i32>, Fault> {
        let number = self.number(expression)?;
        if number.parts().any(|(part, _)| part.read().is_some()) {
            return Err(Box::new(
                Problem::new(expression.span, "expected a constant")
                    .label("this is not known before the system runs")
                    .help("only numbers and constants (`const byte N = 3;`) may be used here"),
            ));
        }
        Ok(match number {
            Integer::Constant(value) => Some(value),
            // Everything else is calculated as soon as it is written.
            _ => None,
        })
    }

    /// A number.
    pub fn number(&self, expression: &Expression) -> Result<Number, Fault> {
        match &expression.kind {
            Kind::Number(value) => Ok(Integer::Constant(*value)),
            Kind::Truth(truth) => Ok(Integer::Constant(i32::from(*truth))),
            Kind::Variable(name) => self.variable(name, self.meaning(name)?, None),
            Kind::Element(name, index) => self.variable(name, self.meaning(name)?, Some(index)),
            Kind::State(process, state) => {
                let facts = self.directory.process(process).map_err(Box::new)?;
                // In formulas variables of processes may be written as traces show them.
                if self.process.is_none()
                    && !facts.numbers.contains_key(&state.text)
                    && facts.locals.get(&state.text).is_some()
                {
                    let meaning = self.foreign(process, state)?;
                    return self.variable(state, meaning, None);
                }
                let number = facts.state(state).map_err(Box::new)?;
                Ok(simplify::truth(simplify::equal(facts.state, number as i32)))
            }
            Kind::Foreign(process, name, index) => {
                let meaning = self.foreign(process, name)?;
                self.variable(name, meaning, index.as_deref())
            }
            Kind::Unary(operator, operand) => {
                let operand = self.number(operand)?;
                Ok(match operator {
                    Unary::Minus => simplify::minus(operand),
                    Unary::BitNot => simplify::bit_not(operand),
                    Unary::Not => simplify::truth(simplify::not(simplify::condition(operand))),
                })
            }
            Kind::Chain(first, rest) => self.chain(first, rest),
            Kind::Temporal(..) | Kind::Until(..) => Err(super::formula::no_number(expression)),
        }
    }

    /// What may be assigned to, with its type.
    pub fn target(&self, expression: &Expression) -> Result<(Target, Width), Fault> {
        let (name, index) = match &expression.kind {
            Kind::Variable(name) => (name, None),
            Kind::Element(name, index) => (name, Some(&**index)),
            Kind::State(..) => {
                return Err(not_assignable(
                    expression,
                    "the state of a process",
                    "let a transition lead there instead",
                ));
            }
            Kind::Foreign(..) => {
                let help = "a process changes its own variables and the global ones; make it a global variable";
                return Err(not_assignable(expression, "a variable of another process", help));
            }
            _ => {
                let help = "variables can be received into and assigned to, such as `x` or `t[i]`";
                return Err(not_assignable(expression, "the value of an expression", help));
            }
        };
        let storage = match self.meaning(name)? {
            Meaning::Variable(storage) if !storage.constant => storage,
            Meaning::Channel(_) => return Err(Box::new(complaint::no_value(name.span, &name.text))),
            _ => return Err(not_assignable(expression, "a constant", "declare it without `const`")),
        };
        let target = match self.variable(name, Meaning::Variable(storage), index)? {
            Integer::Element { first, length, index } => Target::Element { first, length, index: *index },
            Integer::Variable(variable) => Target::Variable(variable),
            _ => Target::Variable(storage.first),
        };
        Ok((target, storage.width))
    }

    /// Whether a name in a formula is a word for a kind of state, such as `error`: it is, unless the file declares
    /// something with that name.
    pub fn is_word(&self, name: &Name, word: &str) -> bool {
        self.process.is_none() && name.text == word && self.directory.globals.get(word).is_none()
    }

    fn meaning(&self, name: &Name) -> Result<Meaning, Fault> {
        self.directory.find(self.process, name).map_err(Box::new)
    }

    fn foreign(&self, process: &Name, name: &Name) -> Result<Meaning, Fault> {
        let facts = self.directory.process(process).map_err(Box::new)?;
        match facts.locals.get(&name.text) {
            Some((meaning, _)) => Ok(meaning),
            None => {
                let names = facts.locals.names();
                Err(Box::new(complaint::missing(name.span, &facts.name, "variable", &name.text, names)))
            }
        }
    }

    fn variable(&self, name: &Name, meaning: Meaning, index: Option<&Expression>) -> Result<Number, Fault> {
        let storage = match (meaning, index) {
            (Meaning::Variable(storage), _) => storage,
            (Meaning::Constant(value), None) => return Ok(Integer::Constant(value)),
            (Meaning::Constant(_), Some(_)) => return Err(Box::new(complaint::no_array(name.span, &name.text))),
            (Meaning::Channel(_), _) => return Err(Box::new(complaint::no_value(name.span, &name.text))),
        };
        match (storage.length, index) {
            (None, None) => Ok(Integer::Variable(storage.first)),
            (Some(length), Some(index)) => self.element(name, storage, length, index),
            (Some(length), None) => Err(Box::new(complaint::needs_index(name.span, &name.text, length))),
            (None, Some(_)) => Err(Box::new(complaint::no_array(name.span, &name.text))),
        }
    }

    fn element(&self, name: &Name, storage: Storage, length: u32, index: &Expression) -> Result<Number, Fault> {
        match self.number(index)? {
            Integer::Constant(value) => match u32::try_from(value).ok().filter(|&element| element < length) {
                Some(element) => Ok(Integer::Variable(storage.first + element)),
                None => Err(Box::new(complaint::out_of_range(index.span, &name.text, value, length))),
            },
            index => Ok(Integer::Element { first: storage.first, length, index: Box::new(index) }),
        }
    }

    fn chain(&self, first: &Expression, rest: &[(Binary, Expression)]) -> Result<Number, Fault> {
        let mut left = self.number(first)?;
        let mut rest = rest.iter().peekable();
        while let Some((operator, right)) = rest.next() {
            let right = self.number(right)?;
            left = match operator {
                // Long sums and conjunctions are collected, so that none is built anew for each operand.
                Binary::Add | Binary::Subtract => {
                    let mut terms = vec![left, signed(*operator, right)];
                    for (operator, right) in rest.by_ref() {
                        terms.push(signed(*operator, self.number(right)?));
                    }
                    simplify::sum(terms)
                }
                Binary::And | Binary::Or => {
                    let mut list = vec![simplify::condition(left), simplify::condition(right)];
                    while let Some((_, right)) = rest.next_if(|(next, _)| next == operator) {
                        list.push(self.condition(right)?);
                    }
                    simplify::truth(if *operator == Binary::And { simplify::all(list) } else { simplify::any(list) })
                }
                _ => apply(*operator, left, right),
            };
        }
        Ok(left)
    }
}

/// The expressions of which one is made.
pub(super) fn parts(expression: &Expression) -> Vec<&Expression> {
    match &expression.kind {
        Kind::Number(_) | Kind::Truth(_) | Kind::Variable(_) | Kind::State(..) => Vec::new(),
        Kind::Element(_, index) => vec![&**index],
        Kind::Foreign(_, _, index) => index.as_deref().into_iter().collect(),
        Kind::Unary(_, operand) | Kind::Temporal(_, _, operand) => vec![&**operand],
        Kind::Until(_, left, right) => vec![&**left, &**right],
        Kind::Chain(first, rest) => [&**first].into_iter().chain(rest.iter().map(|(_, operand)| operand)).collect(),
    }
}

fn not_assignable(expression: &Expression, what: &str, help: &str) -> Fault {
    Box::new(Problem::new(expression.span, format!("{what} cannot be changed")).label("not a variable").help(help))
}

fn signed(operator: Binary, operand: Number) -> Number {
    if operator == Binary::Subtract { simplify::minus(operand) } else { operand }
}

/// An operator on two numbers.
fn apply(operator: Binary, left: Number, right: Number) -> Number {
    let compare = |comparison, left, right| simplify::truth(simplify::compare(comparison, left, right));
    match operator {
        Binary::Imply => {
            simplify::truth(simplify::any(vec![simplify::not(simplify::condition(left)), simplify::condition(right)]))
        }
        Binary::Or => simplify::truth(simplify::any(vec![simplify::condition(left), simplify::condition(right)])),
        Binary::And => simplify::truth(simplify::all(vec![simplify::condition(left), simplify::condition(right)])),
        Binary::Equal => compare(Comparison::Equal, left, right),
        Binary::NotEqual => compare(Comparison::NotEqual, left, right),
        Binary::Less => compare(Comparison::Less, left, right),
        Binary::LessOrEqual => compare(Comparison::LessOrEqual, left, right),
        Binary::Greater => compare(Comparison::Greater, left, right),
        Binary::GreaterOrEqual => compare(Comparison::GreaterOrEqual, left, right),
        Binary::Add => simplify::sum(vec![left, right]),
        Binary::Subtract => simplify::sum(vec![left, simplify::minus(right)]),
        Binary::BitOr => simplify::binary(BinaryOperator::BitOr, left, right),
        Binary::BitAnd => simplify::binary(BinaryOperator::BitAnd, left, right),
        Binary::BitXor => simplify::binary(BinaryOperator::BitXor, left, right),
        Binary::ShiftLeft => simplify::binary(BinaryOperator::ShiftLeft, left, right),
        Binary::ShiftRight => simplify::binary(BinaryOperator::ShiftRight, left, right),
        Binary::Multiply => simplify::binary(BinaryOperator::Multiply, left, right),
        Binary::Divide => simplify::binary(BinaryOperator::Divide, left, right),
        Binary::Remainder => simplify::binary(BinaryOperator::Remainder, left, right),
    }
}
