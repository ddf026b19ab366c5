//! Which values variables take, found without exploring anything.
//!
//! For each variable an interval, and for each variable of a process one for every state of that process: a counter
//! that is compared with 3 on the way into a state is less than 3 there. Steps are applied to intervals until nothing
//! grows any more. What grows for long goes to the bounds of its type, so this ends soon; what came out too wide because of
//! that shrinks when all steps are applied once more to what was found. What would take too long is left at the bounds of
//! the types. Where the intervals show that a value fits and that an index exists, nothing has to be checked when the
//! system runs. The error state is no part of this: who gets there does nothing any more.

use rustc_hash::FxHashMap;

use super::directory::Directory;
use super::interval::{self, Interval, Ranges};
use super::simplify::Condition;
use super::step::{Assignment, Move, Step};
use crate::system::Target;

/// So many rounds intervals grow as they like.
const ROUNDS: u32 = 20;
/// So many rounds everything may take; then all is left at the bounds of the types.
const MOST_ROUNDS: u32 = 60;
/// So many times everything may shrink in the end.
const NARROWINGS: u32 = 2;
/// How often an interval may be looked at.
const MOST_WORK: u64 = 10_000_000;

/// What is known of a variable, or of an array as a whole.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// The bounds of its type.
    widest: Interval,
    /// Whether it is an array.
    array: bool,
    /// The process whose variable it is, and its number among those of the process.
    local: Option<(usize, usize)>,
}

/// The intervals of all variables.
pub(super) struct Bounds {
    cells: Vec<Cell>,
    /// For each variable of the program, its cell.
    cell_of: Vec<usize>,
    /// For each cell, the interval over all states; `None` for a variable of a process nothing is known of yet.
    overall: Vec<Interval>,
    /// For each process and state, the intervals of the variables of the process; `None` if it is never there.
    states: Vec<Vec<Option<Vec<Interval>>>>,
    /// For each process, the cells of its variables.
    locals: Vec<Vec<usize>>,
    work: u64,
}

impl Bounds {
    /// Finds the intervals of a system with these steps.
    pub fn of(directory: &Directory, steps: &[Step]) -> Bounds {
        let mut bounds = Bounds::begin(directory);
        if !bounds.grow(steps) {
            bounds.give_up();
            return bounds;
        }
        for _ in 0..NARROWINGS {
            match bounds.narrowed(directory, steps) {
                Some(narrowed) => bounds = narrowed,
                None => break,
            }
        }
        bounds
    }

    /// Applies steps until nothing grows any more; `false` if that takes too long.
    fn grow(&mut self, steps: &[Step]) -> bool {
        for round in 0..MOST_ROUNDS {
            let mut grown = false;
            for step in steps {
                if let Some(changed) = self.after(step) {
                    let before = self.locals_before(step);
                    grown |= self.arrive(step, before, changed, round >= ROUNDS);
                }
                if self.work > MOST_WORK {
                    return false;
                }
            }
            if !grown {
                return true;
            }
        }
        false
    }

    /// What comes out when every step is applied once to what is known, which holds all that can happen: it holds all of
    /// that too, and may be less. `None` if that takes too long.
    fn narrowed(&mut self, directory: &Directory, steps: &[Step]) -> Option<Bounds> {
        let mut narrowed = Bounds { work: self.work, ..Bounds::begin(directory) };
        for step in steps {
            if let Some(changed) = self.after(step) {
                narrowed.arrive(step, self.locals_before(step), changed, false);
            }
            self.work += 4 + step.effects.len() as u64;
            if self.work.max(narrowed.work) > MOST_WORK {
                return None;
            }
        }
        Some(narrowed)
    }

    /// The bounds of the types, as if nothing were known of the steps.
    #[cfg(test)]
    pub fn of_types(directory: &Directory) -> Bounds {
        let mut bounds = Bounds::begin(directory);
        bounds.give_up();
        bounds
    }

    fn begin(directory: &Directory) -> Bounds {
        let program = &directory.program;
        let count = program.variables.len();
        let mut owner = vec![None; count];
        for (process, facts) in directory.processes.iter().enumerate() {
            let end = directory.processes.get(process + 1).map_or(count, |next| next.state as usize);
            owner[facts.state as usize + 1..end].fill(Some(process));
        }
        let mut array_at = vec![1; count];
        for array in &program.arrays {
            array_at[array.first as usize] = array.length as usize;
        }
        let mut is_array = vec![false; count];
        program.arrays.iter().for_each(|array| is_array[array.first as usize] = true);
        let mut bounds = Bounds {
            cells: Vec::new(),
            cell_of: vec![0; count],
            overall: Vec::new(),
            states: Vec::new(),
            locals: vec![Vec::new(); directory.processes.len()],
            work: 0,
        };
        let mut first = 0;
        while first < count {
            let end = first + array_at[first].max(1);
            let cell = bounds.cells.len();
            bounds.cell_of[first..end].fill(cell);
            let local = owner[first].map(|process| {
                bounds.locals[process].push(cell);
                (process, bounds.locals[process].len() - 1)
            });
            let (low, high) = directory.bounds[first];
            let widest = Interval::new(i64::from(low), i64::from(high));
            bounds.cells.push(Cell { widest, array: is_array[first], local });
            let initial = directory.initial[first..end].iter().map(|&value| Interval::of(value));
            bounds.overall.push(initial.reduce(Interval::join).unwrap_or(widest));
            first = end;
        }
        // The state of a process is known where it matters, and any of them elsewhere.
        for (process, facts) in directory.processes.iter().enumerate() {
            let state = bounds.cell_of[facts.state as usize];
            bounds.overall[state] = bounds.cells[state].widest;
            let mut states = vec![None; facts.states.len()];
            let initial = bounds.locals[process].iter().map(|&cell| bounds.overall[cell]).collect();
            if let Some(state) = states.get_mut(facts.initial as usize) {
                *state = Some(initial);
            }
            bounds.states.push(states);
        }
        bounds
    }

    /// Leaves everything at the bounds of the types.
    fn give_up(&mut self) {
        for (overall, cell) in self.overall.iter_mut().zip(&self.cells) {
            *overall = cell.widest;
        }
        for (states, locals) in self.states.iter_mut().zip(&self.locals) {
            // One process may have many states and many variables: the states share what is written down once.
            let widest: Vec<Interval> = locals.iter().map(|&cell| self.cells[cell].widest).collect();
            let room = widest.len().saturating_mul(states.len()) as u64;
            let widest = if room > MOST_WORK { Vec::new() } else { widest };
            states.iter_mut().for_each(|state| *state = Some(widest.clone()));
        }
    }

    /// What is known before a step; `None` if it can never be taken.
    pub fn before(&self, step: &Step) -> Option<Knowledge<'_>> {
        let mut places = Vec::with_capacity(step.moves.len());
        for way in &step.moves {
            places.push((way.process, self.states[way.process].get(way.from as usize)?.as_deref()?));
        }
        Some(Knowledge { bounds: self, places, changed: FxHashMap::default() })
    }

    /// What a step changes, if it can be taken and does not fail: cells and their intervals after it.
    fn after(&self, step: &Step) -> Option<FxHashMap<usize, Interval>> {
        let mut knowledge = self.before(step)?;
        if step.conflict || !step.conditions.iter().chain(&step.guards).all(|guard| knowledge.assume(guard)) {
            return None;
        }
        step.effects.iter().all(|effect| knowledge.assign(effect)).then_some(knowledge.changed)
    }

    /// The variables of those who take part in a step, before it.
    fn locals_before(&self, step: &Step) -> Vec<Vec<Interval>> {
        let before = |way: &Move| self.states[way.process].get(way.from as usize).cloned().flatten();
        step.moves.iter().map(|way| before(way).unwrap_or_default()).collect()
    }

    /// Those who take part in a step come to their states after it, with some variables changed; whether an interval grew.
    fn arrive(
        &mut self, step: &Step, before: Vec<Vec<Interval>>, changed: FxHashMap<usize, Interval>, hurry: bool,
    ) -> bool {
        self.work += 4 + step.effects.len() as u64;
        let mut grown = false;
        for (way, mut after) in step.moves.iter().zip(before) {
            let locals = &self.locals[way.process];
            self.work += locals.len() as u64;
            for (cell, range) in &changed {
                if let Some((owner, number)) = self.cells[*cell].local
                    && owner == way.process
                {
                    after[number] = *range;
                }
            }
            let Some(known) = self.states[way.process].get_mut(way.to as usize) else { continue };
            let Some(known) = known else {
                *known = Some(after);
                grown = true;
                continue;
            };
            for ((range, more), &cell) in known.iter_mut().zip(after).zip(locals) {
                grown |= grow(range, more, self.cells[cell].widest, hurry);
            }
        }
        for (cell, range) in changed {
            grown |= grow(&mut self.overall[cell], range, self.cells[cell].widest, hurry);
        }
        grown
    }
}

/// Lets an interval hold another, too; whether it grew.
fn grow(range: &mut Interval, more: Interval, widest: Interval, hurry: bool) -> bool {
    let joined = range.join(more);
    if joined == *range {
        return false;
    }
    let low = if hurry && joined.low < range.low { widest.low } else { joined.low };
    let high = if hurry && joined.high > range.high { widest.high } else { joined.high };
    *range = Interval::new(low, high);
    true
}

/// What is known at some point of a step.
#[derive(Clone)]
pub(super) struct Knowledge<'b> {
    bounds: &'b Bounds,
    /// Those who take part, with the intervals of their variables.
    places: Vec<(usize, &'b [Interval])>,
    /// What is known better, or has been changed: cells.
    changed: FxHashMap<usize, Interval>,
}

impl Knowledge<'_> {
    /// Notes that a condition holds; `false` if it cannot.
    pub fn assume(&mut self, condition: &Condition) -> bool {
        interval::assume(condition, true, self)
    }

    /// Notes that a condition does not hold; `false` if it must.
    pub fn assume_not(&mut self, condition: &Condition) -> bool {
        interval::assume(condition, false, self)
    }

    /// How much there is to copy.
    pub fn size(&self) -> u64 {
        1 + self.changed.len() as u64
    }

    /// Notes an assignment of a value that fits; `false` if none does.
    pub fn assign(&mut self, effect: &Assignment) -> bool {
        let (variable, whole) = match &effect.target {
            Target::Variable(variable) => (*variable, true),
            Target::Element { first, .. } => (*first, false),
        };
        let cell = self.bounds.cell_of[variable as usize];
        let facts = self.bounds.cells[cell];
        let fits = effect.width.map_or(facts.widest, Interval::of_type);
        let Some(mut range) = interval::of(&effect.value, self).meet(fits) else { return false };
        if !whole || facts.array {
            range = range.join(self.range(variable));
        }
        self.changed.insert(cell, range);
        true
    }
}

impl Ranges for Knowledge<'_> {
    fn range(&self, variable: u32) -> Interval {
        let cell = self.bounds.cell_of[variable as usize];
        if let Some(range) = self.changed.get(&cell) {
            return *range;
        }
        if let Some((owner, number)) = self.bounds.cells[cell].local
            && let Some((_, locals)) = self.places.iter().find(|(process, _)| *process == owner)
        {
            return locals.get(number).copied().unwrap_or(self.bounds.cells[cell].widest);
        }
        self.bounds.overall[cell]
    }

    fn refine(&mut self, variable: u32, range: Interval) {
        let cell = self.bounds.cell_of[variable as usize];
        if !self.bounds.cells[cell].array {
            self.changed.insert(cell, range);
        }
    }
}
