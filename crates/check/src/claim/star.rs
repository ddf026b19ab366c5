//! CTL*: what is quantified, as what is said of the runs from a state.

use mandala_model::property::{Formula, Quantifier};

/// What a quantified formula says of a state.
pub(crate) struct Runs<A> {
    /// Whether some run from there is enough.
    pub exists: bool,
    /// What is said of it, or of all of them: the outermost operator has no quantifier any more.
    pub formula: Formula<A>,
}

/// A formula whose outermost operator is quantified; nothing if it has none, or no quantifier.
pub(crate) fn runs<A: Clone>(formula: &Formula<A>) -> Option<Runs<A>> {
    let (quantifier, formula) = match formula {
        Formula::Unary(quantifier, operator, inner) => {
            (*quantifier, Formula::Unary(Quantifier::None, *operator, inner.clone()))
        }
        Formula::Binary(quantifier, operator, left, right) => {
            (*quantifier, Formula::Binary(Quantifier::None, *operator, left.clone(), right.clone()))
        }
        _ => return None,
    };
    match quantifier {
        Quantifier::None => None,
        Quantifier::Exists => Some(Runs { exists: true, formula }),
        Quantifier::All => Some(Runs { exists: false, formula }),
    }
}
