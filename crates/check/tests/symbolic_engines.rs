//! All engines for symbolic markings on the same random nets: list, sets, counting and tensors, against each other and against
//! orbits by brute force, while garbage is collected wherever it can be; and random formulas on the quotient.

use crate::common::random::factor;
use crate::common::random_coloured::{self, Bags, Random};
use crate::common::symmetric_nets::{RandomNet, model};
use crate::symbolic_markings::{atom, generators, limits, orbits, reachable, symmetric_net_of, symmetrised};
use crate::symbolic_sets::moving_net_of;
use mandala_analysis::coloured::partition::{Initial, Source};
use mandala_check::explicit::{Ended, explore, ltl};
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::{Options, QuotientChoice};
use mandala_check::quotient::counted::{count, explore_counted};
use mandala_check::run::FiniteRuns;
use mandala_check::{markings, sets, tensors};
use mandala_diagram::Error;
use mandala_model::coloured::property::{Atom, ColouredNets};
use mandala_model::coloured::semantics::Semantics;
use mandala_model::coloured::{ColouredNet, unfold};
use mandala_model::property::{BinaryOperator, Formula, Quantifier, Question, UnaryOperator};
use mandala_symbolic::marking::SymbolicNet;
use mandala_symbolic::marking::sets::Stopped;
use mandala_symbolic::tensors::CannotTensor;

/// How many nets each engine did.
#[derive(Debug, Default)]
struct Done {
    list: usize,
    sets: usize,
    counting: usize,
    tensors: usize,
    /// Those in which symbolic markings are fewer than markings.
    smaller: usize,
}

/// Limits under which all that is not held is lost at once.
fn collecting() -> Limits {
    Limits { collect_every: Some(1), ..Limits::default() }
}

/// Compares all engines with brute force, and so with each other.
fn compare(net: &ColouredNet, done: &mut Done) {
    let Some(all) = reachable(net) else { return };
    let symbolic =
        SymbolicNet::new(net, Source::Found, Initial::Matters, &[]).unwrap_or_else(|error| panic!("{error}"));
    let expected = orbits(net, &all, &generators(net, symbolic.partition())) as u64;
    let states = Some(all.len() as u64);
    done.smaller += usize::from(Some(expected) < states);

    let listed = markings::count(&symbolic, 2, &Limits::default(), &Progress::default());
    assert_eq!(listed.ended, Ended::Complete, "{net:?}");
    assert_eq!(listed.markings, expected, "{net:?}");
    assert_eq!(listed.ordinary.and_then(|count| count.to_u64()), states, "{net:?}");
    done.list += 1;

    match sets::explore(&symbolic, &collecting()) {
        Ok((found, _)) => {
            let numbers = [&found.markings, &found.firings, &found.deadlocks].map(|count| count.to_u64());
            assert_eq!(numbers, [listed.markings, listed.firings, listed.deadlocks].map(Some), "{net:?}");
            assert_eq!(found.ordinary.and_then(|count| count.to_u64()), states, "{net:?}");
            done.sets += 1;
        }
        Err(Stopped::Refused(_)) => {}
        Err(stopped) => panic!("{stopped:?} {net:?}"),
    }

    if let Ok(counted) = count(net, &unfold::Limits::default()) {
        let options = Options { quotient: QuotientChoice::Automatic, limits: collecting(), ..Options::default() };
        let found = explore_counted(&counted, &options).unwrap_or_else(|stopped| panic!("{stopped}: {net:?}"));
        // It may tell colours apart one by one that nothing else does.
        assert!(found.symbolic.to_u64() >= Some(expected) && found.symbolic.to_u64() <= states, "{net:?}");
        if let Some(ordinary) = found.ordinary {
            assert_eq!(ordinary.to_u64(), states, "{net:?}");
        }
        done.counting += 1;
    }

    match tensors::explore(net, &collecting()) {
        Ok(found) => {
            assert!(found.count.to_u64() >= Some(expected) && found.count.to_u64() <= states, "{net:?}");
            if found.is_unique {
                assert_eq!(found.count.to_u64(), Some(expected), "{net:?}");
                assert_eq!(found.ordinary.and_then(|count| count.to_u64()), states, "{net:?}");
            }
            done.tensors += 1;
        }
        Err(CannotTensor::Limit(error)) => panic!("{error} {net:?}"),
        Err(_) => {}
    }
}

/// Two classes without order, one perhaps with subclasses; places over C, D, C x C, C x D; guards and inhibitor arcs.
#[test]
fn every_engine_on_nets_without_bags() {
    let mut done = Done::default();
    for seed in 0..160 * factor() {
        compare(&RandomNet::new(seed + 20_000, seed % 2 == 0).net, &mut done);
    }
    println!("{done:?}");
    let Done { list, sets, counting, tensors, smaller } = done;
    assert!(list > 60 && sets > 60 && counting > 30 && tensors > 30 && smaller > 15, "{done:?}");
}

/// Classes that are larger than what a firing can tell, so that sizes are free, with priorities.
#[test]
fn every_engine_on_nets_with_larger_classes() {
    let mut done = Done::default();
    for seed in 0..120 * factor() {
        compare(&moving_net_of(&mut Random::new(seed + 6_000_000), (3, 6)), &mut done);
    }
    println!("{done:?}");
    let Done { list, sets, smaller, .. } = done;
    assert!(list > 20 && sets > 20 && smaller > 20, "{done:?}");
}

/// One class with an order or in a ring, places over C x C, C x D and C x bag D.
#[test]
fn every_engine_on_nets_with_bags_and_orders() {
    let mut done = Done::default();
    for seed in 0..160 * factor() {
        let mut random = Random::new(seed + 7_000_000);
        let net = match seed % 3 {
            0 => symmetrised(random_coloured::net(seed + 90_000, Bags::With), &mut random),
            _ => symmetric_net_of(&mut random, (2, 4), (2, 3)),
        };
        compare(&net, &mut done);
    }
    println!("{done:?}");
    let Done { list, sets, smaller, .. } = done;
    assert!(list > 60 && sets > 30 && smaller > 20, "{done:?}");
}

/// A formula with temporal operators over atoms that may name colours.
fn temporal(random: &mut Random, net: &ColouredNet, quantifiers: &[Quantifier], depth: usize) -> Formula<Atom> {
    if depth == 0 || random.percent(15) {
        return if random.percent(10) { Formula::Deadlock } else { atom(random, net, 30) };
    }
    let quantifier = random.choose(quantifiers);
    let mut part = || Box::new(temporal(random, net, quantifiers, depth - 1));
    let (one, other) = (part(), part());
    use BinaryOperator::{Release, StrongRelease, Until, WeakUntil};
    match random.below(9) {
        0 => Formula::Not(one),
        1 => Formula::And(vec![*one, *other]),
        2 => Formula::Or(vec![*one, *other]),
        3 | 4 => Formula::Unary(quantifier, UnaryOperator::Next, one),
        5 => Formula::Unary(quantifier, UnaryOperator::Globally, one),
        6 => Formula::Unary(quantifier, UnaryOperator::Finally, one),
        _ => Formula::Binary(quantifier, random.choose(&[Until, WeakUntil, Release, StrongRelease]), one, other),
    }
}

/// CTL and LTL on the quotient that the formula leaves, and on all markings.
#[test]
fn random_formulas_on_the_quotient() {
    // Of CTL and of LTL: those that hold, and those that do not.
    let (mut branching, mut linear) = ([0; 2], [0; 2]);
    for seed in 0..250 * factor() {
        let mut random = Random::new(seed + 8_000_000);
        let net = match seed % 4 {
            0 => RandomNet::new(seed + 40_000, seed % 8 == 0).net,
            1 => symmetrised(random_coloured::net(seed + 110_000, Bags::With), &mut random),
            2 => moving_net_of(&mut random, (3, 5)),
            _ => symmetric_net_of(&mut random, (2, 4), (2, 3)),
        };
        let Ok(full) = Semantics::new(&net) else { continue };
        if reachable(&net).is_none() {
            continue;
        }
        for _ in 0..3 {
            let formula = temporal(&mut random, &net, &[Quantifier::All, Quantifier::Exists], 3);
            let question: Question<ColouredNets> = Question::Ctl(formula);
            let quotient = SymbolicNet::new(&net, Source::Found, Initial::Ignored, &[&question]).unwrap();
            let asked = std::slice::from_ref(&question);
            let expected = &explore(&full, asked, &limits(), &Progress::default()).answers[0].verdict;
            let found = &explore(&quotient, asked, &limits(), &Progress::default()).answers[0].verdict;
            assert_eq!(found, expected, "{question:?} {net:?}");
            branching[usize::from(expected.holds().expect("few markings"))] += 1;

            let formula = temporal(&mut random, &net, &[Quantifier::None], 3);
            let question = Question::Ltl(formula.clone());
            let quotient = SymbolicNet::new(&net, Source::Found, Initial::Ignored, &[&question]).unwrap();
            let (runs, unlimited) = (FiniteRuns::Stutter, Limits::default());
            let expected = ltl::check(&full, &formula, runs, &unlimited, &Progress::default()).answer.verdict;
            let found = ltl::check(&quotient, &formula, runs, &unlimited, &Progress::default()).answer.verdict;
            assert_eq!(found, expected, "{formula:?} {net:?}");
            linear[usize::from(expected.holds().expect("few markings"))] += 1;
        }
    }
    println!("CTL {branching:?}, LTL {linear:?}");
    assert!(branching.iter().chain(&linear).all(|&count| count > 50), "CTL {branching:?}, LTL {linear:?}");
}

/// What is found one by one does not depend on how many look, also where a limit ends it.
#[test]
fn several_workers_list_the_same() {
    for (file, defines) in [
        ("client-server.sn", [("C", 7), ("S", 7)].as_slice()),
        ("waves.sn", &[("N", 40)]),
        ("sale-store.sn", &[("P", 9), ("G", 12)]),
    ] {
        let net = model(file, defines);
        let symbolic = SymbolicNet::new(&net, Source::Found, Initial::Matters, &[]).unwrap();
        for states in [None, Some(200)] {
            let limits = Limits { states, ..Limits::default() };
            let alone = markings::count(&symbolic, 1, &limits, &Progress::default());
            assert_eq!(alone.ended, if states.is_some() { Ended::States } else { Ended::Complete });
            assert!(alone.ordinary.is_some());
            for workers in [2, 5] {
                let found = markings::count(&symbolic, workers, &limits, &Progress::default());
                assert_eq!(format!("{found:?}"), format!("{alone:?}"), "{file}, {workers} workers");
            }
        }
        let cancelled = Limits::default();
        cancelled.cancel.cancel();
        assert_eq!(markings::count(&symbolic, 2, &cancelled, &Progress::default()).ended, Ended::Cancelled);
    }
}

/// Counting what symbolic markings stand for looks at the limits, and says which one struck.
#[test]
fn limits_while_ordinary_markings_are_counted() {
    let net = model("waves.sn", &[("N", 400)]);
    let counted = count(&net, &unfold::Limits::default()).unwrap();
    let mut struck = 0;
    for work in (4..40).map(|power| 1 << power) {
        let limits = Limits { work: Some(work), ..Limits::default() };
        let options = Options { quotient: QuotientChoice::Automatic, limits, ..Options::default() };
        let Ok(found) = explore_counted(&counted, &options) else { continue };
        assert_eq!(found.symbolic.to_u64(), Some((7 * 400 * 400 + 400) / 2));
        match found.stopped {
            Some(error) => {
                assert!(matches!(error, Error::Work { .. }) && found.ordinary.is_none(), "{error}");
                struck += 1;
            }
            None => {
                assert!(found.ordinary.is_some());
                break;
            }
        }
    }
    assert!(struck > 0, "counting takes no work");
}
