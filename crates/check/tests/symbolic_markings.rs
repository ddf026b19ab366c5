//! Symbolic markings of random coloured nets, against the orbits of their markings by brute force: as many symbolic markings
//! as orbits, which stand for as many markings as there are, and give the same answers.

use crate::common::random::factor;
use crate::common::random_coloured::{self, Bags, Random};
use mandala_analysis::coloured::partition::{Initial, Partition, Source, Symmetry};
use mandala_check::explicit::{Ended, Outcome, explore, ltl};
use mandala_check::limits::{Limits, Progress};
use mandala_check::run::FiniteRuns;
use mandala_group::UBig;
use mandala_model::coloured::property::{Atom, ColouredNets, Count, Firing};
use mandala_model::coloured::semantics::{Marking, Semantics};
use mandala_model::coloured::{
    Arc, Bag, BagExpression, Cardinality, Class, ClassOrder, ColouredNet, Colours, Element, Guard, Names, Place, Sort,
    Subclass, Term, Token, Tokens, Transition, Value, Variable,
};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::{BinaryOperator, Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::TransitionSystem;
use mandala_symbolic::marking::SymbolicNet;
use std::collections::{BTreeMap, BTreeSet};

const MOST: u64 = 200;

pub(crate) fn limits() -> Limits {
    Limits { states: Some(MOST), ..Limits::default() }
}

/// A net in which less is told apart: most colours that it names become variables, or all colours.
pub(crate) fn symmetrised(mut net: ColouredNet, random: &mut Random) -> ColouredNet {
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
                *bag = BagExpression::All(Colours { class: *class, subclass: None });
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

/// A net that tells little apart: two classes, places over C, D, C x C, C x D and C x bag D, and transitions that take and put
/// equally many tokens.
fn symmetric_net(random: &mut Random) -> ColouredNet {
    symmetric_net_of(random, (2, 4), (2, 3))
}

/// The same, with so many colours in its classes.
pub(crate) fn symmetric_net_of(random: &mut Random, c: (u32, u32), d: (u32, u32)) -> ColouredNet {
    let class = |name: &str, count: u32, order| Class {
        name: name.to_owned(),
        names: Names::Numbered { prefix: name.to_lowercase(), first: 1, count },
        order,
        subclasses: vec![
            Subclass::new(format!("{name}0"), vec![0]),
            Subclass::new(format!("{name}1"), (1..count).collect()),
        ],
    };
    let order =
        random.choose(&[ClassOrder::Unordered, ClassOrder::Unordered, ClassOrder::Circular, ClassOrder::Linear]);
    let classes =
        vec![class("C", random.between(c.0, c.1), ClassOrder::Unordered), class("D", random.between(d.0, d.1), order)];
    let (c, d, b) = (Sort::Colour(0), Sort::Colour(1), Sort::Bag(1));
    let domains = [vec![c], vec![c], vec![d], vec![c, c], vec![c, d], vec![c, b]];
    let all = |class| BagExpression::All(Colours { class, subclass: None });
    let places = domains.iter().enumerate().map(|(number, domain)| {
        let each = domain.iter().map(|sort| match sort {
            Sort::Colour(class) => Element::Each(all(*class)),
            Sort::Bag(_) => Element::Whole(BagExpression::Sum(Vec::new())),
        });
        let initial = match (domain.len(), random.percent(if number == 0 { 90 } else { 35 })) {
            (_, false) => Tokens::none(),
            (1, true) if random.percent(25) => {
                let one = Term::Constant { class: domain[0].class(), colour: random.below(2) as u32 };
                Tokens::Tuple(vec![Element::Each(BagExpression::One(one))])
            }
            (_, true) => Tokens::Tuple(each.collect()),
        };
        Place { name: format!("p{number}"), domain: domain.clone(), initial }
    });
    let places: Vec<Place> = places.collect();
    let variable = |name: &str, sort, unique| Variable { name: name.to_owned(), sort, unique };
    let variables =
        vec![variable("x", c, false), variable("y", c, false), variable("d", d, false), variable("B", b, true)];
    let transition = |random: &mut Random, number: usize| {
        // Without the bag there is no variable for it.
        let with_bag = random.percent(40);
        let choice = |random: &mut Random| if with_bag { random.below(6) } else { random.below(5) };
        let is_spread = random.percent(15);
        let tokens = |random: &mut Random, place: usize| {
            let element = |(at, sort): (usize, &Sort)| match sort {
                Sort::Bag(_) => Element::Whole(BagExpression::Variable(3)),
                Sort::Colour(0) => {
                    let one = BagExpression::One(Term::Variable(random.below(2) as u32));
                    Element::Each(match at {
                        1 if is_spread => BagExpression::Difference(Box::new(all(0)), Box::new(one)),
                        _ => one,
                    })
                }
                Sort::Colour(_) => {
                    let term = Term::Variable(2);
                    let steps = random.choose(&[0, 0, 0, 1, -1]);
                    let may_step = order != ClassOrder::Unordered;
                    Element::Each(BagExpression::One(if may_step { term.shifted(steps) } else { term }))
                }
            };
            Tokens::Tuple(domains[place].iter().enumerate().map(element).collect())
        };
        let mut used = Vec::new();
        let mut arcs = |random: &mut Random, count: usize| {
            let mut found: Vec<Arc> = Vec::new();
            for _ in 0..count {
                let place = choice(random);
                if !found.iter().any(|arc| arc.place as usize == place) {
                    found.push(Arc { place: place as u32, tokens: tokens(random, place) });
                    used.push(place);
                }
            }
            found
        };
        let count = random.between(1, 2) as usize;
        let takes = arcs(random, count);
        let mut puts = arcs(random, takes.len());
        puts.truncate(takes.len());
        let inhibitors = if random.percent(20) { arcs(random, 1) } else { Vec::new() };
        let compare = |comparison| Guard::Compare(comparison, Term::Variable(0), Term::Variable(1));
        let mut guard = match random.below(8) {
            0 | 1 => compare(Comparison::NotEqual),
            2 => compare(Comparison::Equal),
            3 => Guard::Member(Term::Variable(0), Colours { class: 0, subclass: Some(1) }),
            _ => Guard::Constant(true),
        };
        if with_bag {
            let size = Cardinality::Of(BagExpression::Variable(3));
            let small = Guard::Cardinality(Comparison::LessOrEqual, size, Cardinality::Constant(1));
            guard = Guard::And(vec![guard, small]);
        }
        let variables = if with_bag { variables.clone() } else { variables[..3].to_vec() };
        Transition { name: format!("t{number}"), variables, guard, takes, puts, inhibitors, priority: 0 }
    };
    let transitions = (0..random.between(1, 3) as usize).map(|number| transition(random, number)).collect();
    ColouredNet { name: "symmetric".to_owned(), classes, places, transitions }
}

#[test]
fn as_many_as_orbits_of_symmetric_nets() {
    let (mut compared, mut smaller, mut most) = (0, 0, 0);
    for seed in 0..700 * factor() {
        let net = symmetric_net(&mut Random::new(seed + 400_000));
        let source = if seed % 7 == 0 { Source::Declared } else { Source::Found };
        if let Some((all, symbolic)) = compare(&net, source) {
            compared += 1;
            smaller += usize::from(symbolic < all);
            most = most.max(symbolic);
        }
    }
    assert!(compared > 350 && smaller > 150 && most > 20, "{compared} {smaller} {most}");
}

/// Permutations of the colours of a class that generate its symmetries.
pub(crate) fn generators(net: &ColouredNet, partition: &Partition) -> Vec<(u32, BTreeMap<u32, u32>)> {
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
pub(crate) fn reachable(net: &ColouredNet) -> Option<BTreeSet<Marking>> {
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

pub(crate) fn orbits(net: &ColouredNet, all: &BTreeSet<Marking>, generators: &[(u32, BTreeMap<u32, u32>)]) -> usize {
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

/// Follows runs of the quotient at random, with colours: each step must be one of the net.
fn runs_with_colours(net: &ColouredNet, symbolic: &SymbolicNet<'_>, random: &mut Random) -> usize {
    let semantics = Semantics::new(net).unwrap();
    let mut marking = semantics.initial_marking().unwrap();
    let mut state = symbolic.initial_states().unwrap().remove(0);
    let mut run = symbolic.lift().unwrap();
    for steps in 0..12 {
        let after = symbolic.successors(&state).unwrap();
        if after.is_empty() {
            return steps;
        }
        let step = &after[random.below(after.len())];
        let event = run.step(step.event.transition, &step.state).expect("a firing");
        marking = semantics.after_event(&marking, &event).unwrap().unwrap_or_else(|| panic!("{event:?} {net:?}"));
        state = step.state.clone();
    }
    12
}

#[test]
fn runs_have_colours() {
    let mut steps = 0;
    for seed in 0..200 * factor() {
        let mut random = Random::new(seed + 900_000);
        let net = match seed % 2 {
            0 => symmetric_net(&mut random),
            _ => symmetrised(random_coloured::net(seed, Bags::With), &mut random),
        };
        if reachable(&net).is_none() {
            continue;
        }
        let symbolic = SymbolicNet::new(&net, Source::Found, Initial::Ignored, &[]).unwrap();
        steps += runs_with_colours(&net, &symbolic, &mut random);
    }
    assert!(steps > 300, "{steps}");
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

pub(crate) fn atom(random: &mut Random, net: &ColouredNet, colours: usize) -> Formula<Atom> {
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

pub(crate) fn questions(random: &mut Random, net: &ColouredNet, colours: usize) -> Vec<Question<ColouredNets>> {
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
        let net = match seed % 4 {
            0 | 1 => symmetric_net(&mut random),
            _ => symmetrised(random_coloured::net(seed + 50_000, bags), &mut random),
        };
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
