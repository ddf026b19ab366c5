//! States, one by one and in order.
//!
//! A [`State`] is written as a flat sequence of tokens, where `x=[` opens the value of a variable
//! that has structure and `]` closes it: however deep a state is nested, to copy, compare or drop it
//! is to do so with a vector. The order of the tokens is such that the order of their sequences is
//! that of the states.
//!
//! [`States`] reads a diagram as an automaton whose words are these sequences. It always takes the
//! least token that comes next; when a state is complete it goes back to the last token that has a
//! greater one beside it. The [`Walk`] knows what can come next.

use std::cmp::Ordering;
use std::fmt;
use std::iter::FusedIterator;

use super::walk::Walk;
use crate::algebra::{RANGE_MAX, RANGE_MIN};
use crate::memory::Diagram;
use crate::store::{Store, Variable};

/// A state: a finite sequence of assignments to variables.
///
/// States are ordered like words: by their first assignment, then by the second, and so on, where
/// the variable counts before the value.
///
/// ```
/// use mandala_diagram::{State, Value};
///
/// let inner = State::new().with(0, 1).with(1, 2);
/// let state = State::new().with(0, 5).with(1, &inner);
/// assert_eq!(state.to_string(), "0=5, 1=[0=1, 1=2]");
///
/// let values: Vec<Value> = state.assignments().map(|assignment| assignment.value).collect();
/// assert_eq!(values, [Value::Integer(5), Value::State(inner.assignments())]);
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub(super) tokens: Vec<Token>,
}

/// A part of a state. `Close` comes before all else because a sequence comes before its
/// continuations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Token {
    /// The end of the value that the last unclosed `Open` began.
    Close,
    Assign(Variable, Part),
}

/// What is assigned. The ends of a range are those of a ranges node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Part {
    Integer(i32),
    Range(i32, i32),
    Open,
}

/// The value of a variable in a [`State`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'a> {
    /// The value of a data variable.
    Integer(i32),
    /// Integers of a variable whose values are sets of integers (see [`Store::integers`]): those from
    /// `low` to `high`. `None` is an open end, and so are `Some(i32::MIN)` as `low` and
    /// `Some(i32::MAX)` as `high`.
    ///
    /// In the states that a store gives, a range with two ends holds one integer, and `low` and `high`
    /// are the same.
    Range {
        /// The least integer.
        low: Option<i32>,
        /// The greatest integer.
        high: Option<i32>,
    },
    /// The value of a variable that has structure: a state of its own.
    State(Assignments<'a>),
}

/// One assignment of a [`State`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment<'a> {
    /// The variable.
    pub variable: Variable,
    /// Its value.
    pub value: Value<'a>,
}

/// The assignments of a [`State`], or of the state that is the value of a variable, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Assignments<'a> {
    tokens: &'a [Token],
}

impl State {
    /// The state without assignments.
    pub fn new() -> State {
        State::default()
    }

    /// The state with one more assignment, at its end.
    pub fn with<'a>(mut self, variable: Variable, value: impl Into<Value<'a>>) -> State {
        self.push(Assignment { variable, value: value.into() });
        self
    }

    /// The assignments.
    pub fn assignments(&self) -> Assignments<'_> {
        Assignments { tokens: &self.tokens }
    }

    fn push(&mut self, assignment: Assignment<'_>) {
        self.tokens.push(Token::Assign(assignment.variable, assignment.value.part()));
        if let Value::State(inner) = assignment.value {
            self.tokens.extend_from_slice(inner.tokens);
            self.tokens.push(Token::Close);
        }
    }
}

impl<'a> FromIterator<Assignment<'a>> for State {
    fn from_iter<I: IntoIterator<Item = Assignment<'a>>>(assignments: I) -> State {
        let mut state = State::new();
        assignments.into_iter().for_each(|assignment| state.push(assignment));
        state
    }
}

impl<'a> Value<'a> {
    /// The integer, if it is a single one: of a data variable, or as a range.
    ///
    /// ```
    /// # use mandala_diagram::Value;
    /// assert_eq!(Value::Range { low: Some(3), high: Some(3) }.integer(), Some(3));
    /// assert_eq!(Value::Range { low: Some(3), high: None }.integer(), None);
    /// ```
    pub fn integer(self) -> Option<i32> {
        match self {
            Value::Integer(value) => Some(value),
            Value::Range { low: Some(low), high: Some(high) } if low == high => Some(low),
            Value::Range { .. } | Value::State(_) => None,
        }
    }

    fn part(self) -> Part {
        match self {
            Value::Integer(value) => Part::Integer(value),
            Value::Range { low, high } => Part::Range(low.unwrap_or(RANGE_MIN), high.unwrap_or(RANGE_MAX)),
            Value::State(_) => Part::Open,
        }
    }

    /// The range with these ends of a ranges node.
    pub(super) fn range(low: i32, high: i32) -> Value<'a> {
        Value::Range { low: (low != RANGE_MIN).then_some(low), high: (high != RANGE_MAX).then_some(high) }
    }
}

impl From<i32> for Value<'_> {
    fn from(value: i32) -> Self {
        Value::Integer(value)
    }
}

impl<'a> From<&'a State> for Value<'a> {
    fn from(state: &'a State) -> Self {
        Value::State(state.assignments())
    }
}

impl PartialOrd for Value<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value<'_> {
    /// Integers come before ranges and ranges before states. An open end is an infinite one.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::State(a), Value::State(b)) => a.cmp(b),
            _ => self.part().cmp(&other.part()),
        }
    }
}

impl<'a> Assignments<'a> {
    /// These assignments as a state.
    pub fn to_state(self) -> State {
        State { tokens: self.tokens.to_vec() }
    }

    /// Where the value ends that begins after the first token.
    fn inner_end(self) -> usize {
        let mut depth = 0;
        let end = self.tokens.iter().position(|token| {
            match token {
                Token::Close => depth -= 1,
                Token::Assign(_, Part::Open) => depth += 1,
                Token::Assign(..) => {}
            }
            depth == 0
        });
        end.unwrap_or(self.tokens.len())
    }
}

impl<'a> Iterator for Assignments<'a> {
    type Item = Assignment<'a>;

    fn next(&mut self) -> Option<Assignment<'a>> {
        let Some(&Token::Assign(variable, part)) = self.tokens.first() else { return None };
        let mut end = 0;
        let value = match part {
            Part::Integer(value) => Value::Integer(value),
            Part::Range(low, high) => Value::range(low, high),
            Part::Open => {
                end = self.inner_end();
                Value::State(Assignments { tokens: &self.tokens[1..end] })
            }
        };
        self.tokens = &self.tokens[end + 1..];
        Some(Assignment { variable, value })
    }
}

impl FusedIterator for Assignments<'_> {}

/// A range of integers as `3`, `3..=5`, `3..`, `..=5` or `..`.
pub(super) fn write_range(f: &mut fmt::Formatter<'_>, low: i32, high: i32) -> fmt::Result {
    match Value::range(low, high) {
        Value::Range { low: Some(low), high: Some(high) } if low == high => write!(f, "{low}"),
        Value::Range { low, high } => {
            low.map_or(Ok(()), |low| write!(f, "{low}"))?;
            f.write_str("..")?;
            high.map_or(Ok(()), |high| write!(f, "={high}"))
        }
        Value::Integer(_) | Value::State(_) => Ok(()),
    }
}

impl fmt::Display for Assignments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for token in self.tokens {
            let Token::Assign(variable, part) = *token else {
                f.write_str("]")?;
                separator = ", ";
                continue;
            };
            write!(f, "{separator}{variable}=")?;
            separator = if part == Part::Open { "" } else { ", " };
            match part {
                Part::Integer(value) => write!(f, "{value}")?,
                Part::Range(low, high) => write_range(f, low, high)?,
                Part::Open => f.write_str("[")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Assignments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.assignments().fmt(f)
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.assignments(), f)
    }
}

impl Store {
    /// The states of a set, in ascending order.
    ///
    /// They are found one at a time: the first one is there at once, however many follow. A range of
    /// integers that has both ends is given integer by integer, one that is open as a whole. ⊤
    /// contributes nothing, and a set of integers, whose elements are not sequences, has no states.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let (below, above) = (store.integers(1..3)?, store.integers(7..)?);
    /// let integers = store.union(&below, &above)?;
    /// let set = store.state(&[(1, 4)])?;
    /// let set = store.assign_set(0, &integers, &set)?;
    /// let states: Vec<String> = store.states(&set).map(|state| state.to_string()).collect();
    /// assert_eq!(states, ["0=1, 1=4", "0=2, 1=4", "0=7.., 1=4"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn states(&self, set: &Diagram) -> States<'_> {
        States { walk: Walk::new(self, self.node_of(set)), tokens: Vec::new(), begun: false }
    }

    /// The states of a set that come after one of its states, in ascending order. So who looks at a few states at a time
    /// goes on where he stopped. Nothing if the set does not hold the state, as [`Store::states`] gives it.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let (a, b) = (store.state(&[(0, 1)])?, store.state(&[(0, 2)])?);
    /// let set = store.union(&a, &b)?;
    /// let first = store.states(&set).next().unwrap();
    /// let rest: Vec<String> = store.states_after(&set, &first).map(|state| state.to_string()).collect();
    /// assert_eq!(rest, ["0=2"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn states_after(&self, set: &Diagram, state: &State) -> States<'_> {
        let mut states = self.states(set);
        states.begun = true;
        for &token in &state.tokens {
            if !states.walk.take(token) {
                // Nowhere to turn: there are no more.
                states.tokens.clear();
                return states;
            }
            states.tokens.push(token);
        }
        states
    }
}

/// The states of a set, in ascending order: see [`Store::states`].
pub struct States<'a> {
    walk: Walk<'a>,
    /// The state found last, or an empty beginning.
    tokens: Vec<Token>,
    begun: bool,
}

impl States<'_> {
    /// Goes back to the last token that has another one after it, and takes that.
    fn turn(&mut self) -> bool {
        while let Some(token) = self.tokens.pop() {
            self.walk.back_to(self.tokens.len());
            if let Some(next) = self.walk.token_after(Some(token)) {
                self.take(next);
                return true;
            }
        }
        false
    }

    fn take(&mut self, token: Token) {
        self.tokens.push(token);
        self.walk.take(token);
    }
}

impl Iterator for States<'_> {
    type Item = State;

    fn next(&mut self) -> Option<State> {
        if self.begun && !self.turn() {
            return None;
        }
        self.begun = true;
        while !self.walk.is_complete() {
            match self.walk.token_after(None) {
                Some(token) => self.take(token),
                None if self.turn() => {}
                None => return None,
            }
        }
        Some(State { tokens: self.tokens.clone() })
    }
}

impl FusedIterator for States<'_> {}
