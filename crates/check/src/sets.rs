//! Symbolic markings in sets, within limits.

use mandala_diagram::{Count, Error, Store};
use mandala_model::coloured::property::ColouredNets;
use mandala_model::property::Question;
use mandala_symbolic::marking::SymbolicNet;
use mandala_symbolic::marking::sets::{self, Found, Said, Stopped};

use crate::answer::Verdict;
use crate::limits::Limits;

/// Finds all symbolic markings of a net in sets: what was found, and the most bytes at a time. Shapes are kept one by one: the
/// limit on states is one on shapes.
pub fn explore(net: &SymbolicNet<'_>, limits: &Limits) -> Result<(Found, usize), Stopped> {
    let mut store = Store::new();
    limits.apply(&mut store, None);
    let found = sets::explore(net, &mut store, &|shapes, bytes| go_on(limits, shapes, bytes))?;
    let bytes = found.bytes + store.statistics().peak_bytes;
    Ok((found, bytes))
}

/// Answers questions about single markings on sets of symbolic ones, and says how many of these there are. There is nothing in
/// the place of a question about more ([`sets::is_about_markings`]).
pub fn answer(
    net: &SymbolicNet<'_>, asked: &[&Question<ColouredNets>], limits: &Limits,
) -> Result<(Vec<Option<Verdict>>, Count), Stopped> {
    let mut store = Store::new();
    limits.apply(&mut store, None);
    let (said, markings) = sets::answer(net, &mut store, &|shapes, bytes| go_on(limits, shapes, bytes), asked)?;
    let verdict = |said: Said| match said {
        Said::Truth(true) => Verdict::Holds,
        Said::Truth(false) => Verdict::Fails,
        Said::Bounds(least, greatest) => Verdict::Bounds { least, greatest },
    };
    Ok((said.into_iter().map(|said| said.map(verdict)).collect(), markings))
}

fn go_on(limits: &Limits, shapes: usize, bytes: usize) -> Result<(), Error> {
    limits.check()?;
    if limits.states.is_some_and(|most| shapes as u64 > most) {
        return Err(Error::Work { reached: None });
    }
    match limits.memory {
        Some(limit) if bytes > limit => {
            Err(Error::Memory { used: bytes, needed: 0, limit: Some(limit), reached: None })
        }
        _ => Ok(()),
    }
}
