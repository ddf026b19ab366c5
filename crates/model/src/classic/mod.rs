//! Classic models of any size, written as text in GAL with nets, and some as coloured nets in `.sn`.
//!
//! These are the models that papers on decision diagrams compare themselves on. Each comes in one or more *shapes*: the
//! same system, with another hierarchy. [`Shape::Flat`] is a single net, [`Shape::Ring`] the natural hierarchy (one net
//! per part, one composite of the parts), and [`Shape::Fold`] nests groups in groups (recursive folding), so that a text of a few megabytes is
//! a system of 2^20000 parts. Those that papers on symmetry compare themselves on are flat: what is symmetric is for the
//! tool to find. What is written is meant to be read by people too: it opens with what it is, and the order
//! of places is the one that keeps diagrams small.

mod client_server;
mod coloured;
mod contest_philosophers;
mod database;
mod error;
mod fms;
mod kanban;
mod lines;
mod orbits;
mod peterson;
mod philosophers;
mod sale_store;
mod size;
mod slotted_ring;
mod states;
mod token_ring;

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
    /// Remote calls of N clients to servers.
    ClientServer,
    /// A sale store with N people, who leave with up to two gifts.
    SaleStore,
    /// Peterson's mutual exclusion; N processes.
    Peterson,
    /// A token ring that can be turned; N stations.
    TokenRing,
    /// A distributed database; N sites.
    Database,
}

/// What a model has besides what its size counts; without a number, as many as in the tables of the thesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Besides {
    /// The servers of [`Classic::ClientServer`]; 7.
    pub servers: Option<u64>,
    /// The gifts of [`Classic::SaleStore`]; 5.
    pub gifts: Option<u64>,
}

/// How a model is laid out in types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// One net.
    Flat,
    /// The natural hierarchy: one net per part, and a composite of the parts.
    Ring,
    /// Recursive folding (SDD paper, 8.1): groups of groups, one type per binary digit of the size.
    Fold,
    /// A coloured net, in the language of [`coloured::sn`](crate::coloured::sn): one colour per part.
    Coloured,
}

/// Sizes that are numbers of tokens stay far from the largest number a place can hold.
const MOST_TOKENS: u64 = 1_000_000_000;
/// A ring is short in text, but whoever reads it has an instance for each part.
const LONGEST_RING: u64 = 1_000_000;
/// About 50 MB of text; so it is for the others below, of which the text grows faster than the size.
const LARGEST_FLAT: u64 = 100_000;
/// The text of a coloured net does not grow; numbers of colours stay far from the largest.
const MOST_COLOURS: u64 = 1_000_000_000;
const MOST_CLIENTS: u64 = 1_000;
const MOST_SERVERS: u64 = 200;
const MOST_PEOPLE: u64 = 200;
const MOST_GIFTS: u64 = 60;
const MOST_PROCESSES: u64 = 50;
const MOST_SITES: u64 = 300;

impl Classic {
    /// All of them.
    pub const ALL: [Classic; 10] = [
        Classic::Philosophers,
        Classic::Kanban,
        Classic::SlottedRing,
        Classic::Fms,
        Classic::ContestPhilosophers,
        Classic::ClientServer,
        Classic::SaleStore,
        Classic::Peterson,
        Classic::TokenRing,
        Classic::Database,
    ];

    /// Its name, as the command line knows it.
    pub fn name(self) -> &'static str {
        match self {
            Classic::Philosophers => "philosophers",
            Classic::Kanban => "kanban",
            Classic::SlottedRing => "slotted-ring",
            Classic::Fms => "fms",
            Classic::ContestPhilosophers => "contest-philosophers",
            Classic::ClientServer => "client-server",
            Classic::SaleStore => "salestore",
            Classic::Peterson => "peterson",
            Classic::TokenRing => "token-ring",
            Classic::Database => "database",
        }
    }

    /// The shapes that it comes in.
    pub fn shapes(self) -> &'static [Shape] {
        match self {
            Classic::Philosophers => &[Shape::Flat, Shape::Ring, Shape::Fold, Shape::Coloured],
            Classic::ContestPhilosophers => &[Shape::Flat, Shape::Ring, Shape::Coloured],
            Classic::Kanban | Classic::SlottedRing | Classic::Fms => &[Shape::Flat, Shape::Ring],
            _ => &[Shape::Flat, Shape::Coloured],
        }
    }

    /// The shape that it has if none is asked for: its natural hierarchy, if there is one.
    pub fn usual_shape(self) -> Shape {
        if self.shapes().contains(&Shape::Ring) { Shape::Ring } else { Shape::Flat }
    }

    /// What the size counts.
    pub fn counts(self) -> &'static str {
        match self {
            Classic::Philosophers | Classic::ContestPhilosophers => "philosophers",
            Classic::Kanban => "kanban cards a cell",
            Classic::SlottedRing => "nodes",
            Classic::Fms => "parts of each kind",
            Classic::ClientServer => "clients",
            Classic::SaleStore => "people",
            Classic::Peterson => "processes",
            Classic::TokenRing => "stations",
            Classic::Database => "sites",
        }
    }

    /// The least size that makes sense: those who sit in a ring need a neighbour.
    pub fn least(self) -> u64 {
        match self {
            Classic::Kanban | Classic::Fms | Classic::ClientServer | Classic::SaleStore => 1,
            _ => 2,
        }
    }

    /// The greatest size that is written out in a shape. A recursively folded model has only the limit of [`Size`].
    pub fn greatest(self, shape: Shape) -> Option<u64> {
        match (self, shape) {
            (_, Shape::Fold) => None,
            (_, Shape::Coloured) => Some(MOST_COLOURS),
            (Classic::Kanban | Classic::Fms, _) => Some(MOST_TOKENS),
            (_, Shape::Ring) => Some(LONGEST_RING),
            (Classic::ClientServer, _) => Some(MOST_CLIENTS),
            (Classic::SaleStore, _) => Some(MOST_PEOPLE),
            (Classic::Peterson, _) => Some(MOST_PROCESSES),
            (Classic::Database, _) => Some(MOST_SITES),
            (_, Shape::Flat) => Some(LARGEST_FLAT),
        }
    }
}

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 4] = [Shape::Flat, Shape::Ring, Shape::Fold, Shape::Coloured];

    /// Its name, as the command line knows it.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Flat => "flat",
            Shape::Ring => "ring",
            Shape::Fold => "fold",
            Shape::Coloured => "coloured",
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

/// Writes a classic model of a size; the shape is [`Classic::usual_shape`] if none is given. The output is buffered here.
pub fn generate(classic: Classic, size: &Size, shape: Option<Shape>, out: &mut dyn Write) -> Result<(), GenerateError> {
    generate_with(classic, size, Besides::default(), shape, out)
}

/// Like [`generate`], with so many servers or gifts.
pub fn generate_with(
    classic: Classic, size: &Size, besides: Besides, shape: Option<Shape>, out: &mut dyn Write,
) -> Result<(), GenerateError> {
    let shape = shape.unwrap_or(classic.usual_shape());
    if !classic.shapes().contains(&shape) {
        return Err(GenerateError::NoSuchShape { classic, shape });
    }
    let number = size.to_u64();
    if number.is_some_and(|number| number < classic.least()) {
        return Err(GenerateError::TooSmall { classic, size: size.to_string() });
    }
    besides.check(classic, shape)?;
    let mut out = BufWriter::with_capacity(1 << 16, out);
    if shape == Shape::Fold {
        philosophers::fold(size, &mut out)?;
    } else {
        let limit = classic.greatest(shape).unwrap_or(u64::MAX);
        match number {
            Some(number) if number <= limit => write_sized(classic, number, besides, shape, &mut out)?,
            _ => return Err(GenerateError::TooLarge { classic, shape, size: size.to_string(), limit }),
        }
    }
    out.flush()?;
    Ok(())
}

impl Besides {
    fn servers(self) -> u64 {
        self.servers.unwrap_or(7)
    }

    fn gifts(self) -> u64 {
        self.gifts.unwrap_or(5)
    }

    /// Whether a model has these, and neither too few nor too many.
    fn check(self, classic: Classic, shape: Shape) -> Result<(), GenerateError> {
        // A class has at least one colour.
        let (most_servers, gifts) = match shape {
            Shape::Coloured => (MOST_COLOURS, 1..=MOST_COLOURS),
            _ => (MOST_SERVERS, 0..=MOST_GIFTS),
        };
        let kinds = [
            (Classic::ClientServer, "servers", self.servers, 1..=most_servers),
            (Classic::SaleStore, "gifts", self.gifts, gifts),
        ];
        for (owner, what, number, range) in kinds {
            match number {
                Some(_) if classic != owner => return Err(GenerateError::HasNone { classic, what, owner }),
                Some(number) if !range.contains(&number) => {
                    return Err(GenerateError::OutOfRange { classic, what, number, range });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn write_sized(
    classic: Classic, number: u64, besides: Besides, shape: Shape, out: &mut dyn Write,
) -> std::io::Result<()> {
    match (classic, shape) {
        (_, Shape::Coloured) => coloured::write(classic, number, besides, out),
        (Classic::Philosophers, Shape::Flat) => philosophers::flat(number, out),
        (Classic::Philosophers, _) => philosophers::ring(number, out),
        (Classic::Kanban, Shape::Flat) => kanban::flat(number, out),
        (Classic::Kanban, _) => kanban::ring(number, out),
        (Classic::SlottedRing, Shape::Flat) => slotted_ring::flat(number, out),
        (Classic::SlottedRing, _) => slotted_ring::ring(number, out),
        (Classic::Fms, Shape::Flat) => fms::flat(number, out),
        (Classic::Fms, _) => fms::ring(number, out),
        (Classic::ContestPhilosophers, Shape::Flat) => contest_philosophers::flat(number, out),
        (Classic::ContestPhilosophers, _) => contest_philosophers::ring(number, out),
        (Classic::ClientServer, _) => client_server::flat(number, besides.servers(), out),
        (Classic::SaleStore, _) => sale_store::flat(number, besides.gifts(), out),
        (Classic::Peterson, _) => peterson::flat(number, out),
        (Classic::TokenRing, _) => token_ring::flat(number, out),
        (Classic::Database, _) => database::flat(number, out),
    }
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
