//! Folded state spaces against brute force: orbits of explicit state spaces, and formulas on whole ones.

mod common;

use common::build::{net, system, transition};
use common::formulas::{ctl, events, state_formula, variables};
use common::random::{Random, explored};
use mandala_check::answer::{Known, Traces, Verdict};
use mandala_check::explicit;
use mandala_check::fold::{self, Folding, Way};
use mandala_check::space::{self, Options};
use mandala_check::trace::NoTrace;
use mandala_model::classic::{Classic, Shape, generate};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::gal;
use mandala_model::net::{Effect, Net, Transition};
use mandala_model::property::{BinaryOperator, Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// How copies of a net are put together.
#[derive(Clone, Copy, Debug)]
enum Pattern {
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

/// A net that is symmetric by how it is made: copies of one transition pattern over groups of places.
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

/// All states, and how many orbits they have under some symmetries; nothing if these orbits are too large.
fn orbits(system: &System, generators: &[mandala_group::Permutation]) -> Option<(usize, usize)> {
    const MOST: usize = 200_000;
    let semantics = Semantics::new(system).expect("a small system");
    let mut numbers: FxHashMap<Vec<i32>, u32> = FxHashMap::default();
    let mut open = semantics.initial_states().expect("states");
    while let Some(state) = open.pop() {
        let number = numbers.len() as u32;
        if numbers.contains_key(&state) {
            continue;
        }
        open.extend(semantics.successors(&state).expect("no error").into_iter().map(|step| step.state));
        numbers.insert(state, number);
    }
    // Images need not be reachable, if the initial state is not left alone.
    let (mut open, mut seen, mut orbits) = (Vec::new(), FxHashSet::default(), 0);
    for state in numbers.keys() {
        orbits += usize::from(seen.insert(state.clone()));
        open.push(state.clone());
        while let Some(state) = open.pop() {
            for generator in generators {
                let mut image = state.clone();
                generator.moves().iter().for_each(|&(from, to)| image[to as usize] = state[from as usize]);
                if seen.insert(image.clone()) {
                    open.push(image);
                }
            }
            if seen.len() > MOST {
                return None;
            }
        }
    }
    Some((numbers.len(), orbits))
}

fn systems(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Pattern, System)> {
    seeds.flat_map(|seed| PATTERNS.map(|pattern| (seed, pattern, symmetric(seed, pattern)))).filter(|(_, _, system)| {
        explored(system, 3_000).is_some_and(|outcome| outcome.ended == explicit::Ended::Complete && outcome.states > 1)
    })
}

#[test]
fn representatives_are_as_many_as_orbits() {
    let (mut folded, mut canonical, mut nested) = (0, 0, 0);
    for (seed, pattern, system) in systems(0..times(60)) {
        for folding in [Folding::Automatic, Folding::Explore, Folding::Select, Folding::List] {
            let options = Options { folding, ..Options::default() };
            let space = fold::explore(&system, &options, &[]).expect("a small space");
            let shape = space.folded.as_ref().map(|fold| fold.group.shape.clone());
            let case = format!("seed {seed} of {pattern:?}, {folding:?}: {shape:?} of {:?}", the_net(&system));
            let Some(fold) = &space.folded else { continue };
            let Some((states, orbits)) = orbits(&system, &fold.group.shape.generators()) else { continue };
            let left = space.encoded.store.count(&fold.representatives).to_u64().expect("few") as usize;
            assert!(orbits <= left && left <= states, "{orbits} orbits, {left} left of {states}: {case}");
            if fold.group.keeps_initial {
                let concrete = fold.concrete.as_ref().expect("few").to_u64();
                assert_eq!(concrete, Some(states as u64), "{case}");
            }
            folded += 1;
            if fold.is_canonical {
                assert_eq!(left, orbits, "{case}");
                canonical += 1;
                let is_sorted = fold.way != Way::Listed && fold.left_by_diagrams.is_none();
                nested +=
                    usize::from(matches!(pattern, Pattern::Clusters) && is_sorted && fold.group.shape.parts.len() > 2);
            }
        }
    }
    assert!(folded > 200 && canonical * 10 > folded * 8, "{canonical} of {folded}");
    assert!(nested > 10, "{nested} with blocks within blocks");
}

#[test]
fn formulas_on_representatives() {
    let (mut folded, mut decided, mut traces) = (0, [0, 0], [0, 0]);
    for (seed, _, system) in systems(0..times(40)) {
        let mut random = Random::new(seed);
        let (places, transitions) = (variables(&system), events(&system));
        let mut whole = space::explore(&system, &Options::default()).expect("a small space");
        for turn in 0..4 {
            let question = question(&mut random, &places, &transitions);
            let folding = if turn % 2 == 0 { Folding::Explore } else { Folding::List };
            let options = Options { folding, ..Options::default() };
            let mut space = fold::explore(&system, &options, &[&question]).expect("a small space");
            if space.folded.as_ref().is_none_or(|fold| fold.way == Way::Selected) {
                continue;
            }
            folded += 1;
            let answer = |verdict: Verdict| match verdict {
                Verdict::True => Some((1, 1)),
                Verdict::False => Some((0, 0)),
                Verdict::Bounds { least, greatest } => Some((least, greatest)),
                Verdict::Unknown(_) => None,
            };
            let on_all = answer(whole.answer(&question, Known::All, Traces::Unwanted).verdict);
            let some = space.answer(&question, Known::All, Traces::Wanted);
            let on_some = answer(some.verdict);
            let case = format!("seed {seed}: {question:?} on {:?}", the_net(&system));
            assert_eq!(on_all, on_some, "{case}");
            // Traces are runs of the model: each is replayed as it is made, and those of LTL are checked besides.
            match some.trace {
                Some(Ok(found)) => traces[usize::from(found.repeats.is_some())] += 1,
                Some(Err(NoTrace::Unknown(_))) => assert!(matches!(question, Question::Ctl(_)), "{case}"),
                Some(Err(reason)) => panic!("{reason}: {case}"),
                None => {}
            }
            decided[usize::from(on_all == Some((1, 1)))] += 1;
        }
    }
    assert!(folded > 50 && decided.iter().all(|&count| count > 10), "{folded} folded, {decided:?}");
    assert!(traces.iter().all(|&count| count > 3), "{traces:?}");
}

/// Where orbits are too many for anything, all states answer what is asked.
#[test]
fn all_states_where_leaders_are_too_many() {
    let mut text = Vec::new();
    generate(Classic::ContestPhilosophers, &"40".parse().expect("a size"), Some(Shape::Flat), &mut text).expect("text");
    let system = gal::read("philosophers.gal", &String::from_utf8(text).expect("text"), &[]).expect("read").system;
    let options = Options { folding: Folding::Automatic, ..Options::default() };
    let question = Question::Reachable(Formula::Deadlock);
    let mut space = fold::explore(&system, &options, &[&question]).expect("all states");
    assert_eq!(space.folded.as_ref().map(|folded| folded.way), Some(Way::Whole));
    assert_eq!(space.count().to_string(), "1.216e19");
    let answer = space.answer(&question, Known::All, Traces::Wanted);
    assert!(matches!((&answer.verdict, &answer.trace), (Verdict::True, Some(Ok(_)))), "{answer:?}");
}

/// A question; about half of them speak of all groups of places alike, which leaves most symmetries alone.
fn question(random: &mut Random, places: &[Location], events: &[Location]) -> Question {
    let sum = |random: &mut Random| {
        let (width, at) = (random.below(2) + 1, random.below(2));
        Integer::Sum(places.iter().skip(at % width).step_by(width).cloned().map(Integer::Variable).collect())
    };
    match random.below(7) {
        0 => Question::Bounds(sum(random)),
        1 => Question::Reachable(Formula::Deadlock),
        2 => Question::Ctl(temporal(random, &[Quantifier::All, Quantifier::Exists], &sum, 2)),
        3 => Question::Ltl(temporal(random, &[Quantifier::None], &sum, 2)),
        4 => {
            let limit = Integer::Constant(random.between(0, 4));
            Question::Invariant(Formula::Compare(Comparison::LessOrEqual, sum(random), limit))
        }
        5 => Question::Ctl(ctl(random, places, events, 2)),
        _ => Question::Reachable(state_formula(random, places, events, 1)),
    }
}

fn temporal(
    random: &mut Random, quantifiers: &[Quantifier], sum: &impl Fn(&mut Random) -> Integer<Location>, depth: usize,
) -> Formula {
    if depth == 0 || random.percent(15) {
        return match random.below(4) {
            0 => Formula::Deadlock,
            _ => {
                let limit = Integer::Constant(random.between(0, 4));
                Formula::Compare(Comparison::GreaterOrEqual, sum(random), limit)
            }
        };
    }
    let quantifier = *random.choose(quantifiers);
    let mut part = || Box::new(temporal(random, quantifiers, sum, depth - 1));
    let (first, second) = (part(), part());
    match random.below(5) {
        0 => Formula::Not(first),
        1 => Formula::Unary(quantifier, UnaryOperator::Next, first),
        2 => Formula::Unary(quantifier, UnaryOperator::Globally, first),
        3 => Formula::Unary(quantifier, UnaryOperator::Finally, first),
        _ => Formula::Binary(quantifier, BinaryOperator::Until, first, second),
    }
}

fn times(usual: u64) -> u64 {
    usual * std::env::var("TEST_FACTOR").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}
