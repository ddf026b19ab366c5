//! What bad files are told. The messages are snapshots: read them aloud when they change.

use mandala_model::gal;

/// Reads a text that is wrong, and returns what is said about it.
fn said(text: &str, defines: &[(&str, i32)]) -> String {
    let defines: Vec<(String, i32)> = defines.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    match gal::read("model.gal", text, &defines) {
        Ok(model) => panic!("this was read: {model:?}"),
        Err(problems) => problems.to_string(),
    }
}

/// One test a text.
macro_rules! wrong {
    ($($name:ident: $text:expr;)*) => {
        $(
            #[test]
            fn $name() {
                insta::assert_snapshot!(stringify!($name), said($text, &[]));
            }
        )*
    };
}

wrong! {
    empty_file: "";
    truncated_type: "gal A {\n    int x = 0;\n    transition t [x < 3] {\n        x = x + 1;\n";
    truncated_expression: "gal A {\n    int x = 0;\n    transition t [x <";
    truncated_comment: "gal A {\n    int x; /* the counter\n}\n";
    truncated_label: "gal A {\n    int x;\n    transition t label \"up {\n    }\n}\n";
    type_not_closed_before_the_next: "gal A {\n    int x;\n    transition t { x = 1; }\n\ngal B {\n    int y;\n}\n";
    missing_semicolon: "gal A {\n    int x = 0\n    int y = 0;\n    transition t { x = 1 }\n}\n";
    mistyped_keyword: "gal A {\n    int x = 0;\n    transtion t [x < 3] { x = 1; }\n    tpyedef t = 0..3;\n}\ngall B { }\n";
    mistyped_arc: "net N {\n    place p;\n    transition t { tkae p; move p; }\n}\n";
    queue_without_capacity: "net N {\n    queue q { a, b };\n    transition t { take q(a); }\n}\n";
    queue_without_letters: "net N {\n    queue q { } capacity 2;\n    queue r { a, b, a } capacity 2;\n}\n";
    queue_with_other_letters: "net N {\n    queue q { ping, pong } = [pang] capacity 2;\n    transition t { take q(ping); put q(5); }\n}\n";
    queue_beyond_its_capacity: "net N {\n    queue q { a } = [a, a, a] capacity 2;\n}\n";
    queue_and_arcs: "net N {\n    queue q { a, b } capacity 2;\n    place p;\n    transition t { put q; }\n    transition u { take 2 q(a); }\n    transition v { inhibit q(a); }\n    transition w { take p(a); }\n    transition x { take q(a); read q(b); }\n}\n";
    queue_with_priorities: "net N {\n    queue q { a } capacity 2;\n    transition t priority 2 { take q(a); }\n}\n";
    queue_in_expressions: "net N {\n    queue q { a, b } capacity 2;\n    transition t { take q(a); }\n}\nmain N;\nproperty p [reachable] : q[0] + 1 == 2;\nproperty r [reachable] : q[0] < b;\nproperty s [reachable] : q[q] == a;\nproperty u [reachable] : q[2] == a;\nproperty v [reachable] : q[0] == c;\n";
    queue_begins_with_a_number: "net N {\n    queue q { a } capacity 2;\n    place p;\n    transition t { take q(a); }\n    initial i { q = 1; }\n    initial j { p = [a]; }\n}\n";
    weight_after_place: "net N {\n    place p;\n    transition t { take p 3; }\n}\n";
    increments: "gal A {\n    int x;\n    transition t { x++; }\n    transition u { x--; }\n}\n";
    booleans: "gal A {\n    bool flag = true;\n    int x;\n}\n";
    places_as_elsewhere: "$N = 2;\nnet A {\n    place p [$N];\n    place q(1);\n    place r 1;\n    place a, b;\n    transition t { take p, q; }\n    transition u { put p * 2; }\n    int x;\n    rule v { }\n}\n";
    variables_as_elsewhere: "gal A {\n    array a [3];\n    int b[3];\n    int [3] c;\n    int d := 3;\n    int e, f;\n    var g = 1;\n    const N = 3;\n    action t { }\n    place p;\n}\n";
    declarations_as_elsewhere: "const N = 3;\nM = 3;\nint x;\nassert x == 1;\nsystem S { }\n";
    statements_as_elsewhere: "gal A {\n    int x;\n    transition t if (x == 1) { }\n    transition u (x == 1) { }\n    transition [x == 1] { }\n    transition v { x := 1; x == 2; if x == 1 { x = 2; } x = min(x, 1); }\n}\n";
    composites_as_elsewhere: "gal P { int x; transition t label \"l\" { x = 1; } }\ncomposite C {\n    P a, b;\n    transition s { a.\"l\"; }\n    sync u { a.\"l\"; }\n    synchronization v { a.l; }\n}\n";
    names_inside_of_instances: "net P { place busy; }\ncomposite C { P [2] m; }\nmain C;\nproperty p [reachable] : busy == 1;\n";
    all_indices: "gal A { array [2] m; }\nproperty q [reachable] : m[*] == 1;\n";
    size_after_name: "gal P { int x; }\ncomposite C {\n    P p [3];\n}\nmain C;\n";
    dot_into_an_instance: "gal P { int count; }\ncomposite C { P a; P [2] b; }\nmain C;\nproperty p [reachable] : a.count == 1;\n";
    dot_after_an_index: "gal P { int count; }\ncomposite C { P [2] b; }\nmain C;\nproperty q [reachable] : b[0].count == 1;\n";
    mistyped_property: "gal A { int x; }\nproperty p [reachabel] : x == 1;\nproperty q : x == 1;\n";
    several_errors_at_once: "gal A {\n    int 3x;\n    array [2 t;\n    transition t [x <] { y = ; }\n    int z = 1;\n}\nmain\n";
    strange_characters: "gal A {\n    int x = 0;\n    int y = §§ 1;\n    int z = $;\n}\n# a comment?\n";
    words_for_operators: "gal A { int x; transition t [x == 0 and x < 3] { } transition u [not (x == 0)] { } transition v { if (x == 1 or x == 2) { x = 1; } } }";
    constant_without_dollar: "$N = 3;\ntypedef proc = 0..N - 1;\ntypedef other = 0..K;\ngal A { int x; }\n";
    chained_comparison: "gal A { int x; transition t [0 < x < 3] { } }";
    number_beyond_32_bits: "gal A { int x = 2147483648; int y = -2147483648; int z = 99999999999999999999; }";
    two_dimensions: "gal A { array [4] t; transition a { t[1][2] = 0; } }";
    parameter_without_range: "gal A { int x; transition t ($i) { x = $i; } }";
    unknown_variable: "gal A {\n    int counter = 0;\n    transition t [conter < 3] { counter = couter + z; }\n}\n";
    unknown_parameter: "$SIZE = 3;\ngal A ($K = 2) {\n    array [$SIZ] t;\n    transition t (0..$J $i) { t[$k] = K; }\n}\n";
    unknown_range: "typedef index_t = 0..3;\ngal A { int x; transition t (indx_t $i, other $j) { x = $i; } }\n";
    unknown_type: "gal Cell { int x; }\ncomposite Ring {\n    Cel c;\n    Door d;\n}\nmain Rings;\n";
    unknown_label: "gal Cell {\n    int x;\n    transition t label \"step\" { x = 1; }\n    transition u { self.\"stop\"; }\n}\ncomposite Ring {\n    Cell c;\n    synchronization s { c.\"stepp\"; d.\"step\"; self.\"turn\"; }\n}\n";
    wrong_number_of_arguments: "gal Cell {\n    int x;\n    transition t (0..2 $i) label \"step\"($i) { x = $i; }\n}\ncomposite Ring {\n    Cell c;\n    synchronization s { c.\"step\"; c.\"step\"(1, 2); }\n}\n";
    unknown_binding: "gal Cell ($SIZE = 2) { array [$SIZE] x; }\ncomposite Ring { Cell c ($SIZES = 3); Cell d ($SIZE = 1, $SIZE = 2); }\n";
    unknown_initial_state: "net Cell { place p; initial full { p = 1; } initial fuller { p = 2; } }\ncomposite Ring { Cell c from ful; initial odd { d from full; } }\nmain Ring from even;\n";
    declared_twice: "$N = 1;\n$N = 2;\ngal A {\n    int x;\n    array [2] x;\n    transition t { x = 1; }\n    transition t { x = 2; }\n}\ngal A { int y; }\n";
    a_cycle_of_types: "composite A { B b; }\ncomposite B { C c; D d; }\ncomposite C { A a; }\ngal D { int x; }\n";
    a_type_in_itself_with_another_parameter: "composite A ($N = 3) { A a ($N = $N - 1); }";
    a_circle_of_calls: "gal A {\n    int x;\n    transition a label \"a\" { self.\"b\"; }\n    transition b label \"b\" { if (x == 0) { self.\"a\"; } }\n}\n";
    a_label_that_calls_itself: "gal A {\n    int x;\n    transition a [x < 3] label \"a\" { x += 1; self.\"a\"; }\n}\n";
    circles_of_calls_through_blocks_and_loops: "gal A {\n    int x;\n    transition a label \"a\" { fixpoint { self.\"b\"; } }\n    transition b label \"b\" { for ($i : 0..1) { self.\"c\"; } }\n    transition c label \"c\" { self.\"a\"; }\n    transition d label \"d\" { self.\"d\"; }\n}\n";
    a_circle_of_calls_with_arguments: "gal A {\n    int x;\n    transition a (0..3 $i) label \"a\"($i) { self.\"a\"(($i + 1) % 4); }\n}\n";
    a_circle_of_synchronisations: "gal A { int x; transition a label \"a\" { x = 1; } }\ncomposite B {\n    A i;\n    synchronization s label \"s\" { i.\"a\"; self.\"r\"; }\n    synchronization r label \"r\" { self.\"s\"; }\n}\n";
    index_out_of_range: "gal A {\n    array [3] t;\n    transition a (0..3 $i) [t[$i] == 0] { t[$i] = 1; }\n    transition b { t[-1] = 0; }\n}\n";
    array_and_scalar_confused: "gal A {\n    int x;\n    array [3] t;\n    transition a [t == 0] { x[1] = 2; t = 3; }\n}\n";
    wrong_number_of_values: "gal A { array [3] t = (1, 2); array [-1] u; }";
    integer_as_condition: "gal A { int x; transition a [x] { if (x + 1) { x = 0; } } }";
    predicate_assigned: "gal A { int x; predicate p = x > 1; alias y = x + 1; transition a [p] { p = 1; y = 2; } }";
    variable_where_a_constant_is_needed: "gal A { int x = 3; array [x] t; transition a label \"l\"(x) { for ($i : 0..x) { x = $i; } } }";
    guard_of_a_net: "net N { place p = 1; transition t [p > 0] { take p; } }";
    contradictory_tokens: "net N {\n    place p = 5 capacity 3;\n    place q = -1;\n    place r;\n    transition t { take -2 r; }\n}\n";
    not_a_place: "net N {\n    place p = 5;\n    alias q = p + 1;\n    transition t { put p[0]; take q; take x; }\n}\n";
    weights_beyond_32_bits: "net N { place p; transition t { put 2000000000 p; put 2000000000 p; } }";
    hotbit_outside_of_its_range: "gal A { hotbit (1..3) int y = 4; hotbit (3..1) int z; hotbit (0..1) array [2] w; }";
    unsatisfied_interface: "interface Steps { label \"step\"; label \"go\"(0..1 $i); }\ngal Cell { int x; transition t label \"step\" { x = 1; } }\ncomposite Ring<T extends Steps> { T t; }\ncomposite Main { Ring<Cell> r; }\n";
    templates_without_types: "gal Cell { int x; }\ncomposite Ring<T> { T t; }\ncomposite Main { Ring r; Cell<Cell> c; Ring<Cell, Cell> s; }\n";
    too_many_combinations: "typedef t = 0..999;\ngal A {\n    int x;\n    transition a (t $i, t $j, t $k) [x == $i + $j + $k] { x = 0; }\n}\n";
    an_enormous_array: "gal A { array [2000000000] t; }";
    a_billion_values_of_a_parameter: "gal A {\n    int x;\n    transition t (0..999999999 $i) [x == $i] { x = 0; }\n}\n";
    a_billion_values_that_a_guard_excludes: "gal A {\n    int x;\n    transition t (0..999999999 $i) [$i == 5] { x = 0; }\n}\n";
    a_billion_rounds: "gal A {\n    int x;\n    transition t { for ($i : 0..999999999) { x = $i; } }\n}\n";
    a_billion_rounds_of_nested_loops: "gal A {\n    int x;\n    transition t { for ($i : 0..999) { for ($j : 0..999) { for ($k : 0..999) { x = 0; } } } }\n}\n";
    a_billion_calls: "gal A { int x; transition a label \"a\" { x = 1; } }\ncomposite B {\n    A i;\n    synchronization s { for ($i : 0..999999999) { i.\"a\"; } }\n}\n";
    a_billion_instances: "gal A { int x; }\ncomposite B {\n    A [1000000000] i;\n}\n";
    a_billion_arcs: "net N {\n    place p = 1;\n    transition t { for ($i : 0..999999999) { take p; } }\n}\n";
    a_billion_bits: "gal A { hotbit (0..999999999) int y; }";
    a_length_that_wraps_around: "$N = 2147483647;\ngal A { array [$N * 2] t; }";
    constants_used_before_their_declaration: "$N = $M + 1;\n$M = $K;\ngal A { array [$N] t; }\n";
    constants_without_value: "$N = 1 / 0;\n$M = 1 % 0;\n$K = 0 ** -1;\ngal A { int x; }\n";
    assignments_for_comparisons: "gal A {\n    int x;\n    transition a [x = 1] { }\n    transition b { if (x = 1) { } }\n    transition c { x == 1; }\n}\n";
    operators_of_c: "gal A {\n    int x;\n    transition a { x++; x *= 2; }\n}\n";
    priority_after_the_label: "net A {\n    place p;\n    transition a label \"l\" priority 1 { take p; }\n}\n";
    priority_of_a_program: "gal A {\n    int x;\n    transition a priority 1 { x = 1; }\n}\n";
    priority_of_a_synchronisation: "gal A {\n    int x;\n    transition a label \"a\" { x = 1; }\n}\ncomposite B {\n    A i;\n    synchronization s priority 2 { i.\"a\"; }\n}\n";
    negative_priority: "net A {\n    place p;\n    transition a (0..1 $i) priority $i - 1 { take p; }\n}\n";
    priority_of_tokens: "net A {\n    place p;\n    transition a priority p { take p; }\n}\n";
    priorities_inside_of_a_composite: "net A {\n    place p = 1;\n    transition a priority 1 { take p; }\n    transition b label \"b\" { put p; }\n}\ncomposite B {\n    A i;\n    synchronization s { i.\"b\"; }\n}\n";
    guard_after_the_label: "gal A {\n    int x;\n    transition a label \"l\" [x == 1] { }\n}\n";
    a_parameter_assigned: "gal A {\n    int x;\n    transition a (0..1 $i) { $i = 2; }\n}\n";
    an_assignment_in_a_composite: "gal A { int x; }\ncomposite B {\n    A i;\n    synchronization s { i:x = 1; }\n}\n";
    integers_as_formulas: "gal A { int x; }\nproperty p [reachable] : x;\nproperty q [ctl] : AG(x);\nproperty r [ltl] : G(!x);\n";
    integers_as_predicates: "gal A { int x; predicate p = x; TRANSIENT = x; }";
    instances_and_arrays_of_them_confused: "gal A { int x; transition t label \"a\" { x = 1; } }\ncomposite B {\n    A i;\n    A [2] j;\n    synchronization s { i[0].\"a\"; j.\"a\"; j[2].\"a\"; if (i:x == 1) { i.\"a\"; } }\n}\n";
    import: "import \"other.gal\";\ngal A { int x; }";
    temporal_operators_of_the_wrong_kind: "gal A { int x; }\nproperty p [ctl] : AG(F x == 1);\nproperty q [ltl] : G(EF x == 1);\nproperty r [reachable] : EF x == 1;\n";
    unknown_names_in_properties: "gal A { int state; array [2] t; transition go { state = 1; } }\ncomposite R { A [3] peers; }\nproperty p [reachable] : peers[3]:state == 1;\nproperty q [reachable] : peer[1]:state == 1;\nproperty r [reachable] : peers[1]:sate == 1 && peers[0] == 1;\nproperty s [never] : fireable(peers[1]:gone);\nproperty t [bounds] : peers[1]:t;\n";
    symmetry_of_unknown_kind: "net N {\n    place p;\n    place q;\n    symmetry s rign { (p) (q); }\n    symmetry t { (p) (q); }\n    symetry u ring { (p) (q); }\n}\n";
    symmetry_of_unknown_places: "net N {\n    place idle;\n    place [3] fork;\n    alias both = idle + fork[0];\n    symmetry s ring { (idel) (fork[3]) (fork) (both) (idle[0]); (a:b); (fork[idle]); }\n}\n";
    symmetry_of_unknown_variables: "gal A {\n    int x;\n    array [3] t;\n    alias twice = 2 * x;\n    symmetry s interchangeable { (y) (t[3]) (t) (twice) (t[x]); for ($i : 0..3) { (t[$j]); } }\n}\n";
    symmetry_of_unknown_instances: "gal A { int x; }\ncomposite C {\n    A a;\n    A [2] row;\n    symmetry s ring { (b) (row) (row[2]) (a:x) (a[0]); }\n}\n";
    symmetry_out_of_range: "net N ($K = 3) {\n    place [$K] p;\n    symmetry s ring { for ($i : 0..$K) { (p[$i]); } }\n}\n";
    symmetry_of_blocks_of_different_length: "net N {\n    place [5] p;\n    symmetry s interchangeable { (p[0], p[1]) (p[2], p[3]); (p[4]); }\n    symmetry t ring { for ($i : 0..1) { (for ($j : 0..$i) p[2 * $i + $j]); } }\n}\n";
    symmetry_that_lists_twice: "net N {\n    place [3] p;\n    place q;\n    symmetry s interchangeable { (p[0]) (p[1]); (p[0]); }\n    symmetry t ring { for ($i : 0..2) { (q); } }\n    symmetry u generated { (p[0], p[1], p[1]); (p[0], p[1]) (p[2], p[0]); }\n}\n";
    symmetry_of_different_types: "gal A { int x; }\ngal B { int y; }\ncomposite C {\n    A a;\n    A b;\n    B c;\n    symmetry s interchangeable { (a) (b) (c); }\n    symmetry t generated { (a, b) (c); (b, c); }\n}\n";
    symmetry_without_parentheses: "net N {\n    place p;\n    place q;\n    symmetry s ring { p q; }\n    symmetry t ring { (p q); }\n    symmetry u ring { (p) (q) }\n    symmetry u ring { (p), (q); }\n    symmetry v ring (p) (q);\n    symmetry ring { (p) (q); }\n}\n";
    symmetry_declared_twice: "net N {\n    place p;\n    place q;\n    symmetry s ring { (p) (q); }\n    symmetry s interchangeable { (p) (q); }\n}\n";
    symmetry_of_a_billion: "net N {\n    place p;\n    symmetry s ring { for ($i : 0..999999999) { (p); } }\n    symmetry t ring { (for ($i : 0..99999) for ($j : 0..99999) p); }\n}\n";
    units_that_are_no_tree: "net N { place p; unit a { p; unit b; } unit b { unit a; } root a; }";
}

#[test]
fn a_define_of_an_unknown_constant() {
    let text = "$SIZE = 3;\ngal A ($K = 2) { array [$SIZE] t; }\n";
    insta::assert_snapshot!("unknown_define", said(text, &[("SIZ", 4), ("J", 1)]));
}

#[test]
fn types_that_double() {
    let mut text = "gal B0 ($N = 0) { int x = $N; }\n".to_string();
    for i in 1..=40 {
        let below = i - 1;
        text.push_str(&format!(
            "composite B{i} ($N = 0) {{ B{below} a ($N = 2 * $N); B{below} b ($N = 2 * $N + 1); }}\n"
        ));
    }
    insta::assert_snapshot!("types_that_double", said(&text, &[]));
}

/// Loops whose every round makes something that is large in memory, and is no expression.
#[test]
fn what_loops_make_is_counted() {
    for body in ["abort;", "self.\"a\";", "fixpoint { }", "if (x == 1) { }"] {
        let text = format!(
            "gal A {{\n    int x;\n    transition a label \"a\" {{ x = 1; }}\n    transition t {{ for ($i : 0..9000000) {{ {body} }} }}\n}}"
        );
        let said = said(&text, &[]);
        assert!(said.starts_with("error: this makes the model too large\n --> model.gal:4:"), "{said}");
    }
}

#[test]
fn aliases_that_double() {
    let mut text = "gal A {\n    int x;\n    alias a0 = x * x;\n".to_string();
    for i in 1..=60 {
        text.push_str(&format!("    alias a{i} = a{0} * a{0};\n", i - 1));
    }
    text.push('}');
    insta::assert_snapshot!("aliases_that_double", said(&text, &[]));
}

#[test]
fn deep_nesting() {
    let deep = format!("{}x{}", "(".repeat(1000), ")".repeat(1000));
    let text = format!("gal A {{\n    int x;\n    transition t [{deep} == 0] {{ }}\n}}\n");
    let said = said(&text, &[]);
    assert!(said.contains("error: this nests deeper than 500 levels"), "{said}");
    assert!(said.contains("model.gal:3:"), "{said}");
    assert!(said.len() < 1000, "{said}");
}

#[test]
fn deep_loops_of_a_symmetry() {
    let text = |depth: usize| {
        let loops: String = (0..depth).map(|i| format!("for ($i{i} : 0..0) ")).collect();
        format!("net N {{\n    place p;\n    symmetry s ring {{ ({loops}p); }}\n}}\n")
    };
    assert!(gal::read("model.gal", &text(400), &[]).is_ok());
    let said = said(&text(100_000), &[]);
    assert!(said.contains("error: this nests deeper than 500 levels"), "{said}");
}

/// Lists take memory even where nothing is in them.
#[test]
fn a_million_empty_lists() {
    let said = said("net N {\n    place p;\n    symmetry s ring { for ($i : 0..8999999) { () (); } }\n}\n", &[]);
    assert!(said.contains("error: this makes the model too large"), "{said}");
}

#[test]
fn a_line_of_a_megabyte_is_not_printed_whole() {
    let text = format!("gal A {{ int x; transition t {{ {} y = 1; }} }}", "x = 1; ".repeat(150_000));
    let said = said(&text, &[]);
    assert!(said.contains("--> model.gal:1:1050032"), "{said}");
    assert!(said.lines().all(|line| line.len() < 200), "{said}");
}

#[test]
fn only_twenty_problems_are_shown() {
    let text = format!("gal A {{ {} }}", "int 1;\n".repeat(50));
    let said = said(&text, &[]);
    assert_eq!(said.matches("error: ").count(), 20);
    assert!(said.ends_with("and 30 more errors\n"), "{said}");
}

#[test]
fn colours_are_there_on_request_only() {
    let problems = gal::read("model.gal", "gal A { int 1; }", &[]).unwrap_err();
    assert!(problems.render(true).contains('\u{1b}'));
    assert!(!problems.render(false).contains('\u{1b}'));
    assert_eq!(problems.render(false), problems.to_string());
}

#[test]
fn wrong_formulas() {
    let model = gal::read("model.gal", "gal A { int x; transition t { x = 1; } }", &[]).unwrap();
    let texts = [
        "x ==",
        "y == 1",
        "x",
        "AG(x == 1",
        "[ctl] : G x == 1",
        "[ctl] : AG F x == 1",
        "x == 1 extra",
        "fireable()",
        "[often] x == 1",
    ];
    let said = texts.map(|text| gal::formula(&model.system, text).unwrap_err().to_string());
    insta::assert_snapshot!("wrong_formulas", said.join("\n"));
}

/// What people write who know other languages better.
#[test]
fn foreign_formulas() {
    let text = "$N = 3;\ntypedef proc = 0..$N - 1;\ngal A {\n    int x; int y; array [3] a;\n    \
                transition deliver { x = 1; }\n    transition enter (proc $i) { a[$i] = 1; }\n}\n";
    let model = gal::read("model.gal", text, &[]).unwrap_or_else(|error| panic!("{error}"));
    let texts = [
        "EF (x == 3 and y == 1)",
        "EF (x == 3 or y == 1)",
        "EF (not x == 3)",
        "EF (x == 3 & y == 1)",
        "EF (x == 3 | y == 1)",
        "EF ((x == 3) & (y == 1))",
        "EF (x == 3 /\\ y == 1)",
        "EF (x == 3 \\/ y == 1)",
        "forall (i : proc) AG a[i] < 2",
        "forall $i : proc . AG a[$i] < 2",
        "forall i in proc : AG a[i] < 2",
        "exists $i in proc EF a[$i] == 1",
        "forall ($i : 0..N-1) AG a[$i] < 2",
        "forall ($i : 0..M) AG a[$i] < 2",
        "forall ($i : 0..x) AG a[$i] < 2",
        "EF deliver",
        "EF enter",
        "EF fireable(entr)",
        "bounds: x",
    ];
    let said = texts.map(|text| match gal::formula_in(&model.system, &model.scope, text) {
        Ok(_) => panic!("this was read: {text}"),
        Err(error) => error.to_string(),
    });
    insta::assert_snapshot!("foreign_formulas", said.join("\n"));
}

/// Each text is told how it is written here, and nothing else is wrong with it that would hide this.
fn is_told(text: &str, help: &str) {
    let said = said(text, &[]);
    assert!(said.contains(help), "{text}\n{said}");
}

/// What people write in a program who know Promela, NuSMV, TLA+ or C better.
#[test]
fn programs_as_elsewhere() {
    for (inside, help) in [
        ("byte y;", "integers of 32 bits"),
        ("enum { open, closed } y;", "constants before the types"),
        ("VAR y : 0..3;", "`int x = 3;`"),
        ("init { x = 1; }", "begins with the value of its declaration"),
        ("initial x = 1;", "where it is declared"),
        ("chan c = [3] of { byte };", "queues are for a `net`"),
        ("array [2] t = {0, 1};", "`(0, 1, 0)`"),
        ("array [2] t = [0, 1];", "`(0, 1, 0)`"),
        ("array [2][2] t;", "arrays have one dimension"),
        ("transition t [x == 0] -> { x = 1; }", "stands in braces"),
        ("transition t [x == 0] x = 1;", "stands in braces"),
        ("transition t { x' = 1; }", "assigned, as in `x = x + 1;`"),
        ("transition t { next(x) := 1; }", "the next value is assigned"),
        ("transition t { x = x == 0 ? 1 : 2; }", "`if (x == 1) { ... } else { ... }`"),
        ("transition t { if (x == 0) x = 1; }", "stands in braces: `if"),
        ("transition t { while (x < 3) { x += 1; } }", "`fixpoint { ... }`"),
        ("transition t { for (int i = 0; i < 3; i++) { x += 1; } }", "`for ($i : 0..3) { ... }`"),
        ("transition t { skip; }", "`{ }`"),
        ("transition t { assert(x == 0); }", "a property of the file"),
        ("transition t { printf(x); }", "`--trace`"),
        ("transition t { x, y = 1, 2; }", "one after the other"),
        ("transition t { x = {0, 1}; }", "a parameter of the transition"),
        ("transition t { x = 1.5; }", "numbers are whole"),
        ("transition t ($i in 0..2) { x = $i; }", "`0..3 $i`"),
        ("transition t [x <> 0] { x = 1; }", "written `!=`"),
        ("transition t [x /= 0] { x = 1; }", "written `!=`"),
        ("transition t [x++ < 2] { x = 1; }", "`x + 1`"),
        ("transition t [x == 0 --> x < 2] { x = 1; }", "`!a || b`"),
        ("transition t [x in {0, 1}] { x = 1; }", "a set is written out"),
        ("transition t [forall ($i : 0..2) x == $i] { x = 1; }", "only formulas have quantifiers"),
        ("-- a comment", "comments begin with `//`"),
        ("(* a comment *)", "comments begin with `//`"),
    ] {
        is_told(&format!("gal A {{ int x; {inside} }}"), help);
    }
}

/// What people write in nets, composites and files who know other tools better.
#[test]
fn files_as_elsewhere() {
    for (text, help) in [
        ("net N { place p; transition t { in p; } }", "written `take p;`"),
        ("net N { place p; transition t { out p; } }", "written `put p;`"),
        ("net N { place p; transition t { test p; } }", "written `read p;`"),
        ("net N { place p; transition t { p -> p; } }", "an arc has a word and a place"),
        ("net N { place p; transition t { take 2*p; } }", "stand side by side: `take 2 p;`"),
        ("net N { place p; arc p -> t; }", "arcs stand inside of transitions"),
        ("net N { place [2] p = {1, 1}; }", "`(0, 1, 0)`"),
        ("net N { place p capacity = 3; }", "`capacity 3`"),
        ("net N { place p <= 3; }", "`place p capacity 3;`"),
        ("net N { place p; transition t priority = 2 { take p; } }", "`priority 3`"),
        ("petrinet N { place p; }", "`net Name { ... }`"),
        ("MODULE N { }", "a part is a `gal` or a `net`"),
        ("gal A { int x; }; main A;", "no `;` follows a `}`"),
        ("gal A { int x; }\nLTLSPEC G (x == 1)", "a question is a property"),
        ("gal A { int x; }\nx = new A;", "a file declares"),
        ("net A { place p; transition t { take p; } } composite C { A x; sync { x.\"t\"; } }", "parts move together"),
        (
            "net A { place p; transition t { take p; } } composite C { A x; synchronization { x.\"t\"; } }",
            "`synchronization t {",
        ),
        (
            "net A { place p; transition t { take p; } } composite C { A x; synchronization s { x.\"t\"; } }",
            "give it a label: `transition t label \"t\" { ... }`",
        ),
    ] {
        is_told(text, help);
    }
    // A brace that is missing hides nothing of what follows.
    let text = "gal A { int x; transition t [x == 0] { x = 1; transition u [x == 1] { y = 0; } }";
    insta::assert_snapshot!("transition_not_closed", said(text, &[]));
}

/// What people ask who know other languages better.
#[test]
fn questions_as_elsewhere() {
    let text =
        "gal Lift { int x; array [3] t; transition up [x < 3] { x += 1; } transition call (0..2 $i) { t[$i] = 1; } }";
    let model = gal::read("model.gal", text, &[]).unwrap_or_else(|error| panic!("{error}"));
    for (formula, help) in [
        ("always (x <= 3)", "written `AG f`"),
        ("x == 0 until x == 1", "written `f U g`"),
        ("x == 0 V x == 1", "written `f R g`"),
        ("GF x == 3", "stand apart: `G F f`"),
        ("AGEF (x == 3)", "stand apart: `AG EF f`"),
        ("G (x == 0 => x == 1)", "written `->`"),
        ("G (x == 0 ==> x == 1)", "written `->`"),
        ("x == 0 --> x == 1", "written `->`"),
        ("next(x) == 1", "written `X f`"),
        ("O (x == 1)", "`fired(t)`"),
        ("Y x == 1", "`fired(t)`"),
        ("x' == 1", "the next value"),
        ("EF x <> 3", "written `!=`"),
        ("EF x /= 3", "written `!=`"),
        ("EF x == 3.0", "numbers are whole"),
        ("AG x in 0..3", "`1 <= x && x <= 3`"),
        ("G ~(x == 3)", "\"not\" is written `!`"),
        ("exists x == 3", "written `EF f`"),
        ("forall i : t[i] == 0", "`forall ($i : 0..3) ...`"),
        ("forall (proc i) t[i] == 0", "`forall ($i : proc) ...`"),
        ("\\A i \\in 0..2 : t[i] == 0", "`forall ($i : 0..3)`"),
        ("sum(t) <= 2", "`sum ($i : 0..3) t[$i] <= 1`"),
        ("max(x) <= 2", "`[bounds] : x`"),
        ("bounds x", "`[bounds] : x`"),
        ("ltl: G x == 3", "`[ltl] : ...`"),
        ("property p : AG x <= 3", "`--formulas FILE`"),
        ("call(0)", "`fireable(t(0))`"),
        ("dead", "asked with `deadlock`"),
        ("deadlock()", "`deadlock` stands alone"),
        ("AG !TRUE", "written `true`"),
        ("Lift.x == 3", "did you mean `x`?"),
    ] {
        let error = gal::formula_in(&model.system, &model.scope, formula).expect_err(formula).to_string();
        assert!(error.contains(help), "{formula}\n{error}");
    }
}

#[test]
fn no_beginning_and_no_damage_of_a_file_panics() {
    let text = include_str!("everything.gal");
    for (end, _) in text.char_indices().step_by(7) {
        let _ = gal::read("model.gal", &text[..end], &[]);
    }
    let words: Vec<&str> = text.split_inclusive([' ', '\n', ';', '(', ')', '{', '}', '[', ']', '"', '.']).collect();
    let mut random = 12345u64;
    let mut next = |bound: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % bound
    };
    for _ in 0..400 {
        let mut damaged = words.clone();
        for _ in 0..1 + next(3) {
            let (one, other) = (next(damaged.len()), next(damaged.len()));
            match next(3) {
                0 => damaged.swap(one, other),
                1 => damaged[one] = damaged[other],
                _ => {
                    damaged.remove(one);
                }
            }
        }
        let damaged = damaged.concat();
        if let Err(problems) = gal::read("model.gal", &damaged, &[]) {
            assert!(!problems.problems.is_empty());
            let _ = problems.to_string();
        }
    }
}

/// However long a text is, not more than a thousand problems are kept of it.
#[test]
fn problems_are_not_listed_without_end() {
    for piece in ["$", "#", "$ ", "\"\n", "( ", "; ", "{ ", "?", "a "] {
        let error = mandala_model::gal::read("bad.gal", &piece.repeat(200_000), &[]).expect_err("it is no model");
        assert!(error.problems.len() <= 1_001, "{piece:?}: {} problems", error.problems.len());
    }
    let error = mandala_model::gal::read("bad.gal", &"$".repeat(200_000), &[]).expect_err("it is no model");
    assert_eq!(error.problems[0].span.end, 200_000, "characters that follow each other are one problem");
}
