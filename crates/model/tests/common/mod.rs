//! What the tests of the GAL language share.
#![allow(dead_code)]

use std::path::PathBuf;

use mandala_model::system::{System, Type};
use mandala_model::text::{Span, decode};

/// The folder of shared models.
pub fn shared_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models")
}

/// The shared GAL files with their texts; none, with a message, where they are not there.
pub fn shared() -> Vec<(String, String)> {
    let Ok(entries) = std::fs::read_dir(shared_folder().join("gal")) else {
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

/// Takes the places out of a system, so that systems from different texts can be compared.
pub fn forget_places(system: &mut System) {
    for of in &mut system.types {
        if let Type::Program(program) = of {
            program.transitions.iter_mut().for_each(|transition| transition.span = Span::default());
        }
        let symmetries = match of {
            Type::Queues(queues) => &mut queues.net.symmetries,
            Type::Net(net) => &mut net.symmetries,
            Type::Program(program) => &mut program.symmetries,
            Type::Composite(composite) => &mut composite.symmetries,
        };
        symmetries.iter_mut().for_each(|symmetry| symmetry.span = Span::default());
    }
}
