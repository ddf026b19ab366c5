//! Symbolic markings in sets: those that differ only in how large their dynamic subclasses are, together.
//!
//! From some size on (`threshold`), what a dynamic subclass does no longer depends on how large it is. So a set of symbolic
//! markings is a list of *shapes* (`shape`), each with a set of *sizes* of its large dynamic subclasses, which is a diagram
//! (`sizes`). All markings of a shape have the same symbolic bindings. Split, instantiate, fire, merge and reindex (the thesis,
//! 5.2.4) are done once for a shape, as for one symbolic marking, with subclasses that have many colours; what they do to the
//! sizes is then done to whole sets: a colour that is split off takes one away, merged subclasses add up, and where a size falls
//! below its threshold the shape is another one (`edge`).
//!
//! A firing that leads back to its shape only adds something to each size. It is fired as often as it can be at once, by
//! doubling: once, twice, four times. So are short cycles of firings. How long it takes depends on how many shapes there are, and
//! hardly on how large the classes are.
//!
//! Sizes that an exchange of dynamic subclasses turns into each other are sorted (`exchange`), which makes markings canonical
//! also where tokens name two colours: the shapes are canonical as single symbolic markings are.

mod ask;
mod edge;
mod exchange;
mod ordinary;
mod shape;
mod sizes;
mod threshold;

pub use ask::{Said, is_about_markings};

use super::SymbolicNet;
use edge::{Edge, Failed};
use exchange::Exchange;
use mandala_diagram::{Count, Diagram, Error, Store};
use mandala_group::UBig;
use mandala_model::coloured::property::ColouredNets;
use mandala_model::property::Question;
use mandala_model::semantics::{Cause, RunError};
use rustc_hash::{FxHashMap, FxHashSet};
use shape::{Case, Form, Layout, Shape};
use sizes::Rows;
use std::collections::VecDeque;
use std::fmt;

/// The symbolic markings that were found.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many there are.
    pub markings: Count,
    /// How many symbolic firings.
    pub firings: Count,
    /// In how many nothing can happen.
    pub deadlocks: Count,
    /// How many ordinary markings they stand for, if that was counted.
    pub ordinary: Option<Count>,
    /// How many shapes they have.
    pub shapes: usize,
    /// Nodes of the diagrams of their sizes, each once for each shape.
    pub nodes: usize,
    /// Bytes for shapes; those of the diagrams are counted by the store.
    pub bytes: usize,
}

/// Why a net has no symbolic markings in sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Bags hold some colours of a dynamic subclass and not others, and it is large.
    Parts {
        /// The place with the bags.
        place: String,
    },
    /// Sizes of dynamic subclasses are added up in a way that is not known.
    Sizes,
    /// Dynamic subclasses can be exchanged in too many ways that are not just any two of them.
    Exchanges,
    /// A marking has more large dynamic subclasses than this.
    TooManyFree(usize),
    /// A class whose sizes are told apart has too many colours.
    TooLarge {
        /// The class.
        class: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Parts { place } => {
                write!(f, "bags in the place `{place}` hold a part of the colours of a large dynamic subclass")
            }
            Refusal::Sizes => {
                write!(f, "the sizes of dynamic subclasses change in a way that sets of them cannot follow")
            }
            Refusal::Exchanges => {
                write!(f, "large dynamic subclasses can be exchanged in too many ways to sort their sizes")
            }
            Refusal::TooManyFree(most) => write!(f, "a marking has more than {most} large dynamic subclasses"),
            Refusal::TooLarge { class } => {
                write!(f, "the class `{class}` is too large: bags of its colours are compared by how much is in them")
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// Why the search ended before all was found.
#[derive(Debug)]
pub enum Stopped {
    /// The net cannot be done in this way.
    Refused(Refusal),
    /// A limit struck, when so many symbolic markings were found.
    Limit(Error, Count),
    /// The net has an error.
    Model(Box<RunError>),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Stopped {
        Stopped::Limit(error, Count::zero())
    }
}

impl From<Refusal> for Stopped {
    fn from(refusal: Refusal) -> Stopped {
        Stopped::Refused(refusal)
    }
}

/// Who is asked whether to go on, with so many shapes that take so many bytes.
pub type GoOn<'g> = dyn Fn(usize, usize) -> Result<(), Error> + 'g;

/// Edges that a cycle may have to be gone around at once.
const LONGEST_CYCLE: usize = 4;

/// Edges that are looked at for the cycles of one shape.
const MOST_LOOKS: usize = 20_000;

/// Cycles of one shape that are gone around at once.
const MOST_CYCLES: usize = 40;

/// Finds all symbolic markings of a net, within the limits of a store. `go_on` is asked now and then whether to go on, and told
/// how many shapes there are and how many bytes they take.
///
/// ```
/// use mandala_analysis::coloured::partition::{Initial, Source};
/// use mandala_diagram::Store;
/// use mandala_model::coloured::sn;
/// use mandala_symbolic::marking::{SymbolicNet, sets};
///
/// let net = sn::read("lights.sn", "net lights {
///     class Light = l{1..1000000};
///     place on : Light;
///     place off : Light = <all>;
///     transition switch (Light x) { take off<x>; put on<x>; }
/// }", &[])?.net;
/// let symbolic = SymbolicNet::new(&net, Source::Found, Initial::Matters, &[])?;
/// let found = sets::explore(&symbolic, &mut Store::new(), &|_, _| Ok(())).expect("within limits");
/// assert_eq!(found.markings.to_u64(), Some(1_000_001));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explore(symbolic: &SymbolicNet<'_>, store: &mut Store, go_on: &GoOn<'_>) -> Result<Found, Stopped> {
    let search = found(symbolic, store, go_on)?;
    search.sum_up()
}

/// Finds all symbolic markings of a net, and answers questions about single markings on them: with how many there are. There is nothing in the place of a question that is about more ([`is_about_markings`]).
pub fn answer(
    symbolic: &SymbolicNet<'_>, store: &mut Store, go_on: &GoOn<'_>, asked: &[&Question<ColouredNets>],
) -> Result<(Vec<Option<Said>>, Count), Stopped> {
    let search = found(symbolic, store, go_on)?;
    let said = asked.iter().map(|question| search.say(question)).collect::<Result<_, _>>()?;
    Ok((said, search.found_so_far()))
}

/// A search that has found all symbolic markings.
fn found<'s, 'n>(
    symbolic: &'s SymbolicNet<'n>, store: &'s mut Store, go_on: &'s GoOn<'s>,
) -> Result<Search<'s, 'n>, Stopped> {
    let thresholds = threshold::thresholds(symbolic);
    if let Some(class) = threshold::too_large(symbolic.net, symbolic, &thresholds) {
        return Err(Refusal::TooLarge { class }.into());
    }
    let mut search = Search {
        symbolic,
        store,
        go_on,
        thresholds,
        shapes: Vec::new(),
        known: Vec::new(),
        index: FxHashMap::default(),
        queue: VecDeque::new(),
        bytes: 0,
    };
    match search.run() {
        Ok(()) => Ok(search),
        Err(Stopped::Limit(error, _)) => Err(Stopped::Limit(error, search.found_so_far())),
        Err(stopped) => Err(stopped),
    }
}

/// What is known of a shape besides its markings.
#[derive(Default)]
struct Known {
    /// Where its firings lead, each once; nothing if that is not known yet.
    edges: Option<Vec<Edge>>,
    /// Those that lead back and add something to sizes, and cycles that do: with what they add.
    loops: Vec<(Edge, Vec<i64>)>,
    /// How many symbolic bindings there are.
    bindings: u64,
    /// How often new sizes came.
    visits: u32,
    is_queued: bool,
}

struct Search<'s, 'n> {
    symbolic: &'s SymbolicNet<'n>,
    store: &'s mut Store,
    go_on: &'s GoOn<'s>,
    /// By static subclass.
    thresholds: Vec<Option<u32>>,
    shapes: Vec<Shape>,
    known: Vec<Known>,
    index: FxHashMap<Vec<i32>, usize>,
    /// Shapes with pending sizes.
    queue: VecDeque<usize>,
    bytes: usize,
}

impl Search<'_, '_> {
    fn failed(&self, transition: Option<usize>, cause: Cause, state: &[i32]) -> Stopped {
        let error = match transition {
            Some(transition) => self.symbolic.failed((transition, cause), state),
            None => self.symbolic.error(cause, state),
        };
        Stopped::Model(Box::new(error))
    }

    fn run(&mut self) -> Result<(), Stopped> {
        self.begin()?;
        while let Some(shape) = self.queue.pop_front() {
            self.close(shape)?;
        }
        Ok(())
    }

    /// How many symbolic markings were found whose firings are known.
    fn found_so_far(&self) -> Count {
        let counts = self.shapes.iter().map(|shape| self.store.count(&shape.sizes));
        Count::from(counts.fold(UBig::ZERO, |sum, count| sum + count.exact().cloned().unwrap_or_default()))
    }

    fn begin(&mut self) -> Result<(), Stopped> {
        let symbolic = self.symbolic;
        let state = symbolic.initial.clone().map_err(|cause| self.failed(None, cause, &[]))?;
        let marking = symbolic.unpack(&state).map_err(|cause| self.failed(None, cause, &state))?;
        let forms: Vec<Form> =
            marking.atoms.iter().map(|&(_, size)| Form { free: Vec::new(), constant: i64::from(size) }).collect();
        let cases = shape::cases(symbolic, &self.thresholds, &marking.atoms, &forms, &marking.entries)?;
        for case in cases {
            let given: Vec<i64> = case.sizes.iter().map(|form| form.constant).collect();
            let target = self.shape(case, None)?.target;
            let layout = &self.shapes[target].layout;
            let mut rows = Rows::new(layout.stored.len(), &|_| Ok(()));
            let sizes = layout.stored.iter().map(|&free| (given[free as usize], given[free as usize])).collect();
            let _ = self.shapes[target].exchange.least(&layout.position, sizes, &mut |sizes| rows.push(sizes));
            self.shapes[target].pending = rows.into_set(self.store)?;
            self.enqueue(target);
        }
        Ok(())
    }

    fn enqueue(&mut self, shape: usize) {
        if !std::mem::replace(&mut self.known[shape].is_queued, true) {
            self.queue.push_back(shape);
        }
    }

    /// The edge of a case that comes from some shape: where it leads is added if it is new.
    fn shape(&mut self, case: Case, from: Option<usize>) -> Result<Edge, Stopped> {
        let key = self.symbolic.pack(&case.marking, &mut Vec::new());
        if let Some(&target) = self.index.get(&key) {
            return Ok(Edge { target, conditions: case.conditions, sizes: case.sizes });
        }
        let exchange = Exchange::of(self.symbolic, &case.marking, &case.symmetries)?;
        let origins = from.map(|from| self.shapes[from].layout.origins(&case.sizes)).unwrap_or_default();
        let layout = Layout::new(self.symbolic, &case.marking, &exchange, &origins);
        let target = self.shapes.len();
        self.bytes += std::mem::size_of::<Shape>()
            + std::mem::size_of::<Known>()
            + 4 * key.len()
            + 32 * (case.marking.entries.list.len() + case.marking.atoms.len() + layout.free.len() + 4);
        let (sizes, pending) = (self.store.zero(), self.store.zero());
        let (marking, symmetries) = (case.marking, case.symmetries);
        self.shapes.push(Shape { marking, symmetries, layout, exchange, sizes, pending });
        self.known.push(Known::default());
        self.index.insert(key, target);
        Ok(Edge { target, conditions: case.conditions, sizes: case.sizes })
    }

    /// Finds where the firings of a shape lead.
    fn look(&mut self, shape: usize) -> Result<(), Stopped> {
        let (mut found, mut bindings) = (Vec::new(), 0);
        let visited = {
            let Shape { marking, layout, .. } = &self.shapes[shape];
            edge::firings(self.symbolic, &self.thresholds, marking, layout, &mut |cases| {
                bindings += 1;
                found.extend(cases);
                Ok(())
            })
        };
        match visited {
            Ok(()) => {}
            Err(Failed::Refused(refusal)) => return Err(refusal.into()),
            Err(Failed::Cause(transition, cause)) => {
                let state = self.symbolic.pack(&self.shapes[shape].marking, &mut Vec::new());
                return Err(self.failed(Some(transition), cause, &state));
            }
        }
        let mut seen = FxHashSet::default();
        let (mut edges, mut loops) = (Vec::new(), Vec::new());
        for case in found {
            let edge = self.shape(case, Some(shape))?;
            if !seen.insert(edge.clone()) {
                continue;
            }
            self.bytes += 64 + 40 * (edge.conditions.len() + edge.sizes.len());
            match edge.step(shape) {
                Some(steps) if steps.iter().all(|&step| step == 0) => {}
                Some(steps) => loops.push((edge, steps)),
                None => edges.push(edge),
            }
        }
        let known = &mut self.known[shape];
        (known.edges, known.loops, known.bindings) = (Some(edges), loops, bindings);
        Ok(())
    }

    /// Takes what is pending of a shape, and all that its loops make of it, and fires everything else from there.
    fn close(&mut self, shape: usize) -> Result<(), Stopped> {
        (self.go_on)(self.shapes.len(), self.bytes)?;
        self.known[shape].is_queued = false;
        let zero = self.store.zero();
        let pending = std::mem::replace(&mut self.shapes[shape].pending, zero);
        let before = self.shapes[shape].sizes.clone();
        let mut new = self.store.difference(&pending, &before)?;
        if new.is_empty() {
            return Ok(());
        }
        if self.known[shape].edges.is_none() {
            self.look(shape)?;
        }
        self.known[shape].visits += 1;
        if self.known[shape].visits.is_power_of_two() && self.known[shape].visits > 1 {
            self.find_cycles(shape);
        }
        let loops = std::mem::take(&mut self.known[shape].loops);
        loop {
            let last = new.clone();
            for (edge, steps) in &loops {
                let mut times = 1;
                while let Some(repeated) = edge.repeated(steps, times) {
                    let found = self.image(shape, &new, &repeated)?;
                    let more = self.store.union(&new, &found)?;
                    if more == new {
                        break;
                    }
                    new = more;
                    times *= 2;
                }
                (self.go_on)(self.shapes.len(), self.bytes)?;
            }
            if new == last {
                break;
            }
        }
        self.known[shape].loops = loops;
        new = self.store.difference(&new, &before)?;
        self.shapes[shape].sizes = self.store.union(&before, &new)?;
        let edges = self.known[shape].edges.take().unwrap_or_default();
        for edge in &edges {
            let found = self.image(shape, &new, edge)?;
            let target = &mut self.shapes[edge.target];
            let found = self.store.difference(&found, &target.sizes)?;
            if !found.is_empty() {
                target.pending = self.store.union(&target.pending, &found)?;
                self.enqueue(edge.target);
            }
        }
        self.known[shape].edges = Some(edges);
        Ok(())
    }

    fn image(&mut self, shape: usize, sizes: &Diagram, edge: &Edge) -> Result<Diagram, Error> {
        let (go_on, count, bytes) = (self.go_on, self.shapes.len(), self.bytes);
        sizes::image(self.store, &self.shapes, shape, sizes, edge, &|more| go_on(count, bytes + more))
    }

    /// Looks for short ways back to a shape that only add something to sizes.
    fn find_cycles(&mut self, shape: usize) {
        let mut found: FxHashSet<Edge> = self.known[shape].loops.iter().map(|one| one.0.clone()).collect();
        let Some(edges) = &self.known[shape].edges else { return };
        let mut open: Vec<(Edge, usize)> = edges.iter().map(|edge| (edge.clone(), 1)).collect();
        let mut looks = 0;
        let mut new = Vec::new();
        while let Some((way, length)) = open.pop() {
            let Some(next) = self.known[way.target].edges.as_ref().filter(|_| way.target != shape) else { continue };
            for edge in next {
                looks += 1;
                if looks > MOST_LOOKS || new.len() + self.known[shape].loops.len() >= MOST_CYCLES {
                    open.clear();
                    break;
                }
                let Some(longer) = way.then(edge) else { continue };
                match longer.step(shape) {
                    Some(steps) if steps.iter().any(|&step| step != 0) && found.insert(longer.clone()) => {
                        new.push((longer, steps));
                    }
                    _ if length + 1 < LONGEST_CYCLE && longer.target != shape => open.push((longer, length + 1)),
                    _ => {}
                }
            }
        }
        self.known[shape].loops.extend(new);
    }

    fn sum_up(self) -> Result<Found, Stopped> {
        let (mut markings, mut firings, mut deadlocks) = (UBig::ZERO, UBig::ZERO, UBig::ZERO);
        let mut nodes = 0;
        for (shape, known) in self.shapes.iter().zip(&self.known) {
            let count = self.store.count(&shape.sizes);
            let count = count.exact().cloned().unwrap_or_default();
            nodes += self.store.size(&shape.sizes).nodes;
            firings += &count * UBig::from(known.bindings);
            if known.bindings == 0 {
                deadlocks += &count;
            }
            markings += count;
        }
        let ordinary = ordinary::ordinary(self.symbolic, self.store, &self.shapes, &|| {
            (self.go_on)(self.shapes.len(), self.bytes)
        })?;
        Ok(Found {
            markings: Count::from(markings),
            firings: Count::from(firings),
            deadlocks: Count::from(deadlocks),
            ordinary: ordinary.map(Count::from),
            shapes: self.shapes.iter().filter(|shape| !shape.sizes.is_empty()).count(),
            nodes,
            bytes: self.bytes,
        })
    }
}
