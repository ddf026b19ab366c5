//! A few thousand broken files for each reader: whatever they are, they are read or refused.
//!
//! The example `fuzz` does the same for as long as one likes.

mod readers;

use mandala_model::coloured::{self, greatspn, sn};
use mandala_model::gal;
use mandala_model::net::pnml;
use mandala_model::property::contest;
use mandala_model::system::{System, Type};
use mandala_model::text::Unreadable;
use readers::{coloured::holds_together, mutate::Mutator, samples};

/// Checks of a refusal that it says something, somewhere inside of the text.
fn is_explained(error: &Unreadable, text: &str) {
    assert!(!error.problems.is_empty(), "refused without a reason: {text}");
    for problem in &error.problems {
        assert!(!problem.message.is_empty());
        assert!(
            problem.span.start <= problem.span.end && problem.span.end as usize <= text.len(),
            "{problem:?}: {text}"
        );
        assert!(text.is_char_boundary(problem.span.start as usize), "{problem:?}: {text}");
        assert!(text.is_char_boundary(problem.span.end as usize), "{problem:?}: {text}");
    }
}

#[test]
fn nets() {
    let mut mutator = Mutator::new(1, vec![samples::NET.to_owned(), samples::PROPERTIES.to_owned()]);
    let mut read = 0;
    for _ in 0..3_000 {
        let text = mutator.text();
        match pnml::read("mutated.pnml", &text) {
            Ok(net) => {
                read += 1;
                let written = pnml::write(&net);
                assert_eq!(pnml::read("written.pnml", &written).as_ref(), Ok(&net), "{text}");
            }
            Err(error) => is_explained(&error, &text),
        }
    }
    assert!(read > 30, "almost nothing is read any more: {read}");
}

#[test]
fn symmetric_nets() {
    use coloured::pnml::{NotWritable, read, write};
    let mut mutator = Mutator::new(4, vec![samples::SYMMETRIC.to_owned(), samples::NET.to_owned()]);
    let mut number = 0;
    for _ in 0..3_000 {
        let text = mutator.text();
        match read("mutated.pnml", &text).map(|net| (write(&net), net)) {
            Ok((Ok(written), net)) => {
                number += 1;
                assert_eq!(read("written.pnml", &written).as_ref(), Ok(&net), "{text}");
            }
            // What is almost too deep is written a little deeper.
            Ok((Err(NotWritable::TooDeep { .. }), _)) => {}
            Ok((Err(error), _)) => panic!("{error}: {text}"),
            Err(error) => is_explained(&error, &text),
        }
    }
    assert!(number > 30, "almost nothing is read any more: {number}");
}

#[test]
fn properties() {
    let net = pnml::read("sample.pnml", samples::NET).expect("the sample is right");
    let system = System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
    assert!(contest::read("sample.xml", samples::PROPERTIES, &system, None).is_ok());
    let mut mutator = Mutator::new(2, vec![samples::PROPERTIES.to_owned(), samples::NET.to_owned()]);
    let mut read = 0;
    for _ in 0..3_000 {
        let text = mutator.text();
        match contest::read("mutated.xml", &text, &system, None) {
            Ok(_) => read += 1,
            Err(error) => is_explained(&error, &text),
        }
    }
    assert!(read > 30, "almost nothing is read any more: {read}");
}

#[test]
fn programs() {
    assert!(gal::read("sample.gal", samples::GAL, &[]).is_ok());
    let mut mutator = Mutator::new(3, vec![samples::GAL.to_owned()]);
    let mut read = 0;
    for _ in 0..2_000 {
        let text = mutator.text();
        match gal::read("mutated.gal", &text, &[]) {
            Ok(_) => read += 1,
            Err(error) => is_explained(&error, &text),
        }
    }
    assert!(read > 30, "almost nothing is read any more: {read}");
}

#[test]
fn coloured_nets() {
    let mut mutator = Mutator::new(7, vec![samples::SN.to_owned()]);
    let mut read = 0;
    for _ in 0..3_000 {
        let text = mutator.text();
        match sn::read("mutated.sn", &text, &[]) {
            Ok(model) => {
                read += 1;
                let written = sn::write(&model.net, &model.properties);
                assert_eq!(sn::read("written.sn", &written, &[]).as_ref(), Ok(&model), "{text}");
            }
            Err(error) => is_explained(&error, &text),
        }
    }
    assert!(read > 30, "almost nothing is read any more: {read}");
}

#[test]
fn nets_of_greatspn() {
    let read = |text: &str| {
        let (net, def) = samples::greatspn(text);
        greatspn::read_net("mutated.net", net, def.map(|def| ("mutated.def", def)))
    };
    read(samples::GREATSPN).unwrap_or_else(|error| panic!("{error}"));
    let mut mutator = Mutator::new(5, vec![samples::GREATSPN.to_owned()]);
    let mut good = 0;
    for _ in 0..3_000 {
        let text = mutator.text();
        match read(&text) {
            Ok(reading) => {
                good += 1;
                holds_together(&reading.net);
            }
            Err(error) => is_explained(&error, &error.source),
        }
    }
    assert!(good > 30, "almost nothing is read any more: {good}");
}

#[test]
fn projects() {
    greatspn::read_project("sample.PNPRO", samples::PROJECT, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut mutator = Mutator::new(6, vec![samples::PROJECT.to_owned()]);
    let mut good = 0;
    for _ in 0..3_000 {
        let text = mutator.text();
        match greatspn::read_project("mutated.PNPRO", &text, &[]) {
            Ok(reading) => {
                good += 1;
                holds_together(&reading.net);
            }
            Err(error) => is_explained(&error, &text),
        }
    }
    assert!(good > 30, "almost nothing is read any more: {good}");
}
