//! How long the automorphisms of some graphs take: `cargo run --release -p mandala-group --example automorphisms`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use common::*;
use mandala_group::{ColouredGraph, automorphisms};

fn main() {
    let leaves = |count: u32| undirected(count + 1, (1..=count).map(|leaf| (0, leaf)));
    let five: Vec<_> = (0..5).flat_map(|one| [(one, (one + 1) % 5, 0), ((one + 1) % 5, one, 0)]).collect();
    let graphs: Vec<(&str, ColouredGraph)> = vec![
        ("random net 10,000 x 10,000, 40,000 arcs", random_net(10_000, 10_000, 40_000, 1)),
        ("random net 10,000 x 10,000, 80,000 arcs", random_net(10_000, 10_000, 80_000, 2)),
        ("500 clients", clients(500)),
        ("2,000 clients", clients(2000)),
        ("2,000 leaves", leaves(2000)),
        ("20,000 leaves", leaves(20_000)),
        ("ring of 1,000", ring(1000)),
        ("ring of 100,000", ring(100_000)),
        ("grid of 100 x 100", grid(100, 100)),
        ("hypercube of dimension 8", hypercube(8)),
        ("hypercube of dimension 12", hypercube(12)),
        ("complete graph of 500", complete(500)),
        ("Petersen", petersen()),
        ("Paley 29", paley(29)),
        ("Paley 401", paley(401)),
        ("rook's graph of 20", rook(20)),
        ("1,000 rings of 5", copies(&[0; 5], &five, 1000)),
    ];
    for (name, graph) in graphs {
        let start = Instant::now();
        let found = automorphisms(&graph, 10_000_000_000);
        let search = start.elapsed().as_secs_f64();
        let group = found.group(20_000_000);
        let mut order = found.order().to_string();
        if order.len() > 20 {
            order = format!("about 10^{}", order.len() - 1);
        }
        let total = start.elapsed().as_secs_f64();
        println!(
            "{name:42} {search:8.3} s search, {total:8.3} s with {}; {:6} generators, {}, order {order}",
            if group.is_some() { "chain" } else { "no chain" },
            found.generators.len(),
            if found.complete { "complete" } else { "incomplete" }
        );
    }
}
