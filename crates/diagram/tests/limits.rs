//! Limits end an operation with an error that says what was reached; the store goes on.

#[path = "../models/mod.rs"]
mod models;

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mandala_diagram::{Answer, Cancel, Diagram, Error, Hom, Inductive, Limits, Store, Strategy, ValueMap, Variable};
use models::{kanban, philosophers, slotted_ring};

/// All states, computed without limits.
fn states(store: &mut Store, initial: &Diagram, transitions: &[Hom]) -> Diagram {
    store.set_limits(Limits::default());
    store.reachable(initial, transitions, Strategy::Saturation).expect("no limit")
}

/// What was reached is a part of the result that holds the initial states, and the store still works.
fn check_reached(store: &mut Store, model: &models::Model, error: &Error) {
    let reached = error.reached().expect("a closure says what it reached").clone();
    let all = states(store, &model.initial, &model.transitions);
    assert!(store.is_subset(&reached, &all).unwrap(), "{error}");
    assert!(store.is_subset(&model.initial, &reached).unwrap(), "{error}");
    assert!(reached != all, "{error}: stopped, but everything was reached");
}

#[test]
fn a_limit_on_memory_is_kept() {
    for strategy in Strategy::ALL {
        let mut store = Store::new();
        let model = philosophers::flat(&mut store, 1000).unwrap();
        let limit = store.statistics().bytes + (1 << 20);
        store.set_limits(Limits { memory: Some(limit), deadline: None, work: None });
        let error = store.reachable(&model.initial, &model.transitions, strategy).expect_err("too little memory");
        assert!(matches!(error, Error::Memory { .. }), "{strategy:?}: {error}");
        assert!(store.statistics().peak_bytes <= limit + limit / 8, "{strategy:?}: {:?}", store.statistics());
        check_reached(&mut store, &model, &error);
    }
}

#[test]
fn what_was_reached_grows_with_the_limit() {
    let mut counts = Vec::new();
    for mebibytes in [1, 2, 4] {
        let mut store = Store::new();
        let model = kanban::flat(&mut store, 200).unwrap();
        let limit = store.statistics().bytes + (mebibytes << 20);
        store.set_limits(Limits { memory: Some(limit), deadline: None, work: None });
        match store.reachable(&model.initial, &model.transitions, Strategy::Saturation) {
            Ok(_) => break,
            Err(error) => {
                let reached = error.reached().unwrap().clone();
                counts.push(store.count(&reached).log10().unwrap().to_f64().unwrap());
            }
        }
    }
    assert!(counts.is_sorted(), "{counts:?}");
    assert!(counts.first().is_some_and(|&digits| digits > 0.0), "{counts:?}");
}

#[test]
fn a_deadline_that_has_passed_ends_at_once() {
    let mut store = Store::new();
    let model = philosophers::ring(&mut store, 20).unwrap();
    store.set_limits(Limits { memory: None, deadline: Some(Instant::now()), work: None });
    let error = store.reachable(&model.initial, &model.transitions, Strategy::Saturation).expect_err("no time");
    assert!(matches!(error, Error::Time { .. }));
    check_reached(&mut store, &model, &error);
}

#[test]
fn another_thread_can_cancel() {
    for strategy in Strategy::ALL {
        let mut store = Store::new();
        let model = slotted_ring::hierarchical(&mut store, 300).unwrap();
        let cancel = store.cancel();
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            cancel.cancel();
        });
        let start = Instant::now();
        let error = store.reachable(&model.initial, &model.transitions, strategy).expect_err("cancelled");
        assert!(matches!(error, Error::Cancelled { .. }), "{strategy:?}");
        assert!(start.elapsed() < Duration::from_secs(20), "{strategy:?}");
        canceller.join().unwrap();
        // Until it is reset, nothing runs; then everything does.
        assert!(store.state(&[(0, 1)]).is_err());
        store.cancel().reset();
        let reached = error.reached().unwrap().clone();
        assert!(store.is_subset(&model.initial, &reached).unwrap());
        let small = philosophers::ring(&mut store, 10).unwrap();
        let all = states(&mut store, &small.initial, &small.transitions);
        assert_eq!(store.count(&all).to_string(), "1860498");
    }
}

#[test]
fn messages_say_what_happened() {
    let mut store = Store::new();
    store.set_limits(Limits { memory: Some(1 << 16), deadline: None, work: None });
    let model = kanban::flat(&mut store, 200);
    let error = model
        .and_then(|model| store.reachable(&model.initial, &model.transitions, Strategy::Saturation))
        .expect_err("64 KiB are too little");
    let message = error.to_string();
    assert!(message.starts_with("out of memory: "), "{message}");
    assert!(message.ends_with("the limit is 0.1 MiB"), "{message}");
}

/// A counter that nothing stops makes one node larger and larger: limits end it all the same.
#[test]
fn a_counter_without_a_bound() {
    for strategy in Strategy::ALL {
        for delta in [1, -1] {
            for limit in 0..3 {
                let mut store = Store::new();
                let initial = store.state(&[(0, 0), (1, 2)]).unwrap();
                let step = store.value(0, ValueMap::add(delta));
                let soon = Instant::now() + Duration::from_millis(100);
                match limit {
                    0 => store.set_limits(Limits { memory: None, deadline: Some(soon), work: None }),
                    1 => store.set_limits(Limits {
                        memory: Some(store.statistics().bytes + (1 << 20)),
                        deadline: None,
                        work: None,
                    }),
                    _ => {
                        let cancel = store.cancel();
                        std::thread::spawn(move || {
                            std::thread::sleep(Duration::from_millis(100));
                            cancel.cancel();
                        });
                    }
                }
                let error = store.reachable(&initial, [&step], strategy).expect_err("there is no end");
                assert!(error.reached().is_some(), "{strategy:?} {delta} {limit}: {error}");
            }
        }
    }
}

/// What a failed operation left behind is no reason for the next one to fail.
#[test]
fn after_running_out_of_memory_the_rest_still_fits() {
    let mut store = Store::new();
    store.set_limits(Limits { memory: Some(8 << 20), deadline: None, work: None });
    for _ in 0..3 {
        let large = kanban::flat(&mut store, 200).unwrap();
        let error = store.reachable(&large.initial, &large.transitions, Strategy::Saturation).expect_err("too large");
        assert!(matches!(error, Error::Memory { .. }), "{error}");
        drop(error);
        let small = philosophers::ring(&mut store, 100).unwrap();
        let all = store.reachable(&small.initial, &small.transitions, Strategy::Saturation).unwrap();
        assert_eq!(store.count(&all).to_string(), "4.969e62");
    }
    store.collect();
    assert!(store.statistics().node_bytes < 1 << 20, "{:?}", store.statistics());
}

/// The identity; after some looks at a variable it cancels the operation.
#[derive(Clone, Debug)]
struct Canceller {
    variable: Variable,
    cancel: Cancel,
    looks: Arc<AtomicUsize>,
}

impl PartialEq for Canceller {
    fn eq(&self, other: &Canceller) -> bool {
        Arc::ptr_eq(&self.looks, &other.looks)
    }
}

impl Eq for Canceller {}

impl Hash for Canceller {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.variable.hash(state);
    }
}

impl Inductive for Canceller {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.variable
    }

    fn at_value(&self, store: &mut Store, _: Variable, _: i32) -> Result<Answer, Error> {
        if self.looks.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.cancel.cancel();
        }
        Ok(Answer::Keep(store.identity()))
    }
}

/// Tokens that wander in a ring of places; with `parts`, each place is a part of its own. The last
/// variable counts the steps into the first place.
fn ring(store: &mut Store, places: u32, parts: bool) -> (Diagram, Vec<Hom>) {
    let mut initial = store.state(&[(places, 0)]).unwrap();
    let mut transitions = Vec::new();
    for place in (0..places).rev() {
        let next = (place + 1) % places;
        let value = if place % 3 == 0 { 2 } else { 0 };
        let (from, to) = if parts { (0, 0) } else { (place, next) };
        let (enough, minus) = (store.value(from, ValueMap::at_least(1)), store.value(from, ValueMap::add(-1)));
        let (mut take, mut put) = (store.sequence([&enough, &minus]), store.value(to, ValueMap::add(1)));
        if parts {
            let part = store.state(&[(0, value)]).unwrap();
            initial = store.assign_set(place, &part, &initial).unwrap();
            (take, put) = (store.local(place, &take), store.local(next, &put));
        } else {
            initial = store.assign(place, value, &initial).unwrap();
        }
        let step = store.sequence([&take, &put]);
        let count = store.value(places, ValueMap::relation((0..8).map(|steps| (steps, steps + 1))));
        transitions.push(if next == 0 { store.sequence([&step, &count]) } else { step });
    }
    (initial, transitions)
}

/// Wherever a closure is stopped, what it says that it reached can be reached, and nothing else stays.
#[test]
fn a_closure_may_be_stopped_at_any_moment() {
    for (strategy, parts) in Strategy::ALL.into_iter().flat_map(|strategy| [(strategy, false), (strategy, true)]) {
        let mut larger = 0;
        let every = if strategy == Strategy::Saturation { 1 } else { 3 };
        for looks in (1..).step_by(every) {
            let mut store = Store::new();
            let (initial, mut transitions) = ring(&mut store, 4, parts);
            let all = states(&mut store, &initial, &transitions);
            let canceller = Canceller { variable: 4, cancel: store.cancel(), looks: Arc::new(looks.into()) };
            transitions.push(store.inductive(canceller));
            store.collect();
            let nodes = store.statistics().nodes;
            store.collect_at_every(1);
            let Err(error) = store.reachable(&initial, &transitions, strategy) else { break };
            store.cancel().reset();
            let reached = error.reached().unwrap().clone();
            assert!(store.is_subset(&reached, &all).unwrap(), "{strategy:?} {parts} {looks}");
            assert!(store.is_subset(&initial, &reached).unwrap(), "{strategy:?} {parts} {looks}");
            larger += usize::from(reached != initial);
            drop((error, reached));
            store.collect();
            assert_eq!(store.statistics().nodes, nodes, "{strategy:?} {parts} {looks}");
        }
        assert!(larger > 0, "{strategy:?} {parts}");
    }
}

/// Cancels the store when it meets a value.
#[derive(Debug, PartialEq, Eq, Hash)]
struct CancelAt(Variable);

impl Inductive for CancelAt {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.0
    }

    fn at_value(&self, store: &mut Store, _: Variable, _: i32) -> Result<Answer, Error> {
        store.cancel().cancel();
        store.state(&[]).map(|_| Answer::Drop)
    }
}

#[test]
fn a_stop_far_down_is_no_stack_overflow() {
    const LENGTH: Variable = 300_000;
    let mut store = Store::new();
    let assignments: Vec<_> = (0..LENGTH).map(|variable| (variable, 0)).collect();
    let initial = store.state(&assignments).unwrap();
    let cancel = store.inductive(CancelAt(LENGTH - 1));
    let error = store.reachable(&initial, [&cancel], Strategy::Saturation).expect_err("cancelled");
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
    assert_eq!(error.reached(), Some(&initial));
}

/// Does nothing; one of two that alternate, so that they stay a long composition.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Nothing(bool);

impl Inductive for Nothing {
    fn skips(&self, variable: Variable) -> bool {
        variable != 0
    }

    fn at_value(&self, store: &mut Store, _: Variable, _: i32) -> Result<Answer, Error> {
        Ok(Answer::Keep(store.identity()))
    }
}

#[test]
fn a_long_composition_is_no_stack_overflow() {
    let mut store = Store::new();
    let both = [store.inductive(Nothing(false)), store.inductive(Nothing(true))];
    let long = store.sequence(both.iter().cycle().take(50_000));
    let initial = store.state(&[(0, 1), (1, 1)]).unwrap();
    assert_eq!(store.reachable(&initial, [&long], Strategy::Saturation).unwrap(), initial);
}

/// Also operations that are no closures leave the limits as they were.
#[test]
fn what_is_cancelled_stays_so() {
    let mut store = Store::new();
    store.cancel().cancel();
    for _ in 0..2 {
        assert!(matches!(store.state(&[(0, 1)]), Err(Error::Cancelled { .. })));
    }
    store.cancel().reset();
    assert!(store.state(&[(0, 1)]).is_ok());
}

#[test]
fn a_limit_on_work_strikes_in_the_same_place() {
    let reached = || {
        let mut store = Store::new();
        let increment = store.value(0, ValueMap::add(1));
        let initial = store.state(&[(0, 0)]).unwrap();
        store.set_limits(Limits { work: Some(50_000), ..Limits::default() });
        let error = store.reachable(&initial, [&increment], Strategy::Saturation).unwrap_err();
        assert!(matches!(error, Error::Work { .. }), "{error:?}");
        store.set_limits(Limits::default());
        store.count(error.reached().unwrap()).to_u64()
    };
    assert_eq!(reached(), reached());
}
