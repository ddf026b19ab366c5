//! Questions about a set.

mod count;
mod number;
mod size;
mod wide;

pub use number::{Count, Exactness, Log10};
pub use size::Size;
