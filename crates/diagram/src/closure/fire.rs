//! One step of the evaluation: an operation at a node.

use super::plan::{KEEP, Op, Plan, Step, Work};
use crate::hom::{Answers, Image, LabelAnswers, Map, NOTHING, Term, TermData};
use crate::memory::Run;
use crate::node::{Arc, Kind, Node, ONE, TOP, ZERO};
use crate::store::{Store, Variable};

impl Store {
    /// Applies a term.
    pub(crate) fn apply_term(&mut self, term: Term, set: Node) -> Run<Node> {
        let op = self.plans.fire_op(term, NOTHING);
        self.fire(op, set)
    }

    /// Does an operation on a set. The set is closed under the operation's closure, unless closing
    /// is all that the operation does.
    #[inline(always)]
    pub(crate) fn fire(&mut self, op: Op, set: Node) -> Run<Node> {
        if op == KEEP || set == ZERO || set == TOP {
            return Ok(set);
        }
        if let Some(result) = self.caches.fire.get([op.0, set.0]) {
            return Ok(Node(result));
        }
        self.fire_deeper(op, set)
    }

    #[inline(never)]
    fn fire_deeper(&mut self, op: Op, set: Node) -> Run<Node> {
        if self.stack_is_low() {
            return self.on_new_stack(|store| store.fire_anew(op, set));
        }
        self.fire_anew(op, set)
    }

    #[inline(always)]
    fn fire_anew(&mut self, op: Op, set: Node) -> Run<Node> {
        let marks = self.marks();
        let kind = self.nodes.kind(set);
        let result = match kind {
            Kind::Data => self.fire_at_data(op, set),
            Kind::Set => self.fire_at_set(op, set),
            Kind::Ranges => self.fire_at_ranges(op, set),
            Kind::None => self.fire_at_one(op),
        };
        match result {
            Ok(result) => {
                self.caches.fire.put([op.0, set.0], result.0);
                if self.caches.fire.is_crowded() {
                    self.grow_cache(|caches| &mut caches.fire, 4);
                }
                Ok(result)
            }
            Err(stop) => {
                self.save_partial(kind, self.nodes.variable(set), marks);
                self.unwind_to(marks);
                Err(stop)
            }
        }
    }

    // ---- Data nodes --------------------------------------------------------------------------

    fn fire_at_data(&mut self, op: Op, node: Node) -> Run<Node> {
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
                    for i in 0..self.nodes.arc_count(node) {
                        let arc = self.nodes.arc(node, i);
                        let value = arc.value();
                        if value < low || value > high {
                            continue;
                        }
                        let child = self.fire_under(base, value.wrapping_add(delta), below, arc.child)?;
                        if child == ZERO {
                            continue;
                        }
                        match value.checked_add(delta) {
                            Some(value) => self.data.push(Arc::data(value, child)),
                            None => rest = self.undefined(),
                        }
                    }
                }
                step => rest = self.fire_data_step(step, &plan, variable, node, base)?,
            }
        } else {
            for at in steps {
                let step = self.plans.step(at);
                let root = self.roots.len();
                self.roots.push(rest);
                let more = self.fire_data_step(step, &plan, variable, node, base)?;
                rest = self.unite(rest, more)?;
                self.roots.truncate(root);
            }
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

    /// The union of a closed part and of a part that is still to be closed.
    fn finish(&mut self, op: Op, node: Node, rest: Node, root: usize) -> Run<Node> {
        self.roots.push(node);
        let (Work::Fire(_, closure) | Work::Close(closure)) = self.plans.work(op);
        let close = self.plans.close_op(closure);
        let rest = self.fire(close, rest)?;
        let result = self.unite(node, rest)?;
        self.roots.truncate(root);
        Ok(result)
    }

    /// Does one step at all arcs of a data node. Returns what is not an arc of the same variable.
    #[inline(never)]
    fn fire_data_step(&mut self, step: Step, plan: &Plan, variable: Variable, node: Node, base: usize) -> Run<Node> {
        if let Step::Whole { term } = step {
            return self.apply_whole(term, node);
        }
        let root = self.roots.len();
        self.roots.push(ZERO);
        for i in 0..self.nodes.arc_count(node) {
            let arc = self.nodes.arc(node, i);
            let rest = self.fire_data_arc(step, plan, variable, arc, base, None)?;
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
        &mut self, step: Step, plan: &Plan, variable: Variable, arc: Arc, base: usize, mut changed: Option<&mut Dirt>,
    ) -> Run<Node> {
        let value = arc.value();
        match step {
            Step::Skip { below } => {
                let child = self.fire(below, arc.child)?;
                self.add_data_arc(base, value, child, &mut changed)?;
            }
            Step::Add { low, high, delta, below } => {
                if (low..=high).contains(&value) {
                    let child = self.fire_under(base, value.wrapping_add(delta), below, arc.child)?;
                    match value.checked_add(delta) {
                        Some(value) => self.add_data_arc(base, value, child, &mut changed)?,
                        None if child != ZERO => return Ok(self.undefined()),
                        None => {}
                    }
                }
            }
            Step::Value { link, below } => {
                let TermData::Value { map, .. } = self.terms.get(link) else { unreachable!("a value link") };
                match map {
                    Map::Relation(pairs) => {
                        let pairs = pairs.clone();
                        let images = crate::hom::related(&pairs, value);
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
            Step::Ask { term } => return self.ask_at_value(term, plan, variable, arc, base, changed),
            Step::Whole { term } => {
                let single = self.data.len();
                self.data.push(arc);
                let node = self.make_data(variable, single)?;
                self.roots.push(node);
                let result = self.apply_whole(term, node)?;
                self.roots.pop();
                return Ok(result);
            }
        }
        Ok(ZERO)
    }

    fn ask_at_value(
        &mut self, term: Term, plan: &Plan, variable: Variable, arc: Arc, base: usize, mut changed: Option<&mut Dirt>,
    ) -> Run<Node> {
        let mut answers = Answers::default();
        self.answer_value(term, variable, arc.value(), &mut answers)?;
        for (value, term) in answers.moves {
            let below = self.plans.fire_op(term, plan.below());
            let child = self.fire(below, arc.child)?;
            self.add_data_arc(base, value, child, &mut changed)?;
        }
        let root = self.roots.len();
        self.roots.push(ZERO);
        for term in answers.wholes {
            let part = self.apply_term(term, arc.child)?;
            self.roots[root] = self.unite(self.roots[root], part)?;
        }
        let rest = self.roots[root];
        self.roots.truncate(root);
        Ok(rest)
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
        }
        Ok(())
    }

    // ---- Set nodes ---------------------------------------------------------------------------

    fn fire_at_set(&mut self, op: Op, node: Node) -> Run<Node> {
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
            Step::Label { inside, below } if steps.len() == 1 => {
                self.fire_at_labels(inside, below, &plan, node, base)?;
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
    fn fire_at_labels(&mut self, inside: Op, below: Op, plan: &Plan, node: Node, base: usize) -> Run<()> {
        let close = plan.close_label();
        // An operation on labels expects them closed, but for the one that closes them.
        let needs_closed = inside != close && close != KEEP;
        for i in 0..self.nodes.arc_count(node) {
            let mut arc = self.nodes.arc(node, i);
            let root = self.roots.len();
            if needs_closed {
                arc.label = self.fire(close, arc.set_label())?.0;
                self.roots.push(arc.set_label());
            }
            self.fire_label(inside, below, plan, arc, base)?;
            self.roots.truncate(root);
        }
        Ok(())
    }

    /// Does an operation on a label, and one below it.
    #[inline]
    fn fire_label(&mut self, inside: Op, below: Op, plan: &Plan, arc: Arc, base: usize) -> Run<()> {
        let label = self.fire(inside, arc.set_label())?;
        if label == ZERO {
            return Ok(());
        }
        let close = plan.close_label();
        if close != KEEP && label.0 != arc.label {
            // It is closed, and this will be asked.
            self.caches.fire.put([close.0, label.0], label.0);
        }
        let child = if below == KEEP {
            arc.child
        } else {
            self.roots.push(label);
            let child = self.fire_beside(base, label, below, arc.child)?;
            self.roots.pop();
            child
        };
        if child != ZERO {
            self.add_fired_piece(plan, base, label, child)?;
        }
        Ok(())
    }

    /// Does one step at all arcs of a set node. Returns what is not an arc of the same variable.
    fn fire_set_step(&mut self, step: Step, plan: &Plan, variable: Variable, node: Node, base: usize) -> Run<Node> {
        if let Step::Whole { term } = step {
            return self.apply_whole(term, node);
        }
        if let Step::Label { inside, below } = step {
            self.fire_at_labels(inside, below, plan, node, base)?;
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
            Step::Label { inside, below } => self.fire_label(inside, below, plan, arc, base)?,
            Step::Skip { below } => {
                let child = self.fire(below, arc.child)?;
                if child != ZERO {
                    self.add_fired_piece(plan, base, arc.set_label(), child)?;
                }
            }
            Step::Value { link, below } => return self.fire_value_at_label(link, below, plan, arc, base),
            Step::Undefined { below } => {
                if self.fire(below, arc.child)? != ZERO {
                    return Ok(self.undefined());
                }
            }
            Step::Add { .. } => unreachable!("at set nodes all value maps are links"),
            Step::Ask { term } => return self.ask_at_label(term, plan, variable, arc, base),
            Step::Whole { term } => {
                let single = self.pieces.len();
                self.pieces.push(arc);
                let node = self.make_set(variable, single)?;
                self.roots.push(node);
                let result = self.apply_whole(term, node)?;
                self.roots.pop();
                return Ok(result);
            }
        }
        Ok(ZERO)
    }

    /// Adds a piece and, if the node is to be closed and the piece was new, puts it on the worklist.
    #[inline]
    pub(super) fn add_fired_piece(&mut self, plan: &Plan, base: usize, label: Node, child: Node) -> Run<()> {
        if self.nodes.is_undefined(label) {
            let top = self.undefined();
            self.pieces.truncate(base);
            self.pieces.push(Arc::set(top, top));
            return Ok(());
        }
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
            let label = self.fire(plan.close_label(), label)?;
            self.roots.push(label);
            if label != ZERO {
                let below = self.plans.fire_op(below, plan.below());
                let child = self.fire(below, arc.child)?;
                if child != ZERO {
                    self.add_fired_piece(plan, base, label, child)?;
                }
            }
            self.roots.truncate(root);
        }
        self.roots.push(ZERO);
        for term in answers.wholes {
            let part = self.apply_term(term, arc.child)?;
            self.roots[root] = self.unite(self.roots[root], part)?;
        }
        let rest = self.roots[root];
        self.roots.truncate(root);
        Ok(rest)
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
        self.roots.push(child);
        let label = self.map_ranges(&map, arc.set_label())?;
        if label != ZERO {
            self.roots.push(label);
            self.add_fired_piece(plan, base, label, child)?;
            self.roots.pop();
        }
        self.roots.pop();
        Ok(ZERO)
    }

    // ---- The end of a sequence, and sets of integers -------------------------------------------

    fn fire_at_one(&mut self, op: Op) -> Run<Node> {
        match self.plans.work(op) {
            Work::Fire(term, closure) => {
                let result = self.apply_at_one(term)?;
                let close = self.plans.close_op(closure);
                self.roots.push(result);
                let closed = self.fire(close, result)?;
                self.roots.pop();
                Ok(closed)
            }
            Work::Close(closure) => {
                // Chains drop a sequence that ends before they are done.
                let others = self.terms.transitions(closure).others.clone();
                self.close_by_rounds(&others, ONE)
            }
        }
    }

    fn fire_at_ranges(&mut self, op: Op, set: Node) -> Run<Node> {
        match self.plans.work(op) {
            Work::Fire(term, closure) => {
                let result = self.apply_whole(term, set)?;
                let close = self.plans.close_op(closure);
                self.roots.push(result);
                let closed = self.fire(close, result)?;
                self.roots.pop();
                Ok(closed)
            }
            Work::Close(closure) => {
                let members = self.terms.members(closure);
                self.close_by_rounds(&members, set)
            }
        }
    }

    /// Whether a round, whose set is rooted at `root` with the one before it behind it, changed nothing;
    /// if it did, the set becomes the one before the next round.
    pub(super) fn is_stable(&mut self, root: usize) -> bool {
        let stable = self.roots[root] == self.roots[root + 1];
        self.roots[root + 1] = self.roots[root];
        stable
    }

    /// Takes the set of the last round off the stack of roots.
    pub(super) fn take_stable(&mut self, root: usize) -> Node {
        let set = self.roots[root];
        self.roots.truncate(root);
        set
    }

    /// The closure of a set by plain rounds.
    pub(super) fn close_by_rounds(&mut self, transitions: &[Term], set: Node) -> Run<Node> {
        let root = self.roots.len();
        // What there is now, and what there was before this round: an id says nothing about a set that
        // is not alive.
        self.roots.extend([set, set]);
        loop {
            for &transition in transitions {
                let more = self.apply_term(transition, self.roots[root])?;
                self.roots[root] = self.unite(self.roots[root], more)?;
            }
            self.count_tick()?;
            if self.is_stable(root) {
                return Ok(self.take_stable(root));
            }
        }
    }
}

/// Where the flags of the arcs of a data node in the making begin, and the lowest arc that changed.
pub(super) struct Dirt {
    pub(super) base: usize,
    pub(super) lowest: usize,
}
