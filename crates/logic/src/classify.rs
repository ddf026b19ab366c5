//! Where a formula is in the hierarchy of safety and progress (Manna and Pnueli).

use crate::TooLarge;
use crate::automaton::Automaton;
use crate::formula::{Formula, Formulas};
use crate::reduce::minimal_weak;
use crate::translate::translate;

/// What kind of property a formula is; not of its shape, but of what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    /// A word that violates it has a prefix that shows it.
    pub safety: bool,
    /// A word that satisfies it has a prefix that shows it.
    pub guarantee: bool,
    /// A boolean combination of safety properties.
    pub obligation: bool,
}

/// What kind of property a formula is.
///
/// ```
/// use mandala_logic::{Atoms, Formulas, classify::classify};
///
/// let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
/// let f = formulas.parse("(p U q) | G p", &mut atoms)?;
/// let class = classify(&mut formulas, f)?;
/// assert!(class.safety && !class.guarantee && class.obligation);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn classify(formulas: &mut Formulas, f: Formula) -> Result<Class, TooLarge> {
    let negation = formulas.negation(f);
    let (automaton, complement) = (translate(formulas, f)?, translate(formulas, negation)?);
    let safety = closure(&automaton).intersection(&complement)?.is_empty();
    let guarantee = closure(&complement).intersection(&automaton)?.is_empty();
    let obligation = safety || guarantee || minimal_weak(&automaton, &complement)?.is_some();
    Ok(Class { safety, guarantee, obligation })
}

/// The words all of whose prefixes can be continued to words of a pruned automaton: any run will do.
fn closure(automaton: &Automaton) -> Automaton {
    let mut closure = automaton.clone();
    closure.edges_mut().iter_mut().flatten().for_each(|edge| edge.marks = Default::default());
    closure.set_mark_count(0);
    closure
}
