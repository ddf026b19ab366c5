//! Partitions of classes, and what is asked of the elements of a partition.

use super::declarations::{Declarations, Operator, Partition};
use super::names::distinct;
use super::terms::Terms;
use super::tree::Node;
use crate::coloured::{Colours, Guard, Subclass, Term};
use crate::expression::Comparison;
use crate::text::complaint::shortened;
use crate::text::{Problem, Span, complaint};

/// How many guards may stand for comparisons of partition elements, in one file.
const MOST_EXPANDED: usize = 1_000_000;

/// An element of a partition in a comparison.
enum Side {
    /// The one that a colour is in.
    Of(Term),
    /// One by its name.
    Element(u32),
}

impl<'a> Declarations<'_, 'a> {
    /// A `<partition>`: the sort that it divides, then its elements.
    pub fn partition(&mut self, node: Node) {
        let tree = self.tree;
        let element = tree.element(node);
        let Some((id, _)) = self.title(element) else { return };
        let mut children = tree.children(node).filter(|&child| tree.name(child) != "partitionelement");
        let Some(sort) = children.next() else {
            let problem = Problem::new(element.span, "a partition of nothing");
            self.problems.add(problem.label("expected a sort inside of it"));
            return;
        };
        for other in children {
            let problem = Problem::new(tree.element(other).span, format!("`<{}>` is not known here", tree.name(other)));
            self.problems.add(problem.label("expected `<partitionelement>`"));
        }
        let class = self.sort(sort).and_then(|components| self.class_of(&components, tree.element(sort).span));
        let index = self.partitions.len() as u32;
        if self.partition_ids.contains_key(&id.text) || self.sorts.contains_key(&id.text) {
            let problem = Problem::new(id.span, format!("two sorts have the id `{}`", shortened(&id.text)));
            self.problems.add(problem.label("the second one").help("give one of them another id"));
            return;
        }
        self.partition_ids.insert(id.text, index);
        let elements: Vec<Node> = tree.children(node).filter(|&child| tree.name(child) == "partitionelement").collect();
        let Some(class) = class else {
            elements.into_iter().for_each(|element| self.wrong_element(element));
            self.partitions.push(Partition { class: u32::MAX, first: 0, length: 0 });
            return;
        };
        let first = self.classes[class as usize].subclasses.len() as u32;
        self.partitions.push(Partition { class, first, length: elements.len() as u32 });
        self.elements(&elements, index, class, element.span);
    }

    fn wrong_element(&mut self, node: Node) {
        if let Some((id, _)) = self.title(self.tree.element(node)) {
            self.operator(id, Operator::Wrong);
        }
    }

    /// The elements of a partition, which become subclasses. Each colour must be in exactly one.
    fn elements(&mut self, elements: &[Node], partition: u32, class: u32, span: Span) {
        let tree = self.tree;
        let mut titles = Vec::new();
        let mut members: Vec<Vec<u32>> = Vec::new();
        // Each colour that is in an element, and where that is written.
        let mut named: Vec<(u32, Span)> = Vec::new();
        let before = self.problems.count();
        for &node in elements {
            let title = self.title(tree.element(node));
            let mut colours = Vec::new();
            for child in tree.children(node) {
                let found = Terms::new(self).colours(child);
                let Some([(of, Term::Constant { colour, .. })]) = found.as_deref() else {
                    if found.is_some() {
                        let problem = Problem::new(tree.element(child).span, "this is no constant");
                        self.problems.add(problem.label("expected a colour of the class that is divided"));
                    }
                    continue;
                };
                if *of != class {
                    let names = (&self.classes[*of as usize].name, &self.classes[class as usize].name);
                    let problem = Problem::new(tree.element(child).span, "a colour of another class");
                    let label = format!("of `{}`, not of `{}`", shortened(names.0), shortened(names.1));
                    self.problems.add(problem.label(label).help("a partition divides the colours of one class"));
                    continue;
                }
                colours.push(*colour);
                named.push((*colour, tree.element(child).span));
            }
            if let Some((id, name)) = title {
                let element = members.len() as u32;
                titles.push((id.text.to_string(), name));
                members.push(colours);
                self.operator(id, Operator::Part { partition, element });
            }
        }
        named.sort_unstable();
        if let Some(pair) = named.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let name = self.classes[class as usize].name_of(pair[0].0).into_owned();
            let problem = Problem::new(pair[1].1, format!("the colour `{}` is twice in a partition", shortened(&name)));
            let problem = problem.label("the second time").related(pair[0].1, "the first time");
            self.problems.add(problem.help("each colour is in exactly one element"));
        } else if self.problems.count() == before
            && (named.len() as u64) < u64::from(self.classes[class as usize].len())
        {
            let missing = named.iter().zip(0..).find(|((colour, _), expected)| colour != expected);
            let missing = missing.map_or(named.len() as u32, |(_, expected)| expected);
            let left = u64::from(self.classes[class as usize].len()) - named.len() as u64;
            let name = self.classes[class as usize].name_of(missing).into_owned();
            let problem = Problem::new(span, "a partition that leaves out colours");
            let problem = problem.label(match left {
                1 => format!("`{}` is in none of its elements", shortened(&name)),
                _ => format!(
                    "`{}` and {} are in none of its elements",
                    shortened(&name),
                    complaint::counted(left as usize - 1, "other")
                ),
            });
            self.problems.add(problem.help("each colour is in exactly one element"));
        }
        let taken = &mut self.classes[class as usize].subclasses;
        titles.splice(0..0, taken.iter().map(|one| (one.name.clone(), Some(one.name.clone()))));
        let names = distinct(titles).split_off(taken.len());
        taken.extend(names.into_iter().zip(members).map(|(name, members)| Subclass::new(name, members)));
    }
}

impl<'a> Terms<'_, '_, 'a> {
    /// Whether a term is an element of a partition.
    pub fn is_part(&mut self, node: Node) -> bool {
        match self.tree().name(node) {
            "partitionelementof" => true,
            "useroperator" => {
                let name = self.tree().element(node).attribute("declaration").ok().flatten();
                let operator = name.and_then(|name| self.all.operators.get(&name.text));
                matches!(operator, Some((Operator::Part { .. }, _)))
            }
            _ => false,
        }
    }

    /// A comparison of elements of a partition, by their order in it.
    pub fn compare_parts(&mut self, comparison: Comparison, sides: [Node; 2], span: Span) -> Option<Guard> {
        let [left, right] = sides.map(|side| self.side(side));
        let ((partition, left), (other, right)) = (left?, right?);
        if partition != other {
            let problem = Problem::new(span, "elements of two partitions are compared");
            self.all.problems.add(problem.help("only elements of the same partition can be compared"));
            return None;
        }
        let Partition { class, first, length } = self.all.partitions[partition as usize];
        let member =
            |term: &Term, element: u32| Guard::Member(term.clone(), Colours { class, subclass: Some(first + element) });
        let spent = match (&left, &right) {
            (Side::Of(_), Side::Of(_)) if comparison == Comparison::Equal || comparison == Comparison::NotEqual => {
                length as usize
            }
            (Side::Of(_), Side::Of(_)) => (length as usize).saturating_mul(length as usize),
            _ => length as usize,
        };
        self.all.expanded = self.all.expanded.saturating_add(spent);
        if self.all.expanded > MOST_EXPANDED {
            let problem = Problem::new(span, "too many comparisons of partition elements");
            self.all.problems.add(problem.help("compare with elements by their names"));
            return None;
        }
        // The elements that some element compares with, as one guard about a term.
        let among = |term: &Term, is_one: &dyn Fn(u32) -> bool| {
            let parts: Vec<Guard> = (0..length).filter(|&one| is_one(one)).map(|one| member(term, one)).collect();
            // Never true, but without a value where the term has none.
            let never = || Guard::And(vec![member(term, 0), Guard::Not(Box::new(member(term, 0)))]);
            if parts.is_empty() { never() } else { super::guards::any(parts) }
        };
        Some(match (left, right) {
            (Side::Element(left), Side::Element(right)) => Guard::Constant(comparison.holds(&left, &right)),
            (Side::Of(term), Side::Element(element)) | (Side::Element(element), Side::Of(term))
                if comparison == Comparison::Equal =>
            {
                member(&term, element)
            }
            (Side::Of(term), Side::Element(element)) | (Side::Element(element), Side::Of(term))
                if comparison == Comparison::NotEqual =>
            {
                Guard::Not(Box::new(member(&term, element)))
            }
            (Side::Of(term), Side::Element(element)) => among(&term, &|one| comparison.holds(&one, &element)),
            (Side::Element(element), Side::Of(term)) => among(&term, &|one| comparison.holds(&element, &one)),
            (Side::Of(left), Side::Of(right)) => {
                let same = comparison == Comparison::NotEqual;
                let wanted = if same { Comparison::Equal } else { comparison };
                let cases = (0..length).map(|one| {
                    let other = among(&right, &|other| wanted.holds(&one, &other));
                    match other {
                        Guard::And(inner) => Guard::And([vec![member(&left, one)], inner].concat()),
                        other => Guard::And(vec![member(&left, one), other]),
                    }
                });
                let guard = super::guards::any(cases.collect());
                if same { Guard::Not(Box::new(guard)) } else { guard }
            }
        })
    }

    /// One side of a comparison of elements: its partition, and which one.
    fn side(&mut self, node: Node) -> Option<(u32, Side)> {
        let element = self.tree().element(node);
        if element.name == "useroperator" {
            let name = self.all.problems.keep(element.required("declaration"))?;
            return match self.operator(&name)? {
                Operator::Part { partition, element } => Some((partition, Side::Element(element))),
                Operator::Colour { .. } => {
                    let problem = Problem::new(name.span, format!("`{}` is a colour", shortened(&name.text)));
                    self.all.problems.add(problem.label("expected an element of a partition"));
                    None
                }
                Operator::Wrong => None,
            };
        }
        if element.name != "partitionelementof" {
            let problem = Problem::new(element.span, "a colour is compared with an element of a partition");
            let help = "`<partitionelementof refpartition=\"…\">` around the colour gives the element that it is in";
            self.all.problems.add(problem.help(help));
            return None;
        }
        let name = self.all.problems.keep(element.required("refpartition"))?;
        let Some(&partition) = self.all.partition_ids.get(&name.text) else {
            let problem = self.all.unknown("partition", &name, self.all.partition_ids.keys());
            self.all.problems.add(problem);
            return None;
        };
        let [operand] = self.operands(node)?;
        let colours = self.colours(operand)?;
        let class = self.all.partitions[partition as usize].class;
        if class == u32::MAX {
            return None;
        }
        self.fits(operand, &colours, &[class])?;
        colours.into_iter().next().map(|(_, term)| (partition, Side::Of(term)))
    }
}
