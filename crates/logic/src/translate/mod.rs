//! From formulas to automata.
//!
//! The construction is Couvreur's (*On-the-fly verification of linear temporal logic*, 1999). A state is a formula that
//! has to hold of the rest of the word. It is expanded into what it asks of the first letter and of the rest; an `F` or
//! `U` that is put off is a *promise*, and a run is accepting if no promise is put off for ever: the marks of an edge
//! are the promises that it does not make. Formulas with the same expansion are the same state.
//!
//! The formula is simplified before and the automaton [reduced](crate::reduce) after. Small automata are then built in
//! other ways too (from the formula as it was, from its parts, deterministically), and the smallest is taken. Disjunctions
//! over many atoms are not expanded together: the automata of their operands are put side by side.

mod apart;
mod compose;
mod expand;

use rustc_hash::FxHashMap;

use crate::TooLarge;
use crate::automaton::{Automaton, MAX_MARKS, Marks, State};
use crate::condition::{Condition, Conditions};
use crate::formula::{Formula, Formulas};
use crate::reduce::{minimal_weak, reduce};
use apart::side_by_side;
use compose::compose;
use expand::{Expansion, MAX_ATOM, Successor};

/// An automaton with more states is not built.
const MAX_STATES: usize = 50_000;
/// An automaton with more edges is not built.
const MAX_EDGES: usize = 1_000_000;
/// A formula with more atoms is not translated.
const MAX_ATOMS: usize = 1_000;
/// A formula with more temporal subformulas is not translated: each is a variable of diagrams, which are as deep.
const MAX_OPERATORS: usize = 2_000;
/// The operands of a disjunction with more atoms are translated one by one.
const MAX_ATOMS_TOGETHER: usize = 10;
/// Automata that are larger when built get no second try.
const MAX_STATES_TO_IMPROVE: usize = 500;

/// An automaton that accepts exactly the words of which a formula holds.
///
/// ```
/// use mandala_logic::{Atoms, Formulas, automaton::Strength, translate};
///
/// let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
/// let f = formulas.parse("G F p & G F q", &mut atoms)?;
/// let mut automaton = translate(&mut formulas, f)?;
/// assert_eq!((automaton.state_count(), automaton.mark_count()), (1, 2));
/// assert_eq!(automaton.strength(), Strength::Strong);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn translate(formulas: &mut Formulas, f: Formula) -> Result<Automaton, TooLarge> {
    let unsimplified = formulas.normal_form(f);
    let f = formulas.simplify(f);
    if formulas.atoms_of(f).len() > MAX_ATOMS_TOGETHER
        && let Some(Ok(apart)) = side_by_side(formulas, f)
    {
        return Ok(apart);
    }
    let built = match build(formulas, f) {
        Ok(built) => built,
        Err(error) => {
            return match side_by_side(formulas, f) {
                Some(apart) => apart,
                None => compose(formulas, f).ok_or(error),
            };
        }
    };
    let is_small = built.state_count() <= MAX_STATES_TO_IMPROVE;
    let mut best = reduce(built)?;
    let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count());
    if is_small && best.state_count() > 2 {
        // The simpler formula does not always have the smaller automaton.
        let plain = build_within(formulas, unsimplified, MAX_STATES_TO_IMPROVE).and_then(reduce).ok();
        for other in plain.into_iter().chain(compose(formulas, f)) {
            if size(&other) < size(&best) {
                best = other;
            }
        }
    }
    // Of automata with as many states, the deterministic one.
    if is_small
        && let Ok(Some(smallest)) = deterministic(formulas, f, &best)
        && smallest.state_count() <= best.state_count()
    {
        best = smallest;
    }
    Ok(best)
}

/// An automaton that accepts exactly the words of which a formula holds, in which the operands of a disjunction keep
/// states of their own: often not the smallest, but what looks alike in the formula looks alike in the automaton.
pub fn translate_apart(formulas: &mut Formulas, f: Formula) -> Result<Automaton, TooLarge> {
    let f = formulas.simplify(f);
    match side_by_side(formulas, f) {
        Some(Ok(apart)) => Ok(apart),
        _ => translate(formulas, f),
    }
}

/// The smallest deterministic automaton of an obligation; nothing if the formula is none.
fn deterministic(formulas: &mut Formulas, f: Formula, automaton: &Automaton) -> Result<Option<Automaton>, TooLarge> {
    let negation = formulas.negation(f);
    let complement = reduce(build_within(formulas, negation, 2 * MAX_STATES_TO_IMPROVE)?)?;
    minimal_weak(automaton, &complement)
}

/// The automaton of a formula in negation normal form as the construction makes it, without any reduction.
pub fn build(formulas: &Formulas, f: Formula) -> Result<Automaton, TooLarge> {
    build_within(formulas, f, MAX_STATES)
}

fn build_within(formulas: &Formulas, f: Formula, max_states: usize) -> Result<Automaton, TooLarge> {
    let atoms = formulas.atoms_of(f);
    if atoms.len() > MAX_ATOMS || atoms.last().is_some_and(|&last| last >= MAX_ATOM) {
        return Err(TooLarge::Atoms);
    }
    let subformulas = formulas.subformulas(f);
    if subformulas.iter().filter(|&&part| !formulas.is_state_formula(part)).count() > MAX_OPERATORS {
        return Err(TooLarge::Operators);
    }
    let mut builder = Builder {
        expansion: Expansion::new(formulas),
        automaton: Automaton::with_conditions(Conditions::new(), MAX_MARKS),
        obligations: Vec::new(),
        states: FxHashMap::default(),
        edges: 0,
    };
    let obligation = builder.expansion.expand(f);
    let initial = builder.state(obligation);
    builder.automaton.add_initial(initial);
    let mut at = 0;
    while at < builder.obligations.len() {
        builder.edges_from(at, max_states)?;
        at += 1;
    }
    Ok(builder.finish())
}

struct Builder<'a> {
    expansion: Expansion<'a>,
    /// Until the end, its marks are promises.
    automaton: Automaton,
    /// What has to hold at each state, expanded.
    obligations: Vec<Condition>,
    states: FxHashMap<Condition, State>,
    edges: usize,
}

impl Builder<'_> {
    fn state(&mut self, obligation: Condition) -> State {
        *self.states.entry(obligation).or_insert_with(|| {
            self.obligations.push(obligation);
            self.automaton.add_state()
        })
    }

    fn edges_from(&mut self, at: usize, max_states: usize) -> Result<(), TooLarge> {
        let successors = self.expansion.successors(self.obligations[at], self.automaton.conditions_mut())?;
        self.edges += successors.len();
        for Successor { condition, promises, obligation } in successors {
            let target = self.state(obligation);
            self.automaton.add_edge(at as State, condition, promises, target);
        }
        if self.obligations.len() > max_states || self.edges > MAX_EDGES {
            return Err(TooLarge::States);
        }
        if self.expansion.is_exhausted() || self.automaton.conditions().is_exhausted() {
            return Err(TooLarge::Conditions);
        }
        Ok(())
    }

    fn finish(mut self) -> Automaton {
        let all = Marks::first(self.expansion.promise_count());
        for edge in self.automaton.edges_mut().iter_mut().flatten() {
            edge.marks = all.minus(edge.marks);
        }
        self.automaton.set_mark_count(all.len());
        self.automaton.merge_edges();
        self.automaton
    }
}
