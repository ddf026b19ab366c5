//! Components with one token: a search for single units.
//!
//! A set of places `S` that holds at most one token initially keeps to that if no transition puts more tokens into `S`
//! than it takes from it. (The indicator of `S` is a sub-semiflow: `y·C ≤ 0`.) It is a state machine component if each
//! transition puts exactly as many as it takes.
//!
//! To find a component with a given place, the place is put *in* and demands are met: a transition that puts into `S`
//! demands that one of the places it takes from is in, and for a state machine component also the other way round. A
//! demand with one candidate is met at once. One with several is a decision, taken back when it leads to a
//! contradiction: the candidate is then *out*, and the next is tried. Unlike the elimination, which lists all
//! components, this finds one for a place in nets where there are too many to list.

use super::incidence::{Incidence, tokens};

/// How strict a search is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Each transition puts as many as it takes.
    Exact,
    /// Each transition puts at most as many as it takes.
    Losing,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unknown,
    In,
    Out,
}

/// Among how many demands the one to meet next is chosen.
const NEAR: usize = 8;

/// A contradiction, or the end of the budget.
struct Stuck;

/// A search for components of one net. Between searches nothing is decided.
pub(crate) struct Search<'a> {
    incidence: &'a Incidence,
    /// By change: places that lose a token, and places that gain one.
    downs: Vec<Vec<u32>>,
    ups: Vec<Vec<u32>>,
    /// By place: the changes it is part of.
    touching: Vec<Vec<u32>>,
    markings: &'a [Vec<i32>],
    /// By place: whether it cannot be in any component.
    excluded: Vec<bool>,
    /// By place: whether another place is preferred.
    covered: Vec<bool>,
    state: Vec<State>,
    /// Places that are in or out, in the order in which that was decided.
    trail: Vec<u32>,
    /// By marking: how many tokens the places that are in hold.
    held: Vec<i64>,
    kind: Kind,
    /// Changes that had a demand when a place came in, and how many of the first ones are met.
    pending: Vec<u32>,
    met: usize,
    decisions: Vec<Decision>,
    work: Vec<u32>,
    /// Operations that are left.
    pub(crate) budget: u64,
}

struct Decision {
    trail: usize,
    pending: usize,
    met: usize,
    candidate: u32,
}

impl<'a> Search<'a> {
    /// A search in a net with these changes and initial markings.
    pub(crate) fn new(incidence: &'a Incidence, markings: &'a [Vec<i32>]) -> Search<'a> {
        let places = incidence.places;
        let (mut downs, mut ups) = (Vec::new(), Vec::new());
        let mut touching = vec![Vec::new(); places];
        let mut excluded: Vec<bool> =
            (0..places as u32).map(|place| markings.iter().any(|marking| tokens(marking, place) > 1)).collect();
        for (index, change) in (0..).zip(&incidence.changes) {
            let places = |gain| change.iter().filter(move |entry| entry.1 == gain).map(|entry| entry.0).collect();
            downs.push(places(-1));
            ups.push(places(1));
            for &(place, gain) in change {
                touching[place as usize].push(index);
                excluded[place as usize] |= gain.abs() > 1;
            }
        }
        Search {
            incidence,
            downs,
            ups,
            touching,
            markings,
            excluded,
            covered: vec![false; places],
            state: vec![State::Unknown; places],
            trail: Vec::new(),
            held: vec![0; markings.len()],
            kind: Kind::Exact,
            pending: Vec::new(),
            met: 0,
            decisions: Vec::new(),
            work: Vec::new(),
            budget: 0,
        }
    }

    /// How many places the net has.
    pub(crate) fn places(&self) -> u32 {
        self.incidence.places as u32
    }

    /// Makes the search prefer other places from now on.
    pub(crate) fn cover(&mut self, place: u32) {
        self.covered[place as usize] = true;
    }

    /// All places, those that are marked initially first.
    pub(crate) fn marked_first(&self) -> Vec<u32> {
        let mut seeds: Vec<u32> = (0..self.places()).collect();
        seeds.sort_by_key(|&place| self.markings.iter().all(|marking| tokens(marking, place) == 0));
        seeds
    }

    /// Makes the search prefer no place.
    pub(crate) fn uncover(&mut self) {
        self.covered.fill(false);
    }

    /// Whether a component with the place has been found already.
    pub(crate) fn is_covered(&self, place: u32) -> bool {
        self.covered[place as usize]
    }

    /// A component with the place, its places in ascending order. `None` if there is none, or none was found in time.
    pub(crate) fn component(&mut self, place: u32, kind: Kind) -> Option<Vec<u32>> {
        self.kind = kind;
        let found = self.assume(place).and_then(|()| self.solve(0));
        if found.is_ok() && kind == Kind::Losing {
            self.extend();
        }
        let found = found.ok().map(|()| self.inside());
        self.undo(0);
        self.pending.clear();
        self.met = 0;
        self.decisions.clear();
        found
    }

    fn inside(&self) -> Vec<u32> {
        let mut places: Vec<u32> =
            self.trail.iter().copied().filter(|&place| self.state[place as usize] == State::In).collect();
        places.sort_unstable();
        places
    }

    /// Whether a place may still come in.
    fn available(&self, place: u32) -> bool {
        self.state[place as usize] == State::Unknown
            && !self.excluded[place as usize]
            && self.markings.iter().zip(&self.held).all(|(marking, held)| held + tokens(marking, place) <= 1)
    }

    /// Puts a place in and follows all that this forces.
    fn assume(&mut self, place: u32) -> Result<(), Stuck> {
        self.work.clear();
        self.put_in(place)?;
        self.propagate()
    }

    fn put_in(&mut self, place: u32) -> Result<(), Stuck> {
        if !self.available(place) {
            return if self.state[place as usize] == State::In { Ok(()) } else { Err(Stuck) };
        }
        for (marking, held) in self.markings.iter().zip(&mut self.held) {
            *held += tokens(marking, place);
        }
        self.decide(place, State::In);
        Ok(())
    }

    fn decide(&mut self, place: u32, state: State) {
        self.state[place as usize] = state;
        self.trail.push(place);
        self.work.push(place);
    }

    fn propagate(&mut self) -> Result<(), Stuck> {
        while let Some(place) = self.work.pop() {
            for index in 0..self.touching[place as usize].len() {
                let change = self.touching[place as usize][index];
                self.check(change, self.state[place as usize] == State::In)?;
            }
        }
        Ok(())
    }

    /// Follows what one change forces.
    fn check(&mut self, change: u32, came_in: bool) -> Result<(), Stuck> {
        let (downs, ups) = (&self.downs[change as usize], &self.ups[change as usize]);
        let cost = 1 + (downs.len() + ups.len()) as u64;
        self.budget = self.budget.saturating_sub(cost);
        if self.budget == 0 {
            return Err(Stuck);
        }
        let inside = |side: &[u32]| side.iter().filter(|&&place| self.state[place as usize] == State::In).count();
        let (lost, gained) = (inside(downs), inside(ups));
        if lost > 1 || gained > 1 {
            return Err(Stuck);
        }
        let full = [(lost, downs), (gained, ups)].into_iter().filter(|(count, _)| *count == 1);
        let shut: Vec<u32> =
            full.flat_map(|(_, side)| side).copied().filter(|&p| self.state[p as usize] == State::Unknown).collect();
        for place in shut {
            self.decide(place, State::Out);
        }
        if let Some(candidates) = self.demand(change) {
            match candidates[..] {
                [] => return Err(Stuck),
                [only] => self.put_in(only)?,
                _ if came_in => self.pending.push(change),
                _ => {}
            }
        }
        Ok(())
    }

    /// The candidates of which a change demands one; `None` if it demands nothing.
    fn demand(&self, change: u32) -> Option<Vec<u32>> {
        let (downs, ups) = (&self.downs[change as usize], &self.ups[change as usize]);
        let inside = |side: &[u32]| side.iter().any(|&place| self.state[place as usize] == State::In);
        let wanted = match (inside(downs), inside(ups)) {
            (false, true) => downs,
            (true, false) if self.kind == Kind::Exact => ups,
            _ => return None,
        };
        Some(wanted.iter().copied().filter(|&place| self.available(place)).collect())
    }

    /// Meets all demands, taking back decisions but not those before `floor`.
    fn solve(&mut self, floor: usize) -> Result<(), Stuck> {
        while let Some(candidates) = self.next_demand() {
            self.budget = self.budget.saturating_sub(1 + candidates.len() as u64);
            let best = candidates
                .into_iter()
                .min_by_key(|&place| (self.covered[place as usize], self.touching[place as usize].len(), place));
            let next = match best {
                Some(candidate) => {
                    self.decisions.push(Decision {
                        trail: self.trail.len(),
                        pending: self.pending.len(),
                        met: self.met,
                        candidate,
                    });
                    self.assume(candidate)
                }
                None => Err(Stuck),
            };
            if next.is_err() {
                self.retreat(floor)?;
            }
        }
        Ok(())
    }

    /// Takes back the last decision, excludes its candidate, and so on until there is no contradiction.
    fn retreat(&mut self, floor: usize) -> Result<(), Stuck> {
        while self.decisions.len() > floor && self.budget > 0 {
            let Some(decision) = self.decisions.pop() else { break };
            self.undo(decision.trail);
            self.pending.truncate(decision.pending);
            self.met = decision.met;
            self.work.clear();
            self.decide(decision.candidate, State::Out);
            if self.propagate().is_ok() {
                return Ok(());
            }
        }
        Err(Stuck)
    }

    /// The pending demand with the fewest candidates among the last few. A contradiction then shows near the decisions
    /// that led to it.
    fn next_demand(&mut self) -> Option<Vec<u32>> {
        while self.pending.get(self.met).is_some_and(|&change| self.demand(change).is_none()) {
            self.met += 1;
        }
        let mut found: Option<Vec<u32>> = None;
        let (mut near, mut looked) = (0, 0);
        for &change in self.pending[self.met..].iter().rev() {
            looked += 2;
            let Some(candidates) = self.demand(change) else { continue };
            looked += candidates.len() as u64;
            near += 1;
            if found.as_ref().is_none_or(|best| candidates.len() < best.len()) {
                found = Some(candidates);
            }
            if near == NEAR {
                break;
            }
        }
        self.budget = self.budget.saturating_sub(looked);
        found
    }

    fn undo(&mut self, length: usize) {
        for place in self.trail.drain(length..) {
            if self.state[place as usize] == State::In {
                for (marking, held) in self.markings.iter().zip(&mut self.held) {
                    *held -= tokens(marking, place);
                }
            }
            self.state[place as usize] = State::Unknown;
        }
    }

    /// Adds places that the token may go on to, as long as demands can be met.
    fn extend(&mut self) {
        let mut next = 0;
        while let Some(&place) = self.trail.get(next) {
            next += 1;
            if self.state[place as usize] != State::In {
                continue;
            }
            for index in 0..self.touching[place as usize].len() {
                let change = self.touching[place as usize][index];
                let mut candidates = self.ups[change as usize].clone();
                candidates.sort_by_key(|&place| self.covered[place as usize]);
                for candidate in candidates {
                    if self.available(candidate) && self.downs[change as usize].contains(&place) {
                        self.attempt(candidate);
                    }
                }
            }
        }
    }

    /// Puts a place in if demands can be met, otherwise leaves everything as it was.
    fn attempt(&mut self, candidate: u32) {
        let (trail, pending, met, floor) = (self.trail.len(), self.pending.len(), self.met, self.decisions.len());
        let fits = self.assume(candidate).or_else(|_| self.retreat(floor)).and_then(|()| self.solve(floor));
        if fits.is_err() {
            self.undo(trail);
            self.pending.truncate(pending);
            self.met = met;
        }
        self.decisions.truncate(floor);
    }

    /// What a set of places is by the definition, found without regard to how the set came about. `None` if it is no
    /// component; otherwise whether it holds exactly one token for ever.
    pub(crate) fn verify(&self, places: &[u32]) -> Option<bool> {
        let mut sums = rustc_hash::FxHashMap::<u32, i64>::default();
        for &place in places {
            for &change in &self.touching[place as usize] {
                let gain = super::elimination::entry(&self.incidence.changes[change as usize], place);
                *sums.entry(change).or_default() += gain;
            }
        }
        let totals: Vec<i64> =
            self.markings.iter().map(|marking| places.iter().map(|&place| tokens(marking, place)).sum()).collect();
        if totals.iter().any(|&total| total > 1) || sums.values().any(|&sum| sum > 0) {
            return None;
        }
        let kept = sums.values().all(|&sum| sum == 0);
        let exact = places.iter().all(|&place| !self.incidence.inexact[place as usize]);
        Some(kept && exact && totals.iter().all(|&total| total == 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that forks into two branches and joins them again, and a token that both branches borrow.
    fn fork() -> Incidence {
        let changes = vec![
            vec![(0, -1), (1, 1), (3, 1)],
            vec![(1, -1), (2, 1), (5, -1)],
            vec![(3, -1), (4, 1), (5, 1)],
            vec![(0, 1), (2, -1), (4, -1)],
        ];
        Incidence { places: 6, changes, inexact: vec![false; 6] }
    }

    #[test]
    fn a_branch_is_followed_to_its_own_end() {
        let (incidence, markings) = (fork(), [vec![1, 0, 0, 0, 0, 1]]);
        let mut search = Search::new(&incidence, &markings);
        search.budget = 1000;
        assert_eq!(search.component(1, Kind::Exact), Some(vec![0, 1, 2]));
        assert_eq!(search.component(4, Kind::Exact), Some(vec![0, 3, 4]));
        assert_eq!(search.verify(&[0, 1, 2]), Some(true));
        assert_eq!(search.verify(&[1, 2]), None);
        assert_eq!(search.verify(&[0, 1, 2, 5]), None);
    }

    #[test]
    fn covered_places_are_avoided_where_there_is_a_choice() {
        let (incidence, markings) = (fork(), [vec![1, 0, 0, 0, 0, 1]]);
        let mut search = Search::new(&incidence, &markings);
        search.budget = 1000;
        [1, 2].into_iter().for_each(|place| search.cover(place));
        assert_eq!(search.component(0, Kind::Exact), Some(vec![0, 3, 4]));
        search.uncover();
        [3, 4].into_iter().for_each(|place| search.cover(place));
        assert_eq!(search.component(0, Kind::Exact), Some(vec![0, 1, 2]));
    }

    #[test]
    fn a_lost_token_needs_the_losing_kind() {
        let changes = vec![vec![(0, -1), (1, 1)], vec![(1, -1)], vec![(2, 1)]];
        let incidence = Incidence { places: 3, changes, inexact: vec![false; 3] };
        let markings = [vec![1, 0, 0]];
        let mut search = Search::new(&incidence, &markings);
        search.budget = 1000;
        assert_eq!(search.component(0, Kind::Exact), None);
        assert_eq!(search.component(0, Kind::Losing), Some(vec![0, 1]));
        assert_eq!(search.verify(&[0, 1]), Some(false));
        assert_eq!(search.component(2, Kind::Losing), None);
    }

    #[test]
    fn a_spent_budget_ends_the_search() {
        let (incidence, markings) = (fork(), [vec![1, 0, 0, 0, 0, 1]]);
        let mut search = Search::new(&incidence, &markings);
        search.budget = 3;
        assert_eq!(search.component(1, Kind::Exact), None);
        search.budget = 1000;
        assert_eq!(search.component(1, Kind::Exact), Some(vec![0, 1, 2]));
    }
}
