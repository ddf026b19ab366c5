//! What shows that a formula of CTL holds, or that it does not.
//!
//! A *claim* says of a part of the formula that it is true or false in a state. Negations only turn claims around. What
//! shows a claim depends on what the part is:
//!
//! - a formula of one state is looked at there;
//! - a conjunction that is true is shown by all its parts, one that is false by one of them, and a disjunction the other
//!   way round;
//! - that some run is as an operator wants it, or that not all are, is shown by a run ([`Path`]): to a state in which
//!   further claims are true, or one that goes on for ever;
//! - that all runs are so, or none, is shown by no run.
//!
//! So a witness is a tree of claims, cut where it is deeper or longer than a person would read. It is grown by `grow` from
//! what an engine knows, and [`check`](fn@check) looks at it again, with nothing but the meaning of the model and of the
//! operators.

mod check;
mod grow;

pub use check::{Flaw, check};
pub(crate) use grow::{Ground, Walk, WalkOf, grow};

use mandala_model::formalism::Formalism;
use mandala_model::property::{Atom, BinaryOperator, Formula, Quantifier, Systems, UnaryOperator};
use mandala_model::semantics::Step;

use crate::run::{Found, Trace};

/// A tree of claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness<F: Formalism = Systems> {
    /// The claims; the first is the one that is shown, and each comes before those that show it.
    pub nodes: Vec<Node<F>>,
}

/// A claim, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<F: Formalism = Systems> {
    /// What is said; never of a negation.
    pub claim: Claim,
    /// The state of which it is said.
    pub state: F::State,
    /// How many steps of the run above lead to this state; 0 if there is no run above.
    pub at: usize,
    /// What shows it.
    pub shown: Shown<F>,
    /// The claims from which it follows, by their place in the tree. If it is shown by a run, those about its last state
    /// come first, and that about its first state, which stands for all on the way, comes last.
    pub children: Vec<usize>,
}

/// A part of a formula (by its number in [`Parts`]), and whether it is said to be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The part.
    pub part: usize,
    /// Whether it is true.
    pub holds: bool,
}

/// What shows a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown<F: Formalism = Systems> {
    /// The state itself.
    State,
    /// Claims about parts of the formula, in the same state.
    Parts,
    /// A run, and claims about its states.
    Run(Run<F>),
    /// Nothing: it is about all runs, and no single one shows it.
    ByNoRun,
    /// What would show it was left out, and why.
    LeftOut(String),
}

/// A run from the state of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<F: Formalism = Systems> {
    /// What happens.
    pub steps: Vec<Step<F>>,
    /// The number of the step with which it goes on when it is over, if it goes on for ever; the first is 0. With as
    /// many steps as the number says, nothing can happen at the end.
    pub repeats: Option<usize>,
    /// Whether there is no shorter one that shows the same.
    pub shortest: bool,
}

impl<F: Formalism> Witness<F> {
    /// The one run that says most: that of the claim itself, with the runs that go on where it ends. A formula that speaks of
    /// several runs has others as well.
    pub fn main_run(&self) -> Option<Found<F>> {
        let root = self.nodes.first()?;
        let mut found =
            Found { trace: Trace { initial: root.state.clone(), steps: Vec::new() }, shortest: true, repeats: None };
        let (mut runs, mut here) = (0, false);
        let mut next = Some(root);
        while let Some(node) = next {
            let mut last = 0;
            match &node.shown {
                Shown::Run(run) => {
                    let before = found.trace.steps.len();
                    found.trace.steps.extend(run.steps.iter().cloned());
                    found.repeats = run.repeats.map(|repeats| before + repeats);
                    found.shortest = run.shortest && runs == 0;
                    runs += 1;
                    last = run.steps.len();
                    if run.repeats.is_some() {
                        break;
                    }
                }
                Shown::State => here = true,
                _ => {}
            }
            let goes_on = |&&child: &&usize| {
                let child = &self.nodes[child];
                child.at == last && matches!(child.shown, Shown::Run(_) | Shown::Parts)
            };
            let child = node.children.iter().find(goes_on).or(node.children.first());
            next = child.map(|&child| &self.nodes[child]).filter(|child| child.at == last);
        }
        (runs > 0 || here).then_some(found)
    }

    /// Whether there is anything to see: a run, or a state that decides it.
    fn says_something(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node.shown, Shown::Run(_) | Shown::State))
    }
}

/// The parts of a formula, numbered as they are written from left to right, each before its own parts; the formula itself
/// is 0.
#[derive(Clone, Debug)]
pub struct Parts<'f, A = Atom> {
    list: Vec<&'f Formula<A>>,
    /// The number after those of the parts of each part.
    ends: Vec<usize>,
    /// Whether there are temporal operators in it.
    temporal: Vec<bool>,
}

impl<'f, A> Parts<'f, A> {
    /// The parts of a formula.
    pub fn of(formula: &'f Formula<A>) -> Parts<'f, A> {
        let mut list = Vec::new();
        let mut open = vec![formula];
        while let Some(formula) = open.pop() {
            list.push(formula);
            // What is pushed last is numbered next.
            match formula {
                Formula::Not(f) | Formula::Unary(_, _, f) => open.push(f),
                Formula::Binary(_, _, f, g) => open.extend([&**g, &**f]),
                Formula::And(parts) | Formula::Or(parts) => open.extend(parts.iter().rev()),
                Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => {}
            }
        }
        let mut parts = Parts { ends: vec![0; list.len()], temporal: vec![false; list.len()], list };
        for part in (0..parts.list.len()).rev() {
            let (mut next, mut temporal) = (part + 1, parts.is_operator(part));
            for _ in 0..parts.operands(part) {
                temporal |= parts.temporal[next];
                next = parts.ends[next];
            }
            (parts.ends[part], parts.temporal[part]) = (next, temporal);
        }
        parts
    }

    /// How many there are: at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The part with a number.
    pub fn get(&self, part: usize) -> &'f Formula<A> {
        self.list[part]
    }

    /// Whether there are temporal operators in a part.
    pub fn is_temporal(&self, part: usize) -> bool {
        self.temporal[part]
    }

    /// The numbers of the parts of which a part is made.
    pub fn inside(&self, part: usize) -> impl Iterator<Item = usize> + '_ {
        let first = (self.operands(part) > 0).then_some(part + 1);
        std::iter::successors(first, move |&before| Some(self.ends[before]).filter(|&next| next < self.ends[part]))
    }

    /// The same claim, of what is not a negation.
    pub fn plain(&self, mut claim: Claim) -> Claim {
        while let Formula::Not(_) = self.list[claim.part] {
            claim = Claim { part: claim.part + 1, holds: !claim.holds };
        }
        claim
    }

    fn is_operator(&self, part: usize) -> bool {
        matches!(self.list[part], Formula::Unary(..) | Formula::Binary(..))
    }

    fn operands(&self, part: usize) -> usize {
        match self.list[part] {
            Formula::Not(_) | Formula::Unary(..) => 1,
            Formula::Binary(..) => 2,
            Formula::And(parts) | Formula::Or(parts) => parts.len(),
            Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => 0,
        }
    }
}

/// The run that shows a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// What is claimed of all states on the way, the last one excepted if there is a goal; of any state, if nothing is said.
    pub through: Option<Claim>,
    /// What is claimed of the last state.
    pub goals: Vec<Claim>,
    /// Where it leads.
    pub leads: Leads,
}

/// Where a run leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leads {
    /// To the goal, with one step.
    Next,
    /// To the goal.
    ToGoal,
    /// To the goal, or nowhere: it goes on for ever.
    ToGoalOrNowhere,
    /// Nowhere: there is no goal.
    Nowhere,
}

impl Path {
    /// The run that shows a claim, if it is one about some run: that an operator with `E` holds, or that one with `A` does
    /// not, because of a run on which the opposite is true.
    ///
    /// > `¬(f U g) = ¬g W ¬f∧¬g`, `¬(f W g) = ¬g U ¬f∧¬g`, `¬(f R g) = ¬f U ¬g`, `¬(f M g) = ¬f W ¬g`
    pub fn of<A>(parts: &Parts<'_, A>, claim: Claim) -> Option<Path> {
        let (quantifier, inner) = match parts.get(claim.part) {
            Formula::Unary(quantifier, ..) | Formula::Binary(quantifier, ..) => {
                (*quantifier, parts.inside(claim.part).collect::<Vec<usize>>())
            }
            _ => return None,
        };
        match (quantifier, claim.holds) {
            (Quantifier::Exists, true) | (Quantifier::All, false) => {}
            _ => return None,
        }
        let holds = claim.holds;
        let say = |operand: usize| Claim { part: inner[operand], holds };
        let path = |through, goals, leads| Some(Path { through, goals, leads });
        use BinaryOperator::*;
        use Leads::*;
        match (parts.get(claim.part), holds) {
            (Formula::Unary(_, UnaryOperator::Next, _), _) => path(None, vec![say(0)], Next),
            (Formula::Unary(_, UnaryOperator::Finally, _), true)
            | (Formula::Unary(_, UnaryOperator::Globally, _), false) => path(None, vec![say(0)], ToGoal),
            (Formula::Unary(..), _) => path(Some(say(0)), Vec::new(), Nowhere),
            (Formula::Binary(_, operator, ..), true) => match operator {
                Until => path(Some(say(0)), vec![say(1)], ToGoal),
                WeakUntil => path(Some(say(0)), vec![say(1)], ToGoalOrNowhere),
                StrongRelease => path(Some(say(1)), vec![say(0), say(1)], ToGoal),
                Release => path(Some(say(1)), vec![say(0), say(1)], ToGoalOrNowhere),
            },
            (Formula::Binary(_, operator, ..), false) => match operator {
                Until => path(Some(say(1)), vec![say(0), say(1)], ToGoalOrNowhere),
                WeakUntil => path(Some(say(1)), vec![say(0), say(1)], ToGoal),
                StrongRelease => path(Some(say(0)), vec![say(1)], ToGoalOrNowhere),
                Release => path(Some(say(0)), vec![say(1)], ToGoal),
            },
            _ => None,
        }
    }
}
