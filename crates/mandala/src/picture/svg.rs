//! Pictures that every browser shows.

use super::graph::{Edge, Graph, Node, Shape, Style};
use super::layers::{HALF_BOX, Placed, Point, RADIUS, half_width, shown};
use std::collections::HashMap;

/// How far apart edges between the same two nodes are.
const APART: f64 = 10.0;
/// Radius of the circle at the end of an inhibitor arc.
const RING: f64 = 3.5;

const STYLE: &str = "\
text{font:12px Helvetica,Arial,sans-serif;fill:#222}\
.e{font-size:10px;fill:#555}\
path{fill:none;stroke:#555;stroke-width:1.2}\
.n{fill:#fff;stroke:#222;stroke-width:1.3}\
.t{fill:#eef2f7}\
.d{stroke-dasharray:4 3;stroke:#999}";

/// A graph that has been placed, as SVG.
pub fn write(graph: &Graph, placed: &Placed, title: &str) -> String {
    let (width, height) = (placed.width.ceil(), placed.height.ceil());
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n\
         <defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#555;stroke:none\"/></marker>\
         <marker id=\"r\" viewBox=\"0 0 14 8\" refX=\"14\" refY=\"4\" markerWidth=\"12\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0 0L7 4L0 8zM7 0L14 4L7 8z\" style=\"fill:#555;stroke:none\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        escaped(title)
    );
    let mut drawn: HashMap<(usize, usize), usize> = HashMap::new();
    for (edge, way) in graph.edges.iter().zip(&placed.edges) {
        let count = drawn.entry((edge.from.min(edge.to), edge.from.max(edge.to))).or_default();
        // 0, 1, -1, 2, -2 times the distance.
        let side = if *count % 2 == 1 { 1.0 } else { -1.0 };
        let shift = (*count).div_ceil(2) as f64 * side * APART;
        *count += 1;
        text.push_str(&draw_edge(graph, edge, way, shift));
    }
    for (node, &at) in graph.nodes.iter().zip(&placed.nodes) {
        text.push_str(&draw_node(node, at));
    }
    text.push_str("</svg>\n");
    text
}

fn draw_node(node: &Node, Point { x, y }: Point) -> String {
    let (label, full) = (escaped(&shown(&node.label)), escaped(&node.label));
    let text = |x: f64, y: f64, anchor: &str, text: &str| {
        format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>")
    };
    let drawn = match node.shape {
        Shape::Place => {
            let inside = match node.inside.as_str() {
                "" => String::new(),
                "1" => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#222\"/>"),
                tokens => text(x, y + 4.0, "middle", &escaped(tokens)),
            };
            let circle = format!("<circle class=\"n\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>");
            format!("{circle}{inside}{}", text(x + RADIUS + 4.0, y + 4.0, "start", &label))
        }
        Shape::Box | Shape::Round => {
            let half = half_width(&node.label);
            let (class, round) = if node.shape == Shape::Box { ("n t", 0.0) } else { ("n", HALF_BOX) };
            let (left, top, width, height) = (x - half, y - HALF_BOX, 2.0 * half, 2.0 * HALF_BOX);
            format!(
                "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
                 rx=\"{round}\"/>{}",
                text(x, y + 4.0, "middle", &label)
            )
        }
    };
    format!("<g><title>{full}</title>{drawn}</g>\n")
}

fn draw_edge(graph: &Graph, edge: &Edge, way: &[Point], shift: f64) -> String {
    let [first, .., last] = way else { return String::new() };
    if edge.from == edge.to {
        return String::new();
    }
    let downwards = first.y < last.y;
    let mut points: Vec<Point> = way.iter().map(|point| Point { x: point.x + shift, ..*point }).collect();
    let end = points.len() - 1;
    let gap = if edge.style == Style::Inhibitor { 2.0 * RING } else { 0.0 };
    points[0] = border(&graph.nodes[edge.from], *first, shift, downwards, 0.0);
    points[end] = border(&graph.nodes[edge.to], *last, shift, !downwards, gap);
    let mut path = format!("M{:.1} {:.1}", points[0].x, points[0].y);
    for pair in points.windows(2) {
        let middle = (pair[0].y + pair[1].y) / 2.0;
        let (from, to) = (pair[0], pair[1]);
        path.push_str(&format!("C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {:.1}", from.x, to.x, to.x, to.y));
    }
    let (class, markers) = match edge.style {
        Style::Arrow => ("", " marker-end=\"url(#a)\""),
        Style::Both => ("", " marker-start=\"url(#a)\" marker-end=\"url(#a)\""),
        Style::Reset => ("", " marker-end=\"url(#r)\""),
        Style::Dashed => (" class=\"d\"", " marker-end=\"url(#a)\""),
        Style::Inhibitor => ("", ""),
    };
    let mut text = format!("<path{class} d=\"{path}\"{markers}/>");
    if edge.style == Style::Inhibitor {
        let (x, y) = (points[end].x, points[end].y + if downwards { RING } else { -RING });
        text.push_str(&format!("<circle class=\"n\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RING}\"/>"));
    }
    if !edge.label.is_empty() {
        let half = points.len() / 2;
        let (a, b) = (points[half - 1], points[half]);
        // Edges between the same two nodes have their labels below each other.
        let (x, y) = ((a.x + b.x) / 2.0 + 4.0, (a.y + b.y) / 2.0 + 1.2 * shift);
        text.push_str(&format!("<text class=\"e\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(&edge.label)));
    }
    text + "\n"
}

/// Where an edge meets a node, below it or above it.
fn border(node: &Node, at: Point, shift: f64, below: bool, gap: f64) -> Point {
    let reach = match node.shape {
        Shape::Place => {
            let shift = shift.clamp(-RADIUS, RADIUS);
            (RADIUS * RADIUS - shift * shift).sqrt()
        }
        Shape::Box | Shape::Round => HALF_BOX,
    } + gap;
    let limit = match node.shape {
        Shape::Place => RADIUS,
        Shape::Box | Shape::Round => half_width(&node.label),
    };
    Point { x: at.x + shift.clamp(-limit, limit), y: at.y + if below { reach } else { -reach } }
}

/// A text inside of XML. What XML cannot say at all is left out.
fn escaped(text: &str) -> String {
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
