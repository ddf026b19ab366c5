//! Which classes can be counted.

use crate::coloured::cells::ClassCells;
use crate::coloured::expression::{BagExpression, Cardinality, Guard, Tokens};
use crate::coloured::unfold::{Alike, Uses};
use crate::coloured::visit::Leaf;
use crate::coloured::{ColouredNet, Sort, Transition};
use std::fmt;

/// Why the colours of a class are not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Its order is used: its colours cannot be exchanged.
    Ordered,
    /// Each of its colours is told apart from all others.
    AllDifferent,
    /// Some tokens have several of its colours.
    Several {
        /// Where.
        place: String,
    },
    /// Some tokens or variables hold bags of its colours, or a guard compares such bags.
    InBags {
        /// Of which place or transition.
        whose: String,
    },
    /// Its colours are in tokens together with those of a class that is counted.
    Beside {
        /// The class.
        class: String,
        /// Where.
        place: String,
    },
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Ordered => write!(f, "its order is used"),
            Obstacle::AllDifferent => write!(f, "each of its colours is told apart from the others"),
            Obstacle::Several { place } => write!(f, "the tokens of `{place}` have several of its colours"),
            Obstacle::InBags { whose } => write!(f, "`{whose}` has bags of its colours"),
            Obstacle::Beside { class, place } => {
                write!(f, "it stands beside `{class}`, which is counted, in `{place}`")
            }
        }
    }
}

/// Which classes are counted, and why the others are not.
pub(super) struct Choice {
    pub counted: Vec<ClassCells>,
    pub obstacles: Vec<(u32, Obstacle)>,
}

/// Chooses classes to count: the larger a class, the sooner, as long as no place has two of them.
pub(super) fn choose(net: &ColouredNet) -> Choice {
    let uses = Uses::of(net);
    let mut candidates: Vec<ClassCells> = Vec::new();
    let mut obstacles = Vec::new();
    for class in 0..net.classes.len() as u32 {
        let alike = uses.alike(net, class as usize);
        match (alike, obstacle(net, class)) {
            (Alike::Turned | Alike::Never, _) => obstacles.push((class, Obstacle::Ordered)),
            (Alike::Within(_), Some(obstacle)) => obstacles.push((class, obstacle)),
            (Alike::Within(cells), None) if cells.iter().all(|cell| cell.len() < 2) => {
                obstacles.push((class, Obstacle::AllDifferent));
            }
            (Alike::Within(cells), None) => candidates.push(ClassCells { class, cells }),
        }
    }
    candidates.sort_by_key(|one| std::cmp::Reverse(net.classes[one.class as usize].len()));
    let mut counted: Vec<ClassCells> = Vec::new();
    for candidate in candidates {
        let beside = counted.iter().find_map(|other| Some((other.class, together(net, candidate.class, other.class)?)));
        match beside {
            Some((class, place)) => {
                let class = net.classes[class as usize].name.clone();
                obstacles.push((candidate.class, Obstacle::Beside { class, place }));
            }
            None => counted.push(candidate),
        }
    }
    counted.sort_by_key(|one| one.class);
    obstacles.sort_by_key(|one| one.0);
    Choice { counted, obstacles }
}

/// A place whose tokens have colours of two classes.
fn together(net: &ColouredNet, one: u32, other: u32) -> Option<String> {
    let has = |domain: &[Sort], class: u32| domain.iter().any(|sort| sort.class() == class);
    let place = net.places.iter().find(|place| has(&place.domain, one) && has(&place.domain, other))?;
    Some(place.name.clone())
}

/// Where colours of a class are used in a way that cannot be counted.
fn obstacle(net: &ColouredNet, class: u32) -> Option<Obstacle> {
    for place in &net.places {
        if place.domain.contains(&Sort::Bag(class)) {
            return Some(Obstacle::InBags { whose: place.name.clone() });
        }
        if place.domain.iter().filter(|sort| **sort == Sort::Colour(class)).count() > 1 {
            return Some(Obstacle::Several { place: place.name.clone() });
        }
    }
    let in_bags = |transition: &&Transition| {
        let arcs = transition.takes.iter().chain(&transition.puts).chain(&transition.inhibitors);
        transition.variables.iter().any(|variable| variable.sort == Sort::Bag(class))
            || measures(&transition.guard, transition, class)
            || arcs.into_iter().any(|arc| measures_in_tokens(&arc.tokens, transition, class))
    };
    let transition = net.transitions.iter().find(in_bags)?;
    Some(Obstacle::InBags { whose: transition.name.clone() })
}

/// Whether a guard compares bags of a class, or how much is in them.
fn measures(guard: &Guard, transition: &Transition, class: u32) -> bool {
    let of = |bag: &BagExpression| {
        let mut is_of = false;
        bag.leaves(&mut |leaf| {
            is_of |= match leaf {
                Leaf::Set(set) => set.class == class,
                Leaf::Term(term) => match term.variable() {
                    Some(variable) => transition.variables[variable as usize].sort.class() == class,
                    None => term.constant().is_some_and(|(of, _)| of == class),
                },
                Leaf::Bag(variable) => transition.variables[variable as usize].sort.class() == class,
            };
        });
        is_of
    };
    let of_number = |number: &Cardinality| matches!(number, Cardinality::Of(bag) if of(bag));
    match guard {
        Guard::Constant(_) | Guard::Compare(..) | Guard::Member(..) => false,
        Guard::Cardinality(_, left, right) => of_number(left) || of_number(right),
        Guard::Included(left, right) | Guard::SameBag(left, right) => of(left) || of(right),
        Guard::Not(inner) => measures(inner, transition, class),
        Guard::And(parts) | Guard::Or(parts) => parts.iter().any(|part| measures(part, transition, class)),
    }
}

fn measures_in_tokens(tokens: &Tokens, transition: &Transition, class: u32) -> bool {
    match tokens {
        Tokens::Tuple(_) => false,
        Tokens::Sum(parts) => parts.iter().any(|part| measures_in_tokens(part, transition, class)),
        Tokens::Difference(from, taken) => {
            [from, taken].into_iter().any(|part| measures_in_tokens(part, transition, class))
        }
        Tokens::Times(_, inner) => measures_in_tokens(inner, transition, class),
        Tokens::When(guard, inner) => {
            measures(guard, transition, class) || measures_in_tokens(inner, transition, class)
        }
    }
}
