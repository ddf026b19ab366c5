//! Walks: reading the tokens of a state while going through a diagram.
//!
//! In a data node one value leads to one child. The arcs of a set node are sorted by nothing that has
//! a meaning, so the labels of all of them are entered at once: a [`Walk`] knows every *path* on which
//! the tokens read so far can be a beginning. A token that does not fit ends a path, and because the
//! labels of a node are disjoint, at most one of its paths is left when the value is closed. Nothing is
//! tried in vain, and a walk needs memory only for the tokens before it.

use super::states::{Part, Token};
use crate::algebra::{RANGE_MAX, RANGE_MIN};
use crate::memory::Bits;
use crate::node::{Arc, Kind, Node, Nodes, ONE};
use crate::store::{Store, Variable};

impl Store {
    /// The nodes below a root that denote at least one state.
    pub(super) fn alive(&self, root: Node) -> Alive<'_> {
        let mut alive = Alive { nodes: &self.nodes, undefined: Bits::new(0) };
        if !self.nodes.is_undefined(root) {
            return alive;
        }
        alive.undefined = Bits::new(self.nodes.id_bound());
        let mut seen = Bits::new(self.nodes.id_bound());
        let mut open = vec![(root, false)];
        while let Some((node, ready)) = open.pop() {
            if node.is_terminal() {
                continue;
            }
            let arcs = self.nodes.arcs(node);
            if ready {
                if arcs.iter().any(|arc| alive.contains(arc.child)) {
                    alive.undefined.insert(node.index());
                }
            } else if seen.insert(node.index()) {
                open.push((node, true));
                let undefined = arcs.iter().filter(|arc| self.nodes.is_undefined(arc.child));
                open.extend(undefined.map(|arc| (arc.child, false)));
            }
        }
        alive
    }
}

/// The nodes that denote at least one state: not those that only lead to ⊤.
pub(super) struct Alive<'a> {
    nodes: &'a Nodes,
    /// Those among the undefined nodes. A defined node always has states: it has no arcs to 0.
    undefined: Bits,
}

impl Alive<'_> {
    pub(super) fn contains(&self, node: Node) -> bool {
        !self.nodes.is_undefined(node) || self.undefined.contains(node.index())
    }
}

/// All paths through a diagram that read the same tokens.
pub(super) struct Walk<'a> {
    nodes: &'a Nodes,
    alive: Alive<'a>,
    /// The positions, one before each token and one after the last.
    positions: Vec<Position>,
    /// The paths of all positions.
    paths: Vec<Path>,
}

/// Where a walk is between two tokens.
#[derive(Clone, Copy)]
struct Position {
    /// The first of its paths; the last is before those of the next position.
    first: usize,
    /// The position before the last `Open` that is not closed.
    opened: Option<usize>,
}

/// One way to read the tokens: `at` is what is left to read of the label of an arc of the set node
/// `of`, which leads to `child`. Paths are sorted by `of`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Path {
    at: Node,
    of: Node,
    child: Node,
}

impl<'a> Walk<'a> {
    pub(super) fn new(store: &'a Store, root: Node) -> Walk<'a> {
        Walk {
            nodes: &store.nodes,
            alive: store.alive(root),
            positions: vec![Position { first: 0, opened: None }],
            // Nothing is left to do after the outermost level: where it is part of does not matter.
            paths: vec![Path { at: root, of: ONE, child: ONE }],
        }
    }

    fn position(&self) -> Position {
        self.positions[self.positions.len() - 1]
    }

    fn paths(&self) -> &[Path] {
        &self.paths[self.position().first..]
    }

    /// Where the walk is if no value is open: there is only one path then.
    pub(super) fn outermost(&self) -> Option<Node> {
        if self.position().opened.is_some() { None } else { self.paths().first().map(|path| path.at) }
    }

    /// Whether the tokens are a state.
    pub(super) fn is_complete(&self) -> bool {
        self.outermost() == Some(ONE)
    }

    /// Forgets all but this many tokens.
    pub(super) fn back_to(&mut self, tokens: usize) {
        if let Some(position) = self.positions.get(tokens + 1) {
            self.paths.truncate(position.first);
            self.positions.truncate(tokens + 1);
        }
    }

    /// The least token that can be taken and comes after this one.
    pub(super) fn token_after(&self, before: Option<Token>) -> Option<Token> {
        self.paths().iter().filter_map(|path| self.token_at(path.at, before)).min()
    }

    fn token_at(&self, node: Node, before: Option<Token>) -> Option<Token> {
        if node == ONE {
            return (before.is_none() && self.position().opened.is_some()).then_some(Token::Close);
        }
        if node.is_terminal() {
            return None;
        }
        let variable = self.nodes.variable(node);
        let before = match before {
            Some(Token::Assign(same, part)) if same == variable => Some(part),
            Some(Token::Assign(other, _)) if other > variable => return None,
            _ => None,
        };
        let arcs = self.nodes.arcs(node);
        let part = match self.nodes.kind(node) {
            Kind::Data => {
                let start = match before {
                    None => 0,
                    Some(Part::Integer(value)) => arcs.partition_point(|arc| arc.value() <= value),
                    Some(_) => arcs.len(),
                };
                let arc = arcs[start..].iter().find(|arc| self.alive.contains(arc.child))?;
                Part::Integer(arc.value())
            }
            Kind::Set => {
                let alive = arcs.iter().filter(|arc| self.alive.contains(arc.child));
                alive.filter_map(|arc| self.part_of_label(arc.set_label(), before)).min()?
            }
            Kind::Ranges | Kind::None => return None,
        };
        Some(Token::Assign(variable, part))
    }

    fn part_of_label(&self, label: Node, before: Option<Part>) -> Option<Part> {
        if self.nodes.kind(label) != Kind::Ranges {
            return (before < Some(Part::Open)).then_some(Part::Open);
        }
        let ranges = self.nodes.arcs(label);
        let Some(Part::Range(value, _)) = before else {
            let (low, high) = ranges[0].ends();
            return (before < Some(Part::Range(low, low))).then(|| first_part(low, high));
        };
        let start = ranges.partition_point(|range| range.ends().1 < value);
        ranges[start..].iter().find_map(|range| {
            let (low, high) = range.ends();
            let next = first_part(low, high);
            if Some(next) > before {
                return Some(next);
            }
            // The range is given integer by integer and this is in the middle of it.
            (!is_open(low, high) && value < high).then(|| Part::Range(value + 1, value + 1))
        })
    }

    /// Goes on with a token; whether some path goes on with it. A range is taken only as a whole.
    pub(super) fn take(&mut self, token: Token) -> bool {
        let nodes = self.nodes;
        match token {
            Token::Close => self.close(),
            Token::Assign(variable, Part::Open) => self.open(variable),
            Token::Assign(variable, Part::Integer(value)) => {
                self.advance(variable, Kind::Data, |node| nodes.child(node, value))
            }
            Token::Assign(variable, Part::Range(low, high)) => self.advance(variable, Kind::Set, |node| {
                let mut arcs = nodes.arcs(node).iter();
                arcs.find(|arc| has_part(nodes, arc.set_label(), low, high)).map(|arc| arc.child)
            }),
        }
    }

    /// Goes on with all integers of a range at once.
    pub(super) fn take_within(&mut self, variable: Variable, low: i32, high: i32) -> bool {
        let nodes = self.nodes;
        self.advance(variable, Kind::Set, |node| {
            let mut arcs = nodes.arcs(node).iter();
            arcs.find(|arc| {
                let ranges = ranges_of(nodes, arc.set_label());
                ranges.iter().any(|range| range.ends().0 <= low && high <= range.ends().1)
            })
            .map(|arc| arc.child)
        })
    }

    /// Cuts a range into the parts whose integers are all alike: no path tells them apart here.
    pub(super) fn cut(&self, variable: Variable, low: i32, high: i32) -> Vec<(i32, i32)> {
        let mut starts = vec![low];
        for path in self.paths().iter().filter(|path| self.is_at(path, variable, Kind::Set)) {
            let labels = self.nodes.arcs(path.at).iter().map(|arc| arc.set_label());
            for range in labels.flat_map(|label| ranges_of(self.nodes, label)) {
                let (start, end) = range.ends();
                let after = end.checked_add(1);
                starts.extend([Some(start), after].into_iter().flatten().filter(|&cut| low < cut && cut <= high));
            }
        }
        starts.sort_unstable();
        starts.dedup();
        let ends = starts[1..].iter().map(|start| start - 1).chain([high]);
        starts.iter().copied().zip(ends).collect()
    }

    fn is_at(&self, path: &Path, variable: Variable, kind: Kind) -> bool {
        !path.at.is_terminal() && self.nodes.variable(path.at) == variable && self.nodes.kind(path.at) == kind
    }

    /// Starts a new position, with the paths from `first` on; whether there are any.
    fn arrive(&mut self, first: usize, opened: Option<usize>) -> bool {
        self.positions.push(Position { first, opened });
        self.paths.len() > first
    }

    /// Goes on from every node of this kind with this variable to what `next` says.
    fn advance(&mut self, variable: Variable, kind: Kind, next: impl Fn(Node) -> Option<Node>) -> bool {
        let Position { first, opened } = self.position();
        let end = self.paths.len();
        for i in first..end {
            let path = self.paths[i];
            if self.is_at(&path, variable, kind)
                && let Some(at) = next(path.at)
                && self.alive.contains(at)
            {
                self.paths.push(Path { at, ..path });
            }
        }
        self.arrive(end, opened)
    }

    /// Enters the labels of all arcs.
    fn open(&mut self, variable: Variable) -> bool {
        let paths = self.paths().iter().filter(|path| self.is_at(path, variable, Kind::Set));
        let mut entered: Vec<Node> = paths.map(|path| path.at).collect();
        entered.sort_unstable();
        entered.dedup();
        let end = self.paths.len();
        for of in entered {
            let arcs = self.nodes.arcs(of).iter().filter(|arc| self.alive.contains(arc.child));
            let arcs = arcs.filter(|arc| self.nodes.kind(arc.set_label()) != Kind::Ranges);
            self.paths.extend(arcs.map(|arc| Path { at: arc.set_label(), of, child: arc.child }));
        }
        let here = self.positions.len() - 1;
        self.arrive(end, Some(here))
    }

    /// Goes on after a label, outside of it, with the children of the arcs whose label has ended.
    fn close(&mut self) -> bool {
        let here = self.position();
        let end = self.paths.len();
        let Some(outside) = here.opened else { return false };
        let (first, last) = (self.positions[outside].first, self.positions[outside + 1].first);
        let ended: Vec<Path> = self.paths().iter().copied().filter(|path| path.at == ONE).collect();
        for i in first..last {
            let path = self.paths[i];
            if let Ok(found) = ended.binary_search_by_key(&path.at, |inner| inner.of) {
                self.paths.push(Path { at: ended[found].child, ..path });
            }
        }
        self.arrive(end, self.positions[outside].opened)
    }
}

fn is_open(low: i32, high: i32) -> bool {
    low == RANGE_MIN || high == RANGE_MAX
}

/// The first of the parts as which a range is given.
pub(super) fn first_part(low: i32, high: i32) -> Part {
    Part::Range(low, if is_open(low, high) { high } else { low })
}

/// The ranges of a label, none if it is not a set of integers.
pub(super) fn ranges_of(nodes: &Nodes, label: Node) -> &[Arc] {
    if nodes.kind(label) == Kind::Ranges { nodes.arcs(label) } else { &[] }
}

/// Whether a label has these integers as one of the parts as which its ranges are given.
fn has_part(nodes: &Nodes, label: Node, low: i32, high: i32) -> bool {
    let ranges = ranges_of(nodes, label);
    let Some(range) = ranges.get(ranges.partition_point(|range| range.ends().1 < high)) else { return false };
    let (start, end) = range.ends();
    if is_open(start, end) { (start, end) == (low, high) } else { start <= low && low == high }
}
