//! Hierarchies: groups of variables, and groups of groups.
//!
//! A flat net gets a hierarchy from its graph. Communities are groups with more connections inside than chance would
//! have it: modularity, made large as Blondel, Guillaume, Lambiotte and Lefebvre do it ("Fast unfolding of communities in
//! large networks", 2008, known as Louvain). Each variable moves to the community of a neighbour where that gains most,
//! until nothing moves; then communities become vertices, and again. Each round is a level of the hierarchy.

use super::incidence::{Incidence, positions};
use super::{Connections, Order};

/// A variable, or a group of variables and groups, from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Group {
    /// One variable.
    Variable(u32),
    /// What is together. A group made here has at least two members, but for the outermost.
    Group(Vec<Group>),
}

impl Group {
    /// The variables, from top to bottom.
    pub fn variables(&self) -> Order {
        let mut order = Vec::new();
        let mut rest = vec![self];
        while let Some(group) = rest.pop() {
            match group {
                Group::Variable(variable) => order.push(*variable),
                Group::Group(members) => rest.extend(members.iter().rev()),
            }
        }
        order
    }

    /// How many levels of groups there are; none in a variable.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut rest = vec![(self, 0)];
        while let Some((group, depth)) = rest.pop() {
            deepest = deepest.max(depth);
            if let Group::Group(members) = group {
                deepest = deepest.max(depth + 1);
                rest.extend(members.iter().map(|member| (member, depth + 1)));
            }
        }
        deepest
    }

    fn of(mut members: Vec<Group>) -> Group {
        match members.pop() {
            Some(only) if members.is_empty() => only,
            Some(last) => {
                members.push(last);
                Group::Group(members)
            }
            None => Group::Group(members),
        }
    }
}

/// Neighbours in an order, in groups of at most `size` (at least two), these in groups of at most `size`, and so on.
/// Groups of one level differ in size by one at most.
pub fn balanced(order: &[u32], size: usize) -> Group {
    let size = size.max(2);
    let mut members: Vec<Group> = order.iter().map(|&variable| Group::Variable(variable)).collect();
    while members.len() > size {
        let (all, groups) = (members.len(), members.len().div_ceil(size));
        let mut rest = members.into_iter();
        let length = |index: usize| (index + 1) * all / groups - index * all / groups;
        members = (0..groups).map(|index| Group::of(rest.by_ref().take(length(index)).collect())).collect();
    }
    Group::Group(members)
}

/// Communities of the graph of the variables, and communities of those; inside a group as in the given order (groups by
/// the mean place of their variables).
pub fn communities(connections: &Connections, order: &[u32]) -> Group {
    let incidence = Incidence::whole(connections);
    let places = positions(connections.variables, order);
    // What is to be grouped: with the sum of its places, and how many variables it has.
    let place = |variable: u32| u64::from(places[variable as usize]);
    let mut parts: Vec<Part> =
        incidence.all().map(|one| Part { group: Group::Variable(one), places: place(one), count: 1 }).collect();
    let mut graph = Graph::of_variables(&incidence);
    loop {
        let (community, count) = graph.communities();
        if count == parts.len() {
            break;
        }
        parts = merge(parts, &community, count);
        graph = graph.contracted(&community, count);
    }
    Group::Group(sorted(parts))
}

struct Part {
    group: Group,
    places: u64,
    count: u64,
}

fn merge(parts: Vec<Part>, community: &[u32], count: usize) -> Vec<Part> {
    let mut members: Vec<Vec<Part>> = (0..count).map(|_| Vec::new()).collect();
    for (part, &community) in parts.into_iter().zip(community) {
        members[community as usize].push(part);
    }
    let whole = |parts: Vec<Part>| {
        let (places, count) = (parts.iter().map(|part| part.places).sum(), parts.iter().map(|part| part.count).sum());
        Part { group: Group::of(sorted(parts)), places, count }
    };
    members.into_iter().map(whole).collect()
}

fn sorted(mut parts: Vec<Part>) -> Vec<Group> {
    // The means compared as fractions.
    let scaled = |one: &Part, other: &Part| u128::from(one.places) * u128::from(other.count);
    parts.sort_by(|one, other| scaled(one, other).cmp(&scaled(other, one)));
    parts.into_iter().map(|part| part.group).collect()
}

/// A graph with weights. Each edge is in the lists of both its ends; inside are edges from a vertex to itself.
struct Graph {
    edges: Vec<Vec<(u32, f64)>>,
    /// The sum of the weights at each vertex, those inside counted twice.
    strengths: Vec<f64>,
}

impl Graph {
    /// An event connects each two of its variables, the weaker the more it has; a large one only those that are
    /// neighbours by number, for its pairs would be too many.
    fn of_variables(incidence: &Incidence) -> Graph {
        const LARGE: usize = 24;
        let mut edges: Vec<Vec<(u32, f64)>> = vec![Vec::new(); incidence.variables];
        let mut connect = |one: u32, other: u32, weight: f64| {
            edges[one as usize].push((other, weight));
            edges[other as usize].push((one, weight));
        };
        for event in incidence.events.iter() {
            if event.len() > LARGE {
                event.windows(2).for_each(|pair| connect(pair[0], pair[1], 0.5));
                continue;
            }
            for (index, &one) in event.iter().enumerate() {
                for &other in &event[..index] {
                    connect(one, other, 1.0 / (event.len() - 1) as f64);
                }
            }
        }
        Graph::new(edges, vec![0.0; incidence.variables])
    }

    fn new(mut edges: Vec<Vec<(u32, f64)>>, inside: Vec<f64>) -> Graph {
        let mut strengths = inside;
        for (list, strength) in edges.iter_mut().zip(&mut strengths) {
            list.sort_by_key(|edge| edge.0);
            list.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                kept.1 += if same { next.1 } else { 0.0 };
                same
            });
            *strength += list.iter().map(|edge| edge.1).sum::<f64>();
        }
        Graph { edges, strengths }
    }

    /// The community of each vertex, numbered in the order of their first vertices, and how many there are.
    fn communities(&self) -> (Vec<u32>, usize) {
        const SWEEPS: usize = 20;
        let mut moves = Moves::new(self);
        for _ in 0..SWEEPS {
            if moves.sweep() * 1000 <= self.edges.len() {
                break;
            }
        }
        let mut numbers = vec![u32::MAX; self.edges.len()];
        let mut count = 0;
        for community in &mut moves.community {
            let number = &mut numbers[*community as usize];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            *community = *number;
        }
        (moves.community, count as usize)
    }

    fn contracted(&self, community: &[u32], count: usize) -> Graph {
        let mut edges: Vec<Vec<(u32, f64)>> = vec![Vec::new(); count];
        let mut inside = vec![0.0; count];
        for (vertex, list) in self.edges.iter().enumerate() {
            let own = community[vertex];
            inside[own as usize] += self.strengths[vertex] - list.iter().map(|edge| edge.1).sum::<f64>();
            for &(other, weight) in list {
                match community[other as usize] {
                    other if other == own => inside[own as usize] += weight,
                    other => edges[own as usize].push((other, weight)),
                }
            }
        }
        Graph::new(edges, inside)
    }
}

/// Vertices on the move between communities.
struct Moves<'a> {
    graph: &'a Graph,
    total: f64,
    community: Vec<u32>,
    strengths: Vec<f64>,
    /// The weight between the vertex at hand and each community; zero but while that is worked out.
    shared: Vec<f64>,
}

impl<'a> Moves<'a> {
    fn new(graph: &'a Graph) -> Moves<'a> {
        Moves {
            graph,
            total: graph.strengths.iter().sum::<f64>().max(f64::MIN_POSITIVE),
            community: (0u32..).take(graph.edges.len()).collect(),
            strengths: graph.strengths.clone(),
            shared: vec![0.0; graph.edges.len()],
        }
    }

    /// Lets each vertex move once; how many did.
    fn sweep(&mut self) -> usize {
        let mut moved = 0;
        for vertex in 0..self.community.len() {
            let own = self.community[vertex];
            let best = self.best(vertex, own);
            if best != own {
                self.strengths[own as usize] -= self.graph.strengths[vertex];
                self.strengths[best as usize] += self.graph.strengths[vertex];
                self.community[vertex] = best;
                moved += 1;
            }
        }
        moved
    }

    /// The community where the vertex adds most to the modularity; its own unless another is better by more than what
    /// rounding could make.
    fn best(&mut self, vertex: usize, own: u32) -> u32 {
        const ROUNDING: f64 = 1e-9;
        let edges = &self.graph.edges[vertex];
        let mut near = Vec::with_capacity(edges.len());
        for &(other, weight) in edges {
            let community = self.community[other as usize];
            if self.shared[community as usize] == 0.0 {
                near.push(community);
            }
            self.shared[community as usize] += weight;
        }
        near.sort_unstable();
        let strength = self.graph.strengths[vertex];
        let gain = |community: u32| {
            let without = self.strengths[community as usize] - if community == own { strength } else { 0.0 };
            self.shared[community as usize] - strength * without / self.total
        };
        let mut best = (own, gain(own) + ROUNDING);
        for &community in &near {
            let gain = gain(community);
            if gain > best.1 {
                best = (community, gain);
            }
        }
        near.into_iter().for_each(|community| self.shared[community as usize] = 0.0);
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::samples::{self, is_permutation};

    #[test]
    fn cliques_in_a_ring_are_the_communities() {
        // Eight cliques of six, each connected to the next by one event, under shuffled names.
        let names = samples::shuffled(48, 9);
        let mut sets = Vec::new();
        for clique in 0..8 {
            for one in 0..6 {
                for other in 0..one {
                    sets.push(vec![names[6 * clique + one], names[6 * clique + other]]);
                }
            }
            sets.push(vec![names[6 * clique], names[(6 * clique + 7) % 48]]);
        }
        let order: Vec<u32> = (0..48).collect();
        let group = communities(&samples::from_sets(48, &sets), &order);
        let mut lowest = Vec::new();
        let mut rest = vec![&group];
        while let Some(group) = rest.pop() {
            if let Group::Group(members) = group {
                if members.iter().all(|member| matches!(member, Group::Variable(_))) {
                    lowest.push(group.variables());
                }
                rest.extend(members);
            }
        }
        lowest.sort();
        let mut expected: Vec<Vec<u32>> = names.chunks(6).map(<[u32]>::to_vec).collect();
        expected.iter_mut().for_each(|clique| clique.sort_unstable());
        expected.sort();
        assert_eq!(lowest, expected);
    }

    #[test]
    fn every_variable_has_its_place() {
        for seed in 0..200 {
            let connections = samples::random(seed);
            let order = samples::shuffled(connections.variables, seed);
            let group = communities(&connections, &order);
            assert!(is_permutation(connections.variables, &group.variables()));
            assert_eq!(group, communities(&connections, &order));
        }
    }

    #[test]
    fn balanced_groups_keep_the_order_and_the_size() {
        for count in 0..200 {
            for size in 0..9 {
                let order = samples::shuffled(count, 2);
                let group = balanced(&order, size);
                assert_eq!(group.variables(), order);
                let mut rest = vec![&group];
                while let Some(group) = rest.pop() {
                    if let Group::Group(members) = group {
                        assert!(members.len() <= size.max(2));
                        rest.extend(members);
                    }
                }
            }
        }
        assert_eq!(balanced(&[0, 1, 2, 3, 4, 5, 6, 7], 2).depth(), 3);
    }

    #[test]
    fn a_large_net_ends() {
        let connections = samples::large(100_000, 200_000, 3);
        let group = communities(&connections, &[]);
        assert_eq!(group.variables().len(), 100_000);
        assert!(group.depth() < 50);
    }
}
