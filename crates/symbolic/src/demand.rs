//! What a composite asks of its parts.
//!
//! A synchronisation sends each instance a sequence of labels (see [`mandala_model::system`]). Which sequences a type is
//! sent is worked out from the main type down, and the homomorphisms are made from the elementary types up: nothing
//! recurs, so the depth of the nesting does not matter, and a type that occurs a thousand times is asked once.

use std::collections::BTreeSet;

use mandala_model::system::{Call, Composite, System, Type};
use rustc_hash::FxHashMap;

/// Labels that are called on an instance, in this order.
pub type Sequence = Vec<String>;

/// One way to do a sequence of labels to a composite: what its instances are sent, in ascending order of instances.
pub type Sent = Vec<(u32, Sequence)>;

/// A synchronisation or a sequence of labels that has more combinations of choices than this is refused.
const MOST_COMBINATIONS: usize = 10_000;

/// Something has more combinations of choices than can be written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyChoices {
    /// The composite.
    pub composite: String,
    /// The synchronisation or the labels.
    pub what: String,
}

/// For each type of a system, what it is sent from above.
pub fn demands(system: &System) -> Result<Vec<BTreeSet<Sequence>>, TooManyChoices> {
    let mut demands: Vec<BTreeSet<Sequence>> = vec![BTreeSet::new(); system.types.len()];
    for index in (0..system.types.len()).rev() {
        let Type::Composite(composite) = &system.types[index] else { continue };
        let choices = Choices::new(composite);
        let mut below: Vec<Sent> = Vec::new();
        for sequence in &demands[index] {
            below.extend(choices.of_sequence(sequence)?);
        }
        for place in 0..composite.synchronisations.len() {
            // One with a label matters only when it is called, and in the main type when time elapses; but whether it
            // can fire may be asked of any.
            below.extend(choices.of_synchronisation(place)?);
        }
        for (instance, sequence) in below.into_iter().flatten() {
            demands[composite.instances[instance as usize].type_index].insert(sequence);
        }
    }
    Ok(demands)
}

/// The synchronisations of a composite, by label.
pub struct Choices<'a> {
    composite: &'a Composite,
    by_label: FxHashMap<&'a str, Vec<usize>>,
}

impl<'a> Choices<'a> {
    /// The choices of a composite.
    pub fn new(composite: &'a Composite) -> Choices<'a> {
        let mut by_label: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (place, synchronisation) in composite.synchronisations.iter().enumerate() {
            if let Some(label) = &synchronisation.label {
                by_label.entry(label).or_default().push(place);
            }
        }
        Choices { composite, by_label }
    }

    /// All ways to do a sequence of labels.
    pub fn of_sequence(&self, labels: &[String]) -> Result<Vec<Sent>, TooManyChoices> {
        let calls: Vec<Call> = labels.iter().map(|label| Call { instance: None, label: label.clone() }).collect();
        self.of_calls(&calls, &labels.join(", "))
    }

    /// All ways to do a synchronisation.
    pub fn of_synchronisation(&self, place: usize) -> Result<Vec<Sent>, TooManyChoices> {
        let synchronisation = &self.composite.synchronisations[place];
        self.of_calls(&synchronisation.calls, &synchronisation.name)
    }

    fn of_calls(&self, calls: &[Call], what: &str) -> Result<Vec<Sent>, TooManyChoices> {
        let mut done: Vec<Sent> = Vec::new();
        // What is still to be called comes last first.
        let mut open: Vec<(Sent, Vec<&Call>)> = vec![(Vec::new(), calls.iter().rev().collect())];
        while let Some((mut sent, mut rest)) = open.pop() {
            if done.len() + open.len() > MOST_COMBINATIONS {
                return Err(TooManyChoices { composite: self.composite.name.clone(), what: what.to_owned() });
            }
            let Some(call) = rest.pop() else {
                done.push(sent);
                continue;
            };
            let Some(instance) = call.instance else {
                let choices = self.by_label.get(call.label.as_str()).map_or(&[][..], Vec::as_slice);
                for &choice in choices.iter().rev() {
                    let mut rest = rest.clone();
                    rest.extend(self.composite.synchronisations[choice].calls.iter().rev());
                    open.push((sent.clone(), rest));
                }
                continue;
            };
            let instance = instance as u32;
            match sent.binary_search_by_key(&instance, |sent| sent.0) {
                Ok(at) => sent[at].1.push(call.label.clone()),
                Err(at) => sent.insert(at, (instance, vec![call.label.clone()])),
            }
            open.push((sent, rest));
        }
        done.sort();
        done.dedup();
        Ok(done)
    }
}
