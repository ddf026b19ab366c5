//! Whether a coloured net holds together.

use mandala_model::coloured::evaluate::{Evaluator, Undefined};
use mandala_model::coloured::{ColouredNet, Value};

/// Checks that nothing in a net names what is not there, by trying every transition with the first colours. Nets with large
/// classes are not tried.
pub fn holds_together(net: &ColouredNet) {
    let is_large = |place: &mandala_model::coloured::Place| net.size(&place.domain).is_none_or(|size| size > 200);
    if net.classes.iter().any(|class| class.len() > 50) || net.places.iter().any(is_large) {
        return;
    }
    let is_sound = |error: Undefined| assert_ne!(error, Undefined::Malformed, "{net:?}");
    let domain = |place: u32| &net.places[place as usize].domain;
    for place in &net.places {
        match Evaluator::constant(net).tokens(&place.initial) {
            Ok(bag) => assert!(bag.iter().all(|(token, _)| token.len() == place.domain.len())),
            Err(error) => is_sound(error),
        }
    }
    for transition in &net.transitions {
        let binding: Vec<Value> = transition.variables.iter().map(|_| Value::Colour(0)).collect();
        let evaluator = Evaluator::new(net, &transition.variables, &binding);
        let _ = evaluator.guard(&transition.guard).map_err(is_sound);
        for arc in transition.takes.iter().chain(&transition.puts).chain(&transition.inhibitors) {
            match evaluator.tokens(&arc.tokens) {
                Ok(bag) => assert!(bag.iter().all(|(token, _)| token.len() == domain(arc.place).len())),
                Err(error) => is_sound(error),
            }
        }
    }
}
