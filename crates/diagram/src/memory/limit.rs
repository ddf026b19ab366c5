//! Limits, cancellation and errors.

use std::fmt;
use std::sync::Arc as Shared;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use crate::memory::Diagram;

/// Why an operation came to its end before its time. Small, because every operation may return it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Memory,
    Time,
    Work,
    Cancelled,
    /// The store's `failure` holds the error.
    Failed,
}

/// The result of an internal operation.
pub(crate) type Run<T> = Result<T, Stop>;

/// What a store may use. The default is no limit.
///
/// ```
/// use mandala_diagram::{Limits, Store};
/// use std::time::{Duration, Instant};
///
/// let mut store = Store::new();
/// store.set_limits(Limits {
///     memory: Some(4 << 30),
///     deadline: Some(Instant::now() + Duration::from_secs(60)),
///     work: None,
/// });
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The most bytes that the store may allocate, all of it together: nodes, caches, terms and stacks.
    /// It is looked at when something is about to grow, and now and then in between, so that it may be
    /// exceeded by a few per cent. The process as a whole needs more (the allocator, the program, and
    /// what is saved when the limit strikes): leave a third.
    pub memory: Option<usize>,
    /// The moment at which operations end with [`Error::Time`]. A moment, not a duration: set it anew
    /// before each operation that is to have its own.
    pub deadline: Option<Instant>,
    /// How many nodes may be asked for, new or not, from [`Store::set_limits`](crate::Store::set_limits) on, before
    /// operations end with [`Error::Work`]. It is looked at every few thousand nodes. Unlike a deadline it strikes in
    /// the same place whenever the same is done.
    pub work: Option<u64>,
}

/// What a store is doing, to be looked at from another thread while it does it.
///
/// ```
/// # use mandala_diagram::Store;
/// let store = Store::new();
/// let progress = store.progress();
/// std::thread::spawn(move || println!("{} nodes", progress.nodes())).join().unwrap();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Progress(Shared<[AtomicUsize; 2]>);

impl Progress {
    /// Nodes in the store, those included that a collection would free.
    pub fn nodes(&self) -> usize {
        self.0[0].load(Ordering::Relaxed)
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> usize {
        self.0[1].load(Ordering::Relaxed)
    }

    pub(crate) fn set(&self, nodes: usize, bytes: usize) {
        self.0[0].store(nodes, Ordering::Relaxed);
        self.0[1].store(bytes, Ordering::Relaxed);
    }
}

/// Stops a store's operations from another thread, or from a handler of Ctrl-C.
///
/// A store that was cancelled stays so: every operation fails until [`Cancel::reset`].
///
/// ```
/// # use mandala_diagram::{Error, Store};
/// let mut store = Store::new();
/// let cancel = store.cancel();
/// std::thread::spawn(move || cancel.cancel()).join().unwrap();
/// assert!(matches!(store.state(&[(0, 1)]), Err(Error::Cancelled { .. })));
/// store.cancel().reset();
/// assert!(store.state(&[(0, 1)]).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Shared<Flag>);

#[derive(Debug, Default)]
struct Flag {
    set: AtomicBool,
    /// What this one is part of: if that is cancelled, so is this.
    whole: Option<Cancel>,
}

impl Cancel {
    /// Ends the operation that is under way, and every later one, with [`Error::Cancelled`].
    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::Relaxed);
    }

    /// Lets operations run again.
    pub fn reset(&self) {
        self.0.set.store(false, Ordering::Relaxed);
    }

    /// Whether [`Cancel::cancel`] was called, of this or of what it is a part of.
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::Relaxed) || self.0.whole.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// One that can be cancelled by itself and is cancelled together with this one: for one of several attempts.
    pub fn part(&self) -> Cancel {
        Cancel(Shared::new(Flag { set: AtomicBool::new(false), whole: Some(self.clone()) }))
    }
}

/// Why an operation has no result.
///
/// After any of these the store is as usable as before.
#[derive(Clone, PartialEq, Eq)]
pub enum Error {
    /// The limit on memory was reached, or the system has no more.
    Memory {
        /// The bytes that the store had allocated.
        used: usize,
        /// The bytes that it needed besides.
        needed: usize,
        /// The limit, if it was one of [`Limits`].
        limit: Option<usize>,
        /// For a closure: states that it had found, all of them reachable.
        reached: Option<Diagram>,
    },
    /// The deadline passed.
    Time {
        /// For a closure: states that it had found, all of them reachable.
        reached: Option<Diagram>,
    },
    /// As much was done as [`Limits::work`] allows.
    Work {
        /// For a closure: states that it had found, all of them reachable.
        reached: Option<Diagram>,
    },
    /// [`Cancel::cancel`] was called.
    Cancelled {
        /// For a closure: states that it had found, all of them reachable.
        reached: Option<Diagram>,
    },
    /// Predecessors were asked of an inductive homomorphism that does not define them.
    NoInverse {
        /// The homomorphism, as its `Debug` shows it.
        homomorphism: String,
    },
    /// An inductive homomorphism reported an error of its own.
    Inductive {
        /// What it said.
        message: String,
    },
}

impl Error {
    /// What a closure had found when it was stopped: a subset of its result.
    pub fn reached(&self) -> Option<&Diagram> {
        match self {
            Error::Memory { reached, .. }
            | Error::Time { reached }
            | Error::Work { reached }
            | Error::Cancelled { reached } => reached.as_ref(),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = |bytes: usize| bytes as f64 / f64::from(1 << 20);
        match self {
            Error::Memory { used, needed, limit: Some(limit), .. } if *needed > 0 => {
                write!(
                    f,
                    "out of memory: {:.1} MiB in use and {:.1} MiB more needed, the limit is {:.1} MiB",
                    mebibytes(*used),
                    mebibytes(*needed),
                    mebibytes(*limit)
                )
            }
            Error::Memory { used, limit: Some(limit), .. } => {
                write!(
                    f,
                    "out of memory: {:.1} MiB in use, the limit is {:.1} MiB",
                    mebibytes(*used),
                    mebibytes(*limit)
                )
            }
            Error::Memory { used, limit: None, .. } => {
                write!(f, "out of memory: the system gave no more than {:.1} MiB", mebibytes(*used))
            }
            Error::Time { .. } => write!(f, "out of time"),
            Error::Work { .. } => write!(f, "out of work: as many nodes were asked for as the limit allows"),
            Error::Cancelled { .. } => write!(f, "cancelled"),
            Error::NoInverse { homomorphism } => {
                write!(f, "{homomorphism} does not say what its predecessors are: implement Inductive::inverse")
            }
            Error::Inductive { message } => f.write_str(message),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Error {}
