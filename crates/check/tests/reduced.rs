//! Figures that are counted on reduced nets, against all states of the nets.

use crate::common::random::{Random, factor, plain_net, small};
use mandala_analysis::order::Heuristic;
use mandala_analysis::reduce::{Extent, PATIENCE, reduce};
use mandala_check::explore::{explore, explore_either};
use mandala_check::limits::Limits;
use mandala_check::options::{HierarchyChoice, Options, OrderChoice};
use mandala_check::reduced::{Counter, NotCounted};
use mandala_model::net::{Effect, Place, Transition};
use mandala_model::system::{System, Type};
use mandala_symbolic::plan::Hierarchy;
use mandala_symbolic::variables::Grouping;

/// A random net whose arcs take, put and read, with places between which tokens move.
fn plain(seed: u64) -> System {
    let mut random = Random::new(seed ^ 0x5EED);
    let mut system = plain_net(seed, &mut random);
    let Type::Net(net) = &mut system.types[0] else { panic!("a net") };
    for number in 0..random.below(5) {
        net.places.push(Place { name: format!("q{number}"), capacity: None });
        net.initial[0].marking.push(0);
    }
    for number in 0..random.below(8) {
        let (from, to) = (random.below(net.places.len()) as u32, random.below(net.places.len()) as u32);
        let mut effects = vec![Effect { take: 1, ..Effect::on(from) }, Effect { put: 1, ..Effect::on(to) }];
        effects.sort_unstable_by_key(|effect| effect.place);
        if from != to {
            net.transitions.push(Transition { name: format!("m{number}"), effects, ..Transition::default() });
        }
    }
    system
}

#[test]
fn figures_on_reduced_nets_are_those_of_the_nets() {
    let (mut compared, mut refused, mut left) = (0, 0, 0);
    for (seed, system, outcome) in small(0..2_500 * factor(), 1_000, plain) {
        let Type::Net(net) = system.main_type() else { panic!("a net") };
        let extent = if seed % 3 == 0 { Extent::Separate } else { Extent::Full };
        let reduction = reduce(net, &net.initial[0].marking, extent, PATIENCE).expect("the net is plain");
        let types = vec![Type::Net(reduction.net.clone())];
        let reduced = System { name: system.name.clone(), types, main: 0, begins: vec![0] };
        let hierarchy = match seed % 4 {
            0 => HierarchyChoice::Fixed(Hierarchy::Balanced(2)),
            _ => HierarchyChoice::Automatic,
        };
        let grouping = if seed % 5 == 0 { Grouping::Places } else { Grouping::Promised };
        let order = match seed % 2 {
            0 => OrderChoice::Heuristic(Heuristic::LeastCuts),
            _ => OrderChoice::Automatic,
        };
        let options = Options { hierarchy, grouping, order, ..Options::default() };
        let space = explore(&reduced, &options).expect("it is small");
        // The net itself may be as good as the reduced one.
        let either = explore_either(&reduced, &system, &Options::default()).expect("it is small");
        if std::ptr::eq(either.encoded().encoding.system, &system) {
            assert_eq!(either.count().to_u64(), Some(outcome.states), "seed {seed}: {net:?}");
        } else {
            assert_eq!(either.count(), space.count(), "seed {seed}: {net:?}");
        }
        match Counter::new(&reduction, &space, &Limits::default()).figures(net) {
            Ok(figures) => {
                compared += 1;
                left += usize::from(!reduction.net.places.is_empty());
                assert_eq!(figures.states.to_u64(), Some(outcome.states), "seed {seed}: {net:?}");
                let transitions = figures.transitions.and_then(|count| count.to_u64());
                assert_eq!(transitions, Some(outcome.transitions), "seed {seed}: {net:?}");
                let in_place = outcome.most_in_place.map_or(0, i64::from);
                assert_eq!(figures.most_in_place, in_place, "seed {seed}: {net:?}");
                assert_eq!(figures.most_in_marking, outcome.most_in_marking.unwrap_or(0), "seed {seed}: {net:?}");
            }
            Err(NotCounted::TooLarge) => refused += 1,
            Err(NotCounted::Stopped(error)) => panic!("seed {seed}: {error}"),
        }
    }
    assert!(
        compared > 800 && left > 200 && refused * 10 < compared,
        "{compared} compared, {left} not reduced to nothing, {refused} refused"
    );
}
