//! What programs and nets (and composites) declare alike: names, definitions, labels, arrays, initial values.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::ledger::{Ledger, Outcome, Stop, complaint};
use super::super::syntax::{Definition, Expression, ExpressionKind, Label, Name, Reference, Unary, Values};
use super::builder::{Builder, Meaning, Names, depth, size};
use super::combine::with_arguments;
use super::environment::Environment;
use super::hotbit;
use crate::expression::Integer;
use crate::text::{Problem, Span};

/// How deep the expressions behind a name may nest.
const DEEPEST_NAME: u64 = 1000;

/// How many operators and operands the expression behind a name may have.
const LARGEST_NAME: u64 = 100_000;

/// A transition counts as so many parts of expressions: it is that much larger than one.
pub(super) const TRANSITION: u64 = 8;

/// A statement or a call counts as so many, beside the expressions in it.
pub(super) const STATEMENT: u64 = 6;

/// The names of a program or a net.
#[derive(Default)]
pub(super) struct LocalNames<'a> {
    names: FxHashMap<&'a str, Meaning<u32>>,
    /// Names whose declaration is wrong, which has been reported; their uses are not to blame.
    failed: FxHashSet<&'a str>,
    /// The cells of queues, ascending, with the letters that may be there.
    cells: Vec<(std::ops::Range<u32>, Vec<String>)>,
}

impl<'a> LocalNames<'a> {
    pub fn insert(&mut self, name: &'a Name, meaning: Meaning<u32>) {
        self.names.insert(&name.text, meaning);
    }

    /// Notes the cells of a queue.
    pub fn add_cells(&mut self, cells: std::ops::Range<u32>, letters: Vec<String>) {
        self.cells.push((cells, letters));
    }

    /// Notes a name whose declaration is wrong.
    pub fn fail(&mut self, name: &'a Name) {
        self.failed.insert(&name.text);
    }
}

impl Names for LocalNames<'_> {
    type Variable = u32;

    fn letters(&self, variable: &u32) -> Option<&[String]> {
        let behind = self.cells.partition_point(|(cells, _)| cells.end <= *variable);
        let queue = self.cells.get(behind).filter(|(cells, _)| cells.contains(variable));
        queue.map(|(_, letters)| letters.as_slice())
    }

    fn find(&self, reference: &Reference, _: &Environment<'_>, ledger: &mut Ledger) -> Outcome<Meaning<u32>> {
        let name = reference.single().map(|segment| segment.name.text.as_str());
        match name.and_then(|name| self.names.get(name)) {
            Some(meaning) => Ok(meaning.clone()),
            None if name.is_some_and(|name| self.failed.contains(name)) => Err(Stop),
            None => {
                let text = name.map_or_else(|| reference.to_string(), str::to_string);
                let names = self.names.keys().copied();
                Err(ledger.report(complaint::unknown(reference.span(), "variable", &text, names)))
            }
        }
    }
}

/// What a definition stands for.
pub(super) fn definition_of<N: Names>(
    builder: &mut Builder<'_, '_, N>, definition: &Definition, condition: bool,
) -> Outcome<Meaning<N::Variable>> {
    let value = &definition.value;
    let meaning = match &value.kind {
        _ if condition => Meaning::Boolean(builder.boolean(value)?),
        ExpressionKind::Reference(reference) => builder.reference(reference)?,
        ExpressionKind::Number(_)
        | ExpressionKind::Parameter(_)
        | ExpressionKind::Chain(..)
        | ExpressionKind::Unary(Unary::Minus | Unary::BitNot, _) => Meaning::Integer(builder.integer(value)?),
        _ => Meaning::Boolean(builder.boolean(value)?),
    };
    let name = &definition.name;
    if depth(&meaning) > DEEPEST_NAME || size(&meaning) > LARGEST_NAME {
        let problem = Problem::new(name.span(), format!("`{}` stands for too large an expression", name.text))
            .label("with the names it uses filled in")
            .help(format!("it may have {LARGEST_NAME} operators and operands, {DEEPEST_NAME} in each other"));
        return Err(builder.ledger.report(problem));
    }
    Ok(meaning)
}

/// The text of a label with its arguments; an empty label is none.
pub(super) fn label_text(
    label: Option<&Label>, environment: &Environment<'_>, ledger: &mut Ledger,
) -> Outcome<Option<String>> {
    let Some(label) = label.filter(|label| !label.name.text.is_empty()) else { return Ok(None) };
    let arguments: Outcome<Vec<i32>> =
        label.arguments.iter().map(|argument| environment.constant(argument, ledger)).collect();
    Ok(Some(with_arguments(&label.name.text, &arguments?)))
}

/// The length of an array, if it is one.
pub(super) fn array_length(
    length: Option<&Expression>, name: &Name, environment: &Environment<'_>, ledger: &mut Ledger,
) -> Outcome<Option<u32>> {
    let Some(length) = length else { return Ok(None) };
    let value = environment.constant(length, ledger)?;
    match u32::try_from(value) {
        Ok(value) => {
            ledger.elements(u64::from(value), length.span())?;
            Ok(Some(value))
        }
        Err(_) => {
            let mut problem = Problem::new(length.span(), format!("`{}` cannot have {value} elements", name.text))
                .label("a length is not negative");
            if matches!(length.kind, ExpressionKind::Chain(..)) {
                problem = problem.help("a number beyond 32 bits wraps around, and may become negative");
            }
            Err(ledger.report(problem))
        }
    }
}

/// The initial values of an array.
pub(super) fn array_values(
    values: &Values, name: &Name, length: u32, environment: &Environment<'_>, ledger: &mut Ledger,
) -> Outcome<Vec<i32>> {
    match values {
        Values::List(list) if list.len() == length as usize => {
            list.iter().map(|value| environment.constant(value, ledger)).collect()
        }
        Values::List(list) => {
            let span = list
                .first()
                .map_or(name.span(), |first| first.span().to(list.last().map_or(first.span(), Expression::span)));
            let problem =
                Problem::new(span, format!("`{}` has {length} elements and {} values", name.text, list.len()))
                    .label(format!("expected {length} values"))
                    .help("give each element its value, or one to all, as in `= 1`, or none: they are 0 then");
            Err(ledger.report(problem))
        }
        Values::One(value) => Ok(vec![environment.constant(value, ledger)?; length as usize]),
        Values::None => Ok(vec![0; length as usize]),
    }
}

/// Changes a value in an initial state.
pub(super) fn set(
    values: &mut [i32], target: &Reference, meaning: Meaning<u32>, (value, span): (i32, Span), ledger: &mut Ledger,
) -> Outcome<()> {
    match meaning {
        Meaning::Integer(Integer::Variable(variable)) => {
            if let Some(place) = values.get_mut(variable as usize) {
                *place = value;
            }
            Ok(())
        }
        Meaning::OneHot { first, least, length } => hotbit::set(values, first, least, length, value, span, ledger),
        Meaning::Array { length, .. } => {
            Err(ledger.report(complaint::needs_index(target.span(), &target.to_string(), length)))
        }
        Meaning::Integer(_) | Meaning::Boolean(_) | Meaning::Queue { .. } => {
            Err(ledger.report(complaint::not_assignable(target.span(), &target.to_string())))
        }
    }
}
