//! Unfolds coloured nets and says how large they get and how long it takes.
//!
//! ```text
//! cargo run --release -p mandala-model --example unfold -- ../shared/models/mcc-col/*/model.pnml
//! cargo run --release -p mandala-model --example unfold -- growing
//! ```
//!
//! With `growing`, families of nets whose classes grow: time should grow with the bindings that survive, and not with the product
//! of the classes.

use mandala_model::coloured::{ColouredNet, pnml, sn, unfold};
use std::time::Instant;

/// Nets with a class of N colours, and the sizes to try: what survives is N, N or N squared bindings of the N, N squared or N to
/// the fourth that there are.
const FAMILIES: [(&str, &str, [i32; 4]); 4] = [
    (
        "a token that goes round",
        "$N = 3; net round { class C circular = 1..$N; place at : C = <1>;
         transition go (C x) { take at<x>; put at<x++>; } }",
        [1_000, 10_000, 100_000, 1_000_000],
    ),
    (
        "neighbours, found by an equation",
        "$N = 3; net neighbours { class C circular = 1..$N; place on : C = <all>; place off : C;
         transition swap (C x, C y) [y == x++] { take on<x> + <y>; put off<x> + <y>; }
         transition back (C x) { take off<x>; put on<x>; } }",
        [1_000, 10_000, 100_000, 300_000],
    ),
    (
        "four variables on a path of pairs",
        "$N = 3; net path { class C circular = 1..$N; place edge : C * C = <1, 2>; place seen : C * C;
         transition grow (C x, C y) { take edge<x, y>; put edge<x++, y++> + <x, y>; }
         transition walk (C a, C b, C c, C d) { take edge<a, b> + <b, c> + <c, d>; put edge<a, b> + <b, c> + <c, d>; put seen<a, d>; } }",
        [1_000, 10_000, 100_000, 300_000],
    ),
    (
        "all pairs of different colours",
        "$N = 3; net pairs { class C = 1..$N; place free : C = <all>; place met : C * C;
         transition meet (C x, C y) [x != y] { take free<x> + <y>; put met<x, y>; }
         transition part (C x, C y) { take met<x, y>; put free<x> + <y>; } }",
        [100, 300, 1_000, 2_000],
    ),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "growing") {
        return growing();
    }
    for file in arguments {
        let read = std::fs::read_to_string(&file).map_err(|error| error.to_string());
        match read.and_then(|text| pnml::read(&file, &text).map_err(|error| error.to_string())) {
            Ok(net) => report(&net.name.clone(), &net),
            Err(error) => eprintln!("{file}: {error}"),
        }
    }
}

fn growing() {
    for (name, text, sizes) in FAMILIES {
        println!("{name}");
        for size in sizes {
            match sn::read("family.sn", text, &[("N".to_owned(), size)]) {
                Ok(model) => report(&format!("  N = {size}"), &model.net),
                Err(error) => eprintln!("{error}"),
            }
        }
    }
}

fn report(name: &str, net: &ColouredNet) {
    let start = Instant::now();
    match unfold::unfold(net, &unfold::Limits::default()) {
        Ok(unfolding) => {
            let seconds = start.elapsed().as_secs_f64();
            let (places, transitions) = (unfolding.net.places.len(), unfolding.net.transitions.len());
            let each = seconds * 1e9 / transitions.max(1) as f64;
            println!("{name:45} {places:9} places {transitions:9} transitions {seconds:8.3} s {each:7.0} ns each");
        }
        Err(error) => println!("{name:45} {error} ({:.3} s)", start.elapsed().as_secs_f64()),
    }
}
