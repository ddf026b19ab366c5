//! Where the time of a question goes, where nets are made smaller for each question: to reading, reduction, runs, the state
//! equation, states one by one, states on diagrams, fixpoints.
//!
//! `cargo run --release -p mandala-check --example smaller -- ../shared/models/mcc-pt-formulas --work 1000000`
//!
//! For each file of the nets in a folder: how many questions got an answer in which way, and the seconds of each phase. Each
//! way gets the same work for each question, whatever the others have found; `--each` prints a line for each question, too.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mandala_analysis::reduce::PATIENCE;
use mandala_check::answer::{Traces, Verdict};
use mandala_check::early::{Early, Effort};
use mandala_check::explicit::ltl;
use mandala_check::explore::explore_briefly;
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::Options;
use mandala_check::run::FiniteRuns;
use mandala_check::simpler::Simpler;
use mandala_model::net::pnml;
use mandala_model::property::Question;
use mandala_model::property::contest::{self, Logic};
use mandala_model::semantics::Semantics;
use mandala_model::system::{System, Type};

const USAGE: &str = "\
usage: smaller [--work N] [--only PART] [--file PART] [--each] FOLDER

FOLDER has a folder for each net, with `model.pnml` and files of properties.

  --work N      nodes asked for, for states and answer of each question (1000000); others in proportion
  --only PART   only nets with PART in their name
  --file PART   only files with PART in their name
  --each        a line for each question
";

const FILES: [&str; 7] = [
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "UpperBounds",
    "LTLCardinality",
    "LTLFireability",
    "CTLCardinality",
    "CTLFireability",
];

/// The phases, in the order of the columns.
const PHASES: [&str; 6] = ["reduction", "runs", "equation", "one by one", "states", "fixpoints"];

/// What is to be done.
struct Wanted {
    work: u64,
    only: String,
    file: String,
    each: bool,
}

/// What was found in which time, by phase; the way that answers is the first one that does.
#[derive(Clone, Copy, Default)]
struct Costs {
    questions: usize,
    /// Nets that did not become smaller.
    same: usize,
    answered: [usize; 6],
    time: [Duration; 6],
}

impl Costs {
    fn add(&mut self, other: &Costs) {
        self.questions += other.questions;
        self.same += other.same;
        for phase in 0..PHASES.len() {
            self.answered[phase] += other.answered[phase];
            self.time[phase] += other.time[phase];
        }
    }

    fn cells(&self) -> String {
        let phases = self.answered.iter().zip(&self.time);
        let phases: Vec<String> = phases.map(|(count, time)| format!("{count}, {:.2} s", time.as_secs_f64())).collect();
        let unknown = self.questions - self.answered.iter().sum::<usize>();
        format!("{} | {unknown} | {} | {}", self.questions, self.same, phases.join(" | "))
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
    let mut wanted = Wanted { work: 1_000_000, only: String::new(), file: String::new(), each: false };
    let (mut folder, mut words) = (None, std::env::args().skip(1));
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--work" => wanted.work = value()?.parse().map_err(|_| "no amount of work".to_owned())?,
            "--only" => wanted.only = value()?,
            "--file" => wanted.file = value()?,
            "--each" => wanted.each = true,
            path => folder = Some(PathBuf::from(path)),
        }
    }
    let folder = folder.ok_or("no folder was given")?;
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut nets: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    nets.retain(|net| net.to_string_lossy().contains(&wanted.only));
    nets.sort();
    table(&nets, &wanted).map_err(|error| error.to_string())
}

fn table(nets: &[PathBuf], wanted: &Wanted) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "| net | file | questions | unknown | not smaller | {} |", PHASES.join(" | "))?;
    writeln!(out, "|---|---|---:|---:|---:|{}", "---:|".repeat(PHASES.len()))?;
    let mut all = Costs::default();
    for net in nets {
        let name = net.file_name().unwrap_or_default().to_string_lossy();
        let start = Instant::now();
        let system = match system(net) {
            Ok(system) => system,
            Err(reason) => {
                writeln!(out, "| {name} | cannot be read: {reason} |")?;
                continue;
            }
        };
        writeln!(out, "| {name} | read in {:.2} s |", start.elapsed().as_secs_f64())?;
        for file in FILES.into_iter().filter(|file| file.contains(&wanted.file)) {
            let Ok(text) = std::fs::read_to_string(net.join(format!("{file}.xml"))) else { continue };
            let Ok(properties) = contest::read(file, &text, &system, Logic::of_file(file)) else { continue };
            let mut costs = Costs::default();
            for (number, property) in properties.iter().enumerate() {
                let (one, words) = asked(&system, &property.question, wanted.work);
                if wanted.each {
                    writeln!(out, "| {name} | {file} {number:02} | {words} | {} |", one.cells())?;
                }
                costs.add(&one);
            }
            writeln!(out, "| {name} | {file} | {} |", costs.cells())?;
            out.flush()?;
            all.add(&costs);
        }
    }
    writeln!(out, "| all | | {} |", all.cells())
}

fn system(net: &Path) -> Result<System, String> {
    let path = net.join("model.pnml");
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let net = pnml::read("model.pnml", &text).map_err(|error| error.to_string())?;
    Ok(System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] })
}

/// What each phase takes for a question.
fn asked(system: &System, question: &Question, work: u64) -> (Costs, String) {
    let mut costs = Costs { questions: 1, ..Costs::default() };
    let mut start = Instant::now();
    let smaller = Simpler::new(system, question, FiniteRuns::Stutter, Traces::Unwanted, PATIENCE);
    costs.time[0] = start.elapsed();
    costs.same = usize::from(smaller.is_none());
    let (system, question) = smaller.as_ref().map_or((system, question), |smaller| smaller.asked());
    let Type::Net(net) = system.main_type() else { return (costs, String::new()) };
    let keeps = smaller.as_ref().map_or("nothing".to_owned(), |smaller| format!("{:?}", smaller.keeps()));
    let words = format!("keeps {keeps}, {} places, {} transitions", net.places.len(), net.transitions.len());
    let mut is_answered = false;
    let mut note = |phase: usize, answered: bool, start: &mut Instant| {
        costs.time[phase] = start.elapsed();
        costs.answered[phase] = usize::from(answered && !is_answered);
        is_answered |= answered;
        *start = Instant::now();
    };
    let limits = Limits::default();
    let (time, few) = (Duration::from_secs(2), 1_000);
    for (phase, work, systems) in [(1, work, 0), (2, few, (work / 20_000) as u32)] {
        start = Instant::now();
        let early = Early::new(system, &[Some(question)], FiniteRuns::Stutter);
        let verdict = early.and_then(|mut early| {
            early.look(Effort { work, systems, time }, false, &limits);
            early.verdict(0)
        });
        note(phase, verdict.is_some(), &mut start);
    }
    if let (Question::Ltl(formula), Ok(semantics)) = (question, Semantics::new(system)) {
        let limits = Limits { states: Some(work / 30), ..Limits::default() };
        let checked = ltl::check(&semantics, formula, FiniteRuns::Stutter, &limits, &Progress::default());
        note(3, !matches!(checked.answer.verdict, Verdict::Unknown(_)), &mut start);
    }
    let options = Options { goals: [question.clone()].into(), ..Options::default() };
    let space = explore_briefly(system, &options, work);
    note(4, false, &mut start);
    if let Some(mut space) = space {
        let answer = space.answer_within(work, |space| space.answer(question, Traces::Unwanted));
        note(5, answer.is_some_and(|answer| !answer.verdict.is_unknown()), &mut start);
    }
    (costs, words)
}
