//! What is written: a tree of declarations, processes and expressions, with their places. Names are not resolved here.

use crate::property::{BinaryOperator, Quantifier, UnaryOperator};
use crate::text::{Span, complaint};

/// A whole file.
#[derive(Debug, Default)]
pub(super) struct File {
    /// Variables and channels that all processes share.
    pub declarations: Vec<Declaration>,
    pub processes: Vec<Process>,
    pub system: Option<SystemLine>,
}

/// A name and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub text: String,
    pub span: Span,
}

impl Name {
    /// The name as messages show it.
    pub fn shown(&self) -> String {
        complaint::shortened(&self.text)
    }
}

/// Something that is declared outside of states and transitions.
#[derive(Debug)]
pub(super) enum Declaration {
    Variable(Variable),
    Channel(Channel),
}

/// The types of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// 0 to 255.
    Byte,
    /// -32768 to 32767.
    Int,
}

/// `const byte x[3] = {1, 2, 3}`
#[derive(Debug)]
pub(super) struct Variable {
    pub constant: bool,
    pub width: Width,
    pub name: Name,
    /// How many elements an array has.
    pub length: Option<Expression>,
    pub initial: Option<Initial>,
}

/// What a variable holds at first.
#[derive(Debug)]
pub(super) enum Initial {
    One(Expression),
    /// `{1, 2, 3}`
    List(Vec<Expression>, Span),
}

/// `channel c`, `channel {byte, int} c[4]`
#[derive(Debug)]
pub(super) struct Channel {
    pub name: Name,
    /// What it carries, if that is declared.
    pub carries: Option<Vec<Width>>,
    /// How many messages wait in it.
    pub buffer: Option<Expression>,
}

/// `process P { ... }`
#[derive(Debug)]
pub(super) struct Process {
    pub name: Name,
    pub variables: Vec<Variable>,
    pub states: Vec<Name>,
    pub initial: Vec<Name>,
    pub commit: Vec<Name>,
    pub accept: Vec<Name>,
    pub assertions: Vec<(Name, Expression)>,
    pub transitions: Vec<Transition>,
}

/// `from -> to { guard g; sync c!e; effect x = e; }`
#[derive(Debug)]
pub(super) struct Transition {
    pub from: Name,
    pub to: Name,
    pub guard: Option<Expression>,
    pub sync: Option<Sync>,
    pub effects: Vec<Effect>,
    /// From the name of the first state to the closing brace.
    pub span: Span,
}

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// `c!e`
    Send,
    /// `c?x`
    Receive,
}

/// `c!e`, `c?x`, `c!{d, e}`
#[derive(Debug)]
pub(super) struct Sync {
    pub channel: Name,
    pub direction: Direction,
    pub values: Vec<Expression>,
}

/// `x = e`
#[derive(Debug)]
pub(super) struct Effect {
    pub target: Expression,
    pub value: Expression,
}

/// `system async;`
#[derive(Debug)]
pub(super) struct SystemLine {
    pub synchronous: bool,
    /// The process after `property`.
    pub property: Option<Name>,
    pub span: Span,
}

/// An expression and where it is written.
#[derive(Debug)]
pub(super) struct Expression {
    pub kind: Kind,
    pub span: Span,
    /// How deep it nests.
    pub depth: u32,
}

/// What an expression is.
#[derive(Debug)]
pub(super) enum Kind {
    Number(i32),
    /// `true`, `false`
    Truth(bool),
    /// `x`
    Variable(Name),
    /// `x[e]`
    Element(Name, Box<Expression>),
    /// `P.s`: 1 if the process is in that state, 0 if not.
    State(Name, Name),
    /// `P->x`, `P->x[e]`
    Foreign(Name, Name, Option<Box<Expression>>),
    Unary(Unary, Box<Expression>),
    /// Operators of one precedence, applied from left to right.
    Chain(Box<Expression>, Vec<(Binary, Expression)>),
    /// `G f`, `EF f`; only in formulas.
    Temporal(Quantifier, UnaryOperator, Box<Expression>),
    /// `f U g`; only in formulas.
    Until(BinaryOperator, Box<Expression>, Box<Expression>),
}

/// Operators on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    /// `-a`
    Minus,
    /// `~a`
    BitNot,
    /// `not a`, `!a`
    Not,
}

/// Operators on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Imply,
    Or,
    And,
    BitOr,
    BitAnd,
    BitXor,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// How strongly `U` and the like bind in formulas.
pub(super) const UNTIL: u8 = 3;

impl Binary {
    /// How strongly it binds, from 1. As DiVinE has it: `||` and `&&` bind equally, and so do `|`, `&` and `^`.
    pub fn precedence(self) -> u8 {
        match self {
            Binary::Imply => 1,
            Binary::Or | Binary::And => 2,
            Binary::BitOr | Binary::BitAnd | Binary::BitXor => 4,
            Binary::Equal | Binary::NotEqual => 5,
            Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => 6,
            Binary::ShiftLeft | Binary::ShiftRight => 7,
            Binary::Add | Binary::Subtract => 8,
            Binary::Multiply | Binary::Divide | Binary::Remainder => 9,
        }
    }
}
