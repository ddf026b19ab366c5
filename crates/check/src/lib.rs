//! Questions about a model and their answers.
//!
//! A state space is built from a system ([`explore::explore`], or [`quotient::explore`] up to symmetry), and then asked
//! ([`Space::answer`](space::Space::answer)). It knows its *coverage* (all states, enough for what was asked, or a part) and
//! its *quotient* (by which group, if it is up to symmetry), so an answer is right or unknown, whoever asks. [`explicit`] does the
//! same state by state. All of it is generic over the formalism; nets, programs and composites are one of them.
//!
//! Whoever wants to use a model checker rather than build one begins with the crate `mandala`, which stands on this one.
//!
//! ```
//! use mandala_check::answer::{Traces, Verdict};
//! use mandala_check::{explore::explore, options::Options};
//! use mandala_model::gal;
//!
//! let text = "gal light { int red = 1; transition go [red == 1] { red = 0; } transition stop [red == 0] { red = 1; } }";
//! let model = gal::read("light.gal", text, &[])?;
//! let mut space = explore(&model.system, &Options::default()).map_err(|stopped| stopped.to_string())?;
//! assert_eq!(space.count().to_u64(), Some(2));
//!
//! let property = gal::formula(&model.system, "AG EF red == 1")?;
//! assert_eq!(space.answer(&property.question, Traces::Unwanted).verdict, Verdict::Holds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

// The random systems of the tests know this crate by its name.
#[cfg(test)]
extern crate self as mandala_check;

// In layers: each module uses only those above it.
pub mod answer;
mod ask;
mod budget;
pub mod claim;
mod ctl;
pub mod early;
pub mod error_state;
pub mod explicit;
pub mod explore;
pub mod fair;
pub mod figures;
mod lift;
pub mod limits;
pub mod local;
mod ltl;
pub mod markings;
pub mod options;
pub mod partial_symmetry;
pub mod quotient;
mod reach;
mod reduce;
pub mod reduced;
pub mod run;
pub mod select;
pub mod sets;
mod shorten;
pub mod siblings;
pub mod simpler;
pub mod space;
mod steps;
pub mod tensors;
pub mod trace;
pub mod undecided;
pub mod witness;
pub mod workers;

#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod tests;
