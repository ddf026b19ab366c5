//! What ends a run from outside: Ctrl-C and SIGTERM, time that is up, and memory that is used up.
//!
//! The work looks at all of these by itself and then says what is known. For what does not look often enough a watchdog ends
//! the program, before a second has passed, with what is known by then ([`ending`]). So there is no need for a second Ctrl-C to
//! end it sooner: a signal that comes twice, as `timeout -s INT` sends it, is one.

use crate::ending;
use mandala::{Cancel, Options, Reason};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often the watchdog looks.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);
/// How long work may take to end by itself after a limit or a signal.
const PATIENCE: Duration = Duration::from_millis(750);
/// The same where other processes take part, which agree on the end.
const PATIENCE_WITH_OTHERS: Duration = Duration::from_secs(5);
/// The same where memory is used up beyond what is kept for saying what is known: it may go on growing.
const PATIENCE_WITH_MEMORY: Duration = Duration::from_millis(25);
/// With so many bytes beyond that there is no patience left.
const FAR_BEYOND: usize = 8 << 20;

/// Listens to signals and watches time and memory from now on.
pub fn listen(options: &Options) {
    let cancel = options.cancel.clone();
    // Without a handler a signal still ends the program, only less kindly.
    let _ = ctrlc::set_handler(move || {
        cancel.cancel();
    });
    let options = options.clone();
    // Without the watchdog the work still looks by itself.
    let _ = std::thread::Builder::new().name("watchdog".to_owned()).spawn(move || watch(&options));
}

/// Listens to signals, for a run that leaves the work to others: whether one has come.
pub fn signal() -> Cancel {
    let cancel = Cancel::default();
    let handle = cancel.clone();
    // Without a handler a signal still ends the program, only less kindly.
    let _ = ctrlc::set_handler(move || {
        handle.cancel();
    });
    cancel
}

/// Ends the run as a signal would when standard input ends: whoever holds the other end is gone, or wants it to end.
pub fn hold(cancel: &Cancel) {
    let cancel = cancel.clone();
    let wait = move || {
        let mut bytes = [0; 64];
        // What is said there does not matter.
        while std::io::stdin().read(&mut bytes).is_ok_and(|length| length > 0) {}
        cancel.cancel();
    };
    // Without it a signal still ends the run.
    let _ = std::thread::Builder::new().name("leash".to_owned()).spawn(wait);
}

/// Passes a signal on to a run of this program, which then ends with what is known.
pub fn pass_on(child: &mut Child) {
    // Only a shell can be relied on to send a signal; one that comes twice is one.
    let command = format!("kill -TERM {}", child.id());
    let sent = Command::new("sh").args(["-c", &command]).stderr(Stdio::null()).status();
    if !sent.is_ok_and(|sent| sent.success()) {
        // It may have ended by itself.
        let _ = child.kill();
    }
}

fn watch(options: &Options) {
    let patience = if options.crew.hosts.is_some() { PATIENCE_WITH_OTHERS } else { PATIENCE };
    let mut since: Option<(Reason, Instant)> = None;
    let mut exhausted: Option<Instant> = None;
    while !ending::is_claimed() {
        std::thread::sleep(BETWEEN_LOOKS);
        if since.is_none() {
            // Memory may be given back: only what is beyond the limit counts here.
            since =
                options.reason_to_stop().filter(|&reason| reason != Reason::Memory).map(|why| (why, Instant::now()));
        }
        if let Some((reason, since)) = since
            && since.elapsed() > patience
        {
            ending::end(reason, since);
        }
        let Some(process) = &options.process else { continue };
        match process.excess() {
            0 => exhausted = None,
            excess => {
                let since = *exhausted.get_or_insert_with(Instant::now);
                if since.elapsed() > PATIENCE_WITH_MEMORY || excess > FAR_BEYOND {
                    ending::end(Reason::Memory, since);
                }
            }
        }
    }
}
