//! Quotients of state spaces by symmetry: one state for each orbit.
//!
//! There are three ways. *Exploring* makes every state that is found the least of its orbit at once, as far as the symmetries
//! that are tried go, and goes on from there: only representatives are ever kept. *Selecting* builds the whole space by
//! saturation, which is closed under the group if the initial states are, and keeps of it what no symmetry makes smaller:
//! nothing is ever moved, and whatever is asked can be answered on the whole space. Where the whole space is small as a
//! diagram, however many states it has, selecting is faster by far. *Listing* finds the leaders of orbits one by one, which
//! is best where orbits are few and diagrams of them are not small.
//!
//! Where parts of the group meet, both may leave several representatives of an orbit. If there are not too many, each is
//! replaced by the leader of its orbit, one by one: then the count is that of the orbits.

mod builder;
mod compete;
pub mod counted;
pub mod declared;
mod listing;
mod subject;

use std::time::Instant;

use mandala_analysis::symmetry::SymmetryGroup;
use mandala_model::property::Question;
use mandala_model::system::System;

use crate::explore::{self, Stopped, SystemStopped, find_unbounded};
use crate::options::{Options, QuotientChoice};
use crate::space::SystemSpace;
use builder::Builder;
use compete::Diagrams;
use declared::Kept;
pub use subject::{NotDeclared, Note, Subject};

/// Builds a state space up to the symmetries that leave some questions alone. If there are none it has all
/// states, and so it has of a composite: that has to be flattened before.
pub fn explore<'a>(
    system: &'a System, options: &Options, questions: &[&Question],
) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
    explore_by(system, options, questions, &|kept| {
        SymmetryGroup::find(system, kept.initial, if kept.questions { questions } else { &[] })
    })
}

/// Builds a state space up to symmetries that somebody knows, which leave some questions alone if they are to.
pub(crate) fn explore_by<'a>(
    system: &'a System, options: &Options, questions: &[&Question], known: &dyn Fn(Kept) -> Option<SymmetryGroup>,
) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
    let start = Instant::now();
    let mut result = explored(system, options, !questions.is_empty(), known);
    let space = match &mut result {
        Ok(space) => Some(space),
        Err(Stopped::Limit { partial, .. }) => partial.as_deref_mut(),
        Err(_) => None,
    };
    if let Some(space) = space {
        space.time = start.elapsed();
        if let Some(quotient) = space.quotient.as_deref_mut() {
            quotient.preserved = questions.iter().copied().cloned().collect();
        }
    }
    result
}

/// The whole space, laid out so that symmetries which leave the initial states alone can be applied to its diagrams.
pub(crate) fn whole<'a>(
    system: &'a System, known: &SymmetryGroup, options: &Options,
) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
    let builder = Builder::new(system, known.clone());
    match builder.layouts.first() {
        Some(layout) => explore::attempt(layout, options, None),
        None => explore::explore(system, options),
    }
}

fn explored<'a>(
    system: &'a System, options: &Options, is_asked: bool, known: &dyn Fn(Kept) -> Option<SymmetryGroup>,
) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
    let whole = Options { quotient: QuotientChoice::Off, ..options.clone() };
    if options.quotient == QuotientChoice::Off || system.is_composite() {
        return explore::explore(system, &whole);
    }
    if let Some(witness) = find_unbounded(system, PATIENCE_FOR_BOUNDS) {
        return Err(Stopped::Unbounded(witness));
    }
    // The whole space answers every question, whatever the symmetries do to it.
    let selects = matches!(options.quotient, QuotientChoice::Automatic | QuotientChoice::Select);
    let on_whole = if selects { known(Kept { initial: true, questions: false }) } else { None };
    let selecting = on_whole.map(|known| Builder::new(system, known));
    // Where nothing is asked, both ways have the same symmetries.
    let is_same = options.quotient == QuotientChoice::Automatic && selecting.is_some() && !is_asked;
    let own = match options.quotient {
        QuotientChoice::Select => None,
        _ if is_same => None,
        _ => known_on_representatives(is_asked, known).map(|known| Builder::new(system, known)),
    };
    let exploring = if is_same { selecting.as_ref() } else { own.as_ref() };
    let ended = match (options.quotient, exploring) {
        (QuotientChoice::List, Some(builder)) => builder.list(&whole),
        (choice, _) => {
            let is_automatic = choice == QuotientChoice::Automatic;
            let takes_all = is_asked && is_automatic;
            let diagrams = Diagrams { system, selecting: selecting.as_ref(), exploring, takes_all };
            if is_automatic { diagrams.compete(&whole) } else { diagrams.alone(&whole) }
        }
    };
    ended.unwrap_or_else(|| explore::explore(system, &whole))
}

/// How many operations it may take to see that a net is not bounded.
const PATIENCE_FOR_BOUNDS: u64 = 200_000;

/// The symmetries with which only representatives are kept. With those that leave the initial states alone, units can be
/// used and concrete states counted. If something is asked they are used where they are no fewer than all; if not, where
/// there are some.
fn known_on_representatives(is_asked: bool, known: &dyn Fn(Kept) -> Option<SymmetryGroup>) -> Option<SymmetryGroup> {
    let keeping = known(Kept { initial: true, questions: true });
    if !is_asked && keeping.is_some() {
        return keeping;
    }
    let all = known(Kept { initial: false, questions: true })?;
    Some(keeping.filter(|keeping| keeping.order == all.order).unwrap_or(all))
}
