//! Queues on diagrams: sequences of different lengths as the value of one variable (the SDD paper, 2.1).
//!
//! A queue is a variable with structure. Inside it is the number of its letters, and then one variable that repeats, once
//! per letter: the queue that holds `a, b` is `length = 2; letter = a; letter = b`. Because the same variable repeats, what
//! is behind the first letter of a word is a word itself: to take from the front is to follow an arc, and words share their
//! ends. The SDD paper puts a marker at the end of each word; here the length before it tells words of different lengths
//! apart, so that they go together in one diagram, and everything that is asked of the tokens of a place can be asked of
//! the length of a queue.

use mandala_diagram::{
    Answer, Assignment, Assignments, Contribution, Diagram, Error, Hom, Inductive, Store, ValueMap, Variable, Weight,
};
use mandala_model::net::queue::{Move, Queue};

use crate::step::{Cell, Change};

/// How many letters there are.
const LENGTH: Variable = 0;
/// A letter; as often as there are letters.
const LETTER: Variable = 1;

/// Where a queue is among the variables of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueSlot {
    /// The place that counts its letters.
    pub place: u32,
    /// The variables of its cells.
    pub cells: std::ops::Range<u32>,
    /// How many different letters it may hold.
    pub letters: u32,
}

impl QueueSlot {
    /// The slot of a queue.
    pub fn new(queue: &Queue) -> QueueSlot {
        let cells = queue.first..queue.first + queue.capacity();
        QueueSlot { place: queue.place, cells, letters: queue.letters.len() as u32 }
    }

    /// What happens to the queue if this happens to its length and this to its word.
    pub(crate) fn hom(&self, store: &mut Store, cell: Cell, one: Option<&Move>) -> Result<Hom, Error> {
        let mut links = Vec::new();
        let (front, take) = one.map_or((&[][..], 0), |one| (one.front.as_slice(), one.take as usize));
        let look = match front.is_empty() {
            true => None,
            false => Some(store.inductive(Front { wanted: front.to_vec(), take, letters: self.letters })),
        };
        match cell.change {
            Change::Add(_) => {
                links.push(store.value(LENGTH, cell.map()));
                links.extend(look);
            }
            Change::Set(length) => {
                links.push(store.value(LENGTH, cell.guard().map()));
                links.extend(look);
                let empty = store.state(&[(LENGTH, 0)])?;
                links.push(store.constant(&empty));
                links.push(store.value(LENGTH, ValueMap::add(length)));
            }
        }
        let put: Vec<(Variable, i32)> =
            one.map_or(&[][..], |one| &one.put).iter().map(|&letter| (LETTER, letter as i32)).collect();
        if !put.is_empty() {
            let word = store.state(&put)?;
            links.push(store.append(&word));
        }
        Ok(store.sequence(&links))
    }

    /// The queue in a state, given by the value of each variable.
    pub(crate) fn encode(&self, store: &mut Store, values: &[i32]) -> Result<Diagram, Error> {
        let length = values[self.place as usize];
        let cells = self.cells.clone().take(length.max(0) as usize);
        let letters = cells.map(|cell| (LETTER, values[cell as usize]));
        let word: Vec<(Variable, i32)> = [(LENGTH, length)].into_iter().chain(letters).collect();
        store.state(&word)
    }

    /// Reads the values of variables.
    pub(crate) fn decode(&self, assignments: Assignments<'_>, values: &mut [i32]) {
        let mut cells = self.cells.clone();
        for Assignment { variable, value } in assignments {
            let Some(number) = value.integer() else { continue };
            match variable {
                LENGTH => values[self.place as usize] = number,
                _ => {
                    if let Some(cell) = cells.next() {
                        values[cell as usize] = number;
                    }
                }
            }
        }
        cells.for_each(|cell| values[cell as usize] = 0);
    }

    /// So many times its length.
    pub(crate) fn weight(times: i64) -> Contribution {
        Contribution::Inside(Weight::new([(LENGTH, Contribution::Times(times))]))
    }

    /// Keeps the words that have a letter in a cell; with 0, those that end before it.
    pub(crate) fn holding(&self, store: &mut Store, cell: u32, letter: i32) -> Hom {
        let index = cell.saturating_sub(self.cells.start);
        store.inductive(Holding { index, letter })
    }

    /// The least and the greatest length in some sets of words.
    pub(crate) fn lengths(store: &Store, words: &[Diagram]) -> Option<(i32, i32)> {
        store.extents(words).get(&LENGTH).and_then(|extent| extent.integers)
    }
}

/// Looks at the front of a word, and takes some of it.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Front {
    /// The letters that must be there; `None` is any.
    wanted: Vec<Option<u32>>,
    /// How many of them are taken.
    take: usize,
    /// How many different letters there are.
    letters: u32,
}

impl Front {
    /// What is left to be seen behind the first letter.
    fn rest(&self, store: &mut Store) -> Hom {
        match self.wanted.len() {
            0 | 1 => store.identity(),
            _ => store.inductive(Front {
                wanted: self.wanted[1..].to_vec(),
                take: self.take.saturating_sub(1),
                letters: self.letters,
            }),
        }
    }

    /// All words of letters that may be taken.
    fn taken(&self, store: &mut Store) -> Result<Diagram, Error> {
        let mut words = store.one();
        for wanted in self.wanted[..self.take].iter().rev() {
            let letters = match wanted {
                Some(letter) => *letter..*letter + 1,
                None => 1..self.letters + 1,
            };
            let mut all = Vec::new();
            for letter in letters {
                all.push(store.assign(LETTER, letter as i32, &words)?);
            }
            words = store.union_of(&all)?;
        }
        Ok(words)
    }
}

impl Inductive for Front {
    fn skips(&self, variable: Variable) -> bool {
        variable == LENGTH
    }

    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        if self.wanted[0].is_some_and(|letter| letter as i32 != value) {
            return Ok(Answer::Drop);
        }
        let rest = self.rest(store);
        Ok(if self.take > 0 { Answer::Whole(rest) } else { Answer::Keep(rest) })
    }

    fn is_selector(&self) -> bool {
        self.take == 0
    }

    fn inverse(&self, store: &mut Store, possible: &Diagram) -> Result<Option<Hom>, Error> {
        let mut links = Vec::new();
        if self.take < self.wanted.len() {
            let wanted = self.wanted[self.take..].to_vec();
            links.push(store.inductive(Front { wanted, take: 0, letters: self.letters }));
        }
        let words = self.taken(store)?;
        let back = store.prepend(&words);
        links.push(store.inductive(BehindLength(back)));
        links.push(store.intersect(possible));
        Ok(Some(store.sequence(&links)))
    }
}

/// Does something to the word behind its length.
#[derive(Debug, PartialEq, Eq, Hash)]
struct BehindLength(Hom);

impl Inductive for BehindLength {
    fn skips(&self, _: Variable) -> bool {
        false
    }

    fn at_value(&self, _: &mut Store, _: Variable, _: i32) -> Result<Answer, Error> {
        Ok(Answer::Keep(self.0.clone()))
    }
}

/// Keeps the words that have a letter at a place, from 0 on; the letter 0 is where there is none.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Holding {
    index: u32,
    letter: i32,
}

impl Inductive for Holding {
    fn skips(&self, variable: Variable) -> bool {
        variable == LENGTH
    }

    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        Ok(match self.index {
            0 if value == self.letter => Answer::Keep(store.identity()),
            0 => Answer::Drop,
            index => Answer::Keep(store.inductive(Holding { index: index - 1, letter: self.letter })),
        })
    }

    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        Ok(if self.letter == 0 { store.one() } else { store.zero() })
    }

    fn is_selector(&self) -> bool {
        true
    }
}
