//! Pictures that every browser shows.

use super::graph::{Edge, Graph, Mark, Node, Shape, Style};
use super::layers::Placed;
use super::measure::{Area, Point, SMALL_LETTERS, Size, shown};
use std::collections::HashSet;
use std::fmt::Write;

/// Radius of the circle at the end of an inhibitor arc.
const RING: f64 = 3.5;
/// How many tokens are drawn as dots; more are a number.
const MOST_DOTS: i32 = 4;

const STYLE: &str = "\
text{font:12px Helvetica,Arial,sans-serif;fill:#222}\
.e{font-size:10px;fill:#444}\
.e,.p{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}\
path{fill:none;stroke:#555;stroke-width:1.2}\
.h{fill:#555;stroke:none}\
.n{fill:#fff;stroke:#222;stroke-width:1.3}\
.t{fill:#eef2f7}\
.on{fill:#d9f2dd;stroke:#1d7a34;stroke-width:2}\
.at{fill:#dce9fb;stroke:#2d5f9a;stroke-width:2.2}\
.x{fill:#fbe3e0;stroke:#b3261e}\
.d{stroke-dasharray:4 3;stroke:#999}\
.k{fill:#222}\
.f{fill:#fafbfc;stroke:#b5bcc6;stroke-width:1}";

/// A graph that has been placed, as SVG.
pub fn write(graph: &Graph, placed: &Placed, title: &str) -> String {
    let (width, height) = (placed.width.ceil(), placed.height.ceil());
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        escaped(title)
    );
    for (title, nodes) in &graph.frames {
        draw_frame(title, nodes, graph, placed, &mut text);
    }
    for (edge, way) in graph.edges.iter().zip(&placed.edges) {
        draw_edge(edge, way, &mut text);
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        draw_node(node, placed.nodes[index], placed.sizes[index], placed.names[index], &mut text);
    }
    // What is written at edges is above everything else.
    for (edge, label) in graph.edges.iter().zip(&placed.labels) {
        if let Some(Point { x, y }) = label {
            let _ = writeln!(text, "<text class=\"e\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(&edge.label));
        }
    }
    text.push_str("</svg>\n");
    text
}

/// A frame around some nodes, and around what is drawn between them.
fn draw_frame(title: &str, nodes: &[usize], graph: &Graph, placed: &Placed, text: &mut String) {
    let inside: HashSet<usize> = nodes.iter().copied().collect();
    let boxes = nodes.iter().map(|&node| placed.area(node));
    let own = graph.edges.iter().enumerate().filter(|(_, edge)| inside.contains(&edge.from));
    let written = own
        .clone()
        .filter_map(|(number, edge)| placed.labels[number].map(|at| Area::of_text(&edge.label, SMALL_LETTERS, at)));
    let lines = own.flat_map(|(number, _)| &placed.edges[number]);
    let lines = lines.map(|at| Area { left: at.x, top: at.y, right: at.x, bottom: at.y });
    let whole = boxes.chain(written).chain(lines).reduce(|one, other| one.with(&other));
    let Some(Area { left, top, right, bottom }) = whole else { return };
    let _ = writeln!(
        text,
        "<rect class=\"f\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"8\"/>\
         <text class=\"e\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        left - 9.0,
        top - 18.0,
        right - left + 18.0,
        bottom - top + 26.0,
        left - 4.0,
        top - 7.0,
        escaped(title)
    );
}

fn draw_node(node: &Node, at: Point, size: Size, name: Option<Point>, text: &mut String) {
    let (label, full) = (escaped(&shown(&node.label)), escaped(&node.label));
    let key = if node.key.is_empty() { String::new() } else { format!(" data-key=\"{}\"", escaped(&node.key)) };
    let mark = match node.mark {
        Mark::None => "",
        Mark::Enabled => " on",
        Mark::Here => " at",
        Mark::Dead => " x",
    };
    let Point { x, y } = at;
    let _ = write!(text, "<g{key}><title>{full}</title>");
    match node.shape {
        Shape::Place => {
            let _ =
                write!(text, "<circle class=\"n{mark}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>", size.half_width);
            draw_tokens(&node.inside, at, text);
            if let Some(Point { x, y }) = name {
                let _ = write!(text, "<text class=\"p\" x=\"{x:.1}\" y=\"{y:.1}\">{label}</text>");
            }
        }
        Shape::Box | Shape::Round => {
            let (class, round) =
                if node.shape == Shape::Box { ("n t", 0.0) } else { ("n", size.half_height.min(12.0)) };
            let (left, top) = (x - size.half_width, y - size.half_height);
            let (width, height) = (2.0 * size.half_width, 2.0 * size.half_height);
            let _ = write!(
                text,
                "<rect class=\"{class}{mark}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
                 rx=\"{round}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
                y + 4.0
            );
        }
    }
    text.push_str("</g>\n");
}

/// Few tokens are dots, others are written.
fn draw_tokens(inside: &str, Point { x, y }: Point, text: &mut String) {
    let dots: &[(f64, f64)] = match inside.parse::<i32>() {
        Ok(count) if (1..=MOST_DOTS).contains(&count) => match count {
            1 => &[(0.0, 0.0)],
            2 => &[(-4.5, 0.0), (4.5, 0.0)],
            3 => &[(0.0, -4.5), (-4.5, 4.0), (4.5, 4.0)],
            _ => &[(-4.5, -4.5), (4.5, -4.5), (-4.5, 4.5), (4.5, 4.5)],
        },
        _ => &[],
    };
    for (dx, dy) in dots {
        let radius = if dots.len() == 1 { 4.0 } else { 3.2 };
        let _ = write!(text, "<circle class=\"k\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\"/>", x + dx, y + dy);
    }
    if dots.is_empty() && !inside.is_empty() {
        let _ =
            write!(text, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>", y + 4.0, escaped(inside));
    }
}

fn draw_edge(edge: &Edge, way: &[Point], text: &mut String) {
    let [first, second, .., before, last] = way else { return };
    let (mut start, mut end) = (*first, *last);
    let into_end = direction(*before, *last);
    let into_start = direction(*second, *first);
    let class = if edge.style == Style::Dashed { " class=\"d\"" } else { "" };
    // A line ends where its head begins.
    let shorter = |at: Point, into: Point, by: f64| Point { x: at.x - into.x * by, y: at.y - into.y * by };
    let mut heads = String::new();
    match edge.style {
        Style::Inhibitor => {
            let Point { x, y } = shorter(end, into_end, RING);
            let _ = write!(heads, "<circle class=\"n\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RING}\"/>");
            end = shorter(end, into_end, 2.0 * RING);
        }
        Style::Reset => {
            head(end, into_end, &mut heads);
            head(shorter(end, into_end, 7.0), into_end, &mut heads);
            end = shorter(end, into_end, 12.0);
        }
        Style::Arrow | Style::Dashed | Style::Both => {
            head(end, into_end, &mut heads);
            end = shorter(end, into_end, 6.0);
            if edge.style == Style::Both {
                head(start, into_start, &mut heads);
                start = shorter(start, into_start, 6.0);
            }
        }
    }
    let _ = write!(text, "<path{class} d=\"M{:.1} {:.1}", start.x, start.y);
    let pieces = (way.len() - 1) / 3;
    for piece in 0..pieces {
        let [one, other, mut to] = [1, 2, 3].map(|index| way[3 * piece + index]);
        if piece + 1 == pieces {
            to = end;
        }
        let _ = write!(text, "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}", one.x, one.y, other.x, other.y, to.x, to.y);
    }
    let _ = writeln!(text, "\"/>{heads}");
}

/// The direction from one point to another, of length 1.
fn direction(from: Point, to: Point) -> Point {
    let (x, y) = (to.x - from.x, to.y - from.y);
    let length = x.hypot(y);
    if length < 1e-6 { Point { x: 0.0, y: 1.0 } } else { Point { x: x / length, y: y / length } }
}

/// The head of an arrow, with its tip at a point.
fn head(tip: Point, into: Point, text: &mut String) {
    let base = Point { x: tip.x - into.x * 8.0, y: tip.y - into.y * 8.0 };
    let (side_x, side_y) = (-into.y * 3.4, into.x * 3.4);
    let _ = write!(
        text,
        "<path class=\"h\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\"/>",
        tip.x,
        tip.y,
        base.x + side_x,
        base.y + side_y,
        base.x - side_x,
        base.y - side_y
    );
}

/// A text inside of XML. What XML cannot say at all is left out.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => safe.push(letter),
        }
    }
    safe
}
