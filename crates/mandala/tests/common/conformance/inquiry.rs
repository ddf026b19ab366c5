//! One model: from its files to the answers.

use std::collections::BTreeMap;
use std::time::Instant;

use mandala::contest::{self, Examination, Value};
use mandala::{Counted, Options, Question, Space};

use super::{Found, Key, Model, Scope, Shape, Unknown, is_dve, text};

/// The examinations whose questions lie in a file beside the net.
const FILES: [&str; 5] =
    ["UpperBounds", "ReachabilityCardinality", "ReachabilityFireability", "CTLCardinality", "CTLFireability"];

/// The examination whose questions lie in a table beside the programs.
const GOALS: &str = "Reachability";

/// The examinations of runs whose questions lie in a file beside the net.
const RUNS: [&str; 2] = ["LTLCardinality", "LTLFireability"];

/// The examination of runs whose questions lie in a table beside the programs. Its answers are those of runs that repeat
/// their last state when they end, whatever the index of the models says: in `phils.1` the only way never to eat again is
/// the deadlock, and `GF` someone eats is expected to be false (so it is with seven others, and no row is the other way).
const LTL: &str = "LTL";

/// The examination whose questions lie in a file with the ending `.ctl`, by number.
const CTL: &str = "CTL";

/// A row of the table that is not believed: both engines find a run of 60 steps to the goal, which can be followed by
/// hand in the file (`mandala check brp2.1.dve --trace -f 'EF (Receiver.first_safe_frame && !((Receiver->triple & 4) ==
/// 4))'`), and the numbers of states and edges are those of the table.
const DOUBTFUL: [(&str, &str, &str); 1] = [("brp2.1", GOALS, "prop1")];

/// Whether something is asked of a model.
pub fn belongs(model: &str, key: &Key, scope: Scope) -> bool {
    let (examination, formula) = (key.0.as_str(), key.1.as_str());
    if DOUBTFUL.contains(&(model, examination, formula)) {
        return false;
    }
    match scope {
        Scope::States => (examination, formula) == ("StateSpace", "STATES"),
        Scope::Runs => RUNS.contains(&examination) || examination == LTL,
        Scope::All => {
            ["Deadlock", GOALS, CTL].contains(&examination)
                || FILES.contains(&examination)
                || whole().any(|whole| whole.name() == examination) && formula != "BFS_LEVELS"
        }
    }
}

/// The examinations that ask one thing of a model as a whole, or figures.
fn whole() -> impl Iterator<Item = Examination> {
    Examination::all().iter().copied().filter(|examination| !examination.has_file())
}

/// A model while it is examined.
pub struct Inquiry<'m> {
    /// What was found so far.
    pub found: BTreeMap<Key, Found>,
    /// The diagram of the states.
    pub shape: Option<Shape>,
    /// The most bytes that diagrams had.
    pub peak_bytes: usize,
    model: &'m Model,
    scope: Scope,
    options: Options,
}

impl<'m> Inquiry<'m> {
    /// An inquiry about a model, by these options.
    pub fn new(model: &'m Model, scope: Scope, options: Options) -> Inquiry<'m> {
        Inquiry { found: BTreeMap::new(), shape: None, peak_bytes: 0, model, scope, options }
    }

    /// Finds what is expected. What is not found when this fails is not known for the reason it gives.
    pub fn run(&mut self) -> Result<(), Unknown> {
        let model = self.model.read()?;
        let space = model.states().options(&self.options).run()?;
        self.describe(&space);
        if let Some(reason) = space.stopped() {
            return Err(reason.into());
        }
        match space.count() {
            Counted::Exactly(states) => self.note(("StateSpace", "STATES"), Ok(format!("{states:#}"))),
            Counted::Infinitely => self.note(("StateSpace", "STATES"), Ok("+inf".to_owned())),
            counted => return Err(Unknown::Other(counted.to_string())),
        }
        if self.scope != Scope::States {
            self.of_space(&model, &space)?;
        }
        Ok(())
    }

    fn describe(&mut self, space: &Space) {
        self.peak_bytes = space.peak_bytes().unwrap_or(0);
        if let (Some(states), Some(layout)) = (space.count().found(), space.layout()) {
            self.shape = Some(Shape {
                states: states.clone(),
                complete: space.is_complete(),
                variables: layout.variables.to_string(),
                order: layout.order.clone(),
                nodes: space.nodes().unwrap_or(0),
                peak_nodes: space.peak_nodes().unwrap_or(0),
            });
        }
    }

    fn expects(&self, key: (&str, &str)) -> Option<&String> {
        let key = (key.0.to_owned(), key.1.to_owned());
        self.model.figures.get(&key).filter(|_| belongs(&self.model.name, &key, self.scope))
    }

    /// Keeps what was found; if it is right, it has to be in time.
    fn note(&mut self, key: (&str, &str), found: Found) {
        let deadline = self.options.started.zip(self.options.timeout).map(|(start, time)| start + time);
        let late = deadline.is_some_and(|deadline| Instant::now() > deadline) && found != Err(Unknown::Memory);
        let wrong = matches!((&found, self.expects(key)), (Ok(found), Some(expected)) if found != expected);
        let found = if late && !wrong { Err(Unknown::Time) } else { found };
        self.found.insert((key.0.to_owned(), key.1.to_owned()), found);
    }

    fn of_space(&mut self, model: &mandala::Model, space: &Space) -> Result<(), Unknown> {
        for (key, question) in self.questions(model)? {
            let answers = space.ask([question])?;
            for answer in &answers.answers {
                self.note((&key.0, &key.1), found(contest::value(answer).1));
            }
        }
        for examination in whole() {
            let is_expected = self.model.figures.keys().any(|key| {
                key.0 == examination.name()
                    && !["STATES", "DEADLOCKS"].contains(&key.1.as_str())
                    && belongs(&self.model.name, key, self.scope)
            });
            if is_expected {
                for (name, value) in space.examine(examination)?.values {
                    self.note((examination.name(), &name), found(value));
                }
            }
        }
        self.figures_by_other_names(space);
        Ok(())
    }

    /// The tables of the programs call some figures by other names.
    fn figures_by_other_names(&mut self, space: &Space) {
        for key in [("StateSpace", "DEADLOCKS"), ("Deadlock", "DEADLOCK_STATES")] {
            if self.expects(key).is_some() {
                self.note(key, space.deadlocks().map(|dead| format!("{dead:#}")).map_err(Unknown::from));
            }
        }
        if let Some(transitions) = self.found.get(&("StateSpace".to_owned(), "TRANSITIONS".to_owned())).cloned() {
            self.note(("StateSpace", "EDGES"), transitions);
        }
    }

    /// The formulas of CTL in the file beside a model, by number.
    fn numbered(&self, model: &mandala::Model) -> Result<Vec<(String, Question)>, Unknown> {
        let file = self.model.path.with_extension("ctl");
        if self.scope != Scope::All || !file.is_file() {
            return Ok(Vec::new());
        }
        let text = text(&file)?;
        let lines = text.lines().map(|line| line.trim().trim_end_matches(';'));
        let mut questions = Vec::new();
        for (number, line) in lines.filter(|line| !line.is_empty() && !line.starts_with('#')).enumerate() {
            let formula = if is_dve(&self.model.path) { line.replace('=', "==") } else { line.to_owned() };
            questions.push((format!("formula {number}"), model.question(&formula)?));
        }
        Ok(questions)
    }

    /// The formulas of LTL about a program that stand in the table itself.
    fn written(&self, model: &mandala::Model) -> Result<Vec<(String, Question)>, Unknown> {
        if self.scope != Scope::Runs || !is_dve(&self.model.path) {
            return Ok(Vec::new());
        }
        let formulas = self.model.figures.keys().filter(|key| key.0 == LTL && key.1.contains('('));
        let mut questions = Vec::new();
        for (_, formula) in formulas {
            // Spot writes a single bar, and puts what is no word between quotes.
            let read = model.question(&formula.replace('"', "").replace('|', "||"))?;
            questions.push((formula.clone(), read));
        }
        Ok(questions)
    }

    /// The goals of a program, by the table beside it.
    fn goals(&self, model: &mandala::Model) -> Result<Vec<(&'static str, String, Question)>, Unknown> {
        let table = self.model.path.with_file_name("properties.csv");
        if !is_dve(&self.model.path) || self.scope == Scope::States || !table.is_file() {
            return Ok(Vec::new());
        }
        let mut goals = Vec::new();
        for line in text(&table)?.lines() {
            let [of, examination, name, goal] = line.splitn(5, ',').take(4).collect::<Vec<_>>()[..] else {
                continue;
            };
            // What has a comma is quoted, and rare.
            if of != self.model.name || goal.starts_with('"') {
                continue;
            }
            if examination == GOALS {
                goals.push((GOALS, name.to_owned(), model.question(&format!("EF ({goal})"))?));
            } else if let (LTL, Ok(formula)) = (examination, model.question(goal)) {
                // Some name propositions that the table does not say.
                goals.push((LTL, name.to_owned(), formula));
            }
        }
        Ok(goals)
    }

    /// The questions whose answers are expected.
    fn questions(&self, model: &mandala::Model) -> Result<Vec<(Key, Question)>, Unknown> {
        let mut questions = Vec::new();
        let mut ask = |examination: &str, formula: &str, question: Question| {
            if self.expects((examination, formula)).is_some() {
                questions.push(((examination.to_owned(), formula.to_owned()), question));
            }
        };
        for (examination, name, goal) in self.goals(model)? {
            ask(examination, &name, goal);
        }
        for (name, question) in self.numbered(model)? {
            ask(CTL, &name, question);
        }
        for (name, question) in self.written(model)? {
            ask(LTL, &name, question);
        }
        for examination in FILES.into_iter().chain(RUNS) {
            let path = self.model.path.join(format!("{examination}.xml"));
            let wanted = (self.scope == Scope::Runs) == RUNS.contains(&examination);
            if wanted && self.scope != Scope::States && path.is_file() {
                for question in model.contest_file(&path.to_string_lossy(), None)? {
                    let name = question.name().to_owned();
                    ask(examination, &name, question);
                }
            }
        }
        Ok(questions)
    }
}

/// A value as the tables have it.
fn found(value: Value) -> Found {
    match value {
        Value::Unknown(reason) => Err(Unknown::of_words(&reason)),
        value => Ok(value.to_string()),
    }
}
