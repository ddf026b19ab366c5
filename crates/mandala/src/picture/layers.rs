//! Where the nodes of a graph go: in layers, after Sugiyama.
//!
//! Edges that would close a circle are turned around; every node goes one layer below the lowest of those above it; an
//! edge over several layers gets a point in each. The order in a layer follows the neighbours, again and again, and the
//! best order that was seen stays. Then every node is drawn to the middle of its neighbours, as far as the size of the
//! others allows. The ends of edges are spread over the border of a node, in the order of where they go, so that none
//! hides another.
//!
//! Layers go from top to bottom or from left to right. All of it is worked out *along* the layers and *across* them, and
//! turned at the end.

mod coordinates;
mod labels;
mod ordering;
mod pack;
mod ports;

use super::graph::{Edge, Graph};
use super::measure::{Area, Direction, Point, SMALL_LETTERS, Size, reach, sizes, text_width};

/// How far apart layers are, at least.
const BETWEEN: f64 = 44.0;
/// How far apart they are where something is written at an edge between them.
const WITH_LABELS: f64 = 64.0;
/// How far apart they are at most to make room for what is written at edges.
const MOST_BETWEEN: f64 = 170.0;
/// How far apart the nodes of a layer are, at least.
const GAP: f64 = 16.0;
/// The space around everything.
const MARGIN: f64 = 14.0;
/// How wide a picture is, of its height.
const ASPECT: f64 = 1.7;

/// Where everything is.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Which way the layers go.
    pub direction: Direction,
    /// The middle of each node.
    pub nodes: Vec<Point>,
    /// The size of each node.
    pub sizes: Vec<Size>,
    /// For each edge, its way: where it begins, and then for each piece two points that draw it and where it ends.
    pub edges: Vec<Vec<Point>>,
    /// For each edge, where its label begins.
    pub labels: Vec<Option<Point>>,
    /// How wide the picture is.
    pub width: f64,
    /// How high the picture is.
    pub height: f64,
}

impl Placed {
    /// What a node covers.
    pub fn area(&self, node: usize) -> Area {
        let (at, size) = (self.nodes[node], self.sizes[node]);
        Area {
            left: at.x - size.half_width,
            top: at.y - size.half_height,
            right: at.x + size.half_width,
            bottom: at.y + size.half_height,
        }
    }
}

/// A node of the layout: one of the graph, or a point of an edge.
#[derive(Clone, Debug)]
struct Spot {
    layer: usize,
    /// How far it reaches to the left and to the right of its middle, across the layers.
    left: f64,
    right: f64,
    above: Vec<usize>,
    below: Vec<usize>,
    is_bend: bool,
}

/// Places a graph: what does not hang together side by side, all of it in the direction in which it looks best.
pub fn place(graph: &Graph) -> Placed {
    let parts = pack::parts(graph);
    let (down, right) = (Direction::Down, Direction::Right);
    let [down, right] = [down, right].map(|direction| match parts.as_slice() {
        [_] => place_in(graph, direction),
        parts => pack::pack(graph, parts, direction),
    });
    // Diagrams are read from top to bottom.
    if !graph.frames.is_empty() {
        return down;
    }
    let cost = |placed: &Placed| {
        let shape = (placed.width / placed.height / ASPECT).ln();
        // Too tall is worse than too wide.
        let shape = if shape < 0.0 { -1.6 * shape } else { shape };
        shape + 0.5 * (placed.width * placed.height).ln()
    };
    if cost(&down) <= cost(&right) { down } else { right }
}

/// Places a graph with its layers in a direction.
pub fn place_in(graph: &Graph, direction: Direction) -> Placed {
    let turned = turned(graph);
    let layers = layers(graph, &turned);
    let sizes = sizes(graph, &ports::most(graph, &turned), direction);
    let reaches: Vec<Area> = graph.nodes.iter().zip(&sizes).map(|(node, &size)| reach(node, size, direction)).collect();
    let (spots, chains) = spots(graph, &turned, &layers, &reaches, direction);
    let rows = ordering::order(&spots);
    let across = coordinates::across(&spots, &rows);
    let along = along(graph, &turned, &layers, &reaches, rows.len(), direction);
    let at = |spot: usize| match direction {
        Direction::Down => Point { x: across[spot], y: along[spots[spot].layer] },
        Direction::Right => Point { x: along[spots[spot].layer], y: across[spot] },
    };
    let nodes: Vec<Point> = (0..graph.nodes.len()).map(at).collect();
    let ways: Vec<Vec<Point>> = chains.iter().map(|chain| chain.iter().map(|&spot| at(spot)).collect()).collect();
    let edges = ports::routes(graph, &turned, &nodes, &sizes, &ways, direction);
    finish(graph, Placed { direction, nodes, sizes, edges, labels: Vec::new(), width: 0.0, height: 0.0 })
}

/// Moves everything to where a picture begins, and finds places for what is written at edges.
pub fn finish(graph: &Graph, mut placed: Placed) -> Placed {
    placed.labels = labels::place(graph, &placed);
    let mut all: Option<Area> = None;
    let mut see = |area: Area| {
        all = Some(all.map_or(area, |all| Area {
            left: all.left.min(area.left),
            top: all.top.min(area.top),
            right: all.right.max(area.right),
            bottom: all.bottom.max(area.bottom),
        }));
    };
    for ((node, &at), &size) in graph.nodes.iter().zip(&placed.nodes).zip(&placed.sizes) {
        let reach = reach(node, size, placed.direction);
        let moved = Area {
            left: at.x + reach.left,
            top: at.y + reach.top,
            right: at.x + reach.right,
            bottom: at.y + reach.bottom,
        };
        see(moved);
    }
    let points = placed.edges.iter().flatten();
    points.for_each(|point| see(Area { left: point.x, top: point.y, right: point.x, bottom: point.y }));
    for (edge, label) in graph.edges.iter().zip(&placed.labels) {
        label.iter().for_each(|&at| see(Area::of_text(&edge.label, SMALL_LETTERS, at)));
    }
    let all = all.unwrap_or_default();
    let moved = |point: &mut Point| {
        point.x += MARGIN - all.left;
        point.y += MARGIN - all.top;
    };
    placed.nodes.iter_mut().for_each(moved);
    placed.edges.iter_mut().flatten().for_each(moved);
    placed.labels.iter_mut().flatten().for_each(moved);
    placed.width = (all.right - all.left + 2.0 * MARGIN).max(60.0);
    placed.height = (all.bottom - all.top + 2.0 * MARGIN).max(60.0);
    placed
}

/// Where each layer is.
fn along(
    graph: &Graph, turned: &[bool], layers: &[usize], reaches: &[Area], count: usize, direction: Direction,
) -> Vec<f64> {
    let (mut before, mut after) = (vec![0.0f64; count], vec![0.0f64; count]);
    for (&layer, reach) in layers.iter().zip(reaches) {
        let (least, most) = match direction {
            Direction::Down => (reach.top, reach.bottom),
            Direction::Right => (reach.left, reach.right),
        };
        before[layer] = before[layer].max(-least);
        after[layer] = after[layer].max(most);
    }
    // What is written at edges to the right wants room there; downwards it has lines of its own.
    let mut between = vec![BETWEEN; count];
    for (edge, &turned) in graph.edges.iter().zip(turned) {
        let (top, bottom) = if turned { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let room = match direction {
            _ if edge.label.is_empty() => 0.0,
            Direction::Down => WITH_LABELS,
            Direction::Right => text_width(&edge.label, SMALL_LETTERS) + 26.0,
        };
        if layers[bottom] == layers[top] + 1 {
            between[layers[top]] = between[layers[top]].max(room.min(MOST_BETWEEN));
        }
    }
    let mut all = Vec::with_capacity(count);
    let mut end = 0.0;
    for layer in 0..count {
        all.push(end + before[layer]);
        end += before[layer] + after[layer] + between[layer];
    }
    all
}

/// The nodes with the bends of edges, and for each edge of the graph its way.
fn spots(
    graph: &Graph, turned: &[bool], layers: &[usize], reaches: &[Area], direction: Direction,
) -> (Vec<Spot>, Vec<Vec<usize>>) {
    let spot_of = |(reach, &layer): (&Area, &usize)| {
        let (left, right) = match direction {
            Direction::Down => (-reach.left, reach.right),
            Direction::Right => (-reach.top, reach.bottom),
        };
        Spot { layer, left, right, above: Vec::new(), below: Vec::new(), is_bend: false }
    };
    let mut spots: Vec<Spot> = reaches.iter().zip(layers).map(spot_of).collect();
    let mut chains = Vec::with_capacity(graph.edges.len());
    for (edge, &turned) in graph.edges.iter().zip(turned) {
        let (top, bottom) = if turned { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let mut chain = vec![top];
        let (left, right) = bend(edge, direction);
        for layer in layers[top] + 1..layers[bottom] {
            chain.push(spots.len());
            spots.push(Spot { layer, left, right, above: vec![], below: vec![], is_bend: true });
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

/// How much room an edge takes where it passes a layer, with what is written at it.
fn bend(edge: &Edge, direction: Direction) -> (f64, f64) {
    let half = GAP / 3.0;
    match direction {
        _ if edge.label.is_empty() => (half, half),
        Direction::Down => (half, half + text_width(&edge.label, SMALL_LETTERS).min(MOST_BETWEEN)),
        Direction::Right => (half + SMALL_LETTERS, half),
    }
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

#[cfg(test)]
mod tests {
    use super::super::graph::{Node, Shape, Style};
    use super::*;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        let edge = |&(from, to): &(usize, usize)| Edge { from, to, label: String::new(), style: Style::Arrow };
        Graph {
            nodes: vec![Node::new(Shape::Box, "node"); nodes],
            edges: edges.iter().map(edge).collect(),
            frames: Vec::new(),
        }
    }

    #[test]
    fn a_circle_is_cut_once() {
        let graph = graph(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(turned(&graph), [false, false, true]);
        assert_eq!(layers(&graph, &turned(&graph)), [0, 1, 2]);
    }

    #[test]
    fn nodes_do_not_overlap() {
        let edges: Vec<(usize, usize)> = (1..20).map(|node| ((node - 1) / 3, node)).chain([(0, 19), (19, 0)]).collect();
        let graph = graph(20, &edges);
        for direction in [Direction::Down, Direction::Right] {
            let placed = place_in(&graph, direction);
            let area = |node: usize| placed.area(node);
            for one in 0..20 {
                let own = area(one);
                assert!(own.left >= 0.0 && own.right <= placed.width && own.top >= 0.0 && own.bottom <= placed.height);
                assert!((0..one).all(|other| own.overlap(&area(other)) == 0.0), "{direction:?} {one}");
            }
        }
    }

    #[test]
    fn edges_end_at_different_points() {
        let graph = graph(4, &[(0, 1), (0, 1), (1, 0), (0, 2), (3, 1), (2, 1)]);
        for direction in [Direction::Down, Direction::Right] {
            let placed = place_in(&graph, direction);
            let ends: Vec<Point> = placed.edges.iter().flat_map(|way| [way[0], way[way.len() - 1]]).collect();
            for (index, one) in ends.iter().enumerate() {
                let near = |other: &&Point| (one.x - other.x).hypot(one.y - other.y) < 5.0;
                assert_eq!(ends[index + 1..].iter().filter(near).count(), 0, "{direction:?} {ends:?}");
            }
        }
    }

    #[test]
    fn a_tree_has_no_crossings() {
        let graph = graph(7, &[(0, 2), (0, 1), (1, 6), (2, 3), (2, 4), (1, 5)]);
        let turned = turned(&graph);
        let reaches = vec![Area { left: -20.0, top: -12.0, right: 20.0, bottom: 12.0 }; 7];
        let (spots, _) = spots(&graph, &turned, &layers(&graph, &turned), &reaches, Direction::Down);
        assert_eq!(ordering::crossings(&spots, &ordering::order(&spots)), 0);
    }

    #[test]
    fn nothing_and_loops_are_placed() {
        assert!(place(&graph(0, &[])).nodes.is_empty());
        let placed = place(&graph(1, &[(0, 0)]));
        assert_eq!((placed.nodes.len(), placed.edges[0].len()), (1, 4));
    }
}
