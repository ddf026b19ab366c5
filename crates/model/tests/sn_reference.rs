//! The models in `docs/reference/symmetric-nets.md` can be read, and their properties are what the page says they are.

#[path = "common/token_game.rs"]
mod token_game;

use mandala_model::coloured::property::{Atom, Count, matches};
use mandala_model::coloured::{ColouredNet, sn};
use mandala_model::expression::Integer;
use mandala_model::property::{Formula, Question};
use token_game::Marking;

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

fn value(integer: &Integer<Count>, marking: &Marking) -> Option<i64> {
    match integer {
        Integer::Constant(number) => Some(i64::from(*number)),
        Integer::Variable(count) => {
            let tokens = marking[count.place as usize].iter();
            Some(tokens.filter(|(token, _)| matches(&count.pattern, token)).map(|(_, times)| i64::from(times)).sum())
        }
        Integer::Sum(terms) => terms.iter().map(|term| value(term, marking)).sum(),
        _ => None,
    }
}

/// Whether a formula holds, as far as it is one that counts tokens.
fn holds(formula: &Formula<Atom>, marking: &Marking) -> Option<bool> {
    match formula {
        Formula::Atom(Atom::Compare(comparison, left, right)) => {
            Some(comparison.holds(&value(left, marking)?, &value(right, marking)?))
        }
        Formula::And(parts) => {
            let parts: Option<Vec<bool>> = parts.iter().map(|part| holds(part, marking)).collect();
            Some(parts?.into_iter().all(|part| part))
        }
        _ => None,
    }
}

/// Checks what can be checked without an engine: that something is reachable, or never.
fn check(net: &ColouredNet, question: &Question<mandala_model::coloured::property::ColouredNets>, name: &str) {
    let markings = token_game::markings(net, 3);
    let (formula, expected) = match question {
        Question::Reachable(formula) => (formula, true),
        Question::Never(formula) => (formula, false),
        _ => return,
    };
    let found: Option<Vec<bool>> = markings.iter().map(|marking| holds(formula, marking)).collect();
    if let Some(found) = found {
        assert_eq!(found.contains(&true), expected, "{name}");
    }
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
        for property in &model.properties {
            check(&model.net, &property.question, &property.name);
        }
    }
}
