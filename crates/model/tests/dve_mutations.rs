//! A few thousand broken files: whatever they are, they are read or refused.

mod readers;

use mandala_model::{dve, gal};
use readers::mutate::Mutator;
use readers::samples::{DVE, DVE_SYNCHRONOUS};

const FORMULA: &str = "G (Left.waiting -> F (Left.done && Right->answers > 0)) || (counter == 0 U table[2] < level)";

#[test]
fn programs() {
    assert!(dve::read("sample.dve", DVE).is_ok());
    let mut mutator = Mutator::new(5, vec![DVE.to_owned(), DVE_SYNCHRONOUS.to_owned()]);
    let mut read = 0;
    for _ in 0..3_000 {
        let text = mutator.text();
        match dve::read("mutated.dve", &text) {
            Ok(model) => {
                read += 1;
                let written = gal::write(&model.system, &model.properties);
                if let Err(error) = gal::read("written.gal", &written, &[]) {
                    panic!("{error}\n{text}");
                }
            }
            Err(error) => is_explained(&error, &text),
        }
    }
    assert!(read > 30, "almost nothing is read any more: {read}");
}

#[test]
fn formulas() {
    let (_, names) = dve::read_with_names("sample.dve", DVE).unwrap_or_else(|error| panic!("{error}"));
    assert!(names.formula(FORMULA).is_ok());
    let mut mutator = Mutator::new(6, vec![FORMULA.to_owned(), "AG EF (Left.idle + Right.free == 2)".to_owned()]);
    let mut read = 0;
    for _ in 0..3_000 {
        let text = mutator.text();
        match names.formula(&text) {
            Ok(_) => read += 1,
            Err(error) => is_explained(&error, &text),
        }
    }
    assert!(read > 30, "almost nothing is read any more: {read}");
}

/// Checks of a refusal that it says something, somewhere inside of the text.
fn is_explained(error: &mandala_model::text::Unreadable, text: &str) {
    assert!(!error.problems.is_empty(), "refused without a reason: {text}");
    for problem in &error.problems {
        let (start, end) = (problem.span.start as usize, problem.span.end as usize);
        assert!(!problem.message.is_empty());
        assert!(start <= end && end <= text.len(), "{problem:?}: {text}");
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{problem:?}: {text}");
    }
}
