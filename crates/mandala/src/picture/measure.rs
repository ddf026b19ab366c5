//! How large what is drawn is.

use super::graph::{Graph, Node, Shape};

/// The size of a label's letters.
pub const LETTERS: f64 = 12.0;
/// The size of the letters at an edge.
pub const SMALL_LETTERS: f64 = 10.0;
/// The least radius of a circle.
const RADIUS: f64 = 13.0;
/// The greatest.
const MOST_RADIUS: f64 = 34.0;
/// Half the height of a box with one line.
const HALF_BOX: f64 = 12.0;
/// How far apart the ends of edges are at a box.
const PORT: f64 = 10.0;
/// Longer labels are cut.
const LONGEST: usize = 48;

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// A piece of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Its left side.
    pub left: f64,
    /// Its upper side.
    pub top: f64,
    /// Its right side.
    pub right: f64,
    /// Its lower side.
    pub bottom: f64,
}

impl Area {
    /// What something of a size covers that has its middle at a point.
    pub fn around(at: Point, size: Size) -> Area {
        Area {
            left: at.x - size.half_width,
            top: at.y - size.half_height,
            right: at.x + size.half_width,
            bottom: at.y + size.half_height,
        }
    }

    /// Whether another is within a distance.
    pub fn meets(&self, other: &Area, distance: f64) -> bool {
        self.left - distance < other.right
            && other.left < self.right + distance
            && self.top - distance < other.bottom
            && other.top < self.bottom + distance
    }

    /// It and another, and all between them.
    pub fn with(&self, other: &Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// How much of it another covers.
    pub fn overlap(&self, other: &Area) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        if width > 0.0 && height > 0.0 { width * height } else { 0.0 }
    }

    /// The area of a line of text that begins at a point.
    pub fn of_text(text: &str, size: f64, at: Point) -> Area {
        let width = text_width(text, size);
        Area { left: at.x, top: at.y - size * 0.8, right: at.x + width, bottom: at.y + size * 0.25 }
    }
}

/// Which way the layers go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From top to bottom.
    Down,
    /// From left to right.
    Right,
}

/// The size of a node: half of what it takes, in both directions, without the label of a circle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// Half its width.
    pub half_width: f64,
    /// Half its height.
    pub half_height: f64,
}

/// The label of a node as it is drawn.
pub fn shown(label: &str) -> String {
    if label.chars().count() <= LONGEST {
        label.to_owned()
    } else {
        label.chars().take(LONGEST - 1).chain(['…']).collect()
    }
}

/// The sizes of all nodes: with room for what is written in them and for the ends of edges.
pub fn sizes(graph: &Graph, ports: &[usize], direction: Direction) -> Vec<Size> {
    graph.nodes.iter().zip(ports).map(|(node, &ports)| size(node, ports, direction)).collect()
}

fn size(node: &Node, ports: usize, direction: Direction) -> Size {
    let room = ports as f64 * PORT / 2.0;
    match node.shape {
        Shape::Place => {
            // The ends of edges lie on a part of the circle.
            let radius = (room * 0.85).clamp(RADIUS, MOST_RADIUS).max(text_width(&node.inside, LETTERS) / 2.0 + 4.0);
            Size { half_width: radius, half_height: radius }
        }
        Shape::Box | Shape::Round => {
            let half_width = (text_width(&shown(&node.label), LETTERS) / 2.0 + 7.0).max(HALF_BOX);
            match direction {
                Direction::Down => Size { half_width: half_width.max(room + 2.0), half_height: HALF_BOX },
                Direction::Right => Size { half_width, half_height: HALF_BOX.max(room + 2.0) },
            }
        }
    }
}

/// Where the label of a circle begins, if nothing is in its way: at its side, or below it where edges leave at its sides.
pub fn label_at(node: &Node, at: Point, size: Size, direction: Direction) -> Point {
    match direction {
        Direction::Down => Point { x: at.x + size.half_width + 4.0, y: at.y + 4.0 },
        Direction::Right => {
            let width = text_width(&shown(&node.label), LETTERS);
            Point { x: at.x - width / 2.0, y: at.y + size.half_height + 13.0 }
        }
    }
}

/// How far a node with its label reaches to the left, to the right, up and down from its middle.
pub fn reach(node: &Node, size: Size, direction: Direction) -> Area {
    let Size { half_width, half_height } = size;
    let own = Area { left: -half_width, top: -half_height, right: half_width, bottom: half_height };
    if node.shape != Shape::Place || node.label.is_empty() {
        return own;
    }
    own.with(&Area::of_text(&shown(&node.label), LETTERS, label_at(node, Point::default(), size, direction)))
}

/// How wide a text is, nearly and rather more than less: in Helvetica, or in DejaVu Sans, which is wider and what browsers take
/// where there is no Helvetica.
pub fn text_width(text: &str, size: f64) -> f64 {
    let width = |letter: char| match letter {
        'i' | 'j' | 'l' => 0.28,
        '.' | ',' | ':' | ';' | '\'' | '|' | ' ' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' | 'I' | '!' => 0.41,
        'm' | 'M' | 'W' | '%' | '@' | '→' | '…' => 1.0,
        'w' | '=' | '+' | '<' | '>' => 0.84,
        'A'..='Z' | '&' => 0.76,
        's' | 'c' | 'z' | 'k' | 'v' | 'x' | 'y' | '_' | '*' => 0.6,
        _ if letter.is_ascii() => 0.64,
        _ => 1.0,
    };
    text.chars().map(width).sum::<f64>() * size
}
