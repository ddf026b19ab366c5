//! Work that is left behind when its time is over.
//!
//! Most work looks at its limits by itself. Some cannot, or not often enough: it is done in a thread of its own, and whoever
//! waits for it goes on some time after the limit, with what was known by then. The thread ends when it looks at its limits the
//! next time.

use super::stack::STACK_BYTES;
use crate::answer::{Answer, Answers, Ended, Verdict};
use crate::options::Options;
use crate::question::Question;
use crate::reason::Reason;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is asked whether somebody has stopped the work.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// How long work that was stopped may take to end by itself.
const PATIENCE: Duration = Duration::from_secs(3);

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
/// and why is said.
pub(crate) fn in_time<T: Send + 'static>(
    options: &Options, work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Reason> {
    let deadline = options.deadline();
    let (tell, told) = mpsc::channel();
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || drop(tell.send(work())));
    let thread = thread.unwrap_or_else(|error| panic!("cannot start a thread: {error}"));
    let mut stopped: Option<Instant> = None;
    loop {
        match told.recv_timeout(BETWEEN_LOOKS) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("a thread that ends has told its result"),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
        if options.cancel.is_cancelled() && stopped.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            return Err(Reason::Cancelled);
        }
        // A watchdog may end the program a little later.
        if let Some(deadline) = deadline
            && Instant::now() > deadline.moment + deadline.grace() * 3 / 4
        {
            return Err(Reason::Time(Some(deadline.time)));
        }
    }
}
