//! What `mandala states` prints.

use super::unbounded::Run;
use crate::arguments::{States, Symmetry};
use crate::error_state::Told;
use crate::output::{self, Facts};
use crate::session::{Reason, Session};
use crate::symmetry::Folding;
use crate::{limits, statistics};
use mandala_check::space::Description;
use mandala_diagram::{Count, Statistics};
use mandala_model::system::System;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Numbers with more digits than this are null in JSON if nothing is said.
const DIGITS: usize = 100_000;

/// What was found.
pub struct Report {
    model: String,
    /// How many variables a state has in the diagram.
    pub variables: Count,
    /// How the exploration ended.
    pub ended: Ended,
    /// Whether `states` are all of them although something else was cut short.
    pub knows_all_states: bool,
    /// States; those found so far if it was stopped.
    pub states: Option<Count>,
    /// How the state space was folded, if it was.
    pub folded: Option<Folding>,
    /// What is known of the error state, if the model has one.
    pub error_state: Option<Told>,
    /// The size of the diagram.
    pub final_nodes: Option<usize>,
    /// The most nodes at a time.
    pub peak_nodes: Option<usize>,
    /// How the diagram was laid out.
    pub layout: Option<Description>,
    /// The contest's figures.
    pub figures: Option<Figures>,
    /// What the engine did.
    pub statistics: Option<Statistics>,
    time: Duration,
    memory: Option<u64>,
}

/// How an exploration ended.
pub enum Ended {
    /// All states are known.
    Complete,
    /// Before all states were known.
    Stopped(Reason),
    /// There are infinitely many.
    Unbounded(Run),
}

/// What the contest asks for besides the number of states.
pub struct Figures {
    /// Pairs of a state and what can happen in it; `None` if there is too much that can happen to look at.
    pub transitions: Option<Count>,
    /// The greatest value of a variable.
    pub most_in_place: i64,
    /// The greatest sum of all variables.
    pub most_in_marking: i64,
}

impl Report {
    /// A report in which nothing is known but how it ended.
    pub fn new(system: &System, session: &Session, ended: Ended) -> Report {
        Report {
            model: system.name.clone(),
            variables: Count::zero(),
            ended,
            knows_all_states: false,
            states: None,
            folded: None,
            error_state: None,
            final_nodes: None,
            peak_nodes: None,
            layout: None,
            figures: None,
            statistics: None,
            time: session.elapsed(),
            memory: limits::peak_memory(),
        }
    }

    /// With the time and memory used so far.
    pub fn timed(self, session: &Session) -> Report {
        Report { time: session.elapsed(), memory: limits::peak_memory(), ..self }
    }

    fn peak_memory(&self) -> Option<u64> {
        self.memory.or_else(|| self.statistics.as_ref().map(|statistics| statistics.peak_bytes as u64))
    }

    /// For people.
    pub fn text(&self, arguments: &States) -> String {
        let mut facts = Facts::default();
        facts.add("model", &self.model);
        facts.add("states", self.states_in_words(arguments));
        if let Some(folded) = &self.folded {
            facts.add("orbits", folded.orbits_in_words(|count| number(count, arguments)));
            folded.words().iter().enumerate().for_each(|(line, words)| {
                facts.add(if line == 0 { "symmetry" } else { "" }, words);
            });
        } else if arguments.engine.symmetry != Symmetry::Off && matches!(self.ended, Ended::Complete) {
            facts.add("symmetry", "none was found");
        }
        if let Some(told) = self.error_state.as_ref().filter(|told| told.is_reached()) {
            facts.add("error state", told.words());
        }
        if let (true, Some(figures)) = (arguments.full, &self.figures) {
            let transitions = figures.transitions.as_ref();
            facts.add("transitions", transitions.map_or("not counted".to_owned(), |count| number(count, arguments)));
            facts.add(
                "tokens",
                format!("{} at most in a place, {} in a marking", figures.most_in_place, figures.most_in_marking),
            );
        }
        if let (Some(last), Some(peak)) = (self.final_nodes, self.peak_nodes) {
            facts.add("nodes", format!("{last} final, {peak} peak"));
        }
        if let Some(layout) = &self.layout {
            let levels = output::count(layout.levels, "level");
            facts.add("variables", format!("{} on {levels}, order {}", self.variables, layout.order));
        }
        facts.add("time", output::seconds(self.time));
        if let Some(memory) = self.peak_memory() {
            facts.add("memory", output::bytes(memory));
        }
        let mut text = facts.text();
        if let Ended::Unbounded(run) = &self.ended {
            text.push('\n');
            text.push_str(&run.text());
        }
        if let (true, Some(statistics)) = (arguments.show.stats, &self.statistics) {
            text.push('\n');
            text.push_str(&statistics::text(statistics));
        }
        text
    }

    fn states_in_words(&self, arguments: &States) -> String {
        let states = self.states.as_ref().map(|states| number(states, arguments));
        match (&self.ended, states) {
            (Ended::Complete, Some(states)) => states,
            (Ended::Complete, None) => match &self.folded {
                Some(folded) => folded.why_not_counted().to_owned(),
                None => "unknown".to_owned(),
            },
            (Ended::Stopped(reason), Some(states)) if self.knows_all_states => {
                format!("{states} (then stopped: {reason})")
            }
            (Ended::Stopped(reason), Some(states)) => format!("at least {states} (stopped: {reason})"),
            (Ended::Stopped(reason), None) => format!("unknown (stopped: {reason})"),
            (Ended::Unbounded(_), _) => "infinitely many: the net is not bounded".to_owned(),
        }
    }

    /// For scripts.
    pub fn json(&self, arguments: &States) -> String {
        let mut object = Map::new();
        let mut add = |name: &str, value: Value| object.insert(name.to_owned(), value);
        let complete = matches!(self.ended, Ended::Complete) || self.knows_all_states;
        let digits = arguments.digits.unwrap_or(DIGITS);
        let known = self.folded.as_ref().map_or(self.states.as_ref(), |folded| Some(&folded.representatives));
        let known = known.filter(|_| complete);
        add("model", json!(self.model));
        add("states", json!(known.and_then(|states| decimal(states, digits))));
        let logarithm = known.and_then(Count::log10);
        let double = logarithm.and_then(|logarithm| logarithm.to_f64()).filter(|double| double.is_finite());
        add("states_log10", json!(double));
        if let (Some(logarithm), None) = (logarithm, double) {
            add("states_log10_text", json!(logarithm.to_string()));
        }
        if let (false, Some(states)) = (complete, &self.states) {
            add("states_at_least", json!(decimal(states, digits)));
        }
        match &self.ended {
            Ended::Complete => add("bounded", json!(true)),
            Ended::Unbounded(run) => {
                add("bounded", json!(false));
                add("run", json!({"prefix": run.prefix, "cycle": run.cycle, "grows": run.grows}))
            }
            Ended::Stopped(reason) => {
                add("bounded", json!(complete.then_some(true)));
                add("stopped", json!(reason.name()))
            }
        };
        add("final_nodes", json!(self.final_nodes));
        add("peak_nodes", json!(self.peak_nodes));
        add("seconds", json!(self.time.as_secs_f64()));
        add("peak_memory_bytes", json!(self.peak_memory()));
        add("strategy", json!(arguments.engine.strategy.name()));
        add("symmetry", json!(arguments.engine.symmetry.name()));
        if arguments.engine.symmetry != Symmetry::Off {
            let folded = self.folded.as_ref();
            // Without symmetries every state stands for itself.
            let concrete = folded.map_or(self.states.as_ref(), |folded| folded.concrete.as_ref());
            add("concrete_states", json!(concrete.filter(|_| complete).and_then(|states| decimal(states, digits))));
            add("canonical", json!(folded.is_none_or(|folded| folded.is_canonical)));
            add("group", folded.map_or(Value::Null, Folding::json));
        }
        if let Some(told) = &self.error_state {
            add("error_state", told.json());
        }
        add("order", json!(self.layout.as_ref().map(|layout| &layout.order)));
        if arguments.full {
            let figures = self.figures.as_ref().filter(|_| complete);
            let transitions = figures.and_then(|figures| figures.transitions.as_ref());
            add("transitions", json!(transitions.and_then(|count| decimal(count, digits))));
            add("max_tokens_in_place", json!(figures.map(|figures| figures.most_in_place.to_string())));
            add("max_tokens_per_marking", json!(figures.map(|figures| figures.most_in_marking.to_string())));
        }
        if let (true, Some(statistics)) = (arguments.show.stats, &self.statistics) {
            add("statistics", statistics::json(statistics));
        }
        serde_json::to_string_pretty(&Value::Object(object)).unwrap_or_default() + "\n"
    }
}

/// A number for people: all digits if there are few enough.
fn number(count: &Count, arguments: &States) -> String {
    arguments.digits.and_then(|digits| decimal(count, digits)).unwrap_or_else(|| count.to_string())
}

/// All digits of a number, if it has at most so many.
fn decimal(count: &Count, digits: usize) -> Option<String> {
    // Writing a long number down takes a while: first see whether it can be short enough.
    let length = count.log10().map_or(Some(0.0), |logarithm| logarithm.to_f64())?;
    count.exact().filter(|_| length <= digits as f64)?;
    Some(format!("{count:#}")).filter(|text| text.len() <= digits)
}
