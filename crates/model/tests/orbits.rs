//! What is symmetric in the classic models: which exchanges of places leave a net alone, and how many orbits its states
//! have, by exploration state by state. The thesis and the SRS paper have the same numbers.

#[path = "common/orbits.rs"]
mod orbits;

use mandala_model::classic::{Besides, Classic, Shape, Size, generate_with};
use mandala_model::gal;
use mandala_model::net::Net;
use mandala_model::symmetry::DeclaredSymmetry;
use mandala_model::system::{System, Type};
use orbits::{Permutation, count, from_cycles, image, is_symmetry, renaming, states};
use std::fs;
use std::path::PathBuf;

fn written(classic: Classic, size: u64, besides: Besides) -> (System, String) {
    let mut text = Vec::new();
    generate_with(classic, &Size::from(size), besides, Some(Shape::Flat), &mut text).expect("written");
    let text = String::from_utf8(text).expect("text");
    let model = gal::read(classic.name(), &text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    (model.system, text)
}

fn net(system: &System) -> &Net {
    match &system.types[system.main] {
        Type::Net(net) => net,
        _ => panic!("not a net"),
    }
}

/// Which class the numbers in the name of a place belong to: for clients and servers `cs` for `request_2_1`.
type Classes = fn(&str) -> &'static str;

/// The permutation of places in which the numbers of a class are exchanged.
fn exchange(net: &Net, classes: Classes, class: char, to: impl Fn(u64) -> u64) -> Permutation {
    renaming(net, |name| {
        let mut words = name.split('_');
        let role = words.next().expect("a word");
        let numbers = words.zip(classes(role).chars()).map(|(number, of)| {
            let number: u64 = number.parse().expect("a number");
            if of == class { to(number) } else { number }
        });
        numbers.fold(role.to_owned(), |name, number| format!("{name}_{number}"))
    })
}

/// Neighbours exchanged: together they make all orders of so many members of a class.
fn all_orders(net: &Net, classes: Classes, class: char, members: u64) -> Vec<Permutation> {
    let swap = |i: u64| {
        move |member: u64| {
            if member == i {
                i + 1
            } else if member == i + 1 {
                i
            } else {
                member
            }
        }
    };
    (0..members.saturating_sub(1)).map(|i| exchange(net, classes, class, swap(i))).collect()
}

/// Numbers of states and orbits of a model, which must be those that its text has.
fn numbers(system: &System, text: &str, generators: &[Permutation]) -> (usize, usize) {
    assert!(generators.iter().all(|permutation| is_symmetry(net(system), permutation)));
    let states = states(system);
    let orbits = count(&states, generators);
    for line in [format!("// States: {}.\n", states.len()), format!("// Orbits: {orbits}, ")] {
        assert!(text.contains(&line), "{line} in\n{text}");
    }
    (states.len(), orbits)
}

fn client_server(clients: u64, servers: u64) -> (usize, usize) {
    let besides = Besides { servers: Some(servers), ..Besides::default() };
    let (system, text) = written(Classic::ClientServer, clients, besides);
    let classes: Classes = |role| match role {
        "free" => "s",
        "request" | "served" => "cs",
        _ => "c",
    };
    let [clients, servers] =
        [('c', clients), ('s', servers)].map(|(class, members)| all_orders(net(&system), classes, class, members));
    numbers(&system, &text, &[clients, servers].concat())
}

#[test]
fn clients_and_servers() {
    assert_eq!(client_server(1, 1), (4, 4));
    assert_eq!(client_server(2, 2), (34, 12));
    assert_eq!(client_server(3, 3), (446, 30));
    assert_eq!(client_server(5, 2), (4864, 82));
    assert_eq!(client_server(4, 4), (7944, 68));
}

fn sale_store(people: u64, gifts: u64) -> (usize, usize) {
    let besides = Besides { gifts: Some(gifts), ..Besides::default() };
    let (system, text) = written(Classic::SaleStore, people, besides);
    let classes: Classes = |role| match role {
        "warehouse" => "g",
        "has" => "pg",
        _ => "p",
    };
    let [people, gifts] =
        [('p', people), ('g', gifts)].map(|(class, members)| all_orders(net(&system), classes, class, members));
    numbers(&system, &text, &[people, gifts].concat())
}

#[test]
fn the_sale_store() {
    assert_eq!(sale_store(1, 0), (3, 3));
    assert_eq!(sale_store(2, 4), (111, 15));
    assert_eq!(sale_store(3, 6), (4044, 35));
    assert_eq!(sale_store(5, 5), (71_238, 106));
}

fn peterson(n: u64) -> (usize, usize) {
    let (system, text) = written(Classic::Peterson, n, Besides::default());
    let classes: Classes = |role| match role {
        "free" | "below" => "l",
        "idle" | "critical" => "p",
        _ => "pl",
    };
    numbers(&system, &text, &all_orders(net(&system), classes, 'p', n))
}

#[test]
fn peterson_for_some_processes() {
    assert_eq!(peterson(2), (9, 5));
    assert_eq!(peterson(3), (55, 12));
    assert_eq!(peterson(4), (441, 28));
    assert_eq!(peterson(5), (4361, 64));
}

fn database(n: u64) -> (usize, usize) {
    let (system, text) = written(Classic::Database, n, Besides::default());
    let classes: Classes = |role| match role {
        "passive" | "active" => "",
        "inactive" | "waiting" | "performing" => "s",
        _ => "ss",
    };
    numbers(&system, &text, &all_orders(net(&system), classes, 's', n))
}

#[test]
fn the_distributed_database() {
    assert_eq!(database(2), (7, 4));
    assert_eq!(database(3), (28, 7));
    assert_eq!(database(4), (109, 11));
    assert_eq!(database(6), (1459, 22));
}

#[test]
fn the_token_ring() {
    for (n, expected) in [(2, (16, 9)), (3, (44, 16)), (4, (112, 30)), (5, (272, 56)), (8, (3328, 420))] {
        let (system, text) = written(Classic::TokenRing, n, Besides::default());
        let places = net(&system);
        let classes: Classes = |role| if role == "noToken" { "-" } else { "s" };
        assert_eq!(numbers(&system, &text, &[exchange(places, classes, 's', |i| (i + 1) % n)]), expected);
        // With two stations, to turn the ring and to reflect it is the same.
        let reflected = exchange(places, classes, 's', |i| n - 1 - i);
        assert_eq!(is_symmetry(places, &reflected), n == 2);
    }
}

#[test]
fn the_philosophers_of_the_contest() {
    for (n, turned, reflected) in [(3, 11, 7), (5, 51, 30), (6, 130, 74)] {
        let (system, _) = written(Classic::ContestPhilosophers, n, Besides::default());
        let places = net(&system);
        // They are numbered from 1.
        let turn = exchange(places, |_| "p", 'p', |i| i % n + 1);
        // Left becomes right: the first fork the second, and the fork between i and i + 1 the one on the other side.
        let reflect = renaming(places, |name| {
            let (role, number) = name.split_once('_').expect("a number");
            let number: u64 = number.parse().expect("a number");
            match role {
                "Fork" => format!("Fork_{}", if number == n { n } else { n - number }),
                "Catch1" => format!("Catch2_{}", n + 1 - number),
                "Catch2" => format!("Catch1_{}", n + 1 - number),
                _ => format!("{role}_{}", n + 1 - number),
            }
        });
        assert!(is_symmetry(places, &turn) && is_symmetry(places, &reflect));
        let states = states(&system);
        assert_eq!(states.len(), 3usize.pow(n as u32));
        assert_eq!(count(&states, std::slice::from_ref(&turn)), turned);
        assert_eq!(count(&states, &[turn, reflect]), reflected);
    }
}

/// What `models/clients.gal` declares, and the numbers that it gives.
#[test]
fn declared_symmetries_are_symmetries() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/clients.gal");
    let text = fs::read_to_string(file).expect("the model");
    let model = gal::read("clients.gal", &text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    let places = net(&model.system);
    let states = states(&model.system);
    let orbits = |names: &[&str]| {
        let declared = places.symmetries.iter().filter(|symmetry| names.contains(&symmetry.name.as_str()));
        let cycles = declared.flat_map(DeclaredSymmetry::generators);
        let generators: Vec<Permutation> = cycles.map(|cycles| from_cycles(&cycles, places.places.len())).collect();
        assert!(generators.iter().all(|permutation| is_symmetry(places, permutation)));
        count(&states, &generators)
    };
    assert_eq!(states.len(), 184);
    assert_eq!(orbits(&["clients", "servers"]), 26);
    assert_eq!(orbits(&["clients", "servers", "nextClient"]), 26);
    assert_eq!(orbits(&["clients"]), 44);
    assert_eq!(orbits(&["nextClient"]), 64);
}

#[test]
fn what_is_not_a_symmetry_is_noticed() {
    let (system, _) = written(Classic::TokenRing, 3, Besides::default());
    let swap = exchange(net(&system), |role| if role == "idle" { "s" } else { "-" }, 's', |i| (i + 1) % 3);
    assert!(!is_symmetry(net(&system), &swap));
    assert_eq!(image(&[1, 2, 3], &[1, 2, 0]), [3, 1, 2]);
}
