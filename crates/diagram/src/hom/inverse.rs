//! Homomorphisms backwards.
//!
//! A homomorphism forgets: an assignment does not know what it overwrote. So its inverse is relative
//! to a set `P` of possible predecessors:
//!
//! > `inverse(h, P)(d) = { p ∈ P : h({p}) ∩ d ≠ ∅ }`
//!
//! A chain is turned around link by link, without regard to `P`, and the result is cut down to `P`
//! level by level (`Within`): to intersect at the root after each step would undo the locality of the
//! steps, and outside of `P` there may be sequences that do not go together. Inside a closure, which
//! has a bound itself, chains are left as they are. A selector is its own inverse. For a sequence, the
//! states in between are not in `P`: `a2 ∘ a1` is inverted by the inverse of `a1` relative to `P` after
//! that of `a2` relative to `a1(P)`.

use super::rewrite::Link;
use super::term::{ID, NULL, Steps, Term, TermData};
use super::value_map::Map;
use crate::memory::{Bits, Diagram, Error, Hom, Run};
use crate::node::{Kind, Node, ZERO};
use crate::store::{Store, Variable};

/// # Predecessors
impl Store {
    /// The homomorphism backwards, relative to a set of possible predecessors: applied to a set `s` it
    /// gives the states `p` in `possible` whose results `h({p})` meet `s`.
    ///
    /// Every homomorphism that the library makes has an inverse. One of your own has the one that
    /// [`Inductive::inverse`](crate::Inductive::inverse) gives, or is a selector; else the result is
    /// [`Error::NoInverse`].
    ///
    /// The labels that a variable has in different places of `possible` must go together if a
    /// homomorphism changes them; where they do not, the result may be ⊤.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store, ValueMap};
    /// let mut store = Store::new();
    /// let (a, b, c) = (store.state(&[(0, 1)])?, store.state(&[(0, 2)])?, store.state(&[(0, 9)])?);
    /// let possible = store.union_of([&a, &b])?;
    /// let assign = store.value(0, ValueMap::assign(9));
    /// let before = store.predecessors(&assign, &possible)?;
    /// assert_eq!(store.apply(&before, &c)?, possible);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn predecessors(&mut self, hom: &Hom, possible: &Diagram) -> Result<Hom, Error> {
        let (term, node) = (self.term_of(hom), self.node_of(possible));
        let inverse = self.run(|store| store.inverse_term(term, node))?;
        Ok(self.hom(inverse))
    }

    /// The homomorphism backwards, for closures within a bound: what it gives of a set agrees with
    /// [`predecessors`](Store::predecessors) inside `possible`, and means nothing outside. Give it to
    /// [`reachable_within`](Store::reachable_within) with `possible` or a part of it as the bound. This is
    /// what [`can_reach`](Store::can_reach) does, for whoever asks more than once.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store, ValueMap};
    /// let mut store = Store::new();
    /// let states: Vec<_> = (0..4).map(|v| store.state(&[(0, v)])).collect::<Result<_, _>>()?;
    /// let all = store.union_of(&states)?;
    /// let step = store.value(0, ValueMap::add(1));
    /// let back = store.backwards(&step, &all)?;
    /// let before = store.reachable_within(&states[2], [&back], &all)?;
    /// assert_eq!(before, store.can_reach(&states[2], [&step], &all)?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn backwards(&mut self, hom: &Hom, possible: &Diagram) -> Result<Hom, Error> {
        let (term, node) = (self.term_of(hom), self.node_of(possible));
        let inverse = self.run(|store| store.turned_around(term, node))?;
        Ok(self.hom(inverse))
    }

    /// The states of `within` from which one of `targets` can be reached by any number of transitions
    /// without leaving `within`.
    ///
    /// With the reachable states as `within`, these are the reachable states from which a target can
    /// be reached.
    pub fn can_reach<'a>(
        &mut self, targets: &Diagram, transitions: impl IntoIterator<Item = &'a Hom>, within: &Diagram,
    ) -> Result<Diagram, Error> {
        let terms: Vec<Term> = transitions.into_iter().map(|hom| self.term_of(hom)).collect();
        let (targets, bound) = (self.node_of(targets), self.node_of(within));
        let node = self.run_closure(ZERO, |store| {
            store.begin_within(targets, bound, |store, targets| store.reach_backwards(terms, targets, bound))
        })?;
        Ok(self.diagram(node))
    }

    fn reach_backwards(&mut self, transitions: Vec<Term>, targets: Node, bound: Node) -> Run<Node> {
        let mut inverses = Vec::new();
        for term in transitions {
            inverses.push(self.turned_around(term, bound)?);
        }
        let closure = self.closure_by(inverses, Steps::Whole);
        self.close_within(closure, targets, bound)
    }

    /// The inverse of a term.
    pub(crate) fn inverse_term(&mut self, term: Term, possible: Node) -> Run<Term> {
        if self.stack_is_low() {
            return self.on_new_stack(|store| store.inverse_of(term, possible));
        }
        self.inverse_of(term, possible)
    }

    /// A term whose result, as far as it is in `possible`, is that of the inverse.
    fn turned_around(&mut self, term: Term, possible: Node) -> Run<Term> {
        if self.stack_is_low() {
            return self.on_new_stack(|store| store.turned_around(term, possible));
        }
        if self.terms.is_selector(term) {
            return Ok(term);
        }
        match self.terms.get(term).clone() {
            TermData::Value { .. } | TermData::Local { .. } => self.inverse_of_chain(term, possible),
            TermData::Sum(members) => {
                let mut inverses = Vec::with_capacity(members.len());
                for &member in members.iter() {
                    inverses.push(self.turned_around(member, possible)?);
                }
                Ok(self.sum_term(inverses))
            }
            _ => self.inverse_term(term, possible),
        }
    }

    fn inverse_of(&mut self, term: Term, possible: Node) -> Run<Term> {
        let inverse = match self.terms.get(term).clone() {
            TermData::Constant(test) => self.terms.add(TermData::Unconstant { test, possible }),
            TermData::Compose { outer, inner } if !self.terms.is_selector(term) => {
                let between = self.apply_term(inner, possible)?;
                self.roots.push(between);
                let outer = self.inverse_term(outer, between)?;
                self.roots.pop();
                let inner = self.inverse_term(inner, possible)?;
                self.compose_term(inner, outer)
            }
            TermData::Prepend(prefixes) => self.terms.add(TermData::Unprepend { prefixes, possible }),
            TermData::Append(suffixes) => self.terms.add(TermData::Unappend { suffixes, possible }),
            TermData::Fixpoint(inner) => {
                let steps = self.inverse_of_fixpoint(inner, possible)?;
                self.cut_down(steps, possible)
            }
            TermData::Close(closure) => {
                let reachable = self.apply_term(term, possible)?;
                let inverses = self.inverses_of(closure, reachable)?;
                let back = self.terms.add(TermData::CloseWithin { closure: inverses, bound: reachable });
                self.cut_down(back, possible)
            }
            TermData::CloseWithin { closure, bound } => {
                let inverses = self.inverses_of(closure, bound)?;
                let back = self.terms.add(TermData::CloseWithin { closure: inverses, bound });
                self.cut_down(back, possible)
            }
            TermData::Within { inner, bound } => {
                let inverse = self.inverse_term(inner, possible)?;
                let within = self.terms.add(TermData::Intersect(bound));
                self.compose_term(inverse, within)
            }
            TermData::Unconstant { test, possible: result } => {
                let possible = self.common(possible, test)?;
                self.terms.add(TermData::Unconstant { test: result, possible })
            }
            TermData::Unprepend { prefixes: added, possible: result } => {
                let within = self.terms.add(TermData::Intersect(result));
                let again = self.terms.add(TermData::Prepend(added));
                let back = self.compose_term(again, within);
                self.cut_down(back, possible)
            }
            TermData::Unappend { suffixes: added, possible: result } => {
                let within = self.terms.add(TermData::Intersect(result));
                let again = self.terms.add(TermData::Append(added));
                let back = self.compose_term(again, within);
                self.cut_down(back, possible)
            }
            TermData::Inductive(inductive) if !self.terms.is_selector(term) => {
                let handle = self.diagram(possible);
                match inductive.0.inverse(self, &handle) {
                    Ok(Some(inverse)) => {
                        let inverse = self.term_of(&inverse);
                        self.cut_down(inverse, possible)
                    }
                    Ok(None) => {
                        let homomorphism = format!("{:?}", inductive.0);
                        return Err(self.fail(Error::NoInverse { homomorphism }));
                    }
                    Err(error) => return Err(self.fail(error)),
                }
            }
            TermData::Sum(members) if !self.terms.is_selector(term) => {
                // Chains are turned around together, in one pass; what they make is cut down level by level, before it
                // comes together. The others are cut down each on its own: what is outside of `possible` need not go
                // together.
                let (mut chains, mut inverses) = (Vec::new(), Vec::new());
                for &member in members.iter() {
                    if self.links(member).is_some() {
                        chains.push(self.turned_around(member, possible)?);
                    } else {
                        inverses.push(self.inverse_term(member, possible)?);
                    }
                }
                if !chains.is_empty() {
                    let inner = self.sum_term(chains);
                    inverses.push(self.terms.add(TermData::Within { inner, bound: possible }));
                }
                self.sum_term(inverses)
            }
            // Selectors and chains.
            _ => {
                let inner = self.turned_around(term, possible)?;
                self.terms.add(TermData::Within { inner, bound: possible })
            }
        };
        Ok(inverse)
    }

    /// What of a term's result is in a set.
    fn cut_down(&mut self, term: Term, set: Node) -> Term {
        let within = self.terms.add(TermData::Intersect(set));
        self.compose_term(within, term)
    }

    /// The inverses of all transitions of a closure. The set is rooted meanwhile.
    fn inverses_of(&mut self, closure: super::Closure, possible: Node) -> Run<super::Closure> {
        self.roots.push(possible);
        let mut inverses = Vec::new();
        for member in self.terms.members(closure) {
            inverses.push(self.turned_around(member, possible)?);
        }
        self.roots.pop();
        Ok(self.closure_by(inverses, Steps::Whole))
    }

    /// `h` was applied until nothing changed: so it is a sequence of as many steps.
    fn inverse_of_fixpoint(&mut self, term: Term, possible: Node) -> Run<Term> {
        let root = self.roots.len();
        self.roots.push(possible);
        let mut inverse = ID;
        loop {
            let before = self.roots[root];
            let after = self.apply_term(term, before)?;
            self.roots.push(after);
            if after == before {
                self.roots.truncate(root);
                return Ok(inverse);
            }
            let step = self.inverse_term(term, before)?;
            inverse = self.compose_term(inverse, step);
            self.roots[root] = after;
            self.roots.truncate(root + 1);
            self.count_tick()?;
        }
    }

    fn inverse_of_chain(&mut self, term: Term, possible: Node) -> Run<Term> {
        let Some(links) = self.links(term) else { return Ok(NULL) };
        let mut inverses = Vec::with_capacity(links.len());
        for (variable, link) in links {
            let inverse = match link {
                Link::Value(map) => self.inverse_of_map(map, variable, possible)?,
                Link::Local(inside) => {
                    let labels = self.labels_of(possible, variable)?;
                    self.roots.push(labels);
                    let inside = self.turned_around(inside, labels)?;
                    self.roots.pop();
                    Link::Local(inside)
                }
            };
            inverses.push((variable, inverse));
        }
        Ok(self.chain(inverses))
    }

    fn inverse_of_map(&mut self, map: Map, variable: Variable, possible: Node) -> Run<Link> {
        let labels = self.labels_of(possible, variable)?;
        if self.nodes.kind(labels) != Kind::Ranges {
            let values = self.values_of(possible, variable);
            return Ok(Link::Value(map.inverse(&values)));
        }
        // On sets of integers ends may be open, and stay so.
        Ok(match map {
            Map::Add { low, high, delta } => {
                let shift = |bound: i32, open: i32| if bound == open { open } else { bound.saturating_add(delta) };
                let (low, high) = (shift(low, i32::MIN), shift(high, i32::MAX));
                match delta.checked_neg() {
                    Some(delta) => Link::Value(Map::Add { low, high, delta }),
                    None => {
                        let top = self.undefined();
                        Link::Local(self.terms.add(TermData::Constant(top)))
                    }
                }
            }
            Map::Assign { low, high, value } => {
                self.roots.push(labels);
                let before = self.map_ranges(&Map::Add { low, high, delta: 0 }, labels)?;
                self.roots.push(before);
                let test = self.ranges_of(vec![(value, value)])?;
                self.roots.pop();
                self.roots.pop();
                Link::Local(self.terms.add(TermData::Unconstant { test, possible: before }))
            }
            relation => Link::Value(relation.inverse(&[])),
        })
    }

    /// The union of the labels of a variable, where it first occurs.
    pub(crate) fn labels_of(&mut self, set: Node, variable: Variable) -> Run<Node> {
        let mut labels = Vec::new();
        self.visit_first(set, variable, |store, node| {
            if store.nodes.kind(node) == Kind::Set {
                labels.extend(store.nodes.arcs(node).iter().map(|arc| arc.set_label()));
            }
        });
        self.union_all(&labels)
    }

    /// The values of a data variable, where it first occurs, sorted.
    pub(crate) fn values_of(&self, set: Node, variable: Variable) -> Vec<i32> {
        let mut values = Vec::new();
        self.visit_first(set, variable, |store, node| {
            if store.nodes.kind(node) == Kind::Data {
                values.extend(store.nodes.arcs(node).iter().map(|arc| arc.value()));
            }
        });
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Calls `see` once for each node of a variable that is the first of it on some path through
    /// children, not through labels.
    fn visit_first(&self, root: Node, variable: Variable, mut see: impl FnMut(&Store, Node)) {
        let mut seen = Bits::new(self.nodes.id_bound());
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            // What a set of integers has are no children.
            let is_diagram = matches!(self.nodes.kind(node), Kind::Data | Kind::Set);
            if !is_diagram || !seen.insert(node.index()) {
                continue;
            }
            if self.nodes.variable(node) == variable {
                see(self, node);
            } else {
                open.extend(self.nodes.arcs(node).iter().map(|arc| arc.child));
            }
        }
    }
}
