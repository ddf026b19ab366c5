//! What a quotient is made of: a system as it is written, or made flat, and the symmetries that are used on it.

use std::fmt;

use mandala_analysis::symmetry::{Broken, SymmetryGroup, instances};
use mandala_group::UBig;
use mandala_model::flatten::{CannotFlatten, Flat, Renaming, flatten};
use mandala_model::property::Question;
use mandala_model::system::System;

use super::declared::{self, Kept, Source, Verified};
use crate::explore::SystemStopped;
use crate::options::Options;
use crate::space::SystemSpace;

/// A system of which a quotient is to be made. A composite is made flat for that, if it has symmetries and can be.
pub struct Subject<'s> {
    /// The system as it is written.
    written: &'s System,
    flat: Option<Flat>,
    source: Source,
    note: Option<Note>,
}

/// What happened to a composite.
#[derive(Clone, Debug)]
pub enum Note {
    /// It was made flat.
    MadeFlat,
    /// It has no symmetry, and is left as it is.
    NoSymmetry,
    /// It cannot be made flat.
    CannotFlatten(CannotFlatten),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::MadeFlat => write!(f, "the composite is made flat, to make its quotient"),
            Note::NoSymmetry => write!(f, "no quotient: no symmetry was found"),
            Note::CannotFlatten(error) => {
                write!(f, "no quotient: a composite would have to be made flat, and {error}")
            }
        }
    }
}

/// Why symmetries that are declared cannot be used.
#[derive(Clone, Debug)]
pub enum NotDeclared {
    /// None are declared.
    Nothing,
    /// What is declared as a symmetry is none.
    Broken {
        /// Its name.
        name: String,
        /// What it would change.
        broken: Broken,
    },
}

impl fmt::Display for NotDeclared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotDeclared::Nothing => write!(f, "the model declares no symmetries"),
            NotDeclared::Broken { name, broken } => {
                write!(f, "`{name}` is declared as a symmetry and is none: {broken}")
            }
        }
    }
}

impl std::error::Error for NotDeclared {}

impl<'s> Subject<'s> {
    /// Verifies what is declared, and makes composites flat.
    pub fn new(system: &'s System, source: Source) -> Result<Subject<'s>, NotDeclared> {
        verify(system, source)?;
        let mut subject = Subject { written: system, flat: None, source, note: None };
        if !system.is_composite() {
            return Ok(subject);
        }
        subject.note = Some(match flatten(system) {
            Ok(flat) => {
                subject.flat = Some(flat);
                // What is flat may be larger by far, and is of no use without symmetries.
                if subject.known(Kept { initial: false, questions: false }, &[], &[]).is_none() {
                    subject.flat = None;
                    Note::NoSymmetry
                } else {
                    Note::MadeFlat
                }
            }
            Err(error) => Note::CannotFlatten(error),
        });
        Ok(subject)
    }

    /// What is to be said of a composite.
    pub fn note(&self) -> Option<&Note> {
        self.note.as_ref()
    }

    /// What is explored.
    pub fn system(&self) -> &System {
        self.flat.as_ref().map_or(self.written, |flat| &flat.system)
    }

    /// Where everything has gone, if the system was made flat.
    pub fn renaming(&self) -> Option<&Renaming> {
        self.flat.as_ref().map(|flat| &flat.renaming)
    }

    /// The states up to the symmetries that leave alone some questions about the system as it is written.
    pub fn explore(&self, options: &Options, asked: &[&Question]) -> Result<SystemSpace<'_>, SystemStopped<'_>> {
        let renamed: Vec<Question> = match self.renaming() {
            Some(renaming) => asked.iter().filter_map(|question| renaming.question(question)).collect(),
            None => asked.iter().copied().cloned().collect(),
        };
        let renamed: Vec<&Question> = renamed.iter().collect();
        super::explore_by(self.system(), options, &renamed, &|kept| self.known(kept, asked, &renamed))
    }

    /// The symmetries that are seen on the system as it is written, or those that are seen when it is flat if these are more.
    fn known(&self, kept: Kept, asked: &[&Question], renamed: &[&Question]) -> Option<SymmetryGroup> {
        let flat = self.flat.as_ref().map(|flat| (&flat.system, renamed));
        declared::known_of_both((self.written, asked), flat, self.source, kept)
    }

    /// The system on which the most symmetries of its behaviour are seen, whatever is asked and wherever it begins: as it is
    /// written, or flat, and then where everything has gone. With these symmetries, if there are some.
    pub fn most_symmetric(&self) -> (&System, Option<&Renaming>, Option<SymmetryGroup>) {
        let of = |system| declared::known(system, self.source, Kept { initial: false, questions: false }, &[]);
        let order = |group: &Option<SymmetryGroup>| group.as_ref().map(|group| group.order.clone());
        let written = of(self.written);
        match &self.flat {
            Some(flat) if self.source == Source::Found => {
                let group = of(&flat.system);
                if order(&group) > order(&written) {
                    (&flat.system, Some(&flat.renaming), group)
                } else {
                    (self.written, None, written)
                }
            }
            _ => (self.written, None, written),
        }
    }

    /// A group in words, a line for each part: of a composite, with the names of its instances.
    pub fn words(&self, group: &SymmetryGroup) -> Vec<String> {
        instances::describe(self.written, &group.shape, &group.points, &group.names)
    }

    /// How many of the declared symmetries leave some questions alone, and how many there are; nothing if all do, or if
    /// others are used as well.
    pub fn unused(&self, asked: &[&Question]) -> Option<(UBig, UBig)> {
        if self.source == Source::Found {
            return None;
        }
        let known = |questions| declared::known(self.written, self.source, Kept { initial: false, questions }, asked);
        let all = known(false)?.order;
        let allowed = known(true).map_or(UBig::ONE, |allowed| allowed.order);
        (allowed < all).then_some((allowed, all))
    }
}

/// Symmetries that a system declares are to be symmetries, if they are used.
fn verify(system: &System, source: Source) -> Result<(), NotDeclared> {
    let declared = declared::verify(system);
    if declared.is_empty() && source == Source::Declared {
        return Err(NotDeclared::Nothing);
    }
    for (name, verified) in declared {
        if let Verified::No(broken) = verified {
            return Err(NotDeclared::Broken { name, broken });
        }
    }
    Ok(())
}
