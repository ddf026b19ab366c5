//! Runs that end before they are done: by time, by memory, by the user, or because nobody reads what they print.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn mandala(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mandala"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A file of a test's own.
fn file(name: &str) -> String {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name).to_string_lossy().into_owned()
}

/// A model that no test waits for, unless it is reduced.
fn endless(name: &str) -> String {
    let file = file(name);
    let output = mandala(&["generate", "kanban", "2000", "--shape", "flat", "-o", &file]).output().expect("it starts");
    assert!(output.status.success());
    file
}

/// Waits for a run, but not for ever.
fn within(mut child: Child, time: Duration) -> Output {
    let end = Instant::now() + time;
    while child.try_wait().expect("it can be waited for").is_none() {
        if Instant::now() > end {
            child.kill().expect("it can be killed");
            panic!("still running after {time:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().expect("it has output")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn time_ends_a_run() {
    let model = endless("time.gal");
    let child =
        mandala(&["states", &model, "--reductions", "off", "--timeout", "2s", "--json"]).spawn().expect("it starts");
    let output = within(child, Duration::from_secs(20));
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{printed}");
    assert!(printed.contains("\"stopped\": \"time\"") && printed.contains("\"states\": null"), "{printed}");
    assert!(printed.contains("\"states_at_least\": \""), "{printed}");
}

#[test]
fn time_ends_a_run_state_by_state() {
    let model = endless("explicit.gal");
    let arguments = ["states", &model, "--timeout", "1s", "--strategy", "explicit"];
    let output = within(mandala(&arguments).spawn().expect("it starts"), Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).contains("stopped: out of time after 1.00 s"));
}

#[test]
fn what_is_known_when_time_is_up_is_told() {
    let model = endless("known.gal");
    let arguments = ["check", &model, "--timeout", "2s", "--deadlock", "--formula", "EF(1 == 1)"];
    let output = within(mandala(&arguments).spawn().expect("it starts"), Duration::from_secs(20));
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{printed}");
    assert!(printed.contains("EF(1 == 1)  reachable  holds"), "{printed}");
    assert!(printed.contains("deadlock    deadlock   unknown"), "{printed}");
}

#[test]
fn memory_ends_a_run() {
    let model = endless("memory.gal");
    let limits = ["--memory", "40M", "--timeout", "60s", "--json", "--order", "declared"];
    let arguments = [&["states", &model, "--reductions", "off"], &limits[..]].concat();
    let output = within(mandala(&arguments).spawn().expect("it starts"), Duration::from_secs(90));
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{printed}");
    assert!(printed.contains("\"stopped\": \"memory\""), "{printed}");
}

#[test]
fn work_that_does_not_look_at_the_clock_is_ended() {
    let mut child = mandala(&["states", "-", "--timeout", "1s"]).stdin(Stdio::piped()).spawn().expect("it starts");
    let held = child.stdin.take();
    let output = within(child, Duration::from_secs(20));
    drop(held);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("out of time"));
}

#[test]
fn a_closed_pipe_is_silent() {
    let mut child = mandala(&["generate", "philosophers", "50000", "--shape", "flat"]).spawn().expect("it starts");
    let mut pipe = child.stdout.take().expect("a pipe");
    pipe.read_exact(&mut [0; 100]).expect("something to read");
    drop(pipe);
    let output = within(child, Duration::from_secs(60));
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn a_model_comes_from_standard_input() {
    let mut child = mandala(&["states", "-", "--json"]).stdin(Stdio::piped()).spawn().expect("it starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(include_bytes!("models/lock.pnml")).expect("it reads");
    drop(pipe);
    let output = within(child, Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("\"states\": \"2\""));
}

#[cfg(unix)]
mod signals {
    use super::*;

    fn interrupt(child: &Child) {
        let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
        assert!(status.success());
    }

    #[test]
    fn the_first_interrupt_ends_with_what_is_known() {
        let model = endless("interrupted.gal");
        let child = mandala(&["states", &model, "--reductions", "off"]).spawn().expect("it starts");
        std::thread::sleep(Duration::from_secs(3));
        interrupt(&child);
        let output = within(child, Duration::from_secs(20));
        let printed = text(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{printed}");
        assert!(printed.contains("at least ") && printed.contains("(stopped: interrupted)"), "{printed}");
    }

    #[test]
    fn the_second_interrupt_ends_at_once() {
        let mut child = mandala(&["states", "-"]).stdin(Stdio::piped()).spawn().expect("it starts");
        let held = child.stdin.take();
        std::thread::sleep(Duration::from_secs(1));
        interrupt(&child);
        std::thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().expect("it can be waited for").is_none());
        interrupt(&child);
        let output = within(child, Duration::from_secs(10));
        drop(held);
        assert_eq!(output.status.code(), Some(130));
    }
}

/// Whatever `info` does is about linear in the model, or bounded: these took longer than a minute.
#[test]
fn large_models_are_described_soon() {
    const PLACES: usize = 20_000;
    let net = |marked: &str| {
        let places: String = (0..PLACES).map(|place| format!("place p{place}{marked};\n")).collect();
        let next = |place: usize| (place + 1) % PLACES;
        let moves =
            (0..PLACES).map(|place| format!("transition t{place} {{ take p{place}; put p{}; }}\n", next(place)));
        format!("net Ring {{ {places} {} }} main Ring;", moves.collect::<String>())
    };
    let ints: String = (0..PLACES).map(|variable| format!("int x{variable} = 0;")).collect();
    let ints = format!("gal Ints {{ {ints} transition t [x0 == 0] {{ x0 = 1; }} }} main Ints;");
    for (name, model, says) in [
        ("ring.gal", net(" = 1"), "a ring of 20000 variables"),
        ("empty-ring.gal", net(""), "a ring of 20000 variables"),
        ("ints.gal", ints, "19999 interchangeable variables"),
    ] {
        let file = file(name);
        std::fs::write(&file, model).expect("it can be written");
        let output = within(mandala(&["info", &file]).spawn().expect("it starts"), Duration::from_secs(30));
        let printed = text(&output.stdout);
        assert!(printed.contains(says), "{printed}");
    }
}
