//! Runs through a net: at random, fairly, and towards what is looked for.
//!
//! A run at random picks any transition that can fire. A *fair* one prefers those that fired less often, which gets through long
//! sequences where a run at random turns back and forth. A *directed* one tries some of the transitions that can fire and takes
//! the one after which the marking is nearest to the goal, but for a step at random now and then. A *planned* one fires what a
//! solution of the state equation fires, in any order in which that is possible.
//!
//! How much is done is counted in places and transitions that are looked at, not in time, and the numbers that decide are the
//! same in every run of the program.

use mandala_analysis::equation::Plan;
use mandala_model::net::Overflow;

use super::board::{Board, Rules};
use super::goals::GoalIndex;
use crate::limits::Limits;

/// What runs have found.
#[derive(Clone, Debug)]
pub(crate) struct Sightings {
    /// For each goal, the transitions that lead from the initial marking to one that meets it.
    pub met: Vec<Option<Vec<u32>>>,
    /// For each sum whose extremes are asked for, the least and the greatest value seen.
    pub extremes: Vec<(i64, i64)>,
    /// A place came to hold more tokens than can be counted: what the net means is for others to say.
    pub overflow: bool,
}

/// How a run goes on.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    Random,
    Fair,
    /// Towards a goal.
    Goal(GoalIndex),
    /// Towards small values of a sum, or towards large ones.
    Extreme {
        sum: u32,
        largest: bool,
    },
    /// By a plan, for a goal if there is one.
    Planned(Plan, Option<GoalIndex>),
}

/// A run with more steps begins anew.
const LONGEST: usize = 20_000;
/// A directed run begins anew if it came no nearer for so many steps.
const PATIENCE: usize = 400;
/// So many of the transitions that can fire are tried in each step of a directed run.
const TRIED: usize = 8;
/// A planned run begins anew after so many steps that were not planned.
const DETOUR: usize = 30;
/// Of the transitions that can fire so many are looked at for one that is planned.
const MOST_LOOKED_AT: usize = 2_000;
/// Limits are looked at after so many steps.
const STEPS_BETWEEN_LOOKS: usize = 256;

/// Someone who runs.
pub(crate) struct Runner<'r, 'n> {
    rules: &'r Rules<'n>,
    start: Board<'r, 'n>,
    random: Random,
    keeps_runs: bool,
    pub sightings: Sightings,
    /// Goals that nobody has met.
    open: usize,
}

impl<'r, 'n> Runner<'r, 'n> {
    /// Someone at the initial marking. What is known already is not looked for.
    pub fn new(rules: &'r Rules<'n>, seed: u64, known: Option<&Sightings>, keeps_runs: bool) -> Runner<'r, 'n> {
        let start = Board::new(rules);
        let sightings = known.cloned().unwrap_or_else(|| Sightings {
            met: vec![None; rules.goals.conditions.len()],
            extremes: rules
                .goals
                .extremes
                .iter()
                .map(|&sum| (start.sums[sum as usize], start.sums[sum as usize]))
                .collect(),
            overflow: false,
        });
        let open = sightings.met.iter().filter(|met| met.is_none()).count();
        let mut runner = Runner { rules, start, random: Random::new(seed), keeps_runs, sightings, open };
        // What the initial marking meets is looked at once, and not in every run.
        let mut start = runner.start.clone();
        runner.look(&mut start, &[]);
        runner.start = start;
        runner
    }

    /// Whether there is nothing more to find.
    pub fn is_done(&self) -> bool {
        self.open == 0 && self.rules.goals.extremes.is_empty()
    }

    /// Runs, again and again from the initial marking, until so much work is done, or what is looked for is found, or a limit
    /// strikes: then `false`.
    pub fn run(&mut self, way: &Way, work: u64, limits: &Limits) -> bool {
        let mut board = self.start.clone();
        let mut fired: Vec<u32> =
            if matches!(way, Way::Fair) { vec![0; self.rules.net.transitions.len()] } else { Vec::new() };
        // Copying the initial marking is work, too.
        let goals = self.rules.goals.conditions.len() + self.rules.goals.sums.len() + self.rules.net.transitions.len();
        let copy = (self.start.marking.len() + fired.len() + goals) as u64 / 8 + 1;
        let mut spent = 0;
        while spent < work && !self.is_over(way) {
            board.clone_from(&self.start);
            board.work = 0;
            let goes_on = self.one_run(&mut board, way, work - spent, &mut fired, limits);
            spent += board.work + copy;
            match goes_on {
                Ok(true) => {}
                Ok(false) => return false,
                Err(Overflow) => {
                    self.sightings.overflow = true;
                    return false;
                }
            }
        }
        true
    }

    /// Follows a run, and looks what is met on the way.
    pub fn follow(&mut self, run: &[u32]) {
        let mut board = self.start.clone();
        for (step, &transition) in run.iter().enumerate() {
            if board.fire(transition, None).is_err() {
                self.sightings.overflow = true;
                return;
            }
            self.look(&mut board, &run[..=step]);
        }
    }

    fn is_over(&self, way: &Way) -> bool {
        match way {
            Way::Goal(goal) | Way::Planned(_, Some(goal)) => self.sightings.met[*goal].is_some(),
            Way::Random | Way::Fair => self.is_done(),
            Way::Extreme { .. } | Way::Planned(_, None) => false,
        }
    }

    /// One run. `false` if a limit struck.
    fn one_run(
        &mut self, board: &mut Board<'r, 'n>, way: &Way, work: u64, fired: &mut [u32], limits: &Limits,
    ) -> Result<bool, Overflow> {
        let mut run: Vec<u32> = Vec::new();
        let mut plan = match way {
            Way::Planned(plan, _) => Some(plan.clone()),
            _ => None,
        };
        let longest = LONGEST.max(plan.as_ref().map_or(0, |plan| 2 * plan.len() as usize));
        let (mut nearest, mut since) = (i64::MAX, 0);
        for step in 0..longest {
            if step % STEPS_BETWEEN_LOOKS == STEPS_BETWEEN_LOOKS - 1 && limits.check().is_err() {
                return Ok(false);
            }
            if board.enabled.is_empty() || board.work > work || self.is_over(way) {
                return Ok(true);
            }
            let transition = match way {
                Way::Random => self.any(board),
                Way::Fair => self.fairest(board, fired),
                Way::Goal(_) | Way::Extreme { .. } => {
                    let (transition, score) = self.best(board, way)?;
                    since = if score < nearest { 0 } else { since + 1 };
                    nearest = nearest.min(score);
                    if since > PATIENCE {
                        return Ok(true);
                    }
                    transition
                }
                Way::Planned(..) => {
                    let Some(plan) = plan.as_mut() else { return Ok(true) };
                    let (transition, is_planned) = self.planned(board, plan);
                    plan.fired(transition);
                    since = if is_planned { 0 } else { since + 1 };
                    if since > DETOUR {
                        return Ok(true);
                    }
                    transition
                }
            };
            if let Some(times) = fired.get_mut(transition as usize) {
                *times += 1;
            }
            board.fire(transition, None)?;
            if self.keeps_runs {
                run.push(transition);
            }
            self.look(board, &run);
        }
        Ok(true)
    }

    /// Looks which goals are met here.
    fn look(&mut self, board: &mut Board<'r, 'n>, run: &[u32]) {
        while let Some(goal) = board.next_touched() {
            if self.sightings.met[goal].is_none() && board.meets(goal) {
                self.sightings.met[goal] = Some(run.to_vec());
                self.open -= 1;
            }
        }
        for (&sum, (least, greatest)) in self.rules.goals.extremes.iter().zip(&mut self.sightings.extremes) {
            let value = board.sums[sum as usize];
            *least = value.min(*least);
            *greatest = value.max(*greatest);
        }
    }

    fn any(&mut self, board: &Board<'_, '_>) -> u32 {
        board.enabled[self.random.below(board.enabled.len())]
    }

    /// Of some transitions the one that fired least often.
    fn fairest(&mut self, board: &Board<'_, '_>, fired: &[u32]) -> u32 {
        let mut best = self.any(board);
        for _ in 0..2 {
            let other = self.any(board);
            if fired[other as usize] < fired[best as usize] {
                best = other;
            }
        }
        best
    }

    /// A transition that can fire, if there is one of the plan, else any; and whether it is of the plan.
    fn planned(&mut self, board: &Board<'_, '_>, plan: &Plan) -> (u32, bool) {
        let count = board.enabled.len();
        let first = self.random.below(count);
        for number in 0..count.min(MOST_LOOKED_AT) {
            let transition = board.enabled[(first + number) % count];
            if plan.has(transition) {
                return (transition, true);
            }
        }
        (self.any(board), false)
    }

    /// Of some transitions the one that leads nearest to where the run is to go, with how near that is.
    fn best(&mut self, board: &mut Board<'r, 'n>, way: &Way) -> Result<(u32, i64), Overflow> {
        if self.random.below(10) == 0 {
            return Ok((self.any(board), i64::MAX));
        }
        let mut best: Option<(i64, u32)> = None;
        let mut undo = Vec::new();
        let count = board.enabled.len();
        let first = self.random.below(count);
        for number in 0..count.min(TRIED) {
            let transition = if count <= TRIED { board.enabled[(first + number) % count] } else { self.any(board) };
            board.fire(transition, Some(&mut undo))?;
            let score = self.score(board, way);
            board.undo(&mut undo);
            if best.is_none_or(|(known, _)| score < known) {
                best = Some((score, transition));
            }
        }
        Ok(best.map_or_else(|| (self.any(board), i64::MAX), |(score, transition)| (transition, score)))
    }

    /// How far a marking is from where a run is to go.
    fn score(&self, board: &Board<'_, '_>, way: &Way) -> i64 {
        match way {
            Way::Goal(goal) => board.distance(&self.rules.goals.conditions[*goal]) as i64,
            Way::Extreme { sum, largest: true } => board.sums[*sum as usize].saturating_neg(),
            Way::Extreme { sum, largest: false } => board.sums[*sum as usize],
            Way::Random | Way::Fair | Way::Planned(..) => 0,
        }
    }
}

impl Sightings {
    /// Takes over what another has seen.
    pub fn merge(&mut self, other: Sightings) {
        for (mine, met) in self.met.iter_mut().zip(other.met) {
            if mine.is_none() {
                *mine = met;
            }
        }
        for (mine, seen) in self.extremes.iter_mut().zip(other.extremes) {
            *mine = (mine.0.min(seen.0), mine.1.max(seen.1));
        }
        self.overflow |= other.overflow;
    }
}

/// Pseudo-random numbers, the same for the same seed.
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }
}
