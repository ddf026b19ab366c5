//! Where the nodes of a graph go: in layers, edges from top to bottom, after Sugiyama.
//!
//! Edges that would close a circle are turned around; every node goes one layer below the lowest of those above it; an
//! edge over several layers gets a point in each. The order in a layer follows the neighbours, again and again, and the
//! best order that was seen stays. Then every node is drawn to the middle of its neighbours, as far as the width of the
//! others allows.

mod coordinates;
mod ordering;

use super::graph::{Graph, Node, Shape};

/// How far apart layers are.
const LAYER: f64 = 80.0;
/// How far apart the nodes of a layer are, at least.
const GAP: f64 = 18.0;
/// Radius of a circle.
pub const RADIUS: f64 = 14.0;
/// Half the height of a box.
pub const HALF_BOX: f64 = 13.0;
/// The width of a letter, nearly.
const LETTER: f64 = 7.0;
/// Longer labels are cut.
const LONGEST: usize = 50;

/// Where everything is.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    /// The middle of each node.
    pub nodes: Vec<Point>,
    /// For each edge, the points on its way, from the node it comes from to the one it goes to (both included).
    pub edges: Vec<Vec<Point>>,
    /// How wide the picture is.
    pub width: f64,
    /// How high the picture is.
    pub height: f64,
}

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// A node of the layout: one of the graph, or a point of an edge.
#[derive(Clone, Debug)]
struct Spot {
    layer: usize,
    /// How far it reaches to the left and to the right of its middle.
    left: f64,
    right: f64,
    above: Vec<usize>,
    below: Vec<usize>,
    is_bend: bool,
}

/// The label of a node as it is drawn.
pub fn shown(label: &str) -> String {
    if label.chars().count() <= LONGEST {
        label.to_owned()
    } else {
        label.chars().take(LONGEST - 1).chain(['…']).collect()
    }
}

/// How wide a text is, nearly.
pub fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

/// Half the width of a box with a label.
pub fn half_width(label: &str) -> f64 {
    (text_width(&shown(label)) / 2.0 + 6.0).max(12.0)
}

/// Places a graph.
pub fn place(graph: &Graph) -> Placed {
    let (mut spots, chains) = spots(graph);
    let rows = ordering::order(&spots);
    let x = coordinates::horizontal(&spots, &rows);
    let left = spots.iter().zip(&x).map(|(spot, x)| x - spot.left).fold(f64::INFINITY, f64::min);
    let right = spots.iter().zip(&x).map(|(spot, x)| x + spot.right).fold(f64::NEG_INFINITY, f64::max);
    let (left, right) = if spots.is_empty() { (0.0, 0.0) } else { (left, right) };
    let at = |spot: usize| Point { x: x[spot] - left + GAP, y: spots[spot].layer as f64 * LAYER + LAYER / 2.0 };
    let edges = chains.iter().map(|chain| chain.iter().map(|&spot| at(spot)).collect()).collect();
    let nodes = (0..graph.nodes.len()).map(at).collect();
    let height = (rows.len() as f64 * LAYER).max(LAYER);
    spots.clear();
    Placed { nodes, edges, width: (right - left + 2.0 * GAP).max(LAYER), height }
}

fn spot_of(node: &Node, layer: usize) -> Spot {
    let (left, right) = match node.shape {
        Shape::Place => (RADIUS, RADIUS + 4.0 + text_width(&shown(&node.label))),
        Shape::Box | Shape::Round => (half_width(&node.label), half_width(&node.label)),
    };
    Spot { layer, left, right, above: Vec::new(), below: Vec::new(), is_bend: false }
}

/// The nodes with the bends of edges, and for each edge of the graph its way.
fn spots(graph: &Graph) -> (Vec<Spot>, Vec<Vec<usize>>) {
    let turned = turned(graph);
    let layers = layers(graph, &turned);
    let mut spots: Vec<Spot> = graph.nodes.iter().zip(&layers).map(|(node, &layer)| spot_of(node, layer)).collect();
    let mut chains = Vec::with_capacity(graph.edges.len());
    for (edge, &turned) in graph.edges.iter().zip(&turned) {
        let (top, bottom) = if turned { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let mut chain = vec![top];
        let label = text_width(&edge.label);
        for layer in layers[top] + 1..layers[bottom] {
            let half = GAP / 3.0;
            let bend = Spot { layer, left: half, right: half + label, above: vec![], below: vec![], is_bend: true };
            chain.push(spots.len());
            spots.push(bend);
        }
        chain.push(bottom);
        if top != bottom {
            for pair in chain.windows(2) {
                spots[pair[0]].below.push(pair[1]);
                spots[pair[1]].above.push(pair[0]);
            }
        }
        if turned {
            chain.reverse();
        }
        chains.push(chain);
    }
    (spots, chains)
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

/// The layer of each node: one below the lowest above it.
fn layers(graph: &Graph, turned: &[bool]) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    let mut waits = vec![0usize; graph.nodes.len()];
    for (edge, &turned) in graph.edges.iter().zip(turned) {
        let (top, bottom) = if turned { (edge.to, edge.from) } else { (edge.from, edge.to) };
        if top != bottom {
            below[top].push(bottom);
            waits[bottom] += 1;
        }
    }
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
    layers
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Edge, Style};
    use super::*;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        let node = Node { shape: Shape::Box, label: "node".to_owned(), inside: String::new() };
        let edge = |&(from, to): &(usize, usize)| Edge { from, to, label: String::new(), style: Style::Arrow };
        Graph { nodes: vec![node; nodes], edges: edges.iter().map(edge).collect() }
    }

    #[test]
    fn a_circle_is_cut_once() {
        let graph = graph(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(turned(&graph), [false, false, true]);
        assert_eq!(layers(&graph, &turned(&graph)), [0, 1, 2]);
    }

    #[test]
    fn nodes_of_a_layer_do_not_overlap() {
        let edges: Vec<(usize, usize)> = (1..20).map(|node| ((node - 1) / 3, node)).chain([(0, 19), (19, 0)]).collect();
        let graph = graph(20, &edges);
        let placed = place(&graph);
        let half = half_width("node");
        for (index, one) in placed.nodes.iter().enumerate() {
            assert!(one.x - half >= 0.0 && one.x + half <= placed.width && one.y < placed.height);
            for other in &placed.nodes[index + 1..] {
                assert!(one.y != other.y || (one.x - other.x).abs() >= 2.0 * half, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_tree_has_no_crossings() {
        let graph = graph(7, &[(0, 2), (0, 1), (1, 6), (2, 3), (2, 4), (1, 5)]);
        let (spots, _) = spots(&graph);
        assert_eq!(ordering::crossings(&spots, &ordering::order(&spots)), 0);
    }

    #[test]
    fn nothing_and_loops_are_placed() {
        assert!(place(&graph(0, &[])).nodes.is_empty());
        assert_eq!(place(&graph(1, &[(0, 0)])).nodes.len(), 1);
    }
}
