//! From a coloured net to the place/transition net that it stands for.
//!
//! Only what can happen is unfolded. Which tokens a place can ever hold, and which bindings can ever fire, is one least fixed
//! point: the tokens of the initial marking can be held; if all tokens that a binding takes can be held (be it never at the same
//! time), it can fire, and what it puts can be held. Each token is processed once. When its turn comes, the bindings that need it
//! and of whose tokens it is the last are found by joining the arcs of the transition one after the other (`plan`, `join`),
//! so that the work is in proportion to the bindings that survive and not to the product of the classes. Arcs that are no sums
//! of tuples of terms (`all - x`, bags in the making) are looked at when a binding is complete; if one of the tokens that it
//! takes is not known yet, the binding waits for that token.
//!
//! Then places whose tokens never change are taken off the arcs (a binding that they forbid for ever is dropped; the places stay,
//! for their tokens count), and everything is put in order: the places of one coloured place are neighbours, sorted by token, and
//! so are the transitions of one coloured transition, sorted by binding. Names lead back: `Fork(3)`, `take(p=3, f=4)`.

mod bags;
mod build;
mod compiled;
mod join;
mod plan;
mod questions;
mod symmetry;
mod tokens;

pub use symmetry::symmetries;
pub(crate) use symmetry::{Alike, Uses, colours_of, cycles_of, mapped};

use super::evaluate::{Evaluator, Undefined};
use super::value::{Binding, Token, Value};
use super::{Bag, ColouredNet, Sort, Tokens, Transition};
use crate::net::{Effect, Net};
use bags::{Bags, Number};
use compiled::{SimpleArc, simple_arc};
use join::{FoundBindings, Join};
use plan::Bindings;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fmt;
use tokens::TokenSet;

/// The place/transition net that a coloured net stands for.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// The net.
    pub net: Net,
    /// Where its places and transitions come from.
    pub origins: Origins,
}

/// What the places and transitions of an unfolded net were in the coloured net.
#[derive(Clone, Debug)]
pub struct Origins {
    /// For each coloured place the places of its tokens.
    places: Vec<Group>,
    /// For each coloured transition the transitions of its bindings.
    transitions: Vec<Group>,
    bags: Bags,
}

/// The places of a coloured place, or the transitions of a coloured transition: neighbours, in the order of their values.
#[derive(Clone, Debug)]
struct Group {
    /// The index of the first one.
    first: u32,
    /// How many there are.
    count: u32,
    /// What the components of a token, or the variables of a binding, are.
    sorts: Vec<Sort>,
    /// The values of each, one after the other. Bags are numbers into those of the unfolding.
    numbers: Vec<Number>,
}

impl Group {
    /// The indices of all of them.
    fn all(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }
}

impl Origins {
    /// The coloured place, and the token, that an unfolded place is for.
    pub fn token(&self, place: u32) -> Option<(u32, Token)> {
        self.values(&self.places, place)
    }

    /// The coloured transition, and the binding, that an unfolded transition is for.
    pub fn binding(&self, transition: u32) -> Option<(u32, Binding)> {
        self.values(&self.transitions, transition)
    }

    fn values(&self, groups: &[Group], index: u32) -> Option<(u32, Vec<Value>)> {
        let at = groups.partition_point(|group| group.all().end <= index);
        let group = groups.get(at)?;
        let width = group.sorts.len();
        let start = (index - group.first) as usize * width;
        let numbers = group.numbers.get(start..start + width)?;
        Some((at as u32, self.bags.values(group.sorts.iter().copied(), numbers)))
    }

    /// The unfolded places of a coloured place, each with its token as numbers: a colour is its index, a bag has a number of
    /// its own.
    pub fn unfolded(&self, place: u32) -> impl ExactSizeIterator<Item = (u32, &[u32])> {
        let group = &self.places[place as usize];
        let width = group.sorts.len();
        let token = move |at: u32| &group.numbers[at as usize * width..(at as usize + 1) * width];
        (0..group.count).map(move |at| (group.first + at, token(at)))
    }

    /// The unfolded places of the tokens of a place that match a pattern, where `None` is anything.
    pub fn places_of(&self, place: u32, pattern: &[Option<Value>]) -> Vec<u32> {
        self.matching(&self.places[place as usize], pattern)
    }

    /// The unfolded transitions of the bindings that match a pattern, where `None` is anything.
    pub fn transitions_of(&self, transition: u32, pattern: &[Option<Value>]) -> Vec<u32> {
        self.matching(&self.transitions[transition as usize], pattern)
    }

    fn matching(&self, group: &Group, pattern: &[Option<Value>]) -> Vec<u32> {
        if pattern.iter().all(Option::is_none) {
            return group.all().collect();
        }
        // A bag without a number is nowhere.
        let wanted: Option<Vec<Option<Number>>> = pattern
            .iter()
            .map(|one| match one {
                Some(value) => self.bags.find(value).map(Some),
                None => Some(None),
            })
            .collect();
        let Some(wanted) = wanted else { return Vec::new() };
        let rows = group.numbers.chunks_exact(group.sorts.len().max(1)).zip(group.all());
        let is_wanted = |row: &[Number]| wanted.iter().zip(row).all(|(one, value)| one.is_none_or(|one| one == *value));
        rows.filter(|(row, _)| is_wanted(row)).map(|(_, index)| index).collect()
    }
}

/// How far unfolding may go.
pub struct Limits<'a> {
    /// About how many bytes the result may take.
    pub bytes: u64,
    /// Asked again and again whether to go on, and told how far it is.
    pub go_on: &'a dyn Fn(&Progress) -> bool,
}

impl Default for Limits<'_> {
    /// 4 GiB, and on and on.
    fn default() -> Self {
        Limits { bytes: 4 << 30, go_on: &|_| true }
    }
}

/// Why a net cannot be unfolded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotUnfold {
    /// It became too large.
    TooLarge(Progress),
    /// It was told to stop.
    Interrupted(Progress),
    /// A variable for bags whose size nothing limits.
    UnboundedBag {
        /// The transition.
        transition: String,
        /// The variable.
        variable: String,
    },
    /// An expression stands for more tokens than can be handled.
    TooManyTokens {
        /// Whose expression.
        whose: String,
    },
}

/// How far unfolding has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Places so far.
    pub places: u64,
    /// Transitions so far.
    pub transitions: u64,
    /// The transition that has the most of them (or is being unfolded, if none has any), with how many.
    pub largest: Option<(String, u64)>,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} places and {} transitions", self.places, self.transitions)?;
        match &self.largest {
            Some((name, count)) if *count > 0 => write!(f, ", {count} of them from `{name}`"),
            Some((name, _)) => write!(f, ", in the middle of `{name}`"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for CannotUnfold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CannotUnfold::TooLarge(progress) => write!(f, "the unfolded net is too large: {progress} so far"),
            CannotUnfold::Interrupted(progress) => write!(f, "stopped while the net was unfolded: {progress} so far"),
            CannotUnfold::UnboundedBag { transition, variable } => {
                write!(f, "nothing limits the size of the bag `{variable}` of the transition `{transition}`")
            }
            CannotUnfold::TooManyTokens { whose } => write!(f, "an expression of `{whose}` stands for too many tokens"),
        }
    }
}

impl std::error::Error for CannotUnfold {}

/// Unfolds a net.
pub fn unfold(net: &ColouredNet, limits: &Limits<'_>) -> Result<Unfolding, CannotUnfold> {
    // The initial marking alone may be large: who waits knows what for.
    if !(limits.go_on)(&Progress::default()) {
        return Err(CannotUnfold::Interrupted(Progress::default()));
    }
    let mut sets: Vec<TokenSet> = net.places.iter().map(|place| TokenSet::new(place.domain.len())).collect();
    let mut prepared = Vec::with_capacity(net.transitions.len());
    for transition in &net.transitions {
        prepared.push(Prepared::new(net, transition, &mut sets)?);
    }
    let mut found = Found::new(net, sets);
    found.initial(limits)?;
    found.close(&prepared, limits)?;
    // What was found is put together, which nothing stops: who is told knows what is done.
    let so_far = found.progress(None);
    if !(limits.go_on)(&so_far) {
        return Err(CannotUnfold::Interrupted(so_far));
    }
    let mut unfolding = build::build(net, found);
    unfolding.net.symmetries = symmetries(net, &unfolding.net, &unfolding.origins);
    Ok(unfolding)
}

/// A transition with everything that its bindings are found and fired by.
struct Prepared<'a> {
    transition: &'a Transition,
    bindings: Bindings<'a>,
    takes: Vec<PreparedArc<'a>>,
    puts: Vec<PreparedArc<'a>>,
    inhibitors: Vec<PreparedArc<'a>>,
}

struct PreparedArc<'a> {
    place: usize,
    tokens: &'a Tokens,
    simple: Option<SimpleArc>,
}

/// Arcs that stand for more tokens than this are refused.
const MOST_ON_AN_ARC: u64 = 20_000_000;

impl<'a> Prepared<'a> {
    fn new(
        net: &'a ColouredNet, transition: &'a Transition, sets: &mut [TokenSet],
    ) -> Result<Prepared<'a>, CannotUnfold> {
        let bindings = Bindings::new(net, transition, sets).map_err(|unbounded| CannotUnfold::UnboundedBag {
            transition: transition.name.clone(),
            variable: transition.variables[unbounded.0].name.clone(),
        })?;
        let all = |arcs: &'a [super::Arc]| {
            let one = |arc: &'a super::Arc| {
                if plan::most_tokens(net, &arc.tokens) > MOST_ON_AN_ARC {
                    return Err(CannotUnfold::TooManyTokens { whose: transition.name.clone() });
                }
                let simple = simple_arc(net, transition, &arc.tokens);
                Ok(PreparedArc { place: arc.place as usize, tokens: &arc.tokens, simple })
            };
            arcs.iter().map(one).collect::<Result<Vec<_>, _>>()
        };
        let takes = all(&transition.takes)?;
        let (puts, inhibitors) = (all(&transition.puts)?, all(&transition.inhibitors)?);
        Ok(Prepared { transition, bindings, takes, puts, inhibitors })
    }
}

/// What was found so far.
struct Found<'a> {
    net: &'a ColouredNet,
    sets: Vec<TokenSet>,
    bags: Bags,
    /// The unfolded places, in the order in which they were found: coloured place, and number of the token.
    places: Vec<(u32, u32)>,
    /// The unfolded place of each token of each place.
    place_of: Vec<Vec<u32>>,
    /// How many tokens are there in the beginning, by unfolded place; 0 for those that are not listed.
    initial: Vec<i32>,
    /// Places with tokens that wait to be processed, once per token.
    queue: VecDeque<u32>,
    /// For each coloured transition its bindings, one after the other, and what they do.
    fired: Vec<Fired>,
    /// Bindings that wait for a token: place, token.
    waiting: FxHashMap<(usize, Box<[Number]>), Vec<Waiting>>,
    /// Which coloured places never change.
    is_constant: Vec<bool>,
    transitions: u64,
    bytes: u64,
}

/// The bindings of a transition.
#[derive(Default)]
struct Fired {
    /// Values of variables, binding after binding.
    bindings: Vec<Number>,
    effects: Vec<Vec<Effect>>,
    /// What inhibits them: index of the binding, place, token, and how many are too many.
    inhibitors: Vec<(u32, u32, Box<[Number]>, i32)>,
}

/// A binding that waits: its transition, and the values of its variables.
type Waiting = (u32, Box<[Number]>);

/// Tokens of one kind on an arc.
type Weighted = (usize, Vec<Number>, u32);

impl<'a> Found<'a> {
    fn new(net: &'a ColouredNet, sets: Vec<TokenSet>) -> Found<'a> {
        Found {
            net,
            place_of: vec![Vec::new(); sets.len()],
            sets,
            bags: Bags::default(),
            places: Vec::new(),
            initial: Vec::new(),
            queue: VecDeque::new(),
            fired: net.transitions.iter().map(|_| Fired::default()).collect(),
            waiting: FxHashMap::default(),
            is_constant: constant_places(net),
            transitions: 0,
            bytes: 0,
        }
    }

    fn initial(&mut self, limits: &Limits<'_>) -> Result<(), CannotUnfold> {
        for (index, place) in self.net.places.iter().enumerate() {
            let too_many = || CannotUnfold::TooManyTokens { whose: place.name.clone() };
            if plan::most_tokens(self.net, &place.initial) > MOST_ON_AN_ARC {
                return Err(too_many());
            }
            let tokens = Evaluator::constant(self.net).tokens(&place.initial).map_err(|_| too_many())?;
            for (token, count) in tokens.iter() {
                let numbers: Vec<Number> = token.iter().map(|value| self.bags.number_of(value)).collect();
                let unfolded = self.insert(index, &numbers);
                self.initial.resize(self.places.len(), 0);
                self.initial[unfolded as usize] = i32::try_from(count).map_err(|_| too_many())?;
                self.within(limits, None)?;
            }
        }
        Ok(())
    }

    /// The unfolded place of a token. If it is new, it waits to be processed.
    fn insert(&mut self, place: usize, token: &[Number]) -> u32 {
        let (number, is_new) = self.sets[place].insert(token);
        if is_new {
            self.place_of[place].push(self.places.len() as u32);
            self.places.push((place as u32, number));
            self.queue.push_back(place as u32);
            self.bytes += 160 + 16 * token.len() as u64;
        }
        self.place_of[place][number as usize]
    }

    /// Processes all tokens that wait, and those that come of that.
    fn close(&mut self, prepared: &[Prepared<'a>], limits: &Limits<'_>) -> Result<(), CannotUnfold> {
        // Which plans begin with a token of a place.
        let mut seeds: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.sets.len()];
        for (index, one) in prepared.iter().enumerate() {
            for (plan, literal) in one.bindings.literals.iter().enumerate() {
                seeds[literal.place].push((index, plan));
            }
            if one.bindings.literals.is_empty() {
                self.search(prepared, index, 0, None, limits)?;
            }
        }
        while let Some(place) = self.queue.pop_front() {
            let place = place as usize;
            let Some(token) = self.sets[place].process() else { continue };
            for &(transition, plan) in &seeds[place] {
                self.search(prepared, transition, plan, Some(token), limits)?;
            }
            if self.waiting.is_empty() {
                continue;
            }
            let key = (place, Box::from(self.sets[place].token(token)));
            for (transition, binding) in self.waiting.remove(&key).unwrap_or_default() {
                self.fire(&prepared[transition as usize], transition as usize, &binding, limits)?;
            }
        }
        Ok(())
    }

    /// Finds the bindings of a transition that go with a token, and fires them.
    fn search(
        &mut self, prepared: &[Prepared<'a>], index: usize, plan: usize, token: Option<u32>, limits: &Limits<'_>,
    ) -> Result<(), CannotUnfold> {
        let one = &prepared[index];
        let width = one.transition.variables.len();
        let room = limits.bytes.saturating_sub(self.bytes) / (4 * width as u64 + 1);
        let (places, transitions, name) = (self.places.len() as u64, self.transitions, &one.transition.name);
        let so_far = |found: u64| {
            let (transitions, largest) = (transitions + found, Some((name.clone(), found)));
            Progress { places, transitions, largest }
        };
        let mut ticks = 0_u32;
        let mut go_on = |found: u64| {
            ticks = ticks.wrapping_add(1);
            found <= room && (!ticks.is_multiple_of(0x4000) || (limits.go_on)(&so_far(found)))
        };
        let mut found = FoundBindings::default();
        let join = Join { sets: &self.sets, net: self.net, transition: one.transition, bindings: &one.bindings };
        let done = join.run(&one.bindings.plans[plan], token, &mut self.bags, &mut found, &mut go_on);
        if done.is_err() {
            let why = if found.count <= room { CannotUnfold::Interrupted } else { CannotUnfold::TooLarge };
            return Err(why(so_far(found.count)));
        }
        for number in 0..found.count as usize {
            let binding = &found.values[number * width..(number + 1) * width];
            if self.has_sets(one.transition, binding) {
                self.fire(one, index, binding, limits)?;
            }
        }
        Ok(())
    }

    /// Whether variables that are bound to sets only are: what they were matched with may be any bag.
    fn has_sets(&self, transition: &Transition, binding: &[Number]) -> bool {
        let mut unique = transition.variables.iter().zip(binding).filter(|(variable, _)| variable.unique);
        unique.all(|(variable, &number)| match self.bags.value(variable.sort, number) {
            Value::Bag(bag) => bag.is_set(),
            Value::Colour(_) => true,
        })
    }

    /// Adds the transition of a binding that satisfies the guard, if all of its tokens are known.
    fn fire(
        &mut self, one: &Prepared<'a>, index: usize, binding: &[Number], limits: &Limits<'_>,
    ) -> Result<(), CannotUnfold> {
        let too_many = || CannotUnfold::TooManyTokens { whose: one.transition.name.clone() };
        let evaluated = [&one.takes, &one.puts, &one.inhibitors].map(|arcs| self.evaluate(one, arcs, binding));
        let (takes, puts, inhibitors) = match evaluated {
            [Ok(takes), Ok(puts), Ok(inhibitors)] => (takes, puts, inhibitors),
            evaluated if evaluated.contains(&Err(Undefined::TooMany)) => return Err(too_many()),
            // A term has no value, so the binding is not there.
            _ => return Ok(()),
        };
        let mut changes: Vec<(u32, i64, i64)> = Vec::with_capacity(takes.len() + puts.len());
        for (place, token, weight) in &takes {
            let Some(number) = self.sets[*place].find(token) else {
                let waiting = self.waiting.entry((*place, token.as_slice().into())).or_default();
                waiting.push((index as u32, binding.into()));
                self.bytes += 64 + 8 * (token.len() + binding.len()) as u64;
                return self.within(limits, Some(index));
            };
            changes.push((self.place_of[*place][number as usize], i64::from(*weight), 0));
        }
        if !self.constants_allow(&takes, &changes) {
            return Ok(());
        }
        for (place, token, weight) in &puts {
            changes.push((self.insert(*place, token), 0, i64::from(*weight)));
        }
        let effects = effects(changes).ok_or_else(too_many)?;
        let size = 160 + 4 * binding.len() + 28 * effects.len() + 24 * inhibitors.len();
        let fired = &mut self.fired[index];
        let number = fired.effects.len() as u32;
        for (place, token, weight) in inhibitors {
            let below = i32::try_from(weight).map_err(|_| too_many())?;
            fired.inhibitors.push((number, place as u32, token.into_boxed_slice(), below));
        }
        fired.bindings.extend_from_slice(binding);
        fired.effects.push(effects);
        self.transitions += 1;
        self.bytes += size as u64;
        self.within(limits, Some(index))
    }

    /// The tokens on some arcs, each token once per arc.
    fn evaluate(
        &mut self, one: &Prepared<'a>, arcs: &[PreparedArc<'a>], binding: &[Number],
    ) -> Result<Vec<Weighted>, Undefined> {
        let mut found: Vec<Weighted> = Vec::new();
        for arc in arcs {
            if let Some(simple) = &arc.simple {
                let first = found.len();
                for (weight, terms) in simple {
                    let token: Option<Vec<Number>> = terms.iter().map(|term| term.value(binding)).collect();
                    let token = token.ok_or(Undefined::NoColour)?;
                    match found[first..].iter_mut().find(|(_, known, _)| *known == token) {
                        Some((_, _, sum)) => *sum = sum.checked_add(*weight).ok_or(Undefined::TooMany)?,
                        None => found.push((arc.place, token, *weight)),
                    }
                }
                continue;
            }
            let values = self.bags.binding(&one.transition.variables, binding);
            let tokens: Bag<Token> = Evaluator::new(self.net, &one.transition.variables, &values).tokens(arc.tokens)?;
            for (token, weight) in tokens.iter() {
                found.push((arc.place, token.iter().map(|value| self.bags.number_of(value)).collect(), weight));
            }
        }
        Ok(found)
    }

    /// Whether the places that never change have enough for what is taken from them.
    fn constants_allow(&self, takes: &[Weighted], changes: &[(u32, i64, i64)]) -> bool {
        takes.iter().zip(changes).all(|((place, _, weight), (unfolded, _, _))| {
            let tokens = self.initial.get(*unfolded as usize).copied().unwrap_or(0);
            !self.is_constant[*place] || i64::from(tokens) >= i64::from(*weight)
        })
    }

    /// An error if it became too large, or is to stop.
    fn within(&self, limits: &Limits<'_>, current: Option<usize>) -> Result<(), CannotUnfold> {
        if self.bytes > limits.bytes {
            return Err(CannotUnfold::TooLarge(self.progress(current)));
        }
        let ticks = self.transitions + self.places.len() as u64;
        if ticks.is_multiple_of(0x400) {
            let progress = self.progress(current);
            if !(limits.go_on)(&progress) {
                return Err(CannotUnfold::Interrupted(progress));
            }
        }
        Ok(())
    }

    fn progress(&self, current: Option<usize>) -> Progress {
        let count = |index: usize| self.fired[index].effects.len() as u64;
        let largest = (0..self.fired.len()).max_by_key(|&index| count(index)).filter(|&index| count(index) > 0);
        let largest = largest.or(current).map(|index| (self.net.transitions[index].name.clone(), count(index)));
        Progress { places: self.places.len() as u64, transitions: self.transitions, largest }
    }
}

/// What is taken and put, one entry per place, in their order. Nothing if a number does not fit.
fn effects(mut changes: Vec<(u32, i64, i64)>) -> Option<Vec<Effect>> {
    changes.sort_unstable();
    let mut effects: Vec<Effect> = Vec::with_capacity(changes.len());
    for (place, take, put) in changes {
        let (take, put) = (i32::try_from(take).ok()?, i32::try_from(put).ok()?);
        match effects.last_mut() {
            Some(last) if last.place == place => {
                last.take = last.take.checked_add(take)?;
                last.put = last.put.checked_add(put)?;
            }
            _ => effects.push(Effect { take, put, ..Effect::on(place) }),
        }
    }
    effects.shrink_to_fit();
    Some(effects)
}

/// Which places every transition leaves as they are.
fn constant_places(net: &ColouredNet) -> Vec<bool> {
    let mut is_constant = vec![true; net.places.len()];
    for transition in &net.transitions {
        let on = |arcs: &'_ [super::Arc], place: u32| arcs.iter().filter(|arc| arc.place == place).count();
        for arc in transition.takes.iter().chain(&transition.puts) {
            let place = arc.place;
            let is_same = on(&transition.takes, place) == 1
                && on(&transition.puts, place) == 1
                && transition.takes.iter().find(|one| one.place == place)
                    == transition.puts.iter().find(|one| one.place == place);
            is_constant[place as usize] &= is_same;
        }
    }
    is_constant
}
