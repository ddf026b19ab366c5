//! What the structure of a net shows, by the names of its places and transitions.

use crate::model::Model;
use mandala_analysis::outline::Outline;
use mandala_analysis::structure::closed::{Closed, ClosedSets, PATIENCE, closed_sets};
use mandala_analysis::structure::semiflow::{Semiflow, Semiflows, semiflows, t_semiflows};
use mandala_model::net::Net;
use mandala_model::system::Type;
use std::fmt;

/// How many operations the search for semiflows may take.
const BUDGET: u64 = 5_000_000;

/// What was found of something, and whether it is all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T> {
    /// What was found.
    pub found: Vec<T>,
    /// Whether the search came to its end.
    pub complete: bool,
}

/// A sum of tokens that never changes. Displayed, it is an equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Places, with how much a token there counts.
    pub weights: Vec<(String, i64)>,
    /// What the sum is; nothing if initial markings differ in it.
    pub constant: Option<i64>,
}

/// How often transitions fire on the way from a marking back to it, if there is such a way. Displayed, it is a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Transitions, with how often each fires.
    pub counts: Vec<(String, i64)>,
}

/// What the structure of a net shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetStructure {
    /// P-semiflows of minimal support.
    pub invariants: Listing<Invariant>,
    /// T-semiflows of minimal support.
    pub rounds: Listing<Round>,
    /// Transitions that never fire: one of the places they need is empty for ever. There may be others. Nothing is known
    /// of nets with several initial markings.
    pub dead_transitions: Option<Vec<String>>,
}

/// Sets of places that stay empty once they are, and such that stay marked; those that hold no smaller one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiphonsAndTraps {
    /// Siphons.
    pub siphons: Listing<Vec<String>>,
    /// Traps.
    pub traps: Listing<Vec<String>>,
}

impl Model {
    /// What the structure of a net shows; nothing of other models.
    pub fn structure(&self) -> Option<NetStructure> {
        let net = self.plain_net()?;
        let Semiflows { flows, complete } = semiflows(net, BUDGET);
        let invariants =
            flows.iter().map(|flow| Invariant { weights: places(net, flow), constant: flow.constant(net) });
        let invariants = Listing { found: invariants.collect(), complete };
        let Semiflows { flows, complete } = t_semiflows(net, BUDGET);
        let transition = |&(index, count): &(u32, i64)| (net.transitions[index as usize].name.clone(), count);
        let rounds = flows.iter().map(|flow| Round { counts: flow.weights.iter().map(transition).collect() });
        let rounds = Listing { found: rounds.collect(), complete };
        let outline = self.system().ok().and_then(Outline::of);
        let name = |index: u32| net.transitions[index as usize].name.clone();
        let dead_transitions = outline.map(|outline| outline.dead_transitions().map(name).collect());
        Some(NetStructure { invariants, rounds, dead_transitions })
    }

    /// The siphons and traps of a net that hold no smaller one, at most so many of each; nothing of other models.
    pub fn siphons_and_traps(&self, most: usize) -> Option<SiphonsAndTraps> {
        let net = self.plain_net()?;
        let list = |kind| {
            let ClosedSets { sets, complete } = closed_sets(net, kind, most, PATIENCE);
            let names = |set: Vec<u32>| set.iter().map(|&place| net.places[place as usize].name.clone()).collect();
            Listing { found: sets.into_iter().map(names).collect(), complete }
        };
        Some(SiphonsAndTraps { siphons: list(Closed::Siphon), traps: list(Closed::Trap) })
    }

    fn plain_net(&self) -> Option<&Net> {
        match self.coloured() {
            Some(_) => None,
            None => match self.system().ok()?.main_type() {
                Type::Net(net) => Some(net),
                Type::Queues(_) | Type::Program(_) | Type::Composite(_) => None,
            },
        }
    }
}

fn places(net: &Net, flow: &Semiflow) -> Vec<(String, i64)> {
    flow.weights.iter().map(|&(place, weight)| (net.places[place as usize].name.clone(), weight)).collect()
}

/// A sum of some things, each so many times.
fn sum(f: &mut fmt::Formatter<'_>, terms: &[(String, i64)]) -> fmt::Result {
    for (index, (name, times)) in terms.iter().enumerate() {
        let plus = if index == 0 { "" } else { " + " };
        match times {
            1 => write!(f, "{plus}{name}")?,
            times => write!(f, "{plus}{times} {name}")?,
        }
    }
    Ok(())
}

impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sum(f, &self.weights)?;
        match self.constant {
            Some(constant) => write!(f, " = {constant}"),
            None => write!(f, " = what it is in the initial marking"),
        }
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sum(f, &self.counts)
    }
}
