//! What can be said of a file before parameters are filled in.
//!
//! All names, and what they are used for, are checked here, once for each declaration and also where no combination of
//! parameters ever comes: that is what makes it possible to report all errors at once. What depends on the values of
//! parameters is left to [`super::elaborate`].

mod scope;
mod types;

use rustc_hash::FxHashSet;
use scope::{Scope, Sort};

use super::declared::{Body, Declared, Unique};
use super::ledger::Ledger;
use super::syntax::{
    Action, Arc, Call, CompositeMember, CompositeType, Definition, Expression, Initial, Name, NetMember, NetType,
    ProgramMember, ProgramType, Reference, Row, Step, Symmetry, Transition,
};
use crate::text::Problem;

/// Checks all declarations.
pub(super) fn check(declared: &Declared<'_>, ledger: &mut Ledger) {
    types::check(declared, ledger);
    let ranges: FxHashSet<&str> = declared.ranges.iter().map(|range| range.name.text.as_str()).collect();
    let constants: FxHashSet<&str> = declared.constants.iter().map(|constant| constant.name.text.as_str()).collect();
    for (index, of) in declared.types.iter().enumerate() {
        if ledger.is_exhausted() {
            return;
        }
        let mut scope = Scope::new(&constants, &ranges, ledger);
        let mut parameters = Unique::default();
        for parameter in of.body.parameters() {
            parameters.add(&parameter.name, "parameter", scope.ledger);
            scope.parameters.push(&parameter.name.text);
        }
        match of.body {
            Body::Program(body) => Checker { scope, declared, index }.program(body),
            Body::Net(body) => Checker { scope, declared, index }.net(body),
            Body::Composite(body) => Checker { scope, declared, index }.composite(body),
        }
    }
}

/// Checks a type.
struct Checker<'c, 'a> {
    scope: Scope<'c, 'a>,
    declared: &'c Declared<'a>,
    /// Which type it is.
    index: usize,
}

/// Names of a type that must differ among their kind.
#[derive(Default)]
struct Kinds<'a> {
    names: Unique<'a>,
    ranges: Unique<'a>,
    transitions: Unique<'a>,
    states: Unique<'a>,
    symmetries: Unique<'a>,
}

impl<'c, 'a> Checker<'c, 'a> {
    fn declare(&mut self, kinds: &mut Kinds<'a>, name: &'a Name, what: &str, sort: Sort) {
        kinds.names.add(name, what, self.scope.ledger);
        self.scope.names.insert(&name.text, sort);
    }

    fn declare_range(&mut self, kinds: &mut Kinds<'a>, name: &'a Name) {
        kinds.ranges.add(name, "range", self.scope.ledger);
        self.scope.ranges.insert(&name.text);
    }

    fn define(&mut self, kinds: &mut Kinds<'a>, definition: &'a Definition, what: &str) {
        let sort = self.scope.sort(&definition.value);
        if what == "predicate" && sort == Some(Sort::Integer) {
            self.scope.condition(&definition.value);
        }
        self.declare(kinds, &definition.name, what, sort.unwrap_or(Sort::Unknown));
        self.scope.definitions.insert(&definition.name.text);
    }

    fn program(mut self, body: &'a ProgramType) {
        let mut kinds = Kinds::default();
        self.scope.reads_variables = true;
        for member in &body.members {
            match member {
                ProgramMember::Range(range) => self.declare_range(&mut kinds, &range.name),
                ProgramMember::Variable(variable) => {
                    let sort = match (&variable.length, &variable.hotbit) {
                        (Some(_), _) => Sort::Array,
                        (None, Some(_)) => Sort::Bits,
                        (None, None) => Sort::Integer,
                    };
                    self.declare(&mut kinds, &variable.name, "variable", sort);
                }
                _ => {}
            }
        }
        for member in &body.members {
            match member {
                ProgramMember::Alias(definition) => self.define(&mut kinds, definition, "alias"),
                ProgramMember::Predicate(definition) => self.define(&mut kinds, definition, "predicate"),
                _ => {}
            }
        }
        for member in &body.members {
            match member {
                ProgramMember::Transition(transition) => {
                    self.transition(&mut kinds, transition, "transition", Self::action);
                }
                ProgramMember::Transient(condition) => self.scope.condition(condition),
                ProgramMember::Initial(initial) => self.initial(&mut kinds, initial),
                ProgramMember::Symmetry(symmetry) => self.symmetry(&mut kinds, symmetry),
                _ => {}
            }
        }
    }

    fn net(mut self, body: &'a NetType) {
        let mut kinds = Kinds::default();
        self.scope.things = "place";
        for member in &body.members {
            match member {
                NetMember::Range(range) => self.declare_range(&mut kinds, &range.name),
                NetMember::Place(place) => {
                    let sort = if place.length.is_some() { Sort::Array } else { Sort::Integer };
                    self.declare(&mut kinds, &place.name, "place", sort);
                }
                NetMember::Queue(queue) => {
                    let sort = if queue.length.is_some() { Sort::Array } else { Sort::Queue };
                    self.declare(&mut kinds, &queue.name, "queue", sort);
                }
                _ => {}
            }
        }
        self.scope.reads_variables = true;
        for member in &body.members {
            match member {
                NetMember::Alias(definition) => self.define(&mut kinds, definition, "alias"),
                NetMember::Predicate(definition) => self.define(&mut kinds, definition, "predicate"),
                _ => {}
            }
        }
        self.scope.reads_variables = false;
        let mut units = Unique::default();
        for member in &body.members {
            match member {
                NetMember::Transition(transition) => self.transition(&mut kinds, transition, "transition", Self::arc),
                NetMember::Initial(initial) => self.initial(&mut kinds, initial),
                NetMember::Symmetry(symmetry) => self.symmetry(&mut kinds, symmetry),
                NetMember::Unit(unit) => units.add(&unit.name, "unit", self.scope.ledger),
                _ => {}
            }
        }
    }

    fn composite(mut self, body: &'a CompositeType) {
        let mut kinds = Kinds::default();
        for member in &body.members {
            match member {
                CompositeMember::Range(range) => self.declare_range(&mut kinds, &range.name),
                CompositeMember::Instance(instance) => {
                    let name = instance.type_use.name.text.as_str();
                    let open = body.templates.iter().any(|template| template.name.text == name);
                    let of = self.declared.type_names.get(name).copied().filter(|_| !open);
                    let sort = Sort::Instance { of, array: instance.length.is_some() };
                    self.declare(&mut kinds, &instance.name, "instance", sort);
                }
                // What these mean depends on the types of the instances.
                CompositeMember::Alias(definition) | CompositeMember::Predicate(definition) => {
                    self.declare(&mut kinds, &definition.name, "predicate", Sort::Unknown);
                }
                _ => {}
            }
        }
        for member in &body.members {
            match member {
                CompositeMember::Synchronisation(transition) => {
                    self.transition(&mut kinds, transition, "synchronization", Self::call);
                }
                CompositeMember::Initial(initial) => self.initial(&mut kinds, initial),
                CompositeMember::Symmetry(symmetry) => self.symmetry(&mut kinds, symmetry),
                _ => {}
            }
        }
    }

    fn initial<C>(&mut self, kinds: &mut Kinds<'a>, initial: &'a Initial<C>) {
        kinds.states.add(&initial.name, "initial state", self.scope.ledger);
    }

    fn symmetry(&mut self, kinds: &mut Kinds<'a>, symmetry: &'a Symmetry) {
        kinds.symmetries.add(&symmetry.name, "symmetry", self.scope.ledger);
        let reads = std::mem::replace(&mut self.scope.reads_variables, false);
        self.steps(&symmetry.body, Self::row);
        self.scope.reads_variables = reads;
    }

    fn row(&mut self, row: &'a Row) {
        let outside = self.scope.parameters.len();
        for listed in row.lists.iter().flat_map(|list| &list.members) {
            for parameter in &listed.loops {
                self.scope.range(&parameter.range);
                self.scope.parameters.push(&parameter.name.text);
            }
            self.exchanged(&listed.reference);
            self.scope.parameters.truncate(outside);
        }
    }

    /// A variable, place or instance that takes the place of others.
    fn exchanged(&mut self, reference: &Reference) {
        match self.declared.types.get(self.index).map(|of| of.body) {
            Some(Body::Composite(_)) => {
                self.scope.instance(reference);
            }
            _ => self.scope.variable(reference),
        }
    }

    fn transition<A>(
        &mut self, kinds: &mut Kinds<'a>, transition: &'a Transition<A>, what: &str, action: fn(&mut Self, &'a A),
    ) {
        kinds.transitions.add(&transition.name, what, self.scope.ledger);
        let outside = self.scope.parameters.len();
        let mut parameters = Unique::default();
        for parameter in &transition.parameters {
            parameters.add(&parameter.name, "parameter", self.scope.ledger);
            self.scope.range(&parameter.range);
            self.scope.parameters.push(&parameter.name.text);
        }
        if let Some(guard) = &transition.guard {
            self.scope.is_guard_of_net = self.scope.things == "place";
            self.scope.condition(guard);
            self.scope.is_guard_of_net = false;
        }
        if let Some(priority) = &transition.priority {
            self.priority(priority);
        }
        for argument in transition.label.iter().flat_map(|label| &label.arguments) {
            self.scope.constant(argument);
        }
        self.steps(&transition.body, action);
        self.scope.parameters.truncate(outside);
    }

    fn priority(&mut self, priority: &'a Expression) {
        if let Some(Body::Net(_)) = self.declared.types.get(self.index).map(|of| of.body) {
            return self.scope.constant(priority);
        }
        let problem = Problem::new(priority.span(), "only the transitions of a `net` have priorities")
            .label("expected `label` or `{`")
            .help("say in a guard when a transition may not fire");
        self.scope.ledger.report(problem);
    }

    fn steps<A>(&mut self, steps: &'a [Step<A>], action: fn(&mut Self, &'a A)) {
        for step in steps {
            match step {
                Step::Do(one) => action(self, one),
                Step::If(condition, then, otherwise) => {
                    self.scope.condition(condition);
                    self.steps(then, action);
                    self.steps(otherwise, action);
                }
                Step::For(parameter, body) => {
                    self.scope.range(&parameter.range);
                    self.scope.parameters.push(&parameter.name.text);
                    self.steps(body, action);
                    self.scope.parameters.pop();
                }
            }
        }
    }

    fn action(&mut self, action: &'a Action) {
        match action {
            Action::Assign(target, _, value) => {
                self.scope.target(target);
                self.scope.integer(value);
            }
            Action::Abort(_) => {}
            Action::Fixpoint(body) => self.steps(body, Self::action),
            Action::Call(label) => {
                self.constants(&label.arguments);
                if let Some(of) = self.declared.types.get(self.index) {
                    let _ = of.offers(label, self.scope.ledger);
                }
            }
        }
    }

    fn constants(&mut self, list: &'a [Expression]) {
        list.iter().for_each(|expression| self.scope.constant(expression));
    }

    fn arc(&mut self, arc: &'a Arc) {
        if let Some(weight) = &arc.weight {
            self.scope.constant(weight);
        }
        self.scope.target(&arc.place);
        arc.letters.iter().flatten().for_each(|letter| self.scope.letter(letter));
    }

    fn call(&mut self, call: &'a Call) {
        self.constants(&call.label.arguments);
        let of = match &call.instance {
            None => Some(self.index),
            Some(instance) => self.scope.instance(instance),
        };
        if let Some(of) = of.and_then(|of| self.declared.types.get(of)) {
            let _ = of.offers(&call.label, self.scope.ledger);
        }
    }
}
