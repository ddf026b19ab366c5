//! Where the time of a formula goes: to reaching the states, translating the formula, computing fixpoints, finding traces.
//!
//! `cargo run --release -p mandala-check --example formulas -- ../shared/models/mcc-pt`
//!
//! For each net of the Model Checking Contest in a folder with files of properties, and each file: how long it takes to
//! reach the states (once for all files), to make automata of the formulas of LTL, to decide all formulas without traces,
//! and to find a trace for each that has one. A trace is what a second answer with traces takes longer than a second
//! answer without, which finds most of its work done. The last line has all of it, and the shares.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mandala_check::answer::{Answer, Traces, Verdict};
use mandala_check::claim::Forbidden;
use mandala_check::explore::explore;
use mandala_check::limits::Limits;
use mandala_check::options::Options;
use mandala_check::space::SystemSpace;
use mandala_model::net::pnml;
use mandala_model::property::contest::{self, Logic};
use mandala_model::property::{Property, Question};
use mandala_model::system::{System, Type};

const USAGE: &str = "\
usage: formulas [--seconds N] [--only PART] FOLDER

FOLDER has a folder for each net, with `model.pnml` and files of properties.

  --seconds N   time for each net (60)
  --only PART   only nets with PART in their name
";

/// The examinations, in the order in which their files are asked.
const FILES: [&str; 7] = [
    "UpperBounds",
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
];

/// What the formulas of a file took.
#[derive(Clone, Copy, Default)]
struct Costs {
    formulas: usize,
    unknown: usize,
    translation: Duration,
    fixpoints: Duration,
    traces: Duration,
}

impl Costs {
    fn add(&mut self, other: Costs) {
        self.formulas += other.formulas;
        self.unknown += other.unknown;
        self.translation += other.translation;
        self.fixpoints += other.fixpoints;
        self.traces += other.traces;
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = write!(io::stderr(), "{message}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let (mut seconds, mut only, mut folder) = (60, String::new(), None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--seconds" => seconds = value()?.parse().map_err(|_| "no time in seconds".to_owned())?,
            "--only" => only = value()?,
            path => folder = Some(PathBuf::from(path)),
        }
    }
    let folder = folder.ok_or("no folder was given")?;
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut nets: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    nets.retain(|net| FILES.iter().any(|file| net.join(format!("{file}.xml")).is_file()));
    nets.retain(|net| net.to_string_lossy().contains(&only));
    nets.sort();
    match table(&nets, Duration::from_secs(seconds)) {
        // Whoever reads the table may stop reading.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}

fn table(nets: &[PathBuf], time: Duration) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "| net | file | formulas | unknown | reachability s | translation s | fixpoints s | traces s |")?;
    writeln!(out, "|---|---|---:|---:|---:|---:|---:|---:|")?;
    let (mut reachability, mut all) = (Duration::ZERO, Costs::default());
    for net in nets {
        let name = net.file_name().unwrap_or_default().to_string_lossy();
        let system = match system(net) {
            Ok(system) => system,
            Err(reason) => {
                writeln!(out, "| {name} | cannot be read: {reason} |")?;
                continue;
            }
        };
        let start = Instant::now();
        let options =
            Options { limits: Limits { deadline: start.checked_add(time), ..Limits::default() }, ..Options::default() };
        let mut space = match explore(&system, &options) {
            Ok(space) => space,
            Err(stopped) => {
                writeln!(out, "| {name} | {stopped} |")?;
                continue;
            }
        };
        let reached = start.elapsed();
        reachability += reached;
        for file in FILES {
            let Ok(text) = std::fs::read_to_string(net.join(format!("{file}.xml"))) else { continue };
            let Ok(properties) = contest::read(file, &text, &system, Logic::of_file(file)) else { continue };
            let costs = costs(&mut space, &properties);
            writeln!(out, "| {name} | {file} | {} |", cells(reached, costs))?;
            out.flush()?;
            all.add(costs);
        }
    }
    writeln!(out, "| all | | {} |", cells(reachability, all))?;
    let parts = [reachability, all.translation, all.fixpoints, all.traces];
    let total: f64 = parts.iter().map(Duration::as_secs_f64).sum();
    let shares = parts.map(|part| format!("{:.0} %", 100.0 * part.as_secs_f64() / total.max(f64::MIN_POSITIVE)));
    writeln!(out, "| share | | | | {} |", shares.join(" | "))
}

fn cells(reached: Duration, costs: Costs) -> String {
    let times = [reached, costs.translation, costs.fixpoints, costs.traces];
    let times = times.map(|time| format!("{:.3}", time.as_secs_f64()));
    format!("{} | {} | {}", costs.formulas, costs.unknown, times.join(" | "))
}

fn system(folder: &Path) -> Result<System, String> {
    let text = std::fs::read_to_string(folder.join("model.pnml")).map_err(|error| error.to_string())?;
    let net = pnml::read("model.pnml", &text).map_err(|error| error.to_string())?;
    Ok(System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] })
}

/// What it takes to answer all questions of a file.
fn costs(space: &mut SystemSpace<'_>, properties: &[Property]) -> Costs {
    let mut costs = Costs { formulas: properties.len(), ..Costs::default() };
    for Property { question, .. } in properties {
        let start = Instant::now();
        let forbidden = match question {
            Question::Ltl(formula) => Forbidden::against(formula).ok(),
            _ => None,
        };
        costs.translation += start.elapsed();
        let mut answer = |traces: Traces| -> (Answer, Duration) {
            let start = Instant::now();
            let answer = match &forbidden {
                Some(forbidden) => space.answer_forbidden(forbidden, traces),
                None => space.answer(question, traces),
            };
            (answer, start.elapsed())
        };
        let (first, decided) = answer(Traces::Unwanted);
        costs.fixpoints += decided;
        costs.unknown += usize::from(matches!(first.verdict, Verdict::Unknown(_)));
        let (_, again) = answer(Traces::Unwanted);
        let (_, shown) = answer(Traces::Wanted);
        costs.traces += shown.saturating_sub(again);
    }
    costs
}
