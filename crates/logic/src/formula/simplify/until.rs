//! Rules for `U` and `W`.

use super::super::{Formula, Formulas, Node};

impl Formulas {
    pub(super) fn rewrite_until(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        if self.is_eventual(b) || self.implies(a, b) {
            return Some(b);
        }
        if self.holds_until_needed(a, b) {
            return Some(self.finally(b));
        }
        if let Some((a, b)) = self.without_next(a, b) {
            let inner = self.until(a, b);
            return Some(self.next(inner));
        }
        if let Some(a) = self.without_disjuncts_implying(a, b) {
            return Some(self.until(a, b));
        }
        match self.node(a).clone() {
            // (c U d) U b = d U b if c implies b, and (c U d) | b if d implies b; so with W.
            Node::Until(c, d) | Node::WeakUntil(c, d) if self.implies(c, b) => return Some(self.until(d, b)),
            Node::Until(_, d) if self.implies(d, b) => return Some(self.or(a, b)),
            // X c U b = b | X(b M c)
            Node::Next(c) if self.is_state_formula(b) => {
                let later = self.strong_release(b, c);
                let later = self.next(later);
                return Some(self.or(b, later));
            }
            _ => {}
        }
        match self.node(b).clone() {
            // a U (c U d) = c U d if a implies c, and a U d if c implies a.
            Node::Until(c, _) | Node::WeakUntil(c, _) | Node::Globally(c) if self.implies(a, c) => Some(b),
            Node::Until(c, d) if self.implies(c, a) => Some(self.until(a, d)),
            Node::Or(operands) => self.until_disjunction(a, &operands),
            Node::And(operands) => self.until_conjunction(a, &operands),
            _ => None,
        }
    }

    pub(super) fn rewrite_weak_until(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        if self.implies(a, b) {
            return Some(b);
        }
        let violated = self.negation(a);
        if self.implies(violated, b) {
            return Some(Formula::TRUE);
        }
        if self.is_universal(a) {
            return Some(self.or(a, b));
        }
        if self.is_eventual(b) {
            let always = self.globally(a);
            return Some(self.or(always, b));
        }
        if let Some((a, b)) = self.without_next(a, b) {
            let inner = self.weak_until(a, b);
            return Some(self.next(inner));
        }
        if let Some(a) = self.without_disjuncts_implying(a, b) {
            return Some(self.weak_until(a, b));
        }
        match self.node(a).clone() {
            Node::Until(c, d) | Node::WeakUntil(c, d) if self.implies(c, b) => return Some(self.weak_until(d, b)),
            Node::Until(_, d) | Node::WeakUntil(_, d) if self.implies(d, b) => return Some(self.or(a, b)),
            // X c W b = b | X(b R c)
            Node::Next(c) if self.is_state_formula(b) => {
                let later = self.release(b, c);
                let later = self.next(later);
                return Some(self.or(b, later));
            }
            _ => {}
        }
        match self.node(b).clone() {
            Node::WeakUntil(c, _) if self.implies(a, c) => Some(b),
            Node::Until(c, d) | Node::WeakUntil(c, d) if self.implies(c, a) => Some(self.weak_until(a, d)),
            Node::Globally(c) if self.implies(c, a) => Some(self.globally(a)),
            Node::Or(operands) => self.weak_until_disjunction(a, &operands),
            Node::And(operands) => {
                let rest = self.all_but(&operands, a)?;
                Some(self.release(rest, a))
            }
            _ => None,
        }
    }

    /// Whether b, or what of b is not eventual, holds wherever a does not: then a U b = F b.
    pub(super) fn holds_until_needed(&mut self, a: Formula, b: Formula) -> bool {
        let violated = self.negation(a);
        self.conjuncts(b).into_iter().all(|part| self.is_eventual(part) || self.implies(violated, part))
    }

    /// X c, X d without their X; a suspendable formula is its own next.
    fn without_next(&self, a: Formula, b: Formula) -> Option<(Formula, Formula)> {
        match (self.node(a), self.node(b)) {
            (&Node::Next(c), &Node::Next(d)) => Some((c, d)),
            (&Node::Next(c), _) if self.is_suspendable(b) => Some((c, b)),
            (_, &Node::Next(d)) if self.is_suspendable(a) => Some((a, d)),
            _ => None,
        }
    }

    /// (c | d) U b = d U b if c implies b.
    fn without_disjuncts_implying(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        let all = self.disjuncts(a);
        let rest: Vec<Formula> = all.iter().copied().filter(|&part| !self.implies(part, b)).collect();
        (rest.len() < all.len()).then(|| self.any(rest))
    }

    fn until_disjunction(&mut self, a: Formula, operands: &[Formula]) -> Option<Formula> {
        // a U (b | G a) = a W b
        let always = self.globally(a);
        if operands.contains(&always) {
            let rest = self.any(operands.iter().copied().filter(|&operand| operand != always));
            return Some(self.weak_until(a, rest));
        }
        let (outside, rest) = self.without_eventual(operands)?;
        let inside = self.until(a, rest);
        Some(self.any(outside.into_iter().chain([inside])))
    }

    fn weak_until_disjunction(&mut self, a: Formula, operands: &[Formula]) -> Option<Formula> {
        // a W (b | G c) = a W b if c implies a
        let mut rest = Vec::new();
        for &operand in operands {
            if !matches!(self.node(operand).clone(), Node::Globally(c) if self.implies(c, a)) {
                rest.push(operand);
            }
        }
        if rest.len() < operands.len() {
            let rest = self.any(rest);
            return Some(self.weak_until(a, rest));
        }
        let (outside, rest) = self.without_eventual(operands)?;
        let inside = self.weak_until(a, rest);
        Some(self.any(outside.into_iter().chain([inside])))
    }

    /// a U (b | e) = (a U b) | e for an eventual e: the eventual operands, and the disjunction of the others.
    fn without_eventual(&mut self, operands: &[Formula]) -> Option<(Vec<Formula>, Formula)> {
        let (outside, inside): (Vec<Formula>, Vec<Formula>) =
            operands.iter().partition(|&&operand| self.is_eventual(operand));
        (!outside.is_empty()).then(|| (outside, self.any(inside)))
    }

    fn until_conjunction(&mut self, a: Formula, operands: &[Formula]) -> Option<Formula> {
        // a U (b & a) = b M a
        if let Some(rest) = self.all_but(operands, a) {
            return Some(self.strong_release(rest, a));
        }
        // a U (b & s) = (a U b) & s for a suspendable s
        let (outside, inside): (Vec<Formula>, Vec<Formula>) =
            operands.iter().partition(|&&operand| self.is_suspendable(operand));
        if outside.is_empty() {
            return None;
        }
        let inside = self.all(inside);
        let inside = self.until(a, inside);
        Some(self.all(outside.into_iter().chain([inside])))
    }

    /// The conjunction of the operands that are not conjuncts of a, if all conjuncts of a are operands.
    fn all_but(&mut self, operands: &[Formula], a: Formula) -> Option<Formula> {
        let removed = self.conjuncts(a);
        if !removed.iter().all(|part| operands.contains(part)) {
            return None;
        }
        Some(self.all(operands.iter().copied().filter(|operand| !removed.contains(operand))))
    }
}
