//! Sets of states as values: united, intersected, subtracted, counted and gone through.

use crate::engine::Asker;
use crate::error::{Error, ErrorKind};
use crate::figures::NoFigures;
use crate::options::Options;
use crate::space::Space;
use crate::state::State;
use mandala_check::figures::Combination;
use mandala_diagram::{self as diagram, Count, Diagram};
use std::fmt;
use std::sync::Arc;

/// The states that are fetched at a time have about so many values together.
const VALUES_AT_A_TIME: usize = 200_000;
/// And they are so many at most.
const STATES_AT_A_TIME: usize = 4_096;

/// A set of states of a [`Space`]. Equal sets are equal values, however they were made.
///
/// ```
/// use mandala::{Format, Model};
/// let model = Model::parse("gal count { int x = 0; transition up [x < 9] { x = x + 1; } }", Format::Gal)?;
/// let space = model.states().run()?;
/// let (small, large) = (space.where_("x < 6")?, space.where_("x > 3")?);
/// assert_eq!(small.intersection(&large)?.count(), 2);
/// assert_eq!(small.union(&large)?, space.all()?);
/// let values: Vec<Option<i32>> = small.intersection(&large)?.iter().map(|state| state.unwrap().get("x")).collect();
/// assert_eq!(values, [Some(4), Some(5)]);
/// # Ok::<(), mandala::Error>(())
/// ```
#[derive(Clone)]
pub struct StateSet {
    space: Space,
    set: Diagram,
}

impl Space {
    /// The states that were found, as a set: in a quotient of which only representatives were kept, these.
    pub fn all(&self) -> Result<StateSet, Error> {
        self.set(|asker, options| asker.all(options))
    }

    /// The states that satisfy a formula about one state, such as `x > 3` or `deadlock`.
    pub fn where_(&self, formula: &str) -> Result<StateSet, Error> {
        let formula = self.model().about_one_state(formula)?.ok_or_else(|| {
            let text = "states are selected by a formula about one state, without temporal operators";
            Error::new(ErrorKind::Question, text)
        })?;
        self.set(move |asker, options| asker.select(options, &formula))
    }

    fn set(
        &self, find: impl FnOnce(&mut Asker<'_>, &Options) -> Result<Diagram, NoFigures> + Send + 'static,
    ) -> Result<StateSet, Error> {
        let set = self.with_asker(find).flatten().map_err(unknown)?;
        Ok(StateSet { space: self.clone(), set })
    }
}

/// Why there is no such set.
fn unknown(reason: NoFigures) -> Error {
    Error::new(ErrorKind::Figures, format!("there is no such set of states: {reason}"))
}

impl StateSet {
    /// The space that it is part of.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// How many states it has.
    pub fn count(&self) -> Count {
        let set = self.set.clone();
        self.space.with_asker(move |asker, _| asker.count_of(&set)).unwrap_or_else(|_| Count::zero())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// The states of either.
    pub fn union(&self, other: &StateSet) -> Result<StateSet, Error> {
        self.combined(Combination::Union, other)
    }

    /// The states of both.
    pub fn intersection(&self, other: &StateSet) -> Result<StateSet, Error> {
        self.combined(Combination::Intersection, other)
    }

    /// The states that the other does not have.
    pub fn difference(&self, other: &StateSet) -> Result<StateSet, Error> {
        self.combined(Combination::Difference, other)
    }

    fn combined(&self, how: Combination, other: &StateSet) -> Result<StateSet, Error> {
        if !self.space.is_same(&other.space) {
            let text = "sets of states of different spaces cannot be combined";
            return Err(Error::with_help(ErrorKind::State, text, "select both from the same space"));
        }
        let (one, other) = (self.set.clone(), other.set.clone());
        self.space.set(move |asker, options| asker.combine(options, how, &one, &other))
    }

    /// Whether it has a state.
    pub fn contains(&self, state: &State) -> Result<bool, Error> {
        let variables = self.space.variables()?;
        if !Arc::ptr_eq(state.variables(), &variables) && **state.variables() != *variables {
            return Ok(false);
        }
        let (set, state) = (self.set.clone(), state.values().to_vec());
        self.space.with_asker(move |asker, options| asker.contains(options, &set, &state)).flatten().map_err(unknown)
    }

    /// The states, one after the other. A few are fetched at a time: the first is there at once, however many follow.
    pub fn iter(&self) -> States {
        States { set: self.clone(), fetched: Vec::new().into_iter(), after: None, is_done: false, size: 16 }
    }

    /// Some states at random, each as likely as any other, the same for the same seed. None if there are none.
    pub fn sample(&self, how_many: usize, seed: u64) -> Result<Vec<State>, Error> {
        let variables = self.space.variables()?;
        let set = self.set.clone();
        let states = self.space.with_asker(move |asker, _| asker.sample(&set, how_many, seed))?;
        Ok(states.into_iter().map(|values| State::new(Arc::clone(&variables), values)).collect())
    }
}

impl PartialEq for StateSet {
    fn eq(&self, other: &StateSet) -> bool {
        self.set == other.set
    }
}

impl fmt::Debug for StateSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateSet({} states of {})", self.count(), self.space.model().name())
    }
}

/// The states of a set, one after the other. An error ends it.
pub struct States {
    set: StateSet,
    fetched: std::vec::IntoIter<Vec<i32>>,
    /// The last that was fetched.
    after: Option<diagram::State>,
    is_done: bool,
    /// How many are fetched next.
    size: usize,
}

impl States {
    /// The values of the next state, if it was fetched already.
    pub fn fetched_values(&mut self) -> Option<Vec<i32>> {
        self.fetched.next()
    }

    /// The values of the next state.
    pub fn next_values(&mut self) -> Option<Vec<i32>> {
        if let Some(values) = self.fetched.next() {
            return Some(values);
        }
        if self.is_done {
            return None;
        }
        let (set, after, size) = (self.set.set.clone(), self.after.take(), self.size);
        let some = self.set.space.with_asker(move |asker, _| asker.some_states(&set, after.as_ref(), size));
        let (values, last) = some.unwrap_or_default();
        self.is_done = values.len() < size;
        self.after = last;
        let width = values.first().map_or(1, Vec::len).max(1);
        self.size = (size * 4).min(STATES_AT_A_TIME).min(VALUES_AT_A_TIME / width).max(1);
        self.fetched = values.into_iter();
        self.fetched.next()
    }
}

impl Iterator for States {
    type Item = Result<State, Error>;

    fn next(&mut self) -> Option<Result<State, Error>> {
        let variables = self.set.space.variables();
        match variables {
            Ok(variables) => self.next_values().map(|values| Ok(State::new(variables, values))),
            Err(error) if self.is_done => {
                drop(error);
                None
            }
            Err(error) => {
                self.is_done = true;
                Some(Err(error))
            }
        }
    }
}
