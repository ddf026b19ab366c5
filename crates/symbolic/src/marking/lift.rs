//! Runs of the quotient as runs of the net, with colours.
//!
//! A run begins with the colours that the initial marking has in each dynamic subclass. A symbolic firing takes any colours of
//! the subclasses that its binding names; whichever these are, the run goes on.

use super::binding::Firing;
use super::fire::Fire;
use super::palette::Atom;
use super::{Marking, SymbolicNet};
use mandala_model::coloured::property::Event;
use mandala_model::coloured::{Bag, Sort, Value};
use std::ops::ControlFlow;

/// Colours, as ranges `first..end`.
type Ranges = Vec<(u32, u32)>;

/// A run of the net beside a run of the quotient.
#[derive(Clone, Debug)]
pub struct Lifted<'s, 'n> {
    net: &'s SymbolicNet<'n>,
    /// The symbolic marking that was reached.
    state: Vec<i32>,
    /// By dynamic subclass: its colours.
    colours: Vec<Ranges>,
    /// By class: how far it is turned.
    turns: Vec<u32>,
}

impl<'n> SymbolicNet<'n> {
    /// Begins a run; nothing if the initial marking cannot be made.
    pub fn lift(&self) -> Option<Lifted<'_, 'n>> {
        Some(Lifted {
            net: self,
            state: self.initial.clone().ok()?,
            colours: self.initial_colours.clone(),
            turns: self.initial_turns.clone(),
        })
    }
}

impl Lifted<'_, '_> {
    /// Goes on with a transition to a symbolic marking: with which colours. Nothing if that is no firing.
    pub fn step(&mut self, transition: u32, to: &[i32]) -> Option<Event> {
        let marking = self.net.unpack(&self.state).ok()?;
        let mut fire = Fire::default();
        let mut bytes = Vec::new();
        let mut found = None;
        let visited = self.net.firings(&marking, &mut |firing| {
            if firing.transition != transition as usize {
                return Ok(ControlFlow::Continue(()));
            }
            let (after, moved, _) = self.net.after(&marking, firing, &mut fire)?;
            if self.net.pack(&after, &mut bytes) != to {
                return Ok(ControlFlow::Continue(()));
            }
            let parts = self.parts(&marking, firing);
            let event = self.event(firing, &parts);
            let mut colours = vec![Ranges::new(); after.atoms.len()];
            parts.into_iter().zip(moved.atoms).for_each(|(part, to)| colours[to as usize].extend(part));
            found = event.map(|event| (event, colours, moved.turns));
            Ok(ControlFlow::Break(()))
        });
        visited.ok()?;
        let (event, colours, turns) = found?;
        self.colours = colours;
        for ((turn, more), class) in self.turns.iter_mut().zip(turns).zip(&self.net.net.classes) {
            *turn = (*turn + more) % class.len().max(1);
        }
        self.state = to.to_vec();
        Some(event)
    }

    /// The colours of each part of the atoms of a marking.
    fn parts(&self, marking: &Marking, firing: &Firing<'_, '_>) -> Vec<Ranges> {
        let first = self.net.palette.fixed_count();
        let mut left: Vec<Ranges> = self.colours.iter().map(|ranges| ranges.iter().rev().copied().collect()).collect();
        debug_assert_eq!(left.len(), marking.atoms.len());
        let parts = firing.scene.parts.iter();
        parts.map(|part| take(&mut left[(part.parent - first) as usize], part.size)).collect()
    }

    fn event(&self, firing: &Firing<'_, '_>, parts: &[Ranges]) -> Option<Event> {
        let first = self.net.palette.fixed_count();
        let colours = |atom: Atom| match atom.checked_sub(first) {
            Some(at) => parts[at as usize].clone(),
            None => {
                let (class, colour) = self.net.palette.fixed[atom as usize];
                let length = self.net.net.classes[class as usize].len();
                let colour = (colour + self.turns[class as usize]) % length;
                vec![(colour, colour + 1)]
            }
        };
        let variables = self.net.net.transitions[firing.transition].variables.iter().enumerate();
        let binding = variables.map(|(index, variable)| match variable.sort {
            Sort::Colour(_) => Some(Value::Colour(colours(firing.scene.colours[index]?).first()?.0)),
            Sort::Bag(_) => {
                let mut bag = Bag::new();
                for &(atom, times) in firing.scene.bags[index].as_ref()? {
                    for colour in colours(atom).into_iter().flat_map(|(first, end)| first..end) {
                        bag.add(colour, times).ok()?;
                    }
                }
                Some(Value::Bag(bag))
            }
        });
        Some(Event { transition: firing.transition as u32, binding: binding.collect::<Option<_>>()? })
    }
}

/// Takes so many colours from some, of which the last range comes first.
fn take(from: &mut Ranges, mut count: u32) -> Ranges {
    let mut taken = Ranges::new();
    while let Some(range) = from.pop().filter(|_| count > 0) {
        let here = count.min(range.1 - range.0);
        taken.push((range.0, range.0 + here));
        count -= here;
        if range.0 + here < range.1 {
            from.push((range.0 + here, range.1));
        }
        if count == 0 {
            break;
        }
    }
    taken
}
