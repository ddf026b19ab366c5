//! `mandala states`: how many states a model has.

mod contest;
mod report;
mod unbounded;

use crate::arguments::{Check, Engine, States};
use crate::error_state::Told;
use crate::failure::Failure;
use crate::info;
use crate::input;
use crate::output;
use crate::session::Session;
use crate::status::Status;
use crate::symmetry;
use crate::trace::Named;
use mandala_analysis::structure::cover::PATIENCE;
use mandala_check::answer::Traces;
use mandala_check::error_state::ErrorState;
use mandala_check::explicit;
use mandala_check::explore::{Stopped, SystemStopped, explore};
use mandala_check::figures::NoFigures;
use mandala_check::fold::Subject;
use mandala_check::space::SystemSpace;
use mandala_diagram::Count;
use mandala_model::semantics::{RunError, Semantics};
use mandala_model::system::{System, Type};
use mandala_symbolic::encode::{EncodeError, Refusal};
use report::{Ended, Figures, Report};

/// Runs the verb.
pub fn run(arguments: &States) -> Result<Status, Failure> {
    let session = Session::begin(&arguments.engine, &arguments.show);
    let model = input::read(&arguments.model.model, &arguments.model.defines)?;
    let line = session.show_progress();
    let report = match arguments.engine.strategy.of_diagrams() {
        Some(strategy) => by_diagrams(&arguments.engine, arguments.full, &session, &model.system, strategy)?,
        None => {
            symmetry::is_for_diagrams(&arguments.engine)?;
            one_by_one(&session, &model.system)?
        }
    };
    drop(line);
    output::print(&if arguments.show.json { report.json(arguments) } else { report.text(arguments) })?;
    Ok(match report.ended {
        Ended::Complete | Ended::Unbounded(_) => Status::Good,
        Ended::Stopped(_) => Status::Unknown,
    })
}

/// Does the contest's examination `StateSpace` and prints its lines.
pub fn examine(arguments: &Check, session: &Session, system: &System) -> Result<Status, Failure> {
    let line = session.show_progress();
    let strategy = arguments.engine.strategy.of_diagrams();
    let report = match strategy {
        Some(strategy) => by_diagrams(&arguments.engine, true, session, system, strategy)?,
        None => one_by_one(session, system)?,
    };
    drop(line);
    let (lines, status) = contest::lines(&report, strategy.is_some());
    output::print(&lines)?;
    Ok(status)
}

fn by_diagrams(
    engine: &Engine, full: bool, session: &Session, system: &System, strategy: mandala_diagram::Strategy,
) -> Result<Report, Failure> {
    let subject = symmetry::subject(engine, system)?;
    let system = subject.as_ref().map_or(system, Subject::system);
    let options = session.options(system, engine, strategy)?;
    let report = |ended| Report::new(system, session, ended);
    let explored = match &subject {
        Some(subject) => subject.explore(&options, &[]),
        None => explore(system, &options),
    };
    match explored {
        Ok(mut space) => {
            let mut report = of_space(report(Ended::Complete), subject.as_ref(), &mut space);
            if full && space.encoded.orbit.is_some() {
                output::complain("note: the figures of `--full` are those of all states; `--symmetry select` has them");
            } else if full {
                add_figures(&mut report, &mut space, session)?;
            }
            Ok(report.timed(session))
        }
        Err(Stopped::Limit { error, partial }) => {
            let report = report(Ended::Stopped(session.reason(&error)?));
            Ok(match partial {
                Some(mut partial) => {
                    session.extend(&mut partial.encoded.store);
                    of_space(report, subject.as_ref(), &mut partial)
                }
                None => report,
            })
        }
        Err(Stopped::Unbounded(witness)) => Ok(report(Ended::Unbounded(unbounded::describe(system, &witness)))),
        Err(stopped) => Err(refused(session, system, &stopped)),
    }
}

/// What diagrams cannot do.
pub fn refused(session: &Session, system: &System, stopped: &SystemStopped<'_>) -> Failure {
    match stopped {
        Stopped::Encode(EncodeError::Beyond { .. }) => {
            Failure::with_help(stopped.to_string(), "`--strategy explicit` explores one state after the other")
        }
        Stopped::Undefined => without_value(session, system, stopped),
        _ => Failure::new(stopped.to_string()),
    }
}

/// Diagrams show that there is an error of the model; which, and in which state, is found one by one.
fn without_value(session: &Session, system: &System, stopped: &SystemStopped<'_>) -> Failure {
    /// Beyond this nobody wants to wait for the name of an error.
    const MOST: u64 = 2_000_000;
    let limits = mandala_check::limits::Limits { states: Some(MOST), ..session.limits() };
    if let Ok(semantics) = Semantics::new(system) {
        let outcome = explicit::explore(&semantics, &[], &limits, session.progress());
        if let explicit::Ended::Error { error, trace } = &outcome.ended {
            return model_error(&semantics, error, trace.as_ref());
        }
        if outcome.ended == explicit::Ended::Complete {
            let text = "a variable goes beyond 32 bits and wraps around, where diagrams do not follow it";
            return Failure::with_help(text, "`--strategy explicit` does; a guard helps if this is not meant");
        }
    }
    let help = "`--strategy explicit` shows where, if it gets there; a guard or a capacity helps if a value only grows";
    Failure::with_help(stopped.to_string(), help)
}

/// An error of the model, with how it comes about.
pub fn model_error(semantics: &Semantics<'_>, error: &RunError, trace: Option<&mandala_check::run::Trace>) -> Failure {
    let text = format!("the model has an error: {error}");
    match trace.map(|trace| Named::new(semantics, trace, true)) {
        Some(trace) => {
            Failure::new(format!("{text}\nthe state is reached {}:\n{}", trace.length(), trace.text().trim_end()))
        }
        None => Failure::new(text),
    }
}

fn of_space(mut report: Report, subject: Option<&Subject<'_>>, space: &mut SystemSpace<'_>) -> Report {
    let system = space.encoded.encoding.system;
    report.error_state = space.error_state(Traces::Unwanted).map(|found| Told::new(system, found));
    report.variables = match &system.types[system.main] {
        Type::Composite(_) => info::variables(system),
        _ => Count::from(space.layout.variables as u64),
    };
    // Some of the representatives are some of the states.
    let folded = space.folded.as_deref().filter(|_| space.is_complete());
    report.states = folded.map_or_else(|| Some(space.count()), |folded| folded.concrete.clone());
    report.folded = subject.zip(folded).map(|(subject, folded)| symmetry::Folding::new(subject, space, folded));
    report.final_nodes = Some(space.encoded.store.size(&space.states).nodes);
    report.peak_nodes = Some(space.peak_nodes);
    report.layout = Some(space.layout.clone());
    report.statistics = Some(space.encoded.store.statistics());
    report
}

fn add_figures(report: &mut Report, space: &mut SystemSpace<'_>, session: &Session) -> Result<(), Failure> {
    match space.figures() {
        Ok(figures) => {
            report.figures = Some(Figures {
                transitions: figures.transitions,
                most_in_place: figures.most_in_place,
                most_in_marking: figures.most_in_marking,
            });
        }
        Err(NoFigures::Refused(Refusal::Encode(EncodeError::Stopped(error)))) => {
            report.knows_all_states = true;
            report.ended = Ended::Stopped(session.reason(&error)?);
        }
        Err(error) => return Err(Failure::new(error.to_string())),
    }
    Ok(())
}

fn one_by_one(session: &Session, system: &System) -> Result<Report, Failure> {
    if let Some(witness) = mandala_check::explore::find_unbounded(system, PATIENCE) {
        return Ok(Report::new(system, session, Ended::Unbounded(unbounded::describe(system, &witness))));
    }
    let semantics = Semantics::new(system).map_err(|error| Failure::new(error.to_string()))?;
    let outcome = explicit::explore(&semantics, &[], &session.limits(), session.progress());
    if let explicit::Ended::Error { error, trace } = &outcome.ended {
        return Err(model_error(&semantics, error, trace.as_ref()));
    }
    let ended = session.reason_of(&outcome.ended).map_or(Ended::Complete, Ended::Stopped);
    let mut report = Report::new(system, session, ended);
    report.states = Some(Count::from(outcome.states));
    let error_state = ErrorState::of(&semantics, &outcome, Traces::Unwanted);
    report.error_state = error_state.map(|found| Told::new(system, found));
    report.figures = Some(Figures {
        transitions: Some(Count::from(outcome.transitions)),
        most_in_place: outcome.most_in_place.map_or(0, i64::from),
        most_in_marking: outcome.most_in_marking.unwrap_or(0),
    });
    Ok(report)
}
