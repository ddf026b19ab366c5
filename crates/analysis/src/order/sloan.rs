//! Sloan's algorithm: from one end of the graph to the other, keeping the front narrow.
//!
//! The next is always a node at the front that brings few new nodes to it (few neighbours that are not there yet) and
//! is far from the end. Meijer and van de Pol ("Bandwidth and wavefront reduction for static variable ordering in
//! symbolic reachability analysis", 2016) found it among the best for decision diagrams, on the graph whose nodes are the
//! variables and the events; that is the graph here, and nothing in it is quadratic in the size of an event.

use super::heap::Heap;
use super::incidence::Incidence;
use super::search::Search;
use super::{Connections, Order};

/// How much the distance to the end counts, and how much the growth of the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SloanWeights {
    /// For each step of distance to the end.
    pub distance: u16,
    /// For each node that would come to the front.
    pub growth: u16,
}

impl Default for SloanWeights {
    fn default() -> SloanWeights {
        SloanWeights { distance: 1, growth: 8 }
    }
}

/// Sloan's order with the usual weights.
pub fn sloan(connections: &Connections) -> Order {
    sloan_with(connections, SloanWeights::default())
}

/// Sloan's order with given weights.
pub fn sloan_with(connections: &Connections, weights: SloanWeights) -> Order {
    let incidence = Incidence::whole(connections);
    let degrees = incidence.degrees();
    let mut search = Search::new(&incidence);
    let mut sloan = Sloan::new(&incidence, weights);
    for variable in incidence.all() {
        if sloan.status[variable as usize] != Status::Numbered {
            let start = search.end(variable, &degrees);
            sloan.component(start, &search);
        }
    }
    sloan.order
}

/// How near a node is to its number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Inactive,
    /// A neighbour of the front.
    Preactive,
    /// In the front: a neighbour of a numbered node.
    Active,
    Numbered,
}

/// Nodes are the variables, then the events.
struct Sloan<'a> {
    incidence: &'a Incidence,
    distance: i64,
    growth: i64,
    status: Vec<Status>,
    queue: Heap<i64>,
    order: Order,
}

impl<'a> Sloan<'a> {
    fn new(incidence: &'a Incidence, weights: SloanWeights) -> Sloan<'a> {
        let growth = i64::from(weights.growth);
        let rows = incidence.of_variable.iter().chain(incidence.events.iter());
        let priorities: Vec<i64> = rows.map(|row| -growth * (row.len() as i64 + 1)).collect();
        Sloan {
            incidence,
            distance: i64::from(weights.distance),
            growth,
            status: vec![Status::Inactive; priorities.len()],
            queue: Heap::new(priorities),
            order: Vec::with_capacity(incidence.variables),
        }
    }

    fn event(&self, event: u32) -> u32 {
        self.incidence.variables as u32 + event
    }

    /// Numbers a component from one end; the last search is the one from the opposite end.
    fn component(&mut self, start: u32, search: &Search) {
        let mut steps = 0;
        for level in search.levels() {
            for &variable in level {
                self.raise(variable, self.distance * steps);
                for &event in self.incidence.of_variable.row(variable) {
                    let node = self.event(event);
                    // An event is one step beyond its nearest variable, which is the first to come here.
                    if self.status[node as usize] == Status::Inactive {
                        self.status[node as usize] = Status::Preactive;
                        self.raise(node, self.distance * (steps + 1));
                    }
                }
            }
            steps += 2;
        }
        for &variable in search.visited() {
            for &event in self.incidence.of_variable.row(variable) {
                let node = self.event(event);
                self.status[node as usize] = Status::Inactive;
            }
        }
        self.enter(start);
        while let Some(node) = self.queue.pop() {
            self.number(node);
        }
    }

    fn raise(&mut self, node: u32, by: i64) {
        let priority = self.queue.priority(node);
        self.queue.set(node, priority + by);
    }

    /// Brings a node into the queue.
    fn enter(&mut self, node: u32) {
        if self.status[node as usize] == Status::Inactive {
            self.status[node as usize] = Status::Preactive;
            self.queue.insert(node);
        }
    }

    fn neighbours(&self, node: u32) -> (&'a [u32], u32) {
        match node.checked_sub(self.incidence.variables as u32) {
            None => (self.incidence.of_variable.row(node), self.incidence.variables as u32),
            Some(event) => (self.incidence.events.row(event), 0),
        }
    }

    fn number(&mut self, node: u32) {
        let (neighbours, offset) = self.neighbours(node);
        if self.status[node as usize] == Status::Preactive {
            // It comes to the front by itself, so each neighbour has one node less to bring.
            for &neighbour in neighbours {
                self.raise(offset + neighbour, self.growth);
                self.enter(offset + neighbour);
            }
        }
        self.status[node as usize] = Status::Numbered;
        if (node as usize) < self.incidence.variables {
            self.order.push(node);
        }
        for &neighbour in neighbours {
            if self.status[(offset + neighbour) as usize] == Status::Preactive {
                self.activate(offset + neighbour);
            }
        }
    }

    fn activate(&mut self, node: u32) {
        self.status[node as usize] = Status::Active;
        self.raise(node, self.growth);
        let (neighbours, offset) = self.neighbours(node);
        for &neighbour in neighbours {
            if self.status[(offset + neighbour) as usize] != Status::Numbered {
                self.raise(offset + neighbour, self.growth);
                self.enter(offset + neighbour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::samples;
    use crate::order::score::scores;

    #[test]
    fn a_hidden_path_is_recovered() {
        for seed in 0..20 {
            let (connections, hidden) = samples::hidden_path(300, seed);
            let order = sloan(&connections);
            let reverse: Order = order.iter().rev().copied().collect();
            assert!(order == hidden || reverse == hidden);
        }
    }

    #[test]
    fn the_front_of_a_hidden_grid_is_near_its_width() {
        for seed in 0..10 {
            let connections = samples::hidden_grid(10, 40, seed);
            let scores = scores(&connections, &sloan(&connections));
            assert!(scores.mean_wavefront < 14.0, "{scores:?}");
        }
    }
}
