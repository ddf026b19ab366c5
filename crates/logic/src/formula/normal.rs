//! Negation normal form: negations before atoms only, and neither implications nor equivalences.

use super::{Formula, Formulas, Node};

impl Formulas {
    /// The negation normal form of a formula.
    pub fn normal_form(&mut self, f: Formula) -> Formula {
        self.both_normal_forms(f).0
    }

    /// The negation normal form of a formula's negation.
    pub fn negation(&mut self, f: Formula) -> Formula {
        self.both_normal_forms(f).1
    }

    fn both_normal_forms(&mut self, f: Formula) -> (Formula, Formula) {
        if let Some(&known) = self.normal.get(&f) {
            return known;
        }
        for part in self.subformulas_unless(f, |part| self.normal.contains_key(&part)) {
            let forms = self.normal_step(part);
            self.normal.insert(part, forms);
        }
        self.normal[&f]
    }

    fn normal_step(&mut self, f: Formula) -> (Formula, Formula) {
        let forms = |formulas: &Formulas, f: Formula| formulas.normal[&f];
        match self.node(f).clone() {
            Node::True => (Formula::TRUE, Formula::FALSE),
            Node::False => (Formula::FALSE, Formula::TRUE),
            Node::Atom(_) => (f, self.not(f)),
            Node::Not(g) => {
                let (plain, negated) = forms(self, g);
                (negated, plain)
            }
            Node::And(operands) => {
                let operands: Vec<_> = operands.iter().map(|&g| forms(self, g)).collect();
                (self.all(operands.iter().map(|g| g.0)), self.any(operands.iter().map(|g| g.1)))
            }
            Node::Or(operands) => {
                let operands: Vec<_> = operands.iter().map(|&g| forms(self, g)).collect();
                (self.any(operands.iter().map(|g| g.0)), self.all(operands.iter().map(|g| g.1)))
            }
            Node::Implies(g, h) => {
                let (g, h) = (forms(self, g), forms(self, h));
                (self.or(g.1, h.0), self.and(g.0, h.1))
            }
            Node::Equivalent(g, h) => {
                let (g, h) = (forms(self, g), forms(self, h));
                (self.agreement(g, h), self.agreement(g, (h.1, h.0)))
            }
            Node::Xor(g, h) => {
                let (g, h) = (forms(self, g), forms(self, h));
                (self.agreement(g, (h.1, h.0)), self.agreement(g, h))
            }
            Node::Next(g) => {
                let g = forms(self, g);
                (self.next(g.0), self.next(g.1))
            }
            Node::Finally(g) => {
                let g = forms(self, g);
                (self.finally(g.0), self.globally(g.1))
            }
            Node::Globally(g) => {
                let g = forms(self, g);
                (self.globally(g.0), self.finally(g.1))
            }
            Node::Until(g, h) => {
                let (g, h) = (forms(self, g), forms(self, h));
                (self.until(g.0, h.0), self.release(g.1, h.1))
            }
            Node::Release(g, h) => {
                let (g, h) = (forms(self, g), forms(self, h));
                (self.release(g.0, h.0), self.until(g.1, h.1))
            }
            Node::WeakUntil(g, h) => {
                let (g, h) = (forms(self, g), forms(self, h));
                (self.weak_until(g.0, h.0), self.strong_release(g.1, h.1))
            }
            Node::StrongRelease(g, h) => {
                let (g, h) = (forms(self, g), forms(self, h));
                (self.strong_release(g.0, h.0), self.weak_until(g.1, h.1))
            }
        }
    }

    /// Both or none, of two formulas given with their negations.
    fn agreement(&mut self, g: (Formula, Formula), h: (Formula, Formula)) -> Formula {
        let both = self.and(g.0, h.0);
        let none = self.and(g.1, h.1);
        self.or(both, none)
    }
}
