//! Nets with bags and the same nets without: the same markings, the same steps, the same answers.

#[path = "common/random_coloured.rs"]
mod random_coloured;

use mandala_model::coloured::bags::{NotUnfolded, Unfolded, unfold_bags};
use mandala_model::coloured::property::{Atom, Count, Event, Firing};
use mandala_model::coloured::semantics::{Marking, Semantics};
use mandala_model::coloured::{
    Arc, BagExpression, Cardinality, Class, ClassOrder, ColouredNet, Colours, Element, Guard, Names, Place, Sort, Term,
    Tokens, Transition, Value, Variable,
};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::Formula;
use mandala_model::semantics::TransitionSystem;
use random_coloured::{Bags, Random};
use std::collections::BTreeSet;

/// How many times more nets are tried than usual.
fn factor() -> u64 {
    std::env::var("TEST_FACTOR").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// What was seen of two nets.
#[derive(Default)]
struct Seen {
    markings: usize,
    steps: usize,
    complete: bool,
}

/// Steps that are compared for one net at most.
const MOST_STEPS: usize = 3000;

/// Explores both nets side by side, until so many markings are found, and compares every step. Nothing if one of them cannot
/// be explored.
fn compare(net: &ColouredNet, unfolded: &Unfolded, limit: usize, name: &str) -> Option<Seen> {
    let (with, without) = (Semantics::new(net).unwrap(), Semantics::new(&unfolded.net).unwrap());
    let back = |marking: &Marking| unfolded.marking(marking, net.places.len()).unwrap();
    let initial = without.initial_marking().unwrap();
    assert_eq!(back(&initial), with.initial_marking().unwrap(), "{name}: the initial marking");
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut originals = BTreeSet::from([back(&initial)]);
    let mut open = vec![initial];
    let mut found = Seen { complete: true, ..Seen::default() };
    while let Some(marking) = open.pop() {
        let original = back(&marking);
        let (Ok(steps), Ok(expected)) = (without.steps(&marking), with.steps(&original)) else { return None };
        let mut steps_back: Vec<(Event, Marking)> =
            steps.iter().map(|(event, after)| (unfolded.event(event).unwrap(), back(after))).collect();
        steps_back.sort();
        let mut expected = expected;
        expected.sort();
        assert_eq!(steps_back, expected, "{name}: the steps from {}", with.show(&original));
        found.steps += steps.len();
        if found.steps > MOST_STEPS {
            found.complete = false;
            break;
        }
        for (_, after) in steps {
            if seen.contains(&after) {
                continue;
            }
            if seen.len() >= limit {
                found.complete = false;
                continue;
            }
            originals.insert(back(&after));
            seen.insert(after.clone());
            open.push(after);
        }
    }
    assert_eq!(seen.len(), originals.len(), "{name}: markings");
    found.markings = seen.len();
    Some(found)
}

/// That a net is one without bags, and that it is what the documentation of its parts says.
fn check_without_bags(net: &ColouredNet) {
    assert!(!net.has_bags());
    let mut names = BTreeSet::new();
    assert!(net.places.iter().all(|place| names.insert(&place.name)), "two places with one name");
    assert!(net.transitions.iter().all(|one| names.insert(&one.name)), "two transitions with one name");
    for place in &net.places {
        check_tokens(net, &[], &place.domain, &place.initial);
    }
    for transition in &net.transitions {
        let mut names = BTreeSet::new();
        assert!(transition.variables.iter().all(|one| names.insert(&one.name)), "two variables with one name");
        check_guard(net, &transition.variables, &transition.guard);
        for arcs in [&transition.takes, &transition.puts, &transition.inhibitors] {
            let mut places = BTreeSet::new();
            for arc in arcs {
                assert!(places.insert(arc.place), "two arcs to one place");
                check_tokens(net, &transition.variables, &net.places[arc.place as usize].domain, &arc.tokens);
            }
        }
    }
}

fn check_term(net: &ColouredNet, variables: &[Variable], term: &Term) -> u32 {
    match term {
        Term::Constant { class, colour } => {
            assert!(*colour < net.classes[*class as usize].len());
            *class
        }
        Term::Variable(variable) => match variables[*variable as usize].sort {
            Sort::Colour(class) => class,
            Sort::Bag(_) => panic!("a variable for bags"),
        },
        Term::Shift(inner, _) => check_term(net, variables, inner),
    }
}

fn check_bag(net: &ColouredNet, variables: &[Variable], class: u32, bag: &BagExpression) {
    match bag {
        BagExpression::One(term) => assert_eq!(check_term(net, variables, term), class),
        BagExpression::All(set) => {
            assert_eq!(set.class, class);
            assert!(set.subclass.is_none_or(|one| (one as usize) < net.classes[class as usize].subclasses.len()));
        }
        BagExpression::Variable(_) => panic!("a variable for bags"),
        BagExpression::Sum(parts) => parts.iter().for_each(|part| check_bag(net, variables, class, part)),
        BagExpression::Difference(from, taken) => {
            [from, taken].into_iter().for_each(|part| check_bag(net, variables, class, part));
        }
        BagExpression::Times(_, inner) => check_bag(net, variables, class, inner),
    }
}

fn check_tokens(net: &ColouredNet, variables: &[Variable], domain: &[Sort], tokens: &Tokens) {
    match tokens {
        Tokens::Tuple(elements) => {
            assert_eq!(elements.len(), domain.len());
            for (sort, element) in domain.iter().zip(elements) {
                let Element::Each(bag) = element else { panic!("a bag in a token") };
                check_bag(net, variables, sort.class(), bag);
            }
        }
        Tokens::Sum(parts) => parts.iter().for_each(|part| check_tokens(net, variables, domain, part)),
        Tokens::Difference(from, taken) => {
            [from, taken].into_iter().for_each(|part| check_tokens(net, variables, domain, part));
        }
        Tokens::Times(_, inner) => check_tokens(net, variables, domain, inner),
        Tokens::When(guard, inner) => {
            check_guard(net, variables, guard);
            check_tokens(net, variables, domain, inner);
        }
    }
}

fn check_guard(net: &ColouredNet, variables: &[Variable], guard: &Guard) {
    match guard {
        Guard::Constant(_) => {}
        Guard::Compare(_, left, right) => {
            assert_eq!(check_term(net, variables, left), check_term(net, variables, right));
        }
        Guard::Member(term, set) => assert_eq!(check_term(net, variables, term), set.class),
        Guard::Cardinality(..) | Guard::Included(..) | Guard::SameBag(..) => panic!("bags in a guard: {guard:?}"),
        Guard::Not(inner) => check_guard(net, variables, inner),
        Guard::And(parts) | Guard::Or(parts) => parts.iter().for_each(|part| check_guard(net, variables, part)),
    }
}

#[test]
fn random_nets_with_bags_and_without() {
    let (mut compared, mut complete, mut moving, mut steps, mut unbounded, mut large) = (0, 0, 0, 0, 0, 0);
    for seed in 0..2500 * factor() {
        let net = random_coloured::net(seed, Bags::With);
        if Semantics::new(&net).is_err() {
            continue;
        }
        let unfolded = match unfold_bags(&net) {
            Ok(unfolded) => unfolded,
            Err(NotUnfolded::Variable { .. }) => {
                unbounded += 1;
                continue;
            }
            Err(_) => {
                large += 1;
                continue;
            }
        };
        check_without_bags(&unfolded.net);
        let Some(seen) = compare(&net, &unfolded, 60, &format!("seed {seed}")) else { continue };
        compared += 1;
        complete += u64::from(seen.complete);
        moving += u64::from(seen.markings > 2);
        steps += seen.steps;
    }
    println!(
        "{compared} compared, {complete} to the end, {moving} with more than two markings, {steps} steps; refused: \
         {unbounded} unbounded, {large} too large"
    );
    assert!(compared > 1500 * factor() && moving > 500 * factor() && complete > 900 * factor());
}

/// What is asked of the net with bags and of the one without has the same answer in every marking.
#[test]
fn formulas_are_carried_over() {
    let mut asked = 0;
    for seed in 0..400 {
        let net = random_coloured::net(seed, Bags::With);
        let (Ok(with), Ok(unfolded)) = (Semantics::new(&net), unfold_bags(&net)) else { continue };
        let without = Semantics::new(&unfolded.net).unwrap();
        let mut random = Random::new(seed);
        let mut marking = without.initial_marking().unwrap();
        for _ in 0..6 {
            let original = unfolded.marking(&marking, net.places.len()).unwrap();
            let Ok(steps) = with.steps(&original) else { break };
            for _ in 0..4 {
                let atom = atom(&mut random, &net, &original, &steps);
                let carried = Formula::Atom(unfolded.atom(&atom).unwrap());
                let here = with.evaluate(&Formula::Atom(atom.clone()), &original.to_numbers().unwrap()).unwrap();
                let there = without.evaluate(&carried, &marking.to_numbers().unwrap()).unwrap();
                assert_eq!(here, there, "seed {seed}: {atom:?} in {}", with.show(&original));
                asked += 1;
            }
            let Ok(steps) = without.steps(&marking) else { break };
            if steps.is_empty() {
                break;
            }
            marking = steps[random.below(steps.len())].1.clone();
        }
    }
    assert!(asked > 3000, "{asked}");
}

/// An atom about tokens that are there or events that can happen, or nearly so.
fn atom(random: &mut Random, net: &ColouredNet, marking: &Marking, steps: &[(Event, Marking)]) -> Atom {
    let pattern = |random: &mut Random, values: &[Value]| -> Vec<Option<Value>> {
        let some = |value: &Value| random.percent(60).then(|| value.clone());
        values.iter().map(some).collect()
    };
    if random.percent(50) {
        let transition = random.below(net.transitions.len()) as u32;
        let firing = match steps.is_empty() || random.percent(20) {
            true => Firing { transition, pattern: Vec::new() },
            false => {
                let event = &steps[random.below(steps.len())].0;
                let mut firing = Firing { transition: event.transition, pattern: pattern(random, &event.binding) };
                let bags = firing.pattern.iter_mut().filter(|value| matches!(value, Some(Value::Bag(_))));
                if random.percent(30) {
                    bags.for_each(|bag| *bag = Some(Value::Bag([0].into_iter().collect())));
                }
                firing
            }
        };
        return Atom::Fireable(vec![firing]);
    }
    let place = random.below(net.places.len());
    let tokens: Vec<Vec<Value>> = marking.places[place].iter().map(|(token, _)| token).collect();
    let pattern = match tokens.is_empty() {
        true => Vec::new(),
        false => {
            let token = &tokens[random.below(tokens.len())];
            pattern(random, token)
        }
    };
    let count = Integer::Variable(Count { place: place as u32, pattern });
    Atom::Compare(Comparison::Equal, count, Integer::Constant(random.between(0, 2) as i32))
}

fn class(name: &str, count: u32) -> Class {
    let names = Names::Numbered { prefix: String::new(), first: 1, count };
    Class { name: name.into(), names, order: ClassOrder::Unordered, subclasses: Vec::new() }
}

fn place(name: &str, domain: &[Sort], initial: Tokens) -> Place {
    Place { name: name.into(), domain: domain.to_vec(), initial }
}

fn each(bag: BagExpression) -> Tokens {
    Tokens::Tuple(vec![Element::Each(bag)])
}

fn arc(place: u32, tokens: Tokens) -> Arc {
    Arc { place, tokens }
}

fn limited(comparison: Comparison, variable: u32, number: u64) -> Guard {
    Guard::Cardinality(comparison, Cardinality::Of(BagExpression::Variable(variable)), Cardinality::Constant(number))
}

/// The store of the thesis, figure 5.4.
fn sale_store(people: u32, gifts: u32) -> ColouredNet {
    let (person, gift) = (Sort::Colour(0), Sort::Colour(1));
    let all = |class| each(BagExpression::All(Colours { class, subclass: None }));
    let (bag, p) = (BagExpression::Variable, || BagExpression::One(Term::Variable(0)));
    let variable = |name: &str, sort, unique| Variable { name: name.into(), sort, unique };
    ColouredNet {
        name: "store".into(),
        classes: vec![class("People", people), class("Gift", gifts)],
        places: vec![
            place("waiting", &[person], all(0)),
            place("inside", &[person], Tokens::none()),
            place("warehouse", &[gift], all(1)),
            place("out", &[person, Sort::Bag(1)], Tokens::none()),
        ],
        transitions: vec![
            Transition {
                name: "airlock".into(),
                variables: vec![variable("BP", Sort::Bag(0), true)],
                guard: Guard::And(vec![limited(Comparison::Less, 0, 3), limited(Comparison::Greater, 0, 0)]),
                takes: vec![arc(0, each(bag(0)))],
                puts: vec![arc(1, each(bag(0)))],
                ..Transition::default()
            },
            Transition {
                name: "shopping".into(),
                variables: vec![variable("p", person, false), variable("BG", Sort::Bag(1), false)],
                guard: limited(Comparison::Less, 1, 3),
                takes: vec![arc(1, each(p())), arc(2, each(bag(1)))],
                puts: vec![arc(3, Tokens::Tuple(vec![Element::Each(p()), Element::Whole(bag(1))]))],
                ..Transition::default()
            },
        ],
    }
}

fn place_names(net: &ColouredNet) -> Vec<&str> {
    net.places.iter().map(|place| place.name.as_str()).collect()
}

fn transition_names(net: &ColouredNet) -> Vec<&str> {
    net.transitions.iter().map(|transition| transition.name.as_str()).collect()
}

#[test]
fn the_store_of_the_thesis() {
    let store = sale_store(3, 3);
    let unfolded = unfold_bags(&store).unwrap();
    check_without_bags(&unfolded.net);
    // As in figure 5.5, and bags with one gift twice, which nobody can tell from the guard that there are not.
    assert_eq!(place_names(&unfolded.net), ["waiting", "inside", "warehouse", "out_0", "out_1", "out_2", "out_m2"]);
    assert_eq!(
        transition_names(&unfolded.net),
        ["airlock_1", "airlock_2", "shopping_0", "shopping_1", "shopping_2", "shopping_m2"]
    );
    let airlock = &unfolded.net.transitions[1];
    assert_eq!(airlock.guard, Guard::Compare(Comparison::Less, Term::Variable(0), Term::Variable(1)));
    let seen = compare(&store, &unfolded, 10_000, "store").unwrap();
    assert!(seen.complete);
    let names = unfolded.net.transitions[4].variables.iter().map(|variable| variable.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["p", "BG1", "BG2"]);
}

/// Without a guard there are never more gifts in a bag than there were in the warehouse.
#[test]
fn as_many_as_there_are() {
    let mut store = sale_store(2, 2);
    store.transitions[1].guard = Guard::default();
    // Gifts are brought back: there are not more of them for that.
    store.transitions.push(Transition {
        name: "return".into(),
        variables: store.transitions[1].variables.clone(),
        takes: store.transitions[1].puts.clone(),
        puts: vec![arc(0, each(BagExpression::One(Term::Variable(0)))), arc(2, each(BagExpression::Variable(1)))],
        ..Transition::default()
    });
    let unfolded = unfold_bags(&store).unwrap();
    assert_eq!(place_names(&unfolded.net)[3..], ["out_0", "out_1", "out_2", "out_m2"]);
    assert!(compare(&store, &unfolded, 10_000, "store").unwrap().complete);
    // Somebody makes new ones.
    store.transitions.push(Transition {
        name: "make".into(),
        variables: vec![Variable { name: "g".into(), sort: Sort::Colour(1), unique: false }],
        puts: vec![arc(2, each(BagExpression::One(Term::Variable(0))))],
        ..Transition::default()
    });
    let refused = unfold_bags(&store).unwrap_err();
    let expected = "nothing bounds how much is in the bag `BG` of the transition `shopping`: limit it in the guard, as \
                    `card(BG) <= 2` does";
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn bags_that_grow_without_end_are_refused() {
    let bag = || BagExpression::Variable(0);
    let whole = |bag| Tokens::Tuple(vec![Element::Whole(bag)]);
    let more = BagExpression::Sum(vec![bag(), BagExpression::One(Term::Variable(1))]);
    let net = ColouredNet {
        name: "growing".into(),
        classes: vec![class("C", 2)],
        places: vec![place("box", &[Sort::Bag(0)], whole(BagExpression::Sum(Vec::new())))],
        transitions: vec![Transition {
            name: "fill".into(),
            variables: vec![
                Variable { name: "B".into(), sort: Sort::Bag(0), unique: false },
                Variable { name: "x".into(), sort: Sort::Colour(0), unique: false },
            ],
            takes: vec![arc(0, whole(bag()))],
            puts: vec![arc(0, whole(more))],
            ..Transition::default()
        }],
    };
    let refused = unfold_bags(&net).unwrap_err();
    let of_place = NotUnfolded::Place { place: "box".into() };
    assert!(refused == of_place || matches!(refused, NotUnfolded::Transition { .. }), "{refused}");
    let mut bounded = net.clone();
    bounded.transitions[0].guard = limited(Comparison::Less, 0, 4);
    let unfolded = unfold_bags(&bounded).unwrap();
    let seen = compare(&bounded, &unfolded, 1000, "growing").unwrap();
    // Bags of at most four of two colours.
    assert_eq!((seen.markings, seen.complete), (15, true));
}

/// Every bag of at most five colours of three is put once, and there is no other binding.
#[test]
fn bags_of_every_shape() {
    let bag = BagExpression::Variable(0);
    let net = ColouredNet {
        name: "shapes".into(),
        classes: vec![class("C", 3)],
        places: vec![
            place("ready", &[], Tokens::neutral()),
            place("done", &[Sort::Bag(0)], Tokens::none()),
            place("colours", &[Sort::Colour(0)], Tokens::none()),
        ],
        transitions: vec![Transition {
            name: "make".into(),
            variables: vec![Variable { name: "B".into(), sort: Sort::Bag(0), unique: false }],
            guard: limited(Comparison::LessOrEqual, 0, 5),
            takes: vec![arc(0, Tokens::neutral())],
            puts: vec![arc(1, Tokens::Tuple(vec![Element::Whole(bag.clone())])), arc(2, each(bag))],
            ..Transition::default()
        }],
    };
    let unfolded = unfold_bags(&net).unwrap();
    check_without_bags(&unfolded.net);
    // One for each of the partitions of 0 to 5 into at most three numbers.
    assert_eq!(unfolded.net.transitions.len(), 1 + 1 + 2 + 3 + 4 + 5);
    let seen = compare(&net, &unfolded, 1000, "shapes").unwrap();
    // 8 choose 3 bags, and the beginning.
    assert_eq!((seen.markings, seen.steps), (57, 56));
}

#[test]
fn nets_without_bags_stay_as_they_are() {
    for seed in 0..200 {
        let net = random_coloured::net(seed, Bags::Without);
        assert_eq!(unfold_bags(&net).unwrap().net, net);
    }
}
