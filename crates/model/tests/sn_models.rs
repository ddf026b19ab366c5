//! The coloured models of the project: they are read, and have as many states as they say.

#[path = "common/token_game.rs"]
mod token_game;

use mandala_model::classic::{Besides, Classic, Shape, Size, generate_with};
use mandala_model::coloured::sn;
use std::path::PathBuf;
use token_game::Game;

const MODELS: [&str; 6] =
    ["philosophers", "client-server", "database", "peterson", "critical-section-waves", "sale-store"];

fn model(name: &str, defines: &[(&str, i32)]) -> sn::Model {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let text = std::fs::read_to_string(&path).expect("a model");
    let defines: Vec<(String, i32)> = defines.iter().map(|&(name, value)| (name.to_string(), value)).collect();
    sn::read(name, &text, &defines).unwrap_or_else(|error| panic!("{error}"))
}

fn states(name: &str, defines: &[(&str, i32)]) -> usize {
    token_game::states(&model(name, defines).net, 2)
}

#[test]
fn numbers_of_states_are_those_of_the_nets_without_colours() {
    for n in [2, 3, 5] {
        assert_eq!(states("philosophers.sn", &[("N", n)]), said(Classic::Philosophers, n, Besides::default()));
    }
    for n in [2, 3] {
        assert_eq!(states("peterson.sn", &[("N", n)]), said(Classic::Peterson, n, Besides::default()));
    }
    for n in [2, 3, 4] {
        assert_eq!(states("database.sn", &[("N", n)]), said(Classic::Database, n, Besides::default()));
    }
    for (clients, servers) in [(3, 2), (2, 1), (2, 3)] {
        let besides = Besides { servers: Some(servers as u64), gifts: None };
        let expected = said(Classic::ClientServer, clients, besides);
        assert_eq!(states("client-server.sn", &[("C", clients), ("S", servers)]), expected);
    }
    for (people, gifts) in [(3, 4), (2, 5), (2, 2)] {
        let besides = Besides { servers: None, gifts: Some(gifts as u64) };
        let expected = said(Classic::SaleStore, people, besides);
        assert_eq!(states("sale-store.sn", &[("P", people), ("G", gifts)]), expected);
    }
}

#[test]
fn numbers_of_states_are_those_that_the_models_say() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the models") {
        let path = entry.expect("a model").path();
        if path.extension().is_none_or(|extension| extension != "sn") {
            continue;
        }
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a model");
        for line in text.lines().filter(|line| line.contains("mandala states") && line.contains(" states")) {
            let Some((_, said)) = line.trim_start_matches("//").split_once(".sn") else { continue };
            let words: Vec<&str> = said.split_whitespace().collect();
            let defines: Vec<(&str, i32)> = words
                .iter()
                .filter_map(|word| word.split_once('='))
                .map(|(name, value)| (name, value.parse().expect("a number")))
                .collect();
            // Symbolic markings are counted elsewhere.
            let Some(at) = words.iter().position(|word| word.starts_with("states")) else { continue };
            let number: usize = words[at - 1].parse().expect("a number");
            if number < 20_000 {
                assert_eq!(states(&name, &defines), number, "{name} {defines:?}");
            }
            seen += 1;
        }
    }
    assert!(seen >= 6, "{seen}");
}

/// How many states the model without colours says that it has.
fn said(classic: Classic, size: i32, besides: Besides) -> usize {
    let mut out = Vec::new();
    let size = Size::from(size as u64);
    generate_with(classic, &size, besides, Some(Shape::Flat), &mut out).expect("written");
    let text = String::from_utf8(out).expect("text");
    let number = text.split("States: ").nth(1).and_then(|rest| rest.split('.').next()).expect("a number of states");
    number.parse().expect("a number")
}

#[test]
fn classic_models_are_written_as_coloured_nets() {
    for classic in Classic::ALL.into_iter().filter(|classic| classic.shapes().contains(&Shape::Coloured)) {
        let besides = match classic {
            Classic::ClientServer => Besides { servers: Some(2), gifts: None },
            Classic::SaleStore => Besides { servers: None, gifts: Some(3) },
            _ => Besides::default(),
        };
        for size in [3, 1_000_000_000] {
            let mut out = Vec::new();
            generate_with(classic, &Size::from(size), besides, Some(Shape::Coloured), &mut out).expect("written");
            let text = String::from_utf8(out).expect("text");
            let model = sn::read("classic.sn", &text, &[]).unwrap_or_else(|error| panic!("{error}"));
            if size == 3 {
                assert_eq!(token_game::states(&model.net, 2), said(classic, 3, besides), "{classic}");
            }
        }
    }
}

#[test]
fn models_are_written_and_read_again() {
    for name in MODELS {
        let model = model(&format!("{name}.sn"), &[]);
        let text = sn::write(&model.net, &model.properties);
        let again = sn::read("again.sn", &text, &[]).unwrap_or_else(|error| panic!("{text}{error}"));
        assert_eq!(again, model, "{text}");
        assert!(!model.properties.is_empty());
    }
}

#[test]
fn properties_are_what_the_models_say() {
    for name in MODELS {
        let file = format!("{name}.sn");
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(&file);
        let text = std::fs::read_to_string(&path).expect("a model");
        let model = model(&file, &[]);
        let game = Game::new(&model.net, 2);
        let markings = game.markings();
        for property in &model.properties {
            let line = text.lines().find(|line| line.starts_with(&format!("property {} ", property.name)));
            let (_, said) = line.and_then(|line| line.split_once("// ")).expect("an answer");
            if let Some(answer) = game.answer(&property.question, &markings) {
                assert!(
                    said.starts_with(&answer),
                    "{file}: {} is said to be `{said}`, and is `{answer}`",
                    property.name
                );
            }
        }
    }
}
