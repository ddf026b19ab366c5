//! Expressions as they are written: integers, conditions and formulas in one tree, told apart where they are used.

use super::{Name, Origin, Parameter};
use crate::expression::Comparison;
use crate::text::Span;

/// An expression and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it is written.
    pub origin: Origin,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// `42`, `-1`
    Number(i32),
    /// `$i`, without the dollar sign
    Parameter(String),
    /// A variable, an element, an alias or a predicate.
    Reference(Reference),
    /// `- a`, `~ a`, `! a`
    Unary(Unary, Box<Expression>),
    /// Operators of one precedence, applied from left to right: `a - b + c`.
    Chain(Box<Expression>, Vec<(Binary, Expression)>),
    /// `a < b`
    Compare(Comparison, Box<Expression>, Box<Expression>),
    /// `true`, `false`
    Truth(bool),
    /// `a && b && c`
    All(Vec<Expression>),
    /// `a || b || c`
    Any(Vec<Expression>),
    /// `a -> b`
    Implies(Box<Expression>, Box<Expression>),
    /// `a <-> b`
    Equivalent(Box<Expression>, Box<Expression>),
    /// `deadlock`
    Deadlock,
    /// `fireable(t, u(0, 1))`: one of them is.
    Fireable(Vec<(Reference, Vec<Expression>)>),
    /// `fired(t, u(0, 1))`: the step that led here was one of them.
    Fired(Vec<(Reference, Vec<Expression>)>),
    /// `forall ($i : range) f`, `exists ($i : range) f`, `sum ($i : range) e`: for all values of some parameters.
    Over(Over, Vec<Parameter>, Box<Expression>),
    /// `p(a, *)`: how many tokens of a place match. Only coloured nets have these.
    Matching(Name, Vec<Pattern>),
    /// `fireable(t, u(x = a))`: one of them is, with such a binding. Only coloured nets have bindings.
    FireableWith(Vec<Firing>),
    /// `fired(t, u(x = a))`: the step that led here was one of them, with such a binding.
    FiredWith(Vec<Firing>),
    /// `AG f`, `F f`
    TemporalUnary(Quantifier, TemporalUnary, Box<Expression>),
    /// `A[f U g]`, `f U g`
    TemporalBinary(Quantifier, TemporalBinary, Box<Expression>, Box<Expression>),
}

/// What a component of a token, or the value of a variable, is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// What.
    pub kind: PatternKind,
    /// Where it is written.
    pub origin: Origin,
}

/// What a pattern asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternKind {
    /// `*`: anything.
    Any,
    /// A colour.
    Colour(ColourName),
    /// `{a, 2 * b}`: a bag, with how often each colour is in it.
    Bag(Vec<(u32, ColourName)>),
}

/// A colour by its name: `red`, `3`, `$N`, `p{$N - 1}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColourName {
    /// The name, or what it begins with.
    pub text: String,
    /// The number that follows, if it is to be calculated.
    pub number: Option<Box<Expression>>,
    /// Where it is written.
    pub origin: Origin,
}

/// `t(x = a, y = *)`: a transition of a coloured net, with what some of its variables are bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firing {
    /// The transition.
    pub transition: Name,
    /// Variables, and what they are bound to.
    pub bindings: Vec<(Name, Pattern)>,
}

pub use crate::property::{BinaryOperator as TemporalBinary, Quantifier, UnaryOperator as TemporalUnary};

/// What is made of an expression that is there once for each value of some parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// `forall`: all of them.
    All,
    /// `exists`: one of them.
    Any,
    /// `sum`: what they are together.
    Sum,
}

impl Over {
    /// All of them.
    pub const ALL: [Over; 3] = [Over::All, Over::Any, Over::Sum];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Over::All => "forall",
            Over::Any => "exists",
            Over::Sum => "sum",
        }
    }
}

/// Operators on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `- a`
    Minus,
    /// `~ a`
    BitNot,
    /// `! a`; it binds weaker than comparisons: `! a > 1` is `!(a > 1)`, as in ITS-Tools.
    Not,
}

/// Operators on two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `a | b`
    BitOr,
    /// `a ^ b`
    BitXor,
    /// `a & b`
    BitAnd,
    /// `a << b`
    ShiftLeft,
    /// `a >> b`
    ShiftRight,
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a % b`
    Remainder,
    /// `a ** b`
    Power,
}

impl Binary {
    /// Operators with a higher precedence bind stronger. All bind stronger than comparisons (and so `a & 1 == 0` asks
    /// for the last bit of `a`, as in ITS-Tools and unlike C).
    pub fn precedence(self) -> u8 {
        match self {
            Binary::BitOr => 0,
            Binary::BitXor => 1,
            Binary::BitAnd => 2,
            Binary::ShiftLeft | Binary::ShiftRight => 3,
            Binary::Add | Binary::Subtract => 4,
            Binary::Multiply | Binary::Divide | Binary::Remainder => 5,
            Binary::Power => 6,
        }
    }

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::BitOr => "|",
            Binary::BitXor => "^",
            Binary::BitAnd => "&",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Remainder => "%",
            Binary::Power => "**",
        }
    }
}

/// `ring:peers[1]:state`: a name, perhaps with an index, perhaps inside instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The instances on the way, and the name at its end; at least one.
    pub segments: Vec<Segment>,
    /// Where it is written.
    pub origin: Origin,
}

/// A name in a reference, with its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The name.
    pub name: Name,
    /// The index.
    pub index: Option<Box<Expression>>,
}

impl Expression {
    /// An expression that is written somewhere.
    pub fn new(kind: ExpressionKind, span: Span) -> Expression {
        Expression { kind, origin: Origin(span) }
    }

    /// An expression that is written nowhere.
    pub fn plain(kind: ExpressionKind) -> Expression {
        Expression { kind, origin: Origin::default() }
    }

    /// Where it is written.
    pub fn span(&self) -> Span {
        self.origin.0
    }
}

impl ColourName {
    /// A name that is written nowhere.
    pub fn new(text: impl Into<String>) -> ColourName {
        ColourName { text: text.into(), number: None, origin: Origin::default() }
    }

    /// Where it is written.
    pub fn span(&self) -> Span {
        self.origin.0
    }
}

impl Reference {
    /// Where it is written.
    pub fn span(&self) -> Span {
        self.origin.0
    }

    /// The name and the index, if it does not go through instances.
    pub fn single(&self) -> Option<&Segment> {
        match &self.segments[..] {
            [segment] => Some(segment),
            _ => None,
        }
    }
}
