//! What the page asks, and the answers: each within limits.

use super::states;
use crate::failure::Failure;
use mandala::{Answer, Cancel, Model, Move, Options, Question, Reach, Searched, Shape, State, Status, Verdict, Walk};
use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Of what can happen in a state, so much is shown.
const MOST_MOVES: usize = 200;
/// Of the states around a state, so many are shown.
const MOST_STATES: usize = 200;
/// Of a net, so many nodes are drawn.
const MOST_NODES: usize = 120;
/// A state with more variables cannot be played on a page.
const MOST_VARIABLES: usize = 100_000;
/// Of symbolic markings, so many are drawn.
const MOST_MARKINGS: usize = 60;
/// A way through symbolic markings has at most so many steps.
const LONGEST_PATH: usize = 1_000;
/// States that are looked at one by one for a formula.
const MOST_SEARCHED: usize = 300_000;
/// Longer formulas are refused.
const LONGEST_FORMULA: usize = 20_000;
/// Steps of a trace that are sent.
const MOST_STEPS: usize = 20_000;
/// Of the time for an answer, the part for a search from where one is.
const SHARE_OF_SEARCH: u32 = 3;

/// What answers the page.
pub struct Explorer {
    model: Model,
    walk: Walk,
    properties: Vec<Question>,
    time: Duration,
    memory: Option<u64>,
    /// What stops the work that goes on, if some does.
    working: Mutex<Cancel>,
}

/// An answer, or why there is none.
type Answered = Result<Value, String>;

impl Explorer {
    /// For a model, with limits for each answer.
    pub fn new(model: Model, time: Duration, memory: Option<u64>) -> Result<Explorer, Failure> {
        let walk = model.walk()?;
        let variables = walk.variables().len();
        if variables > MOST_VARIABLES {
            return Err(Failure::with_help(
                format!("a state has {variables} variables, too many for a page"),
                "a smaller instance of the model shows the same",
            ));
        }
        let properties = model.properties()?;
        Ok(Explorer { model, walk, properties, time, memory, working: Mutex::default() })
    }

    /// The name of the model.
    pub fn name(&self) -> &str {
        self.model.name()
    }

    /// Answers; nothing if there is no such question.
    pub fn answer(&self, verb: &str, asked: &Value) -> Option<Answered> {
        Some(match verb {
            "model" => self.about(),
            "moves" => self.moves(asked),
            "picture" => self.picture(asked),
            "around" => self.around(asked),
            "find" => self.find(asked),
            "check" => self.check(asked),
            "symbolic" => self.symbolic(asked),
            "stop" => {
                self.stop();
                Ok(json!({}))
            }
            _ => return None,
        })
    }

    fn about(&self) -> Answered {
        let shape = match self.model.shape() {
            Shape::ColouredNet => "coloured net",
            Shape::Net => "net",
            Shape::Program => "program",
            Shape::Composite => "composite",
        };
        let initial = self.walk.initial_states().map_err(in_words)?;
        let initial: Vec<&[i32]> = initial.iter().take(MOST_STATES).map(State::values).collect();
        let property = |one: &Question| json!({"name": one.name(), "kind": one.kind().name()});
        let properties: Vec<Value> = self.properties.iter().map(property).collect();
        Ok(json!({
            "name": self.model.name(),
            "shape": shape,
            "variables": states::variables(self.walk.variables()),
            "initial": initial,
            "properties": properties,
            "seconds": self.time.as_secs_f64(),
            "symbolic": matches!(self.model.symbolic_moves(&self.options(), &[]), Ok(Some(_))),
        }))
    }

    /// A symbolic marking of a coloured net, reached by a path of numbers of symbolic firings, and what can happen there; with the
    /// graph of all symbolic markings if they are few, or merely what is next.
    fn symbolic(&self, asked: &Value) -> Answered {
        let wrong = || "a path is a list of numbers".to_owned();
        let path = asked["path"].as_array().ok_or_else(wrong)?;
        if path.len() > LONGEST_PATH {
            return Err(format!("a path has at most {LONGEST_PATH} steps"));
        }
        let path = path.iter().map(|number| number.as_u64().and_then(|number| usize::try_from(number).ok()));
        let path = path.collect::<Option<Vec<usize>>>().ok_or_else(wrong)?;
        let options = Options { symbolic: mandala::Symbolic::List, ..self.begin() };
        let found = self.model.symbolic_moves(&options, &path).map_err(in_words)?;
        let found = found.ok_or_else(|| "no colours of this model can be exchanged".to_owned())?;
        let moves = found.moves.iter().take(MOST_MOVES).map(|one| {
            json!({
                "transition": one.transition,
                "shown": one.marking.shown,
                "stands_for": format!("{:#}", one.marking.stands_for),
                "gone": one.gone,
                "new": one.new,
            })
        });
        let graph = self.model.symbolic_graph(&options, MOST_MARKINGS).map_err(in_words)?;
        let graph = graph.filter(|graph| graph.is_complete);
        Ok(json!({
            "shown": found.marking.shown,
            "stands_for": format!("{:#}", found.marking.stands_for),
            "moves": moves.collect::<Vec<Value>>(),
            "all": found.moves.len(),
            "markings": graph.as_ref().map(|graph| graph.markings.len()),
            "svg": graph.map(|graph| graph.picture(self.model.name()).svg()),
        }))
    }

    fn state(&self, asked: &Value) -> Result<State, String> {
        states::state(&self.walk, &asked["state"])
    }

    /// The first moves whose names have something in them, and how many there are in all.
    fn wanted_moves(&self, state: &State, wanted: &str) -> Result<(Vec<Move>, usize), mandala::Error> {
        if wanted.is_empty() {
            return self.walk.first_moves(state, MOST_MOVES);
        }
        let moves = self.walk.moves(state)?;
        let all = moves.len();
        let moves = moves.into_iter().filter(|one| one.step.transition.to_lowercase().contains(wanted));
        Ok((moves.take(MOST_MOVES).collect(), all))
    }

    fn moves(&self, asked: &Value) -> Answered {
        let state = self.state(asked)?;
        let wanted = asked["wanted"].as_str().unwrap_or_default().trim().to_lowercase();
        let (moves, all) = self.wanted_moves(&state, &wanted).map_err(in_words)?;
        let moves: Vec<Value> = moves.iter().map(|one| states::step(&one.step)).collect();
        let status = self.properties.iter().map(|property| match self.walk.status(property, &state) {
            Ok(Status::Holds(holds)) => json!(holds),
            Ok(Status::Value(value)) => json!(value),
            Ok(Status::TakesMore) | Err(_) => Value::Null,
        });
        Ok(json!({"moves": moves, "all": all, "status": status.collect::<Vec<Value>>()}))
    }

    fn picture(&self, asked: &Value) -> Answered {
        let state = self.state(asked)?;
        let most = asked["most"].as_u64().and_then(|most| usize::try_from(most).ok()).unwrap_or(MOST_NODES);
        let near = asked["near"].as_array().map_or(&[][..], Vec::as_slice).iter().take(MOST_NODES);
        let near: Vec<usize> = near.filter_map(|index| usize::try_from(index.as_u64()?).ok()).collect();
        let around = self.walk.picture(&state, &near, most.min(4 * MOST_NODES)).map_err(in_words)?;
        Ok(around.map_or(
            Value::Null,
            |around| json!({"svg": around.picture.svg(), "shown": around.picture.nodes(), "all": around.all}),
        ))
    }

    fn around(&self, asked: &Value) -> Answered {
        let state = self.state(asked)?;
        let number = |name: &str, usual: usize, most: usize| {
            asked[name].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(usual).min(most)
        };
        let reach = Reach {
            steps: number("steps", 2, 1_000),
            states: number("most", 60, MOST_STATES),
            merge: asked["merge"].as_bool().unwrap_or(false),
            ..Reach::default()
        };
        let graph = self.walk.graph(std::slice::from_ref(&state), reach).map_err(in_words)?;
        let nodes = graph.states.iter().map(|node| {
            json!({
                "state": node.state.values(),
                "distance": node.distance,
                "complete": node.is_complete,
                "dead": node.is_dead,
            })
        });
        let edges = graph.edges.iter().map(|edge| json!([edge.from, edge.to, edge.transition]));
        Ok(json!({
            "states": nodes.collect::<Vec<Value>>(),
            "edges": edges.collect::<Vec<Value>>(),
            "complete": graph.is_complete(),
            "merged": graph.is_merged,
            "svg": graph.picture(self.model.name()).svg(),
        }))
    }

    /// The shortest way to a state that satisfies a formula: from where one is, or else from the start.
    fn find(&self, asked: &Value) -> Answered {
        let state = self.state(asked)?;
        let formula = self.formula(asked)?;
        let mut options = self.begin();
        options.timeout = Some(self.time / SHARE_OF_SEARCH);
        let searched = self.walk.search(&state, formula, MOST_SEARCHED, &options).map_err(in_words)?;
        match searched {
            Searched::Found(trace) => Ok(json!({"trace": states::trace(&trace), "from": "here"})),
            Searched::Nowhere => {
                Ok(json!({"trace": null, "why": "no state that can be reached from here satisfies it"}))
            }
            Searched::GaveUp { .. } if options.cancel.is_cancelled() => Err("stopped".to_owned()),
            Searched::GaveUp { states: looked_at, .. } => {
                options.timeout = Some(self.time - self.time / SHARE_OF_SEARCH);
                let question = self.model.question(&format!("EF({formula})")).map_err(in_words)?;
                let answer = self.ask(question, &options)?;
                Ok(match (answer.trace(), &answer.verdict) {
                    (Some(trace), _) if trace.steps.len() <= MOST_STEPS => {
                        json!({"trace": states::trace(trace), "from": "start"})
                    }
                    (_, Verdict::Fails) => json!({"trace": null, "why": "no state that can be reached satisfies it"}),
                    _ => {
                        let why =
                            format!("not found: {looked_at} states from here were looked at, and {}", answer.verdict);
                        json!({"trace": null, "why": why})
                    }
                })
            }
        }
    }

    fn check(&self, asked: &Value) -> Answered {
        let question = match asked["property"].as_str() {
            Some(name) if name == "deadlock" && !self.properties.iter().any(|one| one.name() == name) => {
                self.model.deadlock()
            }
            Some(name) => Question::find(name, &self.properties).map_err(in_words)?,
            None => self.model.question(self.formula(asked)?).map_err(in_words)?,
        };
        let answer = self.ask(question, &self.begin())?;
        let trace = answer.trace().filter(|trace| trace.steps.len() <= MOST_STEPS);
        let verdict = match &answer.verdict {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Bounds { .. } | Verdict::Unbounded => "bounds",
            Verdict::Unknown(_) => "unknown",
        };
        Ok(json!({
            "verdict": verdict,
            "words": answer.verdict_in_words(),
            "shown": answer.shown(),
            "explanation": answer.explanation(),
            "trace": trace.map_or(Value::Null, states::trace),
            "witness": answer.witness.as_ref().map_or(Value::Null, states::witness),
            "seconds": answer.time.as_secs_f64(),
        }))
    }

    fn ask(&self, question: Question, options: &Options) -> Result<Answer, String> {
        let answers = self.model.ask([question]).options(options).run().map_err(in_words)?;
        answers.answers.into_iter().next().ok_or_else(|| "there is no answer".to_owned())
    }

    fn formula<'v>(&self, asked: &'v Value) -> Result<&'v str, String> {
        match asked["formula"].as_str() {
            Some(formula) if formula.len() > LONGEST_FORMULA => Err("the formula is too long".to_owned()),
            Some(formula) if formula.trim().is_empty() => Err("write a formula first".to_owned()),
            Some(formula) => Ok(formula),
            None => Err("a formula is a text".to_owned()),
        }
    }

    /// Ends the work that goes on, and begins new work within the limits: one at a time is enough for one page.
    fn begin(&self) -> Options {
        let options = self.options();
        let mut working = self.working.lock().unwrap_or_else(PoisonError::into_inner);
        working.cancel();
        *working = options.cancel.clone();
        options
    }

    /// The limits of an answer.
    fn options(&self) -> Options {
        Options { timeout: Some(self.time), memory: self.memory.map(Into::into), ..Options::default() }
    }

    fn stop(&self) {
        self.working.lock().unwrap_or_else(PoisonError::into_inner).cancel();
    }
}

fn in_words(error: mandala::Error) -> String {
    error.to_string()
}
