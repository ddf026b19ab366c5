//! Texts as they come: from a file, or from standard input.

use crate::error::{Error, ErrorKind};
use mandala_model::text::{decode, is_utf_16};
use std::io::{self, ErrorKind as Io, Read};
use std::path::Path;

/// What stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// What a file is expected to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A model.
    Model,
    /// Properties.
    Properties,
    /// Formulas, one on a line.
    Formulas,
    /// An order of variables.
    Order,
    /// An automaton.
    Automaton,
}

impl Content {
    /// What is expected, in words.
    fn in_words(self) -> &'static str {
        match self {
            Content::Model => "a model is expected, in GAL, PNML, DVE, `.sn` or a format of GreatSPN",
            Content::Properties => "a file of properties of the Model Checking Contest is expected",
            Content::Formulas => "a formula on each line is expected, such as `AG x <= 3`",
            Content::Order => "one name of a place per line is expected",
            Content::Automaton => "an automaton in the Hanoi format is expected, as `mandala automaton` writes it",
        }
    }
}

/// The text of a file, or of standard input.
pub(crate) fn text(file: &str, content: Content) -> Result<String, Error> {
    let bytes = if file == STANDARD_INPUT {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    let bytes = bytes.map_err(|error| unreadable(file, content, &error))?;
    let name = shown(file);
    let refused = |text: String, help: &str| Err(Error::with_help(ErrorKind::File, text, help));
    if bytes.trim_ascii().is_empty() {
        return refused(format!("{name} is empty"), content.in_words());
    }
    if bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"BZh") {
        return refused(format!("{name} is compressed"), "unpack it first");
    }
    if bytes.iter().take(4096).any(|&byte| byte == 0) && !is_utf_16(&bytes) {
        return refused(format!("{name} is not a text"), content.in_words());
    }
    Ok(decode(&bytes).into_owned())
}

/// A file as people know it.
pub(crate) fn shown(file: &str) -> &str {
    if file == STANDARD_INPUT { "standard input" } else { file }
}

fn unreadable(file: &str, content: Content, error: &io::Error) -> Error {
    let with_help = |text: String, help: String| Error::with_help(ErrorKind::File, text, help);
    match error.kind() {
        Io::NotFound => with_help(format!("there is no file {file}"), near(file, content)),
        Io::IsADirectory => with_help(format!("{file} is a folder"), "give a file".to_owned()),
        Io::PermissionDenied => {
            with_help(format!("{file} may not be read"), format!("look at its permissions: `ls -l {file}`"))
        }
        _ => Error::new(ErrorKind::File, format!("cannot read {}: {error}", shown(file))),
    }
}

/// What to try instead of a file that is not there.
fn near(file: &str, content: Content) -> String {
    let path = Path::new(file);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = folder.read_dir() else {
        return format!("there is no folder {} either", folder.display());
    };
    /// In larger folders nobody looks.
    const MOST: usize = 10_000;
    let names: Vec<String> =
        entries.take(MOST).flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let wanted = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut sorted: Vec<&str> = names.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    match mandala_model::text::suggest::nearest(&wanted, sorted) {
        Some(name) => format!("did you mean {}?", path.with_file_name(name).display()),
        None if content == Content::Model => {
            "a model is a file, a folder of the Model Checking Contest, or `-` for standard input".to_owned()
        }
        None => content.in_words().to_owned(),
    }
}
