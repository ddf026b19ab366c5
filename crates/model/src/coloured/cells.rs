//! Cells: colours of a class that nothing tells apart, and nets with few colours of each.

use super::expression::Term;
use super::unfold::{Alike, Uses};
use super::{Class, ClassOrder, ColouredNet, Names, Subclass};
use rustc_hash::FxHashMap;

/// The cells of a class: each colour is in one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCells {
    /// The class.
    pub class: u32,
    /// The colours of each cell, in ascending order.
    pub cells: Vec<Vec<u32>>,
}

/// What tells colours apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// Transitions only.
    Transitions,
    /// Transitions, and what the initial marking names.
    InitialMarking,
}

/// The cells of all classes whose colours may be exchanged within cells. The order of the other classes is used.
pub fn cells(net: &ColouredNet, telling: Telling) -> Vec<ClassCells> {
    let mut uses = Uses::of(net);
    if telling == Telling::InitialMarking {
        uses.see_initial(net);
    }
    let of = |class: u32| match uses.alike(net, class as usize) {
        Alike::Within(cells) => Some(ClassCells { class, cells }),
        Alike::Turned | Alike::Never => None,
    };
    (0..net.classes.len() as u32).filter_map(of).collect()
}

/// The net with at most so many colours of each cell of some classes: the colours of a cell follow each other. Colours that
/// expressions name must be alone in their cells; those of the initial marking may not be, and have no meaning then.
pub fn with_few(net: &ColouredNet, classes: &[ClassCells], size: &dyn Fn(usize, usize) -> usize) -> ColouredNet {
    let mut few = net.clone();
    let mut renamed: Vec<Option<FxHashMap<u32, u32>>> = vec![None; net.classes.len()];
    for (at, one) in classes.iter().enumerate() {
        let before = &net.classes[one.class as usize];
        let first = |(cell, colours): (usize, &Vec<u32>)| colours[..colours.len().min(size(at, cell))].to_vec();
        let kept: Vec<u32> = one.cells.iter().enumerate().flat_map(first).collect();
        let names = kept.iter().map(|&colour| before.name_of(colour).into_owned()).collect();
        let subclasses = before.subclasses.iter().map(|subclass| {
            let inside = (0..).zip(&kept).filter(|(_, colour)| subclass.contains(**colour)).map(|(new, _)| new);
            Subclass::new(subclass.name.clone(), inside.collect())
        });
        few.classes[one.class as usize] = Class {
            name: before.name.clone(),
            names: Names::Listed(names),
            // An order that transitions do not use may be used in the initial marking, where all colours are kept.
            order: if kept.len() == before.len() as usize { before.order } else { ClassOrder::Unordered },
            subclasses: subclasses.collect(),
        };
        renamed[one.class as usize] = Some(kept.into_iter().zip(0..).collect());
    }
    let mut rename = |term: &mut Term| {
        if let Term::Constant { class, colour } = term
            && let Some(renamed) = &renamed[*class as usize]
        {
            *colour = renamed.get(colour).copied().unwrap_or(0);
        }
    };
    for place in &mut few.places {
        place.initial.terms_mut(&mut rename);
    }
    for transition in &mut few.transitions {
        transition.guard.terms_mut(&mut rename);
        for arc in transition.takes.iter_mut().chain(&mut transition.puts).chain(&mut transition.inhibitors) {
            arc.tokens.terms_mut(&mut rename);
        }
    }
    few
}
