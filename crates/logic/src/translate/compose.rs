//! Automata from automata of parts, where that may be smaller than the expansion of the whole.
//!
//! What does not depend on when one starts to look (`G F p`, say) can be asked of a word apart from the rest. And to
//! see infinitely often what a prefix shows, one looks for it, and starts again.

use super::{deterministic, translate};
use crate::automaton::{Automaton, Components, Marks, State};
use crate::condition::Condition;
use crate::formula::{Formula, Formulas, Node};
use crate::reduce::reduce;

/// Parts with more pairs of edges are not put together.
const MAX_EDGES: usize = 100_000;

/// An automaton of a formula that falls into parts, if it does.
pub(super) fn compose(formulas: &mut Formulas, f: Formula) -> Option<Automaton> {
    if let Node::Globally(g) = *formulas.node(f)
        && let Node::Finally(h) = *formulas.node(g)
        && formulas.is_syntactic_guarantee(h)
    {
        return again_and_again(formulas, g);
    }
    match formulas.node(f).clone() {
        Node::And(operands) => {
            let (apart, rest) = suspendable(formulas, &operands)?;
            let rest = formulas.all(rest);
            join(formulas, apart.into_iter().chain([rest]), Automaton::intersection)
        }
        Node::Or(operands) => {
            let (apart, rest) = suspendable(formulas, &operands)?;
            let rest = formulas.any(rest);
            join(formulas, apart.into_iter().chain([rest]), Automaton::union)
        }
        // G(e & f) = G e & G f, which are suspendable if e and f are eventual.
        Node::Globally(g) => {
            let Node::And(operands) = formulas.node(g).clone() else { return None };
            if !operands.iter().all(|&operand| formulas.is_eventual(operand)) {
                return None;
            }
            let parts: Vec<Formula> = operands.iter().map(|&operand| formulas.globally(operand)).collect();
            join(formulas, parts, Automaton::intersection)
        }
        // F(u | v) = F u | F v, which are suspendable if u and v are universal.
        Node::Finally(g) => {
            let Node::Or(operands) = formulas.node(g).clone() else { return None };
            if !operands.iter().all(|&operand| formulas.is_universal(operand)) {
                return None;
            }
            let parts: Vec<Formula> = operands.iter().map(|&operand| formulas.finally(operand)).collect();
            join(formulas, parts, Automaton::union)
        }
        _ => None,
    }
}

/// Operands that do not depend on when one starts to look, if there are any, and the others.
fn suspendable(formulas: &Formulas, operands: &[Formula]) -> Option<(Vec<Formula>, Vec<Formula>)> {
    let (apart, rest): (Vec<Formula>, Vec<Formula>) =
        operands.iter().partition(|&&operand| formulas.is_suspendable(operand));
    (!apart.is_empty()).then_some((apart, rest))
}

fn join(
    formulas: &mut Formulas, parts: impl IntoIterator<Item = Formula>,
    operation: fn(&Automaton, &Automaton) -> Result<Automaton, crate::TooLarge>,
) -> Option<Automaton> {
    let mut result: Option<Automaton> = None;
    for part in parts {
        let part = translate(formulas, part).ok()?;
        result = Some(match result {
            None => part,
            Some(before) if before.edge_count() * part.edge_count() > MAX_EDGES => return None,
            Some(before) => reduce(single_initial(operation(&before, &part).ok()?)).ok()?,
        });
    }
    result
}

/// The automaton with one initial state for all.
fn single_initial(mut automaton: Automaton) -> Automaton {
    if automaton.initial().len() > 1 {
        let initial = automaton.add_state();
        let (_, edges, states) = automaton.parts_mut();
        let all = states.iter().flat_map(|&state| edges[state as usize].clone()).collect();
        edges[initial as usize] = all;
        *states = vec![initial];
    }
    automaton
}

/// An automaton of G f for an f that a prefix shows and that holds of a word if it holds of a suffix: that of f, which
/// begins again each time it is satisfied.
fn again_and_again(formulas: &mut Formulas, f: Formula) -> Option<Automaton> {
    let once = translate(formulas, f).ok()?;
    let mut once = deterministic(formulas, f, &once).ok()??;
    let &[initial] = once.initial() else { return None };
    let is_satisfied = |state: State| {
        let mut edges = once.edges(state).iter();
        edges.any(|edge| edge.target == state && edge.condition.is_true())
    };
    let satisfied: Vec<bool> = once.states().map(is_satisfied).collect();
    if satisfied[initial as usize] || !once.is_complete() {
        return None;
    }
    let next = restart(&once, initial, &satisfied, |_, _| vec![(Condition::TRUE, initial)]);
    // The letter that satisfied f may already be the first of the next round.
    let same = restart(&once, initial, &satisfied, |automaton, condition| {
        let target = |state: State| if satisfied[state as usize] { initial } else { state };
        let first = once.edges(initial).iter();
        first.map(|edge| (automaton.conditions_mut().and(edge.condition, condition), target(edge.target))).collect()
    });
    let candidates = [next, same].into_iter().filter_map(|candidate| reduce(begin_inside(candidate)).ok());
    candidates.min_by_key(|candidate| (candidate.state_count(), candidate.edge_count()))
}

/// The automaton with an initial state that no run leaves for ever. If it is deterministic and complete, and its words
/// do not depend on when one starts to look, all states that can be reached accept the same words.
fn begin_inside(mut automaton: Automaton) -> Automaton {
    let components = Components::new(&automaton);
    // The first component has no way out.
    if let Some(state) = components.all().first().and_then(|last| last.states.iter().min()) {
        *automaton.parts_mut().2 = vec![*state];
    }
    automaton
}

/// A copy in which edges to where all is satisfied have a mark, and lead to where the next round begins.
fn restart(
    once: &Automaton, initial: State, satisfied: &[bool],
    begin: impl Fn(&mut Automaton, Condition) -> Vec<(Condition, State)>,
) -> Automaton {
    let mut result = Automaton::with_conditions(once.conditions().clone(), 1);
    once.states().for_each(|_| {
        result.add_state();
    });
    for state in once.states() {
        for edge in once.edges(state) {
            if !satisfied[edge.target as usize] {
                result.add_edge(state, edge.condition, Marks::NONE, edge.target);
                continue;
            }
            for (condition, target) in begin(&mut result, edge.condition) {
                let condition = result.conditions_mut().and(condition, edge.condition);
                result.add_edge(state, condition, Marks::one(0), target);
            }
        }
    }
    result.add_initial(initial);
    result
}
