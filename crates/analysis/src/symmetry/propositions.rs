//! What becomes of propositions where a symmetry moves what they speak of.

use mandala_group::Permutation;
use mandala_model::property::{Formula, Question};
use mandala_model::system::System;
use rustc_hash::FxHashMap;

use super::behaviour::{Behaviour, Subject};
use super::check::Parents;
use super::terms::Term;
use super::{Points, Preserved, Unknown};

/// For each of some symmetries, and each of some formulas about one state, which of the formulas its image is: that holds
/// in the image of a state exactly if the formula holds in the state. Nothing for an image that is not among them.
pub fn images(
    system: &System, points: &Points, propositions: &[Formula], symmetries: &[Permutation],
) -> Result<Vec<Vec<Option<usize>>>, Unknown> {
    let questions: Vec<Question> = propositions.iter().cloned().map(Question::Invariant).collect();
    let questions: Vec<&Question> = questions.iter().collect();
    let preserved = Preserved { initial: false, questions: &questions };
    let behaviour = Behaviour::new(system, &preserved, &points.domains)?;
    let tops: Vec<Term> = behaviour.tops.iter().map(|&(_, top)| top).collect();
    let parents = Parents::new(&behaviour.terms, &tops);
    let mut own: Vec<Option<Term>> = vec![None; propositions.len()];
    for &(subject, top) in &behaviour.tops {
        if let Subject::Question(index) = subject {
            own[index] = Some(top);
        }
    }
    let mut by_term: FxHashMap<Term, usize> = FxHashMap::default();
    for (index, term) in own.iter().enumerate() {
        if let Some(term) = term {
            by_term.entry(*term).or_insert(index);
        }
    }
    let of = |symmetry: &Permutation| -> Vec<Option<usize>> {
        let Some(on_all) = points.on_all(&behaviour.terms, symmetry) else { return vec![None; own.len()] };
        let moved = behaviour.images(&parents, &on_all);
        let image = |(index, term): (usize, &Option<Term>)| match moved.get(&(*term)?) {
            None => Some(index),
            Some(image) => by_term.get(&(*image)?).copied(),
        };
        own.iter().enumerate().map(image).collect()
    };
    Ok(symmetries.iter().map(of).collect())
}
