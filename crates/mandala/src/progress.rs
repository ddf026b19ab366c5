//! How far work is, to be looked at from another thread.

use mandala_check::limits;

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
pub struct Progress(pub(crate) limits::Progress);

impl Progress {
    /// Nodes of diagrams.
    pub fn nodes(&self) -> usize {
        self.0.nodes()
    }

    /// Bytes of diagrams.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// States found one by one; 0 where diagrams are made.
    pub fn states(&self) -> u64 {
        self.0.states()
    }
}
