//! Classes, their colours and their subclasses.

use rustc_hash::FxHashMap;

use super::super::super::class::{Class, Names, Subclass};
use super::super::syntax::{ClassDeclaration, ColourItem, ColourList};
use super::constants::Constants;
use crate::gal::ledger::{Ledger, Outcome, complaint};
use crate::text::{Problem, Span};

/// The class that a declaration describes. One with problems in it has as much as could be read, so that its name means
/// something further down.
pub(super) fn class(declared: &ClassDeclaration, constants: &Constants<'_>, ledger: &mut Ledger) -> (Class, Index) {
    let names = names(&declared.colours, constants, ledger);
    let is_known = names.is_ok();
    let names = names.unwrap_or(Names::Listed(Vec::new()));
    let name = declared.name.text.clone();
    let mut class = Class { name, names, order: declared.order, subclasses: Vec::new() };
    let colours = Index::of(&class);
    if class.is_empty() {
        if is_known {
            let problem = Problem::new(declared.colours.span, format!("the class `{}` is empty", class.name))
                .label("expected at least one colour");
            ledger.report(problem);
        }
        return (class, colours);
    }
    let mut ranges = Vec::new();
    let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
    for set in &declared.sets {
        let name = set.name.text.as_str();
        if let Some(first) = seen.insert(name, set.name.span()) {
            ledger.report(complaint::twice(&set.name, "set of colours", first));
            continue;
        }
        if colours.find(&class, name).is_some() {
            let problem = Problem::new(set.name.span(), format!("`{name}` is a colour of the class"))
                .label("a set of colours cannot have this name");
            ledger.report(problem);
        }
        let found = members(&set.colours, &class, &colours, constants, ledger);
        ranges.extend(found.iter().map(|&(first, end)| (first, end, class.subclasses.len())));
        class.subclasses.push(Subclass { name: name.to_string(), ranges: merged(found) });
    }
    if let Some(word) = declared.partition {
        check_partition(&class, declared, ranges, word, ledger);
    }
    (class, colours)
}

fn names(list: &ColourList, constants: &Constants<'_>, ledger: &mut Ledger) -> Outcome<Names> {
    if let ([ColourItem::Range { prefix, first, last, span }], false) = (&list.items[..], list.braces) {
        let (first, count) = range((first, last), *span, constants, ledger)?;
        return Ok(Names::Numbered { prefix: prefix.clone(), first, count });
    }
    if !list.braces {
        let problem = Problem::new(list.span, "expected the colours of the class")
            .label("this is one colour")
            .help("write `{a, b}`, `1..3` or `p{1..3}`");
        return Err(ledger.report(problem));
    }
    let mut names = Vec::new();
    let mut seen: FxHashMap<String, Span> = FxHashMap::default();
    for item in &list.items {
        let (new, span) = match item {
            ColourItem::One(name) => (vec![constants.name(name, ledger)?.into_owned()], name.span()),
            ColourItem::Range { prefix, first, last, span } => {
                let (first, count) = range((first, last), *span, constants, ledger)?;
                is_short(count, *span, ledger)?;
                ((0..i64::from(count)).map(|number| format!("{prefix}{}", first + number)).collect(), *span)
            }
        };
        for name in new {
            match seen.get(&name) {
                Some(&first) => {
                    ledger.report(crate::text::complaint::twice(span, "colour", &name, first));
                }
                None => {
                    seen.insert(name.clone(), span);
                    names.push(name);
                }
            }
        }
    }
    Ok(Names::Listed(names))
}

/// Reports a range that is too long to be listed. What is listed has names of its own, and takes memory.
fn is_short(count: u32, span: Span, ledger: &mut Ledger) -> Outcome<()> {
    const LONGEST: u32 = 100_000;
    if count > LONGEST {
        let problem = Problem::new(span, format!("a range in a list has at most {LONGEST} colours"))
            .label(format!("this one has {count}"))
            .help("a class that is one range, without braces, may have any number of them");
        return Err(ledger.report(problem));
    }
    ledger.things(u64::from(count) * 50, span)
}

/// The first number of a range, and how many there are.
fn range(
    (first, last): (&super::super::syntax::Amount, &super::super::syntax::Amount), span: Span,
    constants: &Constants<'_>, ledger: &mut Ledger,
) -> Outcome<(i64, u32)> {
    let (first, last) = (constants.amount(first, ledger)?, constants.amount(last, ledger)?);
    if last < first {
        return Ok((first, 0));
    }
    let count = last.checked_sub(first).and_then(|count| u32::try_from(count).ok()).filter(|&count| count < u32::MAX);
    match count {
        Some(count) => Ok((first, count + 1)),
        None => {
            let problem = Problem::new(span, "a class has at most 4294967295 colours")
                .label(format!("these go from {first} to {last}"));
            Err(ledger.report(problem))
        }
    }
}

/// The colours of a class by their names, so that each is found at once.
pub(super) struct Index(FxHashMap<String, u32>);

impl Index {
    pub fn of(class: &Class) -> Index {
        match &class.names {
            Names::Listed(names) => Index(names.iter().cloned().zip(0..).collect()),
            Names::Numbered { .. } => Index(FxHashMap::default()),
        }
    }

    pub fn find(&self, class: &Class, name: &str) -> Option<u32> {
        match &class.names {
            Names::Listed(_) => self.0.get(name).copied(),
            Names::Numbered { .. } => class.find(name),
        }
    }
}

fn members(
    list: &ColourList, class: &Class, colours: &Index, constants: &Constants<'_>, ledger: &mut Ledger,
) -> Vec<(u32, u32)> {
    let mut ranges = Vec::new();
    for item in &list.items {
        if ledger.is_exhausted() {
            break;
        }
        match item {
            ColourItem::One(name) => {
                let Ok(text) = constants.name(name, ledger) else { continue };
                match colours.find(class, &text) {
                    Some(colour) => ranges.push((colour, colour + 1)),
                    None => {
                        ledger.report(no_colour(name.span(), class, &text));
                    }
                }
            }
            ColourItem::Range { prefix, first, last, span } => {
                let Ok((first, count)) = range((first, last), *span, constants, ledger) else { continue };
                if count == 0 {
                    continue;
                }
                let ends = [first, first + i64::from(count) - 1].map(|number| format!("{prefix}{number}"));
                match (colours.find(class, &ends[0]), colours.find(class, &ends[1])) {
                    (Some(first), Some(last)) if first <= last && last - first + 1 == count => {
                        ranges.push((first, last + 1));
                    }
                    (Some(_), Some(_)) => {
                        let problem = Problem::new(*span, "these colours do not follow each other in the class")
                            .label("not a range of the class");
                        ledger.report(problem.help("list them one by one, in braces"));
                    }
                    (first, _) => {
                        let missing = if first.is_none() { &ends[0] } else { &ends[1] };
                        ledger.report(no_colour(*span, class, missing));
                    }
                }
            }
        }
    }
    ranges
}

/// A name that no colour of a class has.
pub(super) fn no_colour(span: Span, class: &Class, name: &str) -> Problem {
    let problem = Problem::new(
        span,
        format!("the class `{}` has no colour `{}`", complaint::shortened(&class.name), complaint::shortened(name)),
    )
    .label("not found");
    let some: Vec<String> = (0..class.len().min(2000)).map(|colour| class.name_of(colour).into_owned()).collect();
    match &class.names {
        Names::Numbered { count, .. } if *count > 8 => {
            let (first, last) = (class.name_of(0).into_owned(), class.name_of(count - 1).into_owned());
            problem.help(format!("its colours go from `{first}` to `{last}`"))
        }
        _ => crate::text::complaint::suggested(
            problem,
            name,
            some.iter().map(String::as_str),
            "it has no colours".to_string(),
        ),
    }
}

/// Ranges in ascending order that neither touch nor overlap.
fn merged(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for (first, end) in ranges {
        match merged.last_mut() {
            Some((_, last)) if first <= *last => *last = (*last).max(end),
            _ => merged.push((first, end)),
        }
    }
    merged
}

/// Reports a colour that is in two subclasses, or in none.
fn check_partition(
    class: &Class, declared: &ClassDeclaration, mut ranges: Vec<(u32, u32, usize)>, word: Span, ledger: &mut Ledger,
) {
    ranges.sort_unstable();
    let (mut end, mut last) = (0, None);
    let set = |index: usize| declared.sets.iter().find(|set| set.name.text == class.subclasses[index].name);
    for (first, after, index) in ranges {
        if first < end {
            let (Some(here), Some(before)) = (set(index), last.and_then(set)) else { return };
            if last == Some(index) {
                end = end.max(after);
                continue;
            }
            let message = format!("the colour `{}` is in two subclasses", class.name_of(first));
            let problem = Problem::new(here.colours.span, message)
                .label(format!("in `{}`", here.name.text))
                .related(before.colours.span, format!("and in `{}`", before.name.text))
                .help("of `subclasses` each colour is in one; `sets` may overlap");
            ledger.report(problem);
            return;
        }
        if first > end {
            ledger.report(in_none(class, end, word));
            return;
        }
        (end, last) = (after, Some(index));
    }
    if end < class.len() && ledger.is_clean() {
        ledger.report(in_none(class, end, word));
    }
}

fn in_none(class: &Class, colour: u32, word: Span) -> Problem {
    Problem::new(word, format!("the colour `{}` is in no subclass", class.name_of(colour)))
        .label("each colour must be in one of these")
        .help("put it into one, or write `sets` if colours may be left out")
}
