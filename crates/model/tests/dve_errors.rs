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
    constants_that_do_not_fit: "const byte x = 256;\nconst int y = 40000;\nconst byte z = -1;\nconst int w = 1 / 0;\nprocess P { state a; init a; }\nsystem async;\n";
    two_dimensions: "byte t[2][3];\nprocess P { state a; init a; }\nsystem async;\n";
    lengths: "const byte N = 0;\nbyte x;\nbyte t[N], u[x], v[2] = {1, 2, 3}, w[2] = 1, y = {1, 2};\nprocess P { state a; init a; }\nsystem async;\n";
    an_enormous_array: "byte t[2000000000];\nprocess P { state a; init a; }\nsystem async;\n";
    an_enormous_local_array: "process P {\n    byte t[2000000000];\n    state a;\n    init a;\n    trans a -> a { effect t[0] = 1; };\n}\nsystem async;\n";
    an_enormous_buffer: "channel {byte, int} c[2000000000];\nprocess P { state a; init a; trans a -> a { sync c!{1, 2}; }; }\nsystem async;\n";
    buffers_too_large_to_move: "byte x;\nchannel {byte} c[900000];\nprocess P { state a; init a; trans a -> a { sync c!1; }, a -> a { sync c?x; }; }\nsystem async;\n";
    a_length_that_wraps_around: "const int N = 30000;\nbyte t[N * N * 3];\nprocess P { state a; init a; }\nsystem async;\n";
    constants_without_value: "const byte N = 1 / 0;\nbyte t[1 % 0], x;\nprocess P { state a; init a; trans a -> a { effect x = N; }; }\nsystem async;\n";
    initial_values_that_are_not_constant: "byte x = true, y = x;\nconst byte N = M;\nconst byte M = 2;\nconst byte t[2] = {1, x};\nprocess P { state a; init a; }\nsystem async;\n";
    processes_and_states_as_variables: "byte x;\nprocess P {\n    state a, b;\n    init a;\n    trans a -> b { guard Q == 1 && b; effect a = 1, x = P.x, x = P->a; };\n}\nprocess Q { state a; init a; }\nsystem async;\n";
    assignments_for_comparisons: "byte x;\nprocess P {\n    state a;\n    init a;\n    assert a: x = 1;\n    trans a -> a { guard x = 1; }, a -> a { effect x == 2; };\n}\nsystem async;\n";
    two_messages_at_once: "channel c;\nprocess P {\n    state a;\n    init a;\n    trans a -> a { sync c!1, c!2; };\n}\nsystem async;\n";
    messages_that_are_unclear: "channel {byte, byte} c[0];\nbyte i, t[3];\nprocess P {\n    state a;\n    init a;\n    trans a -> a { sync c?{i, t[i]}; };\n}\nsystem async;\n";
    messages_that_read_what_they_store: "channel {byte, byte} c[0];\nbyte x, y, z;\nprocess P {\n    state a;\n    init a;\n    trans a -> a { sync c!{x, y}; };\n}\nprocess Q {\n    state a;\n    init a;\n    trans a -> a { sync c?{y, z}; };\n}\nsystem async;\n";
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
fn values_for_what_is_no_constant() {
    let text = "const byte SIZE = 3, TABLE[2] = {1, 2};\nbyte counter;\nprocess P { const byte LEAST = 1; state a; init a; }\nsystem async;\n";
    let defines = ["SIZ", "J", "SIZE", "TABLE", "counter", "LEAST", "P"].map(|name| (name.to_string(), 300));
    let problems = dve::read_with_constants("model.dve", text, &defines).unwrap_err();
    insta::assert_snapshot!("values_for_what_is_no_constant", problems.to_string());
}

#[test]
fn a_value_for_a_file_without_constants() {
    let text = "byte x;\nprocess P { state a; init a; }\nsystem async;\n";
    let problems = dve::read_with_constants("model.dve", text, &[("N".to_string(), 3)]).unwrap_err();
    insta::assert_snapshot!("a_value_for_a_file_without_constants", problems.to_string());
}

#[test]
fn long_names_are_not_shown_whole() {
    let texts = [
        "byte LONG, LONG; byte t[LONG]; const byte LONG1; byte LONG2 = {1}; channel LONG3[3];
         process LONG4 { init a; } process LONG5 { state LONG; } process LONG6 { state a, b; init a; init LONG; }
         system async;",
        "byte LONG1, LONG2[3]; channel LONG3;
         process LONG { state a, LONG4; init a;
            trans a -> a { guard LONG1[1] + LONG2 + LONG2[5] + LONG3 + LONG4 + LONG + LONG.LONG + LONG->LONG + LONG5; },
                  a -> LONG { sync LONG1!2; }, a -> LONG4 { sync LONG3!2; }, a -> a { sync LONG3?; }, a -> a { sync LONG6?; }; }
         system async;",
    ];
    for text in texts {
        let said = said(&text.replace("LONG", &"long".repeat(1_000)));
        assert!(said.lines().all(|line| line.len() < 700), "{said}");
    }
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

/// Three processes with a thousand transitions each make a billion combinations.
#[test]
fn too_many_combinations() {
    let process = |name: &str| {
        let transitions = vec!["a -> a { guard x == 1; }"; 1_000].join(",\n    ");
        format!("process {name} {{\n    state a;\n    init a;\n    trans\n    {transitions};\n}}\n")
    };
    let text = format!("byte x;\n{}{}{}system sync;\n", process("P"), process("Q"), process("R"));
    insta::assert_snapshot!("too_many_combinations", said(&text));
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
