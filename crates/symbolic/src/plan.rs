//! Ways to lay out a model: variables, their order and their hierarchy.

use mandala_model::net::Net;

use crate::layout::{Content, Layout, Slot};
use crate::order::communities::{Group, balanced, communities};
use crate::order::{Candidate, Connections, Heuristic, Order, candidates};
use crate::structure::semiflow::semiflows;
use crate::variables::{Grouping, connections, contents, supports};

/// How many operations the search for P-semiflows may take that orders look at.
const SEMIFLOW_BUDGET: u64 = 5_000_000;

/// The variables of a net with the orders that are worth a try, the most promising first.
#[derive(Clone, Debug)]
pub struct Plans {
    /// What the diagram variables stand for.
    pub contents: Vec<Content>,
    /// How the transitions connect them.
    pub connections: Connections,
    /// Orders.
    pub candidates: Vec<Candidate>,
}

/// Which levels a flat net gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hierarchy {
    /// None.
    Off,
    /// Neighbours in the order, in groups of at most so many.
    Balanced(usize),
    /// Communities of the graph.
    Communities,
}

impl Plans {
    /// The plans for a net.
    pub fn new(net: &Net, grouping: Grouping) -> Plans {
        let contents = contents(net, grouping);
        let connections = connections(net, &contents);
        let flows = semiflows(net, SEMIFLOW_BUDGET);
        let groups = flows.flows.iter().map(|flow| flow.weights.iter().map(|weight| weight.0).collect::<Vec<u32>>());
        let groups = supports(&contents, groups, net.places.len());
        let candidates = candidates(&connections, &groups);
        Plans { contents, connections, candidates }
    }

    /// The layout with an order and a hierarchy.
    pub fn layout(&self, order: &[u32], hierarchy: Hierarchy) -> Layout {
        match hierarchy {
            Hierarchy::Off => Layout::new(
                order.iter().map(|&variable| Slot::Data(self.contents[variable as usize].clone())).collect(),
            ),
            Hierarchy::Balanced(size) => self.grouped(&balanced(order, size)),
            Hierarchy::Communities => self.grouped(&communities(&self.connections, order)),
        }
    }

    fn grouped(&self, group: &Group) -> Layout {
        let Group::Group(members) = group else {
            return self.grouped(&Group::Group(vec![group.clone()]));
        };
        let slot = |member: &Group| match member {
            Group::Variable(variable) => Slot::Data(self.contents[*variable as usize].clone()),
            group => Slot::Part(self.grouped(group)),
        };
        Layout::new(members.iter().map(slot).collect())
    }

    /// Whether many places may hold several tokens: levels pay then, because the nodes of such places are wide.
    pub fn is_wide(&self) -> bool {
        let numbers = self.contents.iter().filter(|content| matches!(content, Content::Number(_))).count();
        2 * numbers > self.contents.len()
    }

    /// The order that a heuristic finds.
    pub fn order(&self, heuristic: Heuristic) -> Order {
        match self.candidates.iter().find(|candidate| candidate.heuristic == heuristic) {
            Some(candidate) => candidate.order.clone(),
            None => heuristic.order(&self.connections, &[]),
        }
    }
}

impl Plans {
    /// The order of the diagram variables if places stand in this order: a variable stands where its first place does.
    pub fn order_of_places(&self, places: &[u32]) -> Order {
        let mut variable_of = vec![None; places.len()];
        for (variable, content) in self.contents.iter().enumerate() {
            for place in content.variables() {
                if let Some(slot) = variable_of.get_mut(place as usize) {
                    *slot = Some(variable as u32);
                }
            }
        }
        let mut seen = vec![false; self.contents.len()];
        let variables = places.iter().filter_map(|&place| variable_of.get(place as usize).copied().flatten());
        let mut order: Order =
            variables.filter(|&variable| !std::mem::replace(&mut seen[variable as usize], true)).collect();
        order.extend((0..self.contents.len() as u32).filter(|&variable| !seen[variable as usize]));
        order
    }
}
