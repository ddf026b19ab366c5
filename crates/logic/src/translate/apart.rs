//! Disjunctions: the automata of the operands side by side, under one initial state.
//!
//! The negation of a conjunction is a disjunction, and where the conjunction is long its operands mostly speak of few
//! atoms each. Expanded together they are told apart by all letters over all atoms; side by side no condition speaks of
//! more atoms than one operand does. `F(f | g)` is `F f | F g`, and one state waits for all of them.

use super::translate;
use crate::TooLarge;
use crate::automaton::{Automaton, Edge, Marks, State};
use crate::condition::{Condition, Import};
use crate::formula::{Formula, Formulas, Node};
use crate::reduce::{merge_equal, prune, tidy_marks};

/// The operands of a disjunction: what is to hold now, and what is to hold now or later.
struct Operands {
    now: Vec<Formula>,
    later: Vec<Formula>,
}

impl Operands {
    fn of(formulas: &mut Formulas, f: Formula) -> Operands {
        let alternatives = |formulas: &Formulas, f: Formula| match formulas.node(f) {
            Node::Or(operands) => operands.to_vec(),
            _ => vec![f],
        };
        let (mut now, mut later) = (Vec::new(), Vec::new());
        for operand in alternatives(formulas, f) {
            match *formulas.node(operand) {
                Node::Finally(g) => later.extend(alternatives(formulas, g)),
                _ => now.push(operand),
            }
        }
        Operands { now: grouped(formulas, now), later: grouped(formulas, later) }
    }

    fn len(&self) -> usize {
        self.now.len() + self.later.len()
    }
}

/// Operands, with one for all that say something of one letter only.
fn grouped(formulas: &mut Formulas, operands: Vec<Formula>) -> Vec<Formula> {
    let (letters, mut others): (Vec<Formula>, Vec<Formula>) =
        operands.into_iter().partition(|&operand| formulas.is_state_formula(operand));
    if !letters.is_empty() {
        others.push(formulas.any(letters));
    }
    others
}

/// The automaton of a formula in negation normal form that is a disjunction, or that something of a disjunction holds at
/// some time; nothing if it is neither.
pub(super) fn side_by_side(formulas: &mut Formulas, f: Formula) -> Option<Result<Automaton, TooLarge>> {
    let operands = Operands::of(formulas, f);
    (operands.len() > 1).then(|| put_together(formulas, &operands))
}

fn put_together(formulas: &mut Formulas, operands: &Operands) -> Result<Automaton, TooLarge> {
    let mut translated = |all: &[Formula]| -> Result<Vec<Automaton>, TooLarge> {
        all.iter().map(|&operand| translate(formulas, operand)).collect()
    };
    let (now, later) = (translated(&operands.now)?, translated(&operands.later)?);
    // Without marks every run accepts, also that which waits for ever.
    let least = u32::from(!later.is_empty());
    let marks = now.iter().chain(&later).map(Automaton::mark_count).max().unwrap_or(0).max(least);
    let mut result = Automaton::new(marks);
    let begin = (!now.is_empty()).then(|| result.add_state());
    let wait = (!later.is_empty()).then(|| result.add_state());
    if let Some(wait) = wait {
        result.add_edge(wait, Condition::TRUE, Marks::NONE, wait);
    }
    if let Some(initial) = begin.or(wait) {
        result.add_initial(initial);
    }
    for part in &later {
        let first = add(&mut result, part)?;
        wait.into_iter().for_each(|wait| result.edges_mut()[wait as usize].extend(&first));
    }
    if let (Some(begin), Some(wait)) = (begin, wait) {
        let waiting = result.edges(wait).to_vec();
        result.edges_mut()[begin as usize].extend(waiting);
    }
    for part in &now {
        let first = add(&mut result, part)?;
        begin.into_iter().for_each(|begin| result.edges_mut()[begin as usize].extend(&first));
    }
    result.merge_edges();
    // No more than that: to compare what states can do would speak of all atoms together.
    let result = prune(merge_equal(tidy_marks(prune(result))));
    if result.conditions().is_exhausted() { Err(TooLarge::Conditions) } else { Ok(result) }
}

/// Adds the states of a part, and returns the edges from its initial states. What has fewer marks carries the others
/// everywhere.
fn add(result: &mut Automaton, part: &Automaton) -> Result<Vec<Edge>, TooLarge> {
    let first = result.state_count() as State;
    let missing = result.all_marks().minus(part.all_marks());
    let mut import = Import::default();
    part.states().for_each(|_| {
        result.add_state();
    });
    for state in part.states() {
        for edge in part.edges(state) {
            let condition = import.copy(part.conditions(), edge.condition, result.conditions_mut());
            result.add_edge(first + state, condition, edge.marks | missing, first + edge.target);
        }
    }
    if result.conditions().is_exhausted() {
        return Err(TooLarge::Conditions);
    }
    Ok(part.initial().iter().flat_map(|&state| result.edges(first + state)).copied().collect())
}
