//! Composites as one net or one program, with the same states and the same steps.
//!
//! A state of the flat model is the state of the composite, number by number: every variable of every instance becomes a
//! variable, named through its instances as in `ring:peers[1]:state`. Whatever happens by itself becomes a transition, or
//! several where there are choices; [`Renaming`] knows which. Where there are programs or queues, the flat model is a program.

mod declared;
mod net;
mod program;
pub(crate) mod queue;
mod renaming;

pub use renaming::Renaming;

use crate::symmetry::DeclaredSymmetry;
use crate::system::{Composite, PrioritiesInside, System, TooManyChoices, Type};
use std::collections::HashSet;

/// Larger models are not written as one.
const MOST: usize = 1_000_000;
/// Synchronisations with more combinations than this are not written out, nor models with more initial states.
const MOST_COMBINATIONS: usize = 100_000;
/// Composites that are nested deeper are not written out.
const DEEPEST: usize = 400;

/// A system without parts.
#[derive(Clone, Debug)]
pub struct Flat {
    /// The system: one type.
    pub system: System,
    /// Where everything has gone.
    pub renaming: Renaming,
}

/// Why a system cannot be made flat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotFlatten {
    /// It has too many variables, or is nested too deeply.
    TooLarge,
    /// There would be too many transitions.
    TooManyTransitions,
    /// There would be too many initial states.
    TooManyInitialStates,
    /// A composite has too many combinations of choices.
    TooManyChoices(TooManyChoices),
    /// A synchronisation has too many combinations of choices.
    TooManyCombinations,
    /// Transitions that fire together move too many tokens.
    TooManyTokens,
    /// A net in a program puts, or begins with, very many tokens.
    ManyTokens(String),
    /// Several instances may end a synchronisation with an error, and each of them may also turn out not to allow it.
    Errors(String),
    /// A net with priorities is an instance of a composite.
    Priorities(PrioritiesInside),
}

impl std::fmt::Display for CannotFlatten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CannotFlatten::TooLarge => write!(f, "the model is too large to be written without parts"),
            CannotFlatten::TooManyTransitions => {
                write!(f, "the model has too many transitions to be written without parts")
            }
            CannotFlatten::TooManyInitialStates => {
                write!(f, "the model has too many initial states to be written without parts")
            }
            CannotFlatten::TooManyChoices(choices) => {
                write!(f, "{} of {} has too many combinations of choices", choices.what, choices.composite)
            }
            CannotFlatten::TooManyCombinations => {
                write!(f, "a synchronisation has too many combinations of choices to be written out")
            }
            CannotFlatten::TooManyTokens => {
                write!(f, "transitions that fire together move more tokens than 32 bits can say")
            }
            CannotFlatten::ManyTokens(net) => {
                write!(f, "`{net}` moves too many tokens to be written as a program")
            }
            CannotFlatten::Errors(name) => {
                write!(f, "`{name}` may be an error in one of its instances and not allowed by another")
            }
            CannotFlatten::Priorities(inside) => write!(f, "{inside}"),
        }
    }
}

impl std::error::Error for CannotFlatten {}

impl From<TooManyChoices> for CannotFlatten {
    fn from(choices: TooManyChoices) -> CannotFlatten {
        CannotFlatten::TooManyChoices(choices)
    }
}

/// A system without parts that does the same. A system without parts stays as it is.
pub fn flatten(system: &System) -> Result<Flat, CannotFlatten> {
    if !system.is_composite() {
        return Ok(Flat { system: system.clone(), renaming: Renaming::identity(system) });
    }
    system.refuse_priorities_inside().map_err(CannotFlatten::Priorities)?;
    let sizes = sizes(system)?;
    let states = initial_states(system)?;
    let begins = (0..states.len()).collect();
    let symmetries = declared::over_variables(system, &sizes);
    let (kind, renaming) = if system.has_programs() || system.has_queues() {
        let (mut program, renaming) = program::flatten(system, &sizes)?;
        program.initial = program::initial(states);
        program.symmetries = symmetries;
        (Type::Program(program), renaming)
    } else {
        let (mut net, renaming) = net::flatten(system, &sizes)?;
        net.initial = net::initial(states);
        net.symmetries = symmetries;
        (Type::Net(net), renaming)
    };
    let flat = System { name: system.name.clone(), types: vec![kind], main: 0, begins };
    Ok(Flat { system: flat, renaming })
}

/// The symmetries that the main type declares, about the variables of a state: where an instance takes the place of another,
/// each of its variables takes the place of the same variable of the other. Refuses what is too large.
pub fn declared_symmetries(system: &System) -> Result<Vec<DeclaredSymmetry>, CannotFlatten> {
    let declared = system.main_type().symmetries();
    if declared.is_empty() || !system.is_composite() {
        return Ok(declared.to_vec());
    }
    Ok(declared::over_variables(system, &sizes(system)?))
}

/// How many variables each type has. Refuses what is too large or too deep.
fn sizes(system: &System) -> Result<Vec<usize>, CannotFlatten> {
    let sizes = system.sizes();
    if sizes[system.main] > MOST || system.levels() > DEEPEST {
        return Err(CannotFlatten::TooLarge);
    }
    Ok(sizes)
}

/// The states in which a system begins, each with a name.
fn initial_states(system: &System) -> Result<Vec<(String, Vec<i32>)>, CannotFlatten> {
    // For each type and each of its designated initial states, the states that it stands for.
    let mut states: Vec<Vec<Vec<Vec<i32>>>> = Vec::with_capacity(system.types.len());
    for kind in &system.types {
        let own = match kind {
            Type::Composite(composite) => combined(composite, &states),
            kind => kind.initial_values().into_iter().map(|values| vec![values.to_vec()]).collect(),
        };
        states.push(own);
    }
    let mut all = Vec::new();
    for begin in system.begins.iter().filter_map(|&begin| states[system.main].get(begin)) {
        // A set that is too large is left empty.
        if begin.is_empty() || all.len() + begin.len() > MOST_COMBINATIONS {
            return Err(CannotFlatten::TooManyInitialStates);
        }
        all.extend(begin.iter().cloned());
    }
    let name = |number: usize| if all.len() == 1 { String::new() } else { format!("initial{}", number + 1) };
    let names: Vec<String> = (0..all.len()).map(name).collect();
    Ok(names.into_iter().zip(all).collect())
}

/// For each designated initial state of a composite, all combinations of those of its instances; none if there are too
/// many.
fn combined(composite: &Composite, states: &[Vec<Vec<Vec<i32>>>]) -> Vec<Vec<Vec<i32>>> {
    let of_one = |choices: &Vec<Vec<usize>>| {
        let mut wholes = vec![Vec::new()];
        for (instance, choices) in composite.instances.iter().zip(choices) {
            let of_instance = &states[instance.type_index];
            let parts: Vec<&Vec<i32>> =
                choices.iter().filter_map(|&choice| of_instance.get(choice)).flatten().collect();
            let width = wholes.first().map_or(0, Vec::len) + parts.first().map_or(0, |part| part.len());
            let count = wholes.len().saturating_mul(parts.len());
            if count > MOST_COMBINATIONS || count.saturating_mul(width) > 10 * MOST {
                return Vec::new();
            }
            let pairs = wholes.iter().flat_map(|whole| parts.iter().map(move |part| [whole.as_slice(), part].concat()));
            wholes = pairs.collect();
        }
        wholes
    };
    composite.initial.iter().map(|initial| of_one(&initial.choices)).collect()
}

/// Names that are all different.
#[derive(Default)]
struct Names {
    known: HashSet<String>,
}

impl Names {
    /// The name, or one like it that has not been there before.
    fn add(&mut self, name: String) -> String {
        let mut unique = name.clone();
        let mut number = 2;
        while !self.known.insert(unique.clone()) {
            unique = format!("{name}/{number}");
            number += 1;
        }
        unique
    }
}
