//! Runs through symbolic markings as runs of the net, with colours.

use crate::trace::{Change, Step, Trace, Value};
use mandala_check::run::{Found, NoTrace};
use mandala_model::coloured::property::{ColouredNets, Event};
use mandala_model::coloured::semantics::{Marking, Semantics};
use mandala_symbolic::marking::SymbolicNet;
use std::collections::BTreeSet;

/// Times that a cycle of the quotient is gone around until it is one of the net.
const MOST_TURNS: usize = 1000;

/// A trace through symbolic markings with colours, replayed on the net.
pub(super) fn lifted(symbolic: &SymbolicNet<'_>, trace: Result<Found<ColouredNets>, NoTrace>) -> Result<Trace, String> {
    let found = trace.map_err(|reason| reason.to_string())?;
    let net = symbolic.net();
    let broken = || "no trace, because of an error in mandala itself: it did not replay".to_owned();
    let semantics = Semantics::new(net).map_err(|error| error.to_string())?;
    let mut run = symbolic.lift().ok_or_else(broken)?;
    let first = semantics.initial_marking().map_err(|cause| cause.to_string())?;
    let mut markings = vec![first];
    let mut events: Vec<Event> = Vec::new();
    let mut go = |from: usize, markings: &mut Vec<Marking>, events: &mut Vec<Event>| {
        for step in &found.trace.steps[from..] {
            let event = run.step(step.event.transition, &step.state).ok_or_else(broken)?;
            let last = &markings[markings.len() - 1];
            let after = semantics.after_event(last, &event).map_err(|cause| cause.to_string())?;
            markings.push(after.ok_or_else(broken)?);
            events.push(event);
        }
        Ok::<(), String>(())
    };
    go(0, &mut markings, &mut events)?;
    let mut repeats = found.repeats;
    if let Some(begin) = found.repeats.filter(|&begin| begin < found.trace.steps.len()) {
        // A cycle of the quotient may have to be gone around until the colours are back where they were.
        let mut heads = vec![begin];
        loop {
            let here = markings.len() - 1;
            if let Some(&head) = heads.iter().find(|&&head| markings[head] == markings[here]) {
                repeats = Some(head);
                break;
            }
            if heads.len() > MOST_TURNS {
                return Err(format!("no trace: it comes back to its colours after more than {MOST_TURNS} turns"));
            }
            heads.push(here);
            go(begin, &mut markings, &mut events)?;
        }
    }
    Ok(named(&semantics, &markings, &events, found.shortest, repeats))
}

/// A run of a coloured net, with names.
fn named(
    semantics: &Semantics<'_>, markings: &[Marking], events: &[Event], shortest: bool, repeats: Option<usize>,
) -> Trace {
    let net = semantics.net();
    let mut seen = BTreeSet::new();
    for marking in markings {
        for (place, tokens) in marking.places.iter().enumerate() {
            seen.extend(tokens.iter().map(|(token, _)| (place, token)));
        }
    }
    let names: Vec<String> = seen
        .iter()
        .map(|(place, token)| match net.places[*place].domain.as_slice() {
            [] => net.places[*place].name.clone(),
            domain => format!("{}({})", net.places[*place].name, net.show(domain, token)),
        })
        .collect();
    let value = |marking: &Marking, (place, token): &(usize, Vec<mandala_model::coloured::Value>)| {
        let number = i32::try_from(marking.places[*place].count(token)).unwrap_or(i32::MAX);
        Value { number, name: None, is_letter: false }
    };
    let steps = markings.windows(2).zip(events).map(|(pair, event)| {
        let changes = seen.iter().zip(&names).enumerate().filter_map(|(index, (token, name))| {
            let (before, after) = (value(&pair[0], token), value(&pair[1], token));
            (before != after).then(|| Change { index, variable: name.clone(), before, after })
        });
        Step { transition: semantics.name(event), changes: changes.collect(), mishap: None, instances: None }
    });
    let steps = steps.collect();
    let initial = seen.iter().zip(&names).map(|(token, name)| (name.clone(), value(&markings[0], token))).collect();
    Trace { initial, steps, shortest, repeats }
}
