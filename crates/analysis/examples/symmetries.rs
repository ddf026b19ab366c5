//! The symmetries of models: `cargo run --release -p mandala-analysis --example symmetries -- FOLDER OR FILE...`
//!
//! A folder stands for all `model.pnml`, `.gal` and `.dve` files in it and one folder below. `random` stands for a random
//! net of 10,000 places and 10,000 transitions, `clients` for clients of a shared resource, of four places each.

use std::path::{Path, PathBuf};
use std::time::Instant;

use mandala_analysis::symmetry::{Preserved, find};
use mandala_model::net::{Effect, Initial, Net, Place, Transition, pnml};
use mandala_model::system::{System, Type};

const BUDGET: u64 = 2_000_000_000;
const SHAPE_BUDGET: u64 = 50_000_000;

fn main() {
    println!(
        "{:42} {:>7} {:>8}  {:>8} {:>8}  order of the group and its parts",
        "model", "places", "events", "find", "shape"
    );
    for argument in std::env::args().skip(1) {
        if argument == "random" {
            report("random", &of_net(random_net(10_000, 40_000)));
            continue;
        }
        if argument == "clients" {
            report("500 clients", &of_net(clients(500)));
            report("2,000 clients", &of_net(clients(2000)));
            continue;
        }
        for file in files(Path::new(&argument)) {
            match read(&file) {
                Ok(system) => report(&name(&file), &system),
                Err(problem) => println!("{}: {problem}", file.display()),
            }
        }
    }
}

fn report(name: &str, system: &System) {
    for initial in [false, true] {
        let start = Instant::now();
        let found = match find(system, &Preserved { initial, questions: &[] }, BUDGET) {
            Ok(found) => found,
            Err(problem) => return println!("{name}: {problem:?}"),
        };
        let finding = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let shape = found.shape(SHAPE_BUDGET);
        let shaping = start.elapsed().as_secs_f64();
        let events = system.main_type().event_count();
        let mut order = found.order().to_string();
        if order.len() > 20 {
            order = format!("about 10^{}", order.len() - 1);
        }
        println!(
            "{:42} {:7} {events:8}  {finding:8.3} {shaping:8.3}  {order}{}{}",
            if initial { format!("{name} with initial") } else { name.to_string() },
            found.names.len(),
            if found.is_complete() { "" } else { " or more" },
            if shape.is_whole { "" } else { ", not recognised as a product" },
        );
        let lines = shape.describe(&found.points, &found.names);
        lines.iter().take(8).for_each(|line| println!("    {}", line.chars().take(150).collect::<String>()));
        if lines.len() > 8 {
            println!("    and {} more", lines.len() - 8);
        }
    }
}

fn name(file: &Path) -> String {
    let stem = if file.ends_with("model.pnml") { file.parent().and_then(Path::file_name) } else { file.file_stem() };
    stem.unwrap_or_default().to_string_lossy().into_owned()
}

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let list = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        entries.sort();
        entries
    };
    let below = |entry: PathBuf| if entry.is_dir() { list(&entry) } else { vec![entry] };
    let is_model = |file: &PathBuf| {
        file.ends_with("model.pnml") || file.extension().is_some_and(|end| end == "gal" || end == "dve")
    };
    list(path).into_iter().flat_map(below).filter(is_model).collect()
}

fn read(file: &Path) -> Result<System, String> {
    let text = std::fs::read_to_string(file).map_err(|problem| problem.to_string())?;
    let shown = file.display().to_string();
    match file.extension().and_then(|end| end.to_str()) {
        Some("gal") => {
            mandala_model::gal::read(&shown, &text, &[]).map(|model| model.system).map_err(|_| "unreadable".to_string())
        }
        Some("dve") => {
            mandala_model::dve::read(&shown, &text).map(|model| model.system).map_err(|_| "unreadable".to_string())
        }
        _ => pnml::read(&shown, &text).map(of_net).map_err(|_| "unreadable".to_string()),
    }
}

fn of_net(net: Net) -> System {
    System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] }
}

fn random_net(size: u32, arcs: u32) -> Net {
    let mut state = 1u64;
    let mut below = |bound: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(bound)) as u32
    };
    let mut effects: Vec<std::collections::BTreeMap<u32, Effect>> = vec![Default::default(); size as usize];
    for _ in 0..arcs {
        let (transition, place) = (below(size) as usize, below(size));
        let effect = effects[transition].entry(place).or_insert(Effect::on(place));
        if below(2) == 0 { effect.take += 1 } else { effect.put += 1 }
    }
    let transition = |(index, effects): (usize, std::collections::BTreeMap<u32, Effect>)| Transition {
        name: format!("t{index}"),
        label: None,
        effects: effects.into_values().collect(),
        priority: 0,
    };
    Net {
        name: "random".to_string(),
        places: (0..size).map(|index| Place { name: format!("p{index}"), capacity: None }).collect(),
        transitions: effects.into_iter().enumerate().map(transition).collect(),
        initial: vec![Initial { name: String::new(), marking: vec![0; size as usize] }],
        units: None,
        ..Net::default()
    }
}

fn clients(count: u32) -> Net {
    let mut net = Net { name: "clients".to_string(), ..Net::default() };
    net.places = (0..count)
        .flat_map(|client| ["idle", "waits", "works", "rests"].map(|name| format!("client{client}.{name}")))
        .chain(["resource".to_string()])
        .map(|name| Place { name, capacity: None })
        .collect();
    let resource = 4 * count;
    for client in 0..count {
        for step in 0..4 {
            let (from, to) = (4 * client + step, 4 * client + (step + 1) % 4);
            let mut effects = vec![Effect { take: 1, ..Effect::on(from) }, Effect { put: 1, ..Effect::on(to) }];
            match step {
                1 => effects.push(Effect { take: 1, ..Effect::on(resource) }),
                2 => effects.push(Effect { put: 1, ..Effect::on(resource) }),
                _ => {}
            }
            effects.sort_by_key(|effect| effect.place);
            net.transitions.push(Transition { name: format!("t{client}_{step}"), label: None, effects, priority: 0 });
        }
    }
    let tokens = |place: u32| i32::from(place == resource || place.is_multiple_of(4));
    net.initial = vec![Initial { name: String::new(), marking: (0..=resource).map(tokens).collect() }];
    net
}
