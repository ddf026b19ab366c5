//! Composites in which there are programs as one program.
//!
//! A synchronisation becomes a transition whose guard is that of all it calls first, and whose statements are theirs, one
//! instance after the other: instances share no variables, so one does not notice what another does. What is called later
//! on the same instance is called by a label, for its guard is about the state at that time. Labels that stand for several
//! transitions are choices. A few combinations of them are written out, a transition each; where there are more, the choice
//! gets a label of its own and is called.
//!
//! A net is a program, too: its guards ask for tokens and its statements move them. Several labels that are sent to it
//! together are one action (definition 3.3 of the SDD paper). What it does to queues is said in `queue`.
//!
//! **Errors.** An instance that does not allow a synchronisation is stronger than an error in another one: then nothing
//! happens. A sequence of statements ends with an error at once. So instances that can fail come last, and of these the ones
//! that may turn out not to allow it come first. Where this is not enough the composite is refused.

use super::renaming::Renaming;
use super::{CannotFlatten, MOST, MOST_COMBINATIONS, Names, net, queue};
use crate::expression::{BinaryOperator, Boolean, Comparison, Integer, Part};
use crate::net::{Effect, Net, Transition};
use crate::system::{
    Array, Choices, Composite, Location, Program, ProgramInitial, ProgramTransition, Sent, Statement, System, Target,
    Type, Variable, happens_by_itself,
};
use crate::text::Span;
use std::collections::{HashMap, HashSet, VecDeque};

/// So many combinations of choices are written out; more are called by labels.
const FEW: usize = 64;
/// Tokens are counted without looking whether there are too many, so no more than this may be put at once.
const MOST_TOKENS_AT_ONCE: i32 = 1 << 16;
/// And no place may begin with more.
const MOST_TOKENS: i32 = 1 << 30;

/// The program, without initial states, and where everything has gone.
pub(super) fn flatten(system: &System, sizes: &[usize]) -> Result<(Program, Renaming), CannotFlatten> {
    let mut flat = Flattening {
        system,
        sizes,
        facts: system.types.iter().map(Facts::of).collect(),
        program: Program { name: system.name.clone(), ..Program::default() },
        transient: Vec::new(),
        renaming: Renaming::default(),
        names: Names::default(),
        labels: HashMap::new(),
        names_of_labels: Names::default(),
        waiting: VecDeque::new(),
    };
    let mut whole = FlatInstance { path: Vec::new(), kind: system.main, offset: 0, prefix: String::new() };
    flat.walk(&mut whole)?;
    while let Some((instance, labels, name)) = flat.waiting.pop_front() {
        let combinations = flat.called(&instance, &labels)?;
        flat.add(&name, Some(&name), combinations)?;
    }
    if !flat.transient.is_empty() {
        flat.program.transient = Some(one_of(flat.transient));
    }
    Ok((flat.program, flat.renaming))
}

/// The values of variables as initial states.
pub(super) fn initial(states: Vec<(String, Vec<i32>)>) -> Vec<ProgramInitial> {
    states.into_iter().map(|(name, values)| ProgramInitial { name, values }).collect()
}

/// An instance of the system, and where its variables are in the flat program.
#[derive(Clone)]
struct FlatInstance {
    path: Vec<u32>,
    kind: usize,
    /// Its first variable.
    offset: usize,
    /// What the names of its variables begin with.
    prefix: String,
}

/// What one instance contributes to a transition.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub(super) guards: Vec<Boolean<u32>>,
    pub(super) body: Vec<Statement>,
    /// Whether it may end with an error.
    pub(super) may_fail: bool,
    /// Whether it may lead to no state although the guards hold.
    pub(super) may_lead_nowhere: bool,
}

impl Piece {
    /// What never happens.
    pub(super) fn never() -> Piece {
        Piece { guards: vec![Boolean::Constant(false)], ..Piece::default() }
    }
}

/// One combination of what the instances that are called can do, one piece per instance.
type Combination = Vec<Piece>;

/// What is known of the transitions of a program.
#[derive(Default)]
struct Facts {
    may_fail: Vec<bool>,
    may_lead_nowhere: Vec<bool>,
}

impl Facts {
    fn of(kind: &Type) -> Facts {
        let Type::Program(program) = kind else { return Facts::default() };
        let mut facts = Facts::default();
        let mut calls: Vec<HashSet<&str>> = Vec::new();
        for transition in &program.transitions {
            let (mut may_fail, mut may_lead_nowhere, mut called) = (false, false, HashSet::new());
            each_statement(&transition.body, &mut |statement| match statement {
                Statement::Assign(target, value) => {
                    let index_fails = match target {
                        Target::Variable(_) => false,
                        Target::Element { length, index, .. } => !is_within(index, *length) || has_no_value(index),
                    };
                    may_fail |= index_fails || has_no_value(value);
                }
                Statement::If(condition, ..) => may_fail |= condition.parts().any(|(part, _)| part_has_no_value(part)),
                Statement::Abort => may_lead_nowhere = true,
                // It may go on for ever.
                Statement::Fixpoint(_) => may_fail = true,
                Statement::Call(label) => {
                    may_lead_nowhere = true;
                    called.insert(label.as_str());
                }
            });
            facts.may_fail.push(may_fail);
            facts.may_lead_nowhere.push(may_lead_nowhere);
            calls.push(called);
        }
        // Who calls what may fail may fail.
        loop {
            let failing: HashSet<&str> = (program.transitions.iter().zip(&facts.may_fail))
                .filter_map(|(transition, &may_fail)| transition.label.as_deref().filter(|_| may_fail))
                .collect();
            let mut changed = false;
            for (called, may_fail) in calls.iter().zip(&mut facts.may_fail) {
                if !*may_fail && called.iter().any(|label| failing.contains(label)) {
                    *may_fail = true;
                    changed = true;
                }
            }
            if !changed {
                return facts;
            }
        }
    }
}

/// Visits statements and all that is nested in them.
fn each_statement<'s>(body: &'s [Statement], visit: &mut impl FnMut(&'s Statement)) {
    let mut open = vec![body];
    while let Some(body) = open.pop() {
        for statement in body {
            visit(statement);
            match statement {
                Statement::If(_, then, otherwise) => open.extend([then.as_slice(), otherwise]),
                Statement::Fixpoint(inner) => open.push(inner),
                Statement::Assign(..) | Statement::Abort | Statement::Call(_) => {}
            }
        }
    }
}

/// Whether an index is a number within the array.
fn is_within(index: &Integer<u32>, length: u32) -> bool {
    matches!(index, Integer::Constant(value) if (0..i64::from(length)).contains(&i64::from(*value)))
}

/// Whether an expression may have no value.
fn has_no_value(value: &Integer<u32>) -> bool {
    value.parts().any(|(part, _)| part_has_no_value(part))
}

fn part_has_no_value(part: Part<'_, u32>) -> bool {
    use BinaryOperator::{Divide, Power, Remainder};
    match part {
        Part::Integer(Integer::Element { length, index, .. }) => !is_within(index, *length),
        Part::Integer(Integer::Binary(Divide | Remainder, _, right)) => {
            !matches!(**right, Integer::Constant(value) if value != 0)
        }
        Part::Integer(Integer::Binary(Power, _, right)) => !matches!(**right, Integer::Constant(value) if value >= 0),
        _ => false,
    }
}

struct Flattening<'a> {
    system: &'a System,
    sizes: &'a [usize],
    facts: Vec<Facts>,
    program: Program,
    transient: Vec<Boolean<u32>>,
    renaming: Renaming,
    names: Names,
    /// The labels of the flat program: which sequence of labels of which instance each stands for.
    labels: HashMap<(Vec<u32>, Vec<String>), String>,
    names_of_labels: Names,
    /// Labels that are called and have no transitions yet.
    waiting: VecDeque<(FlatInstance, Vec<String>, String)>,
}

impl<'a> Flattening<'a> {
    /// Adds the variables of an instance, and what it does by itself. Composites are not nested deeply.
    fn walk(&mut self, instance: &mut FlatInstance) -> Result<(), CannotFlatten> {
        self.renaming.offsets.insert(instance.path.clone(), instance.offset);
        let is_main = instance.path.is_empty();
        let own = |label: &Option<String>| happens_by_itself(label.as_deref(), is_main);
        let system = self.system;
        match &system.types[instance.kind] {
            Type::Net(net) => {
                can_be_counted(net)?;
                let names = net.places.iter().map(|one| Variable::new(format!("{}{}", instance.prefix, one.name)));
                self.program.variables.extend(names);
                for (number, transition) in (0..).zip(&net.transitions).filter(|(_, one)| own(&one.label)) {
                    let piece = of_net(net, instance.offset, &net::shifted(transition, instance.offset));
                    self.event(instance, number, &transition.name, vec![vec![piece]])?;
                }
            }
            Type::Queues(queues) => {
                can_be_counted(&queues.net)?;
                let (variables, arrays) = queue::variables(queues, instance.offset, &instance.prefix);
                self.program.variables.extend(variables);
                self.program.arrays.extend(arrays);
                for (number, transition) in (0..).zip(&queues.net.transitions).filter(|(_, one)| own(&one.label)) {
                    let piece = queue::together(queues, instance.offset, &[number])?.unwrap_or_else(Piece::never);
                    self.event(instance, number, &transition.name, vec![vec![piece]])?;
                }
            }
            Type::Program(program) => {
                self.add_variables(program, instance);
                for number in 0..program.transitions.len() {
                    let transition = &program.transitions[number];
                    if own(&transition.label) {
                        let piece = self.of_program(instance, program, number, &[]);
                        self.event(instance, number as u32, &transition.name, vec![vec![piece]])?;
                    }
                }
            }
            Type::Composite(composite) => {
                for number in 0..composite.instances.len() {
                    let mut part = self.part(instance, composite, number);
                    self.walk(&mut part)?;
                }
                let choices = Choices::new(composite);
                for (number, synchronisation) in composite.synchronisations.iter().enumerate() {
                    if own(&synchronisation.label) {
                        let sent = choices.of_synchronisation(number)?;
                        let combinations = self.sent(instance, composite, &sent)?;
                        self.event(instance, number as u32, &synchronisation.name, combinations)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// An instance of a composite.
    fn part(&self, whole: &FlatInstance, composite: &Composite, number: usize) -> FlatInstance {
        let before = composite.instances[..number].iter().map(|instance| self.sizes[instance.type_index]);
        let instance = &composite.instances[number];
        let mut path = whole.path.clone();
        path.push(number as u32);
        let prefix = instance.prefix(&whole.prefix);
        FlatInstance { path, kind: instance.type_index, offset: whole.offset + before.sum::<usize>(), prefix }
    }

    fn add_variables(&mut self, program: &Program, instance: &FlatInstance) {
        let FlatInstance { offset, prefix, .. } = instance;
        let variables = program.variables.iter();
        let variables = variables.map(|one| Variable { name: format!("{prefix}{}", one.name), ..one.clone() });
        self.program.variables.extend(variables);
        let arrays = program.arrays.iter().map(|array| Array {
            name: format!("{prefix}{}", array.name),
            first: array.first + *offset as u32,
            length: array.length,
        });
        self.program.arrays.extend(arrays);
        if let Some(transient) = &program.transient {
            self.transient.push(transient.over(&|variable| variable + *offset as u32));
        }
    }

    /// Adds what happens by itself.
    fn event(
        &mut self, instance: &FlatInstance, index: u32, name: &str, combinations: Vec<Combination>,
    ) -> Result<(), CannotFlatten> {
        let indices = self.add(&format!("{}{name}", instance.prefix), None, combinations)?;
        self.renaming.fires.insert(Location { path: instance.path.clone(), index }, indices);
        Ok(())
    }

    /// Adds one transition per combination.
    fn add(
        &mut self, name: &str, label: Option<&str>, combinations: Vec<Combination>,
    ) -> Result<Vec<u32>, CannotFlatten> {
        let several = combinations.len() > 1;
        let mut indices = Vec::new();
        for (number, mut combination) in combinations.into_iter().enumerate() {
            if self.program.transitions.len() >= MOST {
                return Err(CannotFlatten::TooManyTransitions);
            }
            if combination.iter().filter(|piece| piece.may_fail && piece.may_lead_nowhere).count() > 1 {
                return Err(CannotFlatten::Errors(name.to_owned()));
            }
            combination.sort_by_key(|piece| (piece.may_fail, !piece.may_lead_nowhere));
            let mut guards = Vec::new();
            let mut body = Vec::new();
            for piece in combination {
                guards.extend(piece.guards);
                body.extend(piece.body);
            }
            indices.push(self.program.transitions.len() as u32);
            let wanted = if several { format!("{name}/{}", number + 1) } else { name.to_owned() };
            let name = self.names.add(wanted);
            let label = label.map(str::to_owned);
            let guard = all_of(guards);
            self.program.transitions.push(ProgramTransition { name, label, guard, body, span: Span::default() });
        }
        Ok(indices)
    }

    /// The combinations that do one of several choices of calls to a composite.
    fn sent(
        &mut self, whole: &FlatInstance, composite: &Composite, choices: &[Sent],
    ) -> Result<Vec<Combination>, CannotFlatten> {
        let mut all = Vec::new();
        for choice in choices {
            let mut combinations: Vec<Combination> = vec![Vec::new()];
            for (instance, labels) in choice {
                let part = self.part(whole, composite, *instance as usize);
                let more = self.called(&part, labels)?;
                combinations = self.combined(&combinations, more, &part, labels)?;
            }
            all.extend(combinations);
            if all.len() > MOST_COMBINATIONS {
                return Err(CannotFlatten::TooManyCombinations);
            }
        }
        Ok(all)
    }

    /// Each of some combinations with each of those of some labels of an instance, or with a call of these labels.
    fn combined(
        &mut self, combinations: &[Combination], more: Vec<Combination>, instance: &FlatInstance, labels: &[String],
    ) -> Result<Vec<Combination>, CannotFlatten> {
        let count = combinations.len().saturating_mul(more.len());
        let may_fail = |combinations: &[Combination]| combinations.iter().flatten().any(|piece| piece.may_fail);
        let fails_alone = !may_fail(&more) || !may_fail(combinations);
        if count <= FEW || more.len() == 1 || !fails_alone {
            if count > MOST_COMBINATIONS {
                return Err(CannotFlatten::TooManyCombinations);
            }
            let pairs = combinations
                .iter()
                .flat_map(|combination| more.iter().map(move |other| [combination.as_slice(), other].concat()));
            return Ok(pairs.collect());
        }
        let call = Piece {
            may_fail: may_fail(&more),
            may_lead_nowhere: true,
            body: vec![Statement::Call(self.label(instance, labels))],
            guards: Vec::new(),
        };
        Ok(combinations.iter().map(|combination| combination.iter().cloned().chain([call.clone()]).collect()).collect())
    }

    /// The label of the flat program for a sequence of labels of an instance.
    fn label(&mut self, instance: &FlatInstance, labels: &[String]) -> String {
        let key = (instance.path.clone(), labels.to_vec());
        if let Some(label) = self.labels.get(&key) {
            return label.clone();
        }
        let name = self.names_of_labels.add(format!("{}{}", instance.prefix, labels.join(", ")));
        self.labels.insert(key, name.clone());
        self.waiting.push_back((instance.clone(), labels.to_vec(), name.clone()));
        name
    }

    /// The combinations of what an instance can do for a sequence of labels.
    fn called(&mut self, instance: &FlatInstance, labels: &[String]) -> Result<Vec<Combination>, CannotFlatten> {
        let system = self.system;
        match &system.types[instance.kind] {
            Type::Net(net) => {
                let mut combinations = vec![net::Combination::new()];
                for label in labels {
                    let with_label = net.transitions.iter().filter(|one| one.label.as_ref() == Some(label));
                    let more: Vec<net::Combination> =
                        with_label.map(|one: &Transition| net::shifted(one, instance.offset)).collect();
                    combinations = net::product(&combinations, &more)?;
                }
                if combinations
                    .iter()
                    .flat_map(|combination| combination.values())
                    .any(|effect| effect.put > MOST_TOKENS_AT_ONCE)
                {
                    return Err(CannotFlatten::ManyTokens(net.name.clone()));
                }
                Ok(combinations.iter().map(|combination| vec![of_net(net, instance.offset, combination)]).collect())
            }
            Type::Queues(queues) => {
                let mut combinations = Vec::new();
                for sequence in queue::sequences(queues, labels)? {
                    let piece = queue::together(queues, instance.offset, &sequence)?;
                    combinations.extend(piece.map(|piece| vec![piece]));
                }
                Ok(combinations)
            }
            Type::Program(program) => {
                let Some((first, rest)) = labels.split_first() else { return Ok(vec![Vec::new()]) };
                let with_label = |label: &String| {
                    let numbered = program.transitions.iter().enumerate();
                    let with = numbered.filter(|(_, one)| one.label.as_ref() == Some(label));
                    with.map(|(number, _)| number).collect::<Vec<usize>>()
                };
                let choices = with_label(first);
                Ok(choices.into_iter().map(|number| vec![self.of_program(instance, program, number, rest)]).collect())
            }
            Type::Composite(composite) => {
                let choices = Choices::new(composite).of_sequence(labels)?;
                self.sent(instance, composite, &choices)
            }
        }
    }

    /// A transition of a program, and calls of other labels afterwards.
    fn of_program(&mut self, instance: &FlatInstance, program: &Program, number: usize, rest: &[String]) -> Piece {
        let transition = &program.transitions[number];
        let facts = &self.facts[instance.kind];
        let with_label = |label: &String| {
            let all = program.transitions.iter().zip(&facts.may_fail);
            all.filter(|(one, _)| one.label.as_ref() == Some(label)).any(|(_, &may_fail)| may_fail)
        };
        let may_fail = facts.may_fail[number] || rest.iter().any(with_label);
        let may_lead_nowhere = facts.may_lead_nowhere[number] || !rest.is_empty();
        let mut body = self.statements(instance, &transition.body);
        for label in rest {
            body.push(Statement::Call(self.label(instance, std::slice::from_ref(label))));
        }
        let guards = vec![transition.guard.over(&|variable| variable + instance.offset as u32)];
        Piece { guards, body, may_fail, may_lead_nowhere }
    }

    /// Statements with variables moved and labels renamed. Statements are not nested deeply.
    fn statements(&mut self, instance: &FlatInstance, body: &[Statement]) -> Vec<Statement> {
        let variable = |variable: &u32| variable + instance.offset as u32;
        let moved = |target: &Target| match target {
            Target::Variable(one) => Target::Variable(variable(one)),
            Target::Element { first, length, index } => {
                Target::Element { first: variable(first), length: *length, index: index.over(&variable) }
            }
        };
        let renamed = body.iter().map(|statement| match statement {
            Statement::Assign(target, value) => Statement::Assign(moved(target), value.over(&variable)),
            Statement::If(condition, then, otherwise) => Statement::If(
                condition.over(&variable),
                self.statements(instance, then),
                self.statements(instance, otherwise),
            ),
            Statement::Abort => Statement::Abort,
            Statement::Fixpoint(inner) => Statement::Fixpoint(self.statements(instance, inner)),
            Statement::Call(label) => Statement::Call(self.label(instance, std::slice::from_ref(label))),
        });
        renamed.collect()
    }
}

/// Refuses nets in which a place may soon hold more tokens than a 32-bit number says: that is an error of a net, and
/// nothing special in a program.
pub(super) fn can_be_counted(net: &Net) -> Result<(), CannotFlatten> {
    let puts = net.transitions.iter().flat_map(|transition| transition.effects.iter().map(|effect| effect.put));
    let marked = net.initial.iter().flat_map(|initial| initial.marking.iter().copied());
    match puts.max() > Some(MOST_TOKENS_AT_ONCE) || marked.max() > Some(MOST_TOKENS) {
        true => Err(CannotFlatten::ManyTokens(net.name.clone())),
        false => Ok(()),
    }
}

/// What transitions of a net do together, as a guarded action. Their places are moved already.
pub(super) fn of_net(net: &Net, offset: usize, combination: &net::Combination) -> Piece {
    let mut piece = Piece::default();
    for (&place, effect) in combination {
        let capacity = net.places.get(place as usize - offset).and_then(|place| place.capacity);
        piece.guards.extend(asked(place, effect, capacity));
        let change = i64::from(effect.put) - i64::from(effect.take);
        let after = match (effect.reset, change) {
            (true, _) => Integer::Constant(effect.put),
            (false, 0) => continue,
            (false, change) => Integer::Sum(vec![Integer::Variable(place), Integer::Constant(clamped(change))]),
        };
        piece.body.push(Statement::Assign(Target::Variable(place), after));
    }
    piece
}

/// What a transition asks of a place.
fn asked(place: u32, effect: &Effect, capacity: Option<i32>) -> Vec<Boolean<u32>> {
    let compare = |comparison, value| Boolean::Compare(comparison, Integer::Variable(place), Integer::Constant(value));
    let mut asked = Vec::new();
    if effect.needs() > 0 {
        asked.push(compare(Comparison::GreaterOrEqual, effect.needs()));
    }
    if let Some(bound) = effect.below {
        asked.push(compare(Comparison::Less, bound));
    }
    match capacity {
        Some(most) if effect.reset && effect.put > most => asked.push(Boolean::Constant(false)),
        Some(most) if !effect.reset => {
            let most = i64::from(most) - i64::from(effect.put) + i64::from(effect.take);
            asked.push(compare(Comparison::LessOrEqual, clamped(most)));
        }
        _ => {}
    }
    asked
}

fn clamped(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX })
}

/// The conjunction of some conditions, in few words.
pub(super) fn all_of(conditions: Vec<Boolean<u32>>) -> Boolean<u32> {
    let mut all: Vec<Boolean<u32>> = Vec::new();
    for condition in conditions {
        match condition {
            Boolean::Constant(true) => {}
            Boolean::And(parts) => all.extend(parts),
            condition => all.push(condition),
        }
    }
    match all.len() {
        0 => Boolean::Constant(true),
        1 => all.remove(0),
        _ => Boolean::And(all),
    }
}

/// The disjunction of some conditions, in few words.
fn one_of(mut conditions: Vec<Boolean<u32>>) -> Boolean<u32> {
    if conditions.len() == 1 { conditions.remove(0) } else { Boolean::Or(conditions) }
}
