//! Whether a witness shows what it says.
//!
//! Nothing here depends on how a witness came about. Every step is one of the model, every formula of one state is
//! evaluated in its state, and every claim about a run is evaluated on the run by the definition of its operator: on a loop
//! by going around it twice, on a run that is not followed to its end with what comes after it unknown. What the witness
//! says nothing about (a formula with temporal operators in the middle of a run, or what was left out) is asked of someone
//! who knows; who does not know answers `None`, and the witness is believed.

use std::fmt;

use mandala_model::property::{BinaryOperator, Formula, Quantifier, UnaryOperator};
use mandala_model::semantics::{RunError, Step, TransitionSystem};

use super::{Node, Parts, Run, Shown, Witness};
use crate::run::{AtomIn, StateIn};

/// What is wrong with a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It does not begin in an initial state.
    NotInitial,
    /// A claim (by its place in the tree) is about another state than the run above leads to.
    Elsewhere(usize),
    /// A step of the run that shows a claim cannot happen.
    NoSuchStep {
        /// The claim.
        node: usize,
        /// The step; the first is 0.
        step: usize,
    },
    /// The run that shows a claim does not go on for ever as it says.
    NoLoop(usize),
    /// A claim does not follow from what is to show it.
    NotShown(usize),
    /// The model has an error on the way.
    Error(String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NotInitial => write!(f, "the witness does not begin in an initial state"),
            Flaw::Elsewhere(node) => write!(f, "claim {node} of the witness is about another state"),
            Flaw::NoSuchStep { node, step } => write!(f, "step {} for claim {node} cannot happen", step + 1),
            Flaw::NoLoop(node) => write!(f, "the run for claim {node} does not go on for ever"),
            Flaw::NotShown(node) => write!(f, "claim {node} does not follow from what is to show it"),
            Flaw::Error(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Flaw {}

/// Checks a witness for or against a formula. `known` says whether a part of the formula, by its number, holds in a state.
pub fn check<T: TransitionSystem>(
    semantics: &T, parts: &Parts<'_, AtomIn<T>>, witness: &Witness<T::Formalism>,
    known: &mut dyn FnMut(usize, &StateIn<T>) -> Option<bool>,
) -> Result<(), Flaw> {
    let initial = semantics.initial_states().map_err(|error| Flaw::Error(error.to_string()))?;
    if !witness.nodes.first().is_some_and(|root| initial.contains(&root.state)) {
        return Err(Flaw::NotInitial);
    }
    let mut checker = Checker { semantics, parts, witness, known };
    (0..witness.nodes.len()).try_for_each(|node| checker.node(node))
}

struct Checker<'c, T: TransitionSystem> {
    semantics: &'c T,
    parts: &'c Parts<'c, AtomIn<T>>,
    witness: &'c Witness<T::Formalism>,
    known: &'c mut dyn FnMut(usize, &StateIn<T>) -> Option<bool>,
}

/// Truth, if it is known.
type Truth = Option<bool>;

impl<T: TransitionSystem> Checker<'_, T> {
    fn node(&mut self, number: usize) -> Result<(), Flaw> {
        let witness = self.witness;
        let node = &witness.nodes[number];
        let states: Vec<&StateIn<T>> = match &node.shown {
            Shown::Run(run) => {
                self.replay(number, node, run)?;
                [&node.state].into_iter().chain(run.steps.iter().map(|step| &step.state)).collect()
            }
            _ => vec![&node.state],
        };
        for &child in &node.children {
            let Some(below) = witness.nodes.get(child).filter(|_| child > number) else {
                return Err(Flaw::NotShown(number));
            };
            if states.get(below.at) != Some(&&below.state) {
                return Err(Flaw::Elsewhere(child));
            }
        }
        let truth = match &node.shown {
            Shown::State => self.of_state(node.claim.part, &node.state),
            Shown::Parts => self.of_parts(node),
            Shown::Run(run) => self.of_run(node, run, &states),
            Shown::ByNoRun | Shown::LeftOut(_) => (self.known)(node.claim.part, &node.state),
        };
        if truth == Some(!node.claim.holds) { Err(Flaw::NotShown(number)) } else { Ok(()) }
    }

    fn replay(&self, number: usize, node: &Node<T::Formalism>, run: &Run<T::Formalism>) -> Result<(), Flaw> {
        let error = |error: RunError| Flaw::Error(error.to_string());
        let mut state = &node.state;
        for (place, step) in run.steps.iter().enumerate() {
            let possible = self.semantics.successors(state).map_err(error)?;
            let same =
                |other: &Step<_>| self.semantics.are_alike(&other.event, &step.event) && other.state == step.state;
            if !possible.iter().any(same) {
                return Err(Flaw::NoSuchStep { node: number, step: place });
            }
            state = &step.state;
        }
        let returns = match run.repeats {
            None => true,
            Some(repeats) if repeats == run.steps.len() => self.semantics.is_deadlock(state).map_err(error)?,
            Some(0) => *state == node.state,
            Some(repeats) => run.steps.get(repeats - 1).is_some_and(|step| step.state == *state),
        };
        if returns { Ok(()) } else { Err(Flaw::NoLoop(number)) }
    }

    /// Whether a formula of one state holds there.
    fn of_state(&self, part: usize, state: &StateIn<T>) -> Truth {
        if self.parts.is_temporal(part) { None } else { self.semantics.evaluate(self.parts.get(part), state).ok() }
    }

    /// Whether a part of the formula of a node holds in a state that so many steps lead to.
    fn of_part(&mut self, node: &Node<T::Formalism>, part: usize, at: usize, state: &StateIn<T>) -> Truth {
        let (mut part, mut turned) = (part, false);
        while let Formula::Not(_) = self.parts.get(part) {
            (part, turned) = (part + 1, !turned);
        }
        let below = node.children.iter().map(|&child| &self.witness.nodes[child]);
        let said =
            below.filter(|child| child.claim.part == part && child.at == at).map(|child| child.claim.holds).next();
        let truth = said.or_else(|| self.of_state(part, state)).or_else(|| (self.known)(part, state));
        // All operators but negation are monotone: what is in favour of a claim is the same claim of the parts.
        truth.map_or(Some(node.claim.holds), |truth| Some(truth != turned))
    }

    fn of_parts(&mut self, node: &Node<T::Formalism>) -> Truth {
        let is_and = matches!(self.parts.get(node.claim.part), Formula::And(_));
        let inside: Vec<usize> = self.parts.inside(node.claim.part).collect();
        let mut whole = Some(is_and);
        for part in inside {
            // Only what the witness says counts where one part is enough.
            let one_is_enough = is_and != node.claim.holds;
            let truth = match one_is_enough {
                true => self.said(node, part),
                false => self.of_part(node, part, 0, &node.state),
            };
            whole = if is_and { both(whole, truth) } else { either(whole, truth) };
        }
        Some(whole.unwrap_or(!node.claim.holds))
    }

    /// What a child says about a part in the same state.
    fn said(&self, node: &Node<T::Formalism>, part: usize) -> Truth {
        let claim = self.parts.plain(super::Claim { part, holds: true });
        let child = node.children.iter().map(|&child| &self.witness.nodes[child]);
        child.filter(|child| child.claim.part == claim.part).map(|child| child.claim.holds == claim.holds).next()
    }

    /// Whether the operator of a node is true on its run; if the run does not show it, the opposite of the claim.
    fn of_run(&mut self, node: &Node<T::Formalism>, run: &Run<T::Formalism>, states: &[&StateIn<T>]) -> Truth {
        let inside: Vec<usize> = self.parts.inside(node.claim.part).collect();
        // Where a run comes back, its last state is one of the others again.
        let count = states.len() - usize::from(run.repeats.is_some_and(|repeats| repeats < run.steps.len()));
        let mut letters: Vec<Vec<Truth>> = Vec::with_capacity(count);
        for (at, state) in states[..count].iter().enumerate() {
            letters.push(inside.iter().map(|&part| self.of_part(node, part, at, state)).collect());
        }
        let operand = |number: usize| move |letter: &Vec<Truth>| letter.get(number).copied().flatten();
        let (f, g) = (operand(0), operand(1));
        let value = |least: bool, a: &dyn Fn(&Vec<Truth>) -> Truth, b: &dyn Fn(&Vec<Truth>) -> Truth| {
            fixpoint(&letters, run.repeats, least, a, b)
        };
        let (quantifier, truth) = match self.parts.get(node.claim.part) {
            Formula::Unary(quantifier, operator, _) => (
                quantifier,
                match operator {
                    UnaryOperator::Next => letters.get(1).map_or_else(
                        || run.repeats.filter(|_| !run.steps.is_empty()).and_then(|repeats| f(&letters[repeats])),
                        f,
                    ),
                    UnaryOperator::Finally => value(true, &f, &|_| Some(true)),
                    UnaryOperator::Globally => value(false, &|_| Some(false), &f),
                },
            ),
            Formula::Binary(quantifier, operator, ..) => (
                quantifier,
                match operator {
                    BinaryOperator::Until => value(true, &g, &f),
                    BinaryOperator::WeakUntil => value(false, &g, &f),
                    BinaryOperator::StrongRelease => value(true, &|letter| both(f(letter), g(letter)), &g),
                    BinaryOperator::Release => value(false, &|letter| both(f(letter), g(letter)), &g),
                },
            ),
            _ => return Some(!node.claim.holds),
        };
        let can_be_shown = match quantifier {
            Quantifier::Exists => node.claim.holds,
            Quantifier::All => !node.claim.holds,
            Quantifier::None => false,
        };
        if can_be_shown { truth.or(Some(!node.claim.holds)) } else { Some(!node.claim.holds) }
    }
}

/// The least or greatest `Z = a ∨ (b ∧ X Z)` at the first of some letters. After the last comes the one that is repeated
/// (itself, if its number is one too many: a run that ends stays where it is), or nobody knows what.
fn fixpoint(
    letters: &[Vec<Truth>], repeats: Option<usize>, least: bool, a: &dyn Fn(&Vec<Truth>) -> Truth,
    b: &dyn Fn(&Vec<Truth>) -> Truth,
) -> Truth {
    let around = |mut after: Truth, from: usize| {
        for letter in letters[from..].iter().rev() {
            after = either(a(letter), both(b(letter), after));
        }
        after
    };
    match repeats {
        None => around(None, 0),
        Some(repeats) => {
            let start = repeats.min(letters.len().saturating_sub(1));
            let once = around(Some(!least), start);
            around(once, 0)
        }
    }
}

fn both(f: Truth, g: Truth) -> Truth {
    match (f, g) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn either(f: Truth, g: Truth) -> Truth {
    both(f.map(|f| !f), g.map(|g| !g)).map(|neither| !neither)
}
