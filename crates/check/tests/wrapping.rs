//! Numbers of programs have 32 bits and wrap around, on diagrams as well.

mod common;

use common::random::explored;
use mandala_check::explore::{Stopped, enumerate, explore};
use mandala_check::options::Options;
use mandala_diagram::Strategy;
use mandala_model::gal;
use mandala_model::system::System;

fn read(text: &str) -> System {
    gal::read("model.gal", text, &[]).unwrap_or_else(|error| panic!("{error}")).system
}

/// The states of a program, as every engine has them.
#[track_caller]
fn has(body: &str, states: u64) {
    let system = read(&format!("gal G {{ {body} }} main G;"));
    let outcome = explored(&system, 1000).unwrap_or_else(|| panic!("{body}"));
    assert_eq!(outcome.states, states, "{body}");
    for strategy in [Strategy::Saturation, Strategy::Chaining, Strategy::BreadthFirst] {
        let options = Options { strategy, ..Options::default() };
        let mut space = explore(&system, &options).unwrap_or_else(|stopped| panic!("{stopped}: {body}"));
        assert_eq!(space.count().to_u64(), Some(states), "{strategy:?} {body}");
        let figures = space.figures().unwrap_or_else(|error| panic!("{error}: {body}"));
        let transitions = figures.transitions.and_then(|count| count.to_u64());
        assert_eq!(transitions, Some(outcome.transitions), "{strategy:?} {body}");
    }
    if let Some(space) = enumerate(&system, &Options::default()) {
        let space = space.unwrap_or_else(|stopped| panic!("{stopped}: {body}"));
        assert_eq!(space.count().to_u64(), Some(states), "state by state, {body}");
    }
}

#[test]
fn what_is_stored_and_then_added_to() {
    has("int x; transition t [x == 0] { x = 2147483647; x += 1; }", 2);
    has("int x; transition t [x == 0] { x += 2147483647; x += 2147483647; x += 5; }", 2);
    has("int x; transition t [x == 0] { x = -2147483648; x -= 1; }", 2);
}

#[test]
fn what_is_added_to_and_then_looked_at() {
    // Only one of the branches is taken.
    for last in ["", "x = 0;"] {
        has(
            &format!(
                "int x = 2147483647; int y; transition t [y == 0] {{
                     x += 1; if (x < 0) {{ y = 1; }} else {{ y = 2; }} {last} }}
                 transition u [y == 1 && x <= 0] {{ y = 3; }}"
            ),
            3,
        );
    }
    // The condition of a transition that is called.
    has(
        "int x = 2147483647; int y; transition t [y == 0] { x += 1; self.\"low\"; }
         transition low [x < 3] label \"low\" { y = 1; }",
        2,
    );
    has(
        "int x = -2147483648; int y;
         transition t [y == 0 && x < -2147483645] { x += 1; if (x == -2147483648) { y = 1; } }",
        4,
    );
    has("int x = -2147483648; int y; transition t [y == 0] { x -= 1; if (x > 0) { y = 1; } }", 2);
}

/// A sum that leaves the 32 bits from step to step is not followed on diagrams, which is said.
#[test]
fn what_grows_for_ever_is_not_followed() {
    let system = read("gal G { int x = 2147483646; transition t [x > 5 || x < -2147483640] { x += 1; } } main G;");
    assert_eq!(explored(&system, 1000).map(|outcome| outcome.states), Some(11));
    assert!(matches!(explore(&system, &Options::default()), Err(Stopped::Undefined)));
}
