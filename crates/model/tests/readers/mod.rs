//! What the tests of the readers of nets and properties share.

// Each test is a crate of its own and uses some of this.
#![allow(dead_code)]

pub mod coloured;
pub mod mutate;
pub mod random;
pub mod samples;

use std::path::{Path, PathBuf};

/// The folders of shared models in a folder of them, or nothing where they are not there.
pub fn shared(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models").join(folder);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: there are no shared models in ../shared/models");
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|folder| folder.join("model.pnml").is_file());
    folders.sort();
    folders
}
