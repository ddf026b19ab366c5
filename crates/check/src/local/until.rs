//! E[f U g] from a marking.
//!
//! Depth first through markings in which f holds, until g does. Components of markings that reach each other are closed as the search leaves them
//! (Tarjan, "Depth-first search and linear graph algorithms", 1972): from a closed one no g is reached, and from all that
//! are not closed the end of the way is, so that whatever the search comes to is known of every marking that it met.

use rustc_hash::FxHashMap;

use super::Part;
use super::ctl::Checker;
use super::game::Stop;
use crate::early::goals::Condition;
use crate::early::nearest::Outcome;
use crate::early::relaxed::NEVER;
use crate::reduce::Id;

/// The part of the work that is for a search of the nearest markings.
const PART_OF_WORK: u64 = 4;

/// A formula E[f U g], with what markings look like where g holds, if that can be said.
pub(super) struct Until<'c> {
    pub id: Id,
    pub f: Id,
    pub g: Id,
    pub aim: Option<&'c Condition>,
}

/// A marking on the way.
struct Frame {
    marking: u32,
    /// When it was met.
    met: u32,
    /// The earliest marking on the stack that is reached from here.
    low: u32,
    /// Transitions that are still to be followed.
    moves: Vec<u32>,
    /// Where the game goes back to when this is left.
    here: usize,
    /// Whether something that was met from here on is not known.
    is_unsure: bool,
}

/// When a marking was met from which no g is reached as far as is known: not before the search ends.
const CLOSED: u32 = u32::MAX;

/// The way, and the markings of components that are not closed.
#[derive(Default)]
struct Search {
    way: Vec<Frame>,
    stack: Vec<u32>,
    /// When markings were met; those of which all is known are not here.
    met: FxHashMap<u32, u32>,
    clock: u32,
}

/// What a marking is to the search.
enum Look {
    /// The search is over.
    Found,
    /// No way leads on from here.
    Leaf,
    /// The same, as far as is known.
    Unsure,
    /// f holds here, and g does not as far as is known.
    Through { is_unsure: bool },
}

impl Checker<'_, '_, '_> {
    pub(super) fn until(&mut self, until: &Until<'_>, start: u32, work: u64) -> Result<Option<bool>, Stop> {
        if let Some(known) = self.reach(until, start)? {
            return Ok(Some(known));
        }
        let mut search = Search::default();
        let here = self.game.here();
        if self.meet(&mut search, until, start, here, work)? {
            return Ok(Some(true));
        }
        while let (depth, Some(frame)) = (search.way.len(), search.way.last_mut()) {
            let Some(transition) = frame.moves.pop() else {
                self.leave(&mut search, until.id);
                continue;
            };
            self.game.kept = self.game.kept.saturating_sub(1);
            let here = self.game.here();
            self.game.forward(transition)?;
            let marking = self.game.number()?;
            match search.met.get(&marking).copied() {
                Some(CLOSED) => frame.is_unsure = true,
                Some(when) => frame.low = frame.low.min(when),
                None if self.meet(&mut search, until, marking, here, work)? => {
                    search.stack.iter().for_each(|&one| self.learn(until.id, one, true));
                    return Ok(Some(true));
                }
                None => {}
            }
            if search.way.len() == depth {
                self.game.back_to(here);
            }
        }
        Ok(self.known(until.id, start))
    }

    /// Where g is about one state: whether tokens can get there at all, and if f is always true, a search of the nearest markings.
    fn reach(&mut self, until: &Until<'_>, start: u32) -> Result<Option<bool>, Stop> {
        let parts = self.parts;
        let Part::State(goal) = &parts[until.g] else { return Ok(None) };
        if self.known(until.id, start).is_some() || self.game.board.holds(goal) {
            return Ok(None);
        }
        if self.game.distance(goal) == NEVER {
            return Ok(Some(false));
        }
        if !matches!(parts[until.f], Part::State(Condition::Constant(true))) {
            return Ok(None);
        }
        let work = self.game.most.saturating_sub(self.game.board.work) / PART_OF_WORK;
        match self.game.search(goal, work) {
            Outcome::Met(run) => {
                let here = self.game.here();
                self.learn(until.id, start, true);
                for transition in run {
                    self.game.forward(transition)?;
                    let marking = self.game.number()?;
                    self.learn(until.id, marking, true);
                }
                self.game.back_to(here);
                Ok(Some(true))
            }
            Outcome::Never => Ok(Some(false)),
            Outcome::Unknown => Ok(None),
            Outcome::Overflow => Err(Stop::Overflow),
        }
    }

    /// Meets a marking for the first time, from where the game goes back `here`: whether the search is over.
    fn meet(
        &mut self, search: &mut Search, until: &Until<'_>, marking: u32, here: usize, work: u64,
    ) -> Result<bool, Stop> {
        match self.look(until, marking, work)? {
            Look::Found => return Ok(true),
            Look::Leaf => self.learn(until.id, marking, false),
            Look::Unsure => {
                search.met.insert(marking, CLOSED);
                if let Some(frame) = search.way.last_mut() {
                    frame.is_unsure = true;
                }
            }
            Look::Through { is_unsure } => {
                let moves = self.game.moves(until.aim)?;
                self.game.kept += moves.len() as u64 + 16;
                let when = search.clock;
                search.clock += 1;
                search.met.insert(marking, when);
                search.stack.push(marking);
                search.way.push(Frame { marking, met: when, low: when, moves, here, is_unsure });
            }
        }
        Ok(false)
    }

    fn look(&mut self, until: &Until<'_>, marking: u32, work: u64) -> Result<Look, Stop> {
        match self.known(until.id, marking) {
            Some(true) => return Ok(Look::Found),
            Some(false) => return Ok(Look::Leaf),
            None => {}
        }
        let now = self.truth(until.g, marking, work)?;
        if now == Some(true) {
            return Ok(Look::Found);
        }
        Ok(match (self.truth(until.f, marking, work)?, now) {
            (Some(true), now) => Look::Through { is_unsure: now.is_none() },
            (Some(false), Some(_)) => Look::Leaf,
            (Some(false), None) | (None, _) => Look::Unsure,
        })
    }

    /// Leaves the last marking of the way, and closes its component if it is the first of it.
    fn leave(&mut self, search: &mut Search, id: Id) {
        let Some(frame) = search.way.pop() else { return };
        self.game.back_to(frame.here);
        if frame.low == frame.met {
            while let Some(one) = search.stack.pop() {
                if frame.is_unsure {
                    search.met.insert(one, CLOSED);
                } else {
                    self.learn(id, one, false);
                    search.met.remove(&one);
                }
                if one == frame.marking {
                    break;
                }
            }
        }
        if let Some(before) = search.way.last_mut() {
            before.low = before.low.min(frame.low);
            before.is_unsure |= frame.is_unsure;
        }
    }
}
