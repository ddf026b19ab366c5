//! What bad files are told. The messages are snapshots: read them aloud when they change.

use mandala_model::dve;

/// Reads a text that is wrong, and returns what is said about it.
fn said(text: &str) -> String {
    match dve::read("model.dve", text) {
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
                insta::assert_snapshot!(stringify!($name), said($text));
            }
        )*
    };
}

wrong! {
    empty_file: "";
    no_process: "byte x;\nsystem async;\n";
    no_system: "process P {\n    state a;\n    init a;\n}\n";
    two_systems: "process P { state a; init a; }\nsystem async;\nsystem sync;\n";
    neither_async_nor_sync: "process P { state a; init a; }\nsystem asynch;\n";
    truncated_process: "process P {\n    state a, b;\n    init a;\n    trans a -> b { guard true; }\n";
    truncated_transition: "process P {\n    state a, b;\n    init a;\n    trans a -> b { guard x";
    truncated_comment: "byte x; /* the counter\nprocess P { state a; init a; }\nsystem async;\n";
    process_not_closed_before_the_next: "process P {\n    state a;\n    init a;\n\nprocess Q {\n    state a;\n    init a;\n}\nsystem async;\n";
    missing_semicolon: "byte x = 0\nbyte y;\nprocess P {\n    state a, b\n    init a;\n    trans a -> b { effect x = 1 };\n}\nsystem async;\n";
    missing_comma: "process P {\n    state a, b;\n    init a;\n    trans\n        a -> b { }\n        b -> a { };\n        a -> a { };\n}\nsystem async;\n";
    mistyped_keywords: "byt x;\nproces P { }\nprocess Q {\n    stat a;\n    init a;\n    trans a -> a { gaurd true; };\n}\nsystem async;\n";
    keyword_as_name: "byte guard;\nprocess state { state a; init a; }\nsystem async;\n";
    strange_characters: "byte x = $3;\nprocess P { state §§; init a; }\nsystem async;\n";
    several_errors_at_once: "byte 3x;\nint t[2;\nprocess P {\n    state a, b;\n    init a;\n    trans\n        a -> b { guard x <; },\n        b -> { },\n        b -> a { effect y = ; };\n}\nsystem async;\n";
    operators_of_c: "byte x;\nprocess P {\n    state a;\n    init a;\n    trans a -> a { effect x += 1; }, a -> a { effect x++; };\n}\nsystem async;\n";
    parts_twice: "byte x;\nchannel c;\nprocess P {\n    state a;\n    init a;\n    trans\n        a -> a { guard true; guard x < 3; },\n        a -> a { sync c!; sync c?; },\n        a -> a { effect x = 1; effect x = 2; };\n}\nsystem async;\n";
    parenthesis_not_closed: "process P { state a; init a; trans a -> a { guard (1 + (2 * 3) < 4; }; }\nsystem async;\n";
    number_beyond_32_bits: "int x = 99999999999999999999;\nprocess P { state a; init a; trans a -> a { guard x < 2147483648; }; }\nsystem async;\n";
    values_that_do_not_fit: "byte x = 256;\nint y = 40000;\nbyte z = -1;\nbyte t[2] = {1, 300};\nprocess P { state a; init a; }\nsystem async;\n";
    two_dimensions: "byte t[2][3];\nprocess P { state a; init a; }\nsystem async;\n";
    lengths: "const byte N = 0;\nbyte x;\nbyte t[N], u[x], v[2] = {1, 2, 3}, w[2] = 1, y = {1, 2};\nprocess P { state a; init a; }\nsystem async;\n";
    an_enormous_array: "byte t[2000000000];\nprocess P { state a; init a; }\nsystem async;\n";
    a_constant_without_value: "const byte N;\nprocess P { state a; init a; }\nsystem async;\n";
    unknown_names: "byte counter;\nchannel ready;\nprocess Producer {\n    byte next;\n    state idle, busy;\n    init idle;\n    trans\n        idle -> busy { guard conter < 3; sync redy!nxt; },\n        busy -> idle { guard Consumer.idle && Produce.idle && Producer.bussy && Producer->nex == 1; effect y = 1; };\n}\nsystem async;\n";
    unknown_states: "process P {\n    state idle, busy;\n    init idel;\n    commit buzy;\n    accept nowhere;\n    assert ide: true;\n    trans idle -> bussy { }, bsy -> idle { };\n}\nsystem async;\n";
    declared_twice: "byte x;\nint x;\nchannel x;\nprocess P {\n    byte y, y;\n    state a, b, a;\n    init a;\n    init b;\n}\nprocess P { state a; init a; }\nprocess x { state a; init a; }\nsystem async;\n";
    no_initial_state: "process P { state a, b; trans a -> b { }; }\nprocess Q { init a; }\nsystem async;\n";
    wrong_number_of_values: "channel c;\nchannel {byte, int} d[0];\nbyte x, y;\nprocess P { state a; init a; trans a -> a { sync c!1; }, a -> a { sync d!1; }; }\nprocess Q { state a; init a; trans a -> a { sync c?; }, a -> a { sync c?{x, y}; }; }\nsystem async;\n";
    channels_and_variables_confused: "channel c;\nbyte x;\nprocess P { state a; init a; trans a -> a { guard c == 1; sync x!1; effect c = 1; }; }\nsystem async;\n";
    arrays_and_variables_confused: "byte x, t[3];\nconst byte N = 3;\nprocess P { state a; init a; trans a -> a { guard t == 0 && N[1] == 2; effect x[1] = 2, t = 3, t[3] = 1; }; }\nsystem async;\n";
    what_cannot_be_changed: "const byte N = 1;\nconst byte t[2] = {1, 2};\nchannel c;\nprocess P { byte x; state a; init a; }\nprocess Q {\n    state a;\n    init a;\n    trans\n        a -> a { effect N = 2, t[0] = 1, P->x = 1, P.a = 1; },\n        a -> a { sync c?1; };\n}\nsystem async;\n";
    buffer_without_types: "channel c[3];\nchannel {byte} d[0-1];\nprocess P { state a; init a; }\nsystem async;\n";
    property_process: "process P { state a; init a; }\nprocess LTL_property { state a; init a; accept a; }\nsystem async property LTL_property;\n";
    other_automata: "process P { state a, b; init a; accept rabin (a; b); }\nsystem async;\n";
    probabilities: "process P { state a, b; init a; trans a => { a: 1, b: 2 }; }\nsystem async;\n";
    synchronous_with_channels: "channel c;\nprocess P { state a; init a; trans a -> a { sync c!; }; }\nprocess Q { state a; init a; commit a; trans a -> a { sync c?; }; }\nsystem sync;\n";
}

#[test]
fn deep_nesting() {
    let deep = |open: &str, close: &str| {
        let (open, close) = (open.repeat(10_000), close.repeat(10_000));
        format!("byte x;\nprocess P {{ state a; init a; trans a -> a {{ guard {open}x{close}; }}; }}\nsystem async;\n")
    };
    insta::assert_snapshot!("deep_parentheses", said(&deep("(", ")")));
    insta::assert_snapshot!("deep_negations", said(&deep("not ", "")));
    insta::assert_snapshot!("long_product", said(&deep("", " * x")));
}

#[test]
fn long_sums_and_conjunctions_are_not_deep() {
    for operator in ["+", "-", "&&", "or"] {
        let chain = format!(" {operator} x").repeat(100_000);
        let text =
            format!("byte x; process P {{ state a; init a; trans a -> a {{ guard x{chain}; }}; }} system async;");
        assert!(dve::read("long.dve", &text).is_ok(), "{operator}");
    }
}

#[test]
fn too_many_pairs() {
    let process = |name: &str, sync: &str| {
        let transition = format!("a -> a {{ sync c{sync}; effect x = x + 1, x = x + 2, x = x + 3; }}");
        let transitions = vec![transition; 1_500].join(", ");
        format!("process {name} {{ state a; init a; trans {transitions}; }}\n")
    };
    let text = format!("byte x;\nchannel c;\n{}{}system async;\n", process("P", "!"), process("Q", "?"));
    assert!(said(&text).contains("too many ways in which processes can act together"));
}
