//! Guards of transitions and of tuples: as they are written, before names have a meaning.

use super::expression::Set;
use super::palette::Name;
use super::parse::Parser;
use super::token::Token;
use crate::expression::Comparison;
use crate::text::Span;
use crate::text::cursor::Parsed;

/// What must hold.
#[derive(Clone, Debug)]
pub(super) enum Predicate {
    Constant(bool),
    /// `x = y`, `d(x) <> C1`
    Compare(Comparison, Side, Side, Span),
    /// `x in C1`
    In(Side, Set, Span),
    Not(Box<Predicate>),
    And(Vec<Predicate>),
    Or(Vec<Predicate>),
}

/// A side of a comparison.
#[derive(Clone, Debug)]
pub(super) enum Side {
    /// A variable or a colour and so many steps after it, or a subclass.
    Named(Name, i64),
    /// `d(x)`: the subclass of a colour.
    SubclassOf(Name),
    /// A subclass by its number, from 1 on.
    Nth(i64, Span),
}

impl Parser<'_, '_> {
    /// A guard. An implication that goes on with another one needs parentheses.
    pub fn predicate(&mut self) -> Parsed<Predicate> {
        let left = self.disjunction()?;
        if self.is_editor() && self.cursor.eat(Token::Implies) {
            let right = self.disjunction()?;
            return Ok(Predicate::Or(vec![Predicate::Not(Box::new(left)), right]));
        }
        if self.cursor.peek() == Token::Equivalent {
            return Err(self.unsupported("`<->`", "write `(a -> b) && (b -> a)`"));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Parsed<Predicate> {
        let mut parts = vec![self.conjunction()?];
        while self.cursor.eat(Token::OrOr) || self.cursor.eat_word("or") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Predicate::Or(parts) })
    }

    fn conjunction(&mut self) -> Parsed<Predicate> {
        let mut parts = vec![self.negation()?];
        while self.cursor.eat(Token::AndAnd) || self.cursor.eat_word("and") {
            parts.push(self.negation()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Predicate::And(parts) })
    }

    fn negation(&mut self) -> Parsed<Predicate> {
        // In a `.net` file `!x` is the successor of x.
        let negates = self.cursor.peek() == Token::Exclamation
            && (self.is_editor() || self.cursor.peek_at(1) == Token::LeftParenthesis);
        if negates || self.cursor.is_word("not") {
            self.cursor.bump();
            let inner = self.nested(Parser::negation)?;
            return Ok(Predicate::Not(Box::new(inner)));
        }
        if self.cursor.peek() == Token::LeftParenthesis {
            let open = self.cursor.bump();
            let inner = self.nested(Parser::predicate)?;
            self.cursor.close_parenthesis(open)?;
            return Ok(inner);
        }
        if self.is_editor() && self.cursor.eat_word("True") {
            return Ok(Predicate::Constant(true));
        }
        if self.is_editor() && self.cursor.eat_word("False") {
            return Ok(Predicate::Constant(false));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Parsed<Predicate> {
        let start = self.cursor.span();
        let left = self.side()?;
        let negated = self.cursor.peek() == Token::Exclamation && self.cursor.is_word_at(1, "in");
        if negated {
            self.cursor.bump();
        }
        if negated || self.cursor.is_word("in") {
            self.cursor.bump();
            let set = self.set()?;
            let inside = Predicate::In(left, set, self.since(start));
            return Ok(if negated { Predicate::Not(Box::new(inside)) } else { inside });
        }
        let comparison = match self.cursor.peek() {
            Token::Equal => Comparison::Equal,
            Token::NotEqual => Comparison::NotEqual,
            Token::Less if self.is_editor() => Comparison::Less,
            Token::LessOrEqual if self.is_editor() => Comparison::LessOrEqual,
            Token::Greater if self.is_editor() => Comparison::Greater,
            Token::GreaterOrEqual if self.is_editor() => Comparison::GreaterOrEqual,
            Token::Less | Token::LessOrEqual | Token::Greater | Token::GreaterOrEqual => {
                let help = "GreatSPN compares colours with `=` and `<>` here";
                return Err(self.unsupported("an order of colours in a `.net` file", help));
            }
            _ => return Err(self.cursor.expected("a comparison")),
        };
        self.cursor.bump();
        let right = self.side()?;
        Ok(Predicate::Compare(comparison, left, right, self.since(start)))
    }

    fn side(&mut self) -> Parsed<Side> {
        let is_call = |parser: &Self, bracket| parser.cursor.peek_at(1) == bracket;
        let subclass = self.cursor.is_word("d") && is_call(self, Token::LeftParenthesis);
        let editors = self.is_editor() && self.cursor.is_word("Subclass") && is_call(self, Token::LeftBracket);
        if subclass || editors {
            self.cursor.bump();
            self.cursor.bump();
            let name = self.name("a variable")?;
            match subclass {
                true => self.cursor.expect(Token::RightParenthesis, "`)`")?,
                false => self.cursor.expect(Token::RightBracket, "`]`")?,
            };
            return Ok(Side::SubclassOf(name));
        }
        if self.is_editor() && self.cursor.peek() == Token::Identifier && is_call(self, Token::LeftBracket) {
            let what = format!("the function `{}`", self.cursor.slice());
            return Err(self.unsupported(&what, "guards compare colours, or ask for their subclass"));
        }
        match self.cursor.peek() {
            Token::Other => Err(self.unsupported("a guard that depends on the marking", "use an inhibitor arc")),
            Token::Number => {
                let span = self.place(self.cursor.span());
                Ok(Side::Nth(self.literal()?, span))
            }
            _ => self.term("a variable or a colour").map(|(name, steps)| Side::Named(name, steps)),
        }
    }
}
