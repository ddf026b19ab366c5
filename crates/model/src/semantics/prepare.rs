//! What is worked out once for each type: sizes, labels and the combinations of synchronisations.

use super::{Combination, Kind, Prepared, PreparedComposite, PreparedProgram, TooLarge};
use crate::expression::Boolean;
use crate::system::{Ahead, Composite, System, Type, happens_by_itself};
use rustc_hash::FxHashMap;

const MOST_VARIABLES: usize = 10_000_000;
const MOST_INSTANCES: usize = 10_000_000;
const MOST_LEVELS: usize = 400;
/// Calls in all combinations of one synchronisation together.
const MOST_CALLS: usize = 1_000_000;
const MOST_NESTED_CALLS: usize = 100;

type Labels<'a> = FxHashMap<&'a str, u32>;

pub(super) fn prepare(system: &System) -> Result<Vec<Prepared<'_>>, TooLarge> {
    let sizes = system.sizes();
    if sizes[system.main] > MOST_VARIABLES {
        return Err(TooLarge::Variables(MOST_VARIABLES));
    }
    if system.instance_counts()[system.main] > MOST_INSTANCES {
        return Err(TooLarge::Instances(MOST_INSTANCES));
    }
    if system.levels() > MOST_LEVELS {
        return Err(TooLarge::Levels(MOST_LEVELS));
    }
    system.refuse_priorities_inside().map_err(TooLarge::Priorities)?;
    let occurring = system.occurring();
    let mut labels: Vec<Labels<'_>> = Vec::with_capacity(system.types.len());
    let mut types: Vec<Prepared<'_>> = Vec::with_capacity(system.types.len());
    for (index, type_) in system.types.iter().enumerate() {
        if !occurring[index] {
            labels.push(Labels::default());
            types.push(Prepared::default());
            continue;
        }
        let own_labels = type_.labels();
        let (numbers, mut prepared) = number_labels(&own_labels, index == system.main);
        prepared.size = sizes[index];
        prepare_kind(type_, &mut prepared, &numbers, &types, &labels)?;
        labels.push(numbers);
        types.push(prepared);
    }
    Ok(types)
}

/// Gives labels numbers, and says who has which and who has none.
fn number_labels<'a, 'b>(labels: &[Option<&'a str>], main: bool) -> (Labels<'a>, Prepared<'b>) {
    let mut numbers = Labels::default();
    let mut prepared = Prepared::default();
    for (index, label) in labels.iter().enumerate() {
        let index = index as u32;
        if let Some(label) = label {
            let next = prepared.labelled.len() as u32;
            let number = *numbers.entry(label).or_insert(next);
            if number == next {
                prepared.labelled.push(Vec::new());
            }
            prepared.labelled[number as usize].push(index);
        }
        if happens_by_itself(*label, main) {
            prepared.own.push(index);
        }
    }
    prepared.acts = !prepared.own.is_empty();
    (numbers, prepared)
}

fn prepare_kind<'a>(
    type_: &'a Type, prepared: &mut Prepared<'a>, numbers: &Labels<'a>, types: &[Prepared<'a>], labels: &[Labels<'a>],
) -> Result<(), TooLarge> {
    prepared.kind = match type_ {
        Type::Net(net) => {
            prepared.ahead = Ahead::of(net);
            Kind::Net(net)
        }
        Type::Queues(queues) => Kind::Queues(queues),
        Type::Program(program) => {
            prepared.transient = program.transient.as_ref().is_some_and(|t| *t != Boolean::Constant(false));
            Kind::Program(PreparedProgram { program, labels: numbers.clone() })
        }
        Type::Composite(composite) => {
            let mut offsets = Vec::with_capacity(composite.instances.len());
            let mut offset = 0;
            for instance in &composite.instances {
                let inner = &types[instance.type_index];
                offsets.push(offset);
                offset += inner.size;
                prepared.acts |= inner.acts;
                prepared.transient |= inner.transient;
            }
            let combinations = (0..composite.synchronisations.len())
                .map(|index| Expansion { composite, prepared, numbers, labels, calls: 0 }.combinations_of(index))
                .collect::<Result<_, _>>()?;
            Kind::Composite(PreparedComposite { composite, offsets, combinations })
        }
    };
    Ok(())
}

/// Replaces calls of the composite itself by the calls of those who are called.
struct Expansion<'s, 'a> {
    composite: &'s Composite,
    prepared: &'s Prepared<'a>,
    numbers: &'s Labels<'a>,
    labels: &'s [Labels<'a>],
    /// Calls in the combinations that were made so far.
    calls: usize,
}

/// Calls of labels (by number) of instances, in their order.
type Calls = Vec<(u32, u32)>;

impl Expansion<'_, '_> {
    fn combinations_of(mut self, index: usize) -> Result<Vec<Combination>, TooLarge> {
        let sequences = self.expand(index, 0).ok_or_else(|| TooLarge::Choices {
            composite: self.composite.name.clone(),
            synchronisation: self.composite.synchronisations[index].name.clone(),
        })?;
        Ok(sequences.into_iter().map(by_instance).collect())
    }

    /// All sequences of calls that a synchronisation stands for; `None` if there are too many.
    fn expand(&mut self, index: usize, depth: usize) -> Option<Vec<Calls>> {
        if depth > MOST_NESTED_CALLS {
            return None;
        }
        let mut sequences = vec![Calls::new()];
        for call in &self.composite.synchronisations[index].calls {
            let endings = match call.instance {
                Some(instance) => {
                    let labels = &self.labels[self.composite.instances[instance].type_index];
                    labels.get(call.label.as_str()).map(|&label| vec![(instance as u32, label)]).into_iter().collect()
                }
                None => self.expand_label(&call.label, depth)?,
            };
            sequences = self.concatenate(&sequences, &endings)?;
        }
        Some(sequences)
    }

    fn expand_label(&mut self, label: &str, depth: usize) -> Option<Vec<Calls>> {
        let mut all = Vec::new();
        if let Some(&number) = self.numbers.get(label) {
            for &called in &self.prepared.labelled[number as usize] {
                all.extend(self.expand(called as usize, depth + 1)?);
            }
        }
        Some(all)
    }

    fn concatenate(&mut self, beginnings: &[Calls], endings: &[Calls]) -> Option<Vec<Calls>> {
        let mut all = Vec::new();
        for beginning in beginnings {
            for ending in endings {
                self.calls += 1 + beginning.len() + ending.len();
                if self.calls > MOST_CALLS {
                    return None;
                }
                all.push([beginning.as_slice(), ending].concat());
            }
        }
        Some(all)
    }
}

fn by_instance(mut calls: Calls) -> Combination {
    calls.sort_by_key(|&(instance, _)| instance);
    let chunks = calls.chunk_by(|a, b| a.0 == b.0);
    chunks.map(|chunk| (chunk[0].0, chunk.iter().map(|&(_, label)| label).collect())).collect()
}
