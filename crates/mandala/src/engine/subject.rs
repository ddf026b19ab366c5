//! What a quotient is made of, if one is asked for.

use super::session::Session;
use crate::error::{Error, ErrorKind};
use crate::options::{Note, Symmetries, Symmetry};
use mandala_check::quotient::declared::Source;
use mandala_check::quotient::{NotDeclared, Subject};
use mandala_model::system::System;

/// What is explored if a quotient of the states is asked for: nothing if none is.
pub(crate) fn subject<'s>(session: &Session<'_>, system: &'s System) -> Result<Option<Subject<'s>>, Error> {
    if session.options.symmetry == Symmetry::Off {
        return Ok(None);
    }
    if session.strategy().is_none() && session.options.symmetry != Symmetry::List {
        let text = "state by state, quotients are listed, and made in no other way";
        return Err(Error::with_help(
            ErrorKind::SymmetryNeedsDiagrams,
            text,
            "choose `list`, another strategy, or no symmetry",
        ));
    }
    let source = match session.options.symmetries {
        Symmetries::Found => Source::Found,
        Symmetries::Declared => Source::Declared,
    };
    let subject = Subject::new(system, source).map_err(|reason| {
        let kind = match reason {
            NotDeclared::Nothing => ErrorKind::NothingDeclared,
            NotDeclared::Broken { .. } => ErrorKind::NoSymmetry,
        };
        Error::new(kind, reason.to_string())
    })?;
    if let Some(note) = subject.note() {
        session.options.notes.hear(&Note::Composite(note.to_string()));
    }
    Ok(Some(subject))
}
