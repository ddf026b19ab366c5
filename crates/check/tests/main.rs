//! All tests of the crate in one program: what is generic over the formalism is compiled once for all of them.

mod common;

mod bodies;
mod coloured;
mod counting;
mod ctl;
mod ctl_star;
mod declared;
mod dve;
mod dve_random;
mod early;
mod evaluate;
mod explicit;
mod explicit_models;
mod fairness;
mod flattening;
mod layers;
mod ltl;
mod outline;
mod partial;
mod partial_symmetry;
mod priorities;
mod question_reductions;
mod queues;
mod quotients;
mod random_systems;
mod reduced;
mod renaming;
mod srg;
mod symbolic_markings;
mod symbolic_papers;
mod symbolic_random;
mod symbolic_sets;
mod tensors;
mod witness;
mod wrapping;
