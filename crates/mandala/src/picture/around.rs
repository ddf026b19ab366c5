//! A net in some state: the tokens that it has there, what can happen, and of a large net only what is around that.

use super::graph::{Graph, Mark, Node, Shape};
use super::{Picture, coloured, net};
use crate::error::Error;
use crate::state::State;
use crate::walk::Walk;
use mandala_model::system::Type;
use std::collections::{HashMap, HashSet, VecDeque};

impl Walk {
    /// The net with the tokens of a state, where what can happen is marked; of a net with more nodes than these, what is
    /// around some places (by their numbers), or else around what can happen. Nothing if the model is no net. Its nodes have keys: `p:` or `t:` with the name of the place or transition.
    pub fn picture(&self, state: &State, near: &[usize], most: usize) -> Result<Option<Around>, Error> {
        let enabled: HashSet<String> = self.moves(state)?.into_iter().map(|one| one.step.transition).collect();
        let model = self.model();
        let mut graph = match model.coloured() {
            Some(coloured) => {
                let mut graph = coloured::graph(&coloured.net);
                let mut tokens: HashMap<&str, i64> = HashMap::new();
                for (name, count) in state.iter() {
                    *tokens.entry(base(name)).or_default() += i64::from(count);
                }
                let enabled: HashSet<&str> = enabled.iter().map(|name| base(name)).collect();
                let places = coloured.net.places.iter().map(|place| place.name.as_str());
                let names = places.chain(coloured.net.transitions.iter().map(|one| one.name.as_str()));
                for (node, name) in graph.nodes.iter_mut().zip(names) {
                    if node.shape == Shape::Place {
                        node.label = coloured_label(&node.label);
                    }
                    let count = tokens.get(name).copied().unwrap_or(0);
                    play(node, name, count, enabled.contains(name));
                }
                graph
            }
            None => {
                let (net, mut graph) = match model.system()?.main_type() {
                    Type::Net(net) => (net, net::graph(net)),
                    Type::Queues(queues) => (&queues.net, net::graph_of_queues(queues)),
                    Type::Program(_) | Type::Composite(_) => return Ok(None),
                };
                let places = net.places.iter().map(|place| place.name.as_str());
                let names = places.chain(net.transitions.iter().map(|one| one.name.as_str()));
                for (index, (node, name)) in graph.nodes.iter_mut().zip(names).enumerate() {
                    let count = state.values().get(index).copied().unwrap_or(0);
                    play(node, name, i64::from(count), enabled.contains(name));
                }
                if let Type::Queues(queues) = model.system()?.main_type() {
                    for queue in &queues.queues {
                        graph.nodes[queue.place as usize].inside = queue.word(state.values());
                    }
                }
                graph
            }
        };
        let all = graph.nodes.len();
        if all > most {
            graph = around(graph, near, most);
        }
        Ok(Some(Around { picture: model.drawn(graph), all }))
    }
}

/// A picture of a net, or of a part of it.
#[derive(Clone, Debug)]
pub struct Around {
    /// The picture.
    pub picture: Picture,
    /// How many nodes the whole net has.
    pub all: usize,
}

/// The name of a coloured place or transition, without its colours.
fn base(name: &str) -> &str {
    name.find('(').map_or(name, |at| &name[..at])
}

/// The label of a coloured place, without its initial marking: it is not there any more.
fn coloured_label(label: &str) -> String {
    label.split(" = ").next().unwrap_or_default().to_owned()
}

fn play(node: &mut Node, name: &str, count: i64, enabled: bool) {
    if node.shape == Shape::Place {
        node.key = format!("p:{name}");
        node.inside = if count == 0 { String::new() } else { count.to_string() };
    } else {
        node.key = format!("t:{name}");
        node.mark = if enabled { Mark::Enabled } else { Mark::None };
    }
}

fn neighbours(graph: &Graph) -> Vec<Vec<usize>> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        neighbours[edge.from].push(edge.to);
        neighbours[edge.to].push(edge.from);
    }
    neighbours
}

/// Some nodes of a graph, and the edges between them. `number_of` is where each node of the graph is among these.
fn part(graph: Graph, nodes: Vec<Node>, number_of: &[Option<usize>]) -> Graph {
    let edges = graph.edges.into_iter().filter_map(|mut edge| {
        (edge.from, edge.to) = (number_of[edge.from]?, number_of[edge.to]?);
        Some(edge)
    });
    Graph { edges: edges.collect(), nodes, frames: Vec::new() }
}

/// The part of a graph that so many edges lead to from some nodes, in whichever direction.
pub(super) fn within(graph: Graph, near: &[usize], edges: usize) -> Graph {
    let neighbours = neighbours(&graph);
    let mut far: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    near.iter().for_each(|&node| far[node] = Some(0));
    let mut open: VecDeque<usize> = near.iter().copied().collect();
    while let Some(node) = open.pop_front() {
        let next = far[node].map_or(0, |far| far + 1);
        for &other in neighbours[node].iter().filter(|_| next <= edges) {
            if far[other].is_none() {
                far[other] = Some(next);
                open.push_back(other);
            }
        }
    }
    let mut number_of = vec![None; graph.nodes.len()];
    let mut kept = Vec::new();
    for (node, drawn) in graph.nodes.iter().enumerate().filter(|(node, _)| far[*node].is_some()) {
        number_of[node] = Some(kept.len());
        let goes_on = neighbours[node].iter().any(|&other| far[other].is_none());
        let label = if goes_on { format!("{} …", drawn.label) } else { drawn.label.clone() };
        let mark = if near.contains(&node) { Mark::Here } else { Mark::None };
        kept.push(Node { label, mark, ..drawn.clone() });
    }
    part(graph, kept, &number_of)
}

/// The part of a graph that is nearest to some nodes; if there are none, to what can happen or where tokens are.
fn around(graph: Graph, near: &[usize], most: usize) -> Graph {
    let neighbours = neighbours(&graph);
    let numbers = 0..graph.nodes.len();
    let enabled = numbers.clone().filter(|&node| graph.nodes[node].mark == Mark::Enabled);
    let marked = numbers.filter(|&node| !graph.nodes[node].inside.is_empty());
    // Where one looks comes first, or else what can happen, as much of it as leaves room for what it touches.
    let near = near.iter().copied().filter(|&node| node < graph.nodes.len());
    let few = enabled.chain(marked).take(most.div_ceil(8));
    let mut open: VecDeque<usize> = if near.clone().next().is_some() { near.collect() } else { few.collect() };
    let mut number_of = vec![None; graph.nodes.len()];
    let mut kept = Vec::new();
    while let Some(node) = open.pop_front() {
        if number_of[node].is_some() {
            continue;
        }
        if kept.len() >= most {
            break;
        }
        number_of[node] = Some(kept.len());
        kept.push(graph.nodes[node].clone());
        open.extend(neighbours[node].iter().copied().filter(|&next| number_of[next].is_none()));
    }
    part(graph, kept, &number_of)
}
