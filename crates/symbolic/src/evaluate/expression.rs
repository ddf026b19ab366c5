//! Expressions over diagram variables, to be evaluated a variable at a time.

use std::convert::Infallible;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use mandala_model::expression::{BinaryOperator, Boolean, Comparison, Integer, UnaryOperator};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

/// An expression, an integer of 32 bits or without a value; a condition is 0 or 1.
#[derive(Clone)]
pub struct Expression(Arc<Term>);

struct Term {
    kind: Kind,
    hash: u64,
    /// Whether it may have no value.
    can_fail: bool,
    /// How many parts it has, written out as a tree.
    size: u32,
    /// The variables that it may depend on, ascending.
    support: Vec<u32>,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number.
    Constant(i32),
    /// No value: a division by zero, or an index out of range.
    Nothing,
    /// The value of a variable.
    Variable(u32),
    /// An element of an array, whose elements are variables; one that is known not to be meant is [`HOLE`].
    Element(Arc<[u32]>, Expression),
    /// A constant and multiples of other expressions, which are no sums; all different, in some order.
    Sum(i32, Vec<(i32, Expression)>),
    /// `~a`
    BitNot(Expression),
    /// An operator on two operands.
    Binary(BinaryOperator, Expression, Expression),
    /// A comparison; if a side has no value, it is false or has no value either.
    Compare(Comparison, Expression, Expression, WithoutValue),
    /// A condition that does not hold.
    Not(Expression),
    /// Conditions from the first to the last until one does not hold.
    And(Vec<Expression>),
    /// Conditions from the first to the last until one holds.
    Or(Vec<Expression>),
    /// Whether an expression has no value.
    Fails(Expression),
}

impl Kind {
    /// Calls a function with each of the expressions that this one is made of.
    fn each_part(&self, mut each: impl FnMut(&Expression)) {
        match self {
            Kind::Constant(_) | Kind::Nothing | Kind::Variable(_) => {}
            Kind::Element(_, inner) | Kind::BitNot(inner) | Kind::Not(inner) | Kind::Fails(inner) => each(inner),
            Kind::Sum(_, parts) => parts.iter().for_each(|(_, part)| each(part)),
            Kind::Binary(_, left, right) | Kind::Compare(_, left, right, _) => {
                each(left);
                each(right);
            }
            Kind::And(parts) | Kind::Or(parts) => parts.iter().for_each(each),
        }
    }
}

/// An element that is not meant.
pub const HOLE: u32 = u32::MAX;

/// What a comparison is if a side has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WithoutValue {
    /// False by itself: in guards.
    IsFalse,
    /// Without a value: in actions.
    IsNothing,
}

impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        // Equal expressions are one: see `make`.
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Expression {}

impl Hash for Expression {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.kind.fmt(f)
    }
}

impl Expression {
    /// An expression of a program, whose variable `v` is the diagram variable `slots[v]`.
    pub fn of_integer(integer: &Integer<u32>, slots: &[u32], without_value: WithoutValue) -> Expression {
        let of = |integer: &Integer<u32>| Expression::of_integer(integer, slots, without_value);
        match integer {
            Integer::Constant(value) => constant(*value),
            Integer::Variable(variable) => Expression::variable(slots[*variable as usize]),
            Integer::Element { first, length, index } => {
                let cells = slots[*first as usize..(*first + *length) as usize].into();
                element(cells, of(index))
            }
            Integer::Sum(parts) => sum(0, parts.iter().map(|part| (1, of(part)))),
            Integer::Unary(UnaryOperator::Minus, inner) => sum(0, [(-1, of(inner))]),
            Integer::Unary(UnaryOperator::BitNot, inner) => bit_not(of(inner)),
            Integer::Binary(operator, left, right) => binary(*operator, of(left), of(right)),
            Integer::Truth(condition) => Expression::of_boolean(condition, slots, without_value),
        }
    }

    /// A condition of a program.
    pub fn of_boolean(boolean: &Boolean<u32>, slots: &[u32], without_value: WithoutValue) -> Expression {
        let of = |boolean: &Boolean<u32>| Expression::of_boolean(boolean, slots, without_value);
        match boolean {
            Boolean::Constant(value) => constant(i32::from(*value)),
            Boolean::Compare(comparison, left, right) => {
                let side = |side| Expression::of_integer(side, slots, without_value);
                compare(*comparison, side(left), side(right), without_value)
            }
            Boolean::Not(inner) => not(of(inner)),
            Boolean::And(parts) => and(parts.iter().map(of)),
            Boolean::Or(parts) => or(parts.iter().map(of)),
        }
    }

    /// A variable.
    pub fn variable(variable: u32) -> Expression {
        make(Kind::Variable(variable))
    }

    /// What it is.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// Its value, if that is known.
    pub fn value(&self) -> Option<i32> {
        match self.kind() {
            Kind::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether it has no value whatever the variables are.
    pub fn is_nothing(&self) -> bool {
        *self.kind() == Kind::Nothing
    }

    /// The variables that it may depend on, ascending.
    pub fn support(&self) -> &[u32] {
        &self.0.support
    }

    /// Whether it may depend on a variable.
    pub fn depends_on(&self, variable: u32) -> bool {
        self.0.support.binary_search(&variable).is_ok()
    }

    /// Whether it may have no value.
    pub fn can_fail(&self) -> bool {
        self.0.can_fail
    }

    /// How many parts it has, written out as a tree; what it takes to evaluate it.
    pub fn size(&self) -> usize {
        self.0.size as usize
    }

    /// Adds the elements in it whose index is not known.
    pub fn collect_elements(&self, elements: &mut FxHashSet<Expression>) {
        if let Kind::Element(..) = self.kind()
            && !elements.insert(self.clone())
        {
            return;
        }
        self.kind().each_part(|part| part.collect_elements(elements));
    }

    /// Whether it is a condition that never holds.
    pub fn is_never(&self) -> bool {
        matches!(self.kind(), Kind::Constant(0) | Kind::Nothing)
    }

    /// What is left of it if a variable has a value. Elements whose index is not known may still depend on the variable.
    pub fn with(&self, variable: u32, value: i32) -> Expression {
        self.rewritten(variable, &|leaf| match leaf {
            Kind::Variable(other) if *other == variable => Some(constant(value)),
            _ => None,
        })
    }

    /// Its value in a state, if it has one.
    pub fn on(&self, state: &[i32]) -> Option<i32> {
        let truth = |holds: bool| Some(i32::from(holds));
        match self.kind() {
            Kind::Constant(value) => Some(*value),
            Kind::Nothing => None,
            Kind::Variable(variable) => Some(state[*variable as usize]),
            Kind::Element(cells, index) => Some(state[cell(cells, index.on(state)?)? as usize]),
            Kind::Sum(plus, parts) => {
                let mut sum = *plus;
                for (times, part) in parts {
                    sum = sum.wrapping_add(times.wrapping_mul(part.on(state)?));
                }
                Some(sum)
            }
            Kind::BitNot(inner) => Some(!inner.on(state)?),
            Kind::Binary(operator, left, right) => operator.calculate(left.on(state)?, right.on(state)?),
            Kind::Compare(comparison, left, right, mode) => match (left.on(state), right.on(state), mode) {
                (Some(left), Some(right), _) => truth(comparison.holds(&left, &right)),
                (.., WithoutValue::IsFalse) => Some(0),
                (.., WithoutValue::IsNothing) => None,
            },
            Kind::Not(inner) => truth(inner.on(state)? == 0),
            Kind::And(parts) => {
                for part in parts {
                    if part.on(state)? == 0 {
                        return Some(0);
                    }
                }
                Some(1)
            }
            Kind::Or(parts) => {
                for part in parts {
                    if part.on(state)? != 0 {
                        return Some(1);
                    }
                }
                Some(0)
            }
            Kind::Fails(inner) => truth(inner.on(state).is_none()),
        }
    }

    /// The expression over other variables; nothing if one of them has no other.
    pub fn over(&self, variable: &dyn Fn(u32) -> Option<u32>) -> Option<Expression> {
        let of = |one: &u32| if *one == HOLE { Ok(HOLE) } else { variable(*one).ok_or(()) };
        let result: Result<Expression, ()> = self.mapped(&|_| true, &|leaf| {
            Ok(Some(match leaf {
                Kind::Variable(one) => Expression::variable(of(one)?),
                Kind::Element(cells, index) => {
                    // The index is over the others already.
                    let cells: Result<Vec<u32>, ()> = cells.iter().map(of).collect();
                    element(cells?.into(), index.clone())
                }
                _ => return Ok(None),
            }))
        });
        result.ok()
    }

    /// The conditions that all have to hold for this one to hold.
    pub fn conjuncts(&self) -> impl Iterator<Item = &Expression> {
        match self.kind() {
            Kind::And(parts) => parts.iter(),
            _ => std::slice::from_ref(self).iter(),
        }
    }

    /// Elements of which one is a variable and it is not known whether it is meant: the first, and of those that are
    /// nested the innermost, so that its index does not depend on the variable.
    fn pending(&self, variable: u32) -> Option<Pending> {
        if !self.depends_on(variable) {
            return None;
        }
        match self.kind() {
            Kind::Constant(_) | Kind::Nothing | Kind::Variable(_) => None,
            Kind::Element(cells, index) => index.pending(variable).or_else(|| {
                let place = cells.iter().position(|&cell| cell == variable)?;
                Some(Pending { variable, cells: Arc::clone(cells), place: place as i32, index: index.clone() })
            }),
            Kind::Sum(_, parts) => parts.iter().find_map(|(_, part)| part.pending(variable)),
            Kind::BitNot(inner) | Kind::Not(inner) | Kind::Fails(inner) => inner.pending(variable),
            Kind::Binary(_, left, right) | Kind::Compare(_, left, right, _) => {
                left.pending(variable).or_else(|| right.pending(variable))
            }
            Kind::And(parts) | Kind::Or(parts) => parts.iter().find_map(|part| part.pending(variable)),
        }
    }

    /// What is left if elements of an array with this index, which may be a variable, are something else.
    fn with_elements(&self, pending: &Pending, value: i32, replacement: &Expression) -> Expression {
        self.rewritten(pending.variable, &|leaf| match leaf {
            // An index that is known now may lead to the variable.
            Kind::Variable(other) if *other == pending.variable => Some(constant(value)),
            Kind::Element(cells, index) if *cells == pending.cells && *index == pending.index => {
                Some(replacement.clone())
            }
            _ => None,
        })
    }

    /// The expression with some of its variables and elements that depend on a variable replaced, and simplified.
    fn rewritten(&self, variable: u32, replace: &dyn Fn(&Kind) -> Option<Expression>) -> Expression {
        let result: Result<Expression, Infallible> =
            self.mapped(&|part| part.depends_on(variable), &|leaf| Ok(replace(leaf)));
        match result {
            Ok(expression) => expression,
        }
    }

    /// The expression with some of its variables and elements replaced, and simplified. Only parts that `concerns` says
    /// are looked at; the index of an element is replaced first, and may turn the element into a variable.
    pub fn mapped<E>(
        &self, concerns: &dyn Fn(&Expression) -> bool, replace: &dyn Fn(&Kind) -> Result<Option<Expression>, E>,
    ) -> Result<Expression, E> {
        if !concerns(self) {
            return Ok(self.clone());
        }
        let of = |inner: &Expression| inner.mapped(concerns, replace);
        let all = |parts: &[Expression]| parts.iter().map(of).collect::<Result<Vec<_>, E>>();
        Ok(match self.kind() {
            Kind::Constant(_) | Kind::Nothing => self.clone(),
            Kind::Variable(_) => replace(self.kind())?.unwrap_or_else(|| self.clone()),
            Kind::Element(cells, index) => {
                let rebuilt = element(Arc::clone(cells), of(index)?);
                match rebuilt.kind() {
                    Kind::Variable(_) | Kind::Element(..) => replace(rebuilt.kind())?.unwrap_or(rebuilt),
                    _ => rebuilt,
                }
            }
            Kind::Sum(plus, parts) => {
                let parts: Result<Vec<_>, E> = parts.iter().map(|(times, part)| Ok((*times, of(part)?))).collect();
                sum(*plus, parts?)
            }
            Kind::BitNot(inner) => bit_not(of(inner)?),
            Kind::Binary(operator, left, right) => binary(*operator, of(left)?, of(right)?),
            Kind::Compare(comparison, left, right, mode) => compare(*comparison, of(left)?, of(right)?, *mode),
            Kind::Not(inner) => not(of(inner)?),
            Kind::And(parts) => and(all(parts)?),
            Kind::Or(parts) => or(all(parts)?),
            Kind::Fails(inner) => fails(of(inner)?),
        })
    }
}

/// Elements of which it is not known whether they are a variable.
struct Pending {
    variable: u32,
    cells: Arc<[u32]>,
    /// The index that would mean the variable.
    place: i32,
    index: Expression,
}

/// What is left of some expressions in the states in which a condition holds.
pub struct Case {
    /// The condition. It does not depend on the variable.
    pub condition: Expression,
    /// The expressions. They do not depend on the variable.
    pub left: Vec<Expression>,
}

/// What is left of expressions if a variable has a value. Where an element may or may not be the variable, that depends
/// on its index, whose value is not known yet: each case has its condition, and in every state exactly one holds.
pub fn cases(expressions: Vec<Expression>, variable: u32, value: i32) -> Vec<Case> {
    let left = expressions.iter().map(|expression| expression.with(variable, value)).collect();
    let mut open = vec![Case { condition: constant(1), left }];
    let mut done = Vec::with_capacity(1);
    while let Some(case) = open.pop() {
        let Some(pending) = case.left.iter().find_map(|expression| expression.pending(variable)) else {
            done.push(case);
            continue;
        };
        let place = constant(pending.place);
        let others = pending.cells.iter().map(|&cell| if cell == variable { HOLE } else { cell }).collect();
        let alternatives = [
            (equal(pending.index.clone(), place.clone()), constant(value)),
            (different(pending.index.clone(), place), element(others, pending.index.clone())),
            (fails(pending.index.clone()), nothing()),
        ];
        for (condition, replacement) in alternatives {
            let condition = and([case.condition.clone(), condition]);
            if condition.value() != Some(0) {
                let left = case.left.iter().map(|part| part.with_elements(&pending, value, &replacement)).collect();
                open.push(Case { condition, left });
            }
        }
    }
    done
}

/// All expressions that are alive, so that equal ones are one.
static INTERNED: Mutex<Interned> = Mutex::new(Interned { terms: None, clean_at: 1 << 12 });

struct Interned {
    terms: Option<FxHashMap<u64, Vec<Weak<Term>>>>,
    /// At so many the dead are swept out.
    clean_at: usize,
}

fn make(kind: Kind) -> Expression {
    let mut hasher = FxHasher::default();
    kind.hash(&mut hasher);
    let hash = hasher.finish();
    let mut interned = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    let Interned { terms, clean_at } = &mut *interned;
    let terms = terms.get_or_insert_default();
    if terms.len() >= *clean_at {
        terms.retain(|_, alike| {
            alike.retain(|term| term.strong_count() > 0);
            !alike.is_empty()
        });
        *clean_at = (2 * terms.len()).max(1 << 12);
    }
    let alike = terms.entry(hash).or_default();
    if let Some(term) = alike.iter().filter_map(Weak::upgrade).find(|term| term.kind == kind) {
        return Expression(term);
    }
    let (support, can_fail, size) = (support_of(&kind), can_fail(&kind), size_of(&kind));
    let term = Arc::new(Term { kind, hash, can_fail, size, support });
    alike.retain(|term| term.strong_count() > 0);
    alike.push(Arc::downgrade(&term));
    Expression(term)
}

fn can_fail(kind: &Kind) -> bool {
    match kind {
        Kind::Constant(_) | Kind::Variable(_) | Kind::Fails(_) => false,
        Kind::Compare(.., WithoutValue::IsFalse) => false,
        Kind::Nothing | Kind::Element(..) => true,
        Kind::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, left, right) => {
            left.can_fail() || right.value().is_none_or(|value| value == 0)
        }
        Kind::Binary(BinaryOperator::Power, ..) => true,
        Kind::Binary(_, left, right) | Kind::Compare(_, left, right, _) => left.can_fail() || right.can_fail(),
        Kind::Sum(_, parts) => parts.iter().any(|(_, part)| part.can_fail()),
        Kind::BitNot(inner) | Kind::Not(inner) => inner.can_fail(),
        Kind::And(parts) | Kind::Or(parts) => parts.iter().any(Expression::can_fail),
    }
}

fn size_of(kind: &Kind) -> u32 {
    let mut size = 1u32;
    kind.each_part(|part| size = size.saturating_add(part.0.size));
    size
}

fn support_of(kind: &Kind) -> Vec<u32> {
    let mut support: Vec<u32> = Vec::new();
    match kind {
        Kind::Variable(variable) => support.push(*variable),
        Kind::Element(cells, _) => support.extend(cells.iter().filter(|cell| **cell != HOLE)),
        _ => {}
    }
    kind.each_part(|part| support.extend(part.support()));
    support.sort_unstable();
    support.dedup();
    support
}

/// A number.
pub fn constant(value: i32) -> Expression {
    make(Kind::Constant(value))
}

fn nothing() -> Expression {
    make(Kind::Nothing)
}

/// An element of an array.
pub fn element(cells: Arc<[u32]>, index: Expression) -> Expression {
    match index.kind() {
        Kind::Nothing => nothing(),
        Kind::Constant(place) => match cell(&cells, *place) {
            // That it is not meant is known elsewhere: what is said here does not matter.
            None | Some(HOLE) => nothing(),
            Some(cell) => Expression::variable(cell),
        },
        _ => make(Kind::Element(cells, index)),
    }
}

/// The element of an array with an index, if there is one.
pub fn cell(cells: &[u32], index: i32) -> Option<u32> {
    usize::try_from(index).ok().and_then(|index| cells.get(index)).copied()
}

/// A constant plus multiples of expressions.
pub fn sum(plus: i32, parts: impl IntoIterator<Item = (i32, Expression)>) -> Expression {
    let mut plus = plus;
    let mut all: Vec<(i32, Expression)> = Vec::new();
    for (times, part) in parts {
        match part.kind() {
            Kind::Nothing => return nothing(),
            Kind::Constant(value) => plus = plus.wrapping_add(value.wrapping_mul(times)),
            Kind::Sum(more, inner) => {
                plus = plus.wrapping_add(more.wrapping_mul(times));
                all.extend(inner.iter().map(|(factor, part)| (factor.wrapping_mul(times), part.clone())));
            }
            _ => all.push((times, part)),
        }
    }
    all.sort_by(|a, b| ordered(&a.1, &b.1));
    let mut merged: Vec<(i32, Expression)> = Vec::with_capacity(all.len());
    for (times, part) in all {
        match merged.last_mut() {
            Some((known, last)) if *last == part => *known = known.wrapping_add(times),
            _ => merged.push((times, part)),
        }
    }
    // What has no value has none if it is taken zero times.
    merged.retain(|(times, part)| *times != 0 || part.can_fail());
    match merged.as_slice() {
        [] => constant(plus),
        [(1, only)] if plus == 0 => only.clone(),
        _ => make(Kind::Sum(plus, merged)),
    }
}

/// Some order: that of the hashes, and that of the texts where hashes are the same.
fn ordered(a: &Expression, b: &Expression) -> std::cmp::Ordering {
    a.0.hash
        .cmp(&b.0.hash)
        .then_with(|| if a == b { std::cmp::Ordering::Equal } else { format!("{a:?}").cmp(&format!("{b:?}")) })
}

fn bit_not(inner: Expression) -> Expression {
    match inner.kind() {
        Kind::Nothing => nothing(),
        Kind::Constant(value) => constant(!value),
        Kind::BitNot(twice) => twice.clone(),
        _ => make(Kind::BitNot(inner)),
    }
}

/// An operator on two operands.
pub fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    use BinaryOperator::*;
    if left.is_nothing() || right.is_nothing() {
        return nothing();
    }
    if let (Some(a), Some(b)) = (left.value(), right.value()) {
        return operator.calculate(a, b).map_or_else(nothing, constant);
    }
    match (operator, left.value(), right.value()) {
        (Multiply, Some(times), None) => return sum(0, [(times, right)]),
        (Multiply, None, Some(times)) => return sum(0, [(times, left)]),
        (Divide, None, Some(1)) | (BitOr | BitXor | ShiftLeft | ShiftRight, None, Some(0)) => return left,
        (BitOr | BitXor, Some(0), None) => return right,
        (Divide | Remainder, None, Some(0)) => return nothing(),
        _ => {}
    }
    let commutes = matches!(operator, Multiply | BitAnd | BitOr | BitXor);
    if commutes && ordered(&left, &right).is_gt() {
        return make(Kind::Binary(operator, right, left));
    }
    make(Kind::Binary(operator, left, right))
}

/// A comparison.
pub fn compare(comparison: Comparison, left: Expression, right: Expression, mode: WithoutValue) -> Expression {
    if left.is_nothing() || right.is_nothing() {
        return match mode {
            WithoutValue::IsFalse => constant(0),
            WithoutValue::IsNothing => nothing(),
        };
    }
    if let (Some(a), Some(b)) = (left.value(), right.value()) {
        return constant(i32::from(comparison.holds(&a, &b)));
    }
    if left == right && !left.can_fail() {
        return constant(i32::from(comparison.holds(&0, &0)));
    }
    // Fewer comparisons, and the greater side always on the right.
    match comparison {
        Comparison::Greater | Comparison::GreaterOrEqual => {
            make(Kind::Compare(comparison.mirrored(), right, left, mode))
        }
        Comparison::Equal | Comparison::NotEqual if ordered(&left, &right).is_gt() => {
            make(Kind::Compare(comparison, right, left, mode))
        }
        _ => make(Kind::Compare(comparison, left, right, mode)),
    }
}

/// Whether two expressions have the same value.
pub fn equal(left: Expression, right: Expression) -> Expression {
    compare(Comparison::Equal, left, right, WithoutValue::IsFalse)
}

/// Whether two expressions have values that are not the same.
pub fn different(left: Expression, right: Expression) -> Expression {
    compare(Comparison::NotEqual, left, right, WithoutValue::IsFalse)
}

/// A condition that does not hold.
pub fn not(inner: Expression) -> Expression {
    match inner.kind() {
        Kind::Nothing => nothing(),
        Kind::Constant(value) => constant(i32::from(*value == 0)),
        Kind::Not(twice) => twice.clone(),
        // Only where a side without a value does not make it false either way.
        Kind::Compare(comparison, left, right, mode)
            if *mode == WithoutValue::IsNothing || !left.can_fail() && !right.can_fail() =>
        {
            compare(comparison.negated(), left.clone(), right.clone(), *mode)
        }
        _ => make(Kind::Not(inner)),
    }
}

/// All conditions.
pub fn and(parts: impl IntoIterator<Item = Expression>) -> Expression {
    joined(parts, 1, Kind::And)
}

/// One of the conditions.
pub fn or(parts: impl IntoIterator<Item = Expression>) -> Expression {
    joined(parts, 0, Kind::Or)
}

/// Conditions of which one that is not `neutral` decides. They are looked at from the first on: what has no value before
/// the one that decides has none as a whole.
fn joined(parts: impl IntoIterator<Item = Expression>, neutral: i32, kind: fn(Vec<Expression>) -> Kind) -> Expression {
    let mut all: Vec<Expression> = Vec::new();
    for part in parts {
        match (part.kind(), neutral) {
            (Kind::Constant(value), _) if (*value != 0) == (neutral != 0) => {}
            (Kind::And(inner), 1) | (Kind::Or(inner), 0) => {
                all.extend(inner.iter().cloned());
            }
            (Kind::Constant(_) | Kind::Nothing, _) => {
                all.push(part);
                break;
            }
            _ => all.push(part),
        }
    }
    let mut seen: Vec<Expression> = Vec::with_capacity(all.len());
    for part in all {
        if !seen.contains(&part) {
            seen.push(part);
        }
    }
    if !seen.iter().any(Expression::can_fail) {
        // No part can spoil another: their order does not matter.
        if let Some(decides) = seen.iter().find(|part| part.value().is_some()) {
            return decides.clone();
        }
        seen.sort_by(ordered);
    }
    match seen.as_slice() {
        [] => constant(neutral),
        [only] => only.clone(),
        _ => make(kind(seen)),
    }
}

/// Whether an expression has no value.
pub fn fails(inner: Expression) -> Expression {
    if inner.is_nothing() {
        constant(1)
    } else if inner.can_fail() {
        make(Kind::Fails(inner))
    } else {
        constant(0)
    }
}
