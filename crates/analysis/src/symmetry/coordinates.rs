//! Where variables lie in a product of full symmetries.
//!
//! Each part of such a group permutes its *points* at will: a point stands for a block, or for an index. A variable says
//! something (its *role*) of some points: a request of client 2 at server 5 lies at a point of each part, and a message
//! from site 1 to site 3 at two points of one. A symmetry gives points other names, and takes a variable to the one that
//! says the same of the points with the new names.
//!
//! Blocks may be made of blocks: clusters that are interchangeable, each with machines that are. Then the machines of each
//! cluster are a part, and all of these parts are of one *kind*: the exchange of two clusters takes the points of one to
//! those of the other, in their order. What machine 2 of cluster 3 says lies at the third point of the clusters and at the
//! second of the third part of machines.

use mandala_group::{Orbits, Permutation};
use rustc_hash::FxHashMap;

use super::shape::{Part, Shape};

/// Where the variables of a model lie.
pub struct Coordinates {
    /// By variable.
    pub variables: Vec<Lies>,
    /// By kind of parts, how many points a part has. Parts with many points come first.
    pub sizes: Vec<u32>,
    /// By kind, how many parts there are.
    parts: Vec<u32>,
    /// By part, its first point.
    pub first_points: Vec<u32>,
    /// By point, the kind of its part.
    pub kind_of: Vec<u32>,
    /// By point, its part.
    pub part_of: Vec<u32>,
    /// By point, the variables that say something of it.
    pub of_point: Vec<Vec<u32>>,
    /// The variables of each role, by the points that they lie at: see [`Lies::at`].
    places: Vec<u32>,
}

/// Where a variable lies.
#[derive(Clone, Debug, Default)]
pub struct Lies {
    /// What it says, as the least variable that says this of some points.
    pub role: u32,
    /// The points that it lies at, and how far apart the places of those are that lie at neighbours.
    pub points: Vec<(u32, u32)>,
    /// The first place of the variables of this role.
    first: u32,
}

impl Lies {
    /// The place of the variable that says the same of other points, given by their number in their part.
    pub fn at(&self, number: impl Fn(u32) -> u32) -> u32 {
        self.first + self.points.iter().map(|&(point, stride)| number(point) * stride).sum::<u32>()
    }
}

/// No variable.
const NOWHERE: u32 = u32::MAX;

/// The most indices of a part in which variables have several.
const MOST_INDICES: usize = 128;

impl Coordinates {
    /// The coordinates of the variables under the parts of a shape that are full symmetries. Nothing if these parts get
    /// in each other's way, or if a variable says the same of a set of points in whichever order.
    pub fn new(shape: &Shape, variables: usize) -> Option<Coordinates> {
        let mut parts: Vec<(&Part, Vec<Permutation>)> = Vec::new();
        for part in &shape.parts {
            if matches!(part, Part::Full { .. } | Part::Indices { .. }) {
                parts.push((part, part.generators()));
            }
        }
        parts.sort_by_key(|(_, swaps)| std::cmp::Reverse(swaps.len()));
        let swaps: Vec<&[Permutation]> = parts.iter().map(|(_, swaps)| swaps.as_slice()).collect();
        let kinds = kinds(&swaps);
        let mut coordinates = Coordinates {
            variables: vec![Lies::default(); variables],
            sizes: Vec::new(),
            parts: Vec::new(),
            first_points: Vec::new(),
            kind_of: Vec::new(),
            part_of: Vec::new(),
            of_point: Vec::new(),
            places: Vec::new(),
        };
        let mut roles = Orbits::new(variables);
        for (number, ((part, swaps), &kind)) in (0..).zip(parts.iter().zip(&kinds)) {
            let first = coordinates.part_of.len() as u32;
            coordinates.first_points.push(first);
            if kind as usize == coordinates.sizes.len() {
                coordinates.sizes.push(swaps.len() as u32 + 1);
                coordinates.parts.push(0);
            }
            coordinates.parts[kind as usize] += 1;
            coordinates.part_of.extend(std::iter::repeat_n(number, swaps.len() + 1));
            coordinates.kind_of.extend(std::iter::repeat_n(kind, swaps.len() + 1));
            swaps.iter().for_each(|swap| roles.add(swap));
            match part {
                Part::Full { blocks } => {
                    for (point, block) in blocks.iter().enumerate() {
                        let point = first + point as u32;
                        block.iter().for_each(|&one| coordinates.variables[one as usize].points.push((point, 0)));
                    }
                }
                _ => {
                    for (variable, points) in by_indices(swaps, variables)? {
                        let points = points.into_iter().map(|point| (first + point, 0));
                        coordinates.variables[variable as usize].points.extend(points);
                    }
                }
            }
        }
        // Parts of one kind may come before or after others: variables of a role list points alike, kind by kind.
        let kind_of = &coordinates.kind_of;
        coordinates
            .variables
            .iter_mut()
            .for_each(|lies| lies.points.sort_by_key(|&(point, _)| kind_of[point as usize]));
        coordinates.find_places(&mut roles)?;
        let fits = parts.iter().zip(&coordinates.first_points).all(|((_, swaps), &first)| {
            swaps.iter().enumerate().all(|(at, swap)| coordinates.agrees(first + at as u32, swap))
        });
        fits.then_some(coordinates)
    }

    fn find_places(&mut self, roles: &mut Orbits) -> Option<()> {
        let most = self.variables.len() * 16 + 1024;
        self.of_point = vec![Vec::new(); self.part_of.len()];
        let mut firsts: FxHashMap<u32, u32> = FxHashMap::default();
        let mut parts: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for variable in 0..self.variables.len() {
            let lies = &mut self.variables[variable];
            let own = lies.points.iter().map(|(point, _)| self.kind_of[*point as usize]).collect::<Vec<u32>>();
            if *parts.entry(roles.find(variable as u32)).or_insert_with(|| own.clone()) != own {
                return None;
            }
            let mut stride = 1u32;
            for (point, own) in &mut lies.points {
                *own = stride;
                stride = stride.checked_mul(self.sizes[self.kind_of[*point as usize] as usize])?;
                self.of_point[*point as usize].push(variable as u32);
            }
            lies.role = roles.find(variable as u32);
            lies.first = *firsts.entry(lies.role).or_insert(self.places.len() as u32);
            if lies.first as usize == self.places.len() {
                let end = self.places.len().checked_add(stride as usize).filter(|&end| end <= most)?;
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

    /// Whether a symmetry does to variables what the exchange of a point with the next one does to their coordinates.
    fn agrees(&self, point: u32, swap: &Permutation) -> bool {
        (0..self.variables.len() as u32).all(|one| self.exchanged(one, point, point + 1) == Some(swap.image(one)))
    }

    /// The variable to which another goes when two points are exchanged.
    pub fn exchanged(&self, variable: u32, a: u32, b: u32) -> Option<u32> {
        let exchanged = |point| {
            self.number(if point == a {
                b
            } else if point == b {
                a
            } else {
                point
            })
        };
        self.place(self.variables[variable as usize].at(exchanged))
    }

    /// The variable at a place.
    pub fn place(&self, at: u32) -> Option<u32> {
        self.places.get(at as usize).copied().filter(|&variable| variable != NOWHERE)
    }

    /// Whether what parts have in common are blocks within blocks, so that each can be sorted, the inner ones first.
    pub fn is_nested(&self) -> bool {
        // By part, the points that its variables lie at besides its own.
        let mut outside: Vec<Option<Vec<u32>>> = vec![None; self.first_points.len()];
        self.variables.iter().all(|lies| {
            let points = self.points(lies);
            points.windows(2).all(|two| self.depth(two[0]) < self.depth(two[1]))
                && (1..points.len()).all(|depth| {
                    let part = self.part_of[points[depth] as usize] as usize;
                    *outside[part].get_or_insert_with(|| points[..depth].to_vec()) == points[..depth]
                })
        })
    }

    /// How many parts there are of the kind of one that has some blocks: the more, the further inside.
    pub fn depth_of(&self, blocks: &[Vec<u32>]) -> u32 {
        let Some(&first) = blocks.first().and_then(|block| block.first()) else { return 0 };
        let lies_at =
            |variable: u32, at: u32| self.variables[variable as usize].points.iter().any(|&(own, _)| own == at);
        let is_own = |point: u32| (point..).zip(blocks).all(|(at, block)| block.iter().all(|&one| lies_at(one, at)));
        let own = self.variables[first as usize].points.iter().find(|&&(point, _)| is_own(point));
        own.map_or(0, |&(point, _)| self.depth(point))
    }

    /// How many parts there are of the kind of that of a point.
    fn depth(&self, point: u32) -> u32 {
        self.parts[self.kind_of[point as usize] as usize]
    }

    /// By what a point is listed: its kind, its number, and itself.
    pub fn place_of(&self, point: u32) -> [u32; 3] {
        [self.kind_of[point as usize], self.number(point), point]
    }

    /// The points that a variable lies at, from the outside to the inside.
    pub fn points(&self, lies: &Lies) -> Vec<u32> {
        let mut points: Vec<u32> = lies.points.iter().map(|&(point, _)| point).collect();
        points.sort_by_key(|&point| self.depth(point));
        points
    }

    /// The number of a point in its part.
    pub fn number(&self, point: u32) -> u32 {
        point - self.first_points[self.part_of[point as usize] as usize]
    }
}

/// For each part, given by its swaps, its kind: the symmetries of others take it, swap by swap, to itself or to another of
/// its kind. (Those of parts within its blocks do something else, which changes no coordinate of it.)
fn kinds(parts: &[&[Permutation]]) -> Vec<u32> {
    let mut moved_by: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (part, swaps) in parts.iter().enumerate() {
        for variable in swaps.iter().flat_map(Permutation::support) {
            let moved_by = moved_by.entry(variable).or_default();
            if moved_by.last() != Some(&part) {
                moved_by.push(part);
            }
        }
    }
    let numbers: FxHashMap<&[Permutation], u32> = parts.iter().copied().zip(0..).collect();
    let mut kinds = Orbits::new(parts.len());
    for (part, swaps) in parts.iter().enumerate() {
        for swap in *swaps {
            let mut others: Vec<usize> =
                swap.support().filter_map(|variable| moved_by.get(&variable)).flatten().copied().collect();
            others.sort_unstable();
            others.dedup();
            for other in others.into_iter().filter(|&other| other != part) {
                let image: Vec<Permutation> = parts[other].iter().map(|one| one.conjugate(swap)).collect();
                if let Some(&copy) = numbers.get(image.as_slice()) {
                    kinds.unite(other as u32, copy);
                }
            }
        }
    }
    let mut kind_of_root: FxHashMap<u32, u32> = FxHashMap::default();
    let all = (0..parts.len() as u32).map(|part| {
        let next = kind_of_root.len() as u32;
        *kind_of_root.entry(kinds.find(part)).or_insert(next)
    });
    all.collect()
}

/// The indices that variables lie at, in an order that all variables of a role have alike.
fn by_indices(swaps: &[Permutation], variables: usize) -> Option<Vec<(u32, Vec<u32>)>> {
    let count = swaps.len() + 1;
    if count > MOST_INDICES {
        return None;
    }
    // Exchanges of any two indices.
    let mut exchanges: Vec<((u32, u32), Permutation)> = Vec::new();
    for from in 0..swaps.len() {
        let mut exchange = swaps[from].clone();
        exchanges.push(((from as u32, from as u32 + 1), exchange.clone()));
        for (to, next) in swaps.iter().enumerate().skip(from + 1) {
            exchange = exchange.conjugate(next);
            exchanges.push(((from as u32, to as u32 + 1), exchange.clone()));
        }
    }
    let mut known: Vec<Option<Vec<u32>>> = vec![None; variables];
    let mut moved = vec![false; variables];
    swaps.iter().flat_map(Permutation::support).for_each(|one| moved[one as usize] = true);
    for start in (0..variables as u32).filter(|&one| moved[one as usize]) {
        if known[start as usize].is_some() {
            continue;
        }
        known[start as usize] = Some(indices_of(start, count, &exchanges)?);
        let mut open = vec![start];
        while let Some(variable) = open.pop() {
            let own = known[variable as usize].clone()?;
            for (at, swap) in swaps.iter().enumerate() {
                let (at, image) = (at as u32, swap.image(variable));
                let renamed = own.iter().map(|&index| match index {
                    index if index == at => at + 1,
                    index if index == at + 1 => at,
                    index => index,
                });
                let renamed: Vec<u32> = renamed.collect();
                match &known[image as usize] {
                    Some(other) if *other != renamed => return None,
                    Some(_) => {}
                    None => {
                        known[image as usize] = Some(renamed);
                        open.push(image);
                    }
                }
            }
        }
    }
    let known = known.into_iter().enumerate();
    Some(known.filter_map(|(variable, indices)| Some((variable as u32, indices?))).collect())
}

/// The indices that a variable lies at: the others can be exchanged with each other and leave it alone.
fn indices_of(variable: u32, count: usize, exchanges: &[((u32, u32), Permutation)]) -> Option<Vec<u32>> {
    let mut alike = Orbits::new(count);
    for ((a, b), exchange) in exchanges {
        if exchange.fixes(variable) {
            alike.unite(*a, *b);
        }
    }
    match alike.large().as_slice() {
        [] => Some((0..count as u32).collect()),
        [others] => Some((0..count as u32).filter(|index| !others.contains(index)).collect()),
        // What it says it says of a set.
        _ => None,
    }
}
