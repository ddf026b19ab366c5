//! Declarations, channels and the line that says what kind of system it is.

use super::super::syntax::{Channel, Declaration, File, Initial, SystemLine, Variable, Width};
use super::super::token::Token;
use super::{Failed, Parsed, Parser};
use crate::text::Problem;

const OUTSIDE: [&str; 6] = ["process", "system", "byte", "int", "const", "channel"];

impl Parser<'_> {
    /// A whole file.
    pub fn file(&mut self) -> File {
        let mut file = File::default();
        let mut has_line = false;
        while !self.at_end() && !self.gives_up() {
            let before = self.position();
            has_line |= self.is_word("system");
            if let Err(Failed) = self.item(&mut file) {
                self.recover_outside(before);
            }
        }
        if !has_line && !self.gives_up() {
            let problem = Problem::new(self.last_span(), "the file has no `system` line")
                .label("expected `system async;` after this")
                .help("end the file with `system async;`, or `system sync;` if all processes move together");
            self.report(problem);
        }
        file
    }

    fn item(&mut self, file: &mut File) -> Parsed<()> {
        match self.slice() {
            "process" => file.processes.push(self.process()?),
            "system" => self.system(file)?,
            "channel" => self.channels(&mut file.declarations)?,
            "byte" | "int" | "const" => {
                let variables = self.variables()?;
                file.declarations.extend(variables.into_iter().map(Declaration::Variable));
            }
            _ => {
                let help = "outside of processes there are variables, channels, processes and the line `system async;`";
                return Err(self.none_of("a declaration, a process or `system`", &OUTSIDE, help));
            }
        }
        Ok(())
    }

    /// After an error outside of processes, a closing brace is passed too.
    fn recover_outside(&mut self, before: usize) {
        self.recover(before);
        self.eat(Token::RightBrace);
    }

    fn system(&mut self, file: &mut File) -> Parsed<()> {
        let start = self.bump();
        let synchronous = match self.slice() {
            "async" => false,
            "sync" => true,
            _ => return Err(self.none_of("`async` or `sync`", &["async", "sync"], "write `system async;`")),
        };
        self.bump();
        let property = match self.eat_word("property") {
            true => Some(self.name("the name of a process")?),
            false => None,
        };
        let span = start.to(self.last_span());
        self.semicolon()?;
        if let Some(first) = &file.system {
            let problem = Problem::new(span, "there are two `system` lines").label("this is the second");
            return Err(self.report(problem.related(first.span, "this is the first").help("leave one of them out")));
        }
        file.system = Some(SystemLine { synchronous, property, span });
        Ok(())
    }

    fn channels(&mut self, into: &mut Vec<Declaration>) -> Parsed<()> {
        self.bump();
        let mut carries = None;
        if self.eat(Token::LeftBrace) {
            let mut widths = vec![self.width()?];
            while self.eat(Token::Comma) {
                widths.push(self.width()?);
            }
            self.expect(Token::RightBrace, "`,` or `}`")?;
            carries = Some(widths);
        }
        loop {
            let name = self.name("the name of a channel")?;
            let mut buffer = None;
            if self.eat(Token::LeftBracket) {
                buffer = Some(self.expression()?);
                self.expect(Token::RightBracket, "`]`")?;
            }
            into.push(Declaration::Channel(Channel { name, carries: carries.clone(), buffer }));
            if !self.eat(Token::Comma) {
                return self.semicolon();
            }
        }
    }

    fn width(&mut self) -> Parsed<Width> {
        let width = match self.slice() {
            "byte" => Width::Byte,
            "int" => Width::Int,
            _ => return Err(self.none_of("a type", &["byte", "int"], "the types are `byte` and `int`")),
        };
        self.bump();
        Ok(width)
    }

    /// `const byte x = 1, y[3] = {1, 2, 3};`
    pub fn variables(&mut self) -> Parsed<Vec<Variable>> {
        let constant = self.eat_word("const");
        let width = self.width()?;
        let mut variables = Vec::new();
        loop {
            let name = self.name("the name of a variable")?;
            let mut length = None;
            if self.eat(Token::LeftBracket) {
                length = Some(self.expression()?);
                self.expect(Token::RightBracket, "`]`")?;
                self.one_dimension()?;
            }
            let initial = match self.eat(Token::Assign) {
                true => Some(self.initial()?),
                false => None,
            };
            variables.push(Variable { constant, width, name, length, initial });
            if !self.eat(Token::Comma) {
                self.semicolon()?;
                return Ok(variables);
            }
        }
    }

    fn initial(&mut self) -> Parsed<Initial> {
        let start = self.span();
        if !self.eat(Token::LeftBrace) {
            return Ok(Initial::One(self.expression()?));
        }
        let mut values = vec![self.expression()?];
        while self.eat(Token::Comma) {
            values.push(self.expression()?);
        }
        let end = self.expect(Token::RightBrace, "`,` or `}`")?;
        Ok(Initial::List(values, start.to(end)))
    }
}
