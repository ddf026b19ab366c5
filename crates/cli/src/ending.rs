//! How a run ends that does not end by itself.
//!
//! Every run that starts ends in an answer. A verb says at its beginning how to tell what is known if a limit strikes
//! ([`if_stopped`]): its answer with nothing in it, or with what was found by then. Most work stops soon after a limit and then
//! prints its own answer. Some does not look at its limits often enough (a file that is being read): then the watchdog
//! ([`crate::interrupt`]) prints what is known, and ends the program. Whoever prints first has the last word.

use crate::output;
use crate::session::reason_in_words;
use crate::status::Status;
use mandala::{Progress, Reason};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// What to print for a reason and the phase in which the run was stopped.
type Tell = Box<dyn Fn(&Stopped) -> String + Send>;

static TELL: Mutex<Option<Tell>> = Mutex::new(None);
static PHASE: Mutex<Option<&str>> = Mutex::new(None);
static PROGRESS: Mutex<Option<Progress>> = Mutex::new(None);
static CLAIMED: AtomicBool = AtomicBool::new(false);

/// How a run was stopped.
pub struct Stopped {
    /// What stopped it.
    pub reason: Reason,
    /// In which phase.
    pub phase: Option<String>,
}

impl Stopped {
    /// The reason and the phase, with the option that helps.
    pub fn in_words(&self) -> String {
        let phase = self.phase.as_ref().map(|phase| format!(", while {phase}")).unwrap_or_default();
        format!("{}{phase}", reason_in_words(self.reason))
    }
}

/// Says how to tell what is known if the run is stopped before it has an answer.
pub fn if_stopped(tell: impl Fn(&Stopped) -> String + Send + 'static) {
    *TELL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(tell));
}

/// Says what is done from here on, as in `stopped while reading the model`.
pub fn enter(phase: &'static str) {
    *PHASE.lock().unwrap_or_else(PoisonError::into_inner) = Some(phase);
}

/// Says who knows what the engine does.
pub fn watch(progress: &Progress) {
    *PROGRESS.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress.clone());
}

/// What is done: in the words of the engine, if it has some.
fn phase() -> Option<String> {
    let doing = PROGRESS.lock().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(Progress::doing);
    doing.or_else(|| PHASE.lock().unwrap_or_else(PoisonError::into_inner).map(str::to_owned))
}

/// What is known, where nobody else can say it any more.
pub fn last_words(reason: Reason) -> Option<String> {
    let phase = phase();
    let tell = TELL.lock().unwrap_or_else(PoisonError::into_inner);
    tell.as_ref().map(|tell| tell(&Stopped { reason, phase }))
}

/// Claims the right to print the answer. If the watchdog has it, the program is about to end, and this does not return.
pub fn claim() {
    if CLAIMED.swap(true, Ordering::SeqCst) && !IS_MINE.get() {
        loop {
            std::thread::park();
        }
    }
    IS_MINE.set(true);
}

std::thread_local! {
    /// Whether this thread is the one that prints.
    static IS_MINE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Whether somebody prints the answer, or has printed it.
pub fn is_claimed() -> bool {
    CLAIMED.load(Ordering::SeqCst)
}

/// Prints what is known and ends the program, unless somebody prints an answer already.
pub fn end(reason: Reason, since: Instant) {
    if CLAIMED.swap(true, Ordering::SeqCst) {
        return;
    }
    IS_MINE.set(true);
    let text = last_words(reason);
    let phase = phase().unwrap_or_else(|| "working".to_owned());
    let late = output::seconds(since.elapsed());
    output::complain(&format!("stopped: {reason}, while {phase} (which was cut short after {late})"));
    if let Some(text) = text {
        let _ = output::print(&text);
    }
    output::exit(i32::from(Status::Unknown.code()));
}
