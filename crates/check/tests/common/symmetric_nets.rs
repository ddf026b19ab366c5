//! Small random symmetric nets whose classes have no order, as text, and their orbits marking by marking.
#![allow(dead_code, reason = "not all who use this file use all of it")]

use mandala_model::coloured::semantics::{Marking, Semantics};
use mandala_model::coloured::{Bag, ColouredNet, Sort, Value, sn};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

/// A model of the repository.
pub fn model(name: &str, defines: &[(&str, i32)]) -> ColouredNet {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let text = std::fs::read_to_string(path).expect("a model of the repository");
    let defines: Vec<(String, i32)> = defines.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    sn::read(name, &text, &defines).expect("a model").net
}

/// Pseudo-random choices.
pub struct Choices(u64);

impl Choices {
    pub fn new(seed: u64) -> Choices {
        Choices(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % bound as u64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}

/// A random net, and which colours of its two classes nothing tells apart but perhaps the initial marking.
pub struct RandomNet {
    pub text: String,
    pub net: ColouredNet,
    /// For each class what transitions tell apart: colours with different numbers.
    told_apart: [Vec<u32>; 2],
}

/// The classes: name, prefix of colours, variables.
const CLASSES: [(&str, &str, [&str; 2]); 2] = [("C", "c", ["x", "y"]), ("D", "d", ["u", "v"])];

struct Writer {
    choices: Choices,
    sizes: [usize; 2],
    split: Option<usize>,
    /// Whether transitions name the first colour of each class.
    names_first: [bool; 2],
    uses_split: bool,
}

impl RandomNet {
    /// The same seed gives the same net. With `wide`, tokens may have two colours of one class.
    pub fn new(seed: u64, wide: bool) -> RandomNet {
        let mut choices = Choices::new(seed);
        let sizes = [1 + choices.below(4), 1 + choices.below(3)];
        let split = (sizes[0] > 1 && choices.percent(25)).then(|| 1 + choices.below(sizes[0] - 1));
        let mut writer = Writer { choices, sizes, split, names_first: [false; 2], uses_split: false };
        let text = writer.net(wide);
        let net = sn::read("random.sn", &text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}")).net;
        let told_apart = [0, 1].map(|class: usize| {
            let kind = |colour: usize| {
                let named = writer.names_first[class] && colour == 0;
                let second = class == 0 && writer.uses_split && writer.split.is_some_and(|split| colour >= split);
                if named { 2 } else { u32::from(second) }
            };
            (0..writer.sizes[class]).map(kind).collect()
        });
        RandomNet { text, net, told_apart }
    }

    /// The reachable markings; nothing if there are more than so many, or a number becomes too large.
    pub fn markings(&self, most: usize) -> Option<HashMap<Marking, usize>> {
        let semantics = Semantics::new(&self.net).expect("no bags");
        let mut open = vec![semantics.initial_marking().ok()?];
        let mut known = HashMap::from([(open[0].clone(), 0)]);
        while let Some(marking) = open.pop() {
            for (_, next) in semantics.steps(&marking).ok()? {
                if next.places.iter().any(|tokens| tokens.iter().any(|(_, times)| times > 4)) {
                    return None;
                }
                let number = known.len();
                if !known.contains_key(&next) {
                    known.insert(next.clone(), number);
                    open.push(next);
                }
            }
            if known.len() > most {
                return None;
            }
        }
        Some(known)
    }

    /// How many orbits there are among all reachable markings, under all exchanges of colours that neither transitions nor the
    /// initial marking tell apart.
    pub fn orbits(&self, markings: &HashMap<Marking, usize>) -> usize {
        let initial = Semantics::new(&self.net).expect("no bags").initial_marking().expect("a marking");
        let mut parents: Vec<usize> = (0..markings.len()).collect();
        fn root(parents: &[usize], mut at: usize) -> usize {
            while parents[at] != at {
                at = parents[at];
            }
            at
        }
        for class in 0..2 {
            let told_apart = &self.told_apart[class];
            for one in 0..told_apart.len() as u32 {
                for other in 0..one {
                    let is_alike = told_apart[one as usize] == told_apart[other as usize];
                    if !is_alike || exchanged(&self.net, &initial, class as u32, one, other) != initial {
                        continue;
                    }
                    for (marking, &number) in markings {
                        let image = exchanged(&self.net, marking, class as u32, one, other);
                        let image = markings.get(&image).unwrap_or_else(|| panic!("not symmetric: {}", self.text));
                        let (one, other) = (root(&parents, number), root(&parents, *image));
                        parents[one] = other;
                    }
                }
            }
        }
        (0..parents.len()).filter(|&at| parents[at] == at).count()
    }
}

fn exchanged(net: &ColouredNet, marking: &Marking, class: u32, one: u32, other: u32) -> Marking {
    let value = |(sort, value): (&Sort, &Value)| match value {
        Value::Colour(colour) if *sort == Sort::Colour(class) => Value::Colour(match *colour {
            colour if colour == one => other,
            colour if colour == other => one,
            colour => colour,
        }),
        value => value.clone(),
    };
    let places = net.places.iter().zip(&marking.places).map(|(place, tokens)| {
        let mut image = Bag::new();
        for (token, times) in tokens.iter() {
            image.add(place.domain.iter().zip(&token).map(value).collect(), times).expect("as many as before");
        }
        image
    });
    Marking { places: places.collect() }
}

impl Writer {
    fn net(&mut self, wide: bool) -> String {
        let mut text = "net Random {\n".to_owned();
        for (class, (name, prefix, _)) in CLASSES.iter().enumerate() {
            write!(text, "    class {name} = {prefix}{{1..{}}}", self.sizes[class]).unwrap();
            match self.split.filter(|_| class == 0) {
                Some(split) => {
                    let (next, last) = (split + 1, self.sizes[0]);
                    writeln!(text, " subclasses {{ low = c{{1..{split}}}; high = c{{{next}..{last}}}; }}").unwrap();
                }
                None => writeln!(text, ";").unwrap(),
            }
        }
        let shapes: &[&[usize]] = if wide {
            &[&[], &[0], &[0], &[1], &[0, 1], &[1, 1], &[0, 0], &[1, 0]]
        } else {
            &[&[], &[0], &[0], &[0], &[1], &[0, 1], &[1, 0], &[1, 1]]
        };
        let places: Vec<&[usize]> =
            (0..2 + self.choices.below(3)).map(|_| shapes[self.choices.below(shapes.len())]).collect();
        for (number, domain) in places.iter().enumerate() {
            let classes: Vec<&str> = domain.iter().map(|&class| CLASSES[class].0).collect();
            let tokens = match (domain.is_empty(), self.choices.below(5)) {
                (true, _) => format!(" = {}", self.choices.below(3)),
                (false, 0) => String::new(),
                (false, _) => {
                    let elements: Vec<String> = domain.iter().map(|&class| self.initial(class)).collect();
                    format!(" = <{}>", elements.join(", "))
                }
            };
            let colon = if domain.is_empty() { String::new() } else { format!(" : {}", classes.join(" * ")) };
            writeln!(text, "    place p{number}{colon}{tokens};").unwrap();
        }
        for number in 0..1 + self.choices.below(4) {
            text.push_str(&self.transition(number, &places));
        }
        text.push_str("}\n");
        text
    }

    fn initial(&mut self, class: usize) -> String {
        match self.choices.below(10) {
            0 => format!("{}1", CLASSES[class].1),
            1 if class == 0 && self.split.is_some() => "low".to_owned(),
            _ => "all".to_owned(),
        }
    }

    fn element(&mut self, class: usize) -> String {
        let (_, prefix, variables) = CLASSES[class];
        let variable = variables[self.choices.below(2)];
        match self.choices.below(24) {
            0 => {
                self.names_first[class] = true;
                format!("{prefix}1")
            }
            1 if class == 0 && self.split.is_some() => {
                self.uses_split = true;
                "low".to_owned()
            }
            2 | 3 => "all".to_owned(),
            4 | 5 => format!("all - {variable}"),
            _ => variable.to_owned(),
        }
    }

    fn tuple(&mut self, domain: &[usize]) -> String {
        let elements: Vec<String> = domain.iter().map(|&class| self.element(class)).collect();
        if domain.is_empty() { String::new() } else { format!("<{}>", elements.join(", ")) }
    }

    fn transition(&mut self, number: usize, places: &[&[usize]]) -> String {
        let guard = match self.choices.below(8) {
            0 | 1 => " [x != y]",
            2 => " [u != v]",
            3 if self.split.is_some() => {
                self.uses_split = true;
                " [x in low]"
            }
            _ => "",
        };
        let mut text = format!("    transition t{number} (C x, C y, D u, D v){guard} {{");
        let mut taken = Vec::new();
        let mut put = Vec::new();
        for _ in 0..1 + self.choices.below(2) {
            let place = self.choices.below(places.len());
            if taken.contains(&place) {
                continue;
            }
            taken.push(place);
            let tuple = self.tuple(places[place]);
            write!(text, " take p{place}{tuple};").unwrap();
            // What is taken is mostly put somewhere else, so that few nets have no end.
            let alike: Vec<usize> = (0..places.len()).filter(|&other| places[other] == places[place]).collect();
            let target = alike[self.choices.below(alike.len())];
            if self.choices.percent(90) && !put.contains(&target) {
                put.push(target);
                let tuple = if self.choices.percent(60) { tuple } else { self.tuple(places[target]) };
                write!(text, " put p{target}{tuple};").unwrap();
            }
        }
        if self.choices.percent(10) {
            let place = self.choices.below(places.len());
            if !put.contains(&place) {
                let tuple = self.tuple(places[place]);
                write!(text, " put p{place}{tuple};").unwrap();
            }
        }
        if self.choices.percent(25) {
            let place = self.choices.below(places.len());
            let tuple = self.tuple(places[place]);
            write!(text, " inhibit p{place}{tuple};").unwrap();
        }
        text.push_str(" }\n");
        text
    }
}
