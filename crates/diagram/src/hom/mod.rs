//! Homomorphisms as terms.
//!
//! A homomorphism maps sets to sets such that `h(0) = 0` and `h(a + b) = h(a) + h(b)`. Terms are
//! hash-consed: equal terms have equal ids and so share what is remembered of them. They are
//! rewritten as they are built (`rewrite`); what a term *does* is in `closure`, because every
//! homomorphism is evaluated as "fire, then close", if need be with nothing to close under.

mod answer;
mod build;
mod index;
mod inductive;
mod inverse;
mod rewrite;
mod term;
mod value_map;

pub(crate) use answer::{Answers, LabelAnswers, Then};
pub(crate) use index::Index;
pub(crate) use inductive::Boxed;
pub(crate) use rewrite::Link;
pub(crate) use term::{Closure, ID, NOTHING, NULL, Steps, Term, TermData, Terms};

pub use inductive::{Answer, Guessed, Inductive, Label};
pub use value_map::ValueMap;
pub(crate) use value_map::{Image, Map, related};
