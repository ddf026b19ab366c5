//! Models in other formats and other shapes.

use super::{Inner, Model};
use crate::engine::deep;
use crate::error::{Error, ErrorKind};
use mandala_model::flatten::{Flat, flatten};
use mandala_model::gal;
use mandala_model::net::pnml;
use mandala_model::system::Type;

impl Model {
    /// The model in GAL, with its properties.
    pub fn to_gal(&self) -> String {
        deep(|| gal::write(self.system(), &self.inner.properties))
    }

    /// A net in PNML. Properties have no place there.
    pub fn to_pnml(&self) -> Result<String, Error> {
        let refused = |text: &str, help: &str| Err(Error::with_help(ErrorKind::Format, text, help));
        match self.system().main_type() {
            Type::Net(net) => Ok(pnml::write(net)),
            Type::Program(_) => refused("this model is a program, and PNML has only nets", "GAL has any model"),
            Type::Composite(_) => refused(
                "this model is a composite, and PNML has only nets without parts",
                "make it flat: then it is one net, or one program",
            ),
        }
    }

    /// A composite as one net, or as one program if there are programs in it; with the names of the properties that are
    /// left out, because they ask about what only happens when called.
    pub fn flatten(&self) -> Result<(Model, Vec<String>), Error> {
        let Flat { system, renaming } =
            flatten(self.system()).map_err(|error| Error::new(ErrorKind::Flatten, error.to_string()))?;
        let (mut kept, mut lost) = (Vec::new(), Vec::new());
        for property in &self.inner.properties {
            match renaming.property(property) {
                Some(property) => kept.push(property),
                None => lost.push(property.name.clone()),
            }
        }
        Ok((Inner::new(system, kept).into(), lost))
    }
}
