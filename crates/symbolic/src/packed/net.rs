//! A bounded net in machine words.
//!
//! A transition is one or several actions. An action lets a marking pass if some fields have certain values and others lie in a range, and
//! then adds a constant to each word: fields neither overflow nor underflow, because all of them are bounded.

use mandala_model::net::Net;
use mandala_model::system::happens_by_itself;

use super::{Field, placed};
use crate::layout::{Content, Layout, Slot};
use crate::step::{Cell, Step};

/// A net in machine words.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Where each diagram variable is, from top to bottom.
    pub fields: Vec<Field>,
    /// How many words a marking has.
    pub words: usize,
    /// What the transitions do.
    pub actions: Vec<Action>,
    /// The initial markings.
    pub initial: Vec<Vec<u64>>,
}

/// A change that is possible under some condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Action {
    /// The least and the greatest value that passes, of the fields that matter: each less than what the field may hold.
    pub ranges: Vec<(usize, u32, u32)>,
    /// What is added to each field that changes.
    pub changes: Vec<(usize, i64)>,
    /// The priority of the transition: of the actions that are possible, those of the highest priority happen.
    pub priority: u32,
}

/// A step has at most so many actions.
const MOST_ACTIONS_A_STEP: usize = 64;

/// A field with more values than this is not looked at value by value.
const MOST_VALUES: u32 = 1 << 16;

impl Packed {
    /// A net that begins in some of its initial markings, laid out flat, with bounds of all its places. Nothing if there are parts, if a unit is only promised, or if
    /// it cannot be done with a moderate number of actions.
    pub fn new(net: &Net, begins: &[usize], layout: &Layout, bounds: &[i32]) -> Option<Packed> {
        let contents = contents(layout)?;
        let (fields, words) = fields(&contents, bounds)?;
        let mut actions = Vec::new();
        for (index, transition) in net.transitions.iter().enumerate() {
            if happens_by_itself(transition.label.as_deref(), true) {
                let Some(step) = Step::of_bag(net, &[index as u32]).ok()? else { continue };
                let mut possible = actions_of(layout, &contents, &fields, &step)?;
                possible.iter_mut().for_each(|action| action.priority = transition.priority);
                actions.append(&mut possible);
            }
        }
        let pack = |marking: &[i32]| {
            let mut state = vec![0; words];
            for (content, field) in contents.iter().zip(&fields) {
                let value = u32::try_from(content.encode(marking)?).ok().filter(|value| *value <= field.most)?;
                state[field.word] |= u64::from(value) << field.shift;
            }
            Some(state)
        };
        let initial = begins.iter().map(|&begin| pack(&net.initial[begin].marking)).collect::<Option<_>>()?;
        Some(Packed { fields, words, actions, initial })
    }
}

/// What the slots of a flat layout hold.
fn contents(layout: &Layout) -> Option<Vec<&Content>> {
    layout
        .slots()
        .iter()
        .map(|slot| match slot {
            Slot::Data(Content::Unit { promised: true, .. }) | Slot::Part(_) | Slot::Queue(_) => None,
            Slot::Data(content) => Some(content),
        })
        .collect()
}

/// Where contents are in a marking, and how many words it has.
fn fields(contents: &[&Content], bounds: &[i32]) -> Option<(Vec<Field>, usize)> {
    let most = contents.iter().map(|content| match content {
        Content::Number(followers) => {
            let lead = followers.first().filter(|lead| lead.factor == 1 && lead.offset == 0)?;
            u32::try_from(bounds[lead.variable as usize]).ok()
        }
        Content::Unit { places, .. } => Some(places.len() as u32),
    });
    let most = most.map(|most| most.filter(|most| *most <= MOST_VALUES)).collect::<Option<Vec<u32>>>()?;
    Some(placed(most))
}

/// A step as actions; nothing if there are too many.
fn actions_of(layout: &Layout, contents: &[&Content], fields: &[Field], step: &Step) -> Option<Vec<Action>> {
    let mut actions = vec![Action::default()];
    for (slot, cells) in layout.by_slot(&step.cells) {
        let slot = slot as usize;
        let runs = runs(contents[slot], &cells, fields[slot]);
        if actions.len() * runs.len() > MOST_ACTIONS_A_STEP {
            return None;
        }
        let extended = |action: &Action| {
            runs.iter()
                .map(|&(low, high, change)| {
                    let mut action = action.clone();
                    if (low, high) != (0, fields[slot].most) {
                        action.ranges.push((slot, low, high));
                    }
                    if change != 0 {
                        action.changes.push((slot, change));
                    }
                    action
                })
                .collect::<Vec<_>>()
        };
        actions = actions.iter().flat_map(extended).collect();
    }
    Some(actions)
}

/// What a step does to the values of a field: ranges of values that pass and change by the same.
fn runs(content: &Content, cells: &[(u32, Cell)], field: Field) -> Vec<(u32, u32, i64)> {
    let map = content.map(cells);
    let mut runs: Vec<(u32, u32, i64)> = Vec::new();
    for value in 0..=field.most {
        for result in map.apply(value as i32) {
            // What is beyond the bound is not reached: the step cannot happen in a marking that is. Bounds hold whatever
            // the priorities, so that it holds no other back either.
            let change = i64::from(result) - i64::from(value);
            if u32::try_from(result).is_ok_and(|result| result <= field.most) {
                match runs.last_mut() {
                    Some((_, high, known)) if *high + 1 == value && *known == change => *high = value,
                    _ => runs.push((value, value, change)),
                }
            }
        }
    }
    runs
}
