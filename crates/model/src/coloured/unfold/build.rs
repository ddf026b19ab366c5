//! The net of what was found: constants taken off, places and transitions in order and with names.

use super::bags::{Bags, Number};
use super::{Fired, Found, Group, Origins, Unfolding};
use crate::coloured::value::Value;
use crate::coloured::{ColouredNet, Sort, Transition};
use crate::net::{self, Effect, Initial, Net, Place};

/// Makes the net.
pub(super) fn build(net: &ColouredNet, mut found: Found<'_>) -> Unfolding {
    found.initial.resize(found.places.len(), 0);
    resolve_inhibitors(&mut found);
    drop_constants(&mut found);
    let (groups, order) = sorted_places(net, &found);
    let mut unfolded = Net { name: net.name.clone(), ..Net::default() };
    let mut marking = vec![0; order.len()];
    for (old, &new) in order.iter().enumerate() {
        marking[new as usize] = found.initial[old];
    }
    for (place, group) in net.places.iter().zip(&groups) {
        for row in 0..group.count as usize {
            let token = found.bags.values(group.sorts.iter().copied(), group.row(row));
            let name = match token.as_slice() {
                [] => place.name.clone(),
                token => format!("{}({})", place.name, net.show(&place.domain, token)),
            };
            unfolded.places.push(Place { name, capacity: None });
        }
    }
    unfolded.initial = vec![Initial { name: String::new(), marking }];
    let fired = std::mem::take(&mut found.fired);
    let mut transitions = Vec::with_capacity(net.transitions.len());
    for (transition, fired) in net.transitions.iter().zip(fired) {
        transitions.push(add_transitions(net, transition, fired, &found.bags, &order, &mut unfolded));
    }
    Unfolding { net: unfolded, origins: Origins { places: groups, transitions, bags: found.bags } }
}

impl Group {
    /// The values of one of them.
    fn row(&self, row: usize) -> &[Number] {
        let width = self.sorts.len();
        &self.numbers[row * width..(row + 1) * width]
    }
}

/// Adds the transitions of a coloured one, in the order of their bindings.
fn add_transitions(
    net: &ColouredNet, transition: &Transition, mut fired: Fired, bags: &Bags, order: &[u32], unfolded: &mut Net,
) -> Group {
    let sorts: Vec<Sort> = transition.variables.iter().map(|variable| variable.sort).collect();
    let row = |at: usize| &fired.bindings[at * sorts.len()..(at + 1) * sorts.len()];
    let mut rows: Vec<usize> = (0..fired.effects.len()).collect();
    rows.sort_unstable_by(|&one, &other| bags.compare(&sorts, row(one), row(other)));
    let first = unfolded.transitions.len() as u32;
    let mut numbers = Vec::with_capacity(fired.bindings.len());
    unfolded.transitions.reserve(rows.len());
    for &at in &rows {
        numbers.extend_from_slice(row(at));
        let mut effects = std::mem::take(&mut fired.effects[at]);
        for effect in &mut effects {
            effect.place = order[effect.place as usize];
        }
        effects.sort_unstable_by_key(|effect| effect.place);
        let name = name_of(net, transition, &bags.values(sorts.iter().copied(), row(at)));
        let priority = transition.priority;
        unfolded.transitions.push(net::Transition { name, effects, priority, ..net::Transition::default() });
    }
    Group { first, count: rows.len() as u32, sorts, numbers }
}

/// `take(p=3, f=4)`
fn name_of(net: &ColouredNet, transition: &Transition, binding: &[Value]) -> String {
    if binding.is_empty() {
        return transition.name.clone();
    }
    let mut name = format!("{}(", transition.name);
    for (index, (variable, value)) in transition.variables.iter().zip(binding).enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        name.push_str(comma);
        name.push_str(&variable.name);
        name.push('=');
        name.push_str(&net.show_value(variable.sort, value));
    }
    name.push(')');
    name
}

/// For each coloured place its tokens in their order, and where each unfolded place goes.
fn sorted_places(net: &ColouredNet, found: &Found<'_>) -> (Vec<Group>, Vec<u32>) {
    let mut order = vec![0; found.places.len()];
    let mut groups = Vec::with_capacity(net.places.len());
    let mut first = 0;
    for (index, place) in net.places.iter().enumerate() {
        let set = &found.sets[index];
        let mut rows: Vec<u32> = (0..set.len()).collect();
        rows.sort_unstable_by(|&one, &other| found.bags.compare(&place.domain, set.token(one), set.token(other)));
        let mut numbers = Vec::with_capacity(rows.len() * place.domain.len());
        for (&row, at) in rows.iter().zip(first..) {
            order[found.place_of[index][row as usize] as usize] = at;
            numbers.extend_from_slice(set.token(row));
        }
        let count = rows.len() as u32;
        groups.push(Group { first, count, sorts: place.domain.clone(), numbers });
        first += count;
    }
    (groups, order)
}

/// A token that no place can ever hold inhibits nothing.
fn resolve_inhibitors(found: &mut Found<'_>) {
    for fired in &mut found.fired {
        for (binding, place, token, below) in std::mem::take(&mut fired.inhibitors) {
            let Some(number) = found.sets[place as usize].find(&token) else { continue };
            let place = found.place_of[place as usize][number as usize];
            let effects = &mut fired.effects[binding as usize];
            let at = effects.iter().position(|effect| effect.place == place).unwrap_or_else(|| {
                effects.push(Effect::on(place));
                effects.len() - 1
            });
            let least = effects[at].below.map_or(below, |known| known.min(below));
            effects[at].below = Some(least);
        }
    }
}

/// Places whose tokens never change forbid a transition for ever, or never: then they are taken off its arcs.
fn drop_constants(found: &mut Found<'_>) {
    loop {
        let mut changes = vec![false; found.places.len()];
        let all = found.fired.iter().flat_map(|fired| &fired.effects).flatten();
        for effect in all.filter(|effect| effect.take != effect.put) {
            changes[effect.place as usize] = true;
        }
        let initial = &found.initial;
        let forbids = |effect: &Effect| {
            let tokens = initial[effect.place as usize];
            !changes[effect.place as usize]
                && (tokens < effect.take || effect.below.is_some_and(|below| tokens >= below))
        };
        let mut is_done = true;
        for fired in &mut found.fired {
            if fired.effects.iter().flatten().any(forbids) {
                is_done = false;
                keep(fired, |effects| !effects.iter().any(forbids));
            }
        }
        if is_done {
            for effects in found.fired.iter_mut().flat_map(|fired| &mut fired.effects) {
                effects.retain(|effect| changes[effect.place as usize]);
            }
            return;
        }
    }
}

/// Keeps the bindings whose effects are as they should be.
fn keep(fired: &mut Fired, is_kept: impl Fn(&[Effect]) -> bool) {
    let width = fired.bindings.len() / fired.effects.len().max(1);
    let mut bindings = Vec::with_capacity(fired.bindings.len());
    let mut effects = Vec::with_capacity(fired.effects.len());
    for (at, one) in std::mem::take(&mut fired.effects).into_iter().enumerate() {
        if is_kept(&one) {
            bindings.extend_from_slice(&fired.bindings[at * width..(at + 1) * width]);
            effects.push(one);
        }
    }
    (fired.bindings, fired.effects) = (bindings, effects);
}
