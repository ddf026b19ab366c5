//! The store: all diagrams and homomorphisms that belong together, and the operations on them.

use rustc_hash::FxHashMap;

use crate::closure::Plans;
use crate::hom::Terms;
use crate::memory::{Cache, Cancel, Diagram, Error, Handles, Hom, Limits, ProcessMemory, Progress, Run, Stop};
use crate::node::{Arc, Kind, Node, Nodes, TOP, ZERO};

/// The variable of an assignment. Just a number: the library gives it no meaning and knows no order
/// of variables but the one in which they occur in a diagram.
///
/// Homomorphisms are fastest on diagrams whose variables ascend along every path; they are right on
/// all of them.
pub type Variable = u32;

/// How many nodes are asked for between two looks at the clock.
const TICKS: u32 = NODE_TICKS << 12;

/// Bytes that a cache may have for each node that was asked for.
const CACHE_BYTES_BY_WORK: usize = 8;

/// A node that is asked for counts as many ticks.
pub(crate) const NODE_TICKS: u32 = 16;
/// How much stack must be left before an operation goes on to a new piece of it.
const RED_ZONE: usize = 128 << 10;
/// The size of a piece of stack.
const STACK_PIECE: usize = 16 << 20;

/// Results of operations, by operation.
pub(crate) struct Caches {
    pub(crate) union: Cache<2>,
    pub(crate) meet: Cache<2>,
    pub(crate) intersection: Cache<2>,
    pub(crate) difference: Cache<2>,
    pub(crate) concatenation: Cache<2>,
    /// By operation and set.
    pub(crate) fire: Cache<2>,
    /// By closure and set.
    pub(crate) rewriting: Cache<2>,
    /// Whether a term leaves anything of a set, by both.
    pub(crate) possible: Cache<2>,
    /// By operation, set and bound.
    pub(crate) bounded: Cache<3>,
    /// By sets, if there are more than two.
    pub(crate) unions: FxHashMap<Box<[Node]>, Node>,
    /// How many sets the keys of `unions` name.
    pub(crate) union_keys: usize,
}

/// Where the stacks end.
#[derive(Clone, Copy)]
pub(crate) struct Marks {
    data: usize,
    pieces: usize,
    pending: usize,
    dirty: usize,
    roots: usize,
}

impl Marks {
    /// Where the arcs of data nodes end.
    pub(crate) fn data(self) -> usize {
        self.data
    }

    /// Where the arcs of set nodes end.
    pub(crate) fn pieces(self) -> usize {
        self.pieces
    }
}

/// The budget that is in force again after [`Store::within_budget`].
#[must_use]
#[derive(Debug)]
pub struct OuterBudget {
    end: Option<u64>,
}

/// Owns diagrams and homomorphisms, and works on them.
///
/// Everything that a store makes belongs to it; to use a [`Diagram`] or a [`Hom`] with another store
/// is a mistake that panics. Diagrams stay alive as long as a handle on them does; the rest is
/// collected when memory is needed, also in the middle of an operation.
///
/// Operations that make nodes return a [`Result`]: they end with an [`Error`] when a limit is
/// reached, and the store can be used further. See the [crate's documentation](crate) for a tour.
pub struct Store {
    pub(crate) nodes: Nodes,
    pub(crate) terms: Terms,
    pub(crate) plans: Plans,
    pub(crate) caches: Caches,

    // The root stacks. Whatever an operation under way still needs is on one of them, or reachable
    // from there, whenever it makes a node; see `memory::collect`.
    /// Arcs of data nodes that are being built.
    pub(crate) data: Vec<Arc>,
    /// Arcs of set nodes that are being built.
    pub(crate) pieces: Vec<Arc>,
    /// Arcs of set nodes that a closure has still to fire.
    pub(crate) pending: Vec<Arc>,
    /// For every arc in `data` that belongs to a closure: whether it has still to be fired.
    pub(crate) dirty: Vec<bool>,
    /// Other nodes.
    pub(crate) roots: Vec<Node>,

    pub(crate) handles: Handles,
    pub(crate) limits: Limits,
    process: Option<ProcessMemory>,
    pub(crate) cancel: Cancel,
    progress: Progress,
    /// Nodes asked for so far, in whole periods of ticks, and where that number ends by the limit.
    pub(crate) work: u64,
    work_end: Option<u64>,
    pub(crate) failure: Option<Error>,
    /// What a closure had reached when it was stopped: see `closure::partial`.
    pub(crate) partial: Node,
    /// Whether an operation is on its way out: what it still makes is not limited.
    pub(crate) unwinding: bool,
    /// Whether the pieces on top of the stack were left in disorder by an operation that was stopped.
    pub(crate) broken: bool,
    /// For tests: at which look at the limits to stop.
    stop_in: Option<u64>,

    pub(crate) ticks: u32,
    pub(crate) tick_period: u32,
    pub(crate) collect_always: bool,
    pub(crate) collect_at_nodes: usize,
    pub(crate) collect_at_arcs: usize,
    pub(crate) collect_at_terms: usize,
    /// How many nodes must have been made before memory is gained by forgetting everything again.
    last_resort_at: u64,
    /// The bytes that did not fit when an operation was stopped.
    needed: usize,
    pub(crate) collections: u64,
    /// Terms that were asked what they do to an arc, and values that were guessed.
    pub(crate) asked: u64,
    pub(crate) guessed: u64,
    pub(crate) peak_bytes: usize,
    pub(crate) stack_bytes: usize,
    stack_floor: usize,
    /// How many operations are under way, one inside the other.
    pub(crate) depth: usize,
}

impl Default for Store {
    fn default() -> Store {
        Store::new()
    }
}

impl Store {
    /// An empty store without limits.
    pub fn new() -> Store {
        Store {
            nodes: Nodes::new(),
            terms: Terms::new(),
            plans: Plans::new(),
            caches: Caches {
                union: Cache::new(),
                meet: Cache::new(),
                intersection: Cache::new(),
                difference: Cache::new(),
                concatenation: Cache::new(),
                fire: Cache::new(),
                rewriting: Cache::new(),
                possible: Cache::new(),
                bounded: Cache::new(),
                unions: FxHashMap::default(),
                union_keys: 0,
            },
            data: Vec::new(),
            pieces: Vec::new(),
            pending: Vec::new(),
            dirty: Vec::new(),
            roots: Vec::new(),
            handles: Handles::default(),
            limits: Limits::default(),
            process: None,
            cancel: Cancel::default(),
            progress: Progress::default(),
            work: 0,
            work_end: None,
            failure: None,
            partial: ZERO,
            unwinding: false,
            broken: false,
            stop_in: None,
            ticks: TICKS,
            tick_period: TICKS,
            collect_always: false,
            collect_at_nodes: 1 << 17,
            collect_at_arcs: 1 << 20,
            collect_at_terms: 1 << 16,
            last_resort_at: 0,
            needed: 0,
            collections: 0,
            asked: 0,
            guessed: 0,
            peak_bytes: 0,
            stack_bytes: 0,
            stack_floor: 0,
            depth: 0,
        }
    }

    /// Sets limits for the operations that follow.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.work_end = limits.work.map(|work| self.work.saturating_add(work));
    }

    /// The limits in force.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Does something with at most so much work ([`Limits::work`]), and no more than was left before; afterwards what was
    /// left before is left again, less what was done.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let result = store.within_budget(1_000, |store| store.state(&[(0, 3), (1, 0)]));
    /// assert!(result.is_ok());
    /// ```
    pub fn within_budget<T>(&mut self, work: u64, run: impl FnOnce(&mut Store) -> T) -> T {
        let outer = self.enter_budget(work);
        let result = run(self);
        self.leave_budget(outer);
        result
    }

    /// Begins what [`within_budget`](Store::within_budget) does, where something that holds the store is needed for it.
    pub fn enter_budget(&mut self, work: u64) -> OuterBudget {
        let outer = OuterBudget { end: self.work_end };
        let end = self.work.saturating_add(work);
        self.work_end = Some(outer.end.map_or(end, |outer| outer.min(end)));
        outer
    }

    /// Ends what [`enter_budget`](Store::enter_budget) began.
    pub fn leave_budget(&mut self, outer: OuterBudget) {
        self.work_end = outer.end;
    }

    /// Whether all the work that is allowed was done: operations end with [`Error::Work`] until more is allowed.
    pub fn is_out_of_work(&self) -> bool {
        self.work_end.is_some_and(|end| self.work >= end)
    }

    /// What stops this store's operations: keep a clone where it is needed, in another thread or in a
    /// handler of Ctrl-C.
    pub fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }

    /// Lets this store be stopped together with others that share the same [`Cancel`].
    pub fn set_cancel(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
    }

    /// Lets this store stay within a limit on the memory of the whole process, beside its own.
    pub fn set_process_memory(&mut self, memory: Option<&ProcessMemory>) {
        self.process = memory.cloned();
    }

    /// The limit on the memory of the whole process.
    pub fn process_memory(&self) -> Option<&ProcessMemory> {
        self.process.as_ref()
    }

    /// Lets this store tell what it is doing in a place that others may have used before it.
    pub fn set_progress(&mut self, progress: &Progress) {
        self.progress = progress.clone();
    }

    /// What the store is doing, to be looked at from another thread.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// For tests: collects garbage at every `period`-th point at which it could happen. With 1,
    /// any intermediate result that an operation forgot to protect is lost at once.
    pub fn collect_at_every(&mut self, period: u32) {
        self.collect_always = true;
        self.tick_period = period.max(1).saturating_mul(NODE_TICKS);
        self.ticks = self.tick_period;
    }

    /// For tests: the look at the limits after so many others finds the store cancelled.
    #[doc(hidden)]
    pub fn stop_in(&mut self, looks: Option<u64>) {
        self.stop_in = looks;
    }

    // ---- Handles -----------------------------------------------------------------------------

    pub(crate) fn diagram(&self, node: Node) -> Diagram {
        Diagram::new(node, &self.handles)
    }

    pub(crate) fn hom(&self, term: crate::hom::Term) -> Hom {
        Hom::new(term, &self.handles)
    }

    /// The node of a handle of this store.
    pub(crate) fn node_of(&self, diagram: &Diagram) -> Node {
        assert!(diagram.handles().same(&self.handles), "this diagram belongs to another store");
        diagram.node()
    }

    /// The term of a handle of this store.
    pub(crate) fn term_of(&self, hom: &Hom) -> crate::hom::Term {
        assert!(hom.handles().same(&self.handles), "this homomorphism belongs to another store");
        hom.term()
    }

    // ---- Running an operation ----------------------------------------------------------------

    /// Runs an operation from the outside: finds out about the stack, and cleans up after a stop.
    pub(crate) fn run<T>(&mut self, operation: impl FnOnce(&mut Store) -> Run<T>) -> Result<T, Error> {
        let marks = self.marks();
        let (floor, stack) = (self.stack_floor, self.stack_bytes);
        if self.depth == 0 {
            // What an operation before this one left behind is not held against this one.
            self.last_resort_at = 0;
            if self.terms.len() >= self.collect_at_terms || self.collect_always {
                self.collect_terms();
            }
            let here = stack_pointer();
            self.stack_floor = match stacker::remaining_stack() {
                Some(left) => here.saturating_sub(left).saturating_add(RED_ZONE),
                None => usize::MAX,
            };
        }
        self.depth += 1;
        let result = self.check_limits().and_then(|()| self.make_fit(0)).and_then(|()| operation(self));
        self.depth -= 1;
        self.stack_floor = floor;
        self.stack_bytes = stack;
        result.map_err(|stop| {
            self.unwind_to(marks);
            self.unwinding = false;
            self.error(stop)
        })
    }

    /// Runs a closure: if it is stopped, the error holds what it had reached, which is at least
    /// where it began.
    pub(crate) fn run_closure(
        &mut self, initial: Node, operation: impl FnOnce(&mut Store) -> Run<Node>,
    ) -> Result<Node, Error> {
        self.partial = ZERO;
        let mut result = self.run(operation);
        if let Err(
            Error::Memory { reached, .. }
            | Error::Time { reached }
            | Error::Work { reached }
            | Error::Cancelled { reached },
        ) = &mut result
        {
            self.unwinding = true;
            let all = self.run(|store| store.unite(store.partial, initial)).unwrap_or(initial);
            self.unwinding = false;
            *reached = Some(self.diagram(all));
        }
        self.partial = ZERO;
        result
    }

    fn error(&mut self, stop: Stop) -> Error {
        match stop {
            Stop::Memory => self.out_of_memory(self.needed),
            Stop::Time => Error::Time { reached: None },
            Stop::Work => Error::Work { reached: None },
            Stop::Cancelled => Error::Cancelled { reached: None },
            Stop::Failed => self.failure.take().unwrap_or(Error::Cancelled { reached: None }),
        }
    }

    /// So many more bytes do not fit.
    fn out_of_memory(&self, needed: usize) -> Error {
        let (used, limit) = match &self.process {
            Some(process) if process.exceeds(needed) => (process.used(), Some(process.limit())),
            _ => (self.bytes(), self.limits.memory),
        };
        Error::Memory { used, needed, limit, reached: None }
    }

    /// Whether the rest of the stack is too small to go on.
    #[inline(always)]
    pub(crate) fn stack_is_low(&self) -> bool {
        stack_pointer() < self.stack_floor
    }

    /// Goes on with a new piece of stack.
    #[cold]
    pub(crate) fn on_new_stack<T>(&mut self, operation: impl FnOnce(&mut Store) -> Run<T>) -> Run<T> {
        self.make_fit(STACK_PIECE)?;
        self.stack_bytes += STACK_PIECE;
        let floor = self.stack_floor;
        let result = stacker::grow(STACK_PIECE, || {
            self.stack_floor = stack_pointer() - STACK_PIECE + 2 * RED_ZONE;
            operation(self)
        });
        self.stack_floor = floor;
        self.stack_bytes -= STACK_PIECE;
        result
    }

    /// Whether so many more bytes would break a limit on memory.
    pub(crate) fn exceeds(&self, bytes: usize) -> bool {
        if self.unwinding {
            return self.process.as_ref().is_some_and(|process| process.is_exhausted_by(bytes));
        }
        self.limits.memory.is_some_and(|limit| self.bytes() + bytes > limit)
            || self.process.as_ref().is_some_and(|process| process.exceeds(bytes))
    }

    fn check_limits(&mut self) -> Run<()> {
        if self.unwinding {
            return Ok(());
        }
        let stop_now = self.stop_in == Some(0);
        self.stop_in = self.stop_in.map(|looks| looks.saturating_sub(1));
        if stop_now || self.cancel.is_cancelled() {
            return Err(self.stop(Stop::Cancelled));
        }
        if self.limits.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline) {
            return Err(self.stop(Stop::Time));
        }
        if self.is_out_of_work() {
            return Err(self.stop(Stop::Work));
        }
        Ok(())
    }

    /// Looks at the limits for work that makes no nodes, and has done so much and holds so many bytes by now.
    pub(crate) fn look(&self, work: u64, bytes: usize) -> Result<(), Error> {
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled { reached: None });
        }
        if self.limits.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline) {
            return Err(Error::Time { reached: None });
        }
        if self.work_end.is_some_and(|end| self.work.saturating_add(work) >= end) {
            return Err(Error::Work { reached: None });
        }
        if self.exceeds(bytes) {
            return Err(self.out_of_memory(bytes));
        }
        Ok(())
    }

    /// Stops: from here on the operation is on its way out, and what it saves is not limited.
    pub(crate) fn stop(&mut self, stop: Stop) -> Stop {
        self.unwinding = true;
        self.partial = ZERO;
        stop
    }

    /// Where the stacks end.
    #[inline(always)]
    pub(crate) fn marks(&self) -> Marks {
        Marks {
            data: self.data.len(),
            pieces: self.pieces.len(),
            pending: self.pending.len(),
            dirty: self.dirty.len(),
            roots: self.roots.len(),
        }
    }

    /// Takes off the stacks what an operation left there that failed.
    #[cold]
    pub(crate) fn unwind_to(&mut self, marks: Marks) {
        self.broken = false;
        self.data.truncate(marks.data);
        self.pieces.truncate(marks.pieces);
        self.pending.truncate(marks.pending);
        self.dirty.truncate(marks.dirty);
        self.roots.truncate(marks.roots);
    }

    /// Now and then: looks at the clock; in the test mode, collects.
    #[cold]
    pub(crate) fn tick(&mut self) -> Run<()> {
        self.ticks = self.tick_period;
        self.work += u64::from(self.tick_period / NODE_TICKS);
        if self.collect_always {
            self.collect_garbage();
        }
        self.progress.set(self.nodes.used(), self.bytes());
        // Nodes and caches ask before they grow; terms, plans and stacks are looked at now and then.
        self.make_fit(0)?;
        self.check_limits()
    }

    /// A plan was made, which may have taken many terms: it counts as many nodes.
    pub(crate) fn count_plan(&mut self) {
        self.spend(64 * NODE_TICKS);
    }

    /// Counts work that makes no node, in ticks: the next node looks at the limits.
    #[inline(always)]
    pub(crate) fn spend(&mut self, ticks: u32) {
        self.ticks = self.ticks.saturating_sub(ticks).max(1);
    }

    /// Counts down to the next [`Store::tick`] as if a node had been asked for.
    #[inline(always)]
    pub(crate) fn count_tick(&mut self) -> Run<()> {
        self.count_ticks(NODE_TICKS)
    }

    /// Counts down to the next [`Store::tick`].
    #[inline(always)]
    fn count_ticks(&mut self, ticks: u32) -> Run<()> {
        self.ticks = self.ticks.saturating_sub(ticks);
        if self.ticks == 0 { self.tick() } else { Ok(()) }
    }

    // ---- Making nodes ------------------------------------------------------------------------

    /// The data node with the arcs on top of the stack from `base` on, which are taken off.
    #[inline]
    pub(crate) fn make_data(&mut self, variable: Variable, base: usize) -> Run<Node> {
        if self.data.len() == base {
            return Ok(ZERO);
        }
        self.count_ticks(NODE_TICKS + (self.data.len() - base) as u32)?;
        let node = match self.nodes.find(Kind::Data, variable, &self.data[base..]) {
            Ok(node) => node,
            Err(hash) => self.add_data(Kind::Data, variable, base, hash)?,
        };
        self.data.truncate(base);
        Ok(node)
    }

    /// The set of integers with the ranges on top of the stack from `base` on, which are taken off.
    pub(crate) fn make_ranges(&mut self, base: usize) -> Run<Node> {
        if self.data.len() == base {
            return Ok(ZERO);
        }
        // Ranges are numbers: a collection must not take them for nodes.
        let ranges = self.data.split_off(base);
        self.count_tick()?;
        let variable = crate::node::NO_VARIABLE;
        match self.nodes.find(Kind::Ranges, variable, &ranges) {
            Ok(node) => Ok(node),
            Err(hash) => {
                if !self.nodes.has_room(ranges.len()) {
                    self.make_room(ranges.len())?;
                }
                Ok(self.nodes.add(Kind::Ranges, variable, &ranges, hash))
            }
        }
    }

    #[inline(never)]
    fn add_data(&mut self, kind: Kind, variable: Variable, base: usize, hash: u64) -> Run<Node> {
        let count = self.data.len() - base;
        if !self.nodes.has_room(count) {
            self.make_room(count)?;
        }
        Ok(self.nodes.add(kind, variable, &self.data[base..], hash))
    }

    /// The set node with the arcs on top of the stack from `base` on, which are taken off. They are
    /// pairwise disjoint, with different children; ⊤ as a label makes the whole node ⊤.
    #[inline]
    pub(crate) fn make_set(&mut self, variable: Variable, base: usize) -> Run<Node> {
        if self.pieces.len() == base {
            return Ok(ZERO);
        }
        self.count_ticks(NODE_TICKS + 4 * (self.pieces.len() - base) as u32)?;
        let arcs = &mut self.pieces[base..];
        match arcs {
            [_] => {}
            [a, b] => {
                if a.label > b.label {
                    arcs.swap(0, 1);
                }
            }
            _ => arcs.sort_unstable_by_key(|arc| arc.label),
        }
        if arcs[0].label == TOP.0 {
            self.pieces.truncate(base);
            return Ok(self.undefined());
        }
        let node = match self.nodes.find(Kind::Set, variable, &self.pieces[base..]) {
            Ok(node) => node,
            Err(hash) => {
                let count = self.pieces.len() - base;
                if !self.nodes.has_room(count) {
                    self.make_room(count)?;
                }
                self.nodes.add(Kind::Set, variable, &self.pieces[base..], hash)
            }
        };
        self.pieces.truncate(base);
        Ok(node)
    }

    /// ⊤, from now on a part of diagrams.
    pub(crate) fn undefined(&mut self) -> Node {
        self.nodes.use_top();
        TOP
    }

    #[cold]
    fn make_room(&mut self, arcs: usize) -> Run<()> {
        if arcs > crate::node::MAX_ARCS {
            return Err(self.stop(Stop::Memory));
        }
        if self.nodes.used() >= self.collect_at_nodes || self.nodes.stored_arcs() >= self.collect_at_arcs {
            self.collect_garbage();
        }
        if self.nodes.has_room(arcs) {
            return Ok(());
        }
        let mut growth = self.nodes.growth(arcs);
        if self.exceeds(growth.bytes) {
            self.make_fit(growth.bytes)?;
            growth = self.nodes.growth(arcs);
        }
        if self.nodes.grow(growth).is_err() {
            self.needed = growth.bytes;
            return Err(self.stop(Stop::Memory));
        }
        self.peak_bytes = self.peak_bytes.max(self.bytes());
        Ok(())
    }

    /// Makes so many more bytes fit into the limit on memory, in the last resort by forgetting all that
    /// is not needed; but to do so again and again would only look like work.
    fn make_fit(&mut self, bytes: usize) -> Run<()> {
        if self.exceeds(bytes) && self.nodes.made() >= self.last_resort_at {
            self.forget_results();
            self.collect_garbage();
            self.nodes.shrink();
            self.last_resort_at = self.nodes.made() + self.nodes.used() as u64;
        }
        if self.exceeds(bytes) {
            self.needed = bytes;
            return Err(self.stop(Stop::Memory));
        }
        Ok(())
    }

    // ---- Caches ------------------------------------------------------------------------------

    /// Lets a cache grow that lost too much, as far as the diagram and the limits allow.
    #[cold]
    pub(crate) fn grow_cache<const K: usize>(&mut self, which: fn(&mut Caches) -> &mut Cache<K>, share: usize) {
        // Much work on few nodes is work that was done before and forgotten.
        let by_work = usize::try_from(self.work).unwrap_or(usize::MAX).saturating_mul(CACHE_BYTES_BY_WORK);
        let allowed = (self.nodes.bytes().max(by_work) * share).max(4 << 20);
        let bytes = which(&mut self.caches).next_bytes();
        // An allocator that copies needs the old and the new one at once.
        let fits = bytes <= allowed && !self.exceeds(bytes);
        let cache = which(&mut self.caches);
        if !fits || cache.grow().is_err() {
            cache.endure();
        }
        self.peak_bytes = self.peak_bytes.max(self.bytes());
    }
}

/// About where the stack ends now.
#[inline(always)]
fn stack_pointer() -> usize {
    let marker = 0u8;
    std::ptr::from_ref(&marker) as usize
}
