//! Guards of transitions, and of tokens on arcs.

use super::super::super::class::ClassOrder;
use super::super::super::expression::{BagExpression, Cardinality, Guard};
use super::super::syntax::{self, Bag, BagKind, GuardKind, Operand};
use super::scope::Scope;
use crate::expression::Comparison;
use crate::gal::ledger::{Ledger, Outcome, Stop, complaint};
use crate::text::{Problem, Span};

impl Scope<'_> {
    pub fn guard(&self, guard: &syntax::Guard, ledger: &mut Ledger) -> Outcome<Guard> {
        ledger.parts(1, guard.span)?;
        match &guard.kind {
            GuardKind::Truth(truth) => Ok(Guard::Constant(*truth)),
            GuardKind::Not(inner) => self.guard(inner, ledger).map(|inner| Guard::Not(Box::new(inner))),
            GuardKind::All(parts) => self.guards(parts, ledger).map(Guard::And),
            GuardKind::Any(parts) => self.guards(parts, ledger).map(Guard::Or),
            GuardKind::In(left, right) => self.inclusion(left, right, ledger),
            GuardKind::Compare(comparison, Operand::Colours(left), Operand::Colours(right)) => {
                match self.is_bag(left) || self.is_bag(right) {
                    true => self.same_bag(*comparison, left, right, guard.span, ledger),
                    false => self.comparison(*comparison, left, right, guard.span, ledger),
                }
            }
            GuardKind::Compare(comparison, left, right) => {
                let (left, right) = (self.cardinality(left, ledger), self.cardinality(right, ledger));
                Ok(Guard::Cardinality(*comparison, left?, right?))
            }
        }
    }

    fn guards(&self, parts: &[syntax::Guard], ledger: &mut Ledger) -> Outcome<Vec<Guard>> {
        let parts: Vec<Outcome<Guard>> = parts.iter().map(|part| self.guard(part, ledger)).collect();
        parts.into_iter().collect()
    }

    /// The class of both sides, as far as their names tell.
    fn common_class(&self, left: &Bag, right: &Bag) -> Option<u32> {
        self.class_of(left).or_else(|| self.class_of(right))
    }

    /// `x in set`, `B in C`
    fn inclusion(&self, left: &Bag, right: &Bag, ledger: &mut Ledger) -> Outcome<Guard> {
        let class = self.common_class(left, right);
        let part = self.bag(left, class, ledger);
        if class.is_none() && part.is_err() {
            return Err(Stop);
        }
        let class = class.or(part.as_ref().ok().map(|(class, _)| *class));
        let (_, whole) = self.bag(right, class, ledger)?;
        match (part?.1, whole) {
            (BagExpression::One(term), BagExpression::All(set))
                if !matches!(left.kind, BagKind::Braces(_)) && !matches!(right.kind, BagKind::Braces(_)) =>
            {
                Ok(Guard::Member(term, set))
            }
            (_, BagExpression::One(_)) if !matches!(right.kind, BagKind::Braces(_)) => {
                let problem = Problem::new(right.span, "expected a set of colours or a bag, found a colour")
                    .label("nothing is in a colour")
                    .help("compare colours with `==`");
                Err(ledger.report(problem))
            }
            (part, whole) => Ok(Guard::Included(part, whole)),
        }
    }

    /// `B == C`, `B != {}`
    fn same_bag(
        &self, comparison: Comparison, left: &Bag, right: &Bag, span: Span, ledger: &mut Ledger,
    ) -> Outcome<Guard> {
        let class = self.common_class(left, right);
        let one = self.bag(left, class, ledger);
        if class.is_none() && one.is_err() {
            return Err(Stop);
        }
        let class = class.or(one.as_ref().ok().map(|(class, _)| *class));
        let (_, other) = self.bag(right, class, ledger)?;
        let (_, one) = one?;
        for (side, bag) in [(left, &one), (right, &other)] {
            if matches!(bag, BagExpression::One(_)) && !matches!(side.kind, BagKind::Braces(_)) {
                let problem = Problem::new(side.span, "a colour is compared with a bag")
                    .label("this is a colour")
                    .help("write `{x} == B`, or `x in B`");
                return Err(ledger.report(problem));
            }
        }
        let same = Guard::SameBag(one, other);
        match comparison {
            Comparison::Equal => Ok(same),
            Comparison::NotEqual => Ok(Guard::Not(Box::new(same))),
            _ => {
                let problem =
                    Problem::new(span, format!("bags have no order: `{}` is not for them", comparison.symbol()))
                        .label("a comparison of bags")
                        .help("`B in C` says that C has at least as much of everything; `card(B)` is how much is in B");
                Err(ledger.report(problem))
            }
        }
    }

    /// `x < y`
    fn comparison(
        &self, comparison: Comparison, left: &Bag, right: &Bag, span: Span, ledger: &mut Ledger,
    ) -> Outcome<Guard> {
        let class = self.common_class(left, right);
        let one = self.term(left, class, ledger);
        if class.is_none() && one.is_err() {
            return Err(Stop);
        }
        let class = class.or(one.as_ref().ok().map(|(class, _)| *class));
        let (class, other) = self.term(right, class, ledger)?;
        let (_, one) = one?;
        let is_order = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let of = self.class(class);
        if is_order && of.order == ClassOrder::Unordered {
            let name = complaint::shortened(&of.name);
            let problem = Problem::new(span, format!("the colours of `{name}` have no order"))
                .label(format!("`{}` compares by order", comparison.symbol()))
                .help(format!("declare `class {name} linear = ...`, or use `==` and `!=`"));
            return Err(ledger.report(problem));
        }
        Ok(Guard::Compare(comparison, one, other))
    }

    /// `card(B)`, or a number beside it.
    fn cardinality(&self, operand: &Operand, ledger: &mut Ledger) -> Outcome<Cardinality> {
        match operand {
            Operand::Cardinality(bag) => {
                let class = self.class_of(bag);
                self.bag(bag, class, ledger).map(|(_, bag)| Cardinality::Of(bag))
            }
            Operand::Colours(bag) => {
                let number = self.number(bag, ledger)?;
                u64::try_from(number).map(Cardinality::Constant).map_err(|_| {
                    let problem =
                        Problem::new(bag.span, "a number of colours is negative").label(format!("this is {number}"));
                    ledger.report(problem)
                })
            }
        }
    }

    /// A number that looks like colours: `3`, `$N - 1`.
    fn number(&self, bag: &Bag, ledger: &mut Ledger) -> Outcome<i64> {
        let number = match &bag.kind {
            BagKind::Named(None, name) if name.text.is_empty() || name.number.is_none() => {
                self.constants.name(name, ledger)?.parse().ok()
            }
            BagKind::Sum(parts) => {
                let mut sum = Some(0i64);
                for part in parts {
                    let next = self.number(part, ledger)?;
                    sum = sum.and_then(|sum| sum.checked_add(next));
                }
                sum
            }
            BagKind::Difference(from, taken) => self.number(from, ledger)?.checked_sub(self.number(taken, ledger)?),
            BagKind::Times(amount, of) => self.constants.amount(amount, ledger)?.checked_mul(self.number(of, ledger)?),
            _ => None,
        };
        number.ok_or_else(|| {
            let problem = Problem::new(bag.span, "expected a number, found colours")
                .label("`card` is compared with numbers")
                .help("compare with a number, or with another `card(...)`");
            ledger.report(problem)
        })
    }
}
