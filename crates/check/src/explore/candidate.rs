//! Ways to put a model into diagrams, of which several may be tried.

use mandala_diagram::Store;
use mandala_model::system::System;
use mandala_symbolic::encode::{EncodeError, Encoded, EncodedSystem, Encoding, Layouts, SystemEncoding};

use crate::space::Description;

/// A way to put a model into diagrams.
pub(crate) trait Candidate: Sync {
    /// What the diagrams mean.
    type Encoding: Encoding;

    /// The model in a store.
    fn encode(&self, store: Store) -> Result<Encoded<Self::Encoding>, EncodeError>;

    /// How it is laid out, for people.
    fn description(&self) -> &Description;

    /// Which of several models it is of, where they compete.
    fn model(&self) -> usize;
}

/// A system in some layout.
#[derive(Clone)]
pub(crate) struct LaidOut<'a> {
    pub system: &'a System,
    pub layouts: Layouts,
    pub description: Description,
    /// Which of several systems it is, where they compete.
    pub model: usize,
}

impl<'a> LaidOut<'a> {
    /// A composite, whose levels are those in which it is written.
    pub fn composite(system: &'a System, layouts: Layouts, order: String) -> LaidOut<'a> {
        let description = Description { order, variables: system.sizes()[system.main], levels: system.levels() };
        LaidOut { system, layouts, description, model: 0 }
    }
}

impl<'a> Candidate for LaidOut<'a> {
    type Encoding = SystemEncoding<'a>;

    fn encode(&self, store: Store) -> Result<EncodedSystem<'a>, EncodeError> {
        Encoded::new(self.system, store, self.layouts.clone())
    }

    fn description(&self) -> &Description {
        &self.description
    }

    fn model(&self) -> usize {
        self.model
    }
}
