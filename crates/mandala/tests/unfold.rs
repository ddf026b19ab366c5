//! Coloured nets as place/transition nets in PNML.

use mandala::{Format, Model};

fn coloured(text: &str) -> Model {
    Model::parse(text, Format::Sn).unwrap_or_else(|error| panic!("{error}"))
}

fn states(model: &Model) -> Option<u64> {
    model.states().run().expect("states").count().exactly().and_then(|count| count.to_u64())
}

#[test]
fn an_unfolded_net_has_ids_names_and_units() {
    let model = coloured(include_str!("../../../models/philosophers.sn"));
    let text = model.unfold().and_then(|net| net.to_pnml()).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("<place id=\"fork_3\"><name><text>fork(3)</text></name><initialMarking>"), "{text}");
    assert!(text.contains("<transition id=\"hungry_x_2\"><name><text>hungry(x=2)</text></name>"), "{text}");
    assert!(text.contains("tool=\"nupn\"") && text.contains("safe=\"true\""), "{text}");
    let again = Model::parse(&text, Format::Pnml).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(states(&again), Some(1364));
    assert_eq!(states(&again), states(&model));
}

#[test]
fn a_net_that_is_not_safe_has_no_units() {
    let model = coloured(
        "net Twice {
            class C = {a, b};
            place one : C = 2 <all>;
            place other : C;
            transition go (C x) { take one<x>; put other<x>; }
        }",
    );
    let text = model.unfold().and_then(|net| net.to_pnml()).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("id=\"one_a\"") && !text.contains("nupn"), "{text}");
    let again = Model::parse(&text, Format::Pnml).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(states(&again), Some(9));
}
