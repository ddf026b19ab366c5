//! Which values variables take, found without exploring anything.
//!
//! For each variable an interval, and for each variable of a process one for every state of that process: a counter
//! that is compared with 3 on the way into a state is less than 3 there. Steps are applied to intervals until nothing
//! grows any more. What grows for long goes to the bounds of its type, so this ends soon; what would take too long is
//! left at the bounds of the types. Where the intervals show that a value fits and that an index exists, nothing has to
//! be checked when the system runs.

use rustc_hash::FxHashMap;

use super::directory::Directory;
use super::fold::Condition;
use super::interval::{self, Interval, Ranges};
use super::step::{Assignment, Step};
use crate::system::Target;

/// So many rounds intervals grow as they like.
const ROUNDS: u32 = 20;
/// So many rounds everything may take; then all is left at the bounds of the types.
const MOST_ROUNDS: u32 = 60;
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
        for round in 0..MOST_ROUNDS {
            let mut grown = false;
            for step in steps {
                grown |= bounds.apply(step, round >= ROUNDS);
                if bounds.work > MOST_WORK {
                    bounds.give_up();
                    return bounds;
                }
            }
            if !grown {
                return bounds;
            }
        }
        bounds.give_up();
        bounds
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

    /// Applies a step to the intervals; whether one of them grew.
    fn apply(&mut self, step: &Step, hurry: bool) -> bool {
        self.work += 4 + step.effects.len() as u64;
        let Some(mut knowledge) = self.before(step) else { return false };
        if step.conflict || !step.conditions.iter().chain(&step.guards).all(|guard| knowledge.assume(guard)) {
            return false;
        }
        step.effects.iter().for_each(|effect| knowledge.assign(effect));
        let changed = knowledge.changed;
        let mut grown = false;
        for way in &step.moves {
            grown |= self.arrive(way.process, way.from as usize, way.to as usize, &changed, hurry);
        }
        for (cell, range) in changed {
            grown |= grow(&mut self.overall[cell], range, self.cells[cell].widest, hurry);
        }
        grown
    }

    /// A process comes from one state to another, with some of its variables changed.
    fn arrive(
        &mut self, process: usize, from: usize, to: usize, changed: &FxHashMap<usize, Interval>, hurry: bool,
    ) -> bool {
        let locals = &self.locals[process];
        self.work += locals.len() as u64;
        let Some(Some(before)) = self.states[process].get(from) else { return false };
        let mut after = before.clone();
        for (cell, range) in changed {
            if let Some((owner, number)) = self.cells[*cell].local
                && owner == process
            {
                after[number] = *range;
            }
        }
        let Some(known) = self.states[process].get_mut(to) else { return false };
        match known {
            None => {
                *known = Some(after);
                true
            }
            Some(known) => {
                let mut grown = false;
                for ((range, more), &cell) in known.iter_mut().zip(after).zip(locals) {
                    grown |= grow(range, more, self.cells[cell].widest, hurry);
                }
                grown
            }
        }
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

    /// Whether the value of an assignment fits without being cut.
    pub fn fits(&self, effect: &Assignment) -> bool {
        let Some(width) = effect.width else { return true };
        let (low, high) = width.bounds();
        interval::of(&effect.value, self).within(Interval::new(i64::from(low), i64::from(high)))
    }

    /// Notes an assignment.
    pub fn assign(&mut self, effect: &Assignment) {
        let (variable, whole) = match &effect.target {
            Target::Variable(variable) => (*variable, true),
            Target::Element { first, .. } => (*first, false),
        };
        let cell = self.bounds.cell_of[variable as usize];
        let facts = self.bounds.cells[cell];
        let mut range = interval::of(&effect.value, self);
        if !range.within(facts.widest) {
            range = facts.widest;
        }
        if !whole || facts.array {
            range = range.join(self.range(variable));
        }
        self.changed.insert(cell, range);
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
