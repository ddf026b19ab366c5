//! One attempt to build a state space: one layout, so much work.

use std::time::Instant;

use mandala_diagram::{Diagram, Error, Store};
use mandala_model::property::Question;
use mandala_symbolic::encode::{Encoded, Encoding};

use super::Stopped;
use super::candidate::Candidate;
use crate::answer::{Traces, Verdict};
use crate::budget::{after_a_limit, within_budget};
use crate::options::OptionsFor;
use crate::space::{Coverage, Space};

/// Builds the state space with one layout.
pub(crate) fn attempt<C: Candidate>(
    candidate: &C, options: &OptionsFor<C::Encoding>, work: Option<u64>,
) -> Result<Space<C::Encoding>, Stopped<C::Encoding>> {
    attempt_by(candidate, options, work, |encoded| {
        let (initial, relation) = (encoded.initial.clone(), encoded.relation.clone());
        encoded.store.reachable(&initial, &relation, options.strategy)
    })
}

/// Builds the state space with one layout, in some way.
pub(crate) fn attempt_by<C: Candidate>(
    candidate: &C, options: &OptionsFor<C::Encoding>, work: Option<u64>,
    reach: impl FnOnce(&mut Encoded<C::Encoding>) -> Result<Diagram, Error>,
) -> Result<Space<C::Encoding>, Stopped<C::Encoding>> {
    let start = Instant::now();
    let mut store = Store::new();
    store.set_progress(options.progress.of_diagrams());
    options.limits.apply(&mut store, work);
    let mut encoded = candidate.encode(store)?;
    let (reached, stop) = match reach(&mut encoded) {
        Ok(reached) => (reached, None),
        Err(error) => match error.reached().cloned() {
            Some(reached) => (reached, Some(error)),
            None => return Err(error.into()),
        },
    };
    if encoded.store.is_undefined(&reached) || fails(&mut encoded, &reached, stop.is_some())? {
        return Err(Stopped::Undefined);
    }
    if let Some(broken) = C::Encoding::broken_promise(&encoded, &reached) {
        return Err(broken.into());
    }
    let statistics = encoded.store.statistics();
    let mut space = Space {
        encoded,
        states: reached.clone(),
        reached,
        finite_runs: options.finite_runs,
        fairness: options.fairness.clone(),
        coverage: if stop.is_some() { Coverage::Part } else { Coverage::All },
        quotient: None,
        layout: candidate.description().clone(),
        time: start.elapsed(),
        peak_nodes: statistics.peak_nodes,
        peak_bytes: statistics.peak_bytes,
        steps: None,
        asked: None,
    };
    if let Some(error) = stop {
        return Err(Stopped::Limit { error, partial: Some(Box::new(space)) });
    }
    options.limits.apply(&mut space.encoded.store, None);
    let transient = C::Encoding::transient(&mut space.encoded, &space.reached)?;
    space.states = space.encoded.store.difference(&space.reached, &transient)?;
    Ok(space)
}

/// How much work is spent on finding out whether there is an error of the model in states that were found until a limit
/// struck.
const LAST_WORK: u64 = 200_000;

/// Whether there is an error of the model in one of some reachable states.
fn fails<E>(encoded: &mut Encoded<E>, reached: &Diagram, is_partial: bool) -> Result<bool, Error> {
    if is_partial {
        return Ok(after_a_limit(encoded, LAST_WORK, |encoded| find_failure(encoded, reached)).unwrap_or(false));
    }
    find_failure(encoded, reached)
}

fn find_failure<E>(encoded: &mut Encoded<E>, reached: &Diagram) -> Result<bool, Error> {
    for failing in encoded.failing.clone() {
        if !encoded.store.apply(&failing, reached)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How much work is spent on finding out whether some states are enough.
const WORK_OF_A_LOOK: u64 = 500_000;

/// Looks whether the states that were found until the limit on work struck answer all that is asked; then they are enough.
pub(crate) fn enough<E: Encoding>(
    options: &OptionsFor<E>, result: Result<Space<E>, Stopped<E>>,
) -> Result<Space<E>, Stopped<E>> {
    match result {
        Err(Stopped::Limit { error: error @ Error::Work { .. }, partial: Some(mut space) })
            if !options.goals.is_empty() =>
        {
            // The work of the attempt is over; what follows has the limits of the user.
            options.limits.apply(&mut space.encoded.store, None);
            let is_enough = within_budget(&mut *space, WORK_OF_A_LOOK, |space| {
                options.goals.iter().all(|goal| space.is_answered(goal))
            });
            if is_enough {
                space.coverage = Coverage::Enough;
                Ok(*space)
            } else {
                Err(Stopped::Limit { error, partial: Some(space) })
            }
        }
        result => result,
    }
}

impl<E: Encoding> Space<E> {
    /// Whether some of the states answer a question.
    fn is_answered(&mut self, question: &Question<E::Formalism>) -> bool {
        !matches!(self.answer(question, Traces::Unwanted).verdict, Verdict::Unknown(_))
    }
}
