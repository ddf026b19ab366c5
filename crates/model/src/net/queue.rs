//! Nets in which some places are queues (the SDD paper, 2.1 and 4.3).
//!
//! A queue holds a *word*: letters in the order in which they came, at most as many as its capacity. A transition takes
//! letters from its front and puts letters at its end. Everything that is said of a place of a [`Net`] is said of a queue
//! too, its letters being its tokens: so a queue has a place in the net that holds as many tokens as the word has
//! letters, and what transitions take, read, inhibit, reset and put there is what they do to the length of the word. This
//! net without letters is what [`QueueNet::net`] is: whatever happens with letters happens there too, but not the other way
//! round, because a letter may be the wrong one.
//!
//! A **state** has the tokens of all places, and then one number per cell of each queue: the letter that is there, from 1
//! on, or 0 behind the end of the word.
//!
//! **Transitions that fire together** (definition 3.2 of the SDD paper) take one after the other, in the order in which they
//! are called, each what those before have left at the front; then all of them put, in that order. What they ask of the
//! length, they ask of the word before.

use super::Net;

/// A net some of whose places are queues.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueNet {
    /// The net that counts letters. Its initial markings have the cells of the queues behind the places; a place that is a
    /// queue has a capacity. It has no priorities and no units.
    pub net: Net,
    /// Its queues, in ascending order of places; at least one.
    pub queues: Vec<Queue>,
    /// What each transition does to the words of queues, in ascending order of queues; nothing where it says nothing of
    /// letters.
    pub moves: Vec<Vec<Move>>,
}

/// A queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// The place that counts its letters.
    pub place: u32,
    /// The letters that it may hold, by name; the first has the number 1.
    pub letters: Vec<String>,
    /// The variable of its first cell.
    pub first: u32,
    /// The names of its cells, from the front: as many as it may hold letters.
    pub cells: Vec<String>,
}

/// What happens to the word of a queue: its front is looked at, some of it is taken, and letters come to its end.
///
/// How many letters must be there in all, how many there may be, and whether the queue is emptied before letters are put,
/// is said by the effect on the place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Move {
    /// The queue, an index into [`QueueNet::queues`].
    pub queue: u32,
    /// What the word must begin with; `None` is any letter. At least as long as `take`.
    pub front: Vec<Option<u32>>,
    /// How many letters are taken.
    pub take: u32,
    /// The letters that are put.
    pub put: Vec<u32>,
}

impl Move {
    /// This move and then another one, both before anything is put; nothing if they ask for different letters.
    pub fn then(&self, next: &Move) -> Option<Move> {
        let mut front = self.front.clone();
        for (at, &letter) in (self.take as usize..).zip(&next.front) {
            match front.get_mut(at) {
                None => front.push(letter),
                Some(known) => match (&*known, letter) {
                    (Some(one), Some(other)) if *one != other => return None,
                    (None, _) => *known = letter,
                    _ => {}
                },
            }
        }
        let put = [self.put.as_slice(), &next.put].concat();
        Some(Move { queue: self.queue, front, take: self.take + next.take, put })
    }

    /// Only what must be there.
    pub fn guard(&self) -> Move {
        Move { take: 0, put: Vec::new(), ..self.clone() }
    }

    /// Whether a word begins as it must.
    fn allows(&self, word: &[i32]) -> bool {
        let is = |(letter, &there): (&Option<u32>, &i32)| there > 0 && letter.is_none_or(|one| one as i32 == there);
        self.front.len() <= word.len() && self.front.iter().zip(word).all(is)
    }
}

impl QueueNet {
    /// A net with queues at some of its places, given with their letters in ascending order, and what its transitions do to
    /// them. Markings get their cells, all empty; places that are queues must have a capacity.
    pub fn new(mut net: Net, queues: Vec<(u32, Vec<String>)>, moves: Vec<Vec<Move>>) -> QueueNet {
        let mut first = net.places.len() as u32;
        let mut made = Vec::with_capacity(queues.len());
        for (place, letters) in queues {
            let Some(one) = net.places.get(place as usize) else { continue };
            let cells = (0..one.capacity.unwrap_or(0)).map(|cell| format!("{}[{cell}]", one.name)).collect();
            let queue = Queue { place, letters, first, cells };
            first += queue.capacity();
            made.push(queue);
        }
        net.initial.iter_mut().for_each(|initial| initial.marking.resize(first as usize, 0));
        QueueNet { net, queues: made, moves }
    }

    /// How many numbers a state has.
    pub fn size(&self) -> usize {
        self.net.places.len() + self.queues.iter().map(|queue| queue.cells.len()).sum::<usize>()
    }

    /// The net that only counts letters: all that happens here happens there, and perhaps more.
    pub fn counted(&self) -> Net {
        let mut net = self.net.clone();
        let places = net.places.len();
        net.initial.iter_mut().for_each(|initial| initial.marking.truncate(places));
        net
    }

    /// The queue at a place, if it is one.
    pub fn queue_at(&self, place: u32) -> Option<&Queue> {
        self.queues.binary_search_by_key(&place, |queue| queue.place).ok().map(|at| &self.queues[at])
    }

    /// The queue that has a variable as a cell.
    pub fn queue_of_cell(&self, variable: u32) -> Option<&Queue> {
        let at = self.queues.partition_point(|queue| queue.first <= variable).checked_sub(1)?;
        self.queues.get(at).filter(|queue| queue.range().contains(&(variable as usize)))
    }

    /// The names of all numbers of a state: those of places, and `name[0]` for the cell at the front of a queue.
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        let places = self.net.places.iter().map(|place| place.name.as_str());
        places.chain(self.queues.iter().flat_map(|queue| queue.cells.iter().map(String::as_str)))
    }

    /// The name of a queue.
    pub fn name_of(&self, queue: &Queue) -> &str {
        self.net.places.get(queue.place as usize).map_or("", |place| place.name.as_str())
    }

    /// What some transitions do to queues when they fire together, in this order, by queue; nothing if they never can.
    pub fn together(&self, transitions: &[u32]) -> Option<Vec<Move>> {
        let mut all: Vec<Move> = Vec::new();
        for one in transitions.iter().flat_map(|&transition| &self.moves[transition as usize]) {
            match all.binary_search_by_key(&one.queue, |known| known.queue) {
                Ok(at) => all[at] = all[at].then(one)?,
                Err(at) => all.insert(at, one.clone()),
            }
        }
        Some(all)
    }

    /// Whether the words in a state begin as moves want them to.
    pub fn words_allow(&self, moves: &[Move], state: &[i32]) -> bool {
        moves.iter().all(|one| one.allows(&state[self.queues[one.queue as usize].range()]))
    }

    /// The state that moves lead to if words and tokens allow them, given the state before and the one in which only tokens
    /// have changed, and which places are emptied.
    pub fn moved(
        &self, moves: &[Move], before: &[i32], mut after: Vec<i32>, is_reset: impl Fn(u32) -> bool,
    ) -> Vec<i32> {
        for queue in self.queues.iter().filter(|queue| is_reset(queue.place)) {
            after[queue.range()].fill(0);
        }
        for one in moves {
            let queue = &self.queues[one.queue as usize];
            let word = before[queue.range()].iter().copied().take_while(|&letter| letter > 0);
            let kept = word.skip(one.take as usize).filter(|_| !is_reset(queue.place));
            let word: Vec<i32> = kept.chain(one.put.iter().map(|&letter| letter as i32)).collect();
            let letters = word.into_iter().chain(std::iter::repeat(0));
            after[queue.range()].iter_mut().zip(letters).for_each(|(cell, letter)| *cell = letter);
        }
        after
    }
}

impl Queue {
    /// How many letters it may hold.
    pub fn capacity(&self) -> u32 {
        self.cells.len() as u32
    }

    /// Where its cells are in a state.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.cells.len()
    }

    /// The letter with a number, if there is one.
    pub fn letter(&self, number: i32) -> Option<&str> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        self.letters.get(at).map(String::as_str)
    }

    /// The number of a letter.
    pub fn number(&self, letter: &str) -> Option<u32> {
        self.letters.iter().position(|one| one == letter).map(|at| at as u32 + 1)
    }

    /// Its word in a state, as it is written: `[ping, pong]`.
    pub fn word(&self, state: &[i32]) -> String {
        let cells = state.get(self.range()).unwrap_or(&[]);
        let letters: Vec<&str> = cells.iter().map_while(|&cell| self.letter(cell)).collect();
        format!("[{}]", letters.join(", "))
    }
}
