//! A token ring: stations that send only while they hold the token.
//!
//! At first there is no token, and any one station makes it: so the initial state is as symmetric as the ring. The ring
//! can be turned, but not reflected, for the token goes round one way. There is an orbit for each necklace of N beads in
//! two colours, as long as there is no token, and 3 2^(N - 1) more: what is seen from the token, or from who sends.

use super::lines::{write_places, write_transition};
use super::{Classic, Shape, orbits, states, write_opening};
use std::io::{self, Write};

/// One net.
pub(super) fn flat(n: u64, out: &mut dyn Write) -> io::Result<()> {
    let title = format!(
        "A token ring of {n} stations. A station is idle, wants to send, or sends; only who has the token sends, and"
    );
    let title = [
        title.as_str(),
        "passes it on when done. Who has it and is idle may pass it on too. At first there is none, and a station makes",
        "it.",
    ];
    let count = states::token_ring(n).sentence();
    let orbits = orbits::sentence(orbits::token_ring(n), "the ring may be turned");
    let numbers: Vec<&str> =
        [count.as_str(), "In general 2^(N - 1) (3 N + 2)."].into_iter().chain(orbits.as_deref()).collect();
    write_opening(out, &title, (Classic::TokenRing, &n, Shape::Flat), &numbers)?;
    writeln!(out, "net TokenRing {{\n    place noToken = 1;")?;
    for i in 0..n {
        let station = [format!("idle_{i} = 1"), format!("wants_{i}"), format!("sending_{i}"), format!("token_{i}")];
        write_places(out, station)?;
    }
    for i in 0..n {
        let next = (i + 1) % n;
        let make = ["take noToken".to_owned(), format!("put token_{i}")];
        write_transition(out, &format!("make_{i}"), make)?;
        write_transition(out, &format!("ask_{i}"), [format!("take idle_{i}"), format!("put wants_{i}")])?;
        let send = [format!("take wants_{i}"), format!("take token_{i}"), format!("put sending_{i}")];
        write_transition(out, &format!("send_{i}"), send)?;
        let finish = [format!("take sending_{i}"), format!("put idle_{i}"), format!("put token_{next}")];
        write_transition(out, &format!("finish_{i}"), finish)?;
        let pass = [format!("take token_{i}"), format!("read idle_{i}"), format!("put token_{next}")];
        write_transition(out, &format!("pass_{i}"), pass)?;
    }
    writeln!(out, "}}\n\nmain TokenRing;")
}
