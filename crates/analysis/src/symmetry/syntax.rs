//! Expressions, statements and formulas as terms.
//!
//! Operands whose order means nothing are alike. That of `&&` and `||` means nothing but where an operand may have no
//! value and that is an error, in actions: there the order decides whether it is reached. Neighbouring assignments that
//! have nothing to do with each other happen in any order.

use mandala_model::expression::{BinaryOperator, Boolean, Comparison, Integer, Part};
use mandala_model::property::{Atom, Formula};
use mandala_model::system::{Location, Statement, Target};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cases;
use super::terms::{Head, Role, Term, Terms};

/// What the variables and other things that syntax names are as terms.
pub(super) struct Scope<'s, V> {
    /// The number of a variable; the elements of an array follow each other.
    pub variable: &'s dyn Fn(&V) -> u32,
    /// Whether something without a value is an error here.
    pub is_action: bool,
}

/// What is left to do on the way to a term.
enum Task<'e, V> {
    Part(Part<'e, V>),
    /// Make a term of as many finished ones, in this order.
    Make(Head, Vec<Role>),
}

/// The term of an expression.
pub(super) fn expression<'e, V>(terms: &mut Terms, part: Part<'e, V>, scope: &Scope<'_, V>) -> Term {
    let mut tasks = vec![Task::Part(part)];
    let mut done: Vec<Term> = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Part(part) => {
                if let Some(term) = leaf(terms, &part, scope).or_else(|| cases::expression(terms, &part, scope)) {
                    done.push(term);
                    continue;
                }
                let (head, is_ordered, operands) = node(terms, &part, scope, &mut done);
                let known = usize::from(matches!(part, Part::Integer(Integer::Element { .. })));
                let role = |position| if is_ordered { Role::Position(position) } else { Role::Part };
                tasks.push(Task::Make(head, (0..(operands.len() + known) as u32).map(role).collect()));
                tasks.extend(operands.into_iter().rev().map(Task::Part));
            }
            Task::Make(head, roles) => {
                let children = done.split_off(done.len() - roles.len());
                done.push(terms.make(head, roles.into_iter().zip(children)));
            }
        }
    }
    done.pop().unwrap_or_else(|| terms.leaf(Head::Truth(true)))
}

/// The term of an expression without operands.
fn leaf<V>(terms: &mut Terms, part: &Part<'_, V>, scope: &Scope<'_, V>) -> Option<Term> {
    Some(match part {
        Part::Integer(Integer::Constant(value)) => terms.leaf(Head::Number(*value)),
        Part::Integer(Integer::Variable(variable)) => terms.number((scope.variable)(variable)),
        Part::Integer(Integer::Element { first, length, index }) => match **index {
            Integer::Constant(value) if (0..i64::from(*length)).contains(&i64::from(value)) => {
                terms.number((scope.variable)(first) + value as u32)
            }
            _ => return None,
        },
        Part::Boolean(Boolean::Constant(value)) => terms.leaf(Head::Truth(*value)),
        _ => return None,
    })
}

/// The head of an expression, whether the order of its operands matters, and the operands. The array of an element is
/// an operand that is done already, the first one.
fn node<'e, V>(
    terms: &mut Terms, part: &Part<'e, V>, scope: &Scope<'_, V>, done: &mut Vec<Term>,
) -> (Head, bool, Vec<Part<'e, V>>) {
    let integer = |operand: &'e Integer<V>| Part::Integer(operand);
    match *part {
        Part::Integer(Integer::Constant(value)) => (Head::Number(*value), false, Vec::new()),
        Part::Integer(Integer::Variable(_)) => (Head::Variable, false, Vec::new()),
        Part::Integer(Integer::Element { first, length, index }) => {
            let first = (scope.variable)(first);
            let elements: Vec<Term> = (first..first + length).map(|element| terms.number(element)).collect();
            done.push(terms.ordered(Head::Word("array"), elements));
            (Head::Word("element"), true, vec![integer(index)])
        }
        Part::Integer(Integer::Sum(operands)) => (Head::Word("sum"), false, operands.iter().map(integer).collect()),
        Part::Integer(Integer::Unary(operator, operand)) => (Head::Unary(*operator), false, vec![integer(operand)]),
        Part::Integer(Integer::Binary(operator, left, right)) => {
            (Head::Binary(*operator), !commutes(*operator), vec![integer(left), integer(right)])
        }
        Part::Integer(Integer::Truth(condition)) => (Head::Word("truth"), false, vec![Part::Boolean(condition)]),
        Part::Boolean(Boolean::Constant(value)) => (Head::Truth(*value), false, Vec::new()),
        Part::Boolean(Boolean::Compare(comparison, left, right)) => {
            let (comparison, left, right) = upwards(*comparison, left, right);
            let is_ordered = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
            (Head::Compare(comparison), is_ordered, vec![integer(left), integer(right)])
        }
        Part::Boolean(Boolean::Not(operand)) => (Head::Word("not"), false, vec![Part::Boolean(operand)]),
        Part::Boolean(Boolean::And(operands) | Boolean::Or(operands)) => {
            let is_and = matches!(part, Part::Boolean(Boolean::And(_)));
            let is_ordered = scope.is_action && operands.iter().any(may_fail);
            (Head::Word(if is_and { "and" } else { "or" }), is_ordered, operands.iter().map(Part::Boolean).collect())
        }
    }
}

/// A comparison in one direction.
fn upwards<'e, V>(
    comparison: Comparison, left: &'e Integer<V>, right: &'e Integer<V>,
) -> (Comparison, &'e Integer<V>, &'e Integer<V>) {
    match comparison {
        Comparison::Greater | Comparison::GreaterOrEqual => (comparison.mirrored(), right, left),
        _ => (comparison, left, right),
    }
}

fn commutes(operator: BinaryOperator) -> bool {
    use BinaryOperator::{BitAnd, BitOr, BitXor, Multiply};
    matches!(operator, Multiply | BitAnd | BitOr | BitXor)
}

/// Whether a condition may have no value.
fn may_fail<V>(condition: &Boolean<V>) -> bool {
    use BinaryOperator::{Divide, Power, Remainder};
    condition.parts().any(|(part, _)| {
        matches!(part, Part::Integer(Integer::Element { .. } | Integer::Binary(Divide | Remainder | Power, ..)))
    })
}

/// The term of a list of statements. A label that is called has a term already.
pub(super) fn statements(
    terms: &mut Terms, body: &[Statement], scope: &Scope<'_, u32>, labels: &FxHashMap<&str, Term>,
) -> Term {
    enum Task<'e> {
        List(&'e [Statement]),
        Piece(&'e [Statement]),
        Condition(&'e Boolean<u32>),
        /// Make a term of as many finished ones.
        Make(&'static str, usize),
    }
    let mut tasks = vec![Task::List(body)];
    let mut done: Vec<Term> = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::List(list) => {
                let pieces = pieces(list);
                tasks.push(Task::Make("sequence", pieces.len()));
                tasks.extend(pieces.into_iter().rev().map(Task::Piece));
            }
            Task::Piece([Statement::If(condition, yes, no)]) => {
                tasks.extend([Task::Make("if", 3), Task::List(no), Task::List(yes), Task::Condition(condition)]);
            }
            Task::Piece([Statement::Fixpoint(inner)]) => {
                terms.admit_all();
                tasks.extend([Task::Make("fixpoint", 1), Task::List(inner)]);
            }
            Task::Piece([Statement::Call(label)]) => {
                terms.admit_all();
                let called = labels.get(label.as_str()).copied();
                done.push(terms.unordered(Head::Word("call"), called));
            }
            Task::Piece(assignments) => {
                let all = assignments.iter().map(|one| assignment(terms, one, scope)).collect::<Vec<_>>();
                assignments.iter().for_each(|one| admit(terms, one, scope));
                done.push(terms.unordered(Head::Word("together"), all));
            }
            Task::Condition(condition) => done.push(expression(terms, Part::Boolean(condition), scope)),
            Task::Make(word, count) => {
                let children = done.split_off(done.len() - count);
                done.push(terms.ordered(Head::Word(word), children));
            }
        }
    }
    done.pop().unwrap_or_else(|| terms.leaf(Head::Word("sequence")))
}

/// All values of the variables that a statement may assign matter behind it, whatever the guard says.
fn admit(terms: &mut Terms, statement: &Statement, scope: &Scope<'_, u32>) {
    match statement {
        Statement::Assign(Target::Variable(variable), _) => terms.admit((scope.variable)(variable)),
        Statement::Assign(Target::Element { first, length, .. }, _) => {
            let first = (scope.variable)(first);
            (first..first.saturating_add(*length)).for_each(|element| terms.admit(element));
        }
        _ => {}
    }
}

fn assignment(terms: &mut Terms, statement: &Statement, scope: &Scope<'_, u32>) -> Term {
    let Statement::Assign(target, value) = statement else { return terms.leaf(Head::Word("abort")) };
    if let Some(term) = cases::assignment(terms, target, value, scope) {
        return term;
    }
    let target = match target {
        Target::Variable(variable) => terms.number((scope.variable)(variable)),
        Target::Element { first, length, index } => {
            let element = Integer::Element { first: *first, length: *length, index: Box::new(index.clone()) };
            expression(terms, Part::Integer(&element), scope)
        }
    };
    let value = expression(terms, Part::Integer(value), scope);
    terms.ordered(Head::Word("assign"), [target, value])
}

/// Statements one by one, but assignments together where none reads or writes what another one writes.
fn pieces(list: &[Statement]) -> Vec<&[Statement]> {
    let mut pieces = Vec::new();
    let (mut start, mut end) = (0, 0);
    let (mut read, mut written) = (FxHashSet::default(), FxHashSet::default());
    while end < list.len() {
        if let Statement::Assign(Target::Variable(target), value) = &list[end] {
            let reads = reads(value);
            let is_free = !read.contains(target)
                && !written.contains(target)
                && !reads.iter().any(|variable| written.contains(variable));
            if is_free || start == end {
                read.extend(reads);
                written.insert(*target);
                end += 1;
                continue;
            }
        } else if start == end {
            end += 1;
        }
        pieces.push(&list[start..end]);
        start = end;
        read.clear();
        written.clear();
    }
    if start < end {
        pieces.push(&list[start..end]);
    }
    pieces
}

/// The variables that an expression may read.
fn reads(value: &Integer<u32>) -> Vec<u32> {
    let read = value.parts().filter_map(|(part, _)| part.read());
    read.flat_map(|(&first, count)| first..first.saturating_add(count)).collect()
}

/// The term of a formula without temporal operators. An event is given by its location.
pub(super) fn state_formula(
    terms: &mut Terms, formula: &Formula, variable: &dyn Fn(&Location) -> u32,
    event: &dyn Fn(&Location) -> Option<Term>,
) -> Term {
    enum Task<'e> {
        Formula(&'e Formula),
        /// Make a term of as many finished ones.
        Make(&'static str, usize),
    }
    let scope = Scope { variable, is_action: false };
    let mut tasks = vec![Task::Formula(formula)];
    let mut done: Vec<Term> = Vec::new();
    while let Some(task) = tasks.pop() {
        let formula = match task {
            Task::Formula(formula) => formula,
            Task::Make(word, count) => {
                let children = done.split_off(done.len() - count);
                done.push(terms.unordered(Head::Word(word), children));
                continue;
            }
        };
        match formula {
            Formula::Constant(value) => done.push(terms.leaf(Head::Truth(*value))),
            Formula::Atom(Atom::Compare(comparison, left, right)) => {
                if let Some(term) = cases::comparison(terms, *comparison, [left, right], &scope) {
                    done.push(term);
                    continue;
                }
                let (comparison, left, right) = upwards(*comparison, left, right);
                let sides = [left, right].map(|side| expression(terms, Part::Integer(side), &scope));
                let head = Head::Compare(comparison);
                done.push(match comparison {
                    Comparison::Equal | Comparison::NotEqual => terms.unordered(head, sides),
                    _ => terms.ordered(head, sides),
                });
            }
            Formula::Atom(Atom::Fireable(locations)) => {
                let events = locations.iter().filter_map(event).collect();
                done.push(terms.set(Head::Word("fireable"), events));
            }
            Formula::Atom(Atom::Fired(locations)) => {
                let events = locations.iter().filter_map(event).collect();
                done.push(terms.set(Head::Word("fired"), events));
            }
            Formula::Not(inner) => tasks.extend([Task::Make("not", 1), Task::Formula(inner)]),
            Formula::And(parts) | Formula::Or(parts) => {
                let word = if matches!(formula, Formula::And(_)) { "and" } else { "or" };
                tasks.push(Task::Make(word, parts.len()));
                tasks.extend(parts.iter().map(Task::Formula));
            }
            // Every symmetry leaves the error state where it is.
            Formula::Error => done.push(terms.leaf(Head::Word("error"))),
            // What is temporal is no part of a formula of one state.
            Formula::Deadlock | Formula::Unary(..) | Formula::Binary(..) => {
                done.push(terms.leaf(Head::Word("deadlock")));
            }
        }
    }
    done.pop().unwrap_or_else(|| terms.leaf(Head::Truth(true)))
}

/// The largest parts of a formula that have no temporal operator. Operands of one `and` or `or` count as one.
pub(super) fn state_parts(formula: &Formula) -> Vec<Formula> {
    let mut parts = Vec::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        if !formula.is_temporal() {
            parts.push(formula.clone());
            continue;
        }
        match formula {
            Formula::Not(inner) | Formula::Unary(_, _, inner) => open.push(inner),
            Formula::Binary(_, _, left, right) => open.extend([&**right, &**left]),
            Formula::And(operands) | Formula::Or(operands) => {
                let (temporal, states): (Vec<&Formula>, Vec<&Formula>) =
                    operands.iter().partition(|one| one.is_temporal());
                if !states.is_empty() {
                    let states = states.into_iter().cloned().collect();
                    let is_and = matches!(formula, Formula::And(_));
                    parts.push(if is_and { Formula::And(states) } else { Formula::Or(states) });
                }
                open.extend(temporal.into_iter().rev());
            }
            _ => {}
        }
    }
    parts
}
