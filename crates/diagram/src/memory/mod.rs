//! Memory and control: handles, roots, collection, caches, limits and counters.

mod bits;
mod cache;
mod collect;
mod handle;
mod limit;
mod process;
mod statistics;

pub(crate) use bits::Bits;
pub(crate) use cache::Cache;
pub(crate) use handle::Handles;
pub(crate) use limit::{Run, Stop};

pub use handle::{Diagram, Hom};
pub use limit::{Cancel, Error, Limits, Progress};
pub use process::ProcessMemory;
pub use statistics::{CacheStatistics, Statistics};
