//! Rewriting: terms are brought to a normal form as they are built.
//!
//! - Sums are flat, sorted and without repetition; local applications to one variable with the same
//!   rest are one: rule (2) of the SDD paper, `L(h, v) + L(h', v) = L(h + h', v)`.
//! - A composition of chains is one chain: the links of different variables commute, rule (3), and
//!   two links of one variable are one, rule (1), `L(h, v) ∘ L(h', v) = L(h ∘ h', v)`. So a
//!   transition that is written place by place becomes one pass over the diagram.
//! - Compositions nest to the right, `(a ∘ b) ∘ c = a ∘ (b ∘ c)`.
//! - `(h + Id)*` is a closure. Closures are flat, and lack what cannot add a state.
//!
//! Rule (4), `(L(h, v) + Id)* = L((h + Id)*, v)`, holds only where `v` is met (a sequence without
//! `v` is dropped on the right and kept on the left), so it is applied at the node: see
//! `closure::plan`.

use super::term::{Closure, ID, NULL, Steps, Term, TermData, Transitions};
use super::value_map::{Map, ValueMap};
use crate::store::{Store, Variable};

/// A composition with a sum inside a closure is distributed into at most so many transitions.
const MOST_DISTRIBUTED: usize = 16;

/// What a link of a chain does to its variable.
#[derive(Clone)]
pub(crate) enum Link {
    Value(Map),
    Local(Term),
}

/// Runs what may nest as deep as the hierarchy.
fn deep<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 << 10, 4 << 20, work)
}

impl Store {
    /// A chain that begins with a link; the variables of `rest` come after it.
    pub(crate) fn link_term(&mut self, variable: Variable, link: Link, rest: Term) -> Term {
        debug_assert!(self.terms.head(rest).is_none_or(|next| variable < next));
        match link {
            _ if rest == NULL => NULL,
            Link::Local(NULL) => NULL,
            Link::Value(map) if map.is_empty() => NULL,
            Link::Local(inside) => self.terms.add(TermData::Local { variable, inside, rest }),
            Link::Value(map) => self.terms.add(TermData::Value { variable, map, rest }),
        }
    }

    /// The links of a chain; `None` if the term is not a chain. The identity is the empty chain.
    pub(crate) fn links(&self, term: Term) -> Option<Vec<(Variable, Link)>> {
        let mut links = Vec::new();
        let mut term = term;
        loop {
            match self.terms.get(term) {
                TermData::Id => return Some(links),
                TermData::Value { variable, map, rest } => {
                    links.push((*variable, Link::Value(map.clone())));
                    term = *rest;
                }
                TermData::Local { variable, inside, rest } => {
                    links.push((*variable, Link::Local(*inside)));
                    term = *rest;
                }
                _ => return None,
            }
        }
    }

    /// The chain of links, sorted by variable.
    pub(crate) fn chain(&mut self, links: Vec<(Variable, Link)>) -> Term {
        links.into_iter().rev().fold(ID, |rest, (variable, link)| self.link_term(variable, link, rest))
    }

    /// A chain's link at a variable, and the chain without it.
    pub(crate) fn unlink(&mut self, term: Term, variable: Variable) -> Option<(Link, Term)> {
        match self.terms.get(term) {
            TermData::Value { variable: v, map, rest } if *v == variable => {
                return Some((Link::Value(map.clone()), *rest));
            }
            TermData::Local { variable: v, inside, rest } if *v == variable => {
                return Some((Link::Local(*inside), *rest));
            }
            _ => {}
        }
        if !self.chain_has(term, variable) {
            return None;
        }
        let mut links = self.links(term)?;
        let at = links.iter().position(|(v, _)| *v == variable)?;
        let (_, link) = links.remove(at);
        Some((link, self.chain(links)))
    }

    fn chain_has(&self, term: Term, variable: Variable) -> bool {
        let mut term = term;
        while let Some(head) = self.terms.head(term) {
            if head >= variable {
                return head == variable;
            }
            term = self.terms.rest(term);
        }
        false
    }

    /// Whether the homomorphism is locally invariant on a variable (SDD paper, 6.2 and 6.3).
    pub(crate) fn skips(&self, term: Term, variable: Variable) -> bool {
        match self.terms.get(term) {
            TermData::Id | TermData::Null | TermData::Append(_) => true,
            TermData::Value { .. } | TermData::Local { .. } => !self.chain_has(term, variable),
            TermData::Sum(terms) => terms.iter().all(|&term| self.skips(term, variable)),
            TermData::Compose { outer, inner } => self.skips(*outer, variable) && deep(|| self.skips(*inner, variable)),
            TermData::Fixpoint(inner) | TermData::Not(inner) => deep(|| self.skips(*inner, variable)),
            TermData::Close(closure) => {
                self.terms.members(*closure).into_iter().all(|term| deep(|| self.skips(term, variable)))
            }
            TermData::Inductive(inductive) => inductive.0.skips(variable),
            TermData::Constant(_)
            | TermData::Intersect(_)
            | TermData::Prepend(_)
            | TermData::Unconstant { .. }
            | TermData::Unprepend { .. }
            | TermData::Unappend { .. }
            | TermData::CloseWithin { .. }
            | TermData::Within { .. } => false,
        }
    }

    /// The sum of terms.
    pub(crate) fn sum_term(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut flat: Vec<Term> = Vec::new();
        for term in terms {
            match self.terms.get(term) {
                TermData::Sum(members) => flat.extend_from_slice(members),
                _ => flat.push(term),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|&term| term != NULL);
        self.merge_locals(&mut flat);
        match *flat {
            [] => NULL,
            [term] => term,
            _ => self.terms.add(TermData::Sum(flat.into())),
        }
    }

    /// Rule (2), for local applications with the same rest.
    fn merge_locals(&mut self, terms: &mut Vec<Term>) {
        let mut locals: Vec<(Variable, Term, Term)> = Vec::new();
        for &term in terms.iter() {
            if let TermData::Local { variable, inside, rest } = *self.terms.get(term) {
                locals.push((variable, rest, inside));
            }
        }
        locals.sort_unstable();
        let same = |a: &(Variable, Term, Term), b: &(Variable, Term, Term)| (a.0, a.1) == (b.0, b.1);
        if !locals.windows(2).any(|pair| same(&pair[0], &pair[1])) {
            return;
        }
        terms.retain(|&term| !matches!(self.terms.get(term), TermData::Local { .. }));
        for group in locals.chunk_by(same) {
            let (variable, rest, _) = group[0];
            let inside = deep(|| self.sum_term(group.iter().map(|&(_, _, inside)| inside)));
            terms.push(self.link_term(variable, Link::Local(inside), rest));
        }
        terms.sort_unstable();
    }

    /// First `inner`, then `outer`.
    pub(crate) fn compose_term(&mut self, outer: Term, inner: Term) -> Term {
        if outer == NULL || inner == NULL {
            return NULL;
        }
        if outer == ID || inner == ID {
            return if outer == ID { inner } else { outer };
        }
        if outer == inner && self.terms.is_selector(outer) {
            return outer;
        }
        if let Some(chain) = self.put_before(outer, inner).or_else(|| self.put_before(inner, outer)) {
            return chain;
        }
        if let TermData::Compose { outer: first, inner: second } = *self.terms.get(outer) {
            let inner = deep(|| self.compose_term(second, inner));
            return self.compose_term(first, inner);
        }
        if let Some(chain) = self.merge_chains(outer, inner) {
            return chain;
        }
        if let TermData::Compose { outer: next, inner: rest } = *self.terms.get(inner)
            && let Some(chain) = self.merge_chains(outer, next)
        {
            return deep(|| self.compose_term(chain, rest));
        }
        self.terms.add(TermData::Compose { outer, inner })
    }

    /// A single link put before a chain of later variables: the simplest case of rule (3), and the most
    /// frequent.
    fn put_before(&mut self, single: Term, chain: Term) -> Option<Term> {
        let next = self.terms.head(chain)?;
        match self.terms.get(single) {
            TermData::Value { variable, map, rest: ID } if *variable < next && self.is_chain(chain) => {
                let (variable, map) = (*variable, map.clone());
                Some(self.link_term(variable, Link::Value(map), chain))
            }
            TermData::Local { variable, inside, rest: ID } if *variable < next && self.is_chain(chain) => {
                let (variable, inside) = (*variable, *inside);
                Some(self.link_term(variable, Link::Local(inside), chain))
            }
            _ => None,
        }
    }

    /// Single links of different variables as one chain, at once: one after the other they would be put together as often as
    /// there are links. `None` if there are others.
    pub(crate) fn chain_of_links(&mut self, singles: &[Term]) -> Option<Term> {
        let mut links = Vec::with_capacity(singles.len());
        for &single in singles {
            match self.terms.get(single) {
                TermData::Value { variable, map, rest: ID } => links.push((*variable, Link::Value(map.clone()))),
                TermData::Local { variable, inside, rest: ID } => links.push((*variable, Link::Local(*inside))),
                _ => return None,
            }
        }
        links.sort_by_key(|link| link.0);
        let is_sorted = links.is_sorted_by(|one, next| one.0 < next.0);
        is_sorted.then(|| self.chain(links))
    }

    /// Rules (1) and (3): two chains as one. `None` if one of them is no chain, or if two links of a
    /// variable are not one link.
    fn merge_chains(&mut self, outer: Term, inner: Term) -> Option<Term> {
        let (outer, inner) = (self.links(outer)?, self.links(inner)?);
        let mut merged = Vec::with_capacity(outer.len() + inner.len());
        let (mut outer, mut inner) = (outer.into_iter().peekable(), inner.into_iter().peekable());
        loop {
            let (x, y) = (outer.peek().map(|link| link.0), inner.peek().map(|link| link.0));
            match (x, y) {
                (None, None) => break,
                (Some(x), Some(y)) if x == y => {
                    let (second, first) = (outer.next()?.1, inner.next()?.1);
                    merged.push((x, self.merge_links(second, first)?));
                }
                (Some(x), y) if y.is_none_or(|y| x < y) => merged.extend(outer.next()),
                _ => merged.extend(inner.next()),
            }
        }
        Some(self.chain(merged))
    }

    fn merge_links(&mut self, outer: Link, inner: Link) -> Option<Link> {
        match (outer, inner) {
            (Link::Value(second), Link::Value(first)) => Some(Link::Value(ValueMap(first).then(&ValueMap(second))?.0)),
            (Link::Local(second), Link::Local(first)) => Some(Link::Local(deep(|| self.compose_term(second, first)))),
            _ => None,
        }
    }

    /// The complement of a selector.
    pub(crate) fn not_term(&mut self, selector: Term) -> Term {
        match *self.terms.get(selector) {
            TermData::Id => NULL,
            TermData::Null => ID,
            TermData::Not(inner) => inner,
            _ => self.terms.add(TermData::Not(selector)),
        }
    }

    /// The fixpoint of a term.
    pub(crate) fn fixpoint_term(&mut self, term: Term) -> Term {
        if self.terms.is_selector(term) {
            return term;
        }
        match self.terms.get(term) {
            TermData::Close(_) | TermData::Fixpoint(_) => term,
            TermData::Sum(terms) if terms.contains(&ID) => {
                let terms = terms.to_vec();
                self.closure_term(terms)
            }
            _ => self.terms.add(TermData::Fixpoint(term)),
        }
    }

    /// `(t1 + ... + tn + Id)*`.
    pub(crate) fn closure_term(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        match self.closure_under(terms) {
            super::NOTHING => ID,
            closure => self.terms.add(TermData::Close(closure)),
        }
    }

    /// What `(t1 + ... + tn + Id)*` closes under.
    pub(crate) fn closure_under(&mut self, terms: impl IntoIterator<Item = Term>) -> Closure {
        self.closure_by(terms, Steps::Flat)
    }

    /// What a closure under terms closes under; [`Steps::Whole`] for closures within a bound.
    pub(crate) fn closure_by(&mut self, terms: impl IntoIterator<Item = Term>, steps: Steps) -> Closure {
        let mut open: Vec<Term> = terms.into_iter().collect();
        let (mut chains, mut others) = (Vec::new(), Vec::new());
        while let Some(term) = open.pop() {
            if self.terms.is_selector(term) {
                continue;
            }
            match self.terms.get(term) {
                TermData::Sum(terms) => open.extend_from_slice(terms),
                TermData::Close(closure) if steps == Steps::Flat => open.extend(self.terms.members(*closure)),
                TermData::Value { .. } | TermData::Local { .. } => {
                    // A link at the head, but something else further down: not a chain.
                    let is_chain = self.is_chain(term);
                    if is_chain { chains.push(term) } else { others.push(term) }
                }
                TermData::Compose { .. } => match self.distribute(term) {
                    Some(parts) => open.extend(parts),
                    None => others.push(term),
                },
                _ => others.push(term),
            }
        }
        if !chains.is_empty() {
            chains.sort_unstable();
            chains.dedup();
            self.merge_locals(&mut chains);
        }
        self.terms.closure(chains, others, steps)
    }

    fn is_chain(&self, term: Term) -> bool {
        let mut term = term;
        while self.terms.head(term).is_some() {
            term = self.terms.rest(term);
        }
        term == ID
    }

    /// A composition with a sum in it as a sum of compositions, if there are few.
    fn distribute(&mut self, term: Term) -> Option<Vec<Term>> {
        let mut factors = Vec::new();
        let mut rest = term;
        while let TermData::Compose { outer, inner } = *self.terms.get(rest) {
            factors.push(outer);
            rest = inner;
        }
        factors.push(rest);
        let size = |store: &Store, factor: Term| match store.terms.get(factor) {
            TermData::Sum(terms) => terms.len(),
            _ => 1,
        };
        let mut total = 1usize;
        for &factor in &factors {
            total = total.saturating_mul(size(self, factor));
        }
        if total == 1 || total > MOST_DISTRIBUTED {
            return None;
        }
        let mut products = vec![ID];
        for &factor in factors.iter().rev() {
            let parts = match self.terms.get(factor) {
                TermData::Sum(terms) => terms.to_vec(),
                _ => vec![factor],
            };
            let mut longer = Vec::with_capacity(products.len() * parts.len());
            for part in parts {
                for &product in &products {
                    longer.push(self.compose_term(part, product));
                }
            }
            products = longer;
        }
        Some(products)
    }

    /// A closure's transitions at a variable: those that skip it, and the others.
    ///
    /// The chains are ordered by their first variable, so where the diagram's variables ascend, the
    /// chains that skip are the end of the list and nothing is built.
    pub(crate) fn split_closure(&mut self, closure: Closure, variable: Variable) -> (Closure, Vec<Term>) {
        let Transitions { chains, others, steps } = self.terms.transitions(closure).clone();
        let mut acting = Vec::new();
        let mut list = chains;
        let mut ordered = true;
        for (chain, here) in self.terms.list(chains) {
            match self.terms.head(chain) {
                Some(head) if head == variable => {
                    acting.push(chain);
                    list = self.terms.tail(here);
                }
                Some(head) => {
                    ordered = head > variable;
                    break;
                }
                None => unreachable!("a chain has a first variable"),
            }
        }
        if ordered && others.is_empty() {
            return (self.terms.closure_of(Transitions { chains: list, others, steps }), acting);
        }
        let (skipping, more): (Vec<Term>, Vec<Term>) = others.iter().partition(|&&term| self.skips(term, variable));
        let below = if ordered {
            self.terms.closure_of(Transitions { chains: list, others: skipping.into(), steps })
        } else {
            let (rest, found): (Vec<Term>, Vec<Term>) =
                self.terms.list(list).map(|(chain, _)| chain).partition(|&chain| self.skips(chain, variable));
            acting.extend(found);
            self.terms.closure(rest, skipping, steps)
        };
        acting.extend(more);
        (below, acting)
    }
}

#[cfg(test)]
mod tests {
    use crate::node::Kind;
    use crate::{Diagram, Error, Hom, Store, ValueMap};

    /// All states of two parts, each with variables 0 and 1 from 0 to 3.
    fn universe(store: &mut Store) -> Result<Diagram, Error> {
        let mut parts = Vec::new();
        for (x, y) in (0..16).map(|i| (i / 4, i % 4)) {
            parts.push(store.state(&[(0, x), (1, y)])?);
        }
        let part = store.union_of(&parts)?;
        let one = store.one();
        let last = store.assign_set(1, &part, &one)?;
        store.assign_set(0, &part, &last)
    }

    /// Two different changes of a part.
    fn changes(store: &mut Store) -> (Hom, Hom) {
        let (up, cap) = (store.value(0, ValueMap::add(1)), store.value(0, ValueMap::at_most(2)));
        let (clear, some) = (store.value(1, ValueMap::assign(0)), store.value(1, ValueMap::at_least(1)));
        (store.sequence([&cap, &up]), store.sequence([&some, &clear]))
    }

    #[test]
    fn rule_1_composes_inside() -> Result<(), Error> {
        let mut store = Store::new();
        let (a, b) = changes(&mut store);
        let (la, lb) = (store.local(0, &a), store.local(0, &b));
        let inside = store.compose(&a, &b);
        let rewritten = store.compose(&la, &lb);
        assert_eq!(rewritten, store.local(0, &inside));

        let all = universe(&mut store)?;
        let first = store.apply(&lb, &all)?;
        assert_eq!(store.apply(&rewritten, &all)?, store.apply(&la, &first)?);
        Ok(())
    }

    #[test]
    fn rule_2_sums_inside() -> Result<(), Error> {
        let mut store = Store::new();
        let (a, b) = changes(&mut store);
        let (la, lb) = (store.local(0, &a), store.local(0, &b));
        let inside = store.sum([&a, &b]);
        let rewritten = store.sum([&la, &lb]);
        assert_eq!(rewritten, store.local(0, &inside));

        let all = universe(&mut store)?;
        let parts = [store.apply(&la, &all)?, store.apply(&lb, &all)?];
        assert_eq!(store.apply(&rewritten, &all)?, store.union_of(&parts)?);

        // Also where both go on alike below, and not where they do not.
        let (below, other) = (store.local(1, &a), store.local(1, &b));
        let (one, two) = (store.compose(&la, &below), store.compose(&lb, &below));
        let both = store.local(0, &inside);
        assert_eq!(store.sum([&one, &two]), store.compose(&both, &below));
        let two = store.compose(&lb, &other);
        let apart = store.sum([&one, &two]);
        let parts = [store.apply(&one, &all)?, store.apply(&two, &all)?];
        assert_eq!(store.apply(&apart, &all)?, store.union_of(&parts)?);
        Ok(())
    }

    #[test]
    fn rule_3_commutes() -> Result<(), Error> {
        let mut store = Store::new();
        let (a, b) = changes(&mut store);
        let (la, lb) = (store.local(0, &a), store.local(1, &b));
        let (one, two) = (store.compose(&la, &lb), store.compose(&lb, &la));
        assert_eq!(one, two);
        // It maximises the applications of rule 1.
        let again = store.sequence([&la, &lb, &la, &lb]);
        let (aa, bb) = (store.compose(&a, &a), store.compose(&b, &b));
        let (laa, lbb) = (store.local(0, &aa), store.local(1, &bb));
        assert_eq!(again, store.compose(&laa, &lbb));

        let all = universe(&mut store)?;
        let first = store.apply(&la, &all)?;
        assert_eq!(store.apply(&one, &all)?, store.apply(&lb, &first)?);
        Ok(())
    }

    #[test]
    fn rule_4_moves_the_fixpoint_inside_at_the_node() -> Result<(), Error> {
        let mut store = Store::new();
        let (a, b) = changes(&mut store);
        let (la, lb, other) = (store.local(0, &a), store.local(0, &b), store.local(1, &a));
        let pair = store.compose(&la, &other);
        let closure = store.closure_under([&la, &lb, &other, &pair].map(Hom::term));
        let (below, inside, acting) = store.clusters_of(closure, 0, Kind::Set);
        assert_eq!(below, store.closure_under([other.term()]), "F skips the variable");
        assert_eq!(inside, store.closure_under([a.term(), b.term()]), "L is inside the label");
        assert_eq!(acting, [pair.term()], "G is the rest");

        let all = universe(&mut store)?;
        let start = store.pick(&all).expect("a state");
        let start = store.diagram_of(&start)?;
        let outside = store.closure([&la]);
        let closed = store.closure([&a]);
        let inside = store.local(0, &closed);
        assert_eq!(store.apply(&outside, &start)?, store.apply(&inside, &start)?);
        // But not on sequences without the variable: one side keeps them, the other drops them.
        let lacking = store.state(&[(7, 1)])?;
        assert_eq!(store.apply(&outside, &lacking)?, lacking);
        assert!(store.apply(&inside, &lacking)?.is_empty());
        Ok(())
    }

    #[test]
    fn the_clusters_of_a_variable_are_worked_out_once() -> Result<(), Error> {
        let mut store = Store::new();
        let transitions: Vec<Hom> = (0..50).map(|x| store.value(x, ValueMap::between(0, 2))).collect();
        let steps: Vec<Hom> = (0..50).map(|x| store.value(x, ValueMap::add(1))).collect();
        let moves: Vec<Hom> =
            transitions.iter().zip(&steps).map(|(guard, step)| store.sequence([guard, step])).collect();
        let initial: Vec<_> = (0..50).map(|x| (x, 0)).collect();
        let initial = store.state(&initial)?;
        let closure = store.closure(&moves);
        let states = store.apply(&closure, &initial)?;
        assert_eq!(format!("{:#}", store.count(&states)), dashu_int::UBig::from(4u8).pow(50).to_string());
        let plans = store.plans.len();
        assert!(plans <= 2 * 50, "{plans} plans for 50 variables");
        // Lists of transitions share their ends.
        let terms = store.terms.len();
        assert!(terms <= 5 * 50, "{terms} terms for 50 transitions");
        Ok(())
    }

    #[test]
    fn links_of_a_net_are_one_pass() {
        let mut store = Store::new();
        let (take, give) = (store.value(3, ValueMap::at_least(2)), store.value(3, ValueMap::add(-2)));
        let (put, least) = (store.value(1, ValueMap::add(1)), store.value(3, ValueMap::at_least(5)));
        let transition = store.sequence([&take, &give, &put, &least]);
        // At least max(2, 5 + 2), then -2.
        let guard = ValueMap::at_least(7).then(&ValueMap::add(-2)).expect("one map");
        let links = [store.value(1, ValueMap::add(1)), store.value(3, guard)];
        assert_eq!(transition, store.sequence(&links));
    }

    #[test]
    fn sums_and_fixpoints_are_flat() {
        let mut store = Store::new();
        let (a, b) = changes(&mut store);
        let (id, null) = (store.identity(), store.null());
        let ab = store.sum([&a, &b]);
        let nested = store.sum([&b, &ab, &null, &a]);
        assert_eq!(ab, nested);
        let with_id = store.sum([&ab, &id]);
        let closure = store.closure([&a, &b]);
        assert_eq!(store.fixpoint(&with_id), closure);
        assert_eq!(store.fixpoint(&closure), closure);
        assert_eq!(store.closure([&closure, &a, &id]), closure);
        let selector = store.value(0, ValueMap::at_least(1));
        assert_eq!(store.fixpoint(&selector), selector);
        assert_eq!(store.closure([&closure, &selector]), closure);
        let not = store.not(&selector);
        assert_eq!(store.not(&not), selector);
    }
}
