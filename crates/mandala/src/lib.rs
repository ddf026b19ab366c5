//! A symbolic model checker.

#![forbid(unsafe_code)]

// In layers: each module uses only those before it in `ARCHITECTURE.md`.
mod answer;
pub mod automaton;
pub mod contest;
mod engine;
mod error;
mod facts;
mod figures;
mod format;
mod input;
mod limits;
mod model;
mod options;
mod picture;
mod progress;
mod query;
mod question;
mod space;
mod symmetry;
mod trace;
mod witness;
mod words;

pub use answer::{Answer, Answers, Ended, Verdict};
pub use error::{Error, ErrorKind};
pub use facts::{Arcs, CompositeFacts, Facts, NetFacts, OrderFacts, ProgramFacts, TypeFacts};
pub use figures::{Counted, Figures, Growth, Layout, NoFigures};
pub use format::Format;
pub use limits::{Cancel, Deadline, Memory, Reason, memory, peak_memory, time};
pub use mandala_analysis::order::Heuristic;
pub use mandala_diagram::{CacheStatistics, Count, Log10, Statistics};
pub use mandala_model::classic;
pub use mandala_model::text::{Problem, Span, Unreadable};
pub use model::{Model, Reader, Shape};
pub use options::{FiniteRuns, Levels, Listener, Note, Options, Order, Strategy, Symmetries, Symmetry, Traces};
pub use picture::Picture;
pub use progress::Progress;
pub use query::{AllStates, OneQuestion, Query, Questions};
pub use question::{Kind, Question};
pub use space::Space;
pub use symmetry::{Declared, Fold, Folding, Group, Standing};
pub use trace::{Change, Step, Trace, Value};
pub use witness::{Claim, Shown, Witness};
