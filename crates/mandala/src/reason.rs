//! What ended work before it was done.

use crate::words;
use std::fmt;
use std::time::Duration;

/// Why work ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time was over: this much was allowed.
    Time(Option<Duration>),
    /// The memory was used up.
    Memory,
    /// Somebody asked it to stop.
    Cancelled,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Time(Some(time)) => write!(f, "out of time after {}", words::seconds(*time)),
            Reason::Time(None) => write!(f, "out of time"),
            Reason::Memory => write!(f, "out of memory"),
            Reason::Cancelled => write!(f, "interrupted"),
        }
    }
}
