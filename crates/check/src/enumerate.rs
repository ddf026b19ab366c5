//! Markings one by one, for nets whose diagrams are larger than their state spaces.
//!
//! Some nets (puzzles, protocols in which everything depends on everything) have a few million markings and no order of
//! variables that keeps the diagrams on the way small, although the last one is. Their markings are enumerated breadth
//! first, packed into words; in the end they are sorted and become a diagram, so that everything that is asked of a state
//! space can be asked of these.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::time::Instant;

use mandala_diagram::{Diagram, Error, Store};
use mandala_model::net::Net;
use mandala_model::system::System;
use mandala_symbolic::encode::Layouts;
use mandala_symbolic::order::Candidate;
use mandala_symbolic::packed::{Action, Field, Packed};
use mandala_symbolic::plan::{Hierarchy, Plans};
use mandala_symbolic::structure::Structure;

use crate::layouts::described;
use crate::space::{Description, Options, Space, Stopped, attempt_by};

/// A net whose markings can be enumerated, with the layout of the diagram that they become.
pub(crate) struct Enumerable {
    enumeration: Box<dyn Enumeration>,
    layouts: Layouts,
    description: Description,
}

impl Enumerable {
    /// A net with proven bounds and units, in the most promising order; nothing if its markings cannot be packed.
    pub(crate) fn new(system: &System, net: &Net, structure: &Structure, plans: &Plans) -> Option<Enumerable> {
        let bounds: Vec<i32> = structure.bounds.iter().copied().collect::<Option<_>>()?;
        let Candidate { heuristic, order, .. } = plans.candidates.first()?;
        let packed = Packed::new(net, &system.begins, &plans.layout(order, Hierarchy::Off), &bounds)?;
        let name = format!("{heuristic}, state by state");
        let (layouts, description) = described(system, plans, name, order, Hierarchy::Off);
        Some(Enumerable { enumeration: enumeration(&packed)?, layouts, description })
    }

    /// Goes on until all markings are found, or more than `most`. After [`Error::Work`] it can be taken up again.
    pub(crate) fn run(&mut self, options: &Options, most: usize) -> Result<(), Error> {
        self.enumeration.run(options, most)
    }

    /// The state space, once all markings are found.
    pub(crate) fn into_space<'a>(self, system: &'a System, options: &Options) -> Result<Space<'a>, Stopped<'a>> {
        attempt_by(system, options, self.layouts, None, self.description, |encoded| {
            self.enumeration.into_diagram(&mut encoded.store)
        })
    }
}

/// An enumeration that can be stopped and taken up again.
trait Enumeration: Send {
    /// Goes on until all markings are found, or more than `most`.
    fn run(&mut self, options: &Options, most: usize) -> Result<(), Error>;
    /// The markings found as a diagram with a variable a field.
    fn into_diagram(self: Box<Self>, store: &mut Store) -> Result<Diagram, Error>;
}

/// The enumeration of a net, if its markings fit into eight words.
fn enumeration(packed: &Packed) -> Option<Box<dyn Enumeration>> {
    Some(match packed.words {
        1 => Box::new(Search::<1>::new(packed)),
        2 => Box::new(Search::<2>::new(packed)),
        3 => Box::new(Search::<3>::new(packed)),
        4 => Box::new(Search::<4>::new(packed)),
        5 => Box::new(Search::<5>::new(packed)),
        6 => Box::new(Search::<6>::new(packed)),
        7 => Box::new(Search::<7>::new(packed)),
        8 => Box::new(Search::<8>::new(packed)),
        _ => return None,
    })
}

/// A marking.
type Words<const N: usize> = [u64; N];

struct Search<const N: usize> {
    fields: Vec<Field>,
    rules: Rules<N>,
    known: Known<N>,
    /// How many of the known markings have been expanded.
    expanded: usize,
}

/// The actions of a net, by what they ask for.
struct Rules<const N: usize> {
    rules: Vec<Rule<N>>,
    /// Ranges that rules ask for besides.
    ranges: Vec<(Field, u32, u32)>,
    /// Fields with the rules that ask for one of their values.
    by_value: Vec<ByValue>,
    /// Rules that ask for no value.
    others: Vec<u32>,
}

/// An action.
struct Rule<const N: usize> {
    /// Under this mask,
    mask: Words<N>,
    /// words must be this;
    value: Words<N>,
    /// then this is added.
    change: Words<N>,
    /// Ranges that are asked for besides.
    ranges: std::ops::Range<u32>,
}

/// The rules that ask for a value of a field, value by value.
struct ByValue {
    field: Field,
    /// Where the rules of a value begin; one more than there are values.
    begins: Vec<u32>,
    rules: Vec<u32>,
}

impl<const N: usize> Rules<N> {
    fn new(packed: &Packed) -> Rules<N> {
        let mut all = Rules { rules: Vec::new(), ranges: Vec::new(), by_value: Vec::new(), others: Vec::new() };
        let mut by_field: Vec<Vec<Vec<u32>>> = vec![Vec::new(); packed.fields.len()];
        for (index, action) in (0u32..).zip(&packed.actions) {
            all.push(packed, action);
            // Of the values that are asked for, the one of the field with the most values is the rarest.
            let values = action.ranges.iter().filter(|(_, low, high)| low == high);
            match values.max_by_key(|(field, ..)| packed.fields[*field].most) {
                Some(&(field, value, _)) => {
                    by_field[field].resize(packed.fields[field].most as usize + 1, Vec::new());
                    by_field[field][value as usize].push(index);
                }
                None => all.others.push(index),
            }
        }
        for (field, lists) in packed.fields.iter().zip(by_field).filter(|(_, lists)| !lists.is_empty()) {
            let mut begins = vec![0];
            begins.extend(lists.iter().scan(0, |end, list| {
                *end += list.len() as u32;
                Some(*end)
            }));
            all.by_value.push(ByValue { field: *field, begins, rules: lists.concat() });
        }
        all
    }

    fn push(&mut self, packed: &Packed, action: &Action) {
        let (mut mask, mut value, mut change) = ([0; N], [0; N], [0u64; N]);
        let begin = self.ranges.len() as u32;
        for &(field, low, high) in &action.ranges {
            let field = packed.fields[field];
            if low == high {
                mask[field.word] |= field.mask();
                value[field.word] |= u64::from(low) << field.shift;
            } else {
                self.ranges.push((field, low, high));
            }
        }
        for &(field, delta) in &action.changes {
            let field = packed.fields[field];
            change[field.word] = change[field.word].wrapping_add((delta as u64) << field.shift);
        }
        self.rules.push(Rule { mask, value, change, ranges: begin..self.ranges.len() as u32 });
    }

    /// Adds the successors of a marking.
    fn successors(&self, state: &Words<N>, successors: &mut Vec<Words<N>>) {
        for by_value in &self.by_value {
            let value = by_value.field.of(state[by_value.field.word]) as usize;
            let (begin, end) = (by_value.begins[value] as usize, by_value.begins[value + 1] as usize);
            for &rule in &by_value.rules[begin..end] {
                self.fire(rule, state, successors);
            }
        }
        for &rule in &self.others {
            self.fire(rule, state, successors);
        }
    }

    #[inline(always)]
    fn fire(&self, rule: u32, state: &Words<N>, successors: &mut Vec<Words<N>>) {
        let rule = &self.rules[rule as usize];
        let differs = (0..N).fold(0, |differs, word| differs | ((state[word] & rule.mask[word]) ^ rule.value[word]));
        let ranges = &self.ranges[rule.ranges.start as usize..rule.ranges.end as usize];
        let passes = |(field, low, high): &(Field, u32, u32)| (*low..=*high).contains(&field.of(state[field.word]));
        if differs == 0 && ranges.iter().all(passes) {
            successors.push(std::array::from_fn(|word| state[word].wrapping_add(rule.change[word])));
        }
    }
}

/// So many markings are looked up together.
const BATCH: usize = 32;

/// So many markings are in a block of memory.
const BLOCK: usize = 1 << 16;

/// An odd number with no pattern in its bits.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Markings in the order in which they were found, each once.
struct Known<const N: usize> {
    blocks: Vec<Vec<Words<N>>>,
    count: usize,
    /// Open addressing: 0, or one more than the number of a marking.
    table: Vec<u32>,
}

impl<const N: usize> Known<N> {
    fn new() -> Known<N> {
        Known { blocks: Vec::new(), count: 0, table: vec![0; 1 << 12] }
    }

    #[inline(always)]
    fn get(&self, number: usize) -> &Words<N> {
        &self.blocks[number / BLOCK][number % BLOCK]
    }

    /// Where in the table to begin to look.
    #[inline(always)]
    fn slot(&self, state: &Words<N>) -> usize {
        let mixed = state.iter().fold(0u64, |hash, &word| {
            let product = u128::from(hash ^ word) * u128::from(MIX);
            (product >> 64) as u64 ^ product as u64
        });
        (mixed >> (u64::BITS - self.table.len().trailing_zeros())) as usize
    }

    /// Adds markings. There is room for them in the table.
    fn insert_all(&mut self, states: &[Words<N>]) {
        for batch in states.chunks(BATCH) {
            // Most of the time is spent waiting for memory: for all of a batch at once.
            let mut slots = [0; BATCH];
            let mut numbers = [0; BATCH];
            for (place, state) in batch.iter().enumerate() {
                slots[place] = self.slot(state);
                numbers[place] = self.table[slots[place]];
            }
            let mut seen = 0;
            for &number in numbers[..batch.len()].iter().filter(|number| **number != 0) {
                seen ^= self.get(number as usize - 1)[0];
            }
            std::hint::black_box(seen);
            for (state, slot) in batch.iter().zip(slots) {
                self.insert(state, slot);
            }
        }
    }

    #[inline(always)]
    fn insert(&mut self, state: &Words<N>, mut slot: usize) {
        loop {
            match self.table[slot] {
                0 => break,
                number if self.get(number as usize - 1) == state => return,
                _ => slot = (slot + 1) & (self.table.len() - 1),
            }
        }
        if self.count.is_multiple_of(BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        self.blocks[self.count / BLOCK].push(*state);
        self.count += 1;
        self.table[slot] = self.count as u32;
    }

    /// Whether so many more markings can have a number.
    fn can_number(&self, more: usize) -> bool {
        self.count + more < u32::MAX as usize
    }

    /// Bytes in use once so many more markings are known.
    fn bytes(&self, more: usize) -> usize {
        (self.count + more + BLOCK) * size_of::<Words<N>>() + self.table_for(more) * size_of::<u32>()
    }

    /// How large the table is to be if so many more markings are to fit.
    fn table_for(&self, more: usize) -> usize {
        let needed = (self.count + more) / 3 * 4 + 1;
        self.table.len().max(needed.next_power_of_two())
    }

    fn reserve(&mut self, more: usize) {
        let length = self.table_for(more);
        if length == self.table.len() {
            return;
        }
        // The old table is not needed to make the new one.
        self.table = Vec::new();
        self.table = vec![0; length];
        for number in 0..self.count {
            let mut slot = self.slot(self.get(number));
            while self.table[slot] != 0 {
                slot = (slot + 1) & (self.table.len() - 1);
            }
            self.table[slot] = number as u32 + 1;
        }
    }

    /// All markings, in ascending order: each block is sorted, and then they are merged.
    fn into_ascending(mut self) -> impl Iterator<Item = Words<N>> {
        self.table = Vec::new();
        self.blocks.iter_mut().for_each(|block| block.sort_unstable());
        let blocks = self.blocks;
        let mut next: BinaryHeap<Reverse<(Words<N>, u32, u32)>> =
            (0..).zip(&blocks).map(|(block, states)| Reverse((states[0], block, 1))).collect();
        std::iter::from_fn(move || {
            let mut first = next.peek_mut()?;
            let Reverse((state, block, place)) = *first;
            match blocks[block as usize].get(place as usize) {
                Some(&state) => *first = Reverse((state, block, place + 1)),
                None => {
                    PeekMut::pop(first);
                }
            }
            Some(state)
        })
    }
}

/// Bytes in use at most, if nothing else is said.
const MOST_BYTES: usize = 4 << 30;

/// So many markings are expanded before their successors are looked up, and limits are looked at.
const EXPANSIONS: usize = 1 << 8;

impl<const N: usize> Search<N> {
    fn new(packed: &Packed) -> Search<N> {
        let mut known = Known::new();
        for initial in &packed.initial {
            known.reserve(1);
            known.insert_all(&[std::array::from_fn(|word| initial.get(word).copied().unwrap_or(0))]);
        }
        Search { fields: packed.fields.clone(), rules: Rules::new(packed), known, expanded: 0 }
    }
}

impl<const N: usize> Enumeration for Search<N> {
    fn run(&mut self, options: &Options, most: usize) -> Result<(), Error> {
        let mut successors = Vec::new();
        while self.expanded < self.known.count {
            if options.cancel.is_cancelled() {
                return Err(Error::Cancelled { reached: None });
            }
            if options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Error::Time { reached: None });
            }
            if self.known.count > most {
                return Err(Error::Work { reached: None });
            }
            successors.clear();
            let mut end = self.expanded;
            while end < self.known.count && end < self.expanded + EXPANSIONS {
                self.rules.successors(self.known.get(end), &mut successors);
                end += 1;
            }
            let needed = self.known.bytes(successors.len());
            if needed > options.memory.unwrap_or(MOST_BYTES) || !self.known.can_number(successors.len()) {
                let used = self.known.bytes(0);
                return Err(Error::Memory { used, needed, limit: options.memory, reached: None });
            }
            self.known.reserve(successors.len());
            self.known.insert_all(&successors);
            self.expanded = end;
        }
        Ok(())
    }

    fn into_diagram(self: Box<Self>, store: &mut Store) -> Result<Diagram, Error> {
        let Search { fields, known, .. } = *self;
        let mut rows = known.into_ascending();
        let mut last: Option<Words<N>> = None;
        store.ascending(fields.len(), |row| {
            let next = rows.next()?;
            // Fields follow each other in words: those before the first bit that differs are the same.
            let first = last.map_or(0, |last| first_difference(&fields, &last, &next));
            for (value, field) in row.iter_mut().zip(&fields).skip(first) {
                *value = field.of(next[field.word]) as i32;
            }
            last = Some(next);
            Some(first)
        })
    }
}

/// The first field in which two markings differ, or all fields if none does.
fn first_difference<const N: usize>(fields: &[Field], a: &Words<N>, b: &Words<N>) -> usize {
    let Some(word) = (0..N).find(|&word| a[word] != b[word]) else { return fields.len() };
    let bit = u64::BITS - 1 - (a[word] ^ b[word]).leading_zeros();
    fields.partition_point(|field| (field.word, bit) < (word, field.shift))
}

#[cfg(test)]
mod tests {
    use mandala_model::classic::{Classic, Shape, generate};
    use mandala_model::gal;
    use mandala_model::system::Type;
    use mandala_symbolic::variables::Grouping;

    use super::*;

    /// Kanban with 3 cards a cell, which has 58,400 markings.
    fn net() -> System {
        let mut text = Vec::new();
        generate(Classic::Kanban, &"3".parse().expect("a size"), Some(Shape::Flat), &mut text).expect("written");
        gal::read("kanban.gal", &String::from_utf8(text).expect("text"), &[]).expect("read").system
    }

    fn enumerable(system: &System) -> Enumerable {
        let Type::Net(net) = &system.types[system.main] else { panic!("a net") };
        let structure = Structure::new(net);
        let plans = Plans::new(net, &structure, Grouping::Proven);
        Enumerable::new(system, net, &structure, &plans).expect("a bounded net")
    }

    /// An enumeration that is stopped many times finds what one finds that is not.
    #[test]
    fn it_is_taken_up_where_it_stopped() {
        let system = net();
        let mut enumerable = enumerable(&system);
        let stops = (1..).step_by(300).take_while(|&most| enumerable.run(&Options::default(), most).is_err()).count();
        assert!(stops > 5, "{stops} stops");
        let space = enumerable.into_space(&system, &Options::default()).expect("an end");
        assert_eq!(space.count().to_u64(), Some(58400));
    }

    #[test]
    fn memory_is_a_limit() {
        let system = net();
        let options = Options { memory: Some(200_000), ..Options::default() };
        let result = enumerable(&system).run(&options, usize::MAX);
        assert!(matches!(result, Err(Error::Memory { .. })));
    }
}
