//! Many questions over several hosts. A host is reached by a shell that finds a script of the host's name and gives it what is to
//! be run there: some of these hosts are lost, or were never there.

use crate::common::{LONG, PROGRAM, addresses, end_of, end_within, folder, kanban, mandala, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/producer-consumer.gal");
const FORMULAS: &str = "\
property p1 : EF deadlock
property p2 : AG !deadlock
property p3 : EF EG !deadlock
property p4 : AG EF !deadlock
property p5 : G !deadlock
property p6 : F deadlock
";

/// What is run there, is run.
const GOOD: &str = "eval \"$1\"\n";
/// Nobody is there.
const ABSENT: &str = "echo no route to host >&2; exit 255\n";
/// It answers once, and goes down with the next question.
const DYING: &str = "if [ -e once ]; then kill -9 $$; fi; touch once; eval \"$1\"\n";
/// Says who it is, so that it can be seen whether it is still there.
const NOTED: &str = "echo $$ >>pids; eval \"exec $1\"\n";

fn hosts(name: &str, scripts: &[&str]) -> PathBuf {
    let folder = folder(name);
    let mut list = "# hosts of a test\n".to_owned();
    for (number, script) in scripts.iter().enumerate() {
        std::fs::write(folder.join(format!("host{number}")), script).expect("a file");
        list += &format!("host{number}:2101\n");
    }
    std::fs::write(folder.join("hosts.txt"), list).expect("a file");
    std::fs::write(folder.join("formulas.txt"), FORMULAS).expect("a file");
    folder
}

fn shared(folder: &Path, command: &[&str]) -> Child {
    let before = ["cluster", "share", "--ssh", "sh", "--program", PROGRAM, "hosts.txt", "--"];
    mandala(&before).args(command).current_dir(folder).spawn().expect("it starts")
}

/// Verdicts by the name of the question.
fn verdicts(output: &Output) -> BTreeMap<String, String> {
    let printed = text(&output.stdout);
    let objects = serde_json::Deserializer::from_str(&printed).into_iter::<Value>();
    let objects = objects.map(|object| object.expect("JSON"));
    let results = objects.flat_map(|object| object["results"].as_array().expect("results").clone());
    let of = |result: Value, key: &str| result[key].as_str().expect("text").to_owned();
    results.map(|result| (of(result.clone(), "property"), of(result, "verdict"))).collect()
}

#[test]
fn questions_of_lost_hosts_go_to_others() {
    let check = ["check", MODEL, "-F", "formulas.txt", "--deadlock", "--json", "--trace"];
    let names = ["nobody is lost", "some are lost"];
    for (name, scripts) in names.into_iter().zip([&[GOOD, GOOD][..], &[ABSENT, DYING, GOOD]]) {
        let folder = hosts(name, scripts);
        let alone = mandala(&check).current_dir(&folder).output().expect("it starts");
        let expected = verdicts(&alone);
        assert_eq!(expected.len(), 7);
        let output = end_of(shared(&folder, &check));
        let said = text(&output.stderr);
        assert_eq!(verdicts(&output), expected, "{said}");
        assert_eq!(output.status.code(), alone.status.code(), "{said}");
        // Each answer is an object on a line, with the host that it is from.
        let lines: Vec<Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), 7);
        assert!(lines.iter().all(|line| line["file"] == MODEL && line["host"].is_string()));
        assert!(said.contains("7 answered"), "{said}");
        if scripts.len() > 2 {
            assert!(
                said.contains("host0 has not answered: no route to host") && said.contains("host0 is lost"),
                "{said}"
            );
            assert!(lines.iter().all(|line| line["host"] != "host0"));
        }
    }
}

#[test]
fn without_hosts_nothing_is_known() {
    let folder = hosts("no hosts", &[ABSENT, ABSENT]);
    let output = end_of(shared(&folder, &["check", MODEL, "-F", "formulas.txt"]));
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(printed.matches("unknown: ").count(), 6, "{printed}");
    assert!(said.contains("0 answered, 6 not; 0 of 2 hosts left"), "{said}");
}

#[test]
fn a_model_that_cannot_be_read_is_an_error_and_the_others_are_looked_at() {
    let folder = hosts("several models", &[GOOD, GOOD]);
    let (one, other) = (kanban("several models/one.gal", "1"), kanban("several models/other.gal", "2"));
    let output = end_of(shared(&folder, &["states", &one, "missing.gal", &other, "--timeout", "60s"]));
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(printed.contains("160 states") && printed.contains("4600 states"), "{printed}{said}");
    assert!(printed.contains("missing.gal  unknown: "), "{printed}{said}");
    let output = end_of(shared(&folder, &["check", &one, "missing.gal", &other, "-f", "EF deadlock"]));
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(printed.matches("EF deadlock  reachable  does not hold").count(), 2, "{printed}{said}");
}

#[test]
fn what_cannot_be_shared_is_refused() {
    let folder = hosts("refused", &[GOOD]);
    let cases: [(&[&str], &str); 4] = [
        (&["info", MODEL], "what is shared among hosts is"),
        (&["check", MODEL, "--examination", "ReachabilityDeadlock"], "`--examination`"),
        (&["check", MODEL, "--strategy", "explicit", "--hosts", "a:1,b:2", "--process", "0"], "`--hosts`"),
        (&["check", MODEL, "--no-such-option"], "--no-such-option"),
    ];
    for (command, expected) in cases {
        let output = end_of(shared(&folder, command));
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}

/// A host that says nothing is given up some time after the time limit. It takes half a minute, and nothing but time.
#[test]
#[ignore = "takes half a minute"]
fn a_host_that_is_silent_is_lost() {
    let folder = hosts("silent", &["exec sleep 600\n", GOOD]);
    let output = end_of(shared(&folder, &["check", MODEL, "-F", "formulas.txt", "--timeout", "2s", "--json"]));
    assert_eq!(verdicts(&output).len(), 6);
    assert!(text(&output.stderr).contains("host0 has not answered"), "{}", text(&output.stderr));
}

/// Waits until none of the processes that hosts have noted is left.
#[cfg(unix)]
fn are_gone(folder: &Path, within: Duration) {
    let pids = std::fs::read_to_string(folder.join("pids")).expect("it was written");
    let end = Instant::now() + within;
    for pid in pids.lines() {
        let is_there = || Command::new("kill").args(["-0", pid]).output().expect("it starts").status.success();
        while is_there() {
            assert!(Instant::now() < end, "process {pid} is still there");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Whoever started processes on hosts takes them along, with what they know if he is asked to end, and without if he is killed.
#[cfg(unix)]
#[test]
fn who_ends_takes_his_processes_along() {
    let folder = hosts("signals", &[NOTED, NOTED]);
    let model = kanban("signals/model.gal", "2000");
    let list = addresses(2);
    for port in list.trim_end_matches(',').split(',') {
        std::fs::write(folder.join(port.split(':').next().expect("a host")), NOTED).expect("a file");
    }
    let run: [&[&str]; 2] = [
        &["run", "--ssh", "sh", "--program", PROGRAM, &list, "--", "states", &model, "--memory", "1G"],
        &[
            "share",
            "--ssh",
            "sh",
            "--program",
            PROGRAM,
            "hosts.txt",
            "--",
            "states",
            &model,
            &model,
            "--strategy",
            "explicit",
            "--memory",
            "1G",
        ],
    ];
    for command in run {
        for signal in ["-TERM", "-KILL"] {
            let _ = std::fs::remove_file(folder.join("pids"));
            let child = mandala(&["cluster"]).args(command).current_dir(&folder).spawn().expect("it starts");
            let end = Instant::now() + LONG;
            let pids = || std::fs::read_to_string(folder.join("pids")).unwrap_or_default().lines().count();
            while pids() < 2 {
                assert!(Instant::now() < end, "they have not started");
                std::thread::sleep(Duration::from_millis(20));
            }
            std::thread::sleep(Duration::from_millis(1500));
            let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("it starts");
            assert!(sent.success());
            let output = end_within(child, Duration::from_secs(20));
            if signal == "-TERM" {
                let printed = text(&output.stdout);
                assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
                // On a busy machine there may be no time to say how many.
                let is_said = printed.contains("at least") || printed.contains("states are not known");
                assert!(is_said, "{printed}{}", text(&output.stderr));
            }
            are_gone(&folder, Duration::from_secs(20));
        }
    }
}
