//! Peterson's mutual exclusion for N processes: N - 1 levels before the critical section.
//!
//! Who enters a level is the *last* there, until another enters it after him: then he is *passed*. Who is passed goes
//! on; who is last goes on only when all others are below his level. Whom nobody passed leaves a level that is free. This
//! is the net of the SRS paper, section 7, by its numbers of states and of symbolic markings.
//!
//! Processes are interchangeable, levels are not.

use super::lines::{write_places, write_transition};
use super::{Classic, Shape, orbits, states, write_opening};
use std::io::{self, Write};

/// One net.
pub(super) fn flat(n: u64, out: &mut dyn Write) -> io::Result<()> {
    let title = format!(
        "Peterson's mutual exclusion for {n} processes. There is one level less before the critical section. Of those"
    );
    let title = [
        title.as_str(),
        "at a level, all may go on who have been passed by one that came later; the last must wait until all others",
        "are below. The place below_L counts the processes below level L.",
    ];
    let count = states::peterson(n).sentence();
    let orbits = orbits::sentence(orbits::peterson(n), "processes are not told apart: (N + 3) 2^(N - 2)");
    let numbers: Vec<&str> = [count.as_str()].into_iter().chain(orbits.as_deref()).collect();
    write_opening(out, &title, (Classic::Peterson, &n, Shape::Flat), &numbers)?;
    writeln!(out, "net Peterson {{")?;
    for p in 0..n {
        let levels = (1..n).flat_map(|level| [format!("last_{p}_{level}"), format!("passed_{p}_{level}")]);
        write_places(out, [format!("idle_{p} = 1")].into_iter().chain(levels).chain([format!("critical_{p}")]))?;
    }
    write_places(out, (1..n).flat_map(|level| [format!("free_{level} = 1"), format!("below_{level} = {n}")]))?;
    for p in 0..n {
        write_entry(p, 1, n, "request", &[format!("take idle_{p}")], out)?;
        for level in 1..n {
            write_entry(p, level + 1, n, "follow", &[format!("take passed_{p}_{level}")], out)?;
            let alone = [
                format!("take last_{p}_{level}"),
                format!("read {} below_{level}", n - 1),
                format!("put free_{level}"),
            ];
            write_entry(p, level + 1, n, "lead", &alone, out)?;
        }
        let back = (1..n).map(|level| format!("put below_{level}"));
        let leave = [format!("take critical_{p}"), format!("put idle_{p}")];
        write_transition(out, &format!("leave_{p}"), leave.into_iter().chain(back))?;
    }
    writeln!(out, "}}\n\nmain Peterson;")
}

/// A process comes to a level: to the critical section, to a free level, or after another, which is passed.
fn write_entry(p: u64, level: u64, n: u64, name: &str, from: &[String], out: &mut dyn Write) -> io::Result<()> {
    if level == n {
        let enter = from.iter().cloned().chain([format!("put critical_{p}")]);
        return write_transition(out, &format!("{name}_{p}_{level}"), enter);
    }
    let arrive = [format!("take below_{level}"), format!("put last_{p}_{level}")];
    let arrive = || from.iter().cloned().chain(arrive.clone());
    write_transition(out, &format!("{name}_{p}_{level}"), arrive().chain([format!("take free_{level}")]))?;
    for q in (0..n).filter(|&q| q != p) {
        let pass = [format!("take last_{q}_{level}"), format!("put passed_{q}_{level}")];
        write_transition(out, &format!("{name}_{p}_{level}_after_{q}"), arrive().chain(pass))?;
    }
    Ok(())
}
