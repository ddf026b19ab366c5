//! Questions about a set.

mod count;
mod dot;
mod extent;
mod moves;
mod number;
mod pick;
mod size;
mod states;
mod values;
mod walk;
mod weight;
mod wide;

pub use dot::Dot;
pub use extent::Extent;
pub use moves::{Moves, Occurring, Path};
pub use number::{Count, Exactness, Log10};
pub use size::Size;
pub use states::{Assignment, Assignments, State, States, Value};
pub use weight::{Contribution, Weight};
