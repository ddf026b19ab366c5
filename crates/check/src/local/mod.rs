//! Formulas of CTL and LTL on the states that decide them, as they are met.
//!
//! Many formulas are decided near the initial marking: a run that leads to what can be reached, a cycle in which something
//! never comes. So the token game is played depth first from there, and what a formula says is asked of a marking when it
//! matters (`ctl`), or beside the automaton of the formula's negation (`ltl`). Nothing is kept of a step but the number of the
//! marking and how to undo it, so that a step of a large net costs as much as the arcs around it and one look at the marking. Where all
//! states are met, the answer is complete; where the work is done before, it is unknown.
//!
//! For nets that are a whole model, with one initial marking, no priorities, and no transitions that wait to be called, like
//! [`early`](crate::early); runs that end count, their last marking repeats.

mod ctl;
mod game;
mod globally;
mod guide;
mod ltl;
mod until;

use std::sync::Arc;

use mandala_model::net::Net;
use mandala_model::property::Question;
use mandala_model::system::{System, Type};

use crate::answer::Verdict;
use crate::claim::Forbidden;
use crate::early::board::Rules;
use crate::early::goals::{Condition, Goals};
use crate::limits::Limits;
use crate::reduce::{Id, Reduced};
use ctl::Checker;
use game::{Game, Manner};
use guide::Literal;
use ltl::Product;

/// A question about a net that is answered on some of its states.
pub struct Local<'s> {
    net: &'s Net,
    initial: &'s [i32],
    goals: Arc<Goals>,
    asked: Asked,
}

/// What is asked.
enum Asked {
    /// Parts, of which the last is the formula.
    Ctl(Vec<Part>, Id),
    /// The automaton of the negation, with what its atoms say.
    Ltl(Forbidden, Vec<Literal>),
}

/// A part of a formula of CTL, over other parts.
pub(crate) enum Part {
    State(Condition),
    Not(Id),
    All(Vec<Id>),
    Any(Vec<Id>),
    /// EX
    Next(Id),
    /// EU, and what markings look like where the second holds, if that can be said.
    Until(Id, Id, Option<Condition>),
    /// EG
    Globally(Id),
}

/// Whether a system is of the kind that this is for.
pub fn suits(system: &System) -> bool {
    net(system).is_some()
}

/// The net that a system is, with its initial marking.
fn net(system: &System) -> Option<(&Net, &[i32])> {
    let Type::Net(net) = system.main_type() else { return None };
    let [begin] = system.begins[..] else { return None };
    let waits = net.transitions.iter().any(|transition| transition.label.is_some());
    if waits || net.has_priorities() {
        return None;
    }
    Some((net, &net.initial.get(begin)?.marking))
}

impl<'s> Local<'s> {
    /// A question of CTL or LTL about a system, if both are of the kind that this is for.
    pub fn new(system: &'s System, question: &Question) -> Option<Local<'s>> {
        let (net, initial) = net(system)?;
        let mut goals = Goals::default();
        let asked = match question {
            Question::Ctl(formula) => {
                let mut reduced = Reduced::new(false);
                let top = reduced.include(formula).ok()?;
                Asked::Ctl(ctl::parts(net, &reduced, &mut goals)?, top)
            }
            Question::Ltl(formula) => {
                let forbidden = Forbidden::against(formula).ok()?;
                let mut literals = Vec::with_capacity(forbidden.propositions.len());
                for proposition in &forbidden.propositions {
                    let holds = goals.condition(net, proposition, true)?;
                    literals.push([holds, goals.condition(net, proposition, false)?]);
                }
                Asked::Ltl(forbidden, literals)
            }
            _ => return None,
        };
        Some(Local { net, initial, goals: Arc::new(goals), asked })
    }

    /// The verdict, if so much work is enough. The order in which runs are tried depends on the seed.
    pub fn look(&self, work: u64, seed: u64, limits: &Limits) -> Option<Verdict> {
        let rules = Rules::new(self.net, self.initial, Arc::clone(&self.goals));
        let manner = if seed.is_multiple_of(2) { Manner::Directed } else { Manner::AtRandom };
        let game = Game::new(&rules, manner, seed, work, limits);
        let holds = match &self.asked {
            Asked::Ctl(parts, top) => Checker::new(game, parts).verdict(*top),
            Asked::Ltl(forbidden, literals) => Product::new(game, &forbidden.automaton, literals).verdict(),
        };
        holds.map(Verdict::of)
    }
}
