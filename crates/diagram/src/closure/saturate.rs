//! Closing a node whose children and labels are closed.
//!
//! Firing adds arcs, and what was added is fired in turn, until nothing is new. Below, each result
//! was closed before it came back up, and a union of closed sets is closed: children are never
//! closed again as a whole. So the diagrams in between stay about as small as the result.

use super::ask::Making;
use super::data::Dirt;
use super::plan::Plan;
use crate::memory::Run;
use crate::node::{Arc, Kind, Node, ZERO};
use crate::store::{Store, Variable};

impl Store {
    /// Closes the data node whose arcs are on the stack from `base` on. `false` if it turned out to
    /// be undefined.
    pub(super) fn saturate_data(&mut self, plan: &Plan, variable: Variable, base: usize) -> Run<bool> {
        let flags = self.dirty.len();
        self.dirty.resize(flags + self.data.len() - base, true);
        let mut cursor = base;
        while cursor < self.data.len() {
            if !self.dirty[flags + (cursor - base)] {
                cursor += 1;
                continue;
            }
            self.dirty[flags + (cursor - base)] = false;
            let arc = self.data[cursor];
            let root = self.roots.len();
            // The arc may be replaced by a larger one while it is fired.
            self.roots.push(arc.child);
            let mut dirt = Dirt { base: flags, lowest: cursor + 1 };
            let defined = self.close_data_arc(plan, variable, arc, base, &mut dirt)?;
            self.roots.truncate(root);
            if !defined {
                self.dirty.truncate(flags);
                return Ok(false);
            }
            cursor = dirt.lowest;
        }
        self.dirty.truncate(flags);
        Ok(true)
    }

    /// Fires all that closes the node on one of its arcs. `false` if the node turned out to be undefined.
    #[inline(always)]
    fn close_data_arc(&mut self, plan: &Plan, variable: Variable, arc: Arc, base: usize, dirt: &mut Dirt) -> Run<bool> {
        if let Some(question) = plan.question() {
            let making = Making { base, changed: &mut Some(dirt) };
            let rest = self.ask_at_value(question, arc.value(), arc.child, making)?;
            return Ok(rest == ZERO || self.absorb_data(rest, plan, variable, base, dirt)?);
        }
        for step in self.plans.steps_at(plan.dispatch(), plan.saturate_steps(), arc.value()) {
            let step = self.plans.hit(step);
            let rest = self.fire_data_arc(step, variable, arc, base, Some(dirt))?;
            if rest != ZERO && !self.absorb_data(rest, plan, variable, base, dirt)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds the arcs of a set that is not closed yet. `false` if it is not of this variable, so that
    /// the union is undefined.
    fn absorb_data(&mut self, set: Node, plan: &Plan, variable: Variable, base: usize, dirt: &mut Dirt) -> Run<bool> {
        if self.nodes.kind(set) != Kind::Data || self.nodes.variable(set) != variable {
            return Ok(false);
        }
        self.roots.push(set);
        for i in 0..self.nodes.arc_count(set) {
            let arc = self.nodes.arc(set, i);
            let child = self.fire(plan.close_child(), arc.child)?;
            self.add_data_arc(base, arc.value(), child, &mut Some(dirt))?;
        }
        self.roots.pop();
        Ok(true)
    }

    /// Closes the set node whose pieces are on the stack from `base` on, those to be fired on the
    /// stack `pending` from `first` on, with labels that are closed.
    pub(super) fn saturate_set(&mut self, plan: &Plan, variable: Variable, base: usize, first: usize) -> Run<()> {
        while self.pending.len() > first {
            let Some(arc) = self.pending.pop() else { break };
            let root = self.roots.len();
            self.roots.extend([arc.child, arc.set_label()]);
            for at in plan.saturate_steps() {
                let step = self.plans.step(at);
                let rest = self.fire_set_arc(step, plan, variable, arc, base)?;
                if rest != ZERO {
                    self.absorb_set(rest, plan, variable, base)?;
                }
            }
            self.roots.truncate(root);
        }
        Ok(())
    }

    /// Adds the arcs of a set that is not closed yet.
    fn absorb_set(&mut self, set: Node, plan: &Plan, variable: Variable, base: usize) -> Run<()> {
        if self.nodes.kind(set) != Kind::Set || self.nodes.variable(set) != variable {
            self.make_pieces_undefined(base);
            return Ok(());
        }
        let root = self.roots.len();
        self.roots.push(set);
        for i in 0..self.nodes.arc_count(set) {
            let arc = self.nodes.arc(set, i);
            let label = self.fire(plan.close_label(), arc.set_label())?;
            self.roots.push(label);
            let child = self.fire(plan.close_child(), arc.child)?;
            self.add_fired_piece(plan, base, label, child)?;
            self.roots.truncate(root + 1);
        }
        self.roots.truncate(root);
        Ok(())
    }
}
