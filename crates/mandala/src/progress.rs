//! How far work is, to be looked at from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far work is: give it to a query, keep a clone, and look at it from another thread.
///
/// ```
/// let progress = mandala::Progress::default();
/// let model = mandala::Model::parse("gal two { int x = 0; transition t [x == 0] { x = 1; } }", mandala::Format::Gal)?;
/// model.states().progress(&progress).run()?;
/// println!("{} nodes in {} bytes", progress.nodes(), progress.bytes());
/// # Ok::<(), mandala::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Diagrams in the making.
    pub(crate) diagrams: mandala_diagram::Progress,
    /// States found one by one.
    pub(crate) states: Arc<AtomicU64>,
}

impl Progress {
    /// Nodes of diagrams.
    pub fn nodes(&self) -> usize {
        self.diagrams.nodes()
    }

    /// Bytes of diagrams.
    pub fn bytes(&self) -> usize {
        self.diagrams.bytes()
    }

    /// States found one by one; 0 where diagrams are made.
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }
}
