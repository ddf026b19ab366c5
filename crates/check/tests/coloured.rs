//! Coloured nets, with bags and without: by their own meaning, with their bags unfolded, and unfolded into place/transition nets
//! on diagrams and state by state. The same figures and the same answers everywhere.

use crate::common::random::factor;
use crate::common::random_coloured::{self, Bags, Random};
use mandala_check::answer::Traces;
use mandala_check::explicit::{Ended, Outcome, explore, ltl};
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::Options;
use mandala_check::run::{FiniteRuns, replay};
use mandala_model::coloured::bags::unfold_bags;
use mandala_model::coloured::property::{Atom, ColouredNets, Count, Firing};
use mandala_model::coloured::semantics::Semantics;
use mandala_model::coloured::unfold::{self, Unfolding, unfold};
use mandala_model::coloured::{ColouredNet, Sort, Value};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::{BinaryOperator, Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics;
use mandala_model::system::{System, Type};

fn explored(net: &ColouredNet, questions: &[Question<ColouredNets>]) -> Outcome<ColouredNets> {
    let limits = Limits { states: Some(100), ..Limits::default() };
    explore(&Semantics::new(net).unwrap(), questions, &limits, &Progress::default())
}

fn atom(random: &mut Random, net: &ColouredNet) -> Formula<Atom> {
    if random.percent(40) {
        let transition = random.below(net.transitions.len()) as u32;
        return Formula::Atom(Atom::Fireable(vec![Firing { transition, pattern: Vec::new() }]));
    }
    let count = |random: &mut Random| {
        Integer::Variable(Count { place: random.below(net.places.len()) as u32, pattern: vec![] })
    };
    let sum = Integer::Sum(vec![count(random), count(random)]);
    Formula::Atom(Atom::Compare(Comparison::Greater, sum, Integer::Constant(random.between(0, 4) as i32)))
}

fn questions(random: &mut Random, net: &ColouredNet) -> Vec<Question<ColouredNets>> {
    let finally = |quantifier, inner| Formula::Unary(quantifier, UnaryOperator::Finally, Box::new(inner));
    let (one, other) = (Box::new(atom(random, net)), Box::new(atom(random, net)));
    let count = |place: usize| Integer::Variable(Count { place: place as u32, pattern: Vec::new() });
    let transitions = 0..net.transitions.len() as u32;
    vec![
        Question::Reachable(atom(random, net)),
        Question::Invariant(atom(random, net)),
        Question::Bounds(count(random.below(net.places.len()))),
        Question::Ctl(finally(Quantifier::All, atom(random, net))),
        Question::Ctl(Formula::Binary(Quantifier::Exists, BinaryOperator::Until, one, other)),
        Question::Live(transitions.map(|transition| vec![Firing { transition, pattern: Vec::new() }]).collect()),
        Question::Reachable(Formula::Deadlock),
    ]
}

#[test]
fn bags_make_no_difference() {
    let mut complete = 0;
    for seed in 0..300 * factor() {
        let net = random_coloured::net(seed, Bags::With);
        let (Ok(with), Ok(unfolded)) = (Semantics::new(&net), unfold_bags(&net)) else { continue };
        let mut random = Random::new(seed);
        let asked = questions(&mut random, &net);
        let here = explored(&net, &asked);
        if here.ended != Ended::Complete {
            continue;
        }
        let carried: Vec<Question<ColouredNets>> =
            asked.iter().map(|question| unfolded.question(question).unwrap()).collect();
        let there = explored(&unfolded.net, &carried);
        assert_eq!((here.states, here.transitions, here.deadlocks), (there.states, there.transitions, there.deadlocks));
        assert_eq!((here.most_in_place, here.most_in_marking), (there.most_in_place, there.most_in_marking), "{seed}");
        for ((one, other), question) in here.answers.iter().zip(&there.answers).zip(&asked) {
            assert_eq!(one.verdict, other.verdict, "seed {seed}: {question:?}");
        }
        if let Some(trace) = &here.first_deadlock {
            assert_eq!(replay(&with, trace), Ok(()));
        }
        complete += 1;
    }
    assert!(complete > 150 * factor(), "{complete}");
}

#[test]
fn runs_of_nets_with_bags_and_without() {
    let (mut holds, mut fails) = (0, 0);
    let limits = Limits { states: Some(100), ..Limits::default() };
    for seed in 0..200 {
        let net = random_coloured::net(seed, Bags::With);
        let (Ok(with), Ok(unfolded)) = (Semantics::new(&net), unfold_bags(&net)) else { continue };
        let without = Semantics::new(&unfolded.net).unwrap();
        let mut random = Random::new(seed);
        let next = |formula| Formula::Unary(Quantifier::None, UnaryOperator::Globally, Box::new(formula));
        let (one, other) = (Box::new(atom(&mut random, &net)), Box::new(next(atom(&mut random, &net))));
        let formula = Formula::Binary(Quantifier::None, BinaryOperator::WeakUntil, one, other);
        let carried = unfolded.formula(&formula).unwrap();
        let progress = Progress::default();
        let here = ltl::check(&with, &formula, FiniteRuns::Stutter, &limits, &progress);
        let there = ltl::check(&without, &carried, FiniteRuns::Stutter, &limits, &progress);
        if here.ended == Ended::Complete || there.ended == Ended::Complete {
            assert_eq!(here.answer.verdict, there.answer.verdict, "{seed}");
            holds += 1;
        } else if here.ended == Ended::Answered && there.ended == Ended::Answered {
            assert_eq!(here.answer.verdict, there.answer.verdict, "{seed}");
            fails += 1;
        }
    }
    assert!(holds > 30 && fails > 30, "{holds} {fails}");
}

/// Patterns of colours in questions, too.
fn with_patterns(random: &mut Random, net: &ColouredNet) -> Vec<Question<ColouredNets>> {
    let mut asked = questions(random, net);
    let colour = |random: &mut Random, class: u32| {
        random.percent(60).then(|| Value::Colour(random.below(net.classes[class as usize].len() as usize) as u32))
    };
    let pattern = |random: &mut Random, sorts: &[Sort]| -> Vec<Option<Value>> {
        let one = |sort: &Sort| match sort {
            Sort::Colour(class) => colour(random, *class),
            Sort::Bag(class) => {
                let some = random.percent(30).then(|| (0..2).filter_map(|_| colour(random, *class)));
                some.map(|colours| {
                    let number = |value| if let Value::Colour(colour) = value { Some(colour) } else { None };
                    Value::Bag(colours.filter_map(number).collect())
                })
            }
        };
        sorts.iter().map(one).collect()
    };
    let place = random.below(net.places.len());
    let count = Count { place: place as u32, pattern: pattern(random, &net.places[place].domain) };
    asked.push(Question::Bounds(Integer::Variable(count)));
    let transition = random.below(net.transitions.len());
    let sorts: Vec<Sort> = net.transitions[transition].variables.iter().map(|variable| variable.sort).collect();
    let firing = Firing { transition: transition as u32, pattern: pattern(random, &sorts) };
    asked.push(Question::Reachable(Formula::Atom(Atom::Fireable(vec![firing.clone()]))));
    asked.push(Question::Live(vec![vec![firing]]));
    asked
}

fn unfolding_makes_no_difference(bags: Bags, seeds: u64) {
    let (mut complete, mut smaller) = (0, 0);
    for seed in 0..seeds * factor() {
        let net = random_coloured::net(seed, bags);
        if Semantics::new(&net).is_err() {
            continue;
        }
        let asked = with_patterns(&mut Random::new(seed), &net);
        let here = explored(&net, &asked);
        if here.ended != Ended::Complete {
            continue;
        }
        let Ok(Unfolding { net: flat, origins }) = unfold(&net, &unfold::Limits::default()) else { continue };
        let carried: Vec<Question> = asked.iter().map(|question| origins.question(question).unwrap()).collect();
        let size: Option<u64> = net.places.iter().map(|place| net.size(&place.domain)).sum();
        smaller += u64::from(size.is_some_and(|size| size > flat.places.len() as u64));
        let system = System { name: String::new(), types: vec![Type::Net(flat)], main: 0, begins: vec![0] };
        let semantics = semantics::Semantics::new(&system).unwrap();
        let there = explore(&semantics, &carried, &Limits::default(), &Progress::default());
        assert_eq!(
            (here.states, here.transitions, here.deadlocks),
            (there.states, there.transitions, there.deadlocks),
            "seed {seed}"
        );
        assert_eq!(here.most_in_place.unwrap_or(0), there.most_in_place.unwrap_or(0), "seed {seed}");
        assert_eq!(here.most_in_marking, there.most_in_marking, "seed {seed}");
        let mut space = mandala_check::explore::explore(&system, &Options::default()).unwrap();
        assert_eq!(space.encoded().store.count(space.states()).to_u64(), Some(here.states), "seed {seed}");
        for (index, question) in asked.iter().enumerate() {
            assert_eq!(here.answers[index].verdict, there.answers[index].verdict, "seed {seed}: {question:?}");
            let answer = space.answer(&carried[index], Traces::Unwanted);
            assert_eq!(here.answers[index].verdict, answer.verdict, "seed {seed} on diagrams: {question:?}");
        }
        complete += 1;
    }
    assert!(complete > seeds * factor() / 3 && smaller > 0, "{complete} {smaller}");
}

#[test]
fn unfolding_of_symmetric_nets() {
    unfolding_makes_no_difference(Bags::Without, 3000);
}

#[test]
fn unfolding_of_nets_with_bags() {
    unfolding_makes_no_difference(Bags::With, 1500);
}
