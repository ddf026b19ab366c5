//! Symbolic markings of random coloured nets, against the orbits of their markings by brute force: as many symbolic markings
//! as orbits, which stand for as many markings as there are, and give the same answers.

#[path = "../../model/tests/common/random_coloured.rs"]
mod random_coloured;

use crate::common::random::factor;
use mandala_analysis::coloured::partition::{Initial, Partition, Source, Symmetry};
use mandala_check::explicit::{Ended, Outcome, explore, ltl};
use mandala_check::limits::{Limits, Progress};
use mandala_check::run::FiniteRuns;
use mandala_group::UBig;
use mandala_model::coloured::property::{Atom, ColouredNets, Count, Firing};
use mandala_model::coloured::semantics::{Marking, Semantics};
use mandala_model::coloured::{
    Bag, BagExpression, ClassOrder, ColouredNet, Element, Guard, Sort, Term, Token, Tokens, Transition, Value,
};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::{BinaryOperator, Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::TransitionSystem;
use mandala_symbolic::marking::SymbolicNet;
use random_coloured::{Bags, Random};
use std::collections::{BTreeMap, BTreeSet};

const MOST: u64 = 200;

fn limits() -> Limits {
    Limits { states: Some(MOST), ..Limits::default() }
}

/// A net in which less is told apart: most colours that it names become variables, or all colours.
fn symmetrised(mut net: ColouredNet, random: &mut Random) -> ColouredNet {
    for class in &mut net.classes {
        if random.percent(60) {
            class.order = ClassOrder::Unordered;
        }
    }
    for place in &mut net.places {
        blur_tokens(&mut place.initial, &[], random);
    }
    for transition in &mut net.transitions {
        let Transition { variables, guard, takes, puts, inhibitors, .. } = transition;
        let sorts: Vec<Sort> = variables.iter().map(|variable| variable.sort).collect();
        if random.percent(50) {
            *guard = Guard::Constant(true);
        }
        blur_guard(guard, &sorts, random);
        for arc in takes.iter_mut().chain(puts).chain(inhibitors) {
            blur_tokens(&mut arc.tokens, &sorts, random);
        }
    }
    net
}

fn variable_of(class: u32, sorts: &[Sort], random: &mut Random) -> Option<u32> {
    let all: Vec<u32> = (0..).zip(sorts).filter(|(_, sort)| **sort == Sort::Colour(class)).map(|one| one.0).collect();
    (!all.is_empty()).then(|| random.choose(&all))
}

fn blur_term(term: &mut Term, sorts: &[Sort], random: &mut Random) {
    match term {
        Term::Constant { class, .. } if random.percent(85) => {
            if let Some(variable) = variable_of(*class, sorts, random) {
                *term = Term::Variable(variable);
            }
        }
        Term::Shift(inner, _) => {
            blur_term(inner, sorts, random);
            if random.percent(60) {
                *term = (**inner).clone();
            }
        }
        _ => {}
    }
}

fn blur_bag(bag: &mut BagExpression, sorts: &[Sort], random: &mut Random) {
    match bag {
        BagExpression::One(term) => {
            blur_term(term, sorts, random);
            if let (Term::Constant { class, .. }, true) = (&*term, random.percent(70)) {
                *bag = BagExpression::All(mandala_model::coloured::Colours { class: *class, subclass: None });
            }
        }
        BagExpression::All(set) => {
            if random.percent(80) {
                set.subclass = None;
            }
        }
        BagExpression::Variable(_) => {}
        BagExpression::Sum(parts) => parts.iter_mut().for_each(|part| blur_bag(part, sorts, random)),
        BagExpression::Difference(from, taken) => {
            blur_bag(from, sorts, random);
            blur_bag(taken, sorts, random);
        }
        BagExpression::Times(_, inner) => blur_bag(inner, sorts, random),
    }
}

fn blur_tokens(tokens: &mut Tokens, sorts: &[Sort], random: &mut Random) {
    match tokens {
        Tokens::Tuple(elements) => {
            elements.iter_mut().for_each(|(Element::Each(bag) | Element::Whole(bag))| blur_bag(bag, sorts, random));
        }
        Tokens::Sum(parts) => parts.iter_mut().for_each(|part| blur_tokens(part, sorts, random)),
        Tokens::Difference(from, taken) => {
            blur_tokens(from, sorts, random);
            blur_tokens(taken, sorts, random);
        }
        Tokens::Times(_, inner) => blur_tokens(inner, sorts, random),
        Tokens::When(guard, inner) => {
            blur_guard(guard, sorts, random);
            blur_tokens(inner, sorts, random);
        }
    }
}

fn blur_guard(guard: &mut Guard, sorts: &[Sort], random: &mut Random) {
    match guard {
        Guard::Compare(comparison, left, right) => {
            blur_term(left, sorts, random);
            blur_term(right, sorts, random);
            if random.percent(70) {
                *comparison = random.choose(&[Comparison::Equal, Comparison::NotEqual]);
            }
        }
        Guard::Member(..) if random.percent(70) => *guard = Guard::Constant(true),
        Guard::Included(left, right) | Guard::SameBag(left, right) => {
            blur_bag(left, sorts, random);
            blur_bag(right, sorts, random);
        }
        Guard::Not(inner) => blur_guard(inner, sorts, random),
        Guard::And(parts) | Guard::Or(parts) => parts.iter_mut().for_each(|part| blur_guard(part, sorts, random)),
        Guard::Constant(_) | Guard::Member(..) | Guard::Cardinality(..) => {}
    }
}

/// Permutations of the colours of a class that generate its symmetries.
fn generators(net: &ColouredNet, partition: &Partition) -> Vec<(u32, BTreeMap<u32, u32>)> {
    let mut found = Vec::new();
    for (index, class) in (0..).zip(&partition.classes) {
        match class.symmetry {
            Symmetry::None => {}
            Symmetry::Turned => {
                let length = net.classes[index as usize].len();
                found.push((index, (0..length).map(|colour| (colour, (colour + 1) % length)).collect()));
            }
            Symmetry::Exchanged => {
                for cell in &class.cells {
                    let colours: Vec<u32> = cell.iter().flat_map(|&(first, end)| first..end).collect();
                    for pair in colours.windows(2) {
                        found.push((index, [(pair[0], pair[1]), (pair[1], pair[0])].into()));
                    }
                }
            }
        }
    }
    found
}

fn image(net: &ColouredNet, marking: &Marking, class: u32, map: &BTreeMap<u32, u32>) -> Marking {
    let go = |colour: u32| map.get(&colour).copied().unwrap_or(colour);
    let mut image = Marking::empty(net);
    for ((place, tokens), into) in net.places.iter().zip(&marking.places).zip(&mut image.places) {
        for (token, times) in tokens.iter() {
            let moved: Token = place
                .domain
                .iter()
                .zip(&token)
                .map(|(sort, value)| match value {
                    value if sort.class() != class => value.clone(),
                    Value::Colour(colour) => Value::Colour(go(*colour)),
                    Value::Bag(bag) => {
                        let mut moved = Bag::new();
                        bag.iter().for_each(|(colour, times)| moved.add(go(colour), times).unwrap());
                        Value::Bag(moved)
                    }
                })
                .collect();
            into.add(moved, times).unwrap();
        }
    }
    image
}

/// All reachable markings, unless there are too many or something goes wrong.
fn reachable(net: &ColouredNet) -> Option<BTreeSet<Marking>> {
    let semantics = Semantics::new(net).ok()?;
    let first = semantics.initial_marking().ok()?;
    let mut found = BTreeSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(marking) = open.pop() {
        for (_, after) in semantics.steps(&marking).ok()? {
            if found.insert(after.clone()) {
                open.push(after);
                if found.len() as u64 > MOST {
                    return None;
                }
            }
        }
    }
    Some(found)
}

fn orbits(net: &ColouredNet, all: &BTreeSet<Marking>, generators: &[(u32, BTreeMap<u32, u32>)]) -> usize {
    let mut seen: BTreeSet<&Marking> = BTreeSet::new();
    let mut count = 0;
    for marking in all {
        if !seen.insert(marking) {
            continue;
        }
        count += 1;
        let mut open = vec![marking];
        while let Some(marking) = open.pop() {
            for (class, map) in generators {
                let moved = image(net, marking, *class, map);
                let moved = all.get(&moved).expect("what is reachable is symmetric");
                if seen.insert(moved) {
                    open.push(moved);
                }
            }
        }
    }
    count
}

/// The symbolic markings that are reachable.
fn symbolic_states(net: &SymbolicNet<'_>) -> Vec<Vec<i32>> {
    let mut states = net.initial_states().unwrap();
    let mut known: BTreeSet<Vec<i32>> = states.iter().cloned().collect();
    let mut at = 0;
    while at < states.len() {
        for step in net.successors(&states[at]).unwrap() {
            if known.insert(step.state.clone()) {
                states.push(step.state);
            }
        }
        at += 1;
    }
    states
}

/// Compares with brute force: how many markings and symbolic markings there are, if that can be found out.
fn compare(net: &ColouredNet, source: Source) -> Option<(usize, usize)> {
    let all = reachable(net)?;
    let symbolic = SymbolicNet::new(net, source, Initial::Matters, &[]).unwrap_or_else(|error| panic!("{error}"));
    let expected = orbits(net, &all, &generators(net, symbolic.partition()));
    let states = symbolic_states(&symbolic);
    let sum = states.iter().fold(UBig::ZERO, |sum, state| sum + symbolic.represented(state).unwrap());
    assert_eq!((states.len(), sum), (expected, UBig::from(all.len())), "{net:?}");
    Some((all.len(), states.len()))
}

#[test]
fn as_many_as_orbits() {
    let (mut compared, mut smaller) = (0, 0);
    for seed in 0..600 * factor() {
        let bags = if seed % 2 == 0 { Bags::Without } else { Bags::With };
        let mut random = Random::new(seed + 77);
        let mut net = random_coloured::net(seed, bags);
        if seed % 5 != 0 {
            net = symmetrised(net, &mut random);
        }
        let source = if seed % 7 == 0 { Source::Declared } else { Source::Found };
        if let Some((all, symbolic)) = compare(&net, source) {
            compared += 1;
            smaller += usize::from(symbolic < all);
        }
    }
    assert!(compared > 300 && smaller > 15, "{compared} {smaller}");
}

fn value(random: &mut Random, net: &ColouredNet, sort: Sort) -> Option<Value> {
    let class = net.classes[sort.class() as usize].len() as usize;
    if random.percent(40) || class == 0 {
        return None;
    }
    Some(match sort {
        Sort::Colour(_) => Value::Colour(random.below(class) as u32),
        Sort::Bag(_) => Value::Bag((0..random.below(3)).map(|_| random.below(class) as u32).collect()),
    })
}

fn atom(random: &mut Random, net: &ColouredNet, colours: usize) -> Formula<Atom> {
    if random.percent(40) {
        let transition = random.below(net.transitions.len()) as u32;
        let variables = &net.transitions[transition as usize].variables;
        let pattern = match random.percent(colours) {
            true => variables.iter().map(|variable| value(random, net, variable.sort)).collect(),
            false => Vec::new(),
        };
        return Formula::Atom(Atom::Fireable(vec![Firing { transition, pattern }]));
    }
    let count = |random: &mut Random| {
        let place = random.below(net.places.len());
        let pattern = match random.percent(colours) {
            true => net.places[place].domain.iter().map(|&sort| value(random, net, sort)).collect(),
            false => Vec::new(),
        };
        Integer::Variable(Count { place: place as u32, pattern })
    };
    let sum = Integer::Sum(vec![count(random), count(random)]);
    Formula::Atom(Atom::Compare(Comparison::Greater, sum, Integer::Constant(random.between(0, 3) as i32)))
}

fn questions(random: &mut Random, net: &ColouredNet, colours: usize) -> Vec<Question<ColouredNets>> {
    let finally = |quantifier, inner| Formula::Unary(quantifier, UnaryOperator::Finally, Box::new(inner));
    let (one, other) = (Box::new(atom(random, net, colours)), Box::new(atom(random, net, colours)));
    let Formula::Atom(Atom::Compare(_, quantity, _)) = (0..50)
        .map(|_| atom(random, net, colours))
        .find(|atom| matches!(atom, Formula::Atom(Atom::Compare(..))))
        .unwrap()
    else {
        unreachable!()
    };
    let transitions = 0..net.transitions.len() as u32;
    vec![
        Question::Reachable(atom(random, net, colours)),
        Question::Invariant(atom(random, net, colours)),
        Question::Bounds(quantity),
        Question::Ctl(finally(Quantifier::All, atom(random, net, colours))),
        Question::Ctl(Formula::Binary(Quantifier::Exists, BinaryOperator::Until, one, other)),
        Question::Live(transitions.map(|transition| vec![Firing { transition, pattern: Vec::new() }]).collect()),
        Question::Reachable(Formula::Deadlock),
    ]
}

fn answers<T: TransitionSystem<Formalism = ColouredNets>>(
    system: &T, questions: &[Question<ColouredNets>],
) -> Option<Outcome<ColouredNets>> {
    let outcome = explore(system, questions, &limits(), &Progress::default());
    (outcome.ended == Ended::Complete).then_some(outcome)
}

#[test]
fn the_same_answers() {
    let mut compared = 0;
    for seed in 0..200 * factor() {
        let bags = if seed % 2 == 0 { Bags::Without } else { Bags::With };
        let mut random = Random::new(seed + 99_000);
        let net = symmetrised(random_coloured::net(seed + 50_000, bags), &mut random);
        let Ok(explicit) = Semantics::new(&net) else { continue };
        let colours = if seed % 3 == 0 { 50 } else { 0 };
        for question in questions(&mut random, &net, colours) {
            let Some(expected) = answers(&explicit, std::slice::from_ref(&question)) else { break };
            let symbolic = SymbolicNet::new(&net, Source::Found, Initial::Ignored, &[&question]).unwrap();
            let found = answers(&symbolic, std::slice::from_ref(&question)).expect("no more than markings");
            assert_eq!(found.answers[0].verdict, expected.answers[0].verdict, "{question:?} {net:?}");
            assert_eq!(found.deadlocks > 0, expected.deadlocks > 0);
            assert_eq!(found.most_in_place, expected.most_in_place);
            assert_eq!(found.most_in_marking, expected.most_in_marking);
            compared += 1;
        }
        let formula = Formula::Binary(
            Quantifier::None,
            BinaryOperator::Until,
            Box::new(atom(&mut random, &net, colours)),
            Box::new(Formula::Unary(
                Quantifier::None,
                UnaryOperator::Globally,
                Box::new(atom(&mut random, &net, colours)),
            )),
        );
        let question = Question::Ltl(formula.clone());
        let symbolic = SymbolicNet::new(&net, Source::Found, Initial::Ignored, &[&question]).unwrap();
        let verdict = |outcome: ltl::Checked<ColouredNets>| outcome.answer.verdict;
        let runs = FiniteRuns::Stutter;
        let expected = verdict(ltl::check(&explicit, &formula, runs, &limits(), &Progress::default()));
        if expected.holds().is_some() {
            let found = verdict(ltl::check(&symbolic, &formula, runs, &limits(), &Progress::default()));
            assert_eq!(found, expected, "{formula:?} {net:?}");
        }
    }
    assert!(compared > 600, "{compared}");
}
