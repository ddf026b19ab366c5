use super::*;

fn one(program: Program) -> System {
    system(vec![Type::Program(program)])
}

/// The states after the only transition, from a state.
fn run(body: Vec<Statement>, state: &[i32]) -> Vec<Vec<i32>> {
    let system = one(program(state, vec![action("t", None, ALWAYS, body)]));
    successors(&system, state).into_iter().map(|(_, state)| state).collect()
}

fn failing(body: Vec<Statement>, state: &[i32]) -> Cause {
    error(&one(program(state, vec![action("t", None, ALWAYS, body)])), state).cause
}

fn is(index: u32, value: i32) -> Boolean<u32> {
    compare(variable(index), Comparison::Equal, value)
}

#[test]
fn statements_run_one_after_the_other() {
    assert_eq!(run(vec![add(0, 1), set(1, variable(0)), add(0, 1)], &[5, 0]), [[7, 6]]);
}

#[test]
fn a_comparison_out_of_range_is_false_by_itself_in_a_guard() {
    let outside = || compare(element(0, 2, constant(2)), Comparison::Equal, 0);
    let negated = Boolean::Not(Box::new(outside()));
    let other = Boolean::Or(vec![outside(), is(0, 0)]);
    let transitions = vec![
        action("outside", None, outside(), vec![]),
        action("negated", None, negated, vec![]),
        action("other", None, other, vec![]),
    ];
    let system = one(program(&[0, 0], transitions));
    assert_eq!(successors(&system, &[0, 0]), [step("negated", &[0, 0]), step("other", &[0, 0])]);
}

#[test]
fn out_of_range_in_an_action_is_an_error_that_names_it() {
    let target = Target::Element { first: 0, length: 2, index: variable(1) };
    let system =
        one(program(&[0, 2], vec![action("store", None, ALWAYS, vec![Statement::Assign(target, constant(1))])]));
    assert_eq!(successors(&system, &[0, 1]), [step("store", &[0, 1])]);
    let error = error(&system, &[0, 2]);
    assert_eq!(error.transition.as_deref(), Some("store"));
    assert_eq!(
        error.to_string(),
        "transition `store`: there is no element 2 in an array of length 2, in the state v1=2"
    );
}

#[test]
fn out_of_range_in_the_condition_of_an_if_is_an_error_unless_it_is_not_reached() {
    let outside = compare(element(0, 2, constant(2)), Comparison::Equal, 0);
    let condition = |first| Boolean::And(vec![Boolean::Constant(first), outside.clone()]);
    assert_eq!(
        failing(vec![Statement::If(condition(true), vec![], vec![])], &[0, 0]),
        Cause::Index { index: 2, length: 2 }
    );
    assert_eq!(run(vec![Statement::If(condition(false), vec![], vec![add(0, 1)])], &[0, 0]), [[1, 0]]);
}

#[test]
fn branches() {
    let body = || vec![Statement::If(is(0, 1), vec![set(1, constant(10))], vec![set(1, constant(20))])];
    assert_eq!(run(body(), &[1, 0]), [[1, 10]]);
    assert_eq!(run(body(), &[2, 0]), [[2, 20]]);
}

#[test]
fn abort_yields_no_state() {
    let body = || vec![add(0, 1), Statement::If(is(0, 2), vec![Statement::Abort], vec![]), add(0, 1)];
    assert_eq!(run(body(), &[0]), [[2]]);
    assert_eq!(run(body(), &[1]), Vec::<Vec<i32>>::new());
}

#[test]
fn a_call_runs_any_one_transition_with_its_guard() {
    let system = one(program(
        &[0],
        vec![
            action("t", None, ALWAYS, vec![Statement::Call("a".into()), add(0, 100)]),
            action("a1", Some("a"), ALWAYS, vec![add(0, 1)]),
            action("a2", Some("a"), is(0, 0), vec![add(0, 2)]),
            action("b", Some("b"), ALWAYS, vec![add(0, 3)]),
            action("nobody", None, ALWAYS, vec![Statement::Call("c".into())]),
        ],
    ));
    assert_eq!(successors(&system, &[0]), [step("t", &[101]), step("t", &[102])]);
    assert_eq!(successors(&system, &[1]), [step("t", &[102])]);
}

#[test]
fn endless_recursion_is_an_error() {
    let t = action("t", Some("a"), ALWAYS, vec![Statement::Call("a".into())]);
    let start = action("start", None, ALWAYS, vec![Statement::Call("a".into())]);
    assert_eq!(error(&one(program(&[0], vec![t, start])), &[0]).cause, Cause::TooDeep);
}

#[test]
fn fixpoint_repeats_until_nothing_changes() {
    let below = compare(variable(0), Comparison::Less, 5);
    let count = Statement::Fixpoint(vec![Statement::If(below, vec![add(0, 1)], vec![])]);
    assert_eq!(run(vec![count, add(0, 10)], &[0]), [[15]]);
}

#[test]
fn fixpoint_works_on_the_set_that_the_block_yields() {
    let below = compare(variable(0), Comparison::Less, 3);
    let system = one(program(
        &[0],
        vec![
            action("t", None, ALWAYS, vec![Statement::Fixpoint(vec![Statement::Call("a".into())])]),
            action("more", Some("a"), below, vec![add(0, 1)]),
            action("same", Some("a"), ALWAYS, vec![]),
        ],
    ));
    assert_eq!(successors(&system, &[0]), [0, 1, 2, 3].map(|value| step("t", &[value])));
    assert_eq!(successors(&system, &[2]), [2, 3].map(|value| step("t", &[value])));
}

#[test]
fn fixpoint_that_oscillates_is_an_error() {
    let flip = |circle: i32| {
        let condition = compare(variable(0), Comparison::Less, circle - 1);
        vec![Statement::Fixpoint(vec![Statement::If(condition, vec![add(0, 1)], vec![set(0, constant(0))])])]
    };
    assert_eq!(failing(flip(2), &[0]), Cause::Oscillates);
    assert_eq!(failing(flip(7), &[0]), Cause::Oscillates);
    assert_eq!(failing(flip(7), &[-3]), Cause::Oscillates);
    assert_eq!(failing(vec![Statement::Fixpoint(vec![add(0, 1)])], &[0]), Cause::TooLong);
}

#[test]
fn fixpoint_of_nothing_and_of_abort() {
    assert_eq!(run(vec![Statement::Fixpoint(vec![])], &[4]), [[4]]);
    assert_eq!(run(vec![Statement::Fixpoint(vec![Statement::Abort])], &[4]), Vec::<Vec<i32>>::new());
}

#[test]
fn only_what_has_no_label_happens_by_itself_but_elapse_does_in_the_main_type() {
    let labelled = |label: &str| action(label, Some(label), ALWAYS, vec![add(0, 1)]);
    let inner = program(&[0], vec![labelled("a"), labelled("elapse")]);
    assert_eq!(successors(&one(inner.clone()), &[0]), [step("elapse", &[1])]);
    let outer = composite(&[0], vec![synchronisation("s", Some("elapse"), vec![call(Some(0), "a")])]);
    let nested = system(vec![Type::Program(inner), Type::Composite(outer)]);
    assert_eq!(successors(&nested, &[0]), [step("s", &[1])]);
}

/// Counts to `top` and begins anew; everything but 0 is transient.
fn transient_counter(top: i32) -> Program {
    let up = compare(variable(0), Comparison::Less, top);
    let mut counter = program(
        &[0],
        vec![action("up", None, up, vec![add(0, 1)]), action("restart", None, is(0, top), vec![set(0, constant(0))])],
    );
    counter.transient = Some(compare(variable(0), Comparison::NotEqual, 0));
    counter
}

#[test]
fn transient_states_are_passed_through() {
    let system = one(transient_counter(2));
    assert_eq!(successors(&system, &[0]), [step("up, up, restart", &[0])]);
    let semantics = Semantics::new(&system).unwrap();
    assert_eq!(semantics.enabled(&[0], &Location { path: vec![], index: 0 }), Ok(true));
    assert_eq!(semantics.is_transient(&[1]), Ok(true));
}

#[test]
fn an_initial_state_that_is_transient_stands_for_what_comes_out() {
    let mut counter = transient_counter(3);
    counter.initial[0].values = vec![2];
    assert_eq!(Semantics::new(&one(counter)).unwrap().initial_states(), Ok(vec![vec![0]]));
}

#[test]
fn who_never_leaves_transient_states_has_no_successor() {
    let mut counter = transient_counter(2);
    counter.transitions[1].body = vec![set(0, constant(1))];
    let system = one(counter);
    assert_eq!(successors(&system, &[0]), []);
    assert_eq!(Semantics::new(&system).unwrap().is_deadlock(&[0]), Ok(true));
}

#[test]
fn a_composite_is_transient_if_one_of_its_programs_is() {
    let outer = composite(&[0, 1], vec![]);
    let step_once = program(&[0], vec![action("once", None, is(0, 0), vec![add(0, 1)])]);
    let types = vec![Type::Program(transient_counter(1)), Type::Program(step_once), Type::Composite(outer)];
    // While the counter is on its way, the other may act.
    let expected =
        [step("i0:up, i0:restart", &[0, 0]), step("i0:up, i1:once, i0:restart", &[0, 1]), step("i1:once", &[0, 1])];
    assert_eq!(successors(&system(types), &[0, 0]), expected);
}
