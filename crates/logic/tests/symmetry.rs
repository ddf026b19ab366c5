//! Symmetries of automata: the relations of exchanges against a fixpoint over all pairs of states and all letters.

mod common;

use common::{Rng, formula, seeds};
use mandala_logic::automaton::{Automaton, Edge, State};
use mandala_logic::symmetry::{Exchanges, Relation, Renaming};
use mandala_logic::words::Lasso;
use mandala_logic::{Atoms, Formulas, translate, translate_apart};

/// The exchange of some pairs of atoms.
fn exchange(pairs: &[(u32, u32)]) -> Renaming {
    Renaming::new(pairs.iter().flat_map(|&(one, other)| [(one, other), (other, one)])).unwrap()
}

/// The largest relation, from the definition: all pairs, without those whose edges do not match, until none is left.
fn naive(automaton: &Automaton, renaming: &Renaming, atoms: u32) -> Vec<Vec<bool>> {
    let count = automaton.state_count();
    let takes =
        |edge: &Edge, letter: u32| automaton.conditions().satisfied(edge.condition, |atom| letter >> atom & 1 == 1);
    let renamed = |letter: u32| {
        (0..atoms).filter(|atom| letter >> atom & 1 == 1).fold(0, |all, atom| all | 1 << renaming.image(atom))
    };
    let mut related = vec![vec![true; count]; count];
    loop {
        let before = related.clone();
        for one in automaton.states() {
            for other in automaton.states() {
                let matches = (0..1 << atoms).all(|letter| {
                    let follows = |mine: &Edge, theirs: &Edge| {
                        mine.marks == theirs.marks && before[mine.target as usize][theirs.target as usize]
                    };
                    let mine = || automaton.edges(one).iter().filter(|edge| takes(edge, letter));
                    let theirs = || automaton.edges(other).iter().filter(|edge| takes(edge, renamed(letter)));
                    mine().all(|edge| theirs().any(|their| follows(edge, their)))
                        && theirs().all(|edge| mine().any(|my| follows(my, edge)))
                });
                related[one as usize][other as usize] &= matches;
            }
        }
        if related == before {
            return related;
        }
    }
}

fn assert_is_naive(automaton: &Automaton, renaming: &Renaming, atoms: u32, what: &str) -> usize {
    let relation = Relation::new(automaton, renaming).unwrap().unwrap();
    let naive = naive(automaton, renaming, atoms);
    let mut found = 0;
    for one in automaton.states() {
        for other in automaton.states() {
            let holds = relation.holds(one, other);
            assert_eq!(holds, naive[one as usize][other as usize], "{what}: {one} and {other}");
            found += usize::from(holds);
        }
    }
    found
}

#[test]
fn the_relations_of_the_paper_are_the_largest() {
    let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    for name in ["p1", "p2", "p3"] {
        atoms.intern(name);
    }
    let f = formulas.parse("((p1 U p3) | (p2 U p3)) & (p1 U p2)", &mut atoms).unwrap();
    let negation = formulas.negation(f);
    for formula in [f, negation] {
        let automaton = translate(&mut formulas, formula).unwrap();
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            assert_is_naive(&automaton, &exchange(&[(one, other)]), 3, "the paper's formula");
        }
    }
}

/// Processes have two atoms each: those of process i are 2 i and 2 i + 1.
fn processes(one: u32, other: u32) -> Renaming {
    exchange(&[(2 * one, 2 * other), (2 * one + 1, 2 * other + 1)])
}

#[test]
fn relations_are_the_largest_on_automata_of_random_formulas() {
    let mut related = 0;
    for seed in seeds(1500) {
        let mut rng = Rng::new(seed);
        let mut formulas = Formulas::new();
        let parts: Vec<_> = (0..1 + rng.below(3))
            .map(|_| {
                let size = 1 + rng.below(5);
                formula(&mut rng, &mut formulas, 6, size)
            })
            .collect();
        let f = formulas.any(parts);
        let automaton = if rng.below(2) == 0 { translate(&mut formulas, f) } else { translate_apart(&mut formulas, f) };
        let automaton = automaton.unwrap();
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            related += assert_is_naive(&automaton, &processes(one, other), 6, &format!("seed {seed}"));
        }
    }
    assert!(related > 3000, "{related}");
}

/// The word in which the processes are exchanged.
fn renamed(word: &Lasso, renaming: &Renaming) -> Lasso {
    let letters = |all: &[mandala_logic::words::Letter]| {
        all.iter().map(|letter| letter.atoms().map(|atom| renaming.image(atom)).collect()).collect()
    };
    Lasso::new(letters(word.stem()), letters(word.loop_letters()))
}

#[test]
fn exchanges_lead_to_states_that_accept_the_renamed_words() {
    let (mut moved, mut unnoticed) = (0, 0);
    for seed in seeds(1000) {
        let mut rng = Rng::new(seed);
        let mut formulas = Formulas::new();
        // The same for each two processes, in one order only.
        let size = 1 + rng.below(4);
        let pattern = formula(&mut rng, &mut formulas, 4, size);
        let mut parts = Vec::new();
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let at = |formulas: &mut Formulas, atom: u32| {
                formulas.atom(if atom < 2 { 2 * i + atom } else { 2 * j + atom - 2 })
            };
            parts.push(formulas.with_atoms(pattern, at));
        }
        let f = formulas.any(parts);
        let automaton = translate_apart(&mut formulas, f).unwrap();
        let all = [processes(0, 1), processes(0, 2), processes(1, 2)];
        let exchanges = Exchanges::new(&automaton, &all).unwrap();
        let words: Vec<Lasso> = (0..6).map(|_| common::word(&mut rng, 6)).collect();
        for state in automaton.states() {
            let one = &exchanges.representatives[state as usize];
            assert_eq!(exchanges.representatives[one.state as usize].state, one.state);
            moved += usize::from(one.state != state);
            unnoticed += exchanges.unnoticed[state as usize].len();
            let accepts = |word: &Lasso, state: State| word.is_accepted_from(&automaton, &[state]);
            for word in &words {
                let there = one.exchanges.iter().fold(word.clone(), |word, &number| renamed(&word, &all[number]));
                assert_eq!(accepts(word, state), accepts(&there, one.state), "seed {seed}, state {state}");
                for &number in &exchanges.unnoticed[state as usize] {
                    let other = renamed(word, &all[number]);
                    assert_eq!(accepts(word, state), accepts(&other, state), "seed {seed}, state {state}");
                }
            }
        }
    }
    assert!(moved > 300 && unnoticed > 300, "{moved}, {unnoticed}");
}

#[test]
fn marks_are_not_exchanged() {
    let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    let f = formulas.parse("G F a & G F b", &mut atoms).unwrap();
    let automaton = translate(&mut formulas, f).unwrap();
    assert_eq!((automaton.state_count(), automaton.mark_count()), (1, 2));
    let relation = Relation::new(&automaton, &exchange(&[(0, 1)])).unwrap().unwrap();
    assert!(!relation.holds(0, 0));
}

#[test]
fn what_makes_two_atoms_one_is_no_renaming() {
    assert_eq!(Renaming::new([(0, 2), (1, 2)]), None);
    let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    let f = formulas.parse("a U b", &mut atoms).unwrap();
    let automaton = translate(&mut formulas, f).unwrap();
    let onto_another = Renaming::new([(0, 1)]).unwrap();
    assert!(Relation::new(&automaton, &onto_another).unwrap().is_none());
    // To an atom that does not occur: what speaks of it is like nothing, what does not is like itself.
    let away = Renaming::new([(0, 7)]).unwrap();
    let relation = Relation::new(&automaton, &away).unwrap().unwrap();
    let alike = automaton.states().filter(|&state| relation.holds(state, state)).count();
    assert_eq!((automaton.state_count(), alike), (2, 1));
}
