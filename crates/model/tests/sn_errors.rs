//! What bad `.sn` files are told. The messages are snapshots: read them aloud when they change.

use mandala_model::coloured::sn;

/// Reads a text that is wrong, and returns what is said about it.
fn said(text: &str, defines: &[(&str, i32)]) -> String {
    let defines: Vec<(String, i32)> = defines.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    match sn::read("model.sn", text, &defines) {
        Ok(model) => panic!("this was read: {model:?}"),
        Err(problems) => problems.to_string(),
    }
}

/// A net with two classes and three places around a transition.
fn around(transition: &str) -> String {
    format!(
        "net N {{\n    class People = {{ann, bob, cid}} sets {{ tall = {{ann}}; }}\n    class Seat linear = 1..3;\n    place in_ : People = <all>;\n    place at : People * Seat;\n    place with : Seat * bag People;\n    place lock = 1;\n    {transition}\n}}\n"
    )
}

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

macro_rules! wrong_transition {
    ($($name:ident: $text:expr;)*) => {
        $(
            #[test]
            fn $name() {
                insta::assert_snapshot!(stringify!($name), said(&around($text), &[]));
            }
        )*
    };
}

wrong! {
    empty_file: "";
    two_nets: "net A { }\nnet B { }\n";
    words_of_gal: "gal A { int x; }\nmain A;\n";
    mistyped_words: "nett A { }\nnet B {\n    clas C = 1..2;\n    palce p;\n}\npropety p [reachable] : true;\n";
    truncated_net: "net A {\n    class C = 1..3;\n    place p : C = <all>;\n";
    truncated_transition: "net A {\n    place p;\n    transition t {\n        take p;\n";
    missing_semicolons: "net A {\n    class C = {a}\n    place p : C\n    transition t { take p<a> }\n}\n";
    empty_classes: "$N = 0;\nnet A {\n    class C = 1..$N;\n    class D = {};\n    class E = p{3..2};\n}\n";
    colours_twice: "net A {\n    class C = {a, b, a};\n    class D = {p2, p{1..3}};\n}\n";
    one_colour_is_no_class: "net A { class C = a; }";
    wrong_order: "net A { class C cyclic = 1..3; class D crcular = 1..2; }";
    colours_as_elsewhere: "net A {\n    class C = a, b;\n    class D = [a, b];\n    class E { a, b }\n    class F = p{1..3};\n    var x : F;\n    place F p;\n    place q : F, F;\n    place r : F = <p1> <p2>;\n    place s : F = <p1, p2>;\n    transition t (F x) { take r[x]; }\n}\nclass G = 1..2;\n";
    subclasses_that_overlap: "net A { class C = 1..5 subclasses { low = 1..3; high = 3..5; } }";
    subclasses_that_leave_out: "net A { class C = {a, b, c} subclasses { one = {a}; other = {c}; } }";
    subclasses_of_other_colours: "net A { class C = p{1..20} subclasses { low = p{0..3}; high = {p21, q}; } }";
    subclasses_twice: "net A { class C = {a, b} sets { one = {a}; one = {b}; a = {b}; } }";
    braces_without_a_word: "net A { class C = 1..3 { low = 1..2; } }";
    declared_twice: "$N = 1;\n$N = 2;\nnet A {\n    class C = 1..2;\n    class C = {a};\n    place p;\n    place p : C;\n    transition t (C x, C x) { }\n    transition t { }\n}\nproperty q [never] : deadlock;\nproperty q [never] : p > 1;\n";
    constants_that_overflow: "$N = 2147483647;\n$M = $N + 1;\n$K = $N * $N * $N * $N;\n$Z = 1 / 0;\nnet A {\n    class C = 0..$N * 3;\n}\n";
    constants_too_early: "$M = $N + 1;\n$N = 2;\nnet A { class C = 1..$M; class D = 1..$O; }\n";
    unknown_classes: "net A {\n    class People = 1..2;\n    place p : Peple * bag Gift;\n    transition t (Poeple x, unique People y) { }\n}\n";
    initial_markings: "net A {\n    class C = {a, b} sets { s = {a}; };\n    class D = 1..3;\n    place p : C = <x>;\n    place q : C * D = <all>;\n    place r : C = 3;\n    place s = <a>;\n    place t : bag C = <a>;\n    place u : C = <{a, b}>;\n    place v : C = <1>;\n    place y : D = (1 - 2)<1>;\n}\n";
    negative_tokens: "net A { class D = 1..3; place w : D = -2<1>; place x = -1; }";
    capacities: "net A { place p = 1 capacity 3; }";
    labels_and_resets: "net A { place p; transition t label \"a\" { take p; } transition u { reset p; } }";
    mistyped_properties: "net A { place p; }\nproperty c [bounds] : p == 1;\nproperty d [reachable] : EF p == 1;\nproperty e [ctl] : F p == 1;\nproperty f [ltl] : AF p == 1;\nproperty g [invariant] : p;\n";
    kinds_of_properties: "net A { place p; }\nproperty a [reachabel] : p == 1;\nproperty b : p == 1;\n";
    names_in_properties: "net A {\n    class C = {red, blue};\n    place queue : C * bag C;\n    place lock;\n    transition go (C x, unique bag C B) { take queue<x, B>; }\n}\nproperty a [reachable] : quue == 1;\nproperty b [reachable] : queue(red) == 1 && lock(red) == 0;\nproperty c [reachable] : queue(rd, *) == 1 && queue({red}, red) == 1;\nproperty d [reachable] : fireable(goo) || fireable(go(y = red)) || fireable(go(x = {red}, x = red));\nproperty e [reachable] : go == 1 || lock[0] == 1 || lock:queue == 1;\nproperty f [never] : queue(*, {red, 2 * green}) > $N;\n";
    deep_parentheses: &format!("net A {{ place p; transition t [{}true{}] {{ take p; }} }}", "(".repeat(2000), ")".repeat(2000));
    deep_braces: &format!("net A {{ class C = {{a}}; place p : bag C = <{}a{}>; }}", "{".repeat(2000), "}".repeat(2000));
    many_differences: &format!("net A {{ class C = {{a}}; place p : C = <all{}>; }}", " - a".repeat(2000));
    enormous_class: "net A { class C = 0..4294967295; class D = {0..2000000000}; }";
}

wrong_transition! {
    unknown_places: "transition t (People x) { take int_<x>; put nowhere<x>; }";
    unknown_variables: "transition t (People person) { take in_<persn>; take at<ann, seat>; put in_<z>; }";
    unknown_colours: "transition t (People x) [x == bobb || x in tal] { take in_<x>; put at<x, 4>; }";
    variables_of_the_wrong_class: "transition t (People x, Seat y) [x == y] { take in_<y>; put at<y, x>; }";
    colours_of_the_wrong_class: "transition t (People x) [x != 1] { take in_<x>; put at<1, ann>; }";
    tuples_of_the_wrong_width: "transition t (People x) { take in_<x, 1>; put at<x>; put lock<x>; take in_<>; }";
    tokens_without_colour: "transition t (People x) { take in_; put 2 at; inhibit in_ 3; take 2 in_<x>; }";
    successors_without_order: "transition t (People x) { take in_<x>; put in_<x++> + <ann--2>; }";
    successors_that_are_not_there: "transition t { put at<ann, 3++> + <bob, 1--> + <cid, 1++2>; }";
    successors_of_bags: "transition t (unique bag Seat B) { put at<ann, B++> + <ann, all++>; }";
    orders_without_order: "transition t (People x, People y) [x < y && x >= ann] { take in_<x> + <y>; }";
    bags_and_colours: "transition t (People x, bag People B) [x == B || B < {x} || B in x] { take with<1, x>; put in_<{x, ann}>; put with<1, B>; }";
    bags_that_are_not_bounded: "transition t (bag People A, bag People B, bag People C, unique bag People D) [card(A) > 2 || card(A) < 2] { take lock; put in_<A> + <B>; put with<1, C + D>; }";
    bags_that_are_bounded_by_others: "transition t (bag People A, bag People B, bag People C, bag People D) [card(A) <= 2 && B in A + D && card(C) < card(B)] { take in_ [card(A) > 0] <D>; }";
    cardinalities: "transition t (bag People B) [card(B) < ann && card(B) <= 1 - 2] { take in_<B>; }";
    classes_that_are_not_known: "transition t [1 == 2 && {} == none && ann == bob && all == all] { take lock; }";
    numbers_in_sets: "transition t (bag People B) [card(B) in tall] { take in_<B>; }";
    negative_numbers: "transition t (People x) priority (1 - 2) { take (2 - 3) lock; put in_ (1 - 2)<x> + <(3 - 5) * x>; put at<x, 1++(1 - 2)>; }";
    other_operators: "transition t (People x) [x = ann] { take in_<x>; }\n    transition u (People x) [x == ann and x != bob] { take in_<x>; }\n    transition v (People x) [x == ann | x != bob] { take in_<x>; }\n    transition w (People x) [ann == x == bob] { take in_<x>; }";
    other_arcs: "transition t (People x) { tkae in_<x>; take in_(x); take in_ x; move lock; }";
    reads_and_takes: "transition t (People x, People y) { read in_<x>; take in_<y>; read lock; read lock; }";
    unique_colours: "transition t (unique People x) { take in_<x>; }";
    variables_without_class: "transition t (x, y) { take in_<x>; }";
    guards_that_end_early: "transition t (People x) [x == ] { take in_<x>; }\n    transition u (People x) [(x == ann { take in_<x>; }";
    arrows: "transition t (Seat x) { put with<x, {ann-->}; put at<(ann, x-->; }";
}

#[test]
fn constants_from_outside() {
    let text = "$SIZE = 3;\nnet A { class C = 1..$SIZE; }\n";
    insta::assert_snapshot!("constants_from_outside", said(text, &[("SIZ", 4), ("SIZE", 0)]));
}

#[test]
fn formulas() {
    let text = around("transition t (People x) { take in_<x>; }");
    let net = sn::read("model.sn", &text, &[]).unwrap_or_else(|error| panic!("{error}")).net;
    let formulas = [
        "in_(ann",
        "in_(dan) == 1",
        "G in_ == 1 && AF in_ == 0",
        "fireable()",
        "fireable(t(x == ann), t(x = *)) && (nowhere > 0)",
        "with(1, ann) == 0",
        "in_ == 1 ) ",
    ];
    let said: Vec<String> =
        formulas.iter().filter_map(|text| sn::formula(&net, text).err().map(|error| error.to_string())).collect();
    insta::assert_snapshot!("sn_formulas", said.join("\n"));
}

/// Tokens and bindings as they are written elsewhere.
#[test]
fn foreign_formulas() {
    let text = around("transition t (People x) { take in_<x>; }");
    let (model, scope) =
        sn::read_with_constants("model.sn", &format!("$N = 3;\n{text}"), &[]).unwrap_or_else(|error| panic!("{error}"));
    let formulas = [
        "in_<ann> == 1",
        "EF (at<ann, 1> == 1)",
        "in_[ann] == 1",
        "lock[0] == 1",
        "fireable(t(ann))",
        "EF fireable(t(1, 2))",
        "EF t",
        "bounds: in_",
        "forall (i : 1..3) at(ann, $i) < 2",
        "exists ($i : 1..N) EF at(ann, $i) == 1",
        "in_ == $M",
    ];
    let said = formulas.map(|text| match sn::formula_in(&model.net, &scope, text) {
        Ok(_) => panic!("this was read: {text}"),
        Err(error) => error.to_string(),
    });
    insta::assert_snapshot!("sn_foreign_formulas", said.join("\n"));
}

/// What people write who know CPN Tools or other languages better: each is told how it is written here.
#[test]
fn nets_as_elsewhere() {
    for (inside, help) in [
        ("class Q = a, b;", "stands in braces: `{a, b}`"),
        ("class Q = (a, b);", "stands in braces: `{a, b}`"),
        ("class Q : {a, b};", "`class Q = {a, b};`"),
        ("class Q with a | b;", "`class Q = {a, b};`"),
        ("class Q = a | b;", "stands in braces: `{a, b}`"),
        ("colset Q = with a | b;", "colours are those of a class"),
        ("class Q = 1...3;", "a range has two dots: `1..3`"),
        ("class Q = 1-3;", "a range has two dots: `1..3`"),
        ("class Q = 1 to 3;", "a range has two dots: `1..3`"),
        ("class Q = int 1..3;", "`class Q = 1..3;`"),
        ("class Q = circular 1..3;", "`class Q circular = 1..3;`"),
        ("class Q = q[1..3];", "`c{1..3}`"),
        ("class Q = P * P;", "a class has single colours"),
        ("place y P = <a>;", "`place p : People;`"),
        ("place y<P>;", "`place p : People;`"),
        ("place y(P);", "`place p : People;`"),
        ("place y : P x P;", "`place p : A * B;`"),
        ("place [2] y : P;", "a class here"),
        ("place y : P = 1`a ++ 2`b;", "`2<a> + <b>`"),
        ("place y : P = P.all;", "written `<all>`"),
        ("place y = <a>;", "`place p : People`"),
        ("transition t (P $p) { take x<p>; }", "without `$`: `P p`"),
        ("transition t (p : P) { take x<p>; }", "a class and a name: `P p`"),
        ("transition t (P p) { take <p> x; }", "comes before the tokens"),
        ("transition t (P p) { take p from x; }", "comes before the tokens"),
        ("transition t (P p) { take x<p>*2; }", "before the tokens: `2<a>`"),
        ("transition t (P p, P q) [p <> q] { take x<p>; }", "written `!=`"),
        ("transition t (P p) [p == \"a\"] { take x<p>; }", "without quotes"),
        ("transition t (P p) { if (p == a) { take x<p>; } }", "before the braces"),
        ("take x<a>;", "arcs stand inside of transitions"),
    ] {
        let said = said(&format!("net N {{ class P = {{a, b}}; place x : P = <a>; {inside} }}"), &[]);
        assert!(said.contains(help), "{inside}\n{said}");
    }
    for (formula, help) in [
        ("a in x", "`place(a) >= 1`"),
        ("x == <a>", "written `place(a)`"),
        ("|x| <= 1", "said by its name"),
        ("forall (P p) x(p) <= 1", "`forall ($p : P) ...`"),
        ("forall p : x(p) <= 1", "`forall ($p : 0..3) ...`"),
    ] {
        let text = format!("net N {{ class P = {{a, b}}; place x : P = <a>; }} property q [invariant] : {formula};");
        let said = said(&text, &[]);
        assert!(said.contains(help), "{formula}\n{said}");
    }
}

/// What adds colours is no successor, although `x + 1` looks like one where colours are numbers.
#[test]
fn sums_that_look_like_successors_are_noted() {
    let notes = |tokens: &str| {
        let text = format!(
            "net N {{ class P circular = 1..3; place x : P = <1>; transition t (P p, P q) {{ take x<p>; put x{tokens}; }} }}"
        );
        let reading = sn::read_with_notes("model.sn", &text, &[]).unwrap_or_else(|error| panic!("{error}"));
        reading.notes.iter().map(|note| note.in_a_line("model.sn", &text)).collect::<Vec<String>>().join("\n")
    };
    assert!(notes("<p + 1>").ends_with("the colour after `p` is `p++`"), "{}", notes("<p + 1>"));
    assert!(notes("<p - 1>").ends_with("the colour before `p` is `p--`"), "{}", notes("<p - 1>"));
    for meant in ["<p++>", "<p + q>", "<all - p>", "<1 + 2>", "<p> + <1>", "<p + q + 1>"] {
        assert_eq!(notes(meant), "", "{meant}");
    }
}

/// Formulas that are asked later know the constants of the file, with the values that they were given.
#[test]
fn formulas_know_the_constants() {
    let text = "$N = 3;\n$M = $N + 1;\nnet A {\n    class C = p{1..$M};\n    class D = 1..$N;\n    place a : C = <all>;\n    \
                place b : D;\n    transition t (C x) { take a<x>; }\n}\n";
    let (model, scope) =
        sn::read_with_constants("model.sn", text, &[("N".to_owned(), 2)]).unwrap_or_else(|error| panic!("{error}"));
    for (written, meant) in [
        ("EF a == $M", "EF a == 3"),
        ("AG a(p{$N}) <= 1", "AG a(p2) <= 1"),
        ("forall ($x : 1..$M) EF a(p{$x}) == 0", "EF a(p1) == 0 && EF a(p2) == 0 && EF a(p3) == 0"),
        ("[bounds] : sum ($x : 1..$N) b($x)", "[bounds] : b(1) + b(2)"),
        ("EF fireable(t(x = p{$M}))", "EF fireable(t(x = p3))"),
    ] {
        let question =
            |text: &str| sn::formula_in(&model.net, &scope, text).unwrap_or_else(|error| panic!("{error}")).question;
        assert_eq!(question(written), question(meant), "{written}");
    }
}
