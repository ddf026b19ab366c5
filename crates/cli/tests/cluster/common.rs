//! Processes of a run, and what they say.

use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longer than anything here takes, however busy the machine is.
pub const LONG: Duration = Duration::from_secs(60);

/// The program that is tested.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_mandala");

/// A number that whoever starts the tests may change.
pub fn option(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

pub fn mandala(arguments: &[&str]) -> Command {
    piped(Command::new(PROGRAM), arguments)
}

/// A command with arguments whose output is kept.
pub fn piped(mut command: Command, arguments: &[&str]) -> Command {
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A folder of a test's own, with nothing in it.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It is there if the last run of this test did not end well.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A model in a file of a test's own.
pub fn kanban(name: &str, size: &str) -> String {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name).to_string_lossy().into_owned();
    let output = mandala(&["generate", "kanban", size, "--shape", "flat", "-o", &file]).output().expect("it starts");
    assert!(output.status.success());
    file
}

/// Addresses that were free a moment ago and that no other test was given, with a comma at the end, which makes a list of it.
pub fn addresses(count: usize) -> String {
    static GIVEN: Mutex<BTreeSet<SocketAddr>> = Mutex::new(BTreeSet::new());
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut listeners, mut list) = (Vec::new(), String::new());
    while list.matches(',').count() < count {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        listeners.push(listener);
        if given.insert(address) {
            list += &format!("{address},");
        }
    }
    list
}

/// What makes a process one of a run.
pub fn member(command: &mut Command, hosts: &str, process: usize) {
    command.args(["--strategy", "explicit", "--hosts", hosts, "--process", &process.to_string()]);
}

/// Starts a process of a run.
pub fn start(arguments: &[&str], hosts: &str, process: usize) -> Child {
    let mut command = mandala(arguments);
    member(&mut command, hosts, process);
    command.spawn().expect("it starts")
}

/// Waits for a process, but not for ever.
pub fn end_of(child: Child) -> Output {
    end_within(child, LONG)
}

/// The same, with so much patience. What it prints is read meanwhile: it may be more than fits into a pipe.
pub fn end_within(mut child: Child, patience: Duration) -> Output {
    fn read(pipe: Option<impl std::io::Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.map(|mut pipe| pipe.read_to_end(&mut bytes).expect("it can be read"));
            bytes
        })
    }
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    let end = Instant::now() + patience;
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status;
        }
        if Instant::now() > end {
            child.kill().expect("it can be killed");
            panic!("still running after {patience:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let bytes = |reader: std::thread::JoinHandle<Vec<u8>>| reader.join().expect("it is read");
    Output { status, stdout: bytes(stdout), stderr: bytes(stderr) }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

pub fn number_after(text: &str, key: &str) -> String {
    let rest = text.split(key).nth(1).unwrap_or_else(|| panic!("no {key} in {text}"));
    rest.trim_start_matches([':', ' ', '"']).chars().take_while(char::is_ascii_digit).collect()
}
