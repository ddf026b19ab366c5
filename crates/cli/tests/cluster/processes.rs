//! Several processes on this machine as one run, and what becomes of it when one of them is missing or is lost.

use crate::common::{LONG, addresses, end_of, kanban, mandala, number_after, start, text};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Output};
use std::time::{Duration, Instant};

#[test]
fn processes_find_what_one_finds() {
    let model = kanban("processes.gal", "2");
    let alone = mandala(&["states", &model, "--strategy", "explicit", "--json"]).output().expect("it starts");
    let states = number_after(&text(&alone.stdout), "\"states\"");
    assert_eq!(states, "4600");
    for (order, count) in [([0, 1].as_slice(), 2), (&[1, 0], 2), (&[2, 0, 1], 3)] {
        let hosts = addresses(count);
        let arguments = ["states", &model, "--json", "--workers", "2"];
        let children: Vec<Child> = order.iter().map(|&process| start(&arguments, &hosts, process)).collect();
        for output in children.into_iter().map(end_of) {
            let (printed, said) = (text(&output.stdout), text(&output.stderr));
            assert_eq!(output.status.code(), Some(0), "{said}");
            assert_eq!(number_after(&printed, "\"states\""), states, "{printed}");
        }
    }
}

/// What is printed without the last line, which says how long it took.
fn answers(output: &Output) -> String {
    let printed = text(&output.stdout);
    printed.trim_end().rsplit_once('\n').map_or(String::new(), |(answers, _)| answers.to_owned())
}

#[test]
fn answers_and_traces_are_the_same() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/philosophers.sn");
    for symmetry in ["off", "list"] {
        let arguments = ["check", model, "-f", "EF deadlock", "-f", "AG !deadlock", "--trace", "--symmetry", symmetry];
        let alone = mandala(&arguments).args(["--strategy", "explicit", "--workers", "1"]).output().expect("it starts");
        assert!(answers(&alone).contains("after 10 steps (shortest)"), "{}", answers(&alone));
        let hosts = addresses(2);
        let children = [start(&arguments, &hosts, 1), start(&arguments, &hosts, 0)];
        for output in children.map(end_of) {
            assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
            assert_eq!(answers(&output), answers(&alone));
        }
    }
}

#[test]
fn a_lost_process_is_an_error() {
    let model = kanban("lost.gal", "2000");
    let hosts = addresses(2);
    let arguments = ["states", &model, "--timeout", "30s", "--memory", "1G"];
    let mut lost = start(&arguments, &hosts, 1);
    let left = start(&arguments, &hosts, 0);
    std::thread::sleep(Duration::from_millis(800));
    lost.kill().expect("it runs");
    lost.wait().expect("it has ended");
    let killed = Instant::now();
    let output = end_of(left);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    // On a busy machine it may be gone before they have met.
    let expected = ["process 1 (", "is lost", "has not come up"];
    assert!(said.contains(expected[0]) && expected[1..].iter().any(|words| said.contains(words)), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    assert!(killed.elapsed() < LONG);
}

#[test]
fn a_process_that_never_comes_up_is_an_error() {
    let model = kanban("missing.gal", "1");
    let cases = [("--patience", 0), ("--patience", 1), ("--timeout", 0), ("--timeout", 1)];
    let children = cases.map(|(limit, process)| start(&["states", &model, limit, "1s"], &addresses(2), process));
    for ((limit, process), child) in cases.into_iter().zip(children) {
        let output = end_of(child);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{limit}: {said}");
        assert!(said.contains(&format!("process {} (127.0.0.1:", 1 - process)) && said.contains("come up"), "{said}");
    }
}

#[test]
fn a_port_in_use_and_another_model_are_errors() {
    let (model, other) = (kanban("one.gal", "1"), kanban("other.gal", "2"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let hosts = format!("{},{}", listener.local_addr().expect("an address"), addresses(1));
    let output = end_of(start(&["states", &model], &hosts, 0));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("it is in use"), "{}", text(&output.stderr));
    let hosts = addresses(2);
    let children = [start(&["states", &model, "--patience", "5s"], &hosts, 0), start(&["states", &other], &hosts, 1)];
    for output in children.map(end_of) {
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("does something else") || said.contains("come up"), "{said}");
    }
}

/// The hosts are reached by a shell that finds a script of the host's name and gives it what is to be run there.
#[cfg(unix)]
#[test]
fn a_cluster_is_started_on_its_hosts() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("a cluster");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("127.0.0.1"), "eval \"$1\"\n").expect("a file");
    std::fs::write(folder.join("hosts.txt"), addresses(2).replace(',', "\n")).expect("a file");
    let model = kanban("a cluster/two words.gal", "2");
    let run = ["cluster", "run", "--program", env!("CARGO_BIN_EXE_mandala"), "hosts.txt"];
    let of_states = ["--", "states", &model, "--json"];
    let output = mandala(&run).args(["--ssh", "sh"]).args(of_states).current_dir(&folder).output().expect("it starts");
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(number_after(&printed, "\"states\""), "4600", "{printed}");
    let output = mandala(&run).args(["--ssh", "no-such-program"]).args(of_states).current_dir(&folder).output();
    let output = output.expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot start `no-such-program` for 127.0.0.1"), "{}", text(&output.stderr));
}
