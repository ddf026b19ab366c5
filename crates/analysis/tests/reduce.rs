//! Reductions, against all markings of small random nets: the markings of the net are the solutions of the equations over the
//! markings of the reduced net, each once, and what is counted there is what is counted here.

#[allow(dead_code)]
mod nets;

use dashu_int::IBig;
use mandala_analysis::reduce::count::Weights;
use mandala_analysis::reduce::{Equation, Extent, PATIENCE, Patience, Reduction, reduce};
use mandala_model::net::{Effect, Net, Place, Transition};
use nets::{Chance, Shape, explore, random_net};
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

const MOST: usize = 3_000;

/// All markings of a net, if there are few.
fn markings(net: &Net) -> Option<BTreeSet<Vec<i32>>> {
    let explored = explore(net, MOST);
    explored.complete.then(|| explored.markings.into_iter().collect())
}

/// The markings for which a marking of the reduced net stands: the equations read backwards.
fn expand(reduction: &Reduction, marking: &[i32]) -> Vec<Vec<i32>> {
    let begin: HashMap<u32, i64> =
        reduction.node_of.iter().copied().zip(marking.iter().map(|&tokens| tokens.into())).collect();
    let mut all = vec![begin];
    for equation in reduction.equations.iter().rev() {
        match equation {
            Equation::Follows { place, factor, terms, constant } => {
                for values in &mut all {
                    let sum: i64 = terms.iter().map(|(node, times)| values[node] * times).sum::<i64>() + constant;
                    assert!(sum >= 0 && sum % factor == 0, "{equation:?} is {sum}");
                    values.insert(*place, sum / factor);
                }
            }
            Equation::AtMost { place, most } => all.retain(|values| values[place] <= *most),
            Equation::Sum { whole, parts } => {
                let mut next = Vec::new();
                for mut values in all {
                    let total = values.remove(whole).expect("the whole is known");
                    let mut ways = vec![(values, total)];
                    for (index, part) in parts.iter().enumerate() {
                        let mut longer = Vec::new();
                        for (values, left) in ways {
                            let from = if index + 1 == parts.len() { left } else { 0 };
                            for tokens in from..=left {
                                let mut values = values.clone();
                                values.insert(*part, tokens);
                                longer.push((values, left - tokens));
                            }
                        }
                        ways = longer;
                    }
                    next.extend(ways.into_iter().map(|way| way.0));
                }
                all = next;
            }
        }
    }
    let marking =
        |values: &HashMap<u32, i64>| (0..reduction.places as u32).map(|place| values[&place] as i32).collect();
    all.iter().map(marking).collect()
}

fn value(weights: &Weights, tokens: &dyn Fn(u32) -> i64) -> IBig {
    let holds = weights.within.iter().all(|&(node, least, most)| (least..=most).contains(&tokens(node)));
    if !holds {
        return IBig::ZERO;
    }
    weights.factors.iter().fold(weights.constant.clone(), |product, factor| product * factor.value(tokens))
}

/// Compares a reduction with what is true by definition; whether it could be.
fn check(net: &Net, extent: Extent) -> Option<usize> {
    check_within(net, extent, PATIENCE.into())
}

/// The same of a reduction that may be stopped before its end.
fn check_within(net: &Net, extent: Extent, patience: Patience<'_>) -> Option<usize> {
    let reduction = reduce(net, &net.initial[0].marking, extent, patience).expect("the net is plain");
    let expected = markings(net)?;
    let reduced = markings(&reduction.net).expect("no more markings than before");
    let mut found = BTreeSet::new();
    for marking in &reduced {
        for solution in expand(&reduction, marking) {
            assert!(found.insert(solution), "a marking twice: {net:#?} {reduction:#?}");
        }
    }
    assert_eq!(found, expected, "{net:#?} {reduction:#?}");

    let tokens = |marking: &Vec<i32>| {
        let by_node: HashMap<u32, i64> =
            reduction.node_of.iter().copied().zip(marking.iter().map(|&tokens| tokens.into())).collect();
        move |node: u32| by_node[&node]
    };
    if let Ok(cases) = reduction.weights() {
        let separate = cases.iter().flat_map(|weights| &weights.factors).all(|factor| factor.places().len() == 1);
        assert!(separate || extent == Extent::Full, "{net:#?} {reduction:#?}");
        let mut sum = IBig::ZERO;
        for marking in &reduced {
            cases.iter().for_each(|weights| sum += value(weights, &tokens(marking)));
        }
        assert_eq!(sum, expected.len().into(), "{net:#?} {reduction:#?}");
    }
    for (index, transition) in (0..).zip(&net.transitions) {
        let needs: Vec<(u32, i64)> =
            transition.effects.iter().map(|effect| (effect.place, effect.needs().into())).collect();
        let Ok(cases) = reduction.weights_of(index, &needs) else { continue };
        let mut sum = IBig::ZERO;
        for marking in &reduced {
            cases.iter().for_each(|weights| sum += value(weights, &tokens(marking)));
        }
        let enabled = expected.iter().filter(|marking| net.allows(transition, marking)).count();
        assert_eq!(sum, enabled.into(), "transition {index} of {net:#?} {reduction:#?}");
    }
    let greatest = |terms: Vec<(u32, i64)>| {
        let extreme = reduction.greatest(terms)?;
        let of = |marking: &Vec<i32>| {
            let tokens = tokens(marking);
            let sum: i64 = extreme.terms.iter().map(|(node, times)| tokens(*node) * times).sum();
            assert_eq!((sum + extreme.constant) % extreme.divisor, 0);
            (sum + extreme.constant) / extreme.divisor
        };
        Some(reduced.iter().map(of).max())
    };
    for place in 0..net.places.len() {
        let most = expected.iter().map(|marking| i64::from(marking[place])).max();
        let found = greatest(vec![(place as u32, 1)]);
        assert!(
            found.is_none_or(|found| found == most),
            "{found:?} and not {most:?} in place {place} of {net:#?} {reduction:#?}"
        );
    }
    let most = expected.iter().map(|marking| marking.iter().map(|&tokens| i64::from(tokens)).sum()).max();
    let found = greatest((0..net.places.len() as u32).map(|place| (place, 1)).collect());
    assert!(found.is_none_or(|found| found == most), "{found:?} and not {most:?} in {net:#?} {reduction:#?}");
    let Some(of_places) = reduction.greatest_of_places() else { return Some(0) };
    let of_places = of_places.into_iter().map(|extreme| {
        let of = |marking: &Vec<i32>| {
            let tokens = tokens(marking);
            let sum: i64 = extreme.terms.iter().map(|(node, times)| tokens(*node) * times).sum();
            (sum + extreme.constant) / extreme.divisor
        };
        reduced.iter().map(of).max()
    });
    let in_place = reduced.iter().flatten().max().map(|&tokens| i64::from(tokens));
    let most = expected.iter().flatten().max().map(|&tokens| i64::from(tokens));
    assert_eq!(of_places.flatten().chain(in_place).max(), most, "{net:#?} {reduction:#?}");
    Some(net.places.len() - reduction.net.places.len())
}

/// A net with much to reduce: tokens move along chains and loops, places are doubled, tokens vanish.
fn reducible_net(chance: &mut Chance) -> Net {
    let mut net = random_net(chance, Shape::Plain);
    let count = net.places.len();
    net.transitions.truncate(1 + chance.below(3));
    let more = 1 + chance.below(4);
    for index in 0..more {
        net.places.push(Place { name: format!("q{index}"), capacity: None });
        net.initial[0].marking.push(if chance.below(4) == 0 { 1 } else { 0 });
    }
    let places = count + more;
    for _ in 0..1 + chance.below(6) {
        let (from, to) = (chance.below(places) as u32, chance.below(places) as u32);
        let mut effects: Vec<Effect> = (0..places as u32).map(Effect::on).collect();
        effects[from as usize].take += 1;
        if chance.below(6) > 0 {
            effects[to as usize].put += 1;
        }
        if chance.below(6) == 0 {
            effects[chance.below(places)].put += 1;
            effects[chance.below(places)].take += 1;
        }
        effects.retain(|effect| *effect != Effect::on(effect.place));
        net.transitions.push(Transition { name: "m".into(), effects, ..Transition::default() });
    }
    // A resource that is held in a place from which it is given back.
    for index in 0..chance.below(3) {
        let (from, to) = (chance.below(count) as u32, chance.below(count) as u32);
        let (held, resource) = (net.places.len() as u32, net.places.len() as u32 + 1);
        net.places.push(Place { name: format!("h{index}"), capacity: None });
        net.places.push(Place { name: format!("r{index}"), capacity: None });
        net.initial[0].marking.extend([0, 1 + chance.below(2) as i32]);
        let one = |place: u32, take: i32, put: i32| Effect { take, put, ..Effect::on(place) };
        let begin = vec![one(from, 1, 0), one(held, 0, 1), one(resource, 1, 0)];
        let end = vec![one(to, 0, 1), one(held, 1, 0), one(resource, 0, 1)];
        for effects in [begin, end] {
            net.transitions.push(Transition { name: "r".into(), effects, ..Transition::default() });
        }
        if chance.below(3) == 0 {
            let reader = chance.below(net.transitions.len() - 2);
            net.transitions[reader].effects.push(one(resource, 1, 1));
        }
    }
    // A place that is the sum of others, and perhaps a token more.
    for index in 0..chance.below(3) {
        let sources: Vec<usize> = (0..1 + chance.below(2)).map(|_| chance.below(net.places.len())).collect();
        let times = 1 + chance.below(5) as i32 / 4;
        let place = net.places.len() as u32;
        net.places.push(Place { name: format!("s{index}"), capacity: None });
        let marking = &mut net.initial[0].marking;
        let tokens: i32 = sources.iter().map(|&source| marking[source] * times).sum();
        marking.push(tokens + [0, 0, 1][chance.below(3)]);
        let is_needed = chance.below(3) > 0;
        for transition in &mut net.transitions {
            let of = |get: fn(&Effect) -> i32| -> i32 {
                let effects = |source: usize| transition.effects.iter().filter(move |one| one.place as usize == source);
                sources.iter().flat_map(|&source| effects(source)).map(get).sum::<i32>() * times
            };
            let (take, put) = (of(|one| one.take), of(|one| one.put));
            let (take, put) = if is_needed { (take, put) } else { ((take - put).max(0), (put - take).max(0)) };
            if take + put > 0 {
                transition.effects.push(Effect { take, put, ..Effect::on(place) });
            }
        }
    }
    net
}

#[test]
fn markings_are_the_solutions_of_the_equations() {
    let factor: usize = std::env::var("TEST_FACTOR").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let (mut compared, mut gone) = (0, 0);
    for seed in 0..6_000 * factor as u64 {
        let chance = &mut Chance::new(seed);
        let net = if seed % 4 == 0 { random_net(chance, Shape::Plain) } else { reducible_net(chance) };
        let extent = if seed % 3 == 0 { Extent::Separate } else { Extent::Full };
        if let Some(removed) = check(&net, extent) {
            compared += 1;
            gone += removed;
        }
    }
    println!("{compared} nets compared, {gone} places gone");
    assert!(compared > 3_000 * factor && gone > 3 * compared, "{compared} nets compared, {gone} places gone");
}

/// A reduction that is stopped before its end is a reduction, too, and nobody is asked again whether to go on.
#[test]
fn a_reduction_that_is_stopped_is_right() {
    let mut stopped = 0;
    for seed in 0..2_000 {
        let chance = &mut Chance::new(seed);
        let net = reducible_net(chance);
        let asked = Cell::new(0);
        let goes_on = || {
            asked.set(asked.get() + 1);
            asked.get() <= seed % 15
        };
        let extent = if seed % 2 == 0 { Extent::Separate } else { Extent::Full };
        check_within(&net, extent, Patience { operations: PATIENCE, goes_on: &goes_on });
        assert!(asked.get() <= seed % 15 + 1, "seed {seed}: asked {} times", asked.get());
        stopped += u32::from(asked.get() == seed % 15 + 1);
    }
    assert!(stopped > 1_000, "{stopped} were stopped");
}
