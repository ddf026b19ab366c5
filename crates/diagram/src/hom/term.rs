//! Terms and where they are kept.

use std::sync::Arc as Shared;

use rustc_hash::FxHashMap;

use super::Boxed;
use super::index::Index;
use super::value_map::Map;
use crate::memory::Bits;
use crate::node::Node;
use crate::store::Variable;

/// The id of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Term(pub(crate) u32);

/// The identity.
pub(crate) const ID: Term = Term(0);
/// The homomorphism whose result is always empty.
pub(crate) const NULL: Term = Term(1);

/// What a term is.
///
/// `Value` and `Local` are *links* of a **chain**: at the first occurrence of its variable a link acts
/// on the value or the label, and the rest of the chain goes on below. The variables of a chain
/// ascend from link to link. That is a normal form, not a demand on diagrams: a link acts wherever
/// its variable is met, before or after the others. A sequence that lacks one of the variables is
/// dropped.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TermData {
    Id,
    Null,
    /// The same set for every set that is not empty.
    Constant(Node),
    Value {
        variable: Variable,
        map: Map,
        rest: Term,
    },
    Local {
        variable: Variable,
        inside: Term,
        rest: Term,
    },
    Sum(Shared<[Term]>),
    /// First `inner`, then `outer`.
    Compose {
        outer: Term,
        inner: Term,
    },
    /// What is also in a set.
    Intersect(Node),
    /// A set, followed by the argument.
    Prepend(Node),
    /// The argument, followed by a set.
    Append(Node),
    /// Applied again and again until nothing changes.
    Fixpoint(Term),
    /// `(t1 + ... + tn + Id)*`.
    Close(Closure),
    /// What a selector does not select.
    Not(Term),
    Inductive(Boxed),
    // Inverses of some of the above, relative to a set of possible predecessors.
    /// `possible` if the argument meets `test`, else nothing.
    Unconstant {
        test: Node,
        possible: Node,
    },
    /// Members of `possible` that, after one of `prefixes`, are in the argument.
    Unprepend {
        prefixes: Node,
        possible: Node,
    },
    /// Members of `possible` that, before one of `suffixes`, are in the argument.
    Unappend {
        suffixes: Node,
        possible: Node,
    },
    /// The closure within a bound of what is in the bound.
    CloseWithin {
        closure: Closure,
        bound: Node,
    },
    /// What a term's result and a bound have in common, worked out level by level: what would be
    /// outside of the bound is never made.
    Within {
        inner: Term,
        bound: Node,
    },
}

/// A list of chains, ordered by their first variable. Lists share their ends, so that what is left
/// below a variable is not a new list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct List(pub(crate) u32);

/// The empty list.
const NIL: List = List(0);

/// What a closure closes under.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Closure(pub(crate) u32);

/// The closure under nothing.
pub(crate) const NOTHING: Closure = Closure(0);

/// The transitions of a closure: chains, which are ordered, and all others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Transitions {
    pub(crate) chains: List,
    pub(crate) others: Shared<[Term]>,
    pub(crate) steps: Steps,
}

/// How a closure takes the transitions that are closures themselves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Steps {
    /// `(a* + b)* = (a + b)*`: their members are transitions like the others.
    Flat,
    /// Within a bound, one step of `a*` may leave the bound and come back: it stays one step.
    Whole,
}

/// What is known of a term.
#[derive(Clone, Copy)]
struct Traits {
    /// Its result is a subset of its argument.
    selector: bool,
    /// It changes values within a small range only.
    confined: bool,
}

/// All terms of a store.
pub(crate) struct Terms {
    data: Vec<TermData>,
    /// For every term, what is known of it.
    traits: Vec<Traits>,
    index: Index,
    cells: Vec<(Term, List)>,
    /// For every list, whether all of its terms are confined.
    confined: Vec<bool>,
    cell_index: FxHashMap<(Term, List), List>,
    closures: Vec<Transitions>,
    closure_index: Index,
    /// Ids of terms that were collected.
    free: Vec<Term>,
    /// No terms.
    none: Shared<[Term]>,
    /// Bytes of the lists that terms and closures hold.
    list_bytes: usize,
}

impl Terms {
    pub(crate) fn new() -> Terms {
        let mut terms = Terms {
            data: Vec::new(),
            traits: Vec::new(),
            index: Index::new(),
            cells: vec![(NULL, NIL)],
            confined: vec![true],
            cell_index: FxHashMap::default(),
            closures: Vec::new(),
            closure_index: Index::new(),
            free: Vec::new(),
            none: Shared::from([]),
            list_bytes: 0,
        };
        terms.add(TermData::Id);
        terms.add(TermData::Null);
        terms.closure(Vec::new(), Vec::new(), Steps::Flat);
        terms
    }

    /// The term with this data.
    pub(crate) fn add(&mut self, data: TermData) -> Term {
        if let Some(number) = self.index.find(&self.data, &data) {
            return Term(number);
        }
        let traits = Traits { selector: self.selects(&data), confined: self.confines(&data) };
        self.list_bytes += list_bytes(&data);
        let next = self.free.pop().unwrap_or(Term(self.data.len() as u32));
        match self.data.get_mut(next.0 as usize) {
            Some(free) => {
                *free = data;
                self.traits[next.0 as usize] = traits;
            }
            None => {
                self.data.push(data);
                self.traits.push(traits);
            }
        }
        self.index.insert(&self.data, next.0);
        next
    }

    fn selects(&self, data: &TermData) -> bool {
        match data {
            TermData::Id | TermData::Null | TermData::Intersect(_) | TermData::Not(_) => true,
            TermData::Value { map, rest, .. } => map.is_selector() && self.is_selector(*rest),
            TermData::Local { inside, rest, .. } => self.is_selector(*inside) && self.is_selector(*rest),
            TermData::Sum(terms) => terms.iter().all(|&term| self.is_selector(term)),
            TermData::Compose { outer, inner } => self.is_selector(*outer) && self.is_selector(*inner),
            TermData::Inductive(inductive) => inductive.0.is_selector(),
            _ => false,
        }
    }

    /// Whether the result is always a subset of the argument.
    pub(crate) fn is_selector(&self, term: Term) -> bool {
        self.traits[term.0 as usize].selector
    }

    fn confines(&self, data: &TermData) -> bool {
        match data {
            TermData::Id | TermData::Null | TermData::Intersect(_) | TermData::Not(_) | TermData::Constant(_) => true,
            TermData::Value { map, rest, .. } => map.is_confined() && self.is_confined(*rest),
            TermData::Local { inside, rest, .. } => self.is_confined(*inside) && self.is_confined(*rest),
            TermData::Sum(terms) => terms.iter().all(|&term| self.is_confined(term)),
            TermData::Compose { outer, inner } => self.is_confined(*outer) && self.is_confined(*inner),
            TermData::Fixpoint(term) => self.is_confined(*term),
            TermData::Close(closure) => self.is_closure_confined(*closure),
            _ => false,
        }
    }

    /// Whether values only change within a small range, however often the term is applied: to close under it surely
    /// ends.
    fn is_confined(&self, term: Term) -> bool {
        self.traits[term.0 as usize].confined
    }

    /// Whether all transitions of a closure are confined.
    pub(crate) fn is_closure_confined(&self, closure: Closure) -> bool {
        let transitions = self.transitions(closure);
        self.confined[transitions.chains.0 as usize] && transitions.others.iter().all(|&term| self.is_confined(term))
    }

    #[inline]
    pub(crate) fn get(&self, term: Term) -> &TermData {
        &self.data[term.0 as usize]
    }

    /// The first variable of a chain.
    pub(crate) fn head(&self, term: Term) -> Option<Variable> {
        match *self.get(term) {
            TermData::Value { variable, .. } | TermData::Local { variable, .. } => Some(variable),
            _ => None,
        }
    }

    /// What follows the first link of a chain.
    pub(crate) fn rest(&self, term: Term) -> Term {
        match *self.get(term) {
            TermData::Value { rest, .. } | TermData::Local { rest, .. } => rest,
            _ => ID,
        }
    }

    /// The closure under these terms; chains and others apart.
    pub(crate) fn closure(&mut self, mut chains: Vec<Term>, mut others: Vec<Term>, steps: Steps) -> Closure {
        chains.sort_unstable_by_key(|&chain| (self.head(chain), chain));
        chains.dedup();
        let list = chains.into_iter().rev().fold(NIL, |rest, chain| self.cell(chain, rest));
        others.sort_unstable();
        others.dedup();
        let others = if others.is_empty() { self.none.clone() } else { others.into() };
        self.closure_of(Transitions { chains: list, others, steps })
    }

    fn cell(&mut self, first: Term, rest: List) -> List {
        let confined = self.is_confined(first) && self.confined[rest.0 as usize];
        *self.cell_index.entry((first, rest)).or_insert_with(|| {
            self.cells.push((first, rest));
            self.confined.push(confined);
            List((self.cells.len() - 1) as u32)
        })
    }

    pub(crate) fn closure_of(&mut self, transitions: Transitions) -> Closure {
        if transitions.chains == NIL && transitions.others.is_empty() && !self.closures.is_empty() {
            return NOTHING;
        }
        if let Some(number) = self.closure_index.find(&self.closures, &transitions) {
            return Closure(number);
        }
        let closure = Closure(self.closures.len() as u32);
        self.list_bytes += transitions.others.len() * size_of::<Term>();
        self.closures.push(transitions);
        self.closure_index.insert(&self.closures, closure.0);
        closure
    }

    pub(crate) fn transitions(&self, closure: Closure) -> &Transitions {
        &self.closures[closure.0 as usize]
    }

    /// The terms of a list, in order.
    pub(crate) fn list(&self, list: List) -> impl Iterator<Item = (Term, List)> + '_ {
        let mut list = list;
        std::iter::from_fn(move || {
            (list != NIL).then(|| {
                let (first, rest) = self.cells[list.0 as usize];
                let here = list;
                list = rest;
                (first, here)
            })
        })
    }

    /// The list without its first element.
    pub(crate) fn tail(&self, list: List) -> List {
        self.cells[list.0 as usize].1
    }

    /// All transitions of a closure.
    pub(crate) fn members(&self, closure: Closure) -> Vec<Term> {
        let transitions = self.transitions(closure);
        let chains = self.list(transitions.chains).map(|(term, _)| term);
        chains.chain(transitions.others.iter().copied()).collect()
    }

    /// All terms, with the nodes that they name.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.data
            .iter()
            .flat_map(|data| match *data {
                TermData::Constant(node)
                | TermData::Intersect(node)
                | TermData::Prepend(node)
                | TermData::Append(node)
                | TermData::CloseWithin { bound: node, .. }
                | TermData::Within { bound: node, .. } => [Some(node), None],
                TermData::Unconstant { test, possible } => [Some(test), Some(possible)],
                TermData::Unprepend { prefixes: set, possible } | TermData::Unappend { suffixes: set, possible } => {
                    [Some(set), Some(possible)]
                }
                _ => [None, None],
            })
            .flatten()
    }

    /// Frees all terms that cannot be reached from `roots`. Ids of the others stay; closures get new
    /// ids, so whatever was worked out from them is void.
    pub(crate) fn collect(&mut self, roots: impl Iterator<Item = Term>) {
        let mut alive = Bits::new(self.data.len());
        let mut open: Vec<Term> = roots.chain([ID, NULL]).collect();
        while let Some(term) = open.pop() {
            if !alive.insert(term.0 as usize) {
                continue;
            }
            match *self.get(term) {
                TermData::Value { rest, .. } => open.push(rest),
                TermData::Local { inside: a, rest: b, .. } | TermData::Compose { outer: a, inner: b } => {
                    open.extend([a, b]);
                }
                TermData::Sum(ref members) => open.extend_from_slice(members),
                TermData::Fixpoint(inner) | TermData::Not(inner) | TermData::Within { inner, .. } => open.push(inner),
                TermData::Close(closure) | TermData::CloseWithin { closure, .. } => {
                    open.extend(self.members(closure));
                }
                _ => {}
            }
        }
        let closures = std::mem::take(&mut self.closures);
        let cells = std::mem::replace(&mut self.cells, vec![(NULL, NIL)]);
        self.closure_index.clear();
        self.cell_index.clear();
        self.closure(Vec::new(), Vec::new(), Steps::Flat);
        let mut renamed: FxHashMap<Closure, Closure> = FxHashMap::default();
        self.index.clear();
        self.free.clear();
        self.list_bytes = 0;
        for id in (0..self.data.len()).rev() {
            let term = Term(id as u32);
            if !alive.contains(id) {
                self.data[id] = TermData::Null;
                self.free.push(term);
                continue;
            }
            if let TermData::Close(closure) | TermData::CloseWithin { closure, .. } = self.data[id] {
                let new = *renamed.entry(closure).or_insert_with(|| {
                    let Transitions { mut chains, others, steps } = closures[closure.0 as usize].clone();
                    let mut terms = Vec::new();
                    while chains != NIL {
                        let (first, rest) = cells[chains.0 as usize];
                        terms.push(first);
                        chains = rest;
                    }
                    self.closure(terms, others.to_vec(), steps)
                });
                if let TermData::Close(closure) | TermData::CloseWithin { closure, .. } = &mut self.data[id] {
                    *closure = new;
                }
            }
            self.list_bytes += list_bytes(&self.data[id]);
            self.index.insert(&self.data, term.0);
        }
    }

    /// The number of terms.
    pub(crate) fn len(&self) -> usize {
        self.data.len() - self.free.len()
    }

    /// Bytes allocated, about.
    pub(crate) fn bytes(&self) -> usize {
        self.list_bytes
            + self.traits.capacity() * size_of::<Traits>()
            + self.confined.capacity()
            + self.free.capacity() * size_of::<Term>()
            + self.data.capacity() * size_of::<TermData>()
            + self.index.bytes()
            + self.cells.capacity() * size_of::<(Term, List)>()
            + self.cell_index.capacity() * 16
            + self.closures.capacity() * size_of::<Transitions>()
            + self.closure_index.bytes()
    }
}

/// The bytes of the list that a term holds, if any.
fn list_bytes(data: &TermData) -> usize {
    match data {
        TermData::Sum(members) => size_of_val(&members[..]),
        TermData::Value { map: Map::Relation(pairs), .. } => size_of_val(&pairs[..]),
        _ => 0,
    }
}
