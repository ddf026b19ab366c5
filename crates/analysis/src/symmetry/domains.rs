//! Which values the variables of programs can have, where these are few.
//!
//! The *domain* of a variable has every value that the variable ever has. Domains are closed: every initial state is made
//! of them, and a statement that runs where all variables have values of their domains, and where the guard before it
//! holds, leaves it so. They are found as the least sets for which this is seen statement by statement; what becomes too
//! large has none.

use mandala_model::expression::{Boolean, Integer, Part};
use mandala_model::system::{Program, Statement, System, Target, Type};
use rustc_hash::FxHashMap;

use super::partial::{Number, Partial, Truth};

/// The most values of a domain.
const MOST_VALUES: usize = 64;

/// After so many statements nothing more is looked for.
const MOST_STATEMENTS: usize = 1_000_000;

/// Expressions with more parts are not looked at.
pub(super) const MOST_PARTS: usize = 1000;

/// Values in ascending order; nothing if there are too many, or if they are not known.
type Set = Option<Vec<i32>>;

/// A variable: its type, and its place there.
pub(super) type Owned = (usize, usize);

/// The domains of the variables of programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Domains {
    /// By type and by variable; types that are no programs have none.
    types: Vec<Vec<Set>>,
}

impl Domains {
    /// The domains of the variables of a system.
    pub fn of(system: &System) -> Domains {
        let mut domains = Domains { types: Vec::with_capacity(system.types.len()) };
        for kind in &system.types {
            let Type::Program(program) = kind else {
                domains.types.push(Vec::new());
                continue;
            };
            let mut sets: Vec<Set> = vec![Some(Vec::new()); program.variables.len()];
            for initial in &program.initial {
                sets.iter_mut().zip(&initial.values).for_each(|(set, &value)| add(set, &[value]));
            }
            domains.types.push(sets);
        }
        domains.close(system);
        domains
    }

    /// Makes the domains of pairs of variables equal.
    pub fn unite(&mut self, system: &System, pairs: &[(Owned, Owned)]) {
        loop {
            let mut is_changed = false;
            for &(one, other) in pairs {
                let (set, own) = (self.set(one), self.set(other));
                if set == own {
                    continue;
                }
                let mut both = set.cloned();
                match own {
                    Some(own) => add(&mut both, own),
                    None => both = None,
                }
                for at in [one, other] {
                    if let Some(place) = self.types.get_mut(at.0).and_then(|sets| sets.get_mut(at.1)) {
                        is_changed |= *place != both;
                        place.clone_from(&both);
                    }
                }
            }
            if !self.close(system) && !is_changed {
                return;
            }
        }
    }

    fn set(&self, (kind, variable): Owned) -> Option<&Vec<i32>> {
        self.types.get(kind)?.get(variable)?.as_ref()
    }

    /// The domain of a variable of a type.
    pub fn domain(&self, kind: usize, variable: usize) -> Option<&[i32]> {
        self.set((kind, variable)).map(Vec::as_slice)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.types.iter().flatten().all(Option::is_none)
    }

    /// Whether no statement leads out of them, nor an initial state lies outside.
    pub fn are_closed(&self, system: &System) -> bool {
        let is_inside = system.types.iter().enumerate().all(|(index, kind)| {
            let Type::Program(program) = kind else { return true };
            program.initial.iter().flat_map(|initial| initial.values.iter().enumerate()).all(|(variable, value)| {
                self.domain(index, variable).is_none_or(|domain| domain.binary_search(value).is_ok())
            })
        });
        let mut closed = self.clone();
        is_inside && (self.types.is_empty() || !closed.close(system))
    }

    /// Adds what statements lead to; whether that is anything.
    fn close(&mut self, system: &System) -> bool {
        let mut is_changed = false;
        for (kind, sets) in system.types.iter().zip(&mut self.types) {
            if let Type::Program(program) = kind {
                let mut left = MOST_STATEMENTS;
                while pass(program, sets, &mut left) {
                    is_changed = true;
                }
            }
        }
        is_changed
    }
}

/// Adds values to a set.
fn add(set: &mut Set, values: &[i32]) {
    let Some(own) = set else { return };
    for &value in values {
        if let Err(at) = own.binary_search(&value) {
            own.insert(at, value);
        }
    }
    if own.len() > MOST_VALUES {
        *set = None;
    }
}

/// What statements see: the domains, and for some variables fewer values, by what was asked before.
#[derive(Clone, Default)]
struct Narrowed {
    to: FxHashMap<u32, Vec<i32>>,
}

/// Adds what each statement of a program leads to, once; whether that is anything. If there are more statements than may
/// be looked at, nothing is known of any variable.
fn pass(program: &Program, sets: &mut [Set], left: &mut usize) -> bool {
    let mut is_changed = false;
    for transition in &program.transitions {
        let mut start = Narrowed::default();
        narrow(&transition.guard, true, sets, &mut start);
        let mut open = vec![(transition.body.as_slice(), start)];
        while let Some((list, mut narrowed)) = open.pop() {
            for statement in list {
                let Some(fewer) = left.checked_sub(1) else {
                    let is_known = sets.iter().any(Option::is_some);
                    sets.fill(None);
                    return is_known;
                };
                *left = fewer;
                match statement {
                    Statement::Assign(target, value) => {
                        if let Target::Element { length, index, .. } = target {
                            narrow_index(index, *length, sets, &mut narrowed);
                        }
                        narrow_indices(value, sets, &mut narrowed);
                        let values = values_of(value, sets, &narrowed);
                        for variable in targets(target, sets, &narrowed) {
                            narrowed.to.remove(&variable);
                            let Some(set) = sets.get_mut(variable as usize) else { continue };
                            let before = set.as_ref().map(Vec::len);
                            match &values {
                                Some(values) => add(set, values),
                                None => *set = None,
                            }
                            is_changed |= set.as_ref().map(Vec::len) != before;
                        }
                    }
                    Statement::If(condition, yes, no) => {
                        for (branch, truth) in [(yes, true), (no, false)] {
                            let mut inside = narrowed.clone();
                            narrow(condition, truth, sets, &mut inside);
                            open.push((branch, inside));
                        }
                        narrowed = Narrowed::default();
                    }
                    Statement::Fixpoint(inner) => {
                        open.push((inner, Narrowed::default()));
                        narrowed = Narrowed::default();
                    }
                    Statement::Call(_) => narrowed = Narrowed::default(),
                    Statement::Abort => {}
                }
            }
        }
    }
    is_changed
}

/// The variables that may be assigned.
fn targets(target: &Target, sets: &[Set], narrowed: &Narrowed) -> Vec<u32> {
    match target {
        Target::Variable(variable) => vec![*variable],
        Target::Element { first, length, index } => match values_of(index, sets, narrowed) {
            Some(indices) => {
                let inside = indices.into_iter().filter_map(|index| u32::try_from(index).ok());
                inside.filter(|index| index < length).map(|index| first + index).collect()
            }
            None => (*first..first.saturating_add(*length)).collect(),
        },
    }
}

/// The variable of a condition on one variable alone.
pub(super) fn only_variable(condition: &Boolean<u32>) -> Option<u32> {
    let mut variable = None;
    let is_of_one = condition.parts().take(MOST_PARTS + 1).enumerate().all(|(count, (part, _))| match part {
        _ if count == MOST_PARTS => false,
        Part::Integer(Integer::Variable(one)) => *variable.get_or_insert(*one) == *one,
        Part::Integer(Integer::Element { .. }) => false,
        _ => true,
    });
    variable.filter(|_| is_of_one)
}

/// Narrows what variables may be where a condition holds, or does not.
fn narrow(condition: &Boolean<u32>, holds: bool, sets: &[Set], narrowed: &mut Narrowed) {
    let mut open = vec![condition];
    while let Some(condition) = open.pop() {
        match condition {
            Boolean::And(operands) if holds => open.extend(operands),
            Boolean::Or(operands) if !holds => open.extend(operands),
            Boolean::Compare(..) | Boolean::Not(_) => {
                let Some(variable) = only_variable(condition) else { continue };
                let Some(values) = current(variable, sets, narrowed) else { continue };
                let is_possible = |value: &i32| {
                    let known = |one| (one == variable).then_some(*value);
                    // What has no value in an action is an error, and nothing follows.
                    Partial { known: &known, is_action: false }.boolean(condition) == Truth::Value(holds)
                };
                let values = values.iter().copied().filter(is_possible).collect();
                narrowed.to.insert(variable, values);
            }
            _ => {}
        }
    }
}

/// Narrows what variables may be where all elements that an expression reads are there: if one is not, nothing follows.
fn narrow_indices(expression: &Integer<u32>, sets: &[Set], narrowed: &mut Narrowed) {
    let mut open = vec![expression];
    while let Some(expression) = open.pop() {
        match expression {
            Integer::Element { length, index, .. } => {
                open.push(index);
                narrow_index(index, *length, sets, narrowed);
            }
            Integer::Sum(operands) => open.extend(operands),
            Integer::Unary(_, operand) => open.push(operand),
            Integer::Binary(_, left, right) => open.extend([&**left, right]),
            // What a condition reads it may not reach.
            Integer::Constant(_) | Integer::Variable(_) | Integer::Truth(_) => {}
        }
    }
}

/// Narrows a variable that is an index to what lies inside of an array.
fn narrow_index(index: &Integer<u32>, length: u32, sets: &[Set], narrowed: &mut Narrowed) {
    if let Integer::Variable(variable) = index
        && let Some(values) = current(*variable, sets, narrowed)
    {
        let is_inside = |value: &i32| u32::try_from(*value).is_ok_and(|index| index < length);
        let values = values.iter().copied().filter(is_inside).collect();
        narrowed.to.insert(*variable, values);
    }
}

fn current<'s>(variable: u32, sets: &'s [Set], narrowed: &'s Narrowed) -> Option<&'s Vec<i32>> {
    narrowed.to.get(&variable).or_else(|| sets.get(variable as usize)?.as_ref())
}

/// The values that an expression may have.
fn values_of(expression: &Integer<u32>, sets: &[Set], narrowed: &Narrowed) -> Set {
    if expression.parts().nth(MOST_PARTS).is_some() {
        return None;
    }
    possible(expression, sets, narrowed)
}

fn possible(expression: &Integer<u32>, sets: &[Set], narrowed: &Narrowed) -> Set {
    let of = |expression: &Integer<u32>| possible(expression, sets, narrowed);
    match expression {
        Integer::Constant(value) => Some(vec![*value]),
        Integer::Variable(variable) => current(*variable, sets, narrowed).cloned(),
        Integer::Element { first, length, index } => {
            let mut all = Some(Vec::new());
            for index in of(index)? {
                if let Some(index) = u32::try_from(index).ok().filter(|index| index < length) {
                    add(&mut all, current(first + index, sets, narrowed)?);
                }
            }
            all
        }
        Integer::Sum(operands) => operands
            .iter()
            .try_fold(vec![0], |sums, operand| pairs(&sums, &of(operand)?, |one, other| Some(one.wrapping_add(other)))),
        Integer::Unary(operator, operand) => {
            let each = |&value: &i32| {
                let one = Integer::Unary(*operator, Box::new(Integer::Constant(value)));
                match (Partial { known: &|_| None, is_action: true }).integer(&one) {
                    Number::Value(value) => Some(value),
                    _ => None,
                }
            };
            pairs(&of(operand)?, &[0], |value, _| each(&value))
        }
        Integer::Binary(operator, left, right) => {
            pairs(&of(left)?, &of(right)?, |left, right| operator.calculate(left, right))
        }
        Integer::Truth(_) => Some(vec![0, 1]),
    }
}

/// What becomes of pairs of values; those of which nothing becomes do not count.
fn pairs(left: &[i32], right: &[i32], result: impl Fn(i32, i32) -> Option<i32>) -> Set {
    let mut all: Vec<i32> = Vec::with_capacity(left.len() * right.len());
    for &left in left {
        all.extend(right.iter().filter_map(|&right| result(left, right)));
    }
    all.sort_unstable();
    all.dedup();
    (all.len() <= MOST_VALUES).then_some(all)
}
