//! What goes wrong: processes that are killed, disks that are full, files that are cut short, ports that are taken. Each ends in a
//! clear error within seconds, and a run that begins with what was written before finds what an undisturbed one finds.
//!
//! `KILLS=100 cargo test -p mandala-cli --test cluster killed` kills a hundred times; `KILL_SEED` chooses other moments.

use crate::common::{
    LONG, PROGRAM, addresses, end_of, end_within, folder, kanban, mandala, member, number_after, option, piped, start,
    text,
};
use crate::random::Random;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Long enough to say something, however busy the machine is.
const SECONDS: Duration = Duration::from_secs(20);

/// What is found by a run that nothing disturbs.
fn figures(output: &Output) -> [String; 2] {
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
    ["\"states\"", "\"transitions\""].map(|key| number_after(&printed, key))
}

/// The arguments of a run with checkpoints.
fn arguments<'a>(model: &'a str, folder: &'a Path) -> Vec<&'a str> {
    let folder = folder.to_str().expect("text");
    vec![
        "states",
        model,
        "--json",
        "--full",
        "--workers",
        "1",
        "--checkpoint",
        folder,
        "--checkpoint-every",
        "2",
        "--patience",
        "15s",
    ]
}

/// Starts all processes of a run.
fn run(arguments: &[&str], processes: usize) -> Vec<Child> {
    let hosts = addresses(processes);
    (0..processes).map(|process| start(arguments, &hosts, process)).collect()
}

/// The figures that a run comes to with what was written before; and whether there was something.
fn restarted(arguments: &[&str], processes: usize) -> ([String; 2], bool) {
    let outputs: Vec<Output> = run(arguments, processes).into_iter().map(end_of).collect();
    let found = figures(&outputs[0]);
    assert!(outputs.iter().all(|output| figures(output) == found));
    (
        found,
        text(&outputs[0].stdout).contains("\"resumed_from_level\": ")
            && !text(&outputs[0].stdout).contains("_from_level\": null"),
    )
}

/// The files of checkpoints in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let inside = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect()
    };
    let mut files: Vec<PathBuf> = inside(folder).iter().flat_map(|folder| inside(folder)).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "states"));
    files.sort();
    files
}

fn alone(model: &str) -> ([String; 2], Duration) {
    let arguments = ["states", model, "--json", "--full", "--strategy", "explicit", "--workers", "1"];
    let begin = Instant::now();
    let expected = figures(&mandala(&arguments).output().expect("it starts"));
    (expected, begin.elapsed())
}

/// Processes that are killed at random moments, some of them when they go on from files, some of which are then cut short.
#[test]
fn killed_at_random_moments() {
    let model = kanban("killed.gal", "4");
    let (expected, time) = alone(&model);
    let kills = option("KILLS", 3);
    let (mut lost, mut resumed, mut cut) = (0, 0, 0);
    let mut random = Random::new(option("KILL_SEED", 1));
    let mut kept = folder("killed");
    let (mut kill, mut hits) = (0, 0);
    // Some runs have ended before somebody is killed: these do not count.
    while hits < kills {
        assert!(kill < 10 * kills, "only {hits} of {kill} were in time");
        // Every third one is killed when it goes on from what the last one has left.
        if kill % 3 != 2 {
            kept = folder("killed");
        }
        let arguments = arguments(&model, &kept);
        let processes = 2 + random.below(2);
        let mut children = run(&arguments, processes);
        std::thread::sleep(time.mul_f64(random.below(1300) as f64 / 1000.0));
        let mut killed = children.swap_remove(random.below(processes));
        killed.kill().expect("it can be killed");
        let had_ended = killed.wait().expect("it is there").code().is_some();
        let since = Instant::now();
        let lost_before = lost;
        for child in children {
            let output = end_within(child, SECONDS);
            let said = text(&output.stderr);
            if output.status.code() == Some(0) {
                // It was over but for saying so.
                assert_eq!(figures(&output), expected);
                continue;
            }
            assert!(!had_ended, "{said}");
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains("is lost") || said.contains("come up"), "{said}");
            assert!(!said.contains("panicked"), "{said}");
            lost += 1;
        }
        assert!(since.elapsed() < SECONDS);
        hits += u64::from(lost > lost_before);
        let files = files(&kept);
        if kill % 4 == 1 && !files.is_empty() {
            let file = &files[random.below(files.len())];
            let length = fs::metadata(file).expect("it is there").len();
            let file = File::options().write(true).open(file).expect("it is there");
            file.set_len(random.below(length as usize) as u64).expect("it can be cut");
            cut += 1;
        }
        if kill % 3 != 1 {
            let (found, went_on) = restarted(&arguments, 1 + random.below(3));
            assert_eq!(found, expected, "kill {kill}");
            resumed += usize::from(went_on);
        }
        kill += 1;
    }
    println!(
        "{hits} of {kill} kills in time, {lost} processes said who was lost, {cut} files cut short, {resumed} restarts went on from files"
    );
}

/// There is no room for the checkpoint of one of two processes: both say so. With room, the run goes on.
fn without_room(outputs: [Output; 2], kept: &Path) {
    for output in outputs {
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("cannot write a checkpoint into") && said.contains("process-1"), "{said}");
    }
    assert!(!files(kept).is_empty());
    let unfinished = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "unfinished");
    assert!(
        !fs::read_dir(kept.join("process-1"))
            .expect("it is there")
            .any(|entry| unfinished(&entry.expect("a file").path()))
    );
}

/// No file of one process may get larger than so many blocks.
#[cfg(unix)]
#[test]
fn files_that_must_not_grow() {
    let model = kanban("no room.gal", "3");
    let (expected, _) = alone(&model);
    let kept = folder("no room");
    let hosts = addresses(2);
    let arguments = arguments(&model, &kept);
    let other = start(&arguments, &hosts, 0);
    // Who ignores this signal gets an error instead.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let mut limited = piped(Command::new("sh"), &["-c", script, PROGRAM]);
    limited.args(&arguments);
    member(&mut limited, &hosts, 1);
    let limited = limited.spawn().expect("it starts");
    without_room([end_within(limited, SECONDS), end_within(other, SECONDS)], &kept);
    assert_eq!(restarted(&arguments, 2), (expected, true));
}

/// A small disk is mounted where a checkpoint is written, in a namespace of its own.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let model = kanban("full disk.gal", "3");
    let (expected, _) = alone(&model);
    let kept = folder("full disk");
    let disk = kept.join("process-1");
    fs::create_dir_all(&disk).expect("a folder");
    let hosts = addresses(2);
    let line = |arguments: &[&str], process: usize| {
        let words = arguments.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
        format!("'{PROGRAM}' {words} --strategy explicit --hosts '{hosts}' --process {process}")
    };
    let arguments = arguments(&model, &kept);
    let (first, second) = (line(&arguments, 0), line(&arguments, 1));
    let disk = disk.display();
    // Both processes see the disk, and so does the run that goes on.
    let script = format!(
        "mount -t tmpfs -o size=200k none '{disk}' || exit 77\n\
         {first} 2>'{kept}/first.txt' >&2 & {second} 2>'{kept}/second.txt' >&2; echo $? >'{kept}/second.code'\n\
         wait $!; echo $? >'{kept}/first.code'\n\
         mount -o remount,size=64m '{disk}' && ls '{disk}' >'{kept}/written.txt'\n\
         {first} & {second} >/dev/null; wait $!",
        kept = kept.display()
    );
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", &script]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = match command.spawn() {
        Ok(child) => end_of(child),
        Err(error) => return println!("skipped: `unshare` cannot be run: {error}"),
    };
    let said = text(&output.stderr);
    if output.status.code() == Some(77) || said.contains("unshare failed") {
        return println!("skipped: no disk can be mounted: {said}");
    }
    let file = |name: &str| fs::read_to_string(kept.join(name)).expect("it was written");
    for process in ["first", "second"] {
        assert_eq!(file(&format!("{process}.code")).trim(), "2", "{said}");
        let said = file(&format!("{process}.txt"));
        assert!(said.contains("cannot write a checkpoint into") && said.contains("process-1"), "{said}");
    }
    assert!(file("written.txt").contains(".states") && !file("written.txt").contains("unfinished"));
    assert_eq!(figures(&output), expected);
    assert!(!text(&output.stdout).contains("_from_level\": null"), "{}", text(&output.stdout));
}

/// Whether somebody listens on a port of this machine.
#[cfg(target_os = "linux")]
fn is_taken(address: &str) -> bool {
    let port: u16 = address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let (table, port) = (fs::read_to_string("/proc/net/tcp").expect("a table"), format!(":{port:04X}"));
    let is_ours = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        // The local address, and the state of who listens.
        words.len() > 3 && words[1].ends_with(&port) && words[3] == "0A"
    };
    table.lines().any(is_ours)
}

/// A second run on the ports of one that goes on is refused, and the first does not notice.
#[cfg(target_os = "linux")]
#[test]
fn two_runs_on_the_same_ports() {
    let model = kanban("same ports.gal", "2000");
    let hosts = addresses(2);
    let arguments = ["states", &model, "--memory", "2G", "--workers", "1"];
    let first = [0, 1].map(|process| start(&arguments, &hosts, process));
    let end = Instant::now() + LONG;
    while !hosts.trim_end_matches(',').split(',').all(is_taken) {
        assert!(Instant::now() < end, "nobody listens");
        std::thread::sleep(Duration::from_millis(20));
    }
    let begin = Instant::now();
    let second = [0, 1].map(|process| start(&arguments, &hosts, process));
    for output in second.map(|child| end_within(child, SECONDS)) {
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("it is in use"), "{said}");
    }
    assert!(begin.elapsed() < SECONDS);
    for mut child in first {
        let has_ended = child.try_wait().expect("it is there").is_some();
        // It may have ended meanwhile.
        let _ = child.kill();
        assert!(!has_ended, "{}", text(&end_of(child).stderr));
    }
}

/// Limits of one process, and signals to one of them, end all with what is known.
#[cfg(unix)]
#[test]
fn who_is_stopped_stops_all() {
    let model = kanban("stopped.gal", "2000");
    // The first is the one that has the limit, or gets the signal.
    let cases: [(&[&str], Option<&str>); 4] =
        [(&["--timeout", "3s"], None), (&["--memory", "60M"], None), (&[], Some("TERM")), (&[], Some("INT"))];
    for (number, (limit, signal)) in cases.into_iter().enumerate() {
        let hosts = addresses(2);
        let plain = ["states", &model, "--memory", "4G", "--workers", "1"];
        let limited: Vec<&str> =
            ["states", &model, "--workers", "1"].into_iter().chain(limit.iter().copied()).collect();
        let stopped = number % 2;
        let children = [0, 1].map(|process| {
            let arguments = if process == stopped { &limited[..] } else { &plain };
            start(arguments, &hosts, process)
        });
        if let Some(signal) = signal {
            std::thread::sleep(Duration::from_millis(1500));
            let id = children[stopped].id().to_string();
            let sent = Command::new("kill").args([&format!("-{signal}"), &id]).status().expect("it starts");
            assert!(sent.success());
        }
        let begin = Instant::now();
        for output in children.map(|child| end_within(child, SECONDS)) {
            let (printed, said) = (text(&output.stdout), text(&output.stderr));
            assert_eq!(output.status.code(), Some(3), "{limit:?} {signal:?}: {said}");
            let known = number_after(&printed, "at least");
            assert!(known.parse::<u64>().is_ok_and(|states| states > 1), "{printed}");
        }
        assert!(begin.elapsed() < SECONDS);
    }
}
