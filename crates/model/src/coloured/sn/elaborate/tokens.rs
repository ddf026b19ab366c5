//! Tokens of arcs and of initial markings.

use super::super::super::Sort;
use super::super::super::expression::{BagExpression, Element, Tokens};
use super::super::syntax::{self, Bag, BagKind, TokensKind};
use super::scope::Scope;
use crate::gal::ledger::{Ledger, Outcome, complaint};
use crate::text::{Problem, Span};

impl Scope<'_> {
    /// Tokens of a domain.
    pub fn tokens(&self, tokens: &syntax::Tokens, domain: &[Sort], ledger: &mut Ledger) -> Outcome<Tokens> {
        ledger.parts(1, tokens.span)?;
        match &tokens.kind {
            TokensKind::None => Ok(Tokens::none()),
            TokensKind::Plain(amount) => {
                let times = self.constants.count(amount, "a number of tokens", ledger)?;
                match domain.is_empty() {
                    true => Ok(plain(times)),
                    false => Err(ledger.report(self.no_colours(tokens.span, domain))),
                }
            }
            TokensKind::Tuple(elements) => self.tuple(elements, tokens.span, domain, ledger),
            TokensKind::Sum(parts) => {
                let parts: Vec<Outcome<Tokens>> = parts.iter().map(|part| self.tokens(part, domain, ledger)).collect();
                parts.into_iter().collect::<Outcome<Vec<Tokens>>>().map(Tokens::Sum)
            }
            TokensKind::Difference(from, taken) => {
                let (from, taken) = (self.tokens(from, domain, ledger), self.tokens(taken, domain, ledger));
                Ok(Tokens::Difference(Box::new(from?), Box::new(taken?)))
            }
            TokensKind::Times(amount, inner) => {
                let times = self.constants.count(amount, "a number of times", ledger);
                let inner = self.tokens(inner, domain, ledger)?;
                Ok(Tokens::Times(times?, Box::new(inner)))
            }
            TokensKind::When(guard, inner) => {
                let (guard, inner) = (self.guard(guard, ledger), self.tokens(inner, domain, ledger));
                Ok(Tokens::When(Box::new(guard?), Box::new(inner?)))
            }
        }
    }

    fn tuple(&self, elements: &[Bag], span: Span, domain: &[Sort], ledger: &mut Ledger) -> Outcome<Tokens> {
        if elements.len() != domain.len() {
            let found = complaint::counted(elements.len(), "component");
            let problem = Problem::new(span, format!("the tuple has {found}, and the place {}", domain.len()))
                .label(match domain.len() {
                    0 => "tokens of this place have no colour".to_string(),
                    wanted => format!("expected {}", complaint::counted(wanted, "component")),
                })
                .help(match domain.len() {
                    0 => "a place says which colours its tokens have: `place p : People`; a token without colour is `<>`, and several are a number".to_string(),
                    1 => format!("its tokens are of `{}`; several are a sum: `<a> + <b>`", self.shown(domain)),
                    _ => format!("its tokens are tuples of `{}`", self.shown(domain)),
                });
            return Err(ledger.report(problem));
        }
        let elements: Vec<Outcome<Element>> =
            elements.iter().zip(domain).map(|(element, sort)| self.element(element, *sort, ledger)).collect();
        elements.into_iter().collect::<Outcome<Vec<Element>>>().map(Tokens::Tuple)
    }

    fn element(&self, element: &Bag, sort: Sort, ledger: &mut Ledger) -> Outcome<Element> {
        let (_, bag) = self.bag(element, Some(sort.class()), ledger)?;
        match sort {
            Sort::Colour(_) => {
                if let Some(braces) = braces(element) {
                    let problem = Problem::new(braces, "a bag in braces where a colour is expected")
                        .label("tokens of this place have a colour here")
                        .help("leave the braces out: `x + y` is one token for each colour");
                    return Err(ledger.report(problem));
                }
                if let Some(note) = self.no_successor(element) {
                    ledger.note(note);
                }
                Ok(Element::Each(bag))
            }
            Sort::Bag(_) => match bag {
                BagExpression::One(_) if !matches!(element.kind, BagKind::Braces(_)) => {
                    let problem = Problem::new(element.span, "a colour where a bag is expected")
                        .label("tokens of this place have a bag here")
                        .help("put it in braces: `{x}` is the bag that holds it");
                    Err(ledger.report(problem))
                }
                bag => Ok(Element::Whole(bag)),
            },
        }
    }

    /// What is said of `x + 1` in a class whose colours are numbers: it is two tokens, and one is mostly meant.
    fn no_successor(&self, element: &Bag) -> Option<Problem> {
        let (variable, number, sign) = match &element.kind {
            BagKind::Sum(parts) => match &parts[..] {
                [variable, number] => (variable, number, '+'),
                _ => return None,
            },
            BagKind::Difference(variable, number) => (&**variable, &**number, '-'),
            _ => return None,
        };
        let (BagKind::Named(None, variable), BagKind::Named(None, number)) = (&variable.kind, &number.kind) else {
            return None;
        };
        let is_variable = variable.number.is_none() && self.variable_names.contains_key(variable.text.as_str());
        if !is_variable || !number.text.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let name = complaint::shortened(&variable.text);
        let (what, which) = match sign {
            '+' => ("a token of each of both colours", "after"),
            _ => ("a token of the first colour where that is not the second", "before"),
        };
        let problem = Problem::new(element.span, format!("a `{sign}` between colours is for tokens: this is {what}"));
        Some(problem.label(format!("the colour {which} `{name}` is `{name}{sign}{sign}`")))
    }

    /// Tokens without colour where there should be colours.
    pub fn no_colours(&self, span: Span, domain: &[Sort]) -> Problem {
        let components = vec!["..."; domain.len()].join(", ");
        Problem::new(span, "the tokens of this place have colours")
            .label("which ones is not said")
            .help(format!("write `<{components}>`, a tuple of `{}`", self.shown(domain)))
    }

    /// A domain as it is written.
    fn shown(&self, domain: &[Sort]) -> String {
        let name = |sort: &Sort| {
            let name = complaint::shortened(&self.class(sort.class()).name);
            match sort {
                Sort::Colour(_) => name,
                Sort::Bag(_) => format!("bag {name}"),
            }
        };
        domain.iter().map(name).collect::<Vec<_>>().join(" * ")
    }
}

/// So many tokens without colour.
pub(super) fn plain(times: u32) -> Tokens {
    match times {
        0 => Tokens::none(),
        1 => Tokens::neutral(),
        times => Tokens::Times(times, Box::new(Tokens::neutral())),
    }
}

/// Where an expression has braces that hold something.
fn braces(bag: &Bag) -> Option<Span> {
    match &bag.kind {
        BagKind::Braces(parts) => (!parts.is_empty()).then_some(bag.span),
        BagKind::Sum(parts) => parts.iter().find_map(braces),
        BagKind::Difference(from, taken) => braces(from).or_else(|| braces(taken)),
        BagKind::Times(_, of) | BagKind::Shift { of, .. } => braces(of),
        BagKind::All(_) | BagKind::Named(..) => None,
    }
}
