//! All symbolic markings of a net.

use super::CannotTensor;
use super::homs::{Operation, operation};
use super::ordinary::ordinary;
use super::words::{Words, words};
use mandala_diagram::{Count, Diagram, Hom, Store};
use mandala_model::coloured::ColouredNet;
use mandala_model::coloured::cells::ClassCells;
use std::sync::Arc as Shared;
use std::sync::atomic::Ordering;

/// The symbolic markings of a net.
#[derive(Clone, Debug)]
pub struct Tensors {
    /// Their words.
    pub markings: Diagram,
    /// How many words there are.
    pub count: Count,
    /// Whether there is one word for each symbolic marking: no token has two colours of classes with symmetries. Otherwise there
    /// may be fewer symbolic markings.
    pub is_unique: bool,
    /// How many ordinary markings they stand for, if there is one word for each, and the vectors of sizes are not too long.
    pub ordinary: Option<Count>,
    /// The static subclasses of the classes whose colours are exchanged.
    pub cells: Vec<ClassCells>,
}

/// Finds all symbolic markings of a net, within the limits of a store.
///
/// ```
/// use mandala_diagram::Store;
/// use mandala_model::coloured::sn;
/// use mandala_symbolic::tensors::explore;
///
/// let net = sn::read("lights.sn", "net lights {
///     class Light = l{1..100};
///     place on : Light;
///     place off : Light = <all>;
///     transition switch (Light x) { take off<x>; put on<x>; }
/// }", &[])?.net;
/// let found = explore(&net, &mut Store::new())?;
/// assert_eq!(found.count.to_u64(), Some(101));
/// assert_eq!(found.ordinary.map(|markings| format!("{markings:#}")), Some("1267650600228229401496703205376".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explore(net: &ColouredNet, store: &mut Store) -> Result<Tensors, CannotTensor> {
    let (words, vectors, tensors) = words(net)?;
    let mut initial = store.one();
    for &place in words.order.iter().rev() {
        let tensor = words.tensor(store, place, &tensors[place])?;
        initial = store.concatenation(&tensor, &initial)?;
    }
    let vectors = words.vectors(store, &vectors)?;
    initial = store.concatenation(&vectors, &initial)?;
    let words = Shared::new(words);
    let mut operations = Operations {
        fire: (0..net.transitions.len() as u32)
            .map(|transition| operation(store, &words, Operation::Fire(transition)))
            .collect(),
        group: operation(store, &words, Operation::Group),
        groupable: operation(store, &words, Operation::Groupable),
        store,
        words,
    };
    let markings = operations.reach(&initial)?;
    let Operations { words, store, .. } = operations;
    let is_symmetric = |class: u32| {
        let own = words.symmetric[class as usize];
        own.is_some_and(|own| words.classes[own].cells.iter().any(|cell| cell.len() > 1))
    };
    let is_unique =
        net.places.iter().all(|place| place.domain.iter().filter(|sort| is_symmetric(sort.class())).count() <= 1);
    let ordinary = if is_unique { ordinary(&words, store, &markings)? } else { None };
    Ok(Tensors { count: store.count(&markings), markings, is_unique, ordinary, cells: words.classes.clone() })
}

struct Operations<'s> {
    store: &'s mut Store,
    words: Shared<Words>,
    fire: Vec<Hom>,
    group: Hom,
    groupable: Hom,
}

impl Operations<'_> {
    /// All that can be reached: transition by transition, each as often as it leads to something new (section 6).
    fn reach(&mut self, initial: &Diagram) -> Result<Diagram, CannotTensor> {
        let mut known = self.canonise(initial)?;
        let mut fired = vec![self.store.zero(); self.fire.len()];
        loop {
            let before = known.clone();
            for (transition, fired) in fired.iter_mut().enumerate() {
                let mut new = self.store.difference(&known, fired)?;
                while !new.is_empty() {
                    let found = self.store.apply(&self.fire[transition].clone(), &new)?;
                    let found = self.canonise(&found)?;
                    new = self.store.difference(&found, &known)?;
                    known = self.store.union(&known, &new)?;
                    if self.words.has_given_up() {
                        return Err(CannotTensor::TooLarge);
                    }
                }
                *fired = known.clone();
            }
            if known == before {
                return Ok(known);
            }
        }
    }

    fn canonise(&mut self, set: &Diagram) -> Result<Diagram, CannotTensor> {
        let set = self.sort(set)?;
        let set = self.grouped(set)?;
        self.sort(&set)
    }

    /// Merges dynamic subclasses as long as that can be done (section 5.1).
    fn grouped(&mut self, mut set: Diagram) -> Result<Diagram, CannotTensor> {
        loop {
            let groupable = self.store.apply(&self.groupable.clone(), &set)?;
            if groupable.is_empty() {
                return Ok(set);
            }
            let rest = self.store.difference(&set, &groupable)?;
            let merged = self.store.apply(&self.group.clone(), &groupable)?;
            set = self.store.union(&rest, &merged)?;
        }
    }

    /// Exchanges neighbours as long as that makes words greater (section 5.2).
    fn sort(&mut self, set: &Diagram) -> Result<Diagram, CannotTensor> {
        let mut set = set.clone();
        loop {
            let before = set.clone();
            for cell in 0..self.words.cells() {
                let longest = self.words.longest[cell].load(Ordering::Relaxed) as usize;
                for first in 0..longest.saturating_sub(1) {
                    let sort = operation(self.store, &self.words, Operation::Sort(cell, first));
                    set = self.store.apply(&sort, &set)?;
                }
            }
            if set == before {
                return Ok(set);
            }
        }
    }
}
