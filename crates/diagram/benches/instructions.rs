//! Instruction counts under callgrind: a yardstick that does not depend on what else the machine does.
//!
//! ```text
//! cargo bench -p mandala-diagram --bench instructions -- [FILTER]... [--markdown] [--keep]
//! ```
//!
//! Each model is built, closed by saturation, counted and printed in a process of its own. The counts
//! are compared with those kept in `benches/instructions.txt`; if one is more than 5 % worse, the exit
//! code is 1. `--keep` keeps the new counts.

#[path = "../models/mod.rs"]
mod models;
#[path = "common/table.rs"]
mod table;

use mandala_diagram::{Error, Store, Strategy};
use models::{Model, fms, kanban, philosophers, slotted_ring, states::EXACTNESS};
use std::process::{Command, ExitCode};
use table::{Column, Layout, Table};

/// The argument that makes this program run one model.
const RUN: &str = "--run";
const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.txt");
/// A count that is worse than the one kept by more than this is an error.
const MAX_PERCENT: f64 = 5.0;

type Build = fn(&mut Store) -> Result<Model, Error>;
type Failure = Box<dyn std::error::Error>;

static MODELS: [(&str, Build); 6] = [
    ("philosophers folded 2^1000", |store| philosophers::folded(store, 1000)),
    ("philosophers 1000", |store| philosophers::ring(store, 1000)),
    ("slotted ring 50", |store| slotted_ring::hierarchical(store, 50)),
    ("kanban 100", |store| kanban::hierarchical(store, 100)),
    ("fms 50", |store| fms::hierarchical(store, 50)),
    ("slotted ring flat 10", |store| slotted_ring::flat(store, 10)),
];

fn main() -> Result<ExitCode, Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, name] = arguments.as_slice()
        && first == RUN
    {
        return run(name);
    }
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    // `cargo test --benches` runs this program without `--bench`, and wants nothing measured.
    if !has("--bench") {
        return Ok(ExitCode::SUCCESS);
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("Nothing was measured: this needs valgrind, which is the package 'valgrind' of most systems.");
        return Ok(ExitCode::SUCCESS);
    }
    let filters: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let layout = if has("--markdown") { Layout::Markdown } else { Layout::Aligned };

    let mut kept = read_kept()?;
    let selected = |line: &&mut Kept| filters.is_empty() || filters.iter().any(|filter| line.name.contains(*filter));
    let worst = measure(kept.iter_mut().filter(selected), layout)?;
    if has("--keep") {
        write_kept(&kept)?;
    } else if worst > MAX_PERCENT {
        eprintln!("worse than what is kept in {KEPT}; if that is meant to be, keep it with --keep");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// What callgrind counts.
fn run(name: &str) -> Result<ExitCode, Failure> {
    let (_, build) = MODELS.iter().find(|(known, _)| *known == name).ok_or("no such model")?;
    let mut store = Store::new();
    let model = build(&mut store)?;
    let states = store.reachable(&model.initial, &model.transitions, Strategy::Saturation)?;
    println!("{}", store.count_to(&states, EXACTNESS));
    Ok(ExitCode::SUCCESS)
}

/// Millions of instructions of a run.
fn count(name: &str) -> Result<f64, Failure> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    let output = valgrind.arg(std::env::current_exe()?).args([RUN, name]).output()?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let collected = messages.lines().find_map(|line| line.split_once("Collected :"));
    match collected {
        Some((_, instructions)) if output.status.success() => Ok(instructions.trim().parse::<f64>()? / 1e6),
        _ => Err(messages.into()),
    }
}

/// A line of the file: a model, and its millions of instructions.
struct Kept {
    name: String,
    millions: f64,
    /// Those of the prototype from which this library took its algorithms.
    lab: f64,
}

fn read_kept() -> Result<Vec<Kept>, Failure> {
    let mut kept = Vec::new();
    for line in std::fs::read_to_string(KEPT)?.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.rsplitn(3, '\t');
        let mut word = || words.next().ok_or(format!("{KEPT}: '{line}' is not a name and two numbers"));
        let (lab, millions, name) = (word()?, word()?, word()?);
        kept.push(Kept { name: name.to_string(), millions: millions.parse()?, lab: lab.parse()? });
    }
    Ok(kept)
}

fn write_kept(kept: &[Kept]) -> Result<(), Failure> {
    let mut text = "# name, millions of instructions now, those of the lab's prototype\n".to_string();
    for Kept { name, millions, lab } in kept {
        text += &format!("{name}\t{millions:.2}\t{lab:.1}\n");
    }
    Ok(std::fs::write(KEPT, text)?)
}

/// Counts the instructions of models anew; what is kept changes to it. Returns the worst change in
/// percent.
fn measure<'a>(kept: impl Iterator<Item = &'a mut Kept>, layout: Layout) -> Result<f64, Failure> {
    let columns = [
        Column::Left("model", 27),
        Column::Right("millions now", 12),
        Column::Right("kept", 8),
        Column::Right("change", 8),
        Column::Right("lab", 8),
        Column::Right("now/lab", 8),
    ];
    let table = Table { layout, columns };
    table.header();
    let mut worst = f64::NEG_INFINITY;
    for line in kept {
        eprintln!("{}", line.name);
        let now = count(&line.name)?;
        let change = (now / line.millions - 1.0) * 100.0;
        worst = worst.max(change);
        table.row(&[
            line.name.clone(),
            format!("{now:.1}"),
            format!("{:.1}", line.millions),
            format!("{change:+.1} %"),
            format!("{:.1}", line.lab),
            format!("{:.2}", now / line.lab),
        ]);
        line.millions = now;
    }
    Ok(worst)
}
