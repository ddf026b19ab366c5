//! The propositions of a formula, and what exchanges of processes make of them.

use mandala_analysis::symmetry::Part;
use mandala_analysis::symmetry::propositions::images;
use mandala_group::Permutation;
use mandala_logic::Formulas;
use mandala_logic::symmetry::Renaming;
use mandala_model::property::Formula;
use mandala_model::system::System;

use super::processes::Processes;
use crate::claim::propositions::read;
use crate::claim::{NotLtl, Untranslated};

/// With more parts of propositions than this, no exchange is looked at.
const MOST_CANDIDATES: usize = 3_000;

/// Propositions, and what exchanges make of them.
pub(super) struct Alphabet {
    /// By atom.
    pub propositions: Vec<Formula>,
    /// By exchange; nothing if it cannot be used.
    pub renamings: Vec<Option<Renaming>>,
    /// The other parts of the group that leave all propositions alone.
    pub others: Vec<Part>,
}

impl Alphabet {
    /// Given propositions.
    pub fn of_propositions(system: &System, propositions: Vec<Formula>, processes: &Processes) -> Alphabet {
        let known = Images::new(system, propositions.clone(), processes);
        known.alphabet(propositions, processes)
    }

    /// The propositions of a formula of LTL, and the formula over them. What all exchanges leave alone is one proposition;
    /// what some exchange does not is taken apart, so that its parts are mapped to each other.
    pub fn of_formula(
        system: &System, formula: &Formula, processes: &Processes, formulas: &mut Formulas,
    ) -> Result<(mandala_logic::Formula, Alphabet), Untranslated> {
        let mut candidates: Vec<Formula> = Vec::new();
        read(formula, &mut Formulas::new(), &mut |formulas: &mut Formulas, proposition: &Formula| {
            collect(proposition, &mut candidates);
            Ok::<_, NotLtl>(formulas.constant(true))
        })
        .map_err(Untranslated::NotLtl)?;
        let known = Images::new(system, candidates, processes);
        let mut propositions = Vec::new();
        let abstracted = read(formula, formulas, &mut |formulas: &mut Formulas, proposition: &Formula| {
            Ok::<_, NotLtl>(known.over_atoms(proposition, formulas, &mut propositions))
        });
        let abstracted = abstracted.map_err(Untranslated::NotLtl)?;
        Ok((abstracted, known.alphabet(propositions, processes)))
    }
}

/// A proposition and what it is made of, unless they are known.
fn collect(proposition: &Formula, candidates: &mut Vec<Formula>) {
    let mut open = vec![proposition];
    while let Some(part) = open.pop() {
        if candidates.len() > MOST_CANDIDATES || candidates.contains(part) {
            continue;
        }
        candidates.push(part.clone());
        match part {
            Formula::Not(inner) => open.push(inner),
            Formula::And(parts) | Formula::Or(parts) => open.extend(parts),
            _ => {}
        }
    }
}

/// What becomes of some propositions.
struct Images {
    candidates: Vec<Formula>,
    /// By exchange, and then by generator of the other parts of the group.
    images: Vec<Vec<Option<usize>>>,
}

impl Images {
    fn new(system: &System, candidates: Vec<Formula>, processes: &Processes) -> Images {
        let mut symmetries: Vec<Permutation> =
            processes.exchanges.iter().map(|exchange| exchange.permutation.clone()).collect();
        symmetries.extend(processes.others.iter().flat_map(Part::generators));
        let nothing = || vec![vec![None; candidates.len()]; symmetries.len()];
        let images = if candidates.len() > MOST_CANDIDATES {
            nothing()
        } else {
            images(system, &processes.points, &candidates, &symmetries).unwrap_or_else(|_| nothing())
        };
        Images { candidates, images }
    }

    fn place(&self, proposition: &Formula) -> Option<usize> {
        self.candidates.iter().position(|one| one == proposition)
    }

    /// Whether all symmetries leave a proposition alone.
    fn is_left_alone(&self, proposition: &Formula) -> bool {
        let Some(place) = self.place(proposition) else { return false };
        self.images.iter().all(|images| images[place] == Some(place))
    }

    /// A proposition over atoms, which are added to those that are known.
    fn over_atoms(
        &self, proposition: &Formula, formulas: &mut Formulas, propositions: &mut Vec<Formula>,
    ) -> mandala_logic::Formula {
        match proposition {
            Formula::Constant(value) => return formulas.constant(*value),
            Formula::Not(inner) => {
                let inner = self.over_atoms(inner, formulas, propositions);
                return formulas.not(inner);
            }
            Formula::And(parts) | Formula::Or(parts) if !self.is_left_alone(proposition) => {
                let parts: Vec<_> = parts.iter().map(|part| self.over_atoms(part, formulas, propositions)).collect();
                let is_all = matches!(proposition, Formula::And(_));
                return if is_all { formulas.all(parts) } else { formulas.any(parts) };
            }
            _ => {}
        }
        let known = propositions.iter().position(|one| one == proposition);
        let atom = known.unwrap_or_else(|| {
            propositions.push(proposition.clone());
            propositions.len() - 1
        });
        formulas.atom(atom as u32)
    }

    /// What the symmetries make of the propositions that were chosen.
    fn alphabet(&self, propositions: Vec<Formula>, processes: &Processes) -> Alphabet {
        let places: Vec<Option<usize>> = propositions.iter().map(|one| self.place(one)).collect();
        let count = propositions.len() as u32;
        let image = |images: &[Option<usize>], place: Option<usize>| {
            let image = images[place?]?;
            places.iter().position(|&one| one == Some(image)).map(|atom| atom as u32)
        };
        let renaming = |images: &Vec<Option<usize>>| {
            // What is mapped to no proposition of the formula gets an atom that does not occur.
            Renaming::new((0..).zip(&places).map(|(atom, &place)| (atom, image(images, place).unwrap_or(count + atom))))
        };
        let exchanges = processes.exchanges.len();
        let renamings = self.images[..exchanges].iter().map(renaming).collect();
        let mut left = self.images[exchanges..].iter();
        let is_kept = |part: &&Part| {
            let own: Vec<_> = left.by_ref().take(part.generators().len()).collect();
            own.iter().all(|images| (0..).zip(&places).all(|(atom, &place)| image(images, place) == Some(atom)))
        };
        let others = processes.others.iter().filter(is_kept).cloned().collect();
        Alphabet { propositions, renamings, others }
    }
}
