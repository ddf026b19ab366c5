//! What editors are told: names, completion, layout. The models of the project are texts enough to try it on.

use mandala::language::{Completion, DeclarationKind, Outline, complete, format};
use std::path::PathBuf;

/// The models of the project in GAL and `.sn`, with their names.
fn models() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut models: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder of models")
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let ending = path.extension()?.to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).ok()?;
            ["gal", "sn"].contains(&ending.as_str()).then(|| (path.display().to_string(), text))
        })
        .collect();
    models.sort();
    assert!(models.len() >= 10);
    models
}

/// Small random numbers.
fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    }
}

#[test]
fn models_are_laid_out_as_usual() {
    for (name, text) in models() {
        assert_eq!(format(&text).expect("it can be formatted"), text, "{name}: `mandala format {name}`");
    }
}

#[test]
fn layout_comes_back_after_blanks_are_lost() {
    for (name, text) in models() {
        // Blanks at the beginnings of lines, and around signs that are no brackets, mean nothing.
        let flat: String = text
            .lines()
            .map(|line| if line.trim_start().starts_with("//") { line.to_owned() } else { line.trim().to_owned() })
            .map(|line| {
                if line.contains("//") {
                    line
                } else {
                    line.replace(" = ", "=").replace(" == ", "==").replace("; ", ";")
                }
            })
            .map(|line| line + "\n")
            .collect();
        let formatted = format(&flat).expect("it can be formatted");
        let code = |text: &str| {
            let lines = text.lines().filter(|line| !line.contains("//"));
            lines.map(str::to_owned).collect::<Vec<String>>()
        };
        assert_eq!(code(&formatted), code(&text), "{name}");
    }
}

/// Texts of parts of models, as they are while somebody types: nothing panics, and what is formatted says the same.
#[test]
fn broken_texts_are_no_harm() {
    let models = models();
    let mut random = random(7);
    for _ in 0..3000 {
        let text = &models[random(models.len())].1;
        let letters: Vec<char> = text.chars().collect();
        let (from, length) = (random(letters.len()), random(400));
        let mut part: Vec<char> = letters[from..letters.len().min(from + length)].to_vec();
        for _ in 0..random(4) {
            let at = random(part.len() + 1);
            part.insert(at, ['{', '}', '(', '"', '`', '$', ':', '.', '/', '*', '<', 'é', '\n'][random(13)]);
        }
        let part: String = part.into_iter().collect();
        if let Ok(formatted) = format(&part) {
            assert_eq!(format(&formatted).expect("again"), formatted, "{part:?}");
        }
        let outline = Outline::of(&part);
        let at = random(part.len() + 2);
        complete(&part, at);
        outline.resolve(&part, at);
        outline.reference_at(&part, at);
    }
}

/// What is formatted reads as the same model.
#[test]
fn formatting_changes_no_meaning() {
    for (name, text) in models() {
        let kind = if name.ends_with(".sn") { mandala::Format::Sn } else { mandala::Format::Gal };
        let squeezed = text.replace("    ", " ").replace(" = ", "=");
        let formatted = format(&squeezed).expect("it can be formatted");
        let [one, other] = [&text, &formatted].map(|text| mandala::Model::parse(text, kind).expect("a model"));
        assert_eq!(one.to_gal().expect("text"), other.to_gal().expect("text"), "{name}");
    }
}

fn philosophers() -> String {
    models().into_iter().find(|(name, _)| name.ends_with("philosophers.gal")).expect("the philosophers").1
}

/// The declaration of what stands behind a mark in the text.
fn declared(text: &str, behind: &str) -> Option<(DeclarationKind, String)> {
    let at = text.find(behind).expect("it is there") + behind.len();
    let outline = Outline::of(text);
    outline.resolve(text, at).map(|one| (one.kind, one.detail.clone()))
}

#[test]
fn names_are_resolved() {
    let text = philosophers();
    let place = |detail: &str| Some((DeclarationKind::Place, detail.to_owned()));
    assert_eq!(declared(&text, "transition takeRight { take "), place("place hasLeft"));
    assert_eq!(declared(&text, "[never] : at[0]:"), place("place eating"));
    assert_eq!(declared(&text, "&& at[$N / 2]:"), place("place eating"));
    let instance = Some((DeclarationKind::Instance, "Philosopher [$N] at".to_owned()));
    assert_eq!(declared(&text, "[bounds] : "), instance);
    let label = "at[($i + $N - 1) % $N].\"";
    let transition = Some((DeclarationKind::Transition, "transition lend label \"lend\"".to_owned()));
    assert_eq!(declared(&text, label), transition);
    assert_eq!(declared(&text, "0 .. ($"), Some((DeclarationKind::Constant, "$N = 5".to_owned())));
    assert_eq!(declared(&text, "takeLeft (seat $i) { at[$"), Some((DeclarationKind::Parameter, "seat $i".to_owned())));
    assert_eq!(declared(&text, "main T").map(|one| one.1), Some("composite Table".to_owned()));
    let outline = Outline::of(&text);
    let fork = outline.declarations.iter().find(|one| one.name == "fork").expect("a place");
    assert_eq!(outline.uses(&text, fork).len(), 6);
    assert_eq!(outline.type_named("Table").map(|number| outline.members(Some(number)).count()), Some(3));
    let table = &outline.declarations[outline.type_named("Table").expect("a type")];
    assert!(table.comment.starts_with("A composite holds instances"), "{}", table.comment);
}

#[test]
fn names_of_coloured_nets_are_resolved() {
    let text = models().into_iter().find(|(name, _)| name.ends_with("client-server.sn")).expect("a net").1;
    assert_eq!(declared(&text, "place idle : "), Some((DeclarationKind::Range, "class Client = c".to_owned())));
    assert_eq!(declared(&text, "{ take idle<"), Some((DeclarationKind::Parameter, "Client c".to_owned())));
    let place = Some((DeclarationKind::Place, "place served : Client * Server".to_owned()));
    assert_eq!(declared(&text, "[invariant] : "), place);
}

fn words(found: &[Completion]) -> Vec<&str> {
    found.iter().map(|one| one.text.as_str()).collect()
}

#[test]
fn what_may_come_next() {
    let text = philosophers();
    let inside = text.clone() + "property p [never] : at[1]:";
    let found = complete(&inside, inside.len());
    assert_eq!(words(&found)[..4], ["thinking", "hasLeft", "eating", "fork"]);
    let label = text.find("at[$i].\"takeLeft\"").expect("a call") + "at[$i].".len();
    assert!(words(&complete(&text, label)).contains(&"\"lend\""));
    let property = text.clone() + "property p [never] : ";
    let found = complete(&property, property.len());
    let found = words(&found);
    assert!(found.contains(&"at") && found.contains(&"AG") && found.contains(&"deadlock") && !found.contains(&"fork"));
    let found = complete(&text, text.find("place hasLeft").expect("a place"));
    assert!(words(&found).contains(&"transition") && words(&found).contains(&"fork"));
    assert!(words(&complete("", 0)).contains(&"composite"));
}
