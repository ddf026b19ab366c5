//! Where the parts of a reduced formula hold.

use mandala_diagram::Diagram;
use mandala_symbolic::encode::{Atom, Encoded, Encoding};

use crate::reduce::{Asked, Id, Part, Reduced};
use crate::select::select;
use crate::steps::Steps;
use crate::undecided::Undecided;

/// How deep the parts of a formula are asked of some states only; what is deeper is asked of all of them, without
/// recursion.
const LOCAL: usize = 64;

/// A formula while it is evaluated.
pub(super) struct Evaluation<'e, E: Encoding> {
    encoded: &'e mut Encoded<E>,
    states: &'e Diagram,
    steps: &'e Steps,
    reduced: &'e Reduced<Atom<E>>,
    /// Where each part holds, as far as that is known.
    known: &'e mut Vec<Option<Diagram>>,
}

impl<'e, E: Encoding> Evaluation<'e, E> {
    /// Goes on with what is known of the formulas that were asked before.
    pub fn new(
        encoded: &'e mut Encoded<E>, states: &'e Diagram, steps: &'e Steps, asked: &'e mut Asked<Atom<E>>,
    ) -> Self {
        asked.known.resize(asked.reduced.parts.len(), None);
        Evaluation { encoded, states, steps, reduced: &asked.reduced, known: &mut asked.known }
    }

    /// Whether a part holds in all initial states.
    pub fn verdict(&mut self, top: Id) -> Result<bool, Undecided> {
        if self.steps.traps && self.reduced.asks_what_happens::<E>(top) {
            return Err(Undecided::Trapped);
        }
        let initial = self.steps.initial.clone();
        Ok(self.among(top, &initial, LOCAL)? == initial)
    }

    /// The states of a set in which a part holds.
    pub fn holding(&mut self, id: Id, set: &Diagram) -> Result<Diagram, Undecided> {
        self.among(id, set, LOCAL)
    }

    /// The states of a set in which a part holds.
    fn among(&mut self, id: Id, set: &Diagram, depth: usize) -> Result<Diagram, Undecided> {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.known[id].is_none()) else {
            let all = self.everywhere(id)?;
            return Ok(self.encoded.store.intersection(&all, set)?);
        };
        if set.is_empty() {
            return Ok(set.clone());
        }
        match &self.reduced.parts[id] {
            Part::State(formula) => Ok(select(self.encoded, formula, set)?),
            Part::Not(f) => {
                let f = self.among(*f, set, depth)?;
                Ok(self.encoded.store.difference(set, &f)?)
            }
            Part::And(parts) => {
                let mut all = set.clone();
                for &part in parts {
                    all = self.among(part, &all, depth)?;
                }
                Ok(all)
            }
            Part::Or(parts) => {
                let mut rest = set.clone();
                for &part in parts {
                    let more = self.among(part, &rest, depth)?;
                    rest = self.encoded.store.difference(&rest, &more)?;
                }
                Ok(self.encoded.store.difference(set, &rest)?)
            }
            Part::Next(f) => {
                let after = self.steps.after(self.encoded, set)?;
                let after = self.among(*f, &after, depth)?;
                let before = self.steps.before(self.encoded, &after)?;
                Ok(self.encoded.store.intersection(&before, set)?)
            }
            Part::Until(f, g) => self.until_among(*f, *g, id, set),
            Part::Globally(f) => self.globally_among(*f, set),
            Part::Running => Ok(self.encoded.store.intersection(&self.steps.running, set)?),
        }
    }

    fn until_among(&mut self, f: Id, g: Id, id: Id, set: &Diagram) -> Result<Diagram, Undecided> {
        if self.steps.is_one && *set == self.steps.initial && self.reduced.constant(f) == Some(true) {
            let goals = self.everywhere(g)?;
            return Ok(if goals.is_empty() { goals } else { set.clone() });
        }
        if self.reduced.is_state(f) && self.reduced.is_state(g) {
            let now = self.among(g, set, 1)?;
            let later = self.encoded.store.difference(set, &now)?;
            if self.among(f, &later, 1)?.is_empty() {
                return Ok(now);
            }
        }
        let all = self.everywhere(id)?;
        Ok(self.encoded.store.intersection(&all, set)?)
    }

    fn globally_among(&mut self, f: Id, set: &Diagram) -> Result<Diagram, Undecided> {
        if self.reduced.is_state(f) && self.among(f, set, 1)?.is_empty() {
            return Ok(self.encoded.store.zero());
        }
        let holds = self.everywhere(f)?;
        let start = self.encoded.store.intersection(&holds, set)?;
        let led_to = self.steps.led_to(self.encoded, &start, &holds)?;
        let staying = self.steps.staying(self.encoded, &led_to)?;
        Ok(self.encoded.store.intersection(&staying, set)?)
    }

    /// The states in which a part holds.
    pub fn everywhere(&mut self, id: Id) -> Result<Diagram, Undecided> {
        let mut open = vec![id];
        while let Some(&id) = open.last() {
            if self.known[id].is_some() {
                open.pop();
                continue;
            }
            let missing = self.reduced.needs(id).into_iter().find(|&part| self.known[part].is_none());
            match (missing, self.is_decided(id)) {
                (Some(missing), false) => open.push(missing),
                _ => {
                    self.known[id] = Some(self.compute(id)?);
                    open.pop();
                }
            }
        }
        Ok(self.of(id))
    }

    /// Where a part holds that is known.
    fn of(&self, id: Id) -> Diagram {
        self.known[id].clone().unwrap_or_else(|| self.encoded.store.zero())
    }

    /// Whether what is known of the parts of a part is enough.
    fn is_decided(&self, id: Id) -> bool {
        let is = |part: &Id, set: &dyn Fn(&Diagram) -> bool| self.known[*part].as_ref().is_some_and(set);
        match &self.reduced.parts[id] {
            Part::And(parts) => parts.iter().any(|part| is(part, &|set| set.is_empty())),
            Part::Or(parts) => parts.iter().any(|part| is(part, &|set| set == self.states)),
            Part::Until(_, g) => is(g, &|set| set.is_empty() || set == self.states),
            _ => false,
        }
    }

    /// Where a part holds, from where its own parts do. Those that are not known make no difference.
    fn compute(&mut self, id: Id) -> Result<Diagram, Undecided> {
        match &self.reduced.parts[id] {
            Part::State(formula) => Ok(select(self.encoded, formula, self.states)?),
            Part::Not(f) => {
                let f = self.of(*f);
                Ok(self.encoded.store.difference(self.states, &f)?)
            }
            Part::And(parts) => {
                let mut all = self.states.clone();
                for part in parts {
                    let part = self.of(*part);
                    all = self.encoded.store.intersection(&all, &part)?;
                }
                Ok(all)
            }
            Part::Or(parts) => {
                let mut any = self.encoded.store.zero();
                for part in parts {
                    let part = self.of(*part);
                    any = self.encoded.store.union(&any, &part)?;
                }
                Ok(any)
            }
            Part::Next(f) => {
                let f = self.of(*f);
                self.steps.before(self.encoded, &f)
            }
            Part::Until(f, g) => {
                let (f, g) = (self.of(*f), self.of(*g));
                if g.is_empty() || g == *self.states {
                    return Ok(g);
                }
                self.steps.leading(self.encoded, &g, &f)
            }
            Part::Globally(f) => {
                let f = self.of(*f);
                self.steps.staying(self.encoded, &f)
            }
            Part::Running => Ok(self.steps.running.clone()),
        }
    }
}
