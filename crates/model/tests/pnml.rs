//! PNML files: the shared ones, random ones, and large ones. Bad ones are in `pnml_errors.rs`.

mod readers;

use mandala_model::net::{Effect, Initial, Net, Place, Transition, Unit, Units, pnml};
use readers::random::Random;
use readers::{samples, shared};

/// The value of an attribute of the first element of a name, found without any knowledge of XML.
fn attribute(text: &str, element: &str, name: &str) -> Option<usize> {
    let tag = text.split_once(&format!("<{element} "))?.1.split_once('>')?.0;
    tag.split_once(&format!("{name}=\""))?.1.split_once('"')?.0.parse().ok()
}

/// How many arcs of the standard a net has.
fn arcs(net: &Net) -> usize {
    let effects = net.transitions.iter().flat_map(|transition| &transition.effects);
    effects.map(|effect| usize::from(effect.take > 0) + usize::from(effect.put > 0)).sum()
}

#[test]
fn shared_nets_are_read_as_they_describe_themselves() {
    for folder in shared("mcc-pt").into_iter().chain(shared("mcc-pt-large")) {
        let text = std::fs::read_to_string(folder.join("model.pnml")).expect("a readable file");
        let reading = pnml::read_with_notes("model.pnml", &text).unwrap_or_else(|error| panic!("{error}"));
        let net = reading.net;
        assert_eq!(folder.file_name().and_then(|name| name.to_str()), Some(net.name.as_str()));
        assert_eq!(net.places.len(), text.matches("<place ").count(), "{}", net.name);
        assert_eq!(net.transitions.len(), text.matches("<transition ").count(), "{}", net.name);
        if text.contains("tool=\"nupn\"") {
            assert_eq!(attribute(&text, "size", "places"), Some(net.places.len()), "{}", net.name);
            assert_eq!(attribute(&text, "size", "transitions"), Some(net.transitions.len()), "{}", net.name);
            assert_eq!(attribute(&text, "size", "arcs"), Some(arcs(&net)), "{}", net.name);
            let units = net.units.as_ref().unwrap_or_else(|| panic!("{}: no units: {:?}", net.name, reading.notes));
            assert_eq!(attribute(&text, "structure", "units"), Some(units.units.len()), "{}", net.name);
            assert_eq!(units.safe, text.contains("safe=\"true\""), "{}", net.name);
            let places: usize = units.units.iter().map(|unit| unit.places.len()).sum();
            assert_eq!(places, net.places.len(), "{}", net.name);
        }
    }
}

#[test]
fn shared_nets_are_written_and_read_back() {
    for folder in shared("mcc-pt").into_iter().chain(shared("mcc-pt-large")) {
        let text = std::fs::read_to_string(folder.join("model.pnml")).expect("a readable file");
        let net = pnml::read("model.pnml", &text).unwrap_or_else(|error| panic!("{error}"));
        assert!(pnml::read("again.pnml", &pnml::write(&net)).as_ref() == Ok(&net), "{} changed", net.name);
    }
}

/// Names that need care in XML, and that no other node has.
fn name(random: &mut Random, kind: char, index: usize) -> String {
    let odd = ["", "<", "&amp;", "\"'", "é", "]]>", "a.b:c", "[1]"];
    format!("{kind}{index}{}", odd[random.below(odd.len())])
}

/// A random net with everything that a net can have.
fn net(random: &mut Random) -> Net {
    let places = random.below(6);
    let mut net = Net { name: name(random, 'n', 0), ..Net::default() };
    let mut initial = vec![Initial { name: String::new(), marking: vec![0; places] }];
    for index in 0..places {
        let capacity = random.once_in(3).then(|| random.below(5) as i32);
        net.places.push(Place { name: name(random, 'p', index), capacity });
        initial[0].marking[index] = capacity.unwrap_or(i32::MAX).min(random.below(4) as i32);
    }
    if random.once_in(3) {
        initial[0].name = "first < second".to_owned();
        let marking = (0..places).map(|_| random.below(2) as i32).collect();
        initial.push(Initial { name: "second".to_owned(), marking });
    }
    net.initial = initial;
    let levels = if random.once_in(3) { 3 } else { 1 };
    for index in 0..random.below(6) {
        let priority = random.below(levels) as u32;
        let label = random.once_in(3).then(|| name(random, 'l', index));
        let effects = (0..places).filter_map(|place| effect(random, place)).collect();
        net.transitions.push(Transition { name: name(random, 't', index), label, effects, priority });
    }
    net.units = random.once_in(2).then(|| units(random, places));
    net
}

fn effect(random: &mut Random, place: usize) -> Option<Effect> {
    let mut effect = Effect::on(place as u32);
    let mut weight = |times: usize| if random.once_in(times) { 1 + random.below(3) as i32 } else { 0 };
    (effect.take, effect.put, effect.read) = (weight(2), weight(2), weight(4));
    effect.below = random.once_in(5).then(|| random.below(4) as i32);
    effect.reset = random.once_in(5);
    (effect != Effect::on(place as u32)).then_some(effect)
}

/// A random tree of units over so many places.
fn units(random: &mut Random, places: usize) -> Units {
    let count = 1 + random.below(5);
    let mut units: Vec<Unit> = (0..count).map(|index| Unit { name: format!("u{index}"), ..Unit::default() }).collect();
    for place in 0..places {
        units[random.below(count)].places.push(place as u32);
    }
    // Where the root is, and which of the earlier units each of the others is in.
    let root = random.below(count);
    let order: Vec<usize> = (0..count).map(|index| (root + index) % count).collect();
    for index in 1..count {
        units[order[random.below(index)]].children.push(order[index]);
    }
    Units { units, root, safe: random.once_in(2) }
}

#[test]
fn random_nets_are_written_and_read_back() {
    let mut random = Random::new(7);
    for _ in 0..2_000 {
        let net = net(&mut random);
        let text = pnml::write(&net);
        let again = pnml::read("random.pnml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again, net, "{text}");
    }
}

#[test]
fn nets_with_ids_are_read_back_with_the_ids_as_names() {
    let mut random = Random::new(8);
    for _ in 0..1_000 {
        let net = net(&mut random);
        let text = pnml::write_with_ids(&net);
        let mut again = pnml::read("random.pnml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let names = again.places.iter().map(|place| &place.name);
        let names = names.chain(again.transitions.iter().map(|transition| &transition.name));
        let is_plain = |character: char| character.is_ascii_alphanumeric() || "_.-".contains(character);
        assert!(names.chain([&again.name]).all(|name| name.chars().all(is_plain)), "{text}");
        again.name.clone_from(&net.name);
        for (place, known) in again.places.iter_mut().zip(&net.places) {
            place.name.clone_from(&known.name);
        }
        for (transition, known) in again.transitions.iter_mut().zip(&net.transitions) {
            transition.name.clone_from(&known.name);
        }
        assert_eq!(again, net, "{text}");
    }
}

#[test]
fn the_sample_means_what_it_says() {
    let text = samples::NET;
    let net = pnml::read("sample.pnml", text).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = net.places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["idle", "busy", "server", "log"]);
    assert_eq!(net.initial, [Initial { name: String::new(), marking: vec![2, 0, 1, 0] }]);
    assert_eq!(net.places[1].capacity, Some(2));
    let begin = [
        Effect { take: 1, ..Effect::on(0) },
        Effect { put: 1, ..Effect::on(1) },
        Effect { read: 1, ..Effect::on(2) },
        Effect { reset: true, ..Effect::on(3) },
    ];
    assert_eq!(net.transitions[0].effects, begin);
    let end = [
        Effect { put: 1, ..Effect::on(0) },
        Effect { take: 1, ..Effect::on(1) },
        Effect { below: Some(5), ..Effect::on(3) },
    ];
    assert_eq!(net.transitions[1].effects, end);
    let units = net.units.expect("units");
    assert_eq!((units.root, units.safe, units.units.len()), (0, false, 3));
    assert_eq!(units.units[1].places, [0, 1]);

    let windows = text.replace('\n', "\r\n");
    let marked = format!("\u{feff}{windows}");
    assert_eq!(pnml::read("windows.pnml", &windows), pnml::read("sample.pnml", text));
    assert_eq!(pnml::read("marked.pnml", &marked), pnml::read("sample.pnml", text));
}

/// A net around some places, transitions and arcs.
fn around(body: &str) -> String {
    format!("<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">{body}</net></pnml>")
}

#[test]
fn arcs_add_up() {
    let arc = |kind: &str, weight: &str| {
        let weight = format!("<inscription><text>{weight}</text></inscription>");
        format!("<arc source=\"p\" target=\"t\"><type value=\"{kind}\"/>{weight}</arc>")
    };
    let arcs =
        [("normal", "2"), ("normal", "3"), ("read", "4"), ("test", "9"), ("inhibitor", "20"), ("inhibitor", "12")];
    let arcs: String = arcs.iter().map(|(kind, weight)| arc(kind, weight)).collect();
    let back = "<arc source=\"t\" target=\"p\"/><arc source=\"t\" target=\"p\"/>";
    // Arcs may come before the nodes that they connect.
    let text = around(&format!("{arcs}{back}<place id=\"p\"/><transition id=\"t\"/>"));
    let net = pnml::read("arcs.pnml", &text).unwrap_or_else(|error| panic!("{error}"));
    let sum = Effect { place: 0, take: 5, read: 9, below: Some(12), reset: false, put: 2 };
    assert_eq!(net.transitions[0].effects, [sum]);
}

#[test]
fn other_tools_write_it_otherwise() {
    let text = around(
        "<place id=\"p\" initialMarking=\"3\"><capacity><value>0</value></capacity></place>\
         <place id=\"q\"><initialMarking><value>Default,4</value></initialMarking></place><transition id=\"t\"/>\
         <arc type=\"tapnInhibitor\" weight=\"2\" inscription=\"[0,inf)\" source=\"p\" target=\"t\"/>\
         <arc type=\"normal\" inscription=\"7\" source=\"t\" target=\"q\"/>",
    );
    let net = pnml::read("tools.pnml", &text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(net.places[0].capacity, None);
    assert_eq!(net.initial[0].marking, [3, 4]);
    let effects = [Effect { below: Some(2), ..Effect::on(0) }, Effect { put: 7, ..Effect::on(1) }];
    assert_eq!(net.transitions[0].effects, effects);
}

#[test]
fn what_is_passed_over_is_noted() {
    let text = around(
        "<page id=\"g\"><place id=\"p\"/><place id=\"q\"/>\
         <transition id=\"t\"><rate><value>1.0</value></rate></transition>\
         <transition id=\"u\"><rate><value>2.0</value></rate></transition>\
         <toolspecific tool=\"nupn\" version=\"1.1\"><structure units=\"1\" root=\"u\" safe=\"true\"><unit id=\"u\">\
         <places>p</places><subunits/></unit></structure></toolspecific></page>",
    )
    .replace("grammar/ptnet", "grammar/unheard-of");
    let reading = pnml::read_with_notes("notes.pnml", &text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(reading.net.units, None);
    let notes: Vec<&str> = reading.notes.iter().map(|note| note.message.as_str()).collect();
    let unknown = "the type `http://www.pnml.org/version-2009/grammar/unheard-of` is not known";
    assert_eq!(notes, [unknown, "`<rate>` is passed over", "the place `q` is in no unit"]);
}

/// The notes to a net made of some places, transitions and arcs.
fn notes(body: &str) -> Vec<String> {
    let reading = pnml::read_with_notes("notes.pnml", &around(body)).unwrap_or_else(|error| panic!("{error}"));
    reading.notes.iter().map(|note| note.message.clone()).collect()
}

/// A transition as PIPE writes it.
fn of_pipe(id: &str, timed: bool, priority: &str) -> String {
    format!(
        "<transition id=\"{id}\"><name><value>{id}</value></name><orientation><value>0</value></orientation>\
         <rate><value>1.0</value></rate><timed><value>{timed}</value></timed>\
         <infiniteServer><value>false</value></infiniteServer><priority><value>{priority}</value></priority></transition>"
    )
}

#[test]
fn priorities_and_times_that_are_all_the_same_change_nothing() {
    let body = of_pipe("t", true, "1") + &of_pipe("u", true, "1.0");
    assert_eq!(notes(&body), ["`<rate>` is passed over", "`<infiniteServer>` is passed over"]);
    assert_eq!(notes(&(of_pipe("t", false, "3") + &of_pipe("u", false, "3"))).len(), 2);
    let interval = |closure: &str, ends: &str| {
        format!("<transition id=\"t\"><delay><interval closure=\"{closure}\">{ends}</interval></delay></transition>")
    };
    assert!(notes(&interval("closed-open", "<cn>0</cn><ci>infty</ci>")).is_empty());
    for (closure, ends) in [
        ("closed", "<cn>0</cn><cn>4</cn>"),
        ("closed-open", "<cn>1</cn><ci>infty</ci>"),
        ("open", "<cn>0</cn><ci>infty</ci>"),
    ] {
        let said = pnml::read("tina.pnml", &around(&interval(closure, ends))).expect_err("it is timed").to_string();
        assert!(said.contains("timed nets are not supported"), "{said}");
    }
}

/// The priorities of a net of these transitions.
fn priorities(body: &str) -> Vec<u32> {
    let net = pnml::read("pipe.pnml", &around(body)).unwrap_or_else(|error| panic!("{error}"));
    net.transitions.iter().map(|transition| transition.priority).collect()
}

#[test]
fn immediate_transitions_have_priorities_and_timed_ones_come_last() {
    let body = of_pipe("t", false, "1") + &of_pipe("u", true, "7") + &of_pipe("v", false, "3.0");
    assert_eq!(priorities(&body), [1, 0, 3]);
    // Timed ones have less than any priority that is written, also than 0.
    assert_eq!(
        priorities(&(of_pipe("t", false, "0") + &of_pipe("u", true, "7") + &of_pipe("v", false, "2"))),
        [1, 0, 3]
    );
    assert_eq!(priorities(&(of_pipe("t", false, "0") + &of_pipe("u", false, "2"))), [0, 2]);
    let only =
        |timed: &str, id: &str| format!("<transition id=\"{id}\"><timed><value>{timed}</value></timed></transition>");
    assert_eq!(priorities(&(only("false", "t") + &only("true", "u"))), [1, 0]);
    assert_eq!(priorities(&(only("true", "t") + &only("true", "u"))), [0, 0]);
    let body = of_pipe("t", true, "1") + &of_pipe("u", true, "2");
    assert_eq!(priorities(&body), [0, 0]);
    assert_eq!(notes(&body)[2..], ["the `<priority>` of timed transitions is passed over"]);
}

#[test]
fn what_a_tool_keeps_for_itself_is_noted_if_it_would_change_the_net() {
    let inside =
        |inside: &str| format!("<transition id=\"t\"><toolspecific tool=\"x\">{inside}</toolspecific></transition>");
    assert!(notes(&inside("<trigger type=\"200\"/><time>0</time>")).is_empty());
    assert_eq!(notes(&inside("<more><priority>2</priority></more>")), ["`<priority>` is passed over"]);
}

#[test]
fn notes_fit_in_a_line() {
    let text = around("\n<transition id=\"t\"><rate><value>1.0</value></rate></transition>");
    let reading = pnml::read_with_notes("notes.pnml", &text).unwrap_or_else(|error| panic!("{error}"));
    let expected =
        "n.pnml:2: `<rate>` is passed over: how fast a transition is, which changes no marking that can be reached";
    assert_eq!(reading.notes[0].in_a_line("n.pnml", &text), expected);
}

#[test]
fn a_million_places_and_a_hundred_thousand_pages() {
    let mut text = String::from("<pnml><net id=\"n\">");
    text.push_str(&"<page>".repeat(100_000));
    for index in 0..1_000_000 {
        text.push_str(&format!("<place id=\"p{index}\"/>"));
    }
    text.push_str(&"</page>".repeat(100_000));
    text.push_str("</net></pnml>");
    let net = pnml::read("large.pnml", &text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(net.places.len(), 1_000_000);
    assert_eq!(net.places[123_456].name, "p123456");
}
