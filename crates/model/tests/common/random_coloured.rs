//! Small random coloured nets: every kind of class, term, guard and arc, with and without bags, inhibitor arcs and priorities.
//! Most of them have few markings; some have no end of them. The same seed gives the same net, for ever.
#![allow(dead_code, reason = "not all who use this file use all of it")]

use mandala_model::coloured::{
    Arc, BagExpression, Cardinality, Class, ClassOrder, ColouredNet, Colours, Domain, Element, Guard, Names, Place,
    Sort, Subclass, Term, Tokens, Transition, Variable,
};
use mandala_model::expression::Comparison;

/// Pseudo-random numbers (xorshift64*).
pub struct Random(u64);

impl Random {
    /// Numbers that depend on a seed only.
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03);
        random.0 |= 1;
        // The first numbers of similar seeds are similar.
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 up to, but not including, `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 33) % bound.max(1) as u64) as usize
    }

    /// A number between two, both included.
    pub fn between(&mut self, least: u32, greatest: u32) -> u32 {
        least + self.below((greatest - least + 1) as usize) as u32
    }

    /// True so many times out of a hundred.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of them.
    pub fn choose<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }
}

/// Whether a net has bags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bags {
    /// Places and variables may hold bags.
    With,
    /// None do: a symmetric net.
    Without,
}

const COMPARISONS: [Comparison; 6] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessOrEqual,
    Comparison::Greater,
    Comparison::GreaterOrEqual,
];

/// A random net.
pub fn net(seed: u64, bags: Bags) -> ColouredNet {
    let mut random = Random::new(seed);
    let largest = if bags == Bags::With { 3 } else { 4 };
    let classes: Vec<Class> = (0..random.between(1, 2)).map(|number| class(&mut random, number, largest)).collect();
    let count = random.between(2, 4);
    let places = (0..count)
        .map(|number| {
            let domain = domain(&mut random, &classes, bags);
            let initial = initial(&mut random, &classes, &domain);
            Place { name: format!("p{number}"), domain, initial }
        })
        .collect();
    let mut net = ColouredNet { name: format!("random{seed}"), classes, places, transitions: Vec::new() };
    let priorities = random.percent(20);
    for number in 0..random.between(1, 4) {
        let mut transition = Writer { random: &mut random, net: &net, bags, variables: Vec::new() }.transition(number);
        transition.priority = if priorities { random.between(0, 2) } else { 0 };
        net.transitions.push(transition);
    }
    net
}

fn class(random: &mut Random, number: u32, largest: u32) -> Class {
    let count = random.between(1, largest);
    let names = match random.below(3) {
        0 => Names::Listed(
            (0..count).map(|colour| format!("{}{number}", ["a", "b", "c", "d"][colour as usize])).collect(),
        ),
        1 => Names::Numbered { prefix: format!("c{number}_"), first: 1, count },
        _ => Names::Numbered { prefix: String::new(), first: 0, count },
    };
    let order = random.choose(&[ClassOrder::Unordered, ClassOrder::Linear, ClassOrder::Circular]);
    let some = |random: &mut Random| (0..count).filter(|_| random.percent(50)).collect::<Vec<u32>>();
    let subclasses = match random.below(3) {
        0 => {
            // Those that share no colour and leave none out.
            let first = some(random);
            let second = (0..count).filter(|colour| !first.contains(colour)).collect();
            vec![Subclass::new(format!("S{number}"), first), Subclass::new(format!("R{number}"), second)]
        }
        1 => vec![Subclass::new(format!("S{number}"), some(random))],
        _ => Vec::new(),
    };
    Class { name: format!("C{number}"), names, order, subclasses }
}

fn domain(random: &mut Random, classes: &[Class], bags: Bags) -> Domain {
    let components = random.choose(&[0, 1, 1, 1, 2]);
    let sort = |random: &mut Random| {
        let class = random.below(classes.len()) as u32;
        if bags == Bags::With && random.percent(45) { Sort::Bag(class) } else { Sort::Colour(class) }
    };
    (0..components).map(|_| sort(random)).collect()
}

fn set(random: &mut Random, classes: &[Class], class: u32) -> Colours {
    let subclasses = classes[class as usize].subclasses.len();
    let subclass = (subclasses > 0 && random.percent(50)).then(|| random.below(subclasses) as u32);
    Colours { class, subclass }
}

fn constant(random: &mut Random, classes: &[Class], class: u32) -> Term {
    Term::Constant { class, colour: random.below(classes[class as usize].len() as usize) as u32 }
}

fn initial(random: &mut Random, classes: &[Class], domain: &[Sort]) -> Tokens {
    let tuple = |random: &mut Random| {
        let element = |sort: &Sort| match *sort {
            Sort::Colour(class) if random.percent(30) => Element::Each(BagExpression::All(set(random, classes, class))),
            Sort::Colour(class) => Element::Each(BagExpression::One(constant(random, classes, class))),
            Sort::Bag(class) => {
                let ones = (0..random.below(3)).map(|_| BagExpression::One(constant(random, classes, class)));
                let ones = BagExpression::Sum(ones.collect());
                let times = |random: &mut Random, inner| BagExpression::Times(random.between(0, 2), Box::new(inner));
                Element::Whole(match random.below(5) {
                    0 => BagExpression::All(set(random, classes, class)),
                    1 => times(random, ones),
                    _ => ones,
                })
            }
        };
        Tokens::Tuple(domain.iter().map(element).collect())
    };
    match random.below(8) {
        0 => Tokens::none(),
        1 => Tokens::Times(random.between(0, 3), Box::new(tuple(random))),
        2 => Tokens::Difference(Box::new(tuple(random)), Box::new(tuple(random))),
        3 | 4 => Tokens::Sum(vec![tuple(random), tuple(random)]),
        _ => tuple(random),
    }
}

/// Writes a transition of a net, with whatever variables it needs.
struct Writer<'w> {
    random: &'w mut Random,
    net: &'w ColouredNet,
    bags: Bags,
    variables: Vec<Variable>,
}

impl Writer<'_> {
    fn transition(mut self, number: u32) -> Transition {
        let mut takes = self.arcs(2);
        let mut puts = self.arcs(2);
        // Most transitions put what they take somewhere else.
        if self.random.percent(70) {
            puts.clear();
            let places = self.net.places.len();
            for arc in &takes {
                let domain = &self.net.places[arc.place as usize].domain;
                let alike: Vec<usize> = (0..places).filter(|&place| self.net.places[place].domain == *domain).collect();
                let place = self.random.choose(&alike) as u32;
                let tokens = if self.random.percent(50) { arc.tokens.clone() } else { self.tokens(place) };
                if puts.iter().all(|other: &Arc| other.place != place) {
                    puts.push(Arc { place, tokens });
                }
            }
        }
        if self.random.percent(6) {
            takes.clear();
        }
        let inhibitors = if self.random.percent(20) { self.arcs(1) } else { Vec::new() };
        let mut parts: Vec<Guard> = (0..self.random.choose(&[0, 0, 1, 1, 2])).map(|_| self.guard(2)).collect();
        for variable in 0..self.variables.len() {
            if let Sort::Bag(_) = self.variables[variable].sort
                && self.random.percent(94)
            {
                let bag = Cardinality::Of(BagExpression::Variable(variable as u32));
                let most = Cardinality::Constant(self.random.choose(&[1, 1, 2, 2, 2, 3]));
                parts.push(Guard::Cardinality(Comparison::LessOrEqual, bag, most));
            }
        }
        let guard = match parts.len() {
            0 => Guard::default(),
            1 => parts.remove(0),
            _ => Guard::And(parts),
        };
        let name = format!("t{number}");
        Transition { name, variables: self.variables, guard, takes, puts, inhibitors, priority: 0 }
    }

    /// Arcs to a few places, at most one to each.
    fn arcs(&mut self, most: u32) -> Vec<Arc> {
        let mut arcs: Vec<Arc> = Vec::new();
        for _ in 0..self.random.between(1, most) {
            let place = self.random.below(self.net.places.len()) as u32;
            if arcs.iter().all(|arc| arc.place != place) {
                let tokens = self.tokens(place);
                arcs.push(Arc { place, tokens });
            }
        }
        arcs
    }

    fn tokens(&mut self, place: u32) -> Tokens {
        match self.random.below(14) {
            0 => Tokens::Times(self.random.between(0, 2), Box::new(self.tuple(place))),
            1 => Tokens::Difference(Box::new(self.tuple(place)), Box::new(self.tuple(place))),
            2 => {
                let guard = self.guard(1);
                Tokens::When(Box::new(guard), Box::new(self.tuple(place)))
            }
            3 | 4 => Tokens::Sum(vec![self.tuple(place), self.tuple(place)]),
            _ => self.tuple(place),
        }
    }

    fn tuple(&mut self, place: u32) -> Tokens {
        let domain = self.net.places[place as usize].domain.clone();
        let element = |sort: Sort| match sort {
            Sort::Colour(class) => Element::Each(self.colours(class)),
            Sort::Bag(class) => Element::Whole(self.bag(class, 2)),
        };
        Tokens::Tuple(domain.into_iter().map(element).collect())
    }

    /// What stands for a colour in a tuple: mostly one.
    fn colours(&mut self, class: u32) -> BagExpression {
        match self.random.below(12) {
            0 => BagExpression::All(set(self.random, &self.net.classes, class)),
            1 => {
                let all = BagExpression::All(set(self.random, &self.net.classes, class));
                BagExpression::Difference(Box::new(all), Box::new(BagExpression::One(self.term(class))))
            }
            2 => BagExpression::Times(2, Box::new(BagExpression::One(self.term(class)))),
            3 => BagExpression::Sum(vec![BagExpression::One(self.term(class)), BagExpression::One(self.term(class))]),
            4..7 if self.bags == Bags::With => self.bag(class, 1),
            _ => BagExpression::One(self.term(class)),
        }
    }

    /// A bag of a class, of any kind.
    fn bag(&mut self, class: u32, depth: u32) -> BagExpression {
        let again = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 6 } else { 10 }) {
            0..3 if self.bags == Bags::With => BagExpression::Variable(self.variable(Sort::Bag(class))),
            0..5 => BagExpression::One(self.term(class)),
            5 => BagExpression::All(set(self.random, &self.net.classes, class)),
            6 | 7 => BagExpression::Sum((0..self.random.below(3)).map(|_| self.bag(class, again)).collect()),
            8 => BagExpression::Difference(Box::new(self.bag(class, again)), Box::new(self.bag(class, again))),
            _ => BagExpression::Times(self.random.between(0, 2), Box::new(self.bag(class, again))),
        }
    }

    fn term(&mut self, class: u32) -> Term {
        let term = match self.random.percent(85) {
            true => Term::Variable(self.variable(Sort::Colour(class))),
            false => constant(self.random, &self.net.classes, class),
        };
        let steps = self.random.choose(&[1, 1, -1, 2]);
        if self.random.percent(15) { term.shifted(steps) } else { term }
    }

    /// A variable: mostly one that is there already.
    fn variable(&mut self, sort: Sort) -> u32 {
        let known: Vec<usize> = (0..self.variables.len()).filter(|&one| self.variables[one].sort == sort).collect();
        let most = if let Sort::Bag(_) = sort { 2 } else { 3 };
        if !known.is_empty() && (known.len() >= most || self.variables.len() >= 4 || self.random.percent(60)) {
            return self.random.choose(&known) as u32;
        }
        let is_bag = matches!(sort, Sort::Bag(_));
        let name = format!("{}{}", if is_bag { "B" } else { "x" }, self.variables.len());
        let unique = is_bag && self.random.percent(35);
        self.variables.push(Variable { name, sort, unique });
        self.variables.len() as u32 - 1
    }

    fn guard(&mut self, depth: u32) -> Guard {
        let class = self.random.below(self.net.classes.len()) as u32;
        let again = depth.saturating_sub(1);
        let kinds = if self.bags == Bags::With { 9 } else { 6 };
        match self.random.below(kinds) {
            0 if depth > 0 => Guard::And((0..self.random.below(3)).map(|_| self.guard(again)).collect()),
            1 if depth > 0 => Guard::Or((0..self.random.below(4)).map(|_| self.guard(again)).collect()),
            2 if depth > 0 => Guard::Not(Box::new(self.guard(again))),
            0 if self.random.percent(20) => Guard::Constant(self.random.percent(70)),
            0..5 => Guard::Compare(self.random.choose(&COMPARISONS), self.term(class), self.term(class)),
            5 => Guard::Member(self.term(class), set(self.random, &self.net.classes, class)),
            6 => {
                let number = Cardinality::Constant(u64::from(self.random.between(0, 3)));
                let other = if self.random.percent(60) { number } else { Cardinality::Of(self.bag(class, 1)) };
                Guard::Cardinality(self.random.choose(&COMPARISONS), Cardinality::Of(self.bag(class, 2)), other)
            }
            7 => Guard::Included(self.bag(class, 1), self.bag(class, 2)),
            _ => Guard::SameBag(self.bag(class, 1), self.bag(class, 2)),
        }
    }
}
