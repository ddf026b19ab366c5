//! Statements that happen one after the other, as updates.
//!
//! A [`Path`] is one way through some statements. Its conditions, values and indices are those of the state before the
//! first statement: what a statement reads is replaced by what was written before it. Where it is not known whether an
//! element that is read is one that was written, the path splits.

use std::cell::Cell;
use std::sync::Arc;

use mandala_model::expression::{Boolean, Integer};
use mandala_model::system::{Program, ProgramTransition, Statement, Target};
use rustc_hash::FxHashSet;

use super::expression::{Expression, Kind, WithoutValue, and, constant, element, equal, fails, not, or};
use super::update::{Destination, Settled, Update, Write};

/// How deep statements and calls may be nested.
pub const MOST_NESTED: usize = 64;

/// So many paths are followed through a sequence of statements. Each of them is an update by itself: beyond this it is
/// better to do one statement after the other.
const MOST_PATHS: usize = 16;

/// So many statements are followed at a time, those of what is called each time that it is.
const MOST_STATEMENTS: usize = 2000;

/// How large the expressions of a path may get.
const MOST_SIZE: usize = 400;

/// So many elements whose index is not known may be on a path: each of them splits the states once more.
const MOST_ELEMENTS: usize = 4;

/// Why statements cannot be taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// There is a fixpoint among them.
    Fixpoint,
    /// There are too many paths through them, or it takes too much to follow one of them.
    Paths,
    /// They are nested too deep.
    Depth,
}

/// One way through some statements.
#[derive(Clone, Debug)]
pub struct Path {
    /// What happens on it.
    pub update: Update,
    /// What is known on it beside its guard: whether two indices are equal.
    known: Vec<(Expression, bool)>,
}

/// All ways through some statements.
#[derive(Clone, Debug)]
pub struct Paths {
    /// Those that come to the end.
    pub open: Vec<Path>,
    /// The states in which something on the way has no value.
    pub failing: Vec<Expression>,
}

/// What stops an evaluation on a path.
enum Stop {
    /// It has to be known first whether this holds.
    Unknown(Expression),
    /// Arrays that overlap.
    Overlap,
}

impl Path {
    /// The path on which a condition holds as well; nothing if it never does.
    fn under(&self, condition: &Expression) -> Option<Path> {
        let guard = and([self.update.guard.clone(), condition.clone()]);
        (!guard.is_never()).then(|| {
            let update = Update { guard, writes: self.update.writes.clone() };
            Path { update, known: self.known.clone() }
        })
    }

    /// The path if a condition is known to hold, and if it is known not to.
    fn split(&self, condition: &Expression) -> impl Iterator<Item = Path> {
        [(condition.clone(), true), (not(condition.clone()), false)].into_iter().filter_map(|(holds, truth)| {
            let mut path = self.under(&holds)?;
            path.known.push((condition.clone(), truth));
            Some(path)
        })
    }

    /// Whether an equation of indices holds on this path.
    fn decide(&self, equation: Expression) -> Result<bool, Stop> {
        if let Some(value) = equation.value() {
            return Ok(value != 0);
        }
        let known = self.known.iter().find(|(known, _)| *known == equation);
        known.map(|(_, truth)| *truth).ok_or(Stop::Unknown(equation))
    }

    /// What an expression is on this path, by the state before it.
    fn read(&self, expression: &Expression) -> Result<Expression, Stop> {
        if self.update.writes.is_empty() {
            return Ok(expression.clone());
        }
        expression.mapped(&|_| true, &|leaf| {
            for Write { destination, value } in self.update.writes.iter().rev() {
                let meant = match (leaf, destination) {
                    (Kind::Variable(variable), Destination::Variable(destination)) => variable == destination,
                    (Kind::Variable(variable), Destination::Element(cells, index)) => {
                        self.means(cells, index, *variable)?
                    }
                    (Kind::Element(cells, index), Destination::Variable(destination)) => {
                        self.means(cells, index, *destination)?
                    }
                    (Kind::Element(cells, index), Destination::Element(others, other)) if cells == others => {
                        self.decide(equal(index.clone(), other.clone()))?
                    }
                    (Kind::Element(cells, _), Destination::Element(others, _)) => {
                        if cells.iter().any(|cell| others.contains(cell)) {
                            return Err(Stop::Overlap);
                        }
                        false
                    }
                    _ => false,
                };
                if meant {
                    return Ok(Some(value.clone()));
                }
            }
            Ok(None)
        })
    }

    /// Whether an element is a variable.
    fn means(&self, cells: &[u32], index: &Expression, variable: u32) -> Result<bool, Stop> {
        match cells.iter().position(|&cell| cell == variable) {
            Some(at) => self.decide(equal(index.clone(), constant(at as i32))),
            None => Ok(false),
        }
    }

    /// Whether nothing has been decided or assigned on it.
    fn is_new(&self) -> bool {
        self.update.writes.is_empty() && self.update.guard.value() == Some(1)
    }

    /// Whether it takes little to evaluate it.
    fn is_small(&self) -> bool {
        let writes = || self.update.writes.iter();
        let indices = writes().filter_map(|write| match &write.destination {
            Destination::Element(_, index) => Some(index),
            Destination::Variable(_) => None,
        });
        let all = || [&self.update.guard].into_iter().chain(writes().map(|write| &write.value)).chain(indices.clone());
        let mut elements = FxHashSet::default();
        if all().map(Expression::size).fold(0, usize::saturating_add) > MOST_SIZE {
            return false;
        }
        all().for_each(|expression| expression.collect_elements(&mut elements));
        elements.len() <= MOST_ELEMENTS
    }

    /// The path with an assignment at its end.
    fn written(&self, destination: Destination, value: Expression) -> Path {
        let mut path = self.clone();
        path.update.writes.retain(|write| write.destination != destination);
        path.update.writes.push(Write { destination, value });
        path
    }
}

impl Paths {
    /// Before any statement.
    pub fn new() -> Paths {
        let update = Update { guard: constant(1), writes: Vec::new() };
        Paths { open: vec![Path { update, known: Vec::new() }], failing: Vec::new() }
    }

    /// The states that each path leaves as they are; nothing if that cannot be said.
    pub fn keeping(&self) -> Option<Vec<Expression>> {
        self.open.iter().map(|path| path.update.keeping()).collect()
    }
}

impl Default for Paths {
    fn default() -> Paths {
        Paths::new()
    }
}

/// A program whose variables are diagram variables of one level.
pub struct Reader<'p> {
    /// The program.
    pub program: &'p Program,
    /// The diagram variable of each variable.
    pub slots: Vec<u32>,
    /// So many statements may still be followed.
    left: Cell<usize>,
}

impl<'p> Reader<'p> {
    /// A program and the diagram variable of each of its variables.
    pub fn new(program: &'p Program, slots: Vec<u32>) -> Reader<'p> {
        Reader { program, slots, left: Cell::new(0) }
    }

    /// A condition outside of actions.
    pub fn condition(&self, holds: &Boolean<u32>) -> Expression {
        Expression::of_boolean(holds, &self.slots, WithoutValue::IsFalse)
    }

    /// A condition in an action.
    pub fn decision(&self, holds: &Boolean<u32>) -> Expression {
        Expression::of_boolean(holds, &self.slots, WithoutValue::IsNothing)
    }

    pub(super) fn value(&self, value: &Integer<u32>) -> Expression {
        Expression::of_integer(value, &self.slots, WithoutValue::IsNothing)
    }

    pub(super) fn cells(&self, first: u32, length: u32) -> Arc<[u32]> {
        self.slots[first as usize..(first + length) as usize].into()
    }

    /// The paths on which something is done with the values of some expressions.
    fn with_values(
        &self, paths: &mut Paths, expressions: &[Expression],
        mut each: impl FnMut(&Path, Vec<Expression>, &mut Vec<Path>, &mut Vec<Expression>),
    ) -> Result<(), Apart> {
        let mut todo: Vec<Path> = std::mem::take(&mut paths.open);
        todo.reverse();
        let mut done = Vec::with_capacity(todo.len());
        while let Some(path) = todo.pop() {
            match expressions.iter().map(|expression| path.read(expression)).collect::<Result<Vec<_>, Stop>>() {
                Ok(values) => {
                    let known = done.len();
                    each(&path, values, &mut done, &mut paths.failing);
                    // One statement by itself is as large as it is written.
                    if !path.is_new() && !done[known..].iter().all(Path::is_small) {
                        return Err(Apart::Paths);
                    }
                }
                Err(Stop::Unknown(condition)) => todo.extend(path.split(&condition)),
                Err(Stop::Overlap) => return Err(Apart::Paths),
            }
            if todo.len() + done.len() > MOST_PATHS {
                return Err(Apart::Paths);
            }
        }
        paths.open = done;
        Ok(())
    }

    /// The paths on which a condition holds. Where it has no value, that is a failure.
    fn assume(&self, paths: &mut Paths, condition: &Expression) -> Result<(), Apart> {
        self.with_values(paths, std::slice::from_ref(condition), |path, values, done, failing| {
            failing.extend(path.under(&fails(values[0].clone())).map(|path| path.update.guard));
            done.extend(path.under(&values[0]));
        })
    }

    fn assign(&self, paths: &mut Paths, target: &Target, value: &Integer<u32>) -> Result<(), Apart> {
        let (cells, index) = match target {
            Target::Variable(variable) => ([self.slots[*variable as usize]].as_slice().into(), constant(0)),
            Target::Element { first, length, index } => (self.cells(*first, *length), self.value(index)),
        };
        self.with_values(paths, &[index, self.value(value)], |path, values, done, failing| {
            let (index, value) = (&values[0], &values[1]);
            let missing = or([fails(element(Arc::clone(&cells), index.clone())), fails(value.clone())]);
            failing.extend(path.under(&missing).map(|path| path.update.guard));
            let destination = Destination::Element(Arc::clone(&cells), index.clone()).settled();
            if let (Settled::Destination(destination), false) = (destination, value.is_nothing()) {
                done.push(path.written(destination, value.clone()));
            }
        })
    }

    /// The paths after one more statement.
    pub fn then(&self, before: &Paths, statement: &Statement, depth: usize) -> Result<Paths, Apart> {
        self.left.set(MOST_STATEMENTS);
        self.follow(before, statement, depth)
    }

    fn follow(&self, before: &Paths, statement: &Statement, depth: usize) -> Result<Paths, Apart> {
        let depth = depth.checked_sub(1).ok_or(Apart::Depth)?;
        self.left.set(self.left.get().checked_sub(1).ok_or(Apart::Paths)?);
        let mut paths = before.clone();
        match statement {
            Statement::Fixpoint(_) => return Err(Apart::Fixpoint),
            Statement::Abort => paths.open.clear(),
            Statement::Assign(target, value) => self.assign(&mut paths, target, value)?,
            Statement::If(holds, yes, no) => {
                let holds = self.decision(holds);
                let branches = [(holds.clone(), yes), (not(holds), no)];
                paths = self.any(paths, branches.into_iter(), depth)?;
            }
            Statement::Call(label) => {
                let called = self.program.transitions.iter().filter(|callee| callee.label.as_ref() == Some(label));
                let branches = called.map(|callee| (self.condition(&callee.guard), &callee.body));
                paths = self.any(paths, branches, depth)?;
            }
        }
        Ok(paths)
    }

    /// The paths through any of some blocks, each with its condition.
    fn any<'b>(
        &self, before: Paths, branches: impl Iterator<Item = (Expression, &'b Vec<Statement>)>, depth: usize,
    ) -> Result<Paths, Apart> {
        let mut all = Paths { open: Vec::new(), failing: before.failing };
        for (condition, body) in branches {
            let mut paths = Paths { open: before.open.clone(), failing: Vec::new() };
            self.assume(&mut paths, &condition)?;
            for statement in body {
                paths = self.follow(&paths, statement, depth)?;
            }
            all.open.extend(paths.open);
            all.failing.extend(paths.failing);
            if all.open.len() > MOST_PATHS {
                return Err(Apart::Paths);
            }
        }
        Ok(all)
    }

    /// The paths through some statements.
    pub fn block(&self, body: &[Statement], depth: usize) -> Result<Paths, Apart> {
        self.left.set(MOST_STATEMENTS);
        body.iter().try_fold(Paths::new(), |paths, statement| self.follow(&paths, statement, depth))
    }

    /// The paths through a transition, all of it.
    pub fn fire(&self, transition: &ProgramTransition, depth: usize) -> Result<Paths, Apart> {
        self.left.set(MOST_STATEMENTS);
        let branches = [(self.condition(&transition.guard), &transition.body)];
        self.any(Paths::new(), branches.into_iter(), depth)
    }
}
