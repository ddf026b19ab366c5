//! Writing terms, bags and guards.

use super::NotWritable;
use super::declare::Declared;
use crate::coloured::pnml::tree::DEEPEST;
use crate::coloured::{BagExpression, ColouredNet, Colours, Element, Guard, Term, Tokens};
use crate::expression::Comparison;
use crate::pnml::escape::escaped;
use std::fmt::Write;

/// Writes the terms of a place or a transition.
pub(super) struct Terms<'t> {
    pub out: &'t mut String,
    pub net: &'t ColouredNet,
    pub declared: &'t Declared,
    /// The ids of the variables.
    pub variables: &'t [String],
    /// The place or transition.
    pub at: &'t str,
}

type Done = Result<(), NotWritable>;

impl Terms<'_> {
    fn bags(&self) -> NotWritable {
        NotWritable::Bags { at: self.at.to_owned() }
    }

    fn malformed(&self) -> NotWritable {
        NotWritable::Malformed { at: self.at.to_owned() }
    }

    fn check_depth(&self, depth: u32) -> Done {
        if depth >= DEEPEST { Err(NotWritable::TooDeep { at: self.at.to_owned() }) } else { Ok(()) }
    }

    /// An operator with its operands.
    fn operator<T>(&mut self, name: &str, operands: &[T], mut write: impl FnMut(&mut Self, &T) -> Done) -> Done {
        let _ = write!(self.out, "<{name}>");
        for operand in operands {
            self.out.push_str("<subterm>");
            write(self, operand)?;
            self.out.push_str("</subterm>");
        }
        let _ = write!(self.out, "</{name}>");
        Ok(())
    }

    /// So many times what is written next.
    fn number_of(&mut self, factor: u32, write: impl FnOnce(&mut Self) -> Done) -> Done {
        // What is read as a number is no greater than this.
        if i32::try_from(factor).is_err() {
            return Err(self.malformed());
        }
        let _ = write!(
            self.out,
            "<numberof><subterm><numberconstant value=\"{factor}\"><positive/></numberconstant></subterm><subterm>"
        );
        write(self)?;
        self.out.push_str("</subterm></numberof>");
        Ok(())
    }

    fn empty(&mut self, sort: &str) -> Done {
        let _ = write!(self.out, "<empty><usersort declaration=\"{}\"/></empty>", escaped(sort));
        Ok(())
    }

    /// Tokens of a place.
    pub fn tokens(&mut self, tokens: &Tokens, place: usize, depth: u32) -> Done {
        match tokens {
            Tokens::Tuple(elements) => match elements.as_slice() {
                [Element::Each(bag)] if !matches!(bag, BagExpression::One(_)) => self.bag(bag, depth),
                _ => self.number_of(1, |terms| terms.tuple(elements, depth + 1)),
            },
            _ => self.unwrapped(tokens, place, depth),
        }
    }

    /// Tokens of a place, without a number where there is one token.
    fn unwrapped(&mut self, tokens: &Tokens, place: usize, depth: u32) -> Done {
        self.check_depth(depth)?;
        match tokens {
            Tokens::Tuple(elements) => self.tuple(elements, depth),
            Tokens::Sum(parts) => match parts.as_slice() {
                [] => self.empty(self.declared.sort_of_place(place)),
                [only] => self.tokens(only, place, depth),
                parts => self.operator("add", parts, |terms, part| terms.tokens(part, place, depth + 1)),
            },
            Tokens::Difference(from, taken) => {
                let taken = match taken.as_ref() {
                    Tokens::Sum(parts) if !parts.is_empty() => parts.iter().collect(),
                    taken => vec![taken],
                };
                let operands: Vec<&Tokens> = std::iter::once(from.as_ref()).chain(taken).collect();
                self.operator("subtract", &operands, |terms, part| terms.tokens(part, place, depth + 1))
            }
            Tokens::Times(factor, inner) => self.number_of(*factor, |terms| terms.unwrapped(inner, place, depth + 1)),
            Tokens::When(..) => Err(NotWritable::Conditional { at: self.at.to_owned() }),
        }
    }

    fn tuple(&mut self, elements: &[Element], depth: u32) -> Done {
        let element = |terms: &mut Self, element: &Element, depth| match element {
            Element::Each(bag) => terms.bag(bag, depth),
            Element::Whole(_) => Err(terms.bags()),
        };
        match elements {
            [] => {
                self.out.push_str("<dotconstant/>");
                Ok(())
            }
            [only] => element(self, only, depth),
            elements => self.operator("tuple", elements, |terms, one| element(terms, one, depth + 1)),
        }
    }

    fn bag(&mut self, bag: &BagExpression, depth: u32) -> Done {
        self.check_depth(depth)?;
        match bag {
            BagExpression::One(term) => self.term(term, depth),
            BagExpression::All(set) => self.all(*set),
            BagExpression::Variable(_) => Err(self.bags()),
            BagExpression::Sum(parts) => match parts.as_slice() {
                // Without a sort, which is that of the others.
                [] => {
                    self.out.push_str("<empty/>");
                    Ok(())
                }
                [only] => self.bag(only, depth),
                parts => self.operator("add", parts, |terms, part| terms.bag(part, depth + 1)),
            },
            BagExpression::Difference(from, taken) => {
                let taken = match taken.as_ref() {
                    BagExpression::Sum(parts) if !parts.is_empty() => parts.iter().collect(),
                    taken => vec![taken],
                };
                let operands: Vec<&BagExpression> = std::iter::once(from.as_ref()).chain(taken).collect();
                self.operator("subtract", &operands, |terms, part| terms.bag(part, depth + 1))
            }
            BagExpression::Times(factor, inner) => self.number_of(*factor, |terms| terms.bag(inner, depth + 1)),
        }
    }

    fn all(&mut self, set: Colours) -> Done {
        let declared = self.declared;
        if set.class as usize >= self.net.classes.len() {
            return Err(self.malformed());
        }
        let _ = match set.subclass {
            None => write!(self.out, "<all><usersort declaration=\"{}\"/></all>", escaped(declared.class(set.class))),
            Some(subclass) => {
                let id = declared.subclass(set.class, subclass).ok_or_else(|| self.malformed())?;
                write!(self.out, "<useroperator declaration=\"{}\"/>", escaped(id))
            }
        };
        Ok(())
    }

    fn term(&mut self, term: &Term, depth: u32) -> Done {
        self.check_depth(depth)?;
        match term {
            Term::Constant { class, colour } => {
                let constant = self.declared.constant(self.net, *class, *colour);
                self.out.push_str(&constant.ok_or_else(|| self.malformed())?);
                Ok(())
            }
            Term::Variable(variable) => {
                let id = self.variables.get(*variable as usize).ok_or_else(|| self.malformed())?;
                let _ = write!(self.out, "<variable refvariable=\"{}\"/>", escaped(id));
                Ok(())
            }
            Term::Shift(inner, steps) => {
                let name = if *steps > 0 { "successor" } else { "predecessor" };
                let steps = u32::try_from(steps.unsigned_abs()).unwrap_or(u32::MAX);
                self.check_depth(depth.saturating_add(steps))?;
                for _ in 0..steps {
                    let _ = write!(self.out, "<{name}><subterm>");
                }
                self.term(inner, depth + steps)?;
                for _ in 0..steps {
                    let _ = write!(self.out, "</subterm></{name}>");
                }
                Ok(())
            }
        }
    }

    /// A guard.
    pub fn guard(&mut self, guard: &Guard, depth: u32) -> Done {
        self.check_depth(depth)?;
        match guard {
            Guard::Constant(value) => {
                let _ = write!(self.out, "<booleanconstant value=\"{value}\"/>");
                Ok(())
            }
            Guard::Compare(comparison, left, right) => {
                let name = match comparison {
                    Comparison::Equal => "equality",
                    Comparison::NotEqual => "inequality",
                    Comparison::Less => "lessthan",
                    Comparison::LessOrEqual => "lessthanorequal",
                    Comparison::Greater => "greaterthan",
                    Comparison::GreaterOrEqual => "greaterthanorequal",
                };
                self.operator(name, &[left, right], |terms, side| terms.term(side, depth + 1))
            }
            Guard::Member(term, Colours { subclass: None, .. }) => {
                self.operator("equality", &[term, term], |terms, side| terms.term(side, depth + 1))
            }
            Guard::Member(term, Colours { class, subclass: Some(subclass) }) => {
                let declared = self.declared;
                let ids = (declared.partition(*class, *subclass), declared.subclass(*class, *subclass));
                let (Some(partition), Some(element)) = ids else { return Err(self.malformed()) };
                let partition = escaped(partition);
                let _ =
                    write!(self.out, "<equality><subterm><partitionelementof refpartition=\"{partition}\"><subterm>");
                self.term(term, depth + 2)?;
                let element = escaped(element);
                let _ = write!(
                    self.out,
                    "</subterm></partitionelementof></subterm><subterm><useroperator declaration=\"{element}\"/></subterm></equality>"
                );
                Ok(())
            }
            Guard::Cardinality(..) | Guard::Included(..) | Guard::SameBag(..) => Err(self.bags()),
            Guard::Not(inner) => self.operator("not", &[inner], |terms, inner| terms.guard(inner, depth + 1)),
            Guard::And(parts) if parts.is_empty() => self.guard(&Guard::Constant(true), depth),
            Guard::Or(parts) if parts.is_empty() => self.guard(&Guard::Constant(false), depth),
            Guard::And(parts) | Guard::Or(parts) if parts.len() == 1 => self.guard(&parts[0], depth),
            Guard::And(parts) => self.operator("and", parts, |terms, part| terms.guard(part, depth + 1)),
            Guard::Or(parts) => self.operator("or", parts, |terms, part| terms.guard(part, depth + 1)),
        }
    }
}
