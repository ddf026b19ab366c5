//! What a file declares: sorts, partitions, variables, and the operators that enumerations and partitions bring along.

use super::names::{distinct, free};
use super::tree::{Node, Tree};
use crate::coloured::{Class, ClassOrder, Names};
use crate::text::complaint;
use crate::text::problems::Problems;
use crate::text::xml::{Element, Text};
use crate::text::{Problem, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::rc::Rc;

/// The classes of the components of a sort. A class has one, a product several, and `dot` none.
pub(super) type Components = Rc<[u32]>;

/// Everything that is declared.
pub(super) struct Declarations<'d, 'a> {
    pub tree: &'d Tree<'a>,
    pub problems: &'d mut Problems,
    /// The classes so far. Those that are written in place come after those that are declared.
    pub classes: Vec<Class>,
    /// Of each class, whether a successor, a predecessor or an order is asked for.
    pub is_ordered: Vec<bool>,
    /// The named sorts, by their ids.
    pub sorts: FxHashMap<Cow<'a, str>, Declared>,
    pub variables: Vec<Variable>,
    pub variable_ids: FxHashMap<Cow<'a, str>, u32>,
    /// What a `useroperator` may name, and where it is declared.
    pub operators: FxHashMap<Cow<'a, str>, (Operator, Span)>,
    pub partitions: Vec<Partition>,
    pub partition_ids: FxHashMap<Cow<'a, str>, u32>,
    /// The classes of integer ranges, by their bounds.
    pub ranges: FxHashMap<(i64, i64), u32>,
    /// The class of `bool`.
    pub truth: Option<u32>,
    /// How many guards stand for comparisons of partition elements.
    pub expanded: usize,
    /// The id and the name of each class, until names are chosen.
    titles: Vec<(String, Option<String>)>,
    /// The names of classes, once they are chosen.
    taken: FxHashSet<String>,
}

/// A named sort.
pub(super) struct Declared {
    pub span: Span,
    /// What it is made of.
    pub definition: Node,
    pub state: State,
}

/// How far a named sort is worked out.
#[derive(Clone)]
pub(super) enum State {
    Not,
    OnTheWay,
    /// Nothing, if something is wrong with it.
    Done(Option<Components>),
}

/// A variable. It has components, if nothing is wrong with its sort.
pub(super) struct Variable {
    pub name: String,
    pub span: Span,
    pub components: Option<Components>,
}

/// What a `useroperator` may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// A constant of an enumeration.
    Colour { class: u32, colour: u32 },
    /// An element of a partition.
    Part { partition: u32, element: u32 },
    /// Something is wrong with it, which has been said.
    Wrong,
}

/// A partition of a class.
pub(super) struct Partition {
    /// The class, and which of its subclasses is the first element.
    pub class: u32,
    pub first: u32,
    pub length: u32,
}

impl<'d, 'a> Declarations<'d, 'a> {
    /// Reads declarations.
    pub fn new(tree: &'d Tree<'a>, list: &[Node], problems: &'d mut Problems) -> Declarations<'d, 'a> {
        let mut all = Declarations {
            tree,
            problems,
            classes: Vec::new(),
            is_ordered: Vec::new(),
            sorts: FxHashMap::default(),
            variables: Vec::new(),
            variable_ids: FxHashMap::default(),
            operators: FxHashMap::default(),
            partitions: Vec::new(),
            partition_ids: FxHashMap::default(),
            ranges: FxHashMap::default(),
            truth: None,
            expanded: 0,
            titles: Vec::new(),
            taken: FxHashSet::default(),
        };
        let of = |name: &'static str| list.iter().copied().filter(move |&node| tree.name(node) == name);
        for node in list.iter().copied() {
            all.check_kind(node);
        }
        for node in of("namedsort") {
            all.named_sort(node);
        }
        for node in of("namedsort") {
            if let Ok(Some(id)) = tree.element(node).attribute("id")
                && all.sorts.contains_key(&id.text)
            {
                all.named(&id, 0);
            }
        }
        all.name_classes();
        for node in of("partition") {
            all.partition(node);
        }
        for node in of("variabledecl") {
            all.variable(node);
        }
        all.name_variables();
        all
    }

    /// Refuses declarations that are not known.
    fn check_kind(&mut self, node: Node) {
        let Element { name, span, .. } = self.tree.element(node);
        let problem = match name {
            "namedsort" | "partition" | "variabledecl" => return,
            "namedoperator" | "arbitraryoperator" => {
                let problem = Problem::new(span, "operators that a file defines are not supported");
                problem.help("write what it stands for where it is used")
            }
            "arbitrarysort" | "unparsed" => {
                let problem = Problem::new(span, format!("`<{name}>` belongs to full high-level nets"));
                problem.label("what it means is not said").help(super::sorts::FINITE)
            }
            _ => complaint::suggested(
                Problem::new(span, format!("`<{name}>` is not known here")),
                name,
                ["namedsort", "partition", "variabledecl"].into_iter(),
                String::new(),
            ),
        };
        self.problems.add(problem);
    }

    /// The id and the name of a declaration. `None` if it has no id.
    pub fn title(&mut self, element: Element<'a>) -> Option<(Text<'a>, Option<String>)> {
        let id = self.problems.keep(element.required("id"))?;
        let name = self.problems.keep(element.attribute("name")).flatten();
        Some((id, name.map(|name| name.text.trim_ascii().to_owned())))
    }

    /// The only thing inside of a declaration.
    fn definition(&mut self, node: Node, what: &str) -> Option<Node> {
        let definition = self.tree.only_child(node);
        if definition.is_none() {
            let Element { name, span, .. } = self.tree.element(node);
            let problem = Problem::new(span, format!("a `<{name}>` without {what}"));
            self.problems.add(problem.label(format!("expected {what}, and nothing else, inside of it")));
        }
        definition
    }

    /// A `<namedsort>`. Those that are a class get it here, in the order of the file.
    fn named_sort(&mut self, node: Node) {
        let element = self.tree.element(node);
        let Some((id, name)) = self.title(element) else { return };
        let Some(definition) = self.definition(node, "a sort") else { return };
        if let Some(first) = self.sorts.get(&id.text) {
            let problem = complaint::twice(id.span, "sort", &id.text, first.span);
            self.problems.add(problem.help("give one of them another id"));
            return;
        }
        let title = (id.text.to_string(), name);
        let state = match self.tree.name(definition) {
            "finiteenumeration" => State::Done(self.enumeration(definition, title, ClassOrder::Unordered)),
            "cyclicenumeration" => State::Done(self.enumeration(definition, title, ClassOrder::Circular)),
            "finiteintrange" => State::Done(self.range(definition, Some(title)).map(|class| Rc::from([class]))),
            "bool" => State::Done(Some(Rc::from([self.truth(Some(title))]))),
            _ => State::Not,
        };
        self.sorts.insert(id.text, Declared { span: id.span, definition, state });
    }

    /// An enumeration, with its constants.
    fn enumeration(&mut self, node: Node, title: (String, Option<String>), order: ClassOrder) -> Option<Components> {
        let class = self.classes.len() as u32;
        let mut colours = Vec::new();
        for child in self.tree.children(node) {
            let element = self.tree.element(child);
            if element.name != "feconstant" {
                let problem = Problem::new(element.span, format!("`<{}>` is not known here", element.name));
                self.problems.add(problem.label("expected `<feconstant>`"));
                continue;
            }
            let Some((id, name)) = self.title(element) else { continue };
            let colour = colours.len() as u32;
            colours.push((id.text.to_string(), name));
            self.operator(id, Operator::Colour { class, colour });
        }
        if colours.is_empty() {
            self.without_colours(self.tree.element(node).span);
            return None;
        }
        self.class(Names::Listed(distinct(colours)), order, Some(title));
        Some(Rc::from([class]))
    }

    /// Refuses a class that has no colours.
    pub fn without_colours(&mut self, span: Span) {
        let problem = Problem::new(span, "a class without colours").label("nothing is in it");
        self.problems.add(problem.help("a place of this sort holds no tokens; leave both out"));
    }

    /// Declares an operator.
    pub fn operator(&mut self, id: Text<'a>, operator: Operator) {
        if let Some((_, first)) = self.operators.get(&id.text) {
            let name = complaint::shortened(&id.text);
            let problem = Problem::new(id.span, format!("two constants have the id `{name}`"));
            let problem = problem.label("the second one").related(*first, "the first one");
            let help = "an id tells the constants of all sorts apart; their names may be the same";
            self.problems.add(problem.help(help));
            return;
        }
        self.operators.insert(id.text, (operator, id.span));
    }

    /// A new class.
    pub fn class(&mut self, names: Names, order: ClassOrder, title: Option<(String, Option<String>)>) -> u32 {
        let index = self.classes.len() as u32;
        let inline = match &names {
            Names::Numbered { first, count, .. } => format!("{first}..{}", first + i64::from(*count) - 1),
            Names::Listed(_) => "bool".to_owned(),
        };
        // Names are chosen when all declarations are known; a class that is found later takes one that is free.
        let name = if self.taken.is_empty() { String::new() } else { free(inline.clone(), &mut self.taken) };
        self.titles.push(title.unwrap_or((inline, None)));
        self.classes.push(Class { name, names, order, subclasses: Vec::new() });
        self.is_ordered.push(false);
        index
    }

    /// A `<variabledecl>`.
    fn variable(&mut self, node: Node) {
        let Some((id, name)) = self.title(self.tree.element(node)) else { return };
        let Some(sort) = self.definition(node, "a sort") else { return };
        let components = self.sort(sort);
        if let Some(&first) = self.variable_ids.get(&id.text) {
            let first = self.variables[first as usize].span;
            let problem = complaint::twice(id.span, "variable", &id.text, first);
            self.problems.add(problem.help("give one of them another id"));
            return;
        }
        self.variable_ids.insert(id.text.clone(), self.variables.len() as u32);
        let name = name.unwrap_or_else(|| id.text.to_string());
        self.variables.push(Variable { name, span: id.span, components });
    }

    /// Gives classes names that tell them apart.
    fn name_classes(&mut self) {
        let names = distinct(std::mem::take(&mut self.titles));
        // The empty name makes sure that some name is taken: classes that come later get theirs at once.
        self.taken = names.iter().cloned().chain([String::new()]).collect();
        self.classes.iter_mut().zip(names).for_each(|(class, name)| class.name = name);
    }

    /// Gives variables names that tell them apart.
    fn name_variables(&mut self) {
        let mut titles: Vec<(String, Option<String>)> = vec![Default::default(); self.variables.len()];
        for (id, &index) in &self.variable_ids {
            titles[index as usize] = (id.to_string(), Some(self.variables[index as usize].name.clone()));
        }
        self.variables.iter_mut().zip(distinct(titles)).for_each(|(variable, name)| variable.name = name);
    }

    /// The classes, in the order that the net needs.
    pub fn into_classes(self) -> Vec<Class> {
        let mut classes = self.classes;
        for (class, is_ordered) in classes.iter_mut().zip(self.is_ordered) {
            if class.order == ClassOrder::Unordered && is_ordered {
                class.order = ClassOrder::Linear;
            }
        }
        classes
    }

    /// A name that is not declared, where some others are.
    pub fn unknown<'s>(
        &'s self, what: &str, name: &Text<'a>, known: impl Iterator<Item = &'s Cow<'a, str>>,
    ) -> Problem {
        let problem = Problem::new(name.span, format!("there is no {what} `{}`", complaint::shortened(&name.text)));
        // Looking for names like it takes a while: only for the first problems.
        if self.problems.count() >= 10 {
            return problem.label("not found");
        }
        let mut known: Vec<&str> = known.map(AsRef::as_ref).collect();
        known.sort_unstable();
        complaint::suggested(
            problem.label("not found"),
            &name.text,
            known.into_iter(),
            format!("the file declares no {what}"),
        )
    }
}
