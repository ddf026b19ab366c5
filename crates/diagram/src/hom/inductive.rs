//! Homomorphisms written by a user of the library.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc as Shared;

use crate::memory::{Diagram, Error, Hom};
use crate::store::{Store, Variable};

/// An inductive homomorphism: what happens to one assignment, and what happens to the rest.
///
/// On a diagram that begins with variable `x`, the result is the union over all arcs of what
/// [`at_value`](Inductive::at_value) (or [`at_label`](Inductive::at_label)) answers; on the empty
/// sequence it is [`at_one`](Inductive::at_one). Nodes of variables that it
/// [skips](Inductive::skips) are passed by as they are, and this is what makes closures fast: say
/// of as many variables as possible that they are skipped.
///
/// Two equal values (`Eq`, `Hash`) must be the same homomorphism: results are remembered by them. The
/// methods may use the store they are given, and a value may hold handles of it. A limit can strike
/// there too: pass an [`Error`] on, because what is answered instead would be remembered.
///
/// ```
/// use mandala_diagram::{Answer, Diagram, Error, Inductive, Store, Variable};
///
/// /// Adds one to a variable.
/// #[derive(Debug, PartialEq, Eq, Hash)]
/// struct Increment(Variable);
///
/// impl Inductive for Increment {
///     fn skips(&self, variable: Variable) -> bool {
///         variable != self.0
///     }
///     fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
///         Ok(Answer::to(value.wrapping_add(1), store.identity()))
///     }
///     fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
///         Ok(store.one())
///     }
/// }
///
/// let mut store = Store::new();
/// let state = store.state(&[(0, 4), (1, 7)])?;
/// let increment = store.inductive(Increment(1));
/// assert_eq!(store.apply(&increment, &state)?, store.state(&[(0, 4), (1, 8)])?);
/// # Ok::<(), Error>(())
/// ```
pub trait Inductive: fmt::Debug + Eq + Hash + Send + Sync + 'static {
    /// Whether the homomorphism neither reads nor writes this variable: it is locally invariant on
    /// it (definition 6.1 of the SDD paper).
    fn skips(&self, variable: Variable) -> bool;

    /// What happens to an arc of a data node.
    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error>;

    /// What happens to an arc of a set node. The answer must distribute over the label: for a label
    /// that is the union of two it must be, in effect, the sum of the answers for each.
    ///
    /// By default the result is undefined there (⊤).
    fn at_label(&self, store: &mut Store, variable: Variable, label: &Diagram) -> Result<Answer, Error> {
        let _ = (variable, label);
        let top = store.top();
        Ok(Answer::Whole(store.constant(&top)))
    }

    /// What happens to the empty sequence. It is asked only if a sequence ends before the homomorphism has
    /// handed over to another: for one that looks for a variable, the default drops the states that
    /// do not have it, and to answer [`Store::one`] keeps them.
    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        Ok(store.zero())
    }

    /// Whether the homomorphism only ever drops sequences and changes none. By default not.
    fn is_selector(&self) -> bool {
        false
    }

    /// The homomorphism backwards: `p` is in the result for `s` if `p` is in `possible` and this
    /// homomorphism's result for `p` meets `s`. Not needed for selectors. By default there is none,
    /// and asking for predecessors is an [`Error::NoInverse`].
    fn inverse(&self, store: &mut Store, possible: &Diagram) -> Result<Option<Hom>, Error> {
        let _ = (store, possible);
        Ok(None)
    }
}

/// What an [`Inductive`] homomorphism makes of one arc.
///
/// A homomorphism that needs a value from further down can *guess* it: [`Answer::Guess`] for every candidate, each with
/// a homomorphism below that drops what was guessed wrong.
///
/// All but [`Answer::Whole`] let a closure go on level by level; that one is evaluated as it is and closed afterwards,
/// which is slower.
#[derive(Debug)]
pub enum Answer {
    /// The arc is dropped.
    Drop,
    /// The arc stays as it is, and this homomorphism goes on below it.
    Keep(Hom),
    /// The arc is replaced by others, each with its value or label and with what goes on below it.
    Move(Vec<(Label, Hom)>),
    /// All of these, united.
    Each(Vec<Answer>),
    /// What is [guessed](Guessed) for each of some values: those on the arcs of what the homomorphism makes of what is
    /// below the arc. Values that are not among them must add nothing, so that the result does not depend on how the
    /// states below are divided. At the arcs of set nodes a guess is undefined (⊤).
    Guess(Hom, Guessed),
    /// The whole result for this arc is this homomorphism's, applied to what is below the arc.
    Whole(Hom),
}

/// What follows from a guess. It is asked once for each value.
#[derive(Clone)]
pub struct Guessed(pub(crate) Shared<ByGuess>);

type ByGuess = dyn Fn(&mut Store, i32) -> Result<Answer, Error> + Send + Sync;

impl Guessed {
    /// An answer for each value.
    pub fn new(answer: impl Fn(&mut Store, i32) -> Result<Answer, Error> + Send + Sync + 'static) -> Guessed {
        Guessed(Shared::new(answer))
    }
}

impl fmt::Debug for Guessed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Guessed")
    }
}

/// The label of an arc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// The value of a data variable.
    Value(i32),
    /// A set of states of a variable with structure, or a set of integers.
    Set(Diagram),
}

impl Answer {
    /// The arc gets another value, and the homomorphism goes on below it.
    pub fn to(value: i32, below: Hom) -> Answer {
        Answer::Move(vec![(Label::Value(value), below)])
    }

    /// The arc gets another label, and the homomorphism goes on below it.
    pub fn to_set(label: Diagram, below: Hom) -> Answer {
        Answer::Move(vec![(Label::Set(label), below)])
    }
}

/// [`Inductive`] without the parts that a trait object cannot have.
pub(crate) trait Erased: fmt::Debug + Send + Sync {
    fn skips(&self, variable: Variable) -> bool;
    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error>;
    fn at_label(&self, store: &mut Store, variable: Variable, label: &Diagram) -> Result<Answer, Error>;
    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error>;
    fn is_selector(&self) -> bool;
    fn inverse(&self, store: &mut Store, possible: &Diagram) -> Result<Option<Hom>, Error>;
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn Erased) -> bool;
    fn hash_into(&self, state: &mut dyn Hasher);
}

impl<T: Inductive> Erased for T {
    fn skips(&self, variable: Variable) -> bool {
        Inductive::skips(self, variable)
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        Inductive::at_value(self, store, variable, value)
    }

    fn at_label(&self, store: &mut Store, variable: Variable, label: &Diagram) -> Result<Answer, Error> {
        Inductive::at_label(self, store, variable, label)
    }

    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        Inductive::at_one(self, store)
    }

    fn is_selector(&self) -> bool {
        Inductive::is_selector(self)
    }

    fn inverse(&self, store: &mut Store, possible: &Diagram) -> Result<Option<Hom>, Error> {
        Inductive::inverse(self, store, possible)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Erased) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        std::any::TypeId::of::<T>().hash(&mut state);
        self.hash(&mut state);
    }
}

/// A user's homomorphism inside a term.
#[derive(Clone, Debug)]
pub(crate) struct Boxed(pub(crate) Shared<dyn Erased>);

impl PartialEq for Boxed {
    fn eq(&self, other: &Boxed) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for Boxed {}

impl Hash for Boxed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}
