//! Declared symmetries.

use super::super::syntax::{Listed, Origin, Row, RowList, Symmetry, SymmetryKind};
use super::super::token::Token;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// `symmetry name ring { (a, b) (c, d); }`
    pub fn symmetry(&mut self) -> Parsed<Symmetry> {
        self.bump();
        let name = self.name("the name of a symmetry")?;
        let kind = SymmetryKind::ALL.into_iter().find(|kind| self.is_word(kind.word()));
        let Some(kind) = kind else {
            let words = SymmetryKind::ALL.map(SymmetryKind::word);
            let help = "a symmetry is `interchangeable` (blocks in any order), a `ring` (blocks that turn), or \
                        `generated` (by permutations, written as cycles)";
            return Err(self.none_of("a kind of symmetry", &words, help));
        };
        self.bump();
        let body = self.steps("this symmetry", Self::row)?;
        Ok(Symmetry { name, kind, body })
    }

    /// `(a, b) (c, d);`
    fn row(&mut self) -> Parsed<Row> {
        let mut lists = Vec::new();
        loop {
            if self.peek() != Token::LeftParenthesis {
                let help = "blocks and cycles are lists in parentheses: `(a, b) (c, d);`";
                return Err(self.none_of("`(`", &["for", "if"], help));
            }
            let open = self.bump();
            let members = self.list(Token::RightParenthesis, ")", Self::listed)?;
            lists.push(RowList { members, origin: Origin(open.to(self.last_span())) });
            if self.peek() != Token::LeftParenthesis {
                self.semicolon()?;
                return Ok(Row { lists });
            }
        }
    }

    /// `a`, `t[2]` or `for ($i : range) t[$i]`
    fn listed(&mut self) -> Parsed<Listed> {
        if !(self.is_word("for") && self.peek_at(1) == Token::LeftParenthesis) {
            return Ok(Listed { loops: Vec::new(), reference: self.reference()? });
        }
        let outermost = self.loop_head()?;
        let mut listed = self.deeper(Self::listed)?;
        listed.loops.insert(0, outermost);
        Ok(listed)
    }
}
