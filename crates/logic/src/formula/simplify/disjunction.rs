//! Rules for disjunction.

use super::super::{Formula, Formulas, Node};

/// Disjunctions with more operands are not compared pair by pair.
const MAX_OPERANDS: usize = 50;

impl Formulas {
    pub(super) fn rewrite_disjunction(&mut self, operands: &[Formula]) -> Option<Formula> {
        if let Some(result) = self.simplify_state_operands(operands) {
            return Some(result);
        }
        if let Some(result) = self.join_next(operands).or_else(|| self.join_finally(operands)) {
            return Some(result);
        }
        if operands.len() > MAX_OPERANDS {
            return None;
        }
        for (index, &a) in operands.iter().enumerate() {
            for &b in &operands[index + 1..] {
                let joined = self.join(a, b).or_else(|| self.join(b, a));
                if let Some(joined) = joined {
                    let rest = operands.iter().copied().filter(|&operand| operand != a && operand != b);
                    return Some(self.any(rest.chain([joined])));
                }
            }
        }
        self.drop_settled_conjuncts(operands).or_else(|| self.undo_expansion(operands))
    }

    /// The operands without temporal operators, as one formula.
    fn simplify_state_operands(&mut self, operands: &[Formula]) -> Option<Formula> {
        let (state, temporal): (Vec<Formula>, Vec<Formula>) =
            operands.iter().partition(|&&operand| self.is_state_formula(operand));
        if state.len() < 2 || temporal.is_empty() {
            return None;
        }
        let before = self.any(state);
        let after = self.shortest_state_formula(before)?;
        (before != after).then(|| self.any(temporal.into_iter().chain([after])))
    }

    /// X a | X b | s = X(a | b | s) for a suspendable s.
    fn join_next(&mut self, operands: &[Formula]) -> Option<Formula> {
        let mut inside = Vec::new();
        let mut outside = Vec::new();
        let mut found = false;
        for &operand in operands {
            match *self.node(operand) {
                Node::Next(a) => {
                    found = true;
                    inside.push(a);
                }
                _ if self.is_suspendable(operand) => inside.push(operand),
                _ => outside.push(operand),
            }
        }
        if !found || inside.len() < 2 {
            return None;
        }
        let inside = self.any(inside);
        outside.push(self.next(inside));
        Some(self.any(outside))
    }

    /// F a | F b | s = F(a | b | s) for a suspendable s; and G F a | G F b = G F(a | b).
    fn join_finally(&mut self, operands: &[Formula]) -> Option<Formula> {
        let (mut finally, mut suspendable, mut recurrent, mut outside) = (vec![], vec![], vec![], vec![]);
        for &operand in operands {
            match *self.node(operand) {
                Node::Finally(a) => finally.push(a),
                Node::Globally(a) if matches!(self.node(a), Node::Finally(_)) => recurrent.push(a),
                _ if self.is_suspendable(operand) => suspendable.push(operand),
                _ => outside.push(operand),
            }
        }
        let joins = recurrent.len() >= 2
            || finally.len() >= 2
            || finally.len() == 1 && finally.len() + recurrent.len() + suspendable.len() >= 2;
        if !joins {
            return None;
        }
        if !recurrent.is_empty() {
            let inside = self.any(recurrent);
            suspendable.push(self.globally(inside));
        }
        if finally.is_empty() {
            outside.extend(suspendable);
        } else {
            finally.extend(suspendable);
            let inside = self.any(finally);
            outside.push(self.finally(inside));
        }
        Some(self.any(outside))
    }

    /// One formula for two disjuncts.
    fn join(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        if self.implies(a, b) {
            return Some(b);
        }
        let otherwise = self.negation(a);
        if self.implies(otherwise, b) {
            return Some(Formula::TRUE);
        }
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Until(c, d), Node::Until(e, f)) if c == e => {
                let goal = self.or(d, f);
                Some(self.until(c, goal))
            }
            (Node::WeakUntil(c, d), Node::Until(e, f) | Node::WeakUntil(e, f)) if c == e => {
                let goal = self.or(d, f);
                Some(self.weak_until(c, goal))
            }
            (Node::Until(c, d), Node::Globally(e)) if c == e => Some(self.weak_until(c, d)),
            (Node::Globally(c), Node::Finally(d)) if self.holds_until_needed(c, d) => Some(self.weak_until(c, d)),
            (Node::StrongRelease(c, d), Node::StrongRelease(e, f)) if d == f => {
                let end = self.or(c, e);
                Some(self.strong_release(end, d))
            }
            (Node::Release(c, d), Node::Release(e, f) | Node::StrongRelease(e, f)) if d == f => {
                let end = self.or(c, e);
                Some(self.release(end, d))
            }
            (Node::StrongRelease(c, d), Node::Globally(f)) if d == f => Some(self.release(c, d)),
            _ => None,
        }
    }

    /// a | (c & d) = a | d if a holds wherever c does not.
    fn drop_settled_conjuncts(&mut self, operands: &[Formula]) -> Option<Formula> {
        for &operand in operands {
            let Node::And(conjuncts) = self.node(operand).clone() else { continue };
            for &conjunct in conjuncts.iter() {
                let violated = self.negation(conjunct);
                if operands.iter().any(|&other| other != operand && self.implies(violated, other)) {
                    let rest = self.all(conjuncts.iter().copied().filter(|&other| other != conjunct));
                    let others = operands.iter().copied().filter(|&other| other != operand);
                    return Some(self.any(others.chain([rest])));
                }
            }
        }
        None
    }

    /// a | X F a = F a, and b | (a & X(a U b)) = a U b; so with W.
    fn undo_expansion(&mut self, operands: &[Formula]) -> Option<Formula> {
        for &operand in operands {
            let mut now = self.conjuncts(operand);
            let Some(at) = now.iter().position(|&part| matches!(self.node(part), Node::Next(_))) else { continue };
            let Node::Next(later) = *self.node(now.swap_remove(at)) else { continue };
            let (kept, goal) = match *self.node(later) {
                Node::Finally(b) => (Formula::TRUE, b),
                Node::Until(a, b) | Node::WeakUntil(a, b) => (a, b),
                _ => continue,
            };
            let now = self.all(now);
            let goals = self.disjuncts(goal);
            if now == kept && goals.iter().all(|part| operands.contains(part)) {
                let others = operands.iter().copied().filter(|other| *other != operand && !goals.contains(other));
                return Some(self.any(others.chain([later])));
            }
        }
        None
    }
}
