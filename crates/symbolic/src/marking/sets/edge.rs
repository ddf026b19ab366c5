//! Symbolic firings of all markings of a shape at once.

use super::super::fire::{Fire, TooMany};
use super::super::merge::merge;
use super::super::{Marking, SymbolicNet};
use super::Refusal;
use super::shape::{Case, Condition, Form, Layout, MANY, cases};
use mandala_model::semantics::Cause;
use std::ops::ControlFlow;

/// From one shape to another: for sizes that meet the conditions, the sizes there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Edge {
    pub target: usize,
    pub conditions: Vec<Condition>,
    /// By free subclass of the other shape.
    pub sizes: Vec<Form>,
}

/// What a firing leads to, and why there is none.
pub(super) enum Failed {
    Cause(usize, Cause),
    Refused(Refusal),
}

/// Visits where the firings of a shape lead: for each the cases that there are.
pub(super) fn firings(
    symbolic: &SymbolicNet<'_>, thresholds: &[Option<u32>], marking: &Marking, layout: &Layout,
    visit: &mut dyn FnMut(Vec<Case>) -> Result<(), Refusal>,
) -> Result<(), Failed> {
    let first = symbolic.palette.fixed_count();
    let mut free = vec![None; marking.atoms.len()];
    (0_u32..).zip(&layout.free).for_each(|(index, one)| free[one.0 as usize] = Some(index));
    let mut fire = Fire::default();
    let mut refused = None;
    let done = symbolic.firings(marking, &mut |firing| {
        fire.fire(&marking.entries, marking.atoms.len(), firing)
            .map_err(|TooMany(place)| Cause::Overflow { place: symbolic.net.places[place as usize].name.clone() })?;
        let Fire { after, atoms, .. } = &mut fire;
        let (merged, target) = merge(&symbolic.palette, atoms, after);
        let mut forms = vec![Form::default(); merged.len()];
        for (part, &group) in firing.scene.parts.iter().zip(&target) {
            let form = &mut forms[group as usize];
            match free[(part.parent - first) as usize] {
                // What is left of a free subclass.
                Some(index) if part.size >= MANY / 2 => {
                    form.free.push(index);
                    form.constant += i64::from(part.size) - i64::from(MANY);
                }
                _ => form.constant += i64::from(part.size),
            }
        }
        forms.iter_mut().for_each(|form| form.free.sort_unstable());
        let found = cases(symbolic, thresholds, &merged, &forms, after).and_then(&mut *visit);
        Ok(match found {
            Ok(()) => ControlFlow::Continue(()),
            Err(refusal) => {
                refused = Some(refusal);
                ControlFlow::Break(())
            }
        })
    });
    match (done, refused) {
        (_, Some(refusal)) => Err(Failed::Refused(refusal)),
        (Err((transition, cause)), None) => Err(Failed::Cause(transition, cause)),
        (Ok(()), None) => Ok(()),
    }
}

impl Edge {
    /// Whether it leads back to its shape and only adds something to each size: how much.
    pub fn step(&self, from: usize) -> Option<Vec<i64>> {
        let adds = |(index, form): (u32, &Form)| (form.free == [index]).then_some(form.constant);
        (self.target == from).then(|| (0..).zip(&self.sizes).map(adds).collect::<Option<Vec<i64>>>()).flatten()
    }

    /// So many times the same step: what is in between meets the conditions if both ends do, since these are ranges.
    pub fn repeated(&self, steps: &[i64], times: i64) -> Option<Edge> {
        let mut conditions = self.conditions.clone();
        for condition in &self.conditions {
            let shift = steps[condition.free as usize].checked_mul(times - 1)?;
            let (low, high) = (condition.low.saturating_sub(shift), condition.high.saturating_sub(shift));
            conditions.push(Condition { free: condition.free, low, high });
        }
        let size = |(index, step): (u32, &i64)| Some(Form { free: vec![index], constant: step.checked_mul(times)? });
        let sizes = (0..).zip(steps).map(size).collect::<Option<Vec<Form>>>()?;
        Some(Edge { target: self.target, conditions, sizes })
    }

    /// This edge and then another, if what comes between depends on one size at a time. The conditions may never hold.
    pub fn then(&self, next: &Edge) -> Option<Edge> {
        let mut conditions = self.conditions.clone();
        for condition in &next.conditions {
            let form = &self.sizes[condition.free as usize];
            let range = |end: i64| if end == i64::MAX { end } else { end - form.constant };
            match form.free.as_slice() {
                &[free] => {
                    conditions.push(Condition { free, low: range(condition.low), high: range(condition.high) });
                }
                [] if (condition.low..=condition.high).contains(&form.constant) => {}
                _ => return None,
            }
        }
        let size = |form: &Form| {
            let mut whole = Form { free: Vec::new(), constant: form.constant };
            for &free in &form.free {
                let before = &self.sizes[free as usize];
                whole.free.extend_from_slice(&before.free);
                whole.constant += before.constant;
            }
            whole.free.sort_unstable();
            whole
        };
        Some(Edge { target: next.target, conditions, sizes: next.sizes.iter().map(size).collect() })
    }
}
