//! The automorphisms of graphs: known groups, and all permutations of small graphs tried one by one.

mod common;

use common::*;
use mandala_group::{ColouredGraph, Group, Permutation, UBig, automorphisms};

const ENOUGH: u64 = 1_000_000_000;

/// The group of a graph, after a complete search.
fn group(graph: &ColouredGraph) -> Group {
    let found = automorphisms(graph, ENOUGH);
    assert!(found.complete);
    assert!(found.generators.iter().all(|one| graph.is_automorphism(one)));
    let group = found.group(ENOUGH).unwrap();
    assert_eq!(group.order(), found.order());
    group
}

fn order(graph: &ColouredGraph) -> UBig {
    group(graph).order()
}

fn factorial(number: u32) -> UBig {
    (1..=number).fold(UBig::ONE, |product, factor| product * UBig::from(factor))
}

/// All permutations of the points below a number.
fn permutations(count: u32) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for new in 0..count {
        let insert = |one: &Vec<u32>| {
            let one = one.clone();
            (0..=one.len()).map(move |at| {
                let mut longer = one.clone();
                longer.insert(at, new);
                longer
            })
        };
        all = all.iter().flat_map(insert).collect();
    }
    all
}

#[test]
fn small_graphs_against_all_permutations() {
    let mut random = Random(1);
    let mut symmetric = 0;
    for count in 0..=7 {
        let all: Vec<Permutation> =
            permutations(count).iter().map(|one| Permutation::from_images(one).unwrap()).collect();
        for _ in 0..[1, 10, 50, 300, 1500, 1000, 300, 60][count as usize] {
            let (vertex_colours, edge_colours) = (1 + random.below(2), 1 + random.below(2));
            let colours: Vec<u32> = (0..count).map(|_| 7 * random.below(vertex_colours)).collect();
            let edges: Vec<_> = (0..random.below(3 * count + 1))
                .map(|_| (random.below(count), random.below(count), 5 * random.below(edge_colours)))
                .collect();
            let graph = ColouredGraph::new(colours.clone(), &edges).unwrap();
            // Written anew here, edge by edge, so as not to trust what is tested.
            let mut sorted = edges.clone();
            sorted.sort_unstable();
            let is_automorphism = |one: &&Permutation| {
                let mut images: Vec<_> = edges
                    .iter()
                    .map(|&(source, target, colour)| (one.image(source), one.image(target), colour))
                    .collect();
                images.sort_unstable();
                images == sorted && (0..count).all(|at| colours[at as usize] == colours[one.image(at) as usize])
            };
            let expected: Vec<&Permutation> = all.iter().filter(is_automorphism).collect();
            let group = group(&graph);
            assert_eq!(group.order(), expected.len().into(), "{colours:?} {edges:?}");
            assert!(expected.iter().all(|one| group.contains(one)));
            assert!(all.iter().all(|one| graph.is_automorphism(one) == expected.contains(&one)));
            symmetric += u32::from(expected.len() > 1);
        }
    }
    assert!(symmetric > 500, "only {symmetric} have symmetries");
}

#[test]
fn known_groups() {
    assert_eq!(order(&complete(40)), factorial(40));
    assert_eq!(order(&undirected(50, [])), factorial(50));
    assert_eq!(order(&undirected(0, [])), UBig::ONE);
    for count in [3, 4, 5, 17, 1000] {
        assert_eq!(order(&ring(count)), UBig::from(2 * count));
    }
    assert_eq!(order(&petersen()), 120u32.into());
    for dimension in 1..=8 {
        assert_eq!(order(&hypercube(dimension)), (UBig::ONE << dimension as usize) * factorial(dimension));
    }
    assert_eq!(order(&grid(30, 30)), 8u32.into());
    assert_eq!(order(&grid(40, 20)), 4u32.into());
    // Two affine maps out of four have a square as factor.
    assert_eq!(order(&paley(29)), (29u32 * 14).into());
    assert_eq!(order(&paley(101)), (101u32 * 50).into());
    assert_eq!(order(&rook(7)), factorial(7) * factorial(7) * UBig::from(2u32));
}

#[test]
fn a_directed_ring_can_only_be_turned() {
    let edges: Vec<_> = (0..12).map(|one| (one, (one + 1) % 12, 0)).collect();
    assert_eq!(order(&ColouredGraph::new(vec![0; 12], &edges).unwrap()), 12u32.into());
    // And by even steps, if every second edge has another colour.
    let edges: Vec<_> = (0..12).map(|one| (one, (one + 1) % 12, one % 2)).collect();
    assert_eq!(order(&ColouredGraph::new(vec![0; 12], &edges).unwrap()), 6u32.into());
}

#[test]
fn disjoint_copies_can_be_exchanged() {
    let edges: Vec<_> = (0..5).flat_map(|one| [(one, (one + 1) % 5, 0), ((one + 1) % 5, one, 0)]).collect();
    for count in [2, 7, 60] {
        let expected = factorial(count) * UBig::from(10u32).pow(count as usize);
        assert_eq!(order(&copies(&[0; 5], &edges, count)), expected);
    }
}

#[test]
fn clients_of_a_shared_resource() {
    for count in [1, 2, 10, 200] {
        let graph = clients(count);
        let found = automorphisms(&graph, ENOUGH);
        assert_eq!(found.generators.len() as u32, count - 1);
        assert!(found.generators.iter().all(|one| one.moves().len() == 16));
        assert_eq!(found.group(ENOUGH).unwrap().order(), factorial(count));
    }
}

#[test]
fn the_names_of_vertices_do_not_matter() {
    let mut random = Random(3);
    for (vertices, edges) in [(10u32, 15u32), (30, 40), (60, 70)] {
        for _ in 0..50 {
            let edges: Vec<_> =
                (0..edges).map(|_| (random.below(vertices), random.below(vertices), random.below(2))).collect();
            let names = random.shuffled(vertices);
            let renamed: Vec<_> = edges
                .iter()
                .map(|&(one, other, colour)| (names[one as usize], names[other as usize], colour))
                .collect();
            let graph = |edges: &[(u32, u32, u32)]| ColouredGraph::new(vec![0; vertices as usize], edges).unwrap();
            assert_eq!(order(&graph(&edges)), order(&graph(&renamed)));
        }
    }
}

/// Strong generators make the order known without a proof by Schreier's lemma: here both are compared.
#[test]
fn the_generators_are_strong() {
    for graph in [petersen(), hypercube(5), complete(9), grid(5, 5), paley(29), rook(4), ring(30), clients(6)] {
        let found = automorphisms(&graph, ENOUGH);
        let slowly = Group::new(&found.generators, ENOUGH).unwrap();
        assert_eq!(slowly.order(), found.group(ENOUGH).unwrap().order());
    }
}

#[test]
fn too_small_a_budget_is_said() {
    let found = automorphisms(&hypercube(8), 20_000);
    assert!(!found.complete);
    assert!(found.generators.iter().all(|one| hypercube(8).is_automorphism(one)));
    assert!(!automorphisms(&ring(10), 0).complete);
}

#[test]
fn edges_to_nowhere_are_refused() {
    assert!(ColouredGraph::new(vec![0; 2], &[(0, 2, 0)]).is_none());
}
