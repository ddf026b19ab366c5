//! LTL with the symmetries that are left in the automaton of a formula, where the formula itself has few.
//!
//! A formula that treats processes unequally leaves no symmetry of the model alone, yet most states of its automaton do not
//! care about most processes. A state (s, b) of the product looks like (s', b') if one symmetry of the model maps s to s'
//! and relates b to b' ([`mandala_logic::symmetry`]): what one can do, with which marks, the other can. So one of them is
//! enough, and emptiness is decided on what is left ([`Way`]). All of it state by state, on the way of the search; a
//! lasso that is found there is turned into one of the model and replayed.
//!
//! | module | what |
//! |---|---|
//! | `processes` | what can be exchanged in the model |
//! | `alphabet` | the propositions of a formula, and what exchanges make of them |
//! | `folding` | which state of the product stands for which |
//! | `search` | the product, folded; its lassos as runs of the model |
//! | `words` | what was used, in words |

mod alphabet;
mod folding;
mod processes;
mod search;
mod words;

use mandala_analysis::symmetry::SymmetryGroup;
use mandala_logic::{Formulas, translate_apart};
use mandala_model::property::Formula;
use mandala_model::semantics::Semantics;
use mandala_model::system::System;

use crate::answer::Answer;
use crate::claim::{Claim, Forbidden, Untranslated};
use crate::explicit::Ended;
use crate::explicit::ltl::Checked;
use crate::limits::{Limits, Progress};
use crate::run::FiniteRuns;
use alphabet::Alphabet;
use folding::Folding;
use processes::Processes;

/// Which states of the product are taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Those that a symmetry maps to each other which leaves all propositions alone.
    Group,
    /// The consistent graph: those with the same state of the automaton, which the symmetry relates to itself.
    Consistent,
    /// The quotient product: also those with different states of the automaton, if the symmetry relates them.
    Product,
}

/// What is said of all runs.
#[derive(Clone, Copy)]
pub enum Said<'c> {
    /// That a formula of LTL holds on them.
    Holds(&'c Formula),
    /// That an automaton accepts none of them.
    NoneOf(&'c Forbidden),
}

/// How far a search may go, and who hears of it.
#[derive(Clone, Copy)]
pub struct Bounds<'b> {
    /// What becomes of runs that end.
    pub finite_runs: FiniteRuns,
    /// How far.
    pub limits: &'b Limits,
    /// The most states of the product.
    pub most_product_states: Option<u64>,
    /// Who hears of it.
    pub progress: &'b Progress,
}

/// Decides what is said of all runs of a system, with symmetries of its behaviour; and says in words which were used. The
/// symmetries need not leave anything else alone.
pub fn check(
    system: &System, group: Option<&SymmetryGroup>, said: Said<'_>, way: Way, bounds: &Bounds<'_>,
) -> (Checked, String) {
    let unanswered = |answer| Checked { answer, states: 0, ended: Ended::Answered };
    let semantics = match Semantics::new(system) {
        Ok(semantics) => semantics,
        Err(error) => return (unanswered(Answer::unknown(error)), String::new()),
    };
    let processes = group.map(Processes::of).unwrap_or_default();
    let translated = match said {
        Said::Holds(formula) => against(system, formula, &processes),
        Said::NoneOf(forbidden) => {
            let alphabet = Alphabet::of_propositions(system, forbidden.propositions.clone(), &processes);
            Ok((forbidden.clone(), alphabet))
        }
    };
    let (wrong, alphabet) = match translated {
        Ok(translated) => translated,
        Err(reason) => return (unanswered(Answer::unknown(reason)), String::new()),
    };
    let folding = match Folding::new(&wrong.automaton, &alphabet, processes, way) {
        Ok(folding) => folding,
        Err(reason) => return (unanswered(Answer::unknown(reason)), String::new()),
    };
    let claim = match said {
        Said::Holds(formula) => Claim::Holds(formula),
        Said::NoneOf(forbidden) => Claim::NoneOf(forbidden),
    };
    let words = words::describe(&folding, way);
    (search::search(&semantics, claim, &wrong, &folding, bounds), words)
}

/// The runs on which a formula does not hold, over propositions that exchanges map to each other as far as possible.
fn against(system: &System, formula: &Formula, processes: &Processes) -> Result<(Forbidden, Alphabet), Untranslated> {
    let mut formulas = Formulas::new();
    let (abstracted, alphabet) = Alphabet::of_formula(system, formula, processes, &mut formulas)?;
    let negation = formulas.negation(abstracted);
    let automaton = translate_apart(&mut formulas, negation).map_err(Untranslated::TooLarge)?;
    Ok((Forbidden { automaton, propositions: alphabet.propositions.clone() }, alphabet))
}
