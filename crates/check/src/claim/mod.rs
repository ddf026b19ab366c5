//! What is said of all runs of a system, whichever engine decides it: that a formula of LTL holds on them, or that an
//! automaton accepts none of them.

mod check;
pub(crate) mod propositions;
mod shorten;
pub(crate) mod star;

use mandala_logic::{Formulas, TooLarge, translate};
use mandala_model::formalism::Formalism;
use mandala_model::property::{Formula, Question, Systems};

pub(crate) use check::{check, run_through};
pub use propositions::NotLtl;
use propositions::read;
pub(crate) use shorten::shortened;

/// Forbidden runs: those that an automaton accepts.
#[derive(Clone, Debug)]
pub struct Forbidden<F: Formalism = Systems> {
    /// The automaton.
    pub automaton: mandala_logic::Automaton,
    /// What its atoms say of a state, by number.
    pub propositions: Vec<Formula<F::Atom>>,
}

impl<F: Formalism> Forbidden<F> {
    /// What it asks of states, as questions: its propositions one by one.
    pub fn about_states(&self) -> Vec<Question<F>> {
        self.propositions.iter().cloned().map(Question::Invariant).collect()
    }

    /// The runs on which a formula of LTL does not hold.
    pub fn against(formula: &Formula<F::Atom>) -> Result<Forbidden<F>, Untranslated> {
        let mut propositions: Vec<Formula<F::Atom>> = Vec::new();
        let mut formulas = Formulas::new();
        let abstracted =
            read(formula, &mut formulas, &mut |formulas: &mut Formulas, proposition: &Formula<F::Atom>| {
                let known = propositions.iter().position(|known| known == proposition);
                let atom = known.unwrap_or_else(|| {
                    propositions.push(proposition.clone());
                    propositions.len() - 1
                });
                Ok::<_, NotLtl>(formulas.atom(atom as u32))
            });
        let negation = formulas.negation(abstracted.map_err(Untranslated::NotLtl)?);
        let automaton = translate(&mut formulas, negation).map_err(Untranslated::TooLarge)?;
        Ok(Forbidden { automaton, propositions })
    }
}

/// Why a formula has no automaton.
#[derive(Clone, Debug)]
pub enum Untranslated {
    /// It is none of LTL.
    NotLtl(NotLtl),
    /// The automaton would be too large.
    TooLarge(TooLarge),
}

impl std::fmt::Display for Untranslated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Untranslated::NotLtl(reason) => write!(f, "{reason}"),
            Untranslated::TooLarge(reason) => write!(f, "{reason}"),
        }
    }
}

impl std::error::Error for Untranslated {}

/// What is said of all runs.
pub(crate) enum Claim<'c, F: Formalism = Systems> {
    /// That a formula holds on them.
    Holds(&'c Formula<F::Atom>),
    /// That an automaton accepts none of them.
    NoneOf(&'c Forbidden<F>),
}

// Derived, these would want a formalism that can be copied.
impl<F: Formalism> Clone for Claim<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Formalism> Copy for Claim<'_, F> {}
