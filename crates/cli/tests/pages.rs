//! The pages that show what `mandala` prints are true, and what they quote is in `models`.

mod page;

use page::{blocks, comparable, folder, varying};
use std::fs;
use std::path::Path;

/// Runs the commands of a page. Pieces of GAL that are not files to be written are quoted from a model.
fn check(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace");
    let page = fs::read_to_string(root.join(name)).expect("the page");
    let folder = folder(name, &root.join("models"));
    let first = fs::read_to_string(folder.join("models/producer-consumer.gal")).expect("the first model");
    for block in blocks(&page) {
        if let Some(name) = block.file() {
            fs::write(folder.join(name), block.lines.join("\n") + "\n").expect("a file");
        } else if block.language == "gal" {
            for line in block.lines {
                let quoted = first.lines().any(|original| original.starts_with(line));
                assert!(quoted, "`{line}` is not in models/producer-consumer.gal");
            }
        }
    }
    fs::write(folder.join("page.md"), comparable(&page)).expect("the page");
    std::env::set_current_dir(&folder).expect("the folder is there");
    trycmd::TestCases::new().register_bin("mandala", Path::new(env!("CARGO_BIN_EXE_mandala"))).case("page.md").run();
}

/// One test, since commands run in the one folder that the process is in.
#[test]
fn pages_are_true() {
    ["docs/tour.md", "docs/output.md", "README.md"].into_iter().for_each(check);
}

#[test]
fn what_varies_is_left_out() {
    assert_eq!(varying("time       1.7 ms"), "time       [..]");
    assert_eq!(varying("6 properties: 5 hold (16 states, 1.5 ms)"), "6 properties: 5 hold (16 states, [..])");
    assert_eq!(varying("  a state, after 5 steps (shortest):"), "  a state, after 5 steps (shortest):");
    assert_eq!(varying("  \"seconds\": 0.002,"), "  \"seconds\": [..]");
    assert_eq!(
        varying("states  at least 131073 (stopped: out of time after 0.50 s)"),
        "states  at least [..] (stopped: out of time after [..])"
    );
}
