//! GreatSPN's nets: the shared ones, and what each construct means. Bad ones are in `greatspn_errors.rs`.

#[path = "coloured/explore.rs"]
mod explore;
mod readers;

use explore::{Explorer, markings};
use mandala_model::coloured::greatspn::{self, Reading};
use mandala_model::coloured::{ClassOrder, Names};
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

/// A shared project.
fn project(name: &str, defines: &[(&str, i32)]) -> Option<Reading> {
    let text = shared(&format!("{name}.PNPRO"))?;
    assert!(greatspn::is_project(&text) && !greatspn::is_net(&text));
    let defines: Vec<(String, i32)> = defines.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let reading = greatspn::read_project(&format!("{name}.PNPRO"), &text, &defines);
    Some(reading.unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn philosophers_hold_each_fork_or_leave_it() {
    // A fork is free, in the left hand of one philosopher or in the right hand of another: three to the power of N.
    for (philosophers, expected) in [(2, 9), (3, 27), (5, 243), (8, 6561)] {
        let Some(reading) = project("PhilosophersCPN", &[("N", philosophers)]) else { return };
        assert_eq!(reading.net.classes[0].order, ClassOrder::Circular);
        let (count, fired) = Explorer::new(&reading.net).run();
        assert_eq!((count, fired.len()), (expected, 5), "{philosophers} philosophers");
    }
    let two = project("PhilosophersCPN", &[]).expect("the file is there");
    assert_eq!(markings(&two.net), 9, "2 is the value that N was last given");
}

#[test]
fn clients_and_servers_are_joined() {
    // With k of c clients joined to some of the five servers: everyone else is in or out.
    for (clients, expected) in [(1, 64 + 160), (2, 128 + 640 + 640)] {
        let Some(reading) = project("SimpleCPN", &[("n", clients)]) else { return };
        let (count, fired) = Explorer::new(&reading.net).run();
        assert_eq!((count, fired.len()), (expected, 9), "{clients} clients");
        let servers = &reading.net.classes[1];
        let names = ["sA", "sB", "s1", "s2", "s3"].map(str::to_owned).to_vec();
        assert_eq!((&servers.name[..], &servers.names), ("Srv", &Names::Listed(names)));
        assert_eq!(servers.subclasses[0].ranges, [(0, 2)]);
        assert_eq!(servers.subclasses[1].ranges, [(2, 5)]);
        assert!(servers.is_partitioned());
    }
}

#[test]
fn immediate_transitions_of_a_project_come_first() {
    let Some(reading) = project("DatabaseCPN", &[]) else { return };
    let net = reading.net;
    let priorities: Vec<(&str, u32)> = net.transitions.iter().map(|one| (&one.name[..], one.priority)).collect();
    let expected = [
        ("Start", 0),
        ("Acquire", 2),
        ("Change", 0),
        ("Release", 2),
        ("SendMessage", 0),
        ("Update", 2),
        ("EndUpdate", 0),
        ("SendReply", 0),
    ];
    assert_eq!(priorities, expected);
    let [servers, resources] = &net.classes[..] else { panic!("two classes") };
    assert_eq!((servers.len(), servers.order), (4, ClassOrder::Circular));
    assert_eq!((resources.len(), resources.order), (3, ClassOrder::Unordered));
}

#[test]
fn old_nets_are_read_as_they_are_written() {
    if let Some(Reading { net, notes }) = old("DCSWave", "", "") {
        assert_eq!((net.places.len(), net.transitions.len(), net.name.as_str()), (6, 5, "DCSWave"));
        let [class] = &net.classes[..] else { panic!("one class") };
        assert_eq!(class.names, Names::Numbered { prefix: "proc".to_owned(), first: 1, count: 10 });
        assert_eq!(class.subclasses.iter().map(|one| one.ranges[0]).collect::<Vec<_>>(), [(0, 1), (1, 2), (2, 10)]);
        let urgent: Vec<&str> =
            net.transitions.iter().filter(|one| one.priority > 0).map(|one| &one.name[..]).collect();
        assert_eq!(urgent, ["t2"]);
        assert!(notes.is_empty());
    }
    if let Some(Reading { net, .. }) = old("WCSasym2", "", "") {
        assert_eq!((net.places.len(), net.transitions.len()), (6, 7));
        let last = &net.transitions[6];
        assert_eq!((last.variables.len(), last.priority), (2, 2));
        assert_eq!(markings(&net), markings(&old("WCSasym2", "u C1", "o C1").expect("the file is there").net));
    }
    if let Some(Reading { net, .. }) = old("bagrodia", "@X@", &colours("x", 2)) {
        assert_eq!((net.places.len(), net.transitions.len(), net.classes.len()), (9, 16, 2));
        assert_eq!(net.places[8].domain.len(), 3);
        let inhibitors: usize = net.transitions.iter().map(|one| one.inhibitors.len()).sum();
        assert_eq!(inhibitors, 8);
    }
    if let Some(Reading { net, .. }) = old("udcs", "", "") {
        assert_eq!((net.places.len(), net.transitions.len()), (6, 6));
        assert!(markings(&net) > 1);
    }
}

#[test]
fn what_is_passed_over_is_noted() {
    let (net, def) = readers::samples::greatspn(readers::samples::GREATSPN);
    let Reading { net, notes } = greatspn::read_net("a/sample.net", net, def.map(|def| ("sample.def", def)))
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((&net.name[..], &net.places[0].name[..]), ("sample", "idle"));
    let priorities: Vec<u32> = net.transitions.iter().map(|transition| transition.priority).collect();
    assert_eq!(priorities, [2, 0, 0]);
    let said: Vec<&str> = notes.iter().map(|note| &note.message[..]).collect();
    assert_eq!(said, ["the transition `tick` fires after a fixed time"]);

    // Group 1 has the higher priority of the two that are used.
    let text = "|0|\n|\nf 0 0 0 2 2 0 0\nG1 0 0 5\nG2 0 0 3\n\
                a 1 1 1 0 0 1 1 1 1 1 1 0\n 0\n 0\nb 1 1 2 0 0 1 1 1 1 1 1 0\n 0\n 0\n";
    let Reading { net, notes } = greatspn::read_net("two.net", text, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!([net.transitions[0].priority, net.transitions[1].priority], [6, 4]);
    assert_eq!(notes.len(), 1);
}
