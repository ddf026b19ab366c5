//! Plans: what an operation does at the nodes of a variable.
//!
//! An operation `Op` stands for a pair of a term and a closure, or for a closure alone ("close a set
//! that is not closed yet"). Its plan for a variable says which steps make up the term there and
//! which steps close the node afterwards. For a closure the transitions split, as in 6.5 of the SDD
//! paper, into F (skip the variable: the children are closed under these), L (act on the label only:
//! the labels are closed under these) and G (the rest: the steps that close the node).

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::ask::{Question, Questions};
use crate::hom::{Closure, ID, Index, Link, Map, NOTHING, Steps, Term, TermData};
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

impl Work {
    fn key(self) -> u64 {
        match self {
            Work::Fire(term, closure) => u64::from(term.0) << 32 | u64::from(closure.0),
            Work::Close(closure) => u64::from(u32::MAX) << 32 | u64::from(closure.0),
        }
    }

    fn of_key(key: u64) -> Work {
        let closure = Closure(key as u32);
        match (key >> 32) as u32 {
            u32::MAX => Work::Close(closure),
            term => Work::Fire(Term(term), closure),
        }
    }
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
    Label { trial: Trial, inside: Op, below: Op },
    /// Answered arc by arc by the term; at data nodes the answers are remembered.
    Ask { term: Term, question: Question },
    /// Evaluated on the node as a whole.
    Whole { term: Term },
    /// The link does not fit the kind of the node.
    Undefined { below: Op },
}

/// How it is found out whether there is anything to do below a label, before the label is closed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Trial {
    /// Not at all: what is below cannot fail, or is closed whatever comes of the label.
    Nothing,
    /// The label is closed first: that surely ends.
    Inside,
    /// By whether this leaves anything of the label.
    Term(Term),
}

/// How the transitions of a closure split at a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clusters {
    /// F: what children are closed under.
    below: Closure,
    /// L: what labels are closed under.
    inside: Closure,
    close_label: Op,
    close_child: Op,
    /// G: the steps that close the node.
    saturate: (u32, u32),
    /// Which of them concern which value, for data nodes with many of them.
    dispatch: u32,
    /// What all of them do, for data nodes where some of them are asked.
    question: Option<Question>,
}

/// No dispatch: all steps are tried.
const TRY_ALL: u32 = u32::MAX;

/// Which steps of G concern an arc, by its value. Most transitions that touch a variable ask for one of its values: a
/// variable with a hundred values and a thousand transitions would otherwise try all of them at each arc.
struct Dispatch {
    /// The value of the first row.
    low: i32,
    /// Where in `hits` the row of a value begins; one more than there are rows.
    rows: Vec<u32>,
    /// Steps, row by row.
    hits: Vec<u32>,
}

/// Instead of a dispatch: places are those of steps.
const NOT_SORTED: usize = usize::MAX;

/// The place of a step that concerns a value.
#[derive(Clone, Copy)]
pub(crate) struct Hit {
    dispatch: usize,
    place: usize,
}

/// The places of the steps that concern a value.
pub(crate) struct Hits {
    dispatch: usize,
    places: Range<usize>,
}

impl Iterator for Hits {
    type Item = Hit;

    #[inline(always)]
    fn next(&mut self) -> Option<Hit> {
        let place = self.places.next()?;
        Some(Hit { dispatch: self.dispatch, place })
    }
}

/// With fewer steps than this, trying all of them is as fast.
const FEW_STEPS: usize = 3;
/// Values that have a row of their own, at most.
const MOST_ROWS: i64 = 1 << 12;
/// Entries of all rows, at most, for each step.
const MOST_HITS_A_STEP: usize = 64;

/// What an operation does at a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The steps of the operation itself.
    fire: (u32, u32),
    /// Which of them concern which value, for data nodes with many of them.
    dispatch: u32,
    clusters: Clusters,
}

impl Clusters {
    /// Nothing is closed.
    const NONE: Clusters = Clusters {
        below: NOTHING,
        inside: NOTHING,
        close_label: KEEP,
        close_child: KEEP,
        saturate: (0, 0),
        dispatch: TRY_ALL,
        question: None,
    };
}

impl Plan {
    #[inline(always)]
    pub(crate) fn fire_steps(&self) -> Range<usize> {
        self.fire.0 as usize..self.fire.1 as usize
    }

    /// Where the steps of the operation itself are, by value, if that was worked out.
    #[inline(always)]
    pub(crate) fn fire_dispatch(&self) -> Option<usize> {
        (self.dispatch != TRY_ALL).then_some(self.dispatch as usize)
    }

    /// The steps that close the node, the cluster G.
    #[inline(always)]
    pub(crate) fn saturate_steps(&self) -> Range<usize> {
        self.clusters.saturate.0 as usize..self.clusters.saturate.1 as usize
    }

    /// Where the steps are that close a data node, by value, if that was worked out.
    #[inline(always)]
    pub(crate) fn dispatch(&self) -> Option<usize> {
        (self.clusters.dispatch != TRY_ALL).then_some(self.clusters.dispatch as usize)
    }

    /// What the steps that close a data node do, if some of them are asked.
    #[inline(always)]
    pub(crate) fn question(&self) -> Option<Question> {
        self.clusters.question
    }

    /// Whether the node is closed once its children and labels are.
    #[inline(always)]
    pub(crate) fn is_closed(&self) -> bool {
        self.clusters.saturate.0 == self.clusters.saturate.1
    }

    /// What children are closed under: the cluster F.
    #[inline(always)]
    pub(crate) fn below(&self) -> Closure {
        self.clusters.below
    }

    /// What labels are closed under: the cluster L.
    pub(crate) fn inside(&self) -> Closure {
        self.clusters.inside
    }

    /// Closes a label under the cluster L.
    #[inline(always)]
    pub(crate) fn close_label(&self) -> Op {
        self.clusters.close_label
    }

    /// Closes a child under the cluster F.
    #[inline(always)]
    pub(crate) fn close_child(&self) -> Op {
        self.clusters.close_child
    }
}

/// The plan that an operation used last.
#[derive(Clone, Copy)]
struct Last {
    key: u64,
    plan: u32,
}

/// A plan as it is kept: the operations of a closure share its clusters.
#[derive(Clone, Copy)]
struct Kept {
    fire: (u32, u32),
    dispatch: u32,
    clusters: u32,
}

/// Operations and their plans.
pub(crate) struct Plans {
    /// The keys of operations, in the order of their numbers.
    ops: Vec<u64>,
    index: Index,
    /// For every operation.
    last: Vec<Last>,
    plans: Vec<Kept>,
    plan_index: FxHashMap<(Op, u64), u32>,
    /// Those of the closure under nothing are the first.
    clusters: Vec<Clusters>,
    cluster_index: FxHashMap<(Closure, u64), u32>,
    /// The closure under a term that is applied inside labels.
    insides: FxHashMap<(Term, Steps), Closure>,
    steps: Vec<Step>,
    dispatches: Vec<Dispatch>,
    dispatch_bytes: usize,
    pub(super) questions: Questions,
}

const NO_PLAN: u64 = u64::MAX;

#[inline(always)]
fn key(variable: Variable, kind: Kind) -> u64 {
    u64::from(variable) << 2 | kind as u64
}

impl Plans {
    pub(crate) fn new() -> Plans {
        let mut plans = Plans {
            ops: Vec::new(),
            index: Index::new(),
            last: Vec::new(),
            plans: Vec::new(),
            plan_index: FxHashMap::default(),
            clusters: vec![Clusters::NONE],
            cluster_index: FxHashMap::default(),
            insides: FxHashMap::default(),
            steps: Vec::new(),
            dispatches: Vec::new(),
            dispatch_bytes: 0,
            questions: Questions::default(),
        };
        let keep = plans.op(Work::Fire(ID, NOTHING));
        debug_assert_eq!(keep, KEEP);
        plans
    }

    fn op(&mut self, work: Work) -> Op {
        let key = work.key();
        if let Some(number) = self.index.find(&self.ops, &key) {
            return Op(number);
        }
        let op = Op(self.ops.len() as u32);
        self.ops.push(key);
        self.last.push(Last { key: NO_PLAN, plan: 0 });
        self.index.insert(&self.ops, op.0);
        op
    }

    #[inline(always)]
    fn plan(&self, index: u32) -> Plan {
        let kept = self.plans[index as usize];
        Plan { fire: kept.fire, dispatch: kept.dispatch, clusters: self.clusters[kept.clusters as usize] }
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
        Work::of_key(self.ops[op.0 as usize])
    }

    #[inline(always)]
    pub(crate) fn step(&self, index: usize) -> Step {
        self.steps[index]
    }

    /// Of some steps those that concern a value, to be had by [`Plans::hit`].
    #[inline(always)]
    pub(crate) fn steps_at(&self, dispatch: Option<usize>, all: Range<usize>, value: i32) -> Hits {
        let found = dispatch.and_then(|at| {
            let dispatch = &self.dispatches[at];
            let row = usize::try_from(i64::from(value) - i64::from(dispatch.low)).ok()?;
            let (start, end) = (*dispatch.rows.get(row)?, *dispatch.rows.get(row + 1)?);
            Some(Hits { dispatch: at, places: start as usize..end as usize })
        });
        found.unwrap_or(Hits { dispatch: NOT_SORTED, places: all })
    }

    /// A step that concerns a value.
    #[inline(always)]
    pub(crate) fn hit(&self, hit: Hit) -> Step {
        let step =
            if hit.dispatch == NOT_SORTED { hit.place } else { self.dispatches[hit.dispatch].hits[hit.place] as usize };
        self.steps[step]
    }

    /// The number of plans.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.plans.len()
    }

    /// Bytes allocated, about.
    pub(crate) fn bytes(&self) -> usize {
        self.ops.capacity() * size_of::<u64>()
            + self.index.bytes()
            + self.last.capacity() * size_of::<Last>()
            + self.plans.capacity() * size_of::<Kept>()
            + self.plan_index.capacity() * 24
            + self.insides.capacity() * 16
            + self.clusters.capacity() * size_of::<Clusters>()
            + self.cluster_index.capacity() * 24
            + self.steps.capacity() * size_of::<Step>()
            + self.dispatch_bytes
            + self.questions.bytes()
    }
}

impl Store {
    /// The plan of an operation for the nodes of a variable.
    #[inline(always)]
    pub(crate) fn plan(&mut self, op: Op, variable: Variable, kind: Kind) -> Plan {
        let last = self.plans.last[op.0 as usize];
        if last.key == key(variable, kind) {
            return self.plans.plan(last.plan);
        }
        self.find_plan(op, variable, kind)
    }

    #[cold]
    fn find_plan(&mut self, op: Op, variable: Variable, kind: Kind) -> Plan {
        let key = key(variable, kind);
        let last = self.plans.last[op.0 as usize];
        // Most operations see one variable only: the index is for the others.
        if last.key != NO_PLAN {
            self.plans.plan_index.insert((op, last.key), last.plan);
        }
        let found = self.plans.plan_index.get(&(op, key)).copied();
        let index = found.unwrap_or_else(|| {
            let plan = self.make_plan(op, variable, kind);
            self.count_plan();
            self.plans.plans.push(plan);
            (self.plans.plans.len() - 1) as u32
        });
        self.plans.last[op.0 as usize] = Last { key, plan: index };
        self.plans.plan(index)
    }

    fn make_plan(&mut self, op: Op, variable: Variable, kind: Kind) -> Kept {
        let work = self.plans.work(op);
        let (Work::Fire(_, closure) | Work::Close(closure)) = work;
        let kept = self.clusters(closure, variable, kind);
        let clusters = self.plans.clusters[kept as usize];
        let start = self.plans.steps.len() as u32;
        match work {
            Work::Close(_) if clusters.inside != NOTHING => {
                let (inside, below) = (clusters.close_label, clusters.close_child);
                self.plans.steps.push(Step::Label { trial: Trial::Nothing, inside, below });
            }
            Work::Close(_) => self.plans.steps.push(Step::Skip { below: clusters.close_child }),
            Work::Fire(term, _) => self.push_steps(term, variable, kind, &clusters),
        }
        let fire = (start, self.plans.steps.len() as u32);
        let dispatch = if kind == Kind::Data { self.make_dispatch(fire) } else { TRY_ALL };
        Kept { fire, dispatch, clusters: kept }
    }

    /// The number of the clusters of a closure at a variable.
    fn clusters(&mut self, closure: Closure, variable: Variable, kind: Kind) -> u32 {
        if closure == NOTHING {
            return 0;
        }
        if let Some(&clusters) = self.plans.cluster_index.get(&(closure, key(variable, kind))) {
            return clusters;
        }
        let (below, inside, mut acting) = self.clusters_of(closure, variable, kind);
        if self.terms.transitions(closure).steps == Steps::Whole {
            acting = self.together(acting, variable);
        }
        let (close_label, close_child) = (self.plans.close_op(inside), self.plans.close_op(below));
        let mut clusters = Clusters { below, inside, close_label, close_child, ..Clusters::NONE };
        let start = self.plans.steps.len() as u32;
        for term in acting {
            let step = self.make_step(term, variable, kind, &clusters, false);
            self.plans.steps.push(step);
        }
        clusters.saturate = (start, self.plans.steps.len() as u32);
        if kind == Kind::Data {
            let steps = &self.plans.steps[start as usize..];
            if steps.iter().any(|step| matches!(step, Step::Ask { .. })) {
                clusters.question = Some(self.plans.questions.of_steps(clusters.saturate, variable, below));
            } else {
                clusters.dispatch = self.make_dispatch(clusters.saturate);
            }
        }
        let number = self.plans.clusters.len() as u32;
        self.plans.clusters.push(clusters);
        self.plans.cluster_index.insert((closure, key(variable, kind)), number);
        number
    }

    /// Sorts steps by the values that they concern.
    fn make_dispatch(&mut self, (start, end): (u32, u32)) -> u32 {
        if ((end - start) as usize) < FEW_STEPS {
            return TRY_ALL;
        }
        let spans: Vec<(i64, i64)> = (start..end).map(|step| self.span(self.plans.steps[step as usize])).collect();
        // Values have rows from the first to the last end of a span that is not open.
        let ends = spans.iter().flat_map(|&(low, high)| [low, high]);
        let ends = ends.filter(|&end| end != i64::from(i32::MIN) && end != i64::from(i32::MAX));
        let (Some(low), Some(high)) = (ends.clone().min(), ends.max()) else { return TRY_ALL };
        let high = high.min(low + MOST_ROWS);
        let (mut rows, mut hits) = (vec![0], Vec::new());
        for value in low..=high {
            hits.extend(
                (start..end).zip(&spans).filter(|(_, span)| span.0 <= value && value <= span.1).map(|hit| hit.0),
            );
            if hits.len() > MOST_HITS_A_STEP * spans.len() {
                break;
            }
            rows.push(hits.len() as u32);
        }
        if rows.len() < 2 {
            return TRY_ALL;
        }
        self.plans.dispatch_bytes += 4 * (rows.len() + hits.len());
        self.plans.dispatches.push(Dispatch { low: low as i32, rows, hits });
        (self.plans.dispatches.len() - 1) as u32
    }

    /// The values that a step at a data node may concern.
    fn span(&self, step: Step) -> (i64, i64) {
        let all = (i64::from(i32::MIN), i64::from(i32::MAX));
        match step {
            Step::Add { low, high, .. } => (low.into(), high.into()),
            Step::Value { link, .. } => match self.terms.get(link) {
                TermData::Value { map: Map::Add { low, high, .. } | Map::Assign { low, high, .. }, .. } => {
                    ((*low).into(), (*high).into())
                }
                TermData::Value { map: Map::Relation(pairs), .. } => match (pairs.first(), pairs.last()) {
                    (Some(first), Some(last)) => (first.0.into(), last.0.into()),
                    _ => all,
                },
                _ => all,
            },
            _ => all,
        }
    }

    /// The clusters F, L and G of a closure at a variable (SDD paper, 6.5).
    pub(crate) fn clusters_of(
        &mut self, closure: Closure, variable: Variable, kind: Kind,
    ) -> (Closure, Closure, Vec<Term>) {
        let (below, acting) = self.split_closure(closure, variable);
        if kind != Kind::Set {
            return (below, NOTHING, acting);
        }
        // Rule (4): here the variable is met, so the fixpoint moves inside.
        let mut insides = Vec::new();
        let mut rest = Vec::with_capacity(acting.len());
        for term in acting {
            match *self.terms.get(term) {
                TermData::Local { inside, rest: ID, .. } => insides.push(inside),
                _ => rest.push(term),
            }
        }
        let steps = self.terms.transitions(closure).steps;
        let inside = match *insides {
            [] => NOTHING,
            // Parts that are alike have the same term inside: its closure is worked out once.
            [inside] => match self.plans.insides.get(&(inside, steps)) {
                Some(&closure) => closure,
                None => {
                    let closure = self.closure_by(insides, steps);
                    self.plans.insides.insert((inside, steps), closure);
                    closure
                }
            },
            _ => self.closure_by(insides, steps),
        };
        (below, inside, rest)
    }

    /// The steps of a term. The members of a sum that skip the variable go on together (SDD paper,
    /// 6.3), the others one by one.
    fn push_steps(&mut self, term: Term, variable: Variable, kind: Kind, clusters: &Clusters) {
        let plain = clusters.below == NOTHING && clusters.inside == NOTHING && clusters.saturate == (0, 0);
        let TermData::Sum(members) = self.terms.get(term) else {
            let step = self.make_step(term, variable, kind, clusters, plain);
            self.plans.steps.push(step);
            return;
        };
        let (skipping, acting): (Vec<Term>, Vec<Term>) =
            members.clone().iter().partition(|&&member| self.skips(member, variable));
        if !skipping.is_empty() {
            let together = self.sum_term(skipping);
            let below = self.plans.fire_op(together, clusters.below);
            self.plans.steps.push(Step::Skip { below });
        }
        for member in self.together(acting, variable) {
            let step = self.make_step(member, variable, kind, clusters, plain);
            self.plans.steps.push(step);
        }
    }

    /// The same terms, where those that do the same to a variable, the first of both, are one: what follows is then done in
    /// one pass.
    fn together(&mut self, terms: Vec<Term>, variable: Variable) -> Vec<Term> {
        let mut places: FxHashMap<Term, usize> = FxHashMap::default();
        let mut groups: Vec<(Term, Vec<Term>)> = Vec::with_capacity(terms.len());
        for term in terms {
            if self.terms.head(term) != Some(variable) {
                groups.push((term, Vec::new()));
                continue;
            }
            let Some((link, rest)) = self.unlink(term, variable) else { unreachable!("a link at the head") };
            let alone = self.link_term(variable, link, ID);
            let place = *places.entry(alone).or_insert_with(|| {
                groups.push((alone, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(rest);
        }
        let mut together = Vec::with_capacity(groups.len());
        for (first, rests) in groups {
            if rests.is_empty() {
                together.push(first);
                continue;
            }
            let rest = self.sum_term(rests);
            together.push(match self.unlink(first, variable) {
                Some((link, _)) => self.link_term(variable, link, rest),
                None => first,
            });
        }
        together
    }

    /// What a term does at a variable. Where nothing is to be closed (`plain`), compositions and set
    /// operations are done one after the other rather than level by level.
    fn make_step(&mut self, term: Term, variable: Variable, kind: Kind, clusters: &Clusters, plain: bool) -> Step {
        if let Some((link, rest)) = self.unlink(term, variable) {
            let below = self.plans.fire_op(rest, clusters.below);
            return match (link, kind) {
                (Link::Value(Map::Add { low, high, delta }), Kind::Data) => Step::Add { low, high, delta, below },
                (Link::Value(map), _) => {
                    let link = self.link_term(variable, Link::Value(map), ID);
                    Step::Value { link, below }
                }
                (Link::Local(label), Kind::Set) => {
                    let inside = self.plans.fire_op(label, clusters.inside);
                    let trial = if below == KEEP {
                        Trial::Nothing
                    } else if self.terms.is_closure_confined(clusters.inside) {
                        // To close what is not reached is a waste, but mostly there is no waste.
                        Trial::Inside
                    } else {
                        Trial::Term(label)
                    };
                    Step::Label { trial, inside, below }
                }
                (Link::Local(_), _) => Step::Undefined { below },
            };
        }
        if self.skips(term, variable) {
            return Step::Skip { below: self.plans.fire_op(term, clusters.below) };
        }
        if self.is_answered(term, plain) {
            let question = self.plans.questions.of_term(term, variable, clusters.below);
            Step::Ask { term, question }
        } else {
            Step::Whole { term }
        }
    }
}
