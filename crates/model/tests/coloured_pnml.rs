//! Symmetric nets in PNML: the shared ones, small ones, and large ones. Bad ones are in `coloured_pnml_errors.rs`.

mod readers;

use mandala_model::coloured::evaluate::Evaluator;
use mandala_model::coloured::pnml::{self, NotWritable};
use mandala_model::coloured::{
    Arc, BagExpression, Class, ClassOrder, ColouredNet, Colours, Element, Guard, Names, Place, Sort, Subclass, Term,
    Tokens, Transition, Variable,
};
use mandala_model::expression::Comparison;
use readers::{samples, shared};
use std::time::{Duration, Instant};

/// The shared symmetric nets: their names and their texts.
fn nets() -> Vec<(String, String)> {
    let folders = shared("mcc-col").into_iter().chain(shared("mcc-col-large"));
    let name = |folder: &std::path::Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = |folder: &std::path::Path| std::fs::read_to_string(folder.join("model.pnml")).expect("a readable file");
    folders.map(|folder| (name(&folder), text(&folder))).collect()
}

/// A shared symmetric net, if it is there.
fn shared_net(name: &str) -> Option<ColouredNet> {
    let (_, text) = nets().into_iter().find(|(one, _)| one == name)?;
    Some(pnml::read("model.pnml", &text).unwrap_or_else(|error| panic!("{error}")))
}

fn colour(term: Term) -> Element {
    Element::Each(BagExpression::One(term))
}

fn variable(number: u32) -> Element {
    colour(Term::Variable(number))
}

fn shifted(number: u32, steps: i64) -> Element {
    colour(Term::Shift(Box::new(Term::Variable(number)), steps))
}

fn constant(class: u32, of: u32) -> Element {
    colour(Term::Constant { class, colour: of })
}

fn all(class: u32) -> Element {
    Element::Each(BagExpression::All(Colours { class, subclass: None }))
}

fn tuple<const N: usize>(elements: [Element; N]) -> Tokens {
    Tokens::Tuple(elements.into())
}

fn arc(place: u32, tokens: Tokens) -> Arc {
    Arc { place, tokens }
}

fn place(name: &str, domain: &[u32], initial: Tokens) -> Place {
    Place { name: name.to_owned(), domain: domain.iter().map(|&class| Sort::Colour(class)).collect(), initial }
}

fn variables(given: &[(&str, u32)]) -> Vec<Variable> {
    let one =
        |&(name, class): &(&str, u32)| Variable { name: name.to_owned(), sort: Sort::Colour(class), unique: false };
    given.iter().map(one).collect()
}

fn listed(name: &str, order: ClassOrder, colours: &[&str]) -> Class {
    let names = Names::Listed(colours.iter().map(|colour| (*colour).to_owned()).collect());
    Class { name: name.to_owned(), names, order, subclasses: Vec::new() }
}

#[test]
fn shared_nets_are_read_as_they_describe_themselves() {
    for (name, text) in nets() {
        assert!(pnml::is_coloured(&text), "{name}");
        let reading = pnml::read_with_notes("model.pnml", &text).unwrap_or_else(|error| panic!("{name}\n{error}"));
        // Some files have stray text between two elements.
        assert!(
            reading.notes.iter().all(|note| note.message.starts_with("text between")),
            "{name}: {:?}",
            reading.notes
        );
        let net = reading.net;
        assert_eq!(net.name, name);
        assert_eq!(net.places.len(), text.matches("<place ").count(), "{name}");
        assert_eq!(net.transitions.len(), text.matches("<transition ").count(), "{name}");
        let arcs: usize = net.transitions.iter().map(|one| one.takes.len() + one.puts.len()).sum();
        assert_eq!(arcs, text.matches("<arc ").count(), "{name}");
        let guards = net.transitions.iter().filter(|one| one.guard != Guard::Constant(true)).count();
        assert_eq!(guards, text.matches("<condition>").count(), "{name}");
        let markings = net.places.iter().filter(|place| place.initial != Tokens::none()).count();
        assert_eq!(markings, text.matches("<hlinitialMarking>").count(), "{name}");
    }
}

#[test]
fn shared_nets_are_written_and_read_back() {
    for (name, text) in nets() {
        let net = pnml::read("model.pnml", &text).unwrap_or_else(|error| panic!("{name}\n{error}"));
        let written = pnml::write(&net).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(pnml::is_coloured(&written));
        let again = pnml::read("again.pnml", &written).unwrap_or_else(|error| panic!("{name}\n{error}"));
        assert!(again == net, "{name} changed");
    }
}

#[test]
fn philosophers_are_what_they_should_be() {
    let Some(net) = shared_net("Philosophers-COL-000005") else { return };
    assert_eq!(net.classes, [listed("Philo", ClassOrder::Circular, &["1", "2", "3", "4", "5"])]);
    let nothing = Tokens::none;
    assert_eq!(
        net.places,
        [
            place("Think", &[0], tuple([all(0)])),
            place("Fork", &[0], tuple([all(0)])),
            place("Catch1", &[0], nothing()),
            place("Catch2", &[0], nothing()),
            place("Eat", &[0], nothing()),
        ]
    );
    let names: Vec<&str> = net.transitions.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["FF1a", "FF1b", "FF2a", "FF2b", "End"]);
    let end = Transition {
        name: "End".to_owned(),
        variables: variables(&[("x", 0)]),
        takes: vec![arc(4, tuple([variable(0)]))],
        puts: vec![
            arc(0, tuple([variable(0)])),
            arc(1, Tokens::Sum(vec![tuple([variable(0)]), tuple([shifted(0, -1)])])),
        ],
        ..Transition::default()
    };
    assert_eq!(net.transitions[4], end);
}

#[test]
fn a_token_ring_is_what_it_should_be() {
    let Some(net) = shared_net("TokenRing-COL-005") else { return };
    assert_eq!(net.classes, [listed("Process", ClassOrder::Circular, &["0", "1", "2", "3", "4", "5"])]);
    let each = (0..6).map(|number| tuple([constant(0, number), constant(0, number)]));
    assert_eq!(net.places, [place("State", &[0, 0], Tokens::Sum(each.collect()))]);
    let differ = |left, right| Guard::Compare(Comparison::NotEqual, left, right);
    let other = Transition {
        name: "OtherProcess".to_owned(),
        variables: variables(&[("i", 0), ("x", 0), ("y", 0)]),
        guard: Guard::And(vec![
            differ(Term::Variable(0), Term::Constant { class: 0, colour: 0 }),
            differ(Term::Variable(1), Term::Variable(2)),
        ]),
        takes: vec![arc(0, Tokens::Sum(vec![tuple([variable(0), variable(1)]), tuple([shifted(0, -1), variable(2)])]))],
        puts: vec![arc(0, Tokens::Sum(vec![tuple([variable(0), variable(2)]), tuple([shifted(0, -1), variable(2)])]))],
        ..Transition::default()
    };
    assert_eq!(net.transitions[1], other);
}

#[test]
fn a_database_is_what_it_should_be() {
    let Some(net) = shared_net("DatabaseWithMutex-COL-02") else { return };
    let circular = |name| listed(name, ClassOrder::Circular, &["1", "2"]);
    assert_eq!(net.classes, [circular("site"), circular("file")]);
    assert_eq!(net.places[0], place("RecBuff", &[0, 1], Tokens::none()));
    assert_eq!(net.places[3], place("Mutex", &[1], tuple([all(1)])));
    // All sites but one.
    let both = Tokens::Sum(vec![tuple([constant(0, 0), variable(1)]), tuple([constant(0, 1), variable(1)])]);
    let others = Tokens::Difference(Box::new(both), Box::new(tuple([variable(0), variable(1)])));
    let change = Transition {
        name: "Change".to_owned(),
        variables: variables(&[("s", 0), ("f", 1)]),
        takes: vec![arc(5, tuple([variable(0), variable(1)]))],
        puts: vec![arc(2, tuple([variable(0), variable(1)])), arc(4, others)],
        ..Transition::default()
    };
    assert_eq!(net.transitions[2], change);
}

#[test]
fn partitions_and_ranges_of_a_shared_net() {
    let Some(net) = shared_net("VehicularWifi-COL-none") else { return };
    let stages = net.classes.iter().find(|class| class.name == "BackoffStage").expect("a class");
    assert_eq!(stages.len(), 1024);
    assert_eq!(stages.subclasses.len(), 9);
    assert!(stages.is_partitioned());
    assert_eq!(stages.subclasses[0].ranges, [(0, 4)]);
}

#[test]
fn the_sample_means_what_it_says() {
    let reading = pnml::read_with_notes("sample.pnml", samples::SYMMETRIC).unwrap_or_else(|error| panic!("{error}"));
    let net = reading.net;
    assert_eq!(reading.notes, []);
    let subclasses = vec![Subclass::new("young", vec![0]), Subclass::new("old", vec![1, 2])];
    let machine = Class { subclasses, ..listed("Machine", ClassOrder::Circular, &["1", "2", "3"]) };
    let hue = listed("Hue", ClassOrder::Unordered, &["red", "blue"]);
    let names = Names::Numbered { prefix: String::new(), first: 0, count: 4 };
    let level = Class { name: "Level".to_owned(), names, order: ClassOrder::Linear, subclasses: Vec::new() };
    let truth = listed("bool", ClassOrder::Unordered, &["false", "true"]);
    assert_eq!(net.classes, [machine, hue, level, truth]);
    // Three machines less one; two tokens and 2 old machines with 4 levels and 2 hues with 2 truth values; 5.
    let tokens: Vec<u64> = net.places.iter().map(|place| cardinality(&net, place)).collect();
    assert_eq!(tokens, [2, 2 + 2 * 4 * 2 * 2, 5, 0]);
    let begin = &net.transitions[0];
    assert_eq!(begin.variables, variables(&[("x", 0), ("n", 2), ("h", 1), ("b", 3), ("p.1", 1), ("p.2", 3)]));
    let Guard::And(parts) = &begin.guard else { panic!("{:?}", begin.guard) };
    let old = Colours { class: 0, subclass: Some(1) };
    let young = Colours { class: 0, subclass: Some(0) };
    assert_eq!(parts[0], Guard::Member(Term::Variable(0), old));
    // A later element than that of x: only `old` is later than something, and only than `young`.
    let before = Term::Shift(Box::new(Term::Variable(0)), -1);
    let Guard::Or(cases) = &parts[2] else { panic!("{:?}", parts[2]) };
    let is = |term: &Term, set| Guard::Member(term.clone(), set);
    let truth = Guard::Compare(Comparison::Equal, Term::Variable(3), Term::Constant { class: 3, colour: 1 });
    let never = [is(&Term::Variable(0), young), Guard::Not(Box::new(is(&Term::Variable(0), young)))];
    assert_eq!(cases[0], Guard::Not(Box::new(truth)));
    assert_eq!(cases[1], Guard::And([vec![is(&before, young)], never.to_vec()].concat()));
    assert_eq!(cases[2], Guard::And(vec![is(&before, old), is(&Term::Variable(0), young)]));
    // A read arc takes and puts back.
    assert_eq!(begin.takes, [arc(0, tuple([variable(0)])), arc(2, Tokens::neutral())]);
    let but_n = BagExpression::Difference(
        Box::new(BagExpression::All(Colours { class: 2, subclass: None })),
        Box::new(BagExpression::One(Term::Variable(1))),
    );
    let work = tuple([variable(0), Element::Each(but_n), variable(4), variable(5)]);
    assert_eq!(begin.puts, [arc(1, work), arc(2, Tokens::neutral()), arc(3, Tokens::none())]);
    assert_eq!(begin.inhibitors, [arc(3, tuple([all(1)]))]);
    assert_eq!(pnml::read("again.pnml", &pnml::write(&net).expect("it was read")).as_ref(), Ok(&net));
}

fn cardinality(net: &ColouredNet, place: &Place) -> u64 {
    Evaluator::constant(net).tokens(&place.initial).expect("a marking").cardinality()
}

/// A net with some declarations and some nodes.
fn small(declarations: &str, nodes: &str) -> ColouredNet {
    let text = format!(
        "<pnml><net id=\"n\" type=\"symmetricnet\"><declaration><structure><declarations>{declarations}</declarations>\
         </structure></declaration>{nodes}</net></pnml>"
    );
    pnml::read("small.pnml", &text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn ranges_of_the_same_bounds_are_one_class() {
    let net = small(
        "<namedsort id=\"a\" name=\"A\"><finiteintrange start=\"1\" end=\"5\"/></namedsort>\
         <namedsort id=\"b\" name=\"B\"><finiteintrange start=\"1\" end=\"5\"/></namedsort>\
         <namedsort id=\"c\" name=\"C\"><finiteintrange start=\"-1\" end=\"5\"/></namedsort>",
        "<place id=\"p\"><type><structure><usersort declaration=\"b\"/></structure></type></place>\
         <place id=\"q\"><type><structure><finiteintrange start=\"7\" end=\"9\"/></structure></type></place>",
    );
    let names: Vec<&str> = net.classes.iter().map(|class| class.name.as_str()).collect();
    assert_eq!(names, ["A", "C", "7..9"]);
    assert_eq!(net.places[0].domain, [Sort::Colour(0)]);
    assert_eq!(net.places[1].domain, [Sort::Colour(2)]);
    assert_eq!(pnml::read("again.pnml", &pnml::write(&net).expect("it was read")).as_ref(), Ok(&net));
}

#[test]
fn names_that_clash_are_replaced_by_ids() {
    let net = small(
        "<namedsort id=\"a\" name=\"S\"><finiteenumeration><feconstant id=\"a1\" name=\"one\"/><feconstant id=\"a2\" name=\"one\"/>\
         </finiteenumeration></namedsort>\
         <namedsort id=\"b\" name=\"S\"><finiteenumeration><feconstant id=\"b1\" name=\"one\"/></finiteenumeration></namedsort>",
        "",
    );
    assert_eq!(
        net.classes,
        [listed("a", ClassOrder::Unordered, &["a1", "a2"]), listed("b", ClassOrder::Unordered, &["one"])]
    );
}

#[test]
fn an_enumeration_is_ordered_where_that_is_asked_for() {
    let sort = "<namedsort id=\"a\" name=\"A\"><finiteenumeration><feconstant id=\"a1\" name=\"a1\"/><feconstant id=\"a2\" name=\"a2\"/>\
                </finiteenumeration></namedsort><variabledecl id=\"x\" name=\"x\"><usersort declaration=\"a\"/></variabledecl>";
    let with = |operator: &str| {
        let x = "<subterm><variable refvariable=\"x\"/></subterm>";
        let nodes = format!(
            "<transition id=\"t\"><condition><structure><{operator}>{x}{x}</{operator}></structure></condition></transition>"
        );
        small(sort, &nodes).classes[0].order
    };
    assert_eq!(with("equality"), ClassOrder::Unordered);
    assert_eq!(with("lessthan"), ClassOrder::Linear);
    assert_eq!(with("greaterthanorequal"), ClassOrder::Linear);
}

#[test]
fn a_large_domain_is_only_data() {
    let million = "<usersort declaration=\"a\"/>";
    let net = small(
        &format!(
            "<namedsort id=\"a\" name=\"A\"><finiteintrange start=\"1\" end=\"1000000\"/></namedsort>\
                  <namedsort id=\"b\" name=\"B\"><productsort>{million}{million}</productsort></namedsort>"
        ),
        "<place id=\"p\"><type><structure><usersort declaration=\"b\"/></structure></type><hlinitialMarking><structure>\
         <all><usersort declaration=\"b\"/></all></structure></hlinitialMarking></place>",
    );
    assert_eq!(net.size(&net.places[0].domain), Some(1_000_000_000_000));
    assert_eq!(net.places[0].initial, tuple([all(0), all(0)]));
}

#[test]
fn only_the_type_of_the_net_tells_whether_it_is_coloured() {
    let net = |kind: &str| pnml::is_coloured(&format!("<pnml><name/><net id=\"n\" {kind}><place/>"));
    assert!(net("type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\""));
    assert!(net("type=\"http://www.pnml.org/version-2009/grammar/highlevelnet\""));
    assert!(!net("type=\"http://www.pnml.org/version-2009/grammar/ptnet\""));
    assert!(!net(""));
    assert!(!pnml::is_coloured("gal A { }") && !pnml::is_coloured("") && !pnml::is_coloured("<property-set/>"));
}

#[test]
fn what_the_standard_cannot_say_is_not_written() {
    let class = listed("A", ClassOrder::Unordered, &["a", "b"]);
    let net =
        ColouredNet { classes: vec![class], places: vec![place("p", &[0], Tokens::none())], ..ColouredNet::default() };
    assert!(pnml::write(&net).is_ok());
    let mut bags = net.clone();
    bags.places[0].domain = vec![Sort::Bag(0)];
    assert_eq!(pnml::write(&bags), Err(NotWritable::Bags { at: "p".to_owned() }));
    let mut urgent = net.clone();
    urgent.transitions.push(Transition { name: "t".to_owned(), priority: 1, ..Transition::default() });
    assert_eq!(pnml::write(&urgent), Err(NotWritable::Priority { transition: "t".to_owned() }));
    let mut overlapping = net.clone();
    overlapping.classes[0].subclasses = vec![Subclass::new("s", vec![0, 1]), Subclass::new("t", vec![1])];
    assert_eq!(pnml::write(&overlapping), Err(NotWritable::Subclasses { class: "A".to_owned() }));
    let mut far = net.clone();
    far.places[0].initial =
        tuple([colour(Term::Shift(Box::new(Term::Constant { class: 0, colour: 0 }), 1_000_000_000))]);
    assert_eq!(pnml::write(&far), Err(NotWritable::TooDeep { at: "p".to_owned() }));
    let mut elsewhere = net;
    elsewhere.places[0].initial = tuple([constant(0, 2)]);
    assert_eq!(pnml::write(&elsewhere), Err(NotWritable::Malformed { at: "p".to_owned() }));
}

#[test]
fn the_deepest_terms_fit_on_a_small_stack() {
    let nested = |depth: usize, opening: &str, inside: &str, closing: &str| {
        format!("{}{inside}{}", opening.repeat(depth), closing.repeat(depth))
    };
    let sort = "<namedsort id=\"a\" name=\"A\"><cyclicenumeration><feconstant id=\"a1\" name=\"a1\"/></cyclicenumeration></namedsort>";
    let (truth, a1) = (
        "<subterm><booleanconstant value=\"true\"/></subterm>",
        "<subterm><useroperator declaration=\"a1\"/></subterm>",
    );
    let not = nested(398, "<not><subterm>", truth, "</subterm></not>");
    let or = format!("<or>{truth}<subterm><and>{truth}<subterm>");
    let or = nested(198, &or, truth, "</subterm></and></subterm></or>");
    let times = "<numberof><subterm><numberconstant value=\"2\"/></subterm><subterm>";
    let times = nested(396, times, a1, "</subterm></numberof>");
    let less = nested(396, &format!("<subtract>{a1}<subterm>"), a1, "</subterm></subtract>");
    let guard = |id: &str, guard: &str| {
        format!("<transition id=\"{id}\"><condition><structure>{guard}</structure></condition></transition>")
    };
    let marked = |id: &str, marking: &str| {
        format!(
            "<place id=\"{id}\"><type><structure><usersort declaration=\"a\"/></structure></type><hlinitialMarking><structure>{marking}\
             </structure></hlinitialMarking></place>"
        )
    };
    let nodes = [guard("t", &not), guard("u", &or), marked("p", &times), marked("q", &less)].concat();
    let text = format!(
        "<pnml><net id=\"n\" type=\"symmetricnet\"><declaration><structure><declarations>{sort}</declarations></structure>\
         </declaration>{nodes}</net></pnml>"
    );
    let work = move || {
        let net = pnml::read("deep.pnml", &text).unwrap_or_else(|error| panic!("{error}"));
        assert!(format!("{net:?}").len() > 1000);
        assert!(format!("{net:#?}").len() > 1000);
        assert!(net.clone() == net);
        assert_eq!(pnml::read("again.pnml", &pnml::write(&net).expect("not too deep")).as_ref(), Ok(&net));
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread").join().expect("no overflow");
}

#[test]
fn a_file_of_fifty_megabytes() {
    let mut text = String::from(
        "<pnml><net id=\"n\" type=\"symmetricnet\"><declaration><structure><declarations>\
         <namedsort id=\"a\" name=\"A\"><cyclicenumeration>",
    );
    for colour in 0..100_000 {
        text.push_str(&format!("<feconstant id=\"c{colour}\" name=\"{colour}\"/>"));
    }
    text.push_str("</cyclicenumeration></namedsort><variabledecl id=\"x\" name=\"x\"><usersort declaration=\"a\"/></variabledecl></declarations></structure></declaration>");
    let mut number = 0;
    while text.len() < 50_000_000 {
        text.push_str(&format!(
            "<place id=\"p{number}\"><type><structure><usersort declaration=\"a\"/></structure></type><hlinitialMarking><structure>\
             <useroperator declaration=\"c{}\"/></structure></hlinitialMarking></place><transition id=\"t{number}\"><condition><structure><equality>\
             <subterm><variable refvariable=\"x\"/></subterm><subterm><useroperator declaration=\"c7\"/></subterm></equality></structure></condition></transition>\
             <arc id=\"a{number}\" source=\"p{number}\" target=\"t{number}\"><hlinscription><structure><variable refvariable=\"x\"/></structure></hlinscription></arc>\n",
            number % 100_000
        ));
        number += 1;
    }
    text.push_str("</net></pnml>");
    let begin = Instant::now();
    let net = pnml::read("large.pnml", &text).unwrap_or_else(|error| panic!("{error}"));
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
    println!("read {} MB in {:?}", text.len() / 1_000_000, begin.elapsed());
    assert_eq!(net.transitions.len(), number);
    let written = pnml::write(&net).expect("it was read");
    assert!(pnml::read("again.pnml", &written) == Ok(net));
}

#[test]
fn the_example_of_the_reference_is_read() {
    let page = include_str!("../../../docs/reference/pnml.md");
    let example = page.split("```xml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let example = example.into_iter().find(|text| pnml::is_coloured(text)).expect("an example of a symmetric net");
    let net = pnml::read("ring.pnml", example).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(net.places.len(), 3);
    assert_eq!(pnml::read("again.pnml", &pnml::write(&net).expect("it was read")).as_ref(), Ok(&net));
}
