//! The states of a set that satisfy a formula.

use std::fmt;

use mandala_diagram::{Diagram, Error};
use mandala_model::expression::{Boolean, Comparison, Integer};
use mandala_model::property::{Atom, Formula, Linear, NotLinear};
use mandala_model::semantics::{RunError, Semantics};
use mandala_model::system::Location;
use mandala_symbolic::encode::{ConditionError, EncodeError, Encoded};

/// Why a formula cannot be evaluated on sets.
#[derive(Clone, Debug)]
pub enum SelectError {
    /// An expression that is not linear.
    NotLinear,
    /// An expression over variables of different parts with too many values.
    TooManyValues,
    /// A temporal operator.
    Temporal,
    /// A name that the system does not have.
    Unknown(Location),
    /// The system cannot be evaluated, or a limit struck.
    Encode(EncodeError),
}

impl From<NotLinear> for SelectError {
    fn from(_: NotLinear) -> SelectError {
        SelectError::NotLinear
    }
}

impl From<EncodeError> for SelectError {
    fn from(error: EncodeError) -> SelectError {
        SelectError::Encode(error)
    }
}

impl From<Error> for SelectError {
    fn from(error: Error) -> SelectError {
        SelectError::Encode(EncodeError::Stopped(error))
    }
}

impl From<ConditionError> for SelectError {
    fn from(error: ConditionError) -> SelectError {
        match error {
            ConditionError::Unknown(location) => SelectError::Unknown(location),
            ConditionError::TooManyValues => SelectError::TooManyValues,
            ConditionError::Stopped(error) => SelectError::from(error),
        }
    }
}

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelectError::NotLinear => {
                write!(f, "only sums and constant multiples of variables can be evaluated on diagrams here")
            }
            SelectError::TooManyValues => write!(
                f,
                "an expression over variables of different parts of the model has too many values to try them all"
            ),
            SelectError::Temporal => write!(f, "temporal operators cannot be evaluated on diagrams yet"),
            SelectError::Unknown(_) => write!(f, "the formula names something that the model does not have"),
            SelectError::Encode(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for SelectError {}

/// The states of a set that satisfy a formula without temporal operators.
pub fn select(encoded: &mut Encoded<'_>, formula: &Formula, set: &Diagram) -> Result<Diagram, SelectError> {
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
        Formula::Error => error_state(encoded, set),
        Formula::Atom(Atom::Compare(comparison, left, right)) => {
            let selected = compared(encoded, *comparison, left, right, set)?;
            without_error_state(encoded, selected)
        }
        Formula::Atom(Atom::Fireable(locations)) => {
            let mut any = encoded.store.zero();
            for location in locations {
                let more = match encoded.guard(location) {
                    Ok(Some(guard)) => encoded.store.apply(&guard, set)?,
                    Ok(None) => return Err(SelectError::Unknown(location.clone())),
                    Err(error) => {
                        one_by_one(encoded, set, error, |semantics, state| semantics.enabled(state, location))?
                    }
                };
                any = encoded.store.union(&any, &more)?;
            }
            Ok(any)
        }
        Formula::Deadlock => {
            let dead = dead_states(encoded, set)?;
            without_error_state(encoded, dead)
        }
        Formula::Unary(..) | Formula::Binary(..) => Err(SelectError::Temporal),
    }
}

/// Whether a formula about one state speaks of what can happen in it.
pub(crate) fn mentions_events(formula: &Formula) -> bool {
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match formula {
            Formula::Atom(Atom::Fireable(_)) | Formula::Deadlock => return true,
            Formula::Not(inner) => open.push(inner),
            Formula::And(parts) | Formula::Or(parts) => open.extend(parts),
            _ => {}
        }
    }
    false
}

/// The states of a set in which a comparison holds.
fn compared(
    encoded: &mut Encoded<'_>, comparison: Comparison, left: &Integer<Location>, right: &Integer<Location>,
    set: &Diagram,
) -> Result<Diagram, SelectError> {
    match compare(encoded, comparison, left, right, set) {
        Err(SelectError::NotLinear) => {
            Ok(encoded.select(&Boolean::Compare(comparison, left.clone(), right.clone()), set)?)
        }
        selected => selected,
    }
}

/// What there is of the error state in a set: that state or nothing.
pub(crate) fn error_state(encoded: &mut Encoded<'_>, set: &Diagram) -> Result<Diagram, SelectError> {
    let Some(error) = encoded.system.error_state() else { return Ok(encoded.store.zero()) };
    let variable = Location { path: Vec::new(), index: error.variable };
    let value = Integer::Constant(error.value);
    compared(encoded, Comparison::Equal, &Integer::Variable(variable), &value, set)
}

/// A set without the error state, of which nothing holds.
pub(crate) fn without_error_state(encoded: &mut Encoded<'_>, set: Diagram) -> Result<Diagram, SelectError> {
    if encoded.system.error_state().is_none() {
        return Ok(set);
    }
    let error = error_state(encoded, &set)?;
    Ok(encoded.store.difference(&set, &error)?)
}

/// The states of a set in which nothing can happen.
pub(crate) fn dead_states(encoded: &mut Encoded<'_>, set: &Diagram) -> Result<Diagram, SelectError> {
    match encoded.dead(set) {
        Ok(dead) => Ok(dead),
        // Representatives of what comes next may not be among those that are known.
        Err(error @ EncodeError::Beyond { .. }) if encoded.orbit.is_some() => {
            one_by_one(encoded, set, error, |semantics, state| semantics.is_deadlock(state))
        }
        // When a transition can fire is not known beforehand: then the states that are before no other.
        Err(error @ EncodeError::Beyond { .. }) => match before_others(encoded, set) {
            Ok(alive) => Ok(encoded.store.difference(set, &alive)?),
            Err(Error::NoInverse { .. }) => {
                one_by_one(encoded, set, error, |semantics, state| semantics.is_deadlock(state))
            }
            Err(stopped) => Err(stopped.into()),
        },
        Err(error) => Err(error.into()),
    }
}

/// The states of a set that have a successor.
fn before_others(encoded: &mut Encoded<'_>, set: &Diagram) -> Result<Diagram, Error> {
    let step = encoded.store.sum(&encoded.relation);
    let back = encoded.store.predecessors(&step, set)?;
    let after = encoded.store.apply(&step, set)?;
    encoded.store.apply(&back, &after)
}

/// A set with more states than this is not looked at state by state.
const FEW_STATES: u64 = 20_000;

/// The states of a set that pass a test, one after the other, where diagrams cannot tell: when a transition can fire
/// whose body may abort after a repetition. If there are many states, there is the error.
fn one_by_one(
    encoded: &mut Encoded<'_>, set: &Diagram, error: EncodeError,
    passes: impl Fn(&Semantics<'_>, &[i32]) -> Result<bool, RunError>,
) -> Result<Diagram, SelectError> {
    let is_small = encoded.store.count(set).to_u64().is_some_and(|count| count <= FEW_STATES);
    let semantics = match (&error, Semantics::new(encoded.system)) {
        (EncodeError::Beyond { .. }, Ok(semantics)) if is_small => semantics,
        _ => return Err(error.into()),
    };
    let sizes = encoded.sizes();
    let mut passing = Vec::new();
    for state in encoded.store.states(set) {
        // A state in which something has no value would not have been reached without saying so.
        if passes(&semantics, &encoded.decode(&state, &sizes)).map_err(|_| error.clone())? {
            passing.push(state);
        }
    }
    let mut all = Vec::with_capacity(passing.len());
    for state in &passing {
        all.push(encoded.store.diagram_of(state)?);
    }
    Ok(encoded.store.union_of(&all)?)
}

fn compare(
    encoded: &mut Encoded<'_>, comparison: Comparison, left: &Integer<Location>, right: &Integer<Location>,
    set: &Diagram,
) -> Result<Diagram, SelectError> {
    let difference = Linear::of(left)?.plus(Linear::of(right)?, -1)?;
    if difference.terms.is_empty() {
        return Ok(if comparison.holds(&difference.constant, &0) { set.clone() } else { encoded.store.zero() });
    }
    let (weight, constant) = weight(&difference, encoded)?;
    let bound = constant.checked_neg().ok_or(SelectError::NotLinear)?;
    let (low, high) = match comparison {
        Comparison::Equal | Comparison::NotEqual => (bound, bound),
        Comparison::Less => (i64::MIN, bound - 1),
        Comparison::LessOrEqual => (i64::MIN, bound),
        Comparison::Greater => (bound + 1, i64::MAX),
        Comparison::GreaterOrEqual => (bound, i64::MAX),
    };
    let selector = encoded.store.weighing(&weight, low, high);
    let selected = encoded.store.apply(&selector, set)?;
    if comparison == Comparison::NotEqual {
        return Ok(encoded.store.difference(set, &selected)?);
    }
    Ok(selected)
}

/// A sum as a weight of the states of a system, and a constant.
pub(crate) fn weight(linear: &Linear, encoded: &Encoded<'_>) -> Result<(mandala_diagram::Weight, i64), SelectError> {
    let unknown = || match linear.terms.first() {
        Some((location, _)) => SelectError::Unknown(location.clone()),
        None => SelectError::NotLinear,
    };
    let (weight, constant) = encoded.weight(&linear.terms).ok_or_else(unknown)?;
    Ok((weight, constant.checked_add(linear.constant).ok_or(SelectError::NotLinear)?))
}
