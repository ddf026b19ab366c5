//! How many firings a condition seems to be away, if tokens were never used up.
//!
//! What it costs to bring one more token to a place is one firing and what its transition lacks, and that is the sum of what it
//! costs to bring those tokens (Bonet and Geffner, "Planning as heuristic search", 2001). Where no transition brings a token in this
//! way, none ever will: the costs also show that a condition is met by no marking from here on. Transitions that can fire and that the
//! cheapest way begins with are *helpful* (Hoffmann and Nebel, "The FF planning system", 2001).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mandala_model::net::Net;

use super::board::Board;
use super::goals::Condition;

/// What is further away is not reached at all.
pub(crate) const NEVER: u64 = u64::MAX;
/// Costs that can be reached are not larger than this.
const MOST: u64 = 1 << 40;
/// Of a large group only so many transitions are looked at.
const MOST_MEMBERS: usize = 200;
const NONE: u32 = u32::MAX;

/// The costs in a marking.
pub(crate) struct Relaxed<'n> {
    net: &'n Net,
    /// For each place, the transitions that need tokens there, with how many.
    needed_by: Vec<Vec<(u32, i32)>>,
    /// For each place, the transitions that leave it with fewer tokens.
    emptied_by: Vec<Vec<u32>>,
    /// What it costs to bring a token to a place, and which transition brings it.
    make: Vec<u64>,
    maker: Vec<u32>,
    /// What a transition lacks, and in how many places.
    lack: Vec<u64>,
    lacks: Vec<u32>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    /// The transitions that the cheapest way begins with.
    pub helpful: Vec<u32>,
    is_seen: Vec<bool>,
    /// Work done so far.
    pub work: u64,
}

impl<'n> Relaxed<'n> {
    pub fn new(net: &'n Net) -> Relaxed<'n> {
        let mut needed_by = vec![Vec::new(); net.places.len()];
        let mut emptied_by = vec![Vec::new(); net.places.len()];
        for (index, transition) in (0u32..).zip(&net.transitions) {
            for effect in &transition.effects {
                if effect.needs() > 0 {
                    needed_by[effect.place as usize].push((index, effect.needs()));
                }
                if effect.reset || effect.take > effect.put {
                    emptied_by[effect.place as usize].push(index);
                }
            }
        }
        Relaxed {
            net,
            needed_by,
            emptied_by,
            make: vec![NEVER; net.places.len()],
            maker: vec![NONE; net.places.len()],
            lack: vec![0; net.transitions.len()],
            lacks: vec![0; net.transitions.len()],
            queue: BinaryHeap::new(),
            helpful: Vec::new(),
            is_seen: vec![false; net.places.len()],
            work: 0,
        }
    }

    /// How far a condition seems to be, [`NEVER`] if it is not met from here on; and what is helpful.
    pub fn distance(&mut self, board: &Board<'_, '_>, condition: &Condition) -> u64 {
        self.spread(board);
        let distance = self.cost(board, condition);
        self.helpful.clear();
        if distance != NEVER {
            self.is_seen.fill(false);
            self.help(board, condition);
            self.helpful.sort_unstable();
            self.helpful.dedup();
        }
        distance
    }

    /// What it costs to bring tokens to places, the cheapest first.
    pub fn spread(&mut self, board: &Board<'_, '_>) {
        self.make.fill(NEVER);
        self.maker.fill(NONE);
        self.lack.fill(0);
        self.lacks.fill(0);
        for (place, users) in self.needed_by.iter().enumerate() {
            let tokens = board.marking[place];
            for &(transition, needs) in users {
                self.lacks[transition as usize] += u32::from(needs > tokens);
            }
            self.work += 1 + users.len() as u64;
        }
        for transition in 0..self.lacks.len() as u32 {
            if self.lacks[transition as usize] == 0 {
                self.bring(transition);
            }
        }
        while let Some(Reverse((cost, place))) = self.queue.pop() {
            if cost > self.make[place as usize] {
                continue;
            }
            let tokens = board.marking[place as usize];
            let users = std::mem::take(&mut self.needed_by[place as usize]);
            self.work += 1 + users.len() as u64;
            for &(transition, needs) in users.iter().filter(|(_, needs)| *needs > tokens) {
                let lack = &mut self.lack[transition as usize];
                *lack = lack.saturating_add(cost.saturating_mul(missing(needs, tokens))).min(MOST);
                self.lacks[transition as usize] -= 1;
                if self.lacks[transition as usize] == 0 {
                    self.bring(transition);
                }
            }
            self.needed_by[place as usize] = users;
        }
    }

    /// A transition lacks nothing that cannot be brought.
    fn bring(&mut self, transition: u32) {
        let cost = (self.lack[transition as usize] + 1).min(MOST);
        for effect in &self.net.transitions[transition as usize].effects {
            let place = effect.place as usize;
            let brings = effect.put > effect.take || (effect.reset && effect.put > 0);
            if brings && cost < self.make[place] {
                self.make[place] = cost;
                self.maker[place] = transition;
                self.queue.push(Reverse((cost, effect.place)));
            }
        }
    }

    /// What a transition costs that lacks something.
    fn to_fire(&self, transition: u32) -> u64 {
        if self.lacks[transition as usize] > 0 { NEVER } else { self.lack[transition as usize] }
    }

    /// Whether a transition never fires from the marking on for which costs were worked out last.
    pub fn never_fires(&self, transition: u32) -> bool {
        self.to_fire(transition) == NEVER
    }

    /// The cheapest transition that takes tokens from a place, with what it costs.
    fn taker(&self, place: u32) -> (u64, u32) {
        let takers = self.emptied_by[place as usize].iter().map(|&one| (self.to_fire(one).saturating_add(1), one));
        takers.min().unwrap_or((NEVER, NONE))
    }

    /// The cheapest change of a sum by at least so much, up or down: what it costs, the place, and whether tokens are brought there.
    fn change(&self, board: &Board<'_, '_>, sum: u32, bound: i64, up: bool) -> Option<(u64, u32, bool)> {
        let value = board.sums[sum as usize];
        let by = if up { bound.saturating_sub(value) } else { value.saturating_sub(bound) };
        if by <= 0 {
            return None;
        }
        let mut best = (NEVER, NONE, true);
        for &(place, factor) in &board.rules().goals.sums[sum as usize] {
            let brings = (factor > 0) == up;
            let one = if brings { self.make[place as usize] } else { self.taker(place).0 };
            if one != NEVER {
                let times = (by as u64).div_ceil(factor.unsigned_abs().max(1));
                best = best.min((one.saturating_mul(times).min(MOST), place, brings));
            }
        }
        Some(best)
    }

    fn cost(&self, board: &Board<'_, '_>, condition: &Condition) -> u64 {
        match condition {
            Condition::Constant(truth) => {
                if *truth {
                    0
                } else {
                    NEVER
                }
            }
            Condition::AtLeast(sum, bound) => self.change(board, *sum, *bound, true).map_or(0, |best| best.0),
            Condition::AtMost(sum, bound) => self.change(board, *sum, *bound, false).map_or(0, |best| best.0),
            Condition::Fires(group) if board.firing(*group) > 0 => 0,
            Condition::Fires(group) => self.nearest_of(board, *group).0,
            Condition::NoneFires(group) => u64::from(board.firing(*group)),
            Condition::Dead => board.enabled.len() as u64,
            Condition::Alive => u64::from(board.enabled.is_empty()),
            Condition::All(parts) => {
                let costs = parts.iter().map(|part| self.cost(board, part));
                costs.fold(0, |sum, cost| if cost == NEVER || sum == NEVER { NEVER } else { (sum + cost).min(MOST) })
            }
            Condition::Any(parts) => parts.iter().map(|part| self.cost(board, part)).min().unwrap_or(NEVER),
        }
    }

    /// The transition of a group that lacks least, with what that costs, which is not nothing.
    fn nearest_of(&self, board: &Board<'_, '_>, group: u32) -> (u64, u32) {
        let members = &board.rules().goals.groups[group as usize];
        // Of a group of which not all are looked at it cannot be said that it never fires.
        let others = if members.len() > MOST_MEMBERS { (MOST, NONE) } else { (NEVER, NONE) };
        let costs = members.iter().take(MOST_MEMBERS).map(|&one| (self.to_fire(one).max(1), one));
        costs.chain([others]).min().unwrap_or((NEVER, NONE))
    }

    /// Follows the cheapest way to a condition back to where it begins.
    fn help(&mut self, board: &Board<'_, '_>, condition: &Condition) {
        match condition {
            Condition::AtLeast(sum, bound) | Condition::AtMost(sum, bound) => {
                let up = matches!(condition, Condition::AtLeast(..));
                match self.change(board, *sum, *bound, up) {
                    Some((_, NONE, _)) | None => {}
                    Some((_, place, true)) => self.help_to_bring(board, place),
                    Some((_, place, false)) => self.help_to_fire(board, self.taker(place).1),
                }
            }
            Condition::Fires(group) if board.firing(*group) == 0 => {
                self.help_to_fire(board, self.nearest_of(board, *group).1);
            }
            Condition::All(parts) => parts.iter().for_each(|part| self.help(board, part)),
            Condition::Any(parts) => {
                if let Some(best) = parts.iter().min_by_key(|part| self.cost(board, part)) {
                    self.help(board, best);
                }
            }
            _ => {}
        }
    }

    fn help_to_bring(&mut self, board: &Board<'_, '_>, place: u32) {
        if !std::mem::replace(&mut self.is_seen[place as usize], true) {
            self.help_to_fire(board, self.maker[place as usize]);
        }
    }

    fn help_to_fire(&mut self, board: &Board<'_, '_>, transition: u32) {
        let mut open = vec![transition];
        while let Some(transition) = open.pop().filter(|one| *one != NONE) {
            let mut is_ready = true;
            for effect in &self.net.transitions[transition as usize].effects {
                let place = effect.place as usize;
                if effect.needs() > board.marking[place] {
                    is_ready = false;
                    if !std::mem::replace(&mut self.is_seen[place], true) {
                        open.push(self.maker[place]);
                    }
                }
            }
            if is_ready {
                self.helpful.push(transition);
            }
        }
    }
}

fn missing(needs: i32, tokens: i32) -> u64 {
    (i64::from(needs) - i64::from(tokens)).max(0) as u64
}
