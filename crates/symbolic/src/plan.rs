//! Ways to lay out a model: variables, their order and their hierarchy.

use mandala_model::net::Net;
use mandala_model::net::queue::QueueNet;
use mandala_model::system::Program;
use rustc_hash::FxHashMap;

use crate::layout::{Content, Layout, Slot};
use crate::queue::QueueSlot;
use crate::variables::{Grouping, connections, contents, nesting, program_connections, supports, variable_of};
use mandala_analysis::order::communities::{Group, balanced, communities};
use mandala_analysis::order::{Candidate, Connections, Heuristic, Order, Tokens, candidates};
use mandala_analysis::structure::Structure;

/// The variables of a net with the orders that are worth a try, the most promising first.
#[derive(Clone, Debug)]
pub struct Plans {
    /// What the diagram variables stand for.
    pub contents: Vec<Content>,
    /// How the transitions connect them.
    pub connections: Connections,
    /// The supports of P-semiflows, as sets of variables.
    pub supports: Vec<Vec<u32>>,
    /// For each variable, the declared units that it is nested in, from the outermost inwards. The one that holds all
    /// of the net is left out.
    pub nesting: Vec<Vec<u32>>,
    /// Orders.
    pub candidates: Vec<Candidate>,
    /// Whether there can be no levels: expressions are evaluated on one.
    pub is_flat: bool,
    /// The queues of the net. The diagram variable of the place of each stands for nothing else.
    pub queues: Vec<QueueSlot>,
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
    /// The supports of P-semiflows, where they do not overlap: what goes round inside a part stays inside it.
    Semiflows,
    /// Units as they are nested in the file.
    Units,
}

impl Plans {
    /// The plans for a net with this structure.
    pub fn new(net: &Net, structure: &Structure, grouping: Grouping) -> Plans {
        Plans::of_contents(net, structure, contents(net, structure, grouping))
    }

    /// The plans for a net with this structure and these variables.
    pub fn of_contents(net: &Net, structure: &Structure, contents: Vec<Content>) -> Plans {
        let tokens = Tokens::new(net, structure, variable_of(&contents));
        let connections = Connections { tokens, ..connections(net, &contents) };
        let groups = structure
            .semiflows
            .flows
            .iter()
            .map(|flow| flow.weights.iter().map(|weight| weight.0).collect::<Vec<u32>>());
        let supports = supports(&contents, groups);
        let candidates = candidates(&connections, &supports);
        let nesting = nesting(net, &contents);
        Plans { contents, connections, supports, nesting, candidates, is_flat: false, queues: Vec::new() }
    }

    /// The plans for a net with queues, given the structure of the net that counts their letters. A queue is a variable of its
    /// own, whatever its length says of other places.
    pub fn of_queues(queues: &QueueNet, structure: &Structure) -> Plans {
        let is_queue = |place: &u32| queues.queue_at(*place).is_some();
        let mut separate = Vec::new();
        for content in contents(&queues.net, structure, Grouping::Proven) {
            let places = content.variables();
            match content {
                content if !places.iter().any(is_queue) => separate.push(content),
                Content::Unit { places, promised } => {
                    let (own, others): (Vec<u32>, Vec<u32>) = places.into_iter().partition(is_queue);
                    separate.extend(own.into_iter().map(Content::single));
                    match others[..] {
                        [] => {}
                        [one] => separate.push(Content::single(one)),
                        _ => separate.push(Content::Unit { places: others, promised }),
                    }
                }
                Content::Number(_) => separate.extend(places.into_iter().map(Content::single)),
            }
        }
        separate.sort_by_key(|content| content.variables().into_iter().min());
        let plans = Plans::of_contents(&queues.net, structure, separate);
        Plans { queues: queues.queues.iter().map(QueueSlot::new).collect(), ..plans }
    }

    /// The slot of a diagram variable.
    fn slot(&self, variable: u32) -> Slot {
        let content = &self.contents[variable as usize];
        let queue = self.queues.iter().find(|queue| *content == Content::single(queue.place));
        match queue {
            Some(queue) => Slot::Queue(queue.clone()),
            None => Slot::Data(content.clone()),
        }
    }

    /// The plans for a program, a variable each.
    pub fn of_program(program: &Program) -> Plans {
        let contents: Vec<Content> = (0..program.variables.len() as u32).map(Content::single).collect();
        let (connections, is_of_steps) = program_connections(program);
        let candidates = candidates(&connections, &[]);
        let nesting = vec![Vec::new(); contents.len()];
        Plans {
            contents,
            connections,
            supports: Vec::new(),
            nesting,
            candidates,
            is_flat: !is_of_steps,
            queues: Vec::new(),
        }
    }

    /// The layout with an order and a hierarchy.
    pub fn layout(&self, order: &[u32], hierarchy: Hierarchy) -> Layout {
        match if self.is_flat { Hierarchy::Off } else { hierarchy } {
            Hierarchy::Off => Layout::new(order.iter().map(|&variable| self.slot(variable)).collect()),
            Hierarchy::Balanced(size) => self.grouped(&balanced(order, size)),
            Hierarchy::Communities => self.grouped(&communities(&self.connections, order)),
            Hierarchy::Semiflows => self.grouped(&self.semiflow_groups(order)),
            Hierarchy::Units => self.grouped(&Group::Group(self.unit_groups(order, 0))),
        }
    }

    /// Whether declared units are nested, so that they give levels.
    pub fn has_nested_units(&self) -> bool {
        let order: Vec<u32> = (0..self.contents.len() as u32).collect();
        Group::Group(self.unit_groups(&order, 0)).depth() > 1
    }

    /// Parts from the units at a depth of the nesting. A part stands where the first of its variables does; a unit with
    /// one member is no part.
    fn unit_groups(&self, order: &[u32], depth: usize) -> Vec<Group> {
        let mut members: Vec<Result<u32, Vec<u32>>> = Vec::new();
        let mut place_of: FxHashMap<u32, usize> = FxHashMap::default();
        for &variable in order {
            match self.nesting[variable as usize].get(depth) {
                None => members.push(Ok(variable)),
                Some(&unit) => {
                    let place = *place_of.entry(unit).or_insert_with(|| {
                        members.push(Err(Vec::new()));
                        members.len() - 1
                    });
                    if let Err(inner) = &mut members[place] {
                        inner.push(variable);
                    }
                }
            }
        }
        let group = |member: Result<u32, Vec<u32>>| match member {
            Ok(variable) => Group::Variable(variable),
            Err(inner) => {
                let mut groups = self.unit_groups(&inner, depth + 1);
                if groups.len() == 1 { groups.remove(0) } else { Group::Group(groups) }
            }
        };
        members.into_iter().map(group).collect()
    }

    /// Parts from the supports of semiflows, small ones first because those overlap least, and all else by itself. A
    /// part stands where the first of its variables does.
    fn semiflow_groups(&self, order: &[u32]) -> Group {
        let mut supports: Vec<&Vec<u32>> = self.supports.iter().collect();
        supports.sort_by_key(|support| support.len());
        let mut part_of: Vec<Option<usize>> = vec![None; self.contents.len()];
        for (part, support) in supports.iter().enumerate() {
            if support.len() > 1 && support.iter().all(|&variable| part_of[variable as usize].is_none()) {
                support.iter().for_each(|&variable| part_of[variable as usize] = Some(part));
            }
        }
        let mut place_of: Vec<Option<usize>> = vec![None; supports.len()];
        let mut members: Vec<Group> = Vec::new();
        for &variable in order {
            let Some(part) = part_of[variable as usize] else {
                members.push(Group::Variable(variable));
                continue;
            };
            let place = *place_of[part].get_or_insert_with(|| {
                members.push(Group::Group(Vec::new()));
                members.len() - 1
            });
            if let Group::Group(inner) = &mut members[place] {
                inner.push(Group::Variable(variable));
            }
        }
        Group::Group(members)
    }

    fn grouped(&self, group: &Group) -> Layout {
        let Group::Group(members) = group else {
            return self.grouped(&Group::Group(vec![group.clone()]));
        };
        let slot = |member: &Group| match member {
            Group::Variable(variable) => self.slot(*variable),
            group => Slot::Part(self.grouped(group)),
        };
        Layout::new(members.iter().map(slot).collect())
    }

    /// Whether some variable is only promised by the file to be one.
    pub fn relies_on_promises(&self) -> bool {
        self.contents.iter().any(|content| matches!(content, Content::Unit { promised: true, .. }))
    }

    /// Whether many places may hold several tokens: levels pay then, because the nodes of such places are wide.
    pub fn is_wide(&self) -> bool {
        let numbers = self.contents.iter().filter(|content| matches!(content, Content::Number(_))).count();
        2 * numbers > self.contents.len() && !self.is_flat
    }

    /// The order that a heuristic finds.
    pub fn order(&self, heuristic: Heuristic) -> Order {
        match self.candidates.iter().find(|candidate| candidate.heuristic == heuristic) {
            Some(candidate) => candidate.order.clone(),
            None => heuristic.order(&self.connections, &[]),
        }
    }

    /// The order of the diagram variables if places stand in this order: a variable stands where its first place does.
    pub fn order_of_places(&self, places: &[u32]) -> Order {
        let variable_of = variable_of(&self.contents);
        let mut seen = vec![false; self.contents.len()];
        let variables = places.iter().filter_map(|&place| variable_of.get(place as usize).copied());
        let mut order: Order =
            variables.filter(|&variable| !std::mem::replace(&mut seen[variable as usize], true)).collect();
        order.extend((0..self.contents.len() as u32).filter(|&variable| !seen[variable as usize]));
        order
    }
}
