//! Where the parts of a reduced formula hold.
//!
//! What is asked in the end is whether a formula holds in the initial states, and often that needs only what comes *after* them
//! ([`Evaluation::occurs`]): whether `EF g` holds in some state of a set is whether `g` holds in some state that is reached from
//! there, and all that is reached from the initial states is known; for `EX f` it is one step forwards, and for `EG f` what is
//! reached through `f` is all that is searched for cycles (H. Iwashita, T. Nakata and F. Hirose, 1996). So the operators along a
//! formula are followed forwards, each from the states that the one around it leads to, as long as it is enough that *some* state
//! is as it should be. What is left are predecessors: `E[f U g]`, for which a closure forwards is no faster than one backwards,
//! which other formulas can use again; and what is below operators that speak of *all* runs from each of several states.

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
        Ok(!self.occurs(top, false, &initial, LOCAL)?)
    }

    /// Whether a part is true, or false, in some state of a set.
    fn occurs(&mut self, id: Id, truth: bool, set: &Diagram, depth: usize) -> Result<bool, Undecided> {
        if set.is_empty() {
            return Ok(false);
        }
        let Some(depth) = depth.checked_sub(1).filter(|_| self.known[id].is_none()) else {
            return self.occurs_among(id, truth, set, 0);
        };
        match &self.reduced.parts[id] {
            Part::Not(f) => self.occurs(*f, !truth, set, depth),
            Part::And(parts) if truth => self.occurs_together(parts, truth, set, depth),
            Part::Or(parts) if !truth => self.occurs_together(parts, truth, set, depth),
            Part::And(parts) | Part::Or(parts) => {
                for &part in parts {
                    if self.occurs(part, truth, set, depth)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Part::State(_) | Part::Running => self.occurs_among(id, truth, set, depth),
            Part::Next(_) | Part::Until(..) | Part::Globally(_) if truth => self.happens(id, set, depth),
            // What is false in one of several states: each of them has to be looked at.
            Part::Next(_) | Part::Until(..) | Part::Globally(_) => self.occurs_among(id, truth, set, depth),
        }
    }

    /// Whether some run from some state of a set is as a temporal part says.
    fn happens(&mut self, id: Id, set: &Diagram, depth: usize) -> Result<bool, Undecided> {
        match &self.reduced.parts[id] {
            Part::Next(f) => {
                let after = self.steps.after(self.encoded, set)?;
                self.occurs(*f, true, &after, depth)
            }
            Part::Until(f, g) if self.reduced.constant(*f) == Some(true) => {
                let reached = self.steps.reachable(self.encoded, set)?;
                self.occurs(*g, true, &reached, depth)
            }
            Part::Until(f, g) => {
                let some = self.until_among(*f, *g, id, set)?;
                Ok(!some.is_empty())
            }
            Part::Globally(f) => {
                let led_to = self.led_to_through(*f, set)?;
                self.steps.can_stay(self.encoded, &led_to)
            }
            _ => self.occurs_among(id, true, set, depth),
        }
    }

    /// The same, from the states of the set where the part holds.
    fn occurs_among(&mut self, id: Id, truth: bool, set: &Diagram, depth: usize) -> Result<bool, Undecided> {
        let holds = self.among(id, set, depth)?;
        Ok(if truth { !holds.is_empty() } else { holds != *set })
    }

    /// Whether all of some parts are true, or false, in one state of a set.
    fn occurs_together(&mut self, parts: &[Id], truth: bool, set: &Diagram, depth: usize) -> Result<bool, Undecided> {
        // One part may be followed forwards, after the others have made the set smaller.
        let last = parts.iter().copied().find(|&part| self.goes_forwards(part, truth)).or(parts.last().copied());
        let mut left = set.clone();
        for &part in parts.iter().filter(|&&part| Some(part) != last) {
            let holds = self.among(part, &left, depth)?;
            left = if truth { holds } else { self.encoded.store.difference(&left, &holds)? };
        }
        match last {
            Some(last) => self.occurs(last, truth, &left, depth),
            None => Ok(!left.is_empty()),
        }
    }

    /// Whether it is worth something that only some state has to be found where a part is true, or false.
    fn goes_forwards(&self, mut id: Id, mut truth: bool) -> bool {
        while let Part::Not(f) = &self.reduced.parts[id] {
            (id, truth) = (*f, !truth);
        }
        self.known[id].is_none()
            && match &self.reduced.parts[id] {
                Part::Next(_) | Part::Until(..) | Part::Globally(_) => truth,
                Part::And(_) | Part::Or(_) => true,
                Part::State(_) | Part::Not(_) | Part::Running => false,
            }
    }

    /// The states of a set in which a part holds.
    pub fn holding(&mut self, id: Id, set: &Diagram) -> Result<Diagram, Undecided> {
        self.among(id, set, LOCAL)
    }

    /// The states of a set in which a part holds.
    fn among(&mut self, id: Id, set: &Diagram, depth: usize) -> Result<Diagram, Undecided> {
        if set.is_empty() {
            return Ok(set.clone());
        }
        let Some(depth) = depth.checked_sub(1).filter(|_| self.known[id].is_none()) else {
            let all = self.everywhere(id)?;
            return Ok(self.encoded.store.intersection(&all, set)?);
        };
        match &self.reduced.parts[id] {
            Part::Next(_) | Part::Until(..) | Part::Globally(_) if self.steps.is_one && *set == self.steps.initial => {
                let happens = self.happens(id, set, depth)?;
                Ok(if happens { set.clone() } else { self.encoded.store.zero() })
            }
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
        let led_to = self.led_to_through(f, set)?;
        let staying = self.steps.staying(self.encoded, &led_to)?;
        Ok(self.encoded.store.intersection(&staying, set)?)
    }

    /// The states to which a run leads from a set that is in states where `f` holds from the beginning.
    fn led_to_through(&mut self, f: Id, set: &Diagram) -> Result<Diagram, Undecided> {
        if self.reduced.is_state(f) && self.among(f, set, 1)?.is_empty() {
            return Ok(self.encoded.store.zero());
        }
        let holds = self.everywhere(f)?;
        let start = self.encoded.store.intersection(&holds, set)?;
        self.steps.led_to(self.encoded, &start, &holds)
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
                if f.is_empty() {
                    return Ok(f);
                }
                self.steps.before(self.encoded, &f)
            }
            Part::Until(f, g) => {
                let (f, g) = (self.of(*f), self.of(*g));
                if g.is_empty() || f.is_empty() || g == *self.states {
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
