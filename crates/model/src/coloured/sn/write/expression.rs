//! Terms, bags, tokens and guards as text.

use super::super::super::Variable;
use super::super::super::class::Colours;
use super::super::super::expression::{BagExpression, Cardinality, Element, Guard, Term, Tokens};
use super::names::{Names, quoted};

/// Writes expressions over the variables of a transition.
pub(super) struct Expressions<'w> {
    pub names: &'w Names,
    pub variables: &'w [Variable],
    pub variable_names: &'w [String],
}

impl Expressions<'_> {
    fn variable(&self, variable: u32) -> String {
        quoted(&self.variable_names[variable as usize])
    }

    fn class_of(&self, term: &Term) -> u32 {
        match term {
            Term::Constant { class, .. } => *class,
            Term::Variable(variable) => self.variables[*variable as usize].sort.class(),
            Term::Shift(inner, _) => self.class_of(inner),
        }
    }

    /// A name of a class, with the class before it if it would be taken for a variable, or if nothing else says the class.
    fn of_class(&self, class: u32, bare: &str, written: String, qualified: bool) -> String {
        match qualified || self.variable_names.iter().any(|variable| variable == bare) {
            true => format!("{}:{written}", quoted(&self.names.classes[class as usize])),
            false => written,
        }
    }

    fn term(&self, term: &Term, qualified: bool) -> String {
        match term {
            Term::Variable(variable) => self.variable(*variable),
            Term::Constant { class, colour } => {
                let bare = self.names.bare_colour(*class as usize, *colour);
                self.of_class(*class, &bare, self.names.colour(*class as usize, *colour), qualified)
            }
            Term::Shift(inner, steps) => {
                let inner = self.term(inner, qualified);
                let sign = if *steps < 0 { "--" } else { "++" };
                match steps.unsigned_abs() {
                    1 => format!("{inner}{sign}"),
                    steps => format!("{inner}{sign}{steps}"),
                }
            }
        }
    }

    fn set(&self, set: Colours, qualified: bool) -> String {
        match set.subclass {
            None if qualified => format!("{}:all", quoted(&self.names.classes[set.class as usize])),
            None => "all".to_string(),
            Some(index) => {
                let name = &self.names.sets[set.class as usize][index as usize];
                self.of_class(set.class, name, quoted(name), qualified)
            }
        }
    }

    /// A bag; `braces` says whether it may be written in braces.
    fn bag(&self, bag: &BagExpression, braces: bool, qualified: bool) -> String {
        match bag {
            BagExpression::One(term) => self.term(term, qualified),
            BagExpression::All(set) => self.set(*set, qualified),
            BagExpression::Variable(variable) => self.variable(*variable),
            BagExpression::Sum(parts) => match &parts[..] {
                [] => "none".to_string(),
                [one] => self.bag(one, braces, qualified),
                [first, rest @ ..] if !braces => {
                    let mut text = self.operand(first, is_sum(first), qualified);
                    for part in rest {
                        text.push_str(" + ");
                        text.push_str(&self.operand(part, is_chain(part), qualified));
                    }
                    text
                }
                parts => {
                    let parts: Vec<String> = parts.iter().map(|part| self.bag(part, true, qualified)).collect();
                    format!("{{{}}}", parts.join(", "))
                }
            },
            BagExpression::Difference(from, taken) => {
                let from = self.operand(from, false, qualified);
                format!("{from} - {}", self.operand(taken, is_chain(taken), qualified))
            }
            BagExpression::Times(factor, inner) => {
                format!("{factor} * {}", self.operand(inner, is_chain(inner), qualified))
            }
        }
    }

    fn operand(&self, bag: &BagExpression, parentheses: bool, qualified: bool) -> String {
        let text = self.bag(bag, false, qualified);
        if parentheses { format!("({text})") } else { text }
    }

    /// A bag where a colour alone would be one: in braces then.
    fn whole(&self, bag: &BagExpression, qualified: bool) -> String {
        match bag {
            BagExpression::One(term) => format!("{{{}}}", self.term(term, qualified)),
            BagExpression::Sum(parts) if parts.len() == 1 => self.whole(&parts[0], qualified),
            BagExpression::Sum(parts) if parts.is_empty() => "{}".to_string(),
            bag => self.bag(bag, true, qualified),
        }
    }

    /// How many tokens without colour these are, if that is all they are.
    pub fn plain(&self, tokens: &Tokens) -> Option<u32> {
        let is_neutral = |tokens: &Tokens| matches!(tokens, Tokens::Tuple(elements) if elements.is_empty());
        match tokens {
            Tokens::Times(factor, inner) if *factor > 1 && is_neutral(inner) => Some(*factor),
            tokens => is_neutral(tokens).then_some(1),
        }
    }

    pub fn tokens(&self, tokens: &Tokens) -> String {
        match tokens {
            Tokens::Tuple(elements) => {
                let elements = elements.iter().map(|element| match element {
                    Element::Each(bag) => self.bag(bag, false, false),
                    Element::Whole(bag) => self.whole(bag, false),
                });
                format!("<{}>", elements.collect::<Vec<_>>().join(", "))
            }
            Tokens::Sum(parts) => match &parts[..] {
                [] => "none".to_string(),
                [one] => self.tokens(one),
                [first, rest @ ..] => {
                    let mut text = self.part(first, matches!(first, Tokens::Sum(parts) if parts.len() > 1));
                    for part in rest {
                        text.push_str(" + ");
                        text.push_str(&self.part(part, is_token_chain(part)));
                    }
                    text
                }
            },
            Tokens::Difference(from, taken) => {
                format!("{} - {}", self.part(from, false), self.part(taken, is_token_chain(taken)))
            }
            Tokens::Times(factor, inner) => match self.part(inner, is_token_chain(inner)) {
                inner if inner.starts_with('<') => format!("{factor}{inner}"),
                inner => format!("{factor} * {inner}"),
            },
            Tokens::When(guard, inner) => {
                format!("[{}] {}", self.guard(guard), self.part(inner, is_token_chain(inner)))
            }
        }
    }

    fn part(&self, tokens: &Tokens, parentheses: bool) -> String {
        let text = self.tokens(tokens);
        if parentheses { format!("({text})") } else { text }
    }

    pub fn guard(&self, guard: &Guard) -> String {
        match guard {
            Guard::Constant(truth) => truth.to_string(),
            Guard::Compare(comparison, left, right) => {
                let qualified = is_constant(left) && is_constant(right);
                format!("{} {} {}", self.term(left, qualified), comparison.symbol(), self.term(right, qualified))
            }
            Guard::Member(term, set) => {
                let qualified = is_constant(term);
                let set = match set.class == self.class_of(term) {
                    true => self.set(*set, false),
                    false => self.set(*set, true),
                };
                format!("{} in {set}", self.term(term, qualified))
            }
            Guard::Cardinality(comparison, left, right) => match (known(left), known(right)) {
                // Nothing tells these from colours.
                (Some(left), Some(right)) => comparison.holds(&left, &right).to_string(),
                _ => format!("{} {} {}", self.cardinality(left), comparison.symbol(), self.cardinality(right)),
            },
            Guard::Included(part, whole) | Guard::SameBag(part, whole) if !has_class(part) && !has_class(whole) => {
                "true".to_string()
            }
            Guard::Included(part, whole) => self.bags(part, "in", whole),
            Guard::SameBag(left, right) => self.bags(left, "==", right),
            Guard::Not(inner) => match &**inner {
                inner @ (Guard::Constant(_) | Guard::Not(_)) => format!("!{}", self.guard(inner)),
                inner => format!("!({})", self.guard(inner)),
            },
            Guard::And(parts) => self.joined(parts, "&&", "true"),
            Guard::Or(parts) => self.joined(parts, "||", "false"),
        }
    }

    /// Two bags. If no variable says of which class they are, all their colours do.
    fn bags(&self, left: &BagExpression, symbol: &str, right: &BagExpression) -> String {
        let qualified = !has_variable(left) && !has_variable(right);
        format!("{} {symbol} {}", self.whole(left, qualified), self.whole(right, qualified))
    }

    fn cardinality(&self, number: &Cardinality) -> String {
        match number {
            Cardinality::Constant(number) => number.to_string(),
            Cardinality::Of(bag) if !has_class(bag) => "0".to_string(),
            Cardinality::Of(bag) => format!("card({})", self.bag(bag, false, !has_variable(bag))),
        }
    }

    fn joined(&self, parts: &[Guard], symbol: &str, empty: &str) -> String {
        match parts {
            [] => empty.to_string(),
            [one] => self.guard(one),
            parts => {
                let parts = parts.iter().map(|part| {
                    let text = self.guard(part);
                    let is_list = matches!(part, Guard::And(list) | Guard::Or(list) if list.len() > 1);
                    if is_list { format!("({text})") } else { text }
                });
                parts.collect::<Vec<_>>().join(&format!(" {symbol} "))
            }
        }
    }
}

fn is_sum(bag: &BagExpression) -> bool {
    matches!(bag, BagExpression::Sum(parts) if parts.len() > 1)
}

/// Whether a bag is written with `+` or `-`.
fn is_chain(bag: &BagExpression) -> bool {
    match bag {
        BagExpression::Sum(parts) if parts.len() == 1 => is_chain(&parts[0]),
        bag => is_sum(bag) || matches!(bag, BagExpression::Difference(..)),
    }
}

/// Whether tokens are written with `+` or `-`.
fn is_token_chain(tokens: &Tokens) -> bool {
    match tokens {
        Tokens::Sum(parts) if parts.len() == 1 => is_token_chain(&parts[0]),
        Tokens::Sum(parts) => parts.len() > 1,
        tokens => matches!(tokens, Tokens::Difference(..)),
    }
}

/// A number that does not depend on a binding; what has no class is empty.
fn known(number: &Cardinality) -> Option<u64> {
    match number {
        Cardinality::Constant(number) => Some(*number),
        Cardinality::Of(bag) => (!has_class(bag)).then_some(0),
    }
}

/// Whether a bag says of which class it is: an empty one does not.
fn has_class(bag: &BagExpression) -> bool {
    match bag {
        BagExpression::One(_) | BagExpression::All(_) | BagExpression::Variable(_) => true,
        BagExpression::Sum(parts) => parts.iter().any(has_class),
        BagExpression::Difference(from, taken) => has_class(from) || has_class(taken),
        BagExpression::Times(_, inner) => has_class(inner),
    }
}

fn is_constant(term: &Term) -> bool {
    match term {
        Term::Constant { .. } => true,
        Term::Variable(_) => false,
        Term::Shift(inner, _) => is_constant(inner),
    }
}

fn has_variable(bag: &BagExpression) -> bool {
    match bag {
        BagExpression::One(term) => !is_constant(term),
        BagExpression::All(_) => false,
        BagExpression::Variable(_) => true,
        BagExpression::Sum(parts) => parts.iter().any(has_variable),
        BagExpression::Difference(from, taken) => has_variable(from) || has_variable(taken),
        BagExpression::Times(_, inner) => has_variable(inner),
    }
}
