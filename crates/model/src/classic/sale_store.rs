//! The sale store (thesis, figure 3.2b and section 5.1.3), unfolded.
//!
//! People wait, enter one by one or by two at a time through an airlock, and leave with no gift, one, or two from the
//! warehouse. Who is out keeps his gifts, so that it matters which ones they are, but not in which order they were taken.
//!
//! People are interchangeable and so are gifts, and the two groups act on the same places: what a person has moves with
//! both.

use super::lines::{write_places, write_transition};
use super::{Classic, Shape, orbits, states, write_opening};
use std::io::{self, Write};

/// One net.
pub(super) fn flat(people: u64, gifts: u64, out: &mut dyn Write) -> io::Result<()> {
    let title = format!(
        "A sale store with {people} people and {gifts} gifts. People wait, enter through an airlock, one or two at a"
    );
    let title =
        [title.as_str(), "time, and leave with no gift, one or two, which are theirs and no longer in the warehouse."];
    let size = format!("{people} --gifts {gifts}");
    let count = states::sale_store(people, gifts).sentence();
    let formula = [
        "In general the sum over a and b, the numbers of people with one gift and with two (a + 2 b at most G), of",
        "P! / (a! b! (P - a - b)!) 3^(P - a - b) G! / ((G - a - 2 b)! 2^b).",
    ];
    let orbits = orbits::sentence(orbits::sale_store(people, gifts), "people and gifts are not told apart");
    let numbers: Vec<&str> = [count.as_str()].into_iter().chain(formula).chain(orbits.as_deref()).collect();
    write_opening(out, &title, (Classic::SaleStore, &size, Shape::Flat), &numbers)?;
    writeln!(out, "net SaleStore {{")?;
    for p in 0..people {
        let person = [format!("waiting_{p} = 1"), format!("inside_{p}"), format!("out_{p}")];
        write_places(out, person.into_iter().chain((0..gifts).map(|g| format!("has_{p}_{g}"))))?;
    }
    write_places(out, (0..gifts).map(|g| format!("warehouse_{g} = 1")))?;
    for p in 0..people {
        write_entering(p, people, out)?;
    }
    for p in 0..people {
        write_leaving(p, gifts, out)?;
    }
    writeln!(out, "}}\n\nmain SaleStore;")
}

/// A person enters, alone or with one who comes later in the list.
fn write_entering(p: u64, people: u64, out: &mut dyn Write) -> io::Result<()> {
    let enter = |p| [format!("take waiting_{p}"), format!("put inside_{p}")];
    write_transition(out, &format!("enter_{p}"), enter(p))?;
    for q in p + 1..people {
        write_transition(out, &format!("enter_{p}_{q}"), enter(p).into_iter().chain(enter(q)))?;
    }
    Ok(())
}

/// A person leaves: with nothing, with one gift, or with two.
fn write_leaving(p: u64, gifts: u64, out: &mut dyn Write) -> io::Result<()> {
    let leave = || [format!("take inside_{p}"), format!("put out_{p}")].into_iter();
    let gift = |g| [format!("take warehouse_{g}"), format!("put has_{p}_{g}")];
    write_transition(out, &format!("leave_{p}"), leave())?;
    for g in 0..gifts {
        write_transition(out, &format!("leave_{p}_with_{g}"), leave().chain(gift(g)))?;
        for h in g + 1..gifts {
            write_transition(out, &format!("leave_{p}_with_{g}_{h}"), leave().chain(gift(g)).chain(gift(h)))?;
        }
    }
    Ok(())
}
