//! The systems that GAL files become have the state spaces that ITS-Tools counts.
//!
//! The explorer here is as simple as it can be: states are vectors in a set, and everything is tried in each of them.

mod common;

use std::collections::{HashMap, HashSet};

use mandala_model::expression::{BinaryOperator, Boolean, Integer, UnaryOperator};
use mandala_model::gal;
use mandala_model::system::{Program, ProgramTransition, Statement, System, Target, Type};

/// Larger state spaces are left to those who explore them for a living.
const LARGEST: u64 = 20_000;

type State = Vec<i32>;

fn integer(expression: &Integer<u32>, state: &[i32]) -> Option<i32> {
    Some(match expression {
        Integer::Constant(number) => *number,
        Integer::Variable(variable) => state[*variable as usize],
        Integer::Element { first, length, index } => {
            let index = u32::try_from(integer(index, state)?).ok().filter(|index| index < length)?;
            state[(first + index) as usize]
        }
        Integer::Sum(terms) => {
            terms.iter().try_fold(0i32, |sum, term| Some(sum.wrapping_add(integer(term, state)?)))?
        }
        Integer::Unary(UnaryOperator::Minus, operand) => integer(operand, state)?.wrapping_neg(),
        Integer::Unary(UnaryOperator::BitNot, operand) => !integer(operand, state)?,
        Integer::Binary(operator, left, right) => {
            let (left, right) = (integer(left, state)?, integer(right, state)?);
            match operator {
                BinaryOperator::Multiply => left.wrapping_mul(right),
                BinaryOperator::Divide => left.checked_div(right)?,
                BinaryOperator::Remainder => left.checked_rem(right)?,
                BinaryOperator::Power => left.wrapping_pow(u32::try_from(right).ok()?),
                BinaryOperator::BitAnd => left & right,
                BinaryOperator::BitOr => left | right,
                BinaryOperator::BitXor => left ^ right,
                BinaryOperator::ShiftLeft => left << right,
                BinaryOperator::ShiftRight => left >> right,
            }
        }
        Integer::Truth(condition) => i32::from(boolean(condition, state)),
    })
}

fn boolean(condition: &Boolean<u32>, state: &[i32]) -> bool {
    match condition {
        Boolean::Constant(truth) => *truth,
        Boolean::Compare(comparison, left, right) => match (integer(left, state), integer(right, state)) {
            (Some(left), Some(right)) => comparison.holds(&left, &right),
            _ => false,
        },
        Boolean::Not(operand) => !boolean(operand, state),
        Boolean::And(list) => list.iter().all(|operand| boolean(operand, state)),
        Boolean::Or(list) => list.iter().any(|operand| boolean(operand, state)),
    }
}

fn run(program: &Program, body: &[Statement], states: Vec<State>) -> Vec<State> {
    body.iter().fold(states, |states, statement| {
        states.into_iter().flat_map(|state| step(program, statement, state)).collect()
    })
}

fn step(program: &Program, statement: &Statement, mut state: State) -> Vec<State> {
    match statement {
        Statement::Assign(target, value) => {
            let value = integer(value, &state).expect("a value");
            let variable = match target {
                Target::Variable(variable) => *variable,
                Target::Element { first, length, index } => {
                    let index = integer(index, &state).and_then(|index| u32::try_from(index).ok());
                    first + index.filter(|index| index < length).expect("an element")
                }
            };
            state[variable as usize] = value;
            vec![state]
        }
        Statement::If(condition, then, otherwise) => {
            let branch = if boolean(condition, &state) { then } else { otherwise };
            run(program, branch, vec![state])
        }
        Statement::Abort => Vec::new(),
        Statement::Call(label) => with_label(program, label, &state),
        Statement::Fixpoint(body) => {
            let mut result = Vec::new();
            let mut seen = HashSet::from([state.clone()]);
            let mut open = vec![state];
            while let Some(state) = open.pop() {
                for next in run(program, body, vec![state.clone()]) {
                    if next == state {
                        result.push(next);
                    } else if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
            result
        }
    }
}

fn fire(program: &Program, transition: &ProgramTransition, state: &State) -> Vec<State> {
    match boolean(&transition.guard, state) {
        true => run(program, &transition.body, vec![state.clone()]),
        false => Vec::new(),
    }
}

fn with_label(program: &Program, label: &str, state: &State) -> Vec<State> {
    let transitions = program.transitions.iter().filter(|transition| transition.label.as_deref() == Some(label));
    transitions.flat_map(|transition| fire(program, transition, state)).collect()
}

/// A system with what each type's width is.
struct Explorer<'s> {
    system: &'s System,
    width: Vec<usize>,
}

impl<'s> Explorer<'s> {
    fn new(system: &'s System) -> Explorer<'s> {
        let mut width = Vec::new();
        for of in &system.types {
            width.push(match of {
                kind @ (Type::Net(_) | Type::Queues(_) | Type::Program(_)) => kind.variable_count(),
                Type::Composite(composite) => composite.instances.iter().map(|one| width[one.type_index]).sum(),
            });
        }
        Explorer { system, width }
    }

    fn declared(&self, of: usize) -> State {
        match &self.system.types[of] {
            kind @ (Type::Net(_) | Type::Queues(_) | Type::Program(_)) => kind.initial_values()[0].to_vec(),
            Type::Composite(composite) => {
                composite.instances.iter().flat_map(|one| self.declared(one.type_index)).collect()
            }
        }
    }

    /// The states after an instance does something, put into the state of the whole.
    fn inside(
        &self, state: &State, composite: usize, instance: usize, act: impl Fn(usize, &State) -> Vec<State>,
    ) -> Vec<State> {
        let Type::Composite(composite) = &self.system.types[composite] else { panic!("no composite") };
        let start: usize = composite.instances[..instance].iter().map(|one| self.width[one.type_index]).sum();
        let of = composite.instances[instance].type_index;
        let part = state[start..start + self.width[of]].to_vec();
        let whole = |part: State| [&state[..start], &part, &state[start + part.len()..]].concat();
        act(of, &part).into_iter().map(whole).collect()
    }

    fn call(&self, of: usize, label: &str, state: &State) -> Vec<State> {
        match &self.system.types[of] {
            Type::Net(_) | Type::Queues(_) => panic!("no nets here"),
            Type::Program(program) => with_label(program, label, state),
            Type::Composite(composite) => (composite.synchronisations.iter())
                .filter(|one| one.label.as_deref() == Some(label))
                .flat_map(|one| self.calls(of, &one.calls, state))
                .collect(),
        }
    }

    fn calls(&self, of: usize, calls: &[mandala_model::system::Call], state: &State) -> Vec<State> {
        calls.iter().fold(vec![state.clone()], |states, call| {
            let one = |state: State| match call.instance {
                None => self.call(of, &call.label, &state),
                Some(instance) => self.inside(&state, of, instance, |of, part| self.call(of, &call.label, part)),
            };
            states.into_iter().flat_map(one).collect()
        })
    }

    /// What a type does by itself.
    fn alone(&self, of: usize, state: &State) -> Vec<State> {
        match &self.system.types[of] {
            Type::Net(_) | Type::Queues(_) => panic!("no nets here"),
            Type::Program(program) => {
                let main = of == self.system.main;
                let own = |label: Option<&str>| label.is_none() || (main && label == Some("elapse"));
                let transitions = program.transitions.iter().filter(|one| own(one.label.as_deref()));
                let mut result: Vec<State> =
                    transitions.flat_map(|transition| fire(program, transition, state)).collect();
                if let Some(transient) = &program.transient {
                    let passed = result.extract_if(.., |state| boolean(transient, state)).collect::<Vec<_>>();
                    result.extend(passed.iter().flat_map(|state| self.alone(of, state)));
                }
                result
            }
            Type::Composite(composite) => {
                let mut result: Vec<State> = (composite.synchronisations.iter())
                    .filter(|one| one.label.is_none())
                    .flat_map(|one| self.calls(of, &one.calls, state))
                    .collect();
                for instance in 0..composite.instances.len() {
                    result.extend(self.inside(state, of, instance, |of, part| self.alone(of, part)));
                }
                result
            }
        }
    }

    fn count(&self) -> u64 {
        let first = self.declared(self.system.main);
        let mut seen = HashSet::from([first.clone()]);
        let mut open = vec![first];
        while let Some(state) = open.pop() {
            for next in self.alone(self.system.main, &state) {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        seen.len() as u64
    }
}

/// The numbers of states that ITS-Tools counts, by file.
fn expected() -> HashMap<String, u64> {
    let Ok(table) = std::fs::read_to_string(common::shared_folder().join("expected-gal.csv")) else {
        return HashMap::new();
    };
    let states = table.lines().filter_map(|line| {
        let columns: Vec<&str> = line.split(',').collect();
        (columns[1] == "StateSpace" && columns[2] == "STATES")
            .then(|| (columns[0].to_string(), columns[3].parse().unwrap()))
    });
    states.collect()
}

#[test]
fn small_state_spaces_are_those_of_its_tools() {
    let expected = expected();
    let mut counted = 0;
    for (file, text) in common::shared() {
        let Some(&states) = expected.get(&file).filter(|&&states| states <= LARGEST) else { continue };
        let model = gal::read(&file, &text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(Explorer::new(&model.system).count(), states, "{file}");
        counted += 1;
    }
    assert!(expected.is_empty() || counted > 15, "only {counted} files");
}

/// The number of states of a model.
fn count(text: &str) -> u64 {
    let model = gal::read("model.gal", text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    Explorer::new(&model.system).count()
}

#[test]
fn a_hotbit_variable_behaves_like_an_integer() {
    let body = "int x = 0;
        transition next [y < 5] { y = y + 1; }
        transition back [y == 5] { y = 2; x = y; }
        transition jump [y != 4 && x == 2] { x = 3; y = x + (y > 3); }
        transition stay (2..5 $i) [y == $i && $i > x] { x = $i - y + 1; }";
    let plain = count(&format!("gal A {{ int y = 3; {body} }}"));
    let hot = count(&format!("gal A {{ hotbit (2..5) int y = 3; {body} }}"));
    assert_eq!(hot, plain);
    assert!(plain > 8);
}

#[test]
fn a_call_of_a_label_that_vanished_yields_no_state() {
    let text = "$N = 1; gal A { int x = 0;
        transition a [x == 0] { x = 1; self.\"b\"(1); }
        transition c [x == 0] { x = 2; self.\"b\"(0); }
        transition b (0..3 $i) [$i < $N] label \"b\"($i) { x = 3; } }";
    assert_eq!(count(text), 2);
}
