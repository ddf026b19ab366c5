//! Symbolic markings in sets, within limits.

use mandala_diagram::{Error, Store};
use mandala_symbolic::marking::SymbolicNet;
use mandala_symbolic::marking::sets::{self, Found, Stopped};

use crate::limits::Limits;

/// Finds all symbolic markings of a net in sets: what was found, and the most bytes at a time. Shapes are kept one by one: the
/// limit on states is one on shapes.
pub fn explore(net: &SymbolicNet<'_>, limits: &Limits) -> Result<(Found, usize), Stopped> {
    let mut store = Store::new();
    limits.apply(&mut store, None);
    let go_on = |shapes: usize, bytes: usize| {
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
    };
    let found = sets::explore(net, &mut store, &go_on)?;
    let bytes = found.bytes + store.statistics().peak_bytes;
    Ok((found, bytes))
}
