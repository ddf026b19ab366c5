//! Models with known answers, one after the other: which are right, wrong, out of time or memory, in a table.
//!
//! `cargo run --release -p mandala --example conformance -- --seconds 60 --memory 4 ../shared/models/mcc-pt`

#[path = "../tests/common/conformance/mod.rs"]
mod conformance;
#[path = "../../check/tests/common/shared.rs"]
mod shared;

use conformance::{Answer, Limits, Outcome, Report, Scope, models};
use mandala::{Options, Order, Strategy};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
usage: conformance [OPTIONS] FOLDER...

FOLDER is mcc-pt, mcc-pt-large, mcc-pt-hard, mcc-pt-formulas, mcc-col, mcc-col-large, gal, beem-dve or beem-dve-large, with the
table of what is
expected beside it.

  --seconds N     time for each model (60)
  --memory N      GiB for each model (4); diagrams get three quarters
  --only PART     only models with PART in their name
  --states        only the number of states
  --ltl           only formulas of LTL
  --strategy NAME saturation (default), chaining or bfs
  --order NAME    the order of variables (auto); see `mandala info`
  --sort          the slowest first, when all are done
  --markdown      the table as markdown

Peaks of memory are those of the process: what earlier models left to the allocator is part of them.
Exit status: 0 if nothing is wrong, 1 if something is, 2 if the run was not possible.
";

struct Arguments {
    limits: Limits,
    only: String,
    scope: Scope,
    way: Options,
    sorted: bool,
    style: Style,
    folders: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Text,
    Markdown,
}

/// Why the run ended early.
enum Failure {
    /// The command line says something that cannot be done.
    Usage(String),
    /// Nobody reads on, or nothing can be written.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

fn main() -> ExitCode {
    let mut nothing_wrong = true;
    let result = match run(&mut nothing_wrong) {
        // Whoever reads the table may stop reading.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    };
    match result {
        Ok(()) if nothing_wrong => ExitCode::SUCCESS,
        Ok(()) => ExitCode::from(1),
        Err(Failure::Output(error)) => {
            let _ = writeln!(io::stderr(), "cannot write: {error}");
            ExitCode::from(2)
        }
        Err(Failure::Usage(message)) => {
            let _ = write!(io::stderr(), "{message}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Examines the models and prints the tables; notes on the way if something is wrong.
fn run(nothing_wrong: &mut bool) -> Result<(), Failure> {
    let arguments = Arguments::read(std::env::args().skip(1)).map_err(Failure::Usage)?;
    for folder in &arguments.folders {
        let models = models(folder, &arguments.only);
        if models.is_empty() {
            let message = format!("{}: no model, or no table of what is expected beside the folder", folder.display());
            return Err(Failure::Usage(message));
        }
        let mut out = io::stdout();
        write!(out, "{}", header(arguments.style))?;
        let mut reports = Vec::with_capacity(models.len());
        for model in &models {
            let report = model.examine_by(&arguments.way, arguments.limits, arguments.scope);
            *nothing_wrong &= report.outcome() != Outcome::Wrong;
            if !arguments.sorted {
                write!(out, "{}", row(&report, arguments.style))?;
                out.flush()?;
            }
            reports.push(report);
        }
        if arguments.sorted {
            reports.sort_by_key(|report| Reverse(report.time));
            for report in &reports {
                write!(out, "{}", row(report, arguments.style))?;
            }
        }
        write!(out, "{}", summary(&folder.display().to_string(), &reports))?;
        out.flush()?;
    }
    Ok(())
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let mut arguments = Arguments {
            limits: Limits { time: Duration::from_secs(60), memory: 4 << 30 },
            only: String::new(),
            scope: Scope::All,
            way: Options::default(),
            sorted: false,
            style: Style::Text,
            folders: Vec::new(),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--seconds" => arguments.limits.time = seconds(&value()?)?,
                "--memory" => arguments.limits.memory = gibibytes(&value()?)?,
                "--only" => arguments.only = value()?,
                "--states" => arguments.scope = Scope::States,
                "--ltl" => arguments.scope = Scope::Runs,
                "--strategy" => arguments.way.strategy = strategy(&value()?)?,
                "--order" => arguments.way.order = order(&value()?)?,
                "--sort" => arguments.sorted = true,
                "--markdown" => arguments.style = Style::Markdown,
                option if option.starts_with('-') => return Err(format!("there is no option {option}")),
                folder => arguments.folders.push(folder.into()),
            }
        }
        if arguments.folders.is_empty() { Err("no folder was given".to_owned()) } else { Ok(arguments) }
    }
}

fn strategy(text: &str) -> Result<Strategy, String> {
    match text {
        "saturation" => Ok(Strategy::Saturation),
        "chaining" => Ok(Strategy::Chaining),
        "bfs" => Ok(Strategy::BreadthFirst),
        _ => Err(format!("there is no strategy {text}")),
    }
}

fn order(text: &str) -> Result<Order, String> {
    match Order::from(text) {
        Order::File(name) => Err(format!("there is no order {name}")),
        order => Ok(order),
    }
}

/// Seconds of processor time that the process has used, as far as the system says.
fn processor_time() -> Option<f64> {
    /// Ticks of the clock in a second, on all systems that have this file.
    const TICKS: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the command, in parentheses, may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(11..13)?.iter().map(|field| field.parse::<f64>().unwrap_or(0.0)).sum();
    Some(ticks / TICKS)
}

fn seconds(text: &str) -> Result<Duration, String> {
    /// A clock that counts from when the machine started can add this.
    const MOST: f64 = 1e9;
    let seconds = text.parse::<f64>().ok().filter(|&seconds| seconds <= MOST);
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or(format!("{text} is no time in seconds"))
}

fn gibibytes(text: &str) -> Result<u64, String> {
    let amount = text.parse::<f64>().ok().filter(|&amount| amount > 0.0 && amount < 1e6);
    amount.map(|amount| (amount * f64::from(1 << 30)) as u64).ok_or(format!("{text} is no amount of memory in GiB"))
}

const TITLES: [&str; 12] = [
    "outcome",
    "model",
    "right",
    "wrong",
    "unknown",
    "states",
    "variables",
    "order",
    "nodes",
    "peak nodes",
    "seconds",
    "peak MiB",
];

/// How wide the columns are, if there is nothing wider in them. Negative: aligned to the left.
const WIDTHS: [i32; 12] = [-13, -36, 5, 5, 7, 12, 9, -22, 9, 10, 8, 8];

fn header(style: Style) -> String {
    let titles = line(&TITLES.map(str::to_owned), style);
    match style {
        Style::Text => titles,
        Style::Markdown => {
            let rules = WIDTHS.map(|width| if width < 0 { "---".to_owned() } else { "---:".to_owned() });
            titles + &line(&rules, style)
        }
    }
}

fn line(cells: &[String; 12], style: Style) -> String {
    if style == Style::Markdown {
        return format!("| {} |\n", cells.join(" | "));
    }
    let padded = cells.iter().zip(WIDTHS).map(|(cell, width)| {
        let wide = width.unsigned_abs() as usize;
        if width < 0 { format!("{cell:wide$}") } else { format!("{cell:>wide$}") }
    });
    padded.collect::<Vec<String>>().join(" ").trim_end().to_owned() + "\n"
}

fn row(report: &Report, style: Style) -> String {
    let [right, wrong, unknown] = report.counts().map(|count| count.to_string());
    let [states, variables, order, nodes, peak] = match &report.shape {
        Some(shape) => [
            format!("{}{}", if shape.complete { "" } else { ">= " }, shape.states),
            shape.variables.clone(),
            shape.order.clone(),
            shape.nodes.to_string(),
            shape.peak_nodes.to_string(),
        ],
        None => [(); 5].map(|()| String::new()),
    };
    let seconds = format!("{:.2}", report.time.as_secs_f64());
    let mebibytes = report.peak_bytes.map_or(String::new(), |bytes| (bytes >> 20).to_string());
    let (outcome, model) = (report.outcome().to_string(), report.model.clone());
    line(&[outcome, model, right, wrong, unknown, states, variables, order, nodes, peak, seconds, mebibytes], style)
}

fn summary(folder: &str, reports: &[Report]) -> String {
    let count = |is: &dyn Fn(&Report) -> bool| reports.iter().filter(|report| is(report)).count();
    let done = count(&|report| report.outcome() == Outcome::Right);
    let [right, wrong, unknown] =
        reports.iter().map(Report::counts).fold([0; 3], |sum, more| [0, 1, 2].map(|i| sum[i] + more[i]));
    let mut text = format!("\n{folder}: done {done} of {}", reports.len());
    text += &format!(", number of states right for {}", count(&Report::counts_states));
    text += &format!("; answers: {right} right, {wrong} wrong, {unknown} unknown\n");
    let total: Duration = reports.iter().map(|report| report.time).sum();
    text += &format!("{:.2} s in all", total.as_secs_f64());
    text += &processor_time().map_or("\n".to_owned(), |seconds| format!(", {seconds:.2} s of processor time so far\n"));
    let mut others: BTreeMap<String, Vec<&Report>> = BTreeMap::new();
    for report in reports.iter().filter(|report| report.outcome() != Outcome::Right) {
        others.entry(report.outcome().to_string()).or_default().push(report);
    }
    for (outcome, reports) in others {
        text += &format!("{outcome} ({}):\n", reports.len());
        for report in reports {
            text += &format!("  {}{}\n", report.model, reason(report));
        }
    }
    text
}

/// Why a model is not done, beyond the word for it.
fn reason(report: &Report) -> String {
    let missing = |answer: &&Answer| answer.found.is_err();
    match report.outcome() {
        Outcome::Right | Outcome::Unchecked => String::new(),
        Outcome::Wrong => {
            report.answers.iter().filter(|answer| answer.is_wrong()).map(|answer| format!("\n    {answer}")).collect()
        }
        Outcome::Unknown(_) if report.answers.iter().all(|answer| missing(&answer)) => {
            let details = report.answers.first().and_then(|answer| answer.found.as_ref().err());
            details
                .map(|reason| reason.details())
                .filter(|text| !text.is_empty())
                .map_or(String::new(), |text| format!(": {text}"))
        }
        Outcome::Unknown(_) => {
            let answers: Vec<String> = report.answers.iter().filter(missing).map(Answer::to_string).collect();
            format!(": {}", answers.join("; "))
        }
    }
}
