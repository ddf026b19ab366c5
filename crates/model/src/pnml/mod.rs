//! What the readers and writers of both kinds of PNML files have in common: place/transition nets
//! ([`net::pnml`](crate::net::pnml)) and symmetric nets ([`coloured::pnml`](crate::coloured::pnml)).
//!
//! | module | what |
//! |---|---|
//! | [`file`] | a file being read, up to its net and after it; elements that change nothing, and those that are refused |
//! | [`nodes`] | places, transitions and references by their ids; what arcs connect |
//! | [`kinds`] | of what kind a net is, and an arc |
//! | [`labels`] | texts and numbers in labels |
//! | [`positions`] | where the author has put the nodes |
//! | [`timing`] | priorities and times |
//! | [`escape`] | names as XML |

pub(crate) mod escape;
pub(crate) mod file;
pub(crate) mod kinds;
pub(crate) mod labels;
pub(crate) mod nodes;
pub(crate) mod positions;
pub(crate) mod timing;

/// What this project calls itself in `<toolspecific>`.
pub(crate) const OURS: &str = "mandala";
