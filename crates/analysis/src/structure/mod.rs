//! What the structure of a net says about its markings, without exploring them.
//!
//! Write `C` for the matrix of what transitions change (one row per place, one column per transition), `m₀` for the initial
//! marking and `m` for any reachable one.
//!
//! - [`semiflow`]: weights `y ≥ 0` with `y·C = 0`, so that `y·m = y·m₀`.
//! - [`mod@unit`]: groups of places that never hold more than one token together. One variable of a diagram stands for all
//!   of them.
//! - [`complement`]: pairs of places with `m(p) + m(q)` or `m(p) - m(q)` constant.
//! - [`closed`]: siphons, which stay empty once they are, and traps, which stay marked.
//! - [`mod@commoner`]: nets in which something can always fire, or everything again.
//! - [`bound`]: the most tokens a place can hold.
//! - [`cover`]: a run that can be repeated for ever and leaves more tokens each time: the net is not bounded.
//!
//! Everything is exact and the same on every run. What could take long has a budget, which counts operations; a search
//! that spends it ends and keeps what it has.
//!
//! Priorities take runs away and add none: what is true of all markings that can be reached without them is true with them,
//! and they are not looked at. Only [`cover`] says that there *is* a run, and has to.
//!
//! A transition with a label counts as one that may fire, alone or in one step with others: a composite may call it.

pub mod bound;
pub mod closed;
pub mod commoner;
pub mod complement;
pub mod cover;
pub mod semiflow;
pub mod unit;

mod choice;
mod component;
pub(crate) mod elimination;
pub(crate) mod incidence;
mod walk;

use bound::bounds_with_units;
use mandala_model::net::Net;
use semiflow::{Semiflows, semiflows};
use unit::{Unit, units};

/// How many operations the search for P-semiflows may take.
const SEMIFLOW_BUDGET: u64 = 5_000_000;

/// What the structure of a net shows, searched for once.
#[derive(Clone, Debug)]
pub struct Structure {
    /// P-semiflows.
    pub semiflows: Semiflows,
    /// Units that are proven.
    pub units: Vec<Unit>,
    /// By place, the most tokens that it may hold, where that is known.
    pub bounds: Vec<Option<i32>>,
}

impl Structure {
    /// The structure of a net.
    pub fn new(net: &Net) -> Structure {
        let (semiflows, units) = (semiflows(net, SEMIFLOW_BUDGET), units(net, unit::PATIENCE));
        let bounds = bounds_with_units(net, &semiflows, &units);
        Structure { semiflows, units, bounds }
    }

    /// Whether every place has a bound.
    pub fn is_bounded(&self) -> bool {
        bound::is_structurally_bounded(&self.bounds)
    }
}
