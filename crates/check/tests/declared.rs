//! Symmetries of instances and symmetries that are declared, used on the flat model; against brute force.

use crate::common::build;
use crate::common::orbits::{orbits, reachable, symmetries};
use crate::common::random::{Random, Taste, explored, factor, net, program};
use mandala_analysis::symmetry::SymmetryGroup;
use mandala_analysis::symmetry::{instances, of_instances};
use mandala_check::answer::{Traces, Verdict};
use mandala_check::claim::Forbidden;
use mandala_check::explicit;
use mandala_check::options::Options;
use mandala_check::options::QuotientChoice;
use mandala_check::quotient::Subject;
use mandala_check::quotient::declared::{Kept, Source, Verified, known, known_of_both, verify};
use mandala_check::space::SystemSpace;
use mandala_group::UBig;
use mandala_model::classic::{Classic, Size, generate};
use mandala_model::flatten::flatten;
use mandala_model::gal;
use mandala_model::property::Question;
use mandala_model::symmetry::{DeclaredGroup, DeclaredSymmetry};
use mandala_model::system::{Synchronisation, System, Type};
use mandala_model::text::Span;
use std::collections::BTreeSet;

/// The contest's philosophers, instances in a circle, of whom nothing is said but that they may move on by one.
fn philosophers(count: u64) -> System {
    let mut text = Vec::new();
    generate(Classic::ContestPhilosophers, &Size::from(count), None, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let mut system = gal::read("philosophers.gal", &text, &[]).unwrap().system;
    let main = system.main;
    let Type::Composite(table) = &mut system.types[main] else { panic!("a composite") };
    let blocks = (0..table.instances.len() as u32).map(|seat| vec![seat]).collect();
    let group = DeclaredGroup::Ring(blocks);
    table.symmetries = vec![DeclaredSymmetry { name: "turn".to_owned(), group, span: Span::default() }];
    system
}

fn with(choice: QuotientChoice) -> Options {
    Options { quotient: choice, ..Options::default() }
}

/// How many representatives there are, and how many states they stand for.
fn counts(space: &SystemSpace<'_>) -> (u64, u64) {
    let quotient = space.quotient().expect("a quotient");
    assert!(quotient.is_canonical);
    let representatives = space.encoded().store.count(&quotient.representatives).to_u64().unwrap();
    (representatives, quotient.concrete.as_ref().expect("few").to_u64().unwrap())
}

#[test]
fn philosophers_with_and_without_reflections() {
    for (count, rotations, all) in [(5, 51, 30), (10, 5_934, 3_048)] {
        let system = philosophers(count);
        assert_eq!(verify(&system), [("turn".to_owned(), Verified::Yes)]);
        for choice in [QuotientChoice::Select, QuotientChoice::Explore] {
            if choice == QuotientChoice::Explore && count > 5 {
                // This takes a minute.
                continue;
            }
            for (source, orbits) in [(Source::Declared, rotations), (Source::Found, all)] {
                let subject = Subject::new(&system, source).unwrap();
                let space = subject.explore(&with(choice), &[]).unwrap();
                assert_eq!(counts(&space), (orbits, 3u64.pow(count as u32)), "{source:?} of {count}, {choice:?}");
            }
        }
    }
}

/// A question about one philosopher leaves no turn, and one about all of them leaves all; the answers are the same.
#[test]
fn questions_take_declared_symmetries_away() {
    let system = philosophers(6);
    let flat = flatten(&system).unwrap();
    let Type::Composite(table) = &system.types[system.main] else { panic!("a composite") };
    let name = |seat: usize| format!("{}:Eat", table.instances[seat].name);
    let sum = |seats: &[usize]| seats.iter().map(|&seat| name(seat)).collect::<Vec<_>>().join(" + ");
    let formulas = [
        (format!("EF {} == 3", sum(&[0, 1, 2, 3, 4, 5])), 6, true),
        (format!("EF {} == 3", sum(&[0, 2, 4])), 3, true),
        (format!("EF {} == 2", sum(&[0, 3])), 2, true),
        (format!("EF {} == 2", sum(&[0, 1])), 1, false),
        (format!("AG EF {} == 1", sum(&[0])), 1, false),
    ];
    let subject = Subject::new(&system, Source::Declared).unwrap();
    for (formula, order, expected) in formulas {
        let question = gal::formula(&system, &formula).unwrap().question;
        let renamed = flat.renaming.question(&question).unwrap();
        let mut space = subject.explore(&with(QuotientChoice::Explore), &[&question]).unwrap();
        let used = space.quotient().map_or(UBig::ONE, |quotient| quotient.group.order.clone());
        assert_eq!(used, UBig::from(order as u64), "{formula}");
        let verdict = space.answer(&renamed, Traces::Unwanted).verdict;
        assert_eq!(holds(&verdict), expected, "{formula}");
    }
}

/// What is declared and is none is named, with what it breaks on the composite.
#[test]
fn what_breaks_the_composite_is_named() {
    let mut system = philosophers(4);
    let main = system.main;
    let Type::Composite(table) = &mut system.types[main] else { panic!("a composite") };
    let swap = vec![vec![vec![0, 1]]];
    table.symmetries[0].group = DeclaredGroup::Generated(swap);
    let names: BTreeSet<String> = table.synchronisations.iter().map(|one| one.name.clone()).collect();
    let [(_, Verified::No(mandala_analysis::symmetry::Broken::Event(name)))] = &verify(&system)[..] else {
        panic!("{:?}", verify(&system))
    };
    assert!(names.contains(name), "{name}");
}

/// Instances that are alike, around one that is different or in a circle.
fn symmetric(seed: u64) -> System {
    let mut random = Random::new(seed);
    let taste = Taste { labelled: 70, more: 0 };
    let leaf = |random: &mut Random| match random.percent(70) {
        true => Type::Program(program(random, taste)),
        false => Type::Net(net(random, taste)),
    };
    let types = [leaf(&mut random), leaf(&mut random)];
    let labels = |index: usize| -> Vec<String> {
        let labels: BTreeSet<&str> = types[index].labels().into_iter().flatten().collect();
        if labels.is_empty() { vec!["nobody".to_owned()] } else { labels.into_iter().map(str::to_owned).collect() }
    };
    let (own, other) = (labels(0), labels(1));
    let copies = 3 + random.below(2);
    let names: Vec<String> = (0..copies).map(|copy| format!("part[{copy}]")).collect();
    let mut instances: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 0)).collect();
    instances.push(("centre", 1));
    let mut synchronisations: Vec<Synchronisation> = Vec::new();
    let is_ring = random.percent(40);
    for number in 0..1 + random.below(3) {
        let (one, two, third) =
            (random.choose(&own).clone(), random.choose(&own).clone(), random.choose(&other).clone());
        let pairs: Vec<(usize, Option<usize>)> = match (is_ring, random.below(2)) {
            (true, _) => (0..copies).map(|copy| (copy, Some((copy + 1) % copies))).collect(),
            (false, 0) => (0..copies).map(|copy| (copy, None)).collect(),
            // Each pair once, in one order or the other.
            (false, _) => (0..copies).flat_map(|a| (0..a).map(move |b| (a, Some(b)))).collect(),
        };
        let two = if is_ring { two } else { one.clone() };
        let with_centre = random.percent(60);
        for (copy, next) in pairs {
            let mut calls = vec![(Some(copy), one.as_str())];
            calls.extend(next.map(|next| (Some(next), two.as_str())));
            calls.extend(with_centre.then_some((Some(copies), third.as_str())));
            let name = format!("s{number}({})", synchronisations.len());
            synchronisations.push(build::synchronisation(&name, None, &calls));
        }
    }
    let main = build::composite("symmetric", &instances, synchronisations);
    build::system(types.iter().cloned().chain([Type::Composite(main)]).collect())
}

#[test]
fn symmetries_of_instances_make_quotients_of_the_flat_model() {
    let (mut quotients, mut counted, mut of_wholes, mut seen_flat) = (0, 0, 0, 0);
    for seed in 0..250 * factor() {
        let system = symmetric(seed);
        let is_small = explored(&system, 1_500).is_some_and(|outcome| outcome.ended == explicit::Ended::Complete);
        let Ok(flat) = flatten(&system) else { continue };
        if !is_small {
            continue;
        }
        let kept = Kept { initial: true, questions: false };
        let group = known_of_both((&system, &[]), Some((&flat.system, &[])), Source::Found, kept);
        let Some(group) = group else { continue };
        let generators = group.shape.generators();
        of_wholes += usize::from(generators.iter().any(|one| of_instances(&system, one).is_some()));
        seen_flat +=
            usize::from(SymmetryGroup::find(&flat.system, true, &[]).is_some_and(|flat| flat.order >= group.order));
        let reached = reachable(&system);
        let subject = Subject::new(&system, Source::Found).unwrap();
        for choice in [QuotientChoice::Explore, QuotientChoice::Select, QuotientChoice::List, QuotientChoice::Automatic]
        {
            let space = subject.explore(&with(choice), &[]);
            let space = space.unwrap_or_else(|stopped| panic!("seed {seed}, {choice:?}: {stopped}"));
            let quotient = space.quotient().unwrap_or_else(|| panic!("seed {seed}: no quotient"));
            let (_, expected) = orbits(&reached, &symmetries(&quotient.group), usize::MAX).expect("no limit");
            let (states, expected) = (reached.len() as u64, expected as u64);
            let left = space.encoded().store.count(&quotient.representatives).to_u64().unwrap();
            let concrete = quotient.concrete.as_ref().and_then(|count| count.to_u64());
            assert!(concrete.is_none_or(|count| count == states), "seed {seed}, {choice:?}: {system:?}");
            counted += usize::from(concrete.is_some());
            let is_right = left >= expected && left <= states && (left == expected || !quotient.is_canonical);
            let group = &quotient.group;
            assert!(
                is_right,
                "seed {seed}, {choice:?}: {left} left, {expected} orbits, {states} states, {group:?}: {system:?}"
            );
            quotients += 1;
        }
    }
    println!(
        "{quotients} quotients, {counted} counted, {of_wholes} move instances, {seen_flat} are seen on the flat model as well"
    );
    assert!(quotients > 150 && counted > 100 && of_wholes > 75, "{quotients} quotients, {of_wholes} move instances");
}

#[test]
fn instances_in_words() {
    let words = |system: &System| {
        let kept = Kept { initial: true, questions: false };
        let group = known(system, Source::Found, kept, &[]).expect("symmetries");
        instances::describe(system, &group.shape, &group.points, &group.names)
    };
    let turn = words(&philosophers(5));
    assert_eq!(turn.len(), 1, "{turn:?}");
    assert!(turn[0].starts_with("a ring of 5 instances"), "{turn:?}");
    let forks = words(&build::philosophers(4));
    assert!(forks[0].starts_with("a ring of 4 blocks of 2 instances (philo[*], fork[*])"), "{forks:?}");
    let step = build::action(
        "go",
        Some("go"),
        build::compare(0, mandala_model::expression::Comparison::Less, 2),
        vec![build::add(0, 1)],
    );
    let each = (0..3).map(|copy| build::synchronisation(&format!("go{copy}"), None, &[(Some(copy), "go")])).collect();
    let system = build::system(vec![
        Type::Program(build::program("counter", &[0, 5], vec![step])),
        Type::Composite(build::composite("all", &[("client[0]", 0), ("client[1]", 0), ("client[2]", 0)], each)),
    ]);
    assert_eq!(words(&system), ["3 interchangeable instances (client[*])"]);
}

fn holds(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Holds => true,
        Verdict::Fails => false,
        other => panic!("{other:?}"),
    }
}

/// Automata on representatives: the group leaves each proposition alone, and the verdict is that of the whole space.
#[test]
fn automata_on_representatives() {
    let (mut quotients, mut verdicts) = (0, [0, 0]);
    let system = philosophers(4);
    let flat = flatten(&system).unwrap();
    let sum = "(at[0]:Eat + at[1]:Eat + at[2]:Eat + at[3]:Eat)";
    let formulas = [
        format!("G F {sum} == 0"),
        format!("F {sum} >= 1"),
        format!("G ({sum} >= 1 -> X {sum} >= 0)"),
        format!("G ({sum} <= 2)"),
        format!("F G {sum} == 1"),
        format!("(({sum} == 0) U ({sum} == 1)) || G {sum} == 0"),
        "G F at[0]:Eat == 0".to_owned(),
        format!("G (at[0]:Eat >= 1 -> F {sum} == 0)"),
    ];
    let subject = Subject::new(&system, Source::Found).unwrap();
    for text in formulas {
        let formula = match gal::formula(&system, &text).unwrap().question {
            Question::Ltl(formula) => formula,
            // What is written like an invariant is one of LTL as well.
            other => panic!("{other:?}"),
        };
        let forbidden = Forbidden::against(&formula).unwrap();
        let asked: Vec<Question> = forbidden.propositions.iter().cloned().map(Question::Invariant).collect();
        let renamed: Option<Vec<_>> = forbidden.propositions.iter().map(|one| flat.renaming.formula(one)).collect();
        let forbidden = Forbidden { propositions: renamed.unwrap(), ..forbidden };
        let mut whole = mandala_check::explore::explore(&flat.system, &Options::default()).unwrap();
        let expected = holds(&whole.answer_forbidden(&forbidden, Traces::Wanted).verdict);
        let asked: Vec<&Question> = asked.iter().collect();
        let mut space = subject.explore(&with(QuotientChoice::Explore), &asked).unwrap();
        quotients += usize::from(space.quotient().is_some());
        let answer = space.answer_forbidden(&forbidden, Traces::Wanted);
        assert_eq!(holds(&answer.verdict), expected, "{text}");
        verdicts[usize::from(expected)] += 1;
        // A run that is shown is one of the model: it was replayed.
        assert!(expected || answer.trace.is_some_and(|trace| trace.is_ok()), "{text}");
    }
    assert!(quotients >= 6 && verdicts.iter().all(|&count| count > 0), "{quotients} quotients, {verdicts:?}");
}
