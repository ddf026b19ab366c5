//! EG f from a marking.
//!
//! Depth first through markings in which f holds, until the way meets itself, or ends where nothing can fire. What the search leaves
//! behind before that has no such way.

use rustc_hash::FxHashMap;

use super::ctl::Checker;
use super::game::Stop;
use crate::reduce::Id;

/// A marking on the way.
struct Frame {
    marking: u32,
    /// Transitions that are still to be followed.
    moves: Vec<u32>,
    /// Where the game goes back to when this is left.
    here: usize,
    /// Whether something that was met from here on is not known.
    is_unsure: bool,
}

/// Where a marking is of which not everything is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    OnTheWay,
    Left,
}

#[derive(Default)]
struct Search {
    way: Vec<Frame>,
    met: FxHashMap<u32, Place>,
}

impl Checker<'_, '_, '_> {
    pub(super) fn globally(&mut self, id: Id, f: Id, start: u32, work: u64) -> Result<Option<bool>, Stop> {
        let mut search = Search::default();
        let here = self.game.here();
        if self.stays(&mut search, id, f, start, here, work)? {
            return Ok(Some(true));
        }
        while let (depth, Some(frame)) = (search.way.len(), search.way.last_mut()) {
            let Some(transition) = frame.moves.pop() else {
                self.go_back(&mut search, id);
                continue;
            };
            self.game.kept = self.game.kept.saturating_sub(1);
            let here = self.game.here();
            self.game.forward(transition)?;
            let marking = self.game.number()?;
            let is_found = match search.met.get(&marking).copied() {
                Some(Place::OnTheWay) => true,
                Some(Place::Left) => {
                    frame.is_unsure = true;
                    false
                }
                None => self.stays(&mut search, id, f, marking, here, work)?,
            };
            if is_found {
                search.way.iter().for_each(|frame| self.learn(id, frame.marking, true));
                return Ok(Some(true));
            }
            if search.way.len() == depth {
                self.game.back_to(here);
            }
        }
        Ok(self.known(id, start))
    }

    /// Meets a marking for the first time: whether it is known that a way goes on for ever from here.
    fn stays(
        &mut self, search: &mut Search, id: Id, f: Id, marking: u32, here: usize, work: u64,
    ) -> Result<bool, Stop> {
        if let Some(known) = self.known(id, marking) {
            return Ok(known);
        }
        match self.truth(f, marking, work)? {
            Some(true) if self.game.board.enabled.is_empty() => {
                self.learn(id, marking, true);
                return Ok(true);
            }
            Some(true) => {
                let moves = self.game.moves(None)?;
                self.game.kept += moves.len() as u64 + 16;
                search.met.insert(marking, Place::OnTheWay);
                search.way.push(Frame { marking, moves, here, is_unsure: false });
            }
            Some(false) => self.learn(id, marking, false),
            None => {
                search.met.insert(marking, Place::Left);
                if let Some(frame) = search.way.last_mut() {
                    frame.is_unsure = true;
                }
            }
        }
        Ok(false)
    }

    /// Leaves the last marking of the way.
    fn go_back(&mut self, search: &mut Search, id: Id) {
        let Some(frame) = search.way.pop() else { return };
        self.game.back_to(frame.here);
        if frame.is_unsure {
            search.met.insert(frame.marking, Place::Left);
        } else {
            self.learn(id, frame.marking, false);
            search.met.remove(&frame.marking);
        }
        if let Some(before) = search.way.last_mut() {
            before.is_unsure |= frame.is_unsure;
        }
    }
}
