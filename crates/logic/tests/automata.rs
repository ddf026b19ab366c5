//! What automata can tell, and what is done with them.

mod common;

use common::{Rng, formula, seeds, word};
use mandala_logic::automaton::{Automaton, Marks, Strength};
use mandala_logic::formula::Formula;
use mandala_logic::reduce::{merge_equal, merge_similar, minimal_weak, prune, tidy_marks};
use mandala_logic::translate::build;
use mandala_logic::words::{Letter, distinguish, equivalent};
use mandala_logic::{Atoms, Condition, Formulas, TooLarge, translate};

fn of(text: &str) -> Automaton {
    let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    let f = formulas.parse(text, &mut atoms).unwrap();
    translate(&mut formulas, f).unwrap()
}

/// An automaton over two atoms that need not be the automaton of any formula.
fn random_automaton(rng: &mut Rng) -> Automaton {
    let marks = rng.below(4) as u32;
    let mut automaton = Automaton::new(marks);
    let states = 1 + rng.below(7) as u32;
    (0..states).for_each(|_| {
        automaton.add_state();
    });
    (0..=rng.below(2)).for_each(|_| automaton.add_initial(rng.below(u64::from(states)) as u32));
    for state in 0..states {
        for _ in 0..rng.below(4) {
            let mut cube = vec![(0, rng.below(2) == 0), (1, rng.below(2) == 0)];
            cube.truncate(rng.below(3) as usize);
            let condition = automaton.conditions_mut().cube(&cube);
            let marks: Marks = (0..marks).filter(|_| rng.below(2) == 0).collect();
            automaton.add_edge(state, condition, marks, rng.below(u64::from(states)) as u32);
        }
    }
    automaton
}

type Step = fn(Automaton) -> Automaton;

#[test]
fn each_reduction_keeps_the_words_of_any_automaton() {
    let (mut before, mut after) = (0, 0);
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let automaton = random_automaton(&mut rng);
        let steps: [(&str, Step); 5] = [
            ("prune", prune),
            ("tidy marks", tidy_marks),
            ("merge equal", merge_equal),
            ("merge similar", merge_similar),
            ("all", |automaton| mandala_logic::reduce::reduce(automaton).unwrap()),
        ];
        let reduced: Vec<Automaton> = steps.iter().map(|(_, step)| step(automaton.clone())).collect();
        before += automaton.state_count();
        after += reduced[4].state_count();
        let one_mark = automaton.degeneralise();
        for _ in 0..15 {
            let word = word(&mut rng, 2);
            let accepted = word.is_accepted_by(&automaton);
            for ((name, _), reduced) in steps.iter().zip(&reduced) {
                assert_eq!(word.is_accepted_by(reduced), accepted, "{name}, seed {seed}: {word:?} {automaton:?}");
            }
            assert_eq!(word.is_accepted_by(&one_mark), accepted, "one mark, seed {seed}");
        }
        assert_eq!(automaton.is_empty(), reduced[4].is_empty(), "seed {seed}");
    }
    assert!(after * 2 < before, "from {before} to {after} states");
}

#[test]
fn pruning_leaves_what_is_on_accepting_runs() {
    // From 0 to a loop with a mark at 1, and to one without at 2, which leads to an end at 3; 4 cannot be reached.
    let mut automaton = Automaton::new(1);
    (0..5).for_each(|_| {
        automaton.add_state();
    });
    automaton.add_initial(0);
    for (source, target) in [(0, 1), (0, 2), (1, 2), (2, 2), (2, 3)] {
        automaton.add_edge(source, Condition::TRUE, Marks::NONE, target);
    }
    automaton.add_edge(1, Condition::TRUE, Marks::one(0), 1);
    automaton.add_edge(4, Condition::TRUE, Marks::one(0), 4);
    let pruned = prune(automaton.clone());
    assert_eq!((pruned.state_count(), pruned.edge_count()), (2, 2));
    automaton.add_edge(3, Condition::TRUE, Marks::one(0), 0);
    assert_eq!(prune(automaton).state_count(), 4);
}

#[test]
fn an_automaton_that_is_not_empty_accepts_the_word_it_gives() {
    let mut empty = 0;
    for seed in seeds(4000) {
        let automaton = random_automaton(&mut Rng::new(seed));
        match automaton.accepted_word() {
            Some(word) => assert!(word.is_accepted_by(&automaton) && !automaton.is_empty(), "seed {seed}"),
            None => {
                empty += 1;
                assert!(automaton.is_empty(), "seed {seed}");
            }
        }
    }
    let cases = seeds(4000).end;
    assert!((cases / 8..cases * 7 / 8).contains(&empty), "{empty} were empty");
}

#[test]
fn unions_and_intersections_accept_what_one_or_both_accept() {
    for seed in seeds(2000) {
        let mut rng = Rng::new(seed);
        let (one, other) = (random_automaton(&mut rng), random_automaton(&mut rng));
        let (both, either) = (one.intersection(&other).unwrap(), one.union(&other).unwrap());
        for _ in 0..15 {
            let word = word(&mut rng, 2);
            let (a, b) = (word.is_accepted_by(&one), word.is_accepted_by(&other));
            assert_eq!((word.is_accepted_by(&both), word.is_accepted_by(&either)), (a && b, a || b), "seed {seed}");
        }
    }
}

#[test]
fn strength_is_what_the_class_of_a_formula_promises() {
    for (text, strength, safety) in [
        ("F p", Strength::Terminal, false),
        ("p U q", Strength::Terminal, false),
        ("X X p", Strength::Terminal, true),
        ("true", Strength::Terminal, true),
        ("G p", Strength::Weak, true),
        ("p W q", Strength::Weak, true),
        ("G(p -> X q)", Strength::Weak, true),
        ("F p & G q", Strength::Weak, false),
        ("F G p", Strength::Weak, false),
        ("G F p", Strength::Strong, false),
        ("G(p -> F q)", Strength::Strong, false),
        ("G F p -> G F q", Strength::Strong, false),
    ] {
        let mut automaton = of(text);
        assert_eq!((automaton.strength(), automaton.is_safety()), (strength, safety), "{text}");
    }
}

#[test]
fn automata_are_as_small_as_they_are_known_to_get() {
    for (text, states, marks) in [
        ("true", 1, 0),
        ("false", 1, 0),
        ("F p & F q & G !p", 1, 0),
        ("G F p & G F q & G F r", 1, 3),
        ("p U q", 2, 1),
        ("F G p", 2, 1),
        ("G(p -> F q)", 2, 1),
        ("(G F a & G F b) | (G F c & G F d)", 3, 2),
        ("X(p1 | F(p1 & X p1))", 4, 1),
        ("(p U q) & G F r", 2, 1),
        ("G(p2 -> F p1) & G p3", 2, 1),
        ("p0 U (p1 U (p2 U p3))", 4, 1),
        ("G F(((a & X b) | X X c) & X d)", 4, 1),
        ("G(p3 & X F p4 -> X F(p4 & F p0))", 4, 1),
    ] {
        let automaton = of(text);
        assert_eq!((automaton.state_count(), automaton.mark_count()), (states, marks), "{text}");
    }
}

#[test]
fn what_is_deterministic_and_complete_is_seen() {
    for (text, deterministic, complete) in [
        ("G p", true, false),
        ("F p", true, true),
        ("F G p", false, false),
        ("p U q", true, false),
        ("G F p", true, true),
    ] {
        let mut automaton = of(text);
        assert_eq!((automaton.is_deterministic(), automaton.is_complete()), (deterministic, complete), "{text}");
    }
}

/// An automaton and one of the negation, as built.
fn pair(formulas: &mut Formulas, f: Formula) -> (Automaton, Automaton) {
    let f = formulas.normal_form(f);
    let negation = formulas.negation(f);
    (build(formulas, f).unwrap(), build(formulas, negation).unwrap())
}

#[test]
fn obligations_have_one_smallest_deterministic_automaton_each() {
    let mut found = 0;
    for seed in seeds(1000) {
        let mut rng = Rng::new(seed);
        let mut formulas = Formulas::new();
        let size = 1 + rng.below(8);
        let f = formula(&mut rng, &mut formulas, 2, size);
        let (automaton, complement) = pair(&mut formulas, f);
        let Ok(smallest) = minimal_weak(&automaton, &complement) else { continue };
        let Some(mut smallest) = smallest else {
            assert!(!formulas.is_syntactic_safety(f) && !formulas.is_syntactic_guarantee(f), "seed {seed}");
            continue;
        };
        found += 1;
        assert!(smallest.is_deterministic() && smallest.strength() != Strength::Strong, "seed {seed}");
        for _ in 0..10 {
            let word = word(&mut rng, 2);
            assert_eq!(word.is_accepted_by(&smallest), word.satisfies(&formulas, f), "seed {seed}");
        }
        // From another automaton of the same words.
        let simple = formulas.simplify(f);
        let (automaton, complement) = pair(&mut formulas, simple);
        let again = minimal_weak(&automaton, &complement).unwrap().unwrap();
        assert_eq!(
            (again.state_count(), again.edge_count()),
            (smallest.state_count(), smallest.edge_count()),
            "seed {seed}"
        );
    }
    assert!(found > 300, "only {found} obligations");
}

#[test]
fn a_word_tells_formulas_apart_exactly_if_they_differ() {
    let mut different = 0;
    for seed in seeds(600) {
        let mut rng = Rng::new(seed);
        let mut formulas = Formulas::new();
        let (f, g) = (formula(&mut rng, &mut formulas, 2, 4), formula(&mut rng, &mut formulas, 2, 4));
        match distinguish(&mut formulas, f, g).unwrap() {
            Some(word) => {
                different += 1;
                assert_ne!(word.satisfies(&formulas, f), word.satisfies(&formulas, g), "seed {seed}");
            }
            None => (0..50).for_each(|_| {
                let word = word(&mut rng, 2);
                assert_eq!(word.satisfies(&formulas, f), word.satisfies(&formulas, g), "seed {seed}");
            }),
        }
        let simple = formulas.simplify(f);
        assert!(equivalent(&mut formulas, f, simple).unwrap(), "seed {seed}");
    }
    let cases = seeds(600).end;
    assert!((cases / 6..cases).contains(&different), "{different} differ");
}

#[test]
fn what_is_too_large_is_refused() {
    let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    let text: Vec<String> = (0..70).map(|number| format!("G F p{number}")).collect();
    let f = formulas.parse(&text.join(" & "), &mut atoms).unwrap();
    assert!(matches!(translate(&mut formulas, f), Err(TooLarge::States | TooLarge::Conditions | TooLarge::Marks)));
    let mut deep = formulas.atom(0);
    for _ in 0..100_000 {
        deep = formulas.next(deep);
    }
    assert_eq!(translate(&mut formulas, deep).unwrap_err(), TooLarge::Operators);
    let text: Vec<String> = (0..30).flat_map(|a| (0..100).map(move |b| format!("X(p{a} U q{b})"))).collect();
    let wide = formulas.parse(&text.join(" | "), &mut atoms).unwrap();
    assert_eq!(translate(&mut formulas, wide).unwrap_err(), TooLarge::Operators);
    let letter: Letter = [0].into_iter().collect();
    let word = mandala_logic::words::Lasso::new(vec![], vec![letter]);
    assert!(word.satisfies(&formulas, deep), "the evaluation has no limit");
}

#[test]
fn a_long_conjunction_is_negated_part_by_part() {
    // For each two of n processes: whoever asks keeps asking until the other has left.
    for n in [8, 20] {
        let pairs = (1..=n).flat_map(|i| (i + 1..=n).map(move |j| (i, j)));
        let parts: Vec<String> = pairs.map(|(i, j)| format!("G((r{i} && c{j}) -> (r{i} U (r{i} && !c{j})))")).collect();
        let automaton = of(&format!("!({})", parts.join(" && ")));
        // One state waits, one has seen enough, and one is for each pair.
        assert_eq!(automaton.state_count(), parts.len() + 2);
        assert!(automaton.conditions().len() < 40 * parts.len());
    }
}

#[test]
fn twenty_atoms_are_no_effort_for_conditions() {
    let mut automaton = Automaton::new(0);
    let conditions = automaton.conditions_mut();
    let parity = (0..20).fold(Condition::FALSE, |parity, atom| {
        let atom = conditions.literal(atom, true);
        let (one, other) = (conditions.minus(parity, atom), conditions.minus(atom, parity));
        conditions.or(one, other)
    });
    let odd = |letter: u32| conditions.satisfied(parity, |atom| letter >> atom & 1 == 1);
    assert!(odd(1) && !odd(3) && odd(7 << 12) && !odd(0));
    assert!(conditions.len() < 2000);
}
