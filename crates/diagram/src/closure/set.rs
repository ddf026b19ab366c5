//! Firing at set nodes.

use super::plan::{KEEP, Op, Plan, Step, Trial};
use crate::hom::{LabelAnswers, NOTHING, Term, TermData};
use crate::memory::Run;
use crate::node::{Arc, Kind, Node, ZERO};
use crate::store::{Store, Variable};

/// What happens to a label, and below it: see [`Step::Label`].
type LabelStep = (Trial, Op, Op);

impl Store {
    pub(super) fn fire_at_set(&mut self, op: Op, node: Node) -> Run<Node> {
        let variable = self.nodes.variable(node);
        let plan = self.plan(op, variable, Kind::Set);
        let base = self.pieces.len();
        let pending = self.pending.len();
        let mut rest = ZERO;
        let steps = plan.fire_steps();
        match self.plans.step(steps.start) {
            Step::Skip { below } if steps.len() == 1 => {
                let mut same = true;
                for i in 0..self.nodes.arc_count(node) {
                    let arc = self.nodes.arc(node, i);
                    let child = self.fire_beside(base, arc.set_label(), below, arc.child)?;
                    same &= child == arc.child;
                    if child != ZERO {
                        self.add_disjoint_piece(base, arc.set_label(), child)?;
                        if !plan.is_closed() {
                            self.push_pending(&plan, arc.set_label(), child)?;
                        }
                    }
                }
                if same && plan.is_closed() {
                    self.pieces.truncate(base);
                    return Ok(node);
                }
            }
            Step::Label { trial, inside, below } if steps.len() == 1 => {
                self.fire_at_labels((trial, inside, below), &plan, node, base)?;
            }
            _ => {
                for at in steps {
                    let step = self.plans.step(at);
                    let root = self.roots.len();
                    self.roots.push(rest);
                    let more = self.fire_set_step(step, &plan, variable, node, base)?;
                    if more != ZERO {
                        rest = self.unite(rest, more)?;
                    }
                    self.roots.truncate(root);
                }
            }
        }
        let root = self.roots.len();
        if rest != ZERO {
            self.roots.push(rest);
        }
        if !plan.is_closed() {
            self.saturate_set(&plan, variable, base, pending)?;
        }
        let result = self.make_set(variable, base)?;
        if rest == ZERO { Ok(result) } else { self.finish(op, result, rest, root) }
    }

    /// Puts an arc on the worklist whose label need not be closed.
    ///
    /// A part of a closed label is not closed; but what the label grows by is in other pieces, whose
    /// children are larger, so to fire it from here is sound.
    fn push_pending(&mut self, plan: &Plan, label: Node, child: Node) -> Run<()> {
        self.roots.push(child);
        let label = self.fire(plan.close_label(), label)?;
        self.roots.pop();
        self.pending.push(Arc::set(label, child));
        Ok(())
    }

    /// Does an operation on all labels of a set node, and one below each.
    #[inline]
    fn fire_at_labels(&mut self, step: LabelStep, plan: &Plan, node: Node, base: usize) -> Run<()> {
        let close = plan.close_label();
        // An operation on labels expects them closed, but for the one that closes them.
        let needs_closed = step.1 != close && close != KEEP;
        for i in 0..self.nodes.arc_count(node) {
            let mut arc = self.nodes.arc(node, i);
            let root = self.roots.len();
            if needs_closed {
                arc.label = self.fire(close, arc.set_label())?.0;
                self.roots.push(arc.set_label());
            }
            self.fire_label(step, plan, arc, base)?;
            self.roots.truncate(root);
        }
        Ok(())
    }

    /// Does an operation on a label, and one below it.
    ///
    /// The label is closed last: where the step is not possible below, what it would close is not reached, and need not
    /// even be finite.
    #[inline]
    fn fire_label(&mut self, (trial, inside, below): LabelStep, plan: &Plan, arc: Arc, base: usize) -> Run<()> {
        // What is known already need not be tried.
        let mut label = self.caches.fire.get([inside.0, arc.label]).map(Node);
        let mut tried = None;
        if label.is_none() {
            match trial {
                Trial::Nothing => {}
                Trial::Inside => label = Some(self.fire(inside, arc.set_label())?),
                Trial::Term(term) if self.is_possible(term, arc.set_label())? => tried = Some(term),
                Trial::Term(_) => return Ok(()),
            }
        }
        if label == Some(ZERO) {
            return Ok(());
        }
        let root = self.roots.len();
        self.roots.extend(label);
        let child = match tried {
            Some(term) => self.fire_below(base, arc, term, below)?,
            None => self.fire_beside(base, label.unwrap_or(arc.set_label()), below, arc.child)?,
        };
        if child != ZERO {
            let label = match label {
                Some(label) => label,
                None => {
                    self.roots.push(child);
                    self.fire_above(base, inside, arc.set_label(), child)?
                }
            };
            if label != ZERO {
                let close = plan.close_label();
                if close != KEEP && label.0 != arc.label {
                    // It is closed, and this will be asked.
                    self.caches.fire.put([close.0, label.0], label.0);
                }
                self.add_fired_piece(plan, base, label, child)?;
            }
        }
        self.roots.truncate(root);
        Ok(())
    }

    /// Does one step at all arcs of a set node. Returns what is not an arc of the same variable.
    fn fire_set_step(&mut self, step: Step, plan: &Plan, variable: Variable, node: Node, base: usize) -> Run<Node> {
        if let Step::Whole { term } = step {
            return self.apply_whole(term, node);
        }
        if let Step::Label { trial, inside, below } = step {
            self.fire_at_labels((trial, inside, below), plan, node, base)?;
            return Ok(ZERO);
        }
        let root = self.roots.len();
        self.roots.push(ZERO);
        for i in 0..self.nodes.arc_count(node) {
            let arc = self.nodes.arc(node, i);
            let rest = self.fire_set_arc(step, plan, variable, arc, base)?;
            if rest != ZERO {
                self.roots[root] = self.unite(self.roots[root], rest)?;
            }
        }
        let rest = self.roots[root];
        self.roots.truncate(root);
        Ok(rest)
    }

    /// Does one step at an arc of a set node. The label is closed under the plan's L if the step
    /// needs it. Results are added to the pieces, and to those to be fired if the plan says so.
    /// Returns what is not an arc of the same variable.
    #[inline]
    pub(super) fn fire_set_arc(
        &mut self, step: Step, plan: &Plan, variable: Variable, arc: Arc, base: usize,
    ) -> Run<Node> {
        match step {
            Step::Label { trial, inside, below } => self.fire_label((trial, inside, below), plan, arc, base)?,
            Step::Skip { below } => {
                let child = self.fire(below, arc.child)?;
                if child != ZERO && self.add_piece(base, arc.set_label(), child)? && !plan.is_closed() {
                    self.push_pending(plan, arc.set_label(), child)?;
                }
            }
            Step::Value { link, below } => return self.fire_value_at_label(link, below, plan, arc, base),
            Step::Undefined { below } => {
                if self.fire(below, arc.child)? != ZERO {
                    return Ok(self.undefined());
                }
            }
            Step::Add { .. } => unreachable!("at set nodes all value maps are links"),
            Step::Ask { term, .. } => return self.ask_at_label(term, plan, variable, arc, base),
            Step::Whole { term } => return self.apply_to_arc(term, Kind::Set, variable, arc),
        }
        Ok(ZERO)
    }

    /// Adds a piece and, if the node is to be closed and the piece was new, puts it on the worklist.
    #[inline]
    pub(super) fn add_fired_piece(&mut self, plan: &Plan, base: usize, label: Node, child: Node) -> Run<()> {
        if self.add_piece(base, label, child)? && !plan.is_closed() {
            self.pending.push(Arc::set(label, child));
        }
        Ok(())
    }

    fn ask_at_label(&mut self, term: Term, plan: &Plan, variable: Variable, arc: Arc, base: usize) -> Run<Node> {
        let mut answers = LabelAnswers::default();
        self.answer_label(term, variable, arc.set_label(), &mut answers)?;
        let root = self.roots.len();
        for (inside, below) in answers.moves {
            let inside = self.plans.fire_op(inside, NOTHING);
            let label = self.fire(inside, arc.set_label())?;
            self.roots.push(label);
            if label != ZERO {
                let below = self.plans.fire_op(below, plan.below());
                let child = self.fire(below, arc.child)?;
                if child != ZERO {
                    self.roots.push(child);
                    let label = self.fire(plan.close_label(), label)?;
                    self.add_fired_piece(plan, base, label, child)?;
                }
            }
            self.roots.truncate(root);
        }
        self.apply_all(&answers.wholes, arc.child)
    }

    /// A value map on a label that is a set of integers.
    fn fire_value_at_label(&mut self, link: Term, below: Op, plan: &Plan, arc: Arc, base: usize) -> Run<Node> {
        let child = self.fire(below, arc.child)?;
        if child == ZERO {
            return Ok(ZERO);
        }
        if self.nodes.kind(arc.set_label()) != Kind::Ranges {
            return Ok(self.undefined());
        }
        let TermData::Value { map, .. } = self.terms.get(link).clone() else { unreachable!("a value link") };
        let root = self.roots.len();
        self.roots.push(child);
        let label = self.map_ranges(&map, arc.set_label())?;
        self.roots.push(label);
        let label = self.fire(plan.close_label(), label)?;
        if label != ZERO {
            self.add_fired_piece(plan, base, label, child)?;
        }
        self.roots.truncate(root);
        Ok(ZERO)
    }
}
