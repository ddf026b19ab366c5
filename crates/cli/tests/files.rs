//! Files that are written, and bytes that are no model.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn mandala(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mandala")).args(arguments).output().expect("it starts")
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

fn file(name: &str) -> String {
    folder().join(name).to_string_lossy().into_owned()
}

fn states(model: &str) -> String {
    let output = mandala(&["states", model, "--json"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = printed.lines().find(|line| line.trim_start().starts_with("\"states\"")).unwrap_or_default();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    line.trim().to_owned()
}

#[test]
fn what_is_converted_has_the_same_states() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/lock.pnml").to_string_lossy().into_owned();
    let (gal, back) = (file("converted.gal"), file("converted.pnml"));
    assert!(mandala(&["convert", &model, &gal]).status.success());
    assert!(mandala(&["convert", &gal, &back]).status.success());
    assert_eq!(states(&model), "\"states\": \"2\",");
    assert_eq!(states(&gal), states(&model));
    assert_eq!(states(&back), states(&model));
}

#[test]
fn what_is_generated_is_read() {
    for (name, size, expected) in [("philosophers", "3", "76"), ("kanban", "1", "160"), ("slotted-ring", "2", "52")] {
        for shape in ["flat", "ring"] {
            let model = file(&format!("{name}-{shape}.gal"));
            assert!(mandala(&["generate", name, size, "--shape", shape, "-o", &model]).status.success());
            assert_eq!(states(&model), format!("\"states\": \"{expected}\","), "{name} {shape}");
        }
    }
}

/// `mandala format` writes what it understands, and leaves everything else as it is.
#[test]
fn files_are_laid_out() {
    let (loose, tidy) = ("gal a{\nint x=0;\n}", "gal a {\n    int x = 0;\n}\n");
    let written = file("loose.gal");
    std::fs::write(&written, loose).expect("a file");
    let status = |arguments: &[&str]| mandala(arguments).status.code();
    let content = |file: &str| std::fs::read_to_string(file).expect("a file");
    assert_eq!(status(&["format", "--check", &written]), Some(1));
    assert_eq!((status(&["format", &written]), content(&written).as_str()), (Some(0), tidy));
    assert_eq!(status(&["format", "--check", &written]), Some(0));
    // Blanks mean something in other languages, and what is broken is laid out when it is whole.
    let pnml = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/lock.pnml"));
    let pnml = pnml.expect("a net");
    let texts = [("net.pnml", pnml.as_str()), ("net.gal", &pnml), ("notes.md", "a  b"), ("half.gal", "gal  a {")];
    for (name, text) in texts {
        let other = file(&format!("format-{name}"));
        std::fs::write(&other, text).expect("a file");
        assert_eq!((status(&["format", &other]), content(&other).as_str()), (Some(2), text), "{name}");
    }
}

#[test]
fn pictures_are_well_formed() {
    let models = [("kanban", "flat", "net"), ("kanban", "ring", "hierarchy"), ("kanban", "flat", "diagram")];
    for (name, shape, what) in models {
        let (model, picture) = (file(&format!("draw-{name}-{shape}.gal")), file(&format!("{name}-{what}.svg")));
        assert!(mandala(&["generate", name, "1", "--shape", shape, "-o", &model]).status.success());
        let output = mandala(&["draw", &model, "--what", what, "-o", &picture]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read_to_string(&picture).expect("a picture");
        assert!(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && text.ends_with("</svg>\n"));
        assert!(!text.contains("NaN") && !text.contains("inf"), "{name} {what}");
        // As many elements are opened as closed.
        let opened = text.matches('<').count() - text.matches("</").count();
        assert_eq!(opened, text.matches("</").count() + text.matches("/>").count(), "{name} {what}");
    }
}

/// A shell may write what is printed to a file in UTF-16, and older tools write PNML in Latin-1.
#[test]
fn texts_in_other_encodings_are_read() {
    let text = "net N { place a = 1; place b; transition t { take a; put b; } }";
    let little: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    for (name, bytes) in [("little.gal", little), ("big.gal", big)] {
        let file = file(name);
        std::fs::write(&file, bytes).expect("it can be written");
        assert!(states(&file).contains("\"2\""), "{name}");
    }
    let place = |id: &str, name: &[u8], more: &str| {
        let text = |text: String| text.into_bytes();
        [&text(format!("<place id=\"{id}\"><name><text>")), name, &text(format!("</text></name>{more}</place>"))]
            .concat()
    };
    let latin = [
        b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>".as_slice(),
        b"<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" ",
        b"type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">",
        &place("p", b"\xe9t\xe9", "<initialMarking><text>1</text></initialMarking>"),
        &place("q", b"\xe8t\xe8", ""),
        b"<transition id=\"t\"/><arc id=\"a\" source=\"p\" target=\"t\"/><arc id=\"b\" source=\"t\" target=\"q\"/>",
        b"</page></net></pnml>",
    ];
    let file = file("latin.pnml");
    std::fs::write(&file, latin.concat()).expect("it can be written");
    let output = mandala(&["check", &file, "-f", "EF `\u{e8}t\u{e8}` == 1", "--trace"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && printed.contains("\u{e9}t\u{e9} 1 -> 0"), "{output:?}");
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let cases: [(&str, &[u8], &str); 3] = [
        ("zeros.gal", &[0, 1, 2, 3], "is not a text"),
        ("model.pnml.gz", &[0x1f, 0x8b, 8, 0, 0], "is compressed"),
        ("blank.pnml", b" \n \n", "is empty"),
    ];
    for (name, bytes, expected) in cases {
        let file = file(name);
        std::fs::write(&file, bytes).expect("it can be written");
        let output = mandala(&["states", &file]);
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(expected), "{message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn the_content_decides_where_the_name_lies() {
    let file = file("lies.gal");
    std::fs::write(&file, include_str!("models/lock.pnml")).expect("it can be written");
    assert_eq!(states(&file), "\"states\": \"2\",");
}

/// Counts the states of a model on standard input. What is printed, and what is wrong with it.
fn states_of_input(text: &str, more: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mandala"));
    command.args(["states", "-", "--json"]).args(more);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("an input").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let [printed, wrong] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (printed, wrong)
}

#[test]
fn formats_on_standard_input_are_known_by_their_content() {
    let dve = "process P { state a, b; init a; trans a -> b { }; } system async;";
    let gal = "gal g { int x = 0; transition t [x == 0] { x = 1; } }";
    for text in [dve, gal, include_str!("models/lock.pnml")] {
        let (printed, wrong) = states_of_input(text, &[]);
        assert!(printed.contains("\"states\": \"2\","), "{printed}{wrong}");
    }
    // A type that is called like a word of DVE, and a format that is given.
    let (printed, wrong) = states_of_input("gal process { int x = 0; }", &["--format-in", "gal"]);
    assert!(printed.contains("\"states\": \"1\","), "{printed}{wrong}");
    let (printed, wrong) = states_of_input(dve, &["--format-in", "pnml"]);
    assert!(printed.contains("\"error\": {") && wrong.contains("error"), "{printed}{wrong}");
}

#[test]
fn a_folder_of_the_contest_is_a_model() {
    let folder = folder().join("Lock-PT-3");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("model.pnml"), include_str!("models/lock.pnml")).expect("it can be written");
    std::fs::write(folder.join("UpperBounds.xml"), include_str!("models/lock.xml")).expect("it can be written");
    let output = mandala(&["check", &folder.to_string_lossy(), "--examination", "UpperBounds"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("FORMULA lock-most-idle 3 TECHNIQUES"), "{printed}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_is_flattened_means_the_same() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for name in ["philosophers", "factory"] {
        let model = models.join(format!("{name}.gal")).to_string_lossy().into_owned();
        let (gal, pnml) = (file(&format!("flat-{name}.gal")), file(&format!("flat-{name}.pnml")));
        for flat in [&gal, &pnml] {
            let output = mandala(&["convert", &model, flat, "--flatten"]);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(states(flat), states(&model), "{flat}");
        }
        let verdicts = |model: &str| {
            let output = mandala(&["check", model, "--format", "mcc"]);
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        assert_eq!(verdicts(&gal), verdicts(&model));
        assert!(verdicts(&gal).contains("TRUE") && verdicts(&gal).contains("FALSE"));
    }
}
