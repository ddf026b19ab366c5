//! Symmetries that rename values, against brute force: random programs that store the numbers of processes.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::formulas::{ctl, events, state_formula, temporal, variables};
use crate::common::orbits::{Agreement, orbits, reachable, symmetries};
use crate::common::random::{Random, explored, factor};
use mandala_analysis::symmetry::leader::Leaders;
use mandala_analysis::symmetry::{Preserved, Symmetry, find};
use mandala_check::explicit;
use mandala_check::limits::Limits;
use mandala_check::options::Options;
use mandala_check::options::QuotientChoice;
use mandala_check::quotient;
use mandala_check::space::{Construction, Quotient};
use mandala_group::UBig;
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::{Atom, Formula, Quantifier, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System, Type};
use mandala_symbolic::encode::SystemEncoding;
use rustc_hash::FxHashSet;

const ENOUGH: u64 = 100_000_000;

fn gal(text: &str) -> System {
    mandala_model::gal::read("test.gal", text, &[]).unwrap_or_else(|_| panic!("unreadable: {text}")).system
}

/// What processes do, as transitions with the parameters `$p` and `$q`. A, B and C are places of processes, N is how many
/// processes there are.
const PATTERNS: [&str; 27] = [
    "(p $p) [at[$p] == A] { at[$p] = B; }",
    "(p $p) [at[$p] == A && owner == -1] { owner = $p; at[$p] = B; }",
    "(p $p) [at[$p] == A && owner == $p] { owner = -1; at[$p] = B; }",
    "(p $p, p $q) [owner == $p && at[$q] == A] { owner = $q; at[$p] = B; }",
    "[owner >= 0 && at[owner] == A] { at[owner] = B; }",
    "(p $p, p $q) [at[$p] == A && $p != $q] { link[$p] = $q; at[$p] = B; }",
    "(p $p) [at[$p] == A && at[link[$p]] == B] { owner = link[$p]; at[$p] = C; }",
    "(p $p) [at[$p] == A] { at[link[$p]] = B; }",
    "(p $p) [at[$p] == A] { link[$p] = link[link[$p]]; at[$p] = B; }",
    "(p $p) [at[$p] == A && link[$p] != $p] { link[$p] = $p; }",
    "[owner != -1] { owner = link[owner]; }",
    "[owner >= 0] { owner = (owner + 1) % N; }",
    "(p $p) [at[$p] == A && tail < 2] { queue[tail] = $p; tail = tail + 1; at[$p] = B; }",
    "(p $p) [tail > 0 && queue[0] == $p] { queue[0] = queue[1]; queue[1] = -1; tail = tail - 1; at[$p] = C; }",
    "(p $p) [at[$p] == A && turn == $p] { turn = (turn + 1) % N; at[$p] = B; }",
    "(p $p) [at[$p] == A && turn != $p] { turn = $p; }",
    "[turn == owner] { owner = -1; }",
    "[owner >= 0 && turn != owner] { turn = owner; }",
    "(p $p) [at[$p] == A] { if (owner == $p) { owner = -1; at[$p] = B; } else { at[$p] = C; } }",
    "(p $p) [owner == $p] { if (at[turn] == A) { link[turn] = $p; } else { owner = turn; } }",
    "(p $p) [at[$p] == A] { at[$p] = B; if (queue[0] == -1) { queue[0] = $p; } }",
    "(p $p) [queue[0] == $p && at[link[$p]] != A] { queue[0] = link[$p]; link[$p] = $p; }",
    "(p $p) [at[$p] == A && sum < 2] { sum = sum + 1; at[$p] = B; }",
    "(p $p) [sum > 0 && at[$p] == A] { sum = sum - (turn == $p); at[$p] = B; }",
    "(p $p, p $q) [at[$p] == A && at[$q] == B] { link[link[$p]] = $q; }",
    "(p $p) [at[$p] == A] { link[link[$p]] = link[$p]; at[$p] = B; }",
    "(p $p) [at[$p] == A] { at[at[$p]] = B; }",
];

/// What tells processes apart.
const DISTURBANCES: [&str; 6] = [
    "[at[0] == A] { at[0] = B; }",
    "[owner == 1] { owner = -1; }",
    "[owner < 1 && at[0] == A] { turn = 0; }",
    "[turn > 0] { turn = turn - 1; }",
    "[at[link[0]] == A] { link[0] = 1; }",
    "[sum < 2 && owner >= 0] { sum = owner; }",
];

/// A random program with two to four processes.
fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let count = random.below(3) + 2;
    let list = |value: &dyn Fn(usize) -> String| (0..count).map(value).collect::<Vec<_>>().join(", ");
    let links = match random.below(4) {
        0 => list(&|_| "0".to_owned()),
        1 => list(&|one| ((one + 1) % count).to_string()),
        _ => list(&|one| one.to_string()),
    };
    let owner = random.between(-1, 0);
    let mut text = format!(
        "gal g {{ typedef p = 0 .. {}; array [{count}] at = ({}); array [{count}] link = ({links}); int owner = {owner};
         array [2] queue = (-1, -1); int tail = 0; int turn = 0; int sum = 0;\n",
        count - 1,
        list(&|_| "0".to_owned()),
    );
    for number in 0..random.below(5) + 2 {
        let pattern = if random.percent(4) { random.choose(&DISTURBANCES) } else { random.choose(&PATTERNS) };
        let mut transition = (*pattern).to_owned();
        for letter in ["A", "B", "C"] {
            transition = transition.replace(letter, &random.below(3).to_string());
        }
        text += &format!("transition t{number} {}\n", transition.replace('N', &count.to_string()));
    }
    text + "}\nmain g;"
}

pub(crate) fn programs(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (String, System)> {
    seeds.map(|seed| (program(seed), gal(&program(seed)))).filter(|(_, system)| {
        explored(system, 2_000).is_some_and(|outcome| outcome.ended == explicit::Ended::Complete && outcome.states > 1)
    })
}

#[test]
fn images_of_successors_are_successors_of_images() {
    let (mut renaming, mut full, mut none) = (0, 0, 0);
    for (text, system) in programs(0..300 * factor()) {
        let semantics = Semantics::new(&system).expect("a small system");
        let states = reachable(&system);
        for initial in [false, true] {
            let found = find(&system, &Preserved { initial, questions: &[] }, ENOUGH).expect("a small system");
            let generators: Vec<Symmetry> = found.generators().iter().map(|one| found.points.symmetry(one)).collect();
            none += usize::from(generators.is_empty());
            renaming += usize::from(found.points.have_values());
            full += usize::from(found.points.have_values() && found.order() > 2u32.into());
            let next = |state: &[i32]| -> Option<BTreeSet<Vec<i32>>> {
                Some(semantics.successors(state).ok()?.into_iter().map(|step| step.state).collect())
            };
            // Every symmetry, not only on what is reachable.
            let (images, _) = orbits(&states, &generators, usize::MAX).expect("no limit");
            for state in images.iter().take(400) {
                let after = next(state);
                for symmetry in &generators {
                    let image = after.as_ref().map(|after| after.iter().map(|one| symmetry.apply(one)).collect());
                    assert_eq!(next(&symmetry.apply(state)), image, "{state:?} by {symmetry:?} in {text}");
                }
            }
            if initial {
                let begins: BTreeSet<Vec<i32>> = semantics.initial_states().expect("states").into_iter().collect();
                for symmetry in &generators {
                    let images: BTreeSet<Vec<i32>> = begins.iter().map(|state| symmetry.apply(state)).collect();
                    assert_eq!(begins, images, "{symmetry:?} in {text}");
                }
            }
        }
    }
    assert!(renaming > 50 && full > 15 && none > 10, "{renaming} rename values, {full} more; {none} without");
}

#[test]
fn representatives_are_as_many_as_orbits() {
    let (mut quotients, mut canonical) = (0, 0);
    for (text, system) in programs(0..600 * factor()) {
        let states = reachable(&system);
        for choice in [QuotientChoice::Automatic, QuotientChoice::Explore, QuotientChoice::Select, QuotientChoice::List]
        {
            let options = Options { quotient: choice, ..Options::default() };
            let space = quotient::explore(&system, &options, &[]).expect("a small space");
            let Some(quotient) = space.quotient() else { continue };
            if !quotient.group.points.have_values() {
                continue;
            }
            let case = format!("{choice:?}: {:?} of {text}", quotient.group.words());
            let (_, orbits) = orbits(&states, &symmetries(&quotient.group), usize::MAX).expect("no limit");
            let left = space.encoded().store.count(&quotient.representatives).to_u64().expect("few") as usize;
            assert!(orbits <= left && left <= states.len(), "{orbits} orbits, {left} left of {}: {case}", states.len());
            if quotient.group.keeps_initial {
                let concrete = quotient.concrete.as_ref().expect("few").to_u64();
                assert_eq!(concrete, Some(states.len() as u64), "{case}");
            }
            quotients += 1;
            if quotient.is_canonical {
                assert_eq!(left, orbits, "{case}");
                canonical += 1;
            }
        }
    }
    assert!(quotients > 100 && canonical * 10 > quotients * 9, "{canonical} of {quotients}");
}

#[test]
fn formulas_on_representatives() {
    let mut agreement = Agreement::default();
    for (seed, (text, system)) in (0..).zip(programs(0..200 * factor())) {
        let mut random = Random::new(seed);
        let mut whole = mandala_check::explore::explore(&system, &Options::default()).expect("a small space");
        for _ in 0..4 {
            let question = question(&mut random, &system);
            let options = Options { quotient: QuotientChoice::Explore, ..Options::default() };
            let mut space = quotient::explore(&system, &options, &[&question]).expect("a small space");
            let is_renaming = |quotient: &Quotient<SystemEncoding<'_>>| {
                quotient.construction == Construction::Explored && quotient.group.points.have_values()
            };
            if !space.quotient().is_some_and(is_renaming) {
                continue;
            }
            agreement.ask(&question, &mut whole, &mut space, &format!("{question:?} on {text}"));
        }
    }
    agreement.is_enough();
}

/// A question; most of them speak of all processes alike.
fn question(random: &mut Random, system: &System) -> Question {
    let leaf = |random: &mut Random| if random.percent(10) { Formula::Deadlock } else { of_all(random, system) };
    match random.below(6) {
        0 => Question::Reachable(Formula::Deadlock),
        1 => Question::Ctl(temporal(random, &[Quantifier::All, Quantifier::Exists], &leaf, 2)),
        2 => Question::Ltl(temporal(random, &[Quantifier::None], &leaf, 2)),
        3 => Question::Invariant(of_all(random, system)),
        4 => Question::Ctl(ctl(random, &variables(system), &events(system), 2)),
        _ => Question::Reachable(state_formula(random, &variables(system), &events(system), 1)),
    }
}

/// What holds for one process or for all of them.
fn of_all(random: &mut Random, system: &System) -> Formula {
    let Type::Program(program) = &system.types[0] else { panic!("a program") };
    let first = |name: &str| {
        let at = program.variables.iter().position(|variable| variable.name.starts_with(name)).expect("a variable");
        Location { path: Vec::new(), index: at as u32 }
    };
    let value = |name: &str| Integer::Variable(first(name));
    let element = |name: &str, index: Integer<Location>, length: u32| Integer::Element {
        first: first(name),
        length,
        index: Box::new(index),
    };
    let count = program.variables.iter().filter(|variable| variable.name.starts_with("at")).count() as i32;
    let place = Integer::Constant(random.between(0, 2));
    let pattern = random.below(6);
    let of_one = |process: i32| {
        let own = Integer::Constant(process);
        let at = |index| element("at", index, count as u32);
        let equal = |left, right| Formula::Atom(Atom::Compare(Comparison::Equal, left, right));
        match pattern {
            0 => equal(at(own), place.clone()),
            1 => Formula::And(vec![equal(at(own.clone()), place.clone()), equal(value("owner"), own)]),
            2 => equal(at(element("link", own, count as u32)), place.clone()),
            3 => Formula::Or(vec![equal(value("turn"), own.clone()), equal(at(own), place.clone())]),
            4 => equal(element("link", own.clone(), count as u32), own),
            _ => equal(value("turn"), value("owner")),
        }
    };
    let all = (0..count).map(of_one).collect();
    if random.percent(50) { Formula::And(all) } else { Formula::Or(all) }
}

/// Programs with few states, by their names.
fn models() -> Vec<(String, System)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut models = Vec::new();
    for folder in ["models", "../shared/models/gal", "../shared/models/beem-dve"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
            eprintln!("skipped: there is no {folder}");
            continue;
        };
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let read = match file.extension().and_then(|end| end.to_str()) {
                Some("gal") => mandala_model::gal::read(&name, &text, &[]),
                Some("dve") => mandala_model::dve::read(&name, &text),
                _ => continue,
            };
            let Ok(model) = read else { continue };
            let is_small = |outcome: explicit::Outcome| outcome.ended == explicit::Ended::Complete;
            if matches!(model.system.types[model.system.main], Type::Program(_))
                && explored(&model.system, 20_000).is_some_and(is_small)
            {
                models.push((name, model.system));
            }
        }
    }
    models
}

#[test]
fn symmetries_of_models() {
    let (mut renaming, mut counted) = (0, 0);
    for (name, system) in models() {
        let semantics = Semantics::new(&system).expect("a small system");
        for initial in [false, true] {
            let found = find(&system, &Preserved { initial, questions: &[] }, ENOUGH).expect("a small system");
            if !found.points.have_values() {
                continue;
            }
            renaming += 1;
            let states = reachable(&system);
            let generators: Vec<Symmetry> = found.generators().iter().map(|one| found.points.symmetry(one)).collect();
            let leaders = Leaders::new(&found.shape(ENOUGH), &found.points);
            let (mut leading, mut count) = (FxHashSet::default(), UBig::ZERO);
            for (number, state) in states.iter().enumerate() {
                let leader = leaders.as_ref().and_then(|leaders| leaders.leader(state));
                let images = generators.iter().map(|symmetry| (symmetry, symmetry.apply(state)));
                for (symmetry, image) in images.filter(|_| number < 200) {
                    let next = |state: &[i32]| -> BTreeSet<Vec<i32>> {
                        let after = semantics.successors(state).unwrap_or_default();
                        after.into_iter().map(|step| step.state).collect()
                    };
                    let after = next(state).iter().map(|one| symmetry.apply(one)).collect();
                    assert_eq!(next(&image), after, "{name}: {symmetry:?} on {state:?}");
                    let same = leaders.as_ref().and_then(|leaders| leaders.leader(&image));
                    assert_eq!(leader.as_ref().map(|one| &one.state), same.as_ref().map(|one| &one.state), "{name}");
                }
                if let Some(leader) = leader
                    && leading.insert(leader.state)
                {
                    count += leader.orbit;
                }
            }
            if initial && leaders.is_some() {
                counted += 1;
                assert_eq!(count, states.len().into(), "{name}");
            }
        }
    }
    eprintln!("values are renamed in {renaming} cases; the orbits of {counted} have all states");
    assert!(renaming > 0);
}

#[test]
fn quotients_of_models_have_all_states() {
    let mut finished = 0;
    for (name, system) in models() {
        let Some(group) = mandala_analysis::symmetry::SymmetryGroup::find(&system, true, &[])
            .filter(|known| known.points.have_values())
        else {
            continue;
        };
        let states = reachable(&system).len() as u64;
        for choice in [QuotientChoice::Explore, QuotientChoice::Select, QuotientChoice::List] {
            // Diagrams of some programs take long, also up to symmetry.
            let deadline = Some(Instant::now() + Duration::from_secs(1));
            let Ok(space) = quotient::explore(
                &system,
                &Options { quotient: choice, limits: Limits { deadline, ..Limits::default() }, ..Options::default() },
                &[],
            ) else {
                continue;
            };
            let quotient = space.quotient().expect("symmetries");
            if quotient.group.order == group.order && quotient.group.keeps_initial {
                finished += 1;
                let concrete = quotient.concrete.as_ref().and_then(|count| count.to_u64());
                assert_eq!(concrete, Some(states), "{name}, {choice:?}");
            }
        }
    }
    eprintln!("{finished} quotients were made");
}

/// Mutual exclusion of so many processes: who wants to enter waits in a queue, and the owner hands over to the next.
fn queue(count: usize) -> System {
    let list = |value: &str| vec![value; count].join(", ");
    gal(&format!(
        "gal g {{ typedef p = 0 .. {}; array [{count}] at = ({}); array [{count}] queue = ({});
           int length = 0; int owner = -1;
           transition wait (p $p) [at[$p] == 0] {{ queue[length] = $p; length = length + 1; at[$p] = 1; }}
           transition enter [owner == -1 && length > 0] {{
               owner = queue[0]; at[queue[0]] = 2; length = length - 1;
               for ($i : place) {{ queue[$i] = queue[$i + 1]; }}
               queue[{}] = -1;
           }}
           transition leave (p $p) [owner == $p] {{ owner = -1; at[$p] = 0; }}
           typedef place = 0 .. {};
         }} main g;",
        count - 1,
        list("0"),
        list("-1"),
        count - 1,
        count - 2
    ))
}

#[test]
fn a_queue_of_processes() {
    for count in [2, 3, 4, 5] {
        let system = queue(count);
        for choice in [QuotientChoice::Explore, QuotientChoice::Select, QuotientChoice::List] {
            let options = Options { quotient: choice, ..Options::default() };
            let space = quotient::explore(&system, &options, &[]).expect("a small space");
            let quotient = space.quotient().expect("symmetries");
            assert!(quotient.group.points.have_values() && quotient.group.keeps_initial);
            // Only how many wait, and whether one is inside, is left.
            let left = space.encoded().store.count(&quotient.representatives).to_u64();
            assert_eq!(left, Some(2 * count as u64 + 1), "{count}: {:?}", quotient.group.words());
            assert!(quotient.is_canonical);
            let mut states = 0;
            let arrangements = |of: usize, taken: usize| (0..taken).map(|one| (of - one) as u64).product::<u64>();
            (0..=count).for_each(|waiting| states += arrangements(count, waiting));
            (0..count).for_each(|waiting| states += count as u64 * arrangements(count - 1, waiting));
            assert_eq!(quotient.concrete.as_ref().and_then(|count| count.to_u64()), Some(states));
        }
    }
}

/// The writing of an element whose index is read from the array itself is not lost.
#[test]
fn an_array_that_points_into_itself() {
    let system = gal("gal G { int x = 0; int y = 0; array [2] p = (0, 0);
           transition tx [x == 0] { x = 1; }
           transition ty [y == 0] { y = 1; }
           transition t [p[0] == 0] { p[p[0]] = x; } } main G;");
    let states = reachable(&system);
    for choice in [QuotientChoice::Explore, QuotientChoice::List, QuotientChoice::Automatic] {
        let space = quotient::explore(&system, &Options { quotient: choice, ..Options::default() }, &[])
            .expect("a small space");
        if let Some(quotient) = space.quotient() {
            let left = space.encoded().store.count(&quotient.representatives).to_u64();
            let (_, orbits) = orbits(&states, &symmetries(&quotient.group), usize::MAX).expect("no limit");
            assert_eq!(left, Some(orbits as u64), "{:?}", quotient.group.words());
        }
    }
}

/// Variables that hold numbers of processes may be interchangeable themselves.
#[test]
fn two_locks() {
    let system =
        gal("gal G { typedef p = 0 .. 2; typedef lock = 0 .. 1; array [3] at = (0, 0, 0); array [2] owner = (-1, -1);
           transition take (p $p, lock $l) [at[$p] == 0 && owner[$l] == -1] { owner[$l] = $p; at[$p] = 1; }
           transition leave (p $p, lock $l) [owner[$l] == $p] { owner[$l] = -1; at[$p] = 0; } } main G;");
    for choice in [QuotientChoice::Explore, QuotientChoice::Select, QuotientChoice::List] {
        let space = quotient::explore(&system, &Options { quotient: choice, ..Options::default() }, &[])
            .expect("a small space");
        let quotient = space.quotient().expect("symmetries");
        assert_eq!(quotient.group.order, 12u32.into(), "{:?}", quotient.group.words());
        // No lock is taken, one, or both.
        assert_eq!(space.encoded().store.count(&quotient.representatives).to_u64(), Some(3));
        assert_eq!(quotient.concrete.as_ref().and_then(|count| count.to_u64()), Some(1 + 6 + 6));
    }
}

#[test]
fn peterson() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/peterson.gal"));
    let system = gal(&text.expect("a model"));
    let options = Options { quotient: QuotientChoice::Explore, ..Options::default() };
    let space = quotient::explore(&system, &options, &[]).expect("a small space");
    let quotient = space.quotient().expect("symmetries");
    let words = "2 interchangeable blocks of 2 variables (at[*], wants[*]); values of turn are renamed along with them";
    assert_eq!(quotient.group.words(), [words]);
    assert!(!quotient.group.keeps_initial);
    // Of 20 states; the state that mirrors the initial one is not reached.
    let (_, orbits) = orbits(&reachable(&system), &symmetries(&quotient.group), usize::MAX).expect("no limit");
    assert_eq!(space.encoded().store.count(&quotient.representatives).to_u64(), Some(orbits as u64));
}
