//! When one formula obviously implies another.
//!
//! The rules look at the shapes of both (Somenzi and Bloem, *Efficient Büchi automata from LTL formulae*, and Babiak et
//! al., *LTL to Büchi automata translation: fast and more deterministic*, for eventual and universal formulas);
//! formulas without temporal operators are compared by what they mean.

use super::{Formula, Formulas, Node};
use crate::condition::Condition;

/// How far shapes are compared.
const MAX_STEPS: u32 = 100;
/// State formulas with more atoms are compared by their shapes only.
const MAX_ATOMS: usize = 10;

impl Formulas {
    /// Whether it is obvious that every word of `f` is one of `g`. Both are in negation normal form.
    pub fn implies(&mut self, f: Formula, g: Formula) -> bool {
        self.implies_within(f, g, MAX_STEPS)
    }

    fn implies_within(&mut self, f: Formula, g: Formula, steps: u32) -> bool {
        if f == g || f == Formula::FALSE || g == Formula::TRUE {
            return true;
        }
        if f == Formula::TRUE || g == Formula::FALSE || steps == 0 {
            return false;
        }
        if let Some(&known) = self.implied.get(&(f, g)) {
            return known;
        }
        let result = match self.state_formulas_imply(f, g) {
            Some(answer) => answer,
            None => self.implies_by_left(f, g, steps - 1) || self.implies_by_right(f, g, steps - 1),
        };
        self.implied.insert((f, g), result);
        result
    }

    fn state_formulas_imply(&mut self, f: Formula, g: Formula) -> Option<bool> {
        if !self.is_state_formula(f) || !self.is_state_formula(g) {
            return None;
        }
        let (f, g) = (self.meaning(f)?, self.meaning(g)?);
        Some(self.conditions.implies(f, g))
    }

    /// What a formula without temporal operators means, if it has few atoms.
    pub(super) fn meaning(&mut self, f: Formula) -> Option<Condition> {
        if !self.meanings.contains_key(&f) && self.atoms_of(f).len() > MAX_ATOMS {
            return None;
        }
        for part in self.subformulas_unless(f, |part| self.meanings.contains_key(&part)) {
            let of = |formulas: &Formulas, g: &Formula| formulas.meanings[g];
            let meaning = match self.node(part).clone() {
                Node::True => Condition::TRUE,
                Node::False => Condition::FALSE,
                Node::Atom(atom) => self.conditions.literal(atom, true),
                Node::Not(g) => {
                    let g = of(self, &g);
                    self.conditions.not(g)
                }
                Node::And(operands) => operands.iter().rev().fold(Condition::TRUE, |all, g| {
                    let g = of(self, g);
                    self.conditions.and(all, g)
                }),
                Node::Or(operands) => operands.iter().rev().fold(Condition::FALSE, |any, g| {
                    let g = of(self, g);
                    self.conditions.or(any, g)
                }),
                _ => return None,
            };
            if self.conditions.is_exhausted() {
                return None;
            }
            self.meanings.insert(part, meaning);
        }
        self.meanings.get(&f).copied()
    }

    /// Rules that take the left formula apart.
    fn implies_by_left(&mut self, f: Formula, g: Formula, steps: u32) -> bool {
        let eventual = self.is_eventual(g);
        match self.node(f).clone() {
            Node::Or(operands) => operands.iter().all(|&part| self.implies_within(part, g, steps)),
            Node::And(operands) => operands.iter().any(|&part| self.implies_within(part, g, steps)),
            Node::Next(a) | Node::Finally(a) => eventual && self.implies_within(a, g, steps),
            Node::Globally(a) => self.implies_within(a, g, steps),
            Node::Until(a, b) => self.implies_within(b, g, steps) && (eventual || self.implies_within(a, g, steps)),
            Node::WeakUntil(a, b) => self.implies_within(a, g, steps) && self.implies_within(b, g, steps),
            Node::Release(_, b) => self.implies_within(b, g, steps),
            Node::StrongRelease(a, b) => {
                self.implies_within(b, g, steps) || (eventual && self.implies_within(a, g, steps))
            }
            _ => false,
        }
    }

    /// Rules that take the right formula apart, perhaps together with the left one.
    fn implies_by_right(&mut self, f: Formula, g: Formula, steps: u32) -> bool {
        let universal = self.is_universal(f);
        let left = self.node(f).clone();
        match self.node(g).clone() {
            Node::Or(operands) => operands.iter().any(|&part| self.implies_within(f, part, steps)),
            Node::And(operands) => operands.iter().all(|&part| self.implies_within(f, part, steps)),
            Node::Finally(b) => self.implies_within(f, b, steps),
            Node::Globally(b) => universal && self.implies_within(f, b, steps),
            Node::Next(b) => {
                (universal && self.implies_within(f, b, steps))
                    || matches!(left, Node::Next(a) if self.implies_within(a, b, steps))
            }
            Node::Until(a, b) => {
                self.implies_within(f, b, steps)
                    || match left {
                        Node::Until(c, d) | Node::StrongRelease(d, c) => {
                            self.implies_within(c, a, steps) && self.implies_within(d, b, steps)
                        }
                        _ => false,
                    }
            }
            Node::WeakUntil(a, b) => {
                self.implies_within(f, b, steps)
                    || (universal && self.implies_within(f, a, steps))
                    || match left {
                        Node::Until(c, d) | Node::WeakUntil(c, d) | Node::Release(d, c) | Node::StrongRelease(d, c) => {
                            self.implies_within(c, a, steps) && self.implies_within(d, b, steps)
                        }
                        _ => false,
                    }
            }
            Node::Release(a, b) => {
                (self.implies_within(f, b, steps) && (universal || self.implies_within(f, a, steps)))
                    || match left {
                        Node::Release(c, d) | Node::StrongRelease(c, d) => {
                            self.implies_within(c, a, steps) && self.implies_within(d, b, steps)
                        }
                        Node::Until(c, d) | Node::WeakUntil(c, d) => self.reaches_release((c, d), (a, b), steps),
                        _ => false,
                    }
            }
            Node::StrongRelease(a, b) => {
                (self.implies_within(f, b, steps) && self.implies_within(f, a, steps))
                    || match left {
                        Node::StrongRelease(c, d) => {
                            self.implies_within(c, a, steps) && self.implies_within(d, b, steps)
                        }
                        Node::Until(c, d) => self.reaches_release((c, d), (a, b), steps),
                        _ => false,
                    }
            }
            _ => false,
        }
    }

    /// Whether `c` until `d` keeps `b` all the way, and `a` holds at its end.
    fn reaches_release(&mut self, (c, d): (Formula, Formula), (a, b): (Formula, Formula), steps: u32) -> bool {
        self.implies_within(c, b, steps) && self.implies_within(d, b, steps) && self.implies_within(d, a, steps)
    }
}
