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

#[test]
fn the_formulas_of_its_tools_are_read() {
    for (file, text) in common::shared() {
        let Some(name) = file.strip_suffix(".gal") else { continue };
        let Ok(formulas) = std::fs::read_to_string(common::shared_folder().join("gal").join(format!("{name}.ctl")))
        else {
            continue;
        };
        let model = gal::read(&file, &text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
        let lines = formulas.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let mut properties = Vec::new();
        for line in lines {
            properties.push(gal::formula(&model.system, line).unwrap_or_else(|problems| panic!("{problems}")));
        }
        assert!(properties.len() >= 3, "{file}");
        let written = gal::write(&model.system, &properties);
        let again = gal::read("written", &written, &[]).unwrap_or_else(|problems| panic!("{problems}"));
        for (again, before) in again.properties.iter().zip(&properties) {
            assert_eq!(again.question, before.question);
        }
    }
}

#[test]
fn bytes_of_old_encodings_are_read_in_comments_only() {
    let comment = mandala_model::text::decode(b"gal A { /* Premi\xe8re */ int x; }").into_owned();
    assert!(gal::read("comment", &comment, &[]).is_ok());
    let name = mandala_model::text::decode(b"gal A { int premi\xe8re; }").into_owned();
    assert!(gal::read("name", &name, &[]).is_err());
}
