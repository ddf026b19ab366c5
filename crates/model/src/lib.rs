//! Formalisms as plain data, with their readers, their writers and their meaning.
//!
//! Whatever is read becomes a [`system::System`]: types, and instances of types nested in composites. A type at the bottom is
//! a Petri net ([`net::Net`]) or a program of guarded actions ([`system::Program`]). What can be asked of a system is a
//! [`property::Property`]. All of these are plain data: one can build them in code as well, look at them and change them.
//!
//! The meaning of a system is given state by state by [`semantics::Semantics`]: the initial states, and which step leads where.
//! It is slow and plain on purpose. Everything that is faster is tested against it.
//!
//! ```
//! use mandala_model::gal;
//! use mandala_model::semantics::Semantics;
//!
//! let text = "gal Counter { int x = 0; transition up [x < 3] { x += 1; } transition reset [x == 3] { x = 0; } }";
//! let model = gal::read("counter.gal", text, &[])?;
//! let semantics = Semantics::new(&model.system)?;
//! let mut state = semantics.initial_states()?.remove(0);
//! for expected in ["x=1", "x=2", "x=3"] {
//!     let step = semantics.successors(&state)?.remove(0);
//!     assert_eq!(semantics.name(&step.event), "up");
//!     state = step.state;
//!     assert_eq!(semantics.show(&state), expected);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`gal`], [`dve`], [`net::pnml`], [`coloured::sn`], [`coloured::pnml`], [`coloured::greatspn`] | readers and writers; an error shows its place in the text and how to go on |
//! | [`coloured`] | symmetric nets, with and without bags |
//! | [`system`], [`net`], [`expression`] | systems, nets, expressions |
//! | [`property`] | questions and formulas, and the property files of the Model Checking Contest |
//! | [`formalism`] | what a formalism calls its own: atoms, quantities, actions, events, states |
//! | [`semantics`] | what a system means, state by state |
//! | [`flatten`] | a composite as one net or one program |
//! | [`observe`] | a system that remembers its last step |
//! | [`symmetry`] | symmetries as a model declares them |
//! | [`classic`] | the models of the papers, of any size |
//! | [`text`] | places in a text, and problems found there |
//!
//! Nothing here builds a state space or knows about diagrams. A new formalism begins here: a folder with its data, its
//! reader, and its meaning.

#![forbid(unsafe_code)]

pub mod classic;
pub mod coloured;
pub mod dve;
pub mod expression;
pub mod flatten;
pub mod formalism;
pub mod gal;
pub mod net;
pub mod observe;
mod pnml;
pub mod property;
pub mod semantics;
pub mod symmetry;
pub mod system;
pub mod text;
