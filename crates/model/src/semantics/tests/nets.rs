use super::*;

fn one(net: Net) -> System {
    system(vec![Type::Net(net)])
}

#[test]
fn takes_and_puts_weights() {
    let effects = [take(0, 2), put(1, 3)];
    let system = one(net(&[2, 0], vec![transition("t", None, &effects)]));
    assert_eq!(successors(&system, &[2, 0]), [step("t", &[0, 3])]);
    assert_eq!(successors(&system, &[5, 1]), [step("t", &[3, 4])]);
    assert_eq!(successors(&system, &[1, 1]), []);
}

#[test]
fn reads_and_keeps() {
    let read = Effect { read: 2, take: 1, ..Effect::on(0) };
    let system = one(net(&[0], vec![transition("t", None, &[read])]));
    assert_eq!(successors(&system, &[1]), []);
    assert_eq!(successors(&system, &[2]), [step("t", &[1])]);
}

#[test]
fn inhibits_from_the_weight_on() {
    let inhibit = Effect { below: Some(2), ..Effect::on(0) };
    let system = one(net(&[0, 0], vec![transition("t", None, &[inhibit, put(1, 1)])]));
    assert_eq!(successors(&system, &[1, 0]), [step("t", &[1, 1])]);
    assert_eq!(successors(&system, &[2, 0]), []);
}

#[test]
fn resets_after_taking_and_before_putting() {
    let reset = Effect { take: 1, reset: true, put: 2, ..Effect::on(0) };
    let system = one(net(&[0], vec![transition("t", None, &[reset])]));
    assert_eq!(successors(&system, &[0]), []);
    assert_eq!(successors(&system, &[7]), [step("t", &[2])]);
}

#[test]
fn capacity_is_of_what_is_there_afterwards() {
    let swap = Effect { take: 1, put: 2, ..Effect::on(0) };
    let mut limited = net(&[0], vec![transition("t", None, &[swap])]);
    limited.places[0].capacity = Some(3);
    let system = one(limited);
    assert_eq!(successors(&system, &[2]), [step("t", &[3])]);
    assert_eq!(successors(&system, &[3]), []);
}

#[test]
fn a_labelled_transition_waits_to_be_called_unless_time_elapses() {
    let labelled = |label| transition(label, Some(label), &[put(0, 1)]);
    let system = one(net(&[0], vec![labelled("a"), labelled("elapse")]));
    assert_eq!(successors(&system, &[0]), [step("elapse", &[1])]);
}

#[test]
fn too_many_tokens_are_an_error_only_if_the_rest_allows_the_firing() {
    let system = one(net(&[0, 0], vec![transition("t", None, &[put(0, 1), take(1, 1)])]));
    assert_eq!(successors(&system, &[i32::MAX, 0]), []);
    let error = error(&system, &[i32::MAX, 1]);
    assert_eq!(error.cause, Cause::Overflow { place: "p0".into() });
    assert_eq!(
        error.to_string(),
        "transition `t`: the place `p0` would hold more than 2147483647 tokens, in the state p0=2147483647 p1=1"
    );
}

/// Two calls on one instance of a net with a place and these transitions, from a marking.
fn together(transitions: Vec<Transition>, capacity: Option<i32>, tokens: i32) -> Vec<i32> {
    let mut inner = net(&[0], transitions);
    inner.places[0].capacity = capacity;
    let both = synchronisation("both", None, vec![call(Some(0), "a"), call(Some(0), "b")]);
    let system = system(vec![Type::Net(inner), Type::Composite(composite(&[0], vec![both]))]);
    successors(&system, &[tokens]).into_iter().map(|(_, state)| state[0]).collect()
}

#[test]
fn transitions_together_need_enough_for_all_before_any_puts() {
    let a = transition("a", Some("a"), &[put(0, 1)]);
    let b = transition("b", Some("b"), &[take(0, 1)]);
    assert_eq!(together(vec![a.clone(), b.clone()], None, 0), []);
    assert_eq!(together(vec![a.clone(), b.clone()], None, 1), [1]);
    let takes = |label: &str| transition(label, Some(label), &[take(0, 2)]);
    assert_eq!(together(vec![takes("a"), takes("b")], None, 3), []);
    assert_eq!(together(vec![takes("a"), takes("b")], None, 4), [0]);
}

#[test]
fn transitions_together_share_what_they_read() {
    let reads = transition("a", Some("a"), &[Effect { read: 2, ..Effect::on(0) }]);
    let takes = transition("b", Some("b"), &[take(0, 1)]);
    assert_eq!(together(vec![reads.clone(), takes.clone()], None, 1), []);
    assert_eq!(together(vec![reads, takes], None, 2), [1]);
}

#[test]
fn transitions_together_are_inhibited_by_what_was_before() {
    let inhibited = transition("a", Some("a"), &[Effect { below: Some(1), ..Effect::on(0) }]);
    let puts = transition("b", Some("b"), &[put(0, 5)]);
    assert_eq!(together(vec![inhibited.clone(), puts.clone()], None, 0), [5]);
    assert_eq!(together(vec![inhibited, puts], None, 1), []);
}

#[test]
fn transitions_together_reset_and_then_put() {
    let resets = transition("a", Some("a"), &[Effect { reset: true, put: 1, ..Effect::on(0) }]);
    let puts = transition("b", Some("b"), &[put(0, 2)]);
    assert_eq!(together(vec![resets, puts], None, 9), [3]);
}

#[test]
fn transitions_together_have_the_capacity_of_their_end() {
    let puts = transition("a", Some("a"), &[put(0, 1)]);
    let takes = transition("b", Some("b"), &[take(0, 1)]);
    assert_eq!(together(vec![puts, takes], Some(1), 1), [1]);
}

#[test]
fn a_label_is_the_choice_of_a_transition() {
    let a = |tokens| transition("a", Some("a"), &[put(0, tokens)]);
    let b = |tokens| transition("b", Some("b"), &[put(0, tokens)]);
    assert_eq!(together(vec![a(1), a(2), b(10), b(20)], None, 0), [11, 12, 21, 22]);
    assert_eq!(together(vec![a(1), a(2), b(1), b(2)], None, 0), [2, 3, 4]);
}

fn prioritised(transition: Transition, priority: u32) -> Transition {
    Transition { priority, ..transition }
}

#[test]
fn only_the_highest_priority_fires() {
    let moves = |name: &str, from: u32, to: u32| transition(name, None, &[take(from, 1), put(to, 1)]);
    let low = moves("low", 0, 1);
    let (middle, high, same) = (
        prioritised(moves("middle", 1, 2), 3),
        prioritised(moves("high", 2, 0), 7),
        prioritised(moves("same", 2, 1), 7),
    );
    let system = one(net(&[1, 1, 1], vec![low, middle, high, same]));
    assert_eq!(successors(&system, &[1, 1, 1]), [step("high", &[2, 1, 0]), step("same", &[1, 2, 0])]);
    assert_eq!(successors(&system, &[2, 1, 0]), [step("middle", &[2, 0, 1])]);
    assert_eq!(successors(&system, &[3, 0, 0]), [step("low", &[2, 1, 0])]);
    let semantics = Semantics::new(&system).unwrap();
    let fires = |index, state: &[i32]| semantics.enabled(state, &Location { path: Vec::new(), index }).unwrap();
    assert_eq!([0, 1, 2, 3].map(|index| fires(index, &[1, 1, 1])), [false, false, true, true]);
    assert_eq!([0, 1, 2, 3].map(|index| fires(index, &[1, 1, 0])), [false, true, false, false]);
    assert!(semantics.is_deadlock(&[0, 0, 0]).unwrap());
    assert!(!semantics.is_deadlock(&[1, 1, 1]).unwrap());
}

#[test]
fn what_arcs_or_capacities_forbid_holds_nothing_back() {
    let low = transition("low", None, &[put(1, 1)]);
    let inhibit = Effect { below: Some(2), ..Effect::on(0) };
    let high = prioritised(transition("high", None, &[inhibit, put(2, 1)]), 1);
    let mut limited = net(&[0, 0, 0], vec![low, high]);
    limited.places[2].capacity = Some(1);
    let system = one(limited);
    assert_eq!(successors(&system, &[1, 0, 0]), [step("high", &[1, 0, 1])]);
    assert_eq!(successors(&system, &[2, 0, 0]), [step("low", &[2, 1, 0])]);
    assert_eq!(successors(&system, &[0, 0, 1]), [step("low", &[0, 1, 1])]);
}

#[test]
fn what_is_held_back_is_no_error_and_what_holds_back_may_be() {
    let low = transition("low", None, &[put(0, 1)]);
    let high = prioritised(transition("high", None, &[take(1, 1), put(2, 1)]), 1);
    let system = one(net(&[0, 0, 0], vec![low, high]));
    assert_eq!(successors(&system, &[i32::MAX, 1, 0]), [step("high", &[i32::MAX, 0, 1])]);
    assert_eq!(error(&system, &[0, 1, i32::MAX]).transition.as_deref(), Some("high"));
    assert_eq!(error(&system, &[i32::MAX, 0, 0]).transition.as_deref(), Some("low"));
}

#[test]
fn what_is_only_called_holds_nothing_back_but_is_held_back() {
    let called = prioritised(transition("called", Some("a"), &[put(0, 1)]), 2);
    let time = prioritised(transition("time", Some("elapse"), &[take(1, 1)]), 3);
    let system = one(net(&[0, 1], vec![transition("low", None, &[put(0, 1)]), called, time]));
    assert_eq!(successors(&system, &[0, 0]), [step("low", &[1, 0])]);
    assert_eq!(successors(&system, &[0, 1]), [step("time", &[0, 0])]);
    let semantics = Semantics::new(&system).unwrap();
    let called = Location { path: Vec::new(), index: 1 };
    assert!(semantics.enabled(&[0, 0], &called).unwrap());
    assert!(!semantics.enabled(&[0, 1], &called).unwrap());
}

#[test]
fn equal_priorities_are_none() {
    let both = ["a", "b"].map(|name| prioritised(transition(name, None, &[put(0, 1)]), 5));
    let system = one(net(&[0], both.to_vec()));
    assert_eq!(successors(&system, &[0]), [step("a", &[1]), step("b", &[1])]);
}

#[test]
fn priorities_inside_of_a_composite_are_refused() {
    let inner = net(&[0], vec![prioritised(transition("a", Some("a"), &[put(0, 1)]), 1)]);
    let types = vec![Type::Net(inner), Type::Composite(composite(&[0], Vec::new()))];
    let system = system(types);
    assert!(matches!(Semantics::new(&system), Err(TooLarge::Priorities(_))));
    assert!(matches!(crate::flatten::flatten(&system), Err(crate::flatten::CannotFlatten::Priorities(_))));
}
