//! What formulas about nets, programs and composites mean on sets of their states.

use std::cmp::Ordering;

use mandala_analysis::symmetry::SymmetryGroup;
use mandala_analysis::symmetry::leader::Leaders;
use mandala_diagram::{Diagram, Error, Hom, State};
use mandala_model::expression::{Boolean, Comparison, Integer};
use mandala_model::net::Effect;
use mandala_model::property::{Atom, Linear, NotLinear, Question, Systems};
use mandala_model::semantics::{RunError, Semantics, TooLarge};
use mandala_model::system::{Location, Type};
use rustc_hash::FxHashMap;

use super::{Change, EncodeError, EncodedSystem, Encoding, Refusal, SystemEncoding, ToLeader};

impl From<NotLinear> for Refusal {
    fn from(why: NotLinear) -> Refusal {
        match why {
            NotLinear::Other => Refusal::NotLinear,
            NotLinear::TooLarge => Refusal::TooLarge,
        }
    }
}

impl<'a> Encoding for SystemEncoding<'a> {
    type Formalism = Systems;
    type Semantics = Semantics<'a>;
    type Symmetries = SymmetryGroup;

    fn semantics(&self) -> Result<Semantics<'a>, TooLarge> {
        Semantics::new(self.system)
    }

    fn state_size(&self) -> usize {
        self.sizes[self.system.main]
    }

    fn has_transient_states(&self) -> bool {
        self.system.has_transient_states()
    }

    fn mentions_events(atom: &Atom) -> bool {
        matches!(atom, Atom::Fireable(_) | Atom::Fired(_))
    }

    fn actions(&self, most: usize) -> Option<Vec<Location>> {
        self.events(most)
    }

    fn distinct_actions(&self, most: usize) -> Option<Vec<(Location, u32)>> {
        let events = self.events(most)?;
        let Type::Net(net) = self.system.main_type() else {
            return Some(events.into_iter().map(|event| (event, 1)).collect());
        };
        // Unfolded nets have many transitions that do the same.
        let mut numbers: FxHashMap<(&[Effect], u32), usize> = FxHashMap::default();
        let mut distinct: Vec<(Location, u32)> = Vec::new();
        for event in events {
            let transition = &net.transitions[event.index as usize];
            let number = *numbers.entry((&transition.effects, transition.priority)).or_insert(distinct.len());
            match distinct.get_mut(number) {
                Some((_, count)) => *count += 1,
                None => distinct.push((event, 1)),
            }
        }
        Some(distinct)
    }

    fn select(encoded: &mut EncodedSystem<'a>, atom: &Atom, set: &Diagram) -> Result<Diagram, Refusal> {
        match atom {
            Atom::Compare(comparison, left, right) => encoded.compared(*comparison, left, right, set),
            Atom::Fireable(locations) => {
                let mut any = encoded.store.zero();
                for location in locations {
                    let more = SystemEncoding::enabled(encoded, location, set)?;
                    any = encoded.store.union(&any, &more)?;
                }
                Ok(any)
            }
            Atom::Fired(_) => Err(Refusal::Unknown),
        }
    }

    fn enabled(encoded: &mut EncodedSystem<'a>, location: &Location, set: &Diagram) -> Result<Diagram, Refusal> {
        let enabled = |semantics: &Semantics<'_>, state: &[i32]| semantics.enabled(state, location);
        if encoded.leads_elsewhere(location) {
            return encoded.one_by_one(set, Refusal::Alone, enabled);
        }
        match encoded.guard(location) {
            Ok(Some(guard)) => Ok(encoded.store.apply(&guard, set)?),
            Ok(None) => Err(Refusal::Unknown),
            Err(error @ EncodeError::Beyond { .. }) => encoded.one_by_one(set, error.into(), enabled),
            Err(error) => Err(error.into()),
        }
    }

    fn guard(encoded: &mut EncodedSystem<'a>, location: &Location) -> Option<Hom> {
        if encoded.leads_elsewhere(location) {
            return None;
        }
        encoded.guard(location).ok().flatten()
    }

    fn dead(encoded: &mut EncodedSystem<'a>, set: &Diagram) -> Result<Diagram, Refusal> {
        match encoded.dead_by_guards(set) {
            Ok(dead) => Ok(dead),
            // Representatives of what comes next may not be among those that are known.
            Err(error @ EncodeError::Beyond { .. }) if encoded.orbit.is_some() => {
                encoded.one_by_one(set, error.into(), |semantics, state| semantics.is_deadlock(state))
            }
            // When a transition can fire is not known beforehand: then the states that are before no other.
            Err(error @ EncodeError::Beyond { .. }) => match encoded.before_others(set) {
                Ok(alive) => Ok(encoded.store.difference(set, &alive)?),
                Err(Error::NoInverse { .. }) => {
                    encoded.one_by_one(set, error.into(), |semantics, state| semantics.is_deadlock(state))
                }
                Err(stopped) => Err(stopped.into()),
            },
            Err(error) => Err(error.into()),
        }
    }

    fn error_state(encoded: &mut EncodedSystem<'a>, set: &Diagram) -> Result<Diagram, Refusal> {
        let Some(error) = encoded.encoding.system.error_state() else { return Ok(encoded.store.zero()) };
        let variable = Location { path: Vec::new(), index: error.variable };
        let value = Integer::Constant(error.value);
        encoded.compared(Comparison::Equal, &Integer::Variable(variable), &value, set)
    }

    fn transient(encoded: &mut EncodedSystem<'a>, set: &Diagram) -> Result<Diagram, EncodeError> {
        encoded.satisfying_transient(set)
    }

    fn extremes(
        encoded: &mut EncodedSystem<'a>, expression: &Integer<Location>, set: &Diagram,
    ) -> Result<(i64, i64), Refusal> {
        let linear = match Linear::of(expression) {
            Ok(linear) => linear,
            Err(why @ NotLinear::TooLarge) => return Err(why.into()),
            Err(NotLinear::Other) => {
                // What has no value is not comparable with any.
                let greatest = Integer::Constant(i32::MAX);
                let has_value = Boolean::Compare(Comparison::LessOrEqual, expression.clone(), greatest);
                if encoded.satisfying(&has_value, set)? != *set {
                    return Err(Refusal::NoValue);
                }
                let (least, most) = encoded.extremes_of_values(expression, set)?.ok_or(Refusal::NotLinear)?;
                return Ok((least.into(), most.into()));
            }
        };
        Ok(encoded.extremes_of_sum(linear, set)?.unwrap_or((0, 0)))
    }

    fn most_in_place(encoded: &EncodedSystem<'a>, set: &Diagram) -> i64 {
        encoded.greatest_value(set).map_or(0, i64::from)
    }

    fn most_in_marking(encoded: &EncodedSystem<'a>, set: &Diagram) -> i64 {
        let (weight, constant) = encoded.tokens();
        let most = encoded.store.extremes(set, &weight).map_or(0, |(_, most)| most);
        most.saturating_add(constant)
    }

    fn decode(encoded: &EncodedSystem<'a>, state: &State) -> Vec<i32> {
        encoded.decode(state)
    }

    fn encode(encoded: &mut EncodedSystem<'a>, state: &Vec<i32>) -> Result<Option<Diagram>, Error> {
        encoded.encode(state)
    }

    fn broken_promise(encoded: &EncodedSystem<'a>, set: &Diagram) -> Option<EncodeError> {
        let net = || encoded.encoding.system.name.clone();
        encoded.breaks_promises(set).then(|| EncodeError::BrokenPromise { net: net() })
    }

    fn changes(encoded: &EncodedSystem<'a>) -> Option<Vec<Vec<(u32, Change)>>> {
        let system = encoded.encoding.system;
        let Type::Net(net) = system.main_type() else { return None };
        // Where transitions are left out of the relation, it is not known which. In a quotient, tokens change places.
        if net.transitions.len() != encoded.relation.len() || encoded.orbit.is_some() {
            return None;
        }
        let changes = net.transitions.iter().map(|transition| {
            let change = |effect: &Effect| match effect.put.cmp(&effect.take) {
                _ if effect.reset => Some((effect.place, Change::Either)),
                Ordering::Greater => Some((effect.place, Change::Up)),
                Ordering::Less => Some((effect.place, Change::Down)),
                Ordering::Equal => None,
            };
            transition.effects.iter().filter_map(change).collect()
        });
        Some(changes.collect())
    }

    fn leaves_alone(&self, symmetries: &SymmetryGroup, question: &Question) -> bool {
        symmetries.leaves_alone(self.system, question)
    }

    fn to_leaders(&self, symmetries: &SymmetryGroup) -> Option<ToLeader<Self>> {
        let leaders = Leaders::new(&symmetries.shape, &symmetries.points)?;
        Some(Box::new(move |state: Vec<i32>| match leaders.leader(&state) {
            Some(leader) => leader.state,
            None => state,
        }))
    }
}

/// A set with more states than this is not looked at state by state.
const FEW_STATES: u64 = 20_000;

impl EncodedSystem<'_> {
    /// The states of a set in which a comparison holds.
    fn compared(
        &mut self, comparison: Comparison, left: &Integer<Location>, right: &Integer<Location>, set: &Diagram,
    ) -> Result<Diagram, Refusal> {
        match self.compared_linearly(comparison, left, right, set) {
            Err(Refusal::NotLinear) => self.satisfying(&Boolean::Compare(comparison, left.clone(), right.clone()), set),
            selected => selected,
        }
    }

    fn compared_linearly(
        &mut self, comparison: Comparison, left: &Integer<Location>, right: &Integer<Location>, set: &Diagram,
    ) -> Result<Diagram, Refusal> {
        let difference = Linear::of(left)?.plus(Linear::of(right)?, -1)?;
        self.compared_with_zero(comparison, difference, set)
    }

    /// The least and the greatest value of a sum in a set; nothing if the set is empty.
    fn extremes_of_sum(&mut self, mut sum: Linear, set: &Diagram) -> Result<Option<(i64, i64)>, Refusal> {
        let Some((at, letters)) = self.cell_in(&sum) else {
            let (weight, constant) = self.weight_of(&sum)?;
            let extremes = self.store.extremes(set, &weight);
            return Ok(extremes.map(|(least, most)| (least.saturating_add(constant), most.saturating_add(constant))));
        };
        let (location, factor) = sum.terms.remove(at);
        let mut found: Option<(i64, i64)> = None;
        for letter in 0..=letters {
            let part = self.holding(&location, letter, set)?;
            let some = self.extremes_of_sum(with_letter(&sum, factor, letter)?, &part)?;
            found = match (found, some) {
                (Some((low, high)), Some((least, most))) => Some((low.min(least), high.max(most))),
                (found, some) => found.or(some),
            };
        }
        Ok(found)
    }

    /// A term of a sum that is a cell of a queue, and how many letters may be there.
    fn cell_in(&self, sum: &Linear) -> Option<(usize, i32)> {
        let terms = sum.terms.iter().enumerate();
        terms.filter_map(|(at, (location, _))| Some((at, self.letters_at(location)?))).next()
    }

    fn compared_with_zero(
        &mut self, comparison: Comparison, mut difference: Linear, set: &Diagram,
    ) -> Result<Diagram, Refusal> {
        if difference.terms.is_empty() {
            return Ok(if comparison.holds(&difference.constant, &0) { set.clone() } else { self.store.zero() });
        }
        if let Some((at, letters)) = self.cell_in(&difference) {
            // What is in a cell of a queue is tried letter by letter.
            let (location, factor) = difference.terms.remove(at);
            let mut all = self.store.zero();
            for letter in 0..=letters {
                let part = self.holding(&location, letter, set)?;
                let left = with_letter(&difference, factor, letter)?;
                let some = self.compared_with_zero(comparison, left, &part)?;
                all = self.store.union(&all, &some)?;
            }
            return Ok(all);
        }
        let (weight, constant) = self.weight_of(&difference)?;
        let bound = constant.checked_neg().ok_or(Refusal::TooLarge)?;
        let (low, high) = match comparison {
            Comparison::Equal | Comparison::NotEqual => (bound, bound),
            Comparison::Less => (i64::MIN, bound - 1),
            Comparison::LessOrEqual => (i64::MIN, bound),
            Comparison::Greater => (bound + 1, i64::MAX),
            Comparison::GreaterOrEqual => (bound, i64::MAX),
        };
        let selector = self.store.weighing(&weight, low, high);
        let selected = self.store.apply(&selector, set)?;
        if comparison == Comparison::NotEqual {
            return Ok(self.store.difference(set, &selected)?);
        }
        Ok(selected)
    }

    /// A sum as a weight of the states, and a constant.
    fn weight_of(&self, linear: &Linear) -> Result<(mandala_diagram::Weight, i64), Refusal> {
        let (weight, constant) = self.weight(&linear.terms).ok_or(Refusal::Unknown)?;
        Ok((weight, constant.checked_add(linear.constant).ok_or(Refusal::TooLarge)?))
    }

    /// The states of a set that have a successor.
    fn before_others(&mut self, set: &Diagram) -> Result<Diagram, Error> {
        let step = self.store.sum(&self.relation);
        let back = self.store.predecessors(&step, set)?;
        let after = self.store.apply(&step, set)?;
        self.store.apply(&back, &after)
    }

    /// Whether a transition or synchronisation may lead to transient states that are not among the reachable ones: if it has a
    /// label, and so is called alone. Whether a state comes out of them is not known then.
    fn leads_elsewhere(&self, location: &Location) -> bool {
        let system = self.encoding.system;
        if !system.has_transient_states() {
            return false;
        }
        let kind = system.types_on(&location.path).and_then(|types| Some(&system.types[*types.last()?]));
        kind.is_some_and(|kind| !kind.own_events(location.path.is_empty()).contains(&location.index))
    }

    /// The states of a set that pass a test, one after the other, where diagrams cannot tell: when a transition can fire
    /// whose body may abort after a repetition, or which leads to transient states that are not reached otherwise. Refuses
    /// large sets.
    fn one_by_one(
        &mut self, set: &Diagram, refusal: Refusal, passes: impl Fn(&Semantics<'_>, &[i32]) -> Result<bool, RunError>,
    ) -> Result<Diagram, Refusal> {
        let is_small = self.store.count(set).to_u64().is_some_and(|count| count <= FEW_STATES);
        let Some(semantics) = Semantics::new(self.encoding.system).ok().filter(|_| is_small) else {
            return Err(refusal);
        };
        let mut passing = Vec::new();
        for state in self.store.states(set) {
            match passes(&semantics, &self.decode(&state)) {
                Ok(true) => passing.push(state),
                Ok(false) => {}
                // In a state that was reached, this can only happen to who is called alone.
                Err(_) => return Err(refusal),
            }
        }
        let mut all = Vec::with_capacity(passing.len());
        for state in &passing {
            all.push(self.store.diagram_of(state)?);
        }
        Ok(self.store.union_of(&all)?)
    }
}

/// A sum with a multiple of a letter added.
fn with_letter(sum: &Linear, factor: i64, letter: i32) -> Result<Linear, Refusal> {
    let more = factor.checked_mul(letter.into()).and_then(|more| sum.constant.checked_add(more));
    Ok(Linear { constant: more.ok_or(Refusal::TooLarge)?, ..sum.clone() })
}
