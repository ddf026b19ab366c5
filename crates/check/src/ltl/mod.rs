//! Formulas of linear temporal logic: does one hold on all runs?
//!
//! What a formula says about one state is a *proposition*; its propositions are evaluated on the reachable states before
//! anything else, so that those that always or never hold disappear, and those that hold in the same states are one. The
//! negation of the formula becomes an automaton (`mandala_logic`), and a run of the model that the automaton accepts is a
//! counterexample.
//!
//! | module | what |
//! |---|---|
//! | `propositions` | from a formula about states to one about words |
//! | `product` | the model and the automaton together, as sets; which of them can be reached |
//! | `emptiness` | whether a run in the product meets all marks again and again |
//! | `lasso` | such a run: a stem and a loop, replayed |
//!
//! What happens state by state is the business of [`explicit::ltl`](crate::explicit::ltl).

mod emptiness;
pub(crate) mod lasso;
mod product;
pub(crate) mod propositions;

use mandala_diagram::{Diagram, Error};
use mandala_logic::{Formulas, TooLarge, translate};
use mandala_model::property::Formula;

use crate::answer::{Answer, Known, Traces, Verdict};
use crate::ctl::{self, Steps, mentions_events};
use crate::select::{SelectError, select};
use crate::space::Space;
use crate::trace::NoTrace;
use product::{Automaton, Product};
pub use propositions::NotLtl;
use propositions::read;

/// What becomes of runs that end: those that come to a state in which nothing can happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FiniteRuns {
    /// The last state is repeated for ever, as in the Model Checking Contest and in the answers that come with BEEM.
    #[default]
    Stutter,
    /// They are no runs: a formula need not hold on them.
    Ignore,
}

/// Runs that are not to be: those that an automaton accepts.
#[derive(Clone, Debug)]
pub struct Forbidden {
    /// The automaton.
    pub automaton: mandala_logic::Automaton,
    /// What its atoms say of a state, by number.
    pub propositions: Vec<Formula>,
}

impl Forbidden {
    /// The runs on which a formula of LTL does not hold.
    pub fn against(formula: &Formula) -> Result<Forbidden, Untranslated> {
        let mut propositions: Vec<Formula> = Vec::new();
        let mut formulas = Formulas::new();
        let abstracted = read(formula, &mut formulas, &mut |formulas: &mut Formulas, proposition: &Formula| {
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
#[derive(Clone, Copy)]
pub(crate) enum Claim<'c> {
    /// That a formula holds on them.
    Holds(&'c Formula),
    /// That an automaton accepts none of them.
    NoneOf(&'c Forbidden),
}

/// Why a formula was not decided.
#[derive(Debug)]
enum Undecided {
    Select(SelectError),
    Stopped(Error),
    Formula(NotLtl),
    Automaton(TooLarge),
    Steps(ctl::Undecided),
}

impl From<SelectError> for Undecided {
    fn from(error: SelectError) -> Undecided {
        Undecided::Select(error)
    }
}

impl From<ctl::Undecided> for Undecided {
    fn from(error: ctl::Undecided) -> Undecided {
        Undecided::Steps(error)
    }
}

impl From<Error> for Undecided {
    fn from(error: Error) -> Undecided {
        Undecided::Stopped(error)
    }
}

impl From<NotLtl> for Undecided {
    fn from(error: NotLtl) -> Undecided {
        Undecided::Formula(error)
    }
}

impl From<TooLarge> for Undecided {
    fn from(error: TooLarge) -> Undecided {
        Undecided::Automaton(error)
    }
}

impl std::fmt::Display for Undecided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Undecided::Select(error) => write!(f, "{error}"),
            Undecided::Stopped(error) => write!(f, "{error}"),
            Undecided::Formula(error) => write!(f, "{error}"),
            Undecided::Automaton(error) => write!(f, "{error}"),
            Undecided::Steps(error) => write!(f, "{error}"),
        }
    }
}

impl Space<'_> {
    /// Does a formula of LTL hold on all runs from the initial states?
    pub(crate) fn answer_ltl(&mut self, formula: &Formula, known: Known, traces: Traces) -> Answer {
        if known == Known::Some {
            return Answer::unknown("not all states are known, and LTL is about whole runs");
        }
        self.decide_ltl(Claim::Holds(formula), traces).unwrap_or_else(Answer::unknown)
    }

    /// Is no run from the initial states one of those that are not to be?
    pub fn answer_forbidden(&mut self, forbidden: &Forbidden, known: Known, traces: Traces) -> Answer {
        if known == Known::Some {
            return Answer::unknown("not all states are known, and an automaton is about whole runs");
        }
        self.decide_ltl(Claim::NoneOf(forbidden), traces).unwrap_or_else(Answer::unknown)
    }

    fn decide_ltl(&mut self, claim: Claim<'_>, traces: Traces) -> Result<Answer, Undecided> {
        let steps = self.take_steps()?;
        let answer = self.decide_by(&steps, claim, traces);
        self.steps = Some(steps);
        answer
    }

    fn decide_by(&mut self, steps: &Steps, claim: Claim<'_>, traces: Traces) -> Result<Answer, Undecided> {
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
        let Some(fair) = product.find_fair()? else {
            return Ok(Answer { verdict: Verdict::True, trace: None, witness: None });
        };
        let trace = (traces == Traces::Wanted).then(|| lasso::find(&mut product, &fair, claim, self.finite_runs));
        Ok(Answer { verdict: Verdict::False, trace, witness: None })
    }
}

/// Propositions, and the states in which they hold.
struct Letters<'s, 'a> {
    space: &'s mut Space<'a>,
    steps: &'s Steps,
    /// By atom.
    sets: Vec<Diagram>,
}

impl Letters<'_, '_> {
    /// The automaton of the runs on which a formula does not hold.
    fn automaton_against(&mut self, formula: &Formula) -> Result<mandala_logic::Automaton, Undecided> {
        let mut formulas = Formulas::new();
        let abstracted = read(formula, &mut formulas, &mut |formulas, proposition| self.atom(formulas, proposition));
        let abstracted = abstracted?;
        let negation = formulas.negation(abstracted);
        Ok(translate(&mut formulas, negation)?)
    }

    /// The states in which a proposition holds.
    fn states_of(&mut self, proposition: &Formula) -> Result<Diagram, Undecided> {
        if self.steps.traps && mentions_events(proposition) {
            return Err(ctl::Undecided::Trapped.into());
        }
        let states = self.space.states.clone();
        Ok(select(&mut self.space.encoded, proposition, &states)?)
    }

    /// What is left of a proposition once it is known where it holds.
    fn atom(&mut self, formulas: &mut Formulas, proposition: &Formula) -> Result<mandala_logic::Formula, Undecided> {
        let states = self.space.states.clone();
        let holds = self.states_of(proposition)?;
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
