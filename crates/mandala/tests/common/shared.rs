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
        // Formulas of the contest's logics may contain commas; they are in files of their own.
        if let [model, examination, formula, value, ref rest @ ..] = fields[..] {
            let model = figures.entry(model.to_string()).or_default();
            // Some formulas of CTL are there several times, with their number in a file beside the model.
            let number = rest.last().and_then(|source| source.rfind("formula ").map(|at| &source[at..]));
            let formula = match number {
                Some(number) if examination == "CTL" => number.to_string(),
                _ => unquoted(formula),
            };
            model.insert((examination.to_string(), formula), value.to_string());
        }
    }
    figures
}

/// A field without the quotes around it.
fn unquoted(field: &str) -> String {
    match field.strip_prefix('"').and_then(|field| field.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => field.to_string(),
    }
}
