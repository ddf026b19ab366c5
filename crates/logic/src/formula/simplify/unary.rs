//! Rules for `X` and `F`.

use super::super::{Formula, Formulas, Node};

impl Formulas {
    pub(super) fn rewrite_next(&mut self, a: Formula) -> Option<Formula> {
        self.is_suspendable(a).then_some(a)
    }

    pub(super) fn rewrite_finally(&mut self, a: Formula) -> Option<Formula> {
        if self.is_eventual(a) {
            return Some(a);
        }
        match self.node(a).clone() {
            // F X b = X F b, for all X at once
            Node::Next(mut b) => {
                let mut count = 1;
                while let Node::Next(c) = *self.node(b) {
                    b = c;
                    count += 1;
                }
                let inner = self.finally(b);
                Some((0..count).fold(inner, |f, _| self.next(f)))
            }
            Node::Until(_, b) => Some(self.finally(b)),
            // F(b M c) = F(b & c)
            Node::StrongRelease(b, c) => {
                let inner = self.and(b, c);
                Some(self.finally(inner))
            }
            // F(b W c) = F(c | G b)
            Node::WeakUntil(b, c) => {
                let always = self.globally(b);
                let inner = self.or(c, always);
                Some(self.finally(inner))
            }
            // F(b R c) = F((b & c) | G c)
            Node::Release(b, c) => {
                let (both, always) = (self.and(b, c), self.globally(c));
                let inner = self.or(both, always);
                Some(self.finally(inner))
            }
            Node::And(operands) => self.pull_suspendable_out_of_finally(&operands),
            Node::Or(operands) => self.finally_of_disjunction(&operands),
            Node::Globally(b) => self.rewrite_finally_globally(b),
            _ => None,
        }
    }

    /// F(b & s) = F b & s, for a suspendable s.
    fn pull_suspendable_out_of_finally(&mut self, operands: &[Formula]) -> Option<Formula> {
        let (outside, inside): (Vec<Formula>, Vec<Formula>) =
            operands.iter().partition(|&&operand| self.is_suspendable(operand));
        if outside.is_empty() {
            return None;
        }
        let inside = self.all(inside);
        let inside = self.finally(inside);
        Some(self.all(outside.into_iter().chain([inside])))
    }

    /// F distributes over disjunction, so each operand may be replaced by one that is eventually the same.
    fn finally_of_disjunction(&mut self, operands: &[Formula]) -> Option<Formula> {
        let replaced: Vec<Formula> = operands.iter().map(|&operand| self.eventually_same(operand)).collect();
        if replaced == operands {
            return None;
        }
        let inner = self.any(replaced);
        Some(self.finally(inner))
    }

    /// A simpler formula g with F f = F g.
    fn eventually_same(&mut self, f: Formula) -> Formula {
        match *self.node(f) {
            Node::Finally(b) | Node::Until(_, b) => b,
            Node::StrongRelease(b, c) => self.and(b, c),
            Node::Next(b) if self.is_universal(b) => b,
            _ => f,
        }
    }

    fn rewrite_finally_globally(&mut self, b: Formula) -> Option<Formula> {
        match self.node(b).clone() {
            Node::Next(c) => {
                let inner = self.globally(c);
                Some(self.finally(inner))
            }
            Node::Or(operands) => self.split_finally_globally(&operands),
            // F G(X c & d) = F G(c & d)
            Node::And(operands) => {
                let without_next: Vec<Formula> = operands
                    .iter()
                    .map(|&operand| if let Node::Next(c) = *self.node(operand) { c } else { operand })
                    .collect();
                if without_next == *operands {
                    return None;
                }
                let inner = self.all(without_next);
                let always = self.globally(inner);
                Some(self.finally(always))
            }
            _ => None,
        }
    }

    /// F G(b | u) = F G b | F u for a universal u, and F G(b | e) = F G b | G e for an eventual e.
    fn split_finally_globally(&mut self, operands: &[Formula]) -> Option<Formula> {
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for &operand in operands {
            if self.is_universal(operand) {
                outside.push(self.finally(operand));
            } else if self.is_eventual(operand) {
                outside.push(self.globally(operand));
            } else {
                inside.push(operand);
            }
        }
        if outside.is_empty() {
            return None;
        }
        let inside = self.any(inside);
        let inside = self.globally(inside);
        outside.push(self.finally(inside));
        Some(self.any(outside))
    }
}
