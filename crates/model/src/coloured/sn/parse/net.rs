//! Classes, places, transitions and arcs.

use super::super::super::class::ClassOrder;
use super::super::syntax::{
    Amount, Arc, ArcKind, ClassDeclaration, ColourItem, ColourList, Member, PlaceDeclaration, SetDeclaration, SortUse,
    TransitionDeclaration, VariableDeclaration,
};
use super::{MEMBERS, Parser};
use crate::gal::ledger::complaint::shortened;
use crate::gal::token::Token;
use crate::text::Problem;
use crate::text::cursor::Parsed;

/// How several colours are written.
const LIST: &str = "a list of colours stands in braces: `{a, b}`";
/// How colours with numbers are written.
const NUMBERED: &str = "colours that end in numbers are written `c{1..3}`: `c1`, `c2` and `c3`";
/// How a range is written.
const RANGE: &str = "a range has two dots: `1..3`";
/// How several tokens are written.
const SUM: &str = "several tokens are a sum: `<a> + <b>`";
/// How a place gets its class.
const DOMAIN: &str = "the class of a place follows its name and a colon: `place p : People;`";
/// How a place gets several.
const PAIRS: &str = "a place of pairs is written `place p : A * B;`";

/// What begins a member of a net in other languages.
fn other_member(word: &str) -> Option<&'static str> {
    Some(match word {
        "var" | "vars" | "variable" => "variables are declared where they are used: `transition t (People x) { ... }`",
        "colset" | "color" | "colour" | "colors" | "colours" | "type" | "sort" | "enum" | "domain" => {
            "colours are those of a class: `class P = {a, b};`"
        }
        "arc" | "arcs" | "take" | "put" | "read" | "inhibit" => {
            "arcs stand inside of transitions: `transition t (People x) { take p<x>; }`"
        }
        "init" | "marking" => "a place begins with the tokens of its declaration: `place p : P = <all>;`",
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn member(&mut self) -> Parsed<Member> {
        match if self.peek() == Token::Identifier { self.slice() } else { "" } {
            "class" => self.class().map(Member::Class),
            "place" => self.place().map(Member::Place),
            "transition" => self.transition().map(|transition| Member::Transition(Box::new(transition))),
            word => match other_member(word) {
                Some(help) => Err(self.none_of("a member of a net", &[], help)),
                None => Err(self.none_of("a member of a net", &MEMBERS, "a net has `class`, `place` and `transition`")),
            },
        }
    }

    /// `class Level linear = {low, high} subclasses { ... }`
    fn class(&mut self) -> Parsed<ClassDeclaration> {
        self.bump();
        let name = self.name("the name of a class")?;
        let order = match () {
            () if self.eat_word("linear") => ClassOrder::Linear,
            () if self.eat_word("circular") => ClassOrder::Circular,
            () if self.peek() == Token::Assign => ClassOrder::Unordered,
            () if matches!(self.peek(), Token::LeftBrace | Token::Colon) || self.is_word("with") => {
                let help = format!("write `class {} = {{a, b}};`", shortened(&name.text));
                return Err(self.expected_with("`=` and the colours of the class", Some(help)));
            }
            () => {
                let words = ["linear", "circular"];
                let help = "the order of a class is `linear` or `circular`; without one it has none";
                return Err(self.none_of("`=` and the colours of the class", &words, help));
            }
        };
        self.expect(Token::Assign, "`=` and the colours of the class")?;
        // `($N - 1)..9` is a range.
        let is_list = self.peek() == Token::LeftParenthesis
            && self.closing().is_some_and(|end| self.peek_at(end + 1) == Token::Semicolon);
        if self.peek() == Token::LeftBracket || is_list {
            return Err(self.expected_with("the colours of the class", Some(LIST.to_owned())));
        }
        let colours = self.colour_list()?;
        let word = self.span();
        let partition = self.eat_word("subclasses").then_some(word);
        let sets = match partition.is_some() || self.eat_word("sets") {
            true => {
                let sets = self.block("this list", Self::set)?;
                self.eat(Token::Semicolon);
                sets
            }
            false => {
                if self.peek() == Token::LeftBrace {
                    let problem = Problem::new(self.span(), "what the braces hold is not said")
                        .label("expected `subclasses` or `sets` before this")
                        .help("of `subclasses` each colour is in one; `sets` may be any");
                    return Err(self.report(problem));
                }
                let help = self.after_colours(&name.text, &colours);
                self.semicolon_with(help)?;
                Vec::new()
            }
        };
        Ok(ClassDeclaration { name, order, colours, sets, partition })
    }

    /// How it is written what follows the colours of a class in place of a `;`.
    fn after_colours(&self, class: &str, colours: &ColourList) -> Option<String> {
        let class = shortened(class);
        let help = match (self.peek(), self.slice_before()) {
            (Token::Comma, _) if !colours.braces => LIST.to_owned(),
            (Token::Or, _) => LIST.to_owned(),
            (Token::DotDot | Token::LeftBracket, _) => NUMBERED.to_owned(),
            (Token::Number | Token::LeftBrace, order @ ("linear" | "circular")) => {
                format!("the order stands before the `=`: `class {class} {order} = 1..3;`")
            }
            (Token::Identifier, _) if self.is_word("to") => RANGE.to_owned(),
            (Token::Number, _) => format!("a range of numbers is written `class {class} = 1..3;`"),
            (Token::Star, _) => format!("a class has single colours; {PAIRS}"),
            _ => return None,
        };
        Some(help)
    }

    /// `urgent = p{1..2};`
    fn set(&mut self) -> Parsed<SetDeclaration> {
        let name = self.name("the name of a set of colours")?;
        self.expect(Token::Assign, "`=` and colours")?;
        let colours = self.colour_list()?;
        self.semicolon()?;
        Ok(SetDeclaration { name, colours })
    }

    /// `{a, b}`, `1..3`, `p{1..3}`
    fn colour_list(&mut self) -> Parsed<ColourList> {
        let start = self.span();
        let braces = self.eat(Token::LeftBrace);
        let items = match braces {
            true => self.list(Token::RightBrace, "}", Self::colour_item)?,
            false => vec![self.colour_item()?],
        };
        Ok(ColourList { items, braces, span: self.since(start) })
    }

    fn colour_item(&mut self) -> Parsed<ColourItem> {
        let start = self.span();
        if !self.is_name_at(0) {
            // A number alone is a colour, and a range has two dots.
            let is_alone = match self.peek() {
                Token::Number | Token::Parameter => {
                    matches!(self.peek_at(1), Token::Comma | Token::RightBrace | Token::Semicolon | Token::Identifier)
                }
                Token::Minus => {
                    matches!(self.peek_at(2), Token::Comma | Token::RightBrace | Token::Semicolon | Token::Identifier)
                }
                _ => false,
            };
            return match is_alone {
                true => self.colour_name("a colour").map(ColourItem::One),
                false => {
                    let (first, last) = self.range()?;
                    Ok(ColourItem::Range { prefix: String::new(), first, last, span: self.since(start) })
                }
            };
        }
        let ends = |token: Token| matches!(token, Token::RightBrace | Token::DotDot | Token::Semicolon | Token::End);
        let is_range = self.peek_at(1) == Token::LeftBrace
            && (2..).map(|ahead| self.peek_at(ahead)).find(|&token| ends(token)) == Some(Token::DotDot);
        if !is_range {
            return self.colour_name("a colour").map(ColourItem::One);
        }
        let prefix = self.name("a name")?;
        self.bump();
        let (first, last) = self.range()?;
        self.expect(Token::RightBrace, "`}`")?;
        Ok(ColourItem::Range { prefix: prefix.text, first, last, span: self.since(start) })
    }

    /// `1..$N`
    fn range(&mut self) -> Parsed<(Amount, Amount)> {
        let first = self.bound(Token::DotDot)?;
        if !self.eat(Token::DotDot) {
            return Err(self.expected_with("`..`", Some(RANGE.to_owned())));
        }
        Ok((first, self.bound(Token::End)?))
    }

    /// A number as it is written, or calculated.
    fn bound(&mut self, before: Token) -> Parsed<Amount> {
        let ends = |token: Token| {
            token == before || matches!(token, Token::Comma | Token::RightBrace | Token::Semicolon | Token::Identifier)
        };
        let negative = self.peek() == Token::Minus;
        let number = usize::from(negative);
        if self.peek_at(number) == Token::Number && ends(self.peek_at(number + 1)) {
            if negative {
                self.bump();
            }
            return self.literal(negative);
        }
        self.integer().map(Amount::Calculated)
    }

    /// `place p : A * bag B = <a, {}>;`
    fn place(&mut self) -> Parsed<PlaceDeclaration> {
        self.bump();
        if self.peek() == Token::LeftBracket {
            let help = "what is numbered elsewhere is a class here: `class I = 0..1; place p : I;`".to_owned();
            return Err(self.expected_with("the name of a place", Some(help)));
        }
        let name = self.name("the name of a place")?;
        let mut domain = Vec::new();
        if self.eat(Token::Colon) {
            domain.push(self.sort()?);
            while self.eat(Token::Star) {
                domain.push(self.sort()?);
            }
        }
        let ends = |word: &str| word == "capacity" || MEMBERS.contains(&word);
        if self.is_name_at(0) && !ends(self.slice()) {
            let help = if domain.is_empty() { DOMAIN } else { PAIRS };
            return Err(self.expected_with("`:`, `=` or `;`", Some(help.to_owned())));
        }
        let initial = match self.eat(Token::Assign) {
            true => Some(self.tokens()?),
            false => None,
        };
        if self.is_word("capacity") {
            let problem = Problem::new(self.span(), "places of coloured nets have no capacity")
                .label("not supported")
                .help("a second place that holds what is free does the same");
            return Err(self.report(problem));
        }
        let help = match self.peek() {
            Token::Comma if initial.is_none() => Some(PAIRS.to_owned()),
            Token::Less | Token::LeftParenthesis | Token::LeftBracket if domain.is_empty() => Some(DOMAIN.to_owned()),
            Token::Less if initial.is_none() => Some("tokens are given with `=`: `place p : P = <a>;`".to_owned()),
            _ if initial.is_some() => self.after_tokens(),
            _ => None,
        };
        self.semicolon_with(help)?;
        Ok(PlaceDeclaration { name, domain, initial })
    }

    /// How it is written what follows tokens in place of a `;`.
    fn after_tokens(&self) -> Option<String> {
        let help = match self.peek() {
            Token::Less | Token::Comma => SUM,
            Token::Quoted => "two tokens of a colour are written `2<a>`, and others are added: `2<a> + <b>`",
            Token::Star => "the number comes before the tokens: `2<a>`",
            _ => return None,
        };
        Some(help.to_owned())
    }

    /// `A`, `bag A`
    fn sort(&mut self) -> Parsed<SortUse> {
        let bag = self.is_word("bag") && self.is_name_at(1);
        if bag {
            self.bump();
        }
        Ok(SortUse { class: self.name("the name of a class")?, bag })
    }

    /// `transition t (A x) [guard] priority 2 { ... }`
    fn transition(&mut self) -> Parsed<TransitionDeclaration> {
        self.bump();
        let name = self.name("the name of a transition")?;
        let variables = match self.eat(Token::LeftParenthesis) {
            true => self.list(Token::RightParenthesis, ")", Self::variable)?,
            false => Vec::new(),
        };
        let guard = match self.eat(Token::LeftBracket) {
            true => {
                let guard = self.guard()?;
                self.expect(Token::RightBracket, "`]`")?;
                Some(guard)
            }
            false => None,
        };
        let priority = match self.eat_word("priority") {
            true => Some(self.amount()?),
            false => None,
        };
        if self.is_word("label") {
            let problem = Problem::new(self.span(), "transitions of coloured nets have no labels")
                .label("not supported")
                .help("labels are for composites of GAL");
            return Err(self.report(problem));
        }
        if self.peek() == Token::LeftBracket {
            let problem = Problem::new(self.span(), "the guard comes before the priority").label("move this");
            return Err(self.report(problem));
        }
        let arcs = self.block("this transition", Self::arc)?;
        Ok(TransitionDeclaration { name, variables, guard, priority, arcs })
    }

    /// `unique bag A x`
    fn variable(&mut self) -> Parsed<VariableDeclaration> {
        let start = self.span();
        let unique = (self.is_word("unique") && self.is_name_at(1) && self.is_name_at(2)).then_some(start);
        if unique.is_some() {
            self.bump();
        }
        let bag = self.is_word("bag") && self.is_name_at(1) && self.is_name_at(2);
        if bag {
            self.bump();
        }
        let class = self.name("a variable with its class, such as `People x`")?;
        if !self.is_name_at(0) {
            let first = shortened(&class.text);
            let help = match self.peek() {
                Token::Parameter => {
                    format!("it is written without `$`: `{first} {}`", shortened(self.slice().trim_start_matches('$')))
                }
                Token::Colon if self.is_name_at(1) => {
                    format!("a variable has a class and a name: `{} {first}`", shortened(self.slice_at(1)))
                }
                _ => format!("a variable has a class and a name: `Class {first}`"),
            };
            let problem = Problem::new(self.span(), format!("expected the name of a variable, found {}", self.found()));
            return Err(self.report(problem.label("expected a name").help(help)));
        }
        Ok(VariableDeclaration { name: self.name("the name of a variable")?, sort: SortUse { class, bag }, unique })
    }

    /// `take p <x>;`
    fn arc(&mut self) -> Parsed<Arc> {
        const WORDS: [&str; 4] = ["take", "put", "read", "inhibit"];
        let kind = match if self.peek() == Token::Identifier { self.slice() } else { "" } {
            "take" => ArcKind::Take,
            "put" => ArcKind::Put,
            "read" => ArcKind::Read,
            "inhibit" => ArcKind::Inhibit,
            "reset" => {
                let problem = Problem::new(self.span(), "coloured nets have no reset arcs").label("not supported");
                return Err(self.report(problem));
            }
            "if" | "when" | "guard" => {
                let help = "a guard stands in brackets before the braces: `transition t (People x) [x != ann] { ... }`";
                return Err(self.none_of("an arc", &[], help));
            }
            _ => {
                let help = "arcs are `take`, `put`, `read` and `inhibit`";
                return Err(self.none_of("an arc", &WORDS, help));
            }
        };
        self.bump();
        let weight = match self.is_name_at(0) {
            true => None,
            false if matches!(self.peek(), Token::Number | Token::Parameter | Token::LeftParenthesis) => {
                Some(self.amount()?)
            }
            false => {
                let help = "the place comes before the tokens: `take p <x>;`".to_owned();
                return Err(self.expected_with("the name of a place", Some(help)));
            }
        };
        let place = self.name("the name of a place")?;
        if self.is_joined(&place, Token::LeftParenthesis) || self.is_joined(&place, Token::LeftBracket) {
            let problem = Problem::new(self.span(), "the tokens of an arc stand between `<` and `>`")
                .label("expected `<`")
                .help(format!("write `{}<x, y>`", place.text));
            return Err(self.report(problem));
        }
        let tokens = match matches!(self.peek(), Token::Semicolon | Token::RightBrace) {
            true => None,
            false => Some(self.tokens()?),
        };
        let help = self.after_tokens();
        self.semicolon_with(help)?;
        Ok(Arc { kind, weight, place, tokens })
    }
}
