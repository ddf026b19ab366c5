//! What only formulas about coloured nets have: `p(a, *)`, and `fireable(t(x = a))`.

use super::super::ledger::complaint;
use super::super::syntax::{ColourName, ExpressionKind, Firing, Origin, Pattern, PatternKind, Reference};
use super::super::token::Token;
use super::{Failed, Parsed, Parser};
use crate::text::{Problem, Span};

impl Parser<'_> {
    /// The colours in parentheses after a name.
    pub fn matching(&mut self, reference: Reference) -> Parsed<ExpressionKind> {
        let name = match &reference.segments[..] {
            [segment] if self.coloured && segment.index.is_none() => segment.name.clone(),
            _ => return Err(self.no_pattern(&reference)),
        };
        self.bump();
        let pattern = self.list(Token::RightParenthesis, ")", Self::pattern)?;
        Ok(ExpressionKind::Matching(name, pattern))
    }

    /// Reports a parenthesis after something that is no place of a coloured net.
    fn no_pattern(&mut self, reference: &Reference) -> Failed {
        let name = match &reference.segments[..] {
            [segment] if segment.index.is_none() => segment.name.text.as_str(),
            _ => "",
        };
        if let Some(help) = self.other_function(name) {
            let problem = Problem::new(reference.span(), format!("`{name}` is no operator"));
            return self.report(problem.label("taken for a name").help(help));
        }
        let problem = Problem::new(self.span(), "a name is followed by a parenthesis")
            .label("only places of coloured nets have tokens that match a pattern")
            .related(reference.span(), "after this name")
            .help("an index is written `t[0]`, and that a transition can fire `fireable(t(0))`");
        self.report(problem)
    }

    /// What follows `fireable` or `fired`: `(t, u(x = a, y = *))`
    pub fn firings(&mut self, word: &str) -> Parsed<Vec<Firing>> {
        self.bump();
        self.bump();
        let firings = self.list(Token::RightParenthesis, ")", |parser| {
            let transition = parser.name("the name of a transition")?;
            let bindings = match parser.eat(Token::LeftParenthesis) {
                true => parser.list(Token::RightParenthesis, ")", |parser| {
                    if !matches!(parser.peek_at(1), Token::Assign | Token::Equal) && !parser.at_end() {
                        return Err(parser.no_binding(&transition.text));
                    }
                    let variable = parser.name("a variable of the transition")?;
                    if !parser.eat(Token::Assign) {
                        parser.expect(Token::Equal, "`=` and what the variable is bound to")?;
                    }
                    Ok((variable, parser.pattern()?))
                })?,
                false => Vec::new(),
            };
            Ok(Firing { transition, bindings })
        })?;
        self.some_transition(word, firings.is_empty())?;
        Ok(firings)
    }

    /// Reports `t(a)`, which does not say which variable is to be bound.
    fn no_binding(&mut self, transition: &str) -> Failed {
        let (transition, colour) = (complaint::shortened(transition), complaint::shortened(self.slice()));
        let problem = Problem::new(self.span(), "a binding names a variable of the transition")
            .label("which variable is not said")
            .help(format!("write `{transition}(x = {colour})`, where `x` is a variable of the transition"));
        self.report(problem)
    }

    /// `*`, a colour, or a bag of them.
    fn pattern(&mut self) -> Parsed<Pattern> {
        let start = self.span();
        let kind = match self.peek() {
            Token::Star => {
                self.bump();
                PatternKind::Any
            }
            Token::LeftBrace => {
                self.bump();
                PatternKind::Bag(self.list(Token::RightBrace, "}", |parser| {
                    let times = match parser.peek() == Token::Number && parser.peek_at(1) == Token::Star {
                        true => {
                            let times = parser.times()?;
                            parser.bump();
                            times
                        }
                        false => 1,
                    };
                    Ok((times, parser.colour_name("a colour")?))
                })?)
            }
            _ => PatternKind::Colour(self.colour_name("a colour, `*`, or a bag of colours in braces")?),
        };
        Ok(Pattern { kind, origin: Origin(start.to(self.last_span())) })
    }

    /// A number of times.
    fn times(&mut self) -> Parsed<u32> {
        match self.slice().parse() {
            Ok(times) => {
                self.bump();
                Ok(times)
            }
            Err(_) => {
                let problem = Problem::new(self.span(), "a number is beyond 32 bits").label("too large");
                Err(self.report(problem))
            }
        }
    }

    /// `red`, `3`, `-3`, `$N`, `p{$N - 1}`
    pub fn colour_name(&mut self, what: &str) -> Parsed<ColourName> {
        let start = self.span();
        let (text, number) = match self.peek() {
            Token::Number => {
                let digits = self.slice().to_string();
                self.bump();
                (digits, None)
            }
            Token::Minus if self.peek_at(1) == Token::Number => {
                self.bump();
                let digits = self.slice();
                self.bump();
                (format!("-{digits}"), None)
            }
            Token::Parameter => {
                let kind = ExpressionKind::Parameter(self.parameter()?.text);
                (String::new(), Some(Box::new(super::Expression::new(kind, start))))
            }
            Token::Identifier | Token::Quoted => {
                let name = self.name(what)?;
                match self.peek() == Token::LeftBrace && self.follows(name.span()) {
                    true => {
                        self.bump();
                        let number = self.number_in_name()?;
                        self.expect(Token::RightBrace, "`}`")?;
                        (name.text, Some(Box::new(number)))
                    }
                    false => (name.text, None),
                }
            }
            _ => {
                let help = (self.peek() == Token::Text).then(|| "colours are written without quotes".to_owned());
                return Err(self.expected_with(what, help));
            }
        };
        Ok(ColourName { text, number, origin: Origin(start.to(self.last_span())) })
    }

    /// The number in braces after a name; there is nothing to be asked in it.
    fn number_in_name(&mut self) -> Parsed<super::Expression> {
        let formula = std::mem::replace(&mut self.formula, false);
        let number = self.integer();
        self.formula = formula;
        number
    }

    /// Whether the next word follows a place without a blank.
    pub fn follows(&self, before: Span) -> bool {
        self.span().start == before.end
    }
}
