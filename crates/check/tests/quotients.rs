//! Quotients of state spaces against brute force: orbits of explicit state spaces, and formulas on whole ones.

use crate::common::build::{net, system, transition};
use crate::common::formulas::{ctl, events, state_formula, temporal, variables};
use crate::common::orbits::{Agreement, orbits, reachable, symmetries};
use crate::common::random::{Random, explored, factor};
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit;
use mandala_check::options::Options;
use mandala_check::options::QuotientChoice;
use mandala_check::quotient;
use mandala_check::space::Construction;
use mandala_model::classic::{Classic, Shape, generate};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::gal;
use mandala_model::net::{Effect, Net, Transition};
use mandala_model::property::{Atom, Formula, Quantifier, Question};
use mandala_model::system::{Location, System, Type};
use rustc_hash::FxHashMap;

/// How copies of a net are put together.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pattern {
    /// Each with some places that all share.
    Star,
    /// Each with the next.
    Ring,
    /// One for each pair of a row and a column: each with what its row and its column share.
    Grid,
    /// One for each ordered pair of two sites.
    Pairs,
    /// Each with what its cluster shares, and all with what clusters share.
    Clusters,
}

const PATTERNS: [Pattern; 5] = [Pattern::Star, Pattern::Ring, Pattern::Grid, Pattern::Pairs, Pattern::Clusters];

/// Which copies there are, and for each the groups of places that it uses: its own, and some that it shares.
fn instances(pattern: Pattern, random: &mut Random) -> Vec<[usize; 3]> {
    let size = random.below(3) + 2;
    match pattern {
        Pattern::Star => (0..size).map(|copy| [copy + 1, 0, copy + 1]).collect(),
        Pattern::Ring => (0..size + 1).map(|copy| [copy, (copy + 1) % (size + 1), copy]).collect(),
        Pattern::Grid => {
            let pairs = (0..size).flat_map(|row| (0..2).map(move |column| (row, column)));
            pairs.enumerate().map(|(copy, (row, column))| [size + 2 + copy, row, size + column]).collect()
        }
        Pattern::Pairs => {
            let sites = size.min(3);
            let pairs = (0..sites).flat_map(|from| (0..sites).map(move |to| (from, to)));
            let pairs = pairs.filter(|(from, to)| from != to).enumerate();
            pairs.map(|(copy, (from, to))| [sites + copy, from, to]).collect()
        }
        Pattern::Clusters => {
            let (clusters, machines) = (random.below(2) + 2, size.min(3));
            let pairs = (0..clusters).flat_map(|cluster| (0..machines).map(move |machine| (cluster, machine)));
            pairs.enumerate().map(|(copy, (cluster, _))| [clusters + 1 + copy, cluster + 1, 0]).collect()
        }
    }
}

/// A net that is symmetric by how it is made: copies of one transition pattern over groups of places. Every third one has
/// priorities, mostly the same for all copies.
fn symmetric(seed: u64, pattern: Pattern) -> System {
    let mut random = Random::new(seed);
    let instances = instances(pattern, &mut random);
    let groups = instances.iter().flatten().max().map_or(0, |most| most + 1);
    let width = random.below(2) + 1;
    // What is marked depends on what a group is used for.
    let marks: [Vec<i32>; 3] = [(); 3].map(|()| (0..width).map(|_| random.between(0, 1)).collect());
    let mut marking = vec![0; groups * width];
    for instance in &instances {
        for (use_of, group) in instance.iter().enumerate().rev() {
            marking[group * width..(group + 1) * width].copy_from_slice(&marks[use_of]);
        }
    }
    let templates = random.below(3) + 1;
    let mut transitions = Vec::new();
    for template in 0..templates {
        let arcs: Vec<(usize, usize, bool)> =
            (0..random.below(3) + 2).map(|at| (random.below(3), random.below(width), at % 2 == 0)).collect();
        for (copy, instance) in instances.iter().enumerate() {
            let place = |(use_of, at, _): &(usize, usize, bool)| (instance[*use_of] * width + at) as u32;
            let takes: Vec<u32> = arcs.iter().filter(|arc| arc.2).map(place).collect();
            let puts: Vec<u32> = arcs.iter().filter(|arc| !arc.2).map(place).collect();
            transitions.push(merged(&format!("t{template}_{copy}"), &takes, &puts));
        }
    }
    if seed % 3 == 2 {
        let mut priorities = Random::new(seed);
        for copies in transitions.chunks_mut(instances.len()) {
            let priority = priorities.below(3) as u32;
            copies.iter_mut().for_each(|transition| transition.priority = priority);
            if priorities.percent(20) {
                copies[0].priority += 1;
            }
        }
    }
    // Places come in any order.
    let mut order: Vec<u32> = (0..marking.len() as u32).collect();
    if random.percent(50) {
        (1..order.len()).rev().for_each(|at| order.swap(at, random.below(at + 1)));
    }
    let mut shuffled = marking.clone();
    marking.iter().zip(&order).for_each(|(&tokens, &to)| shuffled[to as usize] = tokens);
    for transition in &mut transitions {
        transition.effects.iter_mut().for_each(|effect| effect.place = order[effect.place as usize]);
        transition.effects.sort_by_key(|effect| effect.place);
    }
    system(vec![Type::Net(net("symmetric", &shuffled, transitions))])
}

/// A transition that may take and put several tokens.
fn merged(name: &str, takes: &[u32], puts: &[u32]) -> Transition {
    let mut effects: FxHashMap<u32, Effect> = FxHashMap::default();
    takes.iter().for_each(|&place| effects.entry(place).or_insert(Effect::on(place)).take += 1);
    puts.iter().for_each(|&place| effects.entry(place).or_insert(Effect::on(place)).put += 1);
    let mut effects: Vec<Effect> = effects.into_values().collect();
    effects.sort_by_key(|effect| effect.place);
    Transition { effects, ..transition(name, None, &[], &[]) }
}

fn the_net(system: &System) -> &Net {
    match &system.types[0] {
        Type::Net(net) => net,
        _ => panic!("a net"),
    }
}

pub(crate) fn systems(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Pattern, System)> {
    seeds.flat_map(|seed| PATTERNS.map(|pattern| (seed, pattern, symmetric(seed, pattern)))).filter(|(_, _, system)| {
        explored(system, 3_000).is_some_and(|outcome| outcome.ended == explicit::Ended::Complete && outcome.states > 1)
    })
}

#[test]
fn representatives_are_as_many_as_orbits() {
    let (mut quotients, mut canonical, mut nested) = (0, 0, 0);
    for (seed, pattern, system) in systems(0..60 * factor()) {
        let reached = reachable(&system);
        for choice in [QuotientChoice::Automatic, QuotientChoice::Explore, QuotientChoice::Select, QuotientChoice::List]
        {
            let options = Options { quotient: choice, ..Options::default() };
            let space = quotient::explore(&system, &options, &[]).expect("a small space");
            let shape = space.quotient().map(|quotient| quotient.group.shape.clone());
            let case = format!("seed {seed} of {pattern:?}, {choice:?}: {shape:?} of {:?}", the_net(&system));
            let Some(quotient) = space.quotient() else { continue };
            let Some((_, orbits)) = orbits(&reached, &symmetries(&quotient.group), 200_000) else { continue };
            let states = reached.len();
            let left = space.encoded().store.count(&quotient.representatives).to_u64().expect("few") as usize;
            assert!(orbits <= left && left <= states, "{orbits} orbits, {left} left of {states}: {case}");
            if quotient.group.keeps_initial {
                let concrete = quotient.concrete.as_ref().expect("few").to_u64();
                assert_eq!(concrete, Some(states as u64), "{case}");
            }
            quotients += 1;
            if quotient.is_canonical {
                assert_eq!(left, orbits, "{case}");
                canonical += 1;
                let is_sorted = quotient.construction != Construction::Listed && quotient.left_by_diagrams.is_none();
                nested += usize::from(
                    matches!(pattern, Pattern::Clusters) && is_sorted && quotient.group.shape.parts.len() > 2,
                );
            }
        }
    }
    assert!(quotients > 200 && canonical * 10 > quotients * 8, "{canonical} of {quotients}");
    assert!(nested > 10, "{nested} with blocks within blocks");
}

/// Whoever makes a quotient without saying what will be asked of it gets no wrong answer: what tells representatives apart is
/// unknown, and there are no figures of all states.
#[test]
fn questions_that_nobody_announced() {
    let (mut agree, mut unknown) = (0, 0);
    for (seed, pattern, system) in systems(0..30 * factor()) {
        let mut random = Random::new(seed);
        let (places, transitions) = (variables(&system), events(&system));
        let mut whole = mandala_check::explore::explore(&system, &Options::default()).expect("a small space");
        for choice in [QuotientChoice::Explore, QuotientChoice::List, QuotientChoice::Automatic] {
            let options = Options { quotient: choice, ..Options::default() };
            let mut space = quotient::explore(&system, &options, &[]).expect("a small space");
            if space.quotient().is_none_or(|quotient| quotient.construction.is_whole()) {
                continue;
            }
            assert!(space.figures().is_err());
            for _ in 0..4 {
                let question = question(&mut random, &places, &transitions);
                let on_all = whole.answer(&question, Traces::Unwanted).verdict;
                match space.answer(&question, Traces::Unwanted).verdict {
                    Verdict::Unknown(_) => {
                        assert!(!space.preserves(&question), "seed {seed} of {pattern:?}: {question:?}");
                        unknown += 1;
                    }
                    verdict => {
                        assert_eq!(
                            format!("{verdict:?}"),
                            format!("{on_all:?}"),
                            "seed {seed} of {pattern:?}: {question:?}"
                        );
                        agree += 1;
                    }
                }
            }
        }
    }
    assert!(agree > 50 && unknown > 50, "{agree} agree, {unknown} unknown");
}

#[test]
fn formulas_on_representatives() {
    let mut agreement = Agreement::default();
    for (seed, _, system) in systems(0..40 * factor()) {
        let mut random = Random::new(seed);
        let (places, transitions) = (variables(&system), events(&system));
        let mut whole = mandala_check::explore::explore(&system, &Options::default()).expect("a small space");
        for turn in 0..4 {
            let question = question(&mut random, &places, &transitions);
            let choice = if turn % 2 == 0 { QuotientChoice::Explore } else { QuotientChoice::List };
            let options = Options { quotient: choice, ..Options::default() };
            let mut space = quotient::explore(&system, &options, &[&question]).expect("a small space");
            if space.quotient().is_none_or(|quotient| quotient.construction == Construction::Selected) {
                continue;
            }
            let case = format!("seed {seed}: {question:?} on {:?}", the_net(&system));
            agreement.ask(&question, &mut whole, &mut space, &case);
        }
    }
    agreement.is_enough();
}

/// Where orbits are too many for anything, all states answer what is asked.
#[test]
fn all_states_where_leaders_are_too_many() {
    let mut text = Vec::new();
    generate(Classic::ContestPhilosophers, &"40".parse().expect("a size"), Some(Shape::Flat), &mut text).expect("text");
    let system = gal::read("philosophers.gal", &String::from_utf8(text).expect("text"), &[]).expect("read").system;
    let options = Options { quotient: QuotientChoice::Automatic, ..Options::default() };
    let question = Question::Reachable(Formula::Deadlock);
    let mut space = quotient::explore(&system, &options, &[&question]).expect("all states");
    assert_eq!(space.quotient().map(|quotient| quotient.construction), Some(Construction::Whole));
    assert_eq!(space.count().to_string(), "1.216e19");
    let answer = space.answer(&question, Traces::Wanted);
    assert!(matches!((&answer.verdict, &answer.trace), (Verdict::Holds, Some(Ok(_)))), "{answer:?}");
}

/// A question; about half of them speak of all groups of places alike, which leaves most symmetries alone.
fn question(random: &mut Random, places: &[Location], events: &[Location]) -> Question {
    let sum = |random: &mut Random| {
        let (width, at) = (random.below(2) + 1, random.below(2));
        Integer::Sum(places.iter().skip(at % width).step_by(width).cloned().map(Integer::Variable).collect())
    };
    let leaf = |random: &mut Random| match random.below(4) {
        0 => Formula::Deadlock,
        _ => {
            let limit = Integer::Constant(random.between(0, 4));
            Formula::Atom(Atom::Compare(Comparison::GreaterOrEqual, sum(random), limit))
        }
    };
    match random.below(7) {
        0 => Question::Bounds(sum(random)),
        1 => Question::Reachable(Formula::Deadlock),
        2 => Question::Ctl(temporal(random, &[Quantifier::All, Quantifier::Exists], &leaf, 2)),
        3 => Question::Ltl(temporal(random, &[Quantifier::None], &leaf, 2)),
        4 => {
            let limit = Integer::Constant(random.between(0, 4));
            Question::Invariant(Formula::Atom(Atom::Compare(Comparison::LessOrEqual, sum(random), limit)))
        }
        5 => Question::Ctl(ctl(random, places, events, 2)),
        _ => Question::Reachable(state_formula(random, places, events, 1)),
    }
}
