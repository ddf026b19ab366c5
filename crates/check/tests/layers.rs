//! Modules form layers: no circle between the top modules of a crate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The crates whose modules must not go in circles.
const CRATES: [&str; 5] = ["model", "analysis", "symbolic", "check", "mandala"];

#[test]
fn modules_do_not_use_each_other_in_circles() {
    let mut circles = Vec::new();
    for name in CRATES {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let uses = uses_of(&sources);
        assert!(uses.len() > 2, "no modules are seen in {name}");
        circles.extend(circle(&uses).map(|modules| format!("{name}: {}", modules.join(" -> "))));
    }
    assert!(circles.is_empty(), "modules use each other in a circle:\n{}", circles.join("\n"));
}

#[test]
fn a_circle_is_seen() {
    let uses = |list: &[(&str, &str)]| {
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in list {
            uses.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        uses
    };
    assert_eq!(circle(&uses(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    let found = circle(&uses(&[("a", "b"), ("b", "c"), ("c", "b")])).expect("a circle");
    assert_eq!(found, ["b", "c", "b"]);
    let text = "use crate::run::{Trace};\n// see crate::space\nfn f() { crate::answer::g(); }\n#[cfg(test)]\nmod tests { use crate::quotient; }\n";
    assert_eq!(modules_in(text).into_iter().collect::<Vec<_>>(), ["answer", "run"]);
}

/// For each top module of a crate, the others that it uses. What only tests use does not count.
fn uses_of(sources: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files(sources) {
        let inside = file.strip_prefix(sources).expect("a file of the crate");
        let top = inside.components().next().expect("a name").as_os_str().to_string_lossy();
        let top = top.trim_end_matches(".rs").to_owned();
        if top == "lib" || top == "main" {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a source");
        let used = modules_in(&text).into_iter().filter(|module| *module != top);
        uses.entry(top.clone()).or_default().extend(used);
    }
    let modules: BTreeSet<String> = uses.keys().cloned().collect();
    uses.values_mut().for_each(|used| used.retain(|module| modules.contains(module)));
    uses
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in folder.read_dir().expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            // Tests may use everything.
            if path.file_name().is_some_and(|name| name != "tests") {
                all.extend(files(&path));
            }
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && path.file_name().is_some_and(|name| name != "tests.rs")
        {
            all.push(path);
        }
    }
    all
}

/// The modules that a text names after `crate::`, outside of comments and of tests, which come last in a file.
fn modules_in(text: &str) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for line in text.lines().take_while(|line| line.trim() != "#[cfg(test)]") {
        let code = line.split("//").next().unwrap_or_default();
        for (at, _) in code.match_indices("crate::") {
            let rest = &code[at + "crate::".len()..];
            let name: String =
                rest.chars().take_while(|letter| letter.is_ascii_lowercase() || *letter == '_').collect();
            if !name.is_empty() {
                modules.insert(name);
            }
        }
    }
    modules
}

/// Modules that use each other in a circle, if there are any: the first is also the last.
fn circle(uses: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    uses.keys().find_map(|module| walk(uses, module, &mut Vec::new(), &mut done))
}

fn walk(
    uses: &BTreeMap<String, BTreeSet<String>>, module: &str, way: &mut Vec<String>, done: &mut BTreeSet<String>,
) -> Option<Vec<String>> {
    if let Some(start) = way.iter().position(|before| before == module) {
        return Some(way[start..].iter().cloned().chain([module.to_owned()]).collect());
    }
    if !done.insert(module.to_owned()) {
        return None;
    }
    way.push(module.to_owned());
    let found = uses.get(module).into_iter().flatten().find_map(|next| walk(uses, next, way, done));
    way.pop();
    found
}
