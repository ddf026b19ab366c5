//! Walking through the states of a model, one by one: without a state space, so that it works on any model whose states
//! can be written down.

mod graph;
mod search;

pub use graph::{Reach, StateEdge, StateGraph, StateNode};
pub use search::Searched;

use crate::engine::deep;
use crate::engine::named;
use crate::error::{Error, ErrorKind};
use crate::model::Model;
use crate::question::{Asking, Question};
use crate::state::{State, Variables};
use crate::trace::Step;
use mandala_analysis::symmetry::leader::Leaders;
use mandala_model::property::{self, Formula};
use mandala_model::semantics::{RunError, Semantics};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Walks through the states of a model, from one to those that follow it.
///
/// ```
/// use mandala::{Format, Model};
/// let model = Model::parse("gal count { int x = 0; transition up [x < 2] { x = x + 1; } }", Format::Gal)?;
/// let walk = model.walk()?;
/// let start = walk.initial_states()?.remove(0);
/// let moves = walk.moves(&start)?;
/// assert_eq!(moves[0].step.transition, "up");
/// assert_eq!(moves[0].state.get("x"), Some(1));
/// assert!(walk.holds("x == 1 && fireable(up)", &moves[0].state)?);
/// # Ok::<(), mandala::Error>(())
/// ```
#[derive(Clone)]
pub struct Walk {
    model: Model,
    variables: Arc<Variables>,
    /// What finds the representatives of states, if it was asked for.
    leaders: Arc<OnceLock<Option<Leaders>>>,
}

/// Something that can happen in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// What happens, and what it changes.
    pub step: Step,
    /// The state afterwards.
    pub state: State,
}

impl Model {
    /// Begins to walk through the states of the model. An error if a state is too large to be written down, or if a coloured
    /// net cannot be unfolded.
    pub fn walk(&self) -> Result<Walk, Error> {
        let system = self.system()?;
        let variables = deep(|| Semantics::new(system).map(|semantics| Variables::of(&semantics)));
        let variables = variables.map_err(|error| Error::new(ErrorKind::State, error.to_string()))?;
        Ok(Walk { model: self.clone(), variables: Arc::new(variables), leaders: Arc::default() })
    }
}

impl Walk {
    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The variables of its states.
    pub fn variables(&self) -> &Arc<Variables> {
        &self.variables
    }

    /// The states in which runs begin.
    pub fn initial_states(&self) -> Result<Vec<State>, Error> {
        let states = self.with_meaning(|semantics| semantics.initial_states())?.map_err(error)?;
        Ok(states.into_iter().map(|state| self.named(state)).collect())
    }

    /// All that can happen in a state.
    pub fn moves(&self, state: &State) -> Result<Vec<Move>, Error> {
        Ok(self.first_moves(state, usize::MAX)?.0)
    }

    /// The first of what can happen in a state, and how much that is in all.
    pub fn first_moves(&self, state: &State, most: usize) -> Result<(Vec<Move>, usize), Error> {
        self.is_of_this(state)?;
        self.with_meaning(|semantics| {
            let steps = semantics.successors(state.values()).map_err(error)?;
            let all = steps.len();
            let moves = steps.into_iter().take(most).map(|step| Move {
                step: named::step(semantics, &self.variables, state.values(), &step),
                state: self.named(step.state),
            });
            Ok((moves.collect(), all))
        })?
    }

    /// Whether a formula about one state, such as `x > 3`, `deadlock` or `fireable(t)`, holds in a state.
    pub fn holds(&self, formula: &str, state: &State) -> Result<bool, Error> {
        let formula = self.model.about_one_state(formula)?.ok_or_else(not_about_one_state)?;
        self.is_of_this(state)?;
        self.with_meaning(|semantics| semantics.evaluate(&formula, state.values()).map_err(error))?
    }

    /// What a question says of a state by itself: whether the formula of an invariant, of something reachable or never to
    /// happen holds there, or the value between bounds. Nothing if it takes more than one state to know.
    pub fn status(&self, question: &Question, state: &State) -> Result<Status, Error> {
        self.is_of_this(state)?;
        let unfolded = match self.model.coloured() {
            Some(coloured) => coloured.unfolded_questions(vec![question.clone()])?,
            None => Vec::new(),
        };
        let Asking::Question(asked) = &unfolded.first().unwrap_or(question).asking else {
            return Ok(Status::TakesMore);
        };
        let holds = |formula: &Formula| {
            self.with_meaning(|semantics| semantics.evaluate(formula, state.values()).map_err(error))?
        };
        Ok(match asked {
            property::Question::Reachable(formula)
            | property::Question::Invariant(formula)
            | property::Question::Never(formula) => Status::Holds(holds(formula)?),
            property::Question::Bounds(quantity) => Status::Value(
                self.with_meaning(|semantics| semantics.evaluate_integer(quantity, state.values()).map_err(error))??,
            ),
            property::Question::Ctl(_)
            | property::Question::CtlStar(_)
            | property::Question::Ltl(_)
            | property::Question::Live(_) => Status::TakesMore,
        })
    }

    /// Of all states that differ from a state only in which of several like parts is which, the one that stands for them.
    /// The state itself if the model has no symmetries, or if that would take too long.
    pub fn representative(&self, state: &State) -> State {
        let leaders = self.leaders.get_or_init(|| {
            let system = self.model.system().ok()?;
            let group = deep(|| crate::engine::known_symmetries(system))?;
            // A composite may be known by other variables.
            let is_same = group.points.variables() == self.variables.len();
            Leaders::new(&group.shape, &group.points).filter(|_| is_same)
        });
        let leader = leaders.as_ref().and_then(|leaders| leaders.leader(state.values()));
        leader.map_or_else(|| state.clone(), |leader| self.named(leader.state))
    }

    fn named(&self, values: Vec<i32>) -> State {
        State::new(Arc::clone(&self.variables), values)
    }

    fn is_of_this(&self, state: &State) -> Result<(), Error> {
        let variables = state.variables();
        if Arc::ptr_eq(variables, &self.variables) || **variables == *self.variables {
            return Ok(());
        }
        Err(Error::new(ErrorKind::State, "the state is one of another model"))
    }

    fn with_meaning<T: Send>(&self, work: impl FnOnce(&Semantics<'_>) -> T + Send) -> Result<T, Error> {
        let system = self.model.system()?;
        let semantics = Semantics::new(system).map_err(|error| Error::new(ErrorKind::State, error.to_string()))?;
        Ok(work(&semantics))
    }
}

/// What a question says of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Its formula holds there, or not.
    Holds(bool),
    /// What it asks the bounds of has this value there.
    Value(i64),
    /// It takes more than one state to know.
    TakesMore,
}

fn error(error: RunError) -> Error {
    Error::new(ErrorKind::Model, format!("the model has an error: {error}"))
}

fn not_about_one_state() -> Error {
    let text = "a state is asked a formula about one state, without temporal operators";
    Error::new(ErrorKind::Question, text)
}

impl fmt::Debug for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk").field("model", &self.model).finish_non_exhaustive()
    }
}
