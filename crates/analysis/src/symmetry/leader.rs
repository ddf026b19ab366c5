//! The leader of an orbit, one state at a time, and exactly.
//!
//! Where a group is a product of full symmetries, a state is a structure over *points*, of which its variables say
//! something (see `coordinates`). Two states are in one orbit if their structures are the same up to the names of the
//! points. The names are found by refinement: points are told apart by what is said of them and of those they are said
//! together with, and where that is not enough, each of some points that look alike is tried as the first of them. Parts of
//! the structure that have nothing to do with each other are named one by one, and points that can be exchanged without any
//! effect are not tried in turn: without these two the states that are most symmetric would take longest. Other groups, as
//! that of a ring, are written out: the least of all images of a state is its leader.

use std::borrow::Cow;
use std::cmp::Ordering;

use mandala_group::{Orbits, Permutation, UBig};
use rustc_hash::FxHashMap;

use super::coordinates::{Coordinates, Lies};
use super::points::Points;
use super::shape::{Part, Shape};

/// The most names of points that are tried for a state.
const MOST_LEAVES: usize = 20_000;

/// The most symmetries that are written out.
const MOST_ELEMENTS: usize = 5_000;

/// Finds leaders under a group.
pub struct Leaders {
    full: Coordinates,
    /// The symmetries that are no products of full ones, written out; the identity is the first.
    others: Vec<Permutation>,
    /// If there are no full symmetries, for each of the others the variable from which each gets its value.
    sources: Vec<Vec<u32>>,
    order: UBig,
    pub(super) points: Points,
}

/// The leader of the orbit of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// The state that stands for the orbit.
    pub state: Vec<i32>,
    /// How many states the orbit has.
    pub orbit: UBig,
}

/// The leader of a state of points, and how the state becomes its leader.
struct Best {
    leader: Leader,
    /// Which of the symmetries that are no products of full ones comes first.
    other: usize,
    /// The names that points get then.
    names: Vec<u32>,
}

impl Leaders {
    /// For the group that the parts of a shape generate. Nothing if it is neither a product of full symmetries and a few
    /// others nor small.
    pub fn new(shape: &Shape, points: &Points) -> Option<Leaders> {
        let leaders = Leaders::of_product(shape, points.count()).or_else(|| {
            let all = Part::Other { generators: shape.generators() }.elements(MOST_ELEMENTS)?;
            Leaders::with(Coordinates::new(&Shape::default(), points.count())?, all)
        })?;
        Some(Leaders { points: points.clone(), ..leaders })
    }

    fn of_product(shape: &Shape, variables: usize) -> Option<Leaders> {
        let is_full = |part: &&Part| matches!(part, Part::Full { .. } | Part::Indices { .. });
        let of = |parts: Vec<&Part>| parts.into_iter().flat_map(Part::generators).collect::<Vec<_>>();
        let swaps = of(shape.parts.iter().filter(is_full).collect());
        let rest = of(shape.parts.iter().filter(|part| !is_full(part)).collect());
        if !rest.iter().all(|one| swaps.iter().all(|swap| one.then(swap) == swap.then(one))) {
            return None;
        }
        let others = Part::Other { generators: rest }.elements(MOST_ELEMENTS)?;
        Leaders::with(Coordinates::new(shape, variables)?, others)
    }

    fn with(full: Coordinates, others: Vec<Permutation>) -> Option<Leaders> {
        let sizes = full.first_points.iter().map(|&point| full.sizes[full.kind_of[point as usize] as usize]);
        let of_full: UBig = sizes.map(|size| factorial(size as usize)).product();
        let mut sources = Vec::new();
        if full.part_of.is_empty() {
            let source = |other: &Permutation| {
                let mut source: Vec<u32> = (0..full.variables.len() as u32).collect();
                other.moves().iter().for_each(|&(from, to)| source[to as usize] = from);
                source
            };
            sources = others.iter().map(source).collect();
        }
        let points = Points::of_variables(full.variables.len());
        Some(Leaders { order: of_full * UBig::from(others.len()), full, others, sources, points })
    }

    /// How many symmetries are tried on each state.
    pub fn tries(&self) -> usize {
        self.others.len()
    }

    /// The leader of the orbit of a state of points. Nothing if that would take too long.
    pub(super) fn leader_of_points(&self, state: &[i32]) -> Option<Leader> {
        if let Some(first) = self.sources.first() {
            return Some(self.least(state, first).0);
        }
        Some(self.best_of_points(state)?.leader)
    }

    /// A symmetry that maps a state of points to the leader of its orbit.
    pub(super) fn symmetry_to_leader(&self, state: &[i32]) -> Option<Permutation> {
        if let Some(first) = self.sources.first() {
            let source = self.least(state, first).1;
            return Permutation::from_moves(source.iter().copied().zip(0..).filter(|(from, to)| from != to).collect());
        }
        let best = self.best_of_points(state)?;
        let mut moves = Vec::new();
        for (variable, lies) in (0..).zip(&self.full.variables) {
            if !lies.points.is_empty() {
                moves.push((variable, self.image(lies, &best.names)?));
            }
        }
        Some(self.others[best.other].then(&Permutation::from_moves(moves)?))
    }

    fn best_of_points(&self, state: &[i32]) -> Option<Best> {
        let mut best: Option<Best> = None;
        let (mut stabiliser, mut leaves) = (UBig::ZERO, 0);
        for (other, symmetry) in self.others.iter().enumerate() {
            let state = if other == 0 { Cow::Borrowed(state) } else { Cow::Owned(moved(state, symmetry)) };
            let (names, automorphisms) = self.named(&state, &mut leaves)?;
            let mut leader = vec![0; state.len()];
            for (lies, &value) in self.full.variables.iter().zip(state.iter()) {
                if value != 0 {
                    leader[self.image(lies, &names)? as usize] = value;
                }
            }
            match best.as_ref().map_or(Ordering::Less, |best| leader.cmp(&best.leader.state)) {
                Ordering::Greater => {}
                Ordering::Equal => stabiliser += automorphisms,
                Ordering::Less => {
                    stabiliser = automorphisms;
                    best = Some(Best { leader: Leader { state: leader, orbit: UBig::ONE }, other, names });
                }
            }
        }
        let mut best = best?;
        best.leader.orbit = &self.order / stabiliser;
        Some(best)
    }

    /// The least image of a state, given that of the identity; and from which variable each gets its value there.
    fn least<'s>(&'s self, state: &[i32], identity: &'s [u32]) -> (Leader, &'s [u32]) {
        let (mut best, mut stabiliser) = (identity, 1u64);
        for source in self.sources.iter().skip(1) {
            let values = |source: &'s [u32]| source.iter().map(|&from| state[from as usize]);
            match values(source).cmp(values(best)) {
                Ordering::Greater => {}
                Ordering::Equal => stabiliser += 1,
                Ordering::Less => (best, stabiliser) = (source, 1),
            }
        }
        let state = best.iter().map(|&from| state[from as usize]).collect();
        (Leader { state, orbit: &self.order / UBig::from(stabiliser) }, best)
    }

    /// Where a variable goes if points get names, which are numbers in their part.
    fn image(&self, lies: &Lies, names: &[u32]) -> Option<u32> {
        self.full.place(lies.at(|point| names[point as usize]))
    }

    /// Names for the points of a state, and how many symmetries leave the state as it is.
    fn named(&self, state: &[i32], leaves: &mut usize) -> Option<(Vec<u32>, UBig)> {
        let points = self.full.part_of.len();
        let mut said: Vec<Vec<u32>> = vec![Vec::new(); points];
        let mut component = Orbits::new(points);
        for (variable, _) in state.iter().enumerate().filter(|(_, value)| **value != 0) {
            let own = &self.full.variables[variable].points;
            own.iter().for_each(|&(point, _)| said[point as usize].push(variable as u32));
            own.windows(2).for_each(|two| component.unite(two[0].0, two[1].0));
        }
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); points];
        (0..points as u32).for_each(|point| members[component.find(point) as usize].push(point));
        let mut named = Vec::with_capacity(points);
        let mut colours = vec![0; points];
        // Points of which nothing is said come first in their part, in any order.
        let (mut next, mut names) = (vec![0; self.full.first_points.len()], vec![0; points]);
        for members in members.iter().filter(|members| !members.is_empty()) {
            if let &[point] = members.as_slice()
                && said[point as usize].is_empty()
            {
                let next = &mut next[self.full.part_of[point as usize] as usize];
                names[point as usize] = *next;
                *next += 1;
                continue;
            }
            let component = Component { points: members, said: &said, full: &self.full, state };
            named.push(component.named(&mut colours, leaves)?);
        }
        let mut automorphisms = UBig::ONE;
        next.iter().filter(|&&count| count > 1).for_each(|&count| automorphisms *= factorial(count as usize));
        named.sort_unstable_by(|a, b| a.form.cmp(&b.form).then_with(|| a.order.cmp(&b.order)));
        for alike in named.chunk_by(|a, b| a.form == b.form) {
            if alike.len() > 1 {
                automorphisms *= factorial(alike.len());
            }
            alike
                .iter()
                .filter(|one| one.automorphisms != UBig::ONE)
                .for_each(|one| automorphisms *= &one.automorphisms);
        }
        for &point in named.iter().flat_map(|component| &component.order) {
            let next = &mut next[self.full.part_of[point as usize] as usize];
            names[point as usize] = *next;
            *next += 1;
        }
        Some((names, automorphisms))
    }
}

/// Points that are connected by what is said of them.
struct Component<'a> {
    points: &'a [u32],
    said: &'a [Vec<u32>],
    full: &'a Coordinates,
    state: &'a [i32],
}

/// A component whose points have an order.
struct Named {
    /// How many points of each kind there are, what they look like in their order, and what is said of them by their place in the order.
    form: (Vec<u32>, Vec<u64>, Vec<(u32, i32)>),
    order: Vec<u32>,
    automorphisms: UBig,
}

impl Component<'_> {
    /// `colours` is space for the colours of all points.
    fn named(&self, colours: &mut [u64], leaves: &mut usize) -> Option<Named> {
        let kind_of = |point: u32| self.full.kind_of[point as usize];
        let mut best: Option<Named> = None;
        let first: Vec<u64> = self.points.iter().map(|&point| mix(u64::from(kind_of(point)) + 1)).collect();
        let mut order: Vec<u32> = self.points.to_vec();
        let mut open = vec![(first, UBig::ONE)];
        while let Some((start, times)) = open.pop() {
            for (&point, colour) in self.points.iter().zip(start) {
                colours[point as usize] = colour;
            }
            self.refine(colours);
            let colour_of = |point: u32| (kind_of(point), colours[point as usize]);
            order.sort_unstable_by_key(|&point| (colour_of(point), point));
            let alike = order.chunk_by(|&a, &b| colour_of(a) == colour_of(b)).find(|alike| alike.len() > 1);
            let Some(alike) = alike else {
                *leaves += 1;
                if *leaves > MOST_LEAVES {
                    return None;
                }
                let form = self.form(&order, colours);
                match best.as_ref().map_or(Ordering::Less, |best| form.cmp(&best.form)) {
                    Ordering::Greater => {}
                    Ordering::Equal => best.iter_mut().for_each(|best| best.automorphisms += &times),
                    Ordering::Less => best = Some(Named { form, order: order.clone(), automorphisms: times }),
                }
                continue;
            };
            let is_exchangeable = alike.iter().all(|&point| self.are_twins(alike[0], point));
            let (tried, times) =
                if is_exchangeable { (&alike[..1], times * UBig::from(alike.len())) } else { (alike, times) };
            for &first in tried {
                let next = self.points.iter().map(|&point| {
                    let colour = colours[point as usize];
                    if point == first { mix(colour ^ FIRST) } else { colour }
                });
                open.push((next.collect(), times.clone()));
            }
        }
        best
    }

    /// Tells points apart by what is said of them.
    fn refine(&self, colours: &mut [u64]) {
        let mut classes = 0;
        let mut next = vec![0; self.points.len()];
        loop {
            for (next, &point) in next.iter_mut().zip(self.points) {
                let mut sum = 0u64;
                for &variable in &self.said[point as usize] {
                    let lies = &self.full.variables[variable as usize];
                    let mut hash = mix(u64::from(lies.role) << 32 | u64::from(self.state[variable as usize] as u32));
                    for &(other, _) in &lies.points {
                        hash = mix(hash ^ if other == point { 1 } else { colours[other as usize] });
                    }
                    sum = sum.wrapping_add(hash);
                }
                *next = mix(colours[point as usize].wrapping_mul(3) ^ sum);
            }
            for (&next, &point) in next.iter().zip(self.points) {
                colours[point as usize] = next;
            }
            if self.points.len() == 1 {
                return;
            }
            next.sort_unstable();
            let found = next.chunk_by(|a, b| a == b).count();
            if found == classes || found == self.points.len() {
                return;
            }
            classes = found;
        }
    }

    /// Whether two points of a part can be exchanged and nothing changes.
    fn are_twins(&self, a: u32, b: u32) -> bool {
        if self.full.part_of[a as usize] != self.full.part_of[b as usize] {
            return false;
        }
        let value = |variable: u32| self.state[variable as usize];
        let mut concerned = self.full.of_point[a as usize].iter().chain(&self.full.of_point[b as usize]);
        concerned.all(|&one| self.full.exchanged(one, a, b).is_some_and(|image| value(image) == value(one)))
    }

    /// Orders that look alike and say the same are equal up to a symmetry. (Two that say the same may be one and the same
    /// order, found twice: then they look different.)
    fn form(&self, order: &[u32], colours: &[u64]) -> (Vec<u32>, Vec<u64>, Vec<(u32, i32)>) {
        let mut counts = vec![0; self.full.sizes.len()];
        let mut number = FxHashMap::default();
        let mut next: FxHashMap<u32, u32> = FxHashMap::default();
        for &point in order {
            counts[self.full.kind_of[point as usize] as usize] += 1;
            let next = next.entry(self.full.part_of[point as usize]).or_default();
            number.insert(point, *next);
            *next += 1;
        }
        let mut lines = Vec::new();
        for &point in order {
            for &variable in &self.said[point as usize] {
                let lies = &self.full.variables[variable as usize];
                if lies.points[0].0 == point {
                    lines.push((lies.at(|other| number[&other]), self.state[variable as usize]));
                }
            }
        }
        lines.sort_unstable();
        (counts, order.iter().map(|&point| colours[point as usize]).collect(), lines)
    }
}

/// Marks the first of points that look alike.
const FIRST: u64 = 0x5bd1_e995_9d1c_72a3;

/// The state that has the value of each variable in its image.
pub fn moved(state: &[i32], by: &Permutation) -> Vec<i32> {
    let mut moved = state.to_vec();
    for &(variable, image) in by.moves() {
        moved[image as usize] = state[variable as usize];
    }
    moved
}

fn factorial(of: usize) -> UBig {
    (1..=of).map(UBig::from).product()
}

/// A number that looks like another one only by chance.
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
