//! What GreatSPN's expressions mean: the tokens of an arc for every binding of the variables of its transition.

use insta::assert_snapshot;
use mandala_model::coloured::evaluate::Evaluator;
use mandala_model::coloured::greatspn::{self, Reading};
use mandala_model::coloured::{ClassOrder, ColouredNet, Sort, Value};

/// `.def`: an ordered class with two subclasses, one without an order, and a marking.
fn definitions(marking: &str) -> String {
    let entries = [("C", 'c', "o C1,C2"), ("C1", 'c', "p{1-2}"), ("C2", 'c', "{q}"), ("D", 'c', "u D1")];
    let more = [("D1", 'c', "{a,b}"), ("M", 'm', marking), ("F", 'f', "<x,S>")];
    let entry = |(name, kind, text): (&str, char, &str)| format!("({name} {kind} 1.0 1.0 (@{kind}\n{text}\n))\n");
    format!("|256\n%\n|\n{}", entries.into_iter().chain(more).map(entry).collect::<String>())
}

/// A `.net` file with a place of colours and one of pairs, and a transition that takes from both.
fn net(single: &str, pair: &str, guard: &str) -> String {
    let guard = if guard.is_empty() { String::new() } else { format!(" 1.0 1.0 [{guard}]") };
    format!(
        "|0|\n|\nf 1 3 0 1 0 0 0\nn 3 1.0 1.0 0\nP -10006 1 1 1 1 0 1 1 C\nQ 0 1 1 1 1 0 1 1 C,D\nR -1 1 1 1 1 0\n\
         t 1.0 1 0 2 0 1 1 1 1 1 1 0{guard}\n1 1 0 0 0.0 0.0 {single}\n1 2 0 0 0.0 0.0 {pair}\n1\n20000 3 0 0\n0\n"
    )
}

/// What is taken for each binding.
fn shown(net: &ColouredNet) -> String {
    let transition = &net.transitions[0];
    let mut bindings: Vec<Vec<Value>> = vec![Vec::new()];
    for variable in &transition.variables {
        let colours = 0..net.classes[variable.sort.class() as usize].len();
        let longer = |binding: &Vec<Value>, colour| [&binding[..], &[Value::Colour(colour)]].concat();
        bindings =
            bindings.iter().flat_map(|binding| colours.clone().map(move |colour| longer(binding, colour))).collect();
    }
    let mut lines = String::new();
    for binding in bindings {
        let evaluator = Evaluator::new(net, &transition.variables, &binding);
        let values = transition.variables.iter().zip(&binding);
        let values: Vec<String> =
            values.map(|(one, value)| format!("{}={}", one.name, net.show_value(one.sort, value))).collect();
        if evaluator.guard(&transition.guard) != Ok(true) {
            lines += &format!("{}: not there\n", values.join(" "));
            continue;
        }
        let arcs: Vec<String> = transition
            .takes
            .iter()
            .map(|arc| {
                let place = &net.places[arc.place as usize];
                let bag = evaluator.tokens(&arc.tokens).expect("a bag");
                format!("{}{}", place.name, bag_of(net, &place.domain, bag.iter()))
            })
            .collect();
        lines += &format!("{}: {}\n", values.join(" "), arcs.join(" "));
    }
    lines
}

fn bag_of(net: &ColouredNet, domain: &[Sort], tokens: impl Iterator<Item = (Vec<Value>, u32)>) -> String {
    let one = |(token, count): (Vec<Value>, u32)| match count {
        1 => format!("<{}>", net.show(domain, &token)),
        _ => format!("{count}<{}>", net.show(domain, &token)),
    };
    format!("{{{}}}", tokens.map(one).collect::<Vec<_>>().join(" "))
}

fn read_old(single: &str, pair: &str, guard: &str, marking: &str) -> ColouredNet {
    let (net, def) = (net(single, pair, guard), definitions(marking));
    let reading = greatspn::read_net("test.net", &net, Some(("test.def", &def)));
    reading.unwrap_or_else(|error| panic!("{error}")).net
}

fn old(single: &str, pair: &str, guard: &str) -> String {
    shown(&read_old(single, pair, guard, "S"))
}

#[test]
fn arcs_of_old_nets() {
    assert_snapshot!("old_steps", old("<x>+2<!x>", "<^x,S>", ""));
    assert_snapshot!("old_sets", old("<S-x>+<S C1>+<S 2>", "F", ""));
    assert_snapshot!("old_differences", old("<S>-<x>", "<S-x,S D1>-<S-x,d>", ""));
    assert_snapshot!("old_parameters", old("n<x>+|C|<S C2>+|C1|<2x+y>+|C.C1|<y>", "2S", ""));
    assert_snapshot!("old_guarded", old("[d(x)=C1]<x>+2[x<>y or d(x)=C2]<y>", "<y,d>", ""));
}

#[test]
fn guards_of_old_nets() {
    assert_snapshot!("old_subclasses", old("<x>+<y>", "<x,d>", "d(x)=C1 and d(y)<>C1"));
    assert_snapshot!("old_same_subclass", old("<x>+<y>", "<x,d>", "d(x)=d(y) and x/=y"));
    assert_snapshot!("old_numbers", old("<x>+<y>", "<x,d>", "(d(x) = 2 || d(x) = 1) && !x = y"));
    assert_snapshot!("old_constants", old("<x>", "<x,d>", "x<>q and not (d = a)"));
}

#[test]
fn markings_of_old_nets() {
    let marking = |text: &str| {
        let net = read_old("<x>", "<x,d>", "", text);
        let bag = Evaluator::constant(&net).tokens(&net.places[0].initial).expect("a bag");
        let neutral = Evaluator::constant(&net).tokens(&net.places[2].initial).expect("a bag");
        format!("{} {}", bag_of(&net, &net.places[0].domain, bag.iter()), neutral.cardinality())
    };
    assert_eq!(marking("S"), "{<p1> <p2> <q>} 3");
    assert_eq!(marking("2 S"), "{2<p1> 2<p2> 2<q>} 3");
    assert_eq!(marking("<S>-<p2>+n<q>"), "{<p1> 4<q>} 3");
    assert_eq!(marking("<S C1> + 2<S 2>"), "{<p1> <p2> 2<q>} 3");
}

/// A project with the classes of above, and a transition that takes from the same places.
fn read_new(single: &str, pair: &str, guard: &str) -> Reading {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let nodes = [
        ("color-class", "C", "definition=\"circular p{1..k} is C1 + {q} is C2\""),
        ("color-class", "D", "definition=\"enum {a,b}\""),
        ("color-class", "CD", "definition=\"C * D\""),
        ("constant", "n", "consttype=\"INTEGER\" value=\"2*k-1\""),
        ("constant", "rate", "consttype=\"REAL\" value=\"0.5\""),
        ("constant", "bag", "consttype=\"INTEGER\" domain=\"C\" value=\"&lt;All&gt; + &lt;q&gt;\""),
        ("template", "k", "type=\"INTEGER\" last-binding=\"2\""),
        ("color-var", "x", "domain=\"C\""),
        ("color-var", "y", "domain=\"C\""),
        ("color-var", "d", "domain=\"D\""),
        ("place", "P", "domain=\"C\" marking=\"&lt;All&gt;\""),
        ("place", "Q", "domain=\"CD\""),
        ("place", "R", "marking=\"n\""),
    ];
    let nodes: String = nodes.iter().map(|(kind, name, rest)| format!("<{kind} name=\"{name}\" {rest}/>\n")).collect();
    let arcs = format!(
        "<arc kind=\"INPUT\" tail=\"P\" head=\"t\" mult=\"{}\"/>\n<arc kind=\"INPUT\" tail=\"Q\" head=\"t\" mult=\"{}\"/>\n\
         <arc kind=\"INHIBITOR\" tail=\"R\" head=\"t\" mult=\"n+1\"/>\n<arc kind=\"OUTPUT\" tail=\"t\" head=\"R\"/>\n",
        escaped(single),
        escaped(pair)
    );
    let transition = format!("<transition name=\"t\" type=\"IMM\" priority=\"k\" guard=\"{}\"/>\n", escaped(guard));
    let text = format!(
        "<project name=\"p\" version=\"121\">\n<gspn name=\"test\">\n<nodes>\n{nodes}{transition}</nodes>\n\
         <edges>\n{arcs}</edges>\n</gspn>\n</project>\n"
    );
    greatspn::read_project("test.PNPRO", &text, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn new(single: &str, pair: &str, guard: &str) -> String {
    shown(&read_new(single, pair, guard).net)
}

#[test]
fn arcs_of_projects() {
    assert_snapshot!("new_steps", new("<x>+2<x++>", "<x--,All>", "True"));
    assert_snapshot!("new_sets", new("<All-x>+<C1>+n<C2>", "<C1+C2-x,D>", ""));
    assert_snapshot!("new_differences", new("<All>-(<x>-<p1>)", "<All-C1,d>", ""));
    assert_snapshot!("new_numbers", new("bag + (n-1)*2<p2>", "<q,b>", ""));
    assert_snapshot!("new_guarded", new("[x in C1]<x>+2[x != y || x in C2]<y>", "<y,a>", ""));
}

#[test]
fn guards_of_projects() {
    assert_snapshot!("new_subclasses", new("<x>+<y>", "<x,d>", "x in C1 && y !in C1"));
    assert_snapshot!("new_same_subclass", new("<x>+<y>", "<x,a>", "x in Subclass[y] && x != y"));
    assert_snapshot!("new_order", new("<x>+<y>", "<x,a>", "x < y || (x == p1 -> y >= q) && !(x <= p2)"));
    assert_snapshot!("new_never", new("<x>", "<x,a>", "False || x in p2"));
}

#[test]
fn what_else_a_project_says() {
    let Reading { net, notes } = read_new("<x>", "<x,d>", "d > a");
    assert!(notes.is_empty());
    assert_eq!(net.name, "test");
    // Colours of D are compared, so they have an order, and no one comes after the last.
    assert_eq!([net.classes[0].order, net.classes[1].order], [ClassOrder::Circular, ClassOrder::Linear]);
    let transition = &net.transitions[0];
    assert_eq!((transition.priority, transition.inhibitors.len(), transition.puts.len()), (3, 1, 1));
    let weight = Evaluator::constant(&net).tokens(&transition.inhibitors[0].tokens).expect("a bag");
    assert_eq!(weight.cardinality(), 4);
}
