//! A distributed database: sites that keep copies of the same data (SRS paper, section 7).
//!
//! While nobody updates, a site may: it sends a message to each other site and waits. Each of these receives its message,
//! performs the update and acknowledges it; when all have, the update is done.
//!
//! Sites are interchangeable. Messages go between ordered pairs of them.

use super::lines::{write_places, write_transition};
use super::{Classic, Shape, orbits, states, write_opening};
use std::io::{self, Write};

/// One net.
pub(super) fn flat(n: u64, out: &mut dyn Write) -> io::Result<()> {
    let title = format!(
        "A distributed database of {n} sites with copies of the same data. One site at a time changes something: it"
    );
    let title = [
        title.as_str(),
        "sends a message to each other site, these perform the change and acknowledge it, and when all have it is done.",
    ];
    let count = states::database(n).sentence();
    let orbits = orbits::sentence(orbits::database(n), "sites are not told apart: 1 + N (N + 1) / 2");
    let numbers: Vec<&str> =
        [count.as_str(), "In general 1 + N 3^(N - 1)."].into_iter().chain(orbits.as_deref()).collect();
    write_opening(out, &title, (Classic::Database, &n, Shape::Flat), &numbers)?;
    writeln!(out, "net Database {{\n    place passive = 1; place active;")?;
    for s in 0..n {
        write_places(out, [format!("inactive_{s} = 1"), format!("waiting_{s}"), format!("performing_{s}")])?;
        for r in others(s, n) {
            let message = format!("{s}_{r}");
            let unused = format!("unused_{message} = 1");
            let stages = ["sent", "received", "acknowledged"].map(|stage| format!("{stage}_{message}"));
            write_places(out, [unused].into_iter().chain(stages))?;
        }
    }
    for s in 0..n {
        let all = |stage: &str, verb: &str| -> Vec<String> {
            others(s, n).map(|r| format!("{verb} {stage}_{s}_{r}")).collect()
        };
        let begin = ["take passive".to_owned(), "put active".to_owned()];
        let begin = begin.into_iter().chain([format!("take inactive_{s}"), format!("put waiting_{s}")]);
        write_transition(out, &format!("update_{s}"), begin.chain(all("unused", "take")).chain(all("sent", "put")))?;
        for r in others(s, n) {
            let message = format!("{s}_{r}");
            let receive = [format!("take inactive_{r}"), format!("take sent_{message}")];
            let receive = receive.into_iter().chain([format!("put performing_{r}"), format!("put received_{message}")]);
            write_transition(out, &format!("receive_{message}"), receive)?;
            let answer = [format!("take performing_{r}"), format!("take received_{message}")];
            let answer = answer.into_iter().chain([format!("put inactive_{r}"), format!("put acknowledged_{message}")]);
            write_transition(out, &format!("acknowledge_{message}"), answer)?;
        }
        let end = ["take active".to_owned(), "put passive".to_owned()];
        let end = end.into_iter().chain([format!("take waiting_{s}"), format!("put inactive_{s}")]);
        write_transition(
            out,
            &format!("done_{s}"),
            end.chain(all("acknowledged", "take")).chain(all("unused", "put")),
        )?;
    }
    writeln!(out, "}}\n\nmain Database;")
}

/// All sites but one.
fn others(site: u64, n: u64) -> impl Iterator<Item = u64> {
    (0..n).filter(move |&other| other != site)
}
