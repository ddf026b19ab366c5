//! The same numbers as one process finds, by one to four processes, each in a network of its own.
//!
//! The networks are namespaces of Linux that this test makes, joined by a bridge in another one: nothing outside of them is
//! touched. Where that is not allowed (it takes the rights of root), the test says so and does nothing.
//!
//! `NETWORK_MODELS=1000 NETWORK_STATES=3000000 cargo test -p mandala-cli --test cluster networks` takes a thousand random models,
//! all models beside the project with so many states, and all orders of start.

use crate::common::{PROGRAM, end_within, folder, mandala, member, option, piped, text};
use crate::formulas::{state_formula, sum, variables};
use crate::random::{Leaves, Random, flat, nested, prioritised, small};
use crate::shared;
use mandala_model::gal;
use mandala_model::property::{Property, Question};
use mandala_model::system::System;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The most processes of a run.
const HOSTS: usize = 4;
/// So many models are explored by one command, one after the other.
const BATCH: usize = 16;
/// A batch takes less time than this, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(600);

/// Namespaces that are joined by a bridge. They go when this goes.
struct Networks {
    name: String,
}

impl Networks {
    /// Makes them, or says why not.
    fn make() -> Result<Networks, String> {
        let networks = Networks { name: format!("mandala-test-{}", std::process::id()) };
        let hub = networks.hub();
        ip(&["netns", "add", &hub])?;
        ip(&["-n", &hub, "link", "add", "name", "bridge", "type", "bridge"])?;
        ip(&["-n", &hub, "link", "set", "bridge", "up"])?;
        for host in 0..HOSTS {
            let (name, port) = (networks.host(host), format!("port{host}"));
            ip(&["netns", "add", &name])?;
            ip(&["-n", &hub, "link", "add", "name", &port, "type", "veth", "peer", "name", "wire", "netns", &name])?;
            ip(&["-n", &hub, "link", "set", &port, "master", "bridge", "up"])?;
            ip(&["-n", &name, "address", "add", &format!("{}/24", address(host)), "dev", "wire"])?;
            ip(&["-n", &name, "link", "set", "wire", "up"])?;
        }
        Ok(networks)
    }

    fn hub(&self) -> String {
        format!("{}-hub", self.name)
    }

    fn host(&self, host: usize) -> String {
        format!("{}-{host}", self.name)
    }

    /// The program as it runs on a host.
    fn on(&self, host: usize, arguments: &[&str]) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.host(host), PROGRAM]);
        piped(command, arguments)
    }
}

impl Drop for Networks {
    fn drop(&mut self) {
        // What was not made need not go.
        let _ = ip(&["netns", "delete", &self.hub()]);
        (0..HOSTS).for_each(|host| drop(ip(&["netns", "delete", &self.host(host)])));
    }
}

fn address(host: usize) -> String {
    format!("10.21.0.{}", host + 1)
}

fn ip(arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("ip").args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("`ip` of iproute2 cannot be run: {error}"))?;
    let said = || format!("`ip {}`: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    output.status.success().then_some(()).ok_or_else(said)
}

/// A model, what is asked of it, and what is known of it.
struct Case {
    file: String,
    /// How many states and transitions there are, where the definition says so.
    counted: Option<(u64, u64)>,
}

/// Random nets, programs and composites in files, with questions about single states.
fn random_cases(folder: &Path, count: u64) -> Vec<Case> {
    let generate = |seed: u64| match seed % 5 {
        0 => flat(seed, Leaves::Nets),
        1 | 2 => flat(seed, Leaves::Programs),
        3 => nested(seed, Leaves::Both),
        _ => prioritised(seed),
    };
    let models = small(0..20 * count, 2000, generate).take(count as usize);
    let cases = models.map(|(seed, system, outcome)| {
        let file = folder.join(format!("random-{seed}.gal"));
        std::fs::write(&file, gal::write(&system, &questions(seed, &system))).expect("a file");
        Case { file: file.to_string_lossy().into_owned(), counted: Some((outcome.states, outcome.transitions)) }
    });
    cases.collect()
}

fn questions(seed: u64, system: &System) -> Vec<Property> {
    let mut random = Random::new(seed);
    let variables = variables(system);
    let mut formula = || state_formula(&mut random, &variables, &[], 1);
    let (reachable, invariant) = (Question::Reachable(formula()), Question::Invariant(formula()));
    let questions = [reachable, invariant, Question::Bounds(sum(&mut random, &variables))];
    let named = |(number, question)| Property { name: format!("q{number}"), question };
    questions.into_iter().enumerate().map(named).collect()
}

/// The models beside the project that have at most so many states.
fn known_cases(most: u64) -> Vec<Case> {
    let Some(models) = shared::models() else { return Vec::new() };
    let mut cases = Vec::new();
    for (figures, folder) in [("expected-mcc.csv", "mcc-pt"), ("expected-beem.csv", "beem-dve")] {
        for (name, figures) in shared::expected(figures) {
            let states = figures.get(&("StateSpace".to_owned(), "STATES".to_owned()));
            let states = states.and_then(|states| states.parse::<u64>().ok()).filter(|states| *states <= most);
            let files = [models.join(folder).join(&name), models.join(folder).join(format!("{name}.dve"))];
            if let (Some(_), Some(file)) = (states, files.iter().find(|file| file.exists())) {
                cases.push(Case { file: file.to_string_lossy().into_owned(), counted: None });
            }
        }
    }
    cases
}

/// What a batch of models is asked.
fn arguments<'c>(verb: &'c str, batch: &'c [Case]) -> Vec<&'c str> {
    let mut arguments = vec![verb];
    arguments.extend(batch.iter().map(|case| case.file.as_str()));
    arguments.push("--json");
    match verb {
        "states" => arguments.push("--full"),
        // What is known by a file is asked too, if there is anything.
        _ => arguments.extend(["--trace", "-f", "EF deadlock"]),
    }
    if verb == "check" && batch.iter().any(|case| case.counted.is_some()) {
        arguments.extend(["-p", "q0", "-p", "q1", "-p", "q2"]);
    }
    arguments
}

/// The objects that a run has printed, one for each model, without what differs from run to run.
fn objects(child: Child, context: &str) -> Vec<Value> {
    let output = end_within(child, PATIENCE);
    let printed = text(&output.stdout);
    let said = text(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{context}: {:?}\n{said}{printed}", output.status);
    // With one model, the object has several lines.
    let objects = serde_json::Deserializer::from_str(&printed).into_iter::<Value>();
    let mut objects: Vec<Value> = objects.map(|object| object.expect("JSON")).collect();
    let vary = ["seconds", "peak_memory_bytes", "workers"];
    for object in &mut objects {
        let object = object.as_object_mut().expect("an object");
        vary.iter().for_each(|key| drop(object.remove(*key)));
        let results = object.get_mut("results").and_then(Value::as_array_mut);
        for result in results.into_iter().flatten().filter_map(Value::as_object_mut) {
            vary.iter().for_each(|key| drop(result.remove(*key)));
        }
    }
    objects
}

/// In which orders so many processes are started.
fn orders(processes: usize, all: bool) -> Vec<Vec<usize>> {
    let forwards: Vec<usize> = (0..processes).collect();
    let backwards: Vec<usize> = forwards.iter().rev().copied().collect();
    let mut turned = forwards.clone();
    turned.rotate_left(processes / 2);
    let mut orders = if all { vec![forwards, backwards, turned] } else { vec![turned] };
    orders.dedup();
    orders
}

#[test]
fn networks_find_what_one_process_finds() {
    let networks = match Networks::make() {
        Ok(networks) => networks,
        Err(reason) => {
            println!("skipped: networks cannot be made: {reason}");
            return;
        }
    };
    let folder = folder("networks");
    let random = option("NETWORK_MODELS", 10);
    let most = option("NETWORK_STATES", 20_000);
    let is_long = random > 100 || most > 20_000;
    let (random, mut known) = (random_cases(&folder, random), known_cases(most));
    if !is_long {
        // Few of those, but all kinds.
        known = known.into_iter().step_by(13).collect();
    }
    let (mut models, mut runs) = (0, 0);
    let mut states = 0;
    for (number, batch) in random.chunks(BATCH).chain(known.chunks(BATCH)).enumerate() {
        for verb in ["states", "check"] {
            let arguments = arguments(verb, batch);
            let alone = mandala(&arguments).args(["--strategy", "explicit", "--workers", "1"]).spawn();
            let expected = objects(alone.expect("it starts"), "alone");
            assert_eq!(expected.len(), batch.len());
            for (case, object) in batch.iter().zip(&expected).filter(|_| verb == "states") {
                states += object["states"].as_str().and_then(|states| states.parse::<u64>().ok()).unwrap_or(0);
                if let Some((states, transitions)) = case.counted {
                    assert_eq!(object["states"], states.to_string(), "{}", case.file);
                    assert_eq!(object["transitions"], transitions.to_string(), "{}", case.file);
                }
            }
            for processes in 1..=HOSTS {
                let all = orders(processes, is_long);
                // Each batch in another order.
                let order = &all[number % all.len()];
                let port = 2101 + processes;
                let hosts: String = (0..processes).map(|host| format!("{}:{port},", address(host))).collect();
                let workers = (1 + (number + processes) % 2).to_string();
                let start = |&process: &usize| {
                    let mut command = networks.on(process, &arguments);
                    member(&mut command, &hosts, process);
                    let child = command.args(["--workers", &workers]).spawn().expect("it starts");
                    std::thread::sleep(Duration::from_millis(100));
                    child
                };
                let children: Vec<Child> = order.iter().map(start).collect();
                let context = format!("{verb} by {processes} processes in the order {order:?}");
                for (child, process) in children.into_iter().zip(order) {
                    let found = objects(child, &context);
                    for ((found, expected), case) in found.iter().zip(&expected).zip(batch) {
                        assert_eq!(found, expected, "{context}, process {process}: {}", case.file);
                    }
                    assert_eq!(found.len(), expected.len(), "{context}");
                }
                runs += batch.len();
            }
        }
        models += batch.len();
        println!("{models} models with {states} states, {runs} runs by one to {HOSTS} processes: no difference");
    }
}
