//! Everything that a model says, as terms over its variables.
//!
//! A term has a head and children, each with a role; the order of the children means nothing. What has an order says so
//! in the roles (first, second, …), and what has none, as the operands of a sum, has equal roles. Equal terms are the
//! same term, so that a permutation of the variables maps terms to terms: a symmetry of a model is a permutation that
//! maps some terms, all that is said about the model, to themselves.
//!
//! A variable with a domain also has its *values* as terms, `v = 2` for each of them, which come right after the variables.
//! A symmetry may exchange these: variables and values together are the *points* that it permutes.

use mandala_group::ColouredGraph;
use mandala_model::expression::{BinaryOperator, Comparison, UnaryOperator};
use mandala_model::net::Effect;
use rustc_hash::{FxHashMap, FxHashSet};

/// A term, by its number; variables come first, then values, and all others after their children.
pub(super) type Term = u32;

/// What a term is, but for its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Head {
    Variable,
    /// That a variable has one of its values.
    Value,
    Number(i32),
    Truth(bool),
    Compare(Comparison),
    Unary(UnaryOperator),
    Binary(BinaryOperator),
    /// A transition of a net with a priority.
    Prioritised(u32),
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
    /// The values after the variables, in ascending order: of which variable, and which.
    values: Vec<(u32, i32)>,
    /// For variables with a domain, where their values begin among `values`; empty if there are none.
    first_values: Vec<Option<u32>>,
    /// Values that a guard excludes, where the statements behind it are made into terms.
    excluded: FxHashSet<Term>,
    /// How many cases were looked at.
    cases: usize,
    heads: Vec<Head>,
    children: Vec<Vec<(u32, Term)>>,
    known: FxHashMap<(Head, Vec<(u32, Term)>), Term>,
    roles: FxHashMap<Role, u32>,
    /// How many children all terms have together.
    edges: usize,
}

/// So many cases of the values of variables are looked at.
const MOST_CASES: usize = 1_000_000;

impl Terms {
    /// Over so many variables, with domains for some of them.
    pub fn new<'d>(variables: usize, domain: impl Fn(u32) -> Option<&'d [i32]>) -> Terms {
        let (mut values, mut first_values) = (Vec::new(), Vec::with_capacity(variables));
        for variable in 0..variables as u32 {
            let domain = domain(variable);
            first_values.push(domain.map(|_| values.len() as u32));
            values.extend(domain.into_iter().flatten().map(|&value| (variable, value)));
        }
        if values.is_empty() {
            first_values.clear();
        }
        let mut heads = vec![Head::Variable; variables];
        heads.resize(variables + values.len(), Head::Value);
        Terms {
            variables,
            children: vec![Vec::new(); heads.len()],
            heads,
            values,
            first_values,
            excluded: FxHashSet::default(),
            cases: 0,
            known: FxHashMap::default(),
            roles: FxHashMap::default(),
            edges: 0,
        }
    }

    pub fn variables(&self) -> usize {
        self.variables
    }

    /// How many variables and values there are.
    pub fn points(&self) -> usize {
        self.variables + self.values.len()
    }

    /// The values of all variables with a domain: of which variable, and which.
    pub fn values(&self) -> &[(u32, i32)] {
        &self.values
    }

    /// The values of a variable; nothing if it has no domain.
    pub fn domain(&self, variable: u32) -> Option<&[(u32, i32)]> {
        let first = (*self.first_values.get(variable as usize)?)? as usize;
        let count = self.values[first..].partition_point(|&(of, _)| of == variable);
        Some(&self.values[first..first + count])
    }

    /// The term for a value of a variable; nothing if that is not in its domain.
    pub fn value(&self, variable: u32, value: i32) -> Option<Term> {
        let at = self.domain(variable)?.binary_search_by_key(&value, |&(_, own)| own).ok()?;
        Some((self.variables + at) as Term + self.first_values[variable as usize]?)
    }

    /// What a variable is as a number: if it has a domain, its values have their numbers.
    pub fn number(&mut self, variable: u32) -> Term {
        let Some(domain) = self.domain(variable) else { return variable };
        let first = self.first_values[variable as usize].map_or(0, |first| first + self.variables as u32);
        let values: Vec<(Role, Term)> = (first..).zip(domain).map(|(at, &(_, is))| (Role::Value(is), at)).collect();
        self.make(Head::Word("number"), [(Role::Position(0), variable)].into_iter().chain(values))
    }

    /// That a variable has these values and no others.
    pub fn values_of(&mut self, variable: u32) -> Term {
        let domain = self.domain(variable).unwrap_or_default().to_vec();
        let values: Vec<Term> = domain.iter().filter_map(|&(_, value)| self.value(variable, value)).collect();
        let values = values.into_iter().map(|value| (Role::Part, value));
        self.make(Head::Word("domain"), [(Role::Position(0), variable)].into_iter().chain(values))
    }

    /// Cases in which a variable has one of these values do not matter from here on.
    pub fn exclude(&mut self, values: impl IntoIterator<Item = Term>) {
        self.excluded.extend(values);
    }

    /// All values of a variable matter again.
    pub fn admit(&mut self, variable: u32) {
        if !self.excluded.is_empty() {
            let domain = self.domain(variable).unwrap_or_default().to_vec();
            for value in domain.iter().filter_map(|&(_, value)| self.value(variable, value)).collect::<Vec<_>>() {
                self.excluded.remove(&value);
            }
        }
    }

    /// All values of all variables matter again.
    pub fn admit_all(&mut self) {
        self.excluded.clear();
    }

    /// Whether cases with a value do not matter.
    pub fn is_excluded(&self, value: Term) -> bool {
        self.excluded.contains(&value)
    }

    /// Counts cases that are looked at; whether these are not too many.
    pub fn look_at(&mut self, cases: usize) -> bool {
        self.cases = self.cases.saturating_add(cases);
        self.cases <= MOST_CASES
    }

    /// Whether more cases were to be looked at than that.
    pub fn has_too_many_cases(&self) -> bool {
        self.cases > MOST_CASES
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

    /// The graph whose automorphisms are the permutations of the points that map each of some terms to itself. Its first
    /// vertices are the variables and then their values; these have the least colours.
    ///
    /// Different terms with the same head have different children, so an automorphism is known by what it does to the
    /// points.
    pub fn graph(&self, tops: &[Term]) -> Option<ColouredGraph> {
        let mut is_used = self.used_by(tops);
        is_used[..self.points()].fill(true);
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
