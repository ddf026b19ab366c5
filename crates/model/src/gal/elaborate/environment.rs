//! What constants, parameters and ranges are worth where an expression stands.

use std::ops::RangeInclusive;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::super::ledger::{Ledger, Outcome, Stop, complaint};
use super::super::syntax::{Binary, Expression, ExpressionKind, Parameter, Range, RangeDeclaration, Unary};
use crate::expression::{BinaryOperator, Comparison};
use crate::property::contest::Groups;
use crate::text::{Problem, Span};

/// The constants of the file and the parameters in scope.
#[derive(Clone, Default)]
pub(crate) struct Environment<'a> {
    /// Constants and ranges of the file, shared by all environments that are made of one.
    constants: Rc<FxHashMap<&'a str, i32>>,
    ranges: Rc<FxHashMap<&'a str, (i32, i32)>>,
    /// Parameters, the innermost last.
    parameters: Vec<(&'a str, i32)>,
    /// Ranges of the type.
    local_ranges: FxHashMap<&'a str, (i32, i32)>,
    /// Classes of colours over which parameters may range, and how many colours they have.
    classes: Rc<FxHashMap<&'a str, u32>>,
    /// Which of the parameters are colours, and of which class. Their values are the numbers of these colours.
    coloured: Vec<(usize, &'a str)>,
}

/// The constants and ranges of a file, for formulas that are asked later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Other names for places and transitions of the main type, which are known beside their own.
    pub also: Groups,
    constants: Vec<(String, i32)>,
    ranges: Vec<(String, (i32, i32))>,
}

impl Scope {
    /// What constants and ranges are worth.
    pub(crate) fn environment(&self) -> Environment<'_> {
        let constants = self.constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let ranges = self.ranges.iter().map(|(name, range)| (name.as_str(), *range)).collect();
        Environment { constants: Rc::new(constants), ranges: Rc::new(ranges), ..Environment::default() }
    }
}

/// Why an expression has no constant value.
pub(crate) enum NoValue {
    /// Something is divided by zero, or shifted too far.
    Undefined(Span, &'static str),
    /// Something in it is not constant.
    Variable(Span, String),
    /// A name that is no constant, and perhaps nothing else.
    Name(Span, String),
    /// A parameter is not known.
    Parameter(Span, String),
    /// A parameter is a colour, and no number.
    Colour(Span, String),
}

impl<'a> Environment<'a> {
    /// The constants and ranges of the file, kept by name.
    pub fn scope(&self) -> Scope {
        let constants = self.constants.iter().map(|(&name, &value)| (name.to_owned(), value));
        let ranges = self.ranges.iter().map(|(&name, &range)| (name.to_owned(), range));
        let mut scope = Scope { also: Groups::default(), constants: constants.collect(), ranges: ranges.collect() };
        scope.constants.sort();
        scope.ranges.sort();
        scope
    }

    pub fn define(&mut self, name: &'a str, value: i32) {
        Rc::make_mut(&mut self.constants).insert(name, value);
    }

    pub fn define_range(&mut self, name: &'a str, range: (i32, i32)) {
        Rc::make_mut(&mut self.ranges).insert(name, range);
    }

    /// Enters a type with parameters.
    pub fn enter(&mut self, parameters: Vec<(&'a str, i32)>) {
        self.parameters = parameters;
        self.local_ranges.clear();
    }

    pub fn push(&mut self, name: &'a str, value: i32) {
        self.parameters.push((name, value));
    }

    pub fn pop(&mut self) {
        self.parameters.pop();
        let left = self.parameters.len();
        self.coloured.retain(|&(parameter, _)| parameter < left);
    }

    /// The same with classes of colours, over which parameters may range.
    pub fn with_classes(mut self, classes: impl Iterator<Item = (&'a str, u32)>) -> Environment<'a> {
        self.classes = Rc::new(classes.collect());
        self
    }

    /// The class of which a parameter is a colour, if it is one.
    pub fn class_of(&self, name: &str) -> Option<&'a str> {
        let parameter = self.parameters.iter().rposition(|&(parameter, _)| parameter == name)?;
        self.coloured.iter().find(|&&(coloured, _)| coloured == parameter).map(|&(_, class)| class)
    }

    /// Whether two parameters are the same colour, or two colours, if they are of one class.
    pub fn colours_compared(&self, comparison: Comparison, left: &Expression, right: &Expression) -> Option<bool> {
        let (ExpressionKind::Parameter(left), ExpressionKind::Parameter(right)) = (&left.kind, &right.kind) else {
            return None;
        };
        let is_asked = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let is_one_class = self.class_of(left).is_some_and(|class| self.class_of(right) == Some(class));
        let values = self.parameter(left).zip(self.parameter(right)).filter(|_| is_asked && is_one_class);
        values.map(|(left, right)| comparison.holds(&left, &right))
    }

    /// The values of the innermost parameters.
    pub fn innermost(&self, count: usize) -> Vec<i32> {
        let from = self.parameters.len().saturating_sub(count);
        self.parameters.iter().skip(from).map(|&(_, value)| value).collect()
    }

    pub fn parameter(&self, name: &str) -> Option<i32> {
        let local = self.parameters.iter().rev().find(|&&(parameter, _)| parameter == name);
        local.map(|&(_, value)| value).or_else(|| self.constants.get(name).copied())
    }

    pub fn add_local_range(&mut self, range: &'a RangeDeclaration, ledger: &mut Ledger) -> Outcome<()> {
        let bounds = self.bounds(&range.least, &range.greatest, ledger)?;
        self.local_ranges.insert(&range.name.text, bounds);
        Ok(())
    }

    pub fn bounds(&self, least: &Expression, greatest: &Expression, ledger: &mut Ledger) -> Outcome<(i32, i32)> {
        Ok((self.constant(least, ledger)?, self.constant(greatest, ledger)?))
    }

    /// The least and the greatest integer of a range; an empty range has a greatest below its least.
    pub fn range(&self, range: &Range, ledger: &mut Ledger) -> Outcome<(i32, i32)> {
        match range {
            Range::Between(least, greatest) => self.bounds(least, greatest, ledger),
            Range::Named(name) => {
                let text = name.text.as_str();
                let bounds = self.local_ranges.get(text).or_else(|| self.ranges.get(text)).copied();
                let class =
                    || self.classes.get(text).map(|&size| (0, i32::try_from(size).map_or(i32::MAX, |size| size - 1)));
                bounds.or_else(class).ok_or_else(|| {
                    let names = self.local_ranges.keys().chain(self.ranges.keys()).chain(self.classes.keys()).copied();
                    let what = if self.classes.is_empty() { "range" } else { "range or class" };
                    ledger.report(complaint::unknown(name.span(), what, text, names))
                })
            }
        }
    }

    /// The values of the parameter of a loop; that they are too many is reported.
    pub fn rounds(&self, parameter: &Parameter, ledger: &mut Ledger) -> Outcome<RangeInclusive<i32>> {
        let (least, greatest) = self.range(&parameter.range, ledger)?;
        ledger.foresee(length(least, greatest), 0, parameter.name.span(), "rounds of this loop")?;
        Ok(least..=greatest)
    }

    /// Does something for each combination of values of some parameters, the last of which changes fastest; `done` if nothing
    /// more is needed.
    pub fn for_each_value<'b>(
        &self, parameters: &'b [Parameter], ledger: &mut Ledger,
        done: &mut impl FnMut(&Environment<'b>, &mut Ledger) -> Outcome<bool>,
    ) -> Outcome<bool>
    where
        'a: 'b,
    {
        let mut inner: Environment<'b> = self.clone();
        inner.each(parameters, ledger, done)
    }

    fn each(
        &mut self, parameters: &'a [Parameter], ledger: &mut Ledger,
        done: &mut impl FnMut(&Environment<'a>, &mut Ledger) -> Outcome<bool>,
    ) -> Outcome<bool> {
        let Some((first, others)) = parameters.split_first() else { return done(self, ledger) };
        for value in self.rounds(first, ledger)? {
            ledger.things(1, first.name.span())?;
            self.push(&first.name.text, value);
            if let Range::Named(range) = &first.range
                && self.classes.contains_key(range.text.as_str())
                && !self.ranges.contains_key(range.text.as_str())
            {
                self.coloured.push((self.parameters.len() - 1, &range.text));
            }
            let enough = self.each(others, ledger, done);
            self.pop();
            if enough? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The value of a constant expression; that it has none is reported.
    pub fn constant(&self, expression: &Expression, ledger: &mut Ledger) -> Outcome<i32> {
        self.value(expression).map_err(|reason| self.explain(reason, ledger))
    }

    pub fn explain(&self, reason: NoValue, ledger: &mut Ledger) -> Stop {
        ledger.report(match reason {
            NoValue::Undefined(span, why) => Problem::new(span, "this constant has no value").label(why),
            NoValue::Variable(span, name) => complaint::not_constant(span, &name),
            NoValue::Name(span, name) => self.no_constant(span, &name),
            NoValue::Parameter(span, name) => self.unknown_parameter(span, &name),
            NoValue::Colour(span, name) => self.no_number(span, &name),
        })
    }

    /// The names of constants and parameters, as they are written.
    fn parameter_names(&self) -> Vec<String> {
        let parameters = self.parameters.iter().map(|&(name, _)| name);
        parameters.chain(self.constants.keys().copied()).map(|name| format!("${name}")).collect()
    }

    /// A colour where a number is expected.
    pub fn no_number(&self, span: Span, name: &str) -> Problem {
        let (shown, class) = (complaint::shortened(name), self.class_of(name).unwrap_or_default());
        Problem::new(span, format!("`${shown}` is a colour of `{}`, and no number", complaint::shortened(class)))
            .label("expected a number")
            .help(format!(
                "`p(${shown})` counts tokens of a place; two colours of a class are compared by `==` and `!=`"
            ))
    }

    /// A name where a constant is expected.
    fn no_constant(&self, span: Span, name: &str) -> Problem {
        let problem = complaint::no_constant(span, name);
        match self.parameter(name) {
            Some(_) => problem.help(format!("did you mean `${}`?", complaint::shortened(name))),
            None => {
                let names = self.parameter_names();
                complaint::suggested(problem, name, names.iter().map(String::as_str), "there is no constant at all")
            }
        }
    }

    pub fn unknown_parameter(&self, span: Span, name: &str) -> Problem {
        let names = self.parameter_names();
        complaint::unknown(span, "parameter", &format!("${name}"), names.iter().map(String::as_str))
    }

    /// The value of an expression, if it is constant.
    pub fn value(&self, expression: &Expression) -> Result<i32, NoValue> {
        let span = expression.span();
        match &expression.kind {
            ExpressionKind::Number(number) => Ok(*number),
            ExpressionKind::Parameter(name) if self.class_of(name).is_some() => {
                Err(NoValue::Colour(span, name.clone()))
            }
            ExpressionKind::Parameter(name) => {
                self.parameter(name).ok_or_else(|| NoValue::Parameter(span, name.clone()))
            }
            ExpressionKind::Unary(Unary::Minus, operand) => Ok(self.value(operand)?.wrapping_neg()),
            ExpressionKind::Unary(Unary::BitNot, operand) => Ok(!self.value(operand)?),
            ExpressionKind::Chain(first, rest) => {
                rest.iter().try_fold(self.value(first)?, |left, (operator, operand)| {
                    let right = self.value(operand)?;
                    calculate(*operator, left, right).ok_or(NoValue::Undefined(operand.span(), undefined(*operator)))
                })
            }
            ExpressionKind::Reference(reference) => Err(match reference.single() {
                Some(segment) if segment.index.is_none() => NoValue::Name(span, segment.name.text.clone()),
                _ => NoValue::Variable(span, reference.to_string()),
            }),
            ExpressionKind::Deadlock
            | ExpressionKind::Fireable(_)
            | ExpressionKind::Fired(_)
            | ExpressionKind::Over(..)
            | ExpressionKind::Matching(..)
            | ExpressionKind::FireableWith(_)
            | ExpressionKind::FiredWith(_) => Err(NoValue::Variable(span, "this".to_string())),
            _ => Ok(i32::from(self.truth(expression)?)),
        }
    }

    /// Whether a condition holds, if it is constant. A comparison of what has no value is false by itself.
    pub fn truth(&self, expression: &Expression) -> Result<bool, NoValue> {
        match &expression.kind {
            ExpressionKind::Truth(truth) => Ok(*truth),
            ExpressionKind::Unary(Unary::Not, operand) => Ok(!self.truth(operand)?),
            ExpressionKind::Compare(comparison, left, right) => self.comparison(*comparison, left, right),
            ExpressionKind::All(list) => all(list.iter().map(|operand| self.truth(operand))),
            ExpressionKind::Any(list) => any(list.iter().map(|operand| self.truth(operand))),
            ExpressionKind::Implies(left, right) => Ok(!self.truth(left)? || self.truth(right)?),
            ExpressionKind::Equivalent(left, right) => Ok(self.truth(left)? == self.truth(right)?),
            ExpressionKind::TemporalUnary(..) | ExpressionKind::TemporalBinary(..) => {
                Err(NoValue::Variable(expression.span(), "a temporal operator".to_string()))
            }
            _ => Ok(self.value(expression)? != 0),
        }
    }

    fn comparison(&self, comparison: Comparison, left: &Expression, right: &Expression) -> Result<bool, NoValue> {
        if let Some(truth) = self.colours_compared(comparison, left, right) {
            return Ok(truth);
        }
        match (self.value(left), self.value(right)) {
            (Err(NoValue::Undefined(..)), Ok(_) | Err(NoValue::Undefined(..)))
            | (Ok(_), Err(NoValue::Undefined(..))) => Ok(false),
            (Err(reason), _) | (_, Err(reason)) => Err(reason),
            (Ok(left), Ok(right)) => Ok(comparison.holds(&left, &right)),
        }
    }
}

/// How many integers there are from the least to the greatest.
pub(super) fn length(least: i32, greatest: i32) -> u64 {
    u64::try_from(i64::from(greatest) - i64::from(least) + 1).unwrap_or(0)
}

/// Why an operator has no value.
fn undefined(operator: Binary) -> &'static str {
    match operator {
        Binary::Power => "this is negative, and 0 has no such power",
        _ => "this is 0, and nothing can be divided by it",
    }
}

fn all(mut list: impl Iterator<Item = Result<bool, NoValue>>) -> Result<bool, NoValue> {
    list.try_fold(true, |so_far, truth| Ok(so_far && truth?))
}

fn any(mut list: impl Iterator<Item = Result<bool, NoValue>>) -> Result<bool, NoValue> {
    list.try_fold(false, |so_far, truth| Ok(so_far || truth?))
}

/// An operator on two numbers; `None` where it has no value.
pub(super) fn calculate(operator: Binary, left: i32, right: i32) -> Option<i32> {
    match operator {
        Binary::Add => Some(left.wrapping_add(right)),
        Binary::Subtract => Some(left.wrapping_sub(right)),
        _ => binary(operator)?.calculate(left, right),
    }
}

/// The operator as the model has it; sums and differences are not among them.
pub(super) fn binary(operator: Binary) -> Option<BinaryOperator> {
    Some(match operator {
        Binary::Add | Binary::Subtract => return None,
        Binary::BitOr => BinaryOperator::BitOr,
        Binary::BitXor => BinaryOperator::BitXor,
        Binary::BitAnd => BinaryOperator::BitAnd,
        Binary::ShiftLeft => BinaryOperator::ShiftLeft,
        Binary::ShiftRight => BinaryOperator::ShiftRight,
        Binary::Multiply => BinaryOperator::Multiply,
        Binary::Divide => BinaryOperator::Divide,
        Binary::Remainder => BinaryOperator::Remainder,
        Binary::Power => BinaryOperator::Power,
    })
}
