//! Definitions in a `.def` file: colour classes, markings and functions.
//!
//! ```text
//! |256
//! %
//! |
//! (C c 1.0 1.0 (@c
//! u C1,C2
//! ))
//! (C1 c 1.0 1.0 (@c
//! p{1-3}
//! ))
//! (M m 1.0 1.0 (@m
//! <S C1>
//! ))
//! ```
//!
//! Before `|256` are rates that depend on the marking, and between that line and the next `|` are measures: both are passed
//! over. A definition has a name, a kind, where it is drawn, and a line of text. A place names a marking by the number of its
//! definition among all definitions, of whatever kind; an arc names a function by its name.

use rustc_hash::FxHashMap;

use super::lines::Lines;
use super::palette::{Name, Palette, Part};
use super::parse::{self, Setting};
use super::piece::Piece;
use super::token::Token;
use crate::coloured::ClassOrder;
use crate::text::complaint;
use crate::text::problems::Problems;
use crate::text::xml::{Fault, fault};
use crate::text::{Problem, Span};

/// What a definition defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A colour class, or a subclass.
    Class,
    /// A marking.
    Marking,
    /// What stands on an arc.
    Function,
}

/// A definition.
#[derive(Clone, Debug)]
pub(super) struct Definition<'a> {
    pub name: Name,
    pub kind: Kind,
    pub text: Piece<'a>,
}

/// The definitions of a file, in their order.
#[derive(Debug, Default)]
pub(super) struct Definitions<'a> {
    pub list: Vec<Definition<'a>>,
    functions: FxHashMap<String, usize>,
}

impl<'a> Definitions<'a> {
    /// Reads a file.
    pub fn read(text: &'a str) -> Result<Definitions<'a>, Fault> {
        let mut lines = Lines::new(text);
        for mark in ["|256", "|"] {
            loop {
                let Some(line) = lines.any() else {
                    let problem = Problem::new(Span::new(0, 0), format!("there is no line `{mark}`"));
                    return fault(problem.label("expected before the definitions").help("is this a `.def` file?"));
                };
                if line.rest() == mark {
                    break;
                }
            }
        }
        let mut definitions = Definitions::default();
        while let Some(mut line) = lines.next() {
            let (word, span) = line.expect("a definition")?;
            let Some(name) = word.strip_prefix('(').filter(|name| !name.is_empty()) else {
                let problem = Problem::new(span, "a definition is expected here");
                return fault(problem.label("expected `(` and a name").help("as in `(C c 1.0 1.0 (@c`"));
            };
            let (kind, at) = line.expect("the kind of the definition")?;
            let kind = match kind {
                "c" => Kind::Class,
                "m" => Kind::Marking,
                "f" => Kind::Function,
                _ => {
                    let problem = Problem::new(at, format!("a definition of the kind `{kind}`"));
                    let help = "`c` is a colour class, `m` a marking, `f` a function";
                    return fault(problem.label("expected `c`, `m` or `f`").help(help));
                }
            };
            let begin = lines.offset();
            let end = loop {
                let line = lines.expect("`))`")?;
                if line.rest() == "))" {
                    break line.start();
                }
            };
            let body = &text[begin..end];
            let skipped = body.len() - body.trim_ascii_start().len();
            let name = Name { text: name.to_owned(), span: Span { start: span.start + 1, ..span } };
            definitions.add(Definition { name, kind, text: Piece::plain(body.trim_ascii(), begin + skipped) })?;
        }
        Ok(definitions)
    }

    fn add(&mut self, definition: Definition<'a>) -> Result<(), Fault> {
        let name = &definition.name;
        if definition.kind == Kind::Function
            && let Some(first) = self.functions.insert(name.text.clone(), self.list.len())
        {
            let first = self.list[first].name.span;
            return Err(Box::new(complaint::twice(name.span, "function", &name.text, first)));
        }
        self.list.push(definition);
        Ok(())
    }

    /// The function with a name.
    pub fn function(&self, name: &str) -> Option<&Definition<'a>> {
        self.functions.get(name).map(|&index| &self.list[index])
    }

    /// The names of the functions.
    pub fn function_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.functions.keys().map(String::as_str)
    }

    /// Makes the colour classes.
    pub fn palette(&self, constants: &FxHashMap<String, i64>, problems: &mut Problems) -> Palette {
        let none = Palette::default();
        let setting = Setting { dialect: parse::Dialect::Net, palette: &none, constants };
        // Those that cannot be read are there all the same, so that nobody misses them.
        let mut parts: FxHashMap<&str, (Option<Part>, Span)> = FxHashMap::default();
        let mut classes: Vec<(&Name, ClassOrder, Vec<Name>)> = Vec::new();
        for definition in self.list.iter().filter(|definition| definition.kind == Kind::Class) {
            let name = &definition.name;
            if !definition.text.text.contains('{') {
                let read = parse::read(&definition.text, &setting, problems, |parser| parser.subclass_names());
                classes.extend(read.map(|(order, names)| (name, order, names)));
                continue;
            }
            let read = parse::read(&definition.text, &setting, problems, |parser| parser.part(Token::Minus));
            let part = read.map(|part| Part { name: Some(name.clone()), ..part });
            if let Some((_, first)) = parts.insert(&name.text, (part, name.span)) {
                problems.add(complaint::twice(name.span, "subclass", &name.text, first));
            }
        }
        self.classes(&parts, classes, problems)
    }

    fn classes(
        &self, parts: &FxHashMap<&str, (Option<Part>, Span)>, classes: Vec<(&Name, ClassOrder, Vec<Name>)>,
        problems: &mut Problems,
    ) -> Palette {
        let mut palette = Palette::default();
        let mut known: FxHashMap<&str, Span> = FxHashMap::default();
        for (name, order, subclasses) in classes {
            if let Some(first) = known.insert(&name.text, name.span) {
                problems.add(complaint::twice(name.span, "class", &name.text, first));
                continue;
            }
            let find = |subclass: &Name| match parts.get(subclass.text.as_str()) {
                Some((part, _)) => Ok(part.clone()),
                None => {
                    let names = parts.keys().copied();
                    let none = "subclasses are defined as `{a,b}` or `p{1-4}`".to_owned();
                    Err(Box::new(complaint::unknown(subclass.span, "subclass", &subclass.text, names, none)))
                }
            };
            let found: Result<Vec<Option<Part>>, Fault> = subclasses.iter().map(find).collect();
            let found = found.map(|parts| parts.into_iter().collect::<Option<Vec<Part>>>());
            if let Some(parts) = problems.keep(found).flatten() {
                problems.keep(palette.add(name, order, parts));
            }
        }
        palette
    }
}
