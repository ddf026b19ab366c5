//! What the reader of the contest's property files says to bad ones.

mod readers;

use insta::assert_snapshot;
use mandala_model::net::pnml;
use mandala_model::property::contest;
use mandala_model::system::{System, Type};
use readers::samples;

/// Everything that is wrong with a file about the sample net.
fn errors(text: &str) -> String {
    let net = pnml::read("sample.pnml", samples::NET).expect("the sample is right");
    let system = System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
    contest::read("bad.xml", text, &system, None).expect_err("this file is wrong").to_string()
}

/// What is wrong with a formula.
fn formula(formula: &str) -> String {
    errors(&format!(
        "<property-set>\n<property>\n<id>p</id>\n<formula>\n{formula}\n</formula>\n</property>\n</property-set>\n"
    ))
}

#[test]
fn files() {
    assert_snapshot!("empty", errors(""));
    assert_snapshot!("net", errors("<pnml>\n</pnml>\n"));
    assert_snapshot!("cut_off", errors("<property-set>\n<property>\n<id>p</id>\n<formula>\n<all-paths>\n<globally>\n"));
    assert_snapshot!("unknown_element", errors("<property-set>\n<proprety/>\n</property-set>\n"));
    assert_snapshot!("two_roots", errors("<property-set/>\n<property-set/>\n"));
}

#[test]
fn properties() {
    let inside = |inside: &str| errors(&format!("<property-set>\n{inside}\n</property-set>\n"));
    assert_snapshot!("no_name", inside("<property>\n<formula><true/></formula>\n</property>"));
    assert_snapshot!("no_formula", inside("<property>\n<id>p</id>\n</property>"));
    assert_snapshot!(
        "two_formulas",
        inside("<property>\n<id>p</id>\n<formula><true/></formula>\n<formula><true/></formula>\n</property>")
    );
    let property = "<property><id>p</id><formula><true/></formula></property>";
    assert_snapshot!("same_name", inside(&[property, property].join("\n")));
}

#[test]
fn names() {
    assert_snapshot!("unknown_place", formula("<place-bound><place>sever</place></place-bound>"));
    assert_snapshot!("unknown_transition", formula("<is-fireable><transition>start</transition></is-fireable>"));
    assert_snapshot!("place_for_transition", formula("<is-fireable><transition>busy</transition></is-fireable>"));
}

#[test]
fn wrong_contents() {
    assert_snapshot!("nothing", formula(""));
    assert_snapshot!("two_negations", formula("<negation><true/><true/></negation>"));
    assert_snapshot!("empty_conjunction", formula("<conjunction>\n<conjunction/>\n</conjunction>"));
    assert_snapshot!("one_integer", formula("<integer-le><integer-constant>1</integer-constant></integer-le>"));
    assert_snapshot!("formula_for_integer", formula("<integer-le>\n<true/>\n<true/>\n</integer-le>"));
    assert_snapshot!("integer_for_formula", formula("<negation>\n<integer-constant>1</integer-constant>\n</negation>"));
    assert_snapshot!("only_an_integer", formula("<integer-constant>1</integer-constant>"));
    assert_snapshot!("no_place", formula("<place-bound/>"));
    assert_snapshot!(
        "until_backwards",
        formula("<exists-path><until><reach><true/></reach><before><true/></before></until></exists-path>")
    );
    assert_snapshot!("bound_inside", formula("<negation><place-bound><place>busy</place></place-bound></negation>"));
    assert_snapshot!("misspelt", formula("<negtion><true/></negtion>"));
    assert_snapshot!("not_supported", formula("<is-live><transition>begin</transition></is-live>"));
    assert_snapshot!("constant_too_large", formula("<integer-constant>99999999999</integer-constant>"));
    assert_snapshot!("constant_in_words", formula("<integer-constant>two</integer-constant>"));
}

#[test]
fn neither_logic() {
    assert_snapshot!("no_quantifier", formula("<globally><true/></globally>"));
    assert_snapshot!(
        "exists_over_runs",
        formula("<exists-path><globally><finally><true/></finally></globally></exists-path>")
    );
    let inner = "<all-paths>\n<next><next><true/></next></next>\n</all-paths>";
    assert_snapshot!("mixed", formula(&format!("<all-paths>\n<globally>\n{inner}\n</globally>\n</all-paths>")));
    assert_snapshot!("quantifier_over_a_state", formula("<exists-path><true/></exists-path>"));
}

#[test]
fn too_deep() {
    let deep = |depth: usize| format!("{}<true/>{}", "<negation>".repeat(depth), "</negation>".repeat(depth));
    assert_snapshot!("deep", formula(&deep(256)).replace(&deep(200), "…"));
    assert!(formula(&deep(100_000)).contains("more than 256 deep"));
    assert!(formula(&"<negation>".repeat(100_000)).contains("`</formula>` where `</negation>` was expected"));
}
