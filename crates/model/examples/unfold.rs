//! Unfolds coloured nets and says how large they get and how long it takes.
//!
//! `cargo run --release -p mandala-model --example unfold -- ../shared/models/mcc-col/*/model.pnml`

use mandala_model::coloured::{pnml, unfold};
use std::time::Instant;

fn main() {
    for file in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{file}: {error}");
                continue;
            }
        };
        let start = Instant::now();
        let net = match pnml::read(&file, &text) {
            Ok(net) => net,
            Err(error) => {
                eprintln!("{error}");
                continue;
            }
        };
        let read = start.elapsed();
        let start = Instant::now();
        match unfold::unfold(&net, &unfold::Limits::default()) {
            Ok(unfolding) => {
                let arcs: usize = unfolding.net.transitions.iter().map(|transition| transition.effects.len()).sum();
                println!(
                    "{:50} {:8} places {:9} transitions {:9} arcs  read {:.3} s, unfolded {:.3} s",
                    net.name,
                    unfolding.net.places.len(),
                    unfolding.net.transitions.len(),
                    arcs,
                    read.as_secs_f64(),
                    start.elapsed().as_secs_f64()
                );
            }
            Err(error) => println!("{:50} {error} ({:.3} s)", net.name, start.elapsed().as_secs_f64()),
        }
    }
}
