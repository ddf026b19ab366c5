//! The colour classes of a net while it is read: how they are made, and what their colours are called.

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::coloured::{Class, ClassOrder, Names, Subclass};
use crate::text::xml::{Fault, fault};
use crate::text::{Problem, Span};

/// How many colours are listed by name in all classes together. More are for ranges, which need no list.
const MOST_LISTED: u64 = 1_000_000;

/// How much is copied at most: definitions that are used again and again, and comparisons that are spelt out.
const MOST_COPIED: u64 = 2_000_000;

/// A name and where it is.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub text: String,
    pub span: Span,
}

/// Some colours of a class that stand together in its definition: a static subclass.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// What the subclass is called.
    pub name: Option<Name>,
    pub colours: PartColours,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum PartColours {
    /// `{a, b, c}`
    Listed(Vec<Name>),
    /// `p{1..4}`
    Range { prefix: String, first: i64, count: u32 },
}

/// The classes, and what is needed to find things in them.
#[derive(Debug, Default)]
pub(super) struct Palette {
    pub classes: Vec<Class>,
    by_name: FxHashMap<String, u32>,
    /// For each class: where a colour is in a list.
    listed: Vec<FxHashMap<String, u32>>,
    names: u64,
    copied: Cell<u64>,
}

impl PartColours {
    fn count(&self) -> u64 {
        match self {
            PartColours::Listed(names) => names.len() as u64,
            PartColours::Range { count, .. } => u64::from(*count),
        }
    }
}

impl Palette {
    /// Adds a class.
    pub fn add(&mut self, name: &Name, order: ClassOrder, parts: Vec<Part>) -> Result<(), Fault> {
        let count: u64 = parts.iter().map(|part| part.colours.count()).sum();
        if count > u64::from(u32::MAX) {
            let problem = Problem::new(name.span, format!("the class `{}` has too many colours", name.text));
            return fault(problem.label(format!("{count} colours")).help(format!("at most {} are", u32::MAX)));
        }
        let names = match one_range(&parts) {
            Some(range) => range,
            None => self.list(name, count, &parts)?,
        };
        let subclasses = subclasses(&name.text, &parts)?;
        let mut listed = FxHashMap::default();
        if let Names::Listed(names) = &names {
            listed.extend(names.iter().cloned().zip(0..));
        }
        self.by_name.insert(name.text.clone(), self.classes.len() as u32);
        self.classes.push(Class { name: name.text.clone(), names, order, subclasses });
        self.listed.push(listed);
        Ok(())
    }

    /// All colours by their names, of which no two may be alike.
    fn list(&mut self, class: &Name, count: u64, parts: &[Part]) -> Result<Names, Fault> {
        self.names += count;
        if self.names > MOST_LISTED {
            let problem = Problem::new(class.span, format!("the class `{}` has too many colours", class.text));
            let problem = problem.label(format!("more than {MOST_LISTED} names with those before"));
            return fault(problem.help("a class that is one range, as `c{1..1000000}`, may have more"));
        }
        let mut names = Vec::with_capacity(count as usize);
        let mut known = FxHashSet::default();
        let mut add = |name: String, span: Span| {
            if !known.insert(name.clone()) {
                let problem = Problem::new(span, format!("the class `{}` has two colours `{name}`", class.text));
                return fault(problem.label("this is there already"));
            }
            names.push(name);
            Ok(())
        };
        for part in parts {
            match &part.colours {
                PartColours::Listed(names) => names.iter().try_for_each(|name| add(name.text.clone(), name.span))?,
                PartColours::Range { prefix, first, count } => (0..i64::from(*count))
                    .try_for_each(|index| add(format!("{prefix}{}", first.saturating_add(index)), part.span))?,
            }
        }
        Ok(Names::Listed(names))
    }

    /// The class with a name.
    pub fn class(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// The names of the classes.
    pub fn class_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.classes.iter().map(|class| class.name.as_str())
    }

    /// The colour of a class with a name.
    pub fn colour(&self, class: u32, name: &str) -> Option<u32> {
        match &self.classes[class as usize].names {
            Names::Listed(_) => self.listed[class as usize].get(name).copied(),
            Names::Numbered { .. } => self.classes[class as usize].find(name),
        }
    }

    /// The subclass of a class with a name.
    pub fn subclass(&self, class: u32, name: &str) -> Option<u32> {
        let subclasses = &self.classes[class as usize].subclasses;
        subclasses.iter().position(|one| one.name == name).map(|index| index as u32)
    }

    /// Says that so much is copied, or that it is too much.
    pub fn charge(&self, amount: usize, span: Span) -> Result<(), Fault> {
        self.copied.set(self.copied.get().saturating_add(amount as u64));
        if self.copied.get() <= MOST_COPIED {
            return Ok(());
        }
        let problem = Problem::new(span, "this becomes too large when it is written out");
        fault(problem.label("used here, after many others").help("definitions are copied to where they are used"))
    }
}

/// The names, if all parts are one range.
fn one_range(parts: &[Part]) -> Option<Names> {
    let mut whole: Option<(&str, i64, u32)> = None;
    for part in parts {
        let PartColours::Range { prefix, first, count } = &part.colours else { return None };
        whole = match whole {
            None => Some((prefix, *first, *count)),
            Some((same, start, before)) if same == prefix && start.checked_add(i64::from(before)) == Some(*first) => {
                Some((same, start, before.checked_add(*count)?))
            }
            Some(_) => return None,
        };
    }
    whole.map(|(prefix, first, count)| Names::Numbered { prefix: prefix.to_owned(), first, count })
}

/// The static subclasses. One that has no name gets the one by which GreatSPN writes it into a `.def` file.
fn subclasses(class: &str, parts: &[Part]) -> Result<Vec<Subclass>, Fault> {
    if let [Part { name: None, .. }] = parts {
        return Ok(Vec::new());
    }
    let mut known: FxHashMap<String, Span> = FxHashMap::default();
    let mut subclasses = Vec::with_capacity(parts.len());
    let mut start = 0;
    for (index, part) in parts.iter().enumerate() {
        let (name, span) = match &part.name {
            Some(name) => (name.text.clone(), name.span),
            None => (format!("{class}_{index}"), part.span),
        };
        if let Some(first) = known.insert(name.clone(), span) {
            return Err(Box::new(crate::text::complaint::twice(span, "subclass", &name, first)));
        }
        // The sum of all is known to fit.
        let end = start + part.colours.count() as u32;
        subclasses.push(Subclass { name, ranges: vec![(start, end)] });
        start = end;
    }
    Ok(subclasses)
}
