//! Making homomorphisms, as the user sees them.

use std::sync::Arc as Shared;

use super::inductive::{Boxed, Inductive};
use super::rewrite::Link;
use super::term::{ID, NULL, Term, TermData};
use super::value_map::ValueMap;
use crate::memory::{Diagram, Error, Hom};
use crate::node::{Node, ONE, ZERO};
use crate::store::{Store, Variable};

/// # Making homomorphisms
impl Store {
    /// The identity.
    pub fn identity(&self) -> Hom {
        self.hom(ID)
    }

    /// The homomorphism whose result is always empty.
    pub fn null(&self) -> Hom {
        self.hom(NULL)
    }

    /// The same result for every set that is not empty.
    pub fn constant(&mut self, set: &Diagram) -> Hom {
        let node = self.node_of(set);
        if set.is_empty() {
            return self.null();
        }
        let term = self.terms.add(TermData::Constant(node));
        self.hom(term)
    }

    /// Applies a value map to a variable, where it first occurs. Sequences without the variable are
    /// dropped. On labels that are sets of integers the map applies to all of them at once. On a
    /// variable whose labels are sets of states the result is ⊤: use [`Store::local`].
    pub fn value(&mut self, variable: Variable, map: ValueMap) -> Hom {
        let term = self.link_term(variable, Link::Value(map.0), ID);
        self.hom(term)
    }

    /// Applies a homomorphism to the label of a variable, where it first occurs: `L(h, v)` of the SDD
    /// paper (2.2). Sequences without the variable are dropped. On a data variable the result is ⊤: use
    /// [`Store::value`].
    pub fn local(&mut self, variable: Variable, inside: &Hom) -> Hom {
        let inside = self.term_of(inside);
        let term = self.link_term(variable, Link::Local(inside), ID);
        self.hom(term)
    }

    /// The sum: the union of the results.
    pub fn sum<'a>(&mut self, homs: impl IntoIterator<Item = &'a Hom>) -> Hom {
        let terms: Vec<Term> = homs.into_iter().map(|hom| self.term_of(hom)).collect();
        let term = self.sum_term(terms);
        self.hom(term)
    }

    /// The composition `outer ∘ inner`: first `inner`, then `outer`.
    pub fn compose(&mut self, outer: &Hom, inner: &Hom) -> Hom {
        let (outer, inner) = (self.term_of(outer), self.term_of(inner));
        let term = self.compose_term(outer, inner);
        self.hom(term)
    }

    /// Homomorphisms one after the other, in the order in which they are given.
    pub fn sequence<'a>(&mut self, homs: impl IntoIterator<Item = &'a Hom>) -> Hom {
        let terms: Vec<Term> = homs.into_iter().map(|hom| self.term_of(hom)).collect();
        let term = match self.chain_of_links(&terms) {
            Some(chain) => chain,
            None => terms.into_iter().fold(ID, |before, next| self.compose_term(next, before)),
        };
        self.hom(term)
    }

    /// Keeps what is also in a set: a selector.
    pub fn intersect(&mut self, set: &Diagram) -> Hom {
        let node = self.node_of(set);
        if set.is_empty() {
            return self.null();
        }
        let term = self.terms.add(TermData::Intersect(node));
        self.hom(term)
    }

    /// Puts each sequence of a set before each of the argument.
    pub fn prepend(&mut self, set: &Diagram) -> Hom {
        self.concatenating(set, TermData::Prepend)
    }

    /// Puts each sequence of a set after each of the argument.
    pub fn append(&mut self, set: &Diagram) -> Hom {
        self.concatenating(set, TermData::Append)
    }

    fn concatenating(&mut self, set: &Diagram, data: fn(Node) -> TermData) -> Hom {
        let term = match self.node_of(set) {
            ZERO => NULL,
            ONE => ID,
            node => self.terms.add(data(node)),
        };
        self.hom(term)
    }

    /// The fixpoint `h*`: applies `h` again and again until nothing changes.
    ///
    /// If `h` is a sum with the identity among its members, this is the [closure](Store::closure)
    /// under the others. Otherwise it is evaluated by repetition, and it is on you that it ends.
    pub fn fixpoint(&mut self, hom: &Hom) -> Hom {
        let term = self.term_of(hom);
        let term = self.fixpoint_term(term);
        self.hom(term)
    }

    /// The closure `(t1 + ... + tn + Id)*`: what can be reached by any number of steps. It is
    /// evaluated by saturation.
    pub fn closure<'a>(&mut self, transitions: impl IntoIterator<Item = &'a Hom>) -> Hom {
        let terms: Vec<Term> = transitions.into_iter().map(|hom| self.term_of(hom)).collect();
        let term = self.closure_term(terms);
        self.hom(term)
    }

    /// What a selector does not select.
    ///
    /// # Panics
    /// If the homomorphism is not [a selector](Store::is_selector).
    #[track_caller]
    pub fn not(&mut self, selector: &Hom) -> Hom {
        let term = self.term_of(selector);
        assert!(self.terms.is_selector(term), "`not` needs a selector, and this may change states: see is_selector");
        let term = self.not_term(term);
        self.hom(term)
    }

    /// `then` on what a selector selects, and `otherwise` on the rest.
    ///
    /// # Panics
    /// If the first is not [a selector](Store::is_selector).
    #[track_caller]
    pub fn if_then_else(&mut self, selector: &Hom, then: &Hom, otherwise: &Hom) -> Hom {
        assert!(self.is_selector(selector), "`if_then_else` needs a selector as its first argument: see is_selector");
        let rest = self.not(selector);
        let (then, otherwise) = (self.compose(then, selector), self.compose(otherwise, &rest));
        self.sum([&then, &otherwise])
    }

    /// Whether the homomorphism is known to return a subset of its argument, whatever that is: the
    /// identity, intersections, value maps without a change, negations, and what is made of these.
    pub fn is_selector(&self, hom: &Hom) -> bool {
        self.terms.is_selector(self.term_of(hom))
    }

    /// Whether the homomorphism is known to pass by a variable: see [`Inductive::skips`].
    pub fn is_skipping(&self, hom: &Hom, variable: Variable) -> bool {
        self.skips(self.term_of(hom), variable)
    }

    /// A homomorphism of your own.
    pub fn inductive(&mut self, inductive: impl Inductive) -> Hom {
        let term = self.terms.add(TermData::Inductive(Boxed(Shared::new(inductive))));
        self.hom(term)
    }

    /// The result of a homomorphism. If a limit ends the computation of a closure, the error holds
    /// what was [reached](Error::reached).
    pub fn apply(&mut self, hom: &Hom, set: &Diagram) -> Result<Diagram, Error> {
        let (term, node) = (self.term_of(hom), self.node_of(set));
        let is_closure = matches!(self.terms.get(term), TermData::Close(_));
        let result = if is_closure {
            self.run_closure(node, |store| store.close_term(term, node))?
        } else {
            self.run(|store| store.apply_term(term, node))?
        };
        Ok(self.diagram(result))
    }
}
