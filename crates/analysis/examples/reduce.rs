//! What reductions make of nets: `cargo run --release -p mandala-analysis --example reduce -- FILE.pnml...`

use mandala_analysis::reduce::count::IBig;
use mandala_analysis::reduce::{Equation, Extent, PATIENCE, reduce};
use mandala_model::net::{Effect, pnml};
use std::time::Instant;

fn main() {
    let verbose = std::env::var("VERBOSE").is_ok();
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                println!("{path}: {error}");
                continue;
            }
        };
        let Ok(read) = pnml::read(&path, &text) else {
            println!("{path}: not a net");
            continue;
        };
        let net = read;
        let start = Instant::now();
        let Some(reduced) = reduce(&net, &net.initial[0].marking, Extent::Full, PATIENCE) else {
            println!("{path}: not reduced");
            continue;
        };
        let time = start.elapsed();
        let sums = reduced.equations.iter().filter(|one| matches!(one, Equation::Sum { .. })).count();
        let mut is_sum = vec![false; reduced.names.len()];
        let mut coupled = 0;
        for one in &reduced.equations {
            match one {
                Equation::AtMost { .. } => {}
                Equation::Sum { whole, .. } => is_sum[*whole as usize] = true,
                Equation::Follows { place, terms, .. } => {
                    coupled += usize::from(is_sum[*place as usize] && terms.len() > 1)
                }
            }
        }
        println!(
            "{path}: {} places, {} transitions -> {}, {}; {sums} sums, {} follow, {coupled} coupled, {} unimplied; {time:.3?}",
            net.places.len(),
            net.transitions.len(),
            reduced.net.places.len(),
            reduced.net.transitions.len(),
            reduced.equations.len() - sums,
            reduced.unimplied.len()
        );
        match reduced.weights() {
            Ok(cases) if reduced.net.places.is_empty() => {
                println!("  {}", cases.iter().fold(IBig::ZERO, |sum, weights| sum + &weights.constant));
            }
            Ok(cases) => {
                let factors = || cases.iter().flat_map(|weights| &weights.factors);
                let several = factors().filter(|factor| factor.places().len() > 1).count();
                let terms = factors().map(|factor| factor.terms().count()).max();
                println!("  {} cases, {several} factors with several places, at most {terms:?} terms", cases.len());
            }
            Err(_) => println!("  too large"),
        }
        if verbose {
            reduced.equations_in_words().iter().for_each(|equation| println!("  {equation}"));
            for transition in &reduced.net.transitions {
                let side = |of: fn(&Effect) -> i32| {
                    let effects = transition.effects.iter().filter(|&effect| of(effect) > 0);
                    let word =
                        |effect: &Effect| format!("{} {}", of(effect), reduced.net.places[effect.place as usize].name);
                    effects.map(word).collect::<Vec<_>>().join(" + ")
                };
                println!("  {}: {} -> {}", transition.name, side(|effect| effect.take), side(|effect| effect.put));
            }
        }
    }
}
