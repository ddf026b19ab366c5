//! The same input gives the same output, however fast the machine is: nodes, orders, verdicts, traces and symmetries do not
//! depend on what else it has to do. Only times and the memory of the process differ.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is run: a model of `generate` and a command on it.
const RUNS: &[(&[&str], &[&str])] = &[
    (&["philosophers", "2^200", "--shape", "fold"], &["states", "--stats"]),
    (&["kanban", "30", "--shape", "flat"], &["states", "--full", "--stats"]),
    (&["fms", "6", "--shape", "flat"], &["states", "--full"]),
    (&["contest-philosophers", "20"], &["check", "--deadlock", "--trace"]),
    (&["client-server", "5"], &["states", "--symmetry", "auto"]),
    (&["salestore", "6"], &["states", "--symmetry", "auto"]),
    (&["token-ring", "8"], &["check", "--deadlock", "--symmetry", "auto"]),
    (&["peterson", "4"], &["states", "--symmetry", "auto", "--stats"]),
];

fn file(name: &str) -> String {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name).to_string_lossy().into_owned()
}

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mandala")).args(arguments).output().expect("it starts");
    let text = String::from_utf8(output.stdout).expect("text") + &String::from_utf8_lossy(&output.stderr);
    // Lines that say how long it took and how much memory the process had.
    let differs = |line: &&str| {
        let key = line.trim_start().trim_start_matches('"');
        !["seconds", "time", "memory", "peak_memory_bytes"].iter().any(|name| key.starts_with(name))
    };
    text.lines().filter(differs).collect::<Vec<_>>().join("\n")
}

fn run(number: usize, file: &str) -> String {
    let mut arguments = RUNS[number].1.to_vec();
    arguments.insert(1, file);
    arguments.push("--json");
    printed(&arguments)
}

#[test]
fn load_changes_nothing() {
    let files: Vec<String> = RUNS
        .iter()
        .enumerate()
        .map(|(number, (model, _))| {
            let file = file(&format!("determinism-{number}.gal"));
            let mut arguments = vec!["generate"];
            arguments.extend_from_slice(model);
            arguments.extend(["-o", &file]);
            assert_eq!(printed(&arguments), "", "{model:?}");
            file
        })
        .collect();
    let alone: Vec<String> = files.iter().enumerate().map(|(number, file)| run(number, file)).collect();
    for (text, (model, _)) in alone.iter().zip(RUNS) {
        assert!(text.contains("\"model\""), "{model:?}: {text}");
    }
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Twice as many threads as cores do nothing but take time away, and two of each command run at once.
        for _ in 0..2 * cores {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let copies: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| files.iter().enumerate().map(|(number, file)| run(number, file)).collect::<Vec<_>>())
            })
            .collect();
        let copies: Vec<Vec<String>> = copies.into_iter().map(|copy| copy.join().expect("it runs")).collect();
        is_done.store(true, Ordering::Relaxed);
        for under_load in copies {
            for ((alone, loaded), (model, arguments)) in alone.iter().zip(&under_load).zip(RUNS) {
                assert_eq!(alone, loaded, "{model:?} {arguments:?}");
            }
        }
    });
}
