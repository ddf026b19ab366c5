//! `docs/reference` is true: every model in it can be read, and what it prints is what `mandala` prints.

mod page;

use page::{blocks, comparable, folder};
use std::fs;
use std::path::Path;
use std::process::Command;

const PAGES: [&str; 6] = ["gal", "dve", "pnml", "symmetric-nets", "formulas", "commands"];

#[test]
fn the_reference_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace");
    let folder = folder("reference", &root.join("models"));
    std::env::set_current_dir(&folder).expect("the folder is there");
    let mandala = Path::new(env!("CARGO_BIN_EXE_mandala"));
    let mut written: Vec<(String, &str)> = Vec::new();
    for page in PAGES {
        let text = fs::read_to_string(root.join(format!("docs/reference/{page}.md"))).expect("a page");
        for block in blocks(&text) {
            match (block.language, block.file()) {
                ("gal" | "dve" | "sn" | "xml" | "text", Some(name)) => {
                    fs::write(name, block.lines.join("\n") + "\n").expect("a file");
                    written.push((name.to_owned(), page));
                }
                ("console" | "text", _) => {}
                (language, _) => panic!("{page}.md: a block of `{language}` that nothing tests"),
            }
        }
        fs::write(format!("{page}.md"), comparable(&text)).expect("the page");
    }
    for (name, page) in &written {
        if !name.ends_with(".xml") && !name.ends_with(".txt") {
            let said = Command::new(mandala).args(["info", name]).output().expect("mandala runs");
            let error = String::from_utf8_lossy(&said.stderr).into_owned();
            assert!(said.status.success(), "{page}.md: {name} cannot be read: {error}");
        }
    }
    let cases = trycmd::TestCases::new();
    cases.register_bin("mandala", mandala);
    PAGES.iter().for_each(|page| _ = cases.case(format!("{page}.md")));
    cases.run();
}

/// What a line or a column of an answer means can be looked up.
#[test]
fn every_line_is_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/output.md")).expect("a page");
    let dead = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dead.gal");
    fs::write(&dead, "net D { place p; place q = 1; transition t { take p; put q; } }").expect("a file");
    let mut models = vec![dead];
    models.extend(fs::read_dir(root.join("models")).expect("models").map(|entry| entry.expect("a model").path()));
    models.retain(|path| path.extension().is_some_and(|ending| ending != "md"));
    for model in models {
        let model = model.to_string_lossy();
        for verb in [&["info", &*model, "--siphons"][..], &["states", &model, "--full", "--stats", "--timeout", "1s"]] {
            let output = Command::new(env!("CARGO_BIN_EXE_mandala")).args(verb).output().expect("mandala runs");
            let text = String::from_utf8(output.stdout).expect("text");
            let labels = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_alphabetic()));
            for label in labels.map(|line| line.split("  ").next().unwrap_or(line)) {
                let label = label.split([':', ',']).next().unwrap_or(label);
                let label = if label == "cache" { "cache: OP" } else { label };
                assert!(page.contains(&format!("`{label}`")), "`{label}` is not explained: {verb:?}");
            }
        }
    }
}

/// Every page of the folder is among those that are tested.
#[test]
fn no_page_is_left_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    for entry in fs::read_dir(folder).expect("the reference") {
        let name = entry.expect("a page").file_name().to_string_lossy().into_owned();
        assert!(PAGES.iter().any(|page| name == format!("{page}.md")), "{name} is not tested");
    }
}
