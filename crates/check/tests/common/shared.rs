//! The models and expected figures that lie beside the project, where they do.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The folder with the models, if it is there.
pub fn models() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: the folder of shared models is not there");
    None
}

/// What is expected of each model: `figures[model][(examination, formula)]`.
pub type Figures = BTreeMap<String, BTreeMap<(String, String), String>>;

/// Reads a file of expected figures.
pub fn expected(file: &str) -> Figures {
    let mut figures = Figures::new();
    let Some(folder) = models() else { return figures };
    let Ok(text) = std::fs::read_to_string(folder.join(file)) else { return figures };
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        // Formulas of the logics may contain commas; they are for other tests.
        if let [model, examination, formula, value, ..] = fields[..] {
            let model = figures.entry(model.to_string()).or_default();
            model.insert((examination.to_string(), formula.to_string()), value.to_string());
        }
    }
    figures
}
