//! Nets whose author has said where their nodes are.

use super::graph::{Graph, Shape};
use super::layers::{self, Placed};
use super::measure::{Direction, Point, Size, sizes};
use std::collections::HashMap;

/// How far apart neighbours are, usually.
const APART: f64 = 80.0;
/// How far edges between the same two nodes are bent apart.
const BENT: f64 = 22.0;
/// Nodes that are closer than this are on top of each other.
const CLOSE: f64 = 30.0;

/// Places a graph where somebody has put its nodes. Nothing if nodes would lie on top of each other.
pub fn place(graph: &Graph, given: &[(f64, f64)]) -> Option<Placed> {
    if graph.nodes.len() < 2 || given.len() != graph.nodes.len() {
        return None;
    }
    let distance = |one: &(f64, f64), other: &(f64, f64)| (one.0 - other.0).hypot(one.1 - other.1);
    let nearest = |index: usize| {
        let others = given.iter().enumerate().filter(|(other, _)| *other != index);
        others.map(|(_, other)| distance(&given[index], other)).fold(f64::INFINITY, f64::min)
    };
    let mut nearest: Vec<f64> = (0..given.len()).map(nearest).collect();
    nearest.sort_by(f64::total_cmp);
    let usual = nearest[nearest.len() / 2];
    if usual <= 0.0 {
        return None;
    }
    let scale = APART / usual;
    if nearest[0] * scale < CLOSE {
        return None;
    }
    let nodes: Vec<Point> = given.iter().map(|(x, y)| Point { x: x * scale, y: y * scale }).collect();
    let sizes = sizes(graph, &vec![0; graph.nodes.len()], Direction::Right);
    let edges = routes(graph, &nodes, &sizes);
    let placed =
        Placed { direction: Direction::Right, nodes, sizes, edges, labels: Vec::new(), width: 0.0, height: 0.0 };
    Some(layers::finish(graph, placed))
}

/// Straight lines, but for edges between the same two nodes.
fn routes(graph: &Graph, nodes: &[Point], sizes: &[Size]) -> Vec<Vec<Point>> {
    let pair = |from: usize, to: usize| (from.min(to), from.max(to));
    let mut counts: HashMap<(usize, usize), usize> = HashMap::new();
    for edge in &graph.edges {
        *counts.entry(pair(edge.from, edge.to)).or_default() += 1;
    }
    let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
    let each = graph.edges.iter().map(|edge| {
        let (from, to) = (nodes[edge.from], nodes[edge.to]);
        let pair = pair(edge.from, edge.to);
        let number = seen.entry(pair).or_default();
        *number += 1;
        let share = *number as f64 - (counts[&pair] as f64 + 1.0) / 2.0;
        // The same side for both directions, so that they do not meet.
        let share = if edge.from == pair.0 { share } else { -share };
        let length = (to.x - from.x).hypot(to.y - from.y).max(1.0);
        let side = Point { x: -(to.y - from.y) / length, y: (to.x - from.x) / length };
        let bend = |a: Point, b: Point, at: f64| Point {
            x: a.x + (b.x - a.x) * at + side.x * share * BENT,
            y: a.y + (b.y - a.y) * at + side.y * share * BENT,
        };
        let (one, other) = (bend(from, to, 0.35), bend(from, to, 0.65));
        let start = border(graph.nodes[edge.from].shape, from, sizes[edge.from], one);
        let end = border(graph.nodes[edge.to].shape, to, sizes[edge.to], other);
        vec![start, one, other, end]
    });
    each.collect()
}

/// Where the line from the middle of a node to a point leaves the node.
fn border(shape: Shape, at: Point, size: Size, towards: Point) -> Point {
    let (x, y) = (towards.x - at.x, towards.y - at.y);
    let share = match shape {
        Shape::Place => size.half_width / x.hypot(y).max(0.1),
        Shape::Box | Shape::Round => (size.half_width / x.abs().max(0.1)).min(size.half_height / y.abs().max(0.1)),
    };
    Point { x: at.x + x * share, y: at.y + y * share }
}
