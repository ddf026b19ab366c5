//! What types declare.

use super::super::syntax::{
    Change, Choice, CompositeMember, Definition, Given, Initial, InstanceDeclaration, Letters, NetMember, Origin,
    PlaceDeclaration, ProgramMember, QueueDeclaration, Unit, Values, VariableDeclaration, Word,
};
use super::super::token::Token;
use super::habits::{Inside, Read, other_kind};
use super::{Parsed, Parser};
use crate::gal::ledger::complaint::shortened;
use crate::text::Problem;

const PROGRAM: [&str; 9] =
    ["int", "array", "hotbit", "typedef", "alias", "predicate", "transition", "initial", "symmetry"];
const NET: [&str; 10] =
    ["place", "queue", "typedef", "alias", "predicate", "transition", "initial", "symmetry", "unit", "root"];

impl Parser<'_> {
    pub fn program_member(&mut self) -> Parsed<ProgramMember> {
        let word = if self.peek() == Token::Identifier { self.slice() } else { "" };
        match word {
            "int" | "array" | "hotbit" => Ok(ProgramMember::Variable(self.variable()?)),
            "typedef" => Ok(ProgramMember::Range(self.range_declaration()?)),
            "alias" => Ok(ProgramMember::Alias(self.definition()?)),
            "predicate" => Ok(ProgramMember::Predicate(self.definition()?)),
            "transition" => Ok(ProgramMember::Transition(self.transition(Self::action)?)),
            "initial" => Ok(ProgramMember::Initial(self.initial(Self::change)?)),
            "symmetry" => Ok(ProgramMember::Symmetry(self.symmetry()?)),
            "TRANSIENT" => {
                self.bump();
                self.expect(Token::Assign, "`=` and a condition")?;
                let condition = self.expression()?;
                self.semicolon()?;
                Ok(ProgramMember::Transient(condition))
            }
            _ if other_kind(word).is_some() && (self.is_name_at(1) || self.peek_at(1) == Token::LeftBracket) => {
                let problem = Problem::new(self.span(), format!("there is no type `{word}`")).label("expected `int`");
                Err(self.report(problem.help(other_kind(word).unwrap_or_default())))
            }
            _ => Err(self.no_declaration(
                Inside::Program,
                "a declaration",
                &PROGRAM,
                "a `gal` type declares `int`, `array`, `hotbit`, `typedef`, `alias`, `predicate`, `TRANSIENT`, `transition`, `initial` and `symmetry`",
            )),
        }
    }

    fn variable(&mut self) -> Parsed<VariableDeclaration> {
        let mut hotbit = None;
        if self.eat_word("hotbit") {
            self.expect(Token::LeftParenthesis, "`(` and a range")?;
            hotbit = Some(self.range()?);
            self.expect(Token::RightParenthesis, "`)`")?;
        }
        let length = match self.eat_word("array") {
            true => Some(self.length()?),
            false if self.eat_word("int") => None,
            false => return Err(self.expected("`int`")),
        };
        if length.is_some() {
            self.one_dimension()?;
        }
        if length.is_none() && self.peek() == Token::LeftBracket {
            let help = "elements with indices are an array: `array [3] a;`".to_owned();
            return Err(self.expected_with("the name of a variable", Some(help)));
        }
        let name = self.name("the name of a variable")?;
        let values = self.values(length.is_some())?;
        self.semicolon_after(&Read::Variable(&name.text))?;
        Ok(VariableDeclaration { name, hotbit, length, values })
    }

    /// `[4]`
    fn length(&mut self) -> Parsed<super::Expression> {
        if self.is_name_at(0) && self.peek_at(1) == Token::LeftBracket {
            let help = format!("write `array [...] {};`", shortened(self.slice()));
            return Err(self.expected_with("`[` and the number of elements", Some(help)));
        }
        self.expect(Token::LeftBracket, "`[` and the number of elements")?;
        let length = self.integer()?;
        self.expect(Token::RightBracket, "`]`")?;
        Ok(length)
    }

    /// `= 3` (of an array, for each element), `= (0, 1)`, or nothing.
    fn values(&mut self, many: bool) -> Parsed<Values> {
        if !self.eat(Token::Assign) {
            return Ok(Values::None);
        }
        match self.peek() {
            Token::LeftBrace | Token::LeftBracket if many => {
                let help = "each element has a value, in parentheses: `(0, 1, 0)`, or all have one: `1`".to_owned();
                let failed = self.expected_with("`(` and the initial values", Some(help));
                // What stands there in braces or brackets is no declaration.
                while !matches!(self.peek(), Token::Semicolon | Token::End) {
                    self.bump();
                }
                return Err(failed);
            }
            Token::LeftParenthesis if many => self.bump(),
            _ => return Ok(Values::One(self.integer()?)),
        };
        Ok(Values::List(self.list(Token::RightParenthesis, ")", Self::integer)?))
    }

    /// `alias name = expression;`
    fn definition(&mut self) -> Parsed<Definition> {
        self.bump();
        let name = self.name("a name")?;
        self.expect(Token::Assign, "`=` and what the name stands for")?;
        let value = self.expression()?;
        self.semicolon()?;
        Ok(Definition { name, value })
    }

    /// `initial name { ... }` or `initial name;`
    fn initial<C>(&mut self, change: fn(&mut Self) -> Parsed<C>) -> Parsed<Initial<C>> {
        self.bump();
        let name = self.name("the name of an initial state")?;
        let changes = match self.eat(Token::Semicolon) {
            true => None,
            false if self.peek() == Token::Assign => {
                let help =
                    "where a variable or a place begins is said where it is declared: `int x = 1;`, `place p = 1;`";
                return Err(self.expected_with("`{`", Some(help.to_owned())));
            }
            false => Some(self.block("this initial state", change)?),
        };
        Ok(Initial { name, changes })
    }

    /// `x = 3;`
    fn change(&mut self) -> Parsed<Change> {
        let target = self.reference()?;
        self.expect(Token::Assign, "`=` and a value")?;
        let value = match self.peek() {
            Token::LeftBracket => Given::Word(self.word()?),
            _ => Given::Number(self.integer()?),
        };
        self.semicolon()?;
        Ok(Change { target, value })
    }

    pub fn net_member(&mut self) -> Parsed<NetMember> {
        let word = if self.peek() == Token::Identifier { self.slice() } else { "" };
        match word {
            "place" => Ok(NetMember::Place(self.place()?)),
            "queue" => Ok(NetMember::Queue(self.queue()?)),
            "typedef" => Ok(NetMember::Range(self.range_declaration()?)),
            "alias" => Ok(NetMember::Alias(self.definition()?)),
            "predicate" => Ok(NetMember::Predicate(self.definition()?)),
            "transition" => Ok(NetMember::Transition(self.transition(Self::arc)?)),
            "initial" => Ok(NetMember::Initial(self.initial(Self::change)?)),
            "symmetry" => Ok(NetMember::Symmetry(self.symmetry()?)),
            "unit" => Ok(NetMember::Unit(self.unit()?)),
            "safe" | "root" => {
                let safe = self.eat_word("safe");
                if !self.eat_word("root") {
                    return Err(self.expected("`root`"));
                }
                let name = self.name("the name of a unit")?;
                self.semicolon()?;
                Ok(NetMember::Root(name, safe))
            }
            _ => Err(self.no_declaration(
                Inside::Net,
                "a declaration",
                &NET,
                "a `net` type declares `place`, `queue`, `typedef`, `alias`, `predicate`, `transition`, `initial`, `symmetry` and `unit`",
            )),
        }
    }

    fn place(&mut self) -> Parsed<PlaceDeclaration> {
        self.bump();
        let length = match self.peek() {
            Token::LeftBracket => Some(self.length()?),
            _ => None,
        };
        let name = self.name("the name of a place")?;
        let values = self.values(length.is_some())?;
        let capacity = self.amount_after("capacity")?;
        self.semicolon_after(&Read::Place(&name.text))?;
        Ok(PlaceDeclaration { name, length, values, capacity })
    }

    /// `capacity 3`, or nothing.
    pub(super) fn amount_after(&mut self, word: &str) -> Parsed<Option<super::Expression>> {
        if !self.eat_word(word) {
            return Ok(None);
        }
        if self.peek() == Token::Assign {
            let help = format!("the number follows the word: `{word} 3`");
            return Err(self.expected_with("a number", Some(help)));
        }
        self.integer().map(Some)
    }

    /// `queue [2] q { a, b, 0..3 } = [a, b] capacity 3;`
    fn queue(&mut self) -> Parsed<QueueDeclaration> {
        self.bump();
        let length = match self.peek() {
            Token::LeftBracket => Some(self.length()?),
            _ => None,
        };
        let name = self.name("the name of a queue")?;
        self.expect(Token::LeftBrace, "`{` and the letters of the queue")?;
        let letters = self.list(Token::RightBrace, "}", |parser| {
            let first = parser.integer()?;
            Ok(match parser.eat(Token::DotDot) {
                true => Letters::Between(first, parser.integer()?),
                false => Letters::One(first),
            })
        })?;
        let word = match self.eat(Token::Assign) {
            true => Some(self.word()?),
            false => None,
        };
        let capacity = self.amount_after("capacity")?;
        self.semicolon()?;
        Ok(QueueDeclaration { name, length, letters, word, capacity })
    }

    /// `[a, b]`
    fn word(&mut self) -> Parsed<Word> {
        let start = self.span();
        self.expect(Token::LeftBracket, "`[` and the letters of a queue")?;
        let letters = self.list(Token::RightBracket, "]", Self::integer)?;
        Ok(Word { letters, origin: Origin(start) })
    }

    fn unit(&mut self) -> Parsed<Unit> {
        self.bump();
        let name = self.name("the name of a unit")?;
        let mut places = Vec::new();
        let mut children = Vec::new();
        self.block("this unit", |parser| {
            if parser.is_word("unit") && parser.is_name_at(1) {
                parser.bump();
                children.push(parser.name("the name of a unit")?);
            } else {
                places.push(parser.reference()?);
            }
            parser.semicolon()
        })?;
        Ok(Unit { name, places, children })
    }

    pub fn composite_member(&mut self) -> Parsed<CompositeMember> {
        let word = if self.peek() == Token::Identifier { self.slice() } else { "" };
        match word {
            "typedef" => Ok(CompositeMember::Range(self.range_declaration()?)),
            "predicate" => Ok(CompositeMember::Predicate(self.definition()?)),
            "alias" => Ok(CompositeMember::Alias(self.definition()?)),
            "synchronization" | "synchronisation" => Ok(CompositeMember::Synchronisation(self.transition(Self::call)?)),
            "initial" => Ok(CompositeMember::Initial(self.initial(Self::choice)?)),
            "symmetry" if self.declares_symmetry() => Ok(CompositeMember::Symmetry(self.symmetry()?)),
            _ if self.is_name_at(0) => Ok(CompositeMember::Instance(self.instance()?)),
            _ => Err(self.expected("an instance or a `synchronization`")),
        }
    }

    /// Whether this is no instance of a type that happens to be called `symmetry`.
    fn declares_symmetry(&self) -> bool {
        let open = |ahead| self.peek_at(ahead) == Token::LeftBrace;
        self.is_name_at(1) && (open(2) || self.is_name_at(2) && open(3))
    }

    fn instance(&mut self) -> Parsed<InstanceDeclaration> {
        let words = ["synchronization", "typedef", "predicate", "initial", "alias", "symmetry"];
        if self.is_name_at(1) && self.peek_at(2) == Token::LeftBracket && !words.contains(&self.slice()) {
            let kind = self.slice().to_owned();
            self.bump();
            let name = self.slice().to_owned();
            self.bump();
            let problem = Problem::new(self.span(), "the number of instances comes before their name")
                .label("expected `;`")
                .help(format!("write `{kind} [...] {name};`"));
            return Err(self.report(problem));
        }
        if self.is_name_at(1) && matches!(self.peek_at(2), Token::LeftBrace | Token::LeftBracket)
            || self.is_word_at(2, "label")
            || self.peek_at(1) == Token::LeftBrace
        {
            return Err(self.no_declaration(
                Inside::Composite,
                "an instance or a `synchronization`",
                &words,
                "a composite declares instances (`Type name;`), `synchronization`, `typedef`, `predicate`, `initial` and `symmetry`",
            ));
        }
        let type_use = self.type_use()?;
        let length = match self.peek() {
            Token::LeftBracket => Some(self.length()?),
            _ => None,
        };
        let name = self.name("the name of an instance")?;
        let bindings = self.constants()?;
        let from = self.from()?;
        self.semicolon_after(&Read::Instance(&type_use.name.text))?;
        Ok(InstanceDeclaration { type_use, length, name, bindings, from })
    }

    /// `c from full, empty;`
    fn choice(&mut self) -> Parsed<Choice> {
        let instance = self.reference()?;
        if !self.is_word("from") {
            return Err(self.expected("`from` and the name of an initial state"));
        }
        let from = self.from()?;
        self.semicolon()?;
        Ok(Choice { instance, from })
    }
}
