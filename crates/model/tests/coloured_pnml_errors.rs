//! What the reader of PNML symmetric nets says to bad ones.

use insta::assert_snapshot;
use mandala_model::coloured::pnml;

/// Everything that is wrong with a file.
fn errors(text: &str) -> String {
    pnml::read("bad.pnml", text).expect_err("this file is wrong").to_string()
}

/// What is wrong with a net.
fn around(body: &str) -> String {
    errors(&format!(
        "<pnml>\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\">\n{body}\n</net>\n</pnml>\n"
    ))
}

/// Sorts and variables that most nets here use.
const COMMON: &str = "<namedsort id=\"dot\" name=\"dot\"><dot/></namedsort>\n\
    <namedsort id=\"hue\" name=\"Hue\"><finiteenumeration><feconstant id=\"red\" name=\"red\"/><feconstant id=\"blue\" name=\"blue\"/></finiteenumeration></namedsort>\n\
    <namedsort id=\"level\" name=\"Level\"><finiteintrange start=\"1\" end=\"3\"/></namedsort>\n\
    <namedsort id=\"both\" name=\"Both\"><productsort><usersort declaration=\"hue\"/><usersort declaration=\"level\"/></productsort></namedsort>\n\
    <variabledecl id=\"x\" name=\"x\"><usersort declaration=\"hue\"/></variabledecl>\n\
    <variabledecl id=\"number\" name=\"number\"><usersort declaration=\"level\"/></variabledecl>\n";

/// What is wrong with some declarations, after the common ones.
fn declared(declarations: &str) -> String {
    around(&format!(
        "<declaration><structure><declarations>\n{COMMON}{declarations}\n</declarations></structure></declaration>"
    ))
}

/// What is wrong with nodes and arcs of a net with the common declarations.
fn nodes(body: &str) -> String {
    around(&format!(
        "{body}\n<declaration><structure><declarations>\n{COMMON}</declarations></structure></declaration>"
    ))
}

/// A place of a sort.
fn place(id: &str, sort: &str) -> String {
    format!("<place id=\"{id}\"><type><structure><usersort declaration=\"{sort}\"/></structure></type></place>")
}

/// What is wrong with the marking of a place of a sort.
fn marking(sort: &str, term: &str) -> String {
    nodes(&format!(
        "<place id=\"p\"><type><structure><usersort declaration=\"{sort}\"/></structure></type>\n\
         <hlinitialMarking><structure>\n{term}\n</structure></hlinitialMarking></place>"
    ))
}

/// What is wrong with an arc from a place of a sort.
fn arc(sort: &str, term: &str) -> String {
    let place = place("p", sort);
    nodes(&format!(
        "{place}\n<transition id=\"t\"/>\n<arc source=\"p\" target=\"t\"><hlinscription><structure>\n{term}\n</structure></hlinscription></arc>"
    ))
}

/// What is wrong with a condition.
fn condition(term: &str) -> String {
    nodes(&format!("<transition id=\"t\"><condition><structure>\n{term}\n</structure></condition></transition>"))
}

/// A term with operands, each a line.
fn term(name: &str, operands: &[&str]) -> String {
    let operands: String = operands.iter().map(|operand| format!("<subterm>{operand}</subterm>\n")).collect();
    format!("<{name}>\n{operands}</{name}>")
}

const X: &str = "<variable refvariable=\"x\"/>";
const NUMBER: &str = "<variable refvariable=\"number\"/>";
const RED: &str = "<useroperator declaration=\"red\"/>";

#[test]
fn not_a_symmetric_net() {
    assert_snapshot!("empty", errors(""));
    assert_snapshot!(
        "cut_off",
        errors("<pnml>\n<net id=\"n\" type=\"symmetricnet\">\n<place id=\"p\">\n<type><structure>")
    );
    assert_snapshot!(
        "place_transition",
        errors("<pnml>\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"/>\n</pnml>")
    );
    assert_snapshot!(
        "uncoloured_labels",
        nodes(
            "<place id=\"p\"><type><structure><usersort declaration=\"dot\"/></structure></type><initialMarking><text>1</text></initialMarking></place>\n\
             <transition id=\"t\"/>\n<arc source=\"p\" target=\"t\"><inscription><text>1</text></inscription></arc>"
        )
    );
}

#[test]
fn undeclared() {
    assert_snapshot!("sort", nodes(&place("p", "huge")));
    assert_snapshot!("sort_far_off", nodes(&place("p", "temperature")));
    assert_snapshot!("variable", arc("level", "<variable refvariable=\"nubmer\"/>"));
    assert_snapshot!("constant", arc("hue", "<useroperator declaration=\"blau\"/>"));
    assert_snapshot!("operator", arc("hue", &term("sucessor", &[X])));
    assert_snapshot!(
        "partition",
        condition(&term(
            "equality",
            &["<partitionelementof refpartition=\"ages\"><variable refvariable=\"x\"/></partitionelementof>", RED]
        ))
    );
    assert_snapshot!("nothing_declared", around(&place("p", "hue")));
}

#[test]
fn wrong_class_or_width() {
    assert_snapshot!("variable_of_another_class", arc("hue", NUMBER));
    assert_snapshot!("component_of_another_class", arc("both", &term("tuple", &[NUMBER, X])));
    assert_snapshot!("too_wide", arc("both", &term("tuple", &[X, NUMBER, NUMBER])));
    assert_snapshot!("too_narrow", arc("both", X));
    assert_snapshot!("coloured_dot", arc("dot", RED));
    assert_snapshot!("dot_in_colour", arc("hue", "<dotconstant/>"));
    assert_snapshot!("all_of_another", marking("hue", "<all><usersort declaration=\"level\"/></all>"));
    assert_snapshot!("all_of_product", marking("hue", "<all><usersort declaration=\"both\"/></all>"));
    assert_snapshot!("compared", condition(&term("equality", &[X, NUMBER])));
    assert_snapshot!(
        "another_range",
        condition(&term(
            "lessthan",
            &[
                NUMBER,
                "<finiteintrangeconstant value=\"1\"><finiteintrange start=\"1\" end=\"9\"/></finiteintrangeconstant>"
            ]
        ))
    );
    assert_snapshot!(
        "outside_of_range",
        condition(&term(
            "lessthan",
            &[
                NUMBER,
                "<finiteintrangeconstant value=\"4\"><finiteintrange start=\"1\" end=\"3\"/></finiteintrangeconstant>"
            ]
        ))
    );
    assert_snapshot!(
        "order_of_tuples",
        condition(&term("lessthan", &[&term("tuple", &[X, NUMBER]), &term("tuple", &[X, NUMBER])]))
    );
    assert_snapshot!("successor_of_tuple", arc("both", &term("successor", &[&term("tuple", &[X, NUMBER])])));
}

#[test]
fn terms() {
    let times = |number: &str| {
        term("numberof", &[&format!("<numberconstant value=\"{number}\"><positive/></numberconstant>"), RED])
    };
    assert_snapshot!("negative_multiplicity", marking("hue", &times("-1")));
    assert_snapshot!("large_multiplicity", marking("hue", &times("99999999999")));
    assert_snapshot!("no_number", marking("hue", &term("numberof", &[RED, RED])));
    assert_snapshot!("variable_in_marking", marking("hue", X));
    assert_snapshot!("no_operands", marking("hue", "<add/>"));
    assert_snapshot!("too_few_operands", condition(&term("equality", &[X])));
    assert_snapshot!(
        "too_many_operands",
        condition(&term("not", &["<booleanconstant value=\"true\"/>", "<booleanconstant value=\"true\"/>"]))
    );
    assert_snapshot!(
        "bag_in_condition",
        condition(&term("equality", &[X, "<all><usersort declaration=\"hue\"/></all>"]))
    );
    assert_snapshot!("colour_as_condition", condition(X));
    assert_snapshot!("condition_as_colour", arc("hue", &term("equality", &[X, X])));
    assert_snapshot!("neither_true_nor_false", condition("<booleanconstant value=\"maybe\"/>"));
    assert_snapshot!("sort_as_colour", condition(&term("equality", &[X, "<useroperator declaration=\"hue\"/>"])));
    assert_snapshot!("two_terms", marking("hue", &[RED, RED].join("\n")));
    assert_snapshot!(
        "only_words",
        nodes("<transition id=\"t\"><condition><text>x = red</text></condition></transition>")
    );
    assert_snapshot!("high_level", arc("level", &term("addition", &[NUMBER, "<numberconstant value=\"1\"/>"])));
}

#[test]
fn declarations() {
    let sort = |inside: &str| declared(&format!("<namedsort id=\"s\" name=\"S\">{inside}</namedsort>"));
    assert_snapshot!("integers", sort("<integer/>"));
    assert_snapshot!("strings_and_lists", [sort("<string/>"), sort("<list><integer/></list>")].join("\n"));
    assert_snapshot!("unknown_sort", sort("<prodcutsort/>"));
    assert_snapshot!(
        "no_colours",
        [sort("<finiteenumeration/>"), sort("<finiteintrange start=\"3\" end=\"2\"/>")].join("\n")
    );
    assert_snapshot!("too_large_range", sort("<finiteintrange start=\"0\" end=\"10000000000\"/>"));
    assert_snapshot!("no_bound", sort("<finiteintrange start=\"one\"/>"));
    assert_snapshot!("no_sort", sort(""));
    assert_snapshot!(
        "inline_enumeration",
        sort("<productsort><finiteenumeration><feconstant id=\"a\" name=\"a\"/></finiteenumeration></productsort>")
    );
    assert_snapshot!(
        "defined_by_itself",
        declared(
            "<namedsort id=\"a\" name=\"A\"><usersort declaration=\"b\"/></namedsort>\n\
             <namedsort id=\"b\" name=\"B\"><productsort><usersort declaration=\"hue\"/><usersort declaration=\"a\"/></productsort></namedsort>"
        )
    );
    assert_snapshot!(
        "same_ids",
        declared(
            "<namedsort id=\"hue\" name=\"Hue2\"><dot/></namedsort>\n\
             <variabledecl id=\"x\" name=\"y\"><usersort declaration=\"hue\"/></variabledecl>\n\
             <namedsort id=\"s\" name=\"S\"><cyclicenumeration><feconstant id=\"red\" name=\"rouge\"/></cyclicenumeration></namedsort>"
        )
    );
    assert_snapshot!(
        "operators",
        declared("<namedoperator id=\"f\" name=\"f\"/>\n<arbitrarysort id=\"g\" name=\"g\"/>\n<variabldecl/>")
    );
}

#[test]
fn partitions() {
    let partition = |elements: &str| {
        declared(&format!(
            "<partition id=\"part\" name=\"Part\"><usersort declaration=\"hue\"/>\n{elements}\n</partition>"
        ))
    };
    let element = |id: &str, colours: &[&str]| {
        let colours: String =
            colours.iter().map(|colour| format!("<useroperator declaration=\"{colour}\"/>")).collect();
        format!("<partitionelement id=\"{id}\" name=\"{id}\">{colours}</partitionelement>")
    };
    assert_snapshot!("leaves_out", partition(&element("warm", &["red"])));
    assert_snapshot!("twice", partition(&[element("warm", &["red"]), element("cold", &["blue", "red"])].join("\n")));
    assert_snapshot!("unknown_colour", partition(&[element("warm", &["rd"]), element("cold", &["blue"])].join("\n")));
    assert_snapshot!(
        "of_product",
        declared("<partition id=\"part\" name=\"Part\"><usersort declaration=\"both\"/></partition>")
    );
    let declared = "<partition id=\"part\" name=\"Part\"><usersort declaration=\"hue\"/>".to_owned()
        + &element("warm", &["red", "blue"])
        + "</partition>";
    assert_snapshot!(
        "compared_with_colour",
        around(&format!(
            "<declaration><structure><declarations>\n{COMMON}{declared}</declarations></structure></declaration>\n\
             <transition id=\"t\"><condition><structure>\n{}\n</structure></condition></transition>",
            term("equality", &[X, "<useroperator declaration=\"warm\"/>"])
        ))
    );
}

#[test]
fn nodes_and_arcs() {
    let two = format!("{}\n<transition id=\"t\"/>\n", place("p", "hue"));
    let arc = |attributes: &str| {
        format!(
            "<arc source=\"p\" target=\"t\"{attributes}><hlinscription><structure>{RED}</structure></hlinscription></arc>\n"
        )
    };
    assert_snapshot!("no_type", nodes("<place id=\"p\"/>"));
    assert_snapshot!("empty_type", nodes("<place id=\"p\"><type>\n</type></place>"));
    assert_snapshot!("empty_structure", nodes("<place id=\"p\"><type><structure/></type></place>"));
    assert_snapshot!("same_id", nodes(&[place("p", "hue"), place("p", "level")].join("\n")));
    assert_snapshot!("no_inscription", nodes(&format!("{two}<arc source=\"p\" target=\"t\"/>")));
    assert_snapshot!("reset", nodes(&format!("{two}{}", arc(" type=\"reset\""))));
    assert_snapshot!("two_reads", nodes(&format!("{two}{0}{0}", arc(" type=\"read\""))));
    assert_snapshot!("unknown_element", nodes("<transition id=\"t\"><guard/></transition>\n<module/>"));
    assert_snapshot!(
        "priorities",
        nodes("<transition id=\"t\"><priority><value>1</value></priority></transition>\n<transition id=\"u\"/>")
    );
}

#[test]
fn hostile() {
    let deep = |name: &str, count: usize, inside: &str| {
        format!(
            "{}{inside}{}",
            format!("<{name}><subterm>").repeat(count),
            format!("</subterm></{name}>").repeat(count)
        )
    };
    assert_snapshot!(
        "deep",
        condition(&deep("not", 401, "<booleanconstant value=\"true\"/>"))
            .lines()
            .take(2)
            .collect::<Vec<_>>()
            .join("\n")
    );
    for (name, count) in [("not", 100_000), ("and", 100_000), ("subterm", 100_000)] {
        assert!(condition(&deep(name, count, X)).contains("error"));
    }
    assert!(marking("hue", &deep("tuple", 100_000, RED)).contains("too deep"));
    // Each sort is a product of two of the one before.
    let doubling: String = (1..40)
        .map(|number| format!("<namedsort id=\"s{number}\" name=\"s{number}\"><productsort><usersort declaration=\"s{0}\"/><usersort declaration=\"s{0}\"/></productsort></namedsort>\n", number - 1))
        .collect();
    assert_snapshot!(
        "doubling",
        declared(&format!("<namedsort id=\"s0\" name=\"s0\"><usersort declaration=\"hue\"/></namedsort>\n{doubling}"))
    );
    let chain: String = (0..10_000)
        .map(|number| {
            format!(
                "<namedsort id=\"s{number}\" name=\"s{number}\"><usersort declaration=\"s{}\"/></namedsort>\n",
                number + 1
            )
        })
        .collect();
    assert!(
        declared(&format!("{chain}<namedsort id=\"s10000\" name=\"last\"><dot/></namedsort>"))
            .contains("too long a row")
    );
}
