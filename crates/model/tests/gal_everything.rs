//! A file that uses every construct of the language.

mod common;

use mandala_model::gal;
use mandala_model::gal::syntax::{CompositeMember, Item};
use mandala_model::property::Question;

const EVERYTHING: &str = include_str!("everything.gal");

#[test]
fn it_reads_the_same_after_printing() {
    let tree = gal::parse("everything.gal", EVERYTHING).unwrap_or_else(|problems| panic!("{problems}"));
    let printed = tree.to_string();
    let again = gal::parse("printed", &printed).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(again, tree);
    assert_eq!(again.to_string(), printed);
    insta::assert_snapshot!("everything_printed", printed);
}

#[test]
fn it_becomes_a_system_that_reads_the_same_after_writing() {
    let mut model = gal::read("everything.gal", EVERYTHING, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(model.system.name, "everything");
    assert_eq!(model.properties.len(), 8);
    assert!(matches!(model.properties[3].question, Question::Bounds(_)));
    let written = gal::write(&model.system, &model.properties);
    insta::assert_snapshot!("everything_written", written);
    let mut again = gal::read("written", &written, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    common::forget_places(&mut model.system);
    common::forget_places(&mut again.system);
    assert_eq!(again.system, model.system);
    assert_eq!(again.properties, model.properties);
}

/// Files of a hundred thousand synchronisations have a call or two in each.
#[test]
fn lists_have_no_room_to_spare() {
    let tree = gal::parse("everything.gal", EVERYTHING).unwrap_or_else(|problems| panic!("{problems}"));
    let mut looked_at = 0;
    for item in &tree.items {
        let Item::Composite(composite) = item else { continue };
        assert_eq!(composite.members.capacity(), composite.members.len(), "members of {}", composite.name.text);
        for member in &composite.members {
            let CompositeMember::Synchronisation(transition) = member else { continue };
            let (body, parameters) = (&transition.body, &transition.parameters);
            assert_eq!(body.capacity(), body.len(), "calls of {}", transition.name.text);
            assert_eq!(parameters.capacity(), parameters.len(), "parameters of {}", transition.name.text);
            looked_at += 1;
        }
    }
    assert!(looked_at > 2, "{looked_at}");
}
