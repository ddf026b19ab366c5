//! GAL files as they are written: a typed tree with the origin of every name and expression.
//!
//! The tree keeps the order and the shape of the text, but not blanks, comments and needless parentheses. Chains of one
//! operator (`a && b && c`, `a + b - c`) are flat lists. Two trees are equal if they say the same, wherever that was
//! written: an [`Origin`] is equal to every other. A tree is printed as text that reads as an equal tree.

mod expression;
mod types;

pub use expression::{
    Binary, ColourName, Expression, ExpressionKind, Firing, Over, Pattern, PatternKind, Quantifier, Reference, Segment,
    TemporalBinary, TemporalUnary, Unary,
};

pub use types::{
    Action, Arc, ArcKind, Assignment, Call, Change, Choice, CompositeMember, CompositeType, Definition, Given, Initial,
    InstanceDeclaration, Letters, Listed, NetMember, NetType, PlaceDeclaration, ProgramMember, ProgramType,
    QueueDeclaration, Row, RowList, Step, Symmetry, SymmetryKind, Template, Transition, TypeUse, Unit, Values,
    VariableDeclaration, Word,
};

use crate::text::Span;

/// Where something is written. All origins are equal, so that trees are compared by what they say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin(pub Span);

impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}

impl Eq for Origin {}

/// A name and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name, without quotes.
    pub text: String,
    /// Where it is written.
    pub origin: Origin,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// What it declares, in its order.
    pub items: Vec<Item>,
}

/// A declaration of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `model name;` (ours): the name of the whole, that of its main type otherwise.
    Model(Name),
    /// `$N = 3;`
    Constant(Constant),
    /// `typedef index_t = 0..3;`
    Range(RangeDeclaration),
    /// `interface Name { label "a"; }`
    Interface(Interface),
    /// `gal Name { ... }`
    Program(ProgramType),
    /// `net Name { ... }` (ours)
    Net(NetType),
    /// `composite Name { ... }`
    Composite(CompositeType),
    /// `main Name;`
    Main(Main),
    /// `property name [kind] : formula;`
    Property(Property),
}

/// `$N = 3`: a constant, a parameter of a type with its default, or a parameter's value for an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name, without the dollar sign.
    pub name: Name,
    /// Its value.
    pub value: Expression,
}

/// A named range of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeDeclaration {
    /// Its name.
    pub name: Name,
    /// The least of its integers.
    pub least: Expression,
    /// The greatest of its integers.
    pub greatest: Expression,
}

/// The range of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// One declared by `typedef`.
    Named(Name),
    /// `0..3`, written where it is used.
    Between(Box<Expression>, Box<Expression>),
}

/// `range $i`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Over which integers it goes.
    pub range: Range,
    /// Its name, without the dollar sign.
    pub name: Name,
}

/// The labels that a type must have to stand for the parameter of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Its name.
    pub name: Name,
    /// The labels, with a range for each argument.
    pub labels: Vec<InterfaceLabel>,
}

/// A label that an interface asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceLabel {
    /// The label, without quotes.
    pub name: Name,
    /// Its arguments.
    pub parameters: Vec<Parameter>,
}

/// `"name"(1, $i)`: a label, given to a transition or called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The label, without quotes.
    pub name: Name,
    /// Its arguments.
    pub arguments: Vec<Expression>,
}

/// `main Type ($K = 2) from idle;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Main {
    /// The type of the system.
    pub type_use: TypeUse,
    /// Values of the type's parameters.
    pub bindings: Vec<Constant>,
    /// In which initial states it may begin; the declared one if nothing is said.
    pub from: Vec<Name>,
}

/// `property name [kind] : formula;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: Name,
    /// What kind of question it is.
    pub kind: PropertyKind,
    /// What is asked.
    pub formula: Expression,
}

/// A kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// `[reachable]`
    Reachable,
    /// `[invariant]`
    Invariant,
    /// `[never]`
    Never,
    /// `[bounds]`
    Bounds,
    /// `[ctl]`
    Ctl,
    /// `[ltl]`
    Ltl,
    /// `[ctlstar]`
    CtlStar,
}

impl PropertyKind {
    /// All of them.
    pub const ALL: [PropertyKind; 7] = [
        PropertyKind::Reachable,
        PropertyKind::Invariant,
        PropertyKind::Never,
        PropertyKind::Bounds,
        PropertyKind::Ctl,
        PropertyKind::Ltl,
        PropertyKind::CtlStar,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            PropertyKind::Reachable => "reachable",
            PropertyKind::Invariant => "invariant",
            PropertyKind::Never => "never",
            PropertyKind::Bounds => "bounds",
            PropertyKind::Ctl => "ctl",
            PropertyKind::Ltl => "ltl",
            PropertyKind::CtlStar => "ctlstar",
        }
    }
}

impl Name {
    /// A name that is written nowhere.
    pub fn new(text: impl Into<String>) -> Name {
        Name { text: text.into(), origin: Origin::default() }
    }

    /// Where it is written.
    pub fn span(&self) -> Span {
        self.origin.0
    }
}
