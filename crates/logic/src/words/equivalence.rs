//! Whether formulas mean the same.

use super::Lasso;
use crate::TooLarge;
use crate::formula::{Formula, Formulas};
use crate::translate::translate;

/// Whether two formulas hold of the same words, by their automata.
///
/// ```
/// use mandala_logic::{Atoms, Formulas, words::equivalent};
///
/// let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
/// let f = formulas.parse("a W b", &mut atoms)?;
/// let g = formulas.parse("!(!b U (!a & !b))", &mut atoms)?;
/// assert!(equivalent(&mut formulas, f, g)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn equivalent(formulas: &mut Formulas, f: Formula, g: Formula) -> Result<bool, TooLarge> {
    Ok(distinguish(formulas, f, g)?.is_none())
}

/// A word of which exactly one of two formulas holds, if there is one.
pub fn distinguish(formulas: &mut Formulas, f: Formula, g: Formula) -> Result<Option<Lasso>, TooLarge> {
    for (f, g) in [(f, g), (g, f)] {
        let other = formulas.negation(g);
        let (left, right) = (translate(formulas, f)?, translate(formulas, other)?);
        if let Some(word) = left.intersection(&right)?.accepted_word() {
            return Ok(Some(word));
        }
    }
    Ok(None)
}
