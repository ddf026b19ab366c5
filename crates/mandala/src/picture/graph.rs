//! What is drawn: nodes with shapes and labels, and edges between them.

/// A graph to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Nodes; an index into this list is what edges name.
    pub nodes: Vec<Node>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Nodes that are drawn in a frame of their own, with its title. No edge goes from one frame to another.
    pub frames: Vec<(String, Vec<usize>)>,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// How it looks.
    pub shape: Shape,
    /// What is written in it, or next to it.
    pub label: String,
    /// What is written next to a circle's label: the tokens of a place, inside of the circle.
    pub inside: String,
    /// By what a page knows it; empty if it need not.
    pub key: String,
    /// Whether it stands out.
    pub mark: Mark,
    /// Whether the model begins there: layers may be counted from it. This stays when tokens move, so that a picture that is
    /// played stays as it is.
    pub begins: bool,
}

impl Node {
    /// A node with a label.
    pub fn new(shape: Shape, label: impl Into<String>) -> Node {
        Node { shape, label: label.into(), inside: String::new(), key: String::new(), mark: Mark::None, begins: false }
    }

    /// With something inside.
    pub fn inside(self, inside: impl Into<String>) -> Node {
        Node { inside: inside.into(), ..self }
    }

    /// Where the model begins, or not.
    pub fn begins(self, begins: bool) -> Node {
        Node { begins, ..self }
    }

    /// Known by a key.
    pub fn key(self, key: impl Into<String>) -> Node {
        Node { key: key.into(), ..self }
    }

    /// Marked.
    pub fn mark(self, mark: Mark) -> Node {
        Node { mark, ..self }
    }
}

/// Whether a node stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// It does not.
    #[default]
    None,
    /// It can happen now.
    Enabled,
    /// It is where one is now.
    Here,
    /// Nothing can happen there.
    Dead,
}

/// How a node looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A circle with its label at its side.
    Place,
    /// A box with its label inside.
    Box,
    /// A box with round corners and its label inside.
    Round,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// From this node.
    pub from: usize,
    /// To this node.
    pub to: usize,
    /// What is written at it.
    pub label: String,
    /// How it looks.
    pub style: Style,
}

/// How an edge looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With an arrow at its end.
    Arrow,
    /// With an arrow at both ends.
    Both,
    /// With a small circle at its end: an inhibitor arc.
    Inhibitor,
    /// With a double arrow at its end: a reset arc.
    Reset,
    /// Dashed, with an arrow at its end.
    Dashed,
}
