//! Pictures of diagrams, for Graphviz.
//!
//! Every diagram that is a label is drawn once, in a frame of its own. Diagrams share nodes and a
//! picture's frames do not: a node is drawn in the frame of each diagram it belongs to.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use super::states::write_range;
use crate::memory::{Bits, Diagram};
use crate::node::{Arc, Kind, Node, ONE, TOP};
use crate::store::{Store, Variable};

/// Names a variable, given behind those whose values it is in.
type Naming<'a> = dyn Fn(&[Variable]) -> String + 'a;
/// Names a value of a variable.
type NamingValues<'a> = dyn Fn(&[Variable], i32) -> Option<String> + 'a;

/// A picture of a diagram in the language of Graphviz: see [`Store::dot`].
pub struct Dot<'a> {
    store: &'a Store,
    root: Node,
    name: Box<Naming<'a>>,
    value: Box<NamingValues<'a>>,
}

impl Store {
    /// A picture of a diagram in the language of Graphviz, with the diagrams that are its labels.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let (inner, one) = (store.state(&[(0, 1)])?, store.one());
    /// let set = store.assign_set(1, &inner, &one)?;
    /// let picture = store.dot(&set).name(|variable| ["place", "module"][variable as usize].to_string());
    /// assert!(picture.to_string().starts_with("digraph"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn dot(&self, set: &Diagram) -> Dot<'_> {
        let name = |path: &[Variable]| path.last().map_or_else(String::new, |variable| format!("x{variable}"));
        Dot { store: self, root: self.node_of(set), name: Box::new(name), value: Box::new(|_, _| None) }
    }
}

impl<'a> Dot<'a> {
    /// Names the variables; without this, variable 3 is `x3`.
    #[must_use]
    pub fn name(self, name: impl Fn(Variable) -> String + 'a) -> Dot<'a> {
        Dot { name: Box::new(move |path| path.last().map_or_else(String::new, |&variable| name(variable))), ..self }
    }

    /// Names the variables by where they are: the variables whose values one has gone into, from the outermost, and then the
    /// variable. A diagram that is the value of several variables is drawn once, with the names that the first gives it.
    #[must_use]
    pub fn name_inside(self, name: impl Fn(&[Variable]) -> String + 'a) -> Dot<'a> {
        Dot { name: Box::new(name), ..self }
    }

    /// Names the values of variables, which are given as to [`Dot::name_inside`]; a value without a name is a number.
    #[must_use]
    pub fn value_inside(self, value: impl Fn(&[Variable], i32) -> Option<String> + 'a) -> Dot<'a> {
        Dot { value: Box::new(value), ..self }
    }
}

impl fmt::Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "digraph {{")?;
        writeln!(f, "  compound=true;")?;
        writeln!(f, "  node [fontname=\"Helvetica\", fontsize=12, height=0.4, width=0.4];")?;
        writeln!(f, "  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];")?;
        let known = Bits::new(self.store.nodes.id_bound());
        let mut drawing = Drawing { dot: self, known, labels: Vec::new(), references: Vec::new() };
        drawing.draw(f, None, self.root, &[])?;
        // Labels are drawn in the order in which they occur, and bring in their own labels.
        let mut next = 0;
        while let Some((label, path)) = drawing.labels.get(next).cloned() {
            next += 1;
            writeln!(f, "subgraph cluster_{} {{", label.0)?;
            writeln!(
                f,
                "  label=\"{}\"; style=rounded; color=gray; fontname=\"Helvetica\"; fontsize=12;",
                DiagramName(label)
            )?;
            drawing.draw(f, Some(label), label, &path)?;
            writeln!(f, "}}")?;
        }
        for (from, label) in drawing.references {
            let inside = NodeName { frame: Some(label), node: label };
            writeln!(f, "  {from} -> {inside} [style=dashed, color=gray, lhead=cluster_{}];", label.0)?;
        }
        writeln!(f, "}}")
    }
}

/// How a diagram is called in the picture.
struct DiagramName(Node);

impl fmt::Display for DiagramName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "d{}", self.0.0)
    }
}

/// How a node is called in the frame of a diagram, or outside of all frames.
#[derive(Clone, Copy)]
struct NodeName {
    frame: Option<Node>,
    node: Node,
}

impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.frame.map_or(Ok(()), |frame| write!(f, "{}_", DiagramName(frame)))?;
        write!(f, "n{}", self.node.0)
    }
}

/// Text between quotes.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
    }
}

/// The ranges of a set of integers, separated by commas.
struct Ranges<'a>(&'a [Arc]);

impl fmt::Display for Ranges<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, range) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            let (low, high) = range.ends();
            write_range(f, low, high)?;
        }
        Ok(())
    }
}

/// Values in ascending order, separated by commas; three or more in a row as a range.
struct Values<'a>(&'a [i32]);

impl fmt::Display for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for row in self.0.chunk_by(|a, b| a.checked_add(1) == Some(*b)) {
            match row {
                [first, _, .., last] => write!(f, "{separator}{first}..={last}")?,
                _ => {
                    for value in row {
                        write!(f, "{separator}{value}")?;
                        separator = ", ";
                    }
                }
            }
            separator = ", ";
        }
        Ok(())
    }
}

/// The part of a picture that is drawn.
struct Drawing<'a> {
    dot: &'a Dot<'a>,
    known: Bits,
    /// The labels that are drawn or will be, with the variables whose values they are.
    labels: Vec<(Node, Vec<Variable>)>,
    /// From where to which label. They are edges between frames and must not be drawn inside of one,
    /// where their ends would be taken for a part of it.
    references: Vec<(NodeName, Node)>,
}

impl Drawing<'_> {
    /// Draws what is reachable from a root through children.
    fn draw(&mut self, f: &mut fmt::Formatter<'_>, frame: Option<Node>, root: Node, path: &[Variable]) -> fmt::Result {
        let nodes = &self.dot.store.nodes;
        let mut seen = FxHashSet::default();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            let here = NodeName { frame, node };
            match nodes.kind(node) {
                Kind::Data => self.draw_data(f, here, path)?,
                Kind::Set => self.draw_set(f, here, path)?,
                Kind::Ranges => writeln!(f, "  {here} [shape=box, label=\"{}\"];", Ranges(nodes.arcs(node)))?,
                Kind::None => {
                    let text = match node {
                        ONE => "1",
                        TOP => "⊤",
                        _ => "0",
                    };
                    writeln!(f, "  {here} [shape=box, label=\"{text}\"];")?;
                }
            }
            if matches!(nodes.kind(node), Kind::Data | Kind::Set) {
                open.extend(nodes.arcs(node).iter().rev().map(|arc| arc.child));
            }
        }
        Ok(())
    }

    /// The variable of a node, with those around it.
    fn path(&self, node: Node, around: &[Variable]) -> Vec<Variable> {
        around.iter().copied().chain([self.dot.store.nodes.variable(node)]).collect()
    }

    fn draw_circle(&self, f: &mut fmt::Formatter<'_>, here: NodeName, path: &[Variable]) -> fmt::Result {
        writeln!(f, "  {here} [label=\"{}\"];", Quoted(&(self.dot.name)(path)))
    }

    /// Arcs with the same child are one edge.
    fn draw_data(&self, f: &mut fmt::Formatter<'_>, here: NodeName, around: &[Variable]) -> fmt::Result {
        let path = self.path(here.node, around);
        self.draw_circle(f, here, &path)?;
        let mut edges: Vec<(Node, Vec<i32>)> = Vec::new();
        let mut edge_to: FxHashMap<Node, usize> = FxHashMap::default();
        for arc in self.dot.store.nodes.arcs(here.node) {
            let edge = *edge_to.entry(arc.child).or_insert(edges.len());
            if edge == edges.len() {
                edges.push((arc.child, Vec::new()));
            }
            edges[edge].1.push(arc.value());
        }
        for (child, values) in edges {
            let child = NodeName { node: child, ..here };
            let (named, numbers): (Vec<_>, Vec<_>) = values
                .into_iter()
                .map(|value| (value, (self.dot.value)(&path, value)))
                .partition(|one| one.1.is_some());
            let mut words: Vec<String> = named.into_iter().filter_map(|(_, name)| name).collect();
            if !numbers.is_empty() {
                words.push(Values(&numbers.into_iter().map(|(value, _)| value).collect::<Vec<_>>()).to_string());
            }
            writeln!(f, "  {here} -> {child} [label=\" {} \"];", Quoted(&words.join(", ")))?;
        }
        Ok(())
    }

    fn draw_set(&mut self, f: &mut fmt::Formatter<'_>, here: NodeName, around: &[Variable]) -> fmt::Result {
        let path = self.path(here.node, around);
        self.draw_circle(f, here, &path)?;
        let nodes = &self.dot.store.nodes;
        for arc in nodes.arcs(here.node) {
            let (label, child) = (arc.set_label(), NodeName { node: arc.child, ..here });
            if nodes.kind(label) == Kind::Ranges {
                writeln!(f, "  {here} -> {child} [label=\" {} \"];", Ranges(nodes.arcs(label)))?;
            } else if label == ONE {
                writeln!(f, "  {here} -> {child} [label=\" [] \"];")?;
            } else {
                writeln!(f, "  {here} -> {child} [label=\" {} \"];", DiagramName(label))?;
                self.references.push((here, label));
                if self.known.insert(label.index()) {
                    self.labels.push((label, path.clone()));
                }
            }
        }
        Ok(())
    }
}
