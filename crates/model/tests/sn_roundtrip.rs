//! Whatever a net is, it can be written, and reads as the same net.

mod readers;

use mandala_model::coloured::bounded::unbounded_bags;
use mandala_model::coloured::{
    Arc, BagExpression, Cardinality, Class, ClassOrder, ColouredNet, Colours, Element, Guard, Names, Place, Sort,
    Subclass, Term, Tokens, Transition, Variable, sn,
};
use mandala_model::expression::Comparison;
use readers::random::Random;
use readers::samples;
use std::collections::HashSet;

const COMPARISONS: [Comparison; 6] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessOrEqual,
    Comparison::Greater,
    Comparison::GreaterOrEqual,
];

const WORDS: [&str; 24] = [
    "x",
    "y",
    "p1",
    "p2",
    "a.b",
    "all",
    "none",
    "in",
    "card",
    "true",
    "bag",
    "unique",
    "3",
    "-3",
    "007",
    "two words",
    "`",
    "ä",
    "place",
    "G",
    "U",
    "$N",
    "x++",
    "A:b",
];

/// Makes nets as readers make them: no sum, conjunction or disjunction of one.
struct Maker(Random);

impl Maker {
    fn name(&mut self, taken: &mut HashSet<String>) -> String {
        loop {
            let word = WORDS[self.0.below(WORDS.len())].to_string();
            let name = if self.0.once_in(2) { word } else { format!("{word}{}", self.0.below(30)) };
            if taken.insert(name.clone()) {
                return name;
            }
        }
    }

    fn net(&mut self) -> ColouredNet {
        let mut taken = HashSet::new();
        let mut net = ColouredNet { name: self.name(&mut taken), ..ColouredNet::default() };
        let mut taken = HashSet::new();
        for _ in 0..=self.0.below(3) {
            let class = self.class(&mut taken);
            net.classes.push(class);
        }
        let mut taken = HashSet::new();
        for _ in 0..=self.0.below(3) {
            let name = self.name(&mut taken);
            let domain: Vec<Sort> = (0..self.0.below(3)).map(|_| self.sort(&net)).collect();
            let initial = self.tokens(&net, &domain, &[], 3);
            net.places.push(Place { name, domain, initial });
        }
        let mut taken = HashSet::new();
        for _ in 0..self.0.below(3) {
            let name = self.name(&mut taken);
            let transition = self.transition(&net, name);
            net.transitions.push(transition);
        }
        net
    }

    fn class(&mut self, taken: &mut HashSet<String>) -> Class {
        let name = self.name(taken);
        let mut own = HashSet::new();
        let names = match self.0.below(2) {
            0 => Names::Listed((0..=self.0.below(4)).map(|_| self.name(&mut own)).collect()),
            _ => {
                let prefix = ["", "p", "two words", "x1", "-"][self.0.below(5)].to_string();
                let first = [0, 1, -2, 5_000_000_000][self.0.below(4)];
                Names::Numbered { prefix, first, count: 1 + self.0.below(5) as u32 }
            }
        };
        let order = [ClassOrder::Unordered, ClassOrder::Linear, ClassOrder::Circular][self.0.below(3)];
        let mut class = Class { name, names, order, subclasses: Vec::new() };
        let length = class.len();
        let partition = self.0.once_in(2);
        let parts = self.0.below(4);
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); parts];
        for colour in 0..length {
            for list in &mut lists {
                if !partition && self.0.once_in(2) {
                    list.push(colour);
                }
            }
            if partition && parts > 0 {
                lists[self.0.below(parts)].push(colour);
            }
        }
        for list in lists {
            let name = loop {
                let name = self.name(&mut own);
                if class.find(&name).is_none() {
                    break name;
                }
            };
            class.subclasses.push(Subclass::new(name, list));
        }
        class
    }

    fn sort(&mut self, net: &ColouredNet) -> Sort {
        let class = self.0.below(net.classes.len()) as u32;
        if self.0.once_in(3) { Sort::Bag(class) } else { Sort::Colour(class) }
    }

    fn transition(&mut self, net: &ColouredNet, name: String) -> Transition {
        let mut taken = HashSet::new();
        let mut variables = Vec::new();
        for _ in 0..self.0.below(4) {
            let name = self.name(&mut taken);
            let sort = self.sort(net);
            variables.push(Variable { name, sort, unique: matches!(sort, Sort::Bag(_)) && self.0.once_in(2) });
        }
        let guard = if self.0.once_in(2) { self.guard(net, &variables, 3) } else { Guard::Constant(true) };
        let mut made = Transition { name, variables, guard, ..Transition::default() };
        let arcs = |maker: &mut Maker, variables: &[Variable]| -> Vec<Arc> {
            let mut list = Vec::new();
            for (place, of) in (0..).zip(&net.places) {
                if maker.0.once_in(2) {
                    list.push(Arc { place, tokens: maker.tokens(net, &of.domain, variables, 3) });
                }
            }
            list
        };
        made.takes = arcs(self, &made.variables);
        made.puts = arcs(self, &made.variables);
        made.inhibitors = arcs(self, &made.variables);
        made.priority = if self.0.once_in(3) { self.0.next() as u32 } else { 0 };
        for variable in unbounded_bags(net, &made) {
            made.variables[variable as usize].unique = true;
        }
        made
    }

    fn tokens(&mut self, net: &ColouredNet, domain: &[Sort], variables: &[Variable], depth: usize) -> Tokens {
        let parts = |maker: &mut Maker| -> Vec<Tokens> {
            (0..2 + maker.0.below(2)).map(|_| maker.tokens(net, domain, variables, depth - 1)).collect()
        };
        match if depth == 0 { 0 } else { self.0.below(9) } {
            0..=3 => {
                let element = |sort: &Sort, maker: &mut Maker| match sort {
                    Sort::Colour(class) => Element::Each(maker.bag(net, *class, variables, 3)),
                    Sort::Bag(class) => Element::Whole(maker.bag(net, *class, variables, 3)),
                };
                Tokens::Tuple(domain.iter().map(|sort| element(sort, self)).collect())
            }
            4 => Tokens::none(),
            5 => Tokens::Sum(parts(self)),
            6 => {
                let mut parts = parts(self);
                let taken = Box::new(parts.pop().expect("two"));
                Tokens::Difference(Box::new(parts.pop().expect("two")), taken)
            }
            7 => {
                let factor = [0, 1, 2, u32::MAX][self.0.below(4)];
                Tokens::Times(factor, Box::new(self.tokens(net, domain, variables, depth - 1)))
            }
            _ => {
                let guard = Box::new(self.guard(net, variables, 2));
                Tokens::When(guard, Box::new(self.tokens(net, domain, variables, depth - 1)))
            }
        }
    }

    fn set(&mut self, net: &ColouredNet, class: u32) -> Colours {
        let sets = net.classes[class as usize].subclasses.len();
        let subclass = if sets > 0 && self.0.once_in(2) { Some(self.0.below(sets) as u32) } else { None };
        Colours { class, subclass }
    }

    fn variable(&mut self, variables: &[Variable], sort: Sort) -> Option<u32> {
        let fitting: Vec<u32> =
            (0..).zip(variables).filter(|(_, variable)| variable.sort == sort).map(|(index, _)| index).collect();
        self.0.pick(&fitting).copied()
    }

    fn term(&mut self, net: &ColouredNet, class: u32, variables: &[Variable]) -> Term {
        let of = &net.classes[class as usize];
        let variable = self.variable(variables, Sort::Colour(class)).filter(|_| !self.0.once_in(3));
        let steps = [1, 2, -1, -3][self.0.below(4)];
        let shifts = self.0.once_in(3);
        match variable {
            Some(variable) if shifts && of.order != ClassOrder::Unordered => {
                let once = Term::Variable(variable).shifted(steps);
                if self.0.once_in(2) { once.shifted(-2 * steps) } else { once }
            }
            Some(variable) => Term::Variable(variable),
            None => {
                let constant = Term::Constant { class, colour: self.0.below(of.len() as usize) as u32 };
                if shifts && of.order == ClassOrder::Circular { constant.shifted(steps) } else { constant }
            }
        }
    }

    fn bag(&mut self, net: &ColouredNet, class: u32, variables: &[Variable], depth: usize) -> BagExpression {
        let parts = |maker: &mut Maker| -> Vec<BagExpression> {
            (0..2 + maker.0.below(2)).map(|_| maker.bag(net, class, variables, depth - 1)).collect()
        };
        match if depth == 0 { 0 } else { self.0.below(10) } {
            0..=3 => BagExpression::One(self.term(net, class, variables)),
            4 => BagExpression::All(self.set(net, class)),
            5 | 6 => match self.variable(variables, Sort::Bag(class)) {
                Some(variable) => BagExpression::Variable(variable),
                None => BagExpression::Sum(Vec::new()),
            },
            7 => BagExpression::Sum(parts(self)),
            8 => {
                let mut parts = parts(self);
                let taken = Box::new(parts.pop().expect("two"));
                BagExpression::Difference(Box::new(parts.pop().expect("two")), taken)
            }
            _ => {
                let factor = [0, 1, 2, u32::MAX][self.0.below(4)];
                BagExpression::Times(factor, Box::new(self.bag(net, class, variables, depth - 1)))
            }
        }
    }

    /// A bag that says of which class it is.
    fn classed(&mut self, net: &ColouredNet, class: u32, variables: &[Variable]) -> BagExpression {
        let rest = self.bag(net, class, variables, 2);
        let one = BagExpression::One(self.term(net, class, variables));
        if self.0.once_in(3) { one } else { BagExpression::Sum(vec![one, rest]) }
    }

    fn guard(&mut self, net: &ColouredNet, variables: &[Variable], depth: usize) -> Guard {
        let class = self.0.below(net.classes.len()) as u32;
        let comparison = COMPARISONS[self.0.below(6)];
        let is_ordered = net.classes[class as usize].order != ClassOrder::Unordered;
        let parts = |maker: &mut Maker| -> Vec<Guard> {
            (0..2 + maker.0.below(2)).map(|_| maker.guard(net, variables, depth - 1)).collect()
        };
        match self.0.below(if depth == 0 { 7 } else { 10 }) {
            0 => Guard::Constant(self.0.once_in(2)),
            1 | 2 => {
                let comparison = if is_ordered { comparison } else { COMPARISONS[self.0.below(2)] };
                Guard::Compare(comparison, self.term(net, class, variables), self.term(net, class, variables))
            }
            3 => Guard::Member(self.term(net, class, variables), self.set(net, class)),
            4 => {
                let bag = Cardinality::Of(self.classed(net, class, variables));
                let other = match self.0.below(2) {
                    0 => Cardinality::Constant(self.0.below(5) as u64),
                    _ => Cardinality::Of(self.classed(net, class, variables)),
                };
                let (left, right) = if self.0.once_in(2) { (bag, other) } else { (other, bag) };
                Guard::Cardinality(comparison, left, right)
            }
            5 => Guard::Included(self.classed(net, class, variables), self.bag(net, class, variables, 2)),
            6 => Guard::SameBag(self.bag(net, class, variables, 2), self.classed(net, class, variables)),
            7 => Guard::Not(Box::new(self.guard(net, variables, depth - 1))),
            8 => Guard::And(parts(self)),
            _ => Guard::Or(parts(self)),
        }
    }
}

#[test]
fn random_nets_are_written_and_read_again() {
    for seed in 0..3000 {
        let net = Maker(Random::new(seed)).net();
        let text = sn::write(&net, &[]);
        let again = sn::read("again.sn", &text, &[]).unwrap_or_else(|error| panic!("seed {seed}:\n{text}\n{error}"));
        assert_eq!(again.net, net, "seed {seed}:\n{text}");
    }
}

#[test]
fn names_that_occur_twice_or_are_empty_are_changed() {
    let class = |name: &str| Class {
        name: name.to_string(),
        names: Names::Listed(vec!["a".to_string(), "a".to_string(), String::new()]),
        order: ClassOrder::Unordered,
        subclasses: vec![Subclass::new("a", vec![0]), Subclass::new("b", vec![1, 2])],
    };
    let place = |name: &str| Place {
        name: name.to_string(),
        domain: vec![Sort::Colour(1)],
        initial: Tokens::Tuple(vec![Element::Each(BagExpression::One(Term::Constant { class: 1, colour: 1 }))]),
    };
    let net = ColouredNet {
        name: String::new(),
        classes: vec![class("C"), class("C")],
        places: vec![place("p"), place("p"), place("")],
        transitions: Vec::new(),
    };
    let text = sn::write(&net, &[]);
    let again = sn::read("again.sn", &text, &[]).unwrap_or_else(|error| panic!("{text}\n{error}")).net;
    assert_eq!(again.places[1].initial, net.places[1].initial);
    assert_eq!(again.classes[1].subclasses[0].ranges, net.classes[1].subclasses[0].ranges);
}

#[test]
fn the_sample_is_read_and_written() {
    let model = sn::read("sample.sn", samples::SN, &[]).unwrap_or_else(|error| panic!("{error}"));
    let text = sn::write(&model.net, &model.properties);
    insta::assert_snapshot!("sn_written", text);
    let again = sn::read("again.sn", &text, &[]).unwrap_or_else(|error| panic!("{text}\n{error}"));
    assert_eq!(again, model, "{text}");
}

#[test]
fn formulas_are_read_and_written() {
    let model = sn::read("sample.sn", samples::SN, &[]).unwrap_or_else(|error| panic!("{error}"));
    for text in [
        "EF free(1) == 2",
        "AG (held(low, {p1, 2 * p2}) + pair(*, p1) <= 3)",
        "G (fireable(t(x = 1, p = p2)) -> F done)",
        "fireable(t, u(C = {p1, p3}, B = *))",
        "A[held(`the middle`, {}) > 0 U deadlock]",
        "[bounds] : free(*) - 2 * lock()",
        "[bounds] : done",
    ] {
        match sn::formula(&model.net, text) {
            Ok(property) => {
                let written = sn::write(&model.net, std::slice::from_ref(&property));
                let again = sn::read("again.sn", &written, &[]).unwrap_or_else(|error| panic!("{written}\n{error}"));
                assert_eq!(again.properties[0].question, property.question, "{text}");
            }
            // The last but one: an integer is no condition.
            Err(error) => assert!(text.contains("-> F done") && error.to_string().contains("condition"), "{error}"),
        }
    }
}

#[test]
fn gal_refuses_what_only_coloured_nets_have() {
    let text = "net N { place p; transition t { take p; } }\nmain N;\nproperty a [reachable] : p(1) == 1;\n";
    let error = mandala_model::gal::read("model.gal", text, &[]).expect_err("refused").to_string();
    insta::assert_snapshot!("sn_pattern_in_gal", error);
}

#[test]
fn bags_are_bounded_in_many_ways() {
    let bounded = [
        "(unique bag C A) { put p<A>; }",
        "(bag C A) { take p<A>; }",
        "(bag C A) { take p<A> - <a>; }",
        "(bag C A) { take q<A, a>; }",
        "(bag C A, bag C B) [card(B) > 0] { take q<A, B>; take p<B>; }",
        "(bag C A) { take r<a, A>; }",
        "(bag C A, bag C B) { take r<a, A + B>; }",
        "(bag C A) [card(A) < 3] { put p<A>; }",
        "(bag C A) [2 >= card(A)] { put p<A>; }",
        "(bag C A) [!(card(A) > 3)] { put p<A>; }",
        "(bag C A, bag C B) [card(A) == 2 && card(B) <= card(A)] { put p<A + B>; }",
        "(bag C A, bag C B) [A in B && B in all] { put p<A>; }",
        "(bag C A, bag C B) [A == B + a && B == {}] { put p<A>; }",
    ];
    let unbounded = [
        "(bag C A) { put p<A>; }",
        "(bag C A) { inhibit p<A>; }",
        "(bag C A) { take p 0<A>; }",
        "(bag C A) { take p<A> - <A>; }",
        "(bag C A, bag C B) { take q<A, B>; }",
        "(bag C A) { take p [a in A] <A>; }",
        "(bag C A) [card(A) != 2] { put p<A>; }",
        "(bag C A) [card(A) < 2 || a in A] { put p<A>; }",
        "(bag C A, bag C B) [A in B && B in A] { put p<A>; }",
    ];
    for (list, expected) in [(&bounded[..], true), (&unbounded[..], false)] {
        for transition in list {
            let text = format!(
                "net N {{ class C = {{a, b}}; place p : C; place q : C * C; place r : C * bag C; transition t {transition} }}"
            );
            let read = sn::read("bags.sn", &text, &[]);
            if let Err(error) = &read {
                assert!(error.problems.iter().all(|problem| problem.message.ends_with("is not bounded")), "{error}");
            }
            assert_eq!(read.is_ok(), expected, "{transition}");
        }
    }
}
