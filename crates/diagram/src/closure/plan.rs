//! Plans: what an operation does at the nodes of a variable.
//!
//! An operation `Op` stands for a pair of a term and a closure, or for a closure alone ("close a set
//! that is not closed yet"). Its plan for a variable says which steps make up the term there and
//! which steps close the node afterwards. For a closure the transitions split, as in 6.5 of the SDD
//! paper, into F (skip the variable: the children are closed under these), L (act on the label only:
//! the labels are closed under these) and G (the rest: the steps that close the node).

use rustc_hash::FxHashMap;

use crate::hom::{Closure, ID, Link, NOTHING, Term, TermData};
use crate::hom::Map;
use crate::node::Kind;
use crate::store::{Store, Variable};

/// An operation on nodes. Results are remembered by operation and node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Op(pub(crate) u32);

/// The operation that leaves everything as it is.
pub(crate) const KEEP: Op = Op(0);

/// What an operation is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Work {
    /// Apply the term to a set that is closed under the closure, and close the result.
    Fire(Term, Closure),
    /// Close any set.
    Close(Closure),
}

/// One thing that happens at a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Nothing here; the operation goes on below.
    Skip { below: Op },
    /// At a data node: values from `low` to `high` plus `delta`.
    Add { low: i32, high: i32, delta: i32, below: Op },
    /// At a data node or at labels that are sets of integers: any other value map, by its link.
    Value { link: Term, below: Op },
    /// At a set node: an operation on the label, and one below.
    Label { inside: Op, below: Op },
    /// Answered arc by arc by the term.
    Ask { term: Term },
    /// Evaluated on the node as a whole.
    Whole { term: Term },
    /// The link does not fit the kind of the node.
    Undefined { below: Op },
}

/// What an operation does at a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The steps of the operation itself.
    fire: (u32, u32),
    /// The steps that close the node, the cluster G.
    saturate: (u32, u32),
    /// What children are closed under: the cluster F.
    pub(crate) below: Closure,
    /// What labels are closed under: the cluster L.
    pub(crate) inside: Closure,
    /// Closes a label.
    pub(crate) close_label: Op,
    /// Closes a child.
    pub(crate) close_child: Op,
}

impl Plan {
    #[inline(always)]
    pub(crate) fn fire_steps(&self) -> std::ops::Range<usize> {
        self.fire.0 as usize..self.fire.1 as usize
    }

    #[inline(always)]
    pub(crate) fn saturate_steps(&self) -> std::ops::Range<usize> {
        self.saturate.0 as usize..self.saturate.1 as usize
    }

    /// Whether the node is closed once its children and labels are.
    #[inline(always)]
    pub(crate) fn is_closed(&self) -> bool {
        self.saturate.0 == self.saturate.1
    }
}

/// An operation and the plan that it used last.
#[derive(Clone, Copy)]
struct Entry {
    work: Work,
    key: u64,
    plan: u32,
}

/// Operations and their plans.
pub(crate) struct Plans {
    ops: Vec<Entry>,
    index: FxHashMap<Work, Op>,
    plans: Vec<Plan>,
    plan_index: FxHashMap<(Op, u64), u32>,
    steps: Vec<Step>,
}

const NO_PLAN: u64 = u64::MAX;

#[inline(always)]
fn key(variable: Variable, kind: Kind) -> u64 {
    u64::from(variable) << 2 | kind as u64
}

impl Plans {
    pub(crate) fn new() -> Plans {
        let keep = Work::Fire(ID, NOTHING);
        Plans {
            ops: vec![Entry { work: keep, key: NO_PLAN, plan: 0 }],
            index: FxHashMap::from_iter([(keep, KEEP)]),
            plans: Vec::new(),
            plan_index: FxHashMap::default(),
            steps: Vec::new(),
        }
    }

    fn op(&mut self, work: Work) -> Op {
        *self.index.entry(work).or_insert_with(|| {
            self.ops.push(Entry { work, key: NO_PLAN, plan: 0 });
            Op((self.ops.len() - 1) as u32)
        })
    }

    /// The operation that applies a term and closes the result.
    #[inline]
    pub(crate) fn fire_op(&mut self, term: Term, closure: Closure) -> Op {
        if term == ID { KEEP } else { self.op(Work::Fire(term, closure)) }
    }

    /// The operation that closes a set.
    pub(crate) fn close_op(&mut self, closure: Closure) -> Op {
        if closure == NOTHING { KEEP } else { self.op(Work::Close(closure)) }
    }

    pub(crate) fn work(&self, op: Op) -> Work {
        self.ops[op.0 as usize].work
    }

    #[inline(always)]
    pub(crate) fn step(&self, index: usize) -> Step {
        self.steps[index]
    }

    /// Bytes allocated, about.
    pub(crate) fn bytes(&self) -> usize {
        self.ops.capacity() * size_of::<Entry>()
            + self.index.capacity() * 24
            + self.plans.capacity() * size_of::<Plan>()
            + self.plan_index.capacity() * 24
            + self.steps.capacity() * size_of::<Step>()
    }
}

impl Store {
    /// The plan of an operation for the nodes of a variable.
    #[inline(always)]
    pub(crate) fn plan(&mut self, op: Op, variable: Variable, kind: Kind) -> Plan {
        let entry = self.plans.ops[op.0 as usize];
        if entry.key == key(variable, kind) {
            return self.plans.plans[entry.plan as usize];
        }
        self.find_plan(op, variable, kind)
    }

    #[cold]
    fn find_plan(&mut self, op: Op, variable: Variable, kind: Kind) -> Plan {
        let key = key(variable, kind);
        let found = self.plans.plan_index.get(&(op, key)).copied();
        let index = found.unwrap_or_else(|| {
            let plan = self.make_plan(op, variable, kind);
            self.plans.plans.push(plan);
            let index = (self.plans.plans.len() - 1) as u32;
            self.plans.plan_index.insert((op, key), index);
            index
        });
        let entry = &mut self.plans.ops[op.0 as usize];
        (entry.key, entry.plan) = (key, index);
        self.plans.plans[index as usize]
    }

    fn make_plan(&mut self, op: Op, variable: Variable, kind: Kind) -> Plan {
        let work = self.plans.work(op);
        let (Work::Fire(_, closure) | Work::Close(closure)) = work;
        let (below, acting) = self.split_closure(closure, variable);
        let (local, acting): (Vec<Term>, Vec<Term>) = acting.into_iter().partition(|&term| {
            kind == Kind::Set && matches!(self.terms.get(term), TermData::Local { rest: ID, .. })
        });
        // Rule (4): here the variable is met, so the fixpoint moves inside.
        let insides: Vec<Term> = local.iter().map(|&term| self.inside_of(term)).collect();
        let inside = self.closure_under(insides);
        let saturate: Vec<Step> =
            acting.into_iter().map(|term| self.make_step(term, variable, kind, below, inside, closure)).collect();
        let (close_label, close_child) = (self.plans.close_op(inside), self.plans.close_op(below));
        let fire = match work {
            Work::Close(_) if inside != NOTHING => vec![Step::Label { inside: close_label, below: close_child }],
            Work::Close(_) => vec![Step::Skip { below: close_child }],
            Work::Fire(term, _) => self.fire_steps(term, variable, kind, below, inside, closure),
        };
        let mut place = |steps: Vec<Step>| {
            let start = self.plans.steps.len() as u32;
            self.plans.steps.extend(steps);
            (start, self.plans.steps.len() as u32)
        };
        Plan { fire: place(fire), saturate: place(saturate), below, inside, close_label, close_child }
    }

    fn inside_of(&self, term: Term) -> Term {
        match *self.terms.get(term) {
            TermData::Local { inside, .. } => inside,
            _ => unreachable!("a local application"),
        }
    }

    /// The steps of a term. The members of a sum that skip the variable go on together (SDD paper,
    /// 6.3), the others one by one.
    fn fire_steps(
        &mut self, term: Term, variable: Variable, kind: Kind, below: Closure, inside: Closure, closure: Closure,
    ) -> Vec<Step> {
        let TermData::Sum(members) = self.terms.get(term) else {
            return vec![self.make_step(term, variable, kind, below, inside, closure)];
        };
        let (skipping, acting): (Vec<Term>, Vec<Term>) =
            members.clone().iter().partition(|&&member| self.skips(member, variable));
        let mut steps = Vec::new();
        if !skipping.is_empty() {
            let together = self.sum_term(skipping);
            steps.push(Step::Skip { below: self.plans.fire_op(together, below) });
        }
        for member in acting {
            steps.push(self.make_step(member, variable, kind, below, inside, closure));
        }
        steps
    }

    fn make_step(
        &mut self, term: Term, variable: Variable, kind: Kind, below: Closure, inside: Closure, closure: Closure,
    ) -> Step {
        if let Some((link, rest)) = self.unlink(term, variable) {
            let op = self.plans.fire_op(rest, below);
            return match (link, kind) {
                (Link::Value(Map::Add { low, high, delta }), Kind::Data) => Step::Add { low, high, delta, below: op },
                (Link::Value(map), _) => {
                    let link = self.link_term(variable, Link::Value(map), ID);
                    Step::Value { link, below: op }
                }
                (Link::Local(label), Kind::Set) => {
                    Step::Label { inside: self.plans.fire_op(label, inside), below: op }
                }
                (Link::Local(_), _) => Step::Undefined { below: op },
            };
        }
        if self.skips(term, variable) {
            return Step::Skip { below: self.plans.fire_op(term, below) };
        }
        if self.is_answered(term, closure) { Step::Ask { term } } else { Step::Whole { term } }
    }
}
