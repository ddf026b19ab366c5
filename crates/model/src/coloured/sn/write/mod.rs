//! Any coloured net as text that reads as the same net.
//!
//! What is read again is equal, with these exceptions: names that occur twice among their kind, and empty ones, are changed; a
//! sum, conjunction or disjunction of one is what it is of, and a conjunction or disjunction of none is true or false;
//! expressions in properties are simplified as the reader simplifies all of them.

mod expression;
mod formula;
mod names;
mod shown;

pub use formula::write_formulas;
pub use shown::Shown;

use std::fmt::Write;

use super::super::class::{Class, ClassOrder, Names as ColourNames};
use super::super::expression::{Guard, Tokens};
use super::super::property::ColouredNets;
use super::super::{Arc, ColouredNet, Sort, Transition};
use crate::property::Property;
use expression::Expressions;
use names::{Names, quoted};

/// Writes a net and what is asked of it.
pub fn write(net: &ColouredNet, properties: &[Property<ColouredNets>]) -> String {
    let names = Names::of(net);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_net(&mut out, net, &names);
    if !properties.is_empty() {
        out.push('\n');
    }
    for line in formula::properties(net, &names, properties) {
        let _ = writeln!(out, "{line}");
    }
    out
}

fn write_net(out: &mut String, net: &ColouredNet, names: &Names) -> std::fmt::Result {
    let name = if net.name.is_empty() { "_" } else { net.name.as_str() };
    writeln!(out, "net {} {{", quoted(name))?;
    for (index, class) in net.classes.iter().enumerate() {
        write_class(out, class, index, names)?;
    }
    if !net.classes.is_empty() && !net.places.is_empty() {
        out.push('\n');
    }
    for (place, name) in net.places.iter().zip(&names.places) {
        write!(out, "    place {}", quoted(name))?;
        for (index, sort) in place.domain.iter().enumerate() {
            write!(out, "{}{}", if index == 0 { " : " } else { " * " }, written_sort(*sort, names))?;
        }
        let expressions = Expressions { names, variables: &[], variable_names: &[] };
        match expressions.plain(&place.initial) {
            Some(0) => {}
            Some(number) => write!(out, " = {number}")?,
            None if place.initial == Tokens::none() => {}
            None => write!(out, " = {}", expressions.tokens(&place.initial))?,
        }
        writeln!(out, ";")?;
    }
    for (transition, name) in net.transitions.iter().zip(&names.transitions) {
        write_transition(out, transition, name, names)?;
    }
    writeln!(out, "}}")
}

fn write_class(out: &mut String, class: &Class, index: usize, names: &Names) -> std::fmt::Result {
    let order = match class.order {
        ClassOrder::Unordered => "",
        ClassOrder::Linear => " linear",
        ClassOrder::Circular => " circular",
    };
    write!(out, "    class {}{order} = ", quoted(&names.classes[index]))?;
    match &class.names {
        ColourNames::Listed(_) => {
            out.push('{');
            for colour in 0..class.len() {
                write!(out, "{}{}", if colour == 0 { "" } else { ", " }, names.colour(index, colour))?;
            }
            out.push('}');
        }
        ColourNames::Numbered { prefix, first, count } => {
            write_range(out, prefix, *first, first + i64::from(*count) - 1)?;
        }
    }
    if class.subclasses.is_empty() {
        return writeln!(out, ";");
    }
    writeln!(out, " {} {{", if class.is_partitioned() { "subclasses" } else { "sets" })?;
    for (set, name) in class.subclasses.iter().zip(&names.sets[index]) {
        write!(out, "        {} = ", quoted(name))?;
        match (&set.ranges[..], &class.names) {
            (&[(start, end)], ColourNames::Numbered { prefix, first, .. }) => {
                write_range(out, prefix, first + i64::from(start), first + i64::from(end) - 1)?;
            }
            (ranges, ColourNames::Numbered { prefix, first, .. }) => {
                out.push('{');
                for (at, &(start, end)) in ranges.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    write_range(out, prefix, first + i64::from(start), first + i64::from(end) - 1)?;
                }
                out.push('}');
            }
            (_, ColourNames::Listed(_)) => {
                out.push('{');
                for (at, colour) in set.colours().enumerate() {
                    write!(out, "{}{}", if at == 0 { "" } else { ", " }, names.colour(index, colour))?;
                }
                out.push('}');
            }
        }
        writeln!(out, ";")?;
    }
    writeln!(out, "    }}")
}

fn write_range(out: &mut String, prefix: &str, first: i64, last: i64) -> std::fmt::Result {
    match prefix {
        "" => write!(out, "{first}..{last}"),
        prefix => write!(out, "{}{{{first}..{last}}}", quoted(prefix)),
    }
}

fn written_sort(sort: Sort, names: &Names) -> String {
    let class = quoted(&names.classes[sort.class() as usize]);
    match sort {
        Sort::Colour(_) => class,
        Sort::Bag(_) => format!("bag {class}"),
    }
}

fn write_transition(out: &mut String, transition: &Transition, name: &str, names: &Names) -> std::fmt::Result {
    let variable_names = names::unique(transition.variables.iter().map(|variable| variable.name.as_str()));
    let expressions = Expressions { names, variables: &transition.variables, variable_names: &variable_names };
    write!(out, "\n    transition {}", quoted(name))?;
    for (index, (variable, name)) in transition.variables.iter().zip(&variable_names).enumerate() {
        let unique = if variable.unique { "unique " } else { "" };
        let sort = written_sort(variable.sort, names);
        write!(out, "{}{unique}{sort} {}", if index == 0 { " (" } else { ", " }, quoted(name))?;
    }
    if !transition.variables.is_empty() {
        out.push(')');
    }
    if transition.guard != Guard::Constant(true) {
        write!(out, " [{}]", expressions.guard(&transition.guard))?;
    }
    if transition.priority > 0 {
        write!(out, " priority {}", transition.priority)?;
    }
    writeln!(out, " {{")?;
    let arcs = [("take", &transition.takes), ("put", &transition.puts), ("inhibit", &transition.inhibitors)];
    for (word, list) in arcs {
        for arc in list {
            write_arc(out, word, arc, &expressions)?;
        }
    }
    writeln!(out, "    }}")
}

fn write_arc(out: &mut String, word: &str, arc: &Arc, expressions: &Expressions<'_>) -> std::fmt::Result {
    let place = quoted(&expressions.names.places[arc.place as usize]);
    match expressions.plain(&arc.tokens) {
        Some(1) => writeln!(out, "        {word} {place};"),
        Some(number) if number > 1 => writeln!(out, "        {word} {number} {place};"),
        _ => writeln!(out, "        {word} {place} {};", expressions.tokens(&arc.tokens)),
    }
}
