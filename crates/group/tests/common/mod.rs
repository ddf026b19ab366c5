//! Graphs for tests, and numbers that look random.
#![allow(dead_code)]

use mandala_group::ColouredGraph;

/// Numbers that look random and are always the same.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound.max(1))) as u32
    }

    pub fn shuffled(&mut self, count: u32) -> Vec<u32> {
        let mut result: Vec<u32> = (0..count).collect();
        for index in (1..count).rev() {
            result.swap(index as usize, self.below(index + 1) as usize);
        }
        result
    }
}

/// A graph of one colour with edges in both directions.
pub fn undirected(vertices: u32, edges: impl IntoIterator<Item = (u32, u32)>) -> ColouredGraph {
    let edges: Vec<_> = edges.into_iter().flat_map(|(one, other)| [(one, other, 0), (other, one, 0)]).collect();
    ColouredGraph::new(vec![0; vertices as usize], &edges).unwrap()
}

pub fn ring(count: u32) -> ColouredGraph {
    undirected(count, (0..count).map(|one| (one, (one + 1) % count)))
}

pub fn complete(count: u32) -> ColouredGraph {
    undirected(count, (0..count).flat_map(|one| (0..one).map(move |other| (one, other))))
}

pub fn hypercube(dimension: u32) -> ColouredGraph {
    let edges = (0..1 << dimension).flat_map(|one: u32| (0..dimension).map(move |bit| (one, one ^ 1 << bit)));
    undirected(1 << dimension, edges.filter(|(one, other)| one < other))
}

pub fn grid(width: u32, height: u32) -> ColouredGraph {
    let at = move |x: u32, y: u32| y * width + x;
    let along = (0..height).flat_map(move |y| (1..width).map(move |x| (at(x, y), at(x - 1, y))));
    let across = (1..height).flat_map(move |y| (0..width).map(move |x| (at(x, y), at(x, y - 1))));
    undirected(width * height, along.chain(across))
}

/// Vertices are pairs out of five, joined if they have nothing in common.
pub fn petersen() -> ColouredGraph {
    let pairs: Vec<(u32, u32)> = (0..5).flat_map(|one| (0..one).map(move |other| (one, other))).collect();
    let disjoint = |a: (u32, u32), b: (u32, u32)| a.0 != b.0 && a.0 != b.1 && a.1 != b.0 && a.1 != b.1;
    let edges = (0..10).flat_map(|one: u32| (0..one).map(move |other| (one, other)));
    undirected(
        10,
        edges.filter(|&(one, other)| disjoint(pairs[one as usize], pairs[other as usize])).collect::<Vec<_>>(),
    )
}

/// The numbers modulo a prime, joined if their difference is a square.
pub fn paley(prime: u32) -> ColouredGraph {
    let is_square = |number: u32| (1..prime).any(|root| root * root % prime == number);
    let edges = (0..prime).flat_map(|one| (0..one).map(move |other| (one, other)));
    undirected(prime, edges.filter(|(one, other)| is_square(one - other)).collect::<Vec<_>>())
}

/// The squares of a board, joined if they are in the same row or column.
pub fn rook(size: u32) -> ColouredGraph {
    let edges = (0..size * size).flat_map(|one| (0..one).map(move |other| (one, other)));
    undirected(size * size, edges.filter(|(one, other)| one / size == other / size || one % size == other % size))
}

/// Clients of four places and four transitions in a circle each, two of whose transitions take and give back a shared
/// resource.
pub fn clients(count: u32) -> ColouredGraph {
    let mut colours = vec![0];
    let mut edges = Vec::new();
    for client in 0..count {
        let first = 1 + 8 * client;
        for step in 0..4 {
            colours.extend([0, 1]);
            edges.push((first + 2 * step, first + 2 * step + 1, 0));
            edges.push((first + 2 * step + 1, first + (2 * step + 2) % 8, 0));
        }
        edges.push((0, first + 1, 0));
        edges.push((first + 5, 0, 0));
    }
    ColouredGraph::new(colours, &edges).unwrap()
}

/// Places and transitions with random arcs between them.
pub fn random_net(places: u32, transitions: u32, arcs: u32, seed: u64) -> ColouredGraph {
    let mut random = Random(seed);
    let colours = (0..places + transitions).map(|vertex| u32::from(vertex >= places)).collect();
    let edges: Vec<_> = (0..arcs)
        .map(|_| {
            let (place, transition) = (random.below(places), places + random.below(transitions));
            if random.below(2) == 0 { (place, transition, 0) } else { (transition, place, 0) }
        })
        .collect();
    ColouredGraph::new(colours, &edges).unwrap()
}

/// So many copies of a graph side by side.
pub fn copies(colours: &[u32], edges: &[(u32, u32, u32)], count: u32) -> ColouredGraph {
    let size = colours.len() as u32;
    let all: Vec<_> = (0..count)
        .flat_map(|copy| {
            edges.iter().map(move |&(one, other, colour)| (one + copy * size, other + copy * size, colour))
        })
        .collect();
    ColouredGraph::new(colours.repeat(count as usize), &all).unwrap()
}
