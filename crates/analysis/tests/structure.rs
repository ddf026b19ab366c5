//! What the structure of a net is said to imply holds in the markings that it reaches: in all of them for small random
//! nets, along walks for the nets of the Model Checking Contest.

mod nets;

use mandala_analysis::structure::bound::{bounds, bounds_with_units, is_structurally_bounded};
use mandala_analysis::structure::complement::{complements, equal_places};
use mandala_analysis::structure::cover::{Witness, unbounded};
use mandala_analysis::structure::semiflow::{Semiflow, semiflows};
use mandala_analysis::structure::unit::{PATIENCE, Unit, declared_units, units};
use mandala_model::net::Net;
use nets::{Chance, Explored, Shape, explore, fire, minimal_semiflows, random_net, shared_nets, walk};
use std::time::Instant;

/// Everything that is claimed of a net.
struct Claims {
    flows: Vec<(Semiflow, Option<i64>)>,
    units: Vec<Unit>,
    complements: Vec<(u32, u32, i32)>,
    equals: Vec<(u32, u32, i32)>,
    bounds: Vec<Option<i32>>,
}

impl Claims {
    fn of(net: &Net, budget: u64) -> Claims {
        let found = semiflows(net, budget);
        let units = units(net, budget);
        Claims {
            complements: complements(net),
            equals: equal_places(net),
            bounds: bounds_with_units(net, &found, &units),
            flows: found.flows.into_iter().map(|flow| (flow.clone(), flow.constant(net))).collect(),
            units,
        }
    }

    /// Panics if a marking refutes a claim.
    fn check(&self, name: &str, marking: &[i32]) {
        let tokens = |place: u32| i64::from(marking[place as usize]);
        for (flow, constant) in &self.flows {
            assert!(constant.is_none() || flow.total(marking) == *constant, "{name}: {flow:?} in {marking:?}");
        }
        for unit in &self.units {
            let sum: i64 = unit.places.iter().map(|&place| tokens(place)).sum();
            assert!(sum <= 1 && (sum == 1 || !unit.exactly_one), "{name}: {unit:?} in {marking:?}");
        }
        for &(p, q, c) in &self.complements {
            assert_eq!(tokens(p) + tokens(q), i64::from(c), "{name}: complement {p} {q}");
        }
        for &(p, q, c) in &self.equals {
            assert_eq!(tokens(q), tokens(p) + i64::from(c), "{name}: equal {p} {q}");
        }
        for (place, bound) in self.bounds.iter().enumerate() {
            assert!(bound.is_none_or(|bound| marking[place] <= bound), "{name}: bound {bound:?} of {place}");
        }
    }

    /// Panics if units overlap.
    fn check_disjoint(&self, places: usize) {
        let mut seen = vec![false; places];
        for &place in self.units.iter().flat_map(|unit| &unit.places) {
            assert!(!std::mem::replace(&mut seen[place as usize], true), "place {place} is in two units");
        }
    }
}

#[test]
fn claims_hold_in_all_markings_of_random_nets() {
    let mut chance = Chance::new(1);
    let (mut in_units, mut related, mut bounded) = (0, 0, 0);
    for round in 0..3000 {
        let shape = if round % 2 == 0 { Shape::Plain } else { Shape::Full };
        let net = random_net(&mut chance, shape);
        let budget = [0, 300, 20_000, 200_000][round % 4];
        let claims = Claims::of(&net, budget);
        claims.check_disjoint(net.places.len());
        in_units += claims.units.iter().filter(|unit| unit.places.len() > 1).count();
        related += claims.complements.len() + claims.equals.len();
        bounded += claims.bounds.iter().flatten().count();
        for marking in &explore(&net, 1500).markings {
            claims.check(&format!("random net {round}: {net:?}"), marking);
        }
    }
    assert!(in_units > 500 && related > 500 && bounded > 5000, "{in_units} {related} {bounded}");
}

#[test]
fn structurally_bounded_nets_are_finite_and_never_claimed_unbounded() {
    let mut chance = Chance::new(2);
    let (mut finite, mut infinite, mut found) = (0, 0, 0);
    for round in 0..3000 {
        let shape = if round % 2 == 0 { Shape::Plain } else { Shape::Full };
        let mut net = random_net(&mut chance, shape);
        net.initial.truncate(1);
        let witness = unbounded(&net, &[0], 30_000);
        let Explored { complete, .. } = explore(&net, 3000);
        if let Some(witness) = &witness {
            assert!(!complete, "{witness:?} of a finite net {net:?}");
            grows_for_ever(&net, witness);
        }
        let proven = is_structurally_bounded(&bounds(&net, &semiflows(&net, 100_000)));
        assert!(!(proven && witness.is_some()));
        if complete {
            finite += 1;
        } else if matches!(shape, Shape::Plain) {
            infinite += 1;
            found += usize::from(witness.is_some());
        }
    }
    // Of plain nets with very many markings nearly all are unbounded, and small witnesses exist.
    assert!(finite > 1000 && infinite > 100 && found * 100 >= infinite * 95, "{finite} {infinite} {found}");
}

/// Fires the cycle of a witness several times, by the rules of nets alone.
fn grows_for_ever(net: &Net, witness: &Witness) {
    let mut marking = net.initial[0].marking.clone();
    let run = |marking: &mut Vec<i32>, transitions: &[u32]| {
        for &transition in transitions {
            *marking = fire(net, marking, transition as usize).expect("a witness can fire");
        }
    };
    run(&mut marking, &witness.prefix);
    assert!(!witness.grows.is_empty());
    for _ in 0..4 {
        let before = marking.clone();
        run(&mut marking, &witness.cycle);
        assert!(before.iter().zip(&marking).all(|(before, after)| before <= after));
        assert!(witness.grows.iter().all(|&place| before[place as usize] < marking[place as usize]));
    }
}

#[test]
fn all_semiflows_of_minimal_support_are_found() {
    let mut chance = Chance::new(3);
    let mut total = 0;
    for round in 0..2000 {
        let mut net = random_net(&mut chance, Shape::Plain);
        // With a token everywhere no transition is plainly dead, and the definition counts them all.
        net.initial[0].marking.fill(3);
        let found = semiflows(&net, 1_000_000);
        assert!(found.complete);
        let weights: Vec<_> = found.flows.into_iter().map(|flow| flow.weights).collect();
        total += weights.len();
        assert_eq!(weights, minimal_semiflows(&net), "random net {round}: {net:?}");
    }
    assert!(total > 1000, "{total}");
}

#[test]
fn claims_hold_on_walks_of_the_contest_nets() {
    let mut chance = Chance::new(4);
    for (name, net) in shared_nets("mcc-pt") {
        let claims = Claims::of(&net, 3_000_000);
        claims.check_disjoint(net.places.len());
        for _ in 0..4 {
            walk(&net, 500, &mut chance, |marking| claims.check(&name, marking));
        }
    }
}

/// Prints a table of units (`--nocapture`), and checks that they are as few as they were.
#[test]
fn units_cover_the_contest_nets() {
    let most = [
        ("BART-PT-002", 212),
        ("CloudReconfiguration-PT-312", 9),
        ("DatabaseWithMutex-PT-04", 24),
        ("Dekker-PT-020", 41),
        ("DrinkVendingMachine-PT-02", 12),
        ("LamportFastMutEx-PT-6", 51),
        ("NeoElection-PT-2", 15),
        ("Peterson-PT-5", 18),
        ("Railroad-PT-020", 47),
        ("ShieldRVt-PT-100A", 402),
        ("Solitaire-PT-SqrNC5x5", 25),
        ("TokenRing-PT-005", 6),
    ];
    println!("{:36}{:>8}{:>12}{:>8}{:>8}{:>8}{:>10}", "net", "places", "transitions", "covered", "units", "NUPN", "ms");
    for (name, net) in shared_nets("mcc-pt").chain(shared_nets("mcc-pt-large")) {
        let start = Instant::now();
        let found = units(&net, PATIENCE);
        let time = start.elapsed().as_secs_f64() * 1e3;
        let covered: usize = found.iter().map(|unit| unit.places.len()).sum();
        let declared = declared_units(&net).len();
        let (places, transitions) = (net.places.len(), net.transitions.len());
        println!("{name:36}{places:>8}{transitions:>12}{covered:>8}{:>8}{declared:>8}{time:>10.1}", found.len());
        if let Some((_, most)) = most.iter().find(|(known, _)| *known == name) {
            assert!(places - covered + found.len() <= *most, "{name}: more variables than there were");
        }
    }
}

#[test]
fn the_unbounded_contest_nets_are_found_and_no_others() {
    let known = [
        "DoubleLock-PT-p1s1",
        "FunctionPointer-PT-b002",
        "FunctionPointer-PT-b128",
        "Planning-PT-none",
        "SemanticWebServices-PT-S128P18",
    ];
    for (name, net) in shared_nets("mcc-pt").chain(shared_nets("mcc-pt-large")) {
        let infinite = known.contains(&name.as_str());
        let found = semiflows(&net, 1_000_000);
        let bounds = bounds_with_units(&net, &found, &units(&net, 1_000_000));
        assert!(!(infinite && is_structurally_bounded(&bounds)), "{name} is not bounded");
        let witness = unbounded(&net, &[0], 3_000_000);
        assert_eq!(witness.is_some(), infinite, "{name}: {witness:?}");
        if let Some(witness) = witness {
            grows_for_ever(&net, &witness);
        }
    }
}
