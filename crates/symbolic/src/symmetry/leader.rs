//! The leader of an orbit, one state at a time, and exactly.
//!
//! Where a group is a product of full symmetries, a state is a structure over *points*: one a block, and each variable
//! says something of the blocks it lies in (a request of client 2 at server 5 lies in a block of each). Two states are
//! in one orbit if their structures are the same up to the names of the points. The names are found by refinement: points
//! are told apart by what is said of them and of those they are said together with, and where that is not enough, each of
//! some points that look alike is tried as the first of them. Parts of the structure that have nothing to do with each
//! other are named one by one, and points that can be exchanged without any effect are not tried in turn: without these
//! two the states that are most symmetric would take longest.

use std::borrow::Cow;
use std::cmp::Ordering;

use mandala_group::{Orbits, Permutation, UBig};
use rustc_hash::{FxHashMap, FxHashSet};

use super::shape::{Part, Shape};

/// The most names of points that are tried for a state.
const MOST_LEAVES: usize = 20_000;

/// The most symmetries that are written out.
const MOST_ELEMENTS: usize = 20_000;

/// Finds leaders under a group.
pub struct Leaders {
    variables: Vec<Lies>,
    /// The variables of each role, by the blocks that they lie in: see [`Lies::at`].
    places: Vec<u32>,
    /// The blocks of each part, each with its variables, role by role.
    parts: Vec<Vec<Vec<u32>>>,
    /// The part of each point.
    part_of: Vec<u32>,
    /// The number of the first point of each part.
    first_points: Vec<u32>,
    /// The symmetries that are no products of full ones, written out; the identity is the first.
    others: Vec<Permutation>,
    order: UBig,
}

/// Where a variable lies.
#[derive(Clone, Debug, Default)]
struct Lies {
    /// What it says of its blocks, as the least variable that says this of some blocks.
    role: u32,
    /// Its blocks, as points, one a part at most, each with how far the places of neighbours are apart.
    points: Vec<(u32, u32)>,
    /// The place of the variables of this role.
    first: u32,
}

impl Lies {
    /// The place of the variable that says the same of other blocks, given by their number in their part.
    fn at(&self, number: impl Fn(u32) -> u32) -> u32 {
        self.first + self.points.iter().map(|&(point, stride)| number(point) * stride).sum::<u32>()
    }
}

/// The leader of the orbit of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// The state that stands for the orbit.
    pub state: Vec<i32>,
    /// A symmetry that takes the given state there.
    pub by: Permutation,
    /// How many states the orbit has.
    pub orbit: UBig,
}

impl Leaders {
    /// For the group that the parts of a shape generate. Nothing if the parts get in each other's way, or are too large
    /// to be written out.
    pub fn new(shape: &Shape, variables: usize) -> Option<Leaders> {
        let mut leaders = Leaders {
            variables: vec![Lies::default(); variables],
            places: Vec::new(),
            parts: Vec::new(),
            part_of: Vec::new(),
            first_points: Vec::new(),
            others: vec![Permutation::identity()],
            order: UBig::ONE,
        };
        for part in &shape.parts {
            match part {
                Part::Full { blocks } => leaders.parts.push(blocks.clone()),
                part => {
                    let elements = part.elements(MOST_ELEMENTS / leaders.others.len())?;
                    let products = leaders.others.iter().flat_map(|other| elements.iter().map(|one| one.then(other)));
                    let products: Vec<_> = products.collect();
                    let distinct: FxHashSet<&Permutation> = products.iter().collect();
                    if distinct.len() < products.len() {
                        return None;
                    }
                    leaders.others = products;
                }
            }
        }
        leaders.name_points();
        leaders.name_roles()?;
        leaders.order = UBig::from(leaders.others.len());
        for part in &leaders.parts {
            leaders.order *= factorial(part.len());
        }
        leaders.is_product(&shape.parts).then_some(leaders)
    }

    fn name_points(&mut self) {
        for (number, part) in self.parts.iter().enumerate() {
            self.first_points.push(self.part_of.len() as u32);
            for block in part {
                for &variable in block {
                    self.variables[variable as usize].points.push((self.part_of.len() as u32, 0));
                }
                self.part_of.push(number as u32);
            }
        }
    }

    /// Finds the role of each variable, and its place. Nothing if two variables would have the same.
    fn name_roles(&mut self) -> Option<()> {
        let roles = roles(&self.parts, self.variables.len());
        let mut firsts: FxHashMap<u32, u32> = FxHashMap::default();
        for (variable, &role) in roles.iter().enumerate() {
            let lies = &mut self.variables[variable];
            let mut stride = 1u32;
            for (point, own) in &mut lies.points {
                *own = stride;
                stride = stride.checked_mul(self.parts[self.part_of[*point as usize] as usize].len() as u32)?;
            }
            lies.role = role;
            lies.first = *firsts.entry(role).or_insert(self.places.len() as u32);
            if lies.first as usize == self.places.len() {
                let end = self.places.len().checked_add(stride as usize).filter(|&end| end <= roles.len())?;
                self.places.resize(end, NOWHERE);
            }
        }
        for variable in 0..self.variables.len() {
            let at = self.variables[variable].at(|point| self.number(point));
            if std::mem::replace(self.places.get_mut(at as usize)?, variable as u32) != NOWHERE {
                return None;
            }
        }
        Some(())
    }

    /// Whether the group is the product of its parts: each leaves alone how the others see a variable.
    fn is_product(&self, parts: &[Part]) -> bool {
        let blocks_fit = self.parts.iter().all(|part| {
            part.windows(2).all(|two| {
                two[0].iter().zip(&two[1]).all(|(&a, &b)| {
                    let (a, b) = (&self.variables[a as usize], &self.variables[b as usize]);
                    let differ = a.points.iter().zip(&b.points).filter(|(a, b)| a != b).count();
                    a.role == b.role && a.points.len() == b.points.len() && differ == 1
                })
            })
        });
        let is_full = |part: &&Part| matches!(part, Part::Full { .. });
        let full: Vec<Permutation> = parts.iter().filter(is_full).flat_map(Part::generators).collect();
        let mut others = parts.iter().filter(|part| !is_full(part)).flat_map(Part::generators);
        blocks_fit && others.all(|other| full.iter().all(|swap| other.then(swap) == swap.then(&other)))
    }

    /// The leader of the orbit of a state. Nothing if that would take too long.
    pub fn leader(&self, state: &[i32]) -> Option<Leader> {
        let mut best: Option<(Vec<i32>, usize, Vec<u32>)> = None;
        let mut stabiliser = UBig::ZERO;
        for (at, other) in self.others.iter().enumerate() {
            let state = if at == 0 { Cow::Borrowed(state) } else { Cow::Owned(moved(state, other)) };
            let (names, automorphisms) = self.named(&state)?;
            let mut leader = vec![0; state.len()];
            for (lies, &value) in self.variables.iter().zip(state.iter()) {
                if value != 0 {
                    leader[self.image(lies, &names) as usize] = value;
                }
            }
            match best.as_ref().map_or(Ordering::Less, |best| leader.cmp(&best.0)) {
                Ordering::Greater => {}
                Ordering::Equal => stabiliser += automorphisms,
                Ordering::Less => {
                    stabiliser = automorphisms;
                    best = Some((leader, at, names));
                }
            }
        }
        let (state, other, names) = best?;
        let images: Vec<u32> = self.variables.iter().map(|lies| self.image(lies, &names)).collect();
        let by = self.others[other].then(&Permutation::from_images(&images)?);
        Some(Leader { state, by, orbit: &self.order / stabiliser })
    }

    /// Where a variable goes if points get names, which are numbers in their part.
    fn image(&self, lies: &Lies, names: &[u32]) -> u32 {
        self.places[lies.at(|point| names[point as usize]) as usize]
    }

    /// Names for the points of a state, and how many symmetries leave the state as it is.
    fn named(&self, state: &[i32]) -> Option<(Vec<u32>, UBig)> {
        let points = self.part_of.len();
        let mut said: Vec<Vec<u32>> = vec![Vec::new(); points];
        let mut component = Orbits::new(points);
        for (variable, _) in state.iter().enumerate().filter(|(_, value)| **value != 0) {
            let own = &self.variables[variable].points;
            own.iter().for_each(|&(point, _)| said[point as usize].push(variable as u32));
            own.windows(2).for_each(|two| component.unite(two[0].0, two[1].0));
        }
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); points];
        (0..points as u32).for_each(|point| members[component.find(point) as usize].push(point));
        let mut named = Vec::with_capacity(points);
        let (mut leaves, mut colours) = (0, vec![0; points]);
        for members in members.iter().filter(|members| !members.is_empty()) {
            let component = Component { points: members, said: &said, leaders: self, state };
            named.push(component.named(&mut colours, &mut leaves)?);
        }
        named.sort_unstable_by(|a, b| a.form.cmp(&b.form).then_with(|| a.order.cmp(&b.order)));
        let mut automorphisms = UBig::ONE;
        for alike in named.chunk_by(|a, b| a.form == b.form) {
            if alike.len() > 1 {
                automorphisms *= factorial(alike.len());
            }
            alike.iter().filter(|one| one.automorphisms != UBig::ONE).for_each(|one| automorphisms *= &one.automorphisms);
        }
        let mut next = vec![0; self.parts.len()];
        let mut names = vec![0; points];
        for &point in named.iter().flat_map(|component| &component.order) {
            let next = &mut next[self.part_of[point as usize] as usize];
            names[point as usize] = *next;
            *next += 1;
        }
        Some((names, automorphisms))
    }

    /// The number of a point in its part.
    fn number(&self, point: u32) -> u32 {
        point - self.first_points[self.part_of[point as usize] as usize]
    }

    fn block(&self, point: u32) -> &[u32] {
        &self.parts[self.part_of[point as usize] as usize][self.number(point) as usize]
    }
}

/// No variable.
const NOWHERE: u32 = u32::MAX;

/// Points that are connected by what is said of them.
struct Component<'a> {
    points: &'a [u32],
    said: &'a [Vec<u32>],
    leaders: &'a Leaders,
    state: &'a [i32],
}

/// A component whose points have an order.
struct Named {
    /// How many points of each part there are, and what is said of them by their place in the order.
    form: (Vec<u32>, Vec<(u32, i32)>),
    order: Vec<u32>,
    automorphisms: UBig,
}

impl Component<'_> {
    /// `colours` is space for the colours of all points.
    fn named(&self, colours: &mut [u64], leaves: &mut usize) -> Option<Named> {
        let part_of = |point: u32| self.leaders.part_of[point as usize];
        let mut best: Option<Named> = None;
        let first: Vec<u64> = self.points.iter().map(|&point| mix(u64::from(part_of(point)) + 1)).collect();
        let mut order: Vec<u32> = self.points.to_vec();
        let mut open = vec![(first, UBig::ONE)];
        while let Some((start, times)) = open.pop() {
            for (&point, colour) in self.points.iter().zip(start) {
                colours[point as usize] = colour;
            }
            self.refine(colours);
            let colour_of = |point: u32| (part_of(point), colours[point as usize]);
            order.sort_unstable_by_key(|&point| (colour_of(point), point));
            let alike = order.chunk_by(|&a, &b| colour_of(a) == colour_of(b)).find(|alike| alike.len() > 1);
            let Some(alike) = alike else {
                *leaves += 1;
                if *leaves > MOST_LEAVES {
                    return None;
                }
                let form = self.form(&order);
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
                    let lies = &self.leaders.variables[variable as usize];
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
        let (a, b) = (self.leaders.block(a), self.leaders.block(b));
        a.iter().zip(b).all(|(&a, &b)| self.state[a as usize] == self.state[b as usize])
    }

    fn form(&self, order: &[u32]) -> (Vec<u32>, Vec<(u32, i32)>) {
        let mut counts = vec![0; self.leaders.parts.len()];
        let mut number = FxHashMap::default();
        for &point in order {
            let count = &mut counts[self.leaders.part_of[point as usize] as usize];
            number.insert(point, *count);
            *count += 1;
        }
        let mut lines = Vec::new();
        for &point in order {
            for &variable in &self.said[point as usize] {
                let lies = &self.leaders.variables[variable as usize];
                if lies.points[0].0 == point {
                    lines.push((lies.at(|other| number[&other]), self.state[variable as usize]));
                }
            }
        }
        lines.sort_unstable();
        (counts, lines)
    }
}

/// Marks the first of points that look alike.
const FIRST: u64 = 0x5bd1_e995_9d1c_72a3;

/// For each variable, the least of those that permutations of blocks map to each other.
pub(super) fn roles(parts: &[impl AsRef<[Vec<u32>]>], variables: usize) -> Vec<u32> {
    let mut alike = Orbits::new(variables);
    for part in parts {
        for two in part.as_ref().windows(2) {
            two[0].iter().zip(&two[1]).for_each(|(&a, &b)| alike.unite(a, b));
        }
    }
    (0..variables as u32).map(|variable| alike.find(variable)).collect()
}

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
