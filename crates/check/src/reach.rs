//! Is there a reachable state that satisfies a formula?

use mandala_model::property::Formula;
use mandala_symbolic::encode::{Atom, Encoding};

use crate::answer::{Answer, Traces, Verdict};
use crate::select::select;
use crate::space::Space;
use crate::trace::to_targets;

impl<E: Encoding> Space<E> {
    /// Is there a state that satisfies a formula? `found` if there is, `absent` if not.
    pub(crate) fn search(
        &mut self, formula: &Formula<Atom<E>>, found: Verdict, absent: Verdict, traces: Traces,
    ) -> Answer<E::Formalism> {
        if !self.is_complete() && self.encoded.encoding.has_transient_states() {
            return Answer::unknown("not all states are known");
        }
        if let Some(reason) = self.events_are_unknown(formula) {
            return Answer::unknown(reason);
        }
        let states = self.states.clone();
        let targets = match select(&mut self.encoded, formula, &states) {
            Ok(targets) => targets,
            Err(error) => return Answer::unknown(error),
        };
        if targets != self.encoded.store.zero() {
            let trace = (traces == Traces::Wanted).then(|| to_targets(&mut self.encoded, &targets));
            return Answer { trace, ..Answer::plain(found) };
        }
        if self.is_complete() {
            Answer::plain(absent)
        } else {
            Answer::unknown("not all states are known, and none so far decides it")
        }
    }
}
