//! Colours and bags of them: `x`, `all - x`, `{x, 2 * y}`, `x++`.

use super::super::syntax::{Bag, BagKind};
use super::Parser;
use crate::gal::token::Token;
use crate::text::Problem;
use crate::text::cursor::Parsed;

impl Parser<'_> {
    pub(super) fn bag(&mut self) -> Parsed<Bag> {
        self.deeper(|parser| {
            let start = parser.span();
            let mut left = parser.factor()?;
            // Whether `left` is a sum that is written here, and not one in parentheses.
            let mut open = false;
            let mut differences = 0;
            loop {
                match parser.peek() {
                    Token::Plus if !parser.closes_tuple => {
                        parser.bump();
                        let right = parser.factor()?;
                        let span = parser.since(start);
                        left = match left.kind {
                            BagKind::Sum(mut parts) if open => {
                                parts.push(right);
                                Bag { kind: BagKind::Sum(parts), span }
                            }
                            _ => Bag { kind: BagKind::Sum(vec![left, right]), span },
                        };
                        open = true;
                    }
                    Token::Minus if !parser.closes_tuple => {
                        differences += 1;
                        parser.few_differences(differences)?;
                        parser.bump();
                        let right = parser.factor()?;
                        let kind = BagKind::Difference(Box::new(left), Box::new(right));
                        left = Bag { kind, span: parser.since(start) };
                        open = false;
                    }
                    _ => return Ok(left),
                }
            }
        })
    }

    /// `2 * x`
    fn factor(&mut self) -> Parsed<Bag> {
        self.deeper(|parser| {
            let start = parser.span();
            let is_amount = match parser.peek() {
                Token::Number | Token::Parameter => parser.peek_at(1) == Token::Star,
                Token::LeftParenthesis => parser.closing().is_some_and(|end| parser.peek_at(end + 1) == Token::Star),
                _ => false,
            };
            if !is_amount {
                return parser.shifted();
            }
            let amount = parser.amount()?;
            parser.bump();
            let kind = BagKind::Times(amount, Box::new(parser.factor()?));
            Ok(Bag { kind, span: parser.since(start) })
        })
    }

    /// `x++`, `x--2`
    fn shifted(&mut self) -> Parsed<Bag> {
        let start = self.span();
        let mut bag = self.one()?;
        let mut steps_so_far = 0;
        while let Some(forward) = self.step() {
            steps_so_far += 1;
            self.few_differences(steps_so_far)?;
            self.bump();
            // `x-->`: the arrow is the second minus and the end of the tuple.
            self.closes_tuple = self.peek() == Token::Arrow;
            self.bump();
            let has_steps =
                !self.closes_tuple && matches!(self.peek(), Token::Number | Token::Parameter | Token::LeftParenthesis);
            let steps = match has_steps {
                true => Some(self.amount()?),
                false => None,
            };
            bag = Bag { kind: BagKind::Shift { of: Box::new(bag), forward, steps }, span: self.since(start) };
        }
        Ok(bag)
    }

    /// Whether `++` (true) or `--` (false) is next: two signs without a blank.
    fn step(&self) -> Option<bool> {
        let joined = self.signs_are_joined();
        match (self.peek(), self.peek_at(1)) {
            _ if self.closes_tuple || !joined => None,
            (Token::Plus, Token::Plus) => Some(true),
            (Token::Minus, Token::Minus | Token::Arrow) => Some(false),
            _ => None,
        }
    }

    fn signs_are_joined(&self) -> bool {
        let start = self.span().start as usize;
        let bytes = self.text.as_bytes();
        matches!((bytes.get(start), bytes.get(start + 1)), (Some(first), Some(second)) if first == second)
    }

    fn one(&mut self) -> Parsed<Bag> {
        let start = self.span();
        let kind = match self.peek() {
            Token::LeftParenthesis => {
                let open = self.bump();
                let mut inside = self.bag()?;
                self.no_arrow()?;
                inside.span = self.close_parenthesis(open)?;
                return Ok(inside);
            }
            Token::LeftBrace => {
                self.bump();
                let list = self.list(Token::RightBrace, "}", |parser| {
                    let bag = parser.bag()?;
                    parser.no_arrow()?;
                    Ok(bag)
                })?;
                BagKind::Braces(list)
            }
            Token::Identifier if self.is_word("none") => {
                self.bump();
                BagKind::Braces(Vec::new())
            }
            Token::Identifier if self.is_word("all") => {
                self.bump();
                BagKind::All(None)
            }
            Token::Identifier | Token::Quoted if self.peek_at(1) == Token::Colon => {
                let class = self.name("the name of a class")?;
                self.bump();
                match self.eat_word("all") {
                    true => BagKind::All(Some(class)),
                    false => BagKind::Named(Some(class), self.colour_name("a colour or a set of colours")?),
                }
            }
            _ => BagKind::Named(None, self.colour_name("a colour, a variable or `all`")?),
        };
        Ok(Bag { kind, span: self.since(start) })
    }

    /// Reports that `-->` ends something that is no tuple.
    fn no_arrow(&mut self) -> Parsed<()> {
        if !self.closes_tuple {
            return Ok(());
        }
        self.closes_tuple = false;
        let problem = Problem::new(self.last_span(), "a `>` closes nothing here").label("something else is still open");
        Err(self.report(problem))
    }
}
