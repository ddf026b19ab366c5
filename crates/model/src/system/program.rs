//! Programs: integer variables and guarded actions, as GAL and DVE have them, with parameters already filled in.
//!
//! A transition fires in any state that satisfies its guard; its statements run one after the other, atomically. A
//! comparison that reads an array out of range, or divides by zero, is false by itself; in an action both are errors of
//! the model.

use super::{DeclaredSymmetry, ErrorState};
use crate::expression::{Boolean, Integer};
use crate::text::Span;

/// A type made of variables and guarded actions. In its expressions a variable is an index into `variables`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Variables; the elements of an array follow each other.
    pub variables: Vec<Variable>,
    /// Which variables are elements of arrays.
    pub arrays: Vec<Array>,
    /// Guarded actions.
    pub transitions: Vec<ProgramTransition>,
    /// States that satisfy this are transient: they are passed through and do not count, their successors do.
    pub transient: Option<Boolean<u32>>,
    /// Designated initial states; at least one.
    pub initial: Vec<ProgramInitial>,
    /// Where steps lead that have no proper result, if the language says so.
    pub error_state: Option<ErrorState>,
    /// Which of its variables may take each other's place, as the file says.
    pub symmetries: Vec<DeclaredSymmetry>,
}

/// An integer variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// Its name; an element of an array is called `name[3]`.
    pub name: String,
    /// The names of its values from 0 on, if they have names.
    pub values: Vec<String>,
}

impl Variable {
    /// A variable whose values have no names.
    pub fn new(name: String) -> Variable {
        Variable { name, ..Variable::default() }
    }
}

/// An array: variables that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// The variable that is its element 0.
    pub first: u32,
    /// How many elements it has.
    pub length: u32,
}

/// A designated initial state of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramInitial {
    /// Its name; empty for the only one of a program that does not name it.
    pub name: String,
    /// The value of each variable.
    pub values: Vec<i32>,
}

/// A guarded action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramTransition {
    /// Its name.
    pub name: String,
    /// The label by which it is called. A transition with a label does not fire by itself (but, in the main type, one
    /// with the label `elapse` does).
    pub label: Option<String>,
    /// When it may fire.
    pub guard: Boolean<u32>,
    /// What it does.
    pub body: Vec<Statement>,
    /// Where it is written.
    pub span: Span,
}

/// A step of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A variable gets a value.
    Assign(Target, Integer<u32>),
    /// One or the other.
    If(Boolean<u32>, Vec<Statement>, Vec<Statement>),
    /// The firing yields no state.
    Abort,
    /// Repeat until nothing changes.
    Fixpoint(Vec<Statement>),
    /// Run any one transition of this program that has this label.
    Call(String),
}

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A variable.
    Variable(u32),
    /// An element of an array.
    Element {
        /// Element 0.
        first: u32,
        /// How many elements there are.
        length: u32,
        /// Which one is meant.
        index: Integer<u32>,
    },
}
