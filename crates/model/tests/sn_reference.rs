//! The models in `docs/reference/symmetric-nets.md` can be read, and their properties hold.

#[path = "common/token_game.rs"]
mod token_game;

use mandala_model::coloured::sn;
use token_game::Game;

/// The blocks of a language with the name of the file that each says.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<(&'p str, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line == format!("```{language}") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let name = block[0].trim_start_matches("// file: ");
            found.push((name, block.join("\n") + "\n"));
        }
    }
    found
}

#[test]
fn the_page_is_true() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/symmetric-nets.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let blocks = blocks(&page, "sn");
    assert!(blocks.len() >= 4);
    for (file, text) in blocks {
        let model = sn::read(file, &text, &[]).unwrap_or_else(|error| panic!("{error}"));
        let again = sn::read(file, &sn::write(&model.net, &model.properties), &[]);
        assert_eq!(again.as_ref(), Ok(&model));
        let game = Game::new(&model.net, 3);
        let markings = game.markings();
        for property in &model.properties {
            let answer = game.answer(&property.question, &markings);
            assert_eq!(answer.as_deref(), Some("holds"), "{file}: {}", property.name);
        }
    }
}
