//! What exploration state by state would reach on many hosts, on paper, from constants that are measured on one machine.
//!
//! ```sh
//! cargo run --release -p mandala-check --example hosts
//! ```
//!
//! A host expands so many states per second; of the successors of a state that are left when those that were sent a moment ago
//! are left out, all but one of h travel to another host, which costs work on both sides. What a link carries bounds that, and
//! each level ends with letters from everybody to everybody. What is not known from one machine (switches, hosts of different
//! speed) is not in it.

/// What was measured of a model.
struct Measured {
    name: &'static str,
    /// Bytes of a packed state.
    packed: f64,
    /// Bytes of memory for each state.
    kept: f64,
    /// Successors of a state.
    successors: f64,
    /// Which part of them is sent, because the worker has not sent them a moment ago, by the number of workers.
    sent: [(f64, f64); 3],
    /// States per processor second of two workers.
    rate: f64,
    levels: f64,
}

/// As docs/benchmarks.md has it, in "State by state, by several workers".
const MODELS: [Measured; 3] = [
    Measured {
        name: "Solitaire-PT-SqrNC5x5",
        packed: 8.0,
        kept: 16.4,
        successors: 13.3,
        // With more than two workers it was not measured: these are those of the next one.
        sent: [(2.0, 0.85), (8.0, 0.87), (32.0, 0.96)],
        rate: 0.75e6,
        levels: 22.0,
    },
    Measured {
        name: "Kanban-PT-00005",
        packed: 8.0,
        kept: 15.0,
        successors: 9.6,
        sent: [(2.0, 0.56), (8.0, 0.87), (32.0, 0.96)],
        rate: 1.72e6,
        levels: 71.0,
    },
    Measured {
        name: "telephony.3",
        packed: 16.0,
        kept: 24.2,
        successors: 4.1,
        sent: [(2.0, 0.85), (8.0, 0.94), (32.0, 0.97)],
        rate: 1.11e6,
        levels: 62.0,
    },
];

/// Processor seconds for each byte that goes from process to process, of both together.
const TCP: f64 = 8e-9;
/// Seconds that a level takes besides its states, for each process that takes part, and those of a journey there and back.
const LEVEL: f64 = 0.3e-3;
const ROUND_TRIP: f64 = 0.2e-3;
/// How many states there are.
const STATES: f64 = 1e10;
/// Of the bits of a link, so many carry states.
const USED: f64 = 0.9;
const GIGABIT: f64 = 1e9 / 8.0;

/// What a number of workers sends, between those that were measured; beyond the last, that of the last.
fn sent(model: &Measured, workers: f64) -> f64 {
    let pairs = model.sent.windows(2).find(|pair| workers <= pair[1].0);
    let Some([(few, less), (many, more)]) = pairs else { return model.sent[model.sent.len() - 1].1 };
    let way = ((workers / few).ln() / (many / few).ln()).clamp(0.0, 1.0);
    less + (more - less) * way
}

fn main() {
    println!("{STATES:.0e} states, two workers on each host");
    println!();
    println!(
        "| model | hosts | GB per host | link | MB/s per host | million states/s | speed of one host times | hours | bound by |"
    );
    println!("|---|---:|---:|---|---:|---:|---:|---:|---|");
    for model in &MODELS {
        let alone = 2.0 * model.rate;
        for hosts in [4.0, 16.0, 64.0_f64] {
            for (link, gigabits) in [("1 Gbit/s", 1.0), ("10 Gbit/s", 10.0)] {
                let travelling = model.successors * sent(model, 2.0 * hosts) * (hosts - 1.0) / hosts;
                let bytes = travelling * model.packed;
                let by_work = 2.0 / (1.0 / model.rate + bytes * TCP);
                let by_link = gigabits * GIGABIT * USED / bytes;
                let rate = by_work.min(by_link);
                // A round of letters from all to all ends a level twice: states are counted, and are all there.
                let ends = model.levels * 2.0 * (LEVEL * hosts + ROUND_TRIP);
                let seconds = STATES / (rate * hosts) + ends;
                let total = STATES / seconds;
                let bound = if by_work <= by_link { "work" } else { "link" };
                println!(
                    "| {} | {hosts:.0} | {:.1} | {link} | {:.0} | {:.1} | {:.1} | {:.2} | {bound} |",
                    model.name,
                    STATES * model.kept / hosts / 1e9,
                    rate * bytes / 1e6,
                    total / 1e6,
                    total / alone,
                    seconds / 3600.0,
                );
            }
        }
    }
}
