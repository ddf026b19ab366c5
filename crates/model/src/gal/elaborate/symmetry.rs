//! Declared symmetries: from lists of names to blocks and cycles of indices.

use rustc_hash::FxHashMap;

use super::super::ledger::{Ledger, Outcome, complaint};
use super::super::syntax::{Listed, Parameter, Reference, Row, RowList, Step, Symmetry, SymmetryKind};
use super::builder::Meaning;
use super::member::STATEMENT;
use super::steps::{Scoped, chosen, rounds};
use crate::expression::Integer;
use crate::symmetry::{DeclaredGroup, DeclaredSymmetry};
use crate::text::{Problem, Span};

/// A type in the making that declares symmetries.
pub(super) trait Maker<'a>: Scoped<'a> {
    /// The variable, place or instance that a reference names.
    fn thing(&mut self, reference: &Reference) -> Outcome<u32>;

    /// What a thing is called.
    fn name_of(&self, thing: u32) -> String;

    /// The name of the type of an instance: what is not of one type cannot take each other's place.
    fn type_of(&self, _thing: u32) -> &str {
        ""
    }
}

/// A list of things, and where each and the whole are written.
struct List {
    things: Vec<(u32, Span)>,
    span: Span,
}

/// Makes a symmetry of what is declared.
pub(super) fn symmetry<'a>(maker: &mut impl Maker<'a>, declared: &'a Symmetry) -> Outcome<DeclaredSymmetry> {
    let mut rows = Vec::new();
    steps(maker, &declared.body, &mut rows)?;
    let group = match declared.kind {
        SymmetryKind::Interchangeable => DeclaredGroup::Interchangeable(blocks(maker, rows)?),
        SymmetryKind::Ring => DeclaredGroup::Ring(blocks(maker, rows)?),
        SymmetryKind::Generated => {
            let permutations: Outcome<Vec<_>> = rows.into_iter().map(|row| cycles(maker, row)).collect();
            DeclaredGroup::Generated(permutations?)
        }
    };
    Ok(DeclaredSymmetry { name: declared.name.text.clone(), group, span: declared.name.span() })
}

/// The rows of some steps, one after the other.
fn steps<'a>(maker: &mut impl Maker<'a>, steps_of: &'a [Step<Row>], rows: &mut Vec<Vec<List>>) -> Outcome<()> {
    for step in steps_of {
        match step {
            Step::Do(row) => {
                let lists: Outcome<Vec<List>> = row.lists.iter().map(|list| list_of(maker, list)).collect();
                rows.push(lists?);
            }
            Step::For(parameter, inner) => rounds(maker, parameter, |maker| steps(maker, inner, rows))?,
            Step::If(condition, then, otherwise) => {
                let chosen = chosen(maker, condition, then, otherwise)?;
                steps(maker, chosen, rows)?;
            }
        }
    }
    Ok(())
}

fn list_of<'a>(maker: &mut impl Maker<'a>, list: &'a RowList) -> Outcome<List> {
    let span = list.origin.0;
    maker.scope().1.parts(STATEMENT, span)?;
    let mut things = Vec::new();
    for listed in &list.members {
        members(maker, listed, &listed.loops, &mut things)?;
    }
    Ok(List { things, span })
}

/// The things that an entry of a list stands for: one for each round of its loops.
fn members<'a>(
    maker: &mut impl Maker<'a>, listed: &'a Listed, loops: &'a [Parameter], things: &mut Vec<(u32, Span)>,
) -> Outcome<()> {
    match loops.split_first() {
        Some((parameter, inner)) => rounds(maker, parameter, |maker| members(maker, listed, inner, things)),
        None => {
            let span = listed.reference.span();
            maker.scope().1.parts(1, span)?;
            things.push((maker.thing(&listed.reference)?, span));
            Ok(())
        }
    }
}

/// All lists as blocks: as long as each other, of the same types, without anything in common.
fn blocks<'a>(maker: &mut impl Maker<'a>, rows: Vec<Vec<List>>) -> Outcome<Vec<Vec<u32>>> {
    let lists: Vec<List> = rows.into_iter().flatten().collect();
    each_once(maker, &lists)?;
    let Some(first) = lists.first() else { return Ok(Vec::new()) };
    for list in &lists {
        let (expected, found) = (first.things.len(), list.things.len());
        if expected != found {
            let problem = Problem::new(list.span, "the blocks of a symmetry differ in length")
                .label(format!("this one has {}", complaint::counted(found, "member")));
            let problem = match list.span == first.span {
                true => problem.help(format!("the first has {expected}: each member must have one to go to")),
                false => problem.related(first.span, format!("and the first one has {expected}")),
            };
            return Err(maker.scope().1.report(problem));
        }
        for (&one, &other) in first.things.iter().zip(&list.things) {
            same_type(maker, one, other)?;
        }
    }
    Ok(lists.into_iter().map(indices).collect())
}

/// The lists of a row as cycles: of one type each, without anything in common.
fn cycles<'a>(maker: &mut impl Maker<'a>, lists: Vec<List>) -> Outcome<Vec<Vec<u32>>> {
    each_once(maker, &lists)?;
    for list in &lists {
        for pair in list.things.windows(2) {
            same_type(maker, pair[0], pair[1])?;
        }
    }
    Ok(lists.into_iter().map(indices).collect())
}

fn indices(list: List) -> Vec<u32> {
    list.things.into_iter().map(|(thing, _)| thing).collect()
}

/// Nothing is listed twice.
fn each_once<'a>(maker: &mut impl Maker<'a>, lists: &[List]) -> Outcome<()> {
    let mut seen = FxHashMap::default();
    for &(thing, span) in lists.iter().flat_map(|list| &list.things) {
        let Some(first) = seen.insert(thing, span) else { continue };
        let problem = Problem::new(span, format!("`{}` is listed twice", maker.name_of(thing)))
            .label("for the second time")
            .help("what is listed goes to one other place, and so is listed once");
        let problem = if first == span { problem } else { problem.related(first, "for the first time") };
        return Err(maker.scope().1.report(problem));
    }
    Ok(())
}

/// Two instances that go to each other have the same type.
fn same_type<'a>(maker: &mut impl Maker<'a>, one: (u32, Span), other: (u32, Span)) -> Outcome<()> {
    let (type_of, other_type) = (maker.type_of(one.0), maker.type_of(other.0));
    if type_of == other_type {
        return Ok(());
    }
    let problem = Problem::new(other.1, "instances of different types cannot take each other's place")
        .label(format!("of type `{other_type}`"))
        .related(one.1, format!("of type `{type_of}`"));
    Err(maker.scope().1.report(problem))
}

/// The variable that a reference means.
pub(super) fn variable(meaning: Meaning<u32>, reference: &Reference, ledger: &mut Ledger) -> Outcome<u32> {
    let problem = match meaning {
        Meaning::Integer(Integer::Variable(variable)) => return Ok(variable),
        Meaning::Array { length, .. } | Meaning::OneHot { length, .. } => {
            complaint::needs_index(reference.span(), &reference.to_string(), length)
        }
        Meaning::Integer(_) | Meaning::Boolean(_) | Meaning::Queue { .. } => {
            complaint::no_variable(reference.span(), &reference.to_string(), "variable")
        }
    };
    Err(ledger.report(problem))
}
