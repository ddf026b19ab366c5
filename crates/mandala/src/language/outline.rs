//! What a text declares, and where.

use super::word::{Word, WordKind, words};
use std::ops::Range;

/// Something that a text declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: DeclarationKind,
    /// Where its name is, in bytes.
    pub at: Range<usize>,
    /// Where all of it is.
    pub whole: Range<usize>,
    /// How it is declared, in one line without its body.
    pub detail: String,
    /// The comments before it.
    pub comment: String,
    /// The declaration that it is in, by its number.
    pub inside: Option<usize>,
    /// The type of an instance, or the label of a transition.
    pub of: Option<String>,
}

/// What is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclarationKind {
    /// `$N = 3;`, or a parameter of a type.
    Constant,
    /// `typedef`, or a class of colours.
    Range,
    /// `gal`, `net`, `composite` or `interface`.
    Type,
    /// A variable or an array.
    Variable,
    /// A place.
    Place,
    /// A transition or a synchronisation.
    Transition,
    /// An instance.
    Instance,
    /// `alias` or `predicate`.
    Definition,
    /// A parameter of a transition or of a loop.
    Parameter,
    /// A property.
    Property,
    /// Another part of a type: an initial state, a unit, a symmetry.
    Other,
}

impl DeclarationKind {
    /// A word for it.
    pub fn word(self) -> &'static str {
        match self {
            DeclarationKind::Constant => "constant",
            DeclarationKind::Range => "range",
            DeclarationKind::Type => "type",
            DeclarationKind::Variable => "variable",
            DeclarationKind::Place => "place",
            DeclarationKind::Transition => "transition",
            DeclarationKind::Instance => "instance",
            DeclarationKind::Definition => "definition",
            DeclarationKind::Parameter => "parameter",
            DeclarationKind::Property => "property",
            DeclarationKind::Other => "declaration",
        }
    }
}

/// What a text declares, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The declarations; what is inside of others comes after them.
    pub declarations: Vec<Declaration>,
}

impl Outline {
    /// The outline of a text.
    pub fn of(text: &str) -> Outline {
        let words = words(text);
        let code: Vec<Word<'_>> = words.iter().filter(|word| !word.is_comment()).copied().collect();
        let mut scan = Scan { text, all: &words, words: &code, at: 0, found: Vec::new() };
        scan.file();
        Outline { declarations: scan.found }
    }

    /// The declaration of a type with some name.
    pub fn type_named(&self, name: &str) -> Option<usize> {
        self.declarations.iter().position(|one| one.kind == DeclarationKind::Type && one.name == name)
    }

    /// What is declared directly in a declaration, or in the file.
    pub fn members(&self, inside: Option<usize>) -> impl Iterator<Item = &Declaration> {
        self.declarations.iter().filter(move |one| one.inside == inside)
    }

    /// The type that the file is about: what `main` names, or else the last one.
    pub fn main(&self, text: &str) -> Option<usize> {
        let words: Vec<Word<'_>> = words(text).into_iter().filter(|word| !word.is_comment()).collect();
        let named = words.windows(2).rev().find(|pair| pair[0].is("main") && pair[1].kind == WordKind::Name);
        let named = named.and_then(|pair| self.type_named(plain(pair[1].text)));
        named.or_else(|| self.declarations.iter().rposition(|one| one.kind == DeclarationKind::Type))
    }
}

/// A name without its backquotes.
pub(super) fn plain(name: &str) -> &str {
    name.strip_prefix('`').and_then(|name| name.strip_suffix('`')).unwrap_or(name)
}

struct Scan<'t, 'w> {
    text: &'t str,
    all: &'w [Word<'t>],
    words: &'w [Word<'t>],
    at: usize,
    found: Vec<Declaration>,
}

impl<'t> Scan<'t, '_> {
    fn peek(&self, ahead: usize) -> Option<Word<'t>> {
        self.words.get(self.at + ahead).copied()
    }

    fn is(&self, ahead: usize, text: &str) -> bool {
        self.peek(ahead).is_some_and(|word| word.is(text))
    }

    fn is_name(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(|word| word.kind == WordKind::Name)
    }

    fn file(&mut self) {
        while let Some(word) = self.peek(0) {
            let begin = self.at;
            match word.text {
                "gal" | "GAL" | "net" | "composite" | "interface" if self.is_name(1) => self.type_(),
                "typedef" if self.is_name(1) => self.simple(1, DeclarationKind::Range, None),
                "property" if self.is_name(1) || self.peek(1).is_some_and(|next| next.kind == WordKind::Text) => {
                    self.simple(1, DeclarationKind::Property, None);
                }
                _ if word.kind == WordKind::Parameter && self.is(1, "=") => {
                    self.simple(0, DeclarationKind::Constant, None);
                }
                _ => self.skip(),
            }
            if self.at == begin {
                self.at += 1;
            }
        }
    }

    /// Goes behind the end of a declaration: its semicolon, or its body.
    fn skip(&mut self) {
        let mut depth = 0usize;
        while let Some(word) = self.peek(0) {
            match word.text {
                "{" => depth += 1,
                "}" if depth == 0 => return,
                "}" => {
                    depth -= 1;
                    if depth == 0 {
                        self.at += 1;
                        return;
                    }
                }
                ";" if depth == 0 => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Adds a declaration whose name is some words ahead, and goes behind it.
    fn simple(&mut self, ahead: usize, kind: DeclarationKind, inside: Option<usize>) {
        let (first, name) = (self.at, self.at + ahead);
        self.skip();
        self.add(first, name, self.at, kind, inside);
    }

    fn add(&mut self, first: usize, name: usize, end: usize, kind: DeclarationKind, inside: Option<usize>) -> usize {
        let (begin, named) = (self.words[first], self.words[name]);
        let last = self.words[end.saturating_sub(1).max(first)];
        let body = self.words[first..end].iter().find(|word| word.is("{") || word.is(";"));
        let detail = &self.text[begin.start..body.map_or(last.end(), |word| word.start)];
        let label = (first..end).find(|&at| self.words[at].is("label")).and_then(|at| self.words.get(at + 1));
        let label = label.filter(|word| word.kind == WordKind::Text && kind == DeclarationKind::Transition);
        self.found.push(Declaration {
            name: plain(named.text).trim_matches('"').to_owned(),
            kind,
            at: named.start..named.end(),
            whole: begin.start..last.end(),
            detail: detail.split_whitespace().collect::<Vec<_>>().join(" "),
            comment: self.comment_before(begin.start),
            inside,
            of: label.map(|word| word.text.trim_matches(['"', '\'']).to_owned()),
        });
        self.found.len() - 1
    }

    /// The comments on the lines right before a declaration.
    fn comment_before(&self, start: usize) -> String {
        let mut lines: Vec<&str> = Vec::new();
        let mut end = start;
        for word in self.all.iter().rev().skip_while(|word| word.start >= start) {
            let between = &self.text[word.end()..end];
            let begins_line = self.text[..word.start].rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
            if !word.is_comment() || between.matches('\n').count() > 1 || !begins_line {
                break;
            }
            lines.push(word.text.trim_start_matches("/*").trim_end_matches("*/").trim_start_matches('/').trim());
            end = word.start;
        }
        lines.reverse();
        lines.join("\n")
    }

    fn type_(&mut self) {
        let first = self.at;
        let keyword = self.words[first].text;
        self.skip();
        let end = self.at;
        let type_ = self.add(first, first + 1, end, DeclarationKind::Type, None);
        self.at = first + 2;
        // Parameters of the type.
        while self.at < end && !self.is(0, "{") {
            if self.peek(0).is_some_and(|word| word.kind == WordKind::Parameter) && self.is(1, "=") {
                let name = self.at;
                self.add(name, name, (name + 3).min(end), DeclarationKind::Constant, Some(type_));
            }
            self.at += 1;
        }
        self.at += 1;
        while self.at < end {
            let begin = self.at;
            self.member(keyword, type_);
            if self.at == begin {
                self.at += 1;
            }
        }
        self.at = end;
    }

    fn member(&mut self, keyword: &str, type_: usize) {
        let Some(word) = self.peek(0) else { return };
        let inside = Some(type_);
        match word.text {
            "typedef" | "class" | "subclass" if self.is_name(1) => self.simple(1, DeclarationKind::Range, inside),
            "alias" | "predicate" if self.is_name(1) => self.simple(1, DeclarationKind::Definition, inside),
            "initial" | "unit" | "symmetry" if self.is_name(1) => self.simple(1, DeclarationKind::Other, inside),
            "int" if self.is_name(1) => self.simple(1, DeclarationKind::Variable, inside),
            "array" | "hotbit" => self.named_after_brackets(1, DeclarationKind::Variable, inside),
            "place" | "queue" => self.named_after_brackets(1, DeclarationKind::Place, inside),
            "transition" | "synchronization" | "synchronisation" if self.is_name(1) => self.transition(type_),
            "label" => self.simple(1, DeclarationKind::Other, inside),
            _ if keyword == "composite" && word.kind == WordKind::Name => {
                let declared = self.found.len();
                self.named_after_brackets(1, DeclarationKind::Instance, inside);
                if let Some(one) = self.found.get_mut(declared) {
                    one.of = Some(plain(word.text).to_owned());
                }
            }
            _ => self.skip(),
        }
    }

    /// `place [3] name`, `array [3] name`, `Type [3] name`: the name follows what is in brackets.
    fn named_after_brackets(&mut self, from: usize, kind: DeclarationKind, inside: Option<usize>) {
        let first = self.at;
        let mut name = self.at + from;
        let mut depth = 0usize;
        while let Some(word) = self.words.get(name) {
            match word.text {
                "[" | "(" | "<" => depth += 1,
                "]" | ")" | ">" => depth = depth.saturating_sub(1),
                ";" | "{" | "}" | "=" => {
                    self.skip();
                    return;
                }
                "int" => {}
                _ if depth == 0 && word.kind == WordKind::Name => break,
                _ => {}
            }
            name += 1;
        }
        self.skip();
        if name < self.words.len() && name < self.at {
            self.add(first, name, self.at, kind, inside);
        }
    }

    fn transition(&mut self, type_: usize) {
        let first = self.at;
        self.skip();
        let end = self.at;
        let transition = self.add(first, first + 1, end, DeclarationKind::Transition, Some(type_));
        // Parameters stand behind their range, in parentheses, here or in loops; in `.sn` they have no dollar sign.
        for at in first..end {
            let word = self.words[at];
            let before = at.checked_sub(1).map(|before| self.words[before]);
            let declares = match word.kind {
                WordKind::Parameter => before.is_some_and(|before| {
                    matches!(before.kind, WordKind::Name | WordKind::Number | WordKind::Parameter)
                        || (before.is("(") && at >= 2 && self.words[at - 2].is("for"))
                        || before.is(")")
                }),
                WordKind::Name => {
                    let head = self.words[first..at].iter().all(|word| !word.is("{") && !word.is("["));
                    let after = self.words.get(at + 1).is_some_and(|next| next.is(",") || next.is(")"));
                    head && after && before.is_some_and(|before| before.kind == WordKind::Name) && at > first + 1
                }
                _ => false,
            };
            if declares {
                let from = at.saturating_sub(1).max(first);
                self.add(from, at, at + 1, DeclarationKind::Parameter, Some(transition));
            }
        }
    }
}
