//! Transitions and synchronisations, and what they do.

use super::super::syntax::{Action, Arc, ArcKind, Assignment, Call, Label, Origin, Parameter, Step, Transition};
use super::super::token::Token;
use super::habits::Read;
use super::{Parsed, Parser};
use crate::text::Problem;

const STATEMENTS: &str = "statements are `x = 1;`, `x += 1;`, `x -= 1;`, `t[i] = 1;`, `if (...) { }`, `for ($i : 0..3) { }`, \
                          `fixpoint { }`, `abort;` and `self.\"label\";`";

impl Parser<'_> {
    /// `transition name (range $i) [guard] priority 1 label "a"($i) { ... }`
    pub fn transition<A>(&mut self, action: fn(&mut Self) -> Parsed<A>) -> Parsed<Transition<A>> {
        let word = self.slice();
        self.bump();
        if !self.is_name_at(0) {
            let is_unnamed = self.peek() == Token::LeftBrace || self.other_guard().is_some();
            let help = is_unnamed.then(|| format!("each {word} has a name: `{word} t {{ ... }}`"));
            return Err(self.expected_with(&format!("the name of a {word}"), help));
        }
        let name = self.name("the name of a transition")?;
        let parameters = self.parameters()?;
        let guard = match self.eat(Token::LeftBracket) {
            true => {
                let guard = self.expression()?;
                self.close_condition(Token::RightBracket, "`]` or an operator")?;
                Some(Box::new(guard))
            }
            false => None,
        };
        let priority = self.amount_after("priority")?.map(Box::new);
        let label = match self.eat_word("label") {
            true => Some(self.label()?),
            false => None,
        };
        if label.is_some() && guard.is_none() && self.peek() == Token::LeftBracket {
            let problem = Problem::new(self.span(), "the guard comes before the label")
                .label("expected `{`")
                .help("write `transition t [x < 3] label \"a\" { ... }`");
            return Err(self.report(problem));
        }
        if self.is_word("priority") {
            let problem = Problem::new(self.span(), "the priority comes before the label")
                .label("expected `{`")
                .help("write `transition t priority 1 label \"a\" { ... }`");
            return Err(self.report(problem));
        }
        if self.peek() != Token::LeftBrace {
            let help = self.other_guard().map(str::to_owned);
            return Err(self.expected_with("`{`", help));
        }
        let body = self.steps("this transition", action)?;
        Ok(Transition { name, parameters, guard, priority, label, body })
    }

    /// What closes a condition. A `=` in its place is an old mistake.
    fn close_condition(&mut self, close: Token, what: &str) -> Parsed<()> {
        if self.peek() == Token::Assign {
            let problem = Problem::new(self.span(), format!("expected {what}, found `=`"));
            return Err(self.report(problem.label("this assigns a value").help("compare with `==`")));
        }
        match self.eat(close) {
            true => Ok(()),
            false => Err(self.expected_or_operator(what)),
        }
    }

    /// `"name"(1, $i)`
    fn label(&mut self) -> Parsed<Label> {
        let name = self.quoted_text("a label in double quotes")?;
        let arguments = match self.eat(Token::LeftParenthesis) {
            true => self.list(Token::RightParenthesis, ")", Self::integer)?,
            false => Vec::new(),
        };
        Ok(Label { name, arguments })
    }

    pub fn steps<A>(&mut self, what: &str, action: fn(&mut Self) -> Parsed<A>) -> Parsed<Vec<Step<A>>> {
        // No statement is two names: a declaration that follows shows that a brace is missing.
        self.block_before(what, |parser| parser.at_type() || parser.at_member(), |parser| parser.step(action))
    }

    fn step<A>(&mut self, action: fn(&mut Self) -> Parsed<A>) -> Parsed<Step<A>> {
        let opens = self.peek_at(1) == Token::LeftParenthesis;
        if self.is_word("if") && opens {
            return self.deeper(|parser| parser.conditional(action));
        }
        if self.is_word("for") && opens {
            return self.deeper(|parser| parser.repeated(action));
        }
        action(self).map(Step::Do)
    }

    fn conditional<A>(&mut self, action: fn(&mut Self) -> Parsed<A>) -> Parsed<Step<A>> {
        self.bump();
        self.bump();
        let condition = self.expression()?;
        self.close_condition(Token::RightParenthesis, "`)` or an operator")?;
        if self.peek() != Token::LeftBrace {
            let help = "what is done stands in braces: `if (x == 1) { x = 2; }`".to_owned();
            return Err(self.expected_with("`{`", Some(help)));
        }
        let then = self.steps("this block", action)?;
        let mut otherwise = Vec::new();
        if self.eat_word("else") {
            otherwise = match self.is_word("if") {
                true => vec![self.deeper(|parser| parser.conditional(action))?],
                false => self.steps("this block", action)?,
            };
        }
        Ok(Step::If(condition, then, otherwise))
    }

    fn repeated<A>(&mut self, action: fn(&mut Self) -> Parsed<A>) -> Parsed<Step<A>> {
        let parameter = self.loop_head()?;
        let body = self.steps("this block", action)?;
        Ok(Step::For(parameter, body))
    }

    /// `for ($i : range)`
    pub fn loop_head(&mut self) -> Parsed<Parameter> {
        self.bump();
        self.bump();
        if self.peek() != Token::Parameter {
            let help = "the body is done for each number of a range: `for ($i : 0..3) { ... }`".to_owned();
            return Err(self.expected_with("a parameter such as `$i`", Some(help)));
        }
        let name = self.parameter()?;
        self.expect(Token::Colon, "`:` and a range")?;
        let range = self.range()?;
        self.expect(Token::RightParenthesis, "`)`")?;
        Ok(Parameter { range, name })
    }

    /// A statement of a program that is no `if` and no `for`.
    pub fn action(&mut self) -> Parsed<Action> {
        let next = self.peek_at(1);
        if self.is_word("abort")
            && !matches!(next, Token::Assign | Token::AssignPlus | Token::AssignMinus | Token::LeftBracket)
        {
            let origin = Origin(self.bump());
            self.semicolon()?;
            return Ok(Action::Abort(origin));
        }
        if self.is_word("fixpoint") && next == Token::LeftBrace {
            self.bump();
            let body = self.deeper(|parser| parser.steps("this block", Self::action))?;
            return Ok(Action::Fixpoint(body));
        }
        if self.is_word("self") && next == Token::Dot {
            self.bump();
            self.bump();
            let label = self.label()?;
            self.semicolon()?;
            return Ok(Action::Call(label));
        }
        if self.peek() == Token::Parameter {
            let problem = Problem::new(self.span(), format!("the parameter `{}` cannot be changed", self.slice()))
                .label("expected a statement")
                .help("a parameter has the same value throughout a transition; assign to a variable");
            return Err(self.report(problem));
        }
        if !self.is_name_at(0) {
            return Err(self.none_of("a statement", &[], STATEMENTS));
        }
        if self.is_word("if") && (self.is_name_at(1) || self.peek_at(1) == Token::Not) {
            self.bump();
            let help = "the condition stands in parentheses: `if (x == 1) { ... }`".to_owned();
            return Err(self.expected_with("`(` and a condition", Some(help)));
        }
        let target = self.reference()?;
        let way = match self.peek() {
            Token::Assign => Assignment::Set,
            Token::AssignPlus => Assignment::Add,
            Token::AssignMinus => Assignment::Subtract,
            Token::Plus | Token::Minus if self.peek_at(1) == self.peek() => {
                let sign = self.slice().to_owned();
                let problem = Problem::new(self.span(), format!("`{sign}{sign}` is no operator"))
                    .label("expected `=`, `+=` or `-=`")
                    .help(format!("write `{target} {sign}= 1;`"));
                return Err(self.report(problem));
            }
            Token::Colon | Token::Equal => {
                let help = format!("a value is assigned with `=`: `{target} = 1;`");
                return Err(self.none_of("`=`, `+=` or `-=`", &[], &help));
            }
            _ => return Err(self.no_assignment(&target.to_string(), STATEMENTS)),
        };
        self.bump();
        let value = self.expression()?;
        self.semicolon_after(&Read::Value)?;
        Ok(Action::Assign(target, way, value))
    }

    /// `take 2 p;`
    pub fn arc(&mut self) -> Parsed<Arc> {
        let kind = ArcKind::ALL.into_iter().find(|kind| self.is_word(kind.word()));
        let Some(kind) = kind else {
            let words = ArcKind::ALL.map(ArcKind::word);
            let help = "a transition of a net does `take p;`, `put 2 p;`, `read p;`, `inhibit 3 p;` and `reset p;`";
            return Err(self.no_arc(&words, help));
        };
        self.bump();
        let weight = match self.peek() {
            Token::Number | Token::Parameter | Token::LeftParenthesis | Token::Minus if kind != ArcKind::Reset => {
                Some(self.integer()?)
            }
            _ => None,
        };
        if weight.is_some() && self.peek() == Token::Semicolon {
            let help = format!("the number and the place stand side by side: `{} 2 p;`", kind.word());
            return Err(self.expected_with("the name of a place", Some(help)));
        }
        let place = self.reference()?;
        let times = usize::from(self.peek() == Token::Star);
        if weight.is_none() && matches!(self.peek_at(times), Token::Number | Token::Parameter) {
            let problem = Problem::new(self.span(), "the number of tokens comes before the place")
                .label("expected `;`")
                .help(format!("write `{} {} {place};`", kind.word(), self.slice_at(times)));
            return Err(self.report(problem));
        }
        let letters = match self.eat(Token::LeftParenthesis) {
            true => Some(self.list(Token::RightParenthesis, ")", Self::integer)?),
            false => None,
        };
        self.semicolon_after(&Read::Arc(kind.word()))?;
        Ok(Arc { kind, weight, place, letters })
    }

    /// `c."label";` or `self."label";`
    pub fn call(&mut self) -> Parsed<Call> {
        let instance = match self.is_word("self") && self.peek_at(1) == Token::Dot {
            true => {
                self.bump();
                None
            }
            false => Some(self.reference()?),
        };
        if !self.eat(Token::Dot) {
            let dotted = instance.as_ref().map(ToString::to_string).filter(|name| name.contains('.'));
            let help = match dotted.as_deref().and_then(|name| name.rsplit_once('.')) {
                Some((instance, label)) => format!("a label stands in double quotes: `{instance}.\"{label}\";`"),
                None => "a synchronization only makes calls: `c.\"label\";`".to_owned(),
            };
            return Err(self.none_of("`.` and a label", &[], &help));
        }
        let label = self.label()?;
        self.semicolon()?;
        Ok(Call { instance, label })
    }
}
