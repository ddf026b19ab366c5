//! Questions about single markings, answered on sets of symbolic ones.
//!
//! All markings of a shape have the same symbolic bindings: what can fire is asked once for a shape. How many tokens there are in a
//! place grows with each size, so on a box of sizes each number is between those at its two ends. A comparison that this does not
//! decide is asked again on halves of the box, and in the end of single markings, by the same code as everywhere else.

use super::super::system::On;
use super::super::{Marking, SymbolicNet};
use super::shape::{Shape, resized};
use super::sizes::Ranges;
use super::{GoOn, Search, Stopped};
use mandala_model::coloured::property::{Atom, ColouredNets, Count};
use mandala_model::coloured::semantics::observe::{self, Observed};
use mandala_model::expression::{BinaryOperator, Comparison, Integer, UnaryOperator};
use mandala_model::property::{Formula, Question};
use mandala_model::semantics::{Cause, RunError};
use std::ops::ControlFlow;

/// What sets of symbolic markings say to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Yes or no.
    Truth(bool),
    /// The least and the greatest value.
    Bounds(i64, i64),
}

/// Whether a question is about single markings: these can be answered here.
pub fn is_about_markings(question: &Question<ColouredNets>) -> bool {
    match question {
        Question::Reachable(_) | Question::Invariant(_) | Question::Never(_) | Question::Bounds(_) => true,
        Question::Ctl(_) | Question::Ltl(_) | Question::CtlStar(_) | Question::Live(_) => false,
    }
}

/// Whether to go on is asked after so many boxes.
const PATIENCE: u32 = 1 << 10;

impl Search<'_, '_> {
    /// The answer to a question, when all markings were found; nothing if it is not about single markings.
    pub(super) fn say(&self, question: &Question<ColouredNets>) -> Result<Option<Said>, Stopped> {
        Ok(Some(match question {
            Question::Reachable(formula) => Said::Truth(self.is_somewhere(formula)?),
            Question::Never(formula) => Said::Truth(!self.is_somewhere(formula)?),
            Question::Invariant(formula) => Said::Truth(!self.is_somewhere(&Formula::Not(Box::new(formula.clone())))?),
            Question::Bounds(quantity) => {
                let (least, greatest) = self.bounds(quantity)?;
                Said::Bounds(least, greatest)
            }
            Question::Ctl(_) | Question::Ltl(_) | Question::CtlStar(_) | Question::Live(_) => return Ok(None),
        }))
    }

    /// Whether a formula about one marking holds in one of them.
    fn is_somewhere(&self, formula: &Formula<Atom>) -> Result<bool, Stopped> {
        for (shape, known) in self.shapes.iter().zip(&self.known) {
            if shape.sizes.is_empty() {
                continue;
            }
            let scene = self.scene(shape);
            let formula = scene.without_firings(formula, known.bindings == 0).map_err(wrong)?;
            let found = self.each_box(shape, &mut |ranges| {
                let mut open = vec![ranges];
                while let Some(ranges) = open.pop() {
                    match scene.judge(&formula, &ranges)? {
                        Some(true) => return Ok(true),
                        Some(false) => {}
                        None => halve(ranges, &mut open),
                    }
                }
                Ok(false)
            })?;
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The least and the greatest value of a quantity.
    fn bounds(&self, quantity: &Integer<Count>) -> Result<(i64, i64), Stopped> {
        let mut found: Option<(i64, i64)> = None;
        for shape in self.shapes.iter().filter(|shape| !shape.sizes.is_empty()) {
            let scene = self.scene(shape);
            self.each_box(shape, &mut |ranges| {
                let mut open = vec![ranges];
                while let Some(ranges) = open.pop() {
                    let between = scene.between(quantity, &ranges);
                    if let (Some((low, high)), Some((least, greatest))) = (between, found)
                        && least <= low
                        && high <= greatest
                    {
                        continue;
                    }
                    // Both ends of a box are markings.
                    for end in [true, false] {
                        let value = scene.measure(quantity, &ranges, end)?;
                        let (least, greatest) = found.unwrap_or((value, value));
                        found = Some((least.min(value), greatest.max(value)));
                    }
                    if ranges.iter().any(|range| range.0 < range.1) {
                        halve(ranges, &mut open);
                    }
                }
                Ok(false)
            })?;
        }
        Ok(found.unwrap_or((0, 0)))
    }

    fn scene<'a>(&'a self, shape: &'a Shape) -> Scene<'a, 'a> {
        Scene { symbolic: self.symbolic, shape }
    }

    /// Visits the boxes of the sizes of a shape until one says that it is enough: whether one did.
    fn each_box(
        &self, shape: &Shape, visit: &mut dyn FnMut(Ranges) -> Result<bool, RunError>,
    ) -> Result<bool, Stopped> {
        let mut result: Result<bool, Stopped> = Ok(false);
        let mut boxes = 0_u32;
        let go_on: &GoOn<'_> = self.go_on;
        let _ = self.store.boxes(&shape.sizes, |found| {
            boxes += 1;
            if boxes.is_multiple_of(PATIENCE)
                && let Err(error) = go_on(self.shapes.len(), self.bytes)
            {
                result = Err(error.into());
                return ControlFlow::Break(());
            }
            let ranges = found.iter().map(|&(_, low, high)| (i64::from(low), i64::from(high))).collect();
            match visit(ranges) {
                Ok(false) => ControlFlow::Continue(()),
                Ok(true) => {
                    result = Ok(true);
                    ControlFlow::Break(())
                }
                Err(error) => {
                    result = Err(wrong(error));
                    ControlFlow::Break(())
                }
            }
        });
        result
    }
}

fn wrong(error: RunError) -> Stopped {
    Stopped::Model(Box::new(error))
}

/// Divides a box where it is widest.
fn halve(mut ranges: Ranges, open: &mut Vec<Ranges>) {
    let Some(at) = (0..ranges.len()).max_by_key(|&at| ranges[at].1 - ranges[at].0) else { return };
    let (low, high) = ranges[at];
    let middle = low + (high - low) / 2;
    let mut first = ranges.clone();
    first[at] = (low, middle);
    ranges[at] = (middle + 1, high);
    open.extend([ranges, first]);
}

/// The markings of a shape, as formulas look at them.
struct Scene<'s, 'n> {
    symbolic: &'s SymbolicNet<'n>,
    shape: &'s Shape,
}

impl Scene<'_, '_> {
    /// The marking with these sizes of what is kept, and of the others.
    fn marking(&self, size_of: &dyn Fn(u32) -> i64) -> Result<Marking, Cause> {
        let before = &self.shape.marking;
        let mut atoms = before.atoms.clone();
        for (free, &(atom, _)) in (0..).zip(&self.shape.layout.free) {
            atoms[atom as usize].1 = u32::try_from(size_of(free)).map_err(|_| Cause::NotAMarking)?;
        }
        let entries = resized(self.symbolic, &before.atoms, &atoms, &before.entries).map_err(|_| Cause::NotAMarking)?;
        Ok(Marking { atoms, entries })
    }

    /// A marking at one of the ends of a box: with the least of the sizes that are kept, or the greatest.
    fn end(&self, ranges: &Ranges, is_low: bool) -> Result<Marking, Cause> {
        let layout = &self.shape.layout;
        let at = |position: u32| {
            let (low, high) = ranges[position as usize];
            if is_low { low } else { high }
        };
        self.marking(&|free| match layout.position[free as usize] {
            Some(position) => at(position),
            None => layout.total[layout.free[free as usize].1 as usize] - layout.beside(free).map(at).sum::<i64>(),
        })
    }

    /// The marking with the least, or the greatest, of all sizes, whether there is one or not.
    fn corner(&self, ranges: &Ranges, is_low: bool) -> Result<Marking, Cause> {
        let layout = &self.shape.layout;
        let side = |position: u32, is_low: bool| {
            let (low, high) = ranges[position as usize];
            if is_low { low } else { high }
        };
        self.marking(&|free| match layout.position[free as usize] {
            Some(position) => side(position, is_low),
            None => {
                let others: i64 = layout.beside(free).map(|position| side(position, !is_low)).sum();
                (layout.total[layout.free[free as usize].1 as usize] - others).max(0)
            }
        })
    }

    fn on(&self, marking: Marking) -> On<'_, '_> {
        On { net: self.symbolic, state: &[], marking }
    }

    /// A formula with the truth for what can fire: it is the same in all markings of the shape.
    fn without_firings(&self, formula: &Formula<Atom>, is_dead: bool) -> Result<Formula<Atom>, RunError> {
        let on = self.on(self.shape.marking.clone());
        let mut failed = None;
        let mut fires = |atom: &Atom| match atom {
            Atom::Fireable(firings) => match on.fires(firings) {
                Ok(truth) => Some(Formula::Constant(truth)),
                Err(error) => {
                    failed = Some(error);
                    None
                }
            },
            Atom::Compare(..) | Atom::Fired(_) => Some(Formula::Atom(atom.clone())),
        };
        let changed = formula.map(&mut fires);
        match (changed, failed) {
            (Some(changed), _) => Ok(dead(changed, is_dead)),
            (None, Some(error)) => Err(error),
            (None, None) => Err(on.failed(Cause::Unknown)),
        }
    }

    /// Whether a formula holds in all markings of a box, or in none of them; nothing if neither is known.
    fn judge(&self, formula: &Formula<Atom>, ranges: &Ranges) -> Result<Option<bool>, RunError> {
        if ranges.iter().all(|range| range.0 == range.1) {
            let marking = self.end(ranges, true).map_err(|cause| self.symbolic.error(cause, &[]))?;
            return observe::evaluate(formula, &self.on(marking)).map(Some);
        }
        let corners = (self.corner(ranges, true).ok(), self.corner(ranges, false).ok());
        let (Some(low), Some(high)) = corners else { return Ok(None) };
        Ok(self.decide(formula, &(self.on(low), self.on(high))))
    }

    fn decide(&self, formula: &Formula<Atom>, ends: &(On<'_, '_>, On<'_, '_>)) -> Option<bool> {
        match formula {
            Formula::Constant(truth) => Some(*truth),
            Formula::Error => Some(false),
            Formula::Atom(Atom::Compare(comparison, a, b)) => {
                compare(*comparison, interval(a, ends)?, interval(b, ends)?)
            }
            Formula::Not(inner) => self.decide(inner, ends).map(|truth| !truth),
            Formula::And(parts) => all(parts.iter().map(|part| self.decide(part, ends)), true),
            Formula::Or(parts) => all(parts.iter().map(|part| self.decide(part, ends)), false),
            // Nothing else is left of a formula about one marking.
            Formula::Atom(Atom::Fireable(_) | Atom::Fired(_))
            | Formula::Deadlock
            | Formula::Unary(..)
            | Formula::Binary(..) => None,
        }
    }

    /// Between which numbers a quantity is in a box, as far as that can be seen.
    fn between(&self, quantity: &Integer<Count>, ranges: &Ranges) -> Option<(i64, i64)> {
        let (low, high) = (self.corner(ranges, true).ok()?, self.corner(ranges, false).ok()?);
        interval(quantity, &(self.on(low), self.on(high)))
    }

    /// What a quantity is at one of the ends of a box.
    fn measure(&self, quantity: &Integer<Count>, ranges: &Ranges, is_low: bool) -> Result<i64, RunError> {
        let marking = self.end(ranges, is_low).map_err(|cause| self.symbolic.error(cause, &[]))?;
        observe::measure(quantity, &self.on(marking))
    }
}

/// A formula with the truth for whether nothing can happen.
fn dead(formula: Formula<Atom>, is_dead: bool) -> Formula<Atom> {
    match formula {
        Formula::Deadlock => Formula::Constant(is_dead),
        Formula::Not(inner) => Formula::Not(Box::new(dead(*inner, is_dead))),
        Formula::And(parts) => Formula::And(parts.into_iter().map(|part| dead(part, is_dead)).collect()),
        Formula::Or(parts) => Formula::Or(parts.into_iter().map(|part| dead(part, is_dead)).collect()),
        other => other,
    }
}

/// Whether all of some are so, if that is known; with `false`, whether not all are otherwise.
fn all(parts: impl Iterator<Item = Option<bool>>, wanted: bool) -> Option<bool> {
    let mut known = Some(wanted);
    for part in parts {
        match part {
            Some(truth) if truth != wanted => return Some(!wanted),
            Some(_) => {}
            None => known = None,
        }
    }
    known
}

/// How two numbers compare of which it is known between which others they are.
fn compare(comparison: Comparison, (low, high): (i64, i64), (least, most): (i64, i64)) -> Option<bool> {
    let known = |always: bool, never: bool| if always { Some(true) } else { never.then_some(false) };
    match comparison {
        Comparison::Less => known(high < least, low >= most),
        Comparison::LessOrEqual => known(high <= least, low > most),
        Comparison::Greater => known(low > most, high <= least),
        Comparison::GreaterOrEqual => known(low >= most, high < least),
        Comparison::Equal => known(low == high && (low, high) == (least, most), high < least || low > most),
        Comparison::NotEqual => known(high < least || low > most, low == high && (low, high) == (least, most)),
    }
}

/// Between which numbers an expression is whose counts are between those at two ends. Nothing where numbers wrap around, or
/// where it is not worth knowing.
fn interval(quantity: &Integer<Count>, ends: &(On<'_, '_>, On<'_, '_>)) -> Option<(i64, i64)> {
    let found = match quantity {
        Integer::Constant(number) => (i64::from(*number), i64::from(*number)),
        Integer::Variable(count) => {
            let (low, high) = (ends.0.count(count).ok()?, ends.1.count(count).ok()?);
            (i64::from(low.min(high)), i64::from(high.max(low)))
        }
        Integer::Sum(parts) => parts.iter().try_fold((0, 0), |(low, high), part| {
            let (least, most) = interval(part, ends)?;
            fitting((low + least, high + most))
        })?,
        Integer::Unary(UnaryOperator::Minus, inner) => {
            let (low, high) = interval(inner, ends)?;
            (-high, -low)
        }
        Integer::Binary(BinaryOperator::Multiply, a, b) => {
            let ((a, b), (c, d)) = (interval(a, ends)?, interval(b, ends)?);
            let products = [a * c, a * d, b * c, b * d];
            (products.iter().copied().min()?, products.iter().copied().max()?)
        }
        _ => return None,
    };
    fitting(found)
}

/// Numbers that do not wrap around.
fn fitting((low, high): (i64, i64)) -> Option<(i64, i64)> {
    (i32::try_from(low).is_ok() && i32::try_from(high).is_ok()).then_some((low, high))
}
