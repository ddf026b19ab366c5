//! How much time and memory work may take, what stops it from outside, and what ended it.

use crate::error::{Error, ErrorKind};
use mandala_diagram::ProcessMemory;
use std::time::{Duration, Instant};

/// Of the memory that the process may use, the share that diagrams get: the allocator, the model and what is saved when
/// the limit strikes need the rest.
const SHARE_OF_DIAGRAMS: f64 = 0.9;
/// Of the memory that is free, the share that is used if nothing is said.
const SHARE_OF_FREE: f64 = 0.8;
/// How long it may take to say what is known after a limit struck.
pub(crate) const TIME_TO_SAY: Duration = Duration::from_millis(250);
/// Work that still goes on so long after a limit is left behind.
pub(crate) const TIME_TO_STOP: Duration = Duration::from_millis(500);
/// The same where other processes take part, which agree on the end.
pub(crate) const TIME_TO_AGREE: Duration = Duration::from_secs(4);

/// When work must end.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    /// How long it may take.
    pub time: Duration,
    /// When that is over.
    pub moment: Instant,
}

impl Deadline {
    /// A deadline some time after a moment; none if that is beyond what a clock can say.
    pub fn after(start: Instant, time: Duration) -> Option<Deadline> {
        start.checked_add(time).map(|moment| Deadline { time, moment })
    }
}

/// Stops work from another thread: what is known by then is the answer.
///
/// ```
/// let cancel = mandala::Cancel::default();
/// let handle = cancel.clone();
/// std::thread::spawn(move || handle.cancel()).join().unwrap();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(pub(crate) mandala_diagram::Cancel);

impl Cancel {
    /// Asks the work to stop, and all work that is given this later. Whether somebody had asked before.
    pub fn cancel(&self) -> bool {
        let asked_before = self.is_cancelled();
        self.0.cancel();
        asked_before
    }

    /// Whether somebody has asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// An amount of memory: a number of bytes, or a text such as `4G`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory(Written);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Written {
    Bytes(u64),
    Text(String),
}

impl Memory {
    /// How many bytes it is.
    pub fn bytes(&self) -> Result<u64, Error> {
        match &self.0 {
            Written::Bytes(bytes) => Ok(*bytes),
            Written::Text(text) => memory(text)
                .map_err(|reason| Error::with_help(ErrorKind::Memory, format!("`{text}`: no memory"), reason)),
        }
    }
}

impl From<u64> for Memory {
    fn from(bytes: u64) -> Memory {
        Memory(Written::Bytes(bytes))
    }
}

impl From<&str> for Memory {
    fn from(text: &str) -> Memory {
        Memory(Written::Text(text.to_owned()))
    }
}

/// The bytes that diagrams may use.
pub(crate) fn memory_for_diagrams(given: Option<u64>) -> Option<usize> {
    usize::try_from((given.or_else(most_of_free)? as f64 * SHARE_OF_DIAGRAMS) as u64).ok()
}

/// The limit on the whole process, where the system says what it has: so much besides what it has now.
pub(crate) fn memory_of_process(given: Option<u64>) -> Option<ProcessMemory> {
    ProcessMemory::besides_now(usize::try_from(given.or_else(most_of_free)?).ok()?)
}

fn most_of_free() -> Option<u64> {
    free_memory().map(|free| (free as f64 * SHARE_OF_FREE) as u64)
}

/// Of the memory that the process may use (or that is free, if nothing is said), what a model may take that is made of another
/// one.
pub(crate) fn memory_for_models(given: Option<u64>) -> u64 {
    /// If nobody knows what is free.
    const ASSUMED: u64 = 8 << 30;
    given.or_else(free_memory).unwrap_or(ASSUMED) / 2
}

/// The bytes that this machine has free, as far as the system says.
fn free_memory() -> Option<u64> {
    kibibytes(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

/// The most bytes that this process has used so far, as far as the system says.
pub fn peak_memory() -> Option<u64> {
    kibibytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Reads a number with a unit behind it: `60s`, `1.5 G`.
fn quantity(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let number: f64 = number.parse().ok()?;
    let unit = unit.trim();
    let factor = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?.1;
    Some(number * factor)
}

/// Reads a time: `60s`, `500ms`, `2m`, `1.5h`; without a unit, seconds.
pub fn time(text: &str) -> Result<Duration, String> {
    let units = [("", 1.0), ("s", 1.0), ("ms", 0.001), ("m", 60.0), ("min", 60.0), ("h", 3600.0), ("d", 86400.0)];
    let seconds = quantity(text, &units);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "a time is written as `60s`, `500ms`, `2m` or `1.5h`".to_owned())
}

/// Reads an amount of memory: `8G`, `512M`, `1.5GiB`; without a unit, bytes.
pub fn memory(text: &str) -> Result<u64, String> {
    const WRITTEN: &str = "an amount of memory is written as `8G`, `512M` or `1.5G`";
    /// With less than this no exploration can begin.
    const LEAST: f64 = (8 << 20) as f64;
    let scale = |power: i32| 1024f64.powi(power);
    let units = ["B", "K", "M", "G", "T"];
    let mut names = vec![(String::new(), 1.0)];
    for (power, letter) in (0..).zip(units) {
        names.extend(["", "B", "iB"].map(|ending| (format!("{letter}{ending}"), scale(power))));
    }
    let units: Vec<(&str, f64)> = names.iter().map(|(name, factor)| (name.as_str(), *factor)).collect();
    match quantity(text, &units) {
        Some(bytes) if bytes >= u64::MAX as f64 => Err(WRITTEN.to_owned()),
        Some(bytes) if bytes < LEAST => Err(format!("less than 8M is too little to work with; {WRITTEN}")),
        Some(bytes) => Ok(bytes as u64),
        None => Err(WRITTEN.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(time("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(time("60"), Ok(Duration::from_secs(60)));
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("1.5 h"), Ok(Duration::from_secs(5400)));
        for wrong in ["", "s", "-1s", "0s", "1y", "1e9s", "1.2.3s", "99999999999999999999999d"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn amounts_of_memory() {
        assert_eq!(memory("8G"), Ok(8 << 30));
        assert_eq!(memory("512MiB"), Ok(512 << 20));
        assert_eq!(memory("1.5gb"), Ok(3 << 29));
        assert_eq!(memory("8388608"), Ok(8 << 20));
        for wrong in ["", "G", "-1G", "1X", "10", "1K", "5M", "99999999999999999999T"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_memory_of_the_system_is_read() {
        let text = "MemTotal:       24682416 kB\nMemAvailable:   1000 kB\n";
        assert_eq!(kibibytes(text, "MemAvailable:"), Some(1_024_000));
        assert_eq!(kibibytes(text, "VmHWM:"), None);
    }
}
