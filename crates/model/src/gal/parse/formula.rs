//! What only formulas have: temporal operators, `deadlock`, `fireable`, `fired`, quantifiers and sums over parameters, names in
//! double quotes.
//!
//! The words for these are names as well: `G` is an operator where an operand follows it, and a variable elsewhere.

use super::super::ledger::complaint;
use super::super::syntax::{
    ColourName, Expression, ExpressionKind, Origin, Over, Parameter, Pattern, PatternKind, Quantifier, Reference,
    TemporalBinary, TemporalUnary,
};
use super::super::token::Token;
use super::expression::{COMPARE, PRODUCT};
use super::{Parsed, Parser, parse_atom, parse_reference};
use crate::text::Problem;

impl Parser<'_> {
    /// A name or a whole atom in double quotes, as in the formulas of ITS-Tools: `"x" == 1`, `G "x == 1"`.
    pub fn text_as_atom(&mut self) -> Parsed<ExpressionKind> {
        let text = self.quoted_text("a name")?;
        let found = match parse_reference(&text.text) {
            Some(reference) => Some(Expression::new(ExpressionKind::Reference(reference), text.span())),
            None => parse_atom(&text.text, self.coloured),
        };
        match found {
            Some(mut atom) => {
                relocate(&mut atom, text.origin);
                Ok(atom.kind)
            }
            None => {
                let problem = Problem::new(text.span(), "this text is neither a name nor a condition")
                    .label("expected something such as \"x\", \"t[1]\" or \"x == 1\"");
                Err(self.report(problem))
            }
        }
    }

    /// A temporal operator, `deadlock` or `fireable`, if the next word is used as one and not as a name.
    pub fn formula_word(&mut self) -> Parsed<Option<ExpressionKind>> {
        let word = self.slice();
        if word == "deadlock" && !self.continues_as_variable(1) {
            self.bump();
            return Ok(Some(ExpressionKind::Deadlock));
        }
        if matches!(word, "fireable" | "enabled") && self.peek_at(1) == Token::LeftParenthesis {
            return Ok(Some(match self.coloured {
                true => ExpressionKind::FireableWith(self.firings("fireable")?),
                false => ExpressionKind::Fireable(self.transitions_of("fireable")?),
            }));
        }
        if word == "fired" && self.peek_at(1) == Token::LeftParenthesis {
            return Ok(Some(match self.coloured {
                true => ExpressionKind::FiredWith(self.firings("fired")?),
                false => ExpressionKind::Fired(self.transitions_of("fired")?),
            }));
        }
        if let Some(over) = Over::ALL.into_iter().find(|over| word == over.word())
            && (self.peek_at(1) == Token::LeftParenthesis && self.peek_at(2) == Token::Parameter
                || self.peek_at(1) == Token::Parameter && self.is_word_at(2, "in"))
        {
            return self.over(over).map(Some);
        }
        self.parameter_missing()?;
        if let Some((quantifier, operator)) = temporal(word)
            && self.begins_operand(1)
        {
            self.bump();
            let operand = Box::new(self.operators(COMPARE)?);
            return Ok(Some(ExpressionKind::TemporalUnary(quantifier, operator, operand)));
        }
        match word {
            "A" if self.holds_until() => self.quantified(Quantifier::All).map(Some),
            "E" if self.holds_until() => self.quantified(Quantifier::Exists).map(Some),
            "A" if self.begins_operand(1) => self.of_runs(Quantifier::All).map(Some),
            "E" if self.begins_operand(1) => self.of_runs(Quantifier::Exists).map(Some),
            _ => Ok(None),
        }
    }

    /// `[]` or `<>`, the signs for `G` and `F`.
    pub fn temporal_sign(&self, ahead: usize) -> Option<TemporalUnary> {
        match (self.peek_at(ahead), self.peek_at(ahead + 1)) {
            (Token::LeftBracket, Token::RightBracket) => Some(TemporalUnary::Globally),
            (Token::Less, Token::Greater) => Some(TemporalUnary::Finally),
            _ => None,
        }
    }

    /// The rest of a formula that begins with such a sign.
    pub fn right_of_sign(&mut self, operator: TemporalUnary) -> Parsed<ExpressionKind> {
        self.bump();
        self.bump();
        let operand = Box::new(self.operators(COMPARE)?);
        Ok(ExpressionKind::TemporalUnary(Quantifier::None, operator, operand))
    }

    /// `forall ($i : range, $j : range) f`, which reaches as far as it can; `sum ($i : range) e`, which takes products. With
    /// `in` for `:`, the parentheses may be left out: `forall $i in range : f`.
    fn over(&mut self, over: Over) -> Parsed<ExpressionKind> {
        self.bump();
        let parameter = |parser: &mut Self| {
            let name = parser.parameter()?;
            if !parser.eat(Token::Colon) && !parser.eat_word("in") {
                let what = "`:` and a range";
                let problem = Problem::new(parser.span(), format!("expected {what}, found {}", parser.found()));
                let problem = problem.label(format!("expected {what}"));
                let shown = complaint::shortened(&name.text);
                let help = format!("write `{} (${} : {}) ...`", over.word(), shown, parser.range_shown(1));
                return Err(parser.report(problem.help(help)));
            }
            Ok(Parameter { range: parser.range()?, name })
        };
        let parameters = match self.eat(Token::LeftParenthesis) {
            true => self.list(Token::RightParenthesis, ")", parameter)?,
            false => {
                let alone = vec![parameter(self)?];
                self.expect(Token::Colon, "`:` after the range")?;
                alone
            }
        };
        let operand = match over {
            Over::Sum => self.operators(PRODUCT)?,
            Over::All | Over::Any => self.expression()?,
        };
        Ok(ExpressionKind::Over(over, parameters, Box::new(operand)))
    }

    /// A range that begins `ahead`, or another one, for an example.
    fn range_shown(&self, ahead: usize) -> String {
        let name = complaint::shortened(self.slice_at(ahead));
        // In `forall i : t[i] == 0` the colon ends the parameter, and no range is said.
        let is_range = match self.peek_at(ahead + 1) {
            Token::Colon => true,
            Token::LeftParenthesis => false,
            _ => !self.continues_as_variable(ahead + 1),
        };
        match self.peek_at(ahead) {
            Token::Identifier | Token::Quoted if is_range => name,
            Token::Number if self.peek_at(ahead + 1) == Token::DotDot && self.peek_at(ahead + 2) == Token::Number => {
                format!("{name}..{}", complaint::shortened(self.slice_at(ahead + 2)))
            }
            _ => "0..3".to_owned(),
        }
    }

    /// Reports `forall (i : proc)` and `forall $i : proc`, which look like what [`Parser::over`] reads.
    fn parameter_missing(&mut self) -> Parsed<()> {
        let Some(over) = Over::ALL.into_iter().find(|over| self.is_word(over.word())) else { return Ok(()) };
        let open = usize::from(self.peek_at(1) == Token::LeftParenthesis);
        let is_parameter = self.peek_at(1 + open) == Token::Parameter;
        let has_range = self.peek_at(2 + open) == Token::Colon || self.is_word_at(2 + open, "in");
        let is_name = self.peek_at(1 + open) == Token::Identifier && has_range;
        let is_typed = open == 1
            && self.peek_at(2) == Token::Identifier
            && matches!(self.peek_at(3), Token::Identifier | Token::Parameter);
        if is_typed {
            let (range, name) = (complaint::shortened(self.slice_at(2)), complaint::shortened(self.slice_at(3)));
            let help = format!("write `{} (${} : {range}) ...`", over.word(), name.trim_start_matches('$'));
            self.bump();
            self.bump();
            let problem = Problem::new(self.span(), format!("`{}` names its parameter before the range", over.word()));
            return Err(self.report(problem.label("expected a parameter such as `$i`").help(help)));
        }
        if !is_parameter && !is_name {
            return Ok(());
        }
        self.bump();
        if open == 1 {
            self.bump();
        }
        let name = complaint::shortened(self.slice().trim_start_matches('$'));
        let (word, range) = (over.word(), self.range_shown(2));
        let problem = Problem::new(self.span(), format!("`{word}` needs a parameter and its range in parentheses"))
            .label(if is_parameter { "not in parentheses" } else { "not a parameter" })
            .help(format!("write `{word} (${name} : {range}) ...`"));
        Err(self.report(problem))
    }

    /// Whether what comes `ahead` can only follow a variable.
    fn continues_as_variable(&self, ahead: usize) -> bool {
        use Token::*;
        matches!(
            self.peek_at(ahead),
            Equal
                | NotEqual
                | Less
                | LessOrEqual
                | Greater
                | GreaterOrEqual
                | Plus
                | Minus
                | Star
                | Slash
                | Percent
                | Power
                | And
                | Or
                | Caret
                | ShiftLeft
                | ShiftRight
                | Assign
                | LeftBracket
                | Colon
        )
    }

    fn begins_operand(&self, ahead: usize) -> bool {
        use Token::*;
        match self.peek_at(ahead) {
            LeftBracket | Less => self.temporal_sign(ahead).is_some(),
            LeftParenthesis | Number | Parameter | Not | Tilde | Text | Quoted => true,
            Identifier => !["U", "W", "R", "M"].iter().any(|word| self.is_word_at(ahead, word)),
            _ => false,
        }
    }

    /// Whether brackets or parentheses follow that hold `f U g`.
    fn holds_until(&self) -> bool {
        use Token::*;
        if !matches!(self.peek_at(1), LeftBracket | LeftParenthesis) {
            return false;
        }
        let mut open = 0usize;
        for ahead in 1.. {
            match self.peek_at(ahead) {
                LeftBracket | LeftParenthesis => open += 1,
                RightBracket | RightParenthesis => {
                    open -= 1;
                    if open == 0 {
                        return false;
                    }
                }
                Identifier if open == 1 && ["U", "W", "R", "M"].iter().any(|word| self.is_word_at(ahead, word)) => {
                    return true;
                }
                LeftBrace | RightBrace if self.coloured => {}
                Semicolon | LeftBrace | RightBrace | End => return false,
                _ => {}
            }
        }
        false
    }

    /// `A f`, as in CTL*: what is said of runs from here. `A G f` is `AG f`, and any other f is `false U f`.
    fn of_runs(&mut self, quantifier: Quantifier) -> Parsed<ExpressionKind> {
        self.bump();
        let operand = self.operators(COMPARE)?;
        Ok(match operand.kind {
            ExpressionKind::TemporalUnary(Quantifier::None, operator, inner) => {
                ExpressionKind::TemporalUnary(quantifier, operator, inner)
            }
            ExpressionKind::TemporalBinary(Quantifier::None, operator, left, right) => {
                ExpressionKind::TemporalBinary(quantifier, operator, left, right)
            }
            kind => {
                let never = Expression { kind: ExpressionKind::Truth(false), origin: operand.origin };
                let operand = Expression { kind, origin: operand.origin };
                ExpressionKind::TemporalBinary(quantifier, TemporalBinary::Until, Box::new(never), Box::new(operand))
            }
        })
    }

    /// `A[f U g]` or `A(f U g)`
    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<ExpressionKind> {
        self.bump();
        let (close, symbol) = match self.peek() {
            Token::LeftBracket => (Token::RightBracket, "`]`"),
            _ => (Token::RightParenthesis, "`)`"),
        };
        self.bump();
        let until_ends = std::mem::replace(&mut self.until_ends, true);
        let left = self.expression();
        self.until_ends = until_ends;
        let left = left?;
        let Some(operator) = (self.peek() == Token::Identifier).then(|| until(self.slice())).flatten() else {
            return Err(self.expected("`U`"));
        };
        self.bump();
        let until_ends = std::mem::replace(&mut self.until_ends, true);
        let right = self.expression();
        self.until_ends = until_ends;
        let right = right?;
        if self.peek() == Token::Identifier && until(self.slice()).is_some() {
            let problem = Problem::new(self.span(), "two operators for one quantifier")
                .label("a second one")
                .help("quantify both, as in `A[f U A[g U h]]`");
            return Err(self.report(problem));
        }
        self.expect(close, symbol)?;
        Ok(ExpressionKind::TemporalBinary(quantifier, operator, Box::new(left), Box::new(right)))
    }

    /// The transitions in the parentheses after a word.
    fn transitions_of(&mut self, word: &str) -> Parsed<Vec<(Reference, Vec<Expression>)>> {
        self.bump();
        self.bump();
        let transitions = self.list(Token::RightParenthesis, ")", |parser| {
            let reference = parser.reference()?;
            let arguments = match parser.eat(Token::LeftParenthesis) {
                true => parser.list(Token::RightParenthesis, ")", Self::integer)?,
                false => Vec::new(),
            };
            Ok((reference, arguments))
        })?;
        self.some_transition(word, transitions.is_empty())?;
        Ok(transitions)
    }

    /// Reports that there is no transition.
    pub(super) fn some_transition(&mut self, word: &str, is_empty: bool) -> Parsed<()> {
        if !is_empty {
            return Ok(());
        }
        let span = self.last_span();
        let problem =
            Problem::new(span, format!("`{word}` names no transition")).label("expected a transition before this");
        Err(self.report(problem))
    }
}

pub(super) fn until(word: &str) -> Option<TemporalBinary> {
    Some(match word {
        "U" => TemporalBinary::Until,
        "W" => TemporalBinary::WeakUntil,
        "R" => TemporalBinary::Release,
        "M" => TemporalBinary::StrongRelease,
        _ => return None,
    })
}

fn temporal(word: &str) -> Option<(Quantifier, TemporalUnary)> {
    Some(match word {
        "X" => (Quantifier::None, TemporalUnary::Next),
        "F" => (Quantifier::None, TemporalUnary::Finally),
        "G" => (Quantifier::None, TemporalUnary::Globally),
        "AX" => (Quantifier::All, TemporalUnary::Next),
        "AF" => (Quantifier::All, TemporalUnary::Finally),
        "AG" => (Quantifier::All, TemporalUnary::Globally),
        "EX" => (Quantifier::Exists, TemporalUnary::Next),
        "EF" => (Quantifier::Exists, TemporalUnary::Finally),
        "EG" => (Quantifier::Exists, TemporalUnary::Globally),
        _ => return None,
    })
}

/// Gives everything in an expression one origin.
fn relocate(tree: &mut Expression, origin: Origin) {
    fn reference(inner: &mut Reference, origin: Origin) {
        inner.origin = origin;
        for segment in &mut inner.segments {
            segment.name.origin = origin;
            if let Some(index) = &mut segment.index {
                relocate(index, origin);
            }
        }
    }
    fn pattern(inner: &mut Pattern, origin: Origin) {
        inner.origin = origin;
        let colours: Vec<&mut ColourName> = match &mut inner.kind {
            PatternKind::Any => Vec::new(),
            PatternKind::Colour(colour) => vec![colour],
            PatternKind::Bag(bag) => bag.iter_mut().map(|(_, colour)| colour).collect(),
        };
        for colour in colours {
            colour.origin = origin;
            if let Some(number) = &mut colour.number {
                relocate(number, origin);
            }
        }
    }
    tree.origin = origin;
    match &mut tree.kind {
        ExpressionKind::Unary(_, operand) => relocate(operand, origin),
        ExpressionKind::Chain(first, rest) => {
            relocate(first, origin);
            rest.iter_mut().for_each(|(_, operand)| relocate(operand, origin));
        }
        ExpressionKind::Compare(_, left, right)
        | ExpressionKind::Implies(left, right)
        | ExpressionKind::Equivalent(left, right) => {
            relocate(left, origin);
            relocate(right, origin);
        }
        ExpressionKind::All(list) | ExpressionKind::Any(list) => list.iter_mut().for_each(|one| relocate(one, origin)),
        ExpressionKind::Reference(inner) => reference(inner, origin),
        ExpressionKind::Matching(name, patterns) => {
            name.origin = origin;
            patterns.iter_mut().for_each(|one| pattern(one, origin));
        }
        ExpressionKind::Number(_)
        | ExpressionKind::Parameter(_)
        | ExpressionKind::Truth(_)
        | ExpressionKind::Deadlock
        | ExpressionKind::Fireable(_)
        | ExpressionKind::Fired(_)
        | ExpressionKind::Over(..)
        | ExpressionKind::FireableWith(_)
        | ExpressionKind::FiredWith(_)
        | ExpressionKind::TemporalUnary(..)
        | ExpressionKind::TemporalBinary(..) => {}
    }
}
