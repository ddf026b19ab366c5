//! Formulas of linear temporal logic.
//!
//! A formula speaks about an infinite word of letters, each of which says which *atoms* hold. `p` holds of a word if
//! `p` holds in its first letter; `X f` if `f` holds of the word without its first letter; and
//!
//! ```text
//! F f      f holds of some suffix                     G f      f holds of every suffix
//! f U g    g holds of some suffix, f of all before    f R g    g holds of all suffixes up to the first with f, and there
//! f W g    f U g, or G f                              f M g    f R g, and F f
//! ```
//!
//! Formulas live in a store, [`Formulas`], which has each of them once: two formulas of a store are written alike
//! exactly if they are equal as values. The constructors remove constants and sort the operands of conjunctions and
//! disjunctions; everything else is the business of [`Formulas::simplify`]. Children are made before their parents, so
//! that a walk over subformulas in the order of their numbers needs no recursion.

mod atoms;
mod build;
mod class;
mod implication;
mod lexer;
mod normal;
mod parse;
mod print;
mod simplify;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

pub use atoms::Atoms;
pub use parse::{MAX_DEPTH, SyntaxError};
pub use print::Display;

use crate::condition::{Condition, Conditions};
use class::Traits;

/// A formula of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(u32);

impl Formula {
    /// Holds of every word.
    pub const TRUE: Formula = Formula(0);
    /// Holds of no word.
    pub const FALSE: Formula = Formula(1);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The outermost operator of a formula, with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Every word.
    True,
    /// No word.
    False,
    /// The atom holds in the first letter.
    Atom(u32),
    /// Negation.
    Not(Formula),
    /// All of them; two or more, in order, no conjunctions.
    And(Arc<[Formula]>),
    /// One of them; two or more, in order, no disjunctions.
    Or(Arc<[Formula]>),
    /// If the first, then the second.
    Implies(Formula, Formula),
    /// Both or none.
    Equivalent(Formula, Formula),
    /// Exactly one.
    Xor(Formula, Formula),
    /// Next.
    Next(Formula),
    /// Now or later.
    Finally(Formula),
    /// Now and always.
    Globally(Formula),
    /// The first until the second, which comes.
    Until(Formula, Formula),
    /// The first until the second, which may never come.
    WeakUntil(Formula, Formula),
    /// The second up to and including the first, which may never come.
    Release(Formula, Formula),
    /// The second up to and including the first, which comes.
    StrongRelease(Formula, Formula),
}

impl Node {
    /// Calls a function for each operand.
    pub fn for_each_operand(&self, mut call: impl FnMut(Formula)) {
        match self {
            Node::True | Node::False | Node::Atom(_) => {}
            Node::Not(f) | Node::Next(f) | Node::Finally(f) | Node::Globally(f) => call(*f),
            Node::And(operands) | Node::Or(operands) => operands.iter().copied().for_each(call),
            Node::Implies(f, g) | Node::Equivalent(f, g) | Node::Xor(f, g) => [*f, *g].into_iter().for_each(call),
            Node::Until(f, g) | Node::WeakUntil(f, g) | Node::Release(f, g) | Node::StrongRelease(f, g) => {
                [*f, *g].into_iter().for_each(call);
            }
        }
    }

    /// The same operator with other operands.
    pub fn with_operands(&self, of: impl Fn(&Formula) -> Formula) -> Node {
        match self {
            Node::True | Node::False | Node::Atom(_) => self.clone(),
            Node::Not(f) => Node::Not(of(f)),
            Node::And(operands) => Node::And(operands.iter().map(of).collect()),
            Node::Or(operands) => Node::Or(operands.iter().map(of).collect()),
            Node::Implies(f, g) => Node::Implies(of(f), of(g)),
            Node::Equivalent(f, g) => Node::Equivalent(of(f), of(g)),
            Node::Xor(f, g) => Node::Xor(of(f), of(g)),
            Node::Next(f) => Node::Next(of(f)),
            Node::Finally(f) => Node::Finally(of(f)),
            Node::Globally(f) => Node::Globally(of(f)),
            Node::Until(f, g) => Node::Until(of(f), of(g)),
            Node::WeakUntil(f, g) => Node::WeakUntil(of(f), of(g)),
            Node::Release(f, g) => Node::Release(of(f), of(g)),
            Node::StrongRelease(f, g) => Node::StrongRelease(of(f), of(g)),
        }
    }
}

/// A store of formulas.
#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Formula>,
    traits: Vec<Traits>,
    depths: Vec<u32>,
    /// Negation normal forms of formulas and of their negations.
    normal: FxHashMap<Formula, (Formula, Formula)>,
    simplest: FxHashMap<Formula, Formula>,
    implied: FxHashMap<(Formula, Formula), bool>,
    /// What formulas without temporal operators mean, for [`Formulas::implies`], and one formula for each meaning.
    conditions: Conditions,
    meanings: FxHashMap<Formula, Condition>,
    representatives: FxHashMap<Condition, Formula>,
}

impl Default for Formulas {
    fn default() -> Formulas {
        Formulas::new()
    }
}

impl Formulas {
    /// A store with the formulas true and false.
    pub fn new() -> Formulas {
        let mut formulas = Formulas {
            nodes: Vec::new(),
            unique: FxHashMap::default(),
            traits: Vec::new(),
            depths: Vec::new(),
            normal: FxHashMap::default(),
            simplest: FxHashMap::default(),
            implied: FxHashMap::default(),
            conditions: Conditions::new(),
            meanings: FxHashMap::default(),
            representatives: FxHashMap::default(),
        };
        formulas.add(Node::True);
        formulas.add(Node::False);
        formulas
    }

    /// The one constructor: the formula with this node.
    fn add(&mut self, node: Node) -> Formula {
        if let Some(&known) = self.unique.get(&node) {
            return known;
        }
        let mut depth = 0;
        node.for_each_operand(|operand| depth = depth.max(self.depths[operand.index()] + 1));
        if let Node::And(operands) | Node::Or(operands) = &node {
            debug_assert!(operands.len() >= 2 && operands.is_sorted_by(|a, b| a < b));
        }
        let formula = Formula(u32::try_from(self.nodes.len()).expect("fewer than 2^32 formulas"));
        self.traits.push(Traits::of(&node, |operand| self.traits[operand.index()]));
        self.depths.push(depth);
        self.nodes.push(node.clone());
        self.unique.insert(node, formula);
        formula
    }

    /// The outermost operator of a formula and its operands.
    pub fn node(&self, formula: Formula) -> &Node {
        &self.nodes[formula.index()]
    }

    /// How deeply operators are nested in a formula; 0 for an atom.
    pub fn depth(&self, formula: Formula) -> u32 {
        self.depths[formula.index()]
    }

    /// A formula and all its subformulas, operands before their operators.
    pub fn subformulas(&self, formula: Formula) -> Vec<Formula> {
        self.subformulas_unless(formula, |_| false)
    }

    /// Subformulas, but for those that are settled, and what occurs only below them.
    fn subformulas_unless(&self, formula: Formula, settled: impl Fn(Formula) -> bool) -> Vec<Formula> {
        let mut seen = FxHashSet::default();
        let mut open = vec![formula];
        while let Some(formula) = open.pop() {
            if !settled(formula) && seen.insert(formula) {
                self.node(formula).for_each_operand(|operand| open.push(operand));
            }
        }
        let mut all: Vec<Formula> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The atoms of a formula, in order.
    pub fn atoms_of(&self, formula: Formula) -> Vec<u32> {
        let mut atoms: Vec<u32> = self
            .subformulas(formula)
            .into_iter()
            .filter_map(|part| if let Node::Atom(atom) = self.node(part) { Some(*atom) } else { None })
            .collect();
        atoms.sort_unstable();
        atoms
    }
}
