//! From written expressions to those of the model: parameters filled in, names resolved, constants calculated.

use super::super::ledger::{Ledger, Outcome, complaint};
use super::super::syntax::{Binary, Expression, ExpressionKind, Name, Over, Pattern, Reference, Unary};
use super::environment::{self, Environment};
use super::queue;
use crate::expression::{Boolean, Comparison, Integer, Parts, simplify};
use crate::system::Location;
use crate::text::{Problem, Span};

/// A variable of an expression. The elements of an array follow each other.
pub(crate) trait Variable: Clone {
    /// The variable so many further.
    fn offset(&self, by: u32) -> Self;
}

impl Variable for u32 {
    fn offset(&self, by: u32) -> u32 {
        self.saturating_add(by)
    }
}

impl Variable for Location {
    fn offset(&self, by: u32) -> Location {
        Location { path: self.path.clone(), index: self.index.saturating_add(by) }
    }
}

/// What a name means.
#[derive(Clone, Debug)]
pub(crate) enum Meaning<V> {
    /// A variable, or a name for an integer.
    Integer(Integer<V>),
    /// A name for a condition.
    Boolean(Boolean<V>),
    /// An array.
    Array {
        /// Element 0.
        first: V,
        /// How many elements it has.
        length: u32,
    },
    /// A variable with one bit per value: of the bits that follow each other, that of its value is 1.
    OneHot {
        /// The bit of the least value.
        first: V,
        /// The least value.
        least: i32,
        /// How many values there are.
        length: u32,
    },
    /// A queue: a name for its length, and an array of its letters.
    Queue {
        /// What counts its letters.
        length: V,
        /// Its front.
        first: V,
        /// How many letters it may hold.
        capacity: u32,
    },
}

/// The names that expressions may use.
pub(crate) trait Names {
    /// What expressions are made of.
    type Variable: Variable;

    /// What a reference means, its last index aside; that it means nothing is reported.
    fn find(
        &self, reference: &Reference, environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Meaning<Self::Variable>>;

    /// The letters of the queue that a variable is a cell of, if it is one.
    fn letters(&self, _: &Self::Variable) -> Option<&[String]> {
        None
    }

    /// How many tokens of a place match a pattern. Only coloured nets have such places.
    fn matching(
        &self, place: &Name, _: &[Pattern], _: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Integer<Self::Variable>> {
        Err(ledger.report(no_colours(place.span())))
    }
}

/// Colours where there are none.
pub(super) fn no_colours(span: Span) -> Problem {
    Problem::new(span, "only coloured nets have tokens and bindings that match a pattern").label("this has none")
}

/// Builds expressions.
pub(crate) struct Builder<'b, 'a, N> {
    pub names: &'b N,
    pub environment: &'b Environment<'a>,
    pub ledger: &'b mut Ledger,
}

impl<N: Names> Builder<'_, '_, N> {
    /// An integer; a condition counts as 0 or 1.
    pub fn integer(&mut self, expression: &Expression) -> Outcome<Integer<N::Variable>> {
        self.ledger.parts(1, expression.span())?;
        match &expression.kind {
            ExpressionKind::Number(number) => Ok(Integer::Constant(*number)),
            ExpressionKind::Parameter(name) if self.environment.class_of(name).is_some() => {
                Err(self.ledger.report(self.environment.no_number(expression.span(), name)))
            }
            ExpressionKind::Parameter(name) => match self.environment.parameter(name) {
                Some(value) => Ok(Integer::Constant(value)),
                None => Err(self.ledger.report(self.environment.unknown_parameter(expression.span(), name))),
            },
            ExpressionKind::Reference(reference) => match self.reference(reference)? {
                Meaning::Integer(Integer::Variable(cell)) if self.names.letters(&cell).is_some() => {
                    Err(self.ledger.report(queue::no_number(reference.span())))
                }
                Meaning::Integer(integer) => Ok(integer),
                Meaning::Queue { length, .. } => Ok(Integer::Variable(length)),
                Meaning::Boolean(condition) => Ok(simplify::truth(condition)),
                Meaning::OneHot { first, least, length } => Ok(one_hot_value(&first, least, length)),
                Meaning::Array { length, .. } => {
                    let name = reference.to_string();
                    Err(self.ledger.report(complaint::needs_index(reference.span(), &name, length)))
                }
            },
            ExpressionKind::Unary(Unary::Minus, operand) => Ok(simplify::minus(self.integer(operand)?)),
            ExpressionKind::Unary(Unary::BitNot, operand) => Ok(simplify::bit_not(self.integer(operand)?)),
            ExpressionKind::Chain(first, rest) => self.chain(first, rest),
            ExpressionKind::Matching(place, pattern) => {
                self.names.matching(place, pattern, self.environment, self.ledger)
            }
            ExpressionKind::Over(Over::Sum, parameters, operand) => {
                let (names, mut terms) = (self.names, Vec::new());
                self.environment.for_each_value(parameters, self.ledger, &mut |environment, ledger| {
                    terms.push(Builder { names, environment, ledger }.integer(operand)?);
                    Ok(false)
                })?;
                Ok(simplify::sum(terms))
            }
            _ => Ok(simplify::truth(self.boolean(expression)?)),
        }
    }

    fn chain(&mut self, first: &Expression, rest: &[(Binary, Expression)]) -> Outcome<Integer<N::Variable>> {
        let mut result = self.integer(first)?;
        let mut terms = Vec::new();
        for (operator, operand) in rest {
            let operand = self.integer(operand)?;
            match (operator, environment::binary(*operator)) {
                (_, Some(operator)) => result = simplify::binary(operator, result, operand),
                (Binary::Subtract, None) => terms.push(simplify::minus(operand)),
                (_, None) => terms.push(operand),
            }
        }
        if terms.is_empty() {
            return Ok(result);
        }
        terms.insert(0, result);
        Ok(simplify::sum(terms))
    }

    /// A reference with its index.
    pub fn reference(&mut self, reference: &Reference) -> Outcome<Meaning<N::Variable>> {
        let meaning = self.names.find(reference, self.environment, self.ledger)?;
        let Some(last) = reference.segments.last() else { return Ok(meaning) };
        let Some(index) = &last.index else {
            self.ledger.parts(size(&meaning), reference.span())?;
            return Ok(meaning);
        };
        let (first, length) = match meaning {
            Meaning::Array { first, length } | Meaning::OneHot { first, length, .. } => (first, length),
            Meaning::Queue { first, capacity, .. } => (first, capacity),
            Meaning::Integer(_) | Meaning::Boolean(_) => {
                return Err(self.ledger.report(complaint::no_array(reference.span(), &last.name.text)));
            }
        };
        let index_span = index.span();
        Ok(Meaning::Integer(match self.integer(index)? {
            Integer::Constant(number) => match u32::try_from(number).ok().filter(|&index| index < length) {
                Some(index) => Integer::Variable(first.offset(index)),
                None => {
                    let problem = complaint::out_of_range(index_span, &last.name.text, number, length);
                    return Err(self.ledger.report(problem));
                }
            },
            _ if self.names.letters(&first).is_some() => {
                return Err(self.ledger.report(queue::no_fixed_place(index_span)));
            }
            index => Integer::Element { first, length, index: Box::new(index) },
        }))
    }

    /// A condition.
    pub fn boolean(&mut self, expression: &Expression) -> Outcome<Boolean<N::Variable>> {
        self.ledger.parts(1, expression.span())?;
        match &expression.kind {
            ExpressionKind::Truth(truth) => Ok(Boolean::Constant(*truth)),
            ExpressionKind::Compare(comparison, left, right) => self.compare(*comparison, left, right),
            ExpressionKind::Unary(Unary::Not, operand) => Ok(simplify::not(self.boolean(operand)?)),
            ExpressionKind::All(list) => self.until_constant(list, false).map(simplify::all),
            ExpressionKind::Any(list) => self.until_constant(list, true).map(simplify::any),
            ExpressionKind::Implies(left, right) => {
                let left = simplify::not(self.boolean(left)?);
                Ok(match left {
                    Boolean::Constant(true) => left,
                    left => simplify::any(vec![left, self.boolean(right)?]),
                })
            }
            ExpressionKind::Equivalent(left, right) => {
                let (left, right) = (simplify::truth(self.boolean(left)?), simplify::truth(self.boolean(right)?));
                Ok(simplify::compare(Comparison::Equal, left, right))
            }
            ExpressionKind::Reference(reference) => match self.reference(reference)? {
                Meaning::Boolean(condition) => Ok(condition),
                _ => Err(self.ledger.report(complaint::no_condition(expression.span()))),
            },
            ExpressionKind::Over(over @ (Over::All | Over::Any), parameters, operand) => {
                let (names, mut list, end) = (self.names, Vec::new(), *over == Over::Any);
                self.environment.for_each_value(parameters, self.ledger, &mut |environment, ledger| {
                    let condition = Builder { names, environment, ledger }.boolean(operand)?;
                    let ends = matches!(condition, Boolean::Constant(truth) if truth == end);
                    list.push(condition);
                    Ok(ends)
                })?;
                Ok(if end { simplify::any(list) } else { simplify::all(list) })
            }
            ExpressionKind::Chain(_, rest) => {
                let problem = complaint::no_condition(expression.span());
                Err(self.ledger.report(match complaint::of_bits(rest.iter().map(|(operator, _)| *operator)) {
                    Some(help) => problem.help(help),
                    None => problem,
                }))
            }
            ExpressionKind::Unary(Unary::BitNot, _) => {
                let problem = complaint::no_condition(expression.span());
                Err(self.ledger.report(problem.help("`~` is for bits; \"not\" is written `!`")))
            }
            ExpressionKind::Number(_)
            | ExpressionKind::Over(Over::Sum, ..)
            | ExpressionKind::Parameter(_)
            | ExpressionKind::Unary(..)
            | ExpressionKind::Matching(..) => Err(self.ledger.report(complaint::no_condition(expression.span()))),
            ExpressionKind::Deadlock
            | ExpressionKind::Fireable(_)
            | ExpressionKind::Fired(_)
            | ExpressionKind::FireableWith(_)
            | ExpressionKind::FiredWith(_)
            | ExpressionKind::TemporalUnary(..)
            | ExpressionKind::TemporalBinary(..) => {
                let problem = Problem::new(expression.span(), "this can only be asked of a whole system")
                    .label("not inside an expression")
                    .help("use it in a property");
                Err(self.ledger.report(problem))
            }
        }
    }

    /// The conditions up to the first that is this constant: the others do not matter, and may make no sense.
    fn until_constant(&mut self, list: &[Expression], end: bool) -> Outcome<Vec<Boolean<N::Variable>>> {
        let mut conditions = Vec::with_capacity(list.len());
        for operand in list {
            let condition = self.boolean(operand)?;
            let ends = matches!(condition, Boolean::Constant(truth) if truth == end);
            conditions.push(condition);
            if ends {
                break;
            }
        }
        Ok(conditions)
    }

    fn compare(
        &mut self, comparison: Comparison, left: &Expression, right: &Expression,
    ) -> Outcome<Boolean<N::Variable>> {
        if let Some(truth) = self.environment.colours_compared(comparison, left, right) {
            return Ok(Boolean::Constant(truth));
        }
        if let Some(condition) = self.compare_one_hot(comparison, left, right)? {
            return Ok(condition);
        }
        if let Some(condition) = self.compare_one_hot(comparison.mirrored(), right, left)? {
            return Ok(condition);
        }
        if let Some(condition) = self.compare_letters(comparison, left, right)? {
            return Ok(condition);
        }
        if let Some(condition) = self.compare_letters(comparison.mirrored(), right, left)? {
            return Ok(condition);
        }
        Ok(simplify::compare(comparison, self.integer(left)?, self.integer(right)?))
    }

    /// `q[0] == a` for a cell of a queue: whether this letter is there.
    fn compare_letters(
        &mut self, comparison: Comparison, left: &Expression, right: &Expression,
    ) -> Outcome<Option<Boolean<N::Variable>>> {
        let ExpressionKind::Reference(reference) = &left.kind else { return Ok(None) };
        if reference.segments.last().is_none_or(|last| last.index.is_none()) {
            return Ok(None);
        }
        let Meaning::Integer(Integer::Variable(cell)) = self.reference(reference)? else { return Ok(None) };
        let names = self.names;
        let Some(letters) = names.letters(&cell) else { return Ok(None) };
        if !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            return Err(self.ledger.report(queue::no_number(reference.span())));
        }
        let letter = queue::letter(right, letters, self.environment, self.ledger)?;
        Ok(Some(Boolean::Compare(comparison, Integer::Variable(cell), Integer::Constant(letter as i32))))
    }

    /// `y == 3` for a variable with one bit per value asks for one bit.
    fn compare_one_hot(
        &mut self, comparison: Comparison, left: &Expression, right: &Expression,
    ) -> Outcome<Option<Boolean<N::Variable>>> {
        let ExpressionKind::Reference(reference) = &left.kind else { return Ok(None) };
        let indexed = reference.segments.last().is_some_and(|last| last.index.is_some());
        if indexed || !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            return Ok(None);
        }
        let Ok(value) = self.environment.value(right) else { return Ok(None) };
        let Meaning::OneHot { first, least, length } = self.reference(reference)? else { return Ok(None) };
        let equal = comparison == Comparison::Equal;
        let bit = i64::from(value) - i64::from(least);
        Ok(Some(match u32::try_from(bit).ok().filter(|&bit| bit < length) {
            Some(bit) => {
                let wanted = Integer::Constant(i32::from(equal));
                Boolean::Compare(Comparison::Equal, Integer::Variable(first.offset(bit)), wanted)
            }
            None => Boolean::Constant(!equal),
        }))
    }
}

/// The value of a variable with one bit per value: each value times its bit.
pub(super) fn one_hot_value<V: Variable>(first: &V, least: i32, length: u32) -> Integer<V> {
    let bits = (0..length).map(|bit| (least.wrapping_add_unsigned(bit), first.offset(bit)));
    let terms = bits.filter(|&(value, _)| value != 0).map(|(value, bit)| match value {
        1 => Integer::Variable(bit),
        _ => simplify::binary(
            crate::expression::BinaryOperator::Multiply,
            Integer::Constant(value),
            Integer::Variable(bit),
        ),
    });
    simplify::sum(terms.collect())
}

/// How many operators and operands what a name stands for has.
pub(super) fn size<V>(meaning: &Meaning<V>) -> u64 {
    match meaning {
        Meaning::Integer(integer) => measure(integer.parts()).0,
        Meaning::Boolean(condition) => measure(condition.parts()).0,
        Meaning::Array { .. } | Meaning::Queue { .. } => 1,
        Meaning::OneHot { length, .. } => 3 * u64::from(*length),
    }
}

/// How deep what a name stands for nests.
pub(super) fn depth<V>(meaning: &Meaning<V>) -> u64 {
    match meaning {
        Meaning::Integer(integer) => measure(integer.parts()).1,
        Meaning::Boolean(condition) => measure(condition.parts()).1,
        Meaning::Array { .. } | Meaning::OneHot { .. } | Meaning::Queue { .. } => 1,
    }
}

/// The number of parts of an expression, and its depth.
fn measure<V>(whole: Parts<'_, V>) -> (u64, u64) {
    whole.fold((0, 0), |(parts, deepest), (_, depth)| (parts + 1, deepest.max(depth)))
}
