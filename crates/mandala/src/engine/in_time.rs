//! Work that is left behind when a limit struck.
//!
//! Most work looks at its limits by itself. Some cannot, or not often enough: it is done in a thread of its own, and whoever
//! waits for it goes on some time after the limit, with what was known by then. The thread ends when it looks at its limits the
//! next time.

use super::stack::STACK_BYTES;
use crate::answer::{Answer, Answers, Ended, Verdict};
use crate::limits::{Cancel, TIME_TO_AGREE, TIME_TO_STOP};
use crate::options::Options;
use crate::question::Question;
use crate::reason::Reason;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether a limit has struck.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Verdicts that are known before all of them are, by question.
#[derive(Clone, Default)]
pub(crate) struct Known(Arc<Mutex<Vec<Option<Verdict>>>>);

impl Known {
    /// Says what is known so far.
    pub fn tell(&self, verdicts: impl Iterator<Item = Option<Verdict>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = verdicts.collect();
    }

    /// The answers that are known, where a limit ended the rest.
    pub fn answers(&self, asked: Vec<Question>, reason: Reason, time: Duration) -> Answers {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = |(index, question): (usize, Question)| {
            let verdict = known.get(index).cloned().flatten();
            Answer::new(question, verdict.unwrap_or_else(|| Verdict::Unknown(reason.to_string())))
        };
        let answers = asked.into_iter().enumerate().map(answer).collect();
        Answers { time, ..Answers::without_states(answers, Ended::Stopped(reason)) }
    }
}

/// Does something in a thread of its own, and waits for it; but not much longer than the options allow. Then it is left behind,
/// and why is said. The work gets the options with which it can be told to stop.
pub(crate) fn in_time<T: Send + 'static>(
    options: &Options, work: impl FnOnce(&Options) -> T + Send + 'static,
) -> Result<T, Reason> {
    let (tell, told) = mpsc::channel();
    let watch = Watch::begin(options);
    let options = watch.options.clone();
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || drop(tell.send(work(&options))));
    let thread = thread.unwrap_or_else(|error| panic!("cannot start a thread: {error}"));
    match watch.wait_for(&told)? {
        Some(result) => Ok(result),
        None => match thread.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => unreachable!("a thread that ends has told its result"),
        },
    }
}

/// Waits for work, as long as its limits allow.
pub(crate) struct Watch {
    /// The limits, and what stops the work if it is left behind.
    pub options: Options,
}

impl Watch {
    /// Begins: time and memory count from here, unless the options say that they have counted before.
    pub fn begin(options: &Options) -> Watch {
        let started = Some(options.started.unwrap_or_else(Instant::now));
        // An amount of memory that is none is an error of whoever does the work.
        let process = options.process_memory().ok().flatten();
        let cancel = Cancel(options.cancel.0.part());
        Watch { options: Options { started, process, cancel, ..options.clone() } }
    }

    /// What the work tells; nothing if it ended without a word. An error if a limit struck and it did not stop soon enough.
    pub fn wait_for<T>(&self, told: &Receiver<T>) -> Result<Option<T>, Reason> {
        let mut stopped: Option<(Reason, Instant)> = None;
        let time_to_stop = if self.options.crew.hosts.is_some() { TIME_TO_AGREE } else { TIME_TO_STOP };
        loop {
            match told.recv_timeout(BETWEEN_LOOKS) {
                Ok(result) => return Ok(Some(result)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let is_exhausted = self.options.process.as_ref().is_some_and(|process| process.excess() > 0);
            let reason = match stopped {
                _ if is_exhausted => Some(Reason::Memory),
                Some((reason, since)) => (since.elapsed() > time_to_stop).then_some(reason),
                None => {
                    // Memory may be given back: that the limit was met is known where it matters.
                    let reason = self.options.reason_to_stop().filter(|&reason| reason != Reason::Memory);
                    stopped = reason.map(|reason| (reason, Instant::now()));
                    None
                }
            };
            if let Some(reason) = reason {
                self.options.cancel.cancel();
                return Err(reason);
            }
        }
    }
}
