//! Queries: what is asked, how it is to be found, and the answer.

use crate::answer::{Answer, Answers};
use crate::contest::{Examination, Examined, Plan};
use crate::engine::{self, Known, deep, in_time, markings};
use crate::error::{Error, ErrorKind};
use crate::fairness::Fairness;
use crate::limits::{Cancel, Memory};
use crate::model::{Coloured, Model};
use crate::options::{
    FiniteRuns, Levels, Listener, Note, Options, Order, Partition, Reductions, Strategy, Symbolic, Symmetries,
    Symmetry, SymmetryOfFormula, Told, Traces,
};
use crate::question::Question;
use crate::space::Space;
use mandala_check::limits::Progress;
use std::time::{Duration, Instant};

/// A query that has not been run: what is asked of a model, and how it is to be found. [`Model::states`],
/// [`Model::check`], [`Model::ask`] and [`Model::examine`] make one.
#[derive(Clone, Debug)]
#[must_use = "nothing happens until it is run"]
pub struct Query<Q> {
    model: Model,
    options: Options,
    asked: Q,
}

/// All states are wanted.
#[derive(Clone, Copy, Debug)]
pub struct AllStates;

/// The answer to one question is wanted.
#[derive(Clone, Debug)]
pub struct OneQuestion(Question);

/// The answers to some questions are wanted.
#[derive(Clone, Debug)]
pub struct Questions(Vec<Question>);

impl Model {
    fn query<Q>(&self, asked: Q) -> Query<Q> {
        Query { model: self.clone(), options: Options::default(), asked }
    }

    /// Asks for all states.
    pub fn states(&self) -> Query<AllStates> {
        self.query(AllStates)
    }

    /// Asks whether a formula holds; see [`Model::question`] for what can be written.
    pub fn check(&self, formula: &str) -> Result<Query<OneQuestion>, Error> {
        Ok(self.query(OneQuestion(self.question(formula)?)))
    }

    /// Asks several questions at once: of the states, no more are looked for than these take.
    pub fn ask(&self, questions: impl IntoIterator<Item = Question>) -> Query<Questions> {
        self.query(Questions(questions.into_iter().collect()))
    }

    /// Does an examination of the Model Checking Contest.
    pub fn examine(&self, examination: Examination) -> Query<Examination> {
        self.query(examination)
    }
}

impl Query<AllStates> {
    /// Builds the state space.
    pub fn run(self) -> Result<Space, Error> {
        Space::explore(self.model, self.options)
    }
}

impl Query<OneQuestion> {
    /// Answers the question.
    pub fn run(self) -> Result<Answer, Error> {
        let Query { model, options, asked: OneQuestion(question) } = self;
        let answers = Query { model, options, asked: Questions(vec![question]) }.run()?;
        answers.answers.into_iter().next().ok_or_else(|| Error::new(ErrorKind::Other, "there is no answer"))
    }
}

impl Query<Questions> {
    /// Answers the questions.
    pub fn run(self) -> Result<Answers, Error> {
        find(&self.model, &self.options, self.asked.0)
    }
}

impl Query<Examination> {
    /// Does the examination.
    pub fn run(self) -> Result<Examined, Error> {
        self.run_with_answers().map(|(examined, _)| examined)
    }

    /// Does the examination, and has the answers to its questions, with their traces where these are wanted. There are none
    /// where it asks for figures.
    pub fn run_with_answers(self) -> Result<(Examined, Option<Answers>), Error> {
        if self.asked == Examination::StateSpace && self.options.symmetry == Symmetry::Off {
            let model = self.model.clone();
            let examined = match Space::explore(self.model, self.options) {
                Ok(space) => space.examine(self.asked),
                Err(error) => Examined::without_model(&model, self.asked, error),
            };
            return Ok((examined?, None));
        }
        // The figures are those of the unfolded net, unless symbolic markings are asked for by name.
        let is_about_unfolded = self.asked == Examination::StateSpace && self.options.symbolic == Symbolic::Auto;
        let this = if is_about_unfolded { self.symbolic(Symbolic::Off) } else { self };
        if let Err(error) = this.model.prepare(&this.options) {
            return Ok((Examined::without_model(&this.model, this.asked, error)?, None));
        }
        match Plan::new(&this.model, this.asked)? {
            Plan::StateSpace => Ok((Space::explore(this.model, this.options)?.examine(this.asked)?, None)),
            plan => {
                let options = Options { first_no: plan.is_decided_by_first_no(), ..this.options };
                let answers = find(&this.model, &options, plan.questions())?;
                Ok((plan.conclude(this.asked, &answers), Some(answers)))
            }
        }
    }
}

/// Answers questions; with what is known when the time is over, whatever is being done then.
fn find(model: &Model, options: &Options, asked: Vec<Question>) -> Result<Answers, Error> {
    let (start, known) = (Instant::now(), Known::default());
    let (model, told, questions) = (model.clone(), known.clone(), asked.clone());
    match in_time(options, move |options| find_on(&model, options, questions, &told)) {
        Ok(found) => found,
        Err(reason) => Ok(known.answers(asked, reason, start.elapsed())),
    }
}

/// Answers questions, by whichever engine is there for the model.
fn find_on(model: &Model, options: &Options, asked: Vec<Question>, known: &Known) -> Result<Answers, Error> {
    let Some(coloured) = model.coloured() else {
        return engine::find(options, model.system()?, asked, known);
    };
    let start = Instant::now();
    let answered = match markings::way(options, &coloured.net)? {
        Some(way) => deep(|| markings::answer(options, &coloured.net, way, &asked))?,
        None => None,
    };
    let Some(answered) = answered else { return find_unfolded(model, coloured, options, asked, known) };
    let unknown = asked.iter().zip(&answered.answers).filter(|(_, answer)| answer.is_none());
    let left: Vec<Question> = unknown.map(|(question, _)| question.clone()).collect();
    // How many states of the model symbolic markings stand for was not counted.
    let mut all = Answers::without_states(Vec::new(), answered.ended);
    let mut others = if left.is_empty() {
        Vec::new()
    } else {
        let more = find_unfolded(model, coloured, options, left, known)?;
        let found = more.answers.clone();
        all = Answers { answers: Vec::new(), ..more }.after(Some(all));
        found
    }
    .into_iter();
    all.answers = answered.answers.into_iter().filter_map(|answer| answer.or_else(|| others.next())).collect();
    all.time = start.elapsed();
    Ok(all)
}

/// Answers questions about a coloured net on what it is unfolded into.
fn find_unfolded(
    model: &Model, coloured: &Coloured, options: &Options, asked: Vec<Question>, known: &Known,
) -> Result<Answers, Error> {
    coloured.unfold_within(options)?;
    let written = asked.clone();
    let (asked, system) = (coloured.unfolded_questions(asked)?, model.system()?);
    let options = &Options { fairness: coloured.unfolded_fairness(&options.fairness)?, ..options.clone() };
    let mut answers = engine::find(options, system, asked, known)?;
    answers.answers.iter_mut().zip(written).for_each(|(answer, question)| answer.question = question);
    Ok(answers)
}

impl<Q> Query<Q> {
    /// All options at once.
    pub fn options(mut self, options: &Options) -> Query<Q> {
        self.options = options.clone();
        self
    }

    /// How states are explored; by saturation of diagrams if nothing is said.
    pub fn strategy(mut self, strategy: Strategy) -> Query<Q> {
        self.options.strategy = strategy;
        self
    }

    /// Whether, and how, the quotient of the states by symmetry is made; not at all if nothing is said.
    pub fn symmetry(mut self, symmetry: Symmetry) -> Query<Q> {
        self.options.symmetry = symmetry;
        self
    }

    /// By which symmetries; all that are found if nothing is said.
    pub fn symmetries(mut self, symmetries: Symmetries) -> Query<Q> {
        self.options.symmetries = symmetries;
        self
    }

    /// How symmetries are used where a formula of LTL does not treat all processes alike.
    pub fn symmetry_of_formula(mut self, way: SymmetryOfFormula) -> Query<Q> {
        self.options.symmetry_of_formula = way;
        self
    }

    /// Whether, and how, symbolic markings of a coloured net are used.
    pub fn symbolic(mut self, symbolic: Symbolic) -> Query<Q> {
        self.options.symbolic = symbolic;
        self
    }

    /// Which colours of a coloured net are told apart by them.
    pub fn partition(mut self, partition: Partition) -> Query<Q> {
        self.options.partition = partition;
        self
    }

    /// The order of variables: a heuristic, names, or a text: `auto`, the name of a heuristic or of a file.
    pub fn order(mut self, order: impl Into<Order>) -> Query<Q> {
        self.options.order = order.into();
        self
    }

    /// The levels that a flat model gets.
    pub fn levels(mut self, levels: Levels) -> Query<Q> {
        self.options.levels = levels;
        self
    }

    /// Whether nets are made smaller before their states are counted, and for questions; they are if nothing is said.
    pub fn reductions(mut self, reductions: Reductions) -> Query<Q> {
        self.options.reductions = reductions;
        self
    }

    /// What becomes of runs that end, where a formula is about runs.
    pub fn finite_runs(mut self, finite_runs: FiniteRuns) -> Query<Q> {
        self.options.finite_runs = finite_runs;
        self
    }

    /// Formulas about runs speak only of those that are fair so; may be said several times.
    pub fn fair(mut self, fairness: Fairness) -> Query<Q> {
        self.options.fairness.push(fairness);
        self
    }

    /// Whether answers come with traces; they do if nothing is said.
    pub fn traces(mut self, traces: Traces) -> Query<Q> {
        self.options.traces = traces;
        self
    }

    /// The most time. What is known by then is the answer.
    pub fn timeout(mut self, time: Duration) -> Query<Q> {
        self.options.timeout = Some(time);
        self
    }

    /// The most memory that the process is to use: bytes, or a text such as `"4G"`. What is known by then is the answer.
    pub fn memory(mut self, memory: impl Into<Memory>) -> Query<Q> {
        self.options.memory = Some(memory.into());
        self
    }

    /// What stops the work from outside.
    pub fn cancel(mut self, cancel: &Cancel) -> Query<Q> {
        self.options.cancel = cancel.clone();
        self
    }

    /// Where to see from another thread how far it is.
    pub fn progress(mut self, progress: &Progress) -> Query<Q> {
        self.options.progress = progress.clone();
        self
    }

    /// Who hears of what is worth knowing on the way.
    pub fn on_note(mut self, hear: impl Fn(&Note) + Send + Sync + 'static) -> Query<Q> {
        self.options.notes = Listener::new(hear);
        self
    }

    /// Who hears of verdicts as soon as they are known.
    pub fn on_verdict(mut self, hear: impl Fn(&Told) + Send + Sync + 'static) -> Query<Q> {
        self.options.verdicts = Listener::new(hear);
        self
    }
}
