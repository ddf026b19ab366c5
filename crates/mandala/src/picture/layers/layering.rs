//! Which layer each node is in, and which edges go upwards.

use super::super::graph::Graph;
use super::Layering;
use std::collections::VecDeque;

/// The layer of each node, and which edges are turned around because of that.
pub fn layers(graph: &Graph, layering: Layering) -> (Vec<usize>, Vec<bool>) {
    if layering == Layering::Nearest
        && let Some(layers) = nearest(graph)
    {
        let turned = graph.edges.iter().map(|edge| layers[edge.from] > layers[edge.to]).collect();
        return (layers, turned);
    }
    let turned = turned(graph);
    (longest(graph, &turned), turned)
}

/// How many steps each node is away from those where the model begins, or from the first. What cannot be reached so is beside
/// what it leads to. Nothing if an edge would stay within its layer, which does not happen in a net.
fn nearest(graph: &Graph) -> Option<Vec<usize>> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    let mut arriving = leaving.clone();
    for edge in graph.edges.iter().filter(|edge| edge.from != edge.to) {
        leaving[edge.from].push(edge.to);
        arriving[edge.to].push(edge.from);
    }
    let mut open: VecDeque<usize> = (0..graph.nodes.len()).filter(|&node| graph.nodes[node].begins).collect();
    if open.is_empty() {
        open.extend((!graph.nodes.is_empty()).then_some(0));
    }
    let mut layers = vec![None; graph.nodes.len()];
    open.iter().for_each(|&node| layers[node] = Some(0usize));
    // Those that lead to others are looked at when nothing else is left.
    let mut seen = Vec::new();
    let mut next = 0;
    loop {
        while let Some(node) = open.pop_front() {
            seen.push(node);
            for &to in &leaving[node] {
                if layers[to].is_none() {
                    layers[to] = layers[node].map(|layer| layer + 1);
                    open.push_back(to);
                }
            }
        }
        let Some(&node) = seen.get(next) else { break };
        next += 1;
        for &from in &arriving[node] {
            if layers[from].is_none() {
                layers[from] = layers[node].map(|layer| if layer == 0 { 1 } else { layer - 1 });
                open.push_back(from);
            }
        }
    }
    let layers: Vec<usize> = layers.into_iter().collect::<Option<_>>()?;
    let within = graph.edges.iter().any(|edge| edge.from != edge.to && layers[edge.from] == layers[edge.to]);
    (!within).then_some(layers)
}

/// Which edges are turned around so that there is no circle left.
fn turned(graph: &Graph) -> Vec<bool> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (index, edge) in graph.edges.iter().enumerate() {
        leaving[edge.from].push(index);
    }
    let mut turned = vec![false; graph.edges.len()];
    // 0: not seen, 1: on the way, 2: done.
    let mut seen = vec![0u8; graph.nodes.len()];
    for start in 0..graph.nodes.len() {
        if seen[start] != 0 {
            continue;
        }
        seen[start] = 1;
        let mut way = vec![(start, 0)];
        while let Some((node, next)) = way.last_mut() {
            let Some(&edge) = leaving[*node].get(*next) else {
                seen[*node] = 2;
                way.pop();
                continue;
            };
            *next += 1;
            let to = graph.edges[edge].to;
            match seen[to] {
                0 => {
                    seen[to] = 1;
                    way.push((to, 0));
                }
                1 => turned[edge] = true,
                _ => {}
            }
        }
    }
    turned
}

/// The layer of each node: one below the lowest above it, but no further up than just above the highest below it.
fn longest(graph: &Graph, turned: &[bool]) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    let mut waits = vec![0usize; graph.nodes.len()];
    for (edge, &turned) in graph.edges.iter().zip(turned) {
        let (top, bottom) = if turned { (edge.to, edge.from) } else { (edge.from, edge.to) };
        if top != bottom {
            below[top].push(bottom);
            waits[bottom] += 1;
        }
    }
    let has_none_above: Vec<bool> = waits.iter().map(|&waits| waits == 0).collect();
    let mut layers = vec![0; graph.nodes.len()];
    let mut ready: Vec<usize> = (0..graph.nodes.len()).filter(|&node| waits[node] == 0).collect();
    while let Some(node) = ready.pop() {
        for &next in &below[node] {
            layers[next] = layers[next].max(layers[node] + 1);
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.push(next);
            }
        }
    }
    for node in 0..graph.nodes.len() {
        if let Some(highest) = below[node].iter().map(|&next| layers[next]).min().filter(|_| has_none_above[node]) {
            layers[node] = highest - 1;
        }
    }
    layers
}
