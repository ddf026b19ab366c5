//! Processes: their variables, states and transitions.

use super::super::syntax::{Direction, Effect, Expression, Name, Process, Sync, Transition};
use super::super::token::Token;
use super::{Failed, Parsed, Parser};
use crate::text::Problem;

const INSIDE: [&str; 9] = ["state", "init", "commit", "accept", "assert", "trans", "byte", "int", "const"];
const PARTS: [&str; 3] = ["guard", "sync", "effect"];

impl Parser<'_> {
    /// `process P { ... }`
    pub fn process(&mut self) -> Parsed<Process> {
        self.bump();
        let name = self.name("the name of a process")?;
        let open = self.expect(Token::LeftBrace, "`{`")?;
        let mut process = Process {
            name,
            variables: Vec::new(),
            states: Vec::new(),
            initial: Vec::new(),
            commit: Vec::new(),
            accept: Vec::new(),
            assertions: Vec::new(),
            transitions: Vec::new(),
        };
        loop {
            if self.eat(Token::RightBrace) {
                return Ok(process);
            }
            if self.at_end() || self.at_section() || self.gives_up() {
                return Err(self.not_closed("the process", open));
            }
            let before = self.position();
            if let Err(Failed) = self.member(&mut process) {
                self.recover(before);
            }
        }
    }

    fn member(&mut self, process: &mut Process) -> Parsed<()> {
        match self.slice() {
            "byte" | "int" | "const" => process.variables.extend(self.variables()?),
            "state" => {
                self.bump();
                process.states.extend(self.names("the name of a state")?);
            }
            "init" => {
                self.bump();
                process.initial.extend(self.names("the name of a state")?);
            }
            "commit" => {
                self.bump();
                process.commit.extend(self.names("the name of a state")?);
            }
            "accept" => process.accept.extend(self.accepting()?),
            "assert" => self.assertions(process)?,
            "trans" => self.transitions(process)?,
            _ => {
                let help = "a process has variables, then `state`, `init`, `commit`, `accept`, `assert` and `trans`";
                return Err(self.none_of("a part of a process", &INSIDE, help));
            }
        }
        Ok(())
    }

    fn accepting(&mut self) -> Parsed<Vec<Name>> {
        self.bump();
        let automaton = matches!(self.slice(), "genbuchi" | "muller" | "rabin" | "streett");
        if automaton && self.peek_at(1) == Token::LeftParenthesis {
            let problem = Problem::new(self.span(), format!("{} automata are not supported", self.slice()))
                .label("not supported")
                .help("ask for a formula of LTL instead, and leave this line out");
            let failed = self.report(problem);
            // There are semicolons within the parentheses.
            while !self.at_end() && !self.at_section() && self.peek() != Token::RightBrace {
                if self.peek() == Token::RightParenthesis && self.peek_at(1) == Token::Semicolon {
                    break;
                }
                self.bump();
            }
            return Err(failed);
        }
        if self.is_word("buchi") && self.is_name_at(1) {
            self.bump();
        }
        self.names("the name of a state")
    }

    fn assertions(&mut self, process: &mut Process) -> Parsed<()> {
        self.bump();
        loop {
            let state = self.name("the name of a state")?;
            self.expect(Token::Colon, "`:`")?;
            process.assertions.push((state, self.condition()?));
            if !self.eat(Token::Comma) {
                return self.semicolon();
            }
        }
    }

    fn transitions(&mut self, process: &mut Process) -> Parsed<()> {
        self.bump();
        loop {
            let before = self.position();
            let last = process.transitions.last().map(|last| last.from.clone());
            match self.transition(last) {
                Ok(transition) => process.transitions.push(transition),
                Err(Failed) => self.recover_transition(before),
            }
            if self.eat(Token::Comma) {
                continue;
            }
            if self.at_end() || self.at_section() || self.gives_up() {
                return Err(Failed);
            }
            if self.transition_follows() {
                let here = self.last_span();
                self.report(
                    Problem::new(here, "a `,` is missing")
                        .label("expected `,` after this")
                        .help("transitions are separated by `,`; a `;` stands only behind the last of them"),
                );
                self.eat(Token::Semicolon);
                continue;
            }
            return self.semicolon();
        }
    }

    /// Whether another transition follows, although there is no comma.
    fn transition_follows(&self) -> bool {
        let after = usize::from(self.peek() == Token::Semicolon);
        self.is_name_at(after) && self.peek_at(after + 1) == Token::Arrow
    }

    /// Skips the rest of a transition that could not be read, with its closing brace.
    fn recover_transition(&mut self, began: usize) {
        while !self.at_end() && !self.at_section() {
            match self.peek() {
                Token::RightBrace => {
                    self.bump();
                    return;
                }
                Token::Identifier if self.position() > began && matches!(self.slice(), "trans" | "state") => return,
                _ => {}
            }
            self.bump();
        }
    }

    fn transition(&mut self, last: Option<Name>) -> Parsed<Transition> {
        let start = self.span();
        let from = match (self.peek(), last) {
            (Token::Arrow, Some(last)) => last,
            _ => self.name("the name of a state")?,
        };
        if self.peek() == Token::WideArrow {
            let problem = Problem::new(self.span(), "transitions with probabilities are not supported")
                .label("not supported")
                .help("write `->` for each of the states it may lead to");
            return Err(self.report(problem));
        }
        self.expect(Token::Arrow, "`->`")?;
        let to = self.name("the name of a state")?;
        let open = self.expect(Token::LeftBrace, "`{`")?;
        let mut transition = Transition { from, to, guard: None, sync: None, effects: Vec::new(), span: start };
        while !self.eat(Token::RightBrace) {
            if self.at_end() || self.at_section() {
                return Err(self.not_closed("the transition", open));
            }
            self.part(&mut transition)?;
        }
        transition.span = start.to(self.last_span());
        Ok(transition)
    }

    fn part(&mut self, transition: &mut Transition) -> Parsed<()> {
        let start = self.span();
        let word = self.slice();
        let again = match word {
            "guard" => transition.guard.is_some(),
            "sync" => transition.sync.is_some(),
            "effect" => !transition.effects.is_empty(),
            _ => {
                let help = "a transition has a `guard`, a `sync` and an `effect`, each of which may be left out";
                return Err(self.none_of("`guard`, `sync`, `effect` or `}`", &PARTS, help));
            }
        };
        if again {
            let problem = Problem::new(start, format!("a transition has only one `{word}`")).label("a second one");
            return Err(self.report(problem.help(match word {
                "guard" => "join the conditions with `&&`",
                "sync" => "make two transitions of it, with a state between",
                _ => "separate the assignments by `,`",
            })));
        }
        self.bump();
        match word {
            "guard" => transition.guard = Some(self.condition()?),
            "sync" => {
                transition.sync = Some(self.sync()?);
                if self.peek() == Token::Comma {
                    let help = "several values are sent in braces, as in `c!{1, 2}`; a transition has only one `sync`";
                    return Err(self.none_of("`;`", &[], help));
                }
            }
            _ => transition.effects = self.effects()?,
        }
        self.semicolon()
    }

    /// An expression that a `;` ends. A `=` in its place is an old mistake.
    fn condition(&mut self) -> Parsed<Expression> {
        let condition = self.expression()?;
        if self.peek() == Token::Assign {
            let problem = Problem::new(self.span(), "expected `;` or an operator, found `=`");
            return Err(self.report(problem.label("this assigns a value").help("compare with `==`")));
        }
        Ok(condition)
    }

    fn sync(&mut self) -> Parsed<Sync> {
        let channel = self.name("the name of a channel")?;
        let direction = match self.peek() {
            Token::Exclamation => Direction::Send,
            Token::Question => Direction::Receive,
            _ => return Err(self.expected("`!` or `?`")),
        };
        self.bump();
        let mut values = Vec::new();
        if self.eat(Token::LeftBrace) {
            values.push(self.expression()?);
            while self.eat(Token::Comma) {
                values.push(self.expression()?);
            }
            self.expect(Token::RightBrace, "`,` or `}`")?;
        } else if !matches!(self.peek(), Token::Semicolon | Token::RightBrace | Token::End) {
            values.push(self.expression()?);
        }
        Ok(Sync { channel, direction, values })
    }

    fn effects(&mut self) -> Parsed<Vec<Effect>> {
        let mut effects = Vec::new();
        loop {
            let target = self.reference()?;
            if self.peek() == Token::OfC {
                let problem = Problem::new(self.span(), format!("`{}` is not part of the language", self.slice()))
                    .label("expected `=`")
                    .help("write it out, as in `x = x + 1`");
                return Err(self.report(problem));
            }
            self.expect(Token::Assign, "`=`")?;
            effects.push(Effect { target, value: self.expression()? });
            if !self.eat(Token::Comma) {
                return Ok(effects);
            }
        }
    }
}
