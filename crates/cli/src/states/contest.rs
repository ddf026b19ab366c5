//! The lines of the contest's examination `StateSpace`.

use super::report::{Ended, Report};
use crate::check::techniques;
use crate::status::Status;
use mandala_diagram::Count;

/// The lines, and how the run ended.
pub fn lines(report: &Report, by_diagrams: bool) -> (String, Status) {
    let techniques = techniques(by_diagrams);
    let line = |name: &str, value: &str| format!("STATE_SPACE {name} {value} {techniques}\n");
    let all = |values: [&str; 4]| {
        let names = ["STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"];
        names.into_iter().zip(values).map(|(name, value)| line(name, value)).collect::<String>()
    };
    match (&report.ended, &report.states, &report.figures) {
        (Ended::Complete, Some(states), Some(figures)) => {
            // The contest writes -1 for what was not computed.
            let transitions = figures.transitions.as_ref().map_or("-1".to_owned(), digits);
            let (marking, place) = (figures.most_in_marking.to_string(), figures.most_in_place.to_string());
            (all([&digits(states), &transitions, &marking, &place]), Status::Good)
        }
        (Ended::Unbounded(_), ..) => (all(["+inf"; 4]), Status::Good),
        (_, Some(states), _) if report.knows_all_states => (line("STATES", &digits(states)), Status::Unknown),
        _ => ("CANNOT_COMPUTE\n".to_owned(), Status::Unknown),
    }
}

fn digits(count: &Count) -> String {
    format!("{count:#}")
}
