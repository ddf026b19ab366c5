//! Terms that stand for bags: what is on arcs and in markings.

use super::declarations::{Components, Operator};
use super::terms::Terms;
use super::tree::Node;
use crate::coloured::{BagExpression, Colours, Element, Tokens};
use crate::pnml::labels;
use crate::text::Problem;
use std::rc::Rc;

/// Each colour of some sort, once: the classes of its components, and perhaps a subclass of the only one.
struct Each {
    components: Components,
    subclass: Option<u32>,
}

impl Terms<'_, '_, '_> {
    /// The bag of tokens of a term, whose components are of some classes. `None` if something is wrong with it, which has
    /// been said then.
    pub fn tokens(&mut self, node: Node, expected: &[u32]) -> Option<Tokens> {
        match self.tree().name(node) {
            "add" => {
                let mut parts = Vec::new();
                for operand in self.some_operands(node)? {
                    match self.tokens(operand, expected)? {
                        Tokens::Sum(inner) if !inner.is_empty() => parts.extend(inner),
                        tokens => parts.push(tokens),
                    }
                }
                Some(sum(parts))
            }
            "subtract" => {
                let mut operands = self.some_operands(node)?.into_iter();
                let from = self.tokens(operands.next()?, expected)?;
                let mut taken = Vec::new();
                for operand in operands {
                    match self.tokens(operand, expected)? {
                        Tokens::Sum(inner) if !inner.is_empty() => taken.extend(inner),
                        tokens => taken.push(tokens),
                    }
                }
                Some(match taken.is_empty() {
                    true => from,
                    false => Tokens::Difference(Box::new(from), Box::new(sum(taken))),
                })
            }
            "numberof" | "scalarproduct" => {
                let (factor, inner) = self.multiple(node)?;
                let tokens = self.tokens(inner, expected)?;
                Some(if factor == 1 { tokens } else { Tokens::Times(factor, Box::new(tokens)) })
            }
            "empty" => {
                self.empty(node, expected)?;
                Some(Tokens::none())
            }
            "tuple" => self.tuple(node, expected),
            _ => {
                let elements = self.elements(node, expected)?;
                if elements.len() != expected.len() {
                    self.wrong_width(node, elements.len(), expected.len());
                    return None;
                }
                Some(lifted(elements))
            }
        }
    }

    /// A tuple as tokens.
    fn tuple(&mut self, node: Node, expected: &[u32]) -> Option<Tokens> {
        if let Some(inner) = self.tree().only_child(node) {
            return self.tokens(inner, expected);
        }
        if let Some(width) = self.width(node)
            && width != expected.len()
        {
            self.wrong_width(node, width, expected.len());
            return None;
        }
        let elements = self.elements(node, expected)?;
        (elements.len() == expected.len()).then(|| lifted(elements))
    }

    /// How many components a term has, as far as that can be seen.
    fn width(&mut self, node: Node) -> Option<usize> {
        let tree = self.tree();
        let element = tree.element(node);
        let named = |name| element.attribute(name).ok().flatten();
        match element.name {
            "tuple" => {
                let mut width = 0;
                for child in tree.children(node) {
                    width += self.width(child)?;
                }
                Some(width)
            }
            "variable" => {
                let index = *self.all.variable_ids.get(&named("refvariable")?.text)?;
                self.all.variables[index as usize].components.as_ref().map(|components| components.len())
            }
            "useroperator" | "usersort" | "all" => {
                self.each(node, false).map_or(Some(1), |each| Some(each.components.len()))
            }
            "dotconstant" => Some(0),
            _ => Some(1),
        }
    }

    /// The elements of a term inside of a tuple, the next of whose components are of some classes.
    fn elements(&mut self, node: Node, expected: &[u32]) -> Option<Vec<Element>> {
        let tree = self.tree();
        match tree.name(node) {
            "tuple" => {
                let mut elements = Vec::new();
                for child in tree.children(node) {
                    let rest = expected.get(elements.len()..)?;
                    elements.extend(self.elements(child, rest)?);
                }
                Some(elements)
            }
            "all" | "usersort" | "useroperator" => match self.each(node, true) {
                Some(Each { components, subclass }) => {
                    let components = components.iter().zip(expected.iter().map(Some).chain(std::iter::repeat(None)));
                    let mut elements = Vec::new();
                    for (&class, expected) in components {
                        if let Some(&expected) = expected.filter(|&&expected| expected != class) {
                            self.wrong_class(node, class, expected);
                            return None;
                        }
                        elements.push(Element::Each(BagExpression::All(Colours { class, subclass })));
                    }
                    Some(elements)
                }
                None if tree.name(node) == "useroperator" => self.single(node, expected),
                None => None,
            },
            "add" | "subtract" | "numberof" | "scalarproduct" | "empty" => {
                let Some(&class) = expected.first() else {
                    self.wrong_width(node, 1, 0);
                    return None;
                };
                Some(vec![Element::Each(self.bag(node, class)?)])
            }
            name if super::terms::OF_TRUTH.contains(&name) => {
                self.misplaced(node, "a colour or a bag of colours");
                None
            }
            _ => self.single(node, expected),
        }
    }

    /// One colour per component.
    fn single(&mut self, node: Node, expected: &[u32]) -> Option<Vec<Element>> {
        let colours = self.colours(node)?;
        if let Some(expected) = expected.get(..colours.len()) {
            self.fits(node, &colours, expected)?;
        }
        Some(colours.into_iter().map(|(_, term)| Element::Each(BagExpression::One(term))).collect())
    }

    /// A bag of colours of a class.
    fn bag(&mut self, node: Node, class: u32) -> Option<BagExpression> {
        match self.tree().name(node) {
            "add" => {
                let mut parts = Vec::new();
                for operand in self.some_operands(node)? {
                    match self.bag(operand, class)? {
                        BagExpression::Sum(inner) if !inner.is_empty() => parts.extend(inner),
                        bag => parts.push(bag),
                    }
                }
                Some(sum_of_bags(parts))
            }
            "subtract" => {
                let mut operands = self.some_operands(node)?.into_iter();
                let from = self.bag(operands.next()?, class)?;
                let mut taken = Vec::new();
                for operand in operands {
                    match self.bag(operand, class)? {
                        BagExpression::Sum(inner) if !inner.is_empty() => taken.extend(inner),
                        bag => taken.push(bag),
                    }
                }
                Some(match taken.is_empty() {
                    true => from,
                    false => BagExpression::Difference(Box::new(from), Box::new(sum_of_bags(taken))),
                })
            }
            "numberof" | "scalarproduct" => {
                let (factor, inner) = self.multiple(node)?;
                let bag = self.bag(inner, class)?;
                Some(if factor == 1 { bag } else { BagExpression::Times(factor, Box::new(bag)) })
            }
            "empty" => {
                self.empty(node, &[class])?;
                Some(BagExpression::Sum(Vec::new()))
            }
            _ => {
                let elements = self.elements(node, &[class])?;
                match <[Element; 1]>::try_from(elements) {
                    Ok([Element::Each(bag) | Element::Whole(bag)]) => Some(bag),
                    Err(elements) => {
                        self.wrong_width(node, elements.len(), 1);
                        None
                    }
                }
            }
        }
    }

    /// The operands of an operator that may have any number of them, but not none.
    pub fn some_operands(&mut self, node: Node) -> Option<Vec<Node>> {
        let operands: Vec<Node> = self.tree().children(node).collect();
        if operands.is_empty() {
            let element = self.tree().element(node);
            let problem = Problem::new(element.span, format!("`<{}>` has no operands", element.name));
            self.all.problems.add(problem.label("expected a `<subterm>` for each"));
            return None;
        }
        Some(operands)
    }

    /// The number and the bag of a `<numberof>` or a `<scalarproduct>`. Without a number it is 1.
    fn multiple(&mut self, node: Node) -> Option<(u32, Node)> {
        if let Some(only) = self.tree().only_child(node)
            && self.tree().name(only) != "numberconstant"
        {
            return Some((1, only));
        }
        let [number, bag] = self.operands(node)?;
        let element = self.tree().element(number);
        if element.name != "numberconstant" {
            let problem = Problem::new(element.span, format!("`<{}>` where a number was expected", element.name));
            self.all.problems.add(problem.label("expected a `<numberconstant>`"));
            return None;
        }
        for sort in self.tree().children(number) {
            let element = self.tree().element(sort);
            if !matches!(element.name, "natural" | "positive" | "integer") {
                let problem = Problem::new(element.span, format!("`<{}>` is no sort of numbers", element.name));
                self.all.problems.add(problem.label("expected `<positive/>`"));
                return None;
            }
        }
        let written = self.all.problems.keep(element.required("value"))?;
        let factor = self.all.problems.keep(labels::number(&written, "a multiplicity"))?;
        Some((u32::try_from(factor).ok()?, bag))
    }

    /// Checks the sort of an `<empty>`, if it says one.
    fn empty(&mut self, node: Node, expected: &[u32]) -> Option<()> {
        if self.tree().children(node).next().is_none() {
            return Some(());
        }
        let [sort] = self.operands(node)?;
        let components = self.all.sort(sort)?;
        if components.len() != expected.len() {
            self.wrong_width(node, components.len(), expected.len());
            return None;
        }
        match components.iter().zip(expected).find(|(found, expected)| found != expected) {
            Some((&found, &expected)) => {
                self.wrong_class(node, found, expected);
                None
            }
            None => Some(()),
        }
    }

    /// The colours that an `<all>`, or a name for several colours, stands for. `None` if it is not that; if something is wrong
    /// with it, this is said where `said` asks for it.
    fn each(&mut self, node: Node, said: bool) -> Option<Each> {
        let tree = self.tree();
        let element = tree.element(node);
        let (target, attribute) = match element.name {
            "all" => {
                let sort = match (tree.only_child(node), said) {
                    (Some(sort), _) => sort,
                    (None, false) => return None,
                    (None, true) => self.operands::<1>(node)?[0],
                };
                if tree.name(sort) != "usersort" {
                    return self.all.sort(sort).map(|components| Each { components, subclass: None });
                }
                (tree.element(sort), "declaration")
            }
            _ => (element, "declaration"),
        };
        let name = match said {
            true => self.all.problems.keep(target.required(attribute))?,
            false => target.attribute(attribute).ok().flatten()?,
        };
        match self.all.operators.get(&name.text) {
            Some(&(Operator::Part { partition, element }, _)) => {
                let partition = &self.all.partitions[partition as usize];
                let components = Rc::from([partition.class]);
                return Some(Each { components, subclass: Some(partition.first + element) });
            }
            // A constant may be called like a sort; what is meant depends on who asks.
            Some(_) if element.name == "useroperator" => return None,
            _ => {}
        }
        if !self.all.sorts.contains_key(&name.text) && (element.name == "useroperator" || !said) {
            return None;
        }
        self.all.named(&name, 0).map(|components| Each { components, subclass: None })
    }
}

/// The sum of some tokens.
fn sum(mut parts: Vec<Tokens>) -> Tokens {
    if parts.len() == 1 { parts.pop().unwrap_or_else(Tokens::none) } else { Tokens::Sum(parts) }
}

/// The sum of some bags.
fn sum_of_bags(mut parts: Vec<BagExpression>) -> BagExpression {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            BagExpression::Sum(parts)
        }
    }
}

/// A tuple. If it has one component only, a sum of colours is said as a sum of tokens, and so on: one way of saying it.
fn lifted(elements: Vec<Element>) -> Tokens {
    match <[Element; 1]>::try_from(elements) {
        Ok([Element::Each(bag)]) => lifted_bag(bag),
        Ok(one) => Tokens::Tuple(one.into()),
        Err(elements) => Tokens::Tuple(elements),
    }
}

/// The tokens with one component that are the colours of a bag.
pub(super) fn lifted_bag(bag: BagExpression) -> Tokens {
    match bag {
        BagExpression::Sum(parts) => Tokens::Sum(parts.into_iter().map(lifted_bag).collect()),
        BagExpression::Difference(from, taken) => {
            Tokens::Difference(Box::new(lifted_bag(*from)), Box::new(lifted_bag(*taken)))
        }
        BagExpression::Times(factor, inner) => Tokens::Times(factor, Box::new(lifted_bag(*inner))),
        leaf => Tokens::Tuple(vec![Element::Each(leaf)]),
    }
}
