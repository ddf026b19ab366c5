//! The token game of a net, with what can fire and what is looked for kept up to date.
//!
//! A firing touches a few places; what changes with them is looked up and nothing else is looked at again, so that a step
//! costs as much in a net of a million transitions as in a small one with the same arcs around each place.

use std::sync::Arc;

use mandala_model::net::{Net, Overflow};

use super::goals::{Condition, GoalIndex, Goals};

/// What does not change during a game.
pub(crate) struct Rules<'n> {
    pub net: &'n Net,
    pub goals: Arc<Goals>,
    initial: Vec<i32>,
    /// The transitions that ask something of a place, with the number of their effect.
    users: Lists<(u32, u32)>,
    /// The sums in which a place is, with its factor.
    sums_of: Lists<(u32, i64)>,
    groups_of: Lists<u32>,
    goals_of_sum: Lists<u32>,
    goals_of_group: Lists<u32>,
    goals_of_deadlock: Vec<u32>,
}

/// Lists by number, one after the other in memory.
struct Lists<T> {
    begins: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    fn new(count: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Lists<T> {
        let mut begins = vec![0u32; count + 1];
        pairs.clone().for_each(|(list, _)| begins[list as usize + 1] += 1);
        for list in 0..count {
            begins[list + 1] += begins[list];
        }
        let mut sorted: Vec<(u32, T)> = pairs.collect();
        sorted.sort_by_key(|(list, _)| *list);
        Lists { begins, items: sorted.into_iter().map(|(_, item)| item).collect() }
    }

    fn get(&self, list: u32) -> &[T] {
        &self.items[self.begins[list as usize] as usize..self.begins[list as usize + 1] as usize]
    }
}

impl<'n> Rules<'n> {
    pub fn new(net: &'n Net, initial: &[i32], goals: Arc<Goals>) -> Rules<'n> {
        let transitions = || (0u32..).zip(&net.transitions);
        let users = transitions().flat_map(|(index, transition)| {
            let effects = (0u32..).zip(&transition.effects);
            effects.filter_map(move |(number, effect)| {
                let asks = effect.needs() > 0
                    || effect.below.is_some()
                    || net.places[effect.place as usize].capacity.is_some();
                asks.then_some((effect.place, (index, number)))
            })
        });
        let sums = (0u32..).zip(&goals.sums);
        let in_sums = sums.flat_map(|(sum, terms)| terms.iter().map(move |&(place, factor)| (place, (sum, factor))));
        let groups = (0u32..).zip(&goals.groups);
        let in_groups = groups.flat_map(|(group, members)| members.iter().map(move |&member| (member, group)));
        let (mut of_sum, mut of_group, mut of_deadlock) = (Vec::new(), Vec::new(), Vec::new());
        for (goal, condition) in (0u32..).zip(&goals.conditions) {
            let mut open = vec![condition];
            while let Some(condition) = open.pop() {
                match condition {
                    Condition::AtLeast(sum, _) | Condition::AtMost(sum, _) => of_sum.push((*sum, goal)),
                    Condition::Fires(group) | Condition::NoneFires(group) => of_group.push((*group, goal)),
                    Condition::Dead | Condition::Alive => of_deadlock.push(goal),
                    Condition::All(parts) | Condition::Any(parts) => open.extend(parts),
                    Condition::Constant(_) => {}
                }
            }
        }
        of_deadlock.dedup();
        Rules {
            net,
            initial: initial.to_vec(),
            users: Lists::new(net.places.len(), users),
            sums_of: Lists::new(net.places.len(), in_sums),
            groups_of: Lists::new(net.transitions.len(), in_groups),
            goals_of_sum: Lists::new(goals.sums.len(), of_sum.iter().copied()),
            goals_of_group: Lists::new(goals.groups.len(), of_group.iter().copied()),
            goals_of_deadlock: of_deadlock,
            goals,
        }
    }
}

/// A marking, with what follows from it.
#[derive(Clone)]
pub(crate) struct Board<'r, 'n> {
    rules: &'r Rules<'n>,
    pub marking: Vec<i32>,
    /// For each transition, how many of its effects forbid it.
    unmet: Vec<u32>,
    /// The transitions that can fire, in any order, and where each stands.
    pub enabled: Vec<u32>,
    position: Vec<u32>,
    pub sums: Vec<i64>,
    /// How many transitions of each group can fire.
    firing: Vec<u32>,
    /// Goals whose truth may have changed.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Work done so far: how many things were looked at.
    pub work: u64,
}

const NOWHERE: u32 = u32::MAX;

impl<'r, 'n> Board<'r, 'n> {
    /// The initial marking.
    pub fn new(rules: &'r Rules<'n>) -> Board<'r, 'n> {
        let net = rules.net;
        let mut board = Board {
            rules,
            marking: rules.initial.clone(),
            unmet: vec![0; net.transitions.len()],
            enabled: Vec::new(),
            position: vec![NOWHERE; net.transitions.len()],
            sums: vec![0; rules.goals.sums.len()],
            firing: vec![0; rules.goals.groups.len()],
            touched: (0..rules.goals.conditions.len() as u32).collect(),
            is_touched: vec![true; rules.goals.conditions.len()],
            work: 0,
        };
        for (sum, terms) in rules.goals.sums.iter().enumerate() {
            let values =
                terms.iter().map(|&(place, factor)| i64::from(board.marking[place as usize]).wrapping_mul(factor));
            board.sums[sum] = values.fold(0, i64::wrapping_add);
        }
        for (index, transition) in (0u32..).zip(&net.transitions) {
            let forbids = transition.effects.iter().filter(|effect| {
                let place = effect.place as usize;
                matches!(effect.apply(board.marking[place], net.places[place].capacity), Ok(None))
            });
            board.unmet[index as usize] = forbids.count() as u32;
            if board.unmet[index as usize] == 0 {
                board.enable(index);
            }
        }
        board
    }

    /// Fires a transition that can fire. `undo` gets what the places held before.
    pub fn fire(&mut self, transition: u32, undo: Option<&mut Vec<(u32, i32)>>) -> Result<(), Overflow> {
        let net = self.rules.net;
        let effects = &net.transitions[transition as usize].effects;
        self.work += 2 + effects.len() as u64;
        for effect in effects {
            let place = effect.place as usize;
            effect.apply(self.marking[place], net.places[place].capacity)?;
        }
        if let Some(undo) = undo {
            undo.extend(effects.iter().map(|effect| (effect.place, self.marking[effect.place as usize])));
        }
        for effect in effects {
            let place = effect.place as usize;
            if let Some(tokens) = effect.apply(self.marking[place], net.places[place].capacity)? {
                self.set(effect.place, tokens);
            }
        }
        Ok(())
    }

    /// Puts back what places held before.
    pub fn undo(&mut self, before: &mut Vec<(u32, i32)>) {
        self.undo_to(before, 0);
    }

    /// Puts back what places held before, but for the first so many changes.
    pub fn undo_to(&mut self, before: &mut Vec<(u32, i32)>, length: usize) {
        while before.len() > length {
            let Some((place, tokens)) = before.pop() else { return };
            self.set(place, tokens);
        }
    }

    /// Goes to another marking.
    pub fn go_to(&mut self, marking: &[i32]) {
        self.work += marking.len() as u64 / 8 + 1;
        for (place, &tokens) in (0u32..).zip(marking) {
            if self.marking[place as usize] != tokens {
                self.set(place, tokens);
            }
        }
    }

    /// What does not change.
    pub fn rules(&self) -> &'r Rules<'n> {
        self.rules
    }

    /// How many transitions of a group can fire.
    pub fn firing(&self, group: u32) -> u32 {
        self.firing[group as usize]
    }

    fn set(&mut self, place: u32, tokens: i32) {
        let rules = self.rules;
        let before = std::mem::replace(&mut self.marking[place as usize], tokens);
        if before == tokens {
            return;
        }
        let capacity = rules.net.places[place as usize].capacity;
        let users = rules.users.get(place);
        self.work += 1 + users.len() as u64;
        for &(transition, number) in users {
            let effect = &rules.net.transitions[transition as usize].effects[number as usize];
            let forbade = matches!(effect.apply(before, capacity), Ok(None));
            let forbids = matches!(effect.apply(tokens, capacity), Ok(None));
            if forbids && !forbade {
                self.unmet[transition as usize] += 1;
                if self.unmet[transition as usize] == 1 {
                    self.disable(transition);
                }
            } else if forbade && !forbids {
                self.unmet[transition as usize] -= 1;
                if self.unmet[transition as usize] == 0 {
                    self.enable(transition);
                }
            }
        }
        let change = i64::from(tokens) - i64::from(before);
        for &(sum, factor) in rules.sums_of.get(place) {
            let value = &mut self.sums[sum as usize];
            *value = value.wrapping_add(change.wrapping_mul(factor));
            self.touch(rules.goals_of_sum.get(sum));
        }
    }

    fn enable(&mut self, transition: u32) {
        if self.enabled.is_empty() {
            self.touch(&self.rules.goals_of_deadlock);
        }
        self.position[transition as usize] = self.enabled.len() as u32;
        self.enabled.push(transition);
        for &group in self.rules.groups_of.get(transition) {
            self.firing[group as usize] += 1;
            if self.firing[group as usize] == 1 {
                self.touch(self.rules.goals_of_group.get(group));
            }
        }
    }

    fn disable(&mut self, transition: u32) {
        let at = std::mem::replace(&mut self.position[transition as usize], NOWHERE);
        self.enabled.swap_remove(at as usize);
        if let Some(&moved) = self.enabled.get(at as usize) {
            self.position[moved as usize] = at;
        }
        if self.enabled.is_empty() {
            self.touch(&self.rules.goals_of_deadlock);
        }
        for &group in self.rules.groups_of.get(transition) {
            self.firing[group as usize] -= 1;
            if self.firing[group as usize] == 0 {
                self.touch(self.rules.goals_of_group.get(group));
            }
        }
    }

    fn touch(&mut self, goals: &[u32]) {
        for &goal in goals {
            if !std::mem::replace(&mut self.is_touched[goal as usize], true) {
                self.touched.push(goal);
            }
        }
    }

    /// A goal whose truth may have changed since it was asked for last.
    pub fn next_touched(&mut self) -> Option<GoalIndex> {
        let goal = self.touched.pop()?;
        self.work += 1;
        self.is_touched[goal as usize] = false;
        Some(goal as usize)
    }

    /// Whether a goal is met here.
    pub fn meets(&self, goal: GoalIndex) -> bool {
        self.holds(&self.rules.goals.conditions[goal])
    }

    pub fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Constant(truth) => *truth,
            Condition::AtLeast(sum, bound) => self.sums[*sum as usize] >= *bound,
            Condition::AtMost(sum, bound) => self.sums[*sum as usize] <= *bound,
            Condition::Fires(group) => self.firing[*group as usize] > 0,
            Condition::NoneFires(group) => self.firing[*group as usize] == 0,
            Condition::Dead => self.enabled.is_empty(),
            Condition::Alive => !self.enabled.is_empty(),
            Condition::All(parts) => parts.iter().all(|part| self.holds(part)),
            Condition::Any(parts) => parts.iter().any(|part| self.holds(part)),
        }
    }

    /// How far this marking seems to be from a condition; 0 where it holds.
    pub fn distance(&self, condition: &Condition) -> u64 {
        match condition {
            Condition::Constant(truth) => u64::from(!truth) << 32,
            Condition::AtLeast(sum, bound) => far(bound.saturating_sub(self.sums[*sum as usize])),
            Condition::AtMost(sum, bound) => far(self.sums[*sum as usize].saturating_sub(*bound)),
            Condition::Fires(group) if self.firing[*group as usize] > 0 => 0,
            Condition::Fires(group) => {
                let members = &self.rules.goals.groups[*group as usize];
                members.iter().take(MOST_MEMBERS).map(|&member| self.missing(member)).min().unwrap_or(FAR)
            }
            Condition::NoneFires(group) => u64::from(self.firing[*group as usize]),
            Condition::Dead => self.enabled.len() as u64,
            Condition::Alive => u64::from(self.enabled.is_empty()),
            Condition::All(parts) => parts.iter().fold(0, |sum, part| (sum + self.distance(part)).min(FAR)),
            Condition::Any(parts) => parts.iter().map(|part| self.distance(part)).min().unwrap_or(FAR),
        }
    }

    /// How many tokens a transition lacks, or has too many of.
    fn missing(&self, transition: u32) -> u64 {
        let effects = &self.rules.net.transitions[transition as usize].effects;
        let lack = effects.iter().map(|effect| {
            let tokens = i64::from(self.marking[effect.place as usize]);
            let lacking = far(i64::from(effect.needs()) - tokens);
            let beyond = effect.below.map_or(0, |below| far(tokens - i64::from(below) + 1));
            lacking + beyond
        });
        lack.sum::<u64>().max(1)
    }
}

/// Of a large group only so many are looked at to see how far away it is.
const MOST_MEMBERS: usize = 12;
const FAR: u64 = 1 << 40;

fn far(missing: i64) -> u64 {
    (missing.max(0) as u64).min(FAR)
}
