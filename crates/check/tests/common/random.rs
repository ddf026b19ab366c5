//! Small random systems, to compare engines on. The same seed gives the same system, for ever.
//!
//! Nets have weights, read, inhibitor and reset arcs and capacities; programs have guards that compare a variable with a
//! constant and actions that add or assign constants; composites have two or three levels, labels shared by several
//! transitions, several calls of one instance, calls of the composite itself and several initial states. Systems that
//! have too many states, or no end of them, are found by exploring them up to a limit and left out by [`small`].

use super::build;
use mandala_check::explicit::{Ended, Outcome, explore};
use mandala_check::limits::{Limits, Progress};
use mandala_model::expression::{Boolean, Comparison};
use mandala_model::net::{Effect, Initial, Net, Place, Transition};
use mandala_model::semantics::Semantics;
use mandala_model::system::{
    Call, Composite, CompositeInitial, Instance, Program, ProgramInitial, Statement, Synchronisation, System, Type,
};

/// How many times more cases are tried than usual: `TEST_FACTOR=20 cargo test` looks twenty times longer.
pub fn factor() -> u64 {
    std::env::var("TEST_FACTOR").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Pseudo-random numbers (xorshift64*).
pub struct Random(u64);

impl Random {
    /// Numbers that depend on a seed only.
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03);
        random.0 |= 1;
        // The first numbers of similar seeds are similar.
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 up to, but not including, `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 33) % bound.max(1) as u64) as usize
    }

    /// A number between two, both included.
    pub fn between(&mut self, least: i32, greatest: i32) -> i32 {
        least + self.below((greatest - least + 1) as usize) as i32
    }

    /// True so many times out of a hundred.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of them.
    pub fn choose<'a, T>(&mut self, options: &'a [T]) -> &'a T {
        &options[self.below(options.len())]
    }

    /// Some of the numbers below `bound`, at least one, in ascending order.
    fn some_of(&mut self, bound: usize) -> Vec<usize> {
        let chosen: Vec<usize> = (0..bound).filter(|_| self.percent(50)).collect();
        if chosen.is_empty() { vec![self.below(bound)] } else { chosen }
    }
}

/// What is at the bottom of a random system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Nets.
    Nets,
    /// Programs.
    Programs,
    /// Both.
    Both,
}

const LABELS: [&str; 3] = ["a", "b", "c"];

/// How random types are to be.
#[derive(Clone, Copy)]
pub struct Taste {
    /// How many of a hundred transitions have a label.
    pub labelled: usize,
    /// Places, variables and transitions beyond the usual few.
    pub more: usize,
}

/// A random net.
pub fn net(random: &mut Random, taste: Taste) -> Net {
    let places = 2 + taste.more + random.below(4);
    let capacities: Vec<Option<i32>> = (0..places).map(|_| random.percent(35).then(|| random.between(1, 3))).collect();
    let tokens = |random: &mut Random, capacity: Option<i32>| match random.percent(60) {
        true => random.between(1, 2).min(capacity.unwrap_or(2)),
        false => 0,
    };
    let initials = if random.percent(25) { 2 } else { 1 };
    let transitions = 3 + taste.more + random.below(5);
    Net {
        name: "net".into(),
        initial: (0..initials)
            .map(|i| Initial {
                name: format!("i{i}"),
                marking: capacities.iter().map(|&c| tokens(random, c)).collect(),
            })
            .collect(),
        transitions: (0..transitions).map(|i| net_transition(random, i, places, taste.labelled)).collect(),
        places: (0..places).map(|i| Place { name: format!("p{i}"), capacity: capacities[i] }).collect(),
        ..Net::default()
    }
}

fn label(random: &mut Random, labelled: usize) -> Option<String> {
    random.percent(labelled).then(|| random.choose(&LABELS).to_string())
}

/// Most transitions put as much as they take, so that many nets are bounded.
fn net_transition(random: &mut Random, number: usize, places: usize, labelled: usize) -> Transition {
    let mut effects: Vec<Effect> = (0..places as u32).map(Effect::on).collect();
    let take = random.between(1, 2);
    let put = if random.percent(92) { take } else { random.between(0, 3) };
    let from = random.below(places);
    for _ in 0..take {
        let place = if random.percent(60) { from } else { random.below(places) };
        effects[place].take += 1;
    }
    for _ in 0..put {
        effects[random.below(places)].put += 1;
    }
    if random.percent(15) {
        effects[random.below(places)].read = random.between(1, 2);
    }
    if random.percent(15) {
        effects[random.below(places)].below = Some(random.between(1, 3));
    }
    if random.percent(10) {
        effects[random.below(places)].reset = true;
    }
    effects.retain(|effect| *effect != Effect::on(effect.place));
    Transition { name: format!("t{number}"), label: label(random, labelled), effects, priority: 0 }
}

/// A random program.
pub fn program(random: &mut Random, taste: Taste) -> Program {
    let variables = 1 + taste.more + random.below(3);
    let initials = if random.percent(25) { 2 } else { 1 };
    let values = |random: &mut Random| (0..variables).map(|_| random.between(-1, 2)).collect::<Vec<i32>>();
    let count = 2 + taste.more + random.below(4);
    let transitions = (0..count)
        .map(|i| {
            let (guard, body) = guarded(random, variables as u32);
            build::action(&format!("t{i}"), label(random, taste.labelled).as_deref(), guard, body)
        })
        .collect();
    let mut program = build::program("program", &vec![0; variables], transitions);
    program.initial = (0..initials).map(|i| ProgramInitial { name: format!("i{i}"), values: values(random) }).collect();
    program
}

/// Most increments are guarded, so that many programs are bounded.
fn guarded(random: &mut Random, variables: u32) -> (Boolean<u32>, Vec<Statement>) {
    let comparisons = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];
    let any = |random: &mut Random| random.below(variables as usize) as u32;
    let mut guards = Vec::new();
    let mut body = Vec::new();
    for _ in 0..random.between(0, 2) {
        let guard = build::compare(any(random), *random.choose(&comparisons), random.between(-1, 3));
        guards.push(if random.percent(20) { Boolean::Not(Box::new(guard)) } else { guard });
    }
    for _ in 0..random.between(1, 2) {
        let variable = any(random);
        if random.percent(40) {
            body.push(build::set(variable, random.between(-1, 3)));
            continue;
        }
        let amount = random.between(1, 2);
        let up = random.percent(50);
        body.push(build::add(variable, if up { amount } else { -amount }));
        if random.percent(90) {
            let (comparison, bound) = if up { (Comparison::Less, 3) } else { (Comparison::Greater, 0) };
            guards.push(build::compare(variable, comparison, bound));
        }
    }
    if guards.len() > 1 && random.percent(15) {
        let choice = guards.split_off(guards.len() - 2);
        guards.push(Boolean::Or(choice));
    }
    (Boolean::And(guards), body)
}

fn leaf(random: &mut Random, leaves: Leaves, taste: Taste) -> Type {
    let is_net = match leaves {
        Leaves::Nets => true,
        Leaves::Programs => false,
        Leaves::Both => random.percent(50),
    };
    if is_net { Type::Net(net(random, taste)) } else { Type::Program(program(random, taste)) }
}

/// A random system of one type.
pub fn flat(seed: u64, leaves: Leaves) -> System {
    let mut random = Random::new(seed);
    let type_ = leaf(&mut random, leaves, Taste { labelled: 0, more: 2 });
    let initials = initial_count(&type_);
    System { name: format!("flat{seed}"), types: vec![type_], main: 0, begins: random.some_of(initials) }
}

/// A random net of few transitions whose arcs take, put and read, with one initial marking: something to build on.
pub fn plain_net(seed: u64, random: &mut Random) -> System {
    let mut system = flat(seed, Leaves::Nets);
    system.begins = vec![0];
    let Type::Net(net) = &mut system.types[0] else { panic!("a net") };
    net.initial.truncate(1);
    net.places.iter_mut().for_each(|place| place.capacity = None);
    for effect in net.transitions.iter_mut().flat_map(|transition| &mut transition.effects) {
        (effect.below, effect.reset) = (None, false);
    }
    net.transitions.truncate(1 + random.below(4));
    system
}

/// A random net with priorities. A few of its transitions have labels, of which one is called by nobody.
pub fn prioritised(seed: u64) -> System {
    let mut system = flat(seed, Leaves::Nets);
    let mut random = Random::new(seed ^ 0x0F0F_0F0F);
    let levels = 2 + random.below(3);
    let Type::Net(net) = &mut system.types[0] else { panic!("a net") };
    for transition in &mut net.transitions {
        transition.priority = random.below(levels) as u32 * 3;
        transition.label = random.percent(15).then(|| random.choose(&["elapse", "elapse", "a"]).to_string());
    }
    system
}

/// A random system of two or three levels.
pub fn nested(seed: u64, leaves: Leaves) -> System {
    let mut random = Random::new(seed);
    let taste = Taste { labelled: 60, more: 0 };
    let mut types: Vec<Type> = (0..random.between(1, 2)).map(|_| leaf(&mut random, leaves, taste)).collect();
    if random.percent(50) {
        let inner = composite(&mut random, &types, 60);
        types.push(Type::Composite(inner));
    }
    let main = composite(&mut random, &types, 20);
    let begins = random.some_of(main.initial.len());
    types.push(Type::Composite(main));
    System { name: format!("nested{seed}"), main: types.len() - 1, types, begins }
}

fn initial_count(type_: &Type) -> usize {
    type_.initial_names().len()
}

fn labels_of(type_: &Type) -> Vec<&str> {
    let mut labels: Vec<&str> = type_.labels().into_iter().flatten().collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

/// A composite of these types; the last of them occurs at least once.
pub fn composite(random: &mut Random, types: &[Type], labelled: usize) -> Composite {
    let count = 2 + random.below(2);
    let instances: Vec<Instance> = (0..count)
        .map(|i| {
            let type_index = if i == 0 { types.len() - 1 } else { random.below(types.len()) };
            Instance { name: format!("x[{i}]"), type_index }
        })
        .collect();
    let count = 1 + random.below(5);
    // A synchronisation calls labels of the composite that come later in the alphabet than its own: never in circles.
    let labels: Vec<Option<&str>> =
        (0..count).map(|_| random.percent(labelled).then(|| *random.choose(&LABELS))).collect();
    let synchronisations = labels
        .iter()
        .enumerate()
        .map(|(i, label)| Synchronisation {
            name: format!("s{i}"),
            label: label.map(Into::into),
            calls: calls(random, types, &instances, &labels, *label),
        })
        .collect();
    let choices = |random: &mut Random| {
        instances.iter().map(|instance| random.some_of(initial_count(&types[instance.type_index]))).collect()
    };
    let initials = if random.percent(25) { 2 } else { 1 };
    let initial = (0..initials).map(|i| CompositeInitial { name: format!("i{i}"), choices: choices(random) }).collect();
    Composite { name: "composite".into(), instances, synchronisations, initial, ..Composite::default() }
}

fn calls(
    random: &mut Random, types: &[Type], instances: &[Instance], labels: &[Option<&str>], own: Option<&str>,
) -> Vec<Call> {
    let callable: Vec<&str> =
        labels.iter().flatten().copied().filter(|label| own.is_none_or(|own| *label > own)).collect();
    let mut calls: Vec<Call> = Vec::new();
    for _ in 0..random.between(1, 3) {
        // One call of the composite itself at most: choices multiply.
        let called = calls.iter().any(|call| call.instance.is_none());
        if !callable.is_empty() && !called && random.percent(40) {
            calls.push(Call { instance: None, label: random.choose(&callable).to_string() });
            continue;
        }
        // Sometimes the same instance again.
        let last = calls.last().and_then(|call| call.instance).filter(|_| random.percent(30));
        let instance = last.unwrap_or_else(|| random.below(instances.len()));
        let known = labels_of(&types[instances[instance].type_index]);
        if !known.is_empty() {
            calls.push(Call { instance: Some(instance), label: random.choose(&known).to_string() });
        } else if random.percent(10) {
            calls.push(Call { instance: Some(instance), label: "nobody".into() });
        }
    }
    calls
}

/// The systems with at most this many states (and at least 2) that a generator makes from some seeds, with what there
/// is to find out about them.
pub fn small(
    seeds: std::ops::Range<u64>, most_states: u64, generate: impl Fn(u64) -> System,
) -> impl Iterator<Item = (u64, System, Outcome)> {
    seeds.filter_map(move |seed| {
        let system = generate(seed);
        let outcome = explored(&system, most_states)?;
        (outcome.states >= 2).then_some((seed, system, outcome))
    })
}

/// What there is to find out about a system, unless it has more states than this.
pub fn explored(system: &System, most_states: u64) -> Option<Outcome> {
    let semantics = Semantics::new(system).ok()?;
    let limits = Limits { states: Some(most_states), ..Limits::default() };
    let outcome = explore(&semantics, &[], &limits, &Progress::default());
    (outcome.ended == Ended::Complete).then_some(outcome)
}
