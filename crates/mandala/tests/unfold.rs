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

/// A net that is large when it is unfolded is counted by its colours, if that can be done; a small one is unfolded, and both
/// have as many markings.
#[test]
fn colours_of_a_large_net_are_counted() {
    let text = |colours: u32| {
        format!(
            "net Pairs {{
                class C = c{{1..{colours}}};
                place one : C = <all>;
                place other : C;
                transition go (C x, C y) [x != y] {{ take one<x> + <y>; put other<x> + <y>; }}
            }}"
        )
    };
    for (colours, is_counted) in [(10, false), (400, true)] {
        let model = coloured(&text(colours));
        let space = model.states().run().expect("states");
        assert_eq!(space.symbolic().is_some(), is_counted, "{colours}");
        let count = space.count().exactly().and_then(|count| count.exact().map(|count| count.to_string()));
        // All sets of an even number of colours.
        let expected = (1..colours).fold("1".to_owned(), |power, _| twice(&power));
        assert_eq!(count, Some(expected), "{colours}");
    }
}

/// Twice a decimal number.
fn twice(number: &str) -> String {
    let mut digits = Vec::new();
    let mut carry = 0;
    for digit in number.bytes().rev() {
        let sum = 2 * (digit - b'0') + carry;
        digits.push(b'0' + sum % 10);
        carry = sum / 10;
    }
    digits.extend((carry > 0).then_some(b'0' + carry));
    digits.iter().rev().map(|&digit| char::from(digit)).collect()
}
