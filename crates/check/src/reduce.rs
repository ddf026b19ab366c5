//! A formula of CTL in terms of EX, EU and EG.
//!
//! > `AX f = ¬EX ¬f`, `AF f = ¬EG ¬f`, `EF f = E[true U f]`, `AG f = ¬E[true U ¬f]`,
//! > `A[f W g] = ¬E[¬g U ¬f ∧ ¬g]`, `A[f U g] = A[f W g] ∧ ¬EG ¬g`, `E[f W g] = E[f U g] ∨ EG f`,
//! > `f R g = g W (f ∧ g)`, `f M g = g U (f ∧ g)`
//!
//! Where some runs do not count (those that end, or that are not fair), `E` looks for runs that do: with `r` for the states that begin one, what it
//! comes to lies in `r`, as in `EX (f ∧ r)` and `E[f U g ∧ r]`, and EG is about runs that count by itself.
//!
//! Equal parts are kept once, so that nothing is evaluated twice and nothing grows.

use mandala_diagram::Diagram;
use mandala_model::formalism::Formalism;
use mandala_model::property::{BinaryOperator, Formula, Quantifier, UnaryOperator};
use mandala_symbolic::encode::Encoding;

use crate::select::mentions_events;
use crate::undecided::Undecided;

/// How deep formulas may be nested.
const DEEPEST: usize = 1000;

/// A part of a formula, by its place.
pub(crate) type Id = usize;

/// A part of a reduced formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part<A> {
    /// Without temporal operators.
    State(Formula<A>),
    Not(Id),
    And(Vec<Id>),
    Or(Vec<Id>),
    /// EX
    Next(Id),
    /// EU
    Until(Id, Id),
    /// EG
    Globally(Id),
    /// Where some run begins that counts.
    Running,
}

/// Reduced formulas: parts come before what they are parts of.
#[derive(Clone, Debug)]
pub(crate) struct Reduced<A> {
    pub parts: Vec<Part<A>>,
    /// Whether there are runs that do not count.
    some_do_not_count: bool,
}

/// The formulas that were asked of a space, and where their parts hold as far as that is known: what several formulas have in
/// common is evaluated once.
pub(crate) struct Asked<A> {
    pub reduced: Reduced<A>,
    pub known: Vec<Option<Diagram>>,
}

impl<A: Clone + PartialEq> Reduced<A> {
    /// Of no formula, for now.
    pub fn new(some_do_not_count: bool) -> Reduced<A> {
        Reduced { parts: Vec::new(), some_do_not_count }
    }

    /// Another formula among the parts: where it is.
    pub fn include(&mut self, formula: &Formula<A>) -> Result<Id, Undecided> {
        self.reduce(formula, DEEPEST)
    }

    /// Whether a part has no temporal operator.
    pub fn is_state(&self, id: Id) -> bool {
        matches!(self.parts[id], Part::State(_))
    }

    /// The truth of a part, where it is the same in all states.
    pub fn constant(&self, id: Id) -> Option<bool> {
        match self.parts[id] {
            Part::State(Formula::Constant(value)) => Some(value),
            _ => None,
        }
    }

    /// What the meaning of a part depends on; what is more likely to decide it alone comes first.
    pub fn needs(&self, id: Id) -> Vec<Id> {
        match &self.parts[id] {
            Part::State(_) | Part::Running => Vec::new(),
            Part::Not(f) | Part::Next(f) | Part::Globally(f) => vec![*f],
            Part::And(parts) | Part::Or(parts) => parts.clone(),
            Part::Until(f, g) => vec![*g, *f],
        }
    }

    /// Whether a part asks of some states what can happen there.
    pub fn asks_what_happens<E: Encoding<Formalism: Formalism<Atom = A>>>(&self, id: Id) -> bool {
        let mut seen = vec![false; self.parts.len()];
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut seen[id], true) {
                if matches!(&self.parts[id], Part::State(formula) if mentions_events::<E>(formula)) {
                    return true;
                }
                open.extend(self.needs(id));
            }
        }
        false
    }

    fn reduce(&mut self, formula: &Formula<A>, depth: usize) -> Result<Id, Undecided> {
        let depth = depth.checked_sub(1).ok_or(Undecided::TooDeep(DEEPEST))?;
        if !formula.is_temporal() {
            return Ok(self.add(Part::State(formula.clone())));
        }
        match formula {
            Formula::Not(inner) => {
                let inner = self.reduce(inner, depth)?;
                Ok(self.not(inner))
            }
            Formula::And(parts) | Formula::Or(parts) => {
                let is_and = matches!(formula, Formula::And(_));
                let (temporal, states): (Vec<&Formula<A>>, Vec<&Formula<A>>) =
                    parts.iter().partition(|part| part.is_temporal());
                let mut ids = Vec::with_capacity(temporal.len() + 1);
                if !states.is_empty() {
                    let states = states.into_iter().cloned().collect();
                    ids.push(self.add(Part::State(if is_and { Formula::And(states) } else { Formula::Or(states) })));
                }
                for part in temporal {
                    ids.push(self.reduce(part, depth)?);
                }
                Ok(if is_and { self.and(ids) } else { self.or(ids) })
            }
            Formula::Unary(quantifier, operator, inner) => {
                let f = self.reduce(inner, depth)?;
                self.unary(*quantifier, *operator, f)
            }
            Formula::Binary(quantifier, operator, f, g) => {
                let (f, g) = (self.reduce(f, depth)?, self.reduce(g, depth)?);
                self.binary(*quantifier, *operator, f, g)
            }
            // Without temporal operators.
            _ => Ok(self.add(Part::State(formula.clone()))),
        }
    }

    fn unary(&mut self, quantifier: Quantifier, operator: UnaryOperator, f: Id) -> Result<Id, Undecided> {
        let is_all = match quantifier {
            Quantifier::None => return Err(Undecided::NotCtl),
            Quantifier::All => true,
            Quantifier::Exists => false,
        };
        let inner = if is_all { self.not(f) } else { f };
        let some = match (operator, is_all) {
            (UnaryOperator::Next, _) => self.next(inner),
            (UnaryOperator::Finally, false) | (UnaryOperator::Globally, true) => self.finally(inner),
            (UnaryOperator::Finally, true) | (UnaryOperator::Globally, false) => self.globally(inner),
        };
        Ok(if is_all { self.not(some) } else { some })
    }

    fn binary(&mut self, quantifier: Quantifier, operator: BinaryOperator, f: Id, g: Id) -> Result<Id, Undecided> {
        let (f, g) = match operator {
            BinaryOperator::Until | BinaryOperator::WeakUntil => (f, g),
            BinaryOperator::Release | BinaryOperator::StrongRelease => (g, self.and(vec![f, g])),
        };
        let is_weak = matches!(operator, BinaryOperator::WeakUntil | BinaryOperator::Release);
        match quantifier {
            Quantifier::None => Err(Undecided::NotCtl),
            Quantifier::Exists => {
                let until = self.until(f, g);
                if !is_weak {
                    return Ok(until);
                }
                let globally = self.globally(f);
                Ok(self.or(vec![until, globally]))
            }
            Quantifier::All => {
                let (not_f, not_g) = (self.not(f), self.not(g));
                let neither = self.and(vec![not_f, not_g]);
                let mut against = vec![self.until(not_g, neither)];
                if !is_weak {
                    against.push(self.globally(not_g));
                }
                let against = self.or(against);
                Ok(self.not(against))
            }
        }
    }

    fn add(&mut self, part: Part<A>) -> Id {
        let part = match part {
            Part::State(formula) => Part::State(plain(formula)),
            part => part,
        };
        if let Some(id) = self.parts.iter().position(|known| *known == part) {
            return id;
        }
        self.parts.push(part);
        self.parts.len() - 1
    }

    fn truth(&mut self, value: bool) -> Id {
        self.add(Part::State(Formula::Constant(value)))
    }

    fn not(&mut self, f: Id) -> Id {
        match &self.parts[f] {
            Part::Not(inner) => *inner,
            Part::State(Formula::Constant(value)) => {
                let value = !value;
                self.truth(value)
            }
            Part::State(Formula::Not(inner)) => {
                let inner = Part::State((**inner).clone());
                self.add(inner)
            }
            Part::State(formula) => {
                let negation = Formula::Not(Box::new(formula.clone()));
                self.add(Part::State(negation))
            }
            _ => self.add(Part::Not(f)),
        }
    }

    fn and(&mut self, parts: Vec<Id>) -> Id {
        self.combine(parts, true)
    }

    fn or(&mut self, parts: Vec<Id>) -> Id {
        self.combine(parts, false)
    }

    /// All of some parts, or one of them. `neutral` is the truth that changes nothing.
    fn combine(&mut self, parts: Vec<Id>, neutral: bool) -> Id {
        if parts.iter().any(|&part| self.constant(part) == Some(!neutral)) {
            return self.truth(!neutral);
        }
        let (mut states, mut others) = (Vec::new(), Vec::new());
        for part in parts {
            match &self.parts[part] {
                Part::State(Formula::Constant(_)) => {}
                Part::State(formula) if !states.contains(formula) => states.push(formula.clone()),
                Part::State(_) => {}
                _ if others.contains(&part) => {}
                _ => others.push(part),
            }
        }
        if !states.is_empty() {
            let state = if neutral { Formula::And(states) } else { Formula::Or(states) };
            others.insert(0, self.add(Part::State(state)));
        }
        match others[..] {
            [] => self.truth(neutral),
            [only] => only,
            _ => self.add(if neutral { Part::And(others) } else { Part::Or(others) }),
        }
    }

    /// The states in which a formula holds and some run begins.
    fn running(&mut self, f: Id) -> Id {
        if !self.some_do_not_count {
            return f;
        }
        let running = self.add(Part::Running);
        self.and(vec![f, running])
    }

    fn next(&mut self, f: Id) -> Id {
        let f = self.running(f);
        if self.constant(f) == Some(false) { f } else { self.add(Part::Next(f)) }
    }

    fn finally(&mut self, f: Id) -> Id {
        let always = self.truth(true);
        self.until(always, f)
    }

    fn until(&mut self, f: Id, g: Id) -> Id {
        let leads_nowhere_new = self.constant(g).is_some() || self.constant(f) == Some(false) || f == g;
        if leads_nowhere_new {
            return self.running(g);
        }
        let mut goal = g;
        // E[f U E[f U g]] = E[f U g], and EF E[f U g] = EF g.
        while let Part::Until(before, inner) = self.parts[goal]
            && (before == f || self.constant(f) == Some(true))
        {
            goal = inner;
        }
        if goal == g {
            goal = self.running(g);
        }
        if f == goal { goal } else { self.add(Part::Until(f, goal)) }
    }

    fn globally(&mut self, f: Id) -> Id {
        match self.parts[f] {
            Part::Globally(_) | Part::Running => f,
            _ if self.constant(f).is_some() => self.running(f),
            _ => self.add(Part::Globally(f)),
        }
    }
}

/// A conjunction or disjunction of one formula is that formula, of none a constant.
fn plain<A>(formula: Formula<A>) -> Formula<A> {
    match formula {
        Formula::And(mut parts) | Formula::Or(mut parts) if parts.len() == 1 => parts.remove(0),
        Formula::And(parts) if parts.is_empty() => Formula::Constant(true),
        Formula::Or(parts) if parts.is_empty() => Formula::Constant(false),
        formula => formula,
    }
}
