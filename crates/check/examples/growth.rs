//! How the cost of symbolic markings grows with the classes: a table for each model, for each engine, up to some seconds of
//! processor time (where the system tells it; of the clock elsewhere) and 3 GiB.
//!
//! ```text
//! cargo run --release -p mandala-check --example growth                       # all, 60 seconds for each figure
//! cargo run --release -p mandala-check --example growth -- 5 database sets    # 5 seconds, one model, one engine
//! ```
//!
//! Rows are sizes, columns are engines: seconds and MiB for the markings, `-` where the engine does not do the net, `>` where
//! time or memory was over; larger sizes are then not tried by this engine.

use mandala_analysis::coloured::partition::{Initial, Source};
use mandala_check::explicit::Ended;
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::{Options, QuotientChoice};
use mandala_check::quotient::counted::{count, explore_counted};
use mandala_check::{markings, sets, tensors};
use mandala_model::coloured::{ColouredNet, sn, unfold};
use mandala_symbolic::marking::SymbolicNet;
use mandala_symbolic::marking::sets::Stopped;
use mandala_symbolic::tensors::CannotTensor;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const ENGINES: [&str; 4] = ["list", "sets", "counting", "tensors"];

/// Name, file, and the constants for a size.
type Family = (&'static str, &'static str, fn(i32) -> Vec<(&'static str, i32)>, &'static [i32]);

const FAMILIES: [Family; 7] = [
    ("sale store, P = n, G = 2 n", "sale-store.sn", |n| vec![("P", n), ("G", 2 * n)], &[5, 10, 20, 40, 80]),
    ("sale store, P = 5, G = n", "sale-store.sn", |n| vec![("P", 5), ("G", n)], &[10, 1000, 100_000, 10_000_000]),
    ("waves, N = n", "waves.sn", |n| vec![("N", n)], &[10, 100, 300, 1000, 3000, 10_000]),
    ("database, N = n", "database.sn", |n| vec![("N", n)], &[10, 100, 700, 3000, 10_000, 100_000]),
    ("clients and servers, C = S = n", "client-server.sn", |n| vec![("C", n), ("S", n)], &[5, 9, 12, 16, 20, 30, 40]),
    ("Peterson, N = n", "peterson.sn", |n| vec![("N", n)], &[5, 8, 10, 12, 14, 16]),
    ("philosophers in a ring, N = n", "philosophers.sn", |n| vec![("N", n)], &[4, 6, 8, 10, 12]),
];

/// Bytes that an engine may take.
const MOST_BYTES: usize = 3 << 30;

/// What an engine did.
enum Outcome {
    Done { markings: String, bytes: u64 },
    Over,
    Refused,
}

/// Seconds of processor time that this process has used, or seconds since some moment.
fn clock(start: Instant) -> f64 {
    let used = || {
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        // What comes after the name of the program, which may have spaces: hundredths of seconds, at 12 and 13.
        let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
        let mut next = || fields.next()?.parse::<f64>().ok();
        Some((next()? + next()?) / 100.0)
    };
    used().unwrap_or_else(|| start.elapsed().as_secs_f64())
}

fn main() {
    let (mut seconds, mut wanted) = (60.0, Vec::new());
    for argument in std::env::args().skip(1) {
        match argument.parse() {
            Ok(number) => seconds = number,
            Err(_) => wanted.push(argument),
        }
    }
    let is_engine = |word: &&String| ENGINES.contains(&word.as_str());
    let engines: Vec<&str> = match wanted.iter().filter(is_engine).count() {
        0 => ENGINES.to_vec(),
        _ => ENGINES.into_iter().filter(|engine| wanted.iter().any(|word| word == engine)).collect(),
    };
    let names: Vec<&String> = wanted.iter().filter(|word| !is_engine(word)).collect();
    for (name, file, defines, sizes) in FAMILIES {
        if !names.is_empty() && !names.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        println!("\n| {name} | symbolic markings | {} |", engines.join(" | "));
        println!("|---:|---:|{}", "---:|".repeat(engines.len()));
        let mut over = vec![false; engines.len()];
        for &size in sizes {
            let net = model(file, &defines(size));
            let (mut found, mut cells) = (None, Vec::new());
            for (engine, over) in engines.iter().zip(&mut over) {
                if *over {
                    cells.push(String::new());
                    continue;
                }
                let (outcome, used) = measured(engine, &net, seconds);
                cells.push(match outcome {
                    Outcome::Done { markings, bytes } => {
                        found.get_or_insert(markings);
                        format!("{used:.2} s, {} MiB", bytes.div_ceil(1 << 20))
                    }
                    Outcome::Over => {
                        *over = true;
                        if used < seconds { "> 3 GiB".to_owned() } else { format!("> {seconds} s") }
                    }
                    Outcome::Refused => "-".to_owned(),
                });
            }
            println!("| {size} | {} | {} |", found.unwrap_or_default(), cells.join(" | "));
        }
    }
}

fn model(file: &str, defines: &[(&str, i32)]) -> ColouredNet {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(file);
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let defines: Vec<(String, i32)> = defines.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    sn::read(file, &text, &defines).unwrap_or_else(|problems| panic!("{problems}")).net
}

/// Lets an engine run for so many seconds, and says how many it took.
fn measured(engine: &str, net: &ColouredNet, seconds: f64) -> (Outcome, f64) {
    let begin = Instant::now();
    let start = clock(begin);
    let limits = Limits { memory: Some(MOST_BYTES), ..Limits::default() };
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10));
                if clock(begin) - start >= seconds {
                    limits.cancel.cancel();
                }
            }
        });
        let outcome = run(engine, net, &limits);
        is_done.store(true, Ordering::Relaxed);
        (outcome, clock(begin) - start)
    })
}

fn run(engine: &str, net: &ColouredNet, limits: &Limits) -> Outcome {
    let done = |markings: String, bytes: u64| Outcome::Done { markings, bytes };
    let symbolic = || SymbolicNet::new(net, Source::Found, Initial::Matters, &[]).ok();
    match engine {
        "list" => {
            let Some(symbolic) = symbolic() else { return Outcome::Refused };
            let counted = markings::count(&symbolic, 1, limits, &Progress::default());
            match counted.ended {
                Ended::Complete => done(counted.markings.to_string(), counted.bytes),
                _ => Outcome::Over,
            }
        }
        "sets" => {
            let Some(symbolic) = symbolic() else { return Outcome::Refused };
            match sets::explore(&symbolic, limits) {
                Ok((found, bytes)) => done(format!("{:#}", found.markings), bytes as u64),
                Err(Stopped::Limit(..)) => Outcome::Over,
                Err(_) => Outcome::Refused,
            }
        }
        "counting" => {
            let go_on = |_: &unfold::Progress| !limits.cancel.is_cancelled();
            let Ok(counted) = count(net, &unfold::Limits { go_on: &go_on, ..unfold::Limits::default() }) else {
                return Outcome::Refused;
            };
            let options = Options { quotient: QuotientChoice::Automatic, limits: limits.clone(), ..Options::default() };
            match explore_counted(&counted, &options) {
                Ok(found) if found.stopped.is_some() => Outcome::Over,
                Ok(found) => done(format!("{:#}", found.symbolic), found.space.peak_bytes as u64),
                Err(_) => Outcome::Over,
            }
        }
        _ => match tensors::explore(net, limits) {
            Ok(found) => done(format!("{:#}", found.count), found.peak_bytes as u64),
            Err(CannotTensor::Limit(_)) => Outcome::Over,
            Err(_) => Outcome::Refused,
        },
    }
}
