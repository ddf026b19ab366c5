//! Nets made smaller before their states are counted.

use super::ground::{Ground, growth};
use super::session::Session;
use crate::error::Error;
use crate::figures::{Figures, NoFigures, Reduced, Siblings};
use crate::options::{Order, Reductions};
use mandala_analysis::polytope::Family;
use mandala_analysis::reduce::{Extent, PATIENCE, Patience, Reduction, reduce};
use mandala_analysis::structure::cover;
use mandala_check::explore::{Stopped, explore_either, find_unbounded};
use mandala_check::reduced::{Counter, NotCounted};
use mandala_check::{figures, siblings};
use mandala_diagram::{Count, Strategy};
use mandala_model::net::Net;
use mandala_model::system::{System, Type};

/// A net made smaller.
pub(crate) struct Smaller {
    reduction: Reduction,
    /// The reduced net.
    system: System,
}

/// What was counted on a reduced net.
pub(crate) struct Counted<'a> {
    /// The net made smaller.
    pub smaller: &'a Smaller,
    /// The states of the reduced net.
    pub ground: Ground<'a>,
    /// How many states of the net they stand for.
    pub states: Option<Count>,
}

/// What came of looking for the states of a reduced net.
pub(crate) enum Found<'a> {
    /// They were counted there.
    Counted(Counted<'a>),
    /// The net itself was as good, and what is known of it is this.
    Whole(Ground<'a>),
    /// Nothing: the net itself has to be looked at.
    Nothing,
}

/// More products than this are not counted one by one.
const MOST_PRODUCTS: usize = 200;

impl Smaller {
    /// A net made smaller, if that is wanted and there is something to do.
    pub fn new(session: &Session<'_>, system: &System) -> Option<Smaller> {
        let (Type::Net(net), [begin]) = (system.main_type(), &system.begins[..]) else { return None };
        let marking = &net.initial.get(*begin)?.marking;
        let goes_on = || session.struck().is_none();
        let patience = Patience { operations: PATIENCE, goes_on: &goes_on };
        let reduction = is_wanted(session).then(|| reduced(net, marking, patience)).flatten()?;
        let reduced = Type::Net(reduction.net.clone());
        let system = System { name: system.name.clone(), types: vec![reduced], main: 0, begins: vec![0] };
        Some(Smaller { reduction, system })
    }

    /// Whether there is nothing left of the net.
    pub fn is_nothing(&self) -> bool {
        self.reduction.net.places.is_empty()
    }

    /// How much smaller, for people.
    pub fn facts(&self) -> Reduced {
        Reduced::of(&self.reduction)
    }

    /// Looks for the states of the reduced net, and for those of the net itself where that may be as good.
    pub fn count<'a>(
        &'a self, session: &Session<'_>, strategy: Strategy, whole: &'a System,
    ) -> Result<Found<'a>, Error> {
        let options = session.diagrams(&self.system, strategy)?;
        let explored = match explore_either(&self.system, whole, &options) {
            Err(Stopped::Encode(_) | Stopped::Undefined) => return Ok(Found::Nothing),
            Err(Stopped::Unbounded(_)) => {
                // So is the net itself. Its own run is named.
                let witness = find_unbounded(whole, cover::PATIENCE);
                return Ok(
                    witness.map_or(Found::Nothing, |found| Found::Whole(Ground::Unbounded(growth(whole, &found))))
                );
            }
            explored => explored,
        };
        let ground = Ground::new(session, &self.system, explored)?;
        let Some(space) = ground.space() else {
            return Ok(Found::Counted(Counted { smaller: self, ground, states: None }));
        };
        if !std::ptr::eq(space.encoded().encoding.system, &self.system) {
            return Ok(Found::Whole(ground));
        }
        Ok(match Counter::new(&self.reduction, space, &options.limits.without_end()).states() {
            Ok(states) => Found::Counted(Counted { smaller: self, ground, states: Some(states) }),
            Err(_) => Found::Nothing,
        })
    }
}

/// The figures of a net with many tokens, if they follow from those of its siblings with few.
pub(crate) fn by_siblings(
    session: &Session<'_>, strategy: Strategy, system: &System,
) -> Result<Option<(Siblings, figures::Figures)>, Error> {
    let (Type::Net(net), [begin], true) = (system.main_type(), &system.begins[..], is_wanted(session)) else {
        return Ok(None);
    };
    let Some(family) = net.initial.get(*begin).and_then(|initial| Family::of(net, &initial.marking)) else {
        return Ok(None);
    };
    let options = session.diagrams(system, strategy)?;
    let found = siblings::figures(&family, net, &options);
    let samples = family.samples();
    let siblings = Siblings { counted: (*samples.start(), *samples.end()), number: family.number() };
    Ok(found.map(|figures| (siblings, figures)))
}

/// Whether a net may be made smaller.
fn is_wanted(session: &Session<'_>) -> bool {
    session.options.reductions == Reductions::On && matches!(session.options.order, Order::Auto | Order::Heuristic(_))
}

/// A net made smaller so that its markings can be counted, if there is something to do.
pub(crate) fn reduced(net: &Net, marking: &[i32], patience: Patience<'_>) -> Option<Reduction> {
    let full = reduce(net, marking, Extent::Full, patience).filter(Reduction::is_smaller)?;
    if is_countable(&full) {
        return Some(full);
    }
    reduce(net, marking, Extent::Separate, patience).filter(|other| other.is_smaller() && is_countable(other))
}

/// Whether what the reduced net is counted by is not too much.
fn is_countable(reduction: &Reduction) -> bool {
    let Ok(cases) = reduction.weights() else { return false };
    let mut all = 0usize;
    for weights in cases {
        let several = weights.factors.iter().filter(|factor| factor.places().len() > 1);
        let products = several.fold(1usize, |product, factor| product.saturating_mul(factor.terms().count()));
        all = all.saturating_add(products);
    }
    all <= MOST_PRODUCTS
}

impl Counted<'_> {
    /// The contest's figures of the net. Nothing if the net itself has to be looked at.
    pub fn figures(&self, session: &Session<'_>, system: &System) -> Option<Result<Figures, NoFigures>> {
        let (Ground::Space(space), Type::Net(net)) = (&self.ground, system.main_type()) else {
            return Some(Err(NoFigures::Part));
        };
        match Counter::new(&self.smaller.reduction, space, &session.limits(None)).figures(net) {
            Ok(figures) => Some(Ok(figures.into())),
            Err(NotCounted::TooLarge) => None,
            Err(NotCounted::Stopped(error)) => Some(Err(match session.reason(&error) {
                Ok(reason) => NoFigures::Stopped(reason),
                Err(error) => error.into(),
            })),
        }
    }
}
