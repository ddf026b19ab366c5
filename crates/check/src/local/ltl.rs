//! Formulas of LTL, beside the token game.
//!
//! The product of the game and the automaton of the formula's negation, depth first, and its components as they close, each
//! with the marks that were met in it: the first that has all of them is a run that must not be (J.-M. Couvreur, *On-the-fly
//! verification of linear temporal logic*, 1999). Where the automaton comes to a state in which it accepts whatever follows, that
//! is enough.

use mandala_logic::Automaton;
use mandala_logic::automaton::{Marks, State};
use rustc_hash::FxHashMap;

use super::game::{Game, Stop};
use super::guide::{Guide, Literal};

/// A step where nothing can fire: the marking repeats.
const STAY: u32 = u32::MAX;

/// A state of the product on the way.
struct Frame {
    /// When it was met.
    met: u32,
    /// Edges of the automaton that the marking allows.
    edges: Vec<(State, Marks)>,
    /// Transitions that are still to be followed.
    moves: Vec<u32>,
    /// The transition that is followed, the marking it leads to, and how many of the edges were taken with it.
    current: Option<(u32, u32, usize)>,
    /// Where the game goes back to when this is left.
    here: usize,
}

/// A component that is not closed: when its first state was met, the marks within it, and those of the edge into it.
struct Root {
    met: u32,
    marks: Marks,
    entry: Marks,
}

/// A state of the product.
type Pair = (u32, State);

/// The token game beside an automaton.
pub(super) struct Product<'c, 'r, 'n> {
    game: Game<'r, 'n>,
    automaton: &'c Automaton,
    literals: &'c [Literal],
    guide: Guide,
    /// When pairs were met; `CLOSED` if their component is closed, and shows nothing.
    met: FxHashMap<Pair, u32>,
    clock: u32,
    /// Pairs of components that are not closed, in the order in which they were met.
    live: Vec<(u32, Pair)>,
    roots: Vec<Root>,
    way: Vec<Frame>,
}

const CLOSED: u32 = u32::MAX;

impl<'c, 'r, 'n> Product<'c, 'r, 'n> {
    pub fn new(game: Game<'r, 'n>, automaton: &'c Automaton, literals: &'c [Literal]) -> Product<'c, 'r, 'n> {
        Product {
            game,
            automaton,
            literals,
            guide: Guide::new(automaton, literals),
            met: FxHashMap::default(),
            clock: 0,
            live: Vec::new(),
            roots: Vec::new(),
            way: Vec::new(),
        }
    }

    /// Whether no run is accepted, if that is found out.
    pub fn verdict(&mut self) -> Option<bool> {
        self.is_accepting().ok().map(|is_accepting| !is_accepting)
    }

    fn is_accepting(&mut self) -> Result<bool, Stop> {
        let marking = self.game.number()?;
        for &start in self.automaton.initial() {
            if !self.met.contains_key(&(marking, start)) && self.search((marking, start))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a run from some pair is accepted.
    fn search(&mut self, start: Pair) -> Result<bool, Stop> {
        let here = self.game.here();
        if self.enter(start, Marks::NONE, here)? {
            return Ok(true);
        }
        while let Some(frame) = self.way.last_mut() {
            let Some((transition, marking, taken)) = frame.current else {
                let Some(transition) = frame.moves.pop() else {
                    self.leave();
                    continue;
                };
                self.game.kept = self.game.kept.saturating_sub(1);
                let here = self.game.here();
                self.forward(transition)?;
                let marking = self.game.number()?;
                self.game.back_to(here);
                if let Some(frame) = self.way.last_mut() {
                    frame.current = Some((transition, marking, 0));
                }
                continue;
            };
            let Some(&(target, marks)) = frame.edges.get(taken) else {
                frame.current = None;
                continue;
            };
            frame.current = Some((transition, marking, taken + 1));
            let pair = (marking, target);
            match self.met.get(&pair) {
                Some(&CLOSED) => {}
                Some(&when) => {
                    if self.merge(when, marks) {
                        return Ok(true);
                    }
                }
                None => {
                    let here = self.game.here();
                    self.forward(transition)?;
                    if self.enter(pair, marks, here)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn forward(&mut self, transition: u32) -> Result<(), Stop> {
        if transition == STAY { Ok(()) } else { self.game.forward(transition) }
    }

    /// Meets a pair for the first time, where the game stands: whether everything from here on is accepted.
    fn enter(&mut self, pair: Pair, entry: Marks, here: usize) -> Result<bool, Stop> {
        if self.guide.accepts_all[pair.1 as usize] {
            return Ok(true);
        }
        let board = &self.game.board;
        let holds = |atom: u32| board.holds(&self.literals[atom as usize][0]);
        let allowed =
            self.automaton.edges(pair.1).iter().filter(|e| self.automaton.conditions().satisfied(e.condition, holds));
        let mut edges: Vec<(State, Marks)> = allowed.map(|edge| (edge.target, edge.marks)).collect();
        edges.sort_by_key(|(target, _)| self.guide.ranks[*target as usize]);
        let aim = self.guide.aims[pair.1 as usize].as_ref();
        let mut moves = if edges.is_empty() { Vec::new() } else { self.game.moves(aim)? };
        if moves.is_empty() && self.game.board.enabled.is_empty() {
            moves.push(STAY);
        }
        self.game.kept += moves.len() as u64 + 24;
        let met = self.clock;
        self.clock += 1;
        self.met.insert(pair, met);
        self.live.push((met, pair));
        self.roots.push(Root { met, marks: Marks::NONE, entry });
        self.way.push(Frame { met, edges, moves, current: None, here });
        Ok(false)
    }

    /// All edges of the last pair on the way were followed.
    fn leave(&mut self) {
        let Some(frame) = self.way.pop() else { return };
        self.game.back_to(frame.here);
        if self.roots.last().is_some_and(|root| root.met == frame.met) {
            self.roots.pop();
            while let Some((_, pair)) = self.live.pop_if(|(when, _)| *when >= frame.met) {
                self.met.insert(pair, CLOSED);
            }
        }
    }

    /// An edge leads back: all components from there on are one. Whether it has all marks.
    fn merge(&mut self, when: u32, mut marks: Marks) -> bool {
        while let Some(root) = self.roots.pop_if(|root| root.met > when) {
            marks |= root.marks | root.entry;
        }
        let all = self.automaton.all_marks();
        self.roots.last_mut().is_some_and(|root| {
            root.marks |= marks;
            all.is_subset(root.marks)
        })
    }
}
