//! Folded products on diagrams.

use mandala_analysis::symmetry::SymmetryGroup;
use mandala_diagram::Store;
use mandala_model::system::System;
use mandala_symbolic::canonise::action::Action;
use mandala_symbolic::canonise::apply::apply;
use mandala_symbolic::canonise::reduction::Reduction;
use mandala_symbolic::layout::Layout;

use super::folding::Folding;
use super::{Said, Way, translated, words};
use crate::answer::{Answer, Verdict};
use crate::explore::SystemStopped;
use crate::ltl::Fold;
use crate::options::Options;
use crate::quotient;

/// Decides what is said of all runs of a system that is no composite, on diagrams; and says in words which symmetries were
/// used. These must leave the initial states alone. Without a run that shows it.
pub fn check_on_diagrams<'a>(
    system: &'a System, group: &SymmetryGroup, said: Said<'_>, way: Way, options: &Options,
) -> Result<(Answer, String), SystemStopped<'a>> {
    let (wrong, alphabet, processes) = match translated(system, Some(group), said) {
        Ok(translated) => translated,
        Err(reason) => return Ok((Answer::unknown(reason), String::new())),
    };
    let folding = match Folding::new(&wrong.automaton, &alphabet, processes, way) {
        Ok(folding) => folding,
        Err(reason) => return Ok((Answer::unknown(reason), String::new())),
    };
    if !group.keeps_initial {
        return Ok((Answer::unknown("the symmetries do not leave the initial states alone"), String::new()));
    }
    let mut space = quotient::whole(system, group, options)?;
    let layout = space.encoded.layout(system.main).cloned().unwrap_or_default();
    let Some(folds) = folds(&folding, &alphabet.others, &mut space.encoded.store, &layout) else {
        return Ok((Answer::unknown("the layout of the diagrams does not fit the symmetries"), String::new()));
    };
    let words = words::describe(&folding, way);
    Ok(match space.accepts_no_run(&wrong.automaton, &wrong.propositions, &folds) {
        Ok((is_empty, count)) => {
            (Answer { product_states: Some(count), ..Answer::plain(Verdict::of(is_empty)) }, words)
        }
        Err(reason) => (Answer::unknown(reason), words),
    })
}

/// What is done at each state of the automaton, on the diagrams of a layout; nothing if it does not fit.
fn folds(
    folding: &Folding, others: &[mandala_analysis::symmetry::Part], store: &mut Store, layout: &Layout,
) -> Option<Vec<Fold>> {
    let points = &folding.processes.points;
    let mut folds = Vec::with_capacity(folding.at.len());
    for at in &folding.at {
        let shape = folding.processes.shape(&at.classes, others);
        let canonise = match shape.parts.is_empty() {
            true => None,
            false => Some(Reduction::new(&shape, points).on(store, layout)?),
        };
        let way = match at.way.is_identity() {
            true => None,
            false => {
                let there = Action::new(layout, points, &at.way)?;
                let back = Action::new(layout, points, &at.way.inverse())?;
                Some((apply(store, &there), apply(store, &back)))
            }
        };
        folds.push(Fold { state: at.state as usize, way, canonise });
    }
    Some(folds)
}
