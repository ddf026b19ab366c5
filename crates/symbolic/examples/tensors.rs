//! The table of the SRS paper (section 7): symbolic markings as tensors in data decision diagrams.
//!
//! ```text
//! cargo run --release -p mandala-symbolic --example tensors
//! cargo run --release -p mandala-symbolic --example tensors -- models/client-server.sn
//! ```
//!
//! Without arguments, its models in sizes that take some seconds.

use mandala_diagram::Store;
use mandala_model::coloured::{ColouredNet, sn};
use mandala_symbolic::tensors::explore;
use std::time::Instant;

/// The critical section by waves of the paper: whoever is in the wave is let in by the wave; the process p1 is the last.
const WAVES: &str = include_str!("waves.sn");

/// The others are models of the repository, written by people for people.
const PETERSON: &str = include_str!("../../../models/peterson.sn");
const DATABASE: &str = include_str!("../../../models/database.sn");
const CLIENT_SERVER: &str = include_str!("../../../models/client-server.sn");

/// A model, its parameters, and how many symbolic markings it has.
type Row = (&'static str, &'static [(&'static str, i32)], u64);

/// Model, constants, and how many symbolic markings the paper has.
const TABLE: [Row; 11] = [
    (PETERSON, &[("N", 5)], 64),
    (PETERSON, &[("N", 7)], 320),
    (WAVES, &[("N", 10)], 355),
    (WAVES, &[("N", 40)], 5620),
    (DATABASE, &[("N", 10)], 56),
    (DATABASE, &[("N", 40)], 821),
    (CLIENT_SERVER, &[("C", 5), ("S", 2)], 82),
    (CLIENT_SERVER, &[("C", 10), ("S", 2)], 476),
    (CLIENT_SERVER, &[("C", 20), ("S", 2)], 3201),
    (CLIENT_SERVER, &[("C", 6), ("S", 6)], 281),
    (CLIENT_SERVER, &[("C", 8), ("S", 8)], 964),
];

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string());
        match text.and_then(|text| sn::read(file, &text, &[]).map_err(|error| error.to_string())) {
            Ok(model) => report(&model.net, "", None),
            Err(error) => eprintln!("{file}: {error}"),
        }
    }
    if !files.is_empty() {
        return;
    }
    for (text, constants, expected) in TABLE {
        let constants: Vec<(String, i32)> =
            constants.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let shown: Vec<String> = constants.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        match sn::read("model.sn", text, &constants) {
            Ok(model) => report(&model.net, &shown.join(", "), Some(expected)),
            Err(error) => eprintln!("{error}"),
        }
    }
}

fn report(net: &ColouredNet, constants: &str, expected: Option<u64>) {
    let start = Instant::now();
    let mut store = Store::new();
    let found = match explore(net, &mut store) {
        Ok(found) => found,
        Err(error) => return println!("{} {constants}: {error}", net.name),
    };
    let seconds = start.elapsed().as_secs_f64();
    let unique = if found.is_unique { "" } else { " (words may not be unique)" };
    let size = store.size(&found.markings).nodes;
    println!("{} {constants}: {:#} symbolic markings{unique}, {size} nodes, {seconds:.2} s", net.name, found.count);
    if let Some(expected) = expected.filter(|expected| found.count.to_u64() != Some(*expected)) {
        println!("    the paper has {expected}");
    }
}
