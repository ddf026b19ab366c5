//! Systems in few words.

use mandala_model::expression::{Boolean, Comparison, Integer};
use mandala_model::net::{Effect, Initial, Net, Place, Transition};
use mandala_model::system::{
    Call, Composite, CompositeInitial, Instance, Program, ProgramInitial, ProgramTransition, Statement,
    Synchronisation, System, Target, Type, Variable,
};
use mandala_model::text::Span;

/// A net with places `p0`, `p1`, ... and one initial marking.
pub fn net(name: &str, marking: &[i32], transitions: Vec<Transition>) -> Net {
    Net {
        name: name.into(),
        places: (0..marking.len()).map(|i| Place { name: format!("p{i}"), capacity: None }).collect(),
        transitions,
        initial: vec![Initial { name: String::new(), marking: marking.to_vec() }],
        ..Net::default()
    }
}

/// A transition that takes and puts single tokens.
pub fn transition(name: &str, label: Option<&str>, take: &[u32], put: &[u32]) -> Transition {
    let mut effects: Vec<Effect> = Vec::new();
    for (places, add) in [(take, (1, 0)), (put, (0, 1))] {
        for &place in places {
            let position = effects.iter().position(|effect| effect.place == place).unwrap_or_else(|| {
                effects.push(Effect::on(place));
                effects.len() - 1
            });
            effects[position].take += add.0;
            effects[position].put += add.1;
        }
    }
    effects.sort_by_key(|effect| effect.place);
    Transition { name: name.into(), label: label.map(Into::into), effects, priority: 0 }
}

/// A program with variables `v0`, `v1`, ... and one initial state.
pub fn program(name: &str, values: &[i32], transitions: Vec<ProgramTransition>) -> Program {
    Program {
        name: name.into(),
        variables: (0..values.len()).map(|i| Variable::new(format!("v{i}"))).collect(),
        transitions,
        initial: vec![ProgramInitial { name: String::new(), values: values.to_vec() }],
        ..Program::default()
    }
}

/// A guarded action.
pub fn action(name: &str, label: Option<&str>, guard: Boolean<u32>, body: Vec<Statement>) -> ProgramTransition {
    ProgramTransition { name: name.into(), label: label.map(Into::into), guard, body, span: Span::default() }
}

/// A comparison of a variable with a constant.
pub fn compare(variable: u32, comparison: Comparison, value: i32) -> Boolean<u32> {
    Boolean::Compare(comparison, Integer::Variable(variable), Integer::Constant(value))
}

/// A variable gets a constant.
pub fn set(variable: u32, value: i32) -> Statement {
    Statement::Assign(Target::Variable(variable), Integer::Constant(value))
}

/// A constant is added to a variable.
pub fn add(variable: u32, value: i32) -> Statement {
    let sum = Integer::Sum(vec![Integer::Variable(variable), Integer::Constant(value)]);
    Statement::Assign(Target::Variable(variable), sum)
}

/// A synchronisation with calls `(instance, label)`.
pub fn synchronisation(name: &str, label: Option<&str>, calls: &[(Option<usize>, &str)]) -> Synchronisation {
    let calls = calls.iter().map(|&(instance, label)| Call { instance, label: label.into() }).collect();
    Synchronisation { name: name.into(), label: label.map(Into::into), calls }
}

/// A composite of named instances that begin in the first initial state of their types.
pub fn composite(name: &str, instances: &[(&str, usize)], synchronisations: Vec<Synchronisation>) -> Composite {
    Composite {
        name: name.into(),
        instances: instances.iter().map(|&(name, type_index)| Instance { name: name.into(), type_index }).collect(),
        synchronisations,
        initial: vec![CompositeInitial { name: String::new(), choices: vec![vec![0]; instances.len()] }],
        ..Composite::default()
    }
}

/// A system whose last type is the main one.
pub fn system(types: Vec<Type>) -> System {
    System { name: "test".into(), main: types.len() - 1, types, begins: vec![0] }
}

/// The philosophers of the SDD paper (figure 2): each takes his forks in any order and puts both back at once.
pub fn philosophers(count: usize) -> System {
    let fork =
        net("Fork", &[1], vec![transition("get", Some("get"), &[0], &[]), transition("put", Some("put"), &[], &[0])]);
    // Idle, waiting for the left fork, for the right one, having the left one, the right one.
    let philosopher = net(
        "Philo",
        &[1, 0, 0, 0, 0],
        vec![
            transition("hungry", None, &[0], &[1, 2]),
            transition("getL", Some("getL"), &[1], &[3]),
            transition("getR", Some("getR"), &[2], &[4]),
            transition("eat", Some("eat"), &[3, 4], &[0]),
        ],
    );
    let names: Vec<String> = (0..count).flat_map(|i| [format!("philo[{i}]"), format!("fork[{i}]")]).collect();
    let instances: Vec<(&str, usize)> =
        names.iter().enumerate().map(|(i, name)| (name.as_str(), if i % 2 == 0 { 1 } else { 0 })).collect();
    let synchronisations = (0..count)
        .flat_map(|i| {
            let (me, left, right) = (Some(2 * i), Some(2 * i + 1), Some(2 * ((i + 1) % count) + 1));
            [
                synchronisation(&format!("left[{i}]"), None, &[(me, "getL"), (left, "get")]),
                synchronisation(&format!("right[{i}]"), None, &[(me, "getR"), (right, "get")]),
                synchronisation(&format!("eat[{i}]"), None, &[(me, "eat"), (left, "put"), (right, "put")]),
            ]
        })
        .collect();
    system(vec![
        Type::Net(fork),
        Type::Net(philosopher),
        Type::Composite(composite("Table", &instances, synchronisations)),
    ])
}
