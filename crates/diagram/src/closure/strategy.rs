//! (in the making)

/// How.
pub enum Strategy {
    /// Saturation.
    Saturation,
}
