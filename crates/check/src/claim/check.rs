//! Whether a run shows that a claim is wrong, by the definition of the logic and without any search.

use mandala_logic::Formulas;
use mandala_logic::words::{Lasso, Letter};
use mandala_model::property::Formula;
use mandala_model::semantics::{RunError, TransitionSystem};

use super::Claim;
use super::propositions::{NotLtl, read};
use crate::run::{AtomIn, FiniteRuns, NoTrace, StateIn, Trace, named, replay};

/// The run through some states, of which the last is the one with this number again: what happens, and with which step
/// it goes on when it is over. A run that ends has no step that repeats its last state.
pub(crate) fn run_through<T: TransitionSystem>(
    semantics: &T, mut states: Vec<StateIn<T>>, start: usize,
) -> Result<(Trace<T::Formalism>, usize), NoTrace> {
    let mut repeats = start;
    for (place, pair) in states.windows(2).enumerate() {
        let run = |error: RunError| NoTrace::Broken(error.to_string());
        if pair[0] == pair[1] && semantics.is_deadlock(&pair[0]).map_err(run)? {
            repeats = place;
            states.truncate(place + 1);
            break;
        }
    }
    Ok((named(semantics, states)?, repeats))
}

/// Checks that a trace which goes on with the step of this number when it is over is a run that a claim is wrong about;
/// says why if not. With as many steps as the number says, its last state is repeated.
pub(crate) fn check<T: TransitionSystem>(
    semantics: &T, trace: &Trace<T::Formalism>, repeats: usize, claim: Claim<'_, T::Formalism>, finite_runs: FiniteRuns,
) -> Result<(), String> {
    replay(semantics, trace).map_err(|mismatch| mismatch.to_string())?;
    let states: Vec<&StateIn<T>> =
        std::iter::once(&trace.initial).chain(trace.steps.iter().map(|step| &step.state)).collect();
    let Some(&again) = states.get(repeats) else { return Err("the loop begins after the end".to_owned()) };
    if repeats == trace.steps.len() {
        let is_dead = semantics.is_deadlock(again).map_err(|error| error.to_string())?;
        if !is_dead || finite_runs == FiniteRuns::Ignore {
            return Err("the run does not go on for ever".to_owned());
        }
    } else if again != trace.last() {
        return Err("the loop does not come back to where it began".to_owned());
    }
    // The last state of a loop is its first again.
    let length = states.len().saturating_sub(usize::from(repeats < trace.steps.len()));
    let word = |propositions: &[Formula<AtomIn<T>>]| -> Result<Lasso, String> {
        let mut letters = Vec::with_capacity(length);
        for state in &states[..length] {
            let mut letter = Letter::new();
            for (atom, proposition) in (0..).zip(propositions) {
                letter.set(atom, semantics.evaluate(proposition, state).map_err(|error| error.to_string())?);
            }
            letters.push(letter);
        }
        let round = letters.split_off(repeats);
        Ok(Lasso::new(letters, round))
    };
    match claim {
        Claim::Holds(formula) => {
            let mut propositions: Vec<Formula<AtomIn<T>>> = Vec::new();
            let mut formulas = Formulas::new();
            let abstracted =
                read(formula, &mut formulas, &mut |formulas: &mut Formulas, proposition: &Formula<AtomIn<T>>| {
                    propositions.push(proposition.clone());
                    Ok::<_, NotLtl>(formulas.atom(propositions.len() as u32 - 1))
                });
            let abstracted = abstracted.map_err(|reason| reason.to_string())?;
            match word(&propositions)?.satisfies(&formulas, abstracted) {
                true => Err("the formula holds on the run".to_owned()),
                false => Ok(()),
            }
        }
        Claim::NoneOf(forbidden) => match word(&forbidden.propositions)?.is_accepted_by(&forbidden.automaton) {
            true => Ok(()),
            false => Err("the automaton does not accept the run".to_owned()),
        },
    }
}
