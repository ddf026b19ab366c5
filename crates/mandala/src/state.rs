//! States with the names of their variables.

use crate::trace::{Change, Value};
use mandala_model::net::queue::Queue;
use mandala_model::semantics::Semantics;
use mandala_model::text::suggest::nearest;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::error::{Error, ErrorKind};

/// Variables that people are shown of a state.
const MOST_SHOWN: usize = 40;

/// The variables of the states of a model (the places of a net), in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variables {
    names: Vec<String>,
    /// What the values of a variable are called, for those variables whose values have names.
    values: Vec<(usize, Vec<String>)>,
    /// The queues of the model, and where they are in a state.
    queues: Vec<Queue>,
}

impl Variables {
    pub(crate) fn of(semantics: &Semantics<'_>) -> Variables {
        let values = semantics.value_names().into_iter().enumerate();
        let named = values.filter(|(_, names)| !names.is_empty()).map(|(index, names)| (index, names.to_vec()));
        Variables { names: semantics.variables(), values: named.collect(), queues: semantics.queues().to_vec() }
    }

    /// Their names: `ring:peers[1]:state`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names of the values of a variable, from 0 on; none if they are just numbers.
    pub fn value_names(&self, index: usize) -> &[String] {
        let found = self.values.binary_search_by_key(&index, |(index, _)| *index);
        found.map_or(&[], |at| self.values[at].1.as_slice())
    }

    /// The queues: the variable that is the length of one, those of its cells, and its letters. A cell has the number of a letter,
    /// from 1 on, and 0 behind the end.
    pub fn queues(&self) -> impl Iterator<Item = (usize, Range<usize>, &[String])> {
        self.queues.iter().map(|queue| (queue.place as usize, queue.range(), queue.letters.as_slice()))
    }

    /// A value of a variable, with its name if it has one.
    pub fn value(&self, index: usize, number: i32) -> Value {
        let name = usize::try_from(number).ok().and_then(|number| self.value_names(index).get(number)).cloned();
        Value { number, name, is_letter: false }
    }

    /// The value of a variable in a state, given by all values: that of a queue has its word for a name, and that of one of
    /// its cells the letter.
    pub fn value_in(&self, index: usize, values: &[i32]) -> Value {
        let number = values[index];
        let of_cell = self.queues.iter().find(|queue| queue.range().contains(&index));
        match (of_cell, self.queues.iter().find(|queue| queue.place as usize == index)) {
            (Some(queue), _) => Value { number, name: queue.letter(number).map(str::to_owned), is_letter: true },
            (None, Some(queue)) => Value { number, name: Some(queue.word(values)), is_letter: false },
            (None, None) => self.value(index, number),
        }
    }

    /// What changes between two states: a queue changes with its word, however long that is.
    pub(crate) fn changes(&self, before: &[i32], after: &[i32]) -> Vec<Change> {
        let mut changed: Vec<usize> = (0..before.len()).filter(|&index| before[index] != after[index]).collect();
        for queue in self.queues.iter().filter(|queue| before[queue.range()] != after[queue.range()]) {
            if let Err(at) = changed.binary_search(&(queue.place as usize)) {
                changed.insert(at, queue.place as usize);
            }
        }
        let change = |index: usize| Change {
            index,
            variable: self.names[index].clone(),
            before: self.value_in(index, before),
            after: self.value_in(index, after),
        };
        changed.into_iter().map(change).collect()
    }

    /// The place of a variable in a state.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|one| one == name)
    }

    /// A state in which these variables have these values, and all others 0.
    pub fn state<'n>(self: &Arc<Variables>, values: impl IntoIterator<Item = (&'n str, i32)>) -> Result<State, Error> {
        let mut state = vec![0; self.len()];
        for (name, value) in values {
            let index = self.index_of(name).ok_or_else(|| self.unknown(name))?;
            state[index] = value;
        }
        Ok(State::new(Arc::clone(self), state))
    }

    /// The state with these values, one for each variable.
    pub fn state_of(self: &Arc<Variables>, values: Vec<i32>) -> Result<State, Error> {
        if values.len() != self.len() {
            let text = format!("a state of this model has {} values, and here are {}", self.len(), values.len());
            return Err(Error::new(ErrorKind::State, text));
        }
        Ok(State::new(Arc::clone(self), values))
    }

    pub(crate) fn unknown(&self, name: &str) -> Error {
        let text = format!("there is no variable `{name}`");
        match nearest(name, self.names.iter().map(String::as_str)) {
            Some(meant) => Error::with_help(ErrorKind::State, text, format!("did you mean `{meant}`?")),
            None => Error::new(ErrorKind::State, text),
        }
    }
}

/// A state: a value for each variable. Displayed, it has those that are not 0.
#[derive(Clone)]
pub struct State {
    variables: Arc<Variables>,
    values: Box<[i32]>,
}

impl State {
    pub(crate) fn new(variables: Arc<Variables>, values: Vec<i32>) -> State {
        State { variables, values: values.into_boxed_slice() }
    }

    /// Its variables.
    pub fn variables(&self) -> &Arc<Variables> {
        &self.variables
    }

    /// The values, in the order of the variables.
    pub fn values(&self) -> &[i32] {
        &self.values
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<i32> {
        self.variables.index_of(name).map(|index| self.values[index])
    }

    /// All variables with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, i32)> {
        self.variables.names().iter().map(String::as_str).zip(self.values.iter().copied())
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let same = || Arc::ptr_eq(&self.variables, &other.variables) || self.variables == other.variables;
        self.values == other.values && same()
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.values.hash(hasher);
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = (0..self.values.len()).map(|index| (index, self.variables.value_in(index, &self.values)));
        let mut shown = values.filter(|(_, value)| !value.is_letter && (value.number != 0 || value.name.is_some()));
        let mut separator = "";
        for (index, value) in shown.by_ref().take(MOST_SHOWN) {
            write!(f, "{separator}{} = {value}", self.variables.names[index])?;
            separator = ", ";
        }
        match shown.count() {
            0 if separator.is_empty() => f.write_str("0 everywhere"),
            0 => Ok(()),
            more => write!(f, ", and {more} more"),
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}
