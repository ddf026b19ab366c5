//! A net with bags as a symmetric net without (the thesis, 5.1.3, figure 5.5).
//!
//! A bag becomes the sequence of its colours: those that it has most often first, and those that it has equally often in
//! ascending order. How often it has each of them is its *shape* (`{x, 2'y}` has the shape 2, 1). A place whose tokens hold bags
//! is replicated for each shape that these can have, and a replica's tokens have one component per colour of each bag. A
//! transition is replicated for each shape that the bags of its binding can have; a replica has one variable per colour, and
//! its guard says that they ascend. Where bags are made of other things than whole bags of the binding (`{x, y}`, `B + x`,
//! `all - x`), what is in them depends on which of these are equal and which comes first: such a transition is replicated for
//! each case as well (`case`), and where bags of guards are compared, also.
//!
//! Every bag is one sequence of one shape. So each marking of the net with bags is one of the net without, and each binding of
//! a transition is one binding of one of its replicas: both have the same reachable markings and the same steps between them.
//!
//! Only shapes that can occur are made: those of the initial marking, and those that transitions put which can take what they
//! need. If there is no end of them the net is refused. How much is in a bag must be known from the guard, because it is
//! `unique`, from the shapes of the bags in the place where it is taken whole, or because the class has only so many colours
//! in the places where they are taken from, and never more (`conserve`).

mod case;
mod conserve;
mod property;
mod resolve;
mod shape;
mod substitute;
mod transition;

pub use shape::{Shape, bag_of, shape_of};

use super::evaluate::Evaluator;
use super::expression::{BagExpression, Element, Term, Tokens};
use super::value::{Token, Value};
use super::{Arc, Class, ClassOrder, ColouredNet, Domain, Place, Sort, Transition};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use transition::{Flat, Replica, Replicas, Shapes};

/// Replicas that a place or a transition has at most.
const MOST_REPLICAS: usize = 20_000;

/// A net without bags that does what another one does with bags, and where everything has gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfolded {
    /// The net without bags.
    pub net: ColouredNet,
    /// By place of the net without bags: what it is a replica of.
    pub places: Vec<PlaceReplica>,
    /// By transition of the net without bags: what it is a replica of.
    pub transitions: Vec<TransitionReplica>,
}

/// What a place without bags is a replica of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceReplica {
    /// The place of the net with bags.
    pub place: u32,
    /// For each component there: the shape of the bags that it holds here; `None` for one that holds colours.
    pub shapes: Vec<Option<Shape>>,
}

/// What a transition without bags is a replica of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransitionReplica {
    /// The transition of the net with bags.
    pub transition: u32,
    /// For each variable there: what it is here.
    pub variables: Vec<VariableReplica>,
}

/// What a variable is in a replica of its transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableReplica {
    /// The first variable that stands for it.
    pub first: u32,
    /// If it is bound to bags: their shape, which is as long as there are variables that stand for it.
    pub shape: Option<Shape>,
}

/// Why a net with bags cannot be written without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotUnfolded {
    /// Nothing bounds how much is in the bags of a variable.
    Variable {
        /// The transition.
        transition: String,
        /// The variable.
        variable: String,
    },
    /// The bags in a place have too many shapes, or there is no end of them.
    Place {
        /// The place.
        place: String,
    },
    /// A transition would have too many replicas.
    Transition {
        /// The transition.
        transition: String,
    },
    /// The initial marking of a place has no value.
    Initial {
        /// The place.
        place: String,
    },
}

impl fmt::Display for NotUnfolded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotUnfolded::Variable { transition, variable } => write!(
                f,
                "nothing bounds how much is in the bag `{variable}` of the transition `{transition}`: limit it in the guard, \
                 as `card({variable}) <= 2` does"
            ),
            NotUnfolded::Place { place } => write!(
                f,
                "the bags that the place `{place}` can hold are of more than {MOST_REPLICAS} shapes, too large, or grow \
                 without end"
            ),
            NotUnfolded::Transition { transition } => write!(
                f,
                "the transition `{transition}` would become more than {MOST_REPLICAS} transitions, or its bags are too large"
            ),
            NotUnfolded::Initial { place } => write!(f, "the initial marking of the place `{place}` has no value"),
        }
    }
}

impl std::error::Error for NotUnfolded {}

/// Too many of something, or more in a bag than can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TooLarge;

/// The same net without bags. The indices in the net must be what their documentation says.
pub fn unfold_bags(net: &ColouredNet) -> Result<Unfolded, NotUnfolded> {
    let marked = initial_tokens(net)?;
    let mut shapes: Shapes = vec![BTreeSet::new(); net.places.len()];
    for (place, tokens) in marked.iter().enumerate() {
        grow(net, tokens.keys().map(|flat| (place as u32, flat.clone())).collect(), &mut shapes)?;
    }
    let mut replicas: Vec<Replicas<'_>> =
        (0..net.transitions.len() as u32).map(|index| Replicas::new(net, index)).collect();
    loop {
        replicas.iter_mut().try_for_each(|replicas| replicas.extend(&shapes))?;
        let put = |replica: &Replica| replica.puts.iter().map(|(flat, _)| flat.clone()).collect::<Vec<Flat>>();
        let put: BTreeSet<Flat> = replicas.iter().flat_map(|of| of.live(&shapes)).flat_map(put).collect();
        if !grow(net, put, &mut shapes)? {
            break;
        }
    }
    let live = replicas.iter().flat_map(|of| of.live(&shapes));
    let all: Vec<Replica> = live.map(|replica| replica.finished(net, &shapes)).collect();
    // What is taken from a place that nothing fills is still taken from somewhere.
    for (place, flat) in all.iter().flat_map(|replica| replica.takes.iter().map(|(flat, _)| flat)) {
        shapes[*place as usize].insert(flat.clone());
    }
    // A place that never holds anything stays, too.
    for (place, shapes) in net.places.iter().zip(&mut shapes).filter(|(_, shapes)| shapes.is_empty()) {
        shapes.insert(place.domain.iter().filter(|sort| matches!(sort, Sort::Bag(_))).map(|_| Shape::new()).collect());
    }
    Ok(assemble(net, &marked, &shapes, all))
}

/// Adds the shapes that are put; whether there are new ones.
fn grow(net: &ColouredNet, put: BTreeSet<Flat>, shapes: &mut Shapes) -> Result<bool, NotUnfolded> {
    let mut grows = false;
    for (place, flat) in put {
        let known = &mut shapes[place as usize];
        let long = flat.iter().any(|shape| shape.len() > shape::MOST_COLOURS);
        grows |= known.insert(flat);
        if known.len() > MOST_REPLICAS || long {
            return Err(NotUnfolded::Place { place: net.places[place as usize].name.clone() });
        }
    }
    Ok(grows)
}

/// By place, and by shapes of the bags: the tokens in the beginning. A place without bags has one entry, whatever is in it.
fn initial_tokens(net: &ColouredNet) -> Result<Vec<BTreeMap<Vec<Shape>, Tokens>>, NotUnfolded> {
    let tokens = net.places.iter().map(|place| {
        if !holds_bags(&place.domain) {
            return Ok(BTreeMap::from([(Vec::new(), place.initial.clone())]));
        }
        let tokens = Evaluator::constant(net).tokens(&place.initial);
        let tokens = tokens.map_err(|_| NotUnfolded::Initial { place: place.name.clone() })?;
        let mut found: BTreeMap<Vec<Shape>, Vec<Tokens>> = BTreeMap::new();
        for (token, times) in tokens.iter() {
            let (shapes, colours) = flattened(&token);
            let constants = colours.into_iter().zip(flat_domain(&place.domain, &shapes)).map(|(colour, sort)| {
                Element::Each(BagExpression::One(Term::Constant { class: sort.class(), colour }))
            });
            let tuple = Tokens::Tuple(constants.collect());
            let tuple = if times == 1 { tuple } else { Tokens::Times(times, Box::new(tuple)) };
            found.entry(shapes).or_default().push(tuple);
        }
        let sum = |mut tokens: Vec<Tokens>| if tokens.len() == 1 { tokens.remove(0) } else { Tokens::Sum(tokens) };
        Ok(found.into_iter().map(|(shapes, tokens)| (shapes, sum(tokens))).collect())
    });
    tokens.collect()
}

fn holds_bags(domain: &[Sort]) -> bool {
    domain.iter().any(|sort| matches!(sort, Sort::Bag(_)))
}

/// The shapes of the bags of a token, and the colours of all its components.
fn flattened(token: &Token) -> (Vec<Shape>, Vec<u32>) {
    let (mut shapes, mut colours) = (Vec::new(), Vec::new());
    for value in token {
        match value {
            Value::Colour(colour) => colours.push(*colour),
            Value::Bag(bag) => {
                let (shape, members) = shape_of(bag);
                shapes.push(shape);
                colours.extend(members);
            }
        }
    }
    (shapes, colours)
}

/// A domain whose bags have some shapes, without bags.
fn flat_domain(domain: &[Sort], shapes: &[Shape]) -> Domain {
    let mut shapes = shapes.iter();
    let mut flat = Vec::new();
    for sort in domain {
        let length = match sort {
            Sort::Colour(_) => 1,
            Sort::Bag(_) => shapes.next().map_or(0, Vec::len),
        };
        flat.extend(std::iter::repeat_n(Sort::Colour(sort.class()), length));
    }
    flat
}

/// The classes, where those that are in bags have an order: what is in a bag is listed by it, so that each bag is there once.
fn classes(net: &ColouredNet) -> Vec<Class> {
    let variables = net.transitions.iter().flat_map(|transition| &transition.variables).map(|variable| &variable.sort);
    let sorts = net.places.iter().flat_map(|place| &place.domain).chain(variables);
    let mut classes = net.classes.clone();
    for sort in sorts {
        if let Sort::Bag(class) = sort
            && let Some(class) = classes.get_mut(*class as usize)
            && class.order == ClassOrder::Unordered
        {
            class.order = ClassOrder::Linear;
        }
    }
    classes
}

/// Puts the net together.
fn assemble(
    net: &ColouredNet, marked: &[BTreeMap<Vec<Shape>, Tokens>], shapes: &Shapes, all: Vec<Replica>,
) -> Unfolded {
    let mut names = Naming::new(net, &all);
    let mut unfolded = Unfolded {
        net: ColouredNet { name: net.name.clone(), classes: classes(net), ..ColouredNet::default() },
        places: Vec::new(),
        transitions: Vec::new(),
    };
    let mut index: BTreeMap<Flat, u32> = BTreeMap::new();
    for (number, place) in net.places.iter().enumerate() {
        // Places without bags stay, with or without tokens.
        for flat in &shapes[number] {
            index.insert((number as u32, flat.clone()), unfolded.net.places.len() as u32);
            unfolded.net.places.push(Place {
                name: names.place(place, flat),
                domain: flat_domain(&place.domain, flat),
                initial: marked[number].get(flat).cloned().unwrap_or_else(Tokens::none),
            });
            let mut flat = flat.iter().cloned();
            let shape = |sort: &Sort| matches!(sort, Sort::Bag(_)).then(|| flat.next().unwrap_or_default());
            let shapes = place.domain.iter().map(shape).collect();
            unfolded.places.push(PlaceReplica { place: number as u32, shapes });
        }
    }
    for replica in all {
        let transition = &net.transitions[replica.of.transition as usize];
        let arcs = |arcs: Vec<(Flat, Tokens)>| -> Vec<Arc> {
            arcs.into_iter().filter_map(|(flat, tokens)| Some(Arc { place: *index.get(&flat)?, tokens })).collect()
        };
        unfolded.net.transitions.push(Transition {
            name: names.transition(transition, &replica.of),
            variables: replica.variables,
            guard: replica.guard,
            takes: arcs(replica.takes),
            puts: arcs(replica.puts),
            inhibitors: arcs(replica.inhibitors),
            priority: transition.priority,
        });
        unfolded.transitions.push(replica.of);
    }
    unfolded
}

/// Names of replicas: `out_2` holds bags of two different colours, `out_m2_1` bags with one colour twice and another once.
struct Naming {
    used: BTreeSet<String>,
    /// By name: how many replicas would have it.
    wanted: BTreeMap<String, usize>,
}

impl Naming {
    fn new(net: &ColouredNet, all: &[Replica]) -> Naming {
        let mut naming = Naming { used: BTreeSet::new(), wanted: BTreeMap::new() };
        let without = net.places.iter().filter(|place| !holds_bags(&place.domain));
        naming.used.extend(without.map(|place| place.name.clone()));
        for replica in all {
            let transition = &net.transitions[replica.of.transition as usize];
            *naming.wanted.entry(labelled(transition, &replica.of)).or_insert(0) += 1;
        }
        naming
    }

    fn place(&mut self, place: &Place, shapes: &[Shape]) -> String {
        if shapes.is_empty() {
            return place.name.clone();
        }
        let labels: Vec<String> = shapes.iter().map(|shape| label(shape)).collect();
        fresh(format!("{}_{}", place.name, labels.join("_")), &mut self.used)
    }

    fn transition(&mut self, transition: &Transition, of: &TransitionReplica) -> String {
        let name = labelled(transition, of);
        let single = self.wanted.get(&name).is_none_or(|&wanted| wanted == 1);
        if single {
            return fresh(name, &mut self.used);
        }
        // Cases are told apart by their number.
        fresh(format!("{name}_1"), &mut self.used)
    }
}

/// The name of a transition, with the shapes of its bags.
fn labelled(transition: &Transition, of: &TransitionReplica) -> String {
    let shapes = of.variables.iter().filter_map(|variable| variable.shape.as_ref());
    shapes.fold(transition.name.clone(), |name, shape| format!("{name}_{}", label(shape)))
}

fn label(shape: &[u32]) -> String {
    if shape.iter().all(|&times| times == 1) {
        return shape.len().to_string();
    }
    let numbers: Vec<String> = shape.iter().map(u32::to_string).collect();
    format!("m{}", numbers.join("_"))
}

/// A name that nothing else has: this one, or else one with the next number at its end.
fn fresh(name: String, used: &mut BTreeSet<String>) -> String {
    let (stem, number) = match name.rsplit_once('_') {
        Some((stem, number)) => (stem.to_string(), number.parse::<u64>().ok()),
        None => (name.clone(), None),
    };
    if used.insert(name.clone()) {
        return name;
    }
    let (stem, mut number) = match number {
        Some(number) => (stem, number),
        None => (name, 0),
    };
    loop {
        number += 1;
        let next = format!("{stem}_{number}");
        if used.insert(next.clone()) {
            return next;
        }
    }
}
