//! Formulas of LTL that treat processes unequally: whoever says how symmetries are used gets just that.

use mandala::{Format, Model, Reader, Symbolic, Symmetry, SymmetryOfFormula, Traces};
use std::time::Duration;

const WAYS: [SymmetryOfFormula; 3] =
    [SymmetryOfFormula::Group, SymmetryOfFormula::Consistent, SymmetryOfFormula::Product];

fn pairs(n: usize, part: impl Fn(usize, usize) -> String) -> String {
    let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    all.map(|(i, j)| part(i, j)).collect::<Vec<_>>().join(" && ")
}

/// The states of the product that are kept in a way, with a limit on the time and without traces: other looks at a question
/// come first then, unless it is said how symmetries are used.
fn kept(model: &Model, formula: &str, symmetry: Symmetry, way: SymmetryOfFormula) -> Option<u64> {
    let query = model.check(formula).expect("a formula").traces(Traces::Unwanted).timeout(Duration::from_secs(600));
    let answer = query.symmetry(symmetry).symmetry_of_formula(way).run().expect("an answer");
    assert_eq!(answer.holds(), Some(true), "{symmetry:?}, {way:?}");
    answer.product_states.and_then(|count| count.to_u64())
}

#[test]
fn the_way_that_is_asked_for_is_taken() {
    let text = include_str!("../../../models/critical-section.gal");
    let model = Reader::new().format(Format::Gal).define("N", 6).parse(text).expect("a model");
    let formula = pairs(6, |i, j| {
        format!(
            "G (requests[{i}] == 1 && inside[{j}] == 1 -> (requests[{i}] == 1 U (requests[{i}] == 1 && inside[{j}] == 0)))"
        )
    });
    let found = WAYS.map(|way| kept(&model, &formula, Symmetry::Auto, way));
    assert_eq!(found, [Some(721), Some(391), Some(265)]);
    assert_eq!(kept(&model, &formula, Symmetry::Explore, SymmetryOfFormula::Product), Some(265));
    assert!(kept(&model, &formula, Symmetry::Auto, SymmetryOfFormula::Auto).is_some());
}

#[test]
fn colours_are_processes() {
    let text = "net Server {
        class Client = c{1..4};
        place idle : Client = <all>;
        place served : Client;
        place answer : Client;
        place free = 1;
        transition begin (Client c) { take idle<c>; take free; put served<c>; }
        transition reply (Client c) { take served<c>; put free; put answer<c>; }
        transition receive (Client c) { take answer<c>; put idle<c>; }
    }";
    let model = Model::parse(text, Format::Sn).expect("a net");
    let formula = pairs(4, |i, j| {
        let (i, j) = (i + 1, j + 1);
        format!(
            "G (answer(c{i}) == 1 && served(c{j}) == 1 -> (answer(c{i}) == 1 U (idle(c{i}) == 1 || served(c{j}) == 0)))"
        )
    });
    let mut before = u64::MAX;
    for way in WAYS {
        let states = kept(&model, &formula, Symmetry::Auto, way).expect("states of the product");
        assert!(states < before, "{way:?}: {states}");
        before = states;
    }
    assert!(kept(&model, &formula, Symmetry::Auto, SymmetryOfFormula::Auto).is_some());
    // On symbolic markings, too, it is said how many there were.
    let query = model.check(&formula).expect("a formula").symmetry(Symmetry::Auto).symbolic(Symbolic::List);
    let answer = query.run().expect("an answer");
    assert_eq!(answer.holds(), Some(true));
    assert!(answer.product_states.is_some());
    // Both at once cannot be had.
    let query = model.check(&formula).expect("a formula").symmetry(Symmetry::Auto).symbolic(Symbolic::List);
    let error = query.symmetry_of_formula(SymmetryOfFormula::Product).run().expect_err("both are chosen");
    assert!(error.to_string().contains("unfolded"), "{error}");
}
