//! Symmetries that a model declares: whether they are some, and the group of them.
//!
//! What is declared is a promise, and is verified before it is used. All symmetries that can be found are found, and what
//! is declared is among them; it is of use where the search did not come to its end, and where somebody wants no others.
//! Of a declared group, those symmetries are used that leave alone what is asked.

use mandala_analysis::symmetry::shape::{rotation, swap};
use mandala_analysis::symmetry::{
    Broken, PATIENCE, Part, Points, Preserved, Shape, SymmetryGroup, Unknown, check, verified,
};
use mandala_group::{Group, Orbits, Permutation, UBig};
use mandala_model::flatten::declared_symmetries;
use mandala_model::property::Question;
use mandala_model::semantics::Semantics;
use mandala_model::symmetry::{DeclaredGroup, DeclaredSymmetry};
use mandala_model::system::System;

/// By which symmetries a quotient is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// All that are found; with those that are declared if there may be more.
    #[default]
    Found,
    /// Those that are declared, and no others.
    Declared,
}

/// What symmetries are to leave alone, besides what can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The initial states.
    pub initial: bool,
    /// What is asked.
    pub questions: bool,
}

/// What is known of a declared symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verified {
    /// It is one.
    Yes,
    /// It would change this.
    No(Broken),
    /// The model is too large to tell.
    Unknown,
}

/// The most exchanges of blocks, or symmetries of a small group, that are tried one by one.
const MOST_TRIED: usize = 5_000;

/// The symmetries that the main type declares, by name, and whether they are some.
pub fn verify(system: &System) -> Vec<(String, Verified)> {
    let Ok(declared) = declared_symmetries(system) else { return Vec::new() };
    let generators: Vec<Vec<Permutation>> = declared.iter().map(generators).collect();
    let all: Vec<Permutation> = generators.iter().flatten().cloned().collect();
    if declared.is_empty() {
        return Vec::new();
    }
    let mut checked = match check(system, &Preserved::default(), &all) {
        Ok(checked) => checked.into_iter(),
        Err(Unknown::TooLarge | Unknown::Circular | Unknown::Queues) => {
            return declared.into_iter().map(|one| (one.name, Verified::Unknown)).collect();
        }
    };
    let mut verified = Vec::with_capacity(declared.len());
    for (one, own) in declared.into_iter().zip(&generators) {
        let own: Vec<Result<(), Broken>> = checked.by_ref().take(own.len()).collect();
        let broken = own.into_iter().find_map(Result::err);
        verified.push((one.name, broken.map_or(Verified::Yes, Verified::No)));
    }
    verified
}

/// The symmetries of a system from some source that leave alone what they are to leave alone. Nothing if there are none but
/// the identity.
pub fn known(system: &System, source: Source, kept: Kept, questions: &[&Question]) -> Option<SymmetryGroup> {
    known_within(system, source, kept, questions, PATIENCE)
}

/// The symmetries of a composite that was made flat: those that are seen on it as it is written, or those that are seen on the
/// flat system, if these are more. Questions are given as they were asked, and about the flat system.
pub fn known_of_both(
    written: (&System, &[&Question]), flat: Option<(&System, &[&Question])>, source: Source, kept: Kept,
) -> Option<SymmetryGroup> {
    let on_written = known(written.0, source, kept, written.1);
    // What is declared is declared of both.
    let on_flat = match (flat, source) {
        (Some((system, questions)), Source::Found) => known(system, source, kept, questions),
        _ => None,
    };
    match (on_written, on_flat) {
        (Some(written), Some(flat)) if flat.order > written.order => Some(flat),
        (written, flat) => written.or(flat),
    }
}

/// [`known`], with so many operations to find them.
fn known_within(
    system: &System, source: Source, kept: Kept, questions: &[&Question], patience: u64,
) -> Option<SymmetryGroup> {
    let preserved = Preserved { initial: kept.initial, questions: if kept.questions { questions } else { &[] } };
    let found = match source {
        Source::Found => SymmetryGroup::find_within(system, &preserved, patience),
        Source::Declared => None,
    };
    // What is declared says nothing of values.
    if found.as_ref().is_some_and(|found| found.is_complete || found.points.have_values()) {
        return found;
    }
    let declared = declared_symmetries(system).unwrap_or_default();
    let mut generators = found.as_ref().map_or(Vec::new(), |found| found.shape.generators());
    let before = generators.len();
    for one in &declared {
        generators.extend(subgroup(system, &preserved, one).unwrap_or_default());
    }
    if generators.len() == before {
        return found;
    }
    of_generators(system, &preserved, generators, source == Source::Declared)
}

/// The group of some symmetries, each of which is checked.
fn of_generators(
    system: &System, preserved: &Preserved<'_>, mut generators: Vec<Permutation>, is_all: bool,
) -> Option<SymmetryGroup> {
    let mut checked = check(system, preserved, &generators).ok()?.into_iter();
    generators.retain(|_| checked.next().is_some_and(|checked| checked.is_ok()));
    if generators.is_empty() {
        return None;
    }
    let names = Semantics::new(system).ok()?.variables();
    let points = Points::of_variables(names.len());
    let mut shape = verified(system, preserved, &points, Shape::from_generators(&generators, PATIENCE), &generators)?;
    let order = Group::new(&generators, PATIENCE).map(|group| group.order());
    shape.is_whole = order.is_some() && shape.order(PATIENCE) == order;
    Some(SymmetryGroup {
        shape,
        points,
        names,
        is_complete: is_all && order.is_some(),
        order: order.unwrap_or(UBig::ONE),
        keeps_initial: preserved.initial,
        twins: 0,
    })
}

/// The group of what a system declares that was made from another model, by somebody who knows from that model that these are
/// symmetries: they are not checked on the system. They leave the initial states alone, and no question was asked.
pub(crate) fn by_construction(system: &System) -> Option<SymmetryGroup> {
    let declared = declared_symmetries(system).ok()?;
    let generators: Vec<Permutation> = declared.iter().flat_map(generators).collect();
    let names = Semantics::new(system).ok()?.variables();
    let group = Group::new(&generators, PATIENCE).filter(|group| !group.is_trivial())?;
    let mut shape = Shape::from_generators(&generators, PATIENCE);
    // What is recognised in them may be no more than what they generate.
    if !shape.generators().iter().all(|one| group.contains(one)) {
        shape.parts = vec![Part::Other { generators }];
    }
    shape.is_whole = shape.order(PATIENCE) == Some(group.order());
    Some(SymmetryGroup {
        shape,
        points: Points::of_variables(names.len()),
        names,
        is_complete: true,
        order: group.order(),
        keeps_initial: true,
        twins: 0,
    })
}

fn generators(declared: &DeclaredSymmetry) -> Vec<Permutation> {
    declared.generators().iter().filter_map(|cycles| Permutation::from_cycles(cycles)).collect()
}

/// Generators of those symmetries of a declared group that leave alone what is to be left alone: of interchangeable blocks
/// those that may still change places, of a ring the shortest turn. Nothing if the model is too large to tell.
fn subgroup(system: &System, preserved: &Preserved<'_>, declared: &DeclaredSymmetry) -> Option<Vec<Permutation>> {
    let checked = |all: &[Permutation]| -> Option<Vec<bool>> {
        Some(check(system, preserved, all).ok()?.iter().map(Result::is_ok).collect())
    };
    let mut generators = generators(declared);
    let is_kept = checked(&generators)?;
    if is_kept.iter().all(|&is_kept| is_kept) {
        return Some(generators);
    }
    let candidates = match &declared.group {
        DeclaredGroup::Interchangeable(blocks) => {
            let count = blocks.len();
            if count.saturating_mul(count) / 2 <= MOST_TRIED {
                let pairs: Vec<(usize, usize)> =
                    (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))).collect();
                let swaps: Vec<Permutation> =
                    pairs.iter().map(|&(one, other)| swap(&blocks[one], &blocks[other])).collect();
                let is_kept = checked(&swaps)?;
                let mut alike = Orbits::new(count);
                let kept = pairs.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept);
                kept.for_each(|(&(one, other), _)| alike.unite(one as u32, other as u32));
                let neighbours = |group: Vec<u32>| {
                    let pairs = group.windows(2).map(|pair| swap(&blocks[pair[0] as usize], &blocks[pair[1] as usize]));
                    pairs.collect::<Vec<_>>()
                };
                return Some(alike.large().into_iter().flat_map(neighbours).collect());
            }
            Vec::new()
        }
        DeclaredGroup::Ring(blocks) => {
            let turn = rotation(blocks);
            let divisors = (2..blocks.len()).filter(|step| blocks.len().is_multiple_of(*step));
            let turns: Vec<Permutation> = divisors.map(|steps| power(&turn, steps)).collect();
            let is_kept = checked(&turns)?;
            return Some(
                turns.into_iter().zip(is_kept).find(|(_, is_kept)| *is_kept).map(|(one, _)| one).into_iter().collect(),
            );
        }
        DeclaredGroup::Generated(_) => {
            let group = Group::new(&generators, PATIENCE);
            group.and_then(|group| group.elements(MOST_TRIED)).unwrap_or_default()
        }
    };
    if candidates.is_empty() {
        let mut kept = is_kept.iter();
        generators.retain(|_| kept.next().copied().unwrap_or(false));
        return Some(generators);
    }
    let is_kept = checked(&candidates)?;
    let all: Vec<Permutation> = candidates
        .into_iter()
        .zip(is_kept)
        .filter(|(one, is_kept)| *is_kept && !one.is_identity())
        .map(|(one, _)| one)
        .collect();
    Some(few(all))
}

/// Some of these permutations that generate all of them.
fn few(all: Vec<Permutation>) -> Vec<Permutation> {
    let mut chosen: Vec<Permutation> = Vec::new();
    let mut group: Option<Group> = None;
    for one in all {
        if group.as_ref().is_some_and(|group| group.contains(&one)) {
            continue;
        }
        chosen.push(one);
        group = Group::new(&chosen, PATIENCE);
    }
    chosen
}

/// A permutation so many times.
fn power(permutation: &Permutation, times: usize) -> Permutation {
    let (mut result, mut square, mut times) = (Permutation::identity(), permutation.clone(), times);
    while times > 0 {
        if times % 2 == 1 {
            result = result.then(&square);
        }
        square = square.then(&square);
        times /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::gal;
    use mandala_model::system::System;

    /// Cells in a row or a circle, each of which is full or empty, and what is declared of them.
    fn cells(transition: &str, symmetry: &str) -> System {
        let text = format!(
            "typedef cell = 0..5; gal Cells {{ array [6] at = (0, 0, 0, 0, 0, 0); {transition} {symmetry} }} main Cells;"
        );
        gal::read("cells.gal", &text, &[]).unwrap().system
    }

    const FLIP: &str = "transition flip (cell $c) { at[$c] = 1 - at[$c]; }";
    const BOTH: Kept = Kept { initial: true, questions: true };

    fn asked(system: &System, formula: &str) -> Question {
        gal::formula(system, formula).unwrap().question
    }

    #[test]
    fn declared_groups_shrink_to_what_is_asked() {
        let all = cells(FLIP, "symmetry all interchangeable { for ($c : cell) { (at[$c]); } }");
        let ring = cells(FLIP, "symmetry turns ring { for ($c : cell) { (at[$c]); } }");
        let turn = cells(FLIP, "symmetry turns generated { (at[0], at[1], at[2], at[3], at[4], at[5]); }");
        let order = |system: &System, formula: &str| {
            let question = asked(system, formula);
            known(system, Source::Declared, BOTH, &[&question]).map_or(1, |known| u64::try_from(known.order).unwrap())
        };
        let expected = [
            ("at[0] + at[1] + at[2] + at[3] + at[4] + at[5] <= 6", [720, 6, 6]),
            ("at[2] <= 1", [120, 1, 1]),
            ("at[0] + at[2] + at[4] <= 3", [36, 3, 3]),
            ("at[1] + at[4] <= 2", [48, 2, 2]),
        ];
        for (formula, orders) in expected {
            assert_eq!([&all, &ring, &turn].map(|system| order(system, formula)), orders, "{formula}");
        }
    }

    #[test]
    fn what_is_found_is_used_if_it_is_all() {
        let ring = cells(FLIP, "symmetry turns ring { for ($c : cell) { (at[$c]); } }");
        let order = |source, patience| {
            let known = known_within(&ring, source, BOTH, &[], patience).unwrap();
            (u64::try_from(known.order).unwrap(), known.is_complete)
        };
        assert_eq!(order(Source::Found, PATIENCE), (720, true));
        assert_eq!(order(Source::Declared, PATIENCE), (6, true));
        // Without any patience nothing is found, and what is declared is better than nothing.
        assert_eq!(order(Source::Found, 0), (6, false));
    }

    #[test]
    fn what_is_none_is_said() {
        let first =
            cells("transition flip { at[0] = 1 - at[0]; }", "symmetry turns ring { for ($c : cell) { (at[$c]); } }");
        assert_eq!(verify(&first), [("turns".to_owned(), Verified::No(Broken::Event("flip".to_owned())))]);
        assert!(known(&first, Source::Declared, BOTH, &[]).is_none());
        let all = cells(FLIP, "symmetry turns ring { for ($c : cell) { (at[$c]); } }");
        assert_eq!(verify(&all), [("turns".to_owned(), Verified::Yes)]);
    }
}
