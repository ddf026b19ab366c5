//! What the transitions of a reduced net stand for: words of transitions of the net.

use std::fmt;

/// A run that is too long to be written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the run has too many steps to be written down")
    }
}

impl std::error::Error for TooLong {}

/// The most steps of a run.
const LONGEST: usize = 5_000_000;

/// Words by transition. A transition that was made is one after another, so that long words share their parts.
#[derive(Clone, Debug)]
pub(super) struct Words {
    /// How many transitions the net has: those below are words of one letter.
    letters: u32,
    made: Vec<Made>,
    /// What has happened before the initial marking, in this order: transitions, and how often.
    beginning: Vec<(u32, u64)>,
    /// The transition in the making of each one of the reduced net.
    kept: Vec<u32>,
}

/// One transition, and then another some times.
#[derive(Clone, Copy, Debug)]
struct Made {
    first: u32,
    second: u32,
    times: u64,
}

impl Words {
    pub(super) fn new(letters: usize) -> Words {
        Words { letters: letters as u32, made: Vec::new(), beginning: Vec::new(), kept: Vec::new() }
    }

    /// A new transition that is one and then another some times; it gets the next number.
    pub(super) fn make(&mut self, first: u32, second: u32, times: u64) {
        self.made.push(Made { first, second, times });
    }

    /// A transition has fired so often before the initial marking.
    pub(super) fn begin(&mut self, event: u32, times: u64) {
        self.beginning.push((event, times));
    }

    /// The transitions that are left.
    pub(super) fn keep(&mut self, kept: &[u32]) {
        self.kept = kept.to_vec();
    }

    pub(super) fn run(&self, transitions: impl IntoIterator<Item = u32>) -> Result<Vec<u32>, TooLong> {
        let mut run = Vec::new();
        for &(event, times) in &self.beginning {
            self.write(event, times, &mut run)?;
        }
        for transition in transitions {
            let event = self.kept.get(transition as usize).ok_or(TooLong)?;
            self.write(*event, 1, &mut run)?;
        }
        Ok(run)
    }

    pub(super) fn word(&self, transition: u32) -> Result<Vec<u32>, TooLong> {
        let mut word = Vec::new();
        self.write(*self.kept.get(transition as usize).ok_or(TooLong)?, 1, &mut word)?;
        Ok(word)
    }

    fn write(&self, event: u32, times: u64, run: &mut Vec<u32>) -> Result<(), TooLong> {
        let mut open = vec![(event, times)];
        while let Some((event, times)) = open.pop() {
            if run.len() >= LONGEST || times > LONGEST as u64 {
                return Err(TooLong);
            }
            if times == 0 {
                continue;
            }
            open.push((event, times - 1));
            match event.checked_sub(self.letters) {
                None => run.push(event),
                Some(made) => {
                    let made = self.made[made as usize];
                    open.extend([(made.second, made.times), (made.first, 1)]);
                }
            }
        }
        Ok(())
    }
}
