//! What the words of symbolic markings consist of, and the word of the initial marking.

use super::plan::Plans;
use super::{CannotTensor, ToldApart};
use mandala_diagram::{Diagram, Error, Store, Variable};
use mandala_model::coloured::cells::{ClassCells, Telling, cells, with_few};
use mandala_model::coloured::evaluate::Evaluator;
use mandala_model::coloured::{ColouredNet, Sort, Token, Value};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What ends a vector or a tensor.
pub(super) const END: i32 = -1;

/// A tensor with more elements than this is refused.
const MOST_ELEMENTS: usize = 1 << 22;

/// How symbolic markings of a net are words.
#[derive(Debug)]
pub(super) struct Words {
    pub net: ColouredNet,
    /// The classes with symmetries, and their cells.
    pub classes: Vec<ClassCells>,
    /// For each class of the net, which of `classes` it is.
    pub symmetric: Vec<Option<usize>>,
    /// For each of `classes` its first cell, and the number of all cells at the end.
    pub first_cell: Vec<usize>,
    /// The places in the order of their tensors: those whose tokens have fewer colours of classes with symmetries come first. What
    /// they say of a dynamic subclass does not depend on the order of others, so by them it is best to sort at first.
    pub order: Vec<usize>,
    /// The most dynamic subclasses that each cell had so far.
    pub longest: Vec<AtomicU32>,
    /// What is done to tensors.
    pub plans: Mutex<Plans>,
    /// Whether something became too large.
    too_large: AtomicBool,
}

/// How many dynamic subclasses each cell has.
pub(super) type Counts = Vec<u32>;

impl Words {
    /// How many cells there are: these come first in a word.
    pub fn cells(&self) -> usize {
        self.longest.len()
    }

    /// The cells of a class with symmetries.
    pub fn cells_of(&self, class: usize) -> std::ops::Range<usize> {
        self.first_cell[class]..self.first_cell[class + 1]
    }

    /// The variable of the tensor of a place.
    pub fn variable(&self, place: usize) -> Variable {
        let rank = self.order.iter().position(|&one| one == place).unwrap_or(place);
        (self.cells() + rank) as Variable
    }

    /// The place whose tensor has a variable.
    pub fn place(&self, variable: Variable) -> Option<usize> {
        self.order.get((variable as usize).checked_sub(self.cells())?).copied()
    }

    /// How many indices there are for a class.
    pub fn dimension(&self, class: u32, counts: &[u32]) -> usize {
        match self.symmetric[class as usize] {
            Some(symmetric) => counts[self.cells_of(symmetric)].iter().map(|count| *count as usize).sum(),
            None => self.net.classes[class as usize].len() as usize,
        }
    }

    /// The index of the first dynamic subclass of a cell among those of its class.
    pub fn offset(&self, cell: usize, counts: &[u32]) -> usize {
        let class = self.first_cell.partition_point(|&first| first <= cell) - 1;
        counts[self.first_cell[class]..cell].iter().map(|count| *count as usize).sum()
    }

    /// The class of the net that a cell is of.
    pub fn class_of(&self, cell: usize) -> u32 {
        self.classes[self.first_cell.partition_point(|&first| first <= cell) - 1].class
    }

    /// The net with one colour for each dynamic subclass.
    pub fn with(&self, counts: &[u32]) -> ColouredNet {
        with_few(&self.net, &self.classes, &|class, cell| counts[self.first_cell[class] + cell] as usize)
    }

    /// Takes note of how many dynamic subclasses a cell has.
    pub fn note(&self, vectors: &[Vec<i32>]) {
        for (longest, vector) in self.longest.iter().zip(vectors) {
            longest.fetch_max(vector.len() as u32, Ordering::Relaxed);
        }
    }

    /// Takes note that something became too large: what is found is not all then.
    pub fn give_up(&self) {
        self.too_large.store(true, Ordering::Relaxed);
    }

    /// Whether something became too large.
    pub fn has_given_up(&self) -> bool {
        self.too_large.load(Ordering::Relaxed)
    }

    /// Vectors of sizes as the beginning of a word.
    pub fn vectors(&self, store: &mut Store, vectors: &[Vec<i32>]) -> Result<Diagram, Error> {
        let cells = (0..).zip(vectors);
        let word: Vec<(Variable, i32)> =
            cells.flat_map(|(cell, sizes)| sizes.iter().chain([&END]).map(move |&size| (cell, size))).collect();
        store.state(&word)
    }

    /// A tensor as a part of a word.
    pub fn tensor(&self, store: &mut Store, place: usize, tensor: &[i32]) -> Result<Diagram, Error> {
        let variable = self.variable(place);
        let word: Vec<(Variable, i32)> = tensor.iter().chain([&END]).map(|&value| (variable, value)).collect();
        store.state(&word)
    }
}

/// The vectors of sizes of a symbolic marking, or its tensors.
pub(super) type Lists = Vec<Vec<i32>>;

/// The words of a net, and the sizes and tensors of its initial marking.
pub(super) fn words(net: &ColouredNet) -> Result<(Words, Lists, Lists), CannotTensor> {
    if net.has_bags() {
        return Err(CannotTensor::Bags);
    }
    if let Some(transition) = net.transitions.iter().find(|transition| transition.priority > 0) {
        return Err(CannotTensor::Priorities { transition: transition.name.clone() });
    }
    let atoms = atoms(net);
    let few = with_few(net, &atoms, &|_, _| 1);
    let dimension = |class: u32| few.classes[class as usize].len() as usize;
    let mut tensors = Vec::new();
    for place in &few.places {
        let tokens = Evaluator::constant(&few).tokens(&place.initial).map_err(|_| CannotTensor::TooLarge)?;
        let dimensions: Vec<usize> = place.domain.iter().map(|sort| dimension(sort.class())).collect();
        let mut tensor = vec![0; elements(&dimensions).ok_or(CannotTensor::TooLarge)?];
        for (token, times) in tokens.iter() {
            let at = flat(&dimensions, &token).ok_or(CannotTensor::TooLarge)?;
            tensor[at] = i32::try_from(times).map_err(|_| CannotTensor::TooLarge)?;
        }
        tensors.push(Tensor { dimensions, values: tensor });
    }
    // Atoms of a cell of transitions that the initial marking does not tell apart are of one cell.
    let coarse = cells(net, Telling::Transitions);
    let (mut classes, mut vectors, mut orders) = (Vec::new(), Vec::new(), vec![Vec::new(); net.classes.len()]);
    for one in &atoms {
        let Some(coarse) = coarse.iter().find(|coarse| coarse.class == one.class) else { continue };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (at, atom) in one.cells.iter().enumerate() {
            let cell = coarse.cells.iter().position(|cell| cell.binary_search(&atom[0]).is_ok());
            let own = groups.iter_mut().find(|group| {
                let other = &one.cells[group[0]];
                let is_of_cell = cell.is_some_and(|cell| coarse.cells[cell].binary_search(&other[0]).is_ok());
                let positions = |place: &mandala_model::coloured::Place| {
                    let own = (0..).zip(&place.domain).filter(|(_, sort)| **sort == Sort::Colour(one.class));
                    own.map(|(position, _)| position).collect::<Vec<usize>>()
                };
                let alike = |(place, tensor): (&mandala_model::coloured::Place, &Tensor)| {
                    tensor.has_alike(&positions(place), group[0], at, atom.len() == 1 && other.len() == 1)
                };
                is_of_cell && net.places.iter().zip(&tensors).all(alike)
            });
            match own {
                Some(group) => group.push(at),
                None => groups.push(vec![at]),
            }
        }
        let mut merged = Vec::new();
        for mut group in groups {
            group.sort_by_key(|&at| std::cmp::Reverse(one.cells[at].len()));
            vectors.push(group.iter().map(|&at| one.cells[at].len() as i32).collect::<Vec<i32>>());
            let mut colours: Vec<u32> = group.iter().flat_map(|&at| one.cells[at].iter().copied()).collect();
            colours.sort_unstable();
            merged.push(colours);
            orders[one.class as usize].extend(group);
        }
        classes.push(ClassCells { class: one.class, cells: merged });
    }
    if classes.iter().all(|class| class.cells.iter().all(|cell| cell.len() < 2)) {
        return Err(no_symmetry(net, &coarse));
    }
    for (class, order) in orders.iter_mut().enumerate().filter(|(_, order)| order.is_empty()) {
        *order = (0..few.classes[class].len() as usize).collect();
    }
    let initial = net.places.iter().zip(&tensors).map(|(place, tensor)| {
        let maps: Vec<&[usize]> = place.domain.iter().map(|sort| &orders[sort.class() as usize][..]).collect();
        tensor.mapped(&maps).values
    });
    let initial = initial.collect();
    let mut symmetric = vec![None; net.classes.len()];
    let mut first_cell = vec![0];
    for (at, one) in classes.iter().enumerate() {
        symmetric[one.class as usize] = Some(at);
        first_cell.push(first_cell[at] + one.cells.len());
    }
    let longest = vectors.iter().map(|vector| AtomicU32::new(vector.len() as u32)).collect();
    let mut order: Vec<usize> = (0..net.places.len()).collect();
    let own = |place: usize| net.places[place].domain.iter().filter(|sort| symmetric[sort.class() as usize].is_some());
    order.sort_by_key(|&place| own(place).count());
    let words = Words {
        order,
        net: net.clone(),
        classes,
        symmetric,
        first_cell,
        longest,
        plans: Mutex::default(),
        too_large: AtomicBool::new(false),
    };
    Ok((words, vectors, initial))
}

/// What tells the colours of all classes apart.
fn no_symmetry(net: &ColouredNet, cells: &[ClassCells]) -> CannotTensor {
    let why = |class: u32| match cells.iter().find(|cells| cells.class == class) {
        None => ToldApart::Order,
        Some(one) if one.cells.iter().all(|cell| cell.len() < 2) => ToldApart::Transitions,
        Some(_) => ToldApart::InitialMarking,
    };
    CannotTensor::NoSymmetry {
        classes: (0..).zip(&net.classes).map(|(at, class)| (class.name.clone(), why(at))).collect(),
    }
}

/// Colours that neither transitions nor the initial marking name apart, for the classes with symmetries.
fn atoms(net: &ColouredNet) -> Vec<ClassCells> {
    let coarse = cells(net, Telling::Transitions);
    let is_symmetric = |one: &ClassCells| {
        let coarse = coarse.iter().find(|coarse| coarse.class == one.class);
        coarse.is_some_and(|coarse| coarse.cells.iter().any(|cell| cell.len() > 1))
    };
    cells(net, Telling::InitialMarking).into_iter().filter(is_symmetric).collect()
}

/// A tensor with its dimensions; the last index changes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tensor {
    pub dimensions: Vec<usize>,
    pub values: Vec<i32>,
}

/// How many elements a tensor has, unless they are too many.
pub(super) fn elements(dimensions: &[usize]) -> Option<usize> {
    let all = dimensions.iter().try_fold(1_usize, |all, dimension| all.checked_mul(*dimension));
    all.filter(|all| *all <= MOST_ELEMENTS)
}

/// Where the element of a token is.
pub(super) fn flat(dimensions: &[usize], token: &Token) -> Option<usize> {
    token.iter().zip(dimensions).try_fold(0, |at, (value, dimension)| match value {
        Value::Colour(colour) => Some(at * dimension + *colour as usize),
        Value::Bag(_) => None,
    })
}

impl Tensor {
    /// The tensor whose element at some indices is the one at those that maps give, one map for each dimension.
    pub fn mapped(&self, maps: &[&[usize]]) -> Tensor {
        let dimensions: Vec<usize> = maps.iter().map(|map| map.len()).collect();
        // Where the elements come from, built up dimension by dimension.
        let mut from = vec![0_usize];
        for (map, dimension) in maps.iter().zip(&self.dimensions) {
            from = from.iter().flat_map(|&at| map.iter().map(move |&index| at * dimension + index)).collect();
        }
        Tensor { dimensions, values: from.into_iter().map(|at| self.values[at]).collect() }
    }

    /// Whether two indices are alike at some positions: their slices are equal; or, if `exchange`, it makes no difference to
    /// exchange them.
    pub fn has_alike(&self, positions: &[usize], one: usize, other: usize, exchange: bool) -> bool {
        let changed = |position: usize, from: usize, to: usize| -> Vec<Vec<usize>> {
            let mut maps: Vec<Vec<usize>> = self.dimensions.iter().map(|&dimension| (0..dimension).collect()).collect();
            maps[position][from] = to;
            maps
        };
        let same = |maps: Vec<Vec<usize>>| {
            let maps: Vec<&[usize]> = maps.iter().map(Vec::as_slice).collect();
            self.mapped(&maps).values == self.values
        };
        if exchange {
            let mut maps: Vec<Vec<usize>> = self.dimensions.iter().map(|&dimension| (0..dimension).collect()).collect();
            positions.iter().for_each(|&position| maps[position].swap(one, other));
            return same(maps);
        }
        positions.iter().all(|&position| same(changed(position, one, other)))
    }
}
