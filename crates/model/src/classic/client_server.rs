//! Clients and servers: remote calls over one channel (thesis, figure 3.2a; SRS paper, section 1).
//!
//! An idle client sends a request to one of the servers and waits. A free server takes a request, is busy with it,
//! answers, and is free again; the client takes the answer and is idle. Who answered is not remembered.
//!
//! Clients are interchangeable and so are servers, and the two groups act on the same places: the request of a client at
//! a server moves with both.

use super::lines::{write_places, write_transition};
use super::{Classic, Shape, orbits, states, write_opening};
use std::io::{self, Write};

/// One net.
pub(super) fn flat(clients: u64, servers: u64, out: &mut dyn Write) -> io::Result<()> {
    let title = format!(
        "Clients and servers, {clients} and {servers} of them. A client sends a request to any server and waits;"
    );
    let title = [
        title.as_str(),
        "a free server takes a request, is busy with it, and answers, which makes it free again; the client takes the",
        "answer and is idle again.",
    ];
    let size = format!("{clients} --servers {servers}");
    let count = states::client_server(clients, servers).sentence();
    let formula = "In general the sum over k of binom(C, k) binom(S, k) k! (S + 2)^(C - k), where k servers are busy.";
    let orbits = orbits::sentence(orbits::client_server(clients, servers), "clients and servers are not told apart");
    let numbers: Vec<&str> = [count.as_str(), formula].into_iter().chain(orbits.as_deref()).collect();
    write_opening(out, &title, (Classic::ClientServer, &size, Shape::Flat), &numbers)?;
    writeln!(out, "net ClientServer {{")?;
    for c in 0..clients {
        let requests = (0..servers).map(|s| format!("request_{c}_{s}"));
        let served = (0..servers).map(|s| format!("served_{c}_{s}"));
        let all = [format!("idle_{c} = 1")].into_iter().chain(requests).chain(served);
        write_places(out, all.chain([format!("answer_{c}")]))?;
    }
    write_places(out, (0..servers).map(|s| format!("free_{s} = 1")))?;
    for c in 0..clients {
        for s in 0..servers {
            let place = format!("{c}_{s}");
            write_transition(
                out,
                &format!("send_{place}"),
                [format!("take idle_{c}"), format!("put request_{place}")],
            )?;
            let begin = [format!("take request_{place}"), format!("take free_{s}"), format!("put served_{place}")];
            write_transition(out, &format!("begin_{place}"), begin)?;
            let answer = [format!("take served_{place}"), format!("put free_{s}"), format!("put answer_{c}")];
            write_transition(out, &format!("answer_{place}"), answer)?;
        }
        write_transition(out, &format!("receive_{c}"), [format!("take answer_{c}"), format!("put idle_{c}")])?;
    }
    writeln!(out, "}}\n\nmain ClientServer;")
}
