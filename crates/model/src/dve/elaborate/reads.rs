//! Which variables effects read and change.

use super::simplify::Number;
use super::step::Assignment;
use crate::system::Target;

/// Variables that follow each other: the first, and the one after the last.
type Stretch = (u32, u32);

/// How far stretches reach that began earlier: the furthest, and the furthest of another process.
#[derive(Clone, Copy, Default)]
struct Reach {
    furthest: (u32, usize),
    other: u32,
}

impl Reach {
    fn add(&mut self, end: u32, process: usize) {
        let (furthest, of) = self.furthest;
        if of == process {
            self.furthest.0 = furthest.max(end);
        } else if end > furthest {
            *self = Reach { furthest: (end, process), other: furthest };
        } else {
            self.other = self.other.max(end);
        }
    }

    /// How far those of other processes reach.
    fn beside(&self, process: usize) -> u32 {
        if self.furthest.1 == process { self.other } else { self.furthest.0 }
    }
}

/// Whether one of several processes changes what another reads or changes.
pub(super) fn conflict(parts: &[Vec<Assignment>]) -> bool {
    let mut used: Vec<(Stretch, bool, usize)> = Vec::new();
    for (process, effects) in parts.iter().enumerate() {
        used.extend(writes(effects).map(|stretch| (stretch, true, process)));
        used.extend(reads(effects).map(|stretch| (stretch, false, process)));
    }
    used.sort_unstable();
    let (mut written, mut any) = (Reach::default(), Reach::default());
    for ((start, end), writes, process) in used {
        let reach = if writes { any } else { written };
        if reach.beside(process) > start {
            return true;
        }
        any.add(end, process);
        if writes {
            written.add(end, process);
        }
    }
    false
}

/// Whether a number may depend on what is stored in one of these.
pub(super) fn depends<'t>(number: &Number, mut targets: impl Iterator<Item = &'t Target>) -> bool {
    let meets = |(start, end): Stretch, (other_start, other_end): Stretch| start < other_end && other_start < end;
    let read = reads_of(number);
    targets.any(|target| read.iter().any(|&stretch| meets(stretch, stored_in(target))))
}

fn stored_in(target: &Target) -> Stretch {
    match *target {
        Target::Variable(variable) => (variable, variable + 1),
        Target::Element { first, length, .. } => (first, first + length),
    }
}

fn reads_of(number: &Number) -> Vec<Stretch> {
    let stretches = number.parts().filter_map(|(part, _)| part.read());
    stretches.map(|(first, length)| (*first, first + length)).collect()
}

fn writes(effects: &[Assignment]) -> impl Iterator<Item = Stretch> {
    effects.iter().map(|effect| stored_in(&effect.target))
}

fn reads(effects: &[Assignment]) -> impl Iterator<Item = Stretch> {
    effects.iter().flat_map(move |effect| {
        let index = match &effect.target {
            Target::Element { index, .. } => reads_of(index),
            Target::Variable(_) => Vec::new(),
        };
        [reads_of(&effect.value), index].concat()
    })
}
