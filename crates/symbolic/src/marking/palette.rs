//! The colours of a net as symbolic markings see them.
//!
//! An *atom* stands for some colours of one static subclass. The colours that no symmetry exchanges (those that something
//! names, those of an ordered class) are atoms in every marking: the *fixed* ones, with the first numbers. Atoms with higher
//! numbers are the dynamic subclasses of one marking.

use mandala_analysis::coloured::partition::{self, Partition, Symmetry};
use mandala_model::coloured::{ColouredNet, Sort};

/// An atom, by its number.
pub(super) type Atom = u32;

/// Components that a domain may have.
pub(super) const MOST_COMPONENTS: usize = 32;

/// What is known of the colours of a net in every marking.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    /// Class and colour of each fixed atom.
    pub fixed: Vec<(u32, u32)>,
    /// By class.
    pub classes: Vec<ClassAtoms>,
    /// The static subclasses whose colours can be exchanged.
    pub cells: Vec<Cell>,
    /// By place: how its tokens are written.
    pub places: Vec<PlaceShape>,
}

/// The atoms of a class.
#[derive(Clone, Debug)]
pub(super) struct ClassAtoms {
    /// Its fixed atoms, in the order of their colours.
    pub fixed: std::ops::Range<u32>,
    /// Its static subclasses of several colours.
    pub cells: std::ops::Range<u32>,
    /// Whether it can be turned.
    pub is_turned: bool,
}

/// A static subclass of several colours that can be exchanged.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub class: u32,
    pub size: u32,
    /// Its colours.
    pub ranges: partition::Cell,
}

/// How the tokens of a place are written.
#[derive(Clone, Debug)]
pub(super) struct PlaceShape {
    /// By component: the class of a colour.
    pub colours: Vec<Option<u32>>,
    /// The components that are bags, with their classes.
    pub bags: Vec<(usize, u32)>,
    /// How many words an item has.
    pub stride: usize,
}

impl PlaceShape {
    fn new(domain: &[Sort]) -> PlaceShape {
        let colour = |sort: &Sort| match sort {
            Sort::Colour(class) => Some(*class),
            Sort::Bag(_) => None,
        };
        let bags: Vec<(usize, u32)> = domain
            .iter()
            .enumerate()
            .filter_map(|(at, sort)| matches!(sort, Sort::Bag(_)).then_some((at, sort.class())))
            .collect();
        let stride = if bags.is_empty() { 2 } else { 3 + bags.len() };
        PlaceShape { colours: domain.iter().map(colour).collect(), bags, stride }
    }

    /// Whether its tokens have at most one component, a colour.
    pub fn is_unary(&self) -> bool {
        self.bags.is_empty() && self.colours.len() <= 1
    }
}

impl Palette {
    /// The palette of a net with its static subclasses.
    pub fn new(net: &ColouredNet, partition: &Partition) -> Palette {
        let mut palette = Palette {
            fixed: Vec::new(),
            classes: Vec::new(),
            cells: Vec::new(),
            places: net.places.iter().map(|place| PlaceShape::new(&place.domain)).collect(),
        };
        for (index, (class, found)) in (0..).zip(net.classes.iter().zip(&partition.classes)) {
            let (first, first_cell) = (palette.fixed.len() as u32, palette.cells.len() as u32);
            match found.symmetry {
                Symmetry::Exchanged => {
                    let mut alone = Vec::new();
                    for ranges in &found.cells {
                        match (partition::size(ranges), ranges.as_slice()) {
                            (1, [(colour, _)]) => alone.push(*colour),
                            (size, _) => palette.cells.push(Cell { class: index, size, ranges: ranges.clone() }),
                        }
                    }
                    alone.sort_unstable();
                    palette.fixed.extend(alone.into_iter().map(|colour| (index, colour)));
                }
                Symmetry::Turned | Symmetry::None => {
                    palette.fixed.extend((0..class.len()).map(|colour| (index, colour)));
                }
            }
            palette.classes.push(ClassAtoms {
                fixed: first..palette.fixed.len() as u32,
                cells: first_cell..palette.cells.len() as u32,
                is_turned: found.symmetry == Symmetry::Turned,
            });
        }
        palette
    }

    /// How many atoms are fixed: the number of the first that is not.
    pub fn fixed_count(&self) -> u32 {
        self.fixed.len() as u32
    }

    /// The fixed atom of a colour, if it has one.
    pub fn atom_of(&self, class: u32, colour: u32) -> Option<Atom> {
        let range = self.classes.get(class as usize)?.fixed.clone();
        let fixed = &self.fixed[range.start as usize..range.end as usize];
        let at = fixed.partition_point(|&(_, one)| one < colour);
        fixed.get(at).filter(|&&(_, one)| one == colour).map(|_| range.start + at as u32)
    }
}
