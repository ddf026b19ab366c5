//! What questions come down to: which goals can be met.
//!
//! A question becomes a tree over goals, of which some are met by a run, some are met by no marking, and others are not known.
//! What the tree says with that is the answer, or nothing. Every rule here is true of every net, whatever its other states are.

use mandala_model::net::Net;
use mandala_model::property::{BinaryOperator, Formula, Quantifier, Question, UnaryOperator};

use super::goals::{GoalIndex, Goals};
use crate::run::FiniteRuns;

/// What a question comes down to.
#[derive(Debug)]
pub(crate) enum Claim {
    Known(bool),
    /// Some reachable marking meets a goal.
    Met(GoalIndex),
    Not(Box<Claim>),
    All(Vec<Claim>),
    Any(Vec<Claim>),
    /// Beyond this.
    Open,
}

impl Claim {
    /// Its truth, if that of the goals decides it.
    pub fn truth(&self, met: &impl Fn(GoalIndex) -> Option<bool>) -> Option<bool> {
        match self {
            Claim::Known(truth) => Some(*truth),
            Claim::Met(goal) => met(*goal),
            Claim::Not(inner) => inner.truth(met).map(|truth| !truth),
            Claim::All(parts) => combined(parts, true, met),
            Claim::Any(parts) => combined(parts, false, met),
            Claim::Open => None,
        }
    }

    /// The goals in it.
    pub fn goals(&self, found: &mut Vec<GoalIndex>) {
        match self {
            Claim::Met(goal) => found.push(*goal),
            Claim::Not(inner) => inner.goals(found),
            Claim::All(parts) | Claim::Any(parts) => parts.iter().for_each(|part| part.goals(found)),
            Claim::Known(_) | Claim::Open => {}
        }
    }
}

/// All of some claims, or one of them. `neutral` is the truth that changes nothing.
fn combined(parts: &[Claim], neutral: bool, met: &impl Fn(GoalIndex) -> Option<bool>) -> Option<bool> {
    let mut all = Some(neutral);
    for part in parts {
        match part.truth(met) {
            Some(truth) if truth != neutral => return Some(truth),
            Some(_) => {}
            None => all = None,
        }
    }
    all
}

/// From questions about a net to claims.
pub(crate) struct Reader<'n> {
    pub net: &'n Net,
    pub goals: &'n mut Goals,
    pub finite_runs: FiniteRuns,
    /// Whether a formula about one state holds in the initial marking.
    pub initially: &'n dyn Fn(&Formula) -> Option<bool>,
    /// Whether a formula about one state holds in all markings after the initial one, and in some; in the initial one if there is
    /// none.
    pub next: &'n dyn Fn(&Formula) -> Option<Next>,
}

/// What is known of the markings after the initial one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    pub in_all: bool,
    pub in_some: bool,
    /// Whether there is none.
    pub is_dead: bool,
}

impl Reader<'_> {
    /// What a question comes down to; nothing for questions of another kind.
    pub fn question(&mut self, question: &Question) -> Claim {
        match question {
            Question::Reachable(formula) => self.met(formula, true),
            Question::Never(formula) => not(self.met(formula, true)),
            Question::Invariant(formula) => not(self.met(formula, false)),
            Question::Ctl(formula) if self.finite_runs == FiniteRuns::Stutter => self.ctl(formula, true),
            Question::Ltl(formula) if self.finite_runs == FiniteRuns::Stutter => self.ltl(formula, true),
            Question::Live(groups) if !groups.is_empty() => {
                let mut parts = vec![not(self.met(&Formula::Deadlock, true)), Claim::Open];
                for group in groups {
                    let fires = Formula::Atom(mandala_model::property::Atom::Fireable(group.clone()));
                    parts.push(self.met(&fires, true));
                }
                Claim::All(parts)
            }
            Question::Ctl(_) | Question::Ltl(_) | Question::Live(_) | Question::Bounds(_) => Claim::Open,
        }
    }

    /// That a formula about one state holds, or does not, in some reachable marking.
    fn met(&mut self, formula: &Formula, holds: bool) -> Claim {
        self.goals.add(self.net, formula, holds).map_or(Claim::Open, Claim::Met)
    }

    fn now(&self, formula: &Formula, holds: bool) -> Claim {
        (self.initially)(formula).map_or(Claim::Open, |truth| Claim::Known(truth == holds))
    }

    /// That a formula of CTL holds, or does not, in the initial marking.
    fn ctl(&mut self, formula: &Formula, holds: bool) -> Claim {
        if !formula.is_temporal() {
            return self.now(formula, holds);
        }
        let is_all = |formula: &Formula| matches!(formula, Formula::And(_)) == holds;
        match formula {
            Formula::Not(inner) => self.ctl(inner, !holds),
            Formula::And(parts) | Formula::Or(parts) => {
                let claims = parts.iter().map(|part| self.ctl(part, holds)).collect();
                if is_all(formula) { Claim::All(claims) } else { Claim::Any(claims) }
            }
            Formula::Unary(quantifier, operator, inner) => {
                let claim = self.ctl_unary(*quantifier, *operator, inner);
                if holds { claim } else { not(claim) }
            }
            Formula::Binary(_, operator, left, right) => {
                let claim = match operator {
                    BinaryOperator::Until => {
                        let later = self.sometime(right);
                        let before = self.ctl(left, true);
                        Claim::Any(vec![self.ctl(right, true), Claim::All(vec![before, later, Claim::Open])])
                    }
                    // `f W g` and `f R g` hold where f, or g, always does.
                    BinaryOperator::WeakUntil => {
                        let now = Claim::Any(vec![self.ctl(left, true), self.ctl(right, true)]);
                        Claim::All(vec![now, Claim::Any(vec![self.ctl(right, true), self.always(left), Claim::Open])])
                    }
                    BinaryOperator::Release => {
                        let now = self.ctl(right, true);
                        Claim::All(vec![now, Claim::Any(vec![self.ctl(left, true), self.always(right), Claim::Open])])
                    }
                    BinaryOperator::StrongRelease => {
                        let (now, later) = (self.ctl(right, true), self.sometime(left));
                        Claim::All(vec![
                            now,
                            Claim::Any(vec![self.ctl(left, true), Claim::All(vec![later, Claim::Open])]),
                        ])
                    }
                };
                if holds { claim } else { not(claim) }
            }
            Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => self.now(formula, holds),
        }
    }

    fn ctl_unary(&mut self, quantifier: Quantifier, operator: UnaryOperator, inner: &Formula) -> Claim {
        match (operator, quantifier) {
            (UnaryOperator::Finally, Quantifier::Exists) => match inner {
                // What can be reached sooner or later, or what could be.
                Formula::Or(parts) if inner.is_temporal() => {
                    let exists = |part: &Formula, reader: &mut Self| reader.ctl_unary(quantifier, operator, part);
                    Claim::Any(parts.iter().map(|part| exists(part, self)).collect())
                }
                Formula::Unary(Quantifier::Exists, UnaryOperator::Finally, deeper) => {
                    self.ctl_unary(quantifier, operator, deeper)
                }
                _ if inner.is_temporal() => Claim::Any(vec![self.ctl(inner, true), Claim::Open]),
                _ => self.met(inner, true),
            },
            (UnaryOperator::Globally, Quantifier::All) => match inner {
                Formula::And(parts) if inner.is_temporal() => {
                    let all = |part: &Formula, reader: &mut Self| reader.ctl_unary(quantifier, operator, part);
                    Claim::All(parts.iter().map(|part| all(part, self)).collect())
                }
                Formula::Unary(Quantifier::All, UnaryOperator::Globally, deeper) => {
                    self.ctl_unary(quantifier, operator, deeper)
                }
                _ if inner.is_temporal() => Claim::All(vec![self.ctl(inner, true), Claim::Open]),
                _ => not(self.met(inner, false)),
            },
            (UnaryOperator::Finally, _) => {
                let later = self.sometime(inner);
                Claim::Any(vec![self.ctl(inner, true), Claim::All(vec![later, Claim::Open])])
            }
            (UnaryOperator::Globally, _) => {
                Claim::All(vec![self.ctl(inner, true), Claim::Any(vec![self.always(inner), Claim::Open])])
            }
            (UnaryOperator::Next, quantifier) => {
                let Some(next) = (!inner.is_temporal()).then(|| (self.next)(inner)).flatten() else {
                    return Claim::Open;
                };
                match quantifier {
                    // Where nothing can happen there is no next state.
                    Quantifier::Exists => Claim::Known(next.in_some && !next.is_dead),
                    Quantifier::All => Claim::Known(next.in_all || next.is_dead),
                    Quantifier::None => Claim::Open,
                }
            }
        }
    }

    /// That a formula about one state holds in some reachable marking: what comes on some run does.
    fn sometime(&mut self, formula: &Formula) -> Claim {
        if formula.is_temporal() { Claim::Open } else { self.met(formula, true) }
    }

    /// That a formula about one state holds in all reachable markings.
    fn always(&mut self, formula: &Formula) -> Claim {
        if formula.is_temporal() { Claim::Open } else { not(self.met(formula, false)) }
    }

    /// That a formula of LTL holds on all runs, or that its negation does.
    fn ltl(&mut self, formula: &Formula, holds: bool) -> Claim {
        if !formula.is_temporal() {
            return self.now(formula, holds);
        }
        match formula {
            Formula::Not(inner) => self.ltl(inner, !holds),
            Formula::And(parts) | Formula::Or(parts) => {
                let is_all = matches!(formula, Formula::And(_)) == holds;
                let (temporal, plain): (Vec<&Formula>, Vec<&Formula>) =
                    parts.iter().partition(|part| part.is_temporal());
                let mut claims: Vec<Claim> = plain.iter().map(|part| self.now(part, holds)).collect();
                claims.extend(temporal.iter().map(|part| self.ltl(part, holds)));
                if is_all {
                    return Claim::All(claims);
                }
                // Each run may satisfy another of several parts.
                if temporal.len() > 1 {
                    claims.push(Claim::Open);
                }
                Claim::Any(claims)
            }
            Formula::Unary(Quantifier::None, operator, inner) => match (operator, holds) {
                (UnaryOperator::Globally, true) | (UnaryOperator::Finally, false) => self.ltl_always(inner, holds),
                (UnaryOperator::Finally, true) | (UnaryOperator::Globally, false) => {
                    let later = self.comes(inner, holds);
                    Claim::Any(vec![self.ltl(inner, holds), Claim::All(vec![later, Claim::Open])])
                }
                (UnaryOperator::Next, _) => {
                    if inner.is_temporal() {
                        return Claim::Open;
                    }
                    match (self.next)(inner) {
                        Some(next) => Claim::Known(if holds { next.in_all } else { !next.in_some }),
                        None => Claim::Open,
                    }
                }
            },
            Formula::Binary(Quantifier::None, BinaryOperator::Until, left, right) if holds => {
                let (now, before, later) = (self.ltl(right, true), self.ltl(left, true), self.comes(right, true));
                // Where both are about one state, one of them must hold now.
                let start = if left.is_temporal() || right.is_temporal() {
                    Claim::Open
                } else {
                    Claim::Any(vec![before, self.ltl(right, true)])
                };
                Claim::Any(vec![now, Claim::All(vec![start, later, Claim::Open])])
            }
            _ => Claim::Open,
        }
    }

    /// That a formula, or its negation, holds on all runs and always.
    fn ltl_always(&mut self, formula: &Formula, holds: bool) -> Claim {
        if !formula.is_temporal() {
            return not(self.met(formula, !holds));
        }
        match formula {
            Formula::Not(inner) => self.ltl_always(inner, !holds),
            Formula::And(parts) if holds => Claim::All(parts.iter().map(|part| self.ltl_always(part, true)).collect()),
            Formula::Or(parts) if !holds => Claim::All(parts.iter().map(|part| self.ltl_always(part, false)).collect()),
            Formula::Unary(Quantifier::None, UnaryOperator::Globally, inner) if holds => self.ltl_always(inner, true),
            Formula::Unary(Quantifier::None, UnaryOperator::Finally, inner) if !holds => self.ltl_always(inner, false),
            Formula::Unary(Quantifier::None, UnaryOperator::Finally, inner) if holds && !inner.is_temporal() => {
                // Again and again: it must be possible at all, and it is so if it always holds.
                let (met, always) = (self.met(inner, true), not(self.met(inner, false)));
                Claim::All(vec![met, Claim::Any(vec![always, Claim::Open])])
            }
            Formula::Unary(Quantifier::None, UnaryOperator::Globally, inner) if !holds && !inner.is_temporal() => {
                let (met, always) = (self.met(inner, false), not(self.met(inner, true)));
                Claim::All(vec![met, Claim::Any(vec![always, Claim::Open])])
            }
            _ => Claim::All(vec![self.ltl(formula, holds), Claim::Open]),
        }
    }

    /// That a formula about one state, or its negation, holds in some marking of some run.
    fn comes(&mut self, formula: &Formula, holds: bool) -> Claim {
        if formula.is_temporal() { Claim::Open } else { self.met(formula, holds) }
    }
}

fn not(claim: Claim) -> Claim {
    match claim {
        Claim::Known(truth) => Claim::Known(!truth),
        Claim::Not(inner) => *inner,
        other => Claim::Not(Box::new(other)),
    }
}
