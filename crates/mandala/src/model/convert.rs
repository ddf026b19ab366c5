//! Models in other formats and other shapes.

use super::{Coloured, Content, Inner, Model};
use crate::engine::{deep, reduced};
use crate::error::{Error, ErrorKind};
use mandala_analysis::reduce;
use mandala_analysis::structure::unit::{PATIENCE, units};
use mandala_model::coloured::{bags, sn};
use mandala_model::flatten::{Flat, flatten};
use mandala_model::gal;
use mandala_model::net::{Net, Unit, Units, pnml};
use mandala_model::system::{System, Type};

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

    /// The place/transition net that a coloured net stands for, with its properties, and with its units if each place is
    /// proven to be in one; any other model as it is.
    pub fn unfold(&self) -> Result<Model, Error> {
        match self.coloured() {
            Some(coloured) => {
                let unfolded = coloured.unfolded()?;
                let mut system = unfolded.system.clone();
                for one in &mut system.types {
                    if let Type::Net(net) = one {
                        net.units = units_of_all_places(net);
                    }
                }
                Ok(Inner::new(system, unfolded.properties.clone()).into())
            }
            None => Ok(self.clone()),
        }
    }

    /// A net in PNML, a coloured net as a symmetric net. Properties have no place there. Where names are those of unfolded
    /// nets, such as `Fork(3)`, nodes get ids like `Fork_3` and keep their names beside them.
    pub fn to_pnml(&self) -> Result<String, Error> {
        let refused = |text: &str, help: &str| Err(Error::with_help(ErrorKind::Format, text, help));
        if let Some(coloured) = self.coloured() {
            return coloured.to_pnml();
        }
        match self.system()?.main_type() {
            Type::Net(net) if has_unfolded_names(net) => Ok(pnml::write_with_ids(net)),
            Type::Net(net) => Ok(pnml::write(net)),
            Type::Queues(_) => refused("this net has queues, and PNML has none", "GAL has any model"),
            Type::Program(_) => refused("this model is a program, and PNML has only nets", "GAL has any model"),
            Type::Composite(_) => refused(
                "this model is a composite, and PNML has only nets without parts",
                "make it flat: then it is one net, or one program",
            ),
        }
    }

    /// A net made smaller so that its markings can be counted, without its properties, and the equations from which its
    /// markings follow. A net with nothing to reduce is as it was, with no equations.
    pub fn reduce(&self) -> Result<(Model, Vec<String>), Error> {
        let system = self.system()?;
        let (Type::Net(net), [begin]) = (system.main_type(), &system.begins[..]) else {
            let text = "only a net with one initial marking can be reduced";
            return Err(Error::with_help(ErrorKind::Format, text, "a composite of nets can be made flat first"));
        };
        let marking = net.initial.get(*begin).map_or(&[][..], |initial| &initial.marking);
        let Some(reduction) = reduced(net, marking, reduce::PATIENCE.into()) else {
            return Ok((self.clone(), Vec::new()));
        };
        let equations = reduction.equations_in_words();
        let types = vec![Type::Net(reduction.net)];
        let system = System { name: system.name.clone(), types, main: 0, begins: vec![0] };
        Ok((Inner::new(system, Vec::new()).into(), equations))
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

/// Proven units side by side, if each place is in one. Units as a file gives them are a promise about the whole net: where
/// some places have none, nothing can be promised.
fn units_of_all_places(net: &Net) -> Option<Units> {
    let proven = units(net, PATIENCE);
    let covered: usize = proven.iter().map(|unit| unit.places.len()).sum();
    if covered != net.places.len() || proven.is_empty() {
        return None;
    }
    let named = (1..).zip(proven).map(|(number, unit)| Unit {
        name: format!("u{number}"),
        places: unit.places,
        children: Vec::new(),
    });
    let mut all = vec![Unit { name: "root".to_owned(), ..Unit::default() }];
    all.extend(named);
    all[0].children = (1..all.len()).collect();
    Some(Units { units: all, root: 0, safe: true })
}

/// Whether the names of some nodes are no ids, as those of an unfolded net: `Fork(3)`, `take(p=3, f=4)`.
fn has_unfolded_names(net: &Net) -> bool {
    let places = net.places.iter().map(|place| &place.name);
    let mut names = places.chain(net.transitions.iter().map(|transition| &transition.name));
    names.any(|name| name.contains(|character: char| character == '(' || character.is_whitespace()))
}
