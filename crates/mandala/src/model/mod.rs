//! Models: as they were read or built, with the questions that can be asked of them.

mod convert;
mod questions;
mod read;

pub use read::Reader;

use crate::error::Error;
use crate::format::Format;
use crate::question::Question;
use mandala_model::dve;
use mandala_model::property::Property;
use mandala_model::system::{System, Type};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model: a net, a program or a composite of these. Cheap to clone.
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
    system: System,
    properties: Vec<Property>,
    /// The folder that its file is in.
    folder: Option<PathBuf>,
    /// The names that formulas use, if they are not those of the system.
    names: Option<dve::Names>,
    notes: Vec<String>,
}

/// What a model is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A place/transition net.
    Net,
    /// Variables and guarded actions.
    Program,
    /// Instances of other types, and what they do together.
    Composite,
}

impl Inner {
    fn new(system: System, properties: Vec<Property>) -> Inner {
        Inner { system, properties, folder: None, names: None, notes: Vec::new() }
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
        &self.inner.system.name
    }

    /// What it is made of.
    pub fn shape(&self) -> Shape {
        Shape::of(self.system().main_type())
    }

    /// The questions that its file asks.
    pub fn properties(&self) -> Vec<Question> {
        self.inner.properties.iter().cloned().map(Question::from).collect()
    }

    /// What in its file was passed over although it may matter to its author, a line each.
    pub fn notes(&self) -> &[String] {
        &self.inner.notes
    }

    /// The folder that its file is in.
    pub fn folder(&self) -> Option<&Path> {
        self.inner.folder.as_deref()
    }

    pub(crate) fn system(&self) -> &System {
        &self.inner.system
    }
}

impl Shape {
    pub(crate) fn of(kind: &Type) -> Shape {
        match kind {
            Type::Net(_) => Shape::Net,
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

impl AsRef<System> for Model {
    fn as_ref(&self) -> &System {
        self.system()
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("name", &self.name()).field("shape", &self.shape()).finish()
    }
}
