//! Expressions and assignments case by case, by the values of variables that have domains.
//!
//! A comparison of variables with domains is the set of the values for which it holds, whatever numbers these are: of
//! `turn == 1` only the value `turn = 1` is left, of `next == last` the pairs of equal values. An element `a[next]` is, for
//! each value of `next`, a variable. `next = last` gives `next`, for each value of `last`, one of its own. So a symmetry
//! may rename the values of a variable, if it renames whatever depends on them. Where a number is needed as such, or where
//! there are too many cases, the values of a variable are tied to their numbers ([`Terms::number`]).

use mandala_model::expression::{Boolean, Comparison, Integer, Part};
use mandala_model::system::Target;

use super::domains::{MOST_PARTS, only_variable};
use super::partial::{Number, Partial, Truth};
use super::syntax::{self, Scope};
use super::terms::{Head, Role, Term, Terms};

/// So many cases of one expression are looked at.
const MOST_CASES: usize = 4096;

/// The term of a comparison, or of an element of an array, if it is a matter of cases.
pub(super) fn expression<V>(terms: &mut Terms, part: &Part<'_, V>, scope: &Scope<'_, V>) -> Option<Term> {
    if terms.values().is_empty() {
        return None;
    }
    match *part {
        Part::Boolean(condition @ Boolean::Compare(..)) if condition.parts().nth(MOST_PARTS).is_none() => {
            condition_by_cases(terms, &condition.over(&scope.variable), scope.is_action)
        }
        Part::Integer(element @ Integer::Element { .. }) if element.parts().nth(MOST_PARTS).is_none() => {
            element_by_cases(terms, &element.over(&scope.variable), scope.is_action)
        }
        _ => None,
    }
}

/// The term of a comparison in a formula, if it is a matter of cases.
pub(super) fn comparison<V>(
    terms: &mut Terms, comparison: Comparison, sides: [&Integer<V>; 2], scope: &Scope<'_, V>,
) -> Option<Term> {
    let parts = sides[0].parts().chain(sides[1].parts());
    if terms.values().is_empty() || parts.take(MOST_PARTS + 1).count() > MOST_PARTS {
        return None;
    }
    let [left, right] = sides.map(|side| side.over(&scope.variable));
    condition_by_cases(terms, &Boolean::Compare(comparison, left, right), scope.is_action)
}

/// The term of an assignment, if it is a matter of cases.
pub(super) fn assignment(
    terms: &mut Terms, target: &Target, value: &Integer<u32>, scope: &Scope<'_, u32>,
) -> Option<Term> {
    if terms.values().is_empty() {
        return None;
    }
    let target = match target {
        Target::Variable(variable) => Integer::Variable(*variable),
        Target::Element { first, length, index } => {
            Integer::Element { first: *first, length: *length, index: Box::new(index.clone()) }
        }
    };
    if target.parts().chain(value.parts()).take(MOST_PARTS + 1).count() > MOST_PARTS {
        return None;
    }
    Some(assigned(terms, &target.over(&scope.variable), &value.over(&scope.variable)))
}

/// Excludes the cases in which a guard does not hold, by what it says of single variables: the statements behind it are not
/// run there.
pub(super) fn exclude(terms: &mut Terms, guard: &Boolean<u32>, scope: &Scope<'_, u32>) {
    let mut open = if terms.values().is_empty() { Vec::new() } else { vec![guard] };
    while let Some(condition) = open.pop() {
        if let Boolean::And(operands) = condition {
            open.extend(operands);
            continue;
        }
        let Some(own) = only_variable(condition) else { continue };
        let variable = (scope.variable)(&own);
        let values: Vec<(Term, i32)> = terms.domain(variable).map_or(Vec::new(), |domain| {
            domain.iter().filter_map(|&(_, value)| Some((terms.value(variable, value)?, value))).collect()
        });
        let fails = |value: i32| {
            let known = |one| (one == own).then_some(value);
            Partial { known: &known, is_action: false }.boolean(condition) == Truth::Value(false)
        };
        terms.exclude(values.into_iter().filter(|&(_, value)| fails(value)).map(|(point, _)| point));
    }
}

/// Variables as they are.
fn plain(is_action: bool) -> Scope<'static, u32> {
    Scope { variable: &|variable| *variable, is_action }
}

/// What is left of a condition.
fn condition_by_cases(terms: &mut Terms, condition: &Boolean<u32>, is_action: bool) -> Option<Term> {
    let condition = match (Partial { known: &|_| None, is_action }).boolean(condition) {
        Truth::Open(condition) => condition,
        known => return Some(truth(terms, &known)),
    };
    let chosen = chosen(terms, Part::Boolean(&condition))?;
    let (mut holds, mut rows, mut is_known) = (Vec::new(), Vec::new(), true);
    let count = each_case(terms, &chosen, |terms, points, known| {
        let left = Partial { known, is_action }.boolean(&condition);
        match &left {
            Truth::Value(false) => {}
            Truth::Value(true) => holds.push(together(terms, points)),
            _ => is_known = false,
        }
        rows.push((points.to_vec(), left));
    });
    if is_known {
        return Some(match holds.len() {
            0 => terms.leaf(Head::Truth(false)),
            all if all == count => terms.leaf(Head::Truth(true)),
            _ => terms.set(Head::Word("holds"), holds),
        });
    }
    let cases = rows.into_iter().map(|(points, left)| {
        let left = match left {
            Truth::Open(left) => syntax::expression(terms, Part::Boolean(&left), &plain(is_action)),
            known => truth(terms, &known),
        };
        case(terms, &points, left)
    });
    let cases = cases.collect();
    Some(terms.set(Head::Word("cases"), cases))
}

fn truth(terms: &mut Terms, known: &Truth) -> Term {
    match known {
        Truth::Value(truth) => terms.leaf(Head::Truth(*truth)),
        _ => terms.leaf(NOTHING),
    }
}

/// What has no value.
const NOTHING: Head = Head::Word("no value");

/// An element of an array with a computed index.
fn element_by_cases(terms: &mut Terms, element: &Integer<u32>, is_action: bool) -> Option<Term> {
    let chosen = chosen(terms, Part::Integer(element))?;
    let mut rows = Vec::new();
    each_case(terms, &chosen, |_, points, known| {
        rows.push((points.to_vec(), Partial { known, is_action }.integer(element)));
    });
    let cases = rows.into_iter().map(|(points, left)| {
        let left = match left {
            Number::Nothing => terms.leaf(NOTHING),
            left => syntax::expression(terms, Part::Integer(&left.expression()), &plain(is_action)),
        };
        case(terms, &points, left)
    });
    let cases = cases.collect();
    Some(terms.set(Head::Word("cases"), cases))
}

/// A variable, or an element of an array, gets a value.
fn assigned(terms: &mut Terms, target: &Integer<u32>, value: &Integer<u32>) -> Term {
    let target = match (Partial { known: &|_| None, is_action: true }).integer(target) {
        Number::Open(target) => target,
        _ => return terms.leaf(NOTHING),
    };
    if let Integer::Variable(variable) = target {
        let value = match terms.domain(variable) {
            Some(_) => own_value(terms, variable, value),
            None => syntax::expression(terms, Part::Integer(value), &plain(true)),
        };
        return terms.ordered(Head::Word("assign"), [variable, value]);
    }
    let Some(chosen) = chosen(terms, Part::Integer(&target)) else {
        let sides = [&target, value].map(|side| syntax::expression(terms, Part::Integer(side), &plain(true)));
        return terms.ordered(Head::Word("assign"), sides);
    };
    let Integer::Element { first, length, index } = &target else { return terms.leaf(NOTHING) };
    let mut rows = Vec::new();
    each_case(terms, &chosen, |_, points, known| {
        let partial = Partial { known, is_action: true };
        // Which element it is depends on the index alone, and not on what the element holds.
        let index = match partial.integer(index) {
            Number::Nothing => None,
            index => Some(Box::new(index.expression())),
        };
        let target = index.map(|index| Integer::Element { first: *first, length: *length, index });
        rows.push((points.to_vec(), target, partial.integer(value).expression()));
    });
    let cases = rows.into_iter().map(|(points, target, value)| {
        let left = match target {
            Some(target) => assigned(terms, &target, &value),
            None => terms.leaf(NOTHING),
        };
        case(terms, &points, left)
    });
    let cases = cases.collect();
    terms.set(Head::Word("cases"), cases)
}

/// Which of its values a variable with a domain gets.
fn own_value(terms: &mut Terms, variable: u32, value: &Integer<u32>) -> Term {
    let value = match (Partial { known: &|_| None, is_action: true }).integer(value) {
        // What is not in the domain is excluded by a guard.
        Number::Value(value) => return terms.value(variable, value).unwrap_or_else(|| terms.leaf(NOTHING)),
        Number::Nothing => return terms.leaf(NOTHING),
        Number::Open(value) => value,
    };
    let Some(chosen) = chosen(terms, Part::Integer(&value)) else {
        let sides = [terms.number(variable), syntax::expression(terms, Part::Integer(&value), &plain(true))];
        return terms.ordered(Head::Word("by number"), sides);
    };
    let mut rows = Vec::new();
    each_case(terms, &chosen, |_, points, known| {
        rows.push((points.to_vec(), Partial { known, is_action: true }.integer(&value).expression()));
    });
    let cases = rows.into_iter().map(|(points, value)| {
        let left = own_value(terms, variable, &value);
        case(terms, &points, left)
    });
    let cases = cases.collect();
    terms.set(Head::Word("cases"), cases)
}

/// The variables whose values make the cases: those in indices if there are some, else all that have domains. Nothing if
/// there are none, or too many cases.
fn chosen(terms: &mut Terms, part: Part<'_, u32>) -> Option<Vec<u32>> {
    let (mut inside, mut all) = (Vec::new(), Vec::new());
    let mut open = vec![(part, false)];
    while let Some((part, is_index)) = open.pop() {
        let mut operand = |operand| open.push((Part::Integer(operand), is_index));
        match part {
            Part::Integer(Integer::Variable(variable)) if terms.domain(*variable).is_some() => {
                all.push(*variable);
                if is_index {
                    inside.push(*variable);
                }
            }
            Part::Integer(Integer::Constant(_) | Integer::Variable(_)) | Part::Boolean(Boolean::Constant(_)) => {}
            Part::Integer(Integer::Element { index, .. }) => open.push((Part::Integer(index), true)),
            Part::Integer(Integer::Sum(operands)) => operands.iter().for_each(operand),
            Part::Integer(Integer::Unary(_, inner)) => operand(inner),
            Part::Integer(Integer::Binary(_, left, right)) => {
                operand(left);
                operand(right);
            }
            Part::Boolean(Boolean::Compare(_, left, right)) => {
                operand(left);
                operand(right);
            }
            Part::Integer(Integer::Truth(inner)) => open.push((Part::Boolean(inner), is_index)),
            Part::Boolean(Boolean::Not(inner)) => open.push((Part::Boolean(inner), is_index)),
            Part::Boolean(Boolean::And(list) | Boolean::Or(list)) => {
                open.extend(list.iter().map(|one| (Part::Boolean(one), is_index)));
            }
        }
    }
    let mut chosen = if inside.is_empty() { all } else { inside };
    chosen.sort_unstable();
    chosen.dedup();
    let domains = chosen.iter().filter_map(|&variable| terms.domain(variable));
    let cases = domains.fold(1usize, |cases, domain| cases.saturating_mul(domain.len()));
    (!chosen.is_empty() && cases <= MOST_CASES && terms.look_at(cases)).then_some(chosen)
}

/// Goes through all cases of some variables, each as the values that these have, and as what is then known. Returns how
/// many there are.
fn each_case(
    terms: &mut Terms, variables: &[u32], mut visit: impl FnMut(&mut Terms, &[Term], &dyn Fn(u32) -> Option<i32>),
) -> usize {
    let mut rows: Vec<Vec<(Term, i32)>> = vec![Vec::new()];
    for &variable in variables {
        let domain = terms.domain(variable).unwrap_or_default();
        let values: Vec<(Term, i32)> =
            domain.iter().filter_map(|&(_, value)| Some((terms.value(variable, value)?, value))).collect();
        let values: Vec<(Term, i32)> = values.into_iter().filter(|&(point, _)| !terms.is_excluded(point)).collect();
        let longer = |row: &Vec<(Term, i32)>| {
            let with = |&value: &(Term, i32)| row.iter().copied().chain([value]).collect::<Vec<_>>();
            values.iter().map(with).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    for row in &rows {
        let points: Vec<Term> = row.iter().map(|&(point, _)| point).collect();
        let known = |variable: u32| variables.binary_search(&variable).ok().map(|at| row[at].1);
        visit(terms, &points, &known);
    }
    rows.len()
}

/// That several variables have these values.
fn together(terms: &mut Terms, points: &[Term]) -> Term {
    match points {
        [point] => *point,
        points => terms.unordered(Head::Word("all of"), points.iter().copied()),
    }
}

/// What is left where variables have these values.
fn case(terms: &mut Terms, points: &[Term], left: Term) -> Term {
    let points = points.iter().map(|&point| (Role::Part, point));
    terms.make(Head::Word("case"), points.chain([(Role::Position(0), left)]))
}
