//! States with the names of their variables.

use crate::trace::Value;
use mandala_model::semantics::Semantics;
use mandala_model::text::suggest::nearest;
use std::fmt;
use std::hash::{Hash, Hasher};
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
}

impl Variables {
    pub(crate) fn of(semantics: &Semantics<'_>) -> Variables {
        let values = semantics.value_names().into_iter().enumerate();
        let named = values.filter(|(_, names)| !names.is_empty()).map(|(index, names)| (index, names.to_vec()));
        Variables { names: semantics.variables(), values: named.collect() }
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

    /// A value of a variable, with its name if it has one.
    pub fn value(&self, index: usize, number: i32) -> Value {
        let name = usize::try_from(number).ok().and_then(|number| self.value_names(index).get(number)).cloned();
        Value { number, name }
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
        let is_shown = |(index, number): &(usize, i32)| *number != 0 || !self.variables.value_names(*index).is_empty();
        let mut shown = self.values.iter().copied().enumerate().filter(is_shown);
        let mut separator = "";
        for (index, number) in shown.by_ref().take(MOST_SHOWN) {
            write!(f, "{separator}{} = {}", self.variables.names[index], self.variables.value(index, number))?;
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
