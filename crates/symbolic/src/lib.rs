//! A model's states and transitions as diagrams and homomorphisms.
//!
//! This crate stands between a model, which is plain data, and the diagrams of `mandala-diagram`, which know no formalism. It
//! decides which diagram variables a model gets ([`variables`]), in which order and hierarchy they lie ([`plan`],
//! [`layout`]), and what each transition does to a set of states. [`encode::Encoded`] is the result: a store with the initial
//! states, the transition relation and what a formula says of one state, all as diagrams and homomorphisms.
//!
//! ```
//! use mandala_diagram::{Store, Strategy};
//! use mandala_model::gal;
//! use mandala_symbolic::encode::{Encoded, Layouts};
//!
//! let text = "gal Counters {
//!     int x = 0; int y = 0;
//!     transition up [x < 9] { x += 1; }
//!     transition add [y < 100] { y = y + x; }
//! }";
//! let model = gal::read("counters.gal", text, &[])?;
//! // Without a layout of their own, variables lie in the order in which they are declared.
//! let mut encoded = Encoded::new(&model.system, Store::new(), Layouts::default())?;
//! let Encoded { store, initial, relation, .. } = &mut encoded;
//! let states = store.reachable(initial, &*relation, Strategy::Saturation)?;
//! assert_eq!(store.count(&states).to_string(), "946");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Transitions that compare variables with constants and add constants to them are [steps](step). All others are evaluated as
//! the diagram is descended ([`evaluate`]: EquivSplit, SolveSub, InvertAssign). What a group of symmetries does to sets of
//! states is [`canonise`]. [`packed`] has states as machine words, where it is better to go through them one by one.

#![forbid(unsafe_code)]

pub mod canonise;
pub mod demand;
pub mod encode;
pub mod evaluate;
pub mod layout;
pub mod marking;
pub mod packed;
pub mod plan;
pub mod program;
pub mod queue;
pub mod step;
pub mod tensors;
pub mod variables;
