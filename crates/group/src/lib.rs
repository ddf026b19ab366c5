//! Permutations, permutation groups, and the automorphisms of coloured graphs.
//!
//! A [`Permutation`] moves finitely many points. A [`Group`] is what its generators generate, as a stabiliser chain: its
//! order is exact, and any permutation can be tested for membership. [`automorphisms`] finds generators of the group of
//! a [`ColouredGraph`]: the permutations of its vertices that keep the colours of vertices and map edges to edges of the
//! same colour.
//!
//! ```
//! use mandala_group::{ColouredGraph, automorphisms};
//!
//! // A ring of six: it can be turned and turned over.
//! let ring: Vec<_> = (0..6).flat_map(|one| [(one, (one + 1) % 6, 0), ((one + 1) % 6, one, 0)]).collect();
//! let graph = ColouredGraph::new(vec![0; 6], &ring).expect("all edges are between vertices");
//! let symmetries = automorphisms(&graph, 1_000_000);
//! assert!(symmetries.complete);
//! assert_eq!(symmetries.order(), 12u32.into());
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`permutation`] | permutations as lists of what they move |
//! | [`orbits`] | sets of points that can be mapped to each other |
//! | [`group`] | groups: order, membership, stabilisers, elements |
//! | [`graph`] | coloured graphs |
//! | [`search`] | their automorphisms: refinement of partitions, and search |
//!
//! Nothing here looks at the clock. What can take long has a budget of operations and says when it was not enough.

#![forbid(unsafe_code)]

pub mod graph;
pub mod group;
pub mod orbits;
pub mod permutation;
pub mod search;

pub use dashu_int::UBig;
pub use graph::ColouredGraph;
pub use group::Group;
pub use orbits::Orbits;
pub use permutation::Permutation;
pub use search::{Automorphisms, automorphisms};
