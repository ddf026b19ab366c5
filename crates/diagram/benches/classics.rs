//! The models of the SDD paper: states, seconds, memory and nodes.
//!
//! ```text
//! cargo bench -p mandala-diagram --bench classics -- [FILTER]... [--strategy NAME] [--markdown]
//! ```
//!
//! Runs the models whose name contains one of the filters, all of them without a filter. Progress goes
//! to standard error. `--markdown` writes the tables of `docs/benchmarks.md`. Every number of states is
//! compared with a formula; if one is wrong, the exit code is 1.

#[path = "classics/measure.rs"]
mod measure;
#[path = "../models/mod.rs"]
mod models;
#[path = "classics/paper.rs"]
mod paper;
#[path = "classics/runs.rs"]
mod runs;
#[path = "common/table.rs"]
mod table;

use mandala_diagram::Strategy;
use measure::{Ending, MEASURE, Measurement};
use runs::{Run, strategy_name, strategy_named};
use std::process::ExitCode;
use table::{Column, Layout, Table};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == MEASURE) {
        return measure_one(&arguments[1..]);
    }
    // `cargo test --benches` runs this program without `--bench`, and wants nothing measured.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    match Options::parse(&arguments) {
        Ok(options) => measure_all(&options),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// What to run and how to write it.
struct Options {
    filters: Vec<String>,
    strategy: Option<Strategy>,
    layout: Layout,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options { filters: Vec::new(), strategy: None, layout: Layout::Aligned };
        let mut arguments = arguments.iter().map(String::as_str);
        while let Some(argument) = arguments.next() {
            match argument {
                "--bench" => {}
                "--markdown" => options.layout = Layout::Markdown,
                "--strategy" => {
                    let name = arguments.next().unwrap_or_default();
                    let known = Strategy::ALL.map(strategy_name).join(", ");
                    let strategy = strategy_named(name).ok_or(format!("no strategy '{name}': there are {known}"))?;
                    options.strategy = Some(strategy);
                }
                flag if flag.starts_with('-') => {
                    return Err(format!("unknown option {flag}: [FILTER]... [--strategy NAME] [--markdown]"));
                }
                filter => options.filters.push(filter.to_string()),
            }
        }
        Ok(options)
    }

    fn select(&self, name: &str, strategy: Strategy) -> bool {
        self.strategy.is_none_or(|only| only == strategy)
            && (self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter)))
    }
}

fn measure_one(arguments: &[String]) -> ExitCode {
    let run = match arguments {
        [name, strategy] => strategy_named(strategy).and_then(|strategy| Run::find(name, strategy)),
        _ => None,
    };
    match run.as_ref().map(Measurement::write) {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
        None => ExitCode::from(2),
    }
}

fn measure_all(options: &Options) -> ExitCode {
    let runs: Vec<Run> = Run::all().filter(|run| options.select(&run.name(), run.strategy)).collect();
    let table = table(options.layout);
    if options.layout == Layout::Aligned {
        table.header();
    }
    let (mut measured, mut failures) = (Vec::new(), 0);
    for (i, run) in runs.iter().enumerate() {
        let title = format!("{} by {}", run.name(), strategy_name(run.strategy));
        eprintln!("[{}/{}] {title}", i + 1, runs.len());
        match Measurement::of(run) {
            Ok(measurement) => {
                if measurement.ending == Ending::Wrong {
                    failures += 1;
                    eprintln!("WRONG: {title} should have {} states", run.states());
                }
                if options.layout == Layout::Aligned {
                    table.row(&cells(run, &measurement));
                }
                measured.push((*run, measurement));
            }
            Err(message) => {
                failures += 1;
                eprintln!("FAILED: {title}: {message}");
            }
        }
    }
    if options.layout == Layout::Markdown {
        let select = |name: &str, strategy| options.select(name, strategy);
        paper::compare("Table 1: hierarchy and saturation", &paper::TABLE_1, &measured, select);
        paper::compare("Table 2: recursive folding", &paper::TABLE_2, &measured, select);
        println!("### All runs\n");
        table.header();
        measured.iter().for_each(|(run, measurement)| table.row(&cells(run, measurement)));
    }
    ExitCode::from(u8::from(failures > 0))
}

fn table(layout: Layout) -> Table<12> {
    Table {
        layout,
        columns: [
            Column::Left("model", 27),
            Column::Left("strategy", 13),
            Column::Right("states", 28),
            Column::Right("build s", 8),
            Column::Right("closure s", 9),
            Column::Right("RSS MiB", 8),
            Column::Right("store MiB", 9),
            Column::Right("final nodes", 11),
            Column::Right("peak nodes", 10),
            Column::Right("nodes made", 10),
            Column::Right("collections", 11),
            Column::Right("bytes/node", 10),
        ],
    }
}

fn cells(run: &Run, measurement: &Measurement) -> [String; 12] {
    [
        run.name(),
        strategy_name(run.strategy).to_string(),
        measurement.states(),
        measurement.build(),
        measurement.closure(),
        measurement.resident_mebibytes(),
        measurement.store_mebibytes(),
        measurement.nodes.clone(),
        measurement.peak_nodes.to_string(),
        measurement.made_nodes.to_string(),
        measurement.collections.to_string(),
        measurement.bytes_a_node(),
    ]
}
