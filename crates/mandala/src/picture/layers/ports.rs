//! Where edges meet nodes, and which way they take in between.

use super::super::graph::{Graph, Shape};
use super::super::measure::{Direction, Point, Size};

/// The part of a circle's side that edges use, as an angle from its middle.
const SPREAD: f64 = 1.25;
/// How far the bow of an edge from a node to itself goes.
const BOW: f64 = 26.0;

/// A side of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Before,
    After,
}

/// For each node, how many edges end at the side where most do.
pub fn most(graph: &Graph, turned: &[bool]) -> Vec<usize> {
    let mut counts = vec![[0usize; 2]; graph.nodes.len()];
    for (edge, &turned) in graph.edges.iter().zip(turned).filter(|(edge, _)| edge.from != edge.to) {
        let (top, bottom) = if turned { (edge.to, edge.from) } else { (edge.from, edge.to) };
        counts[top][1] += 1;
        counts[bottom][0] += 1;
    }
    counts.into_iter().map(|[before, after]| before.max(after)).collect()
}

/// The ways of all edges.
pub fn routes(
    graph: &Graph, turned: &[bool], nodes: &[Point], sizes: &[Size], ways: &[Vec<Point>], direction: Direction,
) -> Vec<Vec<Point>> {
    // For each side of a node, the ends there: where the edge goes from there (across), its number, whether it begins here.
    let mut ends: Vec<[Vec<(f64, usize, bool)>; 2]> = vec![Default::default(); nodes.len()];
    for (number, (edge, way)) in graph.edges.iter().zip(ways).enumerate() {
        let [.., before, _] = way.as_slice() else { continue };
        if edge.from == edge.to {
            continue;
        }
        let (leaves, arrives) = if turned[number] { (Side::Before, Side::After) } else { (Side::After, Side::Before) };
        ends[edge.from][leaves as usize].push((across(way[1], direction), number, true));
        ends[edge.to][arrives as usize].push((across(*before, direction), number, false));
    }
    let mut borders = vec![[(Point::default(), Point::default()); 2]; graph.edges.len()];
    for (node, sides) in ends.iter_mut().enumerate() {
        for (side, ends) in [Side::Before, Side::After].into_iter().zip(sides) {
            ends.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            let count = ends.len() as f64;
            for (place, &(_, number, begins)) in ends.iter().enumerate() {
                let share = (2.0 * place as f64 + 1.0) / count - 1.0;
                let border = border(graph.nodes[node].shape, nodes[node], sizes[node], share, side, direction);
                borders[number][usize::from(!begins)] = border;
            }
        }
    }
    let each = graph.edges.iter().zip(ways).zip(&borders);
    each.map(|((edge, way), border)| {
        if edge.from == edge.to {
            bow(nodes[edge.from], sizes[edge.from], direction)
        } else {
            route(way, border, direction)
        }
    })
    .collect()
}

fn across(point: Point, direction: Direction) -> f64 {
    match direction {
        Direction::Down => point.x,
        Direction::Right => point.y,
    }
}

/// A point on the border of a node, and which way leads out of it there. The share goes from -1 to 1 along the side.
fn border(shape: Shape, at: Point, size: Size, share: f64, side: Side, direction: Direction) -> (Point, Point) {
    let sign = if side == Side::Before { -1.0 } else { 1.0 };
    let (half_across, half_along) = match direction {
        Direction::Down => (size.half_width, size.half_height),
        Direction::Right => (size.half_height, size.half_width),
    };
    let (across, along, out_across, out_along) = match shape {
        Shape::Place => {
            let (sine, cosine) = (share * SPREAD).sin_cos();
            (half_across * sine, half_along * cosine * sign, 0.5 * sine, cosine.max(0.5) * sign)
        }
        Shape::Box | Shape::Round => ((half_across - 4.0).max(1.0) * share, half_along * sign, 0.0, sign),
    };
    let turned = |across: f64, along: f64| match direction {
        Direction::Down => Point { x: across, y: along },
        Direction::Right => Point { x: along, y: across },
    };
    let on = turned(across, along);
    (Point { x: at.x + on.x, y: at.y + on.y }, turned(out_across, out_along))
}

/// The way of an edge through its points, from border to border.
fn route(way: &[Point], border: &[(Point, Point); 2], direction: Direction) -> Vec<Point> {
    let [(start, out), (end, back)] = *border;
    let mut points = way.to_vec();
    let last = points.len() - 1;
    points[0] = start;
    points[last] = end;
    let forward = |from: Point, to: Point| match direction {
        Direction::Down => Point { x: 0.0, y: (to.y - from.y).signum() },
        Direction::Right => Point { x: (to.x - from.x).signum(), y: 0.0 },
    };
    let mut route = vec![start];
    for (index, pair) in points.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        let along = match direction {
            Direction::Down => (to.y - from.y).abs(),
            Direction::Right => (to.x - from.x).abs(),
        };
        let pull = along * 0.45;
        let leaving = if index == 0 { out } else { forward(from, to) };
        let ahead = forward(from, to);
        let arriving = if index + 1 == last { back } else { Point { x: -ahead.x, y: -ahead.y } };
        route.push(Point { x: from.x + leaving.x * pull, y: from.y + leaving.y * pull });
        route.push(Point { x: to.x + arriving.x * pull, y: to.y + arriving.y * pull });
        route.push(to);
    }
    route
}

/// The way of an edge from a node to itself: a bow at a side where no others end.
fn bow(at: Point, size: Size, direction: Direction) -> Vec<Point> {
    match direction {
        Direction::Down => {
            let x = at.x - size.half_width;
            let points = [(0.0, -6.0), (-BOW, -14.0), (-BOW, 14.0), (0.0, 6.0)];
            points.map(|(dx, dy)| Point { x: x + dx, y: at.y + dy }).to_vec()
        }
        Direction::Right => {
            let y = at.y - size.half_height;
            let points = [(-6.0, 0.0), (-14.0, -BOW), (14.0, -BOW), (6.0, 0.0)];
            points.map(|(dx, dy)| Point { x: at.x + dx, y: y + dy }).to_vec()
        }
    }
}
