//! Formulas as text.

mod common;

use common::{Rng, atoms, formula, seeds};
use mandala_logic::formula::{Formula, MAX_DEPTH};
use mandala_logic::{Atoms, Formulas};

fn read(text: &str) -> (Formulas, Atoms, Formula) {
    let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    let f = formulas.parse(text, &mut atoms).unwrap_or_else(|error| panic!("{text}: {error}"));
    (formulas, atoms, f)
}

fn printed(text: &str) -> String {
    let (formulas, atoms, f) = read(text);
    formulas.display(f, &atoms).to_string()
}

fn error(text: &str) -> String {
    Formulas::new().parse(text, &mut Atoms::new()).unwrap_err().to_string()
}

#[test]
fn what_is_printed_is_read_as_the_same_formula() {
    for seed in seeds(5000) {
        let mut rng = Rng::new(seed);
        let mut formulas = Formulas::new();
        let mut atoms = atoms(2);
        atoms.intern("x < 3 \"quoted\\\"");
        atoms.intern("GFa");
        atoms.intern("U");
        atoms.intern("p=1");
        let size = rng.below(25);
        let f = formula(&mut rng, &mut formulas, 6, size);
        for f in [f, formulas.normal_form(f), formulas.simplify(f)] {
            let text = formulas.display(f, &atoms).to_string();
            assert_eq!(formulas.parse(&text, &mut atoms), Ok(f), "seed {seed}: {text}");
        }
    }
}

#[test]
fn operators_bind_as_in_other_tools() {
    for (text, meaning) in [
        ("a & b ^ c | d", "(a & b) xor (c | d)"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a <-> b -> c", "a <-> (b -> c)"),
        ("a U b U c", "a U (b U c)"),
        ("a U b & c", "(a U b) & c"),
        ("a U b W c R d M e", "a U (b W (c R (d M e)))"),
        ("!a U b", "(!a) U b"),
        ("X a & b", "(X a) & b"),
        ("G a -> F b | c", "(G a) -> ((F b) | c)"),
        ("a xor b xor c", "(a xor b) xor c"),
        ("a | b & c", "a | (b & c)"),
    ] {
        let (mut formulas, mut atoms, f) = read(text);
        assert_eq!(formulas.parse(meaning, &mut atoms), Ok(f), "{text} is {meaning}");
    }
}

#[test]
fn the_signs_of_spot_and_spin_are_understood() {
    for (text, same) in [
        ("[]<>p", "G F p"),
        ("p /\\ q \\/ r", "p & q | r"),
        ("p && q || r", "p & q | r"),
        ("p V q", "p R q"),
        ("p => q", "p -> q"),
        ("p <=> q", "p <-> q"),
        ("~p", "!p"),
        ("GFp", "G F p"),
        ("XXp", "X X p"),
        ("FGp0 | FGp1", "(F G p0) | (F G p1)"),
        ("p=1Uq=1", "p=1 U q=1"),
        ("X(p=1)Uq=1", "(X p=1) U q=1"),
        ("\"p=1\" R P_0.CS", "p=1 R P_0.CS"),
        ("1 U 0", "true U false"),
        ("(p)U0Rq", "p U (0 R q)"),
        ("F1", "true"),
        ("¬a ∧ b ∨ c → d ↔ e ⊕ f", "((!a & b) | c) -> (d <-> (e xor f))"),
    ] {
        let (mut formulas, mut atoms, f) = read(text);
        assert_eq!(formulas.parse(same, &mut atoms), Ok(f), "{text} is {same}");
    }
}

#[test]
fn a_word_is_an_atom_and_no_operator_if_it_is_known() {
    let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    let full = atoms.intern("Full");
    assert_eq!(formulas.parse("Full", &mut atoms), Ok(formulas.clone().atom(full)));
    assert_eq!(printed("Full"), "F ull");
    assert_eq!(printed("\"Full\""), "\"Full\"");
}

#[test]
fn formulas_are_printed_with_few_brackets() {
    for text in [
        "G(p -> F q)",
        "p U (q & r) | !(s W t)",
        "G F p & F G q",
        "(p U q) U r",
        "p U (q U r)",
        "(p -> q) -> r",
        "X !p M q xor r",
        "!(p & q)",
        "\"x[1] < 3\" R true_",
    ] {
        assert_eq!(printed(text), text);
    }
}

#[test]
fn errors_say_where_and_what_was_expected() {
    for (text, message) in [
        ("", "column 1: expected a formula, found the end of the text"),
        ("p &", "column 4: expected a formula, found the end of the text"),
        ("p & & q", "column 5: expected a formula, found `&`"),
        ("(p U q", "column 7: expected an operator or `)` for the bracket of column 1, found the end of the text"),
        ("p q", "column 3: expected an operator or the end of the formula, found `q`"),
        ("p)", "column 2: this bracket was never opened"),
        ("é & \"p", "column 5: the quote that starts here has no end"),
        ("p % q", "column 3: `%` means nothing here; names with such characters go between quotes"),
        ("2", "column 1: `2` is no formula; only 0 and 1 are constants, and other names go between quotes"),
        ("p Request", "column 3: expected an operator or the end of the formula, found `Request`"),
        ("U p", "column 1: expected a formula, found `U`"),
        ("p U", "column 4: expected a formula, found the end of the text"),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
}

#[test]
fn deep_formulas_are_refused_and_wide_ones_are_not() {
    let deep = [
        format!("{}p{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{}p", "X ".repeat(100_000)),
        format!("{}p", "p U ".repeat(100_000)),
        format!("{}p", "p -> ".repeat(100_000)),
        format!("p{}", " xor q xor r".repeat(100_000)),
    ];
    for text in deep {
        assert!(error(&text).contains(&format!("nested more than {MAX_DEPTH} deep")), "{}", error(&text));
    }
    let wide = (0..20_000).map(|number| format!("p{number}")).collect::<Vec<_>>().join(" & ");
    assert_eq!(printed(&wide), wide);
    let nested = format!("{}p", "X ".repeat(MAX_DEPTH as usize));
    assert_eq!(printed(&nested), nested);
}

#[test]
fn damaged_formulas_are_read_or_refused() {
    let pieces =
        ["p", "U", "GF", "(", ")", "!", "\"", "\\", "=", "=1", "->", "<", "[]", " ", "0", "é", "x.y", "&", "F", "/\\"];
    let mut read = 0;
    for seed in seeds(20_000) {
        let mut rng = Rng::new(seed);
        let length = rng.below(12);
        let text: String = (0..length).map(|_| pieces[rng.below(pieces.len() as u64) as usize]).collect();
        let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
        match formulas.parse(&text, &mut atoms) {
            Ok(f) => {
                read += 1;
                let again = formulas.display(f, &atoms).to_string();
                assert_eq!(formulas.parse(&again, &mut atoms), Ok(f), "{text} and {again}");
            }
            Err(error) => assert!(error.column <= text.chars().count() + 1 && error.span.end <= text.len(), "{text}"),
        }
    }
    assert!(read > 100, "only {read} were formulas");
}
