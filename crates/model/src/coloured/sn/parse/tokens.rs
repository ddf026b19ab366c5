//! Bags of tokens: `2<x, y> + [x != z] <z, all>`.

use super::super::syntax::{Tokens, TokensKind};
use super::Parser;
use crate::gal::token::Token;
use crate::text::Problem;
use crate::text::cursor::Parsed;

/// Longer chains of differences would make a tree as deep as they are long.
pub(super) const MOST_DIFFERENCES: usize = 200;

impl Parser<'_> {
    pub(super) fn tokens(&mut self) -> Parsed<Tokens> {
        self.deeper(|parser| {
            let start = parser.span();
            let mut left = parser.weighted()?;
            // Whether `left` is a sum that is written here, and not one in parentheses.
            let mut open = false;
            let mut differences = 0;
            loop {
                match parser.peek() {
                    Token::Plus => {
                        parser.bump();
                        let right = parser.weighted()?;
                        let span = parser.since(start);
                        left = match left.kind {
                            TokensKind::Sum(mut parts) if open => {
                                parts.push(right);
                                Tokens { kind: TokensKind::Sum(parts), span }
                            }
                            _ => Tokens { kind: TokensKind::Sum(vec![left, right]), span },
                        };
                        open = true;
                    }
                    Token::Minus => {
                        differences += 1;
                        parser.few_differences(differences)?;
                        parser.bump();
                        let right = parser.weighted()?;
                        let kind = TokensKind::Difference(Box::new(left), Box::new(right));
                        left = Tokens { kind, span: parser.since(start) };
                        open = false;
                    }
                    _ => return Ok(left),
                }
            }
        })
    }

    pub(super) fn few_differences(&mut self, count: usize) -> Parsed<()> {
        if count <= MOST_DIFFERENCES {
            return Ok(());
        }
        let problem = Problem::new(self.span(), format!("more than {MOST_DIFFERENCES} differences in a row"))
            .label("this is the one too many")
            .help("write what is taken away as a sum in parentheses");
        Err(self.report(problem))
    }

    /// Tokens with a number or a guard before them.
    fn weighted(&mut self) -> Parsed<Tokens> {
        self.deeper(|parser| {
            let start = parser.span();
            let kind = match parser.peek() {
                Token::Less => {
                    parser.bump();
                    TokensKind::Tuple(parser.list(Token::Greater, ">", Self::bag)?)
                }
                Token::LeftBracket => {
                    parser.bump();
                    let guard = parser.guard()?;
                    parser.expect(Token::RightBracket, "`]`")?;
                    TokensKind::When(Box::new(guard), Box::new(parser.weighted()?))
                }
                Token::Identifier if parser.is_word("none") => {
                    parser.bump();
                    TokensKind::None
                }
                Token::LeftParenthesis if !parser.holds_amount() => {
                    let open = parser.bump();
                    let mut inside = parser.tokens()?;
                    inside.span = parser.close_parenthesis(open)?;
                    return Ok(inside);
                }
                Token::Number | Token::Parameter | Token::LeftParenthesis => {
                    let amount = parser.amount()?;
                    let star = parser.eat(Token::Star);
                    let follows = matches!(
                        parser.peek(),
                        Token::Less | Token::LeftParenthesis | Token::LeftBracket | Token::Number | Token::Parameter
                    ) || parser.is_word("none");
                    match star || follows {
                        true => TokensKind::Times(amount, Box::new(parser.weighted()?)),
                        false => TokensKind::Plain(amount),
                    }
                }
                _ => {
                    let problem = Problem::new(parser.span(), format!("expected tokens, found {}", parser.found()))
                        .label("expected tokens such as `<x, y>`")
                        .help(match parser.slice() {
                            all if all == "all" || all.ends_with(".all") => {
                                "one token of each colour is written `<all>`"
                            }
                            "from" | "to" | "into" => "the place comes before the tokens: `take p <x>;`",
                            _ => "tokens stand between `<` and `>`, and have one colour for each class of the place",
                        });
                    return Err(parser.report(problem));
                }
            };
            Ok(Tokens { kind, span: parser.since(start) })
        })
    }

    /// Whether the parenthesis that is next holds a number: it has neither tuples nor guards in it.
    fn holds_amount(&self) -> bool {
        let Some(end) = self.closing() else { return false };
        !(1..end).any(|ahead| {
            matches!(self.peek_at(ahead), Token::Less | Token::LeftBracket) || self.is_word_at(ahead, "none")
        })
    }
}
