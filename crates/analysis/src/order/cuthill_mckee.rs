//! Cuthill-McKee: breadth-first from one end of the graph, neighbours of few neighbours first.
//!
//! Made to keep the entries of a sparse matrix near its diagonal: variables that share an event get near places. The
//! reverse order has a smaller profile (George).

use super::incidence::Incidence;
use super::search::Search;
use super::{Connections, Order};

/// The order of Cuthill and McKee, component by component, each from a pseudo-peripheral variable.
pub fn cuthill_mckee(connections: &Connections) -> Order {
    let incidence = Incidence::whole(connections);
    let degrees = incidence.degrees();
    let mut search = Search::new(&incidence);
    let mut walk = Walk::new(&incidence, &degrees);
    for variable in incidence.all() {
        if !walk.placed[variable as usize] {
            let start = search.end(variable, &degrees);
            walk.component(start);
        }
    }
    walk.order
}

/// The reverse of [`cuthill_mckee`].
pub fn reverse_cuthill_mckee(connections: &Connections) -> Order {
    let mut order = cuthill_mckee(connections);
    order.reverse();
    order
}

struct Walk<'a> {
    incidence: &'a Incidence,
    degrees: &'a [u64],
    placed: Vec<bool>,
    expanded: Vec<bool>,
    order: Order,
}

impl<'a> Walk<'a> {
    fn new(incidence: &'a Incidence, degrees: &'a [u64]) -> Walk<'a> {
        let (placed, expanded) = (vec![false; incidence.variables], vec![false; incidence.events.len()]);
        Walk { incidence, degrees, placed, expanded, order: Vec::with_capacity(incidence.variables) }
    }

    fn component(&mut self, start: u32) {
        let mut next = self.order.len();
        self.placed[start as usize] = true;
        self.order.push(start);
        while let Some(&variable) = self.order.get(next) {
            next += 1;
            let begin = self.order.len();
            for &event in self.incidence.of_variable.row(variable) {
                if !std::mem::replace(&mut self.expanded[event as usize], true) {
                    for &other in self.incidence.events.row(event) {
                        if !std::mem::replace(&mut self.placed[other as usize], true) {
                            self.order.push(other);
                        }
                    }
                }
            }
            let degrees = self.degrees;
            self.order[begin..].sort_unstable_by_key(|&other| (degrees[other as usize], other));
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
            let (order, reverse) = (cuthill_mckee(&connections), reverse_cuthill_mckee(&connections));
            assert!(order == hidden || reverse == hidden);
        }
    }

    #[test]
    fn a_hidden_grid_has_a_bandwidth_near_its_width() {
        for seed in 0..10 {
            let connections = samples::hidden_grid(10, 40, seed);
            assert!(scores(&connections, &reverse_cuthill_mckee(&connections)).bandwidth <= 15);
        }
    }

    #[test]
    fn components_are_not_mixed() {
        let sets: Vec<Vec<u32>> = (0..20).map(|one| vec![one % 2, one]).collect();
        let order = cuthill_mckee(&samples::from_sets(20, &sets));
        let parities: Vec<u32> = order.iter().map(|one| one % 2).collect();
        assert_eq!(parities.windows(2).filter(|pair| pair[0] != pair[1]).count(), 1);
    }
}
