//! Which bags a variable can be bound to in a marking: how often the colours of each atom, and how much at most.

use super::Prepared;
use super::entries::{Entries, items};
use super::palette::Atom;
use super::scene::{AtomBag, Scene, combine};
use mandala_model::coloured::bounds::{Held, Occurrence, certain_variables};
use mandala_model::coloured::{BagExpression, Cardinality, Guard, Sort};
use mandala_model::expression::Comparison;
use mandala_model::semantics::Cause;

/// Bindings of a transition that are begun in one marking at most.
pub(super) const MOST_BINDINGS: usize = 4_000_000;

/// Of some atoms, so many colours so often each.
pub(super) type Choice = Vec<(Atom, u32, u32)>;

/// An upper bound of the bags that a variable, or an expression, can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bound {
    /// How often each colour of each atom is there at most, if that is known.
    each: Option<AtomBag>,
    /// How much is there at most, if that is known.
    most: Option<u64>,
}

impl Bound {
    fn within(scene: &Scene<'_>, bag: AtomBag) -> Bound {
        Bound { most: Some(cardinality(scene, &bag)), each: Some(bag) }
    }

    fn of_size(most: u64) -> Bound {
        Bound { each: None, most: Some(most) }
    }

    /// What both allow.
    fn meet(&mut self, scene: &Scene<'_>, other: &Bound) {
        match (&mut self.each, &other.each) {
            (Some(each), Some(other)) => {
                *each = combine(each, other, |one, other| Some(one.min(other))).unwrap_or_default();
            }
            (each @ None, Some(other)) => *each = Some(other.clone()),
            (_, None) => {}
        }
        let size = self.each.as_ref().map(|each| cardinality(scene, each));
        self.most = [self.most, other.most, size].into_iter().flatten().min();
    }

    /// What one of them allows.
    fn join(&self, other: &Bound) -> Bound {
        let both = self.each.as_ref().zip(other.each.as_ref());
        Bound {
            each: both.and_then(|(one, other)| combine(one, other, |one, other| Some(one.max(other))).ok()),
            most: self.most.zip(other.most).map(|(one, other)| one.max(other)),
        }
    }
}

fn cardinality(scene: &Scene<'_>, bag: &[(Atom, u32)]) -> u64 {
    bag.iter()
        .fold(0, |sum, &(atom, times)| sum.saturating_add(u64::from(times).saturating_mul(u64::from(scene.size(atom)))))
}

/// What a variable for bags can be bound to.
pub(super) fn choices(
    scene: &Scene<'_>, prepared: &Prepared<'_>, marking: &Entries, variable: usize,
) -> Result<Vec<Choice>, Cause> {
    let of = &prepared.transition.variables[variable];
    let whole = |one: &&Occurrence| one.variable as usize == variable && one.held == Held::Whole;
    let mut found = match prepared.occurrences.iter().find(whole) {
        Some(occurrence) => components(scene, occurrence, marking)?,
        None => {
            let bound = bounds(scene, prepared, Some(marking)).swap_remove(variable);
            within(scene, &bound, of.sort)?
        }
    };
    found.retain(|choice| !of.unique || choice.iter().all(|&(_, times, _)| times == 1));
    Ok(found)
}

/// The first variable that nothing bounds, in any marking.
pub(super) fn unbounded(scene: &Scene<'_>, prepared: &Prepared<'_>) -> Option<usize> {
    let bounds = bounds(scene, prepared, None);
    let is_bag = |variable: &usize| matches!(prepared.transition.variables[*variable].sort, Sort::Bag(_));
    (0..bounds.len()).filter(is_bag).find(|&variable| bounds[variable].most.is_none())
}

/// How much a bag that a variable is bound to has at most, whatever the marking: what the guard alone says.
pub(super) fn most_by_guard(scene: &Scene<'_>, prepared: &Prepared<'_>, variable: usize) -> Option<u64> {
    let mut bounds = vec![Bound::default(); prepared.transition.variables.len()];
    for _ in 0..=bounds.len() {
        let before = bounds.clone();
        refine(scene, &prepared.transition.guard, true, &mut bounds);
        if bounds == before {
            break;
        }
    }
    bounds[variable].most
}

fn bounds(scene: &Scene<'_>, prepared: &Prepared<'_>, marking: Option<&Entries>) -> Vec<Bound> {
    let transition = prepared.transition;
    let mut bounds: Vec<Bound> = scene
        .bags
        .iter()
        .map(|bag| bag.as_ref().map_or_else(Bound::default, |bag| Bound::within(scene, bag.clone())))
        .collect();
    for occurrence in &prepared.occurrences {
        let taken = marking.map(|marking| greatest(scene, occurrence, marking)).unwrap_or_default();
        bounds[occurrence.variable as usize].meet(scene, &Bound::within(scene, taken));
    }
    let is_bag = |variable: &usize| matches!(transition.variables[*variable].sort, Sort::Bag(_));
    let bags: Vec<usize> = (0..transition.variables.len()).filter(is_bag).collect();
    // One variable may be bounded by another: what is known of one in one round counts in the next.
    for _ in 0..=bags.len() {
        let before = bounds.clone();
        refine(scene, &transition.guard, true, &mut bounds);
        for &variable in bags.iter().filter(|&&variable| transition.variables[variable].unique) {
            let once: AtomBag = match &bounds[variable].each {
                Some(each) => each.iter().map(|&(atom, _)| (atom, 1)).collect(),
                None => scene.atoms_of(transition.variables[variable].sort.class()).map(|atom| (atom, 1)).collect(),
            };
            bounds[variable].meet(scene, &Bound::within(scene, once));
        }
        if bounds == before {
            break;
        }
    }
    bounds
}

/// What bags that are taken there are within.
fn greatest(scene: &Scene<'_>, occurrence: &Occurrence, marking: &Entries) -> AtomBag {
    let shape = &scene.palette.places[occurrence.place as usize];
    let bag = shape.bags.iter().position(|(component, _)| *component == occurrence.component);
    let bit = 1_u32 << occurrence.component;
    let mut most: Vec<(Atom, u32)> = Vec::new();
    for entry in marking.of_place(occurrence.place) {
        for item in items(shape, marking.key(entry)) {
            let times = match bag {
                Some(bag) => item.in_bags()[bag],
                None if item.components() & bit != 0 => entry.count,
                None => 0,
            };
            if times > 0 {
                most.push((item.atom(), times));
            }
        }
    }
    most.sort_unstable();
    let often = |parent: Atom| {
        let end = most.partition_point(|one| one.0 <= parent);
        end.checked_sub(1).map(|at| most[at]).filter(|one| one.0 == parent).map_or(0, |one| one.1)
    };
    let Some(class) =
        shape.bags.get(bag.unwrap_or(usize::MAX)).map(|one| one.1).or(shape.colours[occurrence.component])
    else {
        return AtomBag::new();
    };
    scene.atoms_of(class).map(|atom| (atom, often(scene.parent(atom)))).filter(|one| one.1 > 0).collect()
}

/// The bags that are components there, in all ways in which their colours can be those of the atoms.
fn components(scene: &Scene<'_>, occurrence: &Occurrence, marking: &Entries) -> Result<Vec<Choice>, Cause> {
    let shape = &scene.palette.places[occurrence.place as usize];
    let Some(bag) = shape.bags.iter().position(|(component, _)| *component == occurrence.component) else {
        return Err(Cause::Malformed);
    };
    let atoms: Vec<Atom> = scene.atoms_of(shape.bags[bag].1).collect();
    let mut found: Vec<Choice> = Vec::new();
    for entry in marking.of_place(occurrence.place) {
        let mut held: Vec<(Atom, u32, u32)> = items(shape, marking.key(entry))
            .filter(|item| item.in_bags()[bag] > 0)
            .map(|item| (item.atom(), item.in_bags()[bag], item.colours()))
            .collect();
        held.sort_unstable();
        let mut ways: Vec<Choice> = vec![Vec::new()];
        for (parent, times, colours) in held {
            let among: Vec<Atom> = atoms.iter().copied().filter(|&atom| scene.parent(atom) == parent).collect();
            let mut longer = Vec::new();
            for way in &ways {
                distribute(scene, &among, times, colours, way.clone(), &mut longer)?;
            }
            ways = longer;
        }
        ways.iter_mut().for_each(merge);
        found.append(&mut ways);
        if found.len() > MOST_BINDINGS {
            return Err(Cause::TooManyBindings(MOST_BINDINGS));
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// One number for each atom and how often.
fn merge(choice: &mut Choice) {
    choice.sort_unstable();
    let mut merged: Choice = Vec::with_capacity(choice.len());
    for &(atom, times, colours) in choice.iter() {
        match merged.last_mut() {
            Some(last) if (last.0, last.1) == (atom, times) => last.2 += colours,
            _ => merged.push((atom, times, colours)),
        }
    }
    *choice = merged;
}

/// All ways to take so many colours from some atoms, beyond what was taken.
fn distribute(
    scene: &Scene<'_>, among: &[Atom], times: u32, colours: u32, way: Choice, found: &mut Vec<Choice>,
) -> Result<(), Cause> {
    let Some((&atom, rest)) = among.split_first() else {
        if colours == 0 {
            found.push(way);
        }
        return if found.len() > MOST_BINDINGS { Err(Cause::TooManyBindings(MOST_BINDINGS)) } else { Ok(()) };
    };
    let room = |atom: Atom| {
        let used: u32 = way.iter().filter(|one| one.0 == atom).map(|one| one.2).sum();
        scene.size(atom) - used
    };
    let later: u64 = rest.iter().map(|&atom| u64::from(room(atom))).sum();
    let least = u64::from(colours).saturating_sub(later) as u32;
    for here in least..=colours.min(room(atom)) {
        let mut longer = way.clone();
        if here > 0 {
            longer.push((atom, times, here));
        }
        distribute(scene, rest, times, colours - here, longer, found)?;
    }
    Ok(())
}

/// All bags within a bound.
fn within(scene: &Scene<'_>, bound: &Bound, sort: Sort) -> Result<Vec<Choice>, Cause> {
    let most = bound.most.ok_or(Cause::Malformed)?;
    let limit = u32::try_from(most).unwrap_or(u32::MAX);
    let caps: AtomBag = match &bound.each {
        Some(each) => each.iter().map(|&(atom, cap)| (atom, cap.min(limit))).collect(),
        None => scene.atoms_of(sort.class()).map(|atom| (atom, limit)).collect(),
    };
    if caps.iter().map(|one| u64::from(one.1)).fold(0, u64::saturating_add) > MOST_BINDINGS as u64 {
        return Err(Cause::TooManyBindings(MOST_BINDINGS));
    }
    // One digit for each atom and how often: how many colours. Counted up like a number, the first one fastest.
    let digits: Vec<(Atom, u32)> =
        caps.iter().flat_map(|&(atom, cap)| (1..=cap).map(move |times| (atom, times))).collect();
    let mut counts = vec![0_u32; digits.len()];
    let mut free: rustc_hash::FxHashMap<Atom, u32> = caps.iter().map(|&(atom, _)| (atom, scene.size(atom))).collect();
    let mut left = most;
    let mut found = Vec::new();
    loop {
        let chosen = digits.iter().zip(&counts).filter(|(_, count)| **count > 0);
        found.push(chosen.map(|(&(atom, times), &count)| (atom, times, count)).collect());
        if found.len() > MOST_BINDINGS {
            return Err(Cause::TooManyBindings(MOST_BINDINGS));
        }
        let mut digit = 0;
        loop {
            let Some(&(atom, times)) = digits.get(digit) else { return Ok(found) };
            let Some(free) = free.get_mut(&atom) else { return Err(Cause::Malformed) };
            if *free > 0 && u64::from(times) <= left {
                counts[digit] += 1;
                *free -= 1;
                left -= u64::from(times);
                break;
            }
            *free += counts[digit];
            left += u64::from(times) * u64::from(counts[digit]);
            counts[digit] = 0;
            digit += 1;
        }
    }
}

/// What a guard says about bags if it is true (or false, if that is what `holds` says).
fn refine(scene: &Scene<'_>, guard: &Guard, holds: bool, bounds: &mut Vec<Bound>) {
    match guard {
        Guard::Constant(_) | Guard::Compare(..) | Guard::Member(..) => {}
        Guard::Cardinality(comparison, left, right) => {
            let comparison = if holds { *comparison } else { comparison.negated() };
            at_most(scene, comparison, left, right, bounds);
            at_most(scene, comparison.mirrored(), right, left, bounds);
        }
        Guard::Included(part, whole) if holds => included(scene, part, whole, bounds),
        Guard::SameBag(left, right) if holds => {
            included(scene, left, right, bounds);
            included(scene, right, left, bounds);
        }
        Guard::Included(..) | Guard::SameBag(..) => {}
        Guard::Not(inner) => refine(scene, inner, !holds, bounds),
        Guard::And(parts) if holds => parts.iter().for_each(|part| refine(scene, part, true, bounds)),
        Guard::Or(parts) if !holds => parts.iter().for_each(|part| refine(scene, part, false, bounds)),
        Guard::And(parts) | Guard::Or(parts) => {
            let ways = parts.iter().map(|part| {
                let mut way = bounds.clone();
                refine(scene, part, holds, &mut way);
                way
            });
            let joined = ways.reduce(|one, other| one.iter().zip(&other).map(|(one, other)| one.join(other)).collect());
            if let Some(joined) = joined {
                *bounds = joined;
            }
        }
    }
}

/// What `left comparison right` says about the bags on the left.
fn at_most(scene: &Scene<'_>, comparison: Comparison, left: &Cardinality, right: &Cardinality, bounds: &mut [Bound]) {
    let Cardinality::Of(bag) = left else { return };
    let most = match right {
        Cardinality::Constant(number) => Some(*number),
        Cardinality::Of(other) => upper(scene, other, bounds).most,
    };
    let most = match comparison {
        Comparison::Less => most.map(|most| most.saturating_sub(1)),
        Comparison::LessOrEqual | Comparison::Equal => most,
        Comparison::NotEqual | Comparison::Greater | Comparison::GreaterOrEqual => None,
    };
    if let Some(most) = most {
        certain_variables(bag).for_each(|variable| bounds[variable as usize].meet(scene, &Bound::of_size(most)));
    }
}

/// What it says about the bags in one expression that another includes it.
fn included(scene: &Scene<'_>, part: &BagExpression, whole: &BagExpression, bounds: &mut [Bound]) {
    let bound = upper(scene, whole, bounds);
    certain_variables(part).for_each(|variable| bounds[variable as usize].meet(scene, &bound));
}

/// An upper bound of an expression.
fn upper(scene: &Scene<'_>, bag: &BagExpression, bounds: &[Bound]) -> Bound {
    match bag {
        BagExpression::One(_) => Bound::of_size(1),
        BagExpression::All(_) => scene.bag(bag).map_or_else(|_| Bound::default(), |bag| Bound::within(scene, bag)),
        BagExpression::Variable(variable) => bounds[*variable as usize].clone(),
        BagExpression::Sum(parts) => {
            let mut sum = Bound::within(scene, AtomBag::new());
            for part in parts {
                let part = upper(scene, part, bounds);
                sum.most = sum.most.zip(part.most).and_then(|(one, other)| one.checked_add(other));
                let both = sum.each.zip(part.each);
                sum.each = both.and_then(|(one, other)| combine(&one, &other, u32::checked_add).ok());
            }
            sum
        }
        BagExpression::Difference(from, _) => upper(scene, from, bounds),
        BagExpression::Times(factor, inner) => {
            let inner = upper(scene, inner, bounds);
            let times = |each: AtomBag| combine(&each, &[], |one, _| one.checked_mul(*factor)).ok();
            Bound {
                each: inner.each.and_then(times),
                most: inner.most.and_then(|most| most.checked_mul(u64::from(*factor))),
            }
        }
    }
}
