//! GreatSPN's nets: the shared ones, and what each construct means. Bad ones are in `greatspn_errors.rs`.

#[path = "coloured/explore.rs"]
mod explore;
mod readers;

use explore::markings;
use mandala_model::coloured::greatspn::{self, Reading};
use std::path::Path;

/// A file of the shared nets, or nothing where they are not there.
fn shared(file: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/swn").join(file);
    let text = std::fs::read_to_string(path).ok();
    if text.is_none() {
        println!("skipped: there are no shared models in ../shared/models");
    }
    text
}

/// A shared net in the old format, with something in its definitions replaced.
fn old(name: &str, from: &str, to: &str) -> Option<Reading> {
    let (net, def) = (shared(&format!("{name}.net"))?, shared(&format!("{name}.def"))?);
    assert!(greatspn::is_net(&net) && !greatspn::is_net(&def) && !greatspn::is_project(&net));
    let (net_file, def_file) = (format!("{name}.net"), format!("{name}.def"));
    let reading = greatspn::read_net(&net_file, &net, Some((&def_file, &def.replace(from, to))));
    Some(reading.unwrap_or_else(|error| panic!("{error}")))
}

fn colours(prefix: &str, count: usize) -> String {
    let names: Vec<String> = (1..=count).map(|number| format!("{prefix}{number}")).collect();
    names.join(",")
}

#[test]
fn old_nets_have_the_markings_that_are_known() {
    if let Some(reading) = old("simple", "", "") {
        assert_eq!(markings(&reading.net), 1024);
    }
    for (processes, expected) in [(3, 91), (4, 364), (5, 1429), (6, 5554)] {
        if let Some(reading) = old("WCSsym", "@PR@", &colours("pr", processes)) {
            assert_eq!(markings(&reading.net), expected, "{processes} processes");
        }
    }
}

#[test]
fn a_wave_of_three_processes_has_fewer_markings_with_priorities() {
    // With ten processes there are 3617111 markings with priorities and 3670016 without (see the next test).
    let Some(reading) = old("DCSWave", "proc{3-10}", "proc{3-3}") else { return };
    let mut net = reading.net;
    let with = markings(&net);
    net.transitions.iter_mut().for_each(|transition| transition.priority = 0);
    let without = markings(&net);
    assert!(with < without, "{with} and {without}");
}

#[test]
#[ignore = "takes a minute and a gigabyte"]
fn a_wave_of_ten_processes_has_the_markings_that_are_known() {
    let Some(reading) = old("DCSWave", "", "") else { return };
    let mut net = reading.net;
    assert_eq!(markings(&net), 3_617_111);
    net.transitions.iter_mut().for_each(|transition| transition.priority = 0);
    assert_eq!(markings(&net), 3_670_016);
}
