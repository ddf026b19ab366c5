//! Property files of the Model Checking Contest: the shared ones, and what small ones mean. Bad ones are in
//! `contest_errors.rs`.

mod readers;

use mandala_model::expression::{Comparison, Integer, UnaryOperator as IntegerOperator};
use mandala_model::net::pnml;
use mandala_model::property::contest::{self, Logic};
use mandala_model::property::{Atom, BinaryOperator, Formula, Property, Quantifier, Question, UnaryOperator};
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
        Question::Never(_) | Question::Live(_) | Question::CtlStar(_) => false,
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
            let properties = contest::read(examination, &text, &system, Logic::of_file(examination))
                .unwrap_or_else(|error| panic!("{error}"));
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
        Question::Ctl(formula) | Question::Ltl(formula) | Question::CtlStar(formula) => atoms_of(formula),
        Question::Bounds(_) | Question::Live(_) => 0,
    }
}

fn atoms_of(formula: &Formula) -> usize {
    let counts = |integer: &Integer<Location>| usize::from(!matches!(integer, Integer::Constant(_)));
    match formula {
        Formula::Constant(_) | Formula::Deadlock | Formula::Error => 0,
        Formula::Atom(Atom::Fireable(_) | Atom::Fired(_)) => 1,
        Formula::Atom(Atom::Compare(_, a, b)) => counts(a) + counts(b),
        Formula::Not(inner) | Formula::Unary(_, _, inner) => atoms_of(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().map(atoms_of).sum(),
        Formula::Binary(_, _, a, b) => atoms_of(a) + atoms_of(b),
    }
}

fn place(index: u32) -> Integer<Location> {
    Integer::Variable(Location { path: Vec::new(), index })
}

fn fireable(transitions: &[u32]) -> Formula {
    Formula::Atom(Atom::Fireable(transitions.iter().map(|&index| Location { path: Vec::new(), index }).collect()))
}

/// In the sample: idle 0, busy 1, server 2, log 3; begin 0, end 1.
#[test]
fn the_sample_means_what_it_says() {
    let properties = contest::read("sample.xml", samples::PROPERTIES, &system(samples::NET), None);
    let properties = properties.unwrap_or_else(|error| panic!("{error}"));
    let compare = |comparison, left, right| Formula::Atom(Atom::Compare(comparison, left, right));
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
    let properties = contest::read("small.xml", &text, system, None).unwrap_or_else(|error| panic!("{error}"));
    properties.into_iter().next().expect("a property").question
}

fn kind(question: &Question) -> &'static str {
    match question {
        Question::Ctl(_) => "ctl",
        Question::Ltl(_) => "ltl",
        Question::CtlStar(_) => "ctlstar",
        Question::Invariant(_) => "invariant",
        Question::Reachable(_) => "reachable",
        Question::Bounds(_) => "bounds",
        Question::Never(_) => "never",
        Question::Live(_) => "live",
    }
}

#[test]
fn the_logic_follows_from_the_formula_where_one_logic_has_it() {
    let system = system(samples::NET);
    let kind = |formula: &str| kind(&question(formula, &system));
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

const ALL_NEXT: &str = "<all-paths><next><deadlock/></next></all-paths>";
const ALL_FINALLY: &str = "<all-paths><finally><deadlock/></finally></all-paths>";
const ALL_GLOBALLY: &str = "<all-paths><globally><deadlock/></globally></all-paths>";
const ONLY_CTL: &str = "<negation><exists-path><next><deadlock/></next></exists-path></negation>";
const ONLY_LTL: &str = "<all-paths><next><next><deadlock/></next></next></all-paths>";

/// The kinds of the questions in a file of formulas, or what is said to it.
fn kinds(formulas: &[&str], logic: Option<Logic>) -> Result<Vec<&'static str>, String> {
    let properties = formulas.iter().enumerate();
    let properties = properties.map(|(n, f)| format!("<property><id>p{n}</id><formula>{f}</formula></property>"));
    let text = format!("<property-set>{}</property-set>", properties.collect::<String>());
    let properties = contest::read("small.xml", &text, &system(samples::NET), logic);
    properties.map(|all| all.iter().map(|one| kind(&one.question)).collect()).map_err(|error| error.to_string())
}

#[test]
fn the_logic_of_the_file_decides_where_both_have_a_formula() {
    let both = [ALL_NEXT, ALL_FINALLY, ALL_GLOBALLY];
    assert_eq!(kinds(&both, Some(Logic::Ctl)), Ok(vec!["ctl", "ctl", "invariant"]));
    assert_eq!(kinds(&both, Some(Logic::Ltl)), Ok(vec!["ltl", "ltl", "invariant"]));
    assert_eq!(kinds(&[ALL_NEXT, ONLY_CTL], None), Ok(vec!["ctl", "ctl"]));
    assert_eq!(kinds(&[ALL_NEXT, ONLY_LTL], None), Ok(vec!["ltl", "ltl"]));
    assert_eq!(kinds(&[ONLY_CTL, ONLY_LTL, ALL_FINALLY], None), Ok(vec!["ctl", "ltl", "ltl"]));
}

#[test]
fn a_file_whose_logic_is_not_known_is_refused_if_it_matters() {
    for formulas in [&[ALL_NEXT][..], &[ALL_FINALLY, ALL_NEXT], &[ONLY_CTL, ONLY_LTL, ALL_NEXT]] {
        let said = kinds(formulas, None).expect_err("nothing says which logic it is");
        assert!(said.contains("`--logic ctl` or `--logic ltl`"), "{said}");
    }
}

#[test]
fn a_formula_of_the_other_logic_is_refused() {
    let said = kinds(&[ONLY_LTL], Some(Logic::Ctl)).expect_err("it is of LTL");
    assert!(said.contains("a formula of LTL in a file of CTL"), "{said}");
    let said = kinds(&[ONLY_CTL], Some(Logic::Ltl)).expect_err("it is of CTL");
    assert!(said.contains("a formula of CTL in a file of LTL"), "{said}");
}

#[test]
fn the_name_of_a_file_says_its_logic() {
    assert_eq!(Logic::of_file("nets/ring/CTLCardinality.xml"), Some(Logic::Ctl));
    assert_eq!(Logic::of_file("ring-LTLFireability.xml"), Some(Logic::Ltl));
    assert_eq!(Logic::of_file("LTLFireability"), Some(Logic::Ltl));
    assert_eq!(Logic::of_file("ReachabilityCardinality.xml"), None);
    assert_eq!(Logic::of_file("CTL/formulas.xml"), None);
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
    assert_eq!(question(fires, &system), Question::Ctl(Formula::Atom(Atom::Fireable(vec![end, Location::default()]))));
}
