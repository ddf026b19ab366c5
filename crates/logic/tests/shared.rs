//! Formulas of the shared models: what is known of them, by our automata.

mod common;

use std::fs;

use common::{formula_lines, rows, shared};
use mandala_logic::classify::classify;
use mandala_logic::words::{distinguish, equivalent};
use mandala_logic::{Atoms, Formulas, translate};

#[test]
fn equivalent_pairs_are_found_equivalent_and_different_pairs_different() {
    let Some(path) = shared("ltl/equivalences.csv") else { return };
    let rows = rows(&fs::read_to_string(path).unwrap());
    assert!(rows.len() > 280);
    for row in rows {
        let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
        let f = formulas.parse(&row[0], &mut atoms).unwrap();
        let g = formulas.parse(&row[1], &mut atoms).unwrap();
        let word = distinguish(&mut formulas, f, g).unwrap();
        match &*row[2] {
            "EQUIVALENT" => assert_eq!(word, None, "{} and {}", row[0], row[1]),
            "DIFFERENT" => {
                let word = word.unwrap_or_else(|| panic!("{} and {} are not the same", row[0], row[1]));
                assert_ne!(word.satisfies(&formulas, f), word.satisfies(&formulas, g));
            }
            other => panic!("unknown verdict {other}"),
        }
    }
}

#[test]
fn formulas_of_all_files_are_read_printed_simplified_and_translated_without_a_change_of_meaning() {
    // How many formulas there are, and how many states their automata have together, with those of the negations.
    let files = [("known", 90, 636), ("emptchk", 180, 1324), ("dtgbasat", 110, 1011), ("spin13-big2", 99, 1016)];
    for (file, least, most_states) in files {
        let Some(path) = shared(&format!("ltl/spot-{file}.ltl")) else { return };
        let text = fs::read_to_string(path).unwrap();
        let lines = formula_lines(&text);
        assert!(lines.len() >= least, "{file}: {}", lines.len());
        let mut states = 0;
        for (number, line) in lines {
            let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
            let f = formulas.parse(line, &mut atoms).unwrap_or_else(|error| panic!("{file}:{number}: {error}"));
            let printed = formulas.display(f, &atoms).to_string();
            assert_eq!(formulas.parse(&printed, &mut atoms), Ok(f), "{file}:{number}: {printed}");
            let simple = formulas.simplify(f);
            assert!(equivalent(&mut formulas, f, simple).unwrap(), "{file}:{number}");
            let negation = formulas.negation(f);
            let (right, wrong) = (translate(&mut formulas, f).unwrap(), translate(&mut formulas, negation).unwrap());
            states += right.state_count() + wrong.state_count();
            assert!(!right.union(&wrong).unwrap().is_empty(), "{file}:{number}");
        }
        assert!(states <= most_states, "{file}: {states}");
    }
}

/// The places of the Dwyer patterns in the list that their classes were taken from. The file gives the classes by
/// position, but has the 11th and the 13th pattern at the end.
fn place_of_pattern(index: usize) -> usize {
    match index {
        0..10 => index,
        10 => 11,
        11..53 => index + 2,
        53 => 10,
        _ => 12,
    }
}

#[test]
fn formulas_are_in_the_classes_that_are_known() {
    let Some(path) = shared("ltl/classes.csv") else { return };
    let rows = rows(&fs::read_to_string(path).unwrap());
    let (patterns, others): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row[3].starts_with("Dwyer"));
    assert_eq!((patterns.len(), others.len()), (55, 40));
    let placed = (0..55).map(|index| (&patterns[index][0], &*patterns[place_of_pattern(index)][2], true));
    let others = others.iter().map(|row| (&row[0], &*row[2], false));
    for (text, known, exact) in placed.chain(others) {
        let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
        let f = formulas.parse(text, &mut atoms).unwrap();
        let class = classify(&mut formulas, f).unwrap();
        let agrees = match known {
            "bottom" => class.safety && class.guarantee,
            "safety" => class.safety && !(exact && class.guarantee),
            "guarantee" => class.guarantee && !(exact && class.safety),
            // Those that are not exact have `Ga | Gb`, a safety property, among the obligations.
            "obligation" => class.obligation && !(exact && (class.safety || class.guarantee)),
            "recurrence" | "persistence" | "reactivity" => !class.obligation,
            other => panic!("unknown class {other}"),
        };
        assert!(agrees, "{text}: {known}, and not {class:?}");
    }
}
