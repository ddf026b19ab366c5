//! Models from files, from standard input and from texts.

use super::{Coloured, Content, Inner, Model};
use crate::engine::deep;
use crate::error::{Error, ErrorKind};
use crate::format::{self, Format};
use crate::input::{self, STANDARD_INPUT};
use mandala_model::coloured::{self, ColouredNet, greatspn, sn};
use mandala_model::net::pnml::{self, NodeIds, Reading, positions};
use mandala_model::property::contest::Groups;
use mandala_model::system::{System, Type};
use mandala_model::text::{Problem, Unreadable};
use mandala_model::{dve, gal};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The net in a folder of the contest.
const CONTEST_NET: &str = "model.pnml";

/// How a model is read, where its content does not say it all.
///
/// ```
/// use mandala::Reader;
/// let text = "$N = 2; gal count { int x = 0; transition up [x < $N] { x = x + 1; } }";
/// let model = Reader::new().define("N", 9).parse(text)?;
/// assert_eq!(model.states().run()?.count().to_string(), "10");
/// # Ok::<(), mandala::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reader {
    format: Option<Format>,
    defines: Vec<(String, i32)>,
}

impl Reader {
    /// By content, with constants as they are written.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// In this format, whatever the content looks like.
    pub fn format(mut self, format: Format) -> Reader {
        self.format = Some(format);
        self
    }

    /// With another value for a constant of a GAL, DVE, `.sn` or `.PNPRO` file.
    pub fn define(mut self, name: impl Into<String>, value: i32) -> Reader {
        self.defines.push((name.into(), value));
        self
    }

    /// Reads a file, a folder of the Model Checking Contest, or standard input, which is `-`.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Model, Error> {
        let file = file_of(&path.as_ref().to_string_lossy())?;
        let text = input::text(&file, input::Content::Model)?;
        let folder = (file != STANDARD_INPUT).then(|| Path::new(&file).parent().map(Path::to_path_buf)).flatten();
        let format = match self.format.or_else(|| format_of(&file, &text)) {
            Some(format) => format,
            None => no_other_language(&file, &text).map(|()| Format::Gal)?,
        };
        self.of_text(&file, &text, format, folder)
    }

    /// Reads a text. If no format was given, its content shows it; it is GAL if that is not clear.
    pub fn parse(&self, text: &str) -> Result<Model, Error> {
        let format = self.format.or_else(|| Format::of_text(text)).unwrap_or(Format::Gal);
        self.of_text("model", text, format, None)
    }

    fn of_text(&self, file: &str, text: &str, format: Format, folder: Option<PathBuf>) -> Result<Model, Error> {
        let inner = deep(|| match format {
            Format::Gal => {
                let model = gal::read(file, text, &self.defines)?;
                let notes = model.notes.iter().map(|note| note.in_a_line(input::shown(file), text)).collect();
                let broken = model.broken.into_iter();
                let broken = broken.map(|(name, problems)| (name, Unreadable::new(input::shown(file), text, problems)));
                let broken = broken.collect();
                let inner = Inner::new(model.system, model.properties);
                Ok::<Inner, Error>(Inner { scope: model.scope, notes, broken, ..inner })
            }
            Format::Dve => {
                let (model, names) = dve::read_with_constants(file, text, &self.defines)?;
                Ok(Inner { names: Some(names), ..Inner::new(model.system, model.properties) })
            }
            Format::Pnml if coloured::pnml::is_coloured(text) => self.coloured_net(file, text),
            Format::Pnml => self.net(file, text),
            Format::Sn => {
                let sn::Reading { model, scope, notes } = sn::read_with_notes(file, text, &self.defines)?;
                let notes = notes.iter().map(|note| note.in_a_line(input::shown(file), text)).collect();
                let coloured = Coloured::new(model.net, model.properties).knowing(scope);
                Ok(Inner { notes, ..Content::Coloured(Box::new(coloured)).into() })
            }
            Format::GreatSpn => self.greatspn(file, text),
            Format::Pnpro => {
                let reading = greatspn::read_project(file, text, &self.defines)?;
                Ok(of_coloured(file, text, reading.net, &reading.notes))
            }
        })?;
        let positions = match format {
            Format::Pnml => positions_by_name(text, &inner),
            _ => HashMap::new(),
        };
        Ok(Inner { folder, positions, ..inner }.into())
    }

    /// An error if there are constants, in a format that has none.
    fn without_constants(&self, format: &str) -> Result<(), Error> {
        self.defines.first().map_or(Ok(()), |(name, value)| {
            let text = format!("`{name}={value}` has no meaning here: {format} has no constants");
            Err(Error::new(ErrorKind::NoConstants, text))
        })
    }

    /// A symmetric net in PNML.
    fn coloured_net(&self, file: &str, text: &str) -> Result<Inner, Error> {
        self.without_constants("a PNML file")?;
        let coloured::pnml::Reading { net, notes } = coloured::pnml::read_with_notes(file, text)?;
        Ok(of_coloured(file, text, net, &notes))
    }

    /// A net of GreatSPN, with the definitions in the file beside it.
    fn greatspn(&self, file: &str, text: &str) -> Result<Inner, Error> {
        self.without_constants("a net of GreatSPN")?;
        let beside = Path::new(file).with_extension("def");
        let name = beside.to_string_lossy().into_owned();
        let definitions = if beside.is_file() { Some(input::text(&name, input::Content::Model)?) } else { None };
        let definitions = definitions.as_deref().map(|text| (name.as_str(), text));
        let reading = greatspn::read_net(file, text, definitions)?;
        Ok(of_coloured(file, text, reading.net, &reading.notes))
    }

    fn net(&self, file: &str, text: &str) -> Result<Inner, Error> {
        self.without_constants("a PNML file")?;
        let Reading { mut net, called, notes } = pnml::read_with_notes(file, text)?;
        let ids = called.apply(&mut net);
        let notes = notes.iter().map(|note| note.in_a_line(input::shown(file), text)).collect();
        if net.name.is_empty() {
            net.name = stem(file);
        }
        let system = System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
        let mut scope = gal::Scope::default();
        scope.also = ids.map(groups).unwrap_or_default();
        Ok(Inner { notes, scope, ..Inner::new(system, Vec::new()) })
    }
}

/// Ids as names of one place or transition each.
fn groups(ids: NodeIds) -> Groups {
    let each = |ids: Vec<String>| (0..).zip(ids).map(|(at, id): (u32, String)| (id, at..at + 1)).collect();
    Groups { places: each(ids.places), transitions: each(ids.transitions) }
}

/// Where a file has put its nodes, by their names: the file knows them by their ids.
fn positions_by_name(text: &str, inner: &Inner) -> HashMap<String, (f64, f64)> {
    let mut found: HashMap<String, (f64, f64)> = positions(text).into_iter().collect();
    let Content::System(system, _) = &inner.content else { return found };
    let Type::Net(net) = system.main_type() else { return found };
    let also = &inner.scope.also;
    let places = also.places.iter().zip(net.places.iter().map(|place| &place.name));
    let transitions = also.transitions.iter().zip(net.transitions.iter().map(|transition| &transition.name));
    for ((id, _), name) in places.chain(transitions) {
        if id != name
            && let Some(position) = found.remove(id)
        {
            found.insert(name.clone(), position);
        }
    }
    found
}

/// A coloured net that was read.
fn of_coloured(file: &str, text: &str, mut net: ColouredNet, notes: &[Problem]) -> Inner {
    let notes = notes.iter().map(|note| note.in_a_line(input::shown(file), text)).collect();
    if net.name.is_empty() {
        net.name = stem(file);
    }
    Inner { notes, ..Content::Coloured(Box::new(Coloured::new(net, Vec::new()))).into() }
}

/// The name of a file without its folder and ending.
fn stem(file: &str) -> String {
    Path::new(file).file_stem().map_or_else(|| "model".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// The net of GreatSPN whose definitions are in a file.
fn greatspn_net(path: &str) -> Option<String> {
    let path = Path::new(path);
    let net = path.with_extension("net");
    (path.extension()?.eq_ignore_ascii_case("def") && net.is_file()).then(|| net.to_string_lossy().into_owned())
}

/// The file that a path means: for a folder of the contest, the net inside; for definitions of GreatSPN, their net.
fn file_of(path: &str) -> Result<String, Error> {
    if path == STANDARD_INPUT || !Path::new(path).is_dir() {
        return Ok(greatspn_net(path).unwrap_or_else(|| path.to_owned()));
    }
    let inside = Path::new(path).join(CONTEST_NET);
    if inside.is_file() {
        return Ok(inside.to_string_lossy().into_owned());
    }
    Err(Error::with_help(
        ErrorKind::File,
        format!("{path} is a folder without a `{CONTEST_NET}`"),
        "give a file, or a folder of the Model Checking Contest",
    ))
}

/// The ending of a file's name, without its dot.
fn ending(file: &str) -> String {
    Path::new(file).extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Which format a text is in: as its content shows, or else as the name of its file says.
fn format_of(file: &str, text: &str) -> Option<Format> {
    Format::of_text(text).or_else(|| Format::of_ending(&ending(file)))
}

/// An error if a text seems to be in the language of another tool.
fn no_other_language(file: &str, text: &str) -> Result<(), Error> {
    let Some(language) = format::other_language(&ending(file), text) else { return Ok(()) };
    let message = format!("{} seems to be in {language}, which is not read", input::shown(file));
    let help = "GAL, DVE, PNML, GreatSPN's nets and `.sn` are; `--format-in gal` reads it as GAL all the same";
    Err(Error::with_help(ErrorKind::File, message, help))
}
