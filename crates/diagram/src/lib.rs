//! Sets of states, and what can be reached from them.
//!
//! This crate is the decision-diagram library of Mandala: **data decision diagrams** (DDD), **hierarchical set decision
//! diagrams** (SDD), **homomorphisms** on them, and closure by **saturation**. It knows no formalism: nets, programs and
//! protocols are built on top of it.
//!
//! # What a diagram is
//!
//! A [`Diagram`] is a set of *sequences of assignments*, such as `x = 1; y = 0`. It is stored as a graph in which equal
//! parts are shared, so that the states of a system with 10^600 of them may need a few thousand nodes. Two diagrams of a
//! [`Store`] are equal as sets exactly if they are equal as values.
//!
//! ```
//! use mandala_diagram::{Error, Store};
//!
//! # fn main() -> Result<(), Error> {
//! let mut store = Store::new();
//! let (x, y) = (0, 1); // variables are numbers
//! let a = store.state(&[(x, 1), (y, 0)])?;
//! let b = store.state(&[(x, 2), (y, 0)])?;
//! let both = store.union(&a, &b)?;
//! assert_eq!(store.count(&both), 2);
//! assert_eq!(store.difference(&both, &a)?, b);
//! for state in store.states(&both) {
//!     println!("{state}"); // 0=1, 1=0 and 0=2, 1=0
//! }
//! # Ok(())
//! # }
//! ```
//!
//! No order of variables is assumed. Sequences may repeat a variable, differ in length and differ in order, as long as
//! they are *compatible*: after the same beginning, all go on with the same variable or all end. Where they do not, a
//! union is undefined and the diagram has ⊤ in that place; [`Store::undefined_at`] says where. ⊤ is not an error:
//! operations go on, and counts and lists of states pass it by. Ask [`Store::is_undefined`] of a result once, at the end.
//!
//! ## Hierarchy
//!
//! The value of a variable may itself be a state: [`Store::assign_set`] labels an arc with a set. Parts that behave
//! alike are then stored once, wherever they occur, and closed once. A label may also be a set of integers, kept as
//! ranges with or without ends ([`Store::integers`]).
//!
//! ```
//! # use mandala_diagram::{Error, Store};
//! # fn main() -> Result<(), Error> {
//! # let mut store = Store::new();
//! let idle = store.state(&[(0, 1), (1, 0)])?;
//! let busy = store.state(&[(0, 0), (1, 1)])?;
//! let part = store.union(&idle, &busy)?;
//! // A thousand such parts: 2^1000 states in a thousand nodes.
//! let mut system = store.one();
//! for variable in (0..1000).rev() {
//!     system = store.assign_set(variable, &part, &system)?;
//! }
//! assert_eq!(store.count(&system).to_string(), "1.072e301");
//! assert!(store.size(&system).nodes < 1010);
//! # Ok(())
//! # }
//! ```
//!
//! # Homomorphisms
//!
//! What happens to states is a [`Hom`]: a map from sets to sets with `h(a ∪ b) = h(a) ∪ h(b)`. There are maps of the
//! values of a variable ([`Store::value`], [`ValueMap`]), local application to the label of a variable
//! ([`Store::local`]), sums, compositions, set operations, selectors with their negation and choice, fixpoints, and the
//! ones that you write yourself ([`Inductive`]).
//!
//! ```
//! use mandala_diagram::ValueMap;
//! # use mandala_diagram::{Error, Store};
//! # fn main() -> Result<(), Error> {
//! # let mut store = Store::new();
//! // A transition of a Petri net: take a token from place 0, put two into place 1.
//! let enough = store.value(0, ValueMap::at_least(1));
//! let take = store.value(0, ValueMap::add(-1));
//! let put = store.value(1, ValueMap::add(2));
//! let transition = store.sequence([&enough, &take, &put]);
//! let before = store.state(&[(0, 3), (1, 0)])?;
//! assert_eq!(store.apply(&transition, &before)?, store.state(&[(0, 2), (1, 2)])?);
//! # Ok(())
//! # }
//! ```
//!
//! A sequence runs from left to right; [`Store::compose`] is the `∘` of the papers and runs from right to left. A
//! sequence of assignments that lacks one of the variables is dropped: a misspelt variable makes a transition that never
//! happens. Terms are rewritten as they are built: the three links above are one pass over the diagram, and it does not
//! matter in which order its variables come.
//!
//! Inside a part a homomorphism is the same as outside; [`Store::local`] takes it there. What several parts do together
//! is a sequence of local ones, and it happens only if none of them drops the state:
//!
//! ```
//! # use mandala_diagram::{Error, Store, Strategy, ValueMap};
//! # fn main() -> Result<(), Error> {
//! # let mut store = Store::new();
//! // Six stations in a ring; variable 0 of a station says whether it has the token.
//! let give = store.value(0, ValueMap::relation([(1, 0)]));
//! let get = store.value(0, ValueMap::relation([(0, 1)]));
//! let (mut ring, mut moves) = (store.one(), Vec::new());
//! for i in (0..6).rev() {
//!     let station = store.state(&[(0, i32::from(i == 0))])?;
//!     ring = store.assign_set(i, &station, &ring)?;
//!     let (from, to) = (store.local(i, &give), store.local((i + 1) % 6, &get));
//!     moves.push(store.sequence([&from, &to]));
//! }
//! let states = store.reachable(&ring, &moves, Strategy::Saturation)?;
//! assert_eq!(store.count(&states), 6);
//! # Ok(())
//! # }
//! ```
//!
//! # Closure
//!
//! The states that can be reached are `(t1 + ... + tn + Id)*`: [`Store::closure`] as a homomorphism, or
//! [`Store::reachable`] at once. It is evaluated by saturation: each node is closed under the transitions that concern
//! it before anything above it is touched, and what a transition produces below is closed before it comes back up. You
//! do nothing for it. Other strategies are there to compare ([`Strategy`]); closure within a bound
//! (constrained saturation) is [`Store::reachable_within`], and backwards [`Store::can_reach`].
//!
//! ```
//! use mandala_diagram::Strategy;
//! # use mandala_diagram::{Error, Store, ValueMap};
//! # fn main() -> Result<(), Error> {
//! # let mut store = Store::new();
//! // Tokens that wander over ten places.
//! let mut transitions = Vec::new();
//! for place in 0..9 {
//!     let enough = store.value(place, ValueMap::at_least(1));
//!     let take = store.value(place, ValueMap::add(-1));
//!     let put = store.value(place + 1, ValueMap::add(1));
//!     transitions.push(store.sequence([&enough, &take, &put]));
//! }
//! let marking: Vec<_> = (0..10).map(|place| (place, if place == 0 { 5 } else { 0 })).collect();
//! let initial = store.state(&marking)?;
//! let states = store.reachable(&initial, &transitions, Strategy::Saturation)?;
//! assert_eq!(store.count(&states), 2002);
//! # Ok(())
//! # }
//! ```
//!
//! # Questions
//!
//! *Which states satisfy a condition?* Apply a selector. *Which are deadlocks?* Those that no transition's guard selects;
//! or, without guards at hand, those that are no predecessor of anything: every homomorphism of the library can be run
//! backwards, relative to a set of possible predecessors.
//!
//! ```
//! # use mandala_diagram::{Error, Store, Strategy, ValueMap};
//! # fn main() -> Result<(), Error> {
//! # let mut store = Store::new();
//! # let enough = store.value(0, ValueMap::at_least(1));
//! # let take = store.value(0, ValueMap::add(-1));
//! # let step = store.sequence([&enough, &take]);
//! # let (guards, transitions) = ([enough], [step]);
//! # let initial = store.state(&[(0, 3)])?;
//! # let states = store.reachable(&initial, &transitions, Strategy::Saturation)?;
//! let enabled = store.sum(&guards); // a sum of selectors is a selector
//! let stuck = store.not(&enabled);
//! let deadlocks = store.apply(&stuck, &states)?;
//!
//! let step = store.sum(&transitions);
//! let before = store.predecessors(&step, &states)?;
//! let alive = store.apply(&before, &states)?;
//! assert_eq!(store.difference(&states, &alive)?, deadlocks);
//!
//! // One of them, and the states from which one can be reached:
//! let doomed = store.can_reach(&deadlocks, &transitions, &states)?;
//! if let Some(state) = store.pick(&deadlocks) {
//!     println!("{state} is one; {} of {} states can end so", store.count(&doomed), store.count(&states));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`Store::values`] gives the values of a variable, [`Store::states`] lists states, [`Store::contains`] looks one up,
//! and [`Store::dot`] draws the diagram with its hierarchy.
//!
//! # Limits
//!
//! Operations end with an [`Error`] when they reach a [limit](Limits) on memory or time, or when someone
//! [cancels](Cancel) them from another thread. A closure then says what it had [reached](Error::reached), and the store
//! can be used further. Depth is no limit: a hundred thousand variables in a row or twenty thousand levels of hierarchy
//! do not overflow the stack. Garbage is collected when needed, also in the middle of an operation: what you hold a
//! handle on stays. [`Store::statistics`] tells what was done.
//!
//! ```
//! use mandala_diagram::Limits;
//! use std::time::{Duration, Instant};
//! # use mandala_diagram::{Error, Store, Strategy, ValueMap};
//! # fn main() -> Result<(), Error> {
//! # let mut store = Store::new();
//! // A counter that nothing stops: its closure runs until a limit ends it.
//! let (zero, count) = (store.state(&[(0, 0)])?, store.value(0, ValueMap::add(1)));
//! let deadline = Some(Instant::now() + Duration::from_millis(50));
//! store.set_limits(Limits { memory: Some(64 << 20), deadline, ..Limits::default() });
//! let error = store.reachable(&zero, [&count], Strategy::Saturation).unwrap_err();
//! let reached = error.reached().cloned().expect("a closure says what it reached");
//! store.set_limits(Limits::default());
//! println!("{error}, with {} states found", store.count(&reached));
//! # Ok(())
//! # }
//! ```
//!
//! The SDD paper that the documentation cites is A. Hamez, Y. Thierry-Mieg, F. Kordon: *Building Efficient Model Checkers
//! using Hierarchical Set Decision Diagrams and Automatic Saturation*, Fundamenta Informaticae 94 (2009).
#![forbid(unsafe_code)]

mod algebra;
mod closure;
mod construct;
mod hom;
mod memory;
mod node;
mod query;
mod store;

/// Integers of any size, as [`Count::exact`] gives them.
pub use dashu_int::UBig;

pub use closure::Strategy;
pub use hom::{Answer, Guessed, Inductive, Label, ValueMap};
pub use memory::{CacheStatistics, Cancel, Diagram, Error, Hom, Limits, ProcessMemory, Progress, Statistics};
pub use query::{
    Arrangement, Assignment, Assignments, Contribution, Count, Counter, Dot, Exactness, Extent, Log10, Lottery, Moves,
    Multiplicities, Multiplicity, Occurring, Path, Size, State, States, Value, Weight,
};
pub use store::{OuterBudget, Store, Variable};

/// The README's program compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
