//! Nets of GreatSPN: the old text format, a `.net` file with a `.def` file beside it, and the editor's projects (`.PNPRO`).
//!
//! GreatSPN's coloured nets are stochastic well-formed nets. What makes them stochastic (rates, delays, weights, servers) is
//! passed over, and so are drawings and measures; what is left is a symmetric net. Transitions that are *immediate* fire before
//! all that are timed, and among themselves by their priority: here a timed transition has the priority 0, and an immediate one
//! that GreatSPN gives the priority n has n + 1. `docs/reference/pnml.md` has what is read and what it means.
//!
//! | module | what |
//! |---|---|
//! | `written`, `lines`, `net` | `.net` files as they are written, and the net in them |
//! | `definitions` | `.def` files |
//! | `project`, `parameters` | `.PNPRO` files |
//! | `expression`, `predicate`, `parse`, `token`, `piece` | expressions in both languages, as they are written |
//! | `palette` | colour classes in the making |
//! | `resolve`, `assemble` | from what is written to a net |

mod assemble;
mod definitions;
mod expression;
mod lines;
mod net;
mod palette;
mod parameters;
mod parse;
mod piece;
mod predicate;
mod project;
mod resolve;
mod token;
mod written;

use super::ColouredNet;
use crate::text::problems::Problems;
use crate::text::{Problem, Span, Unreadable};

/// A net as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The net.
    pub net: ColouredNet,
    /// What in the file was passed over although it may matter to its author. Places are those in the first file.
    pub notes: Vec<Problem>,
}

/// Which file something is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Net,
    Def,
}

/// What is wrong with each of the files.
#[derive(Default)]
struct Reports {
    net: Problems,
    def: Problems,
}

impl Reports {
    fn of(&mut self, origin: Origin) -> &mut Problems {
        match origin {
            Origin::Net => &mut self.net,
            Origin::Def => &mut self.def,
        }
    }

    fn any(&self) -> bool {
        self.net.count() + self.def.count() > 0
    }
}

/// Reads a net in the old format: a `.net` file, and the names and texts of the `.def` file beside it, if there is one. What is
/// wrong is wrong with one of them: with the definitions, if there is anything wrong with these.
///
/// ```
/// use mandala_model::coloured::greatspn;
///
/// let net = "\
/// |0|
/// |
/// f 0 1 0 1 0 0 0
/// ring -10003 1.0 1.0 1.0 1.0 0 1.0 1.0 C
/// move 1.0 1 0 1 0 1.0 1.0 1.0 1.0 1.0 1.0 0
///    1 1 0 0 1.0 1.0 <x>
///    1
///    1 1 0 0 1.0 1.0 <!x>
///    0
/// ";
/// let definitions = "\
/// |256
/// %
/// |
/// (C c 1.0 1.0 (@c
/// o all
/// ))
/// (all c 1.0 1.0 (@c
/// p{1-4}
/// ))
/// (first m 1.0 1.0 (@m
/// <p1>
/// ))
/// ";
/// let reading = greatspn::read_net("ring.net", net, Some(("ring.def", definitions)))?;
/// assert_eq!(reading.net.classes[0].len(), 4);
/// # Ok::<(), mandala_model::text::Unreadable>(())
/// ```
pub fn read_net(net_file: &str, net_text: &str, def: Option<(&str, &str)>) -> Result<Reading, Unreadable> {
    fits(net_file, net_text)?;
    if let Some((file, text)) = def {
        fits(file, text)?;
    }
    let mut reports = Reports::default();
    let reading = net::read(stem(net_file), net_text, def.map(|(_, text)| text), &mut reports);
    if let Some((file, text)) = def
        && reports.def.count() > 0
    {
        return reports.def.or(file, text, None);
    }
    reports.net.or(net_file, net_text, reading)
}

/// Reads the net of a project of GreatSPN's editor. `defines` gives constants and templates other values.
pub fn read_project(file: &str, text: &str, defines: &[(String, i32)]) -> Result<Reading, Unreadable> {
    fits(file, text)?;
    let mut problems = Problems::default();
    let reading = project::read(text, defines, &mut problems);
    problems.or(file, text, reading)
}

/// Whether a text looks like a `.net` file.
pub fn is_net(text: &str) -> bool {
    written::is_net(text)
}

/// Whether a text looks like a project of GreatSPN's editor.
pub fn is_project(text: &str) -> bool {
    project::is_project(text)
}

/// Places in a text are numbers of 32 bits.
fn fits(file: &str, text: &str) -> Result<(), Unreadable> {
    match u32::try_from(text.len()) {
        Ok(_) => Ok(()),
        Err(_) => Err(Unreadable::new(file, "", vec![Problem::new(Span::default(), "the file is larger than 4 GiB")])),
    }
}

/// The name of a file without folders and without what follows the last dot.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
