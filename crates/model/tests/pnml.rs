//! PNML files: the shared ones, random ones, and bad ones.

use mandala_model::net::pnml;
use std::path::{Path, PathBuf};

/// The `model.pnml` of each model in a folder of shared models.
fn shared(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models").join(folder);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: there are no shared models at {}", folder.display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path().join("model.pnml"))).filter(|file| file.is_file()).collect();
    files.sort();
    files
}

#[test]
fn shared_nets_are_read_and_written() {
    for file in shared("mcc-pt").into_iter().chain(shared("mcc-pt-large")) {
        let text = std::fs::read_to_string(&file).expect("readable");
        let reading = pnml::read_with_notes("model.pnml", &text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        if !reading.notes.is_empty() { println!("{}: {:?}", file.display(), reading.notes); }
        let net = reading.net;
        let again = pnml::read("again", &pnml::write(&net)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(net == again, "{}", file.display());
        println!("{} {} {} {}", net.name, net.places.len(), net.transitions.len(), net.units.is_some());
    }
}
