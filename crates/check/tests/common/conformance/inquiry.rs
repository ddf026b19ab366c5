//! One model: from its files to the answers.

use std::collections::BTreeMap;
use std::time::Instant;

use mandala_analysis::outline::Outline;
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit;
use mandala_check::explore::Stopped;
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::Options;
use mandala_check::run::FiniteRuns;
use mandala_check::select::select;
use mandala_check::space::SystemSpace;
use mandala_diagram::Count;
use mandala_model::dve;
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::contest::{self, Logic};
use mandala_model::property::{Atom, Formula, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System, Type};
use mandala_symbolic::encode::Refusal;

use super::{Found, Key, Model, Scope, Shape, Unknown, is_dve, text, unreadable};

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

/// The examinations that ask one thing of a net as a whole.
const WHOLE: [&str; 3] = ["QuasiLiveness", "StableMarking", "Liveness"];

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
            ["StateSpace", "Deadlock", "ReachabilityDeadlock", "OneSafe", GOALS, CTL].contains(&examination)
                && formula != "BFS_LEVELS"
                || FILES.contains(&examination)
                || WHOLE.contains(&examination)
        }
    }
}

/// Of a net that is not bounded, so many states are looked at.
const STATES_OF_UNBOUNDED: u64 = 200_000;

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
        let system = self.model.system()?;
        match mandala_check::explore::explore(&system, &self.options) {
            Ok(mut space) => {
                self.describe(&space, true);
                self.note(("StateSpace", "STATES"), Ok(digits(&space.count())));
                if self.scope != Scope::States {
                    self.of_space(&system, &mut space)?;
                }
                self.peak_bytes = space.encoded.store.statistics().peak_bytes;
                Ok(())
            }
            Err(Stopped::Unbounded(_)) => self.of_unbounded(&system),
            Err(stopped) => {
                if let Stopped::Limit { partial: Some(partial), .. } = &stopped {
                    self.describe(partial, false);
                }
                Err(Unknown::from(&stopped))
            }
        }
    }

    fn describe(&mut self, space: &SystemSpace<'_>, complete: bool) {
        self.peak_bytes = space.peak_bytes;
        self.shape = Some(Shape {
            states: space.count(),
            complete,
            variables: space.layout.variables,
            order: space.layout.order.clone(),
            nodes: space.encoded.store.size(&space.states).nodes,
            peak_nodes: space.peak_nodes,
        });
    }

    fn expects(&self, key: (&str, &str)) -> Option<&String> {
        let key = (key.0.to_owned(), key.1.to_owned());
        self.model.figures.get(&key).filter(|_| belongs(&self.model.name, &key, self.scope))
    }

    /// Keeps what was found; if it is right, it has to be in time.
    fn note(&mut self, key: (&str, &str), found: Found) {
        let late = self.options.limits.deadline.is_some_and(|deadline| Instant::now() > deadline)
            && found != Err(Unknown::Memory);
        let wrong = matches!((&found, self.expects(key)), (Ok(found), Some(expected)) if found != expected);
        let found = if late && !wrong { Err(Unknown::Time) } else { found };
        self.found.insert((key.0.to_owned(), key.1.to_owned()), found);
    }

    fn of_space(&mut self, system: &System, space: &mut SystemSpace<'_>) -> Result<(), Unknown> {
        for (key, question) in self.questions(system)? {
            let found = match space.answer(&question, Traces::Unwanted).verdict {
                Verdict::True => Ok(truth(true)),
                Verdict::False => Ok(truth(false)),
                Verdict::Bounds { greatest, .. } => Ok(greatest.to_string()),
                Verdict::Unknown(reason) => Err(Unknown::Other(reason)),
            };
            self.note((&key.0, &key.1), found);
        }
        for Whole { examination, questions, is_all } in self.wholes(system) {
            let answers = questions.iter().map(|question| match space.answer(question, Traces::Unwanted).verdict {
                Verdict::True => Some(true),
                Verdict::False => Some(false),
                _ => None,
            });
            self.note((examination, examination), of_whole(answers, is_all));
        }
        self.dead_states(space);
        self.figures(space);
        if self.expects(("StateSpace", "EDGES")).is_some() {
            let found = match space.figures().map(|figures| figures.transitions) {
                Ok(transitions) => transitions.as_ref().map(digits).ok_or(Unknown::Other("too many events".to_owned())),
                Err(error) => Err(Unknown::from(&error)),
            };
            self.note(("StateSpace", "EDGES"), found);
        }
        Ok(())
    }

    fn figures(&mut self, space: &mut SystemSpace<'_>) {
        if self.expects(("StateSpace", "TRANSITIONS")).is_none()
            && self.expects(("StateSpace", "MAX_TOKEN_PER_MARKING")).is_none()
        {
            return;
        }
        let [transitions, place, marking] = match space.figures() {
            Ok(figures) => [
                figures.transitions.as_ref().map(digits).ok_or(Unknown::Other("too many events".to_owned())),
                Ok(figures.most_in_place.to_string()),
                Ok(figures.most_in_marking.to_string()),
            ],
            Err(error) => [(); 3].map(|()| Err(Unknown::from(&error))),
        };
        self.note(("StateSpace", "TRANSITIONS"), transitions);
        self.note(("StateSpace", "MAX_TOKEN_IN_PLACE"), place);
        self.note(("StateSpace", "MAX_TOKEN_PER_MARKING"), marking);
    }

    /// How many states are dead: the tables of the GAL files say that.
    fn dead_states(&mut self, space: &mut SystemSpace<'_>) {
        for key in [("StateSpace", "DEADLOCKS"), ("Deadlock", "DEADLOCK_STATES")] {
            if self.expects(key).is_some() {
                let states = space.states.clone();
                let found = match select(&mut space.encoded, &Formula::Deadlock, &states) {
                    Ok(dead) => Ok(digits(&space.encoded.store.count(&dead))),
                    Err(Refusal::Encode(error)) => Err(Unknown::from(&error)),
                    Err(error) => Err(Unknown::Other(error.to_string())),
                };
                self.note(key, found);
            }
        }
    }

    /// Infinitely many states: some place has no bound, and so has the sum. Some states may answer the rest.
    fn of_unbounded(&mut self, system: &System) -> Result<(), Unknown> {
        for figure in ["STATES", "TRANSITIONS", "MAX_TOKEN_IN_PLACE", "MAX_TOKEN_PER_MARKING"] {
            self.note(("StateSpace", figure), Ok("+inf".to_owned()));
        }
        let (keys, questions): (Vec<Key>, Vec<Question>) = self.questions(system)?.into_iter().unzip();
        let semantics = Semantics::new(system).map_err(|error| Unknown::Other(error.to_string()))?;
        let limits = Limits { states: Some(STATES_OF_UNBOUNDED), ..self.options.limits.clone() };
        let outcome = explicit::answer(&semantics, &questions, &limits, &Progress::default());
        for ((key, question), answer) in keys.iter().zip(&questions).zip(outcome.answers) {
            let answer = match question {
                Question::Ltl(formula) => of_runs(&semantics, formula, &limits),
                _ => answer.verdict,
            };
            let found = match answer {
                Verdict::True => Ok(truth(true)),
                Verdict::False => Ok(truth(false)),
                _ => Err(Unknown::Other("not bounded, and no state that was looked at decides it".to_owned())),
            };
            self.note((&key.0, &key.1), found);
        }
        for Whole { examination, questions, is_all } in self.wholes(system) {
            let outcome = explicit::answer(&semantics, &questions, &limits, &Progress::default());
            let outline = Outline::of(system);
            let answers = outcome.answers.iter().zip(&questions).map(|(answer, question)| match answer.verdict {
                Verdict::True => Some(true),
                Verdict::False => Some(false),
                _ => outline.as_ref().and_then(|outline| outline.answer(question)),
            });
            self.note((examination, examination), of_whole(answers, is_all));
        }
        Ok(())
    }

    /// What is asked of a net as a whole, if it is expected.
    fn wholes(&self, system: &System) -> Vec<Whole> {
        let Type::Net(net) = &system.types[system.main] else { return Vec::new() };
        let marking = net.initial.first().map_or(&[][..], |initial| &initial.marking);
        let transitions = (0..net.transitions.len() as u32).map(|index| Location { path: Vec::new(), index });
        let transitions: Vec<Location> = transitions.collect();
        let fires =
            |transition: &Location| Question::Reachable(Formula::Atom(Atom::Fireable(vec![transition.clone()])));
        let changes = |(index, &tokens): (u32, &i32)| {
            let place = Integer::Variable(Location { path: Vec::new(), index });
            Question::Reachable(Formula::Atom(Atom::Compare(Comparison::NotEqual, place, Integer::Constant(tokens))))
        };
        let [quasi, stable, live] = WHOLE;
        let mut wholes = vec![
            Whole { examination: quasi, questions: transitions.iter().map(fires).collect(), is_all: true },
            Whole { examination: stable, questions: (0..).zip(marking).map(changes).collect(), is_all: false },
            Whole { examination: live, questions: vec![Question::Live(transitions)], is_all: true },
        ];
        wholes.retain(|whole| self.expects((whole.examination, whole.examination)).is_some());
        wholes
    }

    /// The formulas of CTL in the file beside a model, by number.
    fn numbered(&self, system: &System) -> Result<Vec<(String, Question)>, Unknown> {
        let file = self.model.path.with_extension("ctl");
        if self.scope != Scope::All || !file.is_file() {
            return Ok(Vec::new());
        }
        let names = match is_dve(&self.model.path) {
            true => Some(dve::read_with_names(&self.model.name, &text(&self.model.path)?).map_err(unreadable)?.1),
            false => None,
        };
        let text = text(&file)?;
        let lines = text.lines().map(|line| line.trim().trim_end_matches(';'));
        let mut questions = Vec::new();
        for (number, line) in lines.filter(|line| !line.is_empty() && !line.starts_with('#')).enumerate() {
            let read = match &names {
                Some(names) => names.formula(&line.replace('=', "==")),
                None => mandala_model::gal::formula(system, line),
            };
            questions.push((format!("formula {number}"), read.map_err(unreadable)?.question));
        }
        Ok(questions)
    }

    /// The formulas of LTL about a program that stand in the table itself.
    fn written(&self) -> Result<Vec<(String, Question)>, Unknown> {
        if self.scope != Scope::Runs || !is_dve(&self.model.path) {
            return Ok(Vec::new());
        }
        let (_, names) = dve::read_with_names(&self.model.name, &text(&self.model.path)?).map_err(unreadable)?;
        let formulas = self.model.figures.keys().filter(|key| key.0 == LTL && key.1.contains('('));
        let mut questions = Vec::new();
        for (_, formula) in formulas {
            // Spot writes a single bar, and puts what is no word between quotes.
            let read = names.formula(&formula.replace('"', "").replace('|', "||"));
            questions.push((formula.clone(), read.map_err(unreadable)?.question));
        }
        Ok(questions)
    }

    /// The goals of a program, by the table beside it.
    fn goals(&self) -> Result<Vec<(&'static str, String, Question)>, Unknown> {
        let table = self.model.path.with_file_name("properties.csv");
        if !is_dve(&self.model.path) || self.scope == Scope::States || !table.is_file() {
            return Ok(Vec::new());
        }
        let read = dve::read_with_names(&self.model.name, &text(&self.model.path)?);
        let (_, names) = read.map_err(unreadable)?;
        let mut goals = Vec::new();
        for line in text(&table)?.lines() {
            let [model, examination, name, goal] = line.splitn(5, ',').take(4).collect::<Vec<_>>()[..] else {
                continue;
            };
            // What has a comma is quoted, and rare.
            if model != self.model.name || goal.starts_with('"') {
                continue;
            }
            if examination == GOALS {
                let goal = names.formula(&format!("EF ({goal})")).map_err(unreadable)?;
                goals.push((GOALS, name.to_owned(), goal.question));
            } else if let (LTL, Ok(formula)) = (examination, names.formula(goal)) {
                // Some name propositions that the table does not say.
                goals.push((LTL, name.to_owned(), formula.question));
            }
        }
        Ok(goals)
    }

    /// The questions whose answers are expected.
    fn questions(&self, system: &System) -> Result<Vec<(Key, Question)>, Unknown> {
        let mut questions = Vec::new();
        let mut ask = |examination: &str, formula: &str, question: Question| {
            if self.expects((examination, formula)).is_some() {
                questions.push(((examination.to_owned(), formula.to_owned()), question));
            }
        };
        ask("ReachabilityDeadlock", "ReachabilityDeadlock", Question::Reachable(Formula::Deadlock));
        if let Type::Net(net) = &system.types[system.main] {
            let safe = |index: u32| {
                let place = Integer::Variable(Location { path: Vec::new(), index });
                Formula::Atom(Atom::Compare(Comparison::LessOrEqual, place, Integer::Constant(1)))
            };
            let all = (0..net.places.len() as u32).map(safe).collect();
            ask("OneSafe", "OneSafe", Question::Invariant(Formula::And(all)));
        }
        for (examination, name, goal) in self.goals()? {
            ask(examination, &name, goal);
        }
        for (name, question) in self.numbered(system)? {
            ask(CTL, &name, question);
        }
        for (name, question) in self.written()? {
            ask(LTL, &name, question);
        }
        for examination in FILES.into_iter().chain(RUNS) {
            let path = self.model.path.join(format!("{examination}.xml"));
            let wanted = (self.scope == Scope::Runs) == RUNS.contains(&examination);
            if wanted && self.scope != Scope::States && path.is_file() {
                let properties = contest::read(examination, &text(&path)?, system, Logic::of_file(examination))
                    .map_err(unreadable)?;
                for property in properties {
                    ask(examination, &property.name, property.question);
                }
            }
        }
        Ok(questions)
    }
}

/// Something that is asked of a net as a whole: whether all questions are answered with yes, or one with no.
struct Whole {
    examination: &'static str,
    questions: Vec<Question>,
    is_all: bool,
}

fn of_whole(answers: impl Iterator<Item = Option<bool>>, is_all: bool) -> Found {
    let mut all_known = true;
    for answer in answers {
        match answer {
            Some(false) => return Ok(truth(!is_all)),
            Some(true) => {}
            None => all_known = false,
        }
    }
    if all_known { Ok(truth(is_all)) } else { Err(Unknown::Other("not all of it is known".to_owned())) }
}

/// What is found state by state about all runs of a net that is not bounded.
fn of_runs(semantics: &Semantics<'_>, formula: &Formula, limits: &Limits) -> Verdict {
    explicit::ltl::check(semantics, formula, FiniteRuns::Stutter, limits, &Progress::default()).answer.verdict
}

fn digits(count: &Count) -> String {
    format!("{count:#}")
}

fn truth(value: bool) -> String {
    if value { "TRUE".to_owned() } else { "FALSE".to_owned() }
}
