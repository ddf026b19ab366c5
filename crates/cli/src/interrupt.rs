//! What ends a run from outside: Ctrl-C, and time that is up.
//!
//! The first Ctrl-C asks the work to stop: what is known so far is printed. The second ends the program at once. The
//! work looks at its deadline by itself; for what does not look (reading a file), a watchdog ends the program some time
//! later.

use crate::output;
use crate::status::Status;
use mandala::{Cancel, Deadline};
use std::time::{Duration, Instant};

/// The exit status of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// Listens to Ctrl-C and watches the time from now on.
pub fn listen(cancel: &Cancel, deadline: Option<&Deadline>) {
    let handle = cancel.clone();
    // Without a handler Ctrl-C still ends the program, only less kindly.
    let _ = ctrlc::set_handler(move || {
        if handle.cancel() {
            std::process::exit(INTERRUPTED);
        }
    });
    if let Some(deadline) = deadline {
        watch(deadline.moment, deadline.grace());
    }
}

/// Ends the program if it still runs some time after its deadline.
fn watch(moment: Instant, grace: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep((moment + grace).saturating_duration_since(Instant::now()));
        output::complain("stopped: out of time, in work that cannot be cut short");
        output::exit(i32::from(Status::Unknown.code()));
    });
}
