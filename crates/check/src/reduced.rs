//! Figures of a net, counted on the states of its reduced net.
//!
//! A state of the reduced net counts as often as it stands for markings of the net: a product of polynomials of its places
//! (see [`mandala_analysis::reduce::count`]). Polynomials of one place are a table for its diagram variable. One of several
//! places is a sum of products of polynomials of one place each, and each member of the sum is counted by itself.

use mandala_analysis::reduce::Reduction;
use mandala_analysis::reduce::count::{Extreme, IBig, Polynomial, TooLarge, UBig, Weights};
use mandala_diagram::{Count, Error, Exactness};
use mandala_model::net::Net;
use mandala_model::system::Location;
use mandala_symbolic::encode::{Encoding, SystemEncoding};
use rustc_hash::FxHashMap;

use crate::figures::Figures;
use crate::limits::Limits;
use crate::space::SystemSpace;

/// A state space of a reduced net, with what it says about the net.
pub struct Counter<'c, 's> {
    reduction: &'c Reduction,
    space: &'c SystemSpace<'s>,
    limits: &'c Limits,
    /// The place of the reduced net that is a node.
    place_of: FxHashMap<u32, u32>,
}

/// Why something cannot be counted on the reduced net.
#[derive(Clone, Debug)]
pub enum NotCounted {
    /// It takes polynomials that are too large, or numbers beyond what is kept exactly.
    TooLarge,
    /// A limit struck.
    Stopped(Error),
}

impl From<TooLarge> for NotCounted {
    fn from(_: TooLarge) -> NotCounted {
        NotCounted::TooLarge
    }
}

impl From<Error> for NotCounted {
    fn from(error: Error) -> NotCounted {
        NotCounted::Stopped(error)
    }
}

/// How many products of polynomials of one place are counted one by one.
const MOST_PRODUCTS: usize = 4096;

impl<'c, 's> Counter<'c, 's> {
    /// Counts what the states of a space of the reduced net stand for, within some limits.
    pub fn new(reduction: &'c Reduction, space: &'c SystemSpace<'s>, limits: &'c Limits) -> Counter<'c, 's> {
        let place_of = reduction.node_of.iter().copied().zip(0..).collect();
        Counter { reduction, space, limits, place_of }
    }

    /// How many markings of the net there are.
    pub fn states(&self) -> Result<Count, NotCounted> {
        self.total(&self.reduction.weights()?)
    }

    /// The contest's figures of the net.
    pub fn figures(&self, net: &Net) -> Result<Figures, NotCounted> {
        Ok(Figures {
            states: self.states()?,
            transitions: Some(self.transitions(net)?),
            most_in_place: self.most_in_place()?,
            most_in_marking: self.most_in_marking()?,
        })
    }

    /// How many pairs there are of a marking of the net and a transition that can fire in it.
    fn transitions(&self, net: &Net) -> Result<Count, NotCounted> {
        // What a transition needs says where it can fire: of those that need the same, one is looked at.
        let mut alike: FxHashMap<Vec<(u32, i64)>, (u32, u64)> = FxHashMap::default();
        let mut order = Vec::new();
        for (index, transition) in (0..).zip(&net.transitions) {
            let needs = transition.effects.iter().map(|effect| (effect.place, i64::from(effect.needs())));
            let needs: Vec<(u32, i64)> = needs.filter(|need| need.1 > 0).collect();
            let entry = alike.entry(needs.clone()).or_insert_with(|| {
                order.push(needs);
                (index, 0)
            });
            entry.1 += 1;
        }
        let exactness = Exactness::default();
        let mut total = Count::zero();
        for needs in order {
            self.limits.check()?;
            let (index, times) = alike[&needs];
            let count = self.total(&self.reduction.weights_of(index, &needs)?)?;
            total.add_assign(&count.mul(&Count::from(times), &exactness), &exactness);
        }
        Ok(total)
    }

    /// The most tokens in a place of the net.
    fn most_in_place(&self) -> Result<i64, NotCounted> {
        let encoded = self.space.encoded();
        // Whatever a place of the reduced net holds, some place of the net may hold.
        let mut most = SystemEncoding::most_in_place(encoded, self.space.states());
        for extreme in self.reduction.greatest_of_places().ok_or(NotCounted::TooLarge)? {
            self.limits.check()?;
            most = most.max(self.greatest(&extreme)?);
        }
        Ok(most)
    }

    /// The most tokens in a marking of the net.
    fn most_in_marking(&self) -> Result<i64, NotCounted> {
        let all = (0..self.reduction.places as u32).map(|place| (place, 1));
        self.greatest(&self.reduction.greatest(all).ok_or(NotCounted::TooLarge)?)
    }

    fn greatest(&self, extreme: &Extreme) -> Result<i64, NotCounted> {
        let mut terms = Vec::with_capacity(extreme.terms.len());
        for (node, times) in &extreme.terms {
            let index = *self.place_of.get(node).ok_or(NotCounted::TooLarge)?;
            terms.push((Location { path: Vec::new(), index }, *times));
        }
        let encoded = self.space.encoded();
        let (weight, plus) = encoded.weight(&terms).ok_or(NotCounted::TooLarge)?;
        let most = encoded.store.extremes(self.space.states(), &weight).map_or(0, |(_, most)| most);
        Ok((most + plus + extreme.constant) / extreme.divisor)
    }

    /// The sum of weights over all states of the reduced net.
    fn total(&self, cases: &[Weights]) -> Result<Count, NotCounted> {
        let mut parts: Vec<(IBig, Count)> = Vec::new();
        for weights in cases {
            let (single, several): (Vec<&Polynomial>, Vec<&Polynomial>) =
                weights.factors.iter().partition(|factor| factor.places().len() == 1);
            let mut product = Polynomial::one();
            for factor in several {
                product = product.times(factor)?;
            }
            if product.terms().count() * cases.len() > MOST_PRODUCTS {
                return Err(NotCounted::TooLarge);
            }
            for (places, coefficient) in product.terms() {
                self.limits.check()?;
                parts.push((coefficient * &weights.constant, self.count(weights, &single, places)?));
            }
        }
        // A huge number has no exact digits, and nothing can be taken away from it.
        if let [(factor, count)] = &parts[..]
            && let Ok(factor) = UBig::try_from(factor.clone())
        {
            return Ok(Count::from(factor).mul(count, &Exactness::default()));
        }
        let mut total = IBig::ZERO;
        for (factor, count) in parts {
            total += factor * IBig::from(count.exact().ok_or(NotCounted::TooLarge)?.clone());
        }
        UBig::try_from(total).map(Count::from).map_err(|_| NotCounted::TooLarge)
    }

    /// How many states of the reduced net there are, each as often as polynomials of single places and some binomials say.
    fn count(&self, weights: &Weights, single: &[&Polynomial], binomials: &[(u32, u32)]) -> Result<Count, NotCounted> {
        let encoded = self.space.encoded();
        let mut polynomials: FxHashMap<u32, Vec<Polynomial>> = FxHashMap::default();
        let mut add = |node: u32, polynomial: Polynomial| match self.place_of.get(&node) {
            Some(&place) => {
                polynomials.entry(place).or_default().push(polynomial);
                Ok(())
            }
            None => Err(NotCounted::TooLarge),
        };
        for factor in single {
            add(factor.places()[0], (*factor).clone())?;
        }
        for &(node, degree) in binomials {
            add(node, Polynomial::one().spread(node, degree))?;
        }
        let mut within: FxHashMap<u32, (i64, i64)> = FxHashMap::default();
        for &(node, least, most) in &weights.within {
            let place = *self.place_of.get(&node).ok_or(NotCounted::TooLarge)?;
            within.insert(place, (least, most));
        }
        if polynomials.is_empty() && within.is_empty() {
            return Ok(encoded.store.count(self.space.states()));
        }
        let often = |place: u32, tokens: i32| {
            let tokens = i64::from(tokens);
            if tokens < 0 || within.get(&place).is_some_and(|(least, most)| tokens < *least || tokens > *most) {
                return Count::zero();
            }
            let factors = polynomials.get(&place).into_iter().flatten();
            let value = factors.fold(IBig::ONE, |product, factor| product * factor.value(|_| tokens));
            // What is never reached may be anything.
            UBig::try_from(value).map_or_else(|_| Count::zero(), Count::from)
        };
        let weighted = |place: u32| polynomials.contains_key(&place) || within.contains_key(&place);
        let layout = encoded.layout(encoded.encoding.system.main).ok_or(NotCounted::TooLarge)?;
        let states = self.space.states();
        let multiplicities = layout.multiplicities(&encoded.store, std::slice::from_ref(states), &often, &weighted);
        Ok(encoded.store.count_with(states, &multiplicities))
    }
}
