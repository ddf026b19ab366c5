//! Conditions of transitions.

use super::terms::Terms;
use super::tree::Node;
use crate::coloured::{Guard, Term};
use crate::expression::Comparison;
use crate::text::Problem;

impl Terms<'_, '_, '_> {
    /// The guard of a term. `None` if something is wrong with it, which has been said then.
    pub fn guard(&mut self, node: Node) -> Option<Guard> {
        match self.tree().name(node) {
            "and" => {
                let mut parts = Vec::new();
                for operand in self.some_operands(node)? {
                    match self.guard(operand)? {
                        Guard::And(inner) if !inner.is_empty() => parts.extend(inner),
                        guard => parts.push(guard),
                    }
                }
                Some(all(parts))
            }
            "or" => {
                let mut parts = Vec::new();
                for operand in self.some_operands(node)? {
                    match self.guard(operand)? {
                        Guard::Or(inner) if !inner.is_empty() => parts.extend(inner),
                        guard => parts.push(guard),
                    }
                }
                Some(any(parts))
            }
            "not" => {
                let [operand] = self.operands(node)?;
                Some(Guard::Not(Box::new(self.guard(operand)?)))
            }
            "imply" => {
                let [premise, conclusion] = self.operands(node)?;
                let premise = Guard::Not(Box::new(self.guard(premise)?));
                Some(match self.guard(conclusion)? {
                    Guard::Or(inner) if !inner.is_empty() => Guard::Or([vec![premise], inner].concat()),
                    conclusion => Guard::Or(vec![premise, conclusion]),
                })
            }
            "booleanconstant" => self.truth_value(node).map(Guard::Constant),
            "equality" => self.comparison(node, Comparison::Equal),
            "inequality" => self.comparison(node, Comparison::NotEqual),
            "lessthan" | "ltp" => self.comparison(node, Comparison::Less),
            "lessthanorequal" => self.comparison(node, Comparison::LessOrEqual),
            "greaterthan" | "gtp" => self.comparison(node, Comparison::Greater),
            "greaterthanorequal" => self.comparison(node, Comparison::GreaterOrEqual),
            "variable" => {
                let colours = self.colours(node)?;
                let truth = self.all.truth;
                let [(class, term)] =
                    <[_; 1]>::try_from(colours).ok().filter(|[(class, _)]| Some(*class) == truth).or_else(|| {
                        let problem =
                            Problem::new(self.tree().element(node).span, "a variable where a condition was expected");
                        self.all.problems.add(problem.help("compare it with something, or declare it as a `<bool/>`"));
                        None
                    })?;
                Some(Guard::Compare(Comparison::Equal, term, Term::Constant { class, colour: 1 }))
            }
            _ => {
                self.misplaced(node, "a condition");
                None
            }
        }
    }

    fn comparison(&mut self, node: Node, comparison: Comparison) -> Option<Guard> {
        let sides: [Node; 2] = self.operands(node)?;
        let span = self.tree().element(node).span;
        if self.is_part(sides[0]) || self.is_part(sides[1]) {
            return self.compare_parts(comparison, sides, span);
        }
        let [left, right] = sides.map(|side| self.colours(side));
        let (left, right) = (left?, right?);
        let classes: Vec<u32> = left.iter().map(|&(class, _)| class).collect();
        self.fits(sides[1], &right, &classes)?;
        let is_order = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if is_order && left.len() != 1 {
            let problem = Problem::new(span, "only colours have an order").label("these are tuples");
            self.all.problems.add(problem.help("compare their components"));
            return None;
        }
        if is_order {
            classes.iter().for_each(|&class| self.all.is_ordered[class as usize] = true);
        }
        let parts = left.into_iter().zip(right);
        let parts = parts.map(|((_, left), (_, right))| Guard::Compare(comparison, left, right)).collect();
        Some(if comparison == Comparison::NotEqual { any(parts) } else { all(parts) })
    }
}

/// All of some guards.
pub(super) fn all(mut parts: Vec<Guard>) -> Guard {
    match parts.len() {
        0 => Guard::Constant(true),
        1 => parts.remove(0),
        _ => Guard::And(parts),
    }
}

/// One of some guards.
pub(super) fn any(mut parts: Vec<Guard>) -> Guard {
    match parts.len() {
        0 => Guard::Constant(false),
        1 => parts.remove(0),
        _ => Guard::Or(parts),
    }
}
