//! What the reader of PNML files says to bad ones.

use insta::assert_snapshot;
use mandala_model::net::pnml;

/// Everything that is wrong with a file.
fn errors(text: &str) -> String {
    pnml::read("bad.pnml", text).expect_err("this file is wrong").to_string()
}

/// What is wrong with a net made of some places, transitions and arcs, a line each.
fn around(body: &str) -> String {
    errors(&format!(
        "<pnml>\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n{body}\n</net>\n</pnml>\n"
    ))
}

/// What is wrong with a net with two places and a transition and a NUPN section of some units.
fn units(structure: &str, units: &str) -> String {
    around(&format!(
        "<place id=\"idle\"/>\n<place id=\"busy\"/>\n<transition id=\"t\"/>\n\
         <toolspecific tool=\"nupn\" version=\"1.1\">\n<structure {structure}>\n{units}\n</structure>\n</toolspecific>"
    ))
}

#[test]
fn not_even_xml() {
    assert_snapshot!("empty", errors(""));
    assert_snapshot!("blank", errors("  \n\n"));
    assert_snapshot!("words", errors("once upon a time"));
    assert_snapshot!("zeros", errors("\0\0\0\0"));
    assert_snapshot!("tag_without_end", errors("<pnml><net id=\"n\"\n"));
    assert_snapshot!("quote_without_end", errors("<pnml><net id=\"n></net></pnml>\n"));
    assert_snapshot!("comment_without_end", errors("<pnml>\n<!-- never ends </pnml>\n"));
    assert_snapshot!("tag_without_name", errors("<pnml>\n< place/></pnml>\n"));
    assert_snapshot!("crossed", errors("<pnml>\n<net id=\"n\">\n<page>\n</net>\n</page>\n</pnml>\n"));
    assert_snapshot!("closes_nothing", errors("<pnml><net id=\"n\"/></pnml>\n</net>\n"));
    assert_snapshot!("two_roots", errors("<pnml><net id=\"n\"/></pnml>\n<pnml/>\n"));
    assert_snapshot!("text_after", errors("<pnml><net id=\"n\"/></pnml>\nthe end\n"));
    assert_snapshot!("attribute_unquoted", around("<place id=p1/>"));
    assert_snapshot!("attribute_without_value", around("<place id/>"));
    assert_snapshot!("attribute_twice", around("<place id=\"p\" id=\"q\"/>"));
}

#[test]
fn cut_off() {
    assert_snapshot!("cut_off", errors("<pnml>\n<net id=\"n\">\n<place id=\"p\">\n<initialMarking>\n<te"));
    assert_snapshot!("cut_off_between", errors("<pnml>\n<net id=\"n\">\n<place id=\"p\">\n"));
}

#[test]
fn not_a_net() {
    assert_snapshot!("another_language", errors("<html>\n<body/>\n</html>\n"));
    assert_snapshot!("properties", errors("<property-set xmlns=\"http://mcc.lip6.fr/\">\n</property-set>\n"));
    assert_snapshot!("no_net", errors("<pnml>\n</pnml>\n"));
    assert_snapshot!("two_nets", errors("<pnml>\n<net id=\"a\"/>\n<net id=\"b\"/>\n</pnml>\n"));
    let symmetric = "http://www.pnml.org/version-2009/grammar/symmetricnet";
    assert_snapshot!(
        "symmetric",
        errors(&format!("<pnml>\n<net id=\"n\" type=\"{symmetric}\"><place/></net>\n</pnml>\n"))
    );
    assert_snapshot!("colours", around("<place id=\"p\"><hlinitialMarking/></place>"));
}

#[test]
fn nodes() {
    assert_snapshot!("no_id", around("<place/>\n<transition/>"));
    assert_snapshot!("empty_id", around("<place id=\"\"/>"));
    assert_snapshot!("same_id", around("<place id=\"p\"/>\n<transition id=\"p\"/>"));
    assert_snapshot!(
        "reference_to_nothing",
        around("<place id=\"buffer\"/>\n<referencePlace id=\"r\" ref=\"bufer\"/>")
    );
    assert_snapshot!(
        "reference_in_circles",
        around("<referencePlace id=\"r\" ref=\"s\"/>\n<referencePlace id=\"s\" ref=\"r\"/>")
    );
    assert_snapshot!("reference_to_the_other", around("<transition id=\"t\"/>\n<referencePlace id=\"r\" ref=\"t\"/>"));
}

#[test]
fn numbers() {
    let marking = |number: &str| {
        around(&format!("<place id=\"p\"><initialMarking><text>{number}</text></initialMarking></place>"))
    };
    assert_snapshot!("negative", marking("-3"));
    assert_snapshot!("too_large", marking("2147483648"));
    assert_snapshot!("far_too_large", marking(&"9".repeat(50)));
    assert_snapshot!("no_number", marking("three"));
    assert_snapshot!("no_digits", marking(""));
    assert_snapshot!("not_in_text", around("<place id=\"p\"><initialMarking>3</initialMarking></place>"));
    assert_snapshot!("unknown_entity", marking("&three;"));
    let capacity = "<initialMarking><text>3</text></initialMarking><capacity><text>2</text></capacity>";
    assert_snapshot!("over_capacity", around(&format!("<place id=\"p\">{capacity}</place>")));
}

#[test]
fn arcs() {
    let nodes = "<place id=\"p\"/>\n<place id=\"q\"/>\n<transition id=\"t\"/>\n";
    let arcs = |arcs: &str| around(&format!("{nodes}{arcs}"));
    let weighted =
        |weight: &str| format!("<arc source=\"p\" target=\"t\"><inscription><text>{weight}</text></inscription></arc>");
    assert_snapshot!(
        "unknown_end",
        around("<place id=\"place\"/>\n<arc id=\"a\" source=\"plaice\" target=\"nowhere\"/>")
    );
    assert_snapshot!("place_to_place", arcs("<arc id=\"a\" source=\"p\" target=\"q\"/>"));
    assert_snapshot!("transition_to_itself", arcs("<arc id=\"a\" source=\"t\" target=\"t\"/>"));
    assert_snapshot!("no_ends", arcs("<arc id=\"a\"/>"));
    assert_snapshot!("negative_weight", arcs(&weighted("-1")));
    assert_snapshot!("no_weight", arcs(&weighted("0")));
    assert_snapshot!("weights_too_large", arcs(&[weighted("2147483647"), weighted("1")].join("\n")));
    assert_snapshot!("stopwatch", arcs("<arc source=\"p\" target=\"t\"><type value=\"stopwatch\"/></arc>"));
    assert_snapshot!("no_type", arcs("<arc source=\"p\" target=\"t\"><type/></arc>"));
    assert_snapshot!("timed", arcs("<arc type=\"timed\" inscription=\"[2,5]\" source=\"p\" target=\"t\"/>"));
    assert_snapshot!("inhibitor_backwards", arcs("<arc source=\"t\" target=\"p\"><type value=\"inhibitor\"/></arc>"));
    assert_snapshot!("transport", arcs("<transportArc source=\"p\" target=\"t\"/>"));
}

#[test]
fn what_would_change_the_net() {
    let transition = |id: &str, inside: &str| format!("<transition id=\"{id}\">{inside}</transition>\n");
    let two = |one: &str, other: &str| around(&(transition("t", one) + &transition("u", other)));
    let priority = |value: &str| format!("<priority><value>{value}</value></priority>");
    assert_snapshot!("priorities", two(&priority("1"), &priority("2")));
    assert_snapshot!("priority_of_some", two("", &priority("1")));
    let timed = |value: &str| format!("<timed><value>{value}</value></timed>");
    assert_snapshot!("timed_or_unknown", two("", &timed("false")));
    assert_snapshot!("timed_perhaps", two(&timed("perhaps"), &timed("false")));
    assert_snapshot!("immediate_without_priority", two(&timed("false"), &(timed("false") + &priority("1"))));
    let immediate = |value: &str| timed("false") + &priority(value);
    assert_snapshot!("priorities_that_are_no_numbers", two(&immediate("-1"), &immediate("1.5")));
    assert_snapshot!(
        "priorities_as_attributes",
        around("<transition id=\"t\" priority=\"0\"/>\n<transition id=\"u\" priority=\"1\"/>")
    );
    assert_snapshot!(
        "ages",
        around("<place id=\"p\" invariant=\"&lt;= 5\"/>\n<place id=\"q\" invariant=\"&lt; inf\"/>")
    );
    assert_snapshot!(
        "unknown_elements",
        around("<place id=\"p\"><decay/></place>\n<transition id=\"t\"><guard/></transition>\n<module/>")
    );
    let marking = "<initialMarking><text>1</text></initialMarking>";
    assert_snapshot!("marked_twice", around(&format!("<place id=\"p\">\n{marking}\n{marking}\n</place>")));
    assert_snapshot!("net_inside", around("<page id=\"g\"><net id=\"sub\"/></page>"));
    assert_snapshot!(
        "marked_reference",
        around(&format!("<place id=\"p\"/>\n<referencePlace id=\"r\" ref=\"p\">{marking}</referencePlace>"))
    );
}

#[test]
fn contradictory_units() {
    let whole = "<unit id=\"u\"><places>idle busy</places><subunits/></unit>";
    assert_snapshot!("no_root", units("units=\"1\" safe=\"true\"", whole));
    assert_snapshot!("unknown_root", units("units=\"1\" root=\"v\" safe=\"true\"", whole));
    let root = "units=\"2\" root=\"u\" safe=\"true\"";
    assert_snapshot!("unknown_place", units(root, "<unit id=\"u\"><places>idle bussy</places><subunits/></unit>"));
    assert_snapshot!(
        "transition_in_unit",
        units(root, "<unit id=\"u\"><places>idle busy t</places><subunits/></unit>")
    );
    assert_snapshot!("place_twice", units(root, "<unit id=\"u\"><places>idle\nbusy idle</places><subunits/></unit>"));
    assert_snapshot!(
        "unknown_unit",
        units(root, "<unit id=\"u\"><places>idle busy</places><subunits>w</subunits></unit>")
    );
    assert_snapshot!(
        "unit_in_itself",
        units(root, "<unit id=\"u\"><places>idle busy</places><subunits>u</subunits></unit>")
    );
    assert_snapshot!("same_unit", units(root, &[whole, whole].join("\n")));
    let again = "<structure units=\"1\" root=\"u\" safe=\"true\"/>";
    let again = format!("<toolspecific tool=\"nupn\" version=\"1.1\">\n{again}\n</toolspecific>");
    assert_snapshot!("two_sections", around(&[again.as_str(), &again].join("\n")));
}

#[test]
fn hostile() {
    assert_snapshot!("deep", errors(&"<pnml>".repeat(100_000)));
    let bomb = "<!DOCTYPE bomb [\n<!ENTITY a \"ha\">\n<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\n]>\n";
    assert_snapshot!("bomb", errors(&format!("{bomb}<pnml><net id=\"&b;\"/></pnml>\n")));
    let bomb = format!("{bomb}<pnml><net id=\"n\"><place id=\"p\"><initialMarking><text>&b;</text></initialMarking>");
    assert_snapshot!("bomb_in_text", errors(&bomb));
    assert_snapshot!("long_name", around(&format!("<arc source=\"{0}\" target=\"{0}\"/>", "x".repeat(100_000))));
}

#[test]
fn everything_that_is_wrong_is_said() {
    assert_snapshot!(
        "all",
        around(
            "<place/>\n<place id=\"p\"><initialMarking><text>-1</text></initialMarking></place>\n\
             <transition id=\"p\"/>\n<transition id=\"t\"/>\n<arc source=\"p\" target=\"x\"/>\n<arc source=\"t\" target=\"t\"/>"
        )
    );
    let many = "<place id=\"p\"/>\n".repeat(50_000);
    let error =
        pnml::read("bad.pnml", &format!("<pnml><net id=\"n\">{many}</net></pnml>")).expect_err("one id for all");
    assert_eq!(error.problems.len(), 1_001);
    assert_eq!(error.problems[1_000].message, "and 48999 more problems of this kind");
}
