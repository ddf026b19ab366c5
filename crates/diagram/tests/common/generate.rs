//! Random homomorphisms for the sequences of a shape.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::rng::Rng;
use super::shape::{Shape, data_variable};
use super::state::{Set, member};
use super::term::{LabelRule, Map, Next, Rule, Rules, Term};

/// A map that keeps values from `low` to `high` within them.
pub fn bounded_map(rng: &mut Rng, low: i32, high: i32) -> Vec<Map> {
    let any = |rng: &mut Rng| rng.range(low, high);
    match rng.below(8) {
        0 => vec![Map::AtLeast(any(rng))],
        1 => vec![Map::AtMost(any(rng))],
        2 => vec![Map::Equal(any(rng))],
        3 | 4 => {
            let delta = rng.range(-2, 2);
            let guard = if delta > 0 { Map::Between(low, high - delta) } else { Map::Between(low - delta, high) };
            vec![guard, Map::Add(delta)]
        }
        5 => {
            let value = any(rng);
            if rng.one_in(2) { vec![Map::Equal(any(rng)), Map::Assign(value)] } else { vec![Map::Assign(value)] }
        }
        6 => vec![Map::Between(any(rng), any(rng))],
        _ => {
            let pairs = (0..=rng.below(4)).map(|_| (any(rng), any(rng)));
            vec![Map::Relation(pairs.collect())]
        }
    }
}

/// Any selector.
pub fn selector(rng: &mut Rng, shape: &Rc<Shape>, depth: usize) -> Term {
    let variables = shape.variables();
    if depth > 0 && rng.one_in(2) {
        return match rng.below(5) {
            0 => Term::Not(Box::new(selector(rng, shape, depth - 1))),
            1 => Term::Sum(vec![selector(rng, shape, depth - 1), selector(rng, shape, depth - 1)]),
            2 => Term::compose(selector(rng, shape, depth - 1), selector(rng, shape, depth - 1)),
            3 => Term::Sequence(vec![selector(rng, shape, depth - 1), selector(rng, shape, depth - 1)]),
            _ => Term::If(
                Box::new(selector(rng, shape, depth - 1)),
                Box::new(selector(rng, shape, depth - 1)),
                Box::new(selector(rng, shape, depth - 1)),
            ),
        };
    }
    for _ in 0..4 {
        match rng.below(6) {
            0 | 1 if !variables.data.is_empty() => {
                let &(variable, low, high) = rng.pick(&variables.data);
                let value = rng.range(low, high);
                let map = match rng.below(4) {
                    0 => Map::AtLeast(value),
                    1 => Map::AtMost(value),
                    2 => Map::Equal(value),
                    _ => Map::Between(value, rng.range(low, high)),
                };
                return Term::Value(variable, map);
            }
            2 if !variables.sets.is_empty() => {
                let (variable, label) = rng.pick(&variables.sets);
                return Term::local(*variable, selector(rng, label, depth.saturating_sub(1)));
            }
            3 if !variables.integers.is_empty() => {
                let &(variable, low, high) = rng.pick(&variables.integers);
                return Term::Value(variable, Map::AtMost(rng.range(low, high)));
            }
            4 if !variables.data.is_empty() => {
                // An inductive selector: keeps some values, and looks at every occurrence.
                let &(variable, low, high) = rng.pick(&variables.data);
                let mut cases = BTreeMap::new();
                for value in low..=high {
                    let next = if rng.one_in(3) { Next::Term(Term::Id) } else { Next::This };
                    cases.insert(value, if rng.one_in(3) { Rule::Drop } else { Rule::Keep(next) });
                }
                let one = if rng.one_in(3) { Set::new() } else { Set::from([Vec::new()]) };
                let data = BTreeMap::from([(variable, (cases, Rule::Drop))]);
                return Term::Inductive(Arc::new(Rules { data, sets: BTreeMap::new(), one, is_selector: true }));
            }
            5 => return Term::Intersect(shape.set(rng, 5)),
            _ => {}
        }
    }
    Term::Intersect(shape.set(rng, 5))
}

/// A homomorphism that sends the sequences of a shape to some of the same shape, nearly always, and
/// under which closures are finite.
pub fn bounded(rng: &mut Rng, shape: &Rc<Shape>, depth: usize) -> Term {
    if depth > 0 && !rng.one_in(4) {
        let down = |rng: &mut Rng| bounded(rng, shape, depth - 1);
        return match rng.below(10) {
            0 | 1 => Term::Sum((0..=rng.below(3)).map(|_| down(rng)).collect()),
            2 | 3 => Term::compose(down(rng), down(rng)),
            4 => Term::Sequence((0..=rng.below(4)).map(|_| down(rng)).collect()),
            5 => {
                let (then, otherwise) = (down(rng), down(rng));
                let condition = selector(rng, shape, 1);
                Term::If(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            6 => Term::Closure((0..=rng.below(3)).map(|_| down(rng)).collect()),
            7 => {
                let mut terms: Vec<Term> = (0..=rng.below(2)).map(|_| down(rng)).collect();
                terms.push(Term::Id);
                rng.shuffle(&mut terms);
                let sum = if rng.one_in(3) { Term::Sum(vec![Term::Sum(terms), down(rng)]) } else { Term::Sum(terms) };
                Term::Fixpoint(Box::new(sum))
            }
            8 => fixpoint(rng, shape),
            _ => inductive(rng, shape, depth - 1),
        };
    }
    let variables = shape.variables();
    for _ in 0..6 {
        match rng.below(12) {
            0..=4 if !variables.data.is_empty() => {
                let &(variable, low, high) = rng.pick(&variables.data);
                return values(variable, bounded_map(rng, low, high));
            }
            5 | 6 if !variables.sets.is_empty() => {
                let (variable, label) = rng.pick(&variables.sets);
                return Term::local(*variable, bounded(rng, label, depth));
            }
            7 if !variables.integers.is_empty() => {
                let &(variable, low, high) = rng.pick(&variables.integers);
                if rng.one_in(3) {
                    let labels = (0..=rng.below(3)).map(|_| rng.range(low, high));
                    let labels: Set = labels
                        .map(|value| match member(value) {
                            super::state::Val::State(state) => state,
                            super::state::Val::Int(_) => Vec::new(),
                        })
                        .collect();
                    let inside = match rng.below(3) {
                        0 => Term::Intersect(labels),
                        1 => Term::Not(Box::new(Term::Intersect(labels))),
                        _ => Term::Constant(labels),
                    };
                    return Term::local(variable, inside);
                }
                return values(variable, bounded_map(rng, low, high));
            }
            8 => return selector(rng, shape, depth),
            9 => return inductive(rng, shape, depth.saturating_sub(1)),
            10 if rng.one_in(4) => return Term::Constant(shape.set(rng, 3)),
            11 if rng.one_in(8) => return if rng.one_in(2) { Term::Id } else { Term::Null },
            _ => {}
        }
    }
    Term::Id
}

fn values(variable: u32, maps: Vec<Map>) -> Term {
    let mut terms: Vec<Term> = maps.into_iter().map(|map| Term::Value(variable, map)).collect();
    if terms.len() == 1 { terms.remove(0) } else { Term::Sequence(terms) }
}

/// A fixpoint that is not a closure and that every sequence comes to.
fn fixpoint(rng: &mut Rng, shape: &Rc<Shape>) -> Term {
    let variables = shape.variables();
    let mut steps = Vec::new();
    for &(variable, low, high) in &variables.data {
        // Downwards, or to a value that stays.
        let pairs: Vec<(i32, i32)> = (low..=high).map(|value| (value, rng.range(low, value))).collect();
        steps.push(Term::Value(variable, if rng.one_in(3) { Map::Assign(low) } else { Map::Relation(pairs) }));
    }
    for (variable, label) in &variables.sets {
        steps.push(Term::local(*variable, selector(rng, label, 1)));
    }
    steps.push(selector(rng, shape, 1));
    rng.shuffle(&mut steps);
    steps.truncate(rng.below(3) + 1);
    Term::Fixpoint(Box::new(Term::Sequence(steps)))
}

/// Any inductive homomorphism that keeps the length of sequences.
pub fn inductive(rng: &mut Rng, shape: &Rc<Shape>, depth: usize) -> Term {
    let variables = shape.variables();
    let mut rules = Rules { data: BTreeMap::new(), sets: BTreeMap::new(), one: Set::new(), is_selector: false };
    if rng.one_in(2) {
        rules.one.insert(Vec::new());
    }
    for &(variable, low, high) in &variables.data {
        if !rng.one_in(2) {
            continue;
        }
        let mut cases = BTreeMap::new();
        for value in low..=high {
            if !rng.one_in(4) {
                cases.insert(value, rule(rng, shape, depth, variable, low, high));
            }
        }
        let otherwise = if rng.one_in(2) { Rule::Drop } else { Rule::Keep(Next::This) };
        rules.data.insert(variable, (cases, otherwise));
    }
    for (variable, label) in &variables.sets {
        if !rng.one_in(2) {
            continue;
        }
        let mut moves: Vec<(Term, Next)> =
            (0..=rng.below(2)).map(|_| (bounded(rng, label, depth.min(1)), next(rng, shape, depth))).collect();
        if rng.one_in(3) {
            // What happens depends on the label.
            let condition = selector(rng, label, 1);
            let other = Term::Not(Box::new(condition.clone()));
            moves = vec![(condition, next(rng, shape, depth)), (other, next(rng, shape, depth))];
        }
        let rule = match rng.below(6) {
            0 => LabelRule::Drop,
            1 => LabelRule::Keep(next(rng, shape, depth)),
            2 => LabelRule::Whole(moves),
            _ => LabelRule::Move(moves),
        };
        rules.sets.insert(*variable, rule);
    }
    Term::Inductive(Arc::new(rules))
}

fn next(rng: &mut Rng, shape: &Rc<Shape>, depth: usize) -> Next {
    match rng.below(4) {
        0 => Next::Term(Term::Id),
        1 => Next::Term(bounded(rng, shape, depth)),
        _ => Next::This,
    }
}

fn rule(rng: &mut Rng, shape: &Rc<Shape>, depth: usize, variable: u32, low: i32, high: i32) -> Rule {
    match rng.below(8) {
        0 => Rule::Drop,
        1 | 2 => Rule::Keep(next(rng, shape, depth)),
        3 => Rule::Before(super::state::flat(&[(variable, rng.range(low, high))]), next(rng, shape, depth)),
        4 => {
            let before = Term::Prepend(Set::from([
                super::state::flat(&[(variable, rng.range(low, high))]),
                super::state::flat(&[(variable, rng.range(low, high))]),
            ]));
            Rule::Whole(Term::compose(before, bounded(rng, shape, depth.min(1))))
        }
        _ => Rule::Move((0..=rng.below(3)).map(|_| (rng.range(low, high), next(rng, shape, depth))).collect()),
    }
}

/// Any homomorphism, also one that changes the shape.
pub fn any_term(rng: &mut Rng, shape: &Rc<Shape>, depth: usize) -> Term {
    if depth == 0 || rng.one_in(3) {
        return bounded(rng, shape, depth);
    }
    let down = |rng: &mut Rng| any_term(rng, shape, depth - 1);
    match rng.below(9) {
        0 => Term::Sum(vec![down(rng), down(rng)]),
        1 => Term::compose(down(rng), down(rng)),
        2 => Term::Sequence(vec![down(rng), down(rng), down(rng)]),
        3 => {
            let before = Shape::random(rng, 2, 1).set(rng, 2);
            Term::compose(Term::Prepend(before), down(rng))
        }
        4 => {
            let after = Shape::random(rng, 2, 1).set(rng, 2);
            Term::compose(Term::Append(after), down(rng))
        }
        5 => {
            let before = Term::Prepend(Shape::flat(&[data_variable(rng.below(4) as u32)], 0, 1).set(rng, 2));
            Term::compose(down(rng), before)
        }
        6 => {
            let after = Term::Append(Shape::flat(&[data_variable(rng.below(4) as u32)], 0, 1).set(rng, 2));
            Term::compose(down(rng), after)
        }
        7 => {
            let (then, otherwise) = (down(rng), down(rng));
            Term::If(Box::new(selector(rng, shape, 2)), Box::new(then), Box::new(otherwise))
        }
        _ => {
            // An inductive one that loses assignments, or moves them down.
            let variables = shape.variables();
            let Some(&(variable, low, high)) = variables.data.first() else { return bounded(rng, shape, depth) };
            let mut cases = BTreeMap::new();
            for value in low..=high {
                let rule = match rng.below(4) {
                    0 => Rule::Whole(down(rng)),
                    1 => Rule::Down,
                    2 => Rule::Before(shape.state(rng), Next::Term(Term::Id)),
                    _ => Rule::Keep(Next::This),
                };
                cases.insert(value, rule);
            }
            let one = Shape::random(rng, 2, 0).set(rng, 2);
            let data = BTreeMap::from([(variable, (cases, Rule::Drop))]);
            Term::Inductive(Arc::new(Rules { data, sets: BTreeMap::new(), one, is_selector: false }))
        }
    }
}
