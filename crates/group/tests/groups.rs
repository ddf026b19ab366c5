//! Groups against what is known of them, and against lists of all their elements.

mod common;

use std::collections::BTreeSet;

use common::Random;
use mandala_group::{Group, Permutation, UBig};

const ENOUGH: u64 = 1_000_000_000;

fn cycles<const N: usize>(cycles: [&[u32]; N]) -> Permutation {
    Permutation::from_cycles(&cycles).unwrap()
}

/// All products of some permutations, one by one.
fn all_products(generators: &[Permutation]) -> BTreeSet<Permutation> {
    let mut all = BTreeSet::from([Permutation::identity()]);
    let mut new: Vec<Permutation> = all.iter().cloned().collect();
    while let Some(one) = new.pop() {
        for generator in generators {
            let product = one.then(generator);
            if all.insert(product.clone()) {
                new.push(product);
            }
        }
    }
    all
}

#[test]
fn random_groups_against_lists_of_their_elements() {
    let mut random = Random(7);
    for _ in 0..400 {
        let degree = 2 + random.below(4);
        let generators: Vec<Permutation> = (0..random.below(4))
            .map(|_| {
                let shift = 2 * random.below(2);
                let images: Vec<u32> =
                    (0..shift).chain(random.shuffled(degree).into_iter().map(|one| one + shift)).collect();
                Permutation::from_images(&images).unwrap()
            })
            .collect();
        let all = all_products(&generators);
        let group = Group::new(&generators, ENOUGH).unwrap();
        assert_eq!(group.order(), all.len().into());
        let elements = group.elements(10_000).unwrap_or_default();
        if all.len() <= 10_000 {
            assert_eq!(elements.len(), all.len());
            assert_eq!(elements.into_iter().collect::<BTreeSet<_>>(), all);
        }
        for _ in 0..50 {
            let one = Permutation::from_images(&random.shuffled(degree + 3)).unwrap();
            assert_eq!(group.contains(&one), all.contains(&one));
        }
        let fixed: Vec<u32> = (0..random.below(3)).map(|_| random.below(degree + 3)).collect();
        let expected: BTreeSet<&Permutation> =
            all.iter().filter(|one| fixed.iter().all(|&point| one.fixes(point))).collect();
        let stabiliser = group.stabiliser(&fixed);
        assert_eq!(stabiliser.order(), expected.len().into());
        assert!(expected.iter().all(|one| stabiliser.contains(one)));
        assert!(stabiliser.generators().iter().all(|one| expected.contains(one)));
    }
}

/// The six turns of the faces of Rubik's cube, on its 48 stickers that move.
#[test]
fn the_cube_has_the_known_number_of_positions() {
    let turns = [
        cycles([&[1, 3, 8, 6], &[2, 5, 7, 4], &[9, 33, 25, 17], &[10, 34, 26, 18], &[11, 35, 27, 19]]),
        cycles([&[9, 11, 16, 14], &[10, 13, 15, 12], &[1, 17, 41, 40], &[4, 20, 44, 37], &[6, 22, 46, 35]]),
        cycles([&[17, 19, 24, 22], &[18, 21, 23, 20], &[6, 25, 43, 16], &[7, 28, 42, 13], &[8, 30, 41, 11]]),
        cycles([&[25, 27, 32, 30], &[26, 29, 31, 28], &[3, 38, 43, 19], &[5, 36, 45, 21], &[8, 33, 48, 24]]),
        cycles([&[33, 35, 40, 38], &[34, 37, 39, 36], &[3, 9, 46, 32], &[2, 12, 47, 29], &[1, 14, 48, 27]]),
        cycles([&[41, 43, 48, 46], &[42, 45, 47, 44], &[14, 22, 30, 38], &[15, 23, 31, 39], &[16, 24, 32, 40]]),
    ];
    let group = Group::new(&turns, ENOUGH).unwrap();
    assert_eq!(group.order(), UBig::from(43_252_003_274_489_856_000u128));
    // A single corner cannot be turned, nor two edges exchanged, but three edges can.
    assert!(!group.contains(&cycles([&[6, 17, 11]])));
    assert!(!group.contains(&cycles([&[7, 5], &[18, 26]])));
    assert!(group.contains(&cycles([&[7, 5, 4], &[18, 26, 10]])));
    assert_eq!(group.orbits().large().len(), 2);
}

#[test]
fn the_mathieu_group_of_degree_eleven() {
    let generators = [cycles([&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]), cycles([&[3, 7, 11, 8], &[4, 10, 5, 6]])];
    let group = Group::new(&generators, ENOUGH).unwrap();
    assert_eq!(group.order(), 7920u32.into());
    // It moves any four points to any four, in exactly one way.
    assert_eq!(group.stabiliser(&[1, 5, 7]).order(), 8u32.into());
    assert!(group.stabiliser(&[1, 5, 7, 9]).is_trivial());
    assert_eq!(group.elements(7920).unwrap().into_iter().collect::<BTreeSet<_>>().len(), 7920);
    assert!(group.elements(7919).is_none());
}

#[test]
fn independent_parts_are_multiplied() {
    let swaps: Vec<Permutation> = (0..1000).map(|pair| cycles([&[2 * pair, 2 * pair + 1]])).collect();
    let group = Group::new(&swaps, ENOUGH).unwrap();
    assert_eq!(group.order(), UBig::ONE << 1000);
    assert_eq!(group.stabiliser(&[3, 500]).order(), UBig::ONE << 998);
    assert!(group.contains(&swaps[3].then(&swaps[700])));
    assert!(!group.contains(&cycles([&[1, 2]])));
}

#[test]
fn too_small_a_budget_is_said() {
    let swaps: Vec<Permutation> = (0..30).map(|one| cycles([&[one, one + 1]])).collect();
    assert!(Group::new(&swaps, 1000).is_none());
    assert!(Group::new(&[], 0).unwrap().is_trivial());
}
