//! What a coloured net is.

use crate::engine::markings;
use crate::subclasses::ClassOfColours;
use mandala_model::coloured::{Class, ClassOrder, ColouredNet, Sort};

/// What a coloured net is, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColouredFacts {
    /// Its colour classes.
    pub classes: Vec<ClassFacts>,
    /// How many places it has.
    pub places: usize,
    /// How many transitions.
    pub transitions: usize,
    /// How many arcs.
    pub arcs: usize,
    /// Whether tokens may hold bags, or variables be bound to them.
    pub has_bags: bool,
    /// Whether transitions have priorities.
    pub has_priorities: bool,
    /// The place with the largest domain, and how many colours that has; nothing if there is a bag in it, or more colours
    /// than 64 bits hold.
    pub largest_domain: Option<(String, u64)>,
    /// Its classes with the static subclasses that were found: what something tells apart.
    pub subclasses: Vec<ClassOfColours>,
}

/// What a colour class is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassFacts {
    /// Its name.
    pub name: String,
    /// How many colours it has.
    pub colours: u32,
    /// `unordered`, `linear` or `circular`.
    pub order: &'static str,
    /// Its subclasses, with how many colours each has.
    pub subclasses: Vec<(String, u32)>,
}

impl ColouredFacts {
    pub(super) fn new(net: &ColouredNet) -> ColouredFacts {
        let arcs = |one: &mandala_model::coloured::Transition| one.takes.len() + one.puts.len() + one.inhibitors.len();
        let size = |domain: &[Sort]| net.size(domain);
        let sizes = net.places.iter().map(|place| size(&place.domain).map(|size| (place.name.clone(), size)));
        let sizes: Option<Vec<(String, u64)>> = sizes.collect();
        ColouredFacts {
            classes: net.classes.iter().map(class_facts).collect(),
            places: net.places.len(),
            transitions: net.transitions.len(),
            arcs: net.transitions.iter().map(arcs).sum(),
            has_bags: net.has_bags(),
            has_priorities: net.has_priorities(),
            subclasses: markings::subclasses(net),
            largest_domain: sizes.and_then(|sizes| sizes.into_iter().rev().max_by_key(|(_, size)| *size)),
        }
    }
}

fn class_facts(class: &Class) -> ClassFacts {
    let order = match class.order {
        ClassOrder::Unordered => "unordered",
        ClassOrder::Linear => "linear",
        ClassOrder::Circular => "circular",
    };
    let size = |ranges: &[(u32, u32)]| ranges.iter().map(|(first, end)| end - first).sum();
    let subclasses = class.subclasses.iter().map(|one| (one.name.clone(), size(&one.ranges))).collect();
    ClassFacts { name: class.name.clone(), colours: class.len(), order, subclasses }
}
