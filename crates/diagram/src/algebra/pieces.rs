//! The arcs of a set node while it is built: a partition that is refined piece by piece.
//!
//! The *pieces* of a node in the making lie on the stack `pieces` from some `base` to the top. Their
//! labels are pairwise disjoint and their children pairwise different after each of the functions
//! here. A single piece labelled ⊤ says that the node is undefined.

use crate::memory::Run;
use crate::node::{Arc, Node, TOP, ZERO};
use crate::store::Store;

impl Store {
    /// Adds `label -> child` to the pieces from `base` on; whether the set has grown.
    ///
    /// Where the label meets that of a piece, the piece is split (SDD paper, 2.1): the part outside
    /// keeps its child and the common part gets the union of both.
    pub(crate) fn add_piece(&mut self, base: usize, label: Node, child: Node) -> Run<bool> {
        if self.nodes.is_undefined(label) {
            return Ok(self.make_pieces_undefined(base));
        }
        if self.pieces.len() == base {
            self.pieces.push(Arc::set(label, child));
            return Ok(true);
        }
        if self.pieces[base].label == TOP.0 {
            return Ok(false);
        }
        let root = self.roots.len();
        self.roots.extend([label, child]);
        // Often the label is there already: then it meets no other.
        let same = self.pieces[base..].iter().position(|piece| piece.label == label.0);
        let grown = match same {
            Some(at) => self.grow_piece(base, base + at, child),
            None => self.refine(base, label, child),
        };
        let grown = grown.inspect_err(|_| self.broken = true)?;
        self.roots.truncate(root);
        Ok(grown)
    }

    /// Adds `label -> child`, where no piece has this label. Both are rooted.
    fn refine(&mut self, base: usize, label: Node, child: Node) -> Run<bool> {
        let (end, root) = (self.pieces.len(), self.roots.len());
        self.roots.push(label);
        // To be compared with all others takes its time, even where the results are known.
        self.spend((end - base) as u32);
        let mut rest = label;
        let mut holes = false;
        for i in base..end {
            let piece = self.pieces[i];
            let old = piece.set_label();
            let common = self.meet(old, rest)?;
            if common == ZERO {
                continue;
            }
            if self.nodes.is_undefined(common) {
                self.roots.truncate(root);
                return Ok(self.make_pieces_undefined(base));
            }
            self.roots.push(common);
            let both = if piece.child == child { child } else { self.unite(piece.child, child)? };
            if both != piece.child {
                if common == old {
                    // The piece as a whole moves to the new child: it is put at the end, among those
                    // that may have to be merged.
                    self.pieces[i].label = ZERO.0;
                    holes = true;
                    self.pieces.push(Arc::set(common, both));
                } else {
                    self.roots.push(both);
                    let outside = self.subtract(old, common)?;
                    self.pieces[i].label = outside.0;
                    self.pieces.push(Arc::set(common, both));
                }
            }
            if common == rest {
                rest = ZERO;
                break;
            }
            rest = self.subtract(rest, common)?;
            self.roots[root] = rest;
            self.roots.truncate(root + 1);
        }
        if rest != ZERO {
            self.pieces.push(Arc::set(rest, child));
        }
        self.roots.truncate(root);
        if self.pieces.len() == end {
            return Ok(false);
        }
        let end = if holes { self.fill_holes(base, end) } else { end };
        self.merge_pieces(base, end)?;
        Ok(true)
    }

    /// Adds to the child of one piece; whether that changed it.
    fn grow_piece(&mut self, base: usize, at: usize, child: Node) -> Run<bool> {
        let old = self.pieces[at].child;
        let both = if old == child { old } else { self.unite(old, child)? };
        if both == old {
            return Ok(false);
        }
        let last = self.pieces.len() - 1;
        self.pieces.swap(at, last);
        self.pieces[last].child = both;
        self.merge_pieces(base, last)?;
        Ok(true)
    }

    /// Adds `label -> child`, where the label meets none of the pieces'.
    pub(crate) fn add_disjoint_piece(&mut self, base: usize, label: Node, child: Node) -> Run<()> {
        let end = self.pieces.len();
        if end > base && self.pieces[base].label == TOP.0 {
            return Ok(());
        }
        self.pieces.push(Arc::set(label, child));
        self.merge_pieces(base, end).inspect_err(|_| self.broken = true)
    }

    /// Removes the pieces without a label before `end`; where `end` is then.
    fn fill_holes(&mut self, base: usize, end: usize) -> usize {
        let mut kept = base;
        for i in base..self.pieces.len() {
            if self.pieces[i].label != ZERO.0 {
                self.pieces[kept] = self.pieces[i];
                kept += 1;
            }
        }
        let holes = self.pieces.len() - kept;
        self.pieces.truncate(kept);
        end - holes
    }

    /// Merges each piece from `end` on with the piece before it that has the same child, if any.
    fn merge_pieces(&mut self, base: usize, end: usize) -> Run<()> {
        let mut i = end;
        while i < self.pieces.len() {
            let piece = self.pieces[i];
            let twin = self.pieces[base..i].iter().position(|other| other.child == piece.child);
            match twin {
                None => i += 1,
                Some(twin) => {
                    let label = self.unite(self.pieces[base + twin].set_label(), piece.set_label())?;
                    if self.nodes.is_undefined(label) {
                        self.make_pieces_undefined(base);
                        return Ok(());
                    }
                    self.pieces[base + twin].label = label.0;
                    self.pieces.swap_remove(i);
                }
            }
        }
        Ok(())
    }

    /// Makes the node in the making undefined; whether it was not before.
    pub(crate) fn make_pieces_undefined(&mut self, base: usize) -> bool {
        let is_new = self.pieces.get(base).is_none_or(|piece| piece.label != TOP.0);
        let top = self.undefined();
        self.pieces.truncate(base);
        self.pieces.push(Arc::set(top, top));
        is_new
    }

    /// The union of several set nodes: all their arcs are refined into one partition, and only then
    /// are the children of each piece united.
    pub(super) fn union_many_sets(&mut self, variable: u32, sets: &[Node]) -> Run<Node> {
        let root = self.roots.len();
        // Label and children of each piece; the labels are rooted as they are made.
        let mut parts: Vec<(Node, Vec<Node>)> = Vec::new();
        for &set in sets {
            for i in 0..self.nodes.arc_count(set) {
                let arc = self.nodes.arc(set, i);
                let mut rest = arc.set_label();
                for p in 0..parts.len() {
                    let old = parts[p].0;
                    let common = self.meet(old, rest)?;
                    if common == ZERO {
                        continue;
                    }
                    if self.nodes.is_undefined(common) {
                        self.roots.truncate(root);
                        return Ok(self.undefined());
                    }
                    self.roots.push(common);
                    if common == old {
                        parts[p].1.push(arc.child);
                    } else {
                        let outside = self.subtract(old, common)?;
                        self.roots.push(outside);
                        let mut children = parts[p].1.clone();
                        parts[p].0 = outside;
                        children.push(arc.child);
                        parts.push((common, children));
                    }
                    rest = self.subtract(rest, common)?;
                    self.roots.push(rest);
                    if rest == ZERO {
                        break;
                    }
                }
                if rest != ZERO {
                    parts.push((rest, vec![arc.child]));
                }
            }
        }
        let base = self.pieces.len();
        for (label, children) in parts {
            let child = self.union_all(&children)?;
            self.add_disjoint_piece(base, label, child)?;
        }
        self.roots.truncate(root);
        self.make_set(variable, base)
    }
}
