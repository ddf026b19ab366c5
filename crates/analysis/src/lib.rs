//! What can be known of a model without its states.
//!
//! Before a state space is built, a model already tells a great deal. The places of a net add up to constants, so that one
//! variable can stand for several places and no place can hold more than so many tokens ([`structure`]). Which variables
//! events share suggests orders of the variables in which diagrams stay small ([`order`]). Parts that look alike can be
//! exchanged ([`symmetry`]). A coloured net says things about its unfolded net ([`coloured`]). And some questions are answered by the shape of the net alone ([`outline`]).
//!
//! Nothing here knows about diagrams, and nothing looks at more than a bounded part of the state space. What could take long
//! has a budget, which counts operations and not seconds: the same model always gives the same result.
//!
//! ```
//! use mandala_analysis::structure::Structure;
//! use mandala_analysis::symmetry::{Preserved, find};
//! use mandala_model::gal;
//! use mandala_model::system::Type;
//!
//! // Two clients that share a lock.
//! let text = "net Lock {
//!     place free = 1; place [2] idle = (1, 1); place [2] busy;
//!     transition enter (0..1 $c) { take free; take idle[$c]; put busy[$c]; }
//!     transition leave (0..1 $c) { take busy[$c]; put free; put idle[$c]; }
//! }";
//! let model = gal::read("lock.gal", text, &[])?;
//! let Type::Net(net) = &model.system.types[model.system.main] else { panic!("it is a net") };
//!
//! // The tokens of free, busy[0] and busy[1] always add up to one: mutual exclusion, without a single state.
//! let structure = Structure::new(net);
//! let flow = structure.semiflows.flows.iter().find(|flow| flow.weights == [(0, 1), (3, 1), (4, 1)]);
//! assert_eq!(flow.and_then(|flow| flow.constant(net)), Some(1));
//!
//! // The clients are interchangeable.
//! let preserved = Preserved { initial: true, questions: &[] };
//! let symmetries = find(&model.system, &preserved, 1_000_000).expect("it is small");
//! assert_eq!(symmetries.order(), 2u32.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod coloured;
pub mod equation;
pub mod order;
pub mod outline;
pub mod polytope;
pub mod reduce;
pub mod structure;
pub mod symmetry;
