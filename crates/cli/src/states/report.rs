//! What `mandala states` prints.

use crate::arguments::{States, Symmetry};
use crate::ending::Stopped;
use crate::error_state::error_state;
use crate::output::{self, DIGITS, Facts, decimal};
use crate::session::{Session, reason_in_words, reason_name};
use crate::{statistics, symmetry};
use mandala::{Count, Figures, Reason, Space, Work};
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// What was found.
pub struct Report<'s> {
    space: &'s Space,
    /// How the exploration ended.
    pub ended: Ended,
    /// Whether the states are all of them although something else was cut short.
    pub knows_all_states: bool,
    /// States; those found so far if it was stopped.
    states: Option<Count>,
    /// The contest's figures.
    pub figures: Option<Figures>,
    time: Duration,
    memory: Option<u64>,
}

/// How an exploration ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// All states are known.
    Complete,
    /// Before all states were known.
    Stopped(Reason),
    /// There are infinitely many.
    Unbounded,
}

impl<'s> Report<'s> {
    /// A report about a state space, without figures.
    pub fn new(space: &'s Space) -> Report<'s> {
        Report {
            space,
            ended: match (space.stopped(), space.growth()) {
                (Some(reason), _) => Ended::Stopped(reason),
                (None, Some(_)) => Ended::Unbounded,
                (None, None) => Ended::Complete,
            },
            knows_all_states: false,
            states: space.count().found().cloned(),
            figures: None,
            time: space.time(),
            memory: mandala::peak_memory(),
        }
    }

    /// With the time and memory used so far.
    pub fn timed(self, session: &Session) -> Report<'s> {
        Report { time: session.elapsed(), memory: mandala::peak_memory(), ..self }
    }

    fn peak_memory(&self) -> Option<u64> {
        self.memory.or_else(|| self.space.statistics().map(|statistics| statistics.peak_bytes as u64))
    }

    /// For people.
    pub fn text(&self, arguments: &States) -> String {
        let mut facts = Facts::default();
        facts.add("model", self.space.model().name());
        facts.add("states", self.states_in_words(arguments));
        if let Some(quotient) = self.space.quotient() {
            facts.add("orbits", quotient.orbits_in_words(|count| number(count, arguments)));
            quotient.words().iter().enumerate().for_each(|(line, words)| {
                facts.add(if line == 0 { "symmetry" } else { "" }, words);
            });
        } else if let Some(symbolic) = self.space.symbolic() {
            let found = if self.ended == Ended::Complete { "" } else { "at least " };
            let firings = symbolic.firings.as_ref().map(|firings| format!(", {firings} firings")).unwrap_or_default();
            let unique = if symbolic.is_unique { "" } else { " (representatives may not be unique)" };
            facts.add(
                "symbolic",
                match self.ended != Ended::Complete && symbolic.markings.to_u64() == Some(0) {
                    true => "unknown".to_owned(),
                    false => format!("{found}{} markings{unique}{firings}", symbolic.markings),
                },
            );
            symbolic.how.iter().enumerate().for_each(|(line, words)| {
                facts.add(if line == 0 { "engine" } else { "" }, words);
            });
            symbolic.classes.iter().enumerate().for_each(|(line, class)| {
                facts.add(if line == 0 { "colours" } else { "" }, class.to_string());
            });
        } else if arguments.engine.symmetry != Symmetry::Off && self.ended == Ended::Complete {
            facts.add("symmetry", "none was found");
        }
        if let Some(state) = self.space.error_state().filter(|state| state.is_reached()) {
            facts.add("error state", state.to_string());
        }
        if let (true, Some(figures)) = (arguments.full, &self.figures) {
            let transitions = figures.transitions.as_ref();
            facts.add("transitions", transitions.map_or("not counted".to_owned(), |count| number(count, arguments)));
            facts.add(
                "tokens",
                format!("{} at most in a place, {} in a marking", figures.most_in_place, figures.most_in_marking),
            );
        }
        if let Some(reduced) = self.space.reduced() {
            facts.add("reduced", reduced.to_string());
        }
        if let Some(siblings) = self.space.siblings() {
            facts.add("siblings", siblings.to_string());
        }
        if let (Some(last), Some(peak)) = (self.space.nodes(), self.space.peak_nodes()) {
            facts.add("nodes", format!("{last} final, {peak} peak"));
        }
        if let Some(layout) = self.space.layout() {
            let levels = output::count(layout.levels, "level");
            facts.add("variables", format!("{} on {levels}, order {}", layout.variables, layout.order));
        }
        if let Some(work) = self.space.work().filter(|_| arguments.shows_work()) {
            facts.add("workers", work.to_string());
            work.passed_over.iter().for_each(|file| facts.add("passed over", file));
        }
        facts.add("time", output::seconds(self.time));
        if let Some(memory) = self.peak_memory() {
            facts.add("memory", output::bytes(memory));
        }
        let mut text = facts.text();
        if let Some(growth) = self.space.growth() {
            text.push('\n');
            text.push_str(&growth.to_string());
        }
        if let (true, Some(statistics)) = (arguments.show.stats, self.space.statistics()) {
            text.push('\n');
            text.push_str(&statistics::text(statistics));
        }
        text
    }

    fn states_in_words(&self, arguments: &States) -> String {
        let states = self.states.as_ref().map(|states| number(states, arguments));
        match (self.ended, states) {
            (Ended::Complete, Some(states)) => states,
            (Ended::Complete, None) => match self.space.quotient() {
                Some(quotient) => quotient.why_not_counted().to_owned(),
                None => match self.space.symbolic() {
                    Some(found) if found.engine == "tensors" => {
                        "not counted: several tensors may stand for one symbolic marking".to_owned()
                    }
                    Some(_) => "not counted: the numbers are too large".to_owned(),
                    None => "unknown".to_owned(),
                },
            },
            (Ended::Stopped(reason), Some(states)) if self.knows_all_states => {
                format!("{states} (then stopped: {})", reason_in_words(reason))
            }
            (Ended::Stopped(reason), Some(states)) => {
                format!("at least {states} (stopped: {})", reason_in_words(reason))
            }
            (Ended::Stopped(reason), None) => format!("unknown (stopped: {})", reason_in_words(reason)),
            (Ended::Unbounded, _) => "infinitely many: the net is not bounded".to_owned(),
        }
    }

    /// For scripts.
    pub fn json(&self, arguments: &States) -> String {
        let mut object = Map::new();
        let mut add = |name: &str, value: Value| object.insert(name.to_owned(), value);
        let complete = self.ended == Ended::Complete || self.knows_all_states;
        let digits = arguments.digits.unwrap_or(DIGITS);
        let found = self.states.as_ref().filter(|_| self.ended != Ended::Unbounded);
        add("model", json!(self.space.model().name()));
        add("states", json!(found.and_then(|states| decimal(states, digits))));
        let logarithm = found.and_then(Count::log10);
        let double = logarithm.and_then(|logarithm| logarithm.to_f64()).filter(|double| double.is_finite());
        add("states_log10", json!(double));
        if let (Some(logarithm), None) = (logarithm, double) {
            add("states_log10_text", json!(logarithm.to_string()));
        }
        add("complete", json!(complete));
        let bounded = match self.ended {
            Ended::Unbounded => Some(false),
            _ => complete.then_some(true),
        };
        add("bounded", json!(bounded));
        if let Some(growth) = self.space.growth() {
            add("run", json!({"prefix": growth.prefix, "cycle": growth.cycle, "grows": growth.grows}));
        }
        if let Ended::Stopped(reason) = self.ended {
            add("stopped", json!(reason_name(reason)));
        }
        add(
            "reductions",
            self.space.reduced().map_or(Value::Null, |reduced| {
                let (places, transitions) = (reduced.places, reduced.transitions);
                json!({
                    "places": places.0, "transitions": transitions.0,
                    "places_left": places.1, "transitions_left": transitions.1,
                })
            }),
        );
        if let Some(siblings) = self.space.siblings() {
            let (first, last) = siblings.counted;
            add("siblings", json!({"first": first, "last": last, "number": siblings.number}));
        }
        add("final_nodes", json!(self.space.nodes()));
        add("peak_nodes", json!(self.space.peak_nodes()));
        add("seconds", json!(self.time.as_secs_f64()));
        add("peak_memory_bytes", json!(self.peak_memory()));
        add("strategy", json!(arguments.engine.strategy.name()));
        add("symmetry", json!(arguments.engine.symmetry.name()));
        if let Some(found) = self.space.symbolic() {
            add("symbolic", symmetry::symbolic(found));
        }
        if arguments.engine.symmetry != Symmetry::Off {
            let quotient = self.space.quotient();
            // Without symmetries every state stands for itself.
            let kept = quotient.map_or_else(|| self.space.representatives(), |one| Some(one.representatives.clone()));
            add(
                "representatives",
                json!(kept.as_ref().filter(|_| complete).and_then(|states| decimal(states, digits))),
            );
            add("canonical", json!(quotient.is_none_or(|quotient| quotient.is_canonical)));
            add("group", quotient.map_or(Value::Null, symmetry::quotient));
        }
        if let Some(state) = self.space.error_state() {
            add("error_state", error_state(state));
        }
        if let Some(work) = self.space.work().filter(|_| arguments.shows_work()) {
            add("workers", workers(work));
        }
        add("order", json!(self.space.layout().map(|layout| &layout.order)));
        if arguments.full {
            let figures = self.figures.as_ref().filter(|_| complete);
            let transitions = figures.and_then(|figures| figures.transitions.as_ref());
            add("transitions", json!(transitions.and_then(|count| decimal(count, digits))));
            add("max_tokens_in_place", json!(figures.map(|figures| figures.most_in_place.to_string())));
            add("max_tokens_per_marking", json!(figures.map(|figures| figures.most_in_marking.to_string())));
        }
        if let (true, Some(statistics)) = (arguments.show.stats, self.space.statistics()) {
            add("statistics", statistics::json(statistics));
        }
        serde_json::to_string_pretty(&Value::Object(object)).unwrap_or_default() + "\n"
    }
}

/// How an exploration by several workers went.
fn workers(work: &Work) -> Value {
    let share = |share: &mandala::Share| {
        json!({
            "states": share.states, "bytes": share.bytes, "letters": share.letters, "sent_bytes": share.sent,
            "waiting_seconds": share.waiting.as_secs_f64(),
        })
    };
    json!({
        "levels": work.levels,
        "state_bits": work.bits,
        "state_bytes": work.bytes_of_state,
        "bytes_per_state": work.bytes_per_state(),
        "states_per_second": work.states_per_second(),
        "letters": work.letters(),
        "sent_bytes": work.sent(),
        "balance": work.balance(),
        "waiting": work.waiting(),
        "restarts": work.restarts,
        "resumed_from_level": work.resumed,
        "passed_over": work.passed_over,
        "shares": work.shares.iter().map(share).collect::<Vec<_>>(),
    })
}

/// What is said where a limit struck before anything was found.
pub struct Nothing {
    model: String,
    json: bool,
    strategy: &'static str,
    symmetry: &'static str,
    start: Instant,
}

impl Nothing {
    /// Nothing is known yet.
    pub fn new(arguments: &States, session: &Session) -> Nothing {
        Nothing {
            model: arguments.model.model.clone(),
            json: arguments.show.json,
            strategy: arguments.engine.strategy.name(),
            symmetry: arguments.engine.symmetry.name(),
            start: session.start(),
        }
    }

    /// The answer with nothing in it.
    pub fn told(&self, stopped: &Stopped) -> String {
        let memory = mandala::peak_memory();
        if !self.json {
            let mut facts = Facts::default();
            facts.add("model", &self.model);
            facts.add("states", format!("unknown (stopped: {})", stopped.in_words()));
            facts.add("time", output::seconds(self.start.elapsed()));
            if let Some(memory) = memory {
                facts.add("memory", output::bytes(memory));
            }
            return facts.text();
        }
        let object = json!({
            "model": self.model,
            "states": null,
            "states_log10": null,
            "complete": false,
            "bounded": null,
            "stopped": reason_name(stopped.reason),
            "phase": stopped.phase,
            "reductions": null,
            "final_nodes": null,
            "peak_nodes": null,
            "seconds": self.start.elapsed().as_secs_f64(),
            "peak_memory_bytes": memory,
            "strategy": self.strategy,
            "symmetry": self.symmetry,
            "order": null,
        });
        serde_json::to_string_pretty(&object).unwrap_or_default() + "\n"
    }
}

/// A number for people: all digits if there are few enough.
fn number(count: &Count, arguments: &States) -> String {
    arguments.digits.and_then(|digits| decimal(count, digits)).unwrap_or_else(|| count.to_string())
}
