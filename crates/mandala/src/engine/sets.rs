//! Sets of the states that were found.

use super::answers::Asker;
use super::ground::Ground;
use super::session::Session;
use super::summary::not_counted;
use crate::error::{Error, ErrorKind};
use crate::figures::NoFigures;
use crate::options::Options;
use crate::state::Variables;
use mandala_check::figures::Combination;
use mandala_check::quotient::Subject;
use mandala_check::space::SystemSpace;
use mandala_diagram::{Count, Diagram, State};
use mandala_model::property::Formula;
use mandala_model::semantics::Semantics;

impl<'a> Asker<'a> {
    /// The variables of the states that were found.
    pub fn variables(&self) -> Result<Variables, Error> {
        let semantics = Semantics::new(self.explored());
        semantics.map(|one| Variables::of(&one)).map_err(|error| Error::new(ErrorKind::State, error.to_string()))
    }

    /// All states that were found.
    pub fn all(&mut self, options: &Options) -> Result<Diagram, NoFigures> {
        let session = Session::begin(options)?;
        Ok(kept(self.space(&session)?))
    }

    /// The states that satisfy a formula about one state.
    pub fn select(&mut self, options: &Options, formula: &Formula) -> Result<Diagram, NoFigures> {
        let session = Session::begin(options)?;
        let formula = self.renamed_formula(formula)?;
        let space = self.space(&session)?;
        let selected = space.select(&formula);
        let among = kept(space);
        let selected = selected.and_then(|set| space.combine(Combination::Intersection, &set, &among));
        selected.map_err(|reason| not_counted(&session, reason))
    }

    /// Two sets made one.
    pub fn combine(
        &mut self, options: &Options, how: Combination, one: &Diagram, other: &Diagram,
    ) -> Result<Diagram, NoFigures> {
        let session = Session::begin(options)?;
        self.space(&session)?.combine(how, one, other).map_err(|reason| not_counted(&session, reason))
    }

    /// Whether a set has a state.
    pub fn contains(&mut self, options: &Options, set: &Diagram, state: &Vec<i32>) -> Result<bool, NoFigures> {
        let session = Session::begin(options)?;
        self.space(&session)?.contains(set, state).map_err(|reason| not_counted(&session, reason))
    }

    /// How many states a set has.
    pub fn count_of(&self, set: &Diagram) -> Count {
        self.ground.space().map_or_else(Count::zero, |space| space.encoded().store.count(set))
    }

    /// The first states of a set that come after one, with the last of them.
    pub fn some_states(&self, set: &Diagram, after: Option<&State>, most: usize) -> (Vec<Vec<i32>>, Option<State>) {
        let Some(space) = self.ground.space() else { return (Vec::new(), None) };
        let encoded = space.encoded();
        let states = match after {
            Some(state) => encoded.store.states_after(set, state),
            None => encoded.store.states(set),
        };
        let mut last = None;
        let values = states.take(most).map(|state| {
            let values = encoded.decode(&state);
            last = Some(state);
            values
        });
        (values.collect(), last)
    }

    /// Some states of a set at random.
    pub fn sample(&self, set: &Diagram, how_many: usize, seed: u64) -> Vec<Vec<i32>> {
        let Some(space) = self.ground.space() else { return Vec::new() };
        let encoded = space.encoded();
        let Some(lottery) = encoded.store.lottery(set) else { return Vec::new() };
        let mut chance = chance(seed);
        (0..how_many).map(|_| encoded.decode(&lottery.draw(&encoded.store, &mut chance))).collect()
    }

    /// The space of the states that were found, with the limits of a new session.
    fn space(&mut self, session: &Session<'_>) -> Result<&mut SystemSpace<'a>, NoFigures> {
        let no_diagrams = || NoFigures::Beyond("there are no diagrams of these states".to_owned());
        self.expand(session)?;
        let space = match &mut self.ground {
            Ground::Space(space) | Ground::Part { space: Some(space), .. } => space,
            Ground::Part { space: None, .. } | Ground::Unbounded(_) | Ground::OneByOne | Ground::Later => {
                return Err(no_diagrams());
            }
        };
        session.renew(space, false);
        Ok(space)
    }

    /// A formula about one state, as one about what was explored.
    pub(super) fn renamed_formula(&self, formula: &Formula) -> Result<Formula, NoFigures> {
        let renamed = match self.subject.and_then(Subject::renaming) {
            Some(renaming) => renaming.formula(formula),
            None => Some(formula.clone()),
        };
        renamed.ok_or_else(|| NoFigures::Beyond("the formula asks about what only happens when called".to_owned()))
    }
}

/// The states that count: of a quotient of which only representatives were kept, one of each orbit as far as these are known.
/// Diagrams may leave more.
fn kept(space: &SystemSpace<'_>) -> Diagram {
    match space.quotient() {
        Some(quotient) if !quotient.construction.is_whole() => quotient.representatives.clone(),
        _ => space.states().clone(),
    }
}

/// Numbers from 0 to 1, each as likely as any other, by SplitMix64.
fn chance(mut seed: u64) -> impl FnMut() -> f64 {
    move || {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = seed;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
