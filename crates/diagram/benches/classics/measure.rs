//! One run, measured in a process of its own, so that peak memory is that of the run.

use super::runs::{Run, strategy_name};
use crate::models::states::EXACTNESS;
use mandala_diagram::{Error, Limits, Store};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The argument that makes this program measure one run and write the measurement.
pub const MEASURE: &str = "--measure";
/// What a closure may take.
const MAX_SECONDS: u64 = 60;
const MAX_GIBIBYTES: usize = 4;
/// A run of less than a second is measured this often, and the fastest counts.
const TRIES: usize = 3;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Right,
    /// The number of states is not what the formula says.
    Wrong,
    OutOfTime,
    OutOfMemory,
}

impl Ending {
    const ALL: [Ending; 4] = [Ending::Right, Ending::Wrong, Ending::OutOfTime, Ending::OutOfMemory];
}

/// What was measured.
pub struct Measurement {
    pub ending: Ending,
    /// Empty if the closure did not finish, as is `nodes`.
    states: String,
    pub nodes: String,
    build_seconds: f64,
    closure_seconds: f64,
    /// The most memory that the process had when the closure was finished, if the system says so.
    resident_bytes: Option<usize>,
    store_bytes: usize,
    pub peak_nodes: usize,
    pub made_nodes: u64,
    pub collections: u64,
    node_bytes: usize,
}

impl Measurement {
    /// Measures a run in this process.
    fn take(run: &Run) -> Result<Measurement, Error> {
        let mut store = Store::new();
        let start = Instant::now();
        let model = run.build(&mut store)?;
        let build_seconds = start.elapsed().as_secs_f64();

        let deadline = Instant::now() + Duration::from_secs(MAX_SECONDS);
        store.set_limits(Limits { memory: Some(MAX_GIBIBYTES << 30), deadline: Some(deadline), work: None });
        let start = Instant::now();
        let result = store.reachable(&model.initial, &model.transitions, run.strategy);
        let closure_seconds = start.elapsed().as_secs_f64();

        let resident_bytes = peak_resident_bytes();
        let statistics = store.statistics();
        let (ending, states, nodes) = match result {
            Ok(set) => {
                let (states, expected) = (store.count_to(&set, EXACTNESS), run.states());
                // All digits that are known: those of the logarithm if the number is huge.
                let right = format!("{states:#.20}") == format!("{expected:#.20}");
                let ending = if right { Ending::Right } else { Ending::Wrong };
                (ending, states.to_string(), store.size(&set).nodes.to_string())
            }
            Err(Error::Time { .. }) => (Ending::OutOfTime, String::new(), String::new()),
            Err(Error::Memory { .. }) => (Ending::OutOfMemory, String::new(), String::new()),
            Err(error) => return Err(error),
        };
        Ok(Measurement {
            ending,
            states,
            nodes,
            build_seconds,
            closure_seconds,
            resident_bytes,
            store_bytes: statistics.peak_bytes,
            peak_nodes: statistics.peak_nodes,
            made_nodes: statistics.made_nodes,
            collections: statistics.collections,
            node_bytes: statistics.node_bytes,
        })
    }

    /// Measures a run in this process and writes what was measured for the process that asked.
    pub fn write(run: &Run) -> Result<(), Error> {
        let m = Measurement::take(run)?;
        println!("{:?}\t{}\t{}\t{}\t{}", m.ending, m.states, m.nodes, m.build_seconds, m.closure_seconds);
        let resident = m.resident_bytes.map_or(String::new(), |bytes| bytes.to_string());
        println!("{resident}\t{}\t{}\t{}", m.store_bytes, m.peak_nodes, m.made_nodes);
        println!("{}\t{}", m.collections, m.node_bytes);
        Ok(())
    }

    fn read(text: &str) -> Option<Measurement> {
        let mut fields = text.split(['\t', '\n']);
        let ending = fields.next()?;
        Some(Measurement {
            ending: Ending::ALL.into_iter().find(|known| format!("{known:?}") == ending)?,
            states: fields.next()?.to_string(),
            nodes: fields.next()?.to_string(),
            build_seconds: fields.next()?.parse().ok()?,
            closure_seconds: fields.next()?.parse().ok()?,
            resident_bytes: fields.next()?.parse().ok(),
            store_bytes: fields.next()?.parse().ok()?,
            peak_nodes: fields.next()?.parse().ok()?,
            made_nodes: fields.next()?.parse().ok()?,
            collections: fields.next()?.parse().ok()?,
            node_bytes: fields.next()?.parse().ok()?,
        })
    }

    /// Measures a run in a process of its own; an error is what to say in its place.
    pub fn of(run: &Run) -> Result<Measurement, String> {
        let mut best = Measurement::in_child(run)?;
        for _ in 1..TRIES {
            if best.closure_seconds < 1.0 {
                let again = Measurement::in_child(run)?;
                if again.closure_seconds < best.closure_seconds {
                    best = again;
                }
            }
        }
        Ok(best)
    }

    fn in_child(run: &Run) -> Result<Measurement, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let arguments = [MEASURE, &run.name(), strategy_name(run.strategy)];
        let child = Command::new(program).args(arguments).stderr(Stdio::inherit()).output();
        let output = child.map_err(|error| error.to_string())?;
        let measurement = Measurement::read(&String::from_utf8_lossy(&output.stdout));
        measurement.ok_or_else(|| format!("died: {}", output.status))
    }

    pub fn states(&self) -> String {
        match self.ending {
            Ending::Wrong => format!("WRONG: {}", self.states),
            _ => self.states.clone(),
        }
    }

    pub fn build(&self) -> String {
        format!("{:.4}", self.build_seconds)
    }

    pub fn closure(&self) -> String {
        match self.ending {
            Ending::Right | Ending::Wrong => format!("{:.4}", self.closure_seconds),
            Ending::OutOfTime => format!("> {MAX_SECONDS} s"),
            Ending::OutOfMemory => format!("> {MAX_GIBIBYTES} GiB"),
        }
    }

    pub fn resident_mebibytes(&self) -> String {
        self.resident_bytes.map_or(String::new(), mebibytes)
    }

    pub fn store_mebibytes(&self) -> String {
        mebibytes(self.store_bytes)
    }

    /// What is allocated for nodes, arcs and the table that finds them, for each of the most nodes that
    /// there were.
    pub fn bytes_a_node(&self) -> String {
        format!("{:.0}", self.node_bytes as f64 / self.peak_nodes as f64)
    }
}

fn mebibytes(bytes: usize) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}

/// The most memory that this process had so far.
fn peak_resident_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}
