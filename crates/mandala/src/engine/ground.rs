//! What questions are answered on: a state space, what there is of one, or nothing but the system.

use super::named;
use super::session::Session;
use crate::error::{Error, ErrorKind};
use crate::figures::Growth;
use crate::reason::Reason;
use mandala_analysis::structure::cover::Witness;
use mandala_check::explicit;
use mandala_check::explore::{Stopped, SystemStopped};
use mandala_check::run;
use mandala_check::space::SystemSpace;
use mandala_model::semantics::{RunError, Semantics};
use mandala_model::system::System;
use mandala_symbolic::encode::EncodeError;

/// What questions are answered on.
pub(crate) enum Ground<'a> {
    /// A state space that has all states, or enough of them.
    Space(Box<SystemSpace<'a>>),
    /// What was found until a limit struck.
    Part {
        /// Which limit.
        reason: Reason,
        /// Some states.
        space: Option<Box<SystemSpace<'a>>>,
    },
    /// A net with infinitely many markings.
    Unbounded(Growth),
    /// No diagrams: the states are looked at one by one.
    OneByOne,
    /// Nothing yet: the states were counted on a reduced net.
    Later,
}

impl<'a> Ground<'a> {
    /// The ground that an exploration has found; an error if there is none.
    pub fn new(
        session: &Session<'_>, system: &'a System, explored: Result<SystemSpace<'a>, SystemStopped<'a>>,
    ) -> Result<Ground<'a>, Error> {
        match explored {
            Ok(space) => Ok(Ground::Space(Box::new(space))),
            Err(Stopped::Limit { error, partial }) => {
                Ok(Ground::Part { reason: session.reason(&error)?, space: partial })
            }
            Err(Stopped::Unbounded(witness)) => Ok(Ground::Unbounded(growth(system, &witness))),
            Err(stopped) => Err(refused(session, system, &stopped)),
        }
    }

    /// The state space, or what there is of one.
    pub fn space(&self) -> Option<&SystemSpace<'a>> {
        match self {
            Ground::Space(space) => Some(space),
            Ground::Part { space, .. } => space.as_deref(),
            Ground::Unbounded(_) | Ground::OneByOne | Ground::Later => None,
        }
    }

    /// The state space if it has all states.
    pub fn complete(&self) -> Option<&SystemSpace<'a>> {
        match self {
            Ground::Space(space) if space.is_complete() => Some(space),
            _ => None,
        }
    }

    /// Gives the store the limits of a new session.
    pub fn renew(&mut self, session: &Session<'_>, about_runs: bool) {
        if let Ground::Space(space) = self {
            session.renew(space, about_runs);
        }
    }
}

/// The names of a witness.
pub fn growth(system: &System, witness: &Witness) -> Growth {
    let net = system.main_type();
    let transitions = |list: &[u32]| {
        let names = list.iter().filter_map(|&index| net.event_name(index as usize));
        names.map(str::to_owned).collect()
    };
    let names = net.variable_names();
    let places = witness.grows.iter().filter_map(|&index| names.get(index as usize));
    Growth {
        prefix: transitions(&witness.prefix),
        cycle: transitions(&witness.cycle),
        grows: places.map(|&place| place.to_owned()).collect(),
    }
}

/// What diagrams cannot do.
fn refused(session: &Session<'_>, system: &System, stopped: &SystemStopped<'_>) -> Error {
    match stopped {
        Stopped::Encode(EncodeError::Beyond { .. }) => {
            let help = "the strategy `Explicit` explores one state after the other";
            Error::with_help(ErrorKind::BeyondDiagrams, stopped.to_string(), help)
        }
        Stopped::Undefined => without_value(session, system, stopped),
        _ => Error::new(ErrorKind::Other, stopped.to_string()),
    }
}

/// Diagrams show that there is an error of the model; which, and in which state, is found one by one.
fn without_value(session: &Session<'_>, system: &System, stopped: &SystemStopped<'_>) -> Error {
    /// Beyond this nobody wants to wait for the name of an error.
    const MOST: u64 = 2_000_000;
    if let Ok(semantics) = Semantics::new(system) {
        let limits = session.limits(Some(MOST));
        let outcome = explicit::explore(&semantics, &[], &limits, session.progress());
        if let explicit::Ended::Error { error, trace } = &outcome.ended {
            return model_error(&semantics, error, trace.as_ref());
        }
        if outcome.ended == explicit::Ended::Complete {
            let text = "a variable goes beyond 32 bits and wraps around, where diagrams do not follow it";
            let help = "the strategy `Explicit` does; a guard helps if this is not meant";
            return Error::with_help(ErrorKind::WrapsAround, text, help);
        }
    }
    let help =
        "the strategy `Explicit` shows where, if it gets there; a guard or a capacity helps if a value only grows";
    Error::with_help(ErrorKind::ModelSomewhere, stopped.to_string(), help)
}

/// An error of the model, with how it comes about.
pub fn model_error(semantics: &Semantics<'_>, error: &RunError, trace: Option<&run::Trace>) -> Error {
    let trace = trace.map(|trace| named::trace(semantics, trace, true, None));
    Error::new(ErrorKind::Model, format!("the model has an error: {error}")).with_trace(trace)
}
