//! Types as they are written: programs, nets and composites, and what their transitions do.

use super::{Constant, Expression, Label, Name, Origin, Parameter, Range, RangeDeclaration, Reference};

/// A type made of variables and guarded actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramType {
    /// Its name.
    pub name: Name,
    /// Its parameters, with defaults.
    pub parameters: Vec<Constant>,
    /// What it declares, in its order.
    pub members: Vec<ProgramMember>,
}

/// A declaration of a `gal` type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramMember {
    /// `typedef index_t = 0..3;`
    Range(RangeDeclaration),
    /// `int x = 0;`, `array [4] t = (0, 1, 0, 0);` or `hotbit (range) int y = 1;`
    Variable(VariableDeclaration),
    /// `alias name = expression;`
    Alias(Definition),
    /// `predicate name = condition;`
    Predicate(Definition),
    /// `TRANSIENT = condition;`
    Transient(Expression),
    /// `transition name [guard] label "a" { ... }`
    Transition(Transition<Action>),
    /// `initial name { x = 3; }` (ours)
    Initial(Initial<Change>),
    /// `symmetry name ring { (x, y) (z, w); }` (ours)
    Symmetry(Symmetry),
}

/// A variable or an array of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableDeclaration {
    /// Its name.
    pub name: Name,
    /// The range of a `hotbit` variable.
    pub hotbit: Option<Range>,
    /// How many elements an array has.
    pub length: Option<Expression>,
    /// Where it begins: nothing for 0, one value, or those of an array.
    pub values: Values,
}

/// Initial values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// None given: 0.
    None,
    /// `= 3`, of an array for each element
    One(Expression),
    /// `= (0, 1, 0)`
    List(Vec<Expression>),
}

/// A name for an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name.
    pub name: Name,
    /// What it stands for.
    pub value: Expression,
}

/// A transition of a program or a net, or a synchronisation of a composite, with actions of kind `A`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition<A> {
    /// Its name.
    pub name: Name,
    /// Its parameters: it stands for one transition a combination.
    pub parameters: Vec<Parameter>,
    /// When it may fire.
    pub guard: Option<Box<Expression>>,
    /// Its priority; only transitions of nets have one.
    pub priority: Option<Box<Expression>>,
    /// The label by which it is called.
    pub label: Option<Label>,
    /// What it does.
    pub body: Vec<Step<A>>,
}

/// A step of a transition with actions of kind `A`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<A> {
    /// An action.
    Do(A),
    /// `if (condition) { ... } else { ... }`
    If(Expression, Vec<Step<A>>, Vec<Step<A>>),
    /// `for ($i : range) { ... }`: the steps once for each value.
    For(Parameter, Vec<Step<A>>),
}

/// An action of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `x = 3;`, `x += 3;`, `x -= 3;`
    Assign(Reference, Assignment, Expression),
    /// `abort;`
    Abort(Origin),
    /// `fixpoint { ... }`
    Fixpoint(Vec<Step<Action>>),
    /// `self."label";`
    Call(Label),
}

/// A way to assign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
}

/// A designated initial state: the changes, of kind `C`, from the declared one. Without a block, it names the declared
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial<C> {
    /// Its name.
    pub name: Name,
    /// What is different, if this is a further state.
    pub changes: Option<Vec<C>>,
}

/// `x = 3;` in an initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable or place.
    pub target: Reference,
    /// Its value.
    pub value: Given,
}

/// What something holds at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A number.
    Number(Expression),
    /// `[a, b]`: the letters of a queue, from the front.
    Word(Word),
}

/// `[a, b]`: letters of a queue. A letter is a name or a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its letters, from the front.
    pub letters: Vec<Expression>,
    /// Where it is written.
    pub origin: Origin,
}

/// A type that is a place/transition net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetType {
    /// Its name.
    pub name: Name,
    /// Its parameters, with defaults.
    pub parameters: Vec<Constant>,
    /// What it declares, in its order.
    pub members: Vec<NetMember>,
}

/// A declaration of a `net` type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetMember {
    /// `typedef index_t = 0..3;`
    Range(RangeDeclaration),
    /// `place [4] p = (1, 0, 0, 0) capacity 3;`
    Place(PlaceDeclaration),
    /// `queue [2] q { a, b, 0..3 } = [a, b] capacity 3;`
    Queue(QueueDeclaration),
    /// `alias name = expression;`
    Alias(Definition),
    /// `predicate name = condition;`
    Predicate(Definition),
    /// `transition name { take p; put 2 q; }`
    Transition(Transition<Arc>),
    /// `initial name { p = 3; }`
    Initial(Initial<Change>),
    /// `unit name { p; unit other; }`: places of which at most one is marked, and groups nested in it.
    Unit(Unit),
    /// `symmetry name ring { (p, q) (r, s); }`
    Symmetry(Symmetry),
    /// `root name;` or `safe root name;`: the unit that holds all others, perhaps with the promise that units are safe.
    Root(Name, bool),
}

/// A place or an array of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceDeclaration {
    /// Its name.
    pub name: Name,
    /// How many places an array has.
    pub length: Option<Expression>,
    /// The tokens it begins with.
    pub values: Values,
    /// How many tokens it may hold.
    pub capacity: Option<Expression>,
}

/// A queue or an array of queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueDeclaration {
    /// Its name.
    pub name: Name,
    /// How many queues an array has.
    pub length: Option<Expression>,
    /// The letters that it may hold.
    pub letters: Vec<Letters>,
    /// What it holds at first.
    pub word: Option<Word>,
    /// How many letters it may hold. Every queue has a capacity: that there is none is said where it is missed.
    pub capacity: Option<Expression>,
}

/// Letters as they are declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Letters {
    /// A name or a number.
    One(Expression),
    /// `0..3`
    Between(Expression, Expression),
}

/// A group of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its name.
    pub name: Name,
    /// Its own places.
    pub places: Vec<Reference>,
    /// Units nested in it.
    pub children: Vec<Name>,
}

/// `symmetry name ring { (a, b) (c, d); }`: which variables, places or instances may take each other's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Its name.
    pub name: Name,
    /// What the lists of its rows mean.
    pub kind: SymmetryKind,
    /// Its rows.
    pub body: Vec<Step<Row>>,
}

/// A kind of symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymmetryKind {
    /// `interchangeable`: each list is a block, and the blocks may be put in any order.
    Interchangeable,
    /// `ring`: each list is a block, and the blocks may be turned.
    Ring,
    /// `generated`: each row is a permutation, and its lists are the cycles.
    Generated,
}

/// `(a, b) (c, d);`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its lists; at least one.
    pub lists: Vec<RowList>,
}

/// `(a, b)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowList {
    /// What is listed.
    pub members: Vec<Listed>,
    /// Where it is written.
    pub origin: Origin,
}

/// `t[2]` or `for ($i : range) t[$i]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its loops, the outermost first: it stands for one thing a round.
    pub loops: Vec<Parameter>,
    /// What is meant.
    pub reference: Reference,
}

/// An arc between a transition and a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    /// What it does.
    pub kind: ArcKind,
    /// Its weight; 1 if it is not said.
    pub weight: Option<Expression>,
    /// The place.
    pub place: Reference,
    /// `(a, b)`: the letters that are taken from a queue, read at its front or put at its end.
    pub letters: Option<Vec<Expression>>,
}

/// What an arc does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArcKind {
    /// `take 2 p;`
    Take,
    /// `put 2 p;`
    Put,
    /// `read 2 p;`
    Read,
    /// `inhibit 2 p;`: only if there are fewer.
    Inhibit,
    /// `reset p;`
    Reset,
}

/// A type made of instances of other types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompositeType {
    /// Its name.
    pub name: Name,
    /// The types it leaves open.
    pub templates: Vec<Template>,
    /// Its parameters, with defaults.
    pub parameters: Vec<Constant>,
    /// What it declares, in its order.
    pub members: Vec<CompositeMember>,
}

/// `T extends Iface`: a type that is left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The name that stands for it.
    pub name: Name,
    /// The interfaces that it must satisfy.
    pub interfaces: Vec<Name>,
}

/// A declaration of a composite type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompositeMember {
    /// `typedef index_t = 0..3;`
    Range(RangeDeclaration),
    /// `Cell c;`, `Cell [4] cells ($K = 2) from full;`
    Instance(InstanceDeclaration),
    /// `predicate name = condition;`
    Predicate(Definition),
    /// `alias name = expression;`
    Alias(Definition),
    /// `synchronization s label "a" { c."b"; }`
    Synchronisation(Transition<Call>),
    /// `initial name { c from full; }`
    Initial(Initial<Choice>),
    /// `symmetry name ring { (c) (d); }` (ours)
    Symmetry(Symmetry),
}

/// A use of a type, with types for what a template leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeUse {
    /// The name of the type.
    pub name: Name,
    /// Types for its templates.
    pub arguments: Vec<TypeUse>,
}

/// An instance or an array of instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceDeclaration {
    /// Its type.
    pub type_use: TypeUse,
    /// How many there are in an array.
    pub length: Option<Expression>,
    /// Its name.
    pub name: Name,
    /// Values of the type's parameters.
    pub bindings: Vec<Constant>,
    /// In which initial states it may begin; the declared one if nothing is said.
    pub from: Vec<Name>,
}

/// `c."label";` or `self."label";`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Who is called; the composite itself if nobody is.
    pub instance: Option<Reference>,
    /// What is called.
    pub label: Label,
}

/// `c from full, empty;` in an initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The instance, or all of an array.
    pub instance: Reference,
    /// In which initial states it may begin.
    pub from: Vec<Name>,
}

impl SymmetryKind {
    /// All of them.
    pub const ALL: [SymmetryKind; 3] = [SymmetryKind::Interchangeable, SymmetryKind::Ring, SymmetryKind::Generated];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            SymmetryKind::Interchangeable => "interchangeable",
            SymmetryKind::Ring => "ring",
            SymmetryKind::Generated => "generated",
        }
    }
}

impl ArcKind {
    /// All of them.
    pub const ALL: [ArcKind; 5] = [ArcKind::Take, ArcKind::Put, ArcKind::Read, ArcKind::Inhibit, ArcKind::Reset];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            ArcKind::Take => "take",
            ArcKind::Put => "put",
            ArcKind::Read => "read",
            ArcKind::Inhibit => "inhibit",
            ArcKind::Reset => "reset",
        }
    }
}
