//! Nets of the Model Checking Contest that exist coloured and unfolded: what is unfolded here is not larger than there.

#[path = "../../check/tests/common/shared.rs"]
#[allow(dead_code)]
mod shared;

use mandala_model::coloured::unfold::{Limits, unfold};
use mandala_model::net::Net;
use std::path::Path;

fn read(folder: &Path) -> Option<String> {
    std::fs::read_to_string(folder.join("model.pnml")).ok()
}

/// How many places some transition changes: places that never change are kept for their tokens alone.
fn changing(net: &Net) -> usize {
    let mut changes = vec![false; net.places.len()];
    for effect in net.transitions.iter().flat_map(|transition| &transition.effects) {
        changes[effect.place as usize] |= effect.take != effect.put;
    }
    changes.into_iter().filter(|&changes| changes).count()
}

#[test]
fn not_larger_than_the_unfolding_of_the_contest() {
    let Some(models) = shared::models() else { return };
    let mut pairs = 0;
    for (coloured, flat) in [("mcc-col", "mcc-pt"), ("mcc-col", "mcc-pt-large"), ("mcc-col-large", "mcc-pt-large")] {
        let Ok(entries) = std::fs::read_dir(models.join(coloured)) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let other = models.join(flat).join(name.replace("-COL-", "-PT-"));
            let (Some(one), Some(other)) = (read(&entry.path()), read(&other)) else { continue };
            let net = mandala_model::coloured::pnml::read(&name, &one).unwrap_or_else(|error| panic!("{error}"));
            let given = mandala_model::net::pnml::read(&name, &other).unwrap_or_else(|error| panic!("{error}"));
            let unfolded = unfold(&net, &Limits::default()).unwrap_or_else(|error| panic!("{name}: {error}")).net;
            assert!(changing(&unfolded) <= given.places.len(), "{name}: {} places", changing(&unfolded));
            let transitions = unfolded.transitions.len();
            assert!(transitions <= given.transitions.len(), "{name}: {transitions} of {}", given.transitions.len());
            pairs += 1;
        }
    }
    assert!(pairs > 15, "{pairs}");
}
