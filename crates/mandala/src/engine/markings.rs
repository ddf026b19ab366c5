//! Coloured nets up to exchanging colours, by symbolic markings and without unfolding them.

use super::counting;
use super::session::Session;
use crate::answer::{Answer, Answers, Ended, Verdict};
use crate::error::{Error, ErrorKind};
use crate::options::{Note, Options, Partition, Symbolic, Symmetries, Symmetry, SymmetryOfFormula};
use crate::question::{Asking, Question};
use crate::reason::Reason;
use crate::subclasses::{ClassOfColours, SymbolicMarkings};
use crate::trace::{Change, Step, Trace, Value};
use mandala_analysis::coloured::partition::{self, Initial, Source};
use mandala_check::answer::{Answer as Checked, Traces};
use mandala_check::limits::Limits;
use mandala_check::run::{Found, NoTrace};
use mandala_check::{explicit, markings};
use mandala_diagram::Count;
use mandala_model::coloured::ColouredNet;
use mandala_model::coloured::property::{ColouredNets, Event};
use mandala_model::coloured::semantics::{Marking, Semantics};
use mandala_model::property;
use mandala_symbolic::marking::{SymbolicNet, sets};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Symbolic markings that are found one by one at most, if nothing is said.
const PATIENCE: u64 = 2_000_000;

/// So many are listed before another engine is tried.
const FEW: u64 = 5_000;

/// Shapes of symbolic markings that are found before another engine is tried, and at most.
const FEW_SHAPES: u64 = 2_000;
const MANY_SHAPES: u64 = 200_000;

/// How long counting colours is tried before all is listed: a part of the time, if there is a limit.
const TIME_TO_COUNT: Duration = Duration::from_secs(10);
const PART_TO_COUNT: u32 = 5;

/// Times that a cycle of the quotient is gone around until it is one of the net.
const MOST_TURNS: usize = 1000;

/// Which engine takes a coloured net; nothing if it is unfolded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The best one, and others after it.
    Auto,
    /// One symbolic marking after the other.
    List,
    /// Those that differ only in sizes together, in diagrams.
    Sets,
    /// By counting colours in local states.
    Counting,
    /// As tensors in diagrams.
    Tensors,
}

/// Which way some options want for a net; `None` if it is to be unfolded.
pub(crate) fn way(options: &Options, net: &ColouredNet) -> Result<Option<Way>, Error> {
    match options.symbolic {
        Symbolic::Off => Ok(None),
        Symbolic::Auto => {
            let wanted = options.symmetry == Symmetry::Auto
                && options.symmetries == Symmetries::Found
                && options.symmetry_of_formula == SymmetryOfFormula::Auto;
            // Of rings alone, diagrams of the unfolded net make more.
            let found = || partition::Partition::find(net, source(options), Initial::Ignored, &[]);
            Ok((wanted && found().has_exchanges()).then_some(Way::Auto))
        }
        Symbolic::List => Ok(Some(Way::List)),
        Symbolic::Sets => Ok(Some(Way::Sets)),
        Symbolic::Counting => Ok(Some(Way::Counting)),
        Symbolic::Tensors => Ok(Some(Way::Tensors)),
    }
}

/// Which static subclasses some options want.
pub(crate) fn source(options: &Options) -> Source {
    match options.partition {
        Partition::Found => Source::Found,
        Partition::Declared => Source::Declared,
    }
}

/// What was found when symbolic markings were looked for.
pub(crate) struct Explored {
    /// Ordinary markings, if they were counted.
    pub states: Option<Count>,
    /// The symbolic ones.
    pub symbolic: SymbolicMarkings,
    /// Why these are not all.
    pub stopped: Option<Reason>,
    /// How long it took.
    pub time: Duration,
}

/// Finds all symbolic markings. Nothing if another way is to be taken.
pub(crate) fn states(options: &Options, net: &ColouredNet, way: Way) -> Result<Option<Explored>, Error> {
    let session = Session::begin(options)?;
    match way {
        Way::Counting => {
            return match counting::counted(&session, net)? {
                Ok(explored) => Ok(Some(explored)),
                Err(refusal) => refused(options, way, &refusal.to_string()),
            };
        }
        Way::Tensors => {
            return match counting::as_tensors(&session, net)? {
                Ok(explored) => Ok(Some(explored)),
                Err(refusal) => refused(options, way, &refusal.to_string()),
            };
        }
        Way::Auto | Way::List | Way::Sets => {}
    }
    let symbolic = match SymbolicNet::new(net, source(options), Initial::Matters, &[]) {
        Ok(symbolic) => symbolic,
        Err(refusal) => return refused(options, way, &refusal.to_string()),
    };
    match way {
        Way::Auto => automatically(&session, &symbolic),
        Way::Sets => match in_sets(&session, &symbolic, None)? {
            Ok(explored) => Ok(Some(explored)),
            Err(reason) => refused(options, way, &reason),
        },
        Way::List | Way::Counting | Way::Tensors => listed(&session, &symbolic, None),
    }
}

/// Lists a few symbolic markings; if there are more, finds them in sets, by counting, or as a long list, whichever comes to an
/// end. Nothing if none does.
fn automatically(session: &Session<'_>, symbolic: &SymbolicNet<'_>) -> Result<Option<Explored>, Error> {
    let (options, net) = (session.options, symbolic.net());
    if let Some(explored) = listed(session, symbolic, Some(FEW))? {
        return Ok(Some(explored));
    }
    if let Ok(explored) = in_sets(session, symbolic, Some(FEW_SHAPES))? {
        return Ok(Some(explored));
    }
    let time = options.timeout.map_or(TIME_TO_COUNT, |time| time / PART_TO_COUNT);
    let briefly = Options { timeout: Some(time), ..options.clone() };
    if let Ok(mut explored) = counting::counted(&Session::begin(&briefly)?, net)?
        && explored.stopped.is_none()
    {
        explored.time = session.elapsed();
        return Ok(Some(explored));
    }
    if let Some(explored) = listed(session, symbolic, Some(PATIENCE))? {
        return Ok(Some(explored));
    }
    if let Ok(explored) = in_sets(session, symbolic, Some(MANY_SHAPES))? {
        return Ok(Some(explored));
    }
    if let Ok(explored) = counting::counted(session, net)? {
        return Ok(Some(explored));
    }
    refused(options, Way::Auto, &format!("there are more than {PATIENCE} symbolic markings"))
}

/// Finds all symbolic markings one by one; nothing if there are more than so many.
fn listed(session: &Session<'_>, symbolic: &SymbolicNet<'_>, most: Option<u64>) -> Result<Option<Explored>, Error> {
    let counted = markings::count(symbolic, &session.limits(most), session.progress());
    if let explicit::Ended::Error { error, .. } = &counted.ended {
        return Err(Error::new(ErrorKind::Model, format!("the model has an error: {error}")));
    }
    if counted.ended == explicit::Ended::States && most.is_some() {
        return Ok(None);
    }
    Ok(Some(Explored {
        states: counted.ordinary,
        symbolic: SymbolicMarkings {
            engine: "list",
            markings: Count::from(counted.markings),
            is_unique: true,
            firings: Some(Count::from(counted.firings)),
            deadlocks: Some(Count::from(counted.deadlocks)),
            bytes: counted.bytes,
            classes: classes(symbolic.net(), symbolic.partition()),
            how: Vec::new(),
        },
        stopped: reason_of(session, &counted.ended),
        time: session.elapsed(),
    }))
}

/// Finds all symbolic markings in sets, of so many shapes at most. A net for which that cannot be done is a reason, not an
/// error.
fn in_sets(
    session: &Session<'_>, symbolic: &SymbolicNet<'_>, most: Option<u64>,
) -> Result<Result<Explored, String>, Error> {
    let mut explored = counting::nothing_yet("sets", Vec::new());
    explored.symbolic.classes = classes(symbolic.net(), symbolic.partition());
    match mandala_check::sets::explore(symbolic, &session.limits(most)) {
        Ok((found, bytes)) => {
            explored.states = found.ordinary;
            explored.symbolic.markings = found.markings;
            explored.symbolic.firings = Some(found.firings);
            explored.symbolic.deadlocks = Some(found.deadlocks);
            explored.symbolic.bytes = bytes as u64;
            let how = format!("{} shapes, with sizes in {} nodes", found.shapes, found.nodes);
            explored.symbolic.how.push(how);
        }
        Err(sets::Stopped::Limit(mandala_diagram::Error::Work { .. }, _)) => {
            return Ok(Err("there are too many shapes".to_owned()));
        }
        Err(sets::Stopped::Limit(error, markings)) => {
            explored.symbolic.markings = markings;
            explored.stopped = Some(session.reason(&error)?);
        }
        Err(sets::Stopped::Refused(refusal)) => return Ok(Err(refusal.to_string())),
        Err(sets::Stopped::Model(error)) => {
            return Err(Error::new(ErrorKind::Model, format!("the model has an error: {error}")));
        }
    }
    explored.time = session.elapsed();
    Ok(Ok(explored))
}

fn refused<T>(options: &Options, way: Way, reason: &str) -> Result<Option<T>, Error> {
    match way {
        Way::Auto => {
            options.notes.hear(&Note::Unfolded(reason.to_owned()));
            Ok(None)
        }
        Way::List | Way::Sets | Way::Counting | Way::Tensors => {
            let help = "`--symbolic off` unfolds the net instead";
            Err(Error::with_help(ErrorKind::Other, reason.to_owned(), help))
        }
    }
}

fn reason_of(session: &Session<'_>, ended: &explicit::Ended<ColouredNets>) -> Option<Reason> {
    use explicit::Ended;
    session.reason_of(&match ended {
        Ended::Complete | Ended::Answered | Ended::Error { .. } => return None,
        Ended::States => Ended::States,
        Ended::Memory => Ended::Memory,
        Ended::Deadline => Ended::Deadline,
        Ended::Cancelled => Ended::Cancelled,
    })
}

/// The classes of a net with their static subclasses, in words.
pub(crate) fn classes(net: &ColouredNet, partition: &partition::Partition) -> Vec<ClassOfColours> {
    net.classes.iter().zip(&partition.classes).map(|(class, found)| ClassOfColours::new(class, found)).collect()
}

/// The static subclasses of a net where its ordinary markings are counted.
pub(crate) fn subclasses(net: &ColouredNet) -> Vec<ClassOfColours> {
    classes(net, &partition::Partition::find(net, Source::Found, Initial::Matters, &[]))
}

/// Answers questions on symbolic markings. Nothing if another way is to be taken.
pub(crate) fn answer(
    options: &Options, net: &ColouredNet, way: Way, asked: &[Question],
) -> Result<Option<Answers>, Error> {
    if let Way::Sets | Way::Counting | Way::Tensors = way {
        let reason = "this engine finds how many symbolic markings there are, and answers no questions about them";
        let help = "`--symbolic list` answers questions";
        return Err(Error::with_help(ErrorKind::Other, reason, help));
    }
    if options.symmetry_of_formula != SymmetryOfFormula::Auto {
        let reason = "the symmetries of a formula are used on the unfolded net, not on symbolic markings";
        let help = "leave out one of `--symbolic` and `--symmetry-of-formula`";
        return Err(Error::with_help(ErrorKind::Other, reason, help));
    }
    if way == Way::Auto && is_better_unfolded(options, net, asked) {
        return Ok(None);
    }
    let session = Session::begin(options)?;
    let limits = session.limits((way == Way::Auto).then_some(PATIENCE));
    let mut answers = Answers {
        answers: Vec::with_capacity(asked.len()),
        states: None,
        ended: Ended::Done,
        error_state: None,
        statistics: None,
        by_diagrams: false,
        time: Duration::ZERO,
    };
    for question in asked {
        let Asking::Coloured(asking) = &question.asking else {
            let reason = format!("`{}` asks about the unfolded net", question.name());
            return refused(options, way, &reason);
        };
        let symbolic = match SymbolicNet::new(net, source(options), Initial::Ignored, &[asking]) {
            Ok(symbolic) => symbolic,
            Err(refusal) => return refused(options, way, &refusal.to_string()),
        };
        let one = One { session: &session, symbolic: &symbolic, limits: &limits };
        let (answer, ended, states) = one.ask(question, asking)?;
        if ended == explicit::Ended::States && way == Way::Auto && answer.verdict.is_unknown() {
            return refused(options, way, &format!("there are more than {PATIENCE} symbolic markings"));
        }
        if let (Some(reason), Ended::Done) = (reason_of(&session, &ended), answers.ended) {
            answers.ended = Ended::Stopped(reason);
        }
        answers.states = Some(Count::from(states));
        answers.answers.push(answer);
    }
    answers.time = session.elapsed();
    Ok(Some(answers))
}

/// Whether a small net is better unfolded: if what is said of all its runs tells colours apart. Symbolic markings tell them
/// apart from the beginning, the product of the unfolded net only where the automaton of the formula does.
fn is_better_unfolded(options: &Options, net: &ColouredNet, asked: &[Question]) -> bool {
    /// Tokens and bindings.
    const MOST: u64 = 20_000;
    let is_split = |question: &Question| match &question.asking {
        Asking::Coloured(asking) if question.asking.is_about_all_runs() => {
            let found = partition::Partition::find(net, source(options), Initial::Ignored, &[asking]);
            found.classes.iter().any(|class| class.reasons.iter().any(is_in_question))
        }
        _ => false,
    };
    size(net).is_some_and(|size| size <= MOST) && asked.iter().all(is_split)
}

/// How many tokens and bindings there are to unfold, before any is left out; nothing if there are bags.
fn size(net: &ColouredNet) -> Option<u64> {
    let places = net.places.iter().map(|place| net.size(&place.domain));
    let transitions = net
        .transitions
        .iter()
        .map(|transition| net.size(&transition.variables.iter().map(|variable| variable.sort).collect::<Vec<_>>()));
    places.chain(transitions).try_fold(0u64, |sum, size| sum.checked_add(size?))
}

/// All markings of a net that is large when it is unfolded, if colours can be counted and that is quick.
pub(crate) fn counted_briefly(options: &Options, net: &ColouredNet) -> Result<Option<Explored>, Error> {
    /// Fewer tokens and bindings are quickly unfolded.
    const LARGE: u64 = 100_000;
    /// Of the time, if there is a limit.
    const PART: u32 = 10;
    let is_wanted = options.symbolic == Symbolic::Auto && options.symmetry == Symmetry::Off;
    if !is_wanted || size(net).is_none_or(|size| size < LARGE) {
        return Ok(None);
    }
    let time = options.timeout.map_or(Duration::from_secs(5), |time| time / PART);
    let briefly = Options { timeout: Some(time), ..options.clone() };
    let found = counting::counted(&Session::begin(&briefly)?, net)?;
    Ok(found.ok().filter(|found| found.stopped.is_none() && found.states.is_some()))
}

/// Whether it is the question that told colours apart.
fn is_in_question(reason: &partition::Reason) -> bool {
    reason.place == "in the question"
}

fn in_words(states: u64) -> String {
    match states {
        1 => "1 symbolic marking".to_owned(),
        states => format!("{states} symbolic markings"),
    }
}

/// One question, with the static subclasses that it needs.
struct One<'o, 'n> {
    session: &'o Session<'o>,
    symbolic: &'o SymbolicNet<'n>,
    limits: &'o Limits,
}

impl One<'_, '_> {
    fn ask(
        &self, question: &Question, asking: &property::Question<ColouredNets>,
    ) -> Result<(Answer, explicit::Ended<ColouredNets>, u64), Error> {
        let start = Instant::now();
        let (runs, progress, symbolic) = (self.session.finite_runs(), self.session.progress(), self.symbolic);
        let (mut checked, ended, states) = match asking {
            property::Question::Ltl(formula) => {
                let checked = explicit::ltl::check(symbolic, formula, runs, self.limits, progress);
                (checked.answer, checked.ended, checked.states)
            }
            property::Question::CtlStar(formula) => {
                let checked = explicit::ctl_star::check(symbolic, formula, runs, self.limits, progress);
                (checked.answer, checked.ended, checked.states)
            }
            asking => {
                let asked = std::slice::from_ref(asking);
                let mut outcome = match self.session.traces() {
                    Traces::Wanted => explicit::show(symbolic, asked, runs, self.limits, progress),
                    Traces::Unwanted => explicit::answer_on_runs(symbolic, asked, runs, self.limits, progress),
                };
                let nothing = || Checked {
                    verdict: Verdict::Unknown(String::new()),
                    trace: None,
                    witness: None,
                    product_states: None,
                };
                (outcome.answers.pop().unwrap_or_else(nothing), outcome.ended, outcome.states)
            }
        };
        if let explicit::Ended::Error { error, .. } = &ended {
            return Err(Error::new(ErrorKind::Model, format!("the model has an error: {error}")));
        }
        let traces = self.session.traces() == Traces::Wanted;
        let trace = checked.trace.take().filter(|_| traces).map(|trace| self.lifted(trace));
        let answered_on = Some(format!("on {}{}", in_words(states), self.split_by_question()));
        let answer = Answer {
            trace,
            answered_on,
            product_states: checked.product_states,
            time: start.elapsed(),
            ..Answer::new(question.clone(), checked.verdict)
        };
        Ok((answer, ended, states))
    }

    /// What the question told apart, in words.
    fn split_by_question(&self) -> String {
        let classes = self.symbolic.net().classes.iter().zip(&self.symbolic.partition().classes);
        let named = classes.flat_map(|(class, found)| {
            let by_question = found.reasons.iter().filter(|reason| is_in_question(reason));
            by_question.map(|reason| format!("`{}`: {}", class.name, reason.what))
        });
        let named: Vec<String> = named.collect();
        if named.is_empty() { String::new() } else { format!(" (the question splits {})", named.join(", ")) }
    }

    /// A trace through symbolic markings with colours, replayed on the net.
    fn lifted(&self, trace: Result<Found<ColouredNets>, NoTrace>) -> Result<Trace, String> {
        let found = trace.map_err(|reason| reason.to_string())?;
        let net = self.symbolic.net();
        let broken = || "no trace, because of an error in mandala itself: it did not replay".to_owned();
        let semantics = Semantics::new(net).map_err(|error| error.to_string())?;
        let mut run = self.symbolic.lift().ok_or_else(broken)?;
        let first = semantics.initial_marking().map_err(|cause| cause.to_string())?;
        let mut markings = vec![first];
        let mut events: Vec<Event> = Vec::new();
        let mut go = |from: usize, markings: &mut Vec<Marking>, events: &mut Vec<Event>| {
            for step in &found.trace.steps[from..] {
                let event = run.step(step.event.transition, &step.state).ok_or_else(broken)?;
                let last = &markings[markings.len() - 1];
                let after = semantics.after_event(last, &event).map_err(|cause| cause.to_string())?;
                markings.push(after.ok_or_else(broken)?);
                events.push(event);
            }
            Ok::<(), String>(())
        };
        go(0, &mut markings, &mut events)?;
        let mut repeats = found.repeats;
        if let Some(begin) = found.repeats.filter(|&begin| begin < found.trace.steps.len()) {
            // A cycle of the quotient may have to be gone around until the colours are back where they were.
            let mut heads = vec![begin];
            loop {
                let here = markings.len() - 1;
                if let Some(&head) = heads.iter().find(|&&head| markings[head] == markings[here]) {
                    repeats = Some(head);
                    break;
                }
                if heads.len() > MOST_TURNS {
                    return Err(format!("no trace: it comes back to its colours after more than {MOST_TURNS} turns"));
                }
                heads.push(here);
                go(begin, &mut markings, &mut events)?;
            }
        }
        Ok(named(&semantics, &markings, &events, found.shortest, repeats))
    }
}

/// A run of a coloured net, with names.
fn named(
    semantics: &Semantics<'_>, markings: &[Marking], events: &[Event], shortest: bool, repeats: Option<usize>,
) -> Trace {
    let net = semantics.net();
    let mut seen = BTreeSet::new();
    for marking in markings {
        for (place, tokens) in marking.places.iter().enumerate() {
            seen.extend(tokens.iter().map(|(token, _)| (place, token)));
        }
    }
    let names: Vec<String> = seen
        .iter()
        .map(|(place, token)| match net.places[*place].domain.as_slice() {
            [] => net.places[*place].name.clone(),
            domain => format!("{}({})", net.places[*place].name, net.show(domain, token)),
        })
        .collect();
    let value = |marking: &Marking, (place, token): &(usize, Vec<mandala_model::coloured::Value>)| {
        let number = i32::try_from(marking.places[*place].count(token)).unwrap_or(i32::MAX);
        Value { number, name: None }
    };
    let steps = markings.windows(2).zip(events).map(|(pair, event)| {
        let changes = seen.iter().zip(&names).enumerate().filter_map(|(index, (token, name))| {
            let (before, after) = (value(&pair[0], token), value(&pair[1], token));
            (before != after).then(|| Change { index, variable: name.clone(), before, after })
        });
        Step { transition: semantics.name(event), changes: changes.collect(), mishap: None, instances: None }
    });
    let steps = steps.collect();
    let initial = seen.iter().zip(&names).map(|(token, name)| (name.clone(), value(&markings[0], token))).collect();
    Trace { initial, steps, shortest, repeats }
}
