//! The constructors of formulas. They calculate with constants and put conjunctions and disjunctions in order; no more, so that
//! what a user wrote stays recognisable.

use rustc_hash::FxHashMap;

use super::{Formula, Formulas, Node};

impl Formulas {
    /// True or false.
    pub fn constant(&self, value: bool) -> Formula {
        if value { Formula::TRUE } else { Formula::FALSE }
    }

    /// An atom.
    pub fn atom(&mut self, atom: u32) -> Formula {
        self.add(Node::Atom(atom))
    }

    /// An atom or its negation.
    pub fn literal(&mut self, atom: u32, value: bool) -> Formula {
        let atom = self.atom(atom);
        if value { atom } else { self.not(atom) }
    }

    /// Negation.
    pub fn not(&mut self, f: Formula) -> Formula {
        match self.node(f) {
            Node::True => Formula::FALSE,
            Node::False => Formula::TRUE,
            Node::Not(f) => *f,
            _ => self.add(Node::Not(f)),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, f: Formula, g: Formula) -> Formula {
        self.all([f, g])
    }

    /// Disjunction.
    pub fn or(&mut self, f: Formula, g: Formula) -> Formula {
        self.any([f, g])
    }

    /// Conjunction of any number of formulas: true if there is none.
    pub fn all(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for operand in operands {
            match self.node(operand) {
                Node::And(inner) => flat.extend_from_slice(inner),
                _ => flat.push(operand),
            }
        }
        match self.arrange(flat, Formula::TRUE, Formula::FALSE) {
            Ok(formula) => formula,
            Err(operands) => self.add(Node::And(operands.into())),
        }
    }

    /// Disjunction of any number of formulas: false if there is none.
    pub fn any(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for operand in operands {
            match self.node(operand) {
                Node::Or(inner) => flat.extend_from_slice(inner),
                _ => flat.push(operand),
            }
        }
        match self.arrange(flat, Formula::FALSE, Formula::TRUE) {
            Ok(formula) => formula,
            Err(operands) => self.add(Node::Or(operands.into())),
        }
    }

    /// Operands in order and without the neutral one, or the formula that they amount to.
    fn arrange(
        &self, mut operands: Vec<Formula>, neutral: Formula, absorbing: Formula,
    ) -> Result<Formula, Vec<Formula>> {
        operands.sort_unstable();
        operands.dedup();
        operands.retain(|&operand| operand != neutral);
        let contradicts = |&operand: &Formula| match self.node(operand) {
            Node::Not(negated) => operands.binary_search(negated).is_ok(),
            _ => operand == absorbing,
        };
        if operands.iter().any(contradicts) {
            return Ok(absorbing);
        }
        match operands[..] {
            [] => Ok(neutral),
            [only] => Ok(only),
            _ => Err(operands),
        }
    }

    /// Implication.
    pub fn implication(&mut self, f: Formula, g: Formula) -> Formula {
        match (f, g) {
            (Formula::TRUE, _) => g,
            (_, Formula::FALSE) => self.not(f),
            (Formula::FALSE, _) | (_, Formula::TRUE) => Formula::TRUE,
            _ if f == g => Formula::TRUE,
            _ => self.add(Node::Implies(f, g)),
        }
    }

    /// Equivalence.
    pub fn equivalence(&mut self, f: Formula, g: Formula) -> Formula {
        let (f, g) = (f.min(g), f.max(g));
        match (f, g) {
            (Formula::TRUE, _) => g,
            (Formula::FALSE, _) => self.not(g),
            _ if f == g => Formula::TRUE,
            _ => self.add(Node::Equivalent(f, g)),
        }
    }

    /// Exclusive disjunction.
    pub fn xor(&mut self, f: Formula, g: Formula) -> Formula {
        let (f, g) = (f.min(g), f.max(g));
        match (f, g) {
            (Formula::TRUE, _) => self.not(g),
            (Formula::FALSE, _) => g,
            _ if f == g => Formula::FALSE,
            _ => self.add(Node::Xor(f, g)),
        }
    }

    /// `X f`.
    pub fn next(&mut self, f: Formula) -> Formula {
        if is_constant(f) { f } else { self.add(Node::Next(f)) }
    }

    /// `F f`.
    pub fn finally(&mut self, f: Formula) -> Formula {
        if is_constant(f) { f } else { self.add(Node::Finally(f)) }
    }

    /// `G f`.
    pub fn globally(&mut self, f: Formula) -> Formula {
        if is_constant(f) { f } else { self.add(Node::Globally(f)) }
    }

    /// `f U g`.
    pub fn until(&mut self, f: Formula, g: Formula) -> Formula {
        match (f, g) {
            (Formula::TRUE, _) => self.finally(g),
            (Formula::FALSE, _) => g,
            _ if is_constant(g) || f == g => g,
            _ => self.add(Node::Until(f, g)),
        }
    }

    /// `f W g`.
    pub fn weak_until(&mut self, f: Formula, g: Formula) -> Formula {
        match (f, g) {
            (Formula::TRUE, _) | (_, Formula::TRUE) => Formula::TRUE,
            (Formula::FALSE, _) => g,
            (_, Formula::FALSE) => self.globally(f),
            _ if f == g => g,
            _ => self.add(Node::WeakUntil(f, g)),
        }
    }

    /// `f R g`.
    pub fn release(&mut self, f: Formula, g: Formula) -> Formula {
        match (f, g) {
            (Formula::FALSE, _) => self.globally(g),
            (Formula::TRUE, _) => g,
            _ if is_constant(g) || f == g => g,
            _ => self.add(Node::Release(f, g)),
        }
    }

    /// `f M g`.
    pub fn strong_release(&mut self, f: Formula, g: Formula) -> Formula {
        match (f, g) {
            (Formula::FALSE, _) | (_, Formula::FALSE) => Formula::FALSE,
            (Formula::TRUE, _) => g,
            (_, Formula::TRUE) => self.finally(f),
            _ if f == g => g,
            _ => self.add(Node::StrongRelease(f, g)),
        }
    }

    /// The formula with something else for each atom.
    pub fn with_atoms(&mut self, f: Formula, mut atom: impl FnMut(&mut Formulas, u32) -> Formula) -> Formula {
        let mut known: FxHashMap<Formula, Formula> = FxHashMap::default();
        for part in self.subformulas(f) {
            let of = |g: &Formula| known[g];
            let result = match self.node(part).clone() {
                Node::Atom(number) => atom(self, number),
                node => self.make(node.with_operands(of)),
            };
            known.insert(part, result);
        }
        known[&f]
    }

    /// The formula with a node, from operands that may be anything.
    pub(crate) fn make(&mut self, node: Node) -> Formula {
        match node {
            Node::True => Formula::TRUE,
            Node::False => Formula::FALSE,
            Node::Atom(atom) => self.atom(atom),
            Node::Not(f) => self.not(f),
            Node::And(operands) => self.all(operands.iter().copied()),
            Node::Or(operands) => self.any(operands.iter().copied()),
            Node::Implies(f, g) => self.implication(f, g),
            Node::Equivalent(f, g) => self.equivalence(f, g),
            Node::Xor(f, g) => self.xor(f, g),
            Node::Next(f) => self.next(f),
            Node::Finally(f) => self.finally(f),
            Node::Globally(f) => self.globally(f),
            Node::Until(f, g) => self.until(f, g),
            Node::WeakUntil(f, g) => self.weak_until(f, g),
            Node::Release(f, g) => self.release(f, g),
            Node::StrongRelease(f, g) => self.strong_release(f, g),
        }
    }
}

fn is_constant(f: Formula) -> bool {
    f == Formula::TRUE || f == Formula::FALSE
}
