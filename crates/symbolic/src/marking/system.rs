//! The quotient of a net as a transition system: its states are symbolic markings.

use super::binding::Firing;
use super::entries::items;
use super::palette::PlaceShape;
use super::{Marking, Reached, SymbolicNet, count};
use mandala_model::coloured::property::{self, Atom, ColouredNets, Count, Event};
use mandala_model::coloured::semantics::observe::{self, Observed};
use mandala_model::coloured::{Sort, Value};
use mandala_model::expression::Integer;
use mandala_model::property::Formula;
use mandala_model::semantics::{Cause, RunError, Step, TransitionSystem};
use std::ops::ControlFlow;

impl SymbolicNet<'_> {
    pub(super) fn error(&self, cause: Cause, state: &[i32]) -> RunError {
        RunError { transition: None, state: state.to_vec(), shown: self.show(state), cause }
    }

    pub(super) fn failed(&self, (transition, cause): (usize, Cause), state: &[i32]) -> RunError {
        RunError { transition: Some(self.net.transitions[transition].name.clone()), ..self.error(cause, state) }
    }

    fn read(&self, state: &[i32]) -> Result<Marking, RunError> {
        self.unpack(state).map_err(|cause| self.error(cause, state))
    }

    /// Visits all symbolic firings from a symbolic marking.
    pub fn each_step(&self, state: &[i32], visit: &mut dyn FnMut(Reached<'_>)) -> Result<(), RunError> {
        let marking = self.read(state)?;
        self.steps(&marking, visit).map_err(|failed| self.failed(failed, state))
    }

    /// How many tokens of a place match a pattern.
    fn matching(&self, marking: &Marking, wanted: &Count) -> Result<i32, Cause> {
        if !wanted.fits(self.net) {
            return Err(Cause::Unknown);
        }
        let place = &self.net.places[wanted.place as usize];
        let shape = &self.palette.places[wanted.place as usize];
        let mut sum: u64 = 0;
        for entry in marking.entries.of_place(wanted.place) {
            let key = marking.entries.key(entry);
            if !self.matches(shape, &place.domain, &wanted.pattern, key)? {
                continue;
            }
            let tokens = count::tokens(&self.palette, &marking.atoms, shape, key);
            let tokens = tokens.and_then(|tokens| tokens.checked_mul(u64::from(entry.count)));
            sum = sum.saturating_add(tokens.unwrap_or(u64::MAX));
        }
        i32::try_from(sum).map_err(|_| Cause::Overflow { place: place.name.clone() })
    }

    /// Whether the tokens of an orbit match a pattern. All colours that patterns name are fixed atoms, so it is all or none.
    fn matches(
        &self, shape: &PlaceShape, domain: &[Sort], pattern: &[Option<Value>], key: &[u32],
    ) -> Result<bool, Cause> {
        for (component, wanted) in pattern.iter().enumerate() {
            let class = domain[component].class();
            let atom = |colour: u32| self.palette.atom_of(class, colour).ok_or(Cause::Unknown);
            let matches = match wanted {
                None => true,
                Some(Value::Colour(colour)) => {
                    let atom = atom(*colour)?;
                    items(shape, key).any(|item| item.atom() == atom && item.components() & (1 << component) != 0)
                }
                Some(Value::Bag(bag)) => {
                    let at = shape.bags.iter().position(|one| one.0 == component).ok_or(Cause::Unknown)?;
                    let mut held: Vec<(u32, u32, u32)> = items(shape, key)
                        .filter(|item| item.in_bags()[at] > 0)
                        .map(|item| (item.atom(), item.in_bags()[at], item.colours()))
                        .collect();
                    let wanted = bag.iter().map(|(colour, times)| Ok((atom(colour)?, times, 1)));
                    let mut wanted = wanted.collect::<Result<Vec<(u32, u32, u32)>, Cause>>()?;
                    held.sort_unstable();
                    wanted.sort_unstable();
                    held == wanted
                }
            };
            if !matches {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a binding matches a pattern.
    fn binds(&self, firing: &Firing<'_, '_>, pattern: &[Option<Value>]) -> Result<bool, Cause> {
        let variables = &self.net.transitions[firing.transition].variables;
        for (variable, wanted) in pattern.iter().enumerate() {
            let class = variables[variable].sort.class();
            let atom = |colour: u32| self.palette.atom_of(class, colour).ok_or(Cause::Unknown);
            let matches = match wanted {
                None => true,
                Some(Value::Colour(colour)) => firing.scene.colours[variable] == Some(atom(*colour)?),
                Some(Value::Bag(bag)) => {
                    let wanted = bag.iter().map(|(colour, times)| Ok((atom(colour)?, times)));
                    let mut wanted = wanted.collect::<Result<Vec<(u32, u32)>, Cause>>()?;
                    wanted.sort_unstable();
                    firing.scene.bags[variable].as_ref() == Some(&wanted)
                }
            };
            if !matches {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether something can happen that somebody is looking for.
    fn finds(
        &self, marking: &Marking, wanted: &mut dyn FnMut(&Firing<'_, '_>) -> Result<bool, Cause>,
    ) -> Result<bool, (usize, Cause)> {
        let mut found = false;
        self.firings(marking, &mut |firing| {
            found = wanted(firing)?;
            Ok(if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(found)
    }
}

/// A symbolic marking.
pub(super) struct On<'s, 'n> {
    pub net: &'s SymbolicNet<'n>,
    pub state: &'s [i32],
    pub marking: Marking,
}

impl Observed for On<'_, '_> {
    fn count(&self, count: &Count) -> Result<i32, Cause> {
        self.net.matching(&self.marking, count)
    }

    fn fires(&self, firings: &[property::Firing]) -> Result<bool, RunError> {
        if !firings.iter().all(|firing| firing.fits(self.net.net)) {
            return Err(self.failed(Cause::Unknown));
        }
        let found = self.net.finds(&self.marking, &mut |firing| {
            let of = firings.iter().filter(|one| one.transition as usize == firing.transition);
            for one in of {
                if self.net.binds(firing, &one.pattern)? {
                    return Ok(true);
                }
            }
            Ok(false)
        });
        found.map_err(|failed| self.net.failed(failed, self.state))
    }

    fn is_dead(&self) -> Result<bool, RunError> {
        let found = self.net.finds(&self.marking, &mut |_| Ok(true));
        found.map(|found| !found).map_err(|failed| self.net.failed(failed, self.state))
    }

    fn failed(&self, cause: Cause) -> RunError {
        self.net.error(cause, self.state)
    }
}

impl TransitionSystem for SymbolicNet<'_> {
    type Formalism = ColouredNets;

    fn size(&self) -> Option<usize> {
        None
    }

    fn initial_states(&self) -> Result<Vec<Vec<i32>>, RunError> {
        self.initial.clone().map(|state| vec![state]).map_err(|cause| self.error(cause, &[]))
    }

    /// One step for each symbolic firing. Its event says nothing of the binding, which has no colours: lifting does.
    fn successors(&self, state: &Vec<i32>) -> Result<Vec<Step<ColouredNets>>, RunError> {
        let mut steps = Vec::new();
        self.each_step(state, &mut |reached| {
            let event = Event { transition: reached.transition, binding: Vec::new() };
            steps.push(Step { event, state: reached.state });
        })?;
        Ok(steps)
    }

    fn is_deadlock(&self, state: &Vec<i32>) -> Result<bool, RunError> {
        On { net: self, state, marking: self.read(state)? }.is_dead()
    }

    fn is_transient(&self, _: &Vec<i32>) -> Result<bool, RunError> {
        Ok(false)
    }

    fn evaluate(&self, formula: &Formula<Atom>, state: &Vec<i32>) -> Result<bool, RunError> {
        observe::evaluate(formula, &On { net: self, state, marking: self.read(state)? })
    }

    fn measure(&self, quantity: &Integer<Count>, state: &Vec<i32>) -> Result<i64, RunError> {
        observe::measure(quantity, &On { net: self, state, marking: self.read(state)? })
    }

    fn can_fire(&self, action: &property::Firing, state: &Vec<i32>) -> Result<bool, RunError> {
        On { net: self, state, marking: self.read(state)? }.fires(std::slice::from_ref(action))
    }

    fn most_in_place(&self, state: &Vec<i32>) -> Option<i32> {
        let marking = self.unpack(state).ok()?;
        let most = marking.entries.list.iter().map(|entry| entry.count).max();
        if self.net.places.is_empty() { None } else { most.map_or(Some(0), |most| i32::try_from(most).ok()) }
    }

    fn tokens(&self, state: &Vec<i32>) -> i64 {
        let Ok(marking) = self.unpack(state) else { return 0 };
        let orbit = |(entry, key): (&super::entries::Entry, &[u32])| {
            let shape = &self.palette.places[entry.place as usize];
            let tokens = count::tokens(&self.palette, &marking.atoms, shape, key);
            tokens.and_then(|tokens| tokens.checked_mul(u64::from(entry.count))).unwrap_or(u64::MAX)
        };
        let sum = marking.entries.iter().map(orbit).fold(0, u64::saturating_add);
        i64::try_from(sum).unwrap_or(i64::MAX)
    }

    /// Events of one transition are not told apart: they have no colours.
    fn are_alike(&self, one: &Event, other: &Event) -> bool {
        one.transition == other.transition
    }
}
