//! How a state space is built: strategy, order, levels, and how far it may go.

use std::sync::Arc;

use mandala_analysis::order::Heuristic;
use mandala_diagram::Strategy;
use mandala_model::formalism::Formalism;
use mandala_model::property::{Question, Systems};
use mandala_symbolic::encode::Encoding;
use mandala_symbolic::plan::Hierarchy;
use mandala_symbolic::variables::Grouping;

use crate::fair::Obligation;
use crate::limits::{Limits, Progress};
use crate::run::FiniteRuns;

/// How a state space is built.
#[derive(Clone, Debug)]
pub struct Options<F: Formalism = Systems> {
    /// The order in which transitions are applied.
    pub strategy: Strategy,
    /// The order of variables.
    pub order: OrderChoice,
    /// The levels that a flat net gets.
    pub hierarchy: HierarchyChoice,
    /// What diagram variables may stand for.
    pub grouping: Grouping,
    /// Whether one state is kept for each orbit, in [`quotient::explore`](crate::quotient::explore).
    pub quotient: QuotientChoice,
    /// What becomes of runs that end, where a question is about runs.
    pub finite_runs: FiniteRuns,
    /// What runs must meet to count, where a question is about runs.
    pub fairness: Arc<[Obligation<F::Atom>]>,
    /// What is asked, if some states may be enough to answer it: then no more are looked for than that takes. Where one of
    /// these needs all states, all are looked for.
    pub goals: Arc<[Question<F>]>,
    /// How far it may go.
    pub limits: Limits,
    /// Where to see how far it is.
    pub progress: Progress,
}

impl<F: Formalism> Default for Options<F> {
    fn default() -> Options<F> {
        Options {
            strategy: Strategy::Saturation,
            order: OrderChoice::Automatic,
            hierarchy: HierarchyChoice::Automatic,
            grouping: Grouping::Promised,
            quotient: QuotientChoice::Off,
            finite_runs: FiniteRuns::default(),
            fairness: Arc::new([]),
            goals: Arc::new([]),
            limits: Limits::default(),
            progress: Progress::default(),
        }
    }
}

/// How a state space of some encoding is built.
pub(crate) type OptionsFor<E> = Options<<E as Encoding>::Formalism>;

/// Which order variables have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderChoice {
    /// Several are tried, each a little; the one that moves is kept.
    Automatic,
    /// That of a heuristic.
    Heuristic(Heuristic),
    /// This one: places, variables or the instances of the main composite by their index, from top to bottom. Places
    /// that share a diagram variable stand where the first of them stands.
    Given(Vec<u32>),
}

/// Which levels a flat net gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HierarchyChoice {
    /// Where it pays.
    Automatic,
    /// These.
    Fixed(Hierarchy),
}

/// Whether, and how, a quotient by symmetry is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuotientChoice {
    /// Not at all.
    #[default]
    Off,
    /// In the way that gets to an end first.
    Automatic,
    /// Only representatives are kept, from the start.
    Explore,
    /// Representatives are selected from the whole space.
    Select,
    /// Representatives are found one by one.
    List,
}
