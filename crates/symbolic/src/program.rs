//! Programs as steps: which actions stay within comparisons of a variable with a constant and constant changes.

use std::fmt;

use mandala_model::expression::{Boolean, Comparison, Integer, UnaryOperator};
use mandala_model::system::{Program, ProgramTransition, Statement, Target};
use mandala_model::text::Span;

use crate::step::{Cell, Change, Step, Wraps};

/// Why an action is not a sum of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The transition.
    pub transition: String,
    /// Where it is written.
    pub span: Span,
    /// What goes beyond.
    pub reason: Reason,
}

/// What goes beyond steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A condition that is not a comparison of one variable with a constant.
    Condition,
    /// A value that is neither a constant nor the variable itself plus a constant.
    Value,
    /// An element of an array whose index is not a constant.
    Index,
    /// A repetition.
    Fixpoint,
    /// A call of a call of a call, without end or too deep.
    Depth,
    /// More alternatives than can be written out.
    Alternatives,
    /// A body that may abort half way, so that no condition says when it can fire.
    Abort,
    /// A sum that may leave the 32 bits and is looked at afterwards.
    Wraps,
    /// Calls one after the other: whether the second can happen depends on the first.
    Sequence,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Condition => "a condition that is not a comparison of one variable with a constant",
            Reason::Value => "an assignment of something other than a constant or the variable plus a constant",
            Reason::Index => "an array element whose index is not a constant",
            Reason::Fixpoint => "a fixpoint",
            Reason::Depth => "calls that are nested too deep",
            Reason::Alternatives => "too many alternatives to write out",
            Reason::Abort => "a body that may abort half way, so that no condition says when it can fire",
            Reason::Wraps => "a sum that may go beyond 32 bits before it is looked at",
            Reason::Sequence => "several calls of which the later ones depend on what the first one does",
        })
    }
}

/// More alternatives than this for one transition are never written out.
pub const MOST_STEPS: usize = 4096;

/// So many are written out where expressions could be evaluated instead.
pub const FEW_STEPS: usize = 64;

const MOST_DEPTH: usize = 64;

/// The steps of a transition of a program: it does any one of them. There are at most so many.
pub fn steps(program: &Program, transition: &ProgramTransition, most: usize) -> Result<Vec<Step>, Beyond> {
    let beyond = |reason| Beyond { transition: transition.name.clone(), span: transition.span, reason };
    Walk { program, most }.fire(transition, vec![Step::default()], 0).map_err(beyond)
}

/// A walk through statements.
struct Walk<'p> {
    program: &'p Program,
    /// So many steps may there be at a time.
    most: usize,
}

impl Walk<'_> {
    fn fire(&self, transition: &ProgramTransition, from: Vec<Step>, depth: usize) -> Result<Vec<Step>, Reason> {
        if depth > MOST_DEPTH {
            return Err(Reason::Depth);
        }
        let from = after(&from, &conditions(&transition.guard, true)?)?;
        self.run(&transition.body, from, depth)
    }

    fn run(&self, body: &[Statement], mut steps: Vec<Step>, depth: usize) -> Result<Vec<Step>, Reason> {
        for statement in body {
            steps = match statement {
                Statement::Abort => Vec::new(),
                Statement::Fixpoint(_) => return Err(Reason::Fixpoint),
                Statement::Assign(target, value) => after(&steps, &[assignment(target, value)?])?,
                Statement::If(condition, yes, no) => {
                    let mut both = Vec::new();
                    for (truth, body) in [(true, yes), (false, no)] {
                        // Where nothing comes of it, the steps that lead there need not be known.
                        if !matches!(body.first(), Some(Statement::Abort)) {
                            let here = after(&steps, &conditions(condition, truth)?)?;
                            both.extend(self.run(body, here, depth)?);
                        }
                    }
                    both
                }
                Statement::Call(label) => {
                    let called = self.program.transitions.iter().filter(|callee| callee.label.as_ref() == Some(label));
                    let mut all = Vec::new();
                    for callee in called {
                        all.extend(self.fire(callee, steps.clone(), depth + 1)?);
                    }
                    all
                }
            };
            if steps.len() > self.most {
                return Err(Reason::Alternatives);
            }
        }
        Ok(steps)
    }
}

/// Each of the first and then each of the second.
fn after(first: &[Step], second: &[Step]) -> Result<Vec<Step>, Reason> {
    if first.len().saturating_mul(second.len()) > MOST_STEPS {
        return Err(Reason::Alternatives);
    }
    Step::in_sequence(first, second).map_err(|Wraps| Reason::Wraps)
}

fn assignment(target: &Target, value: &Integer<u32>) -> Result<Step, Reason> {
    let target = match target {
        Target::Variable(variable) => *variable,
        Target::Element { first, length, index } => match linear(index).ok_or(Reason::Index)? {
            (None, index) if 0 <= index && index < i64::from(*length) => first + index as u32,
            _ => return Err(Reason::Index),
        },
    };
    let (variable, constant) = linear(value).ok_or(Reason::Value)?;
    // Arithmetic is that of 32 bits.
    let constant = constant as i32;
    match variable {
        None => Ok(Step::of(target, Cell::changing(Change::Set(constant)))),
        Some(variable) if variable == target => Ok(Step::of(target, Cell::changing(Change::Add(constant)))),
        Some(_) => Err(Reason::Value),
    }
}

/// The states that satisfy a condition (or do not, if `wanted` is false), as steps that change nothing.
pub(crate) fn conditions(condition: &Boolean<u32>, wanted: bool) -> Result<Vec<Step>, Reason> {
    match condition {
        Boolean::Constant(value) => Ok(if *value == wanted { vec![Step::default()] } else { Vec::new() }),
        Boolean::Not(inner) => conditions(inner, !wanted),
        Boolean::And(parts) if wanted => all(parts, wanted),
        Boolean::Or(parts) if !wanted => all(parts, wanted),
        Boolean::And(parts) | Boolean::Or(parts) => {
            let mut steps = Vec::new();
            for part in parts {
                steps.extend(conditions(part, wanted)?);
                if steps.len() > MOST_STEPS {
                    return Err(Reason::Alternatives);
                }
            }
            Ok(steps)
        }
        Boolean::Compare(comparison, left, right) => {
            let comparison = if wanted { *comparison } else { comparison.negated() };
            compare(comparison, left, right)
        }
    }
}

fn all(parts: &[Boolean<u32>], wanted: bool) -> Result<Vec<Step>, Reason> {
    let mut steps = vec![Step::default()];
    for part in parts {
        steps = after(&steps, &conditions(part, wanted)?)?;
    }
    Ok(steps)
}

fn compare(comparison: Comparison, left: &Integer<u32>, right: &Integer<u32>) -> Result<Vec<Step>, Reason> {
    let left = linear(left).ok_or(Reason::Condition)?;
    let right = linear(right).ok_or(Reason::Condition)?;
    match (left, right) {
        ((None, a), (None, b)) => {
            Ok(if comparison.holds(&(a as i32), &(b as i32)) { vec![Step::default()] } else { Vec::new() })
        }
        ((Some(variable), plus), (None, bound)) => Ok(compared(variable, plus as i32, comparison, bound as i32)),
        ((None, bound), (Some(variable), plus)) => {
            Ok(compared(variable, plus as i32, comparison.mirrored(), bound as i32))
        }
        ((Some(_), _), (Some(_), _)) => Err(Reason::Condition),
    }
}

/// The values of a variable for which `variable + plus` compares with a bound: intervals, because sums wrap.
fn compared(variable: u32, plus: i32, comparison: Comparison, bound: i32) -> Vec<Step> {
    let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
    let bound = i64::from(bound);
    let sums = match comparison {
        Comparison::Equal => vec![(bound, bound)],
        Comparison::NotEqual => vec![(least, bound - 1), (bound + 1, most)],
        Comparison::Less => vec![(least, bound - 1)],
        Comparison::LessOrEqual => vec![(least, bound)],
        Comparison::Greater => vec![(bound + 1, most)],
        Comparison::GreaterOrEqual => vec![(bound, most)],
    };
    let mut values: Vec<(i64, i64)> = Vec::new();
    for (low, high) in sums.into_iter().filter(|(low, high)| low <= high) {
        // Shifted back, an interval of sums may leave the 32 bits at one end and come in again at the other.
        for turn in [-1, 0, 1] {
            let shift = turn * (1i64 << 32) - i64::from(plus);
            let (low, high) = ((low + shift).max(least), (high + shift).min(most));
            if low <= high {
                values.push((low, high));
            }
        }
    }
    values.into_iter().map(|(low, high)| Step::of(variable, Cell::between(low as i32, high as i32))).collect()
}

/// An expression as a variable (or none) plus a constant.
fn linear(expression: &Integer<u32>) -> Option<(Option<u32>, i64)> {
    match expression {
        Integer::Constant(value) => Some((None, i64::from(*value))),
        Integer::Variable(variable) => Some((Some(*variable), 0)),
        Integer::Element { first, length, index } => match linear(index)? {
            (None, index) if 0 <= index && index < i64::from(*length) => Some((Some(first + index as u32), 0)),
            _ => None,
        },
        Integer::Sum(parts) => {
            let mut sum: (Option<u32>, i64) = (None, 0);
            for part in parts {
                let (variable, constant) = linear(part)?;
                if sum.0.is_some() && variable.is_some() {
                    return None;
                }
                sum = (sum.0.or(variable), i64::from(sum.1.wrapping_add(constant) as i32));
            }
            Some(sum)
        }
        Integer::Unary(UnaryOperator::Minus, inner) => match linear(inner)? {
            (None, constant) => Some((None, i64::from((constant as i32).wrapping_neg()))),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_wrap() {
        let values = [i32::MIN, i32::MIN + 1, -3, -1, 0, 1, 2, 5, i32::MAX - 1, i32::MAX];
        use Comparison::*;
        for comparison in [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual] {
            for plus in values {
                for bound in values {
                    let steps = compared(0, plus, comparison, bound);
                    for value in values {
                        let passes = steps.iter().filter(|step| step.cells[0].1.apply(value).is_some()).count();
                        let expected = comparison.holds(&value.wrapping_add(plus), &bound);
                        assert_eq!(passes, usize::from(expected), "{value} + {plus} {comparison:?} {bound}");
                    }
                }
            }
        }
    }
}
