//! Nets with priorities whose answers are known.

use crate::common::build::{net, system, transition};
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explore::{Stopped, enumerate, explore};
use mandala_check::options::{HierarchyChoice, Options, QuotientChoice};
use mandala_check::quotient;
use mandala_diagram::Strategy;
use mandala_model::gal;
use mandala_model::net::{Effect, Net};
use mandala_model::system::{Composite, CompositeInitial, Instance, System, Type};
use mandala_symbolic::encode::EncodeError;
use mandala_symbolic::plan::Hierarchy;
use mandala_symbolic::variables::Grouping;

/// Ways to lay out and explore states.
fn ways() -> Vec<Options> {
    let strategies = [Strategy::Saturation, Strategy::Chaining, Strategy::BreadthFirst];
    let levels = [Hierarchy::Off, Hierarchy::Balanced(2), Hierarchy::Communities];
    let both = strategies.into_iter().flat_map(|strategy| levels.map(|level| (strategy, level)));
    let options = both.flat_map(|(strategy, level)| {
        [Grouping::Places, Grouping::Proven].map(|grouping| Options {
            strategy,
            grouping,
            hierarchy: HierarchyChoice::Fixed(level),
            ..Options::default()
        })
    });
    options.collect()
}

/// Clients in two classes want a server; those of the first class are served first, and to leave comes before all.
const CLASSES: &str = "
    net Classes ($N = 3) {
        place [$N] first = (1, 1, 1);
        place [$N] second = (1, 1, 1);
        place [$N] served;
        place server = 1;
        transition leave (0 .. $N - 1 $i) priority 9 { take served[$i]; put server; }
        transition one (0 .. $N - 1 $i) priority 4 { take first[$i]; take server; put served[$i]; }
        transition two (0 .. $N - 1 $i) { take second[$i]; take server; put served[$i]; }
    }
    main Classes;
    property order [invariant] : first[0] + first[1] + first[2] == 0 || !fireable(two(0));
    property held [reachable] : first[1] == 1 && second[0] == 0;
    property left [never] : served[0] == 1 && fireable(one(1));
    property all [ctl] : A((first[0] + first[1] + first[2] > 0) U (second[0] + second[1] + second[2] == 3));
    property last [ltl] : F deadlock;
    property dead [invariant] : !deadlock || first[0] + second[2] + served[1] == 0;
    property served [bounds] : served[0] + served[1] + served[2];
";

#[test]
fn two_classes_of_clients() {
    let model = gal::read("classes.gal", CLASSES, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    for options in ways() {
        let mut space = explore(&model.system, &options).expect("a small space");
        let figures = space.figures().expect("figures");
        // The server is free in 8 states with second ones waiting, and in 7 more without first ones. In use, it serves any
        // one of those of a class that are gone.
        let in_use: u64 = 12;
        assert_eq!(figures.states.to_u64(), Some(15 + 2 * in_use), "{options:?}");
        assert_eq!(figures.transitions.and_then(|count| count.to_u64()), Some(4 * in_use), "{options:?}");
        for property in &model.properties {
            let answer = space.answer(&property.question, Traces::Wanted);
            let expected = match property.name.as_str() {
                "held" => Verdict::Fails,
                "served" => Verdict::Bounds { least: 0, greatest: 1 },
                _ => Verdict::Holds,
            };
            assert_eq!(answer.verdict, expected, "{}: {options:?}", property.name);
        }
    }
    let listed = enumerate(&model.system, &Options::default()).expect("it is bounded").expect("a small space");
    assert_eq!(listed.count().to_u64(), Some(39));
    for choice in [QuotientChoice::Explore, QuotientChoice::Select, QuotientChoice::List] {
        let space = quotient::explore(&model.system, &Options { quotient: choice, ..Options::default() }, &[])
            .expect("a small space");
        let quotient = space.quotient().expect("clients of a class are interchangeable");
        assert_eq!(quotient.group.order.to_string(), "6", "{choice:?}");
        assert_eq!(quotient.concrete.as_ref().and_then(|count| count.to_u64()), Some(39), "{choice:?}");
    }
}

#[test]
fn what_has_another_priority_is_not_interchangeable() {
    let text = CLASSES.replace("priority 4", "priority 4 + $i");
    let model = gal::read("classes.gal", &text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    let space = quotient::explore(&model.system, &Options::default(), &[]).expect("a space");
    assert!(space.quotient().is_none_or(|quotient| quotient.group.order.to_string() == "1"));
}

/// A net in which something without conditions has the highest priority, and all else never happens.
#[test]
fn what_is_always_held_back() {
    let mut idle = transition("idle", None, &[], &[]);
    idle.priority = 1;
    let net = net("idle", &[1, 0], vec![transition("never", None, &[0], &[1]), idle]);
    for options in ways() {
        let system = system(vec![Type::Net(net.clone())]);
        let mut space = explore(&system, &options).expect("one state");
        let figures = space.figures().expect("figures");
        assert_eq!((figures.states.to_u64(), figures.transitions.and_then(|n| n.to_u64())), (Some(1), Some(1)));
    }
}

/// Bounded because of a priority, and not bounded in spite of one.
#[test]
fn growth_that_is_held_back() {
    let grows = |limit: i32, priority: u32| {
        let mut limits = transition("limits", None, &[], &[]);
        limits.effects = vec![Effect { read: limit, ..Effect::on(0) }];
        limits.priority = priority;
        system(vec![Type::Net(net("grows", &[0], vec![transition("up", None, &[], &[0]), limits]))])
    };
    let bounded = grows(5, 1);
    assert_eq!(explore(&bounded, &Options::default()).expect("six states").count().to_u64(), Some(6));
    assert!(matches!(explore(&grows(5, 0), &Options::default()), Err(Stopped::Unbounded(_))));
}

#[test]
fn inside_of_a_composite_they_are_refused() {
    let mut high = transition("high", None, &[0], &[]);
    high.priority = 1;
    let inner: Net = net("inner", &[1], vec![high]);
    let main = Composite {
        name: "main".into(),
        instances: vec![Instance { name: "one".into(), type_index: 0 }],
        initial: vec![CompositeInitial { name: String::new(), choices: vec![vec![0]] }],
        ..Composite::default()
    };
    let system: System = system(vec![Type::Net(inner), Type::Composite(main)]);
    let stopped = explore(&system, &Options::default()).err().expect("it is refused");
    assert!(matches!(stopped, Stopped::Encode(EncodeError::Priorities(_))), "{stopped}");
}
