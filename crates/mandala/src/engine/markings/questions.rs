//! Questions to coloured nets, answered on symbolic markings.
//!
//! A question tells those colours apart that it names. Questions that tell the same ones apart have the same symbolic markings,
//! which are looked for once. What is asked of single markings is also answered in sets, and without a trace: `auto` does so where
//! there are too many to be listed.

use super::super::session::Session;
use super::traces::lifted;
use super::{FEW, FEW_SHAPES, MANY_SHAPES, PATIENCE, Way, reason_of, refused, size, source};
use crate::answer::{Answer, Ended, Verdict};
use crate::error::{Error, ErrorKind};
use crate::options::{Note, Options, SymmetryOfFormula};
use crate::question::{Asking, Question};
use mandala_analysis::coloured::partition::{self, Initial, Partition};
use mandala_check::answer::Traces;
use mandala_check::explicit;
use mandala_model::coloured::ColouredNet;
use mandala_model::coloured::property::{Atom, ColouredNets};
use mandala_model::property;
use mandala_symbolic::marking::{SymbolicNet, sets};
use std::time::Instant;

/// What symbolic markings say to some questions.
#[derive(Debug)]
pub(crate) struct Answered {
    /// By question: its answer. Nothing if it is left to another engine.
    pub answers: Vec<Option<Answer>>,
    /// How it ended.
    pub ended: Ended,
}

/// Answers questions on symbolic markings. Nothing if another way is to be taken.
pub(crate) fn answer(
    options: &Options, net: &ColouredNet, way: Way, asked: &[Question],
) -> Result<Option<Answered>, Error> {
    if let Way::Counting | Way::Tensors = way {
        let reason = "this engine finds how many symbolic markings there are, and answers no questions about them";
        let help = "`--symbolic list` answers questions, and `--symbolic sets` those about single markings";
        return Err(Error::with_help(ErrorKind::Other, reason, help));
    }
    if !options.fairness.is_empty() {
        return refused(options, way, "which runs are fair is known of the unfolded net, not of symbolic markings");
    }
    if options.symmetry_of_formula != SymmetryOfFormula::Auto {
        let reason = "the symmetries of a formula are used on the unfolded net, not on symbolic markings";
        let help = "leave out one of `--symbolic` and `--symmetry-of-formula`";
        return Err(Error::with_help(ErrorKind::Other, reason, help));
    }
    if way == Way::Auto && is_better_unfolded(options, net, asked) {
        return Ok(None);
    }
    let mut parts: Vec<Part<'_>> = Vec::with_capacity(asked.len());
    for (index, question) in asked.iter().enumerate() {
        match Part::new(options, net, index, question) {
            Some(part) if way == Way::Sets && !part.is_about_markings() => {
                let reason = format!("`{}` is no question about single markings", question.name());
                let help = "sets answer what is asked of single markings: deadlocks, reachability, invariants, bounds; \
                            `--symbolic list` answers the others";
                return Err(Error::with_help(ErrorKind::Other, reason, help));
            }
            Some(part) => parts.push(part),
            None => return refused(options, way, &format!("`{}` asks about the unfolded net", question.name())),
        }
    }
    let session = Session::begin(options)?;
    let nothing = (0..asked.len()).map(|_| None).collect();
    let mut found = Answered { answers: nothing, ended: Ended::Done };
    while !parts.is_empty() {
        // All that tell the same colours apart.
        let first = parts[0].partition.clone();
        let (alike, others) = parts.into_iter().partition(|part| are_same(&part.partition, &first));
        parts = others;
        let group: Vec<Part<'_>> = alike;
        let about: Vec<&property::Question<ColouredNets>> = group.iter().flat_map(|part| part.about.iter()).collect();
        let symbolic = match SymbolicNet::new(net, source(options), Initial::Ignored, &about) {
            Ok(symbolic) => symbolic,
            Err(refusal) => return refused(options, way, &refusal.to_string()),
        };
        Group { session: &session, symbolic: &symbolic, found: &mut found }.answer(way, group)?;
    }
    let left: Vec<&str> =
        asked.iter().zip(&found.answers).filter(|(_, answer)| answer.is_none()).map(|(one, _)| one.name()).collect();
    if !left.is_empty() {
        let which = if left.len() == asked.len() { String::new() } else { format!("for `{}` ", left.join("`, `")) };
        let reason = format!("{which}there are more than {PATIENCE} symbolic markings");
        options.notes.hear(&Note::Unfolded(reason));
    }
    Ok(Some(found))
}

/// A question, with what it tells apart.
struct Part<'q> {
    index: usize,
    question: &'q Question,
    /// What it asks of markings.
    about: Vec<property::Question<ColouredNets>>,
    partition: Partition,
}

impl<'q> Part<'q> {
    /// Nothing if it is about the unfolded net.
    fn new(options: &Options, net: &ColouredNet, index: usize, question: &'q Question) -> Option<Part<'q>> {
        let about = about(question)?;
        let all: Vec<&property::Question<ColouredNets>> = about.iter().collect();
        let partition = Partition::find(net, source(options), Initial::Ignored, &all);
        Some(Part { index, question, about, partition })
    }

    fn is_about_markings(&self) -> bool {
        matches!(&self.question.asking, Asking::Coloured(asking) if sets::is_about_markings(asking))
    }

    /// Whether it is answered by a search for a run.
    fn is_about_runs(&self) -> bool {
        self.question.asking.is_about_runs()
    }

    /// What it told apart, in words.
    fn split(&self, net: &ColouredNet) -> String {
        let classes = net.classes.iter().zip(&self.partition.classes);
        let named = classes.flat_map(|(class, found)| {
            let by_question = found.reasons.iter().filter(|reason| is_in_question(reason));
            by_question.map(|reason| format!("`{}`: {}", class.name, reason.what))
        });
        let named: Vec<String> = named.collect();
        if named.is_empty() { String::new() } else { format!(" (the question splits {})", named.join(", ")) }
    }

    /// Whether a marking shows this verdict: then there is a trace.
    fn is_shown(&self, verdict: &Verdict) -> bool {
        match (&self.question.asking, verdict) {
            (Asking::Coloured(asking), Verdict::Holds) => matches!(**asking, property::Question::Reachable(_)),
            (_, Verdict::Fails) => true,
            _ => false,
        }
    }
}

/// What a question asks of markings; nothing if it is about the unfolded net.
fn about(question: &Question) -> Option<Vec<property::Question<ColouredNets>>> {
    match &question.asking {
        Asking::Coloured(asking) => Some(vec![(**asking).clone()]).filter(|about| !about.iter().any(asks_for_steps)),
        Asking::ColouredForbidden(forbidden) => {
            Some(forbidden.about_states()).filter(|about| !about.iter().any(asks_for_steps))
        }
        Asking::Question(_) | Asking::Forbidden(_) => None,
    }
}

/// Whether a question asks which step led to a marking.
fn asks_for_steps(question: &property::Question<ColouredNets>) -> bool {
    let (property::Question::Reachable(formula)
    | property::Question::Invariant(formula)
    | property::Question::Never(formula)
    | property::Question::Ctl(formula)
    | property::Question::Ltl(formula)
    | property::Question::CtlStar(formula)) = question
    else {
        return false;
    };
    let mut asks = false;
    // Only to look at all atoms: nothing comes of the map.
    let _ = formula.map(&mut |atom: &Atom| {
        asks |= matches!(atom, Atom::Fired(_));
        Some(property::Formula::<Atom>::Constant(true))
    });
    asks
}

/// Whether two partitions tell the same colours apart, for whatever reason.
fn are_same(one: &Partition, other: &Partition) -> bool {
    let same =
        |(a, b): (&partition::Subclasses, &partition::Subclasses)| a.symmetry == b.symmetry && a.cells == b.cells;
    one.classes.iter().zip(&other.classes).all(same)
}

/// Whether it is the question that told colours apart.
fn is_in_question(reason: &partition::Reason) -> bool {
    reason.place == "in the question"
}

/// Whether a small net is better unfolded: if what is said of all its runs tells colours apart. Symbolic markings tell them
/// apart from the beginning, the product of the unfolded net only where the automaton of the formula does.
fn is_better_unfolded(options: &Options, net: &ColouredNet, asked: &[Question]) -> bool {
    /// Tokens and bindings.
    const MOST: u64 = 20_000;
    let is_split = |question: &Question| {
        question.asking.is_about_all_runs()
            && Part::new(options, net, 0, question).is_some_and(|part| !part.split(net).is_empty())
    };
    size(net).is_some_and(|size| size <= MOST) && asked.iter().all(is_split)
}

/// Questions that tell the same colours apart.
struct Group<'g, 'n> {
    session: &'g Session<'g>,
    symbolic: &'g SymbolicNet<'n>,
    found: &'g mut Answered,
}

impl Group<'_, '_> {
    /// Answers them in one way, or in one after the other.
    fn answer(&mut self, way: Way, group: Vec<Part<'_>>) -> Result<(), Error> {
        if way == Way::Sets {
            return match self.in_sets(&group, None)? {
                None => Ok(()),
                Some(reason) => refused(self.session.options, way, &reason).map(|_: Option<()>| ()),
            };
        }
        let (runs, mut left): (Vec<Part<'_>>, Vec<Part<'_>>) = group.into_iter().partition(Part::is_about_runs);
        let most = (way == Way::Auto).then_some(PATIENCE);
        for part in &runs {
            self.search(part, most)?;
        }
        if way != Way::Auto {
            return self.list(&left, None);
        }
        for (few, shapes) in [(FEW, FEW_SHAPES), (PATIENCE, MANY_SHAPES)] {
            self.list(&left, Some(few))?;
            left.retain(|part| self.is_open(part));
            let is_unknown = |part: &&Part<'_>| part.is_about_markings() && self.found.answers[part.index].is_none();
            let asked: Vec<&Part<'_>> = left.iter().filter(is_unknown).collect();
            if !asked.is_empty() {
                // Whatever the reason, a longer list may do.
                let _ = self.in_sets_of(&asked, Some(shapes))?;
            }
            left.retain(|part| self.is_open(part));
        }
        Ok(())
    }

    /// Whether a question has no answer yet, or one that lacks its trace.
    fn is_open(&self, part: &Part<'_>) -> bool {
        let is_wanted = self.session.traces() == Traces::Wanted;
        match &self.found.answers[part.index] {
            None => true,
            Some(answer) => is_wanted && answer.trace.as_ref().is_some_and(Result::is_err) && is_by_sets(answer),
        }
    }

    fn keep(&mut self, part: &Part<'_>, answer: Answer) {
        self.found.answers[part.index] = Some(answer);
    }

    /// Notes how a search ended that did not come to its end.
    fn ended(&mut self, ended: &explicit::Ended<ColouredNets>) -> Result<(), Error> {
        if let explicit::Ended::Error { error, .. } = ended {
            return Err(Error::new(ErrorKind::Model, format!("the model has an error: {error}")));
        }
        if let (Some(reason), Ended::Done) = (reason_of(self.session, ended), self.found.ended) {
            self.found.ended = Ended::Stopped(reason);
        }
        Ok(())
    }

    /// Searches for a run that shows that something is wrong, through so many symbolic markings at most.
    fn search(&mut self, part: &Part<'_>, most: Option<u64>) -> Result<(), Error> {
        let start = Instant::now();
        let (runs, progress, symbolic) = (self.session.finite_runs(), self.session.progress(), self.symbolic);
        let limits = self.session.limits(most);
        let checked = match &part.question.asking {
            Asking::Coloured(asking) => match &**asking {
                property::Question::Ltl(formula) => explicit::ltl::check(symbolic, formula, runs, &limits, progress),
                property::Question::CtlStar(formula) => {
                    explicit::ctl_star::check(symbolic, formula, runs, &limits, progress)
                }
                _ => return Ok(()),
            },
            Asking::ColouredForbidden(forbidden) => {
                explicit::ltl::check_forbidden(symbolic, forbidden, runs, &limits, progress)
            }
            Asking::Question(_) | Asking::Forbidden(_) => return Ok(()),
        };
        if checked.ended == explicit::Ended::States && most.is_some() && checked.answer.verdict.is_unknown() {
            return Ok(());
        }
        self.ended(&checked.ended)?;
        let trace = checked.answer.trace.filter(|_| self.session.traces() == Traces::Wanted);
        let answer = Answer {
            trace: trace.map(|trace| lifted(symbolic, trace)),
            answered_on: Some(format!("on {}{}", in_words(checked.states), part.split(symbolic.net()))),
            product_states: checked.answer.product_states,
            time: start.elapsed(),
            ..Answer::new(part.question.clone(), checked.answer.verdict)
        };
        self.keep(part, answer);
        Ok(())
    }

    /// Answers questions on a list of symbolic markings, if it is not longer than that.
    fn list(&mut self, group: &[Part<'_>], most: Option<u64>) -> Result<(), Error> {
        if group.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        let (runs, progress, symbolic) = (self.session.finite_runs(), self.session.progress(), self.symbolic);
        let limits = self.session.limits(most);
        let asked: Vec<property::Question<ColouredNets>> = group.iter().flat_map(|part| part.about.clone()).collect();
        let outcome = match self.session.traces() {
            Traces::Wanted => explicit::show(symbolic, &asked, runs, &limits, progress),
            Traces::Unwanted => explicit::answer_on_runs(symbolic, &asked, runs, &limits, progress),
        };
        let is_too_long = outcome.ended == explicit::Ended::States && most.is_some();
        if !is_too_long {
            self.ended(&outcome.ended)?;
        }
        let states = outcome.states;
        for (part, checked) in group.iter().zip(outcome.answers) {
            let is_known = self.found.answers[part.index].is_some();
            if checked.verdict.is_unknown() && (is_too_long || is_known) {
                continue;
            }
            let trace = checked.trace.filter(|_| self.session.traces() == Traces::Wanted);
            let answer = Answer {
                trace: trace.map(|trace| lifted(symbolic, trace)),
                answered_on: Some(format!("on {}{}", in_words(states), part.split(symbolic.net()))),
                time: start.elapsed(),
                ..Answer::new(part.question.clone(), checked.verdict)
            };
            self.keep(part, answer);
        }
        Ok(())
    }

    fn in_sets(&mut self, group: &[Part<'_>], most: Option<u64>) -> Result<Option<String>, Error> {
        self.in_sets_of(&group.iter().collect::<Vec<_>>(), most)
    }

    /// Answers questions about single markings in sets, of so many shapes at most. Why that cannot be done, if it cannot.
    fn in_sets_of(&mut self, group: &[&Part<'_>], most: Option<u64>) -> Result<Option<String>, Error> {
        let start = Instant::now();
        let asked: Vec<&property::Question<ColouredNets>> = group.iter().flat_map(|part| part.about.iter()).collect();
        let (said, markings) = match mandala_check::sets::answer(self.symbolic, &asked, &self.session.limits(most)) {
            Ok(found) => found,
            Err(sets::Stopped::Limit(mandala_diagram::Error::Work { .. }, _)) => {
                return Ok(Some("there are too many shapes of symbolic markings".to_owned()));
            }
            Err(sets::Stopped::Limit(error, _)) => {
                let reason = self.session.reason(&error)?;
                self.found.ended = Ended::Stopped(reason);
                for part in group {
                    let verdict = Verdict::Unknown(format!("{reason} before all symbolic markings were known"));
                    self.keep(part, Answer::new(part.question.clone(), verdict));
                }
                return Ok(None);
            }
            Err(sets::Stopped::Refused(refusal)) => return Ok(Some(refusal.to_string())),
            Err(sets::Stopped::Model(error)) => {
                return Err(Error::new(ErrorKind::Model, format!("the model has an error: {error}")));
            }
        };
        for (part, verdict) in group.iter().zip(said) {
            let Some(verdict) = verdict else { continue };
            let is_wanted = self.session.traces() == Traces::Wanted && part.is_shown(&verdict);
            let answer = Answer {
                trace: is_wanted.then(|| Err(NO_TRACE.to_owned())),
                answered_on: Some(format!(
                    "on {markings} symbolic markings in sets{}",
                    part.split(self.symbolic.net())
                )),
                time: start.elapsed(),
                ..Answer::new(part.question.clone(), verdict)
            };
            self.keep(part, answer);
        }
        Ok(None)
    }
}

/// Why there is no trace of what was found in sets.
const NO_TRACE: &str = "no trace: sets of symbolic markings do not say how they are reached; `--symbolic list` does";

fn is_by_sets(answer: &Answer) -> bool {
    matches!(&answer.trace, Some(Err(reason)) if reason == NO_TRACE)
}

fn in_words(states: u64) -> String {
    match states {
        1 => "1 symbolic marking".to_owned(),
        states => format!("{states} symbolic markings"),
    }
}
