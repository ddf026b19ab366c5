//! A net as a graph: places are circles, transitions boxes.

use super::graph::{Edge, Graph, Node, Shape, Style};
use mandala_model::net::queue::QueueNet;
use mandala_model::net::{Effect, Net};

/// The graph of a net.
pub fn graph(net: &Net) -> Graph {
    let marking = net.initial.first().map_or(&[][..], |initial| &initial.marking);
    let mut graph = Graph::default();
    for (index, place) in net.places.iter().enumerate() {
        let inside = match marking.get(index) {
            None | Some(0) => String::new(),
            Some(tokens) => tokens.to_string(),
        };
        let label = match place.capacity {
            Some(most) => format!("{} ≤ {most}", place.name),
            None => place.name.clone(),
        };
        let begins = !inside.is_empty();
        graph.nodes.push(Node::new(Shape::Place, label).inside(inside).begins(begins));
    }
    for transition in &net.transitions {
        let node = graph.nodes.len();
        let called = transition.label.clone().filter(|label| *label != transition.name);
        let priority = (transition.priority > 0).then(|| format!("priority {}", transition.priority));
        let more: Vec<String> = called.into_iter().chain(priority).collect();
        let label = match more.as_slice() {
            [] => transition.name.clone(),
            more => format!("{} ({})", transition.name, more.join(", ")),
        };
        graph.nodes.push(Node::new(Shape::Box, label));
        for effect in &transition.effects {
            graph.edges.extend(arcs(effect, node));
        }
    }
    graph
}

/// The graph of a net with queues: the places that are queues have their words inside, and arcs the letters that they take
/// and put.
pub fn graph_of_queues(queues: &QueueNet) -> Graph {
    let counted = queues.counted();
    let mut graph = graph(&counted);
    let marking = queues.net.initial.first().map_or(&[][..], |initial| &initial.marking);
    for queue in &queues.queues {
        let Some(node) = graph.nodes.get_mut(queue.place as usize) else { continue };
        *node = Node::new(Shape::Place, format!("{} ≤ {}", queues.name_of(queue), queue.cells.len()))
            .inside(queue.word(marking));
    }
    let places = counted.places.len();
    for (transition, moves) in (places..).zip(&queues.moves) {
        for one in moves {
            let queue = &queues.queues[one.queue as usize];
            let place = queue.place as usize;
            let between = |edge: &Edge| {
                (edge.from == place && edge.to == transition) || (edge.from == transition && edge.to == place)
            };
            graph.edges.retain(|edge| !between(edge) || matches!(edge.style, Style::Inhibitor | Style::Reset));
            let letter = |number: &u32| queue.letter(*number as i32).unwrap_or("?");
            let front: Vec<&str> = one.front.iter().map(|one| one.as_ref().map_or("*", letter)).collect();
            let (taken, read) = front.split_at((one.take as usize).min(front.len()));
            let edge = |from, to, label: String, style| Edge { from, to, label, style };
            if !taken.is_empty() {
                graph.edges.push(edge(place, transition, taken.join(" "), Style::Arrow));
            }
            if !read.is_empty() {
                graph.edges.push(edge(place, transition, front.join(" "), Style::Both));
            }
            if !one.put.is_empty() {
                let put: Vec<&str> = one.put.iter().map(letter).collect();
                graph.edges.push(edge(transition, place, put.join(" "), Style::Arrow));
            }
        }
    }
    graph
}

/// The arcs between a place and a transition.
fn arcs(effect: &Effect, transition: usize) -> Vec<Edge> {
    let place = effect.place as usize;
    let weight = |weight: i32| if weight == 1 { String::new() } else { weight.to_string() };
    let towards = |label, style| Edge { from: place, to: transition, label, style };
    let mut arcs = Vec::new();
    if effect.take > 0 && effect.take == effect.put && !effect.reset {
        arcs.push(towards(weight(effect.take), Style::Both));
    } else {
        if effect.take > 0 {
            arcs.push(towards(weight(effect.take), Style::Arrow));
        }
        if effect.put > 0 {
            arcs.push(Edge { from: transition, to: place, label: weight(effect.put), style: Style::Arrow });
        }
    }
    if effect.read > effect.take {
        arcs.push(towards(weight(effect.read), Style::Both));
    }
    if let Some(below) = effect.below {
        arcs.push(towards(weight(below), Style::Inhibitor));
    }
    if effect.reset {
        arcs.push(towards(String::new(), Style::Reset));
    }
    arcs
}
