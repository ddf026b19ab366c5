//! Symmetries of an unfolded net that the coloured net shows: colours that nothing tells apart may be exchanged.
//!
//! Colours of a class are told apart by a constant, by a subclass, by an order, and by the initial marking. Where none of these
//! does, exchanging two of them leaves the net as it is; where a circular class is used with successors alone, turning it does.
//! Like everything that a net declares, this is a promise for whoever uses it to check.

use super::Origins;
use crate::coloured::expression::{Guard, Term, Tokens};
use crate::coloured::value::{Bag, Value};
use crate::coloured::visit::Leaf;
use crate::coloured::{ClassOrder, ColouredNet, Sort};
use crate::expression::Comparison;
use crate::net::Net;
use crate::symmetry::{Cycles, DeclaredGroup, DeclaredSymmetry};
use crate::text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Beyond this many places that move, all exchanges together, nothing is declared.
const MOST_MOVED: usize = 2_000_000;

/// The symmetries of an unfolded net, one group per class.
pub fn symmetries(net: &ColouredNet, unfolded: &Net, origins: &Origins) -> Vec<DeclaredSymmetry> {
    let uses = Uses::of(net);
    let numbers = PlaceNumbers::new(net, origins);
    let marking = unfolded.initial.first().map_or(&[][..], |initial| &initial.marking);
    let mut found = Vec::new();
    let mut moved = 0;
    for class in 0..net.classes.len() {
        let mut generators = Vec::new();
        for map in uses.maps(net, class) {
            if moved > MOST_MOVED {
                return Vec::new();
            }
            if let Some(cycles) = numbers.cycles(class as u32, &map, marking) {
                moved += cycles.iter().map(Vec::len).sum::<usize>();
                generators.extend((!cycles.is_empty()).then_some(cycles));
            }
        }
        if !generators.is_empty() {
            let (name, group) = (net.classes[class].name.clone(), DeclaredGroup::Generated(generators));
            found.push(DeclaredSymmetry { name, group, span: Span::default() });
        }
    }
    found
}

/// Colours that go to another one, of one class.
type ColourMap = Vec<(u32, u32)>;

/// Which colours of a class may take each other's place, as far as transitions go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Alike {
    /// Those of the same cell, in any order. Each colour is in one of the cells.
    Within(Vec<Vec<u32>>),
    /// All of them, turned.
    Turned,
    /// None.
    Never,
}

/// What tells the colours of each class apart.
pub(crate) struct Uses {
    classes: Vec<ClassUse>,
}

#[derive(Clone, Default)]
struct ClassUse {
    /// Colours that are named.
    constants: Vec<u32>,
    /// Subclasses that are named.
    subclasses: Vec<u32>,
    is_compared: bool,
    is_shifted: bool,
}

impl Uses {
    /// What the transitions of a net tell apart, whatever the initial marking.
    pub(crate) fn of(net: &ColouredNet) -> Uses {
        let mut uses = Uses { classes: vec![ClassUse::default(); net.classes.len()] };
        for transition in &net.transitions {
            let sorts: Vec<Sort> = transition.variables.iter().map(|variable| variable.sort).collect();
            transition.guard.leaves(&mut |leaf| uses.leaf(leaf, &sorts));
            uses.orders(&transition.guard, &sorts);
            for arc in transition.takes.iter().chain(&transition.puts).chain(&transition.inhibitors) {
                arc.tokens.leaves(&mut |leaf| uses.leaf(leaf, &sorts));
                uses.orders_in_tokens(&arc.tokens, &sorts);
            }
        }
        uses
    }

    /// Permutations of the colours of a class that its uses allow: exchanges of neighbours, or one turn.
    fn maps(&self, net: &ColouredNet, class: usize) -> Vec<ColourMap> {
        let count = net.classes[class].len();
        match self.alike(net, class) {
            Alike::Within(cells) => {
                let pairs = cells.iter().flat_map(|cell| cell.windows(2));
                pairs.map(|pair| vec![(pair[0], pair[1]), (pair[1], pair[0])]).collect()
            }
            Alike::Turned if count > 1 => vec![(0..count).map(|colour| (colour, (colour + 1) % count)).collect()],
            Alike::Turned | Alike::Never => Vec::new(),
        }
    }

    /// Which colours of a class may take each other's place.
    pub(crate) fn alike(&self, net: &ColouredNet, class: usize) -> Alike {
        let (uses, declared) = (&self.classes[class], &net.classes[class]);
        if uses.is_compared {
            return Alike::Never;
        }
        if uses.is_shifted {
            let is_free = uses.constants.is_empty() && uses.subclasses.is_empty();
            return if declared.order == ClassOrder::Circular && is_free { Alike::Turned } else { Alike::Never };
        }
        let constants: FxHashSet<u32> = uses.constants.iter().copied().collect();
        let mut cells: FxHashMap<(Option<u32>, Vec<bool>), Vec<u32>> = FxHashMap::default();
        for colour in 0..declared.len() {
            let is_in = |&index: &u32| declared.subclasses[index as usize].contains(colour);
            let own = constants.contains(&colour).then_some(colour);
            cells.entry((own, uses.subclasses.iter().map(is_in).collect())).or_default().push(colour);
        }
        let mut cells: Vec<Vec<u32>> = cells.into_values().collect();
        cells.sort_unstable();
        Alike::Within(cells)
    }

    /// Takes note of the initial marking as well.
    pub(crate) fn see_initial(&mut self, net: &ColouredNet) {
        for place in &net.places {
            place.initial.leaves(&mut |leaf| self.leaf(leaf, &[]));
            self.orders_in_tokens(&place.initial, &[]);
        }
    }

    fn leaf(&mut self, leaf: Leaf<'_>, sorts: &[Sort]) {
        match leaf {
            Leaf::Term(term) => drop(self.term(term, sorts)),
            Leaf::Bag(_) => {}
            Leaf::Set(set) => {
                let uses = &mut self.classes[set.class as usize];
                if let Some(subclass) = set.subclass.filter(|one| !uses.subclasses.contains(one)) {
                    uses.subclasses.push(subclass);
                }
            }
        }
    }

    /// Takes note of a term: its class.
    fn term(&mut self, term: &Term, sorts: &[Sort]) -> u32 {
        match term {
            Term::Constant { class, colour } => {
                let constants = &mut self.classes[*class as usize].constants;
                if !constants.contains(colour) {
                    constants.push(*colour);
                }
                *class
            }
            Term::Variable(variable) => sorts[*variable as usize].class(),
            Term::Shift(inner, _) => {
                let class = self.term(inner, sorts);
                self.classes[class as usize].is_shifted = true;
                class
            }
        }
    }

    /// Takes note of comparisons by order.
    fn orders(&mut self, guard: &Guard, sorts: &[Sort]) {
        match guard {
            Guard::Compare(comparison, left, _) => {
                let class = self.term(left, sorts);
                let is_order = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
                self.classes[class as usize].is_compared |= is_order;
            }
            Guard::Not(inner) => self.orders(inner, sorts),
            Guard::And(parts) | Guard::Or(parts) => parts.iter().for_each(|part| self.orders(part, sorts)),
            Guard::Constant(_)
            | Guard::Member(..)
            | Guard::Cardinality(..)
            | Guard::Included(..)
            | Guard::SameBag(..) => {}
        }
    }

    fn orders_in_tokens(&mut self, tokens: &Tokens, sorts: &[Sort]) {
        match tokens {
            Tokens::Tuple(_) => {}
            Tokens::Sum(parts) => parts.iter().for_each(|part| self.orders_in_tokens(part, sorts)),
            Tokens::Difference(from, taken) => {
                self.orders_in_tokens(from, sorts);
                self.orders_in_tokens(taken, sorts);
            }
            Tokens::Times(_, inner) => self.orders_in_tokens(inner, sorts),
            Tokens::When(guard, inner) => {
                self.orders(guard, sorts);
                self.orders_in_tokens(inner, sorts);
            }
        }
    }
}

/// The unfolded place of each token.
struct PlaceNumbers<'a> {
    net: &'a ColouredNet,
    numbers: FxHashMap<(u32, Vec<Value>), u32>,
    /// The tokens with some colour of a class, by class and colour.
    with_colour: FxHashMap<(u32, u32), Vec<Held>>,
}

/// A token that a place can hold: unfolded place, coloured place, token.
type Held = (u32, u32, Vec<Value>);

impl<'a> PlaceNumbers<'a> {
    fn new(net: &'a ColouredNet, origins: &Origins) -> PlaceNumbers<'a> {
        let mut numbers = FxHashMap::default();
        let mut with_colour: FxHashMap<(u32, u32), Vec<Held>> = FxHashMap::default();
        for unfolded in 0.. {
            let Some((place, token)) = origins.token(unfolded) else { break };
            for (class, colour) in colours_of(&net.places[place as usize].domain, &token) {
                with_colour.entry((class, colour)).or_default().push((unfolded, place, token.clone()));
            }
            numbers.insert((place, token), unfolded);
        }
        PlaceNumbers { net, numbers, with_colour }
    }

    /// What a permutation of the colours of a class does to the unfolded places, as cycles; nothing if it leads to a token that
    /// no place can hold, or changes the initial marking.
    fn cycles(&self, class: u32, map: &ColourMap, marking: &[i32]) -> Option<Cycles> {
        let to: FxHashMap<u32, u32> = map.iter().copied().collect();
        let mut goes: FxHashMap<u32, u32> = FxHashMap::default();
        for (colour, _) in map {
            for (unfolded, place, token) in self.with_colour.get(&(class, *colour)).into_iter().flatten() {
                let domain = &self.net.places[*place as usize].domain;
                let target = *self.numbers.get(&(*place, mapped(domain, token, class, &to)))?;
                if marking.get(target as usize) != marking.get(*unfolded as usize) {
                    return None;
                }
                goes.insert(*unfolded, target);
            }
        }
        Some(cycles_of(goes))
    }
}

/// A permutation as cycles, given by where each goes that may move.
pub(crate) fn cycles_of(mut goes: FxHashMap<u32, u32>) -> Cycles {
    let mut starts: Vec<u32> = goes.keys().copied().collect();
    starts.sort_unstable();
    let mut cycles = Vec::new();
    for start in starts {
        let mut cycle = Vec::new();
        let mut at = start;
        while let Some(next) = goes.remove(&at) {
            cycle.push(at);
            at = next;
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}

/// The colours in a token, with their classes, each once.
pub(crate) fn colours_of(domain: &[Sort], token: &[Value]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for (sort, value) in domain.iter().zip(token) {
        match value {
            Value::Colour(colour) => found.push((sort.class(), *colour)),
            Value::Bag(bag) => found.extend(bag.iter().map(|(colour, _)| (sort.class(), colour))),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A token with other colours of a class.
pub(crate) fn mapped(domain: &[Sort], token: &[Value], class: u32, to: &FxHashMap<u32, u32>) -> Vec<Value> {
    let go = |colour: u32| to.get(&colour).copied().unwrap_or(colour);
    let one = |(sort, value): (&Sort, &Value)| match value {
        value if sort.class() != class => value.clone(),
        Value::Colour(colour) => Value::Colour(go(*colour)),
        Value::Bag(bag) => {
            let mut changed = Bag::new();
            for (colour, times) in bag.iter() {
                // As many as before, so they fit.
                let _ = changed.add(go(colour), times);
            }
            Value::Bag(changed)
        }
    };
    domain.iter().zip(token).map(one).collect()
}
