//! The declarations of a file: constants, ranges, interfaces, types, `main` and properties.

use super::super::syntax::{
    CompositeType, Constant, Expression, File, Interface, InterfaceLabel, Item, Main, Name, NetType, Origin, Parameter,
    ProgramType, Property, PropertyKind, Range, RangeDeclaration, Template, TypeUse,
};
use super::super::token::Token;
use super::habits::Inside;
use super::{Failed, Parsed, Parser};
use crate::gal::ledger::complaint::shortened;
use crate::text::Problem;

const KIND: &str = "the kind of the property, such as `[reachable]`";

const ITEMS: [&str; 9] = ["typedef", "interface", "gal", "net", "composite", "main", "property", "model", "import"];

impl Parser<'_> {
    pub fn file(&mut self) -> File {
        let mut items = Vec::new();
        while !self.at_end() && !self.gives_up() {
            let before = self.position();
            match self.item() {
                Ok(item) => items.push(item),
                Err(Failed) => self.recover(before),
            }
        }
        File { items }
    }

    fn item(&mut self) -> Parsed<Item> {
        if self.peek() == Token::Parameter {
            let constant = self.constant()?;
            self.semicolon()?;
            return Ok(Item::Constant(constant));
        }
        let word = if self.peek() == Token::Identifier { self.slice() } else { "" };
        match word {
            "typedef" => Ok(Item::Range(self.range_declaration()?)),
            "interface" => Ok(Item::Interface(self.interface()?)),
            "gal" | "GAL" => Ok(Item::Program(self.program_type()?)),
            "net" => Ok(Item::Net(self.net_type()?)),
            "composite" => Ok(Item::Composite(self.composite_type()?)),
            "main" => Ok(Item::Main(self.main()?)),
            "property" => Ok(Item::Property(self.property()?)),
            "model" => {
                self.bump();
                let name = self.name("the name of the model")?;
                self.semicolon()?;
                Ok(Item::Model(name))
            }
            "import" => {
                let problem = Problem::new(self.span(), "`import` is not supported")
                    .label("another file is wanted here")
                    .help("put the declarations of that file into this one");
                Err(self.report(problem))
            }
            _ => Err(self.no_declaration(
                Inside::File,
                "a declaration",
                &ITEMS,
                "a file declares constants (`$N = 3;`), `typedef`, `interface`, `gal`, `net`, `composite`, `main` and `property`",
            )),
        }
    }

    /// `$N = 3`
    pub fn constant(&mut self) -> Parsed<Constant> {
        let name = self.parameter()?;
        self.expect(Token::Assign, "`=` and the value")?;
        Ok(Constant { name, value: self.integer()? })
    }

    /// `($N = 3, $K = 2)`, or nothing.
    pub fn constants(&mut self) -> Parsed<Vec<Constant>> {
        match self.eat(Token::LeftParenthesis) {
            true => self.list(Token::RightParenthesis, ")", Self::constant),
            false => Ok(Vec::new()),
        }
    }

    /// `typedef index_t = 0..3;`
    pub fn range_declaration(&mut self) -> Parsed<RangeDeclaration> {
        self.bump();
        let name = self.name("the name of a range")?;
        self.expect(Token::Assign, "`=` and a range")?;
        let (least, greatest) = self.between()?;
        self.semicolon()?;
        Ok(RangeDeclaration { name, least, greatest })
    }

    /// `0..3`
    fn between(&mut self) -> Parsed<(Expression, Expression)> {
        let least = self.integer()?;
        self.expect(Token::DotDot, "`..`")?;
        Ok((least, self.integer()?))
    }

    /// The range of a parameter.
    pub fn range(&mut self) -> Parsed<Range> {
        if self.is_name_at(0) {
            return Ok(Range::Named(self.name("a range")?));
        }
        let is_alone = self.infix_is_absent(1) || self.is_word_at(1, "in");
        if self.peek() == Token::Parameter && self.peek_at(1) != Token::DotDot && is_alone {
            let problem = Problem::new(self.span(), "a parameter needs a range")
                .label("expected the name of a range before this")
                .help("write `index_t $i`, where `typedef index_t = 0..3;` is declared, or `0..3 $i`");
            return Err(self.report(problem));
        }
        let (least, greatest) = self.between()?;
        Ok(Range::Between(Box::new(least), Box::new(greatest)))
    }

    fn infix_is_absent(&self, ahead: usize) -> bool {
        matches!(self.peek_at(ahead), Token::Comma | Token::RightParenthesis | Token::Assign | Token::Colon)
    }

    /// `(range $i, range $j)`, or nothing.
    pub fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        match self.eat(Token::LeftParenthesis) {
            true => self.list(Token::RightParenthesis, ")", |parser| {
                let range = parser.range()?;
                if parser.peek() != Token::Parameter {
                    let help = match parser.peek() {
                        Token::Identifier | Token::Colon => {
                            "a parameter comes after its range and begins with `$`: `(0..3 $i)`"
                        }
                        _ => "parentheses hold parameters with their ranges; a guard stands in brackets: `[x == 1]`",
                    };
                    return Err(parser.expected_with("a parameter such as `$i`", Some(help.to_owned())));
                }
                Ok(Parameter { range, name: parser.parameter()? })
            }),
            false => Ok(Vec::new()),
        }
    }

    fn interface(&mut self) -> Parsed<Interface> {
        self.bump();
        let name = self.name("the name of an interface")?;
        let labels = self.block("an interface", |parser| {
            parser.eat_word("label");
            let name = parser.quoted_text("a label such as `label \"a\";`")?;
            let parameters = parser.parameters()?;
            parser.semicolon()?;
            Ok(InterfaceLabel { name, parameters })
        })?;
        Ok(Interface { name, labels })
    }

    fn program_type(&mut self) -> Parsed<ProgramType> {
        self.bump();
        let name = self.name("the name of a type")?;
        let parameters = self.constants()?;
        let members = self.block("this type", Self::program_member)?;
        Ok(ProgramType { name, parameters, members })
    }

    fn net_type(&mut self) -> Parsed<NetType> {
        self.bump();
        let name = self.name("the name of a type")?;
        let parameters = self.constants()?;
        let members = self.block("this type", Self::net_member)?;
        Ok(NetType { name, parameters, members })
    }

    fn composite_type(&mut self) -> Parsed<CompositeType> {
        self.bump();
        let name = self.name("the name of a type")?;
        let templates = match self.eat(Token::Less) {
            true => self.list(Token::Greater, ">", Self::template)?,
            false => Vec::new(),
        };
        let parameters = self.constants()?;
        let members = self.block("this type", Self::composite_member)?;
        Ok(CompositeType { name, templates, parameters, members })
    }

    /// `T extends Iface, Other`: a comma before a further `extends` begins the next template.
    fn template(&mut self) -> Parsed<Template> {
        let name = self.name("the name of a template's type")?;
        let mut interfaces = Vec::new();
        if self.eat_word("extends") {
            interfaces.push(self.name("the name of an interface")?);
            while self.eat(Token::And) {
                interfaces.push(self.name("the name of an interface")?);
            }
        }
        Ok(Template { name, interfaces })
    }

    /// `Type<Other, Third<Fourth>>`
    pub fn type_use(&mut self) -> Parsed<TypeUse> {
        let (use_of, closed) = self.type_use_with_rest()?;
        match closed {
            true => {
                let problem = Problem::new(self.last_span(), "a `>` too many").label("only one was opened");
                Err(self.report(problem))
            }
            false => Ok(use_of),
        }
    }

    /// A use of a type, and whether a `>>` closed the type around it as well.
    fn type_use_with_rest(&mut self) -> Parsed<(TypeUse, bool)> {
        let name = self.name("the name of a type")?;
        let mut arguments = Vec::new();
        if !self.eat(Token::Less) {
            return Ok((TypeUse { name, arguments }, false));
        }
        loop {
            let (argument, closed) = self.deeper(Self::type_use_with_rest)?;
            arguments.push(argument);
            if closed || self.eat(Token::Greater) {
                return Ok((TypeUse { name, arguments }, false));
            }
            if self.eat(Token::ShiftRight) {
                return Ok((TypeUse { name, arguments }, true));
            }
            if !self.eat(Token::Comma) {
                return Err(self.expected("`,` or `>`"));
            }
        }
    }

    /// `from full, empty`, or nothing.
    pub fn from(&mut self) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        if self.eat_word("from") {
            names.push(self.name("the name of an initial state")?);
            while self.eat(Token::Comma) {
                names.push(self.name("the name of an initial state")?);
            }
        }
        Ok(names)
    }

    fn main(&mut self) -> Parsed<Main> {
        self.bump();
        let type_use = self.type_use()?;
        let bindings = self.constants()?;
        let from = self.from()?;
        self.semicolon()?;
        Ok(Main { type_use, bindings, from })
    }

    pub fn property(&mut self) -> Parsed<Property> {
        self.bump();
        let name = self.property_name()?;
        if self.peek() != Token::LeftBracket {
            let help = format!("write `property {} [invariant] : ...`", shortened(&name.text));
            return Err(self.expected_with(KIND, Some(help)));
        }
        let kind = self.kind()?;
        self.expect(Token::Colon, "`:` and a formula")?;
        let formula = self.formula()?;
        let help = self.other_operator_in_formula();
        self.semicolon_with(help)?;
        Ok(Property { name, kind, formula })
    }

    /// A name, or words without blanks between them: `Ring-PT-005-0`.
    fn property_name(&mut self) -> Parsed<Name> {
        match self.peek() {
            Token::Text => return self.quoted_text("the name of a property"),
            Token::Quoted => return self.name("the name of a property"),
            _ => {}
        }
        let start = self.span();
        let mut end = start;
        while matches!(self.peek(), Token::Identifier | Token::Number | Token::Minus | Token::Dot)
            && (self.span().start == end.end || self.span() == start)
        {
            end = self.bump();
        }
        let span = start.to(end);
        if self.span() == start {
            return Err(self.expected("the name of a property"));
        }
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or("").to_string();
        Ok(Name { text, origin: Origin(span) })
    }

    /// `[reachable]`
    fn kind(&mut self) -> Parsed<PropertyKind> {
        self.expect(Token::LeftBracket, KIND)?;
        let kind = PropertyKind::ALL.into_iter().find(|kind| self.is_word(kind.word()));
        let Some(kind) = kind else {
            let words = PropertyKind::ALL.map(PropertyKind::word);
            let help = "kinds are `reachable`, `invariant`, `never`, `bounds`, `ctl` and `ltl`";
            return Err(self.none_of("a kind of property", &words, help));
        };
        self.bump();
        self.expect(Token::RightBracket, "`]`")?;
        Ok(kind)
    }

    /// `[kind] : formula`, where the kind may be left out, and nothing else.
    pub fn formula_alone(&mut self) -> Parsed<(Option<PropertyKind>, Expression)> {
        let mut kind = None;
        if let Some(help) = self.other_question() {
            return Err(self.expected_with("a formula", Some(help)));
        }
        if self.peek() == Token::LeftBracket && self.temporal_sign(0).is_none() {
            kind = Some(self.kind()?);
            self.eat(Token::Colon);
        }
        let formula = self.formula()?;
        self.eat(Token::Semicolon);
        match self.at_end() {
            true => Ok((kind, formula)),
            false => Err(self.end_expected()),
        }
    }

    /// Reports what follows a formula; often it is an operator of another language.
    fn end_expected(&mut self) -> Failed {
        let help = self.other_operator_in_formula();
        self.expected_with("an operator or the end of the formula", help)
    }

    /// Reports that something else was expected after an expression.
    pub(super) fn expected_or_operator(&mut self, what: &str) -> Failed {
        let problem = Problem::new(self.span(), format!("expected {what}, found {}", self.found()));
        let problem = problem.label(format!("expected {what}"));
        let help = self.other_operator();
        self.report(match help {
            Some(help) => problem.help(help),
            None => problem,
        })
    }
}
