//! Pictures of the project's models, and of nets of the contest: no label covers another, and every arc has a head of its own.

use mandala::{Model, Reach, Reader, Shape};
use std::path::{Path, PathBuf};

/// A part of a net is drawn around what is named, and where more would follow is said.
#[test]
fn a_part_of_a_net() {
    let places: String = (0..40).map(|one| format!("place p{one};")).collect();
    let moves: String =
        (0..40).map(|one| format!("transition t{one} {{ take p{one}; put p{}; }}", (one + 1) % 40)).collect();
    let net = Model::parse(&format!("net Ring {{ {places} {moves} }}"), mandala::Format::Gal).expect("a net");
    let part = net.picture_around(&["p7"], 3).expect("a picture");
    assert_eq!(part.nodes(), 7);
    let svg = part.svg();
    let labels: Vec<String> = texts(&svg).into_iter().map(|(label, _)| label).collect();
    for label in ["p7", "t7", "t6", "p8", "p6", "t8 …", "t5 …"] {
        assert!(labels.iter().any(|one| one == label), "{label}: {labels:?}");
    }
    assert!(svg.contains("…"));
    assert_eq!(net.picture_around(&["p7", "t20"], 1).expect("a picture").nodes(), 6);
    let unknown = net.picture_around(&["p77"], 3).expect_err("an error").to_string();
    assert!(unknown.contains("no place and no transition `p77`") && unknown.contains("p7"), "{unknown}");
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A piece of a picture: left, top, right, bottom.
type Area = [f64; 4];

fn overlap(one: &Area, other: &Area) -> bool {
    // A little is no harm: the widths of letters are estimated on the safe side.
    const SLACK: f64 = 2.0;
    one[0] + SLACK < other[2] && other[0] + SLACK < one[2] && one[1] + SLACK < other[3] && other[1] + SLACK < one[3]
}

fn attribute(tag: &str, name: &str) -> Option<f64> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[start..].split('"').next()?.parse().ok()
}

/// The texts of a picture with the room that each takes, nearly, as a browser draws it that has no Helvetica: in DejaVu Sans.
fn texts(svg: &str) -> Vec<(String, Area)> {
    let mut found = Vec::new();
    for piece in svg.split("<text").skip(1) {
        let (tag, rest) = piece.split_once('>').expect("a tag");
        let text = rest.split("</text>").next().unwrap_or_default().to_owned();
        let shown = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("&quot;", "\"");
        let size = if tag.contains("class=\"e\"") { 10.0 } else { 12.0 };
        let letter = |letter: char| match letter {
            'i' | 'j' | 'l' => 0.28,
            '.' | ',' | ' ' | ':' | '|' => 0.33,
            'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '!' => 0.38,
            'm' | 'M' | 'W' => 0.93,
            'w' | '=' | '+' | '<' | '>' | '≤' => 0.82,
            's' | 'c' | 'z' | 'k' | 'v' | 'x' | 'y' | '_' | '*' => 0.55,
            'A'..='Z' => 0.69,
            _ => 0.63,
        };
        let width = shown.chars().map(letter).sum::<f64>() * size;
        let (x, y) = (attribute(tag, "x").expect("x"), attribute(tag, "y").expect("y"));
        let left = if tag.contains("middle") { x - width / 2.0 } else { x };
        found.push((shown, [left, y - 0.72 * size, left + width, y + 0.2 * size]));
    }
    found
}

/// The heads of all arrows: the tip, and the room that they take.
fn heads(svg: &str) -> Vec<((f64, f64), Area)> {
    let heads = svg.split("<path class=\"h\" d=\"M").skip(1);
    let head = |head: &str| {
        let corners = head.split('z').next()?.split('L');
        let corner = |point: &str| point.split_once(' ').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        let corners = corners.map(corner).collect::<Option<Vec<(f64, f64)>>>()?;
        let none = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        let area = corners
            .iter()
            .fold(none, |[left, top, right, bottom], &(x, y)| [left.min(x), top.min(y), right.max(x), bottom.max(y)]);
        Some((corners[0], area))
    };
    heads.filter_map(head).collect()
}

fn look_at(name: &str, svg: &str) -> usize {
    let (width, height) = (attribute(svg, "width").expect("width"), attribute(svg, "height").expect("height"));
    let texts = texts(svg);
    let mut covered = 0;
    for (index, (text, area)) in texts.iter().enumerate() {
        assert!(area[0] >= -1.0 && area[2] <= width + 1.0 && area[3] <= height + 1.0, "{name}: {text} is cut");
        for (other, place) in &texts[index + 1..] {
            if overlap(area, place) {
                eprintln!("{name}: `{text}` and `{other}`");
                covered += 1;
            }
        }
    }
    let heads = heads(svg);
    for (index, (one, head)) in heads.iter().enumerate() {
        let near = heads[index + 1..].iter().filter(|(other, _)| (one.0 - other.0).hypot(one.1 - other.1) < 2.0);
        assert_eq!(near.count(), 0, "{name}: two arrows end at the same point");
        for (text, _) in texts.iter().filter(|(_, area)| overlap(area, head)) {
            eprintln!("{name}: `{text}` hides the head of an arrow");
            covered += 1;
        }
    }
    covered
}

/// The picture that `mandala draw` makes if nothing more is said.
fn picture(model: &Model) -> mandala::Picture {
    let picture = match model.shape() {
        Shape::Net | Shape::ColouredNet => model.picture(),
        Shape::Composite => model.hierarchy(),
        Shape::Program => model.states().run().and_then(|space| space.picture(1000)),
    };
    picture.expect("a picture")
}

#[test]
fn no_label_covers_another() {
    let mut models: Vec<PathBuf> = std::fs::read_dir(root().join("models"))
        .expect("the models")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "gal" || ending == "sn"))
        .collect();
    models.sort();
    assert!(models.len() >= 10);
    for path in models {
        let svg = picture(&Model::read(&path).expect("a model")).svg();
        assert_eq!(look_at(&path.display().to_string(), &svg), 0, "{}", path.display());
        let (width, height) = (attribute(&svg, "width").expect("width"), attribute(&svg, "height").expect("height"));
        assert!(height < 1.3 * width, "{}: wide rather than tall", path.display());
    }
}

#[test]
fn no_label_covers_another_in_nets_of_the_contest() {
    let folder = root().join("../shared/models/mcc-pt");
    if !folder.is_dir() {
        eprintln!("skipped: the folder ../shared is not there");
        return;
    }
    let names =
        ["Kanban-PT-00005", "FMS-PT-00002", "HouseConstruction-PT-00002", "ERK-PT-000001", "Referendum-PT-0010"];
    for name in names {
        let Ok(model) = Model::read(folder.join(name)) else { continue };
        assert_eq!(look_at(name, &picture(&model).svg()), 0, "{name}");
    }
}

/// Numbers that look random and are the same each time.
fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % below
    }
}

/// A coloured net with labels at all arcs.
fn random_net(seed: u64) -> String {
    let mut next = random(seed);
    let (places, transitions) = (2 + next(8), 2 + next(8));
    let mut text = "net Any {\n    class Colour = c{1..4};\n".to_owned();
    let pairs: Vec<bool> = (0..places).map(|_| next(3) == 0).collect();
    for (place, &is_pair) in pairs.iter().enumerate() {
        let name = ["p", "waiting", "hasBothOfThem"][next(3) as usize];
        let initial = if next(3) == 0 && !is_pair { " = <all>" } else { "" };
        text += &format!("    place {name}{place} : Colour{}{initial};\n", if is_pair { " * Colour" } else { "" });
    }
    let names: Vec<String> = text
        .lines()
        .filter_map(|line| Some(line.trim().strip_prefix("place ")?.split(' ').next()?.to_owned()))
        .collect();
    for transition in 0..transitions {
        let guard = if next(3) == 0 { " [x != y]" } else { "" };
        text += &format!("    transition step{transition} (Colour x, Colour y){guard} {{");
        for place in 0..places as usize {
            let verb = match next(4) {
                0 => "take",
                1 => "put",
                _ => continue,
            };
            let times = ["", "", "2"][next(3) as usize];
            let tokens = match (pairs[place], next(3)) {
                (true, 0) => "<y, x>",
                (true, _) => "<x, y>",
                (false, 0) => "<y>",
                (false, 1) => "<x> + <y>",
                (false, _) => "<x>",
            };
            let times = if tokens.contains('+') { "" } else { times };
            text += &format!(" {verb} {} {times}{tokens};", names[place]);
        }
        text += " }\n";
    }
    text + "}\n"
}

#[test]
fn no_label_covers_another_in_random_nets() {
    for seed in 0..150 {
        let text = random_net(seed);
        let model = Model::parse(&text, mandala::Format::Sn).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(look_at(&format!("net {seed}"), &picture(&model).svg()), 0, "{text}");
    }
}

#[test]
fn diagrams_states_and_traces_are_readable() {
    let read = |name: &str| Model::read(Path::new(&root()).join("models").join(name)).expect("a model");
    for name in ["philosophers.gal", "producer-consumer.gal", "clients.gal"] {
        let svg = read(name).states().run().expect("states").picture(200).expect("a picture").svg();
        look_at(name, &svg);
    }
    let model = read("philosophers.gal");
    let diagram = model.states().run().expect("states").picture(200).expect("a picture");
    assert!(
        diagram.svg().contains(">thinking<") && diagram.svg().contains("class=\"f\""),
        "levels have names and frames"
    );
    let walk = model.walk().expect("a walk");
    let graph = walk.graph(&walk.initial_states().expect("states"), Reach::default()).expect("a graph");
    assert!(graph.is_complete() && graph.states.len() == 82);
    assert!(graph.picture("states").svg().contains("class=\"n t x\""), "deadlocks stand out");
    let few = Reader::new().define("N", 3).read(root().join("models/philosophers.gal")).expect("a model");
    let walk = few.walk().expect("a walk");
    let graph = walk.graph(&walk.initial_states().expect("states"), Reach::default()).expect("a graph");
    assert_eq!(look_at("states", &graph.picture("states").svg()), 0);
    let answer = model.check("AG !deadlock").expect("a formula").run().expect("an answer");
    let svg = answer.trace().expect("a trace").svg();
    assert_eq!(look_at("a trace", &svg), 0);
    assert!(svg.contains(">at[0]<") && svg.contains("takeLeft(0)") && svg.contains("thinking 1 → 0"));
    let lasso = model.check("F false").expect("a formula").run().expect("an answer");
    assert!(lasso.trace().expect("a trace").svg().contains("for ever"));
    let queues = read("alternating-bit.gal").check("EF(data == 2)").expect("a formula").run().expect("an answer");
    let svg = queues.trace().expect("a trace").svg();
    assert!(svg.contains("[0] → [0, 0]") && !svg.contains(">data[0]<"), "a queue is one column, with its word: {svg}");
}

#[test]
fn positions_of_a_file_are_used() {
    let node = |kind: &str, id: &str, x: u32, y: u32| {
        format!("<{kind} id=\"{id}\"><graphics><position x=\"{x}\" y=\"{y}\"/></graphics></{kind}>")
    };
    let net = |second: u32| {
        format!(
            "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" \
             type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">{}{}{}\
             <arc id=\"x\" source=\"a\" target=\"t\"/><arc id=\"y\" source=\"t\" target=\"a\"/>\
             <arc id=\"z\" source=\"t\" target=\"b\"/></page></net></pnml>",
            node("place", "a", 10, 10),
            node("transition", "t", 110, 10),
            node("place", "b", 110, second)
        )
    };
    let svg = |text: &str| picture(&Model::parse(text, mandala::Format::Pnml).expect("a net")).svg();
    let circles = |svg: &str| -> Vec<(f64, f64)> {
        let circles = svg.split("<circle class=\"n\"").skip(1);
        circles.filter_map(|tag| Some((attribute(tag, "cx")?, attribute(tag, "cy")?))).collect()
    };
    let placed = circles(&svg(&net(110)));
    // As far apart as in the file, at another scale.
    assert_eq!((placed[1].0 - placed[0].0).round(), (placed[1].1 - placed[0].1).round());
    assert_eq!(look_at("given", &svg(&net(110))), 0);
    // On top of each other: then it is laid out after all.
    let laid_out = circles(&svg(&net(10)));
    assert!((laid_out[0].0 - laid_out[1].0).hypot(laid_out[0].1 - laid_out[1].1) > 20.0);
}

#[test]
fn arcs_of_all_kinds_are_drawn() {
    let mut net = mandala::build::Net::new("n");
    net.place_with_capacity("a", 2, 5).place("b", 0);
    net.transition(mandala::build::Transition::new("t").take("a", 2).inhibit("b", 1).put("b", 3));
    net.transition(mandala::build::Transition::new("u").read("b", 1).reset("a"));
    let svg = net.build().expect("a net").picture().expect("a picture").svg();
    assert!(svg.contains("a ≤ 5") && svg.contains(">2<") && svg.contains(">3<") && svg.contains("r=\"3.5\""));
    assert_eq!(look_at("arcs", &svg), 0);
}
