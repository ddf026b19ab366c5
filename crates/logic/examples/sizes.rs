//! Sizes of our automata: states, edges and time for files of formulas (one per line), and beside Spot's where there are
//! automata in the Hanoi format.
//!
//! ```sh
//! cargo run --release -p mandala-logic --example sizes                    # the shared formulas
//! cargo run --release -p mandala-logic --example sizes -- --each FILE...  # each formula of some files
//! ```

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use mandala_logic::automaton::Strength;
use mandala_logic::translate::build;
use mandala_logic::{Atoms, Automaton, Formulas, hoa, translate};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let each = arguments.iter().any(|argument| argument == "--each");
    let mut files: Vec<PathBuf> =
        arguments.iter().filter(|argument| *argument != "--each").map(PathBuf::from).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/ltl");
    let shared = files.is_empty();
    if shared {
        files = files_in(&folder, "ltl");
    }
    println!("{:24} formulas  built  states  edges  deterministic  terminal  weak  seconds  slowest", "file");
    for file in files {
        measure_file(&file, each);
    }
    if shared {
        compare_with_spot(&folder.join("hoa"));
    }
}

/// The files of a folder that have an extension, in order.
fn files_in(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        eprintln!("there is no folder of shared models");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

/// Sums over the formulas of a file.
#[derive(Default)]
struct Total {
    formulas: usize,
    failed: usize,
    built: usize,
    states: usize,
    edges: usize,
    deterministic: usize,
    terminal: usize,
    weak: usize,
    time: Duration,
    slowest: Duration,
}

fn measure_file(file: &Path, each: bool) {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            return;
        }
    };
    let mut total = Total::default();
    for line in text.lines().map(without_comment).filter(|line| !line.is_empty()) {
        measure(line, each, &mut total);
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    println!(
        "{name:24} {:8} {:6} {:7} {:6} {:14} {:9} {:5} {:8.3} {:8.3}",
        total.formulas,
        total.built,
        total.states,
        total.edges,
        total.deterministic,
        total.terminal,
        total.weak,
        total.time.as_secs_f64(),
        total.slowest.as_secs_f64()
    );
    if total.failed > 0 {
        println!("{name:24} {} without an automaton", total.failed);
    }
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

fn measure(line: &str, each: bool, total: &mut Total) {
    let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    total.formulas += 1;
    let formula = match formulas.parse(line, &mut atoms) {
        Ok(formula) => formula,
        Err(error) => {
            total.failed += 1;
            println!("{line}: {error}");
            return;
        }
    };
    let start = Instant::now();
    let automaton = translate(&mut formulas, formula);
    let time = start.elapsed();
    total.time += time;
    total.slowest = total.slowest.max(time);
    let mut automaton = match automaton {
        Ok(automaton) => automaton,
        Err(error) => {
            total.failed += 1;
            println!("{line}: {error}");
            return;
        }
    };
    let simple = formulas.simplify(formula);
    total.built += build(&formulas, simple).map_or(0, |built| built.state_count());
    let (states, edges) = (automaton.state_count(), automaton.edge_count());
    total.states += states;
    total.edges += edges;
    total.deterministic += usize::from(automaton.is_deterministic());
    let strength = automaton.strength();
    total.terminal += usize::from(strength == Strength::Terminal);
    total.weak += usize::from(strength == Strength::Weak);
    if each {
        let simple = formulas.display(simple, &atoms);
        println!("{states:4} {edges:5} {strength:?} {:.3}  {line}   simplified: {simple}", time.as_secs_f64());
    }
}

/// The automata of a folder that say which formula they are of, and ours.
fn compare_with_spot(folder: &Path) {
    let lines = fs::read_to_string(folder.join("formulas.ltl")).unwrap_or_default();
    let lines: Vec<&str> = lines.lines().map(without_comment).collect();
    println!("\n{:24} Spot: states  edges   ours: states  edges   formula", "file");
    for file in files_in(folder, "hoa") {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let number: Option<usize> = name.strip_prefix("formulas_l").and_then(|number| number.parse().ok());
        let written = text.lines().find_map(|line| line.strip_prefix("name: ")).map(|name| name.trim_matches('"'));
        let Some(line) = number.and_then(|number| lines.get(number - 1).copied()).or(written) else { continue };
        let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
        // Some names are no formulas.
        let Ok(formula) = formulas.parse(line, &mut atoms) else { continue };
        let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count());
        match (hoa::read(&text, &mut atoms), translate(&mut formulas, formula)) {
            (Ok(theirs), Ok(ours)) => {
                let (theirs, ours) = (size(&theirs), size(&ours));
                println!("{name:24} {:12} {:6} {:14} {:6}   {line}", theirs.0, theirs.1, ours.0, ours.1);
            }
            (Err(error), _) => println!("{name:24} {error}"),
            (_, Err(error)) => println!("{name:24} {error}"),
        }
    }
}
