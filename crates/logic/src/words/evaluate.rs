//! What a formula says about a word, straight from the definition of the logic.

use rustc_hash::FxHashMap;

use super::Lasso;
use crate::formula::{Formula, Formulas, Node};

impl Lasso {
    /// Whether a formula holds of the word.
    ///
    /// For each subformula, inside out, the positions of the lasso at which it holds.
    pub fn satisfies(&self, formulas: &Formulas, formula: Formula) -> bool {
        let mut known: FxHashMap<Formula, Vec<bool>> = FxHashMap::default();
        for part in formulas.subformulas(formula) {
            let truth = self.truth(formulas.node(part), |operand| &known[&operand]);
            known.insert(part, truth);
        }
        known[&formula][0]
    }

    fn truth<'a>(&self, node: &Node, of: impl Fn(Formula) -> &'a Vec<bool>) -> Vec<bool> {
        let positions = 0..self.letters.len();
        match node {
            Node::True => vec![true; self.letters.len()],
            Node::False => vec![false; self.letters.len()],
            Node::Atom(atom) => self.letters.iter().map(|letter| letter.holds(*atom)).collect(),
            Node::Not(f) => of(*f).iter().map(|value| !value).collect(),
            Node::And(operands) => positions.map(|at| operands.iter().all(|&f| of(f)[at])).collect(),
            Node::Or(operands) => positions.map(|at| operands.iter().any(|&f| of(f)[at])).collect(),
            Node::Implies(f, g) => positions.map(|at| !of(*f)[at] || of(*g)[at]).collect(),
            Node::Equivalent(f, g) => positions.map(|at| of(*f)[at] == of(*g)[at]).collect(),
            Node::Xor(f, g) => positions.map(|at| of(*f)[at] != of(*g)[at]).collect(),
            Node::Next(f) => positions.map(|at| of(*f)[self.after(at)]).collect(),
            Node::Finally(f) => positions.map(|at| self.suffixes(at).any(|later| of(*f)[later])).collect(),
            Node::Globally(f) => positions.map(|at| self.suffixes(at).all(|later| of(*f)[later])).collect(),
            Node::Until(f, g) => positions.map(|at| self.until(at, of(*f), of(*g)).unwrap_or(false)).collect(),
            Node::WeakUntil(f, g) => positions.map(|at| self.until(at, of(*f), of(*g)).unwrap_or(true)).collect(),
            // f R g = !(!f U !g), and f M g = !(!f W !g).
            Node::Release(f, g) => {
                let (f, g) = (negated(of(*f)), negated(of(*g)));
                positions.map(|at| !self.until(at, &f, &g).unwrap_or(false)).collect()
            }
            Node::StrongRelease(f, g) => {
                let (f, g) = (negated(of(*f)), negated(of(*g)));
                positions.map(|at| !self.until(at, &f, &g).unwrap_or(true)).collect()
            }
        }
    }

    /// The position and those after it, until they repeat.
    fn suffixes(&self, position: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(position), |&at| Some(self.after(at))).take(self.letters.len())
    }

    /// Whether f holds until g does; nothing if f holds for ever and g never does.
    fn until(&self, position: usize, f: &[bool], g: &[bool]) -> Option<bool> {
        for at in self.suffixes(position) {
            if g[at] {
                return Some(true);
            }
            if !f[at] {
                return Some(false);
            }
        }
        None
    }
}

fn negated(truth: &[bool]) -> Vec<bool> {
    truth.iter().map(|value| !value).collect()
}
