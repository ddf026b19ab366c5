//! `mandala states`: how many states a model has.

mod dump;
mod report;

use crate::again;
use crate::arguments::States;
use crate::ending;
use crate::failure::{self, Failure};
use crate::input;
use crate::output;
use crate::session::Session;
use crate::status::Status;
use mandala::{NoFigures, Options, Space};
use report::{Ended, Report};

/// Runs the verb.
pub fn run(arguments: &States) -> Result<Status, Failure> {
    if let Some(done) = again::instead(&arguments.model.model, &arguments.again, &[], arguments.show.json) {
        return done;
    }
    let session = Session::begin(&arguments.engine, &arguments.show)?;
    let nothing = report::Nothing::new(arguments, &session);
    ending::if_stopped(move |stopped| nothing.told(stopped));
    let model = input::read(&arguments.model)?;
    dump::refuse(&arguments.dump, &session.options, &model)?;
    ending::enter("looking for the states");
    let line = session.show_progress();
    let space = model.states().options(&session.options).run()?;
    let mut report = Report::new(&space);
    ending::enter("counting");
    // State by state, the figures come with the states.
    if arguments.full || (!space.is_by_diagrams() && space.symbolic().is_none()) {
        add_figures(&mut report, &space)?;
    }
    let report = report.timed(&session);
    drop(line);
    let text = if arguments.show.json { report.json(arguments) } else { report.text(arguments) };
    let is_written = match arguments.dump.dump {
        Some(_) => dumped(arguments, &session.options, &report, &space, text.clone()),
        None => Ok(true),
    };
    output::print(&text)?;
    match is_written {
        Ok(true) => {}
        Ok(false) => return Ok(Status::Unknown),
        // The answer has been printed: one object is enough.
        Err(failure) => return Ok(failure::report(&failure, false)),
    }
    Ok(match report.ended {
        Ended::Complete | Ended::Unbounded => Status::Good,
        Ended::Stopped(_) => Status::Unknown,
    })
}

/// Writes all states to a file, if they are known. If a limit strikes meanwhile, the answer is the same. Whether it was done.
fn dumped(
    arguments: &States, options: &Options, report: &Report<'_>, space: &Space, answer: String,
) -> Result<bool, Failure> {
    if report.ended != Ended::Complete {
        output::complain("stopped: not all states are known, and none were written");
        return Ok(false);
    }
    ending::if_stopped(move |_| answer.clone());
    ending::enter("writing the states");
    dump::write(&arguments.dump, options, space, arguments.show.json)
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
