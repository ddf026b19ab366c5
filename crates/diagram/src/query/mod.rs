//! Questions about a set.

mod arrange;
mod boxes;
mod count;
mod dot;
mod extent;
mod moves;
mod multiplicity;
mod number;
mod pick;
mod sample;
mod size;
mod states;
mod total;
mod values;
mod walk;
mod weight;
mod wide;

pub use arrange::{Arrangement, Counter};
pub use dot::Dot;
pub use extent::Extent;
pub use moves::{Moves, Occurring, Path};
pub use multiplicity::{Multiplicities, Multiplicity};
pub use number::{Count, Exactness, Log10};
pub use sample::Lottery;
pub use size::Size;
pub use states::{Assignment, Assignments, State, States, Value};
pub use weight::{Contribution, Weight};
