//! Automata as text.

mod common;

use std::fs;

use common::{Rng, atoms, formula, formula_lines, seeds, shared, word};
use mandala_logic::words::Lasso;
use mandala_logic::{Atoms, Formulas, hoa, translate};

fn error(text: &str) -> String {
    hoa::read(text, &mut Atoms::new()).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_read_as_an_automaton_of_the_same_words() {
    for seed in seeds(1500) {
        let mut rng = Rng::new(seed);
        let mut formulas = Formulas::new();
        let mut atoms = atoms(3);
        let size = 1 + rng.below(10);
        let f = formula(&mut rng, &mut formulas, 3, size);
        let automaton = translate(&mut formulas, f).unwrap();
        let name = formulas.display(f, &atoms).to_string();
        let text = hoa::write(&automaton, &atoms, &name);
        let again = hoa::read(&text, &mut atoms).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!((again.state_count(), again.edge_count()), (automaton.state_count(), automaton.edge_count()));
        assert_eq!(hoa::write(&again, &atoms, &name), text);
        for _ in 0..10 {
            let word = word(&mut rng, 3);
            assert_eq!(word.is_accepted_by(&again), word.satisfies(&formulas, f), "seed {seed}:\n{text}");
        }
    }
}

#[test]
fn an_automaton_is_written_as_other_tools_expect_it() {
    let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    let f = formulas.parse("G F p & G F \"a \\\"b\\\"\"", &mut atoms).unwrap();
    let automaton = translate(&mut formulas, f).unwrap();
    let text = hoa::write(&automaton, &atoms, "");
    let expected = "HOA: v1\nStates: 1\nStart: 0\nAP: 2 \"p\" \"a \\\"b\\\"\"\nacc-name: generalized-Buchi 2\n\
        Acceptance: 2 Inf(0)&Inf(1)\nproperties: trans-labels explicit-labels trans-acc deterministic complete\n--BODY--\n\
        State: 0\n[!0&!1] 0\n[0&!1] 0 {0}\n[!0&1] 0 {1}\n[0&1] 0 {0 1}\n--END--\n";
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&text), sorted(expected), "{text}");
}

#[test]
fn shared_automata_are_read_and_are_those_of_their_formulas() {
    let Some(folder) = shared("ltl/hoa") else { return };
    let lines = fs::read_to_string(folder.join("formulas.ltl")).unwrap();
    let lines = formula_lines(&lines);
    let (mut count, mut compared) = (0, 0);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "hoa") {
            continue;
        }
        count += 1;
        let text = fs::read_to_string(&path).unwrap();
        let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
        let automaton = hoa::read(&text, &mut atoms).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let number = stem.strip_prefix("formulas_l").and_then(|number| number.parse().ok());
        let named = text.lines().find_map(|line| line.strip_prefix("name: ")).map(|name| name.trim_matches('"'));
        let formula = match number {
            Some(number) => lines.iter().find(|(line, _)| *line == number).map(|&(_, formula)| formula),
            None => named.filter(|name| !name.contains("LTL") && !name.contains(':')),
        };
        if let Some(formula) = formula {
            compared += 1;
            let f = formulas.parse(formula, &mut atoms).unwrap();
            let negation = formulas.negation(f);
            let ours = translate(&mut formulas, f).unwrap();
            let others = translate(&mut formulas, negation).unwrap();
            assert!(automaton.intersection(&others).unwrap().is_empty(), "{stem}: too much for {formula}");
            let word = (0..300).map(|seed| word(&mut Rng::new(seed), atoms.len() as u32));
            for word in word {
                assert_eq!(word.is_accepted_by(&automaton), word.satisfies(&formulas, f), "{stem}: {formula}");
            }
            assert!(ours.state_count() <= automaton.state_count(), "{stem}: {} states", ours.state_count());
        }
    }
    assert_eq!((count, compared), (17, 13));
}

/// An acceptance condition as a tree.
enum Acceptance {
    Constant(bool),
    Inf(bool, u32),
    Fin(bool, u32),
    And(Box<Acceptance>, Box<Acceptance>),
    Or(Box<Acceptance>, Box<Acceptance>),
}

impl Acceptance {
    fn random(rng: &mut Rng, sets: u32, size: u64) -> Acceptance {
        if size == 0 {
            let (positive, set) = (rng.below(3) > 0, rng.below(u64::from(sets)) as u32);
            return match rng.below(9) {
                0 => Acceptance::Constant(rng.below(2) == 0),
                1..=4 => Acceptance::Inf(positive, set),
                _ => Acceptance::Fin(positive, set),
            };
        }
        let left = rng.below(size);
        let one = Box::new(Acceptance::random(rng, sets, left));
        let other = Box::new(Acceptance::random(rng, sets, size - 1 - left));
        if rng.below(2) == 0 { Acceptance::And(one, other) } else { Acceptance::Or(one, other) }
    }

    fn text(&self) -> String {
        let sign = |positive: &bool| if *positive { "" } else { "!" };
        match self {
            Acceptance::Constant(value) => if *value { "t" } else { "f" }.to_string(),
            Acceptance::Inf(positive, set) => format!("Inf({}{set})", sign(positive)),
            Acceptance::Fin(positive, set) => format!("Fin({}{set})", sign(positive)),
            Acceptance::And(one, other) => format!("({} & {})", one.text(), other.text()),
            Acceptance::Or(one, other) => format!("({} | {})", one.text(), other.text()),
        }
    }

    /// Whether it holds of the sets of the edges that are met infinitely often.
    fn holds(&self, edges: &[Vec<u32>]) -> bool {
        let met = |positive: bool, set: u32| edges.iter().any(|sets| sets.contains(&set) == positive);
        match self {
            Acceptance::Constant(value) => *value,
            Acceptance::Inf(positive, set) => met(*positive, *set),
            Acceptance::Fin(positive, set) => !met(*positive, *set),
            Acceptance::And(one, other) => one.holds(edges) && other.holds(edges),
            Acceptance::Or(one, other) => one.holds(edges) || other.holds(edges),
        }
    }
}

/// The sets of the edges that the run of a deterministic automaton meets infinitely often. Edges are numbered by state
/// and letter, over two atoms.
fn met_infinitely_often(word: &Lasso, targets: &[[usize; 4]], sets: &[[Vec<u32>; 4]]) -> Vec<Vec<u32>> {
    let (letters, start) = (word.letters(), word.stem().len());
    let (mut state, mut position) = (0, 0);
    let mut met = Vec::new();
    let rounds = targets.len() + 1;
    let total = start + 2 * rounds * word.loop_letters().len();
    for step in 0..total {
        let letter = usize::from(letters[position].holds(0)) + 2 * usize::from(letters[position].holds(1));
        if step >= start + rounds * word.loop_letters().len() {
            met.push(sets[state][letter].clone());
        }
        state = targets[state][letter];
        position = if position + 1 == letters.len() { start } else { position + 1 };
    }
    met
}

#[test]
fn every_acceptance_condition_is_converted() {
    for seed in seeds(600) {
        let mut rng = Rng::new(seed);
        let states = 1 + rng.below(4) as usize;
        let targets: Vec<[usize; 4]> =
            (0..states).map(|_| std::array::from_fn(|_| rng.below(states as u64) as usize)).collect();
        let sets: Vec<[Vec<u32>; 4]> =
            (0..states).map(|_| std::array::from_fn(|_| (0..3).filter(|_| rng.below(3) == 0).collect())).collect();
        let size = rng.below(5);
        let acceptance = Acceptance::random(&mut rng, 3, size);
        let mut text = format!("HOA: v1 Start: 0 AP: 2 \"p0\" \"p1\" Acceptance: 3 {} --BODY--\n", acceptance.text());
        for state in 0..states {
            // Without labels: the edges are those of the letters in order.
            text.push_str(&format!("State: {state}\n"));
            for letter in 0..4 {
                let sets: Vec<String> = sets[state][letter].iter().map(u32::to_string).collect();
                text.push_str(&format!("{} {{{}}}\n", targets[state][letter], sets.join(" ")));
            }
        }
        text.push_str("--END--");
        let mut atoms = atoms(2);
        let automaton = hoa::read(&text, &mut atoms).unwrap_or_else(|error| panic!("{error}\n{text}"));
        for _ in 0..20 {
            let word = word(&mut rng, 2);
            let met = met_infinitely_often(&word, &targets, &sets);
            assert_eq!(word.is_accepted_by(&automaton), acceptance.holds(&met), "seed {seed}:\n{text}");
        }
    }
}

#[test]
fn labels_may_be_aliases_and_belong_to_states() {
    let text = "HOA: v1 /* a /* nested */ comment */ tool: \"t\" \"1\" name: \"n\" States: 2 Start: 0 Start: 1 AP: 2 \"a\" \"b\"
        Alias: @x 0&!1 Alias: @y @x | 1 Acceptance: 1 Inf(0) properties: state-labels weird-property my-header: 3
        --BODY-- State: [@y] 0 \"named\" {0} 0 1 State: 1 [!@x] 1 --END--";
    let mut atoms = Atoms::new();
    let mut automaton = hoa::read(text, &mut atoms).unwrap();
    assert_eq!((automaton.initial(), automaton.state_count(), automaton.edge_count()), (&[0, 1][..], 2, 3));
    let (a, b) = (atoms.find("a").unwrap(), atoms.find("b").unwrap());
    let conditions = automaton.conditions_mut();
    let (a, b) = (conditions.literal(a, true), conditions.literal(b, true));
    let (x, y) = (conditions.minus(a, b), conditions.or(a, b));
    let not_x = conditions.not(x);
    let labels: Vec<_> =
        automaton.states().flat_map(|state| automaton.edges(state)).map(|edge| edge.condition).collect();
    assert_eq!(labels, [y, y, not_x]);
}

#[test]
fn errors_say_where_and_what_is_wrong() {
    let with =
        |body: &str| format!("HOA: v1\nAP: 1 \"a\"\nStates: 2\nStart: 0\nAcceptance: 1 Inf(0)\n--BODY--\n{body}");
    for (text, message) in [
        (String::new(), "line 1, column 1: expected `HOA: v1`"),
        ("HOA: v2".into(), "line 1, column 6: only version v1 of the format is supported"),
        (
            "HOA: v1\nFoo: 1".into(),
            "line 2, column 1: `Foo:` may change what the automaton means, and is not supported",
        ),
        ("HOA: v1\nStart: 0&1".into(), "line 2, column 9: alternating automata are not supported"),
        ("HOA: v1\nStates: 9999999999".into(), "line 2, column 9: the number 9999999999 is too large"),
        ("HOA: v1\nStates: 999999999".into(), "line 2, column 1: there are more states than the text has room for"),
        ("HOA: v1\nAP: 2 \"a\"".into(), "line 2, column 5: 2 atoms are announced, and 1 are named"),
        ("HOA: v1\nAP: 2 \"a\" \"a\"".into(), "line 2, column 11: the atom \"a\" is named twice"),
        (
            "HOA: v1\nAcceptance: 1 Inf(1)".into(),
            "line 2, column 19: there are only 1 acceptance sets, numbered from 0",
        ),
        ("HOA: v1\nAcceptance: 1 !Inf(0)".into(), "line 2, column 15: there is no negation in acceptance conditions"),
        (
            "HOA: v1\nAcceptance: 1 Foo(0)".into(),
            "line 2, column 15: expected `Inf`, `Fin`, `t`, `f` or a bracket, found `Foo`",
        ),
        ("HOA: v1\n--BODY-- --END--".into(), "line 1, column 1: there is no acceptance condition"),
        ("HOA: v1 /* no end".into(), "line 1, column 9: the comment that starts here has no end"),
        (with("State: 2"), "line 7, column 8: there are only 2 states, numbered from 0"),
        (with("State: 0 [1] 0"), "line 7, column 11: there are only 1 atoms, numbered from 0"),
        (with("State: 0 [@b] 0"), "line 7, column 11: there is no alias `@b`"),
        (with("State: 0 [t] 0 {3}"), "line 7, column 17: there are only 1 acceptance sets, numbered from 0"),
        (with("State: 0 [t] 0&1"), "line 7, column 15: alternating automata are not supported"),
        (with("State: 0 0 0"), "line 7, column 13: expected `State:` or `--END--`, found the end of the text"),
        (
            with("State: 0 0 --END--"),
            "line 7, column 8: without labels, state 0 needs one edge for each of the 2 letters",
        ),
        (with("State: 0 [t 0"), "line 7, column 13: expected `]`, found 0"),
        (with("--ABORT--"), "line 7, column 1: the automaton was not finished"),
        (with("--END-- HOA: v1"), "line 7, column 9: only one automaton can be read at a time"),
    ] {
        assert_eq!(error(&text), message, "{text}");
    }
}

#[test]
fn deep_and_large_texts_are_refused() {
    let deep = format!("HOA: v1 AP: 0 Acceptance: 0 {}t", "(".repeat(100_000));
    assert!(error(&deep).contains("nested more than"));
    let negated = format!("HOA: v1 AP: 0 Acceptance: 0 t --BODY-- State: 0 [{}t] 0 --END--", "!".repeat(100_000));
    assert!(error(&negated).contains("nested more than"));
    let pairs: Vec<String> = (0..20).map(|pair| format!("(Fin({}) | Inf({}))", 2 * pair, 2 * pair + 1)).collect();
    assert!(error(&format!("HOA: v1 Acceptance: 40 {}", pairs.join("&"))).contains("too large"));
}

#[test]
fn damaged_automata_are_read_or_refused() {
    let whole = "HOA: v1\nname: \"x\"\nStates: 3\nStart: 0\nAP: 2 \"a\" \"b\"\nAlias: @x 0\nacc-name: Rabin 1\n\
        Acceptance: 2 Fin(0)&Inf(1)\nproperties: trans-acc\n--BODY--\nState: 0\n[@x] 1 {0}\n[!0&1 | t] 2\nState: [0] 1 {1}\n2\n\
        State: 2\n0 1 2 0\n--END--\n";
    assert!(hoa::read(whole, &mut Atoms::new()).is_ok());
    let mut read = 0;
    for seed in seeds(20_000) {
        let mut rng = Rng::new(seed);
        let mut text = whole.to_string();
        for _ in 0..=rng.below(3) {
            let at = rng.below(text.len() as u64) as usize;
            let until = (at + 1 + rng.below(4) as usize).min(text.len());
            let pieces =
                ["", "0", "9", "[", "]", "{", "}", "(", "&", "|", "!", "\"", "@x", "State:", "--END--", "é", "Inf(0)"];
            if text.is_char_boundary(at) && text.is_char_boundary(until) {
                text.replace_range(at..until, pieces[rng.below(pieces.len() as u64) as usize]);
            }
        }
        match hoa::read(&text, &mut Atoms::new()) {
            Ok(automaton) => {
                read += 1;
                automaton.is_empty();
            }
            Err(error) => assert!(error.line <= text.lines().count() + 1, "{text}"),
        }
    }
    assert!(read > 100, "only {read} were automata");
}
