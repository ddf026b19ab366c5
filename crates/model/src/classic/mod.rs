//! Classic models of any size, written as text in GAL with nets.
//!
//! These are the models that papers on decision diagrams compare themselves on. Each comes in one or more *shapes*: the
//! same system, with another hierarchy. [`Shape::Flat`] is a single net, [`Shape::Ring`] the natural hierarchy (a net a
//! part, one composite of the parts), and [`Shape::Fold`] nests groups in groups, so that a text of a few megabytes is
//! a system of 2^20000 parts. What is written is meant to be read by people too: it opens with what it is, and the order
//! of places is the one that keeps diagrams small.

mod contest_philosophers;
mod error;
mod fms;
mod kanban;
mod philosophers;
mod size;
mod slotted_ring;
mod states;

pub use error::GenerateError;
pub use size::Size;

use std::fmt;
use std::io::{BufWriter, Write};
use std::str::FromStr;

/// A classic model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Classic {
    /// Dining philosophers who take their forks in any order; N of them.
    Philosophers,
    /// Four production cells, each with N kanban cards.
    Kanban,
    /// The slotted ring protocol; N nodes.
    SlottedRing,
    /// A flexible manufacturing system; N parts of each kind.
    Fms,
    /// The dining philosophers of the Model Checking Contest; N of them.
    ContestPhilosophers,
}

/// How a model is laid out in types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// One net.
    Flat,
    /// The natural hierarchy: one net a part, and a composite of the parts.
    Ring,
    /// Groups of groups: a part more for each binary digit of the size.
    Fold,
}

/// Sizes that are numbers of tokens stay far from the largest number a place can hold.
const MOST_TOKENS: u64 = 1_000_000_000;
/// A ring is short in text, but whoever reads it has an instance for each part.
const LONGEST_RING: u64 = 1_000_000;
/// About 50 MB of text.
const LARGEST_FLAT: u64 = 100_000;

impl Classic {
    /// All of them.
    pub const ALL: [Classic; 5] =
        [Classic::Philosophers, Classic::Kanban, Classic::SlottedRing, Classic::Fms, Classic::ContestPhilosophers];

    /// Its name, as the command line knows it.
    pub fn name(self) -> &'static str {
        match self {
            Classic::Philosophers => "philosophers",
            Classic::Kanban => "kanban",
            Classic::SlottedRing => "slotted-ring",
            Classic::Fms => "fms",
            Classic::ContestPhilosophers => "contest-philosophers",
        }
    }

    /// The shapes that it comes in.
    pub fn shapes(self) -> &'static [Shape] {
        match self {
            Classic::Philosophers => &[Shape::Flat, Shape::Ring, Shape::Fold],
            _ => &[Shape::Flat, Shape::Ring],
        }
    }

    /// What the size counts.
    pub fn counts(self) -> &'static str {
        match self {
            Classic::Philosophers | Classic::ContestPhilosophers => "philosophers",
            Classic::Kanban => "kanban cards a cell",
            Classic::SlottedRing => "nodes",
            Classic::Fms => "parts of each kind",
        }
    }

    /// The least size that makes sense: those who sit in a ring need a neighbour.
    pub fn least(self) -> u64 {
        match self {
            Classic::Kanban | Classic::Fms => 1,
            _ => 2,
        }
    }

    /// The greatest size that is written out in a shape. A folded model has no such limit but that of [`Size`].
    pub fn greatest(self, shape: Shape) -> Option<u64> {
        match (self, shape) {
            (_, Shape::Fold) => None,
            (Classic::Kanban | Classic::Fms, _) => Some(MOST_TOKENS),
            (_, Shape::Ring) => Some(LONGEST_RING),
            (_, Shape::Flat) => Some(LARGEST_FLAT),
        }
    }
}

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 3] = [Shape::Flat, Shape::Ring, Shape::Fold];

    /// Its name, as the command line knows it.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Flat => "flat",
            Shape::Ring => "ring",
            Shape::Fold => "fold",
        }
    }
}

impl fmt::Display for Classic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Classic {
    type Err = GenerateError;

    fn from_str(name: &str) -> Result<Classic, GenerateError> {
        let known = Classic::ALL.into_iter().find(|classic| classic.name() == name);
        known.ok_or_else(|| GenerateError::UnknownModel(name.to_owned()))
    }
}

impl FromStr for Shape {
    type Err = GenerateError;

    fn from_str(name: &str) -> Result<Shape, GenerateError> {
        let known = Shape::ALL.into_iter().find(|shape| shape.name() == name);
        known.ok_or_else(|| GenerateError::UnknownShape(name.to_owned()))
    }
}

/// Writes a classic model of a size; the shape is [`Shape::Ring`] if none is given. The output is buffered here.
pub fn generate(classic: Classic, size: &Size, shape: Option<Shape>, out: &mut dyn Write) -> Result<(), GenerateError> {
    let shape = shape.unwrap_or(Shape::Ring);
    if !classic.shapes().contains(&shape) {
        return Err(GenerateError::NoSuchShape { classic, shape });
    }
    let number = size.to_u64();
    if number.is_some_and(|number| number < classic.least()) {
        return Err(GenerateError::TooSmall { classic, size: size.to_string() });
    }
    let mut out = BufWriter::with_capacity(1 << 16, out);
    if shape == Shape::Fold {
        philosophers::fold(size, &mut out)?;
    } else {
        let limit = classic.greatest(shape).unwrap_or(u64::MAX);
        match number {
            Some(number) if number <= limit => write_sized(classic, number, shape, &mut out)?,
            _ => return Err(GenerateError::TooLarge { classic, shape, size: size.to_string(), limit }),
        }
    }
    out.flush()?;
    Ok(())
}

/// A writer of a model of a size.
type Author = fn(u64, &mut dyn Write) -> std::io::Result<()>;

fn write_sized(classic: Classic, number: u64, shape: Shape, out: &mut dyn Write) -> std::io::Result<()> {
    let (flat, ring): (Author, Author) = match classic {
        Classic::Philosophers => (philosophers::flat, philosophers::ring),
        Classic::Kanban => (kanban::flat, kanban::ring),
        Classic::SlottedRing => (slotted_ring::flat, slotted_ring::ring),
        Classic::Fms => (fms::flat, fms::ring),
        Classic::ContestPhilosophers => (contest_philosophers::flat, contest_philosophers::ring),
    };
    if shape == Shape::Flat { flat(number, out) } else { ring(number, out) }
}

/// The comment with which a file opens: what it is, which command made it, how many states it has.
fn write_opening(
    out: &mut dyn Write, title: &[&str], command: (Classic, &dyn fmt::Display, Shape), states: &[&str],
) -> std::io::Result<()> {
    let (classic, size, shape) = command;
    for line in title {
        writeln!(out, "// {line}")?;
    }
    writeln!(out, "//\n//     mandala generate {classic} {size} --shape {shape}\n//")?;
    for line in states {
        writeln!(out, "// {line}")?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests;
