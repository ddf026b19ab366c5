//! The choices that a composite has.
//!
//! A label of a composite is the choice of a synchronisation, and synchronisations may call labels of the composite
//! itself. What comes out of each combination of choices is a sequence of labels for each of its instances.

use super::{Call, Composite};
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
