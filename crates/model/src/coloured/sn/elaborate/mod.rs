//! From a tree to the net it describes: parameters are filled in, names resolved, and everything checked.

mod class;
mod constants;
mod formula;
mod guard;
mod net;
mod scope;
mod tokens;

pub(super) use formula::question_of;

use super::syntax::File;
use super::{Model, Reading};
use crate::gal::Scope;
use crate::gal::ledger::{Ledger, Outcome, Stop, complaint};
use crate::text::{Problem, Span, Unreadable};
use constants::Constants;

/// Makes the model of a file, and keeps its constants and notes. `name` and `source` are those of the file, for error messages.
pub(super) fn elaborate(
    file: &File, name: &str, source: &str, defines: &[(String, i32)],
) -> Result<Reading, Unreadable> {
    let mut ledger = Ledger::new(source.len());
    match model(file, defines, &mut ledger) {
        Ok((model, scope)) if ledger.is_clean() => Ok(Reading { model, scope, notes: ledger.take_notes() }),
        _ => {
            if ledger.is_clean() {
                ledger.report(Problem::new(Span::default(), "this file cannot be made into a net"));
            }
            Err(Unreadable::new(name, source, ledger.problems()))
        }
    }
}

fn model(file: &File, defines: &[(String, i32)], ledger: &mut Ledger) -> Outcome<(Model, Scope)> {
    let constants = Constants::of(&file.constants, defines, ledger);
    let Some((first, others)) = file.nets.split_first() else {
        let problem = Problem::new(Span::default(), "the file declares no net").help(
            "declare one, such as `net Table { class Seat = 1..3; place free : Seat = <all>; \
             transition sit (Seat x) { take free<x>; } }`",
        );
        ledger.report(problem);
        return Err(Stop);
    };
    for other in others {
        let problem = Problem::new(other.name.span(), "a file has one net")
            .label("a second one")
            .related(first.name.span(), "the first one");
        ledger.report(problem);
    }
    let net = net::net(first, &constants, ledger);
    let mut names = rustc_hash::FxHashMap::default();
    let mut properties = Vec::new();
    let directory = formula::Directory::of(&net);
    for property in &file.properties {
        if let Some(first) = names.insert(property.name.text.as_str(), property.name.span()) {
            ledger.report(complaint::twice(&property.name, "property", first));
        }
        properties.extend(formula::property(&directory, property, &constants.environment, ledger));
    }
    drop(directory);
    Ok((Model { net, properties }, constants.environment.scope()))
}
