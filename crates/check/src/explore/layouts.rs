//! Layouts that are worth a try.

use mandala_analysis::order::{Candidate, Heuristic};
use mandala_model::system::System;
use mandala_symbolic::encode::Layouts;
use mandala_symbolic::plan::{Hierarchy, Plans};

use super::candidate::LaidOut;
use crate::options::HierarchyChoice;
use crate::space::Description;

/// So many of the most promising orders are also tried upside down: which end is closed first matters, and no measure
/// sees it.
const UPSIDE_DOWN: usize = 5;

/// So many of the most promising orders are also tried with the levels of nested units.
const WITH_UNITS: usize = 2;

/// Layouts that are worth a try, the most promising first.
pub(crate) fn tries<'a>(system: &'a System, plans: &Plans, choice: HierarchyChoice) -> Vec<LaidOut<'a>> {
    let mut tries = Vec::new();
    let has_nested_units = plans.has_nested_units();
    for (rank, Candidate { heuristic, order, .. }) in plans.candidates.iter().enumerate() {
        let mut with = |hierarchy| tries.push(described(system, plans, heuristic.to_string(), order, hierarchy));
        match choice {
            HierarchyChoice::Fixed(hierarchy) => with(hierarchy),
            HierarchyChoice::Automatic if plans.is_wide() && plans.contents.len() > 3 => {
                if !plans.supports.is_empty() {
                    with(Hierarchy::Semiflows);
                }
                if plans.supports.is_empty() || rank < 2 {
                    with(Hierarchy::Communities);
                }
                if rank < 6 {
                    with(Hierarchy::Off);
                }
            }
            HierarchyChoice::Automatic => {
                with(Hierarchy::Off);
                if has_nested_units && rank < WITH_UNITS {
                    with(Hierarchy::Units);
                }
                if rank < UPSIDE_DOWN && !matches!(heuristic, Heuristic::Declared | Heuristic::Reversed) {
                    let reversed: Vec<u32> = order.iter().rev().copied().collect();
                    tries.push(described(system, plans, format!("{heuristic} upside down"), &reversed, Hierarchy::Off));
                }
            }
        }
    }
    tries
}

/// A system without parts in some order.
pub(crate) fn described<'a>(
    system: &'a System, plans: &Plans, order_name: String, order: &[u32], hierarchy: Hierarchy,
) -> LaidOut<'a> {
    let layout = plans.layout(order, hierarchy);
    let levels = layout.depth() + 1;
    let elementary = [(system.main, layout)].into_iter().collect();
    LaidOut {
        system,
        layouts: Layouts { elementary, ..Layouts::default() },
        description: Description { order: order_name, variables: plans.contents.len(), levels },
        model: 0,
    }
}

/// The first of each list, then the second of each, and so on.
pub(crate) fn in_turn<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(lists.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}
