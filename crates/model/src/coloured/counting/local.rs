//! What transitions do to the colours of counted classes, and which local states there can be.

use super::reduce::Reduced;
use super::{CannotCount, FindFlows, MOST_LOCAL_STATES};
use crate::coloured::ColouredNet;
use crate::coloured::unfold::{CannotUnfold, Limits, Progress, Unfolding};
use crate::coloured::value::{Token, Value};
use crate::net::{self, Effect, Net, Overflow, Place};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// What one colour has: how often each facet, in ascending order of facets, none of them not at all. A *facet* is a token of a
/// place without its counted colour.
pub(super) type LocalState = Vec<(u32, i32)>;

/// What a transition does to one colour. The places of the effects are facets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Role {
    pub cell: u32,
    pub effects: Vec<Effect>,
}

impl Role {
    /// The local state afterwards, if a colour in this one allows it. Too large a number is an error.
    pub fn apply(&self, state: &[(u32, i32)]) -> Result<Option<LocalState>, Overflow> {
        let mut after = state.to_vec();
        for effect in &self.effects {
            let at = after.binary_search_by_key(&effect.place, |one| one.0);
            let tokens = at.map_or(0, |at| after[at].1);
            let Some(new) = effect.apply(tokens, None)? else { return Ok(None) };
            match at {
                Ok(at) if new == 0 => drop(after.remove(at)),
                Ok(at) => after[at].1 = new,
                Err(at) if new != 0 => after.insert(at, (effect.place, new)),
                Err(_) => {}
            }
        }
        Ok(Some(after))
    }
}

/// One binding of a transition, up to exchanging colours.
#[derive(Clone, Debug)]
pub(super) struct Act {
    /// The transition of the unfolded net.
    pub transition: u32,
    /// What it does to places without counted colours.
    pub plain: Vec<Effect>,
    /// What it does to the colours that it binds, each to be chosen.
    pub bound: Vec<Role>,
    /// Which role each variable has, if it has one of its own.
    pub role_of: Vec<Option<u32>>,
    /// What it does to all colours of a cell that it does not bind.
    pub others: Vec<Role>,
    /// The cells of which it may leave some colours alone.
    alone: Vec<u32>,
}

/// All that can happen, and all local states that there can be.
pub(super) struct Acts {
    pub acts: Vec<Act>,
    /// Facets: place, and token without its counted colour.
    pub facets: Vec<(u32, Token)>,
    /// The local states of each cell; the first is that of the beginning.
    pub states: Vec<Vec<LocalState>>,
    /// For each act and bound role, the local states that allow it.
    pub allowed: Vec<Vec<Vec<u32>>>,
    /// For each cell, sums of weighted facets that no colour goes beyond.
    bounds: Vec<Vec<Bound>>,
    numbers: Vec<FxHashMap<LocalState, u32>>,
    queue: VecDeque<(u32, u32)>,
}

/// Facets with weights, and the greatest sum.
type Bound = (FxHashMap<u32, i64>, i64);

impl Acts {
    pub fn new(reduced: &Reduced, unfolding: &Unfolding) -> Acts {
        let mut facets = Facets { reduced, unfolding, numbers: FxHashMap::default(), list: Vec::new() };
        let mut acts = Vec::new();
        for transition in 0..unfolding.net.transitions.len() as u32 {
            acts.extend(facets.act(transition));
        }
        let mut initial: Vec<LocalState> = vec![Vec::new(); reduced.cells.len()];
        let marking = &unfolding.net.initial[0].marking;
        for (place, &tokens) in (0..).zip(marking).filter(|(_, tokens)| **tokens != 0) {
            if let Some((class, colour, facet)) = facets.of(place)
                && first_of_cell(reduced, class, colour) == colour
                && let Some(cells) = &reduced.cell_of[class as usize]
            {
                initial[cells[colour as usize] as usize].push((facet, tokens));
            }
        }
        initial.iter_mut().for_each(|state| state.sort_unstable());
        let mut acts = Acts {
            allowed: acts.iter().map(|act: &Act| vec![Vec::new(); act.bound.len()]).collect(),
            acts,
            facets: facets.list,
            states: vec![Vec::new(); initial.len()],
            bounds: vec![Vec::new(); initial.len()],
            numbers: vec![FxHashMap::default(); initial.len()],
            queue: VecDeque::new(),
        };
        for (cell, state) in (0..).zip(initial) {
            acts.insert(cell, state);
        }
        acts
    }

    /// Adds a local state that there can be; what is new is to be looked at.
    fn insert(&mut self, cell: u32, state: LocalState) {
        let states = &mut self.states[cell as usize];
        let next = states.len() as u32;
        if let Entry::Vacant(entry) = self.numbers[cell as usize].entry(state) {
            states.push(entry.key().clone());
            entry.insert(next);
            self.queue.push_back((cell, next));
        }
    }

    /// The local state of a colour afterwards, if it allows a role and nothing speaks against the local state afterwards.
    fn after(&self, role: &Role, state: &[(u32, i32)]) -> Result<Option<LocalState>, Overflow> {
        let within = |state: &LocalState, (weights, most): &Bound| {
            let weight = |facet| weights.get(facet).copied().unwrap_or(0);
            let sum = state
                .iter()
                .try_fold(0_i64, |sum, (facet, times)| sum.checked_add(weight(facet).checked_mul(i64::from(*times))?));
            sum.is_some_and(|sum| sum <= *most)
        };
        let after = role.apply(state)?;
        Ok(after.filter(|after| self.bounds[role.cell as usize].iter().all(|bound| within(after, bound))))
    }

    /// Limits the local states by semiflows of what one colour sees: the places without counted colours, and its own facets. Every
    /// step of the net is one of what it sees, whatever becomes of the other colours, so what is constant there is constant here.
    pub fn limit(&mut self, reduced: &Reduced, unfolding: &Unfolding, flows: &FindFlows<'_>) {
        let unfolded = &unfolding.net;
        let places = unfolded.places.len() as u32;
        for cell in 0..reduced.cells.len() {
            let mut seen = Net { places: unfolded.places.clone(), ..Net::default() };
            let facet = |_| Place { name: String::new(), capacity: None };
            seen.places.extend(self.facets.iter().map(facet));
            let mut marking = vec![0; seen.places.len()];
            for (place, &tokens) in (0..).zip(&unfolded.initial[0].marking) {
                let coloured = unfolding.origins.token(place).map(|(coloured, _)| coloured as usize);
                if coloured.is_some_and(|coloured| reduced.counted_at[coloured].is_none()) {
                    marking[place as usize] = tokens;
                }
            }
            for &(facet, tokens) in &self.states[cell][0] {
                marking[(places + facet) as usize] = tokens;
            }
            for act in &self.acts {
                let own = act.bound.iter().chain(&act.others).filter(|role| role.cell as usize == cell);
                let alone = act.alone.iter().filter(|alone| **alone as usize == cell).map(|_| &[][..]);
                let own = own.map(|role| &role.effects[..]).chain(alone);
                seen.transitions.extend(own.map(|effects| {
                    let own = effects.iter().map(|effect| Effect { place: places + effect.place, ..*effect });
                    net::Transition {
                        effects: act.plain.iter().copied().chain(own).collect(),
                        ..net::Transition::default()
                    }
                }));
            }
            seen.initial = vec![net::Initial { name: String::new(), marking }];
            for flow in flows(&seen) {
                let marking = &seen.initial[0].marking;
                let total = flow.iter().try_fold(0_i64, |sum, &(place, weight)| {
                    sum.checked_add(weight.checked_mul(i64::from(marking[place as usize]))?)
                });
                let own = flow.iter().filter(|(place, _)| *place >= places);
                let own: FxHashMap<u32, i64> = own.map(|&(place, weight)| (place - places, weight)).collect();
                self.bounds[cell].extend(total.filter(|_| !own.is_empty()).map(|total| (own, total)));
            }
        }
    }

    /// The number of a local state that there can be.
    pub fn number(&self, cell: u32, state: &LocalState) -> Option<u32> {
        self.numbers[cell as usize].get(state).copied()
    }

    /// Finds all local states that there can be: those that follow from others, as if any of them could be there at the same time.
    pub fn close(&mut self, net: &ColouredNet, reduced: &Reduced, limits: &Limits<'_>) -> Result<(), CannotCount> {
        let index = Index::new(&self.acts, self.states.len());
        let mut is_live: Vec<bool> = self.acts.iter().map(|act| act.bound.is_empty()).collect();
        let class_of = |cell: u32| net.classes[reduced.cells[cell as usize].class as usize].name.clone();
        // Acts that have just become possible: all that was found for their roles before counts now.
        let mut woken: Vec<u32> = (0..).zip(&is_live).filter(|(_, live)| **live).map(|(act, _)| act).collect();
        loop {
            let total: usize = self.states.iter().map(Vec::len).sum();
            let too_many = |cell: u32| CannotCount::TooManyLocalStates { class: class_of(cell), found: total };
            while let Some(act) = woken.pop() {
                self.wake(act).map_err(&too_many)?;
            }
            let Some((cell, number)) = self.queue.pop_front() else { return Ok(()) };
            if total > MOST_LOCAL_STATES {
                return Err(too_many(cell));
            }
            if !(limits.go_on)(&Progress::default()) {
                return Err(CannotCount::Unfold(CannotUnfold::Interrupted(Progress::default())));
            }
            let state = self.states[cell as usize][number as usize].clone();
            for &(act, role) in index.candidates(cell, &state) {
                let bound = &self.acts[act as usize].bound[role as usize];
                let Some(after) = self.after(bound, &state).map_err(|_| too_many(cell))? else { continue };
                let roles = &mut self.allowed[act as usize];
                roles[role as usize].push(number);
                if is_live[act as usize] {
                    self.insert(cell, after);
                } else if roles.iter().all(|role| !role.is_empty()) {
                    is_live[act as usize] = true;
                    woken.push(act);
                }
            }
            for &(act, role) in &index.others[cell as usize] {
                if is_live[act as usize]
                    && let Some(after) = self
                        .after(&self.acts[act as usize].others[role as usize], &state)
                        .map_err(|_| too_many(cell))?
                {
                    self.insert(cell, after);
                }
            }
        }
    }

    /// Adds what an act makes of the local states that are known. The cell for which a number became too large is an error.
    fn wake(&mut self, act: u32) -> Result<(), u32> {
        let act = act as usize;
        let mut found = Vec::new();
        for (role, allowed) in self.acts[act].bound.iter().zip(&self.allowed[act]) {
            for &number in allowed {
                let state = &self.states[role.cell as usize][number as usize];
                found.extend(self.after(role, state).map_err(|_| role.cell)?.map(|after| (role.cell, after)));
            }
        }
        for role in &self.acts[act].others {
            for state in &self.states[role.cell as usize] {
                found.extend(self.after(role, state).map_err(|_| role.cell)?.map(|after| (role.cell, after)));
            }
        }
        for (cell, state) in found {
            self.insert(cell, state);
        }
        Ok(())
    }
}

/// Which roles a local state may be for.
struct Index {
    /// By cell and by a facet that the role needs.
    needing: FxHashMap<(u32, u32), Vec<(u32, u32)>>,
    /// By cell, those that need nothing.
    free: Vec<Vec<(u32, u32)>>,
    /// By cell, what is done to all others.
    others: Vec<Vec<(u32, u32)>>,
}

impl Index {
    fn new(acts: &[Act], cells: usize) -> Index {
        let mut index =
            Index { needing: FxHashMap::default(), free: vec![Vec::new(); cells], others: vec![Vec::new(); cells] };
        for (number, act) in (0..).zip(acts) {
            for (at, role) in (0..).zip(&act.bound) {
                match role.effects.iter().find(|effect| effect.needs() > 0) {
                    Some(effect) => index.needing.entry((role.cell, effect.place)).or_default().push((number, at)),
                    None => index.free[role.cell as usize].push((number, at)),
                }
            }
            for (at, role) in (0..).zip(&act.others) {
                index.others[role.cell as usize].push((number, at));
            }
        }
        index
    }

    fn candidates<'i>(&'i self, cell: u32, state: &'i [(u32, i32)]) -> impl Iterator<Item = &'i (u32, u32)> {
        let needing = state.iter().filter_map(move |(facet, _)| self.needing.get(&(cell, *facet))).flatten();
        needing.chain(&self.free[cell as usize])
    }
}

/// Makes acts of the transitions of an unfolded net.
struct Facets<'a> {
    reduced: &'a Reduced,
    unfolding: &'a Unfolding,
    numbers: FxHashMap<(u32, Token), u32>,
    list: Vec<(u32, Token)>,
}

/// The first colour of the cell of a colour.
fn first_of_cell(reduced: &Reduced, class: u32, colour: u32) -> u32 {
    let cells = reduced.cell_of[class as usize].as_deref().unwrap_or_default();
    let cell = cells[colour as usize];
    cells.partition_point(|&one| one < cell) as u32
}

impl Facets<'_> {
    /// The class, the colour and the facet of an unfolded place, if its colours are counted.
    fn of(&mut self, place: u32) -> Option<(u32, u32, u32)> {
        let (coloured, token) = self.unfolding.origins.token(place)?;
        let ((class, colour), rest) = self.reduced.split(coloured, &token)?;
        let list = &mut self.list;
        let facet = *self.numbers.entry((coloured, rest)).or_insert_with_key(|key| {
            list.push(key.clone());
            list.len() as u32 - 1
        });
        Some((class, colour, facet))
    }

    /// What a transition does, unless another one is the same up to exchanging colours.
    fn act(&mut self, transition: u32) -> Option<Act> {
        let (coloured, binding) = self.unfolding.origins.binding(transition)?;
        let variables = &self.reduced.net.transitions[coloured as usize].variables;
        // The colours that are bound, in the order in which variables name them; those of one cell in ascending order.
        let mut colours: Vec<(u32, u32)> = Vec::new();
        let mut role_of = vec![None; variables.len()];
        for (at, (variable, value)) in variables.iter().zip(&binding).enumerate() {
            let (class, Value::Colour(colour)) = (variable.sort.class(), value) else { continue };
            let Some(cells) = &self.reduced.cell_of[class as usize] else { continue };
            let known = colours.iter().position(|one| *one == (class, *colour));
            let role = known.unwrap_or_else(|| {
                colours.push((class, *colour));
                colours.len() - 1
            });
            role_of[at] = Some(role as u32);
            let cell = cells[*colour as usize];
            let in_cell = |one: &&(u32, u32)| one.0 == class && cells[one.1 as usize] == cell;
            let first = first_of_cell(self.reduced, class, *colour);
            if known.is_none() && *colour != first + colours.iter().filter(in_cell).count() as u32 - 1 {
                return None;
            }
        }
        let mut by_colour: FxHashMap<(u32, u32), Vec<Effect>> = FxHashMap::default();
        let mut plain = Vec::new();
        for effect in &self.unfolding.net.transitions[transition as usize].effects {
            match self.of(effect.place) {
                None => plain.push(*effect),
                Some((class, colour, facet)) => {
                    by_colour.entry((class, colour)).or_default().push(Effect { place: facet, ..*effect });
                }
            }
        }
        by_colour.values_mut().for_each(|effects| effects.sort_unstable_by_key(|effect| effect.place));
        let mut effects_on = |class: u32, colour: u32| by_colour.remove(&(class, colour)).unwrap_or_default();
        let mut bound: Vec<Role> = colours
            .iter()
            .filter_map(|&(class, colour)| {
                let cell = self.reduced.cell_of[class as usize].as_ref()?[colour as usize];
                Some(Role { cell, effects: effects_on(class, colour) })
            })
            .collect();
        let mut others = Vec::new();
        for class in 0..self.reduced.cell_of.len() as u32 {
            let Some(cells) = &self.reduced.cell_of[class as usize] else { continue };
            let mut start = 0;
            while let Some(&cell) = cells.get(start) {
                let end = cells.partition_point(|&one| one <= cell);
                let used = bound.iter().filter(|role| role.cell == cell).count();
                if start + used < end {
                    others.push(Role { cell, effects: effects_on(class, (start + used) as u32) });
                }
                start = end;
            }
        }
        // Who is treated as all others are need not be chosen.
        let is_other = |role: &Role| {
            let other = others.iter().find(|other| other.cell == role.cell);
            other.map_or(role.effects.is_empty(), |other| other.effects == role.effects)
        };
        let mut alone: Vec<u32> =
            bound.iter().filter(|role| role.effects.is_empty() && is_other(role)).map(|role| role.cell).collect();
        let mut kept = Vec::new();
        bound.retain(|role| {
            kept.push(!is_other(role));
            !is_other(role)
        });
        let before = |role: u32| kept[..role as usize].iter().filter(|kept| **kept).count() as u32;
        for role in &mut role_of {
            *role = role.filter(|&role| kept[role as usize]).map(before);
        }
        alone.extend(others.iter().filter(|other| other.effects.is_empty()).map(|other| other.cell));
        alone.sort_unstable();
        alone.dedup();
        others.retain(|other| !other.effects.is_empty());
        Some(Act { transition, plain, bound, role_of, others, alone })
    }
}
