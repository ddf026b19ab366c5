//! Where the variables of an elementary type live in a diagram.
//!
//! The state of a net or a program is laid out in *slots*, from the top of the diagram to its bottom. A slot holds one
//! number from which one or several variables of the type follow, or which of some places is marked, or a part: slots of
//! its own, a level below. The number of a slot at its level is its variable in the diagram.

use mandala_diagram::{
    Arrangement, Assignment, Assignments, Contribution, Count, Counter, Diagram, Error, Exactness, Hom, Multiplicities,
    Multiplicity, Store, Value, ValueMap, Variable, Weight,
};
use rustc_hash::FxHashMap;

use crate::queue::QueueSlot;
use crate::step::{Cell, Change, Step};
use mandala_model::net::queue::Move;

/// What one diagram variable stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// One number, and the variables that are this number, or its negation, plus a constant.
    Number(Vec<Follower>),
    /// Which of these places holds the only token: 0 for none, i for the i-th (from 1).
    Unit {
        /// The places.
        places: Vec<u32>,
        /// Whether nothing proves that there is at most one token. If there is more than one after all, the slot has the
        /// value [`VIOLATED`] and stays there.
        promised: bool,
    },
}

/// A variable that follows from the number of its slot: `factor * number + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follower {
    /// The variable of the type.
    pub variable: u32,
    /// 1 or -1.
    pub factor: i32,
    /// What is added.
    pub offset: i32,
}

/// The value of a unit that holds more than its only token.
pub const VIOLATED: i32 = -1;

impl Content {
    /// A slot for one variable.
    pub fn single(variable: u32) -> Content {
        Content::Number(vec![Follower { variable, factor: 1, offset: 0 }])
    }

    /// The variables of the type that live here.
    pub fn variables(&self) -> Vec<u32> {
        match self {
            Content::Number(followers) => followers.iter().map(|follower| follower.variable).collect(),
            Content::Unit { places, .. } => places.clone(),
        }
    }
}

/// A slot of a layout.
#[derive(Clone, Debug)]
pub enum Slot {
    /// A number.
    Data(Content),
    /// Slots one level below.
    Part(Layout),
    /// A queue: words of different lengths, a level below.
    Queue(QueueSlot),
}

/// Slots from top to bottom.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    slots: Vec<Slot>,
    /// The slot of each variable.
    slot_of: FxHashMap<u32, u32>,
}

impl Layout {
    /// The layout with these slots.
    pub fn new(slots: Vec<Slot>) -> Layout {
        let mut slot_of = FxHashMap::default();
        for (place, slot) in slots.iter().enumerate() {
            let place = place as u32;
            match slot {
                Slot::Data(content) => slot_of.extend(content.variables().into_iter().map(|v| (v, place))),
                Slot::Part(part) => slot_of.extend(part.slot_of.keys().map(|&v| (v, place))),
                Slot::Queue(queue) => {
                    slot_of.extend([queue.place].into_iter().chain(queue.cells.clone()).map(|v| (v, place)));
                }
            }
        }
        Layout { slots, slot_of }
    }

    /// The slots.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The slots of so many variables, if each has one for itself, on this level.
    pub(crate) fn single_slots(&self, variables: usize) -> Option<Vec<u32>> {
        let single = |variable: u32| {
            let slot = *self.slot_of.get(&variable)?;
            match &self.slots[slot as usize] {
                Slot::Data(content) => (*content == Content::single(variable)).then_some(slot),
                Slot::Part(_) | Slot::Queue(_) => None,
            }
        };
        (0..variables as u32).map(single).collect()
    }

    /// The slot of a variable.
    pub(crate) fn slot_of(&self, variable: u32) -> Option<u32> {
        self.slot_of.get(&variable).copied()
    }

    /// The rank of each slot, given that of each variable: a slot ranks as the first of its variables.
    pub(crate) fn ranks(&self, of_variables: &[u32]) -> Vec<u32> {
        let mut ranks = vec![u32::MAX; self.slots.len()];
        for (&variable, &slot) in &self.slot_of {
            let rank = of_variables.get(variable as usize).copied().unwrap_or(u32::MAX);
            ranks[slot as usize] = ranks[slot as usize].min(rank);
        }
        ranks
    }

    /// How many levels of parts there are below this one.
    pub fn depth(&self) -> usize {
        let parts = self.slots.iter().filter_map(|slot| if let Slot::Part(part) = slot { Some(part) } else { None });
        parts.map(|part| part.depth() + 1).max().unwrap_or(0)
    }

    /// What is said about variables, sorted by the slots they live in.
    pub(crate) fn by_slot<T: Copy>(&self, items: &[(u32, T)]) -> Vec<(u32, Vec<(u32, T)>)> {
        let mut sorted: Vec<(u32, (u32, T))> =
            items.iter().filter_map(|item| Some((*self.slot_of.get(&item.0)?, *item))).collect();
        sorted.sort_by_key(|(slot, item)| (*slot, item.0));
        let mut slots: Vec<(u32, Vec<(u32, T)>)> = Vec::new();
        for (slot, item) in sorted {
            match slots.last_mut() {
                Some((last, items)) if *last == slot => items.push(item),
                _ => slots.push((slot, vec![item])),
            }
        }
        slots
    }

    /// A step as a homomorphism.
    pub fn hom(&self, store: &mut Store, step: &Step) -> Result<Hom, Error> {
        self.hom_of_cells(store, &step.cells, &step.moves)
    }

    fn hom_of_cells(&self, store: &mut Store, cells: &[(u32, Cell)], moves: &[(u32, Move)]) -> Result<Hom, Error> {
        let mut links = Vec::new();
        for (slot, cells) in self.by_slot(cells) {
            let link = match &self.slots[slot as usize] {
                Slot::Data(content) => {
                    let map = content.map(&cells);
                    store.value(slot, map)
                }
                Slot::Part(part) => {
                    let inside = part.hom_of_cells(store, &cells, moves)?;
                    store.local(slot, &inside)
                }
                Slot::Queue(queue) => {
                    let cell = cells.iter().find(|(variable, _)| *variable == queue.place);
                    let one = moves.iter().find(|(place, _)| *place == queue.place).map(|(_, one)| one);
                    let inside = queue.hom(store, cell.map_or(Cell::ANY, |(_, cell)| *cell), one)?;
                    store.local(slot, &inside)
                }
            };
            links.push(link);
        }
        Ok(store.sequence(&links))
    }

    /// A state, given by the value of each variable. Nothing if a unit holds more than its token.
    pub fn encode(&self, store: &mut Store, values: &[i32]) -> Result<Option<Diagram>, Error> {
        let mut below = store.one();
        for (slot, content) in self.slots.iter().enumerate().rev() {
            below = match content {
                Slot::Data(content) => match content.encode(values) {
                    Some(value) => store.assign(slot as Variable, value, &below)?,
                    None => return Ok(None),
                },
                Slot::Part(part) => match part.encode(store, values)? {
                    Some(label) => store.assign_set(slot as Variable, &label, &below)?,
                    None => return Ok(None),
                },
                Slot::Queue(queue) => {
                    let word = queue.encode(store, values)?;
                    store.assign_set(slot as Variable, &word, &below)?
                }
            };
        }
        Ok(Some(below))
    }

    /// A state, given by the value of each variable, as the values of the slots. Nothing if a unit holds more than its
    /// token, or if there are levels.
    pub fn row(&self, values: &[i32]) -> Option<Vec<i32>> {
        let number = |slot: &Slot| match slot {
            Slot::Data(content) => content.encode(values),
            Slot::Part(_) | Slot::Queue(_) => None,
        };
        self.slots.iter().map(number).collect()
    }

    /// Reads the values of variables from a state.
    pub fn decode(&self, assignments: Assignments<'_>, values: &mut [i32]) {
        for Assignment { variable, value } in assignments {
            match (self.slots.get(variable as usize), value) {
                (Some(Slot::Data(content)), value) => {
                    if let Some(number) = value.integer() {
                        content.decode(number, values);
                    }
                }
                (Some(Slot::Part(part)), Value::State(inner)) => part.decode(inner, values),
                (Some(Slot::Queue(queue)), Value::State(inner)) => queue.decode(inner, values),
                _ => {}
            }
        }
    }

    /// Keeps the states in which a cell of a queue holds a letter, or nothing for 0; `None` if the variable is no cell.
    pub fn holding(&self, store: &mut Store, cell: u32, letter: i32) -> Option<Hom> {
        let slot = self.slot_of(cell)?;
        let inside = match &self.slots[slot as usize] {
            Slot::Queue(queue) if queue.cells.contains(&cell) => queue.holding(store, cell, letter),
            Slot::Part(part) => part.holding(store, cell, letter)?,
            Slot::Queue(_) | Slot::Data(_) => return None,
        };
        Some(store.local(slot, &inside))
    }

    /// A linear expression of variables as a weight and a constant. Cells of queues are in no such expression.
    pub fn weight(&self, terms: &[(u32, i64)]) -> (Weight, i64) {
        let mut constant = 0;
        let mut contributions = Vec::new();
        for (slot, terms) in self.by_slot(terms) {
            let contribution = match &self.slots[slot as usize] {
                Slot::Data(content) => {
                    let (contribution, plus) = content.contribution(&terms);
                    constant += plus;
                    contribution
                }
                Slot::Part(part) => {
                    let (inside, plus) = part.weight(&terms);
                    constant += plus;
                    Contribution::Inside(inside)
                }
                Slot::Queue(queue) => {
                    let own = terms.iter().filter(|(variable, _)| *variable == queue.place);
                    QueueSlot::weight(own.map(|(_, times)| times).sum())
                }
            };
            contributions.push((slot, contribution));
        }
        (Weight::new(contributions), constant)
    }

    /// Which slots count the members of which groups, given the group that each of some variables counts.
    pub fn arrangement(&self, groups: &[(u32, u32)]) -> Arrangement {
        let by_slot = self.by_slot(groups);
        let counters = by_slot.into_iter().map(|(slot, groups)| match &self.slots[slot as usize] {
            Slot::Data(content) => (slot, content.counter(&groups)),
            Slot::Part(part) => (slot, Counter::Inside(part.arrangement(&groups))),
            Slot::Queue(_) => (slot, Counter::Inside(Arrangement::new([]))),
        });
        Arrangement::new(counters)
    }

    /// The least and the greatest value of each variable in some sets of states, given to `see`.
    pub fn extents(&self, store: &Store, sets: &[Diagram], see: &mut dyn FnMut(u32, i32, i32)) {
        for (slot, extent) in store.extents(sets) {
            match (&self.slots[slot as usize], extent.integers) {
                (Slot::Data(content), Some((least, greatest))) => content.extents(least, greatest, see),
                (Slot::Part(part), _) => part.extents(store, &extent.labels, see),
                (Slot::Queue(queue), _) => {
                    if let Some((least, most)) = QueueSlot::lengths(store, &extent.labels) {
                        see(queue.place, least, most);
                    }
                }
                _ => {}
            }
        }
    }

    /// How often the states of some sets count if a variable with a value counts so often; nothing is said where it is 1.
    pub fn multiplicities(
        &self, store: &Store, sets: &[Diagram], often: &dyn Fn(u32, i32) -> Count, weighted: &dyn Fn(u32) -> bool,
    ) -> Multiplicities {
        let mut variables = Vec::new();
        for (slot, extent) in store.extents(sets) {
            match (&self.slots[slot as usize], extent.integers) {
                (Slot::Data(content), Some(extent)) => {
                    if let Some(values) = content.multiplicity(extent, often, weighted) {
                        variables.push((slot, Multiplicity::Values(values)));
                    }
                }
                (Slot::Part(part), _) => {
                    let inside = part.multiplicities(store, &extent.labels, often, weighted);
                    if !inside.is_empty() {
                        variables.push((slot, Multiplicity::Inside(inside)));
                    }
                }
                _ => {}
            }
        }
        Multiplicities::new(variables)
    }

    /// How many promised units hold more than their token; nothing if no unit is only promised.
    pub fn violations(&self) -> Option<Weight> {
        let mut contributions = Vec::new();
        for (slot, content) in self.slots.iter().enumerate() {
            let contribution = match content {
                Slot::Data(Content::Unit { promised: true, .. }) => Contribution::Table(vec![(VIOLATED, 1)]),
                Slot::Data(_) | Slot::Queue(_) => continue,
                Slot::Part(part) => match part.violations() {
                    Some(inside) => Contribution::Inside(inside),
                    None => continue,
                },
            };
            contributions.push((slot as Variable, contribution));
        }
        (!contributions.is_empty()).then(|| Weight::new(contributions))
    }
}

impl Content {
    /// Whom the number counts, given the group that each of some of its variables counts.
    fn counter(&self, groups: &[(u32, u32)]) -> Counter {
        let group_of = |variable: u32| groups.iter().find(|(of, _)| *of == variable).map(|(_, group)| *group);
        match self {
            Content::Number(followers) => {
                let counted = |one: &Follower| Some((group_of(one.variable)?, one.factor, one.offset));
                Counter::Numbers(followers.iter().filter_map(counted).collect())
            }
            Content::Unit { places, .. } => Counter::OneOf(places.iter().map(|&place| group_of(place)).collect()),
        }
    }

    /// What happens to the number if this happens to its variables.
    pub(crate) fn map(&self, cells: &[(u32, Cell)]) -> ValueMap {
        match self {
            Content::Number(followers) => number_map(followers, cells),
            Content::Unit { places, promised } => unit_map(places, *promised, cells),
        }
    }

    /// The number of a state with these values; nothing if it has none.
    pub fn encode(&self, values: &[i32]) -> Option<i32> {
        match self {
            Content::Number(followers) => {
                let Follower { variable, factor, offset } = *followers.first()?;
                values[variable as usize].checked_sub(offset)?.checked_mul(factor)
            }
            Content::Unit { places, .. } => {
                let mut marked = places.iter().enumerate().filter(|(_, place)| values[**place as usize] != 0);
                let value = match marked.next() {
                    None => 0,
                    Some((at, place)) if values[*place as usize] == 1 => at as i32 + 1,
                    Some(_) => return None,
                };
                marked.next().is_none().then_some(value)
            }
        }
    }

    /// Writes the values of its variables.
    pub fn decode(&self, number: i32, values: &mut [i32]) {
        match self {
            Content::Number(followers) => {
                for follower in followers {
                    values[follower.variable as usize] =
                        number.wrapping_mul(follower.factor).wrapping_add(follower.offset);
                }
            }
            Content::Unit { places, .. } => {
                for (at, place) in places.iter().enumerate() {
                    values[*place as usize] = i32::from(at as i32 + 1 == number);
                }
            }
        }
    }

    fn extents(&self, least: i32, greatest: i32, see: &mut dyn FnMut(u32, i32, i32)) {
        match self {
            Content::Number(followers) => {
                for follower in followers {
                    let of = |number: i32| number.wrapping_mul(follower.factor).wrapping_add(follower.offset);
                    let (a, b) = (of(least), of(greatest));
                    see(follower.variable, a.min(b), a.max(b));
                }
            }
            // Which of the places are ever marked is not looked at: their range is that of a unit.
            Content::Unit { places, .. } => {
                places.iter().for_each(|&place| see(place, 0, i32::from(greatest > 0)));
            }
        }
    }

    /// How often each number counts, if its variables count so often.
    fn multiplicity(
        &self, extent: (i32, i32), often: &dyn Fn(u32, i32) -> Count, weighted: &dyn Fn(u32) -> bool,
    ) -> Option<Vec<(i32, Count)>> {
        let exactness = Exactness::default();
        let product = |numbers: &mut dyn Iterator<Item = Count>| {
            numbers.fold(Count::one(), |product, number| product.mul(&number, &exactness))
        };
        match self {
            Content::Number(followers) => {
                let followers: Vec<&Follower> = followers.iter().filter(|one| weighted(one.variable)).collect();
                let of = |number: i32| {
                    let value = |one: &Follower| number.wrapping_mul(one.factor).wrapping_add(one.offset);
                    product(&mut followers.iter().map(|one| often(one.variable, value(one))))
                };
                (!followers.is_empty()).then(|| (extent.0..=extent.1).map(|number| (number, of(number))).collect())
            }
            Content::Unit { places, .. } => {
                let at: Vec<usize> = (0..places.len()).filter(|&at| weighted(places[at])).collect();
                let of = |number: i32| {
                    let tokens = |at: usize| i32::from(at as i32 + 1 == number);
                    product(&mut at.iter().map(|&at| often(places[at], tokens(at))))
                };
                (!at.is_empty()).then(|| (extent.0.max(0)..=extent.1).map(|number| (number, of(number))).collect())
            }
        }
    }

    /// What the number contributes to a linear expression of its variables, and a constant.
    fn contribution(&self, terms: &[(u32, i64)]) -> (Contribution, i64) {
        match self {
            Content::Number(followers) => {
                let (mut factor, mut constant) = (0, 0);
                for (variable, times) in terms {
                    for follower in followers.iter().filter(|follower| follower.variable == *variable) {
                        factor += times * i64::from(follower.factor);
                        constant += times * i64::from(follower.offset);
                    }
                }
                (Contribution::Times(factor), constant)
            }
            Content::Unit { places, .. } => {
                let mut table: FxHashMap<i32, i64> = FxHashMap::default();
                for (variable, times) in terms {
                    if let Some(at) = places.iter().position(|place| place == variable) {
                        *table.entry(at as i32 + 1).or_default() += times;
                    }
                }
                let mut table: Vec<_> = table.into_iter().collect();
                table.sort_unstable();
                (Contribution::Table(table), 0)
            }
        }
    }
}

fn number_map(followers: &[Follower], cells: &[(u32, Cell)]) -> ValueMap {
    let (mut low, mut high, mut change) = (i64::from(i32::MIN), i64::from(i32::MAX), Change::Add(0));
    for (variable, cell) in cells {
        let Some(follower) = followers.iter().find(|follower| follower.variable == *variable) else { continue };
        let (factor, offset) = (i64::from(follower.factor), i64::from(follower.offset));
        // An end that is open for the variable is open for the number.
        let end = |value: i32, open: i32| (value != open).then(|| (i64::from(value) - offset) * factor);
        let (mut least, mut most) = (end(cell.low, i32::MIN), end(cell.high, i32::MAX));
        if factor < 0 {
            std::mem::swap(&mut least, &mut most);
        }
        low = low.max(least.unwrap_or(low));
        high = high.min(most.unwrap_or(high));
        // All followers of a number change together: any of them says how.
        change = match cell.change {
            Change::Add(0) => change,
            Change::Add(delta) => Change::Add(delta * follower.factor),
            Change::Set(value) => Change::Set((value - follower.offset) * follower.factor),
        };
    }
    let clamp = |end: i64| end.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    if low > high {
        return ValueMap::relation([]);
    }
    Cell { low: clamp(low), high: clamp(high), change }.map()
}

fn unit_map(places: &[u32], promised: bool, cells: &[(u32, Cell)]) -> ValueMap {
    // Places by their number in the unit, from 1.
    let cells: Vec<(i32, Cell)> = cells
        .iter()
        .filter_map(|(variable, cell)| Some((places.iter().position(|place| place == variable)? as i32 + 1, *cell)))
        .collect();
    let after = |number: i32| {
        let mut moved = if cells.iter().any(|(place, _)| *place == number) { 0 } else { number };
        for &(place, cell) in &cells {
            match cell.apply(i32::from(place == number))? {
                0 => {}
                1 if moved == 0 => moved = place,
                // More than the only token: it cannot be, or a promise is broken.
                _ => return promised.then_some(VIOLATED),
            }
        }
        Some(moved)
    };
    let needed = cells.iter().find(|(_, cell)| cell.low >= 1).map(|(place, _)| *place);
    let numbers = match needed {
        Some(place) => place..=place,
        None => 0..=places.len() as i32,
    };
    ValueMap::relation(numbers.filter_map(|number| Some((number, after(number)?))))
}
