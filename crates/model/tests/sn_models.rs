//! The coloured models of the project: they are read, and have as many states as they say.

#[path = "common/token_game.rs"]
mod token_game;

use mandala_model::coloured::sn;
use std::path::PathBuf;

fn model(name: &str, defines: &[(&str, i32)]) -> sn::Model {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let text = std::fs::read_to_string(&path).expect("a model");
    let defines: Vec<(String, i32)> = defines.iter().map(|&(name, value)| (name.to_string(), value)).collect();
    sn::read(name, &text, &defines).unwrap_or_else(|error| panic!("{error}"))
}

fn states(name: &str, defines: &[(&str, i32)]) -> usize {
    token_game::markings(&model(name, defines).net, 2).len()
}

#[test]
fn numbers_of_states_are_those_of_the_nets_without_colours() {
    assert_eq!(states("philosophers.sn", &[("N", 2)]), 18);
    assert_eq!(states("philosophers.sn", &[("N", 3)]), 76);
    assert_eq!(states("philosophers.sn", &[]), 1364);
    assert_eq!(states("client-server.sn", &[]), 184);
    assert_eq!(states("client-server.sn", &[("C", 2), ("S", 1)]), 11);
    assert_eq!(states("database.sn", &[]), 109);
    assert_eq!(states("database.sn", &[("N", 2)]), 7);
    assert_eq!(states("peterson.sn", &[("N", 2)]), 0);
    assert_eq!(states("peterson.sn", &[]), 0);
    assert_eq!(states("sale-store.sn", &[]), 0);
    assert_eq!(states("sale-store.sn", &[("P", 2), ("G", 5)]), 0);
    assert_eq!(states("critical-section-waves.sn", &[]), 0);
}
