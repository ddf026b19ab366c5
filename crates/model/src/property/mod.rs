//! What can be asked of a system.

pub mod contest;
pub(crate) mod linear;

pub use linear::{Linear, NotLinear};

use crate::expression::{Comparison, Integer};
use crate::formalism::Formalism;
use crate::system::{Event, Location};

/// The vocabulary of nets, programs and composites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Systems;

impl Formalism for Systems {
    type Atom = Atom;
    type Quantity = Integer<Location>;
    type Action = Location;
    type Event = Event;
    /// The values of all variables, one after the other.
    type State = Vec<i32>;

    fn can_fire(locations: &[Location]) -> Atom {
        Atom::Fireable(locations.to_vec())
    }
}

/// A named question to a model of some formalism.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property<F: Formalism = Systems> {
    /// Its name.
    pub name: String,
    /// The question.
    pub question: Question<F>,
}

/// What is asked of a model of some formalism.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question<F: Formalism = Systems> {
    /// Is there a reachable state in which this holds?
    Reachable(Formula<F::Atom>),
    /// Does this hold in every reachable state?
    Invariant(Formula<F::Atom>),
    /// Does this hold in no reachable state?
    Never(Formula<F::Atom>),
    /// What are the least and the greatest value of this over the reachable states?
    Bounds(F::Quantity),
    /// Does this formula of CTL hold in the initial states?
    Ctl(Formula<F::Atom>),
    /// Of each of these groups of transitions (or synchronisations), can one always fire again: from every reachable state,
    /// sooner or later, if what happens is chosen well? A group is one transition, or all that a coloured one stands for.
    Live(Vec<Vec<F::Action>>),
    /// Does this formula of LTL hold on all runs from the initial states?
    Ltl(Formula<F::Atom>),
    /// Does this formula of CTL* hold on all runs from the initial states? Operators without a quantifier speak of the run
    /// at hand: that of the nearest quantifier around them.
    CtlStar(Formula<F::Atom>),
}

impl<F: Formalism> Question<F> {
    /// That one of some actions can always fire again, as a formula of CTL: `AG EF fireable(t)`.
    pub fn always_again(actions: &[F::Action]) -> Formula<F::Atom> {
        let fires = Formula::Atom(F::can_fire(actions));
        let again = Formula::Unary(Quantifier::Exists, UnaryOperator::Finally, Box::new(fires));
        Formula::Unary(Quantifier::All, UnaryOperator::Globally, Box::new(again))
    }
}

/// What formulas about nets, programs and composites say of one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A comparison of integer expressions over the variables (or places) of the system.
    Compare(Comparison, Integer<Location>, Integer<Location>),
    /// One of these transitions (or synchronisations) can fire.
    Fireable(Vec<Location>),
    /// The step that led here was one of these transitions (or synchronisations), or what it set off through transient states.
    /// States do not say so: it can be asked once the system has an [observer](crate::observe), which makes a comparison of it.
    Fired(Vec<Location>),
}

/// A formula over the atoms of a formalism: of one state if it has no temporal operator, of CTL if each has a quantifier, of LTL if none has, of
/// CTL* in any case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula<A = Atom> {
    /// True or false.
    Constant(bool),
    /// What a formalism says of one state.
    Atom(A),
    /// Nothing can fire, and it is not the error state.
    Deadlock,
    /// It is the error state ([`ErrorState`](crate::system::ErrorState)); false in systems without one. All other atoms are
    /// false there.
    Error,
    /// Negation.
    Not(Box<Formula<A>>),
    /// All of them (true if there is none).
    And(Vec<Formula<A>>),
    /// One of them (false if there is none).
    Or(Vec<Formula<A>>),
    /// A temporal operator on one formula.
    Unary(Quantifier, UnaryOperator, Box<Formula<A>>),
    /// A temporal operator on two formulas.
    Binary(Quantifier, BinaryOperator, Box<Formula<A>>, Box<Formula<A>>),
}

impl<A> Formula<A> {
    /// Whether it has a temporal operator.
    pub fn is_temporal(&self) -> bool {
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            match formula {
                Formula::Unary(..) | Formula::Binary(..) => return true,
                Formula::Not(inner) => open.push(inner),
                Formula::And(parts) | Formula::Or(parts) => open.extend(parts),
                Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => {}
            }
        }
        false
    }
}

impl<A> Formula<A> {
    /// The same over other atoms: each becomes the formula that `change` gives for it. Nothing if it gives none.
    pub fn map<B>(&self, change: &mut impl FnMut(&A) -> Option<Formula<B>>) -> Option<Formula<B>> {
        Some(match self {
            Formula::Constant(truth) => Formula::Constant(*truth),
            Formula::Deadlock => Formula::Deadlock,
            Formula::Error => Formula::Error,
            Formula::Atom(atom) => change(atom)?,
            Formula::Not(inner) => Formula::Not(Box::new(inner.map(change)?)),
            Formula::And(parts) => Formula::And(parts.iter().map(|part| part.map(change)).collect::<Option<_>>()?),
            Formula::Or(parts) => Formula::Or(parts.iter().map(|part| part.map(change)).collect::<Option<_>>()?),
            Formula::Unary(quantifier, operator, inner) => {
                Formula::Unary(*quantifier, *operator, Box::new(inner.map(change)?))
            }
            Formula::Binary(quantifier, operator, a, b) => {
                Formula::Binary(*quantifier, *operator, Box::new(a.map(change)?), Box::new(b.map(change)?))
            }
        })
    }
}

/// Over which runs a temporal operator speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// The run at hand (LTL).
    None,
    /// All runs from here.
    All,
    /// Some run from here.
    Exists,
}

/// Temporal operators on one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// In the next state.
    Next,
    /// Now or later.
    Finally,
    /// Now and always.
    Globally,
}

/// Temporal operators on two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `f U g`: g comes, and f holds until then.
    Until,
    /// `f W g`: f holds until g comes, or for ever.
    WeakUntil,
    /// `f R g`: g holds until f and g hold together, or for ever.
    Release,
    /// `f M g`: g holds until f and g hold together, and they will.
    StrongRelease,
}
