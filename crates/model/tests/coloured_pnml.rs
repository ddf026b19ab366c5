//! Symmetric nets in PNML: the shared ones, random ones, and large ones. Bad ones are in `coloured_pnml_errors.rs`.

mod readers;

use mandala_model::coloured::pnml;
use readers::shared;

/// The shared symmetric nets: their names and their texts.
fn nets() -> Vec<(String, String)> {
    let folders = shared("mcc-col").into_iter().chain(shared("mcc-col-large"));
    let name = |folder: &std::path::Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = |folder: &std::path::Path| std::fs::read_to_string(folder.join("model.pnml")).expect("a readable file");
    folders.map(|folder| (name(&folder), text(&folder))).collect()
}

#[test]
fn shared_nets_are_read_as_they_describe_themselves() {
    for (name, text) in nets() {
        assert!(pnml::is_coloured(&text), "{name}");
        let reading = pnml::read_with_notes("model.pnml", &text).unwrap_or_else(|error| panic!("{name}\n{error}"));
        // One file has a `$` between two elements.
        let expected = if name.starts_with("CryptoMiner") { 1 } else { 0 };
        assert_eq!(reading.notes.len(), expected, "{name}: {:?}", reading.notes);
        let net = reading.net;
        assert_eq!(net.name, name);
        assert_eq!(net.places.len(), text.matches("<place ").count(), "{name}");
        assert_eq!(net.transitions.len(), text.matches("<transition ").count(), "{name}");
        let arcs: usize = net.transitions.iter().map(|one| one.takes.len() + one.puts.len()).sum();
        println!("{name}: {} classes, {} arcs", net.classes.len(), arcs);
        assert_eq!(arcs, text.matches("<arc ").count(), "{name}");
    }
}

#[test]
fn shared_nets_are_written_and_read_back() {
    for (name, text) in nets() {
        let net = pnml::read("model.pnml", &text).unwrap_or_else(|error| panic!("{name}\n{error}"));
        let written = pnml::write(&net).unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = pnml::read("again.pnml", &written).unwrap_or_else(|error| panic!("{name}\n{error}"));
        assert!(again == net, "{name} changed");
    }
}

#[test]
fn show() {
    for (name, text) in nets() {
        if [
            "Philosophers-COL-000005",
            "TokenRing-COL-005",
            "UtilityControlRoom-COL-Z2T4N02",
            "DatabaseWithMutex-COL-02",
        ]
        .contains(&name.as_str())
        {
            println!("{:?}", pnml::read("model.pnml", &text).unwrap());
        }
    }
}
