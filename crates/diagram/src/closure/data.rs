//! Firing at data nodes.

use super::ask::Making;
use super::plan::{Op, Plan, Step};
use crate::hom::{Image, Map, TermData, related};
use crate::memory::Run;
use crate::node::{Arc, Kind, Node, ZERO};
use crate::store::{Store, Variable};

/// Where the flags of the arcs of a data node in the making begin, and the lowest arc that changed.
pub(super) struct Dirt {
    pub(super) base: usize,
    pub(super) lowest: usize,
}

impl Store {
    pub(super) fn fire_at_data(&mut self, op: Op, node: Node) -> Run<Node> {
        let variable = self.nodes.variable(node);
        let plan = self.plan(op, variable, Kind::Data);
        let base = self.data.len();
        let steps = plan.fire_steps();
        let mut rest = ZERO;
        if steps.len() == 1 {
            match self.plans.step(steps.start) {
                Step::Skip { below } => {
                    let mut same = true;
                    for i in 0..self.nodes.arc_count(node) {
                        let arc = self.nodes.arc(node, i);
                        let child = self.fire_under(base, arc.value(), below, arc.child)?;
                        same &= child == arc.child;
                        if child != ZERO {
                            self.data.push(Arc { label: arc.label, child });
                        }
                    }
                    if same && plan.is_closed() {
                        self.data.truncate(base);
                        return Ok(node);
                    }
                }
                Step::Add { low, high, delta, below } => {
                    let first = self.nodes.arcs(node).partition_point(|arc| arc.value() < low);
                    for i in first..self.nodes.arc_count(node) {
                        let arc = self.nodes.arc(node, i);
                        let value = arc.value();
                        if value > high {
                            break;
                        }
                        match value.checked_add(delta) {
                            Some(value) => {
                                let child = self.fire_under(base, value, below, arc.child)?;
                                if child != ZERO {
                                    self.data.push(Arc::data(value, child));
                                }
                            }
                            None => {
                                if self.fire(below, arc.child)? != ZERO {
                                    rest = self.undefined();
                                }
                            }
                        }
                    }
                }
                step => rest = self.fire_data_step(step, variable, node, base)?,
            }
        } else {
            let root = self.roots.len();
            self.roots.push(ZERO);
            if let Some(dispatch) = plan.fire_dispatch() {
                for i in 0..self.nodes.arc_count(node) {
                    let arc = self.nodes.arc(node, i);
                    for step in self.plans.steps_at(Some(dispatch), steps.clone(), arc.value()) {
                        let step = self.plans.hit(step);
                        let more = self.fire_data_arc(step, variable, arc, base, None)?;
                        self.roots[root] = self.unite(self.roots[root], more)?;
                    }
                }
            } else {
                for at in steps {
                    let step = self.plans.step(at);
                    let more = self.fire_data_step(step, variable, node, base)?;
                    self.roots[root] = self.unite(self.roots[root], more)?;
                }
            }
            rest = self.roots[root];
            self.roots.truncate(root);
        }
        self.finish_data(op, &plan, variable, base, rest)
    }

    /// Closes and makes the node from the arcs on the stack, and adds what is not among them.
    fn finish_data(&mut self, op: Op, plan: &Plan, variable: Variable, base: usize, rest: Node) -> Run<Node> {
        let root = self.roots.len();
        if rest != ZERO {
            self.roots.push(rest);
        }
        if !plan.is_closed() && self.data.len() > base {
            let defined = self.saturate_data(plan, variable, base)?;
            if !defined {
                self.data.truncate(base);
                self.roots.truncate(root);
                return Ok(self.undefined());
            }
        }
        let node = self.make_data(variable, base)?;
        if rest == ZERO { Ok(node) } else { self.finish(op, node, rest, root) }
    }

    /// Does one step at all arcs of a data node. Returns what is not an arc of the same variable.
    #[inline(never)]
    fn fire_data_step(&mut self, step: Step, variable: Variable, node: Node, base: usize) -> Run<Node> {
        if let Step::Whole { term } = step {
            return self.apply_whole(term, node);
        }
        let root = self.roots.len();
        self.roots.push(ZERO);
        for i in 0..self.nodes.arc_count(node) {
            let arc = self.nodes.arc(node, i);
            let rest = self.fire_data_arc(step, variable, arc, base, None)?;
            self.roots[root] = self.unite(self.roots[root], rest)?;
        }
        let rest = self.roots[root];
        self.roots.truncate(root);
        Ok(rest)
    }

    /// Does one step at an arc. The results are added to the arcs from `base` on; with `changed`,
    /// they are also marked as dirty and the lowest of them is noted. Returns what is not an arc of
    /// the same variable.
    pub(super) fn fire_data_arc(
        &mut self, step: Step, variable: Variable, arc: Arc, base: usize, mut changed: Option<&mut Dirt>,
    ) -> Run<Node> {
        let value = arc.value();
        match step {
            Step::Skip { below } => {
                let child = self.fire(below, arc.child)?;
                self.add_data_arc(base, value, child, &mut changed)?;
            }
            Step::Add { low, high, delta, below } => {
                if (low..=high).contains(&value) {
                    match value.checked_add(delta) {
                        Some(value) => {
                            let child = self.fire_under(base, value, below, arc.child)?;
                            self.add_data_arc(base, value, child, &mut changed)?;
                        }
                        None => {
                            if self.fire(below, arc.child)? != ZERO {
                                return Ok(self.undefined());
                            }
                        }
                    }
                }
            }
            Step::Value { link, below } => {
                let TermData::Value { map, .. } = self.terms.get(link) else { unreachable!("a value link") };
                match map {
                    Map::Relation(pairs) => {
                        let pairs = pairs.clone();
                        let images = related(&pairs, value);
                        if !images.is_empty() {
                            let child = self.fire(below, arc.child)?;
                            self.roots.push(child);
                            for &(_, image) in images {
                                self.add_data_arc(base, image, child, &mut changed)?;
                            }
                            self.roots.pop();
                        }
                    }
                    map => match map.image(value) {
                        Image::Nothing => {}
                        Image::One(value) => {
                            let child = self.fire(below, arc.child)?;
                            self.add_data_arc(base, value, child, &mut changed)?;
                        }
                        Image::Overflow => {
                            if self.fire(below, arc.child)? != ZERO {
                                return Ok(self.undefined());
                            }
                        }
                    },
                }
            }
            Step::Undefined { below } => {
                if self.fire(below, arc.child)? != ZERO {
                    return Ok(self.undefined());
                }
            }
            Step::Label { .. } => unreachable!("labels are at set nodes"),
            Step::Ask { question, .. } => {
                return self.ask_at_value(question, value, arc.child, Making { base, changed: &mut changed });
            }
            Step::Whole { term } => return self.apply_to_arc(term, Kind::Data, variable, arc),
        }
        Ok(ZERO)
    }

    /// Adds an arc to those of a data node in the making.
    pub(super) fn add_data_arc(
        &mut self, base: usize, value: i32, child: Node, changed: &mut Option<&mut Dirt>,
    ) -> Run<()> {
        if child == ZERO {
            return Ok(());
        }
        let at = base + self.data[base..].partition_point(|arc| arc.value() < value);
        if at < self.data.len() && self.data[at].value() == value {
            let old = self.data[at].child;
            if old == child {
                return Ok(());
            }
            let both = self.unite(old, child)?;
            if both == old {
                return Ok(());
            }
            self.data[at].child = both;
            if let Some(dirt) = changed {
                self.dirty[dirt.base + (at - base)] = true;
                dirt.lowest = dirt.lowest.min(at);
            }
        } else {
            self.data.insert(at, Arc::data(value, child));
            if let Some(dirt) = changed {
                self.dirty.insert(dirt.base + (at - base), true);
                dirt.lowest = dirt.lowest.min(at);
            }
            // A counter without a bound makes arcs for ever, and never a node.
            self.count_tick()?;
        }
        Ok(())
    }
}
