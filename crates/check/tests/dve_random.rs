//! Random systems in DVE that may fail: what every engine says of them, of the error state and of formulas. What the states
//! are is compared with an independent interpreter in the tests of the model crate.

#[path = "../../model/tests/common/random_dve.rs"]
mod random_dve;

use crate::common::random::{explored, factor};
use mandala_check::answer::{Traces, Verdict};
use mandala_check::error_state::{By, ErrorState};
use mandala_check::explicit::{self, Outcome};
use mandala_check::explore::{enumerate, explore};
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::Options;
use mandala_check::options::QuotientChoice;
use mandala_check::quotient;
use mandala_check::run::{FiniteRuns, replay};
use mandala_check::space::SystemSpace;
use mandala_diagram::Strategy;
use mandala_model::dve;
use mandala_model::property::Question;
use mandala_model::semantics::Semantics;
use mandala_model::system::System;

/// Systems with more states than this are left out.
const MOST_STATES: u64 = 1_000;

/// Formulas over what all random systems have.
const FORMULAS: [&str; 14] = [
    "EF error",
    "AG not error",
    "AF error",
    "EG not error",
    "AG (EF error)",
    "AX error",
    "AG (A.p || A.q || A.r || error)",
    "EF (not (g == g))",
    "EF not (A.p || A.q || A.r)",
    "G (not error)",
    "F (error || A.q)",
    "F G (g >= 0)",
    "G F (not (t[0] >= 0))",
    "X (not error)",
];

struct Known {
    context: String,
    outcome: Outcome,
    /// The questions, with the answers of the explicit engine.
    asked: Vec<(Question, bool)>,
}

impl Known {
    /// What the explicit engine says of a system; nothing if it has too many states.
    fn of(context: String, system: &System, names: &dve::Names) -> Option<Known> {
        let outcome = explored(system, MOST_STATES)?;
        let read = |formula: &&str| names.formula(formula).unwrap_or_else(|error| panic!("{error}")).question;
        let questions: Vec<Question> = FORMULAS.iter().map(read).collect();
        let semantics = Semantics::new(system).unwrap();
        let (limits, progress) = (Limits::default(), Progress::default());
        let answered = explicit::answer(&semantics, &questions, &limits, &progress);
        let mut asked = Vec::new();
        for (question, answer) in questions.into_iter().zip(answered.answers) {
            let verdict = match &question {
                Question::Ltl(formula) => {
                    explicit::ltl::check(&semantics, formula, FiniteRuns::Stutter, &limits, &progress).answer.verdict
                }
                _ => answer.verdict,
            };
            let holds = match verdict {
                Verdict::Holds => true,
                Verdict::Fails => false,
                verdict => panic!("{verdict:?}: {context}"),
            };
            asked.push((question, holds));
        }
        Some(Known { context, outcome, asked })
    }

    fn fails(&self) -> bool {
        self.outcome.to_error.is_some()
    }

    /// A space that holds all states says the same.
    fn agrees(&self, how: &str, mut space: SystemSpace<'_>) {
        let context = format!("{how}, {}", self.context);
        let figures = space.figures().unwrap_or_else(|error| panic!("{error}: {context}"));
        assert_eq!(figures.states.to_u64(), Some(self.outcome.states), "{context}");
        assert_eq!(figures.transitions.and_then(|count| count.to_u64()), Some(self.outcome.transitions), "{context}");
        self.answers_agree(&context, &mut space);
        let deadlock = Question::Never(mandala_model::property::Formula::Deadlock);
        let none = matches!(space.answer(&deadlock, Traces::Unwanted).verdict, Verdict::Holds);
        assert_eq!(none, self.outcome.deadlocks == 0, "{context}");
    }

    fn answers_agree(&self, context: &str, space: &mut SystemSpace<'_>) {
        for traces in [Traces::Unwanted, Traces::Wanted] {
            self.error_agrees(context, space, traces);
        }
        for ((question, expected), formula) in self.asked.iter().zip(FORMULAS) {
            match space.answer(question, Traces::Unwanted).verdict {
                Verdict::Holds => assert!(*expected, "{formula} holds: {context}"),
                Verdict::Fails => assert!(!*expected, "{formula} does not hold: {context}"),
                // What tells apart the copies of a process is not answered on representatives.
                Verdict::Unknown(_) if space.quotient().is_some() => {}
                verdict => panic!("{formula}: {verdict:?}: {context}"),
            }
        }
    }

    /// Whether the error state is reached, and by what, which is true of the way there.
    fn error_agrees(&self, context: &str, space: &mut SystemSpace<'_>, traces: Traces) {
        let system = space.encoded().encoding.system;
        let Some(found) = space.error_state(traces) else {
            assert!(!self.fails() && system.error_state().is_none(), "{context}");
            return;
        };
        let ErrorState::Reached(reached) = found else {
            assert!(!self.fails() && matches!(found, ErrorState::NotReached), "{found:?}: {context}");
            return;
        };
        assert!(self.fails(), "{context}");
        assert_ne!(reached.by, By::Unknown, "{context}");
        assert_eq!(reached.trace.is_some(), traces == Traces::Wanted, "{context}");
        let Some(trace) = reached.trace else { return };
        let trace = trace.unwrap_or_else(|reason| panic!("{reason}: {context}")).trace;
        let semantics = Semantics::new(system).unwrap();
        replay(&semantics, &trace).unwrap_or_else(|mismatch| panic!("{mismatch}: {context}"));
        assert!(semantics.is_error_state(trace.last()), "{context}");
    }
}

fn systems(seeds: u64, text: impl Fn(u64) -> String, mut check: impl FnMut(&System, &Known)) -> (u64, u64) {
    let (mut done, mut failing) = (0, 0);
    for seed in 0..seeds * factor() {
        let text = text(seed);
        let (model, names) = dve::read_with_names("random.dve", &text).unwrap_or_else(|error| panic!("{error}"));
        let Some(known) = Known::of(format!("seed {seed}\n{text}"), &model.system, &names) else { continue };
        check(&model.system, &known);
        done += 1;
        failing += u64::from(known.fails());
    }
    (done, failing)
}

#[test]
fn every_engine_agrees() {
    let strategies = [Strategy::Saturation, Strategy::Chaining, Strategy::BreadthFirst];
    let (done, failing) = systems(150, random_dve::system, |system, known| {
        for strategy in strategies {
            let options = Options { strategy, ..Options::default() };
            let space = explore(system, &options).unwrap_or_else(|stopped| panic!("{stopped}: {}", known.context));
            known.agrees(&format!("{strategy:?}"), space);
        }
        let enumerated = enumerate(system, &Options::default());
        if let Some(space) = enumerated {
            let space = space.unwrap_or_else(|stopped| panic!("{stopped}: {}", known.context));
            known.agrees("state by state", space);
        }
    });
    assert!(done >= 100 * factor() && failing * 4 > done, "{done} systems, {failing} of which fail");
}

#[test]
fn quotients_agree() {
    let mut quotients = 0;
    let (done, failing) = systems(80, random_dve::of_copies, |system, known| {
        for choice in [QuotientChoice::Automatic, QuotientChoice::Explore, QuotientChoice::Select, QuotientChoice::List]
        {
            let options = Options { quotient: choice, ..Options::default() };
            let mut space = quotient::explore(system, &options, &[])
                .unwrap_or_else(|stopped| panic!("{stopped}: {}", known.context));
            let context = format!("{choice:?}, {}", known.context);
            match space.quotient() {
                Some(found) => {
                    let concrete = found.concrete.as_ref().and_then(|count| count.to_u64());
                    assert_eq!(concrete, Some(known.outcome.states), "{context}");
                    quotients += 1;
                }
                None => assert_eq!(space.count().to_u64(), Some(known.outcome.states), "{context}"),
            }
            known.answers_agree(&context, &mut space);
        }
    });
    assert!(quotients * 2 > done && failing * 4 > done, "{done} systems, {failing} fail, {quotients} quotients");
}
