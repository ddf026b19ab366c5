//! `gal` types: from declarations and statements to a [`Program`].

use rustc_hash::FxHashSet;

use super::super::ledger::{Ledger, Outcome, complaint};
use super::super::syntax::{
    Action, Assignment, Change, Definition, Expression, ExpressionKind, Given, Initial, Name, ProgramMember,
    ProgramType, Reference, Step, Transition, Values, VariableDeclaration,
};
use super::builder::{Builder, Meaning};
use super::calls::{Caller, refuse_circles};
use super::combine::{self, Maker as _, instance_name};
use super::environment::Environment;
use super::hotbit;
use super::meaning::Facts;
use super::member::{LocalNames, STATEMENT, TRANSITION, array_length, array_values, definition_of, label_text, set};
use super::queue;
use super::steps::{Scoped, rounds};
use super::symmetry;
use crate::expression::{Boolean, Integer, simplify};
use crate::system::{Array, Program, ProgramInitial, ProgramTransition, Statement, Target, Variable};
use crate::text::Span;

/// A program in the making.
pub(super) struct Maker<'m, 'a> {
    pub names: LocalNames<'a>,
    pub environment: &'m mut Environment<'a>,
    pub ledger: &'m mut Ledger,
    program: Program,
    values: Vec<i32>,
    /// Where the transition in the making is written.
    transition: Span,
    /// For each transition with calls, its index and what it calls.
    calls: Vec<(usize, Vec<(String, Span)>)>,
}

/// Makes a program of a type whose parameters are in the environment.
pub(super) fn program<'a>(
    body: &'a ProgramType, name: String, environment: &mut Environment<'a>, ledger: &mut Ledger,
) -> (Program, Facts) {
    let program = Program { name, ..Program::default() };
    let names = LocalNames::default();
    let (transition, calls) = (Span::default(), Vec::new());
    let mut maker = Maker { names, environment, ledger, program, values: Vec::new(), transition, calls };
    let mut facts = Facts::default();
    // What is wrong with one member has been reported, and does not keep the others from being made.
    for member in &body.members {
        let _ = match member {
            ProgramMember::Range(range) => maker.environment.add_local_range(range, maker.ledger),
            ProgramMember::Variable(variable) => maker.variable(variable, &mut facts).inspect_err(|_| {
                maker.names.fail(&variable.name);
            }),
            _ => Ok(()),
        };
    }
    for member in &body.members {
        if let ProgramMember::Alias(definition) | ProgramMember::Predicate(definition) = member {
            let condition = matches!(member, ProgramMember::Predicate(_));
            match maker.define(definition, condition) {
                Ok(meaning) => facts.define(&definition.name.text, meaning),
                Err(_) => maker.names.fail(&definition.name),
            }
        }
    }
    for member in &body.members {
        match member {
            ProgramMember::Transition(transition) => {
                let _ = maker.combinations(transition);
            }
            ProgramMember::Transient(condition) => maker.program.transient = maker.boolean(condition).ok(),
            _ => {}
        }
    }
    maker.initial_states(body);
    for member in &body.members {
        if let ProgramMember::Symmetry(declared) = member
            && let Ok(made) = symmetry::symmetry(&mut maker, declared)
        {
            maker.program.symmetries.push(made);
        }
    }
    maker.finish(facts)
}

impl<'a> Scoped<'a> for Maker<'_, 'a> {
    fn scope(&mut self) -> (&mut Environment<'a>, &mut Ledger) {
        (self.environment, self.ledger)
    }
}

impl<'a> combine::Maker<'a, Action> for Maker<'_, 'a> {
    fn combination(&mut self, transition: &'a Transition<Action>) -> Outcome<()> {
        let guard = match &transition.guard {
            Some(guard) => self.boolean(guard)?,
            None => Boolean::Constant(true),
        };
        if guard == Boolean::Constant(false) {
            return Ok(());
        }
        self.ledger.parts(TRANSITION, transition.name.span())?;
        let label = label_text(transition.label.as_ref(), self.environment, self.ledger)?;
        let mut calls = Vec::new();
        let mut body = Vec::new();
        self.transition = transition.name.span();
        self.steps(&transition.body, &mut body, &mut calls)?;
        body.shrink_to_fit();
        if !calls.is_empty() {
            self.calls.push((self.program.transitions.len(), calls));
        }
        let name = instance_name(transition, self.environment);
        self.program.transitions.push(ProgramTransition { name, label, guard, body, span: transition.name.span() });
        Ok(())
    }
}

impl<'a> symmetry::Maker<'a> for Maker<'_, 'a> {
    fn thing(&mut self, reference: &Reference) -> Outcome<u32> {
        let meaning = self.builder().reference(reference)?;
        symmetry::variable(meaning, reference, self.ledger)
    }

    fn name_of(&self, thing: u32) -> String {
        self.program.variables.get(thing as usize).map_or(String::new(), |one| one.name.clone())
    }
}

impl<'a> Maker<'_, 'a> {
    fn builder(&mut self) -> Builder<'_, 'a, LocalNames<'a>> {
        Builder { names: &self.names, environment: self.environment, ledger: self.ledger }
    }

    fn boolean(&mut self, expression: &Expression) -> Outcome<Boolean<u32>> {
        self.builder().boolean(expression)
    }

    fn integer(&mut self, expression: &Expression) -> Outcome<Integer<u32>> {
        self.builder().integer(expression)
    }

    fn constant(&mut self, expression: &Expression) -> Outcome<i32> {
        self.environment.constant(expression, self.ledger)
    }

    fn variable(&mut self, declaration: &'a VariableDeclaration, facts: &mut Facts) -> Outcome<()> {
        let name = &declaration.name;
        let first = self.program.variables.len() as u32;
        if let Some(range) = &declaration.hotbit {
            let (least, greatest) = self.environment.range(range, self.ledger)?;
            let value = match &declaration.values {
                Values::One(value) => Some((self.constant(value)?, value.span())),
                _ => None,
            };
            let values = hotbit::bits(declaration, least, greatest, value, self.ledger)?;
            let length = values.len() as u32;
            self.add_array(name, values)?;
            let meaning = Meaning::OneHot { first, least, length };
            facts.define(&name.text, meaning.clone());
            self.names.insert(name, meaning);
            return Ok(());
        }
        match array_length(declaration.length.as_ref(), name, self.environment, self.ledger)? {
            None => {
                let value = match &declaration.values {
                    Values::One(value) => self.constant(value)?,
                    _ => 0,
                };
                self.ledger.things(1, name.span())?;
                self.program.variables.push(Variable::new(name.text.clone()));
                self.values.push(value);
                self.names.insert(name, Meaning::Integer(Integer::Variable(first)));
            }
            Some(length) => {
                let values = array_values(&declaration.values, name, length, self.environment, self.ledger)?;
                self.add_array(name, values)?;
                self.names.insert(name, Meaning::Array { first, length });
            }
        }
        Ok(())
    }

    fn add_array(&mut self, name: &Name, values: Vec<i32>) -> Outcome<()> {
        let first = self.program.variables.len() as u32;
        let length = values.len() as u32;
        self.program.arrays.push(Array { name: name.text.clone(), first, length });
        self.program.variables.extend((0..length).map(|i| Variable::new(format!("{}[{i}]", name.text))));
        self.values.extend(values);
        Ok(())
    }

    fn define(&mut self, definition: &'a Definition, condition: bool) -> Outcome<Meaning<u32>> {
        let meaning = definition_of(&mut self.builder(), definition, condition)?;
        self.names.insert(&definition.name, meaning.clone());
        Ok(meaning)
    }

    fn steps(
        &mut self, steps: &'a [Step<Action>], body: &mut Vec<Statement>, calls: &mut Vec<(String, Span)>,
    ) -> Outcome<()> {
        for step in steps {
            match step {
                Step::Do(action) => self.action(action, body, calls)?,
                Step::For(parameter, inner) => rounds(self, parameter, |maker| maker.steps(inner, body, calls))?,
                Step::If(condition, then, otherwise) => match self.boolean(condition)? {
                    Boolean::Constant(true) => self.steps(then, body, calls)?,
                    Boolean::Constant(false) => self.steps(otherwise, body, calls)?,
                    condition => {
                        self.ledger.parts(STATEMENT, self.transition)?;
                        let (mut one, mut other) = (Vec::new(), Vec::new());
                        self.steps(then, &mut one, calls)?;
                        self.steps(otherwise, &mut other, calls)?;
                        body.push(Statement::If(condition, one, other));
                    }
                },
            }
        }
        Ok(())
    }

    /// Where an action is written; a block is part of its transition.
    fn place_of(&self, action: &Action) -> Span {
        match action {
            Action::Assign(target, _, _) => target.span(),
            Action::Abort(origin) => origin.0,
            Action::Call(label) => label.name.span(),
            Action::Fixpoint(_) => self.transition,
        }
    }

    fn action(
        &mut self, action: &'a Action, body: &mut Vec<Statement>, calls: &mut Vec<(String, Span)>,
    ) -> Outcome<()> {
        self.ledger.parts(STATEMENT, self.place_of(action))?;
        match action {
            Action::Abort(_) => body.push(Statement::Abort),
            Action::Fixpoint(inner) => {
                let mut statements = Vec::new();
                self.steps(inner, &mut statements, calls)?;
                body.push(Statement::Fixpoint(statements));
            }
            Action::Call(label) => {
                let text = label_text(Some(label), self.environment, self.ledger)?.unwrap_or_default();
                calls.push((text.clone(), label.name.span()));
                body.push(Statement::Call(text));
            }
            Action::Assign(target, way, value) => {
                let place = self.builder().reference(target)?;
                let mut value = self.integer(value)?;
                if *way == Assignment::Subtract {
                    value = simplify::minus(value);
                }
                if *way != Assignment::Set {
                    let before = self.integer_of(target)?;
                    value = simplify::sum(vec![before, value]);
                }
                self.assign(target, place, value, body)?;
            }
        }
        Ok(())
    }

    fn integer_of(&mut self, reference: &Reference) -> Outcome<Integer<u32>> {
        let kind = ExpressionKind::Reference(reference.clone());
        self.integer(&Expression::new(kind, reference.span()))
    }

    fn assign(
        &mut self, target: &Reference, place: Meaning<u32>, value: Integer<u32>, body: &mut Vec<Statement>,
    ) -> Outcome<()> {
        match place {
            Meaning::Integer(Integer::Variable(variable)) => {
                body.push(Statement::Assign(Target::Variable(variable), value));
                Ok(())
            }
            Meaning::Integer(Integer::Element { first, length, index }) => {
                body.push(Statement::Assign(Target::Element { first, length, index: *index }, value));
                Ok(())
            }
            Meaning::OneHot { first, least, length } => {
                hotbit::assign(first, least, length, value, target.span(), self.ledger, body)
            }
            Meaning::Array { length, .. } => {
                Err(self.ledger.report(complaint::needs_index(target.span(), &target.to_string(), length)))
            }
            Meaning::Integer(_) | Meaning::Boolean(_) | Meaning::Queue { .. } => {
                Err(self.ledger.report(complaint::not_assignable(target.span(), &target.to_string())))
            }
        }
    }

    fn initial_states(&mut self, body: &'a ProgramType) {
        self.program.initial.push(ProgramInitial { name: String::new(), values: self.values.clone() });
        for member in &body.members {
            if let ProgramMember::Initial(initial) = member {
                let _ = self.initial_state(initial);
            }
        }
    }

    fn initial_state(&mut self, initial: &'a Initial<Change>) -> Outcome<()> {
        let Some(changes) = &initial.changes else {
            if let Some(declared) = self.program.initial.first_mut() {
                declared.name = initial.name.text.clone();
            }
            return Ok(());
        };
        self.ledger.things(self.values.len() as u64, initial.name.span())?;
        let mut values = self.values.clone();
        for change in changes {
            let given = match &change.value {
                Given::Number(given) => given,
                Given::Word(word) => return Err(self.ledger.report(queue::no_queue(word.origin.0, &change.target))),
            };
            let value = self.constant(given)?;
            let meaning = self.builder().reference(&change.target)?;
            set(&mut values, &change.target, meaning, (value, given.span()), self.ledger)?;
        }
        self.program.initial.push(ProgramInitial { name: initial.name.text.clone(), values });
        Ok(())
    }

    /// The program, once calls are known to lead somewhere.
    fn finish(mut self, mut facts: Facts) -> (Program, Facts) {
        facts.labels = self.program.transitions.iter().filter_map(|transition| transition.label.clone()).collect();
        let missing: FxHashSet<&str> = (self.calls.iter().flat_map(|(_, calls)| calls))
            .map(|(label, _)| label.as_str())
            .filter(|label| !facts.labels.contains(*label))
            .collect();
        if !missing.is_empty() {
            for transition in &mut self.program.transitions {
                abort_missing(&mut transition.body, &missing);
            }
        }
        let callers: Vec<Caller<'_>> = (self.calls.iter())
            .filter_map(|(index, calls)| {
                let label = self.program.transitions.get(*index)?.label.as_deref()?;
                Some(Caller { label, calls })
            })
            .collect();
        refuse_circles(&callers, self.ledger);
        (self.program, facts)
    }
}

/// A call of a label that no combination of parameters has cannot succeed: the firing yields no state.
fn abort_missing(body: &mut [Statement], missing: &FxHashSet<&str>) {
    for statement in body {
        match statement {
            Statement::Call(label) if missing.contains(label.as_str()) => *statement = Statement::Abort,
            Statement::If(_, then, otherwise) => {
                abort_missing(then, missing);
                abort_missing(otherwise, missing);
            }
            Statement::Fixpoint(inner) => abort_missing(inner, missing),
            Statement::Assign(..) | Statement::Abort | Statement::Call(_) => {}
        }
    }
}
