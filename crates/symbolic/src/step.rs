//! What one atomic action of an elementary type does, variable by variable.
//!
//! A [`Step`] lets a state pass if each of its variables lies in an interval, and then adds to it or replaces it.
//! Transitions of nets are steps, the bags of transitions that a composite fires together are steps, and the actions of
//! a program that stay within comparisons with constants and constant changes are sums of steps. Steps are closed under
//! sequence: two of them, one after the other, are one.

use mandala_diagram::ValueMap;
use mandala_model::net::queue::{Move, QueueNet};
use mandala_model::net::{Effect, Net, Overflow};

/// An action on variables, in ascending order of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Step {
    /// What happens to each variable that matters.
    pub cells: Vec<(u32, Cell)>,
    /// What happens to the words of queues, by the place of each, which is among the variables above. Programs have none.
    pub moves: Vec<(u32, Move)>,
}

/// What happens to one variable: values from `low` to `high` pass and change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The least value that passes; `i32::MIN` if there is none.
    pub low: i32,
    /// The greatest value that passes; `i32::MAX` if there is none.
    pub high: i32,
    /// What becomes of it.
    pub change: Change,
}

/// It matters that a sum leaves the 32 bits and comes in again at the other end, which no step says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wraps;

/// What becomes of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It grows (or shrinks).
    Add(i32),
    /// It is replaced.
    Set(i32),
}

impl Cell {
    /// Every value passes and stays.
    pub const ANY: Cell = Cell { low: i32::MIN, high: i32::MAX, change: Change::Add(0) };

    /// Values from `low` to `high` pass and stay.
    pub fn between(low: i32, high: i32) -> Cell {
        Cell { low, high, change: Change::Add(0) }
    }

    /// Every value passes and changes.
    pub fn changing(change: Change) -> Cell {
        Cell { change, ..Cell::ANY }
    }

    /// What an effect of a net does to the tokens of its place; nothing if it never lets a marking pass.
    pub fn of_effect(effect: &Effect, capacity: Option<i32>) -> Option<Cell> {
        let mut cell =
            Cell::between(effect.needs().max(0), effect.below.map_or(i32::MAX, |bound| bound.saturating_sub(1)));
        cell.change = if effect.reset { Change::Set(effect.put) } else { Change::Add(effect.put - effect.take) };
        if let Some(capacity) = capacity {
            match cell.change {
                Change::Add(delta) => cell.high = cell.high.min(clamp(i64::from(capacity) - i64::from(delta))),
                Change::Set(tokens) if tokens > capacity => return None,
                Change::Set(_) => {}
            }
        }
        (cell.low <= cell.high).then_some(cell)
    }

    /// This cell and then another, as one; nothing if no value passes both. Sums wrap around, as they do in programs; where
    /// the second cell lets pass what has wrapped around in the first, no cell does the same.
    pub fn then(self, next: Cell) -> Result<Option<Cell>, Wraps> {
        let (low, high, change) = match self.change {
            Change::Set(value) if value < next.low || value > next.high => return Ok(None),
            Change::Set(value) => match next.change {
                Change::Add(delta) => (self.low, self.high, Change::Set(value.wrapping_add(delta))),
                set => (self.low, self.high, set),
            },
            Change::Add(delta) => {
                let change = match next.change {
                    Change::Add(more) => Change::Add(delta.checked_add(more).ok_or(Wraps)?),
                    set => set,
                };
                if next.guard() == Cell::ANY {
                    (self.low, self.high, change)
                } else {
                    if self.wrapped(delta).is_some_and(|(least, most)| least <= next.high && next.low <= most) {
                        return Err(Wraps);
                    }
                    let before = |end: i32| i64::from(end) - i64::from(delta);
                    let low = before(next.low).max(self.low.into());
                    let high = before(next.high).min(self.high.into());
                    if low > high {
                        return Ok(None);
                    }
                    // Between the ends of this cell, both are 32 bits.
                    (low as i32, high as i32, change)
                }
            }
        };
        Ok(Some(Cell { low, high, change }))
    }

    /// What becomes of the values that pass and leave the 32 bits when this is added, from the least to the greatest.
    fn wrapped(self, delta: i32) -> Option<(i32, i32)> {
        let (first, last) = match delta {
            0 => return None,
            1.. => (self.low.max(i32::MAX - delta + 1), self.high),
            _ => (self.low, self.high.min(i32::MIN - delta - 1)),
        };
        (first <= last).then(|| (first.wrapping_add(delta), last.wrapping_add(delta)))
    }

    /// Only the condition.
    pub fn guard(self) -> Cell {
        Cell::between(self.low, self.high)
    }

    /// What it does to a value; nothing if the value does not pass or the result is no `i32`.
    pub fn apply(self, value: i32) -> Option<i32> {
        if value < self.low || value > self.high {
            return None;
        }
        match self.change {
            Change::Add(delta) => value.checked_add(delta),
            Change::Set(value) => Some(value),
        }
    }

    /// The cell as a map on values.
    pub fn map(self) -> ValueMap {
        let guard = ValueMap::between(self.low, self.high);
        let change = match self.change {
            Change::Add(delta) => ValueMap::add(delta),
            Change::Set(value) => ValueMap::assign(value),
        };
        guard.then(&change).unwrap_or(change)
    }
}

impl Step {
    /// The step of one variable.
    pub fn of(variable: u32, cell: Cell) -> Step {
        Step { cells: vec![(variable, cell)], moves: Vec::new() }
    }

    /// Transitions of a net that fire together; nothing if they never can.
    pub fn of_bag(net: &Net, transitions: &[u32]) -> Result<Option<Step>, Overflow> {
        let mut effects: Vec<Effect> = Vec::new();
        for &transition in transitions {
            for effect in &net.transitions[transition as usize].effects {
                match effects.binary_search_by_key(&effect.place, |known| known.place) {
                    Ok(at) => effects[at] = together(&effects[at], effect)?,
                    Err(at) => effects.insert(at, *effect),
                }
            }
        }
        let mut cells = Vec::with_capacity(effects.len());
        for effect in &effects {
            match Cell::of_effect(effect, net.places[effect.place as usize].capacity) {
                Some(cell) => cells.push((effect.place, cell)),
                None => return Ok(None),
            }
        }
        Ok(Some(Step { cells, moves: Vec::new() }))
    }

    /// Transitions of a net with queues that fire together, in this order; nothing if they never can.
    pub fn of_sequence(queues: &QueueNet, transitions: &[u32]) -> Result<Option<Step>, Overflow> {
        let (Some(counted), Some(moves)) = (Step::of_bag(&queues.net, transitions)?, queues.together(transitions))
        else {
            return Ok(None);
        };
        let moves = moves.into_iter().map(|one| (queues.queues[one.queue as usize].place, one));
        Ok(Some(Step { moves: moves.collect(), ..counted }))
    }

    /// This step and then another, as one; nothing if no state passes both. For steps without queues.
    pub fn then(&self, next: &Step) -> Result<Option<Step>, Wraps> {
        let mut cells = self.cells.clone();
        for &(variable, cell) in &next.cells {
            match cells.binary_search_by_key(&variable, |known| known.0) {
                Ok(at) => match cells[at].1.then(cell)? {
                    Some(both) => cells[at].1 = both,
                    None => return Ok(None),
                },
                Err(at) => cells.insert(at, (variable, cell)),
            }
        }
        Ok(Some(Step { cells, moves: Vec::new() }))
    }

    /// Each of some steps and then each of others.
    pub fn in_sequence(first: &[Step], second: &[Step]) -> Result<Vec<Step>, Wraps> {
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| a.then(b)));
        pairs.filter_map(Result::transpose).collect()
    }

    /// Only the condition.
    pub fn guard(&self) -> Step {
        let guards = self.cells.iter().map(|&(variable, cell)| (variable, cell.guard()));
        let is_queue = |variable: u32| self.moves.iter().any(|(place, _)| *place == variable);
        let cells = guards.filter(|guard| guard.1 != Cell::ANY || is_queue(guard.0)).collect();
        Step { cells, moves: self.moves.iter().map(|(place, one)| (*place, one.guard())).collect() }
    }
}

/// Two effects on one place at the same time.
fn together(a: &Effect, b: &Effect) -> Result<Effect, Overflow> {
    let below = match (a.below, b.below) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    Ok(Effect {
        place: a.place,
        take: a.take.checked_add(b.take).ok_or(Overflow)?,
        read: a.read.max(b.read),
        below,
        reset: a.reset || b.reset,
        put: a.put.checked_add(b.put).ok_or(Overflow)?,
    })
}

fn clamp(number: i64) -> i32 {
    number.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a cell does to a value where sums wrap around.
    fn applied(cell: Cell, value: i32) -> Option<i32> {
        let passes = cell.low <= value && value <= cell.high;
        passes.then(|| match cell.change {
            Change::Add(delta) => value.wrapping_add(delta),
            Change::Set(value) => value,
        })
    }

    #[test]
    fn cells_in_sequence_are_one() {
        let values: Vec<i32> =
            (-6i32..=6).flat_map(|near| [near, i32::MIN + near.abs(), i32::MAX - near.abs()]).collect();
        let ends = [
            (i32::MIN, 2),
            (0, 3),
            (-2, i32::MAX),
            (i32::MIN, i32::MAX),
            (i32::MIN, i32::MIN),
            (i32::MIN + 1, i32::MAX - 1),
            (i32::MAX - 2, i32::MAX),
        ];
        let changes = [
            Change::Add(-2),
            Change::Add(0),
            Change::Add(3),
            Change::Add(i32::MAX),
            Change::Add(i32::MIN),
            Change::Set(1),
            Change::Set(i32::MAX),
        ];
        let cells: Vec<Cell> =
            ends.into_iter().flat_map(|(low, high)| changes.map(|change| Cell { low, high, change })).collect();
        let mut exact = 0;
        for &a in &cells {
            for &b in &cells {
                let Ok(both) = a.then(b) else { continue };
                exact += 1;
                for &value in &values {
                    let expected = applied(a, value).and_then(|middle| applied(b, middle));
                    let found = both.and_then(|cell| applied(cell, value));
                    assert_eq!(found, expected, "{a:?} {b:?} {value}");
                }
            }
        }
        assert!(exact * 2 > cells.len() * cells.len(), "only {exact}");
    }
}
