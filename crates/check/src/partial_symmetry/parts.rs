//! The parts of a conjunction, and which of them symmetries map to each other.
//!
//! A conjunction holds on all runs if each of its parts does. What a symmetry of the behaviour that leaves the initial
//! states alone makes of a part holds exactly if the part does: of parts that are mapped to each other one is enough.

use mandala_analysis::symmetry::SymmetryGroup;
use mandala_group::Orbits;
use mandala_logic::Formulas;
use mandala_model::property::{Formula, Quantifier, UnaryOperator};
use mandala_model::system::System;

use super::alphabet::Alphabet;
use super::processes::Processes;

/// A conjunction with more parts is taken as it is.
const MOST_PARTS: usize = 500;

/// A part of a conjunction.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it says.
    pub formula: Formula,
    /// How many parts symmetries map to it, with itself.
    pub alike: usize,
}

/// One part of a formula of LTL for each orbit of them: the formula holds on all runs exactly if all of these do. The
/// symmetries must leave the initial states alone; they are asked for if there are several parts. Where they spare less
/// than half of the parts the formula is left as it is.
pub fn parts<'g>(system: &System, group: impl FnOnce() -> Option<&'g SymmetryGroup>, formula: &Formula) -> Vec<Part> {
    let whole = || vec![Part { formula: formula.clone(), alike: 1 }];
    let parts = conjuncts(formula);
    if parts.len() < 2 || parts.len() > MOST_PARTS {
        return whole();
    }
    let Some(group) = group().filter(|group| group.keeps_initial) else { return whole() };
    let (processes, count) = (Processes::of(group), parts.len());
    let mut formulas = Formulas::new();
    let Ok((over_atoms, alphabet)) = Alphabet::of_formulas(system, &parts, &processes, &mut formulas) else {
        return whole();
    };
    let mut alike = Orbits::new(parts.len());
    for renaming in alphabet.renamings.iter().flatten() {
        for (place, &part) in over_atoms.iter().enumerate() {
            let image = formulas.with_atoms(part, |formulas, atom| formulas.atom(renaming.image(atom)));
            if let Some(other) = over_atoms.iter().position(|&other| other == image) {
                alike.unite(place as u32, other as u32);
            }
        }
    }
    let mut found: Vec<Part> = Vec::new();
    let mut first: Vec<(u32, usize)> = Vec::new();
    for (place, part) in parts.into_iter().enumerate() {
        let orbit = alike.find(place as u32);
        match first.iter().find(|(known, _)| *known == orbit) {
            Some(&(_, at)) => found[at].alike += 1,
            None => {
                first.push((orbit, found.len()));
                found.push(Part { formula: part, alike: 1 });
            }
        }
    }
    if 2 * found.len() > count { whole() } else { found }
}

/// The parts of a conjunction; `G(f && g)` is `G f && G g`.
fn conjuncts(formula: &Formula) -> Vec<Formula> {
    let mut parts = Vec::new();
    let mut open = vec![(formula, false)];
    while let Some((part, always)) = open.pop() {
        match part {
            Formula::And(inner) if parts.len() + open.len() + inner.len() <= 2 * MOST_PARTS => {
                open.extend(inner.iter().rev().map(|part| (part, always)));
            }
            Formula::Unary(Quantifier::None, UnaryOperator::Globally, inner) => open.push((inner, true)),
            part if always => {
                parts.push(Formula::Unary(Quantifier::None, UnaryOperator::Globally, Box::new(part.clone())));
            }
            part => parts.push(part.clone()),
        }
    }
    parts
}
