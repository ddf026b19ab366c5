//! What the readers of GreatSPN's files say to bad ones.

use insta::assert_snapshot;
use mandala_model::coloured::greatspn;

const PLACE: &str = "P -10003 1 1 1 1 0 1 1 C\n";
const TRANSITION: &str = "t 1.0 1 0 1 0 1 1 1 1 1 1 0\n   1 1 0 0 0.0 0.0 <x>\n   0\n   0\n";
const DEFINITIONS: &str =
    "|256\n%\n|\n(C c 1.0 1.0 (@c\no C1\n))\n(C1 c 1.0 1.0 (@c\np{1-3}\n))\n(M m 1.0 1.0 (@m\n<S>\n))\n";

/// Everything that is wrong with a net and its definitions.
fn both(net: &str, def: Option<&str>) -> String {
    let def = def.map(|text| ("bad.def", text));
    greatspn::read_net("bad.net", net, def).expect_err("this net is wrong").to_string()
}

/// What is wrong with a net of one place and one transition.
fn net(place: &str, transition: &str) -> String {
    both(&format!("|0|\n|\nf 1 1 0 1 0 0 0\nn 2 1 1 0\n{place}{transition}"), Some(DEFINITIONS))
}

/// What is wrong with a transition that takes some tokens under some guard.
fn arc(function: &str, guard: &str) -> String {
    let guard = if guard.is_empty() { String::new() } else { format!(" 1 1 [{guard}]") };
    let first = format!("t 1.0 1 0 1 0 1 1 1 1 1 1 0{guard}\n");
    net(PLACE, &format!("{first}   1 1 0 0 0.0 0.0 {function}\n   0\n   0\n"))
}

/// What is wrong with some definitions.
fn def(definitions: &str) -> String {
    let text = format!("|0|\n|\nf 0 1 0 1 0 0 0\n{PLACE}{TRANSITION}");
    both(&text, Some(&format!("|256\n%\n|\n{definitions}")))
}

#[test]
fn not_a_net() {
    assert_snapshot!("empty", both("", None));
    assert_snapshot!("words", both("once upon a time\n", None));
    assert_snapshot!("no_numbers", both("|0|\n|\nplaces and transitions\n", None));
    assert_snapshot!("cut_off", both("|0|\n|\nf 0 2 0 0 0 0 0\nP 0 1 1 1 1 0\n", None));
    assert_snapshot!("goes_on", both("|0|\n|\nf 0 1 0 0 0 0 0\nP 0 1 1 1 1 0\nQ 0 1 1 1 1 0\n", None));
}

#[test]
fn places_and_arcs() {
    assert_snapshot!("no_definitions", both(&format!("|0|\n|\nf 0 1 0 0 0 0 0\n{PLACE}"), None));
    assert_snapshot!("unknown_class", net("P 0 1 1 1 1 0 1 1 C,CC\n", TRANSITION));
    assert_snapshot!("marking_not_defined", net("P -10009 1 1 1 1 0 1 1 C\n", TRANSITION));
    assert_snapshot!("marking_is_a_class", net("P -10001 1 1 1 1 0 1 1 C\n", TRANSITION));
    assert_snapshot!("marking_is_a_number", net("P 3 1 1 1 1 0 1 1 C\n", TRANSITION));
    assert_snapshot!("no_such_parameter", net("P -2 1 1 1 1 0\n", TRANSITION));
    assert_snapshot!("no_coordinate", net("P 0 1 1 C 1 0 1 1 C\n", TRANSITION));
    assert_snapshot!("line_too_short", net("P 0 1 1\n", TRANSITION));
    let with = |arc: &str| net(PLACE, &format!("t 1.0 1 0 1 0 1 1 1 1 1 1 0\n{arc}   0\n   0\n"));
    assert_snapshot!("no_such_place", with("   1 7 0 0 0.0 0.0 <x>\n"));
    assert_snapshot!("no_function", with("   1 1 0 0\n"));
    assert_snapshot!("function_and_weight", with("   2 1 0 0 0.0 0.0 <x>\n"));
    assert_snapshot!("reset", net(PLACE, "t 1.0 1 0 0 0 1 1 1 1 1 1 0 1 1 #\n   0\n   0\n"));
    assert_snapshot!("no_value", both("|0|\n|\nf 1 0 0 0 0 0 0\nn -7134 1 1 0\n", None));
}

#[test]
fn functions_and_guards() {
    assert_snapshot!("not_a_tuple", arc("x", ""));
    assert_snapshot!("not_closed", arc("<x", ""));
    assert_snapshot!("goes_on_after", arc("<x> <y>", ""));
    assert_snapshot!("too_many_components", arc("<x,y>", ""));
    assert_snapshot!("variable_or_colour", arc("<p1>", ""));
    assert_snapshot!("unknown_subclass", arc("<S C2>", ""));
    assert_snapshot!("no_third_subclass", arc("<S 3>", ""));
    assert_snapshot!("strange", arc("<x>+<y~>", ""));
    assert_snapshot!("guard_without_variable", arc("<x>", "y = p1"));
    assert_snapshot!("guard_unknown", arc("<x>", "x = p4"));
    assert_snapshot!("guard_order", arc("<x>", "x < p2"));
    assert_snapshot!("guard_mixed", arc("<x>", "d(x) = !x"));
    assert_snapshot!("guard_cut_off", arc("<x>", "x = p1 and"));
    assert_snapshot!("guard_number", arc("<x>", "x = 1"));
    assert_snapshot!("guard_deep", arc("<x>", &format!("{}x=x{}", "(".repeat(200), ")".repeat(200))));
    let two = "f 0 2 0 1 0 0 0\nP 0 1 1 1 1 0 1 1 C\nQ 0 1 1 1 1 0 1 1 D\n\
               t 1.0 1 0 2 0 1 1 1 1 1 1 0\n   1 1 0 0 0 0 <x>\n   1 2 0 0 0 0 <!x>\n   0\n   0\n";
    let more = format!("{DEFINITIONS}(D c 1 1 (@c\nu D1\n))\n(D1 c 1 1 (@c\n{{a,b}}\n))\n");
    assert_snapshot!("variable_of_two_classes", both(&format!("|0|\n|\n{two}"), Some(&more)));
    assert_snapshot!("no_order", both(&format!("|0|\n|\n{}", two.replace("<!x>", "<!y>")), Some(&more)));
}

#[test]
fn bad_definitions() {
    assert_snapshot!("def_no_mark", both(&format!("|0|\n|\nf 0 1 0 1 0 0 0\n{PLACE}{TRANSITION}"), Some("classes\n")));
    assert_snapshot!("def_no_name", def("C c 1 1 (@c\nu C1\n))\n"));
    assert_snapshot!("def_kind", def("(C k 1 1 (@k\nu C1\n))\n"));
    assert_snapshot!("def_cut_off", def("(C c 1 1 (@c\nu C1\n"));
    assert_snapshot!("def_no_subclass", def("(C c 1 1 (@c\nu C1\n))\n(C2 c 1 1 (@c\n{a}\n))\n"));
    assert_snapshot!("def_no_order", def("(C c 1 1 (@c\nC1\n))\n"));
    assert_snapshot!("def_empty_range", def("(C c 1 1 (@c\nu C1\n))\n(C1 c 1 1 (@c\np{3-2}\n))\n"));
    assert_snapshot!("def_colour_twice", def("(C c 1 1 (@c\nu C1\n))\n(C1 c 1 1 (@c\n{a,b,a}\n))\n"));
    assert_snapshot!(
        "def_class_twice",
        def("(C c 1 1 (@c\nu C1\n))\n(C c 1 1 (@c\nu C1\n))\n(C1 c 1 1 (@c\n{a}\n))\n")
    );
    let class = "(C c 1 1 (@c\nu C1\n))\n(C1 c 1 1 (@c\n{a,b}\n))\n";
    assert_snapshot!("def_marking_unknown", def(&format!("{class}(M m 1 1 (@m\n<a>+<c>\n))\n")));
    assert_snapshot!("def_dynamic", def(&format!("{class}(M m 1 1 (@m\n(C1:2)\n))\n")));
    assert_snapshot!("def_template", def("(C c 1 1 (@c\nu C1\n))\n(C1 c 1 1 (@c\n{@X@}\n))\n"));
    assert_snapshot!(
        "def_too_many",
        def("(C c 1 1 (@c\nu A,B\n))\n(A c 1 1 (@c\na{0-999999}\n))\n(B c 1 1 (@c\n{b}\n))\n")
    );
}

/// Everything that is wrong with a project.
fn project(text: &str) -> String {
    greatspn::read_project("bad.PNPRO", text, &[]).expect_err("this project is wrong").to_string()
}

/// What is wrong with a net of some nodes and arcs, a line each.
fn page(nodes: &str, arcs: &str) -> String {
    let class = "<color-class name=\"C\" definition=\"p{1..3}\"/>\n<color-var name=\"x\" domain=\"C\"/>\n";
    let places = "<place name=\"P\" domain=\"C\"/>\n<place name=\"Q\"/>\n<transition name=\"t\" type=\"EXP\"/>\n";
    project(&format!(
        "<project name=\"p\" version=\"121\">\n<gspn name=\"g\">\n<nodes>\n{class}{places}{nodes}</nodes>\n\
         <edges>\n{arcs}</edges>\n</gspn>\n</project>\n"
    ))
}

fn mult(mult: &str) -> String {
    let mult = mult.replace('&', "&amp;").replace('<', "&lt;");
    page("", &format!("<arc kind=\"INPUT\" tail=\"P\" head=\"t\" mult=\"{mult}\"/>\n"))
}

fn guard(guard: &str) -> String {
    let guard = guard.replace('&', "&amp;").replace('<', "&lt;");
    page(&format!("<transition name=\"u\" type=\"IMM\" guard=\"{guard}\"/>\n"), "")
}

#[test]
fn not_a_project() {
    assert_snapshot!("project_empty", project(""));
    assert_snapshot!("project_other", project("<pnml/>\n"));
    assert_snapshot!("project_no_net", project("<project name=\"p\">\n<dta name=\"d\"/>\n</project>\n"));
    assert_snapshot!(
        "project_two_nets",
        project(
            "<project name=\"p\">\n<gspn name=\"one\"/>\n<gspn name=\"two\"/>\n<gspn name=\"three\"/>\n</project>\n"
        )
    );
}

#[test]
fn bad_nodes() {
    assert_snapshot!("node_unknown", page("<location name=\"l\"/>\n", ""));
    assert_snapshot!("node_twice", page("<place name=\"t\"/>\n", ""));
    assert_snapshot!("node_fluid", page("<place name=\"R\" type=\"CONTINUOUS\"/>\n", ""));
    assert_snapshot!("node_domain", page("<place name=\"R\" domain=\"CC\"/>\n", ""));
    assert_snapshot!("node_marking", page("<place name=\"R\" marking=\"2-3\"/>\n", ""));
    assert_snapshot!("node_coloured_marking", page("<place name=\"R\" domain=\"C\" marking=\"&lt;x&gt;\"/>\n", ""));
    assert_snapshot!("node_type", page("<transition name=\"u\" type=\"CONT\"/>\n", ""));
    assert_snapshot!("class_word", page("<color-class name=\"D\" definition=\"circulr c{1..2}\"/>\n", ""));
    assert_snapshot!("class_bound", page("<color-class name=\"D\" definition=\"c{1..n}\"/>\n", ""));
    assert_snapshot!("class_product", page("<color-class name=\"D\" definition=\"C * E\"/>\n", ""));
    assert_snapshot!("template_no_value", page("<template name=\"n\" type=\"INTEGER\" last-binding=\"\"/>\n", ""));
    assert_snapshot!(
        "constant_circle",
        page(
            "<constant name=\"n\" consttype=\"INTEGER\" value=\"m+1\"/>\n\
             <constant name=\"m\" consttype=\"INTEGER\" value=\"n\"/>\n",
            ""
        )
    );
    let defined = [("N".to_owned(), 3)];
    let text = "<project name=\"p\">\n<gspn name=\"g\">\n<nodes>\n<template name=\"n\" type=\"INTEGER\"/>\n</nodes>\n</gspn>\n</project>\n";
    let error = greatspn::read_project("bad.PNPRO", text, &defined).expect_err("there is no N");
    assert_snapshot!("define_unknown", error.to_string());
}

#[test]
fn bad_arcs() {
    assert_snapshot!("arc_unknown_end", page("", "<arc kind=\"INPUT\" tail=\"P\" head=\"tt\"/>\n"));
    assert_snapshot!("arc_two_places", page("", "<arc kind=\"INPUT\" tail=\"P\" head=\"Q\"/>\n"));
    assert_snapshot!("arc_inhibits_place", page("", "<arc kind=\"INHIBITOR\" tail=\"t\" head=\"Q\"/>\n"));
    assert_snapshot!("arc_kind", page("", "<arc kind=\"RESET\" tail=\"Q\" head=\"t\"/>\n"));
    assert_snapshot!("arc_zero", page("", "<arc kind=\"INPUT\" tail=\"Q\" head=\"t\" mult=\"0\"/>\n"));
    assert_snapshot!("arc_marking", page("", "<arc kind=\"INPUT\" tail=\"Q\" head=\"t\" mult=\"#Q\"/>\n"));
    assert_snapshot!("arc_tuple", page("", "<arc kind=\"INPUT\" tail=\"Q\" head=\"t\" mult=\"&lt;x&gt;\"/>\n"));
    assert_snapshot!("arc_nothing", page("", "<arc kind=\"INPUT\" tail=\"P\" head=\"t\"/>\n"));
    assert_snapshot!("arc_unknown_variable", mult("<y>"));
    assert_snapshot!("arc_step", mult("<x++>"));
    assert_snapshot!("arc_union", mult("<x+p1>"));
    assert_snapshot!("arc_filter", mult("<x>[@[0] != p1]"));
    assert_snapshot!("arc_subclass", mult("<Subclass[x]>"));
    assert_snapshot!("arc_constant", mult("bag"));
}

#[test]
fn bad_guards() {
    assert_snapshot!("guard_function", guard("CN[x] == 1"));
    assert_snapshot!("guard_marking", guard("#Q == 1"));
    assert_snapshot!("guard_equivalent", guard("x == p1 <-> x == p2"));
    assert_snapshot!("guard_no_variable", guard("p1 != p2"));
    assert_snapshot!("guard_unknown_subclass", guard("x in High"));
    assert_snapshot!("guard_incomplete", guard("x != p1 && "));
}
