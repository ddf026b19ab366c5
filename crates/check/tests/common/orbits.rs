//! Orbits, state by state, and whether representatives say what all states do.

use mandala_analysis::symmetry::Symmetry;
use mandala_check::answer::{Traces, Verdict};
use mandala_check::run::NoTrace;
use mandala_check::space::SystemSpace;
use mandala_model::property::Question;
use mandala_model::semantics::Semantics;
use mandala_model::system::System;
use rustc_hash::FxHashSet;

/// States, each once.
pub type States = FxHashSet<Vec<i32>>;

/// All reachable states.
pub fn reachable(system: &System) -> States {
    let semantics = Semantics::new(system).expect("a small system");
    let mut open = semantics.initial_states().expect("states");
    let mut known = States::default();
    while let Some(state) = open.pop() {
        if known.insert(state.clone()) {
            open.extend(semantics.successors(&state).expect("no error").into_iter().map(|step| step.state));
        }
    }
    known
}

/// What generates a group.
pub fn symmetries(group: &mandala_analysis::symmetry::SymmetryGroup) -> Vec<Symmetry> {
    group.shape.generators().iter().map(|one| group.points.symmetry(one)).collect()
}

/// All images of some states, which need not be reachable if the initial state is not left alone, and how many orbits they
/// are; nothing if there are more than `most` images.
pub fn orbits(states: &States, symmetries: &[Symmetry], most: usize) -> Option<(States, usize)> {
    let (mut open, mut seen, mut orbits) = (Vec::new(), States::default(), 0);
    for state in states {
        orbits += usize::from(seen.insert(state.clone()));
        open.push(state.clone());
        while let Some(state) = open.pop() {
            for symmetry in symmetries {
                let image = symmetry.apply(&state);
                if seen.insert(image.clone()) {
                    open.push(image);
                }
            }
            if seen.len() > most {
                return None;
            }
        }
    }
    Some((seen, orbits))
}

/// How many questions were answered on representatives as on all states.
#[derive(Debug, Default)]
pub struct Agreement {
    /// How many.
    pub quotients: usize,
    /// How many do not hold, and how many do.
    pub decided: [usize; 2],
    /// How many were shown by a run that ends, and by one that goes round.
    pub traces: [usize; 2],
}

impl Agreement {
    /// Asks a question of both.
    pub fn ask(
        &mut self, question: &Question, whole: &mut SystemSpace<'_>, quotient: &mut SystemSpace<'_>, case: &str,
    ) {
        let answer = |verdict: Verdict| match verdict {
            Verdict::Holds => Some((1, 1)),
            Verdict::Fails => Some((0, 0)),
            Verdict::Bounds { least, greatest } => Some((least, greatest)),
            Verdict::Unbounded | Verdict::Unknown(_) => None,
        };
        let on_all = answer(whole.answer(question, Traces::Unwanted).verdict);
        let some = quotient.answer(question, Traces::Wanted);
        assert_eq!(on_all, answer(some.verdict), "{case}");
        // Traces are runs of the model: each is replayed as it is made, and those of LTL are checked besides.
        match some.trace {
            Some(Ok(found)) => self.traces[usize::from(found.repeats.is_some())] += 1,
            Some(Err(NoTrace::Unknown(_))) => assert!(matches!(question, Question::Ctl(_)), "{case}"),
            Some(Err(reason)) => panic!("{reason}: {case}"),
            None => {}
        }
        self.quotients += 1;
        self.decided[usize::from(on_all == Some((1, 1)))] += 1;
    }

    /// Whether there was enough of everything.
    pub fn is_enough(&self) {
        assert!(self.quotients > 50 && self.decided.iter().all(|&count| count > 10), "{self:?}");
        assert!(self.traces.iter().all(|&count| count > 3), "{self:?}");
    }
}
