//! All nets of the contest, and the GAL files that diagrams can do, against what is known of them.
//!
//! `cargo run --release -p mandala --example conformance -- ../shared/models/mcc-pt` prints the same as a table.

#[path = "common/conformance/mod.rs"]
mod conformance;
#[path = "../../check/tests/common/shared.rs"]
mod shared;

use conformance::{Limits, Outcome, Report, Scope, Unknown, models};
use std::time::Duration;

/// Far more than any of these models needs: a test must not depend on the machine.
const GENEROUS: Limits = Limits { time: Duration::from_secs(120), memory: 4 << 30 };

/// Examines all models of a folder; fails if something is wrong or cannot be read. The reports of those that are done.
fn conforming(folder: &str, scope: Scope, wanted: impl Fn(&str) -> bool) -> Vec<Report> {
    let Some(shared) = shared::models() else { return Vec::new() };
    let mut done = Vec::new();
    let mut wrong = Vec::new();
    for model in models(&shared.join(folder), "").iter().filter(|model| wanted(&model.name)) {
        let report = model.examine(GENEROUS, scope);
        println!("{:11} {:40} {:6.2} s", report.outcome().to_string(), report.model, report.time.as_secs_f64());
        match report.outcome() {
            Outcome::Right => done.push(report),
            Outcome::Wrong | Outcome::Unknown(Unknown::Other(_)) => {
                let answers = report.answers.iter().filter(|answer| !answer.is_right());
                wrong.extend(answers.map(|answer| format!("{} {answer}", report.model)));
            }
            Outcome::Unknown(_) | Outcome::Unchecked => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    done
}

#[test]
fn nets_of_the_contest() {
    if shared::models().is_none() {
        return;
    }
    let done = conforming("mcc-pt", Scope::All, |_| true);
    assert!(done.len() >= 44, "only {} nets are done", done.len());
    // Four figures of the state space and five properties of the whole net for each; for some, five files of 16 formulas.
    assert!(done.iter().all(|report| report.answers.len() >= 9));
    assert!(done.iter().filter(|report| report.answers.len() == 9 + 5 * 16).count() >= 6);
}

/// Coloured nets that take longer than a second each; the conformance run does them.
const SLOW_COLOURED: [&str; 15] = [
    "CSRepetitions-COL-03",
    "DatabaseWithMutex-COL-04",
    "DrinkVendingMachine-COL-16",
    "FamilyReunion",
    "PermAdmissibility",
    "Peterson-COL-3",
    "Philosophers-COL-000100",
    "Philosophers-COL-001000",
    "PhilosophersDyn-COL-10",
    "PolyORBNT",
    "QuasiCertifProtocol-COL-06",
    "SafeBus-COL",
    "SharedMemory-COL-000010",
    "SharedMemory-COL-000020",
    "Peterson-COL-2",
];

#[test]
fn coloured_nets_of_the_contest() {
    if shared::models().is_none() {
        return;
    }
    let done = conforming("mcc-col", Scope::All, |name| !SLOW_COLOURED.iter().any(|slow| name.contains(slow)));
    assert!(done.len() >= 24, "only {} nets are done", done.len());
    assert!(done.iter().filter(|report| report.answers.len() == 9 + 5 * 16).count() >= 6);
}

/// Files that take longer than a second each; the conformance run does them.
const SLOW_GAL: [&str; 7] =
    ["gal-bakery", "cgal-exit", "hanoi_ori", "gal-lamport", "gal-peterson", "cgal-reader_writer", "train4"];

#[test]
fn gal_files() {
    if shared::models().is_none() {
        return;
    }
    let is_slow = |name: &str| SLOW_GAL.iter().any(|slow| name.contains(slow));
    let done = conforming("gal", Scope::All, |name| !is_slow(name));
    assert!(done.len() >= 48, "only {} files are done", done.len());
}

/// Models that take longer than half a second each; the conformance run does them.
const SLOW_DVE: [&str; 2] = ["peterson.4", "telephony.3"];

#[test]
fn dve_files() {
    if shared::models().is_none() {
        return;
    }
    let done = conforming("beem-dve", Scope::All, |name| !SLOW_DVE.iter().any(|slow| name.contains(slow)));
    assert!(done.len() >= 65, "only {} models are done", done.len());
}

/// The judge itself: another expectation is noticed, whichever it is.
#[test]
fn what_is_wrong_is_noticed() {
    let Some(shared) = shared::models() else { return };
    for model in &mut models(&shared.join("mcc-pt"), "ResAllocation-PT-R003C003") {
        let right = model.examine(GENEROUS, Scope::All);
        assert_eq!(right.outcome(), Outcome::Right);
        let [answers, ..] = right.counts();
        assert!(answers > 6, "formulas are asked, too");
        for value in model.figures.values_mut() {
            value.push('0');
        }
        let wrong = model.examine(GENEROUS, Scope::All);
        assert_eq!(wrong.outcome(), Outcome::Wrong);
        assert_eq!(wrong.counts(), [0, answers, 0]);
        assert_eq!(model.examine(GENEROUS, Scope::States).counts(), [0, 1, 0]);
    }
}

#[test]
fn late_is_neither_right_nor_wrong() {
    let Some(shared) = shared::models() else { return };
    for model in models(&shared.join("mcc-pt"), "Kanban-PT-00005") {
        let report = model.examine(Limits { time: Duration::ZERO, ..GENEROUS }, Scope::All);
        assert_eq!(report.outcome(), Outcome::Unknown(Unknown::Time));
        assert_eq!(report.counts()[..2], [0, 0]);
    }
}
