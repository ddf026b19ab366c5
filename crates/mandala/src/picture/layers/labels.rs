//! Where what is written at edges goes: beside its edge, and on top of nothing else.

use super::super::graph::{Graph, Shape};
use super::super::measure::{Area, LETTERS, Point, SMALL_LETTERS, label_at, shown};
use super::Placed;
use std::collections::HashMap;

/// Where along an edge a label may be, best first.
const PLACES: [f64; 9] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78, 0.15, 0.85];
/// How far apart the points are at which a line counts as taken.
const STRIDE: f64 = 4.0;
/// How far a label is from its edge.
const BESIDE: f64 = 4.0;
/// The size of the squares in which what is there is looked up.
const SQUARE: f64 = 64.0;

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

    /// How much of an area is taken.
    fn covered(&self, area: &Area) -> f64 {
        let near = Taken::squares(area).filter_map(|square| self.squares.get(&square)).flatten();
        near.map(|(other, weight)| area.overlap(other) * weight).sum()
    }
}

/// Where the labels of the edges begin.
pub fn place(graph: &Graph, placed: &Placed) -> Vec<Option<Point>> {
    let mut taken = Taken::default();
    for ((node, &at), &size) in graph.nodes.iter().zip(&placed.nodes).zip(&placed.sizes) {
        let own = Area {
            left: at.x - size.half_width,
            top: at.y - size.half_height,
            right: at.x + size.half_width,
            bottom: at.y + size.half_height,
        };
        taken.add(own, 1.0);
        if node.shape == Shape::Place {
            let label = label_at(node, at, size, placed.direction);
            taken.add(Area::of_text(&shown(&node.label), LETTERS, label), 1.0);
        }
    }
    // Lines may be crossed where nothing else helps.
    for way in &placed.edges {
        let length: f64 = way.windows(2).map(|pair| (pair[0].x - pair[1].x).hypot(pair[0].y - pair[1].y)).sum();
        let steps = (length / STRIDE).clamp(12.0, 4000.0) as u32;
        for step in 0..=steps {
            let at = point(way, f64::from(step) / f64::from(steps));
            taken.add(Area { left: at.x - 1.5, top: at.y - 1.5, right: at.x + 1.5, bottom: at.y + 1.5 }, 0.5);
        }
    }
    let mut labels = Vec::with_capacity(graph.edges.len());
    for (edge, way) in graph.edges.iter().zip(&placed.edges) {
        if edge.label.is_empty() {
            labels.push(None);
            continue;
        }
        let mut best: Option<(f64, Point)> = None;
        for (rank, &place) in PLACES.iter().enumerate() {
            for at in beside(&edge.label, point(way, place)) {
                let covered = taken.covered(&Area::of_text(&edge.label, SMALL_LETTERS, at)) + 0.01 * rank as f64;
                if best.is_none_or(|(least, _)| covered < least) {
                    best = Some((covered, at));
                }
            }
        }
        if let Some((_, at)) = best {
            taken.add(Area::of_text(&edge.label, SMALL_LETTERS, at), 2.0);
        }
        labels.push(best.map(|(_, at)| at));
    }
    labels
}

/// Where a label may begin that is beside a point.
fn beside(label: &str, at: Point) -> [Point; 4] {
    let area = Area::of_text(label, SMALL_LETTERS, Point::default());
    let width = area.right;
    [
        Point { x: at.x + BESIDE, y: at.y + 3.0 },
        Point { x: at.x - BESIDE - width, y: at.y + 3.0 },
        Point { x: at.x - width / 2.0, y: at.y - BESIDE },
        Point { x: at.x - width / 2.0, y: at.y + BESIDE + SMALL_LETTERS * 0.8 },
    ]
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
