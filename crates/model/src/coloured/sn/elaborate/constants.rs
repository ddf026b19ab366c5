//! What parameters and calculations are worth. A number that is too large is an error, and does not wrap around.

use rustc_hash::FxHashMap;

use super::super::syntax::Amount;
use crate::gal::elaborate::Environment;
use crate::gal::ledger::{Ledger, Outcome, Stop, complaint};
use crate::gal::syntax::{Binary, ColourName, Constant, Expression, ExpressionKind, Unary};
use crate::text::{Problem, Span};

/// The constants of a file.
#[derive(Default)]
pub(super) struct Constants<'f> {
    /// Nothing where the value could not be found, which has been reported.
    values: FxHashMap<&'f str, Option<i32>>,
    /// The same for formulas.
    pub environment: Environment<'f>,
}

impl<'f> Constants<'f> {
    /// Those of a file, some of them with values from outside.
    pub fn of(declared: &'f [Constant], defines: &[(String, i32)], ledger: &mut Ledger) -> Constants<'f> {
        let mut constants = Constants::default();
        let mut first: FxHashMap<&str, Span> = FxHashMap::default();
        for constant in declared {
            let name = constant.name.text.as_str();
            if let Some(&first) = first.get(name) {
                ledger.report(complaint::twice(&constant.name, "constant", first));
                continue;
            }
            first.insert(name, constant.name.span());
            let given = defines.iter().rev().find(|(defined, _)| defined == name).map(|(_, value)| *value);
            let value = match given {
                Some(value) => Ok(value),
                None => constants.constant(&constant.value, declared, ledger),
            };
            constants.values.insert(name, value.ok());
            constants.environment.define(name, value.unwrap_or(0));
        }
        for (name, value) in defines {
            if !first.contains_key(name.as_str()) {
                let names: Vec<&str> = declared.iter().map(|constant| constant.name.text.as_str()).collect();
                ledger.report_at_the_top(complaint::undeclared_constant(name, *value, names.into_iter()));
            }
        }
        constants
    }

    fn constant(&self, value: &Expression, declared: &[Constant], ledger: &mut Ledger) -> Outcome<i32> {
        let number = self.value(value, declared, ledger)?;
        i32::try_from(number).map_err(|_| ledger.report(beyond(value.span(), number, 32)))
    }

    /// The value of a number.
    pub fn amount(&self, amount: &Amount, ledger: &mut Ledger) -> Outcome<i64> {
        match amount {
            Amount::Number(number, _) => Ok(*number),
            Amount::Calculated(expression) => self.value(expression, &[], ledger),
        }
    }

    /// A number of times, or of steps, that is not negative.
    pub fn count(&self, amount: &Amount, what: &str, ledger: &mut Ledger) -> Outcome<u32> {
        let number = self.amount(amount, ledger)?;
        u32::try_from(number).map_err(|_| {
            let problem = match number < 0 {
                true => Problem::new(amount.span(), format!("{what} is negative")).label(format!("this is {number}")),
                false => beyond(amount.span(), number, 32),
            };
            ledger.report(problem)
        })
    }

    /// The whole name of a colour.
    pub fn name<'n>(&self, name: &'n ColourName, ledger: &mut Ledger) -> Outcome<std::borrow::Cow<'n, str>> {
        Ok(match &name.number {
            None => name.text.as_str().into(),
            Some(number) => format!("{}{}", name.text, self.value(number, &[], ledger)?).into(),
        })
    }

    /// The value of a calculation. Constants that are declared further down are known only to be so.
    fn value(&self, expression: &Expression, later: &[Constant], ledger: &mut Ledger) -> Outcome<i64> {
        let span = expression.span();
        match &expression.kind {
            ExpressionKind::Number(number) => Ok(i64::from(*number)),
            ExpressionKind::Parameter(name) => match self.values.get(name.as_str()) {
                Some(Some(value)) => Ok(i64::from(*value)),
                Some(None) => Err(Stop),
                None => {
                    let problem = self.environment.unknown_parameter(span, name);
                    let later = later.iter().find(|later| later.name.text == *name);
                    Err(ledger.report(match later {
                        Some(later) => complaint::too_early(problem, later.name.span()),
                        None => problem,
                    }))
                }
            },
            ExpressionKind::Unary(Unary::Minus, operand) => Ok(-self.value(operand, later, ledger)?),
            ExpressionKind::Chain(first, rest) => {
                let mut value = self.value(first, later, ledger)?;
                for (operator, operand) in rest {
                    let right = self.value(operand, later, ledger)?;
                    value = match calculate(*operator, value, right) {
                        Some(value) if value.unsigned_abs() <= 1 << 62 => value,
                        Some(_) => return Err(ledger.report(too_large(span))),
                        None if right == 0 && matches!(operator, Binary::Divide | Binary::Remainder) => {
                            let problem = Problem::new(operand.span(), "this constant has no value")
                                .label("this is 0, and nothing can be divided by it");
                            return Err(ledger.report(problem));
                        }
                        None if right < 0 && *operator == Binary::Power => {
                            let problem =
                                Problem::new(operand.span(), "a power is negative").label(format!("this is {right}"));
                            return Err(ledger.report(problem));
                        }
                        None => return Err(ledger.report(too_large(span))),
                    };
                }
                Ok(value)
            }
            ExpressionKind::Reference(reference) => {
                let problem = Problem::new(span, format!("`{reference}` is no number"))
                    .label("expected a number")
                    .help("only numbers and constants (`$N`) may be used here");
                Err(ledger.report(problem))
            }
            _ => {
                let problem = Problem::new(span, "this is no number").label("expected a number");
                Err(ledger.report(problem.help("use `+`, `-`, `*`, `/`, `%` and `**` on numbers and constants")))
            }
        }
    }
}

fn calculate(operator: Binary, left: i64, right: i64) -> Option<i64> {
    match operator {
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide => left.checked_div(right),
        Binary::Remainder => left.checked_rem(right),
        Binary::Power => left.checked_pow(u32::try_from(right).ok()?),
        Binary::BitAnd => Some(left & right),
        Binary::BitOr => Some(left | right),
        Binary::BitXor => Some(left ^ right),
        Binary::ShiftLeft => left.checked_mul(1_i64.checked_shl(u32::try_from(right).ok()?)?),
        Binary::ShiftRight => Some(left >> u32::try_from(right).ok()?.min(63)),
    }
}

fn too_large(span: Span) -> Problem {
    Problem::new(span, "a number is beyond 64 bits").label("this is too large")
}

fn beyond(span: Span, number: i64, bits: u32) -> Problem {
    Problem::new(span, format!("a number is beyond {bits} bits")).label(format!("this is {number}"))
}
