//! Traces that do with fewer steps.
//!
//! A trace that was found by chaining does more than it has to: much of what happens has nothing to do with where it leads. So
//! parts of it are left out, large ones first; what comes after is done all the same, and if that is possible and leads to a
//! target, the shorter one is kept. How much is tried depends on how large states are, and not on the clock.

use mandala_diagram::Diagram;
use mandala_symbolic::encode::{Encoded, Encoding};

use crate::run::{Trace, replay, without};

/// How many values of states may be looked at.
const EFFORT: usize = 500_000;

/// A trace to one of the targets with no more steps than another one.
pub(crate) fn shortened<E: Encoding>(
    encoded: &mut Encoded<E>, semantics: &E::Semantics, mut trace: Trace<E::Formalism>, targets: &Diagram,
) -> Trace<E::Formalism> {
    let each = encoded.encoding.state_size().max(1);
    let mut left = EFFORT / each;
    let mut part = trace.steps.len() / 2;
    while part > 0 && left > 0 {
        let mut end = trace.steps.len();
        while end > 0 && left > 0 {
            let start = end.saturating_sub(part);
            let shorter = without(semantics, &trace, start..end, &mut left);
            match shorter.filter(|shorter| leads_to(encoded, shorter, targets)) {
                Some(shorter) => {
                    trace = shorter;
                    end = start.min(trace.steps.len());
                }
                None => end = start,
            }
        }
        part /= 2;
    }
    debug_assert_eq!(replay(semantics, &trace), Ok(()));
    trace
}

fn leads_to<E: Encoding>(encoded: &mut Encoded<E>, trace: &Trace<E::Formalism>, targets: &Diagram) -> bool {
    // A limit that strikes here ends nothing but the search for a shorter one.
    let Ok(Some(last)) = E::encode(encoded, trace.last()) else { return false };
    encoded.store.is_subset(&last, targets).unwrap_or(false)
}
