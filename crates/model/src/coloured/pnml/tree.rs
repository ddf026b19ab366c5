//! Terms, sorts and declarations as their elements, before anything is known of what they mean.
//!
//! Declarations may come after the terms that use them, so terms are kept until the end of the file: one after the other in one
//! list, each before its children. Nothing here recurses, and what nests too deeply for those that do is refused.

use crate::pnml::file::File;
use crate::text::Problem;
use crate::text::xml::{Element, Fault, Step};

/// How deep terms nest at most.
pub(super) const DEEPEST: u32 = 400;

/// The terms of a file.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    entries: Vec<Entry<'a>>,
}

/// An element of a term.
#[derive(Debug)]
struct Entry<'a> {
    element: Element<'a>,
    /// The entry after the last one inside of this.
    end: u32,
}

/// A place in the tree: an element with all that is inside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node(u32);

impl<'a> Tree<'a> {
    /// The children of the innermost element of a file, to its end. A `<subterm>` is nothing but what is inside of it.
    pub fn read(&mut self, file: &mut File<'a, '_>) -> Result<Vec<Node>, Fault> {
        let mut roots = Vec::new();
        // What is open; nothing for a `<subterm>`.
        let mut open: Vec<Option<u32>> = Vec::new();
        let mut depth = 0;
        let mut is_too_deep = false;
        loop {
            match file.cursor.step()? {
                Step::Open(element) if matches!(element.name, "toolspecific" | "graphics") => file.cursor.skip()?,
                Step::Open(element) if element.name == "subterm" => open.push(None),
                Step::Open(element) if depth == DEEPEST => {
                    let problem = Problem::new(element.span, "this term nests too deeply");
                    let problem = problem.label(format!("expected at most {DEEPEST} levels"));
                    file.problems.add(problem.help("`add`, `and` and `or` may have any number of operands"));
                    file.cursor.skip()?;
                    is_too_deep = true;
                }
                Step::Open(element) => {
                    let index = self.length();
                    if depth == 0 {
                        roots.push(Node(index));
                    }
                    self.entries.push(Entry { element, end: index + 1 });
                    open.push(Some(index));
                    depth += 1;
                }
                Step::Text(text) if text.text.trim_ascii().is_empty() => {}
                // Some files have a stray letter between the elements.
                Step::Text(text) => file.note_text(&text),
                Step::Close | Step::End => match open.pop() {
                    // Nothing more is to be said of a term that is not whole.
                    None if is_too_deep => return Ok(Vec::new()),
                    None => return Ok(roots),
                    Some(None) => {}
                    Some(Some(index)) => {
                        self.entries[index as usize].end = self.length();
                        depth -= 1;
                    }
                },
            }
        }
    }

    fn length(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// The element at a place.
    pub fn element(&self, node: Node) -> Element<'a> {
        self.entries[node.0 as usize].element
    }

    /// The name of the element at a place.
    pub fn name(&self, node: Node) -> &'a str {
        self.element(node).name
    }

    /// The children of an element.
    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let end = self.entries[node.0 as usize].end;
        let mut next = node.0 + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = Node(next);
                next = self.entries[next as usize].end;
                child
            })
        })
    }

    /// The only child of an element, if it has one and no more.
    pub fn only_child(&self, node: Node) -> Option<Node> {
        let mut children = self.children(node);
        children.next().filter(|_| children.next().is_none())
    }

    /// An element and everything inside of it, in the order of the file.
    pub fn all(&self, node: Node) -> impl Iterator<Item = Element<'a>> + '_ {
        let end = self.entries[node.0 as usize].end;
        self.entries[node.0 as usize..end as usize].iter().map(|entry| entry.element)
    }
}
