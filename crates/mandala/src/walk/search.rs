//! The shortest way from a state to one that satisfies a formula.

use super::{Walk, error, not_about_one_state};
use crate::engine::named;
use crate::error::Error;
use crate::options::Options;
use crate::reason::Reason;
use crate::state::State;
use crate::trace::Trace;
use mandala_check::run;
use mandala_model::semantics::{Semantics, Step};
use std::collections::HashMap;

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched {
    /// The shortest way there.
    Found(Trace),
    /// There is no such state: all that can be reached were looked at.
    Nowhere,
    /// So many states were looked at, and there are more.
    GaveUp {
        /// How many.
        states: usize,
        /// The limit that struck; none if as many states were looked at as was allowed.
        reason: Option<Reason>,
    },
}

/// A state that was seen, and how it was reached.
struct Seen {
    before: usize,
    step: Step,
}

impl Walk {
    /// Looks for the shortest way from a state to one that satisfies a formula about one state. So many states are looked
    /// at, at most, within the time and until the cancel of the options.
    pub fn search(&self, from: &State, formula: &str, most: usize, options: &Options) -> Result<Searched, Error> {
        let formula = self.model.about_one_state(formula)?.ok_or_else(not_about_one_state)?;
        self.is_of_this(from)?;
        // The clock runs from here.
        let options = options.clone().from_now()?;
        self.with_meaning(|semantics| {
            let start = from.values().to_vec();
            let holds = |state: &[i32]| semantics.evaluate(&formula, state).map_err(error);
            if holds(&start)? {
                return Ok(Searched::Found(way(semantics, &start, &[], None)));
            }
            let mut numbers: HashMap<Vec<i32>, usize> = HashMap::from([(start.clone(), 0)]);
            let mut seen: Vec<Seen> = Vec::new();
            let mut next = 0;
            while next <= seen.len() {
                let state = if next == 0 { start.clone() } else { seen[next - 1].step.state.clone() };
                for step in semantics.successors(&state).map_err(error)? {
                    if numbers.contains_key(&step.state) {
                        continue;
                    }
                    numbers.insert(step.state.clone(), seen.len() + 1);
                    let found = holds(&step.state)?;
                    seen.push(Seen { before: next, step });
                    if found {
                        return Ok(Searched::Found(way(semantics, &start, &seen, Some(seen.len()))));
                    }
                }
                next += 1;
                let reason = options.reason_to_stop();
                if reason.is_some() || (seen.len() >= most && next <= seen.len()) {
                    return Ok(Searched::GaveUp { states: seen.len() + 1, reason });
                }
            }
            Ok(Searched::Nowhere)
        })?
    }
}

/// The way to a state that was seen.
fn way(semantics: &Semantics<'_>, start: &[i32], seen: &[Seen], last: Option<usize>) -> Trace {
    let mut steps = Vec::new();
    let mut at = last.unwrap_or(0);
    while at > 0 {
        steps.push(seen[at - 1].step.clone());
        at = seen[at - 1].before;
    }
    steps.reverse();
    named::trace(semantics, &run::Trace { initial: start.to_vec(), steps }, true, None)
}
