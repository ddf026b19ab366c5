//! The dining philosophers: how many states do they have?
//!
//! ```text
//! cargo run --release --example philosophers -- 1000        a ring of 1000
//! cargo run --release --example philosophers -- 2^20000     2^20000 of them, folded
//! cargo run --release --example philosophers -- 50 flat     without hierarchy
//! ```

#[path = "../models/mod.rs"]
mod models;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::time::Instant;

use mandala_diagram::{Error, Store, Strategy};
use models::{Model, philosophers};

const USAGE: &str = "usage: philosophers N | 2^N | N flat    (N from 1 on; the folded ones up to 2^100000)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut store = Store::new();
    let start = Instant::now();
    let model = match arguments[..] {
        ["-h" | "--help"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        [] => philosophers::ring(&mut store, 1000),
        [n] => match (n.strip_prefix("2^").map(str::parse), n.parse()) {
            (Some(Ok(exponent @ 0..=100_000)), _) => philosophers::folded(&mut store, exponent),
            (None, Ok(n @ 1..)) => philosophers::ring(&mut store, n),
            _ => return refuse(n),
        },
        [n, "flat"] => match n.parse() {
            Ok(n @ 1..) => philosophers::flat(&mut store, n),
            _ => return refuse(n),
        },
        _ => return refuse(&arguments.join(" ")),
    };
    match model.and_then(|model| report(&mut store, &model, start)) {
        // Whoever reads the output may have seen enough of it: that is no failure.
        Ok(text) => match std::io::stdout().write_all(text.as_bytes()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
            _ => ExitCode::SUCCESS,
        },
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

fn refuse(what: &str) -> ExitCode {
    eprintln!("error: `{what}` is not a number of philosophers\n{USAGE}");
    ExitCode::from(2)
}

fn report(store: &mut Store, model: &Model, start: Instant) -> Result<String, Error> {
    let states = store.reachable(&model.initial, &model.transitions, Strategy::Saturation)?;
    let seconds = start.elapsed().as_secs_f64();
    let (size, statistics) = (store.size(&states), store.statistics());
    Ok(format!(
        "states   {}\nnodes    {} in the end, {} at the peak\nmemory   {:.1} MiB\nseconds  {seconds:.3}\n",
        store.count(&states),
        size.nodes,
        statistics.peak_nodes,
        statistics.peak_bytes as f64 / f64::from(1 << 20),
    ))
}
