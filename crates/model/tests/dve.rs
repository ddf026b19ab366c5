//! What small files in DVE mean.

use mandala_model::dve;
use mandala_model::gal::Specification;
use mandala_model::property::Question;
use mandala_model::semantics::Semantics;
use mandala_model::system::{Program, Type};
use std::collections::BTreeSet;

fn read(text: &str) -> Specification {
    dve::read("folder/model.dve", text).unwrap_or_else(|error| panic!("{error}"))
}

fn program(model: &Specification) -> &Program {
    match &model.system.types[..] {
        [Type::Program(program)] => program,
        other => panic!("one program, not {other:?}"),
    }
}

/// All reachable states.
fn states(model: &Specification) -> BTreeSet<Vec<i32>> {
    let semantics = Semantics::new(&model.system).unwrap();
    let mut seen: BTreeSet<Vec<i32>> = semantics.initial_states().unwrap().into_iter().collect();
    let mut open: Vec<Vec<i32>> = seen.iter().cloned().collect();
    while let Some(state) = open.pop() {
        for step in semantics.successors(&state).unwrap() {
            if seen.insert(step.state.clone()) {
                open.push(step.state);
            }
        }
    }
    seen
}

/// What happens in the initial state: the names of the transitions and the values of the variables after them.
fn first_steps(model: &Specification) -> Vec<(String, Vec<i32>)> {
    let semantics = Semantics::new(&model.system).unwrap();
    let initial = &semantics.initial_states().unwrap()[0];
    let transitions = &program(model).transitions;
    let named = |step: mandala_model::semantics::Step| {
        (transitions[step.event.location.index as usize].name.clone(), step.state)
    };
    semantics.successors(initial).unwrap().into_iter().map(named).collect()
}

fn steps(list: &[(&str, &[i32])]) -> Vec<(String, Vec<i32>)> {
    list.iter().map(|(name, state)| (name.to_string(), state.to_vec())).collect()
}

#[test]
fn names_are_those_of_the_file() {
    let model = read(
        "const byte N = 2; byte x = N + 1, t[N] = {7}; channel c;
         process P { int y = -1; state a, b; init b; trans b -> a { sync c!x; }, -> a { }, a -> b { }, a -> b { }; }
         process Q { byte z[2]; state a; init a; trans a -> a { sync c?z[1]; }; }
         system async;",
    );
    assert_eq!(model.system.name, "model");
    let program = program(&model);
    let names: Vec<&str> = program.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names, ["x", "t[0]", "t[1]", "P.state", "P.y", "Q.state", "Q.z[0]", "Q.z[1]"]);
    assert_eq!(program.initial[0].values, [3, 7, 0, 1, -1, 0, 0, 0]);
    let transitions: Vec<&str> = program.transitions.iter().map(|transition| transition.name.as_str()).collect();
    assert_eq!(transitions, ["P.b_a.c.Q.a_a", "P.b_a", "P.a_b", "P.a_b.2"]);
    assert_eq!(
        first_steps(&model),
        steps(&[("P.b_a.c.Q.a_a", &[3, 7, 0, 0, -1, 0, 0, 3]), ("P.b_a", &[3, 7, 0, 0, -1, 0, 0, 0])])
    );
}

#[test]
fn the_value_is_passed_first_and_the_receiver_goes_before_the_sender() {
    let model = read(
        "byte x = 1; channel c;
         process P { state a; init a; trans a -> a { sync c!x; effect x = x + 10; }; }
         process Q { byte y; state a; init a; trans a -> a { sync c?y; effect x = x + y, y = x; }; }
         system async;",
    );
    assert_eq!(first_steps(&model), steps(&[("P.a_a.c.Q.a_a", &[12, 0, 0, 2])]));
}

#[test]
fn nobody_talks_to_himself() {
    let model = read(
        "channel c;
         process P { state a, b; init a; trans a -> b { sync c!; }, a -> b { sync c?; }; }
         system async;",
    );
    assert_eq!(states(&model).len(), 1);
}

#[test]
fn commit_states_go_first() {
    let text = |commit: &str| {
        format!(
            "channel c;
             process P {{ state a, b; init a; {commit} trans a -> b {{ }}, a -> b {{ sync c!; }}; }}
             process Q {{ state a, b; init a; trans a -> b {{ }}, a -> b {{ sync c?; }}; }}
             system async;"
        )
    };
    assert_eq!(states(&read(&text(""))).len(), 4);
    // While P is in `a`, neither Q nor both together can move.
    assert_eq!(first_steps(&read(&text("commit a;"))), steps(&[("P.a_b", &[1, 0])]));
    // A commit state without a way out stops everything.
    assert_eq!(states(&read(&text("commit a, b;"))).len(), 2);
}

#[test]
fn between_numbers_have_32_bits() {
    let model =
        read("byte x = 200; process P { state a, b; init a; trans a -> b { guard x + x == 400; }; } system async;");
    assert_eq!(states(&model).len(), 2);
}

#[test]
fn conditions_are_numbers() {
    let model = read(
        "byte x = 2, y;
         process P { state a, b; init a; trans a -> b { guard x; effect y = (x == 2) * 4 + (P.a + P.b) * 8 + not x; }; }
         system async;",
    );
    assert_eq!(first_steps(&model), steps(&[("P.a_b", &[2, 12, 1])]));
}

#[test]
fn operators_bind_as_in_divine() {
    for (condition, holds) in [
        ("true || true && false", false),
        ("true or (true and false)", true),
        ("not false or true", true),
        ("not 1 == 0", true),
        ("1 + 2 * 3 == 7 && 7 - 2 - 1 == 4", true),
        ("1 | 2 & 4", false),
        ("1 << 2 + 1 == 8", true),
        ("false imply false", true),
        ("-7 % 3 == -1 && -7 / 2 == -3", true),
        ("~0 == -1 && (6 ^ 3) == 5", true),
    ] {
        let text = format!("process P {{ state a, b; init a; trans a -> b {{ guard {condition}; }}; }} system async;");
        assert_eq!(states(&read(&text)).len() == 2, holds, "{condition}");
    }
}

#[test]
fn an_index_that_does_not_exist_leads_to_the_error_state() {
    let guard = "byte i = 3, t[3] = {1, 1, 1};
        process P { state a, b; init a; trans a -> b { guard t[i] == 0; }; } system async;";
    assert_eq!(first_steps(&read(guard)), steps(&[("P.a_b.error", &[0, 0, 0, 0, -1])]));
    let negated = guard.replace("t[i] == 0", "not (t[i] == 0)");
    assert_eq!(first_steps(&read(&negated)), steps(&[("P.a_b.error", &[0, 0, 0, 0, -1])]));
    let effect = "byte i = 2, x = 5, t[3];
        process P { state a; init a; trans a -> a { effect t[i] = x, i = i + 1; }; } system async;";
    let all = states(&read(effect));
    let expected = [[2, 5, 0, 0, 0, 0], [3, 5, 0, 0, 5, 0], [0, 0, 0, 0, 0, -1]];
    assert_eq!(all, expected.iter().map(|state| state.to_vec()).collect());
    let division = "byte i, x = 5; process P { state a; init a; trans a -> a { effect x = x / i; }; } system async;";
    assert_eq!(first_steps(&read(division)), steps(&[("P.a_a.error", &[0, 0, -1])]));
}

#[test]
fn what_is_not_evaluated_is_no_error() {
    let model = read(
        "byte i = 3, t[3];
         process P {
             state a, b;
             init a;
             trans a -> b { guard i < 3 && t[i] == 0; }, a -> b { guard i > 2 or t[i] == 0; };
         }
         system async;",
    );
    assert_eq!(first_steps(&model), steps(&[("P.a_b.2", &[3, 0, 0, 0, 1])]));
    assert_eq!(program(&model).transitions.len(), 2, "nothing can go wrong, so nothing is checked");
}

#[test]
fn a_guard_on_a_channel_fails_only_where_the_other_could_take_part() {
    let text = |guard: &str| {
        format!(
            "byte i = 3, t[3]; channel c;
             process P {{ state a; init a; trans a -> a {{ guard t[i] == 0; sync c!; }}; }}
             process Q {{ state a; init a; trans a -> a {{ guard {guard}; sync c?; }}; }}
             system async;"
        )
    };
    assert_eq!(first_steps(&read(&text("i == 0"))), []);
    assert_eq!(first_steps(&read(&text("i == 3"))), steps(&[("P.a_a.c.Q.a_a.error", &[0, 0, 0, 0, -1, -1])]));
}

#[test]
fn counters_with_a_limit_need_no_checks() {
    let model = read(
        "byte t[3];
         process P {
             byte j;
             state begin, loop, end;
             init begin;
             trans
                 begin -> loop { effect j = 0; },
                 loop -> loop { guard j < 3; effect t[j] = j, j = j + 1; },
                 loop -> end { guard j == 3; effect t[j - 1] = 0; };
         }
         system async;",
    );
    let written = mandala_model::gal::write(&model.system, &[]);
    insta::assert_snapshot!("dve_as_gal", written);
}

#[test]
fn everything_else_is_written_out() {
    let model = read(
        "byte t[3], i; channel c;
         process P { state a, b; init a; commit b; trans a -> b { guard t[i] < 2; sync c!i + 1; }, b -> a { }; }
         process Q { int x; state a; init a; trans a -> a { sync c?i; effect t[i] = 1, x = x + 1; }; }
         system async;",
    );
    insta::assert_snapshot!("dve_with_errors_as_gal", mandala_model::gal::write(&model.system, &[]));
}

#[test]
fn buffers_are_queues() {
    let model = read(
        "channel {byte, int} c[2]; byte x; int y;
         process P { byte n; state a; init a; trans a -> a { guard n < 3; sync c!{n + 253, -n}; effect n = n + 1; }; }
         process Q { state a; init a; trans a -> a { sync c?{x, y}; }; }
         system async;",
    );
    let names: Vec<&str> = program(&model).variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names[..5], ["c.count", "c.0[0]", "c.0[1]", "c.1[0]", "c.1[1]"]);
    let all = states(&model);
    // Sent and received, with at most two on the way.
    assert_eq!(all.len(), (0..=3).map(|sent: usize| sent.min(2) + 1).sum());
    assert!(all.contains(&vec![2, 253, 254, 0, -1, 0, 0, 0, 2, 0]));
    assert!(all.contains(&vec![0, 0, 0, 0, 0, 255, -2, 0, 3, 0]));
}

#[test]
fn synchronous_processes_move_together() {
    let model = read(
        "byte x, y;
         process P { state a, b; init a; trans a -> b { effect x = 1; }, b -> a { effect x = 0; }; }
         process Q { state a, b; init a; trans a -> b { effect y = 1; }, a -> a { }; }
         system sync;",
    );
    let expected = [("P.a_b.Q.a_b", &[1, 1, 1, 1][..]), ("P.a_b.Q.a_a", &[1, 0, 1, 0])];
    assert_eq!(first_steps(&model), steps(&expected));
    // Q has nothing to do in `b`: then nobody moves.
    assert_eq!(states(&model).len(), 4);
    let conflict = "byte x; process P { state a; init a; trans a -> a { effect x = 1; }; }
        process Q { byte y; state a; init a; trans a -> a { effect y = x; }; } system sync;";
    assert_eq!(first_steps(&read(conflict)), steps(&[("P.a_a.Q.a_a", &[0, -1, -1, 0])]));
}

#[test]
fn assertions_are_invariants() {
    let model = read(
        "byte x;
         process P { byte y; state a, b; init a; assert b: x == y, b: x < 3; trans a -> b { effect x = 1; }; }
         system async;",
    );
    let names: Vec<&str> = model.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["P.b", "P.b.2"]);
    assert!(model.properties.iter().all(|property| matches!(property.question, Question::Invariant(_))));
    let written = mandala_model::gal::write(&model.system, &model.properties);
    let again = mandala_model::gal::read("written.gal", &written, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.properties, model.properties, "{written}");
}

#[test]
fn constants_can_be_given_other_values() {
    let text = "const int N = 1 / 0, M = N + 1; byte t[M], x;
         process P { state a; init a; trans a -> a { guard x < N; effect x = x + 1; }; }
         system async;";
    let defines = [("N", 9), ("N", 3)].map(|(name, value)| (name.to_string(), value));
    let (model, _) = dve::read_with_constants("model.dve", text, &defines).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program(&model).arrays[0].length, 4, "constants made of others follow them, and the last value counts");
    assert_eq!(states(&model).len(), 4);
    let (same, _) = dve::read_with_constants("model.dve", &text.replace("1 / 0", "3"), &[]).unwrap();
    assert_eq!(states(&same), states(&model));
}

#[test]
fn comments_and_blanks_are_nothing() {
    let model = read("\u{feff}// one\n/* two\n */process P{state a;init a;}/**/system async;");
    assert_eq!(states(&model).len(), 1);
}

#[test]
fn formulas_use_the_names_of_the_file() {
    let text =
        "byte x, G; process P { byte y, t[2]; state idle, busy; init idle; trans idle -> busy { }; } system async;";
    let (model, names) = dve::read_with_names("model.dve", text).unwrap_or_else(|error| panic!("{error}"));
    let question = |formula: &str| names.formula(formula).unwrap_or_else(|error| panic!("{error}")).question;
    // The same in GAL, where a state is a number.
    for (formula, same) in [
        ("EF P.busy", "EF `P.state` == 1"),
        // As traces show it.
        ("EF P.state == busy", "EF `P.state` == 1"),
        ("[] (P.state != idle -> P.y == 0)", "G (!(`P.state` != 0) || `P.y` == 0)"),
        ("AG (P->y < 3 && P->t[1] == 0)", "AG (`P.y` < 3 && `P.t`[1] == 0)"),
        ("P.idle + P.busy == 1", "(`P.state` == 0) + (`P.state` == 1) == 1"),
        ("[] (P.idle -> <> P.busy)", "G (!(`P.state` == 0) || F `P.state` == 1)"),
        ("FX x == 1", "F X x == 1"),
        ("(P.idle U P.busy) || F G == 1", "(`P.state` == 0 U `P.state` == 1) || F `G` == 1"),
        ("not AG EF P.idle", "!(AG EF `P.state` == 0)"),
        ("(x < 1) W (x < 2) R (x < 3)", "x < 1 W (x < 2 R x < 3)"),
    ] {
        let expected = mandala_model::gal::formula(&model.system, same).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(question(formula), expected.question, "{formula}");
    }
}

#[test]
fn formulas_that_are_wrong() {
    let text = "byte counter; process Phil { byte y; state idle, busy; init idle; } system async;";
    let (_, names) = dve::read_with_names("model.dve", text).unwrap_or_else(|error| panic!("{error}"));
    let said = |formula: &str| match names.formula(formula) {
        Ok(property) => panic!("this was read: {property:?}"),
        Err(error) => error.to_string(),
    };
    let formulas = [
        "",
        "EF conter > 1",
        "EF Phil.bussy",
        "G Phil->z == 1",
        "EF (",
        "EF Phil.state == bussy",
        "G (EF Phil.busy)",
        "(F Phil.busy) + 1",
        "Phil.busy )",
    ];
    insta::assert_snapshot!("dve_formulas", formulas.map(said).join("\n"));
}
