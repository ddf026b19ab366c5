//! Looks for files that a reader cannot cope with.
//!
//! ```text
//! cargo run --release --example fuzz -- READER SECONDS [SEED] [FILE...]
//! ```
//!
//! READER is `pnml`, `sn-pnml` (symmetric nets), `contest`, `gal`, `dve`, `sn`, `greatspn` or `pnpro`. Files are made by breaking
//! the given ones and a small one of its own; for `contest`, properties are read as those of the first given file that is a net; for
//! `greatspn`, definitions follow the net that they belong to; for all but `pnml`, `contest` and `sn`, if none are given, the
//! models in `../shared/models` are broken. It is a finding if the reader panics, overflows a stack of 2 MB, takes
//! longer than 5 seconds, makes a message that cannot be shown, needs more than 500 MB for a file below 100 kB, or reads
//! what it cannot read again once it is written. Findings are saved in `mandala-fuzz` in the folder for temporary
//! files.
//!
//! The readers run in another process, which is this program again: so a stack that overflows can be survived.

#[path = "../tests/readers/coloured.rs"]
mod coloured;
#[path = "../tests/readers/mutate.rs"]
mod mutate;
#[path = "../tests/readers/random.rs"]
mod random;
#[path = "../tests/readers/samples.rs"]
mod samples;

use mandala_model::coloured::{greatspn, pnml as symmetric, sn};
use mandala_model::dve;
use mandala_model::gal::{self, Specification};
use mandala_model::net::pnml;
use mandala_model::property::contest;
use mandala_model::system::{System, Type};
use mandala_model::text::{Unreadable, decode};
use mutate::Mutator;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How much stack the readers get: what a thread gets where nobody asks for more.
const STACK: usize = 2 << 20;

/// How long a reader may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// How much memory the process may need, in kilobytes.
const MEMORY: u64 = 500_000;

/// What the process that runs the readers ends with, if it was not ended.
const PANICKED: u8 = 10;
const TOO_SLOW: u8 = 11;
const TOO_LARGE: u8 = 12;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(run) = Run::new(&arguments) else {
        eprintln!("usage: fuzz pnml|sn-pnml|contest|gal|dve|sn|greatspn|pnpro SECONDS [SEED] [FILE...]");
        return ExitCode::from(2);
    };
    match std::env::var("MANDALA_FUZZ_FILE") {
        Ok(file) => run.read(PathBuf::from(file)),
        Err(_) => run.supervise(&arguments),
    }
}

/// What is to be done.
struct Run {
    reader: String,
    time: Duration,
    seed: u64,
    files: Vec<String>,
}

impl Run {
    fn new(arguments: &[String]) -> Option<Run> {
        let (reader, rest) = arguments.split_first()?;
        let (seconds, rest) = rest.split_first()?;
        let (seed, files) = match rest.split_first().map(|(first, files)| (first.parse(), files)) {
            Some((Ok(seed), files)) => (seed, files),
            _ => (1, rest),
        };
        const READERS: [&str; 8] = ["pnml", "sn-pnml", "contest", "gal", "dve", "sn", "greatspn", "pnpro"];
        let known = READERS.contains(&reader.as_str());
        let time = Duration::from_secs(seconds.parse().ok()?);
        known.then(|| Run { reader: reader.clone(), time, seed, files: files.to_vec() })
    }

    /// Runs the readers in processes of their own until the time is over. A process that found something is followed
    /// by one with another seed.
    fn supervise(&self, arguments: &[String]) -> ExitCode {
        let folder = std::env::temp_dir().join("mandala-fuzz");
        let current = folder.join(format!("{}-{}-current", self.reader, self.seed));
        if let Err(error) = std::fs::create_dir_all(&folder) {
            eprintln!("{}: {error}", folder.display());
            return ExitCode::from(2);
        }
        let end = Instant::now() + self.time;
        let mut findings = 0;
        while Instant::now() < end {
            let left = end.saturating_duration_since(Instant::now()).as_secs() + 1;
            let seed = self.seed.wrapping_add(findings * 1_000_003);
            let again = std::env::current_exe().and_then(|program| {
                let files = arguments.iter().skip(2).filter(|argument| argument.parse::<u64>().is_err());
                let mut command = Command::new(program);
                command.arg(&self.reader).arg(left.to_string()).arg(seed.to_string()).args(files);
                command.env("MANDALA_FUZZ_FILE", &current).status()
            });
            let finding = match again.map(|status| status.code()) {
                Ok(Some(0)) => break,
                Ok(Some(code)) if code == i32::from(PANICKED) => "a panic",
                Ok(Some(code)) if code == i32::from(TOO_SLOW) => "more than 5 seconds",
                Ok(Some(code)) if code == i32::from(TOO_LARGE) => "more than 500 MB",
                Ok(_) => "the end of the process (a stack overflow?)",
                Err(error) => {
                    eprintln!("cannot run this program again: {error}");
                    return ExitCode::from(2);
                }
            };
            findings += 1;
            let saved = folder.join(format!("{}-{}-{findings}", self.reader, self.seed));
            let copied = std::fs::copy(&current, &saved).is_ok();
            println!("FINDING {finding}: {}", if copied { saved } else { current.clone() }.display());
        }
        println!("{} findings", findings);
        ExitCode::from(u8::from(findings > 0))
    }

    /// Runs the readers until the time is over or something is found; what is being read is in the file `current`.
    fn read(&self, current: PathBuf) -> ExitCode {
        let given: Vec<PathBuf> = self.files.iter().map(PathBuf::from).collect();
        let files = if given.is_empty() { shared(&self.reader) } else { given };
        let mut corpus: Vec<String> = files.iter().map(|file| whole(&self.reader, file)).collect();
        corpus.retain(|text| text.len() <= mutate::LONGEST);
        let reader = reader(&self.reader, &mut corpus);
        let mut mutator = Mutator::new(self.seed, corpus);
        let begin = Instant::now();
        let started = Arc::new(AtomicU64::new(0));
        let (clock, time, seed) = (started.clone(), self.time, self.seed);
        let work = move || {
            let (mut count, mut good) = (0_u64, 0_u64);
            while begin.elapsed() < time {
                let text = mutator.text();
                // Whatever happens from here on, it is known with which file.
                let _ = std::fs::write(&current, &text);
                clock.store(milliseconds(begin), Ordering::SeqCst);
                good += u64::from(reader(&text));
                count += 1;
            }
            println!("seed {seed}: {count} files, {good} of them read");
        };
        let Ok(worker) = std::thread::Builder::new().stack_size(STACK).spawn(work) else { return ExitCode::from(2) };
        while !worker.is_finished() {
            std::thread::sleep(Duration::from_millis(50));
            let taken = milliseconds(begin).saturating_sub(started.load(Ordering::SeqCst));
            if u128::from(taken) > PATIENCE.as_millis() && begin.elapsed() < time {
                return ExitCode::from(TOO_SLOW);
            }
            if most_memory() > MEMORY {
                return ExitCode::from(TOO_LARGE);
            }
        }
        if worker.join().is_ok() { ExitCode::SUCCESS } else { ExitCode::from(PANICKED) }
    }
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

fn content(file: &Path) -> String {
    match std::fs::read(file) {
        Ok(bytes) => decode(&bytes).into_owned(),
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            String::new()
        }
    }
}

/// The content of a file, with what lies beside it and belongs to it.
fn whole(reader: &str, file: &Path) -> String {
    match reader {
        "greatspn" => content(file) + &content(&file.with_extension("def")),
        _ => content(file),
    }
}

/// The shared models in the language of a reader; none, with a message, where they are not there.
fn shared(reader: &str) -> Vec<PathBuf> {
    let folder = match reader {
        "gal" => "gal",
        "dve" => "beem-dve",
        "greatspn" | "pnpro" => "swn",
        "sn-pnml" => "mcc-col",
        _ => return Vec::new(),
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models").join(folder);
    let Ok(entries) = std::fs::read_dir(path) else {
        eprintln!("skipped: there is no folder ../shared/models/{folder}; only the sample is broken");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    if reader == "sn-pnml" {
        files.iter_mut().for_each(|file| file.push("model.pnml"));
        files.retain(|file| file.is_file());
    } else {
        let ending = if reader == "greatspn" { "net" } else { reader };
        files.retain(|file| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending)));
    }
    files.sort();
    files
}

/// A reader, which says whether a text is right. What it needs besides is taken from the corpus, and a sample added.
fn reader(name: &str, corpus: &mut Vec<String>) -> Box<dyn Fn(&str) -> bool + Send> {
    match name {
        "pnml" => {
            corpus.push(samples::NET.to_owned());
            Box::new(|text| match pnml::read("fuzz.pnml", text) {
                Ok(net) => {
                    let again = pnml::read("again.pnml", &pnml::write(&net));
                    assert!(again.as_ref() == Ok(&net), "written and read back, the net is another");
                    true
                }
                Err(error) => shows(&error),
            })
        }
        "sn-pnml" => {
            corpus.push(samples::SYMMETRIC.to_owned());
            Box::new(|text| match symmetric::read("fuzz.pnml", text) {
                Ok(net) => {
                    match symmetric::write(&net) {
                        Ok(written) => {
                            let again = symmetric::read("again.pnml", &written);
                            assert!(again.as_ref() == Ok(&net), "written and read back, the net is another");
                        }
                        // What is almost too deep is written a little deeper.
                        Err(symmetric::NotWritable::TooDeep { .. }) => {}
                        Err(error) => panic!("read, but not written: {error}"),
                    }
                    assert!(!format!("{net:?}").is_empty());
                    true
                }
                Err(error) => shows(&error),
            })
        }
        "contest" => {
            let net = corpus.iter().position(|text| text.contains("<pnml")).map(|at| corpus.remove(at));
            corpus.push(samples::PROPERTIES.to_owned());
            let net = pnml::read("model.pnml", net.as_deref().unwrap_or(samples::NET)).unwrap_or_default();
            let system = System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
            Box::new(move |text| {
                contest::read("fuzz.xml", text, &system, None).map_or_else(|error| shows(&error), |_| true)
            })
        }
        "dve" => {
            corpus.extend([samples::DVE.to_owned(), samples::DVE_SYNCHRONOUS.to_owned()]);
            Box::new(|text| can_be_written(dve::read("fuzz.dve", text)))
        }
        "sn" => {
            corpus.push(samples::SN.to_owned());
            Box::new(|text| match sn::read("fuzz.sn", text, &[]) {
                Ok(model) => {
                    let again = sn::read("again.sn", &sn::write(&model.net, &model.properties), &[]);
                    assert!(again.as_ref() == Ok(&model), "written and read back, the net is another");
                    true
                }
                Err(error) => shows(&error),
            })
        }
        "greatspn" => {
            corpus.push(samples::GREATSPN.to_owned());
            Box::new(|text| {
                let (net, def) = samples::greatspn(text);
                is_a_net(greatspn::read_net("fuzz.net", net, def.map(|def| ("fuzz.def", def))))
            })
        }
        "pnpro" => {
            corpus.push(samples::PROJECT.to_owned());
            Box::new(|text| is_a_net(greatspn::read_project("fuzz.PNPRO", text, &[])))
        }
        _ => {
            corpus.push(samples::GAL.to_owned());
            Box::new(|text| can_be_written(gal::read("fuzz.gal", text, &[])))
        }
    }
}

/// Whether a text is right. The net that was read holds together.
fn is_a_net(read: Result<greatspn::Reading, Unreadable>) -> bool {
    read.map_or_else(
        |error| shows(&error),
        |reading| {
            coloured::holds_together(&reading.net);
            true
        },
    )
}

/// Whether a text is right. What was read can be written as GAL, and read again.
fn can_be_written(read: Result<Specification, Unreadable>) -> bool {
    match read {
        Ok(model) => {
            let written = gal::write(&model.system, &model.properties);
            let again = gal::read("again.gal", &written, &[]);
            assert!(again.is_ok(), "written and read back, the model is refused: {}", again.unwrap_err());
            true
        }
        Err(error) => shows(&error),
    }
}

/// Whether a text is right: no; but what is wrong with it can be said.
fn shows(error: &Unreadable) -> bool {
    assert!(!error.problems.is_empty(), "refused without a reason");
    assert!(!error.to_string().is_empty(), "refused without a message");
    false
}

/// The most memory that this process has needed, in kilobytes; 0 where the system does not say.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_ascii_whitespace().next()?.parse().ok()).unwrap_or(0)
}
