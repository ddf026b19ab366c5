//! SolveSub: what is left of expressions where a variable has a value.
//!
//! SolveSub (thesis, 4.2.2, algorithm 6; GAL paper, 4.3, algorithm 2) is called where substituting the value of a variable
//! does not rid an expression of it, because the variable may be an element `t[i]` whose index `i` is not known yet. The
//! papers look ahead: they evaluate `i` further down and return the classes of states that agree on it. Here the look-ahead
//! is made a condition: [`solve_sub`] returns cases, each with a condition on the variables further down, and in every state
//! exactly one of the conditions holds. The descent that follows evaluates them together with the expressions, so a closure
//! goes on inside.

use std::sync::Arc;

use super::expression::{Expression, HOLE, Kind, and, constant, different, element, equal, fails, nothing};

/// Elements of which it is not known whether they are a variable.
struct Pending {
    variable: u32,
    cells: Arc<[u32]>,
    /// The index that would mean the variable.
    position: i32,
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
pub fn solve_sub(expressions: Vec<Expression>, variable: u32, value: i32) -> Vec<Case> {
    let left = expressions.iter().map(|expression| expression.with(variable, value)).collect();
    let mut open = vec![Case { condition: constant(1), left }];
    let mut done = Vec::with_capacity(1);
    while let Some(case) = open.pop() {
        let Some(pending) = case.left.iter().find_map(|expression| expression.pending(variable)) else {
            done.push(case);
            continue;
        };
        let position = constant(pending.position);
        let others = pending.cells.iter().map(|&cell| if cell == variable { HOLE } else { cell }).collect();
        let alternatives = [
            (equal(pending.index.clone(), position.clone()), constant(value)),
            (different(pending.index.clone(), position), element(others, pending.index.clone())),
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

impl Expression {
    /// Elements of which one is a variable and it is not known whether it is meant: the first, and of those that are
    /// nested the innermost, so that its index does not depend on the variable.
    fn pending(&self, variable: u32) -> Option<Pending> {
        if !self.depends_on(variable) {
            return None;
        }
        match self.kind() {
            Kind::Constant(_) | Kind::Nothing | Kind::Variable(_) => None,
            Kind::Element(cells, index) => index.pending(variable).or_else(|| {
                let position = cells.iter().position(|&cell| cell == variable)?;
                Some(Pending { variable, cells: Arc::clone(cells), position: position as i32, index: index.clone() })
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
}
