//! State spaces of coloured nets whose colours are counted.
//!
//! What is left of a coloured net when the colours of some classes are counted ([`mandala_model::coloured::counting`]) is a net
//! or a program, and its states are the markings up to exchanging these colours. If other classes have symmetries, its quotient by
//! these is made as that of any other system. Then each representative is one symbolic marking. What a state stands for are as many
//! ordinary markings as there are ways to say which colour is where.

use mandala_analysis::structure::semiflow::semiflows;
use mandala_analysis::symmetry::leader::Leaders;
use mandala_diagram::{Count, Error};
use mandala_group::UBig;
use mandala_model::coloured::counting::{self, CannotCount, Counted, Meaning};
use mandala_model::coloured::{ColouredNet, unfold};
use mandala_model::net::Net;

use super::declared::by_construction;
use super::explore_by;
use crate::explore::{self, SystemStopped};
use crate::limits::Limits;
use crate::options::{Options, QuotientChoice};
use crate::space::SystemSpace;

/// How many operations the search for invariants of what one colour sees may take.
const BUDGET_FOR_FLOWS: u64 = 2_000_000;

/// Counts the colours of all classes of a net for which that can be done.
pub fn count(net: &ColouredNet, limits: &unfold::Limits<'_>) -> Result<Counted, CannotCount> {
    let weights = |net: &Net| {
        let found = semiflows(net, BUDGET_FOR_FLOWS);
        found.flows.into_iter().map(|flow| flow.weights).collect::<Vec<_>>()
    };
    counting::count(net, limits, &weights)
}

/// The symbolic markings of a coloured net.
pub struct CountedSpace<'a> {
    /// The states of what is left of it.
    pub space: SystemSpace<'a>,
    /// How many symbolic markings there are.
    pub symbolic: Count,
    /// Whether each orbit was counted once. If not, there may be fewer symbolic markings.
    pub is_canonical: bool,
    /// How many ordinary markings they stand for, if that is known.
    pub ordinary: Option<Count>,
    /// Which limit struck while these were counted.
    pub stopped: Option<Error>,
}

/// So many representatives are looked at one by one.
const MOST_ONE_BY_ONE: u64 = 1 << 20;

/// Builds the symbolic markings of a coloured net whose colours are counted.
pub fn explore_counted<'a>(counted: &'a Counted, options: &Options) -> Result<CountedSpace<'a>, SystemStopped<'a>> {
    let system = &counted.system;
    let mut space = match options.quotient {
        QuotientChoice::Off => explore::explore(system, options)?,
        _ => explore_by(system, options, &[], &|_| by_construction(system))?,
    };
    let (symbolic, is_canonical) = match space.quotient() {
        Some(quotient) => (space.encoded.store.count(&quotient.representatives), quotient.is_canonical),
        None => (space.count(), true),
    };
    options.limits.apply(&mut space.encoded.store, None);
    let (ordinary, stopped) = match ordinary(counted, &space, &options.limits) {
        Ok(ordinary) => (ordinary, None),
        Err(error) => (None, Some(error)),
    };
    Ok(CountedSpace { space, symbolic, is_canonical, ordinary, stopped })
}

/// How many ordinary markings there are.
fn ordinary(counted: &Counted, space: &SystemSpace<'_>, limits: &Limits) -> Result<Option<Count>, Error> {
    if !space.is_complete() {
        return Ok(None);
    }
    let sizes: Vec<u32> = counted.cells.iter().map(|cell| cell.colours.len() as u32).collect();
    let groups: Vec<(u32, u32)> = (0..)
        .zip(&counted.meaning)
        .filter_map(|(variable, meaning)| match meaning {
            Meaning::Colours { cell, .. } => Some((variable, *cell)),
            Meaning::Tokens { .. } => None,
        })
        .collect();
    let Some(layout) = space.encoded.layout(counted.system.main) else { return Ok(None) };
    let store = &space.encoded.store;
    match space.quotient().filter(|quotient| !quotient.construction.is_whole()) {
        None => store.arrangements(space.states(), &layout.arrangement(&groups), &sizes),
        Some(quotient) => {
            let few = store.count(&quotient.representatives).to_u64().is_some_and(|count| count <= MOST_ONE_BY_ONE);
            if !few || !quotient.is_canonical || !quotient.group.keeps_initial {
                return Ok(None);
            }
            let Some(leaders) = Leaders::new(&quotient.group.shape, &quotient.group.points) else { return Ok(None) };
            let mut sum = UBig::ZERO;
            for state in store.states(&quotient.representatives) {
                limits.check()?;
                let state = space.encoded.decode(&state);
                let (leader, ways) = (leaders.leader(&state), ways(&state, &groups, &sizes));
                let (Some(leader), Some(ways)) = (leader, ways) else { return Ok(None) };
                sum += leader.orbit * ways;
            }
            Ok(Some(Count::from(sum)))
        }
    }
}

/// In how many ways the colours can be told apart that a state counts.
fn ways(state: &[i32], groups: &[(u32, u32)], sizes: &[u32]) -> Option<UBig> {
    let mut left = sizes.to_vec();
    let mut ways = UBig::ONE;
    for &(variable, group) in groups {
        let count = u32::try_from(state[variable as usize]).ok()?;
        let from = left[group as usize];
        left[group as usize] = from.checked_sub(count)?;
        for chosen in 0..count.min(from - count) {
            ways *= from - chosen;
            ways /= chosen + 1;
        }
    }
    left.iter().all(|left| *left == 0).then_some(ways)
}
