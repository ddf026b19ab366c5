//! The token game of coloured nets, by brute force: all bindings are tried. Only for small nets.

// Each test is a crate of its own and uses some of this.
#![allow(dead_code)]

use std::collections::HashSet;

use mandala_model::coloured::evaluate::Evaluator;
use mandala_model::coloured::property::{Atom, ColouredNets, Count, Firing, matches};
use mandala_model::coloured::{Bag, Binding, ColouredNet, Sort, Token, Transition, Value};
use mandala_model::expression::{Integer, UnaryOperator};
use mandala_model::property::{Formula, Question};

/// The tokens of each place.
pub type Marking = Vec<Bag<Token>>;

/// A net with the bindings that its guards allow.
pub struct Game<'n> {
    net: &'n ColouredNet,
    bindings: Vec<Vec<Binding>>,
}

/// The number of reachable markings. Bags with more than `largest` members are not tried.
pub fn states(net: &ColouredNet, largest: u32) -> usize {
    Game::new(net, largest).markings().len()
}

impl<'n> Game<'n> {
    pub fn new(net: &'n ColouredNet, largest: u32) -> Game<'n> {
        let bindings = net.transitions.iter().map(|transition| bindings(net, transition, largest)).collect();
        Game { net, bindings }
    }

    /// All reachable markings.
    pub fn markings(&self) -> Vec<Marking> {
        let constant = Evaluator::constant(self.net);
        let initial: Marking =
            self.net.places.iter().map(|place| constant.tokens(&place.initial).expect("tokens")).collect();
        let mut seen: HashSet<Marking> = HashSet::from([initial.clone()]);
        let mut list = vec![initial];
        let mut next = 0;
        while next < list.len() {
            let marking = list[next].clone();
            next += 1;
            for (_, marking) in self.steps(&marking) {
                if seen.insert(marking.clone()) {
                    list.push(marking);
                }
            }
        }
        list
    }

    /// What can happen in a marking, and where it leads.
    fn steps(&self, marking: &Marking) -> Vec<((usize, &Binding), Marking)> {
        let mut highest = 0;
        let mut found = Vec::new();
        for (index, (transition, bindings)) in self.net.transitions.iter().zip(&self.bindings).enumerate() {
            for binding in bindings {
                if let Some(after) = fire(self.net, marking, transition, binding) {
                    highest = highest.max(transition.priority);
                    found.push(((index, binding), after));
                }
            }
        }
        found.retain(|((index, _), _)| self.net.transitions[*index].priority == highest);
        found
    }

    /// The value of a number, if it is one of sums and differences.
    pub fn value(integer: &Integer<Count>, marking: &Marking) -> Option<i64> {
        match integer {
            Integer::Constant(number) => Some(i64::from(*number)),
            Integer::Variable(count) => {
                let tokens = marking[count.place as usize].iter();
                let fitting = tokens.filter(|(token, _)| matches(&count.pattern, token));
                Some(fitting.map(|(_, times)| i64::from(times)).sum())
            }
            Integer::Sum(terms) => terms.iter().map(|term| Game::value(term, marking)).sum(),
            Integer::Unary(UnaryOperator::Minus, operand) => Some(-Game::value(operand, marking)?),
            _ => None,
        }
    }

    /// Whether a formula holds, if it is about one state.
    pub fn holds(&self, formula: &Formula<Atom>, marking: &Marking) -> Option<bool> {
        let all = |parts: &[Formula<Atom>]| -> Option<Vec<bool>> {
            parts.iter().map(|part| self.holds(part, marking)).collect()
        };
        match formula {
            Formula::Constant(truth) => Some(*truth),
            Formula::Atom(Atom::Compare(comparison, left, right)) => {
                Some(comparison.holds(&Game::value(left, marking)?, &Game::value(right, marking)?))
            }
            Formula::Atom(Atom::Fireable(firings)) => {
                let steps = self.steps(marking);
                let fits = |firing: &Firing| {
                    steps.iter().any(|((index, binding), _)| {
                        *index == firing.transition as usize && matches(&firing.pattern, binding)
                    })
                };
                Some(firings.iter().any(fits))
            }
            Formula::Deadlock => Some(self.steps(marking).is_empty()),
            Formula::Not(inner) => Some(!self.holds(inner, marking)?),
            Formula::And(parts) => Some(all(parts)?.into_iter().all(|part| part)),
            Formula::Or(parts) => Some(all(parts)?.into_iter().any(|part| part)),
            _ => None,
        }
    }

    /// The answer to a question about single states, as the models say it: `holds`, `does not hold`, `0 to 3`.
    pub fn answer(&self, question: &Question<ColouredNets>, markings: &[Marking]) -> Option<String> {
        let found = |formula: &Formula<Atom>| -> Option<Vec<bool>> {
            markings.iter().map(|marking| self.holds(formula, marking)).collect()
        };
        let holds = match question {
            Question::Reachable(formula) => found(formula)?.contains(&true),
            Question::Never(formula) => !found(formula)?.contains(&true),
            Question::Invariant(formula) => !found(formula)?.contains(&false),
            Question::Bounds(integer) => {
                let values: Option<Vec<i64>> = markings.iter().map(|marking| Game::value(integer, marking)).collect();
                let values = values?;
                return Some(format!("{} to {}", values.iter().min()?, values.iter().max()?));
            }
            _ => return None,
        };
        Some(if holds { "holds" } else { "does not hold" }.to_string())
    }
}

fn bindings(net: &ColouredNet, transition: &Transition, largest: u32) -> Vec<Binding> {
    let mut all: Vec<Binding> = vec![Vec::new()];
    for variable in &transition.variables {
        let length = net.classes[variable.sort.class() as usize].len();
        let values: Vec<Value> = match variable.sort {
            Sort::Colour(_) => (0..length).map(Value::Colour).collect(),
            Sort::Bag(_) => bags(length, largest)
                .into_iter()
                .filter(|bag| !variable.unique || bag.is_set())
                .map(Value::Bag)
                .collect(),
        };
        let longer = |binding: &Binding| -> Vec<Binding> {
            values.iter().map(|value| binding.iter().cloned().chain([value.clone()]).collect()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.retain(|binding| Evaluator::new(net, &transition.variables, binding).guard(&transition.guard) == Ok(true));
    all
}

/// The bags over some colours with at most so many members.
fn bags(length: u32, largest: u32) -> Vec<Bag<u32>> {
    let mut all = vec![(Bag::new(), 0)];
    let mut next = 0;
    while next < all.len() {
        let (bag, least): (Bag<u32>, u32) = all[next].clone();
        next += 1;
        if bag.cardinality() < u64::from(largest) {
            for colour in least..length {
                let mut more = bag.clone();
                more.add(colour, 1).expect("few");
                all.push((more, colour));
            }
        }
    }
    all.into_iter().map(|(bag, _)| bag).collect()
}

fn fire(net: &ColouredNet, marking: &Marking, transition: &Transition, binding: &Binding) -> Option<Marking> {
    let evaluator = Evaluator::new(net, &transition.variables, binding);
    let mut after = marking.clone();
    for arc in &transition.takes {
        let tokens = evaluator.tokens(&arc.tokens).ok()?;
        if !tokens.is_included_in(&marking[arc.place as usize]) {
            return None;
        }
        after[arc.place as usize].remove_all(&tokens);
    }
    for arc in &transition.inhibitors {
        let tokens = evaluator.tokens(&arc.tokens).ok()?;
        if tokens.iter().any(|(token, count)| marking[arc.place as usize].count(&token) >= count) {
            return None;
        }
    }
    for arc in &transition.puts {
        after[arc.place as usize].add_all(&evaluator.tokens(&arc.tokens).ok()?).ok()?;
    }
    Some(after)
}
