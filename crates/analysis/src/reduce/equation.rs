//! What the places of a net say about those of the reduced one.

/// An equation between *nodes*: the places of the net, and those that rules made. Read from the last to the first, each
/// says what a marking of the reduced net leaves open: the markings of the net are the solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Equation {
    /// A place that follows from others: `factor * place` is the sum of the terms and a constant, in every marking.
    Follows {
        /// The place.
        place: u32,
        /// At least 1.
        factor: i64,
        /// Nodes, each with what it is multiplied with.
        terms: Vec<(u32, i64)>,
        /// What is added.
        constant: i64,
    },
    /// A place that was made of others: any numbers of tokens that add up to those of the whole.
    Sum {
        /// The place that was made.
        whole: u32,
        /// What it was made of; what is no place of the net stands for tokens that are nowhere.
        parts: Vec<u32>,
    },
}
