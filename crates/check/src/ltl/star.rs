//! CTL*: formulas that mix what is said of states and of runs.
//!
//! What is quantified says something of a state: that some run from there, or all of them, satisfy what is inside. From the
//! inside out it becomes a set of states: those from which the automaton of what is inside accepts a run. Such a set is a
//! proposition of what is around it (E. A. Emerson, C.-L. Lei, *Modalities for model checking*, 1985). Runs that end repeat
//! their last state, or do not count, as in LTL.

use mandala_diagram::Diagram;
use mandala_logic::{Formulas, translate};
use mandala_model::property::Formula;
use mandala_symbolic::encode::{Atom, Encoding};

use super::Letters;
use super::product::{Automaton, Product};
use crate::answer::{Answer, Verdict};
use crate::claim::propositions::read_star;
use crate::claim::star::{Runs, runs};
use crate::space::Space;
use crate::steps::Steps;
use crate::undecided::Undecided;

impl<E: Encoding> Space<E> {
    /// Does a formula of CTL* hold on all runs from the initial states?
    pub(crate) fn answer_ctl_star(&mut self, formula: &Formula<Atom<E>>) -> Answer<E::Formalism> {
        if !self.is_complete() {
            return Answer::unknown("not all states are known, and CTL* is about whole runs");
        }
        self.decide_ctl_star(formula).map_or_else(Answer::unknown, |holds| Answer::plain(Verdict::of(holds)))
    }

    fn decide_ctl_star(&mut self, formula: &Formula<Atom<E>>) -> Result<bool, Undecided> {
        let steps = self.take_steps()?;
        let negation = Formula::Not(Box::new(formula.clone()));
        let wrong = self.states_with_run(&steps, &negation);
        let initial = steps.initial.clone();
        self.steps = Some(steps);
        Ok(self.encoded.store.intersection(&wrong?, &initial)?.is_empty())
    }

    /// The states from which a run satisfies a formula.
    fn states_with_run(&mut self, steps: &Steps, formula: &Formula<Atom<E>>) -> Result<Diagram, Undecided> {
        let mut letters = Letters { space: self, steps, sets: Vec::new() };
        let mut formulas = Formulas::new();
        let abstracted = read_star(formula, &mut formulas, &mut |formulas, proposition| {
            let holds = letters.states_of_star(proposition)?;
            letters.literal(formulas, holds)
        })?;
        let accepting = translate(&mut formulas, abstracted)?;
        let sets = letters.sets;
        let automaton = Automaton::new(&mut self.encoded.store, &self.states, &sets, accepting)?;
        Product::new(&mut self.encoded, self.states.clone(), steps, automaton).with_accepted_run()
    }
}

impl<E: Encoding> Letters<'_, E> {
    /// The states in which a formula about one state holds, which may say something of the runs from there.
    fn states_of_star(&mut self, formula: &Formula<Atom<E>>) -> Result<Diagram, Undecided> {
        if !formula.is_temporal() {
            return self.states_of(formula);
        }
        let states = self.space.states.clone();
        match formula {
            Formula::Not(inner) => {
                let holds = self.states_of_star(inner)?;
                Ok(self.space.encoded.store.difference(&states, &holds)?)
            }
            Formula::And(parts) => parts.iter().try_fold(states, |all, part| {
                let part = self.states_of_star(part)?;
                Ok(self.space.encoded.store.intersection(&all, &part)?)
            }),
            Formula::Or(parts) => {
                let none = self.space.encoded.store.zero();
                parts.iter().try_fold(none, |any, part| {
                    let part = self.states_of_star(part)?;
                    Ok(self.space.encoded.store.union(&any, &part)?)
                })
            }
            formula => match runs(formula) {
                Some(Runs { exists: true, formula }) => self.space.states_with_run(self.steps, &formula),
                Some(Runs { exists: false, formula }) => {
                    let wrong = self.space.states_with_run(self.steps, &Formula::Not(Box::new(formula)))?;
                    Ok(self.space.encoded.store.difference(&states, &wrong)?)
                }
                None => self.states_of(formula),
            },
        }
    }
}
