use super::*;

/// A program that counts, with the labels `up` (two ways: by one and by ten) and `even` (only if it is even).
fn counter() -> Program {
    let even =
        Integer::Binary(crate::expression::BinaryOperator::Remainder, Box::new(variable(0)), Box::new(constant(2)));
    program(
        &[0],
        vec![
            action("one", Some("up"), ALWAYS, vec![add(0, 1)]),
            action("ten", Some("up"), ALWAYS, vec![add(0, 10)]),
            action("even", Some("even"), compare(even, Comparison::Equal, 0), vec![]),
            action("reset", None, compare(variable(0), Comparison::Greater, 20), vec![set(0, constant(0))]),
        ],
    )
}

fn of_counters(synchronisations: Vec<Synchronisation>) -> System {
    system(vec![Type::Program(counter()), Type::Composite(composite(&[0, 0], synchronisations))])
}

#[test]
fn calls_of_a_program_run_in_their_order() {
    let first = synchronisation("s", None, vec![call(Some(0), "even"), call(Some(0), "up")]);
    assert_eq!(successors(&of_counters(vec![first]), &[0, 0]), [step("s", &[1, 0]), step("s", &[10, 0])]);
    let last = synchronisation("s", None, vec![call(Some(0), "up"), call(Some(0), "even")]);
    assert_eq!(successors(&of_counters(vec![last]), &[0, 0]), [step("s", &[10, 0])]);
}

#[test]
fn choices_of_instances_are_combined() {
    let both = synchronisation("s", None, vec![call(Some(0), "up"), call(Some(1), "up")]);
    let expected = [[1, 1], [1, 10], [10, 1], [10, 10]].map(|state| step("s", &state));
    assert_eq!(successors(&of_counters(vec![both]), &[0, 0]), expected);
}

#[test]
fn one_who_does_not_allow_it_prevents_it() {
    let both = synchronisation("s", None, vec![call(Some(0), "up"), call(Some(1), "even")]);
    assert_eq!(successors(&of_counters(vec![both]), &[0, 1]), []);
    let unknown = synchronisation("s", None, vec![call(Some(0), "up"), call(Some(1), "nothing")]);
    assert_eq!(successors(&of_counters(vec![unknown]), &[0, 0]), []);
}

#[test]
fn instances_act_by_themselves_at_any_depth() {
    let inner = composite(&[0, 0], vec![]);
    let outer = composite(&[1, 0], vec![]);
    let system = system(vec![Type::Program(counter()), Type::Composite(inner), Type::Composite(outer)]);
    let expected =
        [step("i0:i0:reset", &[0, 22, 23]), step("i0:i1:reset", &[21, 0, 23]), step("i1:reset", &[21, 22, 0])];
    assert_eq!(successors(&system, &[21, 22, 23]), expected);
    let semantics = Semantics::new(&system).unwrap();
    assert_eq!(semantics.variables(), ["i0:i0:v0", "i0:i1:v0", "i1:v0"]);
    assert_eq!(semantics.index_of(&Location { path: vec![0, 1], index: 0 }), Some(1));
    assert_eq!(semantics.index_of(&Location { path: vec![1], index: 0 }), Some(2));
    assert_eq!(semantics.index_of(&Location { path: vec![1], index: 1 }), None);
    assert_eq!(semantics.index_of(&Location { path: vec![0], index: 0 }), None);
    assert_eq!(semantics.index_of(&Location { path: vec![1, 0], index: 0 }), None);
}

#[test]
fn a_synchronisation_without_calls_changes_nothing() {
    assert_eq!(successors(&of_counters(vec![synchronisation("s", None, vec![])]), &[4, 5]), [step("s", &[4, 5])]);
}

#[test]
fn calls_of_the_composite_itself_are_choices_in_their_place() {
    let synchronisations = vec![
        synchronisation("s", None, vec![call(None, "move"), call(Some(0), "even")]),
        synchronisation("left", Some("move"), vec![call(Some(0), "up")]),
        synchronisation("right", Some("move"), vec![call(Some(1), "up")]),
    ];
    let system = of_counters(synchronisations);
    // To the left only ten leaves it even; to the right both.
    assert_eq!(successors(&system, &[0, 0]), [[0, 1], [0, 10], [10, 0]].map(|state| step("s", &state)));
    let semantics = Semantics::new(&system).unwrap();
    assert_eq!(semantics.enabled(&[1, 0], &Location { path: vec![], index: 1 }), Ok(true));
    assert_eq!(semantics.enabled(&[1, 0], &Location { path: vec![0], index: 2 }), Ok(false));
    assert!(semantics.enabled(&[1, 0], &Location { path: vec![0], index: 4 }).is_err());
    assert!(semantics.enabled(&[1, 0], &Location { path: vec![5], index: 0 }).is_err());
    assert!(semantics.enabled(&[1], &Location { path: vec![], index: 0 }).is_err());
}

#[test]
fn calls_in_circles_are_refused() {
    let system = of_counters(vec![synchronisation("s", Some("a"), vec![call(None, "a")])]);
    assert!(matches!(Semantics::new(&system), Err(TooLarge::Choices { .. })));
}

/// A composite with the label `give`, whose one synchronisation takes a token; called twice, it takes two at once.
#[test]
fn labels_of_a_composite_add_up_in_its_nets() {
    let giver = net(&[1], vec![transition("give", Some("give"), &[take(0, 1)])]);
    let inner = composite(&[0], vec![synchronisation("pass", Some("give"), vec![call(Some(0), "give")])]);
    let outer =
        composite(&[1], vec![synchronisation("twice", None, vec![call(Some(0), "give"), call(Some(0), "give")])]);
    let system = system(vec![Type::Net(giver), Type::Composite(inner), Type::Composite(outer)]);
    assert_eq!(successors(&system, &[1]), []);
    assert_eq!(successors(&system, &[2]), [step("twice", &[0])]);
}

#[test]
fn labels_of_a_composite_keep_the_order_of_calls() {
    let inner = composite(
        &[0],
        vec![
            synchronisation("up", Some("up"), vec![call(Some(0), "up")]),
            synchronisation("even", Some("even"), vec![call(Some(0), "even")]),
        ],
    );
    let outer = composite(&[1], vec![synchronisation("s", None, vec![call(Some(0), "up"), call(Some(0), "even")])]);
    let system = system(vec![Type::Program(counter()), Type::Composite(inner), Type::Composite(outer)]);
    assert_eq!(successors(&system, &[0]), [step("s", &[10])]);
    assert_eq!(successors(&system, &[1]), [step("s", &[2])]);
}

#[test]
fn an_error_counts_only_if_the_others_allow_the_firing() {
    let broken = program(&[0], vec![action("t", Some("a"), ALWAYS, vec![set(0, element(0, 1, constant(1)))])]);
    let both = || vec![call(Some(0), "a"), call(Some(1), "even")];
    let outer = composite(&[0, 1], vec![synchronisation("s", None, both())]);
    let system = system(vec![Type::Program(broken), Type::Program(counter()), Type::Composite(outer)]);
    assert_eq!(successors(&system, &[0, 1]), []);
    let error = error(&system, &[0, 2]);
    assert_eq!((error.transition.as_deref(), error.state), (Some("i0:t"), vec![0, 2]));
}

#[test]
fn initial_states_are_all_combinations() {
    let mut inner = counter();
    inner.initial.push(ProgramInitial { name: "other".into(), values: vec![7] });
    let mut outer = composite(&[0, 0, 0], vec![]);
    outer.initial = vec![
        CompositeInitial { name: "a".into(), choices: vec![vec![0, 1], vec![1], vec![0, 1]] },
        CompositeInitial { name: "b".into(), choices: vec![vec![0], vec![1], vec![0]] },
        CompositeInitial { name: "c".into(), choices: vec![vec![1], vec![0], vec![0]] },
    ];
    let mut system = system(vec![Type::Program(inner), Type::Composite(outer)]);
    system.begins = vec![0, 1];
    let states = Semantics::new(&system).unwrap().initial_states();
    assert_eq!(states, Ok(vec![vec![0, 7, 0], vec![0, 7, 7], vec![7, 7, 0], vec![7, 7, 7]]));
    system.begins = vec![2];
    assert_eq!(Semantics::new(&system).unwrap().initial_states(), Ok(vec![vec![7, 0, 0]]));
}

#[test]
fn too_many_initial_states_are_refused() {
    let mut inner = counter();
    inner.initial.push(ProgramInitial { name: "other".into(), values: vec![7] });
    let mut outer = composite(&[0; 200], vec![]);
    outer.initial[0].choices = vec![vec![0, 1]; 200];
    let system = system(vec![Type::Program(inner), Type::Composite(outer)]);
    let error = Semantics::new(&system).unwrap().initial_states().unwrap_err();
    assert!(matches!(error.cause, Cause::TooManyStates(_)));
}

#[test]
fn systems_that_cannot_be_written_down_are_refused() {
    let doubling = |levels: usize, first: Type| {
        let mut types = vec![first];
        types.extend((0..levels).map(|level| Type::Composite(composite(&[level, level], vec![]))));
        system(types)
    };
    let large = doubling(20_000, Type::Program(counter()));
    assert!(matches!(Semantics::new(&large), Err(TooLarge::Variables(_))));
    let empty = doubling(20_000, Type::Net(net(&[], vec![])));
    assert!(matches!(Semantics::new(&empty), Err(TooLarge::Instances(_))));
    let mut types = vec![Type::Program(counter())];
    types.extend((0..5000).map(|level| Type::Composite(composite(&[level], vec![]))));
    assert!(matches!(Semantics::new(&system(types)), Err(TooLarge::Levels(_))));
}

#[test]
fn types_that_are_not_used_do_no_harm() {
    let circular = composite(&[0], vec![synchronisation("s", Some("a"), vec![call(None, "a")])]);
    let mut system = system(vec![Type::Program(counter()), Type::Composite(circular)]);
    system.main = 0;
    assert_eq!(successors(&system, &[21]), [step("reset", &[0])]);
}

#[test]
fn a_label_goes_down_through_many_levels() {
    let mut types = vec![Type::Program(counter())];
    let pass = || vec![synchronisation("pass", Some("up"), vec![call(Some(0), "up")])];
    types.extend((0..380).map(|level| Type::Composite(composite(&[level], pass()))));
    let last = types.len() - 1;
    types.push(Type::Composite(composite(&[last], vec![synchronisation("s", None, vec![call(Some(0), "up")])])));
    assert_eq!(successors(&system(types), &[0]), [step("s", &[1]), step("s", &[10])]);
}
