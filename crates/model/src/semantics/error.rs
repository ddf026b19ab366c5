//! What can go wrong when a system runs.

use crate::system::PrioritiesInside;
use std::fmt;

/// A system whose states cannot be written down one by one, or have no steps that are defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// A state has more variables than this.
    Variables(usize),
    /// There are more instances than this.
    Instances(usize),
    /// Composites are nested deeper than this.
    Levels(usize),
    /// The ways in which a synchronisation can choose among those it calls are too many, or never end.
    Choices {
        /// The composite.
        composite: String,
        /// The synchronisation.
        synchronisation: String,
    },
    /// A net with priorities is an instance of a composite, where it is not defined what they mean.
    Priorities(PrioritiesInside),
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Variables(most) => write!(f, "a state has more than {most} variables"),
            TooLarge::Instances(most) => write!(f, "the system has more than {most} instances"),
            TooLarge::Levels(most) => write!(f, "composites are nested more than {most} deep"),
            TooLarge::Choices { composite, synchronisation } => write!(
                f,
                "the calls of the synchronisation `{synchronisation}` of `{composite}` on the composite itself can be \
                 chosen in too many ways or go in circles"
            ),
            TooLarge::Priorities(inside) => write!(f, "{inside}"),
        }
    }
}

impl std::error::Error for TooLarge {}

/// Something went wrong in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// The transition whose action failed, with its path; `None` if it was a formula or the like.
    pub transition: Option<String>,
    /// The state of the system before.
    pub state: Vec<i32>,
    /// That state, with names.
    pub shown: String,
    /// What went wrong.
    pub cause: Cause,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(transition) = &self.transition {
            write!(f, "transition `{transition}`: ")?;
        }
        write!(f, "{}", self.cause)?;
        if !self.shown.is_empty() {
            write!(f, ", in the state {}", self.shown)?;
        }
        Ok(())
    }
}

impl std::error::Error for RunError {}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An array has no element with this index.
    Index {
        /// The index.
        index: i32,
        /// How many elements the array has.
        length: u32,
    },
    /// A division (or remainder, or negative power) by zero.
    DivisionByZero,
    /// A place would hold more tokens than a 32-bit number says.
    Overflow {
        /// The place.
        place: String,
    },
    /// A `fixpoint` comes back to where it was and never ends.
    Oscillates,
    /// An action does not end within a generous number of steps.
    TooLong,
    /// More of one kind in a bag than a 32-bit number says.
    BagOverflow,
    /// There are more bindings of a transition to try than this.
    TooManyBindings(usize),
    /// What was given is no marking of the coloured net.
    NotAMarking,
    /// A coloured net names something that it does not have, or that is of another sort.
    Malformed,
    /// Something leads to more states than can be listed.
    TooManyStates(usize),
    /// Expressions, statements or calls are nested too deeply.
    TooDeep,
    /// A state of another size was given.
    NotAState {
        /// How many variables a state has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// The value of a sum in a formula has more digits than can be told.
    TooLarge,
    /// A temporal operator in what should speak of one state.
    Temporal,
    /// A formula asks which step led to a state, and nobody has written that down.
    NotObserved,
    /// A formula names a variable, transition or synchronisation that the system does not have.
    Unknown,
}

impl Cause {
    /// Whether it means that an expression has no value in a state, which makes a comparison false.
    pub(super) fn is_no_value(&self) -> bool {
        matches!(self, Cause::Index { .. } | Cause::DivisionByZero)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Index { index, length } => {
                write!(f, "there is no element {index} in an array of length {length}")
            }
            Cause::DivisionByZero => write!(f, "division by zero"),
            Cause::Overflow { place } => write!(f, "the place `{place}` would hold more than 2147483647 tokens"),
            Cause::Oscillates => write!(f, "a fixpoint comes back to where it was and never ends"),
            Cause::TooLong => write!(f, "the action does not end within {} steps", Work::MOST),
            Cause::BagOverflow => write!(f, "a bag would have more than 4294967295 of one colour"),
            Cause::TooManyBindings(most) => write!(f, "there are more than {most} bindings to try"),
            Cause::NotAMarking => write!(f, "what was given is no marking of the net"),
            Cause::Malformed => write!(f, "an expression names something that the net does not have"),
            Cause::TooManyStates(most) => write!(f, "more than {most} states in one step"),
            Cause::TooDeep => write!(f, "expressions, statements or calls are nested too deeply"),
            Cause::TooLarge => write!(f, "the value of a sum is beyond 64 bits"),
            Cause::NotAState { expected, found } => {
                write!(f, "a state has {expected} variables, and {found} were given")
            }
            Cause::Temporal => write!(f, "a temporal operator cannot be evaluated on one state"),
            Cause::NotObserved => write!(f, "which step led to a state is not known here"),
            Cause::Unknown => write!(f, "the formula names something that the system does not have"),
        }
    }
}

/// An error within a type: which transition failed, from there.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    /// The instances on the way, the innermost first.
    pub path: Vec<u32>,
    /// The transition or synchronisation, if it was one.
    pub index: Option<u32>,
    /// What went wrong.
    pub cause: Cause,
}

impl Failure {
    /// The failure of a transition.
    pub fn of(index: u32, cause: Cause) -> Failure {
        Failure { path: Vec::new(), index: Some(index), cause }
    }

    /// The same, seen from outside an instance.
    pub fn within(mut self, instance: u32) -> Failure {
        self.path.push(instance);
        self
    }
}

impl From<Cause> for Failure {
    fn from(cause: Cause) -> Failure {
        Failure { path: Vec::new(), index: None, cause }
    }
}

/// Counts the steps of a firing, so that one that never ends is noticed.
#[derive(Default)]
pub(super) struct Work {
    done: u64,
}

impl Work {
    /// Steps that a firing may take.
    const MOST: u64 = 4_000_000;

    /// States that a firing may lead to.
    pub const MOST_STATES: usize = 1 << 20;

    /// One more step.
    pub fn step(&mut self) -> Result<(), Cause> {
        self.done += 1;
        if self.done > Work::MOST { Err(Cause::TooLong) } else { Ok(()) }
    }
}
