//! Automata of formulas of LTL, for other tools and for [`Model::automaton_file`](crate::Model::automaton_file).

use crate::error::{Error, ErrorKind};
use mandala_logic::{Atoms, Formulas, hoa, translate};

/// Which words an automaton accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Those on which the formula holds.
    Satisfying,
    /// Those on which it does not.
    Violating,
}

/// The automaton of a formula in the Hanoi format. Its atoms are words, or anything between double quotes.
///
/// ```
/// use mandala::automaton::{Words, hanoi};
/// let text = hanoi("G(request -> F answer)", Words::Satisfying)?;
/// assert!(text.starts_with("HOA: v1"));
/// # Ok::<(), mandala::Error>(())
/// ```
pub fn hanoi(formula: &str, words: Words) -> Result<String, Error> {
    let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    let text = formula.trim();
    let parsed = formulas.parse(text, &mut atoms).map_err(|error| {
        let help = "atoms are words, or anything between double quotes; operators are X F G U W R M ! && || -> <->";
        let text = format!("the formula `{text}` cannot be read: {error}");
        Error::with_help(ErrorKind::Question, text, help)
    })?;
    let (wanted, name) = match words {
        Words::Satisfying => (parsed, text.to_owned()),
        Words::Violating => (formulas.negation(parsed), format!("!({text})")),
    };
    let automaton =
        translate(&mut formulas, wanted).map_err(|error| Error::new(ErrorKind::Question, error.to_string()))?;
    Ok(hoa::write(&automaton, &atoms, &name))
}
