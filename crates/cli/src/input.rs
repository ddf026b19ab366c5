//! Models as they come: a file, a folder of the Model Checking Contest, or standard input.

use crate::failure::Failure;
use crate::output;
use mandala_model::net::pnml::{self, Reading};
use mandala_model::property::Property;
use mandala_model::system::{System, Type};
use mandala_model::text::decode;
use mandala_model::{dve, gal};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// What stands for standard input.
const STANDARD_INPUT: &str = "-";
/// The net in a folder of the contest.
const CONTEST_NET: &str = "model.pnml";

/// A model as it was read.
pub struct Model {
    /// The model.
    pub system: System,
    /// The questions that the model's file asks.
    pub properties: Vec<Property>,
    /// The folder that the file is in.
    pub folder: Option<PathBuf>,
    /// The names that formulas use, if they are not those of the model.
    names: Option<dve::Names>,
}

impl Model {
    /// Reads a formula about the model.
    pub fn formula(&self, text: &str) -> Result<Property, Failure> {
        Ok(match &self.names {
            Some(names) => names.formula(text)?,
            None => gal::formula(&self.system, text)?,
        })
    }

    /// How a formula is read, where one might think of another way to read it.
    pub fn reading(&self, text: &str) -> Option<String> {
        if self.names.is_some() { None } else { gal::reading(text) }
    }
}

/// A constant that is given another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// The constant, without its dollar sign.
    pub name: String,
    /// Its value.
    pub value: i32,
}

impl std::str::FromStr for Define {
    type Err = String;

    fn from_str(text: &str) -> Result<Define, String> {
        let wrong = || "it is written as NAME=VALUE, as in `-D N=100`".to_owned();
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let name = name.trim().trim_start_matches('$');
        if name.is_empty() {
            return Err(wrong());
        }
        let value = value.trim();
        let number = value.parse().map_err(|_| format!("`{value}` is not a whole number of 32 bits"))?;
        Ok(Define { name: name.to_owned(), value: number })
    }
}

/// The languages that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Pnml,
    Gal,
    Dve,
}

/// What a file is expected to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A model.
    Model,
    /// Properties.
    Properties,
    /// An order of variables.
    Order,
    /// An automaton.
    Automaton,
}

impl Content {
    /// What is expected, in words.
    fn in_words(self) -> &'static str {
        match self {
            Content::Model => "a model is expected, in GAL, PNML or DVE",
            Content::Properties => "a file of properties of the Model Checking Contest is expected",
            Content::Order => "a name of a place a line is expected",
            Content::Automaton => "an automaton in the Hanoi format is expected, as `mandala automaton` writes it",
        }
    }
}

/// Reads a model.
pub fn read(path: &str, defines: &[Define]) -> Result<Model, Failure> {
    let file = file_of(path)?;
    let text = text(&file, Content::Model)?;
    let folder = (file != STANDARD_INPUT).then(|| Path::new(&file).parent().map(Path::to_path_buf)).flatten();
    match language(&file, &text)? {
        Language::Pnml => read_pnml(&file, &text, defines, folder),
        Language::Gal => read_gal(&file, &text, defines, folder),
        Language::Dve => read_dve(&file, &text, defines, folder),
    }
}

fn read_pnml(file: &str, text: &str, defines: &[Define], folder: Option<PathBuf>) -> Result<Model, Failure> {
    if let Some(define) = defines.first() {
        return Err(Failure::with_help(
            format!("`-D {}={}` has no meaning here: a PNML file has no constants", define.name, define.value),
            "`-D` gives another value to a constant `$N = 3;` of a GAL file",
        ));
    }
    let Reading { mut net, notes } = pnml::read_with_notes(file, text)?;
    for note in &notes {
        output::complain(&format!("note: {}", note.in_a_line(shown(file), text)));
    }
    if net.name.is_empty() {
        net.name = stem(file);
    }
    let system = System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
    Ok(Model { system, properties: Vec::new(), folder, names: None })
}

fn read_gal(file: &str, text: &str, defines: &[Define], folder: Option<PathBuf>) -> Result<Model, Failure> {
    let model = gal::read(file, text, &pairs(defines))?;
    Ok(Model { system: model.system, properties: model.properties, folder, names: None })
}

fn read_dve(file: &str, text: &str, defines: &[Define], folder: Option<PathBuf>) -> Result<Model, Failure> {
    let (model, names) = dve::read_with_constants(file, text, &pairs(defines))?;
    Ok(Model { system: model.system, properties: model.properties, folder, names: Some(names) })
}

fn pairs(defines: &[Define]) -> Vec<(String, i32)> {
    defines.iter().map(|define| (define.name.clone(), define.value)).collect()
}

/// The name of a file without its folder and ending.
fn stem(file: &str) -> String {
    Path::new(file).file_stem().map_or_else(|| "model".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// The file that a path means: for a folder of the contest, the net inside.
fn file_of(path: &str) -> Result<String, Failure> {
    if path == STANDARD_INPUT || !Path::new(path).is_dir() {
        return Ok(path.to_owned());
    }
    let inside = Path::new(path).join(CONTEST_NET);
    if inside.is_file() {
        return Ok(inside.to_string_lossy().into_owned());
    }
    Err(Failure::with_help(
        format!("{path} is a folder without a `{CONTEST_NET}`"),
        "give a file, or a folder of the Model Checking Contest",
    ))
}

/// Which language a text is in: as the name of its file says, unless the text shows that it is not.
fn language(file: &str, text: &str) -> Result<Language, Failure> {
    let looks_like_xml = text.trim_start_matches('\u{feff}').trim_ascii_start().starts_with('<');
    let ending = Path::new(file).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        _ if looks_like_xml => Ok(Language::Pnml),
        Some("pnml" | "xml") => Ok(Language::Pnml),
        Some("dve") => Ok(Language::Dve),
        Some("sn") => Err(Failure::with_help(
            format!("{file}: files with the ending `.sn` are not read yet"),
            "so far there are GAL (`.gal`), place/transition nets in PNML (`.pnml`) and DVE (`.dve`)",
        )),
        _ => Ok(Language::Gal),
    }
}

/// The text of a file, or of standard input.
pub fn text(file: &str, content: Content) -> Result<String, Failure> {
    let bytes = if file == STANDARD_INPUT {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    let bytes = bytes.map_err(|error| unreadable(file, content, &error))?;
    let name = shown(file);
    if bytes.trim_ascii().is_empty() {
        return Err(Failure::with_help(format!("{name} is empty"), content.in_words()));
    }
    if bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"BZh") {
        return Err(Failure::with_help(format!("{name} is compressed"), "unpack it first"));
    }
    if bytes.iter().take(4096).any(|&byte| byte == 0) {
        return Err(Failure::with_help(format!("{name} is not a text"), content.in_words()));
    }
    Ok(decode(&bytes).into_owned())
}

/// A file as people know it.
fn shown(file: &str) -> &str {
    if file == STANDARD_INPUT { "standard input" } else { file }
}

fn unreadable(file: &str, content: Content, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => Failure::with_help(format!("there is no file {file}"), near(file, content)),
        ErrorKind::IsADirectory => Failure::with_help(format!("{file} is a folder"), "give a file"),
        ErrorKind::PermissionDenied => {
            Failure::with_help(format!("{file} may not be read"), format!("look at its permissions: `ls -l {file}`"))
        }
        _ => Failure::new(format!("cannot read {}: {error}", shown(file))),
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
