//! Nets reduced for a question, against the nets: the same answers, and runs that can be turned back.

use crate::common::formulas::{events, state_formula, sum, temporal, variables};
use crate::common::random::{Random, factor, plain_net, small};
use mandala_analysis::reduce::question::{Back, Keeps, Look, simplify};
use mandala_analysis::reduce::{PATIENCE, Patience};
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit::{self, ltl};
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::Options;
use mandala_check::run::FiniteRuns;
use mandala_check::simpler::{Simpler, Together, Work};
use mandala_model::net::{Effect, Net, Place, Transition};
use mandala_model::property::{Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System, Type};
use std::cell::Cell;
use std::time::Duration;

/// A random net whose arcs take, put and read, with places that are filled and emptied one after the other.
fn plain(seed: u64) -> System {
    let mut random = Random::new(seed ^ 0xA55E_55ED);
    let mut system = plain_net(seed, &mut random);
    let Type::Net(net) = &mut system.types[0] else { panic!("a net") };
    for number in 0..1 + random.below(5) {
        let tokens = [0, 0, 0, 1, 2][random.below(5)];
        net.places.push(Place { name: format!("q{number}"), capacity: None });
        net.initial[0].marking.push(tokens);
    }
    for number in 0..1 + random.below(8) {
        let mut ends = vec![random.below(net.places.len()), random.below(net.places.len())];
        if random.percent(30) {
            ends.push(random.below(net.places.len()));
        }
        let takes = 1 + random.below(2).min(ends.len() - 1);
        let mut effects: Vec<Effect> = Vec::new();
        for (at, &place) in ends.iter().enumerate() {
            let weight = if random.percent(15) { 2 } else { 1 };
            let effect = match at < takes {
                true => Effect { take: weight, ..Effect::on(place as u32) },
                false => Effect { put: weight, ..Effect::on(place as u32) },
            };
            if effects.iter().all(|other| other.place != effect.place) {
                effects.push(effect);
            }
        }
        effects.sort_unstable_by_key(|effect| effect.place);
        net.transitions.push(Transition { name: format!("m{number}"), effects, ..Transition::default() });
    }
    system
}

/// A question of each kind, about few places.
fn questions(random: &mut Random, system: &System) -> Vec<Question> {
    let (all, all_events) = (variables(system), events(system));
    let some = |random: &mut Random, of: &[Location]| vec![random.choose(of).clone(), random.choose(of).clone()];
    let (places, events) = (some(random, &all), some(random, &all_events));
    let state = |random: &mut Random| state_formula(random, &places, &events, 1);
    let mut questions = vec![
        Question::Reachable(Formula::Deadlock),
        Question::Invariant(Formula::Not(Box::new(Formula::Deadlock))),
        Question::Reachable(state(random)),
        Question::Never(state(random)),
        Question::Invariant(state(random)),
        Question::Bounds(sum(random, &places)),
    ];
    for _ in 0..3 {
        let quantified = [Quantifier::All, Quantifier::Exists];
        questions.push(Question::Ctl(temporal(random, &quantified, &state, 2)));
        questions.push(Question::Ltl(temporal(random, &[Quantifier::None], &state, 2)));
        let inner = Box::new(state(random));
        questions.push(Question::Ltl(Formula::Unary(Quantifier::None, UnaryOperator::Globally, inner.clone())));
        questions.push(Question::Ctl(Formula::Unary(Quantifier::Exists, UnaryOperator::Finally, inner)));
    }
    questions
}

fn verdict(system: &System, question: &Question) -> Verdict {
    let semantics = Semantics::new(system).unwrap();
    let (limits, progress) = (Limits::default(), Progress::default());
    if let Question::Ltl(formula) = question {
        return ltl::check(&semantics, formula, FiniteRuns::Stutter, &limits, &progress).answer.verdict;
    }
    let outcome = explicit::answer(&semantics, std::slice::from_ref(question), &limits, &progress);
    outcome.answers[0].verdict.clone()
}

fn of_net(net: &Net) -> System {
    System { name: net.name.clone(), types: vec![Type::Net(net.clone())], main: 0, begins: vec![0] }
}

/// How many steps of a run are walked.
const STEPS: usize = 12;

#[test]
fn answers_on_nets_reduced_for_a_question_are_those_of_the_nets() {
    let (mut asked, mut smaller, mut walked) = ([0u32; 4], [0u32; 4], 0u32);
    for (seed, system, _) in small(0..2_000 * factor(), 400, plain) {
        let Type::Net(net) = system.main_type() else { panic!("a net") };
        let mut random = Random::new(seed);
        for question in questions(&mut random, &system) {
            let Some(look) = Look::at(net, &question) else { panic!("seed {seed}: {question:?}") };
            // What keeps more keeps this, too.
            let mut look = look;
            if random.percent(10) {
                look.keeps = look.keeps.max(*random.choose(&[Keeps::Runs, Keeps::Branches, Keeps::Steps]));
            }
            let back = if random.percent(50) { Back::Runs } else { Back::Nothing };
            let marking = &net.initial[0].marking;
            // A reduction that is stopped before its end is one, too.
            let left = Cell::new(if random.percent(30) { *random.choose(&[0, 1, 2, 4, 8]) } else { u32::MAX });
            let goes_on = || left.replace(left.get().saturating_sub(1)) > 0;
            let patience = Patience { operations: PATIENCE, goes_on: &goes_on };
            let simple = simplify(net, marking, &look, back, patience).expect("the net is plain");
            let reduced = of_net(&simple.net);
            let kind = look.keeps as usize;
            asked[kind] += 1;
            smaller[kind] += u32::from(simple.is_smaller());
            let rewritten = simple.question(net, &question).expect("what is visible is not lost");
            assert_eq!(
                verdict(&reduced, &rewritten),
                verdict(&system, &question),
                "seed {seed}: {question:?} became {rewritten:?}, keeps {:?}, {back:?}\n{net:?}\n{:?}",
                look.keeps,
                simple.net
            );
            if back == Back::Runs {
                walk(&mut random, &system, &reduced, &simple, &look);
                walked += 1;
            }
        }
    }
    println!("{asked:?} asked, {smaller:?} on smaller nets, {walked} walked");
    assert!(smaller.iter().all(|&count| count > 300) && walked > 2_000, "{asked:?} {smaller:?} {walked}");
}

/// Runs of the reduced net are runs of the net, and the visible places hold the same.
fn walk(
    random: &mut Random, system: &System, reduced: &System, simple: &mandala_analysis::reduce::question::Simplified,
    look: &Look,
) {
    let (Type::Net(net), Type::Net(small)) = (system.main_type(), reduced.main_type()) else { panic!("nets") };
    let (mut run, mut here) = (Vec::new(), small.initial[0].marking.clone());
    for _ in 0..STEPS {
        let enabled: Vec<usize> =
            (0..small.transitions.len()).filter(|&one| small.allows(&small.transitions[one], &here)).collect();
        if enabled.is_empty() {
            break;
        }
        let chosen = *random.choose(&enabled);
        fire(small, chosen, &mut here);
        run.push(chosen as u32);
    }
    let mut there = net.initial[0].marking.clone();
    for transition in simple.run(run).expect("the run is short") {
        assert!(net.allows(&net.transitions[transition as usize], &there), "a run that is none: {net:?}");
        fire(net, transition as usize, &mut there);
    }
    let semantics = (Semantics::new(system).unwrap(), Semantics::new(reduced).unwrap());
    for &index in &look.places {
        use mandala_model::expression::{Comparison, Integer};
        let place = Integer::Variable(Location { path: Vec::new(), index });
        let tokens = Integer::Constant(there[index as usize]);
        let holds = Formula::Atom(mandala_model::property::Atom::Compare(Comparison::Equal, place, tokens));
        assert!(semantics.0.evaluate(&holds, &there).unwrap());
        let Some(Question::Reachable(rewritten)) = simple.question(net, &Question::Reachable(holds)) else {
            panic!("a visible place is lost")
        };
        assert!(semantics.1.evaluate(&rewritten, &here).unwrap(), "{net:?} {small:?}");
    }
}

fn fire(net: &Net, transition: usize, marking: &mut [i32]) {
    for effect in &net.transitions[transition].effects {
        let tokens = &mut marking[effect.place as usize];
        *tokens = effect.apply(*tokens, None).unwrap().unwrap();
    }
}

/// Verdicts on smaller nets under small budgets, and the runs that show them.
#[test]
fn runs_of_smaller_nets_are_turned_back() {
    let (mut said, mut turned, mut endless) = (0u32, 0u32, 0u32);
    for (seed, system, _) in small(0..600 * factor(), 400, plain) {
        let semantics = Semantics::new(&system).unwrap();
        let mut random = Random::new(seed);
        let questions = questions(&mut random, &system);
        for question in &questions {
            let traces = if random.percent(80) { Traces::Wanted } else { Traces::Unwanted };
            let Some(simpler) = Simpler::new(&system, question, FiniteRuns::Stutter, traces, PATIENCE) else {
                continue;
            };
            let effort = 1 + random.below(2_000) as u64;
            let time = Duration::from_secs(10);
            let work =
                Work { diagrams: 10 * effort, states: effort, local: 30 * effort, runs: effort, systems: 4, time };
            let Some((said_here, run)) = simpler.answer(&Options::default(), work, traces) else { continue };
            assert_eq!(said_here, verdict(&system, question), "seed {seed}: {question:?} of {system:?}");
            said += 1;
            let Some(run) = run.filter(|_| traces == Traces::Wanted) else { continue };
            let found = match simpler.turned_back(&system, &run) {
                Ok(found) => found,
                // A place that nobody needs may fill up.
                Err(reason) if matches!(question, Question::Ltl(_)) => {
                    assert!(reason.to_string().contains("repeats"), "seed {seed}: {reason}");
                    continue;
                }
                Err(reason) => panic!("seed {seed}: {reason}: {question:?} of {system:?}"),
            };
            turned += 1;
            match question {
                Question::Reachable(formula) | Question::Never(formula) | Question::Invariant(formula) => {
                    let holds = semantics.evaluate(formula, found.trace.last()).unwrap();
                    assert_eq!(holds, !matches!(question, Question::Invariant(_)), "seed {seed}: {question:?}");
                }
                _ => {
                    let repeats = found.repeats.expect("a run that goes on");
                    if repeats == found.trace.steps.len() {
                        assert!(semantics.successors(found.trace.last()).unwrap().is_empty(), "seed {seed}");
                    } else {
                        let start = match repeats {
                            0 => &found.trace.initial,
                            later => &found.trace.steps[later - 1].state,
                        };
                        assert_eq!(start, found.trace.last(), "seed {seed}");
                        endless += 1;
                    }
                }
            }
        }
    }
    println!("{said} said, {turned} turned back, {endless} endless");
    assert!(said > 3_000 && turned > 500 && endless > 50, "{said} {turned} {endless}");
}

/// One smaller net for several questions.
#[test]
fn one_smaller_net_answers_several_questions() {
    let mut asked = 0u32;
    for (seed, system, _) in small(0..300 * factor(), 400, plain) {
        let questions = questions(&mut Random::new(seed), &system);
        let some: Vec<&Question> = questions.iter().skip(seed as usize % 4).step_by(1 + seed as usize % 3).collect();
        let Some(together) = Together::new(&system, &some, FiniteRuns::Stutter, PATIENCE) else { continue };
        for (question, rewritten) in some.iter().zip(together.questions()) {
            let (here, there) = (verdict(together.system(), rewritten), verdict(&system, question));
            assert_eq!(here, there, "seed {seed}: {question:?} of {system:?}");
            asked += 1;
        }
    }
    assert!(asked > 1_000, "{asked}");
}
