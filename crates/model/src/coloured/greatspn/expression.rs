//! Sums of tuples, as they stand on arcs and in markings: as they are written, before names have a meaning.

use super::palette::{Name, Part, PartColours};
use super::parse::Parser;
use super::predicate::Predicate;
use super::token::Token;
use crate::coloured::ClassOrder;
use crate::text::cursor::Parsed;
use crate::text::{Problem, Span};

/// One of the tuples that are added up.
#[derive(Clone, Debug)]
pub(super) struct Addend {
    /// It is taken away.
    pub negative: bool,
    /// How many times.
    pub factor: u32,
    /// When it counts.
    pub guard: Option<Predicate>,
    pub what: What,
    pub span: Span,
}

/// What there is so many times.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// `<x, All - y>`
    Tuple(Vec<Component>),
    /// `S`: every tuple of the domain.
    Everything,
    /// A constant that stands for tokens.
    Constant(Name),
}

/// A component of a tuple: a sum of colours and sets of colours.
pub(super) type Component = Vec<Summand>;

/// A part of a component.
#[derive(Clone, Debug)]
pub(super) struct Summand {
    pub negative: bool,
    pub factor: u32,
    pub set: Set,
    pub span: Span,
}

/// A colour or a set of colours.
#[derive(Clone, Debug)]
pub(super) enum Set {
    /// `x`, `x++`, a colour, and in the editor also a class or a subclass.
    Named(Name, i64),
    /// `All`, `S`
    All,
    /// `S C1`
    Subclass(Name),
    /// `S 1`: a subclass by its number, from 1 on.
    Nth(i64, Span),
    /// `Subclass[x]`: the subclass that a colour is in.
    SubclassOf(Name),
}

/// A class as it is defined in a project.
#[derive(Clone, Debug)]
pub(super) enum ClassDefinition {
    /// `circular p{1..4} is Low + {a, b} is High`
    Class(ClassOrder, Vec<Part>),
    /// `A * B`
    Product(Vec<Name>),
}

impl Parser<'_, '_> {
    /// `2<x,S> + [d(x)=C1]<y,z> - <a,b>`
    pub fn tokens(&mut self) -> Parsed<Vec<Addend>> {
        let mut addends = Vec::new();
        self.sum(false, &mut addends)?;
        Ok(addends)
    }

    fn sum(&mut self, negative: bool, addends: &mut Vec<Addend>) -> Parsed<()> {
        let mut sign = negative;
        loop {
            self.addend(sign, addends)?;
            match self.cursor.peek() {
                Token::Plus => sign = negative,
                Token::Minus => sign = !negative,
                _ => return Ok(()),
            }
            self.cursor.bump();
        }
    }

    fn addend(&mut self, negative: bool, addends: &mut Vec<Addend>) -> Parsed<()> {
        let start = self.cursor.span();
        if self.is_editor() && self.cursor.peek() == Token::LeftParenthesis && self.parenthesis_has_tuples() {
            let open = self.cursor.bump();
            self.nested(|parser| parser.sum(negative, addends))?;
            self.cursor.close_parenthesis(open)?;
            return Ok(());
        }
        let bare = self.is_editor() && self.cursor.peek() == Token::Identifier;
        if bare && !self.at_number() && self.cursor.peek_at(1) != Token::LeftBracket {
            let name = self.name("a tuple")?;
            let span = name.span;
            addends.push(Addend { negative, factor: 1, guard: None, what: What::Constant(name), span });
            return Ok(());
        }
        let factor = match self.cursor.peek() {
            Token::Less | Token::LeftBracket => 1,
            Token::Identifier if !self.is_editor() && self.cursor.is_word("S") => 1,
            Token::Other => return Err(self.unsupported("a bag that depends on the marking", FIXED)),
            Token::Number | Token::Identifier | Token::Bar | Token::LeftParenthesis => self.amount()?,
            Token::Minus if self.is_editor() => self.amount()?,
            _ => return Err(self.cursor.expected("a tuple, as `<x>`")),
        };
        if !self.is_editor() && self.cursor.eat_word("S") {
            let span = self.since(start);
            addends.push(Addend { negative, factor, guard: None, what: What::Everything, span });
            return Ok(());
        }
        let guard = match self.cursor.eat(Token::LeftBracket) {
            true => {
                let guard = self.predicate()?;
                self.cursor.expect(Token::RightBracket, "`]`")?;
                Some(guard)
            }
            false => None,
        };
        let what = What::Tuple(self.tuple()?);
        if self.cursor.peek() == Token::LeftBracket {
            return Err(self.unsupported("a filter after a tuple", "put the condition before it: `[x != c1]<x>`"));
        }
        addends.push(Addend { negative, factor, guard, what, span: self.since(start) });
        Ok(())
    }

    /// Whether there is a tuple between this parenthesis and the one that closes it.
    fn parenthesis_has_tuples(&self) -> bool {
        let mut depth = 0_usize;
        for ahead in 0.. {
            match self.cursor.peek_at(ahead) {
                Token::LeftParenthesis => depth += 1,
                Token::RightParenthesis => depth -= 1,
                Token::Less => return true,
                Token::End => return false,
                _ => {}
            }
            if depth == 0 {
                return false;
            }
        }
        false
    }

    /// `<x, All - y>`
    fn tuple(&mut self) -> Parsed<Vec<Component>> {
        self.cursor.expect(Token::Less, "a tuple, as `<x>`")?;
        let mut components = vec![self.component()?];
        while self.cursor.eat(Token::Comma) {
            components.push(self.component()?);
        }
        self.cursor.expect(Token::Greater, "`,` or `>`")?;
        Ok(components)
    }

    fn component(&mut self) -> Parsed<Component> {
        let mut summands = Vec::new();
        let mut negative = false;
        loop {
            let begins = self.cursor.span();
            let counted = self.at_number() || self.cursor.peek() == Token::Bar;
            let factor = if !self.is_editor() && counted { self.amount()? } else { 1 };
            let set = self.set()?;
            summands.push(Summand { negative, factor, set, span: self.since(begins) });
            match self.cursor.peek() {
                Token::Plus => negative = false,
                Token::Minus => negative = true,
                _ => break,
            }
            self.cursor.bump();
        }
        Ok(summands)
    }

    /// A colour or a set of colours.
    pub fn set(&mut self) -> Parsed<Set> {
        if self.is_editor() { self.editor_set() } else { self.net_set() }
    }

    fn editor_set(&mut self) -> Parsed<Set> {
        if self.cursor.eat_word("All") {
            return Ok(Set::All);
        }
        if self.cursor.is_word("Subclass") && self.cursor.peek_at(1) == Token::LeftBracket {
            self.cursor.bump();
            self.cursor.bump();
            let name = self.name("a variable")?;
            self.cursor.expect(Token::RightBracket, "`]`")?;
            return Ok(Set::SubclassOf(name));
        }
        if self.cursor.peek() == Token::Other {
            return Err(self.unsupported("`@` outside of a filter", "name the variable"));
        }
        let (name, steps) = self.term("a variable, a colour or a set, as `x` or `All`")?;
        Ok(Set::Named(name, steps))
    }

    fn net_set(&mut self) -> Parsed<Set> {
        if !self.cursor.eat_word("S") {
            let (name, steps) = self.term("a variable or a set, as `x` or `S`")?;
            return Ok(Set::Named(name, steps));
        }
        match self.cursor.peek() {
            Token::Number => {
                let span = self.place(self.cursor.span());
                Ok(Set::Nth(self.literal()?, span))
            }
            Token::Identifier => Ok(Set::Subclass(self.name("a subclass")?)),
            _ => Ok(Set::All),
        }
    }

    /// A name with how many steps after it: `x++` in the editor, `!x` and `^x` in a `.net` file.
    pub fn term(&mut self, what: &str) -> Parsed<(Name, i64)> {
        let mut steps = 0;
        if !self.is_editor() {
            match self.cursor.peek() {
                Token::Exclamation => steps = 1,
                Token::Caret => steps = -1,
                _ => {}
            }
            if steps != 0 {
                self.cursor.bump();
            }
            return Ok((self.name(what)?, steps));
        }
        let name = self.name(what)?;
        loop {
            let step = match self.cursor.peek() {
                Token::PlusPlus => 1,
                Token::MinusMinus => -1,
                _ => return Ok((name, steps)),
            };
            let span = self.cursor.bump();
            // Classes that are stepped through go round, so that steps add up whatever their signs.
            steps += step;
            if steps.unsigned_abs() > u64::from(u32::MAX) {
                return Err(self.cursor.report(Problem::new(span, "too many steps")));
            }
        }
    }

    /// The names of a domain: `X,Y`
    pub fn domain(&mut self) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name("the name of a class")?];
        while self.cursor.eat(Token::Comma) {
            names.push(self.name("the name of a class")?);
        }
        Ok(names)
    }

    /// A class in a project.
    pub fn class_definition(&mut self) -> Parsed<ClassDefinition> {
        if self.cursor.peek() == Token::Identifier && self.cursor.peek_at(1) == Token::Star {
            let mut names = vec![self.name("a class")?];
            while self.cursor.eat(Token::Star) {
                names.push(self.name("a class")?);
            }
            return Ok(ClassDefinition::Product(names));
        }
        let mut order = ClassOrder::Unordered;
        while self.cursor.peek() == Token::Identifier
            && (self.cursor.peek_at(1) == Token::Identifier || ORDERS.contains(&self.cursor.slice()))
        {
            order = match self.cursor.slice() {
                // The editor takes both for the same.
                "circular" | "ordered" => ClassOrder::Circular,
                "unordered" | "enum" => order,
                _ => return Err(self.cursor.none_of("a definition of colours", &ORDERS, DEFINITION)),
            };
            self.cursor.bump();
        }
        let mut parts = vec![self.part(Token::Dots)?];
        while self.cursor.eat(Token::Plus) {
            parts.push(self.part(Token::Dots)?);
        }
        Ok(ClassDefinition::Class(order, parts))
    }

    /// `{a, b}`, `p{1..4}`, with `is Low` in a project; `between` is what stands between the bounds of a range.
    pub fn part(&mut self, between: Token) -> Parsed<Part> {
        let start = self.cursor.span();
        let prefix = match self.cursor.peek() {
            Token::Identifier => self.name("`{`")?.text,
            _ => String::new(),
        };
        self.cursor.expect(Token::LeftBrace, "`{`")?;
        let is_range = !prefix.is_empty() || self.cursor.peek_at(1) == between;
        let colours = if is_range { self.range(prefix, between)? } else { self.list()? };
        self.cursor.expect(Token::RightBrace, "`}`")?;
        let span = self.since(start);
        let name = match self.is_editor() && self.cursor.eat_word("is") {
            true => Some(self.name("the name of a subclass")?),
            false => None,
        };
        Ok(Part { name, colours, span })
    }

    fn list(&mut self) -> Parsed<PartColours> {
        let mut names = vec![self.name("the name of a colour")?];
        while self.cursor.eat(Token::Comma) {
            names.push(self.name("the name of a colour")?);
        }
        Ok(PartColours::Listed(names))
    }

    fn range(&mut self, prefix: String, between: Token) -> Parsed<PartColours> {
        let start = self.cursor.span();
        let first = self.number()?;
        let what = if between == Token::Minus { "`-`" } else { "`..`" };
        self.cursor.expect(between, what)?;
        let last = self.number()?;
        let count = last.checked_sub(first).and_then(|count| count.checked_add(1));
        match count.and_then(|count| u32::try_from(count).ok()) {
            Some(count) if count > 0 && first >= 0 => Ok(PartColours::Range { prefix, first, count }),
            _ => {
                let span = start.to(self.cursor.last_span());
                let problem = Problem::new(span, format!("there are no colours from {first} to {last}"));
                Err(self.cursor.report(problem.label("expected two numbers from 0 on, the lower one first")))
            }
        }
    }

    /// `u C1,C2` or `o C1,C2`: a class in a `.def` file, by its subclasses.
    pub fn subclass_names(&mut self) -> Parsed<(ClassOrder, Vec<Name>)> {
        let order = match self.cursor.slice() {
            "o" => ClassOrder::Circular,
            "u" => ClassOrder::Unordered,
            _ => return Err(self.cursor.expected("`o`, `u` or `{`")),
        };
        self.cursor.bump();
        let mut names = vec![self.name("the name of a subclass")?];
        while self.cursor.eat(Token::Comma) {
            names.push(self.name("the name of a subclass")?);
        }
        Ok((order, names))
    }
}

const FIXED: &str = "what an arc takes or puts may depend on the binding, but not on the marking";
const ORDERS: [&str; 4] = ["circular", "ordered", "unordered", "enum"];
const DEFINITION: &str = "a class is defined as `{a, b}`, `c{1..4}`, `circular c{1..4}` or `A * B`";
