//! A priority queue whose priorities change while it is used.

const ABSENT: u32 = u32::MAX;

/// Numbers below a bound, each with a priority, some of them in the queue. The one of greatest priority comes out
/// first, the smallest of those that are equal.
pub(super) struct Heap<P> {
    items: Vec<u32>,
    places: Vec<u32>,
    priorities: Vec<P>,
}

impl<P: Copy + Ord> Heap<P> {
    /// An empty queue for as many numbers as there are priorities.
    pub fn new(priorities: Vec<P>) -> Heap<P> {
        Heap { items: Vec::new(), places: vec![ABSENT; priorities.len()], priorities }
    }

    /// A queue in which all numbers are.
    pub fn full(priorities: Vec<P>) -> Heap<P> {
        let mut heap = Heap::new(priorities);
        heap.items = (0u32..).take(heap.priorities.len()).collect();
        for (place, &item) in (0u32..).zip(&heap.items) {
            heap.places[item as usize] = place;
        }
        for place in (0..heap.items.len() / 2).rev() {
            heap.sink(place);
        }
        heap
    }

    /// The priority of a number, whether or not it is in the queue.
    pub fn priority(&self, item: u32) -> P {
        self.priorities[item as usize]
    }

    /// Puts a number into the queue, if it is not there.
    pub fn insert(&mut self, item: u32) {
        if self.places[item as usize] == ABSENT {
            let place = self.items.len();
            self.places[item as usize] = place as u32;
            self.items.push(item);
            self.rise(place);
        }
    }

    /// Changes a priority; the number stays in the queue, or out of it.
    pub fn set(&mut self, item: u32, priority: P) {
        self.priorities[item as usize] = priority;
        let place = self.places[item as usize];
        if place != ABSENT {
            self.rise(place as usize);
            self.sink(self.places[item as usize] as usize);
        }
    }

    /// Takes out the number of greatest priority.
    pub fn pop(&mut self) -> Option<u32> {
        let last = self.items.pop()?;
        self.places[last as usize] = ABSENT;
        let Some(&first) = self.items.first() else { return Some(last) };
        self.places[first as usize] = ABSENT;
        self.put(0, last);
        self.sink(0);
        Some(first)
    }

    fn put(&mut self, place: usize, item: u32) {
        self.items[place] = item;
        self.places[item as usize] = place as u32;
    }

    fn before(&self, one: u32, other: u32) -> bool {
        let (this, that) = (self.priority(one), self.priority(other));
        this > that || (this == that && one < other)
    }

    fn rise(&mut self, mut place: usize) {
        let item = self.items[place];
        while place > 0 {
            let above = self.items[(place - 1) / 2];
            if !self.before(item, above) {
                break;
            }
            self.put(place, above);
            place = (place - 1) / 2;
        }
        self.put(place, item);
    }

    fn sink(&mut self, mut place: usize) {
        let item = self.items[place];
        loop {
            let mut below = 2 * place + 1;
            if below >= self.items.len() {
                break;
            }
            if below + 1 < self.items.len() && self.before(self.items[below + 1], self.items[below]) {
                below += 1;
            }
            if !self.before(self.items[below], item) {
                break;
            }
            self.put(place, self.items[below]);
            place = below;
        }
        self.put(place, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::samples::Random;

    #[test]
    fn the_greatest_comes_first_after_any_changes() {
        let mut random = Random::new(7);
        for _ in 0..200 {
            let mut heap = Heap::new((0..20).map(|_| random.below(5)).collect());
            let mut inside = [false; 20];
            for _ in 0..100 {
                let item = random.below(20);
                match random.below(4) {
                    0 => {
                        let best = (0..20u32)
                            .filter(|&item| inside[item as usize])
                            .max_by_key(|&item| (heap.priority(item), std::cmp::Reverse(item)));
                        assert_eq!(heap.pop(), best);
                        if let Some(best) = best {
                            inside[best as usize] = false;
                        }
                    }
                    1 => {
                        heap.insert(item);
                        inside[item as usize] = true;
                    }
                    _ => heap.set(item, random.below(5)),
                }
            }
        }
    }

    #[test]
    fn a_full_heap_sorts() {
        let mut heap = Heap::full(vec![3, 9, 3, 1, 9]);
        let sorted: Vec<u32> = std::iter::from_fn(|| heap.pop()).collect();
        assert_eq!(sorted, [1, 4, 0, 2, 3]);
    }
}
