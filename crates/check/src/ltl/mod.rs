//! Formulas of linear temporal logic: does one hold on all runs?
//!
//! What a formula says about one state is a *proposition*; its propositions are evaluated on the reachable states before
//! anything else, so that those that always or never hold disappear, and those that hold in the same states are one. The
//! negation of the formula becomes an automaton (`mandala_logic`), and a run of the model that the automaton accepts is a
//! counterexample.
//!
//! | module | what |
//! |---|---|
//! | `product` | the model and the automaton together, as sets; which of them can be reached |
//! | `emptiness` | whether a run in the product meets all marks again and again |
//! | `lasso` | such a run: a stem and a loop, replayed |
//! | `folded` | the product with one state for those that symmetries take for one |
//! | `star` | CTL*: formulas about the runs from a state, bottom up |
//!
//! What happens state by state is the business of [`explicit::ltl`](crate::explicit::ltl).

mod emptiness;
mod folded;
mod lasso;
mod product;
mod star;

use mandala_diagram::Diagram;
use mandala_logic::{Formulas, translate};
use mandala_model::property::Formula;
use mandala_symbolic::encode::{Atom, Encoding};

use crate::answer::{Answer, Traces, Verdict};
use crate::claim::propositions::read;
use crate::claim::{Claim, Forbidden};
use crate::select::{mentions_events, select};
use crate::space::Space;
use crate::space::TOLD_APART;
use crate::steps::Steps;
use crate::undecided::Undecided;
pub(crate) use folded::Fold;
use product::{Automaton, Product};

impl<E: Encoding> Space<E> {
    /// Does a formula of LTL hold on all runs from the initial states?
    pub(crate) fn answer_ltl(&mut self, formula: &Formula<Atom<E>>, traces: Traces) -> Answer<E::Formalism> {
        if !self.is_complete() {
            return Answer::unknown("not all states are known, and LTL is about whole runs");
        }
        self.decide_ltl(Claim::Holds(formula), traces).unwrap_or_else(Answer::unknown)
    }

    /// Is no run from the initial states a forbidden one?
    pub fn answer_forbidden(&mut self, forbidden: &Forbidden<E::Formalism>, traces: Traces) -> Answer<E::Formalism> {
        if !forbidden.about_states().iter().all(|question| self.preserves(question)) || !self.preserves_fairness() {
            return Answer::unknown(TOLD_APART);
        }
        if !self.is_complete() {
            return Answer::unknown("not all states are known, and an automaton is about whole runs");
        }
        self.decide_ltl(Claim::NoneOf(forbidden), traces).unwrap_or_else(Answer::unknown)
    }

    fn decide_ltl(
        &mut self, claim: Claim<'_, E::Formalism>, traces: Traces,
    ) -> Result<Answer<E::Formalism>, Undecided> {
        let steps = self.take_steps()?;
        let answer = self.decide_by(&steps, claim, traces);
        self.steps = Some(steps);
        answer
    }

    fn decide_by(
        &mut self, steps: &Steps, claim: Claim<'_, E::Formalism>, traces: Traces,
    ) -> Result<Answer<E::Formalism>, Undecided> {
        let mut letters = Letters { space: self, steps, sets: Vec::new() };
        let wrong = match claim {
            Claim::Holds(formula) => letters.automaton_against(formula)?,
            Claim::NoneOf(forbidden) => {
                for proposition in &forbidden.propositions {
                    let set = letters.states_of(proposition)?;
                    letters.sets.push(set);
                }
                forbidden.automaton.clone()
            }
        };
        let sets = letters.sets;
        let automaton = Automaton::new(&mut self.encoded.store, &self.states, &sets, wrong)?;
        let mut product = Product::new(&mut self.encoded, self.states.clone(), steps, automaton);
        let fair = product.find_fair()?;
        let product_states = Some(product.count());
        let Some(fair) = fair else {
            return Ok(Answer { product_states, ..Answer::plain(Verdict::Holds) });
        };
        let trace = (traces == Traces::Wanted)
            .then(|| lasso::find(&mut product, &fair, claim, self.finite_runs, &self.fairness));
        Ok(Answer { trace, product_states, ..Answer::plain(Verdict::Fails) })
    }
}

/// Propositions, and the states in which they hold.
struct Letters<'s, E: Encoding> {
    space: &'s mut Space<E>,
    steps: &'s Steps,
    /// By atom.
    sets: Vec<Diagram>,
}

impl<E: Encoding> Letters<'_, E> {
    /// The automaton of the runs on which a formula does not hold.
    fn automaton_against(&mut self, formula: &Formula<Atom<E>>) -> Result<mandala_logic::Automaton, Undecided> {
        let mut formulas = Formulas::new();
        let abstracted = read(formula, &mut formulas, &mut |formulas, proposition| self.atom(formulas, proposition));
        let abstracted = abstracted?;
        let negation = formulas.negation(abstracted);
        Ok(translate(&mut formulas, negation)?)
    }

    /// The states in which a proposition holds.
    fn states_of(&mut self, proposition: &Formula<Atom<E>>) -> Result<Diagram, Undecided> {
        if self.steps.traps && mentions_events::<E>(proposition) {
            return Err(Undecided::Trapped);
        }
        let states = self.space.states.clone();
        Ok(select(&mut self.space.encoded, proposition, &states)?)
    }

    /// What is left of a proposition once it is known where it holds.
    fn atom(
        &mut self, formulas: &mut Formulas, proposition: &Formula<Atom<E>>,
    ) -> Result<mandala_logic::Formula, Undecided> {
        let holds = self.states_of(proposition)?;
        self.literal(formulas, holds)
    }

    /// The atom that holds in some states, or its negation, or a constant.
    fn literal(&mut self, formulas: &mut Formulas, holds: Diagram) -> Result<mandala_logic::Formula, Undecided> {
        let states = self.space.states.clone();
        if holds.is_empty() || holds == states {
            return Ok(formulas.constant(!holds.is_empty()));
        }
        let fails = self.space.encoded.store.difference(&states, &holds)?;
        for (atom, set) in (0..).zip(&self.sets) {
            if *set == holds || *set == fails {
                return Ok(formulas.literal(atom, *set == holds));
            }
        }
        self.sets.push(holds);
        Ok(formulas.atom(self.sets.len() as u32 - 1))
    }
}
