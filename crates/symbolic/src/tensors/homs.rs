//! Fire, group and sort: inductive homomorphisms on words.

use super::plan::{Plan, Planned};
use super::words::{Counts, END, Words};
use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Store, Variable};
use mandala_model::coloured::Sort;
use std::hash::{Hash, Hasher};
use std::sync::Arc as Shared;

/// What is done to symbolic markings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    /// A transition fires, with every binding.
    Fire(u32),
    /// Two dynamic subclasses become one, in every way in which that can be done; what has none is dropped.
    Group,
    /// What has two dynamic subclasses that could become one is kept.
    Groupable,
    /// A dynamic subclass of a cell and the next one change places if that makes the word greater.
    Sort(usize, usize),
}

/// The homomorphism of an operation.
pub(super) fn operation(store: &mut Store, words: &Shared<Words>, operation: Operation) -> Hom {
    store.inductive(Vectors { words: words.clone(), operation, done: Vec::new(), current: Vec::new() })
}

/// Reads the vectors of sizes.
#[derive(Clone, Debug)]
struct Vectors {
    words: Shared<Words>,
    operation: Operation,
    done: Vec<Vec<i32>>,
    current: Vec<i32>,
}

impl PartialEq for Vectors {
    fn eq(&self, other: &Vectors) -> bool {
        self.operation == other.operation
            && self.done == other.done
            && self.current == other.current
            && Shared::ptr_eq(&self.words, &other.words)
    }
}

impl Eq for Vectors {}

impl Hash for Vectors {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.operation, &self.done, &self.current).hash(state);
    }
}

/// What goes on after the vectors of sizes: other vectors, and what is done to the tensors.
type Next = (Vec<Vec<i32>>, Option<Work>);

impl Inductive for Vectors {
    fn skips(&self, _: Variable) -> bool {
        false
    }

    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        let mut longer = self.clone();
        if value != END {
            longer.current.push(value);
            return Ok(Answer::Whole(store.inductive(longer)));
        }
        longer.done.push(std::mem::take(&mut longer.current));
        if longer.done.len() < self.words.cells() {
            return Ok(Answer::Whole(store.inductive(longer)));
        }
        let mut homs = Vec::new();
        for (vectors, work) in longer.nexts() {
            self.words.note(&vectors);
            let before = self.words.vectors(store, &vectors)?;
            let before = store.prepend(&before);
            let after = match work {
                Some(work) => tensors(store, &self.words, work),
                None => store.identity(),
            };
            homs.push(store.compose(&before, &after));
        }
        Ok(Answer::Whole(store.sum(&homs)))
    }

    fn is_selector(&self) -> bool {
        self.operation == Operation::Groupable
    }
}

impl Vectors {
    /// What goes on.
    fn nexts(&self) -> Vec<Next> {
        match self.operation {
            Operation::Fire(transition) => self.fire(transition),
            Operation::Group => self.groups(true),
            Operation::Groupable => self.groups(false),
            Operation::Sort(cell, first) => {
                let vector = &self.done[cell];
                // Dynamic subclasses are in the order of their sizes always.
                if vector.get(first + 1).is_none_or(|next| *next != vector[first]) {
                    return vec![(self.done.clone(), None)];
                }
                let mut plan = self.unchanged();
                plan.maps[cell].swap(first, first + 1);
                let work = self.words.plan(plan).map(Work::Compare);
                vec![(self.done.clone(), work)]
            }
        }
    }

    /// A plan that changes nothing.
    fn unchanged(&self) -> Plan {
        let counts: Counts = self.done.iter().map(|vector| vector.len() as u32).collect();
        let maps = counts.iter().map(|&count| (0..count).collect()).collect();
        Plan { counts, maps, ..Plan::default() }
    }

    /// All ways to merge two dynamic subclasses, or only to see that they could be.
    fn groups(&self, merge: bool) -> Vec<Next> {
        let mut nexts = Vec::new();
        for (cell, vector) in self.done.iter().enumerate() {
            for other in 1..vector.len() as u32 {
                for one in 0..other {
                    let mut plan = self.unchanged();
                    plan.equal = Some((cell, one, other));
                    let mut vectors = self.done.clone();
                    if merge {
                        let mut entries: Vec<(i32, u32)> = vector.iter().copied().zip(0..).collect();
                        entries[one as usize].0 += entries[other as usize].0;
                        entries.remove(other as usize);
                        (vectors[cell], plan.maps[cell]) = by_size(entries);
                    }
                    nexts.extend(self.words.plan(plan).map(|plan| (vectors, Some(Work::Rewrite(plan)))));
                }
            }
        }
        nexts
    }

    /// All bindings of a transition.
    fn fire(&self, transition: u32) -> Vec<Next> {
        let variables = &self.words.net.transitions[transition as usize].variables;
        let mut nexts = Vec::new();
        let mut open: Vec<Vec<Bound>> = vec![Vec::new()];
        while let Some(bound) = open.pop() {
            match variables.get(bound.len()) {
                Some(variable) => {
                    for choice in self.choices(variable.sort, &bound) {
                        open.push(bound.iter().copied().chain([choice]).collect());
                    }
                }
                None => nexts.extend(self.fired(transition, &bound)),
            }
        }
        nexts
    }

    /// What a variable can be bound to, after others.
    fn choices(&self, sort: Sort, bound: &[Bound]) -> Vec<Bound> {
        let Some(class) = self.words.symmetric[sort.class() as usize] else {
            return (0..self.words.net.classes[sort.class() as usize].len()).map(Bound::Colour).collect();
        };
        let mut choices = Vec::new();
        for cell in self.words.cells_of(class) {
            for (index, &size) in (0..).zip(&self.done[cell]) {
                let known = split_off(bound, cell, index);
                // One that is bound already, or a new one.
                choices.extend((0..known).map(|number| Bound::Split { cell, index, number }));
                choices.extend((known < size as u32).then_some(Bound::Split { cell, index, number: known }));
            }
        }
        choices
    }

    /// The sizes afterwards and what is done to tensors, for one binding.
    fn fired(&self, transition: u32, bound: &[Bound]) -> Option<Next> {
        let mut plan = self.unchanged();
        let mut vectors = self.done.clone();
        // For each cell, which dynamic subclass afterwards is that of the number-th colour that was split off.
        let mut places: Vec<Vec<(u32, u32, u32)>> = vec![Vec::new(); vectors.len()];
        for (cell, vector) in self.done.iter().enumerate() {
            let mut entries: Vec<(i32, u32, u32)> = Vec::new();
            for (index, &size) in (0..).zip(vector) {
                let split = split_off(bound, cell, index);
                if size > split as i32 {
                    entries.push((size - split as i32, index, u32::MAX));
                }
                entries.extend((0..split).map(|number| (1, index, number)));
            }
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.0));
            vectors[cell] = entries.iter().map(|entry| entry.0).collect();
            plan.maps[cell] = entries.iter().map(|entry| entry.1).collect();
            places[cell] = (0..).zip(&entries).map(|(at, entry)| (entry.1, entry.2, at)).collect();
        }
        let after: Counts = vectors.iter().map(|vector| vector.len() as u32).collect();
        let colour = |one: &Bound| match *one {
            Bound::Colour(colour) => Some(colour),
            Bound::Split { cell, index, number } => {
                let entry = places[cell].iter().find(|entry| (entry.0, entry.1) == (index, number))?;
                Some(self.words.offset(cell, &after) as u32 + entry.2)
            }
        };
        let binding: Option<Vec<u32>> = bound.iter().map(colour).collect();
        plan.fired = Some((transition, binding?));
        self.words.plan(plan).map(|plan| (vectors, Some(Work::Rewrite(plan))))
    }
}

/// What a variable is bound to.
#[derive(Clone, Copy)]
enum Bound {
    /// A colour of a class without symmetries.
    Colour(u32),
    /// The number-th of the colours that are split off a dynamic subclass.
    Split { cell: usize, index: u32, number: u32 },
}

/// How many colours are split off a dynamic subclass.
fn split_off(bound: &[Bound], of_cell: usize, of_index: u32) -> u32 {
    let number = |one: &Bound| match *one {
        Bound::Split { cell, index, number } if cell == of_cell && index == of_index => number + 1,
        _ => 0,
    };
    bound.iter().map(number).max().unwrap_or(0)
}

/// Sizes and what they belong to, the greatest first.
fn by_size(mut entries: Vec<(i32, u32)>) -> (Vec<i32>, Vec<u32>) {
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.0));
    entries.into_iter().unzip()
}

/// What is done to tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Work {
    /// What a plan says.
    Rewrite(u32),
    /// What a plan says, if that makes the first tensor that it changes greater; otherwise nothing.
    Compare(u32),
}

/// The homomorphism of what is done to tensors.
fn tensors(store: &mut Store, words: &Shared<Words>, work: Work) -> Hom {
    let (Work::Rewrite(plan) | Work::Compare(plan)) = work;
    let planned = words.planned(plan);
    if planned.places.iter().all(Option::is_none) {
        return store.identity();
    }
    store.inductive(Tensors { words: words.clone(), work, planned, read: Vec::new() })
}

/// Does something to tensors.
#[derive(Clone, Debug)]
struct Tensors {
    words: Shared<Words>,
    work: Work,
    planned: Shared<Planned>,
    /// What was read of a tensor.
    read: Vec<i32>,
}

impl PartialEq for Tensors {
    fn eq(&self, other: &Tensors) -> bool {
        self.work == other.work && self.read == other.read && Shared::ptr_eq(&self.words, &other.words)
    }
}

impl Eq for Tensors {}

impl Hash for Tensors {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.work, &self.read).hash(state);
    }
}

impl Inductive for Tensors {
    fn skips(&self, variable: Variable) -> bool {
        let place = self.words.place(variable);
        place.is_none_or(|place| self.planned.places.get(place).is_none_or(Option::is_none))
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let mut next = self.clone();
        if value != END {
            next.read.push(value);
            return Ok(Answer::Whole(store.inductive(next)));
        }
        let Some(place) = self.words.place(variable) else { return Ok(Answer::Drop) };
        let Some(Some(on_place)) = self.planned.places.get(place) else { return Ok(Answer::Drop) };
        let tensor = std::mem::take(&mut next.read);
        let Some(after) = on_place.apply(&self.words, &tensor) else { return Ok(Answer::Drop) };
        let (tensor, next) = match self.work {
            Work::Rewrite(_) => (after, store.inductive(next)),
            Work::Compare(plan) => match after.cmp(&tensor) {
                std::cmp::Ordering::Less => (tensor, store.identity()),
                std::cmp::Ordering::Equal => (tensor, store.inductive(next)),
                std::cmp::Ordering::Greater => (after, tensors(store, &self.words, Work::Rewrite(plan))),
            },
        };
        let tensor = self.words.tensor(store, place, &tensor)?;
        let tensor = store.prepend(&tensor);
        Ok(Answer::Whole(store.compose(&tensor, &next)))
    }

    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        Ok(store.one())
    }
}
