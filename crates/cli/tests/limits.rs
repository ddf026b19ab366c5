//! Runs that end before they are done: by time, by memory, by the user, or because nobody reads what they print.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::JoinHandle;
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

/// A run whose output is read while it goes on: a full pipe would hold it up.
struct Running {
    child: Child,
    output: [JoinHandle<Vec<u8>>; 2],
}

impl Running {
    fn new(mut child: Child) -> Running {
        let output = [read(child.stdout.take()), read(child.stderr.take())];
        Running { child, output }
    }

    fn is_over(&mut self) -> bool {
        self.child.try_wait().expect("it can be waited for").is_some()
    }

    fn output(mut self) -> Output {
        let status = self.child.wait().expect("it ends");
        let [stdout, stderr] = self.output.map(|reader| reader.join().expect("it has output"));
        Output { status, stdout, stderr }
    }
}

/// Reads a pipe to its end.
fn read(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).expect("it can be read");
        }
        bytes
    })
}

/// Waits for a run, but not for ever.
fn within(child: Child, time: Duration) -> Output {
    let end = Instant::now() + time;
    let mut run = Running::new(child);
    while !run.is_over() {
        if Instant::now() > end {
            run.child.kill().expect("it can be killed");
            panic!("still running after {time:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    run.output()
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
    assert!(printed.contains("\"stopped\": \"time\"") && printed.contains("\"complete\": false"), "{printed}");
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
    let formulas = ["--formula", "AG(EF(kanban1 == 0 && kanban4 == 0))", "--formula", "EF(1 == 1)"];
    let arguments = [&["check", &model, "--reductions", "off", "--timeout", "2s"], &formulas[..]].concat();
    let output = within(mandala(&arguments).spawn().expect("it starts"), Duration::from_secs(20));
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{printed}");
    assert!(printed.contains("EF(1 == 1)                            reachable  holds"), "{printed}");
    assert!(printed.contains("AG(EF(kanban1 == 0 && kanban4 == 0))  ctl        unknown"), "{printed}");
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

    /// Sends a signal, if the run has not ended yet.
    pub fn send(signal: &str, child: &Child) {
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
    }

    #[test]
    fn the_first_interrupt_ends_with_what_is_known() {
        let model = endless("interrupted.gal");
        let child = mandala(&["states", &model, "--reductions", "off"]).spawn().expect("it starts");
        std::thread::sleep(Duration::from_secs(3));
        send("-INT", &child);
        let output = within(child, Duration::from_secs(20));
        let printed = text(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{printed}");
        // On a busy machine there may be no time left to count what was found.
        assert!(printed.contains("(stopped: interrupted"), "{printed}");
    }

    /// Of several models the one that is being looked at ends with what is known, and no other begins.
    #[test]
    fn a_signal_ends_several_runs() {
        let model = endless("several.gal");
        let arguments = ["states", &model, &model, "--reductions", "off", "--json"];
        let child = mandala(&arguments).spawn().expect("it starts");
        std::thread::sleep(Duration::from_secs(2));
        send("-TERM", &child);
        let output = within(child, Duration::from_secs(20));
        let (printed, said) = (text(&output.stdout), text(&output.stderr));
        assert_eq!((output.status.code(), printed.lines().count()), (Some(3), 1), "{printed}");
        assert!(printed.contains("\"stopped\": \"interrupt\""), "{printed}");
        assert!(said.contains("stopped: interrupted, before 1 model of 2"), "{said}");
    }

    #[test]
    fn a_signal_that_comes_twice_ends_with_what_is_known() {
        for signal in ["-INT", "-TERM"] {
            let mut child = mandala(&["states", "-", "--json"]).stdin(Stdio::piped()).spawn().expect("it starts");
            let held = child.stdin.take();
            std::thread::sleep(Duration::from_secs(1));
            send(signal, &child);
            send(signal, &child);
            let output = within(child, Duration::from_secs(10));
            drop(held);
            let printed = text(&output.stdout);
            assert_eq!(output.status.code(), Some(3), "{printed}");
            assert!(printed.contains("\"stopped\": \"interrupt\""), "{printed}");
            assert!(printed.contains("\"phase\": \"reading the model\""), "{printed}");
        }
    }
}

/// A limit that strikes before all states are known or written ends with status 3 and one answer, and writes nothing.
#[test]
fn a_limit_on_states_that_are_written() {
    let (model, dump) = (endless("dump.gal"), file("never-written.json"));
    for more in [["--timeout", "300ms"], ["--memory", "30M"]] {
        let arguments = [&["states", &model, "--strategy", "explicit", "--dump", &dump, "--json"], &more[..]].concat();
        let output = within(mandala(&arguments).spawn().expect("it starts"), Duration::from_secs(60));
        let printed = text(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{printed}");
        let answer: serde_json::Value = serde_json::from_str(&printed).expect("one object");
        assert_eq!(answer["complete"], false);
    }
    // The states are counted at once, and walking through them takes longer.
    let model = file("cube.gal");
    let places: String = (0..17).map(|one| format!("place p{one}; place q{one} = 1; ")).collect();
    let moves: String = (0..17).map(|one| format!("transition t{one} {{ take q{one}; put p{one}; }} ")).collect();
    std::fs::write(&model, format!("net Cube {{ {places} {moves} }}")).expect("it can be written");
    let arguments = ["states", &model, "--dump", &dump, "--dump-states", "1000000", "--json", "--timeout", "100ms"];
    let output = within(mandala(&arguments).spawn().expect("it starts"), Duration::from_secs(60));
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{printed}");
    let answer: serde_json::Value = serde_json::from_str(&printed).expect("one object");
    assert_eq!((&answer["states"], &answer["complete"]), (&"131072".into(), &true.into()));
    assert!(!std::path::Path::new(&dump).exists());
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

/// Every verb and phase runs into every limit. Memory is measured from outside. Machines that run tests are busy: how soon a
/// run ends is measured by `measure_limits.py`, and here only that it ends.
#[cfg(target_os = "linux")]
mod table {
    use super::*;
    use std::sync::OnceLock;

    /// How long a run may take that has half a second.
    const PATIENCE: Duration = Duration::from_secs(20);

    /// A net with so many places, in circles of ten.
    fn wide(places: usize) -> String {
        let marked: String = (0..places).map(|place| format!("place p{place} = {};\n", place % 2)).collect();
        let next = |place: usize| place / 10 * 10 + (place + 3) % 10;
        let moves =
            (0..places).map(|place| format!("transition t{place} {{ take p{place}; put p{}; }}\n", next(place)));
        format!("net Wide {{ {marked} {} }} main Wide;", moves.collect::<String>())
    }

    /// A program whose states are many, and found one by one.
    fn program() -> String {
        let numbers: String = (0..12).map(|one| format!("int x{one} = 0;\n")).collect();
        let moves = (0..12).map(|one| {
            let other = (one + 5) % 12;
            format!(
                "transition t{one} [x{one} < 40] {{ x{one} = x{one} + 1; x{other} = (x{other} * 7 + x{one}) % 41; }}\n"
            )
        });
        format!("gal Numbers {{ {numbers} {} }} main Numbers;", moves.collect::<String>())
    }

    /// A phase, and the arguments of what is done for it.
    type Work = (&'static str, Vec<String>);

    /// What is done. `cluster` is in `tests/cluster`, a page's own limits in `explore.rs`.
    fn work() -> &'static [Work] {
        // The files are written once: a test must not read what another one is writing.
        static WORK: OnceLock<Vec<Work>> = OnceLock::new();
        WORK.get_or_init(prepared)
    }

    fn prepared() -> Vec<Work> {
        let save = |name: &str, text: String| {
            let file = file(name);
            std::fs::write(&file, text).expect("it can be written");
            file
        };
        let kanban = endless("table.gal");
        let wide = save("table-wide.gal", wide(150_000));
        let program = save("table-program.gal", program());
        let coloured = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/database.sn");
        let coloured = coloured.to_string_lossy().into_owned();
        let lines = [
            ("reading", format!("states {wide}")),
            ("reading for info", format!("info {wide}")),
            ("reading for a picture", format!("draw {wide} -o /dev/null --format svg --most 1000000")),
            ("saturation", format!("states {kanban} --reductions off")),
            ("breadth first", format!("states {kanban} --reductions off --strategy bfs")),
            ("state by state", format!("states {kanban} --strategy explicit")),
            ("symmetry", format!("states {program} --symmetry auto")),
            ("enumeration", format!("states {program}")),
            ("a deadlock with its trace", format!("check {program} --deadlock --trace")),
            ("CTL", format!("check {kanban} --formula AG(EF(out1==0))")),
            ("LTL with its trace", format!("check {program} --formula G(x0==0->F(x1==1)) --trace")),
            ("fair runs", format!("check {program} --formula G(x0==0->F(x1==1)) --fair strong")),
            ("steps", format!("check {program} --formula G(fired(t0)->F(fired(t1)))")),
            ("bounds", format!("check {program} --formula [bounds]:x0+x1")),
            ("figures of the contest", format!("check {kanban} --examination StateSpace")),
            ("a walk at random", format!("simulate {program} --steps 1000000")),
            ("states as a file", format!("states {program} --dump {} --dump-states 100000000", file("table.aut"))),
            ("a diagram as a picture", format!("draw {kanban} -o /dev/null --format svg --what diagram")),
            ("conversion", format!("convert {wide} /dev/null --to pnml")),
            ("reduction", format!("convert {wide} /dev/null --to gal --reduce")),
            ("unfolding", format!("states {coloured} -D N=400")),
            ("unfolding for info", format!("info {coloured} -D N=400")),
            ("unfolding for a file", format!("convert {coloured} /dev/null --to pnml --unfold -D N=400")),
            ("symbolic markings", format!("states {coloured} -D N=60 --symmetry auto --symbolic list")),
        ];
        lines.into_iter().map(|(phase, line)| (phase, line.split(' ').map(str::to_owned).collect())).collect()
    }

    /// The most bytes that a run had in memory, as far as that was seen, and how it ended.
    fn measured(child: Child) -> (u64, Output) {
        let status = format!("/proc/{}/status", child.id());
        let (start, mut most, mut run) = (Instant::now(), 0, Running::new(child));
        while !run.is_over() {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
            most = most.max(kibibytes.unwrap_or(0) << 10);
            assert!(start.elapsed() < PATIENCE * 2, "still running");
            std::thread::sleep(Duration::from_millis(2));
        }
        (most, run.output())
    }

    /// Whether a verb has an answer, and does not only write a file.
    fn tells(arguments: &[String]) -> bool {
        !matches!(arguments[0].as_str(), "draw" | "convert")
    }

    /// What is wrong with a run.
    fn flaw(arguments: &[String], wants_json: bool, output: &Output) -> Option<String> {
        let (printed, said) = (text(&output.stdout), text(&output.stderr));
        // What is done in time is right as well.
        let status = output.status.code();
        let is_answer = match wants_json {
            _ if !tells(arguments) => true,
            true => serde_json::from_str::<serde_json::Value>(&printed).is_ok_and(|answer| answer.is_object()),
            false => !printed.trim().is_empty(),
        };
        let is_right = matches!(status, Some(0 | 1 | 3)) && is_answer;
        (!is_right).then(|| format!("{status:?} {printed} {said}"))
    }

    fn started(arguments: &[String], wants_json: bool, more: &[&str]) -> Child {
        let mut all: Vec<&str> = arguments.iter().map(String::as_str).collect();
        all.extend(more);
        if wants_json && tells(arguments) {
            all.push("--json");
        }
        mandala(&all).spawn().expect("it starts")
    }

    #[test]
    fn memory_is_kept_in_every_phase() {
        for (phase, arguments) in work() {
            for megabytes in [20, 100, 500] {
                let memory = format!("{megabytes}M");
                // Few get so far as to need the most in a time that a test has; `measure_limits.py` waits longer.
                let time = if megabytes == 20 { "700ms" } else { "1500ms" };
                let (used, output) = measured(started(arguments, true, &["--memory", &memory, "--timeout", time]));
                assert_eq!(flaw(arguments, true, &output), None, "{phase} with {memory}");
                let most = (megabytes << 20) * 11 / 10 + (30 << 20);
                assert!(used <= most, "{phase}: {} MB with {memory}", used >> 20);
            }
        }
    }

    #[test]
    fn time_ends_every_phase() {
        for (number, (phase, arguments)) in work().iter().enumerate() {
            // With these numbers each phase has another time and signal than its neighbours, in text and in JSON.
            let (time, wants_json) = (["50ms", "200ms", "500ms", "1s", "3s"][number % 5], number % 2 == 0);
            let child = started(arguments, wants_json, &["--timeout", time, "--memory", "2G"]);
            let output = within(child, PATIENCE);
            assert_eq!(flaw(arguments, wants_json, &output), None, "{phase} in {time}");
        }
    }

    #[test]
    fn signals_end_every_phase() {
        for (number, (phase, arguments)) in work().iter().enumerate() {
            let wants_json = number % 4 < 2;
            let child = started(arguments, wants_json, &["--memory", "2G"]);
            // Long enough for the handler to be there.
            std::thread::sleep(Duration::from_millis(150 + 90 * (number as u64 % 5)));
            let signal = ["-INT", "-TERM"][number % 2];
            (0..1 + number % 3).for_each(|_| signals::send(signal, &child));
            let output = within(child, PATIENCE);
            assert_eq!(flaw(arguments, wants_json, &output), None, "{phase} with {signal}");
        }
    }

    /// Verbs without limits have no answer to tell, and end by a signal as any program does.
    #[test]
    fn signals_end_verbs_without_limits() {
        let model = endless("no-limits.gal");
        let lines = [
            "generate philosophers 100000 --shape flat -o /dev/null".to_owned(),
            "automaton -f GFa&&GFb&&GFc&&GFd&&GFe&&GFf&&GFg&&GFh".replace("GF", "G F "),
            format!("explore {model} --no-open"),
            format!("simulate {model}"),
            "format -".to_owned(),
            "lsp".to_owned(),
        ];
        for line in lines {
            let (verb, rest) = line.split_once(' ').unwrap_or((line.as_str(), ""));
            let arguments: Vec<&str> = match rest.strip_prefix("-f ") {
                Some(formula) => vec![verb, "-f", formula],
                None => std::iter::once(verb).chain(rest.split_whitespace()).collect(),
            };
            let mut child = mandala(&arguments).stdin(Stdio::piped()).spawn().expect("it starts");
            let held = child.stdin.take();
            std::thread::sleep(Duration::from_millis(200));
            // Who is started in the background by a shell may not hear SIGINT.
            (0..2).for_each(|_| signals::send("-TERM", &child));
            let output = within(child, PATIENCE);
            drop(held);
            assert!(matches!(output.status.code(), None | Some(0)), "{line}: {}", text(&output.stderr));
        }
    }
}
