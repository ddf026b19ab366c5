//! The automorphisms of a coloured graph, by refinement and search.
//!
//! On the *first path* vertices are individualised one after the other, and the partition refined after each, until
//! every vertex is alone. The vertices chosen are the *base*: an automorphism that fixes them all fixes everything.
//! Then, from the deepest level up, for each vertex of the cell from which the base vertex of the level was chosen: is
//! there an automorphism that fixes the base vertices above and maps the base vertex there? Vertices in the same orbit
//! under what has been found need no second answer. What is found generates the group strongly: at each level, the
//! generators that fix the base vertices above generate all automorphisms that do.
//!
//! To answer such a question, two partitions are refined side by side, the *left* one with the base vertex
//! individualised, and the *right* one with its wanted image. If the traces of both refinements differ, the answer is
//! no. If all cells of several vertices are the same sets on both sides, then mapping the single vertices to each other,
//! and leaving all others alone, is the automorphism. Else some vertex is in different cells, and it is individualised
//! on the left, and everything in its place tried on the right. (The ideas are those of nauty, saucy and bliss.)

mod differences;
mod partition;
mod refine;

use crate::graph::ColouredGraph;
use crate::{Group, Orbits, Permutation, UBig};
use differences::Differences;
use partition::Partition;
use refine::{Outcome, Refiner, Trace};

/// What was found of the automorphisms of a graph.
#[derive(Clone, Debug, Default)]
pub struct Automorphisms {
    /// Automorphisms, each of them checked. If the search was complete they generate all others.
    pub generators: Vec<Permutation>,
    /// Vertices such that no automorphism but the identity fixes them all. If the search was complete, the generators
    /// that fix the first so many of them generate all automorphisms that do.
    pub base: Vec<u32>,
    /// To how many vertices each vertex of the base can be mapped by automorphisms that fix those before it, as far as
    /// was found.
    pub lengths: Vec<u32>,
    /// Whether the search came to its end within the budget. If not, there may be more automorphisms.
    pub complete: bool,
}

impl Automorphisms {
    /// The number of automorphisms, or at least so many if the search was not complete.
    pub fn order(&self) -> UBig {
        self.lengths.iter().fold(UBig::ONE, |order, &length| order * UBig::from(length))
    }

    /// The group of the automorphisms found, unless it takes more than so many operations. After a complete search it
    /// takes as many as the sum of the lengths.
    pub fn group(&self, budget: u64) -> Option<Group> {
        if !self.complete {
            return Group::new(&self.generators, budget);
        }
        let cost: u64 = self.lengths.iter().map(|&length| u64::from(length)).sum();
        (cost <= budget).then(|| Group::from_strong_generators(&self.base, &self.generators))
    }
}

/// The automorphisms of a graph, by at most so many operations (about so many edges are looked at).
pub fn automorphisms(graph: &ColouredGraph, budget: u64) -> Automorphisms {
    let mut search = Search::new(graph, budget);
    let complete = search.run().is_some();
    let Search { generators, base, lengths, .. } = search;
    Automorphisms { generators, base, lengths, complete }
}

/// The budget is used up where a function returns none of these.
type Within<T> = Option<T>;

struct Search<'g> {
    graph: &'g ColouredGraph,
    left: Partition,
    right: Partition,
    refiner: Refiner<'g>,
    differences: Differences,
    base: Vec<u32>,
    /// Of the orbit of each base vertex, 1 where nothing was looked for yet.
    lengths: Vec<u32>,
    generators: Vec<Permutation>,
    /// Of the vertices under the generators.
    orbits: Orbits,
}

/// A level of the first path.
struct Level {
    /// The cell from which the base vertex was chosen.
    cell: u32,
    /// The depth of the partition before.
    depth: usize,
}

/// The attempts at a level so far.
struct Attempts {
    /// What the base vertex cannot be mapped to, one vertex of each orbit.
    failed: Vec<u32>,
    /// What happened when the base vertex was individualised on the left, once it has been.
    trace: Option<Trace>,
}

/// A choice on the way to an automorphism: a vertex was individualised on the left, and some are tried on the right.
struct Choice {
    /// The cell that both are chosen from.
    cell: u32,
    left_depth: usize,
    right_depth: usize,
    /// What happened on the left.
    trace: Trace,
    /// What to try on the right, last one first.
    candidates: Vec<u32>,
    /// Whether all vertices of the cell are candidates or have been.
    has_all: bool,
    /// What was tried last on the right.
    chosen: Option<u32>,
    /// What was tried in vain.
    failed: Vec<u32>,
    /// Of the automorphisms known that fix all that was chosen before on the right; once something has failed.
    orbits: Option<Orbits>,
}

impl<'g> Search<'g> {
    fn new(graph: &'g ColouredGraph, budget: u64) -> Search<'g> {
        let left = Partition::by_colour(graph.colours());
        Search {
            graph,
            right: left.clone(),
            left,
            refiner: Refiner::new(graph, budget),
            differences: Differences::new(graph.vertices()),
            base: Vec::new(),
            lengths: Vec::new(),
            generators: Vec::new(),
            orbits: Orbits::new(graph.vertices()),
        }
    }

    fn run(&mut self) -> Within<()> {
        let levels = self.first_path()?;
        self.right.clone_from(&self.left);
        for (index, level) in levels.iter().enumerate().rev() {
            self.left.undo(level.depth);
            self.right.undo(level.depth);
            self.compare();
            self.level(level, self.base[index])?;
            self.lengths[index] = self.orbits.size(self.base[index]);
        }
        Some(())
    }

    fn first_path(&mut self) -> Within<Vec<Level>> {
        let mut levels = Vec::new();
        let cells: Vec<u32> = self.left.starts().collect();
        let mut trace = Trace::default();
        if self.refiner.refine(&mut self.left, cells, &mut trace) != Outcome::Stable {
            return None;
        }
        let mut from = 0;
        while let Some(cell) = self.left.first_open(from) {
            from = cell;
            let vertex = self.left.at(cell);
            levels.push(Level { cell, depth: self.left.depth() });
            self.base.push(vertex);
            let single = self.left.individualise(vertex);
            if self.refiner.refine(&mut self.left, [single], &mut Trace::default()) != Outcome::Stable {
                return None;
            }
        }
        self.lengths = vec![1; levels.len()];
        self.left.take_changed(&mut Vec::new());
        Some(levels)
    }

    /// Finds automorphisms that map a base vertex to all vertices of its cell to which it can be mapped, while the
    /// partitions stand as they were before it was chosen.
    ///
    /// What has been found so far fixes the base vertices above, and so maps the cell to itself: orbits of vertices of
    /// the cell lie in the cell, and their sizes tell when all of it has been looked at.
    fn level(&mut self, level: &Level, base: u32) -> Within<()> {
        let mut attempts = Attempts { failed: Vec::new(), trace: None };
        // Where all vertices of a cell are alike, one attempt is enough, and copying the cell would take far longer.
        let first = self.right.members(level.cell).iter().copied().find(|&image| image != base);
        if let Some(image) = first {
            self.map_to(level, base, image, &mut attempts)?;
        }
        if self.looked_at(base, &attempts) < self.right.length(level.cell) {
            let candidates: Vec<u32> = self.right.members(level.cell).to_vec();
            if !self.refiner.spend(candidates.len()) {
                return None;
            }
            for image in candidates {
                self.map_to(level, base, image, &mut attempts)?;
            }
        }
        self.left.undo(level.depth);
        self.compare();
        Some(())
    }

    /// How many vertices of its cell the base vertex is known to be mapped to, or to not be mapped to.
    fn looked_at(&mut self, base: u32, attempts: &Attempts) -> u32 {
        let failed: u32 = attempts.failed.iter().map(|&one| self.orbits.size(one)).sum();
        self.orbits.size(base) + failed
    }

    /// Looks for an automorphism that maps the base vertex of a level to a vertex, unless that is known.
    fn map_to(&mut self, level: &Level, base: u32, image: u32, attempts: &mut Attempts) -> Within<()> {
        let orbit = self.orbits.find(image);
        if self.orbits.same(base, image) || attempts.failed.iter().any(|&one| self.orbits.same(orbit, one)) {
            return Some(());
        }
        let recorded = match attempts.trace.take() {
            Some(trace) => trace,
            None => self.go_left(base)?,
        };
        let (found, recorded) = self.attempt(level, image, recorded)?;
        attempts.trace = Some(recorded);
        match found {
            Some(automorphism) => {
                self.orbits.add(&automorphism);
                self.generators.push(automorphism);
            }
            None => attempts.failed.push(image),
        }
        Some(())
    }

    /// Individualises a vertex on the left: what happened.
    fn go_left(&mut self, vertex: u32) -> Within<Trace> {
        let mut trace = Trace::default();
        let single = self.left.individualise(vertex);
        let outcome = self.refiner.refine(&mut self.left, [single], &mut trace);
        self.compare();
        (outcome == Outcome::Stable).then_some(trace)
    }

    /// Individualises a vertex on the right: whether the same happened as on the left.
    fn go_right(&mut self, vertex: u32, trace: &mut Trace) -> Within<bool> {
        trace.rewind();
        let single = self.right.individualise(vertex);
        let outcome = self.refiner.refine(&mut self.right, [single], trace);
        self.compare();
        (outcome != Outcome::Exhausted).then_some(outcome == Outcome::Stable)
    }

    /// Looks for an automorphism that maps the base vertex of a level, already individualised on the left, to a vertex.
    /// The left partition is the same afterwards, and the right one as before the level.
    fn attempt(&mut self, level: &Level, image: u32, trace: Trace) -> Within<(Option<Permutation>, Trace)> {
        let left_depth = self.left.depth();
        let mut choices = vec![Choice {
            cell: level.cell,
            left_depth,
            right_depth: level.depth,
            trace,
            candidates: vec![image],
            has_all: true,
            chosen: None,
            failed: Vec::new(),
            orbits: None,
        }];
        let mut found = None;
        while found.is_none() {
            let Some(mut choice) = choices.pop() else { break };
            self.right.undo(choice.right_depth);
            self.compare();
            match self.next_candidate(&mut choice, &choices)? {
                None => {
                    // The trace of the first choice is needed for the next attempt.
                    if choices.is_empty() {
                        choices.push(choice);
                        break;
                    }
                    self.left.undo(choice.left_depth);
                    self.compare();
                }
                Some(vertex) => {
                    let is_same = self.go_right(vertex, &mut choice.trace)?;
                    choices.push(choice);
                    if is_same {
                        found = self.conclude();
                        if found.is_none()
                            && let Some(next) = self.choose()?
                        {
                            choices.push(next);
                        }
                    }
                }
            }
        }
        self.left.undo(left_depth);
        self.right.undo(level.depth);
        self.compare();
        let trace = choices.into_iter().next().map(|choice| choice.trace).unwrap_or_default();
        Some((found, trace))
    }

    /// What to try next on the right.
    fn next_candidate(&mut self, choice: &mut Choice, before: &[Choice]) -> Within<Option<u32>> {
        choice.failed.extend(choice.chosen.take());
        if choice.candidates.is_empty() && !choice.has_all {
            choice.has_all = true;
            let members = self.right.members(choice.cell);
            choice.candidates.extend(members.iter().filter(|&vertex| !choice.failed.contains(vertex)));
        }
        while let Some(vertex) = choice.candidates.pop() {
            if !choice.failed.is_empty() {
                if choice.orbits.is_none() {
                    if !self.refiner.spend(self.graph.vertices()) {
                        return None;
                    }
                    let fixed: Vec<u32> = before.iter().filter_map(|earlier| earlier.chosen).collect();
                    let fixing = self.generators.iter().filter(|one| fixed.iter().all(|&vertex| one.fixes(vertex)));
                    choice.orbits = Some(Orbits::under(self.graph.vertices(), fixing));
                }
                if let Some(orbits) = &mut choice.orbits
                    && choice.failed.iter().any(|&one| orbits.same(one, vertex))
                {
                    continue;
                }
            }
            choice.chosen = Some(vertex);
            return Some(Some(vertex));
        }
        Some(None)
    }

    /// The automorphism, if all cells of several vertices are the same on both sides.
    fn conclude(&self) -> Option<Permutation> {
        if self.differences.some_open().is_some() {
            return None;
        }
        let image = |vertex: u32| self.right.at(self.left.cell(vertex));
        let moves = self.differences.all().iter().map(|&vertex| (vertex, image(vertex))).collect();
        Permutation::from_moves(moves).filter(|one| self.graph.is_automorphism(one))
    }

    /// Individualises a vertex on the left that is in another cell on the right; nothing if all vertices are alone or
    /// if the partitions do not fit after all.
    fn choose(&mut self) -> Within<Option<Choice>> {
        let open = match self.differences.some_open() {
            Some(vertex) => Some(vertex),
            None if self.left.is_discrete() => None,
            None => self.left.first_open(0).map(|cell| self.left.at(cell)),
        };
        let Some(vertex) = open else { return Some(None) };
        let cell = self.left.cell(vertex);
        if self.right.length(cell) != self.left.length(cell) {
            return Some(None);
        }
        // What has left its cell on the one side has probably come here from there on the other. Best is what is mapped
        // to the vertex, if that is known: the automorphism then exchanges both.
        let mut candidates: Vec<u32> =
            self.differences.all().iter().copied().filter(|&one| self.right.cell(one) == cell).collect();
        let place = self.right.cell(vertex);
        if self.right.length(place) == 1
            && let Some(best) = candidates.iter().position(|&one| one == self.left.at(place))
        {
            candidates[best..].rotate_left(1);
        }
        let (left_depth, right_depth) = (self.left.depth(), self.right.depth());
        let trace = self.go_left(vertex)?;
        Some(Some(Choice {
            cell,
            left_depth,
            right_depth,
            trace,
            candidates,
            has_all: false,
            chosen: None,
            failed: Vec::new(),
            orbits: None,
        }))
    }

    /// Brings the differences between the two partitions up to date.
    fn compare(&mut self) {
        self.differences.update(&mut self.left, &mut self.right);
    }
}
