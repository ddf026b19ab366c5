//! Pages of the documentation as tests: what they print is what `mandala` prints.
//!
//! A page is copied to a folder of the test's own, next to a copy of the models, and run there by `trycmd`. In the copy,
//! whatever differs from run to run or from machine to machine (times, memory) is replaced by
//! `[..]`, so that the page itself can show a real run.

use std::fs;
use std::path::{Path, PathBuf};

/// A block of the page between two fences.
pub struct Block<'a> {
    /// What is written behind the opening fence.
    pub language: &'a str,
    /// What is between the fences.
    pub lines: Vec<&'a str>,
}

impl Block<'_> {
    /// The name of the file that a reader of the page is to write, if its first line says `file: NAME`.
    pub fn file(&self) -> Option<&str> {
        self.lines.first()?.split_once("file: ")?.1.split_whitespace().next()
    }
}

const FENCE: &str = "```";

/// The blocks of a page.
pub fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match line.strip_prefix(FENCE) {
            Some(language) => {
                if !open {
                    blocks.push(Block { language, lines: Vec::new() });
                }
                open = !open;
            }
            None if open => blocks.last_mut().expect("an open block").lines.push(line),
            None => {}
        }
    }
    assert!(!open, "a block is not closed");
    blocks
}

/// A line without what varies.
pub fn varying(line: &str) -> String {
    const FIGURES: [&str; 2] = ["seconds", "peak_memory_bytes"];
    if let Some((name, _)) = line.split_once("\": ")
        && FIGURES.contains(&name.trim_start().trim_start_matches('"'))
    {
        return format!("{name}\": [..]");
    }
    // What the engine did, with `--stats`.
    const STATISTICS: [&str; 6] = ["nodes made  ", "nodes kept  ", "terms  ", "answers  ", "diagrams  ", "cache: "];
    if let Some(name) = STATISTICS.iter().find(|name| line.starts_with(*name)) {
        return format!("{name}[..]");
    }
    if let Some((before, after)) = line.split_once("at least ") {
        let (_, after) = after.split_once(' ').unwrap_or(("", ""));
        return format!("{before}at least [..] {}", without_amounts(after));
    }
    without_amounts(line)
}

/// A line in which `[..]` stands for every amount of time or memory, as in `1.5 ms`.
fn without_amounts(line: &str) -> String {
    const UNITS: [&str; 8] = ["us", "ms", "s", "min", "h", "KiB", "MiB", "GiB"];
    let mut words: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let unit = word.trim_end_matches([')', ',', ';']);
        let is_number = |last: &str| last.trim_start_matches('(').parse::<f64>().is_ok();
        match words.last_mut().filter(|last| UNITS.contains(&unit) && is_number(last)) {
            Some(last) => {
                let open = if last.starts_with('(') { "(" } else { "" };
                *last = format!("{open}[..]{}", &word[unit.len()..]);
            }
            None => words.push(word.to_owned()),
        }
    }
    words.join(" ")
}

/// The page as `trycmd` is to compare it.
pub fn comparable(page: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut orders = false;
    for line in page.lines() {
        // The table of orders that `info` prints: which there are, and how good, is no concern of the page.
        if orders && line.starts_with("  ") {
            continue;
        }
        // The last line of a command ends with the block, as those of the others do with the line between them.
        if line == FENCE && lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(String::new());
        }
        orders = line.starts_with("orders, ");
        lines.push(varying(line));
        if orders {
            lines.push("...".to_owned());
        }
    }
    lines.join("\n") + "\n"
}

/// An empty folder for a page, with a copy of the models.
pub fn folder(page: &str, models: &Path) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(page.replace('/', "-"));
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old run can be removed");
    }
    fs::create_dir_all(folder.join("models")).expect("a folder");
    for entry in fs::read_dir(models).expect("the models") {
        let entry = entry.expect("a model");
        fs::copy(entry.path(), folder.join("models").join(entry.file_name())).expect("a copy");
    }
    folder
}
