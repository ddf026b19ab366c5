//! Sorts, declared or in place, as the classes of their components.

use super::declarations::{Components, Declarations, State};
use super::tree::{DEEPEST, Node};
use crate::coloured::{ClassOrder, Names};
use crate::text::xml::{Element, Text};
use crate::text::{Problem, Span};
use std::rc::Rc;

/// How many components a domain has at most: products of products grow fast.
const WIDEST: usize = 100;

/// What to do about a sort that is not finite.
pub(super) const FINITE: &str =
    "supported are `dot`, `bool`, enumerations, `finiteintrange`, partitions, and products of these";

/// Sorts of full high-level nets.
pub(super) const INFINITE: [&str; 8] =
    ["natural", "positive", "integer", "string", "list", "number", "real", "multisetsort"];

impl<'a> Declarations<'_, 'a> {
    /// The components of a sort. `None` if something is wrong with it, which has been said then.
    pub fn sort(&mut self, node: Node) -> Option<Components> {
        self.sort_within(node, 0)
    }

    fn sort_within(&mut self, node: Node, depth: u32) -> Option<Components> {
        let element = self.tree.element(node);
        match element.name {
            "usersort" => {
                let declaration = self.problems.keep(element.required("declaration"))?;
                self.named(&declaration, depth)
            }
            "dot" => Some(Rc::from([])),
            "bool" => Some(Rc::from([self.truth(None)])),
            "finiteintrange" => self.range(node, None).map(|class| Rc::from([class])),
            "productsort" => self.product(node, depth),
            "finiteenumeration" | "cyclicenumeration" => {
                let problem = Problem::new(element.span, "an enumeration without a name");
                let help =
                    "declare it with `<namedsort id=\"…\" name=\"…\">`, and write `<usersort declaration=\"…\"/>` here";
                self.problems.add(problem.help(help));
                None
            }
            name if INFINITE.contains(&name) => {
                let problem = Problem::new(element.span, format!("the sort `{name}` belongs to full high-level nets"));
                self.problems.add(problem.label("not a finite sort of colours").help(FINITE));
                None
            }
            name => {
                let problem = Problem::new(element.span, format!("`<{name}>` is no sort that is known"));
                let known = ["usersort", "dot", "bool", "finiteintrange", "productsort"];
                let problem = match crate::text::suggest::did_you_mean(name, known) {
                    Some(help) => problem.help(help),
                    None => problem.help(FINITE),
                };
                self.problems.add(problem);
                None
            }
        }
    }

    /// The components of a sort that is declared.
    pub fn named(&mut self, name: &Text<'a>, depth: u32) -> Option<Components> {
        let Some(sort) = self.sorts.get_mut(&name.text) else {
            let problem = if self.partition_ids.contains_key(&name.text) {
                let problem = Problem::new(name.span, format!("`{}` is a partition, not a sort of tokens", name.text));
                problem.help("name the sort that it divides")
            } else {
                self.unknown("sort", name, self.sorts.keys())
            };
            self.problems.add(problem);
            return None;
        };
        let definition = sort.definition;
        match &sort.state {
            State::Done(components) => return components.clone(),
            State::OnTheWay => {
                let problem = Problem::new(name.span, format!("the sort `{}` is defined by itself", name.text));
                let problem = problem.related(sort.span, "declared here");
                self.problems.add(problem.help("a sort is made of others, down to enumerations and ranges"));
                return None;
            }
            State::Not if depth == DEEPEST => {
                let problem = Problem::new(name.span, "sorts that name each other in too long a row");
                self.problems.add(problem.label(format!("expected at most {DEEPEST}")));
                return None;
            }
            State::Not => sort.state = State::OnTheWay,
        }
        let components = self.sort_within(definition, depth + 1);
        if let Some(sort) = self.sorts.get_mut(&name.text) {
            sort.state = State::Done(components.clone());
        }
        components
    }

    fn product(&mut self, node: Node, depth: u32) -> Option<Components> {
        let tree = self.tree;
        let mut components = Vec::new();
        for part in tree.children(node) {
            components.extend(self.sort_within(part, depth + 1)?.iter().copied());
            if components.len() > WIDEST {
                let problem = Problem::new(tree.element(part).span, "a product of too many sorts");
                self.problems.add(problem.label(format!("expected at most {WIDEST} components")));
                return None;
            }
        }
        Some(components.into())
    }

    /// The class of a range. One of the same bounds is the same class.
    pub fn range(&mut self, node: Node, title: Option<(String, Option<String>)>) -> Option<u32> {
        let element = self.tree.element(node);
        let start = self.bound(element, "start");
        let end = self.bound(element, "end");
        let (start, end) = (start?, end?);
        if let Some(&class) = self.ranges.get(&(start, end)) {
            return Some(class);
        }
        if end < start {
            self.without_colours(element.span);
            return None;
        }
        let Ok(count) = u32::try_from(end.saturating_sub(start).saturating_add(1)) else {
            let problem = Problem::new(element.span, "a range of too many numbers");
            self.problems.add(problem.label(format!("expected at most {}", u32::MAX)));
            return None;
        };
        let names = Names::Numbered { prefix: String::new(), first: start, count };
        let class = self.class(names, ClassOrder::Linear, title);
        self.ranges.insert((start, end), class);
        Some(class)
    }

    fn bound(&mut self, element: Element<'a>, name: &str) -> Option<i64> {
        let written = self.problems.keep(element.required(name))?;
        self.integer(&written, "a bound of a range")
    }

    /// A number that may be negative.
    pub fn integer(&mut self, written: &Text<'a>, what: &str) -> Option<i64> {
        // Far from the ends of the type, so that nothing overflows that is done with it.
        let number = written.text.trim_ascii().parse().ok().filter(|number: &i64| number.unsigned_abs() < 1 << 60);
        if number.is_none() {
            let problem = Problem::new(written.span, format!("{what} that is not a number"));
            self.problems.add(problem.label("expected a number, such as 1"));
        }
        number
    }

    /// The class of `bool`.
    pub fn truth(&mut self, title: Option<(String, Option<String>)>) -> u32 {
        if let Some(class) = self.truth {
            return class;
        }
        let names = Names::Listed(vec!["false".to_owned(), "true".to_owned()]);
        let class = self.class(names, ClassOrder::Unordered, title);
        self.truth = Some(class);
        class
    }

    /// The only component of a sort that must be a class.
    pub fn class_of(&mut self, components: &Components, span: Span) -> Option<u32> {
        if let [class] = components[..] {
            return Some(class);
        }
        let problem = Problem::new(span, "a sort of several components, or of none");
        self.problems.add(problem.label("expected an enumeration or a range"));
        None
    }
}
