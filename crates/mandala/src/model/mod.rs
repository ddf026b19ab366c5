//! Models: as they were read or built, with the questions that can be asked of them.

mod coloured;
mod convert;
mod formulas;
mod questions;
mod read;

pub(crate) use coloured::Coloured;
pub use read::Reader;

use crate::engine::markings;
use crate::error::Error;
use crate::format::Format;
use crate::options::Options;
use crate::question::Question;
use mandala_model::property::Property;
use mandala_model::system::{System, Type};
use mandala_model::text::Unreadable;
use mandala_model::{dve, gal};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model: a net, a coloured net, a program or a composite of nets and programs. Cheap to clone.
///
/// ```
/// use mandala::{Format, Model};
/// let model = Model::parse("gal lamp { int on = 0; transition switch [true] { on = 1 - on; } }", Format::Gal)?;
/// assert_eq!(model.name(), "lamp");
/// assert_eq!(model.states().run()?.count().to_string(), "2");
/// # Ok::<(), mandala::Error>(())
/// ```
#[derive(Clone)]
pub struct Model {
    inner: Arc<Inner>,
}

struct Inner {
    content: Content,
    /// The folder that its file is in.
    folder: Option<PathBuf>,
    /// The names that formulas use, if they are not those of the system.
    names: Option<dve::Names>,
    /// The constants and ranges of its file, which formulas may use.
    scope: gal::Scope,
    notes: Vec<String>,
    /// Properties of its file that mean nothing with the values that constants were given, with what is wrong.
    broken: Vec<(String, Unreadable)>,
    /// Where its file has put the nodes of a net, by their names.
    positions: HashMap<String, (f64, f64)>,
}

/// What a model is.
pub(crate) enum Content {
    /// A net, a program or a composite, with the questions of its file.
    System(System, Vec<Property>),
    /// A coloured net.
    Coloured(Box<Coloured>),
}

/// What a model is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A symmetric net, perhaps with bags: its tokens have colours.
    ColouredNet,
    /// A place/transition net.
    Net,
    /// Variables and guarded actions.
    Program,
    /// Instances of other types, and what they do together.
    Composite,
}

impl Inner {
    fn new(system: System, properties: Vec<Property>) -> Inner {
        Content::System(system, properties).into()
    }
}

impl From<Content> for Inner {
    fn from(content: Content) -> Inner {
        Inner {
            content,
            folder: None,
            names: None,
            scope: gal::Scope::default(),
            notes: Vec::new(),
            broken: Vec::new(),
            positions: HashMap::new(),
        }
    }
}

impl Model {
    /// A model that was made in code, without questions of its own.
    pub(crate) fn of_system(system: System) -> Model {
        Inner::new(system, Vec::new()).into()
    }

    /// Reads a file in any format, which its content shows: `.gal`, `.pnml`, `.dve`, or a folder of the Model Checking
    /// Contest with a `model.pnml`. `-` is standard input. [`Reader`] has more to say about how it is read.
    pub fn read(path: impl AsRef<Path>) -> Result<Model, Error> {
        Reader::new().read(path)
    }

    /// Reads a text in some format.
    pub fn parse(text: &str, format: Format) -> Result<Model, Error> {
        Reader::new().format(format).parse(text)
    }

    /// The name of the model.
    pub fn name(&self) -> &str {
        match &self.inner.content {
            Content::System(system, _) => &system.name,
            Content::Coloured(coloured) => &coloured.net.name,
        }
    }

    /// What it is made of.
    pub fn shape(&self) -> Shape {
        match &self.inner.content {
            Content::Coloured(_) => Shape::ColouredNet,
            Content::System(system, _) => Shape::of(system.main_type()),
        }
    }

    /// The questions that its file asks. An error if one of them means nothing with the values that constants were given:
    /// [`Model::property`] has the others.
    pub fn properties(&self) -> Result<Vec<Question>, Error> {
        match self.inner.broken.first() {
            Some((_, unreadable)) => Err(unreadable.clone().into()),
            None => self.sound_properties(),
        }
    }

    /// Those of the questions that its file asks that mean something.
    pub(crate) fn sound_properties(&self) -> Result<Vec<Question>, Error> {
        Ok(match &self.inner.content {
            Content::System(_, properties) => properties.iter().cloned().map(Question::from).collect(),
            Content::Coloured(coloured) => coloured.properties.iter().cloned().map(Question::from).collect(),
        })
    }

    /// The names of the questions that its file asks.
    pub fn property_names(&self) -> Vec<&str> {
        match &self.inner.content {
            Content::System(_, properties) => properties.iter().map(|property| property.name.as_str()).collect(),
            Content::Coloured(coloured) => coloured.properties.iter().map(|property| property.name.as_str()).collect(),
        }
    }

    /// The same, as the engines know them.
    fn system_properties(&self) -> Result<&[Property], Error> {
        match &self.inner.content {
            Content::System(_, properties) => Ok(properties),
            Content::Coloured(coloured) => Ok(&coloured.unfolded()?.properties),
        }
    }

    /// What in its file was passed over although it may matter to its author, a line each.
    pub fn notes(&self) -> &[String] {
        &self.inner.notes
    }

    /// Where its file has put some nodes, if it has said so of all of them.
    pub(crate) fn positions<'n>(&self, names: impl Iterator<Item = &'n String>) -> Option<Vec<(f64, f64)>> {
        names.map(|name| self.inner.positions.get(name).copied()).collect()
    }

    /// The folder that its file is in.
    pub fn folder(&self) -> Option<&Path> {
        self.inner.folder.as_deref()
    }

    /// The system that the engines work on. A coloured net is unfolded for that.
    pub(crate) fn system(&self) -> Result<&System, Error> {
        match &self.inner.content {
            Content::System(system, _) => Ok(system),
            Content::Coloured(coloured) => Ok(&coloured.unfolded()?.system),
        }
    }

    /// What it is.
    pub(crate) fn content(&self) -> &Content {
        &self.inner.content
    }

    /// The coloured net, if it is one.
    pub(crate) fn coloured(&self) -> Option<&Coloured> {
        match &self.inner.content {
            Content::System(..) => None,
            Content::Coloured(coloured) => Some(coloured),
        }
    }

    /// Does what must be done before anything is asked, within the limits of some options: a coloured net is unfolded into
    /// the place/transition net that it stands for, unless its symbolic markings are wanted. Whatever is asked does this by itself; who has limits of time or memory
    /// and reads formulas before anything else does it first.
    pub fn prepare(&self, options: &Options) -> Result<(), Error> {
        match &self.inner.content {
            Content::System(..) => Ok(()),
            Content::Coloured(coloured) => match markings::way(options, &coloured.net)? {
                Some(_) => Ok(()),
                None => coloured.unfold_within(options),
            },
        }
    }
}

impl Shape {
    pub(crate) fn of(kind: &Type) -> Shape {
        match kind {
            Type::Net(_) | Type::Queues(_) => Shape::Net,
            Type::Program(_) => Shape::Program,
            Type::Composite(_) => Shape::Composite,
        }
    }
}

impl From<Inner> for Model {
    fn from(inner: Inner) -> Model {
        Model { inner: Arc::new(inner) }
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("name", &self.name()).field("shape", &self.shape()).finish()
    }
}
