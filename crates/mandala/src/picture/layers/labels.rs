//! Where labels go: beside what they belong to, and on top of nothing else.
//!
//! Each label has some places where it may be, best first. They are chosen one after the other, those of circles first, and then
//! again while others are where they are now.

use super::super::graph::{Edge, Graph, Shape, Style};
use super::super::measure::{Area, LETTERS, Point, SMALL_LETTERS, Size, label_at, shown, text_width};
use super::Placed;
use std::collections::HashMap;

/// Where along an edge a label may be, best first.
const PLACES: [f64; 15] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8, 0.46, 0.54, 0.15, 0.85, 0.1, 0.9];
/// How far a label is from its edge, best first.
const BESIDE: [f64; 2] = [4.0, 9.0];
/// How far apart the points are at which a line counts as taken.
const STRIDE: f64 = 4.0;
/// The size of the squares in which what is there is looked up.
const SQUARE: f64 = 64.0;
/// How often all labels are looked at again.
const SWEEPS: usize = 3;
/// The room that the head of an arrow takes.
const HEAD: Size = Size { half_width: 4.0, half_height: 4.0 };
/// What it costs to lie on a line, on the head of an arrow, on a node, and on another label, for each unit of area.
const ON_LINE: f64 = 0.5;
const ON_HEAD: f64 = 5.0;
const ON_NODE: f64 = 8.0;
const ON_LABEL: f64 = 20.0;
/// What each place of a label costs that is left for a later one.
const LATER: f64 = 0.3;
/// A little is no harm: widths are estimated on the safe side.
const HARMLESS: f64 = 2.0;

/// What is there already.
#[derive(Default)]
struct Taken {
    squares: HashMap<(i64, i64), Vec<(Area, f64)>>,
}

impl Taken {
    fn squares(area: &Area) -> impl Iterator<Item = (i64, i64)> + use<> {
        let at = |value: f64| (value / SQUARE).floor() as i64;
        let (left, right, top, bottom) = (at(area.left), at(area.right), at(area.top), at(area.bottom));
        (left..=right).flat_map(move |x| (top..=bottom).map(move |y| (x, y)))
    }

    fn add(&mut self, area: Area, weight: f64) {
        for square in Taken::squares(&area) {
            self.squares.entry(square).or_default().push((area, weight));
        }
    }

    fn remove(&mut self, area: &Area) {
        for square in Taken::squares(area) {
            if let Some(all) = self.squares.get_mut(&square)
                && let Some(index) = all.iter().position(|(other, _)| other == area)
            {
                all.swap_remove(index);
            }
        }
    }

    /// What it costs to be there.
    fn cost(&self, area: &Area) -> f64 {
        let near = Taken::squares(area).filter_map(|square| self.squares.get(&square)).flatten();
        near.map(|(other, weight)| area.overlap(other) * weight).sum()
    }
}

/// A label that is to be placed.
struct Label {
    /// The node or the edge that it belongs to.
    owner: Owner,
    text: String,
    letters: f64,
    /// Where it may begin, best first.
    places: Vec<Point>,
    /// Which of them it has.
    chosen: usize,
}

#[derive(Clone, Copy)]
enum Owner {
    Node(usize),
    Edge(usize),
}

impl Label {
    fn area(&self, place: usize) -> Area {
        Area::of_text(&self.text, self.letters, self.places[place])
    }

    /// Chooses the place that costs least. Later ones cost a little by themselves.
    fn choose(&mut self, taken: &Taken) {
        let mut least = f64::INFINITY;
        for place in 0..self.places.len() {
            let own = LATER * place as f64;
            if own >= least {
                break;
            }
            let cost = own + taken.cost(&self.area(place));
            if cost < least {
                (least, self.chosen) = (cost, place);
            }
        }
    }
}

/// Where the labels of nodes and of edges begin.
pub struct Labels {
    /// For each node, if its label is not inside of it.
    pub nodes: Vec<Option<Point>>,
    /// For each edge, if it has one.
    pub edges: Vec<Option<Point>>,
    /// How many lie on top of another one, of a node, or of the head of an arrow.
    pub covered: usize,
}

/// Finds places for all labels.
pub fn place(graph: &Graph, placed: &Placed) -> Labels {
    let mut taken = Taken::default();
    (0..graph.nodes.len()).for_each(|node| taken.add(placed.area(node), ON_NODE));
    // Lines may be crossed where nothing else helps.
    for way in &placed.edges {
        let length: f64 = way.windows(2).map(|pair| (pair[0].x - pair[1].x).hypot(pair[0].y - pair[1].y)).sum();
        let steps = (length / STRIDE).clamp(12.0, 4000.0) as u32;
        for step in 0..=steps {
            let at = point(way, f64::from(step) / f64::from(steps));
            taken.add(Area { left: at.x - 1.5, top: at.y - 1.5, right: at.x + 1.5, bottom: at.y + 1.5 }, ON_LINE);
        }
    }
    // Their heads may not: they say which way an arc goes.
    graph
        .edges
        .iter()
        .zip(&placed.edges)
        .flat_map(|(edge, way)| heads(edge, way))
        .for_each(|at| taken.add(at, ON_HEAD));
    let mut labels: Vec<Label> = of_nodes(graph, placed).chain(of_edges(graph, placed)).collect();
    // Circles have their labels where room was left for them, until something better is found.
    for label in labels.iter().filter(|label| matches!(label.owner, Owner::Node(_))) {
        taken.add(label.area(0), ON_LABEL);
    }
    for sweep in 0..SWEEPS {
        for label in &mut labels {
            if sweep > 0 || matches!(label.owner, Owner::Node(_)) {
                taken.remove(&label.area(label.chosen));
            }
            label.choose(&taken);
            taken.add(label.area(label.chosen), ON_LABEL);
        }
    }
    let mut result = Labels { nodes: vec![None; graph.nodes.len()], edges: vec![None; graph.edges.len()], covered: 0 };
    for label in &labels {
        let at = label.places[label.chosen];
        match label.owner {
            Owner::Node(node) => result.nodes[node] = Some(at),
            Owner::Edge(edge) => result.edges[edge] = Some(at),
        }
        let Area { left, top, right, bottom } = label.area(label.chosen);
        let inner =
            Area { left: left + HARMLESS, top: top + HARMLESS, right: right - HARMLESS, bottom: bottom - HARMLESS };
        taken.remove(&label.area(label.chosen));
        let near = Taken::squares(&inner).filter_map(|square| taken.squares.get(&square)).flatten();
        let mut others = near.filter(|(_, weight)| *weight > ON_LINE);
        result.covered += usize::from(others.any(|(other, _)| inner.overlap(other) > 0.0));
        taken.add(label.area(label.chosen), ON_LABEL);
    }
    result
}

/// What the heads of an edge cover.
fn heads(edge: &Edge, way: &[Point]) -> Vec<Area> {
    let [first, second, .., before, last] = way else { return Vec::new() };
    let behind = |from: Point, tip: Point, by: f64| {
        let length = (tip.x - from.x).hypot(tip.y - from.y).max(1.0);
        let at = Point { x: tip.x + (from.x - tip.x) / length * by, y: tip.y + (from.y - tip.y) / length * by };
        Area::around(at, HEAD)
    };
    let end = behind(*before, *last, HEAD.half_width);
    match edge.style {
        Style::Both => vec![end, behind(*second, *first, HEAD.half_width)],
        Style::Reset => vec![end, behind(*before, *last, 3.0 * HEAD.half_width)],
        Style::Arrow | Style::Dashed | Style::Inhibitor => vec![end],
    }
}

/// The labels of circles.
fn of_nodes<'a>(graph: &'a Graph, placed: &'a Placed) -> impl Iterator<Item = Label> + 'a {
    let circles = graph.nodes.iter().enumerate().filter(|(_, node)| node.shape == Shape::Place);
    circles.filter(|(_, node)| !node.label.is_empty()).map(|(index, node)| {
        let (at, size, text) = (placed.nodes[index], placed.sizes[index], shown(&node.label));
        let mut places = vec![label_at(node, at, size, placed.direction)];
        places.extend(around(&text, at, size));
        Label { owner: Owner::Node(index), text, letters: LETTERS, places, chosen: 0 }
    })
}

/// Where the label of a circle may begin: below, above, at its sides, and in between.
fn around(text: &str, at: Point, size: Size) -> [Point; 12] {
    let width = text_width(text, LETTERS);
    let (radius, slanted) = (size.half_width, size.half_width * 0.72);
    let (below, above, level) = (at.y + size.half_height + 13.0, at.y - size.half_height - 5.0, at.y + 4.0);
    let (right, left) = (at.x + radius + 4.0, at.x - radius - 4.0 - width);
    let (low, high) = (at.y + slanted + 11.0, at.y - slanted - 3.0);
    [
        (at.x - width / 2.0, below),
        (at.x - width / 2.0, above),
        (right, level),
        (left, level),
        (at.x + slanted + 2.0, low),
        (at.x - slanted - 2.0 - width, low),
        (at.x + slanted + 2.0, high),
        (at.x - slanted - 2.0 - width, high),
        (at.x - 4.0, below),
        (at.x + 4.0 - width, below),
        (at.x - 4.0, above),
        (at.x + 4.0 - width, above),
    ]
    .map(|(x, y)| Point { x, y })
}

/// The labels of edges.
fn of_edges<'a>(graph: &'a Graph, placed: &'a Placed) -> impl Iterator<Item = Label> + 'a {
    let edges = graph.edges.iter().enumerate().filter(|(_, edge)| !edge.label.is_empty());
    edges.map(|(index, edge)| {
        let way = &placed.edges[index];
        let near = PLACES.iter().map(|&place| (place, BESIDE[0]));
        let all = near.chain(PLACES.iter().map(|&place| (place, BESIDE[1])));
        let places = all.flat_map(|(place, distance)| beside(&edge.label, point(way, place), distance));
        Label {
            owner: Owner::Edge(index),
            text: edge.label.clone(),
            letters: SMALL_LETTERS,
            places: places.collect(),
            chosen: 0,
        }
    })
}

/// Where a label may begin that is beside a point.
fn beside(label: &str, at: Point, distance: f64) -> [Point; 4] {
    let width = text_width(label, SMALL_LETTERS);
    [
        (at.x + distance, at.y + 3.0),
        (at.x - distance - width, at.y + 3.0),
        (at.x - width / 2.0, at.y - distance),
        (at.x - width / 2.0, at.y + distance + SMALL_LETTERS * 0.8),
    ]
    .map(|(x, y)| Point { x, y })
}

/// A point on the way of an edge, from 0 to 1.
pub fn point(way: &[Point], share: f64) -> Point {
    let pieces = way.len().saturating_sub(1) / 3;
    if pieces == 0 {
        return way.first().copied().unwrap_or_default();
    }
    let along = share * pieces as f64;
    let piece = (along as usize).min(pieces - 1);
    let t = along - piece as f64;
    let [a, b, c, d] = [0, 1, 2, 3].map(|index| way[3 * piece + index]);
    let u = 1.0 - t;
    let mix =
        |a: f64, b: f64, c: f64, d: f64| u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d;
    Point { x: mix(a.x, b.x, c.x, d.x), y: mix(a.y, b.y, c.y, d.y) }
}
