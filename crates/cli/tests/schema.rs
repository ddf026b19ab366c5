//! What `--json` prints is what `docs/schema.json` says.
//!
//! All commands with `--json` that the documents and the snapshots of commands show are run, and some that end before they are
//! done. The part of JSON Schema that the schema uses is checked here; a word that is not known here is an error.

#[allow(dead_code, reason = "pages are not compared here")]
mod page;

use serde_json::{Map, Value};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Schema(Value);

impl Schema {
    fn read() -> Schema {
        let text = fs::read_to_string(root().join("docs/schema.json")).expect("the schema");
        Schema(serde_json::from_str(&text).expect("JSON"))
    }

    /// What is wrong with a value, with where that is.
    fn check(&self, value: &Value) -> Result<(), String> {
        self.part(&self.0, value, "")
    }

    fn part(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let words = schema.as_object().ok_or("a schema is an object")?;
        for (word, said) in words {
            match word.as_str() {
                "$schema" | "$defs" | "title" | "description" => Ok(()),
                "$ref" => {
                    let name = said.as_str().and_then(|name| name.strip_prefix("#/$defs/")).expect("a reference");
                    self.part(&self.0["$defs"][name], value, at)
                }
                "type" => is_of(said, value).then_some(()).ok_or(format!("{at}: {value} is not {said}")),
                "enum" => list(said).contains(value).then_some(()).ok_or(format!("{at}: {value} is none of {said}")),
                "const" => (said == value).then_some(()).ok_or(format!("{at}: {value} is not {said}")),
                "not" => self.part(said, value, at).is_err().then_some(()).ok_or(format!("{at}: must not be there")),
                "pattern" => {
                    assert!(said == "^[0-9]+$" || said == "^-?[0-9]+$", "{said} is not known here");
                    let digits = value.as_str().unwrap_or("0");
                    let digits = if said == "^-?[0-9]+$" { digits.strip_prefix('-').unwrap_or(digits) } else { digits };
                    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
                    is_number.then_some(()).ok_or(format!("{at}: {value} is no number"))
                }
                "anyOf" | "oneOf" => {
                    let results: Vec<_> = list(said).iter().map(|one| self.part(one, value, at)).collect();
                    let fitting = results.iter().filter(|result| result.is_ok()).count();
                    let fits = if word == "oneOf" { fitting == 1 } else { fitting > 0 };
                    fits.then_some(()).ok_or_else(|| format!("{at}: {fitting} fit: {results:?}"))
                }
                "items" => match value.as_array() {
                    Some(items) => items.iter().try_for_each(|item| self.part(said, item, &format!("{at}[]"))),
                    None => Ok(()),
                },
                "required" => match value.as_object() {
                    Some(object) => list(said).iter().try_for_each(|name| {
                        let is_there = object.contains_key(name.as_str().expect("a name"));
                        is_there.then_some(()).ok_or(format!("{at}: {name} is missing"))
                    }),
                    None => Ok(()),
                },
                "properties" | "additionalProperties" => self.properties(words, value, at),
                word => Err(format!("this test does not know `{word}`")),
            }?;
        }
        Ok(())
    }

    fn properties(&self, words: &Map<String, Value>, value: &Value, at: &str) -> Result<(), String> {
        let Some(object) = value.as_object() else { return Ok(()) };
        for (name, inner) in object {
            let at = format!("{at}.{name}");
            match (words.get("properties").and_then(|known| known.get(name)), words.get("additionalProperties")) {
                (Some(schema), _) => self.part(schema, inner, &at)?,
                (None, Some(Value::Bool(false))) => return Err(format!("{at}: not in the schema")),
                (None, Some(schema)) => self.part(schema, inner, &at)?,
                (None, None) => {}
            }
        }
        Ok(())
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn is_of(types: &Value, value: &Value) -> bool {
    match types {
        Value::Array(types) => types.iter().any(|one| is_of(one, value)),
        types => match types.as_str().expect("a type") {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            other => panic!("no type: {other}"),
        },
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// The words of a command, as a shell would split them.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote): (Vec<String>, Option<String>, Option<char>) = (Vec::new(), None, None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (Some(_), letter) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(letter);
            }
            (None, ' ') => words.extend(word.take()),
            (None, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Runs a command in a folder: what it prints fits the schema.
fn check(schema: &Schema, folder: &Path, arguments: &[String]) {
    let output = Command::new(env!("CARGO_BIN_EXE_mandala")).args(arguments).current_dir(folder).output();
    let output = output.expect("it starts");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.starts_with("{") && printed.ends_with("}\n"), "{arguments:?}: {printed}");
    let value: Value =
        serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {printed}"));
    schema.check(&value).unwrap_or_else(|wrong| panic!("{arguments:?}: {wrong}\n{printed}"));
    let is_error = value.get("error").is_some();
    assert_eq!(is_error, output.status.code() == Some(2), "{arguments:?}: {printed}");
}

/// The commands with `--json` in a text.
fn commands(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("$ mandala "));
    lines.map(words).filter(|words| words.iter().any(|word| word == "--json")).collect()
}

/// The pages with examples.
const PAGES: [&str; 10] = [
    "README.md",
    "models/README.md",
    "docs/tour.md",
    "docs/output.md",
    "docs/reference/gal.md",
    "docs/reference/dve.md",
    "docs/reference/pnml.md",
    "docs/reference/symmetric-nets.md",
    "docs/reference/formulas.md",
    "docs/reference/commands.md",
];

/// Runs every command of a page that gives an answer, with `--json` whether the page has it or not, and the others for the
/// files that they write. How many answers there were.
fn examples(schema: &Schema, name: &str) -> usize {
    let text = fs::read_to_string(root().join(name)).expect("a page");
    let folder = page::folder(&format!("schema-{name}"), &root().join("models"));
    for block in page::blocks(&text) {
        if let Some(file) = block.file() {
            fs::write(folder.join(file), block.lines.join("\n") + "\n").expect("a file");
        }
    }
    let mut count = 0;
    for line in text.lines().filter_map(|line| line.strip_prefix("$ mandala ")) {
        let mut arguments = words(line);
        let is_answer = match arguments[0].as_str() {
            "states" | "check" | "info" => !line.contains("--format mcc"),
            "simulate" => line.contains("--steps"),
            _ => false,
        };
        if !is_answer {
            let command = Command::new(env!("CARGO_BIN_EXE_mandala")).args(&arguments).current_dir(&folder).output();
            assert!(command.is_ok(), "{line}");
            continue;
        }
        if !arguments.iter().any(|word| word == "--json") {
            arguments.push("--json".to_owned());
        }
        check(schema, &folder, &arguments);
        count += 1;
    }
    count
}

#[test]
fn what_the_documents_and_snapshots_show_fits_the_schema() {
    let schema = Schema::read();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for name in PAGES {
        count += examples(&schema, name);
    }
    for file in fs::read_dir(here.join("tests/cmd")).expect("snapshots") {
        for command in commands(&fs::read_to_string(file.expect("a file").path()).expect("a text")) {
            check(&schema, here, &command);
            count += 1;
        }
    }
    assert!(count > 100, "{count} commands");
}

#[test]
fn every_kind_of_answer_fits_the_schema() {
    let schema = Schema::read();
    for line in [
        "states models/factory.gal --json --full --stats",
        "states models/philosophers.sn --json --symmetry auto",
        "states models/philosophers.gal --json -D N=20000 --timeout 1ms",
        "states models/philosophers.gal --json -D N=30 --digits 3",
        "states models/philosophers.gal --json --symmetry select --strategy bfs",
        "states models/no-such-file.gal --json",
        "states models/README.md --json",
        "states --json",
        "check models/philosophers.gal --deadlock --trace --json --stats",
        "check models/philosophers.gal --live --json",
        "check models/token-ring.gal --json --trace",
        "check models/peterson.gal --json --trace",
        "check models/philosophers.gal --formula x=( --json",
        "check models/philosophers.sn --json --trace --symmetry auto",
        "check crates/cli/tests/models/lock.pnml --examination StateSpace --json",
        "check crates/cli/tests/models/lock.pnml --examination OneSafe --json",
        "check crates/cli/tests/models/lock.pnml --examination ReachabilityDeadlock --json --trace",
        "info models/factory.gal --json",
        "info models/philosophers.sn --json",
        "info models/philosophers.gal --json -D N=1000000",
        "simulate models/philosophers.gal --json --steps 5",
        "simulate models/philosophers.sn --json --steps 5",
        "simulate models/philosophers.gal --json",
        "simulate models/philosophers.gal --json --steps 1000000000 --timeout 300ms",
        "simulate models/philosophers.gal --json --steps 5 -D N=200000 --timeout 10ms",
    ] {
        check(&schema, &root(), &words(line));
    }
}

/// Of several models, each has an object on a line of its own: JSON Lines.
#[test]
fn several_models_are_one_object_per_line() {
    let schema = Schema::read();
    for (line, code) in [
        ("states models/peterson.gal models/no-such-file.gal models/philosophers.sn --json", 2),
        ("check models/peterson.gal models/producer-consumer.gal models/philosophers.gal --json --trace", 1),
        ("info models/peterson.gal models/philosophers.gal --json", 0),
    ] {
        let arguments = words(line);
        let output = Command::new(env!("CARGO_BIN_EXE_mandala")).args(&arguments).current_dir(root()).output();
        let output = output.expect("it starts");
        let printed = String::from_utf8(output.stdout).expect("text");
        assert_eq!(output.status.code(), Some(code), "{line}: {printed}");
        let models = arguments.iter().filter(|word| word.starts_with("models/")).count();
        assert_eq!(printed.lines().count(), models, "{printed}");
        for object in printed.lines() {
            let object = serde_json::from_str(object).unwrap_or_else(|error| panic!("{line}: {error}: {object}"));
            schema.check(&object).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
        }
    }
}

#[test]
fn the_schema_refuses_what_it_does_not_know() {
    let schema = Schema::read();
    let good = serde_json::json!({"error": {"kind": "usage", "message": "", "help": null, "problems": []}});
    assert_eq!(schema.check(&good), Ok(()));
    for wrong in [r#"{"error": {}}"#, r#"{"model": "x", "states": "12"}"#, "[]", r#"{"model": "x", "results": []}"#] {
        let wrong = serde_json::from_str(wrong).expect("JSON");
        assert!(schema.check(&wrong).is_err(), "{wrong}");
    }
}
