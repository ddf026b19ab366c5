//! Symmetries of automata: states that look alike once the atoms of two processes are exchanged.
//!
//! A formula often treats processes unequally (`fi U fj` for all i < j), and then no exchange of processes leaves it alone.
//! Most states of its automaton do not care all the same. For each exchange, R relates states with the same marks and
//! successors again related, and letters equal up to the exchange ([`Relation`]); what a state is related to itself by are
//! exchanges that it does not notice, and states that are related up to some exchanges are one state of a quotient
//! ([`Exchanges`]).
//!
//! Marks are kept as they are: to exchange marks along with processes is not sound on a quotient. With `G F a & G F b`, a
//! step to a state where a and b are exchanged and back would be a loop that carries one mark only.

mod exchanges;
mod relation;

pub use exchanges::{Exchanges, Representative};
pub use relation::{Relation, Renaming};
