//! The line that shows how far long work is, on a terminal only.

use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mandala::Progress;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the line is drawn anew.
const PERIOD: Duration = Duration::from_millis(100);
/// Work that is done sooner shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// How far the work is, in words: always the same things in the same order, so that the line does not jump. Nodes are those of
/// one diagram: where several are made side by side, what is done has a name, and no number would mean anything.
fn message(progress: &Progress, left: Option<Duration>) -> String {
    let (nodes, states) = (progress.nodes() as u64, progress.states());
    let doing = progress.doing();
    let nodes = if doing.is_some() { 0 } else { nodes };
    let usual = if nodes == 0 && states == 0 { "preparing" } else { "exploring" };
    let mut parts = vec![doing.unwrap_or_else(|| usual.to_owned())];
    if nodes > 0 {
        parts.push(format!("{} nodes", thousands(nodes)));
    }
    if states > 0 {
        parts.push(format!("{} states one by one", thousands(states)));
    }
    // What the process has had in memory, as the answer will say.
    parts.extend(mandala::peak_memory().map(output::bytes));
    if let Some(left) = left {
        parts.push(format!("{} s left", left.as_secs()));
    }
    parts.join(", ")
}

/// Shows a line until it is dropped.
pub struct Line {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Line {
    /// Shows how far the work is, if `wanted` and if standard error is a terminal.
    /// `deadline` is when the work must end.
    pub fn show(progress: &Progress, deadline: Option<Instant>, wanted: bool) -> Line {
        let done = Arc::new(AtomicBool::new(false));
        if !wanted || !std::io::stderr().is_terminal() {
            return Line { done, thread: None };
        }
        let (progress, flag) = (progress.clone(), Arc::clone(&done));
        Line { done, thread: Some(std::thread::spawn(move || draw(&progress, deadline, &flag))) }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.done.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A thread that only draws has nothing to tell.
            let _ = thread.join();
        }
    }
}

fn draw(progress: &Progress, deadline: Option<Instant>, done: &AtomicBool) {
    let start = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    while !done.load(Ordering::SeqCst) {
        if start.elapsed() >= PATIENCE {
            let bar = bar.get_or_insert_with(|| spinner(start));
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            bar.set_message(message(progress, left));
            bar.tick();
        }
        std::thread::park_timeout(PERIOD);
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

fn spinner(start: Instant) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_elapsed(start.elapsed());
    match ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A number with its digits in groups: `12 345 678`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{message, thousands};
    use mandala::Progress;
    use std::time::Duration;

    #[test]
    fn one_thing_at_a_time() {
        let progress = Progress::default();
        let parts = |progress: &Progress| -> Vec<String> {
            message(progress, Some(Duration::from_secs(3))).split(", ").map(str::to_owned).collect()
        };
        let shown = parts(&progress);
        assert_eq!((shown[0].as_str(), shown.last().map(String::as_str)), ("preparing", Some("3 s left")));
        progress.set_doing(Some("trying 3 orders".to_owned()));
        assert_eq!(parts(&progress)[0], "trying 3 orders");
    }

    #[test]
    fn digits_in_groups() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1 000", "1 234 567"]);
    }
}
