//! What is asked of the states, one by one.

use mandala_model::property::{Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::{Semantics, TransitionSystem};

use super::explorer::End;
use super::tally::{Tally, least};
use super::words::{Reader, Writer};
use crate::answer::{Answer, NO_VALUES, Traces, Verdict};
use crate::run::{FiniteRuns, Found, NoTrace, Trace};

/// Questions that states answer one by one.
pub(super) struct Asked<'q> {
    inquiries: Vec<Inquiry<'q>>,
    until: Until,
    traces: Traces,
}

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To the end.
    Complete,
    /// Until all is answered: then the level is done that is at hand.
    Answered,
}

enum Inquiry<'q> {
    /// Is there a state in which the formula is `wanted`? `found` is the answer if there is one.
    Search {
        formula: &'q Formula,
        wanted: bool,
        found: bool,
    },
    Bounds(&'q Question),
    /// It is not answered here.
    Other,
}

/// What was seen of a question.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// The least state that shows it, of the first level in which there is one.
    pub(super) shown: Option<(u64, Vec<i32>)>,
    /// The same for one in which it has no value.
    failed: Option<(u64, Vec<i32>)>,
    bounds: Option<(i64, i64)>,
}

/// Whether a question can be answered looking at states one by one, without what is between them.
pub fn is_about_states(question: &Question, finite_runs: FiniteRuns) -> bool {
    !matches!(Inquiry::new(question, finite_runs), Inquiry::Other)
}

impl<'q> Inquiry<'q> {
    fn new(question: &'q Question, finite_runs: FiniteRuns) -> Inquiry<'q> {
        match question {
            Question::Reachable(formula) => Inquiry::Search { formula, wanted: true, found: true },
            Question::Invariant(formula) => Inquiry::Search { formula, wanted: false, found: false },
            Question::Never(formula) => Inquiry::Search { formula, wanted: true, found: false },
            Question::Ctl(Formula::Unary(Quantifier::All, UnaryOperator::Globally, formula))
                if !formula.is_temporal() && finite_runs == FiniteRuns::Stutter =>
            {
                Inquiry::Search { formula, wanted: false, found: false }
            }
            Question::Bounds(_) => Inquiry::Bounds(question),
            Question::Ctl(_) | Question::Live(_) | Question::Ltl(_) | Question::CtlStar(_) => Inquiry::Other,
        }
    }
}

impl<'q> Asked<'q> {
    pub(super) fn new(questions: &'q [Question], finite_runs: FiniteRuns, until: Until, traces: Traces) -> Asked<'q> {
        let inquiries = questions.iter().map(|question| Inquiry::new(question, finite_runs)).collect();
        Asked { inquiries, until, traces }
    }

    pub(super) fn nothing_seen(&self) -> Vec<Seen> {
        vec![Seen::default(); self.inquiries.len()]
    }

    pub(super) fn looks_at_states(&self) -> bool {
        !self.inquiries.is_empty()
    }

    /// Whether no further state is of interest.
    pub(super) fn is_settled(&self, seen: &[Seen]) -> bool {
        let is_settled = |(inquiry, seen): (&Inquiry<'_>, &Seen)| match inquiry {
            Inquiry::Search { .. } => seen.shown.is_some() || seen.failed.is_some(),
            Inquiry::Bounds(_) => seen.failed.is_some(),
            Inquiry::Other => true,
        };
        self.until == Until::Answered && self.inquiries.iter().zip(seen).all(is_settled)
    }

    /// Takes a state into account.
    pub(super) fn look(&self, semantics: &Semantics<'_>, values: &Vec<i32>, level: u64, seen: &mut [Seen]) {
        for (inquiry, seen) in self.inquiries.iter().zip(seen) {
            let looked = match inquiry {
                Inquiry::Search { .. } if seen.shown.as_ref().is_some_and(|shown| shown.0 < level) => continue,
                Inquiry::Search { formula, wanted, .. } => semantics.evaluate(formula, values).map(|holds| {
                    if holds == *wanted {
                        least(&mut seen.shown, Some((level, values.clone())));
                    }
                }),
                Inquiry::Bounds(Question::Bounds(quantity)) if !semantics.is_error_state(values) => {
                    semantics.measure(quantity, values).map(|value| seen.add((value, value)))
                }
                Inquiry::Bounds(_) | Inquiry::Other => Ok(()),
            };
            if looked.is_err() {
                least(&mut seen.failed, Some((level, values.clone())));
            }
        }
    }

    /// The states to which there is to be a way, with their levels.
    pub(super) fn shown(&self, end: &End, tally: &Tally, seen: &[Seen]) -> Vec<(u64, Vec<i32>)> {
        if let End::Error(level, values) = end {
            return vec![(*level, values.clone())];
        }
        if matches!(end, End::Narrow(_) | End::Failed(_) | End::Wide) {
            return Vec::new();
        }
        let of_questions = seen.iter().filter_map(|seen| seen.shown.clone());
        let of_questions = of_questions.filter(|_| self.traces == Traces::Wanted);
        tally.error.iter().cloned().chain(of_questions).collect()
    }

    /// The answers; `complete` if all states were seen. The ways are those to what is to be shown, in order.
    pub(super) fn answers(
        &self, semantics: &Semantics<'_>, seen: &[Seen], complete: bool,
        ways: &mut dyn Iterator<Item = Result<Trace, NoTrace>>,
    ) -> Vec<Answer> {
        let answer = |(inquiry, seen): (&Inquiry<'_>, &Seen)| match inquiry {
            Inquiry::Search { found, .. } if seen.shown.is_some() => {
                let verdict = Verdict::of(*found);
                let trace = (self.traces == Traces::Wanted).then(|| ways.next()).flatten();
                let found = trace.map(|way| way.map(|trace| Found { trace, shortest: true, repeats: None }));
                Answer { trace: found, ..Answer::plain(verdict) }
            }
            Inquiry::Search { formula, .. } if seen.failed.is_some() => {
                let error = seen.failed.as_ref().and_then(|(_, values)| semantics.evaluate(formula, values).err());
                Answer::unknown(error.map_or_else(|| "it has no value".to_owned(), |error| error.to_string()))
            }
            Inquiry::Search { found, .. } if complete => Answer::plain(Verdict::of(!found)),
            Inquiry::Bounds(_) if seen.failed.is_some() => Answer::unknown("it has no value in some state"),
            Inquiry::Bounds(_) => match seen.bounds {
                Some((least, greatest)) if complete => Answer::plain(Verdict::Bounds { least, greatest }),
                Some((least, greatest)) => {
                    Answer::unknown(format!("not all states are known; so far from {least} to {greatest}"))
                }
                None if complete => Answer::unknown(NO_VALUES),
                None => Answer::unknown("not all states are known, and none so far decides it"),
            },
            Inquiry::Search { .. } => Answer::unknown("not all states are known, and none so far decides it"),
            Inquiry::Other => Answer::unknown("this cannot be answered by looking at states one by one"),
        };
        self.inquiries.iter().zip(seen).map(answer).collect()
    }
}

impl Seen {
    fn add(&mut self, (low, high): (i64, i64)) {
        let (least, greatest) = self.bounds.unwrap_or((low, high));
        self.bounds = Some((least.min(low), greatest.max(high)));
    }

    /// With what another worker has seen.
    pub(super) fn join(&mut self, other: Seen) {
        least(&mut self.shown, other.shown);
        least(&mut self.failed, other.failed);
        if let Some(bounds) = other.bounds {
            self.add(bounds);
        }
    }

    pub(super) fn write(&self, words: &mut Writer) {
        for state in [&self.shown, &self.failed] {
            words.number(state.as_ref().map_or(0, |state| state.0));
            words.values(state.as_ref().map(|state| &state.1[..]));
        }
        words.number(u64::from(self.bounds.is_some()));
        let (least, greatest) = self.bounds.unwrap_or_default();
        words.number(least as u64);
        words.number(greatest as u64);
    }

    pub(super) fn read(words: &mut Reader<'_>) -> Seen {
        let mut state = || {
            let level = words.number();
            words.values().map(|values| (level, values))
        };
        let (shown, failed) = (state(), state());
        let is_some = words.number() != 0;
        let bounds = (words.number() as i64, words.number() as i64);
        Seen { shown, failed, bounds: is_some.then_some(bounds) }
    }
}
