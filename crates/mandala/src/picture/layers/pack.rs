//! Graphs of several parts that have nothing to do with each other: each is placed by itself, and they are put into rows.

use super::super::graph::Graph;
use super::super::measure::{Point, Size};
use super::{ASPECT, MARGIN, Manner, Placed, place_in};

/// The room that a frame and its title take.
const FRAME: f64 = 26.0;

/// The nodes and edges of each part, by their numbers; the first part has the first node.
pub fn parts(graph: &Graph) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        neighbours[edge.from].push(edge.to);
        neighbours[edge.to].push(edge.from);
    }
    let mut part_of: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    let mut parts: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for start in 0..graph.nodes.len() {
        if part_of[start].is_some() {
            continue;
        }
        let part = parts.len();
        parts.push((Vec::new(), Vec::new()));
        let mut open = vec![start];
        part_of[start] = Some(part);
        while let Some(node) = open.pop() {
            for &next in &neighbours[node] {
                if part_of[next].is_none() {
                    part_of[next] = Some(part);
                    open.push(next);
                }
            }
        }
    }
    for (node, part) in part_of.iter().enumerate() {
        parts[part.unwrap_or(0)].0.push(node);
    }
    for (number, edge) in graph.edges.iter().enumerate() {
        parts[part_of[edge.from].unwrap_or(0)].1.push(number);
    }
    parts
}

/// Places the parts in rows.
pub fn pack(graph: &Graph, parts: &[(Vec<usize>, Vec<usize>)], manner: Manner) -> Placed {
    let mut number_in_part = vec![0; graph.nodes.len()];
    // Frames and their titles take some room.
    let room = if graph.frames.is_empty() { 0.0 } else { FRAME };
    let placed: Vec<Placed> = parts
        .iter()
        .map(|(nodes, edges)| {
            nodes.iter().enumerate().for_each(|(number, &node)| number_in_part[node] = number);
            let edges = edges.iter().map(|&edge| {
                let mut edge = graph.edges[edge].clone();
                (edge.from, edge.to) = (number_in_part[edge.from], number_in_part[edge.to]);
                edge
            });
            let own = nodes.iter().map(|&node| graph.nodes[node].clone()).collect();
            let part = Graph { edges: edges.collect(), nodes: own, frames: Vec::new() };
            let mut placed = place_in(&part, manner);
            placed.width += room;
            placed.height += room;
            placed
        })
        .collect();
    let area: f64 = placed.iter().map(|part| part.width * part.height).sum();
    let widest = placed.iter().map(|part| part.width).fold(0.0, f64::max);
    let limit = widest.max((area * ASPECT).sqrt() * 1.1);
    let mut whole = Placed {
        direction: manner.direction,
        nodes: vec![Point::default(); graph.nodes.len()],
        sizes: vec![Size::default(); graph.nodes.len()],
        edges: vec![Vec::new(); graph.edges.len()],
        names: vec![None; graph.nodes.len()],
        labels: vec![None; graph.edges.len()],
        covered: placed.iter().map(|part| part.covered).sum(),
        width: 60.0,
        height: 60.0,
    };
    // The highest first, so that rows are even; but frames in the order in which they are read.
    let mut order: Vec<usize> = (0..parts.len()).collect();
    if graph.frames.is_empty() {
        order.sort_by(|&one, &other| placed[other].height.total_cmp(&placed[one].height).then(one.cmp(&other)));
    }
    let (mut x, mut y, mut row) = (0.0, 0.0, 0.0f64);
    for part in order {
        let one = &placed[part];
        if x > 0.0 && x + one.width - 2.0 * MARGIN > limit {
            (x, y, row) = (0.0, y + row - MARGIN, 0.0);
        }
        let moved = |point: &Point| Point { x: point.x + x + room / 2.0, y: point.y + y + room * 0.7 };
        for (number, &node) in parts[part].0.iter().enumerate() {
            whole.nodes[node] = moved(&one.nodes[number]);
            whole.sizes[node] = one.sizes[number];
            whole.names[node] = one.names[number].as_ref().map(moved);
        }
        for (number, &edge) in parts[part].1.iter().enumerate() {
            whole.edges[edge] = one.edges[number].iter().map(moved).collect();
            whole.labels[edge] = one.labels[number].as_ref().map(moved);
        }
        whole.width = whole.width.max(x + one.width);
        row = row.max(one.height);
        whole.height = whole.height.max(y + row);
        x += one.width - MARGIN;
    }
    whole
}
