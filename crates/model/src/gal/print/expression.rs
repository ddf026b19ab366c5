//! Expressions as text, with parentheses where precedence asks for them.

use std::fmt::{self, Display, Formatter, Write};

use super::super::syntax::{
    ColourName, Expression, ExpressionKind, Firing, Name, Over, Parameter, Pattern, PatternKind, Quantifier, Reference,
    TemporalBinary, TemporalUnary, Unary,
};

/// How strongly an expression holds together; what is less strong than its surroundings is put in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Strength(u8);

const WEAKEST: Strength = Strength(0);
const EQUIVALENT: Strength = Strength(1);
const IMPLIES: Strength = Strength(2);
const ANY: Strength = Strength(3);
const ALL: Strength = Strength(4);
const UNTIL: Strength = Strength(5);
const NOT: Strength = Strength(6);
const COMPARE: Strength = Strength(7);
const INTEGER: u8 = 8;
const PRODUCT: Strength = Strength(INTEGER + 5);
const MINUS: Strength = Strength(INTEGER + 6);
const ATOM: Strength = Strength(INTEGER + 8);

impl Strength {
    fn above(self) -> Strength {
        Strength(self.0 + 1)
    }

    fn of(expression: &Expression) -> Strength {
        match &expression.kind {
            ExpressionKind::Equivalent(..) => EQUIVALENT,
            ExpressionKind::Implies(..) => IMPLIES,
            ExpressionKind::Any(_) => ANY,
            ExpressionKind::All(_) => ALL,
            ExpressionKind::Over(Over::All | Over::Any, ..) => WEAKEST,
            ExpressionKind::Over(Over::Sum, ..) => PRODUCT,
            ExpressionKind::TemporalBinary(Quantifier::None, ..) => UNTIL,
            ExpressionKind::Unary(Unary::Not, _) | ExpressionKind::TemporalUnary(..) => NOT,
            ExpressionKind::Compare(..) => COMPARE,
            ExpressionKind::Chain(_, rest) => {
                Strength(INTEGER + rest.first().map_or(0, |(operator, _)| operator.precedence()))
            }
            ExpressionKind::Unary(..) => MINUS,
            ExpressionKind::Number(number) if *number < 0 => MINUS,
            _ => ATOM,
        }
    }
}

/// An expression where an integer is expected.
pub(super) struct Weak<'a>(pub &'a Expression);

impl Display for Weak<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print(f, self.0, Strength(INTEGER))
    }
}

/// An expression that must be one word or in parentheses.
pub(super) struct Strong<'a>(pub &'a Expression);

impl Display for Strong<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.kind {
            ExpressionKind::Number(_) | ExpressionKind::Parameter(_) => write!(f, "{}", self.0),
            _ => write!(f, "({})", self.0),
        }
    }
}

/// What an expression goes over: `forall ($i : 0..3, $j : index)`.
pub(super) struct OverHead<'a>(pub Over, pub &'a [Parameter]);

impl Display for OverHead<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} (", self.0.word())?;
        for (i, parameter) in self.1.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}${} : {}", parameter.name.text, parameter.range)?;
        }
        f.write_char(')')
    }
}

/// A text in double quotes.
pub(super) struct Quoted<'a>(pub &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '\r' => f.write_str("\\r")?,
                _ => f.write_char(character)?,
            }
        }
        f.write_char('"')
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print(f, self, Strength(0))
    }
}

impl Display for Reference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.segments.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { ":" }, segment.name)?;
            if let Some(index) = &segment.index {
                write!(f, "[{}]", Weak(index))?;
            }
        }
        Ok(())
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            PatternKind::Any => f.write_char('*'),
            PatternKind::Colour(colour) => write!(f, "{colour}"),
            PatternKind::Bag(bag) => {
                f.write_char('{')?;
                for (i, (times, colour)) in bag.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { ", " })?;
                    match times {
                        1 => write!(f, "{colour}")?,
                        times => write!(f, "{times} * {colour}")?,
                    }
                }
                f.write_char('}')
            }
        }
    }
}

impl Display for ColourName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let digits = self.text.strip_prefix('-').unwrap_or(&self.text);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match &self.number {
            Some(number) if self.text.is_empty() => write!(f, "{number}"),
            Some(number) => write!(f, "{}{{{}}}", Name::new(self.text.as_str()), Weak(number)),
            None if is_number => f.write_str(&self.text),
            None => write!(f, "{}", Name::new(self.text.as_str())),
        }
    }
}

impl Display for Firing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.transition)?;
        for (i, (variable, pattern)) in self.bindings.iter().enumerate() {
            write!(f, "{}{variable} = {pattern}", if i == 0 { "(" } else { ", " })?;
        }
        if self.bindings.is_empty() { Ok(()) } else { f.write_char(')') }
    }
}

fn print(f: &mut Formatter<'_>, expression: &Expression, least: Strength) -> fmt::Result {
    let strength = Strength::of(expression);
    if strength < least {
        f.write_char('(')?;
        print_kind(f, &expression.kind, strength)?;
        return f.write_char(')');
    }
    print_kind(f, &expression.kind, strength)
}

fn print_kind(f: &mut Formatter<'_>, kind: &ExpressionKind, strength: Strength) -> fmt::Result {
    match kind {
        ExpressionKind::Number(number) => write!(f, "{number}"),
        ExpressionKind::Parameter(name) => write!(f, "${name}"),
        ExpressionKind::Reference(reference) => write!(f, "{reference}"),
        ExpressionKind::Truth(truth) => write!(f, "{truth}"),
        ExpressionKind::Deadlock => f.write_str("deadlock"),
        ExpressionKind::Unary(operator, operand) => print_unary(f, *operator, operand),
        ExpressionKind::Chain(first, rest) => {
            print(f, first, strength.above())?;
            rest.iter().try_for_each(|(operator, operand)| {
                write!(f, " {} ", operator.symbol())?;
                print(f, operand, strength.above())
            })
        }
        ExpressionKind::Compare(comparison, left, right) => {
            print(f, left, COMPARE.above())?;
            write!(f, " {} ", comparison.symbol())?;
            print(f, right, COMPARE.above())
        }
        ExpressionKind::All(list) => print_flat(f, list, "&&", "true", strength),
        ExpressionKind::Any(list) => print_flat(f, list, "||", "false", strength),
        ExpressionKind::Implies(left, right) => print_right(f, left, "->", right, strength),
        ExpressionKind::Equivalent(left, right) => print_right(f, left, "<->", right, strength),
        ExpressionKind::Fireable(transitions) => print_transitions(f, "fireable", transitions),
        ExpressionKind::Fired(transitions) => print_transitions(f, "fired", transitions),
        ExpressionKind::Over(over, parameters, operand) => {
            write!(f, "{} ", OverHead(*over, parameters))?;
            print(f, operand, if *over == Over::Sum { strength.above() } else { ATOM })
        }
        ExpressionKind::Matching(place, pattern) => {
            write!(f, "{place}(")?;
            super::separated(f, "", pattern, "")?;
            f.write_char(')')
        }
        ExpressionKind::FireableWith(firings) => super::separated(f, "fireable(", firings, ")"),
        ExpressionKind::FiredWith(firings) => super::separated(f, "fired(", firings, ")"),
        ExpressionKind::TemporalUnary(quantifier, operator, operand) => {
            write!(f, "{}{} ", quantifier_word(*quantifier), unary_word(*operator))?;
            print(f, operand, if matches!(operand.kind, ExpressionKind::TemporalUnary(..)) { NOT } else { ATOM })
        }
        ExpressionKind::TemporalBinary(Quantifier::None, operator, left, right) => {
            print_right(f, left, binary_word(*operator), right, strength)
        }
        ExpressionKind::TemporalBinary(quantifier, operator, left, right) => {
            write!(f, "{}[", quantifier_word(*quantifier))?;
            print(f, left, UNTIL.above())?;
            write!(f, " {} ", binary_word(*operator))?;
            print(f, right, UNTIL.above())?;
            f.write_char(']')
        }
    }
}

fn print_unary(f: &mut Formatter<'_>, operator: Unary, operand: &Expression) -> fmt::Result {
    match operator {
        Unary::Minus | Unary::BitNot => {
            f.write_char(if operator == Unary::Minus { '-' } else { '~' })?;
            // `-1` is a number, and `-(1)` is not.
            let number = matches!(operand.kind, ExpressionKind::Number(_));
            print(f, operand, if number { ATOM.above() } else { MINUS })
        }
        Unary::Not => {
            f.write_char('!')?;
            // A comparison needs no parentheses, but is clearer with them.
            let bare = matches!(operand.kind, ExpressionKind::Unary(Unary::Not, _));
            print(f, operand, if bare { NOT } else { ATOM })
        }
    }
}

fn print_flat(
    f: &mut Formatter<'_>, list: &[Expression], symbol: &str, empty: &str, strength: Strength,
) -> fmt::Result {
    for (i, operand) in list.iter().enumerate() {
        if i > 0 {
            write!(f, " {symbol} ")?;
        }
        print(f, operand, strength.above())?;
    }
    if list.is_empty() { f.write_str(empty) } else { Ok(()) }
}

/// An operator of which several in a row group from the right.
fn print_right(
    f: &mut Formatter<'_>, left: &Expression, symbol: &str, right: &Expression, strength: Strength,
) -> fmt::Result {
    print(f, left, strength.above())?;
    write!(f, " {symbol} ")?;
    print(f, right, strength)
}

fn print_transitions(f: &mut Formatter<'_>, word: &str, transitions: &[(Reference, Vec<Expression>)]) -> fmt::Result {
    write!(f, "{word}(")?;
    for (i, (reference, arguments)) in transitions.iter().enumerate() {
        write!(f, "{}{reference}", if i == 0 { "" } else { ", " })?;
        super::separated(f, "(", &arguments.iter().map(Weak).collect::<Vec<_>>(), ")")?;
    }
    f.write_char(')')
}

pub(super) fn quantifier_word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::None => "",
        Quantifier::All => "A",
        Quantifier::Exists => "E",
    }
}

pub(super) fn unary_word(operator: TemporalUnary) -> &'static str {
    match operator {
        TemporalUnary::Next => "X",
        TemporalUnary::Finally => "F",
        TemporalUnary::Globally => "G",
    }
}

pub(super) fn binary_word(operator: TemporalBinary) -> &'static str {
    match operator {
        TemporalBinary::Until => "U",
        TemporalBinary::WeakUntil => "W",
        TemporalBinary::Release => "R",
        TemporalBinary::StrongRelease => "M",
    }
}
