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
/// How several tokens are written.
const SUM: &str = "several tokens are a sum: `<a> + <b>`";

impl Parser<'_> {
    pub(super) fn member(&mut self) -> Parsed<Member> {
        match if self.peek() == Token::Identifier { self.slice() } else { "" } {
            "class" => self.class().map(Member::Class),
            "place" => self.place().map(Member::Place),
            "transition" => self.transition().map(|transition| Member::Transition(Box::new(transition))),
            "var" | "vars" | "variable" => {
                let help = "variables are declared where they are used: `transition t (People x) { ... }`";
                Err(self.none_of("a member of a net", &[], help))
            }
            _ => Err(self.none_of("a member of a net", &MEMBERS, "a net has `class`, `place` and `transition`")),
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
            () if self.peek() == Token::LeftBrace => {
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
        if self.peek() == Token::LeftBracket {
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
                let help = match self.peek() {
                    Token::Comma if !colours.braces => Some(LIST),
                    Token::DotDot => Some(NUMBERED),
                    _ => None,
                };
                self.semicolon_with(help.map(str::to_owned))?;
                Vec::new()
            }
        };
        Ok(ClassDeclaration { name, order, colours, sets, partition })
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
        self.expect(Token::DotDot, "`..`")?;
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
        let name = self.name("the name of a place")?;
        let mut domain = Vec::new();
        if self.eat(Token::Colon) {
            domain.push(self.sort()?);
            while self.eat(Token::Star) {
                domain.push(self.sort()?);
            }
        }
        let ends = |word: &str| word == "capacity" || MEMBERS.contains(&word);
        if domain.is_empty() && self.is_name_at(0) && !ends(self.slice()) {
            let (class, name) = (shortened(&name.text), shortened(self.slice()));
            let help = format!("the class of a place follows its name: `place {name} : {class};`");
            return Err(self.expected_with("`:`, `=` or `;`", Some(help)));
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
            Token::Comma if initial.is_none() => Some("a place of pairs is written `place p : A * B;`".to_owned()),
            Token::Less | Token::Comma if initial.is_some() => Some(SUM.to_owned()),
            _ => None,
        };
        self.semicolon_with(help)?;
        Ok(PlaceDeclaration { name, domain, initial })
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
            let problem = Problem::new(self.span(), format!("expected the name of a variable, found {}", self.found()))
                .label("expected a name")
                .help(format!("a variable has a class and a name: `Class {}`", class.text));
            return Err(self.report(problem));
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
            false => return Err(self.expected("the name of a place")),
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
        let help = matches!(self.peek(), Token::Less | Token::Comma).then(|| SUM.to_owned());
        self.semicolon_with(help)?;
        Ok(Arc { kind, weight, place, tokens })
    }
}
