//! What a coloured net says about its unfolded net, found without looking at the unfolded net.
//!
//! # Colour invariants
//!
//! A *selection* `(p, s)` is a place with some of its components, of given classes: it looks at a token of `p` only at the
//! components `s`, and sees a tuple of colours there; one of a circular class perhaps some steps further on than it is (a
//! philosopher is seen as the fork to his left). For a list of classes, let `F` be a set of selections of these classes.
//! Suppose that for every transition `t` the formal sums (`formal`) of what it takes and of what it puts, looked at through
//! `F`, are the same. Then for every tuple `c` of colours of these classes the number `K(c)` of tokens that a selection of `F`
//! sees as `c` is the same in all reachable markings.
//!
//! *Proof.* A binding gives each symbol a bag of colours, a tuple of symbols the product of these bags, and a formal sum the
//! sum of these with their coefficients (integers, also negative ones). What an arc takes or puts under a binding, looked at
//! through a selection, is what its formal sum is worth under that binding:
//!
//! - Looked at through a selection, the product of the bags of all components is the product of the bags of the selected ones,
//!   as many times as the product of the others has members; and that is a number which no binding changes.
//! - A difference is translated only if what is taken out is there under every binding. Then nothing is cut off, and the
//!   difference of the bags is that of the integers.
//! - Steps in a circle shift every colour to another one, so a shifted selection sees a shifted variable, and all colours of
//!   the class as all of them. Other atoms are not shifted.
//! - Shifts add up: where all steps have a value, two steps forward and one back are one step forward. A binding under which
//!   one has none is not there. Where the guard says that a variable is equal to another or to a constant, every binding that
//!   is there gives both the same colour.
//!
//! So equal formal sums are equal bags under each binding, and firing `t` changes no `K(c)`. Guards, inhibitor arcs and
//! priorities only take firings away. ∎
//!
//! If `K(c) <= 1` in the initial marking, the unfolded places `p(token)` with `(p, s)` in `F` and `token[s] = c` never hold
//! more than one token together: they are a unit. With no classes at all, the units are those of colourless tokens, such as a
//! mutex together with all who may hold it; with one class, "each philosopher is in exactly one of these places".
//!
//! # How they are found
//!
//! The selections are the places of a small abstract net, and each transition and tuple of symbols is one of its transitions.
//! The sets `F` are its P-semiflows with weights 1.

mod formal;
pub mod partition;

use crate::structure::elimination::{Limits, eliminate};
use crate::structure::incidence::Incidence;
use formal::{Atoms, Component, Symbol, Translator, Tuple};
use mandala_model::coloured::unfold::Origins;
use mandala_model::coloured::{ClassOrder, ColouredNet, Sort};
use mandala_model::net::Net;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Selections have at most so many components.
const MOST_SELECTED: usize = 3;

/// How many operations the search for invariants of one list of classes may take.
const BUDGET: u64 = 1_000_000;

/// How many symbols the arcs of all transitions may be written with, for one list of classes.
const MOST_SYMBOLS: usize = 200_000;

/// How often a place may be in a group, on average.
const MOST_LISTED: usize = 32;

/// How often a place may be looked at, on average.
const MOST_LOOKED_AT: usize = 256;

/// A place, looked at through some of its components.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selection {
    /// The place.
    pub place: u32,
    /// The components, in the order of the classes of the invariant, each with how many steps further on it is seen.
    pub components: Vec<(u32, i64)>,
}

impl Selection {
    /// Whether it looks at a component.
    fn selects(&self, component: u32) -> bool {
        self.components.iter().any(|one| one.0 == component)
    }
}

/// Selections through which every tuple of colours is seen equally often in all reachable markings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColourInvariant {
    /// What a selection sees: a tuple of colours of these classes.
    pub classes: Vec<u32>,
    /// The selections.
    pub selections: Vec<Selection>,
}

/// The colour invariants of a net, those with few classes first. There may be more.
pub fn invariants(net: &ColouredNet) -> Vec<ColourInvariant> {
    let atoms = Atoms::of(net);
    let translated: Vec<Translated<'_>> =
        net.transitions.iter().map(|transition| Translated::new(net, &atoms, transition)).collect();
    let mut found = Vec::new();
    let steps = steps(net, &translated);
    for (classes, selections) in selections(net, &steps) {
        let mut incidence = Incidence { places: selections.len(), changes: Vec::new(), inexact: Vec::new() };
        incidence.inexact = selections.iter().map(|one| translated.iter().any(|t| t.gives_up(one.place))).collect();
        let mut room = MOST_SYMBOLS;
        let mut seen = FxHashSet::default();
        for transition in &translated {
            let mut changes: BTreeMap<Vec<Symbol>, Vec<(u32, i64)>> = BTreeMap::new();
            for (index, selection) in (0..).zip(&selections) {
                if incidence.inexact[index as usize] {
                    continue;
                }
                let Some(gain) = transition.gain(selection, &mut room) else {
                    incidence.inexact[index as usize] = true;
                    continue;
                };
                for (symbols, gain) in gain.into_iter().filter(|(_, gain)| *gain != 0) {
                    changes.entry(symbols).or_default().push((index, gain));
                }
            }
            incidence.changes.extend(changes.into_values().filter(|change| seen.insert(change.clone())));
        }
        let limits = Limits { budget: BUDGET, most_weight: 1, markings: Vec::new(), most_total: i64::MAX };
        for flow in eliminate(&incidence, &limits).flows {
            let chosen = flow.iter().map(|&(index, _)| selections[index as usize].clone()).collect();
            found.push(ColourInvariant { classes: classes.clone(), selections: chosen });
        }
    }
    found
}

/// All selections of a net, by their classes. Of selections of the same components of a place in different orders, all are
/// there only where an order makes a difference: for components of the same class.
fn selections(net: &ColouredNet, steps: &[Vec<i64>]) -> Vec<(Vec<u32>, Vec<Selection>)> {
    let mut all: BTreeMap<(usize, Vec<u32>), Vec<Selection>> = BTreeMap::new();
    for (place, one) in (0..).zip(&net.places) {
        let mut open = vec![(Vec::<u32>::new(), Vec::<(u32, i64)>::new())];
        while let Some((classes, components)) = open.pop() {
            if components.len() < MOST_SELECTED && one.domain.len() <= 16 {
                for (at, sort) in (0..).zip(&one.domain) {
                    let Sort::Colour(class) = *sort else { continue };
                    if components.iter().all(|one| one.0 != at) && classes.last().is_none_or(|&last| last <= class) {
                        let classes = classes.iter().copied().chain([class]).collect();
                        open.push((classes, components.iter().copied().chain([(at, 0)]).collect()));
                    }
                }
            }
            let same = all.entry((classes.len(), classes.clone())).or_default();
            if let ([class], [(at, _)]) = (&classes[..], &components[..]) {
                let shifted = steps[*class as usize].iter().map(|&steps| vec![(*at, steps)]);
                same.extend(shifted.map(|components| Selection { place, components }));
            }
            same.push(Selection { place, components });
        }
    }
    all.into_iter().map(|((_, classes), selections)| (classes, selections)).collect()
}

/// If the colours of a class that arcs name are in more ways some steps apart, selections do not shift them.
const MOST_STEPS: usize = 4;

/// By class, how many steps apart the colours are that arcs name, if the class is circular and these are few.
fn steps(net: &ColouredNet, translated: &[Translated<'_>]) -> Vec<Vec<i64>> {
    let mut named: Vec<BTreeSet<i64>> = vec![BTreeSet::from([0]); net.classes.len()];
    for (_, tuple) in translated.iter().flat_map(|one| one.arcs.values().flatten().flatten()) {
        for component in &tuple.components {
            let Component::Colour(class, sum) = component else { continue };
            named[*class as usize].extend(sum.keys().filter_map(|symbol| match symbol {
                Symbol::Variable(_, steps) => Some(*steps),
                Symbol::Atom(_) => None,
            }));
        }
    }
    let apart = net.classes.iter().zip(named).map(|(class, named)| {
        let length = i64::from(class.len());
        let pairs = named.iter().flat_map(|one| named.iter().map(move |other| one - other));
        let apart: BTreeSet<i64> = match class.order {
            ClassOrder::Circular if length > 1 && named.len() <= MOST_STEPS => {
                pairs.map(|steps| steps.rem_euclid(length)).filter(|&steps| steps != 0).collect()
            }
            _ => BTreeSet::new(),
        };
        if apart.len() <= MOST_STEPS { apart.into_iter().collect() } else { Vec::new() }
    });
    apart.collect()
}

/// By place, the tuples that are taken (times -1) and put; nothing where that cannot be said.
type Arcs<'a> = BTreeMap<u32, Option<Vec<(i64, Tuple<'a>)>>>;

/// A transition whose arcs are formal sums.
struct Translated<'a> {
    translator: Translator<'a>,
    arcs: Arcs<'a>,
}

impl<'a> Translated<'a> {
    fn new(
        net: &'a ColouredNet, atoms: &'a [Option<Atoms>], transition: &'a mandala_model::coloured::Transition,
    ) -> Translated<'a> {
        let translator = Translator::new(net, atoms, transition);
        let mut arcs = Arcs::new();
        let takes = transition.takes.iter().map(|arc| (-1, arc));
        for (sign, arc) in takes.chain(transition.puts.iter().map(|arc| (1, arc))) {
            let known = arcs.entry(arc.place).or_insert_with(|| Some(Vec::new()));
            match (known.as_mut(), translator.arc(arc)) {
                (Some(known), Some(tuples)) => known.extend(tuples.into_iter().map(|tuple| (sign, tuple))),
                _ => *known = None,
            }
        }
        Translated { translator, arcs }
    }

    /// Whether it cannot be said what it does to a place.
    fn gives_up(&self, place: u32) -> bool {
        self.arcs.get(&place).is_some_and(Option::is_none)
    }

    /// What it puts, less what it takes, looked at through a selection.
    fn gain(&self, selection: &Selection, room: &mut usize) -> Option<BTreeMap<Vec<Symbol>, i64>> {
        let mut gain = BTreeMap::new();
        let Some(tuples) = self.arcs.get(&selection.place) else { return Some(gain) };
        for (sign, tuple) in tuples.as_ref()? {
            let mut factor = tuple.times.checked_mul(*sign)?;
            for (_, component) in (0..).zip(&tuple.components).filter(|(at, _)| !selection.selects(*at)) {
                factor = factor.checked_mul(self.translator.cardinality(component)?)?;
            }
            let mut products: Vec<(Vec<Symbol>, i64)> = vec![(Vec::new(), factor)];
            for &(at, steps) in &selection.components {
                let Component::Colour(class, sum) = tuple.components.get(at as usize)? else { return None };
                let sum = self.translator.shifted(*class, sum, steps)?;
                *room = room.checked_sub(products.len().saturating_mul(sum.len()))?;
                let mut longer = Vec::with_capacity(products.len() * sum.len());
                for (symbols, times) in &products {
                    for (symbol, more) in &sum {
                        let symbols = symbols.iter().copied().chain([*symbol]).collect();
                        longer.push((symbols, times.checked_mul(*more)?));
                    }
                }
                products = longer;
            }
            for (symbols, times) in products {
                let sum = gain.entry(symbols).or_insert(0_i64);
                *sum = sum.checked_add(times)?;
            }
        }
        Some(gain)
    }
}

/// Groups of places of an unfolded net that never hold more than one token together, each of more than one place and each
/// once. They may overlap.
pub fn exclusive_places(net: &ColouredNet, unfolded: &Net, origins: &Origins) -> Vec<Vec<u32>> {
    let [initial] = &unfolded.initial[..] else { return Vec::new() };
    let [mut room, mut work] = [MOST_LISTED, MOST_LOOKED_AT].map(|times| unfolded.places.len().saturating_mul(times));
    let mut groups: BTreeSet<Vec<u32>> = BTreeSet::new();
    for invariant in invariants(net) {
        let sizes = invariant.selections.iter().map(|one| origins.unfolded(one.place).len());
        let Some(rest) = work.checked_sub(sizes.sum()) else { break };
        work = rest;
        let mut seen: FxHashMap<[u32; MOST_SELECTED], (i64, Vec<u32>)> = FxHashMap::default();
        for selection in &invariant.selections {
            for (place, token) in origins.unfolded(selection.place) {
                let mut colours = [0; MOST_SELECTED];
                let classes = invariant.classes.iter().map(|&class| &net.classes[class as usize]);
                for (colour, (class, &(at, steps))) in colours.iter_mut().zip(classes.zip(&selection.components)) {
                    // Only colours of circular classes are shifted, and there all have a value.
                    *colour = class.shift(token[at as usize], steps).unwrap_or(token[at as usize]);
                }
                let (tokens, places) = seen.entry(colours).or_default();
                *tokens += i64::from(initial.marking[place as usize]);
                places.push(place);
            }
        }
        for (tokens, mut places) in seen.into_values() {
            places.sort_unstable();
            if tokens <= 1 && places.len() > 1 && places.len() <= room {
                let size = places.len();
                room -= if groups.insert(places) { size } else { 0 };
            }
        }
    }
    groups.into_iter().collect()
}
