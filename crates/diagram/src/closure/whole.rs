//! Terms that are evaluated on a set as a whole, not arc by arc.

use crate::hom::{NOTHING, Term, TermData};
use crate::memory::{Error, Run, Stop};
use crate::node::{Arc, Kind, Node, ONE, ZERO};
use crate::store::{Store, Variable};

impl Store {
    /// Applies a term to a set that is not empty, by what the term means for sets.
    pub(super) fn apply_whole(&mut self, term: Term, set: Node) -> Run<Node> {
        match *self.terms.get(term) {
            TermData::Id => Ok(set),
            TermData::Null => Ok(ZERO),
            TermData::Constant(node) => Ok(node),
            TermData::Intersect(node) => self.common(set, node),
            TermData::Prepend(node) => self.concatenate(node, set),
            TermData::Append(node) => self.concatenate(set, node),
            TermData::Compose { outer, inner } => {
                let between = self.apply_term(inner, set)?;
                self.roots.push(between);
                let result = self.apply_term(outer, between)?;
                self.roots.pop();
                Ok(result)
            }
            TermData::Fixpoint(inner) => self.apply_until_stable(inner, set),
            TermData::Close(_) => self.close_term(term, set),
            TermData::Not(selector) => {
                let selected = self.apply_term(selector, set)?;
                self.roots.push(selected);
                let result = self.subtract(set, selected)?;
                self.roots.pop();
                Ok(result)
            }
            TermData::Unconstant { test, possible } => {
                Ok(if self.common(set, test)? == ZERO { ZERO } else { possible })
            }
            TermData::Unprepend { prefixes, possible } => self.left_quotient(prefixes, set, possible),
            TermData::Unappend { suffixes, possible } => self.right_quotient(set, suffixes, possible),
            TermData::CloseWithin { closure, bound } => self.close_within(closure, set, bound),
            TermData::Within { inner, bound } => {
                let op = self.plans.fire_op(inner, NOTHING);
                self.fire_within(op, set, bound)
            }
            TermData::Sum(ref members) => {
                let members = members.clone();
                self.apply_all(&members, set)
            }
            // Links and inductive homomorphisms do not know sets of integers.
            TermData::Value { .. } | TermData::Local { .. } | TermData::Inductive(_) => {
                debug_assert_eq!(self.nodes.kind(set), Kind::Ranges);
                Ok(self.undefined())
            }
        }
    }

    /// Applies several terms to a set: their sum.
    pub(super) fn apply_all(&mut self, terms: &[Term], set: Node) -> Run<Node> {
        let root = self.roots.len();
        self.roots.push(ZERO);
        for &term in terms {
            let part = self.apply_term(term, set)?;
            self.roots[root] = self.unite(self.roots[root], part)?;
        }
        let result = self.roots[root];
        self.roots.truncate(root);
        Ok(result)
    }

    /// Applies a term to the set that has one arc only.
    pub(super) fn apply_to_arc(&mut self, term: Term, kind: Kind, variable: Variable, arc: Arc) -> Run<Node> {
        let marks = self.marks();
        let single = if kind == Kind::Data {
            self.data.push(arc);
            self.make_data(variable, marks.data())
        } else {
            self.pieces.push(arc);
            self.make_set(variable, marks.pieces())
        };
        let single = single.inspect_err(|_| self.unwind_to(marks))?;
        self.roots.push(single);
        let result = self.apply_term(term, single)?;
        self.roots.pop();
        Ok(result)
    }

    /// Applies a term that is a closure.
    pub(crate) fn close_term(&mut self, term: Term, set: Node) -> Run<Node> {
        let TermData::Close(closure) = *self.terms.get(term) else { unreachable!("a closure") };
        let close = self.plans.close_op(closure);
        self.fire(close, set)
    }

    fn apply_until_stable(&mut self, term: Term, set: Node) -> Run<Node> {
        let root = self.roots.len();
        self.roots.push(set);
        loop {
            let before = self.roots[root];
            let after = self.apply_term(term, before)?;
            if after == before {
                self.roots.truncate(root);
                return Ok(after);
            }
            self.roots[root] = after;
            self.count_tick()?;
        }
    }

    /// Applies a term to the empty sequence.
    pub(super) fn apply_at_one(&mut self, term: Term) -> Run<Node> {
        match self.terms.get(term) {
            // Chains drop a sequence that ends before they are done.
            TermData::Value { .. } | TermData::Local { .. } => Ok(ZERO),
            TermData::Inductive(inductive) => {
                let inductive = inductive.clone();
                match inductive.0.at_one(self) {
                    Ok(result) => Ok(self.node_of(&result)),
                    Err(error) => Err(self.fail(error)),
                }
            }
            _ => self.apply_whole(term, ONE),
        }
    }

    /// Remembers a user's error on its way out.
    pub(crate) fn fail(&mut self, error: Error) -> Stop {
        match error {
            // A limit that struck inside a user's homomorphism is a limit of the whole.
            Error::Memory { .. } => self.stop(Stop::Memory),
            Error::Time { .. } => self.stop(Stop::Time),
            Error::Work { .. } => self.stop(Stop::Work),
            Error::Cancelled { .. } => self.stop(Stop::Cancelled),
            error => {
                self.failure = Some(error);
                Stop::Failed
            }
        }
    }
}
