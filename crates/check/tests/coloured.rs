//! The explicit engine on coloured nets, with bags and without: the same figures and the same answers.

#[path = "../../model/tests/common/random_coloured.rs"]
mod random_coloured;

use crate::common::random::factor;
use mandala_check::explicit::{Ended, Outcome, explore, ltl};
use mandala_check::limits::{Limits, Progress};
use mandala_check::run::{FiniteRuns, replay};
use mandala_model::coloured::ColouredNet;
use mandala_model::coloured::bags::unfold_bags;
use mandala_model::coloured::property::{Atom, ColouredNets, Count, Firing};
use mandala_model::coloured::semantics::Semantics;
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::{BinaryOperator, Formula, Quantifier, Question, UnaryOperator};
use random_coloured::{Bags, Random};

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
        Question::Live(transitions.map(|transition| Firing { transition, pattern: Vec::new() }).collect()),
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
