//! Shapes: symbolic markings without the sizes of their large dynamic subclasses.
//!
//! Two symbolic markings have the same *shape* if they differ only in the sizes of dynamic subclasses that are *free*: at least
//! as large as their threshold. A shape is written as a symbolic marking in which all of these have one and the same size,
//! [`MANY`]. It is canonical as any other; what is left of the symmetry is an exchange of free subclasses that leaves the shape
//! alone, for which see `exchange`.

use super::super::canonical::canonise;
use super::super::entries::{Entries, items, normalise};
use super::super::{Marking, SymbolicNet};
use super::Refusal;
use super::exchange::Exchange;
use mandala_diagram::Diagram;
use mandala_group::UBig;

/// The size of a free dynamic subclass as a shape is written. Real sizes that are told apart are less than half of it.
pub(super) const MANY: u32 = 1 << 24;

/// Free subclasses that a shape may have: sums of their sizes are numbers still.
const MOST_FREE: usize = 100;

/// A number that depends on the sizes of free subclasses: their sum, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Form {
    /// Which of the free subclasses.
    pub free: Vec<u32>,
    pub constant: i64,
}

/// A free subclass has a size in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Condition {
    pub free: u32,
    pub low: i64,
    pub high: i64,
}

/// One way in which sizes can be: a shape, with what the sizes of its free subclasses are.
pub(super) struct Case {
    pub conditions: Vec<Condition>,
    pub marking: Marking,
    pub sizes: Vec<Form>,
    pub symmetries: UBig,
}

/// All symbolic markings of one shape.
pub(super) struct Shape {
    /// The shape, as a marking.
    pub marking: Marking,
    /// The number of permutations of its dynamic subclasses that leave it alone.
    pub symmetries: UBig,
    pub layout: Layout,
    /// What of these permutations concerns free subclasses.
    pub exchange: Exchange,
    /// The sizes of free subclasses that were found, and whose firings are known.
    pub sizes: Diagram,
    /// Those whose firings are not known yet.
    pub pending: Diagram,
}

/// How the sizes of the free subclasses of a shape are kept: all but one of each static subclass, where that one follows from
/// the others.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// By free subclass: its dynamic subclass, and its static one.
    pub free: Vec<(u32, u32)>,
    /// The free subclasses whose sizes are kept.
    pub stored: Vec<u32>,
    /// By free subclass: where it is kept.
    pub position: Vec<Option<u32>>,
    /// By static subclass: how many colours its free subclasses have together.
    pub total: Vec<i64>,
}

/// Where the size of a free subclass comes from, when its shape is first seen: from which sizes of the shape before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    /// From the one that follows from the others there.
    follows: bool,
    /// From one that is kept there: the last of these.
    position: Option<u32>,
}

impl Layout {
    /// The layout of a shape. A free subclass that can be exchanged with another is kept.
    ///
    /// Sizes go from shape to shape in whole ranges as long as what follows from the others, and the order of what is kept, stay
    /// the same. So both are taken over from the shape before.
    pub fn new(symbolic: &SymbolicNet<'_>, marking: &Marking, exchange: &Exchange, origins: &[Origin]) -> Layout {
        let mut total: Vec<i64> = symbolic.palette.cells.iter().map(|cell| i64::from(cell.size)).collect();
        let mut free = Vec::new();
        for (atom, &(cell, size)) in (0..).zip(&marking.atoms) {
            if size == MANY {
                free.push((atom, cell));
            } else {
                total[cell as usize] -= i64::from(size);
            }
        }
        let origin = |index: u32| origins.get(index as usize).copied().unwrap_or_default();
        let mut order: Vec<u32> = (0..free.len() as u32).collect();
        // Those that follow in the shape before come first here; of each static subclass one that stays where it is follows.
        order.sort_by_key(|&index| !origin(index).follows);
        let mut follows = vec![false; symbolic.palette.cells.len()];
        let is_kept = |&index: &u32| {
            exchange.moves(index) || std::mem::replace(&mut follows[free[index as usize].1 as usize], true)
        };
        let mut stored: Vec<u32> = order.into_iter().filter(is_kept).collect();
        // What is new comes first: the last one has ranges, and goes on having them.
        stored.sort_by_key(|&index| (origin(index).position, index));
        let mut position = vec![None; free.len()];
        (0..).zip(&stored).for_each(|(at, &index)| position[index as usize] = Some(at));
        Layout { free, stored, position, total }
    }

    /// Where sizes come from that are given by forms of sizes here.
    pub fn origins(&self, forms: &[Form]) -> Vec<Origin> {
        let origin = |form: &Form| Origin {
            follows: form.free.iter().any(|&free| self.position[free as usize].is_none()),
            position: form.free.iter().filter_map(|&free| self.position[free as usize]).max(),
        };
        forms.iter().map(origin).collect()
    }

    /// Where the sizes of the other free subclasses of the same static subclass are kept.
    pub fn beside(&self, free: u32) -> impl Iterator<Item = u32> + '_ {
        let cell = self.free[free as usize].1;
        (0..).zip(&self.stored).filter(move |(_, stored)| self.free[**stored as usize].1 == cell).map(|one| one.0)
    }
}

/// What a group of parts of dynamic subclasses becomes in some cases.
#[derive(Clone, Copy, Debug)]
enum Size {
    Exact(u32),
    Free,
}

/// The shapes of merged markings whose sizes are given by forms: one case for each shape that there can be.
pub(super) fn cases(
    symbolic: &SymbolicNet<'_>, thresholds: &[Option<u32>], merged: &[(u32, u32)], forms: &[Form], entries: &Entries,
) -> Result<Vec<Case>, Refusal> {
    // By dynamic subclass: the ways in which its size can be.
    let mut ways: Vec<Vec<(Size, Option<Condition>)>> = Vec::with_capacity(merged.len());
    for (&(cell, size), form) in merged.iter().zip(forms) {
        let exact = |size: i64| u32::try_from(size).ok().filter(|&size| size > 0).map(Size::Exact);
        let Some(threshold) = thresholds[cell as usize] else {
            ways.push(vec![(Size::Exact(size), None)]);
            continue;
        };
        let threshold = i64::from(threshold);
        let least = form.constant + threshold * form.free.len() as i64;
        ways.push(match form.free.as_slice() {
            _ if least >= threshold => vec![(Size::Free, None)],
            [] => vec![(exact(form.constant).ok_or(Refusal::Sizes)?, None)],
            &[free] => {
                let (low, high) = (threshold - form.constant, i64::MAX);
                let mut found = vec![(Size::Free, Some(Condition { free, low, high }))];
                for size in least..threshold {
                    let at = size - form.constant;
                    let condition = Condition { free, low: at, high: at };
                    found.push((exact(size).ok_or(Refusal::Sizes)?, Some(condition)));
                }
                found
            }
            _ => return Err(Refusal::Sizes),
        });
    }
    let mut found = Vec::new();
    let mut choice = vec![0; ways.len()];
    loop {
        let chosen: Vec<(Size, Option<Condition>)> = ways.iter().zip(&choice).map(|(ways, &at)| ways[at]).collect();
        found.push(case(symbolic, merged, forms, entries, &chosen)?);
        let Some(next) = (0..ways.len()).find(|&at| choice[at] + 1 < ways[at].len()) else { return Ok(found) };
        choice[..next].fill(0);
        choice[next] += 1;
    }
}

fn case(
    symbolic: &SymbolicNet<'_>, merged: &[(u32, u32)], forms: &[Form], entries: &Entries,
    chosen: &[(Size, Option<Condition>)],
) -> Result<Case, Refusal> {
    let atoms: Vec<(u32, u32)> = merged
        .iter()
        .zip(chosen)
        .map(|(&(cell, _), (size, _))| match size {
            Size::Exact(size) => (cell, *size),
            Size::Free => (cell, MANY),
        })
        .collect();
    let entries = resized(symbolic, merged, &atoms, entries)?;
    let canonical = canonise(&symbolic.palette, &symbolic.turned, &atoms, &entries);
    let entries = canonical.apply(&symbolic.palette, &entries);
    let (mut ordered, mut source) = (vec![(0, 0); atoms.len()], vec![0; atoms.len()]);
    for (from, (&to, &atom)) in canonical.place_of.iter().zip(&atoms).enumerate() {
        ordered[to as usize] = atom;
        source[to as usize] = from;
    }
    let free = ordered.iter().zip(&source).filter(|(atom, _)| atom.1 == MANY);
    let sizes: Vec<Form> = free.map(|(_, &from)| forms[from].clone()).collect();
    if sizes.len() > MOST_FREE {
        return Err(Refusal::TooManyFree(MOST_FREE));
    }
    let conditions = chosen.iter().filter_map(|one| one.1).collect();
    Ok(Case { conditions, marking: Marking { atoms: ordered, entries }, sizes, symmetries: canonical.symmetries })
}

/// The tokens with other sizes of dynamic subclasses. What bags hold of a subclass whose size changes they must hold wholly.
pub(super) fn resized(
    symbolic: &SymbolicNet<'_>, before: &[(u32, u32)], after: &[(u32, u32)], entries: &Entries,
) -> Result<Entries, Refusal> {
    let first = symbolic.palette.fixed_count();
    let mut result = Entries::default();
    let (mut key, mut scratch) = (Vec::new(), Vec::new());
    for (entry, words) in entries.iter() {
        let shape = &symbolic.palette.places[entry.place as usize];
        key.clear();
        key.extend_from_slice(words);
        if !shape.bags.is_empty() {
            for item in key.chunks_exact_mut(shape.stride).filter(|item| item[1] == 0) {
                let Some(at) = item[0].checked_sub(first) else { continue };
                let (size, to) = (before[at as usize].1, after[at as usize].1);
                if size == to && to != MANY {
                    continue;
                }
                let named = items(shape, words).filter(|one| one.atom() == item[0] && one.components() != 0).count();
                if item[2] + named as u32 != size {
                    let place = symbolic.net.places[entry.place as usize].name.clone();
                    return Err(Refusal::Parts { place });
                }
                item[2] = to.checked_sub(named as u32).ok_or(Refusal::Sizes)?;
            }
            normalise(shape, &mut key, &mut scratch);
        }
        result.push(entry.place, &key, entry.count);
    }
    result.sort();
    Ok(result)
}
