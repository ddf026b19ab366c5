//! Place/transition nets in PNML, the interchange format of ISO/IEC 15909-2.
//!
//! **What is read**: places, transitions and arcs on pages nested to any depth, with reference nodes taken for what
//! they refer to; initial markings, weights and capacities; the units of a [NUPN] section. The *id* of a node is its name
//! here, as it is for the formulas of the Model Checking Contest; [`Called`] has its `<name>`. A net of the standard
//! has ordinary arcs only; arcs of other kinds are understood in the ways in which tools write them:
//!
//! | what is written inside of `<arc>` | by whom |
//! |---|---|
//! | `<type value="inhibitor"/>` | PIPE, GreatSPN, TINA |
//! | `<type><text>inhibitor</text></type>` | EPNML |
//! | `<arctype><text>inhibitor</text></arctype>`, or without `<text>` | pnml.org's special arcs, ProM, PM4Py |
//! | nothing, but `<arc type="inhibitor" …>` | TAPAAL |
//!
//! The kinds are `normal`, `inhibitor` (also `tapnInhibitor`), `read` (also `test`), and `reset`. An arc of any other
//! kind is an error, for leaving it out would make another net. The same arc twice adds its weights; of read arcs the
//! greatest weight counts and of inhibitor arcs the least, since all of them must be satisfied.
//!
//! **What is not**: coloured nets (an error that says so: [`coloured::pnml`](crate::coloured::pnml) reads symmetric nets), and
//! several nets in a file (an error too: which one is meant is for the author to say). Graphics, names and what tools write for themselves change nothing and are passed over.
//! Elements that mean something elsewhere and change no marking that can be reached, such as the rate of a stochastic
//! transition, are passed over with a note, and so is a NUPN section that is incomplete; one that contradicts itself or
//! the net is an error. Priorities are read as PIPE means them, which says of each transition whether it is timed or
//! immediate; where nothing says so, it makes no difference if all transitions are alike, and is an error otherwise. So is
//! a time at which a transition must fire or a token must go. Any other element may change what the net means, and is an
//! error.
//!
//! [NUPN]: https://mcc.lip6.fr/nupn.php

mod arcs;
mod called;
mod document;
mod draft;
mod ids;
mod resolve;
mod units;
mod writer;

pub use crate::pnml::positions::positions;
pub use called::{Called, NodeIds};
pub use writer::{write, write_with_ids};

use super::Net;
use crate::text::problems::Problems;
use crate::text::{Problem, Span, Unreadable};

/// A net as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The net, whose nodes have their ids for names.
    pub net: Net,
    /// What people call its nodes.
    pub called: Called,
    /// What in the file was passed over although it may matter to its author.
    pub notes: Vec<Problem>,
}

/// Reads the net of a PNML file. `file` is its name, for messages.
pub fn read(file: &str, text: &str) -> Result<Net, Unreadable> {
    read_with_notes(file, text).map(|reading| reading.net)
}

/// Reads the net of a PNML file, with what was passed over.
pub fn read_with_notes(file: &str, text: &str) -> Result<Reading, Unreadable> {
    let mut problems = Problems::default();
    if u32::try_from(text.len()).is_err() {
        problems.add(Problem::new(Span::default(), "the file is larger than 4 GiB"));
        return problems.or(file, "", None);
    }
    let draft = document::Document::new(text, &mut problems).read();
    let reading = draft.map(|draft| resolve::net(draft, &mut problems));
    problems.or(file, text, reading)
}
