//! Property files of the Model Checking Contest: the shared ones, and what small ones mean. Bad ones are in
//! `contest_errors.rs`.

mod readers;

use mandala_model::expression::{Comparison, Integer, UnaryOperator as IntegerOperator};
use mandala_model::net::pnml;
use mandala_model::property::{BinaryOperator, Formula, Property, Quantifier, Question, UnaryOperator, contest};
use mandala_model::system::{Composite, Instance, Location, Synchronisation, System, Type};
use readers::{samples, shared};

fn system(text: &str) -> System {
    let net = pnml::read("model.pnml", text).unwrap_or_else(|error| panic!("{error}"));
    System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] }
}

fn is_kind(examination: &str, question: &Question) -> bool {
    match question {
        Question::Reachable(_) => examination.starts_with("Reachability") || examination.starts_with("CTL"),
        Question::Invariant(_) => !examination.starts_with("Upper"),
        Question::Ctl(_) => examination.starts_with("CTL"),
        Question::Ltl(_) => examination.starts_with("LTL"),
        Question::Bounds(_) => examination == "UpperBounds",
        Question::Never(_) | Question::Live(_) => false,
    }
}

#[test]
fn shared_properties_are_of_the_kind_that_their_file_says() {
    let examinations = [
        "ReachabilityCardinality",
        "ReachabilityFireability",
        "UpperBounds",
        "CTLCardinality",
        "CTLFireability",
        "LTLCardinality",
        "LTLFireability",
    ];
    let mut files = 0;
    let folders = shared("mcc-pt");
    for folder in &folders {
        let model = std::fs::read_to_string(folder.join("model.pnml")).expect("a readable file");
        for examination in examinations {
            let Ok(text) = std::fs::read_to_string(folder.join(format!("{examination}.xml"))) else { continue };
            let system = system(&model);
            let properties = contest::read(examination, &text, &system).unwrap_or_else(|error| panic!("{error}"));
            files += 1;
            assert_eq!(properties.len(), 16);
            for (index, property) in properties.iter().enumerate() {
                assert_eq!(property.name, format!("{}-{examination}-{index:02}", system.name));
                assert!(is_kind(examination, &property.question), "{property:?}");
            }
            let written = occurrences(&text, "<tokens-count>") + occurrences(&text, "<is-fireable>");
            let atoms: usize = properties.iter().map(|property| atoms(&property.question)).sum();
            assert_eq!(atoms, written, "{} {examination}", system.name);
        }
    }
    assert!(folders.is_empty() || files == 70);
}

fn occurrences(text: &str, piece: &str) -> usize {
    text.matches(piece).count()
}

/// How often a question asks for tokens or for what can fire.
fn atoms(question: &Question) -> usize {
    match question {
        Question::Reachable(formula) | Question::Invariant(formula) | Question::Never(formula) => atoms_of(formula),
        Question::Ctl(formula) | Question::Ltl(formula) => atoms_of(formula),
        Question::Bounds(_) | Question::Live(_) => 0,
    }
}

fn atoms_of(formula: &Formula) -> usize {
    let counts = |integer: &Integer<Location>| usize::from(!matches!(integer, Integer::Constant(_)));
    match formula {
        Formula::Constant(_) | Formula::Deadlock => 0,
        Formula::Fireable(_) => 1,
        Formula::Compare(_, a, b) => counts(a) + counts(b),
        Formula::Not(inner) | Formula::Unary(_, _, inner) => atoms_of(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().map(atoms_of).sum(),
        Formula::Binary(_, _, a, b) => atoms_of(a) + atoms_of(b),
    }
}

fn place(index: u32) -> Integer<Location> {
    Integer::Variable(Location { path: Vec::new(), index })
}

fn fireable(transitions: &[u32]) -> Formula {
    Formula::Fireable(transitions.iter().map(|&index| Location { path: Vec::new(), index }).collect())
}

/// In the sample: idle 0, busy 1, server 2, log 3; begin 0, end 1.
#[test]
fn the_sample_means_what_it_says() {
    let properties = contest::read("sample.xml", samples::PROPERTIES, &system(samples::NET));
    let properties = properties.unwrap_or_else(|error| panic!("{error}"));
    let compare = Formula::Compare;
    let reachable = Formula::And(vec![
        compare(Comparison::LessOrEqual, Integer::Constant(2), place(1)),
        fireable(&[0, 1]),
        Formula::Constant(true),
    ]);
    let invariant = Formula::Not(Box::new(Formula::Deadlock));
    let minus = Integer::Unary(IntegerOperator::Minus, Box::new(Integer::Constant(-1)));
    let goal = compare(
        Comparison::GreaterOrEqual,
        Integer::Sum(vec![place(3), Integer::Constant(3)]),
        Integer::Sum(vec![place(0), minus]),
    );
    let (before, goal) = (Box::new(Formula::Constant(false)), Box::new(goal));
    let until = Formula::Binary(Quantifier::Exists, BinaryOperator::Until, before, goal);
    let implies = Formula::Or(vec![Formula::Not(Box::new(fireable(&[0]))), until]);
    let ctl = Formula::Unary(Quantifier::All, UnaryOperator::Globally, Box::new(implies));
    let run = |operator, formula| Formula::Unary(Quantifier::None, operator, Box::new(formula));
    let served = compare(Comparison::Equal, place(2), Integer::Constant(1));
    let ltl = Formula::Or(vec![
        run(UnaryOperator::Next, fireable(&[1])),
        run(UnaryOperator::Globally, run(UnaryOperator::Finally, served)),
    ]);
    let expected = [
        ("bound", Question::Bounds(Integer::Sum(vec![place(1), place(0)]))),
        ("reachable", Question::Reachable(reachable)),
        ("invariant", Question::Invariant(invariant)),
        ("ctl", Question::Ctl(ctl)),
        ("ltl", Question::Ltl(ltl)),
    ];
    let expected = expected.map(|(name, question)| Property { name: name.to_owned(), question });
    assert_eq!(properties, expected);
}

/// The question that a formula is, given the elements inside of `<formula>`.
fn question(formula: &str, system: &System) -> Question {
    let text = format!("<property-set><property><id>p</id><formula>{formula}</formula></property></property-set>");
    let properties = contest::read("small.xml", &text, system).unwrap_or_else(|error| panic!("{error}"));
    properties.into_iter().next().expect("a property").question
}

#[test]
fn the_logic_follows_from_the_formula() {
    let system = system(samples::NET);
    let kind = |formula: &str| match question(formula, &system) {
        Question::Ctl(_) => "ctl",
        Question::Ltl(_) => "ltl",
        Question::Invariant(_) => "invariant",
        Question::Reachable(_) => "reachable",
        Question::Bounds(_) => "bounds",
        Question::Never(_) => "never",
        Question::Live(_) => "live",
    };
    assert_eq!(kind("<true/>"), "ctl");
    assert_eq!(kind("<negation><exists-path><finally><true/></finally></exists-path></negation>"), "ctl");
    assert_eq!(kind("<exists-path><finally><true/></finally></exists-path>"), "reachable");
    assert_eq!(kind("<exists-path><globally><true/></globally></exists-path>"), "ctl");
    assert_eq!(kind("<all-paths><globally><true/></globally></all-paths>"), "invariant");
    assert_eq!(kind("<all-paths><finally><true/></finally></all-paths>"), "ltl");
    assert_eq!(kind("<all-paths><globally><next><true/></next></globally></all-paths>"), "ltl");
    let inner = "<exists-path><next><true/></next></exists-path>";
    assert_eq!(kind(&format!("<all-paths><globally>{inner}</globally></all-paths>")), "ctl");
    assert_eq!(kind(&format!("<exists-path><finally>{inner}</finally></exists-path>")), "ctl");
}

#[test]
fn long_chains_are_flat() {
    let system = system(samples::NET);
    let chain = ["<conjunction><true/>".repeat(50_000), "</conjunction>".repeat(50_000)].concat();
    let Question::Ctl(Formula::And(parts)) = question(&chain, &system) else { panic!("a conjunction") };
    assert_eq!(parts.len(), 50_000);
    let chain = ["<disjunction>".repeat(50_000), "<true/></disjunction>".repeat(50_000)].concat();
    let Question::Ctl(Formula::Or(parts)) = question(&chain, &system) else { panic!("a disjunction") };
    assert_eq!(parts.len(), 50_000);
}

#[test]
fn names_go_through_instances() {
    let mut system = system(samples::NET);
    let instance = |name: &str, type_index| Instance { name: name.to_owned(), type_index };
    let synchronisation = Synchronisation { name: "both".to_owned(), label: None, calls: Vec::new() };
    let inner = Composite { instances: vec![instance("a[0]", 0), instance("a[1]", 0)], ..Composite::default() };
    let outer = Composite {
        instances: vec![instance("left", 1), instance("right", 1)],
        synchronisations: vec![synchronisation],
        ..Composite::default()
    };
    system.types.extend([Type::Composite(inner), Type::Composite(outer)]);
    system.main = 2;
    let bound = question("<place-bound><place>right:a[1]:busy</place></place-bound>", &system);
    let busy = Location { path: vec![1, 1], index: 1 };
    assert_eq!(bound, Question::Bounds(Integer::Variable(busy)));
    let fires = "<is-fireable><transition>left:a[0]:end</transition><transition>both</transition></is-fireable>";
    let end = Location { path: vec![0, 0], index: 1 };
    assert_eq!(question(fires, &system), Question::Ctl(Formula::Fireable(vec![end, Location::default()])));
}
