//! What instances do together.

use super::error::{Failure, Work};
use super::{Cause, Combination, Prepared, PreparedComposite, Semantics, States, distinct};

/// What a sequence of labels does to the state of a composite: each is the choice of a synchronisation.
pub(super) fn call(
    semantics: &Semantics<'_>, prepared: &Prepared<'_>, composite: &PreparedComposite<'_>, labels: &[u32],
    local: &[i32], work: &mut Work,
) -> Result<States, Failure> {
    let choices: Vec<&[u32]> = labels.iter().map(|&label| prepared.labelled[label as usize].as_slice()).collect();
    let mut all = Vec::new();
    each_choice(&choices, work, &mut |chosen, work| {
        let combinations: Vec<&Vec<Combination>> =
            chosen.iter().map(|&&index| &composite.combinations[index as usize]).collect();
        all.append(&mut fire(semantics, composite, &combinations, local, work)?);
        limit(all.len())
    })?;
    Ok(distinct(all))
}

/// What synchronisations together do to the state of a composite, each by any of its combinations.
pub(super) fn fire(
    semantics: &Semantics<'_>, composite: &PreparedComposite<'_>, synchronisations: &[&Vec<Combination>],
    local: &[i32], work: &mut Work,
) -> Result<States, Failure> {
    if let [combinations] = synchronisations {
        let mut all = Vec::new();
        for combination in *combinations {
            all.append(&mut follow(semantics, composite, combination, local, work)?);
            limit(all.len())?;
        }
        return Ok(distinct(all));
    }
    let choices: Vec<&[Combination]> = synchronisations.iter().map(|combinations| combinations.as_slice()).collect();
    let mut all = Vec::new();
    each_choice(&choices, work, &mut |chosen, work| {
        all.append(&mut follow(semantics, composite, &together(chosen), local, work)?);
        limit(all.len())
    })?;
    Ok(distinct(all))
}

/// Visits each combination of one choice of each.
fn each_choice<'c, T>(
    choices: &[&'c [T]], work: &mut Work, visit: &mut impl FnMut(&[&'c T], &mut Work) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if choices.iter().any(|options| options.is_empty()) {
        return Ok(());
    }
    let mut digits = vec![0; choices.len()];
    loop {
        work.step()?;
        let chosen: Vec<&'c T> = choices.iter().zip(&digits).map(|(options, &digit)| &options[digit]).collect();
        visit(&chosen, work)?;
        let Some(position) = (0..digits.len()).rev().find(|&position| digits[position] + 1 < choices[position].len())
        else {
            return Ok(());
        };
        digits[position] += 1;
        digits[position + 1..].fill(0);
    }
}

/// The calls of several combinations, one after the other.
fn together(combinations: &[&Combination]) -> Combination {
    let mut all: std::collections::BTreeMap<u32, Vec<u32>> = Default::default();
    for (instance, labels) in combinations.iter().copied().flatten() {
        all.entry(*instance).or_default().extend(labels);
    }
    all.into_iter().collect()
}

/// Sends each instance the labels meant for it. An instance that does not allow them is stronger than an error in
/// another: the firing did not happen.
fn follow(
    semantics: &Semantics<'_>, composite: &PreparedComposite<'_>, combination: &Combination, local: &[i32],
    work: &mut Work,
) -> Result<States, Failure> {
    let mut parts = Vec::new();
    let mut failure = None;
    for (instance, labels) in combination {
        let type_index = composite.composite.instances[*instance as usize].type_index;
        let offset = composite.offsets[*instance as usize];
        let state = &local[offset..offset + semantics.types[type_index].size];
        match semantics.call(type_index, labels, state, work) {
            Ok(states) if states.is_empty() => return Ok(Vec::new()),
            Ok(states) => parts.push((offset, states)),
            Err(inner) => failure = failure.or(Some(inner.within(*instance))),
        }
    }
    match failure {
        Some(failure) => Err(failure),
        None => combine(local, &parts),
    }
}

/// The state with every combination of new parts in place of the old.
fn combine(local: &[i32], parts: &[(usize, States)]) -> Result<States, Failure> {
    let mut all = vec![local.to_vec()];
    for (offset, states) in parts {
        limit(all.len().saturating_mul(states.len()))?;
        let mut next = Vec::with_capacity(all.len() * states.len());
        for whole in all {
            for part in states {
                let mut changed = whole.clone();
                changed[*offset..*offset + part.len()].copy_from_slice(part);
                next.push(changed);
            }
        }
        all = next;
    }
    Ok(all)
}

fn limit(states: usize) -> Result<(), Failure> {
    if states > Work::MOST_STATES { Err(Cause::TooManyStates(Work::MOST_STATES).into()) } else { Ok(()) }
}
