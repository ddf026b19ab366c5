//! Nets whose author has said where their nodes are.

use super::graph::{Graph, Shape};
use super::layers::{self, Placed, point};
use super::measure::{Area, Direction, Point, Size, sizes};
use std::collections::HashMap;

/// How far apart neighbours are, usually.
const APART: f64 = 80.0;
/// How far edges between the same two nodes are bent apart.
const BENT: f64 = 22.0;
/// How far an edge is bent at most to pass by the nodes in its way, in steps of the above.
const MOST_BENT: u32 = 16;
/// How far an edge stays away from nodes that it has nothing to do with.
const AWAY: f64 = 6.0;
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
    Some(layers::finish(graph, Direction::Right, nodes, sizes, edges))
}

/// Straight lines, but for edges between the same two nodes, and where another node is in the way.
fn routes(graph: &Graph, nodes: &[Point], sizes: &[Size]) -> Vec<Vec<Point>> {
    let pair = |from: usize, to: usize| (from.min(to), from.max(to));
    let mut counts: HashMap<(usize, usize), usize> = HashMap::new();
    for edge in &graph.edges {
        *counts.entry(pair(edge.from, edge.to)).or_default() += 1;
    }
    let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
    let each = graph.edges.iter().map(|edge| {
        let pair = pair(edge.from, edge.to);
        let number = seen.entry(pair).or_default();
        *number += 1;
        let share = *number as f64 - (counts[&pair] as f64 + 1.0) / 2.0;
        // The same side for both directions, so that they do not meet.
        let share = if edge.from == pair.0 { share } else { -share };
        let route = |bent: f64| bent_by(graph, nodes, sizes, (edge.from, edge.to), bent);
        // A little to one side, then to the other, then further, until nothing is in the way.
        let further = (1..=MOST_BENT).flat_map(|step| [f64::from(step), -f64::from(step)]);
        let mut ways = std::iter::once(0.0).chain(further).map(|more| route((share + more) * BENT));
        ways.find(|way| is_free(way, nodes, sizes, [edge.from, edge.to])).unwrap_or_else(|| route(share * BENT))
    });
    each.collect()
}

/// The way of an edge that keeps to a side of the straight line by so much.
fn bent_by(graph: &Graph, nodes: &[Point], sizes: &[Size], (from, to): (usize, usize), bent: f64) -> Vec<Point> {
    let (a, b) = (nodes[from], nodes[to]);
    let length = (b.x - a.x).hypot(b.y - a.y).max(1.0);
    let side = Point { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
    let bend = |at: f64| Point { x: a.x + (b.x - a.x) * at + side.x * bent, y: a.y + (b.y - a.y) * at + side.y * bent };
    let (one, other) = (bend(0.35), bend(0.65));
    let start = border(graph.nodes[from].shape, a, sizes[from], one);
    let end = border(graph.nodes[to].shape, b, sizes[to], other);
    vec![start, one, other, end]
}

/// Whether a way passes no node but its own.
fn is_free(way: &[Point], nodes: &[Point], sizes: &[Size], own: [usize; 2]) -> bool {
    let length: f64 = way.windows(2).map(|pair| (pair[0].x - pair[1].x).hypot(pair[0].y - pair[1].y)).sum();
    let steps = (length / (2.0 * AWAY)).clamp(8.0, 400.0) as u32;
    let points: Vec<Point> = (0..=steps).map(|step| point(way, f64::from(step) / f64::from(steps))).collect();
    let whole = points
        .iter()
        .fold(Area::around(way[0], Size::default()), |all, &at| all.with(&Area::around(at, Size::default())));
    let others = (0..nodes.len()).filter(|node| !own.contains(node));
    let mut near = others.map(|node| Area::around(nodes[node], sizes[node])).filter(|area| area.meets(&whole, AWAY));
    near.all(|area| !points.iter().any(|&at| area.meets(&Area::around(at, Size::default()), AWAY)))
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
