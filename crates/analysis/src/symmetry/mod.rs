//! Symmetries: permutations of the variables of a model, and renamings of their values, that leave its behaviour alone.
//!
//! All that is said about a model becomes terms over its variables (`terms`, `behaviour`, `syntax`), and over their values
//! where these are known to be few (`domains`, `cases`): a variable may hold the number of a process, and then a symmetry
//! of the processes renames its values ([`points`]). A symmetry maps these terms to themselves; it is an automorphism of
//! their graph, and each that is found is checked on the terms again (`check`). What a group of symmetries does is
//! recognised from its generators ([`shape`]): blocks of variables that are interchangeable, rings of them, and products of
//! these.

mod behaviour;
mod cases;
mod check;
pub mod coordinates;
mod domains;
pub mod events;
pub mod instances;
pub mod leader;
mod partial;
pub mod points;
pub mod propositions;
pub mod shape;
mod syntax;
mod terms;
mod verified;

use std::sync::Arc;

use behaviour::Behaviour;
use check::Parents;
use domains::{Domains, Owned};
use mandala_group::{Automorphisms, Group, Permutation, UBig, automorphisms};
use mandala_model::property::Question;
use mandala_model::system::System;

pub use check::Broken;
pub use instances::of_instances;
pub use points::Points;
pub use shape::{Part, Shape};
pub use verified::{PATIENCE, SymmetryGroup, verified};

/// What symmetries must preserve, besides what can happen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Preserved<'a> {
    /// The set of initial states.
    pub initial: bool,
    /// All largest parts of these that have no temporal operator.
    pub questions: &'a [&'a Question],
}

/// Why nothing is known about the symmetries of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The system is too large.
    TooLarge,
    /// Labels call each other in a circle.
    Circular,
    /// The system has queues, whose words are not looked at.
    Queues,
}

/// A symmetry of a model: what it maps variables to, and what becomes of their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    /// The variable at which the value of each variable is found afterwards.
    pub variables: Permutation,
    /// For some variables, in ascending order, what their values become on the way; all others keep them.
    pub values: Vec<(u32, Vec<(i32, i32)>)>,
}

impl From<Permutation> for Symmetry {
    fn from(variables: Permutation) -> Symmetry {
        Symmetry { variables, values: Vec::new() }
    }
}

impl Symmetry {
    /// The image of a state: the value of each variable goes to the image of the variable.
    pub fn apply(&self, state: &[i32]) -> Vec<i32> {
        let mut image = state.to_vec();
        for &(from, to) in self.variables.moves() {
            if let (Some(&value), Some(place)) = (state.get(from as usize), image.get_mut(to as usize)) {
                *place = value;
            }
        }
        for (variable, renaming) in &self.values {
            let to = self.variables.image(*variable) as usize;
            if let Some(place) = image.get_mut(to)
                && let Some(&(_, value)) = renaming.iter().find(|(value, _)| value == place)
            {
                *place = value;
            }
        }
        image
    }
}

/// What was found of the symmetries of a system.
#[derive(Clone, Debug)]
pub struct Symmetries {
    /// The names of the variables of a state.
    pub names: Vec<String>,
    /// Places of a net that always hold the same as another, the first of its kind. To exchange these changes no state, and
    /// is not among the symmetries.
    pub twins: Vec<(u32, u32)>,
    /// What is permuted: the variables, and the values of those of which a value is renamed.
    pub points: Points,
    found: Automorphisms,
}

impl Symmetries {
    /// Permutations of the points, each of them checked. They generate all others if the search was complete.
    pub fn generators(&self) -> &[Permutation] {
        &self.found.generators
    }

    /// Whether the search came to its end. If not, there may be more symmetries.
    pub fn is_complete(&self) -> bool {
        self.found.complete
    }

    /// The number of symmetries, or at least so many if the search was not complete.
    pub fn order(&self) -> UBig {
        self.found.order()
    }

    /// The group of the symmetries, unless it takes more than so many operations.
    pub fn group(&self, budget: u64) -> Option<Group> {
        self.found.group(budget)
    }

    /// What the group does, as far as it is recognised within so many operations.
    pub fn shape(&self, budget: u64) -> Shape {
        Shape::of(&self.found, budget)
    }
}

/// So many values of variables are told apart.
const MOST_VALUES: usize = 200_000;

/// The symmetries of a system, by searches of at most so many operations.
pub fn find(system: &System, preserved: &Preserved<'_>, budget: u64) -> Result<Symmetries, Unknown> {
    let (found, owners) = search(system, preserved, &Arc::default(), budget)?;
    // Values are renamed in programs only.
    if !system.has_programs() {
        return Ok(found);
    }
    let mut domains = Domains::of(system);
    let pairs = found.generators().iter().flat_map(Permutation::moves);
    let owner = |variable: u32| owners.get(variable as usize).copied();
    let pairs: Vec<_> = pairs.filter_map(|&(one, other)| Some((owner(one)?, owner(other)?))).collect();
    domains.unite(system, &pairs);
    let values = owners.iter().filter_map(|&(kind, variable)| domains.domain(kind, variable));
    if domains.is_empty() || values.map(<[i32]>::len).sum::<usize>() > MOST_VALUES {
        return Ok(found);
    }
    let Ok((renaming, _)) = search(system, preserved, &Arc::new(domains), budget) else { return Ok(found) };
    // Nothing is given up for it.
    let keeps = renaming.points.without_values().check(system, preserved, found.generators());
    let keeps = keeps.is_ok_and(|checked| checked.iter().all(Result::is_ok));
    Ok(if keeps && renaming.order() > found.order() { renaming } else { found })
}

/// The symmetries of a system where some variables have domains, and of which type each variable is.
fn search(
    system: &System, preserved: &Preserved<'_>, domains: &Arc<Domains>, budget: u64,
) -> Result<(Symmetries, Vec<Owned>), Unknown> {
    let mut behaviour = Behaviour::new(system, preserved, domains)?;
    let twins = behaviour.keep_twins();
    let tops: Vec<u32> = behaviour.tops.iter().map(|&(_, top)| top).collect();
    let graph = behaviour.terms.graph(&tops).ok_or(Unknown::TooLarge)?;
    let mut found = automorphisms(&graph, budget);
    let points = behaviour.terms.points();
    let of_points = |one: &Permutation| {
        let moves = one.moves().iter().copied().filter(|&(point, _)| (point as usize) < points).collect();
        Permutation::from_moves(moves)
    };
    let parents = Parents::new(&behaviour.terms, &tops);
    let count = found.generators.len();
    found.generators =
        found.generators.iter().filter_map(of_points).filter(|one| behaviour.check(&parents, one).is_ok()).collect();
    // Variables and values are told apart first, and then nothing else is left. What is not so could not be relied upon.
    found.complete &= found.generators.len() == count && found.base.iter().all(|&vertex| (vertex as usize) < points);
    let owners = behaviour.owners();
    let names = behaviour.names_of_variables();
    if behaviour.terms.values().is_empty() {
        return Ok((Symmetries { names, twins, points: Points::of_variables(points), found }, owners));
    }
    let (points, generators, places) = Points::needed(&behaviour.terms, domains, &found.generators);
    found.generators = generators;
    found.base = found.base.iter().map(|&vertex| places.get(vertex as usize).copied().unwrap_or(vertex)).collect();
    Ok((Symmetries { names, twins, points, found }, owners))
}

/// Checks permutations of the variables of a state that somebody says are symmetries: for each, what it would change.
pub fn check(
    system: &System, preserved: &Preserved<'_>, declared: &[Permutation],
) -> Result<Vec<Result<(), Broken>>, Unknown> {
    Points::default().check(system, preserved, declared)
}
