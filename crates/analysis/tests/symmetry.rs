//! Symmetries of models: against all permutations, against the semantics, and of models whose symmetries are known.

#[allow(dead_code)]
mod nets;

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::slice;

use mandala_analysis::symmetry::{Broken, Part, Preserved, Symmetries, Symmetry, check, find, of_instances};
use mandala_group::{Group, Permutation, UBig};
use mandala_model::classic::{self, Besides, Classic, Size, generate_with};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::gal;
use mandala_model::net::{Effect, Initial, Net, Place, Transition};
use mandala_model::property::{Atom, Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System, Type};
use nets::{Chance, Shape, random_net};

const ENOUGH: u64 = 100_000_000;

fn of_net(net: Net) -> System {
    let begins = (0..net.initial.len()).collect();
    System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins }
}

fn preserving(initial: bool) -> Preserved<'static> {
    Preserved { initial, questions: &[] }
}

fn symmetries(system: &System, preserved: &Preserved<'_>) -> Symmetries {
    let found = find(system, preserved, ENOUGH).unwrap();
    assert!(found.is_complete());
    found
}

/// The parts of the shape, after it was seen that they are right.
fn parts(found: &Symmetries) -> Vec<Part> {
    let shape = found.shape(ENOUGH);
    let group = found.group(ENOUGH).unwrap();
    assert_eq!(group.order(), found.order());
    let generators: Vec<Permutation> = shape.parts.iter().flat_map(Part::generators).collect();
    assert!(generators.iter().all(|one| group.contains(one)));
    if let Some(generated) = Group::new(&generators, ENOUGH) {
        assert_eq!(generated.order(), group.order());
    }
    assert_eq!(shape.is_whole, shape.order(ENOUGH) == Some(group.order()));
    shape.parts
}

/// A net in the making: places by their names, transitions by the names of what they take from and put into.
#[derive(Default)]
struct Draft {
    net: Net,
}

impl Draft {
    fn place(&mut self, name: &str) -> u32 {
        let places = &mut self.net.places;
        let known = places.iter().position(|place| place.name == name);
        let index = known.unwrap_or_else(|| {
            places.push(Place { name: name.to_string(), capacity: None });
            places.len() - 1
        });
        index as u32
    }

    fn transition(&mut self, name: &str, take: &[String], put: &[String]) {
        let mut effects: std::collections::BTreeMap<u32, Effect> = Default::default();
        for name in take {
            let place = self.place(name);
            effects.entry(place).or_insert(Effect::on(place)).take += 1;
        }
        for name in put {
            let place = self.place(name);
            effects.entry(place).or_insert(Effect::on(place)).put += 1;
        }
        let effects = effects.into_values().collect();
        self.net.transitions.push(Transition { name: name.to_string(), label: None, effects, priority: 0 });
    }

    /// With a token in each place whose name begins like this.
    fn system(mut self, marked: &[&str]) -> System {
        let tokens = |place: &Place| i32::from(marked.iter().any(|start| place.name.starts_with(start)));
        let marking = self.net.places.iter().map(tokens).collect();
        self.net.initial = vec![Initial { name: String::new(), marking }];
        of_net(self.net)
    }
}

fn clients_and_servers(clients: usize, servers: usize) -> System {
    let mut draft = Draft::default();
    for c in 0..clients {
        for s in 0..servers {
            let (idle, waiting, request) = (format!("idle_{c}"), format!("waiting_{c}"), format!("request_{c}_{s}"));
            draft.transition("send", slice::from_ref(&idle), &[waiting.clone(), request.clone()]);
            draft.transition("serve", &[request, format!("free_{s}")], &[format!("busy_{c}_{s}")]);
            draft.transition("done", &[format!("busy_{c}_{s}"), waiting], &[format!("free_{s}"), idle]);
        }
    }
    draft.system(&["idle", "free"])
}

fn philosophers(count: usize) -> System {
    let mut draft = Draft::default();
    for one in 0..count {
        let (left, right) = (format!("fork_{one}"), format!("fork_{}", (one + 1) % count));
        draft.transition("take", &[format!("think_{one}"), left.clone()], &[format!("has_left_{one}")]);
        draft.transition("eat", &[format!("has_left_{one}"), right.clone()], &[format!("eat_{one}")]);
        draft.transition("leave", &[format!("eat_{one}")], &[format!("think_{one}"), left, right]);
    }
    draft.system(&["think", "fork"])
}

fn factorial(number: usize) -> UBig {
    (1..=number).fold(UBig::ONE, |product, factor| product * UBig::from(factor))
}

fn permutations(count: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for new in 0..count as u32 {
        let longer = |one: &Vec<u32>, at: usize| {
            let mut longer = one.clone();
            longer.insert(at, new);
            longer
        };
        all = all.iter().flat_map(|one| (0..=one.len()).map(|at| longer(one, at)).collect::<Vec<_>>()).collect();
    }
    all
}

/// Whether a permutation is a symmetry of a net, by definition.
fn is_symmetry(net: &Net, initial: bool, images: &[u32]) -> bool {
    type Row = Vec<Effect>;
    let own = |transition: &Transition| -> Row { transition.effects.clone() };
    let image = |transition: &Transition| -> Row {
        let moved = |effect: &Effect| Effect { place: images[effect.place as usize], ..*effect };
        let mut row: Row = transition.effects.iter().map(moved).collect();
        row.sort_by_key(|effect| effect.place);
        row
    };
    let before: HashSet<Row> = net.transitions.iter().map(own).collect();
    let after: HashSet<Row> = net.transitions.iter().map(image).collect();
    let capacities = (0..images.len()).all(|at| net.places[at].capacity == net.places[images[at] as usize].capacity);
    let markings: BTreeSet<Vec<i32>> = net.initial.iter().map(|one| one.marking.clone()).collect();
    let moved: BTreeSet<Vec<i32>> = markings
        .iter()
        .map(|marking| {
            let mut moved = marking.clone();
            (0..images.len()).for_each(|at| moved[images[at] as usize] = marking[at]);
            moved
        })
        .collect();
    before == after && capacities && (!initial || markings == moved)
}

/// The symmetries that were found, and the exchanges of places that always hold the same.
fn with_twins(found: &Symmetries) -> Group {
    let exchange = |&(twin, first): &(u32, u32)| Permutation::from_cycles(&[[twin, first]]).unwrap();
    let all: Vec<Permutation> = found.generators().iter().cloned().chain(found.twins.iter().map(exchange)).collect();
    Group::new(&all, ENOUGH).unwrap()
}

/// Whether places that are said to hold the same do so in the first states that are reached.
fn are_twins(system: &System, found: &Symmetries) {
    let semantics = Semantics::new(system).unwrap();
    let mut states = semantics.initial_states().unwrap();
    for at in 0..100 {
        let Some(state) = states.get(at) else { break };
        assert!(found.twins.iter().all(|&(twin, first)| state[twin as usize] == state[first as usize]));
        let next = semantics.successors(state).unwrap();
        states.extend(next.into_iter().map(|step| step.state));
    }
}

#[test]
fn small_nets_against_all_permutations() {
    let mut chance = Chance::new(5);
    let mut symmetric = 0;
    for _ in 0..1000 {
        let mut net = random_net(&mut chance, Shape::Full);
        // Some transitions twice, with two places exchanged: else few nets have symmetries.
        if chance.below(3) > 0 {
            let (one, other) = (chance.below(net.places.len()) as u32, chance.below(net.places.len()) as u32);
            let moved = |place: u32| match place {
                place if place == one => other,
                place if place == other => one,
                place => place,
            };
            let mut copies = net.transitions.clone();
            for copy in &mut copies {
                copy.effects.iter_mut().for_each(|effect| effect.place = moved(effect.place));
                copy.effects.sort_by_key(|effect| effect.place);
            }
            net.transitions.extend(copies);
        }
        if net.places.len() > 6 {
            continue;
        }
        let all = permutations(net.places.len());
        let system = of_net(net.clone());
        for initial in [false, true] {
            let expected: Vec<&Vec<u32>> = all.iter().filter(|images| is_symmetry(&net, initial, images)).collect();
            let found = symmetries(&system, &preserving(initial));
            let group = with_twins(&found);
            assert_eq!(group.order(), expected.len().into(), "{net:?}");
            if found.twins.is_empty() {
                assert_eq!(found.order(), expected.len().into(), "{net:?}");
            }
            for images in &expected {
                assert!(group.contains(&Permutation::from_images(images).unwrap()));
            }
            symmetric += usize::from(expected.len() > 1);
            parts(&found);
            are_twins(&system, &found);
        }
        let declared: Vec<Permutation> = all.iter().map(|images| Permutation::from_images(images).unwrap()).collect();
        let verdicts = check(&system, &preserving(true), &declared).unwrap();
        for (images, verdict) in all.iter().zip(verdicts) {
            assert_eq!(verdict.is_ok(), is_symmetry(&net, true, images));
        }
    }
    assert!(symmetric > 300, "only {symmetric}");
}

/// The image of what can happen in a state is what can happen in the image of the state.
fn agrees_with_the_semantics(system: &System, found: &Symmetries, chance: &mut Chance) {
    let semantics = Semantics::new(system).unwrap();
    let all = |state: &[i32]| -> BTreeSet<Vec<i32>> {
        semantics.successors(state).unwrap_or_default().into_iter().map(|step| step.state).collect()
    };
    let initial = semantics.initial_states().unwrap();
    let generators: Vec<Symmetry> = found.generators().iter().take(20).map(|one| found.points.symmetry(one)).collect();
    let mut state = initial[0].clone();
    for _ in 0..25 {
        let after = all(&state);
        for symmetry in &generators {
            let image: BTreeSet<Vec<i32>> = after.iter().map(|state| symmetry.apply(state)).collect();
            assert_eq!(all(&symmetry.apply(&state)), image);
        }
        let Some(next) = after.iter().nth(chance.below(after.len())) else { break };
        state = next.clone();
    }
}

#[test]
fn models_against_the_semantics() {
    let mut chance = Chance::new(9);
    let (mut models, mut symmetric) = (0, 0);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["models", "../shared/models/gal", "../shared/models/beem-dve"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else { continue };
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let name = file.display().to_string();
            let read = match file.extension().and_then(|end| end.to_str()) {
                Some("gal") => mandala_model::gal::read(&name, &text, &[]),
                Some("dve") => mandala_model::dve::read(&name, &text),
                _ => continue,
            };
            let Ok(model) = read else { continue };
            if Semantics::new(&model.system).is_err() {
                continue;
            }
            models += 1;
            for initial in [false, true] {
                let Ok(found) = find(&model.system, &preserving(initial), ENOUGH) else { continue };
                symmetric += usize::from(initial && !found.generators().is_empty());
                agrees_with_the_semantics(&model.system, &found, &mut chance);
            }
        }
    }
    assert!(models >= 10 && symmetric >= 2, "{symmetric} of {models}");
}

#[test]
fn clients_and_servers_are_a_product() {
    for (clients, servers) in [(3, 4), (2, 3), (5, 2), (2, 2), (4, 4)] {
        let found = symmetries(&clients_and_servers(clients, servers), &preserving(true));
        assert_eq!(found.order(), factorial(clients) * factorial(servers));
        let parts = parts(&found);
        let mut sizes: Vec<(usize, usize)> = parts
            .iter()
            .map(|part| match part {
                Part::Full { blocks } => (blocks.len(), blocks[0].len()),
                part => panic!("{part:?}"),
            })
            .collect();
        sizes.sort_unstable();
        let mut expected = vec![(clients, 2 + 2 * servers), (servers, 1 + 2 * clients)];
        expected.sort_unstable();
        assert_eq!(sizes, expected);
    }
}

#[test]
fn philosophers_are_a_ring() {
    for count in [4, 5, 6, 12] {
        let found = symmetries(&philosophers(count), &preserving(true));
        assert_eq!(found.order(), count.into());
        let parts = parts(&found);
        let [Part::Ring { blocks, reflection: None }] = &parts[..] else { panic!("{parts:?}") };
        assert_eq!((blocks.len(), blocks[0].len()), (count, 4));
    }
    let found = symmetries(&philosophers(5), &preserving(true));
    let words = found.shape(ENOUGH).describe(&found.points, &found.names);
    assert_eq!(words, ["a ring of 5 blocks of 4 variables (think_*, fork_*, has_left_*, eat_*)"]);
}

#[test]
fn messages_between_processes_have_two_indices() {
    let mut draft = Draft::default();
    for one in 0..5 {
        for other in (0..5).filter(|&other| other != one) {
            let message = format!("message_{one}_{other}");
            draft.transition("send", &[format!("ready_{one}")], slice::from_ref(&message));
            draft.transition("get", &[message], &[format!("ready_{other}")]);
        }
    }
    let found = symmetries(&draft.system(&["ready"]), &preserving(true));
    assert_eq!(found.order(), factorial(5));
    let parts = parts(&found);
    assert!(matches!(&parts[..], [Part::Indices { swaps }] if swaps.len() == 4), "{parts:?}");
}

#[test]
fn blocks_within_blocks() {
    // Four houses with three rooms each, around a garden.
    let mut draft = Draft::default();
    for house in 0..4 {
        for room in 0..3 {
            let (hall, room) = (format!("hall_{house}"), format!("room_{house}_{room}"));
            draft.transition("enter", slice::from_ref(&hall), slice::from_ref(&room));
            draft.transition("leave", &[room], &[hall]);
        }
        draft.transition("go", &["garden".to_string()], &[format!("hall_{house}")]);
        draft.transition("come", &[format!("hall_{house}")], &["garden".to_string()]);
    }
    let found = symmetries(&draft.system(&["garden"]), &preserving(true));
    assert_eq!(found.order(), factorial(4) * factorial(3).pow(4));
    let parts = parts(&found);
    assert_eq!(parts.len(), 5, "{parts:?}");
    assert!(found.shape(ENOUGH).is_whole);
}

#[test]
fn copies_of_random_nets_are_interchangeable() {
    let mut chance = Chance::new(11);
    for _ in 0..200 {
        let piece = random_net(&mut chance, Shape::Full);
        let (size, copies) = (piece.places.len() as u32, 2 + chance.below(4) as u32);
        // The last place is shared by all copies.
        let at =
            |copy: u32, place: u32| if place + 1 == size { copies * (size - 1) } else { copy * (size - 1) + place };
        let mut net = Net::default();
        for index in 0..copies * (size - 1) + 1 {
            let place = if index == copies * (size - 1) { size - 1 } else { index % (size - 1) };
            net.places.push(Place { name: format!("p{index}"), ..piece.places[place as usize].clone() });
        }
        let mut marking = vec![0; net.places.len()];
        for copy in 0..copies {
            (0..size).for_each(|place| marking[at(copy, place) as usize] = piece.initial[0].marking[place as usize]);
            for transition in &piece.transitions {
                let moved = |effect: &Effect| Effect { place: at(copy, effect.place), ..*effect };
                let effects = transition.effects.iter().map(moved).collect();
                net.transitions.push(Transition { effects, ..transition.clone() });
            }
        }
        net.initial = vec![Initial { name: String::new(), marking }];
        let system = of_net(net);
        let found = symmetries(&system, &preserving(true));
        let group = with_twins(&found);
        for copy in 1..copies {
            let swaps: Vec<[u32; 2]> = (0..size - 1).map(|place| [at(copy - 1, place), at(copy, place)]).collect();
            assert!(group.contains(&Permutation::from_cycles(&swaps).unwrap()));
        }
        parts(&found);
        agrees_with_the_semantics(&system, &found, &mut chance);
    }
}

/// Read as a file of GAL.
fn gal(text: &str) -> System {
    mandala_model::gal::read("test.gal", text, &[]).unwrap_or_else(|_| panic!("unreadable: {text}")).system
}

#[test]
fn instances_of_a_composite_are_interchangeable() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/philosophers.gal"));
    let system = gal(&text.unwrap());
    let found = symmetries(&system, &preserving(true));
    assert_eq!(found.order(), 5u32.into());
    let Type::Composite(composite) = &system.types[system.main] else { panic!() };
    let instances: Vec<Permutation> =
        found.generators().iter().map(|one| of_instances(&system, one).unwrap()).collect();
    assert_eq!(Group::new(&instances, ENOUGH).unwrap().order(), composite.instances.len().into());
}

#[test]
fn the_order_of_statements_matters_only_where_it_does() {
    let order = |body: &str| {
        let text = format!("gal g {{ int x = 0; int y = 0; transition t [true] {{ {body} }} }} main g;");
        let system = gal(&text);
        let found = symmetries(&system, &preserving(true));
        agrees_with_the_semantics(&system, &found, &mut Chance::new(1));
        found.order()
    };
    assert_eq!(order("x = 1; y = 1;"), 2u32.into());
    // With the values 1 of x and 2 of y renamed to each other.
    assert_eq!(order("x = 1; y = 2;"), 2u32.into());
    assert_eq!(order("x = 1; y = 2; x = x * 2;"), UBig::ONE);
    assert_eq!(order("x = y + 1; y = x + 1;"), UBig::ONE);
    assert_eq!(order("if (x + y < 3) { x = x + 1; y = y + 1; }"), 2u32.into());
    assert_eq!(order("if (x - y < 3) { x = x + 1; y = y + 1; }"), UBig::ONE);
    assert_eq!(order("if (x > 3 && y > 3) { x = 0; y = 0; }"), 2u32.into());
    // Which of both is divided by first decides whether the other is reached.
    assert_eq!(order("if (1 / x > 3 && 1 / y > 3) { x = 0; y = 0; }"), UBig::ONE);
}

/// Five processes, of which one may be the owner, with more transitions.
fn owned(more: &str) -> System {
    gal(&format!(
        "gal g {{ typedef p = 0 .. 4; array [5] at = (0, 0, 0, 0, 0); int owner = -1; int other = -1; int sum = 0;
           transition take (p $p) [at[$p] == 0 && owner == -1] {{ owner = $p; at[$p] = 1; }}
           transition leave [owner != -1] {{ at[owner] = 0; owner = -1; }}
           {more}
         }} main g;"
    ))
}

#[test]
fn numbers_of_processes_are_renamed() {
    let order = |more: &str| {
        let system = owned(more);
        let found = symmetries(&system, &preserving(true));
        agrees_with_the_semantics(&system, &found, &mut Chance::new(1));
        (found.order(), found.points.have_values())
    };
    let all = (factorial(5), true);
    assert_eq!(order(""), all);
    assert_eq!(order("transition copy [owner != other] { other = owner; }"), all);
    assert_eq!(order("transition compare [owner == other] { other = -1; }"), all);
    assert_eq!(order("transition read [other >= 0 && at[other] == 0] { other = -1; }"), all);
    assert_eq!(order("transition write (p $p) [at[$p] == 1] { other = $p; at[other] = 2; }"), all);
    assert_eq!(order("transition test { if (at[owner] == 2) { other = owner; } }"), all);
    assert_eq!(order("transition bounded [sum < 3] { sum = sum + (owner == other); }"), all);
    // A ring, as far as the owner goes.
    assert_eq!(order("transition next [owner >= 0] { owner = (owner + 1) % 5; }"), (5u32.into(), true));
    // The others are interchangeable.
    assert_eq!(order("transition first [owner == 0] { at[0] = 2; }"), (factorial(4), true));
    assert_eq!(order("transition low [owner < 2] { other = owner; }"), (UBig::from(2u32 * 6), true));
    // As a number.
    assert_eq!(order("transition add { sum = sum + owner; }"), (UBig::ONE, false));
    assert_eq!(order("transition less [owner > other] { other = owner; }"), (UBig::ONE, false));
}

#[test]
fn questions_about_renamed_values() {
    let system = owned("");
    let Type::Program(program) = &system.types[0] else { panic!() };
    let owner = program.variables.iter().position(|variable| variable.name == "owner").unwrap() as u32;
    let order = |question: Question| symmetries(&system, &Preserved { initial: true, questions: &[&question] }).order();
    let is = |process: i32| Formula::Atom(Atom::Compare(Comparison::Equal, tokens(owner), Integer::Constant(process)));
    assert_eq!(order(Question::Reachable(is(-1))), factorial(5));
    assert_eq!(order(Question::Reachable(is(3))), factorial(4));
    assert_eq!(order(Question::Reachable(Formula::Or((0..5).map(is).collect()))), factorial(5));
    assert_eq!(order(Question::Reachable(Formula::Or((0..2).map(is).collect()))), UBig::from(2u32 * 6));
    let positive = Formula::Atom(Atom::Compare(Comparison::LessOrEqual, Integer::Constant(0), tokens(owner)));
    assert_eq!(order(Question::Invariant(positive)), factorial(5));
    assert_eq!(order(Question::Bounds(tokens(owner))), UBig::ONE);
    let element = Integer::Element { first: Location::default(), length: 5, index: Box::new(tokens(owner)) };
    assert_eq!(order(Question::Bounds(element)), factorial(5));
}

#[test]
fn a_symmetry_that_renames_values_is_checked() {
    let system = owned("");
    let found = symmetries(&system, &preserving(true));
    let swaps: Vec<Permutation> = found.generators().to_vec();
    assert!(found.points.check(&system, &preserving(true), &swaps).unwrap().iter().all(Result::is_ok));
    // The variables without their numbers, and the numbers without the variables.
    let variables = found.points.variables() as u32;
    let part = |one: &Permutation, of_variables: bool| {
        let moves = one.moves().iter().copied().filter(|&(point, _)| (point < variables) == of_variables);
        Permutation::from_moves(moves.collect()).unwrap()
    };
    for of_variables in [true, false] {
        let halves: Vec<Permutation> = swaps.iter().map(|one| part(one, of_variables)).collect();
        let checked = found.points.check(&system, &preserving(true), &halves).unwrap();
        assert!(checked.iter().all(Result::is_err), "{checked:?}");
    }
    // What somebody declares is about variables alone.
    let declared: Vec<Permutation> = swaps.iter().map(|one| part(one, true)).collect();
    assert!(check(&system, &preserving(true), &declared).unwrap().iter().all(Result::is_err));
    // In another system, whose variables have more values.
    let other = owned("transition more [owner == -1] { owner = 7; }");
    let checked = found.points.check(&other, &preserving(true), &swaps).unwrap();
    assert!(checked.iter().all(|one| *one == Err(Broken::Values)));
}

fn tokens(place: u32) -> Integer<Location> {
    Integer::Variable(Location { path: Vec::new(), index: place })
}

fn holds(place: u32) -> Formula {
    Formula::Atom(Atom::Compare(Comparison::Less, Integer::Constant(0), tokens(place)))
}

#[test]
fn questions_are_left_alone() {
    let system = clients_and_servers(4, 2);
    let Type::Net(net) = &system.types[0] else { panic!() };
    let place = |name: &str| net.places.iter().position(|place| place.name == name).unwrap() as u32;
    let order =
        |question: Question| symmetries(&system, &Preserved { initial: false, questions: &[&question] }).order();
    let eventually = |formula| Formula::Unary(Quantifier::Exists, UnaryOperator::Finally, Box::new(formula));

    assert_eq!(order(Question::Reachable(Formula::Deadlock)), UBig::from(24u32 * 2));
    assert_eq!(order(Question::Reachable(holds(place("idle_1")))), UBig::from(6u32 * 2));
    let all = (0..4).map(|client| holds(place(&format!("idle_{client}")))).collect::<Vec<_>>();
    assert_eq!(order(Question::Invariant(Formula::Or(all.clone()))), UBig::from(24u32 * 2));
    assert_eq!(
        order(Question::Bounds(Integer::Sum(vec![tokens(place("free_0")), tokens(place("free_1"))]))),
        48u32.into()
    );
    assert_eq!(order(Question::Bounds(tokens(place("free_0")))), 24u32.into());
    // Each largest part without temporal operators by itself; parts of one conjunction together.
    let apart = Formula::And(all.iter().cloned().map(eventually).collect());
    assert_eq!(order(Question::Ctl(apart)), 2u32.into());
    let mut together = all;
    together.push(eventually(holds(place("free_0"))));
    assert_eq!(order(Question::Ctl(Formula::And(together))), 24u32.into());
    // Two transitions of different clients.
    let fireable = Formula::Atom(Atom::Fireable([0, 6].map(|index| Location { path: Vec::new(), index }).to_vec()));
    assert_eq!(order(Question::Reachable(fireable)), 4u32.into());
}

#[test]
fn what_a_declared_symmetry_breaks_is_said() {
    let system = clients_and_servers(2, 2);
    let Type::Net(net) = &system.types[0] else { panic!() };
    let place = |name: &str| net.places.iter().position(|place| place.name == name).unwrap() as u32;
    let swap = |pairs: &[(&str, &str)]| {
        let cycles: Vec<[u32; 2]> = pairs.iter().map(|&(one, other)| [place(one), place(other)]).collect();
        Permutation::from_cycles(&cycles).unwrap()
    };
    let clients = swap(&[
        ("idle_0", "idle_1"),
        ("waiting_0", "waiting_1"),
        ("request_0_0", "request_1_0"),
        ("request_0_1", "request_1_1"),
        ("busy_0_0", "busy_1_0"),
        ("busy_0_1", "busy_1_1"),
    ]);
    let verdicts = |declared: &[Permutation]| check(&system, &preserving(true), declared).unwrap();
    assert_eq!(verdicts(&[clients, swap(&[("busy_0_0", "busy_1_0")])]), [Ok(()), Err(Broken::Event("serve".into()))]);
    let nowhere = Permutation::from_cycles(&[[0, 1000]]).unwrap();
    assert_eq!(verdicts(&[nowhere]), [Err(Broken::Variable(1000))]);
}

/// In a large product, the generators of one part that the search finds are mixed with those of the other.
/// Rings that can be exchanged. The largest of these took seconds, because rings were looked for among all products.
#[test]
fn rings_that_are_exchanged() {
    for (rings, length) in [(3, 4usize), (5, 7), (200, 100)] {
        let mut draft = Draft::default();
        for ring in 0..rings {
            for at in 0..length {
                let next = format!("p_{ring}_{}", (at + 1) % length);
                draft.transition("t", &[format!("p_{ring}_{at}")], &[next]);
            }
        }
        let found = symmetries(&draft.system(&[]), &preserving(true));
        assert_eq!(found.order(), factorial(rings) * UBig::from(length).pow(rings));
        let start = std::time::Instant::now();
        let shape = found.shape(ENOUGH);
        println!("{rings} rings of {length}: {} parts in {:?}", shape.parts.len(), start.elapsed());
        if rings < 10 {
            // That what was recognised generates all of it is seen there.
            assert!(!parts(&found).is_empty());
        }
    }
}

#[test]
fn parts_of_a_large_product() {
    let (size, besides) = (Size::from(30), Besides { servers: Some(20), ..Besides::default() });
    let mut text = Vec::new();
    generate_with(Classic::ClientServer, &size, besides, Some(classic::Shape::Flat), &mut text).unwrap();
    let system = gal::read("clients.gal", &String::from_utf8(text).unwrap(), &[]).unwrap().system;
    let shape = symmetries(&system, &preserving(true)).shape(ENOUGH);
    let blocks: Vec<usize> = shape.parts.iter().map(|part| part.blocks().len()).collect();
    assert_eq!(blocks, [30, 20]);
    assert!(shape.is_whole);
}
