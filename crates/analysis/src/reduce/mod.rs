//! Smaller nets first: reductions with equations.
//!
//! A net is reduced to a smaller one together with linear equations over the places of both, so that the markings of the
//! net are exactly the solutions of the equations over the reachable markings of the reduced net, and each of them is the
//! solution for one marking of the reduced net only (Berthomieu, Le Botlan, Dal Zilio: "Counting Petri net markings from
//! reduction equations", STTT 2019). So markings can be counted on the reduced net, without making them.
//!
//! Each rule has a file, which says why it is right. Rules run until none of them finds anything.

mod constant;
pub mod count;
mod equation;
mod groups;
mod merge;
mod place;
pub mod question;
mod resource;
mod sink;
mod transition;
mod work;

pub use equation::Equation;
use groups::Groups;
use mandala_model::net::{Effect, Initial, Net, Place, Transition};
use rustc_hash::FxHashSet;
pub use work::Fate;
use work::Work;

/// How many operations a reduction may take if nothing is said.
pub const PATIENCE: u64 = 200_000_000;

/// How long a reduction may take. It ends early without harm: what it has by then is a smaller net, too.
#[derive(Clone, Copy)]
pub struct Patience<'p> {
    /// The most operations.
    pub operations: u64,
    /// Asked now and then whether to go on: the limits of a user are none of this module's business.
    pub goes_on: &'p dyn Fn() -> bool,
}

impl From<u64> for Patience<'_> {
    /// So many operations, and nobody stops it.
    fn from(operations: u64) -> Self {
        Patience { operations, goes_on: &|| true }
    }
}

/// How far a reduction goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// As far as it goes.
    Full,
    /// A place that was made of others, and by which something is counted, is not left to follow from several places: then
    /// what is counted is a product of functions of one place each.
    Separate,
}

/// A reduced net, and how it is related to the net that it was made from.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The reduced net.
    pub net: Net,
    /// How many places the net had.
    pub places: usize,
    /// The names of the nodes in equations: the places of the net first, then those that rules made.
    pub names: Vec<String>,
    /// The node of each place of the reduced net.
    pub node_of: Vec<u32>,
    /// What is known of the nodes, in the order in which it was found.
    pub equations: Vec<Equation>,
    /// What became of each transition of the net.
    pub fates: Vec<Fate>,
    /// Transitions of the net and equations: what the transition needs of the place that follows by this equation has to
    /// be looked at. For all others it is implied by what they need of other places.
    pub unimplied: Vec<(u32, u32)>,
    /// By node, the most tokens that it holds, where equations say so.
    most: Vec<Option<i64>>,
}

/// The most tokens of nodes, where equations say so: a part holds no more than its whole.
fn greatest(equations: &[Equation], nodes: usize) -> Vec<Option<i64>> {
    let mut most: Vec<Option<i64>> = vec![None; nodes];
    let lower = |known: Option<i64>, bound: i64| Some(known.map_or(bound, |known| known.min(bound)));
    for equation in equations.iter().rev() {
        match equation {
            Equation::Sum { whole, parts } => {
                for &part in parts {
                    most[part as usize] = most[*whole as usize];
                }
            }
            Equation::AtMost { place, most: bound } => most[*place as usize] = lower(most[*place as usize], *bound),
            Equation::Follows { place, factor, terms, constant } => {
                let sum = terms.iter().filter(|term| term.1 > 0).try_fold(*constant, |sum, &(node, times)| {
                    sum.checked_add(most[node as usize]?.checked_mul(times)?)
                });
                most[*place as usize] = sum.map(|sum| sum / factor);
            }
        }
    }
    most
}

/// The names of nodes: those of places, and new ones for what was made.
fn names(net: &Net, equations: &[Equation], nodes: usize) -> Vec<String> {
    let mut names: Vec<String> = net.places.iter().map(|place| place.name.clone()).collect();
    let known: FxHashSet<&str> = net.places.iter().map(|place| place.name.as_str()).collect();
    let sums: FxHashSet<u32> = equations.iter().filter_map(Equation::whole).collect();
    for node in net.places.len()..nodes {
        let kind = if sums.contains(&(node as u32)) { "sum" } else { "gone" };
        let mut name = format!("{kind}_{}", node - net.places.len() + 1);
        while known.contains(name.as_str()) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

impl Reduction {
    /// The equations as people write them, the last first: as the markings of the net follow from those of the reduced net.
    pub fn equations_in_words(&self) -> Vec<String> {
        self.equations.iter().rev().map(|equation| equation.words(&self.names)).collect()
    }

    /// Whether the reduced net is smaller at all.
    pub fn is_smaller(&self) -> bool {
        self.net.places.len() < self.places || self.net.transitions.len() < self.fates.len()
    }
}

/// Reduces a net that begins with a marking. Nothing if the net has something that the rules do not know: inhibitor and reset
/// arcs, capacities, priorities, labels.
pub fn reduce<'p>(net: &Net, marking: &[i32], extent: Extent, patience: impl Into<Patience<'p>>) -> Option<Reduction> {
    let mut work = Work::new(net, marking, patience.into(), extent == Extent::Full)?;
    constant::never_enabled(&mut work);
    loop {
        let mut changed = work.apply(&[
            constant::constants,
            transition::idle,
            transition::twins,
            merge::loops,
            transition::idle,
            transition::twins,
            place::duplicates,
            sink::sinks,
            merge::chains,
            resource::resources,
        ]);
        if changed && work.budget > 0 {
            continue;
        }
        changed |= work.apply(&[transition::compositions, place::combinations]);
        if !changed || work.budget == 0 {
            break;
        }
    }
    finish(net, work)
}

/// The result, if its numbers fit into a net.
fn finish(net: &Net, mut work: Work) -> Option<Reduction> {
    work.unimplied.sort_unstable();
    let node_of: Vec<u32> = work.alive().collect();
    let mut place_of = vec![u32::MAX; work.nodes.len()];
    (0..).zip(&node_of).for_each(|(place, &node)| place_of[node as usize] = place);
    let names = names(net, &work.equations, work.nodes.len());
    let places = node_of.iter().map(|&node| Place { name: names[node as usize].clone(), capacity: None }).collect();
    let marking: Option<Vec<i32>> =
        node_of.iter().map(|&node| i32::try_from(work.nodes[node as usize].tokens).ok()).collect();
    let mut transitions = Vec::new();
    for index in work.kept() {
        let mut effects = Vec::new();
        for arc in &work.events[index as usize].arcs {
            let place = *place_of.get(arc.node as usize)?;
            let (take, put) = (i32::try_from(arc.take).ok()?, i32::try_from(arc.put).ok()?);
            effects.push(Effect { take, put, ..Effect::on(place) });
        }
        effects.sort_unstable_by_key(|effect| effect.place);
        let name = net.transitions[index as usize].name.clone();
        transitions.push(Transition { name, effects, ..Transition::default() });
    }
    let initial = vec![Initial { name: String::new(), marking: marking? }];
    let groups = Groups::new(net, &work.equations, work.nodes.len(), &place_of);
    Some(Reduction {
        net: Net {
            name: net.name.clone(),
            places,
            transitions,
            initial,
            units: net.units.as_ref().map(|units| groups.units(units)),
            exclusive: groups.exclusive(&net.exclusive),
            symmetries: Vec::new(),
        },
        places: net.places.len(),
        most: greatest(&work.equations, work.nodes.len()),
        names,
        node_of,
        equations: work.equations,
        fates: work.events.iter().map(|event| event.fate).collect(),
        unimplied: work.unimplied,
    })
}
