//! Standard output and standard error.
//!
//! Whoever reads the output may stop reading: a closed pipe is no error.

use crate::failure::Failure;
pub use mandala::words::{count, seconds};
use std::io::{self, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

/// Held while something is printed, so that a watchdog does not end the program in the middle of it.
static PRINTING: Mutex<()> = Mutex::new(());

/// Prints a text on standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    crate::ending::claim();
    let _printing = PRINTING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Prints lines before the answer, if nobody prints the answer yet; whether that was done.
pub fn print_early(text: &str) -> bool {
    let _printing = PRINTING.lock().unwrap_or_else(PoisonError::into_inner);
    if crate::ending::is_claimed() {
        return false;
    }
    let mut out = io::stdout().lock();
    // Nobody may be reading.
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
}

/// What became of writing to standard output.
pub fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a line on standard error. There is nowhere to complain if that fails.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Numbers with more digits than this are null in JSON if nothing is said.
pub const DIGITS: usize = 100_000;

/// All digits of a number, if it has at most so many.
pub fn decimal(count: &mandala::Count, digits: usize) -> Option<String> {
    // Writing a long number down takes a while: first see whether it can be short enough.
    let length = count.log10().map_or(Some(0.0), |logarithm| logarithm.to_f64())?;
    count.exact().filter(|_| length <= digits as f64)?;
    Some(format!("{count:#}")).filter(|text| text.len() <= digits)
}

/// Ends the program at once, but not in the middle of a line.
pub fn exit(code: i32) -> ! {
    let _printing = PRINTING.lock().unwrap_or_else(PoisonError::into_inner);
    std::process::exit(code)
}

/// A table of names and what they are, for people: names are padded to the longest.
#[derive(Clone, Default)]
pub struct Facts {
    lines: Vec<(String, String)>,
}

impl Facts {
    /// Adds a line.
    pub fn add(&mut self, name: &str, what: impl ToString) {
        self.lines.push((name.to_owned(), what.to_string()));
    }

    /// The lines, aligned.
    pub fn text(&self) -> String {
        let width = self.lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        self.lines.iter().map(|(name, what)| format!("{name:width$}  {what}\n")).collect()
    }
}

/// A number of bytes as people read it.
pub fn bytes(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 || value >= 100.0 {
        format!("{value:.0} {}", units[unit])
    } else {
        format!("{value:.1} {}", units[unit])
    }
}

/// An error if a file cannot be written, before anything is done for what it is to hold.
pub fn can_be_written(file: &str) -> Result<(), Failure> {
    if file == "-" {
        return Ok(());
    }
    let is_new = !std::path::Path::new(file).exists();
    std::fs::OpenOptions::new().append(true).create(true).open(file).map_err(|error| cannot_write(file, &error))?;
    if is_new {
        // If this fails, what is written later is in its place.
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}

/// What is said of a file that cannot be written.
pub fn cannot_write(file: &str, error: &io::Error) -> Failure {
    let help = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room, or write to another place",
        _ => "is the folder there, and may it be written to?",
    };
    Failure::with_help(format!("cannot write {file}: {error}"), help)
}

/// Writes a text into a file, or to standard output if the file is `-`.
pub fn save(file: &str, text: &str) -> Result<(), Failure> {
    if file == "-" {
        return print(text);
    }
    std::fs::write(file, text).map_err(|error| cannot_write(file, &error))
}
