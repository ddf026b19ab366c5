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
use crate::select::{SelectError, dead_states, select};
use crate::space::Space;
use crate::trace::NoTrace;
use product::{Automaton, Product};
use propositions::{NotLtl, read};

/// What becomes of runs that end: those that come to a state in which nothing can happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FiniteRuns {
    /// The last state is repeated for ever, as in the Model Checking Contest and in the answers that come with BEEM.
    #[default]
    Stutter,
    /// They are no runs: a formula need not hold on them.
    Ignore,
}

/// Why a formula was not decided.
#[derive(Debug)]
enum Undecided {
    Select(SelectError),
    Stopped(Error),
    Formula(NotLtl),
    Automaton(TooLarge),
    Transient,
}

impl From<SelectError> for Undecided {
    fn from(error: SelectError) -> Undecided {
        Undecided::Select(error)
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
            Undecided::Transient => {
                write!(f, "LTL with transient states is not decided on diagrams yet, only state by state")
            }
        }
    }
}

impl Space<'_> {
    /// Does a formula of LTL hold on all runs from the initial states?
    pub(crate) fn answer_ltl(&mut self, formula: &Formula, known: Known, traces: Traces) -> Answer {
        if known == Known::Some {
            return Answer::unknown("not all states are known, and LTL is about whole runs");
        }
        self.decide_ltl(formula, traces).unwrap_or_else(Answer::unknown)
    }

    fn decide_ltl(&mut self, formula: &Formula, traces: Traces) -> Result<Answer, Undecided> {
        if self.reached != self.states {
            return Err(Undecided::Transient);
        }
        let mut letters = Letters { space: self, sets: Vec::new() };
        let mut formulas = Formulas::new();
        let abstracted = read(formula, &mut formulas, &mut |formulas, proposition| letters.atom(formulas, proposition));
        let abstracted = abstracted?;
        let sets = letters.sets;
        let negation = formulas.negation(abstracted);
        let automaton =
            Automaton::new(&mut self.encoded.store, &self.states, &sets, translate(&mut formulas, negation)?)?;
        let dead = match self.finite_runs {
            FiniteRuns::Stutter => dead_states(&mut self.encoded, &self.states)?,
            FiniteRuns::Ignore => self.encoded.store.zero(),
        };
        let mut product = Product::new(&mut self.encoded, self.states.clone(), dead, automaton);
        let Some(fair) = product.find_fair()? else {
            return Ok(Answer { verdict: Verdict::True, trace: None, witness: None });
        };
        let trace = (traces == Traces::Wanted).then(|| lasso::find(&mut product, &fair, formula, self.finite_runs));
        Ok(Answer { verdict: Verdict::False, trace, witness: None })
    }
}

/// Propositions, and the states in which they hold.
struct Letters<'s, 'a> {
    space: &'s mut Space<'a>,
    /// By atom. None is empty, and none holds all states.
    sets: Vec<Diagram>,
}

impl Letters<'_, '_> {
    /// What is left of a proposition once it is known where it holds.
    fn atom(&mut self, formulas: &mut Formulas, proposition: &Formula) -> Result<mandala_logic::Formula, Undecided> {
        let states = self.space.states.clone();
        let holds = select(&mut self.space.encoded, proposition, &states)?;
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
