//! Which names mean what where an expression stands.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::ledger::{Ledger, complaint};
use super::super::syntax::{Expression, ExpressionKind, Range, Reference, Unary};
use crate::text::Problem;

/// What a name or an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// An integer.
    Integer,
    /// A condition.
    Boolean,
    /// An array of integers.
    Array,
    /// An integer whose bits can be asked for one by one, like an array.
    Bits,
    /// A queue: its length is an integer, and its letters can be asked for one by one, like an array.
    Queue,
    /// An instance of a declared type (if it is known), or an array of instances.
    Instance {
        /// Which type.
        of: Option<usize>,
        /// Whether it is an array.
        array: bool,
    },
    /// Something wrong, which has been reported, or something that is known only later.
    Unknown,
}

/// What stands in place of a guard that reads a place.
const ASKS_FOR_TOKENS: &str = "only numbers, constants and parameters may be used here; between the braces, `read 2 p;` asks for two \
                               tokens in `p`, and `inhibit 2 p;` for fewer";

/// The names in scope.
pub(super) struct Scope<'c, 'a> {
    constants: &'c FxHashSet<&'a str>,
    pub parameters: Vec<&'a str>,
    pub ranges: FxHashSet<&'a str>,
    global_ranges: &'c FxHashSet<&'a str>,
    pub names: FxHashMap<&'a str, Sort>,
    /// What the names without arguments are called.
    pub things: &'static str,
    /// Which names stand for expressions.
    pub definitions: FxHashSet<&'a str>,
    /// Whether expressions may read variables; only constants otherwise.
    pub reads_variables: bool,
    /// Whether this is the guard of a net's transition, which sees no places.
    pub is_guard_of_net: bool,
    pub ledger: &'c mut Ledger,
}

impl<'c, 'a> Scope<'c, 'a> {
    pub fn new(
        constants: &'c FxHashSet<&'a str>, ranges: &'c FxHashSet<&'a str>, ledger: &'c mut Ledger,
    ) -> Scope<'c, 'a> {
        Scope {
            constants,
            parameters: Vec::new(),
            ranges: FxHashSet::default(),
            global_ranges: ranges,
            names: FxHashMap::default(),
            things: "variable",
            definitions: FxHashSet::default(),
            reads_variables: false,
            is_guard_of_net: false,
            ledger,
        }
    }

    pub fn range(&mut self, range: &Range) {
        match range {
            Range::Between(least, greatest) => {
                self.constant(least);
                self.constant(greatest);
            }
            Range::Named(name) => {
                let text = name.text.as_str();
                if !self.ranges.contains(text) && !self.global_ranges.contains(text) {
                    let names = self.ranges.iter().chain(self.global_ranges).copied();
                    let mut problem = complaint::unknown(name.span(), "range", text, names);
                    problem.help.get_or_insert_with(|| format!("declare it: `typedef {text} = 0..3;`"));
                    self.ledger.report(problem);
                }
            }
        }
    }

    /// An expression of constants and parameters.
    pub fn constant(&mut self, expression: &Expression) {
        let reads = std::mem::replace(&mut self.reads_variables, false);
        self.sort(expression);
        self.reads_variables = reads;
    }

    /// An integer; a condition counts as 0 or 1.
    pub fn integer(&mut self, expression: &Expression) {
        self.sort(expression);
    }

    pub fn condition(&mut self, expression: &Expression) {
        if self.sort(expression) == Some(Sort::Integer) {
            self.ledger.report(complaint::no_condition(expression.span()));
        }
    }

    /// What an expression is; `None` if something is wrong with it.
    pub fn sort(&mut self, expression: &Expression) -> Option<Sort> {
        if self.ledger.is_exhausted() {
            return None;
        }
        match &expression.kind {
            ExpressionKind::Number(_) => Some(Sort::Integer),
            ExpressionKind::Parameter(name) => {
                self.parameter(expression, name);
                Some(Sort::Integer)
            }
            ExpressionKind::Reference(reference) => self.reference(reference),
            ExpressionKind::Unary(Unary::Minus | Unary::BitNot, operand) => {
                self.integer(operand);
                Some(Sort::Integer)
            }
            ExpressionKind::Unary(Unary::Not, operand) => {
                self.condition(operand);
                Some(Sort::Boolean)
            }
            ExpressionKind::Chain(first, rest) => {
                self.integer(first);
                rest.iter().for_each(|(_, operand)| self.integer(operand));
                Some(Sort::Integer)
            }
            ExpressionKind::Compare(_, left, right) => {
                match (self.is_cell(left), self.is_cell(right)) {
                    (true, _) => {
                        self.integer(left);
                        self.letter(right);
                    }
                    (false, true) => {
                        self.letter(left);
                        self.integer(right);
                    }
                    (false, false) => {
                        self.integer(left);
                        self.integer(right);
                    }
                }
                Some(Sort::Boolean)
            }
            ExpressionKind::All(list) | ExpressionKind::Any(list) => {
                list.iter().for_each(|operand| self.condition(operand));
                Some(Sort::Boolean)
            }
            ExpressionKind::Implies(left, right) | ExpressionKind::Equivalent(left, right) => {
                self.condition(left);
                self.condition(right);
                Some(Sort::Boolean)
            }
            ExpressionKind::Truth(_)
            | ExpressionKind::Deadlock
            | ExpressionKind::Fireable(_)
            | ExpressionKind::Fired(_)
            | ExpressionKind::Over(..)
            | ExpressionKind::Matching(..)
            | ExpressionKind::FireableWith(_)
            | ExpressionKind::FiredWith(_)
            | ExpressionKind::TemporalUnary(..)
            | ExpressionKind::TemporalBinary(..) => Some(Sort::Boolean),
        }
    }

    fn parameter(&mut self, expression: &Expression, name: &str) {
        if self.parameters.contains(&name) || self.constants.contains(name) {
            return;
        }
        let names: Vec<String> = self.parameters.iter().chain(self.constants).map(|name| format!("${name}")).collect();
        let unknown =
            complaint::unknown(expression.span(), "parameter", &format!("${name}"), names.iter().map(String::as_str));
        self.ledger.report(unknown);
    }

    /// A name where a value is expected.
    fn reference(&mut self, reference: &Reference) -> Option<Sort> {
        let Some(segment) = reference.single() else {
            let problem = Problem::new(reference.span(), "instances cannot be looked into from here")
                .label("this names something inside of an instance")
                .help("only properties and the predicates of composites may");
            self.ledger.report(problem);
            return None;
        };
        if let Some(index) = &segment.index {
            self.integer(index);
        }
        let name = segment.name.text.as_str();
        let Some(&sort) = self.names.get(name) else {
            let mut problem = complaint::unknown(segment.name.span(), self.things, name, self.names.keys().copied());
            if self.parameters.contains(&name) || self.constants.contains(name) {
                problem = problem.help(format!("did you mean the parameter `${name}`?"));
            }
            self.ledger.report(problem);
            return None;
        };
        if !self.reads_variables && sort != Sort::Unknown {
            let problem = complaint::not_constant(reference.span(), name);
            self.ledger.report(match self.is_guard_of_net {
                true => problem.help(ASKS_FOR_TOKENS),
                false => problem,
            });
            return None;
        }
        match (sort, segment.index.is_some()) {
            (Sort::Array, false) => {
                self.ledger.report(complaint::needs_index(reference.span(), name, 0));
                None
            }
            (Sort::Integer | Sort::Boolean, true) => {
                self.ledger.report(complaint::no_array(reference.span(), name));
                None
            }
            (Sort::Array | Sort::Bits | Sort::Queue, _) => Some(Sort::Integer),
            (sort, _) => Some(sort),
        }
    }

    /// A name that is assigned, or at the end of an arc.
    pub fn target(&mut self, reference: &Reference) {
        if self.ledger.is_exhausted() {
            return;
        }
        if reference.single().is_some_and(|segment| self.definitions.contains(segment.name.text.as_str())) {
            self.ledger.report(complaint::not_assignable(reference.span(), &reference.to_string()));
            return;
        }
        let reads = self.reads_variables;
        if let Some(index) = reference.single().and_then(|segment| segment.index.as_ref()) {
            self.integer(index);
        }
        self.reads_variables = true;
        self.reference(&without_index_check(reference));
        self.reads_variables = reads;
    }

    /// A letter of a queue: a name, or a constant. Which letters there are is known later.
    pub fn letter(&mut self, expression: &Expression) {
        let is_name = |reference: &Reference| reference.single().is_some_and(|segment| segment.index.is_none());
        if !matches!(&expression.kind, ExpressionKind::Reference(reference) if is_name(reference)) {
            self.constant(expression);
        }
    }

    /// Whether an expression is a cell of a queue.
    fn is_cell(&self, expression: &Expression) -> bool {
        let ExpressionKind::Reference(reference) = &expression.kind else { return false };
        let indexed = reference.single().filter(|segment| segment.index.is_some());
        indexed.is_some_and(|segment| self.names.get(segment.name.text.as_str()) == Some(&Sort::Queue))
    }

    /// A name of a variable itself, and not of an expression.
    pub fn variable(&mut self, reference: &Reference) {
        let name = reference.single().map_or("", |segment| segment.name.text.as_str());
        match self.definitions.contains(name) {
            true => {
                self.ledger.report(complaint::no_variable(reference.span(), name, self.things));
            }
            false => self.target(reference),
        }
    }

    /// The type of the instance that a reference names.
    pub fn instance(&mut self, reference: &Reference) -> Option<usize> {
        let segment = reference.single().filter(|_| !self.ledger.is_exhausted())?;
        if let Some(index) = &segment.index {
            self.constant(index);
        }
        let name = segment.name.text.as_str();
        match self.names.get(name) {
            Some(Sort::Instance { of, array }) => {
                match (*array, segment.index.is_some()) {
                    (true, false) => self.ledger.report(complaint::needs_index(reference.span(), name, 0)),
                    (false, true) => self.ledger.report(complaint::no_array(reference.span(), name)),
                    _ => return *of,
                };
                None
            }
            _ => {
                let instances = self.names.iter().filter(|(_, sort)| matches!(sort, Sort::Instance { .. }));
                let names: Vec<&str> = instances.map(|(name, _)| *name).collect();
                self.ledger.report(complaint::unknown(segment.name.span(), "instance", name, names.into_iter()));
                None
            }
        }
    }
}

/// The same reference with a constant as index: the index has been looked at.
fn without_index_check(reference: &Reference) -> Reference {
    let mut reference = reference.clone();
    for segment in &mut reference.segments {
        if let Some(index) = &mut segment.index {
            index.kind = ExpressionKind::Number(0);
        }
    }
    reference
}
