//! Everything that a model says, as terms over its variables.
//!
//! A term has a head and children, each with a role; the order of the children means nothing. What has an order says so
//! in the roles (first, second, …), and what has none, as the operands of a sum, has equal roles. Equal terms are the
//! same term, so that a permutation of the variables maps terms to terms: a symmetry of a model is a permutation that
//! maps some terms, all that is said about the model, to themselves.

use mandala_group::ColouredGraph;
use mandala_model::expression::{BinaryOperator, Comparison, UnaryOperator};
use mandala_model::net::Effect;
use rustc_hash::FxHashMap;

/// A term, by its number; variables come first, and all others after their children.
pub(super) type Term = u32;

/// What a term is, but for its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Head {
    Variable,
    Number(i32),
    Truth(bool),
    Compare(Comparison),
    Unary(UnaryOperator),
    Binary(BinaryOperator),
    /// Anything else, by a word for it.
    Word(&'static str),
}

/// What a child is to its term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// One of several that are alike.
    Part,
    /// The one at this place.
    Position(u32),
    /// The variable that has this value, or at most this.
    Value(i32),
    /// The place on which a transition has this effect; the effect names place 0.
    Effect(Effect),
}

/// Terms over some variables.
pub(super) struct Terms {
    variables: usize,
    heads: Vec<Head>,
    children: Vec<Vec<(u32, Term)>>,
    known: FxHashMap<(Head, Vec<(u32, Term)>), Term>,
    roles: FxHashMap<Role, u32>,
    /// How many children all terms have together.
    edges: usize,
}

impl Terms {
    pub fn new(variables: usize) -> Terms {
        Terms {
            variables,
            heads: vec![Head::Variable; variables],
            children: vec![Vec::new(); variables],
            known: FxHashMap::default(),
            roles: FxHashMap::default(),
            edges: 0,
        }
    }

    pub fn variables(&self) -> usize {
        self.variables
    }

    /// How many terms there are and children of them.
    pub fn size(&self) -> usize {
        self.heads.len() + self.edges
    }

    pub fn children(&self, term: Term) -> &[(u32, Term)] {
        &self.children[term as usize]
    }

    pub fn head(&self, term: Term) -> Head {
        self.heads[term as usize]
    }

    /// The term with some children.
    pub fn make(&mut self, head: Head, children: impl IntoIterator<Item = (Role, Term)>) -> Term {
        let mut list: Vec<(u32, Term)> = Vec::new();
        for (role, child) in children {
            let next = self.roles.len() as u32;
            list.push((*self.roles.entry(role).or_insert(next), child));
        }
        list.sort_unstable();
        let next = self.heads.len() as Term;
        let (heads, all, edges) = (&mut self.heads, &mut self.children, &mut self.edges);
        *self.known.entry((head, list.clone())).or_insert_with(|| {
            heads.push(head);
            *edges += list.len();
            all.push(list);
            next
        })
    }

    /// A term without children.
    pub fn leaf(&mut self, head: Head) -> Term {
        self.make(head, [])
    }

    /// A term whose children are alike.
    pub fn unordered(&mut self, head: Head, children: impl IntoIterator<Item = Term>) -> Term {
        self.make(head, children.into_iter().map(|child| (Role::Part, child)))
    }

    /// A term with a set of children that are alike: equal ones count once.
    pub fn set(&mut self, head: Head, mut children: Vec<Term>) -> Term {
        children.sort_unstable();
        children.dedup();
        self.unordered(head, children)
    }

    /// A term whose children have an order.
    pub fn ordered(&mut self, head: Head, children: impl IntoIterator<Item = Term>) -> Term {
        self.make(head, (0..).zip(children).map(|(position, child)| (Role::Position(position), child)))
    }

    /// The term with this head and these children, if there is one.
    pub fn find(&self, head: Head, children: Vec<(u32, Term)>) -> Option<Term> {
        self.known.get(&(head, children)).copied()
    }

    /// For each term, whether one of some terms is made of it, directly or not.
    pub fn used_by(&self, tops: &[Term]) -> Vec<bool> {
        let mut is_used = vec![false; self.heads.len()];
        tops.iter().for_each(|&top| is_used[top as usize] = true);
        for term in (0..self.heads.len()).rev() {
            if is_used[term] {
                self.children[term].iter().for_each(|&(_, child)| is_used[child as usize] = true);
            }
        }
        is_used
    }

    /// The graph whose automorphisms are the permutations of the variables that map each of some terms to itself. Its
    /// first vertices are the variables; they have the least colour.
    ///
    /// Different terms with the same head have different children, so an automorphism is known by what it does to the
    /// variables.
    pub fn graph(&self, tops: &[Term]) -> Option<ColouredGraph> {
        let mut is_used = self.used_by(tops);
        is_used[..self.variables].fill(true);
        let mut vertices = vec![0u32; self.heads.len()];
        let mut head_colours: FxHashMap<Head, u32> = FxHashMap::default();
        let (mut colours, mut edges) = (Vec::new(), Vec::new());
        for term in (0..self.heads.len()).filter(|&term| is_used[term]) {
            let vertex = colours.len() as u32;
            vertices[term] = vertex;
            let next = head_colours.len() as u32;
            colours.push(*head_colours.entry(self.heads[term]).or_insert(next));
            edges.extend(self.children[term].iter().map(|&(role, child)| (vertex, vertices[child as usize], role)));
        }
        // If there are no variables, there is nothing to be moved.
        let colour = head_colours.len() as u32;
        for (index, &top) in (0..).zip(tops) {
            colours[vertices[top as usize] as usize] = colour + index;
        }
        ColouredGraph::new(colours, &edges)
    }
}
