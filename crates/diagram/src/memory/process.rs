//! The memory of the whole process, which all that works in it shares.
//!
//! A store knows what it has allocated itself. What else there is (other stores, the model, tables of other engines, what the
//! allocator keeps) only the system knows: it says how many bytes of the process are in memory. That is looked at every few
//! milliseconds by whoever is about to grow, so that all of it together stays within one limit, whichever part grows.

use std::fs::File;
use std::sync::Arc as Shared;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// So long, in microseconds, a look at the memory of the process is good for.
const GOOD_FOR: u64 = 2_000;
/// What may be used beyond the limit to save what was found when it struck: a part of the limit, and so many bytes.
const TO_SAVE_PART: usize = 20;
const TO_SAVE_BYTES: usize = 8 << 20;

/// A limit on the memory of the whole process: clones share it.
///
/// ```
/// use mandala_diagram::ProcessMemory;
/// // Nothing where the system does not say what a process has.
/// if let Some(memory) = ProcessMemory::besides_now(1 << 30) {
///     assert!(!memory.exceeds(0));
///     assert!(memory.exceeds(2 << 30));
/// }
/// ```
#[derive(Clone, Debug)]
pub struct ProcessMemory(Shared<Inner>);

#[derive(Debug)]
struct Inner {
    limit: usize,
    began: Instant,
    status: File,
    /// What was in memory when it was looked at, with what was allowed since then.
    used: AtomicUsize,
    /// When that was, in microseconds since the beginning.
    looked: AtomicU64,
}

impl ProcessMemory {
    /// So many bytes besides what the process has in memory now. Nothing where the system does not say what that is.
    pub fn besides_now(bytes: usize) -> Option<ProcessMemory> {
        let memory = ProcessMemory::with_limit(0)?;
        ProcessMemory::with_limit(memory.used().saturating_add(bytes))
    }

    fn with_limit(limit: usize) -> Option<ProcessMemory> {
        let status = File::open("/proc/self/status").ok()?;
        let used = AtomicUsize::new(resident(&status)?);
        let began = Instant::now();
        Some(ProcessMemory(Shared::new(Inner { limit, began, status, used, looked: AtomicU64::new(0) })))
    }

    /// The most bytes that the process is to have in memory.
    pub fn limit(&self) -> usize {
        self.0.limit
    }

    /// The bytes that the process has in memory.
    pub fn used(&self) -> usize {
        self.look();
        self.0.used.load(Ordering::Relaxed)
    }

    /// Whether so many more bytes would break the limit. If not, they are counted as used until the next look.
    pub fn exceeds(&self, more: usize) -> bool {
        self.is_beyond(more, self.0.limit)
    }

    /// The same for what is saved after the limit struck, which may use a little more.
    pub fn is_exhausted_by(&self, more: usize) -> bool {
        self.is_beyond(more, self.last())
    }

    /// By how many bytes the process is beyond the limit and what is kept for saving: something grows that does not ask.
    pub fn excess(&self) -> usize {
        self.used().saturating_sub(self.last())
    }

    fn last(&self) -> usize {
        self.0.limit.saturating_add(self.0.limit / TO_SAVE_PART).saturating_add(TO_SAVE_BYTES)
    }

    /// A limit that is a little larger, for work that says what is known after this one struck.
    pub fn extended(&self) -> Option<ProcessMemory> {
        let limit = self.0.limit.saturating_add(self.0.limit / TO_SAVE_PART / 2).saturating_add(TO_SAVE_BYTES / 2);
        ProcessMemory::with_limit(limit)
    }

    fn is_beyond(&self, more: usize, limit: usize) -> bool {
        let inner = &*self.0;
        let fits = || inner.used.load(Ordering::Relaxed).saturating_add(more) <= limit;
        let is_fresh = self.now().saturating_sub(inner.looked.load(Ordering::Relaxed)) < GOOD_FOR;
        if !is_fresh || !fits() {
            self.look();
        }
        let is_beyond = !fits();
        if !is_beyond && more > 0 {
            inner.used.fetch_add(more, Ordering::Relaxed);
        }
        is_beyond
    }

    fn now(&self) -> u64 {
        self.0.began.elapsed().as_micros() as u64
    }

    fn look(&self) {
        if let Some(used) = resident(&self.0.status) {
            self.0.used.store(used, Ordering::Relaxed);
        }
        self.0.looked.store(self.now(), Ordering::Relaxed);
    }
}

/// The bytes of this process that are in memory.
#[cfg(unix)]
fn resident(status: &File) -> Option<usize> {
    use std::os::unix::fs::FileExt;
    let mut text = [0; 4096];
    let length = status.read_at(&mut text, 0).ok()?;
    let text = String::from_utf8_lossy(&text[..length]);
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?.checked_mul(1024)
}

#[cfg(not(unix))]
fn resident(_status: &File) -> Option<usize> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_allowed_is_counted_until_the_next_look() {
        let memory = ProcessMemory::besides_now(1 << 40).expect("Linux says what a process has");
        assert!(!memory.exceeds(3 << 38));
        // The two together are too much, but a look shows that the first was never used.
        assert!(!memory.exceeds(3 << 38));
        assert!(memory.exceeds(3 << 40));
        assert!(!memory.is_exhausted_by(1 << 40) && !memory.exceeds(1 << 39));
    }

    #[test]
    fn what_is_in_memory_is_seen() {
        let memory = ProcessMemory::besides_now(1 << 20).expect("Linux says what a process has");
        let held = vec![1u8; 64 << 20];
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert!(memory.exceeds(0) && memory.is_exhausted_by(0) && memory.used() > 64 << 20);
        drop(held);
    }
}
