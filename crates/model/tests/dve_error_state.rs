//! The error state: one state without successors, to which every step leads that has no proper result.

use mandala_model::dve;
use mandala_model::gal;
use mandala_model::gal::Specification;
use mandala_model::semantics::Semantics;
use mandala_model::system::System;
use std::collections::BTreeSet;

fn read(text: &str) -> Specification {
    dve::read("model.dve", text).unwrap_or_else(|error| panic!("{error}"))
}

/// A system with one process and what stands before it.
fn process(globals: &str, locals: &str, transitions: &str) -> Specification {
    read(&format!("{globals} process P {{ {locals} state a, b, c; init a; trans {transitions}; }} system async;"))
}

/// What there is to count and to say about the reachable states.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    states: usize,
    edges: usize,
    /// The transitions that lead to the error state, with why.
    errors: BTreeSet<String>,
}

fn explored(system: &System) -> Found {
    let semantics = Semantics::new(system).unwrap();
    let mut seen: BTreeSet<Vec<i32>> = semantics.initial_states().unwrap().into_iter().collect();
    let mut open: Vec<Vec<i32>> = seen.iter().cloned().collect();
    let mut found = Found::default();
    while let Some(state) = open.pop() {
        let steps = semantics.successors(&state).unwrap();
        assert!(steps.is_empty() || !semantics.is_error_state(&state), "the error state has successors");
        for step in steps {
            found.edges += 1;
            if semantics.is_error_state(&step.state) {
                let why = semantics.mishap(&step.event, &state).expect("a reason");
                found.errors.insert(format!("{}: {why}", semantics.name(&step.event)));
            }
            if seen.insert(step.state.clone()) {
                open.push(step.state);
            }
        }
    }
    found.states = seen.len();
    assert!(seen.iter().filter(|state| semantics.is_error_state(state)).count() <= 1, "there are two error states");
    found
}

/// Checks numbers and reasons, and that GAL with the same numbers is written.
#[track_caller]
fn check(model: &Specification, states: usize, edges: usize, errors: &[&str]) {
    let found = explored(&model.system);
    let errors = errors.iter().map(|error| error.to_string()).collect();
    assert_eq!(found, Found { states, edges, errors });
    let written = gal::write(&model.system, &model.properties);
    let again = gal::read("written.gal", &written, &[]).unwrap_or_else(|error| panic!("{error}\n{written}"));
    let found = explored(&again.system);
    assert_eq!((found.states, found.edges), (states, edges), "{written}");
}

#[test]
fn a_value_that_does_not_fit() {
    let model = process("byte x = 254;", "", "a -> a { effect x = x + 1; }");
    check(&model, 3, 2, &["P.a_a: x would be 256, and a byte holds 0 to 255"]);
    let model = process("byte x = 1;", "", "a -> a { effect x = x - 1; }");
    check(&model, 3, 2, &["P.a_a: x would be -1, and a byte holds 0 to 255"]);
    let model = process("", "int x = -32767;", "a -> a { effect x = x - 1; }");
    check(&model, 3, 2, &["P.a_a: P.x would be -32769, and an int holds -32768 to 32767"]);
    let model = process("", "int x = 32767;", "a -> b { effect x = x + 1; }");
    check(&model, 2, 1, &["P.a_b: P.x would be 32768, and an int holds -32768 to 32767"]);
    let model = process("byte t[2] = {200, 100}, i;", "", "a -> a { guard i < 2; effect t[i] = 2 * t[i], i = i + 1; }");
    check(&model, 2, 1, &["P.a_a: t[0] would be 400, and a byte holds 0 to 255"]);
    // A constant that never fits.
    let model = process("byte x;", "", "a -> b { effect x = 300; }, a -> c { }");
    check(&model, 3, 2, &["P.a_b: x would be 300, and a byte holds 0 to 255"]);
}

#[test]
fn what_has_no_value() {
    let model = process("byte i = 3, t[3];", "", "a -> b { effect t[i] = 1; }");
    check(&model, 2, 1, &["P.a_b: there is no element 3 in an array of length 3"]);
    let model = process("byte i = 3, x, t[3];", "", "a -> b { effect x = t[i]; }");
    check(&model, 2, 1, &["P.a_b: there is no element 3 in an array of length 3"]);
    let model = process("byte i = 3, t[3];", "", "a -> b { guard t[i] == 0; }");
    check(&model, 2, 1, &["P.a_b: there is no element 3 in an array of length 3"]);
    let model = process("byte i, x = 5;", "", "a -> b { effect x = x / i; }, a -> c { effect x = x % i; }");
    check(&model, 2, 2, &["P.a_b: division by zero", "P.a_c: division by zero"]);
}

#[test]
fn the_error_wins_wherever_it_stands() {
    for effects in ["x = 256, y = 1, t[0] = 7", "y = 1, x = 256, t[0] = 7", "y = 1, t[0] = 7, x = 256"] {
        let model = process("byte x, y, t[2];", "", &format!("a -> b {{ effect {effects}; }}"));
        check(&model, 2, 1, &["P.a_b: x would be 256, and a byte holds 0 to 255"]);
    }
    // What follows from earlier effects.
    let model = process("byte x = 100, y;", "", "a -> b { effect x = x + 100, y = x + 100; }");
    check(&model, 2, 1, &["P.a_b: y would be 300, and a byte holds 0 to 255"]);
    // A value that fits again later does not undo it.
    let model = process("int x = 32767;", "", "a -> b { effect x = x + 1, x = x - 1; }");
    check(&model, 2, 1, &["P.a_b: x would be 32768, and an int holds -32768 to 32767"]);
}

#[test]
fn what_cannot_be_foreseen_is_checked_in_between() {
    // Which element is read depends on what was written to an element that is not known before.
    let text = |start: u32| format!("byte i = {start}, t[3] = {{1, 250, 0}}, x;");
    let transition = "a -> b { effect t[i] = 2, x = t[t[i]] + t[1] + 4; }";
    check(&process(&text(0), "", transition), 2, 1, &[]);
    check(&process(&text(1), "", transition), 2, 1, &[]);
    let transition = "a -> b { effect t[i] = 2, x = t[1] + 6; }";
    check(&process(&text(0), "", transition), 2, 1, &["P.a_b: x would be 256, and a byte holds 0 to 255"]);
    check(&process(&text(1), "", transition), 2, 1, &[]);
    // An index that fails behind it.
    let transition = "a -> b { effect t[i] = 3, x = t[t[i]], i = 256; }";
    check(&process(&text(0), "", transition), 2, 1, &["P.a_b: there is no element 3 in an array of length 3"]);
}

#[test]
fn channels_carry_what_fits() {
    let text = |channel: &str, sent: &str, receives: &str| {
        read(&format!(
            "channel {channel}; int big = 300; byte small = 7;
             process P {{ state a, b; init a; trans a -> b {{ sync c!{sent}; }}; }}
             process Q {{ state a, b; init a; trans a -> b {{ sync c?{receives}; }}; }}
             system async;"
        ))
    };
    // Through a channel without a type, into the variable.
    let does_not_fit = "P.a_b.c.Q.a_b: small would be 300, and a byte holds 0 to 255";
    check(&text("c", "big", "small"), 2, 1, &[does_not_fit]);
    check(&text("c", "small", "big"), 2, 1, &[]);
    // The type of the channel counts too.
    check(&text("{byte} c[0]", "big", "big"), 2, 1, &["P.a_b.c.Q.a_b: big would be 300, and a byte holds 0 to 255"]);
    check(&text("{int} c[0]", "big", "small"), 2, 1, &[does_not_fit]);
    check(&text("{int} c[0]", "big", "big"), 2, 1, &[]);
    // Into a buffer, and out of it.
    check(&text("{byte} c[1]", "big", "small"), 2, 1, &["P.a_b: c[0] would be 300, and a byte holds 0 to 255"]);
    check(&text("{int} c[1]", "big", "small"), 3, 2, &["Q.a_b: small would be 300, and a byte holds 0 to 255"]);
    check(&text("{int} c[1]", "big", "big"), 3, 2, &[]);
}

#[test]
fn a_system_may_begin_in_the_error_state() {
    for (globals, why) in [
        ("byte x = 256;", "x would be 256, and a byte holds 0 to 255"),
        ("int y = 40000;", "y would be 40000, and an int holds -32768 to 32767"),
        ("byte t[3] = {1, -1, 0};", "t[1] would be -1, and a byte holds 0 to 255"),
        ("byte x = 1 / 0;", "x would be something divided by zero"),
    ] {
        let model = process(globals, "", "a -> b { }");
        check(&model, 1, 0, &[]);
        let semantics = Semantics::new(&model.system).unwrap();
        assert!(semantics.is_error_state(&semantics.initial_states().unwrap()[0]));
        assert_eq!(semantics.mishap_at_start().map(|why| why.to_string()).as_deref(), Some(why));
    }
}

#[test]
fn steps_into_it_count_one_by_one() {
    // Two ways from the same state, and one from another.
    let model = process("byte x = 255;", "", "a -> b { }, a -> c { effect x = x + 1; }, b -> c { effect x = x + 2; }");
    let errors =
        ["P.a_c: x would be 256, and a byte holds 0 to 255", "P.b_c: x would be 257, and a byte holds 0 to 255"];
    check(&model, 3, 3, &errors);
}

#[test]
fn conflicts_lead_to_it() {
    let model = read(
        "byte x; process P { state a; init a; trans a -> a { effect x = 1; }; }
         process Q { byte y; state a; init a; trans a -> a { effect y = x; }; } system sync;",
    );
    check(&model, 2, 1, &["P.a_a.Q.a_a: processes that move together change what others read or change"]);
}

#[test]
fn nothing_is_written_where_nothing_can_fail() {
    for (globals, transitions) in [
        ("byte x;", "a -> a { guard x < 255; effect x = x + 1; }"),
        ("byte x;", "a -> a { guard x != 255; effect x = x + 1; }"),
        ("byte x = 200, y;", "a -> a { guard x > 0; effect x = x - 1; }, a -> b { effect y = x + 50; }"),
        ("byte x; int y;", "a -> a { effect x = (x + 1) % 7, y = x * 100; }"),
        ("byte x, y;", "a -> a { guard x < 100; effect x = x + 1; }, a -> b { effect y = x + 155; }"),
        ("byte x, t[4];", "a -> b { effect x = t[0] & 1, t[x] = x + 1; }"),
    ] {
        let model = process(globals, "", transitions);
        assert_eq!(model.system.error_state(), None, "{globals} {transitions}");
    }
}

#[test]
fn only_error_holds_in_it() {
    let text = "byte x = 255; process P { state a; init a; trans a -> a { effect x = x + 1; }; } system async;";
    let (model, names) = dve::read_with_names("model.dve", text).unwrap();
    let semantics = Semantics::new(&model.system).unwrap();
    let initial = semantics.initial_states().unwrap().remove(0);
    let error = semantics.successors(&initial).unwrap().remove(0).state;
    let holds = |formula: &str, state: &[i32]| {
        let property = names.formula(formula).unwrap_or_else(|error| panic!("{error}"));
        let mandala_model::property::Question::Invariant(formula) = property.question else { panic!("{property:?}") };
        semantics.evaluate(&formula, state).unwrap()
    };
    for (formula, expected) in [
        ("error", true),
        ("x == 0", false),
        ("x != 0", false),
        ("not (x == 0)", true),
        ("x < 3 || x >= 3", false),
        ("P.a", false),
        ("not P.a", true),
        ("not P.a && error", true),
        ("x", false),
        ("x == 0 imply P.a", true),
        ("(x == 0 && P.a) == 0", false),
        ("not ((x == 0 && P.a) == 0)", true),
        ("true", true),
        ("deadlock", false),
    ] {
        assert_eq!(holds(formula, &error), expected, "{formula}");
    }
    assert!(holds("x == 255 && not error", &initial));
    use mandala_model::property::Formula;
    assert_eq!(semantics.evaluate(&Formula::Deadlock, &error), Ok(false));
    // The same in GAL, which does not know which state this is.
    let formulas = ["x == 0", "not (x == 0)", "x != 0", "error"];
    let properties: Vec<_> = formulas.iter().map(|formula| names.formula(formula).unwrap()).collect();
    let again = gal::read("written.gal", &gal::write(&model.system, &properties), &[]).unwrap();
    let semantics = Semantics::new(&again.system).unwrap();
    for (property, expected) in again.properties.iter().zip([false, true, false, true]) {
        let mandala_model::property::Question::Invariant(formula) = &property.question else { panic!("{property:?}") };
        assert_eq!(semantics.evaluate(formula, &error), Ok(expected), "{}", property.name);
    }
}

#[test]
fn a_variable_may_be_called_error() {
    let text = "byte error = 1; process P { state a; init a; } system async;";
    let (_, names) = dve::read_with_names("model.dve", text).unwrap();
    let property = names.formula("error").unwrap();
    assert!(!format!("{property:?}").contains("Error"), "{property:?}");
}
