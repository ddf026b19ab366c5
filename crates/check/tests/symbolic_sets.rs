//! Symbolic markings in sets, against those that are found one by one: on random nets with classes that are large enough for
//! dynamic subclasses to be free, on the models of the papers, and where only sets come to an end.

use crate::common::random::factor;
use crate::common::random_coloured::{self, Bags, Random};
use crate::symbolic_markings::{questions, symmetric_net_of, symmetrised};
use crate::symbolic_papers::{model, sale_store};
use mandala_analysis::coloured::partition::{Initial, Source};
use mandala_check::explicit::{self, Ended};
use mandala_check::limits::{Limits, Progress};
use mandala_check::{markings, sets};
use mandala_diagram::{Error, Store};
use mandala_group::UBig;
use mandala_model::coloured::property::{Atom, ColouredNets, Count};
use mandala_model::coloured::{
    Arc, BagExpression, Class, ClassOrder, ColouredNet, Colours, Element, Guard, Names, Place, Sort, Term, Tokens,
    Transition, Variable, sn,
};
use mandala_model::expression::{BinaryOperator, Comparison, Integer, UnaryOperator};
use mandala_model::property::{Formula, Question};
use mandala_symbolic::marking::sets::{Found, Stopped};
use mandala_symbolic::marking::{SymbolicNet, sets as engine};

fn numbers(found: &Found) -> (Option<u64>, Option<u64>, Option<u64>, Option<UBig>) {
    let ordinary = found.ordinary.as_ref().and_then(|count| count.exact().cloned());
    (found.markings.to_u64(), found.firings.to_u64(), found.deadlocks.to_u64(), ordinary)
}

/// Compares the engines: markings and shapes, if there are not too many to list them and the sets do not refuse.
fn compare(net: &ColouredNet, source: Source, collect: bool) -> Option<(u64, usize)> {
    let symbolic = SymbolicNet::new(net, source, Initial::Matters, &[]).ok()?;
    let limits = Limits { states: Some(300), ..Limits::default() };
    let listed = markings::count(&symbolic, 1, &limits, &Progress::default());
    if listed.ended != Ended::Complete {
        return None;
    }
    let mut store = Store::new();
    if collect && listed.markings < 60 {
        store.collect_at_every(1);
    }
    let found = match engine::explore(&symbolic, &mut store, &|_, _| Ok(())) {
        Ok(found) => found,
        Err(Stopped::Refused(_)) => return None,
        Err(stopped) => panic!("{stopped:?} {net:?}"),
    };
    let ordinary = listed.ordinary.and_then(|count| count.exact().cloned());
    let expected = (Some(listed.markings), Some(listed.firings), Some(listed.deadlocks), ordinary);
    assert_eq!(numbers(&found), expected, "{net:?}");
    Some((listed.markings, found.shapes))
}

/// A net whose colours move between places, one or two at a time, some only where others are empty, and pairs of colours too.
fn moving_net(random: &mut Random) -> ColouredNet {
    moving_net_of(random, (6, 22))
}

/// The same, with so many colours.
pub(crate) fn moving_net_of(random: &mut Random, (least, most): (u32, u32)) -> ColouredNet {
    let count = random.between(least, most);
    let names = Names::Numbered { prefix: "c".to_owned(), first: 1, count };
    let classes = vec![Class { name: "C".to_owned(), names, order: ClassOrder::Unordered, subclasses: Vec::new() }];
    let all = || BagExpression::All(Colours { class: 0, subclass: None });
    let one = |variable| BagExpression::One(Term::Variable(variable));
    let tuple = |parts: Vec<BagExpression>| Tokens::Tuple(parts.into_iter().map(Element::Each).collect());
    let mut places: Vec<Place> = (0..4)
        .map(|number| {
            let initial = if number == 0 { tuple(vec![all()]) } else { Tokens::none() };
            Place { name: format!("p{number}"), domain: vec![Sort::Colour(0)], initial }
        })
        .collect();
    for number in 4..6 {
        let initial = if number == 4 && random.percent(30) { tuple(vec![all(), all()]) } else { Tokens::none() };
        places.push(Place { name: format!("p{number}"), domain: vec![Sort::Colour(0); 2], initial });
    }
    places.push(Place { name: "lock".to_owned(), domain: Vec::new(), initial: Tokens::Tuple(Vec::new()) });
    let arc = |place: usize, tokens: Tokens| Arc { place: place as u32, tokens };
    let transition = |random: &mut Random, number: usize| {
        let from = random.below(4);
        let (mut takes, mut puts) = (vec![arc(from, tuple(vec![one(0)]))], Vec::new());
        puts.push(arc((from + random.between(1, 3) as usize) % 4, tuple(vec![one(0)])));
        if random.percent(35) {
            let other = (from + random.between(1, 3) as usize) % 4;
            takes.push(arc(other, tuple(vec![one(1)])));
            let to = (other + random.between(0, 3) as usize) % 4;
            match puts.iter_mut().find(|arc| arc.place as usize == to) {
                Some(arc) => arc.tokens = Tokens::Sum(vec![arc.tokens.clone(), tuple(vec![one(1)])]),
                None => puts.push(arc(to, tuple(vec![one(1)]))),
            }
        }
        if random.percent(35) {
            let (here, there) = if random.percent(50) { (4, 5) } else { (5, 4) };
            let others = BagExpression::Difference(Box::new(all()), Box::new(one(0)));
            let second = if random.percent(50) { one(1) } else { others };
            let pair = tuple(vec![one(0), second]);
            if random.percent(80) {
                takes.push(arc(here, pair.clone()));
            }
            puts.push(arc(there, pair));
        }
        if random.percent(20) {
            if random.percent(50) { &mut takes } else { &mut puts }.push(arc(6, Tokens::Tuple(Vec::new())));
        }
        let mut inhibitors = Vec::new();
        if random.percent(40) {
            inhibitors.push(arc(random.below(4), tuple(vec![if random.percent(60) { all() } else { one(0) }])));
        }
        let guard = match random.below(3) {
            0 => Guard::Compare(Comparison::NotEqual, Term::Variable(0), Term::Variable(1)),
            _ => Guard::Constant(true),
        };
        let variable = |name: &str| Variable { name: name.to_owned(), sort: Sort::Colour(0), unique: false };
        let (variables, priority) = (vec![variable("x"), variable("y")], u32::from(random.percent(10)));
        Transition { name: format!("t{number}"), variables, guard, takes, puts, inhibitors, priority }
    };
    let transitions = (0..random.between(3, 6) as usize).map(|number| transition(random, number)).collect();
    ColouredNet { name: "moving".to_owned(), classes, places, transitions }
}

#[test]
fn as_many_as_one_by_one() {
    let (mut compared, mut fewer, mut most) = (0, 0, 0);
    for seed in 0..150 * factor() {
        let net = moving_net(&mut Random::new(seed + 5_000_000));
        if let Some((markings, shapes)) = compare(&net, Source::Found, seed % 10 == 0) {
            compared += 1;
            fewer += usize::from((shapes as u64) < markings);
            most = most.max(markings);
        }
    }
    assert!(compared > 75 && fewer > 20 && most > 100, "{compared} {fewer} {most}");
}

#[test]
fn as_many_as_one_by_one_with_bags() {
    let (mut compared, mut fewer) = (0, 0);
    for seed in 0..120 * factor() {
        let mut random = Random::new(seed + 3_000_000);
        let net = symmetric_net_of(&mut random, (2, 12), (2, 9));
        let source = if seed % 7 == 0 { Source::Declared } else { Source::Found };
        if let Some((markings, shapes)) = compare(&net, source, seed % 40 == 0) {
            compared += 1;
            fewer += usize::from((shapes as u64) < markings);
        }
    }
    assert!(compared > 60 && fewer > 3, "{compared} {fewer}");
}

#[test]
fn as_many_as_one_by_one_in_any_net() {
    let mut compared = 0;
    for seed in 0..300 * factor() {
        let bags = if seed % 2 == 0 { Bags::Without } else { Bags::With };
        let mut random = Random::new(seed + 4_000_000);
        let net = symmetrised(random_coloured::net(seed + 70_000, bags), &mut random);
        compared += usize::from(compare(&net, Source::Found, false).is_some());
    }
    assert!(compared > 100, "{compared}");
}

/// What a set of markings says of one expression after the other: sums, differences and products of numbers of tokens.
fn quantity(random: &mut Random, net: &ColouredNet) -> Integer<Count> {
    let tokens = |random: &mut Random| {
        Integer::Variable(Count { place: random.below(net.places.len()) as u32, pattern: Vec::new() })
    };
    match random.below(5) {
        0 => tokens(random),
        1 => Integer::Sum(vec![tokens(random), tokens(random)]),
        2 => {
            let less = Integer::Unary(UnaryOperator::Minus, Box::new(tokens(random)));
            Integer::Sum(vec![tokens(random), less])
        }
        3 => Integer::Binary(BinaryOperator::Multiply, Box::new(tokens(random)), Box::new(tokens(random))),
        // Sets do not know what becomes of it: it is asked of single markings.
        _ => Integer::Binary(
            BinaryOperator::Remainder,
            Box::new(tokens(random)),
            Box::new(Integer::Constant(random.between(2, 4) as i32)),
        ),
    }
}

fn condition(random: &mut Random, net: &ColouredNet, depth: usize) -> Formula<Atom> {
    let two = |random: &mut Random| vec![condition(random, net, depth - 1), condition(random, net, depth - 1)];
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0..3 => {
            let comparisons = [
                Comparison::Less,
                Comparison::LessOrEqual,
                Comparison::Greater,
                Comparison::GreaterOrEqual,
                Comparison::Equal,
                Comparison::NotEqual,
            ];
            let right = match random.percent(60) {
                true => Integer::Constant(random.between(0, 20) as i32),
                false => quantity(random, net),
            };
            Formula::Atom(Atom::Compare(random.choose(&comparisons), quantity(random, net), right))
        }
        3 => Formula::And(two(random)),
        4 => Formula::Or(two(random)),
        _ => Formula::Not(Box::new(condition(random, net, depth - 1))),
    }
}

/// Questions about single markings have the same answers in sets as one by one.
fn same_answers(net: &ColouredNet, asked: &[Question<ColouredNets>]) -> usize {
    let mut compared = 0;
    for question in asked.iter().filter(|question| engine::is_about_markings(question)) {
        let Ok(symbolic) = SymbolicNet::new(net, Source::Found, Initial::Ignored, &[question]) else { continue };
        let limits = Limits { states: Some(1_000), ..Limits::default() };
        let listed = explicit::explore(&symbolic, std::slice::from_ref(question), &limits, &Progress::default());
        if listed.ended != Ended::Complete {
            return compared;
        }
        match sets::answer(&symbolic, &[question], &Limits::default()) {
            Ok((verdicts, markings)) => {
                assert_eq!(verdicts[0].as_ref(), Some(&listed.answers[0].verdict), "{question:?} {net:?}");
                assert_eq!(markings.to_u64(), Some(listed.states), "{question:?} {net:?}");
                compared += 1;
            }
            Err(Stopped::Refused(_)) => {}
            Err(stopped) => panic!("{stopped:?} {question:?} {net:?}"),
        }
    }
    compared
}

#[test]
fn the_same_answers_in_sets() {
    let mut compared = 0;
    for seed in 0..120 * factor() {
        let mut random = Random::new(seed + 6_000_000);
        let net = match seed % 3 {
            0 => symmetric_net_of(&mut random, (2, 10), (2, 8)),
            _ => moving_net(&mut random),
        };
        let mut asked = questions(&mut random, &net, if seed % 2 == 0 { 40 } else { 0 });
        for _ in 0..3 {
            asked.push(Question::Reachable(condition(&mut random, &net, 2)));
            asked.push(Question::Invariant(condition(&mut random, &net, 1)));
            asked.push(Question::Never(condition(&mut random, &net, 1)));
            asked.push(Question::Bounds(quantity(&mut random, &net)));
        }
        compared += same_answers(&net, &asked);
    }
    assert!(compared > 600, "{compared}");
}

/// Where only sets come to an end, answers are as the closed forms say.
#[test]
fn questions_about_very_many_markings() {
    let net = model("database.sn", &[("N", 3_000)]);
    let ask = |text: &str| {
        let question = sn::formula(&net, text).unwrap_or_else(|problems| panic!("{problems}")).question;
        let symbolic = SymbolicNet::new(&net, Source::Found, Initial::Ignored, &[&question]).unwrap();
        let (verdicts, _) = sets::answer(&symbolic, &[&question], &Limits::default()).unwrap();
        verdicts[0].as_ref().map(ToString::to_string).unwrap_or_default()
    };
    let places: Vec<&str> = net.places.iter().map(|place| place.name.as_str()).collect();
    let first = places[0];
    assert_eq!(ask(&format!("EF {first} > 1000000000")), "does not hold");
    assert_eq!(ask("EF deadlock"), "does not hold");
}

fn in_sets(name: &str, defines: &[(&str, i32)]) -> Found {
    let net = model(name, defines);
    let symbolic = SymbolicNet::new(&net, Source::Found, Initial::Matters, &[]).unwrap();
    match sets::explore(&symbolic, &Limits::default()) {
        Ok((found, _)) => found,
        Err(stopped) => panic!("{name}: {stopped:?}"),
    }
}

#[test]
fn the_sale_store_in_sets() {
    for (people, gifts, markings) in [(5, 6, 116), (5, 10, 126), (6, 11, 209), (8, 16, 495), (5, 1_000_000, 126)] {
        let found = in_sets("sale-store.sn", &[("P", people as i32), ("G", gifts as i32)]);
        assert_eq!(found.markings.to_u64(), Some(markings), "{people} {gifts}");
        assert_eq!(found.ordinary.unwrap().exact(), Some(&sale_store(people, gifts)), "{people} {gifts}");
    }
}

#[test]
fn the_models_of_the_srs_paper_in_sets() {
    for (clients, servers, markings) in [(5, 2, 82), (10, 2, 476), (6, 6, 281)] {
        let found = in_sets("client-server.sn", &[("C", clients), ("S", servers)]);
        assert_eq!(found.markings.to_u64(), Some(markings), "{clients} {servers}");
    }
    for sites in [2_u64, 5, 40, 300] {
        let found = in_sets("database.sn", &[("N", sites as i32)]);
        assert_eq!(found.markings.to_u64(), Some(1 + sites * (sites + 1) / 2));
        let ordinary = UBig::ONE + UBig::from(sites) * UBig::from(3_u32).pow(sites as usize - 1);
        assert_eq!(found.ordinary.unwrap().exact(), Some(&ordinary));
    }
    for processes in [3_u64, 7] {
        let found = in_sets("peterson.sn", &[("N", processes as i32)]);
        assert_eq!(found.markings.to_u64(), Some((processes + 3) << (processes - 2)));
    }
    for processes in [4_u64, 60, 300] {
        let found = in_sets("waves.sn", &[("N", processes as i32)]);
        assert_eq!(found.markings.to_u64(), Some((7 * processes * processes + processes) / 2));
    }
}

#[test]
fn limits_strike_in_sets() {
    let net = model("database.sn", &[("N", 1000)]);
    let symbolic = SymbolicNet::new(&net, Source::Found, Initial::Matters, &[]).unwrap();
    let stopped = |limits: Limits| match sets::explore(&symbolic, &limits) {
        Err(Stopped::Limit(error, _)) => error,
        other => panic!("{other:?}"),
    };
    assert!(matches!(stopped(Limits { states: Some(10), ..Limits::default() }), Error::Work { .. }));
    assert!(matches!(stopped(Limits { memory: Some(20_000), ..Limits::default() }), Error::Memory { .. }));
    let over = Some(std::time::Instant::now());
    assert!(matches!(stopped(Limits { deadline: over, ..Limits::default() }), Error::Time { .. }));
    let limits = Limits::default();
    limits.cancel.cancel();
    assert!(matches!(stopped(limits), Error::Cancelled { .. }));
}

#[test]
fn what_sets_cannot_do_is_refused_by_name() {
    // Any number of colours may go into a bag, and sizes are told apart: all is well with few, and refused with very many.
    let text = |colours: u32| {
        format!(
            "net Bags {{
                class C = c{{1..{colours}}};
                place loose : C = <all>;
                place packed : bag C;
                transition pack (unique bag C B) [card(B) >= 1] {{ take loose<B>; put packed<B>; }}
            }}"
        )
    };
    let net = |colours| sn::read("bags.sn", &text(colours), &[]).unwrap_or_else(|problems| panic!("{problems}")).net;
    let few = net(4);
    assert!(compare(&few, Source::Found, true).is_some());
    let many = net(20_000_000);
    let symbolic = SymbolicNet::new(&many, Source::Found, Initial::Matters, &[]).unwrap();
    match sets::explore(&symbolic, &Limits::default()) {
        Err(Stopped::Refused(refusal)) => assert!(refusal.to_string().contains("`C` is too large"), "{refusal}"),
        other => panic!("{other:?}"),
    }
}
