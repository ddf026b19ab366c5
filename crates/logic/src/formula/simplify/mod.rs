//! Simpler formulas with the same meaning.
//!
//! Formulas are rewritten from the inside out, each until no rule applies. A rule is written once: those of `G`, `R`,
//! `M` and conjunction are those of `F`, `U`, `W` and disjunction, on the negation. The rules are known equivalences
//! (Somenzi and Bloem; Etessami and Holzmann; Babiak et al.), and aim at formulas with few temporal operators, with `X`
//! as far outside as it goes, and with what does not depend on when one starts to look apart from the rest.

mod disjunction;
mod unary;
mod until;

use super::{Formula, Formulas, Node};

/// How many rules may be applied to one formula, one after the other. Far more than the rules ever need.
const MAX_RULES: u32 = 200;

impl Formulas {
    /// A formula with the same meaning, in negation normal form and mostly simpler.
    pub fn simplify(&mut self, f: Formula) -> Formula {
        let f = self.normal_form(f);
        self.simplest(f, MAX_RULES)
    }

    fn simplest(&mut self, f: Formula, rules: u32) -> Formula {
        for part in self.subformulas_unless(f, |part| self.simplest.contains_key(&part)) {
            let rebuilt = self.with_simplest_operands(part);
            let result = self.rewrite_on(rebuilt, rules);
            self.simplest.insert(part, result);
        }
        self.simplest[&f]
    }

    fn with_simplest_operands(&mut self, f: Formula) -> Formula {
        match self.node(f) {
            Node::True | Node::False | Node::Atom(_) | Node::Not(_) => f,
            node => {
                let node = node.with_operands(|operand| self.simplest[operand]);
                self.make(node)
            }
        }
    }

    /// Applies rules to a formula whose operands are as simple as they get.
    fn rewrite_on(&mut self, f: Formula, rules: u32) -> Formula {
        if let Some(&known) = self.simplest.get(&f) {
            return known;
        }
        let rewritten = if rules > 0 { self.rewrite(f).filter(|&g| g != f) } else { None };
        let result = match rewritten {
            Some(g) => self.simplest(g, rules - 1),
            None => f,
        };
        self.simplest.insert(f, result);
        result
    }

    /// What the first rule makes of a formula.
    fn rewrite(&mut self, f: Formula) -> Option<Formula> {
        if self.is_state_formula(f)
            && let Some(shortest) = self.shortest_state_formula(f)
        {
            return Some(shortest);
        }
        match self.node(f) {
            Node::And(_) | Node::Globally(_) | Node::Release(..) | Node::StrongRelease(..) => {
                let dual = self.negation(f);
                let result = self.apply_rule(dual)?;
                Some(self.negation(result))
            }
            _ => self.apply_rule(f),
        }
    }

    fn apply_rule(&mut self, f: Formula) -> Option<Formula> {
        match self.node(f).clone() {
            Node::Or(operands) => self.rewrite_disjunction(&operands),
            Node::Next(a) => self.rewrite_next(a),
            Node::Finally(a) => self.rewrite_finally(a),
            Node::Until(a, b) => self.rewrite_until(a, b),
            Node::WeakUntil(a, b) => self.rewrite_weak_until(a, b),
            _ => None,
        }
    }

    /// The formula that stands for all state formulas with the meaning of this one.
    fn shortest_state_formula(&mut self, f: Formula) -> Option<Formula> {
        let meaning = self.meaning(f)?;
        if let Some(&known) = self.representatives.get(&meaning) {
            return Some(known);
        }
        let mut best = f;
        let opposite = self.conditions.not(meaning);
        for (condition, value) in [(meaning, true), (opposite, false)] {
            let cubes = self.conditions.cubes(condition);
            // Of the complement: a conjunction of clauses.
            let products: Vec<Formula> = cubes
                .iter()
                .map(|cube| {
                    let literals: Vec<Formula> =
                        cube.iter().map(|&(atom, literal)| self.literal(atom, literal == value)).collect();
                    if value { self.all(literals) } else { self.any(literals) }
                })
                .collect();
            let candidate = if value { self.any(products) } else { self.all(products) };
            if self.subformulas(candidate).len() < self.subformulas(best).len() {
                best = candidate;
            }
        }
        self.meanings.insert(best, meaning);
        self.representatives.insert(meaning, best);
        let negated = self.negation(best);
        self.meanings.insert(negated, opposite);
        self.representatives.insert(opposite, negated);
        Some(best)
    }

    /// Operands of a disjunction; the formula itself if it is none.
    fn disjuncts(&self, f: Formula) -> Vec<Formula> {
        match self.node(f) {
            Node::Or(operands) => operands.to_vec(),
            Node::False => Vec::new(),
            _ => vec![f],
        }
    }

    /// Operands of a conjunction; the formula itself if it is none.
    fn conjuncts(&self, f: Formula) -> Vec<Formula> {
        match self.node(f) {
            Node::And(operands) => operands.to_vec(),
            Node::True => Vec::new(),
            _ => vec![f],
        }
    }
}
