//! From which size on a dynamic subclass behaves as any larger one.
//!
//! A firing splits a few colours off a dynamic subclass, and a token has a few colours of one. So there is a size from which on
//! nothing that a transition does depends on how large the subclass is. There is none for a class whose bags are compared by how
//! much is in them, or whose bags may hold any number of colours.

use super::super::SymbolicNet;
use super::super::binding::Prepared;
use super::super::bound;
use super::super::scene::Scene;
use mandala_model::coloured::bounds::Held;
use mandala_model::coloured::visit::Leaf;
use mandala_model::coloured::{Arc, ColouredNet, Guard, Sort, Tokens};

/// Colours that a firing may split off one subclass. Beyond, sizes are told apart one by one.
const MOST_SPLIT: u64 = 16;

/// By static subclass of several colours: from which size on dynamic subclasses of it behave alike, if there is such a size.
pub(super) fn thresholds(symbolic: &SymbolicNet<'_>) -> Vec<Option<u32>> {
    let palette = &symbolic.palette;
    // Where a class turns, exchanges of subclasses come with turns: sizes are then told apart.
    let turns = palette.classes.iter().any(|class| class.is_turned);
    let by_class: Vec<Option<u32>> =
        (0..palette.classes.len()).map(|class| if turns { None } else { of_class(symbolic, class as u32) }).collect();
    palette.cells.iter().map(|cell| by_class[cell.class as usize]).collect()
}

fn of_class(symbolic: &SymbolicNet<'_>, class: u32) -> Option<u32> {
    let net = symbolic.net;
    let occurs = |domain: &[Sort]| domain.iter().filter(|sort| sort.class() == class).count() as u64;
    let in_token = net.places.iter().map(|place| occurs(&place.domain)).max().unwrap_or(0);
    let mut most = 0;
    for prepared in &symbolic.transitions {
        most = most.max(split_off(symbolic, prepared, class)?);
    }
    u32::try_from(most + in_token.max(1)).ok().filter(|_| most <= MOST_SPLIT)
}

/// How many colours of a class a transition splits off at most; nothing if it may look at how many there are.
fn split_off(symbolic: &SymbolicNet<'_>, prepared: &Prepared<'_>, class: u32) -> Option<u64> {
    let (net, transition) = (symbolic.net, prepared.transition);
    let whole = |variable: usize| {
        let held = prepared.occurrences.iter().filter(|one| one.variable as usize == variable);
        held.into_iter().any(|one| one.held == Held::Whole)
    };
    let mut counts = false;
    let mut looks_at = |leaf: Leaf<'_>| match leaf {
        Leaf::Set(set) => counts |= set.class == class,
        Leaf::Bag(variable) => {
            let variable = variable as usize;
            counts |= transition.variables[variable].sort == Sort::Bag(class) && whole(variable);
        }
        Leaf::Term(_) => {}
    };
    each_guard(transition, &mut |guard| {
        if let Guard::Cardinality(..) = guard {
            guard.leaves(&mut looks_at);
        }
    });
    if counts {
        return None;
    }
    let mut scene = Scene::new(net, &symbolic.palette);
    let cells = (0..).zip(&symbolic.palette.cells).map(|(index, cell)| (index, cell.size));
    scene.begin(cells, transition.variables.len());
    let mut sum = 0;
    for (variable, of) in transition.variables.iter().enumerate() {
        sum += match of.sort {
            Sort::Colour(of) => u64::from(of == class),
            Sort::Bag(of) if of == class && !whole(variable) => {
                bound::most_by_guard(&scene, prepared, variable).filter(|&most| most <= MOST_SPLIT)?
            }
            Sort::Bag(_) => 0,
        };
    }
    Some(sum)
}

/// Visits all guards of a transition: its own, and those on its arcs, with all their parts.
fn each_guard(transition: &mandala_model::coloured::Transition, visit: &mut dyn FnMut(&Guard)) {
    let mut guards: Vec<&Guard> = vec![&transition.guard];
    let arcs = transition.takes.iter().chain(&transition.puts).chain(&transition.inhibitors);
    let mut open: Vec<&Tokens> = arcs.map(|arc: &Arc| &arc.tokens).collect();
    while let Some(tokens) = open.pop() {
        match tokens {
            Tokens::Tuple(_) => {}
            Tokens::Sum(parts) => open.extend(parts),
            Tokens::Difference(from, taken) => open.extend([&**from, &**taken]),
            Tokens::Times(_, inner) => open.push(inner),
            Tokens::When(guard, inner) => {
                guards.push(guard);
                open.push(inner);
            }
        }
    }
    while let Some(guard) = guards.pop() {
        visit(guard);
        match guard {
            Guard::Not(inner) => guards.push(inner),
            Guard::And(parts) | Guard::Or(parts) => guards.extend(parts),
            _ => {}
        }
    }
}

/// Whether sizes of a static subclass without threshold can be told from the mark of those that are free.
pub(super) fn too_large(net: &ColouredNet, symbolic: &SymbolicNet<'_>, thresholds: &[Option<u32>]) -> Option<String> {
    let cells = symbolic.palette.cells.iter().zip(thresholds);
    let mut large = cells.filter(|(cell, threshold)| threshold.is_none() && cell.size >= super::shape::MANY / 2);
    large.next().map(|(cell, _)| net.classes[cell.class as usize].name.clone())
}
