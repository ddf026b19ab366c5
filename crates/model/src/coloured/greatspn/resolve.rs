//! What the names in an expression mean: from what is written to tokens and guards.

use rustc_hash::{FxHashMap, FxHashSet};

use super::expression::{Addend, Set, Summand, What};
use super::palette::Name;
use super::parse::{Dialect, Setting};
use super::predicate::{Predicate, Side};
use crate::coloured::{BagExpression, ClassOrder, Colours, Element, Guard, Sort, Subclass, Term, Tokens, Variable};
use crate::expression::Comparison;
use crate::text::complaint;
use crate::text::xml::{Fault, fault};
use crate::text::{Problem, Span};

/// Which names are variables.
#[derive(Clone, Copy)]
pub(super) enum Variables<'s> {
    /// None: this is a marking.
    None,
    /// Those that stand on the arcs of the transition. Where they stand says which class they are of.
    OnArcs,
    /// These, of these classes.
    Declared(&'s FxHashMap<String, u32>),
}

/// Constants that stand for tokens: their domain, what they are, and how long they are when written out.
pub(super) type Bags = FxHashMap<String, (Vec<Sort>, Tokens, usize)>;

/// Gives names their meaning, in a transition or in a marking.
pub(super) struct Resolver<'s> {
    pub setting: &'s Setting<'s>,
    pub bags: &'s Bags,
    known: Variables<'s>,
    /// The variables of the transition so far.
    pub variables: Vec<Variable>,
    index: FxHashMap<String, u32>,
    /// The classes whose colours are compared by their order.
    pub compared: FxHashSet<u32>,
}

impl<'s> Resolver<'s> {
    pub fn new(setting: &'s Setting<'s>, bags: &'s Bags, known: Variables<'s>) -> Resolver<'s> {
        let (variables, index, compared) = (Vec::new(), FxHashMap::default(), FxHashSet::default());
        Resolver { setting, bags, known, variables, index, compared }
    }

    fn class_name(&self, class: u32) -> &'s str {
        &self.setting.palette.classes[class as usize].name
    }

    /// Finds the variables on an arc, where arcs say which variables there are.
    pub fn declare(&mut self, domain: &[Sort], addends: &[Addend]) -> Result<(), Fault> {
        let tuples = addends.iter().filter_map(|addend| match &addend.what {
            What::Tuple(components) => Some(components),
            _ => None,
        });
        for (component, sort) in tuples.flat_map(|components| components.iter().zip(domain)) {
            for summand in component {
                if let Set::Named(name, _) = &summand.set {
                    self.declare_one(name, sort.class())?;
                }
            }
        }
        Ok(())
    }

    fn declare_one(&mut self, name: &Name, class: u32) -> Result<(), Fault> {
        if self.setting.palette.colour(class, &name.text).is_some() {
            let what =
                format!("`{}` may be a variable or a colour of the class `{}`", name.text, self.class_name(class));
            let help = "GreatSPN's tools do not agree on what it is: give the variable another name";
            return fault(Problem::new(name.span, what).label("which one?").help(help));
        }
        match self.index.get(&name.text).map(|&index| self.variables[index as usize].sort.class()) {
            Some(before) if before != class => {
                let message = format!("the variable `{}` is of two classes", name.text);
                let label = format!("here it is of the class `{}`", self.class_name(class));
                let help = format!("elsewhere at this transition it is of the class `{}`", self.class_name(before));
                fault(Problem::new(name.span, message).label(label).help(help))
            }
            Some(_) => Ok(()),
            None => {
                self.add(name, class);
                Ok(())
            }
        }
    }

    fn add(&mut self, name: &Name, class: u32) -> u32 {
        let index = self.variables.len() as u32;
        self.variables.push(Variable { name: name.text.clone(), sort: Sort::Colour(class), unique: false });
        self.index.insert(name.text.clone(), index);
        index
    }

    /// The variable with a name, and its class.
    fn variable(&mut self, name: &Name) -> Option<(u32, u32)> {
        if let Some(&index) = self.index.get(&name.text) {
            return Some((index, self.variables[index as usize].sort.class()));
        }
        match self.known {
            Variables::Declared(classes) => {
                let class = *classes.get(&name.text)?;
                Some((self.add(name, class), class))
            }
            Variables::None | Variables::OnArcs => None,
        }
    }

    /// The tokens of a sum of tuples of a domain.
    pub fn tokens(&mut self, domain: &[Sort], addends: &[Addend]) -> Result<Tokens, Fault> {
        let (mut added, mut taken) = (Vec::new(), Vec::new());
        for addend in addends {
            let mut tokens = self.addend(domain, addend)?;
            if addend.factor != 1 {
                tokens = Tokens::Times(addend.factor, Box::new(tokens));
            }
            if let Some(guard) = &addend.guard {
                tokens = Tokens::When(Box::new(self.guard(guard)?), Box::new(tokens));
            }
            if addend.negative { &mut taken } else { &mut added }.push(tokens);
        }
        let all = |mut tokens: Vec<Tokens>| if tokens.len() == 1 { tokens.remove(0) } else { Tokens::Sum(tokens) };
        Ok(match taken.is_empty() {
            true => all(added),
            false => Tokens::Difference(Box::new(all(added)), Box::new(all(taken))),
        })
    }

    fn addend(&mut self, domain: &[Sort], addend: &Addend) -> Result<Tokens, Fault> {
        match &addend.what {
            What::Everything => {
                let all = |sort: &Sort| BagExpression::All(Colours { class: sort.class(), subclass: None });
                Ok(Tokens::Tuple(domain.iter().map(|sort| Element::Each(all(sort))).collect()))
            }
            What::Constant(name) => self.constant(domain, name),
            What::Tuple(components) if components.len() != domain.len() => {
                let message = format!("a tuple of {}", complaint::counted(components.len(), "component"));
                let label = format!("the domain has {}", complaint::counted(domain.len(), "component"));
                let names: Vec<&str> = domain.iter().map(|sort| self.class_name(sort.class())).collect();
                fault(Problem::new(addend.span, message).label(label).help(match names.is_empty() {
                    true => "tokens of this place have no colour: a number is expected".to_owned(),
                    false => format!("the domain is {}", names.join(" * ")),
                }))
            }
            What::Tuple(components) => {
                let elements = components
                    .iter()
                    .zip(domain)
                    .map(|(component, sort)| self.component(sort.class(), component).map(Element::Each));
                Ok(Tokens::Tuple(elements.collect::<Result<_, _>>()?))
            }
        }
    }

    fn constant(&self, domain: &[Sort], name: &Name) -> Result<Tokens, Fault> {
        let Some((of, tokens, length)) = self.bags.get(&name.text) else {
            let known = self.bags.keys().map(String::as_str);
            let none = "a tuple in angle brackets, as `<x>`, is expected".to_owned();
            return Err(Box::new(complaint::unknown(name.span, "constant for tokens", &name.text, known, none)));
        };
        if of != domain {
            let problem = Problem::new(name.span, format!("the constant `{}` has another domain", name.text));
            return fault(problem.label("not for tokens of this place"));
        }
        self.setting.palette.charge(*length, name.span)?;
        Ok(tokens.clone())
    }

    fn component(&mut self, class: u32, component: &[Summand]) -> Result<BagExpression, Fault> {
        let (mut added, mut taken) = (Vec::new(), Vec::new());
        for summand in component {
            let mut bag = self.set(class, &summand.set)?;
            if summand.factor != 1 {
                bag = BagExpression::Times(summand.factor, Box::new(bag));
            }
            if self.setting.dialect == Dialect::Editor && !summand.negative {
                // The editor unites these sets, its old tools add them up: where both are the same, it does not matter.
                let is_set = |bag: &BagExpression| matches!(bag, BagExpression::All(Colours { subclass: Some(_), .. }));
                let apart = added.is_empty() || is_set(&bag) && added.iter().all(is_set) && !added.contains(&bag);
                if !apart || !taken.is_empty() {
                    let problem = Problem::new(summand.span, "a union of sets that may have a colour in common");
                    let label = "only different subclasses may be added, before others are taken away";
                    return fault(problem.label(label).help("add tuples, as in `<x> + <y>`"));
                }
            }
            if summand.negative { &mut taken } else { &mut added }.push(bag);
        }
        let all =
            |mut bags: Vec<BagExpression>| if bags.len() == 1 { bags.remove(0) } else { BagExpression::Sum(bags) };
        Ok(match taken.is_empty() {
            true => all(added),
            false => BagExpression::Difference(Box::new(all(added)), Box::new(all(taken))),
        })
    }

    fn set(&mut self, class: u32, set: &Set) -> Result<BagExpression, Fault> {
        let colours = |subclass| BagExpression::All(Colours { class, subclass });
        match set {
            Set::All => Ok(colours(None)),
            Set::Subclass(name) => Ok(colours(Some(self.subclass(class, name)?))),
            Set::Nth(number, span) => Ok(colours(Some(self.nth(class, *number, *span)?))),
            Set::SubclassOf(name) => {
                let problem = Problem::new(name.span, "the subclass of a variable is not read as a set of tokens");
                fault(problem.label("not understood here").help("write one guarded tuple per subclass"))
            }
            Set::Named(name, steps) => match self.known_set(class, name) {
                Some(subclass) if *steps == 0 => Ok(colours(subclass)),
                Some(_) => {
                    let problem = Problem::new(name.span, format!("`{}` is a set of colours", name.text));
                    fault(problem.label("a set has no successor"))
                }
                None => Ok(BagExpression::One(self.term(class, name, *steps)?)),
            },
        }
    }

    /// The set of colours that a name stands for, if it does: `Some(None)` is the whole class.
    fn known_set(&mut self, class: u32, name: &Name) -> Option<Option<u32>> {
        if self.setting.dialect == Dialect::Net || self.variable(name).is_some() {
            return None;
        }
        match self.setting.palette.subclass(class, &name.text) {
            Some(subclass) => Some(Some(subclass)),
            None => (self.class_name(class) == name.text).then_some(None),
        }
    }

    /// A colour of a class.
    fn term(&mut self, class: u32, name: &Name, steps: i64) -> Result<Term, Fault> {
        let palette = self.setting.palette;
        let term = match self.variable(name) {
            Some((index, of)) if of == class => Term::Variable(index),
            Some((_, of)) => {
                let message = format!("the variable `{}` is of the class `{}`", name.text, self.class_name(of));
                let label = format!("a colour of the class `{}` is expected", self.class_name(class));
                return fault(Problem::new(name.span, message).label(label));
            }
            None => match palette.colour(class, &name.text) {
                Some(colour) => Term::Constant { class, colour },
                None => return Err(Box::new(self.unknown(class, name))),
            },
        };
        if steps != 0 && palette.classes[class as usize].order != ClassOrder::Circular {
            let message = format!("the class `{}` has no order to step through", self.class_name(class));
            let help = match self.setting.dialect {
                Dialect::Net => "a class with an order begins with `o`",
                Dialect::Editor => "a class with an order begins with `circular`",
            };
            return fault(Problem::new(name.span, message).label("no successor").help(help));
        }
        Ok(term.shifted(steps))
    }

    fn unknown(&self, class: u32, name: &Name) -> Problem {
        let what = match self.known {
            Variables::None => "colour",
            Variables::OnArcs => "variable or colour",
            Variables::Declared(_) => "variable, colour or subclass",
        };
        let class = &self.setting.palette.classes[class as usize];
        let variables: Vec<&str> = match self.known {
            Variables::Declared(classes) => classes.keys().map(String::as_str).collect(),
            _ => self.variables.iter().map(|variable| variable.name.as_str()).collect(),
        };
        let subclasses: &[Subclass] = if self.setting.dialect == Dialect::Editor { &class.subclasses } else { &[] };
        let subclasses = subclasses.iter().map(|subclass| subclass.name.as_str());
        let colours: Vec<String> = (0..class.len().min(100)).map(|colour| class.name_of(colour).into_owned()).collect();
        let known = variables.iter().copied().chain(subclasses).chain(colours.iter().map(String::as_str));
        complaint::unknown(name.span, what, &name.text, known, String::new())
    }

    fn subclass(&self, class: u32, name: &Name) -> Result<u32, Fault> {
        self.setting.palette.subclass(class, &name.text).ok_or_else(|| {
            let names = self.setting.palette.classes[class as usize].subclasses.iter().map(|one| one.name.as_str());
            let none = format!("the class `{}` has no subclasses", self.class_name(class));
            Box::new(complaint::unknown(name.span, "subclass", &name.text, names, none))
        })
    }

    /// A subclass by its number, from 1 on.
    fn nth(&self, class: u32, number: i64, span: Span) -> Result<u32, Fault> {
        let count = self.setting.palette.classes[class as usize].subclasses.len();
        match u32::try_from(number) {
            Ok(number) if number > 0 && number as usize <= count => Ok(number - 1),
            _ => {
                let message = format!("the class `{}` has no subclass {number}", self.class_name(class));
                fault(Problem::new(span, message).label(format!("it has {}", complaint::counted(count, "subclass"))))
            }
        }
    }

    /// The guard of a predicate.
    pub fn guard(&mut self, predicate: &Predicate) -> Result<Guard, Fault> {
        let mut all = |parts: &[Predicate]| parts.iter().map(|part| self.guard(part)).collect::<Result<Vec<_>, _>>();
        match predicate {
            Predicate::Constant(value) => Ok(Guard::Constant(*value)),
            Predicate::And(parts) => Ok(Guard::And(all(parts)?)),
            Predicate::Or(parts) => Ok(Guard::Or(all(parts)?)),
            Predicate::Not(inner) => Ok(Guard::Not(Box::new(self.guard(inner)?))),
            Predicate::In(side, set, span) => self.inside(side, set, *span),
            Predicate::Compare(comparison, left, right, span) => self.compare(*comparison, left, right, *span),
        }
    }

    fn compare(&mut self, by: Comparison, left: &Side, right: &Side, span: Span) -> Result<Guard, Fault> {
        let guard = match (left, right) {
            (Side::Named(left, before), Side::Named(right, after)) => {
                let class = match (self.variable(left), self.variable(right)) {
                    (Some((_, class)), _) | (None, Some((_, class))) => class,
                    (None, None) => return self.no_variable(left, span),
                };
                let (left, right) = (self.term(class, left, *before)?, self.term(class, right, *after)?);
                if !matches!(by, Comparison::Equal | Comparison::NotEqual) {
                    self.compared.insert(class);
                }
                return Ok(Guard::Compare(by, left, right));
            }
            (Side::SubclassOf(left), Side::SubclassOf(right)) => self.same_subclass(left, right, span)?,
            (Side::SubclassOf(name), other) | (other, Side::SubclassOf(name)) => {
                let (index, class) = self.of_subclass(name)?;
                let subclass = match other {
                    Side::Nth(number, span) => Some(self.nth(class, *number, *span)?),
                    Side::Named(set, 0) if set.text == self.class_name(class) => None,
                    Side::Named(set, 0) => Some(self.subclass(class, set)?),
                    _ => {
                        let problem = Problem::new(span, "a subclass is compared with a colour");
                        return fault(problem.label("a subclass is expected on both sides"));
                    }
                };
                member(Term::Variable(index), class, subclass)
            }
            (Side::Nth(..), _) | (_, Side::Nth(..)) => {
                let problem = Problem::new(span, "a number is no colour");
                return fault(problem.label("numbers are subclasses, as in `d(x) = 1`"));
            }
        };
        match by {
            Comparison::Equal => Ok(guard),
            Comparison::NotEqual => Ok(Guard::Not(Box::new(guard))),
            _ => fault(Problem::new(span, "subclasses have no order").label("only `=` and `<>` are for these")),
        }
    }

    fn no_variable<T>(&mut self, name: &Name, span: Span) -> Result<T, Fault> {
        let problem = Problem::new(span, "a comparison without a variable");
        let problem = problem.label(format!("`{}` is no variable here", name.text));
        fault(match self.known {
            Variables::OnArcs => problem.help("variables are those that stand on the arcs of the transition"),
            _ => problem.help("one side must be a variable"),
        })
    }

    /// The variable in `d(x)`.
    fn of_subclass(&mut self, name: &Name) -> Result<(u32, u32), Fault> {
        match self.variable(name) {
            Some(found) => Ok(found),
            None => self.no_variable(name, name.span),
        }
    }

    fn same_subclass(&mut self, left: &Name, right: &Name, span: Span) -> Result<Guard, Fault> {
        let ((left, class), (right, other)) = (self.of_subclass(left)?, self.of_subclass(right)?);
        if class != other {
            let problem = Problem::new(span, "subclasses of different classes are compared");
            let (class, other) = (self.class_name(class), self.class_name(other));
            return fault(problem.label(format!("one is of `{class}`, the other of `{other}`")));
        }
        let count = self.setting.palette.classes[class as usize].subclasses.len();
        if count == 0 {
            return Ok(Guard::Constant(true));
        }
        self.setting.palette.charge(count, span)?;
        let both = |subclass| {
            let one = |variable| member(Term::Variable(variable), class, Some(subclass));
            Guard::And(vec![one(left), one(right)])
        };
        Ok(Guard::Or((0..count as u32).map(both).collect()))
    }

    fn inside(&mut self, side: &Side, set: &Set, span: Span) -> Result<Guard, Fault> {
        let Side::Named(name, steps) = side else {
            return fault(Problem::new(span, "a colour is expected before `in`").label("this is a subclass"));
        };
        let Some((_, class)) = self.variable(name) else { return self.no_variable(name, span) };
        let term = self.term(class, name, *steps)?;
        match set {
            Set::All => Ok(Guard::Constant(true)),
            Set::Subclass(name) => Ok(member(term, class, Some(self.subclass(class, name)?))),
            Set::Nth(number, span) => Ok(member(term, class, Some(self.nth(class, *number, *span)?))),
            Set::SubclassOf(other) if *steps == 0 => self.same_subclass(name, other, span),
            Set::SubclassOf(_) => {
                fault(Problem::new(span, "the subclass of a successor is not read").label("not understood here"))
            }
            Set::Named(other, after) => match self.known_set(class, other) {
                Some(subclass) if *after == 0 => Ok(member(term, class, subclass)),
                _ => Ok(Guard::Compare(Comparison::Equal, term, self.term(class, other, *after)?)),
            },
        }
    }
}

fn member(term: Term, class: u32, subclass: Option<u32>) -> Guard {
    Guard::Member(term, Colours { class, subclass })
}
