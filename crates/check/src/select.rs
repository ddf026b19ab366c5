//! The states of a set that satisfy a formula.

use mandala_diagram::Diagram;
use mandala_model::property::Formula;
use mandala_symbolic::encode::{Atom, Encoded, Encoding, Refusal};

/// The states of a set that satisfy a formula without temporal operators.
pub fn select<E: Encoding>(
    encoded: &mut Encoded<E>, formula: &Formula<Atom<E>>, set: &Diagram,
) -> Result<Diagram, Refusal> {
    match formula {
        Formula::Constant(true) => Ok(set.clone()),
        Formula::Constant(false) => Ok(encoded.store.zero()),
        Formula::Not(inner) => {
            let not = select(encoded, inner, set)?;
            Ok(encoded.store.difference(set, &not)?)
        }
        Formula::And(parts) => {
            let mut all = set.clone();
            for part in parts {
                all = select(encoded, part, &all)?;
            }
            Ok(all)
        }
        Formula::Or(parts) => {
            let mut any = encoded.store.zero();
            for part in parts {
                // What is known to satisfy the formula is not asked again.
                let rest = encoded.store.difference(set, &any)?;
                let more = select(encoded, part, &rest)?;
                any = encoded.store.union(&any, &more)?;
            }
            Ok(any)
        }
        Formula::Error => E::error_state(encoded, set),
        Formula::Atom(atom) => {
            let selected = E::select(encoded, atom, set)?;
            without_error_state(encoded, selected)
        }
        Formula::Deadlock => {
            let dead = E::dead(encoded, set)?;
            without_error_state(encoded, dead)
        }
        Formula::Unary(..) | Formula::Binary(..) => Err(Refusal::Temporal),
    }
}

/// Whether a formula about one state speaks of what can happen in it.
pub(crate) fn mentions_events<E: Encoding>(formula: &Formula<Atom<E>>) -> bool {
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match formula {
            Formula::Deadlock => return true,
            Formula::Atom(atom) if E::mentions_events(atom) => return true,
            Formula::Not(inner) => open.push(inner),
            Formula::And(parts) | Formula::Or(parts) => open.extend(parts),
            _ => {}
        }
    }
    false
}

/// A set without the error state, of which nothing holds.
pub(crate) fn without_error_state<E: Encoding>(encoded: &mut Encoded<E>, set: Diagram) -> Result<Diagram, Refusal> {
    let error = E::error_state(encoded, &set)?;
    if error.is_empty() {
        return Ok(set);
    }
    Ok(encoded.store.difference(&set, &error)?)
}
