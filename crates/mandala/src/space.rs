//! State spaces that were built, and what can be asked of them.

use crate::answer::{Answer, Answers};
use crate::contest::{Examination, Examined, Plan};
use crate::crew::Work;
use crate::engine::{Asker, Explored, Worker, deep, markings};
use crate::error::{Error, ErrorKind};
use crate::error_state::ErrorState;
use crate::figures::{Counted, Figures, Growth, Layout, NoFigures, Reduced, Siblings};
use crate::model::Model;
use crate::options::{Options, Symbolic, Symmetry};
use crate::picture::Picture;
use crate::question::Question;
use crate::reason::Reason;
use crate::state::Variables;
use crate::subclasses::SymbolicMarkings;
use crate::symmetry::Quotient;
use mandala_diagram::{Count, Statistics};
use mandala_model::property::Formula;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The states of a model, as many as were found. It keeps them, so that more can be asked.
///
/// ```
/// use mandala::{Format, Model};
/// let model = Model::parse("gal count { int x = 0; transition up [x < 9] { x = x + 1; } }", Format::Gal)?;
/// let space = model.states().run()?;
/// assert!(space.is_complete());
/// assert_eq!(space.count().to_string(), "10");
/// assert_eq!(space.count_where("x >= 5")?.to_string(), "5");
/// assert_eq!(space.check("AG x < 5")?.holds(), Some(false));
/// # Ok::<(), mandala::Error>(())
/// ```
///
/// A space is cheap to clone: the states are kept once.
#[derive(Clone)]
pub struct Space {
    inner: Arc<Inner>,
}

struct Inner {
    model: Model,
    options: Options,
    explored: Explored,
    /// Nobody if it is made of symbolic markings: these were not kept.
    worker: Option<Mutex<Worker>>,
    symbolic: Option<SymbolicMarkings>,
    /// The variables of its states, once somebody asked.
    variables: OnceLock<Arc<Variables>>,
}

impl Space {
    fn of(inner: Inner) -> Space {
        Space { inner: Arc::new(inner) }
    }

    pub(crate) fn explore(model: Model, options: Options) -> Result<Space, Error> {
        if let Some(coloured) = model.coloured() {
            let found = match markings::way(&options, &coloured.net)? {
                Some(way) => deep(|| markings::states(&options, &coloured.net, way))?,
                None => deep(|| markings::counted_briefly(&options, &coloured.net))?,
            };
            if let Some(found) = found {
                let explored = Explored::symbolic(&found);
                let symbolic = Some(found.symbolic);
                let variables = OnceLock::new();
                return Ok(Space::of(Inner { model, options, explored, worker: None, symbolic, variables }));
            }
            coloured.unfold_within(&options)?;
        }
        let (explored, worker) = Worker::explore(model.clone(), Model::system, options.clone())?;
        let worker = Some(Mutex::new(worker));
        Ok(Space::of(Inner { model, options, explored, worker, symbolic: None, variables: OnceLock::new() }))
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.inner.model
    }

    /// Whether all states are known, or representatives of all of them.
    pub fn is_complete(&self) -> bool {
        self.inner.explored.stopped.is_none() && self.inner.explored.growth.is_none()
    }

    /// Why not all states are known, if a limit struck.
    pub fn stopped(&self) -> Option<Reason> {
        self.inner.explored.stopped
    }

    /// A run that shows that there are infinitely many states.
    pub fn growth(&self) -> Option<&Growth> {
        self.inner.explored.growth.as_ref()
    }

    /// How many states there are. In a quotient by symmetry, these are ordinary states, and not the
    /// representatives that were kept.
    pub fn count(&self) -> Counted {
        match &self.inner.explored.states {
            _ if self.inner.explored.growth.is_some() => Counted::Infinitely,
            Some(states) if self.is_complete() => Counted::Exactly(states.clone()),
            Some(states) => Counted::AtLeast(states.clone()),
            None => Counted::Unknown,
        }
    }

    /// What is known of the error state, if the model has one.
    pub fn error_state(&self) -> Option<&ErrorState> {
        self.inner.explored.error_state.as_ref()
    }

    /// By which symmetries it is a quotient, if one was asked for and there are symmetries.
    pub fn quotient(&self) -> Option<&Quotient> {
        self.inner.explored.quotient.as_ref()
    }

    /// The symbolic markings of a coloured net, if it was explored by these.
    pub fn symbolic(&self) -> Option<&SymbolicMarkings> {
        self.inner.symbolic.as_ref()
    }

    /// How many states were kept: representatives in a quotient, symbolic markings, all states otherwise.
    pub fn representatives(&self) -> Option<Count> {
        match (self.quotient(), self.symbolic()) {
            (Some(quotient), _) => Some(quotient.representatives.clone()),
            (None, Some(symbolic)) => Some(symbolic.markings.clone()),
            (None, None) => self.inner.explored.states.clone(),
        }
    }

    /// How much smaller the net was made before its states were counted, if it was. Then nodes, layout and statistics are
    /// those of the reduced net; what is asked of the states is answered on the net itself, which is explored for that.
    pub fn reduced(&self) -> Option<Reduced> {
        self.inner.explored.reduced
    }

    /// The siblings with fewer tokens from which the figures of a net follow, if they do. Then there is no diagram; what is asked of
    /// the states is answered on the net itself, which is explored for that.
    pub fn siblings(&self) -> Option<Siblings> {
        self.inner.explored.siblings
    }

    /// The nodes of the diagram, if there is one.
    pub fn nodes(&self) -> Option<usize> {
        self.inner.explored.nodes
    }

    /// The most nodes at a time while it was made.
    pub fn peak_nodes(&self) -> Option<usize> {
        self.inner.explored.peak_nodes
    }

    /// The most bytes of diagrams at a time.
    pub fn peak_bytes(&self) -> Option<usize> {
        self.inner.explored.peak_bytes
    }

    /// How the diagram was laid out, if there is one.
    pub fn layout(&self) -> Option<&Layout> {
        self.inner.explored.layout.as_ref()
    }

    /// What the engine did to make the diagram, if there is one.
    pub fn statistics(&self) -> Option<&Statistics> {
        self.inner.explored.statistics.as_ref()
    }

    /// How the exploration state by state went, if several workers took part.
    pub fn work(&self) -> Option<&Work> {
        self.inner.explored.work.as_ref()
    }

    /// How long it took.
    pub fn time(&self) -> Duration {
        self.inner.explored.time
    }

    /// Whether it is made of diagrams.
    pub fn is_by_diagrams(&self) -> bool {
        let is_listed = self.inner.symbolic.as_ref().is_some_and(|symbolic| symbolic.engine == "list");
        self.inner.options.strategy != crate::options::Strategy::Explicit && !is_listed
    }

    /// Answers a formula on these states.
    pub fn check(&self, formula: &str) -> Result<Answer, Error> {
        let answers = self.ask([self.inner.model.question(formula)?])?;
        answers.answers.into_iter().next().ok_or_else(|| Error::new(ErrorKind::Other, "there is no answer"))
    }

    /// Answers questions on these states. The time limit of the query counts anew.
    pub fn ask(&self, questions: impl IntoIterator<Item = Question>) -> Result<Answers, Error> {
        let (options, questions) = (self.inner.options.clone(), questions.into_iter().collect::<Vec<Question>>());
        let Some(worker) = &self.inner.worker else {
            return self.inner.model.ask(questions).options(&options).run();
        };
        let written = questions.clone();
        let questions = match self.inner.model.coloured() {
            Some(coloured) => coloured.unfolded_questions(questions)?,
            None => questions,
        };
        let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
        let mut answers = worker.ask(move |asker| asker.ask(&options, questions))?;
        answers.answers.iter_mut().zip(written).for_each(|(answer, question)| answer.question = question);
        Ok(answers)
    }

    /// Does an examination of the Model Checking Contest on these states.
    pub fn examine(&self, examination: Examination) -> Result<Examined, Error> {
        match Plan::new(&self.inner.model, examination)? {
            Plan::StateSpace => Ok(Examined::of_states(&self.count(), &self.figures(), self.is_by_diagrams())),
            plan => Ok(plan.conclude(examination, &self.ask(plan.questions())?)),
        }
    }

    /// The figures that the Model Checking Contest asks for, or why there are none.
    pub fn figures(&self) -> Result<Figures, NoFigures> {
        if let Some(figures) = &self.inner.explored.figures {
            return if self.is_complete() { Ok(figures.clone()) } else { Err(NoFigures::Part) };
        }
        let options = self.inner.options.clone();
        let asked = options.clone();
        let known = self.with_worker(|worker| worker.ask(move |asker| asker.figures(&asked)));
        match (known, self.inner.model.coloured()) {
            (Some(figures), _) => figures,
            // Colours were counted because the unfolded net is large: the other figures are those of the unfolded net.
            (None, Some(coloured)) if options.symmetry == Symmetry::Off && options.symbolic == Symbolic::Auto => {
                coloured.unfold_within(&options)?;
                let (_, mut worker) = Worker::explore(self.inner.model.clone(), Model::system, options.clone())?;
                worker.ask(move |asker| asker.figures(&options))
            }
            (None, _) => Err(NoFigures::Representatives),
        }
    }

    /// How many states satisfy a formula about one state, such as `x > 3` or `deadlock`. An error if not all states were
    /// kept: then nobody knows.
    pub fn count_where(&self, formula: &str) -> Result<Count, Error> {
        let formula = self.inner.model.about_one_state(formula)?.ok_or_else(|| {
            Error::new(
                ErrorKind::Question,
                "states are counted by a formula about one state, without temporal operators",
            )
        })?;
        self.count_of(formula)
    }

    /// In how many states nothing can happen. An error if not all states were kept: then nobody knows.
    pub fn deadlocks(&self) -> Result<Count, Error> {
        self.count_of(Formula::Deadlock)
    }

    fn count_of(&self, formula: Formula) -> Result<Count, Error> {
        let options = self.inner.options.clone();
        let counted = self.with_worker(|worker| worker.ask(move |asker| asker.count_where(&options, &formula)));
        Ok(counted.ok_or(NoFigures::Representatives)??)
    }

    /// The diagram as a picture, if it has at most so many nodes.
    pub fn picture(&self, most: usize) -> Result<Picture, Error> {
        let error = |text: String| Error::new(ErrorKind::Picture, text);
        if let Some(reason) = self.stopped() {
            return Err(Error::no_diagram_yet(reason));
        }
        if self.growth().is_some() {
            return Err(error("the net is not bounded: it has infinitely many markings".to_owned()));
        }
        let options = self.inner.options.clone();
        match self.with_worker(|worker| worker.ask(move |asker| asker.dot(&options, most))) {
            Some(dot) => Ok(Picture::of_diagram(dot?, self.inner.model.name())),
            None => Err(error("there is no diagram of these states".to_owned())),
        }
    }

    /// Whether it is the same space, and not only one of the same model.
    pub(crate) fn is_same(&self, other: &Space) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// The variables of its states.
    pub fn variables(&self) -> Result<Arc<Variables>, Error> {
        if let Some(variables) = self.inner.variables.get() {
            return Ok(Arc::clone(variables));
        }
        let found = Arc::new(self.with_asker(|asker, _| asker.variables())??);
        // If somebody else was faster, it is the same.
        Ok(Arc::clone(self.inner.variables.get_or_init(|| found)))
    }

    /// Does something with the states, and waits for it.
    pub(crate) fn with_asker<T: Send + 'static>(
        &self, work: impl FnOnce(&mut Asker<'_>, &Options) -> T + Send + 'static,
    ) -> Result<T, NoFigures> {
        let options = self.inner.options.clone();
        let done = self.with_worker(|worker| worker.ask(move |asker| work(asker, &options)));
        done.ok_or(NoFigures::Representatives)
    }

    /// Asks the worker, if there is one.
    fn with_worker<T>(&self, ask: impl FnOnce(&mut Worker) -> T) -> Option<T> {
        let worker = self.inner.worker.as_ref()?;
        Some(ask(&mut worker.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Space").field("model", &self.inner.model).field("count", &self.count()).finish_non_exhaustive()
    }
}
