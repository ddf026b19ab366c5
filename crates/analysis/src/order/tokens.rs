//! What is known of the tokens behind the variables of a net.

use crate::structure::Structure;
use crate::structure::incidence::Incidence;
use mandala_model::net::Net;

/// The places of a net behind its variables, and what is known of the tokens in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tokens {
    /// By place, its variable.
    pub variable_of: Vec<u32>,
    /// The distinct changes that transitions make: places, and how many tokens they gain.
    pub changes: Vec<Vec<(u32, i64)>>,
    /// By place, whether its changes depend on the marking.
    pub is_inexact: Vec<bool>,
    /// Weighted sums of places that are constant, each with its constant.
    pub constants: Vec<(Vec<(u32, i64)>, i64)>,
    /// The most initial tokens in a place.
    pub most: i64,
}

/// Nets with more places or more arcs are not looked at so closely.
const MOST_PLACES: usize = 4_000;
const MOST_ARCS: usize = 100_000;

impl Tokens {
    /// The tokens of a net with this structure, whose places belong to these variables; nothing if it is too large.
    pub fn new(net: &Net, structure: &Structure, variable_of: Vec<u32>) -> Option<Tokens> {
        let arcs = net.transitions.iter().map(|transition| transition.effects.len()).sum::<usize>();
        if net.places.len() > MOST_PLACES || arcs > MOST_ARCS {
            return None;
        }
        let Incidence { changes, inexact, .. } = Incidence::new(net);
        let flows = structure.semiflows.flows.iter();
        let constants = flows.filter_map(|flow| Some((flow.weights.clone(), flow.constant(net)?))).collect();
        let tokens = net.initial.iter().flat_map(|initial| initial.marking.iter().copied());
        let most = i64::from(tokens.max().unwrap_or(0));
        Some(Tokens { variable_of, changes, is_inexact: inexact, constants, most })
    }
}
