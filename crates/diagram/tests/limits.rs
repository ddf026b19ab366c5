//! Limits end an operation with an error that says what was reached; the store goes on.

#[path = "../models/mod.rs"]
mod models;

use std::time::{Duration, Instant};

use mandala_diagram::{Diagram, Error, Hom, Limits, Store, Strategy};
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
        store.set_limits(Limits { memory: Some(limit), deadline: None });
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
        store.set_limits(Limits { memory: Some(limit), deadline: None });
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
    store.set_limits(Limits { memory: None, deadline: Some(Instant::now()) });
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
    store.set_limits(Limits { memory: Some(1 << 16), deadline: None });
    let model = kanban::flat(&mut store, 200);
    let error = model
        .and_then(|model| store.reachable(&model.initial, &model.transitions, Strategy::Saturation))
        .expect_err("64 KiB are too little");
    let message = error.to_string();
    assert!(message.starts_with("out of memory: "), "{message}");
    assert!(message.ends_with("the limit is 0.1 MiB"), "{message}");
}
