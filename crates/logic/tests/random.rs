//! Random formulas and words: automata, simplification and reductions against the definition of the logic.

mod common;

use common::{Rng, atoms, formula, seeds, word};
use mandala_logic::automaton::Automaton;
use mandala_logic::formula::Formula;
use mandala_logic::reduce::reduce;
use mandala_logic::translate::build;
use mandala_logic::words::Lasso;
use mandala_logic::{Formulas, translate, translate_apart};

/// A random formula over one to four atoms, with words to try it on.
fn case(seed: u64, formulas: &mut Formulas) -> (Formula, Vec<Lasso>) {
    let mut rng = Rng::new(seed);
    let count = 1 + rng.below(4) as u32;
    let size = 1 + rng.below(14);
    let f = formula(&mut rng, formulas, count, size);
    (f, (0..12).map(|_| word(&mut rng, count)).collect())
}

fn assert_same_words(what: &str, seed: u64, formulas: &Formulas, f: Formula, automaton: &Automaton, words: &[Lasso]) {
    let atoms = atoms(4);
    for word in words {
        assert_eq!(
            word.is_accepted_by(automaton),
            word.satisfies(formulas, f),
            "{what}, seed {seed}: {} on {}",
            formulas.display(f, &atoms),
            word.display(&atoms)
        );
    }
}

#[test]
fn an_automaton_accepts_exactly_the_words_of_its_formula() {
    for seed in seeds(7000) {
        let mut formulas = Formulas::new();
        let (f, words) = case(seed, &mut formulas);
        let normal = formulas.normal_form(f);
        let plain = build(&formulas, normal).unwrap();
        assert_same_words("as built", seed, &formulas, f, &plain, &words);
        let reduced = reduce(plain.clone()).unwrap();
        assert_same_words("reduced", seed, &formulas, f, &reduced, &words);
        let automaton = translate(&mut formulas, f).unwrap();
        assert_same_words("translated", seed, &formulas, f, &automaton, &words);
        let one_mark = automaton.degeneralise();
        assert_eq!(one_mark.mark_count(), 1);
        assert_same_words("degeneralised", seed, &formulas, f, &one_mark, &words);
        let negation = formulas.negation(f);
        let complement = translate(&mut formulas, negation).unwrap();
        assert_same_words("of the negation", seed, &formulas, negation, &complement, &words);
        assert!(automaton.intersection(&complement).unwrap().is_empty(), "seed {seed}: not disjoint");
    }
}

#[test]
fn a_simplified_formula_holds_of_the_same_words() {
    for seed in seeds(20_000) {
        let mut formulas = Formulas::new();
        let (f, words) = case(seed, &mut formulas);
        let simple = formulas.simplify(f);
        assert_eq!(simple, formulas.simplify(simple), "seed {seed}: not yet simple");
        let atoms = atoms(4);
        for word in words {
            assert_eq!(
                word.satisfies(&formulas, simple),
                word.satisfies(&formulas, f),
                "seed {seed}: {} became {}: {}",
                formulas.display(f, &atoms),
                formulas.display(simple, &atoms),
                word.display(&atoms)
            );
        }
    }
}

#[test]
fn automata_side_by_side_accept_the_words_of_the_disjunction() {
    for seed in seeds(3000) {
        let mut formulas = Formulas::new();
        let mut rng = Rng::new(seed);
        let parts: Vec<Formula> = (0..2 + rng.below(3))
            .map(|_| {
                let size = 1 + rng.below(5);
                let f = formula(&mut rng, &mut formulas, 4, size);
                if rng.below(2) == 0 { formulas.finally(f) } else { f }
            })
            .collect();
        let f = formulas.any(parts);
        let words: Vec<Lasso> = (0..12).map(|_| word(&mut rng, 4)).collect();
        let apart = translate_apart(&mut formulas, f).unwrap();
        assert_same_words("side by side", seed, &formulas, f, &apart, &words);
        let negation = formulas.negation(f);
        let complement = translate(&mut formulas, negation).unwrap();
        assert!(apart.intersection(&complement).unwrap().is_empty(), "seed {seed}: not disjoint");
    }
}

/// A formula that a prefix can show.
fn guarantee(rng: &mut Rng, formulas: &mut Formulas, operators: u64) -> Formula {
    if operators == 0 {
        let atom = rng.below(2) as u32;
        return formulas.literal(atom, rng.below(2) == 0);
    }
    let left = rng.below(operators);
    let f = guarantee(rng, formulas, left);
    let g = guarantee(rng, formulas, operators - 1 - left);
    match rng.below(9) {
        0..3 => formulas.next(g),
        3 => formulas.finally(g),
        4 | 5 => formulas.and(f, g),
        6 | 7 => formulas.or(f, g),
        _ => formulas.until(f, g),
    }
}

#[test]
fn automata_put_together_from_parts_accept_exactly_the_words_of_their_formula() {
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let mut formulas = Formulas::new();
        let size = 1 + rng.below(7);
        let shown = guarantee(&mut rng, &mut formulas, size);
        let mut f = formulas.finally(shown);
        f = formulas.globally(f);
        for _ in 0..rng.below(3) {
            let other = if rng.below(2) == 0 {
                let shown = guarantee(&mut rng, &mut formulas, 2);
                let finally = formulas.finally(shown);
                formulas.globally(finally)
            } else {
                formula(&mut rng, &mut formulas, 2, 3)
            };
            f = if rng.below(2) == 0 { formulas.and(f, other) } else { formulas.or(f, other) };
        }
        if rng.below(2) == 0 {
            f = formulas.negation(f);
        }
        let automaton = translate(&mut formulas, f).unwrap();
        let words: Vec<Lasso> = (0..20).map(|_| word(&mut rng, 2)).collect();
        assert_same_words("from parts", seed, &formulas, f, &automaton, &words);
    }
}
