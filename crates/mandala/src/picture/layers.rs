//! Where the nodes of a graph go: in layers, after Sugiyama.
//!
//! Edges that would close a circle are turned around; every node goes one layer below the lowest of those above it; an
//! edge over several layers gets a point in each. The order in a layer follows the neighbours, again and again, and the
//! best order that was seen stays. Then every node is drawn to the middle of its neighbours, as far as the size of the
//! others allows. The ends of edges are spread over the border of a node, in the order of where they go, so that none
//! hides another.
//!
//! Where this makes a picture of many layers, which is a ribbon, the layers are how far a node is from the first tokens instead.
//! Labels come last; if they do not fit, there is more room in another try.
//!
//! Layers go from top to bottom or from left to right. All of it is worked out *along* the layers and *across* them, and
//! turned at the end.

mod coordinates;
mod labels;
mod layering;
mod ordering;
mod pack;
mod ports;

pub use labels::point;

use super::graph::{Edge, Graph};
use super::measure::{Area, Direction, LETTERS, Point, SMALL_LETTERS, Size, reach, shown, sizes, text_width};

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
/// A picture that is so much longer than it should be is a ribbon.
const RIBBON: f64 = 1.9;
/// More and more room, until no label covers another.
const ROOMS: [f64; 4] = [1.4, 1.9, 2.6, 3.5];
/// Larger graphs have no second try: nobody reads them label by label.
const MOST_TRIED: usize = 600;

/// How a graph is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Which way the layers go.
    pub direction: Direction,
    /// Which layer a node is in.
    pub layering: Layering,
    /// How much room there is, of what is usual.
    pub room: f64,
}

/// Which layer a node is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layering {
    /// One below the lowest above it.
    Longest,
    /// As far down as it is steps away from where the model begins.
    Nearest,
}

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
    /// For each node, where its label begins, if it is not inside of it.
    pub names: Vec<Option<Point>>,
    /// For each edge, where its label begins.
    pub labels: Vec<Option<Point>>,
    /// How many labels lie on another label, on a node, or on the head of an arrow.
    pub covered: usize,
    /// How wide the picture is.
    pub width: f64,
    /// How high the picture is.
    pub height: f64,
}

impl Placed {
    /// What a node covers.
    pub fn area(&self, node: usize) -> Area {
        Area::around(self.nodes[node], self.sizes[node])
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

/// Places a graph: what does not hang together side by side, all of it in the manner in which it looks best.
pub fn place(graph: &Graph) -> Placed {
    let parts = pack::parts(graph);
    let place = |manner: Manner| match parts.as_slice() {
        [_] => place_in(graph, manner),
        parts => pack::pack(graph, parts, manner),
    };
    // Diagrams are read from top to bottom.
    let is_diagram = !graph.frames.is_empty();
    let best_by = |layering: Layering| {
        let [down, right] = [Direction::Down, Direction::Right].map(|direction| {
            let manner = Manner { direction, layering, room: 1.0 };
            (manner, place(manner))
        });
        if is_diagram || cost(&down.1) <= cost(&right.1) { down } else { right }
    };
    let (mut manner, mut best) = best_by(Layering::Longest);
    if !is_diagram && shape(&best).abs() > RIBBON.ln() {
        let other = best_by(Layering::Nearest);
        if cost(&other.1) < cost(&best) {
            (manner, best) = other;
        }
    }
    for room in ROOMS {
        if best.covered == 0 || graph.nodes.len() + graph.edges.len() > MOST_TRIED {
            break;
        }
        let wider = place(Manner { room, ..manner });
        if wider.covered < best.covered {
            best = wider;
        }
    }
    best
}

/// How much wider a picture is than it should be, as a logarithm.
fn shape(placed: &Placed) -> f64 {
    (placed.width / placed.height / ASPECT).ln()
}

/// What speaks against a picture: a bad shape, and its size.
fn cost(placed: &Placed) -> f64 {
    let shape = shape(placed);
    // Too tall is worse than too wide.
    let shape = if shape < 0.0 { -1.6 * shape } else { shape };
    shape + 0.5 * (placed.width * placed.height).ln()
}

/// Places a graph that hangs together.
pub fn place_in(graph: &Graph, manner: Manner) -> Placed {
    let Manner { direction, room, .. } = manner;
    let (layers, turned) = layering::layers(graph, manner.layering);
    let sizes = sizes(graph, &ports::most(graph, &turned), direction);
    let reaches: Vec<Area> = graph.nodes.iter().zip(&sizes).map(|(node, &size)| reach(node, size, direction)).collect();
    let (spots, chains) = spots(graph, &turned, &layers, &reaches, direction);
    let rows = ordering::order(&spots);
    let across = coordinates::across(&spots, &rows, GAP * room);
    let along = along(graph, &turned, &layers, &reaches, rows.len(), manner);
    let at = |spot: usize| match direction {
        Direction::Down => Point { x: across[spot], y: along[spots[spot].layer] },
        Direction::Right => Point { x: along[spots[spot].layer], y: across[spot] },
    };
    let nodes: Vec<Point> = (0..graph.nodes.len()).map(at).collect();
    let ways: Vec<Vec<Point>> = chains.iter().map(|chain| chain.iter().map(|&spot| at(spot)).collect()).collect();
    let edges = ports::routes(graph, &turned, &nodes, &sizes, &ways, direction);
    finish(graph, direction, nodes, sizes, edges)
}

/// Finds places for labels, and moves everything to where a picture begins.
pub fn finish(
    graph: &Graph, direction: Direction, nodes: Vec<Point>, sizes: Vec<Size>, edges: Vec<Vec<Point>>,
) -> Placed {
    let (names, labels) = (Vec::new(), Vec::new());
    let mut placed = Placed { direction, nodes, sizes, edges, names, labels, covered: 0, width: 0.0, height: 0.0 };
    let found = labels::place(graph, &placed);
    (placed.names, placed.labels, placed.covered) = (found.nodes, found.edges, found.covered);
    let mut all: Option<Area> = None;
    let mut see = |area: Area| all = Some(all.map_or(area, |all| all.with(&area)));
    (0..graph.nodes.len()).for_each(|node| see(placed.area(node)));
    let points = placed.edges.iter().flatten();
    points.for_each(|point| see(Area { left: point.x, top: point.y, right: point.x, bottom: point.y }));
    for (node, name) in graph.nodes.iter().zip(&placed.names) {
        name.iter().for_each(|&at| see(Area::of_text(&shown(&node.label), LETTERS, at)));
    }
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
    placed.names.iter_mut().flatten().for_each(moved);
    placed.labels.iter_mut().flatten().for_each(moved);
    placed.width = (all.right - all.left + 2.0 * MARGIN).max(60.0);
    placed.height = (all.bottom - all.top + 2.0 * MARGIN).max(60.0);
    placed
}

/// Where each layer is.
fn along(graph: &Graph, turned: &[bool], layers: &[usize], reaches: &[Area], count: usize, manner: Manner) -> Vec<f64> {
    let (mut before, mut after) = (vec![0.0f64; count], vec![0.0f64; count]);
    for (&layer, reach) in layers.iter().zip(reaches) {
        let (least, most) = match manner.direction {
            Direction::Down => (reach.top, reach.bottom),
            Direction::Right => (reach.left, reach.right),
        };
        before[layer] = before[layer].max(-least);
        after[layer] = after[layer].max(most);
    }
    // What is written at edges to the right wants room there; downwards it has lines of its own.
    let mut between = vec![BETWEEN * manner.room; count];
    for (edge, &turned) in graph.edges.iter().zip(turned) {
        let (top, bottom) = if turned { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let room = match manner.direction {
            _ if edge.label.is_empty() => 0.0,
            Direction::Down => WITH_LABELS,
            Direction::Right => text_width(&edge.label, SMALL_LETTERS) + 26.0,
        };
        if layers[bottom] == layers[top] + 1 {
            between[layers[top]] = between[layers[top]].max(room.min(MOST_BETWEEN) * manner.room);
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

    const MANNERS: [Manner; 2] = [
        Manner { direction: Direction::Down, layering: Layering::Longest, room: 1.0 },
        Manner { direction: Direction::Right, layering: Layering::Nearest, room: 1.0 },
    ];

    #[test]
    fn a_circle_is_cut_once() {
        let graph = graph(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(layering::layers(&graph, Layering::Longest), (vec![0, 1, 2], vec![false, false, true]));
    }

    #[test]
    fn layers_are_steps_from_where_the_model_begins() {
        // Two circles through the node with the token, and one that leads to it.
        let mut graph = graph(6, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 2), (5, 0)]);
        graph.nodes[0].begins = true;
        let (layers, turned) = layering::layers(&graph, Layering::Nearest);
        assert_eq!(layers, [0, 1, 2, 3, 1, 1]);
        assert_eq!(turned, [false, false, false, true, false, false, true]);
    }

    #[test]
    fn nodes_do_not_overlap() {
        let edges: Vec<(usize, usize)> = (1..20).map(|node| ((node - 1) / 3, node)).chain([(0, 19), (19, 0)]).collect();
        let graph = graph(20, &edges);
        for manner in MANNERS {
            let placed = place_in(&graph, manner);
            let area = |node: usize| placed.area(node);
            for one in 0..20 {
                let own = area(one);
                assert!(own.left >= 0.0 && own.right <= placed.width && own.top >= 0.0 && own.bottom <= placed.height);
                assert!((0..one).all(|other| own.overlap(&area(other)) == 0.0), "{manner:?} {one}");
            }
        }
    }

    #[test]
    fn edges_end_at_different_points() {
        let graph = graph(4, &[(0, 1), (0, 1), (1, 0), (0, 2), (3, 1), (2, 1)]);
        for manner in MANNERS {
            let placed = place_in(&graph, manner);
            let ends: Vec<Point> = placed.edges.iter().flat_map(|way| [way[0], way[way.len() - 1]]).collect();
            for (index, one) in ends.iter().enumerate() {
                let near = |other: &&Point| (one.x - other.x).hypot(one.y - other.y) < 5.0;
                assert_eq!(ends[index + 1..].iter().filter(near).count(), 0, "{manner:?} {ends:?}");
            }
        }
    }

    #[test]
    fn a_tree_has_no_crossings() {
        let graph = graph(7, &[(0, 2), (0, 1), (1, 6), (2, 3), (2, 4), (1, 5)]);
        let (layers, turned) = layering::layers(&graph, Layering::Longest);
        let reaches = vec![Area { left: -20.0, top: -12.0, right: 20.0, bottom: 12.0 }; 7];
        let (spots, _) = spots(&graph, &turned, &layers, &reaches, Direction::Down);
        assert_eq!(ordering::crossings(&spots, &ordering::order(&spots)), 0);
    }

    #[test]
    fn nothing_and_loops_are_placed() {
        assert!(place(&graph(0, &[])).nodes.is_empty());
        let placed = place(&graph(1, &[(0, 0)]));
        assert_eq!((placed.nodes.len(), placed.edges[0].len()), (1, 4));
    }
}
