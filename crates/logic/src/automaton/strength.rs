//! How much of the theory of infinite words an automaton needs.

use super::{Automaton, Component, Components};
use crate::condition::Condition;

/// How hard it is to find an accepting run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strength {
    /// A run that enters an accepting component can always go on and accept: it is enough to reach one.
    Terminal,
    /// In each component all runs accept or none does: it is enough to reach a cycle in an accepting one.
    Weak,
    /// Neither: marks must be met again and again.
    Strong,
}

impl Automaton {
    /// How hard it is to find an accepting run, as far as the states that can be reached show.
    pub fn strength(&mut self) -> Strength {
        let components = Components::new(self);
        let accepting = |number: &usize| components.is_accepting(*number);
        if !(0..components.all().len()).filter(accepting).all(|number| self.always_accepts(&components, number)) {
            return Strength::Strong;
        }
        let terminal = (0..components.all().len())
            .filter(accepting)
            .all(|number| self.cannot_be_left(&components, &components.all()[number]));
        if terminal { Strength::Terminal } else { Strength::Weak }
    }

    /// Whether all infinite runs are accepting: whether the automaton is one of a safety property.
    pub fn is_safety(&self) -> bool {
        let components = Components::new(self);
        (0..components.all().len()).all(|number| {
            !components.all()[number].is_cyclic
                || components.is_accepting(number) && self.always_accepts(&components, number)
        })
    }

    /// Whether all cycles of a component meet all marks.
    fn always_accepts(&self, components: &Components, number: usize) -> bool {
        let component = &components.all()[number];
        self.all_marks().iter().all(|mark| !self.can_avoid(component, components, mark))
    }

    /// Whether each letter has an edge to an accepting component.
    fn cannot_be_left(&mut self, components: &Components, component: &Component) -> bool {
        let (conditions, edges, _) = self.parts_mut();
        component.states.iter().all(|&state| {
            let mut taken = Condition::FALSE;
            for edge in &edges[state as usize] {
                if components.of(edge.target).is_some_and(|number| components.is_accepting(number)) {
                    taken = conditions.or(taken, edge.condition);
                }
            }
            taken.is_true()
        })
    }
}
