//! What names mean in an expression: variables, colours, sets of colours.

use rustc_hash::FxHashMap;

use super::super::super::class::{Class, ClassOrder, Colours};
use super::super::super::expression::{BagExpression, Term};
use super::super::super::{Sort, Variable};
use super::super::syntax::{Bag, BagKind};
use super::class::{Index, no_colour};
use super::constants::Constants;
use crate::gal::ledger::{Ledger, Outcome, Stop, complaint};
use crate::gal::syntax::{ColourName, Name};
use crate::text::{Problem, Span};

/// The names that an expression may use.
pub(super) struct Scope<'e> {
    pub classes: &'e [Class],
    pub indices: &'e [Index],
    pub class_names: &'e FxHashMap<String, u32>,
    pub constants: &'e Constants<'e>,
    pub variables: &'e [Variable],
    pub variable_names: FxHashMap<&'e str, u32>,
    /// Where there are no variables, why.
    pub without_variables: Option<&'static str>,
}

/// What a name means.
enum Found {
    Colour(Term),
    Set(Colours),
    Bag(u32),
}

impl<'e> Scope<'e> {
    /// The same with variables.
    pub fn inside<'s>(&self, variables: &'s [Variable], names: FxHashMap<&'s str, u32>) -> Scope<'s>
    where
        'e: 's,
    {
        Scope {
            classes: self.classes,
            indices: self.indices,
            class_names: self.class_names,
            constants: self.constants,
            variables,
            variable_names: names,
            without_variables: None,
        }
    }

    pub fn class(&self, class: u32) -> &'e Class {
        &self.classes[class as usize]
    }

    /// The class with a name.
    pub fn class_named(&self, name: &Name, ledger: &mut Ledger) -> Outcome<u32> {
        class_named(self.class_names, name, ledger)
    }

    /// The class of the colours of an expression, as far as its names alone tell.
    pub fn class_of(&self, bag: &Bag) -> Option<u32> {
        match &bag.kind {
            BagKind::Named(Some(class), _) | BagKind::All(Some(class)) => {
                self.class_names.get(class.text.as_str()).copied()
            }
            BagKind::Named(None, name) if name.number.is_none() => {
                let variable = self.variable_names.get(name.text.as_str())?;
                Some(self.variables[*variable as usize].sort.class())
            }
            BagKind::Named(..) | BagKind::All(None) => None,
            BagKind::Shift { of, .. } | BagKind::Times(_, of) => self.class_of(of),
            BagKind::Braces(parts) | BagKind::Sum(parts) => parts.iter().find_map(|part| self.class_of(part)),
            BagKind::Difference(from, taken) => self.class_of(from).or_else(|| self.class_of(taken)),
        }
    }

    /// Whether an expression stands for a bag even where a colour would do.
    pub fn is_bag(&self, bag: &Bag) -> bool {
        match &bag.kind {
            BagKind::Named(None, name) if name.number.is_none() => {
                let variable = self.variable_names.get(name.text.as_str());
                variable.is_some_and(|&variable| matches!(self.variables[variable as usize].sort, Sort::Bag(_)))
            }
            BagKind::Named(..) | BagKind::Shift { .. } => false,
            _ => true,
        }
    }

    /// A bag of colours of a class, which is found out if it is not given.
    pub fn bag(&self, bag: &Bag, class: Option<u32>, ledger: &mut Ledger) -> Outcome<(u32, BagExpression)> {
        let parts = |parts: &[Bag], class, ledger: &mut Ledger| -> Outcome<(u32, Vec<BagExpression>)> {
            let mut class: Option<u32> = class;
            let mut list = Vec::with_capacity(parts.len());
            let mut failed = None;
            for part in parts {
                match self.bag(part, class, ledger) {
                    Ok((of, part)) => {
                        class = Some(of);
                        list.push(part);
                    }
                    Err(stop) => failed = Some(stop),
                }
            }
            match (failed, class) {
                (Some(stop), _) => Err(stop),
                (None, Some(class)) => Ok((class, list)),
                (None, None) => Err(ledger.report(unknown_class(bag.span))),
            }
        };
        if ledger.is_exhausted() {
            return Err(Stop);
        }
        ledger.parts(1, bag.span)?;
        match &bag.kind {
            BagKind::Named(of, name) => {
                let (class, found) = self.named(of.as_ref(), name, bag.span, class, ledger)?;
                Ok((
                    class,
                    match found {
                        Found::Colour(term) => BagExpression::One(term),
                        Found::Set(set) => BagExpression::All(set),
                        Found::Bag(variable) => BagExpression::Variable(variable),
                    },
                ))
            }
            BagKind::All(of) => {
                let named = of.as_ref().map(|of| self.class_named(of, ledger)).transpose()?;
                let class = self.same_class(named.or(class), class, bag.span, ledger)?;
                Ok((class, BagExpression::All(Colours { class, subclass: None })))
            }
            BagKind::Braces(list) => {
                let (class, mut list) = parts(list, class, ledger)?;
                Ok((class, if list.len() == 1 { list.swap_remove(0) } else { BagExpression::Sum(list) }))
            }
            BagKind::Sum(list) => {
                let class = class.or_else(|| self.class_of(bag));
                parts(list, class, ledger).map(|(class, list)| (class, BagExpression::Sum(list)))
            }
            BagKind::Difference(from, taken) => {
                let class = class.or_else(|| self.class_of(bag));
                let from = self.bag(from, class, ledger);
                let class = class.or(from.as_ref().ok().map(|(class, _)| *class));
                let (class, taken) = self.bag(taken, class, ledger)?;
                Ok((class, BagExpression::Difference(Box::new(from?.1), Box::new(taken))))
            }
            BagKind::Times(amount, of) => {
                let times = self.constants.count(amount, "a number of times", ledger);
                let (class, of) = self.bag(of, class, ledger)?;
                Ok((class, BagExpression::Times(times?, Box::new(of))))
            }
            BagKind::Shift { of, forward, steps } => {
                let steps = match steps {
                    Some(steps) => self.constants.count(steps, "a number of steps", ledger).map(i64::from),
                    None => Ok(1),
                };
                let (class, inner) = self.bag(of, class, ledger)?;
                let steps = steps.map(|steps| if *forward { steps } else { -steps })?;
                self.shifted(class, inner, steps, bag.span, ledger).map(|term| (class, BagExpression::One(term)))
            }
        }
    }

    /// A colour of a class.
    pub fn term(&self, bag: &Bag, class: Option<u32>, ledger: &mut Ledger) -> Outcome<(u32, Term)> {
        match self.bag(bag, class, ledger)? {
            (class, BagExpression::One(term)) => Ok((class, term)),
            _ => {
                let problem =
                    Problem::new(bag.span, "expected a colour, found a bag of colours").label("this is a bag");
                Err(ledger.report(match bag.kind {
                    BagKind::Sum(_) | BagKind::Difference(..) => {
                        problem.help("the colour after `x` is `x++`, and the one before it `x--`")
                    }
                    _ => problem,
                }))
            }
        }
    }

    fn shifted(&self, class: u32, inner: BagExpression, steps: i64, span: Span, ledger: &mut Ledger) -> Outcome<Term> {
        let BagExpression::One(term) = inner else {
            let problem = Problem::new(span, "only a colour has a successor and a predecessor").label("this is a bag");
            return Err(ledger.report(problem));
        };
        let of = self.class(class);
        if of.order == ClassOrder::Unordered {
            let name = complaint::shortened(&of.name);
            let problem = Problem::new(span, format!("the colours of `{name}` have no order"))
                .label("so none comes before or after another")
                .help(format!("declare `class {name} circular = ...`, or `linear`"));
            return Err(ledger.report(problem));
        }
        if let Term::Constant { colour, .. } = term
            && of.shift(colour, steps).is_none()
        {
            let problem =
                Problem::new(span, format!("there is no such colour of `{}`", complaint::shortened(&of.name)))
                    .label(format!("`{}` has no colour so far away", of.name_of(colour)))
                    .help("only a `circular` class begins again after its last colour");
            return Err(ledger.report(problem));
        }
        Ok(term.shifted(steps))
    }

    fn same_class(&self, found: Option<u32>, wanted: Option<u32>, span: Span, ledger: &mut Ledger) -> Outcome<u32> {
        let Some(found) = found else { return Err(ledger.report(unknown_class(span))) };
        match wanted {
            Some(wanted) if wanted != found => Err(self.wrong_class(found, wanted, span, "this", ledger)),
            _ => Ok(found),
        }
    }

    fn wrong_class(&self, found: u32, wanted: u32, span: Span, what: &str, ledger: &mut Ledger) -> Stop {
        let [found, wanted] = [found, wanted].map(|class| complaint::shortened(&self.class(class).name));
        let problem = Problem::new(span, format!("expected the class `{wanted}`, found `{found}`"))
            .label(format!("{what} is of the class `{found}`"));
        ledger.report(problem)
    }

    fn named(
        &self, of: Option<&Name>, name: &ColourName, span: Span, class: Option<u32>, ledger: &mut Ledger,
    ) -> Outcome<(u32, Found)> {
        if let (None, None, Some(&variable)) = (of, &name.number, self.variable_names.get(name.text.as_str())) {
            let sort = self.variables[variable as usize].sort;
            if let Some(wanted) = class.filter(|&wanted| wanted != sort.class()) {
                let what = format!("the variable `{}`", complaint::shortened(&name.text));
                return Err(self.wrong_class(sort.class(), wanted, span, &what, ledger));
            }
            let found = match sort {
                Sort::Colour(_) => Found::Colour(Term::Variable(variable)),
                Sort::Bag(_) => Found::Bag(variable),
            };
            return Ok((sort.class(), found));
        }
        let text = self.constants.name(name, ledger)?;
        let class = match of {
            Some(of) => Some(self.same_class(Some(self.class_named(of, ledger)?), class, span, ledger)?),
            None => class,
        };
        match class {
            Some(class) => match self.find(class, &text) {
                Some(found) => Ok((class, found)),
                None => Err(ledger.report(self.unknown(class, &text, span))),
            },
            None => {
                let found: Vec<u32> =
                    (0..).zip(self.classes).map(|(class, _)| class).filter(|&class| self.has(class, &text)).collect();
                match found[..] {
                    [class] => Ok((class, self.find(class, &text).ok_or(Stop)?)),
                    [] => {
                        let names = self.variable_names.keys().copied();
                        Err(ledger.report(complaint::unknown(span, "variable or colour", &text, names)))
                    }
                    [first, second, ..] => {
                        let [first, second] =
                            [first, second].map(|class| complaint::shortened(&self.class(class).name));
                        let text = complaint::shortened(&text);
                        let problem = Problem::new(span, format!("`{text}` is a colour of several classes"))
                            .label("which one is not known")
                            .help(format!("write `{first}:{text}` or `{second}:{text}`"));
                        Err(ledger.report(problem))
                    }
                }
            }
        }
    }

    fn find(&self, class: u32, name: &str) -> Option<Found> {
        let of = self.class(class);
        if let Some(colour) = self.indices[class as usize].find(of, name) {
            return Some(Found::Colour(Term::Constant { class, colour }));
        }
        let subclass = of.subclasses.iter().position(|one| one.name == name).map(|index| index as u32);
        let is_set = subclass.is_some() || of.name == name;
        is_set.then_some(Found::Set(Colours { class, subclass }))
    }

    fn has(&self, class: u32, name: &str) -> bool {
        let of = self.class(class);
        self.indices[class as usize].find(of, name).is_some() || of.subclasses.iter().any(|one| one.name == name)
    }

    /// A name that means nothing where a colour of a class is expected.
    fn unknown(&self, class: u32, name: &str, span: Span) -> Problem {
        let of = self.class(class);
        let variables = self.variables.iter().filter(|one| one.sort.class() == class).map(|one| one.name.as_str());
        let sets = of.subclasses.iter().map(|one| one.name.as_str());
        let words: Vec<&str> = variables.chain(sets).chain(["all"]).collect();
        let mut problem = no_colour(span, of, name);
        let is_word = !name.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        if self.without_variables.is_none() && is_word {
            let (class, name) = (complaint::shortened(&of.name), complaint::shortened(name));
            problem.message = format!("there is no variable `{name}`, and no such colour of `{class}`");
        }
        let is_near_colour = problem.help.as_deref().is_some_and(|help| help.starts_with("did you mean"));
        if !is_near_colour && let Some(word) = crate::text::suggest::nearest(name, words) {
            problem = problem.help(format!("did you mean `{word}`?"));
        } else if let Some(other) = (0..).zip(self.classes).find(|&(other, _)| self.has(other, name)) {
            problem = problem.help(format!("it is of the class `{}`", complaint::shortened(&other.1.name)));
        } else if let Some(why) = self.without_variables.filter(|_| !is_near_colour) {
            let looks_like_a_variable = name.chars().next().is_some_and(char::is_alphabetic);
            if looks_like_a_variable {
                problem = problem.help(why);
            }
        } else if self.without_variables.is_none() && is_word && !is_near_colour {
            let class = complaint::shortened(&of.name);
            let help = format!("a variable is declared after the name of the transition: `transition t ({class} x)`");
            problem = problem.help(help);
        }
        problem
    }
}

/// The class with a name.
pub(super) fn class_named(names: &FxHashMap<String, u32>, name: &Name, ledger: &mut Ledger) -> Outcome<u32> {
    names.get(name.text.as_str()).copied().ok_or_else(|| {
        ledger.report(complaint::unknown(name.span(), "class", &name.text, names.keys().map(String::as_str)))
    })
}

fn unknown_class(span: Span) -> Problem {
    Problem::new(span, "of which class this is, is not known")
        .label("nothing here says it")
        .help("put the name of the class before it, as in `People:all`")
}
