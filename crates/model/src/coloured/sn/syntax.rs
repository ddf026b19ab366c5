//! A file as it is written: a tree with the place of everything in it.

use super::super::class::ClassOrder;
use crate::expression::Comparison;
use crate::gal::syntax::{ColourName, Constant, Expression, Name, Property};
use crate::text::Span;

/// A file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub constants: Vec<Constant>,
    /// One, or a mistake.
    pub nets: Vec<Net>,
    pub properties: Vec<Property>,
}

/// `net Name { ... }`
#[derive(Debug)]
pub(super) struct Net {
    pub name: Name,
    pub classes: Vec<ClassDeclaration>,
    pub places: Vec<PlaceDeclaration>,
    pub transitions: Vec<TransitionDeclaration>,
}

/// A member of a net.
#[derive(Debug)]
pub(super) enum Member {
    Class(ClassDeclaration),
    Place(PlaceDeclaration),
    Transition(Box<TransitionDeclaration>),
}

/// `class Name circular = colours subclasses { ... }`
#[derive(Debug)]
pub(super) struct ClassDeclaration {
    pub name: Name,
    pub order: ClassOrder,
    pub colours: ColourList,
    pub sets: Vec<SetDeclaration>,
    /// Where it is said that the sets are subclasses, of which each colour is in one.
    pub partition: Option<Span>,
}

/// `name = colours;`
#[derive(Debug)]
pub(super) struct SetDeclaration {
    pub name: Name,
    pub colours: ColourList,
}

/// Colours in a row.
#[derive(Debug)]
pub(super) struct ColourList {
    pub items: Vec<ColourItem>,
    /// Whether they are in braces. A class whose colours are one range without braces does not list them.
    pub braces: bool,
    pub span: Span,
}

/// One colour, or numbered ones.
#[derive(Debug)]
pub(super) enum ColourItem {
    One(ColourName),
    /// `1..3`, `p{1..3}`
    Range {
        prefix: String,
        first: Amount,
        last: Amount,
        span: Span,
    },
}

/// A number: as it is written, or calculated from parameters.
#[derive(Debug)]
pub(super) enum Amount {
    Number(i64, Span),
    Calculated(Expression),
}

impl Amount {
    pub fn span(&self) -> Span {
        match self {
            Amount::Number(_, span) => *span,
            Amount::Calculated(expression) => expression.span(),
        }
    }
}

/// `place p : A * bag B = <a, {}>;`
#[derive(Debug)]
pub(super) struct PlaceDeclaration {
    pub name: Name,
    pub domain: Vec<SortUse>,
    pub initial: Option<Tokens>,
}

/// `A`, `bag A`
#[derive(Debug)]
pub(super) struct SortUse {
    pub class: Name,
    pub bag: bool,
}

/// `transition t (A x, unique bag B y) [guard] priority 2 { ... }`
#[derive(Debug)]
pub(super) struct TransitionDeclaration {
    pub name: Name,
    pub variables: Vec<VariableDeclaration>,
    pub guard: Option<Guard>,
    pub priority: Option<Amount>,
    pub arcs: Vec<Arc>,
}

/// `unique bag A x`
#[derive(Debug)]
pub(super) struct VariableDeclaration {
    pub name: Name,
    pub sort: SortUse,
    pub unique: Option<Span>,
}

/// `take 2 p;`, `put p <x>;`
#[derive(Debug)]
pub(super) struct Arc {
    pub kind: ArcKind,
    pub weight: Option<Amount>,
    pub place: Name,
    pub tokens: Option<Tokens>,
}

/// What an arc does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArcKind {
    Take,
    Put,
    /// Takes, and puts the same back.
    Read,
    Inhibit,
}

/// Tokens and where they are written.
#[derive(Debug)]
pub(super) struct Tokens {
    pub kind: TokensKind,
    pub span: Span,
}

/// A bag of tokens.
#[derive(Debug)]
pub(super) enum TokensKind {
    /// `none`
    None,
    /// `3`: so many tokens without colour.
    Plain(Amount),
    /// `<a, b>`
    Tuple(Vec<Bag>),
    Sum(Vec<Tokens>),
    Difference(Box<Tokens>, Box<Tokens>),
    /// `2<a>`
    Times(Amount, Box<Tokens>),
    /// `[guard] <a>`
    When(Box<Guard>, Box<Tokens>),
}

/// Colours and where they are written.
#[derive(Debug)]
pub(super) struct Bag {
    pub kind: BagKind,
    pub span: Span,
}

/// A colour or a bag of them: which of both, only names and places tell.
#[derive(Debug)]
pub(super) enum BagKind {
    /// `{a, b}`; `none` is the same as `{}`.
    Braces(Vec<Bag>),
    /// `all`, `A:all`
    All(Option<Name>),
    /// A variable, a colour or a set, perhaps after the name of its class.
    Named(Option<Name>, ColourName),
    /// `x++2`, `x--`
    Shift {
        of: Box<Bag>,
        forward: bool,
        steps: Option<Amount>,
    },
    Sum(Vec<Bag>),
    Difference(Box<Bag>, Box<Bag>),
    /// `2 * a`
    Times(Amount, Box<Bag>),
}

/// A guard and where it is written.
#[derive(Debug)]
pub(super) struct Guard {
    pub kind: GuardKind,
    pub span: Span,
}

/// A condition on a binding.
#[derive(Debug)]
pub(super) enum GuardKind {
    Truth(bool),
    Compare(Comparison, Operand, Operand),
    /// `x in set`, `B in C`
    In(Bag, Bag),
    Not(Box<Guard>),
    All(Vec<Guard>),
    Any(Vec<Guard>),
}

/// A side of a comparison.
#[derive(Debug)]
pub(super) enum Operand {
    /// A colour, a bag, or, beside a cardinality, a number.
    Colours(Bag),
    /// `card(B)`
    Cardinality(Bag),
}
