//! Linear temporal logic and automata on infinite words.
//!
//! A [`Formula`] says which infinite words are right. An [`Automaton`] accepts infinite words, and [`translate()`]
//! makes an automaton that accepts exactly the words of which a formula holds. A model satisfies a formula if no run of
//! the model is a word of the automaton of the formula's negation; that question is not asked here, but everything up
//! to it is.
//!
//! ```
//! use mandala_logic::{Atoms, Formulas, translate};
//!
//! let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
//! let f = formulas.parse("G(request -> F answer)", &mut atoms)?;
//! let negation = formulas.negation(f);
//! let wrong = translate(&mut formulas, negation)?;
//! let word = wrong.accepted_word().expect("some words are wrong");
//! assert_eq!(word.display(&atoms), "{request} ({})");
//! assert!(!word.satisfies(&formulas, f));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`formula`] | formulas: reader, printer, negation normal form, simplification |
//! | [`condition`] | conditions on letters, as decision diagrams |
//! | [`automaton`] | transition-based generalised Büchi automata: components, strength, products, one mark for many |
//! | [`mod@translate`] | from formulas to automata |
//! | [`reduce`] | smaller automata |
//! | [`symmetry`] | states that are alike up to an exchange of atoms |
//! | [`classify`] | safety, guarantee, obligation |
//! | [`words`] | words that repeat: what holds of them, what accepts them, and how to find them |
//! | [`hoa`] | automata as text, for other tools |
//!
//! Formulas and conditions are small numbers that belong to a store or table; atoms are numbers too, with names kept
//! beside in an [`Atoms`]. What can grow beyond all bounds returns [`TooLarge`] instead; limits count, and do not look
//! at the clock, so that the same formula always has the same automaton.

#![forbid(unsafe_code)]

pub mod automaton;
pub mod classify;
pub mod condition;
pub mod formula;
pub mod hoa;
mod limits;
pub mod reduce;
pub mod symmetry;
pub mod translate;
pub mod words;

pub use automaton::Automaton;
pub use condition::{Condition, Conditions};
pub use formula::{Atoms, Formula, Formulas, SyntaxError};
pub use limits::TooLarge;
pub use translate::{translate, translate_apart};
