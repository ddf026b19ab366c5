//! What hosts say of a question, and how it is printed.

use super::task::Unit;
use crate::again::on_one_line;
use crate::output;
use crate::status::Status;
use crate::style::{Style, paint};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// What a host says of a question, or of the states of a model.
pub struct Answer {
    object: Map<String, Value>,
    pub status: Status,
}

impl Answer {
    /// The answer in what a run has printed; why there is none, if there is none.
    pub fn read(printed: &str, said: &str, code: Option<i32>, unit: &Unit) -> Result<Answer, String> {
        let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
        let status = code.map_or(Status::Broken, Status::of_code);
        let Ok(Value::Object(object)) = serde_json::from_str(printed) else {
            let ended = code.map_or("it was killed".to_owned(), |code| format!("exit status {code}"));
            return Err(last.map_or(ended, str::to_owned));
        };
        if let Some(message) = object.get("error").and_then(|error| error["message"].as_str()) {
            return Err(message.to_owned());
        }
        if !status.is_answer() {
            return Err(last.unwrap_or("it ended in the middle of its answer").to_owned());
        }
        let answer = Answer { object, status };
        let is_asked = unit.question.as_ref().is_none_or(|asked| answer.result()["property"] == asked.name);
        if is_asked { Ok(answer) } else { Err("it answers another question: its files are others".to_owned()) }
    }

    /// Whether the run was ended from outside.
    pub fn is_interrupted(&self) -> bool {
        self.object.get("stopped").is_some_and(|stopped| stopped == "interrupt")
    }

    fn result(&self) -> &Value {
        self.object.get("results").map_or(&Value::Null, |results| &results[0])
    }

    /// As one object on a line.
    pub fn json(&self, file: &str, host: &str) -> String {
        line(file, Some(host), self.object.clone())
    }

    /// For people.
    pub fn text(&self, unit: &Unit, host: &str) -> String {
        let number = |value: &Value| value.as_i64().map_or("?".to_owned(), |number| number.to_string());
        let result = self.result();
        let (style, verdict) = match (result["verdict"].as_str(), self.status) {
            (Some("true"), _) if result["bounded"] == false => (Style::Good, "not bounded".to_owned()),
            (Some("true"), _) if result["value"].is_number() => {
                (Style::Good, format!("from {} to {}", number(&result["least"]), number(&result["value"])))
            }
            (Some("true"), _) => (Style::Good, "holds".to_owned()),
            (Some("false"), _) => (Style::Bad, "does not hold".to_owned()),
            (Some(_), _) => {
                (Style::Unsure, format!("unknown: {}", result["reason"].as_str().unwrap_or("it is not said why")))
            }
            (None, status) => self.states(status),
        };
        let seconds = self.object.get("seconds").and_then(Value::as_f64).unwrap_or(0.0);
        let time = output::seconds(Duration::try_from_secs_f64(seconds).unwrap_or_default());
        format!("{}  {}  {time}  {host}\n", title(unit), paint(style, &verdict))
    }

    fn states(&self, status: Status) -> (Style, String) {
        let states = self.object.get("states").and_then(Value::as_str);
        match (states, self.object.get("stopped").and_then(Value::as_str)) {
            _ if self.object.get("bounded") == Some(&Value::Bool(false)) => {
                (Style::Good, "infinitely many states".to_owned())
            }
            (Some(states), None) if status == Status::Good => (Style::Good, format!("{states} states")),
            (Some(states), Some(reason)) => (Style::Unsure, format!("at least {states} states (stopped: {reason})")),
            (_, reason) => (Style::Unsure, format!("states are not known ({})", reason.unwrap_or("too many digits"))),
        }
    }
}

/// What is printed of a question that nobody has answered.
pub fn without_answer(unit: &Unit, reason: &str, is_json: bool) -> String {
    match (&unit.question, is_json) {
        (_, false) => format!("{}  {}\n", title(unit), paint(Style::Unsure, &format!("unknown: {reason}"))),
        (Some(asked), true) => {
            let result = json!({
                "property": asked.name, "kind": asked.kind, "verdict": "unknown", "value": null, "trace": null,
                "seconds": null, "reason": reason,
            });
            let object = json!({
                "model": unit.file, "results": [result], "states": null, "complete": false, "seconds": 0.0, "stopped": null,
            });
            let Value::Object(object) = object else { return String::new() };
            line(&unit.file, None, object)
        }
        (None, true) => {
            let message = format!("{}: {reason}", unit.file);
            on_one_line(&crate::failure::object("input", &message, None, &[])) + "\n"
        }
    }
}

/// An object with where it is from.
fn line(file: &str, host: Option<&str>, object: Map<String, Value>) -> String {
    let mut all = Map::new();
    all.insert("file".to_owned(), json!(file));
    all.insert("host".to_owned(), json!(host));
    all.extend(object);
    format!("{}\n", Value::Object(all))
}

fn title(unit: &Unit) -> String {
    match &unit.question {
        Some(asked) => format!("{}  {}  {}", unit.file, asked.name, asked.kind),
        None => unit.file.clone(),
    }
}
