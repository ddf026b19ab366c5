//! Formulas of CTL, asked of one marking at a time.
//!
//! EX, EU and EG are searches from the marking, each depth first and each with a part of the work of the one around it: what is not known of a
//! marking in time is *unknown*, and the search goes on elsewhere. What is found out about markings is kept by part.

use mandala_model::net::Net;
use mandala_model::property::{Atom, Formula};

use crate::early::goals::{Condition, Goals};
use crate::reduce::{Id, Part as Reduction, Reduced};

use super::Part;
use super::game::{Game, Stop};
use super::until::Until;

/// What a search within another one may do, as a part of the work of the latter.
const PART_OF_WORK: u64 = 8;

/// The parts of a formula as conditions on markings; nothing if one is about something else.
pub(super) fn parts(net: &Net, reduced: &Reduced<Atom>, goals: &mut Goals) -> Option<Vec<Part>> {
    let mut parts = Vec::with_capacity(reduced.parts.len());
    let expenses = expenses(reduced);
    // What takes less is asked first: it may decide alone.
    let sorted = |ids: &[Id]| {
        let mut sorted = ids.to_vec();
        sorted.sort_by_key(|&id| expenses[id]);
        sorted
    };
    for part in &reduced.parts {
        parts.push(match part {
            Reduction::State(formula) => Part::State(goals.condition(net, formula, true)?),
            Reduction::Not(f) => Part::Not(*f),
            Reduction::And(all) => Part::All(sorted(all)),
            Reduction::Or(any) => Part::Any(sorted(any)),
            Reduction::Next(f) => Part::Next(*f),
            Reduction::Until(f, g) => Part::Until(*f, *g, aim(net, reduced, goals, *g, true, DEEPEST)),
            Reduction::Globally(f) => Part::Globally(*f),
            Reduction::Running => return None,
        });
    }
    Some(parts)
}

/// How much it seems to take to ask each part of a marking. Parts come before what they are parts of.
fn expenses(reduced: &Reduced<Atom>) -> Vec<u64> {
    let mut expenses: Vec<u64> = Vec::with_capacity(reduced.parts.len());
    for (id, part) in reduced.parts.iter().enumerate() {
        let needs = reduced.needs(id);
        let inner = needs.iter().map(|&part| expenses[part]);
        expenses.push(match part {
            Reduction::And(_) | Reduction::Or(_) => inner.max().unwrap_or(0),
            Reduction::State(_) | Reduction::Running | Reduction::Not(_) => inner.fold(0, u64::saturating_add),
            Reduction::Next(_) => inner.fold(1, u64::saturating_add).saturating_mul(2),
            Reduction::Until(..) | Reduction::Globally(_) => inner.fold(2, u64::saturating_add).saturating_mul(10),
        });
    }
    expenses
}

/// Deeper parts of a formula have no part in where it aims at.
const DEEPEST: usize = 8;

/// What markings look like in which a part holds, or does not, for want of anything better: what must hold there itself, or where
/// it has to come to.
fn aim(net: &Net, reduced: &Reduced<Atom>, goals: &mut Goals, id: Id, holds: bool, depth: usize) -> Option<Condition> {
    let depth = depth.checked_sub(1)?;
    let mut combined = |ids: &[Id], is_all: bool| {
        let aims: Vec<Condition> = ids.iter().filter_map(|&id| aim(net, reduced, goals, id, holds, depth)).collect();
        (!aims.is_empty()).then_some(if is_all { Condition::All(aims) } else { Condition::Any(aims) })
    };
    match &reduced.parts[id] {
        Reduction::State(Formula::Constant(_)) | Reduction::Running => None,
        Reduction::State(formula) => goals.condition(net, formula, holds),
        Reduction::Not(f) => aim(net, reduced, goals, *f, !holds, depth),
        Reduction::And(ids) => combined(ids, holds),
        Reduction::Or(ids) => combined(ids, !holds),
        Reduction::Next(f) | Reduction::Globally(f) => aim(net, reduced, goals, *f, holds, depth),
        Reduction::Until(_, g) => aim(net, reduced, goals, *g, holds, depth),
    }
}

/// A formula while it is asked.
pub(super) struct Checker<'c, 'r, 'n> {
    pub game: Game<'r, 'n>,
    pub parts: &'c [Part],
    /// By part and by number of the marking, what is known.
    known: Vec<Vec<Option<bool>>>,
}

impl<'c, 'r, 'n> Checker<'c, 'r, 'n> {
    pub fn new(game: Game<'r, 'n>, parts: &'c [Part]) -> Checker<'c, 'r, 'n> {
        Checker { game, parts, known: vec![Vec::new(); parts.len()] }
    }

    /// Whether the formula holds in the initial marking, if that is found out.
    pub fn verdict(&mut self, top: Id) -> Option<bool> {
        let (number, work) = (self.game.number().ok()?, self.game.most);
        self.truth(top, number, work).ok().flatten()
    }

    /// What is known of a part in a marking.
    pub fn known(&self, id: Id, marking: u32) -> Option<bool> {
        self.known[id].get(marking as usize).copied().flatten()
    }

    /// Keeps what was found out.
    pub fn learn(&mut self, id: Id, marking: u32, truth: bool) {
        let (known, marking) = (&mut self.known[id], marking as usize);
        if known.len() <= marking {
            known.resize(marking + 1, None);
        }
        known[marking] = Some(truth);
    }

    /// Whether a part holds in the marking of the game, which has this number and is the same afterwards; nothing if that is not
    /// found out with so much work.
    pub fn truth(&mut self, id: Id, marking: u32, work: u64) -> Result<Option<bool>, Stop> {
        let parts = self.parts;
        match &parts[id] {
            Part::State(condition) => Ok(Some(self.game.board.holds(condition))),
            Part::Not(f) => Ok(self.truth(*f, marking, work)?.map(|truth| !truth)),
            Part::All(parts) => self.combined(parts, true, marking, work),
            Part::Any(parts) => self.combined(parts, false, marking, work),
            Part::Next(_) | Part::Until(..) | Part::Globally(_) => {
                if let Some(truth) = self.known(id, marking) {
                    return Ok(Some(truth));
                }
                let found = self.search(id, marking, work)?;
                if let Some(truth) = found {
                    self.learn(id, marking, truth);
                }
                Ok(found)
            }
        }
    }

    /// All of some parts, or one of them. `neutral` is the truth that changes nothing.
    fn combined(&mut self, parts: &[Id], neutral: bool, marking: u32, work: u64) -> Result<Option<bool>, Stop> {
        let mut all = Some(neutral);
        for &part in parts {
            match self.truth(part, marking, work)? {
                Some(truth) if truth != neutral => return Ok(Some(truth)),
                Some(_) => {}
                None => all = None,
            }
        }
        Ok(all)
    }

    /// A search from a marking with its own part of the work. The game is where it was afterwards.
    fn search(&mut self, id: Id, marking: u32, work: u64) -> Result<Option<bool>, Stop> {
        let (here, kept, outer) = (self.game.here(), self.game.kept, self.game.most);
        self.game.most = outer.min(self.game.board.work.saturating_add(work));
        let parts = self.parts;
        let found = match &parts[id] {
            Part::Until(f, g, aim) => {
                let until = Until { id, f: *f, g: *g, aim: aim.as_ref() };
                self.until(&until, marking, work / PART_OF_WORK)
            }
            Part::Globally(f) => self.globally(id, *f, marking, work / PART_OF_WORK),
            Part::Next(f) => self.next(*f, work / PART_OF_WORK),
            _ => Ok(None),
        };
        self.game.back_to(here);
        (self.game.most, self.game.kept) = (outer, kept);
        match found {
            // What is around may have work left.
            Err(Stop::Work) if self.game.board.work < outer => Ok(None),
            found => found,
        }
    }

    /// Whether a part holds after some firing.
    fn next(&mut self, f: Id, work: u64) -> Result<Option<bool>, Stop> {
        let mut in_none = Some(false);
        for transition in self.game.moves(None)? {
            let here = self.game.here();
            self.game.forward(transition)?;
            let marking = self.game.number()?;
            match self.truth(f, marking, work)? {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => in_none = None,
            }
            self.game.back_to(here);
        }
        Ok(in_none)
    }
}
