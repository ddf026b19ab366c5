//! The oracle's homomorphisms: what each means on a set of sequences, and how to make it in a store.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Label, Store, ValueMap, Variable};

use super::state::{INTEGER, Set, State, Val, build, is_compatible};

/// A map on values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Map {
    Between(i32, i32),
    AtLeast(i32),
    AtMost(i32),
    Equal(i32),
    Identity,
    Add(i32),
    Assign(i32),
    Relation(Vec<(i32, i32)>),
}

impl Map {
    /// What a value becomes; `None` if that is no `i32`.
    pub fn images(&self, value: i32) -> Option<Vec<i32>> {
        let kept = |keep: bool| Some(if keep { vec![value] } else { vec![] });
        match self {
            Map::Between(low, high) => kept(*low <= value && value <= *high),
            Map::AtLeast(low) => kept(*low <= value),
            Map::AtMost(high) => kept(value <= *high),
            Map::Equal(one) => kept(value == *one),
            Map::Identity => kept(true),
            Map::Add(delta) => {
                let sum = i64::from(value) + i64::from(*delta);
                i32::try_from(sum).ok().map(|sum| vec![sum])
            }
            Map::Assign(new) => Some(vec![*new]),
            Map::Relation(pairs) => {
                let mut images: Vec<i32> = pairs.iter().filter(|pair| pair.0 == value).map(|pair| pair.1).collect();
                images.sort_unstable();
                images.dedup();
                Some(images)
            }
        }
    }

    pub fn build(&self) -> ValueMap {
        match self {
            Map::Between(low, high) => ValueMap::between(*low, *high),
            Map::AtLeast(low) => ValueMap::at_least(*low),
            Map::AtMost(high) => ValueMap::at_most(*high),
            Map::Equal(value) => ValueMap::equal(*value),
            Map::Identity => ValueMap::identity(),
            Map::Add(delta) => ValueMap::add(*delta),
            Map::Assign(value) => ValueMap::assign(*value),
            Map::Relation(pairs) => ValueMap::relation(pairs.iter().copied()),
        }
    }
}

/// A homomorphism.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    Id,
    Null,
    Constant(Set),
    Value(Variable, Map),
    Local(Variable, Box<Term>),
    Sum(Vec<Term>),
    /// First the second, then the first.
    Compose(Box<Term>, Box<Term>),
    Sequence(Vec<Term>),
    Intersect(Set),
    Prepend(Set),
    Append(Set),
    Fixpoint(Box<Term>),
    Closure(Vec<Term>),
    Not(Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
    Inductive(Arc<Rules>),
}

/// An inductive homomorphism, given by tables. It skips the variables that are in none of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rules {
    /// By variable: what happens to some values, and to all others.
    pub data: BTreeMap<Variable, (BTreeMap<i32, Rule>, Rule)>,
    /// By variable with structure: what happens to labels.
    pub sets: BTreeMap<Variable, LabelRule>,
    /// The result for the empty sequence.
    pub one: Set,
    /// What it says of itself.
    pub is_selector: bool,
}

/// What goes on below an arc.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Next {
    /// The same inductive homomorphism.
    This,
    Term(Term),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    Drop,
    Keep(Next),
    Move(Vec<(i32, Next)>),
    /// The whole result.
    Whole(Term),
    /// The whole result: these assignments, and what a homomorphism makes of the rest.
    Before(State, Next),
    /// The arc with its value put after the following assignment, whatever that is to.
    Down,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LabelRule {
    Drop,
    Keep(Next),
    /// For each: what becomes of the label, and of the rest.
    Move(Vec<(Term, Next)>),
    /// The same, answered as a whole.
    Whole(Vec<(Term, Next)>),
}

/// Why there is nothing to compare with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Incompatible sequences or an overflow: ⊤.
    Undefined,
    /// More states than the test wants to look at, or no fixpoint.
    TooMuch,
}

/// The most states that a set may have.
const MOST: usize = 1500;

/// The longest sequence in a set.
const LONGEST: usize = 12;

thread_local! {
    /// How much work the oracle may still do for this case.
    static FUEL: Cell<usize> = const { Cell::new(0) };
}

/// Gives the oracle so much work for the next case.
pub fn refuel(fuel: usize) {
    FUEL.set(fuel);
}

fn burn(work: usize) -> Result<(), Stop> {
    let left = FUEL.get();
    FUEL.set(left.saturating_sub(work));
    if left <= work { Err(Stop::TooMuch) } else { Ok(()) }
}

/// A result, if it is defined and of a size to work with.
fn checked(set: Set) -> Result<Set, Stop> {
    burn(set.len())?;
    if set.len() > MOST || set.iter().any(|state| state.len() > LONGEST) {
        Err(Stop::TooMuch)
    } else if is_compatible(&set) {
        Ok(set)
    } else {
        Err(Stop::Undefined)
    }
}

fn with_first(first: &(Variable, Val), tails: Set) -> impl Iterator<Item = State> + '_ {
    tails.into_iter().map(move |tail| {
        let mut state = vec![first.clone()];
        state.extend(tail);
        state
    })
}

impl Term {
    pub fn compose(outer: Term, inner: Term) -> Term {
        Term::Compose(Box::new(outer), Box::new(inner))
    }

    pub fn local(variable: Variable, inside: Term) -> Term {
        Term::Local(variable, Box::new(inside))
    }

    /// What the definitions say that the result is.
    pub fn eval(&self, set: &Set) -> Result<Set, Stop> {
        let mut result = Set::new();
        if set.is_empty() {
            return Ok(result);
        }
        burn(set.len() + 2)?;
        match self {
            Term::Id => return Ok(set.clone()),
            Term::Null => {}
            Term::Constant(constant) => return Ok(constant.clone()),
            Term::Value(variable, map) => {
                for state in set {
                    let Some(place) = state.iter().position(|(other, _)| other == variable) else { continue };
                    let value = match &state[place].1 {
                        Val::Int(value) => *value,
                        Val::State(label) => match label[..] {
                            [(INTEGER, Val::Int(value))] => value,
                            _ => return Err(Stop::Undefined),
                        },
                    };
                    for image in map.images(value).ok_or(Stop::Undefined)? {
                        let mut state = state.clone();
                        state[place].1 = match &state[place].1 {
                            Val::Int(_) => Val::Int(image),
                            Val::State(_) => super::state::member(image),
                        };
                        result.insert(state);
                    }
                }
            }
            Term::Local(variable, inside) => {
                let mut labels = Set::new();
                for state in set {
                    let Some(place) = state.iter().position(|(other, _)| other == variable) else { continue };
                    let Val::State(label) = &state[place].1 else { return Err(Stop::Undefined) };
                    labels.insert(label.clone());
                    for label in inside.eval(&Set::from([label.clone()]))? {
                        let mut state = state.clone();
                        state[place].1 = Val::State(label);
                        result.insert(state);
                    }
                }
                // Labels are worked on together: what is undefined for some of them is so for all.
                inside.eval(&checked(labels)?)?;
            }
            Term::Sum(terms) => {
                for term in terms {
                    result.extend(term.eval(set)?);
                }
            }
            Term::Compose(outer, inner) => return outer.eval(&inner.eval(set)?),
            Term::Sequence(terms) => {
                result = set.clone();
                for term in terms {
                    result = term.eval(&result)?;
                }
            }
            Term::Intersect(other) => result = set & other,
            Term::Prepend(other) => {
                for first in other {
                    result.extend(set.iter().map(|state| [first.clone(), state.clone()].concat()));
                }
            }
            Term::Append(other) => {
                for last in other {
                    result.extend(set.iter().map(|state| [state.clone(), last.clone()].concat()));
                }
            }
            Term::Fixpoint(term) => {
                // Every state must come to a fixpoint on its own: then every set of them does. And all of
                // them together, because what is undefined may be so only for several at once.
                let whole = repeat(term, set)?;
                for state in set {
                    result.extend(repeat(term, &Set::from([state.clone()]))?);
                }
                assert_eq!(whole, result);
            }
            Term::Closure(terms) => return reach(set, terms),
            Term::Not(selector) => result = set - &selector.eval(set)?,
            Term::If(selector, then, otherwise) => {
                let chosen = selector.eval(set)?;
                result = then.eval(&chosen)?;
                result.extend(otherwise.eval(&(set - &chosen))?);
            }
            Term::Inductive(rules) => result = rules.eval(set)?,
        }
        checked(result)
    }

    /// The homomorphism in a store.
    pub fn build(&self, store: &mut Store) -> Hom {
        match self {
            Term::Id => store.identity(),
            Term::Null => store.null(),
            Term::Constant(set) => {
                let set = build(store, set);
                store.constant(&set)
            }
            Term::Value(variable, map) => store.value(*variable, map.build()),
            Term::Local(variable, inside) => {
                let inside = inside.build(store);
                store.local(*variable, &inside)
            }
            Term::Sum(terms) => {
                let terms = build_all(store, terms);
                store.sum(&terms)
            }
            Term::Compose(outer, inner) => {
                let (outer, inner) = (outer.build(store), inner.build(store));
                store.compose(&outer, &inner)
            }
            Term::Sequence(terms) => {
                let terms = build_all(store, terms);
                store.sequence(&terms)
            }
            Term::Intersect(set) => {
                let set = build(store, set);
                store.intersect(&set)
            }
            Term::Prepend(set) => {
                let set = build(store, set);
                store.prepend(&set)
            }
            Term::Append(set) => {
                let set = build(store, set);
                store.append(&set)
            }
            Term::Fixpoint(term) => {
                let term = term.build(store);
                store.fixpoint(&term)
            }
            Term::Closure(terms) => {
                let terms = build_all(store, terms);
                store.closure(&terms)
            }
            Term::Not(selector) => {
                let selector = selector.build(store);
                store.not(&selector)
            }
            Term::If(selector, then, otherwise) => {
                let selector = selector.build(store);
                let (then, otherwise) = (then.build(store), otherwise.build(store));
                store.if_then_else(&selector, &then, &otherwise)
            }
            Term::Inductive(rules) => store.inductive(Tabled(rules.clone())),
        }
    }

    /// Smaller homomorphisms to look for a smaller failure with.
    pub fn smaller(&self) -> Vec<Term> {
        let mut out = Vec::new();
        if *self != Term::Id && *self != Term::Null {
            out.extend([Term::Id, Term::Null]);
        }
        let list = |terms: &Vec<Term>, make: fn(Vec<Term>) -> Term, out: &mut Vec<Term>| {
            for i in 0..terms.len() {
                out.push(terms[i].clone());
                let mut fewer = terms.clone();
                fewer.remove(i);
                out.push(make(fewer));
                for other in terms[i].smaller() {
                    let mut others = terms.clone();
                    others[i] = other;
                    out.push(make(others));
                }
            }
        };
        let sets = |set: &Set, make: fn(Set) -> Term, out: &mut Vec<Term>| {
            for state in set {
                let mut fewer = set.clone();
                fewer.remove(state);
                out.push(make(fewer));
            }
        };
        match self {
            Term::Id | Term::Null => {}
            Term::Constant(set) => sets(set, Term::Constant, &mut out),
            Term::Intersect(set) => sets(set, Term::Intersect, &mut out),
            Term::Prepend(set) => sets(set, Term::Prepend, &mut out),
            Term::Append(set) => sets(set, Term::Append, &mut out),
            Term::Value(variable, map) => {
                if let Map::Relation(pairs) = map {
                    for i in 0..pairs.len() {
                        let mut fewer = pairs.clone();
                        fewer.remove(i);
                        out.push(Term::Value(*variable, Map::Relation(fewer)));
                    }
                }
            }
            Term::Local(variable, inside) => {
                out.extend(inside.smaller().into_iter().map(|inside| Term::local(*variable, inside)));
            }
            Term::Sum(terms) => list(terms, Term::Sum, &mut out),
            Term::Sequence(terms) => list(terms, Term::Sequence, &mut out),
            Term::Closure(terms) => list(terms, Term::Closure, &mut out),
            Term::Compose(outer, inner) => {
                out.extend([(**outer).clone(), (**inner).clone()]);
                out.extend(outer.smaller().into_iter().map(|outer| Term::compose(outer, (**inner).clone())));
                out.extend(inner.smaller().into_iter().map(|inner| Term::compose((**outer).clone(), inner)));
            }
            Term::Fixpoint(term) => {
                out.push((**term).clone());
                out.extend(term.smaller().into_iter().map(|term| Term::Fixpoint(Box::new(term))));
            }
            Term::Not(term) => {
                out.push((**term).clone());
                let selectors = term.smaller().into_iter().filter(Term::is_plain_selector);
                out.extend(selectors.map(|term| Term::Not(Box::new(term))));
            }
            Term::If(selector, then, otherwise) => {
                out.extend([(**then).clone(), (**otherwise).clone(), (**selector).clone()]);
                let make =
                    |a: Term, b: &Term, c: &Term| Term::If(Box::new(a), Box::new(b.clone()), Box::new(c.clone()));
                let selectors = selector.smaller().into_iter().filter(Term::is_plain_selector);
                out.extend(selectors.map(|selector| make(selector, then, otherwise)));
                out.extend(then.smaller().into_iter().map(|then| make((**selector).clone(), &then, otherwise)));
                out.extend(otherwise.smaller().into_iter().map(|rest| make((**selector).clone(), then, &rest)));
            }
            Term::Inductive(rules) => {
                for (variable, (cases, otherwise)) in &rules.data {
                    let mut changed = (**rules).clone();
                    changed.data.remove(variable);
                    out.push(Term::Inductive(Arc::new(changed)));
                    for (value, rule) in cases {
                        let mut changed = (**rules).clone();
                        changed.data.get_mut(variable).unwrap().0.remove(value);
                        out.push(Term::Inductive(Arc::new(changed)));
                        for rule in rule.smaller() {
                            let mut changed = (**rules).clone();
                            changed.data.get_mut(variable).unwrap().0.insert(*value, rule);
                            out.push(Term::Inductive(Arc::new(changed)));
                        }
                    }
                    for rule in otherwise.smaller() {
                        let mut changed = (**rules).clone();
                        changed.data.get_mut(variable).unwrap().1 = rule;
                        out.push(Term::Inductive(Arc::new(changed)));
                    }
                }
                for (variable, rule) in &rules.sets {
                    let mut changed = (**rules).clone();
                    changed.sets.remove(variable);
                    out.push(Term::Inductive(Arc::new(changed)));
                    for rule in rule.smaller() {
                        let mut changed = (**rules).clone();
                        changed.sets.insert(*variable, rule);
                        out.push(Term::Inductive(Arc::new(changed)));
                    }
                }
            }
        }
        out
    }

    /// Whether it is plain to see that this is a selector.
    pub fn is_plain_selector(&self) -> bool {
        match self {
            Term::Id | Term::Null | Term::Intersect(_) | Term::Not(_) => true,
            Term::Value(_, map) => {
                matches!(map, Map::Between(..) | Map::AtLeast(_) | Map::AtMost(_) | Map::Equal(_) | Map::Identity)
            }
            Term::Local(_, inside) => inside.is_plain_selector(),
            Term::Sum(terms) | Term::Sequence(terms) => terms.iter().all(Term::is_plain_selector),
            Term::Compose(outer, inner) => outer.is_plain_selector() && inner.is_plain_selector(),
            Term::If(selector, then, otherwise) => {
                [selector, then, otherwise].iter().all(|term| term.is_plain_selector())
            }
            Term::Inductive(rules) => rules.is_selector,
            _ => false,
        }
    }
}

impl Rule {
    fn smaller(&self) -> Vec<Rule> {
        let mut out = Vec::new();
        if *self != Rule::Drop {
            out.push(Rule::Drop);
        }
        match self {
            Rule::Drop | Rule::Down => {}
            Rule::Keep(next) => out.extend(next.smaller().into_iter().map(Rule::Keep)),
            Rule::Move(moves) => {
                for i in 0..moves.len() {
                    let mut fewer = moves.clone();
                    fewer.remove(i);
                    out.push(Rule::Move(fewer));
                    for next in moves[i].1.smaller() {
                        let mut changed = moves.clone();
                        changed[i].1 = next;
                        out.push(Rule::Move(changed));
                    }
                }
            }
            Rule::Whole(term) => out.extend(term.smaller().into_iter().map(Rule::Whole)),
            Rule::Before(state, next) => {
                out.extend(next.smaller().into_iter().map(|next| Rule::Before(state.clone(), next)));
            }
        }
        out
    }
}

impl LabelRule {
    fn smaller(&self) -> Vec<LabelRule> {
        let mut out = Vec::new();
        if *self != LabelRule::Drop {
            out.push(LabelRule::Drop);
        }
        match self {
            LabelRule::Drop => {}
            LabelRule::Keep(next) => out.extend(next.smaller().into_iter().map(LabelRule::Keep)),
            LabelRule::Move(moves) | LabelRule::Whole(moves) => {
                let make = if matches!(self, LabelRule::Move(_)) { LabelRule::Move } else { LabelRule::Whole };
                for i in 0..moves.len() {
                    let mut fewer = moves.clone();
                    fewer.remove(i);
                    out.push(make(fewer));
                    for inside in moves[i].0.smaller() {
                        let mut changed = moves.clone();
                        changed[i].0 = inside;
                        out.push(make(changed));
                    }
                    for next in moves[i].1.smaller() {
                        let mut changed = moves.clone();
                        changed[i].1 = next;
                        out.push(make(changed));
                    }
                }
            }
        }
        out
    }
}

impl Next {
    fn smaller(&self) -> Vec<Next> {
        match self {
            Next::This => vec![Next::Term(Term::Id)],
            Next::Term(term) => term.smaller().into_iter().map(Next::Term).collect(),
        }
    }
}

pub fn build_all(store: &mut Store, terms: &[Term]) -> Vec<Hom> {
    terms.iter().map(|term| term.build(store)).collect()
}

/// Applies a homomorphism until nothing changes.
fn repeat(term: &Term, set: &Set) -> Result<Set, Stop> {
    let mut now = set.clone();
    for _ in 0..200 {
        let next = term.eval(&now)?;
        if next == now {
            return Ok(now);
        }
        now = next;
    }
    Err(Stop::TooMuch)
}

/// What can be reached: breadth first, each state on its own.
pub fn reach(initial: &Set, transitions: &[Term]) -> Result<Set, Stop> {
    let mut reached = initial.clone();
    let mut open: Vec<State> = initial.iter().cloned().collect();
    while let Some(state) = open.pop() {
        let state = Set::from([state]);
        for transition in transitions {
            for next in transition.eval(&state)? {
                if reached.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        if reached.len() > MOST {
            return Err(Stop::TooMuch);
        }
    }
    // What is undefined on some states together is undefined.
    for transition in transitions {
        transition.eval(&reached)?;
    }
    checked(reached)
}

impl Rules {
    fn next(self: &Arc<Rules>, next: &Next, tails: &Set) -> Result<Set, Stop> {
        match next {
            Next::This => self.eval(tails),
            Next::Term(term) => term.eval(tails),
        }
    }

    /// The sum over the first assignments of what happens to each.
    pub fn eval(self: &Arc<Rules>, set: &Set) -> Result<Set, Stop> {
        burn(set.len() + 2)?;
        let mut result = Set::new();
        let mut groups: BTreeMap<(Variable, Val), Set> = BTreeMap::new();
        let mut labels: BTreeMap<Variable, Set> = BTreeMap::new();
        for state in set {
            match state.split_first() {
                None => result.extend(self.one.iter().cloned()),
                Some((first, rest)) => {
                    groups.entry(first.clone()).or_default().insert(rest.to_vec());
                    if let Val::State(label) = &first.1 {
                        labels.entry(first.0).or_default().insert(label.clone());
                    }
                }
            }
        }
        for (first, tails) in groups {
            let variable = first.0;
            match &first.1 {
                Val::Int(value) if self.data.contains_key(&variable) => {
                    let (cases, otherwise) = &self.data[&variable];
                    match cases.get(value).unwrap_or(otherwise) {
                        Rule::Drop => {}
                        Rule::Keep(next) => result.extend(with_first(&first, self.next(next, &tails)?)),
                        Rule::Move(moves) => {
                            for (value, next) in moves {
                                let first = (variable, Val::Int(*value));
                                result.extend(with_first(&first, self.next(next, &tails)?));
                            }
                        }
                        Rule::Whole(term) => result.extend(term.eval(&tails)?),
                        Rule::Before(state, next) => {
                            for tail in self.next(next, &tails)? {
                                result.insert([state.clone(), tail].concat());
                            }
                        }
                        Rule::Down => {
                            for tail in tails {
                                let Some((second, rest)) = tail.split_first() else { continue };
                                result.insert([&[second.clone(), first.clone()], rest].concat());
                            }
                        }
                    }
                }
                Val::State(label) if self.sets.contains_key(&variable) => match &self.sets[&variable] {
                    LabelRule::Drop => {}
                    LabelRule::Keep(next) => result.extend(with_first(&first, self.next(next, &tails)?)),
                    LabelRule::Move(moves) | LabelRule::Whole(moves) => {
                        for (inside, next) in moves {
                            inside.eval(&checked(labels[&variable].clone())?)?;
                            let tails = self.next(next, &tails)?;
                            for label in inside.eval(&Set::from([label.clone()]))? {
                                let first = (variable, Val::State(label));
                                result.extend(with_first(&first, tails.clone()));
                            }
                        }
                    }
                },
                _ if self.data.contains_key(&variable) || self.sets.contains_key(&variable) => {
                    return Err(Stop::Undefined);
                }
                _ => result.extend(with_first(&first, self.eval(&tails)?)),
            }
        }
        checked(result)
    }
}

/// [`Rules`] as the library sees them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tabled(pub Arc<Rules>);

impl Tabled {
    fn next(&self, store: &mut Store, next: &Next) -> Hom {
        match next {
            Next::This => store.inductive(self.clone()),
            Next::Term(term) => term.build(store),
        }
    }
}

impl Inductive for Tabled {
    fn skips(&self, variable: Variable) -> bool {
        !self.0.data.contains_key(&variable) && !self.0.sets.contains_key(&variable)
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let Some((cases, otherwise)) = self.0.data.get(&variable) else {
            let top = store.top();
            return Ok(Answer::Whole(store.constant(&top)));
        };
        Ok(match cases.get(&value).unwrap_or(otherwise) {
            Rule::Drop => Answer::Drop,
            Rule::Keep(next) => Answer::Keep(self.next(store, next)),
            Rule::Move(moves) => {
                let moves = moves.iter().map(|(value, next)| (Label::Value(*value), self.next(store, next)));
                Answer::Move(moves.collect())
            }
            Rule::Whole(term) => Answer::Whole(term.build(store)),
            Rule::Before(state, next) => {
                let (state, next) = (super::state::build_state(store, state), self.next(store, next));
                let before = store.prepend(&state);
                Answer::Whole(store.compose(&before, &next))
            }
            Rule::Down => Answer::Whole(store.inductive(After(variable, value))),
        })
    }

    fn at_label(&self, store: &mut Store, variable: Variable, label: &Diagram) -> Result<Answer, Error> {
        let Some(rule) = self.0.sets.get(&variable) else {
            let top = store.top();
            return Ok(Answer::Whole(store.constant(&top)));
        };
        Ok(match rule {
            LabelRule::Drop => Answer::Drop,
            LabelRule::Keep(next) => Answer::Keep(self.next(store, next)),
            LabelRule::Move(moves) => {
                let mut arcs = Vec::new();
                for (inside, next) in moves {
                    let inside = inside.build(store);
                    let label = store.apply(&inside, label)?;
                    arcs.push((Label::Set(label), self.next(store, next)));
                }
                Answer::Move(arcs)
            }
            LabelRule::Whole(moves) => {
                let mut parts = Vec::new();
                for (inside, next) in moves {
                    let inside = inside.build(store);
                    let label = store.apply(&inside, label)?;
                    let one = store.one();
                    let arc = store.assign_set(variable, &label, &one)?;
                    let (before, next) = (store.prepend(&arc), self.next(store, next));
                    parts.push(store.compose(&before, &next));
                }
                Answer::Whole(store.sum(&parts))
            }
        })
    }

    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        Ok(build(store, &self.0.one))
    }

    fn is_selector(&self) -> bool {
        self.0.is_selector
    }
}

/// Puts an assignment after the next one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct After(Variable, i32);

impl Inductive for After {
    fn skips(&self, _: Variable) -> bool {
        false
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let state = store.state(&[(variable, value), (self.0, self.1)])?;
        Ok(Answer::Whole(store.prepend(&state)))
    }

    fn at_label(&self, store: &mut Store, variable: Variable, label: &Diagram) -> Result<Answer, Error> {
        let state = store.state(&[(self.0, self.1)])?;
        let state = store.assign_set(variable, label, &state)?;
        Ok(Answer::Whole(store.prepend(&state)))
    }
}
