//! Constrained saturation: closure within a bound.
//!
//! The idea is that of Zhao and Ciardo (*Symbolic CTL Model Checking of Asynchronous Systems Using Constrained Saturation*,
//! 2009).
//!
//! `within(C, s, b)` is the least set that holds `s ∩ b` and every successor, in `b`, of its members.
//! Both diagrams are descended together, so what leaves the bound is dropped where it happens and not
//! at the root after each step.
//!
//! The steps are those of the plans of unbounded closure, with two differences. A part that stays as
//! it is may come under another bound when something above it moves, so it has to be closed again;
//! nothing can be assumed to be closed. And L is not independent of the rest: a label may move from
//! one label of the bound to another, below which more or less is allowed. So labels are closed
//! within one label of the bound, and the members of L are fired across them besides.

use super::data::Dirt;
use super::plan::{KEEP, Op, Plan, Step, Trial, Work};
use crate::hom::{Closure, NOTHING, Steps, Term, TermData, ValueMap};
use crate::memory::{Diagram, Error, Hom, Run};
use crate::node::{Arc, Kind, Node, ONE, TOP, ZERO};
use crate::store::{Store, Variable};

/// # Closure within a bound
impl Store {
    /// The states that can be reached from those of `initial` that are in `bound`, by any number of
    /// transitions, without ever leaving `bound`.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store, ValueMap};
    /// let mut store = Store::new();
    /// let states: Vec<_> = [0, 1, 2, 4, 5].iter().map(|&v| store.state(&[(0, v)])).collect::<Result<_, _>>()?;
    /// let bound = store.union_of(&states)?;
    /// let step = store.value(0, ValueMap::add(1));
    /// let reached = store.reachable_within(&states[0], [&step], &bound)?;
    /// assert_eq!(store.count(&reached).to_string(), "3");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn reachable_within<'a>(
        &mut self, initial: &Diagram, transitions: impl IntoIterator<Item = &'a Hom>, bound: &Diagram,
    ) -> Result<Diagram, Error> {
        let terms: Vec<_> = transitions.into_iter().map(|hom| self.term_of(hom)).collect();
        let (initial, bound) = (self.node_of(initial), self.node_of(bound));
        let node = self.run_closure(ZERO, |store| {
            store.begin_within(initial, bound, |store, start| {
                let closure = store.closure_by(terms, Steps::Whole);
                store.close_within(closure, start, bound)
            })
        })?;
        Ok(self.diagram(node))
    }

    /// What a homomorphism makes of a set, as far as it is in `bound`: the intersection of both, but what would be outside
    /// of the bound is never made.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store, ValueMap};
    /// let mut store = Store::new();
    /// let states: Vec<_> = [0, 1, 2, 4].iter().map(|&v| store.state(&[(0, v)])).collect::<Result<_, _>>()?;
    /// let bound = store.union_of(&states)?;
    /// let step = store.value(0, ValueMap::add(1));
    /// let next = store.apply_within(&step, &bound, &bound)?;
    /// assert!(store.values(&next, 0).into_iter().eq([1, 2]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn apply_within(&mut self, hom: &Hom, set: &Diagram, bound: &Diagram) -> Result<Diagram, Error> {
        let (term, set, bound) = (self.term_of(hom), self.node_of(set), self.node_of(bound));
        let node = self.run(|store| {
            let op = store.plans.fire_op(term, NOTHING);
            store.fire_within(op, set, bound)
        })?;
        Ok(self.diagram(node))
    }

    /// Whether a homomorphism makes of a set anything that is in `bound`. What it makes is not made: the first state decides.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store, ValueMap};
    /// let mut store = Store::new();
    /// let (set, bound) = (store.state(&[(0, 1)])?, store.state(&[(0, 2)])?);
    /// let (one, two) = (store.value(0, ValueMap::add(1)), store.value(0, ValueMap::add(2)));
    /// assert!(store.meets(&one, &set, &bound)? && !store.meets(&two, &set, &bound)?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn meets(&mut self, hom: &Hom, set: &Diagram, bound: &Diagram) -> Result<bool, Error> {
        let (term, set, bound) = (self.term_of(hom), self.node_of(set), self.node_of(bound));
        self.run(|store| {
            let op = store.plans.fire_op(term, NOTHING);
            store.meets_within(op, set, bound)
        })
    }

    /// Whether an operation that closes nothing leaves anything of a set within a bound.
    fn meets_within(&mut self, op: Op, set: Node, bound: Node) -> Run<bool> {
        let are_data = |store: &Store| store.nodes.kind(set) == Kind::Data && store.nodes.kind(bound) == Kind::Data;
        let is_plain = set != TOP && bound != TOP && op != KEEP && set != ZERO && bound != ZERO && are_data(self);
        if !is_plain || self.nodes.variable(set) != self.nodes.variable(bound) {
            return Ok(self.fire_within(op, set, bound)? != ZERO);
        }
        if let Some(result) = self.caches.bounded.get([op.0, set.0, bound.0]) {
            return Ok(result != ZERO.0);
        }
        self.spend(1);
        if self.ticks == 1 {
            self.tick()?;
        }
        if self.stack_is_low() {
            return self.on_new_stack(|store| store.meets_at_data(op, set, bound));
        }
        self.meets_at_data(op, set, bound)
    }

    fn meets_at_data(&mut self, op: Op, set: Node, bound: Node) -> Run<bool> {
        let plan = self.plan(op, self.nodes.variable(set), Kind::Data);
        for i in 0..self.nodes.arc_count(set) {
            let arc = self.nodes.arc(set, i);
            for step in self.plans.steps_at(plan.fire_dispatch(), plan.fire_steps(), arc.value()) {
                let (value, below) = match self.plans.hit(step) {
                    Step::Skip { below } => (arc.value(), below),
                    Step::Add { low, high, delta, below } if (low..=high).contains(&arc.value()) => {
                        match arc.value().checked_add(delta) {
                            Some(value) => (value, below),
                            None => continue,
                        }
                    }
                    Step::Add { .. } => continue,
                    _ => return Ok(self.fire_within(op, set, bound)? != ZERO),
                };
                let Some(bound) = self.nodes.child(bound, value) else { continue };
                if self.meets_within(below, arc.child, bound)? {
                    return Ok(true);
                }
            }
        }
        self.caches.bounded.put([op.0, set.0, bound.0], ZERO.0);
        Ok(false)
    }

    /// Runs an operation on what is in a bound. If it is stopped, that is what was reached: what the
    /// operations on the way leave is no part of the result.
    pub(crate) fn begin_within(
        &mut self, set: Node, bound: Node, operation: impl FnOnce(&mut Store, Node) -> Run<Node>,
    ) -> Run<Node> {
        let start = self.common(set, bound)?;
        self.roots.push(start);
        let result = operation(self, start).inspect_err(|_| self.partial = start)?;
        self.roots.pop();
        Ok(result)
    }

    /// The closure of what is in the bound, within the bound.
    pub(crate) fn close_within(&mut self, closure: Closure, set: Node, bound: Node) -> Run<Node> {
        let close = self.plans.close_op(closure);
        self.fire_within(close, set, bound)
    }

    /// Does an operation on a set and closes the result, all within a bound.
    pub(super) fn fire_within(&mut self, op: Op, set: Node, bound: Node) -> Run<Node> {
        if set == ZERO || bound == ZERO {
            return Ok(ZERO);
        }
        if op == KEEP {
            return self.common(set, bound);
        }
        if set == TOP || bound == TOP {
            return Ok(self.undefined());
        }
        if let Some(result) = self.caches.bounded.get([op.0, set.0, bound.0]) {
            return Ok(Node(result));
        }
        // Much may be looked for on the way to few nodes.
        self.spend(1);
        if self.ticks == 1 {
            self.tick()?;
        }
        let marks = self.marks();
        let result = if self.stack_is_low() {
            self.on_new_stack(|store| store.fire_within_anew(op, set, bound))
        } else {
            self.fire_within_anew(op, set, bound)
        };
        let result = result.inspect_err(|_| self.unwind_to(marks))?;
        self.caches.bounded.put([op.0, set.0, bound.0], result.0);
        if self.caches.bounded.is_crowded() {
            self.grow_cache(|caches| &mut caches.bounded, 4);
        }
        Ok(result)
    }

    fn fire_within_anew(&mut self, op: Op, set: Node, bound: Node) -> Run<Node> {
        let (kind, variable) = (self.nodes.kind(set), self.nodes.variable(set));
        let alike = kind == self.nodes.kind(bound) && variable == self.nodes.variable(bound);
        match kind {
            Kind::Data if alike => self.fire_within_data(op, variable, set, bound),
            Kind::Set if alike => self.fire_within_set(op, variable, set, bound),
            _ => self.fire_within_whole(op, set, bound),
        }
    }

    /// Where the set and the bound do not begin alike, or end: by rounds.
    fn fire_within_whole(&mut self, op: Op, set: Node, bound: Node) -> Run<Node> {
        let root = self.roots.len();
        let closure = match self.plans.work(op) {
            Work::Fire(term, closure) => {
                let result = self.apply_each_within(term, set, bound)?;
                self.roots.push(result);
                closure
            }
            Work::Close(closure) => {
                let inside = self.common(set, bound)?;
                self.roots.push(inside);
                closure
            }
        };
        let result = self.roots[self.roots.len() - 1];
        self.roots.truncate(root);
        self.roots.extend([result, result]);
        let begins_alike = result != ONE && self.nodes.kind(result) != Kind::Ranges;
        if closure != NOTHING && begins_alike {
            // Now it begins as the bound does.
            let closed = self.close_within(closure, result, bound)?;
            self.roots.truncate(root);
            return Ok(closed);
        }
        let members = self.terms.members(closure);
        loop {
            for &member in &members {
                let more = self.apply_term(member, self.roots[root])?;
                self.roots.push(more);
                let more = self.common(more, bound)?;
                self.roots.pop();
                self.roots[root] = self.unite(self.roots[root], more)?;
            }
            self.count_tick()?;
            if self.is_stable(root) {
                return Ok(self.take_stable(root));
            }
        }
    }

    /// What the members of a sum make of a set, as far as it is in the bound: outside of it they need not go together.
    fn apply_each_within(&mut self, term: Term, set: Node, bound: Node) -> Run<Node> {
        let members = match self.terms.get(term) {
            TermData::Sum(members) => members.to_vec(),
            _ => vec![term],
        };
        let root = self.roots.len();
        self.roots.extend([ZERO, set]);
        for member in members {
            let part = self.apply_term(member, set)?;
            self.roots.push(part);
            let part = self.common(part, bound)?;
            self.roots.push(part);
            self.roots[root] = self.unite(self.roots[root], part)?;
            self.roots.truncate(root + 2);
        }
        let result = self.roots[root];
        self.roots.truncate(root);
        Ok(result)
    }

    // ---- Data nodes --------------------------------------------------------------------------

    fn fire_within_data(&mut self, op: Op, variable: Variable, set: Node, bound: Node) -> Run<Node> {
        let plan = self.plan(op, variable, Kind::Data);
        let draft = Draft { variable, bound, base: self.data.len() };
        let (flags, root) = (self.dirty.len(), self.roots.len());
        self.roots.push(ZERO);
        let mut dirt = Dirt { base: flags, lowest: draft.base };
        for i in 0..self.nodes.arc_count(set) {
            let arc = self.nodes.arc(set, i);
            for step in self.plans.steps_at(plan.fire_dispatch(), plan.fire_steps(), arc.value()) {
                let step = self.plans.hit(step);
                self.fire_arc_within(step, &plan, draft, arc, &mut dirt)?;
            }
        }
        let mut cursor = draft.base;
        while cursor < self.data.len() {
            if !self.dirty[flags + (cursor - draft.base)] {
                cursor += 1;
                continue;
            }
            self.dirty[flags + (cursor - draft.base)] = false;
            let arc = self.data[cursor];
            self.roots[root] = arc.child;
            dirt.lowest = cursor + 1;
            for step in self.plans.steps_at(plan.dispatch(), plan.saturate_steps(), arc.value()) {
                let step = self.plans.hit(step);
                self.fire_arc_within(step, &plan, draft, arc, &mut dirt)?;
            }
            cursor = dirt.lowest;
        }
        self.dirty.truncate(flags);
        self.roots.truncate(root);
        self.make_data(variable, draft.base)
    }

    /// Does one step at an arc of a data node, within the bound.
    fn fire_arc_within(&mut self, step: Step, plan: &Plan, draft: Draft, arc: Arc, dirt: &mut Dirt) -> Run<()> {
        match step {
            Step::Skip { below } => self.move_within(plan, draft, arc.value(), below, arc.child, dirt),
            Step::Add { low, high, delta, below } => {
                if !(low..=high).contains(&arc.value()) {
                    return Ok(());
                }
                // A value that cannot be represented is in no bound.
                match arc.value().checked_add(delta) {
                    Some(value) => self.move_within(plan, draft, value, below, arc.child, dirt),
                    None => Ok(()),
                }
            }
            Step::Value { link, below } => {
                for value in self.images(link, arc.value()) {
                    self.move_within(plan, draft, value, below, arc.child, dirt)?;
                }
                Ok(())
            }
            Step::Undefined { below } => {
                if self.survives(below, arc.child)? {
                    let top = self.undefined();
                    self.add_data_arc(draft.base, arc.value(), top, &mut Some(dirt))?;
                }
                Ok(())
            }
            Step::Label { .. } => unreachable!("labels are at set nodes"),
            Step::Ask { term, .. } | Step::Whole { term } => {
                let root = self.roots.len();
                let result = self.apply_to_arc_within(term, Kind::Data, draft, arc)?;
                for i in 0..self.nodes.arc_count(result) {
                    let arc = self.nodes.arc(result, i);
                    self.move_within(plan, draft, arc.value(), KEEP, arc.child, dirt)?;
                }
                self.roots.truncate(root);
                Ok(())
            }
        }
    }

    /// Does an operation below an arc and adds the result under a value, if the bound has the value.
    fn move_within(
        &mut self, plan: &Plan, draft: Draft, value: i32, below: Op, child: Node, dirt: &mut Dirt,
    ) -> Run<()> {
        let Some(bound) = self.nodes.child(draft.bound, value) else { return Ok(()) };
        let below = if below == KEEP { plan.close_child() } else { below };
        let child = self.fire_within(below, child, bound)?;
        self.add_data_arc(draft.base, value, child, &mut Some(dirt))
    }

    /// What a term makes of a single arc, as far as it is in the bound. The result stays rooted.
    fn apply_to_arc_within(&mut self, term: Term, kind: Kind, draft: Draft, arc: Arc) -> Run<Node> {
        let result = self.apply_to_arc(term, kind, draft.variable, arc)?;
        self.roots.push(result);
        let result = self.common(result, draft.bound)?;
        self.roots.push(result);
        Ok(result)
    }

    /// Whether an operation, but for its closing, leaves anything of a set.
    fn survives(&mut self, op: Op, set: Node) -> Run<bool> {
        match self.plans.work(op) {
            Work::Fire(term, _) => self.is_possible(term, set),
            Work::Close(_) => Ok(set != ZERO),
        }
    }

    /// What a value link makes of a value.
    fn images(&self, link: Term, value: i32) -> Vec<i32> {
        match self.terms.get(link) {
            TermData::Value { map, .. } => ValueMap(map.clone()).apply(value),
            _ => unreachable!("a value link"),
        }
    }

    // ---- Set nodes ---------------------------------------------------------------------------

    fn fire_within_set(&mut self, op: Op, variable: Variable, set: Node, bound: Node) -> Run<Node> {
        let plan = self.plan(op, variable, Kind::Set);
        let draft = Draft { variable, bound, base: self.pieces.len() };
        let pending = self.pending.len();
        for at in plan.fire_steps() {
            let step = self.plans.step(at);
            for i in 0..self.nodes.arc_count(set) {
                let arc = self.nodes.arc(set, i);
                self.fire_piece_within(step, &plan, draft, arc)?;
            }
        }
        let across = self.step_across(&plan, bound);
        while self.pending.len() > pending {
            let Some(arc) = self.pending.pop() else { break };
            let root = self.roots.len();
            self.roots.extend([arc.set_label(), arc.child]);
            for at in plan.saturate_steps() {
                let step = self.plans.step(at);
                self.fire_piece_within(step, &plan, draft, arc)?;
            }
            if let Some(step) = across {
                self.fire_piece_within(step, &plan, draft, arc)?;
            }
            self.roots.truncate(root);
        }
        self.make_set(variable, draft.base)
    }

    /// The step that fires L from one label of the bound to another, if there are several.
    fn step_across(&mut self, plan: &Plan, bound: Node) -> Option<Step> {
        if plan.inside() == NOTHING || self.nodes.arc_count(bound) == 1 {
            return None;
        }
        let members = self.terms.members(plan.inside());
        let all = self.sum_term(members);
        Some(Step::Label { trial: Trial::Nothing, inside: self.plans.fire_op(all, plan.inside()), below: KEEP })
    }

    /// Does one step at an arc of a set node, within each arc of the bound.
    fn fire_piece_within(&mut self, step: Step, plan: &Plan, draft: Draft, arc: Arc) -> Run<()> {
        match step {
            Step::Skip { below } => self.move_piece_within(plan, draft, KEEP, below, arc),
            Step::Label { inside, below, .. } => self.move_piece_within(plan, draft, inside, below, arc),
            Step::Value { link, below } => {
                if self.nodes.kind(arc.set_label()) != Kind::Ranges {
                    if self.survives(below, arc.child)? {
                        self.make_pieces_undefined(draft.base);
                    }
                    return Ok(());
                }
                let TermData::Value { map, .. } = self.terms.get(link).clone() else { unreachable!("a value link") };
                let label = self.map_ranges(&map, arc.set_label())?;
                self.roots.push(label);
                self.move_piece_within(plan, draft, KEEP, below, Arc::set(label, arc.child))?;
                self.roots.pop();
                Ok(())
            }
            Step::Undefined { below } => {
                if self.survives(below, arc.child)? {
                    self.make_pieces_undefined(draft.base);
                }
                Ok(())
            }
            Step::Add { .. } => unreachable!("at set nodes all value maps are links"),
            Step::Ask { term, .. } | Step::Whole { term } => {
                let root = self.roots.len();
                let result = self.apply_to_arc_within(term, Kind::Set, draft, arc)?;
                for i in 0..self.nodes.arc_count(result) {
                    let arc = self.nodes.arc(result, i);
                    self.move_piece_within(plan, draft, KEEP, KEEP, arc)?;
                }
                self.roots.truncate(root);
                Ok(())
            }
        }
    }

    fn move_piece_within(&mut self, plan: &Plan, draft: Draft, inside: Op, below: Op, arc: Arc) -> Run<()> {
        let inside = if inside == KEEP { plan.close_label() } else { inside };
        let below = if below == KEEP { plan.close_child() } else { below };
        for i in 0..self.nodes.arc_count(draft.bound) {
            let bound = self.nodes.arc(draft.bound, i);
            let label = self.fire_within(inside, arc.set_label(), bound.set_label())?;
            if label == ZERO {
                continue;
            }
            let root = self.roots.len();
            self.roots.push(label);
            let child = self.fire_within(below, arc.child, bound.child)?;
            if child != ZERO {
                self.roots.push(child);
                if self.add_piece(draft.base, label, child)? {
                    self.pending.push(Arc::set(label, child));
                }
            }
            self.roots.truncate(root);
        }
        Ok(())
    }
}

/// The node in the making: its variable, its bound, and where its arcs begin.
#[derive(Clone, Copy)]
struct Draft {
    variable: Variable,
    bound: Node,
    base: usize,
}
