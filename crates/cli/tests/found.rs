//! What people found, as they see it: each file that was reported, with the command that went wrong.

#[path = "../../check/tests/common/shared.rs"]
#[allow(dead_code, reason = "only the folder is looked for here")]
mod shared;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// The folder of the files that were reported.
fn folder() -> Option<PathBuf> {
    let found = shared::models().map(|models| models.join("found")).filter(|folder| folder.is_dir());
    if found.is_none() {
        println!("skipped: the folder of reported files is not there");
    }
    found
}

/// What `mandala` says, and its exit status. It takes no longer than a minute.
fn said(arguments: &[&str]) -> (String, i32) {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_mandala")).args(arguments).output().expect("mandala runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(start.elapsed() < Duration::from_secs(60), "{arguments:?} took {:?}", start.elapsed());
    (text, output.status.code().unwrap_or(-1))
}

#[test]
fn a_file_of_ctl_is_read_as_ctl() {
    let Some(folder) = folder().map(|folder| folder.join("ctl-ax")) else { return };
    let (net, formulas) = (folder.join("model.pnml"), folder.join("CTLCardinality.xml"));
    for strategy in ["saturation", "explicit"] {
        let arguments = ["check", net.to_str().unwrap(), "--properties", formulas.to_str().unwrap()];
        let (text, status) = said(&[&arguments[..], &["--strategy", strategy]].concat());
        assert!(text.contains("ctl") && !text.contains("ltl"), "{text}");
        assert_eq!(status, 0, "{text}");
    }
}

#[test]
fn fixpoints_without_an_end_are_errors_of_the_model() {
    let Some(folder) = folder() else { return };
    for file in ["fixpoint-oscillates.gal", "gal-200144.gal"] {
        for strategy in ["saturation", "chaining", "bfs", "explicit"] {
            let (text, status) = said(&["states", folder.join(file).to_str().unwrap(), "--strategy", strategy]);
            assert!(text.contains("never ends, in the state"), "{file} {strategy}: {text}");
            assert_eq!(status, 2, "{file} {strategy}: {text}");
        }
    }
}

/// With `--full`, the same as state by state.
#[test]
fn long_bodies_come_to_an_end() {
    let Some(folder) = folder() else { return };
    for file in ["slow-unrolled-7", "slow-13", "slow-200022", "gal-1215", "gal-1241", "gal-1245"] {
        let figures = |strategy| {
            let path = folder.join(file).with_extension("gal");
            let (text, status) = said(&["states", path.to_str().unwrap(), "--full", "--strategy", strategy]);
            assert_eq!(status, 0, "{file} {strategy}: {text}");
            let lines =
                text.lines().filter(|line| ["states", "transitions", "tokens"].iter().any(|w| line.starts_with(w)));
            lines.map(str::to_owned).collect::<Vec<String>>()
        };
        let expected = figures("explicit");
        assert_eq!(expected.len(), 3, "{file}");
        assert_eq!(figures("saturation"), expected, "{file}");
    }
}

#[test]
fn twenty_thousand_variables_are_described() {
    let Some(folder) = folder() else { return };
    let (text, status) = said(&["info", folder.join("ints-20000.gal").to_str().unwrap()]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("20000"), "{text}");
}
