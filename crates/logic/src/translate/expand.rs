//! What a formula asks of the first letter and of the rest of the word.
//!
//! The expansion of a formula is a boolean combination of atoms, of *next* formulas (what has to hold of the rest) and
//! of *promises*:
//!
//! ```text
//! X f      next f
//! F f      f | (promise f & next F f)             G f      f & next G f
//! f U g    g | (f & promise g & next (f U g))     f R g    g & (f | next (f R g))
//! f W g    g | (f & next (f W g))                 f M g    g & (f | (promise f & next (f M g)))
//! ```
//!
//! It is kept as a diagram, with atoms decided first; formulas with the same expansion are the same state. Formulas in
//! negation normal form make it monotonic in next formulas and promises: once the letter is known, what is left has one
//! set of prime implicants, and each is an edge.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::TooLarge;
use crate::automaton::{MAX_MARKS, Marks};
use crate::condition::{Condition, Conditions};
use crate::formula::{Formula, Formulas, Node};

/// Atoms have smaller numbers.
pub(super) const MAX_ATOM: u32 = 1 << 30;
/// Next formulas and promises are variables from here on, after all atoms.
const FIRST_OBLIGATION: u32 = MAX_ATOM;
/// What is left once the letter is known may have so many prime implicants.
const MAX_CHOICES: usize = 20_000;

/// An edge in the making.
pub(super) struct Successor {
    pub condition: Condition,
    pub promises: Marks,
    /// What has to hold of the rest, expanded.
    pub obligation: Condition,
}

/// What a variable that is no atom stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Obligation {
    Next(Formula),
    Promise(Formula),
}

/// Variables that are to be true together, in order.
type Choice = Rc<[u32]>;

pub(super) struct Expansion<'a> {
    formulas: &'a Formulas,
    table: Conditions,
    expanded: FxHashMap<Formula, Condition>,
    obligations: Vec<Obligation>,
    variables: FxHashMap<Obligation, u32>,
    promises: FxHashMap<u32, u32>,
    choices: FxHashMap<Condition, Rc<[Choice]>>,
    joint: FxHashMap<Vec<Formula>, Condition>,
}

impl<'a> Expansion<'a> {
    pub fn new(formulas: &'a Formulas) -> Expansion<'a> {
        Expansion {
            formulas,
            table: Conditions::new(),
            expanded: FxHashMap::default(),
            obligations: Vec::new(),
            variables: FxHashMap::default(),
            promises: FxHashMap::default(),
            choices: FxHashMap::default(),
            joint: FxHashMap::default(),
        }
    }

    pub fn promise_count(&self) -> u32 {
        self.promises.len() as u32
    }

    pub fn is_exhausted(&self) -> bool {
        self.table.is_exhausted()
    }

    fn variable(&mut self, obligation: Obligation) -> Condition {
        let variable = match self.variables.get(&obligation) {
            Some(&known) => known,
            None => {
                let new = FIRST_OBLIGATION + self.obligations.len() as u32;
                self.obligations.push(obligation);
                self.variables.insert(obligation, new);
                new
            }
        };
        self.table.literal(variable, true)
    }

    /// The expansion of a formula.
    pub fn expand(&mut self, f: Formula) -> Condition {
        for part in self.formulas.subformulas(f) {
            if !self.expanded.contains_key(&part) {
                let expansion = self.expand_step(part);
                self.expanded.insert(part, expansion);
            }
        }
        self.expanded[&f]
    }

    fn expand_step(&mut self, f: Formula) -> Condition {
        let of = |expansion: &Expansion<'_>, g: &Formula| expansion.expanded[g];
        match self.formulas.node(f) {
            Node::True => Condition::TRUE,
            Node::False => Condition::FALSE,
            Node::Atom(atom) => self.table.literal(*atom, true),
            Node::Not(g) => {
                let g = of(self, g);
                self.table.not(g)
            }
            // From the last: what is decided later is made first.
            Node::And(operands) => operands.iter().rev().fold(Condition::TRUE, |all, g| {
                let g = of(self, g);
                self.table.and(all, g)
            }),
            Node::Or(operands) => operands.iter().rev().fold(Condition::FALSE, |any, g| {
                let g = of(self, g);
                self.table.or(any, g)
            }),
            Node::Next(g) => self.variable(Obligation::Next(*g)),
            &Node::Finally(g) => {
                let later = self.put_off(f, Some(g));
                self.table.or(of(self, &g), later)
            }
            &Node::Globally(g) => {
                let later = self.put_off(f, None);
                self.table.and(of(self, &g), later)
            }
            &Node::Until(g, h) => {
                let later = self.put_off(f, Some(h));
                self.unless(of(self, &h), of(self, &g), later)
            }
            &Node::WeakUntil(g, h) => {
                let later = self.put_off(f, None);
                self.unless(of(self, &h), of(self, &g), later)
            }
            &Node::Release(g, h) => {
                let later = self.put_off(f, None);
                let end = self.table.or(of(self, &g), later);
                self.table.and(of(self, &h), end)
            }
            &Node::StrongRelease(g, h) => {
                let later = self.put_off(f, Some(g));
                let end = self.table.or(of(self, &g), later);
                self.table.and(of(self, &h), end)
            }
            Node::Implies(..) | Node::Equivalent(..) | Node::Xor(..) => unreachable!("not in negation normal form"),
        }
    }

    /// The formula itself has to hold of the rest; with a promise of what is put off, if it must not be put off for
    /// ever.
    fn put_off(&mut self, f: Formula, promised: Option<Formula>) -> Condition {
        let next = self.variable(Obligation::Next(f));
        match promised {
            Some(g) => {
                let promise = self.variable(Obligation::Promise(g));
                self.table.and(promise, next)
            }
            None => next,
        }
    }

    /// The goal, or what is kept and later.
    fn unless(&mut self, goal: Condition, kept: Condition, later: Condition) -> Condition {
        let later = self.table.and(kept, later);
        self.table.or(goal, later)
    }

    /// The edges from a state with some obligation.
    pub fn successors(
        &mut self, obligation: Condition, conditions: &mut Conditions,
    ) -> Result<Vec<Successor>, TooLarge> {
        let mut merged: BTreeMap<(Condition, Marks), Condition> = BTreeMap::new();
        for (rest, letters) in self.letters(obligation, conditions) {
            let mut targets = Vec::new();
            for choice in self.choices(rest)?.iter() {
                let (promises, target) = self.target(choice)?;
                if !target.is_false() {
                    targets.push((target, promises));
                }
            }
            for (index, &(target, promises)) in targets.iter().enumerate() {
                if !self.is_dominated(index, &targets) {
                    let known = merged.entry((target, promises)).or_insert(Condition::FALSE);
                    *known = conditions.or(*known, letters);
                }
            }
        }
        let successor = |((obligation, promises), condition)| Successor { condition, promises, obligation };
        Ok(merged.into_iter().map(successor).collect())
    }

    /// What is left of an obligation once the letter is known, with the letters that leave it.
    fn letters(&self, obligation: Condition, conditions: &mut Conditions) -> Vec<(Condition, Condition)> {
        let first = |c: Condition| self.table.decision(c).map_or(u32::MAX, |(atom, ..)| atom);
        let mut open: BTreeMap<(u32, Condition), Condition> = BTreeMap::new();
        open.insert((first(obligation), obligation), Condition::TRUE);
        let mut settled = Vec::new();
        // By the order of atoms: when a node's turn comes, all ways to it are known.
        while let Some(((atom, part), letters)) = open.pop_first() {
            if atom >= FIRST_OBLIGATION {
                settled.push((part, letters));
                continue;
            }
            let Some((_, low, high)) = self.table.decision(part) else { continue };
            for (branch, value) in [(low, false), (high, true)] {
                let literal = conditions.literal(atom, value);
                let letters = conditions.and(letters, literal);
                let known = open.entry((first(branch), branch)).or_insert(Condition::FALSE);
                *known = conditions.or(*known, letters);
            }
        }
        settled
    }

    /// The smallest sets of variables that make a monotonic function true.
    fn choices(&mut self, rest: Condition) -> Result<Rc<[Choice]>, TooLarge> {
        let Some((variable, low, high)) = self.table.decision(rest) else {
            let empty: Choice = Rc::new([]);
            return Ok(if rest.is_true() { Rc::new([empty]) } else { Rc::new([]) });
        };
        if let Some(known) = self.choices.get(&rest) {
            return Ok(known.clone());
        }
        let without = self.choices(low)?;
        let with = self.choices(high)?;
        let mut all = without.to_vec();
        for choice in with.iter() {
            if !without.iter().any(|smaller| is_subset(smaller, choice)) {
                all.push([variable].into_iter().chain(choice.iter().copied()).collect());
            }
        }
        if all.len() > MAX_CHOICES {
            return Err(TooLarge::States);
        }
        let all: Rc<[Choice]> = all.into();
        self.choices.insert(rest, all.clone());
        Ok(all)
    }

    /// The promises that a choice makes, and the expansion of all it wants of the rest.
    fn target(&mut self, choice: &[u32]) -> Result<(Marks, Condition), TooLarge> {
        let mut promises = Marks::NONE;
        let mut wanted = Vec::new();
        for &variable in choice {
            match self.obligations[(variable - FIRST_OBLIGATION) as usize] {
                Obligation::Next(f) => wanted.push(f),
                Obligation::Promise(_) => promises |= Marks::one(self.mark_of(variable)?),
            }
        }
        if let Some(&known) = self.joint.get(&wanted) {
            return Ok((promises, known));
        }
        let target = wanted.iter().fold(Condition::TRUE, |all, &f| {
            let f = self.expand(f);
            self.table.and(all, f)
        });
        self.joint.insert(wanted, target);
        Ok((promises, target))
    }

    fn mark_of(&mut self, promise: u32) -> Result<u32, TooLarge> {
        let next = self.promises.len() as u32;
        let mark = *self.promises.entry(promise).or_insert(next);
        if mark < MAX_MARKS { Ok(mark) } else { Err(TooLarge::Marks) }
    }

    /// Whether another edge for the same letters makes no more promises and wants no more: it then can do all that this
    /// one can.
    fn is_dominated(&mut self, index: usize, targets: &[(Condition, Marks)]) -> bool {
        let (target, promises) = targets[index];
        targets.iter().enumerate().any(|(other, &(weaker, fewer))| {
            let same = (weaker, fewer) == (target, promises);
            if same { other < index } else { fewer.is_subset(promises) && self.table.implies(target, weaker) }
        })
    }
}

/// Whether all elements of a sorted list are in another.
fn is_subset(small: &[u32], large: &[u32]) -> bool {
    let mut large = large.iter();
    small.iter().all(|wanted| large.any(|found| found == wanted))
}
