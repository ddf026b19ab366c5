//! Models in other formats and other shapes.

use super::{Coloured, Content, Inner, Model};
use crate::engine::deep;
use crate::error::{Error, ErrorKind};
use mandala_model::coloured::{bags, sn};
use mandala_model::flatten::{Flat, flatten};
use mandala_model::gal;
use mandala_model::net::pnml;
use mandala_model::system::Type;

impl Model {
    /// The model in GAL, with its properties. A coloured net is unfolded.
    pub fn to_gal(&self) -> Result<String, Error> {
        let (system, properties) = (self.system()?, self.system_properties()?);
        Ok(deep(|| gal::write(system, properties)))
    }

    /// A coloured net in `.sn`, with its properties.
    pub fn to_sn(&self) -> Result<String, Error> {
        match self.coloured() {
            Some(coloured) => Ok(deep(|| sn::write(&coloured.net, &coloured.properties))),
            None => {
                let text = "this model is no coloured net, and `.sn` has only these";
                Err(Error::with_help(ErrorKind::Format, text, "GAL has any model"))
            }
        }
    }

    /// A coloured net with bags as one without, with its properties; any other model as it is.
    pub fn unfold_bags(&self) -> Result<Model, Error> {
        let Some(coloured) = self.coloured().filter(|coloured| coloured.net.has_bags()) else {
            return Ok(self.clone());
        };
        let refused = |text: String| Error::new(ErrorKind::Unfold, text);
        let unfolded = deep(|| bags::unfold_bags(&coloured.net)).map_err(|error| refused(error.to_string()))?;
        let properties = coloured.properties.iter().map(|property| {
            let lost = || refused(format!("`{}` cannot be asked of the net without bags", property.name));
            unfolded.property(property).ok_or_else(lost)
        });
        let properties = properties.collect::<Result<_, _>>()?;
        Ok(Inner::from(Content::Coloured(Box::new(Coloured::new(unfolded.net, properties)))).into())
    }

    /// The place/transition net that a coloured net stands for, with its properties; any other model as it is.
    pub fn unfold(&self) -> Result<Model, Error> {
        match self.coloured() {
            Some(coloured) => {
                let unfolded = coloured.unfolded()?;
                Ok(Inner::new(unfolded.system.clone(), unfolded.properties.clone()).into())
            }
            None => Ok(self.clone()),
        }
    }

    /// A net in PNML, a coloured net as a symmetric net. Properties have no place there.
    pub fn to_pnml(&self) -> Result<String, Error> {
        let refused = |text: &str, help: &str| Err(Error::with_help(ErrorKind::Format, text, help));
        if let Some(coloured) = self.coloured() {
            return coloured.to_pnml();
        }
        match self.system()?.main_type() {
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
            flatten(self.system()?).map_err(|error| Error::new(ErrorKind::Flatten, error.to_string()))?;
        let (mut kept, mut lost) = (Vec::new(), Vec::new());
        for property in self.system_properties()? {
            match renaming.property(property) {
                Some(property) => kept.push(property),
                None => lost.push(property.name.clone()),
            }
        }
        Ok((Inner::new(system, kept).into(), lost))
    }
}
