//! The token game with a way back: forward by a firing, back by undoing it, and a number for each marking.

use crate::early::board::{Board, Rules};
use crate::early::goals::Condition;
use crate::early::markings::Markings;
use crate::early::nearest::{Outcome, Search};
use crate::early::relaxed::Relaxed;
use crate::early::runs::Random;
use crate::limits::Limits;

/// Why a search does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The work that it may do is done.
    Work,
    /// Time or memory are over, or someone stopped it.
    Limit,
    /// A place came to hold more tokens than can be counted: what the net means is for others to say.
    Overflow,
}

/// How the transitions that can fire are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    AtRandom,
    /// Those first that seem to help towards what is looked for.
    Directed,
}

/// Limits are looked at after so much work.
const BETWEEN_LOOKS: u64 = 1 << 14;

/// A game in which one can go back.
pub(super) struct Game<'r, 'n> {
    pub board: Board<'r, 'n>,
    pub markings: Markings,
    /// What places held before, change after change.
    trail: Vec<(u32, i32)>,
    manner: Manner,
    random: Random,
    limits: Limits,
    /// How far conditions seem to be, once somebody asks.
    relaxed: Option<Relaxed<'n>>,
    next_look: u64,
    /// How much work may be done.
    pub most: u64,
    /// Things that searches keep for the transitions that they have not followed yet.
    pub kept: u64,
}

impl<'r, 'n> Game<'r, 'n> {
    pub fn new(rules: &'r Rules<'n>, manner: Manner, seed: u64, most: u64, limits: &Limits) -> Game<'r, 'n> {
        let limits = limits.with_memory_divided_by(2);
        Game {
            board: Board::new(rules),
            markings: Markings::new(&limits),
            trail: Vec::new(),
            manner,
            random: Random::new(seed),
            limits,
            relaxed: None,
            next_look: 0,
            most,
            kept: 0,
        }
    }

    /// Where the way begins that [`Game::back_to`] goes back.
    pub fn here(&self) -> usize {
        self.trail.len()
    }

    /// Fires a transition that can fire.
    pub fn forward(&mut self, transition: u32) -> Result<(), Stop> {
        self.check()?;
        self.board.fire(transition, Some(&mut self.trail)).map_err(|_| Stop::Overflow)
    }

    /// Goes back.
    pub fn back_to(&mut self, here: usize) {
        self.board.undo_to(&mut self.trail, here);
    }

    /// The number of the marking.
    pub fn number(&mut self) -> Result<u32, Stop> {
        self.board.work += self.board.marking.len() as u64 / 8 + 1;
        self.markings.number_of(&self.board.marking).map_err(|_| Stop::Limit)
    }

    /// Whether work goes on.
    fn check(&mut self) -> Result<(), Stop> {
        if self.board.work >= self.next_look {
            self.next_look = self.board.work + BETWEEN_LOOKS;
            let kept = self.kept.saturating_mul(4);
            if self.limits.check().is_err() || self.limits.memory.is_some_and(|most| kept > most as u64) {
                return Err(Stop::Limit);
            }
        }
        if self.board.work >= self.most { Err(Stop::Work) } else { Ok(()) }
    }

    /// The transitions that can fire, in the order in which they are to be tried: the last comes first.
    pub fn moves(&mut self, aim: Option<&Condition>) -> Result<Vec<u32>, Stop> {
        let mut moves = self.board.enabled.clone();
        for index in (1..moves.len()).rev() {
            moves.swap(index, self.random.below(index + 1));
        }
        self.board.work += moves.len() as u64;
        let Some(aim) = aim.filter(|_| self.manner == Manner::Directed && moves.len() > 1) else { return Ok(moves) };
        self.check()?;
        self.distance(aim);
        if let Some(relaxed) = &self.relaxed {
            moves.sort_by_key(|transition| relaxed.helpful.binary_search(transition).is_ok());
        }
        Ok(moves)
    }

    /// How far a condition seems to be.
    pub fn distance(&mut self, condition: &Condition) -> u64 {
        let net = self.board.rules().net;
        let relaxed = self.relaxed.get_or_insert_with(|| Relaxed::new(net));
        relaxed.work = 0;
        let distance = relaxed.distance(&self.board, condition);
        self.board.work += relaxed.work;
        distance
    }

    /// A search for a condition from here, the nearest markings first, with so much work.
    pub fn search(&mut self, condition: &Condition, work: u64) -> Outcome {
        let net = self.board.rules().net;
        let seed = self.random.below(1 << 30) as u64;
        let relaxed = self.relaxed.get_or_insert_with(|| Relaxed::new(net));
        let outcome = Search::new(self.board.clone(), condition, relaxed, seed, &self.limits).run(work, &self.limits);
        self.board.work += relaxed.work;
        outcome
    }
}
