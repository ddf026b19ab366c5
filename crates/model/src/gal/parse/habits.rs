//! Habits from other languages: what people write where this one writes something else, and how it is written here.

use super::super::token::Token;
use super::{Failed, Parsed, Parser};
use crate::gal::ledger::complaint::shortened;

/// What has been read where a `;` is expected.
pub(super) enum Read<'t> {
    /// A variable of this name.
    Variable(&'t str),
    /// A place of this name.
    Place(&'t str),
    /// An arc that begins with this word.
    Arc(&'t str),
    /// An instance of this type.
    Instance(&'t str),
    /// The value of an assignment.
    Value,
}

/// Where a declaration is expected.
#[derive(Clone, Copy)]
pub(super) enum Inside {
    File,
    Program,
    Net,
    Composite,
}

impl Parser<'_> {
    /// A `;` after something.
    pub(super) fn semicolon_after(&mut self, read: &Read) -> Parsed<()> {
        let help = self.instead_of_semicolon(read);
        self.semicolon_with(help)
    }

    /// How it is written what stands here in place of a `;`.
    fn instead_of_semicolon(&self, read: &Read) -> Option<String> {
        Some(match (read, self.peek()) {
            (Read::Variable(name), Token::LeftBracket) => {
                format!("the number of elements comes before the name: `array [...] {};`", shortened(name))
            }
            (Read::Variable(name), Token::Colon) => {
                let name = shortened(name);
                format!(
                    "a value is given with `=`: `int {name} = 1;`; no range is declared: guards say how far it goes"
                )
            }
            (Read::Variable(_), Token::Identifier) if self.is_word("in") => {
                "no range is declared: guards say how far a variable goes".to_owned()
            }
            (Read::Value, Token::Identifier) if self.is_word("mod") => "\"mod\" is written `%`".to_owned(),
            (Read::Value, Token::Identifier) if self.is_word("div") => "\"div\" is written `/`".to_owned(),
            (Read::Variable(_), Token::Comma) => "each variable is declared by itself: `int x; int y;`".to_owned(),
            (Read::Place(name), Token::LeftBracket) => {
                format!("the number of places comes before their name: `place [...] {};`", shortened(name))
            }
            (Read::Place(name), Token::LeftParenthesis | Token::Number | Token::Parameter | Token::Colon) => {
                format!("tokens are given with `=`: `place {} = 1;`", shortened(name))
            }
            (Read::Place(_), Token::Comma) => "each place is declared by itself: `place p; place q;`".to_owned(),
            (Read::Arc(word), Token::Comma) => format!("each arc stands by itself: `{word} p; {word} q;`"),
            (Read::Instance(kind), Token::Comma) => {
                let kind = shortened(kind);
                format!("each instance is declared by itself: `{kind} a; {kind} b;`")
            }
            (Read::Value, Token::LeftParenthesis) => {
                "expressions have no functions; statements choose between values: `if (x > y) { ... } else { ... }`"
                    .to_owned()
            }
            _ => return None,
        })
    }

    /// Reports that no declaration begins here, of which these are the words. `usual` says what there is.
    pub(super) fn no_declaration(&mut self, inside: Inside, what: &str, words: &[&str], usual: &str) -> Failed {
        let help = self.other_declaration(inside).unwrap_or(usual);
        self.none_of(what, words, help)
    }

    /// How a declaration is written that begins with a word of another language.
    fn other_declaration(&self, inside: Inside) -> Option<&'static str> {
        let word = if self.peek() == Token::Identifier { self.slice() } else { "" };
        Some(match (inside, word) {
            (Inside::File, "const" | "constant" | "param" | "parameter" | "define") => {
                "constants begin with `$`: `$N = 3;`"
            }
            (Inside::File, "system" | "module" | "process") => {
                "a part is a `gal` or a `net`, and a system of parts a `composite Name { ... }`"
            }
            (Inside::File, "assert" | "invariant" | "spec" | "ltl" | "ctl" | "formula" | "check") => {
                "a question is a property: `property name [invariant] : x == 1;`"
            }
            (Inside::File, "AG" | "AF" | "EG" | "EF" | "A" | "E") => {
                "a question is a property: `property name [ctl] : AG x == 1;`"
            }
            (Inside::File, "G" | "F") => "a question is a property: `property name [ltl] : G x == 1;`",
            (Inside::File, "int" | "array" | "var" | "place" | "transition") => {
                "variables and transitions stand inside of a type: `gal Name { ... }`, or `net Name { ... }` where there are places"
            }
            (Inside::File, name) if !name.is_empty() && self.peek_at(1) == Token::Assign => {
                "constants begin with `$`: `$N = 3;`"
            }
            (Inside::Program | Inside::Net, "const" | "constant" | "param" | "parameter") => {
                "constants stand before the types: `$N = 3;`"
            }
            (Inside::Program, "var" | "let" | "integer") => "variables are integers: `int x = 3;`",
            (Inside::Program, "place") => "places are for a `net`; a `gal` type has variables: `int p;`",
            (Inside::Program, "trans" | "action" | "rule" | "event" | "command") => {
                "what can happen is a transition: `transition t [x < 3] { x += 1; }`"
            }
            (Inside::Net, "int" | "array" | "var" | "let") => {
                "a `net` has places: `place p = 1;`; variables are for a `gal` type"
            }
            (Inside::Net, "trans" | "action" | "rule" | "event" | "command") => {
                "what can happen is a transition: `transition t { take p; put q; }`"
            }
            (Inside::Composite, "transition" | "sync" | "synchronize") => {
                "parts move together in a `synchronization s { a.\"label\"; b.\"label\"; }`"
            }
            _ => return None,
        })
    }

    /// Where the guard of a transition belongs, if it stands here in another way.
    pub(super) fn other_guard(&self) -> Option<&'static str> {
        let is_guard = matches!(self.peek(), Token::Colon | Token::LeftBracket)
            || ["if", "when", "guard", "where"].iter().any(|word| self.is_word(word));
        is_guard.then_some("a guard stands in brackets after the name: `transition t [x == 1] { ... }`")
    }
}
