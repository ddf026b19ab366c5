//! A trace as a picture: a column per part of the model, a row per step, time from top to bottom.
//!
//! The parts are the instances of a composite, the processes of a program that has them, and else the variables or places
//! that change. A step is a line through the parts that it moves, with what it changes in each below the line.

use super::measure::text_width;
use super::svg::escaped;
use crate::trace::{Change, Step, Trace};
use std::collections::HashMap;
use std::fmt::Write;

/// Steps beyond this are left out.
const MOST_STEPS: usize = 500;
/// With more parts than this, several are drawn as one.
const MOST_PARTS: usize = 24;
/// Changes of a part in a step that are written out.
const MOST_CHANGES: usize = 6;
/// The space around everything.
const MARGIN: f64 = 16.0;
/// The height of a line of text.
const LINE: f64 = 15.0;
/// The space above the line of a step.
const ABOVE: f64 = 16.0;
/// The height of the head of a column.
const HEAD: f64 = 26.0;
/// A text is cut beyond so many letters.
const LONGEST: usize = 42;

const STYLE: &str = "\
text{font:12px Helvetica,Arial,sans-serif;fill:#222}\
.c{font-size:11px;fill:#333}\
.m{fill:#777}\
.l{stroke:#bbb;stroke-dasharray:3 3}\
.s{stroke:#2d5f9a;stroke-width:1.6;fill:none}\
.h{fill:#eef2f7;stroke:#222;stroke-width:1.2}\
.r{stroke:#b05a00;stroke-width:1.4;fill:none}\
.w{fill:#b05a00}";

/// A column.
struct Column {
    name: String,
    /// Where its line is.
    x: f64,
}

/// A trace as SVG.
pub fn write(trace: &Trace) -> String {
    let steps = &trace.steps[..trace.steps.len().min(MOST_STEPS)];
    let part_of = Parts::of(steps);
    let rows: Vec<Vec<Vec<String>>> = steps.iter().map(|step| part_of.row(step)).collect();
    let titles: Vec<String> =
        (1..).zip(steps).map(|(number, step)| format!("{number}  {}", cut(&step.transition))).collect();
    let first = titles.iter().map(|title| text_width(title, 12.0)).fold(60.0, f64::max) + MARGIN;
    let left = MARGIN + if trace.repeats.is_some() { 24.0 } else { 0.0 };
    let mut x = left + first;
    let mut columns: Vec<Column> = Vec::new();
    for (index, name) in part_of.names.iter().enumerate() {
        let texts = rows.iter().flat_map(|row| &row[index]);
        let changes = texts.map(|text| text_width(text, 11.0) + 10.0).fold(0.0, f64::max);
        let half = (text_width(&cut(name), 12.0) / 2.0 + 8.0).max(20.0);
        columns.push(Column { name: name.clone(), x: x + half });
        x += half + half.max(changes) + 14.0;
    }
    let mut y = MARGIN + HEAD + 8.0;
    let mut drawn = String::new();
    let mut starts = Vec::with_capacity(steps.len());
    for ((row, title), step) in rows.iter().zip(&titles).zip(steps) {
        starts.push(y);
        y += ABOVE;
        let touched: Vec<usize> = (0..columns.len()).filter(|&column| !row[column].is_empty()).collect();
        let _ = writeln!(drawn, "<text x=\"{left:.1}\" y=\"{:.1}\">{}</text>", y + 4.0, escaped(title));
        if let (Some(&one), Some(&other)) = (touched.first(), touched.last()) {
            let (from, to) = (columns[one].x, columns[other].x);
            let _ = writeln!(drawn, "<path class=\"s\" d=\"M{from:.1} {y:.1}H{to:.1}\"/>");
        }
        for &column in &touched {
            let at = columns[column].x;
            let _ = write!(drawn, "<circle cx=\"{at:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#2d5f9a\"/>");
            for (line, change) in (1..).zip(&row[column]) {
                let below = y + LINE * f64::from(line) - 1.0;
                let _ = writeln!(
                    drawn,
                    "<text class=\"c\" x=\"{:.1}\" y=\"{below:.1}\">{}</text>",
                    at + 6.0,
                    escaped(change)
                );
            }
        }
        let lines = row.iter().map(Vec::len).max().unwrap_or(0) as f64;
        y += LINE * lines.max(0.4) + 4.0;
        if let Some(mishap) = &step.mishap {
            let _ = writeln!(
                drawn,
                "<text class=\"w\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                left + 20.0,
                y + 8.0,
                escaped(&format!("the error state: {}", cut(mishap)))
            );
            y += LINE + 4.0;
        }
    }
    starts.push(y);
    let bottom = y + 6.0;
    let mut text = String::new();
    let mut end = bottom + MARGIN;
    if let Some(repeats) = trace.repeats.filter(|&at| at < starts.len()) {
        let (from, to) = (bottom, starts[repeats] + 4.0);
        let back = left - 12.0;
        let _ = writeln!(
            text,
            "<path class=\"r\" d=\"M{left:.1} {from:.1}H{back:.1}V{to:.1}H{left:.1}\"/>\
             <path class=\"w\" d=\"M{:.1} {:.1}l-7 -4v8z\"/>",
            left, to
        );
        let words = if repeats == steps.len() { "the last state for ever" } else { "and so on for ever" };
        let _ = writeln!(text, "<text class=\"w\" x=\"{:.1}\" y=\"{:.1}\">{words}</text>", left + 4.0, from + 4.0);
        end += 8.0;
    } else if trace.steps.len() > steps.len() {
        let more = trace.steps.len() - steps.len();
        let _ =
            writeln!(text, "<text class=\"m\" x=\"{left:.1}\" y=\"{:.1}\">and {more} more steps</text>", bottom + 6.0);
        end += 8.0;
    } else if steps.is_empty() {
        let _ = writeln!(text, "<text class=\"m\" x=\"{left:.1}\" y=\"{:.1}\">already at the start</text>", bottom);
    }
    for column in &columns {
        let half = (text_width(&cut(&column.name), 12.0) / 2.0 + 8.0).max(20.0);
        let (x, top) = (column.x, MARGIN);
        let _ = writeln!(
            text,
            "<path class=\"l\" d=\"M{x:.1} {:.1}V{bottom:.1}\"/>\
             <rect class=\"h\" x=\"{:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{HEAD}\" rx=\"4\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            top + HEAD,
            x - half,
            2.0 * half,
            top + 17.0,
            escaped(&cut(&column.name))
        );
    }
    let (width, height) = ((x + MARGIN).max(240.0).ceil(), end.ceil());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{text}{drawn}</svg>\n",
        escaped(&trace.length())
    )
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        text.to_owned()
    } else {
        text.chars().take(LONGEST - 1).chain(['…']).collect()
    }
}

/// The parts of a model that a trace moves.
struct Parts {
    names: Vec<String>,
    /// How the names of variables are split into part and rest.
    split: Split,
    number: HashMap<String, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Split {
    /// After the last of these letters: the instance, the process.
    After(char),
    /// Before the first of these letters: the array, the coloured place.
    Before,
    /// Each variable by itself.
    Whole,
    /// All of it is one part.
    Nothing,
}

impl Split {
    fn part(self, name: &str) -> (&str, &str) {
        match self {
            Split::After(letter) => name.rsplit_once(letter).unwrap_or(("", name)),
            Split::Before => match name.find(['[', '(']) {
                Some(at) => name.split_at(at),
                None => (name, ""),
            },
            Split::Whole => (name, ""),
            Split::Nothing => ("", name),
        }
    }
}

impl Parts {
    fn of(steps: &[Step]) -> Parts {
        let mut changed: Vec<(usize, &str)> =
            steps.iter().flat_map(Step::shown).map(|change| (change.index, change.variable.as_str())).collect();
        changed.sort_unstable();
        changed.dedup();
        let names = |split: Split| {
            let mut names: Vec<String> = Vec::new();
            for (_, variable) in &changed {
                let part = split.part(variable).0.to_owned();
                if !names.contains(&part) {
                    names.push(part);
                }
                if names.len() > MOST_PARTS {
                    return None;
                }
            }
            Some(names)
        };
        let has = |letter: char| changed.iter().any(|(_, name)| name.contains(letter));
        let splits = [
            has(':').then_some(Split::After(':')),
            has('.').then_some(Split::After('.')),
            Some(Split::Whole),
            Some(Split::Before),
        ];
        let found = splits.into_iter().flatten().find_map(|split| names(split).map(|names| (split, names)));
        let (split, names) = found.unwrap_or((Split::Nothing, vec![String::new()]));
        let number = names.iter().cloned().zip(0..).collect();
        let shown = names.into_iter().map(|name| if name.is_empty() { "the model".to_owned() } else { name });
        Parts { names: shown.collect(), split, number }
    }

    /// What a step changes in each part.
    fn row(&self, step: &Step) -> Vec<Vec<String>> {
        let mut row = vec![Vec::new(); self.names.len()];
        for change in step.shown() {
            let (part, rest) = self.split.part(&change.variable);
            if let Some(&column) = self.number.get(part) {
                row[column].push(words(rest, change));
            }
        }
        for changes in &mut row {
            if changes.len() > MOST_CHANGES {
                let more = changes.len() - MOST_CHANGES + 1;
                changes.truncate(MOST_CHANGES - 1);
                changes.push(format!("and {more} more"));
            }
        }
        row
    }
}

fn words(rest: &str, change: &Change) -> String {
    let space = if rest.is_empty() { "" } else { " " };
    cut(&format!("{rest}{space}{} → {}", change.before, change.after))
}

impl Trace {
    /// The trace as a picture that every browser shows: a column per part of the model, a row per step.
    pub fn svg(&self) -> String {
        write(self)
    }
}
