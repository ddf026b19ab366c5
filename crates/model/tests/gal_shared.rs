//! Every GAL file of the shared models is read, and reads the same after it is printed or written.

mod common;

use mandala_model::gal;

#[test]
fn every_file_reads_the_same_after_printing() {
    for (file, text) in common::shared() {
        let tree = gal::parse(&file, &text).unwrap_or_else(|problems| panic!("{problems}"));
        let printed = tree.to_string();
        let again = gal::parse(&file, &printed).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(again, tree, "{file}");
    }
}

#[test]
fn every_file_becomes_a_system_that_reads_the_same_after_writing() {
    for (file, text) in common::shared() {
        let mut model = gal::read(&file, &text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(model.system.main + 1, model.system.types.len(), "{file}");
        let written = gal::write(&model.system, &model.properties);
        let mut again = gal::read("written", &written, &[]).unwrap_or_else(|problems| panic!("{problems}"));
        common::forget_places(&mut model.system);
        common::forget_places(&mut again.system);
        assert_eq!(again, model, "{file}");
    }
}
