//! Symmetries: permutations of the variables of a model that leave its behaviour alone.
//!
//! All that is said about a model becomes terms over its variables (`terms`, `behaviour`, `syntax`). A symmetry maps
//! these terms to themselves; it is an automorphism of their graph, and each that is found is checked on the terms again
//! (`check`). What a group of symmetries does is recognised from its generators ([`shape`]): blocks of variables that are
//! interchangeable, rings of them, and products of these.

pub mod action;
pub mod apply;
mod behaviour;
mod check;
pub mod compare;
pub mod contents;
mod coordinates;
pub mod instances;
pub mod leader;
pub mod reduction;
pub mod shape;
mod syntax;
mod terms;

use behaviour::Behaviour;
use check::Parents;
use mandala_group::{Automorphisms, Group, Permutation, UBig, automorphisms};
use mandala_model::property::Question;
use mandala_model::system::{System, Type};

pub use check::Broken;
pub use shape::{Part, Shape};

/// What symmetries must leave alone, besides what can happen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keep<'a> {
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
}

/// A symmetry of a model: what it maps variables to, and what becomes of their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    /// The variable at which the value of each variable is found afterwards.
    pub variables: Permutation,
    /// For some variables, in ascending order, by which permutation their values are renamed on the way; all others keep
    /// them.
    pub values: Vec<(u32, Permutation)>,
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
                && let Ok(value) = u32::try_from(*place)
            {
                *place = renaming.image(value) as i32;
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
    found: Automorphisms,
}

impl Symmetries {
    /// Permutations of the variables of a state, each of them checked. They generate all others if the search was
    /// complete.
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

/// The symmetries of a system, by a search of at most so many operations.
pub fn find(system: &System, keep: &Keep<'_>, budget: u64) -> Result<Symmetries, Unknown> {
    let behaviour = Behaviour::new(system, keep)?;
    let tops: Vec<u32> = behaviour.tops.iter().map(|&(_, top)| top).collect();
    let graph = behaviour.terms.graph(&tops).ok_or(Unknown::TooLarge)?;
    let mut found = automorphisms(&graph, budget);
    let variables = behaviour.terms.variables();
    let of_variables = |one: &Permutation| {
        let moves = one.moves().iter().copied().filter(|&(point, _)| (point as usize) < variables).collect();
        Permutation::from_moves(moves)
    };
    let parents = Parents::new(&behaviour.terms, &tops);
    let count = found.generators.len();
    found.generators =
        found.generators.iter().filter_map(of_variables).filter(|one| behaviour.check(&parents, one).is_ok()).collect();
    // Variables are told apart first, and then nothing else is left. What is not so could not be relied upon.
    found.complete &= found.generators.len() == count && found.base.iter().all(|&vertex| (vertex as usize) < variables);
    Ok(Symmetries { names: behaviour.names_of_variables(), found })
}

/// Checks permutations of the variables of a state that somebody says are symmetries: for each, what it would change.
pub fn check(system: &System, keep: &Keep<'_>, declared: &[Permutation]) -> Result<Vec<Result<(), Broken>>, Unknown> {
    let behaviour = Behaviour::new(system, keep)?;
    let tops: Vec<u32> = behaviour.tops.iter().map(|&(_, top)| top).collect();
    let parents = Parents::new(&behaviour.terms, &tops);
    Ok(declared.iter().map(|one| behaviour.check(&parents, one)).collect())
}

/// The permutation of the instances of the main type, a composite, that does what a permutation of the variables does;
/// nothing if some instance does not go as a whole to the place of another.
pub fn of_instances(system: &System, permutation: &Permutation) -> Option<Permutation> {
    let Type::Composite(composite) = system.types.get(system.main)? else { return None };
    let mut sizes: Vec<u32> = Vec::with_capacity(system.types.len());
    for kind in &system.types {
        sizes.push(match kind {
            Type::Net(net) => net.places.len() as u32,
            Type::Program(program) => program.variables.len() as u32,
            Type::Composite(composite) => {
                composite.instances.iter().fold(0, |sum, instance| sum.saturating_add(sizes[instance.type_index]))
            }
        });
    }
    let mut offsets = Vec::with_capacity(composite.instances.len());
    let mut end = 0u32;
    for instance in &composite.instances {
        offsets.push((end, sizes[instance.type_index]));
        end = end.saturating_add(sizes[instance.type_index]);
    }
    let mut moves = Vec::new();
    for (from, &(offset, size)) in (0..).zip(&offsets) {
        if !(offset..offset + size).any(|variable| !permutation.fixes(variable)) {
            continue;
        }
        let target = permutation.image(offset);
        let to = offsets.partition_point(|&(start, _)| start <= target).checked_sub(1)?;
        let is_whole =
            offsets[to] == (target, size) && (0..size).all(|at| permutation.image(offset + at) == target + at);
        if !is_whole {
            return None;
        }
        moves.push((from, to as u32));
    }
    Permutation::from_moves(moves)
}
