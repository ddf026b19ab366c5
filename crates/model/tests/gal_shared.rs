//! Every GAL file of the shared models is read, and reads the same after it is printed.

use std::path::PathBuf;

use mandala_model::gal;
use mandala_model::text::decode;

/// The shared GAL files with their texts; none, with a message, where they are not there.
fn shared() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/gal");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: there is no folder of shared models");
        return Vec::new();
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "gal") {
            let bytes = std::fs::read(&path).unwrap();
            files.push((path.file_name().unwrap().to_string_lossy().to_string(), decode(&bytes).into_owned()));
        }
    }
    files.sort();
    files
}

#[test]
fn every_file_reads_the_same_after_printing() {
    for (file, text) in shared() {
        let tree = gal::parse(&file, &text).unwrap_or_else(|problems| panic!("{problems}"));
        let printed = tree.to_string();
        let again = gal::parse(&file, &printed).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(again, tree, "{file}");
    }
}
