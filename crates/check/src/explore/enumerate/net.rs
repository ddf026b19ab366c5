//! The transitions of a net on words.

use mandala_symbolic::packed::Field;
use mandala_symbolic::packed::net::{Action, Packed};

use super::state_set::{StateSet, Words};
use super::{Column, Enumeration, Interrupt, Narrow, Rules, Search};

/// The enumeration of a net, if its markings fit into eight words.
pub(super) fn search(packed: &Packed) -> Option<Box<dyn Enumeration>> {
    Some(match packed.words {
        1 => begin::<1>(packed),
        2 => begin::<2>(packed),
        3 => begin::<3>(packed),
        4 => begin::<4>(packed),
        5 => begin::<5>(packed),
        6 => begin::<6>(packed),
        7 => begin::<7>(packed),
        8 => begin::<8>(packed),
        _ => return None,
    })
}

fn begin<const N: usize>(packed: &Packed) -> Box<dyn Enumeration> {
    match by_priority(packed) {
        Ok(rules) => Box::new(search_by::<N, _>(packed, rules)),
        Err(levels) => Box::new(search_by::<N, _>(packed, levels)),
    }
}

/// The transitions of a net on words.
pub(crate) fn rules<const N: usize>(packed: &Packed) -> Box<dyn Rules<N>> {
    match by_priority(packed) {
        Ok(rules) => Box::new(rules),
        Err(levels) => Box::new(levels),
    }
}

/// The actions of a net, by priority if they differ in that.
fn by_priority<const N: usize>(packed: &Packed) -> Result<NetRules<N>, ByPriority<N>> {
    let mut priorities: Vec<u32> = packed.actions.iter().map(|action| action.priority).collect();
    priorities.sort_unstable();
    priorities.dedup();
    if priorities.len() < 2 {
        return Ok(NetRules::new(packed, packed.actions.iter()));
    }
    let of =
        |priority: &u32| NetRules::new(packed, packed.actions.iter().filter(|action| action.priority == *priority));
    Err(ByPriority { levels: priorities.iter().rev().map(of).collect() })
}

fn search_by<const N: usize, R: Rules<N>>(packed: &Packed, rules: R) -> Search<N, R> {
    let mut known = StateSet::new();
    for initial in &packed.initial {
        known.reserve(1);
        known.insert_all(&[std::array::from_fn(|word| initial.get(word).copied().unwrap_or(0))]);
    }
    let columns = packed.fields.iter().map(|&field| Column { field, low: 0 }).collect();
    Search { columns, rules, known, expanded: 0 }
}

/// The actions of a net, by what they ask for.
pub(super) struct NetRules<const N: usize> {
    rules: Vec<Rule<N>>,
    /// Ranges that rules ask for besides.
    ranges: Vec<(Field, u32, u32)>,
    /// Fields with the rules that ask for one of their values.
    by_value: Vec<ByValue>,
    /// Rules that ask for no value.
    others: Vec<u32>,
}

/// An action.
struct Rule<const N: usize> {
    /// Under this mask,
    mask: Words<N>,
    /// words must be this;
    value: Words<N>,
    /// then this is added.
    change: Words<N>,
    /// Ranges that are asked for besides.
    ranges: std::ops::Range<u32>,
}

/// The rules that ask for a value of a field, value by value.
struct ByValue {
    field: Field,
    /// Where the rules of a value begin; one more than there are values.
    begins: Vec<u32>,
    rules: Vec<u32>,
}

impl<const N: usize> NetRules<N> {
    fn new<'p>(packed: &Packed, actions: impl Iterator<Item = &'p Action>) -> NetRules<N> {
        let mut all = NetRules { rules: Vec::new(), ranges: Vec::new(), by_value: Vec::new(), others: Vec::new() };
        let mut by_field: Vec<Vec<Vec<u32>>> = vec![Vec::new(); packed.fields.len()];
        for (index, action) in (0u32..).zip(actions) {
            all.push(packed, action);
            // Of the values that are asked for, the one of the field with the most values is the rarest.
            let values = action.ranges.iter().filter(|(_, low, high)| low == high);
            match values.max_by_key(|(field, ..)| packed.fields[*field].most) {
                Some(&(field, value, _)) => {
                    by_field[field].resize(packed.fields[field].most as usize + 1, Vec::new());
                    by_field[field][value as usize].push(index);
                }
                None => all.others.push(index),
            }
        }
        for (field, lists) in packed.fields.iter().zip(by_field).filter(|(_, lists)| !lists.is_empty()) {
            let mut begins = vec![0];
            begins.extend(lists.iter().scan(0, |end, list| {
                *end += list.len() as u32;
                Some(*end)
            }));
            all.by_value.push(ByValue { field: *field, begins, rules: lists.concat() });
        }
        all
    }

    fn push(&mut self, packed: &Packed, action: &Action) {
        let (mut mask, mut value, mut change) = ([0; N], [0; N], [0u64; N]);
        let begin = self.ranges.len() as u32;
        for &(field, low, high) in &action.ranges {
            let field = packed.fields[field];
            if low == high {
                mask[field.word] |= field.mask();
                value[field.word] |= u64::from(low) << field.shift;
            } else {
                self.ranges.push((field, low, high));
            }
        }
        for &(field, delta) in &action.changes {
            let field = packed.fields[field];
            change[field.word] = change[field.word].wrapping_add((delta as u64) << field.shift);
        }
        self.rules.push(Rule { mask, value, change, ranges: begin..self.ranges.len() as u32 });
    }

    #[inline(always)]
    fn fire(&self, rule: u32, state: &Words<N>, successors: &mut Vec<Words<N>>) {
        let rule = &self.rules[rule as usize];
        let differs = (0..N).fold(0, |differs, word| differs | ((state[word] & rule.mask[word]) ^ rule.value[word]));
        let ranges = &self.ranges[rule.ranges.start as usize..rule.ranges.end as usize];
        let passes = |(field, low, high): &(Field, u32, u32)| (*low..=*high).contains(&field.of(state[field.word]));
        if differs == 0 && ranges.iter().all(passes) {
            successors.push(std::array::from_fn(|word| state[word].wrapping_add(rule.change[word])));
        }
    }
}

impl<const N: usize> Rules<N> for NetRules<N> {
    fn successors(&mut self, state: &Words<N>, successors: &mut Vec<Words<N>>) -> Result<u64, Interrupt> {
        let before = successors.len();
        for by_value in &self.by_value {
            let value = by_value.field.of(state[by_value.field.word]) as usize;
            let (begin, end) = (by_value.begins[value] as usize, by_value.begins[value + 1] as usize);
            for &rule in &by_value.rules[begin..end] {
                self.fire(rule, state, successors);
            }
        }
        for &rule in &self.others {
            self.fire(rule, state, successors);
        }
        // A marking lets at most one of the actions of a transition pass.
        Ok((successors.len() - before) as u64)
    }

    fn widened(&self, _: &StateSet<N>, _: usize, _: Narrow) -> Option<Box<dyn Enumeration>> {
        // Bounds are proven.
        None
    }
}

/// The actions of a net with priorities.
struct ByPriority<const N: usize> {
    /// Those of the highest priority first.
    levels: Vec<NetRules<N>>,
}

impl<const N: usize> Rules<N> for ByPriority<N> {
    fn successors(&mut self, state: &Words<N>, successors: &mut Vec<Words<N>>) -> Result<u64, Interrupt> {
        for level in &mut self.levels {
            let events = level.successors(state, successors)?;
            if events > 0 {
                return Ok(events);
            }
        }
        Ok(0)
    }

    fn widened(&self, _: &StateSet<N>, _: usize, _: Narrow) -> Option<Box<dyn Enumeration>> {
        // Bounds are proven.
        None
    }
}
