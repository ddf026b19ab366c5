//! The symmetries of the classes that are not counted, declared on what is left.

use super::reduce::Reduced;
use super::{Counted, Meaning};
use crate::coloured::unfold::{Alike, Uses, colours_of, cycles_of, mapped};
use crate::coloured::value::Token;
use crate::coloured::{ColouredNet, Sort};
use crate::symmetry::{Cycles, DeclaredGroup, DeclaredSymmetry};
use crate::system::Type;
use crate::text::Span;
use rustc_hash::FxHashMap;

/// Beyond this many variables that move, all symmetries together, no more are declared.
const MOST_MOVED: usize = 2_000_000;

/// Declares the symmetries of all classes that are not counted: exchanges of colours that neither transitions nor the initial
/// marking tell apart, or turns.
pub(super) fn declare(net: &ColouredNet, reduced: &Reduced, counted: &mut Counted) {
    let uses = Uses::of(net);
    let rest = Rest::new(net, reduced, counted);
    let mut symmetries = Vec::new();
    let mut room = MOST_MOVED;
    for class in (0..net.classes.len() as u32).filter(|class| reduced.cell_of[*class as usize].is_none()) {
        let generators = match uses.alike(net, class as usize) {
            Alike::Never => Vec::new(),
            Alike::Turned => rest.turn(class),
            Alike::Within(cells) => cells.iter().flat_map(|cell| rest.exchanges(class, cell)).collect(),
        };
        let mut generators: Vec<Cycles> = generators.into_iter().filter(|one| !one.is_empty()).collect();
        generators.retain(|one| {
            let moved = one.iter().map(Vec::len).sum();
            room = room.saturating_sub(moved);
            room > 0
        });
        if !generators.is_empty() {
            let (name, group) = (net.classes[class as usize].name.clone(), DeclaredGroup::Generated(generators));
            symmetries.push(DeclaredSymmetry { name, group, span: Span::default() });
        }
    }
    match &mut counted.system.types[0] {
        Type::Net(net) => net.symmetries = symmetries,
        Type::Program(program) => program.symmetries = symmetries,
        Type::Queues(_) | Type::Composite(_) => {}
    }
}

/// What is left, by what it stands for.
struct Rest<'a> {
    net: &'a ColouredNet,
    keys: Vec<Key>,
    numbers: FxHashMap<Key, u32>,
    marking: Vec<i32>,
    /// The sorts of the tokens of each place, without what is counted.
    sorts: Vec<Vec<Sort>>,
    /// The variables that name a colour of a class.
    naming: FxHashMap<(u32, u32), Vec<u32>>,
}

/// What a variable stands for: a cell (or none), and places with tokens in ascending order.
type Key = (Option<u32>, Vec<(u32, Token, u32)>);

impl<'a> Rest<'a> {
    fn new(net: &'a ColouredNet, reduced: &Reduced, counted: &Counted) -> Rest<'a> {
        let marking = match &counted.system.types[0] {
            Type::Net(net) => net.initial[0].marking.clone(),
            Type::Program(program) => program.initial[0].values.clone(),
            Type::Queues(_) | Type::Composite(_) => Vec::new(),
        };
        let sorts = net.places.iter().zip(&reduced.counted_at).map(|(place, counted)| {
            let kept = (0..).zip(&place.domain).filter(|(at, _)| Some(*at) != *counted);
            kept.map(|(_, sort)| *sort).collect()
        });
        let keys = counted.meaning.iter().map(|meaning| match meaning {
            Meaning::Tokens { place, token } => (None, vec![(*place, token.clone(), 1)]),
            Meaning::Colours { cell, state } => {
                let mut state = state.clone();
                state.sort_unstable();
                (Some(*cell), state)
            }
        });
        let keys: Vec<Key> = keys.collect();
        let numbers = keys.iter().cloned().zip(0..).collect();
        let mut rest = Rest { net, keys, numbers, marking, sorts: sorts.collect(), naming: FxHashMap::default() };
        for (variable, key) in (0..).zip(&rest.keys) {
            let of = |(place, token, _): &(u32, Token, u32)| colours_of(&rest.sorts[*place as usize], token);
            let mut named: Vec<(u32, u32)> = key.1.iter().flat_map(of).collect();
            named.sort_unstable();
            named.dedup();
            named.into_iter().for_each(|one| rest.naming.entry(one).or_default().push(variable));
        }
        rest
    }

    /// Exchanges of neighbours among those colours of a cell that the initial marking does not tell apart.
    fn exchanges(&self, class: u32, cell: &[u32]) -> Vec<Cycles> {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut found = Vec::new();
        for &colour in cell {
            let exchange = |other: u32| self.cycles(class, &FxHashMap::from_iter([(other, colour), (colour, other)]));
            // The last of a group is as good as its first, and next to this one.
            let own = groups.iter_mut().find_map(|group| Some((exchange(*group.last()?)?, group)));
            match own {
                Some((cycles, group)) => {
                    found.push(cycles);
                    group.push(colour);
                }
                None => groups.push(vec![colour]),
            }
        }
        found
    }

    /// The shortest turn of a circular class that leaves the initial marking alone.
    fn turn(&self, class: u32) -> Vec<Cycles> {
        let count = self.net.classes[class as usize].len();
        let turned = |steps: u32| (0..count).map(|colour| (colour, (colour + steps) % count)).collect();
        let steps = (1..count).filter(|steps| count.is_multiple_of(*steps));
        steps.map(|steps| self.cycles(class, &turned(steps))).find_map(|cycles| cycles).into_iter().collect()
    }

    /// What a permutation of the colours of a class does to the variables, as cycles; nothing if it leads to what is not there, or
    /// changes the initial marking.
    fn cycles(&self, class: u32, map: &FxHashMap<u32, u32>) -> Option<Cycles> {
        let mut goes: FxHashMap<u32, u32> = FxHashMap::default();
        for colour in map.keys() {
            for &variable in self.naming.get(&(class, *colour)).into_iter().flatten() {
                let target = *self.numbers.get(&self.mapped(&self.keys[variable as usize], class, map))?;
                if self.marking[target as usize] != self.marking[variable as usize] {
                    return None;
                }
                goes.insert(variable, target);
            }
        }
        Some(cycles_of(goes))
    }

    /// The same with other colours of a class.
    fn mapped(&self, key: &Key, class: u32, map: &FxHashMap<u32, u32>) -> Key {
        let token = |(place, token, times): &(u32, Token, u32)| {
            (*place, mapped(&self.sorts[*place as usize], token, class, map), *times)
        };
        let mut tokens: Vec<_> = key.1.iter().map(token).collect();
        tokens.sort_unstable();
        (key.0, tokens)
    }
}
