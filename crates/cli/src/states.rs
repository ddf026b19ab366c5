//! `mandala states`: how many states a model has.

mod report;

use crate::arguments::States;
use crate::failure::Failure;
use crate::input;
use crate::output;
use crate::session::Session;
use crate::status::Status;
use mandala::{NoFigures, Space};
use report::{Ended, Report};

/// Runs the verb.
pub fn run(arguments: &States) -> Result<Status, Failure> {
    let session = Session::begin(&arguments.engine, &arguments.show)?;
    let model = input::read(&arguments.model)?;
    let line = session.show_progress();
    let space = model.states().options(&session.options).run()?;
    let mut report = Report::new(&space);
    // State by state, the figures come with the states.
    if arguments.full || (!space.is_by_diagrams() && space.symbolic().is_none()) {
        add_figures(&mut report, &space)?;
    }
    let report = report.timed(&session);
    drop(line);
    output::print(&if arguments.show.json { report.json(arguments) } else { report.text(arguments) })?;
    Ok(match report.ended {
        Ended::Complete | Ended::Unbounded => Status::Good,
        Ended::Stopped(_) => Status::Unknown,
    })
}

fn add_figures(report: &mut Report<'_>, space: &Space) -> Result<(), Failure> {
    match space.figures() {
        Ok(figures) => report.figures = Some(figures),
        Err(NoFigures::Stopped(reason)) => {
            report.knows_all_states = true;
            report.ended = Ended::Stopped(reason);
        }
        Err(NoFigures::Representatives) => {
            output::complain("note: the figures of `--full` are those of all states; `--symmetry select` has them");
        }
        Err(NoFigures::Part) => {}
        Err(NoFigures::Beyond(reason)) => return Err(Failure::new(reason)),
    }
    Ok(())
}
