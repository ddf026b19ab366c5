//! Whether a graph has a cycle with all marks, found on the way.
//!
//! The graph is explored depth first, and only as far as it must be: its strongly connected components are merged as
//! cycles close, each with the marks met in it, and the first that has all marks is enough (J.-M. Couvreur, *On-the-fly
//! verification of linear temporal logic*, 1999).

use std::collections::VecDeque;

use mandala_logic::automaton::Marks;
use rustc_hash::{FxHashMap, FxHashSet};

/// A graph that says where edges lead when it is asked. Nodes are numbers from 0 on.
pub(crate) trait Graph {
    /// Why it cannot go on.
    type Stop;

    /// The edges from a node. So many edges are kept for the search at the same time.
    fn edges(&mut self, node: u32, kept: u64) -> Result<Vec<(u32, Marks)>, Self::Stop>;
}

/// A component with all marks.
pub(crate) struct Accepting {
    /// The first of its nodes that was met.
    pub root: u32,
    /// Nodes of it, among which all marks can be met again and again.
    pub members: FxHashSet<u32>,
}

/// A node on the way of the search, with its edges and how many of them were followed.
struct Frame {
    node: u32,
    edges: Vec<(u32, Marks)>,
    followed: usize,
}

/// A component of what was explored so far: when its first node was met, the marks within it, and those of the edge into
/// it.
struct Root {
    met: u32,
    marks: Marks,
    entry: Marks,
}

#[derive(Default)]
struct Search {
    /// When each node was met, from 1 on; 0 if it was not.
    met: Vec<u32>,
    /// Nodes in the order in which they were met.
    order: Vec<u32>,
    /// Whether a node's component is complete, and has not all marks.
    removed: Vec<bool>,
    /// When the nodes of components that are not complete were met, in ascending order.
    live: Vec<u32>,
    way: Vec<Frame>,
    roots: Vec<Root>,
    kept: u64,
}

/// A component with all marks that can be reached from some nodes, if there is one.
pub(crate) fn find<G: Graph>(graph: &mut G, initial: &[u32], all: Marks) -> Result<Option<Accepting>, G::Stop> {
    let mut search = Search::default();
    for &start in initial {
        if search.met(start) != 0 {
            continue;
        }
        search.visit(graph, start, Marks::NONE)?;
        while let Some(frame) = search.way.last_mut() {
            let Some(&(node, marks)) = frame.edges.get(frame.followed) else {
                search.leave();
                continue;
            };
            frame.followed += 1;
            match search.met(node) {
                0 => search.visit(graph, node, marks)?,
                _ if search.removed[node as usize] => {}
                met => {
                    if let Some(root) = search.merge(met, marks, all) {
                        let inside = search.live.iter().filter(|&&met| met >= root);
                        let members = inside.map(|&met| search.order[met as usize - 1]).collect();
                        return Ok(Some(Accepting { root: search.order[root as usize - 1], members }));
                    }
                }
            }
        }
    }
    Ok(None)
}

impl Search {
    fn met(&self, node: u32) -> u32 {
        self.met.get(node as usize).copied().unwrap_or(0)
    }

    fn visit<G: Graph>(&mut self, graph: &mut G, node: u32, entry: Marks) -> Result<(), G::Stop> {
        let edges = graph.edges(node, self.kept)?;
        if self.met.len() <= node as usize {
            self.met.resize(node as usize + 1, 0);
            self.removed.resize(node as usize + 1, false);
        }
        self.order.push(node);
        let met = self.order.len() as u32;
        self.met[node as usize] = met;
        self.live.push(met);
        self.roots.push(Root { met, marks: Marks::NONE, entry });
        self.kept += edges.len() as u64;
        self.way.push(Frame { node, edges, followed: 0 });
        Ok(())
    }

    /// All edges of the last node on the way were followed.
    fn leave(&mut self) {
        let Some(frame) = self.way.pop() else { return };
        self.kept -= frame.edges.len() as u64;
        let met = self.met(frame.node);
        if self.roots.last().is_some_and(|root| root.met == met) {
            self.roots.pop();
            while let Some(last) = self.live.pop_if(|last| *last >= met) {
                self.removed[self.order[last as usize - 1] as usize] = true;
            }
        }
    }

    /// An edge leads back: all components from there on are one. When its first node was met, if it has all marks.
    fn merge(&mut self, met: u32, mut marks: Marks, all: Marks) -> Option<u32> {
        while let Some(root) = self.roots.pop_if(|root| root.met > met) {
            marks |= root.marks | root.entry;
        }
        let root = self.roots.last_mut()?;
        root.marks |= marks;
        all.is_subset(root.marks).then_some(root.met)
    }
}

/// A run: nodes, each with the marks of the edge that leads there, of which the last is the one with this number again.
pub(crate) type Lasso = (Vec<(u32, Marks)>, usize);

/// Nodes of which a run is to meet one again and again.
pub(crate) type Goal<'g> = &'g dyn Fn(u32) -> bool;

/// A way from some nodes into a component with all marks, and around in it with all of them and through a node of each goal;
/// nothing if what was found is not found again.
pub(crate) fn lasso<G: Graph>(
    graph: &mut G, initial: &[u32], found: &Accepting, all: Marks, goals: &[Goal<'_>],
) -> Option<Lasso> {
    let start = found.root;
    let mut nodes = match initial.contains(&start) {
        true => vec![(start, Marks::NONE)],
        false => shortest(graph, initial, |_| true, |node, _| node == start)?,
    };
    let begin = nodes.len() - 1;
    let inside = |node: u32| found.members.contains(&node);
    let mut missing = all;
    while !missing.is_empty() {
        let wanted = |_, marks: Marks| !(marks & missing).is_empty();
        let way = shortest(graph, &[nodes[nodes.len() - 1].0], inside, wanted)?;
        missing = way.iter().skip(1).fold(missing, |missing, (_, marks)| missing.minus(*marks));
        nodes.extend(way.into_iter().skip(1));
    }
    for goal in goals {
        if !nodes[begin..].iter().any(|&(node, _)| goal(node)) {
            let way = shortest(graph, &[nodes[nodes.len() - 1].0], inside, |node, _| goal(node))?;
            nodes.extend(way.into_iter().skip(1));
        }
    }
    if nodes.len() - 1 == begin || nodes[nodes.len() - 1].0 != start {
        let way = shortest(graph, &[nodes[nodes.len() - 1].0], inside, |node, _| node == start)?;
        nodes.extend(way.into_iter().skip(1));
    }
    Some((nodes, begin))
}

/// A shortest way, of one edge at least, that ends with a wanted edge.
fn shortest<G: Graph>(
    graph: &mut G, from: &[u32], allowed: impl Fn(u32) -> bool, wanted: impl Fn(u32, Marks) -> bool,
) -> Option<Vec<(u32, Marks)>> {
    let mut parents: FxHashMap<u32, Option<(u32, Marks)>> = from.iter().map(|&node| (node, None)).collect();
    let mut open: VecDeque<u32> = from.iter().copied().collect();
    while let Some(node) = open.pop_front() {
        for (next, marks) in graph.edges(node, 0).ok()? {
            if !allowed(next) {
                continue;
            }
            if wanted(next, marks) {
                let mut way = vec![(next, marks)];
                let mut at = node;
                while let Some(&Some((before, marks))) = parents.get(&at) {
                    way.push((at, marks));
                    at = before;
                }
                way.push((at, Marks::NONE));
                way.reverse();
                return Some(way);
            }
            parents.entry(next).or_insert_with(|| {
                open.push_back(next);
                Some((node, marks))
            });
        }
    }
    None
}
