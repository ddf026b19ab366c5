//! What files become: parameters filled in, names resolved, types shared.

mod common;

use mandala_model::expression::{Boolean, Comparison, Integer};
use mandala_model::gal::{self, Specification};
use mandala_model::net::Effect;
use mandala_model::property::{Atom, Formula, Question};
use mandala_model::system::{Composite, Location, Program, Statement, Target, Type};

fn read(text: &str) -> Specification {
    gal::read("model.gal", text, &[]).unwrap_or_else(|problems| panic!("{problems}"))
}

fn program(model: &Specification) -> &Program {
    match &model.system.types[model.system.main] {
        Type::Program(program) => program,
        other => panic!("{other:?}"),
    }
}

fn composite(model: &Specification) -> &Composite {
    match &model.system.types[model.system.main] {
        Type::Composite(composite) => composite,
        other => panic!("{other:?}"),
    }
}

fn names(program: &Program) -> Vec<&str> {
    program.transitions.iter().map(|transition| transition.name.as_str()).collect()
}

#[test]
fn parameters_become_one_transition_a_combination() {
    let text = "typedef t = 0..2; gal A { int x; transition go (t $i, t $j) [$i < $j && x == $i] label \"a\"($j, $i) { x = $j; } }";
    let model = read(text);
    let program = program(&model);
    assert_eq!(names(program), ["go(0,1)", "go(0,2)", "go(1,2)"]);
    assert_eq!(program.transitions[2].label.as_deref(), Some("a(2,1)"));
    let guard = Boolean::Compare(Comparison::Equal, Integer::Variable(0), Integer::Constant(1));
    assert_eq!(program.transitions[2].guard, guard);
    assert_eq!(program.transitions[2].body, [Statement::Assign(Target::Variable(0), Integer::Constant(2))]);
}

#[test]
fn one_value_is_that_of_each_element() {
    for (one, each) in [
        ("$N = 3; gal A { array [$N] t = $N - 1; }", "gal A { array [3] t = (2, 2, 2); }"),
        ("$N = 3; net A { place [$N] p = 1; }", "net A { place [3] p = (1, 1, 1); }"),
        ("$N = 0; net A { place [$N] p = 1; }", "net A { place [0] p; }"),
    ] {
        assert_eq!(read(one).system, read(each).system, "{one}");
    }
}

#[test]
fn guards_cut_the_enumeration_short() {
    // Without the cut there would be 100^8 combinations.
    let parameters: Vec<String> = (0..8).map(|i| format!("t $p{i}")).collect();
    let equal: Vec<String> = (1..8).map(|i| format!("$p{} == $p{i}", i - 1)).collect();
    let text = format!(
        "typedef t = 0..99; gal A {{ int x; transition go ({}) [{} && x == $p0] {{ x = 0; }} }}",
        parameters.join(", "),
        equal.join(" && ")
    );
    assert_eq!(program(&read(&text)).transitions.len(), 100);
}

#[test]
fn a_type_is_made_once_for_equal_parameters() {
    let text = "gal A ($N = 2) { array [$N] t; transition a label \"a\" { } }
        composite C { A one; A two ($N = 2); A [3] more ($N = 1 + 1); A other ($N = 5); }";
    let model = read(text);
    assert_eq!(model.system.types.len(), 3);
    let types: Vec<usize> = composite(&model).instances.iter().map(|instance| instance.type_index).collect();
    assert_eq!(types, [0, 0, 0, 0, 0, 1]);
    let Type::Program(other) = &model.system.types[1] else { panic!() };
    assert_eq!((other.name.as_str(), other.variables.len()), ("A($N=5)", 5));
    assert_eq!(composite(&model).instances[4].name, "more[2]");
}

#[test]
fn a_tower_of_types_stays_linear() {
    let mut text = "gal T0 { int x; transition a [x == 0] label \"a\" { x = 1; } }\n".to_string();
    for i in 1..=20_000 {
        text.push_str(&format!(
            "composite T{i} {{ T{0} l; T{0} r; synchronization a label \"a\" {{ l.\"a\"; r.\"a\"; }} }}\n",
            i - 1
        ));
    }
    let model = read(&text);
    assert_eq!(model.system.types.len(), 20_001);
    // Declared the other way round, the types nest before they are made.
    let backwards: Vec<&str> = text.lines().rev().collect();
    let model = read(&format!("{}\nmain T20000;", backwards.join("\n")));
    assert_eq!(model.system.types.len(), 20_001);
}

#[test]
fn only_what_main_needs_is_kept_but_all_is_checked() {
    let text = "gal A { int x; } gal B { int y; } composite C { A a; } main C;";
    assert_eq!(read(text).system.types.len(), 2);
    let text = "gal A { int x; } gal B { array [2] y; transition t { y[2] = 0; } } composite C { A a; } main C;";
    assert!(gal::read("model.gal", text, &[]).unwrap_err().to_string().contains("`y[2]` does not exist"));
}

#[test]
fn the_last_type_is_main_unless_the_file_says_otherwise() {
    assert_eq!(read("gal A { int x; } gal B { int y; }").system.name, "B");
    assert_eq!(read("gal A { int x; } gal B { int y; } main A;").system.name, "A");
}

#[test]
fn constants_and_parameters_of_main_are_defined_from_outside() {
    let text = "$N = 2; $M = $N + 1; gal A ($K = $M) { array [$K] t; array [$N] u; }";
    let length = |defines: &[(&str, i32)]| {
        let defines: Vec<(String, i32)> = defines.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        program(&gal::read("model.gal", text, &defines).unwrap()).variables.len()
    };
    assert_eq!(length(&[]), 5);
    assert_eq!(length(&[("N", 10)]), 21);
    assert_eq!(length(&[("K", 1)]), 3);
}

#[test]
fn arcs_on_one_place_add_up() {
    let text = "net N { place p = 3; place q; transition t { put q; take p; take 2 p; read 4 p; read 2 p; inhibit 9 p; inhibit 7 p; put 0 q; reset q; } }";
    let model = read(text);
    let Type::Net(net) = &model.system.types[0] else { panic!() };
    let p = Effect { place: 0, take: 3, read: 4, below: Some(7), reset: false, put: 0 };
    let q = Effect { place: 1, take: 0, read: 0, below: None, reset: true, put: 1 };
    assert_eq!(net.transitions[0].effects, [p, q]);
}

#[test]
fn priorities_are_constants() {
    let text = "net N ($K = 2) {
        place p = 3;
        transition t (0..2 $i) [$i < 2] priority $K * $i label \"elapse\" { take p; }
        transition priority priority 1 { put p; }
    }";
    let model = read(text);
    let Type::Net(net) = &model.system.types[model.system.main] else { panic!("a net") };
    let priorities: Vec<u32> = net.transitions.iter().map(|transition| transition.priority).collect();
    assert_eq!(priorities, [0, 2, 1]);
    let written = gal::write(&model.system, &[]);
    assert!(written.contains("transition priority priority 1 {"), "{written}");
    assert_eq!(read(&written).system, model.system);
    // Beyond what a number of the language can be, the order is kept.
    let mut large = model.system.clone();
    let Type::Net(net) = &mut large.types[0] else { panic!("a net") };
    net.transitions[1].priority = u32::MAX;
    net.transitions[2].priority = u32::MAX - 1;
    assert_eq!(read(&gal::write(&large, &[])).system, model.system);
}

#[test]
fn initial_states_are_changes_of_the_declared_one() {
    let text = "net P { place a = 1; place b; initial full { b = 2; } initial empty { a = 0; } }
        composite C { P p; P [2] q from full, empty; initial other { p from full; q[1] from declared; } }
        main C from other, declared;";
    let model = read(text);
    let Type::Net(net) = &model.system.types[0] else { panic!() };
    let markings: Vec<&[i32]> = net.initial.iter().map(|initial| &initial.marking[..]).collect();
    assert_eq!(markings, [&[1, 0][..], &[1, 2], &[0, 0]]);
    let choices: Vec<_> = composite(&model).initial.iter().map(|initial| initial.choices.clone()).collect();
    assert_eq!(choices[0], [vec![0], vec![1, 2], vec![1, 2]]);
    assert_eq!(choices[1], [vec![1], vec![1, 2], vec![0]]);
    assert_eq!(model.system.begins, [0, 1]);
}

#[test]
fn a_synchronisation_that_can_never_happen_is_dropped() {
    let text = "gal A { int x; transition a (0..3 $i) [$i < 2] label \"a\"($i) { x = $i; } }
        composite C { A a;
            synchronization s (0..3 $i) label \"s\"($i) { a.\"a\"($i); }
            synchronization t (0..3 $i) { self.\"s\"($i); } }";
    let model = read(text);
    let names: Vec<&str> = composite(&model).synchronisations.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["s(0)", "s(1)", "t(0)", "t(1)"]);
}

#[test]
fn words_of_the_grammar_are_names_elsewhere() {
    let words = [
        "place",
        "take",
        "put",
        "from",
        "initial",
        "label",
        "net",
        "main",
        "unit",
        "abort",
        "self",
        "for",
        "if",
        "transition",
        "fixpoint",
        "capacity",
        "G",
        "U",
        "deadlock",
    ];
    let declared: String = words.iter().map(|word| format!("int {word};")).collect();
    let used: String = words.iter().map(|word| format!("{word} = {word} + 1;")).collect();
    let model = read(&format!("gal A {{ {declared} transition t [abort == 0 && from < 3] {{ {used} }} }}"));
    assert_eq!(program(&model).transitions[0].body.len(), words.len());
}

#[test]
fn a_comparison_takes_precedence_over_negation_and_bits_over_comparisons() {
    let model = read("gal A { int a; transition t [! a >= 1 && a & 1 == 0] { } }");
    let text = gal::write(&model.system, &[]);
    assert!(text.contains("[!(a >= 1) && a & 1 == 0]"), "{text}");
    let Boolean::And(list) = &program(&model).transitions[0].guard else { panic!() };
    assert!(matches!(list[0], Boolean::Not(_)));
    assert!(matches!(list[1], Boolean::Compare(..)));
}

#[test]
fn formulas_are_understood_without_their_kind() {
    let model = read("gal A { int x; array [3] t; transition go (0..1 $i) [x == $i] { x = 1; } }");
    let ask = |text: &str| gal::formula(&model.system, text).unwrap_or_else(|problems| panic!("{problems}")).question;
    assert!(matches!(ask("EF x == 1"), Question::Reachable(Formula::Atom(Atom::Compare(..)))));
    assert!(matches!(ask("AG (x < 3 && !deadlock)"), Question::Invariant(Formula::And(_))));
    assert!(matches!(ask("AG EF x == 0"), Question::Ctl(_)));
    assert!(matches!(ask("A[x == 0 U x == 1]"), Question::Ctl(_)));
    assert!(matches!(ask("A(x == 0 U x == 1)"), Question::Ctl(_)));
    assert!(matches!(ask("G (x == 0 -> F x == 1)"), Question::Ltl(_)));
    assert!(matches!(ask("x == 0 U x == 1"), Question::Ltl(_)));
    assert!(matches!(ask("AG F x == 1"), Question::CtlStar(_)));
    assert!(matches!(ask("A (G x == 0 || F x == 1)"), Question::CtlStar(_)));
    // A quantifier and an operator apart are CTL all the same.
    assert_eq!(ask("A G (E F x == 1)"), ask("AG EF x == 1"));
    assert!(matches!(ask("x < 3"), Question::Invariant(_)));
    assert!(matches!(ask("[never] : x < 3;"), Question::Never(_)));
    let element = Integer::Variable(Location { path: vec![], index: 3 });
    assert_eq!(ask("[bounds] : t[2]"), Question::Bounds(element));
    let both = vec![Location { path: vec![], index: 0 }, Location { path: vec![], index: 1 }];
    assert_eq!(ask("[reachable] : fireable(go)"), Question::Reachable(Formula::Atom(Atom::Fireable(both.clone()))));
    assert_eq!(ask("EF fireable(go(1))"), Question::Reachable(Formula::Atom(Atom::Fireable(both[1..].to_vec()))));
    assert_eq!(ask("EF(\"t[2]\"=1)"), ask("[reachable] t[2] == 1"));
}

#[test]
fn locations_lead_through_instances() {
    let text = "gal A { array [2] t; int x; predicate set = x > 0; }
        composite R { A [3] cells; predicate one = cells[1]:set; }
        composite S { A a; R r; }
        property p [reachable] : r:cells[2]:t[1] == 1 && r:one && a:x == 1;";
    let model = read(text);
    let location = |path: &[u32], index| Integer::Variable(Location { path: path.to_vec(), index });
    let compare = |left, comparison, number| Formula::Atom(Atom::Compare(comparison, left, Integer::Constant(number)));
    let parts = vec![
        compare(location(&[1, 2], 1), Comparison::Equal, 1),
        compare(location(&[1, 1], 2), Comparison::Greater, 0),
        compare(location(&[0], 2), Comparison::Equal, 1),
    ];
    assert_eq!(model.properties[0].question, Question::Reachable(Formula::And(parts)));
}

#[test]
fn strange_names_survive_writing() {
    let mut model = read(
        "net N { place p = 1; transition t label \"l\" { take p; } } composite C { N n; synchronization s { n.\"l\"; } }",
    );
    let Type::Net(net) = &mut model.system.types[0] else { panic!() };
    net.name = "a net, with `quotes`\nand lines".to_string();
    net.places[0].name = "p[0]é$ ".to_string();
    net.transitions[0].name = "true".to_string();
    net.transitions[0].label = Some("a \"label\"\\\n".to_string());
    let Type::Composite(composite) = &mut model.system.types[1] else { panic!() };
    composite.synchronisations[0].calls[0].label = "a \"label\"\\\n".to_string();
    composite.instances[0].name = "self".to_string();
    model.system.name = "the model".to_string();
    let written = gal::write(&model.system, &[]);
    let again = gal::read("written", &written, &[]).unwrap_or_else(|problems| panic!("{problems}\n{written}"));
    assert_eq!(again.system, model.system);
}

#[test]
fn long_chains_and_deep_nesting_are_no_danger() {
    let sum = vec!["x"; 200_000].join(" + ");
    let all = vec!["x == 0"; 200_000].join(" && ");
    let model = read(&format!("gal A {{ int x; transition t [{all}] {{ x = {sum}; }} }}"));
    assert!(matches!(&program(&model).transitions[0].guard, Boolean::And(list) if list.len() == 200_000));
    for (open, close) in [("(", ")"), ("!", ""), ("- ", ""), ("t[", "]"), ("!(", ")")] {
        let deep = format!("{}x{}", open.repeat(100_000), close.repeat(100_000));
        let text = format!("gal A {{ int x; array [3] t; transition t [{deep} == 0] {{ }} }}");
        assert!(gal::read("model.gal", &text, &[]).unwrap_err().to_string().contains("nests deeper"));
    }
    let deep = format!("{}{}", "if (x == 0) {".repeat(100_000), "}".repeat(100_000));
    let text = format!("gal A {{ int x; transition t {{ {deep} }} }}");
    assert!(gal::read("model.gal", &text, &[]).unwrap_err().to_string().contains("nests deeper"));
}

/// Run with `--release -- --ignored --nocapture` to see how long a large file takes.
#[test]
#[ignore = "a measurement"]
fn a_large_file_of_small_types() {
    let mut text =
        "gal T0 { int x; transition a [x == 0] label \"first\" { x = 1; } transition b label \"second\" { x = 0; } }\n"
            .to_string();
    for i in 1..=20_000 {
        let below = i - 1;
        text.push_str(&format!(
            "composite T{i} {{\n    T{below} left;\n    T{below} right;\n    synchronization a label \"first\" {{ left.\"first\"; right.\"second\"; }}\n    synchronization b label \"second\" {{ left.\"second\"; right.\"first\"; }}\n    synchronization c {{ left.\"first\"; }}\n}}\n"
        ));
    }
    let start = std::time::Instant::now();
    let tree = gal::parse("large.gal", &text).unwrap();
    println!("{} bytes parsed in {:?}", text.len(), start.elapsed());
    let start = std::time::Instant::now();
    let model = gal::elaborate(&tree, "large.gal", &text, &[]).unwrap();
    println!("{} types made in {:?}", model.system.types.len(), start.elapsed());
    let start = std::time::Instant::now();
    println!("{} bytes written in {:?}", gal::write(&model.system, &[]).len(), start.elapsed());
}
