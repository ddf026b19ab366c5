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

#[test]
fn nets_without_bags_stay_as_they_are() {
    for seed in 0..200 {
        let net = random_coloured::net(seed, Bags::Without);
        assert_eq!(unfold_bags(&net).unwrap().net, net);
    }
}
