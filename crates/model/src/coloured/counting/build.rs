//! Counters and what happens to them, as a net or as a program.

use super::local::{Act, Acts};
use super::reduce::Reduced;
use super::{CannotCount, Counted, MOST_TRANSITIONS, Meaning};
use crate::coloured::unfold::{CannotUnfold, Limits, Progress, Unfolding};
use crate::coloured::value::Value;
use crate::coloured::{ColouredNet, Sort};
use crate::expression::{Boolean, Comparison, Integer, UnaryOperator};
use crate::net::{self, Effect, Net, Place};
use crate::system::{Program, ProgramInitial, ProgramTransition, Statement, System, Target, Type, Variable};
use crate::text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Counters that are moved as wholes, each to another one.
type Moves = Vec<(u32, u32)>;

/// A transition between counters.
struct Firing {
    name: String,
    priority: u32,
    /// In ascending order of variables.
    effects: Vec<Effect>,
    /// Before tokens are put: those that are left in the first go to the second. None of the first is moved to itself.
    moves: Moves,
}

/// Makes the net, or the program, of all that can happen.
pub(super) fn build(
    net: &ColouredNet, reduced: &Reduced, unfolding: &Unfolding, acts: &Acts, limits: &Limits<'_>,
) -> Result<Counted, CannotCount> {
    let mut builder = Builder::new(net, reduced, unfolding, acts);
    for (act, allowed) in acts.acts.iter().zip(&acts.allowed) {
        if !(limits.go_on)(&Progress::default()) {
            return Err(CannotCount::Unfold(CannotUnfold::Interrupted(Progress::default())));
        }
        builder.add(act, allowed)?;
    }
    let Builder { names, meaning, marking, firings, .. } = builder;
    let moving = firings.iter().find(|firing| !firing.moves.is_empty());
    let main = match moving {
        None => {
            let transitions = firings.into_iter().map(|firing| {
                let Firing { name, priority, effects, .. } = firing;
                net::Transition { name, priority, effects, ..net::Transition::default() }
            });
            Type::Net(Net {
                name: net.name.clone(),
                places: names.into_iter().map(|name| Place { name, capacity: None }).collect(),
                transitions: transitions.collect(),
                initial: vec![net::Initial { name: String::new(), marking }],
                ..Net::default()
            })
        }
        Some(firing) if net.has_priorities() => {
            return Err(CannotCount::Priorities { transition: firing.name.clone() });
        }
        Some(_) => Type::Program(Program {
            name: net.name.clone(),
            variables: names.into_iter().map(Variable::new).collect(),
            transitions: firings.into_iter().map(program_transition).collect(),
            initial: vec![ProgramInitial { name: String::new(), values: marking }],
            ..Program::default()
        }),
    };
    let system = System { name: net.name.clone(), types: vec![main], main: 0, begins: vec![0] };
    Ok(Counted { system, cells: reduced.cells.clone(), meaning, classes: Vec::new(), obstacles: Vec::new() })
}

struct Builder<'a> {
    net: &'a ColouredNet,
    reduced: &'a Reduced,
    unfolding: &'a Unfolding,
    acts: &'a Acts,
    names: Vec<String>,
    meaning: Vec<Meaning>,
    marking: Vec<i32>,
    /// The variable of each unfolded place without counted colours.
    plain: FxHashMap<u32, u32>,
    /// The variable of the first local state of each cell.
    first: Vec<u32>,
    /// What the names of local states consist of, by cell.
    short: Vec<Vec<String>>,
    firings: Vec<Firing>,
    known: FxHashSet<(u32, Vec<Effect>, Moves)>,
}

impl<'a> Builder<'a> {
    fn new(net: &'a ColouredNet, reduced: &'a Reduced, unfolding: &'a Unfolding, acts: &'a Acts) -> Builder<'a> {
        let mut builder = Builder {
            net,
            reduced,
            unfolding,
            acts,
            names: Vec::new(),
            meaning: Vec::new(),
            marking: Vec::new(),
            plain: FxHashMap::default(),
            first: Vec::new(),
            short: Vec::new(),
            firings: Vec::new(),
            known: FxHashSet::default(),
        };
        let unfolded = &unfolding.net;
        for (index, (place, &tokens)) in (0..).zip(unfolded.places.iter().zip(&unfolded.initial[0].marking)) {
            if let Some((coloured, token)) = unfolding.origins.token(index)
                && reduced.counted_at[coloured as usize].is_none()
            {
                builder.plain.insert(index, builder.names.len() as u32);
                builder.names.push(place.name.clone());
                builder.meaning.push(Meaning::Tokens { place: coloured, token });
                builder.marking.push(tokens);
            }
        }
        for (cell, states) in (0..).zip(&acts.states) {
            builder.first.push(builder.names.len() as u32);
            let own = builder.cell_name(cell);
            let size = i32::try_from(reduced.cells[cell as usize].colours.len()).unwrap_or(i32::MAX);
            let mut short = Vec::new();
            for (number, state) in states.iter().enumerate() {
                short.push(builder.show(state));
                builder.names.push(format!("{own}[{}]", short[number]));
                let token = |&(facet, times): &(u32, i32)| {
                    let (place, token) = acts.facets[facet as usize].clone();
                    (place, token, times.max(0) as u32)
                };
                builder.meaning.push(Meaning::Colours { cell, state: state.iter().map(token).collect() });
                // The local state of the beginning is the first.
                builder.marking.push(if number == 0 { size } else { 0 });
            }
            builder.short.push(short);
        }
        builder
    }

    /// `Client`, or `Client{c1..}` where a class has several cells.
    fn cell_name(&self, cell: u32) -> String {
        let cell = &self.reduced.cells[cell as usize];
        let class = &self.net.classes[cell.class as usize];
        let first = class.name_of(cell.colours[0]);
        match cell.colours.len() as u32 {
            all if all == class.len() => class.name.clone(),
            1 => format!("{}{{{first}}}", class.name),
            _ => format!("{}{{{first}..}}", class.name),
        }
    }

    /// `request(s1) + 2'ticket`, or nothing.
    fn show(&self, state: &[(u32, i32)]) -> String {
        let one = |&(facet, times): &(u32, i32)| {
            let (place, token) = &self.acts.facets[facet as usize];
            let declared = &self.reduced.net.places[*place as usize];
            let counted = self.reduced.counted_at[*place as usize];
            let rest: Vec<Sort> =
                (0..).zip(&declared.domain).filter(|(at, _)| Some(*at) != counted).map(|(_, sort)| *sort).collect();
            let times = if times == 1 { String::new() } else { format!("{times}'") };
            match token.is_empty() {
                true => format!("{times}{}", declared.name),
                false => format!("{times}{}({})", declared.name, self.reduced.net.show(&rest, token)),
            }
        };
        state.iter().map(one).collect::<Vec<_>>().join(" + ")
    }

    /// Adds a transition for each choice of local states.
    fn add(&mut self, act: &Act, allowed: &[Vec<u32>]) -> Result<(), CannotCount> {
        if allowed.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let coloured = self.unfolding.origins.binding(act.transition);
        let Some((coloured, binding)) = coloured else { return Ok(()) };
        let transition = &self.net.transitions[coloured as usize];
        let choices = allowed.iter().try_fold(1_usize, |all, one| all.checked_mul(one.len()));
        if choices.is_none_or(|choices| self.firings.len().saturating_add(choices) > MOST_TRANSITIONS) {
            return Err(CannotCount::TooManyChoices { transition: transition.name.clone() });
        }
        let mut chosen = vec![0; allowed.len()];
        loop {
            let states: Vec<u32> = chosen.iter().zip(allowed).map(|(&at, of): (&usize, _)| of[at]).collect();
            if let Some((effects, moves)) = self.effects(act, &states)
                && self.known.insert((transition.priority, effects.clone(), moves.clone()))
            {
                let name = self.name(act, coloured, &binding, &states);
                self.firings.push(Firing { name, priority: transition.priority, effects, moves });
            }
            // The next choice, as numbers are counted.
            let Some(at) = (0..chosen.len()).find(|&at| chosen[at] + 1 < allowed[at].len()) else { return Ok(()) };
            chosen[..at].fill(0);
            chosen[at] += 1;
        }
    }

    /// What an act does to variables if the colours that it binds are in these local states. Nothing if it cannot happen at all.
    fn effects(&self, act: &Act, states: &[u32]) -> Option<(Vec<Effect>, Moves)> {
        let mut effects: Vec<Effect> = Vec::new();
        for effect in &act.plain {
            effects.push(Effect { place: *self.plain.get(&effect.place)?, ..*effect });
        }
        let mut on = |variable: u32, change: &dyn Fn(&mut Effect)| {
            let at = effects.iter().position(|effect| effect.place == variable).unwrap_or_else(|| {
                effects.push(Effect::on(variable));
                effects.len() - 1
            });
            change(&mut effects[at]);
        };
        for (role, &state) in act.bound.iter().zip(states) {
            let before = &self.acts.states[role.cell as usize][state as usize];
            let after = self.acts.number(role.cell, &role.apply(before).ok()??)?;
            let first = self.first[role.cell as usize];
            on(first + state, &|effect| effect.take += 1);
            on(first + after, &|effect| effect.put += 1);
        }
        let mut moves = Vec::new();
        for role in &act.others {
            let first = self.first[role.cell as usize];
            for (number, state) in (0..).zip(&self.acts.states[role.cell as usize]) {
                let after = role.apply(state).ok()?.and_then(|after| self.acts.number(role.cell, &after));
                match after {
                    // None but the bound ones may be there; or none are ever there when this happens.
                    None => on(first + number, &|effect| effect.below = Some(effect.take + 1)),
                    Some(after) if after == number => {}
                    Some(after) => moves.push((first + number, first + after)),
                }
            }
        }
        effects.sort_unstable_by_key(|effect| effect.place);
        Some((effects, moves))
    }

    /// `begin(c in [request(s1)], s=s1)`
    fn name(&self, act: &Act, transition: u32, binding: &[Value], states: &[u32]) -> String {
        let transition = &self.reduced.net.transitions[transition as usize];
        let mut parts = Vec::new();
        for (at, (variable, value)) in transition.variables.iter().zip(binding).enumerate() {
            match act.role_of[at] {
                Some(role) => {
                    let cell = act.bound[role as usize].cell as usize;
                    parts.push(format!("{} in [{}]", variable.name, self.short[cell][states[role as usize] as usize]));
                }
                None if self.reduced.cell_of[variable.sort.class() as usize].is_some() => {}
                None => parts.push(format!("{}={}", variable.name, self.reduced.net.show_value(variable.sort, value))),
            }
        }
        match parts.is_empty() {
            true => transition.name.clone(),
            false => format!("{}({})", transition.name, parts.join(", ")),
        }
    }
}

/// A transition that may move whole counters, as a guarded action.
fn program_transition(firing: Firing) -> ProgramTransition {
    let compare = |comparison, variable: u32, number: i32| {
        Boolean::Compare(comparison, Integer::Variable(variable), Integer::Constant(number))
    };
    let mut guard = Vec::new();
    let mut body = Vec::new();
    let add = |variable: u32, what: Integer<u32>| {
        Statement::Assign(Target::Variable(variable), Integer::Sum(vec![Integer::Variable(variable), what]))
    };
    for effect in &firing.effects {
        if effect.needs() > 0 {
            guard.push(compare(Comparison::GreaterOrEqual, effect.place, effect.needs()));
        }
        if let Some(below) = effect.below {
            guard.push(compare(Comparison::Less, effect.place, below));
        }
        if effect.take > 0 {
            let taken = Integer::Unary(UnaryOperator::Minus, Box::new(Integer::Constant(effect.take)));
            body.push(add(effect.place, taken));
        }
    }
    // All local states of a cell are changed by the same tokens, so moves never go in circles: the last goes first.
    for (from, to) in last_first(firing.moves) {
        body.push(add(to, Integer::Variable(from)));
        body.push(Statement::Assign(Target::Variable(from), Integer::Constant(0)));
    }
    for effect in firing.effects.iter().filter(|effect| effect.put > 0) {
        body.push(add(effect.place, Integer::Constant(effect.put)));
    }
    ProgramTransition { name: firing.name, label: None, guard: Boolean::And(guard), body, span: Span::default() }
}

/// Moves in an order in which nothing is moved twice: a counter is emptied before another is moved into it.
fn last_first(moves: Moves) -> Moves {
    let to: FxHashMap<u32, u32> = moves.iter().copied().collect();
    let into: FxHashMap<u32, u32> = moves.iter().map(|&(from, to)| (to, from)).collect();
    let mut ordered = Vec::with_capacity(moves.len());
    for &(start, _) in moves.iter().filter(|(_, target)| !to.contains_key(target)) {
        let mut at = start;
        loop {
            ordered.push((at, to[&at]));
            match into.get(&at) {
                Some(&before) => at = before,
                None => break,
            }
        }
    }
    ordered
}
