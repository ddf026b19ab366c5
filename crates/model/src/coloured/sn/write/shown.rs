//! Parts of a net as text, as they stand in a picture.

use super::super::super::{ColouredNet, Guard, Place, Sort, Tokens, Transition};
use super::expression::Expressions;
use super::names::Names;
use super::written_sort;

/// Shows parts of a net.
pub struct Shown {
    names: Names,
}

impl Shown {
    /// The parts of a net.
    pub fn new(net: &ColouredNet) -> Shown {
        Shown { names: Names::of(net) }
    }

    /// A domain, as in `Seat * bag Proc`; nothing for the neutral one.
    pub fn domain(&self, domain: &[Sort]) -> String {
        domain.iter().map(|sort| written_sort(*sort, &self.names)).collect::<Vec<_>>().join(" * ")
    }

    /// The initial marking of a place.
    pub fn initial(&self, place: &Place) -> String {
        self.expression(&[], &[], &place.initial)
    }

    /// What stands on an arc of a transition.
    pub fn tokens(&self, transition: &Transition, tokens: &Tokens) -> String {
        let names = self.variables(transition);
        self.expression(&transition.variables, &names, tokens)
    }

    /// The guard of a transition; nothing if it always holds.
    pub fn guard(&self, transition: &Transition) -> String {
        if transition.guard == Guard::Constant(true) {
            return String::new();
        }
        let names = self.variables(transition);
        let variables = &transition.variables;
        Expressions { names: &self.names, variables, variable_names: &names }.guard(&transition.guard)
    }

    fn variables(&self, transition: &Transition) -> Vec<String> {
        super::names::unique(transition.variables.iter().map(|variable| variable.name.as_str()))
    }

    fn expression(&self, variables: &[super::super::super::Variable], names: &[String], tokens: &Tokens) -> String {
        let expressions = Expressions { names: &self.names, variables, variable_names: names };
        match expressions.plain(tokens) {
            Some(1) if !variables.is_empty() => String::new(),
            Some(number) => number.to_string(),
            None => expressions.tokens(tokens),
        }
    }
}
